// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Placement of the buffers of a batch
 *
 * Before a batch or a PIO timeslice is armed, all its buffers are moved to where the chip can reach
 * them. The caller holds their locks, and adds the fence of the batch before it releases them, so
 * the buffers stay there until the fence signals.
 */

#include "nv3_bo.h"

/* A surface must be in VRAM. Other buffers may be wherever there is room. */
static int nv3_bo_place(struct nv3_bo *bo)
{
	return nv3_bo_validate(bo, atomic_read(&bo->rm.surfaces) ? DRM_NV3_GEM_VRAM : bo->domains);
}

/*
 * Buffers of the batch that are in VRAM already may divide the free room into pieces that are too
 * small for the others. So all of them are evicted, and placed again with the largest first.
 */
static int nv3_bo_place_again(struct nv3_bo **bos, u32 count)
{
	struct nv3_bo *largest = NULL;
	int ret = 0;
	u32 i;

	for (i = 0; i < count && !ret; i++) {
		struct nv3_bo *bo = bos[i];

		if (!largest || bo->tbo.base.size > largest->tbo.base.size)
			largest = bo;
		if (!bo->tbo.pin_count && nv3_bo_in_vram(bo))
			ret = nv3_bo_evict(bo);
	}
	if (!ret && largest)
		ret = nv3_bo_place(largest);
	for (i = 0; i < count && !ret; i++)
		ret = nv3_bo_place(bos[i]);
	return ret;
}

/**
 * nv3_bo_place_all() - move buffers to where the chip can use them at the same time
 * @bos: the buffers, locked
 * @count: number of buffers
 * @retry: whether an earlier attempt has failed, so that all of them have to be moved
 *
 * After a failure the caller must unlock all buffers before it calls this function again, because
 * TTM may have backed off from a lock of the same ww context.
 *
 * Context: process context, for nv3_room_place(); may evict other buffers and wait for fences.
 * Return: 0, -ENOMEM if there is no room for all of them, or as nv3_bo_validate().
 */
int nv3_bo_place_all(struct nv3_bo **bos, u32 count, bool retry)
{
	int ret = 0;
	u32 i;

	if (retry)
		return nv3_bo_place_again(bos, count);
	for (i = 0; i < count && !ret; i++)
		ret = nv3_bo_place(bos[i]);
	return ret;
}
