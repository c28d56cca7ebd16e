/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bit-exact arithmetic of the vertex engine. Numbers are 32-bit patterns.
 *
 * The number format is IEEE 754 binary32 without denormals: an operand whose exponent
 * field is 0 counts as 0. Results are truncated, and an overflow returns the largest
 * finite number. 0 times anything is +0. A NaN result is always NV3_VP_NAN.
 *
 * The rules are from envytools, nvhw/fp.c and nvhw/xf.c, which hwtest/xf.cc compares
 * with NV20 cards. Other sources are sections 3.7.3 and 4.3 of "A User-Programmable
 * Vertex Engine" (Lindholm et al., 2001).
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
#define NV3_VP_NAN          0x7fffffffu     /* the only NaN that functions return */

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
 * Returns the sum of @count (2 to 4) numbers. All numbers are aligned to the largest
 * exponent, truncated, and added in one step.
 */
uint32_t nv3_vp_sum(const uint32_t *v, int count);
/*
 * Compares bit patterns as sign-magnitude integers: returns true if @a is less than @b.
 * This order includes NaNs, and -0 is less than +0.
 */
bool nv3_vp_less(uint32_t a, uint32_t b);

/* Scalar unit: operations with one operand and one result. */
uint32_t nv3_vp_rcp(uint32_t x);
/*
 * Returns the reciprocal of @x. The magnitude of the result is clamped to [2^-64, 2^64]
 * (exponent field 0x3f to 0xbf).
 */
uint32_t nv3_vp_rcc(uint32_t x);
/* Returns the reciprocal of the square root of the magnitude of @x. */
uint32_t nv3_vp_rsq(uint32_t x);

/* Scalar unit: four results. */
void nv3_vp_exp(uint32_t result[4], uint32_t x);
void nv3_vp_log(uint32_t result[4], uint32_t x);
/*
 * The scalar operations that Rankine adds. The relative error of LG2 and EX2 is at most
 * 2^-22. The absolute error of SIN and COS is at most 2^-22 if the operand's magnitude is
 * at most 2^20. LG2 ignores the sign of its operand. The accuracy of Rankine is unknown.
 * The functions compute in doubles, so results are the same on every host.
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
 * Returns the value that ARL loads: floor(@x + 0.001), clamped to the range from -32768
 * to 32767, or 0 if @x is a NaN. The offset 0.001 is from the Xbox programming model
 * (xemu, hw/xbox/nv2a/pgraph/glsl/vsh-prog.c). The width of A0 in silicon is unknown, but
 * has no visible effect, because the index of a constant has at most 9 bits.
 */
int nv3_vp_address(uint32_t x);

#endif
