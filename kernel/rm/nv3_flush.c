// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: CHANNEL_FLUSH
 *
 * What SUBMIT's out syncobj is to a batch: a PIO channel's client says that it has stored all
 * that it wants done for now, and gets a fence that signals when it is. The turn ends with it,
 * so that the client needn't be waited for until it has stored nothing for a while.
 */

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_job.h"
#include "nv3_sync.h"

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

/* Without a turn so far there is nothing to wait for. */
static struct dma_fence *nv3_flush_fence(struct nv3_channel *chan)
{
	return chan->lease.fence ? dma_fence_get(chan->lease.fence) : dma_fence_get_stub();
}

/* Gives @outs the fence of the newest turn, or, on a long-running channel, to that turn. */
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

	nv3_lease_cut(chan);
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

int nv3_rm_channel_flush_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_channel_flush *args = data;
	struct nv3_channel *chan;
	int ret, idx;

	ret = nv3_flush_check(drm, args);
	if (ret)
		return ret;

	chan = nv3_channel_get_by_id(file, args->channel);
	if (!chan)
		return -ENOENT;

	if (chan->type != DRM_NV3_CHANNEL_PIO) {
		drm_dbg(drm, "channel_flush: channel %u has no window\n", args->channel);
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
