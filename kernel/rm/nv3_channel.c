// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Channels
 *
 * A channel is a virtual FIFO of a client. It has eight subchannels, a table of objects, surfaces,
 * and drawing state of its own. The chip distinguishes 128 channels by number, but has only one set
 * of registers for this state. nv3_switch.c saves and restores these registers. Each channel has
 * its own GPU scheduler, which holds batches until their dependencies have signalled. nv3_sched.c
 * selects which channel runs.
 *
 * A client may close its channel, or exit, while batches are queued or running. The chip still
 * executes the submitted batches. If one of these batches blocks, the channel faults. If the
 * process exits, the GPU scheduler drops the batches that it has not released within one second.
 * The channel is freed after its last batch.
 */

#include <linux/slab.h>

#include "device/nv3_trace.h"
#include "nv3_channel.h"
#include "nv3_fence.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_rm.h"
#include "nv3_sched.h"
#include "nv3_switch.h"

static int nv3_channel_pid(const struct nv3_channel *chan)
{
	return chan->client ? chan->client->pid : 0;
}

static const char *nv3_channel_comm(const struct nv3_channel *chan)
{
	return chan->client ? chan->client->comm : "kernel";
}

static void nv3_channel_publish(struct nv3_channel *chan, bool published)
{
	spin_lock(&chan->rm->channels_lock);
	chan->rm->channels[chan->chid] = published ? chan : NULL;
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
	INIT_LIST_HEAD(&chan->notifier_waits);
	INIT_LIST_HEAD(&chan->dmas);
	init_waitqueue_head(&chan->retire_wait);
	INIT_WORK(&chan->end, nv3_channel_end);
	INIT_WORK(&chan->reap, nv3_rm_reap_work);
	nv3_sched_channel_init(chan);
	chan->graph = rm->graph_reset;
	return chan;
}

static void nv3_channel_free(struct nv3_channel *chan)
{
	nv3_sched_channel_fini(chan);
	dma_fence_put(chan->synced);
	xa_destroy(&chan->objects);
	mutex_destroy(&chan->lock);
	nv3_client_put(chan->client);
	kfree(chan);
}

/* Initialises the ring of a DMA channel, or the timeslices and the aperture of a PIO channel. */
static int nv3_channel_init_source(struct nv3_channel *chan)
{
	const struct nv3_pio_ops *pio = nv3_channel_pio_ops(chan);

	return pio ? pio->init(chan) : nv3_ring_init(&chan->rm->ramin, &chan->ring);
}

static void nv3_channel_fini_source(struct nv3_channel *chan)
{
	const struct nv3_pio_ops *pio = nv3_channel_pio_ops(chan);

	if (pio)
		pio->fini(chan);
	else
		nv3_ring_fini(&chan->rm->ramin, &chan->ring);
}

