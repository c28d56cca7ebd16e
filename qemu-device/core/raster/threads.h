/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws triangles with several threads. The caller collects triangles in a batch, which
 * is binned into tiles of the surface. The threads draw the batch tile by tile. A single
 * thread draws all triangles of a tile, in the order of submission. Therefore the picture
 * does not depend on the number of threads. raster.h explains why it does not depend on
 * tiles either.
 *
 * The workers access a batch only while a caller is in nv3_raster_pool_join() or
 * nv3_raster_pool_push(). Until the batch has been joined, its surfaces and textures
 * must not be changed.
 *
 * A thread writes only pixels of its tiles. The span loops read whole blocks, and may
 * therefore read pixels of a tile that another thread is drawing. The values read have
 * no effect, but a race detector reports the accesses.
 *
 * Only one thread at a time may use a pool, because a pool has no lock for its callers.
 */
#ifndef NV3_RASTER_THREADS_H
#define NV3_RASTER_THREADS_H

#include "api/nv3.h"
#include "raster/raster.h"

typedef struct NV3RasterPool NV3RasterPool;

/*
 * @threads: number of threads including the caller, 2 to NV3_RASTER_THREADS_MAX.
 * Returns NULL if memory is exhausted. The pool has fewer threads if the system refuses
 * to create more.
 */
NV3RasterPool *nv3_raster_pool_new(unsigned threads);
/* Frees the pool. Triangles that have not been drawn are dropped. */
void nv3_raster_pool_free(NV3RasterPool *p);

/*
 * Returns true if triangles with @st can be drawn in tiles within @bounds. Returns false
 * if two pixels may share memory, because a surface's lines overlap each other, or
 * because the depth surface overlaps the colour surface.
 */
bool nv3_raster_pool_can(const NV3RasterState *st, const NV3Rect *bounds);

/*
 * Adds the part of @tri in @rect to the batch. Copies @st, for which
 * nv3_raster_pool_can() must be true. Draws the current batch first if it is full, or if
 * its surfaces differ from the surfaces of @st.
 */
void nv3_raster_pool_push(NV3RasterPool *p, const NV3RasterState *st,
                          const NV3RasterTri *tri, const NV3Rect *rect);

/* Draws the batch. Returns the number of pixels drawn since the previous call. */
uint64_t nv3_raster_pool_join(NV3RasterPool *p);

#endif
