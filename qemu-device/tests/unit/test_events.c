/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the events that the core reports: the order and the contents of the events of a
 * method in PFIFO and PGRAPH, and the mask of events. Reporting events must not change
 * the behaviour of the chip.
 */
#include "graph.h"
#include "saved.h"

#define EVENTS_MAX  4096
/* all kinds of events except OBJECT, which test_object() tests */
#define ALL         (((1u << NV3_EVENT_COUNT) - 1) & ~(1u << NV3_EVENT_OBJECT))
#define TIMELINE    ((ALL & ~(1u << NV3_EVENT_METHOD | 1u << NV3_EVENT_INTERRUPT)) | \
                     1u << NV3_EVENT_OBJECT)
#define NAME        0x1001
#define SUBCH       3
#define NOTIFIER    0xf000          /* RAMIN address of a DMA object */
#define PUSH_TABLE  0x20000
#define TEXTURE     0x30000

typedef struct Record {
    Graph *g;
    NV3Event event[EVENTS_MAX];
    unsigned count;
    unsigned checked;
} Record;

/*
 * The record is a global variable, because the host's functions receive only a pointer to
 * the Host.
 */
static Record *current;

static void record(void *opaque, const NV3Event *event)
{
    assert_ptr_equal(opaque, current->g->host);
    assert_in_range(current->count, 0, EVENTS_MAX - 1);
    current->event[current->count++] = *event;
}

static Record *new_record(uint32_t kinds)
{
    Record *r = test_calloc(1, sizeof(*r));

    r->g = graph_new_config(NULL);
    current = r;
    host_fifo_setup(r->g->host);
    r->g->s->ops.event = record;
    nv3_set_events(r->g->s, kinds);
    return r;
}

static void free_record(Record *r)
{
    graph_free(r->g);
    test_free(r);
}

/* Fails unless the next event is @expected. */
static void expect(Record *r, NV3Event expected)
{
    const NV3Event *e = &r->event[r->checked];

    assert_in_range(r->checked, 0, r->count - 1);
    r->checked++;
    assert_int_equal(e->kind, expected.kind);
    assert_int_equal(e->chid, expected.chid);
    assert_int_equal(e->subch, expected.subch);
    assert_int_equal(e->mthd, expected.mthd);
    assert_int_equal(e->class_id, expected.class_id);
    assert_int_equal(e->data, expected.data);
    assert_int_equal(e->detail, expected.detail);
}

static void expect_method(Record *r, uint32_t mthd, uint32_t data)
{
    expect(r, (NV3Event) {
        .kind = NV3_EVENT_METHOD, .chid = GRAPH_CHID, .subch = SUBCH, .mthd = mthd,
        .class_id = NV3_CLASS_RECT, .data = data,
    });
}

static void expect_interrupt(Record *r, uint32_t engine, uint32_t bits)
{
    expect(r, (NV3Event) {
        .kind = NV3_EVENT_INTERRUPT, .detail = engine, .data = bits,
    });
}

static void expect_end(Record *r)
{
    assert_int_equal(r->checked, r->count);
}

static void method(Record *r, uint32_t mthd, uint32_t data)
{
    host_method(r->g->host, GRAPH_CHID, SUBCH, mthd, data);
    host_run(r->g->host);
}

static void add_object(Record *r)
{
    Host *h = r->g->host;

    host_dmaobj(h, NOTIFIER, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, 4096, true);
    host_grobj(h, GRAPH_CHID, NAME, NV3_CLASS_RECT, HOST_INST, GRAPH_COPY,
               NOTIFIER >> 4 << NV3_GROBJ_NOTIFY_SHIFT);
}

static uint32_t context_word(void)
{
    return NV3_CTX_HARDWARE | NV3_CTX_CLASS_GRAPH |
           NV3_CLASS_RECT << NV3_CTX_CLASS_SHIFT | HOST_INST >> 4;
}

/* ---- the path of a method ---- */

