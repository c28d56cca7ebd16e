/* SPDX-License-Identifier: MIT */
#ifndef NV3_RESOURCE_H
#define NV3_RESOURCE_H

#include "pipe/p_state.h"
#include "util/simple_mtx.h"
#include "util/u_inlines.h"

#include "nv3_screen.h"

struct nv3_context;
struct nv3_texture;

/*
 * What the chip draws to: an X1R5G5B5 picture or 16 bits of depth in VRAM, of
 * which the inner screen has a resource on the same memory. Counted, as a
 * context's surface objects are on it.
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
 * A resource is there up to three times. The master is the inner screen's, in
 * the format that was asked for. The target, made when the chip first draws to
 * it, may be newer than the master or older. Textures (nv3_texture.h) are
 * made from the master when the chip is to read it.
 */
struct nv3_resource {
   struct pipe_resource base;

   struct pipe_resource *master;
   void *data;          /* a buffer's bytes, or null */
   struct nv3_bo *bo;   /* the master's memory, when others share it */
   void *map;
   unsigned stride, offset;
   /*
    * nv3_share.h: others see it after any flush; others may write to it, as it was
    * imported, or exported without an agreement on when it is flushed.
    */
   bool implicit, foreign;
   uint32_t seen;          /* the screen's flushes, when it was last read */

   struct nv3_target *target;
   bool target_is_master;  /* the same memory */
   bool master_stale;
   bool target_stale;

   simple_mtx_t textures_lock;  /* contexts that share it */
   struct nv3_texture *textures;
   uint8_t brightness;     /* of the last of them, on average, of 255 */
   float loss[2];          /* of it (nv3_texels_loss) */
   uint32_t serial;        /* of the master's content */

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
   /* The inner context's, on the master and on the target; made when used. */
   struct pipe_surface *master;
   struct pipe_surface *target;
};

static inline struct nv3_surface_view *
nv3_surface_view(struct pipe_surface *surface)
{
   return (struct nv3_surface_view *)surface;
}

void
nv3_screen_init_resource(struct nv3_screen *screen);

/* A picture that is no resource's. NULL without memory. */
struct nv3_target *
nv3_target_create(struct nv3_screen *screen, unsigned width, unsigned height);
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

/* Line @y of it, from pixel @x on. */
static inline uint16_t *
nv3_target_line(const struct nv3_target *target, unsigned x, unsigned y)
{
   return (uint16_t *)((uint8_t *)target->map + (size_t)y * target->pitch) + x;
}

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

/* Brings the master up to date, and has the CPU wait for it. */
void
nv3_resource_sync_master(struct nv3_context *ctx, struct nv3_resource *res);

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

/* Someone has written to the master. */
void
nv3_resource_master_written(struct nv3_resource *res);

#endif
