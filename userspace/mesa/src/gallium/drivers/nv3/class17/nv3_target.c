/* SPDX-License-Identifier: MIT */
/*
 * Implements the channel of a context, and render copies: the buffers to which
 * the chip draws, and the CPU's conversions between them and llvmpipe's
 * resources. Only the bound framebuffer of a context has render copies. The
 * context converts them to the resources before llvmpipe, the CPU, another
 * context or another process accesses the resources.
 */
#include <string.h>

#include "llvmpipe/lp_texture.h"
#include "util/format/u_format.h"
#include "util/log.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_surface.h"

#include "class17/nv3_class17.h"

#define PITCH_ALIGN  64

#define COLOR_FORMAT PIPE_FORMAT_B5G5R5X1_UNORM

/* ---- the channel ---- */

bool
nv3_chip_init(struct nv3_context *ctx)
{
   const struct nv3_graph clip = { .operation = NV3_OPERATION_COPY };

   if (nv3_channel_new(ctx->screen->dev, DRM_NV3_CHANNEL_DMA, &ctx->chan) ||
       nv3_graph_new(ctx->chan, 0, NV3_CLASS_CLIP, &clip, &ctx->clip) ||
       nv3_pushbuf_new(ctx->chan, &ctx->push))
      return false;
   nv3_pushbuf_select(ctx->push, NV3_SUBCH_CLIP, ctx->clip);
   return true;
}

void
nv3_chip_fini(struct nv3_context *ctx)
{
   if (ctx->push)
      nv3_pushbuf_del(ctx->push);
   for (unsigned i = 0; i < NV3_TARGETS; i++)
      nv3_bo_unref(ctx->targets[i].bo);
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
   /* libdrm_nv3 adds the buffers of selected objects to each batch. */
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

/* ---- selection ---- */

struct pipe_surface *
nv3_target_surface(const struct nv3_context *ctx, unsigned which)
{
   const struct pipe_framebuffer_state *fb =
      &llvmpipe_context(ctx->pipe)->framebuffer;

   return which == NV3_ZETA ? fb->zsbuf : fb->nr_cbufs ? fb->cbufs[0] : NULL;
}

bool
nv3_can_convert(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_B8G8R8A8_UNORM:
   case PIPE_FORMAT_B8G8R8X8_UNORM:
   case PIPE_FORMAT_R8G8B8A8_UNORM:
   case PIPE_FORMAT_R8G8B8X8_UNORM:
   case PIPE_FORMAT_B5G6R5_UNORM:
   case PIPE_FORMAT_B5G5R5A1_UNORM:
   case PIPE_FORMAT_B5G5R5X1_UNORM:
      return true;
   default:
      return util_format_has_depth(util_format_description(format)) &&
             !util_format_is_float(format);
   }
}

const char *
nv3_targets_refuse(struct nv3_context *ctx)
{
   const struct pipe_framebuffer_state *fb =
      &llvmpipe_context(ctx->pipe)->framebuffer;
   const struct pipe_surface *color = nv3_target_surface(ctx, NV3_COLOR);
   uint64_t pixels = (uint64_t)fb->width * fb->height;
   const struct pipe_resource *res;
   bool shared;

   if (!color)
      return "no colour buffer";
   res = color->texture;
   shared = llvmpipe_resource_const(res)->dt != NULL;
   if (!nv3_can_convert(color->format) || color->format != res->format ||
       (fb->zsbuf && !nv3_can_convert(fb->zsbuf->format)))
      return "format of the framebuffer";
   if (color->u.tex.first_layer != color->u.tex.last_layer ||
       MAX2(fb->width, fb->height) > NV3_SURFACE_MAX)
      return "layers or size of the framebuffer";
   /*
    * A window also needs room for the displayed buffer, which has 32 bits per
    * pixel. The memory that other buffers occupy counts as free, because the
    * kernel can evict them.
    */
   if (pixels * (shared ? 8 : 4) > ctx->screen->vram)
      return "framebuffer too large for VRAM";
   /* A window is opaque, but the alpha of a texture must be preserved. */
   if (util_format_has_alpha(res->format) &&
       res->bind & PIPE_BIND_SAMPLER_VIEW && !shared)
      return "colour buffer with alpha";
   return NULL;
}

/* ---- conversions ---- */

/*
 * Converts the render copy of a depth buffer to @map, in @format, if @store is
 * set, and @map to the render copy otherwise. Preserves the stencil bits of
 * @map, because util_format_pack_z_32unorm() does not change them.
 */
static void
convert_depth(struct nv3_target *target, enum pipe_format format, uint8_t *map,
              unsigned stride, bool store)
{
   uint32_t depth[NV3_SURFACE_MAX];

   for (unsigned y = 0; y < target->height; y++) {
      uint16_t *line = (uint16_t *)((uint8_t *)target->map + y * target->pitch);

      if (!store)
         util_format_unpack_z_32unorm(format, depth, map, target->width);
      for (unsigned x = 0; x < target->width; x++) {
         if (store)
            depth[x] = line[x] * 0x10001u;
         else
            line[x] = depth[x] >> 16;
      }
      if (store)
         util_format_pack_z_32unorm(format, map, depth, target->width);
      map += stride;
   }
}

