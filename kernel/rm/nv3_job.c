// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Running batches
 *
 * The GPU scheduler holds the batches of a channel until their dependencies have signalled. The
 * batches then wait in the channel's queue for the chip (nv3_sched.c), which runs one batch at a
 * time. To run a batch, the driver makes its channel the owner of PFIFO and updates the DMA objects
 * of the channel. It then starts the pusher at the batch, or where the batch was preempted. The
 * notification of the tail ends the batch (nv3_rm_irq.c). PIO timeslices and copies of the
 * migration engine are also jobs, see struct nv3_job_ops.
 *
 * A timer checks the running batch every NV3_SCHED_TICK_MS. If the chip is idle and has not written
 * the notification, the count in the batch's last header is too large, and the pusher has read the
 * tail as data. If the chip is busy, the batch may have exceeded a limit (nv3_hang_check.c).
 */

#include <linux/slab.h>

#include <drm/drm_print.h>

#include "client/nv3_out_sync.h"
#include "device/nv3_trace.h"
#include "nv3_fence.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_sched.h"
#include "nv3_switch.h"

static const struct nv3_job_ops nv3_batch_ops = {
	.begin = nv3_batch_begin,
	.retire = nv3_batch_retire,
};

/**
 * nv3_job_create() - create a job without arming it
 * @chan: the channel of the job
 * @client_id: drm_file.client_id of the caller, or 0
 *
 * The job is a batch unless the caller changes nv3_job.ops.
 * Context: process context.
 * Return: the job, for nv3_job_push() or nv3_job_destroy(), or an ERR_PTR().
 */
struct nv3_job *nv3_job_create(struct nv3_channel *chan, u64 client_id)
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
	job->ops = &nv3_batch_ops;
	INIT_LIST_HEAD(&job->link);
	INIT_LIST_HEAD(&job->outs);
	return job;
}

/**
 * nv3_job_place() - move the buffers of a job to memory that the chip can reach
 * @job: the job, whose buffers are locked
 * @exec: holds the locks; the function adds the locks of the channel's address space
 * @fences: the number of fences to reserve in the address space
 * @retry: see nv3_bo_place_all()
 * Context: process context. After the call, the caller must call drm_exec_retry_on_contention().
 * Return: the same as nv3_bo_place_all().
 */
int nv3_job_place(struct nv3_job *job, struct drm_exec *exec, unsigned int fences, bool retry)
{
	struct nv3_vm *vm = job->chan->vm;
	int ret = (retry ? nv3_vm_evict(vm, exec) : 0) ?:
		  nv3_bo_place_all(job->bos, job->bo_count, retry) ?:
		  nv3_vm_place(vm, exec, fences);

	if (ret == -EDEADLK)
		return ret;
	if (ret)
		drm_dbg(&job->chan->rm->nv3->drm, "channel %u: no room for its buffers: %d\n",
			job->chan->chid, ret);
	else
		job->chan->rm->hooks->class->prepare(job);
	return ret;
}

/**
 * nv3_job_arm() - assign a job its number, and initialise its fences in the GPU scheduler
 * @job: the job. The caller must pass it to nv3_job_push() next
 * Context: process context. nv3_channel.lock, or the kernel's nv3_migration_engine.lock, is held
 * until the push, so that jobs are pushed in the order of their numbers.
 */
void nv3_job_arm(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	drm_sched_job_arm(&job->base);
	job->seqno = ++chan->submitted;
	trace_nv3_batch_submit(chan->rm->nv3, chan->chid, job->seqno);
	nv3_channel_get(chan);
	atomic_inc(&chan->rm->jobs);
}

/**
 * nv3_job_push() - pass a job to the GPU scheduler
 * @job: the job, which the scheduler frees
 * Context: the same as for nv3_job_arm().
 */
void nv3_job_push(struct nv3_job *job)
{
	drm_sched_entity_push_job(&job->base);
}

static void nv3_job_free(struct kref *ref)
{
	struct nv3_job *job = container_of(ref, struct nv3_job, ref);
	u32 i;

	drm_WARN_ON(&job->chan->rm->nv3->drm, job->preempt_fence);
	nv3_out_syncs_free(&job->outs);
	for (i = 0; i < job->bo_count; i++)
		if (job->bos[i])
			nv3_bo_put(job->bos[i]);
	kvfree(job->bos);
	kfree(job->syncs);
	dma_fence_put(job->fence);
	kfree(job);
}

