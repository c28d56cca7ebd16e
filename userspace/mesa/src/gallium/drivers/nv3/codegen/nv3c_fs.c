/* SPDX-License-Identifier: MIT */
/* Compiles fragment programs. */
#include "codegen/nv3c_stage.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/nv3c_fs_encoding.h"
#include "codegen/nv3c_nir.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

#define NO_TEMP (~0u)

/*
 * The maximum number of multiplications that replace a POW. Tuned with
 * core.fp.shading-phong.
 */
#define POWER_MULTIPLICATIONS_MAX 5

struct fs_data {
   struct nv3c_fs *fs;
   unsigned color, depth; /* temporaries of the results, or NO_TEMP */
};

/* ---- inputs ------------------------------------------------------------ */

/*
 * True if a texture coordinate must carry the varying @slot, because the
 * class has no other input for the varying. assign_texcoords() assigns the
 * texture coordinates in the order of VARYING_SLOT_*.
 */
static bool
is_texcoord(unsigned slot)
{
   return (slot >= VARYING_SLOT_TEX0 && slot <= VARYING_SLOT_TEX7) ||
          slot == VARYING_SLOT_PNTC || slot >= VARYING_SLOT_VAR0;
}

static void
find_texcoord(nir_intrinsic_instr *intr, uint64_t *slots)
{
   unsigned slot = VARYING_SLOT_MAX;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      slot = nir_intrinsic_io_semantics(intr).location;
      if (nir_src_is_const(*nir_get_io_offset_src(intr)))
         slot += nir_src_as_uint(*nir_get_io_offset_src(intr));
      break;
   case nir_intrinsic_load_point_coord:
      slot = VARYING_SLOT_PNTC;
      break;
   default:
      break;
   }
   if (slot < VARYING_SLOT_MAX && is_texcoord(slot))
      *slots |= BITFIELD64_BIT(slot);
}

static void
assign_texcoords(struct nv3c_program *p, nir_shader *nir, struct nv3c_fs *fs)
{
   uint64_t slots = 0;
   unsigned count = 0;

   memset(fs->texcoord, NV3C_NO_SLOT, sizeof(fs->texcoord));
   nir_foreach_block(block, nir_shader_get_entrypoint(nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->type == nir_instr_type_intrinsic)
            find_texcoord(nir_instr_as_intrinsic(instr), &slots);
      }
   }
   u_foreach_bit64(slot, slots) {
      if (count == NV3C_TEXCOORDS) {
         nv3c_error(p, "more than %u varyings", NV3C_TEXCOORDS);
         return;
      }
      fs->texcoord[count++] = slot;
   }
}

static bool
find_input(const struct nv3c_fs *fs, unsigned slot, unsigned *input)
{
   switch (slot) {
   case VARYING_SLOT_POS:
      *input = NV3C_FS_POSITION;
      return true;
   case VARYING_SLOT_COL0:
   case VARYING_SLOT_COL1:
      *input = NV3C_FS_COLOR0 + (slot - VARYING_SLOT_COL0);
      return true;
   case VARYING_SLOT_FOGC:
      *input = NV3C_FS_FOG;
      return true;
   case VARYING_SLOT_FACE:
      *input = NV3C_FS_FACE;
      return true;
   default:
      for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
         if (fs->texcoord[i] == slot) {
            *input = NV3C_FS_TEXCOORD0 + i;
            return true;
         }
      }
      return false;
   }
}

/*
 * Translates gl_FrontFacing. The chip's input is 1 for front faces and -1 for
 * back faces.
 */
static void
select_front_face(struct nv3c_select *sel, nir_def *def)
{
   nv3c_select_def(sel, def, NV3C_SGT,
                   nv3c_splat(nv3c_src_input(NV3C_FS_FACE), 0), nv3c_src_imm(0),
                   nv3c_no_src());
}

