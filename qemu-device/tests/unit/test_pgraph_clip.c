/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the canvas, the user clip and clip rectangles by drawing with class RECT. */
#include "graph.h"

#define COLOR   0x1234

static void fill(Graph *g, int x, int y, unsigned w, unsigned h)
{
    graph_mthd(g, 0, NV3_RECT_COLOR, COLOR);
    graph_mthd(g, 0, NV3_RECT_POINT(0), graph_xy(x, y));
    graph_mthd(g, 0, NV3_RECT_SIZE(0), h << 16 | w);
}

static void bind_rect(Graph *g, uint32_t options)
{
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_RECT, .options = GRAPH_COPY | options,
    });
}

static void user_clip(Graph *g, int x, int y, unsigned w, unsigned h)
{
    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_CLIP });
    graph_mthd(g, 1, NV3_CLIP_POINT, graph_xy(x, y));
    graph_mthd(g, 1, NV3_CLIP_SIZE, h << 16 | w);
}

static void test_canvas(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MIN, graph_xy(10, 20));
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_xy(30, 25));
    bind_rect(g, 0);
    fill(g, -5, -5, 500, 500);
    graph_assert_only(g, (NV3Rect) { 10, 20, 30, 25 }, 2, COLOR, 0);
}

static void test_empty_canvas(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MIN, graph_xy(30, 25));
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_xy(30, 60));
    bind_rect(g, 0);
    host_forget(g->host);
    fill(g, 0, 0, 500, 500);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_xy(5, 5));
    fill(g, 0, 0, 500, 500);
    graph_assert_only(g, (NV3Rect) { 0, 0, 0, 0 }, 2, 0, 0);
    assert_int_equal(g->host->dirty_calls, 0);
}

static void test_user_clip(void **state)
{
    Graph *g = *state;

    user_clip(g, 3, 4, 7, 5);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_UCLIP_XMIN), 3);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_UCLIP_YMIN), 4);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_UCLIP_XMAX), 10);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_UCLIP_YMAX), 9);
    bind_rect(g, NV3_GROBJ_CLIP);
    fill(g, 0, 0, 100, 100);
    graph_assert_only(g, (NV3Rect) { 3, 4, 10, 9 }, 2, COLOR, 0);
}

static void test_user_clip_off(void **state)
{
    Graph *g = *state;

    user_clip(g, 3, 4, 7, 5);
    bind_rect(g, 0);
    fill(g, 0, 0, 20, 20);
    graph_assert_only(g, (NV3Rect) { 0, 0, 20, 20 }, 2, COLOR, 0);
}

/*
 * If the canvas becomes smaller after the user clip has been set, PGRAPH must draw only
 * within the canvas.
 */
static void test_user_clip_beyond_canvas(void **state)
{
    Graph *g = *state;

    user_clip(g, -100, -100, 400, 400);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_xy(16, 8));
    bind_rect(g, NV3_GROBJ_CLIP);
    fill(g, 0, 0, 256, 128);
    graph_assert_only(g, (NV3Rect) { 0, 0, 16, 8 }, 2, COLOR, 0);
}

static void test_user_clip_half(void **state)
{
    Graph *g = *state;

    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_CLIP });
    graph_mthd(g, 1, NV3_CLIP_POINT, graph_xy(1, 1));
    bind_rect(g, NV3_GROBJ_CLIP);
    graph_mthd(g, 0, NV3_RECT_COLOR, COLOR);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    assert_true(graph_try(g, 0, NV3_RECT_SIZE(0), graph_xy(9, 9)));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_MISSING_METHOD);
    graph_assert_only(g, (NV3Rect) { 0, 0, 0, 0 }, 2, 0, 0);
    /* The user clip applies only to objects with the option CLIP. */
    graph_resume(g);
    bind_rect(g, 0);
    fill(g, 0, 0, 2, 2);
    graph_assert_only(g, (NV3Rect) { 0, 0, 2, 2 }, 2, COLOR, 0);
}

static void set_cliprect(Graph *g, unsigned i, int x0, int y0, int x1, int y1)
{
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MIN(i), graph_xy(x0, y0));
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MAX(i), graph_xy(x1, y1));
}

static bool inside(const NV3Rect *r, int x, int y)
{
    return x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1;
}

/*
 * Draws a rectangle with two random clip rectangles in each clip mode, and checks each
 * pixel.
 */
static void test_cliprects(void **state)
{
    Graph *g = *state;
    static const uint32_t ctrl[] = {
        0, 1, 2, 3, 0x10, 0x11, 0x12, 0x13,
    };
    uint32_t seed = 7;

    for (unsigned i = 0; i < 64; i++) {
        uint32_t c = ctrl[i % 8];
        NV3Rect r[2];

        for (unsigned j = 0; j < 2; j++) {
            r[j].x0 = graph_rand(&seed) % 80;
            r[j].y0 = graph_rand(&seed) % 60;
            r[j].x1 = graph_rand(&seed) % 80;
            r[j].y1 = graph_rand(&seed) % 60;
            set_cliprect(g, j, r[j].x0, r[j].y0, r[j].x1, r[j].y1);
        }
        host_wr32(g->host, NV3_PGRAPH_CLIPRECT_CTRL, c);
        memset(g->host->vram + GRAPH_SURF(0), 0, 64 * GRAPH_PITCH);
        bind_rect(g, 0);
        fill(g, 4, 3, 60, 50);
        for (int y = 0; y < 64; y++) {
            for (int x = 0; x < 80; x++) {
                bool in = ((c & 3) > 0 && inside(&r[0], x, y)) ||
                          ((c & 3) > 1 && inside(&r[1], x, y));
                bool drawn = inside(&(NV3Rect) { 4, 3, 64, 53 }, x, y) &&
                             (!(c & 3) || in != !!(c & 0x10));

                assert_int_equal(graph_pixel(g, 0, x, y, 2),
                                 drawn ? COLOR : 0);
            }
        }
    }
}

static void test_software_clip(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_CTRL, 0x100);
    bind_rect(g, 0);
    graph_mthd(g, 0, NV3_RECT_COLOR, COLOR);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    assert_true(graph_try(g, 0, NV3_RECT_SIZE(0), graph_xy(9, 9)));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_CLIP_SOFTWARE);
    graph_assert_only(g, (NV3Rect) { 0, 0, 0, 0 }, 2, 0, 0);
}

/*
 * Compares status flags with those of real cards. The flags show where the edges of a
 * clip are relative to the canvas.
 */
static void test_clip_flags(void **state)
{
    Graph *g = *state;

    user_clip(g, -1, 0, 257, 4);
    /*
     * x = -1 is left of the canvas, and x = 256 is on its right edge. y = 0 is on its top
     * edge, and y = 4 is inside.
     */
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_X_CLIP_STATUS(0)) & 0xff,
                     0x81);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_Y_CLIP_STATUS(0)) & 0xff,
                     0x02);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_1) & 0x77300,
                     0x32000);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID) & 0xf0000000, 0);
    graph_mthd(g, 1, NV3_CLIP_SIZE, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID) & 0xf0000000,
                     0x40000000);
    graph_mthd(g, 1, NV3_CLIP_POINT, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID) & 0xf0000000,
                     0x10000000);
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_canvas),
        T(test_empty_canvas),
        T(test_user_clip),
        T(test_user_clip_off),
        T(test_user_clip_beyond_canvas),
        T(test_user_clip_half),
        T(test_cliprects),
        T(test_software_clip),
        T(test_clip_flags),
    };

    return cmocka_run_group_tests_name("pgraph_clip", tests, NULL, NULL);
}
