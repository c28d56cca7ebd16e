/* SPDX-License-Identifier: MIT */
/*
 * The draw module's back end: transformed vertices become words of class 0x17.
 *
 * The chip keeps 16 vertices. Each that arrives names its slot and up to two
 * triangles to draw, by slots (docs/chip-3d.md); so a vertex is sent again only
 * when it has left its slot, and a triangle whose corners are all there goes
 * with the vertex before.
 */
#include "draw/draw_context.h"
#include "draw/draw_vbuf.h"
#include "util/log.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_prim.h"

#include "nv3_draw.h"

#define SLOTS        16
#define VERTEX_WORDS 8
#define NO_VERTEX    UINT32_MAX

/* As many vertices as the draw module's 16-bit indices are good for. */
#define BUFFER_BYTES (64 * 1024)
#define MAX_INDICES  (16 * 1024)

/* Vertices that room is made for at a time; a flush in between costs slots. */
#define CHUNK        512
#define CHUNK_WORDS  (CHUNK * VERTEX_WORDS + CHUNK / NV3_D3D_VERTEX_COUNT + 2)

/*
 * The chip truncates coordinates to 1/16 pixel; half of that makes it round.
 * Pixels' centres are at whole numbers.
 */
#define PIXEL_BIAS   (1.0f / 32.0f)

struct chip_vertex {
   uint32_t fog, color;
   float x, y, z, rhw, u, v;
};

struct nv3_render {
   struct vbuf_render base;
   struct nv3_context *ctx;
   struct nv3_draw_state *state;
   enum mesa_prim prim;

   uint8_t *buffer;             /* the draw module's vertices */
   unsigned vertex_size;
   struct chip_vertex *vertices;
   bool *far;                   /* coordinates that must be moved */
   bool any_far;
   unsigned vertex_max;

   uint32_t slot_vertex[SLOTS];
   unsigned next_slot;
   uint32_t *header;            /* of the run that is open */
   unsigned run;                /* vertices in it */
   unsigned room;               /* vertices that still fit */
   uint32_t *last;              /* first word of the vertex sent last */
   unsigned last_slot;
   unsigned last_triangles;
};

static struct nv3_render *
nv3_render(struct vbuf_render *render)
{
   return (struct nv3_render *)render;
}

/* ---- vertices in the chip's form ---- */

static uint32_t
pack_color(const float c[4], bool premultiply)
{
   float alpha = premultiply ? SATURATE(c[3]) : 1.0f;

   return (uint32_t)float_to_ubyte(c[3]) << 24 |
          float_to_ubyte(c[0] * alpha) << 16 |
          float_to_ubyte(c[1] * alpha) << 8 | float_to_ubyte(c[2] * alpha);
}

static void
convert_coordinates(const struct nv3_draw_state *state, const float *vertex,
                    const float *values, struct chip_vertex *out)
{
   const struct nv3_shader_info *shader = state->shader;
   float u, v;

   if (state->coord_input >= 0) {
      const float *in = vertex + state->input_offset[state->coord_input];

      u = in[0];
      v = in[1];
   } else {
      u = values[shader->coord[0]];
      v = values[shader->coord[1]];
      if (shader->coord_q >= 0) {
         float q = values[shader->coord_q];

         /* The division is by what is interpolated with the coordinates. */
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
   struct nv3_draw_state *state = render->state;
   const struct nv3_shader_info *shader = state->shader;
   const float *vertex =
      (const float *)(render->buffer + index * render->vertex_size);
   struct chip_vertex *out = &render->vertices[index];
   const float *inputs[NV3_MAX_INPUTS];
   float *values = state->values;

   out->x = vertex[0] - 0.5f + PIXEL_BIAS;
   out->y = vertex[1] - 0.5f + PIXEL_BIAS;
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
                              state->premultiply);
      break;
   case NV3_COLOR_EXPR: {
      float c[4];

      for (unsigned i = 0; i < 4; i++)
         c[i] = values[shader->color[i]];
      out->color = pack_color(c, state->premultiply);
      break;
   }
   }
   out->fog = state->fog_op < 0 ? 0 :
              (uint32_t)(255 - float_to_ubyte(values[state->fog_op])) << 24;
   out->u = out->v = 0.0f;
   if (shader->textured) {
      convert_coordinates(state, vertex, values, out);
      render->far[index] = fabsf(out->u) > state->coord_limit[0] ||
                           fabsf(out->v) > state->coord_limit[1];
      render->any_far |= render->far[index];
   }
}

