/* SPDX-License-Identifier: MIT */
/*
 * Presentation: class 0x0e (scaled image from memory) converts a render copy
 * from X1R5G5B5 to 8888 at the same size.
 *
 * The chip expands colours with zeros and sets the fourth byte to 0. If that
 * byte is alpha, class 0x0d then writes 255 to every fourth byte.
 */
#include "util/u_math.h"

#include "base/nv3_context.h"
#include "base/nv3_log.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_m2mf.h"
#include "channel/nv3_sync.h"
#include "channel/nv3_target.h"
#include "resource/nv3_presentation.h"
#include "resource/nv3_resource.h"

/* The maximum width and height of a source, in pixels. */
#define SOURCE_MAX     1024
#define STEP_ONE       (1u << 20)
/* The length of the buffer that is copied to each line's alpha bytes. */
#define OPAQUE_BYTES   4096

static void
drop(struct nv3_converter *conv)
{
   nv3_object_unref(conv->image);
   nv3_object_unref(conv->surface);
   nv3_object_unref(conv->copy);
   nv3_object_unref(conv->alpha);
   conv->image = conv->surface = conv->copy = conv->alpha = NULL;
   nv3_bo_unref(conv->bo);
   nv3_bo_unref(conv->staging);
   conv->bo = conv->staging = NULL;
   nv3_target_reference(&conv->target, NULL);
}

void
nv3_presentation_drop(struct nv3_context *ctx, bool all)
{
   for (unsigned i = 0; i < NV3_CONVERTERS; i++) {
      struct nv3_converter *conv = &ctx->chip->converters[i];

      /*
       * The converter has one reference, and a surface object may have another.
       */
      if (conv->target &&
          (all || p_atomic_read(&conv->target->reference.count) <= 2))
         drop(conv);
   }
}

/*
 * True if the render copy, its converted picture and the picture on the screen
 * together exceed VRAM. The render copy is then first copied to system memory,
 * from which class 0x0e can read as well.
 */
static bool
needs_staging(const struct nv3_context *ctx, const struct nv3_resource *res)
{
   uint64_t shown = nv3_bo_size(res->bo);

   return nv3_bo_size(res->target->bo) + 2 * shown > ctx->screen->vram;
}

static bool
make_staging(struct nv3_context *ctx, struct nv3_converter *conv,
             struct nv3_target *target)
{
   if (!nv3_device_has_class(ctx->screen->dev, NV3_CLASS_M2MF) ||
       nv3_bo_new(ctx->screen->dev, nv3_bo_size(target->bo),
                  DRM_NV3_GEM_SYSTEM, &conv->staging))
      return false;
   conv->copy = nv3_m2mf_new(ctx, target->bo, conv->staging);
   return conv->copy != NULL;
}

/* Returns the context's buffer of 255s, created on first use. */
static struct nv3_bo *
opaque_bytes(struct nv3_context *ctx)
{
   struct nv3_chip *chip = ctx->chip;
   void *map;

   if (chip->opaque ||
       nv3_bo_new(ctx->screen->dev, OPAQUE_BYTES, DRM_NV3_GEM_SYSTEM,
                  &chip->opaque))
      return chip->opaque;
   if (nv3_bo_map(chip->opaque, &map)) {
      nv3_bo_unref(chip->opaque);
      chip->opaque = NULL;
      return NULL;
   }
   memset(map, 0xff, OPAQUE_BYTES);
   return chip->opaque;
}

static bool
has_alpha(const struct nv3_resource *res)
{
   return res->base.format == PIPE_FORMAT_B8G8R8A8_UNORM;
}

static bool
make_alpha(struct nv3_context *ctx, struct nv3_converter *conv,
           const struct nv3_resource *res)
{
   struct nv3_bo *opaque = opaque_bytes(ctx);

   if (opaque)
      conv->alpha = nv3_m2mf_new(ctx, opaque, res->bo);
   return conv->alpha != NULL;
}

static bool
make_image(struct nv3_context *ctx, struct nv3_converter *conv,
           struct nv3_target *target)
{
   struct nv3_graph info = {
      .color_format = DRM_NV3_COLOR_X1R5G5B5,
      .operation = NV3_OPERATION_COPY,
      .dst_slots = 1 << 0,
   };

   info.dma[0] =
      nv3_chip_dma(ctx, conv->staging ? conv->staging : target->bo, 0);
   if (!info.dma[0] ||
       nv3_graph_new(ctx->chip->chan, 0, NV3_CLASS_SIFM, &info, &conv->image))
      conv->image = NULL;
   nv3_object_unref(info.dma[0]);
   return conv->image != NULL;
}

static bool
make(struct nv3_context *ctx, struct nv3_resource *res,
     struct nv3_converter *conv)
{
   struct nv3_chip *chip = ctx->chip;
   struct nv3_target *target = res->target;
   const struct nv3_surface surface = {
      .slot = 0,
      .format = DRM_NV3_FORMAT_X8R8G8B8,
      .pitch = res->stride,
      .width = target->width,
      .height = target->height,
   };

