/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests each drawing method of the classes POINT, LINE, LIN and TRI. Compares the drawn
 * pixels with references that share no code with the core.
 */
#include <stdlib.h>

#include "graph.h"

#define COLOR   0x2a5f

static void bind_solid(Graph *g, unsigned class)
{
    graph_bind(g, 0, (GraphObject) { .class = class, .options = GRAPH_COPY });
}

static void clear(Graph *g)
{
    memset(g->host->vram + GRAPH_SURF(0), 0, GRAPH_HEIGHT * GRAPH_PITCH);
}

static bool drawn(Graph *g, int x, int y)
{
    return x >= 0 && y >= 0 && x < GRAPH_WIDTH && y < GRAPH_HEIGHT &&
           graph_pixel(g, 0, x, y, 2) == COLOR;
}

static unsigned count_drawn(Graph *g)
{
    unsigned n = 0;

    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        for (int x = 0; x < GRAPH_WIDTH; x++) {
            n += drawn(g, x, y);
        }
    }
    return n;
}

static void test_points(void **state)
{
    Graph *g = *state;

    bind_solid(g, NV3_CLASS_POINT);
    graph_mthd(g, 0, NV3_POINT_COLOR, COLOR);
    for (unsigned i = 0; i < 32; i++) {
        graph_mthd(g, 0, NV3_POINT_POINT(i), graph_xy(i * 3, i));
        assert_true(drawn(g, i * 3, i));
    }
    for (unsigned i = 0; i < 16; i++) {
        graph_mthd(g, 0, NV3_POINT_POINT32_X(i), i * 2);
        graph_mthd(g, 0, NV3_POINT_POINT32_Y(i), 60 + i);
        assert_true(drawn(g, i * 2, 60 + i));
    }
    assert_int_equal(count_drawn(g), 48);
    for (unsigned i = 0; i < 16; i++) {
        graph_mthd(g, 0, NV3_POINT_CPOINT_COLOR(i), i + 1);
        graph_mthd(g, 0, NV3_POINT_CPOINT(i), graph_xy(200 + i, 100));
        assert_int_equal(graph_pixel(g, 0, 200 + i, 100, 2), i + 1);
    }
    /* Outside the canvas. */
    graph_mthd(g, 0, NV3_POINT_POINT(0), graph_xy(-1, 5));
    graph_mthd(g, 0, NV3_POINT_POINT(0), graph_xy(256, 5));
    graph_mthd(g, 0, NV3_POINT_POINT(0), graph_xy(5, 128));
    assert_int_equal(count_drawn(g), 48);
}

static void test_missing_color(void **state)
{
    Graph *g = *state;
    static const struct {
        unsigned class;
        uint32_t mthd;
    } t[] = {
        { NV3_CLASS_POINT, NV3_POINT_POINT(0) },
        { NV3_CLASS_LINE, NV3_LINE_POINT(0, 1) },
        { NV3_CLASS_LINE, NV3_LINE_POLY(0) },
        { NV3_CLASS_TRI, NV3_TRI_POINT(2) },
        { NV3_CLASS_TRI, NV3_TRI_STRIP(0) },
    };

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        bind_solid(g, t[i].class);
        assert_true(graph_try(g, 0, t[i].mthd, 0));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                         NV3_PGRAPH_INTR_MISSING_METHOD);
        graph_resume(g);
    }
}

static void test_range(void **state)
{
    Graph *g = *state;
    static const uint32_t bad[] = { 0x8000, 0xffff7fff, 0x7fffffff, 0x80000000 };

    bind_solid(g, NV3_CLASS_POINT);
    graph_mthd(g, 0, NV3_POINT_COLOR, COLOR);
    for (unsigned i = 0; i < 4; i++) {
        graph_mthd(g, 0, NV3_POINT_POINT32_X(0), bad[i]);
        assert_true(graph_try(g, 0, NV3_POINT_POINT32_Y(0), 0));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                         NV3_PGRAPH_INTR_RANGE);
        graph_resume(g);
    }
    graph_mthd(g, 0, NV3_POINT_POINT32_X(0), -0x8000);
    graph_mthd(g, 0, NV3_POINT_POINT32_Y(0), 0x7fff);
    assert_int_equal(count_drawn(g), 0);
}

