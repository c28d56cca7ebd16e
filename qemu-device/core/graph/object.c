/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execution of methods. PGRAPH checks the channel, switches to the object, loads the
 * object's DMA objects, executes the class's method, and finally raises a trap or writes
 * a notification. The order and conditions are from envytools hwtest/pgraph_mthd.cc
 * (nv03_pgraph_mthd(), MthdTest::mutate()) and pgraph_mthd_invalid.cc. The check of the
 * channel is from the NV1 documents and from drivers for NV4
 * (docs/reference/chip/pgraph.md).
 */
#include "bus/bus.h"
#include "chip/cost.h"
#include "chip/event.h"
#include "graph/job.h"
#include "graph/pgraph.h"

#define DATA_FORCED_FAIL    (NV3_PGRAPH_DEBUG_3_DATA_CHECK | \
                             NV3_PGRAPH_DEBUG_3_DATA_FAIL)

/* A method that PGRAPH executes. */
typedef struct Method {
    uint32_t subch;
    uint32_t mthd;
    uint32_t data;
    uint32_t ctx;
    uint32_t invalid;       /* NV3_PGRAPH_INVALID_* errors of this method so far */
    bool was_armed;         /* the notifier was armed before this method */
} Method;

static void invalidate(NV3State *s, Method *m, uint32_t invalid)
{
    m->invalid |= invalid;
    nv3_pgraph_raise_invalid(s, invalid);
}

static bool owns_pgraph(const NV3State *s, uint32_t chid)
{
    const NV3Pgraph *g = &s->pgraph;

    return g->ctx_control & NV3_PGRAPH_CTX_CONTROL_CHID_VALID &&
           (g->ctx_user & NV3_PGRAPH_CTX_USER_CHID) == chid << 24;
}

/* Returns true if the channel owns PGRAPH. Otherwise requests a channel switch. */
static bool right_channel(NV3State *s, uint32_t chid)
{
    NV3Pgraph *g = &s->pgraph;

    if (owns_pgraph(s, chid)) {
        g->ctx_control &= ~NV3_PGRAPH_CTX_CONTROL_SWITCHING;
        return true;
    }
    g->ctx_control |= NV3_PGRAPH_CTX_CONTROL_SWITCHING;
    s->counters[NV3_PVIRT_COUNTER_SWITCHES]++;
    nv3_pgraph_raise(s, NV3_PGRAPH_INTR_CTX_SWITCH);
    return false;
}

void nv3_pgraph_latch(NV3State *s, uint32_t chid, uint32_t subch, uint32_t mthd,
                      uint32_t data, uint32_t ctx)
{
    NV3Pgraph *g = &s->pgraph;

    g->trapped_addr = chid << 24 | (ctx & NV3_PGRAPH_CTX_USER_CLASS) |
                      subch << NV3_FIFO_ADDR_SUBCH_SHIFT | mthd;
    g->trapped_data = data;
    g->trapped_inst = ctx & NV3_CTX_INST;
}

static uint32_t grobj_word(NV3State *s, const Method *m, unsigned offset)
{
    return nv3_ramin_rd32(s, ((m->ctx & NV3_CTX_INST) << 4) + offset);
}

/*
 * Switches to the method's object. For method 0, first reads the options from the object
 * in RAMIN.
 */
static void switch_object(NV3State *s, Method *m)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t *cached = &g->ctx_cache[m->subch];

    if (m->mthd == NV3_MTHD_OBJECT) {
        *cached = grobj_word(s, m, NV3_GROBJ_OPTIONS) &
                  NV3_PGRAPH_CTX_SWITCH_MASK;
    }
    g->ctx_user &= NV3_PGRAPH_CTX_USER_CHID;
    g->ctx_user |= (m->ctx & NV3_PGRAPH_CTX_USER_CLASS) |
                   m->subch << NV3_FIFO_ADDR_SUBCH_SHIFT;
    if (g->debug[1] & NV3_PGRAPH_DEBUG_1_CTX_SWITCH) {
        g->ctx_switch = *cached;
    }
    g->debug[1] &= ~NV3_PGRAPH_DEBUG_1_VOLATILE_RESET;
    if (g->debug[2] & NV3_PGRAPH_DEBUG_2_VOLATILE_EN) {
        nv3_pgraph_volatile_reset(s);
        g->debug[1] |= NV3_PGRAPH_DEBUG_1_VOLATILE_RESET;
    }
    if (m->was_armed) {
        invalidate(s, m, NV3_PGRAPH_INVALID_CTXSW_NOTIFY);
    }
}

static bool uses_dma(NV3State *s, const Method *m)
{
    const NV3Class *class =
        nv3_pgraph_find_class(s, (m->ctx & NV3_PGRAPH_CTX_USER_CLASS) >> 16);

    return m->mthd == NV3_MTHD_NOTIFY || (class && class->uses_dma);
}

