/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the chip in words, for a monitor's `info nv3`. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "nv3_int.h"

typedef struct NV3Dump {
    void (*line)(void *ctx, const char *text);
    void *ctx;
} NV3Dump;

__attribute__((format(printf, 2, 3)))
static void dump_line(const NV3Dump *d, const char *fmt, ...)
{
    char text[160];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    d->line(d->ctx, text);
}

static const char *dump_pull(uint32_t pull_ctrl)
{
    if (pull_ctrl & NV3_PFIFO_PULL_CTRL_HASH_FAILED) {
        return "stopped: no such object";
    }
    if (pull_ctrl & NV3_PFIFO_PULL_CTRL_SOFTWARE) {
        return "stopped: software object";
    }
    return pull_ctrl & NV3_PFIFO_PULL_CTRL_ACCESS ? "on" : "off";
}

static void dump_ctx(const NV3Dump *d, const char *who, unsigned subch,
                     uint32_t ctx)
{
    dump_line(d, "%s subchannel %u: %s class 0x%02x at RAMIN 0x%05x", who,
              subch, ctx & NV3_CTX_HARDWARE ? "hardware" : "software",
              nv3_bits(ctx, NV3_CTX_CLASS_SHIFT, 6),
              (ctx & NV3_CTX_INST) << 4);
}

static void dump_cache1(NV3State *s, const NV3Dump *d)
{
    const NV3Cache1 *c = &s->pfifo.cache1;
    unsigned used = nv3_cache1_used(s);

    dump_line(d, "CACHE1 channel %u: %u of %u entries, pusher %s, puller %s%s",
              c->chid & NV3_PFIFO_CACHE1_CHID, used, nv3_cache1_size(s) - 1,
              c->push_access ? "on" : "off", dump_pull(c->pull_ctrl),
              c->ranout ? ", ran out" : "");
    for (unsigned i = 0; i < used; i++) {
        const NV3FifoEntry *e =
            &c->entry[nv3_gray((c->get + i) & (nv3_cache1_size(s) - 1))];

        dump_line(d, "CACHE1 entry %u: subchannel %u method 0x%04x data 0x%08x",
                  i, nv3_bits(e->addr, NV3_FIFO_ADDR_SUBCH_SHIFT, 3),
                  e->addr & NV3_FIFO_ADDR_MTHD, e->data);
    }
    for (unsigned i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++) {
        if (c->ctx[i]) {
            dump_ctx(d, "CACHE1", i, c->ctx[i]);
        }
    }
}

static void dump_cache0(NV3State *s, const NV3Dump *d)
{
    const NV3Cache0 *c = &s->pfifo.cache0;

    dump_line(d, "CACHE0 channel %u: %s, pusher %s, puller %s", c->chid,
              c->put == c->get ? "empty" : "full",
              c->push_access ? "on" : "off", dump_pull(c->pull_ctrl));
}

static void dump_pusher(NV3State *s, const NV3Dump *d)
{
    const NV3DmaPusher *p = &s->pfifo.dma;

    dump_line(d, "DMA pusher: %s%s, 0x%06x bytes left from 0x%06x",
              p->ctrl & NV3_PFIFO_DMA_CTRL_ACCESS ? "on" : "off",
              p->state & NV3_PFIFO_DMA_STATE_ERROR ? ", malformed stream" : "",
              p->count, p->get);
}

static void dump_pgraph(NV3State *s, const NV3Dump *d)
{
    const NV3Pgraph *g = &s->pgraph;

    dump_line(d, "PGRAPH channel %u%s: subchannel %u, class 0x%02x, %s",
              nv3_bits(g->ctx_user, 24, 7),
              g->ctx_control & NV3_PGRAPH_CTX_CONTROL_CHID_VALID ? ""
                                                                 : " (none)",
              nv3_bits(g->ctx_user, NV3_FIFO_ADDR_SUBCH_SHIFT, 3),
              nv3_pgraph_class(g), nv3_pgraph_idle(s) ? "idle" : "busy");
    dump_line(d, "PGRAPH interrupts 0x%08x of 0x%08x, invalid 0x%08x", g->intr,
              g->intr_en, g->invalid);
}

void nv3_dump(NV3State *s, void (*line)(void *ctx, const char *text), void *ctx)
{
    const NV3Dump d = { line, ctx };

    dump_line(&d, "PFIFO interrupts 0x%08x of 0x%08x, RAMRO %s",
              s->pfifo.intr, s->pfifo.intr_en,
              s->pfifo.runout_put == s->pfifo.runout_get ? "empty" : "in use");
    dump_cache0(s, &d);
    dump_cache1(s, &d);
    dump_pusher(s, &d);
    dump_pgraph(s, &d);
}
