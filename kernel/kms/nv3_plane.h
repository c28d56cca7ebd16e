/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_PLANE_H
#define NV3_PLANE_H

#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_plane.h>

#include "device/nv3_compat.h"
#include "mem/nv3_bo.h"

struct drm_atomic_commit;

/* The alignment of start addresses in VRAM, in bytes. */
#define NV3_START_ALIGN		4

/* The zpos values of the planes, from bottom to top. The order is fixed in the chip. */
#define NV3_ZPOS_PRIMARY	0
#define NV3_ZPOS_OVERLAY	1
#define NV3_ZPOS_CURSOR		2

static inline struct nv3_bo *nv3_plane_bo(const struct drm_plane_state *state)
{
	return to_nv3_bo(drm_gem_fb_get_obj(state->fb, 0));
}

int nv3_plane_prepare_fb(struct drm_plane *plane, struct drm_plane_state *new);
void nv3_plane_cleanup_fb(struct drm_plane *plane, struct drm_plane_state *old);

u8 nv3_primary_pixel_format(const struct drm_format_info *format);

int nv3_plane_check_place(struct drm_plane *plane, struct drm_atomic_commit *state,
			  int min_scale, bool can_position);

int nv3_plane_check_buffer(const struct drm_plane_state *state, u32 align, u32 max);

bool nv3_plane_pitch_ok(u32 pitch, u32 align, u32 max);

#endif
