// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Interrupts of PFIFO, PGRAPH and PDMA, and the tick
 *
 * The chip waits until the driver has handled an interrupt, so the hard interrupt handler does all
 * the work. It holds nv3_rm.lock. Most interrupts need fewer than ten register accesses. A switch
 * of PGRAPH needs about 300 accesses. The most frequent interrupt, the notification at the end of a
 * batch, needs three accesses: reads of PMC_INTR and PGRAPH_INTR, and the acknowledgment.
 *
 * While a batch runs, a timer (the tick) also checks the batch.
 */

#include <drm/drm_print.h>

#include "device/nv3_compat.h"
#include "nv3_fence.h"
#include "nv3_job.h"
#include "nv3_rm.h"
#include "nv3_sched.h"
#include "nv3_switch.h"

#define NV3_PGRAPH_INTR_TRAPS \
	(NV3_PGRAPH_INTR_INVALID | NV3_PGRAPH_INTR_RANGE | NV3_PGRAPH_INTR_MISSING_METHOD | \
	 NV3_PGRAPH_INTR_MISSING_FORMAT | NV3_PGRAPH_INTR_CLIP_SOFTWARE)

/* Handles the interrupt for a notification that the tail or a client has requested. */
static void nv3_irq_notify(struct nv3_rm *rm, struct nv3_channel *chan)
{
	if (nv3_fence_is_done(chan))
		nv3_job_finish(rm, 0);
	else
		nv3_notifier_check(chan, 0);
}

static void nv3_irq_pgraph(struct nv3_rm *rm, u32 intr)
{
	u32 traps = intr & NV3_PGRAPH_INTR_TRAPS;

	/* Acknowledge first, so that a later notification raises another interrupt. */
	nv3_wr32(rm->nv3, NV3_PGRAPH_INTR, intr & ~traps);

	if (rm->running && intr & NV3_PGRAPH_INTR_NOTIFY)
		nv3_irq_notify(rm, rm->running->chan);

	if (!rm->running)
		nv3_wr32(rm->nv3, NV3_PGRAPH_INTR, traps);
	else if (intr & NV3_PGRAPH_INTR_CTX_SWITCH)
		nv3_switch_pgraph(rm->running->chan, NV3_SWITCH_METHOD);
	else if (traps)
		nv3_trap_pgraph(rm, traps);
}

static void nv3_irq_pdma(struct nv3_rm *rm)
{
	u32 intr = nv3_rd32(rm->nv3, NV3_PDMA_INTR);

	nv3_wr32(rm->nv3, NV3_PDMA_INTR, intr);
	if (intr && rm->running)
		nv3_trap_pdma(rm, intr);
}

/* Handles an overflow to RAMRO. Ignores the interrupt if RAMRO has already been emptied. */
static void nv3_irq_runout(struct nv3_rm *rm, u32 intr)
{
	u32 put;

	if (rm->running && rm->running->is_pio) {
		rm->hooks->pio->runout(rm, intr);
		return;
	}

	put = nv3_rd32(rm->nv3, NV3_PFIFO_RUNOUT_PUT);
	if (nv3_rd32(rm->nv3, NV3_PFIFO_RUNOUT_GET) == put)
		return;
	/* No USER aperture is mapped, so the method belongs to no channel. */
	drm_err_ratelimited(&rm->nv3->drm, "stray method in RAMRO\n");
	nv3_wr32(rm->nv3, NV3_PFIFO_RUNOUT_GET, put);
	nv3_wr32(rm->nv3, NV3_PFIFO_INTR,
		 NV3_PFIFO_INTR_RUNOUT | NV3_PFIFO_INTR_RUNOUT_OVERFLOW);
}

static void nv3_irq_pfifo(struct nv3_rm *rm)
{
	static const struct nv3_fault stream = { .reason = DRM_NV3_FAULT_STREAM };
	u32 intr = nv3_rd32(rm->nv3, NV3_PFIFO_INTR);

	nv3_wr32(rm->nv3, NV3_PFIFO_INTR, intr);

	if (intr & (NV3_PFIFO_INTR_RUNOUT | NV3_PFIFO_INTR_RUNOUT_OVERFLOW))
		nv3_irq_runout(rm, intr);
	if (rm->running && intr & NV3_PFIFO_INTR_CACHE_ERROR)
		nv3_trap_pfifo(rm);
	if (rm->running && intr & (NV3_PFIFO_INTR_DMA_PUSHER | NV3_PFIFO_INTR_DMA_PTE))
		nv3_fault_raise(rm, &stream);
}

/**
 * nv3_rm_mask_interrupts() - enable the interrupts that nv3_rm.freeze allows, disable the others
 * @rm: the resource manager
 *
 * A pending interrupt stays pending when it is disabled.
 * Context: nv3_rm.lock is held.
 */
void nv3_rm_mask_interrupts(struct nv3_rm *rm)
{
	bool frozen = nv3_freeze_interrupts(rm);

	nv3_wr32(rm->nv3, NV3_PFIFO_INTR_EN, frozen ? 0 : NV3_PFIFO_INTR_ALL);
	nv3_wr32(rm->nv3, NV3_PDMA_INTR_EN, frozen ? 0 : NV3_PDMA_INTR_ALL);
	nv3_switch_enable_vblank(rm);
}

