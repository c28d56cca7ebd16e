/* SPDX-License-Identifier: MIT */
/*
 * Flushes and fences. A fence is a syncobj that the batch signals. It is
 * exported as a sync file. Draws of the inner context are finished before any
 * flush, so fences only wait for the hardware.
 */
#include <unistd.h>
#include <xf86drm.h>

#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "base/nv3_context.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_sync.h"
#include "class17/nv3_texture.h"
#include "resource/nv3_presentation.h"
#include "resource/nv3_shared.h"
#include "sw/nv3_deferred_blend.h"

#include "nv3_pipe.h"

struct pipe_fence_handle {
   struct pipe_reference reference;
   uint32_t syncobj;
};

static struct pipe_fence_handle *
fence_new(struct nv3_screen *screen)
{
   struct pipe_fence_handle *fence = CALLOC_STRUCT(pipe_fence_handle);

   if (!fence)
      return NULL;
   pipe_reference_init(&fence->reference, 1);
   if (drmSyncobjCreate(screen->fd, 0, &fence->syncobj)) {
      FREE(fence);
      return NULL;
   }
   return fence;
}

static void
nv3_fence_reference(struct pipe_screen *pscreen, struct pipe_fence_handle **dst,
                    struct pipe_fence_handle *src)
{
   struct pipe_fence_handle *old = *dst;

   if (pipe_reference(old ? &old->reference : NULL,
                      src ? &src->reference : NULL)) {
      drmSyncobjDestroy(nv3_screen(pscreen)->fd, old->syncobj);
      FREE(old);
   }
   *dst = src;
}

static bool
nv3_fence_finish(struct pipe_screen *pscreen, struct pipe_context *pipe,
                 struct pipe_fence_handle *fence, uint64_t timeout)
{
   int64_t deadline = os_time_get_absolute_timeout(timeout), since = 0;
   int fd = nv3_screen(pscreen)->fd;

   if (deadline == OS_TIMEOUT_INFINITE)
      deadline = INT64_MAX;
   while (timeout >= NV3_POLL_NS && nv3_keep_polling(&since)) {
      if (!drmSyncobjWait(fd, &fence->syncobj, 1, 0, 0, NULL))
         return true;
   }
   return !drmSyncobjWait(fd, &fence->syncobj, 1, deadline, 0, NULL);
}

static int
nv3_fence_fd(struct pipe_screen *pscreen, struct pipe_fence_handle *fence)
{
   int fd;

   if (drmSyncobjExportSyncFile(nv3_screen(pscreen)->fd, fence->syncobj, &fd))
      return -1;
   return fd;
}

void
nv3_screen_init_fence(struct nv3_screen *screen)
{
   screen->base.fence_reference = nv3_fence_reference;
   screen->base.fence_finish = nv3_fence_finish;
   screen->base.fence_get_fd = nv3_fence_fd;
}

static void
nv3_flush(struct pipe_context *pipe, struct pipe_fence_handle **out,
          unsigned flags)
{
   struct nv3_context *ctx = nv3_context(pipe);
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
   fence = fence_new(ctx->screen);
   nv3_deferred_flush(ctx);
   /* The batches of a lost channel have ended. */
   if (fence && !nv3_chip_signal(ctx, fence->syncobj))
      drmSyncobjSignal(ctx->screen->fd, &fence->syncobj, 1);
   nv3_texture_release(ctx, false);
   nv3_fence_reference(&ctx->screen->base, out, NULL);
   *out = fence;
}

static void
nv3_create_fence_fd(struct pipe_context *pipe, struct pipe_fence_handle **out,
                    int fd, enum pipe_fd_type type)
{
   struct nv3_screen *screen = nv3_context(pipe)->screen;

   *out = fence_new(screen);
   if (!*out)
      return;
   if (type == PIPE_FD_TYPE_SYNCOBJ) {
      drmSyncobjDestroy(screen->fd, (*out)->syncobj);
      if (!drmSyncobjFDToHandle(screen->fd, fd, &(*out)->syncobj))
         return;
      (*out)->syncobj = 0;
   } else if (!drmSyncobjImportSyncFile(screen->fd, (*out)->syncobj, fd)) {
      return;
   }
   nv3_fence_reference(&screen->base, out, NULL);
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
   nv3_fence_finish(&ctx->screen->base, pipe, fence, OS_TIMEOUT_INFINITE);
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
   pipe->create_fence_fd = nv3_create_fence_fd;
   pipe->fence_server_sync = nv3_fence_server_sync;
   pipe->texture_barrier = nv3_barrier;
   pipe->memory_barrier = nv3_barrier;
}
