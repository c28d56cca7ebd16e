/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_PFIFO_H
#define NV3_PFIFO_H

#include "nv3_cache.h"
#include "nv3_ramht.h"
#include "nv3_ring.h"

/* The state of PFIFO for a preempted batch. */
struct nv3_preempted {
	/**
	 * @valid: the oldest batch of the channel is preempted, and this structure contains its
	 * state
	 */
	bool valid;
	/** @dma_state: the registers CACHE1_DMA_STATE, CACHE1_DMA_GET and CACHE1_DMA_COUNT */
	u32 dma_state;
	u32 dma_get;
	u32 dma_count;
	/** @count: the number of methods that were in CACHE1 */
	unsigned int count;
	/** @entry: the methods that were in CACHE1, oldest first */
	struct nv3_store entry[NV3_PFIFO_CACHE1_SIZE_C];
};

void nv3_pfifo_init(struct nv3_device *nv3, const struct nv3_ramht *ht);
void nv3_pfifo_start(struct nv3_device *nv3);
void nv3_pfifo_stop(struct nv3_device *nv3);
void nv3_pfifo_set_ring(struct nv3_device *nv3, u32 chid, const struct nv3_ring *ring);
void nv3_pfifo_push(struct nv3_device *nv3, const struct nv3_ring_span *span);
void nv3_pfifo_clear(struct nv3_device *nv3);
bool nv3_pfifo_save(struct nv3_device *nv3, struct nv3_preempted *state);
void nv3_pfifo_restore(struct nv3_device *nv3, struct nv3_preempted *state);
bool nv3_pfifo_is_idle(struct nv3_device *nv3);
u64 nv3_pfifo_progress(struct nv3_device *nv3);

#endif
