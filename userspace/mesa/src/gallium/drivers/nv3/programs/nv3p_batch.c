/* SPDX-License-Identifier: MIT */
/*
 * Manages the context's channel, builds and submits batches, and implements
 * fences as syncobjs that batches signal.
 *
 * The kernel preserves a channel's state of class 0x1f between batches. If a
 * batch is lost, the driver does not know which methods of the batch have
 * been executed, so it emits all state again.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include <xf86drm.h>

#include "util/hash_table.h"
#include "util/log.h"
#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "base/nv3p_context.h"
#include "programs/nv3p_methods.h"

/* The number of words that libdrm_nv3 may add to a batch to bind objects. */
#define SLACK 16
#define FENCE_WORDS 16

static void
bind_object(struct nv3p_batch *batch)
{
   nv3_pushbuf_select(batch->push, NV3P_SUBCH, batch->object);
}

static bool
open_channel(struct nv3p_context *ctx)
{
   struct nv3p_batch *batch = &ctx->batch;
   struct nv3_device *dev = ctx->screen->dev;

   if (nv3_channel_new(dev, DRM_NV3_CHANNEL_DMA, &batch->chan) ||
       nv3_programs_object_new(batch->chan, 0, ctx->screen->vm, NULL,
                        &batch->object) ||
       nv3_pushbuf_new(batch->chan, &batch->push))
      return false;
   bind_object(batch);
   return true;
}

static void
close_channel(struct nv3p_batch *batch)
{
   nv3_pushbuf_del(batch->push);
   nv3_object_unref(batch->object);
   nv3_channel_unref(batch->chan);
   batch->push = NULL;
   batch->object = NULL;
   batch->chan = NULL;
}

/* Releases the buffers of a submitted or lost batch. */
static void
end_batch(struct nv3p_context *ctx)
{
   struct nv3p_batch *batch = &ctx->batch;

   hash_table_foreach(batch->bos, entry) {
      struct nv3p_bo *bo = (struct nv3p_bo *)entry->key;

      p_atomic_inc(&bo->uses);
      if ((uintptr_t)entry->data & NV3P_USE_WRITE)
         bo->written = p_atomic_inc_return(&ctx->screen->serial);
      nv3p_bo_reference(&bo, NULL);
   }
   _mesa_hash_table_clear(batch->bos, NULL);
   batch->vram = 0;
   batch->reads_unlisted = false;
   batch->id++;
}

/*
 * Replaces a stopped channel, because a stopped channel executes no methods.
 * The kernel stops a channel only after a fault of the same channel.
 */
static void
replace_channel(struct nv3p_context *ctx, int error)
{
   struct nv3p_batch *batch = &ctx->batch;
   struct drm_nv3_channel_query query;

   batch->reset = PIPE_UNKNOWN_CONTEXT_RESET;
   if (!nv3_channel_query(batch->chan, &query) && query.fault) {
      batch->reset = PIPE_GUILTY_CONTEXT_RESET;
      mesa_loge("nv3: the channel stopped (%s): %s at method 0x%x of class "
                "0x%x (0x%x)", strerror(-error), nv3_fault_name(query.fault),
                query.method, query.class_id, query.data);
   }
   close_channel(batch);
   batch->lost = !open_channel(ctx);
   nv3p_emit_all(ctx);
}

bool
nv3p_flush(struct nv3p_context *ctx, uint32_t syncobj)
{
   const struct drm_nv3_sync out = { .handle = syncobj };
   struct nv3p_batch *batch = &ctx->batch;
   int ret;

   if (batch->lost)
      return false;
   ret = nv3_pushbuf_flush(batch->push, &out, syncobj != 0);
   /* Wait, because the CPU does not synchronize with unlisted buffers. */
   if (!ret && batch->reads_unlisted)
      nv3_pushbuf_wait(batch->push, nv3_pushbuf_seq(batch->push), INT64_MAX);
   end_batch(ctx);
   if (!ret)
      return true;
   if (ret == -ENOMEM || ret == -ENOSPC) {
      mesa_loge("nv3: the buffers of a batch do not fit in VRAM");
      bind_object(batch);
      nv3p_emit_all(ctx);
      return false;
   }
   replace_channel(ctx, ret);
   if (ctx->reset_callback.reset) {
      ctx->reset_callback.reset(ctx->reset_callback.data, batch->reset);
      batch->reset = PIPE_NO_RESET;
   }
   return false;
}

