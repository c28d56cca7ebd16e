/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests class SIFC: scaling up and down, mirroring, fractional sizes, and the clip. */
#include "graph.h"

#define FIXED(v)    ((int32_t)((v) * (1 << 20)))

typedef struct Stretch {
    int w, h;               /* size of the data */
    /* size of a source pixel on the surface, a multiple of 1/16 */
    double dx, dy;
    double x, y;
} Stretch;

static void stretch(Graph *g, Stretch t)
{
    uint32_t next = 1;

    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_SIFC, .options = GRAPH_COPY,
    });
    graph_mthd(g, 0, NV3_SIFC_CLIP_POINT, 0);
    graph_mthd(g, 0, NV3_SIFC_CLIP_SIZE, graph_xy(240, 120));
    graph_mthd(g, 0, NV3_SIFC_SIZE_IN, graph_xy(t.w, t.h));
    graph_mthd(g, 0, NV3_SIFC_DX_DU, FIXED(t.dx));
    graph_mthd(g, 0, NV3_SIFC_DY_DV, FIXED(t.dy));
    graph_mthd(g, 0, NV3_SIFC_POINT, ((int)(t.x * 16) & 0xffff) |
               (uint32_t)(int)(t.y * 16) << 16);
    for (int i = 0; i < t.w * t.h; i += 2) {
        graph_mthd(g, 0, NV3_SIFC_DATA(i / 2 % 1792), next | (next + 1) << 16);
        next += 2;
    }
}

/*
 * Returns the index of the source column or row that covers the destination coordinate
 * @at, or -1 if none covers it.
 */
static int source_of(int at, double start, double step, int count)
{
    for (int n = 0; n < count; n++) {
        double a = start + n * step, b = a + step;

        if (at >= (a < b ? a : b) && at < (a < b ? b : a)) {
            return n;
        }
    }
    return -1;
}

static void check(Graph *g, Stretch t)
{
    memset(g->host->vram + GRAPH_SURF(0), 0, GRAPH_HEIGHT * GRAPH_PITCH);
    stretch(g, t);
    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        int v = y < 120 ? source_of(y, t.y, t.dy, t.h) : -1;

        for (int x = 0; x < GRAPH_WIDTH; x++) {
            int u = x < 240 ? source_of(x, t.x, t.dx, t.w) : -1;
            uint32_t want = u < 0 || v < 0 ? 0 : v * t.w + u + 1;

            if (graph_pixel(g, 0, x, y, 2) != want) {
                fail_msg("%g %g: pixel %d, %d is 0x%x, not 0x%x", t.dx, t.dy, x,
                         y, graph_pixel(g, 0, x, y, 2), want);
            }
        }
    }
}

static void test_scales(void **state)
{
    Graph *g = *state;

    check(g, (Stretch) { 10, 8, 1, 1, 20, 10 });
    check(g, (Stretch) { 10, 8, 3, 2, 20, 10 });
    check(g, (Stretch) { 10, 8, 20, 14, 4, 3 });
    check(g, (Stretch) { 20, 10, 0.5, 0.25, 7, 9 });
    check(g, (Stretch) { 7, 5, 2.5, 1.75, 3.25, 4.5 });
    check(g, (Stretch) { 9, 4, 100, 60, -50, -20.5 });
}

static void test_mirrored(void **state)
{
    Graph *g = *state;

    check(g, (Stretch) { 10, 8, -3, 2, 100, 10 });
    check(g, (Stretch) { 10, 8, 3, -2.5, 10, 100 });
}

static void test_nothing(void **state)
{
    Graph *g = *state;

    check(g, (Stretch) { 4, 4, 0, 1, 10, 10 });
    check(g, (Stretch) { 4, 4, 1, 0, 10, 10 });
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_SIFC, .options = GRAPH_COPY,
    });
    assert_true(graph_try(g, 0, NV3_SIFC_DATA(0), 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_MISSING_METHOD);
}

