/* SPDX-License-Identifier: MIT */
/*
 * Implements resources: transfers, blits, sharing with other processes, and
 * the CPU's conversions between the copies of a resource (nv3_resource.h).
 */
#include "pipe/p_screen.h"
#include "frontend/winsys_handle.h"
#include "util/format/u_format.h"
#include "util/os_memory.h"
#include "util/set.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_surface.h"
#include "util/u_transfer.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_inner.h"
#include "class17/nv3_resource.h"

#define BIND_SHARED (PIPE_BIND_SCANOUT | PIPE_BIND_SHARED | PIPE_BIND_DISPLAY_TARGET)

/* ---- formats ---- */

/*
 * Conversion between the chip's formats (X1R5G5B5, 16-bit depth) and other
 * formats. Pitches are in bytes, sizes in pixels.
 */
#define MAX_WIDTH 2048

static bool
can_convert(enum pipe_format format)
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

/*
 * Converts @src from the chip's format to @format. Preserves the stencil bits
 * of @dst, and sets alpha to 1.
 */
static void
convert_from_chip(enum pipe_format format, void *dst, unsigned dst_pitch,
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
      /* util_format_pack_z_32unorm() does not change the stencil. */
      util_format_pack_z_32unorm(format, dst, depth, width);
      dst = (uint8_t *)dst + dst_pitch;
      src = (const uint8_t *)src + src_pitch;
   }
}

