/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of PFIFO: its registers, its two caches and the DMA pusher. */
#ifndef NV3_CHIP_PFIFO_STATE_H
#define NV3_CHIP_PFIFO_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3_regs.h"

typedef struct NV3FifoEntry {
    uint32_t addr;          /* subchannel and method: NV3_FIFO_ADDR_* */
    uint32_t data;
} NV3FifoEntry;

/* CACHE0: a single entry, through which the driver injects methods. */
typedef struct NV3Cache0 {
    uint32_t push_access;
    uint32_t chid;
    uint32_t put;           /* 0 or 4, like @get; CACHE0 is empty if @put equals @get */
    uint32_t get;
    uint32_t pull_ctrl;
    uint32_t ctx;
    NV3FifoEntry entry;
} NV3Cache0;

/*
 * CACHE1. @put and @get count entries modulo the size of CACHE1. Registers show both
 * counts as Gray codes. The Gray code of a count is also the index of the entry in
 * @entry.
 */
typedef struct NV3Cache1 {
    uint32_t push_access;
    uint32_t chid;          /* with NV3_PFIFO_CACHE1_CHID_DMA */
    uint32_t put;
    uint32_t get;
    uint32_t put_spare;     /* bits of PUT without a function */
    uint32_t get_spare;
    uint32_t pull_ctrl;
    uint32_t pull_state;
    uint32_t ctx[NV3_PFIFO_CACHE1_CTX_COUNT];
    uint32_t last_subch;
    bool ranout;            /* all stores overflow to RAMRO until RAMRO is empty */
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
    /*
     * The words that the last bus access has fetched. They can be dropped at any time,
     * because the pusher fetches missing words again.
     */
    uint32_t fetched;       /* number of words in @buf */
    uint32_t used;          /* number of words in @buf that have been processed */
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
    uint32_t device_chid;   /* channel of the last method that PGRAPH accepted */
    NV3Cache0 cache0;
    NV3Cache1 cache1;
    NV3DmaPusher dma;
} NV3Pfifo;

#endif
