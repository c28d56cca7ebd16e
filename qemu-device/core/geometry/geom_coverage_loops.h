/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes coverage. Compiled once for each SIMD level. The including file defines:
 *
 * COVER_WIDTH      number of lanes of a vector: 4, 8 or 16.
 * COVER_TARGET     attributes of every function.
 * COVER_FUNCTION   name of the function.
 * COVER_SIGNS(v)   mask of the vector's negative lanes.
 */
#include "geometry/geom_coverage.h"

#define COVER_INLINE    inline __attribute__((always_inline)) COVER_TARGET
#define COVER_BLOCK     8
#define COVER_VECTORS   (64 / COVER_WIDTH)  /* vectors of a block */
#define COVER_SMALL     4                   /* more blocks than this use cover_row() */

typedef int32_t CoverI __attribute__((vector_size(4 * COVER_WIDTH), may_alias));

static COVER_INLINE CoverI cover_splat(int32_t x)
{
    return x - (CoverI) { 0 };
}

/*
 * The next two functions return the column and the row of each lane in the first vector
 * of a block.
 */
static COVER_INLINE CoverI cover_columns(void)
{
    CoverI v;

    for (int i = 0; i < COVER_WIDTH; i++) {
        v[i] = i % COVER_BLOCK;
    }
    return v;
}

static COVER_INLINE CoverI cover_rows(void)
{
    CoverI v;

    for (int i = 0; i < COVER_WIDTH; i++) {
        v[i] = i / COVER_BLOCK;
    }
    return v;
}

/*
 * Edge values at the pixels of the first vector of block 0, and the change of these
 * values from one vector to the next.
 */
typedef struct CoverEdges {
    CoverI start[3];
    int32_t half[3], row[3];
} CoverEdges;

static COVER_INLINE void cover_prepare(CoverEdges *p, const NV3GeomEdges *e)
{
    for (unsigned i = 0; i < 3; i++) {
        p->start[i] = cover_splat(e->c[i]) + cover_splat(e->a[i]) * cover_columns() +
                      cover_splat(e->b[i]) * cover_rows();
        p->half[i] = 4 * e->a[i];
        p->row[i] = e->b[i];
    }
}

/* Returns the coverage mask of a block. @x, @y: the block's first pixel in the bin. */
static COVER_INLINE uint64_t cover_block(const CoverEdges *p, const NV3GeomEdges *e,
                                         int x, int y)
{
    CoverI v[3];
    uint64_t outside = 0;

    for (unsigned i = 0; i < 3; i++) {
        v[i] = p->start[i] + cover_splat(e->a[i] * x + e->b[i] * y);
    }
    for (unsigned n = 0; n < COVER_VECTORS; n++) {
        outside |= (uint64_t)COVER_SIGNS(v[0] | v[1] | v[2]) << (n * COVER_WIDTH);
        for (unsigned i = 0; i < 3; i++) {
            if (COVER_WIDTH > 4) {
                v[i] += cover_splat(p->row[i] * (COVER_WIDTH / COVER_BLOCK));
            } else {
                v[i] += cover_splat(n & 1 ? p->row[i] - p->half[i] : p->half[i]);
            }
        }
    }
    return ~outside;
}

/*
 * Classifies the blocks of a row. If bit i of *@none is set, the triangle covers no pixel
 * of block i. If bit i of *@some is clear, the triangle covers all pixels of block i.
 */
static COVER_INLINE void cover_row(const NV3GeomEdges *e, int y, unsigned *none,
                                   unsigned *some)
{
    *none = *some = 0;
    for (unsigned first = 0; first < NV3_GEOM_BIN_BLOCKS; first += COVER_WIDTH) {
        CoverI column = (cover_columns() + cover_splat(first)) * cover_splat(COVER_BLOCK);
        CoverI largest = { 0 }, smallest = { 0 };

        for (unsigned i = 0; i < 3; i++) {
            int32_t right = e->a[i] * (COVER_BLOCK - 1);
            int32_t down = e->b[i] * (COVER_BLOCK - 1);
            CoverI v = cover_splat(e->c[i] + e->b[i] * y) +
                       cover_splat(e->a[i]) * column;

            largest |= v + cover_splat((right > 0 ? right : 0) + (down > 0 ? down : 0));
            smallest |= v + cover_splat((right < 0 ? right : 0) + (down < 0 ? down : 0));
        }
        *none |= (unsigned)COVER_SIGNS(largest) << first;
        *some |= (unsigned)COVER_SIGNS(smallest) << first;
    }
}

COVER_TARGET unsigned COVER_FUNCTION(const NV3GeomEdges *e, NV3GeomCovered covered[64])
{
    unsigned columns = e->block_x1 - e->block_x0, rows = e->block_y1 - e->block_y0;
    unsigned count = 0;
    CoverEdges p;

    cover_prepare(&p, e);
    if (e->single) {
        const uint64_t mask = cover_block(&p, e, e->single_x, e->single_y);

        covered[0] = (NV3GeomCovered) { mask, e->single_x, e->single_y };
        return mask != 0;
    }
    for (unsigned row = e->block_y0; row < e->block_y1; row++) {
        unsigned range = (1u << e->block_x1) - (1u << e->block_x0);
        unsigned none = 0, some = range;

        if (columns * rows > COVER_SMALL) {
            cover_row(e, row * COVER_BLOCK, &none, &some);
        }
        for (unsigned left = range & ~none; left; left &= left - 1) {
            unsigned column = __builtin_ctz(left);
            int x = column * COVER_BLOCK, y = row * COVER_BLOCK;
            uint64_t mask = some & 1u << column ? cover_block(&p, e, x, y) : ~0ull;

            if (mask) {
                covered[count++] = (NV3GeomCovered) { mask, x, y };
            }
        }
    }
    return count;
}
