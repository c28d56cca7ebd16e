// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of the resource manager's pure parts: the hash of names, the page
 * table of a ring, and the room in it.
 */

#include <kunit/test.h>

#include "nv3_ring.h"
#include "nv3_rm_priv.h"

/*
 * Seed 000's description, a bit at a time: the name folded to the index's bits by
 * exclusive or, and the channel's number.
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
		/* Numerical Recipes' generator. */
		name = name * 1664525 + 1013904223;
		chid = name >> 25;
		KUNIT_ASSERT_LT(test, NV3_RAMHT_HASH(name, chid), NV3_RAMHT_BUCKETS);
		KUNIT_ASSERT_EQ_MSG(test, nv3_test_hash_slow(name, chid),
				    NV3_RAMHT_HASH(name, chid), "name %#x", name);
	}
}

/* A resource manager whose instance memory is plain memory. */
static struct nv3_rm *nv3_test_rm(struct kunit *test)
{
	struct nv3_device *nv3 = kunit_kzalloc(test, sizeof(*nv3), GFP_KERNEL);
	struct nv3_rm *rm = kunit_kzalloc(test, sizeof(*rm), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, nv3);
	KUNIT_ASSERT_NOT_NULL(test, rm);
	nv3->ramin = (void __iomem __force *)kunit_kzalloc(test, SZ_64K, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, (void __force *)nv3->ramin);
	rm->nv3 = nv3;
	return rm;
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
	nv3_ring_write_table(rm, ring);

	KUNIT_EXPECT_EQ(test, NV3_RING_SIZE - 1,
			nv3_ramin_rd32(rm->nv3, base + NV3_DMAOBJ_LIMIT));
	for (i = 0; i < NV3_RING_PAGES; i++)
		KUNIT_EXPECT_EQ(test,
				lower_32_bits(ring->dma[i]) | NV3_DMAOBJ_PTE_PRESENT,
				nv3_ramin_rd32(rm->nv3, base + NV3_DMAOBJ_PTE(i)));
	/* It can be read and not written, and nothing is beyond its end. */
	KUNIT_EXPECT_EQ(test, 0,
			nv3_ramin_rd32(rm->nv3, base + NV3_DMAOBJ_PTE(0)) &
			NV3_DMAOBJ_PTE_WRITE);
	KUNIT_EXPECT_EQ(test, 0,
			nv3_ramin_rd32(rm->nv3, base + NV3_DMAOBJ_PTE(NV3_RING_PAGES)));
}

/* Spans of batches in flight never overlap, and never reach past the ring's end. */
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
		if (count == ARRAY_SIZE(span) || !nv3_ring_take(ring, size, new)) {
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
	KUNIT_CASE(nv3_test_ring_table),
	KUNIT_CASE(nv3_test_ring_room),
	{}
};

static struct kunit_suite nv3_rm_suite = {
	.name = "nv3-rm",
	.test_cases = nv3_rm_cases,
};

kunit_test_suite(nv3_rm_suite);
