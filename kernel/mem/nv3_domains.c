// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Where buffers may live
 *
 * This file translates the domains of the uAPI to placements of TTM.
 */

#include <drm/nv3_drm.h>

#include "nv3_domains.h"

static const struct ttm_place nv3_place_vram_tt[] = {
	{ .mem_type = TTM_PL_VRAM },
	{ .mem_type = TTM_PL_TT },
};

/*
 * Buffers of at least this size, in bytes, are placed at the end of VRAM. They may be frame
 * buffers, and a frame buffer that is pinned in the middle of VRAM would leave no room for the next
 * one.
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
