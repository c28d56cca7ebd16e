// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Faults
 *
 * What a client does wrong hurts the channel that does it and nothing else. The running batch
 * is the only one that the chip knows of, so whatever goes wrong is its doing: the rest of
 * it is dropped, its fence signals with -EIO, and the reason stays with the channel for
 * CHANNEL_QUERY. Batches that the channel has queued end with -ECANCELED, and SUBMIT is refused
 * with -EIO. The next channel's batch starts as if nothing had been. A batch that waits for
 * something that doesn't come is not on the chip, and is dropped where it is.
 */

#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_fault.h"
#include "nv3_job.h"
#include "nv3_object.h"

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
	[DRM_NV3_FAULT_DENIED] = "denied",
};

static void nv3_fault_note(struct nv3_channel *chan, const struct nv3_fault *fault)
{
	drm_dbg(&chan->rm->nv3->drm,
		"channel %u: fault: %s, subchannel %u, class %#x, method %#x, data %#x\n",
		chan->chid, nv3_fault_names[fault->reason], fault->subch, fault->class_id,
		fault->mthd, fault->data);

	/* One fault a channel: after the first nothing of it is carried out. */
	drm_WARN_ON(&chan->rm->nv3->drm, chan->fault.reason);
	chan->fault = *fault;
}

/* After the channel's batches have been dropped. */
static void nv3_fault_tell(struct nv3_channel *chan)
{
	struct nv3_object *obj;

	list_for_each_entry(obj, &chan->watchers, link)
		obj->class->faulted(obj);
}

/**
 * nv3_fault_raise() - end the running batch, and its channel
 * @rm: the resource manager
 * @fault: what it did
 *
 * The chip is reset if it doesn't stop otherwise.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_fault_raise(struct nv3_rm *rm, const struct nv3_fault *fault)
{
	struct nv3_channel *chan = rm->running->chan;
	const u64 resets = rm->resets;

	lockdep_assert_held(&rm->lock);

	nv3_fault_note(chan, fault);
	nv3_coredump_fault(chan, fault);
	nv3_switch_abort(rm);
	if (rm->resets != resets)
		nv3_coredump_reset(rm);
	if (rm->running->lease) {
		nv3_queue_abort(rm);
		nv3_lease_fault(rm->running);
	} else {
		nv3_job_finish(rm, -EIO);
		nv3_queue_drop(chan, -ECANCELED, -ECANCELED);
	}
	nv3_fault_tell(chan);
}

/**
 * nv3_fault_blocked() - end a channel whose batch waits for something
 * @chan: the channel
 * @fault: why
 *
 * The chip has nothing of that batch, or is about to give it up.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_fault_blocked(struct nv3_channel *chan, const struct nv3_fault *fault)
{
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	if (rm->running && rm->running->chan == chan) {
		nv3_fault_raise(rm, fault);
		return;
	}
	nv3_fault_note(chan, fault);
	nv3_coredump_fault(chan, fault);
	nv3_queue_drop(chan, -EIO, -ECANCELED);
	nv3_fault_tell(chan);
}
