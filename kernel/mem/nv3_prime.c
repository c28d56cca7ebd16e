// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Buffers of other devices
 *
 * An imported dma-buf becomes a buffer that never leaves system memory. The pages of the buffer
 * belong to the exporter, and the driver knows only their bus addresses. Methods can read and write
 * the buffer through DMA objects. The CRTC can't scan out the buffer, because scanout requires
 * VRAM. The chip's page tables hold 32-bit addresses of 4-KiB pages. An import therefore fails if
 * the bus addresses of the mapping are above 4 GiB or not aligned to pages. If the kernel maps
 * memory above 4 GiB through bounce pages, rm/nv3_job_sync.c copies between the memory and these
 * pages.
 *
 * An exported buffer is pinned in system memory while other devices are attached.
 */

#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/dma-resv.h>
#include <linux/scatterlist.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_prime.h>
#include <drm/drm_print.h>
#include <drm/ttm/ttm_tt.h>

#include "device/nv3_compat.h"
#include "nv3_bo.h"
#include "nv3_prime.h"
#include "nv3_tt.h"

/*
 * Lets another device attach to an exported buffer. drm_gem_map_attach() calls nv3_gem_pin() with
 * the lock of the buffer held. nv3_gem_pin() therefore must not wait for a flip that unpins the
 * buffer, or for locks of other buffers. nv3_bo_pin() can wait for both, so nv3_prime_attach()
 * calls it first. nv3_gem_pin() then finds the buffer already pinned.
 */
static int nv3_prime_attach(struct dma_buf *dma_buf, struct dma_buf_attachment *attach)
{
	struct nv3_bo *bo = to_nv3_bo(dma_buf->priv);
	int ret = -ENODEV, idx;

	/* After an unplug, the VRAM may belong to another instance of the driver. */
	if (drm_dev_enter(bo->tbo.base.dev, &idx)) {
		ret = nv3_bo_pin(bo, DRM_NV3_GEM_SYSTEM);
		drm_dev_exit(idx);
	}
	if (ret) {
		drm_dbg_prime(bo->tbo.base.dev, "attach: buffer not in system memory: %d\n",
			      ret);
		return ret;
	}

	ret = drm_gem_map_attach(dma_buf, attach);
	nv3_bo_unpin(bo);
	return ret;
}

/* DRM's own dma-buf operations, except for .attach. */
static const struct dma_buf_ops nv3_prime_ops = {
	.cache_sgt_mapping = true,
	.attach = nv3_prime_attach,
	.detach = drm_gem_map_detach,
	.map_dma_buf = drm_gem_map_dma_buf,
	.unmap_dma_buf = drm_gem_unmap_dma_buf,
	.release = drm_gem_dmabuf_release,
	.mmap = drm_gem_dmabuf_mmap,
	.vmap = drm_gem_dmabuf_vmap,
	.vunmap = drm_gem_dmabuf_vunmap,
};

/**
 * nv3_prime_export() - &struct drm_gem_object_funcs.export
 * @gem: the buffer
 * @flags: flags of the file, DRM_RDWR and DRM_CLOEXEC
 *
 * A buffer with a root can't be exported, because the buffer shares the lock of a client's address
 * space.
 *
 * Context: process context.
 * Return: the dma-buf, or an ERR_PTR(), which is -EPERM for a buffer with a root.
 */
struct dma_buf *nv3_prime_export(struct drm_gem_object *gem, int flags)
{
	struct dma_buf *dma_buf;

	if (to_nv3_bo(gem)->root) {
		drm_dbg_prime(gem->dev, "export: the buffer belongs to an address space\n");
		return ERR_PTR(-EPERM);
	}

	dma_buf = drm_gem_prime_export(gem, flags);
	if (!IS_ERR(dma_buf))
		dma_buf->ops = &nv3_prime_ops;
	return dma_buf;
}

/* Returns true if @drm has exported the dma-buf. */
static bool nv3_prime_is_own(struct drm_device *drm, const struct dma_buf *dma_buf)
{
	const struct drm_gem_object *gem = dma_buf->priv;

	return dma_buf->ops == &nv3_prime_ops && gem->dev == drm;
}

