/* SPDX-License-Identifier: MIT */
/*
 * Draws with the inner context, on the same memory as the hardware. It passes
 * changed state to the inner context first. Switching between the hardware
 * and the inner context is slow, because each has to wait for the other. Such
 * draws are therefore counted, and NV3_DEBUG=fallback prints their reasons.
 */
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"

#include "base/nv3_context.h"
#include "base/nv3_log.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_sync.h"
#include "resource/nv3_resource.h"
#include "sw/nv3_fallback.h"

/* ---- framebuffer ---- */

/*
 * True if the inner context should draw to the render copy. The render copy
 * must be up to date, and the draw must not need stencil, which only the
 * canonical copy has.
 */
static bool
use_target(struct nv3_context *ctx, const struct nv3_resource *res)
{
   if (!res->target || res->target_is_canonical || res->target_stale)
      return false;
   return !(util_format_is_depth_and_stencil(res->base.format) && ctx->dsa &&
            ctx->dsa->base.stencil[0].enabled);
}

static struct pipe_surface *
inner_surface(struct nv3_context *ctx, struct nv3_surface_view *view,
              bool target)
{
   struct nv3_resource *res = nv3_resource(view->base.texture);
   struct pipe_surface **slot = target ? &view->target : &view->canonical;
   struct pipe_resource *inner = target ? res->target->inner : res->canonical;
   struct pipe_surface templ = view->base;

   if (*slot && ((*slot)->texture != inner || (*slot)->context != ctx->inner))
      pipe_surface_release(ctx->inner, slot);
   if (!*slot) {
      if (target)
         templ.format = inner->format;
      *slot = ctx->inner->create_surface(ctx->inner, inner, &templ);
   }
   return *slot;
}

/*
 * Returns the inner context's surface for one of the framebuffer's surfaces.
 * Sets *@changed if the surface is now on another copy.
 */
static struct pipe_surface *
prepare_surface(struct nv3_context *ctx, struct pipe_surface *surface,
                unsigned index, bool *changed)
{
   struct nv3_resource *res;
   bool target;

   if (!surface)
      return NULL;
   res = nv3_resource(surface->texture);
   target = use_target(ctx, res);
   if (target != ctx->inner_on_target[index])
      *changed = true;
   ctx->inner_on_target[index] = target;
   if (target || res->target_is_canonical) {
      /* Earlier batches may still be running, even if this one is empty. */
      nv3_chip_flush(ctx);
      nv3_chip_wait(res->target->bo);
   } else {
      nv3_resource_sync_canonical(ctx, res);
   }
   return inner_surface(ctx, nv3_surface_view(surface), target);
}

static void
validate_framebuffer(struct nv3_context *ctx)
{
   struct pipe_framebuffer_state fb = ctx->fb;
   bool changed = ctx->inner_dirty & NV3_NEW_FRAMEBUFFER;

   for (unsigned i = 0; i < fb.nr_cbufs; i++)
      fb.cbufs[i] = prepare_surface(ctx, fb.cbufs[i], i, &changed);
   fb.zsbuf = prepare_surface(ctx, fb.zsbuf, PIPE_MAX_COLOR_BUFS, &changed);
   if (changed)
      ctx->inner->set_framebuffer_state(ctx->inner, &fb);
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
      nv3_resource_target_written(res);
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

/* ---- other state ---- */

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
   /* A texture's contents may have changed without a new view. */
   if (count)
      ctx->inner->set_sampler_views(ctx->inner, shader, 0, count, 0, false,
                                    views);
}

static void
validate_samplers(struct nv3_context *ctx, unsigned stage,
                  enum pipe_shader_type shader)
{
   void *samplers[PIPE_MAX_SAMPLERS];
   unsigned count = ctx->sampler_count[stage];

   for (unsigned i = 0; i < count; i++)
      samplers[i] = ctx->samplers[stage][i] ? ctx->samplers[stage][i]->inner :
                                              NULL;
   if (count)
      ctx->inner->bind_sampler_states(ctx->inner, shader, 0, count, samplers);
}

static void
validate_constants(struct nv3_context *ctx, unsigned stage,
                   enum pipe_shader_type shader)
{
   for (unsigned i = 0; i < NV3_CONST_BUFFERS; i++) {
      struct pipe_constant_buffer cb = ctx->constants[stage][i].cb;

      if (cb.buffer)
         cb.buffer = nv3_resource(cb.buffer)->canonical;
      ctx->inner->set_constant_buffer(ctx->inner, shader, i, false,
                                      cb.buffer_size ? &cb : NULL);
   }
}

