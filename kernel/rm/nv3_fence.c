// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Fences
 *
 * Method 0x104 requests a notification. When the next method has completed, the chip writes an
 * NvNotification (time and status, 16 bytes) to memory and raises an interrupt. The handler of this
 * interrupt signals fences. A tail of three methods follows each batch: the first binds the
 * channel's fence object, the second arms its notifier, and the third has no effect. To check
 * whether the batch has completed, the interrupt handler reads the notification from memory instead
 * of a register.
 *
 * NV3 has no NOP method. The last method of the tail sets the plane mask of class 0x04, which
 * silicon ignores (envytools rnndb, NV3_GROBJ_OPTIONS.PLANE). If PGRAPH lacks class 0x04, the fence
 * object is a software object. PFIFO stops at a method of this object only after PGRAPH has
 * completed the batch.
 *
 * The fence object has a random handle, and clients can't read the tails that contain it. A client
 * that knew the handle could signal a fence early. In this case, the driver would move buffers
 * while the chip draws to them. After the tail, subchannel 7 is bound to the fence object.
 * nv3_batch_begin() removes this binding before the next batch.
 */

#include <linux/dma-fence.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "nv3_class.h"
#include "nv3_fence.h"
#include "nv3_object.h"

static __le16 *nv3_fence_status(struct nv3_channel *chan)
{
	return chan->rm->notifications + chan->chid * NV3_FENCE_SIZE +
	       NV3_FENCE_SLOT * NV3_NOTIFICATION_SIZE + NV3_NOTIFICATION_STATUS;
}

/**
 * nv3_fence_arm() - mark the next batch as in progress
 * @chan: the channel, which must have no running batch
 * Context: nv3_rm.lock is held.
 */
void nv3_fence_arm(struct nv3_channel *chan)
{
	WRITE_ONCE(*nv3_fence_status(chan), cpu_to_le16(NV3_NOTIFICATION_IN_PROGRESS));
}

/**
 * nv3_fence_is_done() - check whether the chip has written the notification of a channel's batch
 * @chan: the channel
 * Context: any.
 */
bool nv3_fence_is_done(struct nv3_channel *chan)
{
	return READ_ONCE(*nv3_fence_status(chan)) !=
	       cpu_to_le16(NV3_NOTIFICATION_IN_PROGRESS);
}

/**
 * nv3_fence_write_tail() - write the tail of a batch
 * @chan: the channel
 * @words: destination of the NV3_FENCE_TAIL words
 * Context: nv3_channel.lock or nv3_migration_engine.lock is held.
 */
void nv3_fence_write_tail(struct nv3_channel *chan, __le32 *words)
{
	const u32 tail[NV3_FENCE_TAIL] = {
		NV3_PUSH_HDR(NV3_TAIL_SUBCH, NV3_MTHD_OBJECT, 1),
		chan->fence_context.object->key.handle,
		NV3_PUSH_HDR(NV3_TAIL_SUBCH, NV3_MTHD_NOTIFY, 1), NV3_FENCE_SLOT,
		NV3_PUSH_HDR(NV3_TAIL_SUBCH, NV3_PLANE_MASK, 1), ~0,
	};
	unsigned int i;

	for (i = 0; i < NV3_FENCE_TAIL; i++)
		words[i] = cpu_to_le32(tail[i]);
}

/* Writes the instance memory of the notifier's DMA object and of the fence object. */
static void nv3_fence_write_instances(struct nv3_channel *chan)
{
	struct nv3_device *nv3 = chan->rm->nv3;
	dma_addr_t slots = chan->rm->notifications_dma + chan->chid * NV3_FENCE_SIZE;
	u32 target = nv3_ramin_addr(&chan->fence_context.target);
	u32 grobj = nv3_ramin_addr(&chan->fence_context.object->inst);

	nv3_ramin_wr32(nv3, target + NV3_DMAOBJ_FLAGS,
		       offset_in_page(slots) | NV3_DMAOBJ_PAGED |
		       NV3_DMAOBJ_TARGET_PCI << NV3_DMAOBJ_TARGET_SHIFT);
	nv3_ramin_wr32(nv3, target + NV3_DMAOBJ_LIMIT, NV3_FENCE_SIZE - 1);
	nv3_ramin_wr32(nv3, target + NV3_DMAOBJ_PTE(0),
		       (lower_32_bits(slots) & NV3_DMAOBJ_PTE_FRAME) |
		       NV3_DMAOBJ_PTE_WRITE | NV3_DMAOBJ_PTE_PRESENT);

	nv3_ramin_wr32(nv3, grobj + NV3_GROBJ_OPTIONS, NV3_GROBJ_OP_SRCCOPY << NV3_GROBJ_OP_SHIFT);
	nv3_ramin_wr32(nv3, grobj + NV3_GROBJ_DMA,
		       nv3_ramin_inst(&chan->fence_context.target) << NV3_GROBJ_NOTIFY_SHIFT);
	nv3_ramin_wr32(nv3, grobj + NV3_GROBJ_M2MF, 0);
}

