/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines vectors of pixels and operations on them, for loops that are compiled once for
 * each SIMD level. The including file defines
 *
 * LANES        number of pixels in a vector: 4, 8 (AVX2) or 16 (AVX-512).
 * LANES_TARGET attributes of every function.
 *
 * At every level, all functions return exactly the same results, because they use only
 * operations whose results IEEE 754 defines exactly. If the result for a NaN is not
 * obvious, the function's comment states it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if LANES > 4
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#else
#include <math.h>
#endif

#define LANES_INLINE \
    static inline __attribute__((always_inline, unused)) LANES_TARGET

/* GNU C vectors. The result of a comparison is all ones or all zeroes in each lane. */
typedef float LaneF __attribute__((vector_size(4 * LANES), may_alias));
typedef int32_t LaneI __attribute__((vector_size(4 * LANES), may_alias));
typedef uint32_t LaneU __attribute__((vector_size(4 * LANES), may_alias));

LANES_INLINE LaneF lane_splat(float x)
{
    return x - (LaneF) { 0 };
}

LANES_INLINE LaneI lane_isplat(int32_t x)
{
    return x - (LaneI) { 0 };
}

/* Returns all ones in every lane if @set is true, else zero in every lane. */
LANES_INLINE LaneI lane_all(bool set)
{
    return lane_isplat(set ? -1 : 0);
}

LANES_INLINE LaneF lane_select(LaneI mask, LaneF yes, LaneF no)
{
#if LANES == 8
    return (LaneF)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (LaneF)(((LaneI)yes & mask) | ((LaneI)no & ~mask));
#endif
}

LANES_INLINE LaneI lane_iselect(LaneI mask, LaneI yes, LaneI no)
{
    return (LaneI)lane_select(mask, (LaneF)yes, (LaneF)no);
}

/*
 * Returns @a < @b ? @a : @b. If an operand is a NaN, the comparison is false, and the
 * result is @b.
 */
LANES_INLINE LaneF lane_min(LaneF a, LaneF b)
{
#if LANES == 16
    return (LaneF)_mm512_min_ps((__m512)a, (__m512)b);
#elif LANES == 8
    return (LaneF)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return lane_select(a < b, a, b);
#endif
}

/*
 * Returns @a > @b ? @a : @b. If an operand is a NaN, the comparison is false, and the
 * result is @b.
 */
LANES_INLINE LaneF lane_max(LaneF a, LaneF b)
{
#if LANES == 16
    return (LaneF)_mm512_max_ps((__m512)a, (__m512)b);
#elif LANES == 8
    return (LaneF)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return lane_select(a > b, a, b);
#endif
}

/* A NaN becomes 0. */
LANES_INLINE LaneF lane_saturate(LaneF x)
{
    return lane_min(lane_max(x, lane_splat(0)), lane_splat(1));
}

LANES_INLINE LaneI lane_imin(LaneI a, LaneI b)
{
#if LANES == 16
    return (LaneI)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif LANES == 8
    return (LaneI)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    return lane_iselect(a < b, a, b);
#endif
}

LANES_INLINE LaneI lane_imax(LaneI a, LaneI b)
{
#if LANES == 16
    return (LaneI)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif LANES == 8
    return (LaneI)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    return lane_iselect(a > b, a, b);
#endif
}

LANES_INLINE LaneF lane_abs(LaneF x)
{
    return (LaneF)((LaneI)x & lane_isplat(INT32_MAX));
}

/* Truncates towards zero. The result must fit in an int32_t. */
LANES_INLINE LaneI lane_to_int(LaneF x)
{
#if LANES == 16
    return (LaneI)_mm512_cvttps_epi32((__m512)x);
#elif LANES == 8
    return (LaneI)_mm256_cvttps_epi32((__m256)x);
#else
    return __builtin_convertvector(x, LaneI);
#endif
}

/*
 * Rounds to the nearest integer, or to the even one if two are equally near. The result
 * must fit in an int32_t.
 */
LANES_INLINE LaneI lane_round(LaneF x)
{
#if LANES == 16
    return (LaneI)_mm512_cvtps_epi32((__m512)x);
#elif LANES == 8
    return (LaneI)_mm256_cvtps_epi32((__m256)x);
#elif defined(__aarch64__)
    return (LaneI)vcvtnq_s32_f32((float32x4_t)x);
#elif defined(__SSE2__)
    return (LaneI)_mm_cvtps_epi32((__m128)x);
#else
    LaneI r = { 0 };

    for (unsigned i = 0; i < LANES; i++) {
        r[i] = lrintf(x[i]);
    }
    return r;
#endif
}

