// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The ready queue
 *
 * The chip works for one channel at a time. Who is next is decided here, and not by the GPU
 * scheduler, because only here is it known what makes a channel wait after its batch has
 * begun: another channel's semaphore, the vertical blank, or its time being up. Each channel
 * has a scheduler of its own, which keeps the batches that wait for fences and lets a
 * few at a time go that don't (as drivers of chips do whose firmware schedules). Those wait in
 * nv3_queue.jobs; a channel that has some, and isn't blocked, is in nv3_rm.ready once.
 *
 *             nv3_queue_add()                 nv3_queue_next()
 *     idle ------------------> ready -------------------------> running
 *      ^                        ^ ^                              | | |
 *      |                        | '--- nv3_queue_park(), --------' | |
 *      |                        |      nv3_queue_turn_over()       | |
 *      |                        '-- nv3_queue_wake() -- blocked <--' |
 *      '--------------------- nv3_job_finish() ----------------------'
 *
 * The next turn begins where the one before has ended, in the interrupt (nv3_rm_unlock()), so
 * that the chip doesn't wait for a thread. A turn lasts while the channel has batches: when it
 * has had NV3_TURN_MS and another is ready, it goes to the end of the line after the batch, and
 * after NV3_SLICE_MS in the middle of it. So nobody waits for longer than a slice, and what
 * parking takes, times the number of busy channels. A timer ticks while a batch runs; it looks
 * at the batch too (nv3_job_look()). It is a soft one, as what it does may take longer than the
 * kernel likes of a timer's interrupt, on a virtual CPU that isn't running all the time.
 *
 * A channel of higher priority is put before those of lower priority, and preempts one of them
 * at the next tick after NV3_TURN_MS. Each waiting channel counts how often it was overtaken, and
 * nobody passes one that has been overtaken NV3_QUEUE_OVERTAKEN_MAX times; its count starts anew
 * with its turn. So the bound on how long a channel waits holds for every priority, longer by
 * that many turns.
 *
 * Only a long-running channel can be blocked, and no fence waits for it then
 * (nv3_long_running.c). It still doesn't wait for ever, so that suspend comes to an end:
 * nv3_queue_block() takes a limit, and a batch may wait for NV3_QUEUE_WAIT_MS in all, however
 * often. A long-running channel that is not blocked, but whose first batch has lost its buffers,
 * is not ready until nv3_queue_resume().
 */

#include <linux/kernel.h>

#include <drm/drm_print.h>

#include "../nv3_compat.h"
#include "nv3_channel.h"
#include "nv3_fault.h"
#include "nv3_job.h"
#include "nv3_limit.h"
#include "nv3_long_running.h"
#include "nv3_object.h"
#include "nv3_queue.h"
#include "nv3_switch.h"

/* How often the running batch is looked at, and its time. */
#define NV3_TICK_MS	4
/* While the chip is asked to stop in the middle of a batch. */
#define NV3_STOP_US	100
/* A batch may be blocked for so long in all. */
#define NV3_QUEUE_WAIT_MS	10000
/* A channel gives way after a batch, when it has had so long; */
#define NV3_TURN_MS	1
/* and after so long in the middle of one. */
#define NV3_SLICE_MS	8
/* A channel that is ready is overtaken by others of higher priority so often. */
#define NV3_QUEUE_OVERTAKEN_MAX	8

/*
 * Is the running batch being taken off, while PGRAPH is still at a method of it? The pusher and
 * the puller are held up then. That can't outlast what is being taken off: whoever takes PFIFO
 * away from the channel (nv3_switch_abort(), nv3_switch_reset()) ends it.
 */
bool nv3_queue_stopping(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm,
		    rm->stopping && (!rm->running || rm->pfifo != rm->running->chan));

	return rm->stopping;
}

/* The one that runs, or is next. */
static struct nv3_job *nv3_queue_first(struct nv3_queue *queue)
{
	return list_first_entry(&queue->jobs, struct nv3_job, link);
}

static bool nv3_queue_waiting(const struct nv3_queue *queue)
{
	return !list_empty(&queue->link);
}

/*
 * Behind all channels of the same priority or a higher one, and those that have been overtaken
 * often enough.
 */
static void nv3_queue_insert(struct nv3_rm *rm, struct nv3_queue *queue)
{
	struct list_head *after = &rm->ready;
	struct nv3_queue *other;

	list_for_each_entry_reverse(other, &rm->ready, link) {
		if (other->priority >= queue->priority ||
		    other->overtaken >= NV3_QUEUE_OVERTAKEN_MAX) {
			after = &other->link;
			break;
		}
		other->overtaken++;
	}
	list_add(&queue->link, after);
}

