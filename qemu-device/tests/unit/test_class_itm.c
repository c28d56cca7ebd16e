/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests class ITM: copies from a surface to memory, canvases, faults, and slices. */
#include "graph.h"

#define OBJ     0xe000u
#define SIZE    0x40000u

static void bind_itm(Graph *g, uint32_t surface, uint32_t len)
{
    host_dmaobj(g->host, OBJ, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, len, true);
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_ITM, .dma = OBJ >> 4,
        .options = surface << NV3_GROBJ_SURFACE_SHIFT,
    });
}

static uint32_t pixel_of(int x, int y)
{
    return (x * 131 + y * 17 + 1) & 0x7fff;
}

static void draw(Graph *g, unsigned surf)
{
    for (int y = 0; y < GRAPH_HEIGHT; y++) {
        for (int x = 0; x < GRAPH_WIDTH; x++) {
            graph_set_pixel(g, surf, x, y, 2, pixel_of(x, y));
        }
    }
    memset(host_mem_ptr(g->host, HOST_MEM_BASE, SIZE), 0xee, SIZE);
}

static unsigned memory_pixel(Graph *g, uint32_t offset)
{
    const uint8_t *p = host_mem_ptr(g->host, HOST_MEM_BASE + offset, 2);

    return p[0] | p[1] << 8;
}

static void itm(Graph *g, int x, int y, uint32_t size, uint32_t pitch,
                uint32_t offset)
{
    graph_mthd(g, 0, NV3_ITM_POINT, graph_xy(x, y));
    graph_mthd(g, 0, NV3_ITM_SIZE, size);
    graph_mthd(g, 0, NV3_ITM_PITCH, pitch);
    graph_mthd(g, 0, NV3_ITM_OFFSET, offset);
}

static void test_rectangle(void **state)
{
    Graph *g = *state;

    draw(g, 2);
    bind_itm(g, 2, SIZE);
    itm(g, 20, 30, graph_xy(100, 50), 256, 0x1000);
    for (int y = 0; y < 50; y++) {
        for (int x = 0; x < 128; x++) {
            assert_int_equal(memory_pixel(g, 0x1000 + y * 256 + x * 2),
                             x < 100 ? pixel_of(20 + x, 30 + y) : 0xeeee);
        }
    }
    assert_int_equal(memory_pixel(g, 0x1000 - 2), 0xeeee);
    assert_int_equal(memory_pixel(g, 0x1000 + 50 * 256), 0xeeee);
}

static void test_outside_canvas(void **state)
{
    Graph *g = *state;

    draw(g, 0);
    host_wr32(g->host, NV3_PGRAPH_SRC_CANVAS_MIN, graph_xy(5, 2));
    bind_itm(g, 0, SIZE);
    itm(g, -3, -1, graph_xy(400, 10), 1024, 0);
    for (int y = 0; y < 10; y++) {
        for (int x = 0; x < 400; x++) {
            bool in = x - 3 >= 5 && x - 3 < GRAPH_WIDTH && y - 1 >= 2;

            assert_int_equal(memory_pixel(g, y * 1024 + x * 2),
                             in ? pixel_of(x - 3, y - 1) : 0);
        }
    }
}

static void test_fault(void **state)
{
    Graph *g = *state;

    draw(g, 0);
    bind_itm(g, 0, 0x1000);
    graph_mthd(g, 0, NV3_ITM_POINT, 0);
    graph_mthd(g, 0, NV3_ITM_SIZE, graph_xy(200, 20));
    graph_mthd(g, 0, NV3_ITM_PITCH, 512);
    assert_true(graph_try(g, 0, NV3_ITM_OFFSET, 0));
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), NV3_PDMA_INTR_LIMIT);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
    assert_int_equal(memory_pixel(g, 7 * 512), pixel_of(0, 7));
    assert_int_equal(memory_pixel(g, 8 * 512), 0xeeee);
    graph_resume(g);
    graph_mthd(g, 0, NV3_ITM_PITCH, 0x1000);
    assert_true(graph_try(g, 0, NV3_ITM_OFFSET, 0xfffff000));
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), NV3_PDMA_INTR_LIMIT);
}

static void test_missing(void **state)
{
    Graph *g = *state;

    /*
     * A copy without POINT or SIZE must be refused. A copy without PITCH is not tested,
     * because SIZE also sets the valid bit of the pitch (hwtest).
     */
    for (uint32_t skip = 0x308; skip <= 0x30c; skip += 4) {
        bind_itm(g, 0, SIZE);
        for (uint32_t mthd = 0x308; mthd <= 0x310; mthd += 4) {
            if (mthd != skip) {
                graph_mthd(g, 0, mthd, graph_xy(16, 0));
            }
        }
        assert_true(graph_try(g, 0, NV3_ITM_OFFSET, 0));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                         NV3_PGRAPH_INTR_MISSING_METHOD);
        graph_resume(g);
    }
    bind_itm(g, 0, SIZE);
    assert_true(graph_try(g, 0, NV3_ITM_PITCH, 0x2000));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_DATA);
}

static void test_format_check(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_FORMAT_CHECK);
    draw(g, 0);
    bind_itm(g, 0, SIZE);
    itm(g, 0, 0, graph_xy(4, 4), 16, 0);
    graph_formats(g, NV3_SURF_X8R8G8B8);
    assert_true(graph_try(g, 0, NV3_ITM_OFFSET, 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_MISSING_FORMAT);
}

static void test_slices(void **state)
{
    Graph *g = *state;
    unsigned slices = 0;

    draw(g, 0);
    bind_itm(g, 0, SIZE);
    graph_mthd(g, 0, NV3_ITM_POINT, 0);
    graph_mthd(g, 0, NV3_ITM_SIZE, graph_xy(0x7fff, 0x7fff));
    graph_mthd(g, 0, NV3_ITM_PITCH, 0);
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_ITM_OFFSET, 0,
                                  g->ctx[0]));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_STATUS), 0x10001);
    while (nv3_pgraph_step(g->s) && slices < 50) {
        slices++;
    }
    assert_int_equal(slices, 50);
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_rectangle),
        T(test_outside_canvas),
        T(test_fault),
        T(test_missing),
        T(test_format_check),
        T(test_slices),
    };

    return cmocka_run_group_tests_name("class_itm", tests, NULL, NULL);
}
