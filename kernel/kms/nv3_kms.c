// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Display
 *
 * The display has one CRTC with a primary plane, a video overlay and a cursor, one DAC, and one VGA
 * connector with DDC. The driver pins frame buffers in VRAM while the primary plane or the overlay
 * shows them, and copies the image of the cursor to RAMIN.
 *
 * A commit that sets a mode turns the screen off, programs the planes and then the timing, and
 * turns the screen on again. The screen therefore never shows a frame buffer with the timing of
 * another mode.
 */

#include <linux/sizes.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_managed.h>
#include <drm/drm_mode_config.h>
#include <drm/drm_modes.h>
#include <drm/drm_modeset_helper_vtables.h>
#include <drm/drm_probe_helper.h>
#include <drm/drm_vblank.h>

#include "device/nv3_compat.h"
#include "nv3_crc.h"
#include "nv3_hotplug.h"
#include "nv3_kms.h"
#include "nv3_kms_priv.h"
#include "nv3_mode.h"
#include "nv3_overlay.h"
#include "nv3_vga_regs.h"

/**
 * nv3_kms_preferred_cpp() - return the preferred number of bytes per pixel of frame buffers
 * @nv3: the device
 *
 * Context: any.
 * Return: 4 if VRAM has room for two frame buffers of 640x480 with 32 bits per pixel, else 2.
 */
unsigned int nv3_kms_preferred_cpp(struct nv3_device *nv3)
{
	return nv3->vram_size >= SZ_4M ? 4 : 2;
}

/*
 * A mode is valid if a frame buffer of its size with 16 bits per pixel fits into low VRAM. A frame
 * buffer with 32 bits per pixel may still be too large, in which case nv3_plane_check_buffer()
 * rejects it.
 */
static enum drm_mode_status
nv3_kms_mode_valid(struct drm_device *drm, const struct drm_display_mode *mode)
{
	struct nv3_device *nv3 = to_nv3(drm);
	u64 size = (u64)mode->hdisplay * mode->vdisplay * sizeof(u16);

	return size <= nv3->vram_low ? MODE_OK : MODE_MEM;
}

/*
 * Like drm_atomic_helper_commit_tail(), but waits for the completion of the flip instead of the
 * vertical blank. A client that has waited for a commit therefore finds the event of the flip in
 * its queue.
 */
static void nv3_kms_commit_tail(struct drm_atomic_commit *commit)
{
	struct drm_device *drm = commit->dev;

	drm_atomic_helper_commit_modeset_disables(drm, commit);
	drm_atomic_helper_commit_planes(drm, commit, 0);
	drm_atomic_helper_commit_modeset_enables(drm, commit);
	drm_atomic_helper_commit_hw_done(commit);
	drm_atomic_helper_wait_for_flip_done(drm, commit);
	/*
	 * The interrupt handler completes the flip and then queues the event with this lock held.
	 * Taking the lock therefore waits until the event is in the queue.
	 */
	spin_lock_irq(&drm->event_lock);
	spin_unlock_irq(&drm->event_lock);
	drm_atomic_helper_cleanup_planes(drm, commit);
}

static const struct drm_mode_config_helper_funcs nv3_mode_config_helper_funcs = {
	.atomic_commit_tail = nv3_kms_commit_tail,
};

static const struct drm_mode_config_funcs nv3_mode_config_funcs = {
	.fb_create = drm_gem_fb_create,
	.mode_valid = nv3_kms_mode_valid,
	.atomic_check = drm_atomic_helper_check,
	.atomic_commit = drm_atomic_helper_commit,
};

/**
 * nv3_kms_vblank() - handle the start of a vertical blank
 * @nv3: the device, possibly before nv3_kms_init()
 *
 * Context: hard interrupt; called by the resource manager, which does not hold nv3_rm.lock.
 */
void nv3_kms_vblank(struct nv3_device *nv3)
{
	if (!nv3->kms)
		return;

	drm_crtc_handle_vblank(&nv3->kms->crtc);
	nv3_crc_frame_end(nv3);
}

static int nv3_mode_config_init(struct nv3_device *nv3)
{
	struct drm_device *drm = &nv3->drm;
	int ret;

	ret = drmm_mode_config_init(drm);
	if (ret)
		return ret;

	drm->mode_config.funcs = &nv3_mode_config_funcs;
	drm->mode_config.helper_private = &nv3_mode_config_helper_funcs;
	drm->mode_config.max_width = NV3_MODE_MAX;
	drm->mode_config.max_height = NV3_MODE_MAX;
	drm->mode_config.cursor_width = NV3_CURSOR_SIZE;
	drm->mode_config.cursor_height = NV3_CURSOR_SIZE;
	drm->mode_config.preferred_depth =
		nv3_kms_preferred_cpp(nv3) == 4 ? 24 : 16;
	/* Reading VRAM is slow, so fbdev should draw into a shadow buffer. */
	drm->mode_config.prefer_shadow = 1;

	return 0;
}

/**
 * nv3_kms_init() - create planes, CRTC, encoder and connector
 * @nv3: the device
 *
 * Context: process context, in probe. The mode objects are released with the DRM device.
 * Return: 0 or a negative errno.
 */
int nv3_kms_init(struct nv3_device *nv3)
{
	struct drm_device *drm = &nv3->drm;
	struct nv3_kms *kms;
	int ret;

	kms = drmm_kzalloc(drm, sizeof(*kms), GFP_KERNEL);
	if (!kms)
		return -ENOMEM;
	spin_lock_init(&kms->vga_lock);

	ret = nv3_mode_config_init(nv3);
	if (ret)
		return ret;

	nv3->kms = kms;
	nv3_hotplug_init(nv3);
	nv3_vga_unlock(nv3);

	ret = nv3_primary_init(nv3);
	if (ret)
		return ret;

	ret = nv3_overlay_init(nv3);
	if (ret)
		return ret;

	ret = nv3_cursor_init(nv3);
	if (ret)
		return ret;

	ret = nv3_crtc_init(nv3);
	if (ret)
		return ret;

	ret = nv3_connector_init(nv3);
	if (ret)
		return ret;

	ret = drm_vblank_init(drm, 1);
	if (ret)
		return ret;

	drm_mode_config_reset(drm);
	drm_kms_helper_poll_init(drm);
	return 0;
}

/**
 * nv3_kms_quiesce() - turn the display off at shutdown
 * @nv3: the device
 *
 * A commit that waits for a fence may hold modeset locks, so the function takes none.
 *
 * Context: any; takes nv3_kms.vga_lock.
 */
void nv3_kms_quiesce(struct nv3_device *nv3)
{
	nv3_cursor_hide(nv3);
	nv3_wr32(nv3, NV3_PVIDEO_OVERLAY, 0);
	nv3_crtc_off(nv3);
}

/**
 * nv3_kms_fini() - stop hotplug detection and access to the CRTC's registers
 * @nv3: the device
 *
 * Mode objects remain until the last file is closed.
 *
 * Context: process context.
 */
void nv3_kms_fini(struct nv3_device *nv3)
{
	WRITE_ONCE(nv3->kms->gone, true);
	nv3_hotplug_fini(nv3);
	drm_kms_helper_poll_fini(&nv3->drm);
}
