/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests class SIFM: scaling, formats, YUV, clips, edges of the source, and faults. */
#include "graph.h"

#define OBJ     0xe000u
#define SIZE    0x10000u
#define FIXED(v)    ((uint32_t)(int32_t)((v) * (1 << 20)))

#define YUYV    5
#define UYVY    6
#define PLANES  7

static uint8_t *source(Graph *g)
{
    return host_mem_ptr(g->host, HOST_MEM_BASE, SIZE);
}

static void bind_sifm(Graph *g, unsigned format)
{
    host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, SIZE, false);
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_SIFM, .dma = OBJ >> 4,
        .options = GRAPH_COPY | format,
    });
    host_wr32(g->host, NV3_PGRAPH_GROBJ_INST, 0);
    graph_mthd(g, 0, NV3_SIFM_CLIP_POINT, 0);
    graph_mthd(g, 0, NV3_SIFM_CLIP_SIZE, graph_xy(250, 125));
}

typedef struct Scale {
    int x, y, w, h;         /* output rectangle */
    double du, dv, u, v;
    int in_w, in_h, pitch;
} Scale;

static void output(Graph *g, const Scale *t)
{
    graph_mthd(g, 0, NV3_SIFM_POINT, graph_xy(t->x, t->y));
    graph_mthd(g, 0, NV3_SIFM_SIZE_OUT, graph_xy(t->w, t->h));
    graph_mthd(g, 0, NV3_SIFM_DU_DX, FIXED(t->du));
    graph_mthd(g, 0, NV3_SIFM_DV_DY, FIXED(t->dv));
    graph_mthd(g, 0, NV3_SIFM_SIZE_IN, graph_xy(t->in_w, t->in_h));
}

static uint32_t position(const Scale *t)
{
    return ((int)(t->u * 16) & 0xffff) | (uint32_t)(int)(t->v * 16) << 16;
}

static void scale(Graph *g, const Scale *t)
{
    output(g, t);
    graph_mthd(g, 0, NV3_SIFM_PITCH, t->pitch);
    graph_mthd(g, 0, NV3_SIFM_OFFSET(0), 0x100);
    graph_mthd(g, 0, NV3_SIFM_SOURCE, position(t));
}

static int hold(double at, int count)
{
    int i = at < 0 ? (int)(at - 0.999999) : (int)at;

    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

static uint32_t texel(int u, int v)
{
    return (v * 64 + u + 1) & 0x7fff;
}

static void check(Graph *g, Scale t)
{
    memset(g->host->vram + GRAPH_SURF(0), 0, GRAPH_HEIGHT * GRAPH_PITCH);
    for (int v = 0; v < t.in_h; v++) {
        for (int u = 0; u < t.in_w; u++) {
            uint8_t *p = source(g) + 0x100 + v * t.pitch + u * 2;

            p[0] = texel(u, v);
            p[1] = texel(u, v) >> 8;
        }
    }
    bind_sifm(g, NV3_GROBJ_FORMAT_R5G5B5);
    scale(g, &t);
    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        for (int x = 0; x < GRAPH_WIDTH; x++) {
            bool in = x >= t.x && x < t.x + t.w && y >= t.y && y < t.y + t.h &&
                      x < 250 && y < 125;
            uint32_t want = !in ? 0 :
                texel(hold(t.u + (x - t.x) * t.du, t.in_w),
                      hold(t.v + (y - t.y) * t.dv, t.in_h));

            if (graph_pixel(g, 0, x, y, 2) != want) {
                fail_msg("%g %g: pixel %d, %d is 0x%x, not 0x%x", t.du, t.dv, x,
                         y, graph_pixel(g, 0, x, y, 2), want);
            }
        }
    }
}

static void test_scales(void **state)
{
    Graph *g = *state;

    check(g, (Scale) { 10, 10, 60, 40, 1, 1, 0, 0, 60, 40, 128 });
    check(g, (Scale) { 10, 10, 120, 80, 0.5, 0.5, 0, 0, 60, 40, 128 });
    check(g, (Scale) { 10, 10, 30, 10, 2, 4, 0, 0, 60, 40, 128 });
    check(g, (Scale) { -7, -5, 200, 100, 0.25, 0.375, 1.5, 2.25, 60, 40, 130 });
    check(g, (Scale) { 200, 100, 200, 100, 1, 1, 0, 0, 60, 40, 128 });
    /* The output extends beyond the edges of the source, is mirrored, or is empty. */
    check(g, (Scale) { 5, 5, 90, 60, 1, 1, -10, -4, 60, 40, 128 });
    check(g, (Scale) { 5, 5, 60, 40, -1, -1, 59, 39, 60, 40, 128 });
    check(g, (Scale) { 0, 0, 0, 5, 1, 1, 0, 0, 60, 40, 128 });
}

