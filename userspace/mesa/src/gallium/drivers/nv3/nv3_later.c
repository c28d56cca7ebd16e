/* SPDX-License-Identifier: MIT */
/*
 * Small draws that the CPU is to blend are put off: the chip draws them to the scratch
 * (nv3_scratch.c) and puts them aside, layer by layer, and goes on. They are blended, in
 * their order, before something is drawn where they are or anyone looks at the picture:
 * many of them with one wait for the chip.
 *
 * What covers itself is known beforehand from the triangles, with no regard to depth, so
 * some have more layers than they need.
 */
#include "util/u_math.h"

#include "nv3_chip.h"
#include "nv3_context.h"
#include "nv3_later.h"
#include "nv3_resource.h"

/* Looking at more pixels of triangles takes as long as to wait for the chip. */
#define PIXELS_MAX 4096
/* The same of copying and looking through more of the scratch. */
#define BOX_MAX    16384

/* How many layers it comes to, each triangle's by its own pixels; false: too many. */
static bool
part(struct nv3_scratch *scratch, unsigned *layers)
{
   const struct nv3_box *box = &scratch->box;

   if ((box->x1 - box->x0) * (box->y1 - box->y0) > BOX_MAX ||
       nv3_layers_pixels(&scratch->layers, box, PIXELS_MAX) > PIXELS_MAX ||
       !nv3_layers_begin(&scratch->layers, box, true))
      return false;
   *layers = MAX2(nv3_layers_part(&scratch->layers), 1);
   return *layers <= NV3_MAX_LAYERS;
}

bool
nv3_later_takes(const struct nv3_later *later, const struct nv3_target *target)
{
   return !later->count ||
          (later->count < NV3_LATER_MAX && later->target == target);
}

bool
nv3_later_begin(struct nv3_context *ctx, struct nv3_target *target, unsigned *layers)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   struct nv3_later *later = &ctx->later;
   struct nv3_later_draw draw = { .box = scratch->box };

   if (!nv3_mix_init(&draw.mix, &ctx->blend->base.rt[0], &ctx->blend_color) ||
       !part(scratch, layers) ||
       !nv3_aside_prepare(ctx, &scratch->aside, scratch->drawn) ||
       nv3_aside_room(&scratch->aside, scratch->drawn, &draw.box) < *layers ||
       (*layers > 1 &&
        !nv3_aside_drop(ctx, &scratch->aside, scratch->drawn, &draw.box)))
      return false;
   draw.at = scratch->aside.used;
   nv3_target_reference(&later->target, target);
   later->draws[later->count++] = draw;
   return true;
}

void
nv3_later_take(struct nv3_context *ctx)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   struct nv3_later_draw *draw = &ctx->later.draws[ctx->later.count - 1];

   if (nv3_aside_take(ctx, &scratch->aside, scratch->drawn, &draw->box))
      draw->layers++;
}

bool
nv3_later_meets(const struct nv3_later *later, const int16_t corners[3][2])
{
   for (unsigned i = 0; i < later->count; i++) {
      struct nv3_box box = nv3_layers_box(&later->draws[i].box, corners);

      if (box.x0 < box.x1 && box.y0 < box.y1)
         return true;
   }
   return false;
}

static void
blend(struct nv3_context *ctx, const struct nv3_later_draw *draw)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   const struct nv3_box *box = &draw->box;
   unsigned at = draw->at;

   for (unsigned i = 0; i < draw->layers; i++, at += nv3_aside_size(box)) {
      for (unsigned y = box->y0; y < box->y1; y++)
         nv3_mix_line(&draw->mix, nv3_target_line(ctx->later.target, box->x0, y),
                      nv3_aside_line(&scratch->aside, scratch->drawn, box, at, y),
                      y, box->x1 - box->x0);
   }
}

bool
nv3_later_settle(struct nv3_context *ctx)
{
   return !ctx->later.count || nv3_chip_flush(ctx);
}

void
nv3_later_finish(struct nv3_context *ctx, bool ok)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   struct nv3_later *later = &ctx->later;

   if (!later->count)
      return;
   nv3_chip_wait(scratch->aside.bo);
   nv3_chip_wait(later->target->bo);
   if (!ok)
      nv3_scratch_reset(scratch);
   for (unsigned i = 0; i < later->count && ok; i++)
      blend(ctx, &later->draws[i]);
   later->count = 0;
   scratch->aside.used = 0;
   nv3_target_reference(&later->target, NULL);
}
