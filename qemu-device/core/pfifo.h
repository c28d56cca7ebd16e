/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PFIFO: takes methods from programs (the pusher, by USER window or by DMA),
 * queues them in two caches, and hands them to PGRAPH or to the driver's
 * software objects (the puller).
 *
 * pfifo.c         registers, interrupts, what PMC_ENABLE forces
 * pfifo_pusher.c  USER windows, free counts, channel switch, runout to RAMRO
 * pfifo_dma.c     the DMA pusher and its page table
 * pfifo_puller.c  hash lookup, binding of objects, hand over, traps
 */
#ifndef NV3_PFIFO_H
#define NV3_PFIFO_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3.h"
#include "nv3_regs.h"

typedef struct NV3FifoEntry {
    uint32_t addr;          /* subchannel and method: NV3_FIFO_ADDR_* */
    uint32_t data;
} NV3FifoEntry;

/* CACHE0: one entry, for methods that the driver injects. */
typedef struct NV3Cache0 {
    uint32_t push_access;
    uint32_t chid;
    uint32_t put;           /* 0 or 4, as GET; equal: empty */
    uint32_t get;
    uint32_t pull_ctrl;
    uint32_t ctx;
    NV3FifoEntry entry;
} NV3Cache0;

/*
 * CACHE1. @put and @get count entries in plain binary; registers show them
 * in Gray code, and the entry that @get means is at its Gray code in @entry.
 */
typedef struct NV3Cache1 {
    uint32_t push_access;
    uint32_t chid;          /* with NV3_PFIFO_CACHE1_CHID_DMA */
    uint32_t put;
    uint32_t get;
    uint32_t put_spare;     /* register bits that exist and do nothing */
    uint32_t get_spare;
    uint32_t pull_ctrl;
    uint32_t pull_state;
    uint32_t ctx[NV3_PFIFO_CACHE1_CTX_COUNT];
    uint32_t last_subch;
    bool ranout;            /* a method of this channel is in RAMRO */
    NV3FifoEntry entry[NV3_PFIFO_CACHE1_SIZE_C];
} NV3Cache1;

#define NV3_PUSH_PAGE 4096

typedef struct NV3DmaPusher {
    uint32_t state;
    uint32_t ctrl;
    uint32_t count;         /* bytes */
    uint32_t get;
    uint32_t target;
    uint32_t tlb_tag;
    uint32_t tlb_pte;
    uint32_t pt_inst;
    /* What one bus access fetched. Dropped, it is fetched again from GET. */
    uint32_t fetched;       /* words in @buf, from 0 */
    uint32_t used;
    uint32_t buf[NV3_PUSH_PAGE / 4];    /* little endian */
} NV3DmaPusher;

typedef struct NV3Pfifo {
    uint32_t wait_retry;
    uint32_t cache_error;
    uint32_t intr;
    uint32_t intr_en;
    uint32_t config;
    uint32_t ramht;
    uint32_t ramfc;
    uint32_t ramro;
    uint32_t runout_put;
    uint32_t runout_get;
    uint32_t caches;
    uint32_t device_chid;   /* of the method that PGRAPH took last */
    NV3Cache0 cache0;
    NV3Cache1 cache1;
    NV3DmaPusher dma;
} NV3Pfifo;

/* pfifo.c */
void nv3_pfifo_wake(NV3State *s);
void nv3_pfifo_raise(NV3State *s, uint32_t intr);
/* Entries in CACHE1, of which one always stays unused. */
unsigned nv3_cache1_size(const NV3State *s);
/* Between a count of entries and what registers show, a place in @entry. */
static inline uint32_t nv3_gray(uint32_t count)
{
    return count ^ count >> 1;
}

uint32_t nv3_ungray(uint32_t code);
unsigned nv3_cache1_used(const NV3State *s);
unsigned nv3_cache1_free(const NV3State *s);
void nv3_cache1_push(NV3State *s, uint32_t addr, uint32_t data);

/* pfifo_dma.c */
bool nv3_dma_pusher_active(const NV3State *s);
/* Drops what was fetched: a register that it depends on has changed. */
void nv3_dma_pusher_flush(NV3State *s);
void nv3_dma_pusher_start(NV3State *s);
/* Looks at no more than @budget words; returns how many. */
unsigned nv3_dma_pusher_run(NV3State *s, unsigned budget);

/* pfifo_puller.c: at most @budget methods; returns how many are done. */
unsigned nv3_puller_run(NV3State *s, unsigned budget);

#endif
