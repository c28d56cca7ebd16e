/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests PFIFO's DMA pusher: the decoding of pushbuffers, the page table, and errors. */
#include "host.h"

#include "fake_pgraph.h"
#include "core.h"

#define CTX     (NV3_CTX_HARDWARE | NV3_CTX_CLASS_GRAPH | 7 << 16 | 0xb00)
#define PT      0x20000

typedef struct Test {
    Host *h;
    HostPush push;
} Test;

static int setup(void **state)
{
    Test *t = test_calloc(1, sizeof(*t));

    fake_pgraph_init();
    t->h = host_new();
    host_fifo_setup(t->h);
    host_object(t->h, 5, 0x1001, CTX);
    host_push_init(t->h, &t->push, PT);
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    Test *t = *state;

    host_free(t->h);
    test_free(t);
    return 0;
}

static void run(Test *t)
{
    host_push_start(&t->push, 5);
    /* The bit BUSY must not be set for an empty batch. */
    assert_int_equal(host_rd32(t->h, NV3_PFIFO_CACHE1_DMA_CTRL),
                     NV3_PFIFO_DMA_CTRL_ACCESS |
                     (t->push.words ? NV3_PFIFO_DMA_CTRL_BUSY : 0));
    host_run(t->h);
}

static void check_done(Test *t)
{
    Host *h = t->h;

    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_CTRL), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_COUNT), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_GET),
                     t->push.words * 4);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0x10);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
}

static void check_failed(Test *t, uint32_t intr, uint32_t get, uint32_t count)
{
    Host *h = t->h;

    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), intr);
    assert_true(h->irq);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_CTRL), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_GET), get);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_COUNT), count);
}

static void test_batch(void **state)
{
    Test *t = *state;
    const uint32_t data[] = { 10, 11, 12 };

    host_push1(&t->push, 2, 0, 0x1001);
    host_push(&t->push, 2, 0x300, 3, data);
    host_push_word(&t->push, 0);        /* a run of no methods */
    host_push1(&t->push, 2, 0x1ffc, 99);
    run(t);
    check_done(t);
    assert_int_equal(fake_pgraph.count, 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(fake_pgraph.method[i].chid, 5);
        assert_int_equal(fake_pgraph.method[i].subch, 2);
        assert_int_equal(fake_pgraph.method[i].ctx, CTX);
    }
    assert_int_equal(fake_pgraph.method[1].mthd, 0x300);
    assert_int_equal(fake_pgraph.method[1].data, 10);
    assert_int_equal(fake_pgraph.method[3].mthd, 0x308);
    assert_int_equal(fake_pgraph.method[3].data, 12);
    assert_int_equal(fake_pgraph.method[4].mthd, 0x1ffc);
    assert_int_equal(fake_pgraph.method[4].data, 99);
}

/*
 * Register writes that prepare a batch must not wake the engine. Writes that start or
 * continue the batch must wake it.
 */
static void test_kick(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    host_forget(h);
    host_push_start(&t->push, 5);
    assert_int_equal(h->kicks, 1);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 0);
    assert_int_equal(h->kicks, 1);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    assert_int_equal(h->kicks, 1);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    assert_int_equal(h->kicks, 2);
    host_run(h);
    check_done(t);
}

/* An empty batch must complete without a bus access. */
static void test_empty_batch(void **state)
{
    Test *t = *state;

    run(t);
    check_done(t);
    assert_int_equal(t->h->dma_reads, 0);
}

/*
 * The pusher must read each page of a batch with a single bus access, and must not read
 * bytes outside the batch.
 */
static void test_pages(void **state)
{
    Test *t = *state;
    static uint32_t data[2047];

    for (unsigned i = 0; i < 2047; i++) {
        data[i] = i;
    }
    host_push1(&t->push, 0, 0, 0x1001);
    for (unsigned i = 0; i < 10; i++) {
        host_push(&t->push, 0, 0x4, 2047, data);
    }
    host_forget(t->h);
    run(t);
    check_done(t);
    assert_int_equal(fake_pgraph.count, 1 + 20470);
    assert_int_equal(t->h->dma_reads, (t->push.words * 4 + 4095) / 4096);
    assert_int_equal(t->h->dma_bytes, t->push.words * 4);
    for (unsigned i = 0; i < 20470; i++) {
        assert_int_equal(fake_pgraph.method[1 + i].mthd,
                         4 + i % 2047 * 4);
        assert_int_equal(fake_pgraph.method[1 + i].data, i % 2047);
    }
}

