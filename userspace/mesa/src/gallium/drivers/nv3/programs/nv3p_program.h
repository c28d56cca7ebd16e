/* SPDX-License-Identifier: MIT */
/* Declares shaders, their variants and their constants. */
#ifndef NV3P_PROGRAM_H
#define NV3P_PROGRAM_H

#include "compiler/nir/nir.h"

#include "base/nv3p_context.h"
#include "codegen/nv3c.h"

struct draw_vertex_shader;

/* Features that the driver adds to a fragment shader. */
enum {
   NV3P_FS_STIPPLE = 1 << 0,
   NV3P_FS_SMOOTH_LINES = 1 << 1,
   NV3P_FS_SMOOTH_POINTS = 1 << 2,
   NV3P_FS_SMOOTH = NV3P_FS_SMOOTH_LINES | NV3P_FS_SMOOTH_POINTS,
};

#define NV3P_TEX_SLOTS 8  /* VARYING_SLOT_TEX0 to VARYING_SLOT_TEX7 */

/* The state on which a program depends, in addition to the shader. */
struct nv3p_key {
   uint8_t texcoord[NV3C_TEXCOORDS];  /* of vertex programs */
   uint8_t swizzle[NV3P_UNITS][4];
   uint16_t rect;
   bool swaps_red_blue;
   uint8_t features;  /* NV3P_FS_* */
   uint8_t ones;      /* mask of the texture coordinates whose w is 1 */
   /* the values of the loop uniforms, if the variant contains them */
   uint8_t inlined_count;
   uint32_t inlined[NV3C_LOOP_UNIFORMS];
};

struct nv3p_variant {
   struct nv3p_variant *next;
   struct nv3p_key key;
   bool ok;
   union {
      struct nv3c_program vs, fs;
   };

   /*
    * Vertex programs: the position of the first instruction in program memory.
    * The position is valid if @generation equals the generation of program
    * memory.
    */
   uint32_t generation, start;

   /* The following members are for fragment programs. */
   int stipple_unit;   /* texture unit of the polygon stipple, or -1 */
   /*
    * number of uniform vec4s, which the scales of rectangle textures follow
    */
   unsigned uniforms;
   /*
    * The newest copy of the program in a buffer, and the values of the
    * constants in this copy.
    */
   struct pipe_resource *buffer;
   unsigned offset;
   uint32_t *values;
};

/* Special values of nv3p_shader::w_source. */
#define NV3P_W_UNKNOWN 0xff
#define NV3P_W_ONE     0xfe

struct nv3p_shader {
   struct nir_shader *nir;
   struct nv3p_variant *variants;
   /*
    * The loop uniforms, which determine the numbers of iterations of the
    * shader's loops, as indices of floats in buffer 0.
    */
   unsigned loop_count;
   uint16_t loop_floats[NV3C_LOOP_UNIFORMS];
   /* number of variants that contain values of the loop uniforms */
   unsigned loop_variants;
   bool has_textures;
   /*
    * Masks of the texture coordinates whose w the shader writes and reads, and
    * where a vertex shader gets each w from: the number of an attribute whose w
    * is copied, or NV3P_W_*.
    */
   uint8_t writes_w, reads_w;
   uint8_t w_source[NV3P_TEX_SLOTS];
   /* the draw module's version of a vertex shader (nv3p_tnl.c), or NULL */
   struct draw_vertex_shader *draw;
};

/*
 * Choose the variants for the bound state, and compile them if necessary.
 * Return false if there is no shader, or if the class can't execute the
 * variant. The caller must call nv3p_update_fs() before nv3p_update_vs().
 * @features is the mask of the fragment variant's features (NV3P_FS_*). @vs
 * is the bound vertex shader, or a shader that replaces it.
 */
bool
nv3p_update_fs(struct nv3p_context *ctx, unsigned features);
bool
nv3p_update_vs(struct nv3p_context *ctx, struct nv3p_shader *vs);

/* True if the bound vertex shader writes the output @slot. */
static inline bool
nv3p_vs_writes(const struct nv3p_context *ctx, gl_varying_slot slot)
{
   return ctx->vs &&
          ctx->vs->nir->info.outputs_written & BITFIELD64_BIT(slot);
}

/*
 * Returns the contents of constant buffer 0 of @stage, and sets @count to the
 * number of words in the buffer. Returns NULL if no buffer is bound.
 */
const uint32_t *
nv3p_map_constants(const struct nv3p_context *ctx, enum pipe_shader_type stage,
                   unsigned *count);

/* Emits the chosen variants and their constants. */
void
nv3p_emit_programs(struct nv3p_context *ctx);

/*
 * The input that contains distances in pixels, from which the fragment program
 * computes the coverage of a smooth line or point:
 *
 * - x and z: distances from the middle, across and along the line
 * - y and w: half of the line's width and length, plus half a pixel; for
 *   points, the radius plus half a pixel
 */
#define NV3P_COVERAGE_SLOT VARYING_SLOT_VAR31

/* Sets shader->w_source and shader->reads_w. (nv3p_nir.c) */
void
nv3p_nir_find_w(struct nv3p_shader *shader);

/*
 * Replaces w of the texture coordinates in @ones by 1. Divisions by w, which
 * the fixed-function pipeline has for each texture, disappear. (nv3p_nir.c)
 */
void
nv3p_nir_set_w(nir_shader *s, const uint8_t *ones);

/*
 * Changes a fragment shader as variant->key requires. Sets variant->uniforms
 * and variant->stipple_unit. (nv3p_nir.c)
 */
void
nv3p_nir_lower_fs(nir_shader *s, struct nv3p_variant *variant);

#endif
