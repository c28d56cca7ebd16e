/* SPDX-License-Identifier: MIT */
/*
 * Buffers that nv3 shares with vgem. vgem is a virtual device that only
 * allocates memory.
 */
#ifndef IGT_NV3_VGEM_H
#define IGT_NV3_VGEM_H

#include "igt_nv3.h"

/* A buffer that vgem has allocated and nv3 has imported. */
struct igt_nv3_vgem {
	int vgem, nv3;
	uint32_t vgem_handle;
	/* bo.handle is the buffer's handle in nv3, and bo.map is a mapping of vgem's file. */
	struct igt_nv3_bo bo;
};

/* Opens vgem. Returns a negative number if there is no vgem device. */
int igt_nv3_vgem_open(void);

/* Creates a buffer with @height lines of @width pixels of 4 bytes. */
void igt_nv3_vgem_create(struct igt_nv3_vgem *s, int nv3, int vgem, uint32_t width,
			 uint32_t height);
void igt_nv3_vgem_destroy(struct igt_nv3_vgem *s);
/*
 * Imports the buffer into the nv3 file @nv3. Sets @s->nv3 to @nv3, and the handle of @s->bo to the
 * buffer's handle in @nv3.
 */
void igt_nv3_vgem_share(struct igt_nv3_vgem *s, int nv3);

/* Exports @bo from nv3 and imports it into vgem. Returns the buffer's handle in vgem. */
uint32_t igt_nv3_vgem_import(int vgem, const struct igt_nv3_bo *bo);

#endif
