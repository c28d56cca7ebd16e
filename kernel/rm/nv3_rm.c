// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The resource manager
 *
 * An application uses only objects. It queries the classes, creates instances under handles of its
 * choice, binds the objects to subchannels and invokes their methods. The resource manager hides
 * the chip behind these objects. Applications do not see which channel's state is in the registers,
 * where objects are in RAMIN, which handles are in RAMHT, or whether the chip or the driver
 * executes a class. The chip executes most methods without the driver. If the chip can't execute a
 * method, it stops and raises an interrupt. Most code of the resource manager runs in the handler
 * of such an interrupt and not in an ioctl.
 *
 * The core path, in the order in which to read it:
 *
 * nv3_channel.c    creates and closes channels
 * nv3_object.c     manages handles and the lifetime of objects
 * nv3_submit.c     queues a batch
 * nv3_sched.c      decides which channel runs
 * nv3_job.c        runs a batch
 * nv3_switch.c     moves channels in and out of the registers
 * nv3_rm_irq.c     handles the interrupts of the chip
 * nv3_fence.c      appends the methods that signal the end of a batch
 *
 * The other files in this folder:
 *
 * nv3_trap.c          handles the methods that the chip can't execute
 * nv3_fault.c         stops a channel after an error
 * nv3_hang_check.c    limits the time of a batch
 * nv3_long_running.c  runs batches that may block
 * nv3_job_sync.c      copies buffers that the chip can't reach
 * nv3_notifier.c      creates fences for clients' notifications
 *
 * hw/ accesses the registers and tables of the chip and does not depend on channels. class/
 * contains the classes. class/, pio/ and debug/ register their functions with struct nv3_rm_hooks.
 * docs/explanation/channels.md describes the path of a method through the chip and the driver.
 */

#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "device/nv3_compat.h"
#include "nv3_channel.h"
#include "nv3_fence.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_rm.h"
#include "nv3_sched.h"
#include "nv3_switch.h"

/* The chip's page size is 4 KiB. The driver writes one page table entry for each CPU page. */
static_assert(PAGE_SIZE == 4096);

/* The notification slots of all channels must fit in one page. */
static_assert(NV3_USER_CHANNELS * NV3_FENCE_SIZE <= PAGE_SIZE);

/*
 * The time for which suspend waits for submitted batches. Programs are frozen during a suspend, so
 * they submit no further batches.
 */
#define NV3_SUSPEND_TIMEOUT	(20 * HZ)

/* Called when all DRM files are closed, so no channel exists. */
static void nv3_rm_release(struct drm_device *drm, void *data)
{
	struct nv3_rm *rm = data;
	u32 chid;

	/*
	 * The order matters: work on a queue may queue work on the queues that are destroyed later.
	 */
	destroy_workqueue(rm->flip_wq);
	destroy_workqueue(rm->sched_wq);
	destroy_workqueue(rm->sync_wq);
	destroy_workqueue(rm->channel_wq);
	destroy_workqueue(rm->resume_wq);
	destroy_workqueue(rm->signal_wq);
	destroy_workqueue(rm->unmap_wq);
	destroy_workqueue(rm->wq);
	nv3_ramin_fini(&rm->ramin);
	if (rm->hooks->debug)
		rm->hooks->debug->release(rm);
	rm->hooks->class->release_migration(rm);
	for (chid = 1; chid < NV3_USER_CHANNELS; chid++)
		kfree(rm->scheds[chid]);
	xa_destroy(&rm->instances);
	to_nv3(drm)->rm = NULL;
	kfree(rm);
}

/**
 * nv3_rm_get_channel() - look up a channel by its number
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

/**
 * nv3_file_get_channel() - look up a channel by the client's id
 * @file: the client's file
 * @id: the id that CHANNEL_CREATE has returned
 *
 * Context: process context; takes nv3_file.lock.
 * Return: the channel with a reference for the caller, or NULL.
 */
struct nv3_channel *nv3_file_get_channel(struct drm_file *file, u32 id)
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

