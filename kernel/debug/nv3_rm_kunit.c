// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of the resource manager without a chip: the hash of handles, the page tables of DMA
 * objects and of a ring, allocation in a ring, the order of fences, and CPU fallbacks of copies.
 */

#include <kunit/test.h>

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/dma-fence.h>
#include <linux/kthread.h>
#include <linux/vmalloc.h>

#include <drm/ttm/ttm_resource.h>
#include <drm/ttm/ttm_tt.h>

#include "class/nv3_dmaobj.h"
#include "class/nv3_migration.h"
#include "nv3_kunit.h"
#include "rm/nv3_fence.h"
#include "rm/nv3_job.h"

/*
 * Computes the hash of a handle bit by bit. The hash is the exclusive or of the channel number and
 * the four bytes of the handle (86Box blog, see include/nv3_regs.h).
 */
static u32 nv3_test_hash_slow(u32 name, u32 chid)
{
	const unsigned int bits = ilog2(NV3_RAMHT_BUCKETS);
	u32 hash = 0;
	unsigned int i;

	for (i = 0; i < 32; i++)
		hash ^= (name >> i & 1) << (i % bits);
	return hash ^ chid;
}

static void nv3_test_hash(struct kunit *test)
{
	u32 name = 1, chid;
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		/*
		 * A pseudorandom number generator (Numerical Recipes) produces the handle, whose
		 * upper seven bits are also the channel number.
		 */
		name = name * 1664525 + 1013904223;
		chid = name >> 25;
		KUNIT_ASSERT_LT(test, NV3_RAMHT_HASH(name, chid), NV3_RAMHT_BUCKETS);
		KUNIT_ASSERT_EQ_MSG(test, nv3_test_hash_slow(name, chid),
				    NV3_RAMHT_HASH(name, chid), "name %#x", name);
	}
}

static void nv3_test_vfree(void *memory)
{
	vfree(memory);
}

/**
 * nv3_test_bar() - allocate ordinary memory that a test uses in place of a BAR
 * @test: the test; KUnit frees the memory at the end of the test
 * @size: the size of the BAR in bytes
 *
 * Return: the zeroed memory.
 */
void __iomem *nv3_test_bar(struct kunit *test, size_t size)
{
	void *memory = vzalloc(size);

	KUNIT_ASSERT_NOT_NULL(test, memory);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, nv3_test_vfree, memory));
	return (void __iomem __force *)memory;
}

/**
 * nv3_test_rm() - create a resource manager whose instance memory is ordinary memory
 * @test: the test; KUnit frees the resource manager at the end of the test
 *
 * Return: the resource manager, without registers and VRAM.
 */
struct nv3_rm *nv3_test_rm(struct kunit *test)
{
	struct nv3_device *nv3 = kunit_kzalloc(test, sizeof(*nv3), GFP_KERNEL);
	struct nv3_rm *rm = kunit_kzalloc(test, sizeof(*rm), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, nv3);
	KUNIT_ASSERT_NOT_NULL(test, rm);
	nv3->ramin = (void __iomem __force *)kunit_kzalloc(test, SZ_64K, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, (void __force *)nv3->ramin);
	rm->nv3 = nv3;
	spin_lock_init(&rm->lock);
	spin_lock_init(&rm->signal_lock);
	INIT_LIST_HEAD(&rm->ready);
	INIT_LIST_HEAD(&rm->over);
	INIT_LIST_HEAD(&rm->notifier_done);
	INIT_LIST_HEAD(&rm->preempt_fences);
	return rm;
}

/* ---- fences ---- */

#define NV3_TEST_FENCES		3
#define NV3_TEST_STALL_MS	200

/*
 * The state of a test with three batches of a channel. The CPU that runs the test ends the first
 * two batches, and another CPU ends the third batch.
 */
struct nv3_test_order {
	struct nv3_rm *rm;
	struct nv3_job job[NV3_TEST_FENCES];
	struct dma_fence_cb cb[NV3_TEST_FENCES];
	/**
	 * @signalled: the numbers of the batches, in the order in which their fences have
	 * signalled; @count is the number of entries
	 */
	u64 signalled[NV3_TEST_FENCES];
	atomic_t count;
	/**
	 * @stalled: completed while the first fence is being signalled. @ended: completed when the
	 * other CPU has ended its batch
	 */
	struct completion stalled;
	struct completion ended;
	bool other_ended;
};

