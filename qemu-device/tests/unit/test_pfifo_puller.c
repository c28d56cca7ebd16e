/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests PFIFO's puller: lookups in RAMHT, binds, submission of methods to PGRAPH, traps
 * and CACHE0.
 */
#include "host.h"

#include "fake_pgraph.h"
#include "core.h"

#define HW(class_id, inst) \
    (NV3_CTX_HARDWARE | NV3_CTX_CLASS_GRAPH | \
     (class_id) << NV3_CTX_CLASS_SHIFT | (inst))
#define SW(inst)        (NV3_CTX_CLASS_GRAPH | (inst))

static int setup(void **state)
{
    fake_pgraph_init();
    host_setup(state);
    host_fifo_setup(*state);
    return 0;
}

static void check_method(unsigned i, uint32_t chid, uint32_t subch,
                         uint32_t mthd, uint32_t data, uint32_t ctx)
{
    const FakeMethod *m = &fake_pgraph.method[i];

    assert_true(i < fake_pgraph.count);
    assert_int_equal(m->chid, chid);
    assert_int_equal(m->subch, subch);
    assert_int_equal(m->mthd, mthd);
    assert_int_equal(m->data, data);
    assert_int_equal(m->ctx, ctx);
}

static void check_stopped(Host *h, uint32_t why)
{
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PULL_CTRL), why);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), NV3_PFIFO_INTR_CACHE_ERROR);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE_ERROR),
                     NV3_PFIFO_CACHE_ERROR_1);
    assert_true(h->irq);
}

/* Advances GET past the current method, like a driver that has emulated this method. */
static void skip_method(Host *h)
{
    uint32_t get = nv3_ungray(host_rd32(h, NV3_PFIFO_CACHE1_GET) / 4);

    host_wr32(h, NV3_PFIFO_CACHE1_GET, nv3_gray((get + 1) & 63) * 4);
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_CACHE_ERROR);
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
}

static void test_bind_and_methods(void **state)
{
    Host *h = *state;
    uint32_t ctx = HW(7, 0xb00);

    host_object(h, 0, 0xcafe0001, ctx);
    host_method(h, 0, 2, 0, 0xcafe0001);
    host_method(h, 0, 2, 0x304, 0x1234);
    host_method(h, 0, 2, 0x1ffc, 0xffffffff);
    /* Storing a method must wake the engine, but must not execute methods. */
    assert_int_equal(fake_pgraph.count, 0);
    assert_true(h->kicks >= 3);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 3);
    check_method(0, 0, 2, 0, ctx, ctx);
    check_method(1, 0, 2, 0x304, 0x1234, ctx);
    check_method(2, 0, 2, 0x1ffc, 0xffffffff, ctx);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_CTX(2)), ctx);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PULL_STATE), 0x10);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0x10);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
}

/*
 * PFIFO must pass exactly the stored methods to PGRAPH, each with the context of its
 * subchannel. When the subchannel changes, PFIFO adds no method, because PGRAPH itself
 * detects the change (hwtest).
 */
static void test_subchannels(void **state)
{
    Host *h = *state;
    uint32_t a = HW(7, 0xb00), b = HW(0x10, 0xb01);

    host_object(h, 0, 1, a);
    host_object(h, 0, 2, b);
    host_method(h, 0, 0, 0, 1);
    host_method(h, 0, 1, 0, 2);
    host_method(h, 0, 0, 0x300, 10);
    host_method(h, 0, 0, 0x304, 11);
    host_method(h, 0, 1, 0x300, 12);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 5);
    check_method(0, 0, 0, 0, a, a);
    check_method(1, 0, 1, 0, b, b);
    check_method(2, 0, 0, 0x300, 10, a);
    check_method(3, 0, 0, 0x304, 11, a);
    check_method(4, 0, 1, 0x300, 12, b);
    assert_int_equal(host_rd32(h, NV3_PFIFO_DEVICE) & 0x7f, 0);
}

static void test_context_from_driver(void **state)
{
    Host *h = *state;
    uint32_t a = HW(7, 0xb00), b = HW(0x10, 0xb01);

    host_object(h, 0, 1, a);
    host_method(h, 0, 0, 0, 1);
    host_run(h);
    /* Act as the driver: bind another object. */
    host_wr32(h, NV3_PFIFO_CACHE1_CTX(0), b);
    host_method(h, 0, 0, 0x300, 10);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 2);
    check_method(1, 0, 0, 0x300, 10, b);
    /* Change the channel. The subchannels keep their contexts. */
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_CHID, 3);
    host_method(h, 3, 0, 0x300, 11);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 3);
    check_method(2, 3, 0, 0x300, 11, b);
    assert_int_equal(host_rd32(h, NV3_PFIFO_DEVICE) & 0x7f, 3);
}

