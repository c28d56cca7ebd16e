/* SPDX-License-Identifier: MIT */
/* Copies of textures for class 0x17. */
#ifndef NV3_TEXTURE_H
#define NV3_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"
#include "util/simple_mtx.h"
#include "util/vma.h"

#include "base/nv3_screen.h"

struct nv3_context;
struct nv3_resource;
struct pipe_sampler_state;
struct pipe_sampler_view;

/* How texels are changed for their use of alpha. */
enum nv3_texture_mode {
   NV3_TEXTURE_PLAIN,
   NV3_TEXTURE_CUT,            /* alpha becomes 0 or 1 by a threshold */
   NV3_TEXTURE_PREMULTIPLIED,  /* colours are multiplied by alpha */
   NV3_TEXTURE_DIVIDED,        /* colours are divided by alpha */
   NV3_TEXTURE_DOUBLED,        /* colours are doubled, alpha is 1 */
};

struct nv3_texture_key {
   uint16_t format;  /* of the view */
   uint8_t swizzle[4];
   uint8_t wrap[2];  /* NV3_D3D_WRAP_* */
   uint8_t first_level, last_level;
   uint8_t mode;
   uint8_t threshold;
};

/* A buffer in system memory that holds textures. */
struct nv3_slab {
   unsigned index;
   struct nv3_bo *bo;
   uint8_t *map;
   uint64_t size;
   uint32_t generation;     /* incremented for each new buffer */
   uint64_t used;           /* heap->clock at the last use */
   struct util_vma_heap space;
   struct list_head places;
   struct list_head freed;  /* the hardware may still read these */
};

/* All textures of a screen. The lock protects slabs and places. */
struct nv3_texture_heap {
   simple_mtx_t lock;
   struct nv3_slab *slabs[NV3_MAX_SLABS];
   unsigned count;
   uint64_t clock;
};

/*
 * The memory of a texture. The texture, states of contexts and unsubmitted
 * batches have references to it. If only the texture has a reference, the
 * place may be evicted. An evicted place has no slab.
 */
struct nv3_place {
   struct list_head link;
   struct nv3_slab *slab;
   uint64_t offset, size;
   unsigned users;
};

/*
 * A copy of a resource for class 0x17. The resource's lock protects its list of
 * textures and their contents.
 */
struct nv3_texture {
   struct nv3_texture *next;
   struct nv3_texture_heap *heap;
   struct nv3_texture_key key;
   uint32_t serial;  /* the resource's serial when it was copied */
   struct nv3_place *place;
   uint64_t size;
   uint8_t format;   /* NV3_D3D_TEX_* */
   uint8_t log2, log2_min;
   float scale[2];   /* of coordinates, because of padding to a square */
};

struct nv3_texture_heap *
nv3_texture_heap_create(void);
void
nv3_texture_heap_destroy(struct nv3_texture_heap *heap);

/*
 * The data that a context needs to draw with a texture. They stay valid if
 * other contexts change the texture.
 */
struct nv3_texture_use {
   struct nv3_place *place;  /* the caller has a reference to it */
   struct nv3_slab *slab;
   uint64_t offset;
   uint8_t format, log2, log2_min;
   float scale[2];
};

/*
 * Finds the texture for @view and @key and updates it if necessary. Fills in
 * the format and levels of @key and adds the view's swizzle. Returns NULL, or
 * the reason why class 0x17 can't use the texture.
 */
const char *
nv3_texture_get(struct nv3_context *ctx, struct pipe_sampler_view *view,
                struct nv3_texture_key *key, struct nv3_texture_use *use);

/*
 * Replaces the place in *@slot by @place, which may be NULL. The reference to
 * the old place is released when the current batch has been submitted.
 */
void
nv3_texture_hold(struct nv3_context *ctx, struct nv3_place **slot,
                 struct nv3_place *place);

/* Releases references of submitted batches, or all references. */
void
nv3_texture_release(struct nv3_context *ctx, bool all);

/*
 * Returns a slab with a white texel of A4R4G4B4 at offset 0, or NULL without
 * memory.
 */
struct nv3_slab *
nv3_texture_white(struct nv3_context *ctx);

/* Frees all textures of a resource. */
void
nv3_textures_destroy(struct nv3_resource *res);

#endif
