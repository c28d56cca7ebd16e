// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Migration of buffers
 *
 * TTM moves a buffer between VRAM and system memory after the last batch that uses it has
 * completed. The chip copies the contents, or fills a new buffer with zeroes, while the driver
 * continues. Later users of the buffer, and of the memory that the buffer occupied before, wait for
 * the fence of the copy.
 *
 * The CPU copies the contents instead if the chip lacks class M2MF, if the device is gone, if the
 * pages are swapped out, or if the buffer is smaller than chip_migrate_kib.
 */

#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/seq_file.h>

#include <drm/drm_gem.h>
#include <drm/drm_gpuvm.h>
#include <drm/ttm/ttm_resource.h>
#include <drm/ttm/ttm_tt.h>

#include "device/nv3_compat.h"
#include "nv3_bo.h"
#include "nv3_migrate.h"

/*
 * A copy by the chip costs two context switches and an interrupt. In the time that these switches
 * and the interrupt take, the CPU copies about 200 KiB. Tuned with nv3_migrate@chip-256k and
 * nv3_migrate@processor-256k.
 */
static unsigned int nv3_chip_migrate_kib = 256;
module_param_named(chip_migrate_kib, nv3_chip_migrate_kib, uint, 0644);
MODULE_PARM_DESC(chip_migrate_kib,
		 "Size in KiB from which the chip migrates a buffer instead of the CPU (0: never, default 256)");

/**
 * nv3_migrate_forget_map() - remove the kernel mapping of a buffer that moves
 * @tbo: the buffer, whose lock is held
 *
 * Context: process context.
 */
void nv3_migrate_forget_map(struct ttm_buffer_object *tbo)
{
	struct nv3_bo *bo = ttm_to_nv3_bo(tbo);

	/* Imported buffers do not move. nv3_prime_release() unmaps them. */
	if (!nv3_bo_is_ours(tbo) || iosys_map_is_null(&bo->map) ||
	    bo->dma_buf)
		return;

	/*
	 * Only mappings of system memory must be unmapped: VRAM is always mapped (nv3_device.vram).
	 */
	if (!bo->map.is_iomem)
		ttm_bo_vunmap(tbo, &bo->map);
	iosys_map_clear(&bo->map);
}

/*
 * Returns the device of a buffer or of a ghost. TTM creates a ghost to keep the old memory of a
 * buffer until the copy has completed. A ghost has no DRM device, but it has a TTM device.
 */
static struct nv3_device *nv3_migrate_device(struct ttm_buffer_object *tbo)
{
	return ttm_to_nv3(tbo->bdev);
}

/*
 * Returns the fence context of the chip's copies, or 0 if the chip can't copy. No fence has context
 * 0.
 */
static u64 nv3_migrate_context(struct nv3_device *nv3)
{
	return nv3->copy_ops ? nv3->copy_ops->context(nv3) : 0;
}

/*
 * Waits for the fences of the buffer, except the fences of copies by the chip, because the chip
 * executes copies in order.
 */
static int nv3_migrate_wait_users(struct ttm_buffer_object *tbo,
				  const struct ttm_operation_ctx *ctx)
{
	const u64 copies = nv3_migrate_context(nv3_migrate_device(tbo));
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	long ret;

	dma_resv_for_each_fence(&cursor, tbo->base.resv, DMA_RESV_USAGE_BOOKKEEP, fence) {
		if (fence->context == copies || dma_fence_is_signaled(fence))
			continue;
		if (ctx->no_wait_gpu)
			return -EBUSY;
		ret = dma_fence_wait(fence, ctx->interruptible);
		if (ret)
			return ret;
	}
	return 0;
}

static int nv3_migrate_by_cpu(struct ttm_buffer_object *tbo, struct ttm_operation_ctx *ctx,
			      struct ttm_resource *new_mem)
{
	struct nv3_migrate_stats *stats = &nv3_migrate_device(tbo)->migrate_stats;
	ktime_t start;
	int ret;

	ret = ttm_bo_wait_ctx(tbo, ctx);
	if (ret)
		return ret;

	start = ktime_get();
	ret = ttm_bo_move_memcpy(tbo, ctx, new_mem);
	atomic64_inc(&stats->count);
	atomic64_add(PFN_UP(tbo->base.size), &stats->pages);
	atomic64_add(ktime_to_ns(ktime_sub(ktime_get(), start)), &stats->ns);
	return ret;
}

/* Returns true if the buffer is large enough for a copy by the chip (chip_migrate_kib). */
static bool nv3_migrate_is_large(struct ttm_buffer_object *tbo)
{
	const unsigned int kib = READ_ONCE(nv3_chip_migrate_kib);

	return kib && tbo->base.size / SZ_1K >= kib;
}

/*
 * Checks whether the chip can copy to or from the pages in system memory. Returns -EINVAL if the
 * CPU must copy. Sets @zero to true if the buffer has no pages yet. In this case there is nothing
 * to copy, and the caller must instead have the chip clear the buffer's range of VRAM.
 */
