/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PFIFO. Pushers receive methods from programs, through USER apertures or by DMA, and
 * queue the methods in CACHE1. CACHE0 holds a single method, which the driver writes. The
 * pullers of both caches pass methods of hardware objects to PGRAPH. When a puller
 * reaches a method of a software object, it stops, and the driver executes the method.
 *
 * pfifo.c       registers, interrupts, state of a disabled PFIFO
 * pio_pusher.c  USER apertures, free counts, channel switch, overflow to RAMRO
 * dma_pusher.c  the DMA pusher and its page table
 * puller.c      hash lookup, binding of objects, submission, traps
 */
#ifndef NV3_FIFO_PFIFO_H
#define NV3_FIFO_PFIFO_H

#include "chip/chip.h"
#include "api/nv3_state.h"
#include "chip/pfifo_queue.h"

NV3_BLOCK(pfifo);

/* Accesses to USER apertures, handled by the PIO pusher. */
uint32_t nv3_user_read(NV3State *s, uint32_t addr, unsigned size);
void nv3_user_write(NV3State *s, uint32_t addr, uint32_t val, unsigned size);

/*
 * Runs the DMA pusher for at most @budget words, and the pullers for at most @budget
 * methods. Returns false if neither of them can proceed.
 */
bool nv3_pfifo_run(NV3State *s, unsigned budget);
/* Returns true if an enabled interrupt is pending. */
bool nv3_pfifo_irq(NV3State *s);
/* Resets registers after PFIFO's bit in PMC_ENABLE has been cleared. */
void nv3_pfifo_disable(NV3State *s);

/* pfifo.c */
void nv3_pfifo_wake(NV3State *s);
void nv3_pfifo_raise(NV3State *s, uint32_t intr);
uint32_t nv3_ungray(uint32_t code);
void nv3_cache1_push(NV3State *s, uint32_t addr, uint32_t data);

/* dma_pusher.c */
bool nv3_dma_pusher_active(const NV3State *s);
/*
 * Drops the fetched words. Must be called after a change of a register that determines
 * which words the pusher fetches.
 */
void nv3_dma_pusher_flush(NV3State *s);
void nv3_dma_pusher_start(NV3State *s);
/* Processes at most @budget words and returns the number of processed words. */
unsigned nv3_dma_pusher_run(NV3State *s, unsigned budget);

/* puller.c: pulls at most @budget methods. Returns the number of pulled methods. */
unsigned nv3_puller_run(NV3State *s, unsigned budget);

/* Tables of the saved state. */
extern const NV3StateBlock nv3_pfifo_state;
extern const NV3StateBlock nv3_prefetch_state;

#endif
