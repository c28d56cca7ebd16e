/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets up the triangles of a group: lane i of a vector belongs to triangle i. Compiled
 * once for each SIMD level. The including file defines:
 *
 * SETUP_TARGET     attributes of every function.
 * SETUP_FUNCTION   name of the function.
 *
 * The results are the same at every SIMD level, because each operation is exact or
 * defined by IEEE 754.
 */
#include "geometry/geom_int.h"

/*
 * -Wpsabi warns about vector arguments that are longer than the host's registers. The
 * functions with such arguments are always inlined, so no calling convention matters.
 */
#pragma GCC diagnostic ignored "-Wpsabi"

#define SETUP_INLINE \
    static inline __attribute__((always_inline)) SETUP_TARGET
#define SETUP_LANES     NV3_FP_GROUP

typedef float SetupF __attribute__((vector_size(4 * SETUP_LANES), may_alias));
typedef int32_t SetupI __attribute__((vector_size(4 * SETUP_LANES), may_alias));
typedef uint32_t SetupU __attribute__((vector_size(4 * SETUP_LANES), may_alias));
typedef double SetupD __attribute__((vector_size(8 * SETUP_LANES), may_alias));
typedef int64_t SetupL __attribute__((vector_size(8 * SETUP_LANES), may_alias));

/*
 * The vertices of the group's triangles. setup_plane() computes gradients with the
 * factors x1, x2, y1 and y2.
 */
typedef struct Setup {
    uint32_t slot[3][SETUP_LANES];
    uint32_t output[3][SETUP_LANES];    /* index of the first output's x in b->output */
    SetupI x[3], y[3];
    SetupF rhw[3];
    SetupF x1, x2, y1, y2;
    SetupF px, py;      /* from vertex 0 to the reference pixel's centre, in pixels */
} Setup;

SETUP_INLINE SetupF setup_load(const float *from, const uint32_t i[SETUP_LANES])
{
    return (SetupF) { from[i[0]], from[i[1]], from[i[2]], from[i[3]],
                      from[i[4]], from[i[5]], from[i[6]], from[i[7]] };
}

SETUP_INLINE SetupI setup_load_int(const int32_t *from, const uint32_t i[SETUP_LANES])
{
    return (SetupI) { from[i[0]], from[i[1]], from[i[2]], from[i[3]],
                      from[i[4]], from[i[5]], from[i[6]], from[i[7]] };
}

SETUP_INLINE SetupI setup_select(SetupI mask, SetupI yes, SetupI no)
{
    return (yes & mask) | (no & ~mask);
}

SETUP_INLINE SetupI setup_min(SetupI a, SetupI b)
{
    return setup_select(a < b, a, b);
}

SETUP_INLINE SetupI setup_max(SetupI a, SetupI b)
{
    return setup_select(a > b, a, b);
}

SETUP_INLINE SetupF setup_float(SetupI x)
{
    return __builtin_convertvector(x, SetupF);
}

SETUP_INLINE SetupD setup_double(SetupF x)
{
    return __builtin_convertvector(x, SetupD);
}

SETUP_INLINE SetupD setup_abs(SetupD x)
{
    return (SetupD)((SetupL)x & INT64_MAX);
}

SETUP_INLINE void setup_store(NV3FpGroupPlanes *to, SetupF value, SetupF dx, SetupF dy)
{
    *(SetupF *)to->value = value;
    *(SetupF *)to->dx = dx;
    *(SetupF *)to->dy = dy;
}

SETUP_INLINE void setup_constant(NV3FpGroupPlanes *to, SetupF value)
{
    setup_store(to, value, (SetupF) { 0 }, (SetupF) { 0 });
}

/*
 * Computes the gradients of a varying and its value at the reference pixel. @f0, @f1,
 * @f2: its values at the vertices.
 */
SETUP_INLINE void setup_plane(NV3FpGroupPlanes *to, const Setup *s, SetupF f0, SetupF f1,
                              SetupF f2)
{
    const SetupF d1 = f1 - f0, d2 = f2 - f0;
    const SetupF dx = d1 * s->x1 + d2 * s->x2, dy = d1 * s->y1 + d2 * s->y2;

    setup_store(to, f0 + (dx * s->px + dy * s->py), dx, dy);
}

