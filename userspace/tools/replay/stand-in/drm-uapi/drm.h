/* SPDX-License-Identifier: MIT */
/*
 * Empty on purpose. It replaces Mesa's drm-uapi/drm.h, because nv3_drm.h includes libdrm's drm.h.
 */
