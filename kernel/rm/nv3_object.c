// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Objects
 *
 * An object is an instance of a class, with a 32-bit handle that its client has chosen. The
 * channel's table (nv3_channel.objects) contains all objects of the channel. RAMHT is a cache of
 * this table. Registers of the chip and RAMFC refer to the instance memory of bound objects.
 *
 * OBJECT_DESTROY takes effect between batches: batches that were submitted earlier still find the
 * object, and later batches do not. An object that is destroyed while batches are in flight
 * therefore waits in nv3_channel.dying. When the last of these batches has ended, the driver
 * removes the handle from the table and from RAMHT. It also removes all references to the instance
 * memory from the chip. Only then is the instance memory freed.
 *
 * A client may destroy any number of objects during one batch. The driver removes them with
 * interrupts disabled, so it removes at most NV3_OBJECT_REAP_MAX objects at a time: the first
 * objects at the end of the batch, and the remaining objects in a worker (nv3_rm_reap_work()). The
 * next batch of the channel begins when all these objects have been removed.
 */

#include <linux/slab.h>
#include <linux/wait_bit.h>

#include <drm/drm_print.h>

#include "device/nv3_trace.h"
#include "nv3_object.h"
#include "nv3_switch.h"

/* Maximum number of objects per call of nv3_object_reap(), which runs with interrupts disabled. */
#define NV3_OBJECT_REAP_MAX	16

/**
 * nv3_class_find() - find a class that the device offers
 * @rm: the resource manager
 * @id: the number of the class
 * Return: the class, or NULL.
 */
const struct nv3_class *nv3_class_find(struct nv3_rm *rm, u32 id)
{
	unsigned int i;

	for (i = 0; i < rm->class_count; i++)
		if (rm->classes[i]->id == id)
			return rm->classes[i];

	return NULL;
}

/**
 * nv3_object_init() - initialise an object
 * @obj: the object, zeroed
 * @chan: the channel of the object
 * @class: the class of the object
 * @inst_size: size of its instance memory in bytes, or 0
 * Context: process context. nv3_channel.lock is held, or the channel is new.
 * Return: 0 or an error of nv3_ramin_alloc(). On success the caller has the only reference. The
 * function can't fail if @inst_size is 0.
 */
int nv3_object_init(struct nv3_object *obj, struct nv3_channel *chan,
		    const struct nv3_class *class, u32 inst_size)
{
	int ret;

	kref_init(&obj->ref);
	INIT_LIST_HEAD(&obj->dying);
	INIT_LIST_HEAD(&obj->memory);
	INIT_LIST_HEAD(&obj->link);
	obj->class = class;
	obj->chan = chan;
	obj->key.chid = chan->chid;

	if (inst_size) {
		ret = nv3_ramin_alloc(&chan->rm->ramin, &obj->inst, inst_size);
		if (ret) {
			drm_dbg(&chan->rm->nv3->drm, "no instance memory: %u bytes\n", inst_size);
			return ret;
		}
		ret = xa_err(xa_store_irq(&chan->rm->instances, nv3_ramin_inst(&obj->inst), obj,
					  GFP_KERNEL));
		if (ret) {
			nv3_ramin_free(&chan->rm->ramin, &obj->inst);
			return ret;
		}
	}

	atomic_inc(&chan->object_count);
	return 0;
}

/**
 * nv3_object_fini() - undo nv3_object_init()
 * @obj: the object
 *
 * nv3_class.destroy() calls this function last, before it frees the object. The channel may be
 * freed at any time after the call.
 * Context: process context.
 */
void nv3_object_fini(struct nv3_object *obj)
{
	struct nv3_channel *chan = obj->chan;
	struct nv3_rm *rm = chan->rm;

	if (obj->class->faulted) {
		spin_lock_irq(&rm->lock);
		list_del_init(&obj->link);
		spin_unlock_irq(&rm->lock);
	}
	if (drm_mm_node_allocated(&obj->inst.node)) {
		spin_lock_irq(&rm->lock);	/* for nv3_object_find_inst() */
		xa_erase(&rm->instances, nv3_ramin_inst(&obj->inst));
		spin_unlock_irq(&rm->lock);
		nv3_ramin_free(&rm->ramin, &obj->inst);
	}

	if (atomic_dec_and_test(&chan->object_count))
		wake_up_var(&chan->object_count);
}

/**
 * nv3_object_wait_destroyed() - wait until all objects of a channel are destroyed
 * @chan: the channel, after nv3_object_remove_all()
 *
 * Flushing nv3_rm.free_work would not suffice. If nv3_rm.free is not empty, nv3_object_put() relies
 * on the task that added the first object to queue the work. Before that task has queued it,
 * flush_work() returns at once.
 * Context: process context.
 */
