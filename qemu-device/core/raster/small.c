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

/* The first pixel of each line in the strip. */
typedef struct NV3SmallPieces {
    uint32_t first[SMALL] __attribute__((aligned(32)));
} NV3SmallPieces;

static SIMD_INLINE void nv3_small_pieces(const NV3SmallLines *l, NV3SmallPieces *p)
{
    _mm256_store_si256((void *)p->first,
                       _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(l->starts)));
    NV3_IN_MEMORY(p->first);
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

/* A surface to which the strip is written. */
typedef struct NV3SmallOut {
    uint8_t *base;
    const NV3SmallAt *at;
    const uint16_t *strip;
} NV3SmallOut;

/* Writes line @y of 4 to 8 pixels, by two stores that may overlap. */
static SIMD_INLINE void nv3_small_put_wide(const NV3SmallOut *o, unsigned y,
                                           uint32_t first, uint32_t width)
{
    uint8_t *to = o->base + o->at->byte[y];
    const uint16_t *from = o->strip + first;

    memcpy(to, from, 8);
    memcpy(to + 2 * width - 8, from + width - 4, 8);
}

/* Writes line @y of 1 to 3 pixels: the first, the middle and the last one. */
static SIMD_INLINE void nv3_small_put_narrow(const NV3SmallOut *o, unsigned y,
                                             uint32_t first, uint32_t width)
{
    uint8_t *to = o->base + o->at->byte[y];
    const uint16_t *from = o->strip + first;

    memcpy(to, from, 2);
    memcpy(to + 2 * (width / 2), from + width / 2, 2);
    memcpy(to + 2 * width - 2, from + width - 1, 2);
}

/*
 * Writes only the triangle's pixels from the strip to the surfaces. A loop for each size
 * of store has one branch that is hard to predict. Masked stores have none, but are
 * microcode on AMD's CPUs.
 */
static SIMD_INLINE void nv3_small_put(const NV3SmallLines *l, const NV3SmallPieces *p,
                                      const NV3SmallOut *color, const NV3SmallOut *zeta,
                                      uint32_t flags)
{
    __m256i w = _mm256_load_si256((const void *)l->width);
    unsigned some = _mm256_movemask_ps(_mm256_castsi256_ps(
        _mm256_cmpgt_epi32(w, _mm256_setzero_si256())));
    unsigned wide = _mm256_movemask_ps(_mm256_castsi256_ps(
        _mm256_cmpgt_epi32(w, _mm256_set1_epi32(3))));

    for (unsigned left = wide; left; left &= left - 1) {
        unsigned y = __builtin_ctz(left);

        if (flags & NV3_RASTER_F_COLOR) {
            nv3_small_put_wide(color, y, p->first[y], l->width[y]);
        }
        if (flags & NV3_RASTER_F_ZWRITE) {
            nv3_small_put_wide(zeta, y, p->first[y], l->width[y]);
        }
    }
    for (unsigned left = some & ~wide; left; left &= left - 1) {
        unsigned y = __builtin_ctz(left);

        if (flags & NV3_RASTER_F_COLOR) {
            nv3_small_put_narrow(color, y, p->first[y], l->width[y]);
        }
        if (flags & NV3_RASTER_F_ZWRITE) {
            nv3_small_put_narrow(zeta, y, p->first[y], l->width[y]);
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
    nv3_small_put(&l, &p, &(NV3SmallOut) { st->color.base, &color_at, strip.color },
                  &(NV3SmallOut) { st->zeta.base, &zeta_at, strip.zeta }, flags);
    return l.pixels;
}

NV3_SMALL_LOOPS

NV3Avx2Draw *const nv3_small_avx2[3][2][2] = NV3_SMALL_TABLE;
#endif