/*
 * Sets the x coordinate of a vertex register to a value that methods cannot set, and
 * clears the flags that the range check reads.
 */
static void poke_x(Graph *g, unsigned vertex, uint32_t x)
{
    host_wr32(g->host, NV3_PGRAPH_VTX_X(vertex), x);
    host_wr32(g->host, NV3_PGRAPH_X_MISC, 0);
}

static void test_poked_vertices(void **state)
{
    Graph *g = *state;
    static const uint32_t poke[] = { 0x7fffffff, 0x80000000, 0xffff0000 };

    for (unsigned i = 0; i < 3; i++) {
        for (unsigned v = 0; v < 3; v++) {
            bind_solid(g, NV3_CLASS_TRI);
            graph_mthd(g, 0, NV3_TRI_COLOR, COLOR);
            graph_mthd(g, 0, NV3_TRI_POINT(0), graph_xy(1, 1));
            graph_mthd(g, 0, NV3_TRI_POINT(1), graph_xy(9, 1));
            graph_mthd(g, 0, NV3_TRI_POINT32_X(2), 4);
            poke_x(g, v, poke[i]);
            graph_mthd(g, 0, NV3_TRI_POINT32_Y(2), 9);
            bind_solid(g, NV3_CLASS_LINE);
            graph_mthd(g, 0, NV3_LINE_COLOR, COLOR);
            graph_mthd(g, 0, NV3_LINE_POINT(0, 0), 0);
            graph_mthd(g, 0, NV3_LINE_POINT32_X(0, 1), 1);
            poke_x(g, v & 1, poke[i]);
            graph_mthd(g, 0, NV3_LINE_POINT32_Y(0, 1), 1);
            bind_solid(g, NV3_CLASS_POINT);
            graph_mthd(g, 0, NV3_POINT_COLOR, COLOR);
            graph_mthd(g, 0, NV3_POINT_POINT32_X(0), 1);
            poke_x(g, 0, poke[i]);
            graph_mthd(g, 0, NV3_POINT_POINT32_Y(0), 1);
        }
    }
    assert_int_equal(count_drawn(g), 0);
}

/*
 * Returns true if a line contains pixel @px, @py. For each step along the longer axis, a
 * line contains the pixel nearest to the exact line. If two pixels are equally near, it
 * contains the one with the larger coordinate.
 */
static bool on_line(const int x[2], const int y[2], int px, int py)
{
    bool x_major = abs(x[1] - x[0]) > abs(y[1] - y[0]);
    const int *maj = x_major ? x : y, *min = x_major ? y : x;
    int m = x_major ? px : py, n = x_major ? py : px;
    int len = abs(maj[1] - maj[0]);
    int along = abs(m - maj[0]), rise = min[1] - min[0];
    int twice;

    if (!len) {
        return px == x[0] && py == y[0];
    }
    if (m < (maj[0] < maj[1] ? maj[0] : maj[1]) ||
        m > (maj[0] > maj[1] ? maj[0] : maj[1])) {
        return false;
    }
    /* n - 1/2 <= exact < n + 1/2, all times 2 * len. */
    twice = 2 * (min[0] * len + rise * along);
    return (2 * n - 1) * len <= twice && twice < (2 * n + 1) * len;
}

static void assert_line(Graph *g, const int x[2], const int y[2], bool skip_end)
{
    for (int py = 0; py < GRAPH_HEIGHT; py++) {
        for (int px = 0; px < GRAPH_WIDTH; px++) {
            bool want = on_line(x, y, px, py) &&
                        !(skip_end && px == x[1] && py == y[1]);

            if (drawn(g, px, py) != want) {
                fail_msg("%d, %d to %d, %d: pixel %d, %d", x[0], y[0], x[1],
                         y[1], px, py);
            }
        }
    }
}

