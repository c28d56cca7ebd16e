/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_JOB_H
#define NV3_JOB_H

#include "nv3_channel.h"

struct nv3_copy;
struct nv3_job;
struct nv3_preempt_fence;

/* The longest batch: two fit in a ring, with the words that are added to each. */
#define NV3_SUBMIT_MAX		((u32)(NV3_RING_SIZE / 2 - SZ_1K))

/* Chip time that a batch may take, unless its channel has a smaller budget. */
#define NV3_HANG_BUDGET_MS	10000

/** struct nv3_hang_check - what a batch has cost so far; nv3_rm.lock */
struct nv3_hang_check {
	/** @begun: when it was given the chip */
	ktime_t begun;
	/** @checked: it has been checked since */
	bool checked;
	/** @ran_ns: its chip time in nanoseconds, up to when the chip's counter was @counted */
	u64 ran_ns;
	u32 counted;
	/** @progress: a number that changes with each method */
	u64 progress;
	/** @since: when it last changed, with the counters of that time */
	ktime_t since;
	u64 since_ran_ns;
	u32 since_bytes;
	/** @bytes: bytes that PDMA has moved since */
	u32 bytes;
};

/** struct nv3_job_ops - the kinds of jobs: batches, PIO timeslices, copies. nv3_rm.lock is held */
struct nv3_job_ops {
	/** @begin: starts the job. Its channel owns PFIFO */
	void (*begin)(struct nv3_job *job);
	/** @resume: the job runs again after a preemption; or NULL */
	void (*resume)(struct nv3_job *job);
	/** @block: a method blocks; or NULL if the job is preempted at once */
	void (*block)(struct nv3_job *job);
	/** @fault: the job has lost the chip by a fault, and ends later; or NULL: it ends now */
	void (*fault)(struct nv3_job *job);
	/** @retire: the job has ended, or will never begin */
	void (*retire)(struct nv3_job *job);
	/** @backlog: the number of its methods that the driver keeps outside the chip; or NULL */
	u32 (*backlog)(struct nv3_job *job);
};

/* A buffer of a batch that the chip sees a copy of. */
struct nv3_job_sync {
	struct nv3_bo *bo;
	bool write;
};

/** struct nv3_job - a batch, from SUBMIT until the GPU scheduler frees it */
struct nv3_job {
	/** @ref: held by the GPU scheduler, and by nv3_resume_work() meanwhile */
	struct kref ref;
	struct drm_sched_job base;

	/* Constant after nv3_job_arm(). */

	struct nv3_channel *chan;
	const struct nv3_job_ops *ops;
	/** @is_pio: a PIO timeslice, which has neither words nor a tail: pio/nv3_pio.c */
	bool is_pio;
	/** @seqno: its number on the channel, counted from 1 */
	u64 seqno;
	/** @copy: of a batch of the kernel's own channel: class/nv3_migration.c */
	struct nv3_copy *copy;
	/** @span: its words and tail in the ring of the channel */
	struct nv3_ring_span span;
	/** @fence: signals when it ends. Not published on a long-running channel */
	struct dma_fence *fence;
	/** @bos: the buffers that it names, a reference each */
	struct nv3_bo **bos;
	/** @bo_count: their number */
	u32 bo_count;
	/** @syncs: those of them of which the chip sees a copy: nv3_job_sync.c */
	struct nv3_job_sync *syncs;
	/** @sync_count: their number */
	unsigned int sync_count;

	/* nv3_rm.lock. */

	/** @link: in nv3_queue.jobs, then in nv3_rm.over */
	struct list_head link;
	/** @error: of @fence */
	int error;
	/** @retired: its place in the ring is free again */
	bool retired;
	/** @preempt_fence: of a long-running channel: while the batch has its buffers */
	struct nv3_preempt_fence *preempt_fence;
	/** @waited: how long it has been blocked */
	ktime_t waited;
	/** @idle: the number of consecutive checks that found the chip idle */
	unsigned int idle;
	struct nv3_hang_check hang_check;

	/** @outs: of a long-running channel: syncobjs that get @fence; nv3_channel.outs_lock */
	struct list_head outs;
	/** @sync_work: copies results for the CPU, and signals @fence */
	struct work_struct sync_work;
};

