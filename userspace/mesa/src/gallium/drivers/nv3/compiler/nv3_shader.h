/* SPDX-License-Identifier: MIT */
#ifndef NV3_SHADER_H
#define NV3_SHADER_H

#include "pipe/p_defines.h"
#include "pipe/p_state.h"

#include "compiler/nv3_expr.h"

#define NV3_MAX_INPUTS 8

/* Where a texel comes from; the coordinates are operations. */
struct nv3_lookup {
   unsigned sampler, view;
   int coord[2];
   int coord_q;                  /* what to divide them by, or -1 */
};

/*
 * What a fragment shader computes, if it is something that the chip can: for
 * each channel a texel's times a colour, that is
 *
 *    out[c] = texel[swizzle[c]] * color[c]
 *
 * then fog by a factor, and a test of alpha. Numbers are operations of @expr.
 * There may be another such thing that it is multiplied by, or that is added to
 * it: the chip draws that in a second pass.
 */
struct nv3_shader_info {
   const char *reason;           /* why it is not, or NULL */

   struct nv3_expr expr;
   unsigned input_count;
   struct {
      uint8_t semantic, index;   /* TGSI's, as the draw module has them */
      bool flat;
   } inputs[NV3_MAX_INPUTS];

   int color[4];
   int max_factor;                     /* the greatest uniform factor of a texel, or -1 */
   bool alpha_in_part;           /* it is more than that: for no test or blend */
   bool clamps_colors;           /* vertices', which they are already, mostly */

   bool textured;
   struct nv3_lookup lookup;
   uint8_t swizzle[4];           /* PIPE_SWIZZLE_X to _W, or _1 */

   int fog;                      /* 1 is no fog; -1: none at all */
   int fog_color[3];

   enum pipe_compare_func alpha_func;
   int alpha_ref;

   struct nv3_shader_info *second;
   bool second_adds;
   /* The same with each other's textures, where that comes to the same, or NULL. */
   struct nv3_shader_info *swapped;
   /* The fog of both, if there is some: a colour to blend over them by its alpha. */
   struct nv3_shader_info *fog_pass;
};

/* Takes over @templ's NIR. NULL only without memory. */
struct nv3_shader_info *
nv3_shader_analyse(const struct pipe_shader_state *templ, bool print);

void
nv3_shader_free(struct nv3_shader_info *info);

#endif
