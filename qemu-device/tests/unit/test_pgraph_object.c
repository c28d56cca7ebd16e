/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how PGRAPH switches objects and channels, traps, and writes notifications. */
#include "graph.h"

#define NOTIFY_OBJ  0xe000u
#define NOTIFY_INST (NOTIFY_OBJ >> 4)

/*
 * Returns the description of an object that writes its notifications through the DMA
 * object of notify_object().
 */
static GraphObject notifying(unsigned class)
{
    return (GraphObject) {
        .class = class, .options = GRAPH_COPY, .notify = NOTIFY_INST,
    };
}

static void notify_object(Graph *g)
{
    host_dmaobj(g->host, NOTIFY_OBJ, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, 256,
                true);
}

static void assert_trap(Graph *g, unsigned subch, unsigned class,
                        uint32_t mthd, uint32_t data)
{
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_TRAPPED_ADDR),
                     GRAPH_CHID << 24 | class << 16 | subch << 13 | mthd);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_TRAPPED_DATA), data);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_TRAPPED_INST),
                     GRAPH_OBJECT(subch) >> 4);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
}

static void test_bind(void **state)
{
    Graph *g = *state;

    graph_bind(g, 2, (GraphObject) { .class = NV3_CLASS_RECT, .options = 0xffffffff });
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_SWITCH), 0x3ff3f71f);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CACHE(2)), 0x3ff3f71f);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_USER),
                     GRAPH_CHID << 24 | NV3_CLASS_RECT << 16 | 2 << 13);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DEBUG_1) & 1, 1);
}

/*
 * When PGRAPH switches back to a subchannel, it must use the subchannel's cached options,
 * and must not read RAMIN.
 */
static void test_switch_back(void **state)
{
    Graph *g = *state;

    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_ROP, .options = 0x11 });
    graph_bind(g, 6, (GraphObject) { .class = NV3_CLASS_RECT, .options = 0x12 });
    host_ramin_wr32(g->host, GRAPH_OBJECT(1), 0x0f);
    graph_mthd(g, 1, NV3_ROP_ROP, 0x66);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_SWITCH), 0x11);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_ROP), 0x66);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_USER) >> 16 & 0x1f,
                     NV3_CLASS_ROP);
}

static void test_switch_disabled(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_DEBUG_1, 0);
    host_wr32(g->host, NV3_PGRAPH_CTX_SWITCH, 0x5);
    graph_bind(g, 3, (GraphObject) { .class = NV3_CLASS_ROP, .options = 0x11 });
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_SWITCH), 0x5);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_CACHE(3)), 0x11);
}

static void test_volatile_reset(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_RECT, .options = GRAPH_COPY });
    graph_mthd(g, 0, NV3_RECT_COLOR, 1);
    graph_bind(g, 1, (GraphObject) { .class = NV3_CLASS_RECT, .options = GRAPH_COPY });
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 0);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_2, 0);
    graph_mthd(g, 1, NV3_RECT_COLOR, 1);
    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_RECT, .options = GRAPH_COPY });
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_VALID), 1 << 16);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DEBUG_1) & 1, 0);
}

static void test_dma_load(void **state)
{
    Graph *g = *state;
    GraphObject rect = notifying(NV3_CLASS_RECT);
    GraphObject m2mf = {
        .class = NV3_CLASS_M2MF, .dma = 0x111, .notify = 0x222, .m2mf = 0x1f333,
    };

    host_wr32(g->host, NV3_PGRAPH_DMA_INST, 0x9999);
    graph_bind(g, 0, rect);
    graph_mthd(g, 0, NV3_RECT_COLOR, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DMA_INST), 0x9999);
    graph_bind(g, 1, m2mf);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DMA_INST), 0x111);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_NOTIFY), 0x222);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_M2MF_INST), 0x1f333);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_GROBJ_INST),
                     GRAPH_OBJECT(1) >> 4);
    /* PGRAPH loads the instances of DMA objects only when the object changes. */
    m2mf.dma = 0x444;
    graph_object(g, 1, m2mf);
    graph_mthd(g, 1, NV3_M2MF_OFFSET_IN, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DMA_INST), 0x111);
    host_wr32(g->host, NV3_PGRAPH_GROBJ_INST, 0xffff);
    graph_mthd(g, 1, NV3_M2MF_OFFSET_IN, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DMA_INST), 0x444);
    /*
     * Method 0x104 loads the notifier's instance for every class, but only if DEBUG_1
     * enables the loading of DMA objects.
     */
    host_wr32(g->host, NV3_PGRAPH_DEBUG_1, NV3_PGRAPH_DEBUG_1_CTX_SWITCH);
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_NOTIFY) & 0xffff, 0x222);
    host_wr32(g->host, NV3_PGRAPH_NOTIFY, 0);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_1, NV3_PGRAPH_DEBUG_1_CTX_SWITCH |
              NV3_PGRAPH_DEBUG_1_DMA_LOAD);
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_NOTIFY),
                     NOTIFY_INST | NV3_PGRAPH_NOTIFY_ARMED);
}

