// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Channels
 *
 * A channel is one client's virtual FIFO, and behind it what looks like a chip of the
 * client's own: eight subchannels, a table of names, surfaces, all drawing state. The
 * chip knows 128 of them, by number, and has one set of registers; nv3_switch.c moves
 * channels in and out of them. Each has a GPU scheduler of its own, which keeps batches
 * until what they depend on is done; whose turn it is then is decided in nv3_queue.c.
 *
 * A client may close its channel, or die, with batches queued or running. What it has
 * submitted is carried out, up to a batch that waits for another channel or the display:
 * closing ends the wait with a fault. But of a process that ends, killed or not, the GPU
 * scheduler drops what it still keeps after a second. The last batch that goes takes the
 * channel with it.
 */

#include <linux/capability.h>
#include <linux/slab.h>

#include <drm/drm_auth.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>
#include <drm/drm_vma_manager.h>

#include "nv3_channel.h"
#include "nv3_job.h"
#include "nv3_long_running.h"
#include "nv3_object.h"

/* From here on nv3_rm_get_channel() finds it. */
static void nv3_channel_publish(struct nv3_channel *chan)
{
	spin_lock(&chan->rm->channels_lock);
	chan->rm->channels[chan->chid] = chan;
	spin_unlock(&chan->rm->channels_lock);
}

static void nv3_channel_unpublish(struct nv3_channel *chan)
{
	spin_lock(&chan->rm->channels_lock);
	chan->rm->channels[chan->chid] = NULL;
	spin_unlock(&chan->rm->channels_lock);
}

static void nv3_channel_end(struct work_struct *work);

static struct nv3_channel *nv3_channel_alloc(struct nv3_rm *rm, u32 type, u32 flags,
					     struct nv3_client *client)
{
	struct nv3_channel *chan;

	chan = kzalloc(sizeof(*chan), GFP_KERNEL_ACCOUNT);
	if (!chan)
		return NULL;

	kref_init(&chan->ref);
	mutex_init(&chan->lock);
	chan->rm = rm;
	chan->client = nv3_client_get(client);
	chan->type = type;
	chan->long_running = flags & DRM_NV3_CHANNEL_LONG_RUNNING;
	spin_lock_init(&chan->outs_lock);
	nv3_resume_init(chan);
	nv3_object_init_table(chan);
	INIT_LIST_HEAD(&chan->dying);
	INIT_LIST_HEAD(&chan->watchers);
	INIT_LIST_HEAD(&chan->notifies);
	INIT_LIST_HEAD(&chan->dmas);
	init_waitqueue_head(&chan->retire_wait);
	INIT_WORK(&chan->end, nv3_channel_end);
	INIT_WORK(&chan->reap, nv3_object_reap_work);
	nv3_queue_init(chan);
	chan->graph = rm->graph_reset;
	return chan;
}

static void nv3_channel_free(struct nv3_channel *chan)
{
	nv3_queue_fini(chan);
	if (chan->window.dummy)
		__free_page(chan->window.dummy);
	dma_fence_put(chan->bounced);
	xa_destroy(&chan->objects);
	mutex_destroy(&chan->lock);
	nv3_client_put(chan->client);
	kfree(chan);
}

/* What feeds the channel. */
static int nv3_channel_init_feed(struct nv3_channel *chan)
{
	return chan->type == DRM_NV3_CHANNEL_PIO ? nv3_lease_init(chan) :
						   nv3_ring_init(chan->rm, &chan->ring);
}

static void nv3_channel_fini_feed(struct nv3_channel *chan)
{
	if (chan->type == DRM_NV3_CHANNEL_PIO)
		nv3_lease_fini(chan);
	else
		nv3_ring_fini(chan->rm, &chan->ring);
}

/*
 * @flags: DRM_NV3_CHANNEL_LONG_RUNNING or 0. @file is the client's, or null for a DMA channel of
 * the kernel's own.
 */
struct nv3_channel *nv3_channel_create(struct nv3_rm *rm, u32 type, u32 flags,
				       struct drm_file *file)
{
	struct nv3_file *nv3_file = file ? file->driver_priv : NULL;
	struct nv3_channel *chan;
	int ret;

	chan = nv3_channel_alloc(rm, type, flags, nv3_file ? nv3_file->client : NULL);
	if (!chan)
		return ERR_PTR(-ENOMEM);

	ret = nv3_client_get_chid(rm, chan->client);
	if (ret < 0)
		goto err_free;
	chan->chid = ret;

	ret = nv3_channel_init_feed(chan);
	if (ret)
		goto err_chid;

	ret = nv3_notifier_init(chan);
	if (ret)
		goto err_feed;

