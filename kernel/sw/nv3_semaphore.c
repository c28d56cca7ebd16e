// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Semaphores, a software class
 *
 * A semaphore lets a channel wait for another channel between two methods of a batch. The value of
 * a semaphore is a number that only grows. RELEASE raises the value to the argument of the method,
 * after PGRAPH has executed all earlier methods of the channel. ACQUIRE blocks the channel until
 * the value has reached the argument. Values are compared by the sign of their difference, so that
 * they may wrap.
 *
 * Each buffer has one semaphore, and a semaphore object refers to the buffer. Two clients share a
 * semaphore by sharing its buffer, through PRIME or a GEM name. A semaphore has no global name of
 * its own, so clients without the buffer can't use it. The value is in &struct nv3_rm_bo and not in
 * the memory of the buffer, because the driver could not detect a program's stores to that memory.
 * Methods trap in the interrupt handler, where the driver can neither look up nor signal the points
 * of a syncobj. A semaphore is therefore not a syncobj. To wait before a batch begins, clients pass
 * syncobjs to SUBMIT.
 *
 * While a channel is blocked, other channels use the chip (nv3_sched_block()). The driver does not
 * poll the value: RELEASE wakes the channels that wait for the new value or a lower value. Each
 * wait has a time limit. If every other channel with an object of the semaphore has ended or
 * faulted, no channel can release it, so the wait fails early.
 */

#include <linux/slab.h>

#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#include "class/nv3_classes.h"
#include "nv3_class.h"
#include "rm/nv3_sched.h"
#include "rm/nv3_job.h"

/* The default time limit of an ACQUIRE, and the maximum time limit, in milliseconds. */
#define NV3_SEMAPHORE_TIMEOUT_MS	2000
#define NV3_SEMAPHORE_TIMEOUT_MAX_MS	10000

/*
 * The maximum number of semaphore objects of a channel. The limit bounds the time in the interrupt
 * handler, where RELEASE visits all semaphore objects that refer to its buffer.
 */
#define NV3_SEMAPHORE_MAX	64

struct nv3_semaphore {
	struct nv3_object base;
	struct nv3_bo *bo;
	u32 timeout_ms;
	/** @link: entry in nv3_rm_bo.semaphores */
	struct list_head link;
	/** @wanted: the argument of ACQUIRE, if ACQUIRE of this object blocks the channel */
	u32 wanted;
};

static inline struct nv3_semaphore *to_semaphore(struct nv3_object *obj)
{
	return container_of(obj, struct nv3_semaphore, base);
}

static bool nv3_semaphore_is_reached(const struct nv3_semaphore *sem, u32 number)
{
	return (s32)(sem->bo->rm.semaphore - number) >= 0;
}

static bool nv3_semaphore_is_waiting(const struct nv3_semaphore *sem)
{
	return sem->base.chan->queue.waits == &sem->base;
}

/*
 * Returns true if another channel without a fault has an object of the same semaphore, and could
 * thus release the semaphore.
 */
static bool nv3_semaphore_can_be_released(const struct nv3_semaphore *waiter)
{
	struct nv3_semaphore *sem;

	list_for_each_entry(sem, &waiter->bo->rm.semaphores, link)
		if (sem->base.chan != waiter->base.chan && !sem->base.chan->fault.reason)
			return true;
	return false;
}

/*
 * &struct nv3_class.is_deadlocked: returns true if no other channel can release the semaphore.
 * Returns false until an object of the semaphore has been destroyed, or its channel has faulted.
 * Before that, the releasing channel may not have created its object yet.
 */
static bool nv3_semaphore_is_deadlocked(struct nv3_object *obj)
{
	struct nv3_semaphore *sem = to_semaphore(obj);

	return sem->bo->rm.semaphore_left && !nv3_semaphore_can_be_released(sem);
}

static u32 nv3_semaphore_acquire(struct nv3_semaphore *sem, u32 number)
{
	if (nv3_semaphore_is_reached(sem, number))
		return DRM_NV3_FAULT_NONE;
	if (nv3_semaphore_is_deadlocked(&sem->base))
		return DRM_NV3_FAULT_TIMEOUT;

	sem->wanted = number;
	return nv3_sched_block(sem->base.chan, &sem->base, sem->timeout_ms);
}

static u32 nv3_semaphore_release(struct nv3_semaphore *sem, u32 number)
{
	struct nv3_semaphore *other;

	if (nv3_semaphore_is_reached(sem, number))
		return DRM_NV3_FAULT_NONE;

	sem->bo->rm.semaphore = number;
	list_for_each_entry(other, &sem->bo->rm.semaphores, link)
		if (nv3_semaphore_is_waiting(other) &&
		    nv3_semaphore_is_reached(other, other->wanted))
			nv3_sched_wake(other->base.chan);
	return DRM_NV3_FAULT_NONE;
}

