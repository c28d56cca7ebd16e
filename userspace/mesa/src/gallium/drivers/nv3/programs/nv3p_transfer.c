/* SPDX-License-Identifier: MIT */
/*
 * Transfers map the storage itself. If the program will overwrite contents that
 * the chip still uses, the driver replaces the storage where possible, so that
 * the CPU does not wait. For a multisampled texture, Mesa's helper instead maps
 * a copy with one sample per pixel.
 */
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_transfer.h"
#include "util/u_transfer_helper.h"

#include "base/nv3p_context.h"

/*
 * The maximum number of bytes to copy to new storage. Copying this number of
 * bytes takes less time than waiting for a batch.
 */
#define COPY_MAX (256u << 10)

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

   nv3p_resource_claim(ctx, res);
   if (usage & PIPE_MAP_UNSYNCHRONIZED)
      return true;
   if (write && !(usage & PIPE_MAP_READ) && (discard || res->size <= COPY_MAX)) {
      if (is_idle(ctx, res->bo) || nv3p_resource_rename(ctx, res, !discard))
         return true;
   }
   return nv3p_bo_sync(ctx, res->bo, write, !(usage & PIPE_MAP_DONTBLOCK));
}

static struct pipe_transfer *
transfer_new(struct pipe_resource *resource, unsigned level, unsigned usage,
             const struct pipe_box *box)
{
   struct pipe_transfer *transfer = CALLOC_STRUCT(pipe_transfer);

   if (!transfer)
      return NULL;
   pipe_resource_reference(&transfer->resource, resource);
   transfer->level = level;
   transfer->usage = usage;
   transfer->box = *box;
   return transfer;
}

static void
transfer_free(struct pipe_transfer *transfer)
{
   pipe_resource_reference(&transfer->resource, NULL);
   FREE(transfer);
}

/* ---- buffers ---- */

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
nv3p_buffer_map(struct pipe_context *pipe, struct pipe_resource *resource,
                unsigned level, unsigned usage, const struct pipe_box *box,
                struct pipe_transfer **out)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_resource *res = nv3p_resource(resource);

   usage = buffer_usage(res, usage, box);
   if (!prepare(ctx, res, usage))
      return NULL;
   *out = transfer_new(resource, level, usage, box);
   return *out ? (uint8_t *)res->bo->map + res->offset + box->x : NULL;
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
nv3p_buffer_unmap(struct pipe_context *pipe, struct pipe_transfer *transfer)
{
   const struct pipe_box all = { .width = transfer->box.width };

   if (transfer->usage & PIPE_MAP_WRITE &&
       !(transfer->usage & PIPE_MAP_FLUSH_EXPLICIT))
      nv3p_flush_region(pipe, transfer, &all);
   transfer_free(transfer);
}

/* ---- textures ---- */

static void *
nv3p_texture_map(struct pipe_context *pipe, struct pipe_resource *resource,
                 unsigned level, unsigned usage, const struct pipe_box *box,
                 struct pipe_transfer **out)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_resource *res = nv3p_resource(resource);
   const enum pipe_format format = resource->format;
   struct pipe_transfer *transfer;

   if (!prepare(ctx, res, usage))
      return NULL;
   transfer = transfer_new(resource, level, usage, box);
   if (!transfer)
      return NULL;
   transfer->stride = res->levels[level].pitch;
   transfer->layer_stride = nv3p_layer_stride(res, level);
   *out = transfer;
   return (uint8_t *)res->bo->map + nv3p_resource_offset(res, level, box->z) +
          box->y / util_format_get_blockheight(format) * transfer->stride +
          box->x / util_format_get_blockwidth(format) *
             util_format_get_blocksize(format);
}

static void
nv3p_texture_unmap(struct pipe_context *pipe, struct pipe_transfer *transfer)
{
   if (transfer->usage & PIPE_MAP_WRITE)
      nv3p_resource_written(nv3p_resource(transfer->resource));
   transfer_free(transfer);
}

/* ---- others ---- */

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

/* Does nothing, because other processes use the same storage. */
static void
nv3p_flush_resource(struct pipe_context *pipe, struct pipe_resource *resource)
{
}

void
nv3p_screen_init_transfer(struct nv3p_screen *screen)
{
   static const struct u_transfer_vtbl functions = {
      .transfer_map = nv3p_texture_map,
      .transfer_unmap = nv3p_texture_unmap,
      .transfer_flush_region = nv3p_flush_region,
   };

   screen->base.transfer_helper =
      u_transfer_helper_create(&functions, U_TRANSFER_HELPER_MSAA_MAP);
}

void
nv3p_init_transfer(struct nv3p_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->buffer_map = nv3p_buffer_map;
   pipe->buffer_unmap = nv3p_buffer_unmap;
   pipe->texture_map = u_transfer_helper_transfer_map;
   pipe->texture_unmap = u_transfer_helper_transfer_unmap;
   pipe->transfer_flush_region = u_transfer_helper_transfer_flush_region;
   pipe->buffer_subdata = u_default_buffer_subdata;
   pipe->texture_subdata = u_default_texture_subdata;
   pipe->invalidate_resource = nv3p_invalidate;
   pipe->flush_resource = nv3p_flush_resource;
}
