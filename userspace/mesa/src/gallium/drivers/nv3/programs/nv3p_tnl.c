/* SPDX-License-Identifier: MIT */
/*
 * Draws with Mesa's draw module, which runs the vertex shader on the CPU and
 * passes primitives to nv3p_render.c. The chip (class 0x1f) rasterizes the
 * primitives, runs the fragment program and performs the per-fragment tests.
 *
 * During such a draw the context uses a vertex shader that copies vertices, and
 * a rasterizer state without the features that the module's pipeline has already
 * applied.
 */
#include "draw/draw_context.h"
#include "draw/draw_vbuf.h"
#include "nir/nir_to_tgsi.h"
#include "tgsi/tgsi_from_mesa.h"
#include "util/hash_table.h"
#include "util/log.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_prim.h"

#include "base/nv3_screen.h"
#include "base/nv3p_context.h"
#include "codegen/nv3c.h"
#include "programs/nv3p_program.h"
#include "programs/nv3p_tnl.h"

/*
 * A threshold above all widths. The draw module must not convert wide points
 * and lines, because the chip draws them.
 */
#define NEVER 1e6f

struct nv3p_tnl {
   struct draw_context *draw;  /* also ctx->draw_module */
   struct vbuf_render *render;
   struct hash_table_u64 *copies;  /* nv3p_shader, by slots */
};

static void
free_tnl(struct nv3p_tnl *tnl)
{
   if (tnl->copies)
      _mesa_hash_table_u64_destroy(tnl->copies);
   /* draw_destroy() also destroys the module's back end. */
   if (tnl->draw)
      draw_destroy(tnl->draw);
   FREE(tnl);
}

static struct nv3p_tnl *
create_tnl(struct nv3p_context *ctx)
{
   struct nv3p_tnl *tnl = CALLOC_STRUCT(nv3p_tnl);
   struct draw_stage *stage;

   if (!tnl)
      return NULL;
   tnl->copies = _mesa_hash_table_u64_create(NULL);
   tnl->draw = draw_create(&ctx->base);
   tnl->render = tnl->draw ? nv3p_render_create(ctx) : NULL;
   stage = tnl->render ? draw_vbuf_stage(tnl->draw, tnl->render) : NULL;
   if (!tnl->copies || !stage) {
      if (tnl->render)
         tnl->render->destroy(tnl->render);
      free_tnl(tnl);
      return NULL;
   }
   ctx->draw_module = tnl->draw;
   draw_set_render(tnl->draw, tnl->render);
   draw_set_rasterize_stage(tnl->draw, stage);
   draw_wide_line_threshold(tnl->draw, NEVER);
   draw_wide_point_threshold(tnl->draw, NEVER);
   draw_wide_point_sprites(tnl->draw, false);
   draw_enable_point_sprites(tnl->draw, false);
   draw_enable_line_stipple(tnl->draw, true);
   return tnl;
}

void
nv3p_tnl_destroy(struct nv3p_context *ctx)
{
   if (!ctx->tnl)
      return;
   hash_table_u64_foreach(ctx->tnl->copies, entry)
      ctx->base.delete_vs_state(&ctx->base, entry.data);
   free_tnl(ctx->tnl);
   ctx->tnl = NULL;
   ctx->draw_module = NULL;
}

/* ---- reasons ---- */

enum nv3p_tnl_reason
nv3p_tnl_needed(const struct nv3p_context *ctx, enum mesa_prim prim)
{
   const struct pipe_rasterizer_state *rast = ctx->rast;
   const unsigned types = nv3p_rasterized_types(rast, prim);

   if (types & 1 << MESA_PRIM_LINES && rast->line_smooth && !rast->multisample)
      return NV3P_TNL_SMOOTH_LINES;
   if (types & 1 << MESA_PRIM_LINES && rast->line_stipple_enable)
      return NV3P_TNL_LINE_STIPPLE;
   if (types & 1 << MESA_PRIM_POINTS && rast->point_smooth &&
       !rast->multisample && !rast->point_quad_rasterization)
      return NV3P_TNL_SMOOTH_POINTS;
   if (u_reduced_prim(prim) == MESA_PRIM_TRIANGLES &&
       types != 1 << MESA_PRIM_TRIANGLES &&
       nv3p_vs_writes(ctx, VARYING_SLOT_EDGE))
      return NV3P_TNL_EDGE_FLAGS;
   return NV3P_TNL_NONE;
}

