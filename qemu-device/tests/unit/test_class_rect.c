/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests class RECT: coverage, formats, operations, errors, jobs, and hostile surfaces. */
#include "graph.h"

static void bind_rect(Graph *g, uint32_t options)
{
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_RECT, .options = options,
    });
}

static void rect(Graph *g, uint32_t color, int x, int y, unsigned w, unsigned h)
{
    graph_mthd(g, 0, NV3_RECT_COLOR, color);
    graph_mthd(g, 0, NV3_RECT_POINT(0), graph_xy(x, y));
    graph_mthd(g, 0, NV3_RECT_SIZE(0), h << 16 | w);
}

static void test_coverage(void **state)
{
    Graph *g = *state;
    static const NV3Rect r[] = {
        { 0, 0, 1, 1 }, { 255, 127, 256, 128 }, { 3, 5, 3, 9 }, { 3, 5, 9, 5 },
        { -10, -10, 3, 2 }, { 250, 120, 300, 200 }, { 256, 0, 300, 5 },
        { -9, 0, 0, 5 }, { 7, 8, 90, 41 },
    };

    bind_rect(g, GRAPH_COPY);
    for (size_t i = 0; i < sizeof(r) / sizeof(r[0]); i++) {
        memset(g->host->vram + GRAPH_SURF(0), 0, GRAPH_HEIGHT * GRAPH_PITCH);
        rect(g, 0x7c1f, r[i].x0, r[i].y0, r[i].x1 - r[i].x0,
             r[i].y1 - r[i].y0);
        graph_assert_only(g, r[i], 2, 0x7c1f, 0);
    }
}

static void test_all_slots(void **state)
{
    Graph *g = *state;

    bind_rect(g, GRAPH_COPY);
    graph_mthd(g, 0, NV3_RECT_COLOR, 0x1111);
    for (unsigned i = 0; i < 16; i++) {
        graph_mthd(g, 0, NV3_RECT_POINT(i), graph_xy(i * 2, i));
        graph_mthd(g, 0, NV3_RECT_SIZE(i), graph_xy(2, 1));
    }
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(graph_pixel(g, 0, i * 2, i, 2), 0x1111);
        assert_int_equal(graph_pixel(g, 0, i * 2 + 2, i, 2), 0);
    }
    assert_true(graph_try(g, 0, NV3_RECT_POINT(16), 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_METHOD);
}

static void test_formats(void **state)
{
    Graph *g = *state;
    static const struct {
        unsigned surf, cpp, format;
        uint32_t color, want;
    } t[] = {
        { NV3_SURF_Y8, 1, NV3_GROBJ_FORMAT_Y8, 0xabcd, 0xcd },
        { NV3_SURF_Y16, 2, NV3_GROBJ_FORMAT_Y16, 0xabcd, 0xabcd },
        { NV3_SURF_X1R5G5B5, 2, NV3_GROBJ_FORMAT_R5G5B5, 0x5bcd, 0x5bcd },
        { NV3_SURF_X8R8G8B8, 4, NV3_GROBJ_FORMAT_R8G8B8, 0x89abcdef,
          0x00abcdef },
        { NV3_SURF_X8R8G8B8, 4, NV3_GROBJ_FORMAT_R5G5B5, 0x7fff, 0x00f8f8f8 },
    };

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        memset(g->host->vram + GRAPH_SURF(0), 0, GRAPH_HEIGHT * GRAPH_PITCH);
        graph_formats(g, t[i].surf);
        bind_rect(g, GRAPH_COPY | t[i].format);
        rect(g, t[i].color, 11, 7, 101, 33);
        graph_assert_only(g, (NV3Rect) { 11, 7, 112, 40 }, t[i].cpp, t[i].want,
                          0);
    }
}

/*
 * A dithered rectangle must contain only the two values nearest to the colour's
 * components, in a pattern that repeats every 16 pixels.
 */
