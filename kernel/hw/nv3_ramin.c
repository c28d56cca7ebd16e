// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Instance memory
 *
 * RAMIN is the last megabyte of VRAM. The first 48 KiB contain RAMHT, RAMRO, RAMFC and the cursor
 * images. The remaining 976 KiB contain graphics objects, and DMA objects with their page tables.
 * The chip does not check the contents of RAMIN. A client that could write one word of RAMIN could
 * make the chip read and write all memory. Only this driver maps RAMIN, and the VRAM for buffers
 * ends before RAMIN (nv3_device.vram_available).
 *
 * The chip identifies an instance by a number, which is the address of the instance divided by 16.
 * Instances are therefore aligned to 16 bytes. A drm_mm allocates the instances. An instance is
 * freed when no batch can use it (nv3_object.c). At the same time, the driver sets its words to 0,
 * so that a stale number refers to a DMA object of one byte whose page is not present.
 */

#include <linux/jiffies.h>

#include <drm/drm_drv.h>

#include "nv3_ramin.h"

#define NV3_RAMIN_ALIGN		16

/**
 * nv3_ramin_init() - prepare the allocator of instance memory
 * @pool: the allocator
 * @nv3: the device
 * @reclaim: the function for &struct nv3_ramin_pool.reclaim, which is called when the pool is full
 */
void nv3_ramin_init(struct nv3_ramin_pool *pool, struct nv3_device *nv3,
		    bool (*reclaim)(struct nv3_ramin_pool *pool))
{
	pool->nv3 = nv3;
	pool->reclaim = reclaim;
	mutex_init(&pool->lock);
	init_waitqueue_head(&pool->wait);
	drm_mm_init(&pool->mm, NV3_RAMIN_POOL, NV3_RAMIN_POOL_END - NV3_RAMIN_POOL);
}

/**
 * nv3_ramin_fini() - release the allocator after all of its memory has been freed
 * @pool: the allocator
 */
void nv3_ramin_fini(struct nv3_ramin_pool *pool)
{
	drm_mm_takedown(&pool->mm);
	mutex_destroy(&pool->lock);
}

static int nv3_ramin_insert(struct nv3_ramin_pool *pool, struct nv3_ramin *mem, u32 size)
{
	int ret;

	mutex_lock(&pool->lock);
	ret = drm_mm_insert_node_generic(&pool->mm, &mem->node, ALIGN(size, NV3_RAMIN_ALIGN),
					 NV3_RAMIN_ALIGN, 0, DRM_MM_INSERT_BEST);
	mutex_unlock(&pool->lock);

	return ret;
}

/*
 * The maximum time to wait for memory. This time is longer than NV3_SCHED_BLOCKED_MAX_MS, the
 * maximum time for which a batch may be blocked.
 */
#define NV3_RAMIN_WAIT_MS	12000

/*
 * Waits until nv3_ramin_pool.frees differs from @frees, for at most a tenth of a second. The limit
 * is short because the next call of reclaim() may free more memory.
 */
static long nv3_ramin_wait(struct nv3_ramin_pool *pool, int frees)
{
	return wait_event_interruptible_timeout(pool->wait, atomic_read(&pool->frees) != frees,
						HZ / 10);
}

/**
 * nv3_ramin_alloc() - allocate instance memory
 * @pool: the allocator
 * @mem: set to the memory on success; all words of the memory are zero. The caller frees the memory
 * with nv3_ramin_free()
 * @size: the size in bytes, which the function rounds up to a multiple of 16
 *
 * If the pool is full, the function waits for batches in flight, of all channels, that may still
 * use the memory of destroyed objects.
 *
 * Context: process context; takes nv3_ramin_pool.lock. nv3_channel.lock may be held.
 * Return: 0, -ENOSPC if no memory is about to be freed or the wait has timed out, or -ERESTARTSYS.
 */
int nv3_ramin_alloc(struct nv3_ramin_pool *pool, struct nv3_ramin *mem, u32 size)
{
	unsigned long limit = jiffies + msecs_to_jiffies(NV3_RAMIN_WAIT_MS);
	int frees, ret;
	bool more;

	ret = nv3_ramin_insert(pool, mem, size);
	while (ret == -ENOSPC) {
		frees = atomic_read(&pool->frees);
		more = pool->reclaim(pool);
		ret = nv3_ramin_insert(pool, mem, size);
		if (ret != -ENOSPC || !more || time_after(jiffies, limit))
			break;
		if (nv3_ramin_wait(pool, frees) < 0)
			return -ERESTARTSYS;
	}
	return ret;
}

static void nv3_ramin_clear(struct nv3_device *nv3, const struct nv3_ramin *mem)
{
	u32 addr, end = mem->node.start + mem->node.size;
	int idx;

	if (!drm_dev_enter(&nv3->drm, &idx))
		return;

	for (addr = mem->node.start; addr < end; addr += 4)
		nv3_ramin_wr32(nv3, addr, 0);

	drm_dev_exit(idx);
}

/**
 * nv3_ramin_free() - clear instance memory and free it
 * @pool: the allocator
 * @mem: the memory, which no batch uses; may be unallocated
 *
 * Context: process context; takes nv3_ramin_pool.lock.
 */
void nv3_ramin_free(struct nv3_ramin_pool *pool, struct nv3_ramin *mem)
{
	if (!drm_mm_node_allocated(&mem->node))
		return;

	nv3_ramin_clear(pool->nv3, mem);

	mutex_lock(&pool->lock);
	drm_mm_remove_node(&mem->node);
	mutex_unlock(&pool->lock);
	atomic_inc(&pool->frees);
	wake_up_all(&pool->wait);
}
