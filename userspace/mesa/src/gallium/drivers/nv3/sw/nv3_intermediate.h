/* SPDX-License-Identifier: MIT */
#ifndef NV3_INTERMEDIATE_H
#define NV3_INTERMEDIATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/nv3_overlap_levels.h"
#include "sw/nv3_spill.h"

struct nv3_context;
struct nv3_target;
struct pipe_scissor_state;

struct nv3_intermediate {
   struct nv3_target *drawn;     /* what they draw; bare between levels */
   struct nv3_spill spill;
   struct nv3_sw_blend mix;           /* of the draw */
   struct nv3_overlap_levels levels;
   bool again;                   /* its triangles have come before */
   unsigned level, triangle;     /* the one that is drawn, and who is next */
};

/* Sets up ctx->intermediate. False without memory. */
bool
nv3_intermediate_init(struct nv3_context *ctx);

/* As large as @target, at min. False: no room for it. */
bool
nv3_intermediate_prepare(struct nv3_context *ctx, const struct nv3_target *target);
void
nv3_intermediate_fini(struct nv3_context *ctx);

/* Clears the intermediate, if there is one, of whatever a lost batch has left. */
void
nv3_intermediate_reset(struct nv3_intermediate *intermediate);

/*
 * The triangles of a draw are to come, whose blend nv3_sw_blend_init() has; those of the first
 * level are drawn. False: no memory.
 */
bool
nv3_intermediate_begin(struct nv3_context *ctx);

/* They are to come again; those of @level are drawn. */
void
nv3_intermediate_set_level(struct nv3_intermediate *intermediate, unsigned level);

/* Whether a triangle, @corners in sixteenths of a pixel, is to be drawn now. */
bool nv3_intermediate_selects(struct nv3_intermediate *intermediate,
                              const int16_t corners[3][2]);

/*
 * Where on @target, within @clip, @level is: a box in whole lanes, and then others, beginning
 * with @triangle 0. False: there are no more.
 */
bool nv3_intermediate_next(const struct nv3_intermediate *intermediate,
                           unsigned level, unsigned *triangle,
                           const struct nv3_target *target,
                           const struct pipe_scissor_state *clip,
                           struct nv3_box *box);

#endif
