/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws triangles of at most 8 by 8 pixels with SIMD.
 *
 * A line of such a triangle is much shorter than a block of a span loop. Therefore the
 * triangle's lines are concatenated without gaps into a strip. The loops shade the strip
 * in steps of 8 (NEON), 16 (AVX2) or 32 pixels (AVX-512). A triangle of 25 pixels takes
 * one or two steps on x86. A span loop would need at least seven steps, one for each
 * line.
 *
 * The files small.c, small512.h and neon.c copy lines to and from the strip in
 * different ways.
 */
#ifndef NV3_RASTER_SMALL_H
#define NV3_RASTER_SMALL_H

#include "raster/simd.h"

#if defined(NV3_HAVE_AVX2) || defined(NV3_HAVE_NEON)
#define SMALL       NV3_RASTER_SMALL
#define STRIP       (SMALL * SMALL)

#ifdef NV3_HAVE_AVX2
/*
 * Line y consists of the pixels [left[y], left[y] + width[y]), relative to col0. start[y]
 * is the index of its first pixel in the strip. The loops always process 8 lines, because
 * this costs less than mispredicted branches. Lines that are not drawn have a width of 0.
 * For such a line, @row contains the number of the nearest drawn line.
 */
typedef struct NV3SmallLines {
    uint8_t left[SMALL], width[SMALL], start[SMALL];
    __m256i x2, row;        /* byte offset of each left end in its line, row numbers */
    uint32_t pixels;
    bool inside;            /* 8 pixels can be read from the start of each line */
} NV3SmallLines;

static SIMD_INLINE __m128i nv3_small_bytes(const uint8_t v[SMALL])
{
    return _mm_loadl_epi64((const void *)v);
}

/*
 * Computes each line's start in the strip, which is the sum of the previous lines'
 * widths. The sum is at most 64.
 */
static SIMD_INLINE void nv3_small_starts(NV3SmallLines *l, __m128i width)
{
    __m128i sum = width;

    sum = _mm_add_epi8(sum, _mm_slli_epi64(sum, 8));
    sum = _mm_add_epi8(sum, _mm_slli_epi64(sum, 16));
    sum = _mm_add_epi8(sum, _mm_slli_epi64(sum, 32));
    l->pixels = _mm_extract_epi8(sum, 7);
    _mm_storel_epi64((void *)l->width, width);
    _mm_storel_epi64((void *)l->start, _mm_slli_epi64(sum, 8));
}

/* Removes pixels that are outside the surfaces. Rarely called. */
static __attribute__((noinline, target(NV3_SIMD_TARGET)))
void nv3_small_cut(const NV3RasterState *st, const NV3RasterTri *t, NV3SmallLines *l)
{
    uint32_t row[SMALL] __attribute__((aligned(32)));
    uint8_t width[SMALL];

    _mm256_store_si256((void *)row, l->row);
    for (unsigned y = 0; y < SMALL; y++) {
        int32_t end = nv3_raster_row_pixels(st, t->flags, row[y]) -
                      t->col0 - l->left[y];

        end = end > 0 ? end : 0;
        width[y] = l->width[y] < end ? l->width[y] : end;
    }
    nv3_small_starts(l, nv3_small_bytes(width));
}

static SIMD_INLINE void nv3_small_init(const NV3RasterState *st, const NV3RasterTri *t,
                                       const NV3Rect *rect, NV3SmallLines *l,
                                       NV3Avx2 *k)
{
    const __m128i lines = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i y0 = _mm_set1_epi8(rect->y0 - t->row0);
    const __m128i y1 = _mm_set1_epi8(rect->y1 - t->row0 - 1);
    const __m128i y = _mm_max_epi8(_mm_min_epi8(lines, y1), y0);
    __m128i ends, width;

    nv3_avx2_init(k, st, t);
    ends = _mm_loadu_si128((const void *)t->small.ends);
    ends = _mm_min_epi8(_mm_max_epi8(ends, _mm_set1_epi8(rect->x0 - t->col0)),
                        _mm_set1_epi8(rect->x1 - t->col0));
    width = _mm_and_si128(_mm_sub_epi8(_mm_srli_si128(ends, 8), ends),
                          _mm_cmpeq_epi8(y, lines));
    nv3_small_starts(l, width);
    _mm_storel_epi64((void *)l->left, ends);
    l->x2 = _mm256_add_epi32(_mm256_cvtepi8_epi32(ends), _mm256_set1_epi32(t->col0));
    l->x2 = _mm256_add_epi32(l->x2, l->x2);
    l->row = _mm256_add_epi32(_mm256_cvtepi8_epi32(y), _mm256_set1_epi32(t->row0));
    l->inside = rect->y1 <= st->mode.safe_rows &&
                rect->x1 <= NV3_RASTER_MAX_X - SMALL;
    if (__builtin_expect(!l->inside, false)) {
        nv3_small_cut(st, t, l);
    }
}

