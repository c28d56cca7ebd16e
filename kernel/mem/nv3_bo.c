// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Buffers
 *
 * This file creates buffers, moves them to memory that the chip can reach, pins them there, and
 * returns their addresses. SUBMIT reads the same pushbuffers repeatedly, so the driver keeps the
 * kernel mapping of a buffer until the buffer moves.
 */

#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/slab.h>

#include <drm/drm_exec.h>
#include <drm/drm_gem.h>
#include <drm/drm_print.h>
#include <drm/ttm/ttm_tt.h>

#include "nv3_bo.h"
#include "nv3_domains.h"
#include "nv3_gem.h"
#include "nv3_prime.h"
#include "nv3_room.h"

static void nv3_bo_destroy(struct ttm_buffer_object *tbo)
{
	struct nv3_bo *bo = ttm_to_nv3_bo(tbo);
	struct drm_gem_object *root = bo->root;

	if (bo->dma_buf)
		nv3_prime_release(bo);
	drm_gem_object_release(&tbo->base);
	kfree(bo);
	if (root)
		drm_gem_object_put(root);
}

/**
 * nv3_bo_is_ours() - check whether the driver, and not TTM, has created a buffer
 * @tbo: the buffer
 *
 * TTM also creates buffers (ghosts), which keep the old memory of a buffer until the buffer has
 * been moved.
 *
 * Context: any.
 */
bool nv3_bo_is_ours(const struct ttm_buffer_object *tbo)
{
	return tbo->destroy == nv3_bo_destroy;
}

/*
 * Returns @domains without the domains that are too small for the buffer. TTM would evict all
 * buffers from such a domain, and the allocation would still fail.
 */
static u32 nv3_bo_possible_domains(struct nv3_device *nv3, u64 size, u32 domains)
{
	if (size > (domains & NV3_GEM_LOW ? nv3->vram_low : nv3->vram_available))
		domains &= ~DRM_NV3_GEM_VRAM;
	if (size > NV3_TT_SIZE)
		domains &= ~DRM_NV3_GEM_SYSTEM;

	return domains;
}

/* The pages and the reservation object that other objects provide for a new buffer. */
struct nv3_bo_foreign {
	/** @sg: the pages of an imported buffer, or NULL */
	struct sg_table *sg;
	/** @dma_buf: the imported buffer, to which the new buffer must hold a reference, or NULL */
	struct dma_buf *dma_buf;
	/** @resv: the locked reservation object, or NULL if the buffer uses its own */
	struct dma_resv *resv;
	/**
	 * @root: the object that contains @resv and to which the buffer must hold a reference, or
	 * NULL
	 */
	struct drm_gem_object *root;
};

/*
 * Creates a buffer. If @place_now is false, the buffer gets memory in @domains only when it is
 * validated for the first time.
 */
static struct nv3_bo *nv3_bo_new(struct nv3_device *nv3, u64 size, u32 domains, bool place_now,
				 const struct nv3_bo_foreign *foreign)
{
	struct ttm_placement placement;
	struct nv3_bo *bo;
	int ret;

	if (!size)
		return ERR_PTR(-EINVAL);

	domains = nv3_bo_possible_domains(nv3, size, domains);
	if (!(domains & (DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM)))
		return ERR_PTR(-ENOSPC);
	/*
	 * Only class PROGRAMS uses buffers that share the lock of an address space. Surfaces and
	 * frame buffers need low VRAM, so prefer high VRAM for the buffers of this class.
	 */
	if (foreign->root && nv3->vram_available > nv3->vram_low)
		domains |= NV3_GEM_HIGH;

	placement = nv3_bo_placement(place_now ? domains : 0, size);
	bo = kzalloc(sizeof(*bo), GFP_KERNEL);
	if (!bo)
		return ERR_PTR(-ENOMEM);

	bo->domains = domains;
	bo->root = foreign->root;
	if (bo->root)
		drm_gem_object_get(bo->root);
	bo->dma_buf = foreign->dma_buf;
	if (bo->dma_buf)
		get_dma_buf(bo->dma_buf);
	INIT_LIST_HEAD(&bo->import);
	bo->tbo.base.funcs = &nv3_gem_funcs;
	drm_gem_private_object_init(&nv3->drm, &bo->tbo.base, PAGE_ALIGN(size));

	/* On failure, ttm_bo_init_validate() calls nv3_bo_destroy(). */
	ret = ttm_bo_init_validate(&nv3->ttm, &bo->tbo,
				   foreign->sg ? ttm_bo_type_sg : ttm_bo_type_device,
				   &placement, 0, true, foreign->sg, foreign->resv,
				   nv3_bo_destroy);
	if (ret)
		return ERR_PTR(ret);

	return bo;
}

