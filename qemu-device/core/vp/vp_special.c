/* SPDX-License-Identifier: GPL-2.0-or-later AND MIT */
/*
 * The scalar unit. It computes reciprocals by two Newton-Raphson steps from a seed
 * table. It computes exponentials and logarithms by linear interpolation in tables of
 * 32 intervals.
 *
 * The tables contain the values that envytools has measured on silicon (nvhw/xf.c). The
 * seeds are from the second version of the tables for reciprocals in xf.c. The arithmetic
 * follows xf_rcp(), xf_rsq() and the functions for EXP, LOG and LIT in the same file.
 * vp_float.h states the rules and their other sources.
 */
/*
 * The notice of envytools for nvhw/xf.c:
 *
 * Copyright (C) 2018 Marcelina Kościelnicka <mwk@0x04.net>
 * All Rights Reserved.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice (including the next
 * paragraph) shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.  IN NO EVENT SHALL
 * THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR
 * OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
 * ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR
 * OTHER DEALINGS IN THE SOFTWARE.
 */
#include "vp/vp_float.h"

/* Number of fraction bits of fixed-point numbers in EXP and of the power in LIT. */
#define EXP_FRACTION_BITS   13
/* Number of fraction bits of a logarithm. */
#define LOG_FRACTION_BITS   26

/* Seeds of 1 / m. The index is the 6 bits of m below the implicit bit. */
static const uint8_t rcp_seed[64] = {
    0x7f, 0x7d, 0x7b, 0x79, 0x78, 0x76, 0x74, 0x73,
    0x71, 0x6f, 0x6e, 0x6d, 0x6b, 0x6a, 0x68, 0x67,
    0x66, 0x65, 0x63, 0x62, 0x61, 0x60, 0x5f, 0x5e,
    0x5d, 0x5c, 0x5b, 0x5a, 0x59, 0x58, 0x57, 0x56,
    0x55, 0x54, 0x53, 0x52, 0x52, 0x51, 0x50, 0x4f,
    0x4e, 0x4e, 0x4d, 0x4c, 0x4c, 0x4b, 0x4a, 0x49,
    0x49, 0x48, 0x48, 0x47, 0x46, 0x46, 0x45, 0x45,
    0x44, 0x43, 0x43, 0x42, 0x42, 0x41, 0x41, 0x40,
};

/*
 * Seeds of 1 / sqrt(m), for m from 1 to 2 in the first half, and from 2 to 4 in the
 * second half.
 */
static const uint8_t rsq_seed[128] = {
    0x7f, 0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x7a, 0x79,
    0x78, 0x77, 0x77, 0x76, 0x75, 0x74, 0x74, 0x73,
    0x72, 0x71, 0x71, 0x70, 0x6f, 0x6f, 0x6e, 0x6d,
    0x6d, 0x6c, 0x6c, 0x6b, 0x6a, 0x6a, 0x69, 0x69,
    0x68, 0x68, 0x67, 0x67, 0x66, 0x66, 0x65, 0x65,
    0x64, 0x64, 0x63, 0x63, 0x62, 0x62, 0x61, 0x61,
    0x61, 0x60, 0x60, 0x5f, 0x5f, 0x5e, 0x5e, 0x5e,
    0x5d, 0x5d, 0x5d, 0x5c, 0x5c, 0x5b, 0x5b, 0x5b,
    0x5a, 0x59, 0x59, 0x58, 0x57, 0x57, 0x56, 0x56,
    0x55, 0x54, 0x54, 0x53, 0x53, 0x52, 0x52, 0x51,
    0x51, 0x50, 0x50, 0x4f, 0x4f, 0x4e, 0x4e, 0x4d,
    0x4d, 0x4d, 0x4c, 0x4c, 0x4b, 0x4b, 0x4a, 0x4a,
    0x4a, 0x49, 0x49, 0x49, 0x48, 0x48, 0x48, 0x47,
    0x47, 0x46, 0x46, 0x46, 0x46, 0x45, 0x45, 0x45,
    0x44, 0x44, 0x44, 0x43, 0x43, 0x43, 0x43, 0x42,
    0x42, 0x42, 0x41, 0x41, 0x41, 0x41, 0x40, 0x40,
};

/*
 * An interval of a table: the value at the interval's start, and the increase for each
 * of 256 steps.
 */
typedef struct Interval {
    uint32_t base;
    uint16_t slope;
} Interval;