static void
convert_to_chip(void *dst, unsigned dst_pitch, enum pipe_format format,
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

/* ---- kinds of resources ---- */

/*
 * Returns true if VRAM has room for the render copy of @base and a depth buffer
 * of the same size. A window also needs room for the displayed buffer, which
 * has 32 bits per pixel. The memory that other buffers occupy counts as free,
 * because the kernel can evict them.
 */
static bool
fits(const struct pipe_resource *base)
{
   uint64_t pixels = (uint64_t)base->width0 * base->height0;
   unsigned bytes = base->bind & BIND_SHARED ? 4 + 4 : 2 + 2;

   return pixels * bytes <= nv3_screen(base->screen)->vram;
}

bool
nv3_resource_can_target(const struct nv3_resource *res)
{
   const struct pipe_resource *base = &res->base;

   if ((base->target != PIPE_TEXTURE_2D && base->target != PIPE_TEXTURE_RECT) ||
       base->last_level || base->nr_samples > 1 ||
       base->width0 > NV3_SURFACE_MAX || base->height0 > NV3_SURFACE_MAX)
      return false;
   return can_convert(base->format) && fits(base);
}

bool
nv3_resource_has_alpha(const struct nv3_resource *res)
{
   return util_format_has_alpha(res->base.format) &&
          (res->base.bind & PIPE_BIND_SAMPLER_VIEW) &&
          !(res->base.bind & BIND_SHARED);
}

bool
nv3_resource_is_coarse(const struct nv3_resource *res)
{
   return util_format_get_component_bits(res->base.format,
                                         UTIL_FORMAT_COLORSPACE_RGB, 0) < 8;
}

/* ---- updates of copies ---- */

/* Waits until the hardware and the inner context have finished with @bo. */
static void
wait_bo(struct nv3_context *ctx, struct nv3_bo *bo)
{
   nv3_inner_finish(ctx);
   nv3_chip_flush(ctx);
   nv3_chip_wait(bo);
}

static void *
map_canonical(struct nv3_context *ctx, struct nv3_resource *res, unsigned usage,
              struct pipe_transfer **transfer)
{
   struct pipe_box box;

   u_box_2d(0, 0, res->base.width0, res->base.height0, &box);
   return ctx->inner->texture_map(ctx->inner, res->canonical, 0, usage, &box,
                                  transfer);
}

/*
 * Converts the render copy to the canonical copy if @to_canonical is set,
 * otherwise the canonical copy to the render copy. Both copies must be idle.
 * Does nothing if memory is exhausted.
 */
static void
convert(struct nv3_context *ctx, struct nv3_resource *res, bool to_canonical)
{
   struct nv3_target *target = res->target;
   struct pipe_transfer *transfer;
   /*
    * Map for reading as well, to preserve the stencil, which is in the same
    * word as the depth.
    */
   void *map = map_canonical(ctx, res,
                             to_canonical ? PIPE_MAP_READ_WRITE : PIPE_MAP_READ,
                             &transfer);

   if (!map)
      return;
   if (to_canonical)
      convert_from_chip(res->base.format, map, transfer->stride, target->map,
                        target->pitch, target->width, target->height);
   else
      convert_to_chip(target->map, target->pitch, res->base.format, map,
                      transfer->stride, target->width, target->height);
   ctx->inner->texture_unmap(ctx->inner, transfer);
   ctx->count.converted++;
}

struct nv3_target *
nv3_resource_target_discard(struct nv3_context *ctx, struct nv3_resource *res)
{
   if (!res->target) {
      res->target = nv3_target_create(ctx->screen, &res->base);
      if (!res->target)
         return NULL;
      ctx->dirty = true;
   }
   res->target_stale = false;
   return res->target;
}

struct nv3_target *
nv3_resource_target(struct nv3_context *ctx, struct nv3_resource *res)
{
   bool stale;

   nv3_resource_refresh(ctx, res);
   stale = !res->target || res->target_stale;
   if (!nv3_resource_target_discard(ctx, res))
      return NULL;
   if (stale) {
      wait_bo(ctx, res->target->bo);
      if (res->bo)
         nv3_bo_wait(res->bo, 0, INT64_MAX);
      convert(ctx, res, false);
   }
   return res->target;
}

void
nv3_resource_sync_canonical(struct nv3_context *ctx, struct nv3_resource *res)
{
   if (res->canonical_stale) {
      wait_bo(ctx, res->target->bo);
      if (res->bo)
         nv3_chip_wait(res->bo);
      convert(ctx, res, true);
      res->canonical_stale = false;
      res->serial++;
   } else if (res->bo && res->target) {
      wait_bo(ctx, res->bo);
   } else if (res->bo) {
      /*
       * No flush is needed, because the batch of this context does not use the
       * buffer.
       */
      nv3_inner_finish(ctx);
      nv3_chip_wait(res->bo);
   }
}

void
nv3_resource_target_written(struct nv3_context *ctx, struct nv3_resource *res)
{
   res->writer = ctx;
   res->canonical_stale = true;
   res->serial++;
}

void
nv3_resource_canonical_written(struct nv3_resource *res)
{
   if (res->target)
      res->target_stale = true;
   res->serial++;
}

void
nv3_resource_refresh(struct nv3_context *ctx, struct nv3_resource *res)
{
   const bool drawn = res->target && !res->target_stale && res->writer != ctx;
   uint32_t now;

   if (!(res->foreign || drawn) || res->canonical_stale)
      return;
   now = p_atomic_read(&ctx->screen->flushes);
   if (res->seen == now)
      return;
   res->seen = now;
   if (res->foreign)
      nv3_resource_canonical_written(res);
   else
      nv3_resource_target_written(res->writer, res);
}

const void *
nv3_constants_map(const struct pipe_constant_buffer *cb, unsigned *size)
{
   *size = cb->buffer ? cb->buffer_size : 0;
   return cb->buffer ? nv3_resource(cb->buffer)->data + cb->buffer_offset
                     : NULL;
}

/* ---- screen functions ---- */

static bool
create_buffer(struct nv3_screen *screen, struct nv3_resource *res)
{
   struct pipe_screen *inner = screen->inner;

   /*
    * Allocate additional bytes, because llvmpipe's generated code may read up
    * to a vector beyond the end of the buffer.
    */
   res->data = os_malloc_aligned(align(res->base.width0, 64) + 64, 64);
   if (!res->data)
      return false;
   res->canonical =
      inner->resource_from_user_memory(inner, &res->base, res->data);
   return res->canonical != NULL;
}

static bool
create_shared(struct nv3_screen *screen, struct nv3_resource *res)
{
   res->bo = nv3_picture_bo(screen, &res->base,
                        util_format_get_blocksize(res->base.format),
                        &res->map, &res->stride);
   if (!res->bo)
      return false;
   res->canonical = nv3_wrap_memory(screen, &res->base, res->base.format,
                                    res->bo, res->map, res->stride);
   return res->canonical != NULL;
}

static void
resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *presource)
{
   struct nv3_resource *res = nv3_resource(presource);

   simple_mtx_destroy(&res->lock);
   pipe_resource_reference(&res->canonical, NULL);
   nv3_target_reference(&res->target, NULL);
   nv3_bo_unref(res->bo);
   os_free_aligned(res->data);
   FREE(res);
}

