/* SPDX-License-Identifier: MIT */
/*
 * Declares the analysis and the interpreter of fragment shaders for class
 * 0x17.
 */
#ifndef NV3_SHADER_H
#define NV3_SHADER_H

#include "compiler/nir/nir.h"
#include "pipe/p_defines.h"

#define NV3_MAX_INPUTS 8
/* Number of components per value in tables of values. */
#define NV3_COMPONENTS 4

/*
 * An analysed fragment shader. If class 0x17 can execute the shader, each
 * component of the colour is a component of the texel, multiplied by a factor
 * that is affine in the varyings:
 *
 *   out[c] = texel[swizzle[c]] * color[c]
 *
 * Afterwards, the shader may apply fog and an alpha test. The driver computes
 * the factors for each vertex, by interpreting the shader's NIR with all
 * components of the texel set to 1.
 */
struct nv3_shader {
   const char *reason;  /* why class 0x17 can't execute the shader, or NULL */
   nir_shader *nir;

   unsigned input_count;
   struct nv3_shader_input {
      uint8_t semantic, index;  /* of TGSI, for draw_find_shader_output() */
      bool flat;
   } inputs[NV3_MAX_INPUTS];

   nir_scalar color[4];

   const nir_tex_instr *tex;  /* NULL without a texture */
   uint8_t swizzle[4];        /* PIPE_SWIZZLE_X to _W, or _1 */
   nir_scalar coord[2];
   bool projective;           /* the coordinates are divided by q */
   nir_scalar q;

   bool fogged;
   nir_scalar fog;            /* factor of the colour: 1 means no fog */
   nir_scalar fog_color[3];   /* uniform */

   enum pipe_compare_func alpha_func;
   nir_scalar alpha_ref;      /* uniform, unset with PIPE_FUNC_ALWAYS */

   nir_const_value *values;   /* results of nv3_shader_run() */
};

/*
 * Analyses a fragment shader. Takes ownership of @nir, even on failure. If
 * @print is set, prints the result. If class 0x17 can't execute the shader,
 * sets the result's reason. Returns NULL only if memory is exhausted.
 */
struct nv3_shader *
nv3_shader_create(nir_shader *nir, bool print);
/* @shader may be NULL. */
void
nv3_shader_destroy(struct nv3_shader *shader);

/*
 * Computes shader->values for a vertex. @inputs: four floats for each of
 * shader->inputs. @constants: @size bytes of uniforms. Uniforms beyond @size
 * are 0.
 */
void
nv3_shader_run(struct nv3_shader *shader, const float *const inputs[],
               const uint8_t *constants, unsigned size);

/* Returns the result of nv3_shader_run() for @s. */
static inline nir_const_value *
nv3_shader_value(const struct nv3_shader *shader, nir_scalar s)
{
   return &shader->values[s.def->index * NV3_COMPONENTS + s.comp];
}

#endif
