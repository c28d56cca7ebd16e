/* SPDX-License-Identifier: MIT */
/*
 * The intermediate render target, for blends that class 0x17 does not have. The
 * hardware draws the colours of such a blend to this target, with the depth
 * test of the draw. nv3_spill.c copies them to system memory, and the CPU
 * blends them later (nv3_deferred_blend.c).
 *
 * Class 0x17 always writes bit 15 of a pixel as 0, so pixels in which the bit
 * is set were not drawn. The target keeps only the last colour of a pixel, so
 * overlapping triangles of a draw are drawn in several levels
 * (nv3_overlap_levels.c).
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
#include "sw/nv3_overlap_levels.h"
#include "sw/nv3_spill.h"
#include "sw/nv3_sw_blend.h"

/*
 * The cost of an additional part, expressed as a number of pixels. Tuned with
 * the OpenArena time demo of `make bench-gl`.
 */
#define PART 1024

/* ---- the target ---- */

void
nv3_intermediate_reset(struct nv3_intermediate *intermediate)
{
   uint16_t *line;

   if (!intermediate->drawn)
      return;
   nv3_chip_wait(intermediate->drawn->bo);
   line = intermediate->drawn->map;
   for (unsigned i = 0;
        i < intermediate->drawn->pitch / 2 * intermediate->drawn->height; i++)
      line[i] = NV3_NOT_DRAWN;
}

static void
drop(struct nv3_intermediate *intermediate)
{
   nv3_target_reference(&intermediate->drawn, NULL);
   nv3_spill_fini(&intermediate->spill);
}

bool
nv3_intermediate_init(struct nv3_context *ctx)
{
   ctx->intermediate = CALLOC_STRUCT(nv3_intermediate);
   return ctx->intermediate != NULL;
}

void
nv3_intermediate_fini(struct nv3_context *ctx)
{
   struct nv3_intermediate *intermediate = ctx->intermediate;

   if (!intermediate)
      return;
   drop(intermediate);
   nv3_overlap_levels_fini(&intermediate->levels);
   FREE(intermediate);
}

/*
 * True if VRAM has room for a batch with this target, the depth buffer, the
 * picture, and the presented picture in 8888.
 */
static bool
fits(const struct nv3_context *ctx, const struct nv3_target *target)
{
   return target->width * target->height * (3 * 2 + 4) <= ctx->screen->vram;
}

bool
nv3_intermediate_prepare(struct nv3_context *ctx,
                         const struct nv3_target *target)
{
   struct nv3_intermediate *intermediate = ctx->intermediate;
   unsigned width = target->width, height = target->height;

   /* The CPU blends whole vectors, even at the end of a line. */
   if (!fits(ctx, target) || target->pitch % (2 * NV3_SW_BLEND_WIDTH))
      return false;
   if (intermediate->drawn) {
      if (width <= intermediate->drawn->width &&
          height <= intermediate->drawn->height)
         return true;
      width = MAX2(width, intermediate->drawn->width);
      height = MAX2(height, intermediate->drawn->height);
      nv3_deferred_flush(ctx);
      drop(intermediate);
   }
   intermediate->drawn = nv3_target_create(ctx->screen, width, height);
   if (!intermediate->drawn ||
       !nv3_spill_prepare(ctx, &intermediate->spill, intermediate->drawn)) {
      drop(intermediate);
      return false;
   }
   nv3_intermediate_reset(intermediate);
   return true;
}

/* ---- draws ---- */

bool
nv3_intermediate_begin(struct nv3_context *ctx)
{
   struct nv3_intermediate *intermediate = ctx->intermediate;

   intermediate->again = false;
   nv3_sw_blend_init(&intermediate->blend, &ctx->blend->base.rt[0],
                     &ctx->blend_color);
   /* If the draw writes depth, the order of its triangles matters. */
   nv3_overlap_levels_clear(&intermediate->levels,
                            ctx->passes == 1 &&
                               nv3_sw_blend_commutes(&intermediate->blend));
   return nv3_chip_select_intermediate(ctx, intermediate->drawn);
}

void
nv3_intermediate_set_level(struct nv3_intermediate *intermediate,
                           unsigned level)
{
   intermediate->again = true;
   intermediate->level = level;
   intermediate->triangle = 0;
}

bool
nv3_intermediate_selects(struct nv3_intermediate *intermediate,
                         const int16_t corners[3][2])
{
   struct nv3_overlap_levels *levels = &intermediate->levels;

   if (intermediate->again)
      return intermediate->triangle < levels->coverage.count &&
             levels->of[intermediate->triangle++] == intermediate->level;
   return nv3_overlap_levels_add(levels, corners) == 0 && !levels->failed;
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
nv3_intermediate_next(const struct nv3_intermediate *intermediate,
                      unsigned level, unsigned *triangle,
                      const struct nv3_target *target,
                      const struct pipe_scissor_state *clip,
                      struct nv3_box *box)
{
   const struct nv3_overlap_levels *levels = &intermediate->levels;
   const struct nv3_box within = {
      .x0 = clip->minx,
      .y0 = clip->miny,
      .x1 = MIN2(clip->maxx, target->width),
      .y1 = MIN2(clip->maxy, target->height),
   };
   unsigned size = 0;

   for (; *triangle < levels->coverage.count; (*triangle)++) {
      struct nv3_box one, both;

      if (levels->of[*triangle] != level)
         continue;
      one = nv3_bounds_box(&levels->coverage.list[*triangle].bounds, &within);
      if (nv3_box_is_empty(&one))
         continue;
      one.x0 &= ~(NV3_SW_BLEND_WIDTH - 1);
      both = size ? union_of(box, &one) : one;
      if (size && size_of(&both) > size + size_of(&one) + PART)
         break;
      *box = both;
      size = size_of(box);
   }
   return size;
}
