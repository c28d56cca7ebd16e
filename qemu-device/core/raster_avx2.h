/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of 16 pixels with AVX2, for both kinds of loops: those that go along
 * lines (raster_avx2.c) and those for small triangles (raster_small.c). Where the
 * pixels lie and how their attributes come about is theirs.
 *
 * Colours are 16 lanes of 16 bits. What needs 32 bits (depth, texture coordinates)
 * comes in two vectors of 8 pixels, of which the one outside the triangle is
 * left out.
 */
#ifndef NV3_RASTER_AVX2_H
#define NV3_RASTER_AVX2_H

#include "raster_int.h"

#ifdef NV3_RASTER_HAVE_AVX2
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE inline __attribute__((always_inline, target("avx2")))

/* The first and the last 8 pixels of 16. */
typedef struct NV3Pair {
    __m256i a, b;
} NV3Pair;

/* Four channels of 16 pixels, 8.8. */
typedef struct NV3Colors {
    __m256i r, g, b, a;
} NV3Colors;

/* What stays the same for a triangle. */
typedef struct NV3Avx2 {
    const NV3RasterState *st;
    const NV3RasterTri *t;
    __m256i mask;                       /* of coordinates that just wrap */
    __m128i log2;
} NV3Avx2;

/* The attributes of 16 pixels, but for depth; of those not in use, anything. */
typedef struct NV3Lanes {
    NV3Pair m, u, v;
    __m256i c[NV3_COL_COUNT];
    bool first, last;                   /* are there pixels in that half? */
} NV3Lanes;

/* What the surfaces hold at 16 pixels, and what is to be there. */
typedef struct NV3Target {
    __m256i color, zeta;
} NV3Target;

static AVX2_INLINE __m256i nv3_bcast32(uint32_t v)
{
    return _mm256_set1_epi32(v);
}

static AVX2_INLINE __m256i nv3_bcast16(uint16_t v)
{
    return _mm256_set1_epi16(v);
}
static AVX2_INLINE void nv3_avx2_init(NV3Avx2 *k, const NV3RasterState *st,
                                      const NV3RasterTri *t)
{
    k->st = st;
    k->t = t;
    k->mask = nv3_bcast32((NV3_TEX_ONE << t->log2) - 1);
    k->log2 = _mm_cvtsi32_si128(t->log2);
}

/* 16 pixels from twice 8, each clamped to 16 bits. */
static AVX2_INLINE __m256i nv3_pack32(__m256i a, __m256i b)
{
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xd8);
}

/* nv3_shade(): a colour of any range to 8.8. */
static AVX2_INLINE __m256i nv3_clamp16(__m256i v)
{
    return _mm256_slli_epi16(_mm256_max_epi16(v, _mm256_setzero_si256()), 1);
}

static AVX2_INLINE __m256i nv3_compare(const NV3RasterCompare *c, __m256i a,
                                       __m256i b)
{
    __m256i ge = _mm256_cmpeq_epi16(_mm256_max_epu16(a, b), a);
    __m256i eq = _mm256_cmpeq_epi16(a, b);

    ge = _mm256_and_si256(ge, nv3_bcast16(c->ge));
    eq = _mm256_and_si256(eq, nv3_bcast16(c->eq));
    return _mm256_xor_si256(_mm256_xor_si256(ge, eq), nv3_bcast16(c->inv));
}

/* The depth of 16 pixels. */
static AVX2_INLINE __m256i nv3_depth(const NV3Avx2 *k, NV3Pair z, NV3Pair m,
                                     uint32_t flags)
{
    if (flags & NV3_RASTER_F_Z_PERSP) {
        __m256 scale = _mm256_set1_ps(k->t->z_scale);
        __m256 qa = _mm256_div_ps(scale, _mm256_cvtepi32_ps(m.a));
        __m256 qb = _mm256_div_ps(scale, _mm256_cvtepi32_ps(m.b));

        qa = _mm256_mul_ps(_mm256_cvtepi32_ps(z.a), qa);
        qb = _mm256_mul_ps(_mm256_cvtepi32_ps(z.b), qb);
        z.a = _mm256_cvttps_epi32(_mm256_floor_ps(qa));
        z.b = _mm256_cvttps_epi32(_mm256_floor_ps(qb));
    } else {
        z.a = _mm256_srai_epi32(z.a, 14);
        z.b = _mm256_srai_epi32(z.b, 14);
    }
    return nv3_pack32(z.a, z.b);
}

