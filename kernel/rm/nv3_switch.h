/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_SWITCH_H
#define NV3_SWITCH_H

#include <linux/ktime.h>

#include "nv3_rm_types.h"

/* Returns the number of a channel, or -1 if @chan is NULL. */
static inline int nv3_switch_chid(const struct nv3_channel *chan)
{
	return chan ? chan->chid : -1;
}

/* Returns the reason for a switch of PFIFO to another channel, @next. nv3_rm.lock is held. */
static inline enum nv3_switch_reason nv3_switch_pfifo_reason(const struct nv3_channel *next)
{
	struct nv3_channel *owner = next->rm->pfifo;

	if (!owner)
		return next->rm->pfifo_lost;
	if (owner->queue.preempted.valid)
		return owner->queue.reason;
	/*
	 * The owner's previous batch has ended. If the owner has a further batch, the buffers of
	 * that batch may have been evicted.
	 */
	if (list_empty(&owner->queue.link))
		return nv3_sched_evicted_job(owner) ? NV3_SWITCH_MEMORY : NV3_SWITCH_IDLE;
	return next->queue.priority > owner->queue.priority ? NV3_SWITCH_PRIORITY :
							      NV3_SWITCH_TIMESLICE;
}

static inline void nv3_switch_account(struct nv3_switch_cost *cost, ktime_t start)
{
	cost->count++;
	cost->ns += ktime_to_ns(ktime_sub(ktime_get(), start));
}

void nv3_switch_reset(struct nv3_rm *rm);
void nv3_switch_fini(struct nv3_rm *rm);
void nv3_switch_enable_vblank(struct nv3_rm *rm);

void nv3_switch_pfifo(struct nv3_channel *chan);
void nv3_switch_pgraph(struct nv3_channel *chan, enum nv3_switch_reason reason);
bool nv3_switch_preempt(struct nv3_rm *rm);
void nv3_switch_resume(struct nv3_channel *chan);
void nv3_switch_save_idle_pgraph(struct nv3_rm *rm);
void nv3_switch_abort(struct nv3_rm *rm);
void nv3_switch_release(struct nv3_channel *chan);

u32 nv3_switch_binding(struct nv3_channel *chan, unsigned int subch);
void nv3_switch_bind(struct nv3_channel *chan, unsigned int subch, u32 ctx);
void nv3_switch_unbind(struct nv3_channel *chan, struct nv3_object *obj,
		       u32 ctx[NV3_PFIFO_CACHE1_CTX_COUNT]);
void nv3_switch_invalidate_objects(struct nv3_channel *chan);

#endif
