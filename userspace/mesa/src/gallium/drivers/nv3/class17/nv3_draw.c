/* SPDX-License-Identifier: MIT */
/*
 * Draws. Mesa's draw module processes the vertices of draws for class 0x17. The
 * inner context executes all other draws.
 */
#include <float.h>

#include "draw/draw_context.h"
#include "draw/draw_vbuf.h"
#include "util/u_draw.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_prim.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_inner.h"
#include "class17/nv3_resource.h"

/*
 * If the batch has at least this length in words (about 1,000 vertices), the
 * driver submits it before the next draw. The hardware then draws while the
 * CPU prepares the next batch. Tuned with the OpenArena time demo of
 * `make bench-gl`.
 */
#define BATCH_WORDS 8192

static void
map_vertices(struct nv3_context *ctx, const struct pipe_draw_info *info)
{
   for (unsigned i = 0; i < ctx->vertex_buffer_count; i++) {
      const struct pipe_vertex_buffer *vb = &ctx->vertex_buffers[i];

      if (vb->is_user_buffer)
         draw_set_mapped_vertex_buffer(ctx->draw, i, vb->buffer.user, ~0);
      else if (vb->buffer.resource)
         draw_set_mapped_vertex_buffer(ctx->draw, i,
                                       nv3_resource(vb->buffer.resource)->data,
                                       vb->buffer.resource->width0);
   }
   if (info->index_size && info->has_user_indices)
      draw_set_indexes(ctx->draw, (uint8_t *)info->index.user, info->index_size,
                       ~0);
   else if (info->index_size)
      draw_set_indexes(ctx->draw, nv3_resource(info->index.resource)->data,
                       info->index_size, info->index.resource->width0);
}

/* Collects the primitives of a draw. Returns false if memory is exhausted. */
static bool
collect(struct nv3_context *ctx, const struct pipe_draw_info *info,
        unsigned drawid_offset, const struct pipe_draw_start_count_bias *draws,
        unsigned num_draws)
{
   if (!nv3_render_begin(ctx))
      return false;
   /*
    * Make the draw module query the vertex layout again. The layout depends
    * on the fragment shader, and the module does not notice when the fragment
    * shader changes.
    */
   draw_bind_fragment_shader(ctx->draw, NULL);
   map_vertices(ctx, info);
   draw_vbo(ctx->draw, info, drawid_offset, NULL, draws, num_draws, 0);
   draw_flush(ctx->draw);
   if (info->index_size)
      draw_set_indexes(ctx->draw, NULL, 0, 0);
   return true;
}

/* ---- selection of the path ---- */

/*
 * Validates the state if it has changed, and updates the render copies. Returns
 * NULL, or the reason why class 0x17 can't draw.
 */
static const char *
validate(struct nv3_context *ctx)
{
   if (ctx->dirty)
      ctx->reason = nv3_validate(ctx);
   else if (!ctx->reason && !nv3_validate_targets(ctx))
      ctx->reason = "no memory for a render target";
   ctx->dirty = false;
   return ctx->reason;
}

/*
 * Sets @rect to the intersection of the framebuffer, the viewport and the
 * scissor. The chip must clip to this rectangle, because triangles may extend
 * beyond the viewport.
 */
static void
clip_rectangle(const struct nv3_context *ctx, struct pipe_scissor_state *rect)
{
   const struct pipe_viewport_state *vp = &ctx->viewport;
   float x = fabsf(vp->scale[0]), y = fabsf(vp->scale[1]);

   rect->minx = CLAMP(vp->translate[0] - x + 0.5f, 0.0f, NV3_SURFACE_MAX);
   rect->maxx = CLAMP(vp->translate[0] + x + 0.5f, 0.0f, ctx->fb.width);
   rect->miny = CLAMP(vp->translate[1] - y + 0.5f, 0.0f, NV3_SURFACE_MAX);
   rect->maxy = CLAMP(vp->translate[1] + y + 0.5f, 0.0f, ctx->fb.height);
   if (!ctx->rast->base.scissor)
      return;
   rect->minx = MAX2(rect->minx, ctx->scissor.minx);
   rect->miny = MAX2(rect->miny, ctx->scissor.miny);
   rect->maxx = MIN2(rect->maxx, ctx->scissor.maxx);
   rect->maxy = MIN2(rect->maxy, ctx->scissor.maxy);
}

/*
 * Draws the collected primitives. Returns false if memory is exhausted or a
 * batch is lost.
 */
static bool
chip_draw(struct nv3_context *ctx)
{
   struct nv3_draw_state *state = &ctx->state;
   struct pipe_scissor_state rect;

   /* Pending draws of the inner context must precede this draw. */
   nv3_inner_finish(ctx);
   if (nv3_pushbuf_words(ctx->chip->push) >= BATCH_WORDS &&
       !nv3_chip_flush(ctx))
      return false;
   if (!nv3_chip_select(ctx, state->color, state->zeta))
      return false;
   clip_rectangle(ctx, &rect);
   nv3_chip_clip(ctx, &rect);
   if (!nv3_render_end(ctx))
      return false;
   nv3_resource_target_written(ctx, state->color_res);
   if (state->zeta_res && ctx->dsa->base.depth_writemask)
      nv3_resource_target_written(ctx, state->zeta_res);
   ctx->count.chip_draws++;
   return true;
}

static void
nv3_draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info,
             unsigned drawid_offset,
             const struct pipe_draw_indirect_info *indirect,
             const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct nv3_context *ctx = nv3_context(pipe);
   const char *reason;

   if (!indirect && (!draws[0].count || !info->instance_count) &&
       num_draws == 1)
      return;
   if (indirect)
      reason = "indirect draw";
   else if (!ctx->fs || !ctx->vs || !ctx->blend || !ctx->dsa || !ctx->rast ||
            !ctx->velems)
      reason = "incomplete state";
   else
      reason = validate(ctx);
   if (!reason && collect(ctx, info, drawid_offset, draws, num_draws)) {
      reason = nv3_render_refuse(ctx);
      if (!reason && chip_draw(ctx))
         return;
   }
   nv3_inner_draw(ctx, reason, info, drawid_offset, indirect, draws, num_draws);
}

bool
nv3_init_draw(struct nv3_context *ctx)
{
   struct draw_stage *stage;

   ctx->base.draw_vbo = nv3_draw_vbo;
   ctx->draw = draw_create(&ctx->base);
   ctx->render = ctx->draw ? nv3_render_create(ctx) : NULL;
   stage = ctx->render ? draw_vbuf_stage(ctx->draw, ctx->render) : NULL;
   if (!stage)
      return false;
   draw_set_rasterize_stage(ctx->draw, stage);
   draw_set_render(ctx->draw, ctx->render);
   /*
    * Disable the draw module's conversion of wide lines and points to
    * triangles, because nv3_render.c converts lines and points of all sizes.
    */
   draw_wide_line_threshold(ctx->draw, FLT_MAX);
   draw_wide_point_threshold(ctx->draw, FLT_MAX);
   draw_wide_point_sprites(ctx->draw, false);
   draw_enable_line_stipple(ctx->draw, true);
   draw_enable_point_sprites(ctx->draw, false);
   draw_set_zs_format(ctx->draw, PIPE_FORMAT_Z16_UNORM);
   /* The NIR of shaders addresses constants in units of floats. */
   draw_set_constant_buffer_stride(ctx->draw, sizeof(float));
   return true;
}