/* nv3_wrap() for the modes other than plain wrapping. */
static AVX2_INLINE __m256i nv3_wrap(const NV3Avx2 *k, __m256i c, uint32_t mirror,
                                    uint32_t clamp)
{
    const int32_t size = NV3_TEX_ONE << k->t->log2;

    if (!mirror && !clamp) {
        return _mm256_and_si256(c, k->mask);
    }
    if (mirror) {
        c = _mm256_and_si256(c, nv3_bcast32(2 * size - 1));
        c = _mm256_min_epi32(c,
            _mm256_sub_epi32(nv3_bcast32(2 * size - NV3_TEX_ONE), c));
    }
    c = _mm256_min_epi32(c, nv3_bcast32(size - NV3_TEX_ONE));
    return _mm256_max_epi32(c, _mm256_setzero_si256());
}

/* Places in the texture of 8 pixels: texel index, and coordinates in 1/128. */
typedef struct NV3Place {
    __m256i index, u, v;
} NV3Place;

static AVX2_INLINE NV3Place nv3_place(const NV3Avx2 *k, __m256i m, __m256i u,
                                      __m256i v, bool bilinear, uint32_t flags)
{
    __m256 q = _mm256_div_ps(_mm256_set1_ps(k->t->tex_scale),
                             _mm256_cvtepi32_ps(m));
    __m256 fu = _mm256_mul_ps(_mm256_cvtepi32_ps(u), q);
    __m256 fv = _mm256_mul_ps(_mm256_cvtepi32_ps(v), q);
    NV3Place p;

    p.u = _mm256_cvttps_epi32(_mm256_floor_ps(fu));
    p.v = _mm256_cvttps_epi32(_mm256_floor_ps(fv));
    if (!bilinear) {
        __m256i half = nv3_bcast32(flags & NV3_RASTER_F_HALF ?
                                   NV3_TEX_ONE / 2 : 0);
        __m256i whole = nv3_bcast32(-NV3_TEX_ONE);

        p.u = _mm256_and_si256(_mm256_add_epi32(p.u, half), whole);
        p.v = _mm256_and_si256(_mm256_add_epi32(p.v, half), whole);
    }
    p.u = nv3_wrap(k, p.u, flags & NV3_RASTER_F_MIRROR_U,
                   flags & NV3_RASTER_F_CLAMP_U);
    p.v = nv3_wrap(k, p.v, flags & NV3_RASTER_F_MIRROR_V,
                   flags & NV3_RASTER_F_CLAMP_V);
    v = _mm256_srli_epi32(p.v, NV3_TEX_FRAC);
    p.index = _mm256_add_epi32(_mm256_srli_epi32(p.u, NV3_TEX_FRAC),
        _mm256_add_epi32(v, _mm256_sll_epi32(v, k->log2)));
    return p;
}

/*
 * Four texels each of 8 pixels, and their weights: in each 32-bit lane the left
 * texel and the one below it, then the right ones.
 */
typedef struct NV3Quads {
    __m256i t[2], w[2];
} NV3Quads;

/*
 * 64 bits each from four places. Loads are faster than a gather instruction on
 * most CPUs: those that have fast ones were slowed down for security.
 */
static AVX2_INLINE __m256 nv3_four(const uint32_t *p, uint32_t a, uint32_t b,
                                   uint32_t c, uint32_t d)
{
    __m128i lo = _mm_loadl_epi64((const void *)(p + a));
    __m128i hi = _mm_loadl_epi64((const void *)(p + c));

    lo = _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(lo),
                                       (const void *)(p + b)));
    hi = _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(hi),
                                       (const void *)(p + d)));
    return _mm256_castsi256_ps(
        _mm256_inserti128_si256(_mm256_castsi128_si256(lo), hi, 1));
}