static int nv3_bo_lock_root(struct drm_gem_object *root)
{
	return root ? dma_resv_lock_interruptible(root->resv, NULL) : 0;
}

static void nv3_bo_unlock_root(struct drm_gem_object *root)
{
	if (root)
		dma_resv_unlock(root->resv);
}

/**
 * nv3_bo_create() - create a buffer that reads as zeroes
 * @nv3: the device
 * @size: the size in bytes, which the function rounds up to whole pages
 * @domains: the domains in which the buffer may be, DRM_NV3_GEM_*, optionally with NV3_GEM_LOW
 * @root: the object whose lock the buffer shares, or NULL
 *
 * If @domains have no room now, the buffer is created without memory, and gets memory when it is
 * validated or pinned for the first time.
 *
 * Context: process context; no buffer is locked. May evict other buffers.
 * Return: the buffer with one reference for the caller, or an ERR_PTR(): -EINVAL if @size is 0,
 * -ENOSPC if no domain is large enough, -ENOMEM if kernel memory is exhausted, or -ERESTARTSYS.
 */
struct nv3_bo *nv3_bo_create(struct nv3_device *nv3, u64 size, u32 domains,
			     struct drm_gem_object *root)
{
	const struct nv3_bo_foreign foreign = {
		.resv = root ? root->resv : NULL,
		.root = root,
	};
	struct nv3_bo *bo;
	int ret;

	nv3_room_enter(nv3);
	ret = nv3_bo_lock_root(root);
	if (ret) {
		nv3_room_leave(nv3);
		return ERR_PTR(ret);
	}
	bo = nv3_bo_new(nv3, size, domains, true, &foreign);
	if (bo == ERR_PTR(-ENOMEM) || bo == ERR_PTR(-ENOSPC))
		bo = nv3_bo_new(nv3, size, domains, false, &foreign);
	nv3_bo_unlock_root(root);
	nv3_room_leave(nv3);

	return bo;
}

/**
 * nv3_bo_create_imported() - create a buffer from pages of another device
 * @nv3: the device
 * @size: the size in bytes
 * @sg: the pages, mapped for the chip until the buffer is destroyed
 * @dma_buf: the imported buffer, locked by the caller
 *
 * If the function fails, TTM may destroy the buffer later, so the buffer holds a reference to
 * @dma_buf from the beginning.
 *
 * Context: process context.
 * Return: the buffer, which never leaves system memory, or an ERR_PTR().
 */
struct nv3_bo *nv3_bo_create_imported(struct nv3_device *nv3, u64 size,
				      struct sg_table *sg, struct dma_buf *dma_buf)
{
	const struct nv3_bo_foreign foreign = {
		.sg = sg, .dma_buf = dma_buf, .resv = dma_buf->resv,
	};

	dma_resv_assert_held(dma_buf->resv);

	return nv3_bo_new(nv3, size, DRM_NV3_GEM_SYSTEM, true, &foreign);
}

