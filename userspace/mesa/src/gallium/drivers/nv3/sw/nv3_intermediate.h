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
   struct nv3_target *drawn;   /* the target; NV3_NOT_DRAWN between levels */
   struct nv3_spill spill;
   struct nv3_sw_blend blend;  /* the blend of the current draw */
   struct nv3_overlap_levels levels;
   bool again;                 /* the triangles have already been sent once */
   unsigned level, triangle;   /* the current level, and the next triangle */
};

/* Sets up ctx->intermediate. Returns false without memory. */
bool
nv3_intermediate_init(struct nv3_context *ctx);

/*
 * Makes the target at least as large as @target. Returns false without memory.
 */
bool
nv3_intermediate_prepare(struct nv3_context *ctx,
                         const struct nv3_target *target);
void
nv3_intermediate_fini(struct nv3_context *ctx);

/* Clears the target after a lost batch. */
void
nv3_intermediate_reset(struct nv3_intermediate *intermediate);

/*
 * Starts a draw. nv3_intermediate_selects() then assigns levels to its
 * triangles, and the triangles of the first level are drawn.
 * nv3_sw_blend_init() must support the blend. Returns false without memory.
 */
bool
nv3_intermediate_begin(struct nv3_context *ctx);

/* Starts another pass over the draw's triangles, which draws @level. */
void
nv3_intermediate_set_level(struct nv3_intermediate *intermediate,
                           unsigned level);

/*
 * True if the next triangle belongs to the current level. @corners are in
 * sixteenths of a pixel.
 */
bool
nv3_intermediate_selects(struct nv3_intermediate *intermediate,
                         const int16_t corners[3][2]);

/*
 * Iterates over rectangles of @target within @clip that together contain
 * @level. Their first columns are multiples of NV3_SW_BLEND_WIDTH. *@triangle
 * must initially be 0. Returns false at the end.
 */
bool
nv3_intermediate_next(const struct nv3_intermediate *intermediate,
                      unsigned level, unsigned *triangle,
                      const struct nv3_target *target,
                      const struct pipe_scissor_state *clip,
                      struct nv3_box *box);

#endif