/* Finds the vertices. Lanes without a triangle repeat the first triangle. */
SETUP_INLINE void setup_find(Setup *s, const GeomBatch *b, const GeomGroup *g)
{
    for (unsigned i = 0; i < SETUP_LANES; i++) {
        const GeomTriangle *t = g->triangle[i < g->count ? i : 0];

        for (unsigned v = 0; v < 3; v++) {
            s->slot[v][i] = t->slot[v];
        }
    }
    for (unsigned v = 0; v < 3; v++) {
        const SetupU slot = *(const SetupU *)s->slot[v];

        *(SetupU *)s->output[v] = slot / NV3_VP_LANES * GEOM_GROUP_FLOATS +
                                  slot % NV3_VP_LANES;
        s->x[v] = setup_load_int(b->x, s->slot[v]);
        s->y[v] = setup_load_int(b->y, s->slot[v]);
        s->rhw[v] = setup_load(b->rhw, s->slot[v]);
    }
}

/*
 * Computes the range of 8x8 blocks that a triangle may cover along one axis: *@from to
 * *@to - 1. @low, @high: lowest and highest coordinates of its vertices. If no pixel
 * centre is between them, *@from and *@to are 0. *@single is the first pixel of a single
 * block for the triangle, and *@fits is all ones if this block is long enough.
 */
SETUP_INLINE SetupI setup_range(SetupI low, SetupI high, int32_t bin, int32_t *from,
                                int32_t *to, int32_t *single, SetupI *fits)
{
    const SetupI zero = { 0 };
    SetupI first = ((low + (GEOM_ONE / 2 - 1)) >> NV3_GEOM_SUBPIXEL_BITS) - bin;
    SetupI last = ((high - GEOM_ONE / 2) >> NV3_GEOM_SUBPIXEL_BITS) - bin;
    SetupI some, start;

    first = setup_max(first, zero);
    last = setup_min(last, zero + (NV3_GEOM_BIN - 1));
    some = first <= last;
    *(SetupI *)from = (first >> 3) & some;
    *(SetupI *)to = ((last >> 3) + 1) & some;
    start = setup_min(first & -2, zero + (NV3_GEOM_BIN - NV3_FP_BLOCK));
    *(SetupI *)single = start;
    *fits = last - start < NV3_FP_BLOCK;
    return some;
}

/*
 * Computes the edges of all triangles. The results are valid only for triangles of at
 * most GEOM_SMALL pixels in x and y: the products of larger triangles may overflow 32
 * bits. @swapped: mask of the lanes with counter-clockwise triangles.
 */
SETUP_INLINE void setup_edges(GeomGroup *g, const Setup *s, SetupI swapped, int32_t bin_x,
                              int32_t bin_y)
{
    const SetupI left = setup_min(setup_min(s->x[0], s->x[1]), s->x[2]);
    const SetupI right = setup_max(setup_max(s->x[0], s->x[1]), s->x[2]);
    const SetupI top = setup_min(setup_min(s->y[0], s->y[1]), s->y[2]);
    const SetupI bottom = setup_max(setup_max(s->y[0], s->y[1]), s->y[2]);
    const int32_t first_x = bin_x * GEOM_ONE + GEOM_ONE / 2;
    const int32_t first_y = bin_y * GEOM_ONE + GEOM_ONE / 2;
    SetupI x[4] = { s->x[0] }, y[4] = { s->y[0] }, fits_x, fits_y;

    *(SetupI *)g->small = (right - left <= GEOM_SMALL * GEOM_ONE) &
                          (bottom - top <= GEOM_SMALL * GEOM_ONE);
    *(SetupI *)g->hit = setup_range(left, right, bin_x, g->block_x0, g->block_x1,
                                    g->single_x, &fits_x) &
                        setup_range(top, bottom, bin_y, g->block_y0, g->block_y1,
                                    g->single_y, &fits_y);
    *(SetupI *)g->single = fits_x & fits_y;
    x[1] = setup_select(swapped, s->x[2], s->x[1]);
    y[1] = setup_select(swapped, s->y[2], s->y[1]);
    x[2] = setup_select(swapped, s->x[1], s->x[2]);
    y[2] = setup_select(swapped, s->y[1], s->y[2]);
    x[3] = x[0];
    y[3] = y[0];
    for (unsigned i = 0; i < 3; i++) {
        const SetupI dx = y[i] - y[i + 1], dy = x[i + 1] - x[i];
        const SetupI inner = (dx > 0) | ((dx == 0) & (dy > 0));
        /* Unsigned, because signed products of large triangles could overflow. */
        const SetupU c = (SetupU)dx * (SetupU)(first_x - x[i]) +
                         (SetupU)dy * (SetupU)(first_y - y[i]);

        /* As in set_edge(). */
        *(SetupI *)g->c[i] = (SetupI)(c + (SetupU)~inner) >> NV3_GEOM_SUBPIXEL_BITS;
        *(SetupI *)g->a[i] = dx;
        *(SetupI *)g->b[i] = dy;
    }
}

