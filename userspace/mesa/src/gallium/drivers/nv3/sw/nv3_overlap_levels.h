/* SPDX-License-Identifier: MIT */
#ifndef NV3_OVERLAP_LEVELS_H
#define NV3_OVERLAP_LEVELS_H

#include "sw/nv3_coverage.h"

/* The maximum number of levels, which are bits of 64-bit words. */
#define NV3_MAX_OVERLAP_LEVELS 64

/*
 * The triangles of a draw and their overlap levels. Triangles of one level do
 * not overlap. Unless the order of triangles does not matter, a triangle has a
 * higher level than all earlier triangles that it overlaps.
 */
struct nv3_overlap_levels {
   struct nv3_coverage coverage;  /* the triangles in the order of the draw */
   uint8_t *of;                   /* the level of each triangle */
   unsigned of_max;
   unsigned count;
   unsigned checks;               /* comparisons of bounding boxes so far */
   bool any_order;
   bool failed;  /* too many levels or comparisons, or no memory */
};

void
nv3_overlap_levels_clear(struct nv3_overlap_levels *levels, bool any_order);
void
nv3_overlap_levels_fini(struct nv3_overlap_levels *levels);

/*
 * Adds a triangle with an area and returns its level, or 0 after a failure.
 * @corners are in sixteenths of a pixel.
 */
unsigned
nv3_overlap_levels_add(struct nv3_overlap_levels *levels,
                       const int16_t corners[3][2]);

#endif
