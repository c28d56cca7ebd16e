/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inner loops of 2D classes, compiled once for each vector width. The results are the
 * same at every SIMD level.
 */
#ifndef NV3_2D_VECTOR_H
#define NV3_2D_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#include "api/nv3.h"

/* The size in bytes of the widest vector of any SIMD level. */
#define NV3_VECTOR_BYTES  64

/*
 * Computes p[i] = (p[i] & and[i % @period]) ^ xor[i % @period] for @bytes bytes. @period
 * is a multiple of NV3_VECTOR_BYTES. If all 32-bit words of each operand are equal,
 * callers can instead pass NV3_VECTOR_WORDS as @period, and operands of NV3_VECTOR_BYTES
 * bytes.
 */
#define NV3_VECTOR_WORDS  0

void nv3_vector_bitwise(NV3Simd simd, uint8_t *p, const uint8_t *and,
                      const uint8_t *xor, size_t bytes, size_t period);

/*
 * Converts an R5G5B5 pixel to X8R8G8B8, with the low three bits of each component clear.
 * Drops the top bit of the source.
 */
static inline uint32_t nv3_vector_widened(uint32_t c)
{
    return (c & 0x1f) << 3 | (c & 0x3e0) << 6 | (c & 0x7c00) << 9;
}

/*
 * Converts @pixels pixels like nv3_vector_widened(), and sets the bits of @base in each
 * result.
 */
void nv3_vector_widen(NV3Simd simd, uint8_t *dst, const uint8_t *src, size_t pixels,
                    uint32_t base);

#endif
