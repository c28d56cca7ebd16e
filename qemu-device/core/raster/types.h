/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rasterizer's types: surfaces, vertices, triangles and the drawing state. */
#ifndef NV3_RASTER_TYPES_H
#define NV3_RASTER_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nv3.h"
#include "chip/rect.h"

/* Maximum number of lines of a triangle. */
#define NV3_RASTER_LINES    4096

/* A surface of 16 bits per pixel. Only the @size bytes at @base may be accessed. */
typedef struct NV3RasterSurface {
    uint8_t *base;          /* null if there is no such surface */
    size_t size;
    uint32_t pitch;         /* bytes */
} NV3RasterSurface;

/* A vertex, in the formats of the registers D3D_XY and following. */
typedef struct NV3RasterVertex {
    int16_t x, y;           /* pixels, 12.4 */
    int16_t u, v;           /* texels of the base level, 12.4 */
    uint32_t z;             /* 24 bits, 0 is near */
    uint32_t m;             /* 1 / w: exponent and upper 17 mantissa bits of a float */
    uint8_t r, g, b;
    uint8_t a;              /* 7 bits */
    uint8_t fog;            /* 0 for no fog */
} NV3RasterVertex;

/*
 * A comparison function. A value passes if this expression is not zero:
 *
 *   ((value >= other) & ge) ^ ((value == other) & eq) ^ inv
 *
 * nv3_raster_prepare() computes the fields from the registers.
 */
typedef struct NV3RasterCompare {
    uint16_t ge, eq, inv;
} NV3RasterCompare;

/*
 * Write enables. Pixels with an alpha of zero are written only if @alpha is set. Pixels
 * that fail the depth test are written only if @z is set.
 */
typedef struct NV3RasterWrite {
    uint16_t alpha, z;
} NV3RasterWrite;

typedef struct NV3RasterMode {
    uint32_t flags;         /* NV3_RASTER_F_*, see raster_int.h */
    NV3RasterCompare z_test, alpha_test;
    NV3RasterWrite color_write, zeta_write;
    uint16_t src_mask;      /* mask of the source colour in blending: 0 or 0xffff */
    uint16_t dst_mask;      /* the same for the destination */
    uint16_t alpha_ref;
    uint16_t key, key_mask;
    uint16_t fog[3];        /* red, green, blue as 0.16 */
    double lod_scale;     /* SIZE_ADJUST, as a factor of the number of texels per pixel */
    /* all lines before this one have NV3_RASTER_MAX_X accessible pixels */
    int32_t safe_rows;
    NV3Simd simd;       /* the SIMD level in use, never NV3_SIMD_AUTO */
} NV3RasterMode;

typedef struct NV3RasterState {
    /* The caller sets the fields before @mode, and then calls nv3_raster_prepare(). */
    NV3RasterSurface color;
    NV3RasterSurface zeta;
    uint32_t tex_format;    /* five registers with the arguments of methods */
    uint32_t tex_filter;
    uint32_t fog_color;
    uint32_t config;
    uint32_t alpha;
    bool dither;
    NV3Simd simd;
    /*
     * Returns the mip level of 2^@log2 by 2^@log2 texels in the format of
     * nv3_texture_pairs() (tables.h). The result is valid until the next call. Returns
     * null if the level is not available. In this case, the triangle is not drawn.
     */
    const uint32_t *(*texture)(void *opaque, unsigned log2);
    void *opaque;

    NV3RasterMode mode;
} NV3RasterState;

#define NV3_SMALL_COLORS    8

/* The result of a triangle's set-up. raster_int.h describes the formats of numbers. */
typedef struct NV3RasterTri {
    uint32_t flags;
    /* all pixels are in rows [row0, row1) and columns [col0, col1) */
    int32_t row0, row_mid, row1;
    int32_t col0, col1;
    /*
     * Vertices from top to bottom. @long_left is true if the edge from the first to the
     * last vertex is on the left.
     */
    int32_t x[3], y[3];
    bool long_left;

    /*
     * Planes of the attributes: the value at pixel (0, 0), the step to the right, and the
     * step down. @base, @dx and @dy have z, m, u * m and v * m. @cbase, @cdx and @cdy
     * have inverted red, green, blue and alpha, and then fog.
     */
    union {
        struct {
            int64_t base[4], dx[4], dy[4];      /* 32.32, modulo 2^64 */
            int32_t cbase[8], cdx[8], cdy[8];   /* 16.16, modulo 2^32 */
        };
        /*
         * Planes of a small triangle: the values at pixel (col0, row0), the steps to the
         * right, and the steps down. @v is modulo 2^32, and @c modulo 2^16.
         */
        struct {
            int32_t v[3][4];
            int32_t c[3][NV3_SMALL_COLORS];
            /*
             * With AVX2: the first and the end column of each of 8 lines, starting with
             * line row0. They are relative to col0.
             */
            int8_t ends[2][8];
        } small;
    };

    const uint32_t *pairs;
    unsigned log2;
    float tex_scale;        /* converts (u * m) / m to 1/128 of a texel */
    float z_scale;          /* converts (z * m) / m to 16 bits */
} NV3RasterTri;

#endif
