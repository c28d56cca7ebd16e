// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Memory managers
 *
 * A real RIVA 128 has at most 8 MiB of VRAM, of which RAMIN takes 1 MiB, so not all buffers fit
 * into VRAM. TTM keeps buffers in VRAM until VRAM is full, and then evicts the least recently used
 * buffers.
 *
 * The chip can reach two domains, TTM_PL_VRAM and TTM_PL_TT. TTM_PL_TT is system memory below 4 GiB
 * that is populated and mapped for DMA. The chip needs no GART aperture for these pages, because
 * each DMA object has its own page table. The size of TTM_PL_TT therefore only limits how much
 * system memory is mapped for the chip at a time.
 *
 * nv3_migrate.c copies buffers between the domains, and nv3_tt.c maps the pages.
 */

#include <linux/mm.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_managed.h>
#include <drm/drm_vma_manager.h>
#include <drm/ttm/ttm_range_manager.h>

#include "device/nv3_compat.h"
#include "nv3_bo.h"
#include "nv3_domains.h"
#include "nv3_migrate.h"
#include "nv3_room.h"
#include "nv3_tt.h"

/*
 * A buffer that leaves VRAM moves to system memory that the chip can reach, so that the chip can
 * copy it. If system memory is one of the buffer's domains, the next batch can use the buffer
 * there.
 */
static void nv3_ttm_evict_flags(struct ttm_buffer_object *tbo,
				struct ttm_placement *placement)
{
	if (nv3_bo_is_ours(tbo) && tbo->resource->mem_type == TTM_PL_VRAM)
		*placement = nv3_bo_evicted_placement();
	else
		*placement = nv3_bo_placement(0, 0);
}

static int nv3_ttm_io_mem_reserve(struct ttm_device *ttm,
				  struct ttm_resource *mem)
{
	struct nv3_device *nv3 = ttm_to_nv3(ttm);

	if (mem->mem_type != TTM_PL_VRAM)
		return 0;

	mem->bus.addr = (void __force *)nv3->vram +
			((u64)mem->start << PAGE_SHIFT);
	mem->bus.offset = nv3->vram_base + ((u64)mem->start << PAGE_SHIFT);
	mem->bus.is_iomem = true;
	mem->bus.caching = ttm_write_combined;
	return 0;
}

static struct ttm_device_funcs nv3_ttm_funcs = {
	.ttm_tt_create = nv3_tt_create,
	.ttm_tt_populate = nv3_tt_populate,
	.ttm_tt_unpopulate = nv3_tt_unpopulate,
	.ttm_tt_destroy = nv3_tt_destroy,
	.eviction_valuable = ttm_bo_eviction_valuable,
	.evict_flags = nv3_ttm_evict_flags,
	.move = nv3_migrate,
	.delete_mem_notify = nv3_migrate_forget_map,
	.swap_notify = nv3_migrate_forget_map,
	.io_mem_reserve = nv3_ttm_io_mem_reserve,
};

static void nv3_ttm_release(struct drm_device *drm, void *unused)
{
	struct nv3_device *nv3 = to_nv3(drm);

	ttm_range_man_fini(&nv3->ttm, TTM_PL_TT);
	ttm_range_man_fini(&nv3->ttm, TTM_PL_VRAM);
	ttm_device_fini(&nv3->ttm);
}

/**
 * nv3_ttm_init() - create the memory managers
 * @nv3: the device
 *
 * Context: process context, in probe. The managers are released with the DRM device.
 * Return: 0 or a negative errno.
 */
int nv3_ttm_init(struct nv3_device *nv3)
{
	struct drm_device *drm = &nv3->drm;
	int ret;

	ret = nv3_room_init(nv3);
	if (ret)
		return ret;

	ret = drmm_mutex_init(drm, &nv3->mapped_lock);
	if (ret)
		return ret;
	INIT_LIST_HEAD(&nv3->mapped);

	ret = drmm_mutex_init(drm, &nv3->imports_lock);
	if (ret)
		return ret;
	INIT_LIST_HEAD(&nv3->imports);

	ret = ttm_device_init(&nv3->ttm, &nv3_ttm_funcs, drm->dev,
			      drm->anon_inode->i_mapping,
			      drm->vma_offset_manager,
			      TTM_ALLOCATION_POOL_USE_DMA32);
	if (ret)
		return ret;

	ret = ttm_range_man_init(&nv3->ttm, TTM_PL_VRAM, false,
				 nv3->vram_available >> PAGE_SHIFT);
	if (ret)
		goto err_device;

	ret = ttm_range_man_init(&nv3->ttm, TTM_PL_TT, true,
				 NV3_TT_SIZE >> PAGE_SHIFT);
	if (ret)
		goto err_vram;

	return drmm_add_action_or_reset(drm, nv3_ttm_release, NULL);

err_vram:
	ttm_range_man_fini(&nv3->ttm, TTM_PL_VRAM);
err_device:
	ttm_device_fini(&nv3->ttm);
	return ret;
}
