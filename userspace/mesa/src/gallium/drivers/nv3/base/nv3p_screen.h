/* SPDX-License-Identifier: MIT */
/*
 * Declares the screen, the buffers and the resources of the backend for class
 * 0x1f.
 *
 * Each screen has one address space. Each buffer (nv3p_bo) is mapped in this
 * address space from its creation until it is freed. Addresses in methods of
 * class 0x1f refer to this address space.
 *
 * The storage of a resource is a range of one buffer. The storage always holds
 * the current contents. If a program overwrites contents that the chip still
 * uses, the driver replaces the storage where possible (renaming). Render
 * targets must be in VRAM. The driver therefore also replaces storage in
 * system memory if the resource becomes a render target.
 */
#ifndef NV3P_SCREEN_H
#define NV3P_SCREEN_H

#include "pipe/p_screen.h"
#include "pipe/p_state.h"
#include "pipebuffer/pb_cache.h"
#include "util/simple_mtx.h"
#include "util/u_atomic.h"
#include "util/u_idalloc.h"
#include "util/u_range.h"
#include "util/vma.h"

#include <nv3.h>

struct disk_cache;
struct nv3p_context;

/*
 * The class supports textures of 1 to 4,096 texels per side, with up to 13
 * levels.
 */
#define NV3P_LEVELS 13
/*
 * The class stores the four samples of a pixel in a 2 x 2 square. A resource
 * with four samples therefore has the layout of a single-sampled resource
 * with twice the width and height. Blits access samples as texels of this
 * layout (nv3p_resource_alias()), so a multisampled resource can have at most
 * half the width and height of a texture.
 */
#define NV3P_SAMPLES 4
#define NV3P_SAMPLED_SIZE 2048

struct nv3p_screen {
   struct pipe_screen base;

   int fd;
   struct nv3_device *dev;
   uint32_t debug;  /* NV3_DEBUG_* (base/nv3_screen.h) */
   uint64_t vram;   /* bytes available for buffers */
   bool multisample;  /* the chip supports multisampling */
   struct disk_cache *disk_cache;  /* may be NULL */
   uint64_t serial;  /* p_atomic; see nv3p_resource.written */

   /* The address space and buffers (nv3p_bo.c). */
   uint32_t vm;
   struct util_vma_heap heap;
   simple_mtx_t heap_lock;
   struct pb_cache unused;     /* buffers for reuse */
   simple_mtx_t storage_lock;  /* see nv3p_resource.bo */

   /* The buffer for the reports of queries (nv3p_query.c). */
   struct nv3p_bo *reports;
   struct util_idalloc_mt intervals;
};

static inline struct nv3p_screen *
nv3p_screen(struct pipe_screen *screen)
{
   return (struct nv3p_screen *)screen;
}

/*
 * Create and destroy the buffer for reports (nv3p_query.c). Creation returns
 * false on failure.
 */
bool
nv3p_screen_init_reports(struct nv3p_screen *screen);
void
nv3p_screen_fini_reports(struct nv3p_screen *screen);

/* ---- fences (nv3p_batch.c) ---- */

/* Sets the screen's functions for fences. */
void
nv3p_screen_init_fence(struct pipe_screen *screen);

/* ---- buffers (nv3p_bo.c) ---- */

struct nv3p_bo {
   struct pb_buffer_lean base;  /* references, and the size in bytes */
   struct pb_cache_entry entry;  /* of screen->unused */
   struct nv3p_screen *screen;
   struct nv3_bo *bo;
   uint32_t address;  /* in the screen's address space */
   uint32_t domains;  /* DRM_NV3_GEM_* */
   void *map;
   /*
    * True if the buffer has been imported or exported. Other processes and
    * other nv3p_bos may use the memory of such a buffer.
    */
   bool shared;
   /*
    * @uses counts the submitted batches that use the buffer. @ended counts
    * those of these batches that are known to have ended.
    */
   uint32_t uses, ended;
   /*
    * screen->serial at the submission of the last batch that wrote the buffer
    */
   uint64_t written;
};

/*
 * Create and destroy the address space. Creation returns false on failure.
 */
bool
nv3p_screen_init_bos(struct nv3p_screen *screen);
void
nv3p_screen_fini_bos(struct nv3p_screen *screen);

/*
 * Returns a mapped buffer of at least @size bytes in @domains
 * (DRM_NV3_GEM_*). The contents are undefined, because the function may
 * return a reused buffer. Returns NULL if memory is exhausted.
 */
struct nv3p_bo *
nv3p_bo_create(struct nv3p_screen *screen, uint32_t size, uint32_t domains);

/*
 * Returns an nv3p_bo for the imported buffer @bo, or NULL if memory is
 * exhausted. Takes ownership of the reference to @bo, even on failure.
 */
struct nv3p_bo *
nv3p_bo_from_bo(struct nv3p_screen *screen, struct nv3_bo *bo);

/*
 * Drops a reference. If it was the last reference, keeps the buffer for reuse
 * or frees the buffer.
 */
void
nv3p_bo_unref(struct nv3p_bo *bo);

