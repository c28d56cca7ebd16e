// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Runout
 *
 * If PFIFO can't accept a store to an aperture at once, the chip writes the method and the reason
 * to RAMRO, and raises an interrupt. While RAMRO isn't empty, later methods of the channel also go
 * to RAMRO, so they stay in order. The resource manager moves the methods from RAMRO to the backlog
 * of the channel while the aperture is being unmapped. When no further method can arrive, the
 * resource manager appends the methods in the backlog to CACHE1. The client does not notice the
 * overflow.
 *
 * An access that isn't a 32-bit store to a method also goes to RAMRO. Such an access can't be
 * replayed, so the channel faults. The channel also faults if RAMRO has no room for a method. This
 * fault occurs only if a client ignores the free count and stores more than a thousand methods
 * before its aperture is unmapped.
 *
 * docs/reference/chip/pfifo.md describes the entries of RAMRO (envytools,
 * rnndb/fifo/nv1_pfifo.xml).
 */

#include <linux/slab.h>

#include <drm/drm_print.h>

#include "device/nv3_trace.h"
#include "nv3_pio.h"
#include "nv3_runout.h"

/**
 * nv3_backlog_init() - allocate a backlog
 * @backlog: the backlog
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int nv3_backlog_init(struct nv3_backlog *backlog)
{
	backlog->store = kvcalloc(NV3_BACKLOG_SIZE, sizeof(*backlog->store), GFP_KERNEL_ACCOUNT);
	return backlog->store ? 0 : -ENOMEM;
}

/**
 * nv3_backlog_fini() - free a backlog
 * @backlog: the backlog
 *
 * Context: process context.
 */
void nv3_backlog_fini(struct nv3_backlog *backlog)
{
	kvfree(backlog->store);
	backlog->store = NULL;
}

static bool nv3_backlog_add(struct nv3_backlog *backlog, const struct nv3_store *store)
{
	if (backlog->count == NV3_BACKLOG_SIZE)
		return false;

	backlog->store[(backlog->head + backlog->count) % NV3_BACKLOG_SIZE] = *store;
	backlog->count++;
	return true;
}

static struct nv3_store nv3_backlog_pop(struct nv3_backlog *backlog)
{
	struct nv3_store store = backlog->store[backlog->head];

	backlog->head = (backlog->head + 1) % NV3_BACKLOG_SIZE;
	backlog->count--;
	return store;
}

/*
 * Returns true if the entry is a store to a method, and is in RAMRO only because CACHE1 could not
 * accept it. @word is the first word of the entry.
 */
static bool nv3_runout_is_legal(u32 word)
{
	switch (word >> NV3_RAMRO_REASON_SHIFT) {
	case NV3_RAMRO_NO_CACHE:
	case NV3_RAMRO_CACHE_RAN_OUT:
	case NV3_RAMRO_FREE_OVERRUN:
		return !(word & NV3_RAMRO_READ);
	default:
		return false;
	}
}

/**
 * nv3_runout_collect() - move the methods in RAMRO to a channel's backlog
 * @chan: the channel
 * @culprit: set to the store that caused the fault, if the function returns a fault
 *
 * Methods after a store that causes a fault stay in RAMRO.
 *
 * Context: nv3_rm.lock is held.
 * Return: DRM_NV3_FAULT_*.
 */
u32 nv3_runout_collect(struct nv3_channel *chan, struct nv3_store *culprit)
{
	struct nv3_rm *rm = chan->rm;
	struct nv3_device *nv3 = rm->nv3;
	u32 get = nv3_rd32(nv3, NV3_PFIFO_RUNOUT_GET);
	u32 put = nv3_rd32(nv3, NV3_PFIFO_RUNOUT_PUT);
	u32 fault = DRM_NV3_FAULT_NONE;
	u32 runouts = 0;

	lockdep_assert_held(&rm->lock);

	for (; get != put && !fault; get = (get + NV3_RAMRO_ENTRY_SIZE) % NV3_RAMRO_BYTES) {
		u32 word = nv3_ramin_rd32(nv3, NV3_RM_RAMRO + get);
		u32 chid = word >> NV3_RAMRO_CHID_SHIFT & NV3_PFIFO_CACHE1_CHID;

		culprit->addr = word & NV3_FIFO_ADDR_MASK;
		culprit->data = nv3_ramin_rd32(nv3, NV3_RM_RAMRO + get + 4);
		/*
		 * The entry belongs to another channel, whose aperture could not be unmapped
		 * (nv3_pio_unmap_failed()).
		 */
		if (chid != chan->chid) {
			drm_err_ratelimited(&nv3->drm, "method of channel %u in RAMRO\n", chid);
			continue;
		}

		trace_nv3_runout(nv3, chid, culprit->addr, culprit->data);
		if (!nv3_runout_is_legal(word))
			fault = DRM_NV3_FAULT_ACCESS;
		else if (!nv3_backlog_add(&chan->pio->backlog, culprit))
			fault = DRM_NV3_FAULT_RUNOUT;
		else
			runouts++;
	}
	/*
	 * RAMRO may be empty now, but stores to CACHE1 are disabled. Later stores therefore go to
	 * RAMRO and can't overtake the backlog.
	 */
	nv3_wr32(nv3, NV3_PFIFO_RUNOUT_GET, get);
	rm->runouts += runouts;
	if (chan->client)
		chan->client->runouts += runouts;
	return fault;
}

/**
 * nv3_runout_drop() - drop all entries of RAMRO, and acknowledge its interrupts
 * @rm: the resource manager
 *
 * The caller must have unmapped the USER aperture, unless unmapping has failed
 * (nv3_pio_unmap_failed()).
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_runout_drop(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);

	nv3_wr32(rm->nv3, NV3_PFIFO_RUNOUT_GET, nv3_rd32(rm->nv3, NV3_PFIFO_RUNOUT_PUT));
	nv3_wr32(rm->nv3, NV3_PFIFO_INTR,
		 NV3_PFIFO_INTR_RUNOUT | NV3_PFIFO_INTR_RUNOUT_OVERFLOW);
}

/**
 * nv3_runout_feed() - append as many methods of a backlog to CACHE1 as fit
 * @chan: the channel
 *
 * The channel must own PFIFO, stores to CACHE1 must be disabled, and no USER aperture may be
 * mapped, so that only this function changes PUT.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_runout_feed(struct nv3_channel *chan)
{
	struct nv3_backlog *backlog = &chan->pio->backlog;
	struct nv3_rm *rm = chan->rm;
	u32 mask = rm->nv3->cache1_size - 1;
	struct nv3_store store;
	u32 put, free;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->pfifo != chan);

	if (!backlog->count)
		return;

	put = nv3_cache1_put(rm->nv3);
	for (free = (nv3_cache1_get(rm->nv3) - put - 1) & mask; free && backlog->count; free--) {
		store = nv3_backlog_pop(backlog);
		nv3_cache1_write(rm->nv3, put++, &store);
	}
	nv3_cache1_set_put(rm->nv3, put);
}
