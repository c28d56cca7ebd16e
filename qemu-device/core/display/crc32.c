/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the CRC-32 of IEEE 802.3 for pictures. A frame has several megabytes of
 * pixels, so the computation must be fast. The portable code processes eight bytes per
 * step, with a table for each of the eight positions. On CPUs with carry-less
 * multiplication, each step folds 64 bytes onto the next 64 bytes (V. Gopal and others,
 * "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel
 * 2009).
 */
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "display/display.h"

#define POLYNOMIAL  0xedb88320u
#define STEP        8

/* table[n][b] is the CRC of byte b followed by n zero bytes, without inversions. */
static uint32_t table[STEP][256];

static void __attribute__((constructor)) init_table(void)
{
    unsigned i, n;

    for (i = 0; i < 256; i++) {
        uint32_t crc = i;

        for (n = 0; n < 8; n++) {
            crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        }
        table[0][i] = crc;
    }
    for (n = 1; n < STEP; n++) {
        for (i = 0; i < 256; i++) {
            uint32_t crc = table[n - 1][i];

            table[n][i] = crc >> 8 ^ table[0][crc & 0xff];
        }
    }
}

#if defined(__x86_64__)
/* Minimum length in bytes of data that is folded. */
#define FOLD_MIN    128

/*
 * Multipliers for the two halves of a vector register: powers of x modulo the polynomial,
 * with reversed bits. They fold the register by a distance of 512 or 128 bits.
 */
#define FOLD_512    _mm_set_epi64x(0x1c6e41596, 0x154442bd4)
#define FOLD_128    _mm_set_epi64x(0x0ccaa009e, 0x1751997d0)

static inline __attribute__((target("pclmul,sse2"), always_inline))
__m128i fold(__m128i a, __m128i by, __m128i next)
{
    return _mm_xor_si128(next,
                         _mm_xor_si128(_mm_clmulepi64_si128(a, by, 0x00),
                                       _mm_clmulepi64_si128(a, by, 0x11)));
}

/*
 * Reduces the beginning of @data to 16 bytes, and stores them in @out. @len must be at
 * least FOLD_MIN. Returns the number of bytes that @out replaces, which is a multiple of
 * 64. The CRC of @out with initial value 0 equals the CRC of these bytes with initial
 * value @crc.
 */
static __attribute__((target("pclmul,sse2")))
size_t fold_all(uint32_t crc, const uint8_t *data, size_t len, uint8_t out[16])
{
    const __m128i by_512 = FOLD_512;
    const __m128i by_128 = FOLD_128;
    const __m128i *p = (const __m128i *)data;
    size_t blocks = len / 64 - 1;
    __m128i a = _mm_loadu_si128(p), b = _mm_loadu_si128(p + 1);
    __m128i c = _mm_loadu_si128(p + 2), d = _mm_loadu_si128(p + 3);

    a = _mm_xor_si128(a, _mm_cvtsi32_si128(crc));
    for (; blocks; blocks--) {
        p += 4;
        a = fold(a, by_512, _mm_loadu_si128(p));
        b = fold(b, by_512, _mm_loadu_si128(p + 1));
        c = fold(c, by_512, _mm_loadu_si128(p + 2));
        d = fold(d, by_512, _mm_loadu_si128(p + 3));
    }
    b = fold(a, by_128, b);
    c = fold(b, by_128, c);
    d = fold(c, by_128, d);
    _mm_storeu_si128((__m128i *)out, d);
    return len / 64 * 64;
}

static bool can_fold(void)
{
    return __builtin_cpu_supports("pclmul");
}
#endif

/* Computes the CRC with the tables. @crc and the result are inverted. */
static uint32_t by_table(uint32_t crc, const uint8_t *p, size_t len)
{
    for (; len >= STEP; len -= STEP, p += STEP) {
        crc = table[7][p[0] ^ (crc & 0xff)] ^
              table[6][p[1] ^ (crc >> 8 & 0xff)] ^
              table[5][p[2] ^ (crc >> 16 & 0xff)] ^
              table[4][p[3] ^ crc >> 24] ^
              table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
    }
    while (len--) {
        crc = crc >> 8 ^ table[0][(crc ^ *p++) & 0xff];
    }
    return crc;
}

uint32_t nv3_crc32(uint32_t crc, const void *data, size_t len)
{
    const uint8_t *p = data;

    crc = ~crc;
#if defined(__x86_64__)
    if (len >= FOLD_MIN && can_fold()) {
        uint8_t rest[16];
        size_t done = fold_all(crc, p, len, rest);

        crc = by_table(0, rest, sizeof(rest));
        p += done;
        len -= done;
    }
#endif
    return ~by_table(crc, p, len);
}
