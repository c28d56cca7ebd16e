// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: RAMFC
 *
 * The state of a channel in PFIFO consists of eight context words. Each word describes the object
 * that is bound to one subchannel. CACHE1 has registers for the words of one channel, and RAMFC has
 * memory for the words of all channels. If CACHES_REASSIGN is enabled, and a store to the aperture
 * of another channel arrives while CACHE1 is empty, the chip itself saves the words of the old
 * channel and loads the words of the new one. The resource manager keeps CACHES_REASSIGN disabled,
 * and copies the words itself, in the same format.
 */

#include "nv3_ramin.h"

static u32 nv3_ramfc_addr(u32 chid, unsigned int subch)
{
	return NV3_RM_RAMFC + chid * NV3_RAMFC_ENTRY_SIZE + subch * 4;
}

/**
 * nv3_ramfc_clear() - mark all subchannels of a new channel as having no object
 * @nv3: the device
 * @chid: the number of the channel
 *
 * Context: process context.
 */
void nv3_ramfc_clear(struct nv3_device *nv3, u32 chid)
{
	unsigned int i;

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		nv3_ramin_wr32(nv3, nv3_ramfc_addr(chid, i), 0);
}

/**
 * nv3_ramfc_save() - write the context words of CACHE1 to RAMFC
 * @nv3: the device
 * @chid: the number of the channel that owns PFIFO
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramfc_save(struct nv3_device *nv3, u32 chid)
{
	unsigned int i;

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		nv3_ramin_wr32(nv3, nv3_ramfc_addr(chid, i),
			       nv3_rd32(nv3, NV3_PFIFO_CACHE1_CTX(i)));
}

/**
 * nv3_ramfc_load() - load the context words of CACHE1 from RAMFC
 * @nv3: the device
 * @chid: the number of the channel that is about to own PFIFO
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramfc_load(struct nv3_device *nv3, u32 chid)
{
	unsigned int i;

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		nv3_wr32(nv3, NV3_PFIFO_CACHE1_CTX(i), nv3_ramfc_read(nv3, chid, i));
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_STATE, 0);
}

/**
 * nv3_ramfc_read() - read the context word of a subchannel
 * @nv3: the device
 * @chid: the number of the channel, which must not own PFIFO
 * @subch: the subchannel, 0 to 7
 *
 * Context: nv3_rm.lock is held.
 * Return: the word, or 0 for no object.
 */
u32 nv3_ramfc_read(struct nv3_device *nv3, u32 chid, unsigned int subch)
{
	return nv3_ramin_rd32(nv3, nv3_ramfc_addr(chid, subch)) & NV3_CTX_REGISTER;
}

/**
 * nv3_ramfc_write() - write the context word of a subchannel
 * @nv3: the device
 * @chid: the number of the channel, which must not own PFIFO
 * @subch: the subchannel, 0 to 7
 * @ctx: the word, or 0 for no object
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramfc_write(struct nv3_device *nv3, u32 chid, unsigned int subch, u32 ctx)
{
	nv3_ramin_wr32(nv3, nv3_ramfc_addr(chid, subch), ctx);
}