static void nv3_fence_object_write(struct nv3_object *obj)
{
	nv3_fence_write_instances(obj->chan);
}

static void nv3_fence_object_destroy(struct nv3_object *obj)
{
	nv3_object_fini(obj);
	kfree(obj);
}

/* Executes a method of the tail on a chip without class 0x04. The last method ends the batch. */
static u32 nv3_fence_method(struct nv3_object *obj, u32 subch, u32 mthd, u32 data)
{
	if (mthd == NV3_PLANE_MASK) {
		WRITE_ONCE(*nv3_fence_status(obj->chan), cpu_to_le16(NV3_NOTIFICATION_DONE));
		return NV3_TRAP_DONE;
	}
	return DRM_NV3_FAULT_NONE;
}

/* The class is not in the table of classes, because clients cannot create its objects. */
static const struct nv3_class nv3_class_fence = {
	.id = NV3_CLASS_PLANE,
	.name = "fence",
	.method = nv3_fence_method,
	.write = nv3_fence_object_write,
	.destroy = nv3_fence_object_destroy,
};

/* Adds the fence object to the channel's table, under a random handle that is not in use. */
static int nv3_fence_object_add(struct nv3_channel *chan)
{
	int ret;

	do {
		ret = nv3_object_add(chan->fence_context.object, get_random_u32());
	} while (ret == -EEXIST);

	return ret;
}

/**
 * nv3_fence_init() - create the fence object of a channel
 * @chan: the channel, which is new
 * Context: process context.
 * Return: 0 or a negative errno.
 */
int nv3_fence_init(struct nv3_channel *chan)
{
	struct nv3_fence_context *context = &chan->fence_context;
	struct nv3_object *obj;
	int ret;

	context->context = dma_fence_context_alloc(1);

	obj = kzalloc(sizeof(*obj), GFP_KERNEL_ACCOUNT);
	if (!obj)
		return -ENOMEM;

	ret = nv3_object_init(obj, chan, &nv3_class_fence, NV3_GROBJ_SIZE);
	if (ret) {
		kfree(obj);
		return ret;
	}
	obj->key.ctx = nv3_object_ctx(obj, nv3_class_find(chan->rm, NV3_CLASS_PLANE));

	ret = nv3_ramin_alloc(&chan->rm->ramin, &context->target, NV3_DMAOBJ_PTE(1));
	if (ret)
		goto err_put;

	context->object = obj;
	nv3_fence_write_instances(chan);

	ret = nv3_fence_object_add(chan);
	if (ret)
		goto err_target;

	return 0;

err_target:
	context->object = NULL;
	nv3_ramin_free(&chan->rm->ramin, &context->target);
err_put:
	nv3_object_put(obj);
	return ret;
}

/**
 * nv3_fence_fini() - free the memory that nv3_fence_init() allocated
 * @chan: the channel, after its objects, including the fence object, have been destroyed
 * Context: process context.
 */
void nv3_fence_fini(struct nv3_channel *chan)
{
	nv3_ramin_free(&chan->rm->ramin, &chan->fence_context.target);
}

struct nv3_fence {
	struct dma_fence base;
	/** @lock: the fence's own lock, because the fence may outlive the channel */
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

/**
 * nv3_fence_create() - create the fence of the next batch
 * @chan: the channel of the batch
 * Context: process context; nv3_channel.lock or nv3_migration_engine.lock is held.
 * Return: the fence, with one reference, or NULL if memory is exhausted.
 */
struct dma_fence *nv3_fence_create(struct nv3_channel *chan)
{
	struct nv3_fence *fence;

	fence = kzalloc(sizeof(*fence), GFP_KERNEL);
	if (!fence)
		return NULL;

	spin_lock_init(&fence->lock);
	snprintf(fence->name, sizeof(fence->name), "nv3-ch%u", chan->chid);
	dma_fence_init(&fence->base, &nv3_fence_ops, &fence->lock, chan->fence_context.context,
		       ++chan->fence_context.seqno);
	return &fence->base;
}
