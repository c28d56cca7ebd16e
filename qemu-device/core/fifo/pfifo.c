/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PFIFO's registers and caches. Sources: envytools, rnndb/fifo/nv1_pfifo.xml (offsets)
 * and hwtest/pfifo.cc (bits that exist on revision C).
 */
#include "bus/bus.h"
#include "chip/cost.h"
#include "chip/event.h"
#include "chip/state_table.h"
#include "fifo/pfifo.h"
#include "graph/pgraph.h"

#define NV3_PFIFO_WAIT_RETRY_MASK       0x000000ff
#define NV3_PFIFO_RAMHT_MASK    (NV3_PFIFO_RAMHT_ADDRESS | NV3_PFIFO_RAMHT_SIZE)
#define NV3_PFIFO_RAMRO_MASK \
    (NV3_PFIFO_RAMRO_ADDRESS | NV3_PFIFO_RAMRO_SIZE_8K)
#define NV3_PFIFO_RUNOUT_PUT_MASK       0x00001ff8
#define NV3_PFIFO_RUNOUT_GET_MASK       0x00003ff8
#define NV3_PFIFO_CTX_MASK              0x00ffffff
#define NV3_PFIFO_PULL_CTRL_MASK \
    (NV3_PFIFO_PULL_CTRL_ACCESS | NV3_PFIFO_PULL_CTRL_HASH_FAILED | \
     NV3_PFIFO_PULL_CTRL_SOFTWARE)
#define NV3_PFIFO_CACHE0_POINTER        0x00000004
/* On revision C, PUT and GET have one bit more than an index of 64 entries needs. */
#define NV3_PFIFO_CACHE1_POINTER_SPARE  0x00000100

/*
 * Values of the registers RAMFC and RAMRO while PFIFO is disabled (envytools,
 * fifo/nv1-pfifo).
 */
#define NV3_PFIFO_RAMFC_RESET           0x00001c00
#define NV3_PFIFO_RAMRO_RESET           0x00001e00

uint32_t nv3_ungray(uint32_t code)
{
    code ^= code >> 1;
    code ^= code >> 2;
    code ^= code >> 4;
    return code;
}

void nv3_cache1_push(NV3State *s, uint32_t addr, uint32_t data)
{
    NV3Cache1 *c = &s->pfifo.cache1;

    c->entry[nv3_gray(c->put)] = (NV3FifoEntry) { addr, data };
    c->put = (c->put + 1) & (nv3_cache1_size(s) - 1);
}

/*
 * Wakes the engine if PFIFO has work. Most register writes only prepare a batch and leave
 * PFIFO without work.
 */
void nv3_pfifo_wake(NV3State *s)
{
    if (nv3_pfifo_has_methods(s) ||
        (nv3_dma_pusher_active(s) && s->pfifo.cache1.push_access)) {
        nv3_kick(s);
    }
}

void nv3_pfifo_raise(NV3State *s, uint32_t intr)
{
    nv3_event(s, INTERRUPT, .data = intr, .detail = NV3_PMC_INTR_PFIFO);
    s->pfifo.intr |= intr;
    nv3_update_irq(s);
}

bool nv3_pfifo_irq(NV3State *s)
{
    return s->pfifo.intr & s->pfifo.intr_en;
}

/*
 * Sets the registers to the values that they have while PFIFO is disabled (envytools,
 * fifo/nv1-pfifo).
 */
void nv3_pfifo_disable(NV3State *s)
{
    NV3Pfifo *f = &s->pfifo;

    f->wait_retry = 0;
    f->intr_en = 0;
    f->ramht = 0;
    f->ramfc = NV3_PFIFO_RAMFC_RESET;
    f->ramro = NV3_PFIFO_RAMRO_RESET;
    f->caches = 0;
    f->cache0.push_access = 0;
    f->cache0.pull_ctrl &= ~NV3_PFIFO_PULL_CTRL_ACCESS;
    f->cache1.push_access = 0;
    f->cache1.pull_ctrl &= ~NV3_PFIFO_PULL_CTRL_ACCESS;
    f->cache1.pull_state = 0;
    f->dma.ctrl = 0;
    nv3_dma_pusher_flush(s);
    nv3_update_irq(s);
}

