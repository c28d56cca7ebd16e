// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: SUBMIT
 *
 * A batch has a list of segments and a list of buffers. The segments are ranges of words in
 * pushbuffers, and the methods in these words access the buffers through objects. SUBMIT copies the
 * words to the ring of the channel, so the client can reuse the segments at once. The driver need
 * not parse the words, because a batch can access only memory that the client's objects permit.
 *
 * SUBMIT detects all errors before it arms the batch, so a SUBMIT that fails executes no method.
 *
 * A batch of a long-running channel waits for fences like any other batch, but publishes no fence
 * for its completion (nv3_long_running.c).
 */

#include <linux/iosys-map.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "client/nv3_out_sync.h"
#include "mem/nv3_room.h"
#include "nv3_fence.h"
#include "nv3_submit.h"

/* Waits for room in the ring. Gives up with -ENODEV if an unplug waits for this function. */
static int nv3_submit_alloc_span(struct nv3_submit *submit)
{
	u32 size = submit->size + NV3_FENCE_TAIL * sizeof(u32);
	struct nv3_ring_span *span = &submit->job->span;
	struct nv3_channel *chan = submit->job->chan;
	long ret = 0;

	while (!ret && !drm_dev_is_unplugged(submit->drm))
		ret = wait_event_interruptible_timeout(chan->retire_wait,
						       nv3_ring_alloc(&chan->ring, size, span),
						       HZ / 10);
	return ret > 0 ? 0 : ret ?: -ENODEV;
}

/*
 * The callback of nv3_room_place(). Eviction may lock further buffers with the same ww context, so
 * this function places the buffers before drm_exec ends the acquire phase.
 */
static int nv3_submit_lock_and_place(void *data, bool retry)
{
	struct nv3_submit *submit = data;
	struct nv3_job *job = submit->job;
	int ret;
	u32 i;

	drm_exec_init(&submit->exec, DRM_EXEC_INTERRUPTIBLE_WAIT | DRM_EXEC_IGNORE_DUPLICATES,
		      job->bo_count + submit->args->segment_count);
	drm_exec_until_all_locked(&submit->exec) {
		ret = 0;
		for (i = 0; i < job->bo_count && !ret; i++) {
			ret = drm_exec_prepare_obj(&submit->exec, &job->bos[i]->tbo.base,
						   NV3_SUBMIT_FENCES);
			drm_exec_retry_on_contention(&submit->exec);
		}
		for (i = 0; i < submit->args->segment_count && !ret; i++) {
			ret = drm_exec_lock_obj(&submit->exec, &submit->segment_bos[i]->tbo.base);
			drm_exec_retry_on_contention(&submit->exec);
		}
		if (!ret)
			ret = nv3_job_place(job, &submit->exec, NV3_SUBMIT_FENCES, retry);
		drm_exec_retry_on_contention(&submit->exec);
		if (ret)
			break;
	}
	if (ret)
		drm_exec_fini(&submit->exec);
	return ret;
}

static int nv3_submit_copy(struct nv3_submit *submit)
{
	struct nv3_job *job = submit->job;
	struct nv3_channel *chan = job->chan;
	__le32 *dst = nv3_ring_cpu(&chan->ring, &job->span);
	u32 i;

	for (i = 0; i < submit->args->segment_count; i++) {
		const struct drm_nv3_segment *seg = &submit->segments[i];
		struct iosys_map map;
		int ret = nv3_bo_vmap(submit->segment_bos[i], &map);

		if (ret) {
			drm_dbg(submit->drm, "submit: segments[%u]: not mapped: %d\n", i, ret);
			return ret;
		}
		iosys_map_memcpy_from(dst, &map, seg->offset, seg->length);
		dst += seg->length / sizeof(*dst);
	}

	nv3_fence_write_tail(chan, dst);
	nv3_ring_flush(chan->rm->nv3, &chan->ring, &job->span);
	return 0;
}

static int nv3_submit_add_dependencies(struct nv3_submit *submit)
{
	struct nv3_job *job = submit->job;
	u32 i;

	for (i = 0; i < job->bo_count; i++) {
		bool write = submit->buffers[i].flags & DRM_NV3_BUFFER_WRITE;
		enum dma_resv_usage usage = dma_resv_usage_rw(write);
		int ret;

		/* Without implicit synchronization, wait only for migrations of the buffer. */
		if (submit->buffers[i].flags & DRM_NV3_BUFFER_EXPLICIT)
			usage = DMA_RESV_USAGE_KERNEL;
		ret = drm_sched_job_add_resv_dependencies(&job->base, nv3_bo_resv(job->bos[i]),
							  usage) ?:
		      nv3_job_sync_add(job, job->bos[i], write);
		if (ret)
			return ret;
	}
	return 0;
}

