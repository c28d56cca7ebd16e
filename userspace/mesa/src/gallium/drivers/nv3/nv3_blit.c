/* SPDX-License-Identifier: MIT */
/*
 * Copies, blits and what is due when a picture is shown.
 */
#include "util/u_inlines.h"

#include "nv3_chip.h"
#include "nv3_context.h"
#include "nv3_present.h"
#include "nv3_resource.h"

static void
master_changed(struct nv3_context *ctx, struct nv3_resource *res)
{
   nv3_resource_master_written(res);
   ctx->inner_busy = true;
   ctx->dirty |= NV3_NEW_TEXELS;
}

static void
nv3_copy_region(struct pipe_context *pipe, struct pipe_resource *pdst,
                unsigned dst_level, unsigned dst_x, unsigned dst_y,
                unsigned dst_z, struct pipe_resource *psrc, unsigned src_level,
                const struct pipe_box *src_box)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *dst = nv3_resource(pdst), *src = nv3_resource(psrc);

   nv3_resource_sync_master(ctx, src);
   nv3_resource_sync_master(ctx, dst);
   ctx->inner->resource_copy_region(ctx->inner, dst->master, dst_level, dst_x,
                                    dst_y, dst_z, src->master, src_level,
                                    src_box);
   master_changed(ctx, dst);
}

static void
nv3_blit(struct pipe_context *pipe, const struct pipe_blit_info *info)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *dst = nv3_resource(info->dst.resource);
   struct nv3_resource *src = nv3_resource(info->src.resource);
   struct pipe_blit_info inner = *info;

   nv3_resource_sync_master(ctx, src);
   nv3_resource_sync_master(ctx, dst);
   inner.dst.resource = dst->master;
   inner.src.resource = src->master;
   ctx->inner->blit(ctx->inner, &inner);
   master_changed(ctx, dst);
}

/* Others are about to look at it. */
static void
nv3_flush_resource(struct pipe_context *pipe, struct pipe_resource *resource)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *res = nv3_resource(resource);

   if (res->bo && !(res->master_stale && nv3_present(ctx, res)))
      nv3_resource_sync_master(ctx, res);
}

static void
nv3_invalidate_resource(struct pipe_context *pipe,
                        struct pipe_resource *resource)
{
}

void
nv3_init_blit(struct nv3_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->resource_copy_region = nv3_copy_region;
   pipe->blit = nv3_blit;
   pipe->flush_resource = nv3_flush_resource;
   pipe->invalidate_resource = nv3_invalidate_resource;
}
