// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Context images
 *
 * The state of class PROGRAMS has thousands of words. The chip itself stores this state to a
 * context image in system memory and loads the state from the image. NV20 and later chips handle
 * their whole state in this way. Register PVIRT_GRCTX contains the bus address of the current
 * channel's image. A write to the register stores the state to the image at the old address and
 * loads the state from the image at the new address. The driver allocates the image of a channel
 * when the channel's first object of the class is created. An image of zeroes contains the initial
 * state.
 *
 * The driver writes the register only when a channel with another image becomes the owner of
 * PGRAPH. A channel without an image has no objects of the class and can't change the state in the
 * chip, so the driver does not write the register when it switches to or from such a channel.
 */

#include <linux/dma-mapping.h>

#include "nv3_image.h"
#include "rm/nv3_switch.h"

/**
 * nv3_image_init() - read the size of context images from the chip
 * @rm: the resource manager
 *
 * Context: process context, in probe.
 */
void nv3_image_init(struct nv3_rm *rm)
{
	if (rm->nv3->virt_features & NV3_PVIRT_FEATURE_PROGRAMS)
		rm->image_size = nv3_rd32(rm->nv3, NV3_PVIRT_GRCTX_SIZE);
}

/**
 * nv3_image_alloc() - allocate the context image of a channel
 * @chan: the channel
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int nv3_image_alloc(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;

	chan->image.cpu = dma_alloc_coherent(rm->nv3->drm.dev, rm->image_size, &chan->image.dma,
					     GFP_KERNEL_ACCOUNT);
	return chan->image.cpu ? 0 : -ENOMEM;
}

/**
 * nv3_image_free() - free the context image of a channel, if it has one
 * @chan: the channel, after nv3_image_drop()
 *
 * Context: process context.
 */
void nv3_image_free(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;

	if (!chan->image.cpu)
		return;
	dma_free_coherent(rm->nv3->drm.dev, rm->image_size, chan->image.cpu, chan->image.dma);
	chan->image.cpu = NULL;
}

/**
 * nv3_image_apply() - make the chip use the context image of a channel, if it has one
 * @chan: the channel, which owns PGRAPH
 *
 * A faulted channel runs no further batch. If the previous channel has faulted, the chip therefore
 * drops that channel's state instead of storing it.
 *
 * Context: nv3_rm.lock is held; PGRAPH is idle.
 */
void nv3_image_apply(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;
	u32 val = lower_32_bits(chan->image.dma);
	ktime_t start;

	lockdep_assert_held(&rm->lock);

	if (!chan->image.cpu || rm->image == chan)
		return;
	start = ktime_get();
	if (rm->image && rm->image->fault.reason)
		val |= NV3_PVIRT_GRCTX_NO_STORE;
	nv3_wr32(rm->nv3, NV3_PVIRT_GRCTX, val);
	rm->image = chan;
	nv3_switch_account(&rm->image_cost, start);
}

/**
 * nv3_image_drop() - &struct nv3_class_ops.drop_image
 * @rm: the resource manager
 * @chan: the ended channel whose state the chip must drop, or NULL to make the chip store the
 * current state
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_image_drop(struct nv3_rm *rm, struct nv3_channel *chan)
{
	lockdep_assert_held(&rm->lock);

	if (!rm->image || (chan && rm->image != chan))
		return;
	nv3_wr32(rm->nv3, NV3_PVIRT_GRCTX, chan ? NV3_PVIRT_GRCTX_NO_STORE : 0);
	rm->image = NULL;
}