static int nv3_bo_move_to(struct nv3_bo *bo, u32 domains, struct ttm_operation_ctx *ctx)
{
	struct ttm_placement placement = nv3_bo_placement(domains, bo->tbo.base.size);

	dma_resv_assert_held(nv3_bo_resv(bo));

	if (domains & ~(bo->domains | NV3_GEM_LOW))
		return -EINVAL;

	return ttm_bo_validate(&bo->tbo, &placement, ctx);
}

/**
 * nv3_bo_fits_low() - check whether a buffer can be a surface or a frame buffer
 * @bo: the buffer
 *
 * Context: any.
 */
bool nv3_bo_fits_low(struct nv3_bo *bo)
{
	return bo->domains & DRM_NV3_GEM_VRAM &&
	       nv3_bo_size(bo) <= to_nv3(bo->tbo.base.dev)->vram_low;
}

/**
 * nv3_bo_validate() - move a buffer to one of several domains
 * @bo: the buffer, whose lock is held
 * @domains: DRM_NV3_GEM_*, a subset of the buffer's domains, optionally with NV3_GEM_LOW
 *
 * The buffer does not move if it already is in one of @domains.
 *
 * Context: process context; may evict other buffers, and wait interruptibly for fences.
 * Return: 0, -EINVAL if @domains is not a subset of the buffer's domains, -ENOMEM if @domains have
 * no room, or -ERESTARTSYS.
 */
int nv3_bo_validate(struct nv3_bo *bo, u32 domains)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };

	return nv3_bo_move_to(bo, domains, &ctx);
}

/**
 * nv3_bo_validate_evicting() - like nv3_bo_validate(), but also evict buffers with the same lock
 * @bo: the buffer, whose lock is held
 * @domains: DRM_NV3_GEM_*, a subset of the buffer's domains, optionally with NV3_GEM_LOW
 *
 * Context: process context; may evict other buffers, and wait interruptibly for fences.
 * Return: the same as nv3_bo_validate().
 */
int nv3_bo_validate_evicting(struct nv3_bo *bo, u32 domains)
{
	struct ttm_operation_ctx ctx = {
		.interruptible = true,
		.resv = nv3_bo_resv(bo),
		.allow_res_evict = true,
	};

	return nv3_bo_move_to(bo, domains, &ctx);
}

/**
 * nv3_bo_evict() - move a buffer out of VRAM, regardless of its domains
 * @bo: the buffer, whose lock is held
 *
 * Context: process context; may evict other buffers from system memory, and wait interruptibly for
 * fences.
 * Return: 0, or an error of nv3_bo_validate().
 */
int nv3_bo_evict(struct nv3_bo *bo)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	struct ttm_placement placement = nv3_bo_evicted_placement();

	dma_resv_assert_held(nv3_bo_resv(bo));

	return ttm_bo_validate(&bo->tbo, &placement, &ctx);
}

static bool nv3_bo_is_in(struct nv3_bo *bo, u32 domains)
{
	const struct ttm_resource *mem = bo->tbo.resource;

	switch (mem->mem_type) {
	case TTM_PL_VRAM:
		if (domains & NV3_GEM_LOW && mem->start + PFN_UP(mem->size) > NV3_LOW_PAGES)
			return false;
		return domains & DRM_NV3_GEM_VRAM;
	case TTM_PL_TT:
		return domains & DRM_NV3_GEM_SYSTEM;
	default:
		return false;
	}
}

/**
 * nv3_bo_make_reachable() - move a buffer to memory that the chip can reach, regardless of its
 * domains
 * @bo: the buffer, whose lock is held
 *
 * The buffer does not move if the chip can already reach it.
 *
 * Context: process context; may evict other buffers, and wait interruptibly for fences.
 * Return: 0, or an error of nv3_bo_validate().
 */
int nv3_bo_make_reachable(struct nv3_bo *bo)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	struct ttm_placement placement = nv3_bo_placement(DRM_NV3_GEM_SYSTEM, nv3_bo_size(bo));

	dma_resv_assert_held(nv3_bo_resv(bo));

	if (nv3_bo_is_in(bo, DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM))
		return 0;
	return ttm_bo_validate(&bo->tbo, &placement, &ctx);
}

