// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Drawing for a software class
 *
 * A software class that stands in for a hardware class draws with the methods of another
 * one that PGRAPH does have. They can't go the client's way, through CACHE1, as the method
 * that they replace still is in there, with others behind it. For this PFIFO has a second
 * cache: CACHE0 holds one method, which only the driver writes, and goes before CACHE1
 * (envytools, fifo/nv1-pfifo).
 *
 * So the resource manager puts one method there and lets the puller go on; nothing is
 * waited for. If the client's method needs several, it stays in CACHE1 (NV3_TRAP_AGAIN),
 * traps again when PGRAPH is done with the first, and the next is sent then. How far it
 * has come is in the object, so even a switch of channels may come in between.
 *
 * To PGRAPH the object is one of the other class: options, colours, notifiers and faults
 * are those of real objects. What a fault says is put right by nv3_trap_explain().
 */

#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_class.h"
#include "nv3_graph.h"

/* CACHE0's PUT and GET have one bit: it holds a method while they differ. */
#define NV3_INJECT_POINTER	0x4

/*
 * PFIFO starts anew, or drops what it was doing: nothing is in CACHE0. While the pointers
 * differ, the puller would take what was there last.
 */
void nv3_inject_reset(struct nv3_rm *rm)
{
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE0_PULL_CTRL, 0);
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE0_PUT, 0);
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE0_GET, 0);
	rm->inject_put = 0;
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE0_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
}

/* nv3_class.create(): as a hardware object, but PFIFO stops on it. */
struct nv3_object *nv3_inject_create(struct nv3_channel *chan, const struct nv3_class *class,
				     struct drm_file *file, const union nv3_object_args *args)
{
	struct nv3_object *obj = nv3_graph_create(chan, class, file, args);

	if (!IS_ERR(obj))
		obj->ctx = nv3_object_ctx(obj, false);
	return obj;
}

/* Makes PGRAPH the channel's, for who is to read or write its registers. It is idle. */
void nv3_inject_own(struct nv3_object *obj)
{
	struct nv3_channel *chan = obj->chan;

	lockdep_assert_held(&chan->rm->lock);

	if (chan->rm->pgraph != chan)
		nv3_switch_pgraph(chan);
}

/*
 * The client selects the object: PGRAPH gets what method 0 on one of @class_id would have
 * left there. Faults as silicon does when a notifier is armed and not used.
 */
u32 nv3_inject_select(struct nv3_object *obj, u32 subch, u32 class_id)
{
	struct nv3_device *nv3 = obj->chan->rm->nv3;
	u32 options = to_grobj(obj)->options & NV3_PGRAPH_CTX_SWITCH_MASK;

	nv3_inject_own(obj);
	if (nv3_rd32(nv3, NV3_PGRAPH_NOTIFY) & NV3_PGRAPH_NOTIFY_ARMED)
		return DRM_NV3_FAULT_STATE;

	to_grobj(obj)->step = 0;
	to_grobj(obj)->notify = 0;

	/* CTX_CACHE can be written only while PGRAPH takes no methods. */
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 0);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_CACHE(subch), options);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_SWITCH, options);
	nv3_mask32(nv3, NV3_PGRAPH_CTX_USER, NV3_PGRAPH_CTX_USER_CLASS | NV3_PGRAPH_CTX_USER_SUBCH,
		   class_id << NV3_CTX_CLASS_SHIFT | subch << NV3_FIFO_ADDR_SUBCH_SHIFT);
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
	return DRM_NV3_FAULT_NONE;
}

/* Puts a method of the channel and the context word @ctx into CACHE0, which is empty. */
void nv3_inject_raw(struct nv3_rm *rm, u32 chid, u32 ctx, u32 addr, u32 data)
{
	struct nv3_device *nv3 = rm->nv3;

	lockdep_assert_held(&rm->lock);

	nv3_wr32(nv3, NV3_PFIFO_CACHE0_PUSH_CHID, chid);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_CTX, ctx);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_ADDR, addr);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_DATA, data);
	rm->inject_put ^= NV3_INJECT_POINTER;
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_PUT, rm->inject_put);
}

/*
 * Has PGRAPH carry out a method of @class_id on the object, before anything that is in
 * CACHE1. One for each trap: CACHE0 is empty when PFIFO has stopped on a method.
 */
void nv3_inject(struct nv3_object *obj, u32 subch, u32 class_id, u32 mthd, u32 data)
{
	struct nv3_channel *chan = obj->chan;

	drm_WARN_ON(&chan->rm->nv3->drm, chan->rm->pfifo != chan);

	nv3_inject_raw(chan->rm, chan->chid,
		       NV3_CTX_CLASS_GRAPH | NV3_CTX_HARDWARE | class_id << NV3_CTX_CLASS_SHIFT |
		       nv3_ramin_inst(&obj->inst),
		       subch << NV3_FIFO_ADDR_SUBCH_SHIFT | mthd, data);
}

/*
 * A notifier that the client has armed is for the whole of its next method. So it is
 * disarmed while the first parts of that are done, and armed again for the last.
 */
void nv3_inject_hold_notify(struct nv3_object *obj)
{
	struct nv3_device *nv3 = obj->chan->rm->nv3;
	u32 notify = nv3_rd32(nv3, NV3_PGRAPH_NOTIFY);

	to_grobj(obj)->notify = 0;
	if (!(notify & NV3_PGRAPH_NOTIFY_ARMED))
		return;

	to_grobj(obj)->notify = notify;
	nv3_wr32(nv3, NV3_PGRAPH_NOTIFY, notify & ~NV3_PGRAPH_NOTIFY_ARMED);
}

void nv3_inject_free_notify(struct nv3_object *obj)
{
	if (to_grobj(obj)->notify)
		nv3_wr32(obj->chan->rm->nv3, NV3_PGRAPH_NOTIFY, to_grobj(obj)->notify);
	to_grobj(obj)->notify = 0;
}
