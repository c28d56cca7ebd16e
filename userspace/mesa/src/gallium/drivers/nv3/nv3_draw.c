/* SPDX-License-Identifier: MIT */
/*
 * Draws: selects the path for each draw. The paths are vertex translation or
 * the draw module for class 0x17, blending by the CPU, and the inner context.
 */
#include <float.h>

#include "draw/draw_context.h"
#include "draw/draw_vbuf.h"
#include "util/u_draw.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_prim.h"

#include "base/nv3_context.h"
#include "base/nv3_screen.h"
#include "channel/nv3_chip.h"
#include "channel/nv3_target.h"
#include "class17/nv3_blend.h"
#include "class17/nv3_draw_state.h"
#include "class17/nv3_emit.h"
#include "class17/nv3_validate.h"
#include "resource/nv3_resource.h"
#include "sw/nv3_coverage.h"
#include "sw/nv3_deferred_blend.h"
#include "sw/nv3_fallback.h"
#include "sw/nv3_intermediate.h"
#include "sw/nv3_overlap_levels.h"
#include "sw/nv3_spill.h"
#include "vertex/nv3_vbuf.h"
#include "vertex/nv3_vertex_translate.h"

#include "nv3_copy_draw.h"
#include "nv3_pipe.h"

/* The state that is passed to the draw module. */
#define DRAW_STATE (NV3_NEW_RASTERIZER | NV3_NEW_VS | NV3_NEW_VELEMS | \
                    NV3_NEW_VBUFS | NV3_NEW_CONST_VS | NV3_NEW_VIEWPORT | \
                    NV3_NEW_CLIP | NV3_NEW_FRAMEBUFFER)

static void
update_clipping(struct nv3_context *ctx)
{
   const struct pipe_viewport_state *vp = &ctx->viewport;
   /*
    * The guard band of the draw module extends the viewport on each side by
    * the size of the viewport.
    */
   bool guard = fabsf(vp->scale[0]) * 2.0f + fabsf(vp->translate[0]) <
                NV3_SURFACE_MAX &&
                fabsf(vp->scale[1]) * 2.0f + fabsf(vp->translate[1]) <
                NV3_SURFACE_MAX;

   draw_set_driver_clipping(ctx->draw, false, false, guard, false);
}

static void
map_constants(struct nv3_context *ctx)
{
   for (unsigned i = 0; i < NV3_CONST_BUFFERS; i++) {
      const struct nv3_constants *constants = &ctx->constants[NV3_STAGE_VS][i];
      unsigned size;
      const void *map = nv3_constants_map(constants, &size);

      draw_set_mapped_constant_buffer(ctx->draw, PIPE_SHADER_VERTEX, i, map,
                                      size);
   }
}

static void
update_draw_module(struct nv3_context *ctx, uint32_t dirty)
{
   struct draw_context *draw = ctx->draw;

   if (dirty & NV3_NEW_RASTERIZER)
      draw_set_rasterizer_state(draw, &ctx->rast->base, ctx->rast);
   if (dirty & NV3_NEW_VS)
      draw_bind_vertex_shader(draw, ctx->vs->draw);
   if (dirty & NV3_NEW_VELEMS)
      draw_set_vertex_elements(draw, ctx->velems->count, ctx->velems->elements);
   if (dirty & NV3_NEW_VBUFS)
      draw_set_vertex_buffers(draw, ctx->vertex_buffer_count,
                              ctx->vertex_buffers);
   if (dirty & NV3_NEW_CONST_VS)
      map_constants(ctx);
   if (dirty & NV3_NEW_VIEWPORT) {
      draw_set_viewport_states(draw, 0, 1, &ctx->viewport);
      update_clipping(ctx);
   }
   if (dirty & NV3_NEW_CLIP)
      draw_set_clip_state(draw, &ctx->clip);
}

/* ---- backend selection ---- */

/* State that every draw checks, or that only the inner context uses. */
#define NOT_VALIDATED (NV3_NEW_VBUFS | NV3_NEW_SCISSOR | NV3_NEW_CLIP | \
                       NV3_NEW_BLEND_COLOR | NV3_NEW_STENCIL_REF | \
                       NV3_NEW_STIPPLE | NV3_NEW_SAMPLE_MASK)

static bool
is_of_triangles(enum mesa_prim prim)
{
   return u_reduced_prim(prim) == MESA_PRIM_TRIANGLES;
}

