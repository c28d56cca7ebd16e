/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one call of nv3_run() does: of a batch of methods that are a lot of work each, no
 * more than fits a slice, however many methods it may take.
 */
#include "graph.h"

#define NAME        0x1001
#define OBJ         0xd000u         /* RAMIN bytes */
#define DMA_OBJ     0xe000u
#define PUSH_PT     0x20000u
#define SOURCE      (HOST_MEM_BASE + 0x100000)
#define METHODS     4096            /* more than any of these batches has */

#define OP_BLEND_S  0x1d
#define FIXED_ONE   (1u << 20)

static HostPush start(Graph *g, unsigned class, uint32_t options)
{
    HostPush push;

    host_fifo_setup(g->host);
    host_push_init(g->host, &push, PUSH_PT);
    host_dmaobj(g->host, DMA_OBJ, NV3_DMAOBJ_TARGET_PCI, SOURCE, 0x1000, false);
    host_grobj(g->host, GRAPH_CHID, NAME, class, OBJ, options, DMA_OBJ >> 4);
    graph_formats(g, NV3_SURF_X8R8G8B8);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, graph_xy(512, 512));
    host_push1(&push, 0, NV3_MTHD_OBJECT, NAME);
    return push;
}

/* Runs it all; the calls of nv3_run() that it takes, none of more than @most pixels. */
static unsigned calls_for(HostPush *push, uint64_t most)
{
    NV3State *s = push->host->chip;
    uint64_t *pixels = &s->counters[NV3_PVIRT_COUNTER_PIXELS];
    uint64_t *methods = &s->counters[NV3_PVIRT_COUNTER_METHODS];
    unsigned calls = 0;
    bool more;

    *methods = 0;
    host_push_start(push, GRAPH_CHID);
    do {
        *pixels = 0;
        more = nv3_run(s, METHODS);
        calls++;
        assert_in_range(*pixels, 0, most);
    } while (more);
    assert_in_range(*methods, 1, METHODS - 1);
    assert_int_equal(host_rd32(push->host, NV3_PFIFO_CACHE1_DMA_CTRL), 0);
    assert_int_equal(host_rd32(push->host, NV3_PGRAPH_INTR), 0);
    return calls;
}

/* Each the size of almost a slice, and none but the last method uses anything up. */
static void test_sifm(void **state)
{
    const unsigned size = 250, draws = 10;
    Graph *g = *state;
    HostPush push = start(g, NV3_CLASS_SIFM, GRAPH_COPY | NV3_GROBJ_FORMAT_R5G5B5);
    const uint32_t head[] = {
        0, graph_xy(size, size),                        /* clip */
        0, graph_xy(size, size), FIXED_ONE, FIXED_ONE,  /* out */
    };

    host_push(&push, 0, NV3_SIFM_CLIP_POINT, 6, head);
    for (unsigned i = 0; i < draws; i++) {
        const uint32_t source[] = { graph_xy(8, 8), 64, 0, 0 };

        host_push(&push, 0, NV3_SIFM_SIZE_IN, 4, source);
    }
    assert_in_range(calls_for(&push, 2 * size * size), draws / 2, draws + 2);
    assert_int_equal(g->s->counters[NV3_PVIRT_COUNTER_PIXELS], 0);
}

/* Of rectangles, the more the less each of them is. */
static void test_rect(void **state)
{
    Graph *g = *state;
    HostPush push = start(g, NV3_CLASS_RECT,
                          OP_BLEND_S << NV3_GROBJ_OP_SHIFT |
                          3u << NV3_GROBJ_DST_SHIFT | NV3_GROBJ_FORMAT_R8G8B8);

    host_push1(&push, 0, NV3_RECT_COLOR, 0x80123456);
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t rect[] = { graph_xy(i, i), graph_xy(128, 128) };

        host_push(&push, 0, NV3_RECT_POINT(0), 2, rect);
    }
    /* Two surfaces: four of them are a slice. */
    assert_in_range(calls_for(&push, 4 * 128 * 128), 16, 20);
}

/* Lines are walked along where nothing is to be seen of them. */
static void test_line(void **state)
{
    Graph *g = *state;
    HostPush push = start(g, NV3_CLASS_LINE, GRAPH_COPY | NV3_GROBJ_FORMAT_R8G8B8);

    host_push1(&push, 0, NV3_LINE_COLOR, 0x123456);
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t line[] = { graph_xy(-32767, i), graph_xy(32767, i) };

        host_push(&push, 0, NV3_LINE_POINT(0, 0), 2, line);
    }
    assert_in_range(calls_for(&push, 3 * 512), 5, 10);
    assert_int_equal(graph_pixel(g, 0, 511, 15, 4), 0x123456);
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_sifm),
        T(test_rect),
        T(test_line),
    };

    return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
