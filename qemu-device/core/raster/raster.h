/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rasterizer of class 0x17. It draws triangles to an X1R5G5B5 surface, with
 * texturing, Gouraud shading, fog and a depth test.
 *
 * The rasterizer does not use NV3State, so that tests and benchmarks can run it
 * separately. The rasterizer reads and writes memory only through the pointers in an
 * NV3RasterState. docs/reference/chip/3d.md states which behaviour is known from silicon,
 * and which behaviour this model has chosen.
 *
 * A triangle is set up once. After the set-up, threads may draw rectangular parts of the
 * triangle in any order, because the attributes at a pixel depend only on the triangle
 * and on the pixel's position.
 */
#ifndef NV3_RASTER_RASTER_H
#define NV3_RASTER_RASTER_H

#include "raster/types.h"

void nv3_raster_prepare(NV3RasterState *st);

/* Computes @tri from three vertices. Returns false if the triangle draws nothing. */
bool nv3_raster_setup(const NV3RasterState *st, const NV3RasterVertex *v0,
                      const NV3RasterVertex *v1, const NV3RasterVertex *v2,
                      NV3RasterTri *tri);

/*
 * Draws the part of a triangle in @rect, which may be larger than the surfaces. Returns
 * the number of pixels that the triangle covers in @rect.
 */
uint32_t nv3_raster_draw(const NV3RasterState *st, const NV3RasterTri *tri,
                         const NV3Rect *rect);

/*
 * Like nv3_raster_draw(), but @rect must not be empty. It must be within the triangle's
 * bounds and within the surfaces.
 */
uint32_t nv3_raster_draw_part(const NV3RasterState *st, const NV3RasterTri *tri,
                              const NV3Rect *rect);

/*
 * Sets up a triangle, and draws the part of it in @rect. Returns the number of pixels
 * that the triangle covers in @rect.
 */
uint32_t nv3_raster_triangle(const NV3RasterState *st,
                             const NV3RasterVertex *v0,
                             const NV3RasterVertex *v1,
                             const NV3RasterVertex *v2, const NV3Rect *rect);

#endif
