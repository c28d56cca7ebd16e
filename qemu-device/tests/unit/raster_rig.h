/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the rasterizer's tests and benchmarks draw on: surfaces of exactly the size that
 * is needed (so that a sanitizer sees any access beyond them), textures in the
 * chip's swizzled order, and a random generator that is the same everywhere.
 */
#ifndef RASTER_RIG_H
#define RASTER_RIG_H

#include "chip/le.h"
#include "raster/raster.h"
#include "raster/tables.h"

typedef struct RasterRig {
    NV3RasterState st;
    unsigned width, height;
    uint16_t *color, *zeta; /* little endian, as VRAM is, and so are levels */
    uint16_t *raw[12];      /* levels by log2 of their size, swizzled */
    uint32_t *pairs[12];
} RasterRig;

/* A state that draws: opaque, LESS, bilinear, plain wrapping, no dithering. */
void rig_init(RasterRig *rig, unsigned width, unsigned height);
void rig_free(RasterRig *rig);
void rig_clear(RasterRig *rig, uint16_t color, uint16_t zeta);
/* Adds a level of random texels, or of one that is set. */
void rig_texture_random(RasterRig *rig, unsigned log2, uint64_t *seed);
void rig_texture_flat(RasterRig *rig, unsigned log2, uint16_t texel);
/* Adds a level from @linear, n * n texels line by line. */
void rig_texture_linear(RasterRig *rig, unsigned log2, const uint16_t *linear);
/* Sets formats and sizes of TEX_FORMAT. */
void rig_format(RasterRig *rig, unsigned format, unsigned min, unsigned max);
/* Draws after preparing the state. */
uint32_t rig_draw(RasterRig *rig, const NV3RasterVertex v[3]);

static inline uint16_t rig_pixel(const RasterRig *rig, unsigned x, unsigned y)
{
    return NV3_LE16(rig->color[y * (rig->st.color.pitch / 2) + x]);
}

static inline uint16_t rig_depth(const RasterRig *rig, unsigned x, unsigned y)
{
    return NV3_LE16(rig->zeta[y * (rig->st.zeta.pitch / 2) + x]);
}

static inline void rig_set(RasterRig *rig, unsigned x, unsigned y, uint16_t color,
                           uint16_t zeta)
{
    rig->color[y * (rig->st.color.pitch / 2) + x] = NV3_LE16(color);
    rig->zeta[y * (rig->st.zeta.pitch / 2) + x] = NV3_LE16(zeta);
}

/* Texel @i of a level, in swizzled order. */
static inline uint16_t rig_texel(const RasterRig *rig, unsigned log2, unsigned i)
{
    return NV3_LE16(rig->raw[log2][i]);
}

/* Where texel @x, @y is in a swizzled texture. */
unsigned rig_swizzle(unsigned x, unsigned y);

/* splitmix64 */
uint64_t rig_random(uint64_t *seed);
/* Uniform in [@lo, @hi]. */
int32_t rig_range(uint64_t *seed, int32_t lo, int32_t hi);

/* Tests @name_scalar, _avx2 and so on of what @function does at that level. */
#define RIG_EACH_ISA(name, function) \
    static void name##_scalar(void **state) \
    { \
        function(NV3_SIMD_SCALAR); \
    } \
    static void name##_neon(void **state) \
    { \
        function(NV3_SIMD_NEON); \
    } \
    static void name##_avx2(void **state) \
    { \
        function(NV3_SIMD_AVX2); \
    } \
    static void name##_avx512(void **state) \
    { \
        function(NV3_SIMD_AVX512); \
    } \
    static void name##_avx512vbmi2(void **state) \
    { \
        function(NV3_SIMD_AVX512_VBMI2); \
    }

/* A float as D3D_RHW holds it. */
uint32_t rig_rhw(float rhw);

#endif
