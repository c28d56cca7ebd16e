// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Common functions of planes
 *
 * The functions in this file check the position of each plane on the screen. If a plane is scanned
 * out of VRAM, they also check the domains and the pitch of its frame buffer, and pin the buffer
 * while the plane shows it.
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
 * nv3_plane_check_place() - check and clip the position of a plane on the screen
 * @plane: the plane
 * @state: the commit
 * @min_scale: smallest ratio of source size to target size, as 16.16 fixed point; the largest ratio
 *   is 1
 * @can_position: whether the plane may be smaller than the CRTC
 *
 * Context: process context, in atomic_check.
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
 * nv3_plane_pitch_ok() - check whether a pitch is a multiple of @align and at most @max
 * @pitch: distance from one line to the next, in bytes
 * @align: required alignment, in bytes
 * @max: largest pitch, in bytes
 *
 * Context: any.
 */
bool nv3_plane_pitch_ok(u32 pitch, u32 align, u32 max)
{
	return pitch % align == 0 && pitch <= max;
}

/**
 * nv3_plane_check_buffer() - check whether the frame buffer of a visible plane can be scanned out
 * @state: the plane's state
 * @align: required alignment of the pitch, in bytes
 * @max: largest pitch, in bytes
 *
 * Context: process context, in atomic_check.
 * Return: 0, or -EINVAL if the buffer can't be in low VRAM, or if its pitch is not aligned or too
 * large.
 */
int nv3_plane_check_buffer(const struct drm_plane_state *state, u32 align, u32 max)
{
	struct drm_plane *plane = state->plane;

	if (!nv3_bo_fits_low(nv3_plane_bo(state))) {
		drm_dbg_kms(plane->dev, "%s: the frame buffer can't be in low VRAM\n",
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
 * nv3_plane_prepare_fb() - &struct drm_plane_helper_funcs.prepare_fb: pin the buffer in low VRAM
 * @plane: the plane
 * @new: the new state of the plane
 *
 * Context: process context; locks the buffer, and may evict other buffers and wait for fences.
 * Return: 0 or a negative errno.
 */
int nv3_plane_prepare_fb(struct drm_plane *plane, struct drm_plane_state *new)
{
	int ret;

	if (!new->fb)
		return 0;

	ret = nv3_bo_pin(nv3_plane_bo(new), DRM_NV3_GEM_VRAM | NV3_GEM_LOW);
	if (ret) {
		drm_dbg_kms(plane->dev, "frame buffer can't be in low VRAM: %d\n", ret);
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
 * @old: the old state of the plane
 *
 * Context: process context; locks the buffer.
 */
void nv3_plane_cleanup_fb(struct drm_plane *plane, struct drm_plane_state *old)
{
	if (old->fb)
		nv3_bo_unpin(nv3_plane_bo(old));
}
