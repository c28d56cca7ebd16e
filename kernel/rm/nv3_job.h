/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_JOB_H
#define NV3_JOB_H

#include <linux/kref.h>
#include <linux/workqueue.h>

#include "nv3_limit.h"
#include "nv3_ring.h"
#include "nv3_rm_priv.h"

/* The longest batch: two fit in a ring, with the words that are added to each. */
#define NV3_SUBMIT_MAX		((u32)(NV3_RING_SIZE / 2 - SZ_1K))

/* A batch, from SUBMIT until the scheduler is done with it. */
struct nv3_job {
	/** @ref: the scheduler's, and nv3_resume_work()'s meanwhile */
	struct kref ref;
	struct drm_sched_job base;
	struct nv3_channel *chan;
	/** @seqno: its number on the channel, counted from 1 */
	u64 seqno;
	/** @copy: what a batch of the kernel's own channel copies: nv3_copy.c */
	struct nv3_copy *copy;
	/** @lease: a PIO channel's turn, without words: nv3_lease.c */
	bool lease;
	/** @span: its words and tail in the channel's ring */
	struct nv3_ring_span span;
	/** @fence: signals when it is over. Of a long-running channel: not published */
	struct dma_fence *fence;
	/** @preempt_fence: of a long-running channel, while it has its buffers; nv3_rm.lock */
	struct nv3_preempt_fence *preempt_fence;
	/** @outs: the same: syncobjs that get @fence in the end; nv3_channel.outs_lock */
	struct list_head outs;
	/** @link: in nv3_queue.jobs, then in nv3_rm.over, with @error for @fence */
	struct list_head link;
	int error;
	/** @retired: its place in the ring is free again */
	bool retired;
	/** @bos: the buffers that it names, a reference each */
	struct nv3_bo **bos;
	u32 bo_count;

	/** @bounces: those of them of which the chip sees a copy: nv3_bounce.c */
	struct nv3_bounce *bounces;
	unsigned int bounce_count;
	struct work_struct bounce_work;

	/** @waited: how long it has been blocked: nv3_queue.c */
	ktime_t waited;
	/** @meter: what it has cost */
	struct nv3_meter meter;
	/** @idle: times in a row that the chip had nothing to do, and it wasn't over */
	unsigned int idle;
};

static inline struct nv3_job *to_job(struct drm_sched_job *base)
{
	return container_of(base, struct nv3_job, base);
}

static inline void nv3_job_get(struct nv3_job *job)
{
	kref_get(&job->ref);
}

struct nv3_job *nv3_job_new(struct nv3_channel *chan, u64 client_id);
void nv3_job_drop(struct nv3_job *job);
void nv3_job_put(struct nv3_job *job);
int nv3_job_init(struct nv3_channel *chan);
void nv3_job_fini(struct nv3_channel *chan);
int nv3_job_place(struct nv3_job *job);
void nv3_job_arm(struct nv3_job *job);
void nv3_job_push(struct nv3_job *job);
void nv3_job_begin(struct nv3_job *job);
void nv3_job_clock(struct nv3_job *job);
void nv3_job_look(struct nv3_job *job);
void nv3_job_limit(struct nv3_job *job);
void nv3_job_over(struct nv3_job *job, int error);
void nv3_job_finish(struct nv3_rm *rm, int error);
void nv3_job_signal(struct nv3_job *job);

#endif
