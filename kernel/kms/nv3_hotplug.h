/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_HOTPLUG_H
#define NV3_HOTPLUG_H

#include <linux/types.h>

struct nv3_device;

bool nv3_hotplug_supported(struct nv3_device *nv3);
void nv3_hotplug_init(struct nv3_device *nv3);
void nv3_hotplug_fini(struct nv3_device *nv3);
void nv3_hotplug_enable(struct nv3_device *nv3);
void nv3_hotplug_suspend(struct nv3_device *nv3);
void nv3_hotplug_resume(struct nv3_device *nv3);
bool nv3_hotplug_irq(struct nv3_device *nv3, u32 pmc_intr);

#endif
