/* SPDX-License-Identifier: MIT */
/*
 * Replaces Mesa's drm-uapi/drm.h. Empty, because nv3_drm.h includes libdrm's drm.h.
 */
