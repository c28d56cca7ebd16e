// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: PIO timeslices
 *
 * The client of a PIO channel itself stores methods to the chip, at any time. The resource manager
 * treats these methods like a batch. While the chip executes them, the channel must own the chip,
 * and its buffers must be placed and fenced. The driver must be able to limit the time for which
 * the channel owns the chip. A PIO timeslice is therefore a job in the same queue as batches, but
 * it has no words in the ring. A page fault on the aperture requests the timeslice, which lists the
 * buffers of all objects of the channel. When the timeslice has begun, the aperture may be mapped
 * (nv3_aperture.c). When the timeslice ends, the driver unmaps the aperture, and replays the
 * methods that overflowed to RAMRO (nv3_runout.c). The fence of the job signals when the chip has
 * executed all methods of the timeslice.
 *
 * The client can end its timeslice with CHANNEL_FLUSH. The driver ends a timeslice when the
 * timeslice has expired, when the client hasn't stored a method for NV3_PIO_TICK_MS and the chip is
 * idle, or after a fault. The driver also ends a timeslice when a method overflows to RAMRO,
 * because the overflow means that the client is faster than the chip. A timeslice may thus end
 * between any two methods, and the client does not notice it. The driver appends no tail to the
 * client's methods, so no notification reports their completion. The tick polls the chip instead.
 *
 * Fences depend on the end of a timeslice, and thus on the work item that ends it, nv3_pio_tick().
 * This work item takes no lock that other tasks hold while they allocate memory. A second work
 * item, nv3_pio_unmap_work(), unmaps the aperture. Unmapping takes nv3_aperture.lock, which the
 * page fault handler holds. It also takes locks of the process's address space, and calls MMU
 * notifiers. Holders of these locks, and the notifiers, may wait for a fence. The tick waits for
 * nv3_pio_unmap_work() for at most NV3_PIO_UNMAP_MS. If unmapping takes longer, the channel faults
 * and its timeslice ends, so that the fence signals in any case. Later stores go to RAMRO, and the
 * driver drops them.
 *
 * lockdep does not see the wait of the tick, because wait_event_timeout() is not a lock. lockdep
 * therefore can't check the locks of nv3_pio_unmap_work() against fences, and only the time limit
 * prevents a deadlock. The KUnit test nv3_test_pio_stuck() checks that the time limit works.
 *
 * At most one aperture is mapped at a time, and CACHES_REASSIGN stays disabled. If several
 * apertures were mapped, the chip would switch between their channels by itself whenever CACHE1 is
 * empty, and stores of the other channels would overflow to RAMRO. All channels share RAMRO. One
 * fast client fills RAMRO in a millisecond, so methods of other clients would be lost.
 * docs/decisions/0006-one-pio-aperture-at-a-time.md explains this decision.
 */

#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

#include <drm/drm_print.h>

#include "class/nv3_classes.h"
#include "nv3_pio.h"
#include "rm/nv3_job.h"
#include "rm/nv3_sched.h"

/* The interval at which the tick checks an open timeslice. */
#define NV3_PIO_TICK_MS		4
/*
 * The time within which the client must access its aperture after the timeslice has begun. The
 * client may have to wait for a CPU.
 */
#define NV3_PIO_GRACE_MS	20
/*
 * The length of a timeslice after the client's first access, while other channels are ready. Tuned
 * with pio.work of `make bench`.
 */
#define NV3_PIO_TIMESLICE_MS	8
/* The length of a timeslice while no other channel is ready. */
#define NV3_PIO_TIMESLICE_ALONE_MS	40
/*
 * The maximum time for unmapping the aperture. Unmapping takes microseconds, unless it waits for a
 * fence that depends on the timeslice.
 */
#define NV3_PIO_UNMAP_MS	2000

static bool nv3_pio_is_older(struct nv3_pio *pio, unsigned int ms)
{
	return time_after(jiffies, pio->since + msecs_to_jiffies(ms));
}

/* ---- before the timeslice ---- */

