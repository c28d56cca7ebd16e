// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Drawing by a software class
 *
 * A software class can replace a hardware class that PGRAPH lacks. To draw, the functions of the
 * software class make PGRAPH execute methods of another class. The driver can't insert these
 * methods into CACHE1, because the client's method is still the first entry of CACHE1. The driver
 * therefore injects the methods through CACHE0 (hw/nv3_cache.c). CACHE0 holds one method, which the
 * puller takes before the methods in CACHE1.
 *
 * The driver writes one method to CACHE0 and lets the puller continue, without waiting for PGRAPH.
 * If the client's method needs more than one injected method, the client's method stays in CACHE1
 * (NV3_TRAP_AGAIN). Whenever PGRAPH has executed an injected method, the client's method traps
 * again, and the driver injects the next method. The object stores how many methods have been
 * injected, so other channels may run between two injected methods.
 *
 * PGRAPH treats the object as an object of the other class. Options, colours, notifiers and faults
 * therefore work as with an object of a hardware class. If an injected method faults, the
 * description of the fault contains the client's method instead of the injected method
 * (nv3_inject_describe()).
 */

#include <drm/drm_print.h>

#include "hw/nv3_cache.h"
#include "nv3_class.h"
#include "nv3_graph.h"
#include "rm/nv3_channel.h"
#include "rm/nv3_switch.h"

/**
 * nv3_inject_create() - &struct nv3_class.create of a software class that draws
 * @chan: the channel
 * @class: the class
 * @file: the client's file
 * @args: the arguments
 *
 * Context: process context; nv3_channel.lock is held.
 * Return: the same as nv3_graph_create(). The object is a software object, so PFIFO stops at each
 * of its methods.
 */
struct nv3_object *nv3_inject_create(struct nv3_channel *chan, const struct nv3_class *class,
				     struct drm_file *file, const union nv3_object_args *args)
{
	struct nv3_object *obj = nv3_graph_create(chan, class, file, args);

	if (!IS_ERR(obj))
		obj->key.ctx = nv3_object_ctx(obj, false);
	return obj;
}

/**
 * nv3_inject_own_pgraph() - make the channel of an object the owner of PGRAPH
 * @obj: the object
 *
 * After the call, PGRAPH is idle, and the caller may access its registers.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_inject_own_pgraph(struct nv3_object *obj)
{
	struct nv3_channel *chan = obj->chan;

	lockdep_assert_held(&chan->rm->lock);

	if (chan->rm->pgraph != chan)
		nv3_switch_pgraph(chan, NV3_SWITCH_SOFTWARE);
}

/**
 * nv3_inject_select() - make PGRAPH treat an object as an object of another class
 * @obj: the object
 * @subch: the subchannel
 * @class_id: the other class, which PGRAPH must have
 *
 * Context: nv3_rm.lock is held; PGRAPH is idle.
 * Return: DRM_NV3_FAULT_STATE if a notifier is still armed, as for an object of a hardware class;
 * else DRM_NV3_FAULT_NONE.
 */
u32 nv3_inject_select(struct nv3_object *obj, u32 subch, u32 class_id)
{
	struct nv3_device *nv3 = obj->chan->rm->nv3;
	u32 options = to_grobj(obj)->options & NV3_PGRAPH_CTX_SWITCH_MASK;

	nv3_inject_own_pgraph(obj);
	if (nv3_rd32(nv3, NV3_PGRAPH_NOTIFY) & NV3_PGRAPH_NOTIFY_ARMED)
		return DRM_NV3_FAULT_STATE;

	to_grobj(obj)->step = 0;
	to_grobj(obj)->notify = 0;

	/* CTX_CACHE can be written only while PGRAPH accepts no methods. */
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 0);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_CACHE(subch), options);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_SWITCH, options);
	nv3_mask32(nv3, NV3_PGRAPH_CTX_USER, NV3_PGRAPH_CTX_USER_CLASS | NV3_PGRAPH_CTX_USER_SUBCH,
		   class_id << NV3_CTX_CLASS_SHIFT | subch << NV3_FIFO_ADDR_SUBCH_SHIFT);
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
	return DRM_NV3_FAULT_NONE;
}

/**
 * nv3_inject() - make PGRAPH execute a method before the methods in CACHE1
 * @obj: the object
 * @subch: the subchannel
 * @class_id: the class of the method
 * @mthd: the method
 * @data: the argument of the method
 *
 * nv3_class.method() calls this function at most once for each trap. PFIFO has stopped at a method,
 * so CACHE0 is empty.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_inject(struct nv3_object *obj, u32 subch, u32 class_id, u32 mthd, u32 data)
{
	const struct nv3_store store = {
		.addr = subch << NV3_FIFO_ADDR_SUBCH_SHIFT | mthd,
		.data = data,
	};
	struct nv3_channel *chan = obj->chan;

	lockdep_assert_held(&chan->rm->lock);
	drm_WARN_ON(&chan->rm->nv3->drm, chan->rm->pfifo != chan);

	nv3_cache0_push(chan->rm->nv3, chan->chid,
			NV3_CTX_CLASS_GRAPH | NV3_CTX_HARDWARE | class_id << NV3_CTX_CLASS_SHIFT |
			nv3_ramin_inst(&obj->inst), &store);
}

/**
 * nv3_inject_disarm_notifier() - disarm the client's notifier
 * @obj: the object
 *
 * PGRAPH must not write the notification before the client's method is complete. The notifier is
 * therefore armed only for the last injected method.
 *
 * Context: nv3_rm.lock is held; PGRAPH is idle.
 */
void nv3_inject_disarm_notifier(struct nv3_object *obj)
{
	struct nv3_device *nv3 = obj->chan->rm->nv3;
	u32 notify = nv3_rd32(nv3, NV3_PGRAPH_NOTIFY);

	to_grobj(obj)->notify = 0;
	if (!(notify & NV3_PGRAPH_NOTIFY_ARMED))
		return;

	to_grobj(obj)->notify = notify;
	nv3_wr32(nv3, NV3_PGRAPH_NOTIFY, notify & ~NV3_PGRAPH_NOTIFY_ARMED);
}

/**
 * nv3_inject_rearm_notifier() - undo nv3_inject_disarm_notifier()
 * @obj: the object
 *
 * Context: nv3_rm.lock is held; PGRAPH is idle.
 */
void nv3_inject_rearm_notifier(struct nv3_object *obj)
{
	if (to_grobj(obj)->notify)
		nv3_wr32(obj->chan->rm->nv3, NV3_PGRAPH_NOTIFY, to_grobj(obj)->notify);
	to_grobj(obj)->notify = 0;
}

/**
 * nv3_inject_describe() - &struct nv3_class.injected
 * @obj: the object
 * @mthd: the client's method
 * @data: the argument of the method
 */
void nv3_inject_describe(struct nv3_object *obj, u32 *mthd, u32 *data)
{
	*mthd = to_grobj(obj)->mthd;
	*data = to_grobj(obj)->data;
}