/*
 * If a header's run of methods exceeds method 0x1ffc, it continues with method 0 of the
 * same subchannel.
 */
static void test_method_wraps(void **state)
{
    Test *t = *state;
    const uint32_t data[] = { 1, 0x1001, 3 };

    host_push1(&t->push, 1, 0, 0x1001);
    host_push(&t->push, 1, 0x1ffc, 3, data);
    run(t);
    check_done(t);
    assert_int_equal(fake_pgraph.count, 4);
    assert_int_equal(fake_pgraph.method[1].mthd, 0x1ffc);
    assert_int_equal(fake_pgraph.method[2].mthd, 0);
    assert_int_equal(fake_pgraph.method[2].data, CTX);
    assert_int_equal(fake_pgraph.method[3].mthd, 4);
    assert_int_equal(fake_pgraph.method[3].subch, 1);
}

static void test_malformed(void **state)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        Test *t;
        Host *h;

        if (!(NV3_PUSH_HDR_RESERVED & 1u << bit)) {
            continue;
        }
        setup((void **)&t);
        h = t->h;
        host_push1(&t->push, 0, 0, 0x1001);
        host_push_word(&t->push, NV3_PUSH_HDR(0, 0x300, 1) | 1u << bit);
        host_push_word(&t->push, 1);
        run(t);
        check_failed(t, NV3_PFIFO_INTR_DMA_PUSHER, 8, 8);
        assert_true(host_rd32(h, NV3_PFIFO_CACHE1_DMA_STATE) &
                    NV3_PFIFO_DMA_STATE_ERROR);
        assert_int_equal(fake_pgraph.count, 1);
        assert_int_equal(h->logs[NV3_LOG_GUEST_ERROR], 1);
        /* The pusher stays stopped. */
        host_run_max(h, 1);
        assert_int_equal(fake_pgraph.count, 1);
        /* Act as the driver: correct the stream and restart the pusher. */
        host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
        host_mem_wr32(h, HOST_MEM_BASE + 8, NV3_PUSH_HDR(0, 0x300, 1));
        host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
        assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_STATE) &
                         NV3_PFIFO_DMA_STATE_ERROR, 0);
        host_run(h);
        check_done(t);
        assert_int_equal(fake_pgraph.count, 2);
        teardown((void **)&t);
    }
}

static void test_page_missing(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_ramin_wr32(h, PT + 4, 0);
    host_push1(&t->push, 0, 0, 0x1001);
    while (t->push.words < 1024) {
        host_push1(&t->push, 0, 0x300, t->push.words);
    }
    host_push1(&t->push, 0, 0x304, 0xabcd);
    run(t);
    check_failed(t, NV3_PFIFO_INTR_DMA_PTE, 4096, 8);
    assert_int_equal(fake_pgraph.count, 512);
    assert_int_equal(h->dma_reads, 1);
    /* Act as the driver: make the page present. */
    host_ramin_wr32(h, PT + 4, (HOST_MEM_BASE + 4096) | 1);
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    host_run(h);
    check_done(t);
    assert_int_equal(fake_pgraph.count, 513);
    assert_int_equal(fake_pgraph.method[512].data, 0xabcd);
}

static void test_bus_error(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    h->dma_limit = HOST_MEM_BASE + 4;
    run(t);
    check_failed(t, NV3_PFIFO_INTR_DMA_PTE, 0, 8);
    assert_int_equal(fake_pgraph.count, 0);
    h->dma_limit = UINT32_MAX;
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    host_run(h);
    check_done(t);
}

