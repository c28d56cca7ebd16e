/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws small triangles with AVX2 (small.h). The strip is an array in memory. The loops
 * copy lines from the surfaces to the strip, and back.
 */
#define NV3_SIMD_ZIPPED 1
#include "raster/small.h"

#ifdef NV3_HAVE_AVX2
/*
 * The contents of the surfaces at the triangle's pixels, line after line. Each line is
 * stored as 8 pixels, even if it is shorter, so the arrays need 8 additional elements.
 */
typedef struct NV3Strip {
    uint16_t color[STRIP + SMALL] __attribute__((aligned(32)));
    uint16_t zeta[STRIP + SMALL] __attribute__((aligned(32)));
} NV3Strip;

/*
 * The positions of 32 pixels of the strip: @x is relative to col0, and @y to row0. The
 * low four bits of @dither are an index into NV3DitherCells.outcome. @zipped_x and
 * @zipped_y contain @x and @y in another order of the pixels: 0 to 3, 8 to 11, 4 to 7, 12
 * to 15, and then 16 to 31 likewise.
 */
typedef struct NV3SmallPlaces {
    uint8_t x[32] __attribute__((aligned(32)));
    uint8_t y[32] __attribute__((aligned(32)));
    uint8_t zipped_x[32] __attribute__((aligned(32)));
    uint8_t zipped_y[32] __attribute__((aligned(32)));
    uint8_t dither[32] __attribute__((aligned(32)));
} NV3SmallPlaces;

static SIMD_INLINE __m256i nv3_small_table(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_load_si128((const void *)table));
}

static SIMD_INLINE __m256i nv3_small_cells(const NV3RasterTri *t, __m256i x, __m256i y)
{
    const NV3DitherCells *c = &nv3_raster_dither_cells;
    const __m256i low = _mm256_set1_epi8(15);
    __m256i code;

    x = _mm256_and_si256(_mm256_add_epi8(x, _mm256_set1_epi8(t->col0)), low);
    y = _mm256_and_si256(_mm256_add_epi8(y, _mm256_set1_epi8(t->row0)), low);
    code = _mm256_xor_si256(_mm256_shuffle_epi8(nv3_small_table(c->x), x),
                            _mm256_shuffle_epi8(nv3_small_table(c->y), y));
    return _mm256_or_si256(_mm256_and_si256(code, nv3_constant8(7)),
        _mm256_shuffle_epi8(nv3_small_table(c->pattern),
                            _mm256_and_si256(_mm256_srli_epi16(code, 4), low)));
}

static SIMD_INLINE void nv3_small_places(const NV3RasterTri *t, const NV3SmallLines *l,
                                         uint32_t first, NV3SmallPlaces *p)
{
    const __m256i place = _mm256_add_epi8(_mm256_set1_epi8(first), _mm256_setr_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31));
    __m128i start = nv3_small_bytes(l->start);
    __m256i after = _mm256_broadcastq_epi64(_mm_sub_epi8(start, _mm_set1_epi8(1)));
    __m256i shift = _mm256_broadcastq_epi64(
        _mm_sub_epi8(nv3_small_bytes(l->left), start));
    __m256i x, y = _mm256_setzero_si256();

    /*
     * y is the number of lines with numbers from 1 to 7 that start at or before the
     * pixel.
     */
#pragma GCC unroll 7
    for (int i = 1; i < SMALL; i++) {
        y = _mm256_sub_epi8(y, _mm256_cmpgt_epi8(place,
            _mm256_shuffle_epi8(after, nv3_constant8(i))));
    }
    x = _mm256_add_epi8(place, _mm256_shuffle_epi8(shift, y));
    _mm256_store_si256((void *)p->x, x);
    _mm256_store_si256((void *)p->y, y);
    _mm256_store_si256((void *)p->zipped_x, _mm256_shuffle_epi32(x, 0xd8));
    _mm256_store_si256((void *)p->zipped_y, _mm256_shuffle_epi32(y, 0xd8));
    _mm256_store_si256((void *)p->dither, nv3_small_cells(t, x, y));
}

