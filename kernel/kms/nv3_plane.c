// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: What planes have in common
 *
 * Where they are on the screen, and, for those that are scanned out of VRAM, that
 * their buffers can be there, have lines that the chip can step over, and stay pinned
 * while they are shown.
 */

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_print.h>
#include <drm/nv3_drm.h>

#include "device/nv3_compat.h"
#include "nv3_plane.h"

/**
 * nv3_plane_check_place() - the head of atomic_check: where a plane's new state is on the screen
 * @plane: the plane
 * @state: the commit
 * @min_scale: source over target as 16.16; no plane can shrink
 * @can_position: it needn't cover the CRTC
 *
 * Context: process context.
 * Return: 0 or a negative errno.
 */
int nv3_plane_check_place(struct drm_plane *plane, struct drm_atomic_commit *state,
			  int min_scale, bool can_position)
{
	struct drm_plane_state *new =
		drm_atomic_get_new_plane_state(state, plane);
	struct drm_crtc_state *crtc_state = NULL;

	if (new->crtc)
		crtc_state = drm_atomic_get_new_crtc_state(state, new->crtc);

	return drm_atomic_helper_check_plane_state(new, crtc_state, min_scale,
						   DRM_PLANE_NO_SCALING,
						   can_position, true);
}

/**
 * nv3_plane_pitch_ok() - can the chip take these bytes from line to line?
 * @pitch: bytes
 * @align: of which they must be a multiple
 * @max: the most
 */
bool nv3_plane_pitch_ok(u32 pitch, u32 align, u32 max)
{
	return pitch % align == 0 && pitch <= max;
}

/**
 * nv3_plane_check_buffer() - can a visible plane's buffer be scanned out?
 * @state: the plane's state
 * @align: of the pitch, in bytes
 * @max: the largest pitch, in bytes
 *
 * Return: 0, or -EINVAL for a buffer that can't be in VRAM, or for its pitch.
 */
int nv3_plane_check_buffer(const struct drm_plane_state *state, u32 align, u32 max)
{
	struct drm_plane *plane = state->plane;

	if (!(nv3_plane_bo(state)->domains & DRM_NV3_GEM_VRAM)) {
		drm_dbg_kms(plane->dev, "%s: the frame buffer can't be in VRAM\n",
			    plane->name);
		return -EINVAL;
	}
	if (!nv3_plane_pitch_ok(state->fb->pitches[0], align, max)) {
		drm_dbg_kms(plane->dev, "%s: pitch of %u bytes\n", plane->name,
			    state->fb->pitches[0]);
		return -EINVAL;
	}

	return 0;
}

/**
 * nv3_plane_prepare_fb() - &struct drm_plane_helper_funcs.prepare_fb: pin the buffer in VRAM
 * @plane: the plane
 * @new: its new state
 *
 * Context: process context; takes the buffer's lock.
 * Return: 0 or a negative errno.
 */
int nv3_plane_prepare_fb(struct drm_plane *plane, struct drm_plane_state *new)
{
	int ret;

	if (!new->fb)
		return 0;

	ret = nv3_bo_pin(nv3_plane_bo(new), DRM_NV3_GEM_VRAM);
	if (ret) {
		drm_dbg_kms(plane->dev, "frame buffer can't be in VRAM: %d\n", ret);
		return ret;
	}

	ret = drm_gem_plane_helper_prepare_fb(plane, new);
	if (ret)
		nv3_bo_unpin(nv3_plane_bo(new));
	return ret;
}

/**
 * nv3_plane_cleanup_fb() - &struct drm_plane_helper_funcs.cleanup_fb: unpin the buffer
 * @plane: the plane
 * @old: its old state
 *
 * Context: process context; takes the buffer's lock.
 */
void nv3_plane_cleanup_fb(struct drm_plane *plane, struct drm_plane_state *old)
{
	if (old->fb)
		nv3_bo_unpin(nv3_plane_bo(old));
}