static AVX2_INLINE void nv3_quads(const NV3Avx2 *k, const NV3Place *p, NV3Quads *q)
{
    const __m256i frac = nv3_bcast32(NV3_TEX_ONE - 1);
    __m256i u = _mm256_and_si256(p->u, frac);
    __m256i v = _mm256_and_si256(p->v, frac);
    uint32_t i[8] __attribute__((aligned(32)));
    __m256 a, b;

    _mm256_store_si256((void *)i, p->index);
    a = nv3_four(k->t->pairs, i[0], i[1], i[4], i[5]);
    b = nv3_four(k->t->pairs, i[2], i[3], i[6], i[7]);
    q->t[0] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    q->t[1] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
    /* Across: the same weight in both halves. Down: 1 - f and f. */
    u = _mm256_or_si256(u, _mm256_slli_epi32(u, 16));
    v = _mm256_add_epi32(_mm256_sub_epi32(_mm256_slli_epi32(v, 16), v),
                         nv3_bcast32(NV3_TEX_ONE));
    q->w[0] = _mm256_mullo_epi16(
        _mm256_sub_epi16(nv3_bcast16(NV3_TEX_ONE), u), v);
    q->w[1] = _mm256_mullo_epi16(u, v);
}

/* The sum of @c, 16-bit channels of all texels, times their weights, down. */
static AVX2_INLINE __m256i nv3_sum(const NV3Quads q[2], const __m256i c[4],
                                   const int down)
{
    __m256i a = _mm256_add_epi32(_mm256_madd_epi16(c[0], q[0].w[0]),
                                 _mm256_madd_epi16(c[1], q[0].w[1]));
    __m256i b = _mm256_add_epi32(_mm256_madd_epi16(c[2], q[1].w[0]),
                                 _mm256_madd_epi16(c[3], q[1].w[1]));

    return nv3_pack32(_mm256_srli_epi32(a, down), _mm256_srli_epi32(b, down));
}

static AVX2_INLINE __m256i nv3_sum_mask(const NV3Quads q[2], const int mask,
                                        const int down)
{
    const __m256i m = nv3_bcast16(mask);
    const __m256i c[4] = {
        _mm256_and_si256(q[0].t[0], m), _mm256_and_si256(q[0].t[1], m),
        _mm256_and_si256(q[1].t[0], m), _mm256_and_si256(q[1].t[1], m),
    };

    return nv3_sum(q, c, down);
}

static AVX2_INLINE __m256i nv3_sum_shift(const NV3Quads q[2], const int shift,
                                         const int down)
{
    const __m256i c[4] = {
        _mm256_srli_epi16(q[0].t[0], shift),
        _mm256_srli_epi16(q[0].t[1], shift),
        _mm256_srli_epi16(q[1].t[0], shift),
        _mm256_srli_epi16(q[1].t[1], shift),
    };

    return nv3_sum(q, c, down);
}

static AVX2_INLINE __m256i nv3_widen4(__m256i c)
{
    return _mm256_add_epi16(c, _mm256_srli_epi16(c, 4));
}

/* The alpha bits of texels, without those of the key's colour. */
static AVX2_INLINE __m256i nv3_alpha_bits(const NV3Avx2 *k, __m256i t,
                                          const uint32_t fmt, uint32_t flags)
{
    const NV3RasterMode *m = &k->st->mode;
    unsigned tf = k->st->tex_format >> NV3_D3D_TEX_FORMAT_SHIFT & 3;
    __m256i a;

    if (fmt == NV3_RASTER_F_FMT_4444) {
        a = _mm256_srli_epi16(t, 12);
    } else if (fmt == 0 && tf == NV3_D3D_TEX_A1R5G5B5) {
        a = _mm256_srli_epi16(t, 15);
    } else {
        a = nv3_bcast16(1);
    }
    if (flags & NV3_RASTER_F_KEY) {
        a = _mm256_andnot_si256(_mm256_cmpeq_epi16(
            _mm256_and_si256(t, nv3_bcast16(m->key_mask)),
            nv3_bcast16(m->key)), a);
    }
    return a;
}

