/* SPDX-License-Identifier: MIT */
/* The state of a screen, and the limits of the hardware. */
#ifndef NV3_SCREEN_H
#define NV3_SCREEN_H

#include "pipe/p_screen.h"

#include <nv3.h>

struct disk_cache;
struct nv3_resource;
struct nv3_texture_heap;
struct sw_winsys;

enum {
   NV3_DEBUG_FALLBACK = 1 << 0,  /* print why a draw uses software */
   NV3_DEBUG_SHADER = 1 << 1,    /* print how each shader was classified */
   NV3_DEBUG_STATS = 1 << 2,  /* print counters when a context is destroyed */
   NV3_DEBUG_SOFT = 1 << 3, /* draw everything in software, at full precision */
   NV3_DEBUG_CLASS17 = 1 << 4,  /* do not use class 0x1f */
   NV3_DEBUG_VS = 1 << 5,       /* print programs of class 0x1f */
   NV3_DEBUG_FS = 1 << 6,
};

/*
 * Textures of class 0x17 are square, and their size is a power of two. Pitches
 * and offsets of surfaces are multiples of 16 bytes.
 */
#define NV3_TEXTURE_LEVELS 12
/* Only the inner screen has 3D textures. */
#define NV3_TEXTURE_3D_LEVELS 9
/* The maximum number of buffers that hold textures. */
#define NV3_MAX_SLABS      32
#define NV3_SURFACE_MAX    2047
#define NV3_SURFACE_ALIGN  16

struct nv3_screen {
   struct pipe_screen base;

   int fd;
   struct nv3_device *dev;
   uint32_t debug;
   uint64_t vram;  /* bytes available for buffers */

   /* The inner screen (llvmpipe) and its winsys. */
   struct sw_winsys *ws;
   struct pipe_screen *inner;

   struct nv3_texture_heap *heap;
   /* Frees all textures of a resource. */
   void (*free_textures)(struct nv3_resource *res);
   struct disk_cache *disk_cache;  /* may be NULL */
   uint32_t flushes;
};

static inline struct nv3_screen *
nv3_screen(struct pipe_screen *screen)
{
   return (struct nv3_screen *)screen;
}

#endif
