/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the span loops with NEON on Arm64. They shade 8 pixels in each step. Along
 * lines, each block of 16 pixels takes two steps. The lines of a small triangle are
 * concatenated into a strip (small.h). As with AVX2, the loops are compiled once for each
 * combination of filter, texel layout and permitted flags.
 */
#include "raster/small.h"

#ifdef NV3_HAVE_NEON
#define STEPS   (NV3_RASTER_BLOCK / NV3_SIMD_LANES)

static const uint8_t nv3_iota[NV3_SIMD_LANES] = { 0, 1, 2, 3, 4, 5, 6, 7 };

static SIMD_INLINE NV3Vec nv3_load(const void *p)
{
    return nv3_from_u8(vld1q_u8(p));
}

static SIMD_INLINE void nv3_store(void *p, NV3Vec v)
{
    vst1q_u8(p, nv3_u8(v));
}

/* ---- along lines ----------------------------------------------------------- */

/*
 * The value of each attribute at each pixel of a block, minus its value at the block's
 * first pixel. In a triangle, these offsets are the same for all blocks.
 */
typedef struct NV3NeonOffsets {
    NV3Pair v[STEPS][4];
    NV3Vec c[STEPS][NV3_COL_COUNT];
} NV3NeonOffsets;

/* Constants of a line. */
typedef struct NV3NeonLine {
    uint8_t *color, *zeta;
    const NV3DitherLine *dither;
    int32_t pixels;         /* readable pixels */
} NV3NeonLine;

/* Values of the attributes at the first pixel of a block, without fractions. */
typedef struct NV3NeonStart {
    uint32_t v[4];
    uint16_t c[NV3_COL_COUNT];
} NV3NeonStart;

/*
 * A step processes 8 pixels, starting at @x, and draws lanes [@lo, @hi). It may read all
 * lanes, but writes only the drawn lanes, because another thread may be drawing the
 * pixels of the other lanes.
 */
typedef struct NV3NeonStep {
    int32_t x, lo, hi;
    unsigned index;         /* index in the block */
} NV3NeonStep;

static void nv3_offsets_init(NV3NeonOffsets *o, const NV3RasterTri *t)
{
    for (unsigned s = 0; s < STEPS; s++) {
        uint32_t v[NV3_SIMD_LANES];
        uint16_t c[NV3_SIMD_LANES];

        for (unsigned i = 0; i < 4; i++) {
            for (unsigned lane = 0; lane < NV3_SIMD_LANES; lane++) {
                v[lane] = nv3_block_offset32(t->dx[i], s * NV3_SIMD_LANES + lane);
            }
            o->v[s][i] = (NV3Pair) { nv3_load(v), nv3_load(v + 4) };
        }
        for (unsigned i = 0; i < NV3_COL_COUNT; i++) {
            for (unsigned lane = 0; lane < NV3_SIMD_LANES; lane++) {
                c[lane] = nv3_block_offset16(t->cdx[i], s * NV3_SIMD_LANES + lane);
            }
            o->c[s][i] = nv3_load(c);
        }
    }
}

static SIMD_INLINE NV3Pair nv3_lanes32(const NV3NeonOffsets *o, const NV3NeonStart *s,
                                       const NV3NeonStep *b, const int i)
{
    const NV3Vec start = nv3_bcast32(s->v[i]);
    const NV3Pair *offset = &o->v[b->index][i];

    return (NV3Pair) {
        V(add_epi32)(start, offset->a),
        V(add_epi32)(start, offset->b),
    };
}

static SIMD_INLINE NV3Lanes nv3_lanes(const NV3NeonOffsets *o, const NV3NeonStart *s,
                                      const NV3NeonStep *b)
{
    NV3Lanes n;

    n.m = nv3_lanes32(o, s, b, NV3_ATTR_M);
    n.u = nv3_lanes32(o, s, b, NV3_ATTR_U);
    n.v = nv3_lanes32(o, s, b, NV3_ATTR_V);
    n.first = b->lo < NV3_SIMD_LANES / 2;
    n.last = b->hi > NV3_SIMD_LANES / 2;
    for (int i = 0; i < NV3_COL_COUNT; i++) {
        n.c[i] = V(add_epi16)(nv3_bcast16(s->c[i]), o->c[b->index][i]);
    }
    return n;
}

