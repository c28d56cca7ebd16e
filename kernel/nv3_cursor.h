/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CURSOR_H
#define NV3_CURSOR_H

#include <linux/types.h>

/* The chip's pixel for one of ARGB8888: opaque or transparent, whichever is nearer. */
u16 nv3_cursor_pixel(u32 argb);

#endif
