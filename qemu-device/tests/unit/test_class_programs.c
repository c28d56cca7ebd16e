/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests class 0x1F through PGRAPH: two-level page tables, faults, context images, and
 * chips without the class. test_programs.c tests the effects of methods.
 */
#include <stdlib.h>
#include <string.h>

#include "chip/le.h"
#include "fifo/pfifo.h"
#include "programs_rig.h"

static void put_vertex(Graph *g, unsigned i, float x, float y, const float *color)
{
    Vertex v = { { x, y, 0, 1 }, { color[0], color[1], color[2], 1 } };
    uint32_t words[8];

    memcpy(words, &v, sizeof(words));
    for (unsigned n = 0; n < 8; n++) {
        uint32_t at = i * sizeof(v) + n * 4;

        rig_put_word(g, (at < 4096 ? PAGE(3) : PAGE(2) - 4096) + at, words[n]);
    }
}

/*
 * Index of the triangle's first vertex. This vertex is the last one in the first page of
 * the arrays.
 */
#define FIRST   (4096 / sizeof(Vertex) - 1)

static void put_triangle(Graph *g)
{
    static const float color[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

    put_vertex(g, FIRST, -1, -1, color[0]);
    put_vertex(g, FIRST + 1, 1, -1, color[1]);
    put_vertex(g, FIRST + 2, -1, 1, color[2]);
}

static void draw(Graph *g)
{
    rig_method(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    rig_method(g, NV3_PM_DRAW_ARRAYS, FIRST | 2u << NV3_PM_DRAW_COUNT_SHIFT);
    rig_method(g, NV3_PM_BEGIN_END, 0);
    rig_method(g, NV3_PM_WAIT_FOR_IDLE, 0);
}

static uint32_t pixel(Graph *g, unsigned x, unsigned y)
{
    return nv3_ldl(g->host->vram + VRAM_TARGET + (y * SIZE + x) * 4);
}

/*
 * Fails unless each pixel has the sum of the vertices' colours, weighted by the
 * barycentric coordinates of the pixel's centre.
 */
static void check_triangle(Graph *g)
{
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            const double green = (x + 0.5) / SIZE, blue = (y + 0.5) / SIZE;
            const double want[3] = { blue, green, 1 - green - blue };
            const uint32_t value = pixel(g, x, y);

            if (green + blue >= 1) {
                assert_int_equal(value, 0);
                continue;
            }
            assert_int_equal(value >> 24, 255);
            for (unsigned c = 0; c < 3; c++) {
                assert_true(abs((int)(value >> 8 * c & 255) -
                                (int)(want[c] * 255 + 0.5)) <= 1);
            }
        }
    }
}

static void test_draw(void **state)
{
    Graph *g = rig_new(0);

    rig_set_state(g);
    put_triangle(g);
    draw(g);
    check_triangle(g);
    graph_free(g);
}

static void draw_deferred(Graph *g)
{
    memset(g->host->vram + VRAM_TARGET, 0, SIZE * SIZE * 4);
    rig_method(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    rig_method(g, NV3_PM_DRAW_ARRAYS, FIRST | 2u << NV3_PM_DRAW_COUNT_SHIFT);
    rig_method(g, NV3_PM_BEGIN_END, 0);
    assert_true(host_rd32(g->host, NV3_PGRAPH_STATUS) & NV3_PGRAPH_STATUS_BUSY);
    assert_int_equal(pixel(g, 0, 0), 0);
}

/*
 * While PFIFO has more methods, drawing is deferred and PGRAPH is busy. The drawing must
 * be finished when PFIFO has no more methods, and before page tables change.
 */
static void test_deferred(void **state)
{
    Graph *g = rig_new(0);

    rig_set_state(g);
    put_triangle(g);
    draw_deferred(g);
    nv3_pgraph_end_run(g->s, true);
    assert_true(host_rd32(g->host, NV3_PGRAPH_STATUS) & NV3_PGRAPH_STATUS_BUSY);
    assert_int_equal(pixel(g, 0, 0), 0);
    nv3_pgraph_end_run(g->s, false);
    while (!nv3_pgraph_idle(g->s)) {
        nv3_pgraph_step(g->s);
    }
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_STATUS), 0);
    check_triangle(g);

    draw_deferred(g);
    nv3_mmio_write(g->s, NV3_PVIRT_VM_INVALIDATE, 0, 4);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_STATUS), 0);
    check_triangle(g);
    graph_free(g);
}

/*
 * A method of a software object lets the driver show the picture, for example by a flip.
 * The puller must not stop at the method until deferred drawing is finished.
 */
