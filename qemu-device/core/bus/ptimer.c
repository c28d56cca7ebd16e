/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTIMER: a 56-bit counter of ticks. The tick rate is the memory clock times a ratio.
 * Drivers usually choose this ratio so that a tick takes 32 ns. Registers show the
 * counter shifted left by 5 bits. With ticks of 32 ns, these registers therefore contain
 * nanoseconds. Source: envytools, bus/ptimer. In envytools, NUMERATOR is called
 * CLOCK_DIV, and DENOMINATOR is called CLOCK_MUL.
 *
 * No host timer runs while the alarm's interrupt is disabled. Instead, a read of INTR
 * checks whether the counter has passed ALARM.
 */
#include "bus/bus.h"
#include "chip/state_table.h"
#include "chip/wide.h"

#define NV3_PTIMER_SHIFT        5
#define NV3_PTIMER_LOW_BITS     27
#define NV3_PTIMER_LOW_MASK     ((UINT64_C(1) << NV3_PTIMER_LOW_BITS) - 1)
#define NV3_PTIMER_MASK         ((UINT64_C(1) << 56) - 1)
#define NV3_PTIMER_RATIO_MASK   0xffff

/* Ratio that a BIOS sets: ticks of 32 ns with a memory clock of 100 MHz. */
#define NV3_PTIMER_NUMERATOR_POSTED     16
#define NV3_PTIMER_DENOMINATOR_POSTED   5

#define NV3_NS_PER_S            UINT64_C(1000000000)

/*
 * Computes the number of ticks per second as the fraction @num / @den. @num is 0 if the
 * clock is stopped. @den has 16 bits, so its product with NV3_NS_PER_S fits in 64 bits.
 * On real chips, the divider does not work correctly if the ratio exceeds 1, so the model
 * limits the ratio to 1.
 */
static void nv3_ptimer_rate(NV3State *s, uint64_t *num, uint64_t *den)
{
    uint32_t div = s->ptimer.numerator;
    uint32_t mul = s->ptimer.denominator;

    *num = div ? nv3_pll_hz(s, s->display.mpll) * (mul < div ? mul : div) : 0;
    *den = div ? div : 1;
}

static uint64_t nv3_ptimer_ticks(NV3State *s)
{
    uint64_t elapsed = nv3_clock(s) - s->ptimer.base_ns;
    uint64_t num, den;

    nv3_ptimer_rate(s, &num, &den);
    return s->ptimer.base_ticks +
           nv3_wide_div(nv3_wide_mul(elapsed, num), den * NV3_NS_PER_S).low;
}

/*
 * Returns the number of ticks (at least 1) after which a counter with the value @ticks
 * reaches ALARM in its low bits.
 */
static uint64_t nv3_ptimer_to_alarm(NV3State *s, uint64_t ticks)
{
    uint64_t alarm = s->ptimer.alarm >> NV3_PTIMER_SHIFT;
    uint64_t left = (alarm - ticks) & NV3_PTIMER_LOW_MASK;

    return left ? left : NV3_PTIMER_LOW_MASK + 1;
}

/* Sets INTR if the counter has reached ALARM since the last call. */
static void nv3_ptimer_sync(NV3State *s)
{
    NV3Ptimer *t = &s->ptimer;
    uint64_t ticks = nv3_ptimer_ticks(s);

    if (ticks - t->seen_ticks >= nv3_ptimer_to_alarm(s, t->seen_ticks)) {
        t->intr |= NV3_PTIMER_INTR_ALARM;
    }
    t->seen_ticks = ticks;
}

uint64_t nv3_time(NV3State *s)
{
    return nv3_ptimer_now(s);
}

/*
 * Stores the current time and the current value of the counter as the base for computing
 * later values, so that the caller can change the rate.
 */
void nv3_ptimer_hold(NV3State *s)
{
    nv3_ptimer_sync(s);
    s->ptimer.base_ticks = s->ptimer.seen_ticks;
    s->ptimer.base_ns = nv3_clock(s);
}

/*
 * Returns the time in nanoseconds at which the counter reaches @ticks, or UINT64_MAX if
 * the clock is stopped or the time is out of range.
 */
static uint64_t nv3_ptimer_ns_of(NV3State *s, uint64_t ticks)
{
    uint64_t num, den;
    NV3Wide ns;

    nv3_ptimer_rate(s, &num, &den);
    if (!num) {
        return UINT64_MAX;
    }
    ns = nv3_wide_mul(ticks - s->ptimer.base_ticks, den * NV3_NS_PER_S);
    ns = nv3_wide_div(nv3_wide_add(ns, num - 1), num);
    ns = nv3_wide_add(ns, s->ptimer.base_ns);
    return ns.high ? UINT64_MAX : ns.low;
}

void nv3_ptimer_rearm(NV3State *s)
{
    NV3Ptimer *t = &s->ptimer;
    uint64_t due = UINT64_MAX;

    nv3_ptimer_sync(s);
    if ((t->intr_en & NV3_PTIMER_INTR_ALARM) && !t->intr) {
        due = nv3_ptimer_ns_of(s, t->seen_ticks +
                               nv3_ptimer_to_alarm(s, t->seen_ticks));
    }
    if (s->ops.timer_set) {
        s->ops.timer_set(s->opaque, NV3_TIMER_ALARM, due);
    }
    nv3_update_irq(s);
}

