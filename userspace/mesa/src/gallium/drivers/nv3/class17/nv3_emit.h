/* SPDX-License-Identifier: MIT */
#ifndef NV3_EMIT_H
#define NV3_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/shader_enums.h"

#include "class17/nv3_vertex.h"

struct nv3_context;

/*
 * Makes room for @count vertices. On failure, frees all memory of @vertices.
 */
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
 * Draws primitives of @vertices by @indices. If @indices is NULL, draws
 * vertices from @start on. Only triangles are clipped.
 */
void
nv3_emit_primitives(struct nv3_emit *emit, const struct nv3_vertices *vertices,
                    enum mesa_prim prim, const uint32_t *indices,
                    unsigned start, unsigned count);

/*
 * nv3_emit_find() and nv3_emit_found() draw primitives in two steps, for
 * triangle primitives only. The first function collects the visible triangles
 * by the positions of vertices. The second function draws them, and can be
 * called again with other colours and texture coordinates. Returns false
 * without memory.
 */
bool
nv3_emit_find(struct nv3_emit *emit, const struct nv3_vertices *vertices,
              enum mesa_prim prim, const uint32_t *indices, unsigned count,
              struct nv3_triangles *found);
void
nv3_emit_found(struct nv3_emit *emit, const struct nv3_vertices *vertices,
               const struct nv3_triangles *found);

/* ---- static meshes: the order of vertices for the 16 slots ---- */

struct nv3_step {
   uint32_t vertex;
   uint32_t word;  /* slot and triangles, without fog */
};

struct nv3_schedule {
   struct nv3_step *steps;
   uint32_t *pieces;  /* starts of the parts that use no earlier slots */
   unsigned count, piece_count;
   unsigned triangles;
};

/* Computes the order for triangle primitives. Returns false without memory. */
bool
nv3_emit_record(struct nv3_emit *emit, enum mesa_prim prim,
                const uint32_t *indices, unsigned count, unsigned vertex_count,
                struct nv3_schedule *schedule);
void
nv3_schedule_free(struct nv3_schedule *schedule);
/*
 * Draws @vertices in the order of @schedule. No vertex may need clipping or
 * have large texture coordinates, and the colour may not be flat.
 */
void
nv3_emit_replay(struct nv3_emit *emit, const struct nv3_vertices *vertices,
                const struct nv3_schedule *schedule);

#endif
