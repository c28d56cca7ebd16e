// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Primary plane
 *
 * The primary plane has a start address in VRAM, a pitch, and one of four formats. The CRTC latches
 * the start address at the start of the vertical blank. The address is spread over three registers,
 * so no vertical blank may begin while the driver writes the address (see nv3_crtc_evade_vblank()).
 */

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_damage_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_modeset_helper_vtables.h>
#include <drm/drm_panic.h>
#include <drm/drm_print.h>
#include <drm/drm_rect.h>

#include <video/vga.h>

#include "device/nv3_compat.h"
#include "nv3_kms_priv.h"
#include "nv3_plane.h"
#include "nv3_vga_regs.h"

static const u32 nv3_primary_formats[] = {
	DRM_FORMAT_XRGB8888,
	DRM_FORMAT_RGB565,
	DRM_FORMAT_XRGB1555,
	DRM_FORMAT_C8,
};

/**
 * nv3_primary_pixel_format() - encode a format for NV3_CRTC_PIXEL_FORMAT
 * @format: the format
 *
 * The two formats with 16 bits per pixel have the same value. PRAMDAC_GENERAL distinguishes them.
 *
 * Context: any.
 * Return: the register's value.
 */
u8 nv3_primary_pixel_format(const struct drm_format_info *format)
{
	switch (format->format) {
	case DRM_FORMAT_C8:
		return 1;
	case DRM_FORMAT_XRGB1555:
	case DRM_FORMAT_RGB565:
		return 2;
	default:
		return 3;
	}
}

/* Returns the offset, in bytes, of the first visible pixel in the buffer. */
static u32 nv3_primary_offset(const struct drm_plane_state *state)
{
	const struct drm_framebuffer *fb = state->fb;

	return fb->offsets[0] + (state->src.y1 >> 16) * fb->pitches[0] +
	       (state->src.x1 >> 16) * fb->format->cpp[0];
}

static int nv3_primary_atomic_check(struct drm_plane *plane,
				    struct drm_atomic_commit *state)
{
	struct drm_plane_state *new =
		drm_atomic_get_new_plane_state(state, plane);
	int ret;

	ret = nv3_plane_check_place(plane, state, DRM_PLANE_NO_SCALING, false);
	if (ret || !new->visible)
		return ret;

	ret = nv3_plane_check_buffer(new, NV3_PITCH_ALIGN, NV3_PITCH_MAX);
	if (ret)
		return ret;
	if (nv3_primary_offset(new) % NV3_START_ALIGN) {
		drm_dbg_kms(plane->dev, "picture begins at byte %u of its buffer\n",
			    nv3_primary_offset(new));
		return -EINVAL;
	}

	return 0;
}

/*
 * Writes the start address. @repaint_0 contains the bits of NV3_CRTC_REPAINT_0 that are not part of
 * the address.
 */
static void nv3_primary_set_start(struct nv3_device *nv3, u32 start, u8 repaint_0)
{
	const u32 words = start / NV3_START_ALIGN;
	unsigned long flags;

	local_irq_save(flags);
	nv3_crtc_wr(nv3, VGA_CRTC_START_LO, words);
	nv3_crtc_wr(nv3, VGA_CRTC_START_HI, words >> 8);
	nv3_crtc_wr(nv3, NV3_CRTC_REPAINT_0, repaint_0 | (words >> 16 & 0x1f));
	local_irq_restore(flags);
}

static void nv3_primary_set_format(struct nv3_device *nv3,
				   const struct drm_framebuffer *fb)
{
	nv3_crtc_wr(nv3, NV3_CRTC_PIXEL_FORMAT,
		    nv3_primary_pixel_format(fb->format));
	nv3_crtc_wr(nv3, VGA_CRTC_OFFSET, fb->pitches[0] / NV3_PITCH_ALIGN);
}

/* The CRTC can't disable the primary plane, so this function turns the picture off instead. */
static void nv3_primary_atomic_disable(struct drm_plane *plane,
				       struct drm_atomic_commit *state)
{
	int idx;

	if (!drm_dev_enter(plane->dev, &idx))
		return;
	nv3_vga_blank(to_nv3(plane->dev), true);
	drm_dev_exit(idx);
}

