/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the inner loops of 2D classes (vector.h). At -O2, QEMU's optimization level,
 * GCC does not vectorise loops of unknown length, so the loops use vector types.
 */
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "2d/vector.h"
#include "chip/le.h"

/* Processes the last @bytes bytes, which are fewer than a vector has. */
static void bitwise_rest(uint8_t *p, const uint8_t *and, const uint8_t *xor,
                         size_t bytes)
{
    size_t i = 0;

    for (; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
        uint64_t d, a, x;

        memcpy(&d, p + i, sizeof(d));
        memcpy(&a, and + i, sizeof(a));
        memcpy(&x, xor + i, sizeof(x));
        d = (d & a) ^ x;
        memcpy(p + i, &d, sizeof(d));
    }
    for (; i < bytes; i++) {
        p[i] = (p[i] & and[i]) ^ xor[i];
    }
}

/*
 * With NV3_VECTOR_WORDS, the operands stay in registers, and each iteration writes four
 * vectors of @size bytes. With other periods, each iteration loads the operands of one
 * vector.
 */
#define BITWISE(name, target, size) \
    static target void name(uint8_t *p, const uint8_t *and, const uint8_t *xor, \
                         size_t bytes, size_t period) \
    { \
        typedef uint32_t Vec \
            __attribute__((vector_size(size), aligned(1), may_alias)); \
        const Vec a = *(const Vec *)and, x = *(const Vec *)xor; \
        size_t i = 0; \
        \
        if (period == NV3_VECTOR_WORDS) { \
            for (; i + 4 * size <= bytes; i += 4 * size) { \
                Vec *v = (Vec *)(p + i); \
                \
                v[0] = (v[0] & a) ^ x; \
                v[1] = (v[1] & a) ^ x; \
                v[2] = (v[2] & a) ^ x; \
                v[3] = (v[3] & a) ^ x; \
            } \
            for (; i + size <= bytes; i += size) { \
                *(Vec *)(p + i) = (*(Vec *)(p + i) & a) ^ x; \
            } \
            bitwise_rest(p + i, and, xor, bytes - i); \
            return; \
        } \
        for (size_t at = 0; i + size <= bytes; i += size) { \
            Vec *v = (Vec *)(p + i); \
            \
            *v = (*v & *(const Vec *)(and + at)) ^ *(const Vec *)(xor + at); \
            at = at + size < period ? at + size : 0; \
        } \
        bitwise_rest(p + i, and + i % period, xor + i % period, bytes - i); \
    }

static void widen_rest(uint8_t *dst, const uint8_t *src, size_t pixels, uint32_t base)
{
    for (size_t i = 0; i < pixels; i++) {
        nv3_stl(dst + i * 4, base | nv3_vector_widened(nv3_lduw(src + i * 2)));
    }
}

/*
 * Converts pixels in vectors of @size bytes. @extend converts a vector of 16-bit words to
 * a vector of 32-bit words.
 */
#define WIDEN(name, target, size, extend) \
    static target void name(uint8_t *dst, const uint8_t *src, size_t pixels, \
                         uint32_t base) \
    { \
        typedef uint32_t Vec \
            __attribute__((vector_size(size), aligned(1), may_alias)); \
        size_t i = 0; \
        \
        for (; i + size / 4 <= pixels; i += size / 4) { \
            Vec c = (Vec)extend(src + i * 2); \
            \
            *(Vec *)(dst + i * 4) = base | (c & 0x1f) << 3 | \
                                    (c & 0x3e0) << 6 | (c & 0x7c00) << 9; \
        } \
        widen_rest(dst + i * 4, src + i * 2, pixels - i, base); \
    }

BITWISE(bitwise, , 16)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static void widen(uint8_t *dst, const uint8_t *src, size_t pixels, uint32_t base)
{
    typedef uint16_t Half __attribute__((vector_size(16), aligned(1), may_alias));
    typedef uint32_t Vec __attribute__((vector_size(16), aligned(1), may_alias));
    const Half zero = { 0 };
    size_t i = 0;

    for (; i + 8 <= pixels; i += 8) {
        Half c = *(const Half *)(src + i * 2);
        Vec *to = (Vec *)(dst + i * 4);
        Vec a = (Vec)__builtin_shufflevector(c, zero, 0, 8, 1, 9, 2, 10, 3, 11);
        Vec b = (Vec)__builtin_shufflevector(c, zero, 4, 8, 5, 9, 6, 10, 7, 11);

        to[0] = base | (a & 0x1f) << 3 | (a & 0x3e0) << 6 | (a & 0x7c00) << 9;
        to[1] = base | (b & 0x1f) << 3 | (b & 0x3e0) << 6 | (b & 0x7c00) << 9;
    }
    widen_rest(dst + i * 4, src + i * 2, pixels - i, base);
}
#else
#define widen widen_rest
#endif

#if defined(__x86_64__)
#define AVX2    __attribute__((target("avx2")))
#define AVX512  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define EXTEND8(src)    _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)(src)))
#define EXTEND16(src)   _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(src)))

BITWISE(bitwise_avx2, AVX2, 32)
BITWISE(bitwise_avx512, AVX512, 64)
WIDEN(widen_avx2, AVX2, 32, EXTEND8)
WIDEN(widen_avx512, AVX512, 64, EXTEND16)
#endif

void nv3_vector_bitwise(NV3Simd simd, uint8_t *p, const uint8_t *and,
                      const uint8_t *xor, size_t bytes, size_t period)
{
    switch (simd) {
#if defined(__x86_64__)
    case NV3_SIMD_AVX512_VBMI2:
    case NV3_SIMD_AVX512:
        bitwise_avx512(p, and, xor, bytes, period);
        break;
    case NV3_SIMD_AVX2:
        bitwise_avx2(p, and, xor, bytes, period);
        break;
#endif
    default:
        bitwise(p, and, xor, bytes, period);
        break;
    }
}

void nv3_vector_widen(NV3Simd simd, uint8_t *dst, const uint8_t *src, size_t pixels,
                    uint32_t base)
{
    switch (simd) {
#if defined(__x86_64__)
    case NV3_SIMD_AVX512_VBMI2:
    case NV3_SIMD_AVX512:
        widen_avx512(dst, src, pixels, base);
        break;
    case NV3_SIMD_AVX2:
        widen_avx2(dst, src, pixels, base);
        break;
#endif
    default:
        widen(dst, src, pixels, base);
        break;
    }
}
