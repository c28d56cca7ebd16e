/* SPDX-License-Identifier: MIT */
/*
 * Pictures that several processes share. Other processes see the canonical
 * copy.
 *
 * A window's buffer is converted when it is presented (flush_resource). Pixmaps
 * of an X server have no such event, so they are converted at every flush. A
 * foreign picture may change without notice, so it counts as changed after
 * every flush.
 */
#include "util/set.h"
#include "util/u_inlines.h"

#include "base/nv3_context.h"
#include "resource/nv3_resource.h"
#include "resource/nv3_shared.h"

void
nv3_shared_changed(struct nv3_context *ctx, struct nv3_resource *res)
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
         nv3_shared_changed(ctx, nv3_resource(ctx->fb.cbufs[i]->texture));
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
   ctx->dirty |= NV3_NEW_TEXELS;
}

void
nv3_shared_fini(struct nv3_context *ctx)
{
   _mesa_set_destroy(ctx->shared, forget);
}
