/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the order of clears and draws of class 0x1F. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "programs_scene.h"

#define R5G6B5      3
#define A8R8G8B8    8
#define STEPS       60

static void draw_some(void)
{
    const unsigned vertices = 3 + random_bits() % 10 * 3;

    m(NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    for (unsigned i = 0; i < vertices; i++) {
        m(NV3_PM_ARRAY_ELEMENT32, random_bits() % VERTICES);
    }
    m(NV3_PM_BEGIN_END, 0);
}

/* Clears random channels of a random rectangle, which may be empty. */
static void clear_some(void)
{
    const unsigned x = random_bits() % SIZE, y = random_bits() % SIZE;

    m(NV3_PM_CLEAR_RECT_HORIZONTAL, x | (random_bits() % (2 * SIZE)) << 16);
    m(NV3_PM_CLEAR_RECT_VERTICAL, y | (random_bits() % (2 * SIZE)) << 16);
    m(NV3_PM_COLOR_CLEAR_VALUE, random_bits());
    m(NV3_PM_ZSTENCIL_CLEAR_VALUE, random_bits());
    m(NV3_PM_CLEAR_SURFACE, random_bits() &
      (NV3_PM_CLEAR_COLORS | NV3_PM_CLEAR_Z | NV3_PM_CLEAR_STENCIL));
}

/* Changes the targets. The new targets are in the memory of the old ones. */
static void change_targets(void)
{
    const bool narrow = random_bits() % 2, swapped = random_bits() % 2;
    const uint32_t pitch = random_bits() % 2 ? SIZE * 4 : SIZE * 2;

    m(NV3_PM_SURFACE_FORMAT, (narrow ? R5G6B5 : A8R8G8B8) |
      (narrow ? 1 : 2) << NV3_PM_FORMAT_ZETA_SHIFT | 1 << NV3_PM_FORMAT_TYPE_SHIFT);
    m(NV3_PM_SURFACE_PITCH, narrow ? pitch | pitch << 16 : SIZE * 4 | SIZE * 4 << 16);
    m(NV3_PM_SURFACE_COLOR_OFFSET, swapped ? ZETA : COLOR);
    m(NV3_PM_SURFACE_ZETA_OFFSET, swapped ? COLOR : ZETA);
}

/*
 * Records random draws and clears. If @waits is true, each is finished before the next
 * one.
 */
static void clear_scene(uint32_t seed, bool waits)
{
    begin_scene();
    random_seed = seed;
    put_random_vertices();
    m(NV3_PM_DEPTH_TEST_ENABLE, 1);
    for (unsigned i = 0; i < STEPS; i++) {
        switch (random_bits() % 8) {
        case 0:
            change_targets();
            break;
        case 1:
        case 2:
        case 3:
            clear_some();
            break;
        default:
            draw_some();
            break;
        }
        if (waits) {
            m(NV3_PM_WAIT_FOR_IDLE, 0);
        }
    }
}

static void test_order(void **state)
{
    for (unsigned round = 0; round < 50; round++) {
        const uint32_t seed = random_bits();

        clear_scene(seed, true);
        run(1, NEVER);
        keep();
        for (unsigned threads = 1; threads <= 2; threads++) {
            clear_scene(seed, false);
            run(threads, threads == 1 ? NEVER : call_count / 2);
            assert_kept();
        }
        random_seed = seed + 1;
    }
}

/* More clears than fit into a batch. */
static void test_many(void **state)
{
    begin_scene();
    for (unsigned i = 0; i < 100; i++) {
        m(NV3_PM_CLEAR_RECT_HORIZONTAL, i | i << 16);
        m(NV3_PM_CLEAR_RECT_VERTICAL, (SIZE - 1) << 16);
        m(NV3_PM_COLOR_CLEAR_VALUE, i);
        m(NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS);
    }
    run(2, NEVER);
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(pixel(i, 0), i);
        assert_int_equal(pixel(i, SIZE - 1), i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
