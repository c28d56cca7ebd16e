/* SPDX-License-Identifier: MIT */
#ifndef NV3_RESOURCE_H
#define NV3_RESOURCE_H

#include "pipe/p_state.h"
#include "util/simple_mtx.h"
#include "util/u_inlines.h"

#include "base/nv3_screen.h"
#include "channel/nv3_target.h"

struct nv3_constants;
struct nv3_context;
struct nv3_texture;

/*
 * A resource has up to three kinds of copies.
 *
 * The canonical copy belongs to the inner screen and has the requested format.
 * The render copy (@target) is created when the hardware first draws to the
 * resource. Flags record which of the two is stale. Textures (nv3_texture.h)
 * are copies of the canonical copy in the layout that the hardware reads.
 */
struct nv3_resource {
   struct pipe_resource base;

   struct pipe_resource *canonical;
   void *data;         /* contents of a buffer, or NULL */
   struct nv3_bo *bo;  /* memory of a shared canonical copy */
   void *map;
   unsigned stride, offset;
   /*
    * @implicit: other processes see changes after every flush. @foreign: other
    * processes may write to it, because it was imported, or exported without an
    * agreement on flushes (nv3_shared.h).
    */
   bool implicit, foreign;
   uint32_t seen;  /* value of screen->flushes at the last read */

   struct nv3_target *target;
   bool target_is_canonical;  /* both are in the same memory */
   bool canonical_stale;
   bool target_stale;

   /* Protects the members below, which several contexts may use. */
   simple_mtx_t textures_lock;
   struct nv3_texture *textures;
   uint8_t brightness;  /* average of the newest texture, 0 to 255 */
   float loss[2];       /* of the newest texture (nv3_texels_loss) */
   uint32_t serial;     /* changes with the canonical copy's contents */

   /*
    * For buffers: a number that is unique for the contents, and the count of
    * mappings for writing.
    */
   uint64_t content;
   unsigned write_maps;
};

static inline struct nv3_resource *
nv3_resource(struct pipe_resource *resource)
{
   return (struct nv3_resource *)resource;
}

struct nv3_surface_view {
   struct pipe_surface base;
   /* The inner context's surfaces for both copies, created on first use. */
   struct pipe_surface *canonical;
   struct pipe_surface *target;
};

static inline struct nv3_surface_view *
nv3_surface_view(struct pipe_surface *surface)
{
   return (struct nv3_surface_view *)surface;
}

void
nv3_screen_init_resource(struct nv3_screen *screen);

/* True if the resource has a render copy or may get one. */
bool
nv3_resource_can_target(const struct nv3_resource *res);

/*
 * True if the alpha channel must be preserved. A window is opaque, so its alpha
 * is not preserved.
 */
bool
nv3_resource_has_alpha(const struct nv3_resource *res);

/*
 * Returns the render copy, created if necessary and up to date. Returns NULL
 * without memory.
 */
struct nv3_target *
nv3_resource_target(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * Returns the render copy for a caller that overwrites all of it. Its contents
 * are undefined. Returns NULL without memory.
 */
struct nv3_target *
nv3_resource_target_discard(struct nv3_context *ctx, struct nv3_resource *res);

/* Updates the canonical copy and waits until it is not in use. */
void
nv3_resource_sync_canonical(struct nv3_context *ctx, struct nv3_resource *res);

/* Waits until the render copy, which must exist, is not in use. */
void
nv3_resource_wait_target(struct nv3_context *ctx, struct nv3_resource *res);

/* Must follow every write to the render copy. */
void
nv3_resource_target_written(struct nv3_resource *res);

/*
 * Returns a number that identifies the contents of a buffer, or 0 while the
 * buffer is mapped for writing.
 */
static inline uint64_t
nv3_buffer_content(const struct nv3_resource *res)
{
   return res->write_maps ? 0 : res->content;
}

/* Must follow every change of a buffer's contents. */
void
nv3_buffer_changed(struct nv3_resource *res);

/* Must follow every write to the canonical copy. */
void
nv3_resource_canonical_written(struct nv3_resource *res);

/*
 * Must precede every read of @res. It marks a foreign resource as changed if
 * there was a flush since the last read.
 */
void
nv3_resource_refresh(struct nv3_context *ctx, struct nv3_resource *res);

/*
 * Returns the contents of a constant buffer and sets its size. Returns NULL
 * and the size 0 if there is none.
 */
const void *
nv3_constants_map(const struct nv3_constants *constants, unsigned *size);

void
nv3_init_transfer(struct nv3_context *ctx);
void
nv3_init_blit(struct nv3_context *ctx);

#endif
