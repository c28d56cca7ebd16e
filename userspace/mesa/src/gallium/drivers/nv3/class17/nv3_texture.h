/* SPDX-License-Identifier: MIT */
/* Declares the copies of textures that a context has for class 0x17. */
#ifndef NV3_TEXTURE_H
#define NV3_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"

struct nv3_context;
struct nv3_object;
struct pipe_sampler_view;

struct nv3_texture_key {
   uint64_t resource;  /* its id */
   uint16_t format;    /* of the view */
   uint8_t swizzle[4];
   uint8_t wrap[2];    /* NV3_D3D_WRAP_* */
   uint8_t first_level, last_level, layer;
   /*
    * 0 keeps alpha. Any other value replaces alpha by 1 if alpha is at least
    * this value, otherwise by 0.
    */
   uint8_t threshold;
};

struct nv3_texture {
   struct list_head link;
   struct nv3_texture_key key;
   uint32_t serial;  /* nv3_resource.serial at the time of the copy */
   struct nv3_bo *bo;
   /*
    * Objects of class 0x17 that read the texture: [0] draws without depth,
    * [1] with depth. NULL before the first use.
    */
   struct nv3_object *d3d[2];
   uint64_t size;
   uint8_t format;   /* NV3_D3D_TEX_* */
   uint8_t log2, log2_min;
   float scale[2];   /* of coordinates, because the texture may be padded */
};

/*
 * Sets @out to the context's copy of the texture for @view and @key. If there
 * is no up-to-date copy, creates one. If the copy's object d3d[@zeta] is
 * NULL, creates this object. Sets the resource, the format and the layer of
 * @key. Makes the levels and the swizzle of @key relative to the resource
 * instead of the view. Returns NULL, or the reason why class 0x17 can't use
 * the texture. @out is valid until the next call.
 */
const char *
nv3_texture_get(struct nv3_context *ctx, struct pipe_sampler_view *view,
                struct nv3_texture_key *key, bool zeta,
                const struct nv3_texture **out);

/*
 * Returns an object of class 0x17 whose texture is one white texel in format
 * A4R4G4B4. The object draws with depth if @zeta is set. Returns NULL if
 * memory is exhausted.
 */
struct nv3_object *
nv3_texture_white(struct nv3_context *ctx, bool zeta);

/* Frees all textures of a context. */
void
nv3_texture_fini(struct nv3_context *ctx);

#endif
