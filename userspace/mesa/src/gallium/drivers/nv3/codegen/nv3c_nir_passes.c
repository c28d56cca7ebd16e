/* SPDX-License-Identifier: MIT */
/*
 * Implements NIR passes for operations that the engines lack, or execute in a
 * different way than NIR (nv3c_nir.h).
 */
#include "codegen/nv3c_nir.h"

#include "compiler/nir/nir_builder.h"

/* ---- division ---------------------------------------------------------- */

/*
 * Returns @x / @y. The product of @x and the reciprocal may differ from the
 * exact quotient in the last bit, so the function corrects the product.
 */
static nir_def *
quotient(nir_builder *b, nir_def *x, nir_def *y)
{
   nir_def *reciprocal = nir_frcp(b, y);
   nir_def *q = nir_fmul(b, x, reciprocal);
   nir_def *rest = nir_fsub(b, x, nir_fmul(b, q, y));

   return nir_fadd(b, q, nir_fmul(b, rest, reciprocal));
}

static nir_def *
remainder_of(nir_builder *b, nir_alu_instr *alu)
{
   nir_def *x = nir_ssa_for_alu_src(b, alu, 0);
   nir_def *y = nir_ssa_for_alu_src(b, alu, 1);
   nir_def *q = quotient(b, x, y);
   nir_def *whole = alu->op == nir_op_fmod ? nir_ffloor(b, q) :
                                             nir_ftrunc(b, q);

   return nir_fsub(b, x, nir_fmul(b, y, whole));
}

/*
 * Returns the quotient of two integers. Adds 0.5 to the dividend, so that the
 * quotient is never close to a whole number. The error of the reciprocal
 * therefore does not change the integer result.
 */
static nir_def *
divide_integers(nir_builder *b, nir_alu_instr *alu)
{
   nir_def *x = nir_i2f32(b, nir_ssa_for_alu_src(b, alu, 0));
   nir_def *y = nir_i2f32(b, nir_ssa_for_alu_src(b, alu, 1));
   nir_def *q = nir_fmul(b, nir_fadd_imm(b, nir_fabs(b, x), 0.5),
                         nir_frcp(b, nir_fabs(b, y)));

   return nir_f2i32(b, nir_fmul(b, nir_ffloor(b, q),
                                nir_fsign(b, nir_fmul(b, x, y))));
}

static bool
lower_division(nir_builder *b, nir_alu_instr *alu, void *data)
{
   nir_def *result;

   b->cursor = nir_before_instr(&alu->instr);
   switch (alu->op) {
   case nir_op_fmod:
   case nir_op_frem:
      result = remainder_of(b, alu);
      break;
   case nir_op_idiv:
      result = divide_integers(b, alu);
      break;
   default:
      return false;
   }
   nir_def_replace(&alu->def, result);
   return true;
}

bool
nv3c_nir_lower_division(nir_shader *s)
{
   return nir_shader_alu_pass(s, lower_division, nir_metadata_control_flow,
                              NULL);
}

/* ---- uniforms ---------------------------------------------------------- */

static bool
fold_offset(nir_builder *b, nir_intrinsic_instr *load, void *data)
{
   int offset;

   if (load->intrinsic != nir_intrinsic_load_uniform ||
       !nir_src_is_const(load->src[0]))
      return false;
   offset = nir_src_as_int(load->src[0]);
   if (!offset)
      return false;
   b->cursor = nir_before_instr(&load->instr);
   nir_intrinsic_set_base(load, nir_intrinsic_base(load) + offset);
   nir_src_rewrite(&load->src[0], nir_imm_int(b, 0));
   return true;
}

bool
nv3c_nir_fold_uniform_offsets(nir_shader *s)
{
   return nir_shader_intrinsics_pass(s, fold_offset, nir_metadata_control_flow,
                                     NULL);
}

/* ---- selects ----------------------------------------------------------- */

