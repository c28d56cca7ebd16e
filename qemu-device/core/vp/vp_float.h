/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic of the vertex engine, bit for bit, on 32-bit patterns.
 *
 * The engine's number format is IEEE 754 binary32 without denormals: an operand whose
 * exponent field is 0 is a zero. Results are truncated, an overflow gives the largest
 * finite number, and 0 times anything is +0. A NaN result is always NV3_VP_NAN.
 *
 * Source of every rule here: envytools, nvhw/fp.c and nvhw/xf.c as hwtest/xf.cc checks
 * them against NV20 cards; "A User-Programmable Vertex Engine" (Lindholm et al., 2001),
 * sections 3.7.3 and 4.3.
 *
 * The functions have no state and accept every bit pattern.
 */
#ifndef NV3_VP_FLOAT_H
#define NV3_VP_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

#define NV3_VP_SIGN         0x80000000u
#define NV3_VP_ONE          0x3f800000u
#define NV3_VP_INFINITY     0x7f800000u
#define NV3_VP_LARGEST      0x7f7fffffu     /* largest finite number */
#define NV3_VP_NAN          0x7fffffffu     /* the only NaN that results have */

#define NV3_VP_FRACTION     0x007fffffu
#define NV3_VP_IMPLICIT     0x00800000u
#define NV3_VP_BIAS         127
#define NV3_VP_EXPONENT_MAX 255             /* infinities and NaNs */

static inline int nv3_vp_exponent(uint32_t x)
{
    return x >> 23 & 0xff;
}

static inline bool nv3_vp_is_zero(uint32_t x)
{
    return nv3_vp_exponent(x) == 0;
}

static inline bool nv3_vp_is_infinite(uint32_t x)
{
    return (x & ~NV3_VP_SIGN) == NV3_VP_INFINITY;
}

static inline bool nv3_vp_is_nan(uint32_t x)
{
    return (x & ~NV3_VP_SIGN) > NV3_VP_INFINITY;
}

/* Vector unit. */
uint32_t nv3_vp_mul(uint32_t a, uint32_t b);
/*
 * Returns the sum of @count (2 to 4) numbers, which are aligned, truncated and added in
 * one step.
 */
uint32_t nv3_vp_sum(const uint32_t *v, int count);
/*
 * Orders bit patterns by sign and magnitude, including NaNs and -0 < +0. Returns true
 * if @a is before @b.
 */
bool nv3_vp_less(uint32_t a, uint32_t b);

/* Scalar unit: one number in, one number out. */
uint32_t nv3_vp_rcp(uint32_t x);
/*
 * Returns the reciprocal, with its magnitude clamped to 2^-64 ... 2^64 (exponent field
 * 0x3f ... 0xbf).
 */
uint32_t nv3_vp_rcc(uint32_t x);
/* Reciprocal square root of the magnitude. */
uint32_t nv3_vp_rsq(uint32_t x);

/* Scalar unit: four results. */
void nv3_vp_exp(uint32_t result[4], uint32_t x);
void nv3_vp_log(uint32_t result[4], uint32_t x);
/*
 * Rankine's scalar operations, within 2^-22 of the result's magnitude (SIN and COS: of
 * 1, for operands up to 2^20). LG2 uses the magnitude of its operand. The accuracy of
 * Rankine is unknown. The functions compute in double, so results are the same on every
 * host.
 */
uint32_t nv3_vp_lg2(uint32_t x);
uint32_t nv3_vp_ex2(uint32_t x);
uint32_t nv3_vp_sin(uint32_t x);
uint32_t nv3_vp_cos(uint32_t x);
/* Rankine's FLR. */
uint32_t nv3_vp_floor(uint32_t x);
uint32_t nv3_vp_fraction(uint32_t x);

/* @src: N.L, N.H, unused, power. */
void nv3_vp_lit(uint32_t result[4], const uint32_t src[4]);

/*
 * Returns the value that ARL loads: floor(@x + 0.001), between -32768 and 32767; 0 for
 * a NaN. The offset is that of the Xbox programming model (xemu,
 * hw/xbox/nv2a/pgraph/glsl/vsh-prog.c). The number of bits in silicon is unknown and
 * has no visible effect, because constants have 8-bit addresses.
 */
int nv3_vp_address(uint32_t x);

#endif
