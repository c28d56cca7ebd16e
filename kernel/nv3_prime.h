/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_PRIME_H
#define NV3_PRIME_H

struct dma_buf_attachment;
struct drm_device;
struct drm_gem_object;
struct iosys_map;
struct nv3_bo;
struct sg_table;
struct ttm_tt;

/* Of struct drm_driver; -EINVAL for memory that the chip can't reach. */
struct drm_gem_object *
nv3_prime_import_sg_table(struct drm_device *drm,
			  struct dma_buf_attachment *attach, struct sg_table *sgt);

/* Of an imported buffer; the lock as for nv3_bo_vmap(). */
int nv3_prime_populate(struct ttm_tt *tt);
int nv3_prime_vmap(struct nv3_bo *bo, struct iosys_map *map);
/* When the last reference is gone, without the lock. */
void nv3_prime_release(struct nv3_bo *bo);

#endif
