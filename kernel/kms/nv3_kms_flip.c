// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Flips for the resource manager
 *
 * A channel may flip in the middle of a batch (sw/nv3_flip.c). The flip is an ordinary commit,
 * except that it doesn't wait for the fences of the frame buffer. The drawing is complete when the
 * channel executes the flip, but the fence of the batch signals only at the end of the batch.
 *
 * A client may flip in a batch whenever DRM permits it to call DRM_IOCTL_MODE_PAGE_FLIP.
 */

#include <linux/idr.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_uapi.h>
#include <drm/drm_auth.h>
#include <drm/drm_drv.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_modeset_lock.h>
#include <drm/drm_vblank.h>

#include "device/nv3_compat.h"
#include "nv3_kms.h"
#include "nv3_kms_priv.h"

/*
 * The maximum time to wait for one vertical blank. The limit exceeds the duration of a frame in
 * every mode. It is necessary because no vertical blank follows if another task disables the CRTC.
 */
#define NV3_BLANK_TIMEOUT	(HZ / 4)

/**
 * nv3_kms_may_flip() - check whether a DRM master may flip now
 * @nv3: the device
 * @master: the master, or NULL
 *
 * Context: process context; takes drm_device.master_mutex and mode_config.idr_mutex.
 * Return: true if @master is the current master, or if it leases the CRTC and the primary plane
 * from the current master.
 */
bool nv3_kms_may_flip(struct nv3_device *nv3, struct drm_master *master)
{
	struct drm_device *drm = &nv3->drm;
	struct drm_master *owner = master;
	bool may;

	if (!master)
		return false;

	mutex_lock(&drm->master_mutex);
	while (owner->lessor)
		owner = owner->lessor;
	may = drm->master == owner;
	mutex_unlock(&drm->master_mutex);

	if (may && master->lessor) {
		mutex_lock(&drm->mode_config.idr_mutex);
		may = idr_find(&master->leases, nv3->kms->crtc.base.id) &&
		      idr_find(&master->leases, nv3->kms->primary.base.id);
		mutex_unlock(&drm->mode_config.idr_mutex);
	}
	return may;
}

static int nv3_kms_flip_commit(struct nv3_device *nv3, struct drm_framebuffer *fb,
			       struct drm_atomic_commit *state)
{
	struct drm_plane_state *plane = drm_atomic_get_plane_state(state, &nv3->kms->primary);

	if (IS_ERR(plane))
		return PTR_ERR(plane);
	if (!plane->crtc || plane->fb->format != fb->format)
		return -EINVAL;

	drm_atomic_set_fb_for_plane(plane, fb);
	plane->fence = dma_fence_get_stub();
	return nv3_atomic_commit(state);
}

/**
 * nv3_kms_flip() - show another frame buffer of the same format, and wait until it is on the screen
 * @nv3: the device
 * @fb_id: id of the frame buffer
 *
 * Context: process context; takes modeset locks.
 * Return: 0, -EINVAL if the CRTC is disabled, or if the frame buffer is too small or has another
 * format, -ENOENT for an unknown id, or -ENOMEM.
 */
int nv3_kms_flip(struct nv3_device *nv3, u32 fb_id)
{
	struct drm_modeset_acquire_ctx ctx;
	struct drm_framebuffer *fb;
	struct drm_atomic_commit *state;
	int ret;

	fb = drm_framebuffer_lookup(&nv3->drm, NULL, fb_id);
	if (!fb)
		return -ENOENT;
	state = drm_atomic_commit_alloc(&nv3->drm);
	if (!state) {
		drm_framebuffer_put(fb);
		return -ENOMEM;
	}

	drm_modeset_acquire_init(&ctx, 0);
	state->acquire_ctx = &ctx;
	while ((ret = nv3_kms_flip_commit(nv3, fb, state)) == -EDEADLK) {
		drm_atomic_commit_clear(state);
		drm_modeset_backoff(&ctx);
	}
	drm_atomic_commit_put(state);
	drm_modeset_drop_locks(&ctx);
	drm_modeset_acquire_fini(&ctx);
	drm_framebuffer_put(fb);
	return ret;
}

/*
 * Returns true if the CRTC is disabled. A disabled CRTC generates no vertical blanks, even while a
 * task waits for a vertical blank.
 */
static bool nv3_kms_is_dark(struct drm_crtc *crtc)
{
	return !READ_ONCE(drm_crtc_vblank_crtc(crtc)->enabled);
}

/**
 * nv3_kms_wait_blanks() - wait for vertical blanks, or until the CRTC is disabled
 * @nv3: the device
 * @count: number of vertical blanks
 * @wanted: called at each vertical blank, and returns false to end the wait
 * @data: argument of @wanted
 *
 * Context: process context; waits uninterruptibly.
 */
void nv3_kms_wait_blanks(struct nv3_device *nv3, u32 count, bool (*wanted)(void *data),
			 void *data)
{
	struct drm_crtc *crtc = &nv3->kms->crtc;
	wait_queue_head_t *queue = drm_crtc_vblank_waitqueue(crtc);
	u64 start;

	if (drm_crtc_vblank_get(crtc))
		return;

	start = drm_crtc_vblank_count(crtc);
	wait_event_timeout(*queue,
			   drm_crtc_vblank_count(crtc) - start >= count ||
			   nv3_kms_is_dark(crtc) || !wanted(data),
			   count * NV3_BLANK_TIMEOUT);
	drm_crtc_vblank_put(crtc);
}
