/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests class M2MF: copies between DMA objects, strides, faults, checks of arguments, and
 * slices.
 */
#include "graph.h"

#define IN_OBJ      0xe000u
#define OUT_OBJ     0xf000u
#define IN_VRAM     0x200000u
#define OUT_VRAM    0x400000u
#define SIZE        0x40000u

static void objects(Graph *g, uint32_t in_target, uint32_t in,
                    uint32_t out_target, uint32_t out)
{
    host_dmaobj(g->host, IN_OBJ, in_target, in, SIZE, false);
    host_dmaobj(g->host, OUT_OBJ, out_target, out, SIZE, true);
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_M2MF, .dma = IN_OBJ >> 4, .m2mf = OUT_OBJ >> 4,
    });
}

static void vram_objects(Graph *g)
{
    objects(g, NV3_DMAOBJ_TARGET_VRAM, IN_VRAM, NV3_DMAOBJ_TARGET_VRAM,
            OUT_VRAM);
    for (uint32_t i = 0; i < SIZE; i++) {
        g->host->vram[IN_VRAM + i] = i * 31 + (i >> 8);
    }
}

typedef struct Copy {
    uint32_t in, out, in_pitch, out_pitch, length, count, format;
} Copy;

static void set_up(Graph *g, Copy c)
{
    graph_mthd(g, 0, NV3_M2MF_OFFSET_IN, c.in);
    graph_mthd(g, 0, NV3_M2MF_OFFSET_OUT, c.out);
    graph_mthd(g, 0, NV3_M2MF_PITCH_IN, c.in_pitch);
    graph_mthd(g, 0, NV3_M2MF_PITCH_OUT, c.out_pitch);
    graph_mthd(g, 0, NV3_M2MF_LINE_LENGTH, c.length);
    graph_mthd(g, 0, NV3_M2MF_LINE_COUNT, c.count);
    graph_mthd(g, 0, NV3_M2MF_FORMAT, c.format ? c.format : 0x101);
}

static void copy(Graph *g, Copy c)
{
    set_up(g, c);
    graph_mthd(g, 0, NV3_M2MF_BUF_NOTIFY, 0);
}

static void test_lines(void **state)
{
    Graph *g = *state;
    const uint8_t *in = g->host->vram + IN_VRAM;
    const uint8_t *out = g->host->vram + OUT_VRAM;

    vram_objects(g);
    copy(g, (Copy) { .in = 5, .out = 100, .in_pitch = 1000, .out_pitch = 333,
                     .length = 77, .count = 20 });
    for (unsigned y = 0; y < 20; y++) {
        assert_memory_equal(out + 100 + y * 333, in + 5 + y * 1000, 77);
        assert_int_equal(out[100 + y * 333 + 77], 0);
        assert_int_equal(out[99 + y * 333], 0);
    }
    assert_int_equal(out[100 + 20 * 333], 0);
}

static void test_big_line(void **state)
{
    Graph *g = *state;

    vram_objects(g);
    copy(g, (Copy) { .length = SIZE, .count = 1 });
    assert_memory_equal(g->host->vram + OUT_VRAM, g->host->vram + IN_VRAM, SIZE);
}

static void test_system_memory(void **state)
{
    Graph *g = *state;
    uint8_t *mem = host_mem_ptr(g->host, HOST_MEM_BASE, SIZE);

    for (uint32_t i = 0; i < SIZE; i++) {
        mem[i] = i * 13;
    }
    objects(g, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, NV3_DMAOBJ_TARGET_VRAM,
            OUT_VRAM);
    copy(g, (Copy) { .in = 1, .out = 2, .in_pitch = 4096, .out_pitch = 4096,
                     .length = 4000, .count = 16 });
    for (unsigned y = 0; y < 16; y++) {
        assert_memory_equal(g->host->vram + OUT_VRAM + 2 + y * 4096,
                            mem + 1 + y * 4096, 4000);
    }
    objects(g, NV3_DMAOBJ_TARGET_VRAM, OUT_VRAM, NV3_DMAOBJ_TARGET_AGP,
            HOST_MEM_BASE + SIZE);
    copy(g, (Copy) { .length = 9000, .count = 1 });
    assert_memory_equal(host_mem_ptr(g->host, HOST_MEM_BASE + SIZE, 9000),
                        g->host->vram + OUT_VRAM, 9000);
}

static void test_strides(void **state)
{
    Graph *g = *state;
    static const unsigned inc[] = { 1, 2, 4 };
    const uint8_t *in = g->host->vram + IN_VRAM;
    uint8_t *out = g->host->vram + OUT_VRAM;

    vram_objects(g);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned o = 0; o < 3; o++) {
            memset(out, 0, SIZE);
            copy(g, (Copy) {
                .length = 5000, .count = 2, .in_pitch = 20000,
                .out_pitch = 20001, .format = inc[i] | inc[o] << 8,
            });
            for (unsigned y = 0; y < 2; y++) {
                for (unsigned x = 0; x < 5000; x++) {
                    assert_int_equal(out[y * 20001 + x * inc[o]],
                                     in[y * 20000 + x * inc[i]]);
                    if (inc[o] > 1) {
                        assert_int_equal(out[y * 20001 + x * inc[o] + 1], 0);
                    }
                }
            }
        }
    }
}

