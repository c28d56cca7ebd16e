/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the span loops in plain C. They draw one pixel at a time. The SIMD loops use
 * the same arithmetic with the same widths, so that all loops draw the same picture. The
 * test test_raster_simd.c checks this.
 */
#include "raster/raster_int.h"

/* A colour before dithering, with components of 8.8 bits. */
typedef struct NV3Texel {
    uint16_t r, g, b, a;
} NV3Texel;

/* The current line, and the attributes at the first pixel of a block. */
typedef struct NV3ScalarSpan {
    const NV3RasterState *st;
    const NV3RasterTri *t;
    uint32_t flags;
    int32_t x, y;           /* first pixel of the block */
    uint64_t v[4];
    uint32_t c[NV3_COL_COUNT];
    uint8_t *color, *zeta;  /* pixel 0 of the line */
} NV3ScalarSpan;

static inline uint16_t nv3_mulhi(uint16_t a, uint16_t b)
{
    return (uint32_t)a * b >> 16;
}

static inline bool nv3_test(const NV3RasterCompare *c, uint16_t a, uint16_t b)
{
    uint16_t ge = a >= b ? c->ge : 0;
    uint16_t eq = a == b ? c->eq : 0;

    return ge ^ eq ^ c->inv;
}

/*
 * Returns INT32_MIN for results that do not fit in an int32_t, like x86's conversion
 * instruction.
 */
static inline int32_t nv3_floor(float f)
{
    int32_t i;

    if (!(f >= -0x1p31f && f < 0x1p31f)) {
        return INT32_MIN;
    }
    i = f;
    return i - ((float)i > f);
}

/* Returns attribute @i of a small triangle at pixel @lane of the block. */
static inline int32_t nv3_small_attr(const NV3ScalarSpan *s, unsigned i,
                                     unsigned lane)
{
    const NV3RasterTri *t = s->t;

    return (uint32_t)t->small.v[0][i] +
           (uint32_t)t->small.v[1][i] * (s->x + (int32_t)lane - t->col0) +
           (uint32_t)t->small.v[2][i] * (s->y - t->row0);
}

static inline int16_t nv3_small_shade(const NV3ScalarSpan *s, unsigned i,
                                      unsigned lane)
{
    const NV3RasterTri *t = s->t;

    return t->small.c[0][i] +
           t->small.c[1][i] * (s->x + (int32_t)lane - t->col0) +
           t->small.c[2][i] * (s->y - t->row0);
}

static inline int32_t nv3_attr(const NV3ScalarSpan *s, unsigned i,
                               unsigned lane)
{
    if (s->flags & NV3_RASTER_F_SMALL) {
        return nv3_small_attr(s, i, lane);
    }
    return (uint32_t)(s->v[i] >> 32) +
           nv3_block_offset32(s->t->dx[i], lane);
}

/*
 * Returns the value at a pixel of an inverted colour component or of the fog factor, as
 * an 8.8 number. Negative values are clamped to 0.
 */
static inline uint16_t nv3_shade(const NV3ScalarSpan *s, unsigned i,
                                 unsigned lane)
{
    int16_t v;

    if (s->flags & NV3_RASTER_F_SMALL) {
        v = nv3_small_shade(s, i, lane);
    } else {
        v = (s->c[i] >> 16) + nv3_block_offset16(s->t->cdx[i], lane);
    }
    return v < 0 ? 0 : v << 1;
}

static uint16_t nv3_depth(const NV3ScalarSpan *s, unsigned lane)
{
    int32_t z = nv3_attr(s, NV3_ATTR_Z, lane);

    if (s->flags & NV3_RASTER_F_Z_PERSP) {
        float m = nv3_attr(s, NV3_ATTR_M, lane);

        z = nv3_floor((float)z * (s->t->z_scale / m));
    } else {
        z >>= 14;
    }
    return z < 0 ? 0 : z > 0xffff ? 0xffff : z;
}

/* Applies the wrap mode to a coordinate. The result is in [0, size). */
static inline int32_t nv3_wrap(int32_t c, unsigned log2, bool mirror,
                               bool clamp)
{
    const int32_t size = NV3_TEX_ONE << log2;
    int32_t back;

    if (!mirror && !clamp) {
        return c & (size - 1);
    }
    if (mirror) {
        /* The axis of reflection is the middle of the last texel. */
        c &= 2 * size - 1;
        back = 2 * size - NV3_TEX_ONE - c;
        c = c < back ? c : back;
    }
    c = c < size - NV3_TEX_ONE ? c : size - NV3_TEX_ONE;
    return c > 0 ? c : 0;
}

