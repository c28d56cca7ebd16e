/* SPDX-License-Identifier: MIT */
/*
 * Creates and destroys contexts, and implements surfaces.
 */
#include <inttypes.h>

#include "util/log.h"
#include "util/u_blitter.h"
#include "util/u_debug_cb.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

#include "base/nv3_screen.h"
#include "base/nv3p_context.h"

static struct pipe_surface *
nv3p_create_surface(struct pipe_context *pipe, struct pipe_resource *texture,
                    const struct pipe_surface *templ)
{
   struct pipe_surface *surface = CALLOC_STRUCT(pipe_surface);

   if (!surface)
      return NULL;
   *surface = *templ;
   surface->texture = NULL;
   pipe_resource_reference(&surface->texture, texture);
   pipe_reference_init(&surface->reference, 1);
   surface->context = pipe;
   surface->width = u_minify(texture->width0, templ->u.tex.level);
   surface->height = u_minify(texture->height0, templ->u.tex.level);
   return surface;
}

static void
nv3p_destroy_surface(struct pipe_context *pipe, struct pipe_surface *surface)
{
   pipe_resource_reference(&surface->texture, NULL);
   FREE(surface);
}

/*
 * No barrier is necessary, because CPU mappings are coherent, and each draw
 * sees the results of earlier draws.
 */
static void
nv3p_barrier(struct pipe_context *pipe, unsigned flags)
{
}

/* Releases the references to all bound state. */
static void
unbind_state(struct nv3p_context *ctx)
{
   for (unsigned stage = 0; stage < PIPE_SHADER_TYPES; stage++) {
      pipe_resource_reference(&ctx->constants[stage].buffer, NULL);
      for (unsigned i = 0; i < NV3P_UNITS; i++)
         pipe_sampler_view_reference(&ctx->textures[stage].views[i], NULL);
   }
   for (unsigned i = 0; i < ctx->vbuf_count; i++)
      pipe_vertex_buffer_unreference(&ctx->vbufs[i]);
   util_unreference_framebuffer_state(&ctx->fb);
   pipe_sampler_view_reference(&ctx->stipple_view, NULL);
   FREE(ctx->stipple_sampler);
}

static void
nv3p_context_destroy(struct pipe_context *pipe)
{
   struct nv3p_context *ctx = nv3p_context(pipe);

   if (ctx->blitter)
      util_blitter_destroy(ctx->blitter);
   nv3p_tnl_destroy(ctx);
   if (ctx->screen->debug & NV3_DEBUG_STATS)
      mesa_logi("nv3: %" PRIu64 " draws, %" PRIu64 " of them through the draw "
                "module; %u batches", ctx->draws, ctx->module_draws,
                ctx->batch.id);
   if (pipe->stream_uploader)
      u_upload_destroy(pipe->stream_uploader);
   if (pipe->const_uploader)
      u_upload_destroy(pipe->const_uploader);
   unbind_state(ctx);
   nv3p_batch_fini(ctx);
   FREE(ctx);
}

struct pipe_context *
nv3p_context_create(struct pipe_screen *screen, void *priv, unsigned flags)
{
   struct nv3p_context *ctx = CALLOC_STRUCT(nv3p_context);
   struct pipe_context *pipe;

   if (!ctx)
      return NULL;
   pipe = &ctx->base;
   pipe->screen = screen;
   pipe->priv = priv;
   pipe->destroy = nv3p_context_destroy;
   pipe->set_debug_callback = u_default_set_debug_callback;
   pipe->create_surface = nv3p_create_surface;
   pipe->surface_destroy = nv3p_destroy_surface;
   pipe->memory_barrier = nv3p_barrier;
   pipe->texture_barrier = nv3p_barrier;
   ctx->screen = nv3p_screen(screen);
   ctx->robust = flags & PIPE_CONTEXT_ROBUST_BUFFER_ACCESS;
   nv3p_init_resource(ctx);
   nv3p_init_state(ctx);
   nv3p_init_texture(ctx);
   nv3p_init_program(ctx);
   nv3p_init_draw(ctx);
   nv3p_init_blit(ctx);
   nv3p_init_query(ctx);
   nv3p_emit_all(ctx);
   if (!nv3p_batch_init(ctx))
      goto fail;
   pipe->stream_uploader = u_upload_create_default(pipe);
   if (!pipe->stream_uploader)
      goto fail;
   /*
    * A fragment program keeps its buffer until the constants change, so the
    * buffers are small.
    */
   pipe->const_uploader = u_upload_create(pipe, 64 * 1024,
                                          PIPE_BIND_CONSTANT_BUFFER,
                                          PIPE_USAGE_STREAM, 0);
   if (!pipe->const_uploader)
      goto fail;
   ctx->blitter = util_blitter_create(pipe);
   if (!ctx->blitter)
      goto fail;
   return pipe;

fail:
   nv3p_context_destroy(pipe);
   return NULL;
}
