/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_BO_H
#define NV3_BO_H

#include <linux/iosys-map.h>
#include <linux/sizes.h>

#include <drm/ttm/ttm_bo.h>
#include <drm/ttm/ttm_placement.h>

#include "device/nv3_device.h"
#include "nv3_domains.h"

struct dma_buf;
struct drm_exec;
struct drm_gem_object;
struct nv3_device;
struct sg_table;

/* The size in bytes of TTM_PL_TT, the system memory that is mapped for the chip. */
#define NV3_TT_SIZE	SZ_256M

/**
 * struct nv3_rm_bo - the resource manager's state of one buffer
 *
 * nv3_rm.lock guards @semaphore, @semaphores and @semaphore_left.
 */
struct nv3_rm_bo {
	/**
	 * @generation: incremented when the buffer moves. The page table of a DMA object is
	 * outdated if it was written for an earlier generation
	 */
	u32 generation;
	/**
	 * @surfaces: number of surface objects of the buffer. If the number is not 0, batches place
	 * the buffer in low VRAM
	 */
	atomic_t surfaces;
	/** @batch: serial number (nv3_rm.batch) of the last batch that listed the buffer */
	u64 batch;
	/**
	 * @mark: value of nv3_rm.mark when the buffer was last marked as a buffer of a batch;
	 * guarded by nv3_rm.lock
	 */
	u64 mark;
	/** @semaphore: the value of the buffer's semaphore */
	u32 semaphore;
	/** @semaphores: all semaphore objects of the buffer */
	struct list_head semaphores;
	/**
	 * @semaphore_left: a semaphore object of the buffer was destroyed, or its channel has
	 * faulted. Creating another semaphore object clears the flag
	 */
	bool semaphore_left;
};

/**
 * struct nv3_bo - a buffer of a client or of the kernel
 *
 * The lock of a buffer is the lock of its reservation object, nv3_bo_resv(). This lock guards the
 * placement of the buffer, its pin count and its kernel mapping.
 */
struct nv3_bo {
	/** @tbo: the TTM buffer, whose member base is the GEM object */
	struct ttm_buffer_object tbo;
	/**
	 * @domains: the domains in which the buffer may be, DRM_NV3_GEM_* and NV3_GEM_*; constant
	 */
	u32 domains;
	/** @bounced: the chip can't reach the pages, and accesses bounce pages instead (swiotlb) */
	bool bounced;
	/** @dma_buf: the imported dma-buf, to which the buffer holds a reference, or NULL */
	struct dma_buf *dma_buf;
	/**
	 * @root: the GEM object whose lock the buffer shares, or NULL; the buffer holds a reference
	 * to it
	 */
	struct drm_gem_object *root;
	/** @import: entry in nv3_device.imports while an imported buffer is mapped for the chip */
	struct list_head import;
	/** @map: kernel mapping, created on demand and kept until the buffer moves */
	struct iosys_map map;
	/** @rm: state of the resource manager */
	struct nv3_rm_bo rm;
};

static inline struct nv3_bo *to_nv3_bo(struct drm_gem_object *gem)
{
	return container_of(gem, struct nv3_bo, tbo.base);
}

bool nv3_bo_is_ours(const struct ttm_buffer_object *tbo);

static inline struct nv3_bo *ttm_to_nv3_bo(struct ttm_buffer_object *tbo)
{
	return container_of(tbo, struct nv3_bo, tbo);
}

static inline struct dma_resv *nv3_bo_resv(struct nv3_bo *bo)
{
	return bo->tbo.base.resv;
}

static inline u64 nv3_bo_size(struct nv3_bo *bo)
{
	return bo->tbo.base.size;
}

static inline void nv3_bo_get(struct nv3_bo *bo)
{
	drm_gem_object_get(&bo->tbo.base);
}

static inline void nv3_bo_put(struct nv3_bo *bo)
{
	drm_gem_object_put(&bo->tbo.base);
}

/*
 * Records that the buffer has new pages or a new placement. Called with the buffer locked, while no
 * batch that lists the buffer is in flight.
 */
static inline void nv3_bo_moved(struct nv3_bo *bo)
{
	bo->rm.generation++;
}

/* nv3_bo.c */
struct nv3_bo *nv3_bo_create(struct nv3_device *nv3, u64 size, u32 domains,
			     struct drm_gem_object *root);
struct nv3_bo *nv3_bo_create_imported(struct nv3_device *nv3, u64 size,
				      struct sg_table *sg, struct dma_buf *dma_buf);
int nv3_bo_validate(struct nv3_bo *bo, u32 domains);
int nv3_bo_make_reachable(struct nv3_bo *bo);
int nv3_bo_validate_evicting(struct nv3_bo *bo, u32 domains);
int nv3_bo_evict(struct nv3_bo *bo);
void nv3_bo_pin_in_place(struct nv3_bo *bo);
int nv3_bo_pin_locked(struct nv3_bo *bo, u32 domains);
void nv3_bo_unpin_locked(struct nv3_bo *bo);
int nv3_bo_place_one(struct drm_exec *exec, struct nv3_bo *bo, u32 domains, bool pin);
int nv3_bo_pin(struct nv3_bo *bo, u32 domains);
void nv3_bo_unpin(struct nv3_bo *bo);
bool nv3_bo_fits_low(struct nv3_bo *bo);
bool nv3_bo_in_vram(struct nv3_bo *bo);
bool nv3_bo_in_low_vram(struct nv3_bo *bo);
u32 nv3_bo_vram_offset(struct nv3_bo *bo);
dma_addr_t nv3_bo_dma_addr(struct nv3_bo *bo, unsigned long page);
int nv3_bo_vmap(struct nv3_bo *bo, struct iosys_map *map);

/* nv3_placement.c */
int nv3_bo_place_all(struct nv3_bo **bos, u32 count, bool retry);

/* nv3_ttm.c */
int nv3_ttm_init(struct nv3_device *nv3);

#endif
