/* SPDX-License-Identifier: MIT */
/*
 * A deliberate error in drawing, for the test of --lockstep. The linker replaces two functions of
 * SIMD level AVX2 with the functions in this file (-Wl,--wrap in qemu-device/tools/meson.build).
 * These functions call the original functions and then invert one bit of a result. One function
 * returns a pixel of class 0x17, and the other one returns the coverage of a triangle of class
 * PROGRAMS.
 */
#include "geometry/geom_coverage.h"
#include "raster/types.h"

/* Later draws could hide a single wrong result, so every TRIANGLESth result is wrong. */
#define TRIANGLES	50u

uint32_t __real_nv3_raster_draw_avx2(const NV3RasterState *st, const NV3RasterTri *t,
				     const NV3Rect *rect);
uint32_t __wrap_nv3_raster_draw_avx2(const NV3RasterState *st, const NV3RasterTri *t,
				     const NV3Rect *rect);
unsigned int __real_nv3_geom_cover_avx2(const NV3GeomEdges *edges, NV3GeomCovered covered[64]);
unsigned int __wrap_nv3_geom_cover_avx2(const NV3GeomEdges *edges, NV3GeomCovered covered[64]);

uint32_t __wrap_nv3_raster_draw_avx2(const NV3RasterState *st, const NV3RasterTri *t,
				     const NV3Rect *rect)
{
	static unsigned int triangles;
	uint32_t pixels = __real_nv3_raster_draw_avx2(st, t, rect);
	int32_t x = t->col0 > rect->x0 ? t->col0 : rect->x0;
	int32_t y = t->row0 > rect->y0 ? t->row0 : rect->y0;

	if (pixels && x < rect->x1 && y < rect->y1 && ++triangles % TRIANGLES == 0)
		st->color.base[(uint32_t)y * st->color.pitch + x * 2] ^= 1;
	return pixels;
}

unsigned int __wrap_nv3_geom_cover_avx2(const NV3GeomEdges *edges, NV3GeomCovered covered[64])
{
	static unsigned int triangles;
	unsigned int blocks = __real_nv3_geom_cover_avx2(edges, covered);

	if (blocks && covered[0].mask & (covered[0].mask - 1) && ++triangles % TRIANGLES == 0)
		covered[0].mask ^= covered[0].mask & -covered[0].mask;
	return blocks;
}
