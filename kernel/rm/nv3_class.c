// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Classes
 *
 * All that an application can do is invoke methods on objects, and all that it can
 * know in advance is how to ask which classes there are. Whether PGRAPH or a
 * function in this directory carries out a class' methods is written in the class
 * and nowhere else: instantiate, select, destroy and enumerate treat all alike. That
 * is what the table below is for. A class that the chip lacks is added by writing
 * it, and one whose hardware turns out to be wrong is replaced the same way, with
 * no application the wiser.
 */

#include <linux/uaccess.h>

#include <drm/drm_print.h>

#include "nv3_object.h"

#define NV3_CLASS_LINE_OF_TABLE(class) &class,
static const struct nv3_class * const nv3_classes[] = {
	NV3_FOR_EACH_CLASS(NV3_CLASS_LINE_OF_TABLE)
};

const struct nv3_class *nv3_class_find(u32 id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nv3_classes); i++)
		if (nv3_classes[i]->id == id)
			return nv3_classes[i];

	return NULL;
}

int nv3_rm_class_enumerate_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_class_enumerate *args = data;
	u32 __user *classes = u64_to_user_ptr(args->classes);
	unsigned int i;

	if (args->pad) {
		drm_dbg(drm, "class_enumerate: pad is %#x\n", args->pad);
		return -EINVAL;
	}

	for (i = 0; i < ARRAY_SIZE(nv3_classes) && i < args->count; i++)
		if (put_user(nv3_classes[i]->id, &classes[i]))
			return -EFAULT;

	args->count = ARRAY_SIZE(nv3_classes);
	return 0;
}