/* Offset in bytes of each line's left end. */
typedef struct NV3SmallAt {
    uint32_t byte[SMALL] __attribute__((aligned(32)));
} NV3SmallAt;

/*
 * Computes the offset of each line's left end in a surface. Line numbers are at most
 * 2047, and pitches have 13 bits, so an offset fits in 32 bits. Computing all offsets in
 * a vector is faster than computing them one at a time.
 */
static SIMD_INLINE void nv3_small_at(const NV3RasterSurface *s, const NV3SmallLines *l,
                                     NV3SmallAt *at)
{
    __m256i y = _mm256_mullo_epi32(l->row, _mm256_set1_epi32(s->pitch));

    _mm256_store_si256((void *)at->byte, _mm256_add_epi32(y, l->x2));
    NV3_IN_MEMORY(at->byte);
}
#endif

/* Positions of a step's pixels relative to col0 and row0, in 32-bit and 16-bit lanes. */
typedef struct NV3SmallGrid {
    NV3Pair x, y;
    NV3Vec x16, y16;
} NV3SmallGrid;

#if defined(NV3_HAVE_NEON)
static SIMD_INLINE NV3SmallGrid nv3_small_grid(uint8x8_t x, uint8x8_t y)
{
    const uint16x8_t x16 = vmovl_u8(x), y16 = vmovl_u8(y);

    return (NV3SmallGrid) {
        .x = { nv3_from_u32(vmovl_u16(vget_low_u16(x16))),
               nv3_from_u32(vmovl_high_u16(x16)) },
        .y = { nv3_from_u32(vmovl_u16(vget_low_u16(y16))),
               nv3_from_u32(vmovl_high_u16(y16)) },
        .x16 = x16,
        .y16 = y16,
    };
}
#elif defined(NV3_SIMD_WIDE)
static SIMD_INLINE NV3SmallGrid nv3_small_grid(__m256i x, __m256i y)
{
    return (NV3SmallGrid) {
        .x = { _mm512_cvtepu8_epi32(_mm256_castsi256_si128(x)),
               _mm512_cvtepu8_epi32(_mm256_extracti128_si256(x, 1)) },
        .y = { _mm512_cvtepu8_epi32(_mm256_castsi256_si128(y)),
               _mm512_cvtepu8_epi32(_mm256_extracti128_si256(y, 1)) },
        .x16 = _mm512_cvtepu8_epi16(x),
        .y16 = _mm512_cvtepu8_epi16(y),
    };
}
#endif

/*
 * Returns the dither bits for red and blue. If dithering is enabled, these are the same
 * as the bits for alpha in the high byte of @ga.
 */
static SIMD_INLINE NV3Vec nv3_small_dither_rb(NV3Vec ga, uint32_t flags)
{
    NV3Vec rb = V(srli_epi16)(ga, 8);

    if (!(flags & NV3_RASTER_F_DITHER)) {
        return VS(setzero)();
    }
    return VS(or)(rb, V(slli_epi16)(rb, 8));
}

static SIMD_INLINE NV3Vec nv3_small_plane32(const NV3RasterTri *t, const int i,
                                             NV3Vec x, NV3Vec y)
{
    return V(add_epi32)(nv3_bcast32(t->small.v[0][i]), V(add_epi32)(
        V(mullo_epi32)(x, nv3_bcast32(t->small.v[1][i])),
        V(mullo_epi32)(y, nv3_bcast32(t->small.v[2][i]))));
}

static SIMD_INLINE NV3Pair nv3_small_lanes32(const NV3RasterTri *t, const int i,
                                             const NV3SmallGrid *p)
{
    return (NV3Pair) {
        nv3_small_plane32(t, i, p->x.a, p->y.a),
        nv3_small_plane32(t, i, p->x.b, p->y.b),
    };
}

static SIMD_INLINE NV3Vec nv3_small_lanes16(const NV3RasterTri *t, const int i,
                                             const NV3SmallGrid *p)
{
    return V(add_epi16)(nv3_bcast16_at(&t->small.c[0][i]), V(add_epi16)(
        V(mullo_epi16)(p->x16, nv3_bcast16_at(&t->small.c[1][i])),
        V(mullo_epi16)(p->y16, nv3_bcast16_at(&t->small.c[2][i]))));
}

