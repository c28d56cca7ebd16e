// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Notifiers and fences
 *
 * The chip can tell that it has come to some point in two ways at once: a method asks
 * it to write an NvNotification (time and status, 16 bytes) through a DMA object when
 * the next method is done, and to interrupt then. That is what a fence is made of here.
 * Every batch ends in a tail of the resource manager's own: bind the channel's fence
 * object, arm its notifier, do nothing. The interrupt handler looks at memory to see
 * whose batch is over; it never asks the chip.
 *
 * "Do nothing" is the plane mask of class 0x04, which silicon accepts and ignores
 * (envytools rnndb, NV3_GROBJ_OPTIONS.PLANE); NV3 has no method that is nothing else. On a
 * chip made without that class the fence object is a software object, PFIFO stops on it when
 * PGRAPH is done, and nothing else is needed to know that the batch is over.
 *
 * The fence object has a random name that is written in the tail alone, which no client
 * can read. Whoever could guess it could signal a fence early, and see its buffers moved
 * while the chip draws to them. Nor does subchannel 7, which the tail binds, keep the
 * object: nv3_switch_start() takes it away before the next batch.
 */

#include <linux/dma-mapping.h>
#include <linux/random.h>
#include <linux/slab.h>

#include <drm/drm_managed.h>

#include "nv3_channel.h"
#include "nv3_class.h"
#include "nv3_job.h"
#include "nv3_notifier.h"
#include "nv3_object.h"

/* One page holds every channel's slots. */
static_assert(NV3_USER_CHANNELS * NV3_NOTIFIER_SIZE <= PAGE_SIZE);

int nv3_notifier_page_init(struct nv3_rm *rm)
{
	rm->notifications = dmam_alloc_coherent(rm->nv3->drm.dev, PAGE_SIZE,
						&rm->notifications_dma, GFP_KERNEL);
	return rm->notifications ? 0 : -ENOMEM;
}

static __le16 *nv3_notifier_status(struct nv3_channel *chan)
{
	return chan->rm->notifications + chan->chid * NV3_NOTIFIER_SIZE +
	       NV3_NOTIFIER_SLOT * NV3_NOTIFICATION_SIZE + NV3_NOTIFICATION_STATUS;
}

/* Called before a batch starts: from now on the status means this batch. */
void nv3_notifier_arm(struct nv3_channel *chan)
{
	WRITE_ONCE(*nv3_notifier_status(chan), cpu_to_le16(NV3_NOTIFICATION_IN_PROGRESS));
}

bool nv3_notifier_done(struct nv3_channel *chan)
{
	return READ_ONCE(*nv3_notifier_status(chan)) !=
	       cpu_to_le16(NV3_NOTIFICATION_IN_PROGRESS);
}

void nv3_notifier_tail(struct nv3_channel *chan, __le32 *words)
{
	const u32 tail[NV3_NOTIFIER_TAIL] = {
		NV3_PUSH_HDR(NV3_TAIL_SUBCH, NV3_MTHD_OBJECT, 1), chan->notifier.object->name,
		NV3_PUSH_HDR(NV3_TAIL_SUBCH, NV3_MTHD_NOTIFY, 1), NV3_NOTIFIER_SLOT,
		NV3_PUSH_HDR(NV3_TAIL_SUBCH, NV3_PLANE_MASK, 1), ~0,
	};
	unsigned int i;

	for (i = 0; i < NV3_NOTIFIER_TAIL; i++)
		words[i] = cpu_to_le32(tail[i]);
}

/* The instance memory of notifier and fence object, again after a loss of power. */
void nv3_notifier_write(struct nv3_channel *chan)
{
	struct nv3_device *nv3 = chan->rm->nv3;
	dma_addr_t slots = chan->rm->notifications_dma + chan->chid * NV3_NOTIFIER_SIZE;
	u32 target = nv3_ramin_addr(&chan->notifier.target);
	u32 grobj = nv3_ramin_addr(&chan->notifier.object->inst);

	nv3_ramin_wr32(nv3, target + NV3_DMAOBJ_FLAGS,
		       offset_in_page(slots) | NV3_DMAOBJ_PAGED |
		       NV3_DMAOBJ_TARGET_PCI << NV3_DMAOBJ_TARGET_SHIFT);
	nv3_ramin_wr32(nv3, target + NV3_DMAOBJ_LIMIT, NV3_NOTIFIER_SIZE - 1);
	nv3_ramin_wr32(nv3, target + NV3_DMAOBJ_PTE(0),
		       (lower_32_bits(slots) & NV3_DMAOBJ_PTE_FRAME) |
		       NV3_DMAOBJ_PTE_WRITE | NV3_DMAOBJ_PTE_PRESENT);

	nv3_ramin_wr32(nv3, grobj + NV3_GROBJ_OPTIONS, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT);
	nv3_ramin_wr32(nv3, grobj + NV3_GROBJ_DMA,
		       nv3_ramin_inst(&chan->notifier.target) << NV3_GROBJ_NOTIFY_SHIFT);
	nv3_ramin_wr32(nv3, grobj + NV3_GROBJ_M2MF, 0);
}