static void test_nothing(void **state)
{
    Graph *g = *state;

    vram_objects(g);
    copy(g, (Copy) { .length = 0, .count = 100 });
    copy(g, (Copy) { .length = 100, .count = 0 });
    assert_int_equal(g->host->vram[OUT_VRAM], 0);
    assert_int_equal(g->host->vram[OUT_VRAM + 1], 0);
}

static void test_registers(void **state)
{
    Graph *g = *state;

    vram_objects(g);
    copy(g, (Copy) { .in = 1, .out = 2, .in_pitch = 3, .out_pitch = 4,
                     .length = 5, .count = 6, .format = 0x402 });
    assert_int_equal(host_rd32(g->host, NV3_PDMA_OFFSET(0)), 1);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_OFFSET(1)), 2);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_PITCH), 4 << 16 | 3);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_MISC24_0), 5);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_LINES), 6);
    assert_int_equal(host_rd32(g->host, NV3_PDMA_FORMAT), 0x402);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 0x7f);
}

static void test_missing(void **state)
{
    Graph *g = *state;

    for (unsigned i = 0; i < 7; i++) {
        vram_objects(g);
        set_up(g, (Copy) { .length = 4, .count = 1 });
        host_wr32(g->host, NV3_PGRAPH_VALID, 0x7f & ~(1u << i));
        assert_true(graph_try(g, 0, NV3_M2MF_BUF_NOTIFY, 0));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                         NV3_PGRAPH_INTR_MISSING_METHOD);
        graph_resume(g);
    }
    assert_int_equal(g->host->vram[OUT_VRAM + 1], 0);
}

static void test_bad_data(void **state)
{
    Graph *g = *state;
    static const struct {
        uint32_t mthd, data;
    } bad[] = {
        { NV3_M2MF_PITCH_IN, 0x8000 }, { NV3_M2MF_PITCH_OUT, 0xffffffff },
        { NV3_M2MF_LINE_LENGTH, 0x400000 }, { NV3_M2MF_LINE_COUNT, 0x800 },
        { NV3_M2MF_FORMAT, 0 }, { NV3_M2MF_FORMAT, 0x103 },
        { NV3_M2MF_FORMAT, 0x301 }, { NV3_M2MF_FORMAT, 0x109 },
        { NV3_M2MF_FORMAT, 0x181 }, { NV3_M2MF_FORMAT, 0x501 },
    };

    vram_objects(g);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_true(graph_try(g, 0, bad[i].mthd, bad[i].data));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                         NV3_PGRAPH_INVALID_DATA);
        graph_resume(g);
    }
    graph_mthd(g, 0, NV3_M2MF_PITCH_IN, 0x7fff);
    graph_mthd(g, 0, NV3_M2MF_LINE_LENGTH, 0x3fffff);
    graph_mthd(g, 0, NV3_M2MF_LINE_COUNT, 0x7ff);
    graph_mthd(g, 0, NV3_M2MF_FORMAT, 0x404);
}

static void assert_fault(Graph *g, uint32_t reason)
{
    assert_true(graph_try(g, 0, NV3_M2MF_BUF_NOTIFY, 0));
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), reason);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
    assert_true(nv3_pgraph_idle(g->s));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_TRAPPED_INST),
                     GRAPH_OBJECT(0) >> 4);
    graph_resume(g);
}

/*
 * If the copy of a line faults, M2MF has copied all earlier lines, but does not copy this
 * line or later lines.
 */
static void test_faults(void **state)
{
    Graph *g = *state;
    const uint8_t *out = g->host->vram + OUT_VRAM;

    vram_objects(g);
    set_up(g, (Copy) { .in = SIZE - 250, .in_pitch = 100, .out_pitch = 100,
                       .length = 100, .count = 4 });
    assert_fault(g, NV3_PDMA_INTR_LIMIT);
    assert_memory_equal(out, g->host->vram + IN_VRAM + SIZE - 250, 200);
    assert_int_equal(out[200], 0);
    set_up(g, (Copy) { .out = SIZE - 100, .length = 101, .count = 1 });
    assert_fault(g, NV3_PDMA_INTR_LIMIT);
    assert_int_equal(out[SIZE - 100], 0);
    /*
     * The sum of the offset and the pitch exceeds 32 bits. The chip must not truncate it
     * to 0.
     */
    set_up(g, (Copy) { .in = 0xffffff00, .in_pitch = 0x100, .length = 1,
                       .count = 3 });
    assert_fault(g, NV3_PDMA_INTR_LIMIT);
    /* Swap the two DMA objects. The new destination is not writable. */
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_M2MF, .dma = OUT_OBJ >> 4, .m2mf = IN_OBJ >> 4,
    });
    host_wr32(g->host, NV3_PGRAPH_GROBJ_INST, 0);
    set_up(g, (Copy) { .length = 4, .count = 1 });
    assert_fault(g, NV3_PDMA_INTR_PROTECTION);
    host_ramin_wr32(g->host, OUT_OBJ + NV3_DMAOBJ_PTE(0), 0);
    set_up(g, (Copy) { .length = 4, .count = 1 });
    assert_fault(g, NV3_PDMA_INTR_PRESENT);
    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_M2MF });
    host_wr32(g->host, NV3_PGRAPH_VALID, 0x7f);
    g->ctx[0] = g->ctx[1];
    assert_true(graph_try(g, 1, NV3_M2MF_BUF_NOTIFY, 0));
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR), NV3_PDMA_INTR_INST_NULL);
}

