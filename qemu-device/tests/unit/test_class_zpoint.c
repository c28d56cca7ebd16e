/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests class ZPOINT: depth, alpha, write masks, and blending. */
#include "graph.h"

#define DEPTH   3       /* index of the surface */

static const uint32_t always = NV3_D3D_CMP_ALWAYS <<
                               NV3_D3D_CONFIG_Z_FUNC_SHIFT |
                               NV3_D3D_WRITE_ALWAYS <<
                               NV3_D3D_CONFIG_Z_WRITE_SHIFT |
                               (uint32_t)NV3_D3D_WRITE_ALWAYS <<
                               NV3_D3D_CONFIG_COLOR_WRITE_SHIFT;
/* Value of D3D_ALPHA with which the alpha test always passes. */
static const uint32_t pass_alpha = NV3_D3D_CMP_ALWAYS << 8;

static void bind_zpoint(Graph *g, uint32_t options, uint32_t config)
{
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_ZPOINT,
        .options = GRAPH_COPY | NV3_GROBJ_FORMAT_R8G8B8 | NV3_GROBJ_ALPHA |
                   options,
    });
    graph_mthd(g, 0, NV3_ZPOINT_CONFIG, config);
    graph_mthd(g, 0, NV3_ZPOINT_ALPHA, pass_alpha);
}

static void point(Graph *g, int x, int y, uint32_t color, uint32_t depth)
{
    graph_mthd(g, 0, NV3_ZPOINT_POINT, graph_xy(x, y));
    graph_mthd(g, 0, NV3_ZPOINT_COLOR(0), color);
    graph_mthd(g, 0, NV3_ZPOINT_ZETA(0), depth << 16);
}

/*
 * Each of the 256 pairs of methods COLOR and ZETA draws a point to the right of the
 * previous point.
 */
static void test_run(void **state)
{
    Graph *g = *state;

    bind_zpoint(g, NV3_GROBJ_ZETA, always);
    graph_mthd(g, 0, NV3_ZPOINT_POINT, graph_xy(10, 5));
    for (unsigned i = 0; i < 256; i++) {
        graph_mthd(g, 0, NV3_ZPOINT_COLOR(i), 0xff000000 | (i & 31) << 3 |
                   (i >> 5) << 11);
        graph_mthd(g, 0, NV3_ZPOINT_ZETA(i), i << 16 | 0xdead);
    }
    for (unsigned i = 0; i < 246; i++) {
        assert_int_equal(graph_pixel(g, 0, 10 + i, 5, 2), i);
        assert_int_equal(graph_pixel(g, DEPTH, 10 + i, 5, 2), i);
    }
    assert_int_equal(graph_pixel(g, 0, 9, 5, 2), 0);
    assert_int_equal(graph_pixel(g, 0, 0, 6, 2), 0);
    assert_true(graph_try(g, 0, NV3_ZPOINT_COLOR(256), 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_METHOD);
}

static void test_depth_functions(void **state)
{
    Graph *g = *state;

    for (unsigned func = 1; func <= 8; func++) {
        for (unsigned depth = 99; depth <= 101; depth++) {
            bool less = depth < 100, equal = depth == 100;
            bool pass = (func == 2 && less) || (func == 3 && equal) ||
                        (func == 4 && (less || equal)) ||
                        (func == 5 && !less && !equal) ||
                        (func == 6 && !equal) || (func == 7 && !less) ||
                        func == 8;

            graph_set_pixel(g, 0, 4, 4, 2, 0x1111);
            graph_set_pixel(g, DEPTH, 4, 4, 2, 100);
            bind_zpoint(g, NV3_GROBJ_ZETA,
                        func << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
                        NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
                        NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT);
            point(g, 4, 4, 0xffffffff, depth);
            assert_int_equal(graph_pixel(g, 0, 4, 4, 2),
                             pass ? 0x7fff : 0x1111);
            assert_int_equal(graph_pixel(g, DEPTH, 4, 4, 2),
                             pass ? depth : 100);
        }
    }
}

static void test_write_masks(void **state)
{
    Graph *g = *state;

    for (unsigned when = 0; when <= 4; when++) {
        for (unsigned alpha = 0; alpha < 2; alpha++) {
            for (unsigned near = 0; near < 2; near++) {
                bool write = (when == 1 && alpha) || (when == 2 && alpha && near) ||
                             (when == 3 && near) || when == 4;

                graph_set_pixel(g, DEPTH, 4, 4, 2, 100);
                graph_set_pixel(g, 0, 4, 4, 2, 0);
                bind_zpoint(g, NV3_GROBJ_ZETA,
                            NV3_D3D_CMP_LESS << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
                            when << NV3_D3D_CONFIG_Z_WRITE_SHIFT);
                point(g, 4, 4, alpha ? 0xffffffff : 0x00ffffff,
                      near ? 50 : 150);
                assert_int_equal(graph_pixel(g, DEPTH, 4, 4, 2),
                                 !write ? 100 : near ? 50 : 150);
                assert_int_equal(graph_pixel(g, 0, 4, 4, 2), 0);
            }
        }
    }
}

static void test_no_depth(void **state)
{
    Graph *g = *state;

    graph_set_pixel(g, DEPTH, 4, 4, 2, 100);
    bind_zpoint(g, 0, (always & ~(0xfu << NV3_D3D_CONFIG_Z_FUNC_SHIFT)) |
                NV3_D3D_CMP_NEVER << NV3_D3D_CONFIG_Z_FUNC_SHIFT);
    point(g, 4, 4, 0xffffffff, 7);
    assert_int_equal(graph_pixel(g, 0, 4, 4, 2), 0x7fff);
    assert_int_equal(graph_pixel(g, DEPTH, 4, 4, 2), 100);
}

/*
 * The depth surface (surface 3) is also a colour target, so the colour is blended with
 * the old depth.
 */
static void test_depth_drawn_to(void **state)
{
    Graph *g = *state;

    graph_set_pixel(g, DEPTH, 4, 4, 2, 0x0421);
    bind_zpoint(g, NV3_GROBJ_ZETA | 8u << NV3_GROBJ_DST_SHIFT,
                always | NV3_D3D_CONFIG_ROP_ADD);
    point(g, 4, 4, 0x00080808, 7);
    assert_int_equal(graph_pixel(g, DEPTH, 4, 4, 2), 0x0842);
}

static void test_alpha_test(void **state)
{
    Graph *g = *state;

    bind_zpoint(g, 0, always);
    graph_mthd(g, 0, NV3_ZPOINT_ALPHA, NV3_D3D_CMP_GREATER << 8 | 0x80);
    point(g, 1, 1, 0x80ffffff, 0);
    assert_int_equal(graph_pixel(g, 0, 1, 1, 2), 0);
    point(g, 1, 1, 0x81ffffff, 0);
    assert_true(graph_pixel(g, 0, 1, 1, 2) != 0);
}

static void test_blend(void **state)
{
    Graph *g = *state;
    static const struct {
        uint32_t config, color, dst, want;
    } t[] = {
        /*
         * The blend weight is the alpha of the source. Test the maximum alpha, and an
         * alpha of 0.
         */
        { 0, 0xffffffff, 0x1234, 0x7fff },
        { 0, 0x00ffffff, 0x1234, 0x1234 },
        { NV3_D3D_CONFIG_SRC_ZERO, 0xffffffff, 0x7fff, 0 },
        { NV3_D3D_CONFIG_DST_ZERO, 0x00ffffff, 0x7fff, 0 },
        { NV3_D3D_CONFIG_ROP_ADD, 0x00080810, 0x7c21, 0x7c43 },
        { NV3_D3D_CONFIG_ROP_ADD, 0x00ffffff, 0x0421, 0x7fff },
        /*
         * The blend weight is the destination's colour component. Test the maximum weight
         * (31 >> 1), and a weight of 0.
         */
        { NV3_D3D_CONFIG_BETA_DST_COLOR, 0x00084018, 0x7c00, 0x0400 },
        { NV3_D3D_CONFIG_BETA_DST_COLOR | NV3_D3D_CONFIG_DST_ZERO, 0x00f8f8f8,
          16 << 10, (31 * 8 >> 4) << 10 },
    };

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        graph_set_pixel(g, 0, 4, 4, 2, t[i].dst);
        bind_zpoint(g, 0, always | t[i].config);
        point(g, 4, 4, t[i].color, 0);
        assert_int_equal(graph_pixel(g, 0, 4, 4, 2), t[i].want);
    }
}

