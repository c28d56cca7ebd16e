// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The registers of PFIFO
 *
 * PFIFO runs the batch of one channel at a time. CACHES_REASSIGN is disabled, so that the chip
 * doesn't switch channels by itself. Between batches CACHE1 is empty, the pusher is disabled and
 * the puller is enabled.
 *
 * A batch can be preempted between any two of its methods and resumed later. A preemption saves the
 * methods in CACHE1 and the position of the DMA pusher: DMA_GET, DMA_COUNT and DMA_STATE
 * (envytools, rnndb/fifo/nv1_pfifo.xml). A switch to another channel also saves the context words
 * (nv3_ramfc.c). The drawing state stays in the registers of PGRAPH until the first method of
 * another channel arrives at PGRAPH.
 *
 * To preempt a batch, the driver stops the pusher and then the puller. A method that PGRAPH has
 * accepted can't be returned to CACHE1, so the driver waits until PGRAPH has finished the method.
 * If PFIFO has stopped at a software method or at a missing handle, the method is still at GET of
 * CACHE1. This method is saved with the other entries, and the puller stops at the method again
 * after the batch has been resumed.
 */

#include <drm/drm_print.h>

#include "nv3_pfifo.h"

/**
 * nv3_pfifo_init() - reset PFIFO, and configure it
 * @nv3: the device
 * @ht: RAMHT, whose size the function writes to PFIFO_RAMHT
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_pfifo_init(struct nv3_device *nv3, const struct nv3_ramht *ht)
{
	nv3_mask32(nv3, NV3_PMC_ENABLE, NV3_PMC_ENABLE_PFIFO, 0);
	nv3_mask32(nv3, NV3_PMC_ENABLE, 0, NV3_PMC_ENABLE_PFIFO);

	nv3_wr32(nv3, NV3_PFIFO_CACHES, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_PUSH_ACCESS, 0);
	nv3_cache0_reset(nv3);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_STATE, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUT, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_GET, 0);
	nv3_wr32(nv3, NV3_PFIFO_CONFIG, 0);
	nv3_wr32(nv3, NV3_PFIFO_RAMHT,
		 NV3_RM_RAMHT | ht->size_code << NV3_PFIFO_RAMHT_SIZE_SHIFT);
	nv3_wr32(nv3, NV3_PFIFO_RAMFC, NV3_RM_RAMFC);
	nv3_wr32(nv3, NV3_PFIFO_RAMRO, NV3_RM_RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
	nv3_wr32(nv3, NV3_PFIFO_RUNOUT_PUT, 0);
	nv3_wr32(nv3, NV3_PFIFO_RUNOUT_GET, 0);

	nv3_wr32(nv3, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
	nv3_wr32(nv3, NV3_PFIFO_INTR_EN, NV3_PFIFO_INTR_ALL);
}

/**
 * nv3_pfifo_start() - start the puller, and let CACHE1 accept methods
 * @nv3: the device
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_pfifo_start(struct nv3_device *nv3)
{
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
}

/**
 * nv3_pfifo_stop() - stop CACHE1 from accepting methods, and stop the puller
 * @nv3: the device
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_pfifo_stop(struct nv3_device *nv3)
{
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
}

/**
 * nv3_pfifo_set_ring() - select the channel whose methods CACHE1 receives
 * @nv3: the device
 * @chid: the number of the channel
 * @ring: the push ring of the channel, or NULL for a PIO channel
 *
 * Context: nv3_rm.lock is held; PFIFO is stopped.
 */
void nv3_pfifo_set_ring(struct nv3_device *nv3, u32 chid, const struct nv3_ring *ring)
{
	if (!ring) {
		nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_CHID, chid);
		return;
	}

	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_CHID, chid | NV3_PFIFO_CACHE1_CHID_DMA);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_TARGET, NV3_PFIFO_DMA_TARGET_PCI);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_PT_INST,
		 nv3_ramin_addr(&ring->table) + NV3_DMAOBJ_PTE(0));
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_TLB_TAG, ~0);
}

/**
 * nv3_pfifo_push() - make the DMA pusher read a batch
 * @nv3: the device
 * @span: the range of the batch in the ring of the current channel
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_pfifo_push(struct nv3_device *nv3, const struct nv3_ring_span *span)
{
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_GET, span->start);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, span->size);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_ACCESS);
}

/**
 * nv3_pfifo_clear() - drop all methods in the caches and the rest of the batch
 * @nv3: the device
 *
 * Context: nv3_rm.lock is held; PFIFO and the pusher are stopped.
 */
void nv3_pfifo_clear(struct nv3_device *nv3)
{
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_STATE, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUT, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_GET, 0);
	nv3_cache0_reset(nv3);
	nv3_wr32(nv3, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
}