static void put32(uint8_t *p, uint32_t val)
{
    for (unsigned i = 0; i < 4; i++) {
        p[i] = val >> 8 * i;
    }
}

static void test_formats(void **state)
{
    Graph *g = *state;
    const Scale t = { 0, 0, 2, 1, 1, 1, 0, 0, 2, 1, 64 };

    graph_formats(g, NV3_SURF_X8R8G8B8);
    put32(source(g) + 0x100, 0xff123456);
    put32(source(g) + 0x104, 0x00fedcba);
    bind_sifm(g, NV3_GROBJ_FORMAT_R8G8B8);
    scale(g, &t);
    assert_int_equal(graph_pixel(g, 0, 0, 0, 4), 0x00123456);
    assert_int_equal(graph_pixel(g, 0, 1, 0, 4), 0x00fedcba);
    bind_sifm(g, NV3_GROBJ_FORMAT_Y8);
    scale(g, &t);
    assert_int_equal(graph_pixel(g, 0, 0, 0, 4), 0x00565656);
    assert_int_equal(graph_pixel(g, 0, 1, 0, 4), 0x00343434);
}

/*
 * Tests the conversion of R5G5B5 colours to a surface of 32 bits per pixel. The clip
 * truncates the output.
 */
static void test_windows(void **state)
{
    Graph *g = *state;
    const Scale t = { 3, 2, 256, 100, 1, 1, 0, 0, 256, 100, 512 };

    graph_formats(g, NV3_SURF_X8R8G8B8);
    for (unsigned first = 0; first < 0x10000; first += 20000) {
        for (unsigned i = 0; i < 256 * 100; i++) {
            source(g)[0x100 + i * 2] = first + i;
            source(g)[0x100 + i * 2 + 1] = (first + i) >> 8;
        }
        bind_sifm(g, NV3_GROBJ_FORMAT_R5G5B5);
        scale(g, &t);
        for (int y = 2; y < 102; y++) {
            for (int x = 3; x < 250; x++) {
                unsigned c = first + (y - 2) * 256 + x - 3;

                assert_int_equal(graph_pixel(g, 0, x, y, 4),
                                 (c >> 10 & 31) << 19 | (c >> 5 & 31) << 11 |
                                 (c & 31) << 3);
            }
        }
    }
}

#define SURFACES    (GRAPH_SURF(4) - GRAPH_SURF(0))
/*
 * Number of bytes at the end of VRAM that are compared in addition to the surfaces. They
 * are part of RAMIN.
 */
#define TAIL        0x10000u

/*
 * Randomizes all state on which the drawing of a line may depend. Enables each optional
 * feature of the object with a probability of one in six.
 */
static void random_state(Graph *g, uint32_t *seed, GraphObject *object)
{
    const uint32_t sometimes[] = {
        NV3_GROBJ_ALPHA, NV3_GROBJ_CHROMA, NV3_GROBJ_PLANE,
        0x200 /* CLUT_BYPASS */, 1u << (NV3_GROBJ_DST_SHIFT + 1),
        1u << (NV3_GROBJ_DST_SHIFT + 3),
    };
    uint32_t op = graph_rand(seed) & 1 ? NV3_GROBJ_OP_SRCCOPY :
                  graph_rand(seed) & 0x1f;

    object->options = op << NV3_GROBJ_OP_SHIFT | 1u << NV3_GROBJ_DST_SHIFT |
                      (graph_rand(seed) & 1 ? graph_rand(seed) & 7 :
                       NV3_GROBJ_FORMAT_R5G5B5);
    for (size_t i = 0; i < sizeof(sometimes) / sizeof(sometimes[0]); i++) {
        object->options |= graph_rand(seed) % 6 ? 0 : sometimes[i];
    }
    graph_formats(g, graph_rand(seed) & 1 ? NV3_SURF_X8R8G8B8 :
                  graph_rand(seed) & 3);
    host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), graph_rand(seed) & 7 ?
              GRAPH_SURF(0) : g->s->vram_size - 4 * GRAPH_PITCH - 160);
    host_wr32(g->host, NV3_PGRAPH_ROP, graph_rand(seed) & 0xff);
    host_wr32(g->host, NV3_PGRAPH_BETA, graph_rand(seed) & 0x7f800000);
    host_wr32(g->host, NV3_PGRAPH_CHROMA, graph_rand(seed) & 0x7fffffff);
    for (unsigned i = 0; i < 2; i++) {
        host_wr32(g->host, NV3_PGRAPH_PATTERN_A(i),
                  graph_rand(seed) & 1 ? 0xff : 0);
        host_wr32(g->host, NV3_PGRAPH_PATTERN_MONO(i), graph_rand(seed));
        host_wr32(g->host, NV3_PGRAPH_PATTERN_RGB(i),
                  graph_rand(seed) & 0x3fffffff);
    }
}