/* ---- words ---- */

static void
close_run(struct nv3_render *render)
{
   if (render->run)
      *render->header = nv3_push_header(NV3_SUBCH_D3D, NV3_D3D_FOG_TRI(0),
                                        render->run * VERTEX_WORDS);
   render->run = 0;
   render->last = NULL;
}

static void
forget_slots(struct nv3_render *render)
{
   for (unsigned i = 0; i < SLOTS; i++)
      render->slot_vertex[i] = NO_VERTEX;
}

/* Lines and points have no sides. */
static uint32_t
config_word(const struct nv3_render *render)
{
   uint32_t config = render->state->words[NV3_STATE_CONFIG];

   if (u_reduced_prim(render->prim) != MESA_PRIM_TRIANGLES)
      config = (config & ~(3u << NV3_D3D_CONFIG_CULL_SHIFT)) |
               NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT;
   return config;
}

/*
 * State belongs to the object in use and to the batch: it is sent when either
 * may have changed since.
 */
static void
send_state(struct nv3_render *render)
{
   const struct nv3_draw_state *state = render->state;
   struct nv3_chip *chip = &render->ctx->chip;

   if (chip->selected != state->d3d) {
      nv3_pushbuf_select(chip->push, NV3_SUBCH_D3D, state->d3d);
      chip->selected = state->d3d;
   }
   nv3_push_begin(chip->push, NV3_SUBCH_D3D, NV3_D3D_TEX_OFFSET, NV3_D3D_STATE);
   for (unsigned i = 0; i < NV3_D3D_STATE; i++)
      nv3_push(chip->push, i == NV3_STATE_CONFIG ? config_word(render) :
                                                   state->words[i]);
   chip->d3d_config = config_word(render);
   chip->d3d_current = true;
   chip->d3d_batch = nv3_pushbuf_seq(chip->push);
}

/* Room for the next vertices, in a batch that knows the state. */
static bool
make_room(struct nv3_render *render)
{
   struct nv3_context *ctx = render->ctx;
   struct nv3_chip *chip = &ctx->chip;

   close_run(render);
   if (nv3_pushbuf_space(chip->push, CHUNK_WORDS + NV3_D3D_STATE + 4))
      return false;
   if (nv3_pushbuf_seq(chip->push) != chip->d3d_batch || !chip->d3d_current ||
       chip->d3d_config != config_word(render)) {
      forget_slots(render);
      send_state(render);
   }
   render->room = CHUNK;
   return true;
}

static uint32_t
triangle(unsigned a, unsigned b, unsigned c)
{
   return a | b << 4 | c << 8;
}

/* With a slot twice it draws nothing. */
static uint32_t
no_triangle(unsigned slot)
{
   return triangle(slot, slot, slot);
}

static void
send_vertex(struct nv3_render *render, const struct chip_vertex *vertex,
            unsigned slot, uint32_t first)
{
   struct nv3_pushbuf *push = render->ctx->chip.push;

   if (render->run == NV3_D3D_VERTEX_COUNT)
      close_run(render);
   if (!render->run) {
      nv3_push_begin(push, NV3_SUBCH_D3D, NV3_D3D_FOG_TRI(0),
                     NV3_D3D_VERTEX_COUNT * VERTEX_WORDS);
      render->header = push->cur - 1;
   }
   render->last = push->cur;
   render->last_slot = slot;
   memcpy(push->cur, vertex, sizeof(*vertex));
   *push->cur |= first | no_triangle(slot) << 12;
   push->cur += VERTEX_WORDS;
   render->run++;
   render->room--;
   render->ctx->count.chip_vertices++;
}

