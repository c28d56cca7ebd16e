/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_SCHED_H
#define NV3_SCHED_H

#include "nv3_rm_types.h"

void nv3_sched_channel_init(struct nv3_channel *chan);
void nv3_sched_channel_fini(struct nv3_channel *chan);

void nv3_sched_queue_job(struct nv3_job *job);
void nv3_sched_next(struct nv3_rm *rm);
void nv3_sched_end_timeslice(struct nv3_rm *rm);
void nv3_sched_preempt(struct nv3_rm *rm);
bool nv3_sched_is_preempting(struct nv3_rm *rm);
void nv3_sched_make_ready(struct nv3_channel *chan, bool first);
bool nv3_sched_timeslice_expired(struct nv3_rm *rm);
bool nv3_sched_is_outranked(struct nv3_rm *rm, const struct nv3_queue *queue);
ktime_t nv3_sched_interval(struct nv3_rm *rm);

/* Returns the reason for the preemption of the running batch. nv3_rm.lock is held. */
static inline enum nv3_switch_reason nv3_sched_preempt_reason(struct nv3_rm *rm)
{
	const struct nv3_job *job = rm->running;
	const struct nv3_queue *queue = &job->chan->queue;

	if (queue->waits)
		return NV3_SWITCH_BLOCKED;
	/* A PIO timeslice is preempted only when it is ending (nv3_pio_must_yield()). */
	if (!job->is_pio && nv3_sched_is_outranked(rm, queue))
		return NV3_SWITCH_PRIORITY;
	return list_empty(&rm->ready) ? NV3_SWITCH_MEMORY : NV3_SWITCH_TIMESLICE;
}

/* nv3_fault.c */
void nv3_fault_drop_jobs(struct nv3_channel *chan, int first, int rest);
void nv3_fault_raise(struct nv3_rm *rm, const struct nv3_fault *fault);
void nv3_fault_blocked(struct nv3_channel *chan, const struct nv3_fault *fault);
void nv3_fault_wedged_work(struct work_struct *work);

/* nv3_long_running.c */
u32 nv3_sched_block(struct nv3_channel *chan, struct nv3_object *obj, u32 limit_ms);
void nv3_sched_unblock(struct nv3_channel *chan);
void nv3_sched_wake(struct nv3_channel *chan);
void nv3_sched_fail_blocked(struct nv3_channel *chan);
void nv3_sched_close(struct nv3_channel *chan);
void nv3_sched_check_deadlock(struct nv3_channel *chan);
enum hrtimer_restart nv3_sched_block_expired(struct hrtimer *timer);

#endif
