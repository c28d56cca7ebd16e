// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The scheduler of the chip
 *
 * The chip runs the batches of one channel at a time. The resource manager, not a GPU scheduler,
 * selects this channel. Only the resource manager knows what a channel waits for after its batch
 * has begun: a semaphore, a vertical blank, or its next timeslice. The GPU scheduler of each
 * channel holds a batch until all dependencies of the batch have signalled, then releases it to
 * nv3_queue.jobs. At most NV3_JOB_DEPTH batches of a channel are released at a time. A channel with
 * released batches is in nv3_rm.ready unless it runs or waits.
 *
 * docs/explanation/channels.md shows the states of a channel. nv3_sched_queue_job() makes a channel
 * ready, and nv3_sched_next() runs the channel. The channel becomes ready again in
 * nv3_sched_preempt() or nv3_sched_end_timeslice(), or in nv3_sched_wake() if a method has blocked.
 * The channel is idle when nv3_job_finish() has ended its last batch. Only a long-running channel
 * can be blocked (nv3_long_running.c).
 *
 * The interrupt handler that ends a timeslice also begins the next timeslice (nv3_rm_unlock()), so
 * that the chip never waits for a thread. A timeslice lasts while the channel has batches. If
 * another channel is ready, the timeslice ends with the first batch that ends after
 * NV3_TIMESLICE_MIN_MS, or by preemption after NV3_TIMESLICE_MAX_MS. Each timeslice of another
 * channel delays a ready channel by at most NV3_TIMESLICE_MAX_MS plus the duration of a preemption.
 *
 * While a batch runs, a timer ends timeslices and checks the batch (nv3_job_check_progress()). The
 * handler of the timer runs in a soft interrupt, because it may take too long for a hard interrupt
 * on a virtual CPU.
 *
 * A channel runs before ready channels of lower priority. It preempts a running channel of lower
 * priority at the next tick after NV3_TIMESLICE_MIN_MS. A ready channel is overtaken at most
 * NV3_SCHED_OVERTAKEN_MAX times before its next timeslice.
 */

#include <linux/kernel.h>

#include <drm/drm_print.h>

#include "device/nv3_compat.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_sched.h"
#include "nv3_switch.h"

/* The interval of the tick. submit.latency of `make bench` does not depend on this interval. */
#define NV3_SCHED_TICK_MS	4
/* The interval of the tick while PFIFO is stopped for a preemption. */
#define NV3_PREEMPT_POLL_US	100
/* A timeslice may end between batches after the minimum, and is preempted after the maximum. */
#define NV3_TIMESLICE_MIN_MS	1
#define NV3_TIMESLICE_MAX_MS	8
/* The maximum number of times that channels of higher priority overtake a ready channel. */
#define NV3_SCHED_OVERTAKEN_MAX	8

/**
 * nv3_sched_is_preempting() - check whether PFIFO is stopped to preempt the running batch
 * @rm: the resource manager
 *
 * In this state PGRAPH still executes a method of the batch. A fault or a reset also ends this
 * state (nv3_switch_abort(), nv3_switch_reset()).
 * Context: nv3_rm.lock is held.
 */
bool nv3_sched_is_preempting(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm,
		    rm->preempting && (!rm->running || rm->pfifo != rm->running->chan));

	return rm->preempting;
}

static bool nv3_queue_is_ready(const struct nv3_queue *queue)
{
	return !list_empty(&queue->link);
}

/*
 * Inserts the channel behind all channels of the same or a higher priority, and behind channels
 * that have been overtaken NV3_SCHED_OVERTAKEN_MAX times.
 */
static void nv3_sched_insert(struct nv3_rm *rm, struct nv3_queue *queue)
{
	struct list_head *after = &rm->ready;
	struct nv3_queue *other;

	list_for_each_entry_reverse(other, &rm->ready, link) {
		if (other->priority >= queue->priority ||
		    other->overtaken >= NV3_SCHED_OVERTAKEN_MAX) {
			after = &other->link;
			break;
		}
		other->overtaken++;
	}
	list_add(&queue->link, after);
}