static int nv3_pio_try_add_memory(struct nv3_object *obj)
{
	struct nv3_rm *rm = obj->chan->rm;
	struct nv3_pio *pio = obj->chan->pio;
	int ret = 0;

	spin_lock_irq(&rm->lock);
	if (pio->memory_count < NV3_PIO_MEMORY_MAX) {
		list_add_tail(&obj->memory, &pio->memory);
		pio->memory_count++;
	} else {
		ret = -ENOSPC;
	}
	spin_unlock_irq(&rm->lock);

	return ret;
}

/**
 * nv3_pio_add_memory() - &struct nv3_pio_ops.add_memory
 * @obj: an object of a class with nv3_class.memory
 *
 * If the channel has NV3_PIO_MEMORY_MAX such objects, the function waits until the objects that the
 * client has destroyed have been freed.
 *
 * Context: process context; nv3_channel.lock is held.
 * Return: 0, -ENOSPC if the channel still has NV3_PIO_MEMORY_MAX such objects, or -ERESTARTSYS.
 */
int nv3_pio_add_memory(struct nv3_object *obj)
{
	struct nv3_channel *chan = obj->chan;
	int ret = nv3_pio_try_add_memory(obj);

	if (ret)
		ret = nv3_class_wait_dying(chan) ?: nv3_pio_try_add_memory(obj);
	if (ret)
		drm_dbg(&chan->rm->nv3->drm, "channel %u: more than %u objects with memory\n",
			chan->chid, NV3_PIO_MEMORY_MAX);
	return ret;
}

/**
 * nv3_pio_remove_memory() - &struct nv3_pio_ops.remove_memory
 * @obj: the object. If the object was not added, the function does nothing
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_pio_remove_memory(struct nv3_object *obj)
{
	lockdep_assert_held(&obj->chan->rm->lock);

	if (list_empty(&obj->memory))
		return;
	list_del_init(&obj->memory);
	obj->chan->pio->memory_count--;
}

/**
 * nv3_pio_state() - return the state of the timeslice of a channel
 * @chan: the channel
 *
 * Context: process context; takes nv3_rm.lock.
 */
enum nv3_pio_state nv3_pio_state(struct nv3_channel *chan)
{
	enum nv3_pio_state state;

	spin_lock_irq(&chan->rm->lock);
	state = chan->pio->state;
	spin_unlock_irq(&chan->rm->lock);

	return state;
}

/**
 * nv3_pio_requested() - record a requested timeslice before it is passed to the GPU scheduler
 * @job: the timeslice
 *
 * Context: process context; nv3_channel.lock is held; takes nv3_rm.lock.
 */
void nv3_pio_requested(struct nv3_job *job)
{
	struct nv3_pio *pio = job->chan->pio;

	spin_lock_irq(&job->chan->rm->lock);
	drm_WARN_ON(&job->chan->rm->nv3->drm, pio->state != NV3_PIO_NONE);
	pio->state = NV3_PIO_REQUESTED;
	pio->job = job;
	pio->end_early = false;
	pio->released = false;
	list_add_tail(&pio->requested, &job->chan->rm->pio_requested);
	spin_unlock_irq(&job->chan->rm->lock);
}

static bool nv3_pio_has_answer(struct nv3_channel *chan)
{
	enum nv3_pio_state state = nv3_pio_state(chan);

	return state == NV3_PIO_NONE || state == NV3_PIO_OPEN ||
	       READ_ONCE(chan->pio->aperture.gone);
}

/**
 * nv3_pio_wait() - wait until the requested timeslice has begun or ended, or the aperture is
 * revoked
 * @chan: the channel
 * @task_state: TASK_INTERRUPTIBLE or TASK_KILLABLE
 *
 * Context: process context; the caller holds no locks.
 * Return: 0 or -ERESTARTSYS.
 */
int nv3_pio_wait(struct nv3_channel *chan, unsigned int task_state)
{
	return task_state == TASK_INTERRUPTIBLE ?
	       wait_event_interruptible(chan->pio->wait, nv3_pio_has_answer(chan)) :
	       wait_event_killable(chan->pio->wait, nv3_pio_has_answer(chan));
}