/* nv3_filter() */
static AVX2_INLINE void nv3_bilinear(const NV3Avx2 *k, const NV3Quads q[2],
                                     const uint32_t fmt, uint32_t flags,
                                     NV3Colors *c)
{
    if (fmt == NV3_RASTER_F_FMT_4444) {
        c->r = nv3_widen4(nv3_sum_mask(q, 0x0f00, 10));
        c->g = nv3_widen4(nv3_sum_mask(q, 0x00f0, 6));
        c->b = nv3_widen4(nv3_sum_mask(q, 0x000f, 2));
    } else if (fmt == NV3_RASTER_F_FMT_565) {
        c->r = nv3_sum_shift(q, 11, 3);
        c->g = nv3_sum_mask(q, 0x07e0, 9);
        c->b = nv3_sum_mask(q, 0x001f, 3);
    } else {
        c->r = nv3_sum_mask(q, 0x7c00, 13);
        c->g = nv3_sum_mask(q, 0x03e0, 8);
        c->b = nv3_sum_mask(q, 0x001f, 3);
    }
    if (flags & NV3_RASTER_F_TEX_ALPHA) {
        const __m256i a[4] = {
            nv3_alpha_bits(k, q[0].t[0], fmt, flags),
            nv3_alpha_bits(k, q[0].t[1], fmt, flags),
            nv3_alpha_bits(k, q[1].t[0], fmt, flags),
            nv3_alpha_bits(k, q[1].t[1], fmt, flags),
        };

        if (fmt == NV3_RASTER_F_FMT_4444) {
            c->a = nv3_widen4(nv3_sum(q, a, 2));
        } else {
            /* 0 to 2^14; times 4 would not fit 16 bits. */
            c->a = nv3_sum(q, a, 0);
            c->a = _mm256_sub_epi16(_mm256_slli_epi16(c->a, 2),
                                    _mm256_srli_epi16(c->a, 6));
        }
    }
}

/* The texels of 8 pixels, in the low half of each lane. */
static AVX2_INLINE __m256i nv3_texels(const NV3Avx2 *k, const NV3Place *p)
{
    const int *pairs = (const int *)k->t->pairs;

    return _mm256_and_si256(_mm256_i32gather_epi32(pairs, p->index, 4),
                            nv3_bcast32(0xffff));
}

/* One texel a pixel. */
static AVX2_INLINE void nv3_nearest(const NV3Avx2 *k, __m256i t, const uint32_t fmt,
                                    uint32_t flags, NV3Colors *c)
{
    if (fmt == NV3_RASTER_F_FMT_4444) {
        const __m256i top = nv3_bcast16(0xf000);

        c->r = nv3_widen4(_mm256_and_si256(_mm256_slli_epi16(t, 4), top));
        c->g = nv3_widen4(_mm256_and_si256(_mm256_slli_epi16(t, 8), top));
        c->b = nv3_widen4(_mm256_slli_epi16(t, 12));
    } else if (fmt == NV3_RASTER_F_FMT_565) {
        c->r = _mm256_and_si256(t, nv3_bcast16(0xf800));
        c->g = _mm256_and_si256(_mm256_slli_epi16(t, 5), nv3_bcast16(0xfc00));
        c->b = _mm256_slli_epi16(t, 11);
    } else {
        const __m256i top = nv3_bcast16(0xf800);

        c->r = _mm256_and_si256(_mm256_slli_epi16(t, 1), top);
        c->g = _mm256_and_si256(_mm256_slli_epi16(t, 6), top);
        c->b = _mm256_slli_epi16(t, 11);
    }
    if (flags & NV3_RASTER_F_TEX_ALPHA) {
        __m256i a = nv3_alpha_bits(k, t, fmt, flags);

        c->a = fmt == NV3_RASTER_F_FMT_4444 ?
               nv3_widen4(_mm256_slli_epi16(a, 12)) :
               _mm256_and_si256(_mm256_cmpgt_epi16(a, _mm256_setzero_si256()),
                                nv3_bcast16(0xff00));
    }
}