/*
 * Computes the planes of depth. A stored depth may have 24 bits, as many as a float's
 * mantissa. The function therefore computes with doubles, and only converts the results
 * to floats. @x1, @y1, @x2, @y2: sides from vertex 0. @scale: GEOM_ONE divided by
 * nv3_geom_area().
 */
SETUP_INLINE void setup_depth(GeomGroup *g, const Setup *s, const GeomBatch *b,
                              SetupI offset, SetupD x1, SetupD y1, SetupD x2, SetupD y2,
                              SetupD scale)
{
    const NV3GeomState *st = &b->draw[g->triangle[0]->draw].st;
    const SetupD z0 = setup_double(setup_load(b->z, s->slot[0]));
    const SetupD d1 = setup_double(setup_load(b->z, s->slot[1])) - z0;
    const SetupD d2 = setup_double(setup_load(b->z, s->slot[2])) - z0;
    const SetupD dx = (d1 * y2 - d2 * y1) * scale, dy = (d2 * x1 - d1 * x2) * scale;
    const SetupI x = *(const SetupI *)g->fp.x, y = *(const SetupI *)g->fp.y;
    const SetupD px = __builtin_convertvector(x, SetupD) + 0.5 -
                      __builtin_convertvector(s->x[0], SetupD) / (double)GEOM_ONE;
    const SetupD py = __builtin_convertvector(y, SetupD) + 0.5 -
                      __builtin_convertvector(s->y[0], SetupD) / (double)GEOM_ONE;
    SetupD value = z0 + (dx * px + dy * py);
    const SetupL set = __builtin_convertvector(offset, SetupL);
    const SetupL steep = setup_abs(dx) > setup_abs(dy);
    const SetupD slope = (SetupD)(((SetupL)setup_abs(dx) & steep) |
                                  ((SetupL)setup_abs(dy) & ~steep));
    const SetupD moved = value + (slope * (double)st->offset_factor + st->offset_units);

    value = (SetupD)(((SetupL)moved & set) | ((SetupL)value & ~set));
    setup_store(&g->fp.z, __builtin_convertvector(value, SetupF),
                __builtin_convertvector(dx, SetupF), __builtin_convertvector(dy, SetupF));
}

/*
 * Computes the planes of a point sprite's texture coordinate. s and t go from 0 to 1
 * across the point, r is 0, and q is 1. A point is drawn as two triangles. Vertex 0 is
 * the top left corner of the point, and vertices 1 and 2 are two of its other corners.
 */
SETUP_INLINE void setup_sprite(NV3FpGroupPlanes to[4], const GeomGroup *g, const Setup *s,
                               bool lower_left)
{
    const SetupI right = setup_max(setup_max(s->x[0], s->x[1]), s->x[2]);
    const SetupF zero = { 0 }, one = zero + 1.0f;
    const SetupF size = setup_float(right - s->x[0]) / (float)GEOM_ONE;
    const SetupF step = 1.0f / size;
    const SetupF x = setup_float(*(const SetupI *)g->fp.x) + 0.5f;
    const SetupF y = setup_float(*(const SetupI *)g->fp.y) + 0.5f;
    const SetupF across = (x - setup_float(s->x[0]) / (float)GEOM_ONE) * step;
    const SetupF down = (y - setup_float(s->y[0]) / (float)GEOM_ONE) * step;

    setup_store(&to[0], across, step, zero);
    if (lower_left) {
        setup_store(&to[1], 1.0f - down, zero, -step);
    } else {
        setup_store(&to[1], down, zero, step);
    }
    setup_constant(&to[2], zero);
    setup_constant(&to[3], one);
}

/*
 * Sets the planes of a flat varying, which has the value at the provoking vertex in all
 * pixels of a triangle.
 */
SETUP_INLINE void setup_flat(NV3FpGroupPlanes to[4], const GeomBatch *b,
                             const GeomGroup *g, const GeomVarying *v,
                             const uint32_t output[SETUP_LANES])
{
    uint32_t at[SETUP_LANES] __attribute__((aligned(32)));

    for (unsigned i = 0; i < SETUP_LANES; i++) {
        const unsigned slot = g->triangle[i < g->count ? i : 0]->provoking;

        at[i] = slot / NV3_VP_LANES * GEOM_GROUP_FLOATS + slot % NV3_VP_LANES +
                output[i];
    }
    for (unsigned c = 0; c < 4; c++) {
        if (v->mask & 1u << c) {
            setup_constant(&to[c], setup_load(b->output + c * NV3_VP_LANES, at));
        }
    }
}