static void nv3_test_order_add(struct nv3_test_order *t, unsigned int first, unsigned int count)
{
	unsigned long flags = nv3_rm_lock(t->rm);
	unsigned int i;

	for (i = first; i < first + count; i++)
		list_add_tail(&t->job[i].link, &t->rm->over);
	nv3_rm_unlock(t->rm, flags);
}

static void nv3_test_order_note(struct nv3_test_order *t, struct dma_fence *fence)
{
	t->signalled[atomic_inc_return(&t->count) - 1] = fence->seqno;
}

static void nv3_test_order_signalled(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	unsigned int i = fence->seqno - 1;

	nv3_test_order_note(container_of(cb - i, struct nv3_test_order, cb[0]), fence);
}

/*
 * A callback of the first fence. The callback delays the task that signals the fences, as a busy
 * host may do.
 */
static void nv3_test_order_stall(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct nv3_test_order *t = container_of(cb, struct nv3_test_order, cb[0]);
	unsigned int ms;

	nv3_test_order_note(t, fence);
	complete(&t->stalled);
	for (ms = 0; ms < NV3_TEST_STALL_MS && !READ_ONCE(t->other_ended); ms++)
		mdelay(1);
}

static int nv3_test_order_other(void *data)
{
	struct nv3_test_order *t = data;

	wait_for_completion(&t->stalled);
	nv3_test_order_add(t, NV3_TEST_FENCES - 1, 1);
	WRITE_ONCE(t->other_ended, true);
	complete(&t->ended);
	return 0;
}

/*
 * Tests that fences signal in order. The CPU that runs the test ends two batches, and stalls while
 * it signals the first fence. Meanwhile, another CPU ends the third batch.
 */
static void nv3_test_fence_order(struct kunit *test)
{
	struct nv3_test_order *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct nv3_channel *chan = kunit_kzalloc(test, sizeof(*chan), GFP_KERNEL);
	struct task_struct *other;
	unsigned int i;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	KUNIT_ASSERT_NOT_NULL(test, t);
	KUNIT_ASSERT_NOT_NULL(test, chan);
	t->rm = nv3_test_rm(test);
	chan->rm = t->rm;
	chan->fence_context.context = dma_fence_context_alloc(1);
	init_completion(&t->stalled);
	init_completion(&t->ended);
	for (i = 0; i < NV3_TEST_FENCES; i++) {
		t->job[i].chan = chan;
		t->job[i].fence = nv3_fence_create(chan);
		KUNIT_ASSERT_NOT_NULL(test, t->job[i].fence);
		KUNIT_ASSERT_EQ(test, 0,
				dma_fence_add_callback(t->job[i].fence, &t->cb[i],
						       i ? nv3_test_order_signalled :
							   nv3_test_order_stall));
	}

	other = kthread_run(nv3_test_order_other, t, "nv3-kunit-order");
	KUNIT_ASSERT_FALSE(test, IS_ERR(other));
	nv3_test_order_add(t, 0, NV3_TEST_FENCES - 1);
	wait_for_completion(&t->ended);

	for (i = 0; i < NV3_TEST_FENCES; i++) {
		KUNIT_EXPECT_EQ(test, i + 1, t->signalled[i]);
		dma_fence_put(t->job[i].fence);
	}
}

/* ---- DMA objects ---- */

#define NV3_TEST_PAGES	5	/* the size of the test buffer */

struct nv3_test_dma {
	struct nv3_rm *rm;
	struct nv3_channel *chan;
	struct nv3_dmaobj *dma;
	struct ttm_resource resource;
	struct ttm_tt tt;
	dma_addr_t pages[NV3_TEST_PAGES];
};

/*
 * Creates a DMA object for a range of a buffer in system memory. The range begins one and a half
 * pages after the start of the buffer.
 */
static struct nv3_test_dma *nv3_test_dma_new(struct kunit *test)
{
	struct nv3_test_dma *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->rm = nv3_test_rm(test);
	t->rm->nv3->mmio = nv3_test_bar(test, NV3_PDMA_TLB_PTE + PAGE_SIZE);
	t->chan = kunit_kzalloc(test, sizeof(*t->chan), GFP_KERNEL);
	t->dma = kunit_kzalloc(test, sizeof(*t->dma), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->chan);
	KUNIT_ASSERT_NOT_NULL(test, t->dma);
	t->dma->bo = kunit_kzalloc(test, sizeof(*t->dma->bo), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->dma->bo);