/**
 * nv3_file_get_vm() - look up an address space by the client's id
 * @file: the client's file
 * @id: the id that VM_CREATE has returned
 *
 * Context: process context; takes nv3_file.lock.
 * Return: the address space with a reference for the caller, or NULL.
 */
struct nv3_vm *nv3_file_get_vm(struct drm_file *file, u32 id)
{
	struct nv3_file *nv3_file = file->driver_priv;
	struct nv3_vm *vm;

	mutex_lock(&nv3_file->lock);
	vm = xa_load(&nv3_file->vms, id);
	if (vm)
		nv3_vm_get(vm);
	mutex_unlock(&nv3_file->lock);

	if (!vm)
		drm_dbg(file->minor->dev, "no address space %u\n", id);
	return vm;
}

/*
 * Returns true if any channel has destroyed objects that batches in flight may still use. A closed
 * channel that has not ended also counts, because it still has its objects.
 */
static bool nv3_rm_any_dying(struct nv3_rm *rm)
{
	bool dying = READ_ONCE(rm->chids.ending);
	u32 chid;

	spin_lock(&rm->channels_lock);
	for (chid = 1; chid < NV3_USER_CHANNELS && !dying; chid++)
		dying = rm->channels[chid] && !list_empty(&rm->channels[chid]->dying);
	spin_unlock(&rm->channels_lock);

	return dying;
}

/* Raises a fault on each channel that waits for an event that can no longer occur. */
static void nv3_rm_deadlock_work(struct work_struct *work)
{
	struct nv3_rm *rm = container_of(work, struct nv3_rm, deadlocked);
	struct nv3_channel *chan;
	u32 chid;

	/*
	 * If a channel faults, another channel that waits for the faulted channel may be
	 * deadlocked. In this case nv3_semaphore_left() queues this work again.
	 */
	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_sched_check_deadlock(chan);
		nv3_channel_put(chan);
	}
}

/**
 * nv3_rm_reap_all() - remove all dead objects of a channel
 * @chan: the channel
 *
 * Context: process context; takes nv3_rm.lock.
 */
void nv3_rm_reap_all(struct nv3_channel *chan)
{
	unsigned long flags;
	bool more;

	do {
		flags = nv3_rm_lock(chan->rm);
		more = nv3_object_reap(chan);
		if (!more && chan->queue.reaping) {
			chan->queue.reaping = false;
			nv3_sched_make_ready(chan, false);
		}
		nv3_rm_unlock(chan->rm, flags);
		cond_resched();
	} while (more);
}

/**
 * nv3_rm_reap_work() - remove the dead objects that nv3_object_reap() has left
 * @work: nv3_channel.reap
 */
void nv3_rm_reap_work(struct work_struct *work)
{
	struct nv3_channel *chan = container_of(work, struct nv3_channel, reap);
	bool cookie = dma_fence_begin_signalling();

	/* If nv3_queue.reaping is set, batches of the channel wait for this work. */
	nv3_rm_reap_all(chan);
	dma_fence_end_signalling(cookie);
	nv3_channel_put(chan);
}

/*
 * The number of batches that a channel's GPU scheduler may release before the first of them has
 * ended. It is larger than 1, so that the next batch can follow without delay.
 */
#define NV3_JOB_DEPTH		4

static struct nv3_channel_sched *nv3_rm_get_sched(struct nv3_rm *rm, u32 chid)
{
	struct nv3_channel_sched *sched = rm->scheds[chid];

	/* No other task uses the number @chid now, so no lock is needed. */
	if (!sched) {
		sched = kzalloc(sizeof(*sched), GFP_KERNEL);
		if (!sched)
			return NULL;
		snprintf(sched->name, sizeof(sched->name), "nv3-ch%u", chid);
		rm->scheds[chid] = sched;
	}
	return sched;
}

/**
 * nv3_rm_init_sched() - start the GPU scheduler of a channel
 * @chan: the channel
 *
 * Context: process context.
 * Return: 0 or a negative errno.
 */