static int nv3_prime_check(struct drm_device *drm, struct sg_table *sgt, u64 size)
{
	struct scatterlist *sg;
	u64 total = 0;
	int i;

	for_each_sgtable_dma_sg(sgt, sg, i) {
		const u64 start = sg_dma_address(sg);
		const u64 length = sg_dma_len(sg);

		if (!PAGE_ALIGNED(start) || !PAGE_ALIGNED(length) ||
		    start + length > BIT_ULL(32)) {
			drm_dbg_prime(drm, "dma-buf has %llu bytes at %#llx\n",
				      length, start);
			return -EINVAL;
		}
		total += length;
	}
	if (total < size) {
		drm_dbg_prime(drm, "dma-buf has %llu of %llu bytes\n", total, size);
		return -EINVAL;
	}

	return 0;
}

/**
 * nv3_prime_import_sg_table() - &struct drm_driver.gem_prime_import_sg_table
 * @drm: the device
 * @attach: attachment of the dma-buf
 * @sgt: the pages, mapped for the chip
 *
 * Context: process context; locks the buffer.
 * Return: the buffer, or an ERR_PTR(): -EINVAL for memory that the chip can't reach.
 */
struct drm_gem_object *
nv3_prime_import_sg_table(struct drm_device *drm,
			  struct dma_buf_attachment *attach, struct sg_table *sgt)
{
	struct dma_resv *resv = attach->dmabuf->resv;
	struct nv3_bo *bo;
	int ret;

	ret = nv3_prime_check(drm, sgt, attach->dmabuf->size);
	if (ret)
		return ERR_PTR(ret);

	dma_resv_lock(resv, NULL);
	bo = nv3_bo_create_imported(to_nv3(drm), attach->dmabuf->size, sgt, attach->dmabuf);
	dma_resv_unlock(resv);
	if (IS_ERR(bo))
		return ERR_CAST(bo);

	/* If pages are above 4 GiB, the kernel has mapped bounce pages for the chip. */
	bo->bounced = nv3_tt_is_bounced(to_nv3(drm), sgt);
	return &bo->tbo.base;
}

/*
 * Adds the buffer to the list of imported buffers for nv3_prime_unmap_all(). Returns -ENODEV if
 * nv3_prime_unmap_all() has been called already.
 */
static int nv3_prime_enlist(struct nv3_device *nv3, struct nv3_bo *bo)
{
	int ret = 0;

	mutex_lock(&nv3->imports_lock);
	if (nv3->imports_unmapped)
		ret = -ENODEV;
	else
		list_add(&bo->import, &nv3->imports);
	mutex_unlock(&nv3->imports_lock);
	return ret;
}

/**
 * nv3_prime_import() - &struct drm_driver.gem_prime_import
 * @drm: the device
 * @dma_buf: the dma-buf to import
 *
 * Context: process context.
 * Return: the buffer, or an ERR_PTR(), which is -ENODEV if the device is gone.
 */
struct drm_gem_object *nv3_prime_import(struct drm_device *drm, struct dma_buf *dma_buf)
{
	struct drm_gem_object *gem;
	int ret;

	if (nv3_prime_is_own(drm, dma_buf)) {
		gem = dma_buf->priv;
		drm_gem_object_get(gem);
		return gem;
	}

	gem = drm_gem_prime_import(drm, dma_buf);
	if (IS_ERR(gem))
		return gem;

	/* The buffer and drm_gem_prime_import() each hold a reference, but one is enough. */
	dma_buf_put(dma_buf);
	ret = nv3_prime_enlist(to_nv3(drm), to_nv3_bo(gem));
	if (ret) {
		drm_gem_object_put(gem);
		return ERR_PTR(ret);
	}
	return gem;
}

