// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Placement of the buffers of a batch
 *
 * Before the driver arms a batch or a PIO timeslice, it moves the job's buffers to memory that the
 * chip can reach. The caller holds the locks of the buffers, and adds the job's fence to them
 * before it releases the locks. The buffers therefore do not move until the fence signals.
 */

#include "nv3_bo.h"

static bool nv3_bo_is_surface(struct nv3_bo *bo)
{
	return atomic_read(&bo->rm.surfaces);
}

/* A surface must be in low VRAM. Other buffers may be in any of their domains. */
static u32 nv3_bo_needed_domains(struct nv3_bo *bo)
{
	return nv3_bo_is_surface(bo) ? DRM_NV3_GEM_VRAM | NV3_GEM_LOW : bo->domains;
}

static int nv3_bo_place_in_order(struct nv3_bo **bos, u32 count)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < count && !ret; i++)
		ret = nv3_bo_validate(bos[i], nv3_bo_needed_domains(bos[i]));
	return ret;
}

static int nv3_bo_place_evicting(struct nv3_bo *bo)
{
	return nv3_bo_validate_evicting(bo, nv3_bo_needed_domains(bo));
}

/*
 * Returns true if @a must be placed before @b. Surfaces come before other buffers, and large
 * buffers before small buffers.
 */
static bool nv3_bo_goes_before(struct nv3_bo *a, struct nv3_bo *b)
{
	if (nv3_bo_is_surface(a) != nv3_bo_is_surface(b))
		return nv3_bo_is_surface(a);
	return nv3_bo_size(a) > nv3_bo_size(b);
}

/*
 * Moves all unpinned buffers of the batch out of VRAM. Sets @first to the buffer that must be
 * placed first.
 */
static int nv3_bo_evict_all(struct nv3_bo **bos, u32 count, struct nv3_bo **first)
{
	int ret = 0;
	u32 i;

	*first = NULL;
	for (i = 0; i < count && !ret; i++) {
		struct nv3_bo *bo = bos[i];

		if (!*first || nv3_bo_goes_before(bo, *first))
			*first = bo;
		if (!bo->tbo.pin_count && nv3_bo_in_vram(bo))
			ret = nv3_bo_evict(bo);
	}
	return ret;
}

/*
 * Buffers of the batch that are already in VRAM may divide the free VRAM into ranges that are too
 * small for the other buffers of the batch. The function therefore evicts all buffers of the batch
 * and places them again. Placing a buffer may evict buffers with the same lock, including buffers
 * of the batch that have been placed already. The last step therefore validates all buffers once
 * more.
 */
static int nv3_bo_place_again(struct nv3_bo **bos, u32 count)
{
	struct nv3_bo *first;
	int ret;
	u32 i;

	ret = nv3_bo_evict_all(bos, count, &first);
	if (!ret && first)
		ret = nv3_bo_place_evicting(first);
	for (i = 0; i < count && !ret; i++)
		if (nv3_bo_is_surface(bos[i]))
			ret = nv3_bo_place_evicting(bos[i]);
	for (i = 0; i < count && !ret; i++)
		ret = nv3_bo_place_evicting(bos[i]);
	return ret ?: nv3_bo_place_in_order(bos, count);
}

/**
 * nv3_bo_place_all() - move buffers so that the chip can access all of them at the same time
 * @bos: the buffers, locked
 * @count: number of buffers
 * @retry: true after a failed attempt, to evict all buffers and place them again
 *
 * After a failure, the caller must unlock all buffers before it calls this function again, because
 * an eviction may have failed to take a lock in the same ww context (-EDEADLK).
 *
 * Context: process context, in a callback of nv3_room_place(); may evict other buffers and wait for
 * fences.
 * Return: 0, -ENOMEM if there is no room for all buffers, or an error of nv3_bo_validate().
 */
int nv3_bo_place_all(struct nv3_bo **bos, u32 count, bool retry)
{
	return retry ? nv3_bo_place_again(bos, count) : nv3_bo_place_in_order(bos, count);
}