/* A slot that none of the triangle's corners is in. */
static unsigned
free_slot(struct nv3_render *render, const uint32_t corners[3])
{
   for (;;) {
      unsigned slot = render->next_slot++ % SLOTS;
      uint32_t there = render->slot_vertex[slot];

      if (there == NO_VERTEX || (there != corners[0] && there != corners[1] &&
                                 there != corners[2]))
         return slot;
   }
}

static int
find_slot(const struct nv3_render *render, uint32_t vertex)
{
   for (unsigned i = 0; i < SLOTS; i++) {
      if (render->slot_vertex[i] == vertex)
         return i;
   }
   return -1;
}

/* All corners are in @slots: draw it with the last vertex, or with one again. */
static void
draw_present(struct nv3_render *render, const uint32_t corners[3],
             const int slots[3])
{
   if (render->last && render->last_triangles == 1) {
      *render->last &= ~0x00fff000u;
      *render->last |= triangle(slots[0], slots[1], slots[2]) << 12;
      render->last_triangles = 2;
      return;
   }
   send_vertex(render, &render->vertices[corners[0]], slots[0],
               triangle(slots[0], slots[1], slots[2]));
   render->last_triangles = 1;
}

static void
shared_triangle(struct nv3_render *render, const uint32_t corners[3])
{
   int slots[3], missing[3], count = 0, newest;

   for (unsigned i = 0; i < 3; i++) {
      slots[i] = find_slot(render, corners[i]);
      if (slots[i] < 0)
         missing[count++] = i;
   }
   if (!count) {
      draw_present(render, corners, slots);
      return;
   }
   for (int i = 0; i < count; i++) {
      int corner = missing[i];

      slots[corner] = free_slot(render, corners);
      render->slot_vertex[slots[corner]] = corners[corner];
      if (i < count - 1)
         send_vertex(render, &render->vertices[corners[corner]], slots[corner],
                     no_triangle(slots[corner]));
   }
   /* The slot of the vertex that draws comes first; the order around stays. */
   newest = missing[count - 1];
   send_vertex(render, &render->vertices[corners[newest]], slots[newest],
               triangle(slots[newest], slots[(newest + 1) % 3],
                        slots[(newest + 2) % 3]));
   render->last_triangles = 1;
}

/* ---- triangles whose corners are not those of others ---- */

static void
move_coordinate(float *a, float *b, float *c, float limit, unsigned period)
{
   float least = MIN3(*a, *b, *c), most = MAX3(*a, *b, *c), shift;

   if (!period || (least >= -limit && most <= limit))
      return;
   shift = floorf((least + most) * 0.5f / period) * period;
   *a -= shift;
   *b -= shift;
   *c -= shift;
}

static void
own_triangle(struct nv3_render *render, const uint32_t corners[3],
             unsigned provoking)
{
   const struct nv3_draw_state *state = render->state;
   struct chip_vertex v[3];
   unsigned slots[3];

   for (unsigned i = 0; i < 3; i++)
      v[i] = render->vertices[corners[i]];
   if (state->flat)
      v[0].color = v[1].color = v[2].color =
         render->vertices[corners[provoking]].color;
   if (render->any_far) {
      move_coordinate(&v[0].u, &v[1].u, &v[2].u, state->coord_limit[0],
                      state->coord_period[0]);
      move_coordinate(&v[0].v, &v[1].v, &v[2].v, state->coord_limit[1],
                      state->coord_period[1]);
   }
   for (unsigned i = 0; i < 3; i++) {
      slots[i] = render->next_slot++ % SLOTS;
      render->slot_vertex[slots[i]] = NO_VERTEX;
      send_vertex(render, &v[i], slots[i], i < 2 ? no_triangle(slots[i]) :
                  triangle(slots[2], slots[0], slots[1]));
   }
   render->last_triangles = 1;
}

