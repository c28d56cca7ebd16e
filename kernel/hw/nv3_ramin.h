/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_RAMIN_H
#define NV3_RAMIN_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/wait.h>

#include <drm/drm_mm.h>

#include "device/nv3_device.h"

/* The addresses of the chip's tables in RAMIN, see docs/decisions/0004-layout-of-ramin.md. */
#define NV3_RM_RAMHT		0x00000
#define NV3_RM_RAMRO		0x08000
#define NV3_RAMRO_BYTES		SZ_8K
#define NV3_RM_RAMFC		0x0a000

/* The bits of a context word that the registers of the puller hold. */
#define NV3_CTX_REGISTER	0x00ffffff

/* The allocator of instance memory. */
struct nv3_ramin_pool {
	struct nv3_device *nv3;
	/** @lock: guards @mm */
	struct mutex lock;
	struct drm_mm mm;
	/** @frees: the number of times that memory has been freed */
	atomic_t frees;
	/** @wait: woken when @frees changes */
	wait_queue_head_t wait;
	/**
	 * @reclaim: frees memory that no batch uses. Returns true if batches in flight will free
	 * more memory. May sleep
	 */
	bool (*reclaim)(struct nv3_ramin_pool *pool);
};

/*
 * A range of instance memory. @node.start is its byte address in RAMIN, a multiple of 16. The chip
 * identifies the range by a number, which is this address divided by 16.
 */
struct nv3_ramin {
	struct drm_mm_node node;
};

void nv3_ramin_init(struct nv3_ramin_pool *pool, struct nv3_device *nv3,
		    bool (*reclaim)(struct nv3_ramin_pool *pool));
void nv3_ramin_fini(struct nv3_ramin_pool *pool);
int nv3_ramin_alloc(struct nv3_ramin_pool *pool, struct nv3_ramin *mem, u32 size);
void nv3_ramin_free(struct nv3_ramin_pool *pool, struct nv3_ramin *mem);

static inline u32 nv3_ramin_addr(const struct nv3_ramin *mem)
{
	return mem->node.start;
}

static inline u32 nv3_ramin_inst(const struct nv3_ramin *mem)
{
	return mem->node.start >> 4;
}

/* nv3_ramfc.c */
void nv3_ramfc_clear(struct nv3_device *nv3, u32 chid);
void nv3_ramfc_save(struct nv3_device *nv3, u32 chid);
void nv3_ramfc_load(struct nv3_device *nv3, u32 chid);
u32 nv3_ramfc_read(struct nv3_device *nv3, u32 chid, unsigned int subch);
void nv3_ramfc_write(struct nv3_device *nv3, u32 chid, unsigned int subch, u32 ctx);

#endif
