/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_FENCE_H
#define NV3_FENCE_H

#include "nv3_rm_priv.h"

/*
 * Method 0x104 with 1 to 15 writes that slot of the notifier and interrupts; with 0 it writes slot
 * 0 and doesn't interrupt. So a channel has two slots, of which it uses one.
 */
#define NV3_FENCE_SLOT		1
#define NV3_FENCE_SIZE		(2 * NV3_NOTIFICATION_SIZE)

/* The number of words that end a batch, and the subchannel that they bind. */
#define NV3_FENCE_TAIL		6
#define NV3_TAIL_SUBCH		7

struct nv3_notifier_wait;

/* How the chip signals that a batch of the channel is done. */
struct nv3_fence_context {
	/** @object: the object with a secret handle that the tail of each batch uses */
	struct nv3_object *object;
	/** @target: the DMA object over the channel's slots */
	struct nv3_ramin target;
	/** @context: the dma_fence context */
	u64 context;
	/** @seqno: of the newest fence; nv3_channel.lock */
	u64 seqno;
};

int nv3_fence_page_init(struct nv3_rm *rm);
int nv3_fence_init(struct nv3_channel *chan);
void nv3_fence_fini(struct nv3_channel *chan);
void nv3_fence_write_tail(struct nv3_channel *chan, __le32 *words);
void nv3_fence_arm(struct nv3_channel *chan);
bool nv3_fence_is_done(struct nv3_channel *chan);
struct dma_fence *nv3_fence_create(struct nv3_channel *chan);

/* nv3_notifier.c */
struct nv3_notifier_wait *nv3_notifier_create(struct nv3_channel *chan, struct nv3_bo *bo,
					      u64 offset);
struct dma_fence *nv3_notifier_fence(struct nv3_notifier_wait *wait);
int nv3_notifier_attach(struct nv3_device *nv3, struct nv3_notifier_wait *wait);
void nv3_notifier_add(struct nv3_channel *chan, struct nv3_notifier_wait *wait);
void nv3_notifier_release(struct nv3_notifier_wait *wait);
void nv3_notifier_check(struct nv3_channel *chan, u64 retired);
void nv3_notifier_signal(struct nv3_rm *rm, struct list_head *list);
void nv3_notifier_free_work(struct work_struct *work);

#endif
