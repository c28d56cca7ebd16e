// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Long-running channels
 *
 * A batch that can wait for another client in its middle must not be behind a dma_fence: whoever
 * waits for that fence, with locks that the other client needs, waits for ever (the kernel's
 * Documentation/driver-api/dma-buf.rst, "Indefinite DMA Fences"). So the classes whose methods
 * wait are for long-running channels only, and a batch of one has no fence that says when it is
 * done. Its out syncobjs get one when it is.
 *
 * Its buffers have a preempt fence instead, DMA_RESV_USAGE_BOOKKEEP, which means: the chip does
 * not use them. It signals when the batch is over, and soon after somebody has begun to wait for
 * it. A batch that is not on the chip gives its buffers up at once; one whose channel has a
 * timeslice, or is in line for one, does so at the end of that timeslice, so that two batches
 * that don't fit into VRAM together both make progress. Nothing of this takes a lock under which
 * memory is allocated, or waits for another client.
 *
 * Before its next timeslice a batch without buffers gets them back: a worker locks, places and
 * fences them, as SUBMIT did. Only the first batch of a channel needs that, and only when it has
 * nothing else to wait for. The worker may sleep, and wait for others' fences, as no fence waits
 * for it.
 *
 *      resident ------- preempt fence is waited for, and no timeslice is due ------> evicted
 *          ^                                                                            |
 *          '---- nv3_resume_work(): first of its channel, and the wait is over <--------'
 *
 * docs/decisions/0010-long-running-channels.md has the reasons.
 */

#include <linux/jiffies.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_exec.h>
#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_fault.h"
#include "nv3_job.h"
#include "nv3_long_running.h"
#include "nv3_queue.h"

/*
 * nv3_room_place() waits for other clients. Frame buffers may leave no room for longer, so the
 * worker tries again, and the channel faults after NV3_RESUME_LIMIT_MS.
 */
#define NV3_RESUME_TRY_MS	10
#define NV3_RESUME_LIMIT_MS	10000

/* ---- preempt fences ---- */

static inline struct nv3_preempt_fence *to_preempt_fence(struct dma_fence *fence)
{
	return container_of(fence, struct nv3_preempt_fence, base);
}

static const char *nv3_preempt_fence_driver_name(struct dma_fence *fence)
{
	return NV3_DRIVER_NAME;
}

static const char *nv3_preempt_fence_timeline_name(struct dma_fence *fence)
{
	return "preempt";
}

/* The fence's own lock is held, in any context. */
static bool nv3_preempt_fence_enable_signaling(struct dma_fence *base)
{
	struct nv3_preempt_fence *fence = to_preempt_fence(base);

	dma_fence_get(base);
	queue_work(fence->rm->signal_wq, &fence->work);
	return true;
}

static const struct dma_fence_ops nv3_preempt_fence_ops = {
	.get_driver_name = nv3_preempt_fence_driver_name,
	.get_timeline_name = nv3_preempt_fence_timeline_name,
	.enable_signaling = nv3_preempt_fence_enable_signaling,
};

static void nv3_preempt_fence_work(struct work_struct *work)
{
	struct nv3_preempt_fence *fence = container_of(work, struct nv3_preempt_fence, work);
	bool cookie = dma_fence_begin_signalling();
	unsigned long flags;

	flags = nv3_rm_lock(fence->rm);
	fence->wanted = true;
	if (fence->job)
		nv3_queue_reclaim(fence->job);
	nv3_rm_unlock(fence->rm, flags);

	dma_fence_end_signalling(cookie);
	dma_fence_put(&fence->base);
}

/* Each in a context of its own, as they don't signal in order. Null: no memory. */
struct nv3_preempt_fence *nv3_preempt_fence_create(struct nv3_rm *rm)
{
	struct nv3_preempt_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL);

	if (!fence)
		return NULL;

	fence->rm = rm;
	INIT_LIST_HEAD(&fence->link);
	INIT_WORK(&fence->work, nv3_preempt_fence_work);
	spin_lock_init(&fence->lock);
	dma_fence_init(&fence->base, &nv3_preempt_fence_ops, &fence->lock,
		       dma_fence_context_alloc(1), 1);
	return fence;
}

