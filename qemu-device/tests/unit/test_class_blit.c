/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares class BLIT with a reference that copies pixels one by one from a separate
 * buffer.
 */
#include "graph.h"

static uint32_t image[GRAPH_HEIGHT][GRAPH_WIDTH];

/* Fills surface @surf and image[][] with the same pseudo-random pixels. */
static void draw_image(Graph *g, unsigned surf, unsigned cpp, uint32_t mask)
{
    uint32_t seed = 17 + cpp;

    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        for (int x = 0; x < GRAPH_WIDTH; x++) {
            image[y][x] = graph_rand(&seed) & mask;
            graph_set_pixel(g, surf, x, y, cpp, image[y][x]);
        }
    }
}

static void bind_blit(Graph *g, uint32_t options)
{
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_BLIT, .options = options,
    });
}

static void blit(Graph *g, int sx, int sy, int dx, int dy, int w, int h)
{
    graph_mthd(g, 0, NV3_BLIT_POINT_IN, graph_xy(sx, sy));
    graph_mthd(g, 0, NV3_BLIT_POINT_OUT, graph_xy(dx, dy));
    graph_mthd(g, 0, NV3_BLIT_SIZE, graph_xy(w, h));
}

static uint32_t source_pixel(int x, int y)
{
    return x < 0 || y < 0 || x >= GRAPH_WIDTH || y >= GRAPH_HEIGHT ? 0 :
           image[y][x];
}

/*
 * Fails unless the destination rectangle on surface @dst contains the copied pixels, and
 * all other pixels equal image[][].
 */
static void assert_blit(Graph *g, unsigned dst, unsigned cpp, int sx, int sy,
                        int dx, int dy, int w, int h)
{
    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        for (int x = 0; x < GRAPH_WIDTH; x++) {
            bool in = x >= dx && x < dx + w && y >= dy && y < dy + h;
            uint32_t want = in ? source_pixel(x - dx + sx, y - dy + sy) :
                            image[y][x];
            uint32_t got = graph_pixel(g, dst, x, y, cpp);

            if (got != want) {
                fail_msg("%d, %d to %d, %d, %d x %d: at %d, %d 0x%x, not 0x%x",
                         sx, sy, dx, dy, w, h, x, y, got, want);
            }
        }
    }
}

static void check_format(Graph *g, unsigned format, unsigned cpp, uint32_t mask)
{
    uint32_t seed = 5;

    graph_formats(g, format);
    bind_blit(g, GRAPH_COPY);
    for (unsigned i = 0; i < 40; i++) {
        int sx = (int)(graph_rand(&seed) % 200) - 20;
        int sy = (int)(graph_rand(&seed) % 120) - 10;
        int dx = (int)(graph_rand(&seed) % 200) - 20;
        int dy = (int)(graph_rand(&seed) % 120) - 10;
        int w = graph_rand(&seed) % 120, h = graph_rand(&seed) % 70;

        draw_image(g, 0, cpp, mask);
        blit(g, sx, sy, dx, dy, w, h);
        assert_blit(g, 0, cpp, sx, sy, dx, dy, w, h);
    }
}

/*
 * Tests random copies in all formats. Their sources and destinations often overlap or
 * cross an edge of the surface.
 */
static void test_random(void **state)
{
    Graph *g = *state;

    check_format(g, NV3_SURF_Y8, 1, 0xff);
    check_format(g, NV3_SURF_Y16, 2, 0xffff);
    check_format(g, NV3_SURF_X1R5G5B5, 2, 0x7fff);
    check_format(g, NV3_SURF_X8R8G8B8, 4, 0x3fffffff);
}

static void test_overlap(void **state)
{
    Graph *g = *state;

    bind_blit(g, GRAPH_COPY);
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            draw_image(g, 0, 2, 0x7fff);
            blit(g, 20, 20, 20 + dx, 20 + dy, 100, 60);
            assert_blit(g, 0, 2, 20, 20, 20 + dx, 20 + dy, 100, 60);
        }
    }
}

/*
 * BLIT copies from the object's source surface to all surfaces in the object's
 * destination mask.
 */
static void test_surfaces(void **state)
{
    Graph *g = *state;

    draw_image(g, 2, 2, 0x7fff);
    bind_blit(g, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT |
              2u << NV3_GROBJ_SURFACE_SHIFT | 0x9u << NV3_GROBJ_DST_SHIFT);
    blit(g, 3, 4, 50, 60, 7, 5);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 7; x++) {
            for (unsigned i = 0; i < 4; i += 3) {
                assert_int_equal(graph_pixel(g, i, 50 + x, 60 + y, 2),
                                 image[4 + y][3 + x]);
            }
            assert_int_equal(graph_pixel(g, 1, 50 + x, 60 + y, 2), 0);
        }
    }
    assert_int_equal(graph_pixel(g, 0, 57, 60, 2), 0);
    assert_int_equal(graph_pixel(g, 0, 50, 65, 2), 0);
}

