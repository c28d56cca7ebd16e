/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CLASSES_H
#define NV3_CLASSES_H

#include "rm/nv3_object.h"

#define NV3_CLASS(name) extern const struct nv3_class nv3_class_##name
#include "nv3_class_table.h"
#undef NV3_CLASS

/* The hooks that class/ registers with the resource manager. */
extern const struct nv3_class_ops nv3_class_hooks;

void nv3_class_init(struct nv3_rm *rm);
int nv3_class_wait_dying(struct nv3_channel *chan);
int nv3_class_check_count(struct nv3_channel *chan, const struct nv3_class *class,
			  const u32 *count, u32 max);
int nv3_class_enumerate_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* nv3_probe.c */
u32 nv3_probe_classes(struct nv3_rm *rm);

#endif
