/* SPDX-License-Identifier: MIT */
/*
 * Declares the analysis and the interpreter of fragment shaders for class
 * 0x17.
 */
#ifndef NV3_SHADER_H
#define NV3_SHADER_H

#include "compiler/nir/nir.h"
#include "pipe/p_state.h"

#define NV3_MAX_INPUTS 8

/*
 * An analysed fragment shader. If class 0x17 can execute the shader, each
 * channel of the colour is a component of the texel, multiplied by a factor
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
   /*
    * for each scalar: its degree, and the component of the texel that is a
    * factor of the scalar
    */
   uint8_t *scalars;

   unsigned input_count;
   struct nv3_shader_input {
      uint8_t semantic, index;  /* TGSI semantic, as in the draw module */
      bool flat;
   } inputs[NV3_MAX_INPUTS];

   nir_scalar color[4];

   const nir_tex_instr *tex;  /* NULL without a texture */
   uint8_t swizzle[4];        /* PIPE_SWIZZLE_X to _W, or _1 */
   nir_scalar coord[2];
   bool projective;           /* the coordinates are divided by q */
   nir_scalar q;

   bool fogged;
   nir_scalar fog;            /* 1 means no fog */
   nir_scalar fog_color[3];

   enum pipe_compare_func alpha_func;
   nir_scalar alpha_ref;
};

/* How a value depends on the varyings. */
enum nv3_degree {
   NV3_UNKNOWN,
   NV3_UNIFORM,
   NV3_AFFINE,
   NV3_OTHER,
};

/*
 * Analyses a fragment shader and takes ownership of its NIR. If @print is set,
 * prints the result. Returns NULL only if memory is exhausted.
 */
struct nv3_shader *
nv3_shader_create(const struct pipe_shader_state *templ, bool print);
void
nv3_shader_destroy(struct nv3_shader *shader);

/* The state of an interpretation. */
struct nv3_interpreter {
   const struct nv3_shader *shader;
   const uint8_t *constants;  /* constant buffer 0 */
   unsigned constants_size;
   const float *inputs[NV3_MAX_INPUTS];
   /*
    * True if a clamp has changed a colour or a coordinate. In this case, the
    * result is not affine in the varyings.
    */
   bool clamped;
   unsigned max;
   nir_const_value *values;
   uint32_t *stamps, stamp;  /* a value is valid if its stamp equals @stamp */
};

/*
 * Prepares the interpreter for a shader, with @size bytes of uniforms at
 * @constants. Returns false if memory is exhausted.
 */
bool
nv3_interpreter_begin(struct nv3_interpreter *in,
                      const struct nv3_shader *shader, const void *constants,
                      unsigned size);
/*
 * Discards all computed values. Must be called after a change of the inputs.
 */
void
nv3_interpreter_reset(struct nv3_interpreter *in);
float
nv3_interpreter_get(struct nv3_interpreter *in, nir_scalar scalar);
void
nv3_interpreter_fini(struct nv3_interpreter *in);

enum nv3_degree
nv3_shader_degree(const struct nv3_shader *shader, nir_scalar scalar);

#endif
