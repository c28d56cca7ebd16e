/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests PFIFO's registers: widths, pointers, status, and PMC_ENABLE. */
#include "host.h"

#include "fake_pgraph.h"
#include "core.h"

static int setup(void **state)
{
    fake_pgraph_init();
    host_setup(state);
    host_wr32(*state, NV3_PMC_ENABLE, 0xffffffff);
    return 0;
}

static Host *host_of(NV3Revision revision)
{
    const NV3Config config = { .revision = revision, .vram_size = 4 << 20 };
    Host *h = host_new_config(&config);

    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    return h;
}

/*
 * Writes all ones and all zeroes to registers. Compares the bits that keep these values
 * with those that hwtest has found on a chip of revision C.
 */
static void test_masks(void **state)
{
    static const struct {
        uint32_t addr, mask;
    } regs[] = {
        { NV3_PFIFO_WAIT_RETRY, 0xff },
        { NV3_PFIFO_CACHE_ERROR, 0 },
        { NV3_PFIFO_INTR, 0 },
        { NV3_PFIFO_INTR_EN, 0x11111 },
        { NV3_PFIFO_CONFIG, 0xfc0300 },
        { NV3_PFIFO_RAMHT, 0x3f000 },
        { NV3_PFIFO_RAMFC, 0xfe00 },
        { NV3_PFIFO_RAMRO, 0x1fe00 },
        { NV3_PFIFO_RUNOUT_PUT, 0x1ff8 },
        { NV3_PFIFO_RUNOUT_GET, 0x3ff8 },
        { NV3_PFIFO_CACHES, 1 },
        { NV3_PFIFO_CACHE0_PUSH_ACCESS, 1 },
        { NV3_PFIFO_CACHE0_PUSH_CHID, 0x7f },
        { NV3_PFIFO_CACHE0_PUT, 4 },
        { NV3_PFIFO_CACHE0_PULL_CTRL, 1 },
        { NV3_PFIFO_CACHE0_GET, 4 },
        { NV3_PFIFO_CACHE0_CTX, 0xffffff },
        { NV3_PFIFO_CACHE0_ADDR, 0xfffc },
        { NV3_PFIFO_CACHE0_DATA, 0xffffffff },
        { NV3_PFIFO_CACHE1_PUSH_ACCESS, 1 },
        { NV3_PFIFO_CACHE1_PUSH_CHID, 0x17f },
        { NV3_PFIFO_CACHE1_PUT, 0x1fc },
        { NV3_PFIFO_CACHE1_DMA_STATE, 0x5ffcfffc },
        { NV3_PFIFO_CACHE1_DMA_COUNT, 0xfffffc },
        { NV3_PFIFO_CACHE1_DMA_GET, 0xfffffc },
        { NV3_PFIFO_CACHE1_DMA_TLB_PTE, 0xfffff001 },
        { NV3_PFIFO_CACHE1_DMA_PT_INST, 0xffffc },
        { NV3_PFIFO_CACHE1_PULL_CTRL, 1 },
        { NV3_PFIFO_CACHE1_PULL_STATE, 0x10 },
        { NV3_PFIFO_CACHE1_GET, 0x1fc },
        { NV3_PFIFO_CACHE1_CTX(0), 0xffffff },
        { NV3_PFIFO_CACHE1_CTX(7), 0xffffff },
        { NV3_PFIFO_CACHE1_ADDR_C(0), 0xfffc },
        { NV3_PFIFO_CACHE1_DATA_C(0), 0xffffffff },
        { NV3_PFIFO_CACHE1_ADDR_C(63), 0xfffc },
        { NV3_PFIFO_CACHE1_DATA_C(63), 0xffffffff },
    };
    Host *h = *state;

    for (unsigned i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
        host_wr32(h, regs[i].addr, 0xffffffff);
        assert_int_equal(host_rd32(h, regs[i].addr), regs[i].mask);
        host_wr32(h, regs[i].addr, 0);
        assert_int_equal(host_rd32(h, regs[i].addr), 0);
    }
    assert_int_equal(h->logs[NV3_LOG_UNIMP], 0);
}

