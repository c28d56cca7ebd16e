/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Triangle set-up computes edge functions and plane equations.
 *
 * Edges are exact integers. Planes are the same on every host, because they are
 * computed by operations whose results IEEE 754 defines exactly.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/geom_int.h"

#define BIN_LAST    (NV3_GEOM_BIN - 1)

/*
 * Computes the edge from vertex @i to vertex @j, relative to the bin. The triangle's
 * vertices must be clockwise on the screen. Returns false if all pixels of the bin are
 * outside.
 */
static bool set_edge(NV3GeomEdges *e, unsigned n, const GeomBatch *b, unsigned i,
                     unsigned j, int32_t bin_x, int32_t bin_y)
{
    int64_t dx = b->y[i] - b->y[j], dy = b->x[j] - b->x[i], c, range;

    /* value of the edge function at the centre of the bin's first pixel */
    c = dx * ((int64_t)bin_x * GEOM_ONE + GEOM_ONE / 2 - b->x[i]) +
        dy * ((int64_t)bin_y * GEOM_ONE + GEOM_ONE / 2 - b->y[i]);
    /* Left and top edges belong to the triangle. */
    if (!(dx > 0 || (dx == 0 && dy > 0))) {
        c--;
    }
    /*
     * From one pixel to the next, the function changes by a multiple of GEOM_ONE.
     * Therefore the quotient, rounded down, has the same sign as the function at every
     * pixel.
     */
    c >>= NV3_GEOM_SUBPIXEL_BITS;
    range = (llabs(dx) + llabs(dy)) * BIN_LAST;
    if (c + range < 0) {
        return false;
    }
    if (c - range >= 0) {
        e->a[n] = e->b[n] = e->c[n] = 0;
        return true;
    }
    e->a[n] = dx;
    e->b[n] = dy;
    e->c[n] = c;
    return true;
}

static int32_t min3(int32_t a, int32_t b, int32_t c)
{
    int32_t m = a < b ? a : b;

    return m < c ? m : c;
}

static int32_t max3(int32_t a, int32_t b, int32_t c)
{
    int32_t m = a > b ? a : b;

    return m > c ? m : c;
}

/*
 * Computes the range of blocks along one axis. @low, @high: lowest and highest
 * coordinates.
 */
static void block_range(int32_t low, int32_t high, int32_t bin, uint8_t *from,
                        uint8_t *to)
{
    /* first and last pixel whose centre is between @low and @high */
    int32_t first = ((low + GEOM_ONE / 2 - 1) >> NV3_GEOM_SUBPIXEL_BITS) - bin;
    int32_t last = ((high - GEOM_ONE / 2) >> NV3_GEOM_SUBPIXEL_BITS) - bin;

    first = first < 0 ? 0 : first;
    last = last > BIN_LAST ? BIN_LAST : last;
    if (first > last) {
        *from = *to = 0;
    } else {
        *from = first / NV3_FP_BLOCK;
        *to = last / NV3_FP_BLOCK + 1;
    }
}

typedef int32_t Four __attribute__((vector_size(16)));
typedef float FourFloats __attribute__((vector_size(16)));

/*
 * set_small_edges() computes all edges of a triangle of at most SMALL_MAX pixels in x
 * and y. Products do not overflow 32 bits. Unlike set_edge(), the function does not
 * check whether an edge excludes the bin, because the check would not save time.
 */
#define SMALL_MAX   31

static void set_small_edges(NV3GeomEdges *e, const GeomBatch *b, unsigned v0, unsigned v1,
                            unsigned v2, int32_t bin_x, int32_t bin_y)
{
    const Four x = { b->x[v0], b->x[v1], b->x[v2] };
    const Four y = { b->y[v0], b->y[v1], b->y[v2] };
    const Four next_x = __builtin_shufflevector(x, x, 1, 2, 0, 3);
    const Four next_y = __builtin_shufflevector(y, y, 1, 2, 0, 3);
    const Four dx = y - next_y, dy = next_x - x;
    const Four inner = (dx > 0) | ((dx == 0) & (dy > 0));
    Four c = dx * (bin_x * GEOM_ONE + GEOM_ONE / 2 - x) +
             dy * (bin_y * GEOM_ONE + GEOM_ONE / 2 - y);

    /* As in set_edge(). */
    c = (c + ~inner) >> NV3_GEOM_SUBPIXEL_BITS;
    memcpy(e->a, &dx, sizeof(e->a));
    memcpy(e->b, &dy, sizeof(e->b));
    memcpy(e->c, &c, sizeof(e->c));
}