/**
 * nv3_bo_pin_in_place() - pin a buffer where it is
 * @bo: the buffer, whose lock is held
 *
 * Each call must be undone by one call of nv3_bo_unpin_locked().
 *
 * Context: process context.
 */
void nv3_bo_pin_in_place(struct nv3_bo *bo)
{
	if (!bo->tbo.pin_count)
		nv3_room_pinned(to_nv3(bo->tbo.base.dev));
	ttm_bo_pin(&bo->tbo);
}

/**
 * nv3_bo_pin_locked() - move a buffer to one of several domains and pin it
 * @bo: the buffer, whose lock is held
 * @domains: the domains in which to pin the buffer, DRM_NV3_GEM_*, optionally with NV3_GEM_LOW
 *
 * Each call must be undone by one call of nv3_bo_unpin_locked().
 *
 * Context: process context; waits uninterruptibly.
 * Return: 0, -EBUSY if the buffer is pinned outside of @domains, or an error of nv3_bo_validate().
 */
int nv3_bo_pin_locked(struct nv3_bo *bo, u32 domains)
{
	struct ttm_operation_ctx ctx = { .interruptible = false };
	int ret;

	dma_resv_assert_held(nv3_bo_resv(bo));

	if (bo->tbo.pin_count) {
		if (!nv3_bo_is_in(bo, domains))
			return -EBUSY;
	} else {
		ret = nv3_bo_move_to(bo, domains, &ctx);
		if (ret)
			return ret;
	}

	nv3_bo_pin_in_place(bo);
	return 0;
}

/**
 * nv3_bo_unpin_locked() - undo one call of nv3_bo_pin_locked() or nv3_bo_pin_in_place()
 * @bo: the buffer, whose lock is held
 *
 * Context: process context.
 */
void nv3_bo_unpin_locked(struct nv3_bo *bo)
{
	ttm_bo_unpin(&bo->tbo);
	if (!bo->tbo.pin_count)
		nv3_room_unpinned(to_nv3(bo->tbo.base.dev));
}

/**
 * nv3_bo_place_one() - lock a buffer, and move it to one of several domains or pin it there
 * @exec: initialised by the function; on success the caller releases the lock with drm_exec_fini()
 * @bo: the buffer
 * @domains: DRM_NV3_GEM_*
 * @pin: whether to pin the buffer
 *
 * For callbacks of nv3_room_place(). An eviction locks other buffers with the ww context of @exec,
 * so a wait for tasks that have locked these buffers causes no deadlock.
 *
 * Context: process context; waits for fences; the wait is interruptible unless @pin is true.
 * Return: 0 with the buffer locked; or an error of nv3_bo_pin_locked() or nv3_bo_validate(), with
 * the buffer unlocked.
 */
int nv3_bo_place_one(struct drm_exec *exec, struct nv3_bo *bo, u32 domains, bool pin)
{
	int ret;

	drm_exec_init(exec, pin ? 0 : DRM_EXEC_INTERRUPTIBLE_WAIT, 1);
	drm_exec_until_all_locked(exec) {
		ret = drm_exec_prepare_obj(exec, &bo->tbo.base, 1);
		drm_exec_retry_on_contention(exec);
		if (!ret)
			ret = pin ? nv3_bo_pin_locked(bo, domains) : nv3_bo_validate(bo, domains);
		if (ret)
			break;
	}
	if (ret)
		drm_exec_fini(exec);
	return ret;
}

struct nv3_bo_pinning {
	struct drm_exec exec;
	struct nv3_bo *bo;
	u32 domains;
};

static int nv3_bo_pin_once(void *data, bool retry)
{
	struct nv3_bo_pinning *pinning = data;

	return nv3_bo_place_one(&pinning->exec, pinning->bo, pinning->domains, true);
}

