/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_COPY_H
#define NV3_COPY_H

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

/* The kernel's own channel, with one object: an M2MF. */
struct nv3_copier {
	/** @lock: one at a time; taken inside reservations, unlike nv3_channel.lock */
	struct mutex lock;
	/** @chan: null on a chip that lacks the class, and once the chip is gone */
	struct nv3_channel *chan;
	/** @context: of the fences, with the @seqno of the newest */
	u64 context;
	u64 seqno;
	/** @zeroes: a page of them, for new buffers */
	void *zeroes;
	dma_addr_t zeroes_dma;

	/** @done_lock: guards what follows */
	spinlock_t done_lock;
	/** @failed: copies that the chip hasn't made, oldest first, for @work */
	struct list_head failed;
	struct work_struct work;
	/** @copies: that the chip has made, of so many @pages in @ns from asking on */
	u64 copies;
	u64 pages;
	u64 ns;
	/** @rescues: that the processor had to make in its place */
	u64 rescues;
};

/* A copy under way, as its fence. */
struct nv3_copy {
	struct dma_fence base;
	/** @lock: of @base, which may outlive the resource manager */
	spinlock_t lock;
	struct nv3_rm *rm;
	/** @job_done: called when its batch is over */
	struct dma_fence_cb job_done;
	/** @link: in nv3_copier.failed */
	struct list_head link;
	ktime_t asked;
	/** @vram: first byte there */
	u32 vram;
	/** @tt: the pages in system memory, which stay until the fence signals; null: zeroes */
	struct ttm_tt *tt;
	unsigned int pages;
	bool to_vram;
};

void nv3_copy_prepare(struct nv3_rm *rm);
/* For nv3_rm_kunit.c. The reference is nv3_copy_job_done()'s. */
struct nv3_copy *nv3_copy_alloc(struct nv3_rm *rm, u32 vram, struct ttm_tt *tt,
				unsigned int pages, bool to_vram);
void nv3_copy_job_done(struct dma_fence *fence, struct dma_fence_cb *cb);

int nv3_copy_init(struct nv3_rm *rm);
void nv3_copy_fini(struct nv3_rm *rm);
void nv3_copy_begin(struct nv3_channel *chan, struct nv3_copy *copy);
unsigned int nv3_copy_channels(struct nv3_rm *rm);

#endif