static void nv3_primary_atomic_update(struct drm_plane *plane,
				      struct drm_atomic_commit *state)
{
	struct nv3_device *nv3 = to_nv3(plane->dev);
	struct drm_plane_state *old = drm_atomic_get_old_plane_state(state, plane);
	struct drm_plane_state *new = drm_atomic_get_new_plane_state(state, plane);
	const struct drm_crtc_state *crtc_state =
		drm_atomic_get_new_crtc_state(state, new->crtc);
	const bool modeset = drm_atomic_crtc_needs_modeset(crtc_state);
	const u8 pitch_10_8 = new->fb->pitches[0] / NV3_PITCH_ALIGN >> 3 & 0xe0;
	int idx;

	if (!new->visible) {
		nv3_primary_atomic_disable(plane, state);
		return;
	}

	if (!drm_dev_enter(plane->dev, &idx))
		return;

	if (modeset || !old->visible ||
	    old->fb->format != new->fb->format ||
	    old->fb->pitches[0] != new->fb->pitches[0])
		nv3_primary_set_format(nv3, new->fb);
	nv3_primary_set_start(nv3, nv3_bo_vram_offset(nv3_plane_bo(new)) +
				   nv3_primary_offset(new), pitch_10_8);

	/* After a mode set, nv3_crtc_atomic_enable() turns the picture on. */
	if (!modeset && crtc_state->active && !old->visible)
		nv3_vga_blank(nv3, false);

	drm_dev_exit(idx);
}

/*
 * Provides the frame buffer of the plane for the panic screen. All other CPUs have stopped, so the
 * function needs no locks. It must not take a lock, because a stopped CPU may hold that lock.
 */
static int nv3_primary_get_scanout_buffer(struct drm_plane *plane,
					  struct drm_scanout_buffer *sb)
{
	const struct drm_plane_state *state = plane->state;
	struct nv3_device *nv3 = to_nv3(plane->dev);

	if (!state || !state->visible)
		return -ENODEV;

	sb->format = state->fb->format;
	sb->width = drm_rect_width(&state->src) >> 16;
	sb->height = drm_rect_height(&state->src) >> 16;
	sb->pitch[0] = state->fb->pitches[0];
	iosys_map_set_vaddr_iomem(&sb->map[0],
				  nv3->vram + nv3_bo_vram_offset(nv3_plane_bo(state)) +
				  nv3_primary_offset(state));
	return 0;
}

/*
 * Removes the planes that might cover the panic message: turns the overlay off, and moves the
 * cursor beyond the left edge of the screen. nv3_cursor_hide() takes a lock, so it can't be used
 * here.
 */
static void nv3_primary_panic_flush(struct drm_plane *plane)
{
	struct nv3_device *nv3 = to_nv3(plane->dev);

	nv3_wr32(nv3, NV3_PVIDEO_OVERLAY, 0);
	nv3_wr32(nv3, NV3_PRAMDAC_CURSOR_POS, -NV3_CURSOR_SIZE & 0xfff);
}

static const struct drm_plane_helper_funcs nv3_primary_helper_funcs = {
	.prepare_fb = nv3_plane_prepare_fb,
	.cleanup_fb = nv3_plane_cleanup_fb,
	.atomic_check = nv3_primary_atomic_check,
	.atomic_update = nv3_primary_atomic_update,
	.atomic_disable = nv3_primary_atomic_disable,
	.get_scanout_buffer = nv3_primary_get_scanout_buffer,
	.panic_flush = nv3_primary_panic_flush,
};

static const struct drm_plane_funcs nv3_primary_funcs = {
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.destroy = drm_plane_cleanup,
	.reset = drm_atomic_helper_plane_reset,
	.atomic_duplicate_state = drm_atomic_helper_plane_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_plane_destroy_state,
};

/**
 * nv3_primary_init() - create the primary plane
 * @nv3: the device
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_primary_init(struct nv3_device *nv3)
{
	struct drm_plane *plane = &nv3->kms->primary;
	int ret;

	ret = drm_universal_plane_init(&nv3->drm, plane, 1, &nv3_primary_funcs,
				       nv3_primary_formats,
				       ARRAY_SIZE(nv3_primary_formats), NULL,
				       DRM_PLANE_TYPE_PRIMARY, NULL);
	if (ret)
		return ret;

	drm_plane_helper_add(plane, &nv3_primary_helper_funcs);
	/*
	 * Clients may set the property FB_DAMAGE_CLIPS. The driver does not copy frame buffers, so
	 * it ignores the property.
	 */
	drm_plane_enable_fb_damage_clips(plane);
	return drm_plane_create_zpos_immutable_property(plane, NV3_ZPOS_PRIMARY);
}
