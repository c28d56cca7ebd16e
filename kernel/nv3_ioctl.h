/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_IOCTL_H
#define NV3_IOCTL_H

#include <drm/drm_ioctl.h>
#include <drm/nv3_drm.h>

#define NV3_IOCTL_COUNT		(DRM_NV3_VM_BIND + 1)

extern const struct drm_ioctl_desc nv3_ioctls[NV3_IOCTL_COUNT];

/* nv3_channel_ioctl.c */
int nv3_file_open(struct drm_device *drm, struct drm_file *file);
void nv3_file_postclose(struct drm_device *drm, struct drm_file *file);
int nv3_channel_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_channel_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_channel_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* nv3_gem_ioctl.c */
int nv3_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_gem_mmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_gem_wait_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* nv3_object_ioctl.c */
int nv3_object_instantiate_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_object_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* nv3_notifier_ioctl.c */
int nv3_notifier_fence_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* nv3_submit_ioctl.c */
int nv3_submit_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* nv3_vm_ioctl.c */
int nv3_vm_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_vm_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int nv3_vm_bind_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