static void test_dithered(void **state)
{
    Graph *g = *state;
    uint32_t seen = 0;

    bind_rect(g, GRAPH_COPY | NV3_GROBJ_FORMAT_R8G8B8);
    rect(g, 0x0c0c0c, 5, 3, 40, 40);
    for (unsigned y = 3; y < 43; y++) {
        for (unsigned x = 5; x < 45; x++) {
            uint32_t got = graph_pixel(g, 0, x, y, 2);

            assert_in_range(got & 31, 1, 2);
            assert_in_range(got >> 5 & 31, 1, 2);
            seen |= 1u << (got & 31);
            if (x >= 21 && y >= 19) {
                assert_int_equal(got, graph_pixel(g, 0, x - 16, y - 16, 2));
            }
        }
    }
    assert_int_equal(seen, 6);
    assert_int_equal(graph_pixel(g, 0, 45, 3, 2), 0);
    assert_int_equal(graph_pixel(g, 0, 4, 3, 2), 0);
}

static void test_xor(void **state)
{
    Graph *g = *state;

    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_ROP });
    graph_mthd(g, 1, NV3_ROP_ROP, 0x66);
    for (int i = 0; i < 20; i++) {
        graph_set_pixel(g, 0, i, 0, 2, i * 0x101);
    }
    bind_rect(g, 0x10u << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT);
    /*
     * Set the alpha of the pattern, because operations with a transparent pattern draw
     * nothing.
     */
    host_wr32(g->host, NV3_PGRAPH_PATTERN_A(0), 0xff);
    rect(g, 0x7a5a, 4, 0, 12, 1);
    for (int i = 0; i < 20; i++) {
        bool in = i >= 4 && i < 16;

        assert_int_equal(graph_pixel(g, 0, i, 0, 2),
                         (i * 0x101) ^ (in ? 0x7a5a : 0));
    }
}

static void test_several_surfaces(void **state)
{
    Graph *g = *state;

    /*
     * The object draws to surfaces 1 and 3. The chip uses the format of surface 1 for
     * both.
     */
    host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, 0x7767);
    bind_rect(g, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT |
              0xau << NV3_GROBJ_DST_SHIFT);
    rect(g, 0x1357, 2, 2, 3, 3);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(graph_pixel(g, i, 4, 4, 2), i & 1 ? 0x1357 : 0);
        assert_int_equal(graph_pixel(g, i, 5, 5, 2), 0);
    }
}

static void test_no_surface(void **state)
{
    Graph *g = *state;

    bind_rect(g, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT);
    host_forget(g->host);
    rect(g, 0x1357, 0, 0, 100, 100);
    assert_int_equal(g->host->dirty_calls, 0);
    graph_assert_only(g, (NV3Rect) { 0, 0, 0, 0 }, 2, 0, 0);
}

static void test_dirty(void **state)
{
    Graph *g = *state;

    bind_rect(g, GRAPH_COPY);
    host_forget(g->host);
    rect(g, 1, 10, 3, 5, 4);
    assert_int_equal(g->host->dirty_start, GRAPH_SURF(0) + 3 * GRAPH_PITCH + 20);
    assert_int_equal(g->host->dirty_end, GRAPH_SURF(0) + 6 * GRAPH_PITCH + 30);
    assert_int_equal(g->s->counters[NV3_PVIRT_COUNTER_PIXELS], 20);
}

static void assert_refused(Graph *g, uint32_t mthd, uint32_t data, uint32_t intr)
{
    assert_true(graph_try(g, 0, mthd, data));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR), intr);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
    graph_assert_only(g, (NV3Rect) { 0, 0, 0, 0 }, 2, 0, 0);
    graph_resume(g);
}

static void test_missing(void **state)
{
    Graph *g = *state;

    bind_rect(g, GRAPH_COPY);
    assert_refused(g, NV3_RECT_SIZE(0), graph_xy(5, 5),
                   NV3_PGRAPH_INTR_MISSING_METHOD);
    bind_rect(g, GRAPH_COPY);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    assert_refused(g, NV3_RECT_SIZE(0), graph_xy(5, 5),
                   NV3_PGRAPH_INTR_MISSING_METHOD);
    /* The method SIZE must invalidate the point, but not the colour. */
    bind_rect(g, GRAPH_COPY);
    rect(g, 0, 0, 0, 5, 5);
    assert_refused(g, NV3_RECT_SIZE(0), graph_xy(5, 5),
                   NV3_PGRAPH_INTR_MISSING_METHOD);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    graph_mthd(g, 0, NV3_RECT_SIZE(0), graph_xy(1, 1));
}

