/* SPDX-License-Identifier: MIT */
#ifndef NV3_VERTEX_CACHE_H
#define NV3_VERTEX_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

#include "class17/nv3_emit.h"
#include "vertex/nv3_attributes.h"
#include "vertex/nv3_program.h"

/*
 * What a draw from buffers that do not change comes to, kept from one frame to
 * the next: each different vertex once, its attributes as arrays, and in which
 * order the chip gets them.
 */
struct nv3_mesh_draw {
   enum mesa_prim prim;
   uint32_t first, count;   /* vertices */
   const uint32_t *indices; /* from @first on, or NULL */
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
   float *loads;            /* NV3_SOA_WIDTH at a time of each load, if it varies */
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

/* Whether it may be kept: nothing that it is made of can change unseen. */
bool
nv3_vertex_cache_allows(const struct nv3_mesh_draw *draw);

/* The mesh of a draw, if it was drawn before; NULL to draw it as it is. */
struct nv3_mesh *
nv3_vertex_cache_get(struct nv3_vertex_cache *cache, struct nv3_emit *emit,
                     const struct nv3_mesh_draw *draw);

#endif