static void test_target(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_TARGET, 3);
    run(t);
    check_done(t);
    for (unsigned target = 0; target < 2; target++) {
        host_wr32(h, NV3_PFIFO_CACHE1_DMA_TARGET, target);
        run(t);
        check_failed(t, NV3_PFIFO_INTR_DMA_PTE, 0, 8);
        host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    }
}

/*
 * The pusher must use the cached page table entry if the entry's present bit is set and
 * its tag matches the page.
 */
static void test_tlb(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    run(t);
    check_done(t);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_TLB_TAG), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_TLB_PTE),
                     HOST_MEM_BASE | 1);
    /*
     * While the old page table entry is cached, a change of the page table must have no
     * effect.
     */
    host_ramin_wr32(h, PT, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_GET, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_COUNT, 8);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    host_run(h);
    check_done(t);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_GET, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_COUNT, 8);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_TLB_TAG, 0xffffffff);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    host_run(h);
    check_failed(t, NV3_PFIFO_INTR_DMA_PTE, 0, 8);
}

/* If a second batch has the same address, the pusher must read the memory again. */
static void test_not_stale(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    host_push1(&t->push, 0, 0x300, 1);
    run(t);
    host_mem_wr32(h, HOST_MEM_BASE + 12, 2);
    run(t);
    check_done(t);
    assert_int_equal(fake_pgraph.count, 4);
    assert_int_equal(fake_pgraph.method[3].data, 2);
    /* Act as the driver: change GET while the pusher waits for room in CACHE1. */
    fake_pgraph.busy = true;
    for (unsigned i = 0; i < 100; i++) {
        host_push1(&t->push, 0, 0x300, i);
    }
    run(t);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS),
                     NV3_PFIFO_CACHE_FULL);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_CTRL), 0x11);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_STATE, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_COUNT, 8);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_GET, 102 * 8 - 8);
    host_mem_wr32(h, HOST_MEM_BASE + 102 * 8 - 4, 0x7777);
    fake_pgraph.busy = false;
    host_run(h);
    check_done(t);
    assert_int_equal(fake_pgraph.method[fake_pgraph.count - 1].data, 0x7777);
}

/*
 * A batch may end within a header's run of methods. In this case, DMA_STATE contains the
 * number of the run's remaining methods.
 */
static void test_ends_in_a_run(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    host_push_word(&t->push, NV3_PUSH_HDR(0, 0x300, 5));
    host_push_word(&t->push, 1);
    host_push_word(&t->push, 2);
    run(t);
    check_done(t);
    assert_int_equal(fake_pgraph.count, 3);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_STATE),
                     NV3_PUSH_HDR(0, 0x308, 3));
}

/*
 * While the puller is disabled, the pusher fills CACHE1. When software has enabled the
 * puller, it must execute the methods in order.
 */
static void test_puller_off(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    for (unsigned i = 0; i < 200; i++) {
        host_push1(&t->push, 0, 0x300, i);
    }
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
    run(t);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS),
                     NV3_PFIFO_CACHE_FULL);
    assert_int_equal(fake_pgraph.count, 0);
    /*
     * DMA_GET points behind the headers and arguments of 63 methods, and behind the next
     * header.
     */
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_GET), 63 * 8 + 4);
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    host_run(h);
    check_done(t);
    assert_int_equal(fake_pgraph.count, 201);
    for (unsigned i = 0; i < 200; i++) {
        assert_int_equal(fake_pgraph.method[i + 1].data, i);
    }
}

/* If a method traps, the later methods of the batch must remain in CACHE1. */
static void test_trap(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    host_push1(&t->push, 1, 0x300, 0x50f7);
    host_push1(&t->push, 0, 0x304, 2);
    run(t);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PULL_CTRL),
                     NV3_PFIFO_PULL_CTRL_SOFTWARE);
    assert_int_equal(fake_pgraph.count, 1);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_CTRL), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_GET), 1 << 2);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DATA_C(1)), 0x50f7);
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    host_wr32(h, NV3_PFIFO_CACHE1_GET, 3 << 2);
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    host_run(h);
    check_done(t);
    assert_int_equal(fake_pgraph.count, 2);
    assert_int_equal(fake_pgraph.method[1].data, 2);
}

