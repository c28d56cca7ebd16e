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
 * having notified has been given a batch whose last command swallowed the tail. One that isn't
 * may have had all that it may have (nv3_limit.c).
 */

#include <linux/slab.h>

#include <drm/drm_print.h>

#include "../nv3_compat.h"
#include "nv3_bounce.h"
#include "nv3_channel.h"
#include "nv3_copy.h"
#include "nv3_dmaobj.h"
#include "nv3_fault.h"
#include "nv3_job.h"
#include "nv3_limit.h"
#include "nv3_long_running.h"
#include "nv3_object.h"
#include "nv3_queue.h"
#include "nv3_surface.h"
#include "nv3_sync.h"

/* Looks at which a chip was idle: a notification may be on its way through the bus. */
#define NV3_JOB_IDLE_LOOKS	3

/* Batches of a channel that may wait for the chip: one to begin when one ends, and some. */
#define NV3_JOB_DEPTH		4

/* A job that nobody has armed yet; nv3_job_drop() if it never comes to that. */
struct nv3_job *nv3_job_new(struct nv3_channel *chan, u64 client_id)
{
	struct nv3_job *job;
	int ret;

	job = kzalloc(sizeof(*job), GFP_KERNEL);
	if (!job)
		return ERR_PTR(-ENOMEM);

	ret = drm_sched_job_init(&job->base, &chan->entity, 1, NULL, client_id);
	if (ret) {
		kfree(job);
		return ERR_PTR(ret);
	}

	kref_init(&job->ref);
	job->chan = chan;
	INIT_LIST_HEAD(&job->link);
	INIT_LIST_HEAD(&job->outs);
	return job;
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

static void nv3_job_free(struct kref *ref)
{
	struct nv3_job *job = container_of(ref, struct nv3_job, ref);
	u32 i;

	WARN_ON(job->preempt_fence);
	nv3_out_syncs_free(&job->outs);
	for (i = 0; i < job->bo_count; i++)
		if (job->bos[i])
			nv3_bo_put(job->bos[i]);
	kvfree(job->bos);
	kfree(job->bounces);
	dma_fence_put(job->fence);
	kfree(job);
}

void nv3_job_put(struct nv3_job *job)
{
	kref_put(&job->ref, nv3_job_free);
}

void nv3_job_drop(struct nv3_job *job)
{
	drm_sched_job_cleanup(&job->base);
	nv3_job_put(job);
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

/* A batch is over, or will not begin; nv3_rm_unlock() signals its fence. */
void nv3_job_over(struct nv3_job *job, int error)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	job->error = error;
	list_move_tail(&job->link, &rm->over);
	nv3_preempt_fence_release(job);
	nv3_job_retire(job);
	nv3_notify_look(chan, chan->retired);
	if (error)
		return;
	chan->completed++;
	rm->batches++;
	if (chan->client)
		chan->client->batches++;
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

/* Nothing is left to do but to say so. */
void nv3_job_signal(struct nv3_job *job)
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
	LIST_HEAD(preempted);
	LIST_HEAD(notified);
	LIST_HEAD(over);

	nv3_queue_next(rm);
	list_splice_init(&rm->notified, &notified);
	list_splice_init(&rm->over, &over);
	list_splice_init(&rm->preempted, &preempted);
	if (list_empty(&notified) && list_empty(&over) && list_empty(&preempted)) {
		spin_unlock_irqrestore(&rm->lock, flags);
		return;
	}

	/*
	 * Another CPU may end the channel's next batch as soon as it gets nv3_rm.lock. It then
	 * waits here until the fences of those that ended before have signalled.
	 */
	spin_lock(&rm->signal_lock);
	spin_unlock(&rm->lock);

	if (!list_empty(&notified))
		nv3_notify_signal(rm, &notified);
	list_for_each_entry_safe(job, next, &over, link)
		if (!nv3_bounce_in(job))
			nv3_job_signal(job);
	nv3_preempt_fences_signal(&preempted);
	spin_unlock_irqrestore(&rm->signal_lock, flags);
}

/* Gives the chip the first batch of a channel, from its beginning or from where it was. */
void nv3_job_begin(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	bool parked = chan->queue.parked.valid;
	struct nv3_rm *rm = chan->rm;
	u32 i;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->running);

	nv3_switch_pfifo(chan);

	rm->batch++;
	for (i = 0; i < job->bo_count; i++)
		job->bos[i]->rm.batch = rm->batch;
	nv3_dmaobj_update(chan, rm->batch);
	if (job->copy && !parked)
		nv3_copy_begin(chan, job->copy);
	if (rm->pgraph == chan)
		nv3_surface_apply(chan);

	nv3_limit_begin(job);
	job->idle = 0;
	rm->running = job;
	nv3_client_begin(chan);
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
	struct dma_fence *fence = dma_fence_get(job->fence);
	bool cookie = dma_fence_begin_signalling();
	struct nv3_rm *rm = job->chan->rm;
	unsigned long flags;

	nv3_bounce_out(job);

