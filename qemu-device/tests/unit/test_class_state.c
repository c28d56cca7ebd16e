/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the classes that only set state: BETA, ROP, CHROMA, PLANE, PATTERN and SURFACE
 * (test_pgraph_clip.c tests CLIP). Checks which methods each class has, and which state
 * they set.
 */
#include "graph.h"

/*
 * Checks that PGRAPH refuses all methods of the class except 0, 0x104 and the @count
 * methods in @valid.
 */
static void check_methods(Graph *g, unsigned class, const uint32_t *valid,
                          size_t count)
{
    graph_bind(g, 0, (GraphObject) { .class = class });
    for (uint32_t mthd = 4; mthd < 0x2000; mthd += 4) {
        bool known = mthd == NV3_MTHD_NOTIFY;

        for (size_t i = 0; i < count; i++) {
            known |= mthd == valid[i];
        }
        if (!known) {
            assert_true(graph_try(g, 0, mthd, 0));
            assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                             NV3_PGRAPH_INVALID_METHOD);
            graph_resume(g);
        }
    }
}

#define CHECK(g, class, ...) \
    do { \
        static const uint32_t valid_[] = { __VA_ARGS__ }; \
        check_methods(g, class, valid_, sizeof(valid_) / sizeof(valid_[0])); \
    } while (0)

static void test_methods(void **state)
{
    Graph *g = *state;

    CHECK(g, NV3_CLASS_BETA, 0x300);
    CHECK(g, NV3_CLASS_ROP, 0x300);
    CHECK(g, NV3_CLASS_CHROMA, 0x304);
    CHECK(g, NV3_CLASS_PLANE, 0x304);
    CHECK(g, NV3_CLASS_CLIP, 0x300, 0x304);
    CHECK(g, NV3_CLASS_PATTERN, 0x308, 0x310, 0x314, 0x318, 0x31c);
    CHECK(g, NV3_CLASS_M2MF, 0x30c, 0x310, 0x314, 0x318, 0x31c, 0x320, 0x324,
          0x328);
    CHECK(g, NV3_CLASS_BLIT, 0x300, 0x304, 0x308);
    CHECK(g, NV3_CLASS_SURFACE, 0x300, 0x308, 0x30c);
    CHECK(g, NV3_CLASS_RECT, 0x304, 0x400, 0x404, 0x408, 0x40c, 0x410, 0x414,
          0x418, 0x41c, 0x420, 0x424, 0x428, 0x42c, 0x430, 0x434, 0x438, 0x43c,
          0x440, 0x444, 0x448, 0x44c, 0x450, 0x454, 0x458, 0x45c, 0x460, 0x464,
          0x468, 0x46c, 0x470, 0x474, 0x478, 0x47c);
}

static void test_beta(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_BETA });
    graph_mthd(g, 0, NV3_BETA_BETA, 0x7fffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_BETA), 0x7f800000);
    graph_mthd(g, 0, NV3_BETA_BETA, 0x80000000);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_BETA), 0);
}

static void test_rop(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_ROP });
    graph_mthd(g, 0, NV3_ROP_ROP, 0xfffffe5a);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_ROP), 0x5a);
}

/* The chip converts the key from the object's colour format to 10 bits per component. */
static void test_chroma(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_CHROMA,
        .options = NV3_GROBJ_FORMAT_R8G8B8 | NV3_GROBJ_ALPHA,
    });
    graph_mthd(g, 0, NV3_CHROMA_COLOR, 0x01ff8040);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CHROMA),
                     1u << 30 | 0x3fc << 20 | 0x200 << 10 | 0x100);
    graph_mthd(g, 0, NV3_CHROMA_COLOR, 0x00ff8040);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CHROMA),
                     0x3fc << 20 | 0x200 << 10 | 0x100);
}

/* The methods of class PLANE must not change any readable register. */
static void test_plane(void **state)
{
    Graph *g = *state;
    NV3Pgraph before;

    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_PLANE });
    graph_mthd(g, 0, NV3_PLANE_MASK, 0);
    before = g->s->pgraph;
    graph_mthd(g, 0, NV3_PLANE_MASK, 0);
    assert_memory_equal(&before, &g->s->pgraph, sizeof(before));
    graph_mthd(g, 0, NV3_PLANE_MASK, 0xffffffff);
    before.trapped_data = 0xffffffff;
    assert_memory_equal(&before, &g->s->pgraph, sizeof(before));
}