/**
 * nv3_pio_may_map() - check whether the timeslice is open and the aperture may be mapped
 * @chan: the channel
 *
 * Context: process context; nv3_aperture.lock is held; takes nv3_rm.lock.
 */
bool nv3_pio_may_map(struct nv3_channel *chan)
{
	struct nv3_pio *pio = chan->pio;
	bool open;

	spin_lock_irq(&chan->rm->lock);
	open = pio->state == NV3_PIO_OPEN;
	if (open && !pio->arrived) {
		pio->arrived = true;
		pio->since = jiffies;
	}
	spin_unlock_irq(&chan->rm->lock);

	return open;
}

/* ---- the timeslice ---- */

/* &struct nv3_job_ops.begin */
static void nv3_pio_begin(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_pio *pio = chan->pio;
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, pio->state != NV3_PIO_REQUESTED || pio->job != job);
	drm_WARN_ON(&rm->nv3->drm, pio->backlog.count);

	list_del_init(&pio->requested);
	pio->state = NV3_PIO_OPEN;
	pio->arrived = false;
	pio->since = jiffies;
	pio->put = nv3_rd32(rm->nv3, NV3_PFIFO_CACHE1_PUT);
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);

	if (pio->end_early)
		pio->state = NV3_PIO_ENDING;
	mod_delayed_work(rm->signal_wq, &pio->tick,
			 pio->end_early ? 0 : msecs_to_jiffies(NV3_PIO_TICK_MS));
	wake_up_all(&pio->wait);
}

/* &struct nv3_job_ops.retire */
static void nv3_pio_retire(struct nv3_job *job)
{
	struct nv3_pio *pio = job->chan->pio;

	lockdep_assert_held(&job->chan->rm->lock);

	if (pio->job != job)
		return;
	list_del_init(&pio->requested);
	pio->state = NV3_PIO_NONE;
	pio->job = NULL;
	pio->blocked = false;
	pio->backlog.count = 0;
	wake_up_all(&pio->wait);
}

/*
 * Changes the state of an open timeslice to NV3_PIO_ENDING. The caller must make sure that the
 * aperture is unmapped afterwards. Until then the chip accepts stores.
 */
static void nv3_pio_end(struct nv3_pio *pio)
{
	lockdep_assert_held(&pio->chan->rm->lock);

	if (pio->state != NV3_PIO_OPEN)
		return;

	pio->state = NV3_PIO_ENDING;
	pio->released = !nv3_freeze_timeslices(pio->chan->rm);
	nv3_hang_check_start(pio->job);
}

/* Runs the tick at once, because the timeslice is ending. */
static void nv3_pio_kick(struct nv3_pio *pio)
{
	mod_delayed_work(pio->chan->rm->signal_wq, &pio->tick, 0);
}

/*
 * &struct nv3_job_ops.block: a method of the timeslice blocks, and the puller has stopped at it.
 * The aperture must be unmapped before the channel can be preempted.
 */
static void nv3_pio_block(struct nv3_job *job)
{
	struct nv3_pio *pio = job->chan->pio;

	lockdep_assert_held(&job->chan->rm->lock);

	pio->blocked = true;
	nv3_pio_end(pio);
	nv3_pio_kick(pio);
}

/* &struct nv3_job_ops.resume: continues the ending timeslice, whose aperture is still unmapped. */
static void nv3_pio_resume(struct nv3_job *job)
{
	struct nv3_pio *pio = job->chan->pio;

	lockdep_assert_held(&job->chan->rm->lock);
	drm_WARN_ON(&job->chan->rm->nv3->drm,
		    pio->state != NV3_PIO_ENDING || pio->job != job);

	pio->blocked = false;
	nv3_pio_kick(pio);
}

/**
 * nv3_pio_is_dead() - check whether the channel has faulted and its last timeslice has ended
 * @chan: the channel
 *
 * Context: process context; takes nv3_rm.lock.
 */
