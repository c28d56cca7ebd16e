/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_RING_H
#define NV3_RING_H

#include <linux/sizes.h>
#include <linux/types.h>

#include "nv3_ramin.h"

#define NV3_RING_SIZE		SZ_256K
#define NV3_RING_PAGES		(NV3_RING_SIZE >> PAGE_SHIFT)

/**
 * struct nv3_ring - memory from which the DMA pusher reads batches
 *
 * Only the kernel writes to the ring, so clients can't change a batch after SUBMIT has copied the
 * batch.
 */
struct nv3_ring {
	/** @cpu: mapping of all pages */
	__le32 *cpu;
	struct page *page[NV3_RING_PAGES];
	dma_addr_t dma[NV3_RING_PAGES];
	/** @table: the page table, in the format of a DMA object */
	struct nv3_ramin table;

	/** @lock: guards the following fields; nests inside nv3_rm.lock */
	spinlock_t lock;
	/**
	 * @put: offset in bytes at which the next batch begins; @get is the offset in bytes of the
	 * oldest batch
	 */
	u32 put;
	u32 get;
	/** @used: number of batches between @get and @put */
	unsigned int used;
};

/* The range of a batch in the ring: offset and size in bytes. */
struct nv3_ring_span {
	u32 start;
	u32 size;
};

int nv3_ring_init(struct nv3_ramin_pool *pool, struct nv3_ring *ring);
void nv3_ring_fini(struct nv3_ramin_pool *pool, struct nv3_ring *ring);
void nv3_ring_write_table(struct nv3_device *nv3, struct nv3_ring *ring);
bool nv3_ring_alloc(struct nv3_ring *ring, u32 size, struct nv3_ring_span *span);
void nv3_ring_cancel(struct nv3_ring *ring, const struct nv3_ring_span *span);
void nv3_ring_flush(struct nv3_device *nv3, struct nv3_ring *ring,
		    const struct nv3_ring_span *span);
void nv3_ring_release(struct nv3_ring *ring, const struct nv3_ring_span *span);

static inline __le32 *nv3_ring_cpu(struct nv3_ring *ring, const struct nv3_ring_span *span)
{
	return ring->cpu + span->start / sizeof(*ring->cpu);
}

#endif
