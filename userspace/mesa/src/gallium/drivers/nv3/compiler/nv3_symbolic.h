/* SPDX-License-Identifier: MIT */
/*
 * Symbolic values express a fragment shader's NIR by texels and by operations
 * on uniforms and varyings.
 */
#ifndef NV3_SYMBOLIC_H
#define NV3_SYMBOLIC_H

#include "compiler/nir/nir.h"

#include "compiler/nv3_shader.h"

/*
 * A scalar: texel * scale + offset. @scale and @offset are indices of
 * operations. Without a texel (-1) the value is @offset.
 *
 * @other is a component of the other texture, or -1. The value has the
 * additional term other * other_scale. If @other_scale is -1, @other is a
 * factor of the first term instead.
 */
struct nv3_value {
   bool known;
   /*
    * The value was clamped between 0 and 1. If @clamped_factor is not -1, the
    * result was then multiplied by this factor. The factor must be a fog
    * factor, because class 0x17 clamps only the final colour.
    */
   bool clamped;
   int clamped_factor;
   uint8_t texture;  /* that has the component @texel */
   int8_t texel, other;
   int scale, other_scale, offset;
};

#define NV3_MAX_LOOKUPS 2

/* The state of an analysis. */
struct nv3_analysis {
   nir_shader *nir;
   struct nv3_shader_info *info;
   const nir_tex_instr *tex[NV3_MAX_LOOKUPS];
   struct nv3_lookup lookup[NV3_MAX_LOOKUPS];
   struct nv3_value *values;  /* for each component of each SSA value */
   nir_scalar color[4];
   bool has_color, has_texel;
   uint8_t first_texture;
   const nir_intrinsic_instr *discard;
};

/*
 * Records the first reason why class 0x17 can't draw the shader. Returns an
 * unknown value.
 */
struct nv3_value
nv3_analysis_fail(struct nv3_analysis *a, const char *reason);

/*
 * Records that a texel is multiplied by @op. Class 0x17 supports factors up to
 * 1.
 */
void
nv3_analysis_scale(struct nv3_analysis *a, int op);

/*
 * Returns the symbolic value of a float. If the value is not known, the
 * analysis has failed.
 */
struct nv3_value
nv3_scalar_value(struct nv3_analysis *a, nir_scalar s);

#endif
