/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rejects, clips and culls primitives, applies polygon modes, and converts points and
 * lines to triangles.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/geom_int.h"

/*
 * Maximum numbers of slots and triangles that one primitive needs. Clipping creates up to
 * 24 vertices. A polygon has up to 15 edges. If it is drawn as lines, each edge needs 4
 * vertices and 2 triangles.
 */
#define EXTRA_PER_PRIMITIVE     128
#define TRIANGLES_PER_PRIMITIVE 32

bool nv3_geom_has_room(const NV3Geom *g)
{
    const GeomBatch *b = g->batch;
    /*
     * The engine can't change to the other batch within a chunk, so let the chunk exceed
     * the cost of a batch.
     */
    const unsigned chunk = g->other ? 2 : 1;

    return b->extra_slots + EXTRA_PER_PRIMITIVE <= GEOM_EXTRA_SLOTS &&
           b->triangles + TRIANGLES_PER_PRIMITIVE <= GEOM_TRIANGLES &&
           b->links + 3 * GEOM_BINS <= GEOM_LINKS &&
           b->cost < chunk * g->threads * NV3_GEOM_BATCH_COST;
}

static void add_triangle(NV3Geom *g, unsigned v0, unsigned v1, unsigned v2,
                         unsigned provoking, unsigned flags)
{
    nv3_geom_bin(g, &(GeomTriangle) {
        .slot = { v0, v1, v2 }, .provoking = provoking, .flags = flags,
    });
}

/*
 * Copies a vertex, moves the copy to @x, @y (in fixed point), and adds @offset to the
 * copy's depth. Returns the slot of the copy.
 */
static unsigned move(NV3Geom *g, unsigned slot, int32_t x, int32_t y, float offset)
{
    GeomBatch *b = g->batch;
    unsigned to = nv3_geom_extra_slot(b);

    for (unsigned i = 0; i < g->draw->output_count; i++) {
        for (unsigned c = 0; c < 4; c++) {
            *nv3_geom_output(b, to, g->draw->output[i], c) =
                *nv3_geom_output(b, slot, g->draw->output[i], c);
        }
    }
    b->x[to] = x;
    b->y[to] = y;
    b->z[to] = b->z[slot] + offset;
    b->rhw[to] = b->rhw[slot];
    b->code[to] = 0;
    return to;
}

/*
 * Returns a mask of codes. A point or line is not drawn if all of its vertices have one
 * of these codes in common.
 */
static unsigned wide_reject(const NV3Geom *g)
{
    const unsigned sides = GEOM_OUT_LEFT | GEOM_OUT_RIGHT | GEOM_OUT_TOP |
                           GEOM_OUT_BOTTOM;

    return g->draw->st.wide_outside ? GEOM_REJECT & ~sides : GEOM_REJECT;
}

/* ---- points ---------------------------------------------------------------- */

static float point_size(const NV3Geom *g, unsigned slot)
{
    const NV3GeomState *st = &g->draw->st;
    float largest = st->point_size_max > 0 ? st->point_size_max : NV3_GEOM_POINT_MAX;
    float size = st->point_size;

    if (st->point_size_output) {
        size = *nv3_geom_output(g->batch, slot, NV3_GEOM_O_POINT_SIZE, 0);
    }
    /* If the size is a NaN, this comparison is false, so the minimum replaces it. */
    size = size > st->point_size_min ? size : st->point_size_min;
    size = size < largest ? size : largest;
    return size > 1 ? fminf(size, NV3_GEOM_POINT_MAX) : 1;
}

/* Draws a point as a square around the vertex. */
static void draw_point(NV3Geom *g, unsigned slot, unsigned provoking, unsigned flags,
                       float offset)
{
    const GeomBatch *b = g->batch;
    int32_t size = point_size(g, slot) * GEOM_ONE, x, y;
    unsigned corner[4];

    x = b->x[slot] - size / 2;
    y = b->y[slot] - size / 2;
    for (unsigned i = 0; i < 4; i++) {
        corner[i] = move(g, slot, x + (i & 1 ? size : 0), y + (i & 2 ? size : 0),
                         offset);
    }
    flags |= GEOM_TRI_SPRITE;
    add_triangle(g, corner[0], corner[1], corner[3], provoking, flags);
    add_triangle(g, corner[0], corner[3], corner[2], provoking, flags);
}

