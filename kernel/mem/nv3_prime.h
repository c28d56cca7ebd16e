/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_PRIME_H
#define NV3_PRIME_H

#include <linux/types.h>

struct dma_buf;
struct dma_buf_attachment;
struct drm_device;
struct drm_gem_object;
struct iosys_map;
struct nv3_bo;
struct nv3_device;
struct sg_table;
struct ttm_tt;

/* Of struct drm_driver; -EINVAL for memory that the chip can't reach. */
struct drm_gem_object *
nv3_prime_import_sg_table(struct drm_device *drm,
			  struct dma_buf_attachment *attach, struct sg_table *sgt);

/* Of struct drm_driver; -ENODEV when the device is gone. */
struct drm_gem_object *nv3_prime_import(struct drm_device *drm, struct dma_buf *dma_buf);

/*
 * The chip does not reach any imported buffer any more, nor those that will come. The resource
 * manager has stopped; takes buffers' locks.
 */
void nv3_prime_unmap_all(struct nv3_device *nv3);

/* Copies all of a buffer that bounces to what the chip has in its place, or back. */
void nv3_prime_sync(const struct nv3_bo *bo, bool to_chip);

/* Of an imported buffer; the lock as for nv3_bo_vmap(). */
int nv3_prime_populate(struct ttm_tt *tt);
int nv3_prime_vmap(struct nv3_bo *bo, struct iosys_map *map);
/* When the last reference is gone, without the lock. */
void nv3_prime_release(struct nv3_bo *bo);

#endif