static bool nv3_pfifo_forced(uint32_t addr)
{
    switch (addr) {
    case NV3_PFIFO_WAIT_RETRY:
    case NV3_PFIFO_INTR_EN:
    case NV3_PFIFO_RAMHT:
    case NV3_PFIFO_RAMFC:
    case NV3_PFIFO_RAMRO:
    case NV3_PFIFO_CACHES:
    case NV3_PFIFO_CACHE0_PUSH_ACCESS:
    case NV3_PFIFO_CACHE0_PULL_CTRL:
    case NV3_PFIFO_CACHE1_PUSH_ACCESS:
    case NV3_PFIFO_CACHE1_PULL_CTRL:
    case NV3_PFIFO_CACHE1_PULL_STATE:
    case NV3_PFIFO_CACHE1_DMA_CTRL:
        return true;
    default:
        return false;
    }
}

static uint32_t nv3_runout_status(NV3State *s)
{
    uint32_t size = s->pfifo.ramro & NV3_PFIFO_RAMRO_SIZE_8K ? 0x2000 : 0x200;
    uint32_t next = (s->pfifo.runout_put + NV3_RAMRO_ENTRY_SIZE) & (size - 1);
    uint32_t status = s->pfifo.runout_put == s->pfifo.runout_get ?
                      NV3_PFIFO_RUNOUT_EMPTY : NV3_PFIFO_RUNOUT_RANOUT;

    return next == s->pfifo.runout_get ? status | NV3_PFIFO_RUNOUT_FULL
                                       : status;
}

static uint32_t nv3_cache0_status(const NV3State *s)
{
    const NV3Cache0 *c = &s->pfifo.cache0;

    return c->put == c->get ? NV3_PFIFO_CACHE_EMPTY : NV3_PFIFO_CACHE_FULL;
}

static uint32_t nv3_cache1_status(const NV3State *s)
{
    uint32_t status = s->pfifo.cache1.ranout ? NV3_PFIFO_CACHE_RANOUT : 0;

    if (!nv3_cache1_used(s)) {
        status |= NV3_PFIFO_CACHE_EMPTY;
    }
    if (!nv3_cache1_free(s)) {
        status |= NV3_PFIFO_CACHE_FULL;
    }
    return status;
}

/* If RAMRO is empty, lets CACHE1 accept methods again. */
static void nv3_runout_moved(NV3State *s)
{
    if (s->pfifo.runout_get == s->pfifo.runout_put) {
        s->pfifo.cache1.ranout = false;
    }
}

static uint32_t nv3_cache1_pointer(NV3State *s, uint32_t val, uint32_t *spare)
{
    *spare = s->config.revision == NV3_REVISION_C ?
             val & NV3_PFIFO_CACHE1_POINTER_SPARE : 0;
    return nv3_ungray(val >> 2 & (nv3_cache1_size(s) - 1));
}

/*
 * Returns the value of PULL_CTRL after a write of @val. @old: the value before the write.
 * Enabling a puller clears its stop reason.
 */
static uint32_t nv3_pull_ctrl(uint32_t old, uint32_t val)
{
    if (val & NV3_PFIFO_PULL_CTRL_ACCESS) {
        return NV3_PFIFO_PULL_CTRL_ACCESS;
    }
    return old & ~NV3_PFIFO_PULL_CTRL_ACCESS;
}

/*
 * If @addr is a CACHE1_CTX register or a word of an entry of CACHE1, returns a pointer to
 * its value and sets *@mask to its existing bits. Returns null for other addresses.
 */
