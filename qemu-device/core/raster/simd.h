/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shades pixels in steps of 8 (NEON), 16 (AVX2) or 32 (AVX-512). The including files
 * contain the loops, which compute the positions and attributes of the pixels. avx2.c and
 * neon.c have the loops along lines. small*.c and neon.c have the loops for small
 * triangles.
 *
 * Colours are in lanes of 16 bits. Depth and texture coordinates need 32 bits, so each of
 * these attributes is in two vectors, one for each half of the pixels. If a half contains
 * no pixel of the triangle, the loops do not texture this half.
 */
#ifndef NV3_RASTER_SIMD_H
#define NV3_RASTER_SIMD_H

#include "raster/raster_int.h"

#if defined(NV3_HAVE_AVX2) || defined(NV3_HAVE_NEON)
#ifdef NV3_HAVE_NEON
#include "raster/neon.h"
#else
#include <immintrin.h>

/*
 * The including file selects the width of vectors. For AVX-512 (F, BW, DQ and VL), it
 * defines NV3_SIMD_WIDE, and also NV3_SIMD_VBMI2 to use VBMI2.
 */
#ifdef NV3_SIMD_WIDE
#define NV3_SIMD_LANES  32
#ifdef NV3_SIMD_VBMI2
#define NV3_SIMD_TARGET "avx2,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2"
#else
#define NV3_SIMD_TARGET "avx2,avx512f,avx512bw,avx512vl,avx512dq"
#endif
#define V(op)           _mm512_##op
#define VS(op)          _mm512_##op##_si512
typedef __m512i NV3Vec;
typedef __m512 NV3VecF;
#else
#define NV3_SIMD_LANES  16
#define NV3_SIMD_TARGET "avx2"
#define V(op)           _mm256_##op
#define VS(op)          _mm256_##op##_si256
typedef __m256i NV3Vec;
typedef __m256 NV3VecF;
#endif

#define SIMD __attribute__((target(NV3_SIMD_TARGET)))
#define SIMD_INLINE inline __attribute__((always_inline, target(NV3_SIMD_TARGET)))

/* A shift count for all lanes. */
typedef __m128i NV3Shift;

static SIMD_INLINE NV3Shift nv3_shift(unsigned n)
{
    return _mm_cvtsi32_si128(n);
}
#endif

/*
 * If the including file defines NV3_SIMD_ZIPPED as 1, the first half of the pixels
 * consists of pixels 0 to 3 and 8 to 11 (see NV3Pair). In this order, AVX2 can pack the
 * halves without a permutation.
 */
#ifndef NV3_SIMD_ZIPPED
#define NV3_SIMD_ZIPPED 0
#endif

/* A value for each pixel: the first half of the pixels in @a, the second half in @b. */
typedef struct NV3Pair {
    NV3Vec a, b;
} NV3Pair;

/* Four channels of all pixels, as 8.8. */
typedef struct NV3Colors {
    NV3Vec r, g, b, a;
} NV3Colors;

/* Constants of a triangle. */
typedef struct NV3Avx2 {
    const NV3RasterState *st;
    const NV3RasterTri *t;
    /* for the wrap mode repeat: the texture's size in 1/128 of a texel, minus 1 */
    NV3Vec mask;
    NV3Shift log2;
} NV3Avx2;

/* The attributes of all pixels, except depth. Unused attributes are undefined. */
typedef struct NV3Lanes {
    NV3Pair m, u, v;
    NV3Vec c[NV3_COL_COUNT];
    bool first, last;                   /* whether each half has drawn pixels */
} NV3Lanes;

/* The contents of the surfaces at the pixels. */
typedef struct NV3Target {
    NV3Vec color, zeta;
} NV3Target;

static SIMD_INLINE NV3Vec nv3_bcast32(uint32_t v)
{
    return V(set1_epi32)(v);
}

static SIMD_INLINE NV3Vec nv3_bcast16(uint16_t v)
{
    return V(set1_epi16)(v);
}

/*
 * Returns a vector that repeats the low half of a number in memory. The broadcast
 * instruction can load the 16 bits directly, but compilers would first load 32 bits into
 * a register.
 */
static SIMD_INLINE NV3Vec nv3_bcast16_at(const int32_t *v)
{
    uint16_t low[2];

    memcpy(low, v, sizeof(low));
    return nv3_bcast16(low[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__]);
}

#ifndef NV3_HAVE_NEON
/* ---- operations that differ between AVX2 and AVX-512 ----------------------- */

