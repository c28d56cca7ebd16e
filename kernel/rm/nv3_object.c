// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Objects
 *
 * An object is an instance of a class under a 32-bit name that its client chose. The
 * table of names (nv3_channel.objects) is the truth about them; RAMHT caches it, and
 * the chip's registers and RAMFC mention the instance memory of those in use.
 *
 * OBJECT_DESTROY takes effect between batches: those submitted before it still find
 * the object, those after don't. So an object destroyed while batches are in flight
 * waits in nv3_channel.dying. When its last batch is over the name goes, out of RAMHT and
 * out of every place where the channel remembers the instance, and only then may the
 * instance memory become something else.
 *
 * A client may destroy any number of objects during one batch. Their names are removed with
 * interrupts off, so this is done NV3_OBJECT_REAP_MAX at a time: the first of them where the
 * batch ends, the others by a worker (nv3_object_reap_work()). The channel's next batch doesn't
 * begin before all of them are gone (nv3_queue_next()).
 */

#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait_bit.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_queue.h"

/* Objects whose names are removed at a time, with interrupts off. */
#define NV3_OBJECT_REAP_MAX	16

/* On success the caller holds the one reference, and calls nv3_object_put(). */
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

	if (inst_size) {
		ret = nv3_ramin_alloc(chan->rm, &obj->inst, inst_size);
		if (ret) {
			drm_dbg(&chan->rm->nv3->drm, "no instance memory: %u bytes\n", inst_size);
			return ret;
		}
		ret = xa_err(xa_store_irq(&chan->rm->instances, nv3_ramin_inst(&obj->inst), obj,
					  GFP_KERNEL));
		if (ret) {
			nv3_ramin_free(chan->rm, &obj->inst);
			return ret;
		}
	}

	atomic_inc(&chan->object_count);
	return 0;
}

/*
 * The last thing that a class's destroy() does before it frees the object. The channel may be
 * freed at any time after it.
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
		xa_erase_irq(&rm->instances, nv3_ramin_inst(&obj->inst));
		nv3_ramin_free(rm, &obj->inst);
	}

	if (atomic_dec_and_test(&chan->object_count))
		wake_up_var(&chan->object_count);
}

/*
 * Waits until all objects of the channel are destroyed, after nv3_object_remove_all(). To flush
 * nv3_rm.free_work is not enough: another channel's nv3_object_put() may just have marked it
 * pending without having queued it, and then neither this channel's nv3_object_put() queues it
 * nor flush_work() waits for it.
 */
void nv3_object_wait_destroyed(struct nv3_channel *chan)
{
	wait_var_event(&chan->object_count, !atomic_read(&chan->object_count));
}

/* The channel's object at a place in RAMIN that the chip has named. */
struct nv3_object *nv3_object_find_inst(struct nv3_channel *chan, u32 inst)
{
	struct nv3_object *obj;

	lockdep_assert_held(&chan->rm->lock);

	obj = xa_load(&chan->rm->instances, inst);
	return obj && obj->chan == chan ? obj : NULL;
}

/**
 * nv3_object_room() - may a channel have one more object of a class?
 * @chan: the channel
 * @class: the class
 * @count: how many of them there are, which the class counts
 * @max: how many there may be
 *
 * If there are @max, it waits for those that the client has destroyed but that batches in flight
 * still use.
 *
 * Context: process context; nv3_channel.lock is held.
 * Return: 0, -ENOSPC, or -ERESTARTSYS.
 */
int nv3_object_room(struct nv3_channel *chan, const struct nv3_class *class, const u32 *count,
		    u32 max)
{
	int ret = 0;

	if (READ_ONCE(*count) >= max)
		ret = nv3_object_wait_dying(chan);
	if (ret)
		return ret;
	if (READ_ONCE(*count) < max)
		return 0;

	drm_dbg(&chan->rm->nv3->drm, "channel %u: more than %u objects of class %s\n",
		chan->chid, max, class->name);
	return -ENOSPC;
}