	/* One that is over before it began still comes after those that bring buffers back. */
	flags = nv3_rm_lock(rm);
	if (rm->dead)
		nv3_job_over(job, -ENODEV);
	else if (job->chan->fault.reason)
		nv3_job_over(job, -ECANCELED);
	else
		nv3_queue_add(job);
	nv3_rm_unlock(rm, flags);
	dma_fence_end_signalling(cookie);
	return fence;
}

static void nv3_job_give_up(struct nv3_job *job, u32 reason)
{
	const struct nv3_fault fault = { .reason = reason };

	/* nv3_switch_abort() resets the chip if it doesn't come to rest. */
	nv3_fault_raise(job->chan->rm, &fault);
}

/* Has the running batch, or lease, had all that it may have? Then it ends here. */
void nv3_job_limit(struct nv3_job *job)
{
	lockdep_assert_held(&job->chan->rm->lock);
	drm_WARN_ON(&job->chan->rm->nv3->drm, job->chan->rm->running != job);

	if (nv3_limit_exceeded(job))
		nv3_job_give_up(job, DRM_NV3_FAULT_TIMEOUT);
}

/*
 * The tick, first: what can be told without asking the chip, which keeps the one who asks
 * waiting while it works. Is the batch over? Its interrupt may be on the way.
 */
void nv3_job_clock(struct nv3_job *job)
{
	lockdep_assert_held(&job->chan->rm->lock);
	drm_WARN_ON(&job->chan->rm->nv3->drm, job->chan->rm->running != job);

	/* What is stored to a window has no tail. */
	if (!job->lease && nv3_notifier_done(job->chan))
		nv3_job_finish(job->chan->rm, 0);
}

/* The tick, if the batch goes on: does the chip get on with it? A lease has its own clock. */
void nv3_job_look(struct nv3_job *job)
{
	struct nv3_rm *rm = job->chan->rm;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->running != job);

	if (job->lease)
		return;

	if (!nv3_switch_idle(rm)) {
		job->idle = 0;
		nv3_job_limit(job);
	} else if (++job->idle >= NV3_JOB_IDLE_LOOKS) {
		nv3_job_give_up(job, DRM_NV3_FAULT_STREAM);
	}
}

/* The scheduler has dropped it with its channel, and has said so of its own fence only. */
static void nv3_job_never_ran(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	nv3_job_retire(job);
	nv3_preempt_fence_release(job);
	nv3_notify_look(chan, chan->retired);
	job->error = -ECANCELED;
}

/* A batch of a long-running channel is over, and now its out syncobjs say so. */
static void nv3_job_publish(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	if (!chan->long_running)
		return;

	spin_lock(&chan->outs_lock);
	if (chan->newest == job)
		chan->newest = NULL;
	nv3_out_syncs_signal(&job->outs, job->fence);
	spin_unlock(&chan->outs_lock);
}

static void nv3_job_done(struct drm_sched_job *base)
{
	struct nv3_job *job = to_job(base);
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;
	unsigned long flags;
	bool ran;

	flags = nv3_rm_lock(rm);
	ran = job->retired;
	if (!ran)
		nv3_job_never_ran(job);
	if (nv3_object_reap(chan))
		nv3_object_reap_later(chan);
	nv3_rm_unlock(rm, flags);

	/* The channel's next may wait for it: nv3_bounce_order(). */
	if (!ran)
		nv3_job_signal(job);
	nv3_job_publish(job);
	nv3_job_drop(job);
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

static struct nv3_sched *nv3_job_get_sched(struct nv3_rm *rm, u32 chid)
{
	struct nv3_sched *sched = rm->scheds[chid];

	/* The caller is the only one with this number. */
	if (!sched) {
		sched = kzalloc(sizeof(*sched), GFP_KERNEL);
		if (!sched)
			return NULL;
		snprintf(sched->name, sizeof(sched->name), "nv3-ch%u", chid);
		rm->scheds[chid] = sched;
	}
	return sched;
}

int nv3_job_init(struct nv3_channel *chan)
{
	struct nv3_sched *slot = nv3_job_get_sched(chan->rm, chan->chid);
	struct drm_sched_init_args args = {
		.ops = &nv3_sched_ops,
		.submit_wq = chan->rm->sched_wq,
		.num_rqs = 1,
		.credit_limit = NV3_JOB_DEPTH,
		.timeout = MAX_SCHEDULE_TIMEOUT,
		.dev = chan->rm->nv3->drm.dev,
	};
	struct drm_gpu_scheduler *sched;
	int ret;

	if (!slot)
		return -ENOMEM;
	sched = &slot->base;
	args.name = slot->name;

	ret = drm_sched_init(sched, &args);
	if (ret)
		return ret;
	chan->sched = sched;

	ret = drm_sched_entity_init(&chan->entity, DRM_SCHED_PRIORITY_KERNEL, &sched, 1, NULL);
	if (ret)
		drm_sched_fini(sched);
	return ret;
}

/* The entity is destroyed, and every batch freed. */
void nv3_job_fini(struct nv3_channel *chan)
{
	drm_sched_fini(chan->sched);
}