static int nv3_migrate_pages(struct ttm_buffer_object *tbo, bool to_vram, bool *zero)
{
	const struct ttm_tt *tt = tbo->ttm;

	*zero = false;
	if (!tt)
		return -EINVAL;
	if (ttm_tt_is_populated(tbo->ttm))
		return 0;
	if (!to_vram || tt->page_flags & TTM_TT_FLAG_SWAPPED)
		return -EINVAL;

	*zero = true;
	return 0;
}

/*
 * Requests a copy by the chip. Returns the fence of the copy, or an ERR_PTR() if the CPU must copy.
 */
static struct dma_fence *nv3_migrate_ask_chip(struct ttm_buffer_object *tbo,
					      struct ttm_resource *new_mem)
{
	const bool to_vram = new_mem->mem_type == TTM_PL_VRAM;
	const struct ttm_resource *vram = to_vram ? new_mem : tbo->resource;
	struct nv3_device *nv3 = nv3_migrate_device(tbo);
	bool zero;
	int ret;

	if (!nv3->copy_ops || !nv3_migrate_is_large(tbo))
		return ERR_PTR(-EOPNOTSUPP);
	ret = nv3_migrate_pages(tbo, to_vram, &zero);
	if (ret)
		return ERR_PTR(ret);

	return nv3->copy_ops->copy(nv3, vram->start << PAGE_SHIFT, zero ? NULL : tbo->ttm,
				   PFN_UP(tbo->base.size), to_vram);
}

static int nv3_migrate_contents(struct ttm_buffer_object *tbo, bool evict,
				struct ttm_operation_ctx *ctx, struct ttm_resource *new_mem)
{
	struct dma_fence *fence = nv3_migrate_ask_chip(tbo, new_mem);
	int ret;

	if (IS_ERR(fence))
		return nv3_migrate_by_cpu(tbo, ctx, new_mem);

	ret = ttm_bo_move_accel_cleanup(tbo, fence, evict, true, new_mem);
	/*
	 * After an error TTM leaves the buffer in its old place and does not add the fence, so wait
	 * for the copy here.
	 */
	if (ret)
		dma_fence_wait(fence, false);
	dma_fence_put(fence);
	return ret;
}

/**
 * nv3_migrate() - &struct ttm_device_funcs.move
 * @tbo: the buffer, whose lock is held
 * @evict: whether TTM evicts the buffer
 * @ctx: how the function may wait
 * @new_mem: the new place
 * @hop: set to an intermediate place if the function returns -EMULTIHOP
 *
 * Context: process context; waits for fences as @ctx allows.
 * Return: 0, -EMULTIHOP, or another negative errno.
 */
int nv3_migrate(struct ttm_buffer_object *tbo, bool evict, struct ttm_operation_ctx *ctx,
		struct ttm_resource *new_mem, struct ttm_place *hop)
{
	const struct ttm_resource *old_mem = tbo->resource;
	int ret;

	/*
	 * A new buffer is first placed in system memory, without pages, and then moved to VRAM. The
	 * second move fills the VRAM with zeroes.
	 */
	if (!old_mem) {
		if (new_mem->mem_type == TTM_PL_VRAM) {
			*hop = (struct ttm_place){
				.mem_type = TTM_PL_SYSTEM, .flags = TTM_PL_FLAG_TEMPORARY,
			};
			return -EMULTIHOP;
		}
		ttm_bo_move_null(tbo, new_mem);
		return 0;
	}

	/*
	 * The chip copies only between VRAM and system memory, so a move within VRAM takes two
	 * copies.
	 */
	if (old_mem->mem_type == TTM_PL_VRAM && new_mem->mem_type == TTM_PL_VRAM) {
		*hop = (struct ttm_place){
			.mem_type = TTM_PL_TT, .flags = TTM_PL_FLAG_TEMPORARY,
		};
		return -EMULTIHOP;
	}

	ret = nv3_migrate_wait_users(tbo, ctx);
	if (ret)
		return ret;

	nv3_migrate_forget_map(tbo);
	if (nv3_bo_is_ours(tbo)) {
		nv3_bo_moved(ttm_to_nv3_bo(tbo));
		drm_gpuvm_bo_gem_evict(&tbo->base, true);
	}

	if (old_mem->mem_type != TTM_PL_VRAM && new_mem->mem_type != TTM_PL_VRAM) {
		ttm_bo_move_null(tbo, new_mem);
		return 0;
	}

	return nv3_migrate_contents(tbo, evict, ctx, new_mem);
}

/**
 * nv3_migrate_show() - print the statistics of migrations to debugfs
 * @nv3: the device
 * @m: the debugfs file
 */
void nv3_migrate_show(struct nv3_device *nv3, struct seq_file *m)
{
	struct nv3_migrate_stats *stats = &nv3->migrate_stats;

	if (nv3->copy_ops)
		nv3->copy_ops->show(nv3, m);
	seq_printf(m, "processor   %lld migrations, %lld pages, %lld ns\n",
		   atomic64_read(&stats->count), atomic64_read(&stats->pages),
		   atomic64_read(&stats->ns));
}
