/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small triangles with AVX2 (small.h). The strip is an array in memory. Lines are
 * copied between the strip and the surfaces.
 */
#include "raster/small.h"

#ifdef NV3_HAVE_AVX2
/*
 * The triangle's pixels, line after line. For each pixel, the strip holds its colour
 * and depth in the surfaces and its dither bits (NV3DitherLine). Lines are copied in
 * steps of 8 pixels, so the arrays have 8 elements more than the largest triangle has
 * pixels.
 */
typedef struct NV3Strip {
    uint16_t color[STRIP + SMALL] __attribute__((aligned(32)));
    uint16_t zeta[STRIP + SMALL] __attribute__((aligned(32)));
    uint16_t dither[STRIP + SMALL] __attribute__((aligned(32)));
} NV3Strip;

/* Positions of 32 pixels of the strip. Each byte is the line or the x of a pixel. */
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

    /*
     * A pixel's line number is the number of lines 1 to 7 that start at or before the
     * pixel.
     */
#pragma GCC unroll 7
    for (int i = 1; i < SMALL; i++) {
        p.y = _mm256_sub_epi8(p.y, _mm256_cmpgt_epi8(place,
            _mm256_shuffle_epi8(after, _mm256_set1_epi8(i))));
    }
    p.x = _mm256_add_epi8(_mm256_sub_epi8(place, _mm256_shuffle_epi8(starts, p.y)),
                          _mm256_shuffle_epi8(_mm256_set1_epi64x(l->lefts), p.y));
    return p;
}

/*
 * Index in the strip of each line's first and last pixel. For an empty line, @last is
 * the last pixel of another line, so that every line has a pixel that can be written.
 */
typedef struct NV3SmallPieces {
    uint32_t first[SMALL] __attribute__((aligned(32)));
    uint32_t last[SMALL] __attribute__((aligned(32)));
    __m256i which;          /* lines to which the elements of @last belong */
} NV3SmallPieces;

/* Computes @p. At least one line must have a pixel. */
static SIMD_INLINE void nv3_small_pieces(const NV3SmallLines *l, NV3SmallPieces *p)
{
    const __m256i line = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i width = _mm256_load_si256((const void *)l->width);
    __m256i full = _mm256_cmpgt_epi32(width, _mm256_setzero_si256());
    __m256i first = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(l->starts));
    __m256i last = _mm256_add_epi32(_mm256_add_epi32(first, width),
                                    _mm256_set1_epi32(-1));
    int some = __builtin_ctz(_mm256_movemask_ps(_mm256_castsi256_ps(full)));

    p->which = _mm256_blendv_epi8(_mm256_set1_epi32(some), line, full);
    _mm256_store_si256((void *)p->first, first);
    _mm256_store_si256((void *)p->last, _mm256_permutevar8x32_epi32(last, p->which));
    NV3_IN_MEMORY(p->first);
    NV3_IN_MEMORY(p->last);
}

/*
 * Computes the offset of each line's last pixel in a surface. @at has the offsets of
 * the first pixels.
 */
static SIMD_INLINE void nv3_small_last_at(const NV3SmallLines *l,
                                          const NV3SmallPieces *p,
                                          const NV3SmallAt *at, NV3SmallAt *last)
{
    __m256i width = _mm256_load_si256((const void *)l->width);
    __m256i byte = _mm256_add_epi32(_mm256_load_si256((const void *)at->byte),
        _mm256_add_epi32(_mm256_add_epi32(width, width), _mm256_set1_epi32(-2)));

    _mm256_store_si256((void *)last->byte, _mm256_permutevar8x32_epi32(byte, p->which));
    NV3_IN_MEMORY(last->byte);
}

/* Copies 8 lines into the strip. @at: offset of each line from @base. */
static SIMD_INLINE void nv3_small_load(const NV3SmallPieces *p, const void *base,
                                       const NV3SmallAt *at, uint16_t *strip)
{
#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        _mm_storeu_si128((void *)(strip + p->first[y]),
            _mm_loadu_si128((const void *)((const uint8_t *)base + at->byte[y])));
    }
}