static void test_range(void **state)
{
    Graph *g = *state;

    bind_rect(g, GRAPH_COPY);
    graph_mthd(g, 0, NV3_RECT_COLOR, 0x1234);
    graph_mthd(g, 0, NV3_RECT_POINT(0), graph_xy(0x7fff, 0));
    assert_refused(g, NV3_RECT_SIZE(0), graph_xy(1, 1), NV3_PGRAPH_INTR_RANGE);
    graph_mthd(g, 0, NV3_RECT_POINT(0), graph_xy(0, 1));
    assert_refused(g, NV3_RECT_SIZE(0), graph_xy(1, 0x7fff),
                   NV3_PGRAPH_INTR_RANGE);
    /* -32768 + 65535 is the largest valid coordinate. */
    graph_mthd(g, 0, NV3_RECT_POINT(0), graph_xy(-0x8000, -0x8000));
    graph_mthd(g, 0, NV3_RECT_SIZE(0), 0xffffffff);
    graph_assert_only(g, (NV3Rect) { 0, 0, 256, 128 }, 2, 0x1234, 0);
}

static void test_format_check(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_FORMAT_CHECK);
    bind_rect(g, GRAPH_COPY);
    rect(g, 0, 0, 0, 1, 1);
    /*
     * Y8 surfaces accept only Y8 colours. All destination surfaces must have the same
     * format.
     */
    graph_formats(g, NV3_SURF_Y8);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    assert_refused(g, NV3_RECT_SIZE(0), graph_xy(1, 1),
                   NV3_PGRAPH_INTR_MISSING_FORMAT);
    host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, 0x0076);
    bind_rect(g, GRAPH_COPY | 2u << NV3_GROBJ_DST_SHIFT);
    graph_mthd(g, 0, NV3_RECT_COLOR, 0);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    assert_refused(g, NV3_RECT_SIZE(0), graph_xy(1, 1),
                   NV3_PGRAPH_INTR_MISSING_FORMAT);
    /* Y16 surfaces accept only plain copies of Y16 colours. */
    graph_formats(g, NV3_SURF_Y16);
    bind_rect(g, GRAPH_COPY | NV3_GROBJ_FORMAT_Y16);
    rect(g, 0, 0, 0, 1, 1);
    bind_rect(g, GRAPH_COPY | NV3_GROBJ_FORMAT_Y16 | NV3_GROBJ_CHROMA);
    graph_mthd(g, 0, NV3_RECT_COLOR, 0);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    assert_refused(g, NV3_RECT_SIZE(0), graph_xy(1, 1),
                   NV3_PGRAPH_INTR_MISSING_FORMAT);
}

/* Compares PGRAPH's registers after a rectangle with the expected values. */
static void test_registers(void **state)
{
    Graph *g = *state;

    bind_rect(g, GRAPH_COPY);
    graph_mthd(g, 0, NV3_RECT_COLOR, 0xdeadbeef);
    graph_mthd(g, 0, NV3_RECT_POINT(3), graph_xy(-7, 9));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 0x10101);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VTX_X(0)), 0xfffffff9);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VTX_Y(0)), 9);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_0) >> 28, 1);
    graph_mthd(g, 0, NV3_RECT_SIZE(3), graph_xy(20, 30));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VTX_X(1)), 13);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VTX_Y(1)), 39);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 0x10000);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_0) >> 28, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_MISC32_0), 0xdeadbeef);
}

/* Tests surfaces that extend beyond the end of VRAM, or that start beyond it. */
static void test_vram_end(void **state)
{
    Graph *g = *state;
    uint32_t size = g->host->config.vram_size;

    host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), size - 4 * GRAPH_PITCH);
    bind_rect(g, GRAPH_COPY);
    rect(g, 0x4321, 0, 0, 256, 128);
    assert_int_equal(g->host->vram[size - 4 * GRAPH_PITCH], 0x21);
    assert_int_equal(g->host->vram[size - GRAPH_PITCH + 511], 0x43);
    assert_int_equal(g->host->vram[0], 0);
    host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), size - 16);
    rect(g, 0x4444, 0, 0, 256, 128);
    assert_int_equal(g->host->vram[size - 16], 0);
}

