/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PFIFO: takes methods from programs (the pusher, by USER window or by DMA),
 * queues them in two caches, and hands them to PGRAPH or to the driver's
 * software objects (the puller).
 *
 * pfifo.c         registers, interrupts, what PMC_ENABLE forces
 * pio_pusher.c  USER windows, free counts, channel switch, runout to RAMRO
 * dma_pusher.c     the DMA pusher and its page table
 * puller.c  hash lookup, binding of objects, hand over, traps
 */
#ifndef NV3_FIFO_PFIFO_H
#define NV3_FIFO_PFIFO_H

#include "chip/chip.h"
#include "api/nv3_state.h"
#include "chip/pfifo_queue.h"

NV3_BLOCK(pfifo);

/* USER windows: the PIO side of PFIFO's pusher. */
uint32_t nv3_user_read(NV3State *s, uint32_t addr, unsigned size);
void nv3_user_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size);

/* Runs pusher and puller for at most @budget methods; true when there is more to do. */
bool nv3_pfifo_run(NV3State *s, unsigned budget);
/* What PFIFO_INTR & EN says now. */
bool nv3_pfifo_irq(NV3State *s);
/* PMC_ENABLE's bit has been cleared. */
void nv3_pfifo_disable(NV3State *s);

/* pfifo.c */
void nv3_pfifo_wake(NV3State *s);
void nv3_pfifo_raise(NV3State *s, uint32_t intr);
uint32_t nv3_ungray(uint32_t code);
void nv3_cache1_push(NV3State *s, uint32_t addr, uint32_t data);

/* dma_pusher.c */
bool nv3_dma_pusher_active(const NV3State *s);
/* Drops what was fetched: a register that it depends on has changed. */
void nv3_dma_pusher_flush(NV3State *s);
void nv3_dma_pusher_start(NV3State *s);
/* Looks at no more than @budget words; returns how many. */
unsigned nv3_dma_pusher_run(NV3State *s, unsigned budget);

/* puller.c: at most @budget methods; returns how many are done. */
unsigned nv3_puller_run(NV3State *s, unsigned budget);

/* What of them is saved. */
extern const NV3StateBlock nv3_pfifo_state;
extern const NV3StateBlock nv3_prefetch_state;

#endif