bool nv3_pio_is_dead(struct nv3_channel *chan)
{
	return READ_ONCE(chan->fault.reason) && nv3_pio_state(chan) == NV3_PIO_NONE;
}

/*
 * &struct nv3_job_ops.fault: the tick ends the timeslice, because the aperture must be unmapped
 * first.
 */
static void nv3_pio_fault(struct nv3_job *job)
{
	struct nv3_pio *pio = job->chan->pio;

	lockdep_assert_held(&job->chan->rm->lock);

	pio->state = NV3_PIO_ENDING;
	nv3_pio_kick(pio);
}

/*
 * Moves the methods in RAMRO to the backlog. @intr is the value of PFIFO_INTR, which shows whether
 * RAMRO has overflowed. Returns DRM_NV3_FAULT_*, and sets @store to the store that caused the
 * fault.
 */
static u32 nv3_pio_collect(struct nv3_channel *chan, u32 intr, struct nv3_store *store)
{
	u32 fault = nv3_runout_collect(chan, store);

	return intr & NV3_PFIFO_INTR_RUNOUT_OVERFLOW ? DRM_NV3_FAULT_RUNOUT : fault;
}

static void nv3_pio_raise(struct nv3_rm *rm, u32 reason, const struct nv3_store *store)
{
	struct nv3_fault fault = {
		.reason = reason,
		.subch = (store->addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT,
		.mthd = store->addr & NV3_FIFO_ADDR_MTHD,
		.data = store->data,
	};

	nv3_fault_raise(rm, &fault);
}

/**
 * nv3_pio_runout() - &struct nv3_pio_ops.runout
 * @rm: the resource manager
 * @intr: the value of PFIFO_INTR
 *
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_pio_runout(struct nv3_rm *rm, u32 intr)
{
	struct nv3_job *job = rm->running;
	struct nv3_store store = { 0 };
	u32 fault;

	lockdep_assert_held(&rm->lock);

	/* nv3_pio_continue() drops the stores of a faulted channel. */
	if (job->chan->fault.reason)
		return;

	/* After this write, all stores go to RAMRO, so that they stay in order. */
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
	fault = nv3_pio_collect(job->chan, intr, &store);
	if (fault) {
		nv3_pio_raise(rm, fault, &store);
	} else {
		nv3_pio_end(job->chan->pio);
		nv3_pio_kick(job->chan->pio);
	}
}

/* Returns true if the client has stored methods since the last tick, or the chip is not idle. */
static bool nv3_pio_is_busy(struct nv3_pio *pio)
{
	struct nv3_rm *rm = pio->chan->rm;
	u32 put = nv3_rd32(rm->nv3, NV3_PFIFO_CACHE1_PUT);
	bool moved = put != pio->put;

	pio->put = put;
	return moved || !nv3_pfifo_is_idle(rm->nv3);
}

static bool nv3_pio_timeslice_expired(struct nv3_pio *pio)
{
	struct nv3_rm *rm = pio->chan->rm;
	bool others = atomic_read(&rm->jobs) > 1 || nv3_job_is_wanted(pio->job);

	if (!pio->arrived)
		return nv3_pio_is_older(pio, NV3_PIO_GRACE_MS);
	if (!nv3_pio_is_busy(pio))
		return true;
	return nv3_pio_is_older(pio, others ? NV3_PIO_TIMESLICE_MS : NV3_PIO_TIMESLICE_ALONE_MS);
}

/* ---- the end of the timeslice ---- */

/*
 * Returns true if the chip has executed all methods of the timeslice, including the backlog, and no
 * interrupt is pending.
 */
