/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Triangles drawn by several threads: they are put in a batch and binned to tiles of
 * the screen, and the batch is drawn tile by tile. A tile is one thread's at a
 * time, which draws what touches it in the order that it came in; so the picture is
 * that of one thread, bit for bit (raster.h: a pixel does not depend on the
 * rectangle that it is drawn by).
 *
 * The threads touch nothing but a batch, and only while its owner is in
 * nv3_raster_pool_join(): outside that call nobody draws, and whatever a batch
 * refers to (surfaces, textures) may be changed once it has been joined.
 *
 * A thread writes only pixels of its tiles. It may read others next to them, while
 * their owner writes them, as its loops read whole blocks; what it reads there has no
 * effect. (A race detector tells of that.)
 *
 * A pool belongs to one thread at a time; it has no lock of its own for callers.
 */
#ifndef NV3_RASTER_THREADS_H
#define NV3_RASTER_THREADS_H

#include "api/nv3.h"
#include "raster/raster.h"

typedef struct NV3RasterPool NV3RasterPool;

/*
 * @threads: 2 to NV3_RASTER_THREADS_MAX, including the caller. Returns NULL if memory
 * is exhausted. The pool has fewer threads if the system refuses to create them.
 */
NV3RasterPool *nv3_raster_pool_new(unsigned threads);
/* Drops a batch that has not been joined. */
void nv3_raster_pool_free(NV3RasterPool *p);

/*
 * Returns true if triangles with @st can be drawn in tiles within @bounds. They cannot
 * if different pixels share memory, because lines overlap, or depth and colour.
 */
bool nv3_raster_pool_can(const NV3RasterState *st, const NV3Rect *bounds);

/*
 * Adds the part of @tri in @rect to the batch. @st is copied. nv3_raster_pool_can()
 * must be true for it. Joins first if the batch is full or has other surfaces.
 */
void nv3_raster_pool_push(NV3RasterPool *p, const NV3RasterState *st,
                          const NV3RasterTri *tri, const NV3Rect *rect);

/* Draws the batch. Returns the number of pixels drawn since the previous call. */
uint64_t nv3_raster_pool_join(NV3RasterPool *p);

#endif
