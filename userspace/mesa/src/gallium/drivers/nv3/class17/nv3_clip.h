/* SPDX-License-Identifier: MIT */
/* Clipping of triangles that exceed the limits of the chip. */
#ifndef NV3_CLIP_H
#define NV3_CLIP_H

#include <stdbool.h>
#include <stdint.h>

#include "class17/nv3_vertex.h"

/* The transformation from clip coordinates to the chip's coordinates. */
struct nv3_projection {
   float scale[3], bias[3];
   float guard[2];   /* maximum of |x| and |y| as a multiple of w */
   bool half_z;      /* z is between 0 and w instead of -w and w */
   bool projective;  /* rhw is multiplied by the q of texture coordinates */
};

/*
 * The maximum number of corners: three of the triangle, and one for each
 * plane.
 */
#define NV3_CLIPPED_MAX 9

/*
 * Clips a triangle at the near and far planes and at the limits of the chip's
 * coordinates. Returns the number of corners in @out, which is 0 or at least 3.
 */
unsigned
nv3_clip_triangle(const struct nv3_projection *projection,
                  const struct nv3_vertices *vertices,
                  const uint32_t corners[3],
                  struct nv3_chip_vertex out[NV3_CLIPPED_MAX]);

#endif