void nv3_object_wait_destroyed(struct nv3_channel *chan)
{
	wait_var_event(&chan->object_count, !atomic_read(&chan->object_count));
}

/**
 * nv3_object_find_inst() - find an object by its instance
 * @chan: the channel
 * @inst: the instance, as the chip reports it
 * Context: nv3_rm.lock is held.
 * Return: the object, or NULL if the channel has no object with this instance.
 */
struct nv3_object *nv3_object_find_inst(struct nv3_channel *chan, u32 inst)
{
	struct nv3_object *obj;

	lockdep_assert_held(&chan->rm->lock);

	obj = xa_load(&chan->rm->instances, inst);
	return obj && obj->chan == chan ? obj : NULL;
}

/**
 * nv3_object_ctx() - return the context word of an object
 * @obj: the object
 * @hw: whether PGRAPH executes the object's methods
 * Return: the context word, as RAMHT contains it.
 */
u32 nv3_object_ctx(const struct nv3_object *obj, bool hw)
{
	u32 ctx = obj->chan->chid << NV3_CTX_CHID_SHIFT | NV3_CTX_CLASS_GRAPH |
		  obj->class->id << NV3_CTX_CLASS_SHIFT;

	return hw ? ctx | NV3_CTX_HARDWARE | nv3_ramin_inst(&obj->inst) : ctx;
}

static void nv3_object_release(struct kref *ref)
{
	struct nv3_object *obj = container_of(ref, struct nv3_object, ref);
	struct nv3_rm *rm = obj->chan->rm;

	/* The task that adds the first object to the list queues the work for the whole list. */
	if (llist_add(&obj->free, &rm->free))
		queue_work(rm->wq, &rm->free_work);
}

/**
 * nv3_object_put() - drop a reference
 * @obj: the object, or NULL. A worker destroys the object after the last reference is dropped
 * Context: any.
 */
void nv3_object_put(struct nv3_object *obj)
{
	if (obj)
		kref_put(&obj->ref, nv3_object_release);
}

/**
 * nv3_object_flush_free() - wait until all objects without references have been destroyed
 * @rm: the resource manager
 *
 * The function also queues the work, because the task that added the first object may not have
 * queued it yet.
 * Context: process context; no reservation may be held.
 */
void nv3_object_flush_free(struct nv3_rm *rm)
{
	queue_work(rm->wq, &rm->free_work);
	flush_work(&rm->free_work);
}

/**
 * nv3_object_free_work() - destroy objects without references
 * @work: nv3_rm.free_work
 */
void nv3_object_free_work(struct work_struct *work)
{
	struct nv3_rm *rm = container_of(work, struct nv3_rm, free_work);
	struct nv3_object *obj, *next;
	struct llist_node *list;

	/* Destroying an object may drop the last reference to other objects. */
	while ((list = llist_del_all(&rm->free)))
		llist_for_each_entry_safe(obj, next, list, free)
			obj->class->destroy(obj);
}

/**
 * nv3_object_init_table() - initialise the table of objects of a new channel
 * @chan: the channel
 *
 * Only this table's lock is taken in interrupts. lockdep puts all xarray locks that one file
 * initialises into one class, so another file must initialise nv3_file.channels.
 */
void nv3_object_init_table(struct nv3_channel *chan)
{
	xa_init_flags(&chan->objects, XA_FLAGS_LOCK_IRQ);
}

/**
 * nv3_object_find() - find an object by its handle
 * @chan: the channel
 * @handle: the handle
 * Context: nv3_rm.lock is held.
 * Return: the object, without a reference, or NULL.
 */
struct nv3_object *nv3_object_find(struct nv3_channel *chan, u32 handle)
{
	lockdep_assert_held(&chan->rm->lock);

	return xa_load(&chan->objects, handle);
}

/**
 * nv3_object_find_get() - find an object of a class, unless the object has been destroyed
 * @chan: the channel
 * @handle: the handle
 * @class: the class
 * Context: process context; takes nv3_rm.lock.
 * Return: the object, with a reference, or NULL.
 */
struct nv3_object *nv3_object_find_get(struct nv3_channel *chan, u32 handle,
				       const struct nv3_class *class)
{
	struct nv3_object *obj;

	spin_lock_irq(&chan->rm->lock);
	obj = nv3_object_find(chan, handle);
	if (obj && obj->class == class && list_empty(&obj->dying))
		nv3_object_get(obj);
	else
		obj = NULL;
	spin_unlock_irq(&chan->rm->lock);

	return obj;
}

/**
 * nv3_object_add() - add an object to the table of its channel
 * @obj: the object. The table takes over the caller's reference
 * @handle: the handle of the object
 * Context: process context; nv3_channel.lock is held, or the channel is new.
 * Return: 0, -EEXIST if @handle is 0 or in use, or -ENOMEM.
 */
