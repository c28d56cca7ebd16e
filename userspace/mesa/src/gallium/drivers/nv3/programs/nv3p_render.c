/* SPDX-License-Identifier: MIT */
/*
 * Implements the back end of Mesa's draw module. The draw module's vertices
 * are in window coordinates, and each attribute has four floats. A vertex
 * program copies the attributes, so the chip draws these vertices like any
 * other vertices. The back end converts smooth points and lines to quads with
 * an additional attribute for the coverage.
 */
#include "draw/draw_context.h"
#include "draw/draw_vbuf.h"
#include "draw/draw_vertex.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

#include "base/nv3p_context.h"
#include "programs/nv3p_tnl.h"

/*
 * The maximum size of a vertex buffer in bytes, and the maximum length of an
 * index list. Within these limits, the draw module's 16-bit indices suffice.
 */
#define BUFFER_BYTES (256u << 10)
#define MAX_INDICES  (16u << 10)
#define ALIGNMENT 16
#define ATTRIBUTE (4 * sizeof(float))

struct render {
   struct vbuf_render base;
   struct nv3p_context *ctx;
   struct nv3p_render_layout layout;
   struct vertex_info vinfo;
   /* indexed by the number of attributes */
   struct nv3p_velems *velems[NV3P_ATTRIBUTES + 1];
   enum mesa_prim prim;

   /*
    * The vertices of the current primitives. They are in a buffer, or in
    * ordinary memory if draw_smooth() will copy them to a buffer.
    */
   struct pipe_resource *buffer;
   unsigned offset;
   float *vertices;
   float *memory;
   unsigned memory_size;
};

static struct render *
to_render(struct vbuf_render *base)
{
   return (struct render *)base;
}

/* ---- draws ---- */

static struct nv3p_velems *
get_velems(struct render *render, unsigned attributes)
{
   struct pipe_context *pipe = &render->ctx->base;
   struct pipe_vertex_element elements[NV3P_ATTRIBUTES] = { 0 };

   if (!render->velems[attributes]) {
      for (unsigned i = 0; i < attributes; i++) {
         elements[i].src_offset = i * ATTRIBUTE;
         elements[i].src_format = PIPE_FORMAT_R32G32B32A32_FLOAT;
         elements[i].src_stride = attributes * ATTRIBUTE;
      }
      render->velems[attributes] =
         pipe->create_vertex_elements_state(pipe, attributes, elements);
   }
   return render->velems[attributes];
}

/*
 * Draws @count vertices. The vertex data starts at @offset in @buffer, and
 * each vertex has @attributes attributes. If @indices is NULL, the vertices
 * are drawn in order.
 */
static void
draw(struct render *render, struct pipe_resource *buffer, unsigned offset,
     unsigned attributes, enum mesa_prim prim, const uint16_t *indices,
     unsigned count)
{
   struct nv3p_context *ctx = render->ctx;
   const struct pipe_draw_info info = {
      .mode = prim,
      .index_size = indices ? sizeof(*indices) : 0,
      .has_user_indices = indices != NULL,
      .index.user = indices,
      .instance_count = 1,
   };
   const struct pipe_draw_start_count_bias one = { .count = count };

   ctx->velems = get_velems(render, attributes);
   ctx->vbufs[0] = (struct pipe_vertex_buffer){
      .buffer_offset = offset,
      .buffer.resource = buffer,
   };
   ctx->dirty |= NV3P_NEW_ARRAYS;
   if (ctx->velems)
      ctx->draw(ctx, &info, &one);
}

/* ---- smooth lines and points ---- */

static float *
put_vertex(const struct render *render, float *out, const float *in, float dx,
           float dy, const float distances[4])
{
   const unsigned floats = 4 * render->layout.attributes;

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
put_corners(const struct render *render, float *out, const float *a,
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

      out = put_vertex(render, out, end < 0 ? a : b,
                       end * extent * x - side * y, end * extent * y + side * x,
                       distances);
   }
   return out;
}

static const float *
vertex(const struct render *render, const uint16_t *indices, unsigned i)
{
   return render->vertices + 4 * render->layout.attributes * indices[i];
}

/* True if draw_smooth() converts the current primitives to quads. */
static bool
extends(const struct render *render)
{
   return render->prim == (render->layout.smooth == NV3P_SMOOTH_LINES ?
                              MESA_PRIM_LINES : MESA_PRIM_POINTS);
}

/*
 * Writes the quad of a line or point to @out, and returns the end of the
 * quad. The quad extends half a pixel beyond the line or point on each side.
 */
static float *
put_quad(const struct render *render, float *out, const uint16_t *indices,
         unsigned first)
{
   const struct pipe_rasterizer_state *rast = render->ctx->rast;
   const bool point = render->prim == MESA_PRIM_POINTS;
   const float *a = vertex(render, indices, first);
   const int attribute = render->layout.size;
   float size = rast->line_width, half;

   if (point)
      size = attribute < 0 ? rast->point_size : a[4 * attribute];
   half = MAX2(size, 1.0f) / 2 + 0.5f;
   return put_corners(render, out, a,
                      point ? a : vertex(render, indices, first + 1), half,
                      point ? half : 0.5f);
}