	ret = nv3_job_init(chan);
	if (ret)
		goto err_notifier;

	if (type == DRM_NV3_CHANNEL_PIO) {
		ret = nv3_window_init(chan, file);
		if (ret)
			goto err_job;
	}

	nv3_ramfc_clear(chan);
	nv3_channel_publish(chan);
	return chan;

err_job:
	drm_sched_entity_destroy(&chan->entity);
	nv3_job_fini(chan);
err_notifier:
	nv3_object_remove_all(chan);
	nv3_notifier_fini(chan);
err_feed:
	nv3_object_wait_destroyed(chan);
	nv3_channel_fini_feed(chan);
err_chid:
	nv3_client_put_chid(rm, chan->chid, false);
err_free:
	nv3_channel_free(chan);
	return ERR_PTR(ret);
}

static void nv3_channel_end(struct work_struct *work)
{
	struct nv3_channel *chan = container_of(work, struct nv3_channel, end);
	struct nv3_rm *rm = chan->rm;

	nv3_channel_unpublish(chan);
	nv3_resume_fini(chan);
	nv3_job_fini(chan);

	spin_lock_irq(&rm->lock);
	nv3_switch_disown(chan);
	spin_unlock_irq(&rm->lock);

	nv3_object_remove_all(chan);
	nv3_object_wait_destroyed(chan);
	nv3_notifier_fini(chan);
	nv3_channel_fini_feed(chan);
	nv3_client_put_chid(rm, chan->chid, true);
	nv3_channel_free(chan);
}

/* By whoever frees its last batch, and that is its scheduler, which must end first. */
static void nv3_channel_release(struct kref *ref)
{
	struct nv3_channel *chan = container_of(ref, struct nv3_channel, ref);

	queue_work(chan->rm->channel_wq, &chan->end);
}

void nv3_channel_put(struct nv3_channel *chan)
{
	kref_put(&chan->ref, nv3_channel_release);
}

/* No batch starts after this, and ioctls that are under way find it closed. */
void nv3_channel_stop(struct nv3_channel *chan)
{
	unsigned long flags;
	bool closed;

	/* One that waits for something would keep those behind it, and SUBMIT, for as long. */
	flags = nv3_rm_lock(chan->rm);
	nv3_queue_close(chan);
	nv3_rm_unlock(chan->rm, flags);

	mutex_lock(&chan->lock);
	closed = chan->closed;
	chan->closed = true;
	if (chan->type == DRM_NV3_CHANNEL_PIO && !closed) {
		nv3_window_end(chan);
		nv3_lease_cut(chan);
	}
	mutex_unlock(&chan->lock);

	if (!closed)
		drm_sched_entity_destroy(&chan->entity);
}

/* The client gives it up; what is left of it ends with its last batch. */
void nv3_channel_close(struct nv3_channel *chan)
{
	nv3_channel_stop(chan);
	if (chan->type == DRM_NV3_CHANNEL_PIO)
		nv3_window_close(chan);
	nv3_client_end_chid(chan->rm);
	nv3_channel_put(chan);
}

struct nv3_channel *nv3_channel_get_by_id(struct drm_file *file, u32 id)
{
	struct nv3_file *nv3_file = file->driver_priv;
	struct nv3_channel *chan;

	mutex_lock(&nv3_file->lock);
	chan = xa_load(&nv3_file->channels, id);
	if (chan)
		nv3_channel_get(chan);
	mutex_unlock(&nv3_file->lock);

	if (!chan)
		drm_dbg(file->minor->dev, "no channel %u\n", id);
	return chan;
}

static u64 nv3_channel_retired(struct nv3_channel *chan)
{
	u64 retired;

	spin_lock_irq(&chan->rm->lock);
	retired = chan->retired;
	spin_unlock_irq(&chan->rm->lock);

	return retired;
}

/* Waits until batch number @batch is over, and its place in the ring free. */
int nv3_channel_wait_retired(struct nv3_channel *chan, u64 batch)
{
	return wait_event_interruptible(chan->retire_wait, nv3_channel_retired(chan) >= batch);
}

