// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Clients' notifications
 *
 * Method 0x104 (SetNotify) has the chip write an NvNotification to one of 16 slots of a DMA
 * object when the next method is done: PTIMER's time, and status 0, where the client had put
 * "in progress". The chip does that on its own. What is added here is a way to wait for one:
 * NOTIFIER_FENCE makes a sync file of a slot, which can be polled, waited for, merged, and be
 * given to anything that takes fences.
 *
 * It looks at memory just as the resource manager's own fences do (nv3_notifier.c), and at the
 * same times: at the chip's notification interrupt, for slots 1 to 15, and at the end of each
 * batch, which is soon enough for slot 0, whose point is that it doesn't interrupt. The buffer
 * has the fence among its own, as it has those of batches, and so stays where it is, and mapped,
 * until that has signalled: who wants its place waits.
 *
 * A fence must signal, whatever the client does. So it is one of the work that has been
 * submitted: at the end of that the notification has been written or it won't be (-ENODATA).
 * When the channel faults the chip has left the notification alone, and the resource
 * manager writes it: status nonzero, and the fence's error is -EIO.
 */

#include <linux/file.h>
#include <linux/slab.h>
#include <linux/sync_file.h>

#include <drm/drm_drv.h>
#include <drm/drm_exec.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_dmaobj.h"
#include "nv3_notifier.h"

/* Method 0x104 says which in 4 bits. */
#define NV3_NOTIFY_SLOTS	16

/* That a channel may wait for at once: each of its notifications has all of them looked at. */
#define NV3_NOTIFY_MAX		256

/* One who waits. */
struct nv3_notify {
	struct dma_fence base;
	/** @lock: of @base, which may outlive the channel */
	spinlock_t lock;
	char name[NV3_NAME_SIZE];
	/** @link: in nv3_channel.notifies, then in nv3_rm.notified */
	struct list_head link;
	/** @free: in nv3_rm.notify_free */
	struct llist_node free;
	/** @batch: when that is over it doesn't come any more */
	u64 batch;
	int error;
	/** @bo: where the notification is, at @offset */
	struct nv3_bo *bo;
	u64 offset;
	/** @slot: where that is mapped, until @base signals */
	struct iosys_map slot;
};

static const char *nv3_notify_driver_name(struct dma_fence *fence)
{
	return NV3_DRIVER_NAME;
}

static const char *nv3_notify_timeline_name(struct dma_fence *fence)
{
	return container_of(fence, struct nv3_notify, base)->name;
}

static const struct dma_fence_ops nv3_notify_ops = {
	.get_driver_name = nv3_notify_driver_name,
	.get_timeline_name = nv3_notify_timeline_name,
};

static u16 nv3_notify_status(const struct nv3_notify *notify)
{
	return iosys_map_rd(&notify->slot, NV3_NOTIFICATION_STATUS, u16);
}

/* As the chip would, but that the status is an error. */
static void nv3_notify_write(struct nv3_channel *chan, struct nv3_notify *notify)
{
	struct nv3_device *nv3 = chan->rm->nv3;
	u32 high, low;

	do {
		high = nv3_rd32(nv3, NV3_PTIMER_TIME_1);
		low = nv3_rd32(nv3, NV3_PTIMER_TIME_0);
	} while (high != nv3_rd32(nv3, NV3_PTIMER_TIME_1));

	iosys_map_wr(&notify->slot, NV3_NOTIFICATION_TIME_LO, u32, low);
	iosys_map_wr(&notify->slot, NV3_NOTIFICATION_TIME_HI, u32, high);
	iosys_map_wr(&notify->slot, NV3_NOTIFICATION_INFO32, u32, chan->fault.mthd);
	iosys_map_wr(&notify->slot, NV3_NOTIFICATION_INFO16, u16, chan->fault.reason);
	iosys_map_wr(&notify->slot, NV3_NOTIFICATION_STATUS, u16, DRM_NV3_NOTIFICATION_ERROR);
}

/* nv3_rm_unlock() signals it. */
static void nv3_notify_over(struct nv3_channel *chan, struct nv3_notify *notify, int error)
{
	notify->error = error;
	chan->notify_count--;
	list_move_tail(&notify->link, &chan->rm->notified);
}

/*
 * Something may have been written to one of the channel's slots; @retired says which batch
 * is over. nv3_rm.lock is held.
 */
void nv3_notify_look(struct nv3_channel *chan, u64 retired)
{
	struct nv3_notify *notify, *next;
	u16 status;

	lockdep_assert_held(&chan->rm->lock);

	list_for_each_entry_safe(notify, next, &chan->notifies, link) {
		status = nv3_notify_status(notify);
		if (status == NV3_NOTIFICATION_DONE) {
			nv3_notify_over(chan, notify, 0);
		} else if (status != NV3_NOTIFICATION_IN_PROGRESS) {
			nv3_notify_over(chan, notify, -EIO);
		} else if (chan->fault.reason) {
			nv3_notify_write(chan, notify);
			nv3_notify_over(chan, notify, -EIO);
		} else if (notify->batch <= retired) {
			nv3_notify_over(chan, notify, -ENODATA);
		}
	}
}

static void nv3_notify_release(struct nv3_notify *notify)
{
	nv3_bo_put(notify->bo);
	dma_fence_put(&notify->base);
}

void nv3_notify_free_work(struct work_struct *work)
{
	struct nv3_rm *rm = container_of(work, struct nv3_rm, notify_work);
	struct nv3_notify *notify, *next;

	llist_for_each_entry_safe(notify, next, llist_del_all(&rm->notify_free), free)
		nv3_notify_release(notify);
}

