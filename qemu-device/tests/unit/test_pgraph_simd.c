/* SPDX-License-Identifier: MIT */
/* Compares the loops of 2d/vector.h at each SIMD level with simple loops over bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip/le.h"
#include "2d/vector.h"

#define MAX     1000
#define MARGIN  64
#define PERIOD  256
#define ROUNDS  20000

/* xorshift64 */
static uint64_t random_word(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void random_bytes(uint8_t *p, size_t n, uint64_t *seed)
{
    while (n--) {
        *p++ = random_word(seed) >> 32;
    }
}

/*
 * Fails unless @got equals @want. The buffers include guard bytes before and after the
 * written bytes.
 */
static void assert_written(const uint8_t *got, const uint8_t *want, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (got[i] != want[i]) {
            fail_msg("byte %zu is 0x%02x, not 0x%02x", i, got[i], want[i]);
        }
    }
}

static void bitwise_at(NV3Simd simd)
{
    uint64_t seed = 1 + simd;

    if (!nv3_simd_available(simd)) {
        return;
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        static const size_t periods[] = { NV3_VECTOR_WORDS, 64, 128, 256 };
        const size_t period = periods[random_word(&seed) % 4];
        const size_t length = period ? period : 4;
        const size_t bytes = random_word(&seed) % (i & 1 ? MAX : 150);
        const size_t from = random_word(&seed) % MARGIN;
        uint8_t and[2 * PERIOD], xor[2 * PERIOD];
        uint8_t got[MAX + 2 * MARGIN], want[MAX + 2 * MARGIN];

        random_bytes(and, PERIOD, &seed);
        random_bytes(xor, PERIOD, &seed);
        for (size_t j = length; j < sizeof(and); j++) {
            and[j] = and[j - length];
            xor[j] = xor[j - length];
        }
        random_bytes(got, sizeof(got), &seed);
        memcpy(want, got, sizeof(want));
        for (size_t j = 0; j < bytes; j++) {
            want[from + j] = (want[from + j] & and[j % length]) ^ xor[j % length];
        }
        nv3_vector_bitwise(simd, got + from, and, xor, bytes, period);
        assert_written(got, want, sizeof(got));
    }
}

static void widen_at(NV3Simd simd)
{
    uint64_t seed = 1 + simd;

    if (!nv3_simd_available(simd)) {
        return;
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint32_t base = random_word(&seed);
        const size_t pixels = random_word(&seed) % (i & 1 ? MAX / 4 : 20);
        const size_t from = random_word(&seed) % MARGIN;
        uint8_t src[MAX], got[MAX + 2 * MARGIN], want[MAX + 2 * MARGIN];

        random_bytes(src, sizeof(src), &seed);
        random_bytes(got, sizeof(got), &seed);
        memcpy(want, got, sizeof(want));
        for (size_t j = 0; j < pixels; j++) {
            uint32_t c = nv3_lduw(src + from + j * 2);

            nv3_stl(want + from + j * 4, base | (c & 31) << 3 | (c >> 5 & 31) << 11 |
                    (c >> 10 & 31) << 19);
        }
        nv3_vector_widen(simd, got + from, src + from, pixels, base);
        assert_written(got, want, sizeof(got));
    }
}

static void test_bitwise(void **state)
{
    for (NV3Simd simd = NV3_SIMD_SCALAR; simd < NV3_SIMD_COUNT; simd++) {
        bitwise_at(simd);
    }
}

static void test_widen(void **state)
{
    for (NV3Simd simd = NV3_SIMD_SCALAR; simd < NV3_SIMD_COUNT; simd++) {
        widen_at(simd);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bitwise),
        cmocka_unit_test(test_widen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
