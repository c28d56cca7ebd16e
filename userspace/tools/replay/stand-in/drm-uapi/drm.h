/* SPDX-License-Identifier: MIT */
/*
 * Replaces Mesa's header of the same name. nv3_drm.h includes libdrm's header.
 */
