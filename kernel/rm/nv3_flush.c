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
#include <drm/drm_syncobj.h>

#include "nv3_channel.h"

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

static int nv3_flush_locked(struct drm_device *drm, struct nv3_channel *chan,
			    struct drm_syncobj *syncobj, struct dma_fence_chain **chain, u64 point)
{
	struct dma_fence *fence;

	if (chan->closed)
		return -ENOENT;

	nv3_lease_cut(chan);
	if (READ_ONCE(chan->fault.reason)) {
		drm_dbg(drm, "channel_flush: channel %u has faulted\n", chan->chid);
		return -EIO;
	}
	if (!syncobj)
		return 0;

	fence = nv3_flush_fence(chan);
	if (*chain) {
		drm_syncobj_add_point(syncobj, *chain, fence, point);
		*chain = NULL;
	} else {
		drm_syncobj_replace_fence(syncobj, fence);
	}
	dma_fence_put(fence);
	return 0;
}

static int nv3_flush(struct drm_device *drm, struct nv3_channel *chan, struct drm_file *file,
		     const struct drm_nv3_channel_flush *args)
{
	struct drm_syncobj *syncobj = NULL;
	struct dma_fence_chain *chain = NULL;
	int ret;

	if (args->syncobj) {
		syncobj = drm_syncobj_find(file, args->syncobj);
		if (!syncobj) {
			drm_dbg(drm, "channel_flush: no syncobj %u\n", args->syncobj);
			return -ENOENT;
		}
	}
	if (args->point) {
		chain = dma_fence_chain_alloc();
		ret = chain ? 0 : -ENOMEM;
		if (ret)
			goto out;
	}

	ret = mutex_lock_interruptible(&chan->lock);
	if (ret)
		goto out;
	ret = nv3_flush_locked(drm, chan, syncobj, &chain, args->point);
	mutex_unlock(&chan->lock);

out:
	dma_fence_chain_free(chain);
	if (syncobj)
		drm_syncobj_put(syncobj);
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
