// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: SUBMIT
 *
 * A batch is a list of segments, pieces of buffers that hold pushbuffer words, and a list
 * of the buffers that those words reach through objects. The words are copied to the
 * channel's ring, so what is checked is what runs, and the client may write the next batch at
 * once. Nobody reads what they say: a batch can only do what the client's objects allow.
 *
 * Everything that can fail, fails before the batch is armed, and leaves no trace.
 *
 * A batch of a long-running channel waits for fences as any other, but has none itself that
 * others could wait for: nv3_long_running.c.
 */

#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_exec.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>
#include <drm/drm_syncobj.h>

#include "nv3_bounce.h"
#include "nv3_channel.h"
#include "nv3_job.h"
#include "nv3_long_running.h"
#include "nv3_sync.h"

/* More than any client has use for; it bounds what the kernel allocates. */
#define NV3_SUBMIT_SEGMENTS	1024
#define NV3_SUBMIT_BUFFERS	1024
#define NV3_SUBMIT_SYNCS	256

/*
 * A buffer that is named several times may have the batch's fence as often as there are usages
 * for it (nv3_submit_usage()): one of a stronger usage doesn't stand for those that come after.
 */
#define NV3_SUBMIT_USAGES	3

/* SUBMIT under way. */
struct nv3_submit {
	struct drm_device *drm;
	struct drm_file *file;
	const struct drm_nv3_submit *args;
	struct nv3_job *job;

	struct drm_nv3_segment *segments;
	struct nv3_bo **segment_bos;
	struct drm_nv3_buffer *buffers;
	/** @size: of the words, in bytes */
	u32 size;
	/** @outs: struct nv3_out_sync, until the batch is pushed */
	struct list_head outs;
	/** @preempt_fence: for a batch of a long-running channel, until that is pushed */
	struct nv3_preempt_fence *preempt_fence;
	/** @interrupted: the PIO channel whose turn had to end, if one had */
	struct nv3_channel *interrupted;

	struct drm_exec exec;
};

static int nv3_submit_check_count(struct nv3_submit *submit, const char *field, u32 count, u32 max)
{
	if (count <= max)
		return 0;

	drm_dbg(submit->drm, "submit: %s is %u, at most %u\n", field, count, max);
	return -E2BIG;
}

static int nv3_submit_check(struct nv3_submit *submit)
{
	const struct drm_nv3_submit *args = submit->args;

	if (args->flags) {
		drm_dbg(submit->drm, "submit: flags is %#x\n", args->flags);
		return -EINVAL;
	}
	if (args->pad) {
		drm_dbg(submit->drm, "submit: pad is %#x\n", args->pad);
		return -EINVAL;
	}
	if (!args->segment_count) {
		drm_dbg(submit->drm, "submit: segment_count is 0\n");
		return -EINVAL;
	}

	return nv3_submit_check_count(submit, "segment_count", args->segment_count,
				      NV3_SUBMIT_SEGMENTS) ?:
	       nv3_submit_check_count(submit, "buffer_count", args->buffer_count,
				      NV3_SUBMIT_BUFFERS) ?:
	       nv3_submit_check_count(submit, "in_sync_count", args->in_sync_count,
				      NV3_SUBMIT_SYNCS) ?:
	       nv3_submit_check_count(submit, "out_sync_count", args->out_sync_count,
				      NV3_SUBMIT_SYNCS);
}

/* Elements of the client's size @usize to elements of @size, one by one. */
static int nv3_submit_convert_array(void *array, u64 ptr, u32 count, u32 usize, size_t size)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < count && !ret; i++)
		ret = copy_struct_from_user(array + i * size, size,
					    u64_to_user_ptr(ptr + (u64)i * usize), usize);
	return ret;
}

/* By the rules of copy_struct_from_user(), as a client may be older or newer than the driver. */
static int nv3_submit_read_array(void **array, u64 ptr, u32 count, u32 usize, size_t size)
{
	int ret;

	if (!usize)
		return -EINVAL;
	if (usize > PAGE_SIZE)
		return -E2BIG;
	if (usize == size) {
		*array = vmemdup_array_user(u64_to_user_ptr(ptr), count, size);
		return PTR_ERR_OR_ZERO(*array);
	}

	*array = kvmalloc_array(count, size, GFP_KERNEL_ACCOUNT);
	if (!*array)
		return -ENOMEM;
	ret = nv3_submit_convert_array(*array, ptr, count, usize, size);
	if (ret)
		kvfree(*array);
	return ret;
}

static int nv3_submit_copy_array(struct nv3_submit *submit, void **array, u64 ptr, u32 count,
				 u32 usize, size_t size, const char *field)
{
	int ret;

	if (!count)
		return 0;

	ret = nv3_submit_read_array(array, ptr, count, usize, size);
	if (ret) {
		*array = NULL;
		drm_dbg(submit->drm, "submit: %s of %u bytes each, %zu here: %d\n", field, usize,
			size, ret);
	}
	return ret;
}

