/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small triangles with AVX-512 (raster_small.h). The strip is in registers: permutations
 * make it of the triangle's 8 by 8 pixels and those again of it, where AVX2 has to
 * read from memory what it has only just written in other pieces. Masks write a line
 * without looking at how long it is.
 */
#define NV3_SIMD_WIDE
#include "raster_small.h"

#ifdef NV3_RASTER_HAVE_AVX2
/* 8 by 8 pixels of 16 bits, lines 0 to 3 and 4 to 7. */
typedef struct NV3SmallSquare {
    __m512i a, b;
} NV3SmallSquare;

static SIMD_INLINE __m512i nv3_small_four(const __m128i line[4])
{
    __m256i a = _mm256_inserti128_si256(_mm256_castsi128_si256(line[0]), line[1], 1);
    __m256i b = _mm256_inserti128_si256(_mm256_castsi128_si256(line[2]), line[3], 1);

    return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
}

/* What a surface holds from the left end of each line on. */
static SIMD_INLINE NV3SmallSquare nv3_small_square(const NV3RasterSurface *s,
                                                     const NV3RasterTri *t,
                                                     const NV3SmallLines *l)
{
    __m128i line[SMALL];

#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        const uint8_t *p = nv3_raster_row(s, l->row[y]) +
                           2 * (t->col0 + l->left[y]);

        if (__builtin_expect(l->inside, true)) {
            line[y] = _mm_loadu_si128((const void *)p);
        } else {
            line[y] = _mm_maskz_loadu_epi16((1u << l->width[y]) - 1, p);
        }
    }
    return (NV3SmallSquare) { nv3_small_four(line), nv3_small_four(line + 4) };
}

static SIMD_INLINE NV3SmallSquare nv3_small_dither(const NV3RasterTri *t,
                                                     const NV3SmallLines *l,
                                                     uint32_t flags)
{
    const NV3DitherLine *dither =
        nv3_raster_dither_lines[(flags & NV3_RASTER_F_DITHER) != 0];
    __m128i line[SMALL];

#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        line[y] = _mm_loadu_si128((const void *)
            (dither[l->row[y] & 15].ga + ((t->col0 + l->left[y]) & 15)));
    }
    return (NV3SmallSquare) { nv3_small_four(line), nv3_small_four(line + 4) };
}

/* Pixels of the square as @from, line * 8 + x from the line's left, has them. */
static SIMD_INLINE __m512i nv3_small_pick(const NV3SmallSquare *s, __m512i from)
{
    return _mm512_permutex2var_epi16(s->a, from, s->b);
}

/* Of each pixel in the square, the place in the strip: its line's start and on. */
static SIMD_INLINE NV3SmallSquare nv3_small_back(const NV3SmallLines *l)
{
    const __m512i along = _mm512_broadcast_i32x4(
        _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
    const __m512i starts = _mm512_cvtepu8_epi16(_mm256_set1_epi64x(l->starts));
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

/* Clang wants a constant for which, before it unrolls the loop that makes one. */
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

/* Writes the strip, @a and behind it @b, to a surface. */
static SIMD_INLINE void nv3_small_put(const NV3RasterSurface *s, const NV3RasterTri *t,
                                      const NV3SmallLines *l,
                                      const NV3SmallSquare *back, __m512i a,
                                      __m512i b)
{
    const __m512i four[2] = { _mm512_permutex2var_epi16(a, back->a, b),
                              _mm512_permutex2var_epi16(a, back->b, b) };

#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        uint8_t *p = nv3_raster_row(s, l->row[y]) + 2 * (t->col0 + l->left[y]);

        _mm_mask_storeu_epi16(p, (1u << l->width[y]) - 1,
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
    bool drawn = false;
    NV3SmallLines l;
    NV3Avx2 k;

    nv3_small_init(st, t, rect, &l, &k);
    if (!l.pixels) {
        return 0;
    }
    dither = nv3_small_dither(t, &l, flags);
    if (flags & NV3_RASTER_F_COLOR) {
        color = nv3_small_square(&st->color, t, &l);
    }
    if (flags & NV3_RASTER_F_ZETA) {
        zeta = nv3_small_square(&st->zeta, t, &l);
    }
    for (uint32_t i = 0; i < l.pixels; i += 32) {
        NV3SmallPlaces p = nv3_small_places(&l, i);
        __m512i from = _mm512_cvtepu8_epi16(_mm256_add_epi8(p.n,
            _mm256_slli_epi16(p.y, 3)));
        NV3Target target = {
            .color = nv3_small_pick(&color, from),
            .zeta = nv3_small_pick(&zeta, from),
        };

        drawn |= nv3_small_step(&k, nv3_small_grid(p.x, p.y), l.pixels - i, &target,
                                nv3_small_pick(&dither, from), bilinear, fmt,
                                flags);
        out[i / 32] = target;
    }
    if (!drawn) {
        return l.pixels;
    }
    back = nv3_small_back(&l);
    if (flags & NV3_RASTER_F_COLOR) {
        nv3_small_put(&st->color, t, &l, &back, out[0].color, out[1].color);
    }
    if (flags & NV3_RASTER_F_ZWRITE) {
        nv3_small_put(&st->zeta, t, &l, &back, out[0].zeta, out[1].zeta);
    }
    return l.pixels;
}

NV3_SMALL_LOOPS

NV3Avx2Draw *const nv3_small_avx512[3][2][2] = NV3_SMALL_TABLE;
#endif
