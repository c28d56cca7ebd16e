/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Surfaces, vertices, triangles and the state of drawing, as the rasterizer has them. */
#ifndef NV3_RASTER_TYPES_H
#define NV3_RASTER_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nv3.h"
#include "chip/rect.h"

/* More lines than any triangle has. */
#define NV3_RASTER_LINES    4096

/* 16 bits a pixel; none of the @size bytes from @base on is left. */
typedef struct NV3RasterSurface {
    uint8_t *base;          /* null: there is no such surface */
    size_t size;
    uint32_t pitch;         /* bytes */
} NV3RasterSurface;

/* A vertex as the chip latches it (D3D_XY and on). */
typedef struct NV3RasterVertex {
    int16_t x, y;           /* pixels, 12.4 */
    int16_t u, v;           /* texels of the base level, 12.4 */
    uint32_t z;             /* 24 bits, 0 is near */
    uint32_t m;             /* 1 / w: a float's exponent and 17 bits of mantissa */
    uint8_t r, g, b;
    uint8_t a;              /* 7 bits */
    uint8_t fog;            /* 0: none */
} NV3RasterVertex;

/*
 * What nv3_raster_prepare() makes of the registers. A test passes where
 * ((value >= other) & ge) ^ ((value == other) & eq) ^ inv is not zero.
 */
typedef struct NV3RasterCompare {
    uint16_t ge, eq, inv;
} NV3RasterCompare;

/* Written where (alpha is not zero | alpha) & (the depth test passes | z). */
typedef struct NV3RasterWrite {
    uint16_t alpha, z;
} NV3RasterWrite;

typedef struct NV3RasterMode {
    uint32_t flags;         /* NV3_RASTER_F_*, see raster_int.h */
    NV3RasterCompare z_test, alpha_test;
    NV3RasterWrite color_write, zeta_write;
    uint16_t src_mask;      /* blending: 0 where source or destination is zero */
    uint16_t dst_mask;
    uint16_t alpha_ref;
    uint16_t key, key_mask;
    uint16_t fog[3];        /* red, green, blue as 0.16 */
    double lod_scale;       /* what SIZE_ADJUST does to texels a pixel, squared */
    int32_t safe_rows;      /* no pixel before this line is beyond a surface */
    NV3Simd simd;       /* what is used: not BEST, and this machine has it */
} NV3RasterMode;

typedef struct NV3RasterState {
    /* Set by the caller, who then calls nv3_raster_prepare(). */
    NV3RasterSurface color;
    NV3RasterSurface zeta;
    uint32_t tex_format;    /* the registers, as the methods take them */
    uint32_t tex_filter;
    uint32_t fog_color;
    uint32_t config;
    uint32_t alpha;
    bool dither;
    NV3Simd simd;
    /*
     * The level of 2^log2 texels squared, in the form of nv3_texture_pairs() (tables.h);
     * null when it can't be had, and the triangle is not drawn. Valid until the
     * next call.
     */
    const uint32_t *(*texture)(void *opaque, unsigned log2);
    void *opaque;

    NV3RasterMode mode;
} NV3RasterState;

#define NV3_SMALL_COLORS    8

/* A triangle set up: see raster_int.h for how the numbers are to be read. */
typedef struct NV3RasterTri {
    uint32_t flags;
    /* rows [row0, row1), columns [col0, col1) hold all of it */
    int32_t row0, row_mid, row1;
    int32_t col0, col1;
    /* from top to bottom; is the edge from the first to the last on the left? */
    int32_t x[3], y[3];
    bool long_left;

    /*
     * z, m, u * m, v * m; inverse red, green, blue, alpha, and fog: the value at
     * pixel (0, 0), and the steps to the right and down.
     */
    union {
        struct {
            int64_t base[4], dx[4], dy[4];      /* 32.32, modulo 2^64 */
            int32_t cbase[8], cdx[8], cdy[8];   /* 16.16, modulo 2^32 */
        };
        /* Of a small one, from pixel (col0, row0): modulo 2^32, colours 2^16. */
        struct {
            int32_t v[3][4];
            int32_t c[3][NV3_SMALL_COLORS];
        } small;
    };

    const uint32_t *pairs;
    unsigned log2;
    float tex_scale;        /* (u * m) / m times this: 1/128 texels */
    float z_scale;          /* the same for z * m, to 16 bits */
} NV3RasterTri;

#endif
