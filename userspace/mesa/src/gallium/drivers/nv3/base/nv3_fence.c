/* SPDX-License-Identifier: MIT */
/* Implements fences as syncobjs that batches signal. */
#include <xf86drm.h>

#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "base/nv3_fence.h"
#include "base/nv3_sync.h"

struct pipe_fence_handle {
   struct pipe_reference reference;
   uint32_t syncobj;
};

/* Creates a fence with a new syncobj. Returns NULL if memory is exhausted. */
static struct pipe_fence_handle *
fence_new(struct pipe_screen *screen)
{
   struct pipe_fence_handle *fence = CALLOC_STRUCT(pipe_fence_handle);

   if (!fence)
      return NULL;
   pipe_reference_init(&fence->reference, 1);
   if (drmSyncobjCreate(screen->get_screen_fd(screen), 0, &fence->syncobj)) {
      FREE(fence);
      return NULL;
   }
   return fence;
}

uint32_t
nv3_fence_syncobj(const struct pipe_fence_handle *fence)
{
   return fence->syncobj;
}

static void
nv3_fence_reference(struct pipe_screen *screen, struct pipe_fence_handle **dst,
                    struct pipe_fence_handle *src)
{
   struct pipe_fence_handle *old = *dst;

   if (pipe_reference(old ? &old->reference : NULL,
                      src ? &src->reference : NULL)) {
      drmSyncobjDestroy(screen->get_screen_fd(screen), old->syncobj);
      FREE(old);
   }
   *dst = src;
}

static bool
nv3_fence_finish(struct pipe_screen *screen, struct pipe_context *pipe,
                 struct pipe_fence_handle *fence, uint64_t timeout)
{
   int64_t deadline = os_time_get_absolute_timeout(timeout), since = 0;
   int fd = screen->get_screen_fd(screen);

   if (deadline == OS_TIMEOUT_INFINITE)
      deadline = INT64_MAX;
   while (timeout >= NV3_POLL_NS && nv3_keep_polling(&since)) {
      if (!drmSyncobjWait(fd, &fence->syncobj, 1, 0, 0, NULL))
         return true;
   }
   return !drmSyncobjWait(fd, &fence->syncobj, 1, deadline, 0, NULL);
}

void
nv3_flush_to_fence(struct pipe_context *pipe, struct pipe_fence_handle **out,
                   bool (*submit)(struct pipe_context *pipe, uint32_t syncobj))
{
   struct pipe_screen *screen = pipe->screen;
   struct pipe_fence_handle *fence = out ? fence_new(screen) : NULL;

   /* If the batch is lost, nothing else will signal the fence. */
   if (!submit(pipe, fence ? fence->syncobj : 0) && fence)
      drmSyncobjSignal(screen->get_screen_fd(screen), &fence->syncobj, 1);
   if (!out)
      return;
   nv3_fence_reference(screen, out, NULL);
   *out = fence;
}

static int
nv3_fence_fd(struct pipe_screen *screen, struct pipe_fence_handle *fence)
{
   int fd;

   if (drmSyncobjExportSyncFile(screen->get_screen_fd(screen), fence->syncobj,
                                &fd))
      return -1;
   return fd;
}

static void
nv3_create_fence_fd(struct pipe_context *pipe, struct pipe_fence_handle **out,
                    int fd, enum pipe_fd_type type)
{
   struct pipe_screen *screen = pipe->screen;
   int drm = screen->get_screen_fd(screen);

   *out = fence_new(screen);
   if (!*out)
      return;
   if (type == PIPE_FD_TYPE_SYNCOBJ) {
      drmSyncobjDestroy(drm, (*out)->syncobj);
      if (!drmSyncobjFDToHandle(drm, fd, &(*out)->syncobj))
         return;
      (*out)->syncobj = 0;
   } else if (!drmSyncobjImportSyncFile(drm, (*out)->syncobj, fd)) {
      return;
   }
   nv3_fence_reference(screen, out, NULL);
}

void
nv3_screen_init_fence(struct pipe_screen *screen)
{
   screen->fence_reference = nv3_fence_reference;
   screen->fence_finish = nv3_fence_finish;
   screen->fence_get_fd = nv3_fence_fd;
}

void
nv3_init_fence(struct pipe_context *pipe)
{
   pipe->create_fence_fd = nv3_create_fence_fd;
}