static SIMD_INLINE NV3Vec nv3_load_step(const uint8_t *line, const NV3NeonStep *b,
                                        int32_t pixels)
{
    uint16_t few[NV3_SIMD_LANES] = { 0 };

    if (b->x + NV3_SIMD_LANES <= pixels) {
        return nv3_load(line + b->x * 2);
    }
    /* The end of a surface. */
    nv3_copy_lanes((uint8_t *)(few + b->lo), line + (b->x + b->lo) * 2, b->hi - b->lo);
    return nv3_load(few);
}

static SIMD_INLINE void nv3_store_step(uint8_t *line, const NV3NeonStep *b, NV3Vec v)
{
    uint16_t some[NV3_SIMD_LANES];

    if (b->lo == 0 && b->hi == NV3_SIMD_LANES) {
        nv3_store(line + b->x * 2, v);
        return;
    }
    nv3_store(some, v);
    nv3_copy_lanes(line + (b->x + b->lo) * 2, (const uint8_t *)(some + b->lo),
                   b->hi - b->lo);
}

static SIMD_INLINE void nv3_step(const NV3Avx2 *k, const NV3NeonOffsets *o,
                                 const NV3NeonLine *l, const NV3NeonStep *b,
                                 const NV3NeonStart *s, bool bilinear,
                                 const uint32_t fmt, uint32_t flags)
{
    NV3Vec pass = nv3_lanes_from(b->lo, b->hi), z_pass = pass, z = pass;
    NV3Target t = { pass, pass };
    NV3Lanes n;

    if (flags & NV3_RASTER_F_ZETA) {
        z = nv3_depth(k, nv3_lanes32(o, s, b, NV3_ATTR_Z),
                      nv3_lanes32(o, s, b, NV3_ATTR_M), flags);
        t.zeta = nv3_load_step(l->zeta, b, l->pixels);
        z_pass = nv3_compare(&k->st->mode.z_test, z, t.zeta);
        if ((flags & NV3_RASTER_F_EARLY_Z) && nv3_no_lane(z_pass, pass)) {
            return;
        }
    }
    if (flags & NV3_RASTER_F_COLOR) {
        t.color = nv3_load_step(l->color, b, l->pixels);
    }
    n = nv3_lanes(o, s, b);
    nv3_pixels(k, &n, z, pass, z_pass,
               nv3_load(l->dither->rb + b->index * NV3_SIMD_LANES),
               nv3_load(l->dither->ga + b->index * NV3_SIMD_LANES), &t,
               bilinear, fmt, flags);
    if (flags & NV3_RASTER_F_COLOR) {
        nv3_store_step(l->color, b, t.color);
    }
    if (flags & NV3_RASTER_F_ZWRITE) {
        nv3_store_step(l->zeta, b, t.zeta);
    }
}

/* Returns the values of the attributes at the first pixel of the block at @x. */
static SIMD_INLINE NV3NeonStart nv3_start(const NV3RasterTri *t, int32_t x, int32_t row)
{
    NV3NeonStart s;

    for (unsigned i = 0; i < 4; i++) {
        s.v[i] = (t->base[i] + (uint64_t)t->dx[i] * x + (uint64_t)t->dy[i] * row) >> 32;
    }
    for (unsigned i = 0; i < NV3_COL_COUNT; i++) {
        s.c[i] = (t->cbase[i] + (uint32_t)t->cdx[i] * x +
                  (uint32_t)t->cdy[i] * row) >> 16;
    }
    return s;
}

