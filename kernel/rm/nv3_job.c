// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Running batches
 *
 * The GPU scheduler holds a channel's batches until the fences that they depend on have
 * signalled; then they queue for the chip (nv3_queue.c), which works for one at a time. Giving
 * it one is: the channel becomes PFIFO's owner, its DMA objects are brought up to date, and
 * the pusher is pointed at the batch, or to where it was when the batch was taken off
 * (nv3_park.c). The chip's notification ends it (nv3_rm_irq.c).
 *
 * While a batch runs it is looked at every few milliseconds. A chip that is idle without
 * having notified has been given a batch whose last command swallowed the tail. A batch that
 * takes long isn't wrong, as others have their turns meanwhile; but its fences must signal, so
 * there is a limit to the chip's time that it may take. Only a single method can keep the others
 * waiting, since the chip can't be stopped in the middle of one, short of a reset. No
 * honest method takes long: the limit for that is lower, and lower yet if others do wait.
 */

#include <linux/slab.h>

#include "nv3_channel.h"
#include "nv3_copy.h"
#include "nv3_dmaobj.h"
#include "nv3_fault.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_queue.h"
#include "nv3_rm_compat.h"
#include "nv3_surface.h"

/* One method may draw four million pixels, on a chip that is emulated on a busy machine. */
#define NV3_JOB_STALL_MS	3000
/* The same, while other channels wait; it is the wall's time, also for a starved host. */
#define NV3_JOB_STALL_OTHERS_MS	1500
/* Looks at which a chip was idle: a notification may be on its way through the bus. */
#define NV3_JOB_IDLE_LOOKS	3

/* Batches of a channel that may wait for the chip: one to begin when one ends, and some. */
#define NV3_JOB_DEPTH		4

void nv3_job_free(struct nv3_job *job)
{
	u32 i;

	for (i = 0; i < job->bo_count; i++)
		if (job->bos[i])
			nv3_bo_put(job->bos[i]);
	kvfree(job->bos);
	dma_fence_put(job->fence);
	kfree(job);
}

/*
 * From here on the batch has a number and a fence, and will be pushed. One at a time and in
 * this order for each channel: needs nv3_channel.lock, or nv3_copier.lock for the kernel's own.
 */
void nv3_job_arm(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	drm_sched_job_arm(&job->base);
	job->seqno = ++chan->submitted;
	nv3_channel_get(chan);
	atomic_inc(&chan->rm->jobs);
}

/* And from here on it is the scheduler's. */
void nv3_job_push(struct nv3_job *job)
{
	drm_sched_entity_push_job(&job->base);
}

/* The batch's words aren't needed any more. Batches of a channel end one after the other. */
static void nv3_job_retire(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	lockdep_assert_held(&chan->rm->lock);

	if (job->retired)
		return;
	job->retired = true;
	if (job->lease)
		nv3_lease_over(job);
	else
		nv3_ring_release(&chan->ring, &job->span);
	chan->retired = max(chan->retired, job->seqno);
	wake_up_all(&chan->retire_wait);
}

/* A batch is over that the channel's queue has had; nv3_rm_unlock() signals its fence. */
void nv3_job_over(struct nv3_job *job, int error)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	job->error = error;
	list_move_tail(&job->link, &rm->over);
	nv3_job_retire(job);
	nv3_notify_look(chan, chan->retired);
	if (error)
		return;
	chan->completed++;
	atomic64_inc(&rm->batches);
}

/* The chip is done with the running batch, or it with the chip. */
void nv3_job_finish(struct nv3_rm *rm, int error)
{
	nv3_job_over(rm->running, error);
	nv3_queue_turn_over(rm);
}

unsigned long nv3_rm_lock(struct nv3_rm *rm)
	__acquires(&rm->lock)
{
	unsigned long flags;

	spin_lock_irqsave(&rm->lock, flags);
	return flags;
}

static void nv3_job_signal(struct nv3_job *job)
{
	struct dma_fence *fence = dma_fence_get(job->fence);

	/* Once it has signalled, the scheduler may free the batch. */
	if (job->error)
		dma_fence_set_error(fence, job->error);
	dma_fence_signal(fence);
	dma_fence_put(fence);
}

void nv3_rm_unlock(struct nv3_rm *rm, unsigned long flags)
	__releases(&rm->lock)
{
	struct nv3_job *job, *next;
	LIST_HEAD(notified);
	LIST_HEAD(over);

	nv3_queue_next(rm);
	list_splice_init(&rm->notified, &notified);
	list_splice_init(&rm->over, &over);
	spin_unlock_irqrestore(&rm->lock, flags);

	if (!list_empty(&notified))
		nv3_notify_signal(rm, &notified);
	list_for_each_entry_safe(job, next, &over, link)
		nv3_job_signal(job);
}

/* Gives the chip the first batch of a channel, from its beginning or from where it was. */
void nv3_job_begin(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	bool parked = chan->queue.parked.valid;
	struct nv3_rm *rm = chan->rm;
	u32 i;

	lockdep_assert_held(&rm->lock);
	WARN_ON(rm->running);

	/* Objects destroyed before this batch was submitted don't exist for it. */
	if (!parked)
		nv3_object_reap(chan, job->seqno - 1);
	nv3_switch_pfifo(chan);

	rm->batch++;
	for (i = 0; i < job->bo_count; i++)
		job->bos[i]->rm.batch = rm->batch;
	nv3_dmaobj_update(chan, rm->batch);
	if (job->copy && !parked)
		nv3_copy_begin(chan, job->copy);
	if (rm->pgraph == chan)
		nv3_surface_apply(chan);

	job->started = ktime_get();
	job->progress_at = job->started;
	job->idle = 0;
	rm->running = job;
	if (parked) {
		nv3_unpark(chan);
		if (job->lease)
			nv3_lease_resume(job);
		return;
	}

	nv3_notifier_arm(chan);
	if (job->lease)
		nv3_lease_begin(job);
	else
		nv3_switch_start(job);
}

