/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_MIGRATION_H
#define NV3_MIGRATION_H

#include <linux/dma-fence.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct nv3_channel;
struct nv3_rm;
struct ttm_tt;

/** struct nv3_migration_engine - the kernel's own channel and its object of class M2MF */
struct nv3_migration_engine {
	/** @lock: serialises the submission of copies; nests inside reservations */
	struct mutex lock;
	/**
	 * @chan: the channel, or NULL if the chip lacks class M2MF or the device was unbound;
	 * guarded by @lock
	 */
	struct nv3_channel *chan;
	/** @context: the fence context of the copies */
	u64 context;
	/** @seqno: sequence number of the newest fence; guarded by @lock */
	u64 seqno;
	/** @zeroes: a page of zeroes, for new buffers */
	void *zeroes;
	/** @zeroes_dma: the bus address of @zeroes */
	dma_addr_t zeroes_dma;

	/** @done_lock: guards the following fields */
	spinlock_t done_lock;
	/** @failed: copies that the chip has not executed, oldest first */
	struct list_head failed;
	/** @work: makes the CPU execute the copies in @failed */
	struct work_struct work;
	/** @copies: number of copies that the chip has completed */
	u64 copies;
	/** @pages: number of pages that the chip has copied */
	u64 pages;
	/** @ns: sum of the chip's copy times, each from request to completion, in nanoseconds */
	u64 ns;
	/** @cpu_fallbacks: number of copies that the CPU executed because the chip had failed */
	u64 cpu_fallbacks;
};

/** struct nv3_copy - a copy in progress and its fence */
struct nv3_copy {
	struct dma_fence base;
	/** @lock: the fence's own lock, because the fence may outlive the resource manager */
	spinlock_t lock;
	struct nv3_rm *rm;
	/** @job_done: called when the batch has ended */
	struct dma_fence_cb job_done;
	/** @link: entry in nv3_migration_engine.failed */
	struct list_head link;
	/** @requested: the time at which the copy was requested */
	ktime_t requested;
	/** @vram: the offset of the first byte in VRAM */
	u32 vram;
	/**
	 * @tt: the pages in system memory, valid until the fence signals; NULL to fill VRAM with
	 * zeroes
	 */
	struct ttm_tt *tt;
	unsigned int pages;
	bool to_vram;
};

int nv3_migration_init(struct nv3_rm *rm);
void nv3_migration_fini(struct nv3_rm *rm);
void nv3_migration_release(struct nv3_rm *rm);

/* Not static, because the tests in debug/nv3_rm_kunit.c use these functions. */
struct nv3_migration_engine *nv3_migration_alloc(struct nv3_rm *rm);
struct nv3_copy *nv3_copy_alloc(struct nv3_rm *rm, u32 vram, struct ttm_tt *tt,
				unsigned int pages, bool to_vram);
void nv3_copy_job_done(struct dma_fence *fence, struct dma_fence_cb *cb);

#endif