static int nv3_submit_lookup(struct nv3_submit *submit, u32 handle, const char *field, u32 i,
			     struct nv3_bo **bo)
{
	struct drm_gem_object *gem = drm_gem_object_lookup(submit->file, handle);

	if (!gem) {
		drm_dbg(submit->drm, "submit: %s[%u]: no handle %u\n", field, i, handle);
		return -ENOENT;
	}

	*bo = to_nv3_bo(gem);
	return 0;
}

static int nv3_submit_check_segment(struct nv3_submit *submit, u32 i)
{
	const struct drm_nv3_segment *seg = &submit->segments[i];
	u64 end = (u64)seg->offset + seg->length;

	if (seg->pad) {
		drm_dbg(submit->drm, "submit: segments[%u]: pad is %#x\n", i, seg->pad);
		return -EINVAL;
	}
	if (!seg->length || seg->length % sizeof(u32) || seg->offset % sizeof(u32)) {
		drm_dbg(submit->drm, "submit: segments[%u]: offset %#x, length %#x\n", i,
			seg->offset, seg->length);
		return -EINVAL;
	}
	if (end > nv3_bo_size(submit->segment_bos[i])) {
		drm_dbg(submit->drm, "submit: segments[%u]: ends at %#llx of %#llx\n", i, end,
			nv3_bo_size(submit->segment_bos[i]));
		return -EINVAL;
	}
	if (seg->length > NV3_SUBMIT_MAX - submit->size) {
		drm_dbg(submit->drm, "submit: segments[%u]: more than %u bytes in all\n", i,
			NV3_SUBMIT_MAX);
		return -E2BIG;
	}

	submit->size += seg->length;
	return 0;
}

static int nv3_submit_get_segments(struct nv3_submit *submit)
{
	u32 i, count = submit->args->segment_count;
	int ret;

	ret = nv3_submit_copy_array(submit, (void **)&submit->segments, submit->args->segments,
				    count, submit->args->segment_size, sizeof(*submit->segments),
				    "segments");
	if (ret)
		return ret;

	submit->segment_bos = kvcalloc(count, sizeof(*submit->segment_bos), GFP_KERNEL);
	if (!submit->segment_bos)
		return -ENOMEM;

	for (i = 0; i < count; i++) {
		ret = nv3_submit_lookup(submit, submit->segments[i].handle, "segments", i,
					&submit->segment_bos[i]) ?:
		      nv3_submit_check_segment(submit, i);
		if (ret)
			return ret;
	}
	return 0;
}

static int nv3_submit_get_buffers(struct nv3_submit *submit)
{
	const u32 access = DRM_NV3_BUFFER_READ | DRM_NV3_BUFFER_WRITE;
	const u32 known = access | DRM_NV3_BUFFER_EXPLICIT;
	u32 i, count = submit->args->buffer_count;
	struct nv3_job *job = submit->job;
	int ret;

	ret = nv3_submit_copy_array(submit, (void **)&submit->buffers, submit->args->buffers,
				    count, submit->args->buffer_size, sizeof(*submit->buffers),
				    "buffers");
	if (ret)
		return ret;

	job->bos = kvcalloc(count, sizeof(*job->bos), GFP_KERNEL);
	if (!job->bos)
		return -ENOMEM;
	job->bo_count = count;

	for (i = 0; i < count; i++) {
		u32 flags = submit->buffers[i].flags;

		if (!(flags & access) || flags & ~known) {
			drm_dbg(submit->drm, "submit: buffers[%u]: flags is %#x\n", i, flags);
			return -EINVAL;
		}
		ret = nv3_submit_lookup(submit, submit->buffers[i].handle, "buffers", i,
					&job->bos[i]);
		if (ret)
			return ret;
	}
	return 0;
}

static int nv3_submit_in_sync(struct nv3_submit *submit, const struct drm_nv3_sync *sync, u32 i)
{
	struct dma_fence *fence;
	int ret;

	if (sync->flags) {
		drm_dbg(submit->drm, "submit: in_syncs[%u]: flags is %#x\n", i, sync->flags);
		return -EINVAL;
	}

	ret = drm_syncobj_find_fence(submit->file, sync->handle, sync->point, 0, &fence);
	if (ret) {
		drm_dbg(submit->drm, "submit: in_syncs[%u]: handle %u, point %llu: %d\n", i,
			sync->handle, sync->point, ret);
		return ret;
	}

	return drm_sched_job_add_dependency(&submit->job->base, fence);
}

