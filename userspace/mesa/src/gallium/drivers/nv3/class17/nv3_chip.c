/* SPDX-License-Identifier: MIT */
/*
 * Manages the channel of a context: the channel's objects and selected
 * surfaces, and the commands that fill rectangles. libdrm_nv3 adds the
 * buffers of selected objects to each batch.
 */
#include <errno.h>
#include <string.h>

#include "util/log.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "base/nv3_sync.h"
#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_resource.h"

static bool
make_objects(struct nv3_chip *chip)
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

   return !nv3_graph_new(chip->chan, 0, NV3_CLASS_RECT, &color, &chip->rect) &&
          !nv3_graph_new(chip->chan, 0, NV3_CLASS_RECT, &zeta,
                         &chip->zeta_rect) &&
          !nv3_graph_new(chip->chan, 0, NV3_CLASS_CLIP, &clip, &chip->clip);
}

/* Binds the objects that stay bound to their subchannels. */
static void
select_fixed(struct nv3_chip *chip)
{
   nv3_pushbuf_select(chip->push, NV3_SUBCH_RECT, chip->rect);
   nv3_pushbuf_select(chip->push, NV3_SUBCH_ZETA_RECT, chip->zeta_rect);
   nv3_pushbuf_select(chip->push, NV3_SUBCH_CLIP, chip->clip);
}

bool
nv3_chip_init(struct nv3_context *ctx)
{
   struct nv3_chip *chip = CALLOC_STRUCT(nv3_chip);

   ctx->chip = chip;
   if (!chip ||
       nv3_channel_new(ctx->screen->dev, DRM_NV3_CHANNEL_DMA, &chip->chan) ||
       !make_objects(chip) || nv3_pushbuf_new(chip->chan, &chip->push))
      return false;
   select_fixed(chip);
   return true;
}

static void
forget_targets(struct nv3_chip *chip)
{
   nv3_target_reference(&chip->color, NULL);
   nv3_target_reference(&chip->zeta, NULL);
}

void
nv3_chip_fini(struct nv3_context *ctx)
{
   struct nv3_chip *chip = ctx->chip;

   if (!chip)
      return;
   if (chip->push)
      nv3_pushbuf_del(chip->push);
   forget_targets(chip);
   nv3_object_unref(chip->rect);
   nv3_object_unref(chip->zeta_rect);
   nv3_object_unref(chip->clip);
   nv3_channel_unref(chip->chan);
   FREE(chip);
   ctx->chip = NULL;
}

/* ---- batches ---- */

/*
 * Handles a batch whose buffers did not fit in VRAM. The batch is lost,
 * together with the bindings that it contains, but the channel still works.
 * The inner context executes all draws until the framebuffer changes.
 */
static void
out_of_memory(struct nv3_context *ctx)
{
   struct nv3_chip *chip = ctx->chip;

   if (!chip->reported_no_memory)
      mesa_loge("nv3: the buffers of a batch do not fit in VRAM");
   chip->no_memory = chip->reported_no_memory = true;
   ctx->dirty = true;
   forget_targets(chip);
   chip->targets_bytes = 0;
   select_fixed(chip);
}

static void
channel_stopped(struct nv3_context *ctx, int error)
{
   struct nv3_chip *chip = ctx->chip;
   struct drm_nv3_channel_query query;

   chip->lost = true;
   ctx->dirty = true;
   if (nv3_channel_query(chip->chan, &query))
      return;
   mesa_loge(
      "nv3: the channel stopped (%s): %s at method 0x%x of class 0x%x (0x%x)",
      strerror(-error), nv3_fault_name(query.fault), query.method,
      query.class_id, query.data);
}

static bool
flush(struct nv3_context *ctx, const struct drm_nv3_sync *out, unsigned count)
{
   struct nv3_chip *chip = ctx->chip;
   int ret;

   if (chip->lost)
      return false;
   ret = nv3_pushbuf_flush(chip->push, out, count);
   if (ret == -ENOMEM || ret == -ENOSPC)
      out_of_memory(ctx);
   else if (ret)
      channel_stopped(ctx, ret);
   return !ret;
}

bool
nv3_chip_flush(struct nv3_context *ctx)
{
   return flush(ctx, NULL, 0);
}

bool
nv3_chip_signal(struct nv3_context *ctx, uint32_t syncobj)
{
   const struct drm_nv3_sync out = { .handle = syncobj };

   /*
    * If the first call loses the batch for lack of memory, the second call
    * submits a batch that only binds objects. This batch signals @syncobj after
    * the earlier batches.
    */
   return flush(ctx, &out, 1) || flush(ctx, &out, 1);
}

void
nv3_chip_wait(struct nv3_bo *bo)
{
   int64_t since = 0;

   while (nv3_keep_polling(&since)) {
      if (!nv3_bo_wait(bo, DRM_NV3_GEM_WAIT_WRITE, 0))
         return;
   }
   nv3_bo_wait(bo, DRM_NV3_GEM_WAIT_WRITE, INT64_MAX);
}

