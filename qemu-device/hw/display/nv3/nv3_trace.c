/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): trace events nv3_core_* from the events that the chip core
 * reports (NV3Event), with the names of classes, methods and registers.
 */

#include "qemu/osdep.h"

#include "include/nv3_names.h"
#include "nv3_glue.h"
#include "trace.h"

#define WANTED(event, kind) \
    (trace_event_get_state_backends(TRACE_NV3_CORE_##event) ? \
     1u << NV3_EVENT_##kind : 0)

/*
 * Trace events can be enabled at any time, so this is called before each slice of work.
 * While none of QEMU's trace events is enabled, each test reads one variable.
 */
void nv3_trace_update(NV3DeviceState *s)
{
    nv3_set_events(s->core, WANTED(METHOD, METHOD) | WANTED(STOP, STOP) |
                   WANTED(CHANNEL, CHANNEL) | WANTED(CONTEXT, CONTEXT) |
                   WANTED(RUNOUT, RUNOUT) | WANTED(BATCH, BATCH) |
                   WANTED(BATCH_END, BATCH_END) | WANTED(NOTIFY, NOTIFY) |
                   WANTED(INTERRUPT, INTERRUPT));
}

static void trace_method(const NV3Event *e)
{
    const struct nv3_class_names *class = nv3_names_class(e->class_id);
    const struct nv3_word *word = nv3_names_method(class, e->mthd);
    char method[NV3_NAMES_TEXT], value[NV3_NAMES_TEXT];

    nv3_names_print_method(class, e->mthd, method, sizeof(method));
    nv3_names_print_value(word ? word->fields : NULL, e->data, value, sizeof(value));
    trace_nv3_core_method(e->chid, e->subch, class ? class->name : "?", method, value);
}

/* Writes the names of the bits of a register. */
static void print_bits(uint32_t reg, uint32_t bits, char *text, size_t size)
{
    nv3_names_print_value(nv3_names_register(reg)->fields, bits, text, size);
}

static void trace_interrupt(const NV3Event *e)
{
    static const struct {
        uint32_t engine, reg;
        const char *name;
    } engines[] = {
        { NV3_PMC_INTR_PFIFO, NV3_PFIFO_INTR, "PFIFO" },
        { NV3_PMC_INTR_PGRAPH, NV3_PGRAPH_INTR, "PGRAPH" },
        { NV3_PMC_INTR_PDMA, NV3_PDMA_INTR, "PDMA" },
    };
    char bits[NV3_NAMES_TEXT];

    for (unsigned i = 0; i < ARRAY_SIZE(engines); i++) {
        if (engines[i].engine == e->detail) {
            print_bits(engines[i].reg, e->data, bits, sizeof(bits));
            trace_nv3_core_interrupt(engines[i].name, bits);
        }
    }
}

static void trace_stop(const NV3Event *e)
{
    char reason[NV3_NAMES_TEXT];

    print_bits(NV3_PFIFO_CACHE1_PULL_CTRL, e->detail, reason, sizeof(reason));
    trace_nv3_core_stop(e->chid, e->subch, e->mthd, e->data, reason);
}

void nv3_host_event(void *opaque, const NV3Event *e)
{
    switch (e->kind) {
    case NV3_EVENT_METHOD:
        trace_method(e);
        break;
    case NV3_EVENT_STOP:
        trace_stop(e);
        break;
    case NV3_EVENT_CHANNEL:
        trace_nv3_core_channel(e->chid, e->data);
        break;
    case NV3_EVENT_CONTEXT:
        trace_nv3_core_context(e->chid, e->subch, e->mthd, e->detail);
        break;
    case NV3_EVENT_RUNOUT:
        trace_nv3_core_runout(e->chid, e->subch, e->mthd, e->data, e->detail);
        break;
    case NV3_EVENT_BATCH:
        trace_nv3_core_batch(e->chid, e->detail, e->data);
        break;
    case NV3_EVENT_BATCH_END:
        trace_nv3_core_batch_end(e->chid);
        break;
    case NV3_EVENT_NOTIFY:
        trace_nv3_core_notify(e->chid, e->data);
        break;
    case NV3_EVENT_INTERRUPT:
        trace_interrupt(e);
        break;
    case NV3_EVENT_COUNT:
        break;
    }
}