void nv3_ptimer_expired(NV3State *s)
{
    nv3_ptimer_rearm(s);
}

uint64_t nv3_ptimer_now(NV3State *s)
{
    return (nv3_ptimer_ticks(s) & NV3_PTIMER_MASK) << NV3_PTIMER_SHIFT;
}

bool nv3_ptimer_irq(NV3State *s)
{
    return s->ptimer.intr & s->ptimer.intr_en;
}

uint32_t nv3_ptimer_read(NV3State *s, uint32_t addr)
{
    switch (addr) {
    case NV3_PTIMER_INTR:
        nv3_ptimer_sync(s);
        return s->ptimer.intr;
    case NV3_PTIMER_INTR_EN:
        return s->ptimer.intr_en;
    case NV3_PTIMER_NUMERATOR:
        return s->ptimer.numerator;
    case NV3_PTIMER_DENOMINATOR:
        return s->ptimer.denominator;
    case NV3_PTIMER_TIME_0:
        return nv3_ptimer_now(s);
    case NV3_PTIMER_TIME_1:
        return nv3_ptimer_now(s) >> 32;
    case NV3_PTIMER_ALARM_0:
        return s->ptimer.alarm;
    default:
        return nv3_unimp_read(s, "PTIMER", addr);
    }
}

/*
 * Replaces the counter's bits in @mask with the bits of @ticks. If the new value of the
 * counter equals ALARM, the alarm occurs immediately.
 */
static void nv3_ptimer_write_time(NV3State *s, uint64_t mask, uint64_t ticks)
{
    NV3Ptimer *t = &s->ptimer;

    t->base_ticks = (t->base_ticks & NV3_PTIMER_MASK & ~mask) | (ticks & mask);
    t->seen_ticks = t->base_ticks - 1;
}

void nv3_ptimer_write(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Ptimer *t = &s->ptimer;

    nv3_ptimer_hold(s);
    switch (addr) {
    case NV3_PTIMER_INTR:
        t->intr &= ~val;
        break;
    case NV3_PTIMER_INTR_EN:
        t->intr_en = val & NV3_PTIMER_INTR_ALARM;
        break;
    case NV3_PTIMER_NUMERATOR:
        t->numerator = val & NV3_PTIMER_RATIO_MASK;
        break;
    case NV3_PTIMER_DENOMINATOR:
        t->denominator = val & NV3_PTIMER_RATIO_MASK;
        break;
    case NV3_PTIMER_TIME_0:
        nv3_ptimer_write_time(s, NV3_PTIMER_LOW_MASK, val >> NV3_PTIMER_SHIFT);
        break;
    case NV3_PTIMER_TIME_1:
        nv3_ptimer_write_time(s, NV3_PTIMER_MASK & ~NV3_PTIMER_LOW_MASK,
                              (uint64_t)val << NV3_PTIMER_LOW_BITS);
        break;
    case NV3_PTIMER_ALARM_0:
        t->alarm = val & ~((1u << NV3_PTIMER_SHIFT) - 1);
        t->seen_ticks--;        /* so that the alarm occurs if the counter equals ALARM */
        break;
    default:
        nv3_unimp_write(s, "PTIMER", addr, val);
        break;
    }
    nv3_ptimer_rearm(s);
}

void nv3_ptimer_reset(NV3State *s)
{
    s->ptimer = (NV3Ptimer) {
        .numerator = NV3_PTIMER_NUMERATOR_POSTED,
        .denominator = NV3_PTIMER_DENOMINATOR_POSTED,
        .base_ns = nv3_clock(s),
    };
    nv3_ptimer_rearm(s);
}

static const NV3StateField ptimer_fields[] = {
    NV3_SAVE_BITS(ptimer.intr, NV3_PTIMER_INTR_ALARM),
    NV3_SAVE_BITS(ptimer.intr_en, NV3_PTIMER_INTR_ALARM),
    NV3_SAVE_BITS(ptimer.numerator, NV3_PTIMER_RATIO_MASK),
    NV3_SAVE_BITS(ptimer.denominator, NV3_PTIMER_RATIO_MASK),
    NV3_SAVE(ptimer.alarm),
    NV3_SAVE(ptimer.base_ticks),
    NV3_SAVE_TIME(ptimer.base_ns),
    NV3_SAVE(ptimer.seen_ticks),
};

static void nv3_ptimer_loaded(NV3State *s)
{
    /*
     * If the base time is earlier than the start of this host's clock, @base_ns has
     * wrapped around to a very large number.
     */
    if (s->ptimer.base_ns > nv3_clock(s)) {
        nv3_ptimer_hold(s);
    }
    nv3_ptimer_rearm(s);
}

const NV3StateBlock nv3_ptimer_state =
    NV3_STATE_BLOCK("ptimer", ptimer_fields, .loaded = nv3_ptimer_loaded);
