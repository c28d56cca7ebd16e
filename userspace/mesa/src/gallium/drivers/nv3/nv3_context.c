/* SPDX-License-Identifier: MIT */
/* Creation and destruction of contexts. */
#include "draw/draw_context.h"
#include "util/hash_table.h"
#include "util/set.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

#include "base/nv3_context.h"
#include "base/nv3_log.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_sync.h"
#include "class17/nv3_blend.h"
#include "class17/nv3_draw_state.h"
#include "class17/nv3_emit.h"
#include "class17/nv3_texture.h"
#include "resource/nv3_presentation.h"
#include "resource/nv3_resource.h"
#include "resource/nv3_shared.h"
#include "sw/nv3_deferred_blend.h"
#include "sw/nv3_intermediate.h"
#include "vertex/nv3_vertex_translate.h"

#include "nv3_pipe.h"

static void
release_state(struct nv3_context *ctx)
{
   util_unreference_framebuffer_state(&ctx->fb);
   for (unsigned i = 0; i < PIPE_MAX_ATTRIBS; i++)
      pipe_vertex_buffer_unreference(&ctx->vertex_buffers[i]);
   for (unsigned stage = 0; stage < NV3_STAGES; stage++) {
      for (unsigned i = 0; i < NV3_CONST_BUFFERS; i++) {
         pipe_resource_reference(&ctx->constants[stage][i].cb.buffer, NULL);
         FREE(ctx->constants[stage][i].copy);
      }
      for (unsigned i = 0; i < PIPE_MAX_SHADER_SAMPLER_VIEWS; i++)
         pipe_sampler_view_reference(&ctx->views[stage][i], NULL);
   }
}

static void
nv3_context_destroy(struct pipe_context *pipe)
{
   struct nv3_context *ctx = nv3_context(pipe);

   if (ctx->screen->debug & NV3_DEBUG_STATS)
      nv3_log_counters(ctx);
   if (ctx->inner) {
      nv3_inner_finish(ctx);
      /* The inner context would use the bound shader after it is freed. */
      ctx->inner->bind_fs_state(ctx->inner, NULL);
   }
   if (ctx->base.stream_uploader)
      u_upload_destroy(ctx->base.stream_uploader);
   if (ctx->shared)
      nv3_shared_fini(ctx);
   release_state(ctx);
   for (unsigned i = 0;
        i < NV3_MAX_PASSES && ctx->states && ctx->chip && ctx->chip->push;
        i++)
      nv3_texture_hold(ctx, &ctx->states[i].place, NULL);
   nv3_query_fini(ctx);
   if (ctx->chip && ctx->chip->push)
      nv3_chip_flush(ctx);
   nv3_presentation_drop(ctx, true);
   nv3_chip_fini(ctx);
   nv3_texture_release(ctx, true);
   util_dynarray_fini(&ctx->held);
   nv3_intermediate_fini(ctx);
   nv3_deferred_fini(ctx);
   /* This also frees the vbuf stage and its render. */
   if (ctx->draw)
      draw_destroy(ctx->draw);
   nv3_translate_destroy(ctx->translate);
   nv3_emit_destroy(ctx->emit);
   if (ctx->inner)
      ctx->inner->destroy(ctx->inner);
   if (ctx->reasons)
      _mesa_hash_table_destroy(ctx->reasons, NULL);
   FREE(ctx->states);
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
   ctx->dirty = ctx->draw_dirty = ctx->inner_dirty = NV3_NEW_ALL;
   ctx->sample_mask = ~0u;
   util_dynarray_init(&ctx->held, NULL);
   nv3_init_state(ctx);
   nv3_init_query(ctx);
   nv3_init_transfer(ctx);
   nv3_init_clear(ctx);
   nv3_init_blit(ctx);
   nv3_init_flush(ctx);

   ctx->reasons = _mesa_hash_table_create(NULL, _mesa_hash_string,
                                          _mesa_key_string_equal);
   ctx->shared = _mesa_pointer_set_create(NULL);
   ctx->inner = screen->inner->context_create(screen->inner, NULL, 0);
   if (!ctx->reasons || !ctx->shared || !ctx->inner ||
       !nv3_intermediate_init(ctx) || !nv3_deferred_init(ctx) ||
       !nv3_chip_init(ctx, nv3_deferred_finish))
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