/* The texture's colours. */
static AVX2_INLINE void nv3_sample(const NV3Avx2 *k, const NV3Lanes *n,
                                   bool bilinear, const uint32_t fmt,
                                   uint32_t flags, NV3Colors *c)
{
    const __m256i zero = _mm256_setzero_si256();
    NV3Quads q[2] = { { { zero, zero }, { zero, zero } },
                      { { zero, zero }, { zero, zero } } };
    __m256i ta = zero, tb = zero;

    if (n->first) {
        NV3Place p = nv3_place(k, n->m.a, n->u.a, n->v.a, bilinear, flags);

        if (bilinear) {
            nv3_quads(k, &p, &q[0]);
        } else {
            ta = nv3_texels(k, &p);
        }
    }
    if (n->last) {
        NV3Place p = nv3_place(k, n->m.b, n->u.b, n->v.b, bilinear, flags);

        if (bilinear) {
            nv3_quads(k, &p, &q[1]);
        } else {
            tb = nv3_texels(k, &p);
        }
    }
    if (bilinear) {
        nv3_bilinear(k, q, fmt, flags, c);
    } else {
        nv3_nearest(k, nv3_pack32(ta, tb), fmt, flags, c);
    }
}

/* t - t * (1 - c) */
static AVX2_INLINE __m256i nv3_modulate(__m256i t, __m256i inverse)
{
    return _mm256_sub_epi16(t, _mm256_mulhi_epu16(t, inverse));
}

static AVX2_INLINE __m256i nv3_fog(__m256i c, uint16_t fog, __m256i f)
{
    c = _mm256_sub_epi16(c, _mm256_mulhi_epu16(c, f));
    return _mm256_add_epi16(c, _mm256_mulhi_epu16(nv3_bcast16(fog), f));
}

/* nv3_source() */
static AVX2_INLINE void nv3_source(const NV3Avx2 *k, const NV3Lanes *n,
                                   bool bilinear, const uint32_t fmt,
                                   uint32_t flags, NV3Colors *c)
{
    const NV3RasterMode *m = &k->st->mode;

    c->a = nv3_bcast16(0xff00);
    nv3_sample(k, n, bilinear, fmt, flags, c);
    c->r = nv3_modulate(c->r, nv3_clamp16(n->c[NV3_COL_R]));
    c->g = nv3_modulate(c->g, nv3_clamp16(n->c[NV3_COL_G]));
    c->b = nv3_modulate(c->b, nv3_clamp16(n->c[NV3_COL_B]));
    if (flags & NV3_RASTER_F_VTX_ALPHA) {
        c->a = nv3_modulate(c->a, nv3_clamp16(n->c[NV3_COL_A]));
    }
    if (flags & NV3_RASTER_F_FOG) {
        __m256i f = nv3_clamp16(n->c[NV3_COL_FOG]);

        f = _mm256_adds_epu16(f, _mm256_srli_epi16(f, 8));
        c->r = nv3_fog(c->r, m->fog[0], f);
        c->g = nv3_fog(c->g, m->fog[1], f);
        c->b = nv3_fog(c->b, m->fog[2], f);
    }
    if (flags & NV3_RASTER_F_INV_COLOR) {
        const __m256i ones = nv3_bcast16(0xffff);

        c->r = _mm256_xor_si256(c->r, ones);
        c->g = _mm256_xor_si256(c->g, ones);
        c->b = _mm256_xor_si256(c->b, ones);
    }
    if (flags & NV3_RASTER_F_INV_ALPHA) {
        c->a = _mm256_xor_si256(c->a, nv3_bcast16(0xffff));
    }
}

/*
 * nv3_dither() of two channels at once, @lo to the low byte of each lane and
 * @hi to the high one. @outcomes has the tables' bytes in the same places.
 */
static AVX2_INLINE __m256i nv3_dither2(__m256i lo, __m256i hi, __m256i outcomes)
{
    const __m256i bits = _mm256_set1_epi64x(0x8040201008040201ll);
    __m256i c = _mm256_or_si256(_mm256_srli_epi16(lo, 8),
                                _mm256_and_si256(hi, nv3_bcast16(0xff00)));
    __m256i bit = _mm256_shuffle_epi8(bits,
        _mm256_and_si256(c, _mm256_set1_epi8(7)));
    __m256i up = _mm256_cmpeq_epi8(_mm256_and_si256(bit, outcomes), bit);

    c = _mm256_and_si256(_mm256_srli_epi16(c, 3), _mm256_set1_epi8(0x1f));
    return _mm256_min_epu8(_mm256_sub_epi8(c, up), _mm256_set1_epi8(0x1f));
}

