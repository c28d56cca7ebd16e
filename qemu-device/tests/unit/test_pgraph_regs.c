/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests PGRAPH's registers: widths, side effects and locks. */
#include "graph.h"

static const struct {
    uint32_t addr;
    uint32_t mask;
} plain[] = {
    { NV3_PGRAPH_DEBUG_2, 0x1133f111 },
    { NV3_PGRAPH_DEBUG_3, 0x1173ff31 },
    { NV3_PGRAPH_INTR_EN, 0x11111111 },
    { NV3_PGRAPH_INVALID_EN, 0x00011111 },
    { NV3_PGRAPH_CTX_USER, 0x7f1fe000 },
    /*
     * Coordinates must precede flags in this list, because writes to coordinates change
     * the flags.
     */
    { NV3_PGRAPH_ICLIP_XMAX, 0x0003ffff },
    { NV3_PGRAPH_ICLIP_YMAX, 0x0003ffff },
    { NV3_PGRAPH_VTX_X(0), 0xffffffff },
    { NV3_PGRAPH_VTX_X(31), 0xffffffff },
    { NV3_PGRAPH_VTX_Y(0), 0xffffffff },
    { NV3_PGRAPH_VTX_Y(31), 0xffffffff },
    { NV3_PGRAPH_X_MISC, 0x300000ff },
    { NV3_PGRAPH_Y_MISC, 0x300000ff },
    { NV3_PGRAPH_VALID, 0xffffffff },
    { NV3_PGRAPH_MISC32_0, 0xffffffff },
    { NV3_PGRAPH_MISC24_0, 0x00ffffff },
    { NV3_PGRAPH_XY_MISC_0, 0xf013ffff },
    { NV3_PGRAPH_XY_MISC_1, 0x0f177331 },
    { NV3_PGRAPH_XY_MISC_2, 0x0f177331 },
    { NV3_PGRAPH_XY_MISC_3, 0x7f7f1111 },
    { NV3_PGRAPH_X_CLIP_STATUS(1), 0xffffffff },
    { NV3_PGRAPH_Y_CLIP_STATUS(0), 0xffffffff },
    { NV3_PGRAPH_MISC32_1, 0xffffffff },
    { NV3_PGRAPH_MISC24_1, 0x00ffffff },
    { NV3_PGRAPH_VTX_Z(0), 0x00ffffff },
    { NV3_PGRAPH_VTX_Z(15), 0x00ffffff },
    { NV3_PGRAPH_D3D_XY, 0xffffffff },
    { NV3_PGRAPH_D3D_Z, 0x0000ffff },
    { NV3_PGRAPH_D3D_RHW, 0xffffffff },
    { NV3_PGRAPH_PATTERN_RGB(0), 0x3fffffff },
    { NV3_PGRAPH_PATTERN_A(0), 0x000000ff },
    { NV3_PGRAPH_PATTERN_RGB(1), 0x3fffffff },
    { NV3_PGRAPH_PATTERN_A(1), 0x000000ff },
    { NV3_PGRAPH_PATTERN_MONO(1), 0xffffffff },
    { NV3_PGRAPH_PATTERN_SHAPE, 0x00000003 },
    { NV3_PGRAPH_BITMAP_COLOR_0, 0x7fffffff },
    { NV3_PGRAPH_ROP, 0x000000ff },
    { NV3_PGRAPH_CHROMA, 0x7fffffff },
    { NV3_PGRAPH_D3D_CONFIG, 0xf77fbdf3 },
    { NV3_PGRAPH_SURF_PITCH(0), 0x00001ff0 },
    { NV3_PGRAPH_SURF_PITCH(3), 0x00001ff0 },
    { NV3_PGRAPH_DMA_INST, 0x0000ffff },
    { NV3_PGRAPH_NOTIFY, 0x00f1ffff },
    { NV3_PGRAPH_GROBJ_INST, 0x0000ffff },
    { NV3_PGRAPH_M2MF_INST, 0x0001ffff },
    { NV3_PGRAPH_CLIPRECT_CTRL, 0x00000113 },
    { NV3_PGRAPH_FIFO_ENABLE, 0x00000001 },
    { NV3_PGRAPH_SURF_CONFIG, 0x00007777 },
    { NV3_PGRAPH_D3D_ALPHA, 0x00000fff },
    { NV3_PDMA_INTR_EN, 0x00011111 },
    { NV3_PDMA_FLAGS, 0x03010fff },
    { NV3_PDMA_LIMIT, 0xffffffff },
    { NV3_PDMA_TLB_PTE, 0xfffff003 },
    { NV3_PDMA_TLB_TAG, 0xfffff000 },
    { NV3_PDMA_INST, 0x0000ffff },
    { NV3_PDMA_LINES, 0x000007ff },
    { NV3_PDMA_OFFSET(0), 0xffffffff },
    { NV3_PDMA_OFFSET(2), 0xffffffff },
    { NV3_PDMA_PITCH, 0xffffffff },
    { NV3_PDMA_FORMAT, 0x00000707 },
};