static uint32_t *nv3_cache1_word(NV3State *s, uint32_t addr, uint32_t *mask)
{
    NV3Cache1 *c = &s->pfifo.cache1;
    uint32_t entries = s->config.revision == NV3_REVISION_C ?
                       NV3_PFIFO_CACHE1_ADDR_C(0) : NV3_PFIFO_CACHE1_ADDR_AB(0);
    uint32_t index = (addr - entries) / 8;

    if (addr >= NV3_PFIFO_CACHE1_CTX(0) &&
        addr < NV3_PFIFO_CACHE1_CTX(NV3_PFIFO_CACHE1_CTX_COUNT) &&
        !(addr & 0xf)) {
        *mask = NV3_PFIFO_CTX_MASK;
        return &c->ctx[(addr - NV3_PFIFO_CACHE1_CTX(0)) / 16];
    }
    if (addr < entries || index >= nv3_cache1_size(s)) {
        return NULL;
    }
    if (addr & 4) {
        *mask = UINT32_MAX;
        return &c->entry[index].data;
    }
    *mask = NV3_FIFO_ADDR_MASK;
    return &c->entry[index].addr;
}

static uint32_t nv3_cache0_read(NV3State *s, uint32_t addr)
{
    const NV3Cache0 *c = &s->pfifo.cache0;

    switch (addr) {
    case NV3_PFIFO_CACHE0_PUSH_ACCESS:
        return c->push_access;
    case NV3_PFIFO_CACHE0_PUSH_CHID:
        return c->chid;
    case NV3_PFIFO_CACHE0_PUT:
        return c->put;
    case NV3_PFIFO_CACHE0_STATUS:
        return nv3_cache0_status(s);
    case NV3_PFIFO_CACHE0_PULL_CTRL:
        return c->pull_ctrl;
    case NV3_PFIFO_CACHE0_GET:
        return c->get;
    case NV3_PFIFO_CACHE0_CTX:
        return c->ctx;
    case NV3_PFIFO_CACHE0_ADDR:
        return c->entry.addr;
    case NV3_PFIFO_CACHE0_DATA:
        return c->entry.data;
    default:
        return nv3_unimp_read(s, "PFIFO", addr);
    }
}

static void nv3_cache0_write(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Cache0 *c = &s->pfifo.cache0;

    switch (addr) {
    case NV3_PFIFO_CACHE0_PUSH_ACCESS:
        c->push_access = val & 1;
        break;
    case NV3_PFIFO_CACHE0_PUSH_CHID:
        c->chid = val & NV3_PFIFO_CACHE1_CHID;
        break;
    case NV3_PFIFO_CACHE0_PUT:
        c->put = val & NV3_PFIFO_CACHE0_POINTER;
        break;
    case NV3_PFIFO_CACHE0_PULL_CTRL:
        c->pull_ctrl = nv3_pull_ctrl(c->pull_ctrl, val);
        break;
    case NV3_PFIFO_CACHE0_GET:
        c->get = val & NV3_PFIFO_CACHE0_POINTER;
        break;
    case NV3_PFIFO_CACHE0_CTX:
        c->ctx = val & NV3_PFIFO_CTX_MASK;
        break;
    case NV3_PFIFO_CACHE0_ADDR:
        c->entry.addr = val & NV3_FIFO_ADDR_MASK;
        break;
    case NV3_PFIFO_CACHE0_DATA:
        c->entry.data = val;
        break;
    default:
        nv3_unimp_write(s, "PFIFO", addr, val);
        break;
    }
}

static uint32_t nv3_cache1_read(NV3State *s, uint32_t addr)
{
    const NV3Cache1 *c = &s->pfifo.cache1;
    uint32_t mask, *word;

    switch (addr) {
    case NV3_PFIFO_CACHE1_PUSH_ACCESS:
        return c->push_access;
    case NV3_PFIFO_CACHE1_PUSH_CHID:
        return c->chid;
    case NV3_PFIFO_CACHE1_PUT:
        return nv3_gray(c->put) << 2 | c->put_spare;
    case NV3_PFIFO_CACHE1_STATUS:
        return nv3_cache1_status(s);
    case NV3_PFIFO_CACHE1_PULL_CTRL:
        return c->pull_ctrl;
    case NV3_PFIFO_CACHE1_PULL_STATE:
        return c->pull_state;
    case NV3_PFIFO_CACHE1_GET:
        return nv3_gray(c->get) << 2 | c->get_spare;
    default:
        word = nv3_cache1_word(s, addr, &mask);
        return word ? *word : nv3_unimp_read(s, "PFIFO", addr);
    }
}

