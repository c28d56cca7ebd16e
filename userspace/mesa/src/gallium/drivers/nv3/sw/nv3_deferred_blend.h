/* SPDX-License-Identifier: MIT */
#ifndef NV3_DEFERRED_BLEND_H
#define NV3_DEFERRED_BLEND_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/nv3_coverage.h"
#include "sw/nv3_sw_blend.h"

struct nv3_context;
struct nv3_target;

/* Parts that there may be at a time. */
#define NV3_DEFERRED_MAX 256

/* A part of a level of a draw, which was put spill. */
struct nv3_deferred_part {
   struct nv3_sw_blend mix;
   struct nv3_box box;
   unsigned at;                 /* the bytes before it */
};

struct nv3_deferred {
   struct nv3_deferred_part parts[NV3_DEFERRED_MAX];
   unsigned count;
   struct nv3_coverage coverage;      /* of all; of those before, if there are none */
   struct nv3_target *target;   /* that all are blended into */
};

/* Sets up ctx->deferred. False without memory. */
bool
nv3_deferred_init(struct nv3_context *ctx);
void
nv3_deferred_fini(struct nv3_context *ctx);

/* Whether there may be another part in @box, of what is drawn to @target. */
bool
nv3_deferred_has_room(const struct nv3_context *ctx, const struct nv3_target *target,
                      const struct nv3_box *box);

/*
 * Puts spill what was drawn to the intermediate in @box, to be blended into @target. There is
 * room for it. False: no memory.
 */
bool
nv3_deferred_add_part(struct nv3_context *ctx, struct nv3_target *target,
                      const struct nv3_box *box);

/*
 * All levels of a draw, whose triangles are @cover, have been taken. False: there is no
 * room for those, and all that was put off is to be blended now.
 */
bool nv3_deferred_add_coverage(struct nv3_deferred *deferred,
                               const struct nv3_coverage *coverage);

/* Whether something was put off where a triangle, @corners in sixteenths, may be drawn. */
bool
nv3_deferred_overlaps(const struct nv3_deferred *deferred, const int16_t corners[3][2]);

/*
 * Whether half of the triangles of @cover, at min, are where something was put off, be
 * it that it has just been blended.
 */
bool nv3_deferred_contains_half(const struct nv3_deferred *deferred,
                                const struct nv3_coverage *coverage);

/* Submits, waits for and blends all that was put off. False: a batch was lost. */
bool
nv3_deferred_flush(struct nv3_context *ctx);

/* The same, when all of it has been submitted, and with it lost unless @ok. */
void
nv3_deferred_finish(struct nv3_context *ctx, bool ok);

#endif
