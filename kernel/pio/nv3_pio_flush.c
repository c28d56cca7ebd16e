// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: CHANNEL_FLUSH
 *
 * CHANNEL_FLUSH provides a fence for the methods of a PIO channel, as SUBMIT does for the methods
 * of a DMA channel. The client calls the ioctl after it has stored its methods, and passes a
 * syncobj. The ioctl ends the timeslice at once, and passes the fence of the timeslice to the
 * syncobj. The fence signals when the chip has executed the stored methods.
 */

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "client/nv3_out_sync.h"
#include "nv3_pio.h"
#include "rm/nv3_job.h"
#include "rm/nv3_rm.h"

static int nv3_flush_check(struct drm_device *drm, const struct drm_nv3_channel_flush *args)
{
	if (args->flags) {
		drm_dbg(drm, "channel_flush: flags is %#x\n", args->flags);
		return -EINVAL;
	}
	if (args->pad) {
		drm_dbg(drm, "channel_flush: pad is %#x\n", args->pad);
		return -EINVAL;
	}
	if (args->point && !args->syncobj) {
		drm_dbg(drm, "channel_flush: point is %llu of no syncobj\n", args->point);
		return -EINVAL;
	}
	return 0;
}

/*
 * Returns the fence of the newest timeslice, or a signalled fence if the channel has had no
 * timeslice.
 */
static struct dma_fence *nv3_flush_fence(struct nv3_channel *chan)
{
	return chan->pio->fence ? dma_fence_get(chan->pio->fence) : dma_fence_get_stub();
}

/*
 * Passes the fence of the newest timeslice to the syncobjs in @outs. If the channel is long-running
 * and its newest timeslice has not ended, adds the syncobjs to this timeslice instead.
 */
static void nv3_flush_signal(struct nv3_channel *chan, struct list_head *outs)
{
	struct dma_fence *fence = nv3_flush_fence(chan);

	spin_lock(&chan->outs_lock);
	if (chan->newest) {
		nv3_out_syncs_clear(outs);
		list_splice_tail_init(outs, &chan->newest->outs);
	} else {
		nv3_out_syncs_signal(outs, fence);
	}
	spin_unlock(&chan->outs_lock);
	dma_fence_put(fence);
}

static int nv3_flush_locked(struct drm_device *drm, struct nv3_channel *chan,
			    struct list_head *outs)
{
	if (chan->closed)
		return -ENOENT;

	nv3_pio_end_early(chan);
	if (READ_ONCE(chan->fault.reason)) {
		drm_dbg(drm, "channel_flush: channel %u has faulted\n", chan->chid);
		return -EIO;
	}

	nv3_flush_signal(chan, outs);
	return 0;
}

static int nv3_flush(struct drm_device *drm, struct nv3_channel *chan, struct drm_file *file,
		     const struct drm_nv3_channel_flush *args)
{
	LIST_HEAD(outs);
	int ret = 0;

	if (args->syncobj)
		ret = nv3_out_sync_add(&outs, file, args->syncobj, args->point);
	if (ret) {
		drm_dbg(drm, "channel_flush: syncobj %u, point %llu: %d\n", args->syncobj,
			args->point, ret);
		goto out;
	}

	ret = mutex_lock_interruptible(&chan->lock);
	if (ret)
		goto out;
	ret = nv3_flush_locked(drm, chan, &outs);
	mutex_unlock(&chan->lock);

out:
	nv3_out_syncs_free(&outs);
	return ret;
}

/**
 * nv3_channel_flush_ioctl() - DRM_IOCTL_NV3_CHANNEL_FLUSH
 * @drm: the device
 * @data: struct drm_nv3_channel_flush
 * @file: the caller's file
 *
 * Context: process context; takes nv3_channel.lock.
 * Return: 0; -EINVAL for an invalid argument; -ENOENT for an unknown channel or syncobj; -EIO if
 * the channel has faulted; -ENOMEM; -ENODEV; or -ERESTARTSYS.
 */
int nv3_channel_flush_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_channel_flush *args = data;
	struct nv3_channel *chan;
	int ret, idx;

	ret = nv3_flush_check(drm, args);
	if (ret)
		return ret;

	chan = nv3_file_get_channel(file, args->channel);
	if (!chan)
		return -ENOENT;

	if (chan->type != DRM_NV3_CHANNEL_PIO) {
		drm_dbg(drm, "channel_flush: channel %u is no PIO channel\n", args->channel);
		ret = -EINVAL;
	} else if (drm_dev_enter(drm, &idx)) {
		ret = nv3_flush(drm, chan, file, args);
		drm_dev_exit(idx);
	} else {
		ret = -ENODEV;
	}

	nv3_channel_put(chan);
	return ret;
}
