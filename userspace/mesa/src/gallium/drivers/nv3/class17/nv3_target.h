/* SPDX-License-Identifier: MIT */
#ifndef NV3_TARGET_H
#define NV3_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"
#include "util/u_inlines.h"

struct nv3_bo;
struct nv3_screen;
struct sw_winsys;

/*
 * Alignment of pitches in bytes and of heights in lines. llvmpipe writes blocks
 * of 4x4 pixels.
 */
#define NV3_PITCH_ALIGN 64
#define NV3_LINES_ALIGN 4

/*
 * A render target: X1R5G5B5 colour or 16 bits of depth in VRAM. @inner is the
 * inner screen's resource on the same memory. References are counted because
 * surface objects refer to it.
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
 * Creates a winsys for the inner screen, whose display targets are buffers of
 * nv3_wrap_memory(). Returns NULL without memory.
 */
struct sw_winsys *
nv3_sw_winsys_create(void);

/*
 * Creates a render target with the size of @templ. It is a depth target if
 * @templ has a depth format. Returns NULL without memory.
 */
struct nv3_target *
nv3_target_create(struct nv3_screen *screen, const struct pipe_resource *templ);

/*
 * Creates a mapped buffer for a picture of @cpp bytes per pixel with the size
 * of @templ. Returns NULL without memory.
 */
struct nv3_bo *
nv3_picture_bo(struct nv3_screen *screen, const struct pipe_resource *templ,
               unsigned cpp, void **map, unsigned *pitch);

/*
 * Creates the inner screen's resource for @templ with its data at @map in
 * @bo.
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

#endif
