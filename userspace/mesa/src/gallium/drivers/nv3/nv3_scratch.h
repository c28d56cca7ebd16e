/* SPDX-License-Identifier: MIT */
#ifndef NV3_SCRATCH_H
#define NV3_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3_aside.h"
#include "nv3_layers.h"

struct nv3_context;
struct nv3_target;
struct pipe_scissor_state;

struct nv3_scratch {
   struct nv3_target *drawn;     /* what they draw; bare between draws */
   struct nv3_target *counted;   /* how often; black between draws */
   int16_t least[2], most[2];    /* where, in sixteenths of a pixel */
   struct nv3_box box;           /* the same, in whole lanes and on the picture */
   struct nv3_layers layers;
   struct nv3_aside aside;
   bool by_layer;                /* triangles of one are drawn, not all */
   unsigned layer, triangle;     /* that one, and the next triangle */
};

/* The two as large as @target, at least. False: no room for them. */
bool
nv3_scratch_prepare(struct nv3_context *ctx, const struct nv3_target *target);
void
nv3_scratch_fini(struct nv3_scratch *scratch);

/* Bare and black again, whatever a lost batch has left. */
void
nv3_scratch_reset(struct nv3_scratch *scratch);

/* Whether a triangle, @corners in sixteenths of a pixel, is to be drawn now. */
bool
nv3_scratch_takes(struct nv3_scratch *scratch, const int16_t corners[3][2]);

/* All triangles are to be drawn now. False: no memory. */
bool
nv3_scratch_begin(struct nv3_context *ctx);

/* Where on @target all that was drawn is, within @clip, to @box. False: nowhere. */
bool
nv3_scratch_find(struct nv3_scratch *scratch, const struct nv3_target *target,
                 const struct pipe_scissor_state *clip);

/* Only triangles of @layer are to be drawn, when all come again. */
static inline void
nv3_scratch_set_layer(struct nv3_scratch *scratch, unsigned layer)
{
   scratch->by_layer = true;
   scratch->layer = layer;
   scratch->triangle = 0;
}

/*
 * Blends what was drawn and counted into @target. False: it covers itself somewhere, and
 * nothing was blended.
 */
bool
nv3_scratch_blend(struct nv3_context *ctx, struct nv3_target *target);

/*
 * Then blends what does not cover itself. How many layers the rest comes to; none if it
 * can't be done, and nothing was blended.
 */
unsigned
nv3_scratch_blend_rest(struct nv3_context *ctx, struct nv3_target *target);

/*
 * The triangles are to come again for each of the layers; those of it are drawn. They
 * are in @target after the last.
 */
void
nv3_scratch_begin_layer(struct nv3_context *ctx, unsigned layer);
void
nv3_scratch_end_layer(struct nv3_context *ctx, struct nv3_target *target, bool last);

#endif
