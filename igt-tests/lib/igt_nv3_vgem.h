/* SPDX-License-Identifier: MIT */
/*
 * Buffers shared with vgem, a device that has only memory.
 */
#ifndef IGT_NV3_VGEM_H
#define IGT_NV3_VGEM_H

#include "igt_nv3.h"

/* One of vgem's, which the nv3 has imported. */
struct igt_nv3_vgem {
	int vgem, nv3;
	uint32_t vgem_handle;
	/* As the nv3 knows it; its map is vgem's. */
	struct igt_nv3_bo bo;
};

/* Negative if there is none. */
int igt_nv3_vgem_open(void);

/* @width pixels of 4 bytes in a line, @height lines. */
void igt_nv3_vgem_create(struct igt_nv3_vgem *s, int nv3, int vgem, uint32_t width,
			 uint32_t height);
void igt_nv3_vgem_destroy(struct igt_nv3_vgem *s);
/* Another file of the nv3's imports it too, and is the one that it belongs to. */
void igt_nv3_vgem_share(struct igt_nv3_vgem *s, int nv3);

/* What is @bo on the nv3, under vgem's name. */
uint32_t igt_nv3_vgem_import(int vgem, const struct igt_nv3_bo *bo);

#endif
