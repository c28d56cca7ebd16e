/* SPDX-License-Identifier: MIT */
/*
 * Transfers map the canonical copy. A buffer is ordinary memory, which no draw
 * reads after it has returned, so mapping a buffer does not wait.
 */
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_transfer.h"

#include "base/nv3_context.h"
#include "resource/nv3_resource.h"

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
   if (usage & PIPE_MAP_WRITE)
      p_atomic_inc(&nv3_resource(resource)->write_maps);
   *out = &transfer->base;
   return (uint8_t *)nv3_resource(resource)->data + box->x;
}

static void
nv3_buffer_unmap(struct pipe_context *pipe, struct pipe_transfer *ptransfer)
{
   if (ptransfer->usage & PIPE_MAP_WRITE) {
      p_atomic_dec(&nv3_resource(ptransfer->resource)->write_maps);
      nv3_buffer_changed(nv3_resource(ptransfer->resource));
   }
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
   if (!replaces_all(resource, usage) || res->bo || res->target_is_canonical)
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
      ctx->dirty |= NV3_NEW_TEXELS;
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
