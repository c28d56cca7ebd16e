// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Overlay plane
 *
 * PVIDEO shows an image in YUV 4:2:2 above the primary plane and below the cursor, unscaled or
 * magnified. With a colour key, PVIDEO shows the image only where the primary plane has the colour
 * of the key. At the start of a vertical blank, PVIDEO latches its registers and the CRTC latches
 * the start address of the primary plane. Both planes therefore change in the same frame.
 *
 * PVIDEO can alternate between two buffers by itself, but a commit has only one buffer. Each commit
 * therefore writes the same values for both buffers, and resets the state of both buffers. The
 * public drivers for this block do the same (docs/reference/chip/display.md).
 *
 * The property "colorkey" is the same as in nouveau's driver for NV4 to NV40 (dispnv04). Bits 0 to
 * 23 contain a pixel in the format of the primary plane's frame buffer, and bit 24 enables the key.
 */

#include <linux/slab.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_color_mgmt.h>
#include <drm/drm_drv.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_modeset_helper_vtables.h>
#include <drm/drm_print.h>
#include <drm/drm_property.h>
#include <drm/drm_rect.h>

#include "device/nv3_compat.h"
#include "nv3_kms_priv.h"
#include "nv3_overlay.h"
#include "nv3_plane.h"

/* PVIDEO reads lines in units of 16 bytes. */
#define NV3_OVERLAY_PITCH_ALIGN	16
/* The ratio of source size to target size for a STEP_SIZE of 1, as 16.16 fixed point. */
#define NV3_OVERLAY_SCALE_MIN	(BIT(16) / NV3_PVIDEO_STEP_SIZE_ONE)

#define NV3_COLORKEY_MASK	0x00ffffff
#define NV3_COLORKEY_ON		0x01000000

/**
 * struct nv3_overlay_state - the state of the overlay plane
 * @base: common state of planes
 * @colorkey: value of the property "colorkey", which consists of a pixel in the primary plane's
 *   format and NV3_COLORKEY_ON
 */
struct nv3_overlay_state {
	struct drm_plane_state base;
	u32 colorkey;
};

static struct nv3_overlay_state *to_nv3_overlay_state(struct drm_plane_state *state)
{
	return container_of(state, struct nv3_overlay_state, base);
}

static const u32 nv3_overlay_formats[] = {
	DRM_FORMAT_YUYV,
	DRM_FORMAT_UYVY,
};

static int nv3_overlay_atomic_check(struct drm_plane *plane,
				    struct drm_atomic_commit *state)
{
	struct drm_plane_state *new =
		drm_atomic_get_new_plane_state(state, plane);
	int ret;

	ret = nv3_plane_check_place(plane, state, NV3_OVERLAY_SCALE_MIN, true);
	if (ret || !new->visible)
		return ret;

	ret = nv3_plane_check_buffer(new, NV3_OVERLAY_PITCH_ALIGN,
				     NV3_PVIDEO_PITCH_MASK);
	if (ret)
		return ret;
	if (new->fb->offsets[0] % NV3_START_ALIGN) {
		drm_dbg_kms(plane->dev, "overlay: offset of %u bytes\n",
			    new->fb->offsets[0]);
		return -EINVAL;
	}

	return 0;
}

/**
 * nv3_overlay_step() - return the distance in the source per pixel of the screen
 * @source: number of pixels of the source
 * @target: number of pixels on the screen; the last of them shows the last pixel of the source
 *
 * Context: any.
 * Return: the distance, in the format of NV3_PVIDEO_STEP_SIZE.
 */
u32 nv3_overlay_step(u32 source, u32 target)
{
	if (target <= 1 || source <= 1)
		return NV3_PVIDEO_STEP_SIZE_ONE;

	return min_t(u32, (source - 1) * NV3_PVIDEO_STEP_SIZE_ONE / (target - 1),
		     NV3_PVIDEO_STEP_SIZE_ONE);
}

/*
 * Sets the pitch, and the position of the first visible pixel of the source. START selects a word
 * of two pixels, OFFSET_X selects the pixel in the word, and OFFSET_Y is a fraction of a line, in
 * quarters.
 */
