/* SPDX-License-Identifier: MIT */
#ifndef NV3_SCREEN_H
#define NV3_SCREEN_H

#include "pipe/p_screen.h"

#include <nv3.h>

struct disk_cache;
struct nv3_resource;
struct nv3_texture_heap;
struct sw_winsys;

enum {
   NV3_DEBUG_FALLBACK = 1 << 0, /* say why a draw is not the chip's */
   NV3_DEBUG_SHADER = 1 << 1,   /* what each fragment shader was taken for */
   NV3_DEBUG_STATS = 1 << 2,    /* counters, as a context ends */
   NV3_DEBUG_SOFT = 1 << 3,     /* draw nothing on the chip: full precision */
};

/*
 * The chip's limits. A texture is square and its size a power of two; a pitch
 * and an offset in a surface are multiples of 16 bytes.
 */
#define NV3_TEXTURE_LEVELS 12
/* Those of three dimensions are the inner screen's. */
#define NV3_TEXTURE_3D_LEVELS 9
/* Buffers that hold textures. */
#define NV3_MAX_SLABS      32
#define NV3_SURFACE_MAX    2047
#define NV3_SURFACE_ALIGN  16

struct nv3_screen {
   struct pipe_screen base;

   int fd;
   struct nv3_device *dev;
   uint32_t debug;
   uint64_t vram;  /* bytes that there are for buffers */

   /* The rasterizer for what the chip can't do, and its memory. */
   struct sw_winsys *ws;
   struct pipe_screen *inner;

   struct nv3_texture_heap *heap;
   /* Frees a resource's textures. */
   void (*free_textures)(struct nv3_resource *res);
   struct disk_cache *disk_cache;  /* or NULL */
   uint32_t flushes;
};

static inline struct nv3_screen *
nv3_screen(struct pipe_screen *screen)
{
   return (struct nv3_screen *)screen;
}

#endif