int nv3_rm_init_sched(struct nv3_channel *chan)
{
	struct nv3_channel_sched *slot = nv3_rm_get_sched(chan->rm, chan->chid);
	struct drm_sched_init_args args = {
		.ops = &nv3_job_backend_ops,
		.submit_wq = chan->rm->sched_wq,
		.num_rqs = 1,
		.credit_limit = NV3_JOB_DEPTH,
		.timeout = MAX_SCHEDULE_TIMEOUT,
		.dev = chan->rm->nv3->drm.dev,
	};
	struct drm_gpu_scheduler *sched;
	int ret;

	if (!slot)
		return -ENOMEM;
	sched = &slot->base;
	args.name = slot->name;

	ret = drm_sched_init(sched, &args);
	if (ret)
		return ret;
	chan->sched = sched;

	ret = drm_sched_entity_init(&chan->entity, DRM_SCHED_PRIORITY_KERNEL, &sched, 1, NULL);
	if (ret)
		drm_sched_fini(sched);
	return ret;
}

/* Stops or starts the puller after nv3_rm.freeze has changed. */
static void nv3_rm_update_puller(struct nv3_rm *rm)
{
	if (nv3_freeze_methods(rm)) {
		if (rm->running)
			nv3_rm_start_puller(rm);
	} else if (rm->puller_stopped) {
		/* If the puller was stopped at a trap, it now retries the method. */
		nv3_wr32(rm->nv3, NV3_PFIFO_INTR, NV3_PFIFO_INTR_CACHE_ERROR);
		nv3_rm_start_puller(rm);
	}
}

/**
 * nv3_rm_set_freeze() - set the level of the debugfs freeze
 * @rm: the resource manager
 * @freeze: the level
 *
 * Context: any; takes nv3_rm.lock.
 */
void nv3_rm_set_freeze(struct nv3_rm *rm, enum nv3_freeze freeze)
{
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	if (!rm->dead && freeze != rm->freeze) {
		rm->freeze = freeze;
		nv3_rm_update_puller(rm);
		nv3_rm_mask_interrupts(rm);
		/* The time of a freeze does not count as chip time of the batch. */
		if (freeze == NV3_FREEZE_NOTHING && rm->running)
			nv3_hang_check_start(rm->running);
	}
	nv3_rm_unlock(rm, flags);
}

static bool nv3_rm_reclaim(struct nv3_ramin_pool *pool)
{
	struct nv3_rm *rm = container_of(pool, struct nv3_rm, ramin);
	bool dying = nv3_rm_any_dying(rm);

	nv3_object_flush_free(rm);
	return dying;
}

static struct nv3_rm *nv3_rm_alloc(struct nv3_device *nv3, const struct nv3_rm_hooks *hooks)
{
	struct nv3_rm *rm;
	int ret;

	rm = kzalloc(sizeof(*rm), GFP_KERNEL);
	if (!rm)
		return ERR_PTR(-ENOMEM);