static void test_trap(void **state)
{
    Graph *g = rig_new(0);
    Host *h = g->host;

    host_fifo_setup(h);
    host_object(h, GRAPH_CHID, 1, NV3_CTX_CLASS_GRAPH | 0xb00);
    rig_set_state(g);
    put_triangle(g);
    draw_deferred(g);
    host_method(h, GRAPH_CHID, SUBCH + 1, NV3_MTHD_OBJECT, 1);
    assert_int_equal(host_rd32(h, NV3_PFIFO_DEVICE) & NV3_PFIFO_DEVICE_SWITCH, 0);
    nv3_puller_run(g->s, 1);
    while (!host_rd32(h, NV3_PFIFO_INTR)) {
        assert_true(nv3_pgraph_step(g->s));
        nv3_puller_run(g->s, 1);
    }
    check_triangle(g);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), NV3_PFIFO_INTR_CACHE_ERROR);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PULL_CTRL),
                     NV3_PFIFO_PULL_CTRL_SOFTWARE);
    assert_int_equal(host_rd32(h, NV3_PFIFO_DEVICE) & NV3_PFIFO_DEVICE_SWITCH,
                     NV3_PFIFO_DEVICE_SWITCH);
    graph_free(g);
}

/*
 * Between the methods of a triangle, another channel draws with a different state. This
 * must not change the triangle.
 */