static struct nv3_resource *
resource_new(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   static uint64_t last;
   struct nv3_resource *res = CALLOC_STRUCT(nv3_resource);

   if (!res)
      return NULL;
   res->base = *templ;
   res->base.screen = pscreen;
   res->base.next = NULL;
   pipe_reference_init(&res->base.reference, 1);
   simple_mtx_init(&res->lock, mtx_plain);
   res->id = p_atomic_inc_return(&last);
   return res;
}

static struct pipe_resource *
resource_create(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   struct nv3_screen *screen = nv3_screen(pscreen);
   struct nv3_resource *res = resource_new(pscreen, templ);
   bool shared = templ->bind & BIND_SHARED, ok;

   if (!res)
      return NULL;
   if (templ->target == PIPE_BUFFER) {
      ok = create_buffer(screen, res);
   } else if (shared) {
      ok = create_shared(screen, res);
   } else {
      res->canonical = screen->inner->resource_create(screen->inner, templ);
      ok = res->canonical != NULL;
   }
   if (!ok) {
      resource_destroy(pscreen, &res->base);
      return NULL;
   }
   return &res->base;
}

/*
 * True if @bo contains all lines of the imported resource. The buffer of a
 * render target must also contain the lines that complete the last 4x4 blocks.
 */
static bool
holds(const struct nv3_bo *bo, const struct pipe_resource *templ,
      const struct winsys_handle *whandle)
{
   bool drawn = templ->bind & PIPE_BIND_RENDER_TARGET;
   uint64_t lines =
      drawn ? align(templ->height0, NV3_LINES_ALIGN) : templ->height0;

   return whandle->stride >= util_format_get_stride(templ->format,
                                                    templ->width0) &&
          whandle->offset + whandle->stride * lines <= nv3_bo_size(bo);
}

static struct pipe_resource *
resource_from_handle(struct pipe_screen *pscreen,
                     const struct pipe_resource *templ,
                     struct winsys_handle *whandle, unsigned usage)
{
   struct nv3_screen *screen = nv3_screen(pscreen);
   struct pipe_resource shared = *templ;
   struct nv3_resource *res;
   struct nv3_bo *bo;

   bo = nv3_handle_import(screen->dev, whandle);
   if (!bo)
      return NULL;
   shared.bind |= PIPE_BIND_SHARED;
   res = resource_new(pscreen, &shared);
   if (!res) {
      nv3_bo_unref(bo);
      return NULL;
   }
   res->foreign = true;
   res->implicit = !(usage & PIPE_HANDLE_USAGE_EXPLICIT_FLUSH);
   res->seen = p_atomic_read(&screen->flushes) - 1;
   res->bo = bo;
   res->stride = whandle->stride;
   if (!holds(bo, templ, whandle) || nv3_bo_map(bo, &res->map)) {
      resource_destroy(pscreen, &res->base);
      return NULL;
   }
   res->map = (uint8_t *)res->map + whandle->offset;
   res->offset = whandle->offset;
   res->canonical = nv3_wrap_memory(screen, &shared, templ->format, res->bo,
                                    res->map, whandle->stride);
   if (!res->canonical) {
      resource_destroy(pscreen, &res->base);
      return NULL;
   }
   return &res->base;
}

static bool
resource_get_handle(struct pipe_screen *pscreen, struct pipe_context *pctx,
                    struct pipe_resource *presource,
                    struct winsys_handle *whandle, unsigned usage)
{
   struct nv3_resource *res = nv3_resource(presource);
   struct nv3_bo *bo = res->bo;

   if (!bo)
      return false;
   if (!(usage & PIPE_HANDLE_USAGE_EXPLICIT_FLUSH)) {
      res->implicit = true;
      /*
       * The recipient of the handle may write to the buffer. A KMS handle is an
       * exception, because it is valid only in this process.
       */
      if (whandle->type != WINSYS_HANDLE_TYPE_KMS && !res->foreign) {
         res->seen = p_atomic_read(&nv3_screen(pscreen)->flushes) - 1;
         res->foreign = true;
      }
   }
   return nv3_handle_export(bo, res->stride, res->offset, whandle);
}

