/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CACHE_H
#define NV3_CACHE_H

#include "device/nv3_device.h"

/* A method that was stored to a USER aperture or pushed from a ring. */
struct nv3_store {
	/** @addr: subchannel and method, in the format of CACHE1 */
	u32 addr;
	u32 data;
};

u32 nv3_cache1_get(struct nv3_device *nv3);
u32 nv3_cache1_put(struct nv3_device *nv3);
void nv3_cache1_set_get(struct nv3_device *nv3, u32 n);
void nv3_cache1_set_put(struct nv3_device *nv3, u32 n);
struct nv3_store nv3_cache1_read(struct nv3_device *nv3, u32 n);
void nv3_cache1_write(struct nv3_device *nv3, u32 n, const struct nv3_store *store);

void nv3_cache0_reset(struct nv3_device *nv3);
void nv3_cache0_push(struct nv3_device *nv3, u32 chid, u32 ctx, const struct nv3_store *store);

#endif
