// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Requesting a PIO timeslice
 *
 * When the client of a PIO channel stores to its aperture while the aperture is not mapped, the
 * channel needs a timeslice. The timeslice is a job, like a batch. The job lists the buffers of all
 * objects of the channel, because the driver can't know which buffers the methods will use. This
 * file locks, places and fences these buffers, as SUBMIT does for a batch, and passes the job to
 * the GPU scheduler. nv3_pio.c continues when the timeslice begins.
 */

#include <linux/sched/signal.h>
#include <linux/slab.h>

#include <drm/drm_exec.h>
#include <drm/drm_print.h>

#include "mem/nv3_room.h"
#include "nv3_pio.h"
#include "rm/nv3_fence.h"
#include "rm/nv3_job.h"
#include "rm/nv3_sched.h"

/*
 * Stores the buffers of the channel's objects in nv3_job.bos, with a reference to each. Bit i of
 * @writes is set if the chip may write buffer i.
 */
static int nv3_pio_collect_buffers(struct nv3_channel *chan, struct nv3_job *job,
				   unsigned long *writes)
{
	struct nv3_object *obj;

	job->bos = kvcalloc(NV3_PIO_MEMORY_MAX, sizeof(*job->bos), GFP_KERNEL);
	if (!job->bos)
		return -ENOMEM;

	spin_lock_irq(&chan->rm->lock);
	list_for_each_entry(obj, &chan->pio->memory, memory) {
		bool write = false;
		struct nv3_bo *bo = obj->class->memory(obj, &write);

		/*
		 * Skip an object that the client has destroyed: it is removed before the timeslice
		 * begins.
		 */
		if (!list_empty(&obj->dying))
			continue;
		nv3_bo_get(bo);
		if (write)
			__set_bit(job->bo_count, writes);
		job->bos[job->bo_count++] = bo;
	}
	spin_unlock_irq(&chan->rm->lock);

	return 0;
}

struct nv3_pio_placing {
	struct drm_exec exec;
	struct nv3_job *job;
};

/*
 * The callback of nv3_room_place(). Eviction may lock further buffers with the same ww context, so
 * this function places the buffers before drm_exec ends the acquire phase.
 */
static int nv3_pio_lock_and_place(void *data, bool retry)
{
	struct nv3_pio_placing *placing = data;
	struct drm_exec *exec = &placing->exec;
	struct nv3_job *job = placing->job;
	int ret;
	u32 i;

	drm_exec_init(exec, DRM_EXEC_IGNORE_DUPLICATES, job->bo_count);
	drm_exec_until_all_locked(exec) {
		ret = 0;
		for (i = 0; i < job->bo_count && !ret; i++) {
			/*
			 * If several objects access a buffer, the buffer gets the fence once for
			 * each of them, so reserve job->bo_count fences.
			 */
			ret = drm_exec_prepare_obj(exec, &job->bos[i]->tbo.base, job->bo_count);
			drm_exec_retry_on_contention(exec);
		}
		if (!ret)
			ret = nv3_job_place(job, exec, job->bo_count + 1, retry);
		drm_exec_retry_on_contention(exec);
		if (ret)
			break;
	}
	if (ret)
		drm_exec_fini(exec);
	return ret;
}

static int nv3_pio_depend(struct nv3_job *job, const unsigned long *writes)
{
	u32 i;

	for (i = 0; i < job->bo_count; i++) {
		struct nv3_bo *bo = job->bos[i];
		int ret = drm_sched_job_add_implicit_dependencies(&job->base, &bo->tbo.base,
								  test_bit(i, writes)) ?:
			  nv3_job_sync_add(job, bo, test_bit(i, writes));

		if (ret)
			return ret;
	}
	return 0;
}

static void nv3_pio_publish(struct nv3_job *job, struct dma_fence *fence,
			    const unsigned long *writes)
{
	u32 i;

	for (i = 0; i < job->bo_count; i++)
		dma_resv_add_fence(nv3_bo_resv(job->bos[i]), fence,
				   test_bit(i, writes) ? DMA_RESV_USAGE_WRITE :
							 DMA_RESV_USAGE_READ);
	nv3_vm_add_fence(job->chan->vm, fence);
}

/*
 * Publishes the preempt fence of a timeslice of a long-running channel. CHANNEL_FLUSH adds its out
 * syncobjs to the timeslice (nv3_pio_flush.c).
 */
static void nv3_pio_publish_later(struct nv3_job *job, struct nv3_preempt_fence *preempt_fence)
{
	struct nv3_channel *chan = job->chan;

	nv3_preempt_fence_attach(preempt_fence, job);
	spin_lock(&chan->outs_lock);
	chan->newest = job;
	spin_unlock(&chan->outs_lock);
}

