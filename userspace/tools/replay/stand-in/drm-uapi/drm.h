/* SPDX-License-Identifier: MIT */
/* In place of Mesa's header of this name. nv3_drm.h includes libdrm's. */