void nv3_geom_point(NV3Geom *g, unsigned slot)
{
    g->counters.primitives++;
    if (!(g->batch->code[slot] & (wide_reject(g) | GEOM_OUT_W | GEOM_OUT_GUARD |
                                 GEOM_NOT_A_NUMBER))) {
        draw_point(g, slot, slot, 0, 0);
    }
}

/* ---- lines ----------------------------------------------------------------- */

/*
 * A wide line is a rectangle, two sides of which are parallel to the line. Computes the
 * vector from the line to one of these sides, in fixed point. @dx, @dy: the line's
 * direction.
 */
static void rectangle_side(int32_t side[2], int32_t dx, int32_t dy, float width)
{
    const double length = sqrt((double)dx * dx + (double)dy * dy);
    const double scale = length > 0 ? width * GEOM_ONE / 2 / length : 0;

    side[0] = lrint(-dy * scale);
    side[1] = lrint(dx * scale);
}

/*
 * Draws a line as a rectangle if rectangular_lines is set, else as a parallelogram.
 *
 * If a line is at least as long in x as in y, its parallelogram covers line_width pixels
 * in each column. Other parallelograms cover line_width pixels in each row. A pixel whose
 * centre is exactly at the start of the line belongs to the line. A pixel whose centre is
 * exactly at the end does not belong to the line. For lines to the right or down, the
 * coverage rules of triangles ensure this. For other lines, the function moves the
 * parallelogram by the smallest step in fixed point.
 */
static void draw_line(NV3Geom *g, unsigned from, unsigned to, unsigned provoking,
                      unsigned flags, float offset)
{
    const GeomBatch *b = g->batch;
    const int32_t dx = b->x[to] - b->x[from], dy = b->y[to] - b->y[from];
    const bool by_columns = abs(dx) >= abs(dy);
    const bool rectangle = g->draw->st.rectangular_lines;
    const int32_t step_x = !rectangle && by_columns && dx < 0;
    const int32_t step_y = !rectangle && !by_columns && dy < 0;
    float width = g->draw->st.line_width;
    int32_t wide[2], half, x, y;
    unsigned corner[4];

    width = width > 1 ? fminf(width, NV3_GEOM_POINT_MAX) : 1;
    half = (int32_t)(width * GEOM_ONE) / 2;
    if (rectangle) {
        rectangle_side(wide, dx, dy, width);
    } else {
        wide[0] = by_columns ? 0 : half;
        wide[1] = by_columns ? half : 0;
    }
    x = b->x[from] + step_x;
    y = b->y[from] + step_y;
    corner[0] = move(g, from, x - wide[0], y - wide[1], offset);
    corner[1] = move(g, from, x + wide[0], y + wide[1], offset);
    corner[2] = move(g, to, x + dx + wide[0], y + dy + wide[1], offset);
    corner[3] = move(g, to, x + dx - wide[0], y + dy - wide[1], offset);
    add_triangle(g, corner[0], corner[1], corner[2], provoking, flags);
    add_triangle(g, corner[0], corner[2], corner[3], provoking, flags);
}

void nv3_geom_line(NV3Geom *g, const uint16_t slot[2], unsigned provoking)
{
    const uint32_t *code = g->batch->code;
    uint16_t v[GEOM_POLYGON_MAX] = { slot[0], slot[1] };
    unsigned any = code[v[0]] | code[v[1]], edges = 1;

    g->counters.primitives++;
    if ((code[v[0]] & code[v[1]] & wide_reject(g)) || (any & GEOM_NOT_A_NUMBER)) {
        return;
    }
    if ((any & GEOM_CLIP) && nv3_geom_clip(g->batch, g->draw, v, 2, &edges) < 2) {
        return;
    }
    draw_line(g, v[0], v[1], provoking, 0, 0);
}

/* ---- triangles ------------------------------------------------------------- */

