/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests class IFC: packed pixels of each format, sizes, clips, and a context switch
 * within an image.
 */
#include "graph.h"

static void bind_ifc(Graph *g, uint32_t options)
{
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_IFC, .options = options,
    });
}

static void image(Graph *g, int x, int y, uint32_t out, uint32_t in)
{
    graph_mthd(g, 0, NV3_IFC_POINT, graph_xy(x, y));
    graph_mthd(g, 0, NV3_IFC_SIZE_OUT, out);
    graph_mthd(g, 0, NV3_IFC_SIZE_IN, in);
}

/* Sends pixels of @bytes bytes with the values 1, 2, 3 and so on, packed into words. */
static void count_up(Graph *g, unsigned bytes, unsigned pixels)
{
    uint32_t next = 1;

    for (unsigned i = 0; i < pixels; i += 4 / bytes) {
        uint32_t word = 0;

        for (unsigned j = 0; j < 4; j += bytes) {
            word |= next++ << 8 * j;
        }
        graph_mthd(g, 0, NV3_IFC_DATA(i / 2 % 32), word);
    }
}

/*
 * Fails unless pixel n of the data has been drawn at (@x0 + n % @w, @y0 + n / @w). Pixels
 * outside the output size of @out_w x @out_h must not have been drawn.
 */
static void assert_image(Graph *g, unsigned cpp, int x0, int y0, int w, int h,
                         int out_w, int out_h)
{
    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        for (int x = 0; x < GRAPH_WIDTH; x++) {
            int col = x - x0, row = y - y0;
            bool in = col >= 0 && col < w && col < out_w && row >= 0 &&
                      row < h && row < out_h;

            assert_int_equal(graph_pixel(g, 0, x, y, cpp),
                             in ? row * w + col + 1 : 0);
        }
    }
}

static void test_formats(void **state)
{
    Graph *g = *state;
    static const struct {
        unsigned format, surf, bytes, cpp;
    } t[] = {
        { NV3_GROBJ_FORMAT_Y8, NV3_SURF_Y8, 1, 1 },
        { NV3_GROBJ_FORMAT_R5G5B5, NV3_SURF_X1R5G5B5, 2, 2 },
        { NV3_GROBJ_FORMAT_R8G8B8, NV3_SURF_X8R8G8B8, 4, 4 },
        { NV3_GROBJ_FORMAT_Y16, NV3_SURF_Y16, 4, 2 },
    };

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        memset(g->host->vram + GRAPH_SURF(0), 0, GRAPH_HEIGHT * GRAPH_PITCH);
        graph_formats(g, t[i].surf);
        bind_ifc(g, GRAPH_COPY | t[i].format);
        image(g, 10, 20, graph_xy(12, 11), graph_xy(12, 11));
        count_up(g, t[i].bytes, 12 * 11);
        assert_image(g, t[i].cpp, 10, 20, 12, 11, 12, 11);
    }
}

/* Lines are not padded, so the pixels of a word may belong to two lines. */
static void test_packed(void **state)
{
    Graph *g = *state;

    bind_ifc(g, GRAPH_COPY);
    image(g, 0, 0, graph_xy(7, 5), graph_xy(7, 5));
    count_up(g, 2, 36);
    assert_image(g, 2, 0, 0, 7, 5, 7, 5);
    memset(g->host->vram + GRAPH_SURF(0), 0, GRAPH_HEIGHT * GRAPH_PITCH);
    graph_formats(g, NV3_SURF_Y8);
    bind_ifc(g, GRAPH_COPY | NV3_GROBJ_FORMAT_Y8);
    image(g, 0, 0, graph_xy(1, 9), graph_xy(1, 9));
    count_up(g, 1, 12);
    assert_image(g, 1, 0, 0, 1, 9, 1, 9);
}

