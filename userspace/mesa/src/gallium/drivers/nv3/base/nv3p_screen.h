/* SPDX-License-Identifier: MIT */
/* Declares the screen of the backend for class 0x1f. */
#ifndef NV3P_SCREEN_H
#define NV3P_SCREEN_H

#include "pipe/p_screen.h"
#include "util/list.h"
#include "util/simple_mtx.h"
#include "util/vma.h"

#include <nv3.h>

struct disk_cache;
struct hash_table;
struct nv3p_reports;

/*
 * The maximum number of reports. A report is a time and a sample count that the
 * chip writes to memory. A query needs two reports for each interval in which
 * it is active.
 */
#define NV3P_REPORTS 4096

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
   simple_mtx_t bo_lock;
   struct util_vma_heap heap;
   struct hash_table *shared;  /* shared buffers, by GEM handle */
   struct list_head unused;
   uint64_t unused_bytes;
   simple_mtx_t storage_lock;  /* see nv3p_resource.bo */
   struct nv3p_reports *reports;  /* of nv3p_query.c */
};

static inline struct nv3p_screen *
nv3p_screen(struct pipe_screen *screen)
{
   return (struct nv3p_screen *)screen;
}

/*
 * Creates the screen of a chip that has class 0x1f. Takes ownership of @fd and
 * @dev, even on failure.
 */
struct pipe_screen *
nv3p_screen_create(int fd, struct nv3_device *dev, uint32_t debug);

/*
 * Create and destroy the address space (nv3p_bo.c). Creation returns false on
 * failure.
 */
bool
nv3p_screen_init_bos(struct nv3p_screen *screen);
void
nv3p_screen_fini_bos(struct nv3p_screen *screen);

/* Creates Mesa's transfer helper (nv3p_transfer.c). */
void
nv3p_screen_init_transfer(struct nv3p_screen *screen);

/*
 * Create and destroy the buffer for reports (nv3p_query.c). Creation returns
 * false on failure.
 */
bool
nv3p_screen_init_reports(struct nv3p_screen *screen);
void
nv3p_screen_fini_reports(struct nv3p_screen *screen);

#endif