/*
 * Makes the compiler load the lanes of a vector from the array in which the vector has
 * just been stored. This is faster than extracting each lane from a vector register.
 */
#define NV3_IN_MEMORY(array)    __asm__("" : "+m" (array))

/*
 * Loads 64 bits at each of four indices. On most CPUs, mitigations for security bugs make
 * gather instructions slower than separate loads.
 */
static SIMD_INLINE __m256i nv3_four(const uint32_t *p, uint32_t a, uint32_t b,
                                    uint32_t c, uint32_t d)
{
    __m128i lo = _mm_loadl_epi64((const void *)(p + a));
    __m128i hi = _mm_loadl_epi64((const void *)(p + c));

    lo = _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(lo),
                                       (const void *)(p + b)));
    hi = _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(hi),
                                       (const void *)(p + d)));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lo), hi, 1);
}

#ifdef NV3_SIMD_WIDE
#define nv3_shuffle(a, b, how) _mm512_castps_si512( \
    _mm512_shuffle_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), how))

static SIMD_INLINE NV3Vec nv3_bcast64(int64_t v)
{
    return _mm512_set1_epi64(v);
}

static SIMD_INLINE NV3Vec nv3_eq16(NV3Vec a, NV3Vec b)
{
    return _mm512_movm_epi16(_mm512_cmpeq_epi16_mask(a, b));
}

static SIMD_INLINE NV3Vec nv3_gt16(NV3Vec a, NV3Vec b)
{
    return _mm512_movm_epi16(_mm512_cmpgt_epi16_mask(a, b));
}

static SIMD_INLINE NV3Vec nv3_eq8(NV3Vec a, NV3Vec b)
{
    return _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(a, b));
}

/*
 * Returns @b in the lanes in which @which is all ones, and @a in those in which it is
 * zero.
 */
static SIMD_INLINE NV3Vec nv3_select(NV3Vec a, NV3Vec b, NV3Vec which)
{
    return _mm512_mask_blend_epi16(_mm512_movepi16_mask(which), a, b);
}

static SIMD_INLINE bool nv3_no_lane(NV3Vec a, NV3Vec b)
{
    return !_mm512_test_epi16_mask(a, b);
}

static SIMD_INLINE NV3VecF nv3_floor(NV3VecF f)
{
    return _mm512_roundscale_ps(f, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

/*
 * Packs both halves of the pixels into one vector, and clamps the values to [0, 65535].
 */
static SIMD_INLINE NV3Vec nv3_pack32(NV3Vec a, NV3Vec b)
{
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
                                    _mm512_packus_epi32(a, b));
}

static SIMD_INLINE NV3Vec nv3_gather(const int *base, NV3Vec index)
{
    return _mm512_i32gather_epi32(index, base, 4);
}

static SIMD_INLINE NV3Vec nv3_eight(const uint32_t *p, const uint32_t *i)
{
    return _mm512_inserti64x4(
        _mm512_castsi256_si512(nv3_four(p, i[0], i[1], i[4], i[5])),
        nv3_four(p, i[8], i[9], i[12], i[13]), 1);
}

/*
 * Loads 64 bits at each index. Of every four loaded values, the first two are stored in
 * @a, and the last two in @b.
 */
static SIMD_INLINE void nv3_fetch(const uint32_t *p, NV3Vec index, NV3Vec *a,
                                  NV3Vec *b)
{
    uint32_t i[16] __attribute__((aligned(64)));

    VS(store)((void *)i, index);
    NV3_IN_MEMORY(i);
    *a = nv3_eight(p, i);
    *b = nv3_eight(p, i + 2);
}

/* Returns a mask in which all bits of lanes [0, @n) are set, and all other bits are 0. */
static SIMD_INLINE NV3Vec nv3_lanes_before(uint32_t n)
{
    return _mm512_movm_epi16(n < 32 ? (1u << n) - 1 : UINT32_MAX);
}

/*
 * Returns a mask in which all bits of lanes [@lo, @hi) are set, and all other bits are
 * 0.
 */
static SIMD_INLINE NV3Vec nv3_lanes_from(int32_t lo, int32_t hi)
{
    return _mm512_movm_epi16(((1ull << hi) - 1) & ~((1ull << lo) - 1));
}
#else
#define nv3_shuffle(a, b, how) _mm256_castps_si256( \
    _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), how))

static SIMD_INLINE NV3Vec nv3_bcast64(int64_t v)
{
    return _mm256_set1_epi64x(v);
}

