/* SPDX-License-Identifier: MIT */
/*
 * A context's channel: its objects, the selected surfaces, and filled
 * rectangles. libdrm_nv3 adds the buffers of selected objects to each batch.
 */
#include <errno.h>
#include <string.h>

#include "util/log.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "base/nv3_context.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_target.h"

#define SLOT_ZETA DRM_NV3_SURFACE_ZETA

static bool
make_rects(struct nv3_chip *chip)
{
   /*
    * The source has the format of the surface, so the chip neither converts
    * nor dithers it. Depth is filled as a surface of 16-bit words.
    */
   const struct nv3_graph color = {
      .color_format = DRM_NV3_COLOR_X1R5G5B5,
      .operation = NV3_OPERATION_COPY,
      .dst_slots = 1 << NV3_SLOT_COLOR,
   };
   const struct nv3_graph zeta = {
      .color_format = DRM_NV3_COLOR_Y16,
      .operation = NV3_OPERATION_COPY,
      .dst_slots = 1 << SLOT_ZETA,
   };

   return !nv3_graph_new(chip->chan, 0, NV3_CLASS_RECT, &color, &chip->rect) &&
          !nv3_graph_new(chip->chan, 0, NV3_CLASS_RECT, &zeta,
                         &chip->zeta_rect);
}

/* Binds the objects whose subchannels do not change. */
static void
select_fixed(struct nv3_chip *chip)
{
   nv3_pushbuf_select(chip->push, NV3_SUBCH_RECT, chip->rect);
   nv3_pushbuf_select(chip->push, NV3_SUBCH_ZETA_RECT, chip->zeta_rect);
   nv3_pushbuf_select(chip->push, NV3_SUBCH_CLIP, chip->clip);
}

bool
nv3_chip_init(struct nv3_context *ctx, nv3_finish_func finish)
{
   struct nv3_chip *chip = CALLOC_STRUCT(nv3_chip);
   const struct nv3_graph clip = { .operation = NV3_OPERATION_COPY };

   ctx->chip = chip;
   if (!chip)
      return false;
   chip->finish = finish;
   if (nv3_channel_new(ctx->screen->dev, DRM_NV3_CHANNEL_DMA, &chip->chan))
      return false;
   if (!make_rects(chip) ||
       nv3_graph_new(chip->chan, 0, NV3_CLASS_CLIP, &clip, &chip->clip) ||
       nv3_pushbuf_new(chip->chan, &chip->push))
      return false;
   select_fixed(chip);
   return true;
}

static void
drop_surface(struct nv3_surface_object *surface)
{
   nv3_object_unref(surface->object);
   surface->object = NULL;
   nv3_target_reference(&surface->target, NULL);
}

void
nv3_chip_drop_surfaces(struct nv3_context *ctx)
{
   struct nv3_chip *chip = ctx->chip;

   for (unsigned i = 0; i < NV3_SURFACE_CACHE; i++) {
      struct nv3_surface_object *surface = &chip->surfaces[i];

      if (surface->target && surface->target != chip->color &&
          surface->target != chip->zeta &&
          surface->target != chip->drawn &&
          p_atomic_read(&surface->target->reference.count) == 1)
         drop_surface(surface);
   }
}

static void
forget_targets(struct nv3_chip *chip)
{
   nv3_target_reference(&chip->color, NULL);
   nv3_target_reference(&chip->zeta, NULL);
   nv3_target_reference(&chip->drawn, NULL);
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
   for (unsigned i = 0; i < NV3_SURFACE_CACHE; i++)
      drop_surface(&chip->surfaces[i]);
   for (unsigned i = 0; i < NV3_MAX_SLABS * NV3_COLOR_SLOTS * 2; i++)
      nv3_object_unref((&chip->d3d[0][0][0])[i]);
   nv3_object_unref(chip->rect);
   nv3_object_unref(chip->zeta_rect);
   nv3_object_unref(chip->clip);
   nv3_bo_unref(chip->opaque);
   nv3_channel_unref(chip->chan);
   FREE(chip);
   ctx->chip = NULL;
}

/*
 * The buffers of a batch did not fit in VRAM. The batch and the objects it
 * selected are lost, but the channel still works. Software draws until the
 * framebuffer changes.
 */
static void
out_of_memory(struct nv3_context *ctx)
{
   struct nv3_chip *chip = ctx->chip;

   if (!chip->reported_no_memory)
      mesa_loge("nv3: the buffers of a batch do not fit in VRAM");
   chip->no_memory = chip->reported_no_memory = true;
   ctx->dirty |= NV3_NEW_FRAMEBUFFER;

   forget_targets(chip);
   chip->targets_bytes = 0;
   chip->selected = NULL;
   chip->d3d_current = false;
   chip->clip_known = false;
   select_fixed(chip);
}

