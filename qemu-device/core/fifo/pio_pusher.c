/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PIO pusher: 128 USER apertures of 64 KiB, one per channel. Each store to an
 * aperture is a method. If CACHE1 does not accept a method, the pusher stores the method
 * and the reason in RAMRO, and the driver handles the method. The rules that decide which
 * methods overflow to RAMRO, and their order, are from envytools' hwtest (pfifo.cc),
 * which was run on a real NV1. The model omits rules that, according to rnndb, apply only
 * to NV1.
 */
#include "bus/bus.h"
#include "chip/event.h"
#include "fifo/pfifo.h"

/* A store or load in a USER aperture. */
typedef struct NV3UserAccess {
    uint32_t addr;          /* chid, subchannel and method; a multiple of 4 */
    uint32_t data;
    uint32_t bytes;         /* mask of the accessed bytes of the word */
} NV3UserAccess;

#define NV3_USER_ALL_BYTES      0xf
#define NV3_USER_OK             UINT32_MAX

static uint32_t nv3_user_chid(uint32_t addr)
{
    return addr / NV3_USER_STRIDE % NV3_USER_CHANNELS;
}

static uint32_t nv3_user_mthd(uint32_t addr)
{
    return addr & NV3_FIFO_ADDR_MTHD;
}

static NV3UserAccess nv3_user_access(uint32_t addr, uint32_t val, unsigned size)
{
    unsigned first = addr & 3;

    return (NV3UserAccess) {
        .addr = addr & ~3u,
        .data = val << first * 8,
        .bytes = ((1u << size) - 1) << first & NV3_USER_ALL_BYTES,
    };
}

static uint32_t nv3_cache1_chid(const NV3State *s)
{
    return s->pfifo.cache1.chid & NV3_PFIFO_CACHE1_CHID;
}

static bool nv3_runout_empty(const NV3State *s)
{
    return s->pfifo.runout_get == s->pfifo.runout_put;
}

static void nv3_runout(NV3State *s, const NV3UserAccess *access,
                       uint32_t reason, uint32_t read)
{
    NV3Pfifo *f = &s->pfifo;
    uint32_t size = f->ramro & NV3_PFIFO_RAMRO_SIZE_8K ? 0x2000 : 0x200;
    uint32_t entry = (f->ramro & NV3_PFIFO_RAMRO_ADDRESS) +
                     (f->runout_put & (size - 1));
    uint32_t next = (f->runout_put + NV3_RAMRO_ENTRY_SIZE) & (size - 1);
    uint32_t lost = ~access->bytes & NV3_USER_ALL_BYTES;
    uint32_t intr = NV3_PFIFO_INTR_RUNOUT;

    if (nv3_user_chid(access->addr) == nv3_cache1_chid(s)) {
        f->cache1.ranout = true;
    }
    if (next == f->runout_get) {
        intr |= NV3_PFIFO_INTR_RUNOUT_OVERFLOW;
    } else {
        nv3_ramin_wr32(s, entry, (access->addr & 0x7ffffc) | read |
                       lost << NV3_RAMRO_BYTE_MASK_SHIFT |
                       reason << NV3_RAMRO_REASON_SHIFT);
        nv3_ramin_wr32(s, entry + 4, access->data);
        f->runout_put = next;
    }
    nv3_event(s, RUNOUT, .chid = nv3_user_chid(access->addr),
              .subch = nv3_bits(access->addr, NV3_FIFO_ADDR_SUBCH_SHIFT, 3),
              .mthd = access->addr & NV3_FIFO_ADDR_MTHD, .data = access->data,
              .detail = reason);
    nv3_pfifo_raise(s, intr);
}

/*
 * Switches CACHE1 to channel @chid: stores the context words of the previous channel in
 * RAMFC, and loads the context words of @chid. Always stores word 0, which contains the
 * last subchannel. Stores the other words only if they have changed.
 */
static void nv3_switch_channel(NV3State *s, uint32_t chid)
{
    NV3Cache1 *c = &s->pfifo.cache1;
    uint32_t base = s->pfifo.ramfc & NV3_PFIFO_RAMFC_ADDRESS;
    uint32_t old = base + nv3_cache1_chid(s) * NV3_RAMFC_ENTRY_SIZE;
    uint32_t new = base + chid * NV3_RAMFC_ENTRY_SIZE;
    bool dirty = c->pull_state & NV3_PFIFO_PULL_STATE_DIRTY;

    nv3_event(s, CHANNEL, .chid = chid, .data = nv3_cache1_chid(s));
    for (unsigned i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++) {
        if (i == 0 || dirty) {
            nv3_ramin_wr32(s, old + i * 4, c->ctx[i] |
                           c->last_subch << NV3_RAMFC_CTX_SUBCH_SHIFT);
        }
    }
    c->last_subch = nv3_bits(nv3_ramin_rd32(s, new),
                             NV3_RAMFC_CTX_SUBCH_SHIFT, 3);
    for (unsigned i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++) {
        c->ctx[i] = nv3_ramin_rd32(s, new + i * 4) & 0x00ffffff;
    }
    c->pull_state &= ~NV3_PFIFO_PULL_STATE_DIRTY;
    c->chid = chid;
}

