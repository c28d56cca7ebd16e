// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Buffers that the chip can't reach
 *
 * The bus addresses of the chip have 32 bits. Buffers of this driver are below 4 GiB, but pages of
 * imported buffers may be above 4 GiB. For such a buffer, the kernel maps bounce pages below 4 GiB
 * for the chip (swiotlb). The driver copies the buffer to the bounce pages before each batch, and
 * copies the bounce pages back to the buffer after a batch that writes to it. The worker of the GPU
 * scheduler copies to the bounce pages once all dependencies of the batch have signalled. Copying
 * back takes too long for the interrupt handler, so another worker does it before the fence of the
 * batch signals.
 */

#include <linux/slab.h>

#include "mem/nv3_prime.h"
#include "nv3_job.h"

/**
 * nv3_job_sync_add() - add a buffer to nv3_job.syncs if the chip accesses it through bounce pages
 * @job: the job, which is not armed yet
 * @bo: a buffer of the job
 * @write: whether the job writes to the buffer
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int nv3_job_sync_add(struct nv3_job *job, struct nv3_bo *bo, bool write)
{
	struct nv3_job_sync *syncs;

	if (!bo->bounced)
		return 0;

	syncs = krealloc_array(job->syncs, job->sync_count + 1, sizeof(*syncs),
			       GFP_KERNEL);
	if (!syncs)
		return -ENOMEM;

	job->syncs = syncs;
	syncs[job->sync_count++] = (struct nv3_job_sync){ .bo = bo, .write = write };
	return 0;
}

/**
 * nv3_job_sync_order() - make a job wait until the bounce pages of earlier jobs have been copied
 * back
 * @job: the job, which has nv3_job.fence and is not armed yet
 *
 * If the job uses bounce pages, it waits for nv3_job.fence of the channel's previous job with
 * bounce pages. The GPU scheduler ignores dependencies on its own fences of the same channel, so
 * the job can't depend on such a fence.
 *
 * Context: process context; nv3_channel.lock is held.
 * Return: 0 or -ENOMEM.
 */
int nv3_job_sync_order(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	int ret = 0;

	if (!job->sync_count)
		return 0;

	if (chan->synced)
		ret = drm_sched_job_add_dependency(&job->base, dma_fence_get(chan->synced));
	if (ret)
		return ret;

	dma_fence_put(chan->synced);
	chan->synced = dma_fence_get(job->fence);
	return 0;
}

/**
 * nv3_job_signal() - signal the fence of a job that has ended
 * @job: the job, which the GPU scheduler may free during the call
 *
 * Context: any.
 */
void nv3_job_signal(struct nv3_job *job)
{
	struct dma_fence *fence = dma_fence_get(job->fence);

	if (job->error)
		dma_fence_set_error(fence, job->error);
	dma_fence_signal(fence);
	dma_fence_put(fence);
}

/**
 * nv3_job_sync_for_device() - copy buffers of a job to their bounce pages
 * @job: the job, whose dependencies have signalled
 *
 * Context: process context.
 */
void nv3_job_sync_for_device(struct nv3_job *job)
{
	unsigned int i;

	for (i = 0; i < job->sync_count; i++)
		nv3_prime_sync(job->syncs[i].bo, true);
}

static void nv3_job_sync_work(struct work_struct *work)
{
	struct nv3_job *job = container_of(work, struct nv3_job, sync_work);
	bool cookie = dma_fence_begin_signalling();
	struct nv3_channel *chan = job->chan;
	unsigned int i;

	for (i = 0; i < job->sync_count; i++)
		if (job->syncs[i].write)
			nv3_prime_sync(job->syncs[i].bo, false);
	/*
	 * While nv3_channel.syncing is not 0, later fences of the channel are signalled on the same
	 * ordered workqueue, and therefore after this fence.
	 */
	nv3_job_signal(job);
	dma_fence_end_signalling(cookie);
	atomic_dec(&chan->syncing);
	nv3_channel_put(chan);
}

/**
 * nv3_job_sync_for_cpu() - copy the bounce pages of an ended job back to its buffers
 * @job: the job
 *
 * Context: any.
 * Return: true if a worker signals the fence later, false if the caller must signal the fence. A
 * worker signals it if this job or an unfinished earlier job of the channel uses bounce pages,
 * because fences must signal in order.
 */
bool nv3_job_sync_for_cpu(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;

	if (!job->sync_count && !atomic_read(&chan->syncing))
		return false;

	atomic_inc(&chan->syncing);
	/*
	 * After the fence has signalled, the batch may be freed and drop its reference to the
	 * channel. The work therefore needs a reference of its own.
	 */
	nv3_channel_get(chan);
	INIT_WORK(&job->sync_work, nv3_job_sync_work);
	queue_work(chan->rm->sync_wq, &job->sync_work);
	return true;
}
