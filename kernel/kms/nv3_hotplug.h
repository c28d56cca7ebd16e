/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_HOTPLUG_H
#define NV3_HOTPLUG_H

#include <linux/types.h>

struct nv3_device;

/* Whether the monitor follows a window on the host, with PVIRT telling. */
bool nv3_hotplug_supported(struct nv3_device *nv3);
void nv3_hotplug_init(struct nv3_device *nv3);
/* When no interrupt comes any more. May sleep. */
void nv3_hotplug_fini(struct nv3_device *nv3);
/* PVIRT tells of another monitor, from now on; again after a reset. */
void nv3_hotplug_enable(struct nv3_device *nv3);
/* No event comes between these two, and one for certain after the second. May sleep. */
void nv3_hotplug_suspend(struct nv3_device *nv3);
void nv3_hotplug_resume(struct nv3_device *nv3);
/* Hard interrupt: true if it was for this. */
bool nv3_hotplug_irq(struct nv3_device *nv3, u32 pmc_intr);

#endif
