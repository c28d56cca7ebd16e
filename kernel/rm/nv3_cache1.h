/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CACHE1_H
#define NV3_CACHE1_H

#include <linux/types.h>

struct nv3_rm;

/* A method on its way to PGRAPH, as stored to a window or pushed from a ring. */
struct nv3_store {
	/** @addr: subchannel and method, as in CACHE1 */
	u32 addr;
	u32 data;
};

/* Numbers of entries, 0 to nv3_rm.cache1_size - 1; nv3_rm.lock. */
u32 nv3_cache1_get(struct nv3_rm *rm);
u32 nv3_cache1_put(struct nv3_rm *rm);
void nv3_cache1_set_get(struct nv3_rm *rm, u32 n);
void nv3_cache1_set_put(struct nv3_rm *rm, u32 n);
struct nv3_store nv3_cache1_read(struct nv3_rm *rm, u32 n);
void nv3_cache1_write(struct nv3_rm *rm, u32 n, const struct nv3_store *store);

#endif