static void test_pattern(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_PATTERN,
        .options = NV3_GROBJ_FORMAT_R5G5B5 | NV3_GROBJ_ALPHA |
                   NV3_GROBJ_MONO_CGA6,
    });
    graph_mthd(g, 0, NV3_PATTERN_COLOR(0), 0x7fff);
    graph_mthd(g, 0, NV3_PATTERN_COLOR(1), 0x8001);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_RGB(0)),
                     0x3e0 << 20 | 0x3e0 << 10 | 0x3e0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_A(0)), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_RGB(1)), 0x20);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_A(1)), 0xff);
    graph_mthd(g, 0, NV3_PATTERN_BITMAP(0), 0x00000001);
    graph_mthd(g, 0, NV3_PATTERN_BITMAP(1), 0x80f01e02);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_MONO(0)), 0x80);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_MONO(1)),
                     0x010f7840);
    for (unsigned shape = 0; shape < 3; shape++) {
        graph_mthd(g, 0, NV3_PATTERN_SHAPE, shape);
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_SHAPE), shape);
    }
}

/*
 * After a switch of objects, the first method still uses the previous object's options
 * (hwtest).
 */
static void test_pattern_switch(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_PATTERN, .options = NV3_GROBJ_MONO_CGA6,
    });
    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_ROP });
    graph_mthd(g, 0, NV3_PATTERN_BITMAP(0), 1);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_MONO(0)), 1);
    graph_mthd(g, 0, NV3_PATTERN_BITMAP(0), 1);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_MONO(0)), 0x80);
}

static void bind_surface(Graph *g, unsigned index)
{
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_SURFACE,
        .options = index << NV3_GROBJ_SURFACE_SHIFT,
    });
}

static void test_surface(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, 0);
    bind_surface(g, 2);
    graph_mthd(g, 0, NV3_SURFACE_PITCH, 0xffffffff);
    graph_mthd(g, 0, NV3_SURFACE_OFFSET, 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_PITCH(2)), 0x1ff0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_OFFSET(2)), 0x7ffff0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_PITCH(1)), GRAPH_PITCH);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_OFFSET(3)),
                     GRAPH_SURF(3));
    graph_mthd(g, 0, NV3_SURFACE_FORMAT, NV3_SURFACE_FORMAT_X8R8G8B8);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_CONFIG), 0x700);
    graph_mthd(g, 0, NV3_SURFACE_FORMAT, NV3_SURFACE_FORMAT_Y8);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_CONFIG), 0x500);
    bind_surface(g, 0);
    graph_mthd(g, 0, NV3_SURFACE_FORMAT, NV3_SURFACE_FORMAT_Y16);
    bind_surface(g, 3);
    graph_mthd(g, 0, NV3_SURFACE_FORMAT, NV3_SURFACE_FORMAT_X1R5G5B5);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_CONFIG), 0x6504);
}

static void test_surface_bad_format(void **state)
{
    Graph *g = *state;
    static const uint32_t bad[] = {
        0, 2, 3, 0x00010000, 0x01010002, 0x01010003, 0x01000001, 0x11000000,
        0xffffffff,
    };

    bind_surface(g, 0);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_true(graph_try(g, 0, NV3_SURFACE_FORMAT, bad[i]));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                         NV3_PGRAPH_INVALID_DATA);
        graph_resume(g);
    }
}

static void test_surface_4m(void **state)
{
    const NV3Config config = {
        .revision = NV3_REVISION_B, .vram_size = 4 << 20,
    };
    Graph *g = graph_new_config(&config);

    bind_surface(g, 1);
    graph_mthd(g, 0, NV3_SURFACE_OFFSET, 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_OFFSET(1)), 0x3ffff0);
    graph_free(g);
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_methods),
        T(test_beta),
        T(test_rop),
        T(test_chroma),
        T(test_plane),
        T(test_pattern),
        T(test_pattern_switch),
        T(test_surface),
        T(test_surface_bad_format),
        T(test_surface_4m),
    };

    return cmocka_run_group_tests_name("class_state", tests, NULL, NULL);
}