/* No class has methods such as 0x100, 0x180 and 0x1fc. */
static void test_invalid_method(void **state)
{
    Graph *g = *state;
    static const uint32_t mthd[] = { 0x100, 0x108, 0x180, 0x1fc, 0x2fc };

    for (unsigned class = 0; class < 32; class++) {
        graph_bind(g, 0, (GraphObject) { .class = class, .options = GRAPH_COPY });
        for (size_t i = 0; i < sizeof(mthd) / sizeof(mthd[0]); i++) {
            assert_true(graph_try(g, 0, mthd[i], 0xabcd));
            assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                             NV3_PGRAPH_INTR_INVALID);
            assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                             NV3_PGRAPH_INVALID_METHOD);
            assert_trap(g, 0, class, mthd[i], 0xabcd);
            graph_resume(g);
        }
    }
}

static void test_no_such_class(void **state)
{
    Graph *g = *state;
    static const unsigned class[] = {
        0x00, 0x0f, 0x13, 0x16, 0x19, 0x1a, 0x1b, 0x1d, 0x1e, 0x1f,
    };

    for (size_t i = 0; i < sizeof(class) / sizeof(class[0]); i++) {
        graph_bind(g, 0, (GraphObject) { .class = class[i] });
        for (uint32_t mthd = 4; mthd < 0x2000; mthd += 4) {
            assert_true(graph_try(g, 0, mthd, 0));
            assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                             NV3_PGRAPH_INVALID_METHOD);
            graph_resume(g);
        }
    }
}

/*
 * A class that the configuration removes must behave like a class that does not exist.
 * Other classes still work.
 */
static void test_without_class(void **state)
{
    const NV3Config config = {
        .revision = NV3_REVISION_C, .vram_size = 8 << 20,
        .without_classes = 1 << NV3_CLASS_ROP | 1 << NV3_CLASS_SIFM,
    };
    Graph *g = graph_new_config(&config);
    GraphObject sifm = { .class = NV3_CLASS_SIFM, .dma = 0x111 };

    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_ROP });
    for (uint32_t mthd = 4; mthd < 0x2000; mthd += 4) {
        assert_true(graph_try(g, 0, mthd, 0x5a));
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                         NV3_PGRAPH_INTR_INVALID);
        assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                         NV3_PGRAPH_INVALID_METHOD);
        assert_trap(g, 0, NV3_CLASS_ROP, mthd, 0x5a);
        graph_resume(g);
    }
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_ROP), 0);
    /*
     * A removed class must not load DMA objects. SIFM is one of the four classes that
     * load DMA objects.
     */
    host_wr32(g->host, NV3_PGRAPH_DMA_INST, 0x9999);
    graph_bind(g, 1, sifm);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_DMA_INST), 0x9999);
    graph_bind(g, 2, (GraphObject) { .class = NV3_CLASS_CHROMA });
    graph_mthd(g, 2, NV3_CHROMA_COLOR, 0xff123456);
    assert_int_not_equal(host_rd32(g->host, NV3_PGRAPH_CHROMA), 0);
    graph_free(g);
}

/* The chip must have exactly the documented classes. */
static void test_classes(void **state)
{
    static const uint8_t has[] = {
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b,
        0x0c, 0x0d, 0x0e, 0x10, 0x11, 0x12, 0x14, 0x15, 0x17, 0x18, 0x1c,
    };
    uint32_t mask = 0;

    for (size_t i = 0; i < sizeof(has); i++) {
        mask |= 1u << has[i];
    }
    assert_int_equal(nv3_classes(), mask);
}

/*
 * After a method has trapped, PGRAPH must not accept another method until software
 * restarts PGRAPH.
 */
static void test_trap_and_go_on(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_ROP });
    assert_true(graph_try(g, 0, 0x180, 1));
    assert_false(nv3_pgraph_ready(g->s));
    assert_false(graph_try(g, 0, NV3_ROP_ROP, 0x77));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_ROP), 0);
    assert_trap(g, 0, NV3_CLASS_ROP, 0x180, 1);
    graph_resume(g);
    assert_true(g->host->kicks > 0);
    graph_mthd(g, 0, NV3_ROP_ROP, 0x77);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_ROP), 0x77);
}

