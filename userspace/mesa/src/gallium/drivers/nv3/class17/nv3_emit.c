/* SPDX-License-Identifier: MIT */
/*
 * Emits vertices and triangles as methods of class 0x17.
 *
 * The chip has 16 vertex slots. The words of a vertex name its slot and up to
 * two triangles of slots (docs/reference/chip/3d.md). A vertex that is still in
 * a slot is not sent again. If all corners of a triangle are in slots, the
 * triangle is added to the vertex that was sent last.
 *
 * The functions for each triangle are ALWAYS_INLINE, because returns are
 * expensive on a CPU emulated by TCG
 * (docs/decisions/0015-vector-programs-for-vertices.md).
 */
#include "util/macros.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_prim.h"

#include "base/nv3_context.h"
#include "channel/nv3_chip.h"
#include "class17/nv3_clip.h"
#include "class17/nv3_draw_state.h"
#include "class17/nv3_emit.h"
#include "class17/nv3_vertex.h"
#include "sw/nv3_intermediate.h"

#define SLOTS        16
#define VERTEX_WORDS 8
#define NO_VERTEX    UINT32_MAX

/*
 * The number of vertices for which space is reserved at a time. A flush
 * between them would lose the contents of the slots.
 */
#define CHUNK        512
#define CHUNK_WORDS  (CHUNK * VERTEX_WORDS + CHUNK / NV3_D3D_VERTEX_COUNT + 2)

struct nv3_emit {
   struct nv3_context *ctx;
   const struct nv3_vertices *vertices;
   enum mesa_prim prim;
   unsigned cull;  /* NV3_D3D_CULL_* */

   uint32_t slot_vertex[SLOTS];
   unsigned next_slot;
   uint32_t *header;             /* header of the open method run */
   unsigned run;                 /* vertices in the open run */
   unsigned room;                /* vertices that still fit */
   uint32_t *last;               /* first word of the last vertex */
   unsigned last_triangles;
   struct nv3_schedule *record; /* record to this instead of drawing, or NULL */
   /* Collect triangles here instead of drawing, or NULL. */
   struct nv3_triangles *find;
};

/* ---- memory ---- */

bool
nv3_vertices_resize(struct nv3_vertices *vertices, unsigned count)
{
   if (count <= vertices->max)
      return true;
   nv3_vertices_free(vertices);
   count = align(count, 1024);
   vertices->chip = MALLOC(count * sizeof(*vertices->chip));
   vertices->clip = MALLOC(count * sizeof(*vertices->clip));
   vertices->at = MALLOC(count * sizeof(*vertices->at));
   vertices->flags = CALLOC(count, sizeof(*vertices->flags));
   vertices->position_flags = CALLOC(count, sizeof(*vertices->position_flags));
   vertices->position_rhw =
      align_malloc(count * sizeof(*vertices->position_rhw), 64);
   vertices->slots = CALLOC(count, sizeof(*vertices->slots));
   vertices->max = count;
   if (!vertices->chip || !vertices->clip || !vertices->at ||
       !vertices->flags || !vertices->position_flags ||
       !vertices->position_rhw || !vertices->slots) {
      nv3_vertices_free(vertices);
      return false;
   }
   return true;
}

void
nv3_vertices_free(struct nv3_vertices *vertices)
{
   FREE(vertices->chip);
   FREE(vertices->clip);
   FREE(vertices->at);
   FREE(vertices->flags);
   FREE(vertices->position_flags);
   align_free(vertices->position_rhw);
   FREE(vertices->slots);
   memset(vertices, 0, sizeof(*vertices));
}

struct nv3_emit *
nv3_emit_create(struct nv3_context *ctx)
{
   struct nv3_emit *emit = CALLOC_STRUCT(nv3_emit);

   if (emit)
      emit->ctx = ctx;
   return emit;
}

void
nv3_emit_destroy(struct nv3_emit *emit)
{
   FREE(emit);
}

/* ---- methods ---- */

static void
close_run(struct nv3_emit *emit)
{
   if (emit->run && !emit->record)
      *emit->header = nv3_push_header(NV3_SUBCH_D3D, NV3_D3D_FOG_TRI(0),
                                        emit->run * VERTEX_WORDS);
   emit->run = 0;
   emit->last = NULL;
}