static void test_switch(void **state)
{
    Graph *g = rig_new(0);

    rig_set_state(g);
    put_triangle(g);
    rig_method(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    rig_method(g, NV3_PM_DRAW_ARRAYS, FIRST | 1u << NV3_PM_DRAW_COUNT_SHIFT);

    rig_set_image(g, IMAGE(1));
    rig_set_state(g);
    rig_method(g, NV3_PM_SCISSOR_HORIZ, 0);
    draw(g);

    rig_set_image(g, IMAGE(0));
    rig_method(g, NV3_PM_DRAW_ARRAYS, FIRST + 2);
    rig_method(g, NV3_PM_BEGIN_END, 0);
    rig_method(g, NV3_PM_WAIT_FOR_IDLE, 0);
    check_triangle(g);

    /*
     * Drivers set NO_STORE if the previous channel has ended. In this case, the chip must
     * not write to the previous channel's image.
     */
    rig_set_image(g, IMAGE(1));
    rig_set_image(g, IMAGE(0));
    rig_method(g, NV3_PM_SURFACE_COLOR_OFFSET, 0x1234000);
    rig_set_image(g, IMAGE(1) | NV3_PVIRT_GRCTX_NO_STORE);
    rig_set_image(g, IMAGE(0));
    memset(g->host->vram + VRAM_TARGET, 0, SIZE * SIZE * 4);
    draw(g);
    check_triangle(g);
    graph_free(g);
}

/*
 * Migrates the chip three times between the methods of a triangle. Only the first and the
 * last chip execute methods.
 */
static void test_migration(void **state)
{
    Graph *g = rig_new(0);

    rig_set_state(g);
    put_triangle(g);
    rig_method(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    rig_method(g, NV3_PM_DRAW_ARRAYS, FIRST | 1u << NV3_PM_DRAW_COUNT_SHIFT);
    for (unsigned i = 0; i < 3; i++) {
        g = rig_move(g);
    }
    assert_int_equal(nv3_mmio_read(g->s, NV3_PVIRT_GRCTX, 4), IMAGE(0));
    rig_method(g, NV3_PM_DRAW_ARRAYS, FIRST + 2);
    rig_method(g, NV3_PM_BEGIN_END, 0);
    rig_method(g, NV3_PM_WAIT_FOR_IDLE, 0);
    check_triangle(g);
    memset(g->host->vram + VRAM_TARGET, 0, SIZE * SIZE * 4);
    draw(g);
    check_triangle(g);
    graph_free(g);
}

static void assert_fault(Graph *g, uint32_t reason, uint32_t offset)
{
    assert_int_equal(nv3_mmio_read(g->s, NV3_PDMA_INTR, 4) & reason, reason);
    assert_int_equal(nv3_mmio_read(g->s, NV3_PDMA_ADDR, 4), offset);
    graph_resume(g);
}

static void test_faults(void **state)
{
    Graph *g = rig_new(0);

    rig_set_state(g);
    put_triangle(g);

    /* Draws to a read-only target and to an unmapped target must cause faults. */
    rig_method(g, NV3_PM_SURFACE_COLOR_OFFSET, READ_ONLY);
    graph_try(g, SUBCH, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    assert_fault(g, NV3_PDMA_INTR_PROTECTION, READ_ONLY);
    rig_method(g, NV3_PM_SURFACE_COLOR_OFFSET, 0x7f000000);
    graph_try(g, SUBCH, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    assert_fault(g, NV3_PDMA_INTR_PROTECTION, 0x7f000000);

    /* A draw with an unmapped fragment program must cause a fault. */
    rig_method(g, NV3_PM_SURFACE_COLOR_OFFSET, COLOR);
    rig_method(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM + 0x10000);
    graph_try(g, SUBCH, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    assert_fault(g, NV3_PDMA_INTR_PRESENT, PROGRAM + 0x10000);

    /*
     * The chip may use cached address translations until PVIRT_VM_INVALIDATE is written.
     */
    rig_method(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
    draw(g);
    check_triangle(g);
    rig_map_page(g, PROGRAM, 0);
    rig_method(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
    draw(g);
    nv3_mmio_write(g->s, NV3_PVIRT_VM_INVALIDATE, 0, 4);
    rig_method(g, NV3_PM_FP_ACTIVE_PROGRAM, PROGRAM);
    graph_try(g, SUBCH, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
    assert_fault(g, NV3_PDMA_INTR_PRESENT, PROGRAM);
    graph_free(g);
}

/* If a draw causes a fault, the notification for the draw must not be written. */
static void test_notification(void **state)
{
    const uint32_t notify = HOST_MEM_BASE + 0x30000, inst = DMA_INST + 0x100;
    Graph *g = rig_new(inst);

    host_dmaobj(g->host, inst, NV3_DMAOBJ_TARGET_PCI, notify, 4096, true);
    rig_set_state(g);
    put_triangle(g);
    for (unsigned bad = 0; bad < 2; bad++) {
        rig_put_word(g, notify + 12, 0x12345678);
        rig_method(g, NV3_PM_ARRAY_OFFSET, bad ? 0x7f000000 : ARRAYS);
        rig_method(g, NV3_PM_BEGIN_END, NV3_GEOM_TRIANGLES);
        rig_method(g, NV3_PM_DRAW_ARRAYS, FIRST | 2u << NV3_PM_DRAW_COUNT_SHIFT);
        rig_method(g, NV3_PM_BEGIN_END, 0);
        rig_method(g, NV3_MTHD_NOTIFY, 0);
        graph_try(g, SUBCH, NV3_PM_NO_OPERATION, 0);
        assert_int_equal(nv3_ldl(g->host->mem + 0x3000c) == 0x12345678, bad);
        if (bad) {
            assert_fault(g, NV3_PDMA_INTR_PRESENT, 0x7f000000 + FIRST * sizeof(Vertex));
        }
    }
    graph_free(g);
}

static void assert_invalid(Graph *g, uint32_t mthd, uint32_t data, uint32_t invalid)
{
    graph_try(g, SUBCH, mthd, data);
    assert_int_equal(nv3_mmio_read(g->s, NV3_PGRAPH_INVALID, 4), invalid);
    graph_resume(g);
}

static void test_bad_methods(void **state)
{
    Graph *g = rig_new(0);

    rig_set_state(g);
    assert_invalid(g, 0x1ffc, 0, NV3_PGRAPH_INVALID_METHOD);
    assert_invalid(g, NV3_PM_BEGIN_END, 77, NV3_PGRAPH_INVALID_DATA);
    graph_free(g);
}

static uint32_t mem_word(Graph *g, uint32_t address)
{
    return nv3_ldl(g->host->mem + (address - HOST_MEM_BASE));
}

/*
 * Fails unless methods of class 0x1F stop PGRAPH, while methods of other classes do not.
 */
static void assert_no_context(Graph *g)
{
    graph_try(g, SUBCH, NV3_PM_NO_OPERATION, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_VBLANK,
                     NV3_PGRAPH_INTR_MISSING_METHOD);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
    graph_resume(g);
    graph_mthd(g, SUBCH + 1, NV3_RECT_COLOR, 0);
}

/* If no valid context image is loaded, each method of class 0x1F must stop PGRAPH. */
static void test_bad_images(void **state)
{
    const uint32_t nowhere = HOST_MEM_BASE + HOST_MEM_SIZE;
    Graph *g = rig_new(0);

    graph_bind(g, SUBCH + 1, (GraphObject) {
        .class = NV3_CLASS_RECT, .options = GRAPH_COPY,
    });
    rig_set_state(g);
    put_triangle(g);

    rig_set_image(g, 0);
    assert_no_context(g);
    /* The chip must not write to an invalid image. */
    rig_put_word(g, IMAGE(1), 0x12345678);
    rig_set_image(g, IMAGE(1));
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(host_rd32(g->host, NV3_PVIRT_GRCTX),
                         IMAGE(1) | NV3_PVIRT_GRCTX_INVALID);
        assert_no_context(g);
        g = rig_move(g);
    }
    rig_set_image(g, nowhere);
    assert_int_equal(mem_word(g, IMAGE(1)), 0x12345678);
    assert_int_equal(host_rd32(g->host, NV3_PVIRT_GRCTX),
                     nowhere | NV3_PVIRT_GRCTX_REFUSED);
    assert_int_equal(host_rd32(g->host, NV3_PBUS_INTR), NV3_PBUS_INTR_BUS_ERROR);
    assert_no_context(g);

    /* The state in the first image must be unchanged. */
    rig_set_image(g, IMAGE(0));
    assert_int_equal(host_rd32(g->host, NV3_PVIRT_GRCTX), IMAGE(0));
    draw(g);
    check_triangle(g);
    graph_free(g);
}

/*
 * Loads a context image that a chip without multisampling has stored. After the load, the
 * multisampling state must have its initial values. The image may contain the bit
 * FORMAT_SAMPLES, because a chip without multisampling ignores this bit.
 */
static void test_image_without_multisampling(void **state)
{
    const uint32_t format = IMAGE(0) + 8 + NV3_PM_SURFACE_FORMAT;
    const uint32_t control = IMAGE(0) + 8 + NV3_PM_MULTISAMPLE_CONTROL;
    Graph *g = rig_new(0);

    rig_set_state(g);
    put_triangle(g);
    rig_set_image(g, IMAGE(1));
    assert_int_equal(mem_word(g, IMAGE(0)), 2);
    assert_int_equal(mem_word(g, control), NV3_PROGRAMS_MULTISAMPLE);
    rig_put_word(g, IMAGE(0), 1);
    rig_put_word(g, control, 0);
    rig_put_word(g, format, mem_word(g, format) | NV3_PM_FORMAT_SAMPLES);
    rig_set_image(g, IMAGE(0));
    assert_int_equal(host_rd32(g->host, NV3_PVIRT_GRCTX), IMAGE(0));
    draw(g);
    check_triangle(g);
    rig_set_image(g, IMAGE(1));
    assert_int_equal(mem_word(g, IMAGE(0)), 2);
    assert_int_equal(mem_word(g, control), NV3_PROGRAMS_MULTISAMPLE);

    rig_put_word(g, IMAGE(0), 3);
    rig_set_image(g, IMAGE(0));
    assert_int_equal(host_rd32(g->host, NV3_PVIRT_GRCTX),
                     IMAGE(0) | NV3_PVIRT_GRCTX_INVALID);
    graph_free(g);
}

/*
 * If the chip cannot store the state of the previous channel, it must raise an interrupt.
 */
static void test_refused_store(void **state)
{
    Graph *g = rig_new(0);

    host_wr32(g->host, NV3_PVIRT_INTR_EN, UINT32_MAX);
    host_wr32(g->host, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    rig_set_state(g);
    put_triangle(g);
    rig_set_image(g, IMAGE(1));
    assert_false(g->host->irq);
    g->host->dma_limit = IMAGE(1);
    rig_set_image(g, IMAGE(0));
    assert_true(g->host->irq);
    assert_int_equal(host_rd32(g->host, NV3_PMC_INTR), NV3_PMC_INTR_PVIRT);
    assert_int_equal(host_rd32(g->host, NV3_PVIRT_INTR), NV3_PVIRT_INTR_GRCTX);
    host_wr32(g->host, NV3_PVIRT_INTR, NV3_PVIRT_INTR_GRCTX);
    assert_false(g->host->irq);
    draw(g);
    check_triangle(g);

    /* With NO_STORE, the chip must not raise the interrupt. */
    g->host->dma_limit = UINT32_MAX;
    rig_set_image(g, IMAGE(1));
    g->host->dma_limit = IMAGE(1);
    rig_set_image(g, IMAGE(0) | NV3_PVIRT_GRCTX_NO_STORE);
    assert_false(g->host->irq);
    graph_free(g);
}

static void test_absent(void **state)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 8 << 20, .virt = true,
    };
    Graph *g = graph_new_config(&config);

    assert_false(nv3_mmio_read(g->s, NV3_PVIRT_FEATURES, 4) &
                 (NV3_PVIRT_FEATURE_PROGRAMS | NV3_PVIRT_FEATURE_MULTISAMPLE));
    assert_int_equal(nv3_mmio_read(g->s, NV3_PVIRT_CLASSES, 4), nv3_classes());
    rig_set_image(g, IMAGE(0));
    assert_int_equal(nv3_mmio_read(g->s, NV3_PVIRT_GRCTX_SIZE, 4), 0);
    graph_bind(g, SUBCH, (GraphObject) { .class = NV3_CLASS_PROGRAMS });
    assert_invalid(g, NV3_PM_NO_OPERATION, 0, NV3_PGRAPH_INVALID_METHOD);
    graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draw),
        cmocka_unit_test(test_deferred),
        cmocka_unit_test(test_trap),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_migration),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_notification),
        cmocka_unit_test(test_bad_methods),
        cmocka_unit_test(test_bad_images),
        cmocka_unit_test(test_image_without_multisampling),
        cmocka_unit_test(test_refused_store),
        cmocka_unit_test(test_absent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