/**
 * nv3_job_put() - drop a reference to a job
 * @job: the job
 * Context: process context.
 */
void nv3_job_put(struct nv3_job *job)
{
	kref_put(&job->ref, nv3_job_free);
}

/**
 * nv3_job_destroy() - free a job that was not armed, or that has ended
 * @job: the job
 * Context: process context.
 */
void nv3_job_destroy(struct nv3_job *job)
{
	drm_sched_job_cleanup(&job->base);
	nv3_job_put(job);
}

/**
 * nv3_batch_retire() - &struct nv3_job_ops.retire of a batch
 * @job: the batch. The function frees its range in the ring
 */
void nv3_batch_retire(struct nv3_job *job)
{
	nv3_ring_release(&job->chan->ring, &job->span);
}

/* Frees the resources of a job. The jobs of a channel retire in the order of their numbers. */
static void nv3_job_retire(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	lockdep_assert_held(&chan->rm->lock);

	if (job->retired)
		return;
	job->retired = true;
	job->ops->retire(job);
	chan->retired = max(chan->retired, job->seqno);
	wake_up_all(&chan->retire_wait);
}

/**
 * nv3_job_complete() - end a job
 * @job: a job that is not running
 * @error: the error of nv3_job.fence, which nv3_rm_unlock() signals, or 0
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_job_complete(struct nv3_job *job, int error)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	trace_nv3_batch_end(rm->nv3, chan->chid, job->seqno, job->base.submit_ts,
			    job->hang_check.begun, error);
	job->error = error;
	list_move_tail(&job->link, &rm->over);
	nv3_preempt_fence_release(job);
	nv3_job_retire(job);
	nv3_notifier_check(chan, chan->retired);
	if (error)
		return;
	chan->completed++;
	rm->batches++;
	if (chan->client)
		chan->client->batches++;
}

/**
 * nv3_job_finish() - retire the running batch, completed or aborted
 * @rm: the resource manager
 * @error: the error of nv3_job.fence, or 0
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_job_finish(struct nv3_rm *rm, int error)
{
	nv3_job_complete(rm->running, error);
	nv3_sched_end_timeslice(rm);
}

/**
 * nv3_rm_lock() - take nv3_rm.lock to end batches, or to make channels ready
 * @rm: the resource manager
 * Context: any.
 * Return: the argument of nv3_rm_unlock().
 */
unsigned long nv3_rm_lock(struct nv3_rm *rm)
	__acquires(&rm->lock)
{
	unsigned long flags;

	spin_lock_irqsave(&rm->lock, flags);
	return flags;
}

/**
 * nv3_rm_unlock() - begin the next timeslice, release nv3_rm.lock and signal fences
 * @rm: the resource manager
 * @flags: the return value of nv3_rm_lock()
 * Context: any.
 */
void nv3_rm_unlock(struct nv3_rm *rm, unsigned long flags)
	__releases(&rm->lock)
{
	struct nv3_job *job, *next;
	LIST_HEAD(preempted);
	LIST_HEAD(notified);
	LIST_HEAD(over);

	nv3_sched_next(rm);
	list_splice_init(&rm->notifier_done, &notified);
	list_splice_init(&rm->over, &over);
	list_splice_init(&rm->preempt_fences, &preempted);
	if (list_empty(&notified) && list_empty(&over) && list_empty(&preempted)) {
		spin_unlock_irqrestore(&rm->lock, flags);
		return;
	}

	/*
	 * Another CPU may end the next batch of the channel as soon as nv3_rm.lock is released.
	 * That CPU then waits here until the fences of the earlier batches have signalled.
	 */
	spin_lock(&rm->signal_lock);
	spin_unlock(&rm->lock);

	if (!list_empty(&notified))
		nv3_notifier_signal(rm, &notified);
	list_for_each_entry_safe(job, next, &over, link)
		if (!nv3_job_sync_for_cpu(job))
			nv3_job_signal(job);
	nv3_preempt_fences_signal(&preempted);
	spin_unlock_irqrestore(&rm->signal_lock, flags);
}

