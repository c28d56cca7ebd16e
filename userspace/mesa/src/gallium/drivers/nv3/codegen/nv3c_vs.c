/* SPDX-License-Identifier: MIT */
/* Compiles vertex programs. */
#include "codegen/nv3c_stage.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/nv3c_nir.h"
#include "codegen/nv3c_vs_encoding.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/ralloc.h"
#include "util/u_math.h"

/* Output registers (docs/reference/chip/programs.md). */
enum {
   OUTPUT_POSITION = 0,
   OUTPUT_COLOR0 = 3,
   OUTPUT_COLOR1 = 4,
   OUTPUT_FOG = 5,  /* y, z, w: clip distances 0 to 2 */
   OUTPUT_SIZE = 6, /* y, z, w: clip distances 3 to 5 */
   OUTPUT_BACK_COLOR0 = 7,
   OUTPUT_BACK_COLOR1 = 8,
   OUTPUT_TEXCOORD0 = 9,
};

struct vs_data {
   const struct nv3c_vs_key *key;
   struct nv3c_vs *vs;
};

/* ---- inputs and outputs ------------------------------------------------ */

static bool
select_input(struct nv3c_select *sel, nir_intrinsic_instr *intr)
{
   unsigned attribute = nir_intrinsic_base(intr);

   if (!nir_src_is_const(intr->src[0]))
      return false;
   attribute += nir_src_as_uint(intr->src[0]);
   if (attribute >= NV3C_VS_ATTRIBUTES) {
      nv3c_error(sel->p, "more than %u attributes", NV3C_VS_ATTRIBUTES);
      return true;
   }
   sel->def[intr->def.index] =
      nv3c_shift_components(nv3c_src_input(attribute),
                            nir_intrinsic_component(intr));
   return true;
}

/*
 * If @offset is the sum of a constant and a value, returns the constant and
 * sets *@rest to the value. Otherwise returns 0 and sets *@rest to @offset.
 */
static int
constant_part(nir_def *offset, nir_scalar *rest)
{
   *rest = nir_get_scalar(offset, 0);
   *rest = nir_scalar_chase_movs(*rest);
   if (nir_scalar_is_alu(*rest) && nir_scalar_alu_op(*rest) == nir_op_fadd) {
      for (unsigned s = 0; s < 2; s++) {
         nir_scalar src = nir_scalar_chase_alu_src(*rest, s);

         if (nir_scalar_is_const(src)) {
            *rest = nir_scalar_chase_alu_src(*rest, 1 - s);
            return nir_scalar_as_float(src);
         }
      }
   }
   return 0;
}

static bool
select_uniform(struct nv3c_select *sel, nir_intrinsic_instr *intr)
{
   unsigned base = nir_intrinsic_base(intr);
   struct nv3c_src address;
   nir_scalar rest;
   int constant;

   if (nir_src_is_const(intr->src[0])) {
      sel->def[intr->def.index] = nv3c_select_uniform(base);
      return true;
   }
   constant = constant_part(intr->src[0].ssa, &rest);
   if ((int)base + constant < 0) {
      constant = 0;
      rest = nir_get_scalar(intr->src[0].ssa, 0);
   }
   address = nv3c_splat(sel->def[rest.def->index], rest.comp);
   sel->def[intr->def.index] =
      nv3c_select_indexed(sel, base + constant, address, base,
                          nir_intrinsic_range(intr));
   return true;
}

/*
 * Sets @output to the output that carries component @c of the varying @slot,
 * and @lane to the component of this output. Returns false if the class has
 * no output for the component, or if the fragment program does not read the
 * varying.
 */
static bool
find_output(const struct nv3c_vs_key *key, unsigned slot, unsigned c,
            unsigned *output, unsigned *lane)
{
   unsigned distance;

   *lane = c;
   switch (slot) {
   case VARYING_SLOT_POS:
      *output = OUTPUT_POSITION;
      return true;
   case VARYING_SLOT_COL0:
   case VARYING_SLOT_COL1:
      *output = OUTPUT_COLOR0 + (slot - VARYING_SLOT_COL0);
      return true;
   case VARYING_SLOT_BFC0:
   case VARYING_SLOT_BFC1:
      *output = OUTPUT_BACK_COLOR0 + (slot - VARYING_SLOT_BFC0);
      return true;
   case VARYING_SLOT_FOGC:
      *output = OUTPUT_FOG;
      return c == 0;
   case VARYING_SLOT_PSIZ:
      *output = OUTPUT_SIZE;
      return c == 0;
   case VARYING_SLOT_CLIP_DIST0:
   case VARYING_SLOT_CLIP_DIST1:
      distance = 4 * (slot - VARYING_SLOT_CLIP_DIST0) + c;
      *output = distance < 3 ? OUTPUT_FOG : OUTPUT_SIZE;
      *lane = 1 + distance % 3;
      return distance < 6;
   default:
      for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
         if (key->texcoord[i] == slot) {
            *output = OUTPUT_TEXCOORD0 + i;
            return true;
         }
      }
      return false;
   }
}