static bool
select_input(struct nv3c_select *sel, nir_intrinsic_instr *intr)
{
   const struct fs_data *data = sel->data;
   nir_src *offset = nir_get_io_offset_src(intr);
   unsigned slot = nir_intrinsic_io_semantics(intr).location, input;

   if (!nir_src_is_const(*offset))
      return false;
   slot += nir_src_as_uint(*offset);
   if (!find_input(data->fs, slot, &input)) {
      nv3c_error(sel->p, "no input has %s",
                 gl_varying_slot_name_for_stage(slot, MESA_SHADER_FRAGMENT));
      return true;
   }
   if (slot == VARYING_SLOT_FACE) {
      select_front_face(sel, &intr->def);
      return true;
   }
   sel->def[intr->def.index] =
      nv3c_shift_components(nv3c_src_input(input),
                            nir_intrinsic_component(intr));
   return true;
}

/* ---- outputs ----------------------------------------------------------- */

static unsigned
result_temp(struct nv3c_select *sel, unsigned reg)
{
   unsigned temp = nv3c_new_temp(sel->p);
   struct nv3c_temp *t = nv3c_temp(sel->p, temp);

   t->reg = reg;
   t->fixed = true;
   t->to_end = true;
   return temp;
}

static bool
select_output(struct nv3c_select *sel, nir_intrinsic_instr *intr)
{
   struct fs_data *data = sel->data;
   struct nv3c_src value = nv3c_select_src(sel, &intr->src[0]);
   unsigned mask = nir_intrinsic_write_mask(intr);
   unsigned first = nir_intrinsic_component(intr), temp;
   uint8_t swizzle[4] = { 0 };

   switch (nir_intrinsic_io_semantics(intr).location) {
   case FRAG_RESULT_COLOR:
   case FRAG_RESULT_DATA0:
      if (nir_intrinsic_io_semantics(intr).dual_source_blend_index)
         return true;
      if (data->color == NO_TEMP)
         data->color = result_temp(sel, NV3C_FS_COLOR_TEMP);
      temp = data->color;
      break;
   case FRAG_RESULT_DEPTH:
      if (data->depth == NO_TEMP)
         data->depth = result_temp(sel, NV3C_FS_DEPTH_TEMP);
      data->fs->writes_depth = true;
      temp = data->depth;
      first = 2;
      break;
   case FRAG_RESULT_STENCIL:
   case FRAG_RESULT_SAMPLE_MASK:
      return false;
   default:
      /*
       * Ignore all other results, because the class has only one colour
       * target.
       */
      return true;
   }
   u_foreach_bit(i, mask)
      swizzle[first + i] = i;
   nv3c_select_emit(sel, NV3C_MOV, temp, mask << first,
                    nv3c_swizzle(value, swizzle), nv3c_no_src(),
                    nv3c_no_src());
   return true;
}

/* ---- intrinsics -------------------------------------------------------- */

static void
select_kill(struct nv3c_select *sel, struct nv3c_src condition)
{
   const struct fs_data *data = sel->data;

   data->fs->kills = true;
   nv3c_select_emit(sel, NV3C_KIL, 0, 0, nv3c_splat(condition, 0),
                    nv3c_no_src(), nv3c_no_src());
}

static void
select_derivative(struct nv3c_select *sel, nir_intrinsic_instr *intr,
                  enum nv3c_op op)
{
   nv3c_select_def(sel, &intr->def, op, nv3c_select_src(sel, &intr->src[0]),
                   nv3c_no_src(), nv3c_no_src());
}

static bool
select_intrinsic(struct nv3c_select *sel, nir_intrinsic_instr *intr)
{
   unsigned input;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      return select_input(sel, intr);
   case nir_intrinsic_load_barycentric_pixel:
   case nir_intrinsic_load_barycentric_centroid:
   case nir_intrinsic_load_barycentric_sample:
      /* The chip interpolates all inputs at the pixel's centre. */
      return true;
   case nir_intrinsic_load_uniform:
      if (!nir_src_is_const(intr->src[0]))
         return false;
      sel->def[intr->def.index] = nv3c_select_uniform(nir_intrinsic_base(intr));
      return true;
   case nir_intrinsic_load_frag_coord:
      sel->def[intr->def.index] = nv3c_src_input(NV3C_FS_POSITION);
      return true;
   case nir_intrinsic_load_point_coord: {
      const struct fs_data *data = sel->data;

      if (!find_input(data->fs, VARYING_SLOT_PNTC, &input))
         return false;
      sel->def[intr->def.index] = nv3c_src_input(input);
      return true;
   }
   case nir_intrinsic_load_front_face:
      select_front_face(sel, &intr->def);
      return true;
   case nir_intrinsic_store_output:
      return select_output(sel, intr);
   case nir_intrinsic_demote:
   case nir_intrinsic_terminate:
      select_kill(sel, nv3c_src_imm(1));
      return true;
   case nir_intrinsic_demote_if:
   case nir_intrinsic_terminate_if:
      select_kill(sel, nv3c_select_src(sel, &intr->src[0]));
      return true;
   case nir_intrinsic_ddx:
   case nir_intrinsic_ddx_coarse:
   case nir_intrinsic_ddx_fine:
      select_derivative(sel, intr, NV3C_DDX);
      return true;
   case nir_intrinsic_ddy:
   case nir_intrinsic_ddy_coarse:
   case nir_intrinsic_ddy_fine:
      select_derivative(sel, intr, NV3C_DDY);
      return true;
   default:
      return false;
   }
}