static void
validate_translate(struct nv3_context *ctx)
{
   for (unsigned i = 0; i < ctx->passes; i++) {
      struct nv3_draw_state *state = &ctx->states[i];

      state->translate_reason = nv3_translate_validate(ctx, state);
      /* Overlap levels require the same triangles in every pass. */
      if (ctx->blends_in_sw && ctx->states[0].translate_reason)
         state->translate_reason = ctx->states[0].translate_reason;
   }
}

/*
 * Validates the state if any part of it has changed. It also updates the
 * render copies and textures whose contents have changed.
 */
static const char *
validate(struct nv3_context *ctx, bool may_join)
{
   bool joins_deferred = may_join && nv3_blend_joins_deferred(ctx);

   if (joins_deferred != ctx->joins_deferred) {
      ctx->joins_deferred = joins_deferred;
      ctx->dirty |= NV3_NEW_BLEND;
   }
   if (ctx->dirty & NV3_TRANSLATE_STATE)
      nv3_translate_invalidate(ctx->translate, ctx->dirty & NV3_POSITION_STATE);
   if (ctx->dirty & ~NOT_VALIDATED) {
      ctx->reason = nv3_validate(ctx);
      if (!ctx->reason)
         validate_translate(ctx);
      ctx->chip->d3d_current = false;
   } else if (!ctx->reason) {
      struct nv3_draw_state *state = &ctx->states[0];

      state->color = nv3_resource_target(ctx, state->color_res);
      if (state->zeta_res)
         state->zeta = nv3_resource_target(ctx, state->zeta_res);
      if (!state->color || (state->zeta_res && !state->zeta))
         ctx->reason = "no memory for a render target";
   }
   ctx->dirty = 0;
   return ctx->reason;
}

static void
map_vertices(struct nv3_context *ctx)
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
}

static void
map_indices(struct nv3_context *ctx, const struct pipe_draw_info *info)
{
   if (!info->index_size)
      return;
   if (info->has_user_indices)
      draw_set_indexes(ctx->draw, (uint8_t *)info->index.user, info->index_size,
                       ~0);
   else
      draw_set_indexes(ctx->draw, nv3_resource(info->index.resource)->data,
                       info->index_size, info->index.resource->width0);
}

/*
 * Draws lines, points, and all other primitives that nv3_vertex_translate.c
 * does not support.
 */
static void
module_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
            unsigned drawid_offset,
            const struct pipe_draw_start_count_bias *draw)
{
   if (!ctx->blends_in_sw && !nv3_draw_flush_deferred(ctx))
      return;
   if (ctx->draw_dirty & DRAW_STATE)
      update_draw_module(ctx, ctx->draw_dirty);
   for (unsigned i = 0; i < ctx->passes && ctx->draw_dirty; i++)
      nv3_vbuf_set_layout(ctx, &ctx->states[i]);
   ctx->draw_dirty = 0;
   /*
    * Make the draw module query the vertex layout again, since it does not know
    * the fragment shaders.
    */
   draw_bind_fragment_shader(ctx->draw, NULL);
   map_vertices(ctx);
   map_indices(ctx, info);
   draw_vbo(ctx->draw, info, drawid_offset, NULL, draw, 1, 0);
   draw_flush(ctx->draw);
   if (info->index_size)
      draw_set_indexes(ctx->draw, NULL, 0, 0);
   ctx->count.module_draws++;
}

/*
 * Without a depth buffer, a draw with several passes is divided into pieces of
 * at most one quad. Sets the number of vertices of a piece and the distance to
 * the next one. Returns false if the primitive can't be divided.
 */
static bool
find_pieces(enum mesa_prim mode, unsigned count, unsigned *size, unsigned *step)
{
   static const uint8_t pieces[][2] = {
      [MESA_PRIM_POINTS] = { 1, 1 },
      [MESA_PRIM_LINES] = { 2, 2 },
      [MESA_PRIM_LINE_STRIP] = { 2, 1 },
      [MESA_PRIM_TRIANGLES] = { 3, 3 },
      /*
       * A piece is two triangles, so that each piece starts with the same
       * orientation.
       */
      [MESA_PRIM_TRIANGLE_STRIP] = { 4, 2 },
      [MESA_PRIM_QUADS] = { 4, 4 },
      [MESA_PRIM_QUAD_STRIP] = { 4, 2 },
   };

   *size = *step = count;
   if (count <= (mode == MESA_PRIM_TRIANGLES ? 3 : 4))
      return true;
   if (mode >= ARRAY_SIZE(pieces) || !pieces[mode][0])
      return false;
   *size = pieces[mode][0];
   *step = pieces[mode][1];
   return true;
}

