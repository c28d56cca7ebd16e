/* SPDX-License-Identifier: MIT */
/* NIR passes that run before the analysis of a shader. */
#include "compiler/nv3_nir.h"

static int
count_slots(const struct glsl_type *type, bool bindless)
{
   return glsl_count_attribute_slots(type, false);
}

void
nv3_nir_prepare(nir_shader *nir, nir_lower_io_options options, bool scalar)
{
   bool progress;

   /* The inner screen's NIR has variables instead of intrinsics. */
   NIR_PASS(progress, nir, nir_lower_io,
            nir_var_shader_in | nir_var_shader_out, count_slots, options);
   if (scalar)
      NIR_PASS(progress, nir, nir_lower_alu_to_scalar, NULL, NULL);
   do {
      progress = false;
      NIR_PASS(progress, nir, nir_copy_prop);
      NIR_PASS(progress, nir, nir_opt_peephole_select, 8, true, true);
      NIR_PASS(progress, nir, nir_opt_dce);
      NIR_PASS(progress, nir, nir_opt_dead_cf);
      NIR_PASS(progress, nir, nir_opt_cse);
      NIR_PASS(progress, nir, nir_opt_constant_folding);
      NIR_PASS(progress, nir, nir_opt_algebraic);
   } while (progress);
   nir_index_ssa_defs(nir_shader_get_entrypoint(nir));
}
