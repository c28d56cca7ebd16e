// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: GEM
 *
 * This file implements the clients' interface to buffers: handles, mmap and dumb buffers. The page
 * fault handler fills a client's mapping on demand, so a buffer can move while it is mapped. Export
 * and import of dma-bufs are in nv3_prime.c.
 */

#include <linux/dma-resv.h>
#include <linux/scatterlist.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_ttm_helper.h>
#include <drm/drm_mode.h>
#include <drm/drm_prime.h>
#include <drm/drm_print.h>
#include <drm/drm_vma_manager.h>
#include <drm/ttm/ttm_tt.h>

#include "device/nv3_compat.h"
#include "nv3_bo.h"
#include "nv3_gem.h"
#include "nv3_prime.h"

/* The pitch alignment that PGRAPH and the CRTC require, in bytes. */
#define NV3_DUMB_PITCH_ALIGN	16

/* The maximum segment size of an exported buffer: the default of dma_get_max_seg_size(). */
#define NV3_EXPORT_SEGMENT	SZ_64K

static void nv3_gem_free(struct drm_gem_object *gem)
{
	ttm_bo_fini(&to_nv3_bo(gem)->tbo);
}

static int nv3_gem_pin(struct drm_gem_object *gem)
{
	return nv3_bo_pin_locked(to_nv3_bo(gem), DRM_NV3_GEM_SYSTEM);
}

static void nv3_gem_unpin(struct drm_gem_object *gem)
{
	nv3_bo_unpin_locked(to_nv3_bo(gem));
}

/*
 * Returns the pages of an exported buffer. The importing device might not accept large segments.
 * Unlike drm_prime_pages_to_sg(), this function therefore limits segments to NV3_EXPORT_SEGMENT
 * bytes.
 */
static struct sg_table *nv3_gem_get_sg_table(struct drm_gem_object *gem)
{
	struct ttm_tt *tt = to_nv3_bo(gem)->tbo.ttm;
	struct sg_table *sgt;
	int ret;

	sgt = kmalloc(sizeof(*sgt), GFP_KERNEL);
	if (!sgt)
		return ERR_PTR(-ENOMEM);
	ret = sg_alloc_table_from_pages_segment(sgt, tt->pages, tt->num_pages, 0,
						(size_t)tt->num_pages << PAGE_SHIFT,
						NV3_EXPORT_SEGMENT, GFP_KERNEL);
	if (ret) {
		kfree(sgt);
		return ERR_PTR(ret);
	}
	return sgt;
}

/*
 * Maps the buffer and pins it in place, because the caller uses the mapping without the buffer's
 * lock.
 */
static int nv3_gem_vmap(struct drm_gem_object *gem, struct iosys_map *map)
{
	struct nv3_bo *bo = to_nv3_bo(gem);
	int ret;

	ret = nv3_bo_vmap(bo, map);
	if (ret)
		return ret;

	nv3_bo_pin_in_place(bo);
	return 0;
}

static void nv3_gem_vunmap(struct drm_gem_object *gem, struct iosys_map *map)
{
	nv3_bo_unpin_locked(to_nv3_bo(gem));
}

/*
 * The driver does not know the pages of an imported buffer, so clients can't map the buffer through
 * this driver. GEM_MMAP does not return the mmap() offset of an imported buffer, but a client could
 * guess the offset, so this function also rejects imported buffers.
 */
static int nv3_gem_mmap(struct drm_gem_object *gem, struct vm_area_struct *vma)
{
	if (drm_gem_is_imported(gem))
		return -EINVAL;

	return drm_gem_ttm_mmap(gem, vma);
}

/*
 * Returns the status for fdinfo: RESIDENT if the buffer has memory, else 0. The buffer is locked.
 */
static enum drm_gem_object_status nv3_gem_status(struct drm_gem_object *gem)
{
	struct ttm_buffer_object *tbo = &to_nv3_bo(gem)->tbo;

	if (!tbo->resource)
		return 0;
	if (tbo->resource->mem_type == TTM_PL_VRAM)
		return DRM_GEM_OBJECT_RESIDENT;
	return tbo->ttm && ttm_tt_is_populated(tbo->ttm) ? DRM_GEM_OBJECT_RESIDENT : 0;
}

enum nv3_gem_region {
	NV3_GEM_REGION_VRAM,
	NV3_GEM_REGION_SYSTEM,
	NV3_GEM_REGIONS
};

static const char * const nv3_gem_region_names[NV3_GEM_REGIONS] = {
	[NV3_GEM_REGION_VRAM] = "vram",
	[NV3_GEM_REGION_SYSTEM] = "system",
};

/* Adds a buffer, whose lock is held, to the statistics of its region. */
static void nv3_gem_count(struct drm_gem_object *gem, struct drm_memory_stats *stats)
{
	struct ttm_buffer_object *tbo = &to_nv3_bo(gem)->tbo;
	bool vram = tbo->resource && tbo->resource->mem_type == TTM_PL_VRAM;

	stats += vram ? NV3_GEM_REGION_VRAM : NV3_GEM_REGION_SYSTEM;
	if (drm_gem_object_is_shared_for_memory_stats(gem))
		stats->shared += gem->size;
	else
		stats->private += gem->size;
	if (nv3_gem_status(gem) & DRM_GEM_OBJECT_RESIDENT)
		stats->resident += gem->size;
	if (!dma_resv_test_signaled(gem->resv, DMA_RESV_USAGE_BOOKKEEP))
		stats->active += gem->size;
}