/* 2^x - 1 for x from 0 to 1. */
static const Interval exp_table[32] = {
    { 0x0000, 0x167 }, { 0x0167, 0x16e }, { 0x02d5, 0x177 }, { 0x044c, 0x17f },
    { 0x05cb, 0x187 }, { 0x0752, 0x190 }, { 0x08e2, 0x199 }, { 0x0a7b, 0x1a1 },
    { 0x0c1c, 0x1ab }, { 0x0dc7, 0x1b4 }, { 0x0f7b, 0x1bd }, { 0x1138, 0x1c7 },
    { 0x12ff, 0x1d2 }, { 0x14d1, 0x1db }, { 0x16ac, 0x1e6 }, { 0x1892, 0x1f1 },
    { 0x1a83, 0x1fb }, { 0x1c7e, 0x206 }, { 0x1e84, 0x212 }, { 0x2096, 0x21e },
    { 0x22b4, 0x229 }, { 0x24dd, 0x235 }, { 0x2712, 0x242 }, { 0x2954, 0x24f },
    { 0x2ba3, 0x25b }, { 0x2dfe, 0x269 }, { 0x3067, 0x275 }, { 0x32dc, 0x285 },
    { 0x3561, 0x291 }, { 0x37f2, 0x2a1 }, { 0x3a93, 0x2b1 }, { 0x3d44, 0x2bb },
};

/* log2(1 + x) for x from 0 to 1. */
static const Interval log_table[32] = {
    { 0x00000, 0x2db6 }, { 0x02db6, 0x2c07 }, { 0x059bd, 0x2ad6 }, { 0x08493, 0x299a },
    { 0x0ae2d, 0x2879 }, { 0x0d6a6, 0x277a }, { 0x0fe20, 0x2648 }, { 0x12468, 0x2566 },
    { 0x149ce, 0x2479 }, { 0x16e47, 0x2398 }, { 0x191df, 0x22c2 }, { 0x1b4a1, 0x21f5 },
    { 0x1d696, 0x2133 }, { 0x1f7c9, 0x2076 }, { 0x2183f, 0x1fc5 }, { 0x23804, 0x1f1a },
    { 0x2571e, 0x1e74 }, { 0x27592, 0x1dd9 }, { 0x2936b, 0x1d40 }, { 0x2b0ab, 0x1caf },
    { 0x2cd5a, 0x1c22 }, { 0x2e97c, 0x1b9e }, { 0x3051a, 0x1b1b }, { 0x32035, 0x1a9e },
    { 0x33ad3, 0x1a24 }, { 0x354f7, 0x19b2 }, { 0x36ea9, 0x1940 }, { 0x387e9, 0x18d4 },
    { 0x3a0bd, 0x186b }, { 0x3b928, 0x1803 }, { 0x3d12b, 0x17aa }, { 0x3e8d5, 0x172a },
};

/* Returns the value of @table at @step (0 to 255) of @interval (0 to 31). */
static uint32_t interpolate(const Interval *table, unsigned interval, unsigned step)
{
    return (table[interval].base << 8) + table[interval].slope * step;
}

/*
 * Computes 1 / @x. Returns the exponent and sets *@fraction. Does not handle overflow,
 * underflow and special numbers.
 */
static int reciprocal(uint32_t x, uint32_t *fraction)
{
    int exponent = 2 * NV3_VP_BIAS - nv3_vp_exponent(x);
    uint64_t m, estimate;

    *fraction = 0;
    if (!(x & NV3_VP_FRACTION)) {
        return exponent;
    }
    m = (x & NV3_VP_FRACTION) | NV3_VP_IMPLICIT;
    estimate = rcp_seed[m >> 17 & 63];
    estimate = ((1ull << 31) - estimate * m) * estimate >> 24;
    estimate = ((1ull << 37) - estimate * m) * estimate >> 25;
    *fraction = estimate & NV3_VP_FRACTION;
    return exponent - 1;
}

uint32_t nv3_vp_rcp(uint32_t x)
{
    uint32_t sign = x & NV3_VP_SIGN, fraction;
    int exponent;

    if (nv3_vp_is_nan(x)) {
        return NV3_VP_NAN;
    }
    if (nv3_vp_is_zero(x)) {
        return sign | NV3_VP_INFINITY;
    }
    exponent = reciprocal(x, &fraction);
    return exponent <= 0 ? sign : sign | (uint32_t)exponent << 23 | fraction;
}

