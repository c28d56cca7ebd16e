/* SPDX-License-Identifier: MIT */
/*
 * Implements the layout, the storage, the import, the export and the mapping
 * of resources.
 *
 * Transfers map the storage itself. If the program will overwrite contents that
 * the chip still uses, the driver replaces the storage where possible, so that
 * the CPU does not wait. For a multisampled texture, Mesa's helper instead maps
 * a copy with one sample per pixel.
 */
#include "pipe/p_screen.h"
#include "frontend/winsys_handle.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_transfer.h"
#include "util/u_transfer_helper.h"

#include "base/nv3_screen.h"
#include "base/nv3p_context.h"

/*
 * The PIPE_BIND_* flags of resources whose memory other processes or the
 * display may use.
 */
#define BIND_SHARED                                                           \
   (PIPE_BIND_SHARED | PIPE_BIND_SCANOUT | PIPE_BIND_DISPLAY_TARGET)
#define BIND_TARGET (PIPE_BIND_RENDER_TARGET | PIPE_BIND_DEPTH_STENCIL)

/*
 * Alignment of lines and of cube map faces in memory
 * (qemu-device/core/programs/texture.c).
 */
#define PITCH_ALIGN 64
#define FACE_ALIGN 128

/*
 * The maximum number of bytes to copy to new storage. Copying this number of
 * bytes takes less time than waiting for a batch.
 */
#define COPY_MAX (256u << 10)

/* ---- layout ---- */

/* Sets the offsets of all levels, and returns the size in bytes. */
static uint64_t
lay_out(struct nv3p_resource *res)
{
   const struct pipe_resource *base = &res->base;
   uint64_t at = 0;

   if (base->target == PIPE_BUFFER)
      return base->width0;
   for (unsigned i = 0; i <= base->last_level; i++) {
      struct nv3p_level *level = &res->levels[i];
      const unsigned scale = nv3p_is_sampled(base) ? 2 : 1;
      unsigned columns = u_minify(base->width0, i) * scale;
      unsigned lines = u_minify(base->height0, i) * scale;

      lines = util_format_get_nblocksy(base->format, lines);
      level->offset = at;
      level->pitch = align(util_format_get_stride(base->format, columns),
                           PITCH_ALIGN);
      level->slice = level->pitch * lines;
      at += (uint64_t)level->slice * u_minify(base->depth0, i);
   }
   if (base->target == PIPE_TEXTURE_CUBE) {
      res->face = align64(at, FACE_ALIGN);
      at = 6ull * res->face;
   }
   return at;
}

/*
 * Returns the domain for a new resource. Textures begin in system memory and
 * move to VRAM when they become render targets. PIPE_BIND_RENDER_TARGET does
 * not show which textures will be render targets, because state trackers set
 * this flag for all textures whose format allows it.
 */
static uint32_t
choose_domain(const struct pipe_resource *templ)
{
   const bool target = templ->bind & BIND_TARGET &&
                       !(templ->bind & PIPE_BIND_SAMPLER_VIEW);

   return templ->target != PIPE_BUFFER &&
          (templ->bind & BIND_SHARED || target) ? DRM_NV3_GEM_VRAM :
                                                  DRM_NV3_GEM_SYSTEM;
}

/* ---- storage ---- */

static void
resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *presource)
{
   struct nv3p_resource *res = nv3p_resource(presource);

   nv3p_bo_reference(&res->bo, NULL);
   nv3p_bo_reference(&res->moved, NULL);
   util_range_destroy(&res->valid);
   FREE(res);
}

static struct nv3p_resource *
resource_new(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   struct nv3p_resource *res = CALLOC_STRUCT(nv3p_resource);

   if (!res)
      return NULL;
   res->base = *templ;
   res->base.screen = pscreen;
   res->base.next = NULL;
   pipe_reference_init(&res->base.reference, 1);
   util_range_init(&res->valid);
   return res;
}

