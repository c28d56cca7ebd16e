/* SPDX-License-Identifier: MIT */
/*
 * Translates NIR to instructions. Moves, swizzles, constants and source
 * modifiers cost no instructions, because they become part of the sources of
 * later instructions.
 */
#include "codegen/nv3c_select.h"

#include "util/bitscan.h"
#include "util/ralloc.h"
#include "util/u_math.h"

/* ---- emission ---------------------------------------------------------- */

static struct nv3c_src
address_value(const struct nv3c_select *sel, unsigned address)
{
   return *util_dynarray_element(&sel->addresses, struct nv3c_src, address - 1);
}

/*
 * Loads A0 for the sources that are indexed by A0. If these sources need
 * different values of A0, moves all but the last of them to temporaries.
 */
static void
prepare_address(struct nv3c_select *sel, struct nv3c_src *src[3])
{
   for (unsigned s = 0; s < 3; s++) {
      unsigned address = src[s]->address;
      bool differs = false;

      if (!address)
         continue;
      if (sel->address != address) {
         nv3c_emit(sel->p, NV3C_ARL, 0, 0, address_value(sel, address),
                   nv3c_no_src(), nv3c_no_src());
         sel->address = address;
      }
      for (unsigned t = s + 1; t < 3; t++)
         differs |= src[t]->address && src[t]->address != address;
      if (differs) {
         unsigned temp = nv3c_new_temp(sel->p);

         nv3c_emit(sel->p, NV3C_MOV, temp, NV3C_XYZW, *src[s], nv3c_no_src(),
                   nv3c_no_src());
         *src[s] = nv3c_src_temp(temp);
      }
   }
}

struct nv3c_insn *
nv3c_select_emit(struct nv3c_select *sel, enum nv3c_op op, unsigned temp,
                 unsigned mask, struct nv3c_src a, struct nv3c_src b,
                 struct nv3c_src c)
{
   prepare_address(sel, (struct nv3c_src *[]){ &a, &b, &c });
   return nv3c_emit(sel->p, op, temp, mask, a, b, c);
}

struct nv3c_insn *
nv3c_select_def(struct nv3c_select *sel, nir_def *def, enum nv3c_op op,
                struct nv3c_src a, struct nv3c_src b, struct nv3c_src c)
{
   unsigned temp = nv3c_new_temp(sel->p);

   sel->def[def->index] = nv3c_src_temp(temp);
   sel->producer[def->index] =
      nv3c_select_emit(sel, op, temp, nir_def_components_read(def), a, b, c);
   return sel->producer[def->index];
}

struct nv3c_src
nv3c_select_temp(struct nv3c_select *sel, unsigned mask, enum nv3c_op op,
                 struct nv3c_src a, struct nv3c_src b)
{
   unsigned temp = nv3c_new_temp(sel->p);

   nv3c_select_emit(sel, op, temp, mask, a, b, nv3c_no_src());
   return nv3c_src_temp(temp);
}

/* ---- sources ----------------------------------------------------------- */

struct nv3c_src
nv3c_alu_src(const struct nv3c_select *sel, const nir_alu_instr *alu,
             unsigned s)
{
   unsigned count = nir_ssa_alu_instr_src_components(alu, s);
   uint8_t swizzle[4];

   for (unsigned i = 0; i < 4; i++)
      swizzle[i] = alu->src[s].swizzle[MIN2(i, count - 1)];
   return nv3c_swizzle(sel->def[alu->src[s].src.ssa->index], swizzle);
}

struct nv3c_src
nv3c_select_uniform(unsigned base)
{
   struct nv3c_src src = { .file = NV3C_FILE_CONST };

   for (unsigned i = 0; i < 4; i++) {
      src.lane[i].uniform = true;
      src.lane[i].value = 4 * base + i;
   }
   return src;
}

static bool
same_address(const struct nv3c_src *a, const struct nv3c_src *b)
{
   return a->file == b->file && a->index == b->index &&
          a->swizzle[0] == b->swizzle[0] && a->neg == b->neg &&
          a->abs == b->abs && nv3c_same_scalar(a->lane[0], b->lane[0]);
}

struct nv3c_src
nv3c_select_indexed(struct nv3c_select *sel, unsigned base,
                    struct nv3c_src address, unsigned array, unsigned size)
{
   struct nv3c_src src = nv3c_select_uniform(base);
   unsigned i = 0;

