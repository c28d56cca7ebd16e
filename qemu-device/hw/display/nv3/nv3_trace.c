/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): converts the events that the chip core reports (NV3Event) to the
 * trace events nv3_core_*, with the names of classes, methods and registers.
 */

#include "qemu/osdep.h"

#include "nv3_glue.h"
#include "trace.h"

/*
 * Events that end a sequence of methods. After such an event, the core reports the event
 * OBJECT with the next method, even if the method's object has not changed.
 */
#define BOUNDARIES \
    (1u << NV3_EVENT_STOP | 1u << NV3_EVENT_CHANNEL | 1u << NV3_EVENT_CONTEXT | \
     1u << NV3_EVENT_BATCH | 1u << NV3_EVENT_NOTIFY)
#define CLOCK_INTERVAL_NS   (20 * SCALE_MS)

#define WANTED(event, kinds) \
    (trace_event_get_state_backends(TRACE_NV3_CORE_##event) ? (kinds) : 0)
#define WANTED1(kind) WANTED(kind, 1u << NV3_EVENT_##kind)

/*
 * This function is called before each slice, because trace events can be enabled at any
 * time. A call is cheap: while no trace event of QEMU is enabled, each WANTED() only
 * reads trace_events_enabled_count.
 */
void nv3_trace_update(NV3DeviceState *s)
{
    nv3_set_events(s->core, WANTED1(METHOD) | WANTED1(STOP) | WANTED1(CHANNEL) |
                   WANTED1(CONTEXT) | WANTED1(RUNOUT) | WANTED1(BATCH) |
                   WANTED1(BATCH_END) | WANTED1(NOTIFY) | WANTED1(INTERRUPT) |
                   WANTED(WORK, 1u << NV3_EVENT_OBJECT | BOUNDARIES));
}

/*
 * Traces PTIMER's time @time together with the host's clocks, at most once per
 * CLOCK_INTERVAL_NS.
 */
static void trace_clock(NV3DeviceState *s, uint64_t time)
{
    NV3Trace *t = &s->trace;

    if (trace_event_get_state_backends(TRACE_NV3_CORE_CLOCK) &&
        (!t->clock || time - t->clock >= CLOCK_INTERVAL_NS)) {
        t->clock = time;
        trace_nv3_core_clock(time, get_clock(), g_get_real_time() * 1000);
    }
}

/* ---- names ----------------------------------------------------------------- */

/*
 * The names are cached, because most events have the same few names, and formatting a
 * name takes longer than recording an event.
 *
 * Returns the cache entry for @value of @owner. If the entry's member @valid is false,
 * the caller must write @text and set @valid.
 */
static NV3TraceName *find_name(NV3DeviceState *s, uint32_t owner, uint32_t value)
{
    uint32_t slot = (value / 4 + owner * 5) % NV3_TRACE_NAMES;
    NV3TraceName *entry = &s->trace.names[slot];

    entry->valid = entry->valid && entry->owner == owner && entry->value == value;
    entry->owner = owner;
    entry->value = value;
    return entry;
}

static const char *method_name(NV3DeviceState *s, const struct nv3_class_names *class,
                               uint32_t class_id, uint32_t mthd)
{
    NV3TraceName *entry = find_name(s, class_id, mthd);

    if (!entry->valid) {
        nv3_names_print_method(class, mthd, entry->text, sizeof(entry->text));
        entry->valid = true;
    }
    return entry->text;
}

/* Returns the names of those bits of the register @reg that are set in @bits. */
static const char *bit_names(NV3DeviceState *s, uint32_t reg, uint32_t bits)
{
    NV3TraceName *entry = find_name(s, reg, bits);

    if (!entry->valid) {
        nv3_names_print_value(nv3_names_register(reg)->fields, bits, entry->text,
                              sizeof(entry->text));
        entry->valid = true;
    }
    return entry->text;
}

/* ---- runs of methods ------------------------------------------------------- */

static void begin_work(NV3DeviceState *s, const NV3Event *e, uint64_t time)
{
    NV3Trace *t = &s->trace;

    t->working = true;
    t->start = time;
    t->first = *e;
    for (unsigned i = 0; i < NV3_PVIRT_COUNTER_COUNT; i++) {
        t->counters[i] = nv3_counter(s->core, i);
    }
}

static uint64_t counted(NV3DeviceState *s, unsigned counter)
{
    return nv3_counter(s->core, counter) - s->trace.counters[counter];
}

/* Ends the current sequence of methods, if there is one, and traces the sequence. */
static void end_work(NV3DeviceState *s, uint64_t time)
{
    NV3Trace *t = &s->trace;
    const struct nv3_class_names *class;

    if (!t->working) {
        return;
    }
    t->working = false;
    class = nv3_names_class(t->first.class_id);
    trace_nv3_core_work(time, t->first.chid, t->first.subch, t->start,
                        class ? class->name : "?",
                        method_name(s, class, t->first.class_id, t->first.mthd),
                        counted(s, NV3_PVIRT_COUNTER_METHODS),
                        counted(s, NV3_PVIRT_COUNTER_TRIANGLES),
                        counted(s, NV3_PVIRT_COUNTER_PIXELS));
}

/* ---- the end of a batch ---------------------------------------------------- */

/* Traces the last BATCH_END event, unless it has been traced. */
static void trace_end(NV3DeviceState *s)
{
    if (s->trace.ended) {
        trace_nv3_core_batch_end(s->trace.end_time, s->trace.end_chid);
        s->trace.ended = false;
    }
}

/*
 * A notification soon follows the end of most batches. Its event then contains the time
 * of the end, because the cost of tracing depends on the number of events.
 */
static void defer_end(NV3DeviceState *s, uint32_t chid, uint64_t time)
{
    trace_end(s);
    s->trace.ended = true;
    s->trace.end_time = time;
    s->trace.end_chid = chid;
    if (!trace_event_get_state_backends(TRACE_NV3_CORE_NOTIFY)) {
        trace_end(s);
    }
}

static void trace_notify(NV3DeviceState *s, const NV3Event *e, uint64_t time)
{
    NV3Trace *t = &s->trace;

    if (t->end_chid != e->chid) {
        trace_end(s);
    }
    trace_nv3_core_notify(time, e->chid, e->data, e->detail,
                          t->ended ? t->end_time : 0);
    t->ended = false;
}

/* ---- other events ---------------------------------------------------------- */

static void trace_method(NV3DeviceState *s, const NV3Event *e, uint64_t time)
{
    const struct nv3_class_names *class = nv3_names_class(e->class_id);
    const struct nv3_word *word = nv3_names_method(class, e->mthd);
    char value[NV3_NAMES_TEXT];

    nv3_names_print_value(word ? word->fields : NULL, e->data, value, sizeof(value));
    trace_nv3_core_method(time, e->chid, e->subch, class ? class->name : "?",
                          method_name(s, class, e->class_id, e->mthd), value);
}

/*
 * Returns true if nv3_core_notify has reported the interrupt. Each batch causes this
 * interrupt, and the cost of tracing depends on the number of events.
 */
static bool is_reported(const NV3Event *e)
{
    return e->detail == NV3_PMC_INTR_PGRAPH && e->data == NV3_PGRAPH_INTR_NOTIFY &&
           trace_event_get_state_backends(TRACE_NV3_CORE_NOTIFY);
}

static void trace_interrupt(NV3DeviceState *s, const NV3Event *e, uint64_t time)
{
    static const struct {
        uint32_t engine, reg;
        const char *name;
    } engines[] = {
        { NV3_PMC_INTR_PFIFO, NV3_PFIFO_INTR, "PFIFO" },
        { NV3_PMC_INTR_PGRAPH, NV3_PGRAPH_INTR, "PGRAPH" },
        { NV3_PMC_INTR_PDMA, NV3_PDMA_INTR, "PDMA" },
    };

    for (unsigned i = 0; i < ARRAY_SIZE(engines); i++) {
        if (engines[i].engine == e->detail) {
            trace_nv3_core_interrupt(time, engines[i].name,
                                     bit_names(s, engines[i].reg, e->data));
        }
    }
}

static void trace_boundary(NV3DeviceState *s, const NV3Event *e, uint64_t time)
{
    if (e->kind == NV3_EVENT_NOTIFY) {
        trace_notify(s, e, time);
        return;
    }
    trace_end(s);
    switch (e->kind) {
    case NV3_EVENT_STOP:
        trace_nv3_core_stop(time, e->chid, e->subch, e->mthd, e->data,
                            bit_names(s, NV3_PFIFO_CACHE1_PULL_CTRL, e->detail));
        break;
    case NV3_EVENT_CHANNEL:
        trace_nv3_core_channel(time, e->chid, e->data);
        break;
    case NV3_EVENT_CONTEXT:
        trace_nv3_core_context(time, e->chid, e->subch, e->mthd, e->detail);
        break;
    case NV3_EVENT_BATCH:
        trace_nv3_core_batch(time, e->chid, e->detail, e->data);
        break;
    default:
        g_assert_not_reached();
    }
}

void nv3_host_event(void *opaque, const NV3Event *e)
{
    NV3DeviceState *s = opaque;
    uint64_t time = nv3_time(s->core);

    trace_clock(s, time);
    if (BOUNDARIES >> e->kind & 1) {
        end_work(s, time);
        trace_boundary(s, e, time);
        return;
    }
    switch (e->kind) {
    case NV3_EVENT_METHOD:
        trace_method(s, e, time);
        break;
    case NV3_EVENT_OBJECT:
        end_work(s, time);
        begin_work(s, e, time);
        break;
    case NV3_EVENT_RUNOUT:
        trace_nv3_core_runout(time, e->chid, e->subch, e->mthd, e->data, e->detail);
        break;
    case NV3_EVENT_BATCH_END:
        defer_end(s, e->chid, time);
        break;
    case NV3_EVENT_INTERRUPT:
        if (!is_reported(e)) {
            trace_interrupt(s, e, time);
        }
        break;
    default:
        break;
    }
}
