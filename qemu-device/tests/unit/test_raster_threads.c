/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pool of raster threads must draw exactly the same pixels as one thread, for any
 * number of threads and any SIMD level. The pool must reject surfaces that cannot be
 * divided into tiles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nv3_class.h"
#include "raster_rig.h"
#include "raster/threads.h"

#define WIDTH   400     /* several tiles; the last one is incomplete */
#define HEIGHT  150
#define LEVEL   5

static const NV3Rect all = { 0, 0, WIDTH, HEIGHT };

static void random_state(RasterRig *rig, uint64_t *seed)
{
    rig->st.config = rig_random(seed) & 0xf77fbdf3;
    rig->st.config &= ~(7u << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT);
    rig->st.config |= rig_range(seed, 1, 4) << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT;
    rig->st.alpha = rig_range(seed, 0, 1) ? NV3_D3D_CMP_ALWAYS << 8 :
                                            rig_random(seed) & 0xfff;
    rig->st.fog_color = rig_random(seed) & 0xffffff;
    rig->st.dither = rig_range(seed, 0, 1);
    rig_format(rig, rig_range(seed, 0, 3), LEVEL, LEVEL);
    nv3_raster_prepare(&rig->st);
}

static void random_triangle(NV3RasterVertex v[3], uint64_t *seed)
{
    static const int sizes[4] = { 60, 400, 3000, 30000 };
    int size = sizes[rig_range(seed, 0, 3)];
    int cx = rig_range(seed, 0, WIDTH * 16), cy = rig_range(seed, 0, HEIGHT * 16);

    for (unsigned i = 0; i < 3; i++) {
        int x = cx + rig_range(seed, -size, size);
        int y = cy + rig_range(seed, -size, size);

        v[i] = (NV3RasterVertex) {
            .x = x < -32768 ? -32768 : x > 32767 ? 32767 : x,
            .y = y < -32768 ? -32768 : y > 32767 ? 32767 : y,
            .u = rig_random(seed), .v = rig_random(seed),
            .z = rig_random(seed) & 0xffffff,
            .m = rig_rhw(1.0f / rig_range(seed, 1, 20)),
            .r = rig_random(seed), .g = rig_random(seed), .b = rig_random(seed),
            .a = rig_random(seed) & 0x7f, .fog = rig_random(seed),
        };
    }
}

/*
 * Draws the same triangles directly on @a, and with @pool on @b. A batch of the pool has
 * no room for all of the triangles and states.
 */
static void draw_both(RasterRig *a, RasterRig *b, NV3RasterPool *pool,
                      uint64_t *seed)
{
    uint64_t direct = 0, pooled = 0;

    for (unsigned i = 0; i < 40; i++) {
        unsigned count = rig_range(seed, 1, i == 20 ? 700 : 30);
        uint64_t same = *seed;

        random_state(a, seed);
        random_state(b, &same);
        for (unsigned j = 0; j < count; j++) {
            const NV3Rect rect = {
                rig_range(seed, 0, 50), rig_range(seed, 0, 20),
                rig_range(seed, WIDTH / 2, WIDTH), rig_range(seed, 30, HEIGHT),
            };
            NV3RasterVertex v[3];
            NV3RasterTri tri;

            random_triangle(v, seed);
            if (!nv3_raster_setup(&a->st, &v[0], &v[1], &v[2], &tri)) {
                continue;
            }
            direct += nv3_raster_draw(&a->st, &tri, &rect);
            assert_true(nv3_raster_setup(&b->st, &v[0], &v[1], &v[2], &tri));
            nv3_raster_pool_push(pool, &b->st, &tri, &rect);
        }
        if (rig_range(seed, 0, 3) == 0) {
            pooled += nv3_raster_pool_join(pool);
            assert_int_equal(direct, pooled);
            assert_memory_equal(a->color, b->color, a->st.color.size);
        }
    }
    pooled += nv3_raster_pool_join(pool);
    assert_int_equal(direct, pooled);
    assert_true(direct > 100000);
    assert_memory_equal(a->color, b->color, a->st.color.size);
    assert_memory_equal(a->zeta, b->zeta, a->st.zeta.size);
}

