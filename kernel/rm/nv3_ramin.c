// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Instance memory
 *
 * RAMIN is the last megabyte of VRAM and holds everything that the chip believes
 * without asking: graphics objects, DMA objects with their page tables, and in
 * its first 64 KiB RAMHT, RAMRO and RAMFC. A client that could write one word of
 * it would own the machine's memory, so it is mapped by nobody but this driver,
 * and buffers never reach into it (nv3_device.vram_available ends before).
 *
 * Instances are named by their address / 16, so they are aligned to that. They are
 * given out by a drm_mm; one is freed only when no batch can mention it any more
 * (nv3_object.c), and cleared then, so that a stale pointer would find a DMA
 * object of one byte whose page is not present.
 */

#include <linux/jiffies.h>
#include <linux/wait.h>

#include <drm/drm_drv.h>

#include "nv3_object.h"
#include "nv3_rm_priv.h"

#define NV3_RAMIN_ALIGN		16

/**
 * nv3_ramin_init() - prepare the allocator of instance memory
 * @rm: the resource manager
 */
void nv3_ramin_init(struct nv3_rm *rm)
{
	mutex_init(&rm->ramin_lock);
	init_waitqueue_head(&rm->ramin_wait);
	drm_mm_init(&rm->ramin, NV3_RAMIN_POOL, NV3_RAMIN_POOL_END - NV3_RAMIN_POOL);
}

/**
 * nv3_ramin_fini() - end the allocator, of which nothing is allocated any more
 * @rm: the resource manager
 */
void nv3_ramin_fini(struct nv3_rm *rm)
{
	drm_mm_takedown(&rm->ramin);
	mutex_destroy(&rm->ramin_lock);
}

static int nv3_ramin_insert(struct nv3_rm *rm, struct nv3_ramin *mem, u32 size)
{
	int ret;

	mutex_lock(&rm->ramin_lock);
	ret = drm_mm_insert_node_generic(&rm->ramin, &mem->node, ALIGN(size, NV3_RAMIN_ALIGN),
					 NV3_RAMIN_ALIGN, 0, DRM_MM_INSERT_BEST);
	mutex_unlock(&rm->ramin_lock);

	return ret;
}

/* A batch that may be blocked is over by then: NV3_QUEUE_WAIT_MS. */
#define NV3_RAMIN_WAIT_MS	12000

/*
 * Waits until a piece has been freed since @frees was read. At most a tenth of a second, as the
 * destroyed objects may be of a batch that has not ended then.
 */
static long nv3_ramin_wait(struct nv3_rm *rm, int frees)
{
	return wait_event_interruptible_timeout(rm->ramin_wait,
						atomic_read(&rm->ramin_frees) != frees, HZ / 10);
}

/**
 * nv3_ramin_alloc() - allocate instance memory
 * @rm: the resource manager
 * @mem: describes what is allocated, until nv3_ramin_free()
 * @size: bytes, rounded up to 16
 *
 * If there is no room, it waits for objects that their clients have destroyed but that batches in
 * flight still use, of any channel.
 *
 * Context: process context; takes nv3_rm.ramin_lock. nv3_channel.lock may be held.
 * Return: 0, -ENOSPC if no object is about to be freed, or -ERESTARTSYS.
 */
int nv3_ramin_alloc(struct nv3_rm *rm, struct nv3_ramin *mem, u32 size)
{
	unsigned long limit = jiffies + msecs_to_jiffies(NV3_RAMIN_WAIT_MS);
	bool dying;
	int frees, ret;

	ret = nv3_ramin_insert(rm, mem, size);
	while (ret == -ENOSPC) {
		frees = atomic_read(&rm->ramin_frees);
		dying = nv3_object_any_dying(rm);
		nv3_object_flush_free(rm);
		ret = nv3_ramin_insert(rm, mem, size);
		if (ret != -ENOSPC || !dying || time_after(jiffies, limit))
			break;
		if (nv3_ramin_wait(rm, frees) < 0)
			return -ERESTARTSYS;
	}
	return ret;
}

static void nv3_ramin_clear(struct nv3_rm *rm, const struct nv3_ramin *mem)
{
	u32 addr, end = mem->node.start + mem->node.size;
	int idx;

	if (!drm_dev_enter(&rm->nv3->drm, &idx))
		return;

	for (addr = mem->node.start; addr < end; addr += 4)
		nv3_ramin_wr32(rm->nv3, addr, 0);

	drm_dev_exit(idx);
}

/**
 * nv3_ramin_free() - clear instance memory and give it back
 * @rm: the resource manager
 * @mem: what is freed, if anything is allocated; no batch may name it
 *
 * Context: process context; takes nv3_rm.ramin_lock.
 */
void nv3_ramin_free(struct nv3_rm *rm, struct nv3_ramin *mem)
{
	if (!drm_mm_node_allocated(&mem->node))
		return;

	nv3_ramin_clear(rm, mem);

	mutex_lock(&rm->ramin_lock);
	drm_mm_remove_node(&mem->node);
	mutex_unlock(&rm->ramin_lock);

	atomic_inc(&rm->ramin_frees);
	wake_up_all(&rm->ramin_wait);
}