/* ---- surfaces ---- */

static uint64_t
bytes_of(const struct nv3_target *target)
{
   return target ? nv3_bo_size(target->bo) : 0;
}

/*
 * Adds the size of @target to the total size of the batch's render targets.
 * Flushes the batch first if the sum would exceed half of VRAM, because the
 * displayed buffer must also fit in VRAM. Returns false if the flush loses
 * the batch.
 */
static bool
count_target(struct nv3_context *ctx, const struct nv3_target *target)
{
   struct nv3_chip *chip = ctx->chip;
   uint64_t now = bytes_of(chip->color) + bytes_of(chip->zeta);

   if (nv3_pushbuf_seq(chip->push) != chip->targets_batch) {
      chip->targets_batch = nv3_pushbuf_seq(chip->push);
      chip->targets_bytes = now;
   }
   if (chip->targets_bytes > now &&
       chip->targets_bytes + bytes_of(target) > ctx->screen->vram / 2) {
      if (!nv3_chip_flush(ctx))
         return false;
      chip->targets_batch = nv3_pushbuf_seq(chip->push);
      chip->targets_bytes = now;
   }
   chip->targets_bytes += bytes_of(target);
   return true;
}

static bool
select_target(struct nv3_context *ctx, struct nv3_target **selected,
              struct nv3_target *target, unsigned slot)
{
   const struct nv3_surface info = {
      .slot = slot,
      .format = target && target->zeta ? DRM_NV3_FORMAT_Y16
                                       : DRM_NV3_FORMAT_X1R5G5B5,
      .pitch = target ? target->pitch : 0,
      .width = target ? target->width : 0,
      .height = target ? target->height : 0,
   };
   struct nv3_object *object;
   int ret;

   if (!target || *selected == target)
      return true;
   if (!count_target(ctx, target) ||
       nv3_surface_new(ctx->chip->chan, 0, target->bo, &info, &object))
      return false;
   ret = nv3_pushbuf_select(ctx->chip->push, NV3_SUBCH_SURFACE, object);
   nv3_object_unref(object);
   if (ret)
      return false;
   nv3_target_reference(selected, target);
   return true;
}

/*
 * The kernel limits the canvas to the size of the smallest surface in any
 * slot. If the old surface in the unused slot @slot is smaller than @target,
 * selects @target in @slot as well. Returns false on failure.
 */
static bool
replace_smaller(struct nv3_context *ctx, struct nv3_target **selected,
                struct nv3_target *target, unsigned slot)
{
   if (!*selected || !target ||
       ((*selected)->width >= target->width &&
        (*selected)->height >= target->height))
      return true;
   return select_target(ctx, selected, target, slot);
}

bool
nv3_chip_select(struct nv3_context *ctx, struct nv3_target *color,
                struct nv3_target *zeta)
{
   struct nv3_chip *chip = ctx->chip;

   return !chip->lost &&
          select_target(ctx, &chip->color, color, NV3_SLOT_COLOR) &&
          select_target(ctx, &chip->zeta, zeta, NV3_SLOT_ZETA) &&
          (color || replace_smaller(ctx, &chip->color, zeta, NV3_SLOT_COLOR)) &&
          (zeta || replace_smaller(ctx, &chip->zeta, color, NV3_SLOT_ZETA));
}

void
nv3_chip_clip(struct nv3_context *ctx, const struct pipe_scissor_state *scissor)
{
   struct nv3_chip *chip = ctx->chip;
   uint32_t point = scissor->miny << 16 | scissor->minx;
   uint32_t width = scissor->maxx - MIN2(scissor->minx, scissor->maxx);
   uint32_t height = scissor->maxy - MIN2(scissor->miny, scissor->maxy);
   uint32_t size = height << 16 | width;

   nv3_push_begin(chip->push, NV3_SUBCH_CLIP, NV3_CLIP_POINT, 2);
   nv3_push(chip->push, point);
   nv3_push(chip->push, size);
}

/* ---- rectangles ---- */

bool
nv3_chip_fill(struct nv3_context *ctx, bool zeta, uint16_t value, unsigned x,
              unsigned y, unsigned width, unsigned height)
{
   struct nv3_pushbuf *push = ctx->chip->push;
   unsigned subch = zeta ? NV3_SUBCH_ZETA_RECT : NV3_SUBCH_RECT;

   /* Keep these words in one batch, because a new batch resets the colour. */
   if (nv3_pushbuf_space(push, 5))
      return false;
   nv3_push_method(push, subch, NV3_RECT_COLOR, value);
   nv3_push_begin(push, subch, NV3_RECT_POINT(0), 2);
   nv3_push(push, y << 16 | x);
   nv3_push(push, height << 16 | width);
   return true;
}
