// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The arguments of SUBMIT
 *
 * SUBMIT takes four arrays: segments, buffers, in syncobjs and out syncobjs. This file copies and
 * checks these arrays before the channel is locked. Afterwards, rm/nv3_submit.c submits the batch.
 */

#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>
#include <drm/drm_syncobj.h>

#include "client/nv3_out_sync.h"
#include "nv3_ioctl.h"
#include "rm/nv3_rm.h"
#include "rm/nv3_submit.h"

/*
 * The maximum numbers of elements in the arrays of SUBMIT. These limits bound the memory that the
 * kernel allocates, and are higher than clients need.
 */
#define NV3_SUBMIT_SEGMENTS	1024
#define NV3_SUBMIT_BUFFERS	1024
#define NV3_SUBMIT_SYNCS	256

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

/*
 * Copies @count elements one by one. An element has @usize bytes in the client's array, and @size
 * bytes in the kernel's array.
 */
static int nv3_submit_convert_array(void *array, u64 ptr, u32 count, u32 usize, size_t size)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < count && !ret; i++)
		ret = copy_struct_from_user(array + i * size, size,
					    u64_to_user_ptr(ptr + (u64)i * usize), usize);
	return ret;
}

/*
 * Copies an array of the client. The client may be older or newer than the driver, so the element
 * sizes may differ (see copy_struct_from_user()).
 */
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
		nv3_job_destroy(submit->job);

	kvfree(submit->segment_bos);
	kvfree(submit->segments);
	kvfree(submit->buffers);
}

static int nv3_submit(struct nv3_submit *submit, struct nv3_channel *chan)
{
	struct nv3_job *job = nv3_job_create(chan, submit->file->client_id);
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

/**
 * nv3_submit_ioctl() - DRM_IOCTL_NV3_SUBMIT
 * @drm: the device
 * @data: struct drm_nv3_submit
 * @file: the caller's file
 *
 * Context: process context; takes nv3_channel.lock.
 * Return: 0; -EINVAL, -E2BIG, -EFAULT or -ENOENT for invalid arguments; -ENODEV; or an error of
 * nv3_submit_batch().
 */
int nv3_submit_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct nv3_submit submit = { .drm = drm, .file = file, .args = data };
	struct nv3_channel *chan;
	int ret, idx;

	INIT_LIST_HEAD(&submit.outs);
	ret = nv3_submit_check(&submit);
	if (ret)
		return ret;

	chan = nv3_file_get_channel(file, submit.args->channel);
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
