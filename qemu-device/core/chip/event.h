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

/*
 * Returns true if the host has enabled any event that the execution of a method can
 * cause.
 */
static inline bool nv3_event_method_wanted(const NV3State *s)
{
    return __builtin_expect(nv3_events(s) & (1u << NV3_EVENT_METHOD |
                                             1u << NV3_EVENT_OBJECT |
                                             1u << NV3_EVENT_CONTEXT), 0);
}

/*
 * Returns true if the chip must report the next method with an OBJECT event, even if the
 * method's object is the same as before.
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
