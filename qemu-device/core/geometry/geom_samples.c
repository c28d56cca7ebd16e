/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the coverage of triangles in targets with several samples for each pixel.
 *
 * A triangle covers a sample if and only if the triangle, moved by the sample's offset in
 * the opposite direction, covers the pixel's centre. Each sample therefore has its own
 * edges. nv3_geom_cover() computes which pixels these edges enclose.
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/geom_int.h"

#define BIN_LAST    (NV3_GEOM_BIN - 1)
#define BLOCKS      (NV3_GEOM_BIN_BLOCKS * NV3_GEOM_BIN_BLOCKS)
#define NO_BLOCK    0xff

/* The vertices of a triangle relative to a bin, clockwise on the screen. */
typedef struct Corners {
    int32_t x[3], y[3];
} Corners;

static Corners find_corners(const GeomBatch *b, const GeomTriangle *t, int32_t bin_x,
                            int32_t bin_y)
{
    const bool clockwise = nv3_geom_area(b, t->slot[0], t->slot[1], t->slot[2]) >= 0;
    Corners c;

    for (unsigned i = 0; i < 3; i++) {
        const unsigned slot = t->slot[clockwise ? i : 2 - i];

        c.x[i] = b->x[slot] - bin_x * GEOM_ONE;
        c.y[i] = b->y[slot] - bin_y * GEOM_ONE;
    }
    return c;
}

/*
 * Computes the range of blocks that a triangle can cover along one axis. @at:
 * coordinates of the triangle's vertices. @sample: offset of the sample from the
 * centre. Returns false if the range is empty.
 */
static bool block_range(const int32_t at[3], int32_t sample, uint8_t *from, uint8_t *to)
{
    const int32_t first_sample = GEOM_ONE / 2 + sample;
    int32_t low = at[0], high = at[0], first, last;

    for (unsigned i = 1; i < 3; i++) {
        low = at[i] < low ? at[i] : low;
        high = at[i] > high ? at[i] : high;
    }
    first = (low - first_sample + GEOM_ONE - 1) >> NV3_GEOM_SUBPIXEL_BITS;
    last = (high - first_sample) >> NV3_GEOM_SUBPIXEL_BITS;
    first = first < 0 ? 0 : first;
    last = last > BIN_LAST ? BIN_LAST : last;
    if (first > last) {
        return false;
    }
    *from = first / NV3_FP_BLOCK;
    *to = last / NV3_FP_BLOCK + 1;
    return true;
}

/*
 * Computes the edge from vertex @i to vertex @j for a sample. Returns false if the
 * sample is outside the edge in all pixels of the bin.
 */
static bool set_edge(NV3GeomEdges *e, unsigned n, const Corners *at, unsigned i,
                     unsigned j, const NV3PixopsSample *sample)
{
    const int64_t dx = at->y[i] - at->y[j], dy = at->x[j] - at->x[i];
    const int64_t range = (llabs(dx) + llabs(dy)) * BIN_LAST;
    int64_t c = dx * (GEOM_ONE / 2 + sample->x - at->x[i]) +
                dy * (GEOM_ONE / 2 + sample->y - at->y[i]);

    /* Left and top edges belong to the triangle. */
    if (!(dx > 0 || (dx == 0 && dy > 0))) {
        c--;
    }
    /*
     * From one pixel to the next, the edge function changes by a multiple of GEOM_ONE.
     * Therefore rounding down keeps the function's sign at every pixel.
     */
    c >>= NV3_GEOM_SUBPIXEL_BITS;
    e->a[n] = e->b[n] = e->c[n] = 0;
    if (c + range < 0) {
        return false;
    }
    /*
     * If all pixels are inside the edge, values of the edge function may exceed 32 bits.
     * In this case its coefficients remain 0, so that all pixels count as inside.
     */
    if (c - range < 0) {
        e->a[n] = dx;
        e->b[n] = dy;
        e->c[n] = c;
    }
    return true;
}

/*
 * Computes the edges for one sample. Returns false if an edge or the bounding box
 * excludes the sample in all pixels of the bin.
 */
static bool set_edges(NV3GeomEdges *e, const Corners *at, const NV3PixopsSample *sample)
{
    e->single = false;
    return block_range(at->x, sample->x, &e->block_x0, &e->block_x1) &&
           block_range(at->y, sample->y, &e->block_y0, &e->block_y1) &&
           set_edge(e, 0, at, 0, 1, sample) && set_edge(e, 1, at, 1, 2, sample) &&
           set_edge(e, 2, at, 2, 0, sample);
}

bool nv3_geom_misses_samples(const GeomBatch *b, const GeomTriangle *t, int32_t bin_x,
                             int32_t bin_y)
{
    const NV3GeomState *st = &b->draw[t->draw].st;
    const Corners at = find_corners(b, t, bin_x, bin_y);
    NV3GeomEdges edges;

    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        if (set_edges(&edges, &at, &st->sample[i])) {
            return false;
        }
    }
    return true;
}

unsigned nv3_geom_cover_samples(NV3VpLevel level, const GeomBatch *b,
                                const GeomTriangle *t, int32_t bin_x, int32_t bin_y,
                                GeomSampled sampled[64])
{
    const NV3GeomState *st = &b->draw[t->draw].st;
    const Corners at = find_corners(b, t, bin_x, bin_y);
    uint8_t place[BLOCKS];      /* for each block of the bin: its index in @sampled */
    NV3GeomCovered covered[BLOCKS];
    NV3GeomEdges edges;
    unsigned count = 0;

    memset(place, NO_BLOCK, sizeof(place));
    for (unsigned i = 0; i < NV3_PIXOPS_SAMPLES; i++) {
        unsigned blocks = 0;

        if (set_edges(&edges, &at, &st->sample[i])) {
            blocks = nv3_geom_cover(level, &edges, covered);
        }
        for (unsigned n = 0; n < blocks; n++) {
            const NV3GeomCovered *c = &covered[n];
            uint8_t *to = &place[c->y / NV3_FP_BLOCK * NV3_GEOM_BIN_BLOCKS +
                                 c->x / NV3_FP_BLOCK];

            if (*to == NO_BLOCK) {
                *to = count++;
                sampled[*to] = (GeomSampled) { .x = c->x, .y = c->y };
            }
            sampled[*to].mask[i] = c->mask;
        }
    }
    return count;
}
