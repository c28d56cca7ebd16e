/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests a chip with more than 8 MiB of VRAM. Only DMA objects and class 0x1F can address
 * all of VRAM. Surfaces, the screen, real-mode access and the VGA aperture can address
 * only the part of VRAM that they can address on real chips.
 */
#include "chip/le.h"
#include "graph.h"
#include "graph/dmaobj.h"
#include "mode.h"

#define VRAM    (64u << 20)
#define REACH   (8u << 20)
#define DMA     0x20000u            /* in RAMIN */
#define FRAME_NS    17000000

static int setup(void **state)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = VRAM, .virt = true, .programs = true,
    };

    *state = graph_new_config(&config);
    return 0;
}

static void test_surface(void **state)
{
    Graph *g = *state;
    uint8_t *vram = g->host->vram;

    host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(0), REACH - 4 * GRAPH_PITCH);
    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_RECT, .options = GRAPH_COPY });
    graph_mthd(g, 0, NV3_RECT_COLOR, 0x4321);
    graph_mthd(g, 0, NV3_RECT_POINT(0), 0);
    graph_mthd(g, 0, NV3_RECT_SIZE(0), GRAPH_HEIGHT << 16 | GRAPH_WIDTH);
    assert_int_equal(vram[REACH - 4 * GRAPH_PITCH], 0x21);
    assert_int_equal(vram[REACH - GRAPH_PITCH + 511], 0x43);
    for (unsigned i = 0; i < GRAPH_HEIGHT * GRAPH_PITCH; i++) {
        assert_int_equal(vram[REACH + i], 0);
        assert_int_equal(vram[i], 0);
    }
}

static void test_screen(void **state)
{
    Graph *g = *state;
    Mode mode = mode_640x480;
    uint32_t line[640];
    NV3Scanout out;

    /*
     * After 4 pixels, the first line reaches the end of the range that the screen can
     * address, and continues at offset 0.
     */
    mode.start = REACH - 16;
    mode_set(g->host, &mode);
    host_advance(g->host, FRAME_NS);
    nv3_stl(g->host->vram + REACH - 4, 0x111111);
    nv3_stl(g->host->vram + REACH, 0x222222);
    nv3_stl(g->host->vram, 0x333333);
    nv3_scanout(g->s, &out);
    assert_int_equal(out.offset, mode.start);
    nv3_scanout_line(g->s, &out, 0, line);
    assert_int_equal(line[3], 0x111111);
    assert_int_equal(line[4], 0x333333);
    /* A start address beyond this range must wrap around. */
    mode_start(g->host, REACH + 0x1000);
    host_advance(g->host, FRAME_NS);
    nv3_scanout(g->s, &out);
    assert_int_equal(out.offset, 0x1000);
}

static void rma_write(Graph *g, unsigned reg, uint32_t val)
{
    mode_crtc(g->host, NV3_CRTC_RMA, reg << 1 | 1);
    assert_true(nv3_rma_write_32(g->s, val));
}

/* Real-mode access can address the first 16 MiB of BAR1. */
static void test_real_mode(void **state)
{
    Graph *g = *state;

    mode_unlock(g->host);
    rma_write(g, 1, NV3_BAR0_SIZE + REACH - 4);
    rma_write(g, 4, 0x11111111);
    rma_write(g, 4, 0x22222222);
    assert_int_equal(nv3_ldl(g->host->vram + REACH - 4), 0x11111111);
    assert_int_equal(nv3_ldl(g->host->vram + REACH), 0);
    rma_write(g, 1, NV3_BAR0_SIZE + NV3_BAR1_RAMIN + 4);
    rma_write(g, 2, 0x33333333);
    assert_int_equal(host_ramin_rd32(g->host, 4), 0x33333333);
    assert_int_equal(nv3_ldl(g->host->vram + VRAM - 12), 0x33333333);
    assert_int_equal(nv3_ldl(g->host->vram + NV3_BAR1_RAMIN + 4), 0);
}

static void test_banks(void **state)
{
    Graph *g = *state;

    mode_unlock(g->host);
    mode_set(g->host, &mode_640x480);
    mode_crtc(g->host, NV3_CRTC_WRITE_BANK, 0xff);
    host_wr8(g->host, NV3_PRMFB + 0x7fff, 0x12);
    host_wr8(g->host, NV3_PRMFB + 0x8000, 0x34);
    assert_int_equal(g->host->vram[REACH - 1], 0x12);
    assert_int_equal(g->host->vram[REACH], 0);
    assert_int_equal(g->host->vram[0], 0x34);
}

static void test_dma(void **state)
{
    static const uint32_t bases[] = { REACH - 4096, 40u << 20, VRAM - 4096 };
    Graph *g = *state;
    const uint32_t word = 0x12345678;
    NV3Fault fault;

    for (unsigned i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
        bool end = bases[i] == VRAM - 4096;

        host_dmaobj(g->host, DMA, NV3_DMAOBJ_TARGET_VRAM, bases[i], 8192, true);
        assert_true(nv3_dmaobj_write(g->s, DMA >> 4, 4092, &word, 4, &fault));
        assert_int_equal(nv3_ldl(g->host->vram + bases[i] + 4092), nv3_ldl(&word));
        assert_int_equal(nv3_dmaobj_write(g->s, DMA >> 4, 4096, &word, 4, &fault), !end);
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_surface),
        T(test_screen),
        T(test_real_mode),
        T(test_banks),
        T(test_dma),
    };

    return cmocka_run_group_tests_name("large_vram", tests, NULL, NULL);
}