static Scale random_scale(uint32_t *seed)
{
    const double steps[] = { 1, 1, 1, 1, 0.5, -1, 1 + 1.0 / (1 << 20), 0 };
    Scale t = {
        .x = (int)(graph_rand(seed) % 60) - 20,
        .y = (int)(graph_rand(seed) % 60) - 20,
        .w = graph_rand(seed) % 280, .h = graph_rand(seed) % 40,
        .du = steps[graph_rand(seed) & 7], .dv = steps[graph_rand(seed) & 7],
        .in_w = 1 + graph_rand(seed) % 300, .in_h = 1 + graph_rand(seed) % 40,
        .pitch = 1200,
    };

    if (graph_rand(seed) & 1) {
        t.in_w = t.w + 1;
        t.in_h = t.h + 1;
    }
    if (!(graph_rand(seed) & 3)) {
        t.u = (int)(graph_rand(seed) & 0x3ff) / 16.0 - 8;
        t.v = (int)(graph_rand(seed) & 0x3ff) / 16.0 - 8;
    }
    return t;
}

static uint64_t draw_alike(Graph *g, const GraphObject *object, const Scale *t,
                           bool by_pixels, const uint8_t *noise, uint8_t *result)
{
    bool planes = (object->options & 7) == PLANES;
    uint64_t before = g->s->counters[NV3_PVIRT_COUNTER_PIXELS];
    uint8_t *end = g->host->vram + g->s->vram_size - TAIL, saved[TAIL];
    /*
     * For formats with a single plane, the tenth method starts to draw, so the test omits
     * the last two methods.
     */
    unsigned count = planes ? 12 : 10;
    const uint32_t methods[12][2] = {
        { NV3_SIFM_CLIP_POINT, 0 }, { NV3_SIFM_CLIP_SIZE, graph_xy(250, 125) },
        { NV3_SIFM_POINT, graph_xy(t->x, t->y) },
        { NV3_SIFM_SIZE_OUT, graph_xy(t->w, t->h) },
        { NV3_SIFM_DU_DX, FIXED(t->du) }, { NV3_SIFM_DV_DY, FIXED(t->dv) },
        { NV3_SIFM_SIZE_IN, graph_xy(t->in_w, t->in_h) },
        { NV3_SIFM_PITCH, t->pitch | (planes ? t->pitch << 16 : 0) },
        { NV3_SIFM_OFFSET(0), 0x100 },
        { NV3_SIFM_OFFSET(1), planes ? 0x102 : position(t) },
        { NV3_SIFM_OFFSET(2), 0x104 }, { NV3_SIFM_SOURCE_PLANES, position(t) },
    };

    memcpy(g->host->vram + GRAPH_SURF(0), noise, SURFACES);
    memcpy(saved, end, TAIL);
    /*
     * If @by_pixels is not 0, enable clip rectangles. They contain all pixels of the
     * output, so their only effect is that the core tests each pixel.
     */
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_CTRL, by_pixels);
    graph_bind(g, 0, *object);
    /* Make the next method reload the whole object. */
    host_wr32(g->host, NV3_PGRAPH_GROBJ_INST, 0);
    for (unsigned i = 0; i < count; i++) {
        graph_try(g, 0, methods[i][0], methods[i][1]);
        graph_resume(g);
    }
    memcpy(result, g->host->vram + GRAPH_SURF(0), SURFACES);
    memcpy(result + SURFACES, end, TAIL);
    memcpy(end, saved, TAIL);
    return g->s->counters[NV3_PVIRT_COUNTER_PIXELS] - before;
}

/*
 * The loops that draw whole lines must draw the same pixels as the code that tests each
 * pixel.
 */