/* ---- textures ---------------------------------------------------------- */

static bool
tex_op(const nir_tex_instr *tex, bool projects, enum nv3c_op *op)
{
   switch (tex->op) {
   case nir_texop_tex:
      *op = projects ? NV3C_TXP : NV3C_TEX;
      return true;
   case nir_texop_txb:
      *op = NV3C_TXB;
      return true;
   case nir_texop_txl:
      *op = NV3C_TXL;
      return true;
   case nir_texop_txd:
      *op = NV3C_TXD;
      return true;
   default:
      return false;
   }
}

static bool
select_tex(struct nv3c_select *sel, nir_tex_instr *tex)
{
   const struct fs_data *data = sel->data;
   struct nv3c_src src[3] = { nv3c_no_src(), nv3c_no_src(), nv3c_no_src() };
   struct nv3c_insn *insn;
   enum nv3c_op op;

   for (unsigned i = 0; i < tex->num_srcs; i++) {
      struct nv3c_src value = nv3c_select_src(sel, &tex->src[i].src);

      switch (tex->src[i].src_type) {
      case nir_tex_src_backend1:
         src[0] = value;
         break;
      case nir_tex_src_ddx:
         src[1] = value;
         break;
      case nir_tex_src_ddy:
         src[2] = value;
         break;
      default:
         return false;
      }
   }
   if (src[0].file == NV3C_FILE_NONE || !nv3c_tex_has_target(tex) ||
       !tex_op(tex, tex->backend_flags, &op) ||
       tex->texture_index >= NV3C_UNITS)
      return false;
   insn = nv3c_select_def(sel, &tex->def, op, src[0], src[1], src[2]);
   insn->unit = tex->texture_index;
   insn->dim = tex->sampler_dim;
   insn->coord_lanes = nv3c_tex_lanes(tex, op);
   data->fs->units |= 1u << insn->unit;
   data->fs->targets[insn->unit] = insn->dim;
   if (tex->is_shadow)
      data->fs->shadow |= 1u << insn->unit;
   return true;
}

/* ---- operations -------------------------------------------------------- */

static struct nv3c_src
multiply(struct nv3c_select *sel, struct nv3c_src a, struct nv3c_src b)
{
   return nv3c_splat(nv3c_select_temp(sel, 1, NV3C_MUL, a, b), 0);
}

/*
 * Computes a power with a constant integer exponent by multiplications. POW is
 * slower, because it computes a logarithm. Returns false if the exponent is not
 * a constant integer, or needs more than POWER_MULTIPLICATIONS_MAX
 * multiplications.
 */
static bool
select_integer_power(struct nv3c_select *sel, nir_alu_instr *alu,
                     struct nv3c_src base)
{
   struct nv3c_src result = base;
   unsigned exponent;
   float value;

   if (!nir_src_is_const(alu->src[1].src))
      return false;
   value = nir_src_comp_as_float(alu->src[1].src, alu->src[1].swizzle[0]);
   if (!(value >= 1 && value < 1 << POWER_MULTIPLICATIONS_MAX))
      return false;
   exponent = value;
   if (exponent != value || util_logbase2(exponent) + util_bitcount(exponent) -
                            1 > POWER_MULTIPLICATIONS_MAX)
      return false;
   for (int bit = (int)util_logbase2(exponent) - 1; bit >= 0; bit--) {
      result = multiply(sel, result, result);
      if (exponent >> bit & 1)
         result = multiply(sel, result, base);
   }
   nv3c_select_def(sel, &alu->def, NV3C_MOV, result, nv3c_no_src(),
                   nv3c_no_src());
   return true;
}

