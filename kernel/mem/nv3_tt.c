// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Pages
 *
 * The system memory of buffers. TTM allocates the pages, and could map them for DMA as well,
 * but then they would stay mapped as long as they exist. A client may hold its buffers, and
 * another device the pages of those that were exported to it, long after this driver has let go
 * of the device, which must have no mapping left by then. So mappings are made here, and a list
 * of them is kept: when the device goes they go, and the pages stay.
 *
 * An imported buffer's pages are mapped by its exporter, and nv3_prime.c has a list of those.
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
	/** @addresses: what base.dma_address is while there are pages, one for each of ours */
	dma_addr_t *addresses;
	/** @sgt: the pages, mapped while @link is in nv3_device.mapped */
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

	/* Addresses alone, there from the beginning. */
	if (page_flags & TTM_TT_FLAG_EXTERNAL)
		return ttm_sg_tt_init(&nt->base, tbo, page_flags, ttm_cached);

	/* DMA is coherent with the caches, so pages stay cached. */
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
 * Return: pages that are not populated, or NULL without memory.
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
 * @tt: pages that are not populated
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
 * nv3_tt_is_bounced() - does the chip see other pages in the place of these?
 * @nv3: the device
 * @sgt: mapped pages
 *
 * Such pages, which the chip can't address, have to be copied to and from.
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

/* With nv3_device.mapped_lock. */
static int nv3_tt_map_locked(struct nv3_device *nv3, struct nv3_tt *nt)
{
	int ret;

	/* Nobody will use an address that is not there. */
	if (nv3->unmapped)
		return 0;

	ret = dma_map_sgtable(nv3->drm.dev, &nt->sgt, DMA_BIDIRECTIONAL, 0);
	if (ret)
		return ret;

	list_add(&nt->link, &nv3->mapped);
	/* As it is where all DMA goes through swiotlb. Nobody would copy what is written. */
	if (nv3_tt_is_bounced(nv3, &nt->sgt)) {
		drm_err_once(&nv3->drm, "the chip does not see system memory as it is\n");
		return -EOPNOTSUPP;
	}
	return drm_prime_sg_to_dma_addr_array(&nt->sgt, nt->addresses, nt->base.num_pages);
}

/* With nv3_device.mapped_lock. */
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
 * @tt: the pages
 * @ctx: how TTM may wait
 *
 * Context: process context; takes nv3_device.mapped_lock.
 * Return: 0, -ENOMEM, or -ENODEV when the device is gone.
 */
int nv3_tt_populate(struct ttm_device *ttm, struct ttm_tt *tt, struct ttm_operation_ctx *ctx)
{
	struct nv3_tt *nt = to_nv3_tt(tt);
	int ret;

	if (nv3_tt_is_imported(tt))
		return nv3_prime_populate(tt);

	/* Without addresses to fill in TTM maps nothing. */
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
 * @tt: the pages
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
 * nv3_tt_unmap_all() - let the chip reach no buffer's pages, now and later
 * @nv3: the device, whose resource manager has stopped
 *
 * The pages stay for whoever else has them.
 *
 * Context: process context; takes locks.
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