static int nv3_submit_in_syncs(struct nv3_submit *submit)
{
	u32 i, count = submit->args->in_sync_count;
	struct drm_nv3_sync *syncs = NULL;
	int ret;

	ret = nv3_submit_copy_array(submit, (void **)&syncs, submit->args->in_syncs, count,
				    submit->args->sync_size, sizeof(*syncs), "in_syncs");
	for (i = 0; i < count && !ret; i++)
		ret = nv3_submit_in_sync(submit, &syncs[i], i);

	kvfree(syncs);
	return ret;
}

static int nv3_submit_out_sync(struct nv3_submit *submit, const struct drm_nv3_sync *sync, u32 i)
{
	int ret;

	if (sync->flags) {
		drm_dbg(submit->drm, "submit: out_syncs[%u]: flags is %#x\n", i, sync->flags);
		return -EINVAL;
	}

	ret = nv3_out_sync_add(&submit->outs, submit->file, sync->handle, sync->point);
	if (ret)
		drm_dbg(submit->drm, "submit: out_syncs[%u]: handle %u, point %llu: %d\n", i,
			sync->handle, sync->point, ret);
	return ret;
}

static int nv3_submit_out_syncs(struct nv3_submit *submit)
{
	u32 i, count = submit->args->out_sync_count;
	struct drm_nv3_sync *syncs = NULL;
	int ret;

	ret = nv3_submit_copy_array(submit, (void **)&syncs, submit->args->out_syncs, count,
				    submit->args->sync_size, sizeof(*syncs), "out_syncs");
	for (i = 0; i < count && !ret; i++)
		ret = nv3_submit_out_sync(submit, &syncs[i], i);

	kvfree(syncs);
	return ret;
}

/* Waits for room in the ring; the channel's batches make it, oldest first. */
static int nv3_submit_take_span(struct nv3_submit *submit)
{
	u32 size = submit->size + NV3_NOTIFIER_TAIL * sizeof(u32);
	struct nv3_job *job = submit->job;
	struct nv3_channel *chan = job->chan;

	return wait_event_interruptible(chan->retire_wait,
					nv3_ring_take(&chan->ring, size, &job->span));
}

/*
 * For nv3_room_place(). Eviction may lock more buffers with the same ww context, so the batch's
 * buffers are placed before drm_exec ends the acquire phase.
 */
static int nv3_submit_lock_and_place(void *data)
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
						   NV3_SUBMIT_USAGES);
			drm_exec_retry_on_contention(&submit->exec);
		}
		for (i = 0; i < submit->args->segment_count && !ret; i++) {
			ret = drm_exec_lock_obj(&submit->exec, &submit->segment_bos[i]->tbo.base);
			drm_exec_retry_on_contention(&submit->exec);
		}
		if (!ret)
			ret = nv3_job_place(job);
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

	nv3_notifier_tail(chan, dst);
	nv3_ring_flush(chan->rm, &chan->ring, &job->span);
	return 0;
}

static int nv3_submit_depend(struct nv3_submit *submit)
{
	struct nv3_job *job = submit->job;
	u32 i;

	for (i = 0; i < job->bo_count; i++) {
		bool write = submit->buffers[i].flags & DRM_NV3_BUFFER_WRITE;
		enum dma_resv_usage usage = dma_resv_usage_rw(write);
		int ret;

		/* Whoever says when must still wait until the buffer is where it is to be. */
		if (submit->buffers[i].flags & DRM_NV3_BUFFER_EXPLICIT)
			usage = DMA_RESV_USAGE_KERNEL;
		ret = drm_sched_job_add_resv_dependencies(&job->base, nv3_bo_resv(job->bos[i]),
							  usage) ?:
		      nv3_bounce_add(job, job->bos[i], write);
		if (ret)
			return ret;
	}
	return 0;
}

/* The fence of an explicit buffer only keeps it where it is. */
static enum dma_resv_usage nv3_submit_usage(u32 flags)
{
	if (flags & DRM_NV3_BUFFER_EXPLICIT)
		return DMA_RESV_USAGE_BOOKKEEP;
	return flags & DRM_NV3_BUFFER_WRITE ? DMA_RESV_USAGE_WRITE : DMA_RESV_USAGE_READ;
}

/* Others may wait for the batch, by its buffers and by the out syncobjs. */
static void nv3_submit_publish(struct nv3_submit *submit)
{
	struct nv3_job *job = submit->job;
	struct dma_fence *fence = dma_fence_get(&job->base.s_fence->finished);
	u32 i;

	for (i = 0; i < job->bo_count; i++)
		dma_resv_add_fence(nv3_bo_resv(job->bos[i]), fence,
				   nv3_submit_usage(submit->buffers[i].flags));

	nv3_out_syncs_signal(&submit->outs, fence);
	dma_fence_put(fence);
}