static bool
select_alu(struct nv3c_select *sel, nir_alu_instr *alu)
{
   unsigned mask = nir_def_components_read(&alu->def);
   const struct nv3c_src none = nv3c_no_src();
   struct nv3c_src src[3] = { none, none, none }, sign;

   for (unsigned s = 0; s < MIN2(nir_op_infos[alu->op].num_inputs, 3); s++)
      src[s] = nv3c_alu_src(sel, alu, s);
   switch (alu->op) {
   case nir_op_fpow:
      if (!select_integer_power(sel, alu, src[0]))
         nv3c_select_def(sel, &alu->def, NV3C_POW, src[0], src[1], none);
      return true;
   case nir_op_fdiv:
      src[1] = nv3c_splat(src[1], ffs(mask) - 1);
      if (util_bitcount(mask) == 1) {
         nv3c_select_def(sel, &alu->def, NV3C_DIV, src[0], src[1], none);
         return true;
      }
      src[1] = nv3c_select_temp(sel, 1, NV3C_RCP, src[1], none);
      nv3c_select_def(sel, &alu->def, NV3C_MUL, src[0],
                      nv3c_splat(src[1], 0), none);
      return true;
   case nir_op_flrp:
      nv3c_select_def(sel, &alu->def, NV3C_LRP, src[2], src[1], src[0]);
      return true;
   case nir_op_fsqrt:
      /* Compute 1 / rsq(x), because x * rsq(x) would be a NaN if x is 0. */
      src[0] = nv3c_select_temp(sel, 1, NV3C_RSQ, src[0], none);
      nv3c_select_def(sel, &alu->def, NV3C_RCP, nv3c_splat(src[0], 0), none,
                      none);
      return true;
   case nir_op_ftrunc:
      sign = nv3c_select_temp(sel, mask, NV3C_SLT, src[0], nv3c_src_imm(0));
      src[0] = nv3c_select_temp(sel, mask, NV3C_FLR, nv3c_abs(src[0]), none);
      nv3c_select_def(sel, &alu->def, NV3C_SEL, sign, nv3c_neg(src[0]), src[0]);
      return true;
   default:
      return false;
   }
}

/* ---- compilation ------------------------------------------------------- */

static void
assign_registers(struct nv3c_program *p, struct nv3c_fs *fs)
{
   uint16_t regs[NV3C_FS_TEMPS];

   for (unsigned i = 0; i < NV3C_FS_TEMPS; i++)
      regs[i] = i;
   fs->stats.registers = nv3c_assign_registers(p, regs, NV3C_FS_TEMPS);
}

static void
compile(struct nv3c_program *p, nir_shader *nir, void *p_data)
{
   struct fs_data *data = p_data;
   struct nv3c_select sel = {
      .p = p,
      .nir = nir,
      .intrinsic = select_intrinsic,
      .tex = select_tex,
      .alu = select_alu,
      .data = data,
   };

   nv3c_fs_finish(data->fs);
   data->color = data->depth = NO_TEMP;
   assign_texcoords(p, nir, data->fs);
   if (!p->error)
      nv3c_select_nir(&sel);
   if (p->error)
      return;
   nv3c_optimize(p);
   nv3c_lower_selects(p);
   nv3c_optimize(p);
   nv3c_legalize(p);
   assign_registers(p, data->fs);
   if (!p->error)
      nv3c_fs_encode(p, data->fs);
}

bool
nv3c_compile_fs(nir_shader *nir, struct nv3c_fs *fs)
{
   struct fs_data data = { .fs = fs };
   bool bounded = false;
   char *error;

   memset(fs, 0, sizeof(*fs));
   error = nv3c_compile_nir(nir, compile, &data, &bounded);
   fs->bounded_loops = bounded;
   if (error) {
      nv3c_fs_finish(fs);
      fs->error = error;
   }
   return !error;
}

void
nv3c_fs_finish(struct nv3c_fs *fs)
{
   free(fs->words);
   free(fs->constants);
   free(fs->error);
   memset(fs, 0, sizeof(*fs));
}
