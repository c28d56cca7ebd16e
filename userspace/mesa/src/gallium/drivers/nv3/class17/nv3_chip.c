/* SPDX-License-Identifier: MIT */
/*
 * Manages the channel of a context: its objects, the submission of batches, and
 * the methods that fill surfaces. libdrm_nv3 adds the buffers of selected
 * objects to each batch.
 */
#include <string.h>

#include "util/log.h"

#include "class17/nv3_class17.h"

static bool
make_objects(struct nv3_context *ctx)
{
   /*
    * Give each rectangle's colour the format of its surface, which is Y16 for
    * depth. The chip therefore neither converts nor dithers the colour.
    */
   const struct nv3_graph color = {
      .color_format = DRM_NV3_COLOR_X1R5G5B5,
      .operation = NV3_OPERATION_COPY,
      .dst_slots = 1 << NV3_SLOT_COLOR,
   };
   const struct nv3_graph zeta = {
      .color_format = DRM_NV3_COLOR_Y16,
      .operation = NV3_OPERATION_COPY,
      .dst_slots = 1 << NV3_SLOT_ZETA,
   };
   const struct nv3_graph clip = { .operation = NV3_OPERATION_COPY };

   return !nv3_graph_new(ctx->chan, 0, NV3_CLASS_RECT, &color, &ctx->rect) &&
          !nv3_graph_new(ctx->chan, 0, NV3_CLASS_RECT, &zeta,
                         &ctx->zeta_rect) &&
          !nv3_graph_new(ctx->chan, 0, NV3_CLASS_CLIP, &clip, &ctx->clip);
}

bool
nv3_chip_init(struct nv3_context *ctx)
{
   if (nv3_channel_new(ctx->screen->dev, DRM_NV3_CHANNEL_DMA, &ctx->chan) ||
       !make_objects(ctx) || nv3_pushbuf_new(ctx->chan, &ctx->push))
      return false;
   nv3_pushbuf_select(ctx->push, NV3_SUBCH_RECT, ctx->rect);
   nv3_pushbuf_select(ctx->push, NV3_SUBCH_ZETA_RECT, ctx->zeta_rect);
   nv3_pushbuf_select(ctx->push, NV3_SUBCH_CLIP, ctx->clip);
   return true;
}

void
nv3_chip_fini(struct nv3_context *ctx)
{
   if (ctx->push)
      nv3_pushbuf_del(ctx->push);
   nv3_object_unref(ctx->rect);
   nv3_object_unref(ctx->zeta_rect);
   nv3_object_unref(ctx->clip);
   nv3_channel_unref(ctx->chan);
}

bool
nv3_chip_flush(struct nv3_context *ctx)
{
   struct drm_nv3_channel_query query;
   int ret;

   if (ctx->lost)
      return false;
   ret = nv3_pushbuf_flush(ctx->push, NULL, 0);
   if (!ret)
      return true;
   ctx->lost = true;
   if (nv3_channel_query(ctx->chan, &query))
      memset(&query, 0, sizeof(query));
   mesa_loge("nv3: lost a batch (%s): %s at method 0x%x of class 0x%x (0x%x)",
             strerror(-ret), nv3_fault_name(query.fault), query.method,
             query.class_id, query.data);
   return false;
}

void
nv3_chip_finish(struct nv3_context *ctx)
{
   nv3_chip_flush(ctx);
   nv3_pushbuf_wait(ctx->push, nv3_pushbuf_seq(ctx->push), INT64_MAX);
}

bool
nv3_chip_fill(struct nv3_context *ctx, bool zeta, uint16_t value)
{
   const struct nv3_target *target = &ctx->targets[zeta];
   unsigned subch = zeta ? NV3_SUBCH_ZETA_RECT : NV3_SUBCH_RECT;

   /* Keep these words in one batch, because a new batch resets the colour. */
   if (nv3_pushbuf_space(ctx->push, 5))
      return false;
   nv3_push_method(ctx->push, subch, NV3_RECT_COLOR, value);
   nv3_push_begin(ctx->push, subch, NV3_RECT_POINT(0), 2);
   nv3_push(ctx->push, 0);
   nv3_push(ctx->push, target->height << 16 | target->width);
   return true;
}