/* True if all components of a source are known to be finite. */
static bool
is_finite(const nir_alu_src *src)
{
   nir_instr *parent = src->src.ssa->parent_instr;

   if (parent->type == nir_instr_type_load_const)
      return true;
   return parent->type == nir_instr_type_intrinsic &&
          nir_instr_as_intrinsic(parent)->intrinsic ==
             nir_intrinsic_load_uniform;
}

static bool
is_zero(const nir_alu_instr *alu, unsigned s)
{
   if (!nir_src_is_const(alu->src[s].src))
      return false;
   for (unsigned c = 0; c < alu->def.num_components; c++) {
      if (nir_src_comp_as_float(alu->src[s].src, alu->src[s].swizzle[c]) != 0)
         return false;
   }
   return true;
}

/* Returns 1 - @condition, where @condition is 0 or 1. */
static nir_def *
complement(nir_builder *b, nir_def *condition)
{
   return nir_seq(b, condition, nir_imm_float(b, 0));
}

static bool
lower_select(nir_builder *b, nir_alu_instr *alu, void *data)
{
   nir_def *condition, *yes, *no, *result;

   if (alu->op != nir_op_fcsel)
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   condition = nir_ssa_for_alu_src(b, alu, 0);
   yes = nir_ssa_for_alu_src(b, alu, 1);
   no = nir_ssa_for_alu_src(b, alu, 2);
   if (is_zero(alu, 2)) {
      result = nir_fmul(b, condition, yes);
   } else if (is_zero(alu, 1)) {
      result = nir_fmul(b, complement(b, condition), no);
   } else if (is_finite(&alu->src[2])) {
      result = nir_ffma(b, nir_fneg(b, condition), no, no);
      result = nir_ffma(b, condition, yes, result);
   } else {
      result = nir_fmul(b, complement(b, condition), no);
      result = nir_ffma(b, condition, yes, result);
   }
   nir_def_replace(&alu->def, result);
   return true;
}

bool
nv3c_nir_lower_selects(nir_shader *s)
{
   return nir_shader_alu_pass(s, lower_select, nir_metadata_control_flow, NULL);
}

/* ---- textures ---------------------------------------------------------- */

static nir_def *
take_source(nir_tex_instr *tex, nir_tex_src_type type)
{
   int i = nir_tex_instr_src_index(tex, type);
   nir_def *def;

   if (i < 0)
      return NULL;
   def = tex->src[i].src.ssa;
   nir_tex_instr_remove_src(tex, i);
   return def;
}

static bool
lower_tex_sources(nir_builder *b, nir_instr *instr, void *data)
{
   nir_def *channel[4] = { NULL }, *coord, *w;
   nir_tex_instr *tex;
   unsigned count;

   if (instr->type != nir_instr_type_tex)
      return false;
   tex = nir_instr_as_tex(instr);
   count = tex->coord_components;
   if (nir_tex_instr_src_index(tex, nir_tex_src_coord) < 0)
      return false;
   b->cursor = nir_before_instr(&tex->instr);
   coord = take_source(tex, nir_tex_src_coord);
   for (unsigned c = 0; c < count && c < 3; c++)
      channel[c] = nir_channel(b, coord, c);
   if (nir_tex_instr_src_index(tex, nir_tex_src_comparator) >= 0)
      channel[2] = take_source(tex, nir_tex_src_comparator);
   w = take_source(tex, nir_tex_src_bias);
   if (!w)
      w = take_source(tex, nir_tex_src_lod);
   if (!w) {
      w = take_source(tex, nir_tex_src_projector);
      tex->backend_flags = w != NULL;
   }
   channel[3] = w;
   for (unsigned c = 0; c < 4; c++) {
      if (!channel[c])
         channel[c] = nir_undef(b, 1, 32);
   }
   nir_tex_instr_add_src(tex, nir_tex_src_backend1, nir_vec(b, channel, 4));
   return true;
}

bool
nv3c_nir_lower_tex_sources(nir_shader *s)
{
   return nir_shader_instructions_pass(s, lower_tex_sources,
                                       nir_metadata_control_flow, NULL);
}