	for (i = 0; i < NV3_TEST_PAGES; i++)
		t->pages[i] = 0xffffe000 - i * 0x5000;
	t->tt.dma_address = t->pages;
	t->resource.mem_type = TTM_PL_TT;
	t->dma->bo->tbo.resource = &t->resource;
	t->dma->bo->tbo.ttm = &t->tt;

	t->chan->rm = t->rm;
	INIT_LIST_HEAD(&t->chan->dmas);
	kref_init(&t->dma->base.ref);
	t->dma->base.chan = t->chan;
	t->dma->base.class = &nv3_class_dma;
	t->dma->base.inst.node.start = 0x4560;
	t->dma->first = 1;
	t->dma->adjust = 0x800;
	t->dma->size = 3 * PAGE_SIZE + 0x800;
	t->dma->pages = 4;
	nv3_class_dma.write(&t->dma->base);
	list_add(&t->dma->link, &t->chan->dmas);
	return t;
}

static u32 nv3_test_dma_word(struct nv3_test_dma *t, u32 offset)
{
	return nv3_ramin_rd32(t->rm->nv3, 0x4560 + offset);
}

/* Updates the DMA object for the next batch. If @named is true, the batch lists the buffer. */
static void nv3_test_dma_update(struct nv3_test_dma *t, bool named)
{
	struct nv3_job job = { .chan = t->chan, .bos = &t->dma->bo, .bo_count = named };

	nv3_dmaobj_prepare(&job);
	t->rm->batch++;
	if (named)
		t->dma->bo->rm.batch = t->rm->batch;
	spin_lock_irq(&t->rm->lock);
	nv3_dmaobj_begin(&job);
	spin_unlock_irq(&t->rm->lock);
}

/*
 * Expects that the DMA object is closed: it is linear, so the chip uses only the first entry, and
 * this entry is not present.
 */
static void nv3_test_dma_expect_shut(struct kunit *test, struct nv3_test_dma *t)
{
	KUNIT_EXPECT_EQ(test, 0, nv3_test_dma_word(t, NV3_DMAOBJ_FLAGS) & NV3_DMAOBJ_PAGED);
	KUNIT_EXPECT_EQ(test, 0,
			nv3_test_dma_word(t, NV3_DMAOBJ_PTE(0)) & NV3_DMAOBJ_PTE_PRESENT);
}

static void nv3_test_dma_expect_table(struct kunit *test, struct nv3_test_dma *t, u32 target,
				      const u32 frame[])
{
	u32 bits = NV3_DMAOBJ_PTE_PRESENT | (t->dma->writable ? NV3_DMAOBJ_PTE_WRITE : 0);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, 0x800 | NV3_DMAOBJ_PAGED | target << NV3_DMAOBJ_TARGET_SHIFT,
			nv3_test_dma_word(t, NV3_DMAOBJ_FLAGS));
	KUNIT_EXPECT_EQ(test, 3 * PAGE_SIZE + 0x800 - 1,
			nv3_test_dma_word(t, NV3_DMAOBJ_LIMIT));
	for (i = 0; i < t->dma->pages; i++)
		KUNIT_EXPECT_EQ_MSG(test, frame[i] | bits,
				    nv3_test_dma_word(t, NV3_DMAOBJ_PTE(i)), "entry %u", i);
	/*
	 * The last entry of the page table must be the entry of the page that contains the limit.
	 */
	KUNIT_EXPECT_EQ(test, 0, nv3_test_dma_word(t, NV3_DMAOBJ_PTE(t->dma->pages)));
}

static void nv3_test_dma_table(struct kunit *test)
{
	static const u32 system[] = { 0xffff9000, 0xffff4000, 0xfffef000, 0xfffea000 };
	static const u32 vram[] = { 0x11000, 0x12000, 0x13000, 0x14000 };
	struct nv3_test_dma *t = nv3_test_dma_new(test);

	nv3_test_dma_expect_shut(test, t);
	nv3_test_dma_update(t, true);
	nv3_test_dma_expect_table(test, t, NV3_DMAOBJ_TARGET_PCI, system);

	/* A batch that does not list the buffer can't access it. */
	nv3_test_dma_update(t, false);
	nv3_test_dma_expect_shut(test, t);
	nv3_test_dma_update(t, true);
	nv3_test_dma_expect_table(test, t, NV3_DMAOBJ_TARGET_PCI, system);

	/* Move the buffer to page 16 of VRAM. */
	t->resource.mem_type = TTM_PL_VRAM;
	t->resource.start = 16;
	nv3_bo_moved(t->dma->bo);
	nv3_test_dma_update(t, true);
	nv3_test_dma_expect_table(test, t, NV3_DMAOBJ_TARGET_VRAM, vram);
}