/*
 * If a notifier is armed, the notification is written after the copy, unless the copy
 * faults.
 */
static void test_notify(void **state)
{
    Graph *g = *state;
    const uint32_t obj = 0xd000;

    host_dmaobj(g->host, obj, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, 64, true);
    vram_objects(g);
    graph_bind(g, 0, (GraphObject) {
        .class = NV3_CLASS_M2MF, .dma = IN_OBJ >> 4, .m2mf = OUT_OBJ >> 4,
        .notify = obj >> 4,
    });
    host_wr32(g->host, NV3_PGRAPH_GROBJ_INST, 0);
    set_up(g, (Copy) { .length = SIZE, .count = 1 });
    memset(host_mem_ptr(g->host, HOST_MEM_BASE, 64), 0xee, 64);
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 2);
    graph_mthd(g, 0, NV3_M2MF_BUF_NOTIFY, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_NOTIFY);
    assert_int_equal(host_mem_rd32(g->host, HOST_MEM_BASE + 44), 0);
    graph_resume(g);
    set_up(g, (Copy) { .length = SIZE + 1, .count = 1 });
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 3);
    host_mem_wr32(g->host, HOST_MEM_BASE + 60, 0xeeeeeeee);
    assert_fault(g, NV3_PDMA_INTR_LIMIT);
    assert_int_equal(host_mem_rd32(g->host, HOST_MEM_BASE + 60), 0xeeeeeeee);
    assert_true(host_rd32(g->host, NV3_PGRAPH_NOTIFY) &
                NV3_PGRAPH_NOTIFY_ARMED);
}

/*
 * PGRAPH must execute a large copy in several slices. STATUS must show that PGRAPH is
 * busy until the copy is complete.
 */
static void check_slices(Graph *g, uint32_t format, uint32_t length,
                         unsigned count)
{
    unsigned slices = 0;

    set_up(g, (Copy) { .length = length, .count = count, .format = format });
    assert_true(nv3_pgraph_submit(g->s, GRAPH_CHID, 0, NV3_M2MF_BUF_NOTIFY, 0,
                                  g->ctx[0]));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_STATUS), 0x10011);
    while (nv3_pgraph_step(g->s)) {
        slices++;
    }
    assert_in_range(slices, 5, 100000);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_STATUS), 0);
    assert_int_equal(g->host->vram[OUT_VRAM + (length - 1) * (format >> 8)],
                     g->host->vram[IN_VRAM + (length - 1) * (format & 7)]);
}

static void test_slices(void **state)
{
    Graph *g = *state;

    vram_objects(g);
    check_slices(g, 0x101, SIZE, 200);
    check_slices(g, 0x204, SIZE / 4, 3);
}

static void test_hostile(void **state)
{
    Graph *g = *state;
    uint32_t seed = 31337;

    for (unsigned i = 0; i < 600; i++) {
        for (unsigned j = 0; j < 16; j++) {
            uint32_t word = graph_rand(&seed) >> (graph_rand(&seed) & 31);

            host_ramin_wr32(g->host, IN_OBJ + j * 4, word | 3);
            host_ramin_wr32(g->host, OUT_OBJ + j * 4, word | 3);
        }
        graph_bind(g, 0, (GraphObject) {
            .class = NV3_CLASS_M2MF, .dma = IN_OBJ >> 4, .m2mf = OUT_OBJ >> 4,
        });
        host_wr32(g->host, NV3_PGRAPH_DEBUG_3, 0);
        for (uint32_t mthd = 0x30c; mthd <= 0x328; mthd += 4) {
            nv3_pgraph_submit(g->s, GRAPH_CHID, 0, mthd,
                              graph_rand(&seed) >> (graph_rand(&seed) & 31),
                              g->ctx[0]);
        }
        /*
         * Execute only 20 slices of the copy before resetting PGRAPH, because a random
         * copy may take too long.
         */
        for (unsigned j = 0; j < 20; j++) {
            nv3_pgraph_step(g->s);
        }
        host_wr32(g->host, NV3_PGRAPH_DEBUG_0, NV3_PGRAPH_DEBUG_0_RESET);
        graph_resume(g);
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_lines),
        T(test_big_line),
        T(test_system_memory),
        T(test_strides),
        T(test_nothing),
        T(test_registers),
        T(test_missing),
        T(test_bad_data),
        T(test_faults),
        T(test_notify),
        T(test_slices),
        T(test_hostile),
    };

    return cmocka_run_group_tests_name("class_m2mf", tests, NULL, NULL);
}
