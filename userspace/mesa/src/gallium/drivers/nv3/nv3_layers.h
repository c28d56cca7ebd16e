/* SPDX-License-Identifier: MIT */
#ifndef NV3_LAYERS_H
#define NV3_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

/* Pixels from x0, y0 to before x1, y1. */
struct nv3_box {
   unsigned x0, y0, x1, y1;
};

/* More than these are not worth it. */
#define NV3_MAX_LAYERS 16

/* A pixel that is none of those in question. */
#define NV3_NO_LAYER 0xff

/*
 * The triangles of a draw that covers itself, parted so that those of one layer share
 * none of the pixels in question, and what is drawn later there is in a later one.
 */
struct nv3_layers {
   /* Of each triangle, in the order of the draw. */
   int16_t (*corners)[3][2];   /* in sixteenths of a pixel */
   uint8_t *of;
   unsigned triangles, triangles_max;
   bool no_memory;

   struct nv3_box box;
   uint8_t *next;              /* of each pixel in it: the layer to come */
   unsigned pixels_max;
};

static inline void
nv3_layers_clear(struct nv3_layers *layers)
{
   layers->triangles = 0;
   layers->no_memory = false;
}

void
nv3_layers_fini(struct nv3_layers *layers);

/* The next triangle, which has an area. */
void
nv3_layers_add(struct nv3_layers *layers, const int16_t corners[3][2]);

/* Which pixels of @within a triangle, @corners in sixteenths of a pixel, can have. */
struct nv3_box
nv3_layers_box(const struct nv3_box *within, const int16_t corners[3][2]);

/* How many pixels of @box there are to look at; more than @most, if that is so. */
unsigned
nv3_layers_pixels(const struct nv3_layers *layers, const struct nv3_box *box,
                  unsigned most);

/* All pixels in @box are in question, or none yet. False without memory. */
bool
nv3_layers_begin(struct nv3_layers *layers, const struct nv3_box *box, bool all);

/* Line @y of next, from its first pixel on: 0 is what is in question. */
static inline uint8_t *
nv3_layers_line(const struct nv3_layers *layers, unsigned y)
{
   const struct nv3_box *box = &layers->box;

   return layers->next + (y - box->y0) * (box->x1 - box->x0);
}

/* How many layers there are; more than NV3_MAX_LAYERS: too many. */
unsigned
nv3_layers_part(struct nv3_layers *layers);

#endif