   src.array_base = array;
   src.array_size = size;
   util_dynarray_foreach(&sel->addresses, struct nv3c_src, known) {
      i++;
      if (same_address(known, &address)) {
         src.address = i;
         return src;
      }
   }
   util_dynarray_append(&sel->addresses, struct nv3c_src, address);
   src.address = i + 1;
   return src;
}

struct nv3c_src
nv3c_shift_components(struct nv3c_src src, unsigned first)
{
   uint8_t swizzle[4];

   for (unsigned i = 0; i < 4; i++)
      swizzle[i] = MIN2(first + i, 3);
   return nv3c_swizzle(src, swizzle);
}

static struct nv3c_src
load_const(const nir_load_const_instr *load)
{
   struct nv3c_src src = { .file = NV3C_FILE_CONST };

   for (unsigned i = 0; i < 4; i++)
      src.lane[i].value =
         load->value[MIN2(i, load->def.num_components - 1)].u32;
   return src;
}

/* ---- vectors ----------------------------------------------------------- */

/*
 * True if one source can read both values, because the sources @a and @b
 * differ only in their swizzles. Constants that are indexed by A0 can't be
 * combined.
 */
static bool
may_share(const struct nv3c_src *a, const struct nv3c_src *b)
{
   return a->file == b->file && a->neg == b->neg && a->abs == b->abs &&
          a->address == b->address &&
          (a->file == NV3C_FILE_CONST ? !a->address : a->index == b->index);
}

/*
 * Translates a vector. If one source can read all values of the vector, later
 * instructions use this source. Otherwise, MOV instructions gather the values
 * in a temporary. nv3c_optimize() removes most of these moves.
 */
static void
select_vector(struct nv3c_select *sel, nir_alu_instr *alu)
{
   unsigned left = nir_def_components_read(&alu->def), temp = 0;
   struct nv3c_src part[4];
   bool gathers = false;

   u_foreach_bit(i, left) {
      part[i] = nv3c_splat(nv3c_alu_src(sel, alu, i), 0);
      if (nir_src_is_undef(alu->src[i].src))
         left &= ~(1u << i);
   }
   if (!left)
      sel->def[alu->def.index] = nv3c_src_imm(0);
   while (left) {
      unsigned first = ffs(left) - 1, mask = 0;
      struct nv3c_src src = part[first];

      u_foreach_bit(i, left) {
         if (i == first || may_share(&part[first], &part[i])) {
            src.swizzle[i] = part[i].swizzle[0];
            src.lane[i] = part[i].lane[0];
            mask |= 1u << i;
         }
      }
      left &= ~mask;
      if (!left && !gathers) {
         sel->def[alu->def.index] = src;
         return;
      }
      if (!gathers)
         temp = nv3c_new_temp(sel->p);
      gathers = true;
      nv3c_select_emit(sel, NV3C_MOV, temp, mask, src, nv3c_no_src(),
                       nv3c_no_src());
   }
   sel->def[alu->def.index] = nv3c_src_temp(temp);
}

/* ---- operations -------------------------------------------------------- */

/* NIR operations that translate to a single instruction. */
static const struct {
   nir_op nir;
   enum nv3c_op op;
} simple_ops[] = {
   { nir_op_fadd, NV3C_ADD },    { nir_op_fmul, NV3C_MUL },
   { nir_op_ffma, NV3C_MAD },    { nir_op_fdot2, NV3C_DP2 },
   { nir_op_fdot3, NV3C_DP3 },   { nir_op_fdot4, NV3C_DP4 },
   { nir_op_fdph, NV3C_DPH },    { nir_op_fmin, NV3C_MIN },
   { nir_op_fmax, NV3C_MAX },    { nir_op_slt, NV3C_SLT },
   { nir_op_sge, NV3C_SGE },     { nir_op_seq, NV3C_SEQ },
   { nir_op_sne, NV3C_SNE },     { nir_op_ffract, NV3C_FRC },
   { nir_op_ffloor, NV3C_FLR },  { nir_op_fsign, NV3C_SSG },
   { nir_op_frcp, NV3C_RCP },    { nir_op_frsq, NV3C_RSQ },
   { nir_op_fexp2, NV3C_EX2 },   { nir_op_flog2, NV3C_LG2 },
   { nir_op_fsin, NV3C_SIN },    { nir_op_fcos, NV3C_COS },
   { nir_op_fcsel, NV3C_SEL },
};

