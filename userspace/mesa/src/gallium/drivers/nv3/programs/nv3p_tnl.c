/* SPDX-License-Identifier: MIT */
/*
 * Draws with Mesa's draw module, which runs the vertex shader on the CPU and
 * passes primitives to this file's back end. The chip (class 0x1f) rasterizes
 * the primitives, runs the fragment program and performs the per-fragment
 * tests.
 *
 * The module's vertices are in window coordinates, and each attribute has four
 * floats. During such a draw, the context uses a vertex shader that copies the
 * attributes, and a rasterizer state without the features that the module's
 * pipeline has already applied. The back end converts smooth points and lines
 * to quads with an additional attribute for the coverage.
 */
#include "compiler/nir/nir_builder.h"
#include "draw/draw_context.h"
#include "draw/draw_vbuf.h"
#include "draw/draw_vertex.h"
#include "nir/nir_to_tgsi.h"
#include "tgsi/tgsi_from_mesa.h"
#include "util/log.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_prim.h"
#include "util/u_upload_mgr.h"

#include "base/nv3_screen.h"
#include "programs/nv3p_program.h"

/*
 * The maximum size of a vertex buffer in bytes, and the maximum length of an
 * index list. Within these limits, the draw module's 16-bit indices suffice.
 */
#define BUFFER_BYTES (256u << 10)
#define MAX_INDICES  (16u << 10)
#define ALIGNMENT 16
#define ATTRIBUTE (4 * sizeof(float))
/*
 * A threshold above all widths. The draw module must not convert wide points
 * and lines, because the chip draws them.
 */
#define NEVER 1e6f

/*
 * The outputs that the first attributes of a copied vertex become. The other
 * attributes become the fragment program's texture coordinates.
 */
static const uint8_t fixed_slots[] = {
   VARYING_SLOT_POS,  VARYING_SLOT_COL0, VARYING_SLOT_COL1,
   VARYING_SLOT_FOGC, VARYING_SLOT_PSIZ,
};
#define FIXED ARRAY_SIZE(fixed_slots)
#define COPIED (FIXED + NV3C_TEXCOORDS)

static_assert(COPIED <= NV3P_ATTRIBUTES, "");

struct nv3p_tnl {
   struct vbuf_render render;  /* the back end of ctx->draw_module */
   struct nv3p_context *ctx;
   struct nv3p_shader *copy;   /* copies vertices */

   /*
    * The layout of the module's vertices, and the elements that read these
    * vertices. If ctx->fs_features contains NV3P_FS_SMOOTH, the back end adds
    * the coverage as the last attribute.
    */
   struct vertex_info vinfo;
   struct nv3p_velems velems;
   int size;  /* the attribute that holds the point size, or -1 */

   /* The vertices of the current primitives. */
   enum mesa_prim prim;
   struct pipe_resource *buffer;
   unsigned offset;
   float *vertices;
};

static struct nv3p_tnl *
to_tnl(struct vbuf_render *render)
{
   return (struct nv3p_tnl *)render;
}

/* ---- draws by the chip ---- */

/*
 * Draws @count vertices. The vertex data starts at @offset in @buffer. If
 * @indices is NULL, the vertices are drawn in order.
 */
static void
draw_vertices(struct nv3p_context *ctx, struct pipe_resource *buffer,
              unsigned offset, enum mesa_prim prim, const uint16_t *indices,
              unsigned count)
{
   const struct pipe_draw_info info = {
      .mode = prim,
      .index_size = indices ? sizeof(*indices) : 0,
      .has_user_indices = indices != NULL,
      .index.user = indices,
      .instance_count = 1,
   };
   const struct pipe_draw_start_count_bias draw = { .count = count };

   ctx->vbufs[0] = (struct pipe_vertex_buffer){
      .buffer_offset = offset,
      .buffer.resource = buffer,
   };
   ctx->dirty |= NV3P_NEW_ARRAYS;
   nv3p_draw(ctx, &info, &draw);
}

/* ---- smooth lines and points ---- */

static float *
put_vertex(const struct nv3p_tnl *tnl, float *out, const float *in, float dx,
           float dy, const float distances[4])
{
   const unsigned floats = tnl->vinfo.size;

   memcpy(out, in, floats * sizeof(*out));
   out[0] += dx;
   out[1] += dy;
   memcpy(out + floats, distances, ATTRIBUTE);
   return out + floats + 4;
}

/*
 * Writes to @out a quad around the line between @a and @b, and returns the
 * end of the quad. The quad extends beyond the line by @extent at each end,
 * and by @across on each side.
 */
