// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Parking
 *
 * A batch can be taken off the chip in the middle, and put back later as if nothing had been.
 * What PFIFO has of it is little: where the DMA pusher is and in which run (DMA_GET, DMA_COUNT,
 * DMA_STATE, which "a driver" must save too by the registers' being writable: envytools,
 * rnndb/fifo/nv1_pfifo.xml), the methods that are in CACHE1, and the bindings, which are moved
 * with the channel in any case (nv3_ramfc.c). PGRAPH's part isn't touched: it changes hands
 * when another channel's first method arrives there, or not at all.
 *
 * The chip is stopped from the front: first the pusher, then the puller. A method that PGRAPH
 * has taken can't be given back, so PGRAPH is let finish it. A method that PFIFO has stopped
 * on, because it is software's or its name is missing, is still at CACHE1's GET, so that it
 * is parked like any other and the puller will stop on it again.
 *
 * Between turns CACHE1 is empty, the pusher off and the puller on, whoever owns PFIFO.
 */

#include <drm/drm_print.h>

#include "nv3_cache1.h"
#include "nv3_channel.h"
#include "nv3_job.h"
#include "nv3_queue.h"

/* Everything that the chip has to say of what it has done so far is heard. */
static bool nv3_park_quiet(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	return !nv3_rd32(nv3, NV3_PGRAPH_STATUS) &&
	       !(nv3_rd32(nv3, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_VBLANK) &&
	       !nv3_rd32(nv3, NV3_PDMA_INTR) &&
	       !(nv3_rd32(nv3, NV3_PFIFO_INTR) & ~NV3_PFIFO_INTR_CACHE_ERROR) &&
	       nv3_rd32(nv3, NV3_PFIFO_CACHE0_GET) == nv3_rd32(nv3, NV3_PFIFO_CACHE0_PUT);
}

static void nv3_park_cache1(struct nv3_rm *rm, struct nv3_parked *parked)
{
	u32 get = nv3_cache1_get(rm);
	unsigned int i;

	parked->count = (nv3_cache1_put(rm) - get) & (rm->cache1_size - 1);
	for (i = 0; i < parked->count; i++)
		parked->entry[i] = nv3_cache1_read(rm, get + i);

	nv3_cache1_set_put(rm, 0);
	nv3_cache1_set_get(rm, 0);
}

/**
 * nv3_park() - take the running batch off the chip, to go on later
 * @rm: the resource manager
 *
 * No further method reaches PGRAPH, also if it fails.
 *
 * Context: nv3_rm.lock is held.
 * Return: true if the chip is as between batches; false if PGRAPH is still at a method, or has
 * something to say, and the caller has to try again later.
 */
bool nv3_park(struct nv3_rm *rm)
{
	struct nv3_channel *chan = rm->running->chan;
	struct nv3_parked *parked = &chan->queue.parked;
	struct nv3_device *nv3 = rm->nv3;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->pfifo != chan || parked->valid);

	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
	if (!nv3_park_quiet(rm))
		return false;

	parked->dma_state = nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_STATE);
	parked->dma_get = nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_GET);
	parked->dma_count = nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT);
	nv3_park_cache1(rm, parked);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_STATE, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, 0);
	nv3_wr32(nv3, NV3_PFIFO_INTR, NV3_PFIFO_INTR_CACHE_ERROR);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
	parked->valid = true;
	rm->parks++;
	return true;
}

/**
 * nv3_unpark() - put a preempted batch back
 * @chan: the channel, which owns PFIFO; CACHE1 is empty
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_unpark(struct nv3_channel *chan)
{
	struct nv3_parked *parked = &chan->queue.parked;
	struct nv3_rm *rm = chan->rm;
	struct nv3_device *nv3 = rm->nv3;
	unsigned int i;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->pfifo != chan || !parked->valid);
	drm_WARN_ON(&nv3->drm, !(nv3_rd32(nv3, NV3_PFIFO_CACHE1_STATUS) & NV3_PFIFO_CACHE_EMPTY));

	/* While the pointers differ, the puller would take what is left of others' batches. */
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
	nv3_cache1_set_put(rm, 0);
	nv3_cache1_set_get(rm, 0);
	for (i = 0; i < parked->count; i++)
		nv3_cache1_write(rm, i, &parked->entry[i]);
	nv3_cache1_set_put(rm, parked->count);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);

	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_STATE, parked->dma_state);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_GET, parked->dma_get);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, parked->dma_count);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, parked->dma_count ? NV3_PFIFO_DMA_CTRL_ACCESS : 0);
	parked->valid = false;
}