uint32_t nv3_vp_rcc(uint32_t x)
{
    const int min = NV3_VP_BIAS - 64, max = NV3_VP_BIAS + 64;
    uint32_t sign = x & NV3_VP_SIGN, fraction;
    int exponent;

    if (nv3_vp_is_nan(x)) {
        return NV3_VP_NAN;
    }
    exponent = reciprocal(x, &fraction);
    if (exponent < min) {
        exponent = min;
        fraction = 0;
    } else if (exponent >= max) {
        exponent = max;
        fraction = 0;
    }
    return sign | (uint32_t)exponent << 23 | fraction;
}

uint32_t nv3_vp_rsq(uint32_t x)
{
    uint64_t m, estimate;
    unsigned index;
    int exponent = nv3_vp_exponent(x);
    bool even = !(exponent & 1);

    if (nv3_vp_is_nan(x)) {
        return NV3_VP_NAN;
    }
    if (nv3_vp_is_zero(x)) {
        return NV3_VP_INFINITY;
    }
    if (nv3_vp_is_infinite(x)) {
        return 0;
    }

    /* If the exponent field is even, the exponent is odd, and m is from 2 to 4. */
    m = ((x & NV3_VP_FRACTION) | NV3_VP_IMPLICIT) << even;
    index = (x & NV3_VP_FRACTION) >> 17 | (even ? 64 : 0);
    estimate = rsq_seed[index];
    estimate = ((3ull << 37) - estimate * estimate * m) * estimate >> 32;
    estimate = ((3ull << 49) - estimate * estimate * m) * estimate >> 39;
    exponent = NV3_VP_BIAS - 1 - (exponent - NV3_VP_BIAS - even) / 2;
    return (uint32_t)exponent << 23 | (estimate & NV3_VP_FRACTION);
}

/*
 * Converts @x to fixed point with EXP_FRACTION_BITS fraction bits. Rounds down and
 * saturates. A NaN becomes the largest number.
 */
static int32_t to_fixed(uint32_t x)
{
    int shift = NV3_VP_BIAS + 23 - EXP_FRACTION_BITS - nv3_vp_exponent(x);
    int64_t value = (x & NV3_VP_FRACTION) | NV3_VP_IMPLICIT;

    if (nv3_vp_is_nan(x)) {
        return INT32_MAX;
    }
    if (nv3_vp_exponent(x) >= NV3_VP_BIAS + 18) {
        return x & NV3_VP_SIGN ? INT32_MIN : INT32_MAX;
    }
    /* Numbers with a very small magnitude become 0, even if they are negative. */
    if (nv3_vp_exponent(x) < NV3_VP_BIAS - 23) {
        return 0;
    }
    if (x & NV3_VP_SIGN) {
        value = -value;
    }
    return shift >= 0 ? value >> shift : value * (1 << -shift);
}

/* Returns 2^@x. @x is a fixed-point number with EXP_FRACTION_BITS fraction bits. */
static uint32_t power_of_two(int32_t x)
{
    int exponent = (x >> EXP_FRACTION_BITS) + NV3_VP_BIAS;

    if (exponent <= 0) {
        return 0;
    }
    if (exponent >= NV3_VP_EXPONENT_MAX) {
        return NV3_VP_INFINITY;
    }
    return (uint32_t)exponent << 23 |
           interpolate(exp_table, x >> 8 & 31, x & 255) << 1;
}

/* Returns @x - floor(@x), from 0 to 1. The result for tiny negative numbers is 1. */
static uint32_t fraction_of(uint32_t x)
{
    int exponent = nv3_vp_exponent(x);
    uint32_t value = (x & NV3_VP_FRACTION) | NV3_VP_IMPLICIT;
    bool negative = x & NV3_VP_SIGN;

    if (nv3_vp_is_nan(x)) {
        return x;
    }
    if (nv3_vp_is_zero(x) || exponent >= NV3_VP_BIAS + 23) {
        return 0;
    }
    if (exponent < NV3_VP_BIAS) {
        int shift = NV3_VP_BIAS - exponent;

        if (!negative) {
            return x;
        }
        if (shift > 23) {
            return NV3_VP_ONE;
        }
        /* Rounds away from zero, so that the complement below is rounded down. */
        value = (value >> shift) + ((value & ((1u << shift) - 1)) != 0);
        exponent = NV3_VP_BIAS;
    }
    if (negative) {
        value = -value;
    }
    value &= (1u << (NV3_VP_BIAS + 23 - exponent)) - 1;
    if (!value) {
        return 0;
    }
    while (!(value & NV3_VP_IMPLICIT)) {
        value <<= 1;
        exponent--;
    }
    return (uint32_t)exponent << 23 | (value & NV3_VP_FRACTION);
}

