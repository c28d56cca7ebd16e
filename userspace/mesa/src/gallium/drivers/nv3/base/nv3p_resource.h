/* SPDX-License-Identifier: MIT */
/*
 * Buffers and resources of the backend for class 0x1f.
 *
 * Each screen has one address space. A buffer (nv3p_bo) is mapped in it from
 * its creation until the last reference is dropped. Methods of class 0x1f take
 * addresses in this space.
 *
 * A resource has one storage, in which its contents always are. It may get
 * another one (@storage changes then): when it is renamed, because its contents
 * are discarded while the chip uses them, and when it becomes a render target,
 * because render targets must be in VRAM.
 */
#ifndef NV3P_RESOURCE_H
#define NV3P_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"
#include "util/list.h"
#include "util/u_inlines.h"
#include "util/u_range.h"

struct nv3_bo;
struct nv3p_context;
struct nv3p_screen;

/* The class has textures of 1 to 4,096 texels a side, thus 13 levels. */
#define NV3P_LEVELS 13
/* A 3D texture of 512 texels a side exceeds what a unit can decode. */
#define NV3P_3D_LEVELS 9
/* Alignments of the layout in memory (qemu-device/core/programs/texture.c). */
#define NV3P_PITCH_ALIGN 64
#define NV3P_FACE_ALIGN 128

/* ---- buffers (nv3p_bo.c) ---- */

struct nv3p_bo {
   struct pipe_reference reference;
   struct nv3p_screen *screen;
   struct nv3_bo *bo;
   uint32_t address;  /* in the screen's address space */
   uint32_t size;
   uint32_t domains;  /* DRM_NV3_GEM_* */
   void *map;         /* of all of it, or NULL before nv3p_bo_map() */
   bool shared;       /* with other processes, so it is never reused */
   /*
    * False if no batch was submitted with the buffer since the last successful
    * nv3p_bo_wait() for writing. Shared buffers are always in use.
    */
   bool in_use;
   struct list_head link;  /* list of unused buffers to reuse */
};

/*
 * A buffer of @domains (DRM_NV3_GEM_*), which may have been used before. Its
 * contents are undefined. Returns NULL without memory.
 */
struct nv3p_bo *
nv3p_bo_create(struct nv3p_screen *screen, uint32_t size, uint32_t domains);

/* Takes over the reference to @bo, even if it fails. */
struct nv3p_bo *
nv3p_bo_from_bo(struct nv3p_screen *screen, struct nv3_bo *bo);

/* Keeps the buffer for reuse, or unmaps and frees it. */
void
nv3p_bo_destroy(struct nv3p_bo *bo);

static inline void
nv3p_bo_reference(struct nv3p_bo **dst, struct nv3p_bo *src)
{
   struct nv3p_bo *old = *dst;

   if (pipe_reference(old ? &old->reference : NULL,
                      src ? &src->reference : NULL))
      nv3p_bo_destroy(old);
   *dst = src;
}

/* Returns the CPU's address, or NULL without memory. It does not wait. */
void *
nv3p_bo_map(struct nv3p_bo *bo);

/*
 * Waits for the submitted batches that write the buffer, and if @write is set
 * also for those that read it. Returns false after @timeout_ns.
 */
bool
nv3p_bo_wait(struct nv3p_bo *bo, bool write, int64_t timeout_ns);

/* ---- resources (nv3p_resource.c) ---- */

/* Offsets are in bytes from the resource's first one. */
struct nv3p_level {
   uint32_t offset;
   uint32_t pitch;  /* bytes a line of texels or blocks */
   uint32_t slice;  /* bytes a slice of a 3D texture */
};

struct nv3p_resource {
   struct pipe_resource base;

   struct nv3p_bo *bo;
   uint32_t offset;  /* of the resource in @bo */
   uint32_t size;    /* bytes */
   uint32_t storage;  /* changes with @bo and @offset */
   struct nv3p_level levels[NV3P_LEVELS];
   uint32_t layer_stride;  /* bytes a face of a cube map */

   /* For buffers: the bytes that have been written. */
   struct util_range valid;
   /*
    * The last of the screen's serial numbers at which the texture's contents
    * changed. Texture units keep decoded texels until TEX_CACHE_CTL.
    */
   uint64_t written;
};

static inline struct nv3p_resource *
nv3p_resource(struct pipe_resource *resource)
{
   return (struct nv3p_resource *)resource;
}

/* The offset of a slice or face in @res->bo. */
static inline uint32_t
nv3p_resource_offset(const struct nv3p_resource *res, unsigned level,
                     unsigned layer)
{
   uint32_t stride = res->base.target == PIPE_TEXTURE_3D ?
                     res->levels[level].slice : res->layer_stride;

   return res->offset + res->levels[level].offset + layer * stride;
}

static inline uint32_t
nv3p_resource_address(const struct nv3p_resource *res, unsigned level,
                      unsigned layer)
{
   return res->bo->address + nv3p_resource_offset(res, level, layer);
}

/* Must follow each write to a texture, by the CPU or in the batch. */
void
nv3p_resource_written(struct nv3p_resource *res);

/*
 * Prepares a texture for being a render target: moves its storage to VRAM if it
 * is not there. Returns false without memory.
 */
bool
nv3p_resource_make_target(struct nv3p_context *ctx, struct nv3p_resource *res);

/*
 * Gives a buffer or texture other storage with undefined contents. State that
 * refers to the old one becomes dirty by nv3p_rebind(). Returns false without
 * memory.
 */
bool
nv3p_resource_rename(struct nv3p_context *ctx, struct nv3p_resource *res);

/* A mapping (nv3p_transfer.c). */
struct nv3p_transfer {
   struct pipe_transfer base;
   struct nv3p_resource *staging;  /* that is mapped in its place, or NULL */
};

/*
 * resource_create, resource_from_handle, resource_get_handle,
 * resource_get_param, resource_destroy, and resource functions for modifiers.
 */
void
nv3p_screen_init_resource(struct nv3p_screen *screen);

/*
 * buffer_map, texture_map, their unmapping and flushing, buffer_subdata,
 * texture_subdata, resource_copy_region (of buffers; of textures where memory
 * is copied as it is), invalidate_resource, flush_resource.
 */
void
nv3p_init_transfer(struct nv3p_context *ctx);

#endif