static void threads_draw_the_same(NV3Simd simd)
{
    static const unsigned threads[] = { 1, 2, 3, 8, NV3_RASTER_THREADS_MAX };
    RasterRig a, b;

    if (!nv3_simd_available(simd)) {
        skip();
    }
    for (unsigned i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        NV3RasterPool *pool = nv3_raster_pool_new(threads[i]);
        uint64_t seed = 100 * simd + i, same = seed;

        assert_non_null(pool);
        rig_init(&a, WIDTH, HEIGHT);
        rig_init(&b, WIDTH, HEIGHT);
        a.st.simd = NV3_SIMD_SCALAR;
        b.st.simd = simd;
        rig_texture_random(&a, LEVEL, &seed);
        rig_texture_random(&b, LEVEL, &same);
        assert_true(nv3_raster_pool_can(&b.st, &all));
        draw_both(&a, &b, pool, &seed);
        nv3_raster_pool_free(pool);
        rig_free(&a);
        rig_free(&b);
    }
}

RIG_EACH_ISA(test, threads_draw_the_same)

/*
 * If the surfaces change, the pool must still draw the triangles in its batch to their
 * previous surfaces.
 */
static void test_surfaces_change(void **state)
{
    NV3RasterPool *pool = nv3_raster_pool_new(2);
    RasterRig rig[2], direct[2];
    uint64_t seed = 7;

    for (unsigned i = 0; i < 2; i++) {
        rig_init(&rig[i], WIDTH, HEIGHT);
        rig_init(&direct[i], WIDTH, HEIGHT);
        nv3_raster_prepare(&rig[i].st);
        nv3_raster_prepare(&direct[i].st);
    }
    for (unsigned i = 0; i < 200; i++) {
        NV3RasterVertex v[3];
        NV3RasterTri tri;

        random_triangle(v, &seed);
        if (nv3_raster_setup(&rig[i & 1].st, &v[0], &v[1], &v[2], &tri)) {
            nv3_raster_pool_push(pool, &rig[i & 1].st, &tri, &all);
        }
        rig_draw(&direct[i & 1], v);
    }
    nv3_raster_pool_join(pool);
    for (unsigned i = 0; i < 2; i++) {
        assert_memory_equal(rig[i].color, direct[i].color, rig[i].st.color.size);
        assert_memory_equal(rig[i].zeta, direct[i].zeta, rig[i].st.zeta.size);
        rig_free(&rig[i]);
        rig_free(&direct[i]);
    }
    nv3_raster_pool_free(pool);
}

/*
 * The pool must reject invalid rectangles, and surfaces on which pixels of different
 * tiles share memory.
 */
static void test_what_can_not(void **state)
{
    const NV3Rect none = { 0, 0, 0, 0 }, left = { -1, 0, 10, 10 };
    RasterRig rig;
    NV3RasterState st;

    rig_init(&rig, WIDTH, HEIGHT);
    nv3_raster_prepare(&rig.st);
    assert_true(nv3_raster_pool_can(&rig.st, &all));
    assert_false(nv3_raster_pool_can(&rig.st, &none));
    assert_false(nv3_raster_pool_can(&rig.st, &left));
    st = rig.st;
    st.color.pitch = WIDTH * 2 - 16;
    assert_false(nv3_raster_pool_can(&st, &all));
    st = rig.st;
    st.zeta.pitch = 0;
    assert_false(nv3_raster_pool_can(&st, &all));
    st.zeta.base = NULL;
    assert_true(nv3_raster_pool_can(&st, &all));
    st = rig.st;
    st.zeta = st.color;
    assert_false(nv3_raster_pool_can(&st, &all));
    st.zeta.base += (HEIGHT - 1) * st.color.pitch;
    st.zeta.size = 2 * WIDTH;
    assert_false(nv3_raster_pool_can(&st, &all));
    rig_free(&rig);
}

/* nv3_raster_pool_free() must also free triangles that have not been drawn. */
static void test_free_without_join(void **state)
{
    NV3RasterPool *pool = nv3_raster_pool_new(4);
    uint64_t seed = 9;
    RasterRig rig;

    rig_init(&rig, WIDTH, HEIGHT);
    nv3_raster_prepare(&rig.st);
    for (unsigned i = 0; i < 50; i++) {
        NV3RasterVertex v[3];
        NV3RasterTri tri;

        random_triangle(v, &seed);
        if (nv3_raster_setup(&rig.st, &v[0], &v[1], &v[2], &tri)) {
            nv3_raster_pool_push(pool, &rig.st, &tri,
                                 &(NV3Rect) { 0, 0, 30, 30 });
        }
    }
    nv3_raster_pool_free(pool);
    nv3_raster_pool_free(NULL);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalar),
        cmocka_unit_test(test_neon),
        cmocka_unit_test(test_avx2),
        cmocka_unit_test(test_avx512),
        cmocka_unit_test(test_avx512vbmi2),
        cmocka_unit_test(test_surfaces_change),
        cmocka_unit_test(test_what_can_not),
        cmocka_unit_test(test_free_without_join),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
