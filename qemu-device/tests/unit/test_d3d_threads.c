/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests class 0x17 with raster threads, and with triangles so large that the core draws
 * them in slices. The contents of memory must not depend on the number of threads, even
 * if textures and 2D classes read pixels that triangles have drawn. A call of nv3_run()
 * must not draw all of a large triangle, and the chip's state can be saved and loaded
 * before the triangle is complete.
 */
#include "graph.h"
#include "saved.h"

#define SUBCH       2
#define RECT_SUBCH  4
#define TEX_INST    0x10000u        /* DMA object for all of VRAM */
#define TEXTURE     0x400000u
#define LEVEL       6u
#define WIDTH       1024
#define HEIGHT      700
#define PITCH       2048
#define COLOR       0x000000u
#define ZETA        0x200000u

#define OPTIONS     (NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT | \
                     1u << NV3_GROBJ_DST_SHIFT | NV3_GROBJ_ZETA)
#define CONFIG      (NV3_D3D_INTERP_FOH_CENTER | \
                     NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT | \
                     NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT | \
                     NV3_D3D_CONFIG_ALPHA | \
                     NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT | \
                     NV3_D3D_CMP_LEQUAL << NV3_D3D_CONFIG_Z_FUNC_SHIFT | \
                     NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_Z_WRITE_SHIFT | \
                     NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT)
#define FORMAT(f)   ((uint32_t)(f) << NV3_D3D_TEX_FORMAT_SHIFT | \
                     LEVEL << NV3_D3D_TEX_SIZE_MIN_SHIFT | \
                     LEVEL << NV3_D3D_TEX_SIZE_MAX_SHIFT)

static Graph *new_graph(unsigned threads)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 8 << 20, .virt = true,
        .raster_threads = threads,
    };
    Graph *g = graph_new_config(&config);
    uint32_t seed = 5;

    graph_formats(g, NV3_SURF_X1R5G5B5);
    host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), COLOR);
    host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(3), ZETA);
    host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(0), PITCH);
    host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(3), PITCH);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, HEIGHT << 16 | WIDTH);
    memset(g->host->vram + ZETA, 0xff, PITCH * HEIGHT);
    for (unsigned i = 0; i < 1u << (2 * LEVEL); i++) {
        uint16_t texel = graph_rand(&seed);

        memcpy(g->host->vram + TEXTURE + 2 * i, &texel, 2);
    }
    host_dmaobj(g->host, TEX_INST, NV3_DMAOBJ_TARGET_VRAM, 0, 0x600000, false);
    graph_bind(g, SUBCH, (GraphObject) {
        .class = NV3_CLASS_D3D, .options = OPTIONS, .dma = TEX_INST >> 4,
    });
    graph_bind(g, RECT_SUBCH, (GraphObject) {
        .class = NV3_CLASS_RECT, .options = GRAPH_COPY,
    });
    return g;
}

/* Runs the chip until PGRAPH is ready, and submits a method as the puller does. */
static void feed(Graph *g, unsigned subch, uint32_t mthd, uint32_t data)
{
    while (!nv3_pgraph_ready(g->s)) {
        assert_int_equal(g->s->pgraph.intr, 0);
        nv3_run(g->s, 1);
    }
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, subch, mthd, data,
                                  g->ctx[subch]));
}

static void finish(Graph *g)
{
    while (!nv3_pgraph_idle(g->s)) {
        nv3_run(g->s, 1);
    }
    nv3_run(g->s, 0);
    assert_null(g->s->pgraph.deferred);
}

static void texture(Graph *g, uint32_t offset, unsigned format)
{
    feed(g, SUBCH, NV3_D3D_TEX_OFFSET, offset);
    feed(g, SUBCH, NV3_D3D_TEX_FORMAT, FORMAT(format));
}

static void set_state(Graph *g)
{
    texture(g, TEXTURE, NV3_D3D_TEX_R5G6B5);
    feed(g, SUBCH, NV3_D3D_TEX_FILTER, 0);
    feed(g, SUBCH, NV3_D3D_FOG_COLOR, 0x204060);
    feed(g, SUBCH, NV3_D3D_CONFIG, CONFIG);
    feed(g, SUBCH, NV3_D3D_ALPHA, NV3_D3D_CMP_ALWAYS << 8);
}

static uint32_t bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof(u));
    return u;
}

static float unit(uint32_t *seed)
{
    return (graph_rand(seed) & 0xffff) / 65536.0f;
}