/* With no lock held; @list was nv3_rm.notified. */
void nv3_notify_signal(struct nv3_rm *rm, struct list_head *list)
{
	struct nv3_notify *notify, *next;

	list_for_each_entry_safe(notify, next, list, link) {
		if (notify->error)
			dma_fence_set_error(&notify->base, notify->error);
		dma_fence_signal(&notify->base);
		llist_add(&notify->free, &rm->notify_free);
	}
	queue_work(rm->wq, &rm->notify_work);
}

/* Where the slot is: the buffer of the client's DMA object, with a reference. */
static int nv3_notify_find(struct nv3_channel *chan, const struct drm_nv3_notifier_fence *args,
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
	} else if (dma->bo->bounces) {
		/* The chip writes to a copy, which is back when the batch is over. */
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

struct nv3_notify_placing {
	struct drm_exec exec;
	struct nv3_bo *bo;
};

static int nv3_notify_place(void *data)
{
	struct nv3_notify_placing *placing = data;

	return nv3_bo_place_one(&placing->exec, placing->bo, placing->bo->domains, false);
}

/* Gives the buffer the fence, which must signal from here on. */
static int nv3_notify_attach(struct nv3_device *nv3, struct nv3_notify *notify)
{
	struct nv3_notify_placing placing = { .bo = notify->bo };
	struct iosys_map map;
	int ret;

	ret = nv3_room_place(nv3, true, nv3_notify_place, &placing);
	if (ret)
		return ret;

	ret = nv3_bo_vmap(notify->bo, &map);
	if (!ret) {
		notify->slot = IOSYS_MAP_INIT_OFFSET(&map, notify->offset);
		dma_resv_add_fence(nv3_bo_resv(notify->bo), &notify->base,
				   DMA_RESV_USAGE_BOOKKEEP);
	}
	drm_exec_fini(&placing.exec);
	nv3_room_leave(nv3);
	return ret;
}

static struct nv3_notify *nv3_notify_create(struct nv3_channel *chan,
					    const struct drm_nv3_notifier_fence *args)
{
	struct nv3_notify *notify;
	int ret;

	notify = kzalloc(sizeof(*notify), GFP_KERNEL_ACCOUNT);
	if (!notify)
		return ERR_PTR(-ENOMEM);

	ret = nv3_notify_find(chan, args, &notify->bo, &notify->offset);
	if (ret) {
		kfree(notify);
		return ERR_PTR(ret);
	}

	spin_lock_init(&notify->lock);
	snprintf(notify->name, sizeof(notify->name), "nv3-ch%u", chan->chid);
	dma_fence_init(&notify->base, &nv3_notify_ops, &notify->lock, dma_fence_context_alloc(1),
		       1);
	return notify;
}

/* Needs nv3_channel.lock. From here on the reference is the list's. */
static void nv3_notify_enter(struct nv3_channel *chan, struct nv3_notify *notify)
{
	unsigned long flags;

	flags = nv3_rm_lock(chan->rm);
	notify->batch = chan->submitted;
	list_add_tail(&notify->link, &chan->notifies);
	chan->notify_count++;
	nv3_notify_look(chan, chan->retired);
	nv3_rm_unlock(chan->rm, flags);
}

static int nv3_notify_fence(struct nv3_channel *chan, struct drm_nv3_notifier_fence *args)
{
	struct nv3_notify *notify;
	struct sync_file *sync;
	int fd, ret;

	if (chan->closed)
		return -ENOENT;
	if (chan->long_running) {
		/* The notification may come after a wait for another client. */
		drm_dbg(&chan->rm->nv3->drm, "notifier_fence: the channel is long-running\n");
		return -EOPNOTSUPP;
	}
	if (READ_ONCE(chan->notify_count) >= NV3_NOTIFY_MAX) {
		drm_dbg(&chan->rm->nv3->drm, "notifier_fence: more than %u that wait\n",
			NV3_NOTIFY_MAX);
		return -ENOSPC;
	}

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;

	notify = nv3_notify_create(chan, args);
	if (IS_ERR(notify)) {
		ret = PTR_ERR(notify);
		goto err_fd;
	}

	sync = sync_file_create(&notify->base);
	if (!sync) {
		ret = -ENOMEM;
		goto err_notify;
	}

	ret = nv3_notify_attach(chan->rm->nv3, notify);
	if (ret)
		goto err_sync;

	nv3_notify_enter(chan, notify);
	fd_install(fd, sync->file);
	args->fd = fd;
	return 0;

err_sync:
	fput(sync->file);
err_notify:
	nv3_notify_release(notify);
err_fd:
	put_unused_fd(fd);
	return ret;
}

int nv3_rm_notifier_fence_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_notifier_fence *args = data;
	struct nv3_channel *chan;
	int ret, idx;

	if (args->flags || args->pad || args->slot >= NV3_NOTIFY_SLOTS) {
		drm_dbg(drm, "notifier_fence: slot %u, flags %#x, pad %#x\n", args->slot,
			args->flags, args->pad);
		return -EINVAL;
	}

	chan = nv3_channel_get_by_id(file, args->channel);
	if (!chan)
		return -ENOENT;

	if (!drm_dev_enter(drm, &idx)) {
		ret = -ENODEV;
		goto out_put;
	}

	ret = mutex_lock_interruptible(&chan->lock);
	if (!ret) {
		ret = nv3_notify_fence(chan, args);
		mutex_unlock(&chan->lock);
	}
	drm_dev_exit(idx);

out_put:
	nv3_channel_put(chan);
	return ret;
}
