// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: RAMHT, a cache of names
 *
 * A client may have more objects than RAMHT has entries, and most of them are not
 * in use at any time. So RAMHT is treated as what it is: a cache of the resource
 * manager's own table (the channel's @objects). Nothing is entered when an object
 * is made. The first method that selects it misses, PFIFO stops and interrupts,
 * and nv3_trap.c enters the name here and lets the puller look again. When the
 * name's bucket is full, another entry of the bucket gives way, in turn, and comes
 * back the same way when it is next used.
 *
 * The chip compares the name and the channel of each entry of the one bucket
 * that the hash leads to, so the place within a bucket doesn't matter, and a
 * client can't find another channel's objects whatever names it tries.
 */

#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/moduleparam.h>

#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_object.h"
#include "nv3_rm_priv.h"

/* Few have a reason to change it, but then they see that it changes nothing. */
static unsigned int nv3_ramht_kib = 32;
module_param_named(ramht_kib, nv3_ramht_kib, uint, 0444);
MODULE_PARM_DESC(ramht_kib, "Size of RAMHT: 4, 8, 16 or 32 KiB (default 32)");

/**
 * nv3_ramht_choose_size() - set RAMHT's size by the module's parameter
 * @rm: the resource manager
 *
 * 4 KiB are 256 buckets of two entries; each size after it has twice as many.
 */
void nv3_ramht_choose_size(struct nv3_rm *rm)
{
	unsigned int kib = nv3_ramht_kib;

	if (kib < 4 || kib > 32 || !is_power_of_2(kib)) {
		drm_err(&rm->nv3->drm, "ramht_kib is %u: 4, 8, 16 or 32; 32 is used\n", kib);
		kib = 32;
	}
	rm->ramht.size_code = ilog2(kib / 4);
	rm->ramht.depth = 2 << rm->ramht.size_code;
}

static u32 nv3_ramht_addr(struct nv3_rm *rm, unsigned int bucket, unsigned int i)
{
	return NV3_RM_RAMHT + (bucket * rm->ramht.depth + i) * NV3_RAMHT_ENTRY_SIZE;
}

static unsigned int nv3_ramht_bucket(const struct nv3_object *obj)
{
	return NV3_RAMHT_HASH(obj->name, obj->chan->chid);
}

/**
 * nv3_ramht_init() - empty RAMHT, whatever RAMIN held
 * @rm: the resource manager
 *
 * Context: any; no batch runs.
 */
void nv3_ramht_init(struct nv3_rm *rm)
{
	unsigned int bucket, i;

	for (bucket = 0; bucket < NV3_RAMHT_BUCKETS; bucket++) {
		for (i = 0; i < rm->ramht.depth; i++) {
			rm->ramht.slot[bucket][i] = NULL;
			nv3_ramin_wr32(rm->nv3, nv3_ramht_addr(rm, bucket, i) + 4, 0);
		}
	}
}

static unsigned int nv3_ramht_free_slot(struct nv3_rm *rm, unsigned int bucket)
{
	struct nv3_ramht *ht = &rm->ramht;
	unsigned int i;

	for (i = 0; i < rm->ramht.depth; i++)
		if (!ht->slot[bucket][i])
			return i;

	i = ht->victim[bucket];
	ht->victim[bucket] = (i + 1) % ht->depth;
	ht->evictions++;
	return i;
}

/**
 * nv3_ramht_insert() - enter an object, if need be in place of another of its bucket
 * @rm: the resource manager
 * @obj: the object
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramht_insert(struct nv3_rm *rm, struct nv3_object *obj)
{
	unsigned int bucket = nv3_ramht_bucket(obj);
	unsigned int i;
	u32 addr;

	lockdep_assert_held(&rm->lock);

	i = nv3_ramht_free_slot(rm, bucket);
	addr = nv3_ramht_addr(rm, bucket, i);
	/* An entry counts while its second word isn't zero. */
	nv3_ramin_wr32(rm->nv3, addr + 4, 0);
	nv3_ramin_wr32(rm->nv3, addr, obj->name);
	nv3_ramin_wr32(rm->nv3, addr + 4, obj->ctx);
	rm->ramht.slot[bucket][i] = obj;
}

/**
 * nv3_ramht_remove() - remove an object, if RAMHT has it
 * @rm: the resource manager
 * @obj: the object
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_ramht_remove(struct nv3_rm *rm, struct nv3_object *obj)
{
	unsigned int bucket = nv3_ramht_bucket(obj);
	unsigned int i;

	lockdep_assert_held(&rm->lock);

	for (i = 0; i < rm->ramht.depth; i++) {
		if (rm->ramht.slot[bucket][i] != obj)
			continue;
		rm->ramht.slot[bucket][i] = NULL;
		if (!rm->dead)
			nv3_ramin_wr32(rm->nv3, nv3_ramht_addr(rm, bucket, i) + 4, 0);
	}
}
