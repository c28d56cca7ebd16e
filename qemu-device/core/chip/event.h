/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports of the chip's work to the host (NV3Event). While the host has not asked for a
 * kind, nv3_event() is one test of a mask.
 */
#ifndef NV3_CHIP_EVENT_H
#define NV3_CHIP_EVENT_H

#include "chip/chip.h"

/* chip.c */
void nv3_report_event(NV3State *s, const NV3Event *event);
/* Reports OBJECT unless @ctx on @subch of @chid was the last object. */
void nv3_report_object(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                       uint32_t ctx);

static inline bool nv3_event_wanted(const NV3State *s, NV3EventKind kind)
{
    return __builtin_expect(s->events >> kind & 1, 0);
}

/* True if METHOD or OBJECT is wanted. */
static inline bool nv3_event_method_wanted(const NV3State *s)
{
    return __builtin_expect(s->events & (1u << NV3_EVENT_METHOD | 1u << NV3_EVENT_OBJECT),
                            0);
}

/* True if the next method has to be reported as OBJECT. */
static inline bool nv3_event_object_due(const NV3State *s)
{
    return nv3_event_wanted(s, NV3_EVENT_OBJECT) && !s->event_object;
}

/* @kind without NV3_EVENT_, and initializers of other members of NV3Event. */
#define nv3_event(s, kind_, ...) \
    do { \
        if (nv3_event_wanted(s, NV3_EVENT_##kind_)) { \
            nv3_report_event(s, &(NV3Event) { \
                .kind = NV3_EVENT_##kind_, __VA_ARGS__ \
            }); \
        } \
    } while (0)

#endif
