/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Triangles of at most 8 by 8 pixels with AVX2, or AVX-512.
 *
 * A line of such a triangle is much shorter than a block of a span loop, so its lines
 * are put one after another without gaps: what the surfaces hold there is copied
 * to a strip, 16 pixels of which are shaded at a time wherever they come from, and
 * copied back. A triangle of 25 pixels takes two such steps instead of seven or more.
 *
 * With AVX-512 the shading is the same. Its permutations make the strip in registers,
 * where AVX2 has to read from memory what it has only just written in other pieces,
 * and its masks write a line without looking at how long it is.
 */
#include "raster_avx2.h"

#ifdef NV3_RASTER_HAVE_AVX2
#define SMALL       NV3_RASTER_SMALL
#define STRIP       (SMALL * SMALL)

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

/*
 * Line y has pixels [left[y], left[y] + width[y]), which begin at start[y] in the
 * strip. Places are from col0, row0. All 8 lines are always gone through, which
 * costs less than a branch that goes wrong: those that are not drawn have no pixels,
 * and stand for the nearest line that is.
 */
typedef struct NV3SmallLines {
    int32_t left[SMALL] __attribute__((aligned(32)));
    int32_t width[SMALL] __attribute__((aligned(32)));
    int32_t row[SMALL] __attribute__((aligned(32)));
    uint64_t starts, lefts; /* the same as bytes */
    uint32_t pixels;
    bool inside;            /* 8 pixels may be read wherever a line begins */
} NV3SmallLines;

/* An edge, from top to bottom: numerator on line 0, its step, and denominator. */
typedef struct NV3SmallEdge {
    int32_t num, step, den;
} NV3SmallEdge;

static AVX2_INLINE NV3SmallEdge nv3_small_edge(const NV3RasterTri *t, unsigned top,
                                               unsigned bottom)
{
    int32_t dx = t->x[bottom] - t->x[top], dy = t->y[bottom] - t->y[top];

    return (NV3SmallEdge) {
        .num = (t->x[top] - t->col0 * 16) * dy - (t->y[top] - t->row0 * 16) * dx,
        .step = dx * 16,
        .den = dy * 16,
    };
}

/*
 * The first pixel right of an edge on 8 lines: NV3RasterEdge's. Numerator and
 * denominator are less than 2^24, so a quotient is a whole number only where it
 * is one exactly.
 */
static AVX2_INLINE __m256i nv3_small_ceil(__m256i num, __m256i den)
{
    return _mm256_cvttps_epi32(_mm256_ceil_ps(
        _mm256_div_ps(_mm256_cvtepi32_ps(num), _mm256_cvtepi32_ps(den))));
}

