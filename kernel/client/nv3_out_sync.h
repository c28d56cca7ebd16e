/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_OUT_SYNC_H
#define NV3_OUT_SYNC_H

#include <linux/list.h>
#include <linux/types.h>

struct dma_fence;
struct dma_fence_chain;
struct drm_file;
struct drm_syncobj;

/* A syncobj to which a fence will be passed, and the memory for its timeline point. */
struct nv3_out_sync {
	struct list_head link;
	struct drm_syncobj *syncobj;
	/** @chain: memory for timeline point @point, or NULL for a binary syncobj */
	struct dma_fence_chain *chain;
	u64 point;
};

int nv3_out_sync_add(struct list_head *list, struct drm_file *file, u32 handle, u64 point);
void nv3_out_syncs_clear(struct list_head *list);
void nv3_out_syncs_signal(struct list_head *list, struct dma_fence *fence);
void nv3_out_syncs_free(struct list_head *list);

#endif