/**
 * nv3_prime_sync() - copy between a buffer and its bounce pages
 * @bo: the buffer, with nv3_bo.bounced set
 * @to_chip: true to copy the contents to the bounce pages, false to copy them from the bounce pages
 *
 * The function uses only the bus addresses in the scatter list. The pages belong to the exporter,
 * and CONFIG_DMABUF_DEBUG removes the page pointers from the list.
 *
 * Context: process context.
 */
void nv3_prime_sync(const struct nv3_bo *bo, bool to_chip)
{
	struct device *dev = bo->tbo.base.dev->dev;
	struct scatterlist *sg;
	int i;

	for_each_sgtable_dma_sg(bo->tbo.sg, sg, i) {
		if (to_chip)
			dma_sync_single_for_device(dev, sg_dma_address(sg),
						   sg_dma_len(sg), DMA_BIDIRECTIONAL);
		else
			dma_sync_single_for_cpu(dev, sg_dma_address(sg),
						sg_dma_len(sg), DMA_BIDIRECTIONAL);
	}
}

/*
 * Unmaps an imported buffer. The exporter may keep the DMA mapping until the device detaches, so
 * the function also detaches the device from the dma-buf. The buffer keeps its reference to the
 * dma-buf, because it shares the lock of the dma-buf. Called with nv3_device.imports_lock held.
 */
static void nv3_prime_detach(struct nv3_bo *bo)
{
	struct drm_gem_object *gem = &bo->tbo.base;

	list_del_init(&bo->import);
	/*
	 * Unmapping copies the bounce pages to the exporter's pages, so the bounce pages must be up
	 * to date.
	 */
	if (bo->bounced)
		nv3_prime_sync(bo, true);
	dma_buf_unmap_attachment_unlocked(gem->import_attach, bo->tbo.sg, DMA_BIDIRECTIONAL);
	dma_buf_detach(bo->dma_buf, gem->import_attach);
	bo->tbo.sg = NULL;
	gem->import_attach = NULL;
}

/**
 * nv3_prime_unmap_all() - unmap all imported buffers, and refuse later imports
 * @nv3: the device, whose resource manager has stopped
 *
 * Context: process context; takes nv3_device.imports_lock and locks of buffers.
 */
void nv3_prime_unmap_all(struct nv3_device *nv3)
{
	struct nv3_bo *bo, *next;

	mutex_lock(&nv3->imports_lock);
	nv3->imports_unmapped = true;
	list_for_each_entry_safe(bo, next, &nv3->imports, import)
		nv3_prime_detach(bo);
	mutex_unlock(&nv3->imports_lock);
}

/**
 * nv3_prime_populate() - set the bus addresses of an imported buffer
 * @tt: TTM's description of the pages
 *
 * Context: process context; the buffer's lock is held.
 * Return: 0 or a negative errno.
 */
int nv3_prime_populate(struct ttm_tt *tt)
{
	return drm_prime_sg_to_dma_addr_array(tt->sg, tt->dma_address, tt->num_pages);
}

/**
 * nv3_prime_vmap() - map an imported buffer into the kernel
 * @bo: the buffer, whose lock is held
 * @map: set to the address
 *
 * Context: process context.
 * Return: 0 or a negative errno of the exporter.
 */
int nv3_prime_vmap(struct nv3_bo *bo, struct iosys_map *map)
{
	return dma_buf_vmap(bo->dma_buf, map);
}

/**
 * nv3_prime_release() - unmap an imported buffer and release its dma-buf
 * @bo: the unlocked buffer, to which no references remain
 *
 * Context: process context.
 */
void nv3_prime_release(struct nv3_bo *bo)
{
	struct drm_gem_object *gem = &bo->tbo.base;
	struct nv3_device *nv3 = to_nv3(gem->dev);

	if (!iosys_map_is_null(&bo->map))
		dma_buf_vunmap_unlocked(bo->dma_buf, &bo->map);
	mutex_lock(&nv3->imports_lock);
	if (gem->import_attach)
		nv3_prime_detach(bo);
	mutex_unlock(&nv3->imports_lock);
	dma_buf_put(bo->dma_buf);
}