static void test_widths(void **state)
{
    Graph *g = *state;

    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        host_wr32(g->host, plain[i].addr, 0xffffffff);
        assert_int_equal(host_rd32(g->host, plain[i].addr), plain[i].mask);
        host_wr32(g->host, plain[i].addr, 0);
        assert_int_equal(host_rd32(g->host, plain[i].addr), 0);
    }
}

/*
 * Writes different values to all registers, and checks that each register has kept its
 * value, because no two registers may share storage.
 */
static void test_distinct(void **state)
{
    Graph *g = *state;
    const size_t count = sizeof(plain) / sizeof(plain[0]);

    for (size_t i = 0; i < count; i++) {
        host_wr32(g->host, plain[i].addr, 0x9e3779b9u * (i + 1));
    }
    for (size_t i = 0; i < count; i++) {
        /* Writes to MISC32_0 and D3D_CONFIG set the lowest bit of VALID. */
        if (plain[i].addr == NV3_PGRAPH_VALID) {
            continue;
        }
        assert_int_equal(host_rd32(g->host, plain[i].addr),
                         0x9e3779b9u * (i + 1) & plain[i].mask);
    }
}

static void check_revision(NV3Revision revision, uint32_t vram_size,
                           uint32_t canvas, uint32_t offset)
{
    const NV3Config config = { .revision = revision, .vram_size = vram_size };
    Graph *g = graph_new_config(&config);

    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DST_CANVAS_MAX), canvas);
    host_wr32(g->host, NV3_PGRAPH_SRC_CANVAS_MIN, 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SRC_CANVAS_MIN), canvas);
    host_wr32(g->host, NV3_PGRAPH_CLIPRECT_MAX(1), 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CLIPRECT_MAX(1)), canvas);
    host_wr32(g->host, NV3_PGRAPH_SURF_OFFSET(3), 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_OFFSET(3)), offset);
    graph_free(g);
}

static void test_revisions(void **state)
{
    check_revision(NV3_REVISION_B, 4 << 20, 0x3fff07ff, 0x003ffff0);
    check_revision(NV3_REVISION_C, 8 << 20, 0x7fff07ff, 0x007ffff0);
}

/*
 * The first write must set the lower bound, and the second write the upper bound, no
 * matter which of the two addresses each write uses.
 */
static void check_clip_pair(Graph *g, uint32_t min, uint32_t max)
{
    host_wr32(g->host, min, 0xabcde);
    host_wr32(g->host, max, 0x12345);
    assert_int_equal(host_rd32(g->host, min), 0xabcde & 0x3ffff);
    assert_int_equal(host_rd32(g->host, max), 0x12345);
    host_wr32(g->host, min, 0x777);
    assert_int_equal(host_rd32(g->host, min), 0x12345);
    assert_int_equal(host_rd32(g->host, max), 0x777);
}

static void test_clip_shift(void **state)
{
    Graph *g = *state;

    check_clip_pair(g, NV3_PGRAPH_UCLIP_XMIN, NV3_PGRAPH_UCLIP_XMAX);
    check_clip_pair(g, NV3_PGRAPH_UCLIP_YMIN, NV3_PGRAPH_UCLIP_YMAX);
    check_clip_pair(g, NV3_PGRAPH_OCLIP_XMIN, NV3_PGRAPH_OCLIP_XMAX);
    check_clip_pair(g, NV3_PGRAPH_OCLIP_YMIN, NV3_PGRAPH_OCLIP_YMAX);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_UCLIP_XMAX), 0x777);
}

/*
 * Like hwtest, checks the flags that show where coordinates are relative to the canvas
 * and to the clips.
 */