static void nv3_notifier_object_write(struct nv3_object *obj)
{
	nv3_notifier_write(obj->chan);
}

static void nv3_notifier_object_destroy(struct nv3_object *obj)
{
	nv3_object_fini(obj);
	kfree(obj);
}

/* The tail, method by method; with the last the batch is over. */
static u32 nv3_notifier_method(struct nv3_object *obj, u32 subch, u32 mthd, u32 data)
{
	if (mthd == NV3_PLANE_MASK) {
		WRITE_ONCE(*nv3_notifier_status(obj->chan), cpu_to_le16(NV3_NOTIFICATION_DONE));
		nv3_job_finish(obj->chan->rm, 0);
	}
	return DRM_NV3_FAULT_NONE;
}

/*
 * Not in the table of classes: no client makes one. @method is for a chip that lacks the
 * class.
 */
static const struct nv3_class nv3_class_fence = {
	.id = NV3_CLASS_PLANE,
	.name = "fence",
	.method = nv3_notifier_method,
	.write = nv3_notifier_object_write,
	.destroy = nv3_notifier_object_destroy,
};

/* Enters the fence object under a name that is not in use. */
static int nv3_notifier_add_name(struct nv3_channel *chan)
{
	int ret;

	do {
		ret = nv3_object_add(chan->notifier.object, get_random_u32());
	} while (ret == -EEXIST);

	return ret;
}

int nv3_notifier_init(struct nv3_channel *chan)
{
	struct nv3_notifier *notifier = &chan->notifier;
	struct nv3_object *obj;
	int ret;

	notifier->context = dma_fence_context_alloc(1);

	obj = kzalloc(sizeof(*obj), GFP_KERNEL_ACCOUNT);
	if (!obj)
		return -ENOMEM;

	ret = nv3_object_init(obj, chan, &nv3_class_fence, NV3_GROBJ_SIZE);
	if (ret) {
		kfree(obj);
		return ret;
	}
	obj->ctx = nv3_object_ctx(obj, nv3_class_find(chan->rm, NV3_CLASS_PLANE));

	ret = nv3_ramin_alloc(chan->rm, &notifier->target, NV3_DMAOBJ_PTE(1));
	if (ret)
		goto err_put;

	notifier->object = obj;
	nv3_notifier_write(chan);

	ret = nv3_notifier_add_name(chan);
	if (ret)
		goto err_target;

	return 0;

err_target:
	notifier->object = NULL;
	nv3_ramin_free(chan->rm, &notifier->target);
err_put:
	nv3_object_put(obj);
	return ret;
}

/* The object itself goes with the channel's other objects. */
void nv3_notifier_fini(struct nv3_channel *chan)
{
	nv3_ramin_free(chan->rm, &chan->notifier.target);
}

/*
 * A client has by chance chosen the fence object's name for an object of its own. It
 * must not learn that, so the fence object gets another. Batches in flight have the old
 * name in their tails, and are waited for. Needs nv3_channel.lock.
 */
int nv3_notifier_rename(struct nv3_channel *chan)
{
	int ret;

	ret = nv3_channel_wait_retired(chan, chan->submitted);
	if (ret)
		return ret;

	do {
		ret = nv3_object_rename(chan->notifier.object, get_random_u32());
	} while (ret == -EEXIST);

	return ret;
}

struct nv3_fence {
	struct dma_fence base;
	/** @lock: of @base, which may outlive the channel */
	spinlock_t lock;
	char name[NV3_NAME_SIZE];
};

static const char *nv3_fence_driver_name(struct dma_fence *fence)
{
	return NV3_DRIVER_NAME;
}

static const char *nv3_fence_timeline_name(struct dma_fence *fence)
{
	return container_of(fence, struct nv3_fence, base)->name;
}

static const struct dma_fence_ops nv3_fence_ops = {
	.get_driver_name = nv3_fence_driver_name,
	.get_timeline_name = nv3_fence_timeline_name,
};

/* Batches of a channel run in the order of their fences: needs nv3_channel.lock. */
struct dma_fence *nv3_fence_create(struct nv3_channel *chan)
{
	struct nv3_fence *fence;

	fence = kzalloc(sizeof(*fence), GFP_KERNEL);
	if (!fence)
		return NULL;

	spin_lock_init(&fence->lock);
	snprintf(fence->name, sizeof(fence->name), "nv3-ch%u", chan->chid);
	dma_fence_init(&fence->base, &nv3_fence_ops, &fence->lock, chan->notifier.context,
		       ++chan->notifier.seqno);
	return &fence->base;
}
