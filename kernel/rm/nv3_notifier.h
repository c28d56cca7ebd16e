/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_NOTIFIER_H
#define NV3_NOTIFIER_H

#include <linux/dma-fence.h>
#include <linux/types.h>

#include "nv3_rm_priv.h"

struct nv3_channel;
struct nv3_object;

/*
 * Method 0x104 with 1 to 15 writes that slot of the notifier and interrupts; with
 * 0, slot 0 and no interrupt. So a channel has two slots, of which it uses one.
 */
#define NV3_NOTIFIER_SLOT	1
#define NV3_NOTIFIER_SIZE	(2 * NV3_NOTIFICATION_SIZE)

/* The words that end a batch. */
#define NV3_NOTIFIER_TAIL	6

struct nv3_notifier {
	/** @object: the PLANE object of a secret name that the tail uses */
	struct nv3_object *object;
	/** @target: the DMA object over the channel's slots */
	struct nv3_ramin target;
	/** @context: of the fences, with the @seqno of the newest */
	u64 context;
	u64 seqno;
};

int nv3_notifier_page_init(struct nv3_rm *rm);

int nv3_notifier_init(struct nv3_channel *chan);
void nv3_notifier_fini(struct nv3_channel *chan);
int nv3_notifier_rename(struct nv3_channel *chan);
void nv3_notifier_write(struct nv3_channel *chan);
void nv3_notifier_tail(struct nv3_channel *chan, __le32 *words);
void nv3_notifier_arm(struct nv3_channel *chan);
bool nv3_notifier_done(struct nv3_channel *chan);
struct dma_fence *nv3_fence_create(struct nv3_channel *chan);

/* nv3_notify.c */
void nv3_notify_look(struct nv3_channel *chan, u64 retired);
void nv3_notify_signal(struct nv3_rm *rm, struct list_head *list);
void nv3_notify_free_work(struct work_struct *work);

#endif