static SIMD_INLINE __m256i nv3_small_load8(const uint8_t *p)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p));
}

static SIMD_INLINE __m256i nv3_small_load16(const uint8_t *p)
{
    return _mm256_cvtepu8_epi16(_mm_load_si128((const void *)p));
}

/* Returns the positions of 16 pixels, starting at index @i of the strip. */
static SIMD_INLINE NV3SmallGrid nv3_small_grid(const NV3SmallPlaces *p, uint32_t i)
{
    return (NV3SmallGrid) {
        .x = { nv3_small_load8(p->zipped_x + i), nv3_small_load8(p->zipped_x + i + 8) },
        .y = { nv3_small_load8(p->zipped_y + i), nv3_small_load8(p->zipped_y + i + 8) },
        .x16 = nv3_small_load16(p->x + i),
        .y16 = nv3_small_load16(p->y + i),
    };
}

/*
 * Computes the dither bits of 16 pixels, starting at index @i, in the format of
 * NV3DitherLine.
 */
static SIMD_INLINE void nv3_small_dither(const NV3SmallPlaces *p, uint32_t i,
                                         uint32_t flags, __m256i *rb, __m256i *ga)
{
    const __m256i outcome = nv3_small_table(nv3_raster_dither_cells.outcome);
    __m256i cell = nv3_small_load16(p->dither + i);

    cell = _mm256_or_si256(cell, _mm256_slli_epi16(cell, 8));
    *rb = _mm256_shuffle_epi8(outcome, cell);
    *ga = _mm256_shuffle_epi8(outcome, _mm256_xor_si256(cell, nv3_constant16(8)));
    if (!(flags & NV3_RASTER_F_DITHER)) {
        *rb = _mm256_setzero_si256();
        *ga = _mm256_and_si256(*ga, nv3_constant16(0xff00));
    }
}

/* Copies 8 lines into the strip. @at: offset of each line from @base. */
static SIMD_INLINE void nv3_small_load(const NV3SmallLines *l, const void *base,
                                       const NV3SmallAt *at, uint16_t *strip)
{
#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        _mm_storeu_si128((void *)(strip + l->start[y]),
            _mm_loadu_si128((const void *)((const uint8_t *)base + at->byte[y])));
    }
}

/*
 * Like nv3_small_load(), but reads only the triangle's pixels, because a surface may end
 * less than 8 pixels after the left end of a line.
 */
static __attribute__((noinline, target(NV3_SIMD_TARGET)))
void nv3_small_load_few(const NV3SmallLines *l, const uint8_t *base,
                        const NV3SmallAt *at, uint16_t *strip)
{
    for (unsigned y = 0; y < SMALL; y++) {
        if (l->width[y]) {
            nv3_copy_lanes((uint8_t *)(strip + l->start[y]), base + at->byte[y],
                           l->width[y]);
        }
    }
}

/* Copies the contents of a surface at the triangle's pixels into the strip. */
static SIMD_INLINE void nv3_small_get(const NV3RasterSurface *s, const NV3SmallLines *l,
                                      const NV3SmallAt *at,
                                      uint16_t *strip)
{
    if (__builtin_expect(l->inside, true)) {
        nv3_small_load(l, s->base, at, strip);
    } else {
        nv3_small_load_few(l, s->base, at, strip);
    }
}

/* A surface, and the strip that is written to it. */
typedef struct NV3SmallOut {
    uint8_t *base;
    const NV3SmallAt *at;
    const uint16_t *strip;
} NV3SmallOut;

/* Writes line @y, which has 4 to 8 pixels, with two stores that may overlap. */
static SIMD_INLINE void nv3_small_put_wide(const NV3SmallOut *o, unsigned y,
                                           uint32_t first, uint32_t width)
{
    uint8_t *to = o->base + o->at->byte[y];
    const uint16_t *from = o->strip + first;

    memcpy(to, from, 8);
    memcpy(to + 2 * width - 8, from + width - 4, 8);
}