static struct pipe_resource *
resource_create(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   struct nv3p_resource *res;
   uint64_t size;

   if (nv3p_is_sampled(templ) &&
       MAX2(templ->width0, templ->height0) > NV3P_SAMPLED_SIZE)
      return NULL;
   res = resource_new(pscreen, templ);
   if (!res)
      return NULL;
   size = lay_out(res);
   res->size = size;
   if (size <= INT32_MAX)
      res->bo = nv3p_bo_create(nv3p_screen(pscreen), MAX2(size, 1),
                               choose_domain(templ));
   if (!res->bo) {
      resource_destroy(pscreen, &res->base);
      return NULL;
   }
   return &res->base;
}

static bool
replace_storage(struct nv3p_context *ctx, struct nv3p_resource *res,
                uint32_t domains, bool keep)
{
   struct nv3p_bo *bo = nv3p_bo_create(ctx->screen, res->size, domains);
   struct nv3p_bo *old = res->bo;
   bool allowed;

   if (!bo)
      return false;
   if (keep)
      nv3p_bo_sync(ctx, old, false, true);
   simple_mtx_lock(&ctx->screen->storage_lock);
   allowed = !res->shared_by_contexts ||
             (domains == DRM_NV3_GEM_VRAM && !res->moved);
   if (allowed) {
      if (keep)
         memcpy(bo->map, nv3p_resource_map(res), res->size);
      if (res->shared_by_contexts)
         nv3p_bo_reference(&res->moved, old);
      res->bo = bo;
      res->offset = 0;
      bo = old;
   }
   simple_mtx_unlock(&ctx->screen->storage_lock);
   nv3p_bo_reference(&bo, NULL);
   /*
    * Texture units may have cached texels of another texture at the new
    * address. Make the next draw invalidate these texels.
    */
   if (allowed && res->written)
      nv3p_resource_written(res);
   nv3p_rebind(ctx, res);
   return allowed;
}

bool
nv3p_resource_make_target(struct nv3p_context *ctx, struct nv3p_resource *res)
{
   nv3p_resource_claim(ctx, res);
   if (res->bo->domains != DRM_NV3_GEM_VRAM)
      replace_storage(ctx, res, DRM_NV3_GEM_VRAM, res->written != 0);
   return res->bo->domains == DRM_NV3_GEM_VRAM;
}

bool
nv3p_resource_rename(struct nv3p_context *ctx, struct nv3p_resource *res,
                     bool keep)
{
   if (res->bo->shared || res->shared_by_contexts ||
       res->bo->domains != DRM_NV3_GEM_SYSTEM ||
       res->base.flags & PIPE_RESOURCE_FLAG_MAP_PERSISTENT)
      return false;
   return replace_storage(ctx, res, DRM_NV3_GEM_SYSTEM, keep);
}

struct pipe_resource *
nv3p_resource_alias(struct pipe_resource *resource)
{
   struct nv3p_resource *res = nv3p_resource(resource);
   struct pipe_resource templ = *resource;
   struct nv3p_resource *alias;

   templ.width0 *= 2;
   templ.height0 *= 2;
   templ.nr_samples = templ.nr_storage_samples = 0;
   alias = resource_new(resource->screen, &templ);
   if (!alias)
      return NULL;
   nv3p_bo_reference(&alias->bo, res->bo);
   alias->offset = res->offset;
   alias->size = res->size;
   alias->levels[0] = res->levels[0];
   alias->written = res->written;
   return &alias->base;
}

void
nv3p_resource_written(struct nv3p_resource *res)
{
   res->written = p_atomic_inc_return(&res->bo->screen->serial);
}

/* ---- import and export ---- */

/*
 * Returns true if the chip can draw to and sample an image with the size of
 * @templ. If it could not, a draw would stop the channel.
 */
static bool
layout_is_valid(const struct pipe_resource *templ,
                const struct winsys_handle *whandle)
{
   return MAX2(templ->width0, templ->height0) <= 1 << (NV3P_LEVELS - 1) &&
          whandle->stride <= UINT16_MAX &&
          (whandle->stride | whandle->offset) %
             util_format_get_blocksize(templ->format) == 0;
}

static struct pipe_resource *
resource_from_handle(struct pipe_screen *pscreen,
                     const struct pipe_resource *templ,
                     struct winsys_handle *whandle, unsigned usage)
{
   struct nv3p_screen *screen = nv3p_screen(pscreen);
   struct nv3p_resource *res;
   struct nv3_bo *bo;
   uint64_t end;