/* The word that the puller keeps for a subchannel with the object. */
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

	/* Whoever added the first of them has queued the work, which takes all. */
	if (llist_add(&obj->free, &rm->free))
		queue_work(rm->wq, &rm->free_work);
}

/* From any context: the object is destroyed later, where that may sleep. */
void nv3_object_put(struct nv3_object *obj)
{
	if (obj)
		kref_put(&obj->ref, nv3_object_release);
}

/*
 * Returns when all objects without references are destroyed. The work is queued here as well, as
 * who added the first of them may not have come to it yet.
 */
void nv3_object_flush_free(struct nv3_rm *rm)
{
	queue_work(rm->wq, &rm->free_work);
	flush_work(&rm->free_work);
}

void nv3_object_free_work(struct work_struct *work)
{
	struct nv3_rm *rm = container_of(work, struct nv3_rm, free_work);
	struct nv3_object *obj, *next;
	struct llist_node *list;

	/* Destroying an object may release others, which it used. */
	while ((list = llist_del_all(&rm->free)))
		llist_for_each_entry_safe(obj, next, list, free)
			obj->class->destroy(obj);
}

/*
 * A new channel's table of names. Not beside the file's table of channels in nv3_channel.c:
 * lockdep would take their locks for one, and this one is taken in interrupts.
 */
void nv3_object_init_table(struct nv3_channel *chan)
{
	xa_init_flags(&chan->objects, XA_FLAGS_LOCK_IRQ);
}

struct nv3_object *nv3_object_find(struct nv3_channel *chan, u32 name)
{
	lockdep_assert_held(&chan->rm->lock);

	return xa_load(&chan->objects, name);
}

/* For an ioctl: a living object of @class, with a reference, or null. */
struct nv3_object *nv3_object_find_get(struct nv3_channel *chan, u32 name,
				       const struct nv3_class *class)
{
	struct nv3_object *obj;

	spin_lock_irq(&chan->rm->lock);
	obj = nv3_object_find(chan, name);
	if (obj && obj->class == class && list_empty(&obj->dying))
		nv3_object_get(obj);
	else
		obj = NULL;
	spin_unlock_irq(&chan->rm->lock);

	return obj;
}