/* The class must ignore data after the last pixel. */
static void test_beyond_end(void **state)
{
    Graph *g = *state;

    stretch(g, (Stretch) { 2, 2, 4, 4, 0, 0 });
    for (unsigned i = 0; i < 10; i++) {
        graph_mthd(g, 0, NV3_SIFC_DATA(i), 0x55555555);
    }
    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        for (int x = 0; x < GRAPH_WIDTH; x++) {
            assert_int_equal(graph_pixel(g, 0, x, y, 2),
                             x < 8 && y < 8 ? y / 4 * 2 + x / 4 + 1 : 0);
        }
    }
}

static void test_slices(void **state)
{
    Graph *g = *state;
    unsigned slices = 0;

    host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(0), 0);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, 0xffffffff);
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_SIFC, .options = GRAPH_COPY | NV3_GROBJ_FORMAT_Y8,
    });
    graph_mthd(g, 0, NV3_SIFC_CLIP_POINT, 0);
    graph_mthd(g, 0, NV3_SIFC_CLIP_SIZE, 0x7fff7fff);
    graph_mthd(g, 0, NV3_SIFC_SIZE_IN, graph_xy(4, 1));
    graph_mthd(g, 0, NV3_SIFC_DX_DU, FIXED(500));
    graph_mthd(g, 0, NV3_SIFC_DY_DV, 0x7fffffff);
    graph_mthd(g, 0, NV3_SIFC_POINT, 0);
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_SIFC_DATA(0),
                                  0x20181008, g->ctx[0]));
    while (nv3_pgraph_step(g->s)) {
        slices++;
    }
    assert_in_range(slices, 1, 1000);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(graph_pixel(g, 0, i * 500, 0, 2), 0x421 * (i + 1));
        assert_int_equal(graph_pixel(g, 0, i * 500 + 499, 0, 2),
                         0x421 * (i + 1));
    }
    assert_int_equal(graph_pixel(g, 0, 2000, 0, 2), 0);
}

static void test_hostile(void **state)
{
    Graph *g = *state;
    uint32_t seed = 21;

    for (unsigned i = 0; i < 2000; i++) {
        host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, graph_rand(&seed));
        graph_bind(g, 0, (GraphObject) {
            .class = NV3_CLASS_SIFC, .options = graph_rand(&seed),
        });
        for (uint32_t mthd = 0x304; mthd <= 0x318; mthd += 4) {
            graph_try(g, 0, mthd, graph_rand(&seed) >> (graph_rand(&seed) & 31));
        }
        for (unsigned j = 0; j < 5; j++) {
            graph_try(g, 0, NV3_SIFC_DATA(j), graph_rand(&seed));
            host_wr32(g->host, NV3_PGRAPH_VTX_X(2), graph_rand(&seed));
        }
        graph_resume(g);
    }
}

/*
 * Writes extreme values to registers in the middle of an image. The core's computations
 * with these values must not overflow 64 bits.
 */
static void test_extremes(void **state)
{
    Graph *g = *state;

    stretch(g, (Stretch) { 10, 8, 1, 1, 20, 10 });
    graph_mthd(g, 0, NV3_SIFC_POINT, 0x80008000);
    graph_mthd(g, 0, NV3_SIFC_DATA(0), 1);
    host_wr32(g->host, NV3_PGRAPH_VTX_X(2), 0xffffffff);
    host_wr32(g->host, NV3_PGRAPH_VTX_X(3), 0xffffffff);
    host_wr32(g->host, NV3_PGRAPH_VTX_X(5), 0x80000000);
    graph_try(g, 0, NV3_SIFC_DATA(1), 2);
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_scales),
        T(test_mirrored),
        T(test_nothing),
        T(test_beyond_end),
        T(test_slices),
        T(test_extremes),
        T(test_hostile),
    };

    return cmocka_run_group_tests_name("class_sifc", tests, NULL, NULL);
}
