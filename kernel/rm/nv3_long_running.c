// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Long-running channels
 *
 * A batch that may wait for another client before it completes must not publish a dma_fence for its
 * completion. If a task waited for that fence while holding locks that the other client needs, a
 * deadlock would result (the kernel's Documentation/driver-api/dma-buf.rst, "Indefinite DMA
 * Fences"). Therefore only long-running channels can use the classes whose methods block. Their
 * batches publish no completion fence. The out syncobjs of such a batch get a fence after the batch
 * has ended.
 *
 * Instead of a completion fence, the buffers of such a batch have a preempt fence, with usage
 * DMA_RESV_USAGE_BOOKKEEP. When this fence has signalled, the chip no longer uses the buffers. The
 * fence signals when the batch has ended, or soon after another task has begun to wait for the
 * fence. In the latter case, a batch that is neither running nor ready releases its buffers at
 * once. A batch that is running or ready releases its buffers at the end of its timeslice. Two
 * batches whose buffers do not fit into VRAM together therefore both make progress. The code that
 * signals a preempt fence takes no lock that other tasks hold while they allocate memory, and waits
 * for no client.
 *
 * Before the next timeslice of a batch that has released its buffers, a worker locks and places the
 * buffers and adds a new preempt fence, as SUBMIT did. The worker does this only for the first
 * batch of a channel, and only if the batch is not blocked. No fence depends on the worker, so it
 * may sleep and may wait for fences.
 *
 * docs/explanation/long-running.md shows the states of the buffers.
 *
 * Suspend waits for all batches, so the time for which methods may block is limited. The callers of
 * nv3_sched_block() limit each wait, and NV3_SCHED_BLOCKED_MAX_MS limits the total time for which a
 * batch is blocked.
 *
 * docs/decisions/0010-long-running-channels.md explains the reasons for this design.
 */

#include <linux/jiffies.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_exec.h>
#include <drm/drm_print.h>

#include "mem/nv3_room.h"
#include "nv3_job.h"
#include "nv3_sched.h"

/* The maximum total time, in milliseconds, for which a batch may be blocked. */
#define NV3_SCHED_BLOCKED_MAX_MS	10000
/*
 * If pinned frame buffers occupy VRAM, nv3_room_place() fails. In this case, the worker retries
 * every NV3_RESUME_TRY_MS. If the worker does not succeed within NV3_RESUME_LIMIT_MS, the channel
 * faults.
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

/* Called in any context, with the lock of the fence held. */
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

/*
 * Releases the buffers of the batch if it is neither running nor ready. Otherwise
 * nv3_sched_end_timeslice() releases them at the end of the timeslice.
 */
static void nv3_preempt_fence_release_idle(struct nv3_job *job)
{
	struct nv3_queue *queue = &job->chan->queue;

	lockdep_assert_held(&job->chan->rm->lock);

	if (job->chan->rm->running == job)
		return;
	if (!list_empty(&queue->link) && nv3_queue_first(queue) == job)
		return;
	nv3_preempt_fence_release(job);
}

static void nv3_preempt_fence_work(struct work_struct *work)
{
	struct nv3_preempt_fence *fence = container_of(work, struct nv3_preempt_fence, work);
	bool cookie = dma_fence_begin_signalling();
	unsigned long flags;

	flags = nv3_rm_lock(fence->rm);
	fence->wanted = true;
	if (fence->job)
		nv3_preempt_fence_release_idle(fence->job);
	nv3_rm_unlock(fence->rm, flags);

	dma_fence_end_signalling(cookie);
	dma_fence_put(&fence->base);
}

/**
 * nv3_preempt_fence_create() - create a preempt fence
 * @rm: the resource manager
 *
 * Each fence has a fence context of its own, because preempt fences do not signal in order.
 *
 * Context: process context.
 * Return: the fence, with one reference, or NULL if memory is exhausted.
 */
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
	nv3_vm_add_fence(job->chan->vm, &fence->base);
}

/* Assigns the fence to the batch, which takes over the caller's reference. */
static void nv3_preempt_fence_arm(struct nv3_preempt_fence *fence, struct nv3_job *job)
{
	lockdep_assert_held(&fence->rm->lock);
	drm_WARN_ON(&fence->rm->nv3->drm, job->preempt_fence);

	job->preempt_fence = fence;
	fence->job = job;
}

/**
 * nv3_preempt_fence_attach() - add a preempt fence to the buffers of a batch
 * @fence: the fence. The batch takes over the caller's reference
 * @job: the batch, which is armed and not pushed. Its buffers are placed and locked, and one fence
 * is reserved in each buffer
 *
 * Context: process context; takes nv3_rm.lock.
 */
void nv3_preempt_fence_attach(struct nv3_preempt_fence *fence, struct nv3_job *job)
{
	unsigned long flags;

	nv3_preempt_fence_publish(fence, job);

	flags = nv3_rm_lock(fence->rm);
	nv3_preempt_fence_arm(fence, job);
	/*
	 * nv3_preempt_fence_work() may have run before the fence was armed, and only set
	 * fence->wanted.
	 */
	if (fence->wanted)
		nv3_preempt_fence_release_idle(job);
	nv3_rm_unlock(fence->rm, flags);
}

