/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_SURFACE_H
#define NV3_SURFACE_H

#include "nv3_classes.h"

/**
 * struct nv3_surface - a rectangle of pixels in a buffer, for one of PGRAPH's four slots; all
 * fields are constant
 */
struct nv3_surface {
	struct nv3_object base;
	struct nv3_bo *bo;
	u32 slot;
	/** @format: NV3_SURF_* */
	u32 format;
	/** @cpp: bytes per pixel */
	u32 cpp;
	/** @offset: the offset, in bytes, of the first pixel in the buffer */
	u32 offset;
	/** @pitch: the distance from one line to the next, in bytes */
	u32 pitch;
	u32 width;
	u32 height;
};

void nv3_surface_reset(struct nv3_rm *rm);
void nv3_surface_apply(struct nv3_channel *chan);

#endif