static void test_auto_switch(void **state)
{
    Host *h = *state;
    uint32_t a = HW(7, 0xb00), b = HW(0x10, 0xb01);

    host_object(h, 0, 1, a);
    host_object(h, 5, 1, b);
    host_method(h, 0, 4, 0, 1);
    host_run(h);
    host_method(h, 5, 4, 0, 1);
    host_run(h);
    host_method(h, 0, 4, 0x300, 10);
    host_run(h);
    host_method(h, 5, 4, 0x300, 11);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 4);
    check_method(0, 0, 4, 0, a, a);
    check_method(1, 5, 4, 0, b, b);
    check_method(2, 0, 4, 0x300, 10, a);
    check_method(3, 5, 4, 0x300, 11, b);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
}

/* For RAMHT sizes of 4 to 32 KiB, a lookup must find each entry of a full bucket. */
static void test_hash(void **state)
{
    Host *h = *state;

    for (unsigned size = 0; size < 4; size++) {
        unsigned depth = 2u << size;
        uint32_t name = 0x80000000;

        for (uint32_t addr = 0; addr < 0x8000; addr += 4) {
            host_ramin_wr32(h, addr, 0);
        }
        host_wr32(h, NV3_PFIFO_RAMHT, size << NV3_PFIFO_RAMHT_SIZE_SHIFT);
        for (unsigned i = 0; i < depth; i++) {
            /*
             * All handles have the same bucket, because the XOR of each handle's four
             * bytes is 0x80.
             */
            host_object(h, 0, name + i * 0x0101, HW(7, 0xb00 + i));
        }
        assert_int_equal(host_ramin_rd32(h, 0x80 * depth * 8), name);
        assert_int_equal(host_ramin_rd32(h, 0x81 * depth * 8 - 4) & 0xffff,
                         0xb00 + depth - 1);
        for (unsigned i = 0; i < depth; i++) {
            host_method(h, 0, i & 7, 0, name + i * 0x0101);
            host_run(h);
            assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_CTX(i & 7)),
                             HW(7, 0xb00 + i));
        }
        /*
         * A lookup must not find a handle that is not in the table, or that belongs to
         * another channel.
         */
        host_method(h, 0, 0, 0, name + depth * 0x0101);
        host_run(h);
        check_stopped(h, NV3_PFIFO_PULL_CTRL_HASH_FAILED);
        skip_method(h);
        host_run(h);
        host_method(h, 1, 0, 0, name);
        host_run(h);
        check_stopped(h, NV3_PFIFO_PULL_CTRL_HASH_FAILED);
        skip_method(h);
        host_run(h);
    }
}

/*
 * A lookup must also find entries without the valid bit, because rivafb writes such
 * entries.
 */
static void test_hash_without_valid_bit(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PFIFO_RAMHT, 0);
    host_ramin_wr32(h, 0x200 * 4, 0x80000000);
    host_ramin_wr32(h, 0x201 * 4, 0x00c20341);
    host_method(h, 0, 0, 0, 0x80000000);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 1);
    check_method(0, 0, 0, 0, 0xc20341, 0xc20341);
}

/* The zeroes in an empty table must not match handle 0 of channel 0. */
static void test_hash_empty(void **state)
{
    Host *h = *state;

    host_method(h, 0, 0, 0, 0);
    host_run(h);
    check_stopped(h, NV3_PFIFO_PULL_CTRL_HASH_FAILED);
}

static void test_hash_last_channel(void **state)
{
    Host *h = *state;

    host_object(h, 127, 0xffffffff, HW(7, 1));
    host_method(h, 127, 7, 0, 0xffffffff);
    host_run(h);
    check_method(0, 127, 7, 0, HW(7, 1), HW(7, 1));
}

static void test_miss_filled(void **state)
{
    Host *h = *state;

    host_method(h, 0, 3, 0, 0x1001);
    host_method(h, 0, 3, 0x300, 5);
    host_run(h);
    check_stopped(h, NV3_PFIFO_PULL_CTRL_HASH_FAILED);
    assert_int_equal(fake_pgraph.count, 0);
    /* GET still points to the bind, so that the driver can read the handle. */
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_GET), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_ADDR_C(0)), 3 << 13);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DATA_C(0)), 0x1001);
    /*
     * When the driver has entered the handle, the puller must execute the same bind
     * again.
     */
    host_object(h, 0, 0x1001, HW(7, 2));
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_CACHE_ERROR);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE_ERROR), 0);
    assert_false(h->irq);
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PULL_CTRL), 1);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 2);
    check_method(1, 0, 3, 0x300, 5, HW(7, 2));
}

