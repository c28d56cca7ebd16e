// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: DMA objects
 *
 * Through DMA objects, PGRAPH accesses textures, the sources and destinations of copies, and
 * notifications. A DMA object consists of a limit and a page table in RAMIN. The pages are in VRAM
 * or in system memory. The chip checks the offsets in a client's methods only against the limit of
 * the DMA object. The limit keeps accesses inside the client's buffer.
 *
 * While no batch in flight lists a buffer, TTM may evict the buffer from VRAM, move it back to
 * another address in VRAM, or swap it out. The resource manager therefore updates the DMA objects
 * of a channel before each batch. The resource manager opens the DMA objects whose buffers the
 * batch lists, and closes all other DMA objects of the channel. An access through a closed object
 * causes a fault. The resource manager does not write DMA objects that are already in the right
 * state.
 *
 * The flags of a closed object mark it as linear, so the chip uses only the first entry of the page
 * table. This entry is marked as not present. The driver can thus open or close an object of any
 * size by writing two words. The driver writes these words when a batch starts, with interrupts
 * disabled. It writes the other entries of the page table, up to 200,000 words, after the buffer
 * has been placed for the batch (nv3_dmaobj_prepare()).
 */

#include <linux/overflow.h>
#include <linux/slab.h>

#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#include "nv3_dmaobj.h"
#include "rm/nv3_job.h"

/*
 * The maximum number of DMA objects of a channel. nv3_dmaobj_begin() checks each of these objects
 * before each batch, with interrupts disabled.
 */
#define NV3_DMAOBJ_MAX	1024
/* The number of page table entries to write between two calls of cond_resched(). */
#define NV3_DMAOBJ_RESCHED	1024

static inline struct nv3_dmaobj *to_dmaobj(struct nv3_object *obj)
{
	return container_of(obj, struct nv3_dmaobj, base);
}

static void nv3_dmaobj_wr32(struct nv3_dmaobj *dma, u32 offset, u32 val)
{
	nv3_ramin_wr32(dma->base.chan->rm->nv3, nv3_ramin_addr(&dma->base.inst) + offset, val);
}

static u32 nv3_dmaobj_pte(struct nv3_dmaobj *dma, unsigned int i)
{
	u32 pte = NV3_DMAOBJ_PTE_PRESENT | (dma->writable ? NV3_DMAOBJ_PTE_WRITE : 0);
	unsigned long page = dma->first + i;

	if (nv3_bo_in_vram(dma->bo))
		return pte | (nv3_bo_vram_offset(dma->bo) + (page << PAGE_SHIFT));

	return pte | lower_32_bits(nv3_bo_dma_addr(dma->bo, page));
}

static u32 nv3_dmaobj_flags(struct nv3_dmaobj *dma)
{
	u32 target = nv3_bo_in_vram(dma->bo) ? NV3_DMAOBJ_TARGET_VRAM : NV3_DMAOBJ_TARGET_PCI;

	return dma->adjust | NV3_DMAOBJ_PAGED | target << NV3_DMAOBJ_TARGET_SHIFT;
}

/* Returns true if all page table entries except the first are up to date. */
static bool nv3_dmaobj_is_filled(const struct nv3_dmaobj *dma)
{
	return dma->pages == 1 ||
	       (dma->filled && dma->filled_generation == dma->bo->rm.generation);
}

static void nv3_dmaobj_fill(struct nv3_dmaobj *dma)
{
	struct nv3_rm *rm = dma->base.chan->rm;
	unsigned int i;

	for (i = 1; i < dma->pages; i++) {
		nv3_dmaobj_wr32(dma, NV3_DMAOBJ_PTE(i), nv3_dmaobj_pte(dma, i));
		if (i % NV3_DMAOBJ_RESCHED == 0)
			cond_resched();
	}

	spin_lock_irq(&rm->lock);
	dma->filled_generation = dma->bo->rm.generation;
	dma->filled = true;
	spin_unlock_irq(&rm->lock);
}

/*
 * Adds to @stale each DMA object of the channel whose buffer the batch lists and whose page table
 * is out of date.
 */
