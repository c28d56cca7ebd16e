// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Notifications of clients
 *
 * Method 0x104 (SetNotify) requests a notification. When the next method has completed, the chip
 * writes an NvNotification to one of 16 slots of a DMA object. The notification contains the time
 * of PTIMER and status 0. Before submitting the method, the client sets the status to "in
 * progress". The ioctl NOTIFIER_FENCE creates a sync file for such a slot. Clients can poll this
 * file, wait for it, merge it with other sync files, and pass it to all interfaces that accept sync
 * files.
 *
 * The driver checks the slots of a channel at each notification interrupt of the chip, and at the
 * end of each batch of the channel. The second check is necessary because the chip raises no
 * interrupt for slot 0. The buffer's reservation object contains the fence, so the buffer does not
 * move and stays mapped until the fence has signalled.
 *
 * A fence must signal, whatever the client does. The fence of a notification therefore depends only
 * on batches that were submitted before NOTIFIER_FENCE. If these batches end without writing the
 * notification, the fence signals with -ENODATA. If the channel faults, the resource manager writes
 * the notification instead of the chip, with status ERROR, and the fence signals with -EIO.
 */

#include <linux/dma-fence.h>
#include <linux/slab.h>

#include <drm/drm_exec.h>

#include "device/nv3_trace.h"
#include "mem/nv3_room.h"
#include "nv3_fence.h"

/* A notification that a client waits for. */
struct nv3_notifier_wait {
	struct dma_fence base;
	/** @lock: the fence's own lock, because the fence may outlive the channel */
	spinlock_t lock;
	char name[NV3_NAME_SIZE];
	/**
	 * @link: entry in nv3_channel.notifier_waits, and after the end of the wait in
	 * nv3_rm.notifier_done
	 */
	struct list_head link;
	/** @free: entry in nv3_rm.notifier_free */
	struct llist_node free;
	/** @batch: number of the last batch whose methods may cause the notification */
	u64 batch;
	int error;
	/** @bo: the buffer with the notification at @offset */
	struct nv3_bo *bo;
	u64 offset;
	/** @slot: the mapping of the notification, until @base signals */
	struct iosys_map slot;
};

static const char *nv3_notifier_driver_name(struct dma_fence *fence)
{
	return NV3_DRIVER_NAME;
}

static const char *nv3_notifier_timeline_name(struct dma_fence *fence)
{
	return container_of(fence, struct nv3_notifier_wait, base)->name;
}

static const struct dma_fence_ops nv3_notifier_ops = {
	.get_driver_name = nv3_notifier_driver_name,
	.get_timeline_name = nv3_notifier_timeline_name,
};

static u16 nv3_notifier_status(const struct nv3_notifier_wait *wait)
{
	return iosys_map_rd(&wait->slot, NV3_NOTIFICATION_STATUS, u16);
}

/*
 * Writes the notification in the chip's format, with status ERROR and a description of the fault.
 */
static void nv3_notifier_write(struct nv3_channel *chan, struct nv3_notifier_wait *wait)
{
	u64 ptimer = nv3_ptimer_read(chan->rm->nv3);

	iosys_map_wr(&wait->slot, NV3_NOTIFICATION_TIME_LO, u32, lower_32_bits(ptimer));
	iosys_map_wr(&wait->slot, NV3_NOTIFICATION_TIME_HI, u32, upper_32_bits(ptimer));
	iosys_map_wr(&wait->slot, NV3_NOTIFICATION_INFO32, u32, chan->fault.mthd);
	iosys_map_wr(&wait->slot, NV3_NOTIFICATION_INFO16, u16, chan->fault.reason);
	iosys_map_wr(&wait->slot, NV3_NOTIFICATION_STATUS, u16, DRM_NV3_NOTIFICATION_ERROR);
}

/* Ends the wait for a notification. nv3_rm_unlock() signals the fence. */
static void nv3_notifier_complete(struct nv3_channel *chan, struct nv3_notifier_wait *wait,
				  int error)
{
	trace_nv3_notifier(chan->rm->nv3, chan->chid, wait->batch, error);
	wait->error = error;
	chan->notifier_wait_count--;
	list_move_tail(&wait->link, &chan->rm->notifier_done);
}

/**
 * nv3_notifier_check() - end the waits for notifications that were written, or never will be
 * @chan: the channel
 * @retired: the number of the newest batch that has ended
 *
 * Context: the caller holds nv3_rm.lock, acquired with nv3_rm_lock().
 */
void nv3_notifier_check(struct nv3_channel *chan, u64 retired)
{
	struct nv3_notifier_wait *wait, *next;
	u16 status;

	lockdep_assert_held(&chan->rm->lock);

	list_for_each_entry_safe(wait, next, &chan->notifier_waits, link) {
		status = nv3_notifier_status(wait);
		if (status == NV3_NOTIFICATION_DONE) {
			nv3_notifier_complete(chan, wait, 0);
		} else if (status != NV3_NOTIFICATION_IN_PROGRESS) {
			nv3_notifier_complete(chan, wait, -EIO);
		} else if (chan->fault.reason) {
			nv3_notifier_write(chan, wait);
			nv3_notifier_complete(chan, wait, -EIO);
		} else if (wait->batch <= retired) {
			nv3_notifier_complete(chan, wait, -ENODATA);
		}
	}
}