/**
 * nv3_channel_create() - create a channel
 * @rm: the resource manager
 * @type: DRM_NV3_CHANNEL_DMA, or DRM_NV3_CHANNEL_PIO if nv3_rm_hooks.pio is set
 * @flags: DRM_NV3_CHANNEL_LONG_RUNNING or 0
 * @file: the client's file, or NULL for a DMA channel of the kernel
 * Context: process context, between drm_dev_enter() and drm_dev_exit().
 * Return: the channel, or an ERR_PTR(): -ENOMEM, -ENOSPC, or an error of nv3_chids_get().
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

	ret = nv3_chids_get(rm->nv3, &rm->chids, chan->client);
	if (ret < 0)
		goto err_free;
	chan->chid = ret;

	ret = nv3_channel_init_source(chan);
	if (ret)
		goto err_chid;

	ret = nv3_fence_init(chan);
	if (ret)
		goto err_source;

	ret = nv3_rm_init_sched(chan);
	if (ret)
		goto err_fence;

	if (nv3_channel_pio_ops(chan)) {
		ret = nv3_channel_pio_ops(chan)->open(chan, file);
		if (ret)
			goto err_job;
	}

	nv3_ramfc_clear(rm->nv3, chan->chid);
	nv3_channel_publish(chan, true);
	trace_nv3_channel_create(rm->nv3, chan->chid, type, nv3_channel_pid(chan),
				 nv3_channel_comm(chan));
	return chan;

err_job:
	drm_sched_entity_destroy(&chan->entity);
	drm_sched_fini(chan->sched);
err_fence:
	nv3_object_remove_all(chan);
	nv3_fence_fini(chan);
err_source:
	nv3_object_wait_destroyed(chan);
	nv3_channel_fini_source(chan);
err_chid:
	nv3_chids_put(&rm->chids, chan->chid, false);
err_free:
	nv3_channel_free(chan);
	return ERR_PTR(ret);
}

static void nv3_channel_end(struct work_struct *work)
{
	struct nv3_channel *chan = container_of(work, struct nv3_channel, end);
	struct nv3_rm *rm = chan->rm;

	trace_nv3_channel_destroy(rm->nv3, chan->chid, chan->type, nv3_channel_pid(chan),
				  nv3_channel_comm(chan));
	nv3_channel_publish(chan, false);
	nv3_resume_fini(chan);
	drm_sched_fini(chan->sched);

	spin_lock_irq(&rm->lock);
	nv3_switch_release(chan);
	spin_unlock_irq(&rm->lock);

	nv3_object_remove_all(chan);
	nv3_object_wait_destroyed(chan);
	nv3_fence_fini(chan);
	rm->hooks->class->fini_channel(chan);
	nv3_channel_fini_source(chan);
	nv3_chids_put(&rm->chids, chan->chid, true);
	nv3_channel_free(chan);
}

/**
 * nv3_channel_stop() - make a channel refuse further batches
 * @chan: the channel
 *
 * An ioctl that waits for nv3_channel.lock during this call finds the channel closed afterwards.
 * Context: process context; takes nv3_channel.lock. Waits until the GPU scheduler has released the
 * batches that it holds, for at most a second if the process exits.
 */
void nv3_channel_stop(struct nv3_channel *chan)
{
	const struct nv3_pio_ops *pio = nv3_channel_pio_ops(chan);
	unsigned long flags;
	bool closed;

	/* End a blocked batch: it would delay the wait below, and a SUBMIT that holds the lock. */
	flags = nv3_rm_lock(chan->rm);
	nv3_sched_close(chan);
	nv3_rm_unlock(chan->rm, flags);

	mutex_lock(&chan->lock);
	closed = chan->closed;
	chan->closed = true;
	if (pio && !closed) {
		pio->revoke(chan);
		pio->end_early(chan);
	}
	mutex_unlock(&chan->lock);

	if (!closed)
		drm_sched_entity_destroy(&chan->entity);
}

/**
 * nv3_channel_close() - close a channel
 * @chan: the channel. The function drops the caller's reference
 *
 * The channel is freed when its last batch has ended.
 * Context: the same as for nv3_channel_stop().
 */
void nv3_channel_close(struct nv3_channel *chan)
{
	nv3_channel_stop(chan);
	if (nv3_channel_pio_ops(chan))
		nv3_channel_pio_ops(chan)->close(chan);
	nv3_chids_end(&chan->rm->chids);
	nv3_channel_put(chan);
}

static u64 nv3_channel_retired(struct nv3_channel *chan)
{
	u64 retired;

	spin_lock_irq(&chan->rm->lock);
	retired = chan->retired;
	spin_unlock_irq(&chan->rm->lock);

	return retired;
}

/**
 * nv3_channel_wait_retired() - wait until a batch has ended and its range in the ring is free
 * @chan: the channel
 * @batch: the number of the batch
 * Context: process context.
 * Return: 0 or -ERESTARTSYS.
 */
int nv3_channel_wait_retired(struct nv3_channel *chan, u64 batch)
{
	return wait_event_interruptible(chan->retire_wait, nv3_channel_retired(chan) >= batch);
}
