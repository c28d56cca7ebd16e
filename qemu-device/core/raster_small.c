/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small triangles with AVX2 (raster_small.h): the strip is in memory, and copied to
 * and from the surfaces line by line.
 */
#include "raster_small.h"

#ifdef NV3_RASTER_HAVE_AVX2
/*
 * The triangle's pixels, line after line: what the surfaces hold and the outcomes
 * of dithering. Copying to it may go by whole lines of 8, so there is room behind
 * the last.
 */
typedef struct NV3Strip {
    uint16_t color[STRIP + SMALL] __attribute__((aligned(64)));
    uint16_t zeta[STRIP + SMALL] __attribute__((aligned(64)));
    uint16_t dither[STRIP + SMALL] __attribute__((aligned(64)));
} NV3Strip;

/* Where 32 pixels of the strip are, in bytes: line, x. */
typedef struct NV3SmallPlaces {
    __m256i y, x;
} NV3SmallPlaces;

static SIMD_INLINE NV3SmallPlaces nv3_small_places(const NV3SmallLines *l,
                                                   uint32_t first)
{
    const __m256i place = _mm256_add_epi8(_mm256_set1_epi8(first), _mm256_setr_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31));
    __m256i starts = _mm256_set1_epi64x(l->starts);
    __m256i after = _mm256_sub_epi8(starts, _mm256_set1_epi8(1));
    NV3SmallPlaces p = { .y = _mm256_setzero_si256() };

    /* Its line is how many others begin at or before it. */
#pragma GCC unroll 7
    for (int i = 1; i < SMALL; i++) {
        p.y = _mm256_sub_epi8(p.y, _mm256_cmpgt_epi8(place,
            _mm256_shuffle_epi8(after, _mm256_set1_epi8(i))));
    }
    p.x = _mm256_add_epi8(_mm256_sub_epi8(place, _mm256_shuffle_epi8(starts, p.y)),
                          _mm256_shuffle_epi8(_mm256_set1_epi64x(l->lefts), p.y));
    return p;
}

/* A line of a surface to the strip: 8 pixels, or no more than there are. */
static SIMD_INLINE void nv3_small_take(uint16_t *to, const uint8_t *from,
                                       int32_t width, bool inside)
{
    if (__builtin_expect(inside, true)) {
        _mm_storeu_si128((void *)to, _mm_loadu_si128((const void *)from));
    } else if (width) {
        nv3_copy_lanes((uint8_t *)to, from, width);
    }
}

static SIMD_INLINE void nv3_small_gather(const NV3RasterState *st,
                                         const NV3RasterTri *t,
                                         const NV3SmallLines *l, NV3Strip *strip,
                                         uint32_t flags)
{
    const NV3DitherLine *dither =
        nv3_raster_dither_lines[(flags & NV3_RASTER_F_DITHER) != 0];

#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        const int32_t row = l->row[y], x = t->col0 + l->left[y];
        const unsigned n = nv3_small_start(l, y);

        if (flags & NV3_RASTER_F_COLOR) {
            nv3_small_take(strip->color + n, nv3_raster_row(&st->color, row) + 2 * x,
                           l->width[y], l->inside);
        }
        if (flags & NV3_RASTER_F_ZETA) {
            nv3_small_take(strip->zeta + n, nv3_raster_row(&st->zeta, row) + 2 * x,
                           l->width[y], l->inside);
        }
        _mm_storeu_si128((void *)(strip->dither + n),
            _mm_loadu_si128((const void *)(dither[row & 15].ga + (x & 15))));
    }
}

/*
 * Copies a line of @n pixels, at most 8, back from the strip. Up to 3 go one by
 * one, some of them twice, into @none when there is nothing.
 */
static SIMD_INLINE void nv3_small_put(uint8_t *to, const uint16_t *from, int32_t n,
                                      uint8_t *none)
{
    if (n >= 4) {
        uint64_t a, b;

        memcpy(&a, from, 8);
        memcpy(&b, from + n - 4, 8);
        memcpy(to, &a, 8);
        memcpy(to + 2 * n - 8, &b, 8);
    } else {
        unsigned second = n > 1, last = n > 2 ? 2 : second;

        to = n ? to : none;
        memcpy(to, from, 2);
        memcpy(to + 2 * second, from + second, 2);
        memcpy(to + 2 * last, from + last, 2);
    }
}

static SIMD_INLINE void nv3_small_scatter(const NV3RasterState *st,
                                          const NV3RasterTri *t,
                                          const NV3SmallLines *l,
                                          const NV3Strip *strip, uint32_t flags)
{
    uint8_t none[2];

#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        const int32_t row = l->row[y], x = t->col0 + l->left[y];
        const unsigned n = nv3_small_start(l, y);

        if (flags & NV3_RASTER_F_COLOR) {
            nv3_small_put(nv3_raster_row(&st->color, row) + 2 * x,
                          strip->color + n, l->width[y], none);
        }
        if (flags & NV3_RASTER_F_ZWRITE) {
            nv3_small_put(nv3_raster_row(&st->zeta, row) + 2 * x,
                          strip->zeta + n, l->width[y], none);
        }
    }
}

/* Shades the strip. */
static SIMD_INLINE void nv3_small_shade(const NV3Avx2 *k, const NV3SmallLines *l,
                                        NV3Strip *strip, bool bilinear,
                                        const uint32_t fmt, uint32_t flags)
{
    NV3SmallPlaces p = nv3_small_places(l, 0);

    for (uint32_t i = 0; i < l->pixels; i += 16) {
        NV3Target t = {
            .color = _mm256_load_si256((const void *)(strip->color + i)),
            .zeta = _mm256_load_si256((const void *)(strip->zeta + i)),
        };

        if (i == 32) {
            p = nv3_small_places(l, 32);
        }
        if (nv3_small_step(k, nv3_small_grid(_mm256_castsi256_si128(p.x),
                                             _mm256_castsi256_si128(p.y)),
                           l->pixels - i, &t,
                           _mm256_load_si256((const void *)(strip->dither + i)),
                           bilinear, fmt, flags)) {
            _mm256_store_si256((void *)(strip->color + i), t.color);
            _mm256_store_si256((void *)(strip->zeta + i), t.zeta);
        }
        /* The other half's turn. */
        p.x = _mm256_permute4x64_epi64(p.x, 0x4e);
        p.y = _mm256_permute4x64_epi64(p.y, 0x4e);
    }
}

static SIMD_INLINE uint32_t nv3_small(const NV3RasterState *st, const NV3RasterTri *t,
                                      const NV3Rect *rect, bool bilinear,
                                      const uint32_t fmt, const uint32_t may)
{
    const uint32_t flags = t->flags & may;
    NV3SmallLines l;
    NV3Strip strip;
    NV3Avx2 k;

    nv3_small_init(st, t, rect, &l, &k);
    nv3_small_gather(st, t, &l, &strip, flags);
    nv3_small_shade(&k, &l, &strip, bilinear, fmt, flags);
    nv3_small_scatter(st, t, &l, &strip, flags);
    return l.pixels;
}

NV3_SMALL_LOOPS

NV3Avx2Draw *const nv3_small_avx2[3][2][2] = NV3_SMALL_TABLE;
#endif