static void check_lines(Graph *g, unsigned class)
{
    uint32_t seed = 77;

    bind_solid(g, class);
    graph_mthd(g, 0, NV3_LINE_COLOR, COLOR);
    for (unsigned i = 0; i < 60; i++) {
        int span = i < 30 ? 16 : 300;
        int x[2], y[2];

        for (unsigned e = 0; e < 2; e++) {
            x[e] = (int)(graph_rand(&seed) % span) - (i < 30 ? 0 : 20);
            y[e] = (int)(graph_rand(&seed) % (span / 2)) - (i < 30 ? 0 : 10);
        }
        clear(g);
        if (i & 1) {
            graph_mthd(g, 0, NV3_LINE_POINT(i % 16, 0), graph_xy(x[0], y[0]));
            graph_mthd(g, 0, NV3_LINE_POINT(i % 16, 1), graph_xy(x[1], y[1]));
        } else {
            graph_mthd(g, 0, NV3_LINE_POINT32_X(i % 8, 0), x[0]);
            graph_mthd(g, 0, NV3_LINE_POINT32_Y(i % 8, 0), y[0]);
            graph_mthd(g, 0, NV3_LINE_POINT32_X(i % 8, 1), x[1]);
            graph_mthd(g, 0, NV3_LINE_POINT32_Y(i % 8, 1), y[1]);
        }
        assert_line(g, x, y, class == NV3_CLASS_LIN);
    }
}

static void test_line(void **state)
{
    check_lines(*state, NV3_CLASS_LINE);
}

static void test_lin(void **state)
{
    check_lines(*state, NV3_CLASS_LIN);
}

static void test_longest_line(void **state)
{
    Graph *g = *state;
    const int x[2] = { -0x8000, 0x7fff }, y[2] = { 64, 64 };

    bind_solid(g, NV3_CLASS_LINE);
    graph_mthd(g, 0, NV3_LINE_COLOR, COLOR);
    graph_mthd(g, 0, NV3_LINE_POINT(0, 0), graph_xy(x[0], y[0]));
    graph_mthd(g, 0, NV3_LINE_POINT(0, 1), graph_xy(x[1], y[1]));
    assert_int_equal(count_drawn(g), 256);
    assert_true(drawn(g, 0, 64) && drawn(g, 255, 64));
}

/*
 * Each of the three polyline methods draws a line that starts at the end of the previous
 * line.
 */
static void test_polyline(void **state)
{
    Graph *g = *state;
    static const int px[] = { 10, 30, 30, 5, 60, 70 };
    static const int py[] = { 10, 12, 40, 60, 61, 5 };

    bind_solid(g, NV3_CLASS_LIN);
    graph_mthd(g, 0, NV3_LINE_COLOR, COLOR);
    graph_mthd(g, 0, NV3_LINE_POINT(0, 0), graph_xy(px[0], py[0]));
    graph_mthd(g, 0, NV3_LINE_POINT(0, 1), graph_xy(px[1], py[1]));
    for (unsigned i = 2; i < 6; i++) {
        int x[2] = { px[i - 1], px[i] }, y[2] = { py[i - 1], py[i] };

        clear(g);
        switch (i) {
        case 2:
        case 3:
            graph_mthd(g, 0, NV3_LINE_POLY(31), graph_xy(px[i], py[i]));
            break;
        case 4:
            graph_mthd(g, 0, NV3_LINE_POLY32_X(15), px[i]);
            graph_mthd(g, 0, NV3_LINE_POLY32_Y(15), py[i]);
            break;
        case 5:
            graph_mthd(g, 0, NV3_LINE_CPOLY_COLOR(15), COLOR);
            graph_mthd(g, 0, NV3_LINE_CPOLY(15), graph_xy(px[i], py[i]));
            break;
        }
        assert_line(g, x, y, true);
    }
}

/*
 * Returns a number whose sign shows on which side of edge @e pixel @px, @py is, or 0 if
 * the pixel is on the edge. A triangle draws the pixels on the inner side of all three
 * edges. It also draws a pixel on an edge if the pixel to its right is inside. On a
 * horizontal edge, the pixel below decides instead.
 */
static int64_t side(const int x[3], const int y[3], unsigned e, int px, int py)
{
    unsigned n = (e + 1) % 3;

    return (int64_t)(x[n] - x[e]) * (py - y[e]) -
           (int64_t)(px - x[e]) * (y[n] - y[e]);
}

