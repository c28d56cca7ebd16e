/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_SCHED_H
#define NV3_SCHED_H

#include "hw/nv3_pfifo.h"
#include "nv3_rm_priv.h"

/* Why a channel stopped, as CHANNEL_QUERY reports it. */
struct nv3_fault {
	u32 reason;	/* DRM_NV3_FAULT_* */
	u32 subch;
	u32 mthd;
	u32 data;
	u32 class_id;
};

/** struct nv3_queue - a channel as the scheduler sees it; nv3_rm.lock */
struct nv3_queue {
	/** @link: in nv3_rm.ready */
	struct list_head link;
	/** @jobs: batches that the GPU scheduler has released, oldest first */
	struct list_head jobs;
	/** @preempted: the state of the first of them, if it was preempted */
	struct nv3_preempted preempted;

	/** @priority: DRM_NV3_PRIORITY_*; constant */
	s32 priority;
	/** @since: when the timeslice began */
	ktime_t since;
	/** @continues: the next batch belongs to the same timeslice */
	bool continues;
	/** @overtaken: how often others have been put before it since it became ready */
	u32 overtaken;
	/** @reaping: not ready before a worker has removed its destroyed objects */
	bool reaping;
	/** @entered: nv3_rm.timeslices when it became ready */
	u64 entered;
	/** @waited: the most timeslices of others that began while it was ready */
	u32 waited;

	/** @waits: the object whose method blocks, or NULL */
	struct nv3_object *waits;
	/** @blocked: when that began */
	ktime_t blocked;
	/** @deadline: when @timer ends it with @fault */
	ktime_t deadline;
	struct nv3_fault fault;
	struct hrtimer timer;
	/** @closed: the client has closed the channel, and a method that blocks fails at once */
	bool closed;
};

void nv3_sched_init(struct nv3_rm *rm);
void nv3_sched_fini(struct nv3_rm *rm);
void nv3_sched_channel_init(struct nv3_channel *chan);
void nv3_sched_channel_fini(struct nv3_channel *chan);

void nv3_sched_queue_job(struct nv3_job *job);
void nv3_sched_next(struct nv3_rm *rm);
void nv3_sched_end_timeslice(struct nv3_rm *rm);
void nv3_sched_preempt(struct nv3_rm *rm);
bool nv3_sched_is_preempting(struct nv3_rm *rm);
void nv3_sched_make_ready(struct nv3_channel *chan, bool first);
void nv3_sched_reap_later(struct nv3_channel *chan);
void nv3_sched_reap_all(struct nv3_channel *chan);
void nv3_sched_reap_work(struct work_struct *work);
void nv3_sched_drop_jobs(struct nv3_channel *chan, int first, int rest);

/* nv3_long_running.c */
u32 nv3_sched_block(struct nv3_channel *chan, struct nv3_object *obj, u32 limit_ms);
void nv3_sched_unblock(struct nv3_channel *chan);
void nv3_sched_wake(struct nv3_channel *chan);
void nv3_sched_fail_blocked(struct nv3_channel *chan);
void nv3_sched_close(struct nv3_channel *chan);
void nv3_sched_check_deadlocks(struct nv3_rm *rm);
void nv3_sched_deadlock_work(struct work_struct *work);
enum hrtimer_restart nv3_sched_block_expired(struct hrtimer *timer);

#endif