static int nv3_channel_create_check(struct drm_device *drm, struct drm_file *file,
				    const struct drm_nv3_channel_create *args)
{
	if (args->flags & ~DRM_NV3_CHANNEL_LONG_RUNNING) {
		drm_dbg(drm, "channel_create: flags is %#x\n", args->flags);
		return -EINVAL;
	}
	if (args->budget_ms > NV3_LIMIT_BUDGET_MS) {
		drm_dbg(drm, "channel_create: budget_ms is %u, at most %u\n", args->budget_ms,
			NV3_LIMIT_BUDGET_MS);
		return -EINVAL;
	}
	if (args->pad) {
		drm_dbg(drm, "channel_create: pad is %#x\n", args->pad);
		return -EINVAL;
	}
	if (args->priority < DRM_NV3_PRIORITY_LOW || args->priority > DRM_NV3_PRIORITY_HIGH) {
		drm_dbg(drm, "channel_create: priority is %d\n", args->priority);
		return -EINVAL;
	}
	if (args->priority > DRM_NV3_PRIORITY_NORMAL && !drm_is_current_master(file) &&
	    !capable(CAP_SYS_NICE)) {
		drm_dbg(drm, "channel_create: priority %d needs CAP_SYS_NICE\n", args->priority);
		return -EPERM;
	}
	switch (args->type) {
	case DRM_NV3_CHANNEL_DMA:
	case DRM_NV3_CHANNEL_PIO:
		return 0;
	default:
		drm_dbg(drm, "channel_create: type is %u\n", args->type);
		return -EINVAL;
	}
}

int nv3_rm_channel_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct nv3_file *nv3_file = file->driver_priv;
	struct drm_nv3_channel_create *args = data;
	struct nv3_channel *chan;
	int ret, idx;
	u32 id;

	ret = nv3_channel_create_check(drm, file, args);
	if (ret)
		return ret;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;

	chan = nv3_channel_create(to_rm(drm), args->type, args->flags, file);
	if (IS_ERR(chan)) {
		ret = PTR_ERR(chan);
		goto out;
	}

	chan->budget_ms = args->budget_ms ?: NV3_LIMIT_BUDGET_MS;
	chan->queue.priority = args->priority;
	args->mmap_offset = args->type == DRM_NV3_CHANNEL_PIO ?
			    drm_vma_node_offset_addr(&chan->window.gem.vma_node) : 0;

	/* Once it has a number, another thread may destroy it. */
	mutex_lock(&nv3_file->lock);
	ret = xa_alloc(&nv3_file->channels, &id, chan, XA_LIMIT(1, U32_MAX), GFP_KERNEL);
	mutex_unlock(&nv3_file->lock);
	if (ret) {
		nv3_channel_close(chan);
		goto out;
	}

	args->channel = id;

out:
	drm_dev_exit(idx);
	return ret;
}

int nv3_rm_channel_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_channel_destroy *args = data;
	struct nv3_file *nv3_file = file->driver_priv;
	struct nv3_channel *chan;

	if (args->pad) {
		drm_dbg(drm, "channel_destroy: pad is %#x\n", args->pad);
		return -EINVAL;
	}

	mutex_lock(&nv3_file->lock);
	chan = xa_erase(&nv3_file->channels, args->channel);
	mutex_unlock(&nv3_file->lock);
	if (!chan) {
		drm_dbg(drm, "channel_destroy: no channel %u\n", args->channel);
		return -ENOENT;
	}

	nv3_channel_close(chan);
	return 0;
}

int nv3_rm_channel_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_channel_query *args = data;
	struct nv3_channel *chan;

	chan = nv3_channel_get_by_id(file, args->channel);
	if (!chan)
		return -ENOENT;

	spin_lock_irq(&chan->rm->lock);
	args->fault = chan->fault.reason;
	args->subch = chan->fault.subch;
	args->method = chan->fault.mthd;
	args->data = chan->fault.data;
	args->class_id = chan->fault.class_id;
	args->batches = chan->completed;
	spin_unlock_irq(&chan->rm->lock);

	nv3_channel_put(chan);
	return 0;
}

int nv3_rm_open(struct drm_device *drm, struct drm_file *file)
{
	struct nv3_file *nv3_file;

	nv3_file = kzalloc(sizeof(*nv3_file), GFP_KERNEL);
	if (!nv3_file)
		return -ENOMEM;

	nv3_file->client = nv3_client_create();
	if (!nv3_file->client) {
		kfree(nv3_file);
		return -ENOMEM;
	}

	mutex_init(&nv3_file->lock);
	xa_init_flags(&nv3_file->channels, XA_FLAGS_ALLOC1);
	file->driver_priv = nv3_file;
	return 0;
}

void nv3_rm_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct nv3_file *nv3_file = file->driver_priv;
	struct nv3_channel *chan;
	unsigned long id;

	xa_for_each(&nv3_file->channels, id, chan)
		nv3_channel_close(chan);

	xa_destroy(&nv3_file->channels);
	mutex_destroy(&nv3_file->lock);
	nv3_client_put(nv3_file->client);
	kfree(nv3_file);
}