/* Returns the depth offset of a polygon that is drawn as lines or points. */
static float polygon_offset(const NV3GeomState *st, const GeomBatch *b, const uint16_t *v,
                            int64_t size)
{
    double d1 = (double)b->z[v[1]] - b->z[v[0]], d2 = (double)b->z[v[2]] - b->z[v[0]];
    double dx = d1 * (b->y[v[2]] - b->y[v[0]]) - d2 * (b->y[v[1]] - b->y[v[0]]);
    double dy = d2 * (b->x[v[1]] - b->x[v[0]]) - d1 * (b->x[v[2]] - b->x[v[0]]);
    double slope = fabs(dx) > fabs(dy) ? fabs(dx) : fabs(dy);

    if (size) {
        slope = slope * GEOM_ONE / fabs((double)size);
    }
    return st->offset_factor * slope + st->offset_units;
}

/* Draws the outline of a polygon if @lines is true, otherwise its vertices. */
static void draw_unfilled(NV3Geom *g, const uint16_t *v, unsigned count, unsigned edges,
                          unsigned provoking, unsigned flags, bool lines)
{
    const NV3GeomState *st = &g->draw->st;
    float offset = 0;

    if (lines ? st->offset_line : st->offset_point) {
        offset = polygon_offset(st, g->batch, v,
                                nv3_geom_area(g->batch, v[0], v[1], v[2]));
    }
    for (unsigned i = 0; i < count; i++) {
        if (!(edges & 1u << i)) {
            continue;
        }
        if (lines) {
            draw_line(g, v[i], v[(i + 1) % count], provoking, flags, offset);
        } else {
            draw_point(g, v[i], provoking, flags, offset);
        }
    }
}

/* Draws a convex polygon that is completely within the guard band. */
static void draw_polygon(NV3Geom *g, const uint16_t *v, unsigned count, unsigned edges,
                         unsigned provoking)
{
    const NV3GeomState *st = &g->draw->st;
    const GeomBatch *b = g->batch;
    int64_t size = 0;
    unsigned flags, mode;
    bool front;

    for (unsigned i = 2; i < count; i++) {
        size += nv3_geom_area(b, v[0], v[i - 1], v[i]);
    }
    /* A positive area means clockwise vertices, because y points down. */
    front = (size < 0) == st->front_ccw;
    if (front ? st->cull_front : st->cull_back) {
        return;
    }
    flags = front ? 0 : GEOM_TRI_BACK;
    mode = st->polygon_mode[front ? 0 : 1];
    if (mode != NV3_GEOM_FILL) {
        draw_unfilled(g, v, count, edges, provoking, flags, mode == NV3_GEOM_LINE);
        return;
    }
    flags |= st->offset_fill ? GEOM_TRI_OFFSET : 0;
    for (unsigned i = 2; i < count; i++) {
        if (nv3_geom_area(b, v[0], v[i - 1], v[i])) {
            add_triangle(g, v[0], v[i - 1], v[i], provoking, flags);
        }
    }
}

void nv3_geom_triangle(NV3Geom *g, const uint16_t slot[3], unsigned provoking,
                       unsigned edges)
{
    const GeomBatch *b = g->batch;
    const NV3GeomState *st = &g->draw->st;
    const unsigned v0 = slot[0], v1 = slot[1], v2 = slot[2];
    const uint32_t any = b->code[v0] | b->code[v1] | b->code[v2];
    uint16_t v[GEOM_POLYGON_MAX];
    unsigned count = 3;

    g->counters.primitives++;
    if ((b->code[v0] & b->code[v1] & b->code[v2] & GEOM_REJECT) ||
        (any & GEOM_NOT_A_NUMBER)) {
        return;
    }
    if (!(any & GEOM_CLIP) && g->draw->filled) {
        int64_t size = nv3_geom_area(b, v0, v1, v2);
        bool front = (size < 0) == st->front_ccw;

        if (size && !(front ? st->cull_front : st->cull_back)) {
            add_triangle(g, v0, v1, v2, provoking,
                         (front ? 0 : GEOM_TRI_BACK) |
                         (st->offset_fill ? GEOM_TRI_OFFSET : 0));
        }
        return;
    }
    memcpy(v, slot, 3 * sizeof(*v));
    if (any & GEOM_CLIP) {
        count = nv3_geom_clip(g->batch, g->draw, v, 3, &edges);
    }
    if (count >= 3) {
        draw_polygon(g, v, count, edges, provoking);
    }
}