static void
forget_slots(struct nv3_emit *emit)
{
   for (unsigned i = 0; i < SLOTS; i++)
      emit->slot_vertex[i] = NO_VERTEX;
}

/*
 * Returns the configuration word. Culling does not apply to lines and points.
 */
static uint32_t
config_word(const struct nv3_emit *emit)
{
   uint32_t config = emit->ctx->state->words[NV3_STATE_CONFIG];

   if (u_reduced_prim(emit->prim) != MESA_PRIM_TRIANGLES)
      config = (config & ~(3u << NV3_D3D_CONFIG_CULL_SHIFT)) |
               NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT;
   return config;
}

/* Sends the state. The object keeps it until the end of the batch. */
static void
send_state(struct nv3_emit *emit)
{
   const struct nv3_draw_state *state = emit->ctx->state;
   struct nv3_chip *chip = emit->ctx->chip;

   if (chip->selected != state->d3d) {
      nv3_pushbuf_select(chip->push, NV3_SUBCH_D3D, state->d3d);
      chip->selected = state->d3d;
   }
   nv3_push_begin(chip->push, NV3_SUBCH_D3D, NV3_D3D_TEX_OFFSET, NV3_D3D_STATE);
   for (unsigned i = 0; i < NV3_D3D_STATE; i++)
      nv3_push(chip->push, i == NV3_STATE_CONFIG ? config_word(emit) :
                                                   state->words[i]);
   chip->d3d_config = config_word(emit);
   chip->d3d_current = true;
   chip->d3d_batch = nv3_pushbuf_seq(chip->push);
}

/* Reserves space for vertices in a batch that contains the state. */
static bool
make_room(struct nv3_emit *emit)
{
   struct nv3_context *ctx = emit->ctx;
   struct nv3_chip *chip = ctx->chip;

   close_run(emit);
   if (emit->record) {
      forget_slots(emit);
      emit->record->pieces[emit->record->piece_count++] = emit->record->count;
      emit->room = CHUNK;
      return true;
   }
   if (nv3_pushbuf_space(chip->push, CHUNK_WORDS + NV3_D3D_STATE + 4))
      return false;
   if (nv3_pushbuf_seq(chip->push) != chip->d3d_batch || !chip->d3d_current ||
       chip->d3d_config != config_word(emit)) {
      forget_slots(emit);
      send_state(emit);
   }
   emit->room = CHUNK;
   return true;
}

static uint32_t
triangle(unsigned a, unsigned b, unsigned c)
{
   return a | b << 4 | c << 8;
}

/*
 * Returns a triangle that draws no pixels, because its corners are the same
 * slot.
 */
static uint32_t
no_triangle(unsigned slot)
{
   return triangle(slot, slot, slot);
}

static ALWAYS_INLINE void
send_vertex(struct nv3_emit *emit, const struct nv3_chip_vertex *vertex,
            unsigned slot, uint32_t first)
{
   struct nv3_pushbuf *push = emit->ctx->chip->push;

   if (emit->run == NV3_D3D_VERTEX_COUNT)
      close_run(emit);
   if (!emit->run) {
      nv3_push_begin(push, NV3_SUBCH_D3D, NV3_D3D_FOG_TRI(0),
                     NV3_D3D_VERTEX_COUNT * VERTEX_WORDS);
      emit->header = push->cur - 1;
   }
   emit->last = push->cur;
   memcpy(push->cur, vertex, sizeof(*vertex));
   *push->cur |= first | no_triangle(slot) << 12;
   push->cur += VERTEX_WORDS;
   emit->run++;
   emit->room--;
   emit->ctx->count.chip_vertices++;
}

/*
 * Sends a vertex of @emit->vertices. Later triangles may use it by its slot.
 */
static ALWAYS_INLINE void
send_shared(struct nv3_emit *emit, uint32_t vertex, unsigned slot,
            uint32_t first)
{
   struct nv3_schedule *record = emit->record;
   struct nv3_step *step;

   if (!record) {
      send_vertex(emit, &emit->vertices->chip[vertex], slot, first);
      return;
   }
   step = &record->steps[record->count++];
   step->vertex = vertex;
   step->word = first | no_triangle(slot) << 12;
   emit->last = &step->word;
   emit->room--;
}

