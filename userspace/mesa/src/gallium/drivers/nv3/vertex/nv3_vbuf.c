/* SPDX-License-Identifier: MIT */
/*
 * The back end of Mesa's draw module, for draws that nv3_vertex_translate.c
 * does not support. It converts the module's vertices one by one.
 */
#include "draw/draw_context.h"
#include "draw/draw_vbuf.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "base/nv3_context.h"
#include "class17/nv3_blend.h"
#include "class17/nv3_draw_state.h"
#include "class17/nv3_emit.h"
#include "class17/nv3_vertex.h"
#include "compiler/nv3_expr.h"
#include "compiler/nv3_shader.h"
#include "vertex/nv3_vbuf.h"

/*
 * The size of the vertex buffer. It holds fewer vertices than the draw
 * module's 16-bit indices can address.
 */
#define BUFFER_BYTES (64 * 1024)
#define MAX_INDICES  (16 * 1024)

struct nv3_render {
   struct vbuf_render base;
   struct nv3_context *ctx;
   enum mesa_prim prim;

   uint8_t *buffer;  /* vertices from the draw module */
   unsigned buffer_size;
   unsigned vertex_size;
   struct nv3_vertices vertices;
   float point_sizes[UINT16_MAX + 1];
   uint32_t indices[MAX_INDICES];
};

static struct nv3_render *
nv3_render(struct vbuf_render *render)
{
   return (struct nv3_render *)render;
}

/* ---- conversion of vertices ---- */

static uint32_t
pack_color(const float c[4], enum nv3_alpha_use use)
{
   return (uint32_t)float_to_ubyte(c[3]) << 24 |
          float_to_ubyte(nv3_use_alpha(use, c[0], c[3])) << 16 |
          float_to_ubyte(nv3_use_alpha(use, c[1], c[3])) << 8 |
          float_to_ubyte(nv3_use_alpha(use, c[2], c[3]));
}

static void
convert_coordinates(const struct nv3_draw_state *state, const float *vertex,
                    const float *values, struct nv3_chip_vertex *out)
{
   const struct nv3_shader_info *shader = state->shader;
   float u, v;

   if (state->coord_input >= 0) {
      const float *in = vertex + state->input_offset[state->coord_input];

      u = in[0];
      v = in[1];
   } else {
      u = values[shader->lookup.coord[0]];
      v = values[shader->lookup.coord[1]];
      if (shader->lookup.coord_q >= 0) {
         float q = values[shader->lookup.coord_q];

         /* q is interpolated with the coordinates. */
         if (q != 1.0f && q > 0.0f) {
            u /= q;
            v /= q;
            out->rhw *= q;
         }
      }
   }
   out->u = u * state->coord_scale[0] + state->coord_bias[0];
   out->v = v * state->coord_scale[1] + state->coord_bias[1];
}

static void
convert_vertex(struct nv3_render *render, unsigned index)
{
   struct nv3_draw_state *state = render->ctx->state;
   const struct nv3_shader_info *shader = state->shader;
   const float *vertex =
      (const float *)(render->buffer + index * render->vertex_size);
   struct nv3_chip_vertex *out = &render->vertices.chip[index];
   const float *inputs[NV3_MAX_INPUTS];
   float *values = state->values;

   out->x = vertex[0] + NV3_PIXEL_BIAS;
   out->y = vertex[1] + NV3_PIXEL_BIAS;
   render->vertices.at[index][0] = out->x * 16.0f;
   render->vertices.at[index][1] = out->y * 16.0f;
   out->z = vertex[2];
   out->rhw = vertex[3];
   if (state->last_op >= 0) {
      for (unsigned i = 0; i < shader->input_count; i++)
         inputs[i] = vertex + state->input_offset[i];
      nv3_expr_vertex(&shader->expr, values, state->last_op, inputs);
   }
   switch (state->color_source) {
   case NV3_COLOR_UNIFORM:
      out->color = state->uniform_color;
      break;
   case NV3_COLOR_INPUT:
      out->color = pack_color(vertex + state->input_offset[state->color_input],
                              state->alpha);
      break;
   case NV3_COLOR_EXPR: {
      float c[4];

      for (unsigned i = 0; i < 4; i++)
         c[i] = values[shader->color[i]];
      out->color = pack_color(c, state->alpha);
      break;
   }
   }
   if (render->vertices.point_sizes)
      render->vertices.point_sizes[index] = vertex[state->point_size_offset];
   if (state->fog_op >= 0)
      out->fog = (uint32_t)(255 - float_to_ubyte(values[state->fog_op])) << 24;
   else
      out->fog = state->brightens ? nv3_draw_brighten(state, out->color) :
                                state->uniform_fog;
   out->u = out->v = 0.0f;
   render->vertices.flags[index] = 0;
   if (shader->textured) {
      convert_coordinates(state, vertex, values, out);
      if (fabsf(out->u) > state->coord_limit[0] ||
          fabsf(out->v) > state->coord_limit[1])
         render->vertices.flags[index] = NV3_FAR_TEXELS;
      render->vertices.any_flags |= render->vertices.flags[index];
   }
}

