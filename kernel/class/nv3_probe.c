// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Probing the classes of PGRAPH
 *
 * If PVIRT does not report which classes PGRAPH has, the driver invokes a method of each class to
 * find out. PGRAPH raises INVALID.METHOD for every method of a class that it lacks (envytools,
 * hwtest/pgraph_mthd_invalid.cc). PGRAPH accepts method 0x104, which arms a notifier, for every
 * class that it has. In probe, before any channel exists, the driver invokes this method once for
 * each possible class number. The driver ignores other errors of the method, such as a missing DMA
 * object for the notification. Afterwards the driver resets PFIFO and PGRAPH.
 *
 * The driver injects the method into CACHE0, on channel 0, which no client uses. Interrupts are
 * still disabled, so the driver polls the registers.
 */

#include <linux/iopoll.h>

#include <drm/drm_print.h>

#include "hw/nv3_cache.h"
#include "nv3_class.h"
#include "nv3_classes.h"
#include "rm/nv3_switch.h"

#define NV3_PROBE_CLASSES	32
#define NV3_PROBE_US		10000

/* Clears the errors from probing the previous class, and selects the class for channel 0. */
static void nv3_probe_select(struct nv3_device *nv3, u32 class_id)
{
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 0);
	nv3_wr32(nv3, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_ALL);
	nv3_wr32(nv3, NV3_PDMA_INTR, NV3_PDMA_INTR_ALL);
	nv3_wr32(nv3, NV3_PGRAPH_NOTIFY, 0);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_USER, class_id << NV3_CTX_CLASS_SHIFT);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_CONTROL,
		 NV3_PGRAPH_CTX_CONTROL_DEVICE | NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
}

static bool nv3_probe_call(struct nv3_rm *rm, u32 class_id)
{
	static const struct nv3_store store = { .addr = NV3_MTHD_NOTIFY };
	struct nv3_device *nv3 = rm->nv3;
	u32 get;

	nv3_cache0_push(nv3, 0, NV3_CTX_CLASS_GRAPH | NV3_CTX_HARDWARE |
			class_id << NV3_CTX_CLASS_SHIFT, &store);
	return !read_poll_timeout_atomic(nv3_rd32, get,
					 get == nv3->cache0_put &&
					 !nv3_rd32(nv3, NV3_PGRAPH_STATUS),
					 1, NV3_PROBE_US, false, nv3, NV3_PFIFO_CACHE0_GET);
}

static bool nv3_probe_class(struct nv3_rm *rm, u32 class_id)
{
	struct nv3_device *nv3 = rm->nv3;

	nv3_probe_select(nv3, class_id);
	if (!nv3_probe_call(rm, class_id)) {
		drm_warn(&nv3->drm, "class %#x: no answer\n", class_id);
		nv3_switch_reset(rm);
		return false;
	}
	return !(nv3_rd32(nv3, NV3_PGRAPH_INTR) & NV3_PGRAPH_INTR_INVALID &&
		 nv3_rd32(nv3, NV3_PGRAPH_INVALID) & NV3_PGRAPH_INVALID_METHOD);
}

/**
 * nv3_probe_classes() - find out which classes PGRAPH has
 * @rm: the resource manager, without channels; PFIFO and PGRAPH have been reset
 *
 * Context: process context, in probe; takes nv3_rm.lock.
 * Return: a bit mask of the classes, in which bit n represents class n (0x01 to 0x1F).
 */
u32 nv3_probe_classes(struct nv3_rm *rm)
{
	u32 class_id, classes = 0;

	spin_lock_irq(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->running || rm->pfifo || rm->pgraph);
	for (class_id = 1; class_id < NV3_PROBE_CLASSES; class_id++)
		if (nv3_probe_class(rm, class_id))
			classes |= BIT(class_id);
	nv3_switch_reset(rm);
	rm->resets = 0;
	spin_unlock_irq(&rm->lock);

	drm_dbg(&rm->nv3->drm, "PGRAPH has classes %#x\n", classes);
	return classes;
}
