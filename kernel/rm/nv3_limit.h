/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_LIMIT_H
#define NV3_LIMIT_H

#include <linux/ktime.h>
#include <linux/types.h>

struct nv3_job;

/* Chip time that a batch may take, if its channel says nothing else. */
#define NV3_LIMIT_BUDGET_MS	10000

/* What a batch has cost so far; nv3_rm.lock. */
struct nv3_meter {
	/** @begun: its turn; @looked: and it has been looked at since */
	ktime_t begun;
	bool looked;
	/** @ran_ns: the chip's time, counted up to when the chip's clock showed @counted */
	u64 ran_ns;
	u32 counted;
	/** @progress: how far it is; @since: when that was first seen, with the counts of then */
	u64 progress;
	ktime_t since;
	u64 since_ran_ns;
	u32 since_bytes;
	/** @bytes: moved since */
	u32 bytes;
};

void nv3_limit_begin(struct nv3_job *job);
void nv3_limit_look(struct nv3_job *job);
bool nv3_limit_exceeded(struct nv3_job *job);

#endif
