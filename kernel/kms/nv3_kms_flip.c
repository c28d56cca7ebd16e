// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Flips for the resource manager
 *
 * A channel may flip in the middle of its drawing (rm/nv3_flip.c). To the display that is a
 * commit like any other, with one difference: it doesn't wait for the frame buffer's fences. The
 * drawing that it is to show is done when the channel comes to the flip, and the fence of
 * the batch is not, as the batch goes on after it.
 *
 * Who may: whoever might do it with DRM_IOCTL_MODE_PAGE_FLIP, and only as long as that is so.
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

/* Longer than any frame; the blanks stop when the screen goes dark. */
#define NV3_BLANK_TIMEOUT	(HZ / 4)

/**
 * nv3_kms_may_flip() - is a master in charge of the display now?
 * @nv3: the device
 * @master: the master, or one who leases CRTC and primary plane of the one in charge; or NULL
 *
 * Context: process context; takes KMS's locks.
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
 * nv3_kms_flip() - show another frame buffer of the same format
 * @nv3: the device
 * @fb_id: its id
 *
 * Context: process context; takes KMS's locks, and returns when it is on the screen.
 * Return: 0, -EINVAL if the screen is dark or the frame buffer is too small or of another format,
 * -ENOENT if there is none of that id, -ENOMEM.
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

/* A screen that goes dark has its vertical blank switched off, whoever waits for it. */
static bool nv3_kms_is_dark(struct drm_crtc *crtc)
{
	return !READ_ONCE(drm_crtc_vblank_crtc(crtc)->enabled);
}

/**
 * nv3_kms_wait_blanks() - wait for vertical blanks, or until the screen is dark
 * @nv3: the device
 * @count: how many
 * @wanted: called at each blank: false if nobody waits for this any more
 * @data: for @wanted
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