static void test_clipped(void **state)
{
    Graph *g = *state;

    bind_zpoint(g, NV3_GROBJ_ZETA, always);
    point(g, -1, 0, 0xffffffff, 9);
    point(g, 256, 0, 0xffffffff, 9);
    point(g, 0, 128, 0xffffffff, 9);
    graph_assert_only(g, (NV3Rect) { 0, 0, 0, 0 }, 2, 0, 0);
    assert_int_equal(graph_pixel(g, DEPTH, 0, 128, 2), 0);
}

static void test_bad_data(void **state)
{
    Graph *g = *state;
    static const struct {
        uint32_t mthd, data;
    } bad[] = {
        { NV3_ZPOINT_CONFIG, 0 }, { NV3_ZPOINT_CONFIG, 0x00090000 },
        { NV3_ZPOINT_CONFIG, 0x00080001 }, { NV3_ZPOINT_CONFIG, 0x00580000 },
        { NV3_ZPOINT_CONFIG, 0x05080000 }, { NV3_ZPOINT_CONFIG, 0x08080000 },
        { NV3_ZPOINT_ALPHA, 0 }, { NV3_ZPOINT_ALPHA, 0x900 },
        { NV3_ZPOINT_ALPHA, 0x1100 },
    };

    bind_zpoint(g, 0, always);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_true(graph_try(g, 0, bad[i].mthd, bad[i].data));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                         NV3_PGRAPH_INVALID_DATA);
        graph_resume(g);
    }
}

static void test_missing(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_ZPOINT, .options = GRAPH_COPY,
    });
    graph_mthd(g, 0, NV3_ZPOINT_POINT, 0);
    graph_mthd(g, 0, NV3_ZPOINT_COLOR(0), 0);
    assert_true(graph_try(g, 0, NV3_ZPOINT_ZETA(0), 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_MISSING_METHOD);
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_run),
        T(test_depth_functions),
        T(test_write_masks),
        T(test_no_depth),
        T(test_depth_drawn_to),
        T(test_alpha_test),
        T(test_blend),
        T(test_clipped),
        T(test_bad_data),
        T(test_missing),
    };

    return cmocka_run_group_tests_name("class_zpoint", tests, NULL, NULL);
}
