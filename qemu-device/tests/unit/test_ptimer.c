/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests PTIMER: the counter, the clock and the alarm. */
#include "host.h"

#include "fake_pgraph.h"
#include "core.h"

#define S(n)    ((n) * UINT64_C(1000000000))

static int setup(void **state)
{
    Host *h;

    fake_pgraph_init();
    host_setup(state);
    h = *state;
    /* The clock is 13.5 MHz * 200 / 27 = 100 MHz. A tick is 32 ns. */
    host_wr32(h, NV3_PRAMDAC_MPLL, 200 << NV3_PLL_N_SHIFT | 27);
    host_wr32(h, NV3_PTIMER_NUMERATOR, 16);
    host_wr32(h, NV3_PTIMER_DENOMINATOR, 5);
    host_wr32(h, NV3_PTIMER_TIME_0, 0);
    host_wr32(h, NV3_PTIMER_TIME_1, 0);
    host_wr32(h, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
    return 0;
}

static uint64_t get_time(Host *h)
{
    return host_rd32(h, NV3_PTIMER_TIME_0) |
           (uint64_t)host_rd32(h, NV3_PTIMER_TIME_1) << 32;
}

static void test_counts_nanoseconds(void **state)
{
    Host *h = *state;

    assert_int_equal(get_time(h), 0);
    host_advance(h, 31);
    assert_int_equal(get_time(h), 0);
    host_advance(h, 1);
    assert_int_equal(get_time(h), 32);
    host_advance(h, S(1) - 32);
    assert_int_equal(get_time(h), S(1));
    assert_int_equal(nv3_ptimer_now(h->chip), S(1));
    /* Within a year, the timer must not lose a tick. */
    host_advance(h, S(31536000));
    assert_int_equal(get_time(h), S(31536001));
}

static void test_posted_is_nanoseconds(void **state)
{
    Host *h = *state;
    uint64_t start;

    nv3_reset(h->chip);
    start = get_time(h);
    host_advance(h, S(10));
    assert_in_range(get_time(h) - start, S(10) / 100 * 98, S(10) / 100 * 102);
}

static void test_ratio(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PTIMER_NUMERATOR, 0xffff0000 | 32);
    assert_int_equal(host_rd32(h, NV3_PTIMER_NUMERATOR), 32);
    host_advance(h, 6400);
    assert_int_equal(get_time(h), 3200);
    /* A change of the rate must not change the current time. */
    host_wr32(h, NV3_PTIMER_DENOMINATOR, 0xffff0000 | 10);
    assert_int_equal(host_rd32(h, NV3_PTIMER_DENOMINATOR), 10);
    assert_int_equal(get_time(h), 3200);
    host_advance(h, 6400);
    assert_int_equal(get_time(h), 9600);
    /* The clock stops if the numerator or the denominator is 0. */
    host_wr32(h, NV3_PTIMER_DENOMINATOR, 0);
    host_advance(h, S(1000));
    assert_int_equal(get_time(h), 9600);
    host_wr32(h, NV3_PTIMER_DENOMINATOR, 5);
    host_wr32(h, NV3_PTIMER_NUMERATOR, 0);
    host_advance(h, S(1000));
    assert_int_equal(get_time(h), 9600);
    /*
     * In each period of its source clock (10 ns), the timer advances by at most one tick
     * (32 ns).
     */
    host_wr32(h, NV3_PTIMER_NUMERATOR, 1);
    host_wr32(h, NV3_PTIMER_DENOMINATOR, 0xffff);
    host_advance(h, 1000);
    assert_int_equal(get_time(h), 9600 + 3200);
}

static void test_memory_clock(void **state)
{
    Host *h = *state;

    host_advance(h, 3200);
    /* Half the frequency. */
    host_wr32(h, NV3_PRAMDAC_MPLL,
              1 << NV3_PLL_P_SHIFT | 200 << NV3_PLL_N_SHIFT | 27);
    assert_int_equal(get_time(h), 3200);
    host_advance(h, 3200);
    assert_int_equal(get_time(h), 4800);
    /* No source clock. */
    host_wr32(h, NV3_PRAMDAC_MPLL, 0);
    host_advance(h, S(1));
    assert_int_equal(get_time(h), 4800);
}

static void test_set_time(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PTIMER_TIME_0, 0xffffffff);
    host_wr32(h, NV3_PTIMER_TIME_1, 0xffffffff);
    /* Bits 4:0 and 63:61 do not exist. */
    assert_int_equal(get_time(h), 0x1fffffffffffffe0);
    host_advance(h, 32);
    assert_int_equal(get_time(h), 0);

    host_wr32(h, NV3_PTIMER_TIME_1, 0x12345678);
    assert_int_equal(get_time(h), 0x1234567800000000);
    host_wr32(h, NV3_PTIMER_TIME_0, 0xffffffe0);
    assert_int_equal(get_time(h), 0x12345678ffffffe0);
    host_advance(h, 32);
    assert_int_equal(get_time(h), 0x1234567900000000);
}

