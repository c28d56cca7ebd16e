/* SPDX-License-Identifier: MIT */
#ifndef NV3_VERTEX_H
#define NV3_VERTEX_H

#include <stdint.h>

/* The words of a vertex. */
struct nv3_chip_vertex {
   uint32_t fog, color;
   float x, y, z, rhw, u, v;
};

/*
 * The chip truncates coordinates to 1/16 pixel; half of that makes it round.
 * Pixels' centres are at whole numbers.
 */
#define NV3_PIXEL_BIAS (1.0f / 32.0f - 0.5f)

/* Of a vertex: which planes of the view volume it is beyond, and others. */
enum {
   NV3_BEYOND_LEFT = 1 << 0,
   NV3_BEYOND_RIGHT = 1 << 1,
   NV3_BEYOND_TOP = 1 << 2,
   NV3_BEYOND_BOTTOM = 1 << 3,
   NV3_BEYOND_NEAR = 1 << 4,
   NV3_BEYOND_FAR = 1 << 5,
   NV3_BEYOND = (1 << 6) - 1,
   /* The chip has no such coordinates. */
   NV3_BEYOND_CHIP = 1 << 6,
   NV3_MUST_CLIP = NV3_BEYOND_NEAR | NV3_BEYOND_FAR | NV3_BEYOND_CHIP,
   /* Texture coordinates that must be moved nearer to 0. */
   NV3_FAR_TEXELS = 1 << 7,
};

struct nv3_vertices {
   struct nv3_chip_vertex *chip;
   float (*clip)[4];   /* clip coordinates, for those that must be clipped */
   int16_t (*at)[2];   /* x and y as the chip has them, in sixteenths */
   uint8_t *flags;
   uint8_t *position_flags;   /* those that the position alone gives */
   float *position_rhw;       /* without a texture's q; aligned for vectors */
   uint8_t *slots;     /* where the chip may have it */
   float *point_sizes; /* or NULL: they are all the state's */
   unsigned max;       /* that there is room for */
   uint8_t any_flags, any_position_flags, all_position_flags;
};

/* Triangles that are to be seen, by vertices. */
struct nv3_triangles {
   struct nv3_triangle {
      uint32_t corners[3];
      uint32_t provoking;   /* which of them a flat colour is of */
   } *list;
   unsigned count, max;
};

#endif
