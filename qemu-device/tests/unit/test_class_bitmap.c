/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the classes BITMAP and GDI: expansion of bits to pixels, colours, clips, and all
 * five kinds of GDI data.
 */
#include "graph.h"

#define ONE     0x7c1f
#define ZERO    0x03e0

static uint32_t bits[64];

static void fill_bits(uint32_t seed)
{
    for (unsigned i = 0; i < 64; i++) {
        bits[i] = graph_rand(&seed);
    }
}

static bool bit(unsigned n)
{
    return bits[n / 32] >> (n % 32) & 1;
}

static void bind(Graph *g, unsigned class, uint32_t options)
{
    graph_bind(g, 0, (GraphObject) {
        .class = class, .options = GRAPH_COPY | options,
    });
}

static void clear(Graph *g)
{
    memset(g->host->vram + GRAPH_SURF(0), 0, GRAPH_HEIGHT * GRAPH_PITCH);
}

/*
 * Fails unless exactly the bitmap's pixels inside @clip have been drawn. If a pixel's bit
 * is set, the pixel must have the colour ONE, otherwise the colour @off.
 */
static void assert_bits(Graph *g, int x0, int y0, int w, int h, NV3Rect clip,
                        uint32_t off)
{
    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        for (int x = 0; x < GRAPH_WIDTH; x++) {
            bool in = x >= x0 && x < x0 + w && y >= y0 && y < y0 + h &&
                      x >= clip.x0 && x < clip.x1 && y >= clip.y0 && y < clip.y1;
            uint32_t want = !in ? 0 :
                            bit((y - y0) * w + x - x0) ? ONE : off;

            if (graph_pixel(g, 0, x, y, 2) != want) {
                fail_msg("pixel %d, %d is 0x%x, not 0x%x", x, y,
                         graph_pixel(g, 0, x, y, 2), want);
            }
        }
    }
}

static const NV3Rect all = { 0, 0, GRAPH_WIDTH, GRAPH_HEIGHT };

static void bitmap(Graph *g, int x, int y, unsigned w, unsigned h)
{
    graph_mthd(g, 0, NV3_BITMAP_COLOR_0, ZERO);
    graph_mthd(g, 0, NV3_BITMAP_COLOR_1, ONE);
    graph_mthd(g, 0, NV3_BITMAP_POINT, graph_xy(x, y));
    graph_mthd(g, 0, NV3_BITMAP_SIZE_OUT, graph_xy(w, h));
    graph_mthd(g, 0, NV3_BITMAP_SIZE_IN, graph_xy(w, h));
    for (unsigned i = 0; i < (w * h + 31) / 32; i++) {
        graph_mthd(g, 0, NV3_BITMAP_DATA(i % 32), bits[i]);
    }
}

static void test_bitmap(void **state)
{
    Graph *g = *state;
    static const unsigned width[] = { 32, 64, 96, 5, 1, 33 };

    fill_bits(1);
    for (size_t i = 0; i < sizeof(width) / sizeof(width[0]); i++) {
        clear(g);
        bind(g, NV3_CLASS_BITMAP, 0);
        bitmap(g, 7, 9, width[i], 12);
        assert_bits(g, 7, 9, width[i], 12, all, ZERO);
    }
}

static void test_bitmap_msb_first(void **state)
{
    Graph *g = *state;

    fill_bits(2);
    bind(g, NV3_CLASS_BITMAP, NV3_GROBJ_MONO_CGA6);
    bitmap(g, 0, 0, 32, 4);
    for (unsigned i = 0; i < 32 * 4; i++) {
        bool on = bit(i ^ 7);

        assert_int_equal(graph_pixel(g, 0, i % 32, i / 32, 2), on ? ONE : ZERO);
    }
}

/* If the object has the option ALPHA, a colour with an alpha of 0 must be transparent. */
static void test_bitmap_transparent(void **state)
{
    Graph *g = *state;

    fill_bits(3);
    bind(g, NV3_CLASS_BITMAP, NV3_GROBJ_ALPHA);
    graph_mthd(g, 0, NV3_BITMAP_COLOR_0, ZERO);
    graph_mthd(g, 0, NV3_BITMAP_COLOR_1, ONE | 0x8000);
    graph_mthd(g, 0, NV3_BITMAP_POINT, 0);
    graph_mthd(g, 0, NV3_BITMAP_SIZE_OUT, graph_xy(32, 2));
    graph_mthd(g, 0, NV3_BITMAP_SIZE_IN, graph_xy(32, 2));
    graph_mthd(g, 0, NV3_BITMAP_DATA(0), bits[0]);
    graph_mthd(g, 0, NV3_BITMAP_DATA(31), bits[1]);
    assert_bits(g, 0, 0, 32, 2, all, 0);
}

