// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Turns of PIO channels
 *
 * A PIO channel's client stores methods to the chip itself, whenever it likes. What the
 * resource manager needs all the same is what a batch gives it: a time at which the chip is
 * the channel's, the buffers that it reaches placed and fenced for that long, and an
 * end. So a turn of a PIO channel, a lease, is a job like a batch, in the same queue, but
 * without words. A page fault on the window asks for it; it names the buffers of all the
 * objects that the channel has. When it gets the chip the window opens (nv3_window.c), and when
 * it ends the window is shut again, what has run out is replayed (nv3_runout.c), and
 * when the chip is idle the job's fence signals.
 *
 * A lease ends when the client says so (CHANNEL_FLUSH); when it hasn't stored anything for a
 * tick; when its slice is over; with the first method that runs out, as that client is
 * faster than the chip and shall wait; and with a fault. It may so be cut between any
 * two methods, and the client must not notice: nothing is added to what it has stored, no tail
 * and no notifier, and so the end can't be told by one. It is the one thing here that is
 * found out by looking.
 *
 * Fences wait for the end of a turn, and so for the worker that looks at it, nv3_lease_tick(). It
 * takes no lock under which memory is allocated. The page table entries are taken away by
 * another, nv3_lease_unmap_work(): that takes the locks of page faults and of the address space,
 * and runs MMU notifiers, all of which may wait for a fence themselves. The tick waits for it no
 * longer than NV3_LEASE_UNMAP_MS. If that isn't enough, the channel faults and its turn ends, so
 * that the fence signals whatever happens. What is still stored then goes to RAMRO and is dropped.
 *
 * One window is open at a time, and CACHES_REASSIGN stays off. With several open the
 * chip would switch among them by itself whenever CACHE1 is empty, and set down in RAMRO what comes
 * when it isn't; but RAMRO is one for all, and one client that stores without asking fills it
 * in a millisecond, with the others' methods lost beyond it. docs/explanation/channels.md has the
 * whole argument.
 */

#include <linux/delay.h>
#include <linux/jiffies.h>

#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_fault.h"
#include "nv3_job.h"
#include "nv3_limit.h"
#include "nv3_long_running.h"
#include "nv3_object.h"
#include "nv3_queue.h"

/* How often an open lease is looked at. */
#define NV3_LEASE_TICK_MS	4
/* A client that waits for its turn needs a CPU to use it; it may be late so much. */
#define NV3_LEASE_GRACE_MS	20
/* Its turn from then on, while others wait, and when nobody does. */
#define NV3_LEASE_SLICE_MS	8
#define NV3_LEASE_ALONE_MS	40
/* How long its page table entries may take to go. Microseconds, but for a deadlock. */
#define NV3_LEASE_UNMAP_MS	2000

static struct nv3_channel *nv3_lease_channel(struct nv3_lease *lease)
{
	return container_of(lease, struct nv3_channel, lease);
}

static bool nv3_lease_older(struct nv3_lease *lease, unsigned int ms)
{
	return time_after(jiffies, lease->since + msecs_to_jiffies(ms));
}

/* ---- until its turn comes ---- */

static int nv3_lease_admit_once(struct nv3_channel *chan, struct nv3_object *obj)
{
	struct nv3_lease *lease = &chan->lease;
	int ret = 0;

	spin_lock_irq(&chan->rm->lock);
	if (lease->memories < NV3_LEASE_MEMORIES) {
		list_add_tail(&obj->memory, &lease->memory);
		lease->memories++;
	} else {
		ret = -ENOSPC;
	}
	spin_unlock_irq(&chan->rm->lock);

	return ret;
}

/*
 * Enters an object that the channel has made, if it reaches a buffer. Waits for objects that the
 * client has destroyed if there are too many. Needs nv3_channel.lock.
 */
int nv3_lease_admit(struct nv3_channel *chan, struct nv3_object *obj)
{
	int ret;

	if (chan->type != DRM_NV3_CHANNEL_PIO || !obj->class->memory)
		return 0;

	ret = nv3_lease_admit_once(chan, obj);
	if (ret)
		ret = nv3_object_wait_dying(chan) ?: nv3_lease_admit_once(chan, obj);
	if (ret)
		drm_dbg(&chan->rm->nv3->drm, "channel %u: more than %u objects with memory\n",
			chan->chid, NV3_LEASE_MEMORIES);
	return ret;
}