static void nv3_test_dma_writable(struct kunit *test)
{
	static const u32 system[] = { 0xffff9000, 0xffff4000, 0xfffef000, 0xfffea000 };
	struct nv3_test_dma *t = nv3_test_dma_new(test);

	t->dma->writable = true;
	nv3_test_dma_update(t, true);
	nv3_test_dma_expect_table(test, t, NV3_DMAOBJ_TARGET_PCI, system);
}

/* ---- copies by the CPU ---- */

#define NV3_TEST_VRAM	SZ_64K

static void nv3_test_free_page(void *page)
{
	__free_page(page);
}

static struct ttm_tt *nv3_test_tt(struct kunit *test, unsigned int pages, u8 byte)
{
	struct ttm_tt *tt = kunit_kzalloc(test, sizeof(*tt), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, tt);
	tt->pages = kunit_kcalloc(test, pages, sizeof(*tt->pages), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, tt->pages);
	for (i = 0; i < pages; i++) {
		tt->pages[i] = alloc_page(GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, tt->pages[i]);
		KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, nv3_test_free_page,
								   tt->pages[i]));
		memset(page_address(tt->pages[i]), byte + i, PAGE_SIZE);
	}
	return tt;
}

static struct nv3_rm *nv3_test_engine(struct kunit *test)
{
	struct nv3_rm *rm = nv3_test_rm(test);

	rm->nv3->vram = nv3_test_bar(test, NV3_TEST_VRAM);
	rm->signal_wq = system_dfl_wq;
	KUNIT_ASSERT_NOT_NULL(test, nv3_migration_alloc(rm));
	return rm;
}

/*
 * Requests a copy, and completes its batch with an error, so that the CPU must copy. Returns the
 * fence of the copy with a reference, or NULL if memory is exhausted.
 */
static struct dma_fence *nv3_test_copy_fails(struct nv3_rm *rm, u32 vram, struct ttm_tt *tt,
					     unsigned int pages, bool to_vram)
{
	struct nv3_copy *copy = nv3_copy_alloc(rm, vram, tt, pages, to_vram);
	struct dma_fence job = { .error = -ENODEV };

	if (!copy)
		return NULL;
	dma_fence_get(&copy->base);
	nv3_copy_job_done(&job, &copy->job_done);
	return &copy->base;
}

static void nv3_test_copy_wait(struct kunit *test, struct dma_fence *fence)
{
	KUNIT_ASSERT_NOT_NULL(test, fence);
	KUNIT_ASSERT_GT(test, dma_fence_wait_timeout(fence, false, 10 * HZ), 0);
	dma_fence_put(fence);
}

static void nv3_test_expect_bytes(struct kunit *test, const void *memory, u8 byte)
{
	KUNIT_EXPECT_PTR_EQ(test, NULL, memchr_inv(memory, byte, PAGE_SIZE));
}

/*
 * Tests a copy from VRAM that precedes copies to the same part of VRAM, as when a buffer is
 * evicted. The first copy must save the old contents of VRAM before later copies overwrite these
 * contents.
 */
static void nv3_test_copy_fallback(struct kunit *test)
{
	struct nv3_rm *rm = nv3_test_engine(test);
	u8 *vram = (u8 __force *)rm->nv3->vram;
	struct ttm_tt *out = nv3_test_tt(test, 2, 0x10);
	struct ttm_tt *in = nv3_test_tt(test, 3, 0x20);
	struct dma_fence *last[3];
	unsigned int i;

	memset(vram, 0xee, NV3_TEST_VRAM);
	last[0] = nv3_test_copy_fails(rm, PAGE_SIZE, out, 2, false);
	last[1] = nv3_test_copy_fails(rm, PAGE_SIZE, in, 3, true);
	last[2] = nv3_test_copy_fails(rm, 2 * PAGE_SIZE, NULL, 1, true);
	for (i = 0; i < ARRAY_SIZE(last); i++)
		nv3_test_copy_wait(test, last[i]);

	nv3_test_expect_bytes(test, page_address(out->pages[0]), 0xee);
	nv3_test_expect_bytes(test, page_address(out->pages[1]), 0xee);
	nv3_test_expect_bytes(test, vram, 0xee);
	nv3_test_expect_bytes(test, vram + PAGE_SIZE, 0x20);
	nv3_test_expect_bytes(test, vram + 2 * PAGE_SIZE, 0);
	nv3_test_expect_bytes(test, vram + 3 * PAGE_SIZE, 0x22);
	nv3_test_expect_bytes(test, vram + 4 * PAGE_SIZE, 0xee);
	KUNIT_EXPECT_EQ(test, 3, rm->migration->cpu_fallbacks);
	flush_work(&rm->migration->work);
	kfree(rm->migration);
}