/**
 * nv3_preempt_fence_release() - release the buffers of a batch that is not on the chip
 * @job: the batch; nv3_rm_unlock() signals its preempt fence, if it has one
 *
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_preempt_fence_release(struct nv3_job *job)
{
	struct nv3_preempt_fence *fence = job->preempt_fence;

	lockdep_assert_held(&job->chan->rm->lock);

	if (!fence)
		return;
	job->preempt_fence = NULL;
	fence->job = NULL;
	list_add_tail(&fence->link, &fence->rm->preempt_fences);
}

/**
 * nv3_preempt_fences_signal() - signal preempt fences
 * @list: the fences, taken from nv3_rm.preempt_fences
 *
 * Context: nv3_rm.signal_lock is held.
 */
void nv3_preempt_fences_signal(struct list_head *list)
{
	struct nv3_preempt_fence *fence, *next;

	list_for_each_entry_safe(fence, next, list, link) {
		list_del_init(&fence->link);
		dma_fence_signal(&fence->base);
		dma_fence_put(&fence->base);
	}
}

/* ---- placing evicted buffers again ---- */

struct nv3_resume_placing {
	struct drm_exec exec;
	struct nv3_job *job;
};

/*
 * The callback of nv3_room_place(). Eviction may lock further buffers with the same ww context, so
 * this function places the buffers before drm_exec ends the acquire phase.
 */
static int nv3_resume_lock_and_place(void *data, bool retry)
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
			ret = nv3_job_place(job, exec, 1, retry);
		drm_exec_retry_on_contention(exec);
		if (ret)
			break;
	}
	if (ret)
		drm_exec_fini(exec);
	return ret;
}

/*
 * Waits for migrations of the buffers, as the GPU scheduler does before the first timeslice of a
 * batch.
 */
static int nv3_resume_wait_migrations(struct nv3_job *job)
{
	long ret = 1;
	u32 i;

	for (i = 0; i < job->bo_count && ret > 0; i++)
		ret = dma_resv_wait_timeout(nv3_bo_resv(job->bos[i]), DMA_RESV_USAGE_KERNEL,
					    false, MAX_SCHEDULE_TIMEOUT);
	return ret < 0 ? ret : 0;
}

/*
 * Publishes the fence and makes the channel ready. If the batch has ended in the meantime, signals
 * the fence instead.
 */
static void nv3_resume_ready(struct nv3_job *job, struct nv3_preempt_fence *fence)
{
	struct nv3_rm *rm = job->chan->rm;
	unsigned long flags;

	nv3_preempt_fence_publish(fence, job);

	flags = nv3_rm_lock(rm);
	if (nv3_sched_evicted_job(job->chan) == job) {
		nv3_preempt_fence_arm(fence, job);
		/*
		 * Even if another task already waits for the buffers, the batch gets one timeslice.
		 */
		nv3_sched_make_ready(job->chan, false);
	} else {
		list_add_tail(&fence->link, &rm->preempt_fences);
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
	ret = nv3_resume_wait_migrations(job);
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

/* Raises a fault on the channel, because the buffers of its batch can't be placed again. */
static void nv3_resume_refuse(struct nv3_job *job)
{
	static const struct nv3_fault fault = { .reason = DRM_NV3_FAULT_PAGE };
	struct nv3_channel *chan = job->chan;
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	if (nv3_sched_evicted_job(chan) == job)
		nv3_fault_blocked(chan, &fault);
	nv3_rm_unlock(chan->rm, flags);
}

static bool nv3_resume_may_retry(int error)
{
	return error == -ENOMEM || error == -ENOSPC || error == -EBUSY;
}

/*
 * Returns the first batch of the channel, with a reference, if this batch waits only for its
 * buffers. Otherwise returns NULL.
 */
static struct nv3_job *nv3_resume_find(struct nv3_channel *chan)
{
	struct nv3_job *job;

	spin_lock_irq(&chan->rm->lock);
	job = nv3_sched_evicted_job(chan);
	if (job)
		nv3_job_get(job);
	spin_unlock_irq(&chan->rm->lock);

	return job;
}

/* Returns true if the worker has tried to place the buffers for longer than NV3_RESUME_LIMIT_MS. */
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
		drm_dbg(&chan->rm->nv3->drm, "channel %u: no room for evicted buffers: %d\n",
			chan->chid, ret);
		nv3_resume_refuse(job);
	}
	nv3_job_put(job);
}

static void nv3_resume_work(struct work_struct *work)
{
	struct nv3_channel *chan = container_of(to_delayed_work(work), struct nv3_channel, resume);
	int idx;

	/* After an unplug, nv3_rm_fini() drops all batches. */
	if (!drm_dev_enter(&chan->rm->nv3->drm, &idx))
		return;
	nv3_resume_try(chan);
	drm_dev_exit(idx);
}

/**
 * nv3_resume_queue() - queue the worker that places the buffers of a channel's first batch again
 * @chan: the channel
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_resume_queue(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	mod_delayed_work(chan->rm->resume_wq, &chan->resume, 0);
}

/**
 * nv3_resume_init() - initialise the worker of a new channel
 * @chan: the channel
 */