   if (!layout_is_valid(templ, whandle))
      return NULL;
   bo = nv3_handle_import(screen->dev, whandle);
   if (!bo)
      return NULL;
   res = resource_new(pscreen, templ);
   if (!res) {
      nv3_bo_unref(bo);
      return NULL;
   }
   res->base.bind |= PIPE_BIND_SHARED;
   res->size = lay_out(res);
   res->levels[0].pitch = whandle->stride;
   res->offset = whandle->offset;
   res->bo = nv3p_bo_from_bo(screen, bo);
   end = (uint64_t)whandle->stride *
            util_format_get_nblocksy(templ->format, templ->height0) +
         whandle->offset;
   if (!res->bo || end > res->bo->base.size ||
       whandle->stride < util_format_get_stride(templ->format, templ->width0)) {
      resource_destroy(pscreen, &res->base);
      return NULL;
   }
   /* the next plane, to which the caller gives up its reference */
   res->base.next = templ->next;
   nv3p_resource_written(res);
   return &res->base;
}

static bool
resource_get_handle(struct pipe_screen *pscreen, struct pipe_context *pipe,
                    struct pipe_resource *presource,
                    struct winsys_handle *whandle, unsigned usage)
{
   struct nv3p_resource *res = nv3p_resource(presource);

   res->bo->shared = true;
   return nv3_handle_export(res->bo->bo, res->levels[0].pitch, res->offset,
                            whandle);
}

/* ---- transfers ---- */

/* True if neither the chip nor the batch uses the buffer. */
static bool
is_idle(struct nv3p_context *ctx, struct nv3p_bo *bo)
{
   return !bo->shared && !nv3p_batch_usage(ctx, bo) &&
          nv3p_bo_wait(bo, true, 0);
}

/*
 * Makes the storage of @res ready for a mapping with @usage. Returns false if
 * the mapping requires a wait that @usage does not allow.
 */
static bool
prepare(struct nv3p_context *ctx, struct nv3p_resource *res, unsigned usage)
{
   const bool write = usage & PIPE_MAP_WRITE;
   const bool discard = usage & PIPE_MAP_DISCARD_WHOLE_RESOURCE;
   const bool replaceable = write && !(usage & PIPE_MAP_READ) &&
                            (discard || res->size <= COPY_MAX);

   nv3p_resource_claim(ctx, res);
   if (usage & PIPE_MAP_UNSYNCHRONIZED)
      return true;
   if (replaceable &&
       (is_idle(ctx, res->bo) || nv3p_resource_rename(ctx, res, !discard)))
      return true;
   return nv3p_bo_sync(ctx, res->bo, write, !(usage & PIPE_MAP_DONTBLOCK));
}

/*
 * Returns @usage with additional flags for mappings that write:
 *
 * - PIPE_MAP_UNSYNCHRONIZED if no byte of @box has been written and the buffer
 *   is not shared
 * - PIPE_MAP_DISCARD_WHOLE_RESOURCE if @box is the whole buffer and the caller
 *   discards its contents
 */
static unsigned
buffer_usage(const struct nv3p_resource *res, unsigned usage,
             const struct pipe_box *box)
{
   const unsigned end = box->x + box->width;

   if (!(usage & PIPE_MAP_WRITE))
      return usage;
   if (!res->bo->shared && !util_ranges_intersect(&res->valid, box->x, end))
      usage |= PIPE_MAP_UNSYNCHRONIZED;
   if (usage & PIPE_MAP_DISCARD_RANGE && box->x == 0 &&
       box->width == res->base.width0)
      usage |= PIPE_MAP_DISCARD_WHOLE_RESOURCE;
   return usage;
}

