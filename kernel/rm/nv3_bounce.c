// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Memory that the chip can't reach
 *
 * The chip's bus addresses have 32 bits. Buffers of this driver lie below 4 GiB, but those of
 * other devices may not; the kernel then gives the chip other pages to work with (swiotlb), and
 * contents have to be copied there before a batch, and back after one that writes. The one is
 * done by the scheduler's worker when the batch waits for nothing but the chip; the other by a
 * work before the batch's fence signals, as the chip's interrupt is no place for it.
 */

#include <linux/slab.h>

#include "../nv3_prime.h"
#include "nv3_bounce.h"
#include "nv3_channel.h"
#include "nv3_job.h"

/* Before the batch is armed: one of its buffers. -ENOMEM. */
int nv3_bounce_add(struct nv3_job *job, struct nv3_bo *bo, bool write)
{
	struct nv3_bounce *bounces;

	if (!bo->bounces)
		return 0;

	bounces = krealloc_array(job->bounces, job->bounce_count + 1, sizeof(*bounces),
				 GFP_KERNEL);
	if (!bounces)
		return -ENOMEM;

	job->bounces = bounces;
	bounces[job->bounce_count++] = (struct nv3_bounce){ .bo = bo, .write = write };
	return 0;
}

/*
 * The batch has its fence, and nv3_channel.lock is held: it waits for the last of the channel that
 * had such buffers, as it would be given contents that are not yet back. By that one's own
 * fence: the scheduler ignores those that it has made for the same channel.
 */
int nv3_bounce_order(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	int ret = 0;

	if (!job->bounce_count)
		return 0;

	if (chan->bounced)
		ret = drm_sched_job_add_dependency(&job->base, dma_fence_get(chan->bounced));
	if (ret)
		return ret;

	dma_fence_put(chan->bounced);
	chan->bounced = dma_fence_get(job->fence);
	return 0;
}

/* The batch is about to run. */
void nv3_bounce_out(struct nv3_job *job)
{
	unsigned int i;

	for (i = 0; i < job->bounce_count; i++)
		nv3_prime_sync(job->bounces[i].bo, true);
}

static void nv3_bounce_work(struct work_struct *work)
{
	struct nv3_job *job = container_of(work, struct nv3_job, bounce_work);
	bool cookie = dma_fence_begin_signalling();
	struct nv3_channel *chan = job->chan;
	unsigned int i;

	for (i = 0; i < job->bounce_count; i++)
		if (job->bounces[i].write)
			nv3_prime_sync(job->bounces[i].bo, false);
	/* The next batch, which may end now, goes by @bouncing: its fence comes after this one. */
	nv3_job_signal(job);
	dma_fence_end_signalling(cookie);
	atomic_dec(&chan->bouncing);
	nv3_channel_put(chan);
}

/*
 * The batch is over. True: its fence will be signalled later, because of its own buffers or
 * those of one before, as fences of a channel signal in order. Any context.
 */
bool nv3_bounce_in(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	if (!job->bounce_count && !atomic_read(&chan->bouncing))
		return false;

	atomic_inc(&chan->bouncing);
	/* The batch may be freed, with its reference, once its fence has signalled. */
	nv3_channel_get(chan);
	INIT_WORK(&job->bounce_work, nv3_bounce_work);
	queue_work(chan->rm->bounce_wq, &job->bounce_work);
	return true;
}
