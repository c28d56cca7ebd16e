/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws small triangles with AVX-512 (small.h). The strip is in registers. Permutations
 * convert between the strip and a square of 8 by 8 pixels. small.c instead loads data
 * that it has just stored in units of another size, which stalls the CPU. Masked stores
 * write lines of any length.
 *
 * This file is compiled twice: by small512.c, and by small_vbmi2.c, which defines
 * NV3_SIMD_VBMI2. With VBMI2, one instruction computes the positions of the strip's
 * pixels. Without VBMI2, this takes seven comparisons.
 */
#ifndef NV3_RASTER_SMALL512_H
#define NV3_RASTER_SMALL512_H

#define NV3_SIMD_WIDE
#include "raster/small.h"

#ifdef NV3_HAVE_AVX2
/*
 * A square of 8 by 8 pixels of 16 bits: lines 0 to 3 are in @a, and lines 4 to 7 in @b.
 */
typedef struct NV3SmallSquare {
    __m512i a, b;
} NV3SmallSquare;

static SIMD_INLINE __m512i nv3_small_four(const __m128i line[4])
{
    __m256i a = _mm256_inserti128_si256(_mm256_castsi128_si256(line[0]), line[1], 1);
    __m256i b = _mm256_inserti128_si256(_mm256_castsi128_si256(line[2]), line[3], 1);

    return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
}

/* For each line, the mask of its drawn pixels. Bit 0 is the pixel at the left end. */
typedef union NV3SmallMasks {
    uint8_t line[SMALL];
    uint64_t all;
} NV3SmallMasks;

static SIMD_INLINE NV3SmallMasks nv3_small_masks(const NV3SmallLines *l)
{
    const __m128i ones = _mm_setr_epi8(0, 1, 3, 7, 15, 31, 63, 127, -1,
                                       0, 0, 0, 0, 0, 0, 0);

    return (NV3SmallMasks) {
        .all = _mm_cvtsi128_si64(_mm_shuffle_epi8(ones, nv3_small_bytes(l->width))),
    };
}

/*
 * Returns a byte for each pixel of the strip: 8 * y + x, where x is relative to the left
 * end of line y. Bytes after the last pixel are arbitrary.
 */
static SIMD_INLINE __m512i nv3_small_strip(const NV3SmallLines *l, const NV3SmallMasks *m)
{
    const __m512i places = _mm512_setr_epi64(
        0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x1716151413121110, 0x1f1e1d1c1b1a1918,
        0x2726252423222120, 0x2f2e2d2c2b2a2928, 0x3736353433323130, 0x3f3e3d3c3b3a3938);
#ifdef NV3_SIMD_VBMI2
    return _mm512_maskz_compress_epi8(m->all, places);
#else
    const __m512i starts = _mm512_broadcastq_epi64(nv3_small_bytes(l->start));
    const __m512i first = _mm512_set1_epi64(0x3830282018100800);
    __m512i y = _mm512_setzero_si512();

    /*
     * y is the number of lines with numbers from 1 to 7 that start at or before the
     * pixel.
     */
#pragma GCC unroll 7
    for (int i = 1; i < SMALL; i++) {
        __mmask64 from = _mm512_cmpge_epu8_mask(places,
            _mm512_shuffle_epi8(starts, _mm512_set1_epi8(i)));

        y = _mm512_mask_add_epi8(y, from, y, _mm512_set1_epi8(1));
    }
    return _mm512_add_epi8(places,
        _mm512_shuffle_epi8(_mm512_sub_epi8(first, starts), y));
#endif
}

/* Returns x and y of 32 pixels. @place: their bytes from nv3_small_strip(). */
static SIMD_INLINE NV3SmallGrid nv3_small_where(const NV3SmallLines *l, __m256i place)
{
    const __m256i seven = _mm256_set1_epi8(7);
    __m256i y = _mm256_and_si256(_mm256_srli_epi16(place, 3), seven);
    __m256i left = _mm256_shuffle_epi8(
        _mm256_broadcastq_epi64(nv3_small_bytes(l->left)), y);

    return nv3_small_grid(_mm256_add_epi8(left, _mm256_and_si256(place, seven)), y);
}