/*
 * True if the passes of these draws can be executed. If all passes of a quad
 * must precede the next quad (passes_by_quad), each draw must be divisible into
 * pieces and must not restart primitives.
 */
static bool
can_pass(const struct nv3_context *ctx, const struct pipe_draw_info *info,
         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   unsigned size, step;

   for (unsigned i = 0; i < num_draws && ctx->passes_by_quad; i++) {
      if (info->primitive_restart ||
          !find_pieces(info->mode, draws[i].count, &size, &step))
         return false;
   }
   return true;
}

static void
draw_pass(struct nv3_context *ctx, unsigned pass,
          const struct pipe_draw_info *info, unsigned drawid_offset,
          const struct pipe_draw_start_count_bias *draw)
{
   ctx->state = &ctx->states[pass];
   if (ctx->passes > 1)
      ctx->chip->d3d_current = false;
   if (ctx->state->translate_reason || !nv3_translate_draw(ctx, info, draw)) {
      if (ctx->state->checked_channels && !ctx->checked_draw)
         ctx->clamped_draw = true;
      else
         module_draw(ctx, info, drawid_offset, draw);
   }
   ctx->state = &ctx->states[0];
}

static void
draw_passes(struct nv3_context *ctx, const struct pipe_draw_info *info,
            unsigned drawid_offset,
            const struct pipe_draw_start_count_bias *draw)
{
   for (unsigned i = 0; i < ctx->passes; i++)
      draw_pass(ctx, i, info, drawid_offset, draw);
}

static void
draw_pieces(struct nv3_context *ctx, const struct pipe_draw_info *info,
            unsigned drawid_offset,
            const struct pipe_draw_start_count_bias *draw)
{
   struct pipe_draw_start_count_bias piece = *draw;
   unsigned size, step;

   if (!ctx->passes_by_quad ||
       !find_pieces(info->mode, draw->count, &size, &step)) {
      draw_passes(ctx, info, drawid_offset, draw);
      return;
   }
   for (unsigned at = 0; at < draw->count; at += step) {
      piece.start = draw->start + at;
      piece.count = MIN2(size, draw->count - at);
      draw_passes(ctx, info, drawid_offset, &piece);
   }
}

/* Gets draw @i of a multidraw. Returns false if it is empty. */
static bool
draw_of(const struct pipe_draw_info *info,
        const struct pipe_draw_start_count_bias *draws, unsigned i,
        struct pipe_draw_start_count_bias *draw)
{
   *draw = draws[i];
   if (!info->index_bias_varies)
      draw->index_bias = draws[0].index_bias;
   return draw->count > 0;
}

static void
drawn(struct nv3_context *ctx)
{
   nv3_resource_target_written(ctx->state->color_res);
   if (ctx->state->zeta_res && ctx->dsa->base.depth_writemask)
      nv3_resource_target_written(ctx->state->zeta_res);
   ctx->count.chip_draws += !ctx->clamped_draw;
}

static void
chip_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
          unsigned drawid_offset,
          const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct pipe_draw_start_count_bias draw;

   for (unsigned i = 0; i < num_draws; i++) {
      if (draw_of(info, draws, i, &draw))
         draw_pieces(ctx, info, drawid_offset + i * info->increment_draw_id,
                     &draw);
   }
   drawn(ctx);
}

static void
sw_blend_pass(struct nv3_context *ctx, unsigned pass,
              const struct pipe_draw_info *info, unsigned drawid_offset,
              const struct pipe_draw_start_count_bias *draws,
              unsigned num_draws)
{
   struct pipe_draw_start_count_bias draw;

   for (unsigned i = 0; i < num_draws; i++) {
      if (draw_of(info, draws, i, &draw))
         draw_pass(ctx, pass, info,
                   drawid_offset + i * info->increment_draw_id, &draw);
   }
}

/* The passes of a draw that the CPU blends. */
enum {
   DRAWN_PASS,
   DEPTH_PASS,  /* if the draw writes depth */
};

/*
 * Clears the intermediate target after it could not be copied to the spill
 * buffer.
 */
static void
clear_intermediate(struct nv3_context *ctx)
{
   nv3_chip_flush(ctx);
   nv3_intermediate_reset(ctx->intermediate);
}

/*
 * Defers the blends of one level, within @clip. Returns false if a batch is
 * lost.
 */
