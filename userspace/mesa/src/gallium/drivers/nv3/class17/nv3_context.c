/* SPDX-License-Identifier: MIT */
/*
 * Creates and destroys contexts, and implements flushes and fences. A fence
 * is a syncobj that a batch signals. The driver waits for the inner context
 * before each flush, so no work of the inner context is pending behind a
 * fence.
 */
#include <inttypes.h>

#include "draw/draw_context.h"
#include "util/hash_table.h"
#include "util/log.h"
#include "util/os_time.h"
#include "util/set.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

#include "base/nv3_fence.h"
#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_inner.h"
#include "class17/nv3_resource.h"
#include "class17/nv3_texture.h"

/* ---- flushes ---- */

static bool
submit(struct pipe_context *pipe, uint32_t syncobj)
{
   struct nv3_context *ctx = nv3_context(pipe);

   return syncobj ? nv3_chip_signal(ctx, syncobj) : nv3_chip_flush(ctx);
}

static void
nv3_flush(struct pipe_context *pipe, struct pipe_fence_handle **out,
          unsigned flags)
{
   nv3_shared_flush(nv3_context(pipe));
   nv3_inner_finish(nv3_context(pipe));
   nv3_flush_to_fence(pipe, out, submit);
}

static void
nv3_fence_server_sync(struct pipe_context *pipe,
                      struct pipe_fence_handle *fence)
{
   nv3_chip_flush(nv3_context(pipe));
   /*
    * Wait on the CPU. A wait in the next batch would be too late: before that
    * batch is submitted, the inner context may draw, and the fence may be
    * destroyed.
    */
   pipe->screen->fence_finish(pipe->screen, pipe, fence, OS_TIMEOUT_INFINITE);
}

/* ---- creation and destruction ---- */

static void
log_counters(const struct nv3_counters *count)
{
   mesa_logi("nv3: draws %" PRIu64 " chip, %" PRIu64
             " software; clears %" PRIu64 " chip, %" PRIu64
             " software; %" PRIu64 " triangles; %" PRIu64
             " textures copied, %" PRIu64 " pictures converted",
             count->chip_draws, count->soft_draws, count->chip_clears,
             count->soft_clears, count->chip_triangles, count->textures,
             count->converted);
}

static void
release_state(struct nv3_context *ctx)
{
   util_unreference_framebuffer_state(&ctx->fb);
   for (unsigned i = 0; i < PIPE_MAX_ATTRIBS; i++)
      pipe_vertex_buffer_unreference(&ctx->vertex_buffers[i]);
   for (unsigned i = 0; i < NV3_STAGES; i++)
      pipe_resource_reference(&ctx->constants[i].buffer, NULL);
   for (unsigned i = 0; i < PIPE_MAX_SHADER_SAMPLER_VIEWS; i++) {
      pipe_sampler_view_reference(&ctx->views[NV3_STAGE_VS][i], NULL);
      pipe_sampler_view_reference(&ctx->views[NV3_STAGE_FS][i], NULL);
   }
}

static void
nv3_context_destroy(struct pipe_context *pipe)
{
   struct nv3_context *ctx = nv3_context(pipe);

   if (ctx->screen->debug & NV3_DEBUG_STATS)
      log_counters(&ctx->count);
   if (ctx->inner) {
      nv3_inner_finish(ctx);
      /*
       * Unbind the fragment shader, because the inner context would otherwise
       * use it after it has been freed.
       */
      ctx->inner->bind_fs_state(ctx->inner, NULL);
   }
   if (ctx->base.stream_uploader)
      u_upload_destroy(ctx->base.stream_uploader);
   if (ctx->shared)
      nv3_shared_fini(ctx);
   release_state(ctx);
   if (ctx->chip && ctx->chip->push)
      nv3_chip_flush(ctx);
   nv3_texture_fini(ctx);
   nv3_chip_fini(ctx);
   /* draw_destroy() also frees the vbuf stage and ctx->render. */
   if (ctx->draw)
      draw_destroy(ctx->draw);
   if (ctx->inner)
      ctx->inner->destroy(ctx->inner);
   if (ctx->reasons)
      _mesa_hash_table_destroy(ctx->reasons, NULL);
   FREE(ctx);
}

struct pipe_context *
nv3_context_create(struct pipe_screen *pscreen, void *priv, unsigned flags)
{
   struct nv3_screen *screen = nv3_screen(pscreen);
   struct nv3_context *ctx = CALLOC_STRUCT(nv3_context);

   if (!ctx)
      return NULL;
   ctx->screen = screen;
   ctx->base.screen = pscreen;
   ctx->base.priv = priv;
   ctx->base.destroy = nv3_context_destroy;
   ctx->dirty = ctx->inner_fb_dirty = true;
   list_inithead(&ctx->textures);
   nv3_init_state(ctx);
   nv3_init_query(ctx);
   nv3_init_transfer(ctx);
   nv3_init_clear(ctx);
   nv3_init_copy(ctx);
   ctx->base.flush = nv3_flush;
   ctx->base.fence_server_sync = nv3_fence_server_sync;
   nv3_context_init_common(&ctx->base);

   ctx->reasons = _mesa_hash_table_create(NULL, _mesa_hash_string,
                                          _mesa_key_string_equal);
   ctx->shared = _mesa_pointer_set_create(NULL);
   ctx->inner = screen->inner->context_create(screen->inner, NULL, 0);
   if (!ctx->reasons || !ctx->shared || !ctx->inner || !nv3_chip_init(ctx))
      goto fail;
   ctx->base.stream_uploader = u_upload_create_default(&ctx->base);
   ctx->base.const_uploader = ctx->base.stream_uploader;
   if (!ctx->base.stream_uploader || !nv3_init_draw(ctx))
      goto fail;
   return &ctx->base;

fail:
   nv3_context_destroy(&ctx->base);
   return NULL;
}
