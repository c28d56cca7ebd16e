/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between the kernels that the driver is built for, 6.12 being the
 * oldest. Goes away when the driver is part of one kernel.
 */
#ifndef NV3_COMPAT_H
#define NV3_COMPAT_H

#include <linux/version.h>

/* Linux 6.14 removed struct drm_driver's date. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
#define NV3_DRIVER_DATE_INIT	.date = "20251120",
#else
#define NV3_DRIVER_DATE_INIT
#endif

#endif
