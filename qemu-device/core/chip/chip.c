/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wrappers for the host's functions: clock, kick, dirty VRAM, events and log. */
#include "chip/chip.h"
#include "chip/cost.h"
#include "chip/event.h"

#ifdef NV3_COUNT_STEPS
uint64_t nv3_steps[NV3_STEP_COUNT];
#endif

uint32_t nv3_unimp_read(NV3State *s, const char *block, uint32_t addr)
{
    nv3_log(s, UNIMP, "%s: read of 0x%06x", block, addr);
    return 0;
}

void nv3_unimp_write(NV3State *s, const char *block, uint32_t addr,
                     uint32_t val)
{
    nv3_log(s, UNIMP, "%s: 0x%06x <- 0x%08x", block, addr, val);
}

uint64_t nv3_work_clock(NV3State *s)
{
    return s->ops.work_ns ? s->ops.work_ns(s->opaque) : nv3_clock(s);
}

void nv3_work_begin(NV3State *s)
{
    if (s->work == NV3_WORK_UNTIMED) {
        s->work = NV3_WORK_TIMED;
        s->work_start = nv3_work_clock(s);
    }
}

void nv3_kick(NV3State *s)
{
    if (s->ops.kick) {
        s->ops.kick(s->opaque);
    }
}

uint64_t nv3_clock(NV3State *s)
{
    return s->ops.clock_ns ? s->ops.clock_ns(s->opaque) : 0;
}

void nv3_set_events(NV3State *s, uint32_t kinds)
{
    kinds = s->ops.event ? kinds : 0;
    if (!(s->events >> NV3_EVENT_OBJECT & 1)) {
        s->event_object = 0;
    }
    s->events = kinds;
}

/* Not inline, to keep the callers small. Events are rarely enabled. */
__attribute__((noinline, cold))
void nv3_report_event(NV3State *s, const NV3Event *event)
{
    switch (event->kind) {
    case NV3_EVENT_STOP:
    case NV3_EVENT_CHANNEL:
    case NV3_EVENT_CONTEXT:
    case NV3_EVENT_BATCH:
    case NV3_EVENT_NOTIFY:
        s->event_object = 0;
        break;
    default:
        break;
    }
    s->ops.event(s->opaque, event);
}

uint64_t nv3_counter(const NV3State *s, unsigned counter)
{
    return s->counters[counter];
}

void nv3_vram_dirty(NV3State *s, uint32_t offset, uint32_t len)
{
    if (s->ops.vram_dirty) {
        s->ops.vram_dirty(s->opaque, offset, len);
    }
}