static bool nv3_pio_is_drained(struct nv3_channel *chan)
{
	struct nv3_device *nv3 = chan->rm->nv3;

	return !chan->pio->backlog.count && nv3_pfifo_is_idle(chan->rm->nv3) &&
	       !(nv3_rd32(nv3, NV3_PFIFO_INTR) & NV3_PFIFO_INTR_CACHE_ERROR) &&
	       !(nv3_rd32(nv3, NV3_PGRAPH_INTR) & ~NV3_PGRAPH_INTR_VBLANK) &&
	       !nv3_rd32(nv3, NV3_PDMA_INTR);
}

/*
 * Returns true if the timeslice has lasted for NV3_PIO_TIMESLICE_MS, and another channel is ready
 * or a task waits for the buffers of the timeslice.
 */
static bool nv3_pio_must_yield(struct nv3_rm *rm)
{
	s64 ms = ktime_ms_delta(ktime_get(), rm->running->chan->queue.since);

	return (!list_empty(&rm->ready) || nv3_job_is_wanted(rm->running)) &&
	       ms >= NV3_PIO_TIMESLICE_MS;
}

/*
 * Appends as many methods of the backlog to CACHE1 as fit. Ends the timeslice if the chip has
 * executed all methods, or preempts it if other tasks must not wait longer. Called with the
 * aperture unmapped.
 */
static void nv3_pio_replay(struct nv3_job *job)
{
	struct nv3_store store = { 0 };
	struct nv3_rm *rm = job->chan->rm;
	u32 fault;

	/* RAMRO may contain methods whose interrupt another CPU has not handled yet. */
	fault = nv3_pio_collect(job->chan, nv3_rd32(rm->nv3, NV3_PFIFO_INTR), &store);
	if (fault) {
		nv3_pio_raise(rm, fault, &store);
		return;
	}

	nv3_runout_feed(job->chan);
	if (nv3_pio_is_drained(job->chan)) {
		nv3_runout_drop(rm);
		nv3_job_finish(rm, 0);
	} else if (nv3_pio_must_yield(rm)) {
		nv3_sched_preempt(rm);
	} else {
		nv3_job_check_hang(job);
	}
}

/*
 * Preempts the timeslice if the method at which the puller has stopped still blocks. Otherwise
 * starts the puller, which retries the method.
 */
static void nv3_pio_unblock(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_store store = { 0 };
	struct nv3_rm *rm = chan->rm;
	u32 fault;

	if (!chan->queue.waits) {
		chan->pio->blocked = false;
		nv3_rm_start_puller(rm);
		return;
	}

	fault = nv3_pio_collect(chan, nv3_rd32(rm->nv3, NV3_PFIFO_INTR), &store);
	if (fault)
		nv3_pio_raise(rm, fault, &store);
	else
		nv3_sched_preempt(rm);
}

/*
 * Returns true if nv3_pio_continue() may process the ending timeslice. The timeslice must be the
 * running job, and its aperture must have been unmapped, unless unmapping has failed.
 */
static bool nv3_pio_can_end(struct nv3_pio *pio)
{
	return pio->state == NV3_PIO_ENDING &&
	       (pio->unmapped == pio->job->seqno || pio->stuck) &&
	       pio->chan->rm->running == pio->job;
}

static void nv3_pio_continue(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;

	if (!chan->fault.reason) {
		/*
		 * nv3_rm_tick() completes the preemption, or raises a fault if the chip hangs.
		 */
		if (nv3_sched_is_preempting(rm))
			return;
		if (chan->pio->blocked)
			nv3_pio_unblock(job);
		else
			nv3_pio_replay(job);
	}
	if (chan->fault.reason) {
		nv3_runout_drop(rm);
		nv3_job_finish(rm, -EIO);
	}
}

/* Returns the number of the ending timeslice if its aperture has not been unmapped yet, else 0. */
static u64 nv3_pio_mapped_timeslice(struct nv3_pio *pio)
{
	u64 seqno = 0;

	spin_lock_irq(&pio->chan->rm->lock);
	if (pio->state == NV3_PIO_ENDING && pio->unmapped != pio->job->seqno)
		seqno = pio->job->seqno;
	spin_unlock_irq(&pio->chan->rm->lock);

	return seqno;
}

