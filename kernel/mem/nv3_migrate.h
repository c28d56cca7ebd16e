/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_MIGRATE_H
#define NV3_MIGRATE_H

#include <linux/types.h>

struct dma_fence;
struct nv3_device;
struct seq_file;
struct ttm_buffer_object;
struct ttm_operation_ctx;
struct ttm_place;
struct ttm_resource;
struct ttm_tt;

/**
 * struct nv3_copy_ops - functions that let the chip copy buffers
 *
 * class/nv3_migration.c implements these functions and sets nv3_device.copy_ops.
 */
struct nv3_copy_ops {
	/**
	 * @copy: copies @pages pages between @tt and the VRAM at byte @vram, or fills the VRAM with
	 * zeroes if @tt is NULL. The returned fence signals when the copy is complete. Until then,
	 * @tt and the VRAM must stay valid. If the chip fails, the CPU executes the outstanding
	 * copies. Copies are executed in the order of the calls. May sleep. Returns -ENODEV, -E2BIG
	 * or -ENOMEM as an ERR_PTR().
	 */
	struct dma_fence *(*copy)(struct nv3_device *nv3, u32 vram, struct ttm_tt *tt,
				  unsigned int pages, bool to_vram);
	/** @context: the fence context of all copies */
	u64 (*context)(struct nv3_device *nv3);
	/** @show: prints the statistics of copies by the chip to debugfs */
	void (*show)(struct nv3_device *nv3, struct seq_file *m);
};

int nv3_migrate(struct ttm_buffer_object *tbo, bool evict, struct ttm_operation_ctx *ctx,
		struct ttm_resource *new_mem, struct ttm_place *hop);
void nv3_migrate_forget_map(struct ttm_buffer_object *tbo);
void nv3_migrate_show(struct nv3_device *nv3, struct seq_file *m);

#endif