/**
 * nv3_bo_pin() - lock a buffer, move it to one of several domains, pin it there and unlock it
 * @bo: the buffer. The caller must not hold the lock of any buffer
 * @domains: DRM_NV3_GEM_*
 *
 * Context: process context; waits uninterruptibly, because a task that is being killed must still
 * be able to pin the console's frame buffer.
 * Return: the same as nv3_bo_pin_locked().
 */
int nv3_bo_pin(struct nv3_bo *bo, u32 domains)
{
	struct nv3_device *nv3 = to_nv3(bo->tbo.base.dev);
	struct nv3_bo_pinning pinning = { .bo = bo, .domains = domains };
	int ret;

	ret = nv3_room_place(nv3, false, nv3_bo_pin_once, &pinning);
	if (ret)
		return ret;

	drm_exec_fini(&pinning.exec);
	nv3_room_leave(nv3);
	return 0;
}

/**
 * nv3_bo_unpin() - undo one call of nv3_bo_pin()
 * @bo: the buffer, whose lock is not held
 *
 * Context: process context.
 */
void nv3_bo_unpin(struct nv3_bo *bo)
{
	/* An uninterruptible reservation can't fail. */
	ttm_bo_reserve(&bo->tbo, false, false, NULL);
	nv3_bo_unpin_locked(bo);
	ttm_bo_unreserve(&bo->tbo);
}

/**
 * nv3_bo_in_vram() - check whether a buffer is in VRAM
 * @bo: the buffer, locked or pinned
 *
 * Context: any.
 */
bool nv3_bo_in_vram(struct nv3_bo *bo)
{
	return nv3_bo_is_in(bo, DRM_NV3_GEM_VRAM);
}

/**
 * nv3_bo_in_low_vram() - check whether a buffer is in the VRAM that surfaces can use
 * @bo: the buffer, locked or pinned
 *
 * Context: any.
 */
bool nv3_bo_in_low_vram(struct nv3_bo *bo)
{
	return nv3_bo_is_in(bo, DRM_NV3_GEM_VRAM | NV3_GEM_LOW);
}

/**
 * nv3_bo_vram_offset() - return the offset of a buffer in VRAM
 * @bo: the buffer, locked or pinned, which is in VRAM and thus contiguous
 *
 * Context: any.
 * Return: the offset from the start of VRAM, in bytes.
 */
u32 nv3_bo_vram_offset(struct nv3_bo *bo)
{
	drm_WARN_ON_ONCE(bo->tbo.base.dev, !nv3_bo_in_vram(bo));

	return bo->tbo.resource->start << PAGE_SHIFT;
}

/**
 * nv3_bo_dma_addr() - return the bus address of a page of a buffer in system memory
 * @bo: the buffer, which is locked or pinned, and placed in DRM_NV3_GEM_SYSTEM
 * @page: index of the page in the buffer
 *
 * Context: any.
 * Return: the address, below 4 GiB.
 */
dma_addr_t nv3_bo_dma_addr(struct nv3_bo *bo, unsigned long page)
{
	drm_WARN_ON_ONCE(bo->tbo.base.dev, !nv3_bo_is_in(bo, DRM_NV3_GEM_SYSTEM));

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

/* If a migration of the buffer is in progress, waits until it has completed. */
static int nv3_bo_wait_moved(struct nv3_bo *bo)
{
	long ret = dma_resv_wait_timeout(nv3_bo_resv(bo), DMA_RESV_USAGE_KERNEL, false,
					 MAX_SCHEDULE_TIMEOUT);

	return ret < 0 ? ret : 0;
}

/**
 * nv3_bo_vmap() - map a buffer into the kernel
 * @bo: the buffer, whose lock is held
 * @map: set to the address, which is valid while the buffer is locked or pinned
 *
 * The driver removes the mapping when the buffer moves or is destroyed.
 *
 * Context: process context; waits until a move has completed.
 * Return: 0, -ENOMEM, or a negative errno of the wait.
 */
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