static void load_dma(NV3State *s, const Method *m)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t inst = m->ctx & NV3_CTX_INST;
    uint32_t dma;

    if (!(g->debug[1] & NV3_PGRAPH_DEBUG_1_DMA_LOAD) || inst == g->grobj_inst ||
        !uses_dma(s, m)) {
        return;
    }
    dma = grobj_word(s, m, NV3_GROBJ_DMA);
    g->grobj_inst = inst;
    g->dma_inst = dma & NV3_GROBJ_DMA_INST;
    g->notify &= NV3_PGRAPH_NOTIFY_ARMED | NV3_PGRAPH_NOTIFY_SELECT;
    g->notify |= dma >> NV3_GROBJ_NOTIFY_SHIFT;
    g->m2mf_inst = grobj_word(s, m, NV3_GROBJ_M2MF) & 0x1ffff;
    /*
     * On silicon, the options change while PGRAPH loads the DMA objects, so the method
     * that switches to the object already uses the new options.
     */
    g->before.options = g->ctx_switch;
    g->epoch++;
}

/*
 * Raises the interrupts of an invalid method. If the notifier is armed, it stays armed,
 * and the driver must write a notification with an error.
 */
static void bad_method(NV3State *s, Method *m)
{
    NV3Pgraph *g = &s->pgraph;

    if (m->invalid & NV3_PGRAPH_INVALID_CTXSW_NOTIFY) {
        return;
    }
    if (m->was_armed && g->notify & NV3_PGRAPH_NOTIFY_SELECT &&
        !(m->invalid & NV3_PGRAPH_INVALID_DATA)) {
        nv3_pgraph_raise(s, NV3_PGRAPH_INTR_NOTIFY);
    }
    invalidate(s, m, NV3_PGRAPH_INVALID_METHOD);
}

static void bad_data(NV3State *s, Method *m)
{
    if (s->pgraph.debug[3] & NV3_PGRAPH_DEBUG_3_DATA_CHECK &&
        !(m->invalid & NV3_PGRAPH_INVALID_CTXSW_NOTIFY)) {
        invalidate(s, m, NV3_PGRAPH_INVALID_DATA);
    }
}

static NV3MthdResult dispatch(NV3State *s, const Method *m)
{
    const NV3Class *class;

    if (m->mthd == NV3_MTHD_OBJECT) {
        return NV3_MTHD_OK;
    }
    class = nv3_pgraph_find_class(s, nv3_pgraph_class(&s->pgraph));
    if (!class) {
        return NV3_MTHD_BAD_METHOD;
    }
    if (m->mthd == NV3_MTHD_NOTIFY) {
        return nv3_pgraph_notify_arm(s, m->data, m->invalid);
    }
    return class->method(s, m->mthd, m->data);
}

/*
 * Executes deferred drawing, unless the drawing belongs to the method's class. Before
 * method 0, executes the deferred drawing of any class.
 * Returns true if PGRAPH is still ready for a method.
 */
static bool flush_others(NV3State *s, const Method *m)
{
    const NV3Class *class = s->pgraph.deferred;

    if (class && (m->mthd == NV3_MTHD_OBJECT ||
                  (m->ctx & NV3_PGRAPH_CTX_USER_CLASS) >> 16 != class->id)) {
        class->flush(s);
        return nv3_pgraph_ready(s);
    }
    return true;
}

/*
 * Completes a method. If the notifier is armed, writes a notification. If the method has
 * created a job, nv3_pgraph_step() calls this function at the end of the job.
 */
static void complete(NV3State *s)
{
    if (s->pgraph.notify & NV3_PGRAPH_NOTIFY_ARMED) {
        nv3_pgraph_notify_complete(s);
    }
}

static void execute(NV3State *s, Method *m)
{
    NV3Pgraph *g = &s->pgraph;
    uint32_t stopped;

    m->was_armed = g->notify & NV3_PGRAPH_NOTIFY_ARMED;
    g->before.options = g->ctx_switch;
    g->before.class = nv3_pgraph_class(g);
    g->before.xy_misc_1 = g->xy_misc[1];
    if (m->mthd == NV3_MTHD_OBJECT ||
        (g->ctx_user & NV3_PGRAPH_CTX_USER_SUBCH) !=
        m->subch << NV3_FIFO_ADDR_SUBCH_SHIFT) {
        switch_object(s, m);
    }
    if (m->mthd != NV3_MTHD_OBJECT && !m->invalid &&
        (g->debug[3] & DATA_FORCED_FAIL) == DATA_FORCED_FAIL) {
        invalidate(s, m, NV3_PGRAPH_INVALID_DATA);
    }
    load_dma(s, m);
    switch (dispatch(s, m)) {
    case NV3_MTHD_OK:
        break;
    case NV3_MTHD_BAD_METHOD:
        bad_method(s, m);
        break;
    case NV3_MTHD_BAD_DATA:
        bad_data(s, m);
        break;
    }
    /* A trap clears FIFO_ENABLE. Do not write a notification after a trap. */
    stopped = !g->fifo_enable;
    if (m->was_armed && !stopped && nv3_pgraph_idle(s)) {
        complete(s);
    }
}