static void vertex(Graph *g, uint32_t tri, float x, float y, uint32_t *seed)
{
    feed(g, SUBCH, NV3_D3D_FOG_TRI(0), tri);
    feed(g, SUBCH, NV3_D3D_COLOR(0), graph_rand(seed));
    feed(g, SUBCH, NV3_D3D_X(0), bits(x));
    feed(g, SUBCH, NV3_D3D_Y(0), bits(y));
    feed(g, SUBCH, NV3_D3D_Z(0), bits(unit(seed)));
    feed(g, SUBCH, NV3_D3D_RHW(0), bits(0.1f + unit(seed)));
    feed(g, SUBCH, NV3_D3D_U(0), bits(4 * unit(seed)));
    feed(g, SUBCH, NV3_D3D_V(0), bits(4 * unit(seed)));
}

/* Sends four vertices, the last of which draws two triangles. */
static void shape(Graph *g, float size, uint32_t *seed)
{
    static const uint32_t tri[4] = { 0, 1, 2, 0x312203 };
    float x = unit(seed) * WIDTH, y = unit(seed) * HEIGHT;

    for (unsigned i = 0; i < 4; i++) {
        vertex(g, tri[i] | graph_rand(seed) << 24, x + (unit(seed) - 0.5f) * size,
               y + (unit(seed) - 0.5f) * size, seed);
    }
}

static void rect(Graph *g, uint32_t *seed)
{
    feed(g, RECT_SUBCH, NV3_RECT_COLOR, graph_rand(seed) & 0x7fff);
    feed(g, RECT_SUBCH, NV3_RECT_POINT(0), graph_xy(graph_rand(seed) % WIDTH,
                                                     graph_rand(seed) % HEIGHT));
    feed(g, RECT_SUBCH, NV3_RECT_SIZE(0), graph_xy(graph_rand(seed) % 200,
                                                    graph_rand(seed) % 200));
}

/* Sends a pseudo-random sequence of methods, which depends only on @seed. */
static void program(Graph *g, uint32_t seed)
{
    static const float sizes[4] = { 8, 60, 500, 4000 };

    set_state(g);
    for (unsigned i = 0; i < 120; i++) {
        switch (graph_rand(&seed) % 12) {
        case 0:
            rect(g, &seed);
            /*
             * Binding an object invalidates the state, so send the complete state again.
             */
            set_state(g);
            break;
        case 1:
            /* Use recently drawn pixels as the texture. */
            texture(g, COLOR + graph_rand(&seed) % 64 * 4096,
                    NV3_D3D_TEX_R5G6B5);
            break;
        case 2:
            texture(g, TEXTURE, graph_rand(&seed) & 3);
            break;
        case 3:
            feed(g, SUBCH, NV3_D3D_CONFIG, CONFIG ^ (graph_rand(&seed) & 0xf0000000));
            break;
        case 4:
            nv3_run(g->s, 1);
            break;
        default:
            for (unsigned n = graph_rand(&seed) % 8; n-- > 0;) {
                shape(g, sizes[graph_rand(&seed) & 3], &seed);
            }
            break;
        }
    }
    finish(g);
}

static void test_same_memory(void **state)
{
    static const unsigned threads[] = { 2, 3, 8 };

    for (uint32_t seed = 1; seed <= 6; seed++) {
        Graph *one = new_graph(1), *many = new_graph(threads[seed % 3]);

        program(one, seed * 77);
        program(many, seed * 77);
        assert_memory_equal(one->host->vram, many->host->vram, 8 << 20);
        assert_int_equal(one->s->counters[NV3_PVIRT_COUNTER_PIXELS],
                         many->s->counters[NV3_PVIRT_COUNTER_PIXELS]);
        assert_true(one->s->counters[NV3_PVIRT_COUNTER_PIXELS] > 1000000);
        graph_free(one);
        graph_free(many);
    }
}

/*
 * If the depth and colour surfaces overlap in memory, the core cannot divide the work
 * among threads. The result must nevertheless be the same.
 */
static void test_shared_memory(void **state)
{
    Graph *one = new_graph(1), *many = new_graph(4);

    host_wr32(one->host, NV3_PGRAPH_SURF_OFFSET(3), COLOR + 4096);
    host_wr32(many->host, NV3_PGRAPH_SURF_OFFSET(3), COLOR + 4096);
    program(one, 4711);
    program(many, 4711);
    assert_memory_equal(one->host->vram, many->host->vram, 8 << 20);
    graph_free(one);
    graph_free(many);
}

/*
 * Sends four vertices, the last of which draws two triangles that cover the canvas. Calls
 * nv3_run() until PGRAPH is idle, but at most @stop_after times. Returns the number of
 * calls.
 */
static unsigned large(Graph *g, unsigned stop_after)
{
    uint32_t seed = 3;
    unsigned steps = 0;

    set_state(g);
    vertex(g, 0, -900, -900, &seed);
    vertex(g, 1, 2000, -900, &seed);
    vertex(g, 2, -900, 2000, &seed);
    vertex(g, 0x012203, 2000, 2000, &seed);
    while (!nv3_pgraph_idle(g->s) && steps < stop_after) {
        assert_true(nv3_run(g->s, 1));
        steps++;
    }
    return steps;
}