/**
 * nv3_notifier_release() - free a notification
 * @wait: the notification. Its fence has signalled, or nv3_notifier_attach() has not added the
 * fence to the buffer
 *
 * Context: process context.
 */
void nv3_notifier_release(struct nv3_notifier_wait *wait)
{
	nv3_bo_put(wait->bo);
	dma_fence_put(&wait->base);
}

/**
 * nv3_notifier_free_work() - free the notifications whose fences have signalled
 * @work: nv3_rm.notifier_work
 */
void nv3_notifier_free_work(struct work_struct *work)
{
	struct nv3_rm *rm = container_of(work, struct nv3_rm, notifier_work);
	struct nv3_notifier_wait *wait, *next;

	llist_for_each_entry_safe(wait, next, llist_del_all(&rm->notifier_free), free)
		nv3_notifier_release(wait);
}

/**
 * nv3_notifier_signal() - signal the fences of notifications
 * @rm: the resource manager
 * @list: the notifications, taken from nv3_rm.notifier_done
 *
 * Context: nv3_rm.signal_lock is held.
 */
void nv3_notifier_signal(struct nv3_rm *rm, struct list_head *list)
{
	struct nv3_notifier_wait *wait, *next;

	list_for_each_entry_safe(wait, next, list, link) {
		if (wait->error)
			dma_fence_set_error(&wait->base, wait->error);
		dma_fence_signal(&wait->base);
		llist_add(&wait->free, &rm->notifier_free);
	}
	queue_work(rm->wq, &rm->notifier_work);
}

struct nv3_notifier_placing {
	struct drm_exec exec;
	struct nv3_bo *bo;
};

static int nv3_notifier_place(void *data, bool retry)
{
	struct nv3_notifier_placing *placing = data;

	return nv3_bo_place_one(&placing->exec, placing->bo, placing->bo->domains, false);
}

/**
 * nv3_notifier_attach() - add the fence of a notification to its buffer, and map the buffer
 * @nv3: the device
 * @wait: the notification. After success, the caller must pass it to nv3_notifier_add()
 *
 * Context: process context; locks the buffer. nv3_channel.lock is held.
 * Return: 0 or a negative errno.
 */
int nv3_notifier_attach(struct nv3_device *nv3, struct nv3_notifier_wait *wait)
{
	struct nv3_notifier_placing placing = { .bo = wait->bo };
	struct iosys_map map;
	int ret;

	ret = nv3_room_place(nv3, true, nv3_notifier_place, &placing);
	if (ret)
		return ret;

	ret = nv3_bo_vmap(wait->bo, &map);
	if (!ret) {
		wait->slot = IOSYS_MAP_INIT_OFFSET(&map, wait->offset);
		dma_resv_add_fence(nv3_bo_resv(wait->bo), &wait->base, DMA_RESV_USAGE_BOOKKEEP);
	}
	drm_exec_fini(&placing.exec);
	nv3_room_leave(nv3);
	return ret;
}

/**
 * nv3_notifier_create() - allocate the state of a notification, with its fence
 * @chan: the channel
 * @bo: the buffer. On success the notification takes over the caller's reference
 * @offset: the offset of the slot in bytes
 *
 * Context: process context.
 * Return: the notification, for nv3_notifier_add() or nv3_notifier_release(), or NULL if memory is
 * exhausted.
 */
struct nv3_notifier_wait *nv3_notifier_create(struct nv3_channel *chan, struct nv3_bo *bo,
					      u64 offset)
{
	struct nv3_notifier_wait *wait;

	wait = kzalloc(sizeof(*wait), GFP_KERNEL_ACCOUNT);
	if (!wait)
		return NULL;

	wait->bo = bo;
	wait->offset = offset;
	spin_lock_init(&wait->lock);
	snprintf(wait->name, sizeof(wait->name), "nv3-ch%u", chan->chid);
	dma_fence_init(&wait->base, &nv3_notifier_ops, &wait->lock, dma_fence_context_alloc(1), 1);
	return wait;
}

/**
 * nv3_notifier_fence() - return the fence of a notification
 * @wait: the notification
 *
 * Return: the fence, without a reference.
 */
struct dma_fence *nv3_notifier_fence(struct nv3_notifier_wait *wait)
{
	return &wait->base;
}

/**
 * nv3_notifier_add() - begin to check whether a notification has been written
 * @chan: the channel
 * @wait: the notification. The driver releases it after its fence has signalled
 *
 * Context: the caller holds nv3_channel.lock, and nv3_rm.lock acquired with nv3_rm_lock().
 */
void nv3_notifier_add(struct nv3_channel *chan, struct nv3_notifier_wait *wait)
{
	wait->batch = chan->submitted;
	list_add_tail(&wait->link, &chan->notifier_waits);
	chan->notifier_wait_count++;
	nv3_notifier_check(chan, chan->retired);
}
