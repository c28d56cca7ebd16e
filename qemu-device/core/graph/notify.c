/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notifiers. Method 0x104 arms a notifier. When the next method has completed, PGRAPH
 * writes an NvNotification by DMA, and raises an interrupt if the index of the
 * notification (NOTIFY.SELECT) is not 0. The rules and errors of arming are from
 * envytools hwtest/pgraph_mthd_misc.cc (MthdNotify). docs/reference/chip/pgraph.md
 * describes the structure, and when PGRAPH writes it.
 */
#include "bus/bus.h"
#include "chip/cost.h"
#include "chip/event.h"
#include "graph/dmaobj.h"
#include "graph/pgraph.h"

NV3MthdResult nv3_pgraph_notify_arm(NV3State *s, uint32_t data,
                                    uint32_t invalid)
{
    NV3Pgraph *g = &s->pgraph;

    if (invalid & NV3_PGRAPH_INVALID_CTXSW_NOTIFY) {
        return NV3_MTHD_OK;
    }
    if (g->notify & NV3_PGRAPH_NOTIFY_ARMED) {
        nv3_pgraph_raise_invalid(s, NV3_PGRAPH_INVALID_DOUBLE_NOTIFY);
    }
    if (data > 0xf && g->debug[3] & NV3_PGRAPH_DEBUG_3_DATA_CHECK) {
        return NV3_MTHD_BAD_DATA;
    }
    if (invalid & NV3_PGRAPH_INVALID_DATA) {
        return NV3_MTHD_OK;
    }
    g->notify &= NV3_PGRAPH_NOTIFY_INST;
    g->notify |= NV3_PGRAPH_NOTIFY_ARMED |
                 (data & 0xf) << NV3_PGRAPH_NOTIFY_SELECT_SHIFT;
    return NV3_MTHD_OK;
}

/*
 * Writes notification @slot with the current time, value 0, and status 0 (done). Returns
 * false and sets @fault if the write fails.
 */
static bool write_notification(NV3State *s, unsigned slot, NV3Fault *fault)
{
    uint8_t buf[NV3_NOTIFICATION_SIZE] = { 0 };
    uint64_t now = nv3_ptimer_now(s);

    nv3_stl(buf + NV3_NOTIFICATION_TIME_LO, now);
    nv3_stl(buf + NV3_NOTIFICATION_TIME_HI, now >> 32);
    return nv3_dmaobj_write(s, s->pgraph.notify & NV3_PGRAPH_NOTIFY_INST,
                            slot * NV3_NOTIFICATION_SIZE, buf, sizeof(buf),
                            fault);
}

void nv3_pgraph_notify_complete(NV3State *s)
{
    NV3Pgraph *g = &s->pgraph;
    unsigned slot = (g->notify & NV3_PGRAPH_NOTIFY_SELECT) >>
                    NV3_PGRAPH_NOTIFY_SELECT_SHIFT;
    const bool running = g->fifo_enable;
    NV3Fault fault;

    nv3_account(s, NV3_COST_DMA);
    nv3_pgraph_flush(s);
    if (running && !g->fifo_enable) {
        /*
         * A fault has stopped the flush, so earlier methods have not completed. Write no
         * notification.
         */
        return;
    }
    if (!nv3_pgraph_idle(s)) {
        /*
         * The flush has created a job. When the job ends, nv3_pgraph_step() completes the
         * method, which writes the notification.
         */
        g->job.byte = 0;
        return;
    }
    g->notify &= ~NV3_PGRAPH_NOTIFY_ARMED;
    g->epoch++;
    if (!write_notification(s, slot, &fault)) {
        nv3_pdma_fault(s, &fault, true);
        return;
    }
    nv3_event(s, NOTIFY, .data = slot, .detail = slot != 0,
              .chid = (g->ctx_user & NV3_PGRAPH_CTX_USER_CHID) >> 24);
    if (slot) {
        nv3_pgraph_raise(s, NV3_PGRAPH_INTR_NOTIFY);
    }
}
