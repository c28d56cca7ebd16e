/* SPDX-License-Identifier: MIT */
/*
 * Copies, blits and presentation.
 *
 * If both render copies are up to date, the hardware copies between them. If
 * the blit scales or stays within one picture, the inner context copies between
 * the render copies, which avoids conversions. Otherwise it copies between the
 * canonical copies.
 */
#include "util/u_inlines.h"
#include "util/u_surface.h"

#include "base/nv3_context.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_m2mf.h"
#include "channel/nv3_sync.h"
#include "channel/nv3_target.h"
#include "resource/nv3_presentation.h"
#include "resource/nv3_resource.h"
#include "resource/nv3_shared.h"

static bool
is_new_in_target(const struct nv3_resource *res)
{
   return res->target && !res->target_stale && !res->target->zeta;
}

/*
 * True if the hardware can copy. It can't copy within a picture, because it
 * would read its own output.
 */
static bool
can_copy(const struct nv3_context *ctx, const struct nv3_resource *dst,
         const struct nv3_resource *src)
{
   return dst != src && !ctx->chip->lost && !ctx->chip->no_memory &&
          dst->base.format == src->base.format &&
          is_new_in_target(dst) && is_new_in_target(src) &&
          nv3_device_has_class(ctx->screen->dev, NV3_CLASS_M2MF);
}

/* Copies between render copies by class 0x0d. The CPU does not wait. */
static bool
chip_copy(struct nv3_context *ctx, struct nv3_resource *dst, unsigned x,
          unsigned y, struct nv3_resource *src, const struct pipe_box *box)
{
   const struct nv3_target *to = dst->target, *from = src->target;
   const struct nv3_m2mf_lines lines = {
      .from = box->y * from->pitch + box->x * 2,
      .to = y * to->pitch + x * 2,
      .from_pitch = from->pitch,
      .to_pitch = to->pitch,
      .length = box->width * 2,
      .count = box->height,
      .step = 1,
   };
   struct nv3_object *object = nv3_m2mf_new(ctx, from->bo, to->bo);
   bool ok;

   if (!object)
      return false;
   nv3_inner_finish(ctx);
   /* Flush, so that earlier render targets need not be in VRAM with these. */
   ok = nv3_chip_flush(ctx) && nv3_m2mf_copy(ctx, object, &lines);
   ctx->chip->d3d_current = false;
   nv3_object_unref(object);
   return ok;
}

/*
 * Updates the copies that the inner context uses, and waits until they are
 * idle. Returns true if these are the render copies. If @as_is is set, the
 * blit needs no format conversion.
 */
static bool
use_targets(struct nv3_context *ctx, struct nv3_resource *dst,
            struct nv3_resource *src, bool as_is)
{
   nv3_resource_refresh(ctx, src);
   nv3_resource_refresh(ctx, dst);
   if (!as_is || dst->base.format != src->base.format ||
       !is_new_in_target(dst) || !is_new_in_target(src)) {
      nv3_resource_sync_canonical(ctx, src);
      nv3_resource_sync_canonical(ctx, dst);
      return false;
   }
   nv3_resource_wait_target(ctx, src);
   nv3_resource_wait_target(ctx, dst);
   return true;
}

static void
changed(struct nv3_context *ctx, struct nv3_resource *res, bool target)
{
   if (target)
      nv3_resource_target_written(res);
   else
      nv3_resource_canonical_written(res);
   nv3_shared_changed(ctx, res);
   ctx->inner_busy = true;
   ctx->dirty |= NV3_NEW_TEXELS;
}

static struct pipe_resource *
inner_resource(const struct nv3_resource *res, bool target)
{
   return target ? res->target->inner : res->canonical;
}

static void
nv3_copy_region(struct pipe_context *pipe, struct pipe_resource *pdst,
                unsigned dst_level, unsigned dst_x, unsigned dst_y,
                unsigned dst_z, struct pipe_resource *psrc, unsigned src_level,
                const struct pipe_box *src_box)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *dst = nv3_resource(pdst), *src = nv3_resource(psrc);
   bool targets;

   nv3_resource_refresh(ctx, src);
   nv3_resource_refresh(ctx, dst);
   if (can_copy(ctx, dst, src) &&
       chip_copy(ctx, dst, dst_x, dst_y, src, src_box)) {
      nv3_resource_target_written(dst);
      nv3_shared_changed(ctx, dst);
      ctx->dirty |= NV3_NEW_TEXELS;
      ctx->count.chip_copies++;
      return;
   }
   targets = use_targets(ctx, dst, src, true);
   ctx->inner->resource_copy_region(ctx->inner, inner_resource(dst, targets),
                                    dst_level, dst_x, dst_y, dst_z,
                                    inner_resource(src, targets), src_level,
                                    src_box);
   changed(ctx, dst, targets);
}

static void
nv3_blit(struct pipe_context *pipe, const struct pipe_blit_info *info)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *dst = nv3_resource(info->dst.resource);
   struct nv3_resource *src = nv3_resource(info->src.resource);
   struct pipe_blit_info inner = *info;
   bool targets;

   if (util_try_blit_via_copy_region(pipe, info, ctx->conditional))
      return;
   targets = use_targets(ctx, dst, src, info->dst.format == info->src.format);
   inner.dst.resource = inner_resource(dst, targets);
   inner.src.resource = inner_resource(src, targets);
   if (targets)
      inner.dst.format = inner.src.format = inner.dst.resource->format;
   ctx->inner->blit(ctx->inner, &inner);
   changed(ctx, dst, targets);
}

/*
 * Updates the canonical copy of a resource that another process is going to
 * read.
 */
static void
nv3_flush_resource(struct pipe_context *pipe, struct pipe_resource *resource)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *res = nv3_resource(resource);

   if (res->bo && !(res->canonical_stale && nv3_presentation_convert(ctx, res)))
      nv3_resource_sync_canonical(ctx, res);
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