static AVX2_INLINE __m256i nv3_pack555(__m256i r, __m256i g, __m256i b)
{
    return _mm256_or_si256(b, _mm256_or_si256(_mm256_slli_epi16(g, 5),
                                              _mm256_slli_epi16(r, 10)));
}

/* nv3_blend(): one channel. */
static AVX2_INLINE __m256i nv3_blend1(const NV3RasterMode *m, __m256i c, __m256i d,
                                      __m256i alpha, uint32_t flags)
{
    __m256i f = alpha;

    if (flags & NV3_RASTER_F_ADD) {
        return _mm256_min_epi16(_mm256_add_epi16(c, d), nv3_bcast16(0x1f));
    }
    if (flags & NV3_RASTER_F_BETA_DST) {
        f = _mm256_srli_epi16(d, 1);
    }
    f = _mm256_sub_epi16(f, _mm256_cmpeq_epi16(f, nv3_bcast16(15)));
    c = _mm256_and_si256(c, nv3_bcast16(m->src_mask));
    d = _mm256_and_si256(d, nv3_bcast16(m->dst_mask));
    c = _mm256_mullo_epi16(_mm256_sub_epi16(c, d), f);
    return _mm256_add_epi16(d, _mm256_srai_epi16(c, 4));
}

static AVX2_INLINE __m256i nv3_blend(const NV3RasterMode *m, __m256i rb, __m256i ga,
                                     __m256i alpha, __m256i old, uint32_t flags)
{
    const __m256i five = nv3_bcast16(0x1f), byte = nv3_bcast16(0xff);
    __m256i r = _mm256_and_si256(rb, byte);
    __m256i g = _mm256_and_si256(ga, byte);
    __m256i b = _mm256_srli_epi16(rb, 8);
    __m256i dr = _mm256_and_si256(_mm256_srli_epi16(old, 10), five);
    __m256i dg = _mm256_and_si256(_mm256_srli_epi16(old, 5), five);
    __m256i db = _mm256_and_si256(old, five);

    return nv3_pack555(nv3_blend1(m, r, dr, alpha, flags),
                       nv3_blend1(m, g, dg, alpha, flags),
                       nv3_blend1(m, b, db, alpha, flags));
}

/* Ones in lanes [@lo, @hi) of 16. */
static AVX2_INLINE __m256i nv3_lanes_from(int32_t lo, int32_t hi)
{
    /* Read from 16 - n on: n lanes of nothing, then ones. */
    static const uint16_t from[32] = {
        [16] = 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
        0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
    };

    return _mm256_andnot_si256(
        _mm256_loadu_si256((const void *)(from + 16 - hi)),
        _mm256_loadu_si256((const void *)(from + 16 - lo)));
}

/* What a write enable leaves of the mask @pass. */
static AVX2_INLINE __m256i nv3_enabled(const NV3RasterWrite *w, __m256i pass,
                                       __m256i z_pass, __m256i alpha_zero,
                                       uint32_t flags)
{
    if (flags & NV3_RASTER_F_ZETA) {
        pass = _mm256_and_si256(pass,
            _mm256_or_si256(z_pass, nv3_bcast16(w->z)));
    }
    if (flags & NV3_RASTER_F_ALPHA_WREN) {
        pass = _mm256_andnot_si256(_mm256_andnot_si256(
            nv3_bcast16(w->alpha), alpha_zero), pass);
    }
    return pass;
}

/*
 * Pixels of @pass, of which those of @z_pass are not hidden: shades them with the
 * outcomes of dithering @rb and @ga, and puts in @t what is to be written.
 */
