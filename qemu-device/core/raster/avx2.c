/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the span loops with AVX2. They process a line in blocks of 16 pixels. The
 * loops are compiled once for each combination of filter, texel layout and permitted
 * flags (the parameter @may). In each variant, the compiler removes the branches for
 * flags outside @may. The CPU predicts the remaining branches well, because flags do not
 * change within a triangle.
 */
#include "raster/simd.h"

#ifdef NV3_HAVE_AVX2
/*
 * The value of each attribute at each pixel of a block, minus its value at the block's
 * first pixel. In a triangle, these offsets are the same for all blocks.
 */
typedef struct NV3Avx2Offsets {
    NV3Pair v[4];
    __m256i c[NV3_COL_COUNT];
} NV3Avx2Offsets;

/*
 * A block of pixels in a line. If @whole is true, all lanes are drawn, otherwise only
 * lanes [@lo, @hi). The loops may read all lanes, but write only the drawn lanes, because
 * another thread may be drawing the pixels of the other lanes.
 */
typedef struct NV3Avx2Block {
    int32_t x, lo, hi;
    bool whole;
} NV3Avx2Block;

/*
 * The values of the attributes at the first pixel of a block. In each element, index 0
 * is the fraction and index 1 is the integer part.
 */
typedef struct NV3Avx2Start {
    uint32_t v[4][2];
    uint16_t c[8][2];
} NV3Avx2Start __attribute__((aligned(32)));

/* Constants of a line. */
typedef struct NV3Avx2Line {
    uint8_t *color, *zeta;
    const NV3DitherLine *dither;
    int32_t pixels;         /* readable pixels */
} NV3Avx2Line;

/* Returns nv3_block_offset32() for each lane number in @lane. */
static SIMD_INLINE __m256i nv3_off32(int64_t dx, __m256i lane)
{
    __m256i hi = nv3_bcast32((uint64_t)dx >> 32);
    __m256i lo = nv3_bcast32((uint32_t)dx >> 4);

    return _mm256_add_epi32(_mm256_mullo_epi32(hi, lane),
        _mm256_srli_epi32(_mm256_mullo_epi32(lo, lane), 28));
}

/* Computes nv3_block_offset16() for all lanes. */
static SIMD_INLINE __m256i nv3_off16(int32_t dx)
{
    const __m256i lane = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7,
                                           8, 9, 10, 11, 12, 13, 14, 15);

    return _mm256_add_epi16(
        _mm256_mullo_epi16(nv3_bcast16((uint32_t)dx >> 16), lane),
        _mm256_mulhi_epu16(nv3_bcast16(dx), lane));
}

static SIMD_INLINE void nv3_offsets_init(NV3Avx2Offsets *o, const NV3RasterTri *t)
{
    const __m256i lane_a = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i lane_b = _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15);

    for (unsigned i = 0; i < 4; i++) {
        o->v[i].a = nv3_off32(t->dx[i], lane_a);
        o->v[i].b = nv3_off32(t->dx[i], lane_b);
    }
    for (unsigned i = 0; i < NV3_COL_COUNT; i++) {
        o->c[i] = nv3_off16(t->cdx[i]);
    }
}

/*
 * Returns the values of attribute @i at all pixels of the block. The start value is in
 * memory, from where a single instruction loads it into all lanes.
 */
static SIMD_INLINE NV3Pair nv3_lanes32(const NV3Avx2Offsets *o,
                                       const NV3Avx2Start *s, const int i)
{
    __m256i start = nv3_bcast32(s->v[i][1]);

    return (NV3Pair) {
        _mm256_add_epi32(start, o->v[i].a),
        _mm256_add_epi32(start, o->v[i].b),
    };
}

static SIMD_INLINE NV3Lanes nv3_lanes(const NV3Avx2Offsets *o,
                                      const NV3Avx2Start *s, const NV3Avx2Block *b)
{
    NV3Lanes n;

    /*
     * Assign the fields separately: a compound literal would also clear the colours.
     */
    n.m = nv3_lanes32(o, s, NV3_ATTR_M);
    n.u = nv3_lanes32(o, s, NV3_ATTR_U);
    n.v = nv3_lanes32(o, s, NV3_ATTR_V);
    n.first = b->whole || b->lo < NV3_RASTER_BLOCK / 2;
    n.last = b->whole || b->hi > NV3_RASTER_BLOCK / 2;
    for (int i = 0; i < NV3_COL_COUNT; i++) {
        n.c[i] = _mm256_add_epi16(nv3_bcast16(s->c[i][1]), o->c[i]);
    }
    return n;
}

