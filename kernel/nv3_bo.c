// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Buffers
 *
 * What the rest of the driver does with a buffer: make it, bring it where the
 * chip reaches it, keep it there, and ask where that is. A kernel mapping is kept
 * from its first use until the buffer moves, as the resource manager reads push
 * buffers with every batch.
 */

#include <linux/dma-resv.h>
#include <linux/slab.h>

#include <drm/drm_gem.h>
#include <drm/ttm/ttm_tt.h>

#include "nv3_drv.h"
#include "nv3_prime.h"

static void nv3_bo_destroy(struct ttm_buffer_object *tbo)
{
	struct nv3_bo *bo = ttm_to_nv3_bo(tbo);

	if (bo->dma_buf)
		nv3_prime_release(bo);
	drm_gem_object_release(&tbo->base);
	kfree(bo);
}

bool nv3_bo_is_ours(const struct ttm_buffer_object *tbo)
{
	return tbo->destroy == nv3_bo_destroy;
}

/* Without those that are too small: TTM would evict all others from them first. */
static u32 nv3_bo_possible_domains(struct nv3_device *nv3, u64 size, u32 domains)
{
	if (size > nv3->vram_available)
		domains &= ~DRM_NV3_GEM_VRAM;
	if (size > NV3_TT_SIZE)
		domains &= ~DRM_NV3_GEM_SYSTEM;

	return domains;
}

/* With pages of its own, or those of @sg, whose lock @resv is held. */
static struct nv3_bo *nv3_bo_new(struct nv3_device *nv3, u64 size, u32 domains,
				 struct sg_table *sg, struct dma_resv *resv)
{
	struct ttm_placement placement;
	struct nv3_bo *bo;
	int ret;

	if (!size)
		return ERR_PTR(-EINVAL);

	domains = nv3_bo_possible_domains(nv3, size, domains);
	if (!domains)
		return ERR_PTR(-ENOSPC);

	placement = nv3_bo_placement(domains, size);
	bo = kzalloc(sizeof(*bo), GFP_KERNEL);
	if (!bo)
		return ERR_PTR(-ENOMEM);

	bo->domains = domains;
	INIT_LIST_HEAD(&bo->import);
	bo->tbo.base.funcs = &nv3_gem_funcs;
	drm_gem_private_object_init(&nv3->drm, &bo->tbo.base, PAGE_ALIGN(size));

	/* On failure this calls nv3_bo_destroy(). */
	ret = ttm_bo_init_validate(&nv3->ttm, &bo->tbo,
				   sg ? ttm_bo_type_sg : ttm_bo_type_device,
				   &placement, 0, true, sg, resv,
				   nv3_bo_destroy);
	if (ret)
		return ERR_PTR(ret);

	return bo;
}

struct nv3_bo *nv3_bo_create(struct nv3_device *nv3, u64 size, u32 domains)
{
	return nv3_bo_new(nv3, size, domains, NULL, NULL);
}

struct nv3_bo *nv3_bo_create_imported(struct nv3_device *nv3, u64 size,
				      struct sg_table *sg, struct dma_resv *resv)
{
	dma_resv_assert_held(resv);

	return nv3_bo_new(nv3, size, DRM_NV3_GEM_SYSTEM, sg, resv);
}

static int nv3_bo_move_to(struct nv3_bo *bo, u32 domains, bool interruptible)
{
	struct ttm_operation_ctx ctx = { .interruptible = interruptible };
	struct ttm_placement placement = nv3_bo_placement(domains, bo->tbo.base.size);

	dma_resv_assert_held(nv3_bo_resv(bo));

	if (domains & ~bo->domains)
		return -EINVAL;

	return ttm_bo_validate(&bo->tbo, &placement, &ctx);
}

int nv3_bo_validate(struct nv3_bo *bo, u32 domains)
{
	return nv3_bo_move_to(bo, domains, true);
}

static bool nv3_bo_is_in(struct nv3_bo *bo, u32 domains)
{
	switch (bo->tbo.resource->mem_type) {
	case TTM_PL_VRAM:
		return domains & DRM_NV3_GEM_VRAM;
	case TTM_PL_TT:
		return domains & DRM_NV3_GEM_SYSTEM;
	default:
		return false;
	}
}

int nv3_bo_pin_locked(struct nv3_bo *bo, u32 domains)
{
	int ret;

	dma_resv_assert_held(nv3_bo_resv(bo));

	if (bo->tbo.pin_count) {
		if (!nv3_bo_is_in(bo, domains))
			return -EBUSY;
	} else {
		ret = nv3_bo_move_to(bo, domains, false);
		if (ret)
			return ret;
	}

	ttm_bo_pin(&bo->tbo);
	return 0;
}

void nv3_bo_unpin_locked(struct nv3_bo *bo)
{
	ttm_bo_unpin(&bo->tbo);
}

int nv3_bo_pin(struct nv3_bo *bo, u32 domains)
{
	int ret;

	/* A task that is being killed still has to bring the console back. */
	ret = ttm_bo_reserve(&bo->tbo, false, false, NULL);
	if (ret)
		return ret;

	ret = nv3_bo_pin_locked(bo, domains);
	ttm_bo_unreserve(&bo->tbo);
	return ret;
}

void nv3_bo_unpin(struct nv3_bo *bo)
{
	/* Not interruptible, so it can't fail. */
	ttm_bo_reserve(&bo->tbo, false, false, NULL);
	nv3_bo_unpin_locked(bo);
	ttm_bo_unreserve(&bo->tbo);
}

bool nv3_bo_in_vram(struct nv3_bo *bo)
{
	return nv3_bo_is_in(bo, DRM_NV3_GEM_VRAM);
}

u32 nv3_bo_vram_offset(struct nv3_bo *bo)
{
	WARN_ON_ONCE(!nv3_bo_in_vram(bo));

	return bo->tbo.resource->start << PAGE_SHIFT;
}

dma_addr_t nv3_bo_dma_addr(struct nv3_bo *bo, unsigned long page)
{
	WARN_ON_ONCE(!nv3_bo_is_in(bo, DRM_NV3_GEM_SYSTEM));

	return bo->tbo.ttm->dma_address[page];
}

static int nv3_bo_make_map(struct nv3_bo *bo)
{
	struct nv3_device *nv3 = to_nv3(bo->tbo.base.dev);

	if (bo->dma_buf)
		return nv3_prime_vmap(bo, &bo->map);
	if (!nv3_bo_in_vram(bo))
		return ttm_bo_vmap(&bo->tbo, &bo->map);

	iosys_map_set_vaddr_iomem(&bo->map, nv3->vram + nv3_bo_vram_offset(bo));
	return 0;
}

/* Its contents may still be on their way. */
static int nv3_bo_wait_moved(struct nv3_bo *bo)
{
	long ret = dma_resv_wait_timeout(nv3_bo_resv(bo), DMA_RESV_USAGE_KERNEL, false,
					 MAX_SCHEDULE_TIMEOUT);

	return ret < 0 ? ret : 0;
}

int nv3_bo_vmap(struct nv3_bo *bo, struct iosys_map *map)
{
	int ret;

	dma_resv_assert_held(nv3_bo_resv(bo));

	ret = nv3_bo_wait_moved(bo);
	if (ret)
		return ret;

	if (iosys_map_is_null(&bo->map)) {
		ret = nv3_bo_make_map(bo);
		if (ret)
			return ret;
	}

	*map = bo->map;
	return 0;
}