static void test_coordinate_flags(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MIN, 0x00100020);
    host_wr32(g->host, NV3_PGRAPH_DST_CANVAS_MAX, 0x00800100);
    host_wr32(g->host, NV3_PGRAPH_CTX_USER, NV3_CLASS_BLIT << 16);
    /*
     * With class BLIT, a write to any vertex register changes the status flags of vertex
     * 8.
     */
    host_wr32(g->host, NV3_PGRAPH_VTX_X(5), 0x20);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_X_CLIP_STATUS(1)) & 0xf, 2);
    host_wr32(g->host, NV3_PGRAPH_VTX_X(0), 0x101);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_X_CLIP_STATUS(1)) & 0xf, 4);
    host_wr32(g->host, NV3_PGRAPH_VTX_Y(0), -1);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_Y_CLIP_STATUS(1)) & 0xf, 1);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_Y_MISC), 0);
    host_wr32(g->host, NV3_PGRAPH_VTX_Y(0), 0x8000);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_Y_MISC), 0x10);
    /*
     * Move the right edge of the image clip into the canvas, and then to the left of the
     * canvas.
     */
    host_wr32(g->host, NV3_PGRAPH_ICLIP_XMAX, 0x80);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_1), 0x104000);
    host_wr32(g->host, NV3_PGRAPH_ICLIP_XMAX, 0x1f);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_1), 0x104010);
    host_wr32(g->host, NV3_PGRAPH_ICLIP_YMAX, 0x81);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_2), 0x10);
    /*
     * A write to a bound of the output clip also sets vertex 13. The flags of the output
     * clip are in XY_MISC_2.
     */
    host_wr32(g->host, NV3_PGRAPH_X_CLIP_STATUS(0), 0);
    host_wr32(g->host, NV3_PGRAPH_OCLIP_XMIN, 0x30);
    host_wr32(g->host, NV3_PGRAPH_OCLIP_XMAX, 0xff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VTX_X(13)), 0xff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_2), 0x3000);
}

/* A write of DEBUG_1 with bit 4 set restarts the current image. */
static void test_image_stop(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_XY_MISC_1, 0x331);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_1, ~0x10u);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_1), 0x331);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_1, 0x10);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_1), 0x330);
}

static void test_beta(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_BETA, 0x7fffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_BETA), 0x7f800000);
    host_wr32(g->host, NV3_PGRAPH_BETA, 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_BETA), 0);
}

static void test_ctx_cache_lock(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_CTX_CACHE(3), 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CACHE(3)), 0);
    host_wr32(g->host, NV3_PGRAPH_FIFO_ENABLE, 0);
    host_wr32(g->host, NV3_PGRAPH_CTX_CACHE(3), 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CACHE(3)), 0x3ff3f71f);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CACHE(2)), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CACHE(4)), 0);
}

static void test_valid_side_effects(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_VALID, 0);
    host_wr32(g->host, NV3_PGRAPH_MISC32_0, 1);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 1 << 16);
    host_wr32(g->host, NV3_PGRAPH_D3D_CONFIG, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 1 << 16 | 1 << 26);
}

static void test_ctx_switch_volatile(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_VALID, 0xffffffff);
    host_wr32(g->host, NV3_PGRAPH_CTX_SWITCH, 0x7fffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_SWITCH), 0x3ff3f71f);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DEBUG_1) & 1, 0);
    host_wr32(g->host, NV3_PGRAPH_CTX_SWITCH, 0x80000000);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_SWITCH), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 0xf0000000);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DEBUG_1) & 1, 1);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_2, 0);
    host_wr32(g->host, NV3_PGRAPH_VALID, 0xffffffff);
    host_wr32(g->host, NV3_PGRAPH_CTX_SWITCH, 0x80000000);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DEBUG_1) & 1, 0);
}

static void test_reset_trigger(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_VALID, 0xffffffff);
    host_wr32(g->host, NV3_PGRAPH_XY_MISC_0, 0xffffffff);
    host_wr32(g->host, NV3_PGRAPH_ROP, 0x5a);
    host_wr32(g->host, NV3_PGRAPH_X_CLIP_STATUS(0), 0);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_0, 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DEBUG_0), 0x13311110);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_XY_MISC_0), 0x00100000);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_X_CLIP_STATUS(0)),
                     0x55555555);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_SURF_OFFSET(2)), 0);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR_EN), 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_ROP), 0x5a);
}

static void test_intr_and_invalid(void **state)
{
    Graph *g = *state;

    nv3_pgraph_raise_invalid(g->s, NV3_PGRAPH_INVALID_METHOD |
                             NV3_PGRAPH_INVALID_DATA);
    assert_true(g->host->irq == false);
    host_wr32(g->host, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    assert_true(g->host->irq);
    assert_int_equal(host_rd32(g->host, NV3_PMC_INTR), NV3_PMC_INTR_PGRAPH);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
    host_wr32(g->host, NV3_PGRAPH_INVALID, NV3_PGRAPH_INVALID_METHOD);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_INVALID);
    host_wr32(g->host, NV3_PGRAPH_INVALID, NV3_PGRAPH_INVALID_DATA);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR), 0);
    assert_false(g->host->irq);
    nv3_pgraph_raise_invalid(g->s, NV3_PGRAPH_INVALID_DATA);
    host_wr32(g->host, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_INVALID);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID), 0);
}

