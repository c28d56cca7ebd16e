// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: RAMFC
 *
 * What PFIFO knows of a channel is which object each of its eight subchannels has: a
 * context word each. CACHE1 has registers for those of one channel, and RAMFC has a place
 * for everyone's. The chip moves them itself when a store to another channel's window
 * arrives at an empty CACHE1; while batches come by DMA nobody may switch but the resource
 * manager, which does the same as the chip would, so that either finds what the other left.
 */

#include <linux/lockdep.h>

#include "nv3_channel.h"

static u32 nv3_ramfc_addr(struct nv3_channel *chan, unsigned int subch)
{
	return NV3_RM_RAMFC + chan->chid * NV3_RAMFC_ENTRY_SIZE + subch * 4;
}

/**
 * nv3_ramfc_clear() - let no subchannel of a new channel have an object
 * @chan: the channel
 *
 * Context: process context.
 */
void nv3_ramfc_clear(struct nv3_channel *chan)
{
	unsigned int i;

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		nv3_ramin_wr32(chan->rm->nv3, nv3_ramfc_addr(chan, i), 0);
}

/**
 * nv3_ramfc_save() - write CACHE1's context words to RAMFC
 * @chan: the channel, which owns PFIFO
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramfc_save(struct nv3_channel *chan)
{
	struct nv3_device *nv3 = chan->rm->nv3;
	unsigned int i;

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		nv3_ramin_wr32(nv3, nv3_ramfc_addr(chan, i),
			       nv3_rd32(nv3, NV3_PFIFO_CACHE1_CTX(i)));
}

/**
 * nv3_ramfc_load() - read CACHE1's context words from RAMFC
 * @chan: the channel, which is about to own PFIFO
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramfc_load(struct nv3_channel *chan)
{
	struct nv3_device *nv3 = chan->rm->nv3;
	unsigned int i;

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		nv3_wr32(nv3, NV3_PFIFO_CACHE1_CTX(i),
			 nv3_ramin_rd32(nv3, nv3_ramfc_addr(chan, i)) & NV3_CTX_REGISTER);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_STATE, 0);
}

/**
 * nv3_ramfc_get() - a subchannel's context word, wherever the channel is
 * @chan: the channel
 * @subch: the subchannel, 0 to 7
 *
 * Context: nv3_rm.lock is held.
 * Return: the word, as CACHE1's register has it.
 */
u32 nv3_ramfc_get(struct nv3_channel *chan, unsigned int subch)
{
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	if (rm->pfifo == chan)
		return nv3_rd32(rm->nv3, NV3_PFIFO_CACHE1_CTX(subch));

	return nv3_ramin_rd32(rm->nv3, nv3_ramfc_addr(chan, subch)) & NV3_CTX_REGISTER;
}

/**
 * nv3_ramfc_set() - set a subchannel's context word, wherever the channel is
 * @chan: the channel
 * @subch: the subchannel, 0 to 7
 * @ctx: the word, or 0 for no object
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramfc_set(struct nv3_channel *chan, unsigned int subch, u32 ctx)
{
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	ctx &= NV3_CTX_REGISTER;
	if (rm->pfifo == chan)
		nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_CTX(subch), ctx);
	else
		nv3_ramin_wr32(rm->nv3, nv3_ramfc_addr(chan, subch), ctx);
}