static void nv3_cache1_write_word(NV3State *s, uint32_t addr, uint32_t val)
{
    uint32_t mask, *word = nv3_cache1_word(s, addr, &mask);

    if (!word) {
        nv3_unimp_write(s, "PFIFO", addr, val);
        return;
    }
    *word = val & mask;
}

static void nv3_cache1_write(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Cache1 *c = &s->pfifo.cache1;

    switch (addr) {
    case NV3_PFIFO_CACHE1_PUSH_ACCESS:
        c->push_access = val & 1;
        break;
    case NV3_PFIFO_CACHE1_PUSH_CHID:
        nv3_event(s, CHANNEL, .chid = val & NV3_PFIFO_CACHE1_CHID,
                  .data = c->chid & NV3_PFIFO_CACHE1_CHID);
        c->chid = val & (NV3_PFIFO_CACHE1_CHID | NV3_PFIFO_CACHE1_CHID_DMA);
        break;
    case NV3_PFIFO_CACHE1_PUT:
        c->put = nv3_cache1_pointer(s, val, &c->put_spare);
        break;
    case NV3_PFIFO_CACHE1_PULL_CTRL:
        c->pull_ctrl = nv3_pull_ctrl(c->pull_ctrl, val);
        break;
    case NV3_PFIFO_CACHE1_PULL_STATE:
        c->pull_state = val & NV3_PFIFO_PULL_STATE_DIRTY;
        break;
    case NV3_PFIFO_CACHE1_GET:
        c->get = nv3_cache1_pointer(s, val, &c->get_spare);
        break;
    default:
        nv3_cache1_write_word(s, addr, val);
        break;
    }
}

static uint32_t nv3_dma_read_reg(NV3State *s, uint32_t addr)
{
    const NV3DmaPusher *d = &s->pfifo.dma;

    switch (addr) {
    case NV3_PFIFO_CACHE1_DMA_STATE:
        return d->state;
    case NV3_PFIFO_CACHE1_DMA_CTRL:
        /*
         * BUSY is 1 if the pusher is enabled, COUNT is not 0, and CACHE1 accepts methods
         * (hwtest, scan).
         */
        return d->ctrl && d->count && s->pfifo.cache1.push_access ?
               d->ctrl | NV3_PFIFO_DMA_CTRL_BUSY : d->ctrl;
    case NV3_PFIFO_CACHE1_DMA_COUNT:
        return d->count;
    case NV3_PFIFO_CACHE1_DMA_GET:
        return d->get;
    case NV3_PFIFO_CACHE1_DMA_TARGET:
        return d->target;
    case NV3_PFIFO_CACHE1_DMA_TLB_TAG:
        return d->tlb_tag;
    case NV3_PFIFO_CACHE1_DMA_TLB_PTE:
        return d->tlb_pte;
    case NV3_PFIFO_CACHE1_DMA_PT_INST:
        return d->pt_inst;
    default:
        return nv3_unimp_read(s, "PFIFO", addr);
    }
}

static void nv3_dma_write_reg(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3DmaPusher *d = &s->pfifo.dma;

    nv3_dma_pusher_flush(s);
    switch (addr) {
    case NV3_PFIFO_CACHE1_DMA_STATE:
        d->state = val & NV3_PFIFO_DMA_STATE_MASK;
        break;
    case NV3_PFIFO_CACHE1_DMA_CTRL:
        if (val & NV3_PFIFO_DMA_CTRL_ACCESS) {
            nv3_dma_pusher_start(s);
        } else {
            d->ctrl = 0;
        }
        break;
    case NV3_PFIFO_CACHE1_DMA_COUNT:
        d->count = val & NV3_PFIFO_CACHE1_DMA_MASK;
        break;
    case NV3_PFIFO_CACHE1_DMA_GET:
        d->get = val & NV3_PFIFO_CACHE1_DMA_MASK;
        break;
    case NV3_PFIFO_CACHE1_DMA_TARGET:
        d->target = val & 3;
        break;
    case NV3_PFIFO_CACHE1_DMA_TLB_TAG:
        d->tlb_tag = val;
        break;
    case NV3_PFIFO_CACHE1_DMA_TLB_PTE:
        d->tlb_pte = val & NV3_PFIFO_CACHE1_DMA_TLB_PTE_MASK;
        break;
    case NV3_PFIFO_CACHE1_DMA_PT_INST:
        d->pt_inst = val & NV3_PFIFO_CACHE1_DMA_PT_MASK;
        break;
    default:
        nv3_unimp_write(s, "PFIFO", addr, val);
        break;
    }
}

