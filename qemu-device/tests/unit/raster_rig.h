/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates render targets and textures for tests and benchmarks of the rasterizer. The
 * memory of surfaces has exactly the required size, so that a sanitizer detects accesses
 * outside the surfaces. Textures are in the chip's swizzled order. The random number
 * generator returns the same numbers on all hosts.
 */
#ifndef RASTER_RIG_H
#define RASTER_RIG_H

#include "chip/le.h"
#include "raster/raster.h"
#include "raster/tables.h"

typedef struct RasterRig {
    NV3RasterState st;
    unsigned width, height;
    uint16_t *color, *zeta; /* little-endian pixels, as in VRAM */
    uint16_t *raw[12];      /* swizzled mip levels, by log2 of their size */
    uint32_t *pairs[12];
} RasterRig;

/*
 * Creates surfaces, and a state with the depth test LESS, bilinear filtering and
 * repeating textures, but without blending and dithering.
 */
void rig_init(RasterRig *rig, unsigned width, unsigned height);
void rig_free(RasterRig *rig);
void rig_clear(RasterRig *rig, uint16_t color, uint16_t zeta);
/*
 * Adds the mip level with 1 << @log2 texels per side, or replaces it. Its texels are
 * random.
 */
void rig_texture_random(RasterRig *rig, unsigned log2, uint64_t *seed);
void rig_texture_flat(RasterRig *rig, unsigned log2, uint16_t texel);
/* Adds or replaces a mip level. @linear: its texels in linear order. */
void rig_texture_linear(RasterRig *rig, unsigned log2, const uint16_t *linear);
/*
 * Sets the fields of TEX_FORMAT. @min, @max: log2 of the smallest and largest mip level.
 */
void rig_format(RasterRig *rig, unsigned format, unsigned min, unsigned max);
/*
 * Prepares the state and draws a triangle. Returns the number of pixels that it covers.
 */
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

/*
 * Returns texel @i, in swizzled order, of the mip level with 1 << @log2 texels per side.
 */
static inline uint16_t rig_texel(const RasterRig *rig, unsigned log2, unsigned i)
{
    return NV3_LE16(rig->raw[log2][i]);
}

/* Returns the swizzled index of texel @x, @y. */
unsigned rig_swizzle(unsigned x, unsigned y);

/* Returns random bits (splitmix64). */
uint64_t rig_random(uint64_t *seed);
/* Returns a random number in [@lo, @hi]. */
int32_t rig_range(uint64_t *seed, int32_t lo, int32_t hi);

/*
 * Defines a test for each SIMD level, such as name_avx2(). The test calls @function with
 * this level.
 */
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

/* Converts a float to the format of D3D_RHW. */
uint32_t rig_rhw(float rhw);

#endif