/*
 * Adds all buffers for which the file has handles to the statistics. Locks each buffer, so that it
 * does not move. Before the function waits for a lock, it takes a reference to the buffer and drops
 * the spinlock of the handle table.
 */
static void nv3_gem_count_file(struct drm_file *file, struct drm_memory_stats *stats)
{
	struct drm_gem_object *gem;
	int id;

	spin_lock(&file->table_lock);
	idr_for_each_entry(&file->object_idr, gem, id) {
		if (dma_resv_trylock(gem->resv)) {
			nv3_gem_count(gem, stats);
			dma_resv_unlock(gem->resv);
			continue;
		}

		drm_gem_object_get(gem);
		spin_unlock(&file->table_lock);
		dma_resv_lock(gem->resv, NULL);
		nv3_gem_count(gem, stats);
		dma_resv_unlock(gem->resv);
		drm_gem_object_put(gem);
		spin_lock(&file->table_lock);
	}
	spin_unlock(&file->table_lock);
}

/**
 * nv3_gem_show_fdinfo() - print the total size of a file's buffers in each region to fdinfo
 * @p: printer
 * @file: the file
 *
 * A buffer counts towards the region in which it is placed. Each file that has a handle for a
 * shared buffer reports the full size of the buffer.
 *
 * Context: process context; locks one buffer at a time.
 */
void nv3_gem_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	struct drm_memory_stats stats[NV3_GEM_REGIONS] = { };
	unsigned int i;

	nv3_gem_count_file(file, stats);
	for (i = 0; i < NV3_GEM_REGIONS; i++)
		drm_print_memory_stats(p, &stats[i],
				       DRM_GEM_OBJECT_RESIDENT | DRM_GEM_OBJECT_ACTIVE,
				       nv3_gem_region_names[i]);
}

static const struct vm_operations_struct nv3_gem_vm_ops = {
	.fault = ttm_bo_vm_fault,
	.open = ttm_bo_vm_open,
	.close = ttm_bo_vm_close,
	.access = ttm_bo_vm_access,
};

const struct drm_gem_object_funcs nv3_gem_funcs = {
	.free = nv3_gem_free,
	.export = nv3_prime_export,
	.pin = nv3_gem_pin,
	.unpin = nv3_gem_unpin,
	.get_sg_table = nv3_gem_get_sg_table,
	.vmap = nv3_gem_vmap,
	.vunmap = nv3_gem_vunmap,
	.mmap = nv3_gem_mmap,
	.print_info = drm_gem_ttm_print_info,
	.status = nv3_gem_status,
	.vm_ops = &nv3_gem_vm_ops,
};

/**
 * nv3_gem_create() - create a buffer and a handle for it
 * @drm: the device
 * @file: file of the client
 * @size: the size in bytes, which the function rounds up to whole pages
 * @domains: the domains in which the buffer may be, DRM_NV3_GEM_*
 * @root: NULL, or the GEM object whose lock the buffer shares. A buffer with a root can't be
 * exported
 * @handle: set to the handle
 *
 * Context: process context.
 * Return: 0, or an error of nv3_bo_create().
 */
int nv3_gem_create(struct drm_device *drm, struct drm_file *file, u64 size, u32 domains,
		   struct drm_gem_object *root, u32 *handle)
{
	struct nv3_bo *bo;
	int ret;

	bo = nv3_bo_create(to_nv3(drm), size, domains, root);
	if (IS_ERR(bo))
		return PTR_ERR(bo);

	ret = drm_gem_handle_create(file, &bo->tbo.base, handle);
	nv3_bo_put(bo);
	return ret;
}

/**
 * nv3_gem_dumb_create() - DRM_IOCTL_MODE_CREATE_DUMB
 * @file: file of the caller
 * @drm: the device
 * @args: arguments of the ioctl; the pitch is in bytes
 *
 * Context: process context.
 * Return: 0, -EINVAL if the pitch exceeds 32 bits, or an error of nv3_bo_create().
 */
int nv3_gem_dumb_create(struct drm_file *file, struct drm_device *drm,
			struct drm_mode_create_dumb *args)
{
	u64 pitch, size;
	int ret;

	pitch = ALIGN((u64)args->width * DIV_ROUND_UP(args->bpp, 8),
		      NV3_DUMB_PITCH_ALIGN);
	if (pitch > U32_MAX)
		return -EINVAL;

	size = PAGE_ALIGN(pitch * args->height);
	ret = nv3_gem_create(drm, file, size,
			     DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM | NV3_GEM_LOW, NULL,
			     &args->handle);
	if (ret)
		return ret;

	args->pitch = pitch;
	args->size = size;
	return 0;
}

/**
 * nv3_gem_map_offset() - look up the mmap() offset of a buffer
 * @file: file of the caller
 * @drm: the device
 * @handle: handle of the buffer
 * @offset: set to the offset for mmap(), in bytes
 *
 * Context: process context.
 * Return: 0, -ENOENT for an unknown handle, or -EINVAL for an imported buffer.
 */
int nv3_gem_map_offset(struct drm_file *file, struct drm_device *drm, u32 handle,
		       u64 *offset)
{
	struct drm_gem_object *gem = drm_gem_object_lookup(file, handle);
	bool imported;

	if (!gem)
		return -ENOENT;
	imported = drm_gem_is_imported(gem);
	drm_gem_object_put(gem);
	if (imported) {
		drm_dbg(drm, "map: handle %u is imported, map its dma-buf\n", handle);
		return -EINVAL;
	}

	return drm_gem_ttm_dumb_map_offset(file, drm, handle, offset);
}
