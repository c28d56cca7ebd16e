/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between the kernels that the driver is built for, 6.12 being the
 * oldest. Goes away when the driver is part of one kernel.
 */
#ifndef NV3_COMPAT_H
#define NV3_COMPAT_H

/* Kbuild looks whether struct drm_driver has a date, which 6.14 removed. */
#ifdef NV3_DRM_DRIVER_HAS_DATE
#define NV3_DRIVER_DATE_INIT	.date = "20251120",
#else
#define NV3_DRIVER_DATE_INIT
#endif

#endif
