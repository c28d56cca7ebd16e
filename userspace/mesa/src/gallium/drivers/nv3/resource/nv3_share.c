/* SPDX-License-Identifier: MIT */
/*
 * Pictures that more than one process has. The canonical is what is shared, and
 * here are copies of it: the target, and textures. A window's buffer is brought
 * up to date when it is shown (flush_resource). Pixmaps of an X server have no
 * such moment: others see them after any flush. Nothing says when another process
 * writes to an imported or exported buffer: it is taken as new after each flush.
 */
#include "util/set.h"
#include "util/u_inlines.h"

#include "base/nv3_context.h"
#include "resource/nv3_resource.h"
#include "resource/nv3_share.h"

void
nv3_share_changed(struct nv3_context *ctx, struct nv3_resource *res)
{
   struct pipe_resource *reference = NULL;

   if (!res->implicit || !res->canonical_stale ||
       _mesa_set_search(ctx->shared, res))
      return;
   pipe_resource_reference(&reference, &res->base);
   _mesa_set_add(ctx->shared, res);
}

void
nv3_share_drawn(struct nv3_context *ctx)
{
   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      if (ctx->fb.cbufs[i])
         nv3_share_changed(ctx, nv3_resource(ctx->fb.cbufs[i]->texture));
   }
}

static void
forget(struct set_entry *entry)
{
   struct pipe_resource *reference = (struct pipe_resource *)entry->key;

   pipe_resource_reference(&reference, NULL);
}

void
nv3_share_flush(struct nv3_context *ctx)
{
   nv3_share_drawn(ctx);
   set_foreach(ctx->shared, entry)
      ctx->base.flush_resource(&ctx->base, (struct pipe_resource *)entry->key);
   _mesa_set_clear(ctx->shared, forget);

   p_atomic_inc(&ctx->screen->flushes);
   ctx->dirty |= NV3_NEW_TEXELS;
}

void
nv3_share_fini(struct nv3_context *ctx)
{
   _mesa_set_destroy(ctx->shared, forget);
}