static float *
put_corners(const struct nv3p_tnl *tnl, float *out, const float *a,
            const float *b, float across, float extent)
{
   static const int8_t corners[4][2] = { { -1, -1 }, { -1, 1 }, { 1, 1 },
                                         { 1, -1 } };
   const float length = hypotf(b[0] - a[0], b[1] - a[1]);
   const float along = length / 2 + extent;
   /* The unit vector in the direction of the line. */
   const float x = length ? (b[0] - a[0]) / length : 1.0f;
   const float y = length ? (b[1] - a[1]) / length : 0.0f;

   for (unsigned i = 0; i < 4; i++) {
      const float end = corners[i][0], side = corners[i][1] * across;
      const float distances[4] = { side, across, end * along, along };

      out = put_vertex(tnl, out, end < 0 ? a : b,
                       end * extent * x - side * y, end * extent * y + side * x,
                       distances);
   }
   return out;
}

static const float *
vertex(const struct nv3p_tnl *tnl, uint16_t index)
{
   return tnl->vertices + tnl->vinfo.size * index;
}

/*
 * Writes the quad of a line or point to @out, and returns the end of the
 * quad. The quad extends half a pixel beyond the line or point on each side.
 */
static float *
put_quad(const struct nv3p_tnl *tnl, float *out, const uint16_t *indices)
{
   const struct pipe_rasterizer_state *rast = tnl->ctx->rast;
   const bool point = tnl->prim == MESA_PRIM_POINTS;
   const float *a = vertex(tnl, indices[0]);
   const float *b = point ? a : vertex(tnl, indices[1]);
   float size = rast->line_width, half;

   if (point)
      size = rast->point_size_per_vertex && tnl->size >= 0 ?
                a[4 * tnl->size] : rast->point_size;
   half = MAX2(size, 1.0f) / 2 + 0.5f;
   return put_corners(tnl, out, a, b, half, point ? half : 0.5f);
}

/*
 * Converts smooth lines or points to quads. Other primitives, such as the
 * filled faces of polygons whose other faces are lines, get a coverage of 1.
 */
static void
draw_smooth(struct nv3p_tnl *tnl, const uint16_t *indices, unsigned count)
{
   static const float inside[4] = { 0, 1, 0, 1 };
   const bool lines = tnl->ctx->fs_features & NV3P_FS_SMOOTH_LINES;
   const bool quads = tnl->prim == (lines ? MESA_PRIM_LINES : MESA_PRIM_POINTS);
   const unsigned step = quads && lines ? 2 : 1;
   const unsigned vertices = quads ? count / step * 4 : count;
   struct pipe_resource *buffer = NULL;
   unsigned offset;
   float *out;

   u_upload_alloc(tnl->ctx->base.stream_uploader, 0,
                  vertices * (4 * tnl->vinfo.size + ATTRIBUTE), ALIGNMENT,
                  &offset, &buffer, (void **)&out);
   if (!buffer)
      return;
   for (unsigned i = 0; i + step <= count; i += step)
      out = quads ? put_quad(tnl, out, &indices[i]) :
                    put_vertex(tnl, out, vertex(tnl, indices[i]), 0, 0, inside);
   draw_vertices(tnl->ctx, buffer, offset, quads ? MESA_PRIM_QUADS : tnl->prim,
                 NULL, vertices);
   pipe_resource_reference(&buffer, NULL);
}

/* ---- the back end of the draw module ---- */

static bool
render_need_pipeline(const struct vbuf_render *render,
                     const struct pipe_rasterizer_state *rast, unsigned prim)
{
   return true;
}

static const struct vertex_info *
render_vertex_info(struct vbuf_render *render)
{
   return &to_tnl(render)->vinfo;
}

static void
render_set_primitive(struct vbuf_render *render, enum mesa_prim prim)
{
   to_tnl(render)->prim = prim;
}

static bool
render_allocate(struct vbuf_render *render, uint16_t size, uint16_t count)
{
   struct nv3p_tnl *tnl = to_tnl(render);

   u_upload_alloc(tnl->ctx->base.stream_uploader, 0, (unsigned)size * count,
                  ALIGNMENT, &tnl->offset, &tnl->buffer,
                  (void **)&tnl->vertices);
   return tnl->buffer != NULL;
}

static void *
render_map(struct vbuf_render *render)
{
   return to_tnl(render)->vertices;
}

static void
render_unmap(struct vbuf_render *render, uint16_t first, uint16_t last)
{
}

