/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests PFIFO's USER apertures: free counts, channel switches and methods that overflow
 * to RAMRO.
 */
#include "host.h"

#include "fake_pgraph.h"
#include "core.h"

/* Disables the puller, so that pushed methods remain in CACHE1. */
static int setup(void **state)
{
    fake_pgraph_init();
    host_setup(state);
    host_fifo_setup(*state);
    host_wr32(*state, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
    return 0;
}

static uint32_t get_free(Host *h, unsigned chid)
{
    return nv3_mmio_read(h->chip, NV3_USER_ADDR(chid, 3, NV3_USER_FREE), 2);
}

/*
 * Removes the entry of RAMRO at GET, and acknowledges all interrupts. Returns the entry's
 * first word, and sets @data to its second word.
 */
static uint32_t pop_runout(Host *h, uint32_t *data)
{
    uint32_t get = host_rd32(h, NV3_PFIFO_RUNOUT_GET);
    uint32_t ramro = host_rd32(h, NV3_PFIFO_RAMRO);
    uint32_t size = ramro & NV3_PFIFO_RAMRO_SIZE_8K ? 0x2000 : 0x200;
    uint32_t entry = (ramro & NV3_PFIFO_RAMRO_ADDRESS) + get;

    assert_int_not_equal(get, host_rd32(h, NV3_PFIFO_RUNOUT_PUT));
    if (data) {
        *data = host_ramin_rd32(h, entry + 4);
    }
    host_wr32(h, NV3_PFIFO_RUNOUT_GET, (get + 8) & (size - 1));
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    return host_ramin_rd32(h, entry);
}

static uint32_t runout_word(unsigned reason, unsigned lost, unsigned chid,
                            unsigned subch, uint32_t mthd)
{
    return reason << 28 | lost << 24 | chid << 16 | subch << 13 | mthd;
}

static void test_free_count(void **state)
{
    Host *h = *state;

    for (unsigned used = 0; used < 63; used++) {
        assert_int_equal(get_free(h, 0), (63 - used) * 4);
        assert_int_equal(host_rd32(h, NV3_USER_ADDR(0, 0, NV3_USER_FREE)),
                         (63 - used) * 4);
        host_method(h, 0, 0, 0x300, used);
    }
    assert_int_equal(get_free(h, 0), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS),
                     NV3_PFIFO_CACHE_FULL);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
    /*
     * Software can also read single bytes and the upper half of the word with the free
     * count.
     */
    host_wr32(h, NV3_PFIFO_CACHE1_GET, host_rd32(h, NV3_PFIFO_CACHE1_PUT));
    assert_int_equal(host_rd8(h, NV3_USER_ADDR(0, 0, NV3_USER_FREE)), 0xfc);
    assert_int_equal(host_rd8(h, NV3_USER_ADDR(0, 0, NV3_USER_FREE) + 1), 0);
    assert_int_equal(nv3_mmio_read(h->chip, NV3_USER_ADDR(0, 0, 0x12), 2), 0);
}

static void test_free_count_revision_b(void **state)
{
    const NV3Config config = { .revision = NV3_REVISION_B,
                               .vram_size = 4 << 20 };
    Host *h = host_new_config(&config);

    host_fifo_setup(h);
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
    assert_int_equal(get_free(h, 0), 31 * 4);
    assert_int_equal(get_free(h, 1), 31 * 4);
    for (unsigned i = 0; i < 31; i++) {
        host_method(h, 0, 0, 0x300, i);
    }
    assert_int_equal(get_free(h, 0), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
    host_method(h, 0, 0, 0x300, 31);
    assert_int_equal(pop_runout(h, NULL),
                     runout_word(NV3_RAMRO_FREE_OVERRUN, 0, 0, 0, 0x300));
    host_free(h);
}

static void test_free_other_channel(void **state)
{
    Host *h = *state;

    host_method(h, 0, 0, 0x300, 0);
    assert_int_equal(get_free(h, 127), 63 * 4);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
    assert_int_equal(get_free(h, 0), 63 * 4);
    /* While RAMRO is not empty, the free counts of all channels must be 0. */
    host_method(h, 9, 0, 0x300, 0);
    assert_int_equal(get_free(h, 127), 0);
    assert_int_equal(get_free(h, 0), 0);
    pop_runout(h, NULL);
    assert_int_equal(get_free(h, 127), 63 * 4);
}

static void test_push(void **state)
{
    Host *h = *state;

    host_forget(h);
    host_method(h, 0, 5, 0x1ffc, 0xdeadbeef);
    host_method(h, 0, 7, 0x0000, 0x00001234);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_ADDR_C(0)), 0xbffc);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DATA_C(0)), 0xdeadbeef);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_ADDR_C(1)), 0xe000);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DATA_C(1)), 0x1234);
    /* A store must wake the engine only if the puller is enabled. */
    assert_int_equal(h->kicks, 0);
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_CTRL, 1);
    assert_int_equal(h->kicks, 1);
    host_method(h, 0, 7, 0x0000, 0x00001234);
    assert_int_equal(h->kicks, 2);
}

