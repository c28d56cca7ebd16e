// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Faults
 *
 * A fault stops the channel that causes it. Other channels continue. The chip executes one batch at
 * a time, so the running batch has caused the fault. The driver drops the remaining methods of the
 * batch and signals the fence of the batch with -EIO. The other queued batches of the channel end
 * with -ECANCELED, later SUBMITs return -EIO, and CHANNEL_QUERY reports the reason. A blocked batch
 * is not on the chip. If its channel faults, the driver only removes the batch from the queue.
 */

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "device/nv3_compat.h"
#include "device/nv3_trace.h"
#include "nv3_job.h"
#include "nv3_sched.h"
#include "nv3_switch.h"

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

static void nv3_fault_record(struct nv3_channel *chan, const struct nv3_fault *fault)
{
	drm_dbg(&chan->rm->nv3->drm,
		"channel %u: fault: %s, subchannel %u, class %#x, method %#x, data %#x\n",
		chan->chid, nv3_fault_names[fault->reason], fault->subch, fault->class_id,
		fault->mthd, fault->data);

	trace_nv3_fault(chan->rm->nv3, chan->chid, fault->subch, fault->class_id, fault->mthd,
			fault->data, fault->reason);
	/* A channel has at most one fault, because it executes no method after the fault. */
	drm_WARN_ON(&chan->rm->nv3->drm, chan->fault.reason);
	chan->fault = *fault;
	if (chan->rm->hooks->debug)
		chan->rm->hooks->debug->fault(chan, fault);
}

/**
 * nv3_fault_wedged_work() - tell user space that the chip had to be reset
 * @work: nv3_rm.wedged
 *
 * Sends DRM's uevent for a wedged device (Documentation/gpu/drm-uapi.rst, "Device Wedging"). The
 * value WEDGED=none means that the driver has recovered by itself.
 */
void nv3_fault_wedged_work(struct work_struct *work)
{
	struct nv3_rm *rm = container_of(work, struct nv3_rm, wedged);
	int idx;

	if (drm_dev_enter(&rm->nv3->drm, &idx)) {
		nv3_wedged_event(&rm->nv3->drm);
		drm_dev_exit(idx);
	}
}

/**
 * nv3_fault_drop_jobs() - end all batches of a channel that has no running batch
 * @chan: the channel
 * @first: the error of the first batch
 * @rest: the error of the later batches
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_fault_drop_jobs(struct nv3_channel *chan, int first, int rest)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_job *job, *next;
	int error = first;

	lockdep_assert_held(&chan->rm->lock);
	drm_WARN_ON(&chan->rm->nv3->drm, chan->rm->running && chan->rm->running->chan == chan);

	nv3_sched_unblock(chan);
	queue->preempted.valid = false;
	list_del_init(&queue->link);
	list_for_each_entry_safe(job, next, &queue->jobs, link) {
		nv3_job_complete(job, error);
		error = rest;
	}
}

static void nv3_fault_notify_objects(struct nv3_channel *chan)
{
	struct nv3_object *obj;

	list_for_each_entry(obj, &chan->watchers, link)
		obj->class->faulted(obj);
}

/**
 * nv3_fault_raise() - end the running batch with a fault, and stop its channel
 * @rm: the resource manager
 * @fault: the fault
 *
 * The function resets the chip if PGRAPH still executes a method of the batch.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_fault_raise(struct nv3_rm *rm, const struct nv3_fault *fault)
{
	struct nv3_channel *chan = rm->running->chan;
	const u64 resets = rm->resets;

	lockdep_assert_held(&rm->lock);

	nv3_fault_record(chan, fault);
	nv3_switch_abort(rm);
	if (rm->resets != resets)
		queue_work(rm->wq, &rm->wedged);
	if (rm->running->ops->fault) {
		/* If a method blocks the channel, the fault drops the method, so end the wait. */
		drm_WARN_ON(&rm->nv3->drm, rm->pfifo || nv3_sched_is_preempting(rm));
		nv3_sched_unblock(chan);
		rm->running->ops->fault(rm->running);
	} else {
		nv3_job_finish(rm, -EIO);
		nv3_fault_drop_jobs(chan, -ECANCELED, -ECANCELED);
	}
	nv3_fault_notify_objects(chan);
}

/**
 * nv3_fault_blocked() - stop a channel with a fault, whether or not its batch is running
 * @chan: the channel
 * @fault: the fault
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
	nv3_fault_record(chan, fault);
	nv3_fault_drop_jobs(chan, -EIO, -ECANCELED);
	nv3_fault_notify_objects(chan);
}