/*
 * Loads only the drawn lanes of a block, because the block extends beyond the readable
 * pixels of the line. The other lanes are 0.
 */
static __attribute__((noinline, target("avx2")))
__m256i nv3_load_last(const uint8_t *line, const NV3Avx2Block *b)
{
    uint8_t tmp[32] __attribute__((aligned(32))) = { 0 };

    nv3_copy_lanes(tmp + b->lo * 2, line + (b->x + b->lo) * 2, b->hi - b->lo);
    return _mm256_load_si256((const void *)tmp);
}

static SIMD_INLINE __m256i nv3_load(const uint8_t *line, const NV3Avx2Block *b,
                                    int32_t pixels)
{
    if (b->x + NV3_RASTER_BLOCK > pixels) {
        return nv3_load_last(line, b);
    }
    return _mm256_loadu_si256((const void *)(line + b->x * 2));
}

static SIMD_INLINE void nv3_store(uint8_t *line, const NV3Avx2Block *b, __m256i v)
{
    uint8_t tmp[32] __attribute__((aligned(32)));

    if (b->whole) {
        _mm256_storeu_si256((void *)(line + b->x * 2), v);
        return;
    }
    _mm256_store_si256((void *)tmp, v);
    nv3_copy_lanes(line + (b->x + b->lo) * 2, tmp + b->lo * 2, b->hi - b->lo);
}

static SIMD_INLINE void nv3_block(const NV3Avx2 *k, const NV3Avx2Offsets *o,
                                  const NV3Avx2Line *l, const NV3Avx2Block *b,
                                  const NV3Avx2Start *s, bool bilinear,
                                  const uint32_t fmt, uint32_t flags)
{
    __m256i pass = b->whole ? nv3_bcast16(0xffff) : nv3_lanes_from(b->lo, b->hi);
    __m256i z_pass = pass, z = pass;
    NV3Target t = { pass, pass };
    NV3Lanes n;

    if (flags & NV3_RASTER_F_ZETA) {
        z = nv3_depth(k, nv3_lanes32(o, s, NV3_ATTR_Z),
                      nv3_lanes32(o, s, NV3_ATTR_M), flags);
        t.zeta = nv3_load(l->zeta, b, l->pixels);
        z_pass = nv3_compare(&k->st->mode.z_test, z, t.zeta);
        if ((flags & NV3_RASTER_F_EARLY_Z) &&
            _mm256_testz_si256(z_pass, pass)) {
            return;
        }
    }
    if (flags & NV3_RASTER_F_COLOR) {
        t.color = nv3_load(l->color, b, l->pixels);
    }
    n = nv3_lanes(o, s, b);
    nv3_pixels(k, &n, z, pass, z_pass,
               _mm256_loadu_si256((const void *)l->dither->rb),
               _mm256_loadu_si256((const void *)l->dither->ga), &t,
               bilinear, fmt, flags);
    if (flags & NV3_RASTER_F_COLOR) {
        nv3_store(l->color, b, t.color);
    }
    if (flags & NV3_RASTER_F_ZWRITE) {
        nv3_store(l->zeta, b, t.zeta);
    }
}

/*
 * The values of the attributes at the first pixel of a block, and the steps of the
 * values to the next block and to the next line.
 */
typedef struct NV3Avx2Cursor {
    __m256i v, c;
    __m256i v_block, c_block;   /* steps to the next block */
    __m256i v_row, c_row;       /* steps to the next line */
    int32_t x;
} NV3Avx2Cursor;

static SIMD_INLINE __m256i nv3_load64(const int64_t *p, unsigned shift)
{
    return _mm256_slli_epi64(_mm256_loadu_si256((const void *)p), shift);
}

static SIMD_INLINE __m256i nv3_load32(const int32_t *p, unsigned shift)
{
    return _mm256_slli_epi32(_mm256_loadu_si256((const void *)p), shift);
}

