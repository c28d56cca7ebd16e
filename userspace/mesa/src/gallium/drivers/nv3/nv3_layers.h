/* SPDX-License-Identifier: MIT */
#ifndef NV3_LAYERS_H
#define NV3_LAYERS_H

#include "nv3_cover.h"

/* More than these are not worth it, and they have to be bits of 64. */
#define NV3_MAX_LAYERS 64

/*
 * The triangles of a draw that covers itself, parted so that those of one layer share
 * no pixel; and unless they may be in any order, what is drawn there later is in a later
 * layer.
 */
struct nv3_layers {
   struct nv3_cover cover;     /* the triangles, in the order of the draw */
   uint8_t *of;                /* each of them */
   unsigned of_max;
   unsigned count;
   unsigned looks;             /* bounds that were compared */
   bool any_order;
   bool failed;                /* it takes too many, or too long, or there is no memory */
};

void
nv3_layers_clear(struct nv3_layers *layers, bool any_order);
void
nv3_layers_fini(struct nv3_layers *layers);

/*
 * The layer of the next triangle, which has an area, @corners in sixteenths of a pixel;
 * 0 as well if it @failed.
 */
unsigned
nv3_layers_add(struct nv3_layers *layers, const int16_t corners[3][2]);

#endif