static void test_software_object(void **state)
{
    Host *h = *state;
    uint32_t a = HW(7, 0xb00);

    host_object(h, 0, 1, a);
    host_object(h, 0, 2, SW(0x55));
    host_method(h, 0, 0, 0, 1);
    host_method(h, 0, 1, 0, 2);         /* trap */
    host_method(h, 0, 1, 0x300, 20);    /* trap */
    host_method(h, 0, 0, 0x300, 10);    /* method of the hardware object */
    host_method(h, 0, 1, 0x304, 21);    /* trap */
    host_run(h);
    check_stopped(h, NV3_PFIFO_PULL_CTRL_SOFTWARE);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_CTX(1)), SW(0x55));
    assert_int_equal(fake_pgraph.count, 1);
    skip_method(h);
    host_run(h);
    check_stopped(h, NV3_PFIFO_PULL_CTRL_SOFTWARE);
    assert_int_equal(fake_pgraph.count, 1);
    skip_method(h);
    host_run(h);
    check_stopped(h, NV3_PFIFO_PULL_CTRL_SOFTWARE);
    assert_int_equal(fake_pgraph.count, 2);
    check_method(1, 0, 0, 0x300, 10, a);
    skip_method(h);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 2);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0x10);
}

/*
 * When a software object has replaced a hardware object in a subchannel, all methods of
 * the subchannel must trap.
 */
static void test_software_over_hardware(void **state)
{
    Host *h = *state;

    host_object(h, 0, 1, HW(7, 0xb00));
    host_object(h, 0, 2, SW(0));
    host_method(h, 0, 0, 0, 1);
    host_method(h, 0, 0, 0, 2);
    host_method(h, 0, 0, 0x300, 7);
    host_run(h);
    check_stopped(h, NV3_PFIFO_PULL_CTRL_SOFTWARE);
    skip_method(h);
    host_run(h);
    check_stopped(h, NV3_PFIFO_PULL_CTRL_SOFTWARE);
    assert_int_equal(fake_pgraph.count, 1);
}

static void test_unbound(void **state)
{
    Host *h = *state;

    for (unsigned subch = 0; subch < 8; subch++) {
        host_method(h, 0, subch, 0x100 + subch * 4, subch);
        host_run(h);
        check_stopped(h, NV3_PFIFO_PULL_CTRL_SOFTWARE);
        skip_method(h);
    }
    assert_int_equal(fake_pgraph.count, 0);
}

static void test_trap_waits_for_idle(void **state)
{
    Host *h = *state;

    fake_pgraph.working = true;
    host_method(h, 0, 0, 0x300, 0);
    /* nv3_run() must return true while PGRAPH is not idle. */
    assert_true(nv3_run(h->chip, 64));
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PULL_CTRL), 1);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
    fake_pgraph.working = false;
    host_run(h);
    check_stopped(h, NV3_PFIFO_PULL_CTRL_SOFTWARE);
}

static void test_pgraph_refuses(void **state)
{
    Host *h = *state;
    uint32_t a = HW(7, 0xb00), b = HW(7, 0xb01);

    host_object(h, 0, 1, a);
    host_object(h, 0, 2, b);
    host_method(h, 0, 0, 0, 1);
    host_method(h, 0, 1, 0, 2);
    host_method(h, 0, 0, 0x300, 10);
    host_method(h, 0, 0, 0x304, 11);
    /*
     * The fake PGRAPH becomes busy after each method. PFIFO must not lose or repeat a
     * method.
     */
    for (unsigned i = 0; i < 4; i++) {
        fake_pgraph.accept = 1;
        fake_pgraph.busy = false;
        host_run_max(h, 2);
        assert_int_equal(fake_pgraph.count, i + 1);
        assert_true(fake_pgraph.busy || i == 3);
        fake_pgraph.accept = 0;
        fake_pgraph.busy = true;
        host_run_max(h, 2);
        assert_int_equal(fake_pgraph.count, i + 1);
    }
    check_method(2, 0, 0, 0x300, 10, a);
    check_method(3, 0, 0, 0x304, 11, a);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0x10);
}

static void test_pgraph_disabled(void **state)
{
    Host *h = *state;

    host_object(h, 0, 1, HW(7, 0xb00));
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff & ~NV3_PMC_ENABLE_PGRAPH);
    host_method(h, 0, 0, 0, 1);
    host_run_max(h, 2);
    assert_int_equal(fake_pgraph.count, 0);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 1);
}