static void nv3_preempt_fence_publish(struct nv3_preempt_fence *fence, struct nv3_job *job)
{
	u32 i;

	for (i = 0; i < job->bo_count; i++)
		dma_resv_add_fence(nv3_bo_resv(job->bos[i]), &fence->base,
				   DMA_RESV_USAGE_BOOKKEEP);
}

/* From here on the reference is the batch's. */
static void nv3_preempt_fence_arm(struct nv3_preempt_fence *fence, struct nv3_job *job)
{
	lockdep_assert_held(&fence->rm->lock);
	WARN_ON(job->preempt_fence);

	job->preempt_fence = fence;
	fence->job = job;
}

/*
 * The batch's buffers are placed, and locked with room for a fence. The batch has not been pushed.
 */
void nv3_preempt_fence_attach(struct nv3_preempt_fence *fence, struct nv3_job *job)
{
	unsigned long flags;

	nv3_preempt_fence_publish(fence, job);

	flags = nv3_rm_lock(fence->rm);
	nv3_preempt_fence_arm(fence, job);
	/* Its worker may have been here already. */
	if (fence->wanted)
		nv3_queue_reclaim(job);
	nv3_rm_unlock(fence->rm, flags);
}

/* The chip does not use the batch's buffers any more; nv3_rm_unlock() says so. */
void nv3_preempt_fence_release(struct nv3_job *job)
{
	struct nv3_preempt_fence *fence = job->preempt_fence;

	lockdep_assert_held(&job->chan->rm->lock);

	if (!fence)
		return;
	job->preempt_fence = NULL;
	fence->job = NULL;
	list_add_tail(&fence->link, &fence->rm->preempted);
}

/* @list was nv3_rm.preempted; with nv3_rm.signal_lock. */
void nv3_preempt_fences_signal(struct list_head *list)
{
	struct nv3_preempt_fence *fence, *next;

	list_for_each_entry_safe(fence, next, list, link) {
		list_del_init(&fence->link);
		dma_fence_signal(&fence->base);
		dma_fence_put(&fence->base);
	}
}

/* May the chip work for it? Other channels' batches have a fence that keeps their buffers. */
bool nv3_job_is_resident(const struct nv3_job *job)
{
	return !job->chan->long_running || job->preempt_fence;
}

/* Does somebody wait for the buffers that it has? */
bool nv3_job_is_wanted(const struct nv3_job *job)
{
	return job->preempt_fence && job->preempt_fence->wanted;
}

/* ---- getting them back ---- */

struct nv3_resume_placing {
	struct drm_exec exec;
	struct nv3_job *job;
};

/*
 * For nv3_room_place(). Eviction may lock more buffers with the same ww context, so the batch's
 * buffers are placed before drm_exec ends the acquire phase.
 */
static int nv3_resume_lock_and_place(void *data)
{
	struct nv3_resume_placing *placing = data;
	struct drm_exec *exec = &placing->exec;
	struct nv3_job *job = placing->job;
	int ret;
	u32 i;

	drm_exec_init(exec, DRM_EXEC_IGNORE_DUPLICATES, job->bo_count);
	drm_exec_until_all_locked(exec) {
		ret = 0;
		for (i = 0; i < job->bo_count && !ret; i++) {
			ret = drm_exec_prepare_obj(exec, &job->bos[i]->tbo.base, 1);
			drm_exec_retry_on_contention(exec);
		}
		if (!ret)
			ret = nv3_job_place(job);
		if (ret)
			break;
	}
	if (ret)
		drm_exec_fini(exec);
	return ret;
}

/* Until the buffers' contents are where the buffers are. SUBMIT leaves that to the scheduler. */
static int nv3_resume_wait_moves(struct nv3_job *job)
{
	long ret = 1;
	u32 i;

	for (i = 0; i < job->bo_count && ret > 0; i++)
		ret = dma_resv_wait_timeout(nv3_bo_resv(job->bos[i]), DMA_RESV_USAGE_KERNEL,
					    false, MAX_SCHEDULE_TIMEOUT);
	return ret < 0 ? ret : 0;
}

