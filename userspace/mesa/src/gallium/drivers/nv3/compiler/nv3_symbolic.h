/* SPDX-License-Identifier: MIT */
/*
 * The values of a fragment shader's NIR, followed back to texels and to operations
 * on uniforms and varyings.
 */
#ifndef NV3_SYMBOLIC_H
#define NV3_SYMBOLIC_H

#include "compiler/nir/nir.h"

#include "compiler/nv3_shader.h"

/*
 * A scalar: texel component @texel times @scale plus @offset, each an operation
 * or -1 for not there. Without a texel it is @offset. @other is a component of
 * the other texture, of which there is @other_scale; if there is none of that,
 * it is one more factor of the first.
 */
struct nv3_value {
   bool known;
   /*
    * To 0 to 1, which the chip does at the end and not before. What it is multiplied
    * by after that can only be fog's factor; -1 if it is not.
    */
   bool clamped;
   int clamped_factor;
   uint8_t texture;       /* that @texel is of */
   int8_t texel, other;
   int scale, other_scale, offset;
};

#define NV3_MAX_LOOKUPS 2

/* A shader that is looked at: what of it is known so far. */
struct nv3_analysis {
   nir_shader *nir;
   struct nv3_shader_info *info;
   const nir_tex_instr *tex[NV3_MAX_LOOKUPS];
   struct nv3_lookup lookup[NV3_MAX_LOOKUPS];
   struct nv3_value *values;     /* of each component of each SSA value */
   nir_scalar color[4];
   bool has_color, has_texel;
   uint8_t first_texture;
   const nir_intrinsic_instr *discard;
};

/* Says why the shader is not the chip's, the first time; a value that is not known. */
struct nv3_value
nv3_analysis_fail(struct nv3_analysis *a, const char *reason);

/* That a texel is multiplied by @op, which the chip does with no more than 1. */
void
nv3_analysis_scale(struct nv3_analysis *a, int op);

/* What a float is made of; if that can't be said, the analysis has failed. */
struct nv3_value
nv3_scalar_value(struct nv3_analysis *a, nir_scalar s);

#endif