/* Does a channel of higher priority get the chip next? */
static bool nv3_queue_outranked(struct nv3_rm *rm, const struct nv3_queue *queue)
{
	return !list_empty(&rm->ready) &&
	       list_first_entry(&rm->ready, struct nv3_queue, link)->priority > queue->priority;
}

/* The channel wants a turn, if it has something to do and nothing to wait for. */
static void nv3_queue_enter(struct nv3_channel *chan, bool first)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_rm *rm = chan->rm;

	if (list_empty(&queue->jobs) || queue->waits || queue->reaps || nv3_queue_waiting(queue))
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
		queue->entered = rm->turns;
		queue->overtaken = 0;
		nv3_queue_insert(rm, queue);
	}
}

/* The channel's first batch, if that could run but for its buffers, or null. */
struct nv3_job *nv3_queue_wants_memory(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_job *job;

	lockdep_assert_held(&chan->rm->lock);

	job = list_first_entry_or_null(&queue->jobs, struct nv3_job, link);
	return job && !queue->waits && !nv3_job_is_resident(job) ? job : NULL;
}

/* And now it has them. */
void nv3_queue_resume(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	nv3_queue_enter(chan, false);
}

/*
 * Somebody waits for the batch's buffers. While it has a timeslice, or is in line for one, it
 * keeps them until the end of that: nv3_queue_turn_over().
 */
void nv3_queue_reclaim(struct nv3_job *job)
{
	struct nv3_queue *queue = &job->chan->queue;
	struct nv3_rm *rm = job->chan->rm;

	lockdep_assert_held(&rm->lock);

	if (rm->running == job)
		return;
	if (nv3_queue_waiting(queue) && nv3_queue_first(queue) == job)
		return;
	nv3_preempt_fence_release(job);
}

void nv3_queue_add(struct nv3_job *job)
{
	lockdep_assert_held(&job->chan->rm->lock);

	list_add_tail(&job->link, &job->chan->queue.jobs);
	nv3_queue_enter(job->chan, false);
}

/* A turn, and not more of the last one: how many of others' has it waited for? */
static void nv3_queue_count_turn(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;
	u64 waited = chan->rm->turns - queue->entered;

	drm_WARN_ON(&chan->rm->nv3->drm,
		    waited >= NV3_RM_CHANNELS + NV3_QUEUE_OVERTAKEN_MAX);
	queue->waited = max_t(u64, queue->waited, waited);
	chan->rm->turns++;
}

static void nv3_queue_begin(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_rm *rm = chan->rm;

	drm_WARN_ON(&rm->nv3->drm, queue->waits || nv3_queue_waiting(queue));
	drm_WARN_ON(&rm->nv3->drm, !nv3_job_is_resident(nv3_queue_first(queue)));

	if (!queue->keeps) {
		queue->since = ktime_get();
		nv3_queue_count_turn(chan);
	}
	queue->keeps = false;

	nv3_job_begin(nv3_queue_first(queue));

	if (!rm->ticking) {
		rm->ticking = true;
		hrtimer_start(&rm->tick, ms_to_ktime(NV3_TICK_MS), HRTIMER_MODE_REL_SOFT);
	}
}

/*
 * Objects destroyed before the channel's next batch was submitted don't exist for it. True if
 * they are too many to be removed here: then the channel wants a turn again when a worker has
 * removed them.
 */
static bool nv3_queue_reaps(struct nv3_channel *chan)
{
	/* A preempted batch began after they were removed. */
	if (chan->queue.parked.valid)
		return false;
	if (!nv3_object_many_dead(chan)) {
		nv3_object_reap(chan);
		return false;
	}

	chan->queue.reaps = true;
	chan->queue.keeps = false;
	nv3_object_reap_later(chan);
	return true;
}

/* They are removed. */
void nv3_queue_reaped(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	if (!chan->queue.reaps)
		return;
	chan->queue.reaps = false;
	nv3_queue_enter(chan, false);
}

/* Gives the chip to the channel that has waited longest, if it is free. */
void nv3_queue_next(struct nv3_rm *rm)
{
	struct nv3_channel *chan;

	lockdep_assert_held(&rm->lock);

	while (!rm->running && !rm->dead && !list_empty(&rm->ready)) {
		chan = list_first_entry(&rm->ready, struct nv3_channel, queue.link);
		list_del_init(&chan->queue.link);
		if (!nv3_queue_reaps(chan))
			nv3_queue_begin(chan);
	}
}

