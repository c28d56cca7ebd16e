/* SPDX-License-Identifier: MIT */
/*
 * Implements the back end of Mesa's draw module. The module's pipeline culls
 * triangles, and splits all primitives into points, lines and triangles. The
 * back end converts the module's vertices and collects all triangles of a
 * draw. At the end of the draw, the back end sends the triangles to the chip,
 * unless class 0x17 can't draw one of the triangles. Each line or point
 * becomes two triangles.
 *
 * The chip has 16 vertex slots. The first word of a vertex selects the slot
 * that stores the vertex. It also selects the slots of up to two triangles
 * that the chip then draws (docs/reference/chip/3d.md).
 */
#include "draw/draw_context.h"
#include "draw/draw_vbuf.h"
#include "draw/draw_vertex.h"
#include "util/u_dynarray.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "class17/nv3_chip.h"
#include "class17/nv3_class17.h"
#include "class17/nv3_resource.h"
#include "class17/nv3_shader.h"

/*
 * The size of the vertex buffer. The smallest vertex consists of a position
 * with four floats, so the buffer holds at most 4,096 vertices. 16-bit
 * indices can address all of them.
 */
#define BUFFER_BYTES (64 * 1024)
#define MAX_VERTICES (BUFFER_BYTES / (4 * sizeof(float)))
#define MAX_INDICES  (16 * 1024)

#define VERTEX_WORDS 8
/* The maximum number of triangles in a run of methods. */
#define RUN          (NV3_D3D_VERTEX_COUNT / 3)

/*
 * The chip's coordinates are fixed-point numbers of 12.4 bits. The chip's
 * pixel centres are at integer coordinates.
 */
#define SUBPIXELS    16.0f
/*
 * The offset that is added to GL's coordinates: minus half a pixel, because
 * the chip's pixel centres differ from GL's, plus half a subpixel, so that
 * the truncation to 12.4 bits rounds to nearest.
 */
#define PIXEL_BIAS   (0.5f / SUBPIXELS - 0.5f)

/*
 * The range of colour components that the chip does not clamp, and the
 * minimum for an alpha that must be 1. All limits allow for rounding errors.
 */
#define COLOR_MIN    (-1.0f / 512.0f)
#define COLOR_MAX    (256.0f / 255.0f)
#define OPAQUE_MIN   (254.0f / 255.0f)

/*
 * The chip reduces the alpha of a blend to 4 bits. Below BLENDED_ALPHA_MIN, the
 * resulting error exceeds an eighth of the change that the blend makes to the
 * destination.
 */
#define BLENDED_ALPHA_MIN 0.25f

/* The words of a vertex. */
struct vertex {
   uint32_t fog, color;
   float x, y, z, rhw, u, v;
};

struct nv3_render {
   struct vbuf_render base;
   struct nv3_context *ctx;
   enum mesa_prim prim;

   uint8_t *buffer;  /* vertices from the draw module */
   unsigned vertex_size;
   struct vertex *vertices;

   struct vertex_info vinfo;
   unsigned input_offset[NV3_MAX_INPUTS];  /* in floats */
   unsigned point_size_offset;  /* in floats; 0: no point size */

   struct nv3_interpreter in;
   struct util_dynarray triangles;  /* three vertices each */
   const char *reason;  /* why class 0x17 can't draw the triangles, or NULL */
};

static struct nv3_render *
nv3_render(struct vbuf_render *render)
{
   return (struct nv3_render *)render;
}

static void
refuse(struct nv3_render *render, const char *reason)
{
   if (!render->reason)
      render->reason = reason;
}

/* ---- conversion of vertices ---- */

static uint32_t
convert_color(struct nv3_render *render)
{
   const struct nv3_draw_state *state = &render->ctx->state;
   const struct nv3_shader *shader = state->shader;
   float c[4];

   for (unsigned i = 0; i < 4; i++) {
      c[i] = nv3_interpreter_get(&render->in, shader->color[i]);
      /*
       * The chip clamps the colours of vertices. GL clamps the product of the
       * interpolated colour and the texel, so the results can differ.
       */
      if ((i < 3 || state->uses_alpha) && !state->clamps[i] &&
          !(c[i] >= COLOR_MIN && c[i] <= COLOR_MAX))
         refuse(render, "interpolated colour outside 0 to 1");
   }
   if (state->opaque && c[3] < OPAQUE_MIN)
      refuse(render, "alpha test with a translucent colour");
   if (state->blends && c[3] < BLENDED_ALPHA_MIN)
      refuse(render, "blending by a small alpha");
   return (uint32_t)float_to_ubyte(c[3]) << 24 | float_to_ubyte(c[0]) << 16 |
          float_to_ubyte(c[1]) << 8 | float_to_ubyte(c[2]);
}