static uint32_t nv3_pfifo_read_global(NV3State *s, uint32_t addr)
{
    const NV3Pfifo *f = &s->pfifo;

    switch (addr) {
    case NV3_PFIFO_WAIT_RETRY:
        return f->wait_retry;
    case NV3_PFIFO_CACHE_ERROR:
        return f->cache_error;
    case NV3_PFIFO_INTR:
        return f->intr;
    case NV3_PFIFO_INTR_EN:
        return f->intr_en;
    case NV3_PFIFO_CONFIG:
        return f->config;
    case NV3_PFIFO_RAMHT:
        return f->ramht;
    case NV3_PFIFO_RAMFC:
        return f->ramfc;
    case NV3_PFIFO_RAMRO:
        return f->ramro;
    case NV3_PFIFO_RUNOUT_STATUS:
        return nv3_runout_status(s);
    case NV3_PFIFO_RUNOUT_PUT:
        return f->runout_put;
    case NV3_PFIFO_RUNOUT_GET:
        return f->runout_get;
    case NV3_PFIFO_CACHES:
        return f->caches;
    case NV3_PFIFO_DEVICE:
        return f->device_chid |
               (nv3_pgraph_idle(s) && !s->pgraph.deferred ? NV3_PFIFO_DEVICE_SWITCH : 0);
    default:
        return nv3_unimp_read(s, "PFIFO", addr);
    }
}

static void nv3_pfifo_write_intr(NV3State *s, uint32_t val)
{
    s->pfifo.intr &= ~val;
    if (!(s->pfifo.intr & NV3_PFIFO_INTR_CACHE_ERROR)) {
        s->pfifo.cache_error = 0;
    }
    nv3_update_irq(s);
}

static void nv3_pfifo_write_global(NV3State *s, uint32_t addr, uint32_t val)
{
    NV3Pfifo *f = &s->pfifo;

    switch (addr) {
    case NV3_PFIFO_WAIT_RETRY:
        f->wait_retry = val & NV3_PFIFO_WAIT_RETRY_MASK;
        break;
    case NV3_PFIFO_INTR:
        nv3_pfifo_write_intr(s, val);
        break;
    case NV3_PFIFO_INTR_EN:
        f->intr_en = val & NV3_PFIFO_INTR_ALL;
        nv3_update_irq(s);
        break;
    case NV3_PFIFO_CONFIG:
        f->config = val & NV3_PFIFO_CONFIG_MASK;
        break;
    case NV3_PFIFO_RAMHT:
        f->ramht = val & NV3_PFIFO_RAMHT_MASK;
        break;
    case NV3_PFIFO_RAMFC:
        f->ramfc = val & NV3_PFIFO_RAMFC_ADDRESS;
        break;
    case NV3_PFIFO_RAMRO:
        f->ramro = val & NV3_PFIFO_RAMRO_MASK;
        break;
    case NV3_PFIFO_RUNOUT_PUT:
        f->runout_put = val & NV3_PFIFO_RUNOUT_PUT_MASK;
        nv3_runout_moved(s);
        break;
    case NV3_PFIFO_RUNOUT_GET:
        f->runout_get = val & NV3_PFIFO_RUNOUT_GET_MASK;
        nv3_runout_moved(s);
        break;
    case NV3_PFIFO_CACHES:
        f->caches = val & NV3_PFIFO_CACHES_REASSIGN;
        break;
    default:
        nv3_unimp_write(s, "PFIFO", addr, val);
        break;
    }
}

