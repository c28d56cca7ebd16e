/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_QUEUE_H
#define NV3_QUEUE_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/types.h>

#include "nv3_regs.h"

struct nv3_channel;
struct nv3_job;
struct nv3_object;
struct nv3_rm;

/* Why a channel stopped, as CHANNEL_QUERY tells it. */
struct nv3_fault {
	u32 reason;	/* DRM_NV3_FAULT_* */
	u32 subch;
	u32 mthd;
	u32 data;
	u32 class_id;
};

/* What PFIFO had of a batch that was taken off the chip in the middle. */
struct nv3_parked {
	/** @valid: the channel's first batch is parked here, and not on the chip */
	bool valid;
	u32 dma_state;
	u32 dma_get;
	u32 dma_count;
	/** @count: methods that were in CACHE1, in order */
	unsigned int count;
	struct nv3_store entry[NV3_PFIFO_CACHE1_SIZE_C];
};

/* A channel's part in the ready queue; nv3_rm.lock. */
struct nv3_queue {
	/** @link: in nv3_rm.ready */
	struct list_head link;
	/** @jobs: batches that the scheduler has let go, oldest first */
	struct list_head jobs;
	/** @blocked: since when it waits; @deadline: until when it may; @closed: it may not */
	ktime_t blocked;
	ktime_t deadline;
	bool closed;
	/** @waits: the object whose method waits, and @fault, what it is if that lasts */
	struct nv3_object *waits;
	struct nv3_fault fault;
	struct hrtimer timer;
	/** @priority: DRM_NV3_PRIORITY_*, set once */
	s32 priority;
	/** @overtaken: how often others have been put before it since it became ready */
	u32 overtaken;
	/** @since: when its turn began; @keeps: it goes on with it */
	ktime_t since;
	bool keeps;
	/** @reaps: it doesn't want a turn before destroyed objects are removed */
	bool reaps;
	/** @entered: nv3_rm.turns when it came to want one; @waited: the most that it saw begin */
	u64 entered;
	u32 waited;
	struct nv3_parked parked;
};

/* nv3_queue.c */
void nv3_queue_rm_init(struct nv3_rm *rm);
void nv3_queue_rm_fini(struct nv3_rm *rm);
void nv3_queue_init(struct nv3_channel *chan);
void nv3_queue_fini(struct nv3_channel *chan);
void nv3_queue_add(struct nv3_job *job);
struct nv3_job *nv3_queue_wants_memory(struct nv3_channel *chan);
void nv3_queue_resume(struct nv3_channel *chan);
void nv3_queue_reclaim(struct nv3_job *job);
void nv3_queue_next(struct nv3_rm *rm);
void nv3_queue_reaped(struct nv3_channel *chan);
void nv3_queue_turn_over(struct nv3_rm *rm);
u32 nv3_queue_block(struct nv3_channel *chan, struct nv3_object *obj, u32 limit_ms);
void nv3_queue_wake(struct nv3_channel *chan);
void nv3_queue_fail(struct nv3_channel *chan);
void nv3_queue_close(struct nv3_channel *chan);
void nv3_queue_doubt(struct nv3_rm *rm);
void nv3_queue_park(struct nv3_rm *rm);
bool nv3_queue_stopping(struct nv3_rm *rm);
void nv3_queue_abort(struct nv3_rm *rm);
void nv3_queue_drop(struct nv3_channel *chan, int first, int rest);

/* nv3_park.c */
bool nv3_park(struct nv3_rm *rm);
void nv3_unpark(struct nv3_channel *chan);

#endif