/*
 * Each bit of INVALID_EN enables the interrupt for the error with the same bit number,
 * even if INTR_EN is 0. Neither INVALID_EN nor INTR_EN affects the status registers.
 */
static void test_invalid_en(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    host_wr32(g->host, NV3_PGRAPH_INTR_EN, 0);
    nv3_pgraph_raise_invalid(g->s, NV3_PGRAPH_INVALID_DATA);
    assert_false(g->host->irq);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_INVALID);
    host_wr32(g->host, NV3_PGRAPH_INVALID_EN, NV3_PGRAPH_INVALID_METHOD);
    assert_false(g->host->irq);
    host_wr32(g->host, NV3_PGRAPH_INVALID_EN, NV3_PGRAPH_INVALID_DATA);
    assert_true(g->host->irq);
}

/* The vertical blank must raise an interrupt, but must not stop PGRAPH. */
static void test_vblank(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    nv3_pgraph_raise(g->s, NV3_PGRAPH_INTR_VBLANK);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_VBLANK);
    assert_true(g->host->irq);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 1);
    host_wr32(g->host, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
    assert_false(g->host->irq);
}

static void test_switch_available(void **state)
{
    Graph *g = *state;
    const uint32_t valid = NV3_PGRAPH_CTX_CONTROL_DEVICE |
                           NV3_PGRAPH_CTX_CONTROL_CHID_VALID;

    host_wr32(g->host, NV3_PGRAPH_CTX_CONTROL, 0xffffffff);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CONTROL), 0x11010103);
    host_wr32(g->host, NV3_PGRAPH_CTX_CONTROL, valid);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CONTROL),
                     valid | NV3_PGRAPH_CTX_CONTROL_AVAILABLE);
    host_wr32(g->host, NV3_PGRAPH_CTX_CONTROL,
              NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CONTROL),
                     NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    /* A timeslice of 262 us. */
    host_wr32(g->host, NV3_PGRAPH_CTX_CONTROL, valid | 1 |
              NV3_PGRAPH_CTX_CONTROL_EXPIRED);
    host_advance(g->host, 262143);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CONTROL),
                     valid | 1 | NV3_PGRAPH_CTX_CONTROL_EXPIRED);
    host_advance(g->host, 1);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CONTROL),
                     valid | 1 | NV3_PGRAPH_CTX_CONTROL_AVAILABLE);
}

static void test_read_only(void **state)
{
    Graph *g = *state;
    static const uint32_t regs[] = {
        NV3_PGRAPH_STATUS, NV3_PGRAPH_TRAPPED_ADDR, NV3_PGRAPH_TRAPPED_DATA,
        NV3_PGRAPH_TRAPPED_INST,
    };

    for (size_t i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
        host_wr32(g->host, regs[i], 0xffffffff);
        assert_int_equal(host_rd32(g->host, regs[i]), 0);
    }
}

/* Accesses all addresses of PGRAPH. Accesses to unknown addresses must be logged. */
static void test_all_addresses(void **state)
{
    Graph *g = *state;

    for (uint32_t addr = 0x400000; addr < 0x402000; addr += 4) {
        host_rd32(g->host, addr);
        host_wr32(g->host, addr, 0xffffffff);
        host_wr32(g->host, addr, 0);
    }
    host_forget(g->host);
    assert_int_equal(host_rd32(g->host, 0x400900), 0);
    assert_int_equal(g->host->logs[NV3_LOG_UNIMP], 1);
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_widths),
        T(test_distinct),
        T(test_revisions),
        T(test_clip_shift),
        T(test_coordinate_flags),
        T(test_image_stop),
        T(test_beta),
        T(test_ctx_cache_lock),
        T(test_valid_side_effects),
        T(test_ctx_switch_volatile),
        T(test_reset_trigger),
        T(test_intr_and_invalid),
        T(test_invalid_en),
        T(test_vblank),
        T(test_switch_available),
        T(test_read_only),
        T(test_all_addresses),
    };

    return cmocka_run_group_tests_name("pgraph_regs", tests, NULL, NULL);
}