static bool nv3_is_dma_reg(uint32_t addr)
{
    return addr == NV3_PFIFO_CACHE1_DMA_STATE ||
           (addr >= NV3_PFIFO_CACHE1_DMA_CTRL &&
            addr <= NV3_PFIFO_CACHE1_DMA_PT_INST);
}

uint32_t nv3_pfifo_read(NV3State *s, uint32_t addr)
{
    if (addr < NV3_PFIFO_CACHE0_PUSH_ACCESS) {
        return nv3_pfifo_read_global(s, addr);
    }
    if (addr < NV3_PFIFO_CACHE1_PUSH_ACCESS) {
        return nv3_cache0_read(s, addr);
    }
    if (nv3_is_dma_reg(addr)) {
        return nv3_dma_read_reg(s, addr);
    }
    return nv3_cache1_read(s, addr);
}

static bool nv3_pfifo_read_only(uint32_t addr)
{
    switch (addr) {
    case NV3_PFIFO_CACHE_ERROR:
    case NV3_PFIFO_RUNOUT_STATUS:
    case NV3_PFIFO_DEVICE:
    case NV3_PFIFO_CACHE0_STATUS:
    case NV3_PFIFO_CACHE1_STATUS:
        return true;
    default:
        return false;
    }
}

void nv3_pfifo_write(NV3State *s, uint32_t addr, uint32_t val)
{
    if (nv3_pfifo_read_only(addr)) {
        nv3_log(s, GUEST_ERROR, "PFIFO: 0x%06x is read only", addr);
        return;
    }
    if (!nv3_engine_enabled(s, NV3_PMC_ENABLE_PFIFO) &&
        nv3_pfifo_forced(addr)) {
        nv3_log(s, GUEST_ERROR, "PFIFO is disabled: 0x%06x <- 0x%08x", addr,
                val);
        return;
    }
    if (addr < NV3_PFIFO_CACHE0_PUSH_ACCESS) {
        nv3_pfifo_write_global(s, addr, val);
        return;
    }
    if (addr < NV3_PFIFO_CACHE1_PUSH_ACCESS) {
        nv3_cache0_write(s, addr, val);
    } else if (nv3_is_dma_reg(addr)) {
        nv3_dma_write_reg(s, addr, val);
    } else {
        nv3_cache1_write(s, addr, val);
    }
    /* The write may have restarted the pusher or a puller. */
    nv3_pfifo_wake(s);
}

bool nv3_pfifo_run(NV3State *s, unsigned budget)
{
    while (budget) {
        unsigned pushed = nv3_dma_pusher_run(s, budget);
        unsigned pulled = nv3_puller_run(s, budget);

        if (!pushed && !pulled) {
            return false;
        }
        if (nv3_slice_over(s)) {
            break;
        }
        budget -= pushed > pulled ? pushed : pulled;
    }
    return true;
}

void nv3_pfifo_reset(NV3State *s)
{
    memset(&s->pfifo, 0, sizeof(s->pfifo));
    nv3_pfifo_disable(s);
}

