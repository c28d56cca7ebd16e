/* SPDX-License-Identifier: MIT */
#ifndef NV3_EMIT_H
#define NV3_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/shader_enums.h"

struct nv3_context;

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
   uint8_t *place_flags;   /* those that the place alone gives */
   float *place_rhw;       /* without a texture's q; aligned for vectors */
   uint8_t *slots;     /* where the chip may have it */
   float *point_sizes; /* or NULL: they are all the state's */
   unsigned max;       /* that there is room for */
   uint8_t any_flags, any_place_flags, all_place_flags;
};

/* Triangles that are to be seen, by vertices. */
struct nv3_triangles {
   struct nv3_triangle {
      uint32_t corners[3];
      uint32_t provoking;   /* which of them a flat colour is of */
   } *list;
   unsigned count, max;
};

/* Room for @count; false without memory, and then there is none. */
bool
nv3_vertices_resize(struct nv3_vertices *vertices, unsigned count);
void
nv3_vertices_free(struct nv3_vertices *vertices);

struct nv3_emit;

struct nv3_emit *
nv3_emit_create(struct nv3_context *ctx);
void
nv3_emit_destroy(struct nv3_emit *emit);

/*
 * Draws primitives of @vertices: by @indices or, if there are none, from vertex
 * @start on. Only triangles, in any form, are clipped.
 */
void
nv3_emit_primitives(struct nv3_emit *emit, const struct nv3_vertices *vertices,
                    enum mesa_prim prim, const uint32_t *indices,
                    unsigned start, unsigned count);

/*
 * The same in two steps, of triangles in any form: which are to be seen, by the
 * vertices' places, and drawing them, which can be done again with other colours
 * and texels. False without memory.
 */
bool
nv3_emit_find(struct nv3_emit *emit, const struct nv3_vertices *vertices,
              enum mesa_prim prim, const uint32_t *indices, unsigned count,
              struct nv3_triangles *found);
void
nv3_emit_found(struct nv3_emit *emit, const struct nv3_vertices *vertices,
               const struct nv3_triangles *found);

/* ---- the order in which the chip gets the vertices of a mesh that stays ---- */

struct nv3_step {
   uint32_t vertex;
   uint32_t word;              /* its slot and triangles, without the fog */
};

struct nv3_schedule {
   struct nv3_step *steps;
   uint32_t *pieces;           /* where each begins that needs none before */
   unsigned count, piece_count;
   unsigned triangles;
};

/* Only triangles, in any form. False without memory. */
bool
nv3_emit_record(struct nv3_emit *emit, enum mesa_prim prim,
                const uint32_t *indices, unsigned count, unsigned vertex_count,
                struct nv3_schedule *schedule);
void
nv3_schedule_free(struct nv3_schedule *schedule);
/* None of @vertices must be clipped or moved, nor may the colour be flat. */
void
nv3_emit_replay(struct nv3_emit *emit, const struct nv3_vertices *vertices,
                const struct nv3_schedule *schedule);

#endif