	/* Memory reclaim may wait for batches, and thus for work on any of these workqueues. */
	rm->wq = alloc_workqueue("nv3-rm", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	rm->sched_wq = alloc_workqueue("nv3-sched", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	rm->flip_wq = alloc_workqueue("nv3-flip", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	rm->channel_wq = alloc_workqueue("nv3-channel", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	rm->sync_wq = alloc_ordered_workqueue("nv3-sync", WQ_MEM_RECLAIM);
	rm->unmap_wq = alloc_workqueue("nv3-unmap", WQ_UNBOUND | WQ_HIGHPRI | WQ_MEM_RECLAIM, 0);
	rm->signal_wq = alloc_workqueue("nv3-signal", WQ_UNBOUND | WQ_HIGHPRI | WQ_MEM_RECLAIM, 0);
	/* No fence depends on this workqueue, but nv3_channel_end() waits for its work. */
	rm->resume_wq = alloc_workqueue("nv3-resume", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	if (!rm->wq || !rm->sched_wq || !rm->flip_wq || !rm->channel_wq || !rm->sync_wq ||
	    !rm->signal_wq || !rm->resume_wq || !rm->unmap_wq)
		goto err_wq;

	rm->nv3 = nv3;
	rm->hooks = hooks;
	nv3_ramht_choose_size(&rm->ramht, nv3);
	spin_lock_init(&rm->lock);
	spin_lock_init(&rm->signal_lock);
	spin_lock_init(&rm->channels_lock);
	nv3_chids_init(&rm->chids);
	xa_init_flags(&rm->instances, XA_FLAGS_LOCK_IRQ);
	init_llist_head(&rm->free);
	INIT_WORK(&rm->free_work, nv3_object_free_work);
	init_llist_head(&rm->notifier_free);
	INIT_WORK(&rm->notifier_work, nv3_notifier_free_work);
	init_waitqueue_head(&rm->idle);
	INIT_WORK(&rm->wedged, nv3_fault_wedged_work);
	nv3_ramin_init(&rm->ramin, nv3, nv3_rm_reclaim);
	INIT_LIST_HEAD(&rm->ready);
	INIT_LIST_HEAD(&rm->pio_requested);
	INIT_LIST_HEAD(&rm->over);
	INIT_LIST_HEAD(&rm->notifier_done);
	INIT_LIST_HEAD(&rm->preempt_fences);
	INIT_WORK(&rm->deadlocked, nv3_rm_deadlock_work);
	nv3_rm_irq_init(rm);

	ret = drmm_add_action_or_reset(&nv3->drm, nv3_rm_release, rm);
	return ret ? ERR_PTR(ret) : rm;

err_wq:
	if (rm->resume_wq)
		destroy_workqueue(rm->resume_wq);
	if (rm->signal_wq)
		destroy_workqueue(rm->signal_wq);
	if (rm->unmap_wq)
		destroy_workqueue(rm->unmap_wq);
	if (rm->sync_wq)
		destroy_workqueue(rm->sync_wq);
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

/* Allocates one page for the notifications of all channels. */
static int nv3_rm_alloc_notifications(struct nv3_rm *rm)
{
	rm->notifications = dmam_alloc_coherent(rm->nv3->drm.dev, PAGE_SIZE,
						&rm->notifications_dma, GFP_KERNEL);
	return rm->notifications ? 0 : -ENOMEM;
}

/* Initialises PFIFO and PGRAPH for the first time. */
static void nv3_rm_start_chip(struct nv3_rm *rm)
{
	drm_WARN_ON(&rm->nv3->drm, !nv3_pgraph_table_is_complete());

	spin_lock_irq(&rm->lock);
	nv3_ramht_init(&rm->ramht);
	nv3_switch_reset(rm);
	rm->resets = 0;
	nv3_pgraph_save(rm->nv3, &rm->graph_reset);
	spin_unlock_irq(&rm->lock);
}

/**
 * nv3_rm_init() - create the resource manager, and initialise PFIFO and PGRAPH
 * @nv3: the device
 * @hooks: hooks of the other folders of the driver; constant
 *
 * The caller must have mapped the registers and RAMIN, and must have called nv3_ttm_init().
 * Interrupts may arrive during and after the call. On success nv3_device.rm is set.
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_rm_init(struct nv3_device *nv3, const struct nv3_rm_hooks *hooks)
{
	struct nv3_rm *rm;
	int ret;

	rm = nv3_rm_alloc(nv3, hooks);
	if (IS_ERR(rm))
		return PTR_ERR(rm);

	ret = nv3_rm_alloc_notifications(rm);
	if (ret)
		return ret;
	ret = hooks->debug ? hooks->debug->init(rm) : 0;
	if (ret)
		return ret;
	nv3_rm_start_chip(rm);
	hooks->class->init_classes(rm);
	ret = hooks->class->init_migration(rm);
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

/* Stops the chip. The running batch ends with -ENODEV, and no further batch starts. */
static void nv3_rm_stop_chip(struct nv3_rm *rm)
{
	bool cookie = dma_fence_begin_signalling();
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	rm->dead = true;
	rm->ramht.lost = true;
	nv3_switch_fini(rm);
	if (rm->running)
		nv3_job_finish(rm, -ENODEV);
	nv3_rm_unlock(rm, flags);
	dma_fence_end_signalling(cookie);
}

/**
 * nv3_rm_quiesce() - stop PFIFO and PGRAPH when the machine shuts down
 * @nv3: the device
 *
 * The running batch ends with an error. The function does not wait, and frees no memory.
 *
 * Context: process context. The caller has disabled the device's interrupt.
 */
void nv3_rm_quiesce(struct nv3_device *nv3)
{
	nv3_rm_stop_chip(nv3->rm);
}

static void nv3_rm_drop_batches(struct nv3_channel *chan)
{
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	nv3_fault_drop_jobs(chan, -ENODEV, -ENODEV);
	nv3_rm_unlock(chan->rm, flags);
}

/*
 * Stops the chip, and ends all batches in the queues of the channels. The caller has disabled the
 * device's interrupt, so the fences of these batches depend on this function.
 */
static void nv3_rm_end_batches(struct nv3_rm *rm)
{
	bool cookie = dma_fence_begin_signalling();
	struct nv3_channel *chan;
	u32 chid;

	nv3_rm_stop_chip(rm);
	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_rm_drop_batches(chan);
		nv3_channel_put(chan);
	}
	dma_fence_end_signalling(cookie);
}

/**
 * nv3_rm_fini() - stop all channels, PFIFO and PGRAPH
 * @nv3: the device
 *
 * Files may still be open. Their channels stay, without access to the hardware, until the files are
 * closed.
 *
 * Context: process context; waits until the batches in flight have ended with an error.
 */
void nv3_rm_fini(struct nv3_device *nv3)
{
	struct nv3_rm *rm = nv3->rm;
	struct nv3_channel *chan;
	u32 chid;

	nv3_rm_set_freeze(rm, NV3_FREEZE_NOTHING);

	/* Revoke the USER apertures of PIO clients. */
	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		if (nv3_channel_pio_ops(chan))
			nv3_channel_pio_ops(chan)->revoke(chan);
		nv3_channel_put(chan);
	}
	nv3_rm_end_batches(rm);
	/* From now on, the CPU copies buffers. */
	rm->hooks->class->fini_migration(rm);
	if (rm->hooks->debug)
		rm->hooks->debug->fini(rm);
	cancel_work_sync(&rm->wedged);

	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_channel_stop(chan);
		nv3_channel_put(chan);
	}

	/* All batches have ended, so no flip waits for the display. */
	flush_workqueue(rm->flip_wq);

	/*
	 * This wait is short, because each batch that the GPU schedulers release from now on ends
	 * at once.
	 */
	wait_event(rm->idle, !atomic_read(&rm->jobs));
	hrtimer_cancel(&rm->tick);

	flush_workqueue(rm->sched_wq);
	flush_workqueue(rm->resume_wq);
	flush_workqueue(rm->signal_wq);

	/*
	 * Free rings and context images here, even if files are still open, because the device must
	 * have no DMA mappings afterwards.
	 */
	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		if (chan->type == DRM_NV3_CHANNEL_DMA)
			nv3_ring_fini(&rm->ramin, &chan->ring);
		rm->hooks->class->fini_channel(chan);
		nv3_channel_put(chan);
	}
	/* nv3_rm_get_channel() skips channels without references, so wait for nv3_channel_end(). */
	flush_workqueue(rm->channel_wq);
}

/**
 * nv3_rm_vblank_enable() - enable or disable the vertical blank interrupt
 * @nv3: the device
 * @on: whether the display needs the interrupt
 *
 * The resource manager controls this interrupt, because PGRAPH raises it.
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
		/* Drop a vertical blank that occurred while the interrupt was disabled. */
		if (on)
			nv3_wr32(nv3, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_VBLANK);
		nv3_switch_enable_vblank(rm);
	}
	spin_unlock_irqrestore(&rm->lock, flags);
}