static void
log_reason(struct nv3p_context *ctx, enum nv3p_tnl_reason reason)
{
   static const char *const names[] = {
      [NV3P_TNL_LIMITS] = "a vertex shader beyond the class's limits",
      [NV3P_TNL_BOUNDS] = "vertices beyond a buffer, in a robust context",
      [NV3P_TNL_EDGE_FLAGS] = "edge flags",
      [NV3P_TNL_LINE_STIPPLE] = "stippled lines",
      [NV3P_TNL_SMOOTH_LINES] = "smooth lines",
      [NV3P_TNL_SMOOTH_POINTS] = "smooth points",
   };

   if (!(ctx->screen->debug & NV3_DEBUG_FALLBACK) ||
       ctx->fallbacks_said & 1u << reason)
      return;
   ctx->fallbacks_said |= 1u << reason;
   mesa_logi("nv3: software fallback: %s", names[reason]);
}

/* ---- state of the module ---- */

static struct draw_vertex_shader *
get_vs(struct nv3p_context *ctx)
{
   struct nv3p_shader *vs = ctx->vs;
   struct pipe_shader_state state = { .type = PIPE_SHADER_IR_TGSI };

   if (vs->draw)
      return vs->draw;
   state.tokens = nir_to_tgsi(nir_shader_clone(NULL, vs->nir),
                              &ctx->screen->base);
   vs->draw = draw_create_vertex_shader(ctx->draw_module, &state);
   FREE((void *)state.tokens);
   return vs->draw;
}

static void
set_texture(struct nv3p_context *ctx, struct draw_context *draw, unsigned unit,
            const struct pipe_sampler_view *view)
{
   struct nv3p_resource *res = nv3p_resource(view->texture);
   uint32_t pitches[PIPE_MAX_TEXTURE_LEVELS] = { 0 };
   uint32_t slices[PIPE_MAX_TEXTURE_LEVELS] = { 0 };
   uint32_t offsets[PIPE_MAX_TEXTURE_LEVELS] = { 0 };

   nv3p_bo_sync(ctx, res->bo, false, true);
   for (unsigned level = 0; level <= res->base.last_level; level++) {
      pitches[level] = res->levels[level].pitch;
      slices[level] = nv3p_layer_stride(res, level);
      offsets[level] = res->levels[level].offset;
   }
   draw_set_mapped_texture(draw, PIPE_SHADER_VERTEX, unit, res->base.width0,
                           res->base.height0,
                           res->base.target == PIPE_TEXTURE_CUBE ?
                              6 : res->base.depth0,
                           view->u.tex.first_level, view->u.tex.last_level,
                           0, 0, nv3p_resource_map(res), pitches, slices,
                           offsets);
}

static void
set_textures(struct nv3p_context *ctx, struct draw_context *draw)
{
   struct nv3p_textures *textures = &ctx->textures[PIPE_SHADER_VERTEX];

   draw_set_samplers(draw, PIPE_SHADER_VERTEX, textures->samplers, NV3P_UNITS);
   draw_set_sampler_views(draw, PIPE_SHADER_VERTEX, textures->views,
                          NV3P_UNITS);
   for (unsigned i = 0; i < NV3P_UNITS; i++) {
      if (textures->views[i])
         set_texture(ctx, draw, i, textures->views[i]);
   }
}