static void
convert_coordinates(struct nv3_render *render, struct vertex *out)
{
   const struct nv3_draw_state *state = &render->ctx->state;
   const struct nv3_shader *shader = state->shader;
   float u = nv3_interpreter_get(&render->in, shader->coord[0]);
   float v = nv3_interpreter_get(&render->in, shader->coord[1]);
   float q = shader->projective ? nv3_interpreter_get(&render->in, shader->q) :
                                  1.0f;

   /*
    * The chip divides coordinates by w. Multiply 1/w by q, so that the chip
    * also divides by q.
    */
   if (q <= 0.0f)
      refuse(render, "texture coordinates divided by 0 or less");
   out->rhw *= q;
   out->u = u / q * state->coord_scale[0] + state->coord_bias[0];
   out->v = v / q * state->coord_scale[1] + state->coord_bias[1];
}

static void
convert_vertex(struct nv3_render *render, unsigned index)
{
   const struct nv3_shader *shader = render->ctx->state.shader;
   const float *vertex =
      (const float *)(render->buffer + index * render->vertex_size);
   struct vertex *out = &render->vertices[index];
   float fog = 1.0f;

   out->x = vertex[0] + PIXEL_BIAS;
   out->y = vertex[1] + PIXEL_BIAS;
   out->z = vertex[2];
   out->rhw = vertex[3];
   for (unsigned i = 0; i < shader->input_count; i++)
      render->in.inputs[i] = vertex + render->input_offset[i];
   nv3_interpreter_reset(&render->in);
   if (shader->fogged)
      fog = nv3_interpreter_get(&render->in, shader->fog);
   /*
    * Fog is computed per vertex, so class 0x17 can draw even if the shader has
    * clamped the fog factor.
    */
   nv3_interpreter_reset(&render->in);
   render->in.clamped = false;
   out->fog = (uint32_t)(255 - float_to_ubyte(fog)) << 24;
   out->color = convert_color(render);
   out->u = out->v = 0.0f;
   if (shader->tex)
      convert_coordinates(render, out);
   if (render->in.clamped)
      refuse(render, "interpolated colour outside 0 to 1");
}

/* ---- triangles ---- */

/*
 * Moves the texture coordinates at @offset in the vertices by whole periods
 * of the texture, into the range of the chip's coordinates. If this is not
 * possible, sets render->reason.
 */
static void
move_coordinates(struct nv3_render *render, struct vertex v[3], size_t offset,
                 float limit, float period)
{
   float *c[3], min = INFINITY, max = -INFINITY, shift;

   for (unsigned i = 0; i < 3; i++) {
      c[i] = (float *)((uint8_t *)&v[i] + offset);
      min = MIN2(min, *c[i]);
      max = MAX2(max, *c[i]);
   }
   if (min >= -limit && max <= limit)
      return;
   shift = period ? floorf((min + max) * 0.5f / period + 0.5f) * period : 0.0f;
   for (unsigned i = 0; i < 3; i++)
      *c[i] -= shift;
   if (!(min - shift >= -limit && max - shift <= limit))
      refuse(render, "texture coordinates beyond the chip's range");
}

/* Returns true if a triangle has no area in the chip's coordinates. */
static bool
is_degenerate(const struct vertex v[3])
{
   int64_t x[3], y[3];

   for (unsigned i = 0; i < 3; i++) {
      x[i] = v[i].x * SUBPIXELS;
      y[i] = v[i].y * SUBPIXELS;
   }
   return (x[1] - x[0]) * (y[2] - y[0]) == (x[2] - x[0]) * (y[1] - y[0]);
}

static void
add_triangle(struct nv3_render *render, const struct vertex v[3])
{
   const struct nv3_draw_state *state = &render->ctx->state;
   struct vertex *out;

   if (is_degenerate(v))
      return;
   out = util_dynarray_grow(&render->triangles, struct vertex, 3);
   if (!out) {
      refuse(render, "no memory for triangles");
      return;
   }
   memcpy(out, v, 3 * sizeof(*v));
   if (!state->shader->tex)
      return;
   move_coordinates(render, out, offsetof(struct vertex, u),
                    state->coord_limit[0], state->coord_period[0]);
   move_coordinates(render, out, offsetof(struct vertex, v),
                    state->coord_limit[1], state->coord_period[1]);
}

