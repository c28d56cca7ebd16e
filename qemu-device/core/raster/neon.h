/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the vector operations of simd.h on Arm64, with 8 pixels in a vector of 128
 * bits.
 *
 * simd.h calls operations through the macros V() and VS(), with the names of the x86
 * intrinsics. The results are exactly the same as on x86. Only little-endian hosts are
 * supported, because vectors are stored to surfaces, whose pixels are little-endian.
 */
#ifndef NV3_RASTER_NEON_H
#define NV3_RASTER_NEON_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stdint.h>

#define NV3_SIMD_LANES  8
#define V(op)           nv3_neon_##op
#define VS(op)          nv3_neon_##op
#define SIMD
#define SIMD_INLINE     inline __attribute__((always_inline))

/*
 * Eight lanes of 16 bits, or four lanes of 32 bits. Operators such as >> work on these
 * types.
 */
typedef uint16x8_t NV3Vec;
typedef float32x4_t NV3VecF;
/* A shift count for all lanes. */
typedef int32x4_t NV3Shift;

static SIMD_INLINE NV3Shift nv3_shift(unsigned n)
{
    return vdupq_n_s32(n);
}

/* ---- lanes of 32 bits ------------------------------------------------------ */

static SIMD_INLINE uint32x4_t nv3_u32(NV3Vec v)
{
    return vreinterpretq_u32_u16(v);
}

static SIMD_INLINE int32x4_t nv3_s32(NV3Vec v)
{
    return vreinterpretq_s32_u16(v);
}

static SIMD_INLINE NV3Vec nv3_from_u32(uint32x4_t v)
{
    return vreinterpretq_u16_u32(v);
}

static SIMD_INLINE NV3Vec nv3_from_s32(int32x4_t v)
{
    return vreinterpretq_u16_s32(v);
}

static SIMD_INLINE NV3Vec nv3_neon_set1_epi32(int32_t n)
{
    return nv3_from_s32(vdupq_n_s32(n));
}

static SIMD_INLINE NV3Vec nv3_neon_add_epi32(NV3Vec a, NV3Vec b)
{
    return nv3_from_u32(vaddq_u32(nv3_u32(a), nv3_u32(b)));
}

static SIMD_INLINE NV3Vec nv3_neon_sub_epi32(NV3Vec a, NV3Vec b)
{
    return nv3_from_u32(vsubq_u32(nv3_u32(a), nv3_u32(b)));
}

static SIMD_INLINE NV3Vec nv3_neon_mullo_epi32(NV3Vec a, NV3Vec b)
{
    return nv3_from_u32(vmulq_u32(nv3_u32(a), nv3_u32(b)));
}

static SIMD_INLINE NV3Vec nv3_neon_min_epi32(NV3Vec a, NV3Vec b)
{
    return nv3_from_s32(vminq_s32(nv3_s32(a), nv3_s32(b)));
}

static SIMD_INLINE NV3Vec nv3_neon_max_epi32(NV3Vec a, NV3Vec b)
{
    return nv3_from_s32(vmaxq_s32(nv3_s32(a), nv3_s32(b)));
}

static SIMD_INLINE NV3Vec nv3_neon_slli_epi32(NV3Vec v, const int n)
{
    return nv3_from_u32(nv3_u32(v) << n);
}

static SIMD_INLINE NV3Vec nv3_neon_srli_epi32(NV3Vec v, const int n)
{
    return nv3_from_u32(nv3_u32(v) >> n);
}

static SIMD_INLINE NV3Vec nv3_neon_srai_epi32(NV3Vec v, const int n)
{
    return nv3_from_s32(nv3_s32(v) >> n);
}

static SIMD_INLINE NV3Vec nv3_neon_sll_epi32(NV3Vec v, NV3Shift n)
{
    return nv3_from_u32(vshlq_u32(nv3_u32(v), n));
}

/* ---- floats ---------------------------------------------------------------- */

static SIMD_INLINE NV3VecF nv3_neon_set1_ps(float f)
{
    return vdupq_n_f32(f);
}

static SIMD_INLINE NV3VecF nv3_neon_mul_ps(NV3VecF a, NV3VecF b)
{
    return vmulq_f32(a, b);
}

static SIMD_INLINE NV3VecF nv3_neon_div_ps(NV3VecF a, NV3VecF b)
{
    return vdivq_f32(a, b);
}

static SIMD_INLINE NV3VecF nv3_neon_cvtepi32_ps(NV3Vec v)
{
    return vcvtq_f32_s32(nv3_s32(v));
}

