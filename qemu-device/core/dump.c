/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the state of the chip as text, for QEMU's monitor command `info nv3`. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "bus/bus.h"
#include "chip/chip.h"
#include "chip/pfifo_queue.h"
#include "display/display.h"
#include "graph/pgraph.h"

/*
 * Maximum numbers of objects, overflowed methods and contexts that are printed. They
 * limit the output, because the guest determines how many there are.
 */
#define OBJECTS_MAX    256
#define RUNOUTS_MAX    64
#define CONTEXTS_MAX   128

/*
 * The bits of a word in RAMFC that contain the context word. The higher bits contain the
 * subchannel.
 */
#define RAMFC_CTX       0x00ffffff

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
              c->ranout ? ", overflowed to RAMRO" : "");
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

/*
 * Returns true if a RAMHT entry describes an object. rivafb and xf86-video-nv do not set
 * VALID, so the function ignores this bit. Some drivers never clear RAMHT, so the
 * function checks that the entry's position matches the hash of its handle.
 */
static bool is_object(uint32_t entry, uint32_t depth, uint32_t name, uint32_t ctx)
{
    return ctx &&
           NV3_RAMHT_HASH(name, nv3_bits(ctx, NV3_CTX_CHID_SHIFT, 7)) == entry / depth;
}

static void dump_objects(NV3State *s, const NV3Dump *d)
{
    uint32_t ramht = s->pfifo.ramht;
    uint32_t base = ramht & NV3_PFIFO_RAMHT_ADDRESS;
    uint32_t depth = 2u << nv3_bits(ramht, NV3_PFIFO_RAMHT_SIZE_SHIFT, 2);
    uint32_t size = 0x1000u << nv3_bits(ramht, NV3_PFIFO_RAMHT_SIZE_SHIFT, 2);
    unsigned objects = 0;

    for (uint32_t i = 0; i < size; i += NV3_RAMHT_ENTRY_SIZE) {
        uint32_t name = nv3_ramin_rd32(s, base + i);
        uint32_t ctx = nv3_ramin_rd32(s, base + i + 4);

        if (!is_object(i / NV3_RAMHT_ENTRY_SIZE, depth, name, ctx) ||
            objects++ >= OBJECTS_MAX) {
            continue;
        }
        dump_line(d, "object 0x%08x channel %u: %s class 0x%02x at RAMIN "
                  "0x%05x", name, nv3_bits(ctx, NV3_CTX_CHID_SHIFT, 7),
                  ctx & NV3_CTX_HARDWARE ? "hardware" : "software",
                  nv3_bits(ctx, NV3_CTX_CLASS_SHIFT, 6),
                  (ctx & NV3_CTX_INST) << 4);
    }
    dump_line(d, "RAMHT of 0x%04x bytes at 0x%04x: %u objects%s", size, base,
              objects, objects > OBJECTS_MAX ? ", not all shown" : "");
}

/*
 * Prints the context words in RAMFC of all channels except the channel in CACHE1. If a
 * driver uses only one channel, RAMFC may be uninitialized, and the output is then
 * meaningless.
 */
static void dump_channels(NV3State *s, const NV3Dump *d)
{
    uint32_t base = s->pfifo.ramfc & NV3_PFIFO_RAMFC_ADDRESS;
    unsigned contexts = 0;
    char who[32];

    for (uint32_t chid = 0; chid < NV3_USER_CHANNELS; chid++) {
        if (chid == (s->pfifo.cache1.chid & NV3_PFIFO_CACHE1_CHID)) {
            continue;
        }
        snprintf(who, sizeof(who), "channel %u (put away)", chid);
        for (unsigned i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++) {
            uint32_t ctx = nv3_ramin_rd32(s, base + i * 4 +
                                          chid * NV3_RAMFC_ENTRY_SIZE);

            if (ctx & RAMFC_CTX && contexts++ < CONTEXTS_MAX) {
                dump_ctx(d, who, i, ctx & RAMFC_CTX);
            }
        }
    }
    if (contexts > CONTEXTS_MAX) {
        dump_line(d, "RAMFC: %u contexts, not all shown", contexts);
    }
}

