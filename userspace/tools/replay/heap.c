/* SPDX-License-Identifier: MIT */
/* A heap of addresses, kept as a list of free ranges. */
#include <stdlib.h>

#include "util/u_math.h"
#include "util/vma.h"

struct hole {
	struct list_head link;
	uint64_t start, end;
};

/*
 * Inserts a free range before @next. If memory is exhausted, the range is lost and can't be
 * allocated again.
 */
static void add_hole(struct list_head *next, uint64_t start, uint64_t end)
{
	struct hole *hole = malloc(sizeof(*hole));

	if (!hole)
		return;
	hole->start = start;
	hole->end = end;
	list_addtail(&hole->link, next);
}

static void remove_hole(struct hole *hole)
{
	list_del(&hole->link);
	free(hole);
}

void util_vma_heap_init(struct util_vma_heap *heap, uint64_t start, uint64_t size)
{
	list_inithead(&heap->holes);
	add_hole(&heap->holes, start, start + size);
}

static void cut(struct hole *hole, uint64_t start, uint64_t end)
{
	if (start > hole->start)
		add_hole(&hole->link, hole->start, start);
	hole->start = end;
	if (hole->start == hole->end)
		remove_hole(hole);
}

uint64_t util_vma_heap_alloc(struct util_vma_heap *heap, uint64_t size, uint64_t alignment)
{
	list_for_each_entry(struct hole, hole, &heap->holes, link) {
		uint64_t start = align64(hole->start, alignment);

		if (start < hole->end && size <= hole->end - start) {
			cut(hole, start, start + size);
			return start;
		}
	}
	return 0;
}

bool util_vma_heap_alloc_addr(struct util_vma_heap *heap, uint64_t addr, uint64_t size)
{
	list_for_each_entry(struct hole, hole, &heap->holes, link) {
		if (addr >= hole->start && addr + size <= hole->end) {
			cut(hole, addr, addr + size);
			return true;
		}
	}
	return false;
}

/* Merges a free range with the adjacent free ranges. */
static void join(struct util_vma_heap *heap, struct hole *hole)
{
	struct hole *prev = list_item(hole->link.prev, struct hole, link);
	struct hole *next = list_item(hole->link.next, struct hole, link);

	if (&next->link != &heap->holes && hole->end == next->start) {
		hole->end = next->end;
		remove_hole(next);
	}
	if (&prev->link != &heap->holes && prev->end == hole->start) {
		prev->end = hole->end;
		remove_hole(hole);
	}
}

void util_vma_heap_free(struct util_vma_heap *heap, uint64_t offset, uint64_t size)
{
	struct list_head *next = heap->holes.next;
	struct hole *hole;

	while (next != &heap->holes && list_item(next, struct hole, link)->start < offset)
		next = next->next;
	hole = malloc(sizeof(*hole));
	if (!hole)
		return;
	hole->start = offset;
	hole->end = offset + size;
	list_addtail(&hole->link, next);
	join(heap, hole);
}
