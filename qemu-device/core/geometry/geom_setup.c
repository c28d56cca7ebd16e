/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets up triangles: computes edge functions and plane equations.
 *
 * Edges are exact integers. Planes are computed with operations whose results IEEE 754
 * defines exactly. Therefore edges and planes are the same on every host.
 */
#include <stdlib.h>

#define SETUP_TARGET
#define SETUP_FUNCTION  nv3_geom_setup_generic

#include "geometry/geom_setup_loops.h"

#define BIN_LAST    (NV3_GEOM_BIN - 1)

/*
 * Computes the edge from vertex @i to vertex @j, relative to the bin. The triangle's
 * vertices must be clockwise on the screen. Returns false if all pixels of the bin are
 * on the outer side of the edge.
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
     * From one pixel to the next, the edge function changes by a multiple of GEOM_ONE.
     * Therefore rounding down keeps the function's sign at every pixel.
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
 * Computes the range of blocks that a triangle may cover along one axis. @low, @high:
 * lowest and highest coordinates of its vertices.
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
    e->single = false;
    block_range(left, right, bin_x, &e->block_x0, &e->block_x1);
    block_range(top, bottom, bin_y, &e->block_y0, &e->block_y1);
    if (e->block_x0 >= e->block_x1 || e->block_y0 >= e->block_y1) {
        return false;
    }
    return set_edge(e, 0, b, v0, v1, bin_x, bin_y) &&
           set_edge(e, 1, b, v1, v2, bin_x, bin_y) &&
           set_edge(e, 2, b, v2, v0, bin_x, bin_y);
}

void nv3_geom_setup(NV3VpLevel level, const GeomBatch *b, GeomGroup *g, int32_t bin_x,
                    int32_t bin_y)
{
    switch (level) {
#ifdef NV3_VP_HAVE_X86
    case NV3_VP_AVX512:
        nv3_geom_setup_avx512(b, g, bin_x, bin_y);
        break;
    case NV3_VP_AVX2:
        nv3_geom_setup_avx2(b, g, bin_x, bin_y);
        break;
#endif
    default:
        nv3_geom_setup_generic(b, g, bin_x, bin_y);
        break;
    }
}

static NV3FpPlane get_plane(const NV3FpGroupPlanes *p, unsigned i)
{
    return (NV3FpPlane) { p->value[i], p->dx[i], p->dy[i] };
}

void nv3_geom_get_triangle(NV3FpTriangle *tri, const GeomBatch *b, const GeomGroup *g,
                           unsigned i)
{
    const GeomDraw *draw = &b->draw[g->triangle[i]->draw];

    tri->x = g->fp.x[i];
    tri->y = g->fp.y[i];
    tri->front = g->fp.front[i];
    tri->affine = g->fp.affine[i];
    tri->linear = g->fp.linear;
    tri->rhw = get_plane(&g->fp.rhw, i);
    tri->z = get_plane(&g->fp.z, i);
    for (unsigned n = 0; n < draw->varyings; n++) {
        const GeomVarying *v = &draw->varying[n];

        for (unsigned c = 0; c < 4; c++) {
            if (v->mask & 1u << c) {
                tri->input[v->input][c] = get_plane(&g->fp.input[v->input][c], i);
            }
        }
    }
}