/* Unmaps the aperture for the ending timeslice, unless it has been unmapped already. May sleep. */
static void nv3_pio_unmap_aperture(struct nv3_channel *chan)
{
	u64 seqno = nv3_pio_mapped_timeslice(chan->pio);

	if (!seqno)
		return;
	nv3_aperture_unmap(chan);

	/*
	 * Another timeslice may have begun in the meantime, and its aperture may be mapped.
	 * Therefore record for which timeslice this function has unmapped the aperture.
	 */
	spin_lock_irq(&chan->rm->lock);
	chan->pio->unmapped = max(chan->pio->unmapped, seqno);
	spin_unlock_irq(&chan->rm->lock);
	wake_up_all(&chan->pio->wait);
}

static void nv3_pio_unmap_work(struct work_struct *work)
{
	struct nv3_pio *pio = container_of(work, struct nv3_pio, unmap);
	struct nv3_channel *chan = pio->chan;

	nv3_pio_unmap_aperture(chan);
	if (READ_ONCE(chan->fault.reason))
		nv3_aperture_revoke(chan);
}

static void nv3_pio_queue_unmap(struct nv3_pio *pio)
{
	queue_work(pio->chan->rm->unmap_wq, &pio->unmap);
}

/*
 * The aperture could not be unmapped in time, possibly because unmapping waits for the fence of
 * this timeslice. The function therefore ends the timeslice with a fault. The client can still
 * store to the chip until the aperture is unmapped.
 */
static void nv3_pio_unmap_failed(struct nv3_channel *chan)
{
	static const struct nv3_fault fault = { .reason = DRM_NV3_FAULT_TIMEOUT };
	struct nv3_pio *pio = chan->pio;
	struct nv3_rm *rm = chan->rm;
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	if (pio->state == NV3_PIO_ENDING && pio->unmapped != pio->job->seqno) {
		drm_err(&rm->nv3->drm, "channel %u: its aperture can't be unmapped\n", chan->chid);
		pio->stuck = true;
		if (!chan->fault.reason)
			nv3_fault_blocked(chan, &fault);
	}
	nv3_rm_unlock(rm, flags);
}

/*
 * Queues the work item that unmaps the aperture, and waits up to NV3_PIO_UNMAP_MS for its
 * completion. May sleep.
 */
static void nv3_pio_wait_unmapped(struct nv3_channel *chan)
{
	struct nv3_pio *pio = chan->pio;

	if (!nv3_pio_mapped_timeslice(pio) || READ_ONCE(pio->stuck))
		return;
	nv3_pio_queue_unmap(pio);
	if (!wait_event_timeout(pio->wait, !nv3_pio_mapped_timeslice(pio),
				msecs_to_jiffies(NV3_PIO_UNMAP_MS)))
		nv3_pio_unmap_failed(chan);
}

/*
 * Takes one step towards the end of the timeslice. Returns true if the timeslice has ended, or if
 * no further step is possible at present.
 */
static bool nv3_pio_step(struct nv3_channel *chan)
{
	struct nv3_pio *pio = chan->pio;
	struct nv3_rm *rm = chan->rm;
	unsigned long flags;
	bool over;

	flags = nv3_rm_lock(rm);
	if (nv3_pio_can_end(pio))
		nv3_pio_continue(pio->job);
	/* If the timeslice was preempted, nv3_pio_resume() continues it later. */
	over = !nv3_pio_can_end(pio);
	nv3_rm_unlock(rm, flags);

	return over;
}

/* Sleeps until the timeslice has ended or was preempted. */
static void nv3_pio_finish(struct nv3_channel *chan)
{
	nv3_pio_wait_unmapped(chan);
	while (!nv3_pio_step(chan))
		usleep_range(20, 50);
}

/*
 * When the aperture has been unmapped, the chip is usually idle, so the function tries to end the
 * timeslice at once. If the attempt fails, the tick ends the timeslice. No fence depends on the
 * caller, so the caller may unmap the aperture itself.
 */
