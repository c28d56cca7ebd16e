/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DMA pusher: reads COUNT bytes of headers and data, starting at address GET, and
 * pushes the methods that they contain into CACHE1. A page table in RAMIN translates GET.
 * The pusher stops when COUNT reaches 0, when a header is invalid, or when a page is not
 * present. After a stop, the driver must restart the pusher.
 *
 * Sources: envytools, rnndb and fifo/nv1-pfifo; 86Box's notes. The headers have the same
 * format as on NV4 (envytools, fifo/dma-pusher). docs/reference/chip/pfifo.md describes
 * the registers.
 */
#include "bus/bus.h"
#include "chip/event.h"
#include "chip/state_table.h"
#include "fifo/pfifo.h"

#define NV3_PUSH_OFFSET         (NV3_PUSH_PAGE - 1)

bool nv3_dma_pusher_active(const NV3State *s)
{
    return s->pfifo.dma.ctrl & NV3_PFIFO_DMA_CTRL_ACCESS;
}

void nv3_dma_pusher_flush(NV3State *s)
{
    s->pfifo.dma.fetched = 0;
    s->pfifo.dma.used = 0;
}

void nv3_dma_pusher_start(NV3State *s)
{
    NV3DmaPusher *d = &s->pfifo.dma;

    nv3_event(s, BATCH, .chid = s->pfifo.cache1.chid & NV3_PFIFO_CACHE1_CHID,
              .data = d->count, .detail = d->get);
    d->state &= ~NV3_PFIFO_DMA_STATE_ERROR;
    d->ctrl = NV3_PFIFO_DMA_CTRL_ACCESS;
}

static void nv3_dma_pusher_stop(NV3State *s)
{
    s->pfifo.dma.ctrl = 0;
    nv3_dma_pusher_flush(s);
}

static void nv3_dma_pusher_fail(NV3State *s, uint32_t intr, const char *why)
{
    nv3_log(s, GUEST_ERROR, "DMA pusher at 0x%06x: %s", s->pfifo.dma.get, why);
    nv3_dma_pusher_stop(s);
    nv3_pfifo_raise(s, intr);
}

/*
 * Translates GET to a bus address. Returns false if the page is not present. The
 * registers TLB_TAG and TLB_PTE cache the page table entry that was used last.
 */
static bool nv3_dma_translate(NV3State *s, uint32_t *addr)
{
    NV3DmaPusher *d = &s->pfifo.dma;
    uint32_t tag = d->get & ~NV3_PUSH_OFFSET;

    if (d->tlb_tag != tag || !(d->tlb_pte & NV3_DMAOBJ_PTE_PRESENT)) {
        uint32_t index = d->get / NV3_PUSH_PAGE;

        d->tlb_tag = tag;
        d->tlb_pte = nv3_ramin_rd32(s, d->pt_inst + index * 4) &
                     NV3_PFIFO_CACHE1_DMA_TLB_PTE_MASK;
    }
    *addr = (d->tlb_pte & NV3_DMAOBJ_PTE_FRAME) | (d->get & NV3_PUSH_OFFSET);
    return d->tlb_pte & NV3_DMAOBJ_PTE_PRESENT;
}

/*
 * Fetches the words from GET to the end of its page, but at most COUNT bytes. If an
 * access fails, stops the pusher and returns false.
 */
static bool nv3_dma_fetch(NV3State *s)
{
    NV3DmaPusher *d = &s->pfifo.dma;
    uint32_t len = NV3_PUSH_PAGE - (d->get & NV3_PUSH_OFFSET);
    uint32_t addr;

    if (len > d->count) {
        len = d->count;
    }
    if (d->target != NV3_PFIFO_DMA_TARGET_PCI &&
        d->target != NV3_PFIFO_DMA_TARGET_AGP) {
        nv3_dma_pusher_fail(s, NV3_PFIFO_INTR_DMA_PTE, "no such target");
        return false;
    }
    if (!nv3_dma_translate(s, &addr)) {
        nv3_dma_pusher_fail(s, NV3_PFIFO_INTR_DMA_PTE, "page not present");
        return false;
    }
    if (!nv3_dma_read(s, addr, d->buf, len)) {
        nv3_dma_pusher_fail(s, NV3_PFIFO_INTR_DMA_PTE, "the bus refuses");
        return false;
    }
    d->fetched = len / 4;
    d->used = 0;
    return true;
}