/* Writes line @y, which has 1 to 3 pixels, with three stores that may overlap. */
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
 * Writes only the triangle's pixels from the strip to the surfaces. One loop writes the
 * lines of 4 to 8 pixels, another loop the lines of 1 to 3 pixels. Each loop has one
 * branch that is hard to predict. Masked stores would avoid these branches, but AMD's
 * CPUs execute them in slow microcode.
 */
static SIMD_INLINE void nv3_small_put(const NV3SmallLines *l,
                                      const NV3SmallOut *color, const NV3SmallOut *zeta,
                                      uint32_t flags)
{
    __m128i w = nv3_small_bytes(l->width);
    unsigned some = _mm_movemask_epi8(_mm_cmpgt_epi8(w, _mm_setzero_si128()));
    unsigned wide = _mm_movemask_epi8(_mm_cmpgt_epi8(w, _mm_set1_epi8(3)));

    for (unsigned left = wide; left; left &= left - 1) {
        unsigned y = __builtin_ctz(left);

        if (flags & NV3_RASTER_F_COLOR) {
            nv3_small_put_wide(color, y, l->start[y], l->width[y]);
        }
        if (flags & NV3_RASTER_F_ZWRITE) {
            nv3_small_put_wide(zeta, y, l->start[y], l->width[y]);
        }
    }
    for (unsigned left = some & ~wide; left; left &= left - 1) {
        unsigned y = __builtin_ctz(left);

        if (flags & NV3_RASTER_F_COLOR) {
            nv3_small_put_narrow(color, y, l->start[y], l->width[y]);
        }
        if (flags & NV3_RASTER_F_ZWRITE) {
            nv3_small_put_narrow(zeta, y, l->start[y], l->width[y]);
        }
    }
}

/* Shades the strip. */
static SIMD_INLINE void nv3_small_shade(const NV3Avx2 *k, const NV3SmallLines *l,
                                        NV3Strip *strip, bool bilinear,
                                        const uint32_t fmt, uint32_t flags)
{
    NV3SmallPlaces p;

    for (uint32_t i = 0; i < l->pixels; i += 16) {
        NV3Target t = {
            .color = _mm256_load_si256((const void *)(strip->color + i)),
            .zeta = _mm256_load_si256((const void *)(strip->zeta + i)),
        };
        __m256i rb, ga;

        if (!(i & 31)) {
            nv3_small_places(k->t, l, i, &p);
        }
        nv3_small_dither(&p, i & 31, flags, &rb, &ga);
        if (nv3_small_step(k, nv3_small_grid(&p, i & 31), l->pixels - i, &t, rb, ga,
                           bilinear, fmt, flags)) {
            _mm256_store_si256((void *)(strip->color + i), t.color);
            _mm256_store_si256((void *)(strip->zeta + i), t.zeta);
        }
    }
}

static SIMD_INLINE uint32_t nv3_small(const NV3RasterState *st, const NV3RasterTri *t,
                                      const NV3Rect *rect, bool bilinear,
                                      const uint32_t fmt, const uint32_t may)
{
    const uint32_t flags = t->flags & may;
    NV3SmallAt color_at, zeta_at;
    NV3SmallLines l;
    NV3Strip strip;
    NV3Avx2 k;

    nv3_small_init(st, t, rect, &l, &k);
    if (!l.pixels) {
        return 0;
    }
    if (flags & NV3_RASTER_F_ZETA) {
        nv3_small_at(&st->zeta, &l, &zeta_at);
        nv3_small_get(&st->zeta, &l, &zeta_at, strip.zeta);
    }
    if (flags & NV3_RASTER_F_COLOR) {
        nv3_small_at(&st->color, &l, &color_at);
        nv3_small_get(&st->color, &l, &color_at, strip.color);
    }
    nv3_small_shade(&k, &l, &strip, bilinear, fmt, flags);
    nv3_small_put(&l, &(NV3SmallOut) { st->color.base, &color_at, strip.color },
                  &(NV3SmallOut) { st->zeta.base, &zeta_at, strip.zeta }, flags);
    return l.pixels;
}

NV3_SMALL_LOOPS

NV3Avx2Draw *const nv3_small_avx2[3][2][2] = NV3_SMALL_TABLE;
#endif