static bool
needs_own(const struct nv3_render *render, const uint32_t corners[3])
{
   const struct chip_vertex *v = render->vertices;

   if (render->any_far && (render->far[corners[0]] ||
                           render->far[corners[1]] || render->far[corners[2]]))
      return true;
   return render->state->flat &&
          (v[corners[0]].color != v[corners[1]].color ||
           v[corners[0]].color != v[corners[2]].color);
}

/* @provoking: which corner a flat colour is of. */
static void
draw_triangle(struct nv3_render *render, uint32_t a, uint32_t b, uint32_t c,
              unsigned provoking)
{
   const uint32_t corners[3] = { a, b, c };

   /* Without area, as strips are joined: nothing to draw. */
   if (a == b || b == c || a == c)
      return;
   if (render->room < 3 && !make_room(render))
      return;
   if (needs_own(render, corners))
      own_triangle(render, corners, provoking);
   else
      shared_triangle(render, corners);
   render->ctx->count.chip_triangles++;
}

/* ---- lines and points, which become squares ---- */

/* Corners in their order around it. */
static void
own_quad(struct nv3_render *render, const struct chip_vertex v[4])
{
   unsigned slots[4];

   if (render->room < 4 && !make_room(render))
      return;
   for (unsigned i = 0; i < 4; i++) {
      slots[i] = render->next_slot++ % SLOTS;
      render->slot_vertex[slots[i]] = NO_VERTEX;
      send_vertex(render, &v[i], slots[i],
                  i < 2 ? no_triangle(slots[i]) :
                          triangle(slots[i], slots[0], slots[i - 1]));
   }
   /* Not to be shared with what comes next. */
   render->last = NULL;
   render->ctx->count.chip_triangles += 2;
}

/* As GL widens lines: along y if it is more along x, else along x. */
static void
draw_line(struct nv3_render *render, uint32_t a, uint32_t b, bool first)
{
   const struct chip_vertex *from = &render->vertices[a];
   const struct chip_vertex *to = &render->vertices[b];
   struct chip_vertex v[4] = { *from, *from, *to, *to };
   float half = MAX2(render->state->line_width, 1.0f) * 0.5f;
   bool wide_y = fabsf(to->x - from->x) >= fabsf(to->y - from->y);

   for (unsigned i = 0; i < 4; i++) {
      float shift = i == 0 || i == 3 ? -half : half;

      if (wide_y)
         v[i].y += shift;
      else
         v[i].x += shift;
      if (render->state->flat)
         v[i].color = first ? from->color : to->color;
   }
   own_quad(render, v);
}

static void
draw_point(struct nv3_render *render, uint32_t at)
{
   const struct chip_vertex *center = &render->vertices[at];
   const struct nv3_draw_state *state = render->state;
   struct chip_vertex v[4] = { *center, *center, *center, *center };
   float half = state->point_size * 0.5f;

   if (state->point_size_offset)
      half = 0.5f * ((const float *)(render->buffer + at * render->vertex_size))
                    [state->point_size_offset];
   half = MAX2(half, 0.5f);
   for (unsigned i = 0; i < 4; i++) {
      v[i].x += i == 1 || i == 2 ? half : -half;
      v[i].y += i >= 2 ? half : -half;
   }
   own_quad(render, v);
}

/* ---- primitives ---- */

static uint32_t
vertex_at(const uint16_t *indices, unsigned start, unsigned i)
{
   return indices ? indices[i] : start + i;
}

