// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Asking the chip for its classes
 *
 * Where PVIRT doesn't say which classes PGRAPH has, PGRAPH itself does: it refuses every method of
 * a class that it hasn't (envytools, hwtest/pgraph_mthd_invalid.cc), and 0x104, which arms a
 * notifier, is a method of every class that it has. So when the driver starts, before the chip is
 * anybody's, each number is asked that once. What else is wrong with it, as there is no
 * notifier, doesn't matter, and a reset follows.
 *
 * The method goes by way of CACHE0, on channel 0, which is never given to a client. Interrupts are
 * still off, so that the chip has to be looked at.
 */

#include <linux/iopoll.h>

#include <drm/drm_print.h>

#include "nv3_class.h"
#include "nv3_graph.h"
#include "nv3_object.h"
#include "nv3_switch.h"

#define NV3_PROBE_CLASSES	32
#define NV3_PROBE_US		10000

/* PGRAPH is set right after the last one, and has an object of the class selected for channel 0. */
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
	struct nv3_device *nv3 = rm->nv3;
	u32 get;

	nv3_inject_raw(rm, 0, NV3_CTX_CLASS_GRAPH | NV3_CTX_HARDWARE |
		       class_id << NV3_CTX_CLASS_SHIFT, NV3_MTHD_NOTIFY, 0);
	return !read_poll_timeout_atomic(nv3_rd32, get,
					 get == rm->inject_put &&
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

/* A bit for each class that PGRAPH has. The chip is nobody's, and is reset. */
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