/* Draws pixels [@x0, @x1) of a line. */
static SIMD_INLINE void nv3_span(const NV3Avx2 *k, const NV3NeonOffsets *o,
                                 const NV3NeonLine *l, int32_t row, int32_t x0,
                                 int32_t x1, bool bilinear, const uint32_t fmt,
                                 uint32_t flags)
{
    for (int32_t x = x0 & -NV3_RASTER_BLOCK; x < x1; x += NV3_RASTER_BLOCK) {
        const NV3NeonStart s = nv3_start(k->t, x, row);

        for (unsigned i = 0; i < STEPS; i++) {
            NV3NeonStep b = { .x = x + (int32_t)i * NV3_SIMD_LANES, .index = i };

            b.lo = x0 > b.x ? x0 - b.x : 0;
            b.hi = x1 - b.x < NV3_SIMD_LANES ? x1 - b.x : NV3_SIMD_LANES;
            if (b.lo < b.hi) {
                nv3_step(k, o, l, &b, &s, bilinear, fmt, flags);
            }
        }
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
    NV3NeonOffsets offsets;
    NV3RasterWalk w;
    NV3Avx2 k;

    if (!nv3_walk_init(&w, t, rect->y0, rect->y1)) {
        return 0;
    }
    nv3_avx2_init(&k, st, t);
    nv3_offsets_init(&offsets, t);
    do {
        const NV3NeonLine l = {
            .color = nv3_raster_row(&st->color, w.row),
            .zeta = nv3_raster_row(&st->zeta, w.row),
            .dither = dither + (w.row & 15),
            .pixels = nv3_raster_row_pixels(st, flags, w.row),
        };
        int32_t x0 = w.edge[0].x, x1 = w.edge[1].x;

        x0 = x0 > rect->x0 ? x0 : rect->x0;
        x1 = x1 < rect->x1 ? x1 : rect->x1;
        x1 = x1 < l.pixels ? x1 : l.pixels;
        if (x0 < x1) {
            nv3_span(&k, &offsets, &l, w.row, x0, x1, bilinear, fmt, flags);
            pixels += x1 - x0;
        }
    } while (nv3_walk_next(&w, t));
    return pixels;
}

#define NV3_DRAW(name, bilinear, fmt, may) \
    static uint32_t nv3_draw_##name(const NV3RasterState *st, const NV3RasterTri *t, \
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

/* ---- small triangles ------------------------------------------------------- */

/*
 * The triangle's pixels in line @row, starting at column @x. @start: the first pixel's
 * index in the strip.
 */
typedef struct NV3NeonRun {
    int32_t row, x, width;
    unsigned start;
} NV3NeonRun;

/*
 * The triangle's pixels, line after line. For each pixel, the strip holds the colour and
 * the depth from the surfaces, the dither bits (NV3DitherLine), and the position relative
 * to col0 and row0. Each line is stored as 8 pixels, even if it is shorter, so the arrays
 * need 8 additional elements.
 */
typedef struct NV3NeonStrip {
    uint16_t color[STRIP + SMALL], zeta[STRIP + SMALL], dither[STRIP + SMALL];
    uint8_t x[STRIP + SMALL], y[STRIP + SMALL];
    NV3NeonRun run[SMALL];
    unsigned runs, pixels;
} NV3NeonStrip;

/*
 * Copies a line of a surface to the strip: 8 pixels if all of them are readable,
 * otherwise only the triangle's pixels.
 */
static SIMD_INLINE void nv3_strip_take(uint16_t *to, const uint8_t *line,
                                       const NV3NeonRun *r, int32_t readable)
{
    if (r->x + SMALL <= readable) {
        nv3_store(to, nv3_load(line + 2 * r->x));
    } else {
        nv3_copy_lanes((uint8_t *)to, line + 2 * r->x, r->width);
    }
}

static SIMD_INLINE void nv3_strip_add(const NV3RasterState *st, const NV3RasterTri *t,
                                      NV3NeonStrip *strip, const NV3NeonRun *r,
                                      int32_t readable, uint32_t flags)
{
    const NV3DitherLine *dither =
        nv3_raster_dither_lines[(flags & NV3_RASTER_F_DITHER) != 0];
    const unsigned n = r->start;

    if (flags & NV3_RASTER_F_COLOR) {
        nv3_strip_take(strip->color + n, nv3_raster_row(&st->color, r->row), r, readable);
    }
    if (flags & NV3_RASTER_F_ZETA) {
        nv3_strip_take(strip->zeta + n, nv3_raster_row(&st->zeta, r->row), r, readable);
    }
    nv3_store(strip->dither + n, nv3_load(dither[r->row & 15].ga + (r->x & 15)));
    vst1_u8(strip->x + n, vadd_u8(vld1_u8(nv3_iota), vdup_n_u8(r->x - t->col0)));
    vst1_u8(strip->y + n, vdup_n_u8(r->row - t->row0));
}

static SIMD_INLINE void nv3_strip_fill(const NV3RasterState *st, const NV3RasterTri *t,
                                       const NV3Rect *rect, NV3NeonStrip *strip,
                                       uint32_t flags)
{
    NV3RasterWalk w;

    strip->runs = 0;
    strip->pixels = 0;
    if (!nv3_walk_init(&w, t, rect->y0, rect->y1)) {
        return;
    }
    do {
        const int32_t readable = nv3_raster_row_pixels(st, flags, w.row);
        int32_t x0 = w.edge[0].x, x1 = w.edge[1].x;

        x0 = x0 > rect->x0 ? x0 : rect->x0;
        x1 = x1 < rect->x1 ? x1 : rect->x1;
        x1 = x1 < readable ? x1 : readable;
        if (x0 < x1) {
            NV3NeonRun *r = &strip->run[strip->runs++];

            *r = (NV3NeonRun) { w.row, x0, x1 - x0, strip->pixels };
            nv3_strip_add(st, t, strip, r, readable, flags);
            strip->pixels += r->width;
        }
    } while (nv3_walk_next(&w, t));
}

static SIMD_INLINE void nv3_strip_put(const NV3RasterState *st, const NV3NeonStrip *strip,
                                      uint32_t flags)
{
    for (unsigned i = 0; i < strip->runs; i++) {
        const NV3NeonRun *r = &strip->run[i];

        if (flags & NV3_RASTER_F_COLOR) {
            nv3_copy_lanes(nv3_raster_row(&st->color, r->row) + 2 * r->x,
                           (const uint8_t *)(strip->color + r->start), r->width);
        }
        if (flags & NV3_RASTER_F_ZWRITE) {
            nv3_copy_lanes(nv3_raster_row(&st->zeta, r->row) + 2 * r->x,
                           (const uint8_t *)(strip->zeta + r->start), r->width);
        }
    }
}

static SIMD_INLINE uint32_t nv3_small(const NV3RasterState *st, const NV3RasterTri *t,
                                      const NV3Rect *rect, bool bilinear,
                                      const uint32_t fmt, const uint32_t may)
{
    const uint32_t flags = t->flags & may;
    NV3NeonStrip strip;
    NV3Avx2 k;

    nv3_avx2_init(&k, st, t);
    nv3_strip_fill(st, t, rect, &strip, flags);
    for (uint32_t i = 0; i < strip.pixels; i += NV3_SIMD_LANES) {
        const NV3SmallGrid grid = nv3_small_grid(vld1_u8(strip.x + i),
                                                 vld1_u8(strip.y + i));
        const NV3Vec ga = nv3_load(strip.dither + i);
        NV3Target target = {
            .color = nv3_load(strip.color + i), .zeta = nv3_load(strip.zeta + i),
        };

        if (nv3_small_step(&k, grid, strip.pixels - i, &target,
                           nv3_small_dither_rb(ga, flags), ga, bilinear, fmt,
                           flags)) {
            nv3_store(strip.color + i, target.color);
            nv3_store(strip.zeta + i, target.zeta);
        }
    }
    nv3_strip_put(st, &strip, flags);
    return strip.pixels;
}

NV3_SMALL_LOOPS

uint32_t nv3_raster_draw_neon(const NV3RasterState *st, const NV3RasterTri *t,
                              const NV3Rect *rect)
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
    static NV3Avx2Draw *const small[3][2][2] = NV3_SMALL_TABLE;
    const unsigned fmt = t->flags & NV3_RASTER_F_FMT_565 ? 1 :
                         t->flags & NV3_RASTER_F_FMT_4444 ? 2 : 0;
    const bool bilinear = t->flags & NV3_RASTER_F_BILINEAR;
    /*
     * The plain loops support only the flags in NV3_MAY_PLAIN. NV3_CHOSEN contains the
     * flags that select one of these loops, so ignore them here.
     */
    const bool plain = !(t->flags & ~(NV3_MAY_PLAIN | NV3_CHOSEN));

    return (t->flags & NV3_RASTER_F_SMALL ? small : draw)[fmt][bilinear][plain]
           (st, t, rect);
}
#endif