static void test_bitmap_missing(void **state)
{
    Graph *g = *state;

    for (uint32_t skip = 0x308; skip <= 0x318; skip += 4) {
        bind(g, NV3_CLASS_BITMAP, 0);
        for (uint32_t mthd = 0x308; mthd <= 0x318; mthd += 4) {
            if (mthd != skip) {
                graph_mthd(g, 0, mthd, graph_xy(4, 4));
            }
        }
        assert_true(graph_try(g, 0, NV3_BITMAP_DATA(0), ~0u));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                         NV3_PGRAPH_INTR_MISSING_METHOD);
        graph_resume(g);
    }
    assert_true(graph_try(g, 0, NV3_BITMAP_DATA(32), 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_METHOD);
}

static void test_gdi_a(void **state)
{
    Graph *g = *state;

    bind(g, NV3_CLASS_GDI, 0);
    graph_mthd(g, 0, NV3_GDI_A_COLOR, ONE);
    graph_mthd(g, 0, NV3_GDI_A_POINT(63), 10 << 16 | 20);
    graph_mthd(g, 0, NV3_GDI_A_SIZE(63), 30 << 16 | 5);
    graph_assert_only(g, (NV3Rect) { 10, 20, 40, 25 }, 2, ONE, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID) & 0x210303, 0x10000);
    graph_mthd(g, 0, NV3_GDI_A_POINT(0), 0xfff60005);
    graph_mthd(g, 0, NV3_GDI_A_SIZE(0), 11 << 16 | 1);
    assert_int_equal(graph_pixel(g, 0, 0, 5, 2), ONE);
    assert_int_equal(graph_pixel(g, 0, 1, 5, 2), 0);
}

/* Rectangles that GDI draws with the methods of kind A ignore the clip rectangle. */
static void test_gdi_a_unclipped(void **state)
{
    Graph *g = *state;

    bind(g, NV3_CLASS_GDI, NV3_GROBJ_CLIP);
    graph_mthd(g, 0, NV3_GDI_B_CLIP_0, graph_xy(100, 100));
    graph_mthd(g, 0, NV3_GDI_B_CLIP_1, graph_xy(101, 101));
    graph_mthd(g, 0, NV3_GDI_A_COLOR, ONE);
    graph_mthd(g, 0, NV3_GDI_A_POINT(0), 10 << 16 | 20);
    graph_mthd(g, 0, NV3_GDI_A_SIZE(0), 3 << 16 | 4);
    graph_assert_only(g, (NV3Rect) { 10, 20, 13, 24 }, 2, ONE, 0);
}

static void test_gdi_b(void **state)
{
    Graph *g = *state;

    bind(g, NV3_CLASS_GDI, 0);
    graph_mthd(g, 0, NV3_GDI_B_CLIP_0, graph_xy(5, 6));
    graph_mthd(g, 0, NV3_GDI_B_CLIP_1, graph_xy(50, 40));
    graph_mthd(g, 0, NV3_GDI_B_COLOR, ONE);
    graph_mthd(g, 0, NV3_GDI_B_POINT_0(0), graph_xy(0, 0));
    graph_mthd(g, 0, NV3_GDI_B_POINT_1(0), graph_xy(20, 10));
    graph_assert_only(g, (NV3Rect) { 5, 6, 20, 10 }, 2, ONE, 0);
    clear(g);
    graph_mthd(g, 0, NV3_GDI_B_POINT_0(63), graph_xy(45, 30));
    graph_mthd(g, 0, NV3_GDI_B_POINT_1(63), graph_xy(60, 90));
    graph_assert_only(g, (NV3Rect) { 45, 30, 50, 40 }, 2, ONE, 0);
}

static void test_gdi_b_missing(void **state)
{
    Graph *g = *state;

    bind(g, NV3_CLASS_GDI, 0);
    graph_mthd(g, 0, NV3_GDI_B_COLOR, ONE);
    graph_mthd(g, 0, NV3_GDI_B_POINT_0(0), graph_xy(0, 0));
    assert_true(graph_try(g, 0, NV3_GDI_B_POINT_1(0), graph_xy(20, 10)));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_MISSING_METHOD);
    graph_resume(g);
    graph_mthd(g, 0, NV3_GDI_B_CLIP_0, 0);
    graph_mthd(g, 0, NV3_GDI_B_POINT_0(0), graph_xy(0, 0));
    assert_true(graph_try(g, 0, NV3_GDI_B_POINT_1(0), graph_xy(20, 10)));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_MISSING_METHOD);
    graph_resume(g);
    graph_mthd(g, 0, NV3_GDI_B_CLIP_1, graph_xy(99, 99));
    graph_mthd(g, 0, NV3_GDI_B_POINT_0(0), graph_xy(0, 0));
    graph_mthd(g, 0, NV3_GDI_B_POINT_1(0), graph_xy(20, 10));
    graph_assert_only(g, (NV3Rect) { 0, 0, 20, 10 }, 2, ONE, 0);
}