static void nv3_dmaobj_find_stale(struct nv3_job *job, struct list_head *stale)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_rm *rm = chan->rm;
	struct nv3_dmaobj *dma;
	u32 i;

	spin_lock_irq(&rm->lock);
	rm->mark++;
	for (i = 0; i < job->bo_count; i++)
		job->bos[i]->rm.mark = rm->mark;
	list_for_each_entry(dma, &chan->dmas, link)
		if (dma->bo->rm.mark == rm->mark && !nv3_dmaobj_is_filled(dma) &&
		    kref_get_unless_zero(&dma->base.ref))
			list_add_tail(&dma->stale, stale);
	spin_unlock_irq(&rm->lock);
}

/**
 * nv3_dmaobj_prepare() - &struct nv3_class_ops.prepare: write page tables that are out of date
 * @job: the batch that needs the page tables
 *
 * A page table is out of date if it is new, or if its buffer has moved. nv3_dmaobj_begin() never
 * opens a DMA object with such a page table, so the chip does not read the page table while the
 * function writes it. A DMA object that is created after this call stays closed for the batch.
 *
 * Context: process context; the buffers are placed and locked.
 */
void nv3_dmaobj_prepare(struct nv3_job *job)
{
	struct nv3_dmaobj *dma, *next;
	LIST_HEAD(stale);

	/*
	 * If the resource manager is dead, the chip is stopped, and buffers may no longer have bus
	 * addresses.
	 */
	if (READ_ONCE(job->chan->rm->dead))
		return;

	nv3_dmaobj_find_stale(job, &stale);
	list_for_each_entry_safe(dma, next, &stale, stale) {
		list_del(&dma->stale);
		nv3_dmaobj_fill(dma);
		nv3_object_put(&dma->base);
	}
}

static void nv3_dmaobj_open(struct nv3_dmaobj *dma)
{
	nv3_dmaobj_wr32(dma, NV3_DMAOBJ_PTE(0), nv3_dmaobj_pte(dma, 0));
	nv3_dmaobj_wr32(dma, NV3_DMAOBJ_FLAGS, nv3_dmaobj_flags(dma));
	dma->generation = dma->bo->rm.generation;
	dma->open = true;
}

static void nv3_dmaobj_close(struct nv3_dmaobj *dma)
{
	nv3_dmaobj_wr32(dma, NV3_DMAOBJ_FLAGS, 0);
	nv3_dmaobj_wr32(dma, NV3_DMAOBJ_PTE(0), 0);
	dma->open = false;
}

static bool nv3_dmaobj_is_current(struct nv3_dmaobj *dma, bool usable)
{
	if (!usable)
		return !dma->open;

	return dma->open && dma->generation == dma->bo->rm.generation;
}

/**
 * nv3_dmaobj_begin() - open and close DMA objects for a batch
 * @job: the batch. Its serial number is already in nv3_rm.batch, and in nv3_rm_bo.batch of each
 *   buffer that the batch lists
 *
 * Context: nv3_rm.lock is held; no batch runs.
 */
void nv3_dmaobj_begin(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	const u64 batch = chan->rm->batch;
	struct nv3_dmaobj *dma;
	bool changed = false;

	lockdep_assert_held(&chan->rm->lock);

	list_for_each_entry(dma, &chan->dmas, link) {
		bool usable = dma->bo->rm.batch == batch && nv3_dmaobj_is_filled(dma);

		if (nv3_dmaobj_is_current(dma, usable))
			continue;
		if (usable)
			nv3_dmaobj_open(dma);
		else
			nv3_dmaobj_close(dma);
		changed = true;
	}

	if (changed)
		nv3_pgraph_flush_pdma(chan->rm->nv3);
}

/*
 * &struct nv3_class.write: writes the words of a new object, or writes them again after RAMIN has
 * lost its contents. The object is closed until a batch lists its buffer.
 */
static void nv3_dmaobj_write(struct nv3_object *obj)
{
	struct nv3_dmaobj *dma = to_dmaobj(obj);

	dma->filled = false;
	nv3_dmaobj_wr32(dma, NV3_DMAOBJ_LIMIT, dma->size - 1);
	nv3_dmaobj_close(dma);
}

