// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: CACHE1
 *
 * The methods that PFIFO has for PGRAPH are in a ring of registers: PUT is where the next one
 * comes in, GET where the puller is, and one entry stays unused. Traps look at
 * the method at GET and move it on, parking empties the ring and fills it again, and what has run
 * out is put in at its end. Each has the chip's pusher or puller stopped for it, so that
 * nobody else moves the same pointer.
 *
 * GET and PUT are kept as Gray codes, in which only one bit changes from a number to the next, and
 * an entry is at the code of its number (envytools, hwtest/pfifo.cc). Revision C has 64 entries
 * elsewhere than the 32 of A and B.
 */

#include "nv3_cache1.h"
#include "nv3_rm_priv.h"

static u32 nv3_gray(u32 n)
{
	return n ^ n >> 1;
}

/* Of a code of 8 bits or less. */
static u32 nv3_ungray(u32 code)
{
	code ^= code >> 1;
	code ^= code >> 2;
	code ^= code >> 4;
	return code;
}

static u32 nv3_cache1_number(struct nv3_rm *rm, u32 reg)
{
	return nv3_ungray(nv3_rd32(rm->nv3, reg) >> 2 & (rm->cache1_size - 1));
}

/**
 * nv3_cache1_get() - the entry that the puller takes next
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held.
 * Return: its number, from 0; the register has it Gray-coded.
 */
u32 nv3_cache1_get(struct nv3_rm *rm)
{
	return nv3_cache1_number(rm, NV3_PFIFO_CACHE1_GET);
}

/**
 * nv3_cache1_put() - the entry that is filled next
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held.
 * Return: its number, from 0; the register has it Gray-coded.
 */
u32 nv3_cache1_put(struct nv3_rm *rm)
{
	return nv3_cache1_number(rm, NV3_PFIFO_CACHE1_PUT);
}

/**
 * nv3_cache1_set_get() - set the entry that the puller takes next
 * @rm: the resource manager
 * @n: its number; one more than the last wraps
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_cache1_set_get(struct nv3_rm *rm, u32 n)
{
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_GET, nv3_gray(n & (rm->cache1_size - 1)) << 2);
}

/**
 * nv3_cache1_set_put() - set the entry that is filled next
 * @rm: the resource manager
 * @n: its number; one more than the last wraps
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_cache1_set_put(struct nv3_rm *rm, u32 n)
{
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PUT, nv3_gray(n & (rm->cache1_size - 1)) << 2);
}

/* Where the entry's address is; its data is the word behind. */
static u32 nv3_cache1_entry(struct nv3_rm *rm, u32 n)
{
	u32 code = nv3_gray(n & (rm->cache1_size - 1));

	return rm->cache1_size == NV3_PFIFO_CACHE1_SIZE_C ? NV3_PFIFO_CACHE1_ADDR_C(code) :
							    NV3_PFIFO_CACHE1_ADDR_AB(code);
}

/**
 * nv3_cache1_read() - read an entry
 * @rm: the resource manager
 * @n: its number, which may wrap
 *
 * Context: nv3_rm.lock is held.
 * Return: the method.
 */
struct nv3_store nv3_cache1_read(struct nv3_rm *rm, u32 n)
{
	u32 reg = nv3_cache1_entry(rm, n);

	return (struct nv3_store) {
		.addr = nv3_rd32(rm->nv3, reg),
		.data = nv3_rd32(rm->nv3, reg + 4),
	};
}

/**
 * nv3_cache1_write() - write an entry
 * @rm: the resource manager
 * @n: its number, which may wrap
 * @store: the method
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_cache1_write(struct nv3_rm *rm, u32 n, const struct nv3_store *store)
{
	u32 reg = nv3_cache1_entry(rm, n);

	nv3_wr32(rm->nv3, reg, store->addr);
	nv3_wr32(rm->nv3, reg + 4, store->data);
}
