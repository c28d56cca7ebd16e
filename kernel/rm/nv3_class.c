// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Classes
 *
 * All that an application can do is invoke methods on objects, and all that it can
 * know in advance is how to ask which classes there are. Whether PGRAPH or a
 * function in this directory carries out a class' methods is written in the class
 * and nowhere else: instantiate, select, destroy and enumerate treat all alike. That
 * is what the table is for (nv3_class_table.h). A class that the chip lacks is added by
 * writing it, and one whose hardware is missing or turns out to be wrong is replaced the
 * same way, with no application the wiser.
 */

#include <linux/uaccess.h>

#include <drm/drm_print.h>

#include "nv3_object.h"

/* The classes that PGRAPH has, a bit each. */
static u32 nv3_class_hardware(struct nv3_rm *rm)
{
	if (rm->nv3->virt_features & NV3_PVIRT_FEATURE_CLASSES)
		return nv3_rd32(rm->nv3, NV3_PVIRT_CLASSES);

	return nv3_probe_classes(rm);
}

/* Of each number the first that this chip makes possible. */
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
 * nv3_class_init() - find out which classes the chip offers
 * @rm: the resource manager
 *
 * Context: process context, before any channel.
 */
void nv3_class_init(struct nv3_rm *rm)
{
	u32 hardware = nv3_class_hardware(rm);

#define NV3_CLASS(name) nv3_class_offer(rm, hardware, &nv3_class_##name)
#include "nv3_class_table.h"
#undef NV3_CLASS
}

const struct nv3_class *nv3_class_find(struct nv3_rm *rm, u32 id)
{
	unsigned int i;

	for (i = 0; i < rm->class_count; i++)
		if (rm->classes[i]->id == id)
			return rm->classes[i];

	return NULL;
}

/**
 * nv3_rm_class_enumerate_ioctl() - DRM_IOCTL_NV3_CLASS_ENUMERATE
 * @drm: the device
 * @data: struct drm_nv3_class_enumerate
 * @file: the caller's
 *
 * Context: process context.
 * Return: 0, -EINVAL or -EFAULT.
 */
int nv3_rm_class_enumerate_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
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
