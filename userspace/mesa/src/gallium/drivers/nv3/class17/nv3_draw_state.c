/* SPDX-License-Identifier: MIT */
/*
 * The beginning of a draw with class 0x17: the object, the surfaces and the
 * clip rectangle.
 */
#include "util/u_math.h"

#include "base/nv3_context.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_sync.h"
#include "class17/nv3_draw_state.h"
#include "class17/nv3_texture.h"
#include "sw/nv3_deferred_blend.h"

/*
 * Frees the objects for the previous buffer of @slab. No state uses a texture
 * in this buffer.
 */
static void
drop_d3d(struct nv3_chip *chip, unsigned slab)
{
   for (unsigned i = 0; i < NV3_COLOR_SLOTS * 2; i++) {
      struct nv3_object **slot = &chip->d3d[slab][0][0] + i;

      if (chip->selected == *slot)
         chip->selected = NULL;
      nv3_object_unref(*slot);
      *slot = NULL;
   }
}

struct nv3_object *
nv3_chip_d3d(struct nv3_context *ctx, struct nv3_slab *slab,
             enum nv3_color_slot color, bool zeta)
{
   struct nv3_chip *chip = ctx->chip;
   struct nv3_object **slot = &chip->d3d[slab->index][color][zeta];
   struct nv3_graph info = {
      .operation = NV3_OPERATION_COPY,
      .dst_slots = 1 << color,
      .flags = DRM_NV3_GRAPH_CLIP | (zeta ? DRM_NV3_GRAPH_ZETA : 0),
   };
   struct nv3_object *dma;

   if (chip->d3d_generation[slab->index] != slab->generation) {
      drop_d3d(chip, slab->index);
      chip->d3d_generation[slab->index] = slab->generation;
   }
   if (*slot)
      return *slot;
   if (nv3_dma_new(chip->chan, 0, slab->bo, 0, slab->size, 0, &dma))
      return NULL;
   info.dma[0] = dma;
   if (nv3_graph_new(chip->chan, 0, NV3_CLASS_D3D, &info, slot))
      *slot = NULL;
   nv3_object_unref(dma);
   return *slot;
}

void
nv3_draw_clip(const struct nv3_context *ctx, struct pipe_scissor_state *rect)
{
   const struct pipe_viewport_state *vp = &ctx->viewport;
   float x = fabsf(vp->scale[0]), y = fabsf(vp->scale[1]);

   rect->minx = CLAMP(vp->translate[0] - x + 0.5f, 0.0f, NV3_SURFACE_MAX);
   rect->maxx = CLAMP(vp->translate[0] + x + 0.5f, 0.0f, ctx->fb.width);
   rect->miny = CLAMP(vp->translate[1] - y + 0.5f, 0.0f, NV3_SURFACE_MAX);
   rect->maxy = CLAMP(vp->translate[1] + y + 0.5f, 0.0f, ctx->fb.height);
   if (!ctx->rast->base.scissor)
      return;
   rect->minx = MAX2(rect->minx, ctx->scissor.minx);
   rect->miny = MAX2(rect->miny, ctx->scissor.miny);
   rect->maxx = MIN2(rect->maxx, ctx->scissor.maxx);
   rect->maxy = MIN2(rect->maxy, ctx->scissor.maxy);
}

/*
 * The length at which a batch is submitted before the next draw, about 1,000
 * vertices. The hardware then draws while the CPU prepares the next batch.
 * Tuned with the OpenArena time demo of `make bench-gl`.
 */
#define BATCH_WORDS 8192

bool
nv3_draw_begin(struct nv3_context *ctx)
{
   struct nv3_draw_state *state = ctx->state;
   struct pipe_scissor_state rect;

   /* Pending draws of the inner context must precede this draw. */
   nv3_inner_finish(ctx);
   if (nv3_pushbuf_words(ctx->chip->push) >= BATCH_WORDS &&
       !nv3_chip_submit(ctx))
      return false;
   if (!nv3_chip_select(ctx, state->color, state->zeta))
      return false;
   nv3_draw_clip(ctx, &rect);
   nv3_chip_clip(ctx, &rect);
   return true;
}

bool
nv3_draw_flush_deferred(struct nv3_context *ctx)
{
   return !ctx->deferred->count ||
          (nv3_deferred_flush(ctx) && nv3_draw_begin(ctx));
}