/* Returns a slot that contains no corner of the triangle. */
static unsigned
free_slot(struct nv3_emit *emit, const uint32_t corners[3])
{
   for (;;) {
      unsigned slot = emit->next_slot++ % SLOTS;
      uint32_t there = emit->slot_vertex[slot];

      if (there == NO_VERTEX || (there != corners[0] && there != corners[1] &&
                                 there != corners[2]))
         return slot;
   }
}

/* Returns the slot that contains @vertex, or -1. */
static ALWAYS_INLINE int
find_slot(const struct nv3_emit *emit, uint32_t vertex)
{
   unsigned slot = emit->vertices->slots[vertex];

   return emit->slot_vertex[slot] == vertex ? (int)slot : -1;
}

/*
 * Draws a triangle whose corners are all in slots. Adds it to the last vertex
 * if that vertex has room for a triangle. Otherwise sends one of its vertices
 * again.
 */
static void
draw_present(struct nv3_emit *emit, const uint32_t corners[3],
             const int slots[3])
{
   if (emit->last && emit->last_triangles == 1) {
      *emit->last &= ~0x00fff000u;
      *emit->last |= triangle(slots[0], slots[1], slots[2]) << 12;
      emit->last_triangles = 2;
      return;
   }
   send_shared(emit, corners[0], slots[0],
               triangle(slots[0], slots[1], slots[2]));
   emit->last_triangles = 1;
}

static ALWAYS_INLINE void
shared_triangle(struct nv3_emit *emit, const uint32_t corners[3])
{
   int slots[3], missing[3], count = 0, newest;

   for (unsigned i = 0; i < 3; i++) {
      slots[i] = find_slot(emit, corners[i]);
      if (slots[i] < 0)
         missing[count++] = i;
   }
   if (!count) {
      draw_present(emit, corners, slots);
      return;
   }
   for (int i = 0; i < count; i++) {
      int corner = missing[i];

      slots[corner] = free_slot(emit, corners);
      emit->slot_vertex[slots[corner]] = corners[corner];
      emit->vertices->slots[corners[corner]] = slots[corner];
      if (i < count - 1)
         send_shared(emit, corners[corner], slots[corner],
                     no_triangle(slots[corner]));
   }
   /*
    * The first slot must be that of the vertex that draws. Rotating the
    * corners preserves the orientation.
    */
   newest = missing[count - 1];
   send_shared(emit, corners[newest], slots[newest],
               triangle(slots[newest], slots[(newest + 1) % 3],
                        slots[(newest + 2) % 3]));
   emit->last_triangles = 1;
}

/* ---- culling ---- */

/* Returns the first pixel centre at or after a coordinate. */
static int
next_pixel(int sixteenths)
{
   return (sixteenths + 15) >> 4;
}

/*
 * True if the chip would draw no pixel: the triangle faces away, or no pixel
 * centre is between its bounds.
 */
static ALWAYS_INLINE bool
is_invisible(const struct nv3_emit *emit, const int16_t *a, const int16_t *b,
             const int16_t *c)
{
   int64_t area = (int64_t)(b[0] - a[0]) * (c[1] - a[1]) -
                  (int64_t)(c[0] - a[0]) * (b[1] - a[1]);

   if (!area ||
       emit->cull == (area > 0 ? NV3_D3D_CULL_CW : NV3_D3D_CULL_CCW))
      return true;
   for (unsigned i = 0; i < 2; i++) {
      int first = next_pixel(a[i]);

      if (next_pixel(b[i]) == first && next_pixel(c[i]) == first)
         return true;
   }
   return false;
}

/* True if the triangle is to be drawn in the current overlap level. */
static ALWAYS_INLINE bool
is_selected(const struct nv3_emit *emit, const int16_t *a, const int16_t *b,
            const int16_t *c)
{
   const int16_t corners[3][2] = {
      { a[0], a[1] }, { b[0], b[1] }, { c[0], c[1] },
   };

   return !emit->ctx->blends_in_sw ||
          nv3_intermediate_selects(emit->ctx->intermediate, corners);
}