static void test_alarm(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PTIMER_INTR, 0xffffffff);
    host_wr32(h, NV3_PTIMER_ALARM_0, 3200 | 0x1f);
    assert_int_equal(host_rd32(h, NV3_PTIMER_ALARM_0), 3200);
    host_wr32(h, NV3_PTIMER_INTR_EN, 0xffffffff);
    assert_int_equal(host_rd32(h, NV3_PTIMER_INTR_EN), 1);
    assert_int_equal(h->timer[NV3_TIMER_ALARM], 3200);
    host_advance(h, 3199);
    assert_false(h->irq);
    assert_int_equal(host_rd32(h, NV3_PTIMER_INTR), 0);
    host_advance(h, 1);
    assert_true(h->irq);
    assert_int_equal(host_rd32(h, NV3_PMC_INTR), NV3_PMC_INTR_PTIMER);
    assert_int_equal(host_rd32(h, NV3_PTIMER_INTR), 1);
    host_wr32(h, NV3_PTIMER_INTR, 0);
    assert_true(h->irq);
    host_wr32(h, NV3_PTIMER_INTR, 1);
    assert_false(h->irq);
    /* The alarm compares only the low 32 bits, which match again after 2^32 ns. */
    assert_int_equal(h->timer[NV3_TIMER_ALARM], 3200 + (UINT64_C(1) << 32));
    host_advance(h, (UINT64_C(1) << 32) - 1);
    assert_false(h->irq);
    host_advance(h, 1);
    assert_true(h->irq);
}

/*
 * While the alarm's interrupt is masked, the chip must not set a timer of the host, but
 * the status of the alarm must be correct.
 */
static void test_alarm_masked(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PTIMER_INTR, 1);
    host_wr32(h, NV3_PTIMER_ALARM_0, 6400);
    assert_int_equal(h->timer[NV3_TIMER_ALARM], UINT64_MAX);
    h->now += 6399;
    assert_int_equal(host_rd32(h, NV3_PTIMER_INTR), 0);
    h->now += 100000;
    assert_int_equal(host_rd32(h, NV3_PTIMER_INTR), 1);
    assert_false(h->irq);
    host_wr32(h, NV3_PTIMER_INTR_EN, 1);
    assert_true(h->irq);
}

static void test_alarm_now(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PTIMER_INTR, 1);
    host_wr32(h, NV3_PTIMER_INTR_EN, 1);
    host_advance(h, 64);
    host_wr32(h, NV3_PTIMER_ALARM_0, 64);
    assert_true(h->irq);
    host_wr32(h, NV3_PTIMER_ALARM_0, 32);
    host_wr32(h, NV3_PTIMER_INTR, 1);
    assert_false(h->irq);
    /* Set PTIMER's time to that of the alarm, and then to a later time. */
    host_wr32(h, NV3_PTIMER_TIME_0, 32);
    assert_true(h->irq);
    host_wr32(h, NV3_PTIMER_INTR, 1);
    host_wr32(h, NV3_PTIMER_TIME_0, 0xffff0000);
    assert_false(h->irq);
}

static void test_stopped_alarm(void **state)
{
    Host *h = *state;

    host_wr32(h, NV3_PTIMER_ALARM_0, 3200);
    host_wr32(h, NV3_PTIMER_INTR, 1);
    host_wr32(h, NV3_PTIMER_INTR_EN, 1);
    host_wr32(h, NV3_PTIMER_NUMERATOR, 0);
    assert_int_equal(h->timer[NV3_TIMER_ALARM], UINT64_MAX);
    host_wr32(h, NV3_PTIMER_NUMERATOR, 16);
    assert_int_equal(h->timer[NV3_TIMER_ALARM], 3200);
    /*
     * If the host's timer expires too early, the chip must not raise the alarm, and must
     * set the host's timer again.
     */
    nv3_timer_expired(h->chip, NV3_TIMER_ALARM);
    assert_false(h->irq);
    assert_int_equal(h->timer[NV3_TIMER_ALARM], 3200);
}

static void test_far_clock(void **state)
{
    Host *h = *state;

    /* Test the slowest rate, with the maximum time of the host's clock. */
    host_wr32(h, NV3_PTIMER_NUMERATOR, 0xffff);
    host_wr32(h, NV3_PTIMER_DENOMINATOR, 1);
    host_wr32(h, NV3_PRAMDAC_MPLL,
              7 << NV3_PLL_P_SHIFT | 1 << NV3_PLL_N_SHIFT | 0xff);
    host_wr32(h, NV3_PTIMER_INTR, 1);
    host_wr32(h, NV3_PTIMER_INTR_EN, 1);
    h->now = UINT64_MAX - 1;
    nv3_timer_expired(h->chip, NV3_TIMER_ALARM);
    host_rd32(h, NV3_PTIMER_TIME_0);
    host_wr32(h, NV3_PTIMER_ALARM_0, 0xffffffe0);
    assert_int_equal(h->timer[NV3_TIMER_ALARM], UINT64_MAX);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, host_teardown)
    const struct CMUnitTest tests[] = {
        T(test_counts_nanoseconds),
        T(test_posted_is_nanoseconds),
        T(test_ratio),
        T(test_memory_clock),
        T(test_set_time),
        T(test_alarm),
        T(test_alarm_masked),
        T(test_alarm_now),
        T(test_stopped_alarm),
        T(test_far_clock),
    };

    return cmocka_run_group_tests_name("ptimer", tests, NULL, NULL);
}
