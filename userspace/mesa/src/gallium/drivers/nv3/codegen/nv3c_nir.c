/* SPDX-License-Identifier: MIT */
/*
 * Defines the compiler's options for NIR, the passes for operations that an
 * engine lacks or executes slowly, and the order of all NIR passes.
 */
#include "codegen/nv3c_nir.h"

#include "compiler/nir/nir_builder.h"

/*
 * The maximum number of iterations of loops that nir_opt_loop_unroll()
 * unrolls. More iterations would not fit into a vertex program of 512
 * instructions. Every loop must be unrolled, because the class has no control
 * flow.
 */
#define UNROLL_MAX 512

/*
 * The maximum number of loops per shader that nir_opt_loop_unroll() leaves to
 * nv3c_nir_unroll_loop(). A shader with more such loops is too long for the
 * class.
 */
#define LOOPS_MAX 256

/* Options of both stages. */
#define COMMON_OPTIONS                                                        \
   .fuse_ffma32 = true,                                                       \
   .lower_fceil = true,                                                       \
   .lower_fround_even = true,                                                 \
   .lower_fdph = true,                                                        \
   .lower_vector_cmp = true,                                                  \
   .lower_bitops = true,                                                      \
   .has_ddx_intrinsics = true,                                                \
   .no_integers = true,                                                       \
   .max_unroll_iterations = UNROLL_MAX,                                       \
   .force_indirect_unrolling_sampler = true,                                  \
   .max_varying_expression_cost = 2

static const nir_shader_compiler_options vs_options = {
   COMMON_OPTIONS,
   .lower_fdiv = true,
   .lower_fpow = true,
   .lower_flrp32 = true,
   .force_indirect_unrolling = nir_var_all & ~nir_var_uniform,
};

static const nir_shader_compiler_options fs_options = {
   COMMON_OPTIONS,
   .lower_fmod = true,
   .lower_fsign = true,
   .force_indirect_unrolling = nir_var_all,
};

const nir_shader_compiler_options *
nv3c_options(gl_shader_stage stage)
{
   return stage == MESA_SHADER_VERTEX ? &vs_options : &fs_options;
}

static int
count_slots(const struct glsl_type *type, bool bindless)
{
   return glsl_count_attribute_slots(type, false);
}

/* ---- optimization ------------------------------------------------------ */

/*
 * Optimizes the shader. The result is a single block, unless
 * nir_opt_loop_unroll() has left a loop.
 */
static void
optimize(nir_shader *s)
{
   bool progress;

   do {
      progress = false;
      NIR_PASS(progress, s, nir_lower_vars_to_ssa);
      NIR_PASS(progress, s, nir_opt_copy_prop_vars);
      NIR_PASS(progress, s, nir_opt_dead_write_vars);
      NIR_PASS(progress, s, nir_copy_prop);
      NIR_PASS(progress, s, nir_opt_remove_phis);
      NIR_PASS(progress, s, nir_opt_dce);
      NIR_PASS(progress, s, nir_opt_dead_cf);
      NIR_PASS(progress, s, nir_opt_cse);
      NIR_PASS(progress, s, nir_opt_algebraic);
      NIR_PASS(progress, s, nir_opt_constant_folding);
      NIR_PASS(progress, s, nir_opt_undef);
      NIR_PASS(progress, s, nir_opt_loop);
      NIR_PASS(progress, s, nir_opt_if, 0);
      NIR_PASS(progress, s, nir_opt_loop_unroll);
      NIR_PASS(progress, s, nir_opt_peephole_select, ~0, true, true);
   } while (progress);
}

void
nv3c_finalize_nir(nir_shader *s)
{
   NIR_PASS(_, s, nir_lower_io, nir_var_shader_in | nir_var_shader_out,
            count_slots, nir_lower_io_use_interpolated_input_intrinsics);
   NIR_PASS(_, s, nir_lower_system_values);
   NIR_PASS(_, s, nir_lower_vars_to_ssa);
   NIR_PASS(_, s, nir_lower_undef_to_zero);
   if (s->options->lower_flrp32)
      NIR_PASS(_, s, nir_lower_flrp, 32, false);
   optimize(s);
   /*
    * Run this pass after optimize() has unrolled loops, because unrolling makes
    * most indices constant.
    */
   NIR_PASS(_, s, nir_lower_indirect_derefs,
            nir_var_function_temp | nir_var_shader_temp, UINT32_MAX);
   optimize(s);
   NIR_PASS(_, s, nir_remove_dead_variables,
            nir_var_function_temp | nir_var_shader_temp, NULL);
   nir_sweep(s);
}

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

/*
 * For vertex programs: replaces integer divisions (idiv), and remainders of
 * floats (fmod and frem), by multiplications with reciprocals. Corrects the
 * rounding errors of these multiplications.
 */
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

/* ---- powers ------------------------------------------------------------ */

/*
 * The maximum number of multiplications that replace a power. Tuned with
 * core.fp.shading-phong.
 */
#define MULTIPLICATIONS_MAX 5

/*
 * For fragment programs: replaces powers with small integer exponents by
 * multiplications, which are faster than POW, because POW computes a logarithm.
 */
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

/* ---- variants ---------------------------------------------------------- */

static void
lower_tex(nir_shader *s)
{
   const nir_lower_tex_options options = {
      /*
       * Lower the projectors of 1D textures, because TXP would also divide the
       * second coordinate that lower_1d adds. Leave other projectors to
       * nir_to_tgsi(), which lowers those that do not fit into a vec4.
       */
      .lower_txp = 1u << GLSL_SAMPLER_DIM_1D | 1u << GLSL_SAMPLER_DIM_CUBE,
      .lower_1d = true,
      /* Vertex shaders sample level 0 unless they specify a level. */
      .lower_invalid_implicit_lod = true,
   };

   NIR_PASS(_, s, nir_lower_tex, &options);
}

/*
 * Unrolls the remaining loops, partially if necessary. @budget and @bounded
 * have the same meaning as in nv3c_lower_nir(). Returns an error if branches
 * remain, otherwise NULL.
 */
static const char *
flatten(nir_shader *s, unsigned budget, bool *bounded)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(s);

   optimize(s);
   for (unsigned i = 0; i < LOOPS_MAX; i++) {
      if (!nv3c_nir_unroll_loop(s, &budget))
         break;
      optimize(s);
   }
   *bounded = nv3c_nir_remove_loop_ends(s);
   optimize(s);
   nir_foreach_block(block, impl) {
      if (block->cf_node.parent->type != nir_cf_node_function)
         return "a branch that can't be replaced by selects";
   }
   return NULL;
}

const char *
nv3c_lower_nir(nir_shader *s, unsigned budget, bool *bounded)
{
   lower_tex(s);
   NIR_PASS(_, s, nir_shader_alu_pass,
            s->info.stage == MESA_SHADER_VERTEX ? lower_division : lower_power,
            nir_metadata_control_flow, NULL);
   return flatten(s, budget, bounded);
}