/* Returns true if CACHE1 can switch to another channel. */
static bool nv3_can_switch(NV3State *s)
{
    return nv3_runout_empty(s) && s->pfifo.caches && !nv3_cache1_used(s) &&
           !nv3_dma_pusher_active(s);
}

/*
 * Returns NV3_USER_OK if CACHE1 accepts a method of channel @chid, else the reason for
 * which the method overflows to RAMRO.
 */
static uint32_t nv3_push_reason(NV3State *s, uint32_t chid)
{
    const NV3Pfifo *f = &s->pfifo;

    if (!f->cache1.push_access ||
        (f->cache0.push_access && f->cache0.chid == chid)) {
        return NV3_RAMRO_NO_CACHE;
    }
    if (chid != nv3_cache1_chid(s)) {
        return nv3_can_switch(s) ? NV3_USER_OK : NV3_RAMRO_NO_CACHE;
    }
    if (nv3_dma_pusher_active(s) ||
        (f->cache1.chid & NV3_PFIFO_CACHE1_CHID_DMA)) {
        return NV3_RAMRO_NO_CACHE;
    }
    if (f->cache1.ranout) {
        return NV3_RAMRO_CACHE_RAN_OUT;
    }
    return nv3_cache1_free(s) ? NV3_USER_OK : NV3_RAMRO_FREE_OVERRUN;
}

static uint32_t nv3_write_reason(NV3State *s, const NV3UserAccess *access)
{
    uint32_t mthd = nv3_user_mthd(access->addr);
    bool half = access->bytes == 0x3 || access->bytes == 0xc;

    /*
     * Stores of 16 or 32 bits to the 16 bytes of the free count overflow with the reason
     * RESERVED_ACCESS. All other stores of fewer than 32 bits overflow with
     * ILLEGAL_ACCESS.
     */
    if ((mthd & ~0xfu) == NV3_USER_FREE &&
        (half || access->bytes == NV3_USER_ALL_BYTES)) {
        return NV3_RAMRO_RESERVED_ACCESS;
    }
    if (access->bytes != NV3_USER_ALL_BYTES) {
        return NV3_RAMRO_ILLEGAL_ACCESS;
    }
    if (mthd != NV3_MTHD_OBJECT && mthd < 0x100) {
        return NV3_RAMRO_RESERVED_ACCESS;
    }
    return nv3_push_reason(s, nv3_user_chid(access->addr));
}

void nv3_user_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size)
{
    NV3UserAccess access = nv3_user_access(addr, val, size);
    uint32_t reason = nv3_write_reason(s, &access);
    uint32_t chid = nv3_user_chid(addr);

    if (reason != NV3_USER_OK) {
        nv3_runout(s, &access, reason, 0);
        return;
    }
    if (chid != nv3_cache1_chid(s)) {
        nv3_switch_channel(s, chid);
    }
    nv3_cache1_push(s, access.addr & NV3_FIFO_ADDR_MASK, access.data);
    nv3_pfifo_wake(s);
}

/*
 * Returns the free count: the number of bytes that a program may store in the aperture of
 * channel @chid before it reads the count again. If CACHE1 holds another channel, the
 * next store switches CACHE1 to @chid. In this case, or if CACHE1 is disabled, returns
 * the count for an empty cache, or 0 if RAMRO is not empty.
 */
static uint32_t nv3_user_free(NV3State *s, uint32_t chid)
{
    const NV3Cache1 *c = &s->pfifo.cache1;

    if (c->ranout) {
        return 0;
    }
    if (chid != nv3_cache1_chid(s) || !c->push_access) {
        return nv3_runout_empty(s) ? (nv3_cache1_size(s) - 1) * 4 : 0;
    }
    if (nv3_dma_pusher_active(s) || (c->chid & NV3_PFIFO_CACHE1_CHID_DMA)) {
        return 0;
    }
    return nv3_cache1_free(s) * 4;
}

uint32_t nv3_user_read(NV3State *s, uint32_t addr, unsigned size)
{
    NV3UserAccess access = nv3_user_access(addr, 0, size);
    uint32_t val;

    if (nv3_user_mthd(addr) != NV3_USER_FREE) {
        nv3_runout(s, &access, NV3_RAMRO_ILLEGAL_ACCESS, NV3_RAMRO_READ);
        return 0;
    }
    val = nv3_user_free(s, nv3_user_chid(addr)) >> (addr & 3) * 8;
    return size == 4 ? val : val & ((1u << size * 8) - 1);
}
