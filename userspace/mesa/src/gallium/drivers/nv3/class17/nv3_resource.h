/* SPDX-License-Identifier: MIT */
#ifndef NV3_RESOURCE_H
#define NV3_RESOURCE_H

#include "pipe/p_state.h"
#include "util/simple_mtx.h"
#include "util/u_inlines.h"

struct nv3_bo;
struct nv3_context;
struct nv3_screen;
struct sw_winsys;

/* ---- render targets (nv3_target.c) ---- */

/*
 * Alignment of pitches in bytes and of heights in lines. Heights are aligned,
 * because llvmpipe writes blocks of 4x4 pixels.
 */
#define NV3_PITCH_ALIGN 64
#define NV3_LINES_ALIGN 4

/*
 * A render target: X1R5G5B5 colour or 16 bits of depth, in VRAM while the
 * hardware draws to it. @inner is the inner screen's resource on the same
 * memory. A context holds a reference to the targets that it has selected.
 */
struct nv3_target {
   struct pipe_reference reference;
   struct nv3_bo *bo;
   void *map;
   unsigned pitch;
   unsigned width, height;
   bool zeta;
   struct pipe_resource *inner;
};

/*
 * Creates a winsys for the inner screen. The display targets of the winsys
 * are the buffers that are passed to nv3_wrap_memory(). Returns NULL if
 * memory is exhausted.
 */
struct sw_winsys *
nv3_sw_winsys_create(void);

/*
 * Creates a render target with the size of @templ. The target is a depth
 * target if @templ has a depth format. Returns NULL if memory is exhausted.
 */
struct nv3_target *
nv3_target_create(struct nv3_screen *screen, const struct pipe_resource *templ);

/*
 * Creates a mapped buffer with @cpp bytes per pixel and the size of @templ.
 * Sets @map to the mapping and @pitch to the buffer's pitch in bytes. Returns
 * NULL if memory is exhausted.
 */
struct nv3_bo *
nv3_picture_bo(struct nv3_screen *screen, const struct pipe_resource *templ,
               unsigned cpp, void **map, unsigned *pitch);

/*
 * Creates a resource of the inner screen, like @templ but with @format. Its
 * data is at @map, in the mapping of @bo.
 */
struct pipe_resource *
nv3_wrap_memory(struct nv3_screen *screen, const struct pipe_resource *templ,
                enum pipe_format format, struct nv3_bo *bo, void *map,
                unsigned stride);

void
nv3_target_destroy(struct nv3_target *target);

static inline void
nv3_target_reference(struct nv3_target **dst, struct nv3_target *src)
{
   struct nv3_target *old = *dst;

   if (pipe_reference(old ? &old->reference : NULL,
                      src ? &src->reference : NULL))
      nv3_target_destroy(old);
   *dst = src;
}

/* ---- resources ---- */

/*
 * A resource has up to three kinds of copies of its contents.
 *
 * The canonical copy belongs to the inner screen and has the requested
 * format. The render copy (@target) is created when the hardware first draws
 * to the resource. Flags record which of these two copies is stale. Textures
 * (nv3_texture.h) are copies of the canonical copy in the layout that the
 * hardware reads.
 */
struct nv3_resource {
   struct pipe_resource base;

   struct pipe_resource *canonical;
   uint8_t *data;      /* contents of a buffer, or NULL */
   struct nv3_bo *bo;  /* memory of a shared canonical copy */
   void *map;
   unsigned stride, offset;
   /*
    * @implicit: other processes must see changes after every flush. @foreign:
    * other processes may write to the resource, because it was imported, or
    * exported without PIPE_HANDLE_USAGE_EXPLICIT_FLUSH.
    */
   bool implicit, foreign;
   uint32_t seen;  /* value of screen->flushes at the last read */

   struct nv3_target *target;
   /* the last context that drew to @target; never dereferenced */
   struct nv3_context *writer;
   bool canonical_stale;
   bool target_stale;

   /* held while a context copies the resource to a texture */
   simple_mtx_t lock;
   uint64_t id;         /* unique in the process */
   /* incremented when the canonical copy's contents change */
   uint32_t serial;
};

static inline struct nv3_resource *
nv3_resource(struct pipe_resource *resource)
{
   return (struct nv3_resource *)resource;
}

void
nv3_screen_init_resource(struct nv3_screen *screen);

/*
 * True if the resource has a render copy, or if a render copy can be created.
 */
bool
nv3_resource_can_target(const struct nv3_resource *res);

/*
 * True if the alpha channel must be preserved. A window is opaque, so its alpha
 * is not preserved.
 */
bool
nv3_resource_has_alpha(const struct nv3_resource *res);

/* True if the format has fewer than 8 bits per colour, so GL may dither. */
bool
nv3_resource_is_coarse(const struct nv3_resource *res);

/*
 * Creates the render copy if necessary, updates it, and returns it. Returns
 * NULL if memory is exhausted.
 */
struct nv3_target *
nv3_resource_target(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * Returns the render copy with undefined contents. The caller must overwrite
 * the whole copy. Returns NULL if memory is exhausted.
 */
struct nv3_target *
nv3_resource_target_discard(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * Updates the canonical copy. If the copy is in a shared buffer (@bo), also
 * waits for all draws that use it.
 */
void
nv3_resource_sync_canonical(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * Marks the canonical copy as stale. Must be called after every write of @ctx to
 * the render copy.
 */
void
nv3_resource_target_written(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * Marks the render copy as stale. Must be called after every write to the
 * canonical copy.
 */
void
nv3_resource_canonical_written(struct nv3_resource *res);

/*
 * Must be called before every read of @res. Marks @res as changed if both
 * conditions are true:
 *
 * - A context has been flushed since the last read of @res.
 * - @res is foreign, or another context was the last to draw to its render
 *   copy.
 */
void
nv3_resource_refresh(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * Returns the contents of a constant buffer and sets @size to the buffer's
 * size in bytes. If @cb has no buffer, returns NULL and sets @size to 0.
 */
const void *
nv3_constants_map(const struct pipe_constant_buffer *cb, unsigned *size);

/* ---- resources that several processes share ---- */

/*
 * Makes the next flush convert those colour buffers of the framebuffer that
 * other processes can see. Must be called after the last draw to a
 * framebuffer, before the framebuffer changes.
 */
void
nv3_shared_drawn(struct nv3_context *ctx);

/*
 * Updates the canonical copies of the resources that nv3_shared_drawn() has
 * collected, and counts the flush in screen->flushes.
 */
void
nv3_shared_flush(struct nv3_context *ctx);

/* Frees the list of resources to convert. */
void
nv3_shared_fini(struct nv3_context *ctx);

#endif
