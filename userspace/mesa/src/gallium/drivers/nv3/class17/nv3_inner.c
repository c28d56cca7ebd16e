/* SPDX-License-Identifier: MIT */
/*
 * Draws with the inner context (llvmpipe), which can draw to the same memory as
 * the hardware. Switching between the hardware and the inner context is slow,
 * because each of them has to wait until the other has finished. The driver
 * therefore counts the inner context's draws, and NV3_DEBUG=fallback prints why
 * class 0x17 can't execute them.
 */
#include "util/format/u_format.h"
#include "util/hash_table.h"
#include "util/log.h"
#include "util/os_time.h"
#include "util/ralloc.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_inner.h"
#include "class17/nv3_resource.h"

void
nv3_log_fallback(struct nv3_context *ctx, const char *reason)
{
   if (!(ctx->screen->debug & NV3_DEBUG_FALLBACK) || !reason ||
       _mesa_hash_table_search(ctx->reasons, reason))
      return;
   _mesa_hash_table_insert(ctx->reasons, ralloc_strdup(ctx->reasons, reason),
                           NULL);
   mesa_logi("nv3: software fallback: %s", reason);
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

/* ---- framebuffer ---- */

/*
 * Returns true if the inner context must draw to the canonical copy, because
 * the render copy is not precise enough. This is the case if the result depends
 * on the colours in the target. It is also the case if the canonical copy has
 * fewer than 8 bits per colour and dithering is disabled.
 */
static bool
is_precise(const struct nv3_context *ctx, const struct nv3_resource *res)
{
   const struct pipe_blend_state *blend = ctx->blend ? &ctx->blend->base : NULL;

   return blend && (blend->rt[0].blend_enable || blend->logicop_enable ||
                    (!blend->dither && nv3_resource_is_coarse(res)));
}

/*
 * Returns true if the inner context should draw to the render copy instead of
 * the canonical copy. Only the canonical copy has a stencil.
 */
static bool
use_target(struct nv3_context *ctx, const struct nv3_resource *res)
{
   if (!res->target || res->target_stale)
      return false;
   if (!res->target->zeta)
      return !is_precise(ctx, res);
   return !(util_format_is_depth_and_stencil(res->base.format) && ctx->dsa &&
            ctx->dsa->base.stencil[0].enabled);
}

/*
 * Selects and updates the copy of @surface's resource to which the inner
 * context draws. @index is the index in ctx->inner_on_target.
 */
static void
prepare_surface(struct nv3_context *ctx, struct pipe_surface *surface,
                unsigned index)
{
   struct nv3_resource *res;
   bool target;

   if (!surface)
      return;
   res = nv3_resource(surface->texture);
   target = use_target(ctx, res);
   if (target != ctx->inner_on_target[index])
      ctx->inner_fb_dirty = true;
   ctx->inner_on_target[index] = target;
   if (target) {
      /*
       * Wait even if the current batch is empty, because earlier batches may
       * still be running.
       */
      nv3_chip_flush(ctx);
      nv3_chip_wait(res->target->bo);
   } else {
      nv3_resource_sync_canonical(ctx, res);
   }
}

static struct pipe_surface *
inner_surface(struct nv3_context *ctx, const struct pipe_surface *surface,
              unsigned index)
{
   struct nv3_resource *res;
   struct pipe_surface templ;

   if (!surface)
      return NULL;
   res = nv3_resource(surface->texture);
   templ = *surface;
   if (!ctx->inner_on_target[index])
      return ctx->inner->create_surface(ctx->inner, res->canonical, &templ);
   templ.format = res->target->inner->format;
   return ctx->inner->create_surface(ctx->inner, res->target->inner, &templ);
}

static void
validate_framebuffer(struct nv3_context *ctx)
{
   struct pipe_framebuffer_state fb = ctx->fb;

   for (unsigned i = 0; i < fb.nr_cbufs; i++)
      prepare_surface(ctx, fb.cbufs[i], i);
   prepare_surface(ctx, fb.zsbuf, PIPE_MAX_COLOR_BUFS);
   if (!ctx->inner_fb_dirty)
      return;
   for (unsigned i = 0; i < fb.nr_cbufs; i++)
      fb.cbufs[i] = inner_surface(ctx, fb.cbufs[i], i);
   fb.zsbuf = inner_surface(ctx, fb.zsbuf, PIPE_MAX_COLOR_BUFS);
   ctx->inner->set_framebuffer_state(ctx->inner, &fb);
   util_unreference_framebuffer_state(&fb);
   ctx->inner_fb_dirty = false;
}

static void
surface_drawn(struct nv3_context *ctx, struct pipe_surface *surface,
              unsigned index)
{
   struct nv3_resource *res;

   if (!surface)
      return;
   res = nv3_resource(surface->texture);
   if (ctx->inner_on_target[index])
      nv3_resource_target_written(ctx, res);
   else
      nv3_resource_canonical_written(res);
}

void
nv3_inner_drew(struct nv3_context *ctx, unsigned buffers)
{
   ctx->inner_busy = true;
   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      if (buffers & (PIPE_CLEAR_COLOR0 << i))
         surface_drawn(ctx, ctx->fb.cbufs[i], i);
   }
   if (buffers & PIPE_CLEAR_DEPTHSTENCIL)
      surface_drawn(ctx, ctx->fb.zsbuf, PIPE_MAX_COLOR_BUFS);
}