/*
 * Returns the engine time of a file in nanoseconds. It includes the time of the running batch up to
 * now, so it also grows during a long batch.
 */
static u64 nv3_rm_engine_ns(struct nv3_rm *rm, struct nv3_client *client)
{
	u64 ns = client->engine_ns;

	lockdep_assert_held(&rm->lock);

	if (rm->running && rm->running->chan->client == client)
		ns += ktime_to_ns(ktime_sub(ktime_get(), rm->running_since));
	return ns;
}

/* Returns the statistic of a file that GETPARAM reports as @param. The value never decreases. */
static u64 nv3_rm_statistic(struct nv3_rm *rm, struct drm_file *file, u32 param)
{
	struct nv3_file *nv3_file = file->driver_priv;
	struct nv3_client *client = nv3_file->client;
	u64 value = 0;

	spin_lock_irq(&rm->lock);
	switch (param) {
	case DRM_NV3_PARAM_SWITCHES:
		value = client->switches;
		break;
	case DRM_NV3_PARAM_BATCHES:
		value = client->batches;
		break;
	case DRM_NV3_PARAM_RUNOUTS:
		value = client->runouts;
		break;
	case DRM_NV3_PARAM_ENGINE_NS:
		value = nv3_rm_engine_ns(rm, client);
		break;
	}
	spin_unlock_irq(&rm->lock);

	return value;
}