static inline struct nv3_job *to_job(struct drm_sched_job *base)
{
	return container_of(base, struct nv3_job, base);
}

static inline void nv3_job_get(struct nv3_job *job)
{
	kref_get(&job->ref);
}

/* The batch that runs, or is next. */
static inline struct nv3_job *nv3_queue_first(struct nv3_queue *queue)
{
	return list_first_entry(&queue->jobs, struct nv3_job, link);
}

struct nv3_job *nv3_job_create(struct nv3_channel *chan, u64 client_id);
void nv3_job_destroy(struct nv3_job *job);
void nv3_job_put(struct nv3_job *job);
int nv3_job_init(struct nv3_channel *chan);
void nv3_job_fini(struct nv3_channel *chan);
int nv3_job_place(struct nv3_job *job, bool retry);
void nv3_job_arm(struct nv3_job *job);
void nv3_job_push(struct nv3_job *job);
void nv3_job_begin(struct nv3_job *job);
void nv3_batch_begin(struct nv3_job *job);
void nv3_batch_retire(struct nv3_job *job);
void nv3_job_check_done(struct nv3_job *job);
void nv3_job_check_progress(struct nv3_job *job);
void nv3_job_check_hang(struct nv3_job *job);
void nv3_job_complete(struct nv3_job *job, int error);
void nv3_job_finish(struct nv3_rm *rm, int error);
void nv3_job_signal(struct nv3_job *job);

/* nv3_hang_check.c */
void nv3_hang_check_start(struct nv3_job *job);
void nv3_hang_check_update(struct nv3_job *job);
bool nv3_hang_check_expired(struct nv3_job *job);

/* nv3_job_sync.c */
int nv3_job_sync_add(struct nv3_job *job, struct nv3_bo *bo, bool write);
int nv3_job_sync_order(struct nv3_job *job);
void nv3_job_sync_for_device(struct nv3_job *job);
bool nv3_job_sync_for_cpu(struct nv3_job *job);

/**
 * struct nv3_preempt_fence - keeps the buffers of a batch in place until somebody waits for it
 *
 * Of a batch of a long-running channel.
 */
struct nv3_preempt_fence {
	struct dma_fence base;
	/** @lock: of @base, which may outlive the channel */
	spinlock_t lock;
	struct nv3_rm *rm;
	/** @job: the batch, until it has released its buffers or has ended; nv3_rm.lock */
	struct nv3_job *job;
	/** @wanted: somebody waits for the buffers; nv3_rm.lock */
	bool wanted;
	/** @link: in nv3_rm.preempt_fences */
	struct list_head link;
	/** @work: runs when somebody has begun to wait */
	struct work_struct work;
};

/* Has the batch its buffers? Batches of other channels have a fence that keeps them. */
static inline bool nv3_job_is_resident(const struct nv3_job *job)
{
	return !job->chan->long_running || job->preempt_fence;
}

/* Does somebody wait for the buffers that the batch has? */
static inline bool nv3_job_is_wanted(const struct nv3_job *job)
{
	return job->preempt_fence && job->preempt_fence->wanted;
}

/* The first batch of the channel, if it only lacks its buffers, or NULL. */
static inline struct nv3_job *nv3_sched_evicted_job(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_job *job;

	lockdep_assert_held(&chan->rm->lock);

	job = list_first_entry_or_null(&queue->jobs, struct nv3_job, link);
	return job && !queue->waits && !nv3_job_is_resident(job) ? job : NULL;
}

/* nv3_long_running.c */
struct nv3_preempt_fence *nv3_preempt_fence_create(struct nv3_rm *rm);
void nv3_preempt_fence_attach(struct nv3_preempt_fence *fence, struct nv3_job *job);
void nv3_preempt_fence_release(struct nv3_job *job);
void nv3_preempt_fences_signal(struct list_head *list);
void nv3_resume_init(struct nv3_channel *chan);
void nv3_resume_fini(struct nv3_channel *chan);
void nv3_resume_queue(struct nv3_channel *chan);

#endif