static bool in_triangle(const int x[3], const int y[3], int px, int py)
{
    int64_t area = side(x, y, 0, x[2], y[2]);

    if (!area) {
        return false;
    }
    for (unsigned e = 0; e < 3; e++) {
        int64_t d = side(x, y, e, px, py);

        d = d ? d : side(x, y, e, px + 1, py);
        d = d ? d : side(x, y, e, px, py + 1);
        if ((d < 0) != (area < 0)) {
            return false;
        }
    }
    return true;
}

static void assert_triangle(Graph *g, const int x[3], const int y[3])
{
    for (int py = 0; py < GRAPH_HEIGHT; py++) {
        for (int px = 0; px < GRAPH_WIDTH; px++) {
            if (drawn(g, px, py) != in_triangle(x, y, px, py)) {
                fail_msg("%d, %d; %d, %d; %d, %d: pixel %d, %d", x[0], y[0],
                         x[1], y[1], x[2], y[2], px, py);
            }
        }
    }
}

static void send_triangle(Graph *g, unsigned way, const int x[3],
                          const int y[3])
{
    for (unsigned i = 0; i < 3; i++) {
        switch (way) {
        case 0:
            graph_mthd(g, 0, NV3_TRI_POINT(i), graph_xy(x[i], y[i]));
            break;
        case 1:
            graph_mthd(g, 0, NV3_TRI_POINT32_X(i), x[i]);
            graph_mthd(g, 0, NV3_TRI_POINT32_Y(i), y[i]);
            break;
        default:
            if (!i) {
                graph_mthd(g, 0, NV3_TRI_CTRI_COLOR(7), COLOR);
            }
            graph_mthd(g, 0, NV3_TRI_CTRI_POINT(7, i), graph_xy(x[i], y[i]));
            break;
        }
    }
}

static void test_triangle(void **state)
{
    Graph *g = *state;
    uint32_t seed = 12;

    bind_solid(g, NV3_CLASS_TRI);
    graph_mthd(g, 0, NV3_TRI_COLOR, COLOR);
    for (unsigned i = 0; i < 120; i++) {
        int span = i < 60 ? 9 : 400;
        int x[3], y[3];

        for (unsigned v = 0; v < 3; v++) {
            x[v] = (int)(graph_rand(&seed) % span) - (i < 60 ? 0 : 70);
            y[v] = (int)(graph_rand(&seed) % span) - (i < 60 ? 0 : 120);
        }
        clear(g);
        send_triangle(g, i % 3, x, y);
        assert_triangle(g, x, y);
    }
}

/*
 * Triangles with common edges must draw each pixel once. Drawing with XOR reveals pixels
 * that are drawn twice.
 */
static void test_fan(void **state)
{
    Graph *g = *state;
    static const int rim_x[] = { 128, 200, 240, 210, 128, 50, 10, 60, 128 };
    static const int rim_y[] = { 3, 10, 64, 110, 125, 120, 64, 20, 3 };

    host_wr32(g->host, NV3_PGRAPH_ROP, 0x66);
    host_wr32(g->host, NV3_PGRAPH_PATTERN_A(0), 1);
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_TRI,
        .options = 0x10u << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT,
    });
    graph_mthd(g, 0, NV3_TRI_COLOR, COLOR);
    for (unsigned i = 0; i < 8; i++) {
        const int x[3] = { 120, rim_x[i], rim_x[i + 1] };
        const int y[3] = { 60, rim_y[i], rim_y[i + 1] };

        send_triangle(g, i & 1, x, y);
    }
    for (int y = 20; y < 100; y++) {
        for (int x = 80; x < 180; x++) {
            assert_true(drawn(g, x, y));
        }
    }
}