static void dump_runout(NV3State *s, const NV3Dump *d)
{
    static const char *const reasons[8] = {
        [NV3_RAMRO_ILLEGAL_ACCESS] = "illegal access",
        [NV3_RAMRO_NO_CACHE] = "no cache for the channel",
        [NV3_RAMRO_CACHE_RAN_OUT] = "follows an overflowed method",
        [NV3_RAMRO_FREE_OVERRUN] = "more than the free count",
        [NV3_RAMRO_RESERVED_ACCESS] = "reserved method",
    };
    const NV3Pfifo *f = &s->pfifo;
    uint32_t size = f->ramro & NV3_PFIFO_RAMRO_SIZE_8K ? 0x2000 : 0x200;
    uint32_t base = f->ramro & NV3_PFIFO_RAMRO_ADDRESS;
    uint32_t get = f->runout_get & (size - 1), put = f->runout_put & (size - 1);

    for (unsigned i = 0; get != put && i < RUNOUTS_MAX; i++) {
        uint32_t word = nv3_ramin_rd32(s, base + get);
        const char *reason = reasons[word >> NV3_RAMRO_REASON_SHIFT & 7];

        dump_line(d, "RAMRO channel %u: subchannel %u method 0x%04x data "
                  "0x%08x, %s", nv3_bits(word, 16, 7),
                  nv3_bits(word, NV3_FIFO_ADDR_SUBCH_SHIFT, 3),
                  word & NV3_FIFO_ADDR_MTHD,
                  nv3_ramin_rd32(s, base + get + 4),
                  reason ? reason : "for no known reason");
        get = (get + NV3_RAMRO_ENTRY_SIZE) & (size - 1);
    }
    dump_line(d, "RAMRO: 0x%04x bytes in use", (put - get) & (size - 1));
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
    dump_line(d, "PGRAPH method taken last: channel %u subchannel %u method "
              "0x%04x data 0x%08x, takes %s", nv3_bits(g->trapped_addr, 24, 7),
              nv3_bits(g->trapped_addr, NV3_FIFO_ADDR_SUBCH_SHIFT, 3),
              g->trapped_addr & NV3_FIFO_ADDR_MTHD, g->trapped_data,
              g->fifo_enable ? "more" : "no more");
    dump_line(d, "PDMA interrupts 0x%08x of 0x%08x, object at RAMIN 0x%05x",
              g->dma.intr, g->dma.intr_en, g->dma.inst << 4);
    for (unsigned i = 0; i < NV3_PGRAPH_SUBCHANNELS; i++) {
        if (g->ctx_cache[i]) {
            dump_line(d, "PGRAPH subchannel %u: options 0x%08x", i,
                      g->ctx_cache[i]);
        }
    }
    for (unsigned i = 0; i < NV3_PGRAPH_SURFACES; i++) {
        dump_line(d, "PGRAPH surface %u: 0x%06x, pitch 0x%04x, format %u%s", i,
                  g->surf_offset[i], g->surf_pitch[i],
                  g->surf_config >> i * 4 & 3,
                  g->surf_config & NV3_PGRAPH_SURF_VALID(i) ? "" :
                                                              " (not valid)");
    }
}

static void dump_screen(NV3State *s, const NV3Dump *d)
{
    static const char *const formats[] = {
        [NV3_SCANOUT_VGA] = "VGA", [NV3_SCANOUT_C8] = "C8",
        [NV3_SCANOUT_X1R5G5B5] = "X1R5G5B5", [NV3_SCANOUT_R5G6B5] = "R5G6B5",
        [NV3_SCANOUT_X8R8G8B8] = "X8R8G8B8",
    };
    NV3Scanout out;

    nv3_scanout(s, &out);
    dump_line(d, "screen: %s %ux%u at 0x%06x pitch 0x%04x, %u.%03u Hz, frame "
              "%u%s%s", formats[out.format], out.width, out.height, out.offset,
              out.pitch, out.refresh_mhz / 1000, out.refresh_mhz % 1000,
              nv3_display_frame(s), out.blank ? ", blank" : "",
              s->pvideo.shown.on ? ", with an overlay" : "");
}

void nv3_dump(NV3State *s, void (*line)(void *ctx, const char *text), void *ctx)
{
    const NV3Dump d = { line, ctx };

    dump_line(&d, "PFIFO interrupts 0x%08x of 0x%08x", s->pfifo.intr,
              s->pfifo.intr_en);
    dump_cache0(s, &d);
    dump_cache1(s, &d);
    dump_pusher(s, &d);
    dump_channels(s, &d);
    dump_runout(s, &d);
    dump_objects(s, &d);
    dump_pgraph(s, &d);
    dump_screen(s, &d);
}
