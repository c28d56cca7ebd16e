/* SPDX-License-Identifier: MIT */
#ifndef NV3_OVERLAP_LEVELS_H
#define NV3_OVERLAP_LEVELS_H

#include "sw/nv3_coverage.h"

/* More than these are not worth it, and they have to be bits of 64. */
#define NV3_MAX_OVERLAP_LEVELS 64

/*
 * The triangles of a draw that covers itself, parted so that those of one level share
 * no pixel; and unless they may be in any order, what is drawn there later is in a later
 * level.
 */
struct nv3_overlap_levels {
   struct nv3_coverage coverage;     /* the triangles, in the order of the draw */
   uint8_t *of;                /* each of them */
   unsigned of_max;
   unsigned count;
   unsigned checks;             /* bounds that were compared */
   bool any_order;
   bool failed;                /* it takes too many, or too long, or there is no memory */
};

void
nv3_overlap_levels_clear(struct nv3_overlap_levels *levels, bool any_order);
void
nv3_overlap_levels_fini(struct nv3_overlap_levels *levels);

/*
 * The level of the next triangle, which has an area, @corners in sixteenths of a pixel;
 * 0 as well if it @failed.
 */
unsigned
nv3_overlap_levels_add(struct nv3_overlap_levels *levels, const int16_t corners[3][2]);

#endif
