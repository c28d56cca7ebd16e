/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_LONG_RUNNING_H
#define NV3_LONG_RUNNING_H

#include <linux/dma-fence.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct nv3_channel;
struct nv3_job;
struct nv3_rm;

/* Keeps the buffers of a batch of a long-running channel where they are, until it is waited for. */
struct nv3_preempt_fence {
	struct dma_fence base;
	/** @lock: of @base, which may outlive the channel */
	spinlock_t lock;
	struct nv3_rm *rm;
	/** @job: the batch, until it has given its buffers up or is over; nv3_rm.lock */
	struct nv3_job *job;
	/** @wanted: somebody waits for the buffers; nv3_rm.lock */
	bool wanted;
	/** @link: in nv3_rm.preempted */
	struct list_head link;
	/** @work: somebody has begun to wait */
	struct work_struct work;
};

struct nv3_preempt_fence *nv3_preempt_fence_create(struct nv3_rm *rm);
void nv3_preempt_fence_attach(struct nv3_preempt_fence *fence, struct nv3_job *job);
void nv3_preempt_fence_release(struct nv3_job *job);
void nv3_preempt_fences_signal(struct list_head *list);

bool nv3_job_is_resident(const struct nv3_job *job);
bool nv3_job_is_wanted(const struct nv3_job *job);

void nv3_resume_init(struct nv3_channel *chan);
void nv3_resume_fini(struct nv3_channel *chan);
void nv3_resume_queue(struct nv3_channel *chan);

#endif
