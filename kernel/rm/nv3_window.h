/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_WINDOW_H
#define NV3_WINDOW_H

#include <linux/mutex.h>

#include <drm/drm_gem.h>

#include "nv3_regs.h"

struct drm_file;
struct nv3_channel;

#define NV3_WINDOW_PAGES	(NV3_USER_STRIDE / PAGE_SIZE)

/* A PIO channel's 64 KiB of BAR0, as its client maps them. */
struct nv3_window {
	/** @gem: gives it a place among the offsets for mmap(), and a life of its own */
	struct drm_gem_object gem;
	/** @file: who may map it: a name to the list of those, never followed */
	struct drm_file *file;
	/** @lock: an entry of a page table is made, against nv3_window_shut() */
	struct mutex lock;
	/** @gone: stores lead nowhere any more. Under @lock */
	bool gone;
	/** @touched: pages that the client has used: made all at once. Under @lock */
	unsigned long touched;
	/** @dummy: where stores lead when they lead nowhere */
	struct page *dummy;
};

int nv3_window_init(struct nv3_channel *chan, struct drm_file *file);
void nv3_window_close(struct nv3_channel *chan);
void nv3_window_shut(struct nv3_channel *chan);
void nv3_window_end(struct nv3_channel *chan);

#endif