static void nv3_pio_finish_now(struct nv3_channel *chan)
{
	nv3_pio_unmap_aperture(chan);
	if (!nv3_pio_step(chan))
		nv3_pio_kick(chan->pio);
}

/*
 * Returns true if a debugfs freeze prevents the end of the timeslice. The timeslice of a faulted
 * channel is never frozen. A released timeslice (nv3_pio.released) is frozen only at NV3_FREEZE_ALL
 * and higher levels.
 */
static bool nv3_pio_is_frozen(struct nv3_pio *pio)
{
	struct nv3_channel *chan = pio->chan;

	return !chan->fault.reason && (pio->released ? nv3_freeze_interrupts(chan->rm) :
						       nv3_freeze_timeslices(chan->rm));
}

static void nv3_pio_tick(struct work_struct *work)
{
	struct nv3_pio *pio = container_of(to_delayed_work(work), struct nv3_pio, tick);
	struct nv3_channel *chan = pio->chan;
	bool cookie = dma_fence_begin_signalling();
	enum nv3_pio_state state;
	bool frozen;

	spin_lock_irq(&chan->rm->lock);
	frozen = nv3_pio_is_frozen(pio);
	if (pio->state == NV3_PIO_OPEN && !frozen && nv3_pio_timeslice_expired(pio))
		nv3_pio_end(pio);
	state = pio->state;
	if (state == NV3_PIO_OPEN || (state == NV3_PIO_ENDING && frozen))
		mod_delayed_work(chan->rm->signal_wq, &pio->tick,
				 msecs_to_jiffies(NV3_PIO_TICK_MS));
	spin_unlock_irq(&chan->rm->lock);

	if (state == NV3_PIO_ENDING && !frozen)
		nv3_pio_finish(chan);
	if (READ_ONCE(chan->fault.reason))
		nv3_pio_queue_unmap(pio);
	dma_fence_end_signalling(cookie);
}

/**
 * nv3_pio_end_early() - &struct nv3_pio_ops.end_early
 * @chan: the channel
 *
 * Stores after this call belong to the next timeslice. That timeslice lists the buffers of all
 * objects that exist at the time of its request.
 *
 * Context: process context; nv3_channel.lock is held, so that no timeslice is being requested.
 */
void nv3_pio_end_early(struct nv3_channel *chan)
{
	struct nv3_pio *pio = chan->pio;
	bool ending;

	spin_lock_irq(&chan->rm->lock);
	nv3_pio_end(pio);
	pio->released = true;
	if (pio->state == NV3_PIO_REQUESTED)
		pio->end_early = true;
	ending = pio->state == NV3_PIO_ENDING;
	spin_unlock_irq(&chan->rm->lock);

	if (ending)
		nv3_pio_finish_now(chan);
}

static bool nv3_pio_uses_buffers(struct nv3_job *job, struct nv3_bo **bos, u32 count)
{
	u64 batch = job->chan->rm->batch;
	u32 i;

	for (i = 0; i < count; i++)
		if (bos[i]->rm.batch == batch)
			return true;
	return false;
}

static bool nv3_pio_uses_marked(const struct nv3_job *job, u64 mark)
{
	u32 i;

	for (i = 0; i < job->bo_count; i++)
		if (job->bos[i]->rm.mark == mark)
			return true;
	return false;
}

/*
 * Marks requested timeslices that list one of @bos, so that they end as soon as they begin. Skips
 * timeslices of long-running channels.
 */
static void nv3_pio_end_requested(struct nv3_rm *rm, struct nv3_bo **bos, u32 count)
{
	struct nv3_pio *pio;
	u32 i;

	if (list_empty(&rm->pio_requested))
		return;

	rm->mark++;
	for (i = 0; i < count; i++)
		bos[i]->rm.mark = rm->mark;
	list_for_each_entry(pio, &rm->pio_requested, requested) {
		if (!pio->job->chan->long_running && nv3_pio_uses_marked(pio->job, rm->mark)) {
			pio->end_early = true;
			pio->released = true;
		}
	}
}

