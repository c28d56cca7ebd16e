// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The resource manager
 *
 * An application sees objects: it asks which classes there are, makes instances under names
 * of its choice, selects them and invokes their methods. All knowledge of the chip behind
 * that is here: which channels its registers hold, where in RAMIN objects are, which names
 * RAMHT has, who carries out which class. The chip does what it can on its own, and stops
 * and asks when it can't, and that, not a library call, is how most of this code is entered.
 *
 * nv3_class.c      which classes there are, if need be by asking PGRAPH: nv3_probe.c
 * nv3_graph.c      those that PGRAPH has
 * nv3_inject.c     and how others draw with them: nv3_soft_rect.c
 * nv3_surface.c    surfaces, which it should not have
 * nv3_dmaobj.c     windows on memory
 * nv3_object.c     names, and the lives of objects
 * nv3_channel.c    virtual FIFOs, and nv3_client.c the accounts of those who have them
 * nv3_submit.c     batches come in
 * nv3_place.c      and have their buffers where they need them
 * nv3_queue.c      and wait for their channel's turn
 * nv3_job.c        and are run, one at a time
 * nv3_park.c       or put away in the middle
 * nv3_limit.c      or have had all that they may have
 * nv3_window.c     or methods are stored to the chip by their client, without any of us
 * nv3_lease.c      in a turn of its own, which nv3_lease_ask.c asks for and nv3_flush.c ends
 * nv3_runout.c     and some come back
 * nv3_cache1.c     the methods that PFIFO has
 * nv3_switch.c     channels in and out of the registers, nv3_ramfc.c the part that is PFIFO's
 * nv3_long_running.c  batches that may wait, and give their buffers up meanwhile
 * nv3_sync.c       the syncobjs that say when a batch is done
 * nv3_semaphore.c  channels that wait for each other
 * nv3_flip.c       or for the display
 * nv3_bounce.c     some memory is too far away for it
 * nv3_copy.c       the kernel has a channel too, to move buffers
 * nv3_ramht.c      RAMHT as a cache of names
 * nv3_notifier.c   how the chip says that it is done
 * nv3_notify.c     and tells clients
 * nv3_trap.c       the chip asks
 * nv3_fault.c      and there is no good answer
 * nv3_coredump.c   which root can look at later
 * nv3_rm_debugfs.c what shows of it all
 * nv3_hold.c       and how it is made to stand still for that
 *
 * docs/explanation/channels.md follows one method through all of it.
 */

#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_rm_priv.h"

/* The chip's pages are these, and so page tables are filled page by page. */
static_assert(PAGE_SIZE == 4096);

/* All files are closed, and so all channels gone. */
static void nv3_rm_release(struct drm_device *drm, void *data)
{
	struct nv3_rm *rm = data;
	u32 chid;

	/* Each may queue work on those that follow it. */
	destroy_workqueue(rm->flip_wq);
	destroy_workqueue(rm->sched_wq);
	destroy_workqueue(rm->bounce_wq);
	destroy_workqueue(rm->channel_wq);
	destroy_workqueue(rm->resume_wq);
	destroy_workqueue(rm->signal_wq);
	destroy_workqueue(rm->unmap_wq);
	destroy_workqueue(rm->wq);
	nv3_ramin_fini(rm);
	nv3_coredump_release(rm);
	for (chid = 1; chid < NV3_USER_CHANNELS; chid++)
		kfree(rm->scheds[chid]);
	xa_destroy(&rm->instances);
	to_nv3(drm)->rm = NULL;
	kfree(rm);
}

static struct nv3_rm *nv3_rm_alloc(struct nv3_device *nv3)
{
	struct nv3_rm *rm;
	int ret;

	rm = kzalloc(sizeof(*rm), GFP_KERNEL);
	if (!rm)
		return ERR_PTR(-ENOMEM);