/* ---- textures ---- */

static void
validate_textures(struct nv3_context *ctx, unsigned stage,
                  enum pipe_shader_type shader)
{
   struct pipe_sampler_view *views[PIPE_MAX_SHADER_SAMPLER_VIEWS];
   unsigned count = ctx->view_count[stage];

   for (unsigned i = 0; i < count; i++) {
      struct nv3_view *view = (struct nv3_view *)ctx->views[stage][i];
      struct nv3_resource *res;

      views[i] = NULL;
      if (!view)
         continue;
      res = nv3_resource(view->base.texture);
      nv3_resource_sync_canonical(ctx, res);
      if (!view->inner || view->inner->texture != res->canonical ||
          view->inner->context != ctx->inner) {
         pipe_sampler_view_reference(&view->inner, NULL);
         view->inner = ctx->inner->create_sampler_view(
            ctx->inner, res->canonical, &view->base);
      }
      views[i] = view->inner;
   }
   /*
    * Pass all views to the inner context again, because the contents of a
    * texture may have changed without a new view.
    */
   if (count)
      ctx->inner->set_sampler_views(ctx->inner, shader, 0, count, 0, false,
                                    views);
}

void
nv3_inner_validate(struct nv3_context *ctx)
{
   validate_textures(ctx, NV3_STAGE_VS, PIPE_SHADER_VERTEX);
   validate_textures(ctx, NV3_STAGE_FS, PIPE_SHADER_FRAGMENT);
   validate_framebuffer(ctx);
}

/* ---- draws ---- */

void
nv3_inner_draw(struct nv3_context *ctx, const char *reason,
               const struct pipe_draw_info *info,
               unsigned drawid_offset,
               const struct pipe_draw_indirect_info *indirect,
               const struct pipe_draw_start_count_bias *draws,
               unsigned num_draws)
{
   struct pipe_draw_info inner_info = *info;

   nv3_log_fallback(ctx, reason);
   nv3_inner_validate(ctx);
   if (info->index_size && !info->has_user_indices) {
      inner_info.index.resource = nv3_resource(info->index.resource)->canonical;
      inner_info.take_index_buffer_ownership = false;
   }
   ctx->inner->draw_vbo(ctx->inner, &inner_info, drawid_offset, indirect, draws,
                        num_draws);
   nv3_inner_drew(ctx, PIPE_CLEAR_COLOR0 | PIPE_CLEAR_DEPTHSTENCIL);
   ctx->count.soft_draws++;
}