   drop(conv);
   if ((needs_staging(ctx, res) && !make_staging(ctx, conv, target)) ||
       (has_alpha(res) && !make_alpha(ctx, conv, res)) ||
       !make_image(ctx, conv, target) ||
       nv3_surface_new(chip->chan, 0, res->bo, &surface, &conv->surface)) {
      conv->surface = NULL;
      drop(conv);
      return false;
   }
   conv->bo = nv3_bo_ref(res->bo);
   nv3_target_reference(&conv->target, target);
   return true;
}

static struct nv3_converter *
converter_of(struct nv3_context *ctx, struct nv3_resource *res)
{
   struct nv3_chip *chip = ctx->chip;
   struct nv3_converter *oldest = &chip->converters[0];

   for (unsigned i = 0; i < NV3_CONVERTERS; i++) {
      struct nv3_converter *conv = &chip->converters[i];

      if (conv->target && conv->target == res->target && conv->bo == res->bo) {
         conv->used = ++chip->surface_clock;
         return conv;
      }
      if (!conv->target || (oldest->target && conv->used < oldest->used))
         oldest = conv;
   }
   if (!make(ctx, res, oldest))
      return NULL;
   oldest->used = ++chip->surface_clock;
   return oldest;
}

static void
convert_part(struct nv3_pushbuf *push, const struct nv3_target *target,
             unsigned x, unsigned y)
{
   uint32_t size = MIN2(target->height - y, SOURCE_MAX) << 16 |
                   MIN2(target->width - x, SOURCE_MAX);
   uint32_t point = y << 16 | x;

   nv3_push_begin(push, NV3_SUBCH_CONVERT, NV3_SIFM_CLIP_POINT, 6);
   nv3_push(push, point);
   nv3_push(push, size);
   nv3_push(push, point);
   nv3_push(push, size);
   nv3_push(push, STEP_ONE);
   nv3_push(push, STEP_ONE);
   nv3_push_begin(push, NV3_SUBCH_CONVERT, NV3_SIFM_SIZE_IN, 4);
   nv3_push(push, size);
   nv3_push(push, target->pitch);
   nv3_push(push, y * target->pitch + x * 2);
   nv3_push(push, 0);
}

/* Copies the render copy to system memory, in a batch of its own. */
static bool
copy_to_staging(struct nv3_context *ctx, const struct nv3_converter *conv)
{
   const struct nv3_target *target = conv->target;
   const struct nv3_m2mf_lines lines = {
      .from_pitch = target->pitch,
      .to_pitch = target->pitch,
      .length = target->width * 2,
      .count = target->height,
      .step = 1,
   };

   return nv3_m2mf_copy(ctx, conv->copy, &lines) && nv3_chip_flush(ctx);
}

/* Sets the fourth byte of each pixel to 255, after the colours are written. */
static bool
convert_alpha(struct nv3_context *ctx, const struct nv3_converter *conv,
              const struct nv3_resource *res)
{
   const struct nv3_m2mf_lines lines = {
      .to = 3,
      .to_pitch = res->stride,
      .length = conv->target->width,
      .count = conv->target->height,
      .step = 4,
   };

   return nv3_m2mf_copy(ctx, conv->alpha, &lines);
}

static const char *
refuse(const struct nv3_context *ctx, const struct nv3_resource *res)
{
   if (res->base.format != PIPE_FORMAT_B8G8R8X8_UNORM &&
       !(has_alpha(res) &&
         nv3_device_has_class(ctx->screen->dev, NV3_CLASS_M2MF)))
      return "conversion to a format other than BGRX8888 and BGRA8888";
   if (res->offset || res->stride % NV3_SURFACE_ALIGN)
      return "conversion to a buffer with an unsupported offset or pitch";
   if (ctx->chip->lost ||
       !nv3_device_has_class(ctx->screen->dev, NV3_CLASS_SIFM))
      return "conversion without class 0x0e";
   return NULL;
}

bool
nv3_presentation_convert(struct nv3_context *ctx, struct nv3_resource *res)
{
   struct nv3_chip *chip = ctx->chip;
   struct nv3_target *target = res->target;
   const char *reason = refuse(ctx, res);
   struct nv3_converter *conv;

   if (reason) {
      nv3_log_fallback(ctx, reason);
      return false;
   }
   conv = converter_of(ctx, res);
   if (!conv)
      return false;

   nv3_inner_finish(ctx);
   /*
    * Use a separate batch, which does not name the depth buffer. A smaller
    * depth buffer would limit the canvas, and would occupy VRAM together with
    * these pictures.
    */
   if (!nv3_chip_flush(ctx) || (conv->copy && !copy_to_staging(ctx, conv)))
      return false;
   if (nv3_pushbuf_select(chip->push, NV3_SUBCH_SURFACE, conv->surface) ||
       nv3_pushbuf_select(chip->push, NV3_SUBCH_CONVERT, conv->image))
      return false;
   nv3_target_reference(&chip->color, NULL);
   chip->d3d_current = false;
   for (unsigned y = 0; y < target->height; y += SOURCE_MAX) {
      for (unsigned x = 0; x < target->width; x += SOURCE_MAX) {
         if (nv3_pushbuf_space(chip->push, 12))
            return false;
         convert_part(chip->push, target, x, y);
      }
   }
   if (conv->alpha && !convert_alpha(ctx, conv, res))
      return false;
   if (!nv3_chip_flush(ctx))
      return false;
   res->canonical_stale = false;
   res->serial++;
   ctx->count.presented++;
   return true;
}