enum nv3_lease_state nv3_lease_state(struct nv3_channel *chan)
{
	enum nv3_lease_state state;

	spin_lock_irq(&chan->rm->lock);
	state = chan->lease.state;
	spin_unlock_irq(&chan->rm->lock);

	return state;
}

/* The scheduler is about to have it. */
void nv3_lease_asked(struct nv3_job *job)
{
	struct nv3_lease *lease = &job->chan->lease;

	spin_lock_irq(&job->chan->rm->lock);
	drm_WARN_ON(&job->chan->rm->nv3->drm, lease->state != NV3_LEASE_NONE);
	lease->state = NV3_LEASE_ASKED;
	lease->job = job;
	lease->cut = false;
	lease->let_go = false;
	list_add_tail(&lease->asked, &job->chan->rm->asked);
	spin_unlock_irq(&job->chan->rm->lock);
}

static bool nv3_lease_settled(struct nv3_channel *chan)
{
	enum nv3_lease_state state = nv3_lease_state(chan);

	return state == NV3_LEASE_NONE || state == NV3_LEASE_OPEN ||
	       READ_ONCE(chan->window.gone);
}

/* Until the turn begins, or there is none. @task_state says which signals end the wait. */
int nv3_lease_wait(struct nv3_channel *chan, unsigned int task_state)
{
	return task_state == TASK_INTERRUPTIBLE ?
	       wait_event_interruptible(chan->lease.wait, nv3_lease_settled(chan)) :
	       wait_event_killable(chan->lease.wait, nv3_lease_settled(chan));
}

/* The client is about to map its window: may it? Needs nv3_window.lock. */
bool nv3_lease_arrive(struct nv3_channel *chan)
{
	struct nv3_lease *lease = &chan->lease;
	bool open;

	spin_lock_irq(&chan->rm->lock);
	open = lease->state == NV3_LEASE_OPEN;
	if (open && !lease->arrived) {
		lease->arrived = true;
		lease->since = jiffies;
	}
	spin_unlock_irq(&chan->rm->lock);

	return open;
}

/* ---- the turn ---- */

/* The chip is the channel's: nv3_job.c has made it PFIFO's owner. */
void nv3_lease_begin(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_lease *lease = &chan->lease;
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, lease->state != NV3_LEASE_ASKED || lease->job != job);
	drm_WARN_ON(&rm->nv3->drm, lease->backlog.count);

	list_del_init(&lease->asked);
	lease->state = NV3_LEASE_OPEN;
	lease->arrived = false;
	lease->since = jiffies;
	lease->put = nv3_rd32(rm->nv3, NV3_PFIFO_CACHE1_PUT);
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);

	if (lease->cut)
		lease->state = NV3_LEASE_ENDING;
	mod_delayed_work(rm->signal_wq, &lease->tick,
			 lease->cut ? 0 : msecs_to_jiffies(NV3_LEASE_TICK_MS));
	wake_up_all(&lease->wait);
}

/* The job has ended, or was never begun. */
void nv3_lease_over(struct nv3_job *job)
{
	struct nv3_lease *lease = &job->chan->lease;

	lockdep_assert_held(&job->chan->rm->lock);

	if (lease->job != job)
		return;
	list_del_init(&lease->asked);
	lease->state = NV3_LEASE_NONE;
	lease->job = NULL;
	lease->blocked = false;
	lease->backlog.count = 0;
	wake_up_all(&lease->wait);
}

/* Until the window is shut, which the caller sees to, the chip takes what is stored as before. */
static void nv3_lease_end(struct nv3_lease *lease)
{
	lockdep_assert_held(&nv3_lease_channel(lease)->rm->lock);

	if (lease->state != NV3_LEASE_OPEN)
		return;

	lease->state = NV3_LEASE_ENDING;
	lease->let_go = !nv3_hold_keeps_turns(nv3_lease_channel(lease)->rm);
	nv3_limit_begin(lease->job);
}