/* Passes the timeslice to the GPU scheduler. */
static void nv3_pio_push(struct nv3_job *job, struct nv3_preempt_fence *preempt_fence,
			 const unsigned long *writes)
{
	struct nv3_pio *pio = job->chan->pio;
	bool cookie = dma_fence_begin_signalling();
	struct dma_fence *fence;

	nv3_job_arm(job);
	fence = dma_fence_get(&job->base.s_fence->finished);

	if (preempt_fence)
		nv3_pio_publish_later(job, preempt_fence);
	else
		nv3_pio_publish(job, fence, writes);

	dma_fence_put(pio->fence);
	pio->fence = fence;
	nv3_pio_requested(job);
	nv3_job_push(job);
	dma_fence_end_signalling(cookie);
}

static int nv3_pio_create_fences(struct nv3_job *job, struct nv3_preempt_fence **preempt_fence)
{
	job->fence = nv3_fence_create(job->chan);
	if (!job->fence)
		return -ENOMEM;
	if (!job->chan->long_running)
		return 0;

	*preempt_fence = nv3_preempt_fence_create(job->chan->rm);
	return *preempt_fence ? 0 : -ENOMEM;
}

static int nv3_pio_submit(struct nv3_job *job)
{
	DECLARE_BITMAP(writes, NV3_PIO_MEMORY_MAX) = { 0 };
	struct nv3_preempt_fence *preempt_fence = NULL;
	struct nv3_device *nv3 = job->chan->rm->nv3;
	struct nv3_pio_placing placing = { .job = job };
	int ret;

	ret = nv3_pio_collect_buffers(job->chan, job, writes);
	if (ret)
		return ret;

	ret = nv3_room_place(nv3, true, nv3_pio_lock_and_place, &placing);
	if (ret)
		return ret;

	ret = nv3_pio_depend(job, writes) ?:
	      nv3_pio_create_fences(job, &preempt_fence) ?:
	      nv3_job_sync_order(job);
	if (!ret)
		nv3_pio_push(job, preempt_fence, writes);
	else if (preempt_fence)
		dma_fence_put(&preempt_fence->base);
	drm_exec_fini(&placing.exec);
	nv3_room_leave(nv3);

	return ret;
}

/* Called with nv3_channel.lock held. */
static int nv3_pio_create_timeslice(struct nv3_channel *chan)
{
	struct nv3_job *job = nv3_job_create(chan, 0);
	int ret;

	if (IS_ERR(job))
		return PTR_ERR(job);
	job->is_pio = true;
	job->ops = &nv3_pio_job_ops;

	ret = nv3_pio_submit(job);
	if (ret)
		nv3_job_destroy(job);
	return ret;
}

/*
 * Raises a fault on the channel, because there is no room for its buffers. Called with
 * nv3_channel.lock held, so that no other task requests a timeslice. The channel has no job.
 */
static void nv3_pio_refuse(struct nv3_channel *chan)
{
	static const struct nv3_fault fault = { .reason = DRM_NV3_FAULT_PAGE };
	unsigned long flags;

	drm_dbg(&chan->rm->nv3->drm, "channel %u: no room for its buffers\n", chan->chid);

	flags = nv3_rm_lock(chan->rm);
	nv3_fault_blocked(chan, &fault);
	nv3_rm_unlock(chan->rm, flags);
	nv3_aperture_revoke(chan);
}

static int nv3_pio_lock_channel(struct nv3_channel *chan, unsigned int task_state)
{
	return task_state == TASK_INTERRUPTIBLE ? mutex_lock_interruptible(&chan->lock) :
						  mutex_lock_killable(&chan->lock);
}

/**
 * nv3_pio_request() - request a timeslice, unless the channel has a timeslice or has faulted
 * @chan: the channel
 * @task_state: TASK_INTERRUPTIBLE or TASK_KILLABLE
 *
 * If there is no room for the buffers of the channel, the channel faults, and its aperture is
 * revoked.
 *
 * Context: process context; the caller holds no locks.
 * Return: 0; -ERESTARTSYS or -EINTR on a signal that @task_state allows.
 */
int nv3_pio_request(struct nv3_channel *chan, unsigned int task_state)
{
	int ret;

	ret = nv3_pio_lock_channel(chan, task_state);
	if (ret)
		return ret;
	if (!chan->closed && !READ_ONCE(chan->fault.reason) &&
	    nv3_pio_state(chan) == NV3_PIO_NONE)
		ret = nv3_pio_create_timeslice(chan);
	if (ret && ret != -ERESTARTSYS && ret != -EINTR) {
		nv3_pio_refuse(chan);
		ret = 0;
	}
	mutex_unlock(&chan->lock);
	return ret;
}
