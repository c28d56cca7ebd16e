// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Running batches
 *
 * The GPU scheduler takes the batches of all channels in turn, each when the fences that it
 * depends on have signalled, and gives the chip one at a time: a batch is atomic, so the
 * scheduler has one credit and each batch costs it. Starting one is: the channel becomes
 * PFIFO's owner, its DMA objects are brought up to date, and the pusher is pointed at the
 * batch. The chip's notification ends it (nv3_rm_irq.c).
 *
 * A batch that takes long isn't wrong. When the scheduler's time is over, the pusher's and
 * puller's positions tell whether the chip has got on since; if so, it gets more time,
 * but not for ever, since nobody else can draw meanwhile. A chip that is idle without having
 * notified has been given a batch whose last command swallowed the tail.
 */

#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_dmaobj.h"
#include "nv3_fault.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_rm_compat.h"
#include "nv3_surface.h"

/* How often a running batch is looked at. */
#define NV3_JOB_PERIOD_MS	500
/* No sign of progress for so long: one method may draw four million pixels. */
#define NV3_JOB_STALL_MS	3000
/* And this is the end, progress or not. */
#define NV3_JOB_LIMIT_MS	10000

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

/* The chip is done with the running batch, or it with the chip. */
void nv3_job_finish(struct nv3_rm *rm, int error)
{
	struct nv3_job *job = rm->running;

	lockdep_assert_held(&rm->lock);
	WARN_ON(rm->over);

	job->error = error;
	rm->running = NULL;
	rm->over = job;
	if (job->lease)
		nv3_lease_over(job);

	if (error)
		return;
	job->chan->completed++;
	atomic64_inc(&rm->batches);
}

unsigned long nv3_rm_lock(struct nv3_rm *rm)
	__acquires(&rm->lock)
{
	unsigned long flags;

	spin_lock_irqsave(&rm->lock, flags);
	return flags;
}

void nv3_rm_unlock(struct nv3_rm *rm, unsigned long flags)
	__releases(&rm->lock)
{
	struct dma_fence *fence = NULL;

	if (rm->over) {
		fence = dma_fence_get(rm->over->fence);
		if (rm->over->error)
			dma_fence_set_error(fence, rm->over->error);
		rm->over = NULL;
	}
	spin_unlock_irqrestore(&rm->lock, flags);

	if (fence) {
		dma_fence_signal(fence);
		dma_fence_put(fence);
	}
}

static void nv3_job_start(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;
	u32 i;

	/* Objects destroyed before this batch was submitted don't exist for it. */
	nv3_object_reap(chan, job->seqno - 1);
	nv3_switch_pfifo(chan);

	rm->batch++;
	for (i = 0; i < job->bo_count; i++)
		job->bos[i]->rm.batch = rm->batch;
	nv3_dmaobj_update(chan, rm->batch);
	if (rm->pgraph == chan)
		nv3_surface_apply(chan);

	job->started = ktime_get();
	job->progress_at = job->started;
	rm->running = job;
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
	if (rm->dead) {
		fence = ERR_PTR(-ENODEV);
	} else if (job->chan->fault.reason) {
		fence = ERR_PTR(-ECANCELED);
	} else {
		nv3_job_start(job);
		fence = dma_fence_get(job->fence);
	}
	nv3_rm_unlock(rm, flags);

	return fence;
}

/* Why the running batch can't go on, or DRM_NV3_FAULT_NONE. */
static u32 nv3_job_verdict(struct nv3_rm *rm, struct nv3_job *job)
{
	u64 progress = nv3_switch_progress(rm);
	ktime_t now = ktime_get();

	/* The notification may have come since it was last looked at. */
	if (nv3_switch_idle(rm))
		return nv3_notifier_done(job->chan) ? DRM_NV3_FAULT_NONE : DRM_NV3_FAULT_STREAM;
	if (ktime_ms_delta(now, job->started) >= NV3_JOB_LIMIT_MS)
		return DRM_NV3_FAULT_TIMEOUT;

	if (progress != job->progress) {
		job->progress = progress;
		job->progress_at = now;
	}
	return ktime_ms_delta(now, job->progress_at) < NV3_JOB_STALL_MS ? DRM_NV3_FAULT_NONE :
									  DRM_NV3_FAULT_TIMEOUT;
}

static void nv3_job_give_up(struct nv3_rm *rm, u32 reason)
{
	struct nv3_fault fault = { .reason = reason };

	if (reason == DRM_NV3_FAULT_TIMEOUT)
		nv3_switch_reset(rm);
	nv3_fault_raise(rm, &fault);
}

static void nv3_job_judge(struct nv3_rm *rm, struct nv3_job *job)
{
	u32 reason;

	/* A lease has its own clock. */
	if (rm->running != job || job->lease)
		return;

	/* Its interrupt may be on the way. */
	if (nv3_notifier_done(job->chan)) {
		nv3_job_finish(rm, 0);
		return;
	}

	reason = nv3_job_verdict(rm, job);
	if (reason)
		nv3_job_give_up(rm, reason);
}

static enum drm_gpu_sched_stat nv3_job_timedout(struct drm_sched_job *base)
{
	struct nv3_job *job = to_job(base);
	struct dma_fence *fence = dma_fence_get(job->fence);
	struct nv3_rm *rm = job->chan->rm;
	enum drm_gpu_sched_stat stat;
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	nv3_job_judge(rm, job);
	nv3_rm_unlock(rm, flags);

	/* More time, or a fence that is signalled: the scheduler goes on with it. */
	stat = nv3_sched_reinsert(base, fence);
	dma_fence_put(fence);
	return stat;
}

static void nv3_job_done(struct drm_sched_job *base)
{
	struct nv3_job *job = to_job(base);
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;

	if (job->lease) {
		spin_lock_irq(&rm->lock);
		nv3_lease_over(job);
		spin_unlock_irq(&rm->lock);
	} else {
		nv3_ring_release(&chan->ring, &job->span);
	}
	nv3_channel_retire(chan, job->seqno);

	drm_sched_job_cleanup(base);
	nv3_job_free(job);
	nv3_channel_put(chan);

	if (atomic_dec_and_test(&rm->jobs))
		wake_up_all(&rm->idle);
}

static const struct drm_sched_backend_ops nv3_sched_ops = {
	.run_job = nv3_job_run,
	.timedout_job = nv3_job_timedout,
	.free_job = nv3_job_done,
};

int nv3_job_init(struct nv3_rm *rm)
{
	const struct drm_sched_init_args args = {
		.ops = &nv3_sched_ops,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.credit_limit = 1,
		.timeout = msecs_to_jiffies(NV3_JOB_PERIOD_MS),
		.name = "nv3",
		.dev = rm->nv3->drm.dev,
	};

	return drm_sched_init(&rm->sched, &args);
}

void nv3_job_fini(struct nv3_rm *rm)
{
	drm_sched_fini(&rm->sched);
}