static void nv3_dma_advance(NV3DmaPusher *d)
{
    d->used++;
    d->count -= 4;
    d->get = (d->get + 4) & NV3_PFIFO_CACHE1_DMA_MASK;
}

/*
 * Processes a header. A header has the same format as the register DMA_STATE. If @word is
 * not a valid header, stops the pusher and returns false.
 */
static bool nv3_dma_header(NV3State *s, uint32_t word)
{
    NV3DmaPusher *d = &s->pfifo.dma;

    if (word & NV3_PUSH_HDR_RESERVED) {
        d->state |= NV3_PFIFO_DMA_STATE_ERROR;
        nv3_dma_pusher_fail(s, NV3_PFIFO_INTR_DMA_PUSHER, "not a header");
        return false;
    }
    d->state = word;
    return true;
}

static void nv3_dma_method(NV3State *s, uint32_t word)
{
    uint32_t state = s->pfifo.dma.state;
    uint32_t mthd = state & NV3_PFIFO_DMA_STATE_MTHD;

    nv3_cache1_push(s, state & NV3_FIFO_ADDR_MASK, word);
    state -= 1u << NV3_PUSH_COUNT_SHIFT;
    s->pfifo.dma.state = (state & ~NV3_PFIFO_DMA_STATE_MTHD) |
                         ((mthd + 4) & NV3_PFIFO_DMA_STATE_MTHD);
}

static bool nv3_dma_word(NV3State *s)
{
    NV3DmaPusher *d = &s->pfifo.dma;
    bool in_run = d->state & NV3_PFIFO_DMA_STATE_COUNT;
    uint32_t word;

    if (in_run && !nv3_cache1_free(s)) {
        return false;
    }
    if (d->used == d->fetched && !nv3_dma_fetch(s)) {
        return false;
    }
    word = nv3_ldl(&d->buf[d->used]);
    if (in_run) {
        nv3_dma_method(s, word);
    } else if (!nv3_dma_header(s, word)) {
        return false;
    }
    nv3_dma_advance(d);
    return true;
}

unsigned nv3_dma_pusher_run(NV3State *s, unsigned budget)
{
    NV3DmaPusher *d = &s->pfifo.dma;
    unsigned words = 0;

    if (!nv3_dma_pusher_active(s) || !s->pfifo.cache1.push_access) {
        return 0;
    }
    while (words < budget && d->count && nv3_dma_word(s)) {
        words++;
    }
    if (!d->count) {
        nv3_event(s, BATCH_END, .chid = s->pfifo.cache1.chid & NV3_PFIFO_CACHE1_CHID);
        nv3_dma_pusher_stop(s);
    }
    return words;
}

/* ---- saved state --------------------------------------------------------- */

/*
 * Software may have changed the memory after the fetch, so the saved state includes the
 * fetched words (@buf).
 */
static const NV3StateField prefetch_fields[] = {
    NV3_SAVE_MAX(pfifo.dma.fetched, NV3_PUSH_PAGE / 4),
    NV3_SAVE_MAX(pfifo.dma.used, NV3_PUSH_PAGE / 4),
    NV3_SAVE_BYTES(pfifo.dma.buf),
};

/*
 * This block is optional. If a migration stream lacks it, the pusher fetches the words at
 * GET again.
 */
static bool prefetch_needed(void *opaque)
{
    const NV3Image *image = opaque;
    const NV3DmaPusher *d = &image->chip.pfifo.dma;

    return image->chip.config.save_prefetch && d->used < d->fetched;
}

static const char *prefetch_check(NV3State *s)
{
    return s->pfifo.dma.used > s->pfifo.dma.fetched ?
           "more words have been used than fetched" : NULL;
}

const NV3StateBlock nv3_prefetch_state =
    NV3_STATE_BLOCK("prefetch", prefetch_fields, .needed = prefetch_needed,
                    .check = prefetch_check);
