/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What planes have in common, and above all those that are scanned out of VRAM. */
#ifndef NV3_PLANE_H
#define NV3_PLANE_H

#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_plane.h>

#include "device/nv3_compat.h"
#include "mem/nv3_bo.h"

struct drm_atomic_commit;

/* Start addresses count words. */
#define NV3_START_ALIGN		4

/* The order of planes is the chip's. */
#define NV3_ZPOS_PRIMARY	0
#define NV3_ZPOS_OVERLAY	1
#define NV3_ZPOS_CURSOR		2

static inline struct nv3_bo *nv3_plane_bo(const struct drm_plane_state *state)
{
	return to_nv3_bo(drm_gem_fb_get_obj(state->fb, 0));
}

/* Of struct drm_plane_helper_funcs: the buffer is pinned in VRAM meanwhile. */
int nv3_plane_prepare_fb(struct drm_plane *plane, struct drm_plane_state *new);
void nv3_plane_cleanup_fb(struct drm_plane *plane, struct drm_plane_state *old);

/* As NV3_CRTC_PIXEL_FORMAT has it; GENERAL tells the two of 16 bits apart. */
u8 nv3_primary_pixel_format(const struct drm_format_info *format);

/*
 * The head of atomic_check: where the plane's new state is on the screen, by DRM's
 * helper. @min_scale is source over target as 16.16; none can shrink.
 */
int nv3_plane_check_place(struct drm_plane *plane, struct drm_atomic_commit *state,
			  int min_scale, bool can_position);

/* Of a visible plane in VRAM: -EINVAL if its buffer can't be there, or for its pitch. */
int nv3_plane_check_buffer(const struct drm_plane_state *state, u32 align, u32 max);

/* Bytes from line to line, a multiple of @align up to @max. */
bool nv3_plane_pitch_ok(u32 pitch, u32 align, u32 max);

#endif
