/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_FENCE_H
#define NV3_FENCE_H

#include "nv3_rm_types.h"

struct nv3_notifier_wait;

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