/**
 * nv3_rm_show_fdinfo() - print the engine time and the statistics of a file to fdinfo
 * @p: the printer
 * @file: the file
 *
 * fdinfo shows one engine, because PFIFO passes the methods of one channel at a time to PGRAPH. The
 * chip has no counter of cycles, so fdinfo has no drm-cycles
 * (docs/decisions/0032-no-cycles-in-fdinfo.md).
 *
 * Context: process context; takes nv3_rm.lock.
 */
void nv3_rm_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	struct nv3_rm *rm = to_rm(file->minor->dev);

	drm_printf(p, "drm-engine-graph:\t%llu ns\n",
		   nv3_rm_statistic(rm, file, DRM_NV3_PARAM_ENGINE_NS));
	drm_printf(p, "nv3-batches:\t%llu\n",
		   nv3_rm_statistic(rm, file, DRM_NV3_PARAM_BATCHES));
	drm_printf(p, "nv3-switches:\t%llu\n",
		   nv3_rm_statistic(rm, file, DRM_NV3_PARAM_SWITCHES));
	drm_printf(p, "nv3-runouts:\t%llu\n",
		   nv3_rm_statistic(rm, file, DRM_NV3_PARAM_RUNOUTS));
}

/**
 * nv3_rm_getparam() - return a GETPARAM parameter of the resource manager
 * @nv3: the device
 * @file: the caller's file, for the statistics
 * @param: DRM_NV3_PARAM_*
 * @value: set to the value of the parameter on success
 *
 * Context: process context; takes nv3_rm.lock.
 * Return: 0, or -EINVAL if @param is not a parameter of the resource manager.
 */
int nv3_rm_getparam(struct nv3_device *nv3, struct drm_file *file, u32 param, u64 *value)
{
	switch (param) {
	case DRM_NV3_PARAM_CHANNELS:
		*value = NV3_RM_CHANNELS - nv3->rm->kernel_channels;
		return 0;
	case DRM_NV3_PARAM_SUBMIT_MAX:
		*value = NV3_SUBMIT_MAX;
		return 0;
	case DRM_NV3_PARAM_SWITCHES:
	case DRM_NV3_PARAM_BATCHES:
	case DRM_NV3_PARAM_RUNOUTS:
	case DRM_NV3_PARAM_ENGINE_NS:
		*value = nv3_rm_statistic(nv3->rm, file, param);
		return 0;
	default:
		return -EINVAL;
	}
}