/*
 * Truncates to integers. Converts NaNs, and values that do not fit in an int32_t, to
 * INT32_MIN. x86's instruction does the same, but Arm's does not.
 */
static SIMD_INLINE NV3Vec nv3_neon_cvttps_epi32(NV3VecF f)
{
    const uint32x4_t fits = vcltq_f32(f, vdupq_n_f32(0x1p31f));

    return nv3_from_s32(vbslq_s32(fits, vcvtq_s32_f32(f), vdupq_n_s32(INT32_MIN)));
}

static SIMD_INLINE NV3VecF nv3_floor(NV3VecF f)
{
    return vrndmq_f32(f);
}

/* ---- lanes of 16 and 8 bits ------------------------------------------------ */

static SIMD_INLINE int16x8_t nv3_s16(NV3Vec v)
{
    return vreinterpretq_s16_u16(v);
}

static SIMD_INLINE uint8x16_t nv3_u8(NV3Vec v)
{
    return vreinterpretq_u8_u16(v);
}

static SIMD_INLINE NV3Vec nv3_from_s16(int16x8_t v)
{
    return vreinterpretq_u16_s16(v);
}

static SIMD_INLINE NV3Vec nv3_from_u8(uint8x16_t v)
{
    return vreinterpretq_u16_u8(v);
}

static SIMD_INLINE NV3Vec nv3_neon_set1_epi16(int16_t n)
{
    return vdupq_n_u16(n);
}

static SIMD_INLINE NV3Vec nv3_neon_setzero(void)
{
    return vdupq_n_u16(0);
}

static SIMD_INLINE NV3Vec nv3_neon_and(NV3Vec a, NV3Vec b)
{
    return vandq_u16(a, b);
}

/* Returns @b & ~@a. */
static SIMD_INLINE NV3Vec nv3_neon_andnot(NV3Vec a, NV3Vec b)
{
    return vbicq_u16(b, a);
}

static SIMD_INLINE NV3Vec nv3_neon_or(NV3Vec a, NV3Vec b)
{
    return vorrq_u16(a, b);
}

static SIMD_INLINE NV3Vec nv3_neon_xor(NV3Vec a, NV3Vec b)
{
    return veorq_u16(a, b);
}

static SIMD_INLINE NV3Vec nv3_neon_add_epi16(NV3Vec a, NV3Vec b)
{
    return vaddq_u16(a, b);
}

static SIMD_INLINE NV3Vec nv3_neon_adds_epu16(NV3Vec a, NV3Vec b)
{
    return vqaddq_u16(a, b);
}

static SIMD_INLINE NV3Vec nv3_neon_sub_epi16(NV3Vec a, NV3Vec b)
{
    return vsubq_u16(a, b);
}

static SIMD_INLINE NV3Vec nv3_neon_sub_epi8(NV3Vec a, NV3Vec b)
{
    return nv3_from_u8(vsubq_u8(nv3_u8(a), nv3_u8(b)));
}

static SIMD_INLINE NV3Vec nv3_neon_mullo_epi16(NV3Vec a, NV3Vec b)
{
    return vmulq_u16(a, b);
}

static SIMD_INLINE NV3Vec nv3_neon_mulhi_epu16(NV3Vec a, NV3Vec b)
{
    const uint32x4_t low = vmull_u16(vget_low_u16(a), vget_low_u16(b));
    const uint32x4_t high = vmull_high_u16(a, b);

    return vuzp2q_u16(nv3_from_u32(low), nv3_from_u32(high));
}

/*
 * Multiplies signed 16-bit lanes, and adds the two products in each 32-bit lane.
 */
static SIMD_INLINE NV3Vec nv3_neon_madd_epi16(NV3Vec a, NV3Vec b)
{
    const int32x4_t low = vmull_s16(vget_low_s16(nv3_s16(a)), vget_low_s16(nv3_s16(b)));
    const int32x4_t high = vmull_high_s16(nv3_s16(a), nv3_s16(b));

    return nv3_from_s32(vpaddq_s32(low, high));
}

static SIMD_INLINE NV3Vec nv3_neon_min_epi16(NV3Vec a, NV3Vec b)
{
    return nv3_from_s16(vminq_s16(nv3_s16(a), nv3_s16(b)));
}

static SIMD_INLINE NV3Vec nv3_neon_max_epi16(NV3Vec a, NV3Vec b)
{
    return nv3_from_s16(vmaxq_s16(nv3_s16(a), nv3_s16(b)));
}

