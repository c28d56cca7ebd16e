/* SPDX-License-Identifier: MIT */
/*
 * Blends that the chip has not: it draws to a picture of its own what is to be
 * blended, tested for depth as the draw says, and the CPU does the rest.
 *
 * A pixel's bit 15 says that nothing was drawn there, as the chip leaves it 0 in all
 * that it draws. What was drawn over is lost, so it is counted as well: each time adds
 * some 10 of 31 to another picture, and two come to 16 or more. Pixels where that is
 * so are done in layers (nv3_layers.c), after all others: the chip puts one after
 * another aside (nv3_aside.c), so that all are waited for at once. Small draws are
 * not counted and not waited for here (nv3_later.c).
 */
#include <string.h>

#include "util/u_math.h"

#include "nv3_chip.h"
#include "nv3_context.h"
#include "nv3_mix.h"
#include "nv3_resource.h"
#include "nv3_scratch.h"

/* Counted more than once, in one of the channels. */
#define TWICE 0x4210

/* ---- the pictures ---- */

static void
fill(struct nv3_target *target, uint16_t value)
{
   uint16_t *line = target->map;

   for (unsigned i = 0; i < target->pitch / 2 * target->height; i++)
      line[i] = value;
}

void
nv3_scratch_reset(struct nv3_scratch *scratch)
{
   fill(scratch->drawn, NV3_MIX_BARE);
   fill(scratch->counted, 0);
}

static void
drop(struct nv3_scratch *scratch)
{
   nv3_target_reference(&scratch->drawn, NULL);
   nv3_target_reference(&scratch->counted, NULL);
   nv3_aside_fini(&scratch->aside);
}

void
nv3_scratch_fini(struct nv3_scratch *scratch)
{
   drop(scratch);
   nv3_layers_fini(&scratch->layers);
}

/*
 * The most that a batch may reach: both, the depth and the picture, and what is shown
 * meanwhile of 8888.
 */
static bool
fits(const struct nv3_context *ctx, const struct nv3_target *target)
{
   return target->width * target->height * (4 * 2 + 4) <= ctx->screen->vram;
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
   scratch->counted = nv3_target_create(ctx->screen, width, height);
   if (!scratch->drawn || !scratch->counted) {
      drop(scratch);
      return false;
   }
   nv3_scratch_reset(scratch);
   return true;
}

/* ---- triangles ---- */

static void
include(struct nv3_scratch *scratch, const int16_t corner[2])
{
   for (unsigned i = 0; i < 2; i++) {
      scratch->least[i] = MIN2(scratch->least[i], corner[i]);
      scratch->most[i] = MAX2(scratch->most[i], corner[i]);
   }
}

bool
nv3_scratch_takes(struct nv3_scratch *scratch, const int16_t corners[3][2])
{
   const struct nv3_layers *layers = &scratch->layers;

   if (scratch->by_layer)
      return scratch->triangle < layers->triangles &&
             layers->of[scratch->triangle++] == scratch->layer;
   for (unsigned i = 0; i < 3; i++)
      include(scratch, corners[i]);
   nv3_layers_add(&scratch->layers, corners);
   return true;
}

bool
nv3_scratch_begin(struct nv3_context *ctx)
{
   struct nv3_scratch *scratch = &ctx->scratch;

   scratch->by_layer = false;
   nv3_layers_clear(&scratch->layers);
   scratch->least[0] = scratch->least[1] = INT16_MAX;
   scratch->most[0] = scratch->most[1] = INT16_MIN;
   return nv3_chip_select_scratch(ctx, scratch->drawn, scratch->counted);
}

bool
nv3_scratch_find(struct nv3_scratch *scratch, const struct nv3_target *target,
                 const struct pipe_scissor_state *clip)
{
   struct nv3_box *box = &scratch->box;
   unsigned x1 = MIN2(clip->maxx, target->width);
   unsigned y1 = MIN2(clip->maxy, target->height);

   if (scratch->most[0] < 0 || scratch->most[1] < 0)
      return false;
   box->x0 = MAX2(clip->minx, MAX2(scratch->least[0], 0) >> 4);
   box->x0 &= ~(NV3_MIX_LANES - 1);
   box->y0 = MAX2(clip->miny, MAX2(scratch->least[1], 0) >> 4);
   box->x1 = MIN2(x1, (scratch->most[0] >> 4) + 1u);
   box->y1 = MIN2(y1, (scratch->most[1] >> 4) + 1u);
   return box->x0 < box->x1 && box->y0 < box->y1;
}

/* ---- pixels ---- */

static bool
is_counted_twice(const struct nv3_scratch *scratch, unsigned y)
{
   const struct nv3_box *box = &scratch->box;
   const uint64_t *line = (uint64_t *)nv3_target_line(scratch->counted, box->x0, y);
   uint64_t all = 0;

   for (unsigned i = 0; i < DIV_ROUND_UP(box->x1 - box->x0, 4); i++)
      all |= line[i];
   return all & TWICE * 0x1000100010001ull;
}

/* The lines where something was counted twice; false: there are none. */
static bool
find_twice(const struct nv3_scratch *scratch, struct nv3_box *twice)
{
   *twice = scratch->box;
   while (twice->y0 < twice->y1 && !is_counted_twice(scratch, twice->y0))
      twice->y0++;
   while (twice->y0 < twice->y1 && !is_counted_twice(scratch, twice->y1 - 1))
      twice->y1--;
   return twice->y0 < twice->y1;
}

static void
forget_counts(const struct nv3_scratch *scratch)
{
   const struct nv3_box *box = &scratch->box;

   for (unsigned y = box->y0; y < box->y1; y++)
      memset(nv3_target_line(scratch->counted, box->x0, y), 0,
             (box->x1 - box->x0) * sizeof(uint16_t));
}