/* Has the worker do what is left to do of the turn's end. */
static void nv3_lease_kick(struct nv3_lease *lease)
{
	mod_delayed_work(nv3_lease_channel(lease)->rm->signal_wq, &lease->tick, 0);
}

/*
 * A software method can't be done yet, and the puller stays where it is. The window has to be
 * shut before the channel can leave the chip.
 */
void nv3_lease_block(struct nv3_job *job)
{
	struct nv3_lease *lease = &job->chan->lease;

	lockdep_assert_held(&job->chan->rm->lock);

	lease->blocked = true;
	nv3_lease_end(lease);
	nv3_lease_kick(lease);
}

/* It has the chip again, with the window shut as before. */
void nv3_lease_resume(struct nv3_job *job)
{
	struct nv3_lease *lease = &job->chan->lease;

	lockdep_assert_held(&job->chan->rm->lock);
	drm_WARN_ON(&job->chan->rm->nv3->drm,
		    lease->state != NV3_LEASE_ENDING || lease->job != job);

	lease->blocked = false;
	nv3_lease_kick(lease);
}

/* Will there never be a turn again? */
bool nv3_lease_dead(struct nv3_channel *chan)
{
	return READ_ONCE(chan->fault.reason) && nv3_lease_state(chan) == NV3_LEASE_NONE;
}

/* The channel has faulted and lost the chip; the window has still to be shut. */
void nv3_lease_fault(struct nv3_job *job)
{
	struct nv3_lease *lease = &job->chan->lease;

	lockdep_assert_held(&job->chan->rm->lock);

	lease->state = NV3_LEASE_ENDING;
	nv3_lease_kick(lease);
}

/*
 * Carries what has run out to the backlog. @intr is PFIFO's: RAMRO may have been full. What the
 * channel has done with that, if anything, is DRM_NV3_FAULT_*, and @store the store that did it.
 */
static u32 nv3_lease_collect(struct nv3_channel *chan, u32 intr, struct nv3_store *store)
{
	u32 fault = nv3_runout_collect(chan, store);

	return intr & NV3_PFIFO_INTR_RUNOUT_OVERFLOW ? DRM_NV3_FAULT_RUNOUT : fault;
}

