/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The puller removes methods from the caches. The data of method 0 is a handle. The
 * puller looks up the object in RAMHT and binds it to the subchannel. All other methods
 * address the object that is bound to their subchannel. PGRAPH executes methods of
 * hardware classes. When the puller reaches a method of a software class, it stops with
 * an interrupt. The driver executes the method, advances GET to the next method and
 * enables the puller.
 *
 * Source: envytools, fifo/puller, pseudocode for chips before NV4. PGRAPH, not the
 * puller, detects a change of the subchannel (hwtest/pgraph_mthd.cc, nv03_pgraph_mthd()).
 */
#include "bus/bus.h"
#include "chip/cost.h"
#include "chip/event.h"
#include "fifo/pfifo.h"
#include "graph/pgraph.h"
#include "3d/d3d.h"

#define NV3_CTX_REGISTER        0x00ffffff

/*
 * Looks up the object with handle @name of channel @chid. Real drivers do not set bit 31
 * (VALID) of the context word, so the lookup ignores it (rivatv's notes, table in
 * rivafb's riva_tbl.h). An entry whose context word is 0 is free. Returns false if the
 * object does not exist.
 */
static bool nv3_ramht_lookup(NV3State *s, uint32_t chid, uint32_t name,
                             uint32_t *ctx)
{
    uint32_t ramht = s->pfifo.ramht;
    uint32_t depth = 2u << nv3_bits(ramht, NV3_PFIFO_RAMHT_SIZE_SHIFT, 2);
    uint32_t addr = (ramht & NV3_PFIFO_RAMHT_ADDRESS) +
                    NV3_RAMHT_HASH(name, chid) * depth * NV3_RAMHT_ENTRY_SIZE;

    for (unsigned i = 0; i < depth; i++, addr += NV3_RAMHT_ENTRY_SIZE) {
        uint32_t word;

        if (nv3_ramin_rd32(s, addr) != name) {
            continue;
        }
        word = nv3_ramin_rd32(s, addr + 4);
        if (word && (word & NV3_CTX_CHID) >> NV3_CTX_CHID_SHIFT == chid) {
            *ctx = word & NV3_CTX_REGISTER;
            return true;
        }
    }
    return false;
}

/*
 * Submits a method to PGRAPH. If @report is true, also reports the method's events.
 * Returns false if PGRAPH can't accept the method yet.
 */
static bool nv3_pull_submit(NV3State *s, uint32_t chid, uint32_t subch,
                            uint32_t mthd, uint32_t data, uint32_t ctx, bool report)
{
    if (!nv3_engine_enabled(s, NV3_PMC_ENABLE_PGRAPH)) {
        return false;
    }
    if (!(report ? nv3_pgraph_report_and_submit(s, chid, subch, mthd, data, ctx) :
                   nv3_pgraph_submit(s, chid, subch, mthd, data, ctx))) {
        return false;
    }
    s->pfifo.device_chid = chid;
    return true;
}

/*
 * Stops a puller at a method that the driver must handle. First lets PGRAPH finish all
 * earlier methods, because the driver cannot change the state of a busy PGRAPH, and may
 * show the results. Does nothing while PGRAPH is busy, or if an earlier method has just
 * failed.
 */
static void nv3_pull_trap(NV3State *s, uint32_t *pull_ctrl, uint32_t why,
                          uint32_t cache_error)
{
    const bool first = cache_error == NV3_PFIFO_CACHE_ERROR_0;
    const NV3Cache1 *c = &s->pfifo.cache1;
    const NV3FifoEntry *e = first ? &s->pfifo.cache0.entry : &c->entry[nv3_gray(c->get)];
    const uint32_t enabled = s->pgraph.fifo_enable;

    if (nv3_pgraph_idle(s)) {
        nv3_pgraph_flush(s);
    }
    if (!nv3_pgraph_idle(s) || s->pgraph.fifo_enable != enabled) {
        return;
    }
    nv3_event(s, STOP,
              .chid = first ? s->pfifo.cache0.chid : c->chid & NV3_PFIFO_CACHE1_CHID,
              .subch = nv3_bits(e->addr, NV3_FIFO_ADDR_SUBCH_SHIFT, 3),
              .mthd = e->addr & NV3_FIFO_ADDR_MTHD, .data = e->data, .detail = why);
    *pull_ctrl = why;
    s->pfifo.cache_error |= cache_error;
    nv3_pfifo_raise(s, NV3_PFIFO_INTR_CACHE_ERROR);
}