/*
 * Like nv3_small_load(), but reads only the triangle's pixels. Used if a surface may
 * end less than 8 pixels after the start of a line.
 */
static __attribute__((noinline, target(NV3_SIMD_TARGET)))
void nv3_small_load_few(const NV3SmallLines *l, const NV3SmallPieces *p,
                        const uint8_t *base, const NV3SmallAt *at, uint16_t *strip)
{
    for (unsigned y = 0; y < SMALL; y++) {
        if (l->width[y]) {
            nv3_copy_lanes((uint8_t *)(strip + p->first[y]), base + at->byte[y],
                           l->width[y]);
        }
    }
}

/* Copies the contents of a surface at the triangle's pixels into the strip. */
static SIMD_INLINE void nv3_small_get(const NV3RasterSurface *s, const NV3SmallLines *l,
                                      const NV3SmallPieces *p, const NV3SmallAt *at,
                                      uint16_t *strip)
{
    if (__builtin_expect(l->inside, true)) {
        nv3_small_load(p, s->base, at, strip);
    } else {
        nv3_small_load_few(l, p, s->base, at, strip);
    }
}

/*
 * Copies only the triangle's pixels from the strip to a surface. A masked store writes
 * pairs of pixels, and another store writes the last pixel of each line. There are no
 * branches, because the CPU could not predict the lengths of lines.
 */
static SIMD_INLINE void nv3_small_put(const NV3RasterSurface *s, const NV3SmallLines *l,
                                      const NV3SmallPieces *p, const NV3SmallAt *at,
                                      const uint16_t *strip)
{
    const __m128i pair = _mm_setr_epi32(1, 3, 5, 7);
    uint8_t *base = s->base;
    NV3SmallAt last_at;

    nv3_small_last_at(l, p, at, &last_at);
#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        _mm_maskstore_epi32((void *)(base + at->byte[y]),
                            _mm_cmpgt_epi32(_mm_set1_epi32(l->width[y]), pair),
                            _mm_loadu_si128((const void *)(strip + p->first[y])));
        memcpy(base + last_at.byte[y], strip + p->last[y], 2);
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
        /* Continues with the other half. */
        p.x = _mm256_permute4x64_epi64(p.x, 0x4e);
        p.y = _mm256_permute4x64_epi64(p.y, 0x4e);
    }
}

static SIMD_INLINE uint32_t nv3_small(const NV3RasterState *st, const NV3RasterTri *t,
                                      const NV3Rect *rect, bool bilinear,
                                      const uint32_t fmt, const uint32_t may)
{
    const uint32_t flags = t->flags & may;
    const NV3DitherLine *dither =
        nv3_raster_dither_lines[(flags & NV3_RASTER_F_DITHER) != 0];
    NV3SmallAt color_at, zeta_at, dither_at;
    NV3SmallPieces p;
    NV3SmallLines l;
    NV3Strip strip;
    NV3Avx2 k;

    nv3_small_init(st, t, rect, &l, &k);
    if (!l.pixels) {
        return 0;
    }
    nv3_small_pieces(&l, &p);
    if (flags & NV3_RASTER_F_ZETA) {
        nv3_small_at(&st->zeta, t, &l, &zeta_at);
        nv3_small_get(&st->zeta, &l, &p, &zeta_at, strip.zeta);
    }
    if (flags & NV3_RASTER_F_COLOR) {
        nv3_small_at(&st->color, t, &l, &color_at);
        nv3_small_get(&st->color, &l, &p, &color_at, strip.color);
    }
    nv3_small_dither_at(t, &l, &dither_at);
    nv3_small_load(&p, dither->ga, &dither_at, strip.dither);
    nv3_small_shade(&k, &l, &strip, bilinear, fmt, flags);
    if (flags & NV3_RASTER_F_COLOR) {
        nv3_small_put(&st->color, &l, &p, &color_at, strip.color);
    }
    if (flags & NV3_RASTER_F_ZWRITE) {
        nv3_small_put(&st->zeta, &l, &p, &zeta_at, strip.zeta);
    }
    return l.pixels;
}

NV3_SMALL_LOOPS

NV3Avx2Draw *const nv3_small_avx2[3][2][2] = NV3_SMALL_TABLE;
#endif
