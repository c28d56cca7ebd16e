/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_DRV_H
#define NV3_DRV_H

#include <linux/pm.h>

#include "device/nv3_device.h"

/* nv3_irq.c */
int nv3_irq_init(struct nv3_device *nv3);
void nv3_irq_fini(struct nv3_device *nv3);
void nv3_irq_enable(struct nv3_device *nv3);
void nv3_irq_disable(struct nv3_device *nv3);

/* nv3_pm.c */
extern const struct dev_pm_ops nv3_pm_ops;

#endif