static void test_data_check(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_PATTERN });
    assert_true(graph_try(g, 0, NV3_PATTERN_SHAPE, 7));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_DATA);
    assert_trap(g, 0, NV3_CLASS_PATTERN, NV3_PATTERN_SHAPE, 7);
    /* The method has set the register, although its argument is invalid. */
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_SHAPE), 3);
    graph_resume(g);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_3, 0);
    graph_mthd(g, 0, NV3_PATTERN_SHAPE, 6);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_PATTERN_SHAPE), 2);
}

static void test_forced_failure(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_DATA_FAIL);
    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_ROP });
    graph_mthd(g, 0, NV3_ROP_ROP, 1);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_3, NV3_PGRAPH_DEBUG_3_DATA_FAIL |
              NV3_PGRAPH_DEBUG_3_DATA_CHECK);
    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_ROP });
    assert_true(graph_try(g, 0, NV3_ROP_ROP, 2));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_DATA);
}

/*
 * If a method belongs to another channel, PGRAPH must raise an interrupt, and must not
 * execute the method.
 */
static void test_channel_switch(void **state)
{
    Graph *g = *state;
    uint32_t ctx;

    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_ROP });
    ctx = g->ctx[0];
    host_forget(g->host);
    assert_false(nv3_pgraph_submit(g->s, 9, 4, NV3_ROP_ROP, 0x5a, ctx));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_CTX_SWITCH);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_TRAPPED_ADDR),
                     9 << 24 | NV3_CLASS_ROP << 16 | 4 << 13 | NV3_ROP_ROP);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_FIFO_ENABLE), 0);
    assert_true(host_rd32(g->host, NV3_PGRAPH_CTX_CONTROL) &
                NV3_PGRAPH_CTX_CONTROL_SWITCHING);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_ROP), 0);
    /* PGRAPH must still have the state of the first channel. */
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_CTX_USER),
                     GRAPH_CHID << 24 | NV3_CLASS_ROP << 16);
    assert_int_equal(g->s->counters[NV3_PVIRT_COUNTER_SWITCHES], 1);
    /* Act as the driver: load the state of the other channel. */
    host_wr32(g->host, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_CTX_SWITCH);
    host_wr32(g->host, NV3_PGRAPH_CTX_USER,
              9 << 24 | NV3_CLASS_ROP << 16 | 4 << 13);
    host_wr32(g->host, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_DEVICE |
              NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
    host_wr32(g->host, NV3_PGRAPH_FIFO_ENABLE, 1);
    assert_true(g->host->kicks > 0);
    assert_true(nv3_pgraph_submit(g->s, 9, 4, NV3_ROP_ROP, 0x5a, ctx));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_ROP), 0x5a);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR), 0);
    /* A method of the first channel raises the interrupt again. */
    assert_false(graph_try(g, 0, NV3_ROP_ROP, 0));
    assert_int_equal(g->s->counters[NV3_PVIRT_COUNTER_SWITCHES], 2);
}

static void test_channel_invalid(void **state)
{
    Graph *g = *state;

    host_wr32(g->host, NV3_PGRAPH_CTX_CONTROL, NV3_PGRAPH_CTX_CONTROL_DEVICE);
    graph_object(g, 0, (GraphObject) { .class = NV3_CLASS_ROP });
    assert_false(graph_try(g, 0, NV3_MTHD_OBJECT, 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_CTX_SWITCH);
    /*
     * If the driver restarts PGRAPH without loading another channel, PGRAPH raises the
     * interrupt again.
     */
    graph_resume(g);
    assert_false(graph_try(g, 0, NV3_MTHD_OBJECT, 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_CTX_SWITCH);
}

static void test_engine_off(void **state)
{
    Graph *g = *state;

    graph_object(g, 0, (GraphObject) { .class = NV3_CLASS_ROP });
    host_wr32(g->host, NV3_PMC_ENABLE, ~NV3_PMC_ENABLE_PGRAPH);
    assert_false(nv3_pgraph_ready(g->s));
    assert_false(graph_try(g, 0, NV3_MTHD_OBJECT, 0));
    assert_int_equal(g->s->pgraph.trapped_addr, 0);
}

static void test_notify(void **state)
{
    Graph *g = *state;
    const uint32_t at = HOST_MEM_BASE + 3 * NV3_NOTIFICATION_SIZE;

    notify_object(g);
    memset(host_mem_ptr(g->host, HOST_MEM_BASE, 256), 0xee, 256);
    graph_bind(g, 0, notifying(NV3_CLASS_ROP));
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 3);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_NOTIFY),
                     NOTIFY_INST | NV3_PGRAPH_NOTIFY_ARMED | 3 << 20);
    assert_int_equal(host_mem_rd32(g->host, at), 0xeeeeeeee);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR), 0);
    graph_mthd(g, 0, NV3_ROP_ROP, 1);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_NOTIFY);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_NOTIFY),
                     NOTIFY_INST | 3 << 20);
    assert_int_equal(host_mem_rd32(g->host, at),
                     (uint32_t)nv3_ptimer_now(g->s));
    assert_int_equal(host_mem_rd32(g->host, at + 4),
                     (uint32_t)(nv3_ptimer_now(g->s) >> 32));
    assert_int_equal(host_mem_rd32(g->host, at + 8), 0);
    assert_int_equal(host_mem_rd32(g->host, at + 12), 0);
    assert_int_equal(host_mem_rd32(g->host, at - 4), 0xeeeeeeee);
    assert_int_equal(host_mem_rd32(g->host, at + 16), 0xeeeeeeee);
    /* After the next method, the chip must not write the notification again. */
    host_forget(g->host);
    graph_mthd(g, 0, NV3_ROP_ROP, 2);
    assert_int_equal(g->host->dma_writes, 0);
}