/* Starts to draw the largest rectangle that a method can draw, on four surfaces. */
static void start_job(Graph *g)
{
    graph_formats(g, NV3_SURF_X8R8G8B8);
    for (unsigned i = 0; i < 4; i++) {
        host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(i), 0);
    }
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, 0xffffffff);
    bind_rect(g, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT |
              0xfu << NV3_GROBJ_DST_SHIFT | NV3_GROBJ_FORMAT_R8G8B8);
    graph_mthd(g, 0, NV3_RECT_COLOR, 0x123456);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_RECT_SIZE(0),
                                  0x7fff7fff, g->ctx[0]));
}

/*
 * PGRAPH must draw the rectangle in slices, and must be busy until the rectangle is
 * complete.
 */
static void test_job(void **state)
{
    Graph *g = *state;
    unsigned slices = 0;

    start_job(g);
    assert_false(nv3_pgraph_ready(g->s));
    assert_false(nv3_pgraph_idle(g->s));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_STATUS), 1);
    assert_false(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_RECT_COLOR, 1,
                                   g->ctx[0]));
    while (nv3_pgraph_step(g->s)) {
        slices++;
    }
    assert_in_range(slices, 4, 4000);
    assert_true(nv3_pgraph_ready(g->s));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_STATUS), 0);
    assert_int_equal(g->s->counters[NV3_PVIRT_COUNTER_PIXELS], 2047 * 0x7fff);
    assert_int_equal(graph_pixel(g, 3, 2046, 0, 4), 0x123456);
    assert_int_equal(graph_pixel(g, 3, 2047, 0, 4), 0);
}

/* A clock that advances by a nanosecond with each read. */
static unsigned reads;

static uint64_t read_clock(void *opaque)
{
    return ++reads;
}

/*
 * BUSY_NS includes the time of all drawing. It also includes the time of other methods
 * that nv3_run() executes, but not of those that nv3_run_untimed() executes.
 */
static void test_job_time(void **state)
{
    Graph *g = *state;
    uint64_t *busy = &g->s->counters[NV3_PVIRT_COUNTER_BUSY_NS];

    *busy = 0;
    reads = 0;
    g->s->ops.work_ns = read_clock;
    assert_false(nv3_run_untimed(g->s, 4));
    assert_int_equal(reads, 0);
    assert_false(nv3_run(g->s, 4));
    assert_int_equal(reads, 2);
    assert_int_equal(*busy, 1);

    start_job(g);
    *busy = 0;
    reads = 0;
    while (nv3_run_untimed(g->s, 4)) {
        assert_in_range(reads, 2, 8000);
    }
    assert_in_range(reads, 8, 8000);
    assert_int_equal(*busy, reads / 2);
}

/*
 * PGRAPH continues a job while its FIFO is disabled, and writes the notification when the
 * job is complete.
 */
static void test_job_notify(void **state)
{
    Graph *g = *state;
    const uint32_t obj = 0xe000;

    host_dmaobj(g->host, obj, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, 64, true);
    memset(host_mem_ptr(g->host, HOST_MEM_BASE, 64), 0xee, 64);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, 0xffffffff);
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_RECT, .notify = obj >> 4,
        .options = 0x10u << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT,
    });
    graph_mthd(g, 0, NV3_RECT_COLOR, 1);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 1);
    graph_resume(g);
    host_wr32(g->host, NV3_PGRAPH_VALID, 0x10101);
    host_mem_wr32(g->host, HOST_MEM_BASE + 16, 0xeeeeeeee);
    /*
     * The chip has already written the notification of the method POINT. Arm the notifier
     * again, for the rectangle.
     */
    host_wr32(g->host, NV3_PGRAPH_NOTIFY, obj >> 4 | NV3_PGRAPH_NOTIFY_ARMED |
              1 << 20);
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_RECT_SIZE(0),
                                  graph_xy(2000, 2000), g->ctx[0]));
    assert_false(nv3_pgraph_idle(g->s));
    assert_int_equal(host_mem_rd32(g->host, HOST_MEM_BASE + 16), 0xeeeeeeee);
    host_wr32(g->host, NV3_PGRAPH_FIFO_ENABLE, 0);
    while (nv3_pgraph_step(g->s)) {
        assert_true(nv3_pgraph_idle(g->s) ||
                    host_mem_rd32(g->host, HOST_MEM_BASE + 28) == 0xeeeeeeee);
    }
    assert_int_equal(host_mem_rd32(g->host, HOST_MEM_BASE + 28), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_NOTIFY);
}

