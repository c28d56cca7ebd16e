// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: RAMHT, a cache of handles
 *
 * A client may have more objects than RAMHT has entries. The resource manager therefore uses RAMHT
 * as a cache of its own table of handles (nv3_channel.objects). Creating an object adds no entry to
 * RAMHT. When a method binds the object for the first time, the puller does not find the handle,
 * and PFIFO stops and raises an interrupt. To handle the interrupt, nv3_trap.c inserts the handle
 * with the functions of this file, and the puller looks the handle up again. If the bucket of the
 * handle is full, a new entry replaces an old one, in round-robin order. A replaced object is
 * inserted again when a method next binds the object.
 *
 * The puller compares the handle in the method, and the number of the channel, with all entries of
 * the bucket that the hash selects. The position within a bucket therefore does not matter, and a
 * lookup never finds an object of another channel.
 */

#include <linux/log2.h>
#include <linux/moduleparam.h>

#include <drm/drm_print.h>

#include "nv3_ramht.h"
#include "nv3_ramin.h"

static unsigned int nv3_ramht_kib = 32;
module_param_named(ramht_kib, nv3_ramht_kib, uint, 0444);
MODULE_PARM_DESC(ramht_kib,
		 "Size of RAMHT, for testing: 4, 8, 16 or 32 KiB (default 32); results are the same with each");

/**
 * nv3_ramht_choose_size() - set the size of RAMHT from the module parameter
 * @ht: the cache
 * @nv3: the device
 *
 * A RAMHT of 4 KiB has 256 buckets of two entries. A RAMHT of twice the size has twice as many
 * entries in each bucket.
 */
void nv3_ramht_choose_size(struct nv3_ramht *ht, struct nv3_device *nv3)
{
	unsigned int kib = nv3_ramht_kib;

	if (kib < 4 || kib > 32 || !is_power_of_2(kib)) {
		drm_err(&nv3->drm, "ramht_kib is %u: 4, 8, 16 or 32; 32 is used\n", kib);
		kib = 32;
	}
	ht->nv3 = nv3;
	ht->size_code = ilog2(kib / 4);
	ht->depth = 2 << ht->size_code;
}

static u32 nv3_ramht_addr(const struct nv3_ramht *ht, unsigned int bucket, unsigned int i)
{
	return NV3_RM_RAMHT + (bucket * ht->depth + i) * NV3_RAMHT_ENTRY_SIZE;
}

static unsigned int nv3_ramht_bucket(const struct nv3_ramht_key *key)
{
	return NV3_RAMHT_HASH(key->handle, key->chid);
}

/**
 * nv3_ramht_init() - empty RAMHT, regardless of the contents of RAMIN
 * @ht: the cache
 *
 * Context: any; no batch runs.
 */
void nv3_ramht_init(struct nv3_ramht *ht)
{
	unsigned int bucket, i;

	for (bucket = 0; bucket < NV3_RAMHT_BUCKETS; bucket++) {
		for (i = 0; i < ht->depth; i++) {
			ht->slot[bucket][i] = NULL;
			nv3_ramin_wr32(ht->nv3, nv3_ramht_addr(ht, bucket, i) + 4, 0);
		}
	}
}

static unsigned int nv3_ramht_free_slot(struct nv3_ramht *ht, unsigned int bucket)
{
	unsigned int i;

	for (i = 0; i < ht->depth; i++)
		if (!ht->slot[bucket][i])
			return i;

	i = ht->victim[bucket];
	ht->victim[bucket] = (i + 1) % ht->depth;
	ht->evictions++;
	return i;
}

/**
 * nv3_ramht_insert() - insert an object, replacing another object if the bucket is full
 * @ht: the cache
 * @key: the object's key, which must stay valid until nv3_ramht_remove()
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramht_insert(struct nv3_ramht *ht, const struct nv3_ramht_key *key)
{
	unsigned int bucket = nv3_ramht_bucket(key);
	unsigned int i = nv3_ramht_free_slot(ht, bucket);
	u32 addr = nv3_ramht_addr(ht, bucket, i);

	/* An entry is valid while its second word isn't 0, so write this word last. */
	nv3_ramin_wr32(ht->nv3, addr + 4, 0);
	nv3_ramin_wr32(ht->nv3, addr, key->handle);
	nv3_ramin_wr32(ht->nv3, addr + 4, key->ctx);
	ht->slot[bucket][i] = key;
}

/**
 * nv3_ramht_remove() - remove an object from RAMHT, if it is there
 * @ht: the cache
 * @key: the object's key
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramht_remove(struct nv3_ramht *ht, const struct nv3_ramht_key *key)
{
	unsigned int bucket = nv3_ramht_bucket(key);
	unsigned int i;

	for (i = 0; i < ht->depth; i++) {
		if (ht->slot[bucket][i] != key)
			continue;
		ht->slot[bucket][i] = NULL;
		if (!ht->lost)
			nv3_ramin_wr32(ht->nv3, nv3_ramht_addr(ht, bucket, i) + 4, 0);
	}
}
