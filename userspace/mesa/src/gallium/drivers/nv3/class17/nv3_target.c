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

#include "class17/nv3_class17.h"

#define PITCH_ALIGN 64

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

void
nv3_chip_lose(struct nv3_context *ctx, int error)
{
   ctx->lost = true;
   mesa_loge("nv3: lost a batch: %s", strerror(error));
}

void
nv3_chip_finish(struct nv3_context *ctx)
{
   /* libdrm_nv3 adds the buffers of selected objects to each batch. */
   int ret = ctx->lost ? 0 : nv3_pushbuf_flush(ctx->push, NULL, 0);

   if (ret)
      nv3_chip_lose(ctx, -ret);
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
   if (MAX2(fb->width, fb->height) > NV3_SURFACE_MAX)
      return "size of the framebuffer";
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
 * Waits for the chip. Then converts the render copy to the resource if @store
 * is set, otherwise the resource to the render copy. A resource with alpha gets
 * the alpha 1, and a resource with stencil keeps the stencil. Returns false if
 * memory is exhausted.
 */
static bool
convert(struct nv3_context *ctx, unsigned which, bool store)
{
   enum pipe_format format = which == NV3_ZETA ? PIPE_FORMAT_Z16_UNORM :
                                                 PIPE_FORMAT_B5G5R5X1_UNORM;
   struct pipe_surface *surface = nv3_target_surface(ctx, which);
   struct nv3_target *target = &ctx->targets[which];
   struct pipe_transfer *transfer;
   struct pipe_box box;
   void *map;

   nv3_chip_finish(ctx);
   u_box_2d_zslice(0, 0, surface->u.tex.first_layer, target->width,
                   target->height, &box);
   map = ctx->soft.texture_map(ctx->pipe, surface->texture,
                               surface->u.tex.level,
                               store ? PIPE_MAP_READ_WRITE : PIPE_MAP_READ,
                               &box, &transfer);
   if (!map)
      return false;
   if (store)
      util_format_translate(surface->format, map, transfer->stride, 0, 0,
                            format, target->map, target->pitch, 0, 0,
                            target->width, target->height);
   else
      util_format_translate(format, target->map, target->pitch, 0, 0,
                            surface->format, map, transfer->stride, 0, 0,
                            target->width, target->height);
   ctx->soft.texture_unmap(ctx->pipe, transfer);
   if (store)
      nv3_texture_changed(ctx->screen, surface->texture);
   ctx->conversions++;
   return true;
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

/* ---- creation ---- */

/* Selects @target as the chip's surface. Returns false on failure. */
static bool
select_surface(struct nv3_context *ctx, const struct nv3_target *target,
               bool zeta)
{
   const struct nv3_surface info = {
      .slot = zeta ? DRM_NV3_SURFACE_ZETA : NV3_COLOR_SLOT,
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
 * Creates and selects a render copy, and frees the previous one. Returns false
 * if memory is exhausted.
 */
static bool
create(struct nv3_context *ctx, unsigned which, unsigned width, unsigned height)
{
   struct nv3_target *target = &ctx->targets[which];

   nv3_bo_unref(target->bo);
   *target = (struct nv3_target) {
      .pitch = align(width * sizeof(uint16_t), PITCH_ALIGN),
      .width = width,
      .height = height,
   };
   if (!nv3_bo_new(ctx->screen->dev, (uint64_t)target->pitch * height,
                   DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM, &target->bo) &&
       !nv3_bo_map(target->bo, &target->map) &&
       select_surface(ctx, target, which == NV3_ZETA))
      return true;
   nv3_bo_unref(target->bo);
   memset(target, 0, sizeof(*target));
   return false;
}

/*
 * Creates both render copies, even without a depth buffer, because the kernel
 * limits the canvas to the size of the smallest surface in any slot.
 */
bool
nv3_targets_prepare(struct nv3_context *ctx)
{
   const struct pipe_framebuffer_state *fb =
      &llvmpipe_context(ctx->pipe)->framebuffer;

   for (unsigned i = 0; i < NV3_TARGETS; i++) {
      struct nv3_target *target = &ctx->targets[i];

      if ((target->width != fb->width || target->height != fb->height) &&
          !create(ctx, i, fb->width, fb->height))
         return false;
      if (!target->valid && (i == NV3_COLOR || ctx->state.zeta))
         target->valid = convert(ctx, i, false);
   }
   /* A conversion submits a batch, which may be lost. */
   return !ctx->lost && ctx->targets[NV3_COLOR].valid &&
          (ctx->targets[NV3_ZETA].valid || !ctx->state.zeta);
}
