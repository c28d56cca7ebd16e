/* SPDX-License-Identifier: MIT */
#ifndef NV3_VERTEX_CACHE_H
#define NV3_VERTEX_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

#include "class17/nv3_emit.h"
#include "vertex/nv3_attributes.h"
#include "vertex/nv3_program.h"

/* A draw, as far as the cache depends on it. */
struct nv3_mesh_draw {
   enum mesa_prim prim;
   uint32_t first, count;    /* vertices */
   const uint32_t *indices;  /* relative to @first, or NULL */
   unsigned index_count;
   uint64_t index_content;
   uint32_t index_start;
   unsigned index_size;
   unsigned load_count;
   struct {
      uint8_t component;
      const struct nv3_attribute *attr;
   } loads[NV3_MAX_LOADS];
};

struct nv3_mesh {
   unsigned vertex_count;
   float *loads;  /* attributes of NV3_SOA_WIDTH vertices at a time */
   uint32_t *indices;
   struct nv3_schedule schedule;
   unsigned seen;
   uint64_t bytes;
   uint8_t key[];
};

struct nv3_vertex_cache;

struct nv3_vertex_cache *
nv3_vertex_cache_create(void);
void
nv3_vertex_cache_destroy(struct nv3_vertex_cache *cache);

/* True if the draw may be cached: every change of its buffers is detected. */
bool
nv3_vertex_cache_allows(const struct nv3_mesh_draw *draw);

/* Returns the mesh of the draw, or NULL if there is none yet. */
struct nv3_mesh *
nv3_vertex_cache_get(struct nv3_vertex_cache *cache, struct nv3_emit *emit,
                     const struct nv3_mesh_draw *draw);

#endif