static void test_alike(void **state)
{
    Graph *g = *state;
    uint8_t *noise = test_malloc(SURFACES);
    uint8_t *line = test_malloc(SURFACES + TAIL);
    uint8_t *pixel = test_malloc(SURFACES + TAIL);
    uint32_t seed = 99;
    unsigned drawn = 0;

    for (uint32_t i = 0; i < SIZE; i += 4) {
        put32(source(g) + i, graph_rand(&seed));
    }
    for (uint32_t i = 0; i < SURFACES; i += 4) {
        put32(noise + i, graph_rand(&seed));
    }
    host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, SIZE, false);
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MIN(0), 0);
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MAX(0), 0xffffffff);
    for (unsigned i = 0; i < 400; i++) {
        GraphObject object = { .class = NV3_CLASS_SIFM, .dma = OBJ >> 4 };
        Scale t = random_scale(&seed);
        uint64_t count;

        random_state(g, &seed, &object);
        count = draw_alike(g, &object, &t, false, noise, line);
        assert_int_equal(count, draw_alike(g, &object, &t, true, noise, pixel));
        assert_memory_equal(line, pixel, SURFACES + TAIL);
        drawn += count > 0;
    }
    assert_in_range(drawn, 200, 400);
    test_free(noise);
    test_free(line);
    test_free(pixel);
}

static void assert_near(uint32_t got, unsigned r, unsigned g, unsigned b)
{
    const unsigned want[3] = { b, g, r };

    for (unsigned i = 0; i < 3; i++) {
        unsigned c = got >> 8 * i & 0xff;

        assert_in_range(c + 2, want[i], want[i] + 4);
    }
}

/* Reference values of BT.601: black, white, the primaries, and grey. */
static const struct {
    uint8_t y, u, v, r, g, b;
} yuv[] = {
    { 16, 128, 128, 0, 0, 0 }, { 235, 128, 128, 255, 255, 255 },
    { 81, 90, 240, 255, 0, 0 }, { 145, 54, 34, 0, 255, 0 },
    { 41, 240, 110, 0, 0, 255 }, { 126, 128, 128, 128, 128, 128 },
};

static void test_yuv_packed(void **state)
{
    Graph *g = *state;
    const Scale t = { 0, 0, 2, 1, 1, 1, 0, 0, 2, 1, 64 };

    graph_formats(g, NV3_SURF_X8R8G8B8);
    for (size_t i = 0; i < sizeof(yuv) / sizeof(yuv[0]); i++) {
        for (unsigned swap = 0; swap < 2; swap++) {
            uint8_t *p = source(g) + 0x100;

            p[swap] = yuv[i].y;
            p[!swap] = yuv[i].u;
            p[2 + swap] = 16;
            p[2 + !swap] = yuv[i].v;
            bind_sifm(g, swap ? UYVY : YUYV);
            scale(g, &t);
            assert_near(graph_pixel(g, 0, 0, 0, 4), yuv[i].r, yuv[i].g,
                        yuv[i].b);
        }
    }
}

static void test_yuv_planes(void **state)
{
    Graph *g = *state;
    const Scale t = { 3, 3, 6, 4, 1, 1, 0, 0, 6, 4, 0 };
    uint8_t *p = source(g);

    graph_formats(g, NV3_SURF_X8R8G8B8);
    for (unsigned y = 0; y < 4; y++) {
        for (unsigned x = 0; x < 6; x++) {
            p[0x100 + y * 16 + x] = yuv[y / 2 * 3 + x / 2].y;
            p[0x200 + y / 2 * 8 + x / 2] = yuv[y / 2 * 3 + x / 2].u;
            p[0x300 + y / 2 * 8 + x / 2] = yuv[y / 2 * 3 + x / 2].v;
        }
    }
    bind_sifm(g, PLANES);
    output(g, &t);
    graph_mthd(g, 0, NV3_SIFM_PITCH, 8 << 16 | 16);
    for (unsigned i = 0; i < 3; i++) {
        graph_mthd(g, 0, NV3_SIFM_OFFSET(i), 0x100 + i * 0x100);
    }
    graph_mthd(g, 0, NV3_SIFM_SOURCE_PLANES, 0);
    for (unsigned y = 0; y < 4; y++) {
        for (unsigned x = 0; x < 6; x++) {
            unsigned i = y / 2 * 3 + x / 2;

            assert_near(graph_pixel(g, 0, 3 + x, 3 + y, 4), yuv[i].r, yuv[i].g,
                        yuv[i].b);
        }
    }
}

/*
 * PGRAPH rejects methods that the class does not have. For formats with a single plane,
 * PGRAPH also rejects the methods that set the second and the third plane.
 */
static void test_methods(void **state)
{
    Graph *g = *state;
    static const uint32_t bad[] = { 0x304, 0x320, 0x3fc, 0x410, 0x414, 0x418 };

    bind_sifm(g, NV3_GROBJ_FORMAT_R5G5B5);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_true(graph_try(g, 0, bad[i], 0));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                         NV3_PGRAPH_INVALID_METHOD);
        graph_resume(g);
    }
}