static inline uint16_t nv3_texel_alpha(const NV3ScalarSpan *s, uint16_t t)
{
    const NV3RasterMode *m = &s->st->mode;

    if ((s->flags & NV3_RASTER_F_KEY) && (t & m->key_mask) == m->key) {
        return 0;
    }
    if (s->flags & NV3_RASTER_F_FMT_4444) {
        return t >> 12;
    }
    /*
     * In formats without an alpha bit, a texel is opaque unless it has the key's
     * colour.
     */
    return (s->st->tex_format >> NV3_D3D_TEX_FORMAT_SHIFT & 3) ==
           NV3_D3D_TEX_A1R5G5B5 ? t >> 15 : 1;
}

/* Expands the 4 bits at the top of an 8.8 number to 8 bits, by repeating them. */
static inline uint16_t nv3_widen4(uint32_t top)
{
    return top + (top >> 4);
}

/*
 * Stores the weighted sum of four texels as 8.8 in @out. The weights add up to 2^14, so
 * each sum is the weighted average times 2^14.
 */
static void nv3_filter(const NV3ScalarSpan *s, const uint16_t t[4],
                       const uint32_t w[4], NV3Texel *out)
{
    uint32_t r = 0, g = 0, b = 0, a = 0;

    for (unsigned i = 0; i < 4; i++) {
        a += w[i] * nv3_texel_alpha(s, t[i]);
        if (s->flags & NV3_RASTER_F_FMT_4444) {
            r += w[i] * (t[i] & 0x0f00);
            g += w[i] * (t[i] & 0x00f0);
            b += w[i] * (t[i] & 0x000f);
        } else if (s->flags & NV3_RASTER_F_FMT_565) {
            r += w[i] * (t[i] >> 11);
            g += w[i] * (t[i] & 0x07e0);
            b += w[i] * (t[i] & 0x001f);
        } else {
            r += w[i] * (t[i] & 0x7c00);
            g += w[i] * (t[i] & 0x03e0);
            b += w[i] * (t[i] & 0x001f);
        }
    }
    if (s->flags & NV3_RASTER_F_FMT_4444) {
        out->r = nv3_widen4(r >> 10);
        out->g = nv3_widen4(g >> 6);
        out->b = nv3_widen4(b >> 2);
        out->a = nv3_widen4(a >> 2);
    } else {
        out->r = r >> (s->flags & NV3_RASTER_F_FMT_565 ? 3 : 13);
        out->g = g >> (s->flags & NV3_RASTER_F_FMT_565 ? 9 : 8);
        out->b = b >> 3;
        out->a = (a << 2) - (a >> 6);
    }
}

static void nv3_sample(const NV3ScalarSpan *s, unsigned lane, NV3Texel *out)
{
    const NV3RasterTri *t = s->t;
    float q = t->tex_scale / (float)nv3_attr(s, NV3_ATTR_M, lane);
    int32_t u = nv3_floor((float)nv3_attr(s, NV3_ATTR_U, lane) * q);
    int32_t v = nv3_floor((float)nv3_attr(s, NV3_ATTR_V, lane) * q);
    uint32_t fu, fv;
    const uint32_t *p;

    if (!(s->flags & NV3_RASTER_F_BILINEAR)) {
        int32_t half = s->flags & NV3_RASTER_F_HALF ? NV3_TEX_ONE / 2 : 0;

        u = ((uint32_t)u + half) & -NV3_TEX_ONE;
        v = ((uint32_t)v + half) & -NV3_TEX_ONE;
    }
    u = nv3_wrap(u, t->log2, s->flags & NV3_RASTER_F_MIRROR_U,
                 s->flags & NV3_RASTER_F_CLAMP_U);
    v = nv3_wrap(v, t->log2, s->flags & NV3_RASTER_F_MIRROR_V,
                 s->flags & NV3_RASTER_F_CLAMP_V);
    fu = u & (NV3_TEX_ONE - 1);
    fv = v & (NV3_TEX_ONE - 1);
    u >>= NV3_TEX_FRAC;
    v >>= NV3_TEX_FRAC;
    p = t->pairs + ((v << t->log2) + v + u);
    nv3_filter(s, (const uint16_t[4]) { p[0], p[0] >> 16, p[1], p[1] >> 16 },
               (const uint32_t[4]) {
                   (NV3_TEX_ONE - fu) * (NV3_TEX_ONE - fv),
                   (NV3_TEX_ONE - fu) * fv,
                   fu * (NV3_TEX_ONE - fv),
                   fu * fv,
               }, out);
}

