/* SPDX-License-Identifier: MIT */
/*
 * Implements NIR passes for operations that an engine lacks or executes slowly
 * (nv3c_nir.h).
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
 * Returns the quotient of two integers, rounded towards 0. Adds 0.5 to the
 * magnitude of the dividend, so that the quotient is never close to a whole
 * number. The error of the reciprocal therefore does not change the result.
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

/* ---- powers ------------------------------------------------------------ */

/*
 * The maximum number of multiplications that replace a power. Tuned with
 * core.fp.shading-phong.
 */
#define MULTIPLICATIONS_MAX 5

static bool
lower_power(nir_builder *b, nir_alu_instr *alu, void *data)
{
   nir_def *base, *result;
   unsigned exponent;
   float value;

   if (alu->op != nir_op_fpow || alu->def.num_components > 1 ||
       !nir_src_is_const(alu->src[1].src))
      return false;
   value = nir_src_comp_as_float(alu->src[1].src, alu->src[1].swizzle[0]);
   if (!(value >= 1 && value < 1 << MULTIPLICATIONS_MAX))
      return false;
   exponent = value;
   if (exponent != value || util_logbase2(exponent) + util_bitcount(exponent) -
                            1 > MULTIPLICATIONS_MAX)
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   base = result = nir_ssa_for_alu_src(b, alu, 0);
   for (int bit = (int)util_logbase2(exponent) - 1; bit >= 0; bit--) {
      result = nir_fmul(b, result, result);
      if (exponent >> bit & 1)
         result = nir_fmul(b, result, base);
   }
   nir_def_replace(&alu->def, result);
   return true;
}

bool
nv3c_nir_lower_powers(nir_shader *s)
{
   return nir_shader_alu_pass(s, lower_power, nir_metadata_control_flow, NULL);
}