static int nv3_dmaobj_check(struct drm_device *drm, const struct drm_nv3_dma_args *args,
			    struct nv3_bo *bo)
{
	u64 end;

	if (args->flags & ~DRM_NV3_DMA_WRITE) {
		drm_dbg(drm, "dma: flags is %#x\n", args->flags);
		return -EINVAL;
	}
	if (!args->size) {
		drm_dbg(drm, "dma: size is 0\n");
		return -EINVAL;
	}
	if (check_add_overflow(args->offset, args->size, &end) || end > nv3_bo_size(bo)) {
		drm_dbg(drm, "dma: offset %#llx, size %#llx of %#llx\n", args->offset, args->size,
			nv3_bo_size(bo));
		return -EINVAL;
	}
	/* The page table of a larger range would not fit into RAMIN. */
	if (args->size > U32_MAX) {
		drm_dbg(drm, "dma: size is %#llx\n", args->size);
		return -E2BIG;
	}
	return 0;
}

static struct nv3_object *nv3_dmaobj_create(struct nv3_channel *chan,
					    const struct nv3_class *class, struct drm_file *file,
					    const union nv3_object_args *args)
{
	struct drm_device *drm = &chan->rm->nv3->drm;
	struct drm_gem_object *gem;
	struct nv3_dmaobj *dma;
	int ret;

	ret = nv3_class_check_count(chan, class, &chan->dma_count, NV3_DMAOBJ_MAX);
	if (ret)
		return ERR_PTR(ret);

	gem = drm_gem_object_lookup(file, args->dma.handle);
	if (!gem) {
		drm_dbg(drm, "dma: no handle %u\n", args->dma.handle);
		return ERR_PTR(-ENOENT);
	}

	ret = nv3_dmaobj_check(drm, &args->dma, to_nv3_bo(gem));
	if (ret)
		goto err_gem;

	dma = kzalloc(sizeof(*dma), GFP_KERNEL_ACCOUNT);
	if (!dma) {
		ret = -ENOMEM;
		goto err_gem;
	}

	dma->bo = to_nv3_bo(gem);
	dma->first = args->dma.offset >> PAGE_SHIFT;
	dma->adjust = offset_in_page(args->dma.offset);
	dma->size = args->dma.size;
	dma->pages = DIV_ROUND_UP_ULL(dma->adjust + args->dma.size, PAGE_SIZE);
	dma->writable = args->dma.flags & DRM_NV3_DMA_WRITE;

	ret = nv3_object_init(&dma->base, chan, class, NV3_DMAOBJ_PTE(dma->pages));
	if (ret)
		goto err_dma;

	nv3_dmaobj_write(&dma->base);

	spin_lock_irq(&chan->rm->lock);
	list_add_tail(&dma->link, &chan->dmas);
	chan->dma_count++;
	spin_unlock_irq(&chan->rm->lock);

	return &dma->base;

err_dma:
	kfree(dma);
err_gem:
	drm_gem_object_put(gem);
	return ERR_PTR(ret);
}

static struct nv3_bo *nv3_dmaobj_memory(struct nv3_object *obj, bool *write)
{
	struct nv3_dmaobj *dma = to_dmaobj(obj);

	*write = dma->writable;
	return dma->bo;
}

static void nv3_dmaobj_destroy(struct nv3_object *obj)
{
	struct nv3_dmaobj *dma = to_dmaobj(obj);

	spin_lock_irq(&obj->chan->rm->lock);
	list_del(&dma->link);
	obj->chan->dma_count--;
	spin_unlock_irq(&obj->chan->rm->lock);

	nv3_object_fini(obj);
	nv3_bo_put(dma->bo);
	kfree(dma);
}

const struct nv3_class nv3_class_dma = {
	.id = DRM_NV3_CLASS_DMA,
	.name = "dma",
	.args_size = sizeof(struct drm_nv3_dma_args),
	.create = nv3_dmaobj_create,
	.destroy = nv3_dmaobj_destroy,
	.memory = nv3_dmaobj_memory,
	.write = nv3_dmaobj_write,
};
