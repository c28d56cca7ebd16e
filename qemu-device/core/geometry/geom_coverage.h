/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes which pixels of a bin a triangle covers.
 *
 * An edge is an integer function of a pixel's position in the bin: c + a * x + b * y.
 * The value is negative if and only if the pixel is on the outer side of the edge. A
 * pixel whose centre is exactly on an edge is inside if the edge is a left or a top
 * edge.
 */
#ifndef NV3_GEOM_COVERAGE_H
#define NV3_GEOM_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "vp/vp_exec.h"

#define NV3_GEOM_BIN_BLOCKS     8       /* blocks per side of a bin */

/* Edges of a triangle. Their values at the pixels of the bin fit in 32 bits. */
typedef struct NV3GeomEdges {
    int32_t a[4], b[4], c[4];           /* elements 0 to 2: the edges; 3: unused */
    /* blocks of the bin that may be covered: [x0, x1) and [y0, y1) */
    uint8_t block_x0, block_y0, block_x1, block_y1;
    /*
     * true if a single block holds all covered pixels of the bin. Its first pixel is
     * @single_x, @single_y in the bin (even numbers).
     */
    bool single;
    uint8_t single_x, single_y;
} NV3GeomEdges;

typedef struct NV3GeomCovered {
    uint64_t mask;              /* bit y * 8 + x: pixel x, y of the block; not 0 */
    uint8_t x, y;               /* the block's first pixel in the bin */
} NV3GeomCovered;

/*
 * Lists the covered blocks row by row. If @edges has a single block, lists this block.
 * Returns the number of covered blocks, which is at most 64. Results are the same at
 * every level.
 */
unsigned nv3_geom_cover(NV3VpLevel level, const NV3GeomEdges *edges,
                        NV3GeomCovered covered[64]);

typedef unsigned NV3GeomCoverFn(const NV3GeomEdges *edges, NV3GeomCovered covered[64]);
NV3GeomCoverFn nv3_geom_cover_generic, nv3_geom_cover_avx2, nv3_geom_cover_avx512;

#endif