/*
 * Waits for the chip. Then converts the render copy to the resource if @store
 * is set, otherwise the resource to the render copy. A resource with alpha gets
 * the alpha 1. Returns false if memory is exhausted.
 */
static bool
convert(struct nv3_context *ctx, unsigned which, bool store)
{
   struct pipe_surface *surface = nv3_target_surface(ctx, which);
   struct nv3_target *target = &ctx->targets[which];
   struct pipe_transfer *transfer;
   struct pipe_box box;
   uint8_t *map;

   nv3_chip_finish(ctx);
   u_box_2d_zslice(0, 0, surface->u.tex.first_layer, target->width,
                   target->height, &box);
   map = ctx->soft.texture_map(ctx->pipe, surface->texture,
                               surface->u.tex.level,
                               store ? PIPE_MAP_READ_WRITE : PIPE_MAP_READ,
                               &box, &transfer);
   if (!map)
      return false;
   if (which == NV3_ZETA)
      convert_depth(target, surface->format, map, transfer->stride, store);
   else if (store)
      util_format_translate(surface->format, map, transfer->stride, 0, 0,
                            COLOR_FORMAT, target->map, target->pitch, 0, 0,
                            target->width, target->height);
   else
      util_format_translate(COLOR_FORMAT, target->map, target->pitch, 0, 0,
                            surface->format, map, transfer->stride, 0, 0,
                            target->width, target->height);
   ctx->soft.texture_unmap(ctx->pipe, transfer);
   if (store)
      nv3_texture_changed(ctx->screen, surface->texture);
   ctx->count.converted++;
   return true;
}

bool
nv3_target_load(struct nv3_context *ctx, unsigned which)
{
   struct nv3_target *target = &ctx->targets[which];

   if (!target->valid)
      target->valid = convert(ctx, which, false);
   return target->valid;
}

void
nv3_target_clear(struct nv3_context *ctx, unsigned which, uint16_t value)
{
   struct nv3_target *target = &ctx->targets[which];
   union util_color pixel = { .us = value };

   nv3_chip_finish(ctx);
   util_fill_rect(target->map, COLOR_FORMAT, target->pitch, 0, 0,
                  target->width, target->height, &pixel);
   target->valid = target->newer = true;
}

bool
nv3_targets_release(struct nv3_context *ctx)
{
   bool released = true;

   for (unsigned i = 0; i < NV3_TARGETS; i++) {
      struct nv3_target *target = &ctx->targets[i];

      if (target->newer)
         target->newer = !convert(ctx, i, true);
      target->valid = target->newer;
      released &= !target->newer;
   }
   return released;
}

void
nv3_targets_discard(struct nv3_context *ctx)
{
   for (unsigned i = 0; i < NV3_TARGETS; i++)
      ctx->targets[i].valid = ctx->targets[i].newer = false;
}

/* ---- creation ---- */

/* Selects @target as the chip's surface. Returns false on failure. */
static bool
select_surface(struct nv3_context *ctx, const struct nv3_target *target,
               bool zeta)
{
   const struct nv3_surface info = {
      .slot = zeta ? NV3_SLOT_ZETA : NV3_SLOT_COLOR,
      .format = zeta ? DRM_NV3_FORMAT_Y16 : DRM_NV3_FORMAT_X1R5G5B5,
      .pitch = target->pitch,
      .width = target->width,
      .height = target->height,
   };
   struct nv3_object *object;
   int ret;

   if (nv3_surface_new(ctx->chan, 0, target->bo, &info, &object))
      return false;
   ret = nv3_pushbuf_select(ctx->push, NV3_SUBCH_SURFACE, object);
   nv3_object_unref(object);
   return !ret;
}

/*
 * Creates and selects a render copy, and frees the previous one. Returns false,
 * and keeps the previous one, if memory is exhausted.
 */
static bool
create(struct nv3_context *ctx, unsigned which, unsigned width, unsigned height)
{
   struct nv3_target *target = &ctx->targets[which], old = *target;

   *target = (struct nv3_target) {
      .pitch = align(width * sizeof(uint16_t), PITCH_ALIGN),
      .width = width,
      .height = height,
   };
   if (nv3_bo_new(ctx->screen->dev, (uint64_t)target->pitch * height,
                  DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM, &target->bo) ||
       nv3_bo_map(target->bo, &target->map) ||
       !select_surface(ctx, target, which == NV3_ZETA)) {
      nv3_bo_unref(target->bo);
      *target = old;
      return false;
   }
   nv3_bo_unref(old.bo);
   return true;
}

/*
 * Creates both render copies, even without a depth buffer, because the kernel
 * limits the canvas to the size of the smallest surface in any slot.
 */
bool
nv3_targets_create(struct nv3_context *ctx)
{
   const struct pipe_framebuffer_state *fb =
      &llvmpipe_context(ctx->pipe)->framebuffer;

   for (unsigned i = 0; i < NV3_TARGETS; i++) {
      const struct nv3_target *target = &ctx->targets[i];

      if ((target->width != fb->width || target->height != fb->height) &&
          !create(ctx, i, fb->width, fb->height))
         return false;
   }
   return true;
}