static void
channel_stopped(struct nv3_context *ctx, int error)
{
   struct nv3_chip *chip = ctx->chip;
   struct drm_nv3_channel_query query;

   chip->lost = true;
   ctx->dirty |= NV3_NEW_FRAMEBUFFER;
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
nv3_chip_submit(struct nv3_context *ctx)
{
   bool ok = flush(ctx, NULL, 0);

   /* The lost batch contained deferred blends. */
   if (!ok)
      ctx->chip->finish(ctx, false);
   return ok;
}

bool
nv3_chip_flush(struct nv3_context *ctx)
{
   bool ok = flush(ctx, NULL, 0);

   ctx->chip->finish(ctx, ok);
   return ok;
}

bool
nv3_chip_signal(struct nv3_context *ctx, uint32_t syncobj)
{
   const struct drm_nv3_sync out = { .handle = syncobj };

   if (flush(ctx, &out, 1))
      return true;
   ctx->chip->finish(ctx, false);
   /* Signal the syncobj after the batch that precedes the lost one. */
   return flush(ctx, &out, 1);
}

struct nv3_object *
nv3_chip_dma(struct nv3_context *ctx, struct nv3_bo *bo, uint32_t flags)
{
   struct nv3_object *dma;

   if (nv3_dma_new(ctx->chip->chan, 0, bo, 0, nv3_bo_size(bo), flags, &dma))
      return NULL;
   return dma;
}

/* ---- surfaces ---- */

/*
 * Returns the surface object of @target in @slot. A new one replaces the least
 * recently used one.
 */
static struct nv3_object *
surface_of(struct nv3_context *ctx, struct nv3_target *target, unsigned slot)
{
   struct nv3_chip *chip = ctx->chip;
   struct nv3_surface_object *oldest = &chip->surfaces[0];
   const struct nv3_surface info = {
      .slot = slot,
      .format = target->zeta ? DRM_NV3_FORMAT_Y16 : DRM_NV3_FORMAT_X1R5G5B5,
      .pitch = target->pitch,
      .width = target->width,
      .height = target->height,
   };

   for (unsigned i = 0; i < NV3_SURFACE_CACHE; i++) {
      struct nv3_surface_object *surface = &chip->surfaces[i];

      if (surface->target == target && surface->slot == slot) {
         surface->used = ++chip->surface_clock;
         return surface->object;
      }
      if (!surface->target || (oldest->target && surface->used < oldest->used))
         oldest = surface;
   }
   drop_surface(oldest);
   if (nv3_surface_new(chip->chan, 0, target->bo, &info, &oldest->object))
      return NULL;
   nv3_target_reference(&oldest->target, target);
   oldest->slot = slot;
   oldest->used = ++chip->surface_clock;
   return oldest->object;
}

static uint64_t
bytes_of(const struct nv3_target *target)
{
   return target ? nv3_bo_size(target->bo) : 0;
}

/*
 * All render targets of a batch and the presented picture must be in VRAM at
 * the same time. Flush before the render targets exceed half of VRAM.
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
   struct nv3_object *object;

   if (!target || *selected == target)
      return true;
   if (!count_target(ctx, target))
      return false;
   object = surface_of(ctx, target, slot);
   if (!object ||
       nv3_pushbuf_select(ctx->chip->push, NV3_SUBCH_SURFACE, object))
      return false;
   nv3_target_reference(selected, target);
   ctx->chip->d3d_current = false;
   return true;
}

/*
 * The canvas has the size of the smallest surface in any slot. If the surface
 * of an unused slot is smaller than @target, select @target in this slot as
 * well. Nothing draws to @target through this slot.
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
   struct nv3_target *target = color ? color : zeta;

   if (chip->lost)
      return false;
   return select_target(ctx, &chip->color, color, NV3_SLOT_COLOR) &&
          select_target(ctx, &chip->zeta, zeta, SLOT_ZETA) &&
          (color ||
           replace_smaller(ctx, &chip->color, target, NV3_SLOT_COLOR)) &&
          (zeta || replace_smaller(ctx, &chip->zeta, target, SLOT_ZETA)) &&
          replace_smaller(ctx, &chip->drawn, target, NV3_SLOT_DRAWN);
}

bool
nv3_chip_select_intermediate(struct nv3_context *ctx, struct nv3_target *drawn)
{
   struct nv3_chip *chip = ctx->chip;

   /* A batch with other render targets has no room for this one. */
   if (nv3_pushbuf_seq(chip->push) == chip->targets_batch &&
       chip->targets_bytes > bytes_of(chip->color) + bytes_of(chip->zeta) &&
       !nv3_chip_flush(ctx))
      return false;
   return select_target(ctx, &chip->drawn, drawn, NV3_SLOT_DRAWN);
}

void
nv3_chip_clip(struct nv3_context *ctx, const struct pipe_scissor_state *scissor)
{
   struct nv3_chip *chip = ctx->chip;
   uint32_t point = 0, width = NV3_SURFACE_MAX, height = NV3_SURFACE_MAX;
   uint32_t size;

   if (scissor) {
      point = scissor->miny << 16 | scissor->minx;
      width = scissor->maxx - MIN2(scissor->minx, scissor->maxx);
      height = scissor->maxy - MIN2(scissor->miny, scissor->maxy);
   }
   size = height << 16 | width;
   if (chip->clip_known && point == chip->clip_point && size == chip->clip_size)
      return;
   chip->d3d_current = false;
   nv3_push_begin(chip->push, NV3_SUBCH_CLIP, NV3_CLIP_POINT, 2);
   nv3_push(chip->push, point);
   nv3_push(chip->push, size);
   chip->clip_point = point;
   chip->clip_size = size;
   chip->clip_known = true;
}

bool
nv3_chip_fill(struct nv3_context *ctx, bool zeta, uint16_t value, unsigned x,
              unsigned y, unsigned width, unsigned height)
{
   struct nv3_pushbuf *push = ctx->chip->push;
   unsigned subch = zeta ? NV3_SUBCH_ZETA_RECT : NV3_SUBCH_RECT;

   ctx->chip->d3d_current = false;
   /* Another object or a new batch resets the colour. */
   if (nv3_pushbuf_space(push, 5))
      return false;
   nv3_push_method(push, subch, NV3_RECT_COLOR, value);
   nv3_push_begin(push, subch, NV3_RECT_POINT(0), 2);
   nv3_push(push, y << 16 | x);
   nv3_push(push, height << 16 | width);
   return true;
}
