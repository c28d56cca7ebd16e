// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Stepping
 *
 * At level NV3_FREEZE_METHODS of the freeze (nv3_freeze.c), the puller is stopped. A step does one
 * of two things, and leaves the puller stopped:
 *
 * - If an interrupt of PFIFO, PGRAPH or PDMA is pending, the resource manager handles it, for
 *   example by inserting a handle into RAMHT or by switching PGRAPH.
 * - Otherwise the puller takes one method from CACHE1.
 *
 * The chip can't limit the puller to one method. The step therefore stops the pusher, sets PUT to
 * the entry that follows the method, and restores PUT when the method has been executed or has
 * trapped. Between the steps the pusher fills CACHE1.
 */

#include <linux/delay.h>
#include <linux/ktime.h>

#include "hw/nv3_cache.h"
#include "nv3_debug.h"
#include "rm/nv3_job.h"
#include "rm/nv3_rm.h"
#include "rm/nv3_sched.h"

/*
 * The maximum time, in milliseconds, to wait until a method has ended. A method may draw for a long
 * time.
 */
#define NV3_STEP_MS		3000
/*
 * The maximum time, in milliseconds, to wait until the GPU scheduler has released a batch and the
 * pusher has filled CACHE1.
 */
#define NV3_STEP_PUSH_MS	100

static bool nv3_step_is_pending(struct nv3_rm *rm)
{
	return nv3_rd32(rm->nv3, NV3_PFIFO_INTR) || nv3_rd32(rm->nv3, NV3_PDMA_INTR) ||
	       nv3_rd32(rm->nv3, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_VBLANK;
}

/* Returns true if a batch runs, and an interrupt is pending or the puller can take a method. */
static bool nv3_step_can_begin(struct nv3_rm *rm)
{
	return rm->running && (nv3_step_is_pending(rm) ||
			       nv3_cache1_get(rm->nv3) != nv3_cache1_put(rm->nv3));
}

/*
 * Returns true if the batch has ended, the method has trapped, or PGRAPH has executed the method.
 */
static bool nv3_step_has_ended(struct nv3_rm *rm)
{
	return !rm->running || nv3_step_is_pending(rm) ||
	       (nv3_cache1_get(rm->nv3) == nv3_cache1_put(rm->nv3) &&
		!nv3_rd32(rm->nv3, NV3_PGRAPH_STATUS));
}

/*
 * Waits until @check() returns true, for at most @ms milliseconds. Returns false after a timeout.
 * Takes nv3_rm.lock for each call of @check().
 */
static bool nv3_step_wait(struct nv3_rm *rm, bool (*check)(struct nv3_rm *rm), unsigned int ms)
{
	ktime_t end = ktime_add_ms(ktime_get(), ms);
	bool ok, late;

	do {
		late = ktime_after(ktime_get(), end);
		spin_lock_irq(&rm->lock);
		ok = rm->dead || check(rm);
		spin_unlock_irq(&rm->lock);
		if (!ok && !late)
			usleep_range(50, 200);
	} while (!ok && !late);
	return ok;
}

/* Handles the pending interrupts. The puller stays stopped. */
static void nv3_step_answer(struct nv3_rm *rm)
{
	unsigned long flags = nv3_rm_lock(rm);
	bool vblank = !rm->dead && nv3_rm_irq_answer(rm, ~0u);

	nv3_rm_unlock(rm, flags);
	if (vblank)
		rm->hooks->vblank(rm->nv3);
}

/* Makes the puller take only the method at GET. Returns the old value of PUT. */
static u32 nv3_step_take(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;
	u32 put;

	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
	put = nv3_cache1_put(nv3);
	nv3_cache1_set_put(nv3, nv3_cache1_get(nv3) + 1);
	/*
	 * Stopping the puller for the freeze clears the reason for a trap. A method that had
	 * trapped therefore traps again when the puller continues.
	 */
	nv3_wr32(nv3, NV3_PFIFO_INTR, NV3_PFIFO_INTR_CACHE_ERROR);
	rm->puller_stopped = false;
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
	return put;
}

/* Stops the puller, unless it has stopped at a trap. Restores PUT and starts the pusher. */
static void nv3_step_end(struct nv3_rm *rm, u32 put)
{
	struct nv3_device *nv3 = rm->nv3;

	if (!(nv3_rd32(nv3, NV3_PFIFO_INTR) & NV3_PFIFO_INTR_CACHE_ERROR))
		nv3_rm_start_puller(rm);
	nv3_cache1_set_put(nv3, put);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
	if (nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT))
		nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_ACCESS);
}

static int nv3_step_method(struct nv3_rm *rm)
{
	u64 batch;
	bool done;
	u32 put;

	spin_lock_irq(&rm->lock);
	batch = rm->batch;
	if (rm->dead || !rm->running ||
	    nv3_cache1_get(rm->nv3) == nv3_cache1_put(rm->nv3)) {
		spin_unlock_irq(&rm->lock);
		return -ENODATA;
	}
	put = nv3_step_take(rm);
	spin_unlock_irq(&rm->lock);

	done = nv3_step_wait(rm, nv3_step_has_ended, NV3_STEP_MS);

	spin_lock_irq(&rm->lock);
	/* If the batch has ended in the meantime, its methods are no longer in CACHE1. */
	if (!rm->dead && rm->running && rm->batch == batch)
		nv3_step_end(rm, put);
	else if (!rm->dead)
		nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
	spin_unlock_irq(&rm->lock);
	return done ? 0 : -ETIME;
}

/**
 * nv3_step() - handle one trap, or let the puller take one method
 * @rm: the resource manager. The function sets nv3_rm.freeze to NV3_FREEZE_METHODS
 *
 * Context: process context; the caller has the debugfs file open.
 * Return: 0, -ENODATA if there is neither a method nor a pending interrupt, -EBUSY while a batch is
 * being preempted, or -ETIME if the method takes longer than NV3_STEP_MS.
 */
int nv3_step(struct nv3_rm *rm)
{
	bool answer, preempting;

	nv3_rm_set_freeze(rm, NV3_FREEZE_METHODS);
	nv3_step_wait(rm, nv3_step_can_begin, NV3_STEP_PUSH_MS);

	spin_lock_irq(&rm->lock);
	preempting = nv3_sched_is_preempting(rm);
	/*
	 * If the freeze has stopped the puller at a trap, the method must trap once more before the
	 * trap is handled.
	 */
	answer = !rm->dead && rm->running && nv3_step_is_pending(rm) &&
		 !(rm->puller_stopped &&
		   nv3_rd32(rm->nv3, NV3_PFIFO_INTR) & NV3_PFIFO_INTR_CACHE_ERROR);
	spin_unlock_irq(&rm->lock);
	if (preempting)
		return -EBUSY;
	if (!answer)
		return nv3_step_method(rm);
	nv3_step_answer(rm);
	return 0;
}