/* ---- triangles without shared vertices ---- */

/* True if the fan triangle of @v that ends with corner @i is to be drawn. */
static bool
is_fan_selected(const struct nv3_emit *emit, const struct nv3_chip_vertex *v,
                unsigned i)
{
   const struct nv3_chip_vertex *corners[3] = { &v[i], &v[0], &v[i - 1] };
   int16_t at[3][2];

   if (!emit->ctx->blends_in_sw)
      return true;
   for (unsigned c = 0; c < 3; c++) {
      at[c][0] = corners[c]->x * 16.0f;
      at[c][1] = corners[c]->y * 16.0f;
   }
   return !is_invisible(emit, at[0], at[1], at[2]) &&
          is_selected(emit, at[0], at[1], at[2]);
}

/* Draws a convex polygon with up to SLOTS corners. */
static void
own_polygon(struct nv3_emit *emit, const struct nv3_chip_vertex *v,
            unsigned count)
{
   unsigned slots[SLOTS];

   if (emit->room < count && !make_room(emit))
      return;
   for (unsigned i = 0; i < count; i++) {
      slots[i] = emit->next_slot++ % SLOTS;
      emit->slot_vertex[slots[i]] = NO_VERTEX;
      send_vertex(emit, &v[i], slots[i],
                  i < 2 || !is_fan_selected(emit, v, i) ?
                  no_triangle(slots[i]) :
                  triangle(slots[i], slots[0], slots[i - 1]));
   }
   /* No further triangles may be added to this vertex. */
   emit->last = NULL;
   emit->ctx->count.chip_triangles += count - 2;
}

/* ---- large texture coordinates ---- */

static float
get_coordinate(const struct nv3_chip_vertex *v, unsigned axis)
{
   return axis ? v->v : v->u;
}

static void
set_coordinate(struct nv3_chip_vertex *v, unsigned axis, float value)
{
   if (axis)
      v->v = value;
   else
      v->u = value;
}

static uint32_t
interpolate_bytes(uint32_t a, uint32_t b, float weight)
{
   uint32_t out = 0;

   for (unsigned shift = 0; shift < 32; shift += 8) {
      float from = a >> shift & 0xff, to = b >> shift & 0xff;

      out |= (uint32_t)(from + (to - from) * weight + 0.5f) << shift;
   }
   return out;
}

/*
 * Returns the point between @a and @b at which coordinate @axis is @at. Texture
 * coordinates are interpolated linearly in space, and all other values linearly
 * on the screen. The result is independent of the order of @a and @b, so
 * triangles with a common side have no gap.
 */
static struct nv3_chip_vertex
crossing(const struct nv3_chip_vertex *a, const struct nv3_chip_vertex *b,
         unsigned axis, float at)
{
   float from = get_coordinate(a, axis), to = get_coordinate(b, axis);
   struct nv3_chip_vertex out;
   float t, s;

   if (from > to) {
      const struct nv3_chip_vertex *swap = a;
      float swap_from = from;

      a = b;
      b = swap;
      from = to;
      to = swap_from;
   }
   t = (at - from) / (to - from);
   s = t * a->rhw / ((1.0f - t) * b->rhw + t * a->rhw);
   out.fog = interpolate_bytes(a->fog, b->fog, s);
   out.color = interpolate_bytes(a->color, b->color, s);
   out.x = a->x + (b->x - a->x) * s;
   out.y = a->y + (b->y - a->y) * s;
   out.z = a->z + (b->z - a->z) * s;
   out.rhw = a->rhw + (b->rhw - a->rhw) * s;
   out.u = a->u + (b->u - a->u) * t;
   out.v = a->v + (b->v - a->v) * t;
   set_coordinate(&out, axis, at);
   return out;
}

/* Clips a polygon at the line where coordinate @axis is @at. */
static unsigned
cut_polygon(const struct nv3_chip_vertex *in, unsigned count, unsigned axis,
            float at, bool above, struct nv3_chip_vertex *out)
{
   unsigned count_out = 0;

   for (unsigned i = 0; i < count && count_out < SLOTS - 1; i++) {
      const struct nv3_chip_vertex *a = &in[i], *b = &in[(i + 1) % count];
      float from = get_coordinate(a, axis), to = get_coordinate(b, axis);

      if (above ? from >= at : from <= at)
         out[count_out++] = *a;
      if ((from < at && to > at) || (from > at && to < at))
         out[count_out++] = crossing(a, b, axis, at);
   }
   return count_out < 3 ? 0 : count_out;
}