static void
store_lanes(struct nv3c_select *sel, struct nv3c_vs *vs, unsigned output,
            unsigned mask, struct nv3c_src src)
{
   struct nv3c_insn *insn =
      nv3c_select_emit(sel, NV3C_MOV, 0, 0, src, nv3c_no_src(), nv3c_no_src());

   insn->output = output;
   insn->output_mask = mask;
   vs->outputs |= 1u << output;
   if (output == OUTPUT_SIZE)
      vs->writes_point_size |= mask & 1;
   if (output == OUTPUT_FOG)
      vs->clip_distances |= mask >> 1;
   if (output == OUTPUT_SIZE)
      vs->clip_distances |= mask >> 1 << 3;
}

static bool
select_output(struct nv3c_select *sel, nir_intrinsic_instr *intr)
{
   const struct vs_data *data = sel->data;
   unsigned slot = nir_intrinsic_io_semantics(intr).location;
   unsigned first = nir_intrinsic_component(intr);
   unsigned left = nir_intrinsic_write_mask(intr);
   struct nv3c_src value = nv3c_select_src(sel, &intr->src[0]);

   if (!nir_src_is_const(intr->src[1]))
      return false;
   slot += nir_src_as_uint(intr->src[1]);
   while (left) {
      unsigned wanted = NV3C_NO_OUTPUT, mask = 0;
      uint8_t swizzle[4] = { 0 };

      /*
       * Write all components that belong to the same output with one
       * instruction.
       */
      u_foreach_bit(i, left) {
         unsigned output, lane;

         if (!find_output(data->key, slot, first + i, &output, &lane)) {
            left &= ~(1u << i);
            continue;
         }
         if (wanted == NV3C_NO_OUTPUT)
            wanted = output;
         if (output == wanted) {
            swizzle[lane] = i;
            mask |= 1u << lane;
            left &= ~(1u << i);
         }
      }
      if (mask)
         store_lanes(sel, data->vs, wanted, mask, nv3c_swizzle(value, swizzle));
   }
   return true;
}

static bool
select_intrinsic(struct nv3c_select *sel, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
      return select_input(sel, intr);
   case nir_intrinsic_load_uniform:
      return select_uniform(sel, intr);
   case nir_intrinsic_store_output:
      return select_output(sel, intr);
   default:
      return false;
   }
}

static bool
select_tex(struct nv3c_select *sel, nir_tex_instr *tex)
{
   const struct vs_data *data = sel->data;
   const struct nv3c_src none = nv3c_no_src();
   struct nv3c_insn *insn;

   if (tex->op != nir_texop_txl || tex->num_srcs != 1 ||
       tex->src[0].src_type != nir_tex_src_backend1 ||
       !nv3c_tex_has_target(tex) || tex->texture_index >= NV3C_VS_UNITS)
      return false;
   insn = nv3c_select_def(sel, &tex->def, NV3C_TXL,
                          nv3c_select_src(sel, &tex->src[0].src), none, none);
   insn->unit = tex->texture_index;
   insn->coord_lanes = nv3c_tex_lanes(tex, NV3C_TXL);
   data->vs->units |= 1u << insn->unit;
   data->vs->targets[insn->unit] = tex->sampler_dim;
   if (tex->is_shadow)
      data->vs->shadow |= 1u << insn->unit;
   return true;
}

/* ---- operations -------------------------------------------------------- */

static bool
is_zero(const struct nv3c_src *src)
{
   for (unsigned i = 0; i < 4; i++) {
      if (src->file != NV3C_FILE_CONST || src->lane[i].uniform ||
          uif(src->lane[i].value) != 0)
         return false;
   }
   return true;
}

static bool
is_immediate(const struct nv3c_src *src)
{
   for (unsigned i = 0; i < 4; i++) {
      if (src->file != NV3C_FILE_CONST || src->lane[i].uniform)
         return false;
   }
   return true;
}

/*
 * Translates a < b, or a >= b if @opposite is set. The engine orders -0
 * before +0, so two cases need special treatment: b is the constant 0, or a
 * is negated.
 */