static SIMD_INLINE NV3Lanes nv3_small_lanes(const NV3RasterTri *t,
                                            const NV3SmallGrid *p, uint32_t left,
                                            uint32_t flags)
{
    NV3Lanes n;

    /*
     * Assign the fields separately: a compound literal would also clear the colours.
     */
    n.m = nv3_small_lanes32(t, NV3_ATTR_M, p);
    n.u = nv3_small_lanes32(t, NV3_ATTR_U, p);
    n.v = nv3_small_lanes32(t, NV3_ATTR_V, p);
    n.first = true;
    n.last = NV3_SIMD_ZIPPED || left > NV3_SIMD_LANES / 2;
    for (int i = NV3_COL_R; i <= NV3_COL_B; i++) {
        n.c[i] = nv3_small_lanes16(t, i, p);
    }
    if (flags & NV3_RASTER_F_VTX_ALPHA) {
        n.c[NV3_COL_A] = nv3_small_lanes16(t, NV3_COL_A, p);
    }
    if (flags & NV3_RASTER_F_FOG) {
        n.c[NV3_COL_FOG] = nv3_small_lanes16(t, NV3_COL_FOG, p);
    }
    return n;
}

/*
 * Shades the pixels of one step. @p: positions of the pixels. @left: number of pixels
 * from the start of this step to the end of the strip. @t: colours and depths of the
 * pixels, before and after the call. @rb, @ga: dither bits (NV3DitherLine). Returns false
 * if the early depth test rejects all pixels. In @t, lanes after the strip's end become
 * undefined.
 */
static SIMD_INLINE bool nv3_small_step(const NV3Avx2 *k, NV3SmallGrid p, uint32_t left,
                                       NV3Target *t, NV3Vec rb, NV3Vec ga,
                                       bool bilinear, const uint32_t fmt,
                                       uint32_t flags)
{
    const NV3Vec all = nv3_bcast16(0xffff);
    NV3Vec z_pass = all, z = all;
    NV3Lanes n;

    if (flags & NV3_RASTER_F_ZETA) {
        z = nv3_depth(k, nv3_small_lanes32(k->t, NV3_ATTR_Z, &p),
                      nv3_small_lanes32(k->t, NV3_ATTR_M, &p), flags);
        z_pass = nv3_compare(&k->st->mode.z_test, z, t->zeta);
        if ((flags & NV3_RASTER_F_EARLY_Z) &&
            nv3_no_lane(z_pass, nv3_lanes_before(left))) {
            return false;
        }
    }
    n = nv3_small_lanes(k->t, &p, left, flags);
    nv3_pixels(k, &n, z, all, z_pass, rb, ga, t, bilinear, fmt, flags);
    return true;
}

/* Defines a loop for each combination of filter, texel layout and permitted flags. */
#define NV3_SMALL_LOOPS \
    NV3_SMALL(near_1555, false, 0, NV3_MAY_ALL) \
    NV3_SMALL(near_565, false, NV3_RASTER_F_FMT_565, NV3_MAY_ALL) \
    NV3_SMALL(near_4444, false, NV3_RASTER_F_FMT_4444, NV3_MAY_ALL) \
    NV3_SMALL(bi_1555, true, 0, NV3_MAY_ALL) \
    NV3_SMALL(bi_565, true, NV3_RASTER_F_FMT_565, NV3_MAY_ALL) \
    NV3_SMALL(bi_4444, true, NV3_RASTER_F_FMT_4444, NV3_MAY_ALL) \
    NV3_SMALL(near_1555_plain, false, 0, NV3_MAY_PLAIN) \
    NV3_SMALL(near_565_plain, false, NV3_RASTER_F_FMT_565, NV3_MAY_PLAIN) \
    NV3_SMALL(near_4444_plain, false, NV3_RASTER_F_FMT_4444, NV3_MAY_PLAIN) \
    NV3_SMALL(bi_1555_plain, true, 0, NV3_MAY_PLAIN) \
    NV3_SMALL(bi_565_plain, true, NV3_RASTER_F_FMT_565, NV3_MAY_PLAIN) \
    NV3_SMALL(bi_4444_plain, true, NV3_RASTER_F_FMT_4444, NV3_MAY_PLAIN)

#define NV3_SMALL(name, bilinear, fmt, may) \
    static SIMD uint32_t nv3_small_##name(const NV3RasterState *st, \
                                          const NV3RasterTri *t, \
                                          const NV3Rect *rect) \
    { \
        return nv3_small(st, t, rect, bilinear, fmt, may); \
    }

#define NV3_SMALL_TABLE { \
    { { nv3_small_near_1555, nv3_small_near_1555_plain }, \
      { nv3_small_bi_1555, nv3_small_bi_1555_plain } }, \
    { { nv3_small_near_565, nv3_small_near_565_plain }, \
      { nv3_small_bi_565, nv3_small_bi_565_plain } }, \
    { { nv3_small_near_4444, nv3_small_near_4444_plain }, \
      { nv3_small_bi_4444, nv3_small_bi_4444_plain } }, \
}

#endif
#endif
