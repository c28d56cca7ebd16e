/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_DMAOBJ_H
#define NV3_DMAOBJ_H

#include "nv3_object.h"

/* A window on part of a buffer, for the chip. */
struct nv3_dmaobj {
	struct nv3_object base;
	struct nv3_bo *bo;
	/** @link: in nv3_channel.dmas */
	struct list_head link;
	/** @first: page of the buffer that the window begins in, @adjust bytes into it */
	unsigned long first;
	u32 adjust;
	u32 size;
	unsigned int pages;
	bool writable;
	/** @open: the chip can get through; @generation: to where the buffer was then */
	bool open;
	u32 generation;
	/** @filled: the page table, but for its first entry, is that of @filled_generation */
	bool filled;
	u32 filled_generation;
	/** @stale: in nv3_dmaobj_prepare()'s list of those to fill */
	struct list_head stale;
};

struct nv3_job;

void nv3_dmaobj_prepare(struct nv3_job *job);
void nv3_dmaobj_update(struct nv3_channel *chan, u64 batch);

#endif