void
nv3_screen_init_resource(struct nv3_screen *screen)
{
   screen->base.resource_create = resource_create;
   screen->base.resource_from_handle = resource_from_handle;
   screen->base.resource_get_handle = resource_get_handle;
   screen->base.resource_destroy = resource_destroy;
}

/* ---- transfers ---- */

/*
 * Transfers map the canonical copy. The contents of a buffer are in ordinary
 * memory. No draw reads this memory after draw_vbo() has returned, so mapping a
 * buffer does not wait.
 */
struct nv3_transfer {
   struct pipe_transfer base;
   struct pipe_transfer *inner;
};

static struct nv3_transfer *
transfer_new(struct pipe_resource *resource, unsigned level, unsigned usage,
             const struct pipe_box *box)
{
   struct nv3_transfer *transfer = CALLOC_STRUCT(nv3_transfer);

   if (!transfer)
      return NULL;
   pipe_resource_reference(&transfer->base.resource, resource);
   transfer->base.level = level;
   transfer->base.usage = usage;
   transfer->base.box = *box;
   return transfer;
}

static void
transfer_free(struct nv3_transfer *transfer)
{
   pipe_resource_reference(&transfer->base.resource, NULL);
   FREE(transfer);
}

static void *
nv3_buffer_map(struct pipe_context *pipe, struct pipe_resource *resource,
               unsigned level, unsigned usage, const struct pipe_box *box,
               struct pipe_transfer **out)
{
   struct nv3_transfer *transfer = transfer_new(resource, level, usage, box);

   if (!transfer)
      return NULL;
   *out = &transfer->base;
   return (uint8_t *)nv3_resource(resource)->data + box->x;
}

static void
nv3_buffer_unmap(struct pipe_context *pipe, struct pipe_transfer *ptransfer)
{
   transfer_free((struct nv3_transfer *)ptransfer);
}

static bool
replaces_all(const struct pipe_resource *resource, unsigned usage)
{
   return (usage & PIPE_MAP_DISCARD_WHOLE_RESOURCE) && !(usage & PIPE_MAP_READ);
}

static void *
nv3_texture_map(struct pipe_context *pipe, struct pipe_resource *resource,
                unsigned level, unsigned usage, const struct pipe_box *box,
                struct pipe_transfer **out)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *res = nv3_resource(resource);
   struct nv3_transfer *transfer = transfer_new(resource, level, usage, box);
   void *map;

   if (!transfer)
      return NULL;
   if (!replaces_all(resource, usage) || res->bo)
      nv3_resource_sync_canonical(ctx, res);
   else
      res->canonical_stale = false;
   map = ctx->inner->texture_map(ctx->inner, res->canonical, level, usage, box,
                                 &transfer->inner);
   if (!map) {
      transfer_free(transfer);
      return NULL;
   }
   transfer->base.stride = transfer->inner->stride;
   transfer->base.layer_stride = transfer->inner->layer_stride;
   *out = &transfer->base;
   return map;
}

static void
nv3_texture_unmap(struct pipe_context *pipe, struct pipe_transfer *ptransfer)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_transfer *transfer = (struct nv3_transfer *)ptransfer;

   ctx->inner->texture_unmap(ctx->inner, transfer->inner);
   if (ptransfer->usage & PIPE_MAP_WRITE) {
      nv3_resource_canonical_written(nv3_resource(ptransfer->resource));
      ctx->dirty = true;
   }
   transfer_free(transfer);
}

void
nv3_init_transfer(struct nv3_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->buffer_map = nv3_buffer_map;
   pipe->buffer_unmap = nv3_buffer_unmap;
   pipe->texture_map = nv3_texture_map;
   pipe->texture_unmap = nv3_texture_unmap;
   pipe->transfer_flush_region = u_default_transfer_flush_region;
   pipe->buffer_subdata = u_default_buffer_subdata;
   pipe->texture_subdata = u_default_texture_subdata;
}

/* ---- shared resources ---- */

