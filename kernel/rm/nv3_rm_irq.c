// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Interrupts
 *
 * All is done in the hard interrupt, under nv3_rm.lock: what the chip waits for takes a few
 * register accesses, a switch of PGRAPH a few hundred. The usual one, the notification at
 * the end of a batch, takes three: PMC_INTR, PGRAPH_INTR, and its acknowledgment.
 */

#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_fault.h"
#include "nv3_job.h"

#define NV3_PGRAPH_INTR_TRAPS \
	(NV3_PGRAPH_INTR_INVALID | NV3_PGRAPH_INTR_RANGE | NV3_PGRAPH_INTR_MISSING_METHOD | \
	 NV3_PGRAPH_INTR_MISSING_FORMAT | NV3_PGRAPH_INTR_CLIP_SOFTWARE)

/* A notification has been written: a client's, or the last of the batch, or both. */
static void nv3_irq_notify(struct nv3_rm *rm, struct nv3_channel *chan)
{
	if (nv3_notifier_done(chan))
		nv3_job_finish(rm, 0);
	else
		nv3_notify_look(chan, 0);
}

static void nv3_irq_pgraph(struct nv3_rm *rm, u32 intr)
{
	u32 traps = intr & NV3_PGRAPH_INTR_TRAPS;

	/* Before the notification is looked at: one that comes now interrupts again. */
	nv3_wr32(rm->nv3, NV3_PGRAPH_INTR, intr & ~traps);

	if (rm->running && intr & NV3_PGRAPH_INTR_NOTIFY)
		nv3_irq_notify(rm, rm->running->chan);

	if (!rm->running)
		nv3_wr32(rm->nv3, NV3_PGRAPH_INTR, traps);
	else if (intr & NV3_PGRAPH_INTR_CTX_SWITCH)
		nv3_switch_pgraph(rm->running->chan);
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

/* One whose methods were collected meanwhile is no news. */
static void nv3_irq_runout(struct nv3_rm *rm, u32 intr)
{
	if (rm->running && rm->running->lease)
		nv3_lease_runout(rm, intr);
	else if (nv3_rd32(rm->nv3, NV3_PFIFO_RUNOUT_GET) !=
		 nv3_rd32(rm->nv3, NV3_PFIFO_RUNOUT_PUT))
		nv3_runout_stray(rm);
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

/* The chip isn't answered now (nv3_hold.c), but the display is. */
static bool nv3_irq_held(struct nv3_rm *rm, u32 pmc_intr)
{
	u32 vblank = 0;

	nv3_hold_mask(rm);
	if (pmc_intr & (NV3_PMC_INTR_PGRAPH | NV3_PMC_INTR_PFB))
		vblank = nv3_rd32(rm->nv3, NV3_PGRAPH_INTR) & NV3_PGRAPH_INTR_VBLANK;
	if (vblank)
		nv3_wr32(rm->nv3, NV3_PGRAPH_INTR, vblank);
	return vblank;
}

/**
 * nv3_rm_irq_service() - answer all that the chip asks
 * @rm: the resource manager
 * @pmc_intr: PMC_INTR
 *
 * Context: nv3_rm.lock is held.
 * Return: whether the vertical blank has begun.
 */
bool nv3_rm_irq_service(struct nv3_rm *rm, u32 pmc_intr)
{
	struct nv3_device *nv3 = rm->nv3;
	u32 intr = 0;

	lockdep_assert_held(&rm->lock);

	if (nv3_hold_keeps_answers(rm))
		return nv3_irq_held(rm, pmc_intr);

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

/**
 * nv3_rm_irq() - handle the interrupts of PFIFO, PGRAPH and PDMA
 * @nv3: the device
 * @pmc_intr: PMC_INTR
 *
 * PGRAPH's carries the vertical blank, which goes on to nv3_kms_vblank().
 *
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
		nv3_kms_vblank(nv3);

	return IRQ_HANDLED;
}
