/* SPDX-License-Identifier: GPL-2.0-or-later AND MIT */
/*
 * Arithmetic of the vector unit. vp_float.h states the rules and their sources. Products
 * and sums follow envytools, nvhw/fp.c (fp32_mul()) and nvhw/xf.c (xf_sum()).
 */
/*
 * The notice of envytools for nvhw/fp.c and nvhw/xf.c:
 *
 * Copyright (C) 2016 Marcelina Kościelnicka <mwk@0x04.net>
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

/*
 * Number of guard bits: bits that a sum keeps below the last bit of the operand with
 * the largest exponent.
 */
#define SUM_GUARD_BITS      5

/* Returns the mantissa of a finite number. A denormal has no implicit bit. */
static uint32_t mantissa(uint32_t x)
{
    return (x & NV3_VP_FRACTION) | (nv3_vp_is_zero(x) ? 0 : NV3_VP_IMPLICIT);
}

/*
 * Packs a float with the mantissa @value. Bit 23 of @value must be set, and all higher
 * bits must be 0.
 */
static uint32_t pack(uint32_t sign, int exponent, uint32_t value)
{
    if (exponent <= 0) {
        return sign;
    }
    if (exponent >= NV3_VP_EXPONENT_MAX) {
        return sign | NV3_VP_LARGEST;
    }
    return sign | (uint32_t)exponent << 23 | (value & NV3_VP_FRACTION);
}

uint32_t nv3_vp_mul(uint32_t a, uint32_t b)
{
    uint32_t sign = (a ^ b) & NV3_VP_SIGN;
    uint64_t product;
    int exponent;

    if (nv3_vp_is_zero(a) || nv3_vp_is_zero(b)) {
        return 0;
    }
    if (nv3_vp_is_nan(a) || nv3_vp_is_nan(b)) {
        return NV3_VP_NAN;
    }
    if (nv3_vp_is_infinite(a) || nv3_vp_is_infinite(b)) {
        return sign | NV3_VP_INFINITY;
    }

    product = (uint64_t)mantissa(a) * mantissa(b);
    exponent = nv3_vp_exponent(a) + nv3_vp_exponent(b) - NV3_VP_BIAS;
    if (product >> 47) {
        product >>= 1;
        exponent++;
    }
    return pack(sign, exponent, product >> 23);
}

/*
 * If an operand is an infinity or a NaN, sets *@result to the sum and returns true.
 * Returns false if all operands are finite.
 */
static bool special_sum(const uint32_t *v, int count, uint32_t *result)
{
    bool positive = false, negative = false;

    for (int i = 0; i < count; i++) {
        if (nv3_vp_is_nan(v[i])) {
            *result = NV3_VP_NAN;
            return true;
        }
        if (nv3_vp_is_infinite(v[i])) {
            *(v[i] & NV3_VP_SIGN ? &negative : &positive) = true;
        }
    }
    if (positive && negative) {
        *result = NV3_VP_NAN;
    } else {
        *result = NV3_VP_INFINITY | (negative ? NV3_VP_SIGN : 0);
    }
    return positive || negative;
}

uint32_t nv3_vp_sum(const uint32_t *v, int count)
{
    uint32_t sign = 0, result;
    uint64_t magnitude;
    int64_t total = 0;
    int largest = 0, exponent;

    if (special_sum(v, count, &result)) {
        return result;
    }

    for (int i = 0; i < count; i++) {
        if (nv3_vp_exponent(v[i]) > largest) {
            largest = nv3_vp_exponent(v[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        int shift = largest - nv3_vp_exponent(v[i]);
        int64_t aligned = (uint64_t)mantissa(v[i]) << SUM_GUARD_BITS;

        aligned = shift < 63 ? aligned >> shift : 0;
        total += v[i] & NV3_VP_SIGN ? -aligned : aligned;
    }
    if (total == 0) {
        return 0;
    }

    if (total < 0) {
        sign = NV3_VP_SIGN;
    }
    magnitude = total < 0 ? -total : total;
    /* The implicit bit of the largest operand is bit 23 + SUM_GUARD_BITS. */
    exponent = largest - SUM_GUARD_BITS;
    while (magnitude >> 24) {
        magnitude >>= 1;
        exponent++;
    }
    while (!(magnitude & NV3_VP_IMPLICIT)) {
        magnitude <<= 1;
        exponent--;
    }
    return pack(sign, exponent, magnitude);
}

bool nv3_vp_less(uint32_t a, uint32_t b)
{
    int32_t x = a & NV3_VP_SIGN ? (int32_t)(a ^ ~NV3_VP_SIGN) : (int32_t)a;
    int32_t y = b & NV3_VP_SIGN ? (int32_t)(b ^ ~NV3_VP_SIGN) : (int32_t)b;

    return x < y;
}

int nv3_vp_address(uint32_t x)
{
    const uint32_t offset = 0x3a83126f;     /* 0.001 */
    uint32_t sum = nv3_vp_sum((uint32_t[]) { x, offset }, 2);
    int shift = NV3_VP_BIAS + 23 - nv3_vp_exponent(sum);
    uint32_t value, below;

    if (nv3_vp_is_nan(sum)) {
        return 0;
    }
    if (nv3_vp_exponent(sum) >= NV3_VP_BIAS + 15) {
        return sum & NV3_VP_SIGN ? INT16_MIN : INT16_MAX;
    }
    if (shift > 24) {
        shift = 24;
    }
    value = mantissa(sum) >> shift;
    below = mantissa(sum) & ((1u << shift) - 1);
    return sum & NV3_VP_SIGN ? -(int)value - (below != 0) : (int)value;
}