static void test_illegal_access(void **state)
{
    Host *h = *state;
    uint32_t data;

    /* A read from the address of a method must overflow to RAMRO. */
    assert_int_equal(host_rd32(h, NV3_USER_ADDR(5, 6, 0x400)), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), NV3_PFIFO_INTR_RUNOUT);
    assert_true(h->irq);
    assert_int_equal(pop_runout(h, NULL),
                     runout_word(0, 0, 5, 6, 0x400) | NV3_RAMRO_READ);
    assert_false(h->irq);
    assert_int_equal(host_rd8(h, NV3_USER_ADDR(5, 6, 0x402)), 0);
    assert_int_equal(pop_runout(h, NULL),
                     runout_word(0, 0xb, 5, 6, 0x400) | NV3_RAMRO_READ);
    /*
     * Partial writes overflow to RAMRO. In the data word of the RAMRO entry, the written
     * bytes are at the same positions as in the method's argument.
     */
    nv3_mmio_write(h->chip, NV3_USER_ADDR(127, 0, 0x401), 0xff12, 1);
    assert_int_equal(pop_runout(h, &data), runout_word(0, 0xd, 127, 0, 0x400));
    assert_int_equal(data & 0xff00, 0x1200);
    nv3_mmio_write(h->chip, NV3_USER_ADDR(127, 0, 0x402), 0x3456, 2);
    assert_int_equal(pop_runout(h, &data), runout_word(0, 0x3, 127, 0, 0x400));
    assert_int_equal(data >> 16, 0x3456);
    /* A byte write to the address of the free count must overflow to RAMRO. */
    nv3_mmio_write(h->chip, NV3_USER_ADDR(1, 0, 0x10), 0, 1);
    assert_int_equal(pop_runout(h, NULL), runout_word(0, 0xe, 1, 0, 0x10));
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0x10);
}

static void test_reserved_access(void **state)
{
    Host *h = *state;

    for (uint32_t mthd = 4; mthd < 0x100; mthd += 4) {
        host_method(h, 3, 2, mthd, mthd);
        assert_int_equal(pop_runout(h, NULL),
                         runout_word(NV3_RAMRO_RESERVED_ACCESS, 0, 3, 2, mthd));
    }
    nv3_mmio_write(h->chip, NV3_USER_ADDR(3, 2, 0x12), 1, 2);
    assert_int_equal(pop_runout(h, NULL),
                     runout_word(NV3_RAMRO_RESERVED_ACCESS, 0x3, 3, 2, 0x10));
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0x10);
}

static void test_no_cache(void **state)
{
    Host *h = *state;
    uint32_t data, word = runout_word(NV3_RAMRO_NO_CACHE, 0, 4, 1, 0x300);

    /* The pusher is disabled. */
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
    host_method(h, 4, 1, 0x300, 0x11);
    assert_int_equal(pop_runout(h, &data), word);
    assert_int_equal(data, 0x11);
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
    /* The channel belongs to CACHE0. */
    host_wr32(h, NV3_PFIFO_CACHE0_PUSH_CHID, 4);
    host_wr32(h, NV3_PFIFO_CACHE0_PUSH_ACCESS, 1);
    host_method(h, 4, 1, 0x300, 0x12);
    assert_int_equal(pop_runout(h, &data), word);
    host_wr32(h, NV3_PFIFO_CACHE0_PUSH_ACCESS, 0);
    /* Channel switches are disabled. */
    host_wr32(h, NV3_PFIFO_CACHES, 0);
    host_method(h, 4, 1, 0x300, 0x13);
    assert_int_equal(pop_runout(h, &data), word);
    host_wr32(h, NV3_PFIFO_CACHES, 1);
    /* A store must overflow while CACHE1 contains methods of another channel. */
    host_method(h, 0, 0, 0x300, 0);
    host_method(h, 4, 1, 0x300, 0x14);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PUSH_CHID), 0);
    assert_int_equal(pop_runout(h, &data), word);
    host_wr32(h, NV3_PFIFO_CACHE1_GET, host_rd32(h, NV3_PFIFO_CACHE1_PUT));
    /* A store must overflow while RAMRO contains methods of another channel. */
    host_rd32(h, NV3_USER_ADDR(99, 0, 0x300));
    host_method(h, 4, 1, 0x300, 0x15);
    pop_runout(h, NULL);
    assert_int_equal(pop_runout(h, &data), word);
    assert_int_equal(data, 0x15);
    /*
     * When CACHE1 and RAMRO are empty, PFIFO must switch the channel and accept the
     * method.
     */
    host_method(h, 4, 1, 0x300, 0x16);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PUSH_CHID), 4);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
}