/*
 * In each copied 16-bit pixel, BLIT clears bit 15, or sets it if the object has the
 * option CLUT_BYPASS. In each copied 32-bit pixel, BLIT clears bits 31 and 30.
 */
static void test_unused_bits(void **state)
{
    Graph *g = *state;

    for (unsigned w = 1; w < 40; w++) {
        for (unsigned x = 0; x < w; x++) {
            graph_set_pixel(g, 0, x, 0, 2, 0x8000 | x);
        }
        bind_blit(g, GRAPH_COPY);
        blit(g, 0, 0, 0, 1, w, 1);
        bind_blit(g, GRAPH_COPY | 0x200);
        blit(g, 0, 0, 0, 2, w, 1);
        for (unsigned x = 0; x < w; x++) {
            assert_int_equal(graph_pixel(g, 0, x, 1, 2), x);
            assert_int_equal(graph_pixel(g, 0, x, 2, 2), 0x8000 | x);
        }
    }
    graph_formats(g, NV3_SURF_X8R8G8B8);
    graph_set_pixel(g, 0, 0, 0, 4, 0xffffffff);
    bind_blit(g, GRAPH_COPY);
    blit(g, 0, 0, 1, 0, 1, 1);
    assert_int_equal(graph_pixel(g, 0, 1, 0, 4), 0x3fffffff);
}

static void test_source_canvas(void **state)
{
    Graph *g = *state;

    draw_image(g, 0, 2, 0x7fff);
    host_wr32(g->host, NV3_PGRAPH_SRC_CANVAS_MIN, graph_xy(10, 10));
    host_wr32(g->host, NV3_PGRAPH_SRC_CANVAS_MAX, graph_xy(20, 14));
    bind_blit(g, GRAPH_COPY);
    blit(g, 5, 5, 100, 50, 30, 20);
    for (int y = 0; y < 20; y++) {
        for (int x = 0; x < 30; x++) {
            bool in = x >= 5 && x < 15 && y >= 5 && y < 9;

            assert_int_equal(graph_pixel(g, 0, 100 + x, 50 + y, 2),
                             in ? image[5 + y][5 + x] : 0);
        }
    }
}

static void test_cliprects(void **state)
{
    Graph *g = *state;

    draw_image(g, 0, 2, 0x7fff);
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MIN(0), graph_xy(60, 50));
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MAX(0), graph_xy(70, 55));
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_CTRL, 0x11);
    bind_blit(g, GRAPH_COPY);
    blit(g, 0, 0, 50, 48, 40, 10);
    for (int y = 48; y < 58; y++) {
        for (int x = 50; x < 90; x++) {
            bool hole = x >= 60 && x < 70 && y >= 50 && y < 55;

            assert_int_equal(graph_pixel(g, 0, x, y, 2),
                             hole ? image[y][x] : image[y - 48][x - 50]);
        }
    }
}

static void test_rop(void **state)
{
    Graph *g = *state;

    draw_image(g, 0, 2, 0x7fff);
    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_ROP });
    graph_mthd(g, 1, NV3_ROP_ROP, 0x66);
    host_wr32(g->host, NV3_PGRAPH_PATTERN_A(0), 1);
    bind_blit(g, 0x10u << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT);
    blit(g, 0, 0, 100, 40, 20, 10);
    for (int y = 0; y < 10; y++) {
        for (int x = 0; x < 20; x++) {
            assert_int_equal(graph_pixel(g, 0, 100 + x, 40 + y, 2),
                             image[40 + y][100 + x] ^ image[y][x]);
        }
    }
}

/* BLIT does not copy source pixels that equal the colour key. */
static void test_chroma(void **state)
{
    Graph *g = *state;

    for (int x = 0; x < 16; x++) {
        graph_set_pixel(g, 0, x, 0, 2, x & 1 ? 0x7c1f : 0x0123);
        graph_set_pixel(g, 0, x, 1, 2, 0x5555);
    }
    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_CHROMA });
    graph_mthd(g, 1, NV3_CHROMA_COLOR, 0x7c1f);
    bind_blit(g, GRAPH_COPY | NV3_GROBJ_CHROMA);
    blit(g, 0, 0, 0, 1, 16, 1);
    for (int x = 0; x < 16; x++) {
        assert_int_equal(graph_pixel(g, 0, x, 1, 2), x & 1 ? 0x5555 : 0x0123);
    }
}

static void assert_refused(Graph *g, uint32_t size, uint32_t intr)
{
    assert_true(graph_try(g, 0, NV3_BLIT_SIZE, size));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR), intr);
    graph_resume(g);
}