static u32 nv3_semaphore_method(struct nv3_object *obj, u32 subch, u32 mthd, u32 data)
{
	switch (mthd) {
	case NV3_SEMAPHORE_ACQUIRE:
		return nv3_semaphore_acquire(to_semaphore(obj), data);
	case NV3_SEMAPHORE_RELEASE:
		return nv3_semaphore_release(to_semaphore(obj), data);
	default:
		return DRM_NV3_FAULT_METHOD;
	}
}

/* Called when the channel of the object has faulted, or when the object is destroyed. */
static void nv3_semaphore_left(struct nv3_object *obj)
{
	to_semaphore(obj)->bo->rm.semaphore_left = true;
	nv3_sched_check_deadlocks(obj->chan->rm);
}

static int nv3_semaphore_check(struct drm_device *drm, const struct drm_nv3_semaphore_args *args)
{
	if (args->pad) {
		drm_dbg(drm, "semaphore: pad is %#llx\n", args->pad);
		return -EINVAL;
	}
	if (args->timeout_ms > NV3_SEMAPHORE_TIMEOUT_MAX_MS) {
		drm_dbg(drm, "semaphore: timeout_ms is %u, at most %u\n", args->timeout_ms,
			NV3_SEMAPHORE_TIMEOUT_MAX_MS);
		return -EINVAL;
	}
	return 0;
}

static void nv3_semaphore_enter(struct nv3_semaphore *sem)
{
	struct nv3_rm_bo *bo = &sem->bo->rm;
	struct nv3_rm *rm = sem->base.chan->rm;

	spin_lock_irq(&rm->lock);
	/* In a new buffer, the list head is zero. The first semaphore object initialises it. */
	if (!bo->semaphores.next)
		INIT_LIST_HEAD(&bo->semaphores);
	list_add_tail(&sem->link, &bo->semaphores);
	sem->base.chan->semaphores++;
	bo->semaphore_left = false;
	spin_unlock_irq(&rm->lock);
}

static struct nv3_object *nv3_semaphore_create(struct nv3_channel *chan,
					       const struct nv3_class *class,
					       struct drm_file *file,
					       const union nv3_object_args *args)
{
	struct drm_device *drm = &chan->rm->nv3->drm;
	struct drm_gem_object *gem;
	struct nv3_semaphore *sem;
	int ret;

	ret = nv3_semaphore_check(drm, &args->semaphore) ?:
	      nv3_class_check_count(chan, class, &chan->semaphores, NV3_SEMAPHORE_MAX);
	if (ret)
		return ERR_PTR(ret);

	gem = drm_gem_object_lookup(file, args->semaphore.handle);
	if (!gem) {
		drm_dbg(drm, "semaphore: no handle %u\n", args->semaphore.handle);
		return ERR_PTR(-ENOENT);
	}

	sem = kzalloc(sizeof(*sem), GFP_KERNEL_ACCOUNT);
	if (!sem) {
		drm_gem_object_put(gem);
		return ERR_PTR(-ENOMEM);
	}

	/* The object needs no instance memory, so nv3_object_init() can't fail. */
	nv3_object_init(&sem->base, chan, class, 0);
	sem->base.key.ctx = nv3_object_ctx(&sem->base, false);
	sem->bo = to_nv3_bo(gem);
	sem->timeout_ms = args->semaphore.timeout_ms ?: NV3_SEMAPHORE_TIMEOUT_MS;
	nv3_semaphore_enter(sem);
	return &sem->base;
}

static void nv3_semaphore_destroy(struct nv3_object *obj)
{
	struct nv3_semaphore *sem = to_semaphore(obj);
	struct nv3_rm *rm = obj->chan->rm;
	unsigned long flags;

	flags = nv3_rm_lock(rm);
	list_del(&sem->link);
	obj->chan->semaphores--;
	nv3_semaphore_left(obj);
	nv3_rm_unlock(rm, flags);

	nv3_object_fini(obj);
	nv3_bo_put(sem->bo);
	kfree(sem);
}

const struct nv3_class nv3_class_semaphore = {
	.id = DRM_NV3_CLASS_SEMAPHORE,
	.name = "semaphore",
	.waits = true,
	.args_size = sizeof(struct drm_nv3_semaphore_args),
	.create = nv3_semaphore_create,
	.destroy = nv3_semaphore_destroy,
	.method = nv3_semaphore_method,
	.faulted = nv3_semaphore_left,
	.is_deadlocked = nv3_semaphore_is_deadlocked,
};
