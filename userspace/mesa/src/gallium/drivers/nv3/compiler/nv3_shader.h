/* SPDX-License-Identifier: MIT */
#ifndef NV3_SHADER_H
#define NV3_SHADER_H

#include "pipe/p_defines.h"
#include "pipe/p_state.h"

#include "compiler/nv3_expr.h"

#define NV3_MAX_INPUTS 8

/* A texture lookup. Coordinates are indices of operations. */
struct nv3_lookup {
   unsigned sampler, view;
   int coord[2];
   int coord_q;  /* divisor of the coordinates, or -1 */
};

/*
 * A fragment shader in the form that class 0x17 can draw. Each channel is a
 * texel times a colour:
 *
 *   out[c] = texel[swizzle[c]] * color[c]
 *
 * Fog and an alpha test may follow. Numbers are indices of operations in @expr.
 * A second pass may multiply the result by another such term, or add one.
 */
struct nv3_shader_info {
   const char *reason;  /* why class 0x17 can't draw it, or NULL */

   struct nv3_expr expr;
   unsigned input_count;
   struct {
      uint8_t semantic, index;  /* TGSI's, as in the draw module */
      bool flat;
   } inputs[NV3_MAX_INPUTS];

   int color[4];
   int max_factor;      /* maximum of a texel's uniform factors, or -1 */
   bool alpha_in_part;  /* alpha has another term: no alpha test or blending */
   bool clamps_colors;  /* relies on the clamping of vertex colours */

   bool textured;
   struct nv3_lookup lookup;
   uint8_t swizzle[4];  /* PIPE_SWIZZLE_X to _W, or _1 */

   int fog;  /* factor; 1 means no fog; -1: no fog in the shader */
   int fog_color[3];

   enum pipe_compare_func alpha_func;
   int alpha_ref;

   struct nv3_shader_info *second;
   bool second_adds;
   /*
    * A variant of the product in which both passes have exchanged textures,
    * or NULL.
    */
   struct nv3_shader_info *swapped;
   /*
    * The pass that blends the fog of both passes over them by alpha, or NULL.
    */
   struct nv3_shader_info *fog_pass;
};

/*
 * Analyses a fragment shader and frees its NIR. If @print is set, prints the
 * result. Returns NULL only without memory.
 */
struct nv3_shader_info *
nv3_shader_analyse(const struct pipe_shader_state *templ, bool print);

void
nv3_shader_free(struct nv3_shader_info *info);

#endif