/* @indices, or if there are none vertices from @start on. */
static void
draw_primitives(struct nv3_render *render, const uint16_t *indices,
                unsigned start, unsigned count)
{
   bool first = render->state->flat_first;
   unsigned i;

#define V(n) vertex_at(indices, start, n)
   switch (render->prim) {
   case MESA_PRIM_TRIANGLES:
      for (i = 2; i < count; i += 3)
         draw_triangle(render, V(i - 2), V(i - 1), V(i), first ? 0 : 2);
      break;
   case MESA_PRIM_TRIANGLE_STRIP:
      for (i = 2; i < count; i++) {
         if (i & 1)
            draw_triangle(render, V(i - 1), V(i - 2), V(i), first ? 1 : 2);
         else
            draw_triangle(render, V(i - 2), V(i - 1), V(i), first ? 0 : 2);
      }
      break;
   case MESA_PRIM_TRIANGLE_FAN:
      for (i = 2; i < count; i++)
         draw_triangle(render, V(0), V(i - 1), V(i), first ? 1 : 2);
      break;
   case MESA_PRIM_POLYGON:
      /* Its colour is the first vertex's, always. */
      for (i = 2; i < count; i++)
         draw_triangle(render, V(0), V(i - 1), V(i), 0);
      break;
   case MESA_PRIM_QUADS:
      for (i = 3; i < count; i += 4) {
         draw_triangle(render, V(i - 3), V(i - 2), V(i), first ? 0 : 2);
         draw_triangle(render, V(i - 2), V(i - 1), V(i), first ? 0 : 2);
      }
      break;
   case MESA_PRIM_QUAD_STRIP:
      for (i = 3; i < count; i += 2) {
         draw_triangle(render, V(i - 3), V(i - 2), V(i), first ? 0 : 2);
         draw_triangle(render, V(i - 1), V(i - 3), V(i), first ? 1 : 2);
      }
      break;
   case MESA_PRIM_POINTS:
      for (i = 0; i < count; i++)
         draw_point(render, V(i));
      break;
   case MESA_PRIM_LINES:
      for (i = 1; i < count; i += 2)
         draw_line(render, V(i - 1), V(i), first);
      break;
   case MESA_PRIM_LINE_STRIP:
   case MESA_PRIM_LINE_LOOP:
      for (i = 1; i < count; i++)
         draw_line(render, V(i - 1), V(i), first);
      if (render->prim == MESA_PRIM_LINE_LOOP && count > 1)
         draw_line(render, V(count - 1), V(0), first);
      break;
   default:
      unreachable("primitive that the screen does not offer");
   }
#undef V
}

static void
begin_primitives(struct nv3_render *render)
{
   forget_slots(render);
   render->next_slot = 0;
   render->room = 0;
}

static void
nv3_render_draw_elements(struct vbuf_render *base, const uint16_t *indices,
                         unsigned count)
{
   struct nv3_render *render = nv3_render(base);

   begin_primitives(render);
   draw_primitives(render, indices, 0, count);
   close_run(render);
}

static void
nv3_render_draw_arrays(struct vbuf_render *base, unsigned start, unsigned count)
{
   struct nv3_render *render = nv3_render(base);

   begin_primitives(render);
   draw_primitives(render, NULL, start, count);
   close_run(render);
}

/* ---- the draw module's other calls ---- */

static const struct vertex_info *
nv3_render_vertex_info(struct vbuf_render *base)
{
   return &nv3_render(base)->state->vinfo;
}

static bool
nv3_render_allocate(struct vbuf_render *base, uint16_t size, uint16_t count)
{
   struct nv3_render *render = nv3_render(base);

   if ((unsigned)size * count > BUFFER_BYTES || count > render->vertex_max) {
      unsigned bytes = MAX2((unsigned)size * count, BUFFER_BYTES);
      unsigned most = MAX2(count, render->vertex_max);

      align_free(render->buffer);
      FREE(render->vertices);
      FREE(render->far);
      render->buffer = align_malloc(bytes, 16);
      render->vertices = MALLOC(most * sizeof(*render->vertices));
      render->far = CALLOC(most, sizeof(*render->far));
      render->vertex_max = most;
      if (!render->buffer || !render->vertices || !render->far) {
         render->vertex_max = 0;
         return false;
      }
   }
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

   render->any_far = false;
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
   FREE(render->vertices);
   FREE(render->far);
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
nv3_render_create(struct nv3_context *ctx, struct nv3_draw_state *state)
{
   struct nv3_render *render = CALLOC_STRUCT(nv3_render);

   if (!render)
      return NULL;
   render->ctx = ctx;
   render->state = state;
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