static void gdi_words(Graph *g, uint32_t first, unsigned pixels)
{
    for (unsigned i = 0; i < (pixels + 31) / 32; i++) {
        graph_mthd(g, 0, first + (i % 128) * 4, bits[i]);
    }
}

static void test_gdi_text(void **state)
{
    Graph *g = *state;
    const NV3Rect clip = { 12, 11, 40, 18 };
    const uint32_t min = graph_xy(12, 11), max = graph_xy(40, 18);

    fill_bits(4);
    bind(g, NV3_CLASS_GDI, 0);
    graph_mthd(g, 0, NV3_GDI_C_CLIP_0, min);
    graph_mthd(g, 0, NV3_GDI_C_CLIP_1, max);
    graph_mthd(g, 0, NV3_GDI_C_COLOR, ONE);
    graph_mthd(g, 0, NV3_GDI_C_SIZE, graph_xy(40, 10));
    graph_mthd(g, 0, NV3_GDI_C_POINT, graph_xy(10, 10));
    gdi_words(g, NV3_GDI_C_DATA(0), 400);
    assert_bits(g, 10, 10, 40, 10, clip, 0);
    clear(g);
    bind(g, NV3_CLASS_GDI, 0);
    graph_mthd(g, 0, NV3_GDI_E_CLIP_0, min);
    graph_mthd(g, 0, NV3_GDI_E_CLIP_1, max);
    graph_mthd(g, 0, NV3_GDI_E_COLOR_0, ZERO);
    graph_mthd(g, 0, NV3_GDI_E_COLOR_1, ONE);
    graph_mthd(g, 0, NV3_GDI_E_SIZE_IN, graph_xy(40, 10));
    graph_mthd(g, 0, NV3_GDI_E_SIZE_OUT, graph_xy(40, 10));
    graph_mthd(g, 0, NV3_GDI_E_POINT, graph_xy(10, 10));
    gdi_words(g, NV3_GDI_E_DATA(0), 400);
    assert_bits(g, 10, 10, 40, 10, clip, ZERO);
}

/*
 * In GDI's data of kind D, each line has as many bits as SIZE_IN is wide. Bits outside
 * SIZE_OUT are not drawn.
 */
static void test_gdi_d(void **state)
{
    Graph *g = *state;

    fill_bits(5);
    bind(g, NV3_CLASS_GDI, 0);
    graph_mthd(g, 0, NV3_GDI_D_CLIP_0, 0);
    graph_mthd(g, 0, NV3_GDI_D_CLIP_1, graph_xy(256, 128));
    graph_mthd(g, 0, NV3_GDI_D_COLOR, ONE);
    graph_mthd(g, 0, NV3_GDI_D_SIZE_IN, graph_xy(32, 8));
    graph_mthd(g, 0, NV3_GDI_D_SIZE_OUT, graph_xy(11, 8));
    graph_mthd(g, 0, NV3_GDI_D_POINT, graph_xy(3, 4));
    gdi_words(g, NV3_GDI_D_DATA(0), 32 * 8);
    assert_bits(g, 3, 4, 32, 8, (NV3Rect) { 0, 0, 14, 128 }, 0);
}

static void test_gdi_methods(void **state)
{
    Graph *g = *state;
    static const uint32_t bad[] = {
        0x300, 0x304, 0x3f8, 0x600, 0x7f0, 0xa00, 0xbe8, 0xe00, 0xfe4, 0x1200,
        0x13e0, 0x1600, 0x1ffc,
    };

    bind(g, NV3_CLASS_GDI, 0);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_true(graph_try(g, 0, bad[i], 0));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                         NV3_PGRAPH_INVALID_METHOD);
        graph_resume(g);
    }
}

static void test_hostile(void **state)
{
    Graph *g = *state;
    uint32_t seed = 6;

    for (unsigned i = 0; i < 20000; i++) {
        if (i % 50 == 0) {
            host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), graph_rand(&seed));
            host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, graph_rand(&seed));
            host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_rand(&seed));
            bind(g, i & 1 ? NV3_CLASS_GDI : NV3_CLASS_BITMAP,
                 graph_rand(&seed));
        }
        graph_try(g, 0, 0x300 + (graph_rand(&seed) & 0x1ffc) % 0x1400,
                  graph_rand(&seed));
        graph_resume(g);
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_bitmap),
        T(test_bitmap_msb_first),
        T(test_bitmap_transparent),
        T(test_bitmap_missing),
        T(test_gdi_a),
        T(test_gdi_a_unclipped),
        T(test_gdi_b),
        T(test_gdi_b_missing),
        T(test_gdi_text),
        T(test_gdi_d),
        T(test_gdi_methods),
        T(test_hostile),
    };

    return cmocka_run_group_tests_name("class_bitmap", tests, NULL, NULL);
}