bool nv3_geom_edges(const GeomBatch *b, const GeomTriangle *t, int32_t bin_x,
                    int32_t bin_y, NV3GeomEdges *e)
{
    unsigned v0 = t->slot[0], v1 = t->slot[1], v2 = t->slot[2];
    const int32_t left = min3(b->x[v0], b->x[v1], b->x[v2]);
    const int32_t right = max3(b->x[v0], b->x[v1], b->x[v2]);
    const int32_t top = min3(b->y[v0], b->y[v1], b->y[v2]);
    const int32_t bottom = max3(b->y[v0], b->y[v1], b->y[v2]);

    if (nv3_geom_area(b, v0, v1, v2) < 0) {
        unsigned swap = v1;

        v1 = v2;
        v2 = swap;
    }
    block_range(left, right, bin_x, &e->block_x0, &e->block_x1);
    block_range(top, bottom, bin_y, &e->block_y0, &e->block_y1);
    if (e->block_x0 >= e->block_x1 || e->block_y0 >= e->block_y1) {
        return false;
    }
    if (right - left <= SMALL_MAX * GEOM_ONE && bottom - top <= SMALL_MAX * GEOM_ONE) {
        set_small_edges(e, b, v0, v1, v2, bin_x, bin_y);
        return true;
    }
    return set_edge(e, 0, b, v0, v1, bin_x, bin_y) &&
           set_edge(e, 1, b, v1, v2, bin_x, bin_y) &&
           set_edge(e, 2, b, v2, v0, bin_x, bin_y);
}

/* Factors that convert differences between vertices to gradients. */
typedef struct Gradients {
    float x1, x2, y1, y2;
    float px, py; /* from vertex 0 to the reference pixel's centre */
} Gradients;

/* Sides of a triangle from vertex 0 in fixed point, and GEOM_ONE divided by its area. */
typedef struct Sides {
    double x1, y1, x2, y2, scale;
} Sides;

static inline NV3FpPlane plane(const Gradients *g, float f0, float f1, float f2)
{
    float d1 = f1 - f0, d2 = f2 - f0;
    NV3FpPlane p;

    p.dx = d1 * g->x1 + d2 * g->x2;
    p.dy = d1 * g->y1 + d2 * g->y2;
    p.value = f0 + (p.dx * g->px + p.dy * g->py);
    return p;
}

static inline NV3FpPlane constant_plane(float value)
{
    return (NV3FpPlane) { .value = value };
}

/*
 * Computes the plane of depth. Stored depth may have 24 bits, as many as the mantissa
 * of a float. Therefore the computation uses doubles, and only its results are rounded.
 */
static NV3FpPlane depth_plane(const GeomBatch *b, const GeomTriangle *t, const Sides *s,
                              int32_t x, int32_t y)
{
    const unsigned v0 = t->slot[0], v1 = t->slot[1], v2 = t->slot[2];
    const NV3GeomState *st = &b->draw[t->draw].st;
    double d1 = (double)b->z[v1] - b->z[v0], d2 = (double)b->z[v2] - b->z[v0];
    double dx = (d1 * s->y2 - d2 * s->y1) * s->scale;
    double dy = (d2 * s->x1 - d1 * s->x2) * s->scale;
    double px = x + 0.5 - b->x[v0] / (double)GEOM_ONE;
    double py = y + 0.5 - b->y[v0] / (double)GEOM_ONE;
    double value = b->z[v0] + (dx * px + dy * py);

    if (t->flags & GEOM_TRI_OFFSET) {
        double slope = fabs(dx) > fabs(dy) ? fabs(dx) : fabs(dy);

        value += st->offset_factor * slope + st->offset_units;
    }
    return (NV3FpPlane) { value, dx, dy };
}

/*
 * Computes the planes of a texture coordinate on a point. s and t are from 0 to 1, r is
 * 0, and q is 1.
 */
static void sprite_planes(NV3FpPlane plane_of[4], const NV3GeomState *st,
                          const GeomBatch *b, const GeomTriangle *t, int32_t x, int32_t y)
{
    /*
     * Vertex 0 is the upper left corner. Vertices 1 and 2 are two of the point's other
     * corners.
     */
    const unsigned v0 = t->slot[0], v1 = t->slot[1], v2 = t->slot[2];
    int32_t right = max3(b->x[v0], b->x[v1], b->x[v2]);
    float size = (right - b->x[v0]) / (float)GEOM_ONE, step = 1.0f / size;
    float s = (x + 0.5f - b->x[v0] / (float)GEOM_ONE) * step;
    float down = (y + 0.5f - b->y[v0] / (float)GEOM_ONE) * step;

    plane_of[0] = (NV3FpPlane) { s, step, 0 };
    plane_of[1] = (NV3FpPlane) { down, 0, step };
    if (st->sprite_lower_left) {
        plane_of[1] = (NV3FpPlane) { 1.0f - down, 0, -step };
    }
    plane_of[2] = constant_plane(0);
    plane_of[3] = constant_plane(1);
}