static void nv3_overlay_set_source(struct nv3_device *nv3,
				   const struct drm_plane_state *state)
{
	const struct drm_framebuffer *fb = state->fb;
	const u32 x = state->src.x1 >> 16;
	const u32 y = state->src.y1 >> 16;
	const u32 quarters = state->src.y1 >> 14 & 3;
	const u32 start = nv3_bo_vram_offset(nv3_plane_bo(state)) + fb->offsets[0] +
			  y * fb->pitches[0] + x / 2 * 4;
	unsigned int i;

	for (i = 0; i < NV3_PVIDEO_BUFFERS; i++) {
		nv3_wr32(nv3, NV3_PVIDEO_START(i), start);
		nv3_wr32(nv3, NV3_PVIDEO_PITCH(i), fb->pitches[0]);
		nv3_wr32(nv3, NV3_PVIDEO_OFFSET(i),
			 (x % 2 ? NV3_PVIDEO_OFFSET_X : 0) |
			 quarters << NV3_PVIDEO_OFFSET_Y_SHIFT);
	}
}

static void nv3_overlay_set_target(struct nv3_device *nv3,
				   const struct drm_plane_state *state)
{
	const struct drm_rect *dst = &state->dst;

	nv3_wr32(nv3, NV3_PVIDEO_WINDOW_START, dst->y1 << 16 | dst->x1);
	nv3_wr32(nv3, NV3_PVIDEO_WINDOW_SIZE,
		 drm_rect_height(dst) << 16 | drm_rect_width(dst));
	nv3_wr32(nv3, NV3_PVIDEO_STEP_SIZE,
		 nv3_overlay_step(state->src_h >> 16, state->crtc_h) << 16 |
		 nv3_overlay_step(state->src_w >> 16, state->crtc_w));
}

static void nv3_overlay_set_filters(struct nv3_device *nv3)
{
	nv3_wr32(nv3, NV3_PVIDEO_CONTROL_X, NV3_PVIDEO_CONTROL_X_SMOOTH);
	nv3_wr32(nv3, NV3_PVIDEO_CONTROL_Y,
		 NV3_PVIDEO_CONTROL_Y_BLUR | NV3_PVIDEO_CONTROL_Y_LINE_FULL);
	nv3_wr32(nv3, NV3_PVIDEO_RED_CSC, NV3_PVIDEO_RED_CSC_NEUTRAL);
	nv3_wr32(nv3, NV3_PVIDEO_GREEN_CSC, NV3_PVIDEO_GREEN_CSC_NEUTRAL);
	nv3_wr32(nv3, NV3_PVIDEO_BLUE_CSC, NV3_PVIDEO_BLUE_CSC_NEUTRAL);
	nv3_wr32(nv3, NV3_PVIDEO_CSC_ADJUST, 0);
	nv3_wr32(nv3, NV3_PVIDEO_FIFO_BURST, NV3_OVERLAY_FIFO_BURST);
	nv3_wr32(nv3, NV3_PVIDEO_FIFO_THRES, NV3_OVERLAY_FIFO_THRES);
}

static void nv3_overlay_show(struct nv3_device *nv3, struct drm_plane_state *state)
{
	const u32 colorkey = to_nv3_overlay_state(state)->colorkey;
	u32 overlay = NV3_PVIDEO_OVERLAY_ON;

	if (state->fb->format->format == DRM_FORMAT_YUYV)
		overlay |= NV3_PVIDEO_OVERLAY_YUY2;
	if (colorkey & NV3_COLORKEY_ON)
		overlay |= NV3_PVIDEO_OVERLAY_KEY_ON;

	nv3_overlay_set_source(nv3, state);
	nv3_overlay_set_target(nv3, state);
	nv3_overlay_set_filters(nv3);
	nv3_wr32(nv3, NV3_PVIDEO_KEY, colorkey & NV3_COLORKEY_MASK);
	nv3_wr32(nv3, NV3_PVIDEO_OVERLAY, overlay);
	nv3_wr32(nv3, NV3_PVIDEO_OE_STATE, 0);
	nv3_wr32(nv3, NV3_PVIDEO_SU_STATE, 0);
	nv3_wr32(nv3, NV3_PVIDEO_SU_STATE, NV3_PVIDEO_IN_USE(0));
}

static void nv3_overlay_atomic_disable(struct drm_plane *plane,
				       struct drm_atomic_commit *state)
{
	int idx;

	if (!drm_dev_enter(plane->dev, &idx))
		return;
	nv3_wr32(to_nv3(plane->dev), NV3_PVIDEO_OVERLAY, 0);
	drm_dev_exit(idx);
}

static void nv3_overlay_atomic_update(struct drm_plane *plane,
				      struct drm_atomic_commit *state)
{
	struct drm_plane_state *new = drm_atomic_get_new_plane_state(state, plane);
	int idx;