static AVX2_INLINE void nv3_pixels(const NV3Avx2 *k, const NV3Lanes *n, __m256i z,
                                   __m256i pass, __m256i z_pass, __m256i rb,
                                   __m256i ga, NV3Target *t, bool bilinear,
                                   const uint32_t fmt, uint32_t flags)
{
    const NV3RasterMode *m = &k->st->mode;
    __m256i zero = _mm256_setzero_si256(), alpha = zero;
    NV3Colors c;

    if (flags & (NV3_RASTER_F_COLOR | NV3_RASTER_F_ALPHA_TEST |
                 NV3_RASTER_F_ALPHA_WREN)) {
        nv3_source(k, n, bilinear, fmt, flags, &c);
        ga = nv3_dither2(c.g, c.a, ga);
        alpha = _mm256_srli_epi16(ga, 9);
        if (flags & NV3_RASTER_F_ALPHA_TEST) {
            pass = _mm256_and_si256(pass, nv3_compare(&m->alpha_test,
                _mm256_srli_epi16(c.a, 8), nv3_bcast16(m->alpha_ref)));
        }
        if (flags & NV3_RASTER_F_ALPHA_WREN) {
            zero = _mm256_cmpeq_epi16(alpha, zero);
        }
    }
    if (flags & NV3_RASTER_F_COLOR) {
        __m256i out;

        rb = nv3_dither2(c.r, c.b, rb);
        if (flags & NV3_RASTER_F_BLEND) {
            out = nv3_blend(m, rb, ga, alpha, t->color, flags);
        } else {
            /* Red's byte moves up past blue's, which falls off. */
            out = _mm256_or_si256(_mm256_slli_epi16(rb, 10),
                                  _mm256_srli_epi16(rb, 8));
            out = _mm256_or_si256(out, _mm256_and_si256(
                _mm256_slli_epi16(ga, 5), nv3_bcast16(0x3e0)));
        }
        t->color = _mm256_blendv_epi8(t->color, out,
            nv3_enabled(&m->color_write, pass, z_pass, zero, flags));
    }
    if (flags & NV3_RASTER_F_ZWRITE) {
        t->zeta = _mm256_blendv_epi8(t->zeta, z,
            nv3_enabled(&m->zeta_write, pass, z_pass, zero, flags));
    }
}

/* Copies @n pixels, 1 to 16: two of the largest pieces that fit, overlapping. */
static AVX2_INLINE void nv3_copy_lanes(uint8_t *dst, const uint8_t *src, int32_t n)
{
    if (n >= 8) {
        __m128i a = _mm_loadu_si128((const void *)src);
        __m128i b = _mm_loadu_si128((const void *)(src + 2 * n - 16));

        _mm_storeu_si128((void *)dst, a);
        _mm_storeu_si128((void *)(dst + 2 * n - 16), b);
    } else if (n >= 4) {
        uint64_t a, b;

        memcpy(&a, src, 8);
        memcpy(&b, src + 2 * n - 8, 8);
        memcpy(dst, &a, 8);
        memcpy(dst + 2 * n - 8, &b, 8);
    } else if (n >= 2) {
        uint32_t a, b;

        memcpy(&a, src, 4);
        memcpy(&b, src + 2 * n - 4, 4);
        memcpy(dst, &a, 4);
        memcpy(dst + 2 * n - 4, &b, 4);
    } else {
        memcpy(dst, src, 2);
    }
}

/* Opaque, textured and shaded: what most triangles are. */
#define NV3_MAY_PLAIN \
    (NV3_RASTER_F_COLOR | NV3_RASTER_F_ZETA | NV3_RASTER_F_ZWRITE | \
     NV3_RASTER_F_EARLY_Z | NV3_RASTER_F_HALF | NV3_RASTER_F_DITHER)
#define NV3_MAY_ALL UINT32_MAX
/* What a triangle has whichever loop draws it. */
#define NV3_CHOSEN \
    (NV3_RASTER_F_BILINEAR | NV3_RASTER_F_FMT_565 | NV3_RASTER_F_FMT_4444 | \
     NV3_RASTER_F_SMALL)

typedef uint32_t NV3Avx2Draw(const NV3RasterState *st, const NV3RasterTri *t,
                             const NV3Rect *rect);

/* raster_small.c, by AVX-512, texel layout, filter, whether no more than "plain". */
extern NV3Avx2Draw *const nv3_small_avx2[2][3][2][2];


#endif
#endif
