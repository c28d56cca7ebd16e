/* SPDX-License-Identifier: MIT */
/*
 * Manages the context's channel, and builds and submits batches.
 *
 * The kernel preserves a channel's state of class 0x1f between batches. If a
 * batch is lost, the driver does not know which methods of the batch have
 * been executed, so it emits all state again.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "util/hash_table.h"
#include "util/log.h"
#include "util/u_inlines.h"

#include "base/nv3p_context.h"
#include "base/nv3_fence.h"
#include "programs/nv3p_emit.h"
#include "programs/nv3p_methods.h"

/* The number of words that libdrm_nv3 may add to a batch to bind objects. */
#define SLACK 16

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

bool
nv3p_batch_init(struct nv3p_context *ctx)
{
   struct nv3p_batch *batch = &ctx->batch;
   uint64_t bytes;

   util_dynarray_init(&batch->in_fences, NULL);
   batch->bos = _mesa_pointer_hash_table_create(NULL);
   if (nv3_device_param(ctx->screen->dev, DRM_NV3_PARAM_SUBMIT_MAX, &bytes))
      return false;
   batch->words_max = bytes / 4 - SLACK;
   return batch->bos && open_channel(ctx);
}

static void
release_bos(struct nv3p_context *ctx)
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
}

static void
release_fences(struct nv3p_context *ctx)
{
   struct pipe_screen *screen = ctx->base.screen;

   util_dynarray_foreach(&ctx->batch.in_fences, struct pipe_fence_handle *,
                         fence)
      screen->fence_reference(screen, fence, NULL);
   util_dynarray_clear(&ctx->batch.in_fences);
}

void
nv3p_batch_after(struct nv3p_context *ctx, struct pipe_fence_handle *fence)
{
   struct pipe_screen *screen = ctx->base.screen;
   struct pipe_fence_handle *reference = NULL;

   if (ctx->batch.lost ||
       nv3_pushbuf_after(ctx->batch.push, nv3_fence_syncobj(fence), 0))
      return;
   screen->fence_reference(screen, &reference, fence);
   util_dynarray_append(&ctx->batch.in_fences, struct pipe_fence_handle *,
                        reference);
}

void
nv3p_batch_fini(struct nv3p_context *ctx)
{
   struct nv3p_batch *batch = &ctx->batch;

   if (batch->bos)
      release_bos(ctx);
   release_fences(ctx);
   util_dynarray_fini(&batch->in_fences);
   _mesa_hash_table_destroy(batch->bos, NULL);
   close_channel(batch);
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

/*
 * Releases the buffers and fences of the batch. @submitted is false if the
 * batch was empty.
 */
static void
end_batch(struct nv3p_context *ctx, bool submitted)
{
   release_bos(ctx);
   /* libdrm_nv3 keeps the fences of an empty batch for the next batch. */
   if (submitted)
      release_fences(ctx);
   ctx->batch.id++;
   ctx->count.batches++;
}

/*
 * If the state tracker has set a callback, reports that the channel has
 * stopped.
 */
static void
report_reset(struct nv3p_context *ctx)
{
   const struct pipe_device_reset_callback *callback = &ctx->reset_callback;

   if (!callback->reset)
      return;
   callback->reset(callback->data, ctx->batch.reset);
   ctx->batch.reset = PIPE_NO_RESET;
}

/*
 * Waits until the submitted batch has completed, by waiting for a buffer that
 * the batch writes. The wait ensures that the CPU never changes an unlisted
 * buffer that an unfinished batch reads.
 */
static void
wait_for_batch(const struct nv3p_batch *batch)
{
   hash_table_foreach(batch->bos, entry) {
      const struct nv3p_bo *bo = entry->key;

      if ((uintptr_t)entry->data & NV3P_USE_WRITE) {
         nv3_bo_wait(bo->bo, DRM_NV3_GEM_WAIT_WRITE, INT64_MAX);
         return;
      }
   }
}

bool
nv3p_flush(struct nv3p_context *ctx, uint32_t syncobj)
{
   const struct drm_nv3_sync out = { .handle = syncobj };
   struct nv3p_batch *batch = &ctx->batch;
   bool empty;
   int ret;

   if (batch->lost)
      return false;
   empty = !nv3_pushbuf_words(batch->push);
   ret = nv3_pushbuf_flush(batch->push, &out, syncobj != 0);
   if (!ret && batch->reads_unlisted)
      wait_for_batch(batch);
   end_batch(ctx, !empty);
   if (!ret)
      return true;
   if (ret == -ENOMEM || ret == -ENOSPC) {
      mesa_loge("nv3: the buffers of a batch do not fit in VRAM");
      bind_object(batch);
      nv3p_emit_all(ctx);
   } else {
      replace_channel(ctx, ret);
      report_reset(ctx);
   }
   return false;
}

enum pipe_reset_status
nv3p_check_reset(struct nv3p_context *ctx)
{
   struct nv3p_batch *batch = &ctx->batch;
   struct drm_nv3_channel_query query;
   enum pipe_reset_status reset;

   /*
    * Check for a fault now. Otherwise the context would notice the fault only
    * when the next batch fails.
    */
   if (!batch->lost && !nv3_channel_query(batch->chan, &query) && query.fault) {
      end_batch(ctx, true);
      replace_channel(ctx, -EIO);
   }
   reset = batch->reset;
   batch->reset = PIPE_NO_RESET;
   return reset;
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
          ctx->batch.vram + bo->size <= ctx->screen->vram;
}

void
nv3p_batch_use(struct nv3p_context *ctx, struct nv3p_bo *bo, bool write)
{
   struct nv3p_batch *batch = &ctx->batch;
   const unsigned old = nv3p_batch_usage(ctx, bo);
   struct nv3p_bo *reference = NULL;
   unsigned usage = old;

   if (old & NV3P_USE_LISTED && !(write && !(old & NV3P_USE_WRITE)))
      return;
   if (must_list(ctx, bo, write)) {
      nv3_pushbuf_use(batch->push, bo->bo,
                      DRM_NV3_BUFFER_READ |
                      (write ? DRM_NV3_BUFFER_WRITE : 0));
      if (!(old & NV3P_USE_LISTED) && bo->domains == DRM_NV3_GEM_VRAM)
         batch->vram += bo->size;
      usage |= NV3P_USE_LISTED | (write ? NV3P_USE_WRITE : 0);
   } else {
      batch->reads_unlisted = true;
   }
   if (!_mesa_hash_table_search(batch->bos, bo))
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
nv3p_batch_uses(const struct nv3p_context *ctx, const struct nv3p_bo *bo,
                bool write)
{
   return write ? _mesa_hash_table_search(ctx->batch.bos, bo) != NULL :
                  nv3p_batch_usage(ctx, bo) & NV3P_USE_WRITE;
}

bool
nv3p_bo_sync(struct nv3p_context *ctx, struct nv3p_bo *bo, bool write,
             bool wait)
{
   if (nv3p_batch_uses(ctx, bo, write))
      nv3p_flush(ctx, 0);
   return nv3p_bo_wait(bo, write, wait ? INT64_MAX : 0);
}