static SIMD_INLINE NV3Vec nv3_neon_max_epu16(NV3Vec a, NV3Vec b)
{
    return vmaxq_u16(a, b);
}

static SIMD_INLINE NV3Vec nv3_neon_min_epu8(NV3Vec a, NV3Vec b)
{
    return nv3_from_u8(vminq_u8(nv3_u8(a), nv3_u8(b)));
}

static SIMD_INLINE NV3Vec nv3_neon_slli_epi16(NV3Vec v, const int n)
{
    return v << n;
}

static SIMD_INLINE NV3Vec nv3_neon_srli_epi16(NV3Vec v, const int n)
{
    return v >> n;
}

static SIMD_INLINE NV3Vec nv3_neon_srai_epi16(NV3Vec v, const int n)
{
    return nv3_from_s16(nv3_s16(v) >> n);
}

/* Returns the bytes of @table at the indices @index, which must be below 16. */
static SIMD_INLINE NV3Vec nv3_neon_shuffle_epi8(NV3Vec table, NV3Vec index)
{
    return nv3_from_u8(vqtbl1q_u8(nv3_u8(table), nv3_u8(index)));
}

/* ---- operations of simd.h, which also defines them for x86 ----------------- */

static SIMD_INLINE NV3Vec nv3_bcast64(int64_t v)
{
    return vreinterpretq_u16_s64(vdupq_n_s64(v));
}

static SIMD_INLINE NV3Vec nv3_eq16(NV3Vec a, NV3Vec b)
{
    return vceqq_u16(a, b);
}

static SIMD_INLINE NV3Vec nv3_gt16(NV3Vec a, NV3Vec b)
{
    return vcgtq_s16(nv3_s16(a), nv3_s16(b));
}

static SIMD_INLINE NV3Vec nv3_eq8(NV3Vec a, NV3Vec b)
{
    return nv3_from_u8(vceqq_u8(nv3_u8(a), nv3_u8(b)));
}

static SIMD_INLINE NV3Vec nv3_select(NV3Vec a, NV3Vec b, NV3Vec which)
{
    return vbslq_u16(which, b, a);
}

static SIMD_INLINE bool nv3_no_lane(NV3Vec a, NV3Vec b)
{
    return !vmaxvq_u32(nv3_u32(vandq_u16(a, b)));
}

static SIMD_INLINE NV3Vec nv3_pack32(NV3Vec a, NV3Vec b)
{
    return vqmovun_high_s32(vqmovun_s32(nv3_s32(a)), nv3_s32(b));
}

static SIMD_INLINE NV3Vec nv3_gather(const int *base, NV3Vec index)
{
    const uint32x4_t i = nv3_u32(index);
    int32x4_t v = vdupq_n_s32(base[i[0]]);

    v[1] = base[i[1]];
    v[2] = base[i[2]];
    v[3] = base[i[3]];
    return nv3_from_s32(v);
}

static SIMD_INLINE NV3Vec nv3_two(const uint32_t *a, const uint32_t *b)
{
    return nv3_from_u32(vcombine_u32(vld1_u32(a), vld1_u32(b)));
}

static SIMD_INLINE void nv3_fetch(const uint32_t *p, NV3Vec index, NV3Vec *a,
                                  NV3Vec *b)
{
    const uint32x4_t i = nv3_u32(index);

    *a = nv3_two(p + i[0], p + i[1]);
    *b = nv3_two(p + i[2], p + i[3]);
}

/* Stores the even 32-bit lanes of both vectors in @even, and the odd lanes in @odd. */
static SIMD_INLINE void nv3_unzip(NV3Vec a, NV3Vec b, NV3Vec *even, NV3Vec *odd)
{
    *even = nv3_from_u32(vuzp1q_u32(nv3_u32(a), nv3_u32(b)));
    *odd = nv3_from_u32(vuzp2q_u32(nv3_u32(a), nv3_u32(b)));
}

static SIMD_INLINE NV3Vec nv3_lanes_from(int32_t lo, int32_t hi)
{
    static const int16_t lanes[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const int16x8_t lane = vld1q_s16(lanes);

    return vandq_u16(vcgeq_s16(lane, vdupq_n_s16(lo)),
                     vcltq_s16(lane, vdupq_n_s16(hi)));
}

static SIMD_INLINE NV3Vec nv3_lanes_before(uint32_t n)
{
    return nv3_lanes_from(0, n);
}

#endif