static AVX2_INLINE void nv3_small_lines(const NV3RasterState *st,
                                        const NV3RasterTri *t, const NV3Rect *rect,
                                        NV3SmallLines *l)
{
    const __m256i line = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const NV3SmallEdge e = nv3_small_edge(t, 0, 2);
    const NV3SmallEdge s0 = nv3_small_edge(t, 0, 1);
    const NV3SmallEdge s1 = nv3_small_edge(t, 1, 2);
    const NV3Rect r = {
        rect->x0 - t->col0, rect->y0 - t->row0,
        rect->x1 - t->col0, rect->y1 - t->row0,
    };
    /* The lines where the second of the short edges is the one. */
    __m256i lower = _mm256_cmpgt_epi32(line, nv3_bcast32(t->row_mid - t->row0 - 1));
    __m256i in = _mm256_andnot_si256(_mm256_cmpgt_epi32(nv3_bcast32(r.y0), line),
                                     _mm256_cmpgt_epi32(nv3_bcast32(r.y1), line));
    __m256i num, den, a, b, left, right;

    num = _mm256_add_epi32(nv3_bcast32(e.num),
                           _mm256_mullo_epi32(nv3_bcast32(e.step), line));
    a = nv3_small_ceil(num, nv3_bcast32(e.den));
    num = _mm256_blendv_epi8(nv3_bcast32(s0.num), nv3_bcast32(s1.num), lower);
    den = _mm256_blendv_epi8(nv3_bcast32(s0.step), nv3_bcast32(s1.step), lower);
    num = _mm256_add_epi32(num, _mm256_mullo_epi32(den, line));
    den = _mm256_blendv_epi8(nv3_bcast32(s0.den), nv3_bcast32(s1.den), lower);
    b = nv3_small_ceil(num, den);

    left = t->long_left ? a : b;
    right = t->long_left ? b : a;
    left = _mm256_min_epi32(_mm256_max_epi32(left, nv3_bcast32(r.x0)),
                            nv3_bcast32(r.x1));
    right = _mm256_min_epi32(right, nv3_bcast32(r.x1));
    right = _mm256_max_epi32(_mm256_sub_epi32(right, left),
                             _mm256_setzero_si256());
    _mm256_store_si256((void *)l->left, left);
    _mm256_store_si256((void *)l->width, _mm256_and_si256(right, in));
    _mm256_store_si256((void *)l->row, _mm256_add_epi32(nv3_bcast32(t->row0),
        _mm256_max_epi32(_mm256_min_epi32(line, nv3_bcast32(r.y1 - 1)),
                         nv3_bcast32(r.y0))));
    l->inside = rect->y1 <= st->mode.safe_rows &&
                rect->x1 <= NV3_RASTER_MAX_X - SMALL;
}

/* Cuts off what the surfaces do not have, and is rare. */
static __attribute__((noinline))
void nv3_small_cut(const NV3RasterState *st, const NV3RasterTri *t, NV3SmallLines *l)
{
    for (unsigned y = 0; y < SMALL; y++) {
        int32_t end = nv3_raster_row_pixels(st, t->flags, l->row[y]) -
                      t->col0 - l->left[y];

        end = end > 0 ? end : 0;
        l->width[y] = l->width[y] < end ? l->width[y] : end;
    }
}

/* 8 numbers below 128 as bytes. */
static AVX2_INLINE uint64_t nv3_small_bytes(const int32_t *v)
{
    __m256i w = _mm256_load_si256((const void *)v);
    __m128i bytes = _mm_packs_epi32(_mm256_castsi256_si128(w),
                                    _mm256_extracti128_si256(w, 1));

    return _mm_cvtsi128_si64(_mm_packus_epi16(bytes, bytes));
}

/* Where each line begins: the sum of the widths before it, at most 64. */
static AVX2_INLINE void nv3_small_starts(NV3SmallLines *l)
{
    uint64_t sum = nv3_small_bytes(l->width) * 0x0101010101010101ull;

    l->pixels = sum >> 56;
    l->starts = sum << 8;
    l->lefts = nv3_small_bytes(l->left);
}

static AVX2_INLINE unsigned nv3_small_start(const NV3SmallLines *l, unsigned y)
{
    return l->starts >> 8 * y & 0xff;
}

/* Where 32 pixels of the strip are, in bytes: line, x, and x from the line's left. */
typedef struct NV3SmallPlaces {
    __m256i y, x, n;
} NV3SmallPlaces;

static AVX2_INLINE NV3SmallPlaces nv3_small_places(const NV3SmallLines *l,
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
    p.n = _mm256_sub_epi8(place, _mm256_shuffle_epi8(starts, p.y));
    p.x = _mm256_add_epi8(p.n, _mm256_shuffle_epi8(
        _mm256_set1_epi64x(l->lefts), p.y));
    return p;
}

/* A line of a surface to the strip: 8 pixels, or no more than there are. */
static AVX2_INLINE void nv3_small_take(uint16_t *to, const uint8_t *from,
                                       int32_t width, bool inside)
{
    if (__builtin_expect(inside, true)) {
        _mm_storeu_si128((void *)to, _mm_loadu_si128((const void *)from));
    } else if (width) {
        nv3_copy_lanes((uint8_t *)to, from, width);
    }
}