static void test_miss(void **state)
{
    Record *r = new_record(ALL);

    method(r, NV3_MTHD_OBJECT, NAME);
    expect(r, (NV3Event) { .kind = NV3_EVENT_CHANNEL, .chid = GRAPH_CHID });
    expect(r, (NV3Event) {
        .kind = NV3_EVENT_STOP, .chid = GRAPH_CHID, .subch = SUBCH, .data = NAME,
        .detail = NV3_PFIFO_PULL_CTRL_HASH_FAILED,
    });
    expect_interrupt(r, NV3_PMC_INTR_PFIFO, NV3_PFIFO_INTR_CACHE_ERROR);
    expect_end(r);

    add_object(r);
    host_wr32(r->g->host, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
    host_run(r->g->host);
    expect_method(r, NV3_MTHD_OBJECT, context_word());
    expect_end(r);
    free_record(r);
}

static void test_software(void **state)
{
    Record *r = new_record(ALL);

    /* The subchannel has no object. */
    method(r, NV3_RECT_COLOR, 7);
    r->checked = 1;
    expect(r, (NV3Event) {
        .kind = NV3_EVENT_STOP, .chid = GRAPH_CHID, .subch = SUBCH,
        .mthd = NV3_RECT_COLOR, .data = 7, .detail = NV3_PFIFO_PULL_CTRL_SOFTWARE,
    });
    expect_interrupt(r, NV3_PMC_INTR_PFIFO, NV3_PFIFO_INTR_CACHE_ERROR);
    expect_end(r);
    free_record(r);
}

static void test_notification(void **state)
{
    Record *r = new_record(ALL);

    add_object(r);
    method(r, NV3_MTHD_OBJECT, NAME);
    r->checked = r->count;
    method(r, NV3_MTHD_NOTIFY, 2);
    method(r, NV3_RECT_COLOR, 5);
    expect_method(r, NV3_MTHD_NOTIFY, 2);
    expect_method(r, NV3_RECT_COLOR, 5);
    expect(r, (NV3Event) { .kind = NV3_EVENT_NOTIFY, .chid = GRAPH_CHID, .data = 2,
                            .detail = 1 });
    expect_interrupt(r, NV3_PMC_INTR_PGRAPH, NV3_PGRAPH_INTR_NOTIFY);
    expect_end(r);
    free_record(r);
}

static void test_trap(void **state)
{
    Record *r = new_record(ALL);

    add_object(r);
    method(r, NV3_MTHD_OBJECT, NAME);
    r->checked = r->count;
    method(r, 0x1f00, 9);
    expect_method(r, 0x1f00, 9);
    expect_interrupt(r, NV3_PMC_INTR_PGRAPH, NV3_PGRAPH_INTR_INVALID);
    expect_end(r);
    free_record(r);
}

/* The DMA object of the notifier is not writable. */
static void test_dma_fault(void **state)
{
    Record *r = new_record(ALL);

    add_object(r);
    host_dmaobj(r->g->host, NOTIFIER, NV3_DMAOBJ_TARGET_PCI, HOST_MEM_BASE, 4096, false);
    method(r, NV3_MTHD_OBJECT, NAME);
    method(r, NV3_MTHD_NOTIFY, 0);
    r->checked = r->count;
    method(r, NV3_RECT_COLOR, 5);
    expect_method(r, NV3_RECT_COLOR, 5);
    expect_interrupt(r, NV3_PMC_INTR_PDMA,
                     NV3_PDMA_INTR_PROTECTION | NV3_PDMA_INTR_NOTIFY);
    expect_end(r);
    free_record(r);
}

static void test_context(void **state)
{
    Record *r = new_record(ALL);
    const uint32_t other = GRAPH_CHID + 1;

    host_grobj(r->g->host, other, NAME, NV3_CLASS_RECT, HOST_INST, GRAPH_COPY, 0);
    host_method(r->g->host, other, SUBCH, NV3_MTHD_OBJECT, NAME);
    host_run(r->g->host);
    expect(r, (NV3Event) { .kind = NV3_EVENT_CHANNEL, .chid = other });
    expect_interrupt(r, NV3_PMC_INTR_PGRAPH, NV3_PGRAPH_INTR_CTX_SWITCH);
    expect(r, (NV3Event) {
        .kind = NV3_EVENT_CONTEXT, .chid = other, .subch = SUBCH,
        .data = context_word(), .detail = GRAPH_CHID,
    });
    expect_end(r);
    free_record(r);
}

static void test_runout(void **state)
{
    Record *r = new_record(ALL);

    host_wr32(r->g->host, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
    host_method(r->g->host, GRAPH_CHID, SUBCH, NV3_RECT_POINT(1), 8);
    expect(r, (NV3Event) {
        .kind = NV3_EVENT_RUNOUT, .chid = GRAPH_CHID, .subch = SUBCH,
        .mthd = NV3_RECT_POINT(1), .data = 8, .detail = NV3_RAMRO_NO_CACHE,
    });
    expect_interrupt(r, NV3_PMC_INTR_PFIFO, NV3_PFIFO_INTR_RUNOUT);
    expect_end(r);
    free_record(r);
}

static void test_batch(void **state)
{
    Record *r = new_record(ALL);
    HostPush push;

    add_object(r);
    host_push_init(r->g->host, &push, PUSH_TABLE);
    host_push1(&push, SUBCH, NV3_MTHD_OBJECT, NAME);
    host_push1(&push, SUBCH, NV3_RECT_COLOR, 3);
    host_push_start(&push, GRAPH_CHID);
    host_run(r->g->host);
    expect(r, (NV3Event) { .kind = NV3_EVENT_CHANNEL, .chid = GRAPH_CHID });
    expect(r, (NV3Event) { .kind = NV3_EVENT_BATCH, .chid = GRAPH_CHID, .data = 16 });
    expect(r, (NV3Event) { .kind = NV3_EVENT_BATCH_END, .chid = GRAPH_CHID });
    expect_method(r, NV3_MTHD_OBJECT, context_word());
    expect_method(r, NV3_RECT_COLOR, 3);
    expect_end(r);
    free_record(r);
}

/* ---- objects ---- */

static void expect_object(Record *r, uint32_t subch, uint32_t mthd)
{
    expect(r, (NV3Event) {
        .kind = NV3_EVENT_OBJECT, .chid = GRAPH_CHID, .subch = subch, .mthd = mthd,
        .class_id = NV3_CLASS_RECT,
    });
}

/*
 * In a sequence of methods of one object, only the first method causes an event OBJECT.
 * After an event such as NOTIFY, the next method causes an event OBJECT again.
 */
static void test_object(void **state)
{
    Record *r = new_record(TIMELINE);
    Host *h = r->g->host;

    add_object(r);
    method(r, NV3_MTHD_OBJECT, NAME);
    expect(r, (NV3Event) { .kind = NV3_EVENT_CHANNEL, .chid = GRAPH_CHID });
    expect_object(r, SUBCH, NV3_MTHD_OBJECT);
    method(r, NV3_RECT_COLOR, 5);
    method(r, NV3_MTHD_NOTIFY, 2);
    method(r, NV3_RECT_COLOR, 6);
    expect(r, (NV3Event) { .kind = NV3_EVENT_NOTIFY, .chid = GRAPH_CHID, .data = 2,
                            .detail = 1 });
    method(r, NV3_RECT_COLOR, 7);
    expect_object(r, SUBCH, NV3_RECT_COLOR);
    method(r, NV3_RECT_COLOR, 8);
    expect_end(r);

    host_method(h, GRAPH_CHID, SUBCH + 1, NV3_MTHD_OBJECT, NAME);
    host_run(h);
    expect_object(r, SUBCH + 1, NV3_MTHD_OBJECT);
    method(r, NV3_RECT_COLOR, 9);
    expect_object(r, SUBCH, NV3_RECT_COLOR);
    expect_end(r);

    /*
     * When events have been disabled and enabled, the next method causes an event OBJECT
     * again.
     */
    nv3_set_events(r->g->s, 0);
    nv3_set_events(r->g->s, TIMELINE);
    method(r, NV3_RECT_COLOR, 10);
    expect_object(r, SUBCH, NV3_RECT_COLOR);
    expect_end(r);
    free_record(r);
}

/* ---- the mask ---- */

static void test_mask(void **state)
{
    Record *r = new_record(0);

    add_object(r);
    method(r, NV3_MTHD_OBJECT, NAME);
    assert_int_equal(r->count, 0);
    nv3_set_events(r->g->s, 1u << NV3_EVENT_NOTIFY);
    method(r, NV3_MTHD_NOTIFY, 2);
    method(r, NV3_RECT_COLOR, 5);
    expect(r, (NV3Event) { .kind = NV3_EVENT_NOTIFY, .chid = GRAPH_CHID, .data = 2,
                            .detail = 1 });
    expect_end(r);
    /* The core must not report events to a host without an event callback. */
    r->g->s->ops.event = NULL;
    nv3_set_events(r->g->s, ALL);
    method(r, NV3_RECT_COLOR, 6);
    expect_end(r);
    free_record(r);
}

/* ---- vertices of class 0x17 ---- */

static void push_vertices(Record *r, HostPush *push, unsigned count)
{
    uint32_t seed = 7;

    for (unsigned i = 0; i < count; i++) {
        uint32_t word[8] = {
            i < 2 ? i : (i % 16) | (i + 14) % 16 << 4 | (i + 15) % 16 << 8,
            graph_rand(&seed) | 0xff000000,
        };
        const float place[6] = {
            graph_rand(&seed) % 256, graph_rand(&seed) % 128, 0.5f, 1, 0, 0,
        };

        memcpy(word + 2, place, sizeof(place));
        host_push(push, SUBCH, NV3_D3D_FOG_TRI(i % 128), 8, word);
    }
}

/* Draws @count vertices and returns the saved state of the chip. */
static uint8_t *draw_vertices(Record *r, unsigned count)
{
    uint8_t *state = test_malloc(saved_size());
    Host *h = r->g->host;
    HostPush push;

    host_dmaobj(h, TEXTURE, NV3_DMAOBJ_TARGET_VRAM, 0, 4096, false);
    host_grobj(h, GRAPH_CHID, NAME, NV3_CLASS_D3D, HOST_INST, GRAPH_COPY, TEXTURE >> 4);
    memset(h->vram, 0xff, 4);
    host_push_init(h, &push, PUSH_TABLE);
    host_push1(&push, SUBCH, NV3_MTHD_OBJECT, NAME);
    host_push(&push, SUBCH, NV3_D3D_TEX_OFFSET, 6, (const uint32_t[6]) {
        0, NV3_D3D_TEX_R5G6B5 << NV3_D3D_TEX_FORMAT_SHIFT, 0, 0,
        NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT |
        NV3_D3D_SOURCE_ALPHA_ONE << NV3_D3D_CONFIG_SOURCE_SHIFT |
        NV3_D3D_CMP_ALWAYS << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
        NV3_D3D_WRITE_ALWAYS << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT,
        NV3_D3D_CMP_ALWAYS << 8,
    });
    push_vertices(r, &push, count);
    host_push_start(&push, GRAPH_CHID);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PGRAPH_INTR), 0);
    saved_take(r->g->s, state);
    return state;
}

