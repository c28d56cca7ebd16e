/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_DMAOBJ_H
#define NV3_DMAOBJ_H

#include "nv3_classes.h"

struct nv3_job;

/** struct nv3_dmaobj - a DMA object: the range of a buffer that the chip may access */
struct nv3_dmaobj {
	struct nv3_object base;

	/* Constant. */

	struct nv3_bo *bo;
	/** @first: index of the page of the buffer in which the range begins */
	unsigned long first;
	/** @adjust: the offset of the range in page @first, in bytes */
	u32 adjust;
	/** @size: the size of the range in bytes; @pages is the number of pages that contain it */
	u32 size;
	unsigned int pages;
	/** @writable: the chip may write to the range */
	bool writable;

	/* Guarded by nv3_rm.lock. */

	/** @link: entry in nv3_channel.dmas */
	struct list_head link;
	/** @open: the words in RAMIN let the chip access the range */
	bool open;
	/** @generation: the buffer's generation when the object was opened */
	u32 generation;
	/**
	 * @filled: the page table entries after the first entry are valid for the buffer's
	 * generation @filled_generation
	 */
	bool filled;
	u32 filled_generation;
	/** @stale: entry in nv3_dmaobj_prepare()'s list of DMA objects with outdated page tables */
	struct list_head stale;
};

void nv3_dmaobj_prepare(struct nv3_job *job);
void nv3_dmaobj_begin(struct nv3_job *job);

#endif
