/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_RAMHT_H
#define NV3_RAMHT_H

#include "device/nv3_device.h"

/* The largest RAMHT occupies 32 KiB: 256 buckets of 16 entries. */
#define NV3_RAMHT_DEPTH_MAX	16

/* The key of an object in RAMHT, embedded in the object. */
struct nv3_ramht_key {
	/** @handle: the client's handle of the object */
	u32 handle;
	/** @chid: the number of the object's channel */
	u32 chid;
	/** @ctx: the object's context word, or 0 if the object can't be bound */
	u32 ctx;
};

/* Guarded by nv3_rm.lock. */
struct nv3_ramht {
	struct nv3_device *nv3;
	/** @size_code: the size of RAMHT, in the encoding of PFIFO_RAMHT */
	u32 size_code;
	/** @depth: number of entries in a bucket */
	unsigned int depth;
	/** @lost: the device is gone, so RAMIN can no longer be accessed */
	bool lost;
	/** @slot: the key of the object in each entry of RAMHT, or NULL for an empty entry */
	const struct nv3_ramht_key *slot[NV3_RAMHT_BUCKETS][NV3_RAMHT_DEPTH_MAX];
	/**
	 * @victim: for each bucket, the index of the entry that the next insertion into the full
	 * bucket replaces
	 */
	u8 victim[NV3_RAMHT_BUCKETS];
	/**
	 * @misses: number of objects that were inserted because PFIFO had not found their handles
	 */
	u64 misses;
	/** @evictions: number of entries that were replaced */
	u64 evictions;
};

void nv3_ramht_choose_size(struct nv3_ramht *ht, struct nv3_device *nv3);
void nv3_ramht_init(struct nv3_ramht *ht);
void nv3_ramht_insert(struct nv3_ramht *ht, const struct nv3_ramht_key *key);
void nv3_ramht_remove(struct nv3_ramht *ht, const struct nv3_ramht_key *key);

#endif