static void nv3_test_ring_table(struct kunit *test)
{
	struct nv3_rm *rm = nv3_test_rm(test);
	struct nv3_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);
	const u32 base = 0x1230;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, ring);
	ring->table.node.start = base;
	for (i = 0; i < NV3_RING_PAGES; i++)
		ring->dma[i] = 0xfffff000u - i * 0x3000u;
	nv3_ring_write_table(rm->nv3, ring);

	KUNIT_EXPECT_EQ(test, NV3_RING_SIZE - 1,
			nv3_ramin_rd32(rm->nv3, base + NV3_DMAOBJ_LIMIT));
	for (i = 0; i < NV3_RING_PAGES; i++)
		KUNIT_EXPECT_EQ(test,
				lower_32_bits(ring->dma[i]) | NV3_DMAOBJ_PTE_PRESENT,
				nv3_ramin_rd32(rm->nv3, base + NV3_DMAOBJ_PTE(i)));
	/*
	 * The entries of the page table must be read-only, and no entry may follow the entry of the
	 * last page.
	 */
	KUNIT_EXPECT_EQ(test, 0,
			nv3_ramin_rd32(rm->nv3, base + NV3_DMAOBJ_PTE(0)) &
			NV3_DMAOBJ_PTE_WRITE);
	KUNIT_EXPECT_EQ(test, 0,
			nv3_ramin_rd32(rm->nv3, base + NV3_DMAOBJ_PTE(NV3_RING_PAGES)));
}

/* Checks that the ranges of batches in flight neither overlap nor exceed the ring. */
static void nv3_test_ring_room(struct kunit *test)
{
	struct nv3_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);
	struct nv3_ring_span span[8];
	unsigned int first = 0, count = 0, i, round;
	u32 random = 1;

	KUNIT_ASSERT_NOT_NULL(test, ring);
	spin_lock_init(&ring->lock);
	for (round = 0; round < 2000; round++) {
		struct nv3_ring_span *new = &span[(first + count) % ARRAY_SIZE(span)];
		u32 size;

		random = random * 1664525 + 1013904223;
		size = ((random >> 8) % (NV3_RING_SIZE / 4) + 4) & ~3u;
		if (count == ARRAY_SIZE(span) || !nv3_ring_alloc(ring, size, new)) {
			KUNIT_ASSERT_GT(test, count, 0);
			nv3_ring_release(ring, &span[first]);
			first = (first + 1) % ARRAY_SIZE(span);
			count--;
			continue;
		}
		KUNIT_ASSERT_LE(test, new->start + new->size, NV3_RING_SIZE);
		for (i = 0; i < count; i++) {
			struct nv3_ring_span *other = &span[(first + i) % ARRAY_SIZE(span)];

			KUNIT_ASSERT_TRUE(test,
					  new->start + new->size <= other->start ||
					  other->start + other->size <= new->start);
		}
		count++;
	}
}

static struct kunit_case nv3_rm_cases[] = {
	KUNIT_CASE(nv3_test_hash),
	KUNIT_CASE(nv3_test_fence_order),
	KUNIT_CASE(nv3_test_dma_table),
	KUNIT_CASE(nv3_test_dma_writable),
	KUNIT_CASE(nv3_test_copy_fallback),
	KUNIT_CASE(nv3_test_ring_table),
	KUNIT_CASE(nv3_test_ring_room),
	{}
};

static struct kunit_suite nv3_rm_suite = {
	.name = "nv3-rm",
	.test_cases = nv3_rm_cases,
};

kunit_test_suite(nv3_rm_suite);