static SIMD_INLINE void nv3_cursor_init(NV3Avx2Cursor *p, const NV3RasterTri *t,
                                        int32_t x, int32_t row)
{
    int64_t v[4];

    for (unsigned i = 0; i < 4; i++) {
        v[i] = t->base[i] + (uint64_t)t->dx[i] * x + (uint64_t)t->dy[i] * row;
    }
    p->v = nv3_load64(v, 0);
    p->c = _mm256_add_epi32(nv3_load32(t->cbase, 0),
        _mm256_add_epi32(
            _mm256_mullo_epi32(nv3_load32(t->cdx, 0), nv3_bcast32(x)),
            _mm256_mullo_epi32(nv3_load32(t->cdy, 0), nv3_bcast32(row))));
    p->v_block = nv3_load64(t->dx, 4);
    p->c_block = nv3_load32(t->cdx, 4);
    p->v_row = nv3_load64(t->dy, 0);
    p->c_row = nv3_load32(t->cdy, 0);
    p->x = x;
}

static SIMD_INLINE void nv3_cursor_seek(NV3Avx2Cursor *p, int32_t x)
{
    while (p->x < x) {
        p->v = _mm256_add_epi64(p->v, p->v_block);
        p->c = _mm256_add_epi32(p->c, p->c_block);
        p->x += NV3_RASTER_BLOCK;
    }
    while (p->x > x) {
        p->v = _mm256_sub_epi64(p->v, p->v_block);
        p->c = _mm256_sub_epi32(p->c, p->c_block);
        p->x -= NV3_RASTER_BLOCK;
    }
}

/* Draws the pixels [@x0, @x1) of a line. */
static SIMD_INLINE void nv3_span(const NV3Avx2 *k, const NV3Avx2Offsets *o,
                                 const NV3Avx2Line *l, NV3Avx2Cursor *p,
                                 int32_t x0, int32_t x1, bool bilinear,
                                 const uint32_t fmt, uint32_t flags)
{
    int32_t x = x0 & -NV3_RASTER_BLOCK;
    NV3Avx2Start s;
    __m256i v, c;

    nv3_cursor_seek(p, x);
    v = p->v;
    c = p->c;
    for (; x < x1; x += NV3_RASTER_BLOCK) {
        int32_t lo = x0 > x ? x0 - x : 0, hi = x1 - x;

        _mm256_store_si256((void *)s.v, v);
        _mm256_store_si256((void *)s.c, c);
        if (lo == 0 && hi >= NV3_RASTER_BLOCK) {
            NV3Avx2Block b = { .x = x, .whole = true };

            nv3_block(k, o, l, &b, &s, bilinear, fmt, flags);
        } else {
            NV3Avx2Block b = {
                .x = x, .lo = lo,
                .hi = hi < NV3_RASTER_BLOCK ? hi : NV3_RASTER_BLOCK,
            };

            nv3_block(k, o, l, &b, &s, bilinear, fmt, flags);
        }
        v = _mm256_add_epi64(v, p->v_block);
        c = _mm256_add_epi32(c, p->c_block);
    }
}

/*
 * Draws the part of a triangle in @rect. Returns the number of pixels that the triangle
 * covers in @rect.
 */
static SIMD_INLINE uint32_t nv3_rows(const NV3RasterState *st, const NV3RasterTri *t,
                                     const NV3Rect *rect, bool bilinear,
                                     const uint32_t fmt, const uint32_t may)
{
    const uint32_t flags = t->flags & may;
    const NV3DitherLine *dither =
        nv3_raster_dither_lines[(flags & NV3_RASTER_F_DITHER) != 0];
    uint32_t pixels = 0;
    NV3Avx2 k;
    NV3Avx2Offsets offsets;
    NV3Avx2Cursor p;
    NV3Avx2Line l;
    NV3RasterWalk w;

    if (!nv3_walk_init(&w, t, rect->y0, rect->y1)) {
        return 0;
    }
    nv3_avx2_init(&k, st, t);
    nv3_offsets_init(&offsets, t);
    nv3_cursor_init(&p, t, rect->x0 & -NV3_RASTER_BLOCK, w.row);
    for (;;) {
        int32_t x0 = w.edge[0].x, x1 = w.edge[1].x;

        l.color = nv3_raster_row(&st->color, w.row);
        l.zeta = nv3_raster_row(&st->zeta, w.row);
        l.pixels = nv3_raster_row_pixels(st, flags, w.row);
        l.dither = dither + (w.row & 15);
        x0 = x0 > rect->x0 ? x0 : rect->x0;
        x1 = x1 < rect->x1 ? x1 : rect->x1;
        x1 = x1 < l.pixels ? x1 : l.pixels;
        if (x0 < x1) {
            nv3_span(&k, &offsets, &l, &p, x0, x1, bilinear, fmt, flags);
            pixels += x1 - x0;
        }
        if (!nv3_walk_next(&w, t)) {
            return pixels;
        }
        p.v = _mm256_add_epi64(p.v, p.v_row);
        p.c = _mm256_add_epi32(p.c, p.c_row);
    }
}

