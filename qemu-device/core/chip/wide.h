/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unsigned 128-bit numbers for computing times. Compilers for 32-bit hosts have no
 * __int128. PTIMER needs only products of 64-bit numbers, sums, and division by 64-bit
 * numbers.
 */
#ifndef NV3_WIDE_H
#define NV3_WIDE_H

#include <stdint.h>

typedef struct NV3Wide {
    uint64_t high, low;
} NV3Wide;

static inline NV3Wide nv3_wide_mul(uint64_t a, uint64_t b)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    /* Neither sum overflows: (2^32 - 1)^2 + 2 * (2^32 - 1) = 2^64 - 1. */
    const uint64_t first = a1 * b0 + (a0 * b0 >> 32);
    const uint64_t second = a0 * b1 + (uint32_t)first;

    return (NV3Wide) {
        .high = a1 * b1 + (first >> 32) + (second >> 32),
        .low = second << 32 | (uint32_t)(a0 * b0),
    };
}

/* The sum is modulo 2^128. */
static inline NV3Wide nv3_wide_add(NV3Wide n, uint64_t m)
{
    n.low += m;
    n.high += n.low < m;
    return n;
}

/*
 * Computes one 32-bit digit of a long division. The dividend is @rem followed by the 32
 * bits of @next, and the divisor is @d. @rem is less than @d, and the top bit of @d is
 * set. Returns the digit and replaces @rem with the remainder. q starts as an estimate
 * from the upper half of @d. This estimate exceeds the digit by at most 2 (Knuth, The Art
 * of Computer Programming, volume 2, 4.3.1, theorem B).
 */
static inline uint32_t nv3_wide_digit(uint64_t *rem, uint32_t next, uint64_t d)
{
    const uint64_t d1 = d >> 32, d0 = (uint32_t)d;
    uint64_t q = *rem / d1, r = *rem % d1;

    while (q >> 32 || q * d0 > (r << 32 | next)) {
        q--;
        r += d1;
        if (r >> 32) {
            break;
        }
    }
    *rem = (*rem << 32 | next) - q * d;
    return q;
}

/* Returns @n / @d, rounded down. @d must not be 0. */
static inline NV3Wide nv3_wide_div(NV3Wide n, uint64_t d)
{
    const unsigned shift = __builtin_clzll(d);
    NV3Wide q = { .high = n.high / d };
    uint64_t rem = n.high % d;

    /* Shift the divisor's top bit to bit 63. The quotient does not change. */
    if (shift) {
        rem = rem << shift | n.low >> (64 - shift);
        n.low <<= shift;
        d <<= shift;
    }
    q.low = (uint64_t)nv3_wide_digit(&rem, n.low >> 32, d) << 32;
    q.low |= nv3_wide_digit(&rem, n.low, d);
    return q;
}

#endif
