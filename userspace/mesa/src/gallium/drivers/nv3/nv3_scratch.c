/* SPDX-License-Identifier: MIT */
/*
 * Blends that the chip has not: it draws to a picture of its own what is to be
 * blended, tested for depth as the draw says, and puts that aside (nv3_aside.c); the
 * CPU does the rest, later (nv3_later.c).
 *
 * A pixel's bit 15 says that nothing was drawn there, as the chip leaves it 0 in all
 * that it draws. What is drawn over is lost, so a draw that covers itself is drawn in
 * layers (nv3_layers.c).
 */
#include "util/u_math.h"

#include "nv3_chip.h"
#include "nv3_context.h"
#include "nv3_mix.h"
#include "nv3_resource.h"
#include "nv3_scratch.h"

/* A part more costs as much as so many pixels. */
#define PART 1024

/* ---- the picture ---- */

void
nv3_scratch_reset(struct nv3_scratch *scratch)
{
   uint16_t *line;

   if (!scratch->drawn)
      return;
   nv3_chip_wait(scratch->drawn->bo);
   line = scratch->drawn->map;
   for (unsigned i = 0; i < scratch->drawn->pitch / 2 * scratch->drawn->height; i++)
      line[i] = NV3_MIX_BARE;
}

static void
drop(struct nv3_scratch *scratch)
{
   nv3_target_reference(&scratch->drawn, NULL);
   nv3_aside_fini(&scratch->aside);
}

void
nv3_scratch_fini(struct nv3_scratch *scratch)
{
   drop(scratch);
   nv3_layers_fini(&scratch->layers);
}

/*
 * The most that a batch may reach: the scratch, the depth and the picture, and what is
 * shown meanwhile of 8888.
 */
static bool
fits(const struct nv3_context *ctx, const struct nv3_target *target)
{
   return target->width * target->height * (3 * 2 + 4) <= ctx->screen->vram;
}

bool
nv3_scratch_prepare(struct nv3_context *ctx, const struct nv3_target *target)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   unsigned width = target->width, height = target->height;

   /* Lines are done in whole lanes, to the end of the buffer too. */
   if (!fits(ctx, target) || target->pitch % (2 * NV3_MIX_LANES))
      return false;
   if (scratch->drawn) {
      if (width <= scratch->drawn->width && height <= scratch->drawn->height)
         return true;
      width = MAX2(width, scratch->drawn->width);
      height = MAX2(height, scratch->drawn->height);
      nv3_later_settle(ctx);
      drop(scratch);
   }
   scratch->drawn = nv3_target_create(ctx->screen, width, height);
   if (!scratch->drawn || !nv3_aside_prepare(ctx, &scratch->aside, scratch->drawn)) {
      drop(scratch);
      return false;
   }
   nv3_scratch_reset(scratch);
   return true;
}

/* ---- draws ---- */

bool
nv3_scratch_begin(struct nv3_context *ctx)
{
   struct nv3_scratch *scratch = &ctx->scratch;

   scratch->again = false;
   nv3_mix_init(&scratch->mix, &ctx->blend->base.rt[0], &ctx->blend_color);
   /* Depth that is written is tested by what comes later. */
   nv3_layers_clear(&scratch->layers,
                    ctx->passes == 1 && nv3_mix_commutes(&scratch->mix));
   return nv3_chip_select_scratch(ctx, scratch->drawn);
}

void
nv3_scratch_set_layer(struct nv3_scratch *scratch, unsigned layer)
{
   scratch->again = true;
   scratch->layer = layer;
   scratch->triangle = 0;
}

bool
nv3_scratch_takes(struct nv3_scratch *scratch, const int16_t corners[3][2])
{
   struct nv3_layers *layers = &scratch->layers;

   if (scratch->again)
      return scratch->triangle < layers->cover.count &&
             layers->of[scratch->triangle++] == scratch->layer;
   return nv3_layers_add(layers, corners) == 0 && !layers->failed;
}

static struct nv3_box
union_of(const struct nv3_box *a, const struct nv3_box *b)
{
   return (struct nv3_box) {
      .x0 = MIN2(a->x0, b->x0),
      .y0 = MIN2(a->y0, b->y0),
      .x1 = MAX2(a->x1, b->x1),
      .y1 = MAX2(a->y1, b->y1),
   };
}

static unsigned
size_of(const struct nv3_box *box)
{
   return (box->x1 - box->x0) * (box->y1 - box->y0);
}

bool
nv3_scratch_next(const struct nv3_scratch *scratch, unsigned layer, unsigned *triangle,
                 const struct nv3_target *target,
                 const struct pipe_scissor_state *clip, struct nv3_box *box)
{
   const struct nv3_layers *layers = &scratch->layers;
   const struct nv3_box within = {
      .x0 = clip->minx,
      .y0 = clip->miny,
      .x1 = MIN2(clip->maxx, target->width),
      .y1 = MIN2(clip->maxy, target->height),
   };
   unsigned size = 0;

   for (; *triangle < layers->cover.count; (*triangle)++) {
      struct nv3_box one, both;

      if (layers->of[*triangle] != layer)
         continue;
      one = nv3_bounds_box(&layers->cover.list[*triangle].bounds, &within);
      if (nv3_box_is_empty(&one))
         continue;
      one.x0 &= ~(NV3_MIX_LANES - 1);
      both = size ? union_of(box, &one) : one;
      if (size && size_of(&both) > size + size_of(&one) + PART)
         break;
      *box = both;
      size = size_of(box);
   }
   return size;
}