static void test_entries_by_revision(void **state)
{
    Host *h = *state, *b = host_of(NV3_REVISION_B);

    host_forget(h);
    host_wr32(h, NV3_PFIFO_CACHE1_ADDR_AB(0), 0x1234);
    host_wr32(h, NV3_PFIFO_CACHE1_ADDR_C(64), 0x1234);
    assert_int_equal(h->logs[NV3_LOG_UNIMP], 2);
    host_wr32(h, NV3_PFIFO_CACHE1_ADDR_C(63), 0x1234);
    assert_int_equal(h->chip->pfifo.cache1.entry[63].addr, 0x1234);

    host_wr32(b, NV3_PFIFO_CACHE1_ADDR_AB(31), 0x1234);
    assert_int_equal(host_rd32(b, NV3_PFIFO_CACHE1_ADDR_AB(31)), 0x1234);
    host_wr32(b, NV3_PFIFO_CACHE1_PUT, 0xffffffff);
    assert_int_equal(host_rd32(b, NV3_PFIFO_CACHE1_PUT), 0x7c);
    host_forget(b);
    host_wr32(b, NV3_PFIFO_CACHE1_ADDR_C(0), 0x1234);
    assert_int_equal(b->logs[NV3_LOG_UNIMP], 1);
    host_free(b);
}

/*
 * PUT is a Gray code: each stored method changes one bit of PUT, and after the last
 * entry, PUT returns to 0.
 */
static void check_gray(NV3Revision revision, unsigned entries)
{
    Host *h = host_of(revision);
    uint32_t last = 0;

    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    for (unsigned i = 1; i <= 2 * entries; i++) {
        uint32_t put, flip;

        host_method(h, 0, 1, 0x100, i);
        put = host_rd32(h, NV3_PFIFO_CACHE1_PUT);
        flip = put ^ last;
        assert_true(flip && !(flip & (flip - 1)));
        assert_true(put < entries * 4);
        assert_int_equal(put == 0, i % entries == 0);
        /* The entry with the index of the previous PUT must contain the method. */
        assert_int_equal(h->chip->pfifo.cache1.entry[last / 4].data, i);
        assert_int_equal(h->chip->pfifo.cache1.entry[last / 4].addr, 0x2100);
        host_wr32(h, NV3_PFIFO_CACHE1_GET, put);
        assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_GET), put);
        last = put;
    }
    host_free(h);
}

static void test_gray(void **state)
{
    check_gray(NV3_REVISION_A, 32);
    check_gray(NV3_REVISION_C, 64);
}

static void test_spare_pointer_bit(void **state)
{
    Host *h = *state;

    /*
     * Software can write and read a pointer beyond the last entry, but STATUS ignores the
     * pointer's excess bits.
     */
    host_wr32(h, NV3_PFIFO_CACHE1_PUT, 0x108);
    host_wr32(h, NV3_PFIFO_CACHE1_GET, 0x008);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PUT), 0x108);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS),
                     NV3_PFIFO_CACHE_EMPTY);
}

static void test_status(void **state)
{
    Host *h = *state;

    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE0_STATUS), 0x10);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0x10);
    assert_int_equal(host_rd32(h, NV3_PFIFO_RUNOUT_STATUS), 0x10);
    host_wr32(h, NV3_PFIFO_CACHE0_PUT, 4);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE0_STATUS), 0x100);
    /* GET is the entry after PUT (in Gray code, 2 follows 3), so CACHE1 is full. */
    host_wr32(h, NV3_PFIFO_CACHE1_PUT, 3 << 2);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0);
    host_wr32(h, NV3_PFIFO_CACHE1_GET, 2 << 2);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0x100);
    host_wr32(h, NV3_PFIFO_RUNOUT_PUT, 8);
    assert_int_equal(host_rd32(h, NV3_PFIFO_RUNOUT_STATUS), 0x01);
    host_wr32(h, NV3_PFIFO_RUNOUT_GET, 16);
    assert_int_equal(host_rd32(h, NV3_PFIFO_RUNOUT_STATUS), 0x101);
    /* Whether RAMRO is full depends on the size of RAMRO. */
    host_wr32(h, NV3_PFIFO_RUNOUT_PUT, 0x1f8);
    host_wr32(h, NV3_PFIFO_RUNOUT_GET, 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_RUNOUT_STATUS), 0x101);
    host_wr32(h, NV3_PFIFO_RAMRO, NV3_PFIFO_RAMRO_SIZE_8K);
    assert_int_equal(host_rd32(h, NV3_PFIFO_RUNOUT_STATUS), 0x01);
    host_wr32(h, NV3_PFIFO_RUNOUT_PUT, 0x1ff8);
    assert_int_equal(host_rd32(h, NV3_PFIFO_RUNOUT_STATUS), 0x101);
}