/* Loads 8 lines of 8 pixels. @at: offset of each line from @base. */
static SIMD_INLINE NV3SmallSquare nv3_small_load(const void *base, const NV3SmallAt *at)
{
    const uint8_t *p = base;
    __m128i line[SMALL];

#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        line[y] = _mm_loadu_si128((const void *)(p + at->byte[y]));
    }
    return (NV3SmallSquare) { nv3_small_four(line), nv3_small_four(line + 4) };
}

/*
 * Like nv3_small_load(), but reads only the triangle's pixels, because a surface may end
 * less than 8 pixels after the left end of a line.
 */
static __attribute__((noinline, target(NV3_SIMD_TARGET)))
void nv3_small_load_few(const uint8_t *base, const NV3SmallAt *at,
                        const NV3SmallMasks *m, NV3SmallSquare *square)
{
    __m128i line[SMALL];

    for (unsigned y = 0; y < SMALL; y++) {
        line[y] = _mm_maskz_loadu_epi16(m->line[y], base + at->byte[y]);
    }
    *square = (NV3SmallSquare) { nv3_small_four(line), nv3_small_four(line + 4) };
}

/*
 * For each line of the triangle, loads the 8 pixels of the surface that begin at the
 * line's left end. If not all of these pixels can be read, loads only the triangle's
 * pixels.
 */
static SIMD_INLINE NV3SmallSquare nv3_small_square(const NV3RasterSurface *s,
                                                   const NV3SmallLines *l,
                                                   const NV3SmallAt *at,
                                                   const NV3SmallMasks *m)
{
    NV3SmallSquare square;

    if (__builtin_expect(l->inside, true)) {
        return nv3_small_load(s->base, at);
    }
    nv3_small_load_few(s->base, at, m, &square);
    return square;
}

/*
 * Computes the byte offset of each line's dither bits, relative to the member @ga of the
 * first NV3DitherLine.
 */
static SIMD_INLINE void nv3_small_dither_at(const NV3SmallLines *l, NV3SmallAt *at)
{
    __m256i x = _mm256_and_si256(_mm256_set1_epi32(30), l->x2);
    __m256i y = _mm256_and_si256(_mm256_set1_epi32(15), l->row);

    _mm256_store_si256((void *)at->byte, _mm256_add_epi32(x,
        _mm256_mullo_epi32(y, _mm256_set1_epi32(sizeof(NV3DitherLine)))));
    NV3_IN_MEMORY(at->byte);
}

static SIMD_INLINE NV3SmallSquare nv3_small_dither(const NV3SmallLines *l,
                                                   uint32_t flags)
{
    const NV3DitherLine *dither =
        nv3_raster_dither_lines[(flags & NV3_RASTER_F_DITHER) != 0];
    NV3SmallAt at;

    nv3_small_dither_at(l, &at);
    return nv3_small_load(dither->ga, &at);
}

/*
 * Collects pixels of the square into a part of the strip. @from: for each of these
 * pixels, its 16-bit index in the square, from nv3_small_strip().
 */
static SIMD_INLINE __m512i nv3_small_pick(const NV3SmallSquare *s, __m512i from)
{
    return _mm512_permutex2var_epi16(s->a, from, s->b);
}