/* The maximum number of strips for each axis. */
#define STRIPS_MAX 512

static void
far_polygon(struct nv3_emit *emit, const struct nv3_chip_vertex *v,
            unsigned count, unsigned axis);

/*
 * Draws the part of @v where coordinate @axis is between @low and @high, and
 * subtracts @shift from the coordinate.
 */
static void
far_strip(struct nv3_emit *emit, const struct nv3_chip_vertex *v,
          unsigned count, unsigned axis, float low, float high, float shift)
{
   float limit = emit->ctx->state->coord_limit[axis];
   struct nv3_chip_vertex half[SLOTS], strip[SLOTS];

   count = cut_polygon(v, count, axis, low, true, half);
   count = cut_polygon(half, count, axis, high, false, strip);
   for (unsigned i = 0; i < count; i++)
      set_coordinate(&strip[i], axis,
                     CLAMP(get_coordinate(&strip[i], axis) - shift, -limit,
                           limit));
   if (count)
      far_polygon(emit, strip, count, axis + 1);
}

/*
 * Draws a polygon whose coordinates from @axis on may exceed the chip's limits.
 * If the texture repeats, the polygon is divided into strips, whose coordinates
 * fit when they are moved by whole periods. Otherwise it is divided into the
 * part inside the texture and the parts that show its edge texels.
 */
static void
far_polygon(struct nv3_emit *emit, const struct nv3_chip_vertex *v,
            unsigned count, unsigned axis)
{
   const struct nv3_draw_state *state = emit->ctx->state;
   float min = INFINITY, max = -INFINITY;
   float limit, period, width;

   if (axis == 2) {
      own_polygon(emit, v, count);
      return;
   }
   for (unsigned i = 0; i < count; i++) {
      min = MIN2(min, get_coordinate(&v[i], axis));
      max = MAX2(max, get_coordinate(&v[i], axis));
   }
   limit = state->coord_limit[axis];
   period = state->coord_period[axis];
   if ((min >= -limit && max <= limit) || !isfinite(max - min)) {
      far_polygon(emit, v, count, axis + 1);
      return;
   }
   if (!period) {
      far_strip(emit, v, count, axis, -INFINITY, 0.0f, 0.0f);
      far_strip(emit, v, count, axis, 0.0f, state->coord_edge[axis], 0.0f);
      far_strip(emit, v, count, axis, state->coord_edge[axis], INFINITY, 0.0f);
      return;
   }
   width = 2.0f * limit - period;
   if (max - min <= width) {
      far_strip(emit, v, count, axis, -INFINITY, INFINITY,
                floorf((min + max) * 0.5f / period + 0.5f) * period);
      return;
   }
   /*
    * Use at most STRIPS_MAX strips. More strips would be hardly wider than a
    * pixel.
    */
   width *= ceilf((max - min) / width / STRIPS_MAX);
   width = MAX3(width, fabsf(min) * 0x1p-20f, fabsf(max) * 0x1p-20f);
   for (float low = floorf(min / width) * width, high; low < max; low = high) {
      high = low + width;
      far_strip(emit, v, count, axis, low, high,
                floorf((low + high) * 0.5f / period + 0.5f) * period);
   }
}

/* Applies the flat colour, and the fog that depends on its alpha. */
static void
set_flat_color(const struct nv3_emit *emit, struct nv3_chip_vertex *v,
               const struct nv3_chip_vertex *provoking)
{
   v->color = provoking->color;
   if (emit->ctx->state->brightens)
      v->fog = provoking->fog;
}

/*
 * Draws a triangle whose vertices can't be shared: clipped, flat, or with large
 * texture coordinates.
 */