/* The batch may have ended meanwhile, or have to wait again. */
static void nv3_resume_ready(struct nv3_job *job, struct nv3_preempt_fence *fence)
{
	struct nv3_rm *rm = job->chan->rm;
	unsigned long flags;

	nv3_preempt_fence_publish(fence, job);

	flags = nv3_rm_lock(rm);
	if (nv3_queue_wants_memory(job->chan) == job) {
		nv3_preempt_fence_arm(fence, job);
		/* It has a timeslice to come, whoever waits for the buffers. */
		nv3_queue_resume(job->chan);
	} else {
		list_add_tail(&fence->link, &rm->preempted);
	}
	nv3_rm_unlock(rm, flags);
}

static int nv3_resume_job(struct nv3_job *job)
{
	struct nv3_preempt_fence *fence = nv3_preempt_fence_create(job->chan->rm);
	struct nv3_resume_placing placing = { .job = job };
	struct nv3_device *nv3 = job->chan->rm->nv3;
	int ret;

	if (!fence)
		return -ENOMEM;

	ret = nv3_room_place(nv3, false, nv3_resume_lock_and_place, &placing);
	if (ret)
		goto err_fence;
	ret = nv3_resume_wait_moves(job);
	if (!ret)
		nv3_resume_ready(job, fence);
	drm_exec_fini(&placing.exec);
	nv3_room_leave(nv3);
	if (ret)
		goto err_fence;
	return 0;

err_fence:
	dma_fence_put(&fence->base);
	return ret;
}

/* There is no place for its buffers, and there won't be. */
static void nv3_resume_refuse(struct nv3_job *job)
{
	static const struct nv3_fault fault = { .reason = DRM_NV3_FAULT_PAGE };
	struct nv3_channel *chan = job->chan;
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	if (nv3_queue_wants_memory(chan) == job)
		nv3_fault_blocked(chan, &fault);
	nv3_rm_unlock(chan->rm, flags);
}

static bool nv3_resume_may_retry(int error)
{
	return error == -ENOMEM || error == -ENOSPC || error == -EBUSY;
}

/* The batch that wants its buffers, with a reference, or null. */
static struct nv3_job *nv3_resume_find(struct nv3_channel *chan)
{
	struct nv3_job *job;

	spin_lock_irq(&chan->rm->lock);
	job = nv3_queue_wants_memory(chan);
	if (job)
		nv3_job_get(job);
	spin_unlock_irq(&chan->rm->lock);

	return job;
}

/* A batch could not get its buffers back: has it tried for NV3_RESUME_LIMIT_MS? */
static bool nv3_resume_is_late(struct nv3_channel *chan)
{
	unsigned long now = jiffies;

	if (!chan->resume_tries++)
		chan->resume_since = now;
	return time_after(now, chan->resume_since + msecs_to_jiffies(NV3_RESUME_LIMIT_MS));
}

static void nv3_resume_try(struct nv3_channel *chan)
{
	struct nv3_job *job = nv3_resume_find(chan);
	int ret;

	if (!job)
		return;

	ret = nv3_resume_job(job);
	if (!ret) {
		chan->resume_tries = 0;
	} else if (nv3_resume_may_retry(ret) && !nv3_resume_is_late(chan)) {
		mod_delayed_work(chan->rm->resume_wq, &chan->resume,
				 msecs_to_jiffies(NV3_RESUME_TRY_MS));
	} else {
		drm_dbg(&chan->rm->nv3->drm, "channel %u: its buffers don't come back: %d\n",
			chan->chid, ret);
		nv3_resume_refuse(job);
	}
	nv3_job_put(job);
}

static void nv3_resume_work(struct work_struct *work)
{
	struct nv3_channel *chan = container_of(to_delayed_work(work), struct nv3_channel, resume);
	int idx;

	/* Without the chip all batches are dropped: nv3_rm_fini(). */
	if (!drm_dev_enter(&chan->rm->nv3->drm, &idx))
		return;
	nv3_resume_try(chan);
	drm_dev_exit(idx);
}

/* The channel's first batch could run if it had its buffers. */
void nv3_resume_queue(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	mod_delayed_work(chan->rm->resume_wq, &chan->resume, 0);
}

void nv3_resume_init(struct nv3_channel *chan)
{
	INIT_DELAYED_WORK(&chan->resume, nv3_resume_work);
}

/* The channel has no batches any more. */
void nv3_resume_fini(struct nv3_channel *chan)
{
	cancel_delayed_work_sync(&chan->resume);
}