static void test_no_cache_for_dma(void **state)
{
    Host *h = *state;
    uint32_t word = runout_word(NV3_RAMRO_NO_CACHE, 0, 4, 1, 0x300);

    /* A store to a channel in DMA mode must overflow. */
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_CHID, 4 | NV3_PFIFO_CACHE1_CHID_DMA);
    assert_int_equal(get_free(h, 4), 0);
    host_method(h, 4, 1, 0x300, 0);
    assert_int_equal(pop_runout(h, NULL), word);
    /*
     * While the pusher runs, PFIFO must not switch from the pusher's channel to another
     * channel.
     */
    host_wr32(h, NV3_PFIFO_CACHE1_PUSH_CHID, 5 | NV3_PFIFO_CACHE1_CHID_DMA);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_COUNT, 4);
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 1);
    host_method(h, 4, 1, 0x300, 0);
    assert_int_equal(pop_runout(h, NULL), word);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PUSH_CHID), 0x105);
    /* When the pusher has finished, PFIFO must switch to a channel in PIO mode. */
    host_wr32(h, NV3_PFIFO_CACHE1_DMA_CTRL, 0);
    host_method(h, 4, 1, 0x300, 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PUSH_CHID), 4);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
}

static void test_ran_out(void **state)
{
    Host *h = *state;
    uint32_t data;

    host_rd32(h, NV3_USER_ADDR(0, 0, 0x300));
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS),
                     NV3_PFIFO_CACHE_RANOUT | NV3_PFIFO_CACHE_EMPTY);
    assert_int_equal(get_free(h, 0), 0);
    /* Later methods of this channel must not overtake the overflowed method. */
    host_method(h, 0, 0, 0x304, 0x77);
    pop_runout(h, NULL);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS),
                     NV3_PFIFO_CACHE_RANOUT | NV3_PFIFO_CACHE_EMPTY);
    assert_int_equal(pop_runout(h, &data),
                     runout_word(NV3_RAMRO_CACHE_RAN_OUT, 0, 0, 0, 0x304));
    assert_int_equal(data, 0x77);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS),
                     NV3_PFIFO_CACHE_EMPTY);
    host_method(h, 0, 0, 0x308, 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_STATUS), 0);
}

static void test_free_overrun(void **state)
{
    Host *h = *state;
    uint32_t data;

    for (unsigned i = 0; i < 63; i++) {
        host_method(h, 0, 0, 0x300, i);
    }
    host_method(h, 0, 0, 0x300, 63);
    assert_int_equal(pop_runout(h, &data),
                     runout_word(NV3_RAMRO_FREE_OVERRUN, 0, 0, 0, 0x300));
    assert_int_equal(data, 63);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DATA_C(0)), 0);
}

static void check_overflow(Host *h, uint32_t ramro, unsigned entries)
{
    uint32_t base = ramro & NV3_PFIFO_RAMRO_ADDRESS;
    uint32_t size = entries * 8;

    host_wr32(h, NV3_PFIFO_RAMRO, ramro);
    host_wr32(h, NV3_PFIFO_RUNOUT_GET, 0);
    host_wr32(h, NV3_PFIFO_RUNOUT_PUT, 0);
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    host_ramin_wr32(h, base + size - 8, 0x55555555);
    host_ramin_wr32(h, base + size, 0x66666666);
    for (unsigned i = 0; i < entries - 1; i++) {
        host_method(h, i & 0x7f, 0, 0x10, i);
        assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), NV3_PFIFO_INTR_RUNOUT);
    }
    assert_int_equal(host_rd32(h, NV3_PFIFO_RUNOUT_STATUS),
                     NV3_PFIFO_RUNOUT_RANOUT | NV3_PFIFO_RUNOUT_FULL);
    host_method(h, 1, 0, 0x10, 0xbad);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR),
                     NV3_PFIFO_INTR_RUNOUT | NV3_PFIFO_INTR_RUNOUT_OVERFLOW);
    assert_int_equal(host_rd32(h, NV3_PFIFO_RUNOUT_PUT), size - 8);
    for (unsigned i = 0; i < entries - 1; i++) {
        assert_int_equal(host_ramin_rd32(h, base + i * 8 + 4), i);
    }
    assert_int_equal(host_ramin_rd32(h, base + size - 8), 0x55555555);
    /*
     * Only the last entry of RAMRO is free. When a method is stored in this entry, PUT
     * wraps to 0.
     */
    host_wr32(h, NV3_PFIFO_RUNOUT_GET, 8);
    host_wr32(h, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
    host_method(h, 1, 0, 0x10, 0x900d);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), NV3_PFIFO_INTR_RUNOUT);
    assert_int_equal(host_ramin_rd32(h, base + size - 4), 0x900d);
    assert_int_equal(host_rd32(h, NV3_PFIFO_RUNOUT_PUT), 0);
    assert_int_equal(host_ramin_rd32(h, base + size), 0x66666666);
}