static struct dma_fence *nv3_job_run(struct drm_sched_job *base)
{
	struct nv3_job *job = to_job(base);
	struct nv3_rm *rm = job->chan->rm;
	struct dma_fence *fence;
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	if (rm->dead || job->chan->fault.reason) {
		fence = ERR_PTR(rm->dead ? -ENODEV : -ECANCELED);
		nv3_job_retire(job);
	} else {
		fence = dma_fence_get(job->fence);
		nv3_queue_add(job);
	}
	nv3_rm_unlock(rm, flags);

	return fence;
}

/* How long the chip may be at one method. */
static s64 nv3_job_stall_ms(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	s64 ms = list_empty(&chan->rm->ready) ? NV3_JOB_STALL_MS : NV3_JOB_STALL_OTHERS_MS;

	return min_t(s64, ms, chan->budget_ms);
}

static bool nv3_job_stalls(struct nv3_job *job, ktime_t now)
{
	struct nv3_rm *rm = job->chan->rm;
	u64 progress = rm->stopping ? job->progress : nv3_switch_progress(rm);

	if (progress != job->progress) {
		job->progress = progress;
		job->progress_at = now;
	}
	return ktime_ms_delta(now, job->progress_at) >= nv3_job_stall_ms(job);
}

static void nv3_job_give_up(struct nv3_job *job, u32 reason)
{
	const struct nv3_fault fault = { .reason = reason };

	/* nv3_switch_abort() resets the chip if it doesn't come to rest. */
	nv3_fault_raise(job->chan->rm, &fault);
}

/*
 * The tick, first: what can be told without asking the chip, which keeps the one who asks
 * waiting while it works. Is the batch over? Has it had its time?
 */
void nv3_job_clock(struct nv3_job *job)
{
	struct nv3_rm *rm = job->chan->rm;
	ktime_t now = ktime_get();
	ktime_t ran = ktime_add(job->ran, ktime_sub(now, job->started));

	lockdep_assert_held(&rm->lock);
	WARN_ON(rm->running != job);

	/* A lease has its own clock. */
	if (job->lease)
		return;

	/* Its interrupt may be on the way. */
	if (nv3_notifier_done(job->chan))
		nv3_job_finish(rm, 0);
	else if (ktime_to_ms(ran) >= job->chan->budget_ms ||
		 (rm->stopping && nv3_job_stalls(job, now)))
		nv3_job_give_up(job, DRM_NV3_FAULT_TIMEOUT);
}

/* The tick, if the batch goes on: does the chip get on with it? */
void nv3_job_look(struct nv3_job *job)
{
	struct nv3_rm *rm = job->chan->rm;

	lockdep_assert_held(&rm->lock);
	WARN_ON(rm->running != job);

	if (job->lease)
		return;

	if (nv3_switch_idle(rm)) {
		if (++job->idle >= NV3_JOB_IDLE_LOOKS)
			nv3_job_give_up(job, DRM_NV3_FAULT_STREAM);
		return;
	}
	job->idle = 0;
	if (nv3_job_stalls(job, ktime_get()))
		nv3_job_give_up(job, DRM_NV3_FAULT_TIMEOUT);
}

static void nv3_job_done(struct drm_sched_job *base)
{
	struct nv3_job *job = to_job(base);
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;
	unsigned long flags;

	/* One that never ran, because its channel was closed, hasn't been retired yet. */
	flags = nv3_rm_lock(rm);
	nv3_job_retire(job);
	nv3_object_reap(chan, chan->retired);
	nv3_rm_unlock(rm, flags);

	drm_sched_job_cleanup(base);
	nv3_job_free(job);
	nv3_channel_put(chan);

	if (atomic_dec_and_test(&rm->jobs))
		wake_up_all(&rm->idle);
}

/*
 * No timedout_job: the scheduler counts time from when it has let a batch go, and what counts
 * here is the chip's (nv3_job_look()).
 */
static const struct drm_sched_backend_ops nv3_sched_ops = {
	.run_job = nv3_job_run,
	.free_job = nv3_job_done,
};

int nv3_job_init(struct nv3_channel *chan)
{
	const struct drm_sched_init_args args = {
		.ops = &nv3_sched_ops,
		.submit_wq = chan->rm->sched_wq,
		.num_rqs = 1,
		.credit_limit = NV3_JOB_DEPTH,
		.timeout = MAX_SCHEDULE_TIMEOUT,
		.name = "nv3",
		.dev = chan->rm->nv3->drm.dev,
	};
	struct drm_gpu_scheduler *sched = &chan->sched;
	int ret;

	ret = drm_sched_init(sched, &args);
	if (ret)
		return ret;

	ret = drm_sched_entity_init(&chan->entity, DRM_SCHED_PRIORITY_KERNEL, &sched, 1, NULL);
	if (ret)
		drm_sched_fini(sched);
	return ret;
}

/* The entity is destroyed, and every batch freed. */
void nv3_job_fini(struct nv3_channel *chan)
{
	drm_sched_fini(&chan->sched);
}