int nv3_object_add(struct nv3_object *obj, u32 handle)
{
	int ret;

	if (!handle)
		return -EEXIST;

	obj->key.handle = handle;
	ret = xa_insert_irq(&obj->chan->objects, handle, obj, GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret == -EBUSY ? -EEXIST : ret;
	trace_nv3_object_create(obj->chan->rm->nv3, obj->key.chid, handle, obj->class->id);

	if (obj->class->faulted) {
		spin_lock_irq(&obj->chan->rm->lock);
		list_add_tail(&obj->link, &obj->chan->watchers);
		spin_unlock_irq(&obj->chan->rm->lock);
	}
	return 0;
}

/* Removes the object from the table and from RAMHT, and drops the table's reference. */
static void nv3_object_remove(struct nv3_object *obj)
{
	struct nv3_channel *chan = obj->chan;

	lockdep_assert_held(&chan->rm->lock);

	trace_nv3_object_destroy(chan->rm->nv3, chan->chid, obj->key.handle, obj->class->id);
	list_del_init(&obj->dying);
	if (nv3_channel_pio_ops(chan))
		nv3_channel_pio_ops(chan)->remove_memory(obj);
	xa_erase(&chan->objects, obj->key.handle);
	nv3_ramht_remove(&chan->rm->ramht, &obj->key);
	nv3_object_put(obj);
}

/* Removes the objects in @list, and the references to them in the chip and RAMFC. */
static void nv3_object_unbind_all(struct nv3_channel *chan, struct list_head *list)
{
	u32 ctx[NV3_PFIFO_CACHE1_CTX_COUNT];
	struct nv3_object *obj, *next;
	struct nv3_rm *rm = chan->rm;
	unsigned int i;

	drm_WARN_ON(&rm->nv3->drm, rm->running && rm->running->chan == chan);

	if (!rm->dead) {
		for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
			ctx[i] = nv3_switch_binding(chan, i);
		nv3_switch_invalidate_objects(chan);
	}

	list_for_each_entry_safe(obj, next, list, dying) {
		if (!rm->dead)
			nv3_switch_unbind(chan, obj, ctx);
		if (obj->class->forget)
			obj->class->forget(chan, obj);
		nv3_object_remove(obj);
	}
}

/* Returns the object that was destroyed first if no batch in flight may use it, else NULL. */
static struct nv3_object *nv3_object_next_dead(struct nv3_channel *chan)
{
	struct nv3_object *obj = list_first_entry_or_null(&chan->dying, struct nv3_object, dying);

	return obj && obj->last <= chan->retired ? obj : NULL;
}

/**
 * nv3_object_has_many_dead() - check for more dead objects than nv3_object_reap() removes at a time
 * @chan: the channel
 * Context: nv3_rm.lock is held.
 */
bool nv3_object_has_many_dead(struct nv3_channel *chan)
{
	unsigned int count = 0;
	struct nv3_object *obj;

	lockdep_assert_held(&chan->rm->lock);

	list_for_each_entry(obj, &chan->dying, dying)
		if (obj->last > chan->retired || ++count > NV3_OBJECT_REAP_MAX)
			break;
	return count > NV3_OBJECT_REAP_MAX;
}

/**
 * nv3_object_reap() - remove up to NV3_OBJECT_REAP_MAX dead objects
 * @chan: the channel. If it has dead objects, none of its batches may be running
 *
 * A dead object was destroyed, and no batch in flight may use it.
 * Context: nv3_rm.lock is held.
 * Return: true if dead objects remain. In this case, the caller must release nv3_rm.lock and call
 * the function again, or call nv3_sched_reap_later().
 */
bool nv3_object_reap(struct nv3_channel *chan)
{
	struct nv3_object *obj;
	unsigned int count;
	LIST_HEAD(list);

	lockdep_assert_held(&chan->rm->lock);

	for (count = 0; count < NV3_OBJECT_REAP_MAX; count++) {
		obj = nv3_object_next_dead(chan);
		if (!obj)
			break;
		list_move_tail(&obj->dying, &list);
	}

	if (!list_empty(&list))
		nv3_object_unbind_all(chan, &list);
	return nv3_object_next_dead(chan);
}

/**
 * nv3_object_remove_all() - remove all objects of a channel that ends
 * @chan: the channel, after nv3_switch_release()
 * Context: process context; takes nv3_rm.lock.
 */
void nv3_object_remove_all(struct nv3_channel *chan)
{
	struct nv3_object *obj;
	unsigned long handle;

	xa_for_each(&chan->objects, handle, obj) {
		spin_lock_irq(&chan->rm->lock);
		nv3_object_remove(obj);
		spin_unlock_irq(&chan->rm->lock);
	}
}