static inline void
nv3p_bo_reference(struct nv3p_bo **dst, struct nv3p_bo *src)
{
   struct nv3p_bo *old = *dst;

   if (src)
      p_atomic_inc(&src->base.reference.count);
   *dst = src;
   if (old)
      nv3p_bo_unref(old);
}

/*
 * The time to poll before sleeping, in ns. Most waits within a frame are
 * shorter than this time. Tuned with glmark2 texture and OpenArena of
 * `make bench-gl`.
 */
#define NV3P_POLL_NS 2000000

/*
 * Returns true if the caller should poll again instead of sleeping. A
 * sleeping thread wakes up with a delay, especially in a VM. Most waits are
 * shorter than this delay. On a single CPU, always returns false, because
 * polling would delay the kernel's submission of the batch. The caller must
 * set *@since to 0 before the first call.
 */
bool
nv3p_keep_polling(int64_t *since);

/*
 * Waits for the submitted batches that write the buffer. If @write is set,
 * also waits for the batches that read the buffer. Returns false if the
 * batches are not complete after @timeout_ns.
 */
bool
nv3p_bo_wait(struct nv3p_bo *bo, bool write, int64_t timeout_ns);

/* ---- resources (nv3p_resource.c) ---- */

/* The layout of a level. @offset is in bytes from the start of the resource. */
struct nv3p_level {
   uint32_t offset;
   uint32_t pitch;  /* bytes per line of texels or blocks */
   uint32_t slice;  /* bytes per slice of a 3D texture */
};

struct nv3p_resource {
   struct pipe_resource base;

   /*
    * The storage. While @user is the only context that has used the resource,
    * @user may replace the storage. After another context has used the
    * resource, the storage can only be moved to VRAM, and only once. After
    * this move, @moved keeps the old storage, which other contexts may still
    * use. Protected by screen->storage_lock.
    */
   struct nv3p_bo *bo, *moved;
   const struct nv3p_context *user;
   bool shared_by_contexts;
   uint32_t offset;  /* offset of the resource in @bo */
   uint32_t size;
   struct nv3p_level levels[NV3P_LEVELS];
   uint32_t face;  /* bytes per face of a cube map */

   /* For buffers: the range of bytes that have been written. */
   struct util_range valid;
   /*
    * For textures: the value of screen->serial at the last change of the
    * contents, or 0 if the contents are undefined. Texture units cache
    * decoded texels. Before a draw, the driver invalidates the texture's
    * cached texels with TEX_CACHE_SIZE if this value has increased since the
    * last invalidation (nv3p_view.seen).
    */
   uint64_t written;
};

static inline struct nv3p_resource *
nv3p_resource(struct pipe_resource *resource)
{
   return (struct nv3p_resource *)resource;
}

static inline bool
nv3p_is_sampled(const struct pipe_resource *resource)
{
   return resource->nr_samples > 1;
}

/*
 * Returns the distance in bytes between consecutive slices or faces of a level.
 */
static inline uint32_t
nv3p_layer_stride(const struct nv3p_resource *res, unsigned level)
{
   return res->base.target == PIPE_TEXTURE_3D ? res->levels[level].slice :
                                                res->face;
}

/* Returns the offset in bytes of a slice or face in @res->bo. */
static inline uint32_t
nv3p_resource_offset(const struct nv3p_resource *res, unsigned level,
                     unsigned layer)
{
   return res->offset + res->levels[level].offset +
          layer * nv3p_layer_stride(res, level);
}

static inline uint32_t
nv3p_resource_address(const struct nv3p_resource *res, unsigned level,
                      unsigned layer)
{
   return res->bo->address + nv3p_resource_offset(res, level, layer);
}

/* Returns the CPU's mapping of the first byte of @res. */
static inline uint8_t *
nv3p_resource_map(const struct nv3p_resource *res)
{
   return (uint8_t *)res->bo->map + res->offset;
}

/*
 * Records that @ctx uses @res, so that no other context replaces the storage.
 * Must be called before a context uses the storage. (nv3p_bo.c)
 */
void
nv3p_resource_claim(struct nv3p_context *ctx, struct nv3p_resource *res);

/*
 * Records that a texture has changed. Must be called after each write to the
 * texture by the CPU or by methods of the batch.
 */
void
nv3p_resource_written(struct nv3p_resource *res);

/*
 * Moves the storage of @res to VRAM, unless it is already in VRAM. Returns
 * false if memory is exhausted.
 */
bool
nv3p_resource_make_target(struct nv3p_context *ctx, struct nv3p_resource *res);

/*
 * Gives @res new storage in system memory. If @keep is set, copies the
 * contents. Calls nv3p_rebind(), because bound state may refer to the old
 * storage. Returns false if memory is exhausted, or if the old storage is in
 * VRAM, shared or persistently mapped.
 */
bool
nv3p_resource_rename(struct nv3p_context *ctx, struct nv3p_resource *res,
                     bool keep);

/*
 * Returns a single-sampled alias for the storage of a multisampled resource.
 * The alias has a pixel for each sample. Returns NULL if memory is exhausted.
 */
struct pipe_resource *
nv3p_resource_alias(struct pipe_resource *resource);

/* Set the functions for resources and transfers. */
void
nv3p_screen_init_resource(struct nv3p_screen *screen);
void
nv3p_init_resource(struct nv3p_context *ctx);

#endif
