/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Class 0x17 once more, for the tests: written from docs/reference/chip/3d.md and from
 * hwtest's description of the last stages, in double precision, one pixel at a time,
 * sharing no code with the rasterizer.
 */
#ifndef REF_RASTER_H
#define REF_RASTER_H

#include "raster_rig.h"

/* Exactly what silicon's last stages do (nvhw/pgraph.c, pgraph_d3d_nv3.c). */
unsigned ref_dither(unsigned val8, unsigned x, unsigned y, bool green);
bool ref_compare(unsigned func, unsigned a, unsigned b);

/* A source pixel: 8 bits a channel; its depth. */
typedef struct RefSource {
    uint8_t r, g, b, a;
    uint16_t z;
} RefSource;

/* The surfaces at a pixel. */
typedef struct RefTarget {
    uint16_t color, zeta;
} RefTarget;

/* What becomes of @old at @x, @y; depth is tested and written when @has_zeta. */
RefTarget ref_rop(const NV3RasterState *st, bool has_zeta, unsigned x,
                  unsigned y, RefSource src, RefTarget old);

/* Is the pixel inside, by the top-left rule? */
bool ref_covers(const NV3RasterVertex v[3], int x, int y);

/* What a pixel ideally is. Colours 0 to 31.875, alpha 0 to 255. */
typedef struct RefIdeal {
    double z;               /* 0 to 65536 */
    double rgb[3];
    double alpha;
    /*
     * How far the filter's weights of 7 bits may carry a channel; nearest: not at
     * all, but then @tie says that the texel itself is in doubt.
     */
    double slack[4];
    bool tie;
} RefIdeal;

/* @tri is the triangle's constant part. */
typedef struct RefTriangle {
    const RasterRig *rig;
    NV3RasterVertex v[3];
    double u[3], w[3];      /* texels of the base level, cylinders unrolled */
    unsigned log2;          /* of the mip level */
    bool level_tie;         /* another might have been chosen */
    bool culled;
} RefTriangle;

void ref_triangle(RefTriangle *t, const RasterRig *rig,
                  const NV3RasterVertex v[3]);
void ref_ideal(const RefTriangle *t, int x, int y, RefIdeal *out);

#endif