static void
own_triangle(struct nv3_emit *emit, const uint32_t corners[3],
             unsigned provoking, bool clip)
{
   const struct nv3_draw_state *state = emit->ctx->state;
   const struct nv3_vertices *vertices = emit->vertices;
   struct nv3_chip_vertex v[NV3_CLIPPED_MAX];
   unsigned count = 3;

   if (clip) {
      count = nv3_clip_triangle(&state->projection, vertices, corners, v);
      if (count < 3)
         return;
   } else {
      for (unsigned i = 0; i < 3; i++)
         v[i] = vertices->chip[corners[i]];
   }
   for (unsigned i = 0; i < count && state->flat; i++)
      set_flat_color(emit, &v[i], &vertices->chip[corners[provoking]]);
   if (vertices->any_flags & NV3_FAR_TEXELS)
      far_polygon(emit, v, count, 0);
   else
      own_polygon(emit, v, count);
}

static bool
has_colors(const struct nv3_emit *emit, const uint32_t corners[3])
{
   const struct nv3_chip_vertex *v = emit->vertices->chip;

   return v[corners[0]].color != v[corners[1]].color ||
          v[corners[0]].color != v[corners[2]].color;
}

static ALWAYS_INLINE void
draw_visible(struct nv3_emit *emit, const uint32_t corners[3],
             unsigned provoking)
{
   const uint8_t *flags = emit->vertices->flags;
   int16_t (*at)[2] = emit->vertices->at;
   unsigned any = 0;

   if (emit->vertices->any_flags)
      any = flags[corners[0]] | flags[corners[1]] | flags[corners[2]];
   if (any & NV3_MUST_CLIP) {
      own_triangle(emit, corners, provoking, true);
      return;
   }
   if (any & NV3_FAR_TEXELS ||
       (emit->ctx->state->flat && !emit->record && has_colors(emit, corners))) {
      own_triangle(emit, corners, provoking, false);
      return;
   }
   if (!emit->record &&
       !is_selected(emit, at[corners[0]], at[corners[1]], at[corners[2]]))
      return;
   if (emit->room < 3 && !make_room(emit))
      return;
   shared_triangle(emit, corners);
   if (emit->record)
      emit->record->triangles++;
   else
      emit->ctx->count.chip_triangles++;
}

/*
 * Draws a triangle. @provoking is the corner that determines the flat colour.
 */
static void
draw_triangle(struct nv3_emit *emit, uint32_t a, uint32_t b, uint32_t c,
              unsigned provoking)
{
   const struct nv3_triangle triangle = { { a, b, c }, provoking };
   const uint8_t *flags = emit->vertices->flags;
   int16_t (*at)[2] = emit->vertices->at;
   bool whole = true;

   /* Programs join strips by triangles without an area. */
   if (a == b || b == c || a == c)
      return;
   if (emit->vertices->any_flags) {
      if (flags[a] & flags[b] & flags[c] & NV3_BEYOND)
         return;
      whole = !((flags[a] | flags[b] | flags[c]) & NV3_MUST_CLIP);
   }
   if (whole && !emit->record && is_invisible(emit, at[a], at[b], at[c]))
      return;
   if (emit->find)
      emit->find->list[emit->find->count++] = triangle;
   else
      draw_visible(emit, triangle.corners, provoking);
}

/* ---- lines and points as quads ---- */

/*
 * Draws a line as a quad. As in GL, the line is widened along its minor axis.
 */
static void
draw_line(struct nv3_emit *emit, uint32_t a, uint32_t b, bool first)
{
   const struct nv3_chip_vertex *from = &emit->vertices->chip[a];
   const struct nv3_chip_vertex *to = &emit->vertices->chip[b];
   struct nv3_chip_vertex v[4] = { *from, *from, *to, *to };
   float half = MAX2(emit->ctx->state->line_width, 1.0f) * 0.5f;
   bool wide_y = fabsf(to->x - from->x) >= fabsf(to->y - from->y);

   for (unsigned i = 0; i < 4; i++) {
      float shift = i == 0 || i == 3 ? -half : half;

      if (wide_y)
         v[i].y += shift;
      else
         v[i].x += shift;
      if (emit->ctx->state->flat)
         set_flat_color(emit, &v[i], first ? from : to);
   }
   own_polygon(emit, v, 4);
}