static bool
defer_level(struct nv3_context *ctx, unsigned level,
            const struct pipe_scissor_state *clip)
{
   struct nv3_target *target = ctx->state->color;
   unsigned triangle = 0;
   struct nv3_box box;

   while (nv3_intermediate_next(ctx->intermediate, level, &triangle, target,
                                clip, &box)) {
      if ((!nv3_deferred_has_room(ctx, target, &box) &&
           !nv3_draw_flush_deferred(ctx)) ||
          !nv3_deferred_add_part(ctx, target, &box)) {
         clear_intermediate(ctx);
         return false;
      }
   }
   return true;
}

/*
 * Draws one level and defers its blends. The first level is drawn while
 * levels are assigned. Returns false if a batch is lost.
 */
static bool
sw_blend_level(struct nv3_context *ctx, unsigned level,
               const struct pipe_scissor_state *clip,
               const struct pipe_draw_info *info, unsigned drawid_offset,
               const struct pipe_draw_start_count_bias *draws,
               unsigned num_draws)
{
   if (level) {
      nv3_intermediate_set_level(ctx->intermediate, level);
      sw_blend_pass(ctx, DRAWN_PASS, info, drawid_offset, draws, num_draws);
   }
   if (!defer_level(ctx, level, clip))
      return false;
   if (ctx->passes == DEPTH_PASS)
      return true;
   nv3_intermediate_set_level(ctx->intermediate, level);
   sw_blend_pass(ctx, DEPTH_PASS, info, drawid_offset, draws, num_draws);
   return true;
}

/* Clears the pixels that a rejected draw has drawn. */
static void
drop(struct nv3_context *ctx, const struct pipe_scissor_state *clip)
{
   struct nv3_intermediate *intermediate = ctx->intermediate;
   unsigned triangle = 0;
   struct nv3_box box;

   while (nv3_intermediate_next(intermediate, 0, &triangle, ctx->state->color,
                                clip, &box)) {
      if (!nv3_spill_clear(ctx, &intermediate->spill, intermediate->drawn,
                           &box)) {
         clear_intermediate(ctx);
         return;
      }
   }
}

/*
 * Draws to the intermediate target and defers the blend. Returns false if there
 * are too many overlap levels or triangles, or if the draw should not be
 * deferred.
 */
static bool
sw_blend_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
              unsigned drawid_offset,
              const struct pipe_draw_start_count_bias *draws,
              unsigned num_draws)
{
   const struct nv3_overlap_levels *levels = &ctx->intermediate->levels;
   struct pipe_scissor_state clip;

   if (!nv3_intermediate_begin(ctx))
      return false;
   nv3_draw_clip(ctx, &clip);
   sw_blend_pass(ctx, DRAWN_PASS, info, drawid_offset, draws, num_draws);
   if (levels->failed ||
       (ctx->joins_deferred &&
        !nv3_deferred_contains_half(ctx->deferred, &levels->coverage))) {
      drop(ctx, &clip);
      return false;
   }
   for (unsigned i = 0; i < levels->count; i++) {
      if (!sw_blend_level(ctx, i, &clip, info, drawid_offset, draws, num_draws))
         break;
   }
   if (!nv3_deferred_add_coverage(ctx->deferred, &levels->coverage))
      nv3_deferred_flush(ctx);
   drawn(ctx);
   ctx->count.sw_blended_draws++;
   return true;
}

/* The chip can't cull both sides at once. */
static bool
culls_both(const struct nv3_context *ctx, enum mesa_prim prim)
{
   return ctx->rast->base.cull_face == PIPE_FACE_FRONT_AND_BACK &&
          is_of_triangles(prim);
}

/*
 * Checks the colours of all vertices. Returns NULL, or the reason why class
 * 0x17 can't draw.
 */
static const char *
check_vertices(struct nv3_context *ctx, const struct pipe_draw_info *info,
               const struct pipe_draw_start_count_bias *draws,
               unsigned num_draws)
{
   struct pipe_draw_start_count_bias draw;
   const char *reason = NULL;

   for (unsigned i = 0; i < num_draws && !reason; i++) {
      if (draw_of(info, draws, i, &draw))
         reason = nv3_translate_check(ctx, info, &draw);
   }
   return reason;
}

/*
 * True if colours must be checked before the draw. In other cases
 * nv3_translate_draw() checks them if necessary, and draws nothing if the
 * check fails.
 */