/* The notification contains PTIMER's time. */
static void test_notify_time(void **state)
{
    Graph *g = *state;
    uint64_t before, after;

    notify_object(g);
    host_wr32(g->host, NV3_PTIMER_NUMERATOR, 1);
    host_wr32(g->host, NV3_PTIMER_DENOMINATOR, 1);
    graph_bind(g, 0, notifying(NV3_CLASS_ROP));
    host_advance(g->host, 123456789);
    before = nv3_ptimer_now(g->s);
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 0);
    graph_mthd(g, 0, NV3_ROP_ROP, 1);
    after = host_mem_rd32(g->host, HOST_MEM_BASE) |
            (uint64_t)host_mem_rd32(g->host, HOST_MEM_BASE + 4) << 32;
    assert_true(before > 0);
    assert_int_equal(after, before);
}

/*
 * If the argument of the method NOTIFY is 0, the notification must not raise an
 * interrupt.
 */
static void test_notify_quiet(void **state)
{
    Graph *g = *state;

    notify_object(g);
    memset(host_mem_ptr(g->host, HOST_MEM_BASE, 16), 0xee, 16);
    graph_bind(g, 0, notifying(NV3_CLASS_PLANE));
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 0);
    graph_mthd(g, 0, NV3_PLANE_MASK, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR), 0);
    assert_int_equal(host_mem_rd32(g->host, HOST_MEM_BASE + 12), 0);
}

static void test_notify_bad_slot(void **state)
{
    Graph *g = *state;

    notify_object(g);
    graph_bind(g, 0, notifying(NV3_CLASS_ROP));
    assert_true(graph_try(g, 0, NV3_MTHD_NOTIFY, 16));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_DATA);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_NOTIFY) &
                     NV3_PGRAPH_NOTIFY_ARMED, 0);
    graph_resume(g);
    host_wr32(g->host, NV3_PGRAPH_DEBUG_3, 0);
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 0x35);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_NOTIFY),
                     NOTIFY_INST | NV3_PGRAPH_NOTIFY_ARMED | 5 << 20);
}

static void test_double_notify(void **state)
{
    Graph *g = *state;

    notify_object(g);
    graph_bind(g, 0, notifying(NV3_CLASS_ROP));
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 1);
    assert_true(graph_try(g, 0, NV3_MTHD_NOTIFY, 2));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_DOUBLE_NOTIFY);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_NOTIFY),
                     NOTIFY_INST | NV3_PGRAPH_NOTIFY_ARMED | 2 << 20);
    assert_int_equal(g->host->dma_writes, 0);
}

/*
 * If the object changes while a notifier is armed, PGRAPH must report the error
 * CTXSW_NOTIFY, and must not write the notification.
 */
static void test_ctxsw_notify(void **state)
{
    Graph *g = *state;

    notify_object(g);
    graph_bind(g, 0, notifying(NV3_CLASS_ROP));
    graph_bind(g, 1, notifying(NV3_CLASS_ROP));
    graph_mthd(g, 1, NV3_MTHD_NOTIFY, 1);
    assert_true(graph_try(g, 0, NV3_ROP_ROP, 0x21));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_CTXSW_NOTIFY);
    assert_int_equal(g->host->dma_writes, 0);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_ROP), 0x21);
    graph_resume(g);
    /*
     * If a method causes CTXSW_NOTIFY, PGRAPH must not report other errors of this
     * method.
     */
    assert_true(graph_try(g, 1, 0x100, 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_CTXSW_NOTIFY);
}

