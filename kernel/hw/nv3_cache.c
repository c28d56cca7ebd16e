// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The caches of PFIFO
 *
 * PFIFO holds methods for PGRAPH in two caches.
 *
 * CACHE1 holds the methods of channels. CACHE1 is a ring of entries in registers: PUT is the entry
 * that is filled next, GET is the entry that the puller processes next, and one entry stays unused.
 * Apart from resets, faults and single steps (debug/nv3_step.c), the driver changes CACHE1 in three
 * cases. After a trap, the driver reads the method at GET and advances GET past the method. When a
 * batch is preempted, the driver saves all entries, and it restores these entries when the batch is
 * resumed. When the driver replays methods that overflowed to RAMRO, it appends them at PUT. The
 * pusher is stopped while the driver changes PUT, and the puller is stopped while the driver
 * changes GET.
 *
 * GET and PUT contain the numbers of entries as Gray codes: the codes of consecutive numbers differ
 * in one bit. The index of an entry's registers is the Gray code of the number of the entry
 * (envytools, hwtest/pfifo.cc). On revision C, CACHE1 has 64 entries. On revisions A and B, it has
 * 32 entries, at other addresses.
 *
 * CACHE0 holds one method, which only the driver writes. The puller processes this method before
 * the methods in CACHE1 (envytools, fifo/nv1-pfifo). PUT and GET of CACHE0 have one bit each.
 * CACHE0 holds a method while PUT and GET differ.
 */

#include "nv3_cache.h"

/* The only bit of PUT and GET of CACHE0. */
#define NV3_CACHE0_POINTER	0x4

static u32 nv3_gray(u32 n)
{
	return n ^ n >> 1;
}

/* Decodes a Gray code of at most 8 bits. */
static u32 nv3_ungray(u32 code)
{
	code ^= code >> 1;
	code ^= code >> 2;
	code ^= code >> 4;
	return code;
}

static u32 nv3_cache1_number(struct nv3_device *nv3, u32 reg)
{
	return nv3_ungray(nv3_rd32(nv3, reg) >> 2 & (nv3->cache1_size - 1));
}

/**
 * nv3_cache1_get() - return the number of the entry that the puller processes next
 * @nv3: the device
 *
 * Context: nv3_rm.lock is held.
 * Return: the number of the entry, decoded from the Gray code in the register.
 */
u32 nv3_cache1_get(struct nv3_device *nv3)
{
	return nv3_cache1_number(nv3, NV3_PFIFO_CACHE1_GET);
}

/**
 * nv3_cache1_put() - return the number of the entry that is filled next
 * @nv3: the device
 *
 * Context: nv3_rm.lock is held.
 * Return: the number of the entry, decoded from the Gray code in the register.
 */
u32 nv3_cache1_put(struct nv3_device *nv3)
{
	return nv3_cache1_number(nv3, NV3_PFIFO_CACHE1_PUT);
}

/**
 * nv3_cache1_set_get() - set the entry that the puller processes next
 * @nv3: the device
 * @n: the number of the entry, which the function reduces modulo the number of entries
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_cache1_set_get(struct nv3_device *nv3, u32 n)
{
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_GET, nv3_gray(n & (nv3->cache1_size - 1)) << 2);
}

/**
 * nv3_cache1_set_put() - set the entry that is filled next
 * @nv3: the device
 * @n: the number of the entry, which the function reduces modulo the number of entries
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_cache1_set_put(struct nv3_device *nv3, u32 n)
{
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUT, nv3_gray(n & (nv3->cache1_size - 1)) << 2);
}

/*
 * Returns the address of the register that contains the subchannel and method of entry @n. The next
 * register contains the argument of the method.
 */
static u32 nv3_cache1_entry(struct nv3_device *nv3, u32 n)
{
	u32 code = nv3_gray(n & (nv3->cache1_size - 1));

	return nv3->cache1_size == NV3_PFIFO_CACHE1_SIZE_C ? NV3_PFIFO_CACHE1_ADDR_C(code) :
							    NV3_PFIFO_CACHE1_ADDR_AB(code);
}

/**
 * nv3_cache1_read() - read an entry of CACHE1
 * @nv3: the device
 * @n: the number of the entry, which the function reduces modulo the number of entries
 *
 * Context: nv3_rm.lock is held.
 * Return: the method.
 */
struct nv3_store nv3_cache1_read(struct nv3_device *nv3, u32 n)
{
	u32 reg = nv3_cache1_entry(nv3, n);

	return (struct nv3_store) {
		.addr = nv3_rd32(nv3, reg),
		.data = nv3_rd32(nv3, reg + 4),
	};
}

/**
 * nv3_cache1_write() - write an entry of CACHE1
 * @nv3: the device
 * @n: the number of the entry, which the function reduces modulo the number of entries
 * @store: the method
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_cache1_write(struct nv3_device *nv3, u32 n, const struct nv3_store *store)
{
	u32 reg = nv3_cache1_entry(nv3, n);

	nv3_wr32(nv3, reg, store->addr);
	nv3_wr32(nv3, reg + 4, store->data);
}

/**
 * nv3_cache0_reset() - empty CACHE0
 * @nv3: the device
 *
 * Between the writes to PUT and GET, the two pointers may differ, and a running puller would
 * process the last method again. The function therefore stops the puller first.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_cache0_reset(struct nv3_device *nv3)
{
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_PULL_CTRL, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_PUT, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_GET, 0);
	nv3->cache0_put = 0;
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
}

/**
 * nv3_cache0_push() - write a method to the empty CACHE0
 * @nv3: the device
 * @chid: the number of the channel
 * @ctx: the context word of the object
 * @store: the method
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_cache0_push(struct nv3_device *nv3, u32 chid, u32 ctx, const struct nv3_store *store)
{
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_PUSH_CHID, chid);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_CTX, ctx);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_ADDR, store->addr);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_DATA, store->data);
	nv3->cache0_put ^= NV3_CACHE0_POINTER;
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_PUT, nv3->cache0_put);
}
