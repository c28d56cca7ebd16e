/* SPDX-License-Identifier: MIT */
#ifndef NV3_CLIP_H
#define NV3_CLIP_H

#include <stdbool.h>
#include <stdint.h>

#include "class17/nv3_vertex.h"

/* Clip coordinates to the chip's. */
struct nv3_projection {
   float scale[3], bias[3];
   float guard[2];   /* how many times w the chip can do in x and y */
   bool half_z;      /* the volume's z is from 0 to w, not from -w */
   bool projective;  /* rhw has the texture coordinates' q in it */
};

/* A triangle and one corner more for each plane. */
#define NV3_CLIPPED_MAX 9

/*
 * Clips a triangle to what the chip can do and what is between the near and the
 * far plane. Its corners in their order, how many: 0 or 3 and more.
 */
unsigned
nv3_clip_triangle(const struct nv3_projection *projection,
                  const struct nv3_vertices *vertices,
                  const uint32_t corners[3],
                  struct nv3_chip_vertex out[NV3_CLIPPED_MAX]);

#endif