/*
 * Computes the source colour: multiplies the texel by the vertex colour, and applies
 * fog.
 */
static void nv3_source(const NV3ScalarSpan *s, unsigned lane, NV3Texel *c)
{
    const uint32_t flags = s->flags;
    const NV3RasterMode *m = &s->st->mode;

    nv3_sample(s, lane, c);
    if (!(flags & NV3_RASTER_F_TEX_ALPHA)) {
        c->a = 0xff00;
    }
    c->r -= nv3_mulhi(c->r, nv3_shade(s, NV3_COL_R, lane));
    c->g -= nv3_mulhi(c->g, nv3_shade(s, NV3_COL_G, lane));
    c->b -= nv3_mulhi(c->b, nv3_shade(s, NV3_COL_B, lane));
    if (flags & NV3_RASTER_F_VTX_ALPHA) {
        c->a -= nv3_mulhi(c->a, nv3_shade(s, NV3_COL_A, lane));
    }
    if (flags & NV3_RASTER_F_FOG) {
        uint16_t f = nv3_shade(s, NV3_COL_FOG, lane);

        /*
         * Convert the fog factor to 0.16. Rounding errors may make the 8.8 number exceed
         * 255.0: it may reach 255.996, because the sign bit of 8.7 is a guard.
         */
        f = f < 0xff00 ? f + (f >> 8) : 0xffff;
        c->r += nv3_mulhi(m->fog[0], f) - nv3_mulhi(c->r, f);
        c->g += nv3_mulhi(m->fog[1], f) - nv3_mulhi(c->g, f);
        c->b += nv3_mulhi(m->fog[2], f) - nv3_mulhi(c->b, f);
    }
    if (flags & NV3_RASTER_F_INV_COLOR) {
        c->r = ~c->r;
        c->g = ~c->g;
        c->b = ~c->b;
    }
    if (flags & NV3_RASTER_F_INV_ALPHA) {
        c->a = ~c->a;
    }
}

static inline uint16_t nv3_dither(uint16_t c, uint8_t outcomes)
{
    unsigned c5 = c >> 11, up = outcomes >> (c >> 8 & 7) & 1;

    return c5 < 0x1f ? c5 + up : c5;
}

static uint16_t nv3_blend(const NV3ScalarSpan *s, const uint16_t src[3],
                          uint16_t alpha, uint16_t old)
{
    const NV3RasterMode *m = &s->st->mode;
    uint16_t out = 0;

    for (unsigned i = 0; i < 3; i++) {
        int d = old >> (10 - 5 * i) & 0x1f, c = src[i], f;

        if (s->flags & NV3_RASTER_F_ADD) {
            c += d;
            c = c > 0x1f ? 0x1f : c;
        } else {
            f = s->flags & NV3_RASTER_F_BETA_DST ? d >> 1 : alpha;
            /* The unit of the blend factor is 1/16, but a value of 15 means 1.0. */
            f += f == 15;
            c &= m->src_mask;
            d &= m->dst_mask;
            c = d + ((c - d) * f >> 4);
        }
        out |= c << (10 - 5 * i);
    }
    return out;
}

