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
 * A resource is there up to three times. The canonical is the inner screen's, in
 * the format that was asked for. The target, made when the chip first draws to
 * it, may be newer than the canonical or older. Textures (nv3_texture.h) are
 * made from the canonical when the chip is to read it.
 */
struct nv3_resource {
   struct pipe_resource base;

   struct pipe_resource *canonical;
   void *data;          /* a buffer's bytes, or null */
   struct nv3_bo *bo;   /* the canonical's memory, when others share it */
   void *map;
   unsigned stride, offset;
   /*
    * nv3_share.h: others see it after any flush; others may write to it, as it was
    * imported, or exported without an agreement on when it is flushed.
    */
   bool implicit, foreign;
   uint32_t seen;          /* the screen's flushes, when it was last read */

   struct nv3_target *target;
   bool target_is_canonical;  /* the same memory */
   bool canonical_stale;
   bool target_stale;

   simple_mtx_t textures_lock;  /* contexts that share it */
   struct nv3_texture *textures;
   uint8_t brightness;     /* of the last of them, on average, of 255 */
   float loss[2];          /* of it (nv3_texels_loss) */
   uint32_t serial;        /* of the canonical's content */

   /* Buffers: a number that no other content has, and who may be changing it. */
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
   /* The inner context's, on the canonical and on the target; made when used. */
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

/* Whether the chip could draw to it, now or once it has a target. */
bool
nv3_resource_can_target(const struct nv3_resource *res);

/*
 * Whether what is in its alpha channel matters. A window's does not: it is
 * drawn without, and shown as opaque.
 */
bool
nv3_resource_has_alpha(const struct nv3_resource *res);

/* Its target, made if need be, with the newest content. NULL: no memory. */
struct nv3_target *
nv3_resource_target(struct nv3_context *ctx, struct nv3_resource *res);

/* The same, for when all of it is about to be overwritten. */
struct nv3_target *
nv3_resource_target_discard(struct nv3_context *ctx, struct nv3_resource *res);

/* Brings the canonical up to date, and has the CPU wait for it. */
void
nv3_resource_sync_canonical(struct nv3_context *ctx, struct nv3_resource *res);

/* Until nobody writes to its target, which it has. */
void
nv3_resource_wait_target(struct nv3_context *ctx, struct nv3_resource *res);

/* The chip, or the inner context, has drawn to the target. */
void
nv3_resource_target_written(struct nv3_resource *res);

/* A number for what is in a buffer; 0 while it is mapped for writing. */
static inline uint64_t
nv3_buffer_content(const struct nv3_resource *res)
{
   return res->write_maps ? 0 : res->content;
}

/* It is something else from now on. */
void
nv3_buffer_changed(struct nv3_resource *res);

/* Someone has written to the canonical. */
void
nv3_resource_canonical_written(struct nv3_resource *res);

/*
 * Must precede every read of @res: marks what another process may have written
 * since the last flush as new.
 */
void
nv3_resource_refresh(struct nv3_context *ctx, struct nv3_resource *res);

/* The bytes of a constant buffer and their number; NULL and 0 if none is set. */
const void *
nv3_constants_map(const struct nv3_constants *constants, unsigned *size);

/* nv3_transfer.c, nv3_blit.c */
void
nv3_init_transfer(struct nv3_context *ctx);
void
nv3_init_blit(struct nv3_context *ctx);

#endif