static void test_budget(void **state)
{
    Host *h = *state;

    host_object(h, 0, 1, HW(7, 0xb00));
    host_method(h, 0, 0, 0, 1);
    for (unsigned i = 0; i < 20; i++) {
        host_method(h, 0, 0, 0x300, i);
    }
    assert_true(nv3_run(h->chip, 10));
    assert_int_equal(fake_pgraph.count, 10);
    assert_true(nv3_run(h->chip, 10));
    assert_int_equal(fake_pgraph.count, 20);
    assert_false(nv3_run(h->chip, 10));
    assert_int_equal(fake_pgraph.count, 21);
    assert_false(nv3_run(h->chip, 10));
    nv3_run(h->chip, 0);
}

static void push_cache0(Host *h, uint32_t subch, uint32_t mthd, uint32_t data)
{
    host_wr32(h, NV3_PFIFO_CACHE0_ADDR, subch << 13 | mthd);
    host_wr32(h, NV3_PFIFO_CACHE0_DATA, data);
    host_wr32(h, NV3_PFIFO_CACHE0_PUT,
              host_rd32(h, NV3_PFIFO_CACHE0_GET) ^ 4);
}

static void test_cache0(void **state)
{
    Host *h = *state;
    uint32_t a = HW(7, 0xb00), b = HW(0x10, 0xb01);

    host_object(h, 0, 1, a);
    host_object(h, 9, 1, b);
    host_method(h, 0, 0, 0, 1);
    host_run(h);
    /*
     * While the puller of CACHE1 is disabled, the puller of CACHE0 sends a method to the
     * object in CACHE0_CTX.
     */
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
    host_method(h, 0, 0, 0x300, 10);
    host_wr32(h, NV3_PFIFO_CACHE0_PUSH_CHID, 9);
    host_wr32(h, NV3_PFIFO_CACHE0_CTX, b);
    host_wr32(h, NV3_PFIFO_CACHE0_PULL_CTRL, 1);
    push_cache0(h, 3, 0x308, 20);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 2);
    check_method(1, 9, 3, 0x308, 20, b);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE0_STATUS), 0x10);
    push_cache0(h, 3, 0x30c, 21);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 3);
    /* CACHE1 continues. */
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 4);
    check_method(3, 0, 0, 0x300, 10, a);
    /* For a bind in CACHE0, the puller looks up the handle of the object. */
    host_wr32(h, NV3_PFIFO_CACHE0_CTX, 0);
    push_cache0(h, 3, 0, 1);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 5);
    check_method(4, 9, 3, 0, b, b);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE0_CTX), b);
}

static void test_cache0_traps(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PFIFO_CACHE0_PULL_CTRL, 1);
    push_cache0(h, 0, 0x300, 0);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE0_PULL_CTRL),
                     NV3_PFIFO_PULL_CTRL_SOFTWARE);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE_ERROR),
                     NV3_PFIFO_CACHE_ERROR_0);
    host_wr32(h, NV3_PFIFO_CACHE0_ADDR, 0);
    host_wr32(h, NV3_PFIFO_CACHE0_DATA, 0x1234);
    host_wr32(h, NV3_PFIFO_CACHE0_PULL_CTRL, 1);
    host_run(h);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE0_PULL_CTRL),
                     NV3_PFIFO_PULL_CTRL_HASH_FAILED);
    assert_int_equal(fake_pgraph.count, 0);
    /* CACHE0's puller has stopped. This must not stop CACHE1's puller. */
    host_object(h, 0, 1, HW(7, 0xb00));
    host_method(h, 0, 0, 0, 1);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 1);
}

static void test_disabled(void **state)
{
    Host *h = *state;

    host_object(h, 0, 1, HW(7, 0xb00));
    host_method(h, 0, 0, 0, 1);
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff & ~NV3_PMC_ENABLE_PFIFO);
    host_run_max(h, 1);
    assert_int_equal(fake_pgraph.count, 0);
    host_fifo_setup(h);
    host_run(h);
    assert_int_equal(fake_pgraph.count, 1);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, host_teardown)
    const struct CMUnitTest tests[] = {
        T(test_bind_and_methods),
        T(test_subchannels),
        T(test_context_from_driver),
        T(test_auto_switch),
        T(test_hash),
        T(test_hash_without_valid_bit),
        T(test_hash_empty),
        T(test_hash_last_channel),
        T(test_miss_filled),
        T(test_software_object),
        T(test_software_over_hardware),
        T(test_unbound),
        T(test_trap_waits_for_idle),
        T(test_pgraph_refuses),
        T(test_pgraph_disabled),
        T(test_budget),
        T(test_cache0),
        T(test_cache0_traps),
        T(test_disabled),
    };

    return cmocka_run_group_tests_name("pfifo_puller", tests, NULL, NULL);
}
