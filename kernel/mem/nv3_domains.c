// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Places of buffers
 *
 * This file translates the domains of the uAPI (DRM_NV3_GEM_*) to TTM placements. Low VRAM is the
 * part of VRAM that surfaces and the CRTC can address.
 */

#include <linux/array_size.h>

#include <drm/nv3_drm.h>
#include <drm/ttm/ttm_placement.h>

#include "device/nv3_device.h"
#include "nv3_domains.h"

/*
 * A buffer of at least this size, in bytes, may be a frame buffer, so it is placed at the end of
 * low VRAM. If a frame buffer were pinned in the middle of low VRAM, the next frame buffer might
 * not find contiguous room.
 */
#define NV3_LARGE	0x1c0000

#define NV3_PLACE_LOW	{ .mem_type = TTM_PL_VRAM, .lpfn = NV3_LOW_PAGES }
#define NV3_PLACE_LARGE	{ .mem_type = TTM_PL_VRAM, .lpfn = NV3_LOW_PAGES, \
			  .flags = TTM_PL_FLAG_TOPDOWN }
#define NV3_PLACE_VRAM	{ .mem_type = TTM_PL_VRAM }
#define NV3_PLACE_HIGH	{ .mem_type = TTM_PL_VRAM, .fpfn = NV3_LOW_PAGES }
#define NV3_PLACE_TT	{ .mem_type = TTM_PL_TT }

/*
 * The places of a buffer in order of preference: the first @vram places are in VRAM, and the last
 * place is in system memory.
 */
struct nv3_places {
	unsigned int vram;
	struct ttm_place place[3];
};

static const struct nv3_places nv3_places_low = { 1, { NV3_PLACE_LOW, NV3_PLACE_TT } };

static const struct nv3_places nv3_places_low_large = { 1, { NV3_PLACE_LARGE, NV3_PLACE_TT } };

static const struct nv3_places nv3_places_any = {
	2, { NV3_PLACE_LOW, NV3_PLACE_VRAM, NV3_PLACE_TT }
};

static const struct nv3_places nv3_places_any_large = {
	2, { NV3_PLACE_LARGE, NV3_PLACE_VRAM, NV3_PLACE_TT }
};

static const struct nv3_places nv3_places_high = {
	2, { NV3_PLACE_HIGH, NV3_PLACE_VRAM, NV3_PLACE_TT }
};

static const struct ttm_place nv3_place_system[] = {
	{ .mem_type = TTM_PL_SYSTEM },
};

static const struct ttm_place nv3_place_evicted[] = {
	{ .mem_type = TTM_PL_TT },
	{ .mem_type = TTM_PL_SYSTEM, .flags = TTM_PL_FLAG_FALLBACK },
};

static struct ttm_placement nv3_placement_of(const struct ttm_place *places, unsigned int count)
{
	return (struct ttm_placement){ .num_placement = count, .placement = places };
}

static const struct nv3_places *nv3_bo_places(u32 domains, bool large)
{
	if (domains & NV3_GEM_HIGH)
		return &nv3_places_high;
	if (domains & NV3_GEM_LOW)
		return large ? &nv3_places_low_large : &nv3_places_low;
	return large ? &nv3_places_any_large : &nv3_places_any;
}

/**
 * nv3_bo_placement() - return the places that TTM may choose for a buffer
 * @domains: DRM_NV3_GEM_* and NV3_GEM_*, or 0 for TTM_PL_SYSTEM, which the chip can't reach
 * @size: size of the buffer, in bytes
 *
 * Context: any.
 * Return: the placement, with the preferred place first.
 */
struct ttm_placement nv3_bo_placement(u32 domains, u64 size)
{
	const struct nv3_places *places = nv3_bo_places(domains, size >= NV3_LARGE);

	switch (domains & (DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM)) {
	case DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM:
		return nv3_placement_of(places->place, places->vram + 1);
	case DRM_NV3_GEM_VRAM:
		return nv3_placement_of(places->place, places->vram);
	case DRM_NV3_GEM_SYSTEM:
		return nv3_placement_of(places->place + places->vram, 1);
	default:
		return nv3_placement_of(nv3_place_system, 1);
	}
}

/**
 * nv3_bo_evicted_placement() - return the places that TTM may choose for a buffer that leaves VRAM
 *
 * Context: any.
 * Return: the placement, with the preferred place first.
 */
struct ttm_placement nv3_bo_evicted_placement(void)
{
	return nv3_placement_of(nv3_place_evicted, ARRAY_SIZE(nv3_place_evicted));
}
