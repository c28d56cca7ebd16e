/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws triangles by several threads. Triangles are collected in a batch and binned to
 * tiles of the screen, and the batch is drawn tile by tile. One thread draws a tile, in
 * the order of its triangles. Therefore the picture is identical to that of a single
 * thread (raster.h: a pixel does not depend on the rectangle by which it is drawn).
 *
 * The threads access only the batch, and only while its owner is in
 * nv3_raster_pool_join(). Outside that call no thread draws. The surfaces and textures of
 * a batch may be changed after it has been joined.
 *
 * A thread writes only pixels of its tiles. Its loops read whole blocks, and may
 * therefore read pixels of other tiles while another thread writes them. These values
 * have no effect, but a race detector reports the accesses.
 *
 * Only one thread at a time may use a pool, because a pool has no lock for its callers.
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
 * Returns true if triangles with @st can be drawn in tiles within @bounds. They
 * cannot if different pixels share memory, because lines of a surface or depth
 * and colour overlap.
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