static void nv3_lease_raise(struct nv3_rm *rm, u32 reason, const struct nv3_store *store)
{
	struct nv3_fault fault = {
		.reason = reason,
		.subch = (store->addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT,
		.mthd = store->addr & NV3_FIFO_ADDR_MTHD,
		.data = store->data,
	};

	nv3_fault_raise(rm, &fault);
}

/* PFIFO's interrupt: there is something in RAMRO. */
void nv3_lease_runout(struct nv3_rm *rm, u32 intr)
{
	struct nv3_job *job = rm->running;
	struct nv3_store store = { 0 };
	u32 fault;

	lockdep_assert_held(&rm->lock);

	/* It has faulted, and what it stores doesn't matter. */
	if (job->chan->fault.reason)
		return;

	/* What comes now queues up behind. */
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
	fault = nv3_lease_collect(job->chan, intr, &store);
	if (fault) {
		nv3_lease_raise(rm, fault, &store);
	} else {
		nv3_lease_end(&job->chan->lease);
		nv3_lease_kick(&job->chan->lease);
	}
}

/* Has the client used its turn since the last tick, and does the chip still work for it? */
static bool nv3_lease_busy(struct nv3_lease *lease)
{
	struct nv3_rm *rm = nv3_lease_channel(lease)->rm;
	u32 put = nv3_rd32(rm->nv3, NV3_PFIFO_CACHE1_PUT);
	bool moved = put != lease->put;

	lease->put = put;
	return moved || !nv3_switch_idle(rm);
}

static bool nv3_lease_expired(struct nv3_lease *lease)
{
	struct nv3_rm *rm = nv3_lease_channel(lease)->rm;
	bool others = atomic_read(&rm->jobs) > 1 || nv3_job_is_wanted(lease->job);

	if (!lease->arrived)
		return nv3_lease_older(lease, NV3_LEASE_GRACE_MS);
	if (!nv3_lease_busy(lease))
		return true;
	return nv3_lease_older(lease, others ? NV3_LEASE_SLICE_MS : NV3_LEASE_ALONE_MS);
}

/* ---- its end ---- */

/* Nothing is left anywhere, and nothing waits for the interrupt handler. */
static bool nv3_lease_drained(struct nv3_channel *chan)
{
	struct nv3_device *nv3 = chan->rm->nv3;

	return !chan->lease.backlog.count && nv3_switch_idle(chan->rm) &&
	       !(nv3_rd32(nv3, NV3_PFIFO_INTR) & NV3_PFIFO_INTR_CACHE_ERROR) &&
	       !(nv3_rd32(nv3, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_VBLANK) &&
	       !nv3_rd32(nv3, NV3_PDMA_INTR);
}

/* Others wait, and what there is to replay takes longer than the slice. */
static bool nv3_lease_expects(struct nv3_rm *rm)
{
	s64 ms = ktime_ms_delta(ktime_get(), rm->running->chan->queue.since);

	return (!list_empty(&rm->ready) || nv3_job_is_wanted(rm->running)) &&
	       ms >= NV3_LEASE_SLICE_MS;
}

/* With the window shut: replays, and looks whether that was all. */
static void nv3_lease_replay(struct nv3_job *job)
{
	struct nv3_store store = { 0 };
	struct nv3_rm *rm = job->chan->rm;
	u32 fault;

	/* Its interrupt may be on the way to another CPU. */
	fault = nv3_lease_collect(job->chan, nv3_rd32(rm->nv3, NV3_PFIFO_INTR), &store);
	if (fault) {
		nv3_lease_raise(rm, fault, &store);
		return;
	}

	nv3_runout_feed(job->chan);
	if (nv3_lease_drained(job->chan)) {
		nv3_runout_drop(rm);
		nv3_job_finish(rm, 0);
	} else if (nv3_lease_expects(rm)) {
		nv3_queue_park(rm);
	} else {
		nv3_job_limit(job);
	}
}

/* The method that the puller has stopped on: it has come to waiting, or it needn't any more. */
static void nv3_lease_unblock(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_store store = { 0 };
	struct nv3_rm *rm = chan->rm;
	u32 fault;

	if (!chan->queue.waits) {
		chan->lease.blocked = false;
		nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
		return;
	}

	fault = nv3_lease_collect(chan, nv3_rd32(rm->nv3, NV3_PFIFO_INTR), &store);
	if (fault)
		nv3_lease_raise(rm, fault, &store);
	else
		nv3_queue_park(rm);
}

/* It is to end, its window is shut, or can't be, and it has the chip for that. */
static bool nv3_lease_ending(struct nv3_lease *lease)
{
	return lease->state == NV3_LEASE_ENDING &&
	       (lease->shut == lease->job->seqno || lease->stuck) &&
	       nv3_lease_channel(lease)->rm->running == lease->job;
}

static void nv3_lease_go_on(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;

	if (!chan->fault.reason) {
		/* The queue's tick parks it, or finds that it takes too long. */
		if (nv3_queue_stopping(rm))
			return;
		if (chan->lease.blocked)
			nv3_lease_unblock(job);
		else
			nv3_lease_replay(job);
	}
	if (chan->fault.reason) {
		nv3_runout_drop(rm);
		nv3_job_finish(rm, -EIO);
	}
}

/* The turn that is to end, if its window isn't shut yet, or 0. */
static u64 nv3_lease_open(struct nv3_lease *lease)
{
	u64 turn = 0;

	spin_lock_irq(&nv3_lease_channel(lease)->rm->lock);
	if (lease->state == NV3_LEASE_ENDING && lease->shut != lease->job->seqno)
		turn = lease->job->seqno;
	spin_unlock_irq(&nv3_lease_channel(lease)->rm->lock);

	return turn;
}

/* Shuts the window of the turn that is to end, once. Sleeps. */
static void nv3_lease_shut(struct nv3_channel *chan)
{
	u64 turn = nv3_lease_open(&chan->lease);

	if (!turn)
		return;
	nv3_window_shut(chan);

	/* By now there may be another turn, whose window isn't. */
	spin_lock_irq(&chan->rm->lock);
	chan->lease.shut = max(chan->lease.shut, turn);
	spin_unlock_irq(&chan->rm->lock);
	wake_up_all(&chan->lease.wait);
}

static void nv3_lease_unmap_work(struct work_struct *work)
{
	struct nv3_lease *lease = container_of(work, struct nv3_lease, unmap);
	struct nv3_channel *chan = nv3_lease_channel(lease);

	nv3_lease_shut(chan);
	if (READ_ONCE(chan->fault.reason))
		nv3_window_end(chan);
}

static void nv3_lease_unmap(struct nv3_lease *lease)
{
	queue_work(nv3_lease_channel(lease)->rm->unmap_wq, &lease->unmap);
}

/*
 * The window isn't shut, and perhaps that waits for the fence of this very turn. So the turn ends,
 * and with it the channel, whose stores can't be held back.
 */
static void nv3_lease_give_up(struct nv3_channel *chan)
{
	static const struct nv3_fault fault = { .reason = DRM_NV3_FAULT_TIMEOUT };
	struct nv3_lease *lease = &chan->lease;
	struct nv3_rm *rm = chan->rm;
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	if (lease->state == NV3_LEASE_ENDING && lease->shut != lease->job->seqno) {
		drm_err(&rm->nv3->drm, "channel %u: its aperture can't be unmapped\n", chan->chid);
		lease->stuck = true;
		if (!chan->fault.reason)
			nv3_fault_blocked(chan, &fault);
	}
	nv3_rm_unlock(rm, flags);
}

/* Has the window shut, without any of the locks that this takes. Sleeps. */
static void nv3_lease_await_shut(struct nv3_channel *chan)
{
	struct nv3_lease *lease = &chan->lease;

	if (!nv3_lease_open(lease) || READ_ONCE(lease->stuck))
		return;
	nv3_lease_unmap(lease);
	if (!wait_event_timeout(lease->wait, !nv3_lease_open(lease),
				msecs_to_jiffies(NV3_LEASE_UNMAP_MS)))
		nv3_lease_give_up(chan);
}

/* A step towards the end of a turn whose window is shut. True when there is no more to do. */
static bool nv3_lease_step(struct nv3_channel *chan)
{
	struct nv3_lease *lease = &chan->lease;
	struct nv3_rm *rm = chan->rm;
	unsigned long flags;
	bool over;

	flags = nv3_rm_lock(rm);
	if (nv3_lease_ending(lease))
		nv3_lease_go_on(lease->job);
	/* If it is parked, it goes on with nv3_lease_resume(). */
	over = !nv3_lease_ending(lease);
	nv3_rm_unlock(rm, flags);

	return over;
}

/* Sleeps until the turn is over. */
static void nv3_lease_finish(struct nv3_channel *chan)
{
	nv3_lease_await_shut(chan);
	while (!nv3_lease_step(chan))
		usleep_range(20, 50);
}

/*
 * Shuts the window; mostly the chip is done by then, and the worker needn't be asked. No fence
 * waits for the caller.
 */
static void nv3_lease_hurry(struct nv3_channel *chan)
{
	nv3_lease_shut(chan);
	if (!nv3_lease_step(chan))
		nv3_lease_kick(&chan->lease);
}

/* Does debugfs want it to stay as it is? Not if that would keep others waiting for nothing. */
static bool nv3_lease_held(struct nv3_lease *lease)
{
	struct nv3_channel *chan = nv3_lease_channel(lease);

	return !chan->fault.reason && (lease->let_go ? nv3_hold_keeps_answers(chan->rm) :
						       nv3_hold_keeps_turns(chan->rm));
}

static void nv3_lease_tick(struct work_struct *work)
{
	struct nv3_lease *lease = container_of(to_delayed_work(work), struct nv3_lease, tick);
	struct nv3_channel *chan = nv3_lease_channel(lease);
	bool cookie = dma_fence_begin_signalling();
	enum nv3_lease_state state;
	bool held;

	spin_lock_irq(&chan->rm->lock);
	held = nv3_lease_held(lease);
	if (lease->state == NV3_LEASE_OPEN && !held && nv3_lease_expired(lease))
		nv3_lease_end(lease);
	state = lease->state;
	if (state == NV3_LEASE_OPEN || (state == NV3_LEASE_ENDING && held))
		mod_delayed_work(chan->rm->signal_wq, &lease->tick,
				 msecs_to_jiffies(NV3_LEASE_TICK_MS));
	spin_unlock_irq(&chan->rm->lock);

	if (state == NV3_LEASE_ENDING && !held)
		nv3_lease_finish(chan);
	if (READ_ONCE(chan->fault.reason))
		nv3_lease_unmap(lease);
	dma_fence_end_signalling(cookie);
}

/*
 * What the client stores after this is carried out in another turn, with the objects of then.
 * Needs nv3_channel.lock, so that none is being asked for.
 */
void nv3_lease_cut(struct nv3_channel *chan)
{
	struct nv3_lease *lease = &chan->lease;
	bool ending;

	spin_lock_irq(&chan->rm->lock);
	nv3_lease_end(lease);
	lease->let_go = true;
	if (lease->state == NV3_LEASE_ASKED)
		lease->cut = true;
	ending = lease->state == NV3_LEASE_ENDING;
	spin_unlock_irq(&chan->rm->lock);

	if (ending)
		nv3_lease_hurry(chan);
}

static bool nv3_lease_reaches(struct nv3_job *job, struct nv3_bo **bos, u32 count)
{
	u64 batch = job->chan->rm->batch;
	u32 i;

	for (i = 0; i < count; i++)
		if (bos[i]->rm.batch == batch)
			return true;
	return false;
}

static bool nv3_lease_marked(const struct nv3_job *job, u64 mark)
{
	u32 i;

	for (i = 0; i < job->bo_count; i++)
		if (job->bos[i]->rm.mark == mark)
			return true;
	return false;
}

/* The leases that have been asked for and reach one of @bos end as soon as they begin. */
static void nv3_lease_cut_asked(struct nv3_rm *rm, struct nv3_bo **bos, u32 count)
{
	struct nv3_lease *lease;
	u32 i;

	if (list_empty(&rm->asked))
		return;

	rm->mark++;
	for (i = 0; i < count; i++)
		bos[i]->rm.mark = rm->mark;
	list_for_each_entry(lease, &rm->asked, asked) {
		if (!lease->job->chan->long_running && nv3_lease_marked(lease->job, rm->mark)) {
			lease->cut = true;
			lease->let_go = true;
		}
	}
}

/*
 * A batch is about to be submitted that names @bos, and will wait for any lease that reaches
 * one of them, open or asked for. What is stored once SUBMIT has returned must come after the
 * batch, so it may not go into these. The reservations are held, and so the next one can't be
 * asked for yet. Nobody waits for those of long-running channels.
 * Returns the channel whose lease was open, if any, for nv3_channel_put() when
 * they are not held any more.
 */
struct nv3_channel *nv3_lease_interrupt(struct nv3_rm *rm, struct nv3_bo **bos, u32 count)
{
	struct nv3_channel *chan = NULL;

	spin_lock_irq(&rm->lock);
	if (rm->running && rm->running->lease && !rm->running->chan->long_running &&
	    nv3_lease_reaches(rm->running, bos, count)) {
		chan = nv3_channel_get(rm->running->chan);
		nv3_lease_end(&chan->lease);
	}
	nv3_lease_cut_asked(rm, bos, count);
	spin_unlock_irq(&rm->lock);

	if (chan)
		nv3_lease_hurry(chan);
	return chan;
}

/* ---- the channel's life ---- */

int nv3_lease_init(struct nv3_channel *chan)
{
	struct nv3_lease *lease = &chan->lease;

	INIT_LIST_HEAD(&lease->memory);
	INIT_LIST_HEAD(&lease->asked);
	init_waitqueue_head(&lease->wait);
	INIT_DELAYED_WORK(&lease->tick, nv3_lease_tick);
	INIT_WORK(&lease->unmap, nv3_lease_unmap_work);
	return nv3_backlog_init(&lease->backlog);
}

/* The last job and the last mapping are gone. */
void nv3_lease_fini(struct nv3_channel *chan)
{
	cancel_delayed_work_sync(&chan->lease.tick);
	cancel_work_sync(&chan->lease.unmap);
	dma_fence_put(chan->lease.fence);
	nv3_backlog_fini(&chan->lease.backlog);
}
