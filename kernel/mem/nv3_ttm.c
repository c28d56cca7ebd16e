// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Memory managers
 *
 * VRAM has at most 8 MiB, of which RAMIN takes 1 MiB, so buffers move. TTM keeps them in VRAM while
 * there is room, and evicts the least recently used ones. The chip can reach two domains,
 * TTM_PL_VRAM and TTM_PL_TT. The latter is system memory below 4 GiB that is populated and mapped
 * for DMA. The chip has no aperture for such pages, because each DMA object has its own page table,
 * so the size of this domain only limits the system memory that is held at a time.
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
#include "nv3_migrate.h"
#include "nv3_room.h"
#include "nv3_tt.h"

static const struct ttm_place nv3_place_vram_tt[] = {
	{ .mem_type = TTM_PL_VRAM },
	{ .mem_type = TTM_PL_TT },
};

/*
 * Buffers of at least this size, in bytes, are placed at the end of VRAM. They may be frame
 * buffers, and one that is pinned in the middle of VRAM would leave no room for the next.
 */
#define NV3_LARGE 0x1c0000

static const struct ttm_place nv3_place_high[] = {
	{ .mem_type = TTM_PL_VRAM, .flags = TTM_PL_FLAG_TOPDOWN },
	{ .mem_type = TTM_PL_TT },
};

static const struct ttm_place nv3_place_system[] = {
	{ .mem_type = TTM_PL_SYSTEM },
};

static const struct ttm_place nv3_place_evicted[] = {
	{ .mem_type = TTM_PL_TT },
	{ .mem_type = TTM_PL_SYSTEM, .flags = TTM_PL_FLAG_FALLBACK },
};

static const struct ttm_placement nv3_placement_vram_tt = {
	.num_placement = 2,
	.placement = nv3_place_vram_tt,
};

static const struct ttm_placement nv3_placement_vram = {
	.num_placement = 1,
	.placement = &nv3_place_vram_tt[0],
};

static const struct ttm_placement nv3_placement_high_tt = {
	.num_placement = 2,
	.placement = nv3_place_high,
};

static const struct ttm_placement nv3_placement_high = {
	.num_placement = 1,
	.placement = nv3_place_high,
};

static const struct ttm_placement nv3_placement_tt = {
	.num_placement = 1,
	.placement = &nv3_place_vram_tt[1],
};

static const struct ttm_placement nv3_placement_evicted = {
	.num_placement = 2,
	.placement = nv3_place_evicted,
};

static const struct ttm_placement nv3_placement_system = {
	.num_placement = 1,
	.placement = nv3_place_system,
};

/**
 * nv3_bo_placement() - the places that TTM may choose for a buffer
 * @domains: DRM_NV3_GEM_*, or 0 for a buffer without a place yet
 * @size: size of the buffer, in bytes
 *
 * Context: any.
 * Return: the placement, with the preferred place first.
 */
struct ttm_placement nv3_bo_placement(u32 domains, u64 size)
{
	bool large = size >= NV3_LARGE;

	switch (domains) {
	case DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM:
		return large ? nv3_placement_high_tt : nv3_placement_vram_tt;
	case DRM_NV3_GEM_VRAM:
		return large ? nv3_placement_high : nv3_placement_vram;
	case DRM_NV3_GEM_SYSTEM:
		return nv3_placement_tt;
	default:
		return nv3_placement_system;
	}
}

/**
 * nv3_bo_evicted_placement() - the places that TTM may choose for a buffer that leaves VRAM
 *
 * Context: any.
 * Return: the placement, with the preferred place first.
 */
struct ttm_placement nv3_bo_evicted_placement(void)
{
	return nv3_placement_evicted;
}

/*
 * A buffer that leaves VRAM goes to system memory that the chip can reach. The chip can copy it
 * there, and if that is one of its domains, the next batch can use it there.
 */
static void nv3_ttm_evict_flags(struct ttm_buffer_object *tbo,
				struct ttm_placement *placement)
{
	if (nv3_bo_is_ours(tbo) && tbo->resource->mem_type == TTM_PL_VRAM)
		*placement = nv3_placement_evicted;
	else
		*placement = nv3_placement_system;
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
 * Context: process context, in probe. They are released with the DRM device.
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
