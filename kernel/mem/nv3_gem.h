/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_GEM_H
#define NV3_GEM_H

#include <linux/types.h>

struct drm_device;
struct drm_file;
struct drm_gem_object;
struct drm_gem_object_funcs;
struct drm_mode_create_dumb;
struct drm_printer;

extern const struct drm_gem_object_funcs nv3_gem_funcs;

void nv3_gem_show_fdinfo(struct drm_printer *p, struct drm_file *file);
int nv3_gem_create(struct drm_device *drm, struct drm_file *file, u64 size, u32 domains,
		   struct drm_gem_object *root, u32 *handle);
int nv3_gem_dumb_create(struct drm_file *file, struct drm_device *drm,
			struct drm_mode_create_dumb *args);
int nv3_gem_map_offset(struct drm_file *file, struct drm_device *drm, u32 handle, u64 *offset);

#endif