/* The first output of a vertex, and 1/w. */
typedef struct Corner {
    const float *output;
    float rhw;
} Corner;

static inline Corner corner(const GeomBatch *b, unsigned slot)
{
    return (Corner) { nv3_geom_output(b, slot, 0, 0), b->rhw[slot] };
}

/* Returns the components of an output, divided by w. */
static inline FourFloats components(const Corner *v, unsigned output)
{
    const float *from = v->output + output * 4 * NV3_VP_LANES;
    const FourFloats x = {
        from[0], from[NV3_VP_LANES], from[2 * NV3_VP_LANES], from[3 * NV3_VP_LANES],
    };

    return x * v->rhw;
}

/* plane() for four components. */
static inline void set_planes(NV3FpPlane to[4], const Gradients *g, FourFloats f0,
                              FourFloats f1, FourFloats f2)
{
    const FourFloats d1 = f1 - f0, d2 = f2 - f0;
    const FourFloats dx = d1 * g->x1 + d2 * g->x2, dy = d1 * g->y1 + d2 * g->y2;
    const FourFloats value = f0 + (dx * g->px + dy * g->py);

    for (unsigned c = 0; c < 4; c++) {
        to[c] = (NV3FpPlane) { value[c], dx[c], dy[c] };
    }
}

static void set_varying(NV3FpTriangle *tri, const GeomBatch *b, const GeomTriangle *t,
                        const GeomVarying *v, const Gradients *g, const Corner at[3])
{
    const unsigned output = v->output[t->flags & GEOM_TRI_BACK ? 1 : 0];
    NV3FpPlane *to = tri->input[v->input];

    if (v->sprite && (t->flags & GEOM_TRI_SPRITE)) {
        sprite_planes(to, &b->draw[t->draw].st, b, t, tri->x, tri->y);
        tri->linear |= 1u << v->input;
        return;
    }
    if (v->flat) {
        const float *from = nv3_geom_output(b, t->provoking, output, 0);

        for (unsigned c = 0; c < 4; c++) {
            to[c] = constant_plane(from[c * NV3_VP_LANES]);
        }
        tri->linear |= 1u << v->input;
        return;
    }
    set_planes(to, g, components(&at[0], output), components(&at[1], output),
               components(&at[2], output));
}

void nv3_geom_setup(const GeomBatch *b, const GeomTriangle *t, NV3FpTriangle *tri)
{
    const unsigned v0 = t->slot[0], v1 = t->slot[1], v2 = t->slot[2];
    const GeomDraw *draw = &b->draw[t->draw];
    const Corner at[3] = { corner(b, v0), corner(b, v1), corner(b, v2) };
    const int32_t x1 = b->x[v1] - b->x[v0], y1 = b->y[v1] - b->y[v0];
    const int32_t x2 = b->x[v2] - b->x[v0], y2 = b->y[v2] - b->y[v0];
    const double area = (double)((int64_t)x1 * y2 - (int64_t)x2 * y1);
    const Sides s = { x1, y1, x2, y2, GEOM_ONE / area };
    Gradients g = {
        .x1 = s.y2 * s.scale, .x2 = -(s.y1 * s.scale),
        .y1 = -(s.x2 * s.scale), .y2 = s.x1 * s.scale,
    };

    /* The reference pixel is at vertex 0, so that distances from it are small. */
    tri->x = b->x[v0] >> NV3_GEOM_SUBPIXEL_BITS;
    tri->y = b->y[v0] >> NV3_GEOM_SUBPIXEL_BITS;
    g.px = (tri->x * GEOM_ONE + GEOM_ONE / 2 - b->x[v0]) * (1.0f / GEOM_ONE);
    g.py = (tri->y * GEOM_ONE + GEOM_ONE / 2 - b->y[v0]) * (1.0f / GEOM_ONE);
    tri->front = !(t->flags & GEOM_TRI_BACK);
    tri->linear = 0;
    tri->rhw = plane(&g, b->rhw[v0], b->rhw[v1], b->rhw[v2]);
    tri->affine = b->rhw[v0] == b->rhw[v1] && b->rhw[v0] == b->rhw[v2];
    tri->z = depth_plane(b, t, &s, tri->x, tri->y);
    for (unsigned i = 0; i < draw->varyings; i++) {
        set_varying(tri, b, t, &draw->varying[i], &g, at);
    }
}
