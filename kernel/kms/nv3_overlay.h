/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_OVERLAY_H
#define NV3_OVERLAY_H

#include <linux/types.h>

#include "nv3_regs.h"

#define NV3_PVIDEO_BUFFERS	2

/* Burst size and threshold of PVIDEO's FIFO (nouveau, dispnv04/overlay.c). */
#define NV3_OVERLAY_FIFO_BURST	3
#define NV3_OVERLAY_FIFO_THRES	0x38

struct nv3_device;

u32 nv3_overlay_step(u32 source, u32 target);

int nv3_overlay_init(struct nv3_device *nv3);

#endif
