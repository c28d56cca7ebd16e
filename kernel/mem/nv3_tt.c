// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Pages
 *
 * TTM allocates the system memory of buffers. TTM could also map the pages for DMA, but it would
 * keep the mappings until it frees the pages. Clients, and other devices that have imported a
 * buffer, may keep pages long after the driver was unbound from the device. An unbound device must
 * have no DMA mappings. This file therefore maps the pages itself and keeps a list of the mappings.
 * When the driver is unbound, it removes the mappings and keeps the pages.
 *
 * The exporter of an imported buffer maps the buffer's pages. nv3_prime.c keeps a list of these
 * mappings.
 */

#include <linux/dma-mapping.h>
#include <linux/mutex.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include <drm/drm_prime.h>
#include <drm/drm_print.h>
#include <drm/ttm/ttm_pool.h>
#include <drm/ttm/ttm_tt.h>

#include "nv3_bo.h"
#include "nv3_prime.h"
#include "nv3_tt.h"

struct nv3_tt {
	struct ttm_tt base;
	/**
	 * @addresses: bus address of each page; base.dma_address points here while @base is
	 * populated
	 */
	dma_addr_t *addresses;
	/** @sgt: the pages, which are mapped while @link is in nv3_device.mapped */
	struct sg_table sgt;
	struct list_head link;
};

static struct nv3_tt *to_nv3_tt(struct ttm_tt *tt)
{
	return container_of(tt, struct nv3_tt, base);
}

static bool nv3_tt_is_imported(const struct ttm_tt *tt)
{
	return tt->page_flags & TTM_TT_FLAG_EXTERNAL;
}

static int nv3_tt_init(struct nv3_tt *nt, struct ttm_buffer_object *tbo, u32 page_flags)
{
	int ret;

	/*
	 * The exporter owns the pages of an imported buffer, so TTM allocates only the array of bus
	 * addresses.
	 */
	if (page_flags & TTM_TT_FLAG_EXTERNAL)
		return ttm_sg_tt_init(&nt->base, tbo, page_flags, ttm_cached);

	/* DMA is coherent with the CPU's caches, so cached CPU mappings are safe. */
	ret = ttm_tt_init(&nt->base, tbo, page_flags, ttm_cached, 0);
	if (ret)
		return ret;

	nt->addresses = kvcalloc(nt->base.num_pages, sizeof(*nt->addresses), GFP_KERNEL);
	if (!nt->addresses) {
		ttm_tt_fini(&nt->base);
		return -ENOMEM;
	}
	return 0;
}

/**
 * nv3_tt_create() - &struct ttm_device_funcs.ttm_tt_create
 * @tbo: the buffer
 * @page_flags: TTM_TT_FLAG_*
 *
 * Context: process context; the buffer's lock is held.
 * Return: a struct ttm_tt without pages, or NULL if memory is exhausted.
 */
struct ttm_tt *nv3_tt_create(struct ttm_buffer_object *tbo, u32 page_flags)
{
	struct nv3_tt *nt = kzalloc(sizeof(*nt), GFP_KERNEL);

	if (!nt)
		return NULL;
	INIT_LIST_HEAD(&nt->link);

	if (nv3_tt_init(nt, tbo, page_flags)) {
		kfree(nt);
		return NULL;
	}
	return &nt->base;
}

/**
 * nv3_tt_destroy() - &struct ttm_device_funcs.ttm_tt_destroy
 * @ttm: the device
 * @tt: a struct ttm_tt without pages
 *
 * Context: process context.
 */
void nv3_tt_destroy(struct ttm_device *ttm, struct ttm_tt *tt)
{
	struct nv3_tt *nt = to_nv3_tt(tt);

	kvfree(nt->addresses);
	ttm_tt_fini(tt);
	kfree(nt);
}

/**
 * nv3_tt_is_bounced() - check whether the chip accesses bounce pages instead of the mapped pages
 * @nv3: the device
 * @sgt: mapped pages
 *
 * The kernel uses bounce pages (swiotlb) for pages that the chip can't address. The driver must
 * copy the contents to the bounce pages before each batch, and back after the batch.
 *
 * Context: process context.
 */
bool nv3_tt_is_bounced(struct nv3_device *nv3, struct sg_table *sgt)
{
	struct scatterlist *sg;
	int i;

	for_each_sgtable_dma_sg(sgt, sg, i)
		if (dma_need_sync(nv3->drm.dev, sg_dma_address(sg)))
			return true;
	return false;
}