/*
 * If a method is invalid while a notifier is armed, PGRAPH must raise the notifier's
 * interrupt, but must not write the notification.
 */
static void test_notify_invalid_method(void **state)
{
    Graph *g = *state;

    notify_object(g);
    graph_bind(g, 0, notifying(NV3_CLASS_ROP));
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 1);
    assert_true(graph_try(g, 0, 0x100, 0));
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR),
                     NV3_PGRAPH_INTR_INVALID | NV3_PGRAPH_INTR_NOTIFY);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INVALID),
                     NV3_PGRAPH_INVALID_METHOD);
    assert_true(host_rd32(g->host, NV3_PGRAPH_NOTIFY) &
                NV3_PGRAPH_NOTIFY_ARMED);
    assert_int_equal(g->host->dma_writes, 0);
}

static void test_notify_null(void **state)
{
    Graph *g = *state;

    graph_bind(g, 0, (GraphObject) { .class = NV3_CLASS_ROP });
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 1);
    assert_true(graph_try(g, 0, NV3_ROP_ROP, 0x33));
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR),
                     NV3_PDMA_INTR_INST_NULL | NV3_PDMA_INTR_NOTIFY);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_INTR), 0);
    assert_trap(g, 0, NV3_CLASS_ROP, NV3_ROP_ROP, 0x33);
    assert_int_equal(host_rd32(g->host, NV3_PGRAPH_NOTIFY) &
                     NV3_PGRAPH_NOTIFY_ARMED, 0);
}

static void test_notify_beyond_limit(void **state)
{
    Graph *g = *state;

    host_dmaobj(g->host, NOTIFY_OBJ, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, 24,
                true);
    graph_bind(g, 0, notifying(NV3_CLASS_ROP));
    graph_mthd(g, 0, NV3_MTHD_NOTIFY, 1);
    assert_true(graph_try(g, 0, NV3_ROP_ROP, 0));
    assert_int_equal(host_rd32(g->host, NV3_PDMA_INTR),
                     NV3_PDMA_INTR_LIMIT | NV3_PDMA_INTR_NOTIFY);
}

/* Submits methods with random numbers, arguments, contexts and subchannels. */
static void test_random(void **state)
{
    Graph *g = *state;
    uint32_t seed = 42;

    for (unsigned i = 0; i < 200000; i++) {
        uint32_t mthd = graph_rand(&seed) & 0x1ffc;
        uint32_t data = graph_rand(&seed) >> (graph_rand(&seed) & 31);

        if (graph_rand(&seed) & 1) {
            mthd &= 0x7fc;
        }
        g->ctx[0] = graph_rand(&seed);
        if (!nv3_pgraph_submit(g->s, GRAPH_CHID, graph_rand(&seed), mthd, data,
                               g->ctx[0])) {
            graph_resume(g);
        }
        while (nv3_pgraph_step(g->s)) {
            continue;
        }
        if (i % 16 == 0) {
            uint32_t reg = 0x400400 + (graph_rand(&seed) & 0x7fc);

            host_wr32(g->host, reg, graph_rand(&seed));
        }
        if (i % 64 == 0) {
            host_wr32(g->host, NV3_PGRAPH_CTX_SWITCH, graph_rand(&seed));
            host_wr32(g->host, NV3_PGRAPH_DEBUG_3, graph_rand(&seed));
            graph_resume(g);
        }
    }
}

#define T(name) \
    cmocka_unit_test_setup_teardown(name, graph_setup, graph_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_bind),
        T(test_switch_back),
        T(test_switch_disabled),
        T(test_volatile_reset),
        T(test_dma_load),
        T(test_invalid_method),
        T(test_no_such_class),
        cmocka_unit_test(test_without_class),
        cmocka_unit_test(test_classes),
        T(test_trap_and_go_on),
        T(test_data_check),
        T(test_forced_failure),
        T(test_channel_switch),
        T(test_channel_invalid),
        T(test_engine_off),
        T(test_notify),
        T(test_notify_time),
        T(test_notify_quiet),
        T(test_notify_bad_slot),
        T(test_double_notify),
        T(test_ctxsw_notify),
        T(test_notify_invalid_method),
        T(test_notify_null),
        T(test_notify_beyond_limit),
        T(test_random),
    };

    return cmocka_run_group_tests_name("pgraph_object", tests, NULL, NULL);
}
