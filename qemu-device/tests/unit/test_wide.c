/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests 128-bit arithmetic (wide.h). The tests compare products with known values, and
 * check quotients by multiplication. If the compiler supports 128-bit integers, the tests
 * also compare products and quotients with the compiler's results.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chip/wide.h"

/* Values at which carries occur, or at which the number of 32-bit digits changes. */
static const uint64_t edges[] = {
    0, 1, 2, 3, 5, 0xffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe,
    0xffffffff, 0x100000000, 0x100000001, 0x1ffffffff, 1000000000, 65535000000000,
    0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0x80000000ffffffff,
    0xfffffffe00000000, 0xfffffffeffffffff, 0xffffffff00000000, 0xffffffff00000001,
    0xfffffffffffffffe, 0xffffffffffffffff,
};

#define EDGES   (sizeof(edges) / sizeof(edges[0]))

/* Returns a random number with a random number of bits. */
static uint64_t random_number(uint64_t *seed)
{
    uint64_t z;

    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    z = *seed ^ *seed >> 29;
    z *= 0xbf58476d1ce4e5b9;
    z ^= z >> 32;
    return z >> (*seed >> 58);
}

static void test_products(void **state)
{
    static const struct {
        uint64_t a, b, high, low;
    } known[] = {
        { 0, 0xffffffffffffffff, 0, 0 },
        { 1, 0xffffffffffffffff, 0, 0xffffffffffffffff },
        { 0xffffffffffffffff, 0xffffffffffffffff, 0xfffffffffffffffe, 1 },
        { 0x8000000000000000, 2, 1, 0 },
        { 0xffffffff, 0xffffffff, 0, 0xfffffffe00000001 },
        { 0x100000000, 0x100000000, 1, 0 },
        { 0xffffffff00000001, 0x1ffffffff, 0x1fffffffd, 0x00000002ffffffff },
        { 10000000000000000000u, 10000000000000000000u, 0x4b3b4ca85a86c47a,
          0x098a224000000000 },
    };

    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        NV3Wide n = nv3_wide_mul(known[i].a, known[i].b);

        assert_int_equal(n.high, known[i].high);
        assert_int_equal(n.low, known[i].low);
        n = nv3_wide_mul(known[i].b, known[i].a);
        assert_int_equal(n.high, known[i].high);
        assert_int_equal(n.low, known[i].low);
    }
}

static void test_sums(void **state)
{
    NV3Wide n = nv3_wide_add((NV3Wide) { 6, UINT64_MAX }, 1);

    assert_int_equal(n.high, 7);
    assert_int_equal(n.low, 0);
    n = nv3_wide_add((NV3Wide) { 6, 5 }, UINT64_MAX);
    assert_int_equal(n.high, 7);
    assert_int_equal(n.low, 4);
    n = nv3_wide_add((NV3Wide) { 6, 5 }, UINT64_MAX - 5);
    assert_int_equal(n.high, 6);
    assert_int_equal(n.low, UINT64_MAX);
}

static bool less(NV3Wide a, NV3Wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/*
 * Checks that @n is at least q * @d and less than (q + 1) * @d, where q is the quotient
 * of @n and @d.
 */
static void check_quotient(NV3Wide n, uint64_t d)
{
    const NV3Wide q = nv3_wide_div(n, d);
    const NV3Wide high = nv3_wide_mul(q.high, d);
    NV3Wide floor = nv3_wide_mul(q.low, d), next;

    assert_int_equal(high.high, 0);
    floor.high += high.low;
    assert_true(floor.high >= high.low);
    assert_false(less(n, floor));
    next = nv3_wide_add(floor, d);
    /* If the addition overflows, the exact sum is larger than @n. */
    assert_true(less(n, next) || less(next, floor));
}

static void check_numbers(uint64_t a, uint64_t b, uint64_t d)
{
    const NV3Wide n = { .high = a, .low = b };

#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 Number;
    const Number product = (Number)a * b;
    const NV3Wide mine = nv3_wide_mul(a, b);

    assert_int_equal(mine.high, (uint64_t)(product >> 64));
    assert_int_equal(mine.low, (uint64_t)product);
    if (d) {
        const Number quotient = ((Number)a << 64 | b) / d;
        const NV3Wide q = nv3_wide_div(n, d);

        assert_int_equal(q.high, (uint64_t)(quotient >> 64));
        assert_int_equal(q.low, (uint64_t)quotient);
    }
#endif
    if (d) {
        check_quotient(n, d);
    }
}

static void test_edges(void **state)
{
    for (unsigned i = 0; i < EDGES; i++) {
        for (unsigned j = 0; j < EDGES; j++) {
            for (unsigned k = 0; k < EDGES; k++) {
                check_numbers(edges[i], edges[j], edges[k]);
            }
        }
    }
}

static void test_random(void **state)
{
    uint64_t seed = 1;

    for (unsigned i = 0; i < 200000; i++) {
        const uint64_t a = random_number(&seed), b = random_number(&seed);

        check_numbers(a, b, random_number(&seed));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