static void
forget_drawn(const struct nv3_scratch *scratch)
{
   const struct nv3_box *box = &scratch->box;

   for (unsigned y = box->y0; y < box->y1; y++) {
      uint16_t *line = nv3_target_line(scratch->drawn, 0, y);

      for (unsigned x = box->x0; x < box->x1; x++)
         line[x] = NV3_MIX_BARE;
   }
}

/* Of a line of the pixels where layers are, forgets those that are in some, or in none. */
static void
forget_layers(const struct nv3_scratch *scratch, uint16_t *line, unsigned y,
              bool in_some)
{
   const struct nv3_box *box = &scratch->layers.box;
   const uint8_t *next = nv3_layers_line(&scratch->layers, y);

   for (unsigned i = 0; i < box->x1 - box->x0; i++) {
      if ((next[i] != NV3_NO_LAYER) == in_some)
         line[i] = NV3_MIX_BARE;
   }
}

static bool
init_mix(const struct nv3_context *ctx, struct nv3_mix *mix)
{
   return nv3_mix_init(mix, &ctx->blend->base.rt[0], &ctx->blend_color);
}

static void
blend(struct nv3_context *ctx, struct nv3_target *target)
{
   const struct nv3_box *box = &ctx->scratch.box;
   struct nv3_mix mix;

   if (!init_mix(ctx, &mix))
      return;
   for (unsigned y = box->y0; y < box->y1; y++)
      nv3_mix_line(&mix, nv3_target_line(target, box->x0, y),
                   nv3_target_line(ctx->scratch.drawn, box->x0, y), y,
                   box->x1 - box->x0);
}

/* What was put aside, in its order. */
static void
blend_layers(struct nv3_context *ctx, struct nv3_target *target)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   const struct nv3_box *box = &scratch->layers.box;
   struct nv3_mix mix;

   if (!init_mix(ctx, &mix))
      return;
   for (unsigned at = 0; at < scratch->aside.used; at += nv3_aside_size(box)) {
      for (unsigned y = box->y0; y < box->y1; y++) {
         uint16_t *line = nv3_aside_line(&scratch->aside, scratch->drawn, box, at, y);

         forget_layers(scratch, line, y, false);
         nv3_mix_line(&mix, nv3_target_line(target, box->x0, y), line, y,
                      box->x1 - box->x0);
      }
   }
}

/* ---- draws ---- */

/* False: a batch failed, and nobody knows what it has left. */
static bool
wait(struct nv3_context *ctx, struct nv3_target *target)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   bool ok = nv3_chip_flush(ctx);

   nv3_chip_wait(scratch->drawn->bo);
   nv3_chip_wait(scratch->counted->bo);
   nv3_chip_wait(target->bo);
   if (!ok)
      nv3_scratch_reset(scratch);
   return ok;
}

bool
nv3_scratch_blend(struct nv3_context *ctx, struct nv3_target *target)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   struct nv3_box twice;

   if (!wait(ctx, target))
      return true;
   if (find_twice(scratch, &twice))
      return false;
   forget_counts(scratch);
   blend(ctx, target);
   return true;
}

/* What was counted twice is to be parted. */
static bool
begin_layers(struct nv3_scratch *scratch)
{
   struct nv3_box twice;

   if (!find_twice(scratch, &twice) ||
       !nv3_layers_begin(&scratch->layers, &twice, false))
      return false;
   for (unsigned y = twice.y0; y < twice.y1; y++) {
      const uint16_t *line = nv3_target_line(scratch->counted, 0, y);
      uint8_t *next = nv3_layers_line(&scratch->layers, y) - twice.x0;

      for (unsigned x = twice.x0; x < twice.x1; x++) {
         if (line[x] & TWICE)
            next[x] = 0;
      }
   }
   return true;
}

/* All others, of which each pixel was drawn once. */
static void
blend_once(struct nv3_context *ctx, struct nv3_target *target)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   const struct nv3_box *box = &scratch->layers.box;

   for (unsigned y = box->y0; y < box->y1; y++)
      forget_layers(scratch, nv3_target_line(scratch->drawn, box->x0, y), y, true);
   blend(ctx, target);
}

unsigned
nv3_scratch_blend_rest(struct nv3_context *ctx, struct nv3_target *target)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   unsigned layers = 0;

   if (begin_layers(scratch) &&
       nv3_aside_prepare(ctx, &scratch->aside, scratch->drawn))
      layers = nv3_layers_part(&scratch->layers);
   if (layers > NV3_MAX_LAYERS)
      layers = 0;
   forget_counts(scratch);
   if (layers)
      blend_once(ctx, target);
   else
      forget_drawn(scratch);
   return layers;
}

void
nv3_scratch_begin_layer(struct nv3_context *ctx, unsigned layer)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   const struct nv3_box *box = &scratch->layers.box;
   const struct pipe_scissor_state clip = {
      .minx = box->x0, .miny = box->y0, .maxx = box->x1, .maxy = box->y1,
   };

   nv3_scratch_set_layer(scratch, layer);
   nv3_chip_clip(ctx, &clip);
}

void
nv3_scratch_end_layer(struct nv3_context *ctx, struct nv3_target *target, bool last)
{
   struct nv3_scratch *scratch = &ctx->scratch;
   const struct nv3_box *box = &scratch->layers.box;
   bool ok = nv3_aside_take(ctx, &scratch->aside, scratch->drawn, box);

   if (ok && !last && nv3_aside_room(&scratch->aside, scratch->drawn, box))
      return;
   if (wait(ctx, target) && ok)
      blend_layers(ctx, target);
   scratch->aside.used = 0;
}