/*
 * Consecutive vertices cause a single event OBJECT. Even while events are enabled, the
 * puller must submit whole vertices.
 */
static void test_vertex_object(void **state)
{
    const unsigned vertices = 200;
    Record *r = new_record(TIMELINE), *off = new_record(0);
    uint8_t *with, *without = draw_vertices(off, vertices);

    current = r;
    with = draw_vertices(r, vertices);
    expect(r, (NV3Event) { .kind = NV3_EVENT_CHANNEL, .chid = GRAPH_CHID });
    r->checked++;                   /* BATCH */
    while (r->event[r->checked].kind == NV3_EVENT_BATCH_END) {
        r->checked++;
    }
    expect(r, (NV3Event) {
        .kind = NV3_EVENT_OBJECT, .chid = GRAPH_CHID, .subch = SUBCH,
        .mthd = NV3_MTHD_OBJECT, .class_id = NV3_CLASS_D3D,
    });
    for (; r->checked < r->count; r->checked++) {
        assert_int_equal(r->event[r->checked].kind, NV3_EVENT_BATCH_END);
    }
    assert_int_equal(nv3_counter(r->g->s, NV3_PVIRT_COUNTER_METHODS),
                     1 + 6 + vertices * 8);
    assert_memory_equal(with, without, saved_size());
    test_free(with);
    test_free(without);
    free_record(r);
    free_record(off);
}