static void test_out_smaller(void **state)
{
    Graph *g = *state;

    bind_ifc(g, GRAPH_COPY);
    image(g, 5, 5, graph_xy(9, 3), graph_xy(10, 6));
    count_up(g, 2, 60);
    assert_image(g, 2, 5, 5, 10, 6, 9, 3);
}

static void test_clipped(void **state)
{
    Graph *g = *state;

    bind_ifc(g, GRAPH_COPY);
    image(g, -3, -2, graph_xy(10, 6), graph_xy(10, 6));
    count_up(g, 2, 60);
    assert_image(g, 2, -3, -2, 10, 6, 10, 6);
    memset(g->host->vram + GRAPH_SURF(0), 0, GRAPH_HEIGHT * GRAPH_PITCH);
    image(g, 250, 126, graph_xy(10, 6), graph_xy(10, 6));
    count_up(g, 2, 60);
    assert_image(g, 2, 250, 126, 10, 6, 10, 6);
}

/*
 * Pixels that follow the last line are drawn to its right, as far as SIZE_OUT permits.
 */
static void test_beyond_end(void **state)
{
    Graph *g = *state;

    bind_ifc(g, GRAPH_COPY);
    image(g, 0, 0, graph_xy(5, 2), graph_xy(4, 2));
    count_up(g, 2, 16);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(graph_pixel(g, 0, i, 0, 2), i + 1);
        assert_int_equal(graph_pixel(g, 0, i, 1, 2), i + 5);
    }
    assert_int_equal(graph_pixel(g, 0, 4, 0, 2), 9);
    assert_int_equal(graph_pixel(g, 0, 4, 1, 2), 13);
    assert_int_equal(graph_pixel(g, 0, 5, 0, 2), 0);
    assert_int_equal(graph_pixel(g, 0, 0, 2, 2), 0);
}

static void test_empty(void **state)
{
    Graph *g = *state;
    static const uint32_t size[] = { 0, 0x00000005, 0x00050000 };

    bind_ifc(g, GRAPH_COPY);
    for (unsigned i = 0; i < 3; i++) {
        image(g, 0, 0, graph_xy(5, 5), size[i]);
        assert_true(host_rd32(g->host, NV3_PGRAPH_XY_MISC_0) & 0x100000);
        count_up(g, 2, 10);
        image(g, 0, 0, size[i], graph_xy(5, 5));
        assert_false(host_rd32(g->host, NV3_PGRAPH_XY_MISC_0) & 0x100000);
        count_up(g, 2, 10);
    }
    assert_image(g, 2, 0, 0, 0, 0, 0, 0);
}

static void test_missing(void **state)
{
    Graph *g = *state;

    for (unsigned skip = 0; skip < 3; skip++) {
        bind_ifc(g, GRAPH_COPY);
        if (skip != 0) {
            graph_mthd(g, 0, NV3_IFC_POINT, 0);
        }
        if (skip != 1) {
            graph_mthd(g, 0, NV3_IFC_SIZE_OUT, graph_xy(4, 4));
        }
        if (skip != 2) {
            graph_mthd(g, 0, NV3_IFC_SIZE_IN, graph_xy(4, 4));
        }
        assert_true(graph_try(g, 0, NV3_IFC_DATA(0), ~0u));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                         NV3_PGRAPH_INTR_MISSING_METHOD);
        graph_resume(g);
    }
    assert_image(g, 2, 0, 0, 0, 0, 0, 0);
}

/*
 * In the middle of an image, saves the registers that docs/reference/chip/pgraph.md lists
 * as the state of an image. Then sends other methods, which change these registers, and
 * restores the registers. Afterwards, the chip must draw the rest of the image correctly.
 */