static void
draw_point(struct nv3_emit *emit, uint32_t at)
{
   const struct nv3_chip_vertex *center = &emit->vertices->chip[at];
   const struct nv3_draw_state *state = emit->ctx->state;
   struct nv3_chip_vertex v[4] = { *center, *center, *center, *center };
   float half = state->point_size * 0.5f;

   if (emit->vertices->point_sizes)
      half = 0.5f * emit->vertices->point_sizes[at];
   half = MAX2(half, 0.5f);
   for (unsigned i = 0; i < 4; i++) {
      v[i].x += i == 1 || i == 2 ? half : -half;
      v[i].y += i >= 2 ? half : -half;
   }
   own_polygon(emit, v, 4);
}

/* ---- primitives ---- */

static uint32_t
vertex_at(const uint32_t *indices, unsigned start, unsigned i)
{
   return indices ? indices[i] : start + i;
}

/*
 * Draws the vertices in @indices. If @indices is NULL, draws vertices from
 * @start on.
 */
static void
draw_primitives(struct nv3_emit *emit, const uint32_t *indices,
                unsigned start, unsigned count)
{
   bool first = emit->ctx->state->flat_first;
   unsigned i;

#define V(n) vertex_at(indices, start, n)
   switch (emit->prim) {
   case MESA_PRIM_TRIANGLES:
      for (i = 2; i < count; i += 3)
         draw_triangle(emit, V(i - 2), V(i - 1), V(i), first ? 0 : 2);
      break;
   case MESA_PRIM_TRIANGLE_STRIP:
      for (i = 2; i < count; i++) {
         if (i & 1)
            draw_triangle(emit, V(i - 1), V(i - 2), V(i), first ? 1 : 2);
         else
            draw_triangle(emit, V(i - 2), V(i - 1), V(i), first ? 0 : 2);
      }
      break;
   case MESA_PRIM_TRIANGLE_FAN:
      for (i = 2; i < count; i++)
         draw_triangle(emit, V(0), V(i - 1), V(i), first ? 1 : 2);
      break;
   case MESA_PRIM_POLYGON:
      /* The provoking vertex of a polygon is always its first one. */
      for (i = 2; i < count; i++)
         draw_triangle(emit, V(0), V(i - 1), V(i), 0);
      break;
   case MESA_PRIM_QUADS:
      /*
       * The provoking vertex of a quad is always its last one, as in llvmpipe.
       */
      for (i = 3; i < count; i += 4) {
         draw_triangle(emit, V(i - 3), V(i - 2), V(i), 2);
         draw_triangle(emit, V(i - 2), V(i - 1), V(i), 2);
      }
      break;
   case MESA_PRIM_QUAD_STRIP:
      for (i = 3; i < count; i += 2) {
         draw_triangle(emit, V(i - 3), V(i - 2), V(i), 2);
         draw_triangle(emit, V(i - 1), V(i - 3), V(i), 2);
      }
      break;
   case MESA_PRIM_POINTS:
      for (i = 0; i < count; i++)
         draw_point(emit, V(i));
      break;
   case MESA_PRIM_LINES:
      for (i = 1; i < count; i += 2)
         draw_line(emit, V(i - 1), V(i), first);
      break;
   case MESA_PRIM_LINE_STRIP:
   case MESA_PRIM_LINE_LOOP:
      for (i = 1; i < count; i++)
         draw_line(emit, V(i - 1), V(i), first);
      if (emit->prim == MESA_PRIM_LINE_LOOP && count > 1)
         draw_line(emit, V(count - 1), V(0), first);
      break;
   default:
      unreachable("unsupported primitive");
   }
#undef V
}

static void
begin_draw(struct nv3_emit *emit, const struct nv3_vertices *vertices,
           enum mesa_prim prim)
{
   emit->vertices = vertices;
   emit->prim = prim;
   emit->cull = emit->ctx->state->words[NV3_STATE_CONFIG] >>
                NV3_D3D_CONFIG_CULL_SHIFT & 3;
   forget_slots(emit);
   emit->next_slot = 0;
   emit->room = 0;
}