#define NV3_DRAW(name, bilinear, fmt, may) \
    static SIMD uint32_t nv3_draw_##name(const NV3RasterState *st, \
                                         const NV3RasterTri *t, \
                                         const NV3Rect *rect) \
    { \
        return nv3_rows(st, t, rect, bilinear, fmt, may); \
    }

NV3_DRAW(near_1555, false, 0, NV3_MAY_ALL)
NV3_DRAW(near_565, false, NV3_RASTER_F_FMT_565, NV3_MAY_ALL)
NV3_DRAW(near_4444, false, NV3_RASTER_F_FMT_4444, NV3_MAY_ALL)
NV3_DRAW(bi_1555, true, 0, NV3_MAY_ALL)
NV3_DRAW(bi_565, true, NV3_RASTER_F_FMT_565, NV3_MAY_ALL)
NV3_DRAW(bi_4444, true, NV3_RASTER_F_FMT_4444, NV3_MAY_ALL)
NV3_DRAW(near_1555_plain, false, 0, NV3_MAY_PLAIN)
NV3_DRAW(near_565_plain, false, NV3_RASTER_F_FMT_565, NV3_MAY_PLAIN)
NV3_DRAW(near_4444_plain, false, NV3_RASTER_F_FMT_4444, NV3_MAY_PLAIN)
NV3_DRAW(bi_1555_plain, true, 0, NV3_MAY_PLAIN)
NV3_DRAW(bi_565_plain, true, NV3_RASTER_F_FMT_565, NV3_MAY_PLAIN)
NV3_DRAW(bi_4444_plain, true, NV3_RASTER_F_FMT_4444, NV3_MAY_PLAIN)

uint32_t nv3_raster_draw_avx2(const NV3RasterState *st,
                              const NV3RasterTri *t, const NV3Rect *rect)
{
    /*
     * Span loops, indexed by texel layout, by filter, and by whether they draw only
     * plain triangles (NV3_MAY_PLAIN).
     */
    static NV3Avx2Draw *const draw[3][2][2] = {
        { { nv3_draw_near_1555, nv3_draw_near_1555_plain },
          { nv3_draw_bi_1555, nv3_draw_bi_1555_plain } },
        { { nv3_draw_near_565, nv3_draw_near_565_plain },
          { nv3_draw_bi_565, nv3_draw_bi_565_plain } },
        { { nv3_draw_near_4444, nv3_draw_near_4444_plain },
          { nv3_draw_bi_4444, nv3_draw_bi_4444_plain } },
    };
    unsigned fmt = t->flags & NV3_RASTER_F_FMT_565 ? 1 :
                   t->flags & NV3_RASTER_F_FMT_4444 ? 2 : 0;
    bool bilinear = t->flags & NV3_RASTER_F_BILINEAR;
    /*
     * The plain loops support only the flags in NV3_MAY_PLAIN. NV3_CHOSEN contains the
     * flags that select one of these loops, so ignore them here.
     */
    bool plain = !(t->flags & ~(NV3_MAY_PLAIN | NV3_CHOSEN));

    if (t->flags & NV3_RASTER_F_SMALL) {
        switch (st->mode.simd) {
        case NV3_SIMD_AVX512_VBMI2:
            return nv3_small_vbmi2[fmt][bilinear][plain](st, t, rect);
        case NV3_SIMD_AVX512:
            return nv3_small_avx512[fmt][bilinear][plain](st, t, rect);
        default:
            return nv3_small_avx2[fmt][bilinear][plain](st, t, rect);
        }
    }
    return draw[fmt][bilinear][plain](st, t, rect);
}
#endif