static void *
nv3p_map(struct pipe_context *pipe, struct pipe_resource *resource,
         unsigned level, unsigned usage, const struct pipe_box *box,
         struct pipe_transfer **out)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_resource *res = nv3p_resource(resource);
   const enum pipe_format format = resource->format;
   struct pipe_transfer *transfer;

   if (resource->target == PIPE_BUFFER)
      usage = buffer_usage(res, usage, box);
   if (!prepare(ctx, res, usage))
      return NULL;
   *out = transfer = CALLOC_STRUCT(pipe_transfer);
   if (!transfer)
      return NULL;
   pipe_resource_reference(&transfer->resource, resource);
   transfer->level = level;
   transfer->usage = usage;
   transfer->box = *box;
   transfer->stride = res->levels[level].pitch;
   transfer->layer_stride = nv3p_layer_stride(res, level);
   /* The program may write at any time, not only before the unmap. */
   if (resource->target == PIPE_BUFFER && usage & PIPE_MAP_PERSISTENT &&
       usage & PIPE_MAP_WRITE)
      util_range_add(resource, &res->valid, box->x, box->x + box->width);
   return (uint8_t *)res->bo->map + nv3p_resource_offset(res, level, box->z) +
          box->y / util_format_get_blockheight(format) * transfer->stride +
          box->x / util_format_get_blockwidth(format) *
             util_format_get_blocksize(format);
}

static void
nv3p_flush_region(struct pipe_context *pipe, struct pipe_transfer *transfer,
                  const struct pipe_box *box)
{
   struct nv3p_resource *res = nv3p_resource(transfer->resource);
   unsigned start = transfer->box.x + box->x;

   if (res->base.target == PIPE_BUFFER)
      util_range_add(&res->base, &res->valid, start, start + box->width);
}

static void
nv3p_unmap(struct pipe_context *pipe, struct pipe_transfer *transfer)
{
   const struct pipe_box all = { .width = transfer->box.width };

   if (transfer->usage & PIPE_MAP_WRITE) {
      if (!(transfer->usage & PIPE_MAP_FLUSH_EXPLICIT))
         nv3p_flush_region(pipe, transfer, &all);
      nv3p_resource_written(nv3p_resource(transfer->resource));
   }
   pipe_resource_reference(&transfer->resource, NULL);
   FREE(transfer);
}

static void
nv3p_invalidate(struct pipe_context *pipe, struct pipe_resource *resource)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_resource *res = nv3p_resource(resource);

   if (resource->target != PIPE_BUFFER)
      return;
   nv3p_resource_claim(ctx, res);
   if (is_idle(ctx, res->bo) || nv3p_resource_rename(ctx, res, false))
      util_range_set_empty(&res->valid);
}

/*
 * Moves a texture to memory that the chip can draw to. After an export this
 * would no longer be possible, because other processes use the same storage.
 */
static void
nv3p_flush_resource(struct pipe_context *pipe, struct pipe_resource *resource)
{
   struct nv3p_resource *res = nv3p_resource(resource);

   if (resource->target != PIPE_BUFFER && !res->bo->shared &&
       resource->bind & (PIPE_BIND_RENDER_TARGET | PIPE_BIND_DEPTH_STENCIL))
      nv3p_resource_make_target(nv3p_context(pipe), res);
}

void
nv3p_screen_init_resource(struct nv3p_screen *screen)
{
   static const struct u_transfer_vtbl functions = {
      .transfer_map = nv3p_map,
      .transfer_unmap = nv3p_unmap,
      .transfer_flush_region = nv3p_flush_region,
   };

   screen->base.resource_create = resource_create;
   screen->base.resource_from_handle = resource_from_handle;
   screen->base.resource_get_handle = resource_get_handle;
   screen->base.resource_destroy = resource_destroy;
   screen->base.transfer_helper =
      u_transfer_helper_create(&functions, U_TRANSFER_HELPER_MSAA_MAP);
}

void
nv3p_init_resource(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->buffer_map = nv3p_map;
   pipe->buffer_unmap = nv3p_unmap;
   pipe->texture_map = u_transfer_helper_transfer_map;
   pipe->texture_unmap = u_transfer_helper_transfer_unmap;
   pipe->transfer_flush_region = u_transfer_helper_transfer_flush_region;
   pipe->buffer_subdata = u_default_buffer_subdata;
   pipe->texture_subdata = u_default_texture_subdata;
   pipe->invalidate_resource = nv3p_invalidate;
   pipe->flush_resource = nv3p_flush_resource;
}