/**
 * nv3_sched_is_outranked() - check if the first ready channel has a higher priority than @queue
 * @rm: the resource manager
 * @queue: the queue of the running channel
 * Context: nv3_rm.lock is held.
 */
bool nv3_sched_is_outranked(struct nv3_rm *rm, const struct nv3_queue *queue)
{
	return !list_empty(&rm->ready) &&
	       list_first_entry(&rm->ready, struct nv3_queue, link)->priority > queue->priority;
}

/**
 * nv3_sched_make_ready() - make a channel ready, if it has a batch and does not wait
 * @chan: the channel
 * @first: true to insert the channel before all others, because its timeslice continues
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_sched_make_ready(struct nv3_channel *chan, bool first)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	if (list_empty(&queue->jobs) || queue->waits || queue->reaping ||
	    nv3_queue_is_ready(queue))
		return;
	if (rm->running && rm->running->chan == chan)
		return;
	if (!nv3_job_is_resident(nv3_queue_first(queue))) {
		nv3_resume_queue(chan);
		return;
	}

	if (first) {
		list_add(&queue->link, &rm->ready);
	} else {
		queue->entered = rm->timeslices;
		queue->overtaken = 0;
		nv3_sched_insert(rm, queue);
	}
}

/**
 * nv3_sched_queue_job() - queue a batch that the GPU scheduler has released
 * @job: the batch
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_sched_queue_job(struct nv3_job *job)
{
	lockdep_assert_held(&job->chan->rm->lock);

	list_add_tail(&job->link, &job->chan->queue.jobs);
	nv3_sched_make_ready(job->chan, false);
}

static void nv3_sched_count_timeslice(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;
	u64 waited = chan->rm->timeslices - queue->entered;

	drm_WARN_ON(&chan->rm->nv3->drm,
		    waited >= NV3_RM_CHANNELS + NV3_SCHED_OVERTAKEN_MAX);
	queue->waited = max_t(u64, queue->waited, waited);
	chan->rm->timeslices++;
}

/* Begins a timeslice, or the next batch of the current timeslice. */
static void nv3_sched_begin_timeslice(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_rm *rm = chan->rm;

	drm_WARN_ON(&rm->nv3->drm, queue->waits || nv3_queue_is_ready(queue));
	drm_WARN_ON(&rm->nv3->drm, !nv3_job_is_resident(nv3_queue_first(queue)));

	if (!queue->continues) {
		queue->since = ktime_get();
		nv3_sched_count_timeslice(chan);
	}
	queue->continues = false;

	nv3_job_begin(nv3_queue_first(queue));

	if (!rm->ticking) {
		rm->ticking = true;
		hrtimer_start(&rm->tick, ms_to_ktime(NV3_SCHED_TICK_MS), HRTIMER_MODE_REL_SOFT);
	}
}

/*
 * Removes the objects that were destroyed before the next batch was submitted. If there are more
 * than NV3_OBJECT_REAP_MAX, returns true, and a worker removes them and makes the channel ready.
 */
static bool nv3_sched_must_reap(struct nv3_channel *chan)
{
	/* The objects were removed before the preempted batch began. */
	if (chan->queue.preempted.valid)
		return false;
	if (!nv3_object_has_many_dead(chan)) {
		nv3_object_reap(chan);
		return false;
	}

	chan->queue.reaping = true;
	chan->queue.continues = false;
	nv3_sched_reap_later(chan);
	return true;
}