/* Called with nv3_device.mapped_lock held. */
static int nv3_tt_map_locked(struct nv3_device *nv3, struct nv3_tt *nt)
{
	int ret;

	/* The driver was unbound, so no code needs the bus addresses. */
	if (nv3->unmapped)
		return 0;

	ret = dma_map_sgtable(nv3->drm.dev, &nt->sgt, DMA_BIDIRECTIONAL, 0);
	if (ret)
		return ret;

	list_add(&nt->link, &nv3->mapped);
	/*
	 * TTM allocates pages below 4 GiB, so bounce pages here mean that the kernel bounces all
	 * DMA. The driver supports bounce pages only for imported buffers.
	 */
	if (nv3_tt_is_bounced(nv3, &nt->sgt)) {
		drm_err_once(&nv3->drm, "the chip does not address system memory directly\n");
		return -EOPNOTSUPP;
	}
	return drm_prime_sg_to_dma_addr_array(&nt->sgt, nt->addresses, nt->base.num_pages);
}

/* Called with nv3_device.mapped_lock held. */
static void nv3_tt_unmap_locked(struct nv3_device *nv3, struct nv3_tt *nt)
{
	if (list_empty(&nt->link))
		return;

	list_del_init(&nt->link);
	dma_unmap_sgtable(nv3->drm.dev, &nt->sgt, DMA_BIDIRECTIONAL, 0);
}

static void nv3_tt_unmap(struct nv3_device *nv3, struct nv3_tt *nt)
{
	mutex_lock(&nv3->mapped_lock);
	nv3_tt_unmap_locked(nv3, nt);
	mutex_unlock(&nv3->mapped_lock);

	sg_free_table(&nt->sgt);
}

static int nv3_tt_map(struct nv3_device *nv3, struct nv3_tt *nt)
{
	const unsigned int pages = nt->base.num_pages;
	int ret;

	ret = sg_alloc_table_from_pages_segment(&nt->sgt, nt->base.pages, pages, 0,
						(size_t)pages << PAGE_SHIFT,
						dma_get_max_seg_size(nv3->drm.dev), GFP_KERNEL);
	if (ret)
		return ret;

	mutex_lock(&nv3->mapped_lock);
	ret = nv3_tt_map_locked(nv3, nt);
	mutex_unlock(&nv3->mapped_lock);
	if (ret)
		nv3_tt_unmap(nv3, nt);
	return ret;
}

/**
 * nv3_tt_populate() - &struct ttm_device_funcs.ttm_tt_populate
 * @ttm: the device
 * @tt: the struct ttm_tt to which pages are added
 * @ctx: how the function may wait
 *
 * Context: process context; takes nv3_device.mapped_lock.
 * Return: 0, -ENOMEM, or another negative errno.
 */
int nv3_tt_populate(struct ttm_device *ttm, struct ttm_tt *tt, struct ttm_operation_ctx *ctx)
{
	struct nv3_tt *nt = to_nv3_tt(tt);
	int ret;

	if (nv3_tt_is_imported(tt))
		return nv3_prime_populate(tt);

	/* ttm_pool_alloc() does not map the pages, because base.dma_address is NULL. */
	ret = ttm_pool_alloc(&ttm->pool, tt, ctx);
	if (ret)
		return ret;

	ret = nv3_tt_map(ttm_to_nv3(ttm), nt);
	if (ret) {
		ttm_pool_free(&ttm->pool, tt);
		return ret;
	}

	tt->dma_address = nt->addresses;
	return 0;
}

/**
 * nv3_tt_unpopulate() - &struct ttm_device_funcs.ttm_tt_unpopulate
 * @ttm: the device
 * @tt: the struct ttm_tt whose pages are unmapped and freed
 *
 * Context: process context; takes nv3_device.mapped_lock.
 */
void nv3_tt_unpopulate(struct ttm_device *ttm, struct ttm_tt *tt)
{
	if (nv3_tt_is_imported(tt))
		return;

	tt->dma_address = NULL;
	nv3_tt_unmap(ttm_to_nv3(ttm), to_nv3_tt(tt));
	ttm_pool_free(&ttm->pool, tt);
}

/**
 * nv3_tt_unmap_all() - unmap the pages of all buffers, and map no pages from now on
 * @nv3: the device, whose resource manager has stopped
 *
 * The pages themselves remain, because clients and other devices may use them.
 *
 * Context: process context; takes nv3_device.mapped_lock.
 */
void nv3_tt_unmap_all(struct nv3_device *nv3)
{
	struct nv3_tt *nt, *next;

	mutex_lock(&nv3->mapped_lock);
	nv3->unmapped = true;
	list_for_each_entry_safe(nt, next, &nv3->mapped, link)
		nv3_tt_unmap_locked(nv3, nt);
	mutex_unlock(&nv3->mapped_lock);
}
