/* SPDX-License-Identifier: MIT */
/*
 * Flushes and fences. A fence is a syncobj that the batch signals. It is
 * exported as a sync file. Draws of the inner context are finished before any
 * flush, so fences only wait for the hardware.
 */
#include "util/os_time.h"

#include "base/nv3_context.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_fence.h"
#include "channel/nv3_sync.h"
#include "class17/nv3_texture.h"
#include "resource/nv3_presentation.h"
#include "resource/nv3_shared.h"
#include "sw/nv3_deferred_blend.h"

#include "nv3_pipe.h"

static void
nv3_flush(struct pipe_context *pipe, struct pipe_fence_handle **out,
          unsigned flags)
{
   struct nv3_context *ctx = nv3_context(pipe);
   struct pipe_screen *screen = pipe->screen;
   struct pipe_fence_handle *fence;

   nv3_shared_flush(ctx);
   nv3_inner_finish(ctx);
   nv3_presentation_drop(ctx, false);
   nv3_chip_drop_surfaces(ctx);
   if (!out) {
      nv3_chip_flush(ctx);
      nv3_texture_release(ctx, false);
      return;
   }
   fence = nv3_fence_new(screen);
   nv3_deferred_flush(ctx);
   /* The batches of a lost channel have ended. */
   if (fence && !nv3_chip_signal(ctx, nv3_fence_syncobj(fence)))
      nv3_fence_signal(screen, fence);
   nv3_texture_release(ctx, false);
   screen->fence_reference(screen, out, NULL);
   *out = fence;
}

static void
nv3_fence_server_sync(struct pipe_context *pipe,
                      struct pipe_fence_handle *fence)
{
   struct nv3_context *ctx = nv3_context(pipe);

   nv3_chip_flush(ctx);
   /*
    * Wait on the CPU. The inner context may draw before the next batch, and the
    * fence may be destroyed by then.
    */
   pipe->screen->fence_finish(pipe->screen, pipe, fence, OS_TIMEOUT_INFINITE);
}

static void
nv3_barrier(struct pipe_context *pipe, unsigned flags)
{
}

void
nv3_init_flush(struct nv3_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;

   pipe->flush = nv3_flush;
   nv3_init_fence(pipe);
   pipe->fence_server_sync = nv3_fence_server_sync;
   pipe->texture_barrier = nv3_barrier;
   pipe->memory_barrier = nv3_barrier;
}
