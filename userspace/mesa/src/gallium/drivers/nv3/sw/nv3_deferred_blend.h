/* SPDX-License-Identifier: MIT */
/* The deferred-blend queue. */
#ifndef NV3_DEFERRED_BLEND_H
#define NV3_DEFERRED_BLEND_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/nv3_coverage.h"
#include "sw/nv3_sw_blend.h"

struct nv3_context;
struct nv3_target;

/* The maximum length of the queue. */
#define NV3_DEFERRED_MAX 256

/*
 * A rectangle of the spill buffer, which belongs to one overlap level of a
 * draw.
 */
struct nv3_deferred_part {
   struct nv3_sw_blend blend;
   struct nv3_box box;
   unsigned at;  /* offset in the spill buffer */
};

struct nv3_deferred {
   struct nv3_deferred_part parts[NV3_DEFERRED_MAX];
   unsigned count;
   /* The triangles in the queue, or those of the last flush if it is empty. */
   struct nv3_coverage coverage;
   struct nv3_target *target;  /* the destination of all parts */
};

/* Sets up ctx->deferred. Returns false without memory. */
bool
nv3_deferred_init(struct nv3_context *ctx);
void
nv3_deferred_fini(struct nv3_context *ctx);

/* True if the queue has room for @box of a draw to @target. */
bool
nv3_deferred_has_room(const struct nv3_context *ctx,
                      const struct nv3_target *target,
                      const struct nv3_box *box);

/*
 * Copies @box of the intermediate target to the spill buffer, to be blended
 * into @target. There must be room. Returns false without memory.
 */
bool
nv3_deferred_add_part(struct nv3_context *ctx, struct nv3_target *target,
                      const struct nv3_box *box);

/*
 * Must follow all parts of a draw with the draw's triangles. Returns false if
 * they do not fit. The caller must then flush.
 */
bool
nv3_deferred_add_coverage(struct nv3_deferred *deferred,
                          const struct nv3_coverage *coverage);

/*
 * True if a deferred blend may touch the pixels of a triangle. @corners are in
 * sixteenths of a pixel.
 */
bool
nv3_deferred_overlaps(const struct nv3_deferred *deferred,
                      const int16_t corners[3][2]);

/*
 * True if at least half of the triangles of @coverage overlap deferred blends. If
 * the queue is empty, the blends of the last flush are compared.
 */
bool
nv3_deferred_contains_half(const struct nv3_deferred *deferred,
                           const struct nv3_coverage *coverage);

/*
 * Submits the batch and executes all deferred blends. Returns false if a batch
 * is lost.
 */
bool
nv3_deferred_flush(struct nv3_context *ctx);

/*
 * Executes all deferred blends after the batch was submitted, or drops them if
 * @ok is false because the batch is lost.
 */
void
nv3_deferred_finish(struct nv3_context *ctx, bool ok);

#endif