static void test_vertices(void **state)
{
    const unsigned vertices = 200;
    Record *off = new_record(0), *on;
    uint8_t *without = draw_vertices(off, vertices), *with;

    on = new_record(1u << NV3_EVENT_METHOD);
    with = draw_vertices(on, vertices);
    assert_int_equal(off->count, 0);
    assert_int_equal(on->count, 1 + 6 + vertices * 8);
    assert_int_equal(on->event[7].mthd, NV3_D3D_FOG_TRI(0));
    assert_int_equal(on->event[on->count - 1].mthd, NV3_D3D_V((vertices - 1) % 128));
    assert_memory_equal(with, without, saved_size());
    assert_memory_equal(on->g->host->vram, off->g->host->vram, 8 << 20);
    assert_true(off->g->s->counters[NV3_PVIRT_COUNTER_PIXELS] > 10000);
    test_free(with);
    test_free(without);
    free_record(on);
    free_record(off);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_miss),
        cmocka_unit_test(test_software),
        cmocka_unit_test(test_notification),
        cmocka_unit_test(test_trap),
        cmocka_unit_test(test_dma_fault),
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_runout),
        cmocka_unit_test(test_batch),
        cmocka_unit_test(test_object),
        cmocka_unit_test(test_mask),
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_vertex_object),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