/*
 * Saves the context words of a channel. Their only copy is in CACHE1 or RAMIN, which lose their
 * contents when the chip loses its power. Other contents of RAMIN need not be saved:
 * nv3_class.write() writes the instances of objects again, and traps fill RAMHT again.
 */
static void nv3_rm_suspend_channel(struct nv3_channel *chan)
{
	unsigned int i;

	spin_lock_irq(&chan->rm->lock);
	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		chan->suspended[i] = nv3_switch_binding(chan, i);
	spin_unlock_irq(&chan->rm->lock);
}

/**
 * nv3_rm_wait_idle() - wait until all submitted batches have ended
 * @nv3: the device
 *
 * Programs are frozen, so no batches are added. Suspend must also wait for batches of long-running
 * channels, because such a batch could move its buffers back to VRAM.
 *
 * Context: process context.
 * Return: 0, or -EBUSY if some batches have not ended within NV3_SUSPEND_TIMEOUT.
 */
int nv3_rm_wait_idle(struct nv3_device *nv3)
{
	struct nv3_rm *rm = nv3->rm;

	if (wait_event_timeout(rm->idle, !atomic_read(&rm->jobs), NV3_SUSPEND_TIMEOUT))
		return 0;

	drm_err(&nv3->drm, "batches don't end, no suspend\n");
	return -EBUSY;
}

/**
 * nv3_rm_suspend() - save the state that is lost when the chip loses its power
 * @nv3: the device
 *
 * Programs are frozen, and the driver has evicted all buffers from VRAM.
 *
 * Context: process context.
 * Return: 0 or -EBUSY, see nv3_rm_wait_idle().
 */
int nv3_rm_suspend(struct nv3_device *nv3)
{
	struct nv3_rm *rm = nv3->rm;
	struct nv3_channel *chan;
	u32 chid;
	int ret;

	ret = nv3_rm_wait_idle(nv3);
	if (ret)
		return ret;
	/*
	 * nv3_rm_resume() writes the words of all objects to RAMIN, so free destroyed objects
	 * first.
	 */
	flush_workqueue(rm->channel_wq);
	flush_workqueue(rm->sched_wq);
	nv3_object_flush_free(rm);

	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_rm_suspend_channel(chan);
		nv3_channel_put(chan);
	}

	spin_lock_irq(&rm->lock);
	nv3_switch_fini(rm);
	spin_unlock_irq(&rm->lock);
	return 0;
}

static void nv3_rm_resume_channel(struct nv3_channel *chan)
{
	unsigned int i;

	if (chan->type == DRM_NV3_CHANNEL_DMA)
		nv3_ring_write_table(chan->rm->nv3, &chan->ring);

	spin_lock_irq(&chan->rm->lock);
	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		nv3_switch_bind(chan, i, chan->suspended[i]);
	spin_unlock_irq(&chan->rm->lock);
}

/**
 * nv3_rm_resume() - initialise PFIFO, PGRAPH and RAMIN after a suspend
 * @nv3: the device
 *
 * The caller must call this function before any code uses buffers again.
 *
 * Context: process context.
 */
void nv3_rm_resume(struct nv3_device *nv3)
{
	struct nv3_rm *rm = nv3->rm;
	struct nv3_channel *chan;
	struct nv3_object *obj;
	unsigned long inst;
	u32 chid;

	spin_lock_irq(&rm->lock);
	nv3_ramht_init(&rm->ramht);
	nv3_switch_reset(rm);
	spin_unlock_irq(&rm->lock);

	xa_for_each(&rm->instances, inst, obj) {
		spin_lock_irq(&rm->lock);
		obj->class->write(obj);
		spin_unlock_irq(&rm->lock);
	}

	for (chid = 1; chid < NV3_USER_CHANNELS; chid++) {
		chan = nv3_rm_get_channel(rm, chid);
		if (!chan)
			continue;
		nv3_rm_resume_channel(chan);
		nv3_channel_put(chan);
	}
}
