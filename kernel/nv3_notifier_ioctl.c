// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: NOTIFIER_FENCE
 *
 * The ioctl creates a sync file for a notification that a client has requested. rm/nv3_notifier.c
 * signals the fence of the sync file.
 */

#include <linux/file.h>
#include <linux/sync_file.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "class/nv3_dmaobj.h"
#include "nv3_ioctl.h"
#include "rm/nv3_channel.h"
#include "rm/nv3_fence.h"
#include "rm/nv3_object.h"
#include "rm/nv3_rm.h"
#include "rm/nv3_job.h"

/*
 * The number of notification slots in a DMA object. The argument of method 0x104 has 4 bits for the
 * slot.
 */
#define NV3_NOTIFIER_SLOTS	16

/*
 * The maximum number of a channel's notification fences that have not signalled. The driver checks
 * all of them at each notification interrupt.
 */
#define NV3_NOTIFIER_MAX	256

/*
 * Finds the memory of the slot @args->slot. Sets @bo to the buffer of the client's DMA object, and
 * takes a reference to the buffer. Sets @offset to the slot's offset in the buffer.
 */
static int nv3_notifier_lookup(struct nv3_channel *chan, const struct drm_nv3_notifier_fence *args,
			       struct nv3_bo **bo, u64 *offset)
{
	struct nv3_object *obj = nv3_object_find_get(chan, args->name, &nv3_class_dma);
	struct nv3_dmaobj *dma;
	int ret = 0;

	if (!obj) {
		drm_dbg(&chan->rm->nv3->drm, "notifier_fence: no dma object %#x\n", args->name);
		return -ENOENT;
	}

	dma = container_of(obj, struct nv3_dmaobj, base);
	*offset = ((u64)dma->first << PAGE_SHIFT) + dma->adjust +
		  args->slot * NV3_NOTIFICATION_SIZE;
	if (!dma->writable || (args->slot + 1) * NV3_NOTIFICATION_SIZE > dma->size ||
	    *offset % sizeof(u32)) {
		drm_dbg(&chan->rm->nv3->drm, "notifier_fence: slot %u of object %#x\n",
			args->slot, args->name);
		ret = -EINVAL;
	} else if (dma->bo->bounced) {
		/*
		 * The chip would write the notification to a bounce page. The driver copies bounce
		 * pages to the buffer only after the batch, which is too late for the fence.
		 */
		drm_dbg(&chan->rm->nv3->drm, "notifier_fence: object %#x is out of reach\n",
			args->name);
		ret = -EINVAL;
	} else {
		*bo = dma->bo;
		nv3_bo_get(*bo);
	}
	nv3_object_put(obj);
	return ret;
}

static struct nv3_notifier_wait *nv3_notifier_prepare(struct nv3_channel *chan,
						      const struct drm_nv3_notifier_fence *args)
{
	struct nv3_notifier_wait *wait;
	struct nv3_bo *bo;
	u64 offset;
	int ret;

	ret = nv3_notifier_lookup(chan, args, &bo, &offset);
	if (ret)
		return ERR_PTR(ret);

	wait = nv3_notifier_create(chan, bo, offset);
	if (!wait) {
		nv3_bo_put(bo);
		return ERR_PTR(-ENOMEM);
	}
	return wait;
}

/* Called with nv3_channel.lock held. */
static int nv3_notifier_create_fd(struct nv3_channel *chan, struct drm_nv3_notifier_fence *args)
{
	struct nv3_notifier_wait *wait;
	struct sync_file *sync;
	unsigned long flags;
	int fd, ret;

	if (chan->closed)
		return -ENOENT;
	if (chan->long_running) {
		/*
		 * The channel may wait for another client before the chip writes the notification,
		 * so no fence may depend on the notification.
		 */
		drm_dbg(&chan->rm->nv3->drm, "notifier_fence: the channel is long-running\n");
		return -EOPNOTSUPP;
	}
	if (READ_ONCE(chan->notifier_wait_count) >= NV3_NOTIFIER_MAX) {
		drm_dbg(&chan->rm->nv3->drm, "notifier_fence: more than %u fences of the channel wait\n",
			NV3_NOTIFIER_MAX);
		return -ENOSPC;
	}

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;

	wait = nv3_notifier_prepare(chan, args);
	if (IS_ERR(wait)) {
		ret = PTR_ERR(wait);
		goto err_fd;
	}

	sync = sync_file_create(nv3_notifier_fence(wait));
	if (!sync) {
		ret = -ENOMEM;
		goto err_wait;
	}

	ret = nv3_notifier_attach(chan->rm->nv3, wait);
	if (ret)
		goto err_sync;

	flags = nv3_rm_lock(chan->rm);
	nv3_notifier_add(chan, wait);
	nv3_rm_unlock(chan->rm, flags);
	fd_install(fd, sync->file);
	args->fd = fd;
	return 0;

err_sync:
	fput(sync->file);
err_wait:
	nv3_notifier_release(wait);
err_fd:
	put_unused_fd(fd);
	return ret;
}

/**
 * nv3_notifier_fence_ioctl() - DRM_IOCTL_NV3_NOTIFIER_FENCE
 * @drm: the device
 * @data: struct drm_nv3_notifier_fence
 * @file: the caller's file
 *
 * Context: process context; takes nv3_channel.lock.
 * Return: 0; -EINVAL or -ENOENT for invalid arguments; -EOPNOTSUPP, -ENOSPC, -ENOMEM, -EMFILE,
 * -ENODEV or -ERESTARTSYS.
 */
int nv3_notifier_fence_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_notifier_fence *args = data;
	struct nv3_channel *chan;
	int ret, idx;

	if (args->flags || args->pad || args->slot >= NV3_NOTIFIER_SLOTS) {
		drm_dbg(drm, "notifier_fence: slot %u, flags %#x, pad %#x\n", args->slot,
			args->flags, args->pad);
		return -EINVAL;
	}

	chan = nv3_file_get_channel(file, args->channel);
	if (!chan)
		return -ENOENT;

	if (!drm_dev_enter(drm, &idx)) {
		ret = -ENODEV;
		goto out_put;
	}

	ret = mutex_lock_interruptible(&chan->lock);
	if (!ret) {
		ret = nv3_notifier_create_fd(chan, args);
		mutex_unlock(&chan->lock);
	}
	drm_dev_exit(idx);

out_put:
	nv3_channel_put(chan);
	return ret;
}