/*
 * Returns true if PGRAPH has finished all methods that it has accepted, CACHE0 is empty, and no
 * interrupt that prevents a preemption is pending.
 */
static bool nv3_pfifo_is_quiet(struct nv3_device *nv3)
{
	return !nv3_rd32(nv3, NV3_PGRAPH_STATUS) &&
	       !(nv3_rd32(nv3, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_VBLANK) &&
	       !nv3_rd32(nv3, NV3_PDMA_INTR) &&
	       !(nv3_rd32(nv3, NV3_PFIFO_INTR) & ~NV3_PFIFO_INTR_CACHE_ERROR) &&
	       nv3_rd32(nv3, NV3_PFIFO_CACHE0_GET) == nv3_rd32(nv3, NV3_PFIFO_CACHE0_PUT);
}

static void nv3_pfifo_save_cache1(struct nv3_device *nv3, struct nv3_preempted *state)
{
	u32 get = nv3_cache1_get(nv3);
	unsigned int i;

	state->count = (nv3_cache1_put(nv3) - get) & (nv3->cache1_size - 1);
	for (i = 0; i < state->count; i++)
		state->entry[i] = nv3_cache1_read(nv3, get + i);

	nv3_cache1_set_put(nv3, 0);
	nv3_cache1_set_get(nv3, 0);
}

/**
 * nv3_pfifo_save() - save the state of the running batch, so that it can be resumed later
 * @nv3: the device
 * @state: set to the state of PFIFO on success
 *
 * After the call no further method reaches PGRAPH, even if the function returns false.
 *
 * Context: nv3_rm.lock is held.
 * Return: true if the state has been saved and PFIFO is empty; false if PGRAPH still executes a
 * method or an interrupt is pending. If the function returns false, the caller must try again
 * later.
 */
bool nv3_pfifo_save(struct nv3_device *nv3, struct nv3_preempted *state)
{
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
	if (!nv3_pfifo_is_quiet(nv3))
		return false;

	state->dma_state = nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_STATE);
	state->dma_get = nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_GET);
	state->dma_count = nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT);
	nv3_pfifo_save_cache1(nv3, state);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_STATE, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, 0);
	nv3_wr32(nv3, NV3_PFIFO_INTR, NV3_PFIFO_INTR_CACHE_ERROR);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
	state->valid = true;
	return true;
}

/**
 * nv3_pfifo_restore() - resume a preempted batch
 * @nv3: the device
 * @state: the state that nv3_pfifo_save() has saved; the function marks it as invalid
 *
 * Context: nv3_rm.lock is held; the channel owns PFIFO, and CACHE1 is empty.
 */
void nv3_pfifo_restore(struct nv3_device *nv3, struct nv3_preempted *state)
{
	unsigned int i;

	drm_WARN_ON(&nv3->drm, !(nv3_rd32(nv3, NV3_PFIFO_CACHE1_STATUS) & NV3_PFIFO_CACHE_EMPTY));

	/* While PUT and GET differ, a running puller would process stale entries. */
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
	nv3_cache1_set_put(nv3, 0);
	nv3_cache1_set_get(nv3, 0);
	for (i = 0; i < state->count; i++)
		nv3_cache1_write(nv3, i, &state->entry[i]);
	nv3_cache1_set_put(nv3, state->count);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);

	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_STATE, state->dma_state);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_GET, state->dma_get);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, state->dma_count);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, state->dma_count ? NV3_PFIFO_DMA_CTRL_ACCESS : 0);
	state->valid = false;
}

/**
 * nv3_pfifo_is_idle() - check whether the chip has executed all methods of the batch
 * @nv3: the device
 *
 * Context: nv3_rm.lock is held. Reads up to four registers.
 * Return: true if the pusher and PGRAPH are idle and both caches are empty.
 */
bool nv3_pfifo_is_idle(struct nv3_device *nv3)
{
	return !nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL) &&
	       nv3_rd32(nv3, NV3_PFIFO_CACHE1_STATUS) & NV3_PFIFO_CACHE_EMPTY &&
	       nv3_rd32(nv3, NV3_PFIFO_CACHE0_STATUS) & NV3_PFIFO_CACHE_EMPTY &&
	       !nv3_rd32(nv3, NV3_PGRAPH_STATUS);
}

/**
 * nv3_pfifo_progress() - return a number that changes whenever the chip begins another method
 * @nv3: the device
 *
 * Context: nv3_rm.lock is held. Reads two registers.
 * Return: DMA_GET in the upper 32 bits, and GET of CACHE1 in the lower 32 bits.
 */
u64 nv3_pfifo_progress(struct nv3_device *nv3)
{
	return (u64)nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_GET) << 32 |
	       nv3_rd32(nv3, NV3_PFIFO_CACHE1_GET);
}