static void test_push_access(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    host_push_start(&t->push, 5);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
    host_run_max(h, 1);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_GET), 0);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    host_run(h);
    check_done(t);
}

static void test_stopped_by_driver(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    for (unsigned i = 0; i < 200; i++) {
        host_push1(&t->push, 0, 0, 0x1001);
    }
    host_push_start(&t->push, 5);
    nv3_run(h->chip, 20);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 0);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_CTRL), 0);
    assert_in_range(fake_pgraph.count, 1, 20);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    host_run(h);
    check_done(t);
    assert_int_equal(fake_pgraph.count, 200);
}

/*
 * Each call of nv3_run() must do a limited amount of work, even if the batch has the
 * maximum size and consists only of headers.
 */
static void test_budget(void **state)
{
    Test *t = *state;
    Host *h = t->h;
    unsigned calls = 0;

    for (uint32_t page = 0; page < 4096; page++) {
        host_ramin_wr32(h, PT + page * 4, HOST_MEM_BASE | 1);
    }
    host_push_start(&t->push, 5);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_GET, 0xfffffc);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_COUNT, 0xfffffc);
    while (nv3_run(h->chip, 1000)) {
        calls++;
    }
    assert_in_range(calls, 0xfffffc / 4 / 1000, 0xfffffc / 4 / 1000 + 2);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_CTRL), 0);
    /* GET wraps at 16 MiB. */
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_GET), 0xfffff8);
    assert_int_equal(fake_pgraph.count, 0);
}

/*
 * If a page table extends beyond the end of RAMIN, it continues at the start of RAMIN.
 * This is harmless, because all of RAMIN belongs to the guest.
 */
static void test_page_table_wraps(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    host_ramin_wr32(h, 0xffffc, HOST_MEM_BASE | 1);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_PT_INST, 0xffffffff);
    run(t);
    check_done(t);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_GET, 0xfff000);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_COUNT, 4);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DMA_CTRL), 0);
}

static void test_disabled(void **state)
{
    Test *t = *state;
    Host *h = t->h;

    host_push1(&t->push, 0, 0, 0x1001);
    host_push_start(&t->push, 5);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff & ~NV3_PMC_ENABLE_PFIFO);
    host_run_max(h, 1);
    assert_int_equal(fake_pgraph.count, 0);
    assert_int_equal(h->dma_reads, 0);
}

/* Runs pushbuffers of random words, at random addresses. */
static void test_noise(void **state)
{
    Test *t = *state;
    Host *h = t->h;
    uint32_t x = 12345;

    for (uint32_t i = 0; i < HOST_MEM_SIZE; i += 4) {
        x = x * 1664525 + 1013904223;
        host_mem_wr32(h, HOST_MEM_BASE + i, x & (x >> 7 & 1 ? ~0u : 0x1ffcfffc));
    }
    for (unsigned round = 0; round < 2000; round++) {
        x = x * 1664525 + 1013904223;
        host_wr32(h, NV3_PFIFO_CACHE1_DMA_STATE, round & 1 ? x : 0);
        host_wr32(h, NV3_PFIFO_CACHE1_DMA_GET, x >> 8);
        host_wr32(h, NV3_PFIFO_CACHE1_DMA_COUNT, x >> 16);
        host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 1);
        host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
        host_run(h);
    }
    assert_true(fake_pgraph.count > 0 || h->dma_reads > 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_batch),
        T(test_kick),
        T(test_empty_batch),
        T(test_pages),
        T(test_method_wraps),
        cmocka_unit_test(test_malformed),
        T(test_page_missing),
        T(test_bus_error),
        T(test_target),
        T(test_tlb),
        T(test_not_stale),
        T(test_ends_in_a_run),
        T(test_puller_off),
        T(test_trap),
        T(test_push_access),
        T(test_stopped_by_driver),
        T(test_budget),
        T(test_page_table_wraps),
        T(test_disabled),
        T(test_noise),
    };

    return cmocka_run_group_tests_name("pfifo_dma", tests, NULL, NULL);
}
