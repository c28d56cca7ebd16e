/* SPDX-License-Identifier: MIT */
/* Replaces Mesa's header of the same name: a heap of addresses. ../../heap.c implements it. */
#ifndef NV3_REPLAY_VMA_H
#define NV3_REPLAY_VMA_H

#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"

struct util_vma_heap {
	struct list_head holes;	/* sorted by address */
	bool alloc_high;	/* ignored: the heap always allocates the lowest free address */
};

void util_vma_heap_init(struct util_vma_heap *heap, uint64_t start, uint64_t size);
/* Returns the address of a free range, or 0. @alignment is a power of two. */
uint64_t util_vma_heap_alloc(struct util_vma_heap *heap, uint64_t size, uint64_t alignment);
/* Allocates a given range. Returns false if a part of the range is in use. */
bool util_vma_heap_alloc_addr(struct util_vma_heap *heap, uint64_t addr, uint64_t size);
void util_vma_heap_free(struct util_vma_heap *heap, uint64_t offset, uint64_t size);

#endif
