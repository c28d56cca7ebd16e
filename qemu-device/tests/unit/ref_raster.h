/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reference implementation of class 0x17, based on docs/reference/chip/3d.md and on
 * hwtest's description of the final stages. The reference computes one pixel at a time in
 * double precision, and shares no code with the rasterizer.
 */
#ifndef REF_RASTER_H
#define REF_RASTER_H

#include "raster_rig.h"

/*
 * ref_dither() and ref_compare() return the same results as real chips (envytools,
 * nvhw/pgraph.c and pgraph_d3d_nv3.c).
 */
unsigned ref_dither(unsigned val8, unsigned x, unsigned y, bool green);
bool ref_compare(unsigned func, unsigned a, unsigned b);

/* A source pixel with 8 bits per component, and its depth. */
typedef struct RefSource {
    uint8_t r, g, b, a;
    uint16_t z;
} RefSource;

/* The contents of the surfaces at a pixel. */
typedef struct RefTarget {
    uint16_t color, zeta;
} RefTarget;

/*
 * Returns the contents of pixel @x, @y after @src has been drawn over @old. If @has_zeta
 * is false, there is no depth surface.
 */
RefTarget ref_rop(const NV3RasterState *st, bool has_zeta, unsigned x,
                  unsigned y, RefSource src, RefTarget old);

/* Returns true if the pixel is inside the triangle, by the top-left rule. */
bool ref_covers(const NV3RasterVertex v[3], int x, int y);

/* Ideal values of a pixel. Colours are 0 to 31.875, alpha is 0 to 255. */
typedef struct RefIdeal {
    double z;               /* 0 to 65536 */
    double rgb[3];
    double alpha;
    /*
     * @slack is the largest error of each component that may result from the filter's
     * 7-bit weights. With nearest filtering, @slack is 0. @tie is true if rounding may
     * make the rasterizer sample other texels.
     */
    double slack[4];
    bool tie;
} RefIdeal;

/* Values that are the same for all pixels of a triangle. */
typedef struct RefTriangle {
    const RasterRig *rig;
    NV3RasterVertex v[3];
    /* texture coordinates in texels of the base level, after cylindrical wrapping */
    double u[3], w[3];
    unsigned log2;          /* log2 of the mip level's size */
    bool level_tie;         /* the rasterizer may select a neighbouring mip level */
    bool culled;
} RefTriangle;

void ref_triangle(RefTriangle *t, const RasterRig *rig,
                  const NV3RasterVertex v[3]);
void ref_ideal(const RefTriangle *t, int x, int y, RefIdeal *out);

#endif