static void
select_comparison(struct nv3c_select *sel, nir_alu_instr *alu, bool opposite)
{
   struct nv3c_src a = nv3c_alu_src(sel, alu, 0);
   struct nv3c_src b = nv3c_alu_src(sel, alu, 1);
   enum nv3c_op op = opposite ? NV3C_SGE : NV3C_SLT;

   if (a.neg && a.file != NV3C_FILE_CONST) {
      if (b.neg || is_immediate(&b)) {
         a = nv3c_neg(a);
         b = is_zero(&b) ? nv3c_src_imm(0) : nv3c_neg(b);
         op = opposite ? NV3C_SLE : NV3C_SGT;
      } else {
         /* Compare -a + 0 instead of -a, because the sum is never -0. */
         a = nv3c_select_temp(sel, nir_def_components_read(&alu->def), NV3C_ADD,
                              a, nv3c_src_imm(0));
      }
   } else if (is_zero(&b)) {
      /*
       * Compare with -FLT_MIN, because the engine treats smaller magnitudes
       * as 0.
       */
      b = nv3c_src_imm(-FLT_MIN);
      op = opposite ? NV3C_SGT : NV3C_SLE;
   }
   nv3c_select_def(sel, &alu->def, op, a, b, nv3c_no_src());
}

static bool
select_alu(struct nv3c_select *sel, nir_alu_instr *alu)
{
   unsigned mask = nir_def_components_read(&alu->def);
   struct nv3c_src a, b;

   switch (alu->op) {
   case nir_op_slt:
      select_comparison(sel, alu, false);
      return true;
   case nir_op_sge:
      select_comparison(sel, alu, true);
      return true;
   case nir_op_fsqrt:
      /*
       * Compute a * rsq(a). The result for 0 is 0, because in the vertex engine
       * the product of 0 and any value is 0.
       */
      a = nv3c_alu_src(sel, alu, 0);
      b = nv3c_select_temp(sel, 1, NV3C_RSQ, a, nv3c_no_src());
      nv3c_select_def(sel, &alu->def, NV3C_MUL, a, nv3c_splat(b, 0),
                      nv3c_no_src());
      return true;
   case nir_op_ftrunc:
      a = nv3c_alu_src(sel, alu, 0);
      b = nv3c_select_temp(sel, mask, NV3C_FLR, nv3c_abs(a), nv3c_no_src());
      a = nv3c_select_temp(sel, mask, NV3C_SSG, a, nv3c_no_src());
      nv3c_select_def(sel, &alu->def, NV3C_MUL, a, b, nv3c_no_src());
      return true;
   default:
      return false;
   }
}

/* ---- compilation ------------------------------------------------------- */

static void
assign_registers(struct nv3c_program *p, struct nv3c_vs *vs)
{
   uint16_t regs[NV3C_VS_TEMPS];

   for (unsigned i = 0; i < NV3C_VS_TEMPS; i++)
      regs[i] = i < NV3C_VS_LOW_TEMPS ? i :
                NV3C_VS_HIGH_TEMP + i - NV3C_VS_LOW_TEMPS;
   vs->stats.registers = nv3c_assign_registers(p, regs, NV3C_VS_TEMPS);
}

static void
compile(struct nv3c_program *p, nir_shader *nir, void *p_data)
{
   struct vs_data *data = p_data;
   struct nv3c_select sel = {
      .p = p,
      .nir = nir,
      .intrinsic = select_intrinsic,
      .tex = select_tex,
      .alu = select_alu,
      .data = data,
   };

   nv3c_vs_finish(data->vs);
   nv3c_select_nir(&sel);
   if (p->error)
      return;
   nv3c_optimize(p);
   nv3c_legalize(p);
   nv3c_vs_assign_constants(p, data->vs);
   if (p->error)
      return;
   nv3c_vs_pair(p);
   assign_registers(p, data->vs);
   if (!p->error)
      nv3c_vs_encode(p, data->vs);
}

bool
nv3c_compile_vs(nir_shader *nir, const struct nv3c_vs_key *key,
                struct nv3c_vs *vs)
{
   struct vs_data data = { .key = key, .vs = vs };
   bool bounded = false;
   char *error;

   memset(vs, 0, sizeof(*vs));
   error = nv3c_compile_nir(nir, compile, &data, &bounded);
   vs->bounded_loops = bounded;
   if (error) {
      nv3c_vs_finish(vs);
      vs->error = error;
   }
   return !error;
}

void
nv3c_vs_finish(struct nv3c_vs *vs)
{
   free(vs->words);
   free(vs->uniforms);
   free(vs->immediates);
   free(vs->error);
   memset(vs, 0, sizeof(*vs));
}