static bool
must_check(const struct nv3_context *ctx, const struct pipe_draw_info *info,
           const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   bool any = false;

   for (unsigned i = 0; i < ctx->passes; i++)
      any |= ctx->states[i].checked_channels;
   return ctx->checks_vertices ||
          (any && (num_draws > 1 || ctx->passes > 1 || ctx->blends_in_sw ||
                   !nv3_translate_checks_itself(ctx, info, draws)));
}

/*
 * Executes a draw. If @may_join is set, the draw may be deferred when
 * nv3_blend_joins_deferred() is true.
 */
static void
draw_whole(struct nv3_context *ctx, bool may_join,
           const struct pipe_draw_info *info, unsigned drawid_offset,
           const struct pipe_draw_indirect_info *indirect,
           const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   const char *reason = validate(ctx, may_join);

   if (!reason && indirect)
      reason = "indirect draw";
   else if (!reason && !can_pass(ctx, info, draws, num_draws))
      reason = "two passes without depth writes";
   else if (!reason && ctx->blends_in_sw && !is_of_triangles(info->mode))
      reason = "lines or points with CPU blending";
   if (!reason && culls_both(ctx, info->mode))
      return;
   ctx->clamped_draw = false;
   ctx->checked_draw = !reason && must_check(ctx, info, draws, num_draws);
   if (ctx->checked_draw)
      reason = check_vertices(ctx, info, draws, num_draws);
   if (!reason && nv3_draw_begin(ctx)) {
      if (!ctx->blends_in_sw) {
         chip_draw(ctx, info, drawid_offset, draws, num_draws);
         if (!ctx->clamped_draw)
            return;
         reason = NV3_CLAMPED;
      }
      if (!reason && sw_blend_draw(ctx, info, drawid_offset, draws, num_draws))
         return;
      if (!reason && ctx->joins_deferred) {
         draw_whole(ctx, false, info, drawid_offset, indirect, draws,
                    num_draws);
         return;
      }
      if (!reason)
         reason = "too many overlapping triangles with CPU blending";
   }
   nv3_inner_draw(ctx, reason, info, drawid_offset, indirect, draws, num_draws);
}

static void
nv3_draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info,
             unsigned drawid_offset,
             const struct pipe_draw_indirect_info *indirect,
             const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct nv3_context *ctx = nv3_context(pipe);

   if (!indirect && (!draws[0].count || !info->instance_count) &&
       num_draws == 1)
      return;
   if (!ctx->fs || !ctx->vs || !ctx->blend || !ctx->dsa || !ctx->rast ||
       !ctx->velems) {
      nv3_inner_draw(ctx, "incomplete state", info, drawid_offset, indirect,
                     draws, num_draws);
      return;
   }
   if (!indirect && num_draws == 1 && nv3_copy_draw(ctx, info, draws))
      return;
   draw_whole(ctx, is_of_triangles(info->mode), info, drawid_offset, indirect,
              draws, num_draws);
}

bool
nv3_init_draw(struct nv3_context *ctx)
{
   struct draw_stage *stage;

   ctx->base.draw_vbo = nv3_draw_vbo;
   ctx->states = CALLOC(NV3_MAX_PASSES, sizeof(*ctx->states));
   ctx->state = ctx->states;
   ctx->draw = draw_create(&ctx->base);
   if (!ctx->state || !ctx->draw)
      return false;
   ctx->emit = nv3_emit_create(ctx);
   ctx->translate = nv3_translate_create(ctx);
   ctx->render = nv3_render_create(ctx);
   if (!ctx->emit || !ctx->translate || !ctx->render)
      return false;
   stage = draw_vbuf_stage(ctx->draw, ctx->render);
   if (!stage)
      return false;
   draw_set_rasterize_stage(ctx->draw, stage);
   draw_set_render(ctx->draw, ctx->render);
   /* nv3_emit.c widens lines and points of all sizes. */
   draw_wide_line_threshold(ctx->draw, FLT_MAX);
   draw_wide_point_threshold(ctx->draw, FLT_MAX);
   draw_wide_point_sprites(ctx->draw, false);
   draw_enable_line_stipple(ctx->draw, true);
   draw_enable_point_sprites(ctx->draw, false);
   draw_set_zs_format(ctx->draw, PIPE_FORMAT_Z16_UNORM);
   /* Shaders address constants in units of floats. */
   draw_set_constant_buffer_stride(ctx->draw, sizeof(float));
   return true;
}
