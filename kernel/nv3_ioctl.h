/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_IOCTL_H
#define NV3_IOCTL_H

#include <drm/drm_ioctl.h>
#include <drm/nv3_drm.h>

#define NV3_IOCTL_COUNT		(DRM_NV3_NOTIFIER_FENCE + 1)

extern const struct drm_ioctl_desc nv3_ioctls[NV3_IOCTL_COUNT];

#endif
