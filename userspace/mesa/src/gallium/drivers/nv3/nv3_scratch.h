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
   struct nv3_target *drawn;     /* what they draw; bare between layers */
   struct nv3_aside aside;
   struct nv3_mix mix;           /* of the draw */
   struct nv3_layers layers;
   bool again;                   /* its triangles have come before */
   unsigned layer, triangle;     /* the one that is drawn, and who is next */
};

/* As large as @target, at least. False: no room for it. */
bool
nv3_scratch_prepare(struct nv3_context *ctx, const struct nv3_target *target);
void
nv3_scratch_fini(struct nv3_scratch *scratch);

/* Clears the scratch, if there is one, of whatever a lost batch has left. */
void
nv3_scratch_reset(struct nv3_scratch *scratch);

/*
 * The triangles of a draw are to come, whose blend nv3_mix_init() has; those of the first
 * layer are drawn. False: no memory.
 */
bool
nv3_scratch_begin(struct nv3_context *ctx);

/* They are to come again; those of @layer are drawn. */
void
nv3_scratch_set_layer(struct nv3_scratch *scratch, unsigned layer);

/* Whether a triangle, @corners in sixteenths of a pixel, is to be drawn now. */
bool
nv3_scratch_takes(struct nv3_scratch *scratch, const int16_t corners[3][2]);

/*
 * Where on @target, within @clip, @layer is: a box in whole lanes, and then others, beginning
 * with @triangle 0. False: there are no more.
 */
bool
nv3_scratch_next(const struct nv3_scratch *scratch, unsigned layer, unsigned *triangle,
                 const struct nv3_target *target,
                 const struct pipe_scissor_state *clip, struct nv3_box *box);

#endif