bool
nv3p_reserve(struct nv3p_context *ctx, unsigned words)
{
   struct nv3p_batch *batch = &ctx->batch;

   assert(words <= batch->words_max);
   if (!batch->lost &&
       nv3_pushbuf_words(batch->push) + words > batch->words_max)
      nv3p_flush(ctx, 0);
   return !batch->lost && !nv3_pushbuf_space(batch->push, words);
}

/*
 * True if the batch must list the buffer. @write is set if the batch writes
 * the buffer. A listed buffer of domain VRAM stays in VRAM during the batch.
 * An unlisted buffer can be in system memory, but the batch may only read it.
 * If VRAM has no room for all buffers, the batch therefore does not list
 * buffers that it only reads.
 */
static bool
must_list(const struct nv3p_context *ctx, const struct nv3p_bo *bo, bool write)
{
   return write || bo->shared || bo->domains != DRM_NV3_GEM_VRAM ||
          ctx->batch.vram + bo->base.size <= ctx->screen->vram;
}

void
nv3p_batch_use(struct nv3p_context *ctx, struct nv3p_bo *bo, bool write)
{
   struct nv3p_batch *batch = &ctx->batch;
   const unsigned old = nv3p_batch_usage(ctx, bo);
   struct nv3p_bo *reference = NULL;
   unsigned usage = old | NV3P_USE_READ | (write ? NV3P_USE_WRITE : 0);

   if (old & NV3P_USE_LISTED && usage == old)
      return;
   if (must_list(ctx, bo, write)) {
      nv3_pushbuf_use(batch->push, bo->bo,
                      DRM_NV3_BUFFER_READ |
                      (write ? DRM_NV3_BUFFER_WRITE : 0));
      if (!(old & NV3P_USE_LISTED) && bo->domains == DRM_NV3_GEM_VRAM)
         batch->vram += bo->base.size;
      usage |= NV3P_USE_LISTED;
   } else {
      batch->reads_unlisted = true;
   }
   if (!old)
      nv3p_bo_reference(&reference, bo);
   _mesa_hash_table_insert(batch->bos, bo, (void *)(uintptr_t)usage);
}

unsigned
nv3p_batch_usage(const struct nv3p_context *ctx, const struct nv3p_bo *bo)
{
   struct hash_entry *entry = _mesa_hash_table_search(ctx->batch.bos, bo);

   return entry ? (uintptr_t)entry->data : 0;
}

bool
nv3p_bo_sync(struct nv3p_context *ctx, struct nv3p_bo *bo, bool write,
             bool wait)
{
   const unsigned usage = nv3p_batch_usage(ctx, bo);

   /* The batch may also use a shared buffer through another nv3p_bo. */
   if (bo->shared || usage & NV3P_USE_WRITE || (usage && write))
      nv3p_flush(ctx, 0);
   return nv3p_bo_wait(bo, write, wait ? INT64_MAX : 0);
}

/* ---- resets ---- */

/*
 * Replaces the channel if it has stopped. If a channel of the context has
 * stopped since the last call, returns the reset status, otherwise
 * PIPE_NO_RESET.
 */
static enum pipe_reset_status
nv3p_get_reset_status(struct pipe_context *pipe)
{
   struct nv3p_context *ctx = nv3p_context(pipe);
   struct nv3p_batch *batch = &ctx->batch;
   struct drm_nv3_channel_query query;
   enum pipe_reset_status reset;

   /*
    * Check for a fault now. Otherwise the context would notice the fault only
    * when the next batch fails.
    */
   if (!batch->lost && !nv3_channel_query(batch->chan, &query) && query.fault) {
      end_batch(ctx);
      replace_channel(ctx, -EIO);
   }
   reset = batch->reset;
   batch->reset = PIPE_NO_RESET;
   return reset;
}

static void
nv3p_set_reset_callback(struct pipe_context *pipe,
                        const struct pipe_device_reset_callback *callback)
{
   nv3p_context(pipe)->reset_callback =
      callback ? *callback : (struct pipe_device_reset_callback){ 0 };
}

/* ---- fences ---- */

struct pipe_fence_handle {
   struct pipe_reference reference;
   uint32_t syncobj;
};

/* Creates a fence with a new syncobj. Returns NULL if memory is exhausted. */
static struct pipe_fence_handle *
fence_new(int fd)
{
   struct pipe_fence_handle *fence = CALLOC_STRUCT(pipe_fence_handle);

   if (!fence)
      return NULL;
   pipe_reference_init(&fence->reference, 1);
   if (drmSyncobjCreate(fd, 0, &fence->syncobj)) {
      FREE(fence);
      return NULL;
   }
   return fence;
}