void
nv3_vbuf_set_layout(struct nv3_context *ctx, struct nv3_draw_state *state)
{
   const struct nv3_shader_info *shader = state->shader;
   const struct pipe_rasterizer_state *rast = &ctx->rast->base;
   struct vertex_info *vinfo = &state->vinfo;
   int size;

   draw_prepare_shader_outputs(ctx->draw);
   memset(vinfo, 0, sizeof(*vinfo));
   draw_emit_vertex_attr(vinfo, EMIT_4F,
                         draw_find_shader_output(ctx->draw,
                                                 TGSI_SEMANTIC_POSITION, 0));
   for (unsigned i = 0; i < shader->input_count; i++) {
      state->input_offset[i] = 4 * vinfo->num_attribs;
      draw_emit_vertex_attr(vinfo, EMIT_4F,
                            draw_find_shader_output(ctx->draw,
                                                    shader->inputs[i].semantic,
                                                    shader->inputs[i].index));
   }
   state->point_size_offset = 0;
   if (rast->point_size_per_vertex &&
       (size = draw_find_shader_output(ctx->draw, TGSI_SEMANTIC_PSIZE, 0)) >=
          0) {
      state->point_size_offset = 4 * vinfo->num_attribs;
      draw_emit_vertex_attr(vinfo, EMIT_1F, size);
   }
   draw_compute_vertex_size(vinfo);
}

/* ---- functions of the draw module's interface ---- */

static void
nv3_render_draw_elements(struct vbuf_render *base, const uint16_t *indices,
                         unsigned count)
{
   struct nv3_render *render = nv3_render(base);

   for (unsigned i = 0; i < count; i++)
      render->indices[i] = indices[i];
   nv3_emit_primitives(render->ctx->emit, &render->vertices, render->prim,
                       render->indices, 0, count);
}

static void
nv3_render_draw_arrays(struct vbuf_render *base, unsigned start, unsigned count)
{
   struct nv3_render *render = nv3_render(base);

   nv3_emit_primitives(render->ctx->emit, &render->vertices, render->prim,
                       NULL, start, count);
}

static const struct vertex_info *
nv3_render_vertex_info(struct vbuf_render *base)
{
   return &nv3_render(base)->ctx->state->vinfo;
}

static bool
nv3_render_allocate(struct vbuf_render *base, uint16_t size, uint16_t count)
{
   struct nv3_render *render = nv3_render(base);
   unsigned bytes = MAX2((unsigned)size * count, BUFFER_BYTES);

   if (bytes > render->buffer_size) {
      align_free(render->buffer);
      render->buffer = align_malloc(bytes, 16);
      render->buffer_size = render->buffer ? bytes : 0;
      if (!render->buffer)
         return false;
   }
   if (!nv3_vertices_resize(&render->vertices, count))
      return false;
   render->vertex_size = size;
   return true;
}

static void *
nv3_render_map(struct vbuf_render *base)
{
   return nv3_render(base)->buffer;
}

static void
nv3_render_unmap(struct vbuf_render *base, uint16_t first, uint16_t last)
{
   struct nv3_render *render = nv3_render(base);

   render->vertices.any_flags = 0;
   render->vertices.point_sizes = render->ctx->state->point_size_offset ?
                                  render->point_sizes : NULL;
   for (unsigned i = first; i <= last; i++)
      convert_vertex(render, i);
}

static void
nv3_render_set_primitive(struct vbuf_render *base, enum mesa_prim prim)
{
   nv3_render(base)->prim = prim;
}

static void
nv3_render_release(struct vbuf_render *base)
{
}

static void
nv3_render_destroy(struct vbuf_render *base)
{
   struct nv3_render *render = nv3_render(base);

   align_free(render->buffer);
   nv3_vertices_free(&render->vertices);
   FREE(render);
}

static void
nv3_render_stream_output(struct vbuf_render *base, unsigned stream,
                         unsigned primitives, unsigned generated)
{
}

static void
nv3_render_statistics(struct vbuf_render *base,
                      const struct pipe_query_data_pipeline_statistics *stats)
{
}

struct vbuf_render *
nv3_render_create(struct nv3_context *ctx)
{
   struct nv3_render *render = CALLOC_STRUCT(nv3_render);

   if (!render)
      return NULL;
   render->ctx = ctx;
   render->base.max_vertex_buffer_bytes = BUFFER_BYTES;
   render->base.max_indices = MAX_INDICES;
   render->base.get_vertex_info = nv3_render_vertex_info;
   render->base.allocate_vertices = nv3_render_allocate;
   render->base.map_vertices = nv3_render_map;
   render->base.unmap_vertices = nv3_render_unmap;
   render->base.set_primitive = nv3_render_set_primitive;
   render->base.draw_elements = nv3_render_draw_elements;
   render->base.draw_arrays = nv3_render_draw_arrays;
   render->base.release_vertices = nv3_render_release;
   render->base.destroy = nv3_render_destroy;
   render->base.set_stream_output_info = nv3_render_stream_output;
   render->base.pipeline_statistics = nv3_render_statistics;
   return &render->base;
}