/* Of a long-running channel: they hear of it when it is over, and may have the buffers. */
static void nv3_submit_publish_later(struct nv3_submit *submit)
{
	struct nv3_job *job = submit->job;

	nv3_preempt_fence_attach(submit->preempt_fence, job);
	submit->preempt_fence = NULL;
	nv3_out_syncs_clear(&submit->outs);
	list_splice_init(&submit->outs, &job->outs);
}

/* From here on the batch is the scheduler's. */
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

/* All that is needed for it, before the batch is armed. */
static int nv3_submit_create_fences(struct nv3_submit *submit)
{
	struct nv3_channel *chan = submit->job->chan;

	submit->job->fence = nv3_fence_create(chan);
	if (!submit->job->fence)
		return -ENOMEM;
	if (!chan->long_running)
		return 0;

	submit->preempt_fence = nv3_preempt_fence_create(chan->rm);
	return submit->preempt_fence ? 0 : -ENOMEM;
}

/* With the buffers locked and placed: they stay where they are until the fence is added. */
static int nv3_submit_locked(struct nv3_submit *submit)
{
	int ret;

	ret = nv3_submit_copy(submit);
	if (ret)
		return ret;
	ret = nv3_submit_depend(submit);
	if (ret)
		return ret;

	ret = nv3_submit_create_fences(submit);
	if (ret)
		return ret;
	ret = nv3_bounce_order(submit->job);
	if (ret)
		return ret;

	submit->interrupted = nv3_lease_interrupt(submit->job->chan->rm, submit->job->bos,
						  submit->job->bo_count);
	nv3_submit_push(submit);
	return 0;
}

/* With the channel locked. */
static int nv3_submit_batch(struct nv3_submit *submit)
{
	struct nv3_job *job = submit->job;
	struct nv3_channel *chan = job->chan;
	int ret;

	if (chan->closed)
		return -ENOENT;
	if (READ_ONCE(chan->fault.reason)) {
		drm_dbg(submit->drm, "submit: channel %u has faulted\n", submit->args->channel);
		return -EIO;
	}

	ret = nv3_submit_take_span(submit);
	if (ret)
		return ret;

	ret = nv3_room_place(chan->rm->nv3, true, nv3_submit_lock_and_place, submit);
	if (!ret) {
		ret = nv3_submit_locked(submit);
		drm_exec_fini(&submit->exec);
		nv3_room_leave(chan->rm->nv3);
	}
	if (ret)
		nv3_ring_untake(&chan->ring, &job->span);
	return ret;
}

static void nv3_submit_cleanup(struct nv3_submit *submit)
{
	u32 i;

	if (submit->segment_bos)
		for (i = 0; i < submit->args->segment_count; i++)
			if (submit->segment_bos[i])
				nv3_bo_put(submit->segment_bos[i]);
	nv3_out_syncs_free(&submit->outs);
	if (submit->preempt_fence)
		dma_fence_put(&submit->preempt_fence->base);
	if (submit->interrupted)
		nv3_channel_put(submit->interrupted);
	if (submit->job)
		nv3_job_drop(submit->job);

	kvfree(submit->segment_bos);
	kvfree(submit->segments);
	kvfree(submit->buffers);
}

static int nv3_submit(struct nv3_submit *submit, struct nv3_channel *chan)
{
	struct nv3_job *job = nv3_job_new(chan, submit->file->client_id);
	int ret;

	if (IS_ERR(job))
		return PTR_ERR(job);
	submit->job = job;

	ret = nv3_submit_get_segments(submit) ?:
	      nv3_submit_get_buffers(submit) ?:
	      nv3_submit_in_syncs(submit) ?:
	      nv3_submit_out_syncs(submit);
	if (ret)
		return ret;

	ret = mutex_lock_interruptible(&chan->lock);
	if (ret)
		return ret;
	ret = nv3_submit_batch(submit);
	mutex_unlock(&chan->lock);

	return ret;
}

int nv3_rm_submit_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct nv3_submit submit = { .drm = drm, .file = file, .args = data };
	struct nv3_channel *chan;
	int ret, idx;

	INIT_LIST_HEAD(&submit.outs);
	ret = nv3_submit_check(&submit);
	if (ret)
		return ret;

	chan = nv3_channel_get_by_id(file, submit.args->channel);
	if (!chan)
		return -ENOENT;

	if (chan->type != DRM_NV3_CHANNEL_DMA) {
		drm_dbg(drm, "submit: channel %u is a PIO channel\n", submit.args->channel);
		ret = -EINVAL;
	} else if (drm_dev_enter(drm, &idx)) {
		ret = nv3_submit(&submit, chan);
		nv3_submit_cleanup(&submit);
		drm_dev_exit(idx);
	} else {
		ret = -ENODEV;
	}

	nv3_channel_put(chan);
	return ret;
}
