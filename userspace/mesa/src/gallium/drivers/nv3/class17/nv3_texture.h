/* SPDX-License-Identifier: MIT */
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

/* How a texel's alpha comes to count: by itself, or in the colour. */
enum nv3_texture_mode {
   NV3_TEXTURE_PLAIN,
   NV3_TEXTURE_CUT,             /* alpha is 0 or 1, by a threshold */
   NV3_TEXTURE_PREMULTIPLIED,   /* colours times alpha, and no alpha */
   NV3_TEXTURE_DIVIDED,         /* colours, which are times alpha, without */
   NV3_TEXTURE_DOUBLED,         /* colours twice as bright, and no alpha */
};

struct nv3_texture_key {
   uint16_t format;             /* the view's */
   uint8_t swizzle[4];
   uint8_t wrap[2];             /* NV3_D3D_WRAP_* */
   uint8_t first_level, last_level;
   uint8_t mode;
   uint8_t threshold;
};

/* A part of memory that textures are in, and that the chip can reach. */
struct nv3_slab {
   unsigned index;
   struct nv3_bo *bo;
   uint8_t *map;
   uint64_t size;
   uint32_t generation;         /* it is another buffer each time this changes */
   uint64_t used;               /* the heap's clock, when it was last drawn with */
   struct util_vma_heap space;
   struct list_head places;
   struct list_head freed;      /* by the CPU; the chip may still read them */
};

/* All textures of a screen. The lock is for its slabs and their places. */
struct nv3_texture_heap {
   simple_mtx_t lock;
   struct nv3_slab *slabs[NV3_MAX_SLABS];
   unsigned count;
   uint64_t clock;
};

/*
 * Where in a slab a texture is. It stays there as long as someone uses it: the texture,
 * a context's state, or a batch in the making. If only the texture does, it may be
 * evicted, and has no slab from then on.
 */
struct nv3_place {
   struct list_head link;
   struct nv3_slab *slab;
   uint64_t offset, size;
   unsigned users;
};

/*
 * A copy of a resource that the chip can texture with. The resource's lock is for its
 * list of them and for what is in them.
 */
struct nv3_texture {
   struct nv3_texture *next;
   struct nv3_texture_heap *heap;
   struct nv3_texture_key key;
   uint32_t serial;             /* of the resource, when it was copied */
   struct nv3_place *place;
   uint64_t size;
   uint8_t format;              /* NV3_D3D_TEX_* */
   uint8_t log2, log2_min;
   float scale[2];              /* of coordinates: it is padded to a square */
};

struct nv3_texture_heap *
nv3_texture_heap_create(void);
void
nv3_texture_heap_destroy(struct nv3_texture_heap *heap);

/* What a context knows of a texture, whatever others do to it meanwhile. */
struct nv3_texture_use {
   struct nv3_place *place;     /* which the caller is a user of */
   struct nv3_slab *slab;
   uint64_t offset;
   uint8_t format, log2, log2_min;
   float scale[2];
};

/*
 * The texture that @view shows by @key (format, levels and the view's own
 * swizzle are filled in), copied if it is not there or old. NULL, or a reason why the
 * chip can't have it.
 */
const char *
nv3_texture_get(struct nv3_context *ctx, struct pipe_sampler_view *view,
                struct nv3_texture_key *key, struct nv3_texture_use *use);

/*
 * Makes @place, or NULL, what *@slot uses, in place of what it did. That one remains in
 * use until the batch in the making has been submitted.
 */
void
nv3_texture_hold(struct nv3_context *ctx, struct nv3_place **slot,
                 struct nv3_place *place);

/* Ends the use of what is only used by batches that have been submitted; or all. */
void
nv3_texture_release(struct nv3_context *ctx, bool all);

/* A slab, with one white texel of A4R4G4B4 at its offset 0. NULL: no memory. */
struct nv3_slab *
nv3_texture_white(struct nv3_context *ctx);

/* All copies of a resource. */
void
nv3_textures_destroy(struct nv3_resource *res);

#endif