static AVX2_INLINE void nv3_small_gather(const NV3RasterState *st,
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
static AVX2_INLINE void nv3_small_put(uint8_t *to, const uint16_t *from, int32_t n,
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

static AVX2_INLINE void nv3_small_scatter(const NV3RasterState *st,
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

/* Places of 16 pixels, in the widths that attributes have. */
typedef struct NV3SmallGrid {
    NV3Pair x, y;
    __m256i x16, y16;
} NV3SmallGrid;

static AVX2_INLINE NV3SmallGrid nv3_small_grid(__m128i x, __m128i y)
{
    return (NV3SmallGrid) {
        .x = { _mm256_cvtepu8_epi32(x),
               _mm256_cvtepu8_epi32(_mm_unpackhi_epi64(x, x)) },
        .y = { _mm256_cvtepu8_epi32(y),
               _mm256_cvtepu8_epi32(_mm_unpackhi_epi64(y, y)) },
        .x16 = _mm256_cvtepu8_epi16(x),
        .y16 = _mm256_cvtepu8_epi16(y),
    };
}

static AVX2_INLINE __m256i nv3_small_plane32(const NV3RasterTri *t, const int i,
                                             __m256i x, __m256i y)
{
    return _mm256_add_epi32(nv3_bcast32(t->small.v[0][i]), _mm256_add_epi32(
        _mm256_mullo_epi32(x, nv3_bcast32(t->small.v[1][i])),
        _mm256_mullo_epi32(y, nv3_bcast32(t->small.v[2][i]))));
}

static AVX2_INLINE NV3Pair nv3_small_lanes32(const NV3RasterTri *t, const int i,
                                             const NV3SmallGrid *p)
{
    return (NV3Pair) {
        nv3_small_plane32(t, i, p->x.a, p->y.a),
        nv3_small_plane32(t, i, p->x.b, p->y.b),
    };
}

static AVX2_INLINE __m256i nv3_small_lanes16(const NV3RasterTri *t, const int i,
                                             const NV3SmallGrid *p)
{
    return _mm256_add_epi16(nv3_bcast16(t->small.c[0][i]), _mm256_add_epi16(
        _mm256_mullo_epi16(p->x16, nv3_bcast16(t->small.c[1][i])),
        _mm256_mullo_epi16(p->y16, nv3_bcast16(t->small.c[2][i]))));
}

static AVX2_INLINE NV3Lanes nv3_small_lanes(const NV3RasterTri *t,
                                            const NV3SmallGrid *p, uint32_t left,
                                            uint32_t flags)
{
    NV3Lanes n = {
        .m = nv3_small_lanes32(t, NV3_ATTR_M, p),
        .u = nv3_small_lanes32(t, NV3_ATTR_U, p),
        .v = nv3_small_lanes32(t, NV3_ATTR_V, p),
        .first = true,
        .last = left > 8,
    };

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

/* 16 pixels of the strip from the @i-th on. */
static AVX2_INLINE void nv3_small_step(const NV3Avx2 *k, NV3Strip *strip, uint32_t i,
                                       uint32_t left, __m128i x, __m128i y,
                                       bool bilinear, const uint32_t fmt,
                                       uint32_t flags)
{
    const __m256i twice = _mm256_setr_epi8(
        1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15,
        1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    NV3SmallGrid p = nv3_small_grid(x, y);
    __m256i pass = nv3_lanes_from(0, left < 16 ? left : 16), z_pass = pass, z = pass;
    __m256i ga = _mm256_load_si256((const void *)(strip->dither + i));
    __m256i rb = _mm256_setzero_si256();
    NV3Target t = {
        .color = _mm256_load_si256((const void *)(strip->color + i)),
        .zeta = _mm256_load_si256((const void *)(strip->zeta + i)),
    };
    NV3Lanes n;

    if (flags & NV3_RASTER_F_ZETA) {
        z = nv3_depth(k, nv3_small_lanes32(k->t, NV3_ATTR_Z, &p),
                      nv3_small_lanes32(k->t, NV3_ATTR_M, &p), flags);
        z_pass = nv3_compare(&k->st->mode.z_test, z, t.zeta);
        if ((flags & NV3_RASTER_F_EARLY_Z) &&
            _mm256_testz_si256(z_pass, pass)) {
            return;
        }
    }
    if (flags & NV3_RASTER_F_DITHER) {
        /* Red and blue have the pattern that alpha has in the high byte. */
        rb = _mm256_shuffle_epi8(ga, twice);
    }
    n = nv3_small_lanes(k->t, &p, left, flags);
    nv3_pixels(k, &n, z, pass, z_pass, rb, ga, &t, bilinear, fmt, flags);
    _mm256_store_si256((void *)(strip->color + i), t.color);
    _mm256_store_si256((void *)(strip->zeta + i), t.zeta);
}

/* Shades the strip. @p: the places of the first 32. */
static AVX2_INLINE void nv3_small_shade(const NV3Avx2 *k, const NV3SmallLines *l,
                                        NV3SmallPlaces p, NV3Strip *strip,
                                        bool bilinear, const uint32_t fmt,
                                        uint32_t flags)
{
    for (uint32_t i = 0; i < l->pixels; i += 16) {
        if (i == 32) {
            p = nv3_small_places(l, 32);
        }
        nv3_small_step(k, strip, i, l->pixels - i, _mm256_castsi256_si128(p.x),
                       _mm256_castsi256_si128(p.y), bilinear, fmt, flags);
        /* The other half's turn. */
        p.x = _mm256_permute4x64_epi64(p.x, 0x4e);
        p.y = _mm256_permute4x64_epi64(p.y, 0x4e);
    }
}

static AVX2_INLINE void nv3_small_init(const NV3RasterState *st, const NV3RasterTri *t,
                                       const NV3Rect *rect, NV3SmallLines *l,
                                       NV3Avx2 *k)
{
    nv3_avx2_init(k, st, t);
    nv3_small_lines(st, t, rect, l);
    if (__builtin_expect(!l->inside, false)) {
        nv3_small_cut(st, t, l);
    }
    nv3_small_starts(l);
}

static AVX2_INLINE uint32_t nv3_small2(const NV3RasterState *st, const NV3RasterTri *t,
                                       const NV3Rect *rect, bool bilinear,
                                       const uint32_t fmt, const uint32_t may)
{
    const uint32_t flags = t->flags & may;
    NV3SmallLines l;
    NV3Strip strip;
    NV3Avx2 k;

    nv3_small_init(st, t, rect, &l, &k);
    nv3_small_gather(st, t, &l, &strip, flags);
    nv3_small_shade(&k, &l, nv3_small_places(&l, 0), &strip, bilinear, fmt, flags);
    nv3_small_scatter(st, t, &l, &strip, flags);
    return l.pixels;
}

/* ---- AVX-512 -------------------------------------------------------------- */

#define AVX512_TARGET "avx2,avx512f,avx512bw,avx512vl,avx512dq"
#define AVX512 __attribute__((target(AVX512_TARGET)))
#define AVX512_INLINE inline __attribute__((always_inline, target(AVX512_TARGET)))

/* 8 by 8 pixels of 16 bits, lines 0 to 3 and 4 to 7. */
typedef struct NV3SmallSquare {
    __m512i a, b;
} NV3SmallSquare;

static AVX512_INLINE __m512i nv3_small_four(const __m128i line[4])
{
    __m256i a = _mm256_inserti128_si256(_mm256_castsi128_si256(line[0]), line[1], 1);
    __m256i b = _mm256_inserti128_si256(_mm256_castsi128_si256(line[2]), line[3], 1);

    return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
}

/* What a surface holds from the left end of each line on. */
static AVX512_INLINE NV3SmallSquare nv3_small_square(const NV3RasterSurface *s,
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

static AVX512_INLINE NV3SmallSquare nv3_small_dither(const NV3RasterTri *t,
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

static AVX512_INLINE void nv3_small_gather512(const NV3RasterState *st,
                                              const NV3RasterTri *t,
                                              const NV3SmallLines *l,
                                              NV3SmallPlaces p, NV3Strip *strip,
                                              uint32_t flags)
{
    NV3SmallSquare color = { 0 }, zeta = { 0 }, dither;

    dither = nv3_small_dither(t, l, flags);
    if (flags & NV3_RASTER_F_COLOR) {
        color = nv3_small_square(&st->color, t, l);
    }
    if (flags & NV3_RASTER_F_ZETA) {
        zeta = nv3_small_square(&st->zeta, t, l);
    }
    for (uint32_t i = 0;; i += 32) {
        /* The place in the square: 8 to a line. Only its low six bits count. */
        __m512i from = _mm512_cvtepu8_epi16(_mm256_add_epi8(p.n,
            _mm256_slli_epi16(p.y, 3)));

        if (flags & NV3_RASTER_F_COLOR) {
            _mm512_store_si512(strip->color + i,
                _mm512_permutex2var_epi16(color.a, from, color.b));
        }
        if (flags & NV3_RASTER_F_ZETA) {
            _mm512_store_si512(strip->zeta + i,
                _mm512_permutex2var_epi16(zeta.a, from, zeta.b));
        }
        _mm512_store_si512(strip->dither + i,
            _mm512_permutex2var_epi16(dither.a, from, dither.b));
        if (i + 32 >= l->pixels) {
            return;
        }
        p = nv3_small_places(l, i + 32);
    }
}

/* 32 pixels of the strip, read in the pieces that they were written in. */
static AVX512_INLINE __m512i nv3_small_load512(const uint16_t *p)
{
    return _mm512_inserti64x4(
        _mm512_castsi256_si512(_mm256_load_si256((const void *)p)),
        _mm256_load_si256((const void *)(p + 16)), 1);
}

static AVX512_INLINE void nv3_small_put512(const NV3RasterSurface *s,
                                           const NV3RasterTri *t,
                                           const NV3SmallLines *l,
                                           const uint16_t *strip, NV3SmallSquare to)
{
    const __m512i a = nv3_small_load512(strip);
    /* With no pixels there nothing of it is written, but it must be something. */
    const __m512i b = l->pixels > 32 ? nv3_small_load512(strip + 32) : a;
    const __m512i four[2] = { _mm512_permutex2var_epi16(a, to.a, b),
                              _mm512_permutex2var_epi16(a, to.b, b) };

#pragma GCC unroll 8
    for (unsigned y = 0; y < SMALL; y++) {
        uint8_t *p = nv3_raster_row(s, l->row[y]) + 2 * (t->col0 + l->left[y]);

        _mm_mask_storeu_epi16(p, (1u << l->width[y]) - 1,
            y & 3 ? _mm512_extracti32x4_epi32(four[y / 4], y & 3) :
                    _mm512_castsi512_si128(four[y / 4]));
    }
}

static AVX512_INLINE void nv3_small_scatter512(const NV3RasterState *st,
                                               const NV3RasterTri *t,
                                               const NV3SmallLines *l,
                                               const NV3Strip *strip, uint32_t flags)
{
    /* Of each pixel in the square, the place in the strip: its line's start and on. */
    const __m512i along = _mm512_broadcast_i32x4(
        _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
    const __m512i starts = _mm512_cvtepu8_epi16(_mm256_set1_epi64x(l->starts));
    const __m512i line = _mm512_setr_epi64(
        0, 0, 0x0001000100010001, 0x0001000100010001,
        0x0002000200020002, 0x0002000200020002,
        0x0003000300030003, 0x0003000300030003);
    const NV3SmallSquare to = {
        _mm512_add_epi16(along, _mm512_permutexvar_epi16(line, starts)),
        _mm512_add_epi16(along, _mm512_permutexvar_epi16(
            _mm512_add_epi16(line, _mm512_set1_epi16(4)), starts)),
    };

    if (flags & NV3_RASTER_F_COLOR) {
        nv3_small_put512(&st->color, t, l, strip->color, to);
    }
    if (flags & NV3_RASTER_F_ZWRITE) {
        nv3_small_put512(&st->zeta, t, l, strip->zeta, to);
    }
}

static AVX512_INLINE uint32_t nv3_small5(const NV3RasterState *st,
                                         const NV3RasterTri *t, const NV3Rect *rect,
                                         bool bilinear, const uint32_t fmt,
                                         const uint32_t may)
{
    const uint32_t flags = t->flags & may;
    NV3SmallPlaces p;
    NV3SmallLines l;
    NV3Strip strip;
    NV3Avx2 k;

    nv3_small_init(st, t, rect, &l, &k);
    if (!l.pixels) {
        return 0;
    }
    p = nv3_small_places(&l, 0);
    nv3_small_gather512(st, t, &l, p, &strip, flags);
    nv3_small_shade(&k, &l, p, &strip, bilinear, fmt, flags);
    nv3_small_scatter512(st, t, &l, &strip, flags);
    return l.pixels;
}

#define NV3_SMALL(name, bilinear, fmt, may) \
    static AVX2 uint32_t nv3_small2_##name(const NV3RasterState *st, \
                                           const NV3RasterTri *t, \
                                           const NV3Rect *rect) \
    { \
        return nv3_small2(st, t, rect, bilinear, fmt, may); \
    } \
    static AVX512 uint32_t nv3_small5_##name(const NV3RasterState *st, \
                                             const NV3RasterTri *t, \
                                             const NV3Rect *rect) \
    { \
        return nv3_small5(st, t, rect, bilinear, fmt, may); \
    }

NV3_SMALL(near_1555, false, 0, NV3_MAY_ALL)
NV3_SMALL(near_565, false, NV3_RASTER_F_FMT_565, NV3_MAY_ALL)
NV3_SMALL(near_4444, false, NV3_RASTER_F_FMT_4444, NV3_MAY_ALL)
NV3_SMALL(bi_1555, true, 0, NV3_MAY_ALL)
NV3_SMALL(bi_565, true, NV3_RASTER_F_FMT_565, NV3_MAY_ALL)
NV3_SMALL(bi_4444, true, NV3_RASTER_F_FMT_4444, NV3_MAY_ALL)
NV3_SMALL(near_1555_plain, false, 0, NV3_MAY_PLAIN)
NV3_SMALL(near_565_plain, false, NV3_RASTER_F_FMT_565, NV3_MAY_PLAIN)
NV3_SMALL(near_4444_plain, false, NV3_RASTER_F_FMT_4444, NV3_MAY_PLAIN)
NV3_SMALL(bi_1555_plain, true, 0, NV3_MAY_PLAIN)
NV3_SMALL(bi_565_plain, true, NV3_RASTER_F_FMT_565, NV3_MAY_PLAIN)
NV3_SMALL(bi_4444_plain, true, NV3_RASTER_F_FMT_4444, NV3_MAY_PLAIN)

#define NV3_SMALL_TABLE(n) { \
    { { nv3_small##n##_near_1555, nv3_small##n##_near_1555_plain }, \
      { nv3_small##n##_bi_1555, nv3_small##n##_bi_1555_plain } }, \
    { { nv3_small##n##_near_565, nv3_small##n##_near_565_plain }, \
      { nv3_small##n##_bi_565, nv3_small##n##_bi_565_plain } }, \
    { { nv3_small##n##_near_4444, nv3_small##n##_near_4444_plain }, \
      { nv3_small##n##_bi_4444, nv3_small##n##_bi_4444_plain } }, \
}

NV3Avx2Draw *const nv3_small_avx2[2][3][2][2] = {
    NV3_SMALL_TABLE(2), NV3_SMALL_TABLE(5),
};
#endif
