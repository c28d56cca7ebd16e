/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_MODE_H
#define NV3_MODE_H

#include <linux/types.h>

#include <drm/drm_modes.h>

/*
 * The maximum width and height of a mode, in pixels. The timing registers and PGRAPH's canvas
 * impose these limits.
 */
#define NV3_MODE_MAX		2048

enum drm_mode_status nv3_mode_check(u32 crystal_khz,
				    const struct drm_display_mode *mode);
int nv3_mode_adjust(u32 crystal_khz, struct drm_display_mode *mode);

#endif