LANES_INLINE LaneF lane_to_float(LaneI x)
{
    return __builtin_convertvector(x, LaneF);
}

LANES_INLINE LaneF lane_floor(LaneF x)
{
#if LANES == 16
    return (LaneF)_mm512_roundscale_ps((__m512)x,
                                       _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif LANES == 8
    return (LaneF)_mm256_floor_ps((__m256)x);
#elif defined(__aarch64__)
    return (LaneF)vrndmq_f32((float32x4_t)x);
#else
    LaneI sign = (LaneI)x & INT32_MIN;
    LaneI fraction = lane_abs(x) < 0x1p23f;
    LaneF r = lane_to_float(lane_to_int(lane_select(fraction, x, lane_splat(0))));

    r -= (LaneF)((r > x) & (LaneI)lane_splat(1));
    /* Restore the sign, because the floor of -0 is -0. */
    return lane_select(fraction, (LaneF)((LaneI)r | sign), x);
#endif
}

/* Correctly rounded. */
LANES_INLINE LaneF lane_sqrt(LaneF x)
{
#if LANES == 16
    return (LaneF)_mm512_sqrt_ps((__m512)x);
#elif LANES == 8
    return (LaneF)_mm256_sqrt_ps((__m256)x);
#elif defined(__aarch64__)
    return (LaneF)vsqrtq_f32((float32x4_t)x);
#elif defined(__SSE2__)
    return (LaneF)_mm_sqrt_ps((__m128)x);
#else
    LaneF r = { 0 };

    for (unsigned i = 0; i < LANES; i++) {
        r[i] = sqrtf(x[i]);
    }
    return r;
#endif
}

/*
 * Returns true if any lane of @mask is set. Each lane of @mask must be all ones or all
 * zeroes.
 */
LANES_INLINE bool lane_any(LaneI mask)
{
#if LANES == 16
    return _mm512_movepi32_mask((__m512i)mask) != 0;
#elif LANES == 8
    return _mm256_movemask_ps((__m256)mask) != 0;
#else
    return mask[0] | mask[1] | mask[2] | mask[3];
#endif
}

/* Returns lane i of @mask as bit i. Each lane of @mask must be all ones or all zeroes. */
LANES_INLINE unsigned lane_bits(LaneI mask)
{
#if LANES == 16
    return _mm512_movepi32_mask((__m512i)mask);
#elif LANES == 8
    return _mm256_movemask_ps((__m256)mask);
#else
    unsigned bits = (mask[0] & 1) | (mask[1] & 2);

    return bits | (mask[2] & 4) | (mask[3] & 8);
#endif
}

/*
 * Returns all ones in the lanes whose bits are set in @bits, and zero in the other
 * lanes.
 */
LANES_INLINE LaneI lane_from_bits(unsigned bits)
{
#if LANES == 16
    return (LaneI)_mm512_movm_epi32(bits);
#elif LANES == 8
    const LaneI bit = { 1, 2, 4, 8, 16, 32, 64, 128 };

    return (lane_isplat(bits) & bit) == bit;
#else
    const LaneI bit = { 1, 2, 4, 8 };

    return (lane_isplat(bits) & bit) == bit;
#endif
}

/*
 * Returns the 32-bit words base[index]. With AVX2, eight loads are faster than a gather
 * instruction on AMD CPUs, and on Intel CPUs with the mitigation for Gather Data
 * Sampling.
 */
LANES_INLINE LaneI lane_gather(const uint32_t *base, LaneI index)
{
#if LANES == 16
    return (LaneI)_mm512_i32gather_epi32((__m512i)index, base, 4);
#else
    int32_t i[LANES] __attribute__((aligned(32)));

    *(LaneI *)i = index;
    /*
     * Force the compiler to load the indices from memory, because extracting them from a
     * register is slower.
     */
    __asm__("" : "+m" (i));
#if LANES == 8
    return (LaneI) {
        base[i[0]], base[i[1]], base[i[2]], base[i[3]],
        base[i[4]], base[i[5]], base[i[6]], base[i[7]],
    };
#else
    return (LaneI) { base[i[0]], base[i[1]], base[i[2]], base[i[3]] };
#endif
#endif
}