/* A reset in the middle of a job must cancel the job. */
static void test_job_reset(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, 0xffffffff);
    bind_rect(g, 0x10u << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT);
    graph_mthd(g, 0, NV3_RECT_COLOR, 1);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_RECT_SIZE(0),
                                  graph_xy(2000, 2000), g->ctx[0]));
    assert_false(nv3_pgraph_idle(g->s));
    host_wr32(g->host, NV3_PGRAPH_DEBUG_0, NV3_PGRAPH_DEBUG_0_RESET);
    assert_true(nv3_pgraph_idle(g->s));
    assert_false(nv3_pgraph_step(g->s));
}

/*
 * For any state of the surfaces, drawing a rectangle must write only to VRAM. ASan checks
 * this.
 */
static void test_hostile(void **state)
{
    Graph *g = *state;
    uint32_t seed = 99;

    for (unsigned i = 0; i < 400; i++) {
        for (unsigned j = 0; j < 4; j++) {
            host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(j), graph_rand(&seed));
            host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(j), graph_rand(&seed));
        }
        host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MIN, graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_rand(&seed));
        bind_rect(g, graph_rand(&seed) & ~NV3_GROBJ_CLIP);
        graph_mthd(g, 0, NV3_RECT_COLOR, graph_rand(&seed));
        graph_mthd(g, 0, NV3_RECT_POINT(0), graph_rand(&seed));
        graph_try(g, 0, NV3_RECT_SIZE(0), graph_rand(&seed) & 0x03ff03ff);
        graph_resume(g);
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

/*
 * While methods are pending, STATUS must show that PGRAPH is busy, because real hardware
 * would already be executing them.
 */
static void test_status_of_waiting(void **state)
{
    Host *h = host_new();

    host_fifo_setup(h);
    host_wr32(h, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    host_wr32(h, NV3_PGRAPH_FIFO_ENABLE, 1);
    host_grobj(h, 0, 0x77, NV3_CLASS_RECT, HOST_INST, GRAPH_COPY, 0);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_STATUS), 0);
    host_method(h, 0, 0, NV3_MTHD_OBJECT, 0x77);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_STATUS), NV3_PGRAPH_STATUS_BUSY);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_STATUS), 0);
    /*
     * While the pending methods wait for the driver to enable the puller or to handle a
     * trap, STATUS must not show that PGRAPH is busy.
     */
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
    host_method(h, 0, 0, NV3_RECT_COLOR, 0);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_STATUS), 0);
    host_wr32(h, NV3_PGRAPH_FIFO_ENABLE, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_STATUS), 0);
    host_wr32(h, NV3_PGRAPH_FIFO_ENABLE, 1);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_STATUS), NV3_PGRAPH_STATUS_BUSY);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_STATUS), 0);
    host_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_coverage),
        T(test_all_slots),
        T(test_formats),
        T(test_dithered),
        T(test_xor),
        T(test_several_surfaces),
        T(test_no_surface),
        T(test_dirty),
        T(test_missing),
        T(test_range),
        T(test_format_check),
        T(test_registers),
        T(test_vram_end),
        T(test_job),
        T(test_job_time),
        T(test_job_notify),
        T(test_job_reset),
        T(test_hostile),
        cmocka_unit_test(test_status_of_waiting),
    };

    return cmocka_run_group_tests_name("class_rect", tests, NULL, NULL);
}