static void
render_draw_elements(struct vbuf_render *render, const uint16_t *indices,
                     unsigned count)
{
   struct nv3p_tnl *tnl = to_tnl(render);

   if (tnl->ctx->fs_features & NV3P_FS_SMOOTH)
      draw_smooth(tnl, indices, count);
   else
      draw_vertices(tnl->ctx, tnl->buffer, tnl->offset, tnl->prim, indices,
                    count);
}

static void
render_release(struct vbuf_render *render)
{
   pipe_resource_reference(&to_tnl(render)->buffer, NULL);
}

/* Does nothing, because nv3p_tnl_destroy() frees the back end. */
static void
render_destroy(struct vbuf_render *render)
{
}

/* ---- creation ---- */

static nir_def *
to_clip_coordinates(nir_builder *b, nir_def *window)
{
   nir_def *w = nir_frcp(b, nir_channel(b, window, 3));
   nir_def *xy = nir_fadd_imm(b, nir_fmul_imm(b, nir_trim_vector(b, window, 2),
                                              1 / NV3P_COPY_SCALE), -1);
   nir_def *z = nir_fmul(b, nir_channel(b, window, 2), w);

   xy = nir_fmul(b, xy, w);
   return nir_vec4(b, nir_channel(b, xy, 0), nir_channel(b, xy, 1), z, w);
}

/*
 * Creates a vertex shader that copies attributes to outputs: to the outputs
 * fixed_slots, then to generic varyings. The position attribute contains
 * window coordinates and 1/w. The shader converts this position to clip
 * coordinates for a viewport from 0 to 2 * NV3P_COPY_SCALE, with depths from 0
 * to 1.
 */
static struct nv3p_shader *
create_copy(struct pipe_context *pipe)
{
   nir_builder b = nir_builder_init_simple_shader(
      MESA_SHADER_VERTEX, nv3c_options(MESA_SHADER_VERTEX), "copied vertices");
   struct pipe_shader_state state = {
      .type = PIPE_SHADER_IR_NIR,
      .ir.nir = b.shader,
   };

   for (unsigned i = 0; i < COPIED; i++) {
      const unsigned slot = i < FIXED ? fixed_slots[i] :
                                        VARYING_SLOT_VAR0 + i - FIXED;
      nir_def *value = nir_load_input(
         &b, 4, 32, nir_imm_int(&b, 0), .base = i,
         .io_semantics.location = VERT_ATTRIB_GENERIC0 + i,
         .io_semantics.num_slots = 1, .dest_type = nir_type_float32);

      if (slot == VARYING_SLOT_POS)
         value = to_clip_coordinates(&b, value);
      else if (slot == VARYING_SLOT_PSIZ || slot == VARYING_SLOT_FOGC)
         value = nir_channel(&b, value, 0);
      nir_store_output(&b, value, nir_imm_int(&b, 0), .base = i,
                       .write_mask = nir_component_mask(value->num_components),
                       .io_semantics.location = slot,
                       .io_semantics.num_slots = 1,
                       .src_type = nir_type_float32);
   }
   return pipe->create_vs_state(pipe, &state);
}

void
nv3p_tnl_destroy(struct nv3p_context *ctx)
{
   if (!ctx->tnl)
      return;
   if (ctx->tnl->copy)
      ctx->base.delete_vs_state(&ctx->base, ctx->tnl->copy);
   draw_destroy(ctx->draw_module);
   ctx->draw_module = NULL;
   FREE(ctx->tnl);
   ctx->tnl = NULL;
}

