// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Push ring
 *
 * The DMA pusher reads one contiguous range of words through one page table. The DMA pusher never
 * continues with another range or another channel by itself (envytools, docs/hw/fifo/intro.rst:
 * "requires kernel assistance for every submitted batch", "prevents channel switching"). Each
 * channel therefore has a ring of pages that only the kernel writes. SUBMIT copies a batch to a
 * contiguous range of the ring. If the batch does not fit between the previous batch and the end of
 * the ring, this space stays unused and the range begins at offset 0. The batches of a channel end
 * in the order in which they were submitted, and their ranges are freed in that order.
 */

#include <linux/dma-mapping.h>
#include <linux/vmalloc.h>

#include "nv3_ring.h"

/* The size of the DMA object: two words, and the page table. */
#define NV3_RING_TABLE_SIZE	NV3_DMAOBJ_PTE(NV3_RING_PAGES)

static void nv3_ring_free_pages(struct nv3_device *nv3, struct nv3_ring *ring)
{
	struct device *dev = nv3->drm.dev;
	unsigned int i;

	vunmap(ring->cpu);
	ring->cpu = NULL;
	for (i = 0; i < NV3_RING_PAGES && ring->page[i]; i++) {
		if (ring->dma[i] != DMA_MAPPING_ERROR)
			dma_unmap_page(dev, ring->dma[i], PAGE_SIZE, DMA_TO_DEVICE);
		__free_page(ring->page[i]);
		ring->page[i] = NULL;
	}
}

static int nv3_ring_alloc_pages(struct nv3_device *nv3, struct nv3_ring *ring)
{
	struct device *dev = nv3->drm.dev;
	unsigned int i;

	for (i = 0; i < NV3_RING_PAGES; i++) {
		/* The chip's bus addresses have 32 bits. */
		ring->page[i] = alloc_page(GFP_KERNEL_ACCOUNT | GFP_DMA32);
		if (!ring->page[i])
			return -ENOMEM;
		ring->dma[i] = dma_map_page(dev, ring->page[i], 0, PAGE_SIZE, DMA_TO_DEVICE);
		if (dma_mapping_error(dev, ring->dma[i])) {
			ring->dma[i] = DMA_MAPPING_ERROR;
			return -ENOMEM;
		}
	}

	ring->cpu = vmap(ring->page, NV3_RING_PAGES, VM_MAP, PAGE_KERNEL);
	return ring->cpu ? 0 : -ENOMEM;
}

/**
 * nv3_ring_init() - allocate a push ring
 * @pool: the allocator of instance memory
 * @ring: the ring
 *
 * Context: process context.
 * Return: 0, -ENOMEM, or an error of nv3_ramin_alloc().
 */
int nv3_ring_init(struct nv3_ramin_pool *pool, struct nv3_ring *ring)
{
	int ret;

	spin_lock_init(&ring->lock);

	ret = nv3_ring_alloc_pages(pool->nv3, ring);
	if (ret)
		goto err;

	ret = nv3_ramin_alloc(pool, &ring->table, NV3_RING_TABLE_SIZE);
	if (ret)
		goto err;

	nv3_ring_write_table(pool->nv3, ring);
	return 0;

err:
	nv3_ring_free_pages(pool->nv3, ring);
	return ret;
}

/**
 * nv3_ring_fini() - free a push ring that the chip no longer reads
 * @pool: the allocator of instance memory
 * @ring: the ring
 *
 * Context: process context. May be called twice.
 */
void nv3_ring_fini(struct nv3_ramin_pool *pool, struct nv3_ring *ring)
{
	nv3_ramin_free(pool, &ring->table);
	nv3_ring_free_pages(pool->nv3, ring);
}

/**
 * nv3_ring_write_table() - write the ring's page table to RAMIN
 * @nv3: the device
 * @ring: the ring
 *
 * Called for a new ring, and again after a loss of power.
 */
void nv3_ring_write_table(struct nv3_device *nv3, struct nv3_ring *ring)
{
	u32 base = nv3_ramin_addr(&ring->table);
	unsigned int i;

	nv3_ramin_wr32(nv3, base + NV3_DMAOBJ_FLAGS,
		       NV3_DMAOBJ_PAGED | NV3_DMAOBJ_TARGET_PCI << NV3_DMAOBJ_TARGET_SHIFT);
	nv3_ramin_wr32(nv3, base + NV3_DMAOBJ_LIMIT, NV3_RING_SIZE - 1);
	for (i = 0; i < NV3_RING_PAGES; i++)
		nv3_ramin_wr32(nv3, base + NV3_DMAOBJ_PTE(i),
			       lower_32_bits(ring->dma[i]) | NV3_DMAOBJ_PTE_PRESENT);
}

/**
 * nv3_ring_alloc() - find room for a batch
 * @ring: the ring
 * @size: size of the batch in bytes
 * @span: set to the range of the batch in the ring on success
 *
 * nv3_channel.lock serialises callers. A batch that retires frees its range of the ring.
 *
 * Context: any.
 * Return: true if the ring had room for the batch.
 */
bool nv3_ring_alloc(struct nv3_ring *ring, u32 size, struct nv3_ring_span *span)
{
	unsigned long flags;
	bool fits;

	spin_lock_irqsave(&ring->lock, flags);
	if (!ring->used) {
		ring->put = 0;
		ring->get = 0;
	}

	/* If @put is below @get, @put must stay below @get: equal values mean an empty ring. */
	if (ring->put < ring->get) {
		fits = ring->get - ring->put > size;
	} else if (NV3_RING_SIZE - ring->put >= size) {
		fits = true;
	} else {
		fits = ring->get > size;
		if (fits)
			ring->put = 0;
	}

	if (fits) {
		span->start = ring->put;
		span->size = size;
		ring->put += size;
		ring->used++;
	}
	spin_unlock_irqrestore(&ring->lock, flags);

	return fits;
}

/**
 * nv3_ring_cancel() - free the newest allocation
 * @ring: the ring
 * @span: the range of the allocation
 *
 * Context: any; nv3_channel.lock has been held since nv3_ring_alloc().
 */
void nv3_ring_cancel(struct nv3_ring *ring, const struct nv3_ring_span *span)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	ring->put = span->start;
	ring->used--;
	spin_unlock_irqrestore(&ring->lock, flags);
}

/**
 * nv3_ring_release() - free the range of the oldest batch, which has ended
 * @ring: the ring
 * @span: the range of the batch
 *
 * Context: any.
 */
void nv3_ring_release(struct nv3_ring *ring, const struct nv3_ring_span *span)
{
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	ring->get = span->start + span->size;
	ring->used--;
	spin_unlock_irqrestore(&ring->lock, flags);
}

/**
 * nv3_ring_flush() - make the words that the CPU has written for a batch visible to the chip
 * @nv3: the device
 * @ring: the ring
 * @span: the range of the batch
 *
 * Context: any.
 */
void nv3_ring_flush(struct nv3_device *nv3, struct nv3_ring *ring, const struct nv3_ring_span *span)
{
	unsigned int first = span->start >> PAGE_SHIFT;
	unsigned int last = (span->start + span->size - 1) >> PAGE_SHIFT;
	unsigned int i;

	for (i = first; i <= last; i++)
		dma_sync_single_for_device(nv3->drm.dev, ring->dma[i], PAGE_SIZE,
					   DMA_TO_DEVICE);
}