/*
 * Other processes see the canonical copy. When a window is presented,
 * flush_resource() converts the render copy of its buffer to the canonical
 * copy. An X server does not call flush_resource() for pixmaps, so every flush
 * converts pixmaps. Other processes may write to a foreign resource without
 * notice, so the driver treats it as changed after every flush.
 */

/*
 * If other processes can see @res and the canonical copy of @res is stale,
 * makes the next flush convert @res.
 */
static void
shared_changed(struct nv3_context *ctx, struct nv3_resource *res)
{
   struct pipe_resource *reference = NULL;

   if (!res->implicit || !res->canonical_stale ||
       _mesa_set_search(ctx->shared, res))
      return;
   pipe_resource_reference(&reference, &res->base);
   _mesa_set_add(ctx->shared, res);
}

void
nv3_shared_drawn(struct nv3_context *ctx)
{
   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      if (ctx->fb.cbufs[i])
         shared_changed(ctx, nv3_resource(ctx->fb.cbufs[i]->texture));
   }
}

static void
forget(struct set_entry *entry)
{
   struct pipe_resource *reference = (struct pipe_resource *)entry->key;

   pipe_resource_reference(&reference, NULL);
}

void
nv3_shared_flush(struct nv3_context *ctx)
{
   nv3_shared_drawn(ctx);
   set_foreach(ctx->shared, entry)
      ctx->base.flush_resource(&ctx->base, (struct pipe_resource *)entry->key);
   _mesa_set_clear(ctx->shared, forget);

   p_atomic_inc(&ctx->screen->flushes);
   ctx->dirty = true;
}

void
nv3_shared_fini(struct nv3_context *ctx)
{
   _mesa_set_destroy(ctx->shared, forget);
}

/*
 * Updates the canonical copy of a resource, before another process reads it.
 */
static void
nv3_flush_resource(struct pipe_context *pipe, struct pipe_resource *resource)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *res = nv3_resource(resource);

   if (res->bo)
      nv3_resource_sync_canonical(ctx, res);
}

/* ---- copies, by the inner context ---- */

/*
 * Updates the canonical copies of @dst and @src, before the inner context
 * reads @src and writes @dst.
 */
static void
prepare(struct nv3_context *ctx, struct nv3_resource *dst,
        struct nv3_resource *src)
{
   nv3_resource_refresh(ctx, src);
   nv3_resource_refresh(ctx, dst);
   nv3_resource_sync_canonical(ctx, src);
   nv3_resource_sync_canonical(ctx, dst);
}

static void
changed(struct nv3_context *ctx, struct nv3_resource *res)
{
   nv3_resource_canonical_written(res);
   shared_changed(ctx, res);
   ctx->inner_busy = true;
   ctx->dirty = true;
}

static void
nv3_copy_region(struct pipe_context *pipe, struct pipe_resource *dst,
                unsigned dst_level, unsigned dst_x, unsigned dst_y,
                unsigned dst_z, struct pipe_resource *src, unsigned src_level,
                const struct pipe_box *src_box)
{
   struct nv3_context *ctx = nv3_context(pipe);

   prepare(ctx, nv3_resource(dst), nv3_resource(src));
   ctx->inner->resource_copy_region(ctx->inner, nv3_resource(dst)->canonical,
                                    dst_level, dst_x, dst_y, dst_z,
                                    nv3_resource(src)->canonical, src_level,
                                    src_box);
   changed(ctx, nv3_resource(dst));
}

static void
nv3_blit(struct pipe_context *pipe, const struct pipe_blit_info *info)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *dst = nv3_resource(info->dst.resource);
   struct nv3_resource *src = nv3_resource(info->src.resource);
   struct pipe_blit_info inner = *info;

   if (util_try_blit_via_copy_region(pipe, info, ctx->conditional))
      return;
   prepare(ctx, dst, src);
   inner.dst.resource = dst->canonical;
   inner.src.resource = src->canonical;
   ctx->inner->blit(ctx->inner, &inner);
   changed(ctx, dst);
}

static void
nv3_invalidate_resource(struct pipe_context *pipe,
                        struct pipe_resource *resource)
{
}

void
nv3_init_copy(struct nv3_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->resource_copy_region = nv3_copy_region;
   pipe->blit = nv3_blit;
   pipe->flush_resource = nv3_flush_resource;
   pipe->invalidate_resource = nv3_invalidate_resource;
}