static void test_bad_data(void **state)
{
    Graph *g = *state;
    static const struct {
        uint32_t mthd, data;
    } bad[] = {
        { NV3_SIFM_SIZE_IN, 0x401 }, { NV3_SIFM_SIZE_IN, 0x04010000 },
        { NV3_SIFM_PITCH, 0x2000 },
    };

    bind_sifm(g, NV3_GROBJ_FORMAT_R5G5B5);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_true(graph_try(g, 0, bad[i].mthd, bad[i].data));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                         NV3_PGRAPH_INVALID_DATA);
        graph_resume(g);
    }
    graph_mthd(g, 0, NV3_SIFM_SIZE_IN, 0x04000400);
    graph_mthd(g, 0, NV3_SIFM_PITCH, 0x1fff);
}

static void test_missing(void **state)
{
    Graph *g = *state;

    bind_sifm(g, NV3_GROBJ_FORMAT_R5G5B5);
    assert_true(graph_try(g, 0, NV3_SIFM_SOURCE, 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_MISSING_METHOD);
}

static void test_fault(void **state)
{
    Graph *g = *state;
    const Scale t = { 0, 0, 8, 40, 1, 1, 0, 0, 8, 40, 4096 };

    bind_sifm(g, NV3_GROBJ_FORMAT_R5G5B5);
    output(g, &t);
    graph_mthd(g, 0, NV3_SIFM_PITCH, t.pitch);
    graph_mthd(g, 0, NV3_SIFM_OFFSET(0), 0);
    memset(source(g), 0x11, SIZE);
    assert_true(graph_try(g, 0, NV3_SIFM_SOURCE, 0));
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), NV3_PDMA_INTR_LIMIT);
    assert_int_equal(graph_pixel(g, 0, 0, 15, 2), 0x1111);
    assert_int_equal(graph_pixel(g, 0, 0, 16, 2), 0);
    graph_resume(g);
    graph_mthd(g, 0, NV3_SIFM_OFFSET(0), 0xfffff000);
    assert_true(graph_try(g, 0, NV3_SIFM_SOURCE, graph_xy(0, 16)));
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), NV3_PDMA_INTR_LIMIT);
}

static void test_slices(void **state)
{
    Graph *g = *state;
    unsigned slices = 0;

    host_wr32(g->host, NV3_PGRAPH_SURF_PITCH(0), 0);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, 0xffffffff);
    bind_sifm(g, NV3_GROBJ_FORMAT_R5G5B5);
    graph_mthd(g, 0, NV3_SIFM_CLIP_POINT, 0);
    graph_mthd(g, 0, NV3_SIFM_CLIP_SIZE, 0x7fff7fff);
    output(g, &(Scale) { 0, 0, 2000, 1000, 0, 0, 0, 0, 4, 4, 0 });
    graph_mthd(g, 0, NV3_SIFM_PITCH, 0);
    graph_mthd(g, 0, NV3_SIFM_OFFSET(0), 0);
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_SIFM_SOURCE, 0,
                                  g->ctx[0]));
    assert_false(nv3_pgraph_idle(g->s));
    while (nv3_pgraph_step(g->s)) {
        slices++;
    }
    assert_in_range(slices, 5, 1000);
}

static void test_hostile(void **state)
{
    Graph *g = *state;
    uint32_t seed = 55;

    for (unsigned i = 0; i < 600; i++) {
        host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_SURF_CONFIG, graph_rand(&seed));
        host_wr32(g->host, NV3_PGRAPH_DEBUG_3, 0);
        graph_bind(g, 0, (GraphObject) {
            .class = NV3_CLASS_SIFM, .dma = OBJ >> 4,
            .options = graph_rand(&seed),
        });
        host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, SIZE,
                    false);
        for (uint32_t mthd = 0x308; mthd <= 0x31c; mthd += 4) {
            graph_try(g, 0, mthd, graph_rand(&seed) >> (graph_rand(&seed) & 31));
        }
        for (uint32_t mthd = 0x400; mthd <= 0x414; mthd += 4) {
            graph_try(g, 0, mthd, graph_rand(&seed) >> (graph_rand(&seed) & 31));
            graph_resume(g);
        }
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_scales),
        T(test_formats),
        T(test_windows),
        T(test_alike),
        T(test_yuv_packed),
        T(test_yuv_planes),
        T(test_methods),
        T(test_bad_data),
        T(test_missing),
        T(test_fault),
        T(test_slices),
        T(test_hostile),
    };

    return cmocka_run_group_tests_name("class_sifm", tests, NULL, NULL);
}