static void nv3_pixel(const NV3ScalarSpan *s, unsigned lane)
{
    const NV3RasterMode *m = &s->st->mode;
    const uint32_t flags = s->flags;
    const unsigned x = (s->x + lane) & 15, y = s->y & 15;
    const size_t offset = (s->x + lane) * 2;
    uint16_t alpha = 15, z = 0;
    bool z_pass = true, write = true;
    NV3Texel c = { 0 };

    if (flags & NV3_RASTER_F_ZETA) {
        z = nv3_depth(s, lane);
        z_pass = nv3_test(&m->z_test, z, nv3_lduw(s->zeta + offset));
        if (!z_pass && (flags & NV3_RASTER_F_EARLY_Z)) {
            return;
        }
    }
    if (flags & (NV3_RASTER_F_COLOR | NV3_RASTER_F_ALPHA_TEST |
                 NV3_RASTER_F_ALPHA_WREN)) {
        nv3_source(s, lane, &c);
        if (flags & NV3_RASTER_F_ALPHA) {
            alpha = nv3_dither(c.a, nv3_raster_dither[0][y][x]) >> 1;
        }
        if (flags & NV3_RASTER_F_ALPHA_TEST) {
            write = nv3_test(&m->alpha_test, c.a >> 8, m->alpha_ref);
        }
    }
    if ((flags & NV3_RASTER_F_COLOR) && write &&
        (alpha || m->color_write.alpha) && (z_pass || m->color_write.z)) {
        bool d = flags & NV3_RASTER_F_DITHER;
        const uint16_t src[3] = {
            nv3_dither(c.r, d ? nv3_raster_dither[0][y][x] : 0),
            nv3_dither(c.g, d ? nv3_raster_dither[1][y][x] : 0),
            nv3_dither(c.b, d ? nv3_raster_dither[0][y][x] : 0),
        };

        nv3_stw(s->color + offset, flags & NV3_RASTER_F_BLEND ?
            nv3_blend(s, src, alpha, nv3_lduw(s->color + offset)) :
            src[0] << 10 | src[1] << 5 | src[2]);
    }
    if ((flags & NV3_RASTER_F_ZWRITE) && write &&
        (alpha || m->zeta_write.alpha) && (z_pass || m->zeta_write.z)) {
        nv3_stw(s->zeta + offset, z);
    }
}

/* Computes the attributes at the first pixel of a block. */
static void nv3_start(NV3ScalarSpan *s)
{
    const NV3RasterTri *t = s->t;

    for (unsigned i = 0; i < 4; i++) {
        s->v[i] = t->base[i] + (uint64_t)t->dx[i] * s->x +
                  (uint64_t)t->dy[i] * s->y;
    }
    for (unsigned i = 0; i < NV3_COL_COUNT; i++) {
        s->c[i] = t->cbase[i] + (uint32_t)t->cdx[i] * s->x +
                  (uint32_t)t->cdy[i] * s->y;
    }
}

/* Draws the pixels [@x0, @x1) of the line. */
static void nv3_span(NV3ScalarSpan *s, int32_t x0, int32_t x1)
{
    for (s->x = x0 & -NV3_RASTER_BLOCK; s->x < x1; s->x += NV3_RASTER_BLOCK) {
        int32_t lane = x0 > s->x ? x0 - s->x : 0;
        int32_t end = x1 - s->x < NV3_RASTER_BLOCK ? x1 - s->x :
                                                     NV3_RASTER_BLOCK;

        if (!(s->flags & NV3_RASTER_F_SMALL)) {
            nv3_start(s);
        }
        for (; lane < end; lane++) {
            nv3_pixel(s, lane);
        }
    }
}

uint32_t nv3_raster_draw_scalar(const NV3RasterState *st,
                                const NV3RasterTri *t, const NV3Rect *rect)
{
    NV3ScalarSpan s = { .st = st, .t = t, .flags = t->flags };
    NV3RasterWalk w;
    uint32_t pixels = 0;

    if (!nv3_walk_init(&w, t, rect->y0, rect->y1)) {
        return 0;
    }
    do {
        int32_t end = nv3_raster_row_pixels(st, t->flags, w.row);
        int32_t x0 = w.edge[0].x, x1 = w.edge[1].x;

        end = rect->x1 < end ? rect->x1 : end;
        x0 = x0 > rect->x0 ? x0 : rect->x0;
        x1 = x1 < end ? x1 : end;
        if (x0 >= x1) {
            continue;
        }
        s.y = w.row;
        s.color = nv3_raster_row(&st->color, w.row);
        s.zeta = nv3_raster_row(&st->zeta, w.row);
        nv3_span(&s, x0, x1);
        pixels += x1 - x0;
    } while (nv3_walk_next(&w, t));
    return pixels;
}