static void test_strip(void **state)
{
    Graph *g = *state;
    static const int px[] = { 10, 30, 12, 33, 14, 60 };
    static const int py[] = { 10, 11, 30, 40, 70, 80 };
    const int x0[3] = { px[0], px[1], px[2] }, y0[3] = { py[0], py[1], py[2] };

    bind_solid(g, NV3_CLASS_TRI);
    graph_mthd(g, 0, NV3_TRI_COLOR, COLOR);
    send_triangle(g, 0, x0, y0);
    for (unsigned i = 3; i < 6; i++) {
        const int x[3] = { px[i - 2], px[i - 1], px[i] };
        const int y[3] = { py[i - 2], py[i - 1], py[i] };

        clear(g);
        switch (i) {
        case 3:
            graph_mthd(g, 0, NV3_TRI_STRIP(31), graph_xy(px[i], py[i]));
            break;
        case 4:
            graph_mthd(g, 0, NV3_TRI_STRIP32_X(15), px[i]);
            graph_mthd(g, 0, NV3_TRI_STRIP32_Y(15), py[i]);
            break;
        case 5:
            graph_mthd(g, 0, NV3_TRI_CSTRIP_COLOR(15), COLOR);
            graph_mthd(g, 0, NV3_TRI_CSTRIP(15), graph_xy(px[i], py[i]));
            break;
        }
        assert_triangle(g, x, y);
    }
}

static void test_clips(void **state)
{
    Graph *g = *state;
    const int x[3] = { 0, 200, 20 }, y[3] = { 0, 50, 120 };

    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MIN(0), graph_xy(40, 30));
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MAX(0), graph_xy(60, 50));
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_CTRL, 0x11);
    bind_solid(g, NV3_CLASS_TRI);
    graph_mthd(g, 0, NV3_TRI_COLOR, COLOR);
    send_triangle(g, 0, x, y);
    for (int py = 0; py < GRAPH_HEIGHT; py++) {
        for (int px = 0; px < GRAPH_WIDTH; px++) {
            bool hole = px >= 40 && px < 60 && py >= 30 && py < 50;

            assert_int_equal(drawn(g, px, py),
                             in_triangle(x, y, px, py) && !hole);
        }
    }
}

/* PGRAPH must draw the largest triangle in slices. */
static void test_job(void **state)
{
    Graph *g = *state;
    unsigned slices = 0;

    host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(0), 0);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, 0xffffffff);
    bind_solid(g, NV3_CLASS_TRI);
    graph_mthd(g, 0, NV3_TRI_COLOR, COLOR);
    graph_mthd(g, 0, NV3_TRI_POINT(0), graph_xy(-0x8000, -0x8000));
    graph_mthd(g, 0, NV3_TRI_POINT(1), graph_xy(0x7fff, 0));
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_TRI_POINT(2),
                                  graph_xy(-0x8000, 0x7fff), g->ctx[0]));
    assert_false(nv3_pgraph_idle(g->s));
    while (nv3_pgraph_step(g->s)) {
        slices++;
    }
    assert_in_range(slices, 3, 10000);
}

static void test_methods(void **state)
{
    Graph *g = *state;
    static const struct {
        unsigned class;
        uint32_t mthd;
    } bad[] = {
        { NV3_CLASS_POINT, 0x300 }, { NV3_CLASS_POINT, 0x3fc },
        { NV3_CLASS_POINT, 0x580 }, { NV3_CLASS_LINE, 0x680 },
        { NV3_CLASS_LINE, 0x310 }, { NV3_CLASS_LIN, 0x308 },
        { NV3_CLASS_TRI, 0x30c }, { NV3_CLASS_TRI, 0x31c },
        { NV3_CLASS_TRI, 0x338 }, { NV3_CLASS_TRI, 0x600 },
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        bind_solid(g, bad[i].class);
        assert_true(graph_try(g, 0, bad[i].mthd, 0));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                         NV3_PGRAPH_INVALID_METHOD);
        graph_resume(g);
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_points),
        T(test_missing_color),
        T(test_range),
        T(test_poked_vertices),
        T(test_line),
        T(test_lin),
        T(test_longest_line),
        T(test_polyline),
        T(test_triangle),
        T(test_fan),
        T(test_strip),
        T(test_clips),
        T(test_job),
        T(test_methods),
    };

    return cmocka_run_group_tests_name("class_solid", tests, NULL, NULL);
}