bool nv3_pgraph_submit(NV3State *s, uint32_t chid, uint32_t subch,
                       uint32_t mthd, uint32_t data, uint32_t ctx)
{
    Method m = {
        .subch = subch & 7, .mthd = mthd & NV3_FIFO_ADDR_MTHD, .data = data,
        .ctx = ctx,
    };

    nv3_pgraph_end_stream(s);
    if (!nv3_pgraph_ready(s) || !flush_others(s, &m)) {
        return false;
    }
    chid &= NV3_PGRAPH_CTX_USER_CHID >> 24;
    nv3_pgraph_latch(s, chid, m.subch, m.mthd, m.data, ctx);
    if (!right_channel(s, chid)) {
        return false;
    }
    s->counters[NV3_PVIRT_COUNTER_METHODS]++;
    nv3_step(METHOD, 1);
    execute(s, &m);
    return true;
}

/*
 * Reports a method by a METHOD event. If the last OBJECT event did not report @object,
 * first reports @object by an OBJECT event. Does nothing if nv3_pgraph_submit() would not
 * execute the method.
 */
static __attribute__((noinline))
void report_method(NV3State *s, uint32_t chid, const Method *m, uint64_t object)
{
    const uint32_t class = (m->ctx & NV3_PGRAPH_CTX_USER_CLASS) >> 16;

    nv3_pgraph_end_stream(s);
    if (!nv3_pgraph_ready(s) || !flush_others(s, m) || !owns_pgraph(s, chid)) {
        return;
    }
    if (s->event_object != object) {
        nv3_event(s, OBJECT, .chid = chid, .subch = m->subch, .mthd = m->mthd,
                  .class_id = class);
        s->event_object = object;
    }
    nv3_event(s, METHOD, .chid = chid, .subch = m->subch, .mthd = m->mthd,
              .data = m->data, .class_id = class);
}

/* Reports by a CONTEXT event that the latched method has requested a channel switch. */
static void report_switch(NV3State *s)
{
    const NV3Pgraph *g = &s->pgraph;
    const uint32_t addr = g->trapped_addr;

    nv3_event(s, CONTEXT, .chid = (addr & NV3_PGRAPH_CTX_USER_CHID) >> 24,
              .subch = (addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT,
              .mthd = addr & NV3_FIFO_ADDR_MTHD, .data = g->trapped_data,
              .detail = (g->ctx_user & NV3_PGRAPH_CTX_USER_CHID) >> 24);
}

bool nv3_pgraph_report_and_submit(NV3State *s, uint32_t chid, uint32_t subch,
                                  uint32_t mthd, uint32_t data, uint32_t ctx)
{
    const uint64_t object = UINT64_C(1) << 63 | (uint64_t)(chid << 3 | subch) << 32 | ctx;
    const uint64_t switches = s->counters[NV3_PVIRT_COUNTER_SWITCHES];

    if (s->event_object != object || nv3_event_wanted(s, NV3_EVENT_METHOD)) {
        report_method(s, chid, &(Method) {
            .subch = subch, .mthd = mthd, .data = data, .ctx = ctx
        }, object);
    }
    if (nv3_pgraph_submit(s, chid, subch, mthd, data, ctx)) {
        return true;
    }
    if (s->counters[NV3_PVIRT_COUNTER_SWITCHES] != switches) {
        report_switch(s);
    }
    return false;
}

void nv3_pgraph_fail(NV3State *s, NV3MthdResult result)
{
    Method m = { .was_armed = s->pgraph.notify & NV3_PGRAPH_NOTIFY_ARMED };

    if (result == NV3_MTHD_BAD_METHOD) {
        bad_method(s, &m);
    } else if (result == NV3_MTHD_BAD_DATA) {
        bad_data(s, &m);
    }
}

bool nv3_pgraph_is_plain(NV3State *s, uint32_t chid, uint32_t subch, uint32_t ctx,
                         uint32_t class)
{
    const NV3Pgraph *g = &s->pgraph;
    const uint32_t user = chid << 24 | class << 16 | subch << NV3_FIFO_ADDR_SUBCH_SHIFT;

    return g->ctx_user == user &&
           (ctx & NV3_PGRAPH_CTX_USER_CLASS) == class << 16 &&
           g->ctx_control & NV3_PGRAPH_CTX_CONTROL_CHID_VALID &&
           (ctx & NV3_CTX_INST) == g->grobj_inst &&
           !(g->notify & NV3_PGRAPH_NOTIFY_ARMED) &&
           (g->debug[3] & DATA_FORCED_FAIL) != DATA_FORCED_FAIL &&
           nv3_pgraph_find_class(s, class);
}

bool nv3_pgraph_step(NV3State *s)
{
    if (nv3_pgraph_idle(s)) {
        return false;
    }
    if (nv3_job_run(s) == NV3_JOB_DONE) {
        complete(s);
    }
    return true;
}
