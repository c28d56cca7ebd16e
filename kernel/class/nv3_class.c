// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Classes
 *
 * A client can enumerate the classes, create objects and invoke their methods. PGRAPH executes the
 * methods of a hardware class, and functions of this driver execute the methods of a software
 * class. For a client, both kinds of classes work in the same way. nv3_class_table.h lists the
 * classes. If the chip lacks a hardware class, or executes it incorrectly, a software class of the
 * same number can replace the hardware class.
 */

#include <linux/uaccess.h>

#include <drm/drm_print.h>

#include "nv3_classes.h"
#include "nv3_dmaobj.h"
#include "nv3_image.h"
#include "nv3_migration.h"
#include "nv3_programs.h"
#include "nv3_surface.h"
#include "rm/nv3_channel.h"
#include "rm/nv3_job.h"
#include "rm/nv3_rm.h"

/*
 * Returns a mask of the classes that PGRAPH has and the driver can use. Bit n represents class n.
 */
static u32 nv3_class_hardware(struct nv3_rm *rm)
{
	u32 classes = rm->nv3->virt_features & NV3_PVIRT_FEATURE_CLASSES ?
		      nv3_rd32(rm->nv3, NV3_PVIRT_CLASSES) : nv3_probe_classes(rm);

	if (!rm->image_size)
		classes &= ~BIT(DRM_NV3_CLASS_PROGRAMS);
	return classes;
}

/*
 * Adds the class to nv3_rm.classes if the chip supports it and the list has no class with the same
 * number yet.
 */
static void nv3_class_offer(struct nv3_rm *rm, u32 hardware, const struct nv3_class *class)
{
	u32 needs = class->hardware ? BIT(class->id) : class->needs;

	if ((hardware & needs) != needs || nv3_class_find(rm, class->id))
		return;
	if (drm_WARN_ON(&rm->nv3->drm, rm->class_count == NV3_RM_CLASSES))
		return;

	rm->classes[rm->class_count++] = class;
}

/**
 * nv3_class_init() - set up the list of classes that the driver offers
 * @rm: the resource manager
 *
 * Context: process context, before any channel is created.
 */
void nv3_class_init(struct nv3_rm *rm)
{
	u32 hardware;

	nv3_image_init(rm);
	hardware = nv3_class_hardware(rm);

#define NV3_CLASS(name) nv3_class_offer(rm, hardware, &nv3_class_##name)
#include "nv3_class_table.h"
#undef NV3_CLASS
}

/**
 * nv3_class_enumerate_ioctl() - DRM_IOCTL_NV3_CLASS_ENUMERATE
 * @drm: the device
 * @data: struct drm_nv3_class_enumerate
 * @file: the caller's file
 *
 * Context: process context.
 * Return: 0, -EINVAL or -EFAULT.
 */
int nv3_class_enumerate_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_class_enumerate *args = data;
	u32 __user *classes = u64_to_user_ptr(args->classes);
	struct nv3_rm *rm = to_rm(drm);
	unsigned int i;

	if (args->pad) {
		drm_dbg(drm, "class_enumerate: pad is %#x\n", args->pad);
		return -EINVAL;
	}

	for (i = 0; i < rm->class_count && i < args->count; i++)
		if (put_user(rm->classes[i]->id, &classes[i]))
			return -EFAULT;

	args->count = rm->class_count;
	return 0;
}

/**
 * nv3_class_wait_dying() - wait until all destroyed objects of a channel have been freed
 * @chan: the channel
 *
 * Context: process context; nv3_channel.lock is held, so that no further objects are destroyed.
 * Return: 0 or -ERESTARTSYS.
 */
int nv3_class_wait_dying(struct nv3_channel *chan)
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

	nv3_rm_reap_all(chan);
	nv3_object_flush_free(chan->rm);
	return 0;
}

/**
 * nv3_class_check_count() - check that a channel may have another object of a class
 * @chan: the channel
 * @class: the class
 * @count: the number of the channel's objects of the class, which nv3_class.destroy() decrements
 * @max: the limit
 *
 * If the channel has @max objects of the class, the function waits until those that the client has
 * destroyed are freed.
 *
 * Context: process context; nv3_channel.lock is held.
 * Return: 0, -ENOSPC or -ERESTARTSYS.
 */
int nv3_class_check_count(struct nv3_channel *chan, const struct nv3_class *class,
			  const u32 *count, u32 max)
{
	int ret = 0;

	if (READ_ONCE(*count) >= max)
		ret = nv3_class_wait_dying(chan);
	if (ret)
		return ret;
	if (READ_ONCE(*count) < max)
		return 0;

	drm_dbg(&chan->rm->nv3->drm, "channel %u: more than %u objects of class %s\n",
		chan->chid, max, class->name);
	return -ENOSPC;
}

/* &struct nv3_class_ops.begin */
static void nv3_class_begin(struct nv3_job *job)
{
	nv3_dmaobj_begin(job);
	nv3_vm_flush(job->chan->vm);
}

/* &struct nv3_class_ops.apply */
static void nv3_class_apply(struct nv3_channel *chan)
{
	nv3_surface_apply(chan);
	nv3_image_apply(chan);
}

const struct nv3_class_ops nv3_class_hooks = {
	.init_classes = nv3_class_init,
	.prepare = nv3_dmaobj_prepare,
	.begin = nv3_class_begin,
	.apply = nv3_class_apply,
	.drop_image = nv3_image_drop,
	.reset_surfaces = nv3_surface_reset,
	.fini_channel = nv3_programs_fini_channel,
	.init_migration = nv3_migration_init,
	.fini_migration = nv3_migration_fini,
	.release_migration = nv3_migration_release,
};