static void
set_arrays(struct nv3p_context *ctx, struct draw_context *draw)
{
   draw_set_vertex_elements(draw, ctx->velems->count, ctx->velems->elements);
   draw_set_vertex_buffers(draw, ctx->vbuf_count, ctx->vbufs);
   for (unsigned i = 0; i < ctx->vbuf_count; i++) {
      const struct nv3p_resource *res =
         nv3p_resource(ctx->vbufs[i].buffer.resource);

      if (res)
         draw_set_mapped_vertex_buffer(draw, i, nv3p_resource_map(res),
                                       res->size);
   }
}

static void
set_indices(struct draw_context *draw, const struct pipe_draw_info *info)
{
   const struct nv3p_resource *res;

   if (!info->index_size || info->has_user_indices) {
      draw_set_indexes(draw, info->index.user, info->index_size, ~0);
      return;
   }
   res = nv3p_resource(info->index.resource);
   draw_set_indexes(draw, nv3p_resource_map(res), info->index_size, res->size);
}

static bool
set_state(struct nv3p_context *ctx, const struct pipe_draw_info *info)
{
   struct draw_context *draw = ctx->draw_module;
   struct draw_vertex_shader *vs = get_vs(ctx);
   const uint32_t *constants;
   unsigned words;

   if (!vs)
      return false;
   constants = nv3p_map_constants(ctx, PIPE_SHADER_VERTEX, &words);
   draw_set_mapped_constant_buffer(draw, PIPE_SHADER_VERTEX, 0, constants,
                                   4 * words);
   draw_bind_vertex_shader(draw, vs);
   draw_bind_fragment_shader(draw, NULL);
   draw_set_rasterizer_state(draw, ctx->rast, ctx->rast);
   draw_set_viewport_states(draw, 0, 1, &ctx->viewport);
   if (ctx->fb.zsbuf)
      draw_set_zs_format(draw, ctx->fb.zsbuf->format);
   set_textures(ctx, draw);
   set_arrays(ctx, draw);
   set_indices(draw, info);
   draw_prepare_shader_outputs(draw);
   return true;
}

/* ---- vertices ---- */

/*
 * Returns the mask of the vertex shader's outputs that the chip needs: the
 * position, the point size, and the inputs of the fragment program.
 */
static uint64_t
wanted_slots(const struct nv3p_context *ctx)
{
   const struct nv3c_fs *fs = &ctx->fs_variant->fs;
   uint64_t slots = VARYING_BIT_POS;

   for (unsigned i = 0; i < 2; i++) {
      if (fs->inputs & NV3C_INPUT_COLOR0 << i)
         slots |= VARYING_BIT_COL0 << i;
   }
   if (fs->inputs & NV3C_INPUT_FOG)
      slots |= VARYING_BIT_FOGC;
   for (unsigned i = 0; i < NV3C_TEXCOORDS; i++) {
      if (fs->texcoord[i] != NV3C_NO_SLOT)
         slots |= BITFIELD64_BIT(fs->texcoord[i]);
   }
   if (ctx->rast->point_size_per_vertex)
      slots |= VARYING_BIT_PSIZ;
   return slots & ~(BITFIELD64_BIT(NV3P_COVERAGE_SLOT) | VARYING_BIT_PNTC);
}

/* Returns the index of the draw module's output for @slot, or -1. */
static int
find_output(const struct draw_context *draw, unsigned slot)
{
   unsigned name, index;

   tgsi_get_gl_varying_semantic(slot, true, &name, &index);
   return draw_find_shader_output(draw, name, index);
}

/*
 * Sets @layout, and returns the mask of the varying slots that become
 * attributes of the vertices. The attributes are in the order of the slots.
 */
static uint64_t
choose_layout(struct nv3p_context *ctx, enum nv3p_tnl_reason reason,
              struct nv3p_render_layout *layout)
{
   const struct draw_context *draw = ctx->draw_module;
   uint64_t slots = 0;