static bool
select_simple_op(struct nv3c_select *sel, nir_alu_instr *alu)
{
   struct nv3c_src src[3] = { nv3c_no_src(), nv3c_no_src(), nv3c_no_src() };

   for (unsigned i = 0; i < ARRAY_SIZE(simple_ops); i++) {
      if (simple_ops[i].nir != alu->op)
         continue;
      for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++)
         src[s] = nv3c_alu_src(sel, alu, s);
      nv3c_select_def(sel, &alu->def, simple_ops[i].op, src[0], src[1], src[2]);
      return true;
   }
   return false;
}

/*
 * Translates fsat. If no other instruction reads the operand, the instruction
 * that computes the operand also saturates it.
 */
static void
select_saturate(struct nv3c_select *sel, nir_alu_instr *alu)
{
   nir_def *from = alu->src[0].src.ssa;
   struct nv3c_insn *producer = sel->producer[from->index];

   if (producer && list_is_singular(&from->uses)) {
      producer->saturate = true;
      sel->def[alu->def.index] = nv3c_alu_src(sel, alu, 0);
      return;
   }
   nv3c_select_def(sel, &alu->def, NV3C_MOV, nv3c_alu_src(sel, alu, 0),
                   nv3c_no_src(), nv3c_no_src())->saturate = true;
}

static void
select_alu(struct nv3c_select *sel, nir_alu_instr *alu)
{
   if (nir_op_is_vec(alu->op) && alu->def.num_components <= 4) {
      select_vector(sel, alu);
      return;
   }
   switch (alu->op) {
   case nir_op_mov:
      sel->def[alu->def.index] = nv3c_alu_src(sel, alu, 0);
      return;
   case nir_op_fneg:
      sel->def[alu->def.index] = nv3c_neg(nv3c_alu_src(sel, alu, 0));
      return;
   case nir_op_fabs:
      sel->def[alu->def.index] = nv3c_abs(nv3c_alu_src(sel, alu, 0));
      return;
   case nir_op_fsat:
      select_saturate(sel, alu);
      return;
   default:
      break;
   }
   if (!sel->alu(sel, alu) && !select_simple_op(sel, alu))
      nv3c_error(sel->p, "no instruction for %s", nir_op_infos[alu->op].name);
}

unsigned
nv3c_tex_lanes(const nir_tex_instr *tex, enum nv3c_op op)
{
   unsigned lanes = (1u << MIN2(tex->coord_components, 3)) - 1;

   if (tex->is_shadow)
      lanes |= 4;
   if (op != NV3C_TEX && op != NV3C_TXD)
      lanes |= 8;
   return lanes;
}

bool
nv3c_tex_has_target(const nir_tex_instr *tex)
{
   switch (tex->sampler_dim) {
   case GLSL_SAMPLER_DIM_2D:
   case GLSL_SAMPLER_DIM_RECT:
   case GLSL_SAMPLER_DIM_EXTERNAL:
      return !tex->is_array;
   case GLSL_SAMPLER_DIM_3D:
   case GLSL_SAMPLER_DIM_CUBE:
      return !tex->is_array && !tex->is_shadow;
   default:
      return false;
   }
}

static void
select_instr(struct nv3c_select *sel, nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_alu:
      select_alu(sel, nir_instr_as_alu(instr));
      return;
   case nir_instr_type_load_const: {
      nir_load_const_instr *load = nir_instr_as_load_const(instr);

      sel->def[load->def.index] = load_const(load);
      return;
   }
   case nir_instr_type_undef:
      sel->def[nir_instr_as_undef(instr)->def.index] = nv3c_src_imm(0);
      return;
   case nir_instr_type_intrinsic: {
      nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);

      if (!sel->intrinsic(sel, intr))
         nv3c_error(sel->p, "no instruction for %s",
                    nir_intrinsic_infos[intr->intrinsic].name);
      return;
   }
   case nir_instr_type_tex:
      if (!sel->tex(sel, nir_instr_as_tex(instr)))
         nv3c_error(sel->p, "no instruction for a kind of texture access");
      return;
   default:
      nv3c_error(sel->p, "no instruction for NIR type %u", instr->type);
      return;
   }
}

void
nv3c_select_nir(struct nv3c_select *sel)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(sel->nir);

   sel->def = rzalloc_array(sel->p->mem, struct nv3c_src, impl->ssa_alloc);
   sel->producer = rzalloc_array(sel->p->mem, struct nv3c_insn *,
                                 impl->ssa_alloc);
   util_dynarray_init(&sel->addresses, sel->p->mem);
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         select_instr(sel, instr);
         if (sel->p->error)
            return;
      }
   }
}
