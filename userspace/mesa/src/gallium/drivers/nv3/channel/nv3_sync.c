/* SPDX-License-Identifier: MIT */
/* Waiting for the hardware and for the inner context. */
#include "pipe/p_screen.h"

#include <nv3.h>

#include "base/nv3_context.h"
#include "channel/nv3_sync.h"

void
nv3_chip_wait(struct nv3_bo *bo)
{
   int64_t since = 0;

   while (nv3_keep_polling(&since)) {
      if (!nv3_bo_wait(bo, DRM_NV3_GEM_WAIT_WRITE, 0))
         return;
   }
   nv3_bo_wait(bo, DRM_NV3_GEM_WAIT_WRITE, INT64_MAX);
}

void
nv3_inner_finish(struct nv3_context *ctx)
{
   struct pipe_screen *screen = ctx->screen->inner;
   struct pipe_fence_handle *fence = NULL;

   if (!ctx->inner_busy)
      return;
   ctx->inner->flush(ctx->inner, &fence, 0);
   if (fence) {
      screen->fence_finish(screen, NULL, fence, OS_TIMEOUT_INFINITE);
      screen->fence_reference(screen, &fence, NULL);
   }
   ctx->inner_busy = false;
}