static SIMD_INLINE NV3Vec nv3_eq16(NV3Vec a, NV3Vec b)
{
    return _mm256_cmpeq_epi16(a, b);
}

static SIMD_INLINE NV3Vec nv3_gt16(NV3Vec a, NV3Vec b)
{
    return _mm256_cmpgt_epi16(a, b);
}

static SIMD_INLINE NV3Vec nv3_eq8(NV3Vec a, NV3Vec b)
{
    return _mm256_cmpeq_epi8(a, b);
}

static SIMD_INLINE NV3Vec nv3_select(NV3Vec a, NV3Vec b, NV3Vec which)
{
    return _mm256_blendv_epi8(a, b, which);
}

static SIMD_INLINE bool nv3_no_lane(NV3Vec a, NV3Vec b)
{
    return _mm256_testz_si256(a, b);
}

static SIMD_INLINE NV3VecF nv3_floor(NV3VecF f)
{
    return _mm256_floor_ps(f);
}

static SIMD_INLINE NV3Vec nv3_pack32(NV3Vec a, NV3Vec b)
{
    NV3Vec packed = _mm256_packus_epi32(a, b);

    return NV3_SIMD_ZIPPED ? packed : _mm256_permute4x64_epi64(packed, 0xd8);
}

static SIMD_INLINE NV3Vec nv3_gather(const int *base, NV3Vec index)
{
    return _mm256_i32gather_epi32(base, index, 4);
}

static SIMD_INLINE void nv3_fetch(const uint32_t *p, NV3Vec index, NV3Vec *a,
                                  NV3Vec *b)
{
    uint32_t i[8] __attribute__((aligned(32)));

    VS(store)((void *)i, index);
    NV3_IN_MEMORY(i);
    *a = nv3_four(p, i[0], i[1], i[4], i[5]);
    *b = nv3_four(p, i[2], i[3], i[6], i[7]);
}