void
nv3_emit_primitives(struct nv3_emit *emit, const struct nv3_vertices *vertices,
                    enum mesa_prim prim, const uint32_t *indices,
                    unsigned start, unsigned count)
{
   begin_draw(emit, vertices, prim);
   draw_primitives(emit, indices, start, count);
   close_run(emit);
}

bool
nv3_emit_find(struct nv3_emit *emit, const struct nv3_vertices *vertices,
              enum mesa_prim prim, const uint32_t *indices, unsigned count,
              struct nv3_triangles *found)
{
   found->count = 0;
   if (count > found->max) {
      FREE(found->list);
      found->max = align(count, 1024);
      found->list = MALLOC(found->max * sizeof(*found->list));
      if (!found->list) {
         found->max = 0;
         return false;
      }
   }
   begin_draw(emit, vertices, prim);
   emit->find = found;
   draw_primitives(emit, indices, 0, count);
   emit->find = NULL;
   return true;
}

void
nv3_emit_found(struct nv3_emit *emit, const struct nv3_vertices *vertices,
               const struct nv3_triangles *found)
{
   begin_draw(emit, vertices, MESA_PRIM_TRIANGLES);
   for (unsigned i = 0; i < found->count; i++)
      draw_visible(emit, found->list[i].corners, found->list[i].provoking);
   close_run(emit);
}

/* ---- static meshes ---- */

bool
nv3_emit_record(struct nv3_emit *emit, enum mesa_prim prim,
                const uint32_t *indices, unsigned count, unsigned vertex_count,
                struct nv3_schedule *schedule)
{
   /*
    * A strip has at most one triangle per index, and a triangle sends at most
    * three vertices.
    */
   unsigned steps = prim == MESA_PRIM_TRIANGLES ? count : 3 * count;
   struct nv3_vertices none = { 0 };

   memset(schedule, 0, sizeof(*schedule));
   none.flags = CALLOC(vertex_count, sizeof(*none.flags));
   none.slots = CALLOC(vertex_count, sizeof(*none.slots));
   schedule->steps = MALLOC(steps * sizeof(*schedule->steps));
   schedule->pieces = MALLOC((steps / (CHUNK - 3) + 2) *
                             sizeof(*schedule->pieces));
   if (none.flags && none.slots && schedule->steps && schedule->pieces) {
      emit->record = schedule;
      nv3_emit_primitives(emit, &none, prim, indices, 0, count);
      emit->record = NULL;
      schedule->pieces[schedule->piece_count] = schedule->count;
   } else {
      nv3_schedule_free(schedule);
   }
   FREE(none.flags);
   FREE(none.slots);
   return schedule->steps != NULL;
}

void
nv3_schedule_free(struct nv3_schedule *schedule)
{
   FREE(schedule->steps);
   FREE(schedule->pieces);
   memset(schedule, 0, sizeof(*schedule));
}

static void
send_steps(struct nv3_pushbuf *push, const struct nv3_chip_vertex *vertices,
           const struct nv3_step *steps, unsigned count)
{
   uint32_t *cur;

   nv3_push_begin(push, NV3_SUBCH_D3D, NV3_D3D_FOG_TRI(0),
                  count * VERTEX_WORDS);
   cur = push->cur;
   for (unsigned i = 0; i < count; i++, cur += VERTEX_WORDS) {
      memcpy(cur, &vertices[steps[i].vertex], sizeof(*vertices));
      *cur |= steps[i].word;
   }
   push->cur = cur;
}

void
nv3_emit_replay(struct nv3_emit *emit, const struct nv3_vertices *vertices,
                const struct nv3_schedule *schedule)
{
   struct nv3_context *ctx = emit->ctx;

   emit->prim = MESA_PRIM_TRIANGLES;
   emit->vertices = vertices;
   for (unsigned i = 0; i < schedule->piece_count; i++) {
      unsigned at = schedule->pieces[i], end = schedule->pieces[i + 1];

      if (!make_room(emit))
         return;
      for (; at < end; at += NV3_D3D_VERTEX_COUNT)
         send_steps(ctx->chip->push, vertices->chip, schedule->steps + at,
                    MIN2(end - at, NV3_D3D_VERTEX_COUNT));
   }
   ctx->count.chip_vertices += schedule->count;
   ctx->count.chip_triangles += schedule->triangles;
}