void nv3_vp_exp(uint32_t result[4], uint32_t x)
{
    int32_t fixed = to_fixed(x);

    result[0] = power_of_two(fixed & -(1 << EXP_FRACTION_BITS));
    result[1] = fraction_of(x);
    result[2] = nv3_vp_is_nan(x) ? NV3_VP_NAN : power_of_two(fixed);
    result[3] = NV3_VP_ONE;
}

/*
 * Returns log2 of the magnitude of @x as a fixed-point number with LOG_FRACTION_BITS
 * fraction bits. @x must be finite and not zero.
 */
static int64_t logarithm(uint32_t x)
{
    int64_t exponent = nv3_vp_exponent(x) - NV3_VP_BIAS;

    return exponent * (1 << LOG_FRACTION_BITS) +
           interpolate(log_table, x >> 18 & 31, x >> 10 & 255);
}

/*
 * Converts a fixed-point number with @fraction_bits fraction bits to a float, truncated.
 */
static uint32_t from_fixed(int64_t fixed, int fraction_bits)
{
    uint32_t sign = fixed < 0 ? NV3_VP_SIGN : 0;
    uint64_t value = fixed < 0 ? -fixed : fixed;
    int exponent = NV3_VP_BIAS + 23 - fraction_bits;

    if (!fixed) {
        return 0;
    }
    while (value >> 24) {
        value >>= 1;
        exponent++;
    }
    while (!(value & NV3_VP_IMPLICIT)) {
        value <<= 1;
        exponent--;
    }
    return sign | (uint32_t)exponent << 23 | (value & NV3_VP_FRACTION);
}

void nv3_vp_log(uint32_t result[4], uint32_t x)
{
    result[3] = NV3_VP_ONE;
    if (nv3_vp_is_nan(x)) {
        result[0] = result[1] = result[2] = x & ~NV3_VP_SIGN;
    } else if (nv3_vp_is_zero(x)) {
        result[0] = result[2] = NV3_VP_SIGN | NV3_VP_INFINITY;
        result[1] = NV3_VP_ONE;
    } else if (nv3_vp_is_infinite(x)) {
        result[0] = result[2] = NV3_VP_INFINITY;
        result[1] = NV3_VP_ONE;
    } else {
        result[0] = from_fixed(nv3_vp_exponent(x) - NV3_VP_BIAS, 0);
        result[1] = NV3_VP_ONE | (x & NV3_VP_FRACTION);
        result[2] = from_fixed(logarithm(x), LOG_FRACTION_BITS);
    }
}

/*
 * Returns the specular factor of LIT: @base to the power of @power. The caller handles
 * N.L <= 0 and a @power of 0.
 */
static uint32_t specular(uint32_t base, uint32_t power)
{
    const int32_t power_max = 128 << EXP_FRACTION_BITS;
    int32_t exponent = to_fixed(power);
    int64_t product;

    if (nv3_vp_is_nan(base) || nv3_vp_is_nan(power)) {
        return NV3_VP_NAN;
    }
    if (base & NV3_VP_SIGN || nv3_vp_is_zero(base)) {
        return power & NV3_VP_SIGN ? NV3_VP_INFINITY : 0;
    }
    if (nv3_vp_is_infinite(base)) {
        return power & NV3_VP_SIGN ? 0 : NV3_VP_INFINITY;
    }
    if (exponent < -power_max) {
        exponent = -power_max;
    } else if (exponent > power_max - 1) {
        exponent = power_max - 1;
    }
    product = logarithm(base) * exponent >> LOG_FRACTION_BITS;
    if (product < INT32_MIN) {
        return 0;
    }
    return product > INT32_MAX ? NV3_VP_INFINITY : power_of_two(product);
}

void nv3_vp_lit(uint32_t result[4], const uint32_t src[4])
{
    uint32_t diffuse = src[0] & NV3_VP_SIGN ? 0 : src[0];

    result[0] = NV3_VP_ONE;
    result[1] = diffuse;
    if (nv3_vp_is_zero(diffuse)) {
        result[2] = 0;
    } else if (nv3_vp_is_zero(src[3])) {
        result[2] = NV3_VP_ONE;
    } else {
        result[2] = specular(src[1], src[3]);
    }
    result[3] = NV3_VP_ONE;
}