/**
 * nv3_sched_next() - begin a timeslice of the first ready channel, if no batch runs
 * @rm: the resource manager
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_sched_next(struct nv3_rm *rm)
{
	struct nv3_channel *chan;

	lockdep_assert_held(&rm->lock);

	while (!rm->running && !rm->dead && !list_empty(&rm->ready)) {
		chan = list_first_entry(&rm->ready, struct nv3_channel, queue.link);
		list_del_init(&chan->queue.link);
		if (!nv3_sched_must_reap(chan))
			nv3_sched_begin_timeslice(chan);
	}
}

static void nv3_sched_account(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;
	s64 ns = ktime_to_ns(ktime_sub(ktime_get(), rm->running_since));

	rm->engine_ns += ns;
	if (chan->client)
		chan->client->engine_ns += ns;
}

/**
 * nv3_sched_end_timeslice() - end the timeslice of a batch that has ended or was preempted
 * @rm: the resource manager
 *
 * The channel becomes ready again if it has another batch, or if the batch was preempted.
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_sched_end_timeslice(struct nv3_rm *rm)
{
	struct nv3_job *job = rm->running;
	struct nv3_channel *chan = job->chan;
	s64 ms = ktime_ms_delta(ktime_get(), chan->queue.since);

	lockdep_assert_held(&rm->lock);

	/* The batch has ended before the preemption was complete. */
	if (nv3_sched_is_preempting(rm))
		nv3_pfifo_start(rm->nv3);
	nv3_sched_account(chan);
	rm->running = NULL;
	if (nv3_job_is_wanted(job))
		nv3_preempt_fence_release(job);
	rm->preempting = false;
	chan->queue.continues = !chan->queue.preempted.valid && ms < NV3_TIMESLICE_MIN_MS &&
				!nv3_sched_is_outranked(rm, &chan->queue);
	nv3_sched_make_ready(chan, chan->queue.continues);
	if (!nv3_queue_is_ready(&chan->queue))
		chan->queue.continues = false;
}

/**
 * nv3_sched_preempt() - preempt the running batch
 * @rm: the resource manager
 *
 * If PGRAPH is in the middle of a method, the tick completes the preemption later.
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_sched_preempt(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);

	/* Update the hang check now: the progress does not change while PFIFO is stopped. */
	if (!nv3_sched_is_preempting(rm)) {
		nv3_hang_check_update(rm->running);
		rm->running->chan->queue.reason = nv3_sched_preempt_reason(rm);
	}
	rm->preempting = !nv3_switch_preempt(rm);
	if (!rm->preempting)
		nv3_sched_end_timeslice(rm);
}

/**
 * nv3_sched_timeslice_expired() - check whether the running batch should be preempted now
 * @rm: the resource manager
 * Context: nv3_rm.lock is held.
 */
bool nv3_sched_timeslice_expired(struct nv3_rm *rm)
{
	s64 ms = ktime_ms_delta(ktime_get(), rm->running->chan->queue.since);

	/* nv3_pio_tick() ends PIO timeslices, because unmapping the aperture can sleep. */
	if (rm->running->is_pio || ms < NV3_TIMESLICE_MIN_MS)
		return false;
	if (nv3_sched_is_outranked(rm, &rm->running->chan->queue))
		return true;
	return ms >= NV3_TIMESLICE_MAX_MS &&
	       (!list_empty(&rm->ready) || nv3_job_is_wanted(rm->running));
}

/**
 * nv3_sched_interval() - return the time until the next tick
 * @rm: the resource manager
 * Context: nv3_rm.lock is held.
 */
ktime_t nv3_sched_interval(struct nv3_rm *rm)
{
	return nv3_sched_is_preempting(rm) ? ns_to_ktime(NV3_PREEMPT_POLL_US * NSEC_PER_USEC) :
					     ms_to_ktime(NV3_SCHED_TICK_MS);
}

/**
 * nv3_sched_channel_init() - initialise the queue of a new channel
 * @chan: the channel
 */
void nv3_sched_channel_init(struct nv3_channel *chan)
{
	INIT_LIST_HEAD(&chan->queue.link);
	INIT_LIST_HEAD(&chan->queue.jobs);
	hrtimer_setup(&chan->queue.timer, nv3_sched_block_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

/**
 * nv3_sched_channel_fini() - release the empty queue of a channel
 * @chan: the channel
 * Context: process context.
 */
void nv3_sched_channel_fini(struct nv3_channel *chan)
{
	drm_WARN_ON(&chan->rm->nv3->drm,
		    !list_empty(&chan->queue.jobs) || nv3_queue_is_ready(&chan->queue));
	hrtimer_cancel(&chan->queue.timer);
}