static void test_overflow(void **state)
{
    check_overflow(*state, 0x8000, 64);
    check_overflow(*state, 0x8000 | NV3_PFIFO_RAMRO_SIZE_8K, 1024);
    /* RAMRO can be anywhere in RAMIN. */
    check_overflow(*state, 0xfe00 | NV3_PFIFO_RAMRO_SIZE_8K, 1024);
}

/* Tests RAMRO pointers that the chip never sets, but that software can set. */
static void test_wild_runout_pointers(void **state)
{
    Host *h = *state;

    for (uint32_t put = 0; put < 0x2000; put += 8) {
        host_wr32(h, NV3_PFIFO_RAMRO, 0x8000 | (put & 0x10) << 12);
        host_wr32(h, NV3_PFIFO_RUNOUT_PUT, put);
        host_wr32(h, NV3_PFIFO_RUNOUT_GET, put * 7);
        host_method(h, 1, 0, 0x10, 0xffffffff);
        assert_int_equal(host_ramin_rd32(h, 0x7ffc), 0);
        assert_int_equal(host_ramin_rd32(h, 0xa000), 0);
    }
}

static void test_switch(void **state)
{
    Host *h = *state;
    uint32_t fc0 = HOST_RAMFC, fc9 = HOST_RAMFC + 9 * 32;

    for (unsigned i = 0; i < 8; i++) {
        host_wr32(h, NV3_PFIFO_CACHE1_CTX(i), 0xc10000 + i);
        host_ramin_wr32(h, fc0 + i * 4, 0xeeeeeeee);
        host_ramin_wr32(h, fc9 + i * 4, 0x5f920000 | i);
    }
    host_wr32(h, NV3_PFIFO_CACHE1_PULL_STATE, NV3_PFIFO_PULL_STATE_DIRTY);
    h->chip->pfifo.cache1.last_subch = 3;
    host_method(h, 9, 2, 0x300, 0x99);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(host_ramin_rd32(h, fc0 + i * 4), 0x30c10000 + i);
        assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_CTX(i)), 0x920000 | i);
        assert_int_equal(host_ramin_rd32(h, fc9 + i * 4), 0x5f920000 | i);
    }
    assert_int_equal(h->chip->pfifo.cache1.last_subch, 5);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PULL_STATE), 0);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PUSH_CHID), 9);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_DATA_C(0)), 0x99);
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);

    /*
     * If CACHE1's contexts are not dirty, a channel switch saves only the context of
     * subchannel 0. The first word of the entry in RAMFC contains this context and the
     * number of the last subchannel.
     */
    host_wr32(h, NV3_PFIFO_CACHE1_GET, host_rd32(h, NV3_PFIFO_CACHE1_PUT));
    host_wr32(h, NV3_PFIFO_CACHE1_CTX(0), 0x123456);
    host_wr32(h, NV3_PFIFO_CACHE1_CTX(1), 0x123456);
    host_method(h, 0, 0, 0x300, 0);
    assert_int_equal(host_ramin_rd32(h, fc9), 0x50123456);
    assert_int_equal(host_ramin_rd32(h, fc9 + 4), 0x5f920001);
    assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_CTX(7)), 0xc10007);
    assert_int_equal(h->chip->pfifo.cache1.last_subch, 3);
}

static void test_every_channel(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PFIFO_RAMFC, 0xfe00);
    for (unsigned chid = 0; chid < 128; chid++) {
        host_ramin_wr32(h, 0xfe00 + chid * 32, chid);
        host_method(h, chid, 0, 0x300, chid);
        assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_PUSH_CHID), chid);
        assert_int_equal(host_rd32(h, NV3_PFIFO_CACHE1_CTX(0)), chid);
        host_wr32(h, NV3_PFIFO_CACHE1_GET, host_rd32(h, NV3_PFIFO_CACHE1_PUT));
    }
    assert_int_equal(host_rd32(h, NV3_PFIFO_INTR), 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, host_teardown)
    const struct CMUnitTest tests[] = {
        T(test_free_count),
        cmocka_unit_test(test_free_count_revision_b),
        T(test_free_other_channel),
        T(test_push),
        T(test_illegal_access),
        T(test_reserved_access),
        T(test_no_cache),
        T(test_no_cache_for_dma),
        T(test_ran_out),
        T(test_free_overrun),
        T(test_overflow),
        T(test_wild_runout_pointers),
        T(test_switch),
        T(test_every_channel),
    };

    return cmocka_run_group_tests_name("pfifo_pio", tests, NULL, NULL);
}
