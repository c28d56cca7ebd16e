/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events (NV3Event) report the chip's work to the host. If the host has not enabled an
 * event's kind, nv3_event() only tests a mask.
 */
#ifndef NV3_CHIP_EVENT_H
#define NV3_CHIP_EVENT_H

#include "chip/chip.h"

/* chip.c */
void nv3_report_event(NV3State *s, const NV3Event *event);
/*
 * Reports an OBJECT event, unless the last OBJECT event reported @ctx on @subch of @chid.
 */
void nv3_report_object(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                       uint32_t ctx);

/*
 * Returns the mask of the enabled kinds of events. vm/checks/suites/trace-cost.sh builds
 * the core with and without events (NV3_NO_EVENTS) and compares the speed of both builds.
 */
static inline uint32_t nv3_events(const NV3State *s)
{
#ifdef NV3_NO_EVENTS
    return 0;
#else
    return s->events;
#endif
}

static inline bool nv3_event_wanted(const NV3State *s, NV3EventKind kind)
{
    return __builtin_expect(nv3_events(s) >> kind & 1, 0);
}

/* Returns the value of NV3State.event_object for the object with context word @ctx. */
static inline uint64_t nv3_event_object(uint32_t chid, uint32_t subch, uint32_t ctx)
{
    return UINT64_C(1) << 63 | (uint64_t)(chid << 3 | subch) << 32 | ctx;
}

/*
 * Returns true if the chip must report a method of this object by a METHOD or OBJECT
 * event.
 */
static inline bool nv3_event_method_due(const NV3State *s, uint32_t chid, uint32_t subch,
                                        uint32_t ctx)
{
    const uint32_t kinds = nv3_events(s) & (1u << NV3_EVENT_METHOD |
                                            1u << NV3_EVENT_OBJECT);

    return __builtin_expect(kinds, 0) &&
           (kinds & 1u << NV3_EVENT_METHOD ||
            s->event_object != nv3_event_object(chid, subch, ctx));
}

/*
 * Returns true if the chip must report the next method by an OBJECT event, regardless of
 * the method's object.
 */
static inline bool nv3_event_object_due(const NV3State *s)
{
    return nv3_event_wanted(s, NV3_EVENT_OBJECT) && !s->event_object;
}

/* Reports NV3_EVENT_@kind_. The other arguments are initializers of NV3Event. */
#define nv3_event(s, kind_, ...) \
    do { \
        if (nv3_event_wanted(s, NV3_EVENT_##kind_)) { \
            nv3_report_event(s, &(NV3Event) { \
                .kind = NV3_EVENT_##kind_, __VA_ARGS__ \
            }); \
        } \
    } while (0)

#endif