/* Returns each pixel's index in the strip, in the order of the square. */
static SIMD_INLINE NV3SmallSquare nv3_small_back(const NV3SmallLines *l)
{
    const __m512i along = _mm512_broadcast_i32x4(
        _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
    const __m512i starts = _mm512_cvtepu8_epi16(
        _mm256_broadcastq_epi64(nv3_small_bytes(l->start)));
    const __m512i line = _mm512_setr_epi64(
        0, 0, 0x0001000100010001, 0x0001000100010001,
        0x0002000200020002, 0x0002000200020002,
        0x0003000300030003, 0x0003000300030003);

    return (NV3SmallSquare) {
        _mm512_add_epi16(along, _mm512_permutexvar_epi16(line, starts)),
        _mm512_add_epi16(along, _mm512_permutexvar_epi16(
            _mm512_add_epi16(line, _mm512_set1_epi16(4)), starts)),
    };
}

/*
 * Returns line @i (0 to 3) of @lines. Uses a switch, because Clang requires a constant
 * index for the intrinsic before it unrolls the calling loop.
 */
static SIMD_INLINE __m128i nv3_small_line(__m512i lines, unsigned i)
{
    switch (i) {
    case 0:
        return _mm512_castsi512_si128(lines);
    case 1:
        return _mm512_extracti32x4_epi32(lines, 1);
    case 2:
        return _mm512_extracti32x4_epi32(lines, 2);
    default:
        return _mm512_extracti32x4_epi32(lines, 3);
    }
}

/* Writes the strip to a surface. @a: pixels 0 to 31 of the strip. @b: pixels 32 to 63. */
static SIMD_INLINE void nv3_small_put(const NV3RasterSurface *s, const NV3SmallAt *at,
                                      const NV3SmallMasks *m,
                                      const NV3SmallSquare *back, __m512i a,
                                      __m512i b)
{
    const __m512i four[2] = { _mm512_permutex2var_epi16(a, back->a, b),
                              _mm512_permutex2var_epi16(a, back->b, b) };

#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        _mm_mask_storeu_epi16(s->base + at->byte[y], m->line[y],
                              nv3_small_line(four[y / 4], y & 3));
    }
}

static SIMD_INLINE uint32_t nv3_small(const NV3RasterState *st, const NV3RasterTri *t,
                                      const NV3Rect *rect, bool bilinear,
                                      const uint32_t fmt, const uint32_t may)
{
    const uint32_t flags = t->flags & may;
    const __m512i none = _mm512_setzero_si512();
    NV3SmallSquare color = { none, none }, zeta = color, dither, back;
    NV3Target out[2] = { { none, none }, { none, none } };
    NV3SmallAt color_at, zeta_at;
    NV3SmallMasks masks;
    bool drawn = false;
    NV3SmallLines l;
    __m512i strip;
    NV3Avx2 k;

    nv3_small_init(st, t, rect, &l, &k);
    if (!l.pixels) {
        return 0;
    }
    dither = nv3_small_dither(&l, flags);
    masks = nv3_small_masks(&l);
    strip = nv3_small_strip(&l, &masks);
    if (flags & NV3_RASTER_F_COLOR) {
        nv3_small_at(&st->color, &l, &color_at);
        color = nv3_small_square(&st->color, &l, &color_at, &masks);
    }
    if (flags & NV3_RASTER_F_ZETA) {
        nv3_small_at(&st->zeta, &l, &zeta_at);
        zeta = nv3_small_square(&st->zeta, &l, &zeta_at, &masks);
    }
    for (uint32_t i = 0; i < l.pixels; i += 32) {
        __m256i place = _mm512_castsi512_si256(strip);
        __m512i from = _mm512_cvtepu8_epi16(place);
        __m512i ga = nv3_small_pick(&dither, from);
        NV3Target target = {
            .color = nv3_small_pick(&color, from),
            .zeta = nv3_small_pick(&zeta, from),
        };

        drawn |= nv3_small_step(&k, nv3_small_where(&l, place), l.pixels - i, &target,
                                nv3_small_dither_rb(ga, flags), ga, bilinear, fmt,
                                flags);
        out[i / 32] = target;
        /* Continues with the other half. */
        strip = _mm512_shuffle_i64x2(strip, strip, 0x4e);
    }
    if (!drawn) {
        return l.pixels;
    }
    back = nv3_small_back(&l);
    if (flags & NV3_RASTER_F_COLOR) {
        nv3_small_put(&st->color, &color_at, &masks, &back, out[0].color, out[1].color);
    }
    if (flags & NV3_RASTER_F_ZWRITE) {
        nv3_small_put(&st->zeta, &zeta_at, &masks, &back, out[0].zeta, out[1].zeta);
    }
    return l.pixels;
}

NV3_SMALL_LOOPS
#endif
#endif
