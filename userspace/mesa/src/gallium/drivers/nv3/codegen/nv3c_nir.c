/* SPDX-License-Identifier: MIT */
/*
 * Defines the compiler's options for NIR, and the order of the compiler's NIR
 * passes.
 */
#include "codegen/nv3c_nir.h"

#include "codegen/nv3c.h"

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
   .lower_flrp16 = true,                                                      \
   .lower_flrp64 = true,                                                      \
   .lower_fceil = true,                                                       \
   .lower_fround_even = true,                                                 \
   .lower_fdph = true,                                                        \
   .lower_vector_cmp = true,                                                  \
   .lower_bitops = true,                                                      \
   .lower_insert_byte = true,                                                 \
   .lower_insert_word = true,                                                 \
   .lower_extract_byte = true,                                                \
   .lower_extract_word = true,                                                \
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

static void
lower_flrp(nir_shader *s)
{
   unsigned bits = (s->options->lower_flrp16 ? 16 : 0) |
                   (s->options->lower_flrp32 ? 32 : 0) |
                   (s->options->lower_flrp64 ? 64 : 0);

   if (!s->info.flrp_lowered) {
      NIR_PASS(_, s, nir_lower_flrp, bits, false);
      s->info.flrp_lowered = true;
   }
}

void
nv3c_finalize_nir(nir_shader *s)
{
   NIR_PASS(_, s, nir_lower_io, nir_var_shader_in | nir_var_shader_out,
            count_slots, nir_lower_io_use_interpolated_input_intrinsics);
   NIR_PASS(_, s, nir_lower_system_values);
   NIR_PASS(_, s, nir_lower_vars_to_ssa);
   NIR_PASS(_, s, nir_lower_undef_to_zero);
   lower_flrp(s);
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
      if (!nv3c_nir_unroll_loop(s, budget))
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
   if (s->info.stage == MESA_SHADER_VERTEX)
      NIR_PASS(_, s, nv3c_nir_lower_division);
   else
      NIR_PASS(_, s, nv3c_nir_lower_powers);
   return flatten(s, budget, bounded);
}