/**
 * nv3_pio_interrupt() - &struct nv3_pio_ops.interrupt
 * @rm: the resource manager
 * @bos: the buffers of a batch that is about to be armed, locked
 * @count: the number of buffers
 *
 * The batch will wait for open and requested timeslices that list one of its buffers. Methods that
 * are stored after SUBMIT has returned must be ordered after the batch, so they must not belong to
 * these timeslices. The next timeslice of their channels can't be requested yet, because the
 * buffers are locked. No fence depends on timeslices of long-running channels, so the function does
 * not end these timeslices.
 *
 * Context: process context.
 * Return: the channel whose open timeslice the function has ended, with a reference, or NULL. The
 * caller must drop the reference after it has unlocked the buffers.
 */
struct nv3_channel *nv3_pio_interrupt(struct nv3_rm *rm, struct nv3_bo **bos, u32 count)
{
	struct nv3_channel *chan = NULL;

	spin_lock_irq(&rm->lock);
	if (rm->running && rm->running->is_pio && !rm->running->chan->long_running &&
	    nv3_pio_uses_buffers(rm->running, bos, count)) {
		chan = nv3_channel_get(rm->running->chan);
		nv3_pio_end(chan->pio);
	}
	nv3_pio_end_requested(rm, bos, count);
	spin_unlock_irq(&rm->lock);

	if (chan)
		nv3_pio_finish_now(chan);
	return chan;
}

/* ---- the lifetime of the channel ---- */

/**
 * nv3_pio_init() - &struct nv3_pio_ops.init
 * @chan: the channel, which is new
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int nv3_pio_init(struct nv3_channel *chan)
{
	struct nv3_pio *pio;
	int ret;

	pio = kzalloc(sizeof(*pio), GFP_KERNEL_ACCOUNT);
	if (!pio)
		return -ENOMEM;

	pio->chan = chan;
	INIT_LIST_HEAD(&pio->memory);
	INIT_LIST_HEAD(&pio->requested);
	init_waitqueue_head(&pio->wait);
	INIT_DELAYED_WORK(&pio->tick, nv3_pio_tick);
	INIT_WORK(&pio->unmap, nv3_pio_unmap_work);
	ret = nv3_backlog_init(&pio->backlog);
	if (ret) {
		kfree(pio);
		return ret;
	}

	chan->pio = pio;
	return 0;
}

/**
 * nv3_pio_fini() - &struct nv3_pio_ops.fini
 * @chan: the channel, without jobs and mappings
 *
 * Context: process context.
 */
void nv3_pio_fini(struct nv3_channel *chan)
{
	struct nv3_pio *pio = chan->pio;

	cancel_delayed_work_sync(&pio->tick);
	cancel_work_sync(&pio->unmap);
	dma_fence_put(pio->fence);
	nv3_backlog_fini(&pio->backlog);
	if (pio->aperture.dummy)
		__free_page(pio->aperture.dummy);
	kfree(pio);
	chan->pio = NULL;
}

static u32 nv3_pio_backlog(struct nv3_job *job)
{
	return job->chan->pio->backlog.count;
}

const struct nv3_job_ops nv3_pio_job_ops = {
	.begin = nv3_pio_begin,
	.resume = nv3_pio_resume,
	.block = nv3_pio_block,
	.fault = nv3_pio_fault,
	.retire = nv3_pio_retire,
	.backlog = nv3_pio_backlog,
};

const struct nv3_pio_ops nv3_pio_hooks = {
	.init = nv3_pio_init,
	.fini = nv3_pio_fini,
	.open = nv3_aperture_init,
	.mmap_offset = nv3_aperture_mmap_offset,
	.revoke = nv3_aperture_revoke,
	.close = nv3_aperture_close,
	.end_early = nv3_pio_end_early,
	.add_memory = nv3_pio_add_memory,
	.remove_memory = nv3_pio_remove_memory,
	.interrupt = nv3_pio_interrupt,
	.runout = nv3_pio_runout,
};
