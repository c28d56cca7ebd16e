/* SPDX-License-Identifier: MIT */
/*
 * Conversion between the chip's formats and other formats. The CPU converts
 * pictures for accesses by the CPU. The chip converts pictures that are
 * presented.
 *
 * By class 0x0e (scaled image from memory), the chip converts a render copy
 * from X1R5G5B5 to 8888 at the same size. The chip expands colours with zeros
 * and sets the fourth byte to 0. If the fourth byte is alpha, the chip then
 * writes 255 to it by class 0x0d.
 */
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_inner.h"
#include "class17/nv3_resource.h"

/* ---- by the CPU ---- */

#define MAX_WIDTH 2048

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
   case PIPE_FORMAT_Z16_UNORM:
   case PIPE_FORMAT_Z24X8_UNORM:
   case PIPE_FORMAT_Z24_UNORM_S8_UINT:
   case PIPE_FORMAT_X8Z24_UNORM:
   case PIPE_FORMAT_S8_UINT_Z24_UNORM:
   case PIPE_FORMAT_Z32_UNORM:
      return true;
   default:
      return false;
   }
}

void
nv3_convert_from_chip(enum pipe_format format, void *dst, unsigned dst_pitch,
                      const void *src, unsigned src_pitch, unsigned width,
                      unsigned height)
{
   uint32_t depth[MAX_WIDTH];

   if (!util_format_is_depth_or_stencil(format)) {
      util_format_translate(format, dst, dst_pitch, 0, 0,
                            PIPE_FORMAT_B5G5R5X1_UNORM, src, src_pitch, 0, 0,
                            width, height);
      return;
   }
   for (unsigned y = 0; y < height; y++) {
      const uint16_t *in = src;

      for (unsigned x = 0; x < width; x++)
         depth[x] = in[x] * 0x10001u;
      /* This preserves the stencil. */
      util_format_pack_z_32unorm(format, dst, depth, width);
      dst = (uint8_t *)dst + dst_pitch;
      src = (const uint8_t *)src + src_pitch;
   }
}

void
nv3_convert_to_chip(void *dst, unsigned dst_pitch, enum pipe_format format,
                    const void *src, unsigned src_pitch, unsigned width,
                    unsigned height)
{
   uint32_t depth[MAX_WIDTH];

   if (!util_format_is_depth_or_stencil(format)) {
      util_format_translate(PIPE_FORMAT_B5G5R5X1_UNORM, dst, dst_pitch, 0, 0,
                            format, src, src_pitch, 0, 0, width, height);
      return;
   }
   for (unsigned y = 0; y < height; y++) {
      uint16_t *out = dst;

      util_format_unpack_z_32unorm(format, depth, src, width);
      for (unsigned x = 0; x < width; x++)
         out[x] = depth[x] >> 16;
      dst = (uint8_t *)dst + dst_pitch;
      src = (const uint8_t *)src + src_pitch;
   }
}

/* ---- presentation by the chip ---- */

/*
 * The maximum width and height of a source picture of class 0x0e, in pixels.
 */
#define SOURCE_MAX     1024
#define STEP_ONE       (1u << 20)
/* The length of the buffer that is copied to each line's alpha bytes. */
#define OPAQUE_BYTES   4096

static bool
has_alpha(const struct nv3_resource *res)
{
   return res->base.format == PIPE_FORMAT_B8G8R8A8_UNORM;
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
   /* VRAM must also hold the picture on the screen. */
   if (nv3_bo_size(res->target->bo) + 2 * nv3_bo_size(res->bo) >
       ctx->screen->vram)
      return "conversion of a picture that VRAM can't hold twice";
   return NULL;
}

static bool
select_surface(struct nv3_context *ctx, const struct nv3_resource *res)
{
   const struct nv3_surface info = {
      .slot = NV3_SLOT_COLOR,
      .format = DRM_NV3_FORMAT_X8R8G8B8,
      .pitch = res->stride,
      .width = res->target->width,
      .height = res->target->height,
   };
   struct nv3_object *surface;
   int ret;

   if (nv3_surface_new(ctx->chip->chan, 0, res->bo, &info, &surface))
      return false;
   ret = nv3_pushbuf_select(ctx->chip->push, NV3_SUBCH_SURFACE, surface);
   nv3_object_unref(surface);
   nv3_target_reference(&ctx->chip->color, NULL);
   ctx->chip->d3d_current = false;
   return !ret;
}

static bool
select_image(struct nv3_context *ctx, const struct nv3_target *target)
{
   struct nv3_graph info = {
      .color_format = DRM_NV3_COLOR_X1R5G5B5,
      .operation = NV3_OPERATION_COPY,
      .dst_slots = 1 << NV3_SLOT_COLOR,
   };
   struct nv3_object *image =
      nv3_chip_object(ctx, NV3_CLASS_SIFM, &info, target->bo, NULL);
   int ret;

   if (!image)
      return false;
   ret = nv3_pushbuf_select(ctx->chip->push, NV3_SUBCH_CONVERT, image);
   nv3_object_unref(image);
   return !ret;
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

/*
 * Returns the context's buffer of bytes with the value 255. The first call
 * creates the buffer.
 */
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

/* Sets the fourth byte of each pixel to 255, after the colours are written. */
static bool
convert_alpha(struct nv3_context *ctx, const struct nv3_resource *res)
{
   const struct nv3_lines lines = {
      .to = 3,
      .to_pitch = res->stride,
      .length = res->target->width,
      .count = res->target->height,
      .step = 4,
   };
   struct nv3_graph info = { .operation = NV3_OPERATION_COPY };
   struct nv3_bo *opaque = opaque_bytes(ctx);
   struct nv3_object *copy =
      opaque ? nv3_chip_object(ctx, NV3_CLASS_M2MF, &info, opaque, res->bo)
             : NULL;
   bool ok = copy && nv3_chip_copy(ctx, copy, &lines);

   nv3_object_unref(copy);
   return ok;
}

bool
nv3_present(struct nv3_context *ctx, struct nv3_resource *res)
{
   const struct nv3_target *target = res->target;
   struct nv3_pushbuf *push = ctx->chip->push;
   const char *reason = refuse(ctx, res);

   if (reason) {
      nv3_log_fallback(ctx, reason);
      return false;
   }
   nv3_inner_finish(ctx);
   /*
    * Use a separate batch, which does not list the depth buffer. A depth
    * buffer that is smaller than the picture would limit the canvas. Any
    * depth buffer would also occupy VRAM in addition to the two pictures.
    */
   if (!nv3_chip_flush(ctx) || !select_surface(ctx, res) ||
       !select_image(ctx, target))
      return false;
   for (unsigned y = 0; y < target->height; y += SOURCE_MAX) {
      for (unsigned x = 0; x < target->width; x += SOURCE_MAX) {
         if (nv3_pushbuf_space(push, 12))
            return false;
         convert_part(push, target, x, y);
      }
   }
   if ((has_alpha(res) && !convert_alpha(ctx, res)) || !nv3_chip_flush(ctx))
      return false;
   res->canonical_stale = false;
   res->serial++;
   ctx->count.presented++;
   return true;
}