	if (!new->visible) {
		nv3_overlay_atomic_disable(plane, state);
		return;
	}

	if (!drm_dev_enter(plane->dev, &idx))
		return;
	nv3_overlay_show(to_nv3(plane->dev), new);
	drm_dev_exit(idx);
}

static const struct drm_plane_helper_funcs nv3_overlay_helper_funcs = {
	.prepare_fb = nv3_plane_prepare_fb,
	.cleanup_fb = nv3_plane_cleanup_fb,
	.atomic_check = nv3_overlay_atomic_check,
	.atomic_update = nv3_overlay_atomic_update,
	.atomic_disable = nv3_overlay_atomic_disable,
};

static void nv3_overlay_destroy_state(struct drm_plane *plane,
				      struct drm_plane_state *state)
{
	__drm_atomic_helper_plane_destroy_state(state);
	kfree(to_nv3_overlay_state(state));
}

static void nv3_overlay_reset(struct drm_plane *plane)
{
	struct nv3_overlay_state *overlay;

	if (plane->state) {
		nv3_overlay_destroy_state(plane, plane->state);
		plane->state = NULL;
	}

	overlay = kzalloc(sizeof(*overlay), GFP_KERNEL);
	if (overlay)
		__drm_atomic_helper_plane_reset(plane, &overlay->base);
}

static struct drm_plane_state *
nv3_overlay_duplicate_state(struct drm_plane *plane)
{
	struct nv3_overlay_state *overlay;

	if (!plane->state)
		return NULL;

	overlay = kzalloc(sizeof(*overlay), GFP_KERNEL);
	if (!overlay)
		return NULL;

	__drm_atomic_helper_plane_duplicate_state(plane, &overlay->base);
	overlay->colorkey = to_nv3_overlay_state(plane->state)->colorkey;
	return &overlay->base;
}

static int nv3_overlay_set_property(struct drm_plane *plane,
				    struct drm_plane_state *state,
				    struct drm_property *property, u64 val)
{
	if (property != to_nv3(plane->dev)->kms->colorkey)
		return -EINVAL;

	to_nv3_overlay_state(state)->colorkey = val;
	return 0;
}

static int nv3_overlay_get_property(struct drm_plane *plane,
				    const struct drm_plane_state *state,
				    struct drm_property *property, u64 *val)
{
	if (property != to_nv3(plane->dev)->kms->colorkey)
		return -EINVAL;

	*val = container_of_const(state, struct nv3_overlay_state, base)->colorkey;
	return 0;
}

static const struct drm_plane_funcs nv3_overlay_funcs = {
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.destroy = drm_plane_cleanup,
	.reset = nv3_overlay_reset,
	.atomic_duplicate_state = nv3_overlay_duplicate_state,
	.atomic_destroy_state = nv3_overlay_destroy_state,
	.atomic_set_property = nv3_overlay_set_property,
	.atomic_get_property = nv3_overlay_get_property,
};

/*
 * The plane has no properties COLOR_ENCODING and COLOR_RANGE. The chip supports only BT.601 with
 * limited range, and clients assume this encoding for a plane without these properties. If the
 * plane had these properties, IGT would set its own default, BT.709.
 */
static int nv3_overlay_create_properties(struct nv3_device *nv3)
{
	struct nv3_kms *kms = nv3->kms;

	kms->colorkey = drm_property_create_range(&nv3->drm, 0, "colorkey", 0,
						  NV3_COLORKEY_ON | NV3_COLORKEY_MASK);
	if (!kms->colorkey)
		return -ENOMEM;
	drm_object_attach_property(&kms->overlay.base, kms->colorkey, 0);
	return 0;
}

/**
 * nv3_overlay_init() - create the overlay plane
 * @nv3: the device
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_overlay_init(struct nv3_device *nv3)
{
	struct drm_plane *plane = &nv3->kms->overlay;
	int ret;

	ret = drm_universal_plane_init(&nv3->drm, plane, 1, &nv3_overlay_funcs,
				       nv3_overlay_formats,
				       ARRAY_SIZE(nv3_overlay_formats), NULL,
				       DRM_PLANE_TYPE_OVERLAY, NULL);
	if (ret)
		return ret;

	drm_plane_helper_add(plane, &nv3_overlay_helper_funcs);
	nv3_wr32(nv3, NV3_PVIDEO_OVERLAY, 0);

	ret = nv3_overlay_create_properties(nv3);
	if (ret)
		return ret;
	return drm_plane_create_zpos_immutable_property(plane, NV3_ZPOS_OVERLAY);
}