/* The running batch leaves the chip, over or parked; its channel may want another turn. */
void nv3_queue_turn_over(struct nv3_rm *rm)
{
	struct nv3_job *job = rm->running;
	struct nv3_channel *chan = job->chan;
	s64 ms = ktime_ms_delta(ktime_get(), chan->queue.since);

	lockdep_assert_held(&rm->lock);

	/* It was over before it could be taken off. */
	if (nv3_queue_stopping(rm))
		nv3_switch_go(rm);
	nv3_client_end(chan);
	rm->running = NULL;
	if (nv3_job_is_wanted(job))
		nv3_preempt_fence_release(job);
	rm->stopping = false;
	chan->queue.keeps = !chan->queue.parked.valid && ms < NV3_TURN_MS &&
			    !nv3_queue_outranked(rm, &chan->queue);
	nv3_queue_enter(chan, chan->queue.keeps);
	if (!nv3_queue_waiting(&chan->queue))
		chan->queue.keeps = false;
}

/*
 * Takes the running batch off the chip, to go on later: now, or, if PGRAPH is in the middle
 * of a method, as soon as it has done that.
 */
void nv3_queue_park(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);

	/* Either its turn is over now, or it stays at the method that it is at. */
	if (!nv3_queue_stopping(rm))
		nv3_limit_look(rm->running);
	rm->stopping = !nv3_park(rm);
	if (!rm->stopping)
		nv3_queue_turn_over(rm);
}

/*
 * For a software method that can't be done yet: what to return from it. The channel's turn ends,
 * and when nv3_queue_wake() has been called the method is tried again. If it isn't called
 * within @limit_ms, or within what is left to the batch, the channel faults.
 */
u32 nv3_queue_block(struct nv3_channel *chan, struct nv3_object *obj, u32 limit_ms)
{
	struct nv3_queue *queue = &chan->queue;
	ktime_t left = ktime_sub(ms_to_ktime(NV3_QUEUE_WAIT_MS), nv3_queue_first(queue)->waited);

	lockdep_assert_held(&chan->rm->lock);
	WARN_ON(!chan->long_running);

	if (queue->closed)
		return DRM_NV3_FAULT_TIMEOUT;

	queue->waits = obj;
	queue->blocked = ktime_get();
	queue->deadline = ktime_add(queue->blocked, min(left, ms_to_ktime(limit_ms)));
	hrtimer_start(&queue->timer, queue->deadline, HRTIMER_MODE_ABS_SOFT);
	return NV3_TRAP_WAIT;
}

/* The channel doesn't wait for anything any more. */
static void nv3_queue_unblock(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_job *job;

	if (!queue->waits)
		return;
	queue->waits = NULL;
	job = nv3_queue_first(queue);
	job->waited = ktime_add(job->waited, ktime_sub(ktime_get(), queue->blocked));
	/* One that runs already finds that nobody waits. */
	hrtimer_try_to_cancel(&queue->timer);
}

/* What it has waited for has come; it tries again when it is its turn. */
void nv3_queue_wake(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	if (!chan->queue.waits)
		return;
	nv3_queue_unblock(chan);
	nv3_queue_enter(chan, false);
}

/*
 * The running batch's channel has faulted and lost the chip, but keeps its turn until its
 * window is shut (nv3_lease_fault()). The method that it may have waited in is gone.
 */
void nv3_queue_abort(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->pfifo || nv3_queue_stopping(rm));

	nv3_queue_unblock(rm->running->chan);
}

/* What it waits for won't come. */
void nv3_queue_fail(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;

	lockdep_assert_held(&chan->rm->lock);

	if (!queue->waits)
		return;
	queue->fault.reason = DRM_NV3_FAULT_TIMEOUT;
	nv3_fault_blocked(chan, &queue->fault);
}

/* The client is gone: its batches go on as long as they needn't wait. */
void nv3_queue_close(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	chan->queue.closed = true;
	nv3_queue_fail(chan);
}

static void nv3_queue_look_hopeless(struct nv3_channel *chan)
{
	struct nv3_object *obj;
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	obj = chan->queue.waits;
	if (obj && obj->class->hopeless && obj->class->hopeless(obj))
		nv3_queue_fail(chan);
	nv3_rm_unlock(chan->rm, flags);
}

static void nv3_queue_hopeless_work(struct work_struct *work)
{
	struct nv3_rm *rm = container_of(work, struct nv3_rm, hopeless);
	struct nv3_channel *chan;
	u32 chid;

	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_queue_look_hopeless(chan);
		nv3_channel_put(chan);
	}
}

/*
 * Somebody that channels may wait for is gone. Those that now wait in vain fault, and others may
 * have waited for these: so they are looked for one by one, and not in the interrupt.
 */