	/* Freeing memory may wait for any of them: for batches, and for what these hold. */
	rm->wq = alloc_workqueue("nv3-rm", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	rm->sched_wq = alloc_workqueue("nv3-sched", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	rm->flip_wq = alloc_workqueue("nv3-flip", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	rm->channel_wq = alloc_workqueue("nv3-channel", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	rm->bounce_wq = alloc_ordered_workqueue("nv3-bounce", WQ_MEM_RECLAIM);
	rm->unmap_wq = alloc_workqueue("nv3-unmap", WQ_UNBOUND | WQ_HIGHPRI | WQ_MEM_RECLAIM, 0);
	rm->signal_wq = alloc_workqueue("nv3-signal", WQ_UNBOUND | WQ_HIGHPRI | WQ_MEM_RECLAIM, 0);
	/* No fence waits for it, but nv3_channel_end() does. */
	rm->resume_wq = alloc_workqueue("nv3-resume", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	if (!rm->wq || !rm->sched_wq || !rm->flip_wq || !rm->channel_wq || !rm->bounce_wq ||
	    !rm->signal_wq || !rm->resume_wq || !rm->unmap_wq)
		goto err_wq;

	rm->nv3 = nv3;
	nv3_ramht_choose_size(rm);
	rm->cache1_size = nv3->revision >= NV3_PCI_REVISION_C ? NV3_PFIFO_CACHE1_SIZE_C :
								NV3_PFIFO_CACHE1_SIZE_AB;
	spin_lock_init(&rm->lock);
	spin_lock_init(&rm->signal_lock);
	spin_lock_init(&rm->channels_lock);
	init_waitqueue_head(&rm->chid_wait);
	xa_init_flags(&rm->instances, XA_FLAGS_LOCK_IRQ);
	init_llist_head(&rm->free);
	INIT_WORK(&rm->free_work, nv3_object_free_work);
	init_llist_head(&rm->notify_free);
	INIT_WORK(&rm->notify_work, nv3_notify_free_work);
	init_waitqueue_head(&rm->idle);
	nv3_ramin_init(rm);
	nv3_copy_prepare(rm);

	nv3_queue_rm_init(rm);

	ret = drmm_add_action_or_reset(&nv3->drm, nv3_rm_release, rm);
	return ret ? ERR_PTR(ret) : rm;

err_wq:
	if (rm->resume_wq)
		destroy_workqueue(rm->resume_wq);
	if (rm->signal_wq)
		destroy_workqueue(rm->signal_wq);
	if (rm->unmap_wq)
		destroy_workqueue(rm->unmap_wq);
	if (rm->bounce_wq)
		destroy_workqueue(rm->bounce_wq);
	if (rm->channel_wq)
		destroy_workqueue(rm->channel_wq);
	if (rm->flip_wq)
		destroy_workqueue(rm->flip_wq);
	if (rm->sched_wq)
		destroy_workqueue(rm->sched_wq);
	if (rm->wq)
		destroy_workqueue(rm->wq);
	kfree(rm);
	return ERR_PTR(-ENOMEM);
}

/**
 * nv3_rm_init() - bring PFIFO and PGRAPH up
 * @nv3: the device
 *
 * Needs access to registers and RAMIN, and buffers. Interrupts may arrive from here on;
 * nv3_device.rm is set on success.
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_rm_init(struct nv3_device *nv3)
{
	struct nv3_rm *rm;
	int ret;

	rm = nv3_rm_alloc(nv3);
	if (IS_ERR(rm))
		return PTR_ERR(rm);

	ret = nv3_notifier_page_init(rm) ?: nv3_coredump_init(rm);
	if (ret)
		return ret;
	nv3_switch_init(rm);
	nv3_class_init(rm);
	ret = nv3_copy_init(rm);
	if (ret)
		goto err_switch;
	nv3->rm = rm;
	return 0;

err_switch:
	flush_workqueue(rm->channel_wq);
	spin_lock_irq(&rm->lock);
	nv3_switch_fini(rm);
	spin_unlock_irq(&rm->lock);
	return ret;
}

/**
 * nv3_rm_get_channel() - find a channel by its number
 * @rm: the resource manager
 * @chid: the number, 0 to 127
 *
 * Context: process context.
 * Return: the channel with a reference for the caller, or NULL.
 */
struct nv3_channel *nv3_rm_get_channel(struct nv3_rm *rm, u32 chid)
{
	struct nv3_channel *chan;

	spin_lock(&rm->channels_lock);
	chan = rm->channels[chid];
	if (chan && !kref_get_unless_zero(&chan->ref))
		chan = NULL;
	spin_unlock(&rm->channels_lock);

	return chan;
}

/* The chip takes no more batches; the one that runs, if any, fails. */
static void nv3_rm_stop_chip(struct nv3_rm *rm)
{
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	rm->dead = true;
	nv3_switch_fini(rm);
	if (rm->running)
		nv3_job_finish(rm, -ENODEV);
	nv3_rm_unlock(rm, flags);
}

void nv3_rm_quiesce(struct nv3_device *nv3)
{
	nv3_rm_stop_chip(nv3->rm);
}

static void nv3_rm_drop_batches(struct nv3_channel *chan)
{
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	nv3_queue_drop(chan, -ENODEV, -ENODEV);
	nv3_rm_unlock(chan->rm, flags);
}

/**
 * nv3_rm_fini() - stop every channel, PFIFO and PGRAPH
 * @nv3: the device
 *
 * Files may still be open: their channels stay without any hardware until they are closed.
 *
 * Context: process context; waits for batches that are in flight, which fail.
 */
void nv3_rm_fini(struct nv3_device *nv3)
{
	struct nv3_rm *rm = nv3->rm;
	struct nv3_channel *chan;
	u32 chid;

	nv3_hold_end(rm);

	/* The chip is gone, for those who store to it too. */
	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		if (chan->type == DRM_NV3_CHANNEL_PIO)
			nv3_window_end(chan);
		nv3_channel_put(chan);
	}
	nv3_rm_stop_chip(rm);
	nv3_coredump_fini(rm);

	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_rm_drop_batches(chan);
		nv3_channel_stop(chan);
		nv3_channel_put(chan);
	}

	/* None waits for the display any more. */
	flush_workqueue(rm->flip_wq);
	nv3_copy_fini(rm);

	/* Batches are refused as they come up, so this is soon. */
	wait_event(rm->idle, !atomic_read(&rm->jobs));
	nv3_queue_rm_fini(rm);

	flush_workqueue(rm->sched_wq);
	flush_workqueue(rm->resume_wq);
	flush_work(&rm->copier.work);

	/* What belongs to the device and not to the files that are still open. */
	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		if (chan->type == DRM_NV3_CHANNEL_DMA)
			nv3_ring_fini(rm, &chan->ring);
		nv3_channel_put(chan);
	}
	/* And what has no reference left, and so wasn't found, but is still about to end. */
	flush_workqueue(rm->channel_wq);
}

/**
 * nv3_rm_vblank_enable() - switch the vertical blank's interrupt on or off
 * @nv3: the device
 * @on: whether the display wants it
 *
 * PGRAPH_INTR_EN is the resource manager's; this is the display's bit of it.
 *
 * Context: any; takes nv3_rm.lock.
 */
void nv3_rm_vblank_enable(struct nv3_device *nv3, bool on)
{
	struct nv3_rm *rm = nv3->rm;
	unsigned long flags;

	spin_lock_irqsave(&rm->lock, flags);
	rm->vblank = on;
	if (!rm->dead) {
		/* One that came while nobody listened is not news. */
		if (on)
			nv3_wr32(nv3, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
		nv3_switch_enable_intr(rm);
	}
	spin_unlock_irqrestore(&rm->lock, flags);
}

/**
 * nv3_rm_bo_moved() - a buffer has new pages or a new place
 * @bo: the buffer, whose lock is held; no batch that names it runs
 *
 * What was derived from where the buffer was is checked before each batch that names it, and is not
 * valid for others, so it is enough to count.
 */
void nv3_rm_bo_moved(struct nv3_bo *bo)
{
	bo->rm.generation++;
}

/**
 * nv3_rm_getparam() - GETPARAM of the resource manager's parameters
 * @nv3: the device
 * @file: the caller's file, whose statistics they are
 * @param: DRM_NV3_PARAM_*
 * @value: the parameter's value on success
 *
 * Context: process context; takes nv3_rm.lock.
 * Return: 0, or -EINVAL for a parameter that is not the resource manager's.
 */
int nv3_rm_getparam(struct nv3_device *nv3, struct drm_file *file, u32 param, u64 *value)
{
	switch (param) {
	case DRM_NV3_PARAM_CHANNELS:
		*value = NV3_RM_CHANNELS - nv3_copy_channels(nv3->rm);
		return 0;
	case DRM_NV3_PARAM_SUBMIT_MAX:
		*value = NV3_SUBMIT_MAX;
		return 0;
	case DRM_NV3_PARAM_SWITCHES:
	case DRM_NV3_PARAM_BATCHES:
	case DRM_NV3_PARAM_RUNOUTS:
	case DRM_NV3_PARAM_ENGINE_NS:
		*value = nv3_client_param(nv3->rm, nv3_client_of(file), param);
		return 0;
	default:
		return -EINVAL;
	}
}
