/* SPDX-License-Identifier: MIT */
#ifndef NV3_MESH_H
#define NV3_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

#include "nv3_emit.h"
#include "nv3_program.h"

/*
 * What a draw from buffers that do not change comes to, kept from one frame to
 * the next: each different vertex once, its attributes as arrays, and in which
 * order the chip gets them.
 */
struct nv3_attribute {
   const uint8_t *data;     /* vertex 0 */
   unsigned stride;
   enum pipe_format format;
   uint64_t content;        /* of its buffer; 0 if that may change at any time */
   unsigned offset;         /* in it */
};

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
   float *loads;            /* NV3_LANES at a time of each load, if it varies */
   uint32_t *indices;
   struct nv3_schedule schedule;
   unsigned seen;
   uint64_t bytes;
   uint8_t key[];
};

struct nv3_meshes;

struct nv3_meshes *
nv3_meshes_create(void);
void
nv3_meshes_destroy(struct nv3_meshes *meshes);

/* Whether it may be kept: nothing that it is made of can change unseen. */
bool
nv3_mesh_allowed(const struct nv3_mesh_draw *draw);

/* The mesh of a draw, if it was drawn before; NULL to draw it as it is. */
struct nv3_mesh *
nv3_mesh_get(struct nv3_meshes *meshes, struct nv3_emit *emit,
             const struct nv3_mesh_draw *draw);

struct nv3_context;

/*
 * Where an element's vertex 0 is; false if vertex @last is beyond its buffer
 * (nv3_attributes.c).
 */
bool
nv3_attribute_find(const struct nv3_context *ctx, unsigned element,
                   uint64_t last, struct nv3_attribute *out);

/* Component @c of @count vertices from @data on (nv3_attributes.c). */
void
nv3_attribute_fetch(const struct nv3_attribute *attr, const uint8_t *data,
                    unsigned c, float *out, unsigned count);

#endif