static bool
create_tnl(struct nv3p_context *ctx)
{
   struct nv3p_tnl *tnl = CALLOC_STRUCT(nv3p_tnl);
   struct draw_context *draw;
   struct draw_stage *stage;

   if (!tnl)
      return false;
   ctx->tnl = tnl;
   tnl->ctx = ctx;
   tnl->render = (struct vbuf_render){
      .max_vertex_buffer_bytes = BUFFER_BYTES,
      .max_indices = MAX_INDICES,
      .need_pipeline = render_need_pipeline,
      .get_vertex_info = render_vertex_info,
      .allocate_vertices = render_allocate,
      .map_vertices = render_map,
      .unmap_vertices = render_unmap,
      .set_primitive = render_set_primitive,
      .draw_elements = render_draw_elements,
      .release_vertices = render_release,
      .destroy = render_destroy,
   };
   tnl->copy = create_copy(&ctx->base);
   ctx->draw_module = draw = draw_create(&ctx->base);
   stage = draw ? draw_vbuf_stage(draw, &tnl->render) : NULL;
   if (!tnl->copy || !stage) {
      nv3p_tnl_destroy(ctx);
      return false;
   }
   draw_set_render(draw, &tnl->render);
   draw_set_rasterize_stage(draw, stage);
   draw_wide_line_threshold(draw, NEVER);
   draw_wide_point_threshold(draw, NEVER);
   draw_wide_point_sprites(draw, false);
   draw_enable_point_sprites(draw, false);
   draw_enable_line_stipple(draw, true);
   return true;
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

/* ---- draws ---- */

/* Returns the index of the draw module's output for @slot, or -1. */
static int
find_output(const struct draw_context *draw, unsigned slot)
{
   unsigned name, index;

   if (slot == NV3C_NO_SLOT)
      return -1;
   tgsi_get_gl_varying_semantic(slot, true, &name, &index);
   return draw_find_shader_output(draw, name, index);
}

static void
set_element(struct pipe_vertex_element *element, unsigned offset)
{
   element->src_format = PIPE_FORMAT_R32G32B32A32_FLOAT;
   element->src_offset = offset;
}

/*
 * Chooses the layout of the module's vertices, which contain those attributes
 * that the module's vertex shader writes.
 */
static void
set_layout(struct nv3p_context *ctx)
{
   struct nv3p_tnl *tnl = ctx->tnl;
   struct vertex_info *vinfo = &tnl->vinfo;
   struct pipe_vertex_element *elements = tnl->velems.elements;
   unsigned stride;

   memset(vinfo, 0, sizeof(*vinfo));
   memset(&tnl->velems, 0, sizeof(tnl->velems));
   tnl->velems.count = COPIED;
   tnl->size = -1;
   for (unsigned i = 0; i < COPIED; i++) {
      const unsigned slot = i < FIXED ? fixed_slots[i] :
                            ctx->fs_variant->fs.texcoord[i - FIXED];
      const int output = find_output(ctx->draw_module, slot);

      if (output < 0)
         continue;
      if (slot == VARYING_SLOT_PSIZ)
         tnl->size = vinfo->num_attribs;
      set_element(&elements[i], vinfo->num_attribs * ATTRIBUTE);
      draw_emit_vertex_attr(vinfo, EMIT_4F, output);
   }
   draw_compute_vertex_size(vinfo);
   stride = 4 * vinfo->size;
   if (ctx->fs_features & NV3P_FS_SMOOTH)
      stride += ATTRIBUTE;
   for (unsigned i = 0; i < COPIED; i++) {
      if (i >= FIXED &&
          ctx->fs_variant->fs.texcoord[i - FIXED] == NV3P_COVERAGE_SLOT)
         set_element(&elements[i], 4 * vinfo->size);
      if (elements[i].src_format)
         elements[i].src_stride = stride;
   }
}

/*
 * Replaces state for the draw module's vertices, and draws. The caller
 * restores the state.
 */
static void
draw(struct nv3p_context *ctx, const struct pipe_draw_info *info,
     unsigned drawid_offset, const struct pipe_draw_start_count_bias *draws,
     unsigned num_draws)
{
   struct pipe_rasterizer_state rast = *ctx->rast;

   rast.clip_plane_enable = 0;
   rast.depth_clip_near = rast.depth_clip_far = false;
   rast.clip_halfz = true;
   rast.cull_face = PIPE_FACE_NONE;
   rast.fill_front = rast.fill_back = PIPE_POLYGON_MODE_FILL;
   rast.light_twoside = false;
   rast.offset_point = rast.offset_line = rast.offset_tri = false;
   ctx->rast = &rast;
   ctx->velems = &ctx->tnl->velems;
   ctx->window_coordinates = true;
   ctx->dirty |= NV3P_NEW_VS | NV3P_NEW_RASTERIZER;
   if (!nv3p_update_vs(ctx, ctx->tnl->copy))
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

   if ((!ctx->tnl && !create_tnl(ctx)) || !set_state(ctx, info))
      return;
   log_reason(ctx, reason);
   ctx->module_draws++;
   set_layout(ctx);
   draw(ctx, info, drawid_offset, draws, num_draws);
   ctx->rast = rast;
   ctx->velems = velems;
   ctx->vbufs[0] = vbuf;
   ctx->window_coordinates = false;
   ctx->dirty |= NV3P_NEW_VS | NV3P_NEW_RASTERIZER | NV3P_NEW_ARRAYS;
}
