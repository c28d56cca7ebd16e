// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Faults
 *
 * What a client does wrong hurts the channel that does it and nothing else. The running batch
 * is the only one that the chip knows of, so whatever goes wrong is its doing: the rest of
 * it is dropped, its fence signals with -EIO, and the reason stays with the channel for
 * CHANNEL_QUERY. Batches that the channel has queued are refused as they come up, with
 * -ECANCELED, and SUBMIT with -EIO. The next channel's batch starts as if nothing had been.
 */

#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_fault.h"
#include "nv3_job.h"

static const char * const nv3_fault_names[] = {
	[DRM_NV3_FAULT_NONE] = "none",
	[DRM_NV3_FAULT_NAME] = "name",
	[DRM_NV3_FAULT_METHOD] = "method",
	[DRM_NV3_FAULT_DATA] = "data",
	[DRM_NV3_FAULT_PAGE] = "page",
	[DRM_NV3_FAULT_STREAM] = "stream",
	[DRM_NV3_FAULT_TIMEOUT] = "timeout",
	[DRM_NV3_FAULT_STATE] = "state",
	[DRM_NV3_FAULT_RUNOUT] = "runout",
	[DRM_NV3_FAULT_ACCESS] = "access",
};

/* Ends the running batch, and its channel. */
void nv3_fault_raise(struct nv3_rm *rm, const struct nv3_fault *fault)
{
	struct nv3_channel *chan = rm->running->chan;

	lockdep_assert_held(&rm->lock);

	drm_dbg(&rm->nv3->drm,
		"channel %u: fault: %s, subchannel %u, class %#x, method %#x, data %#x\n",
		chan->chid, nv3_fault_names[fault->reason], fault->subch, fault->class_id,
		fault->mthd, fault->data);

	chan->fault = *fault;
	nv3_switch_abort(rm);
	if (rm->running->lease)
		nv3_lease_fault(rm->running);
	else
		nv3_job_finish(rm, -EIO);
}
