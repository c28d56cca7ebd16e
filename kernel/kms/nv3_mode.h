/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_MODE_H
#define NV3_MODE_H

#include <linux/types.h>

#include <drm/drm_modes.h>

/* Pixels: what the timing registers and PGRAPH's canvas reach. */
#define NV3_MODE_MAX		2048

/* Whether the chip can make the mode, with a crystal of 13500 or 14318 kHz. */
enum drm_mode_status nv3_mode_check(u32 crystal_khz,
				    const struct drm_display_mode *mode);

/*
 * Fills in the crtc_ members: the timing as it will be, from which time stamps are
 * computed as well. -ERANGE if the clock can't be made.
 */
int nv3_mode_adjust(u32 crystal_khz, struct drm_display_mode *mode);

#endif