/*
 * Copies to @out a vertex of a primitive without smooth edges, and returns
 * the end of the vertex. The coverage of the vertex is 1.
 */
static float *
put_copy(const struct render *render, float *out, const uint16_t *indices,
         unsigned i)
{
   static const float inside[4] = { 0, 1, 0, 1 };

   return put_vertex(render, out, vertex(render, indices, i), 0, 0, inside);
}

static void
draw_smooth(struct render *render, const uint16_t *indices, unsigned count)
{
   const unsigned attributes = render->layout.attributes + 1;
   const unsigned step =
      extends(render) && render->prim == MESA_PRIM_LINES ? 2 : 1;
   const unsigned vertices = extends(render) ? count / step * 4 : count;
   struct pipe_resource *buffer = NULL;
   unsigned offset;
   float *out;

   u_upload_alloc(render->ctx->base.stream_uploader, 0,
                  vertices * attributes * ATTRIBUTE, ALIGNMENT, &offset,
                  &buffer, (void **)&out);
   if (!buffer)
      return;
   for (unsigned i = 0; i + step <= count; i += step)
      out = extends(render) ? put_quad(render, out, indices, i) :
                              put_copy(render, out, indices, i);
   draw(render, buffer, offset, attributes,
        extends(render) ? MESA_PRIM_QUADS : render->prim, NULL, vertices);
   pipe_resource_reference(&buffer, NULL);
}

/* ---- functions of the draw module's interface ---- */

static bool
render_need_pipeline(const struct vbuf_render *base,
                     const struct pipe_rasterizer_state *rast, unsigned prim)
{
   return true;
}

static const struct vertex_info *
render_vertex_info(struct vbuf_render *base)
{
   return &to_render(base)->vinfo;
}

static void
render_set_primitive(struct vbuf_render *base, enum mesa_prim prim)
{
   to_render(base)->prim = prim;
}

static bool
render_allocate(struct vbuf_render *base, uint16_t size, uint16_t count)
{
   struct render *render = to_render(base);
   const unsigned bytes = (unsigned)size * count;

   if (render->layout.smooth == NV3P_SMOOTH_NONE) {
      u_upload_alloc(render->ctx->base.stream_uploader, 0, bytes, ALIGNMENT,
                     &render->offset, &render->buffer,
                     (void **)&render->vertices);
      return render->buffer != NULL;
   }
   if (bytes > render->memory_size) {
      align_free(render->memory);
      render->memory = align_malloc(bytes, ALIGNMENT);
      render->memory_size = render->memory ? bytes : 0;
   }
   render->vertices = render->memory;
   return render->memory != NULL;
}

static void *
render_map(struct vbuf_render *base)
{
   return to_render(base)->vertices;
}

static void
render_unmap(struct vbuf_render *base, uint16_t first, uint16_t last)
{
}

static void
render_draw_elements(struct vbuf_render *base, const uint16_t *indices,
                     unsigned count)
{
   struct render *render = to_render(base);

   if (render->layout.smooth)
      draw_smooth(render, indices, count);
   else
      draw(render, render->buffer, render->offset, render->layout.attributes,
           render->prim, indices, count);
}

static void
render_release(struct vbuf_render *base)
{
   pipe_resource_reference(&to_render(base)->buffer, NULL);
}

static void
render_destroy(struct vbuf_render *base)
{
   struct render *render = to_render(base);
   struct pipe_context *pipe = &render->ctx->base;

   pipe_resource_reference(&render->buffer, NULL);
   for (unsigned i = 0; i <= NV3P_ATTRIBUTES; i++)
      pipe->delete_vertex_elements_state(pipe, render->velems[i]);
   align_free(render->memory);
   FREE(render);
}

void
nv3p_render_set_layout(struct vbuf_render *base,
                       const struct nv3p_render_layout *layout)
{
   struct render *render = to_render(base);
   struct vertex_info *vinfo = &render->vinfo;

   render->layout = *layout;
   memset(vinfo, 0, sizeof(*vinfo));
   for (unsigned i = 0; i < layout->attributes; i++)
      draw_emit_vertex_attr(vinfo, EMIT_4F, layout->outputs[i]);
   draw_compute_vertex_size(vinfo);
}

struct vbuf_render *
nv3p_render_create(struct nv3p_context *ctx)
{
   struct render *render = CALLOC_STRUCT(render);

   if (!render)
      return NULL;
   render->ctx = ctx;
   render->base.max_vertex_buffer_bytes = BUFFER_BYTES;
   render->base.max_indices = MAX_INDICES;
   render->base.need_pipeline = render_need_pipeline;
   render->base.get_vertex_info = render_vertex_info;
   render->base.allocate_vertices = render_allocate;
   render->base.map_vertices = render_map;
   render->base.unmap_vertices = render_unmap;
   render->base.set_primitive = render_set_primitive;
   render->base.draw_elements = render_draw_elements;
   render->base.release_vertices = render_release;
   render->base.destroy = render_destroy;
   return &render->base;
}
