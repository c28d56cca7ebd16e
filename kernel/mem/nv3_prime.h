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

struct dma_buf *nv3_prime_export(struct drm_gem_object *gem, int flags);

struct drm_gem_object *
nv3_prime_import_sg_table(struct drm_device *drm,
			  struct dma_buf_attachment *attach, struct sg_table *sgt);

struct drm_gem_object *nv3_prime_import(struct drm_device *drm, struct dma_buf *dma_buf);

void nv3_prime_unmap_all(struct nv3_device *nv3);

void nv3_prime_sync(const struct nv3_bo *bo, bool to_chip);

int nv3_prime_populate(struct ttm_tt *tt);
int nv3_prime_vmap(struct nv3_bo *bo, struct iosys_map *map);
void nv3_prime_release(struct nv3_bo *bo);

#endif