/* During a freeze, handles only the vertical blank. Returns true if a vertical blank has begun. */
static bool nv3_irq_frozen(struct nv3_rm *rm, u32 pmc_intr)
{
	u32 vblank = 0;

	nv3_rm_mask_interrupts(rm);
	if (pmc_intr & (NV3_PMC_INTR_PGRAPH | NV3_PMC_INTR_PFB))
		vblank = nv3_rd32(rm->nv3, NV3_PGRAPH_INTR) & NV3_PGRAPH_INTR_VBLANK;
	if (vblank)
		nv3_wr32(rm->nv3, NV3_PGRAPH_INTR, vblank);
	return vblank;
}

/**
 * nv3_rm_irq_answer() - handle the pending interrupts, even during a freeze
 * @rm: the resource manager
 * @pmc_intr: the blocks to handle, as bits of PMC_INTR
 *
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 * Return: true if a vertical blank has begun.
 */
bool nv3_rm_irq_answer(struct nv3_rm *rm, u32 pmc_intr)
{
	struct nv3_device *nv3 = rm->nv3;
	u32 intr = 0;

	lockdep_assert_held(&rm->lock);

	if (pmc_intr & (NV3_PMC_INTR_PGRAPH | NV3_PMC_INTR_PFB)) {
		intr = nv3_rd32(nv3, NV3_PGRAPH_INTR);
		if (intr)
			nv3_irq_pgraph(rm, intr);
	}
	if (pmc_intr & NV3_PMC_INTR_PDMA)
		nv3_irq_pdma(rm);
	if (pmc_intr & NV3_PMC_INTR_PFIFO)
		nv3_irq_pfifo(rm);

	return intr & NV3_PGRAPH_INTR_VBLANK;
}

/* Handles interrupts that nv3_rm.freeze allows. Returns true if a vertical blank has begun. */
static bool nv3_rm_irq_service(struct nv3_rm *rm, u32 pmc_intr)
{
	if (nv3_freeze_interrupts(rm))
		return nv3_irq_frozen(rm, pmc_intr);
	return nv3_rm_irq_answer(rm, pmc_intr);
}

/**
 * nv3_rm_irq() - handle the interrupts of PFIFO, PGRAPH and PDMA
 * @nv3: the device
 * @pmc_intr: the value of PMC_INTR
 *
 * The vertical blank is an interrupt of PGRAPH. The function passes it to nv3_rm_hooks.vblank().
 * Context: hard interrupt; takes nv3_rm.lock.
 * Return: IRQ_HANDLED, or IRQ_NONE before nv3_rm_init().
 */
irqreturn_t nv3_rm_irq(struct nv3_device *nv3, u32 pmc_intr)
{
	struct nv3_rm *rm = nv3->rm;
	unsigned long flags;
	bool vblank;

	if (!rm)
		return IRQ_NONE;

	flags = nv3_rm_lock(rm);
	vblank = nv3_rm_irq_service(rm, pmc_intr);
	nv3_rm_unlock(rm, flags);

	if (vblank)
		rm->hooks->vblank(nv3);

	return IRQ_HANDLED;
}

/*
 * Preempts the running batch if its timeslice has expired. Otherwise checks the batch when a check
 * is due. A check also polls for interrupts, because an interrupt may be lost or late.
 */
static enum hrtimer_restart nv3_rm_tick(struct hrtimer *timer)
{
	struct nv3_rm *rm = container_of(timer, struct nv3_rm, tick);
	unsigned long flags;
	bool vblank = false, again;

	flags = nv3_rm_lock(rm);
	/* A freeze must not prevent the completion of a preemption that has begun. */
	if (nv3_freeze_timeslices(rm) && !nv3_sched_is_preempting(rm))
		goto out;
	if (rm->running)
		nv3_job_check_done(rm->running);
	if (rm->running && (nv3_sched_is_preempting(rm) || nv3_sched_timeslice_expired(rm))) {
		nv3_sched_preempt(rm);
		if (rm->running)
			nv3_job_check_hang(rm->running);
	} else if (rm->running && nv3_hang_check_rearm(rm->running)) {
		vblank = nv3_rm_irq_service(rm, nv3_rd32(rm->nv3, NV3_PMC_INTR));
		if (rm->running)
			nv3_job_check_progress(rm->running);
	}
	nv3_sched_next(rm);
out:
	again = rm->running;
	rm->ticking = again;
	if (again)
		hrtimer_forward_now(timer, nv3_sched_interval(rm));
	nv3_rm_unlock(rm, flags);

	if (vblank)
		rm->hooks->vblank(rm->nv3);
	return again ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/**
 * nv3_rm_irq_init() - initialise the tick
 * @rm: the resource manager
 */
void nv3_rm_irq_init(struct nv3_rm *rm)
{
	hrtimer_setup(&rm->tick, nv3_rm_tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
}