static void test_interrupts(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    nv3_pfifo_raise(h->chip, NV3_PFIFO_INTR_RUNOUT | NV3_PFIFO_INTR_DMA_PTE);
    assert_false(h->irq);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0x10010);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR), 0);
    host_wr32(h, NV3_PFIFO_INTR_EN, NV3_PFIFO_INTR_RUNOUT);
    assert_true(h->irq);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR), NV3_PMC_INTR_PFIFO);
    host_wr32(h, NV3_PFIFO_INTR, ~NV3_PFIFO_INTR_RUNOUT);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0x10);
    assert_true(h->irq);
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_RUNOUT);
    assert_false(h->irq);
}

static void test_disable(void **state)
{
    static const struct {
        uint32_t addr, on, off;
    } regs[] = {
        { NV3_PFIFO_WAIT_RETRY, 0xff, 0 },
        { NV3_PFIFO_INTR_EN, 0x11111, 0 },
        { NV3_PFIFO_RAMHT, 0x3f000, 0 },
        { NV3_PFIFO_RAMFC, 0xfe00, 0x1c00 },
        { NV3_PFIFO_RAMRO, 0x1fe00, 0x1e00 },
        { NV3_PFIFO_CACHES, 1, 0 },
        { NV3_PFIFO_CACHE0_PUSH_ACCESS, 1, 0 },
        { NV3_PFIFO_CACHE0_PULL_CTRL, 1, 0 },
        { NV3_PFIFO_CACHE1_PUSH_ACCESS, 1, 0 },
        { NV3_PFIFO_CACHE1_PULL_CTRL, 1, 0 },
        { NV3_PFIFO_CACHE1_PULL_STATE, 0x10, 0 },
        { NV3_PFIFO_CACHE1_DMA_CTRL, 1, 0 },
        /* These registers keep their values. */
        { NV3_PFIFO_CONFIG, 0xfc0300, 0xfc0300 },
        { NV3_PFIFO_CACHE1_CTX(3), 0xffffff, 0xffffff },
        { NV3_PFIFO_CACHE1_DMA_COUNT, 0xfffffc, 0xfffffc },
        { NV3_PFIFO_CACHE1_PUSH_CHID, 0x17f, 0x17f },
    };
    Host *h = *state;

    for (unsigned i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
        host_wr32(h, regs[i].addr, 0xffffffff);
        assert_int_equal(host_rd32(h, regs[i].addr), regs[i].on);
    }
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff & ~NV3_PMC_ENABLE_PFIFO);
    for (unsigned i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
        assert_int_equal(host_rd32(h, regs[i].addr), regs[i].off);
        host_wr32(h, regs[i].addr, 0xffffffff);
        assert_int_equal(host_rd32(h, regs[i].addr), regs[i].off);
    }
    host_wr32(h, NV3_PMC_ENABLE, 0xffffffff);
    host_wr32(h, NV3_PFIFO_RAMFC, 0x2000);
    assert_int_equal(host_rd32(h, NV3_PFIFO_RAMFC), 0x2000);
}

static void test_device(void **state)
{
    Host *h = *state;

    assert_int_equal(host_rd32(h, NV3_PFIFO_DEVICE), NV3_PFIFO_DEVICE_SWITCH);
    fake_pgraph.working = true;
    assert_int_equal(host_rd32(h, NV3_PFIFO_DEVICE), 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, host_teardown)
    const struct CMUnitTest tests[] = {
        T(test_masks),
        T(test_entries_by_revision),
        cmocka_unit_test(test_gray),
        T(test_spare_pointer_bit),
        T(test_status),
        T(test_interrupts),
        T(test_disable),
        T(test_device),
    };

    return cmocka_run_group_tests_name("pfifo_regs", tests, NULL, NULL);
}