static SIMD_INLINE NV3Vec nv3_lanes_before(uint32_t n)
{
    return _mm256_cmpgt_epi16(_mm256_set1_epi16(n), _mm256_setr_epi16(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

static SIMD_INLINE NV3Vec nv3_lanes_from(int32_t lo, int32_t hi)
{
    /* A load from index 16 - n returns n lanes of zeroes, followed by lanes of ones. */
    static const uint16_t from[32] = {
        [16] = 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
        0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
    };

    return _mm256_andnot_si256(
        _mm256_loadu_si256((const void *)(from + 16 - hi)),
        _mm256_loadu_si256((const void *)(from + 16 - lo)));
}
#endif

/*
 * Stores the even 32-bit lanes of both vectors in @even, and the odd lanes in @odd. Each
 * group of four lanes in @even and @odd has two lanes of @a, then two lanes of @b.
 */
static SIMD_INLINE void nv3_unzip(NV3Vec a, NV3Vec b, NV3Vec *even, NV3Vec *odd)
{
    *even = nv3_shuffle(a, b, 0x88);
    *odd = nv3_shuffle(a, b, 0xdd);
}
#endif

/*
 * Returns a vector that repeats @v, a compile-time constant. With AVX2, the function
 * reads the vector from a table. Registers are scarce, so GCC would otherwise build the
 * vector in each step, with three instructions.
 */
static SIMD_INLINE NV3Vec nv3_constant32(const uint32_t v)
{
#if defined(NV3_HAVE_AVX2) && !defined(NV3_SIMD_WIDE)
#define NV3_VALUE(value) value
    static const uint32_t values[] = NV3_SIMD_CONSTANTS(NV3_VALUE);
#undef NV3_VALUE

#pragma GCC unroll 32
    for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (v == values[i]) {
            return _mm256_load_si256((const void *)nv3_simd_constants[i]);
        }
    }
#endif
    return nv3_bcast32(v);
}

static SIMD_INLINE NV3Vec nv3_constant16(const uint16_t v)
{
    return nv3_constant32(v * 0x10001u);
}

static SIMD_INLINE NV3Vec nv3_constant8(const uint8_t v)
{
    return nv3_constant32(v * 0x01010101u);
}

/* ---- pixels ---------------------------------------------------------------- */

static SIMD_INLINE void nv3_avx2_init(NV3Avx2 *k, const NV3RasterState *st,
                                      const NV3RasterTri *t)
{
    k->st = st;
    k->t = t;
    k->mask = nv3_bcast32((NV3_TEX_ONE << t->log2) - 1);
    k->log2 = nv3_shift(t->log2);
}

/* Clamps negative colours to 0 and converts them to 8.8, like nv3_shade(). */
static SIMD_INLINE NV3Vec nv3_clamp16(NV3Vec v)
{
    return V(slli_epi16)(V(max_epi16)(v, VS(setzero)()), 1);
}

static SIMD_INLINE NV3Vec nv3_compare(const NV3RasterCompare *c, NV3Vec a,
                                       NV3Vec b)
{
    NV3Vec ge = nv3_eq16(V(max_epu16)(a, b), a);
    NV3Vec eq = nv3_eq16(a, b);

    ge = VS(and)(ge, nv3_bcast16(c->ge));
    eq = VS(and)(eq, nv3_bcast16(c->eq));
    return VS(xor)(VS(xor)(ge, eq), nv3_bcast16(c->inv));
}

/* Returns the depth of all pixels. */
static SIMD_INLINE NV3Vec nv3_depth(const NV3Avx2 *k, NV3Pair z, NV3Pair m,
                                     uint32_t flags)
{
    if (flags & NV3_RASTER_F_Z_PERSP) {
        NV3VecF scale = V(set1_ps)(k->t->z_scale);
        NV3VecF qa = V(div_ps)(scale, V(cvtepi32_ps)(m.a));
        NV3VecF qb = V(div_ps)(scale, V(cvtepi32_ps)(m.b));

        qa = V(mul_ps)(V(cvtepi32_ps)(z.a), qa);
        qb = V(mul_ps)(V(cvtepi32_ps)(z.b), qb);
        z.a = V(cvttps_epi32)(nv3_floor(qa));
        z.b = V(cvttps_epi32)(nv3_floor(qb));
    } else {
        z.a = V(srai_epi32)(z.a, 14);
        z.b = V(srai_epi32)(z.b, 14);
    }
    return nv3_pack32(z.a, z.b);
}

/* Wraps coordinates like nv3_wrap() in scalar.c. */
static SIMD_INLINE NV3Vec nv3_wrap(const NV3Avx2 *k, NV3Vec c, uint32_t mirror,
                                    uint32_t clamp)
{
    const int32_t size = NV3_TEX_ONE << k->t->log2;

    if (!mirror && !clamp) {
        return VS(and)(c, k->mask);
    }
    if (mirror) {
        c = VS(and)(c, nv3_bcast32(2 * size - 1));
        c = V(min_epi32)(c,
            V(sub_epi32)(nv3_bcast32(2 * size - NV3_TEX_ONE), c));
    }
    c = V(min_epi32)(c, nv3_bcast32(size - NV3_TEX_ONE));
    return V(max_epi32)(c, VS(setzero)());
}

/*
 * Positions in the texture, for half of the pixels. @index: index in NV3RasterTri.pairs.
 * @u, @v: coordinates in 1/128 of a texel.
 */
typedef struct NV3Place {
    NV3Vec index, u, v;
} NV3Place;

static SIMD_INLINE NV3Place nv3_place(const NV3Avx2 *k, NV3Vec m, NV3Vec u,
                                      NV3Vec v, bool bilinear, uint32_t flags)
{
    NV3VecF q = V(div_ps)(V(set1_ps)(k->t->tex_scale),
                             V(cvtepi32_ps)(m));
    NV3VecF fu = V(mul_ps)(V(cvtepi32_ps)(u), q);
    NV3VecF fv = V(mul_ps)(V(cvtepi32_ps)(v), q);
    NV3Place p;

    p.u = V(cvttps_epi32)(nv3_floor(fu));
    p.v = V(cvttps_epi32)(nv3_floor(fv));
    if (!bilinear) {
        NV3Vec half = nv3_bcast32(flags & NV3_RASTER_F_HALF ?
                                   NV3_TEX_ONE / 2 : 0);
        NV3Vec whole = nv3_bcast32(-NV3_TEX_ONE);

        p.u = VS(and)(V(add_epi32)(p.u, half), whole);
        p.v = VS(and)(V(add_epi32)(p.v, half), whole);
    }
    p.u = nv3_wrap(k, p.u, flags & NV3_RASTER_F_MIRROR_U,
                   flags & NV3_RASTER_F_CLAMP_U);
    p.v = nv3_wrap(k, p.v, flags & NV3_RASTER_F_MIRROR_V,
                   flags & NV3_RASTER_F_CLAMP_V);
    v = V(srli_epi32)(p.v, NV3_TEX_FRAC);
    p.index = V(add_epi32)(V(srli_epi32)(p.u, NV3_TEX_FRAC),
        V(add_epi32)(v, V(sll_epi32)(v, k->log2)));
    return p;
}

/*
 * For each pixel of one half, four texels and their weights. Each 32-bit lane of t[0] has
 * the top left and the bottom left texel of a pixel, and each lane of t[1] has the two
 * right texels.
 */
typedef struct NV3Quads {
    NV3Vec t[2], w[2];
} NV3Quads;

static SIMD_INLINE void nv3_quads(const NV3Avx2 *k, const NV3Place *p, NV3Quads *q)
{
    const NV3Vec frac = nv3_constant32(NV3_TEX_ONE - 1);
    NV3Vec u = VS(and)(p->u, frac);
    NV3Vec v = VS(and)(p->v, frac);
    NV3Vec a, b;

    nv3_fetch(k->t->pairs, p->index, &a, &b);
    nv3_unzip(a, b, &q->t[0], &q->t[1]);
    /*
     * Compute the factors of the weights, in 16 bits for the upper and for the lower
     * texel of each lane: u for both texels, 1 - v for the upper texel, and v for the
     * lower.
     */
    u = VS(or)(u, V(slli_epi32)(u, 16));
    v = V(add_epi32)(V(sub_epi32)(V(slli_epi32)(v, 16), v),
                         nv3_constant32(NV3_TEX_ONE));
    q->w[0] = V(mullo_epi16)(
        V(sub_epi16)(nv3_constant16(NV3_TEX_ONE), u), v);
    q->w[1] = V(mullo_epi16)(u, v);
}

/* Returns the weighted sums of four texels' channel @c, shifted right by @down bits. */
static SIMD_INLINE NV3Vec nv3_sum(const NV3Quads q[2], const NV3Vec c[4],
                                   const int down)
{
    NV3Vec a = V(add_epi32)(V(madd_epi16)(c[0], q[0].w[0]),
                                 V(madd_epi16)(c[1], q[0].w[1]));
    NV3Vec b = V(add_epi32)(V(madd_epi16)(c[2], q[1].w[0]),
                                 V(madd_epi16)(c[3], q[1].w[1]));

    return nv3_pack32(V(srli_epi32)(a, down), V(srli_epi32)(b, down));
}

static SIMD_INLINE NV3Vec nv3_sum_mask(const NV3Quads q[2], const int mask,
                                        const int down)
{
    const NV3Vec m = nv3_constant16(mask);
    const NV3Vec c[4] = {
        VS(and)(q[0].t[0], m), VS(and)(q[0].t[1], m),
        VS(and)(q[1].t[0], m), VS(and)(q[1].t[1], m),
    };

    return nv3_sum(q, c, down);
}

static SIMD_INLINE NV3Vec nv3_sum_shift(const NV3Quads q[2], const int shift,
                                         const int down)
{
    const NV3Vec c[4] = {
        V(srli_epi16)(q[0].t[0], shift),
        V(srli_epi16)(q[0].t[1], shift),
        V(srli_epi16)(q[1].t[0], shift),
        V(srli_epi16)(q[1].t[1], shift),
    };

    return nv3_sum(q, c, down);
}

static SIMD_INLINE NV3Vec nv3_widen4(NV3Vec c)
{
    return V(add_epi16)(c, V(srli_epi16)(c, 4));
}

/* Returns the texels' alpha bits, which are 0 for texels of the key's colour. */
static SIMD_INLINE NV3Vec nv3_alpha_bits(const NV3Avx2 *k, NV3Vec t,
                                          const uint32_t fmt, uint32_t flags)
{
    const NV3RasterMode *m = &k->st->mode;
    unsigned tf = k->st->tex_format >> NV3_D3D_TEX_FORMAT_SHIFT & 3;
    NV3Vec a;

    if (fmt == NV3_RASTER_F_FMT_4444) {
        a = V(srli_epi16)(t, 12);
    } else if (fmt == 0 && tf == NV3_D3D_TEX_A1R5G5B5) {
        a = V(srli_epi16)(t, 15);
    } else {
        a = nv3_bcast16(1);
    }
    if (flags & NV3_RASTER_F_KEY) {
        a = VS(andnot)(nv3_eq16(
            VS(and)(t, nv3_bcast16(m->key_mask)),
            nv3_bcast16(m->key)), a);
    }
    return a;
}

/* Like nv3_filter() in scalar.c. */
static SIMD_INLINE void nv3_bilinear(const NV3Avx2 *k, const NV3Quads q[2],
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
        const NV3Vec a[4] = {
            nv3_alpha_bits(k, q[0].t[0], fmt, flags),
            nv3_alpha_bits(k, q[0].t[1], fmt, flags),
            nv3_alpha_bits(k, q[1].t[0], fmt, flags),
            nv3_alpha_bits(k, q[1].t[1], fmt, flags),
        };

        if (fmt == NV3_RASTER_F_FMT_4444) {
            c->a = nv3_widen4(nv3_sum(q, a, 2));
        } else {
            /*
             * The sum is 0 to 2^14. Multiply by 4 - 1/64, because 4 * 2^14 does not fit
             * in 16 bits.
             */
            c->a = nv3_sum(q, a, 0);
            c->a = V(sub_epi16)(V(slli_epi16)(c->a, 2),
                                    V(srli_epi16)(c->a, 6));
        }
    }
}

/*
 * Loads a texel for each pixel in one half. Texels are in the low 16 bits of 32-bit
 * lanes.
 */
static SIMD_INLINE NV3Vec nv3_texels(const NV3Avx2 *k, const NV3Place *p)
{
    const int *pairs = (const int *)k->t->pairs;

    return VS(and)(nv3_gather(pairs, p->index),
                            nv3_bcast32(0xffff));
}

/* Converts one texel per pixel. */
static SIMD_INLINE void nv3_nearest(const NV3Avx2 *k, NV3Vec t, const uint32_t fmt,
                                    uint32_t flags, NV3Colors *c)
{
    if (fmt == NV3_RASTER_F_FMT_4444) {
        const NV3Vec top = nv3_bcast16(0xf000);

        c->r = nv3_widen4(VS(and)(V(slli_epi16)(t, 4), top));
        c->g = nv3_widen4(VS(and)(V(slli_epi16)(t, 8), top));
        c->b = nv3_widen4(V(slli_epi16)(t, 12));
    } else if (fmt == NV3_RASTER_F_FMT_565) {
        c->r = VS(and)(t, nv3_bcast16(0xf800));
        c->g = VS(and)(V(slli_epi16)(t, 5), nv3_bcast16(0xfc00));
        c->b = V(slli_epi16)(t, 11);
    } else {
        const NV3Vec top = nv3_bcast16(0xf800);

        c->r = VS(and)(V(slli_epi16)(t, 1), top);
        c->g = VS(and)(V(slli_epi16)(t, 6), top);
        c->b = V(slli_epi16)(t, 11);
    }
    if (flags & NV3_RASTER_F_TEX_ALPHA) {
        NV3Vec a = nv3_alpha_bits(k, t, fmt, flags);

        c->a = fmt == NV3_RASTER_F_FMT_4444 ?
               nv3_widen4(V(slli_epi16)(a, 12)) :
               VS(and)(nv3_gt16(a, VS(setzero)()),
                                nv3_bcast16(0xff00));
    }
}

/* Computes the texture's colours. */
static SIMD_INLINE void nv3_sample(const NV3Avx2 *k, const NV3Lanes *n,
                                   bool bilinear, const uint32_t fmt,
                                   uint32_t flags, NV3Colors *c)
{
    const NV3Vec zero = VS(setzero)();
    NV3Quads q[2] = { { { zero, zero }, { zero, zero } },
                      { { zero, zero }, { zero, zero } } };
    NV3Vec ta = zero, tb = zero;

    /* A texture of a single texel has the same colour at all coordinates. */
    if (!bilinear && !k->t->log2) {
        nv3_nearest(k, nv3_bcast16(k->t->pairs[0]), fmt, flags, c);
        return;
    }
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

/* Returns @t multiplied by a colour c. @inverse is 1 - c. */
static SIMD_INLINE NV3Vec nv3_modulate(NV3Vec t, NV3Vec inverse)
{
    return V(sub_epi16)(t, V(mulhi_epu16)(t, inverse));
}

static SIMD_INLINE NV3Vec nv3_fog(NV3Vec c, uint16_t fog, NV3Vec f)
{
    c = V(sub_epi16)(c, V(mulhi_epu16)(c, f));
    return V(add_epi16)(c, V(mulhi_epu16)(nv3_bcast16(fog), f));
}

/* Like nv3_source() in scalar.c. */
static SIMD_INLINE void nv3_source(const NV3Avx2 *k, const NV3Lanes *n,
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
        NV3Vec f = nv3_clamp16(n->c[NV3_COL_FOG]);

        f = V(adds_epu16)(f, V(srli_epi16)(f, 8));
        c->r = nv3_fog(c->r, m->fog[0], f);
        c->g = nv3_fog(c->g, m->fog[1], f);
        c->b = nv3_fog(c->b, m->fog[2], f);
    }
    if (flags & NV3_RASTER_F_INV_COLOR) {
        const NV3Vec ones = nv3_bcast16(0xffff);

        c->r = VS(xor)(c->r, ones);
        c->g = VS(xor)(c->g, ones);
        c->b = VS(xor)(c->b, ones);
    }
    if (flags & NV3_RASTER_F_INV_ALPHA) {
        c->a = VS(xor)(c->a, nv3_bcast16(0xffff));
    }
}

/*
 * Dithers two channels at once, like nv3_dither() in scalar.c. In each lane of the
 * result, the channel @lo is in the low byte, and @hi in the high byte. @outcomes
 * contains the dither bits of both channels in the same order (NV3DitherLine).
 */
static SIMD_INLINE NV3Vec nv3_dither2(NV3Vec lo, NV3Vec hi, NV3Vec outcomes)
{
    const NV3Vec bits = nv3_bcast64(0x8040201008040201ll);
    NV3Vec c = VS(or)(V(srli_epi16)(lo, 8),
                                VS(and)(hi, nv3_constant16(0xff00)));
    NV3Vec bit = V(shuffle_epi8)(bits,
        VS(and)(c, nv3_constant8(7)));
    NV3Vec up = nv3_eq8(VS(and)(bit, outcomes), bit);

    c = VS(and)(V(srli_epi16)(c, 3), nv3_constant8(0x1f));
    return V(min_epu8)(V(sub_epi8)(c, up), nv3_constant8(0x1f));
}

static SIMD_INLINE NV3Vec nv3_pack555(NV3Vec r, NV3Vec g, NV3Vec b)
{
    return VS(or)(b, VS(or)(V(slli_epi16)(g, 5),
                                              V(slli_epi16)(r, 10)));
}

/* nv3_blend() of one channel. */
static SIMD_INLINE NV3Vec nv3_blend1(const NV3RasterMode *m, NV3Vec c, NV3Vec d,
                                      NV3Vec alpha, uint32_t flags)
{
    NV3Vec f = alpha;

    if (flags & NV3_RASTER_F_ADD) {
        return V(min_epi16)(V(add_epi16)(c, d), nv3_bcast16(0x1f));
    }
    if (flags & NV3_RASTER_F_BETA_DST) {
        f = V(srli_epi16)(d, 1);
    }
    f = V(sub_epi16)(f, nv3_eq16(f, nv3_bcast16(15)));
    c = VS(and)(c, nv3_bcast16(m->src_mask));
    d = VS(and)(d, nv3_bcast16(m->dst_mask));
    c = V(mullo_epi16)(V(sub_epi16)(c, d), f);
    return V(add_epi16)(d, V(srai_epi16)(c, 4));
}

static SIMD_INLINE NV3Vec nv3_blend(const NV3RasterMode *m, NV3Vec rb, NV3Vec ga,
                                     NV3Vec alpha, NV3Vec old, uint32_t flags)
{
    const NV3Vec five = nv3_constant16(0x1f), byte = nv3_constant16(0xff);
    NV3Vec r = VS(and)(rb, byte);
    NV3Vec g = VS(and)(ga, byte);
    NV3Vec b = V(srli_epi16)(rb, 8);
    NV3Vec dr = VS(and)(V(srli_epi16)(old, 10), five);
    NV3Vec dg = VS(and)(V(srli_epi16)(old, 5), five);
    NV3Vec db = VS(and)(old, five);

    return nv3_pack555(nv3_blend1(m, r, dr, alpha, flags),
                       nv3_blend1(m, g, dg, alpha, flags),
                       nv3_blend1(m, b, db, alpha, flags));
}

/* Returns the lanes of @pass in which the write enable @w permits a write. */
static SIMD_INLINE NV3Vec nv3_enabled(const NV3RasterWrite *w, NV3Vec pass,
                                       NV3Vec z_pass, NV3Vec alpha_zero,
                                       uint32_t flags)
{
    if (flags & NV3_RASTER_F_ZETA) {
        pass = VS(and)(pass,
            VS(or)(z_pass, nv3_bcast16(w->z)));
    }
    if (flags & NV3_RASTER_F_ALPHA_WREN) {
        pass = VS(andnot)(VS(andnot)(
            nv3_bcast16(w->alpha), alpha_zero), pass);
    }
    return pass;
}

/*
 * Shades the pixels in the mask @pass, and stores the results in @t. @z_pass: mask of the
 * pixels that have passed the depth test. @rb and @ga are dither bits (NV3DitherLine).
 */
static SIMD_INLINE void nv3_pixels(const NV3Avx2 *k, const NV3Lanes *n, NV3Vec z,
                                   NV3Vec pass, NV3Vec z_pass, NV3Vec rb,
                                   NV3Vec ga, NV3Target *t, bool bilinear,
                                   const uint32_t fmt, uint32_t flags)
{
    const NV3RasterMode *m = &k->st->mode;
    NV3Vec zero = VS(setzero)(), alpha = zero;
    NV3Colors c;

    if (flags & (NV3_RASTER_F_COLOR | NV3_RASTER_F_ALPHA_TEST |
                 NV3_RASTER_F_ALPHA_WREN)) {
        nv3_source(k, n, bilinear, fmt, flags, &c);
        ga = nv3_dither2(c.g, c.a, ga);
        alpha = V(srli_epi16)(ga, 9);
        if (flags & NV3_RASTER_F_ALPHA_TEST) {
            pass = VS(and)(pass, nv3_compare(&m->alpha_test,
                V(srli_epi16)(c.a, 8), nv3_bcast16(m->alpha_ref)));
        }
        if (flags & NV3_RASTER_F_ALPHA_WREN) {
            zero = nv3_eq16(alpha, zero);
        }
    }
    if (flags & NV3_RASTER_F_COLOR) {
        NV3Vec out;

        rb = nv3_dither2(c.r, c.b, rb);
        if (flags & NV3_RASTER_F_BLEND) {
            out = nv3_blend(m, rb, ga, alpha, t->color, flags);
        } else {
            /* @rb has red in the low byte: the left shift moves blue out of the lane. */
            out = VS(or)(V(slli_epi16)(rb, 10),
                                  V(srli_epi16)(rb, 8));
            out = VS(or)(out, VS(and)(
                V(slli_epi16)(ga, 5), nv3_constant16(0x3e0)));
        }
        t->color = nv3_select(t->color, out,
            nv3_enabled(&m->color_write, pass, z_pass, zero, flags));
    }
    if (flags & NV3_RASTER_F_ZWRITE) {
        t->zeta = nv3_select(t->zeta, z,
            nv3_enabled(&m->zeta_write, pass, z_pass, zero, flags));
    }
}

/*
 * Copies @n pixels (1 to 16) as two parts, which may overlap. The size of both parts is
 * the largest power of 2 that does not exceed @n, at most 8.
 */
static SIMD_INLINE void nv3_copy_lanes(uint8_t *dst, const uint8_t *src, int32_t n)
{
    if (n >= 8) {
        struct { uint64_t half[2]; } a, b;

        memcpy(&a, src, 16);
        memcpy(&b, src + 2 * n - 16, 16);
        memcpy(dst, &a, 16);
        memcpy(dst + 2 * n - 16, &b, 16);
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

/*
 * The flags that plain triangles may have. Plain triangles are opaque, textured and
 * shaded. Most triangles are plain.
 */
#define NV3_MAY_PLAIN \
    (NV3_RASTER_F_COLOR | NV3_RASTER_F_ZETA | NV3_RASTER_F_ZWRITE | \
     NV3_RASTER_F_EARLY_Z | NV3_RASTER_F_HALF | NV3_RASTER_F_DITHER)
#define NV3_MAY_ALL UINT32_MAX
/*
 * Flags by which a loop is selected: filter, texel layout and size. Plain triangles may
 * have these flags, too.
 */
#define NV3_CHOSEN \
    (NV3_RASTER_F_BILINEAR | NV3_RASTER_F_FMT_565 | NV3_RASTER_F_FMT_4444 | \
     NV3_RASTER_F_SMALL)

typedef uint32_t NV3Avx2Draw(const NV3RasterState *st, const NV3RasterTri *t,
                             const NV3Rect *rect);

#ifdef NV3_HAVE_AVX2
/*
 * Loops for small triangles (small*.c), indexed by texel layout, by filter, and by
 * whether they draw only plain triangles (NV3_MAY_PLAIN).
 */
extern NV3Avx2Draw *const nv3_small_avx2[3][2][2];
extern NV3Avx2Draw *const nv3_small_avx512[3][2][2];
extern NV3Avx2Draw *const nv3_small_vbmi2[3][2][2];
#endif

#endif
#endif