/*
 * Executes method 0 in CACHE1. Returns true if the method has been executed, and false if
 * it must stay in the cache. Inlining would slow down the more frequent methods, so the
 * function is not inline (core.methods).
 */
static __attribute__((noinline))
bool nv3_cache1_bind(NV3State *s, uint32_t subch, uint32_t name, bool report)
{
    NV3Cache1 *c = &s->pfifo.cache1;
    uint32_t chid = c->chid & NV3_PFIFO_CACHE1_CHID;
    uint32_t ctx;

    /* NV3_COST_DRAW includes the cost of PGRAPH's switch to the object. */
    nv3_account(s, NV3_COST_DRAW);
    if (!nv3_ramht_lookup(s, chid, name, &ctx)) {
        nv3_pull_trap(s, &c->pull_ctrl, NV3_PFIFO_PULL_CTRL_HASH_FAILED,
                      NV3_PFIFO_CACHE_ERROR_1);
        return false;
    }
    if ((ctx & NV3_CTX_HARDWARE) &&
        !nv3_pull_submit(s, chid, subch, NV3_MTHD_OBJECT, ctx, ctx, report)) {
        return false;
    }
    /*
     * Bind software objects too, so that their methods do not reach the object that was
     * bound before.
     */
    c->ctx[subch] = ctx;
    c->pull_state |= NV3_PFIFO_PULL_STATE_DIRTY;
    if (!(ctx & NV3_CTX_HARDWARE)) {
        nv3_pull_trap(s, &c->pull_ctrl, NV3_PFIFO_PULL_CTRL_SOFTWARE,
                      NV3_PFIFO_CACHE_ERROR_1);
        return false;
    }
    c->last_subch = subch;
    return true;
}

/*
 * Submits a method of CACHE1 to PGRAPH, or stops the puller if software implements the
 * object's class. nv3_cache1_bind() handles method 0. Returns false if the method must
 * stay in the cache.
 */
static bool nv3_cache1_method(NV3State *s, uint32_t subch, uint32_t mthd,
                              uint32_t data, bool report)
{
    NV3Cache1 *c = &s->pfifo.cache1;

    if (!(c->ctx[subch] & NV3_CTX_HARDWARE)) {
        nv3_pull_trap(s, &c->pull_ctrl, NV3_PFIFO_PULL_CTRL_SOFTWARE,
                      NV3_PFIFO_CACHE_ERROR_1);
        return false;
    }
    if (!nv3_pull_submit(s, c->chid & NV3_PFIFO_CACHE1_CHID, subch, mthd, data,
                         c->ctx[subch], report)) {
        return false;
    }
    c->last_subch = subch;
    return true;
}