static void
draw_triangle(struct nv3_render *render, uint32_t a, uint32_t b, uint32_t c)
{
   struct vertex v[3] = { render->vertices[a], render->vertices[b],
                          render->vertices[c] };
   /* The vertex that determines the flat colour. */
   unsigned provoking = render->ctx->rast->base.flatshade_first ? 0 : 2;

   if (render->ctx->state.flat)
      v[0].color = v[1].color = v[2].color = v[provoking].color;
   add_triangle(render, v);
}

static void
draw_quad(struct nv3_render *render, const struct vertex q[4])
{
   add_triangle(render, (struct vertex[]) { q[0], q[1], q[2] });
   add_triangle(render, (struct vertex[]) { q[0], q[2], q[3] });
}

/*
 * Adds a line as two triangles. As in GL, the line is widened along its minor
 * axis.
 */
static void
draw_line(struct nv3_render *render, uint32_t a, uint32_t b)
{
   const struct vertex *from = &render->vertices[a], *to = &render->vertices[b];
   struct vertex v[4] = { *from, *from, *to, *to };
   const struct pipe_rasterizer_state *rast = &render->ctx->rast->base;
   float half = MAX2(rast->line_width, 1.0f) * 0.5f;
   bool wide_y = fabsf(to->x - from->x) >= fabsf(to->y - from->y);

   for (unsigned i = 0; i < 4; i++) {
      float shift = i == 0 || i == 3 ? -half : half;

      if (wide_y)
         v[i].y += shift;
      else
         v[i].x += shift;
      if (render->ctx->state.flat)
         v[i].color = rast->flatshade_first ? from->color : to->color;
   }
   draw_quad(render, v);
}

static void
draw_point(struct nv3_render *render, uint32_t at)
{
   const struct vertex *center = &render->vertices[at];
   struct vertex v[4] = { *center, *center, *center, *center };
   const float *vertex = (const float *)(render->buffer +
                                         at * render->vertex_size);
   float half = 0.5f * (render->point_size_offset ?
                        vertex[render->point_size_offset] :
                        render->ctx->rast->base.point_size);

   half = MAX2(half, 0.5f);
   for (unsigned i = 0; i < 4; i++) {
      v[i].x += i == 1 || i == 2 ? half : -half;
      v[i].y += i >= 2 ? half : -half;
   }
   draw_quad(render, v);
}

/* ---- methods ---- */

/*
 * Makes room in the batch for the state and @vertices vertices, and adds the
 * state. Returns false on failure.
 */
static bool
send_state(struct nv3_context *ctx, unsigned vertices)
{
   const struct nv3_draw_state *state = &ctx->state;
   struct nv3_chip *chip = ctx->chip;

   if (nv3_pushbuf_space(chip->push, NV3_D3D_STATE + vertices * VERTEX_WORDS + 4))
      return false;
   if (nv3_pushbuf_select(chip->push, NV3_SUBCH_D3D, state->d3d))
      return false;
   nv3_push_begin(chip->push, NV3_SUBCH_D3D, NV3_D3D_TEX_OFFSET, NV3_D3D_STATE);
   for (unsigned i = 0; i < NV3_D3D_STATE; i++)
      nv3_push(chip->push, state->words[i]);
   return true;
}

static uint32_t
triangle_word(unsigned a, unsigned b, unsigned c)
{
   return a | b << 4 | c << 8;
}

/*
 * Sends a triangle. The first word of the last vertex makes the chip draw the
 * triangle in vertex slots 0 to 2.
 */
static void
send_triangle(struct nv3_pushbuf *push, const struct vertex v[3])
{
   for (unsigned i = 0; i < 3; i++) {
      uint32_t nothing = triangle_word(i, i, i);

      memcpy(push->cur, &v[i], sizeof(v[i]));
      *push->cur |= nothing << 12 | (i < 2 ? nothing : triangle_word(2, 0, 1));
      push->cur += VERTEX_WORDS;
   }
}

bool
nv3_render_end(struct nv3_context *ctx)
{
   struct nv3_render *render = nv3_render(ctx->render);
   struct nv3_pushbuf *push = ctx->chip->push;
   const struct vertex *v = util_dynarray_begin(&render->triangles);
   unsigned count =
      util_dynarray_num_elements(&render->triangles, struct vertex) / 3;

   for (unsigned at = 0; at < count; at += RUN) {
      unsigned run = MIN2(count - at, RUN);

      if (!send_state(ctx, run * 3))
         return false;
      nv3_push_begin(push, NV3_SUBCH_D3D, NV3_D3D_FOG_TRI(0),
                     run * 3 * VERTEX_WORDS);
      for (unsigned i = 0; i < run; i++)
         send_triangle(push, v + (at + i) * 3);
   }
   ctx->count.chip_triangles += count;
   return true;
}