/**
 * nv3_batch_begin() - &struct nv3_job_ops.begin of a batch
 * @job: the batch
 */
void nv3_batch_begin(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	/* The tail of the previous batch has bound this subchannel to the fence object. */
	nv3_switch_bind(chan, NV3_TAIL_SUBCH, 0);
	chan->soft[NV3_TAIL_SUBCH] = NULL;
	nv3_pfifo_push(chan->rm->nv3, &job->span);
}

/**
 * nv3_job_begin() - start a job, or resume it if it was preempted
 * @job: the first job of its channel
 * Context: nv3_rm.lock is held; no batch runs.
 */
void nv3_job_begin(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;
	u32 i;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->running);

	nv3_trace_clock(rm->nv3);
	nv3_switch_pfifo(chan);

	rm->batch++;
	for (i = 0; i < job->bo_count; i++)
		job->bos[i]->rm.batch = rm->batch;
	rm->hooks->class->begin(job);
	if (rm->pgraph == chan)
		rm->hooks->class->apply(chan);

	nv3_hang_check_start(job);
	job->idle = 0;
	rm->running = job;
	rm->running_since = ktime_get();
	if (chan->queue.preempted.valid) {
		trace_nv3_batch_resume(rm->nv3, chan->chid, job->seqno);
		nv3_switch_resume(chan);
		if (nv3_freeze_methods(rm))
			nv3_rm_start_puller(rm);
		if (job->ops->resume)
			job->ops->resume(job);
	} else {
		nv3_fence_arm(chan);
		if (nv3_freeze_methods(rm))
			nv3_rm_start_puller(rm);
		job->ops->begin(job);
	}
}

static struct dma_fence *nv3_job_run(struct drm_sched_job *base)
{
	struct nv3_job *job = to_job(base);
	struct dma_fence *fence = dma_fence_get(job->fence);
	bool cookie = dma_fence_begin_signalling();
	struct nv3_rm *rm = job->chan->rm;
	unsigned long flags;

	nv3_job_sync_for_device(job);

	/* The job may end here, because nv3_rm_unlock() signals its fence in order. */
	flags = nv3_rm_lock(rm);
	if (rm->dead) {
		nv3_job_complete(job, -ENODEV);
	} else if (job->chan->fault.reason) {
		nv3_job_complete(job, -ECANCELED);
	} else {
		nv3_sched_queue_job(job);
		/* Omit the event if nv3_rm_unlock() begins the batch at once. */
		if (rm->running || list_empty(&job->chan->queue.link))
			trace_nv3_batch_queue(rm->nv3, job->chan->chid, job->seqno);
	}
	nv3_rm_unlock(rm, flags);
	dma_fence_end_signalling(cookie);
	return fence;
}

/* Ends a job that the GPU scheduler has dropped. The scheduler signals only job->base.s_fence. */
static void nv3_job_cancel(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	nv3_job_retire(job);
	nv3_preempt_fence_release(job);
	nv3_notifier_check(chan, chan->retired);
	job->error = -ECANCELED;
}

/* If the channel is long-running, passes the fence of the batch to the batch's out syncobjs. */
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
	bool ran, cookie = dma_fence_begin_signalling();
	struct nv3_rm *rm = chan->rm;
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	ran = job->retired;
	if (!ran)
		nv3_job_cancel(job);
	if (nv3_object_reap(chan))
		nv3_sched_reap_later(chan);
	nv3_rm_unlock(rm, flags);

	/* The next batch of the channel may wait for this fence (nv3_job_sync_order()). */
	if (!ran)
		nv3_job_signal(job);
	dma_fence_end_signalling(cookie);
	nv3_job_publish(job);
	nv3_job_destroy(job);
	nv3_channel_put(chan);

	if (atomic_dec_and_test(&rm->jobs))
		wake_up_all(&rm->idle);
}

/*
 * nv3_hang_check.c replaces timedout_job, and limits the chip time of a batch. The GPU scheduler
 * would also count the time in the channel's queue.
 */
const struct drm_sched_backend_ops nv3_job_backend_ops = {
	.run_job = nv3_job_run,
	.free_job = nv3_job_done,
};
