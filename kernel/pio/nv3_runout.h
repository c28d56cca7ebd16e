/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_RUNOUT_H
#define NV3_RUNOUT_H

#include <linux/types.h>

#include "hw/nv3_cache.h"

struct nv3_channel;
struct nv3_rm;

/*
 * The maximum number of methods in a backlog. The backlog is four times as large as RAMRO, because
 * the driver may empty RAMRO more than once while the aperture is being unmapped.
 */
#define NV3_BACKLOG_SIZE	4096

/*
 * A FIFO of methods that overflowed to RAMRO and wait for room in CACHE1; guarded by nv3_rm.lock.
 */
struct nv3_backlog {
	struct nv3_store *store;
	u32 head;
	u32 count;
};

int nv3_backlog_init(struct nv3_backlog *backlog);
void nv3_backlog_fini(struct nv3_backlog *backlog);

u32 nv3_runout_collect(struct nv3_channel *chan, struct nv3_store *culprit);
void nv3_runout_drop(struct nv3_rm *rm);
void nv3_runout_feed(struct nv3_channel *chan);

#endif