/* ---- draws ---- */

static void
set_layout(struct nv3_render *render)
{
   struct draw_context *draw = render->ctx->draw;
   const struct nv3_shader *shader = render->ctx->state.shader;
   struct vertex_info *vinfo = &render->vinfo;
   int size;

   draw_prepare_shader_outputs(draw);
   memset(vinfo, 0, sizeof(*vinfo));
   draw_emit_vertex_attr(vinfo, EMIT_4F,
                         draw_find_shader_output(draw, TGSI_SEMANTIC_POSITION,
                                                 0));
   for (unsigned i = 0; i < shader->input_count; i++) {
      render->input_offset[i] = 4 * vinfo->num_attribs;
      draw_emit_vertex_attr(vinfo, EMIT_4F,
                            draw_find_shader_output(draw,
                                                    shader->inputs[i].semantic,
                                                    shader->inputs[i].index));
   }
   render->point_size_offset = 0;
   size = draw_find_shader_output(draw, TGSI_SEMANTIC_PSIZE, 0);
   if (render->ctx->rast->base.point_size_per_vertex && size >= 0) {
      render->point_size_offset = 4 * vinfo->num_attribs;
      draw_emit_vertex_attr(vinfo, EMIT_1F, size);
   }
   draw_compute_vertex_size(vinfo);
}

bool
nv3_render_begin(struct nv3_context *ctx)
{
   struct nv3_render *render = nv3_render(ctx->render);
   unsigned size;
   const void *constants =
      nv3_constants_map(&ctx->constants[NV3_STAGE_FS], &size);

   render->reason = NULL;
   util_dynarray_clear(&render->triangles);
   set_layout(render);
   return nv3_interpreter_begin(&render->in, ctx->state.shader, constants,
                                size);
}

const char *
nv3_render_refuse(struct nv3_context *ctx)
{
   return nv3_render(ctx->render)->reason;
}

/* ---- functions of the draw module's interface ---- */

static bool
nv3_render_need_pipeline(const struct vbuf_render *base,
                         const struct pipe_rasterizer_state *rast,
                         unsigned prim)
{
   return true;
}

static void
nv3_render_draw_elements(struct vbuf_render *base, const uint16_t *indices,
                         unsigned count)
{
   struct nv3_render *render = nv3_render(base);

   for (unsigned i = 2; render->prim == MESA_PRIM_TRIANGLES && i < count; i += 3)
      draw_triangle(render, indices[i - 2], indices[i - 1], indices[i]);
   for (unsigned i = 1; render->prim == MESA_PRIM_LINES && i < count; i += 2)
      draw_line(render, indices[i - 1], indices[i]);
   for (unsigned i = 0; render->prim == MESA_PRIM_POINTS && i < count; i++)
      draw_point(render, indices[i]);
}

static const struct vertex_info *
nv3_render_vertex_info(struct vbuf_render *base)
{
   return &nv3_render(base)->vinfo;
}

static bool
nv3_render_allocate(struct vbuf_render *base, uint16_t size, uint16_t count)
{
   nv3_render(base)->vertex_size = size;
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
   for (unsigned i = first; i <= last; i++)
      convert_vertex(nv3_render(base), i);
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
   FREE(render->vertices);
   util_dynarray_fini(&render->triangles);
   nv3_interpreter_fini(&render->in);
   FREE(render);
}

struct vbuf_render *
nv3_render_create(struct nv3_context *ctx)
{
   struct nv3_render *render = CALLOC_STRUCT(nv3_render);

   if (!render)
      return NULL;
   render->ctx = ctx;
   util_dynarray_init(&render->triangles, NULL);
   render->buffer = align_malloc(BUFFER_BYTES, 16);
   render->vertices = MALLOC(MAX_VERTICES * sizeof(*render->vertices));
   if (!render->buffer || !render->vertices) {
      nv3_render_destroy(&render->base);
      return NULL;
   }
   render->base.max_vertex_buffer_bytes = BUFFER_BYTES;
   render->base.max_indices = MAX_INDICES;
   render->base.need_pipeline = nv3_render_need_pipeline;
   render->base.get_vertex_info = nv3_render_vertex_info;
   render->base.allocate_vertices = nv3_render_allocate;
   render->base.map_vertices = nv3_render_map;
   render->base.unmap_vertices = nv3_render_unmap;
   render->base.set_primitive = nv3_render_set_primitive;
   render->base.draw_elements = nv3_render_draw_elements;
   render->base.release_vertices = nv3_render_release;
   render->base.destroy = nv3_render_destroy;
   return &render->base;
}