/* Enters the object, whose reference the table takes over. */
int nv3_object_add(struct nv3_object *obj, u32 name)
{
	int ret;

	if (!name)
		return -EEXIST;

	obj->name = name;
	ret = xa_insert_irq(&obj->chan->objects, name, obj, GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret == -EBUSY ? -EEXIST : ret;

	if (obj->class->faulted) {
		spin_lock_irq(&obj->chan->rm->lock);
		list_add_tail(&obj->link, &obj->chan->watchers);
		spin_unlock_irq(&obj->chan->rm->lock);
	}
	return 0;
}

/* Needs nv3_channel.lock, and that no batch is in flight. */
int nv3_object_rename(struct nv3_object *obj, u32 name)
{
	struct nv3_channel *chan = obj->chan;
	int ret;

	if (!name)
		return -EEXIST;

	ret = xa_insert_irq(&chan->objects, name, obj, GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret == -EBUSY ? -EEXIST : ret;

	spin_lock_irq(&chan->rm->lock);
	nv3_ramht_remove(chan->rm, obj);
	xa_erase(&chan->objects, obj->name);
	obj->name = name;
	spin_unlock_irq(&chan->rm->lock);

	return 0;
}

/* Turns of a PIO channel aren't for its buffer any more, if they were. */
static void nv3_object_leave_lease(struct nv3_object *obj)
{
	lockdep_assert_held(&obj->chan->rm->lock);

	if (list_empty(&obj->memory))
		return;
	list_del_init(&obj->memory);
	obj->chan->lease.memories--;
}

/* Takes the name away, out of RAMHT too, and the table's reference. */
static void nv3_object_remove(struct nv3_object *obj)
{
	struct nv3_channel *chan = obj->chan;

	lockdep_assert_held(&chan->rm->lock);

	list_del_init(&obj->dying);
	nv3_object_leave_lease(obj);
	xa_erase(&chan->objects, obj->name);
	nv3_ramht_remove(chan->rm, obj);
	nv3_object_put(obj);
}

/*
 * The objects in @list go, and everything goes that the chip could still find them by. No
 * batch of the channel runs.
 */
static void nv3_object_forget(struct nv3_channel *chan, struct list_head *list)
{
	u32 ctx[NV3_PFIFO_CACHE1_CTX_COUNT];
	struct nv3_object *obj, *next;
	struct nv3_rm *rm = chan->rm;

	WARN_ON(rm->running && rm->running->chan == chan);

	if (!rm->dead) {
		nv3_switch_bindings(chan, ctx);
		nv3_switch_refetch(chan);
	}

	list_for_each_entry_safe(obj, next, list, dying) {
		if (!rm->dead)
			nv3_switch_unbind(chan, obj, ctx);
		if (obj->class->forget)
			obj->class->forget(chan, obj);
		nv3_object_remove(obj);
	}
}

/* The destroyed object that has waited longest, if no batch in flight may name it. */
static struct nv3_object *nv3_object_next_dead(struct nv3_channel *chan)
{
	struct nv3_object *obj = list_first_entry_or_null(&chan->dying, struct nv3_object, dying);

	return obj && obj->last <= chan->retired ? obj : NULL;
}

/* Are there more of these than nv3_object_reap() removes? */
bool nv3_object_many_dead(struct nv3_channel *chan)
{
	unsigned int count = 0;
	struct nv3_object *obj;

	lockdep_assert_held(&chan->rm->lock);

	list_for_each_entry(obj, &chan->dying, dying)
		if (obj->last > chan->retired || ++count > NV3_OBJECT_REAP_MAX)
			break;
	return count > NV3_OBJECT_REAP_MAX;
}

/*
 * Removes up to NV3_OBJECT_REAP_MAX of the destroyed objects that no batch in flight may name.
 * No batch of the channel runs, unless there are no such objects. Returns whether there are more
 * of them: the caller calls again after it has dropped nv3_rm.lock, or has the worker do that.
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
		nv3_object_forget(chan, &list);
	return nv3_object_next_dead(chan);
}

/* Process context: removes all of them. */
static void nv3_object_reap_all(struct nv3_channel *chan)
{
	unsigned long flags;
	bool more;

	do {
		flags = nv3_rm_lock(chan->rm);
		more = nv3_object_reap(chan);
		if (!more)
			nv3_queue_reaped(chan);
		nv3_rm_unlock(chan->rm, flags);
		cond_resched();
	} while (more);
}

void nv3_object_reap_work(struct work_struct *work)
{
	struct nv3_channel *chan = container_of(work, struct nv3_channel, reap);

	nv3_object_reap_all(chan);
	nv3_channel_put(chan);
}

/*
 * Has a worker remove what nv3_object_reap() has left. The channel's next batch may wait for it,
 * so this is a workqueue on which nothing waits for a fence.
 */
void nv3_object_reap_later(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	nv3_channel_get(chan);
	if (!queue_work(chan->rm->sched_wq, &chan->reap))
		nv3_channel_put(chan);
}

/* The channel's end: the chip has nothing of it any more (nv3_switch_disown()). */
void nv3_object_remove_all(struct nv3_channel *chan)
{
	struct nv3_object *obj;
	unsigned long name;

	xa_for_each(&chan->objects, name, obj) {
		spin_lock_irq(&chan->rm->lock);
		nv3_object_remove(obj);
		spin_unlock_irq(&chan->rm->lock);
	}
}

/**
 * nv3_object_wait_dying() - wait until all objects that the client has destroyed are gone
 * @chan: the channel
 *
 * Context: process context; nv3_channel.lock is held, so that no more are destroyed meanwhile.
 * Return: 0, or -ERESTARTSYS.
 */
int nv3_object_wait_dying(struct nv3_channel *chan)
{
	struct nv3_object *obj;
	u64 last = 0;
	int ret;

	spin_lock_irq(&chan->rm->lock);
	if (!list_empty(&chan->dying)) {
		obj = list_last_entry(&chan->dying, struct nv3_object, dying);
		last = obj->last;
	}
	spin_unlock_irq(&chan->rm->lock);

	ret = nv3_channel_wait_retired(chan, last);
	if (ret)
		return ret;

	nv3_object_reap_all(chan);
	nv3_object_flush_free(chan->rm);
	return 0;
}

/**
 * nv3_object_any_dying() - are objects of any channel destroyed by their client, but still in use?
 * @rm: the resource manager
 *
 * Context: process context; takes nv3_rm.channels_lock.
 * Return: true also if a channel is closed and has not ended, as its objects are still there.
 */
bool nv3_object_any_dying(struct nv3_rm *rm)
{
	bool dying;
	u32 chid;

	spin_lock(&rm->channels_lock);
	dying = rm->ending;
	for (chid = 1; chid < NV3_USER_CHANNELS && !dying; chid++)
		dying = rm->channels[chid] && !list_empty(&rm->channels[chid]->dying);
	spin_unlock(&rm->channels_lock);

	return dying;
}

/*
 * A name that is taken: by an object that was destroyed with batches in flight, which
 * are waited for; by the fence object, which gives way; or by a living one.
 */
static int nv3_object_make_way(struct nv3_channel *chan, u32 name)
{
	struct nv3_object *obj;
	bool dying = false;
	u64 last = 0;
	int ret;

	spin_lock_irq(&chan->rm->lock);
	obj = nv3_object_find(chan, name);
	if (obj) {
		dying = !list_empty(&obj->dying);
		last = obj->last;
	}
	spin_unlock_irq(&chan->rm->lock);

	if (!obj)
		return 0;
	if (obj == chan->notifier.object)
		return nv3_notifier_rename(chan);
	if (!dying)
		return -EEXIST;

	ret = nv3_channel_wait_retired(chan, last);
	if (ret)
		return ret;

	nv3_object_reap_all(chan);
	return 0;
}

static int nv3_object_check(struct drm_device *drm, const struct nv3_class *class,
			    const struct drm_nv3_object_instantiate *args)
{
	if (args->pad) {
		drm_dbg(drm, "object_instantiate: pad is %#llx\n", args->pad);
		return -EINVAL;
	}
	if (!class) {
		drm_dbg(drm, "object_instantiate: no class_id %#x\n", args->class_id);
		return -EINVAL;
	}
	if (!args->name) {
		drm_dbg(drm, "object_instantiate: name is 0\n");
		return -EINVAL;
	}
	if (!args->args_size) {
		drm_dbg(drm, "object_instantiate: args_size is 0\n");
		return -EINVAL;
	}
	return 0;
}

/* By the rules of copy_struct_from_user(), as a client may be older or newer than the driver. */
static int nv3_object_copy_args(struct drm_device *drm, const struct nv3_class *class,
				const struct drm_nv3_object_instantiate *args,
				union nv3_object_args *class_args)
{
	int ret = args->args_size > PAGE_SIZE ? -E2BIG :
		  copy_struct_from_user(class_args, class->args_size,
					u64_to_user_ptr(args->args), args->args_size);

	if (ret)
		drm_dbg(drm, "object_instantiate: args of %u bytes, %s takes %zu: %d\n",
			args->args_size, class->name, class->args_size, ret);
	return ret;
}

/* A fence of a batch that waits for another client could keep that client from going on. */
static int nv3_object_check_channel(struct nv3_channel *chan, const struct nv3_class *class)
{
	if (!class->waits || chan->long_running)
		return 0;

	drm_dbg(&chan->rm->nv3->drm,
		"object_instantiate: class %s needs DRM_NV3_CHANNEL_LONG_RUNNING\n", class->name);
	return -EINVAL;
}

static int nv3_object_instantiate(struct nv3_channel *chan, const struct nv3_class *class,
				  struct drm_file *file, u32 name,
				  const union nv3_object_args *class_args)
{
	struct nv3_object *obj;
	int ret;

	ret = nv3_object_make_way(chan, name);
	if (ret) {
		drm_dbg(&chan->rm->nv3->drm, "object_instantiate: name %#x: %d\n", name, ret);
		return ret;
	}

	obj = class->create(chan, class, file, class_args);
	if (IS_ERR(obj))
		return PTR_ERR(obj);

	/* Last of all its name: from then on whoever stores to a window may select it. */
	ret = nv3_lease_admit(chan, obj);
	if (!ret)
		ret = nv3_object_add(obj, name);
	if (!ret)
		return 0;

	spin_lock_irq(&chan->rm->lock);
	nv3_object_leave_lease(obj);
	spin_unlock_irq(&chan->rm->lock);
	nv3_object_put(obj);
	return ret;
}

int nv3_rm_object_instantiate_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_object_instantiate *args = data;
	const struct nv3_class *class = nv3_class_find(to_rm(drm), args->class_id);
	union nv3_object_args class_args;
	struct nv3_channel *chan;
	int ret, idx;

	ret = nv3_object_check(drm, class, args);
	if (ret)
		return ret;

	ret = nv3_object_copy_args(drm, class, args, &class_args);
	if (ret)
		return ret;

	chan = nv3_channel_get_by_id(file, args->channel);
	if (!chan)
		return -ENOENT;

	if (!drm_dev_enter(drm, &idx)) {
		ret = -ENODEV;
		goto out_put;
	}

	ret = mutex_lock_interruptible(&chan->lock);
	if (ret)
		goto out_exit;

	if (chan->closed)
		ret = -ENOENT;
	else
		ret = nv3_object_check_channel(chan, class) ?:
		      nv3_object_instantiate(chan, class, file, args->name, &class_args);
	if (!ret && chan->type == DRM_NV3_CHANNEL_PIO)
		nv3_lease_cut(chan);
	mutex_unlock(&chan->lock);

out_exit:
	drm_dev_exit(idx);
out_put:
	nv3_channel_put(chan);
	return ret;
}

static int nv3_object_destroy(struct nv3_channel *chan, u32 name)
{
	struct nv3_object *obj;
	int ret = 0;

	spin_lock_irq(&chan->rm->lock);
	obj = nv3_object_find(chan, name);
	if (!obj || obj == chan->notifier.object || !list_empty(&obj->dying)) {
		ret = -ENOENT;
	} else {
		obj->last = chan->submitted;
		list_add_tail(&obj->dying, &chan->dying);
		if (nv3_object_reap(chan))
			nv3_object_reap_later(chan);
	}
	spin_unlock_irq(&chan->rm->lock);

	if (ret)
		drm_dbg(&chan->rm->nv3->drm, "object_destroy: no object %#x\n", name);
	return ret;
}

int nv3_rm_object_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_object_destroy *args = data;
	struct nv3_channel *chan;
	int ret;

	chan = nv3_channel_get_by_id(file, args->channel);
	if (!chan)
		return -ENOENT;

	ret = mutex_lock_interruptible(&chan->lock);
	if (!ret) {
		ret = nv3_object_destroy(chan, args->name);
		if (!ret && chan->type == DRM_NV3_CHANNEL_PIO)
			nv3_lease_cut(chan);
		mutex_unlock(&chan->lock);
	}

	nv3_channel_put(chan);
	return ret;
}