static void test_switched_away(void **state)
{
    Graph *g = *state;
    static const uint32_t regs[] = {
        NV3_PGRAPH_VTX_X(2), NV3_PGRAPH_VTX_Y(2), NV3_PGRAPH_VTX_X(3),
        NV3_PGRAPH_VTX_Y(3), NV3_PGRAPH_VTX_X(4), NV3_PGRAPH_VTX_Y(4),
        NV3_PGRAPH_VTX_X(5), NV3_PGRAPH_VTX_Y(5), NV3_PGRAPH_VTX_Y(7),
        NV3_PGRAPH_ICLIP_XMAX, NV3_PGRAPH_ICLIP_YMAX, NV3_PGRAPH_XY_MISC_0,
        NV3_PGRAPH_XY_MISC_1, NV3_PGRAPH_X_MISC, NV3_PGRAPH_Y_MISC,
        NV3_PGRAPH_VALID,
    };
    const size_t count = sizeof(regs) / sizeof(regs[0]);
    uint32_t saved[sizeof(regs) / sizeof(regs[0])];

    bind_ifc(g, GRAPH_COPY);
    image(g, 0, 0, graph_xy(7, 4), graph_xy(7, 4));
    count_up(g, 2, 8);
    for (size_t i = 0; i < count; i++) {
        saved[i] = host_rd32(g->host, regs[i]);
    }
    graph_bind(g, 1, (GraphObject) {
        .class = NV3_CLASS_RECT, .options = GRAPH_COPY,
    });
    graph_mthd(g, 1, NV3_RECT_COLOR, 0);
    graph_mthd(g, 1, NV3_RECT_POINT(0), graph_xy(99, 99));
    bind_ifc(g, GRAPH_COPY);
    image(g, 50, 50, graph_xy(1, 1), graph_xy(1, 1));
    for (size_t i = 0; i < count; i++) {
        host_wr32(g->host, regs[i], saved[i]);
    }
    for (unsigned i = 8; i < 28; i += 2) {
        graph_mthd(g, 0, NV3_IFC_DATA(0), (i + 1) | (i + 2) << 16);
    }
    assert_image(g, 2, 0, 0, 7, 4, 7, 4);
}

static void test_dirty(void **state)
{
    Graph *g = *state;

    bind_ifc(g, GRAPH_COPY);
    image(g, 3, 2, graph_xy(4, 1), graph_xy(4, 1));
    host_forget(g->host);
    count_up(g, 2, 4);
    assert_int_equal(g->host->dirty_start, GRAPH_SURF(0) + 2 * GRAPH_PITCH + 6);
    assert_int_equal(g->host->dirty_end, GRAPH_SURF(0) + 2 * GRAPH_PITCH + 14);
    assert_int_equal(g->s->counters[NV3_PVIRT_COUNTER_PIXELS], 4);
}

static void test_hostile(void **state)
{
    Graph *g = *state;
    uint32_t seed = 8;

    for (unsigned i = 0; i < 3000; i++) {
        host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(0), graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_rand(&seed));
        bind_ifc(g, graph_rand(&seed) & ~NV3_GROBJ_CLIP);
        image(g, graph_rand(&seed), graph_rand(&seed), graph_rand(&seed),
              graph_rand(&seed) & (i & 1 ? 0xffffffff : 0x00030003));
        for (unsigned j = 0; j < 40; j++) {
            graph_try(g, 0, NV3_IFC_DATA(j), graph_rand(&seed));
            if (j == 20) {
                host_wr32(g->host, NV3_PGRAPH_VTX_X(2), graph_rand(&seed));
                host_wr32(g->host, NV3_PGRAPH_VTX_Y(2), graph_rand(&seed));
                host_wr32(g->host, NV3_PGRAPH_VTX_X(3), graph_rand(&seed));
            }
        }
        graph_resume(g);
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_formats),
        T(test_packed),
        T(test_out_smaller),
        T(test_clipped),
        T(test_beyond_end),
        T(test_empty),
        T(test_missing),
        T(test_switched_away),
        T(test_dirty),
        T(test_hostile),
    };

    return cmocka_run_group_tests_name("class_ifc", tests, NULL, NULL);
}
