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

#include <linux/dma-mapping.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

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

/*
 * By bus addresses alone: an imported table's pages are its exporter's, and kernels with
 * CONFIG_DMABUF_DEBUG hand out tables that name none.
 */
static void nv3_bounce_sync(struct nv3_job *job, const struct nv3_bo *bo, bool to_chip)
{
	struct device *dev = job->chan->rm->nv3->drm.dev;
	struct scatterlist *sg;
	int i;

	for_each_sgtable_dma_sg(bo->tbo.sg, sg, i) {
		if (to_chip)
			dma_sync_single_for_device(dev, sg_dma_address(sg),
						   sg_dma_len(sg), DMA_BIDIRECTIONAL);
		else
			dma_sync_single_for_cpu(dev, sg_dma_address(sg),
						sg_dma_len(sg), DMA_BIDIRECTIONAL);
	}
}

/* The batch is about to run. */
void nv3_bounce_out(struct nv3_job *job)
{
	unsigned int i;

	for (i = 0; i < job->bounce_count; i++)
		nv3_bounce_sync(job, job->bounces[i].bo, true);
}

static void nv3_bounce_work(struct work_struct *work)
{
	struct nv3_job *job = container_of(work, struct nv3_job, bounce_work);
	unsigned int i;

	for (i = 0; i < job->bounce_count; i++)
		if (job->bounces[i].write)
			nv3_bounce_sync(job, job->bounces[i].bo, false);
	/* The channel may be gone once the fence has signalled. */
	atomic_dec(&job->chan->bouncing);
	nv3_job_signal(job);
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
	INIT_WORK(&job->bounce_work, nv3_bounce_work);
	queue_work(chan->rm->bounce_wq, &job->bounce_work);
	return true;
}