static bool nv3_cache1_pull(NV3State *s, bool report)
{
    NV3Cache1 *c = &s->pfifo.cache1;
    const NV3FifoEntry *e = &c->entry[nv3_gray(c->get)];
    uint32_t subch = (e->addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT;
    uint32_t mthd = e->addr & NV3_FIFO_ADDR_MTHD;
    bool done = mthd == NV3_MTHD_OBJECT ?
                nv3_cache1_bind(s, subch, e->data, report) :
                nv3_cache1_method(s, subch, mthd, e->data, report);

    if (done) {
        c->get = (c->get + 1) & (nv3_cache1_size(s) - 1);
    }
    return done;
}

/*
 * Passes eight entries to PGRAPH at once if they form a vertex of class 0x17. Most
 * methods of 3D programs belong to vertices. Returns false if the entries must be pulled
 * one by one.
 */
static inline __attribute__((always_inline)) bool nv3_cache1_pull_vertex(NV3State *s)
{
    NV3Cache1 *c = &s->pfifo.cache1;
    const unsigned last = nv3_cache1_size(s) - 1;
    const uint32_t addr = c->entry[nv3_gray(c->get)].addr;
    const uint32_t mthd = addr & NV3_FIFO_ADDR_MTHD;
    const uint32_t subch = (addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT;
    const uint32_t chid = c->chid & NV3_PFIFO_CACHE1_CHID;
    uint32_t data[NV3_D3D_VERTEX_WORDS];

    if (mthd < NV3_D3D_FOG_TRI(0) || mthd % NV3_D3D_VERTEX_STRIDE ||
        nv3_cache1_used(s) < NV3_D3D_VERTEX_WORDS ||
        !(c->ctx[subch] & NV3_CTX_HARDWARE) ||
        !nv3_engine_enabled(s, NV3_PMC_ENABLE_PGRAPH)) {
        return false;
    }
    for (unsigned i = 0; i < NV3_D3D_VERTEX_WORDS; i++) {
        const NV3FifoEntry *e = &c->entry[nv3_gray((c->get + i) & last)];

        if (e->addr != addr + i * 4) {
            return false;
        }
        data[i] = e->data;
    }
    if (!nv3_d3d_submit_vertex(s, chid, subch, mthd, data, c->ctx[subch])) {
        return false;
    }
    s->pfifo.device_chid = chid;
    c->last_subch = subch;
    c->get = (c->get + NV3_D3D_VERTEX_WORDS) & last;
    return true;
}

/*
 * Binds the object of method 0 in CACHE0: stores its context word in CACHE0_CTX. Returns
 * false if RAMHT lacks the object.
 */
static bool nv3_cache0_bind(NV3State *s)
{
    NV3Cache0 *c = &s->pfifo.cache0;
    uint32_t ctx;

    if (!nv3_ramht_lookup(s, c->chid, c->entry.data, &ctx)) {
        nv3_pull_trap(s, &c->pull_ctrl, NV3_PFIFO_PULL_CTRL_HASH_FAILED,
                      NV3_PFIFO_CACHE_ERROR_0);
        return false;
    }
    c->ctx = ctx;
    return true;
}

/*
 * Executes CACHE0's method for the object in CACHE0_CTX. Returns true if the method has
 * been executed, and false if it must stay in the cache.
 */
static bool nv3_cache0_pull(NV3State *s)
{
    NV3Cache0 *c = &s->pfifo.cache0;
    uint32_t subch = (c->entry.addr & NV3_FIFO_ADDR_SUBCH) >>
                     NV3_FIFO_ADDR_SUBCH_SHIFT;
    uint32_t mthd = c->entry.addr & NV3_FIFO_ADDR_MTHD;
    uint32_t data;

    if (mthd == NV3_MTHD_OBJECT && !nv3_cache0_bind(s)) {
        return false;
    }
    if (!(c->ctx & NV3_CTX_HARDWARE)) {
        nv3_pull_trap(s, &c->pull_ctrl, NV3_PFIFO_PULL_CTRL_SOFTWARE,
                      NV3_PFIFO_CACHE_ERROR_0);
        return false;
    }
    data = mthd == NV3_MTHD_OBJECT ? c->ctx : c->entry.data;
    if (!nv3_pull_submit(s, c->chid, subch, mthd, data, c->ctx,
                         nv3_event_method_wanted(s))) {
        return false;
    }
    c->get = c->put;
    return true;
}

/*
 * Executes at most @budget methods of CACHE1 and returns their number. Inlined into each
 * caller, so that @report is a constant and is not tested for each method (core.methods
 * of vm/checks/suites/trace-cost.sh).
 */
static inline __attribute__((always_inline))
unsigned nv3_cache1_run(NV3State *s, unsigned budget, bool report)
{
    NV3Cache1 *c = &s->pfifo.cache1;
    unsigned done = 0;

    while (done < budget && nv3_cache1_used(s) && !nv3_slice_over(s) &&
           (c->pull_ctrl & NV3_PFIFO_PULL_CTRL_ACCESS)) {
        const bool vertices = !report || (!nv3_event_wanted(s, NV3_EVENT_METHOD) &&
                                          !nv3_event_object_due(s));

        if (vertices && budget - done >= NV3_D3D_VERTEX_WORDS &&
            nv3_cache1_pull_vertex(s)) {
            done += NV3_D3D_VERTEX_WORDS;
        } else if (nv3_cache1_pull(s, report)) {
            done++;
        } else {
            break;
        }
    }
    return done;
}

unsigned nv3_puller_run(NV3State *s, unsigned budget)
{
    NV3Cache0 *c = &s->pfifo.cache0;
    unsigned done = 0;

    if (!nv3_engine_enabled(s, NV3_PMC_ENABLE_PFIFO)) {
        return 0;
    }
    /* The driver uses CACHE0 while CACHE1 is stopped, so CACHE0 has priority. */
    if ((c->pull_ctrl & NV3_PFIFO_PULL_CTRL_ACCESS) && c->put != c->get && budget) {
        if (!nv3_cache0_pull(s)) {
            return 0;
        }
        done++;
    }
    return done + (nv3_event_method_wanted(s) ?
                   nv3_cache1_run(s, budget - done, true) :
                   nv3_cache1_run(s, budget - done, false));
}
