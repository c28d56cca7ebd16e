/* SPDX-License-Identifier: MIT */
/* Vertices and triangles in the chip's terms. */
#ifndef NV3_VERTEX_H
#define NV3_VERTEX_H

#include <stdint.h>

/* The words of a vertex. */
struct nv3_chip_vertex {
   uint32_t fog, color;
   float x, y, z, rhw, u, v;
};

/*
 * The chip truncates coordinates to 1/16 pixel, so half of that is added for
 * rounding. Its pixel centres are at integers.
 */
#define NV3_PIXEL_BIAS (1.0f / 32.0f - 0.5f)

/*
 * Flags of a vertex. The first flags are the planes of the view volume
 * outside of which it is.
 */
enum {
   NV3_BEYOND_LEFT = 1 << 0,
   NV3_BEYOND_RIGHT = 1 << 1,
   NV3_BEYOND_TOP = 1 << 2,
   NV3_BEYOND_BOTTOM = 1 << 3,
   NV3_BEYOND_NEAR = 1 << 4,
   NV3_BEYOND_FAR = 1 << 5,
   NV3_BEYOND = (1 << 6) - 1,
   /* Outside the chip's range of coordinates. */
   NV3_BEYOND_CHIP = 1 << 6,
   NV3_MUST_CLIP = NV3_BEYOND_NEAR | NV3_BEYOND_FAR | NV3_BEYOND_CHIP,
   /* Texture coordinates outside the chip's range. */
   NV3_FAR_TEXELS = 1 << 7,
};

struct nv3_vertices {
   struct nv3_chip_vertex *chip;
   float (*clip)[4];         /* clip coordinates */
   int16_t (*at)[2];         /* x and y of the chip, in sixteenths */
   uint8_t *flags;
   uint8_t *position_flags;  /* flags that depend only on the position */
   float *position_rhw;      /* 1/w without q, aligned for vectors */
   uint8_t *slots;           /* the slot that may contain the vertex */
   float *point_sizes;       /* or NULL: all have the state's size */
   unsigned max;             /* capacity */
   uint8_t any_flags, any_position_flags, all_position_flags;
};

/* Visible triangles, as indices of vertices. */
struct nv3_triangles {
   struct nv3_triangle {
      uint32_t corners[3];
      uint32_t provoking;  /* the corner that determines the flat colour */
   } *list;
   unsigned count, max;
};

#endif
