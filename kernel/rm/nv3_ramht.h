/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_RAMHT_H
#define NV3_RAMHT_H

#include <linux/types.h>

#include "nv3_regs.h"

struct nv3_object;
struct nv3_rm;

/* RAMHT at its largest, 32 KiB: 256 buckets of 16. */
#define NV3_RAMHT_MAX_DEPTH	16

struct nv3_ramht {
	/** @size_code: of its size, as PFIFO_RAMHT takes it; @depth: entries of a bucket */
	u32 size_code;
	unsigned int depth;
	/** @slot: the object that each entry in RAMIN is of, or null */
	struct nv3_object *slot[NV3_RAMHT_BUCKETS][NV3_RAMHT_MAX_DEPTH];
	/** @victim: the entry of each bucket that gives way next */
	u8 victim[NV3_RAMHT_BUCKETS];
	/** @misses: names that were looked up in vain; @evictions: that gave way */
	u64 misses;
	u64 evictions;
};

void nv3_ramht_choose_size(struct nv3_rm *rm);
void nv3_ramht_init(struct nv3_rm *rm);
void nv3_ramht_insert(struct nv3_rm *rm, struct nv3_object *obj);
void nv3_ramht_remove(struct nv3_rm *rm, struct nv3_object *obj);

#endif