SETUP_INLINE void setup_varying(GeomGroup *g, const GeomBatch *b, const Setup *s,
                                const GeomVarying *v)
{
    const NV3GeomState *st = &b->draw[g->triangle[0]->draw].st;
    NV3FpGroupPlanes *to = g->fp.input[v->input];
    const SetupI front = *(const SetupI *)g->fp.front;
    /* distance from output 0 of the same vertex in b->output, in floats */
    uint32_t output[SETUP_LANES] __attribute__((aligned(32)));
    uint32_t at[3][SETUP_LANES] __attribute__((aligned(32)));

    *(SetupI *)output = setup_select(front, (SetupI) { 0 } + v->output[0],
                                     (SetupI) { 0 } + v->output[1]) * (4 * NV3_VP_LANES);
    if (v->sprite && g->sprite) {
        setup_sprite(to, g, s, st->sprite_lower_left);
        g->fp.linear |= 1u << v->input;
        return;
    }
    if (v->flat) {
        setup_flat(to, b, g, v, output);
        g->fp.linear |= 1u << v->input;
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        *(SetupU *)at[i] = *(const SetupU *)s->output[i] + *(const SetupU *)output;
    }
    for (unsigned c = 0; c < 4; c++) {
        const float *from = b->output + c * NV3_VP_LANES;

        if (v->mask & 1u << c) {
            setup_plane(&to[c], s, setup_load(from, at[0]) * s->rhw[0],
                        setup_load(from, at[1]) * s->rhw[1],
                        setup_load(from, at[2]) * s->rhw[2]);
        }
    }
}

/* Returns a mask of the lanes whose triangles have flag @flag. */
SETUP_INLINE SetupI setup_flags(const GeomGroup *g, unsigned flag)
{
    int32_t set[SETUP_LANES] __attribute__((aligned(32)));

    for (unsigned i = 0; i < SETUP_LANES; i++) {
        set[i] = g->triangle[i < g->count ? i : 0]->flags & flag;
    }
    return *(const SetupI *)set != 0;
}

SETUP_TARGET void SETUP_FUNCTION(const GeomBatch *b, GeomGroup *g, int32_t bin_x,
                                 int32_t bin_y)
{
    const GeomDraw *draw = &b->draw[g->triangle[0]->draw];
    SetupD x1, y1, x2, y2, area, scale;
    Setup s;

    setup_find(&s, b, g);
    /* Sides and areas are exact. */
    x1 = __builtin_convertvector(s.x[1] - s.x[0], SetupD);
    y1 = __builtin_convertvector(s.y[1] - s.y[0], SetupD);
    x2 = __builtin_convertvector(s.x[2] - s.x[0], SetupD);
    y2 = __builtin_convertvector(s.y[2] - s.y[0], SetupD);
    area = x1 * y2 - x2 * y1;
    setup_edges(g, &s, __builtin_convertvector(area, SetupF) < 0.0f, bin_x, bin_y);
    scale = (double)GEOM_ONE / area;
    s.x1 = __builtin_convertvector(y2 * scale, SetupF);
    s.x2 = __builtin_convertvector(-(y1 * scale), SetupF);
    s.y1 = __builtin_convertvector(-(x2 * scale), SetupF);
    s.y2 = __builtin_convertvector(x1 * scale, SetupF);
    /*
     * The reference pixel contains vertex 0, so that distances and rounding errors are
     * small.
     */
    *(SetupI *)g->fp.x = s.x[0] >> NV3_GEOM_SUBPIXEL_BITS;
    *(SetupI *)g->fp.y = s.y[0] >> NV3_GEOM_SUBPIXEL_BITS;
    s.px = setup_float((s.x[0] & -GEOM_ONE) + GEOM_ONE / 2 - s.x[0]) * (1.0f / GEOM_ONE);
    s.py = setup_float((s.y[0] & -GEOM_ONE) + GEOM_ONE / 2 - s.y[0]) * (1.0f / GEOM_ONE);
    *(SetupI *)g->fp.front = ~setup_flags(g, GEOM_TRI_BACK);
    *(SetupI *)g->fp.affine = (s.rhw[0] == s.rhw[1]) & (s.rhw[0] == s.rhw[2]);
    g->fp.linear = 0;
    setup_plane(&g->fp.rhw, &s, s.rhw[0], s.rhw[1], s.rhw[2]);
    setup_depth(g, &s, b, setup_flags(g, GEOM_TRI_OFFSET), x1, y1, x2, y2, scale);
    for (unsigned i = 0; i < draw->varyings; i++) {
        setup_varying(g, b, &s, &draw->varying[i]);
    }
}