static void test_errors(void **state)
{
    Graph *g = *state;

    bind_blit(g, GRAPH_COPY);
    assert_refused(g, graph_xy(1, 1), NV3_PGRAPH_INTR_MISSING_METHOD);
    bind_blit(g, GRAPH_COPY);
    graph_mthd(g, 0, NV3_BLIT_POINT_IN, graph_xy(0x7fff, 0));
    graph_mthd(g, 0, NV3_BLIT_POINT_OUT, 0);
    assert_refused(g, graph_xy(1, 1), NV3_PGRAPH_INTR_RANGE);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_FORMAT_CHECK);
    host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, 0x0076);
    bind_blit(g, GRAPH_COPY | 1u << NV3_GROBJ_SURFACE_SHIFT);
    graph_mthd(g, 0, NV3_BLIT_POINT_IN, 0);
    graph_mthd(g, 0, NV3_BLIT_POINT_OUT, 0);
    assert_refused(g, graph_xy(1, 1), NV3_PGRAPH_INTR_MISSING_FORMAT);
}

static void test_source_beyond_vram(void **state)
{
    Graph *g = *state;

    draw_image(g, 0, 2, 0x7fff);
    host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(1),
              g->host->config.vram_size - 2 * GRAPH_PITCH);
    bind_blit(g, GRAPH_COPY | 1u << NV3_GROBJ_SURFACE_SHIFT);
    blit(g, 0, 0, 0, 0, 8, 8);
    for (int x = 0; x < 8; x++) {
        assert_int_equal(graph_pixel(g, 0, x, 2, 2), 0);
        assert_int_equal(graph_pixel(g, 0, x, 7, 2), 0);
    }
}

/*
 * A copy in several slices must have the same result as a copy in one slice, both for
 * copies from top to bottom and for copies from bottom to top.
 */
static void check_slices(Graph *g, int dy)
{
    const int n = 500;
    uint8_t *base = g->host->vram + GRAPH_SURF(0);
    unsigned slices = 0;

    host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(0), 4096);
    host_wr32(g->host, NV3_PGRAPH_SRC_CANVAS_MAX, graph_xy(2000, 600));
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_xy(2000, 600));
    for (int y = 0; y < 600; y++) {
        memset(base + y * 4096, y & 0x7f, 4000);
    }
    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_ROP });
    graph_mthd(g, 1, NV3_ROP_ROP, 0xcc);
    host_wr32(g->host, NV3_PGRAPH_PATTERN_A(0), 1);
    bind_blit(g, 0x10u << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT);
    graph_mthd(g, 0, NV3_BLIT_POINT_IN, graph_xy(0, 50));
    graph_mthd(g, 0, NV3_BLIT_POINT_OUT, graph_xy(0, 50 + dy));
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_BLIT_SIZE,
                                  graph_xy(2000, n), g->ctx[0]));
    while (nv3_pgraph_step(g->s)) {
        slices++;
    }
    assert_in_range(slices, 3, 1000);
    for (int y = 0; y < n; y++) {
        assert_int_equal(base[(50 + dy + y) * 4096 + 100], (50 + y) & 0x7f);
        assert_int_equal(base[(50 + dy + y) * 4096 + 3999], (50 + y) & 0x7f);
    }
}

static void test_slices(void **state)
{
    check_slices(*state, 7);
    check_slices(*state, -7);
}

static void test_hostile(void **state)
{
    Graph *g = *state;
    uint32_t seed = 4242;

    for (unsigned i = 0; i < 400; i++) {
        for (unsigned j = 0; j < 4; j++) {
            host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(j), graph_rand(&seed));
            host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(j), graph_rand(&seed));
        }
        host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_SRC_CANVAS_MIN, graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_SRC_CANVAS_MAX, graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MIN, 0);
        host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_rand(&seed));
        bind_blit(g, graph_rand(&seed) & ~NV3_GROBJ_CLIP);
        graph_mthd(g, 0, NV3_BLIT_POINT_IN, graph_rand(&seed));
        graph_mthd(g, 0, NV3_BLIT_POINT_OUT, graph_rand(&seed) & 0x01ff01ff);
        graph_try(g, 0, NV3_BLIT_SIZE, graph_rand(&seed) & 0x03ff03ff);
        graph_resume(g);
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_random),
        T(test_overlap),
        T(test_surfaces),
        T(test_unused_bits),
        T(test_source_canvas),
        T(test_cliprects),
        T(test_rop),
        T(test_chroma),
        T(test_errors),
        T(test_source_beyond_vram),
        T(test_slices),
        T(test_hostile),
    };

    return cmocka_run_group_tests_name("class_blit", tests, NULL, NULL);
}