static void
validate_vertex_buffers(struct nv3_context *ctx)
{
   struct pipe_vertex_buffer buffers[PIPE_MAX_ATTRIBS];

   for (unsigned i = 0; i < ctx->vertex_buffer_count; i++) {
      buffers[i] = ctx->vertex_buffers[i];
      if (!buffers[i].is_user_buffer && buffers[i].buffer.resource) {
         /* set_vertex_buffers() takes over references. */
         struct pipe_resource *canonical =
            nv3_resource(buffers[i].buffer.resource)->canonical;

         buffers[i].buffer.resource = NULL;
         pipe_resource_reference(&buffers[i].buffer.resource, canonical);
      }
   }
   ctx->inner->set_vertex_buffers(ctx->inner, ctx->vertex_buffer_count,
                                  buffers);
}

static void
validate_objects(struct nv3_context *ctx, uint32_t dirty)
{
   struct pipe_context *inner = ctx->inner;

   if (dirty & NV3_NEW_BLEND)
      inner->bind_blend_state(inner, ctx->blend ? ctx->blend->inner : NULL);
   if (dirty & NV3_NEW_DSA)
      inner->bind_depth_stencil_alpha_state(inner, ctx->dsa ? ctx->dsa->inner :
                                                              NULL);
   if (dirty & NV3_NEW_RASTERIZER)
      inner->bind_rasterizer_state(inner, ctx->rast ? ctx->rast->inner : NULL);
   if (dirty & NV3_NEW_VS)
      inner->bind_vs_state(inner, ctx->vs ? ctx->vs->inner : NULL);
   if (dirty & NV3_NEW_FS)
      inner->bind_fs_state(inner, ctx->fs ? ctx->fs->inner : NULL);
   if (dirty & NV3_NEW_VELEMS)
      inner->bind_vertex_elements_state(inner, ctx->velems ?
                                        ctx->velems->inner : NULL);
}

static void
validate_values(struct nv3_context *ctx, uint32_t dirty)
{
   struct pipe_context *inner = ctx->inner;

   if (dirty & NV3_NEW_VBUFS)
      validate_vertex_buffers(ctx);
   if (dirty & NV3_NEW_CONST_VS)
      validate_constants(ctx, NV3_STAGE_VS, PIPE_SHADER_VERTEX);
   if (dirty & NV3_NEW_CONST_FS)
      validate_constants(ctx, NV3_STAGE_FS, PIPE_SHADER_FRAGMENT);
   if (dirty & NV3_NEW_SAMPLERS) {
      validate_samplers(ctx, NV3_STAGE_VS, PIPE_SHADER_VERTEX);
      validate_samplers(ctx, NV3_STAGE_FS, PIPE_SHADER_FRAGMENT);
   }
   if (dirty & NV3_NEW_VIEWPORT)
      inner->set_viewport_states(inner, 0, 1, &ctx->viewport);
   if (dirty & NV3_NEW_SCISSOR)
      inner->set_scissor_states(inner, 0, 1, &ctx->scissor);
   if (dirty & NV3_NEW_CLIP)
      inner->set_clip_state(inner, &ctx->clip);
   if (dirty & NV3_NEW_BLEND_COLOR)
      inner->set_blend_color(inner, &ctx->blend_color);
   if (dirty & NV3_NEW_STENCIL_REF)
      inner->set_stencil_ref(inner, ctx->stencil_ref);
   if (dirty & NV3_NEW_STIPPLE)
      inner->set_polygon_stipple(inner, &ctx->stipple);
   if (dirty & NV3_NEW_SAMPLE_MASK)
      inner->set_sample_mask(inner, ctx->sample_mask);
}

void
nv3_inner_validate(struct nv3_context *ctx)
{
   validate_textures(ctx, NV3_STAGE_VS, PIPE_SHADER_VERTEX);
   validate_textures(ctx, NV3_STAGE_FS, PIPE_SHADER_FRAGMENT);
   validate_framebuffer(ctx);
   validate_objects(ctx, ctx->inner_dirty);
   validate_values(ctx, ctx->inner_dirty);
   ctx->inner_dirty = 0;
}

/* ---- draws ---- */

/*
 * True if the inner context reads a uniform buffer after the draw has returned.
 * The application may change the buffer by then.
 */
static bool
reads_buffers_after_draw(const struct nv3_context *ctx)
{
   for (unsigned i = 0; i < NV3_CONST_BUFFERS; i++) {
      if (ctx->constants[NV3_STAGE_FS][i].cb.buffer)
         return true;
   }
   return false;
}

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
   if (reads_buffers_after_draw(ctx))
      nv3_inner_finish(ctx);
   ctx->count.soft_draws++;
}