static void test_slices(void **state)
{
    const bool scalar = nv3_simd_select(NV3_SIMD_AUTO) == NV3_SIMD_SCALAR;

    for (unsigned threads = 1; threads <= 2; threads++) {
        Graph *g = new_graph(threads);
        unsigned steps = large(g, 1000);

        /*
         * With SIMD, a slice draws up to 131,072 pixels per thread. Without SIMD, the
         * cost of a pixel is eight times as high. Each triangle has 716,800 pixels.
         */
        assert_in_range(steps, 4, scalar ? 120 : 30);
        finish(g);
        assert_int_equal(g->s->counters[NV3_PVIRT_COUNTER_TRIANGLES], 2);
        graph_free(g);
    }
}

/* Saves and loads the chip before each slice of two large triangles. */
static void test_saved_at_work(void **state)
{
    Graph *whole = new_graph(1);
    unsigned steps = large(whole, 1000);

    finish(whole);
    for (unsigned i = 0; i < steps; i++) {
        Graph *from = new_graph(1), *to = new_graph(3);
        uint8_t *buf = test_malloc(saved_size());
        NV3LoadError error;

        large(from, i);
        assert_false(nv3_pgraph_idle(from->s));
        assert_int_equal(host_rd32(from->host, NV3_PGRAPH_STATUS) & 1, 1);
        saved_take(from->s, buf);
        memcpy(to->host->vram, from->host->vram, 8 << 20);
        assert_true(saved_put(to->s, buf, &error));
        finish(to);
        assert_memory_equal(to->host->vram, whole->host->vram, 8 << 20);
        test_free(buf);
        graph_free(from);
        graph_free(to);
    }
    graph_free(whole);
}

/*
 * When the chip writes a notification, it must have written all pixels of earlier drawing
 * to memory.
 */
static void test_notify_waits(void **state)
{
    Graph *g = new_graph(4);
    uint32_t seed = 8;

    host_dmaobj(g->host, TEX_INST + 0x1000, NV3_DMAOBJ_TARGET_VRAM, 0x700000, 4096,
                true);
    graph_bind(g, SUBCH + 1, (GraphObject) {
        .class = NV3_CLASS_D3D, .options = OPTIONS, .dma = TEX_INST >> 4,
        .notify = (TEX_INST + 0x1000) >> 4,
    });
    graph_bind(g, SUBCH, (GraphObject) {
        .class = NV3_CLASS_D3D, .options = OPTIONS, .dma = TEX_INST >> 4,
        .notify = (TEX_INST + 0x1000) >> 4,
    });
    finish(g);
    set_state(g);
    shape(g, 100, &seed);
    assert_non_null(g->s->pgraph.deferred);
    feed(g, SUBCH, NV3_MTHD_NOTIFY, 0);
    assert_non_null(g->s->pgraph.deferred);
    feed(g, SUBCH, NV3_D3D_FOG_COLOR, 0);
    assert_null(g->s->pgraph.deferred);
    graph_free(g);
}

/*
 * A copy of VRAM, such as a migration makes: each range has the contents that it had when
 * the chip last reported it as dirty.
 */
static uint8_t *sent;

static void send_dirty(void *opaque, uint32_t offset, uint32_t len)
{
    const Host *h = opaque;

    memcpy(sent + offset, h->vram + offset, len);
}

/*
 * The core must report a range of VRAM as dirty only after it has written the range, even
 * if raster threads draw the triangles in batches, and if the state changes between
 * triangles.
 */
static void test_dirty_after_drawing(void **state)
{
    static const unsigned threads[] = { 1, 2, 4 };

    for (unsigned i = 0; i < 3; i++) {
        Graph *g = new_graph(threads[i]);
        uint32_t seed = 99;

        sent = test_malloc(8 << 20);
        memcpy(sent, g->host->vram, 8 << 20);
        g->s->ops.vram_dirty = send_dirty;
        set_state(g);
        for (unsigned n = 0; n < 200; n++) {
            shape(g, 60, &seed);
            switch (n % 4) {
            case 0:
                feed(g, SUBCH, NV3_D3D_FOG_COLOR, graph_rand(&seed) & 0xffffff);
                break;
            case 1:
                texture(g, TEXTURE, graph_rand(&seed) & 3);
                break;
            case 2:
                host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0),
                          COLOR + graph_rand(&seed) % 8 * 4096);
                break;
            }
        }
        program(g, 1234 + i);
        assert_memory_equal(sent, g->host->vram, 8 << 20);
        test_free(sent);
        graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dirty_after_drawing),
        cmocka_unit_test(test_same_memory),
        cmocka_unit_test(test_shared_memory),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_saved_at_work),
        cmocka_unit_test(test_notify_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