static const NV3StateField pfifo_fields[] = {
    NV3_SAVE_BITS(pfifo.wait_retry, NV3_PFIFO_WAIT_RETRY_MASK),
    NV3_SAVE_BITS(pfifo.cache_error, NV3_PFIFO_CACHE_ERROR_0 |
                  NV3_PFIFO_CACHE_ERROR_1),
    NV3_SAVE_BITS(pfifo.intr, NV3_PFIFO_INTR_ALL),
    NV3_SAVE_BITS(pfifo.intr_en, NV3_PFIFO_INTR_ALL),
    NV3_SAVE_BITS(pfifo.config, NV3_PFIFO_CONFIG_MASK),
    NV3_SAVE_BITS(pfifo.ramht, NV3_PFIFO_RAMHT_MASK),
    NV3_SAVE_BITS(pfifo.ramfc, NV3_PFIFO_RAMFC_ADDRESS),
    NV3_SAVE_BITS(pfifo.ramro, NV3_PFIFO_RAMRO_MASK),
    NV3_SAVE_BITS(pfifo.runout_put, NV3_PFIFO_RUNOUT_PUT_MASK),
    NV3_SAVE_BITS(pfifo.runout_get, NV3_PFIFO_RUNOUT_GET_MASK),
    NV3_SAVE_BITS(pfifo.caches, NV3_PFIFO_CACHES_REASSIGN),
    NV3_SAVE_BITS(pfifo.device_chid, NV3_PFIFO_CACHE1_CHID),

    NV3_SAVE_BITS(pfifo.cache0.push_access, 1),
    NV3_SAVE_BITS(pfifo.cache0.chid, NV3_PFIFO_CACHE1_CHID),
    NV3_SAVE_BITS(pfifo.cache0.put, NV3_PFIFO_CACHE0_POINTER),
    NV3_SAVE_BITS(pfifo.cache0.get, NV3_PFIFO_CACHE0_POINTER),
    NV3_SAVE_BITS(pfifo.cache0.pull_ctrl, NV3_PFIFO_PULL_CTRL_MASK),
    NV3_SAVE_BITS(pfifo.cache0.ctx, NV3_PFIFO_CTX_MASK),
    NV3_SAVE_BITS(pfifo.cache0.entry.addr, NV3_FIFO_ADDR_MASK),
    NV3_SAVE(pfifo.cache0.entry.data),

    NV3_SAVE_BITS(pfifo.cache1.push_access, 1),
    NV3_SAVE_BITS(pfifo.cache1.chid, NV3_PFIFO_CACHE1_CHID |
                  NV3_PFIFO_CACHE1_CHID_DMA),
    NV3_SAVE(pfifo.cache1.put),         /* see nv3_pfifo_check() */
    NV3_SAVE(pfifo.cache1.get),
    NV3_SAVE_BITS(pfifo.cache1.put_spare, NV3_PFIFO_CACHE1_POINTER_SPARE),
    NV3_SAVE_BITS(pfifo.cache1.get_spare, NV3_PFIFO_CACHE1_POINTER_SPARE),
    NV3_SAVE_BITS(pfifo.cache1.pull_ctrl, NV3_PFIFO_PULL_CTRL_MASK),
    NV3_SAVE_BITS(pfifo.cache1.pull_state, NV3_PFIFO_PULL_STATE_DIRTY),
    NV3_SAVE_BITS(pfifo.cache1.ctx, NV3_PFIFO_CTX_MASK),
    NV3_SAVE_MAX(pfifo.cache1.last_subch, 7),
    NV3_SAVE(pfifo.cache1.ranout),
    NV3_SAVE_WORDS(pfifo.cache1.entry),

    NV3_SAVE_BITS(pfifo.dma.state, NV3_PFIFO_DMA_STATE_MASK),
    NV3_SAVE_BITS(pfifo.dma.ctrl, NV3_PFIFO_DMA_CTRL_ACCESS),
    NV3_SAVE_BITS(pfifo.dma.count, NV3_PFIFO_CACHE1_DMA_MASK),
    NV3_SAVE_BITS(pfifo.dma.get, NV3_PFIFO_CACHE1_DMA_MASK),
    NV3_SAVE_BITS(pfifo.dma.target, 3),
    NV3_SAVE(pfifo.dma.tlb_tag),
    NV3_SAVE_BITS(pfifo.dma.tlb_pte, NV3_PFIFO_CACHE1_DMA_TLB_PTE_MASK),
    NV3_SAVE_BITS(pfifo.dma.pt_inst, NV3_PFIFO_CACHE1_DMA_PT_MASK),
};

static const char *nv3_pfifo_check(NV3State *s)
{
    const NV3Cache1 *c = &s->pfifo.cache1;

    if (c->put >= nv3_cache1_size(s) || c->get >= nv3_cache1_size(s)) {
        return "PUT or GET is beyond CACHE1";
    }
    for (unsigned i = 0; i < NV3_PFIFO_CACHE1_SIZE_C; i++) {
        if (c->entry[i].addr & ~NV3_FIFO_ADDR_MASK) {
            return "an entry of CACHE1 has no such method";
        }
    }
    return NULL;
}

const NV3StateBlock nv3_pfifo_state =
    NV3_STATE_BLOCK("pfifo", pfifo_fields, .check = nv3_pfifo_check);