void nv3_queue_doubt(struct nv3_rm *rm)
{
	queue_work(rm->wq, &rm->hopeless);
}

static enum hrtimer_restart nv3_queue_expired(struct hrtimer *timer)
{
	struct nv3_channel *chan = container_of(timer, struct nv3_channel, queue.timer);
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	/* It may have been woken, and wait for something else by now. */
	if (!ktime_before(ktime_get(), chan->queue.deadline))
		nv3_queue_fail(chan);
	nv3_rm_unlock(chan->rm, flags);

	return HRTIMER_NORESTART;
}

/*
 * The channel's batches end here, none of them running: the first with error @first, the
 * others with @rest.
 */
void nv3_queue_drop(struct nv3_channel *chan, int first, int rest)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_job *job, *next;
	int error = first;

	lockdep_assert_held(&chan->rm->lock);
	drm_WARN_ON(&chan->rm->nv3->drm, chan->rm->running && chan->rm->running->chan == chan);

	nv3_queue_unblock(chan);
	queue->parked.valid = false;
	list_del_init(&queue->link);
	list_for_each_entry_safe(job, next, &queue->jobs, link) {
		nv3_job_over(job, error);
		error = rest;
	}
}

/* Is it another's turn? */
static bool nv3_queue_expects(struct nv3_rm *rm)
{
	s64 ms = ktime_ms_delta(ktime_get(), rm->running->chan->queue.since);

	/* A lease has a slice of its own (nv3_lease.c), and takes time to end. */
	if (rm->running->lease || ms < NV3_TURN_MS)
		return false;
	if (nv3_queue_outranked(rm, &rm->running->chan->queue))
		return true;
	return ms >= NV3_SLICE_MS &&
	       (!list_empty(&rm->ready) || nv3_job_is_wanted(rm->running));
}

/* When to look again. */
static ktime_t nv3_queue_interval(struct nv3_rm *rm)
{
	return nv3_queue_stopping(rm) ? ns_to_ktime(NV3_STOP_US * NSEC_PER_USEC) :
					ms_to_ktime(NV3_TICK_MS);
}

static enum hrtimer_restart nv3_queue_tick(struct hrtimer *timer)
{
	struct nv3_rm *rm = container_of(timer, struct nv3_rm, tick);
	unsigned long flags;
	bool vblank = false, again;

	flags = nv3_rm_lock(rm);
	/* One that was about to leave does. */
	if (nv3_hold_keeps_turns(rm) && !nv3_queue_stopping(rm))
		goto out;
	if (rm->running)
		nv3_job_clock(rm->running);
	if (rm->running && (nv3_queue_stopping(rm) || nv3_queue_expects(rm))) {
		nv3_queue_park(rm);
		if (rm->running)
			nv3_job_limit(rm->running);
	} else if (rm->running) {
		vblank = nv3_rm_irq_service(rm, nv3_rd32(rm->nv3, NV3_PMC_INTR));
		if (rm->running)
			nv3_job_look(rm->running);
	}
	nv3_queue_next(rm);
out:
	again = rm->running;
	rm->ticking = again;
	if (again)
		hrtimer_forward_now(timer, nv3_queue_interval(rm));
	nv3_rm_unlock(rm, flags);

	if (vblank)
		nv3_kms_vblank(rm->nv3);
	return again ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

void nv3_queue_rm_init(struct nv3_rm *rm)
{
	INIT_LIST_HEAD(&rm->ready);
	INIT_LIST_HEAD(&rm->asked);
	INIT_LIST_HEAD(&rm->over);
	INIT_LIST_HEAD(&rm->notified);
	INIT_LIST_HEAD(&rm->preempted);
	INIT_WORK(&rm->hopeless, nv3_queue_hopeless_work);
	hrtimer_setup(&rm->tick, nv3_queue_tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
}

/* No turn begins any more. */
void nv3_queue_rm_fini(struct nv3_rm *rm)
{
	hrtimer_cancel(&rm->tick);
}

void nv3_queue_init(struct nv3_channel *chan)
{
	INIT_LIST_HEAD(&chan->queue.link);
	INIT_LIST_HEAD(&chan->queue.jobs);
	hrtimer_setup(&chan->queue.timer, nv3_queue_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

void nv3_queue_fini(struct nv3_channel *chan)
{
	drm_WARN_ON(&chan->rm->nv3->drm,
		    !list_empty(&chan->queue.jobs) || nv3_queue_waiting(&chan->queue));
	hrtimer_cancel(&chan->queue.timer);
}
