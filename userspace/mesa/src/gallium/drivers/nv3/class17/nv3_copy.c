/* SPDX-License-Identifier: MIT */
/*
 * Pictures that several processes share, and copies, which the inner context
 * executes on the canonical copies.
 *
 * Other processes see the canonical copy. A window's buffer is converted when
 * it is presented (flush_resource). Pixmaps of an X server have no such event,
 * so they are converted at every flush. A foreign picture may change without
 * notice, so it counts as changed after every flush.
 */
#include "util/set.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_surface.h"

#include "class17/nv3_class17.h"
#include "class17/nv3_resource.h"

/* ---- shared pictures ---- */

/* If other processes can see @res, the next flush converts it. */
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
 * Updates the canonical copy of a resource that another process is going to
 * read.
 */
static void
nv3_flush_resource(struct pipe_context *pipe, struct pipe_resource *resource)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct nv3_resource *res = nv3_resource(resource);

   if (res->bo && !(res->canonical_stale && nv3_present(ctx, res)))
      nv3_resource_sync_canonical(ctx, res);
}

/* ---- copies ---- */

/* Updates the copies that the inner context uses. */
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
