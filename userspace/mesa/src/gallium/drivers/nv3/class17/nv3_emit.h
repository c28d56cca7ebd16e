/* SPDX-License-Identifier: MIT */
#ifndef NV3_EMIT_H
#define NV3_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/shader_enums.h"

#include "class17/nv3_vertex.h"

struct nv3_context;

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
