// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Context images
 *
 * The state of class PROGRAMS has thousands of words. The chip stores and loads it by itself, as
 * chips from NV4 on do with all of their state: a register has the bus address of the image of one
 * channel, and a write to it stores the state there and loads that of another channel. A channel
 * has an image from its first object of the class on. All zeroes stand for the initial state.
 *
 * The register changes only when PGRAPH is given to a channel that has another image. A channel
 * without one has no objects of the class, and can't touch the state that the chip holds. So
 * switches to and from such channels cost nothing.
 */

#include <linux/dma-mapping.h>

#include "nv3_image.h"
#include "rm/nv3_switch.h"

/**
 * nv3_image_init() - find out the size of context images
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
 * nv3_image_apply() - give the chip the context image of a channel, if it has one
 * @chan: the channel, which owns PGRAPH
 *
 * The state of a channel that has faulted is not stored, as it gets no other batch.
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
 * @chan: a channel that has ended, whose state is not stored; or NULL: the chip stores the state of
 * whichever channel it has
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