   memset(layout, 0, sizeof(*layout));
   layout->size = -1;
   layout->smooth = reason == NV3P_TNL_SMOOTH_LINES ? NV3P_SMOOTH_LINES :
                    reason == NV3P_TNL_SMOOTH_POINTS ? NV3P_SMOOTH_POINTS :
                                                       NV3P_SMOOTH_NONE;
   u_foreach_bit64(slot, wanted_slots(ctx)) {
      int output = find_output(draw, slot);

      if (output < 0 || layout->attributes + 1 >= NV3P_ATTRIBUTES)
         continue;
      if (slot == VARYING_SLOT_PSIZ)
         layout->size = layout->attributes;
      layout->outputs[layout->attributes++] = output;
      slots |= BITFIELD64_BIT(slot);
   }
   return slots;
}

/*
 * Returns the vertex shader that copies the attributes in @slots to outputs.
 * The coverage, if used, is the last attribute.
 */
static struct nv3p_shader *
get_copy(struct nv3p_context *ctx, uint64_t slots)
{
   struct hash_table_u64 *copies = ctx->tnl->copies;
   struct nv3p_shader *vs = _mesa_hash_table_u64_search(copies, slots);
   struct pipe_shader_state state = { .type = PIPE_SHADER_IR_NIR };

   if (vs)
      return vs;
   state.ir.nir = nv3p_nir_copy_vertices(nv3c_options(MESA_SHADER_VERTEX),
                                         slots);
   vs = ctx->base.create_vs_state(&ctx->base, &state);
   if (vs)
      _mesa_hash_table_u64_insert(copies, slots, vs);
   return vs;
}

/* ---- draws ---- */

/*
 * Replaces state for the draw module's vertices, and draws. The caller
 * restores the state.
 */
static void
draw(struct nv3p_context *ctx, enum nv3p_tnl_reason reason,
     const struct pipe_draw_info *info, unsigned drawid_offset,
     const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct pipe_rasterizer_state rast = *ctx->rast;
   struct nv3p_render_layout layout;
   uint64_t slots = choose_layout(ctx, reason, &layout);
   struct nv3p_shader *vs;

   if (layout.smooth)
      slots |= BITFIELD64_BIT(NV3P_COVERAGE_SLOT);
   vs = get_copy(ctx, slots);
   nv3p_render_set_layout(ctx->tnl->render, &layout);
   if (!vs)
      return;
   rast.clip_plane_enable = 0;
   rast.depth_clip_near = rast.depth_clip_far = false;
   rast.clip_halfz = true;
   rast.cull_face = PIPE_FACE_NONE;
   rast.fill_front = rast.fill_back = PIPE_POLYGON_MODE_FILL;
   rast.light_twoside = false;
   rast.offset_point = rast.offset_line = rast.offset_tri = false;
   ctx->rast = &rast;
   ctx->window_coordinates = true;
   ctx->dirty |= NV3P_NEW_VS | NV3P_NEW_RASTERIZER;
   if (!nv3p_update_vs(ctx, vs))
      return;
   draw_vbo(ctx->draw_module, info, drawid_offset, NULL, draws, num_draws, 0);
   draw_flush(ctx->draw_module);
}

void
nv3p_tnl_draw(struct nv3p_context *ctx, enum nv3p_tnl_reason reason,
              const struct pipe_draw_info *info, unsigned drawid_offset,
              const struct pipe_draw_start_count_bias *draws,
              unsigned num_draws)
{
   struct pipe_rasterizer_state *rast = ctx->rast;
   struct nv3p_velems *velems = ctx->velems;
   const struct pipe_vertex_buffer vbuf = ctx->vbufs[0];

   if (!ctx->tnl)
      ctx->tnl = create_tnl(ctx);
   if (!ctx->tnl || !set_state(ctx, info))
      return;
   log_reason(ctx, reason);
   ctx->module_draws++;
   draw(ctx, reason, info, drawid_offset, draws, num_draws);
   ctx->rast = rast;
   ctx->velems = velems;
   ctx->vbufs[0] = vbuf;
   ctx->window_coordinates = false;
   ctx->dirty |= NV3P_NEW_VS | NV3P_NEW_RASTERIZER | NV3P_NEW_ARRAYS;
}