void nv3_resume_init(struct nv3_channel *chan)
{
	INIT_DELAYED_WORK(&chan->resume, nv3_resume_work);
}

/**
 * nv3_resume_fini() - stop the worker of a channel that has no batches
 * @chan: the channel
 *
 * Context: process context.
 */
void nv3_resume_fini(struct nv3_channel *chan)
{
	cancel_delayed_work_sync(&chan->resume);
}

/* ---- methods that block ---- */

/**
 * nv3_sched_block() - block a channel in a software method that can't complete yet
 * @chan: the channel, whose timeslice the trap handler ends afterwards
 * @obj: the object of the method
 * @limit_ms: the maximum duration of the wait, in milliseconds. If nv3_sched_wake() is not called
 * within this time, the channel faults. The total time of all waits of a batch is limited to
 * NV3_SCHED_BLOCKED_MAX_MS
 *
 * Context: nv3_rm.lock is held; called from nv3_class.method().
 * Return: the value that nv3_class.method() must return. If the value is NV3_TRAP_WAIT, the driver
 * calls nv3_class.method() again after nv3_sched_wake().
 */
u32 nv3_sched_block(struct nv3_channel *chan, struct nv3_object *obj, u32 limit_ms)
{
	struct nv3_queue *queue = &chan->queue;
	ktime_t left = ktime_sub(ms_to_ktime(NV3_SCHED_BLOCKED_MAX_MS),
				 nv3_queue_first(queue)->waited);

	lockdep_assert_held(&chan->rm->lock);
	drm_WARN_ON(&chan->rm->nv3->drm, !chan->long_running);

	if (queue->closed)
		return DRM_NV3_FAULT_TIMEOUT;

	queue->waits = obj;
	queue->blocked = ktime_get();
	queue->deadline = ktime_add(queue->blocked, min(left, ms_to_ktime(limit_ms)));
	hrtimer_start(&queue->timer, queue->deadline, HRTIMER_MODE_ABS_SOFT);
	return NV3_TRAP_WAIT;
}

/**
 * nv3_sched_unblock() - end the wait of a blocked channel, without making it ready
 * @chan: the channel
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_sched_unblock(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_job *job;

	if (!queue->waits)
		return;
	queue->waits = NULL;
	/* When a fault ends the batch, the queue may already be empty. */
	if (!list_empty(&queue->jobs)) {
		job = nv3_queue_first(queue);
		job->waited = ktime_add(job->waited, ktime_sub(ktime_get(), queue->blocked));
	}
	/*
	 * If the timer has already expired, its handler does nothing, because the channel no longer
	 * waits.
	 */
	hrtimer_try_to_cancel(&queue->timer);
}

/**
 * nv3_sched_wake() - make a blocked channel ready, so that the driver calls the method again
 * @chan: the channel. If it is not blocked, the function does nothing
 *
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_sched_wake(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	if (!chan->queue.waits)
		return;
	nv3_sched_unblock(chan);
	nv3_sched_make_ready(chan, false);
}

/**
 * nv3_sched_fail_blocked() - end the wait of a blocked channel with a fault
 * @chan: the channel. If it is not blocked, the function does nothing
 *
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_sched_fail_blocked(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;

	lockdep_assert_held(&chan->rm->lock);

	if (!queue->waits)
		return;
	queue->fault.reason = DRM_NV3_FAULT_TIMEOUT;
	nv3_fault_blocked(chan, &queue->fault);
}

/**
 * nv3_sched_close() - make a channel fault if its batch is blocked, or when a batch blocks later
 * @chan: the channel, which the client closes. Batches that do not block still run
 *
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_sched_close(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	chan->queue.closed = true;
	nv3_sched_fail_blocked(chan);
}

/**
 * nv3_sched_check_deadlock() - make a channel fault if it waits for an event that can no longer
 * occur
 * @chan: the channel
 *
 * Context: process context; takes nv3_rm.lock.
 */
void nv3_sched_check_deadlock(struct nv3_channel *chan)
{
	struct nv3_object *obj;
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	obj = chan->queue.waits;
	if (obj && obj->class->is_deadlocked && obj->class->is_deadlocked(obj))
		nv3_sched_fail_blocked(chan);
	nv3_rm_unlock(chan->rm, flags);
}

/**
 * nv3_sched_block_expired() - raise a fault on a channel that has been blocked until its deadline
 * @timer: nv3_queue.timer
 *
 * Return: HRTIMER_NORESTART.
 */
enum hrtimer_restart nv3_sched_block_expired(struct hrtimer *timer)
{
	struct nv3_channel *chan = container_of(timer, struct nv3_channel, queue.timer);
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	/*
	 * The channel may have been woken and blocked again in the meantime. Its deadline is then
	 * later.
	 */
	if (!ktime_before(ktime_get(), chan->queue.deadline))
		nv3_sched_fail_blocked(chan);
	nv3_rm_unlock(chan->rm, flags);

	return HRTIMER_NORESTART;
}