static void
nv3p_fence_reference(struct pipe_screen *screen,
                     struct pipe_fence_handle **dst,
                     struct pipe_fence_handle *src)
{
   struct pipe_fence_handle *old = *dst;

   if (pipe_reference(old ? &old->reference : NULL,
                      src ? &src->reference : NULL)) {
      drmSyncobjDestroy(nv3p_screen(screen)->fd, old->syncobj);
      FREE(old);
   }
   *dst = src;
}

static bool
nv3p_fence_finish(struct pipe_screen *screen, struct pipe_context *pipe,
                  struct pipe_fence_handle *fence, uint64_t timeout)
{
   int64_t deadline = os_time_get_absolute_timeout(timeout), since = 0;
   int fd = nv3p_screen(screen)->fd;

   if (deadline == OS_TIMEOUT_INFINITE)
      deadline = INT64_MAX;
   while (timeout >= NV3P_POLL_NS && nv3p_keep_polling(&since)) {
      if (!drmSyncobjWait(fd, &fence->syncobj, 1, 0, 0, NULL))
         return true;
   }
   return !drmSyncobjWait(fd, &fence->syncobj, 1, deadline, 0, NULL);
}

static int
nv3p_fence_fd(struct pipe_screen *screen, struct pipe_fence_handle *fence)
{
   int fd;

   if (drmSyncobjExportSyncFile(nv3p_screen(screen)->fd, fence->syncobj, &fd))
      return -1;
   return fd;
}

static void
nv3p_create_fence_fd(struct pipe_context *pipe, struct pipe_fence_handle **out,
                     int fd, enum pipe_fd_type type)
{
   int drm = nv3p_screen(pipe->screen)->fd;

   *out = fence_new(drm);
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
   nv3p_fence_reference(pipe->screen, out, NULL);
}

/*
 * Submits the batch. If @out is not NULL, sets *@out to a fence that signals
 * when the batch has completed, or to NULL if memory is exhausted.
 */
static void
nv3p_flush_to_fence(struct pipe_context *pipe, struct pipe_fence_handle **out,
                    unsigned flags)
{
   int fd = nv3p_screen(pipe->screen)->fd;
   struct pipe_fence_handle *fence = out ? fence_new(fd) : NULL;

   /* If the batch is lost, nothing else will signal the fence. */
   if (!nv3p_flush(nv3p_context(pipe), fence ? fence->syncobj : 0) && fence)
      drmSyncobjSignal(fd, &fence->syncobj, 1);
   if (!out)
      return;
   nv3p_fence_reference(pipe->screen, out, NULL);
   *out = fence;
}

/*
 * Makes all later batches wait for @fence. Submits the wait as a batch of its
 * own, so that the context needs no reference to @fence.
 */
static void
nv3p_fence_server_sync(struct pipe_context *pipe,
                       struct pipe_fence_handle *fence)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   nv3p_flush(ctx, 0);
   if (!nv3p_reserve(ctx, FENCE_WORDS) ||
       nv3_pushbuf_after(ctx->batch.push, fence->syncobj, 0))
      return;
   nv3p_method(ctx, NV3_PM_NO_OPERATION, 0);
   nv3p_flush(ctx, 0);
}

void
nv3p_screen_init_fence(struct pipe_screen *screen)
{
   screen->fence_reference = nv3p_fence_reference;
   screen->fence_finish = nv3p_fence_finish;
   screen->fence_get_fd = nv3p_fence_fd;
}

/* ---- contexts ---- */

bool
nv3p_batch_init(struct nv3p_context *ctx)
{
   struct nv3p_batch *batch = &ctx->batch;
   uint64_t bytes;

   ctx->base.flush = nv3p_flush_to_fence;
   ctx->base.create_fence_fd = nv3p_create_fence_fd;
   ctx->base.fence_server_sync = nv3p_fence_server_sync;
   ctx->base.get_device_reset_status = nv3p_get_reset_status;
   ctx->base.set_device_reset_callback = nv3p_set_reset_callback;
   batch->bos = _mesa_pointer_hash_table_create(NULL);
   if (nv3_device_param(ctx->screen->dev, DRM_NV3_PARAM_SUBMIT_MAX, &bytes))
      return false;
   batch->words_max = bytes / 4 - SLACK;
   return batch->bos && open_channel(ctx);
}

void
nv3p_batch_fini(struct nv3p_context *ctx)
{
   struct nv3p_batch *batch = &ctx->batch;

   if (batch->bos)
      end_batch(ctx);
   _mesa_hash_table_destroy(batch->bos, NULL);
   close_channel(batch);
}