static int nv3_submit_create_fences(struct nv3_submit *submit)
{
	struct nv3_channel *chan = submit->job->chan;

	submit->job->fence = nv3_fence_create(chan);
	if (chan->long_running)
		submit->preempt_fence = nv3_preempt_fence_create(chan->rm);

	return submit->job->fence && (submit->preempt_fence || !chan->long_running) ? 0 : -ENOMEM;
}

/* Returns the usage with which the fence is added to a buffer. @flags: DRM_NV3_BUFFER_*. */
static enum dma_resv_usage nv3_submit_usage(u32 flags)
{
	if (flags & DRM_NV3_BUFFER_EXPLICIT)
		return DMA_RESV_USAGE_BOOKKEEP;
	return flags & DRM_NV3_BUFFER_WRITE ? DMA_RESV_USAGE_WRITE : DMA_RESV_USAGE_READ;
}

/* Adds the fence of the batch to its buffers, and passes it to the out syncobjs. */
static void nv3_submit_publish(struct nv3_submit *submit)
{
	struct nv3_job *job = submit->job;
	struct dma_fence *fence = dma_fence_get(&job->base.s_fence->finished);
	u32 i;

	for (i = 0; i < job->bo_count; i++)
		dma_resv_add_fence(nv3_bo_resv(job->bos[i]), fence,
				   nv3_submit_usage(submit->buffers[i].flags));

	nv3_vm_add_fence(job->chan->vm, fence);
	nv3_out_syncs_signal(&submit->outs, fence);
	dma_fence_put(fence);
}

/* Adds a preempt fence to the buffers. The out syncobjs get a fence when the batch has ended. */
static void nv3_submit_publish_later(struct nv3_submit *submit)
{
	struct nv3_job *job = submit->job;

	nv3_preempt_fence_attach(submit->preempt_fence, job);
	submit->preempt_fence = NULL;
	nv3_out_syncs_clear(&submit->outs);
	list_splice_init(&submit->outs, &job->outs);
}

static void nv3_submit_push(struct nv3_submit *submit)
{
	struct nv3_job *job = submit->job;
	bool cookie = dma_fence_begin_signalling();

	nv3_job_arm(job);
	if (job->chan->long_running)
		nv3_submit_publish_later(submit);
	else
		nv3_submit_publish(submit);

	submit->job = NULL;
	nv3_job_push(job);
	dma_fence_end_signalling(cookie);
}

/* Executes SUBMIT with the buffers locked, so that they stay in place until they have the fence. */
static int nv3_submit_locked(struct nv3_submit *submit)
{
	struct nv3_rm *rm = submit->job->chan->rm;
	int ret;

	ret = nv3_submit_copy(submit) ?:
	      nv3_submit_add_dependencies(submit) ?:
	      nv3_submit_create_fences(submit) ?:
	      nv3_job_sync_order(submit->job);
	if (ret)
		return ret;

	if (rm->hooks->pio)
		submit->interrupted = rm->hooks->pio->interrupt(rm, submit->job->bos,
								submit->job->bo_count);
	nv3_submit_push(submit);
	return 0;
}

/**
 * nv3_submit_batch() - queue a batch
 * @submit: the batch. The caller frees the members that are not NULL, even after an error
 * Context: process context; nv3_channel.lock is held. May wait for earlier batches of the channel,
 * and for batches whose buffers must be evicted.
 * Return: 0, -ENOENT if closed, -EIO after a fault, -ENODEV, or an error of nv3_room_place().
 */
int nv3_submit_batch(struct nv3_submit *submit)
{
	struct nv3_channel *chan = submit->job->chan;
	int ret;

	if (chan->closed)
		return -ENOENT;
	if (READ_ONCE(chan->fault.reason)) {
		drm_dbg(submit->drm, "submit: channel %u has faulted\n", submit->args->channel);
		return -EIO;
	}

	ret = nv3_submit_alloc_span(submit);
	if (ret)
		return ret;

	ret = nv3_room_place(chan->rm->nv3, true, nv3_submit_lock_and_place, submit);
	if (!ret) {
		ret = nv3_submit_locked(submit);
		drm_exec_fini(&submit->exec);
		nv3_room_leave(chan->rm->nv3);
	}
	if (ret)
		nv3_ring_cancel(&chan->ring, &submit->job->span);
	return ret;
}
