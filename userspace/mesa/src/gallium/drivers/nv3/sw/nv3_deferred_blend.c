/* SPDX-License-Identifier: MIT */
/*
 * Deferred blends. The hardware draws to the intermediate target
 * (nv3_intermediate.c), copies the result to the spill buffer, and continues.
 * The CPU blends all parts of the queue in order before another draw touches
 * the same pixels, and before the picture is used. Many draws thus share one
 * wait for the hardware.
 */
#include "util/u_math.h"
#include "util/u_memory.h"

#include "base/nv3_context.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_sync.h"
#include "channel/nv3_target.h"
#include "sw/nv3_coverage.h"
#include "sw/nv3_deferred_blend.h"
#include "sw/nv3_intermediate.h"
#include "sw/nv3_spill.h"
#include "sw/nv3_sw_blend.h"

/*
 * The maximum number of triangles. With more, the overlap test of each later
 * draw costs more than a flush. Tuned with the OpenArena time demo of `make
 * bench-gl`.
 */
#define TRIANGLES_MAX 4096

bool
nv3_deferred_init(struct nv3_context *ctx)
{
   ctx->deferred = CALLOC_STRUCT(nv3_deferred);
   return ctx->deferred != NULL;
}

void
nv3_deferred_fini(struct nv3_context *ctx)
{
   if (!ctx->deferred)
      return;
   nv3_coverage_fini(&ctx->deferred->coverage);
   FREE(ctx->deferred);
}

bool
nv3_deferred_has_room(const struct nv3_context *ctx,
                      const struct nv3_target *target,
                      const struct nv3_box *box)
{
   const struct nv3_deferred *deferred = ctx->deferred;

   return !deferred->count ||
          (deferred->count < NV3_DEFERRED_MAX && deferred->target == target &&
           nv3_spill_has_room(&ctx->intermediate->spill, box));
}

bool
nv3_deferred_add_part(struct nv3_context *ctx, struct nv3_target *target,
                      const struct nv3_box *box)
{
   struct nv3_intermediate *intermediate = ctx->intermediate;
   struct nv3_deferred *deferred = ctx->deferred;
   const struct nv3_deferred_part part = {
      .blend = intermediate->blend,
      .box = *box,
      .at = intermediate->spill.used,
   };

   if (!nv3_spill_copy(ctx, &intermediate->spill, intermediate->drawn, box))
      return false;
   nv3_target_reference(&deferred->target, target);
   if (!deferred->count)
      nv3_coverage_clear(&deferred->coverage);
   deferred->parts[deferred->count++] = part;
   return true;
}

bool
nv3_deferred_add_coverage(struct nv3_deferred *deferred,
                          const struct nv3_coverage *coverage)
{
   if (!deferred->count)
      return true;
   for (unsigned i = 0; i < coverage->count; i++) {
      if (deferred->coverage.count == TRIANGLES_MAX ||
          !nv3_coverage_add(&deferred->coverage, &coverage->list[i]))
         return false;
   }
   return true;
}

bool
nv3_deferred_overlaps(const struct nv3_deferred *deferred,
                      const int16_t corners[3][2])
{
   const struct nv3_coverage_triangle triangle = nv3_coverage_triangle(corners);

   return deferred->count &&
          nv3_coverage_overlaps(&deferred->coverage, &triangle);
}

bool
nv3_deferred_contains_half(const struct nv3_deferred *deferred,
                           const struct nv3_coverage *coverage)
{
   unsigned count = 0;

   for (unsigned i = 0; i < coverage->count; i++)
      count += nv3_coverage_overlaps(&deferred->coverage, &coverage->list[i]);
   return 2 * count >= coverage->count;
}

static void
blend(struct nv3_context *ctx, const struct nv3_deferred_part *part)
{
   const struct nv3_box *box = &part->box;
   const struct nv3_target *target = ctx->deferred->target;
   const struct nv3_sw_blend_lines old = {
      .first = nv3_target_line(target, box->x0, box->y0),
      .pitch = target->pitch,
   };
   const struct nv3_sw_blend_lines drawn =
      nv3_spill_lines(&ctx->intermediate->spill, box, part->at);

   nv3_sw_blend_run(&part->blend, &old, &drawn, box->y0, box->y1 - box->y0,
                    box->x1 - box->x0);
}

bool
nv3_deferred_flush(struct nv3_context *ctx)
{
   return !ctx->deferred->count || nv3_chip_flush(ctx);
}

void
nv3_deferred_finish(struct nv3_context *ctx, bool ok)
{
   struct nv3_intermediate *intermediate = ctx->intermediate;
   struct nv3_deferred *deferred = ctx->deferred;

   /*
    * An earlier batch may have drawn to the intermediate target, and the lost
    * batch would have copied and cleared the result.
    */
   if (!ok && !ctx->chip->lost)
      nv3_intermediate_reset(intermediate);
   if (!deferred->count)
      return;
   nv3_chip_wait(intermediate->spill.bo);
   nv3_chip_wait(deferred->target->bo);
   for (unsigned i = 0; i < deferred->count && ok; i++)
      blend(ctx, &deferred->parts[i]);
   deferred->count = 0;
   intermediate->spill.used = 0;
   nv3_target_reference(&deferred->target, NULL);
}
