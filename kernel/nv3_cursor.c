// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Cursor plane
 *
 * The chip draws a cursor of 32x32 pixels from an image in RAMIN. A pixel with
 * its top bit set replaces what is below, one without is exclusive-ored over it;
 * so there is no translucence, and zero is transparent. Clients have ARGB8888,
 * which is converted: each pixel is opaque or transparent, whichever is nearer.
 *
 * The frame buffer is looked at with every commit that has the plane in it, as
 * a client may have drawn into it; only what has changed is written to RAMIN, and
 * to an image that is not on the screen.
 */

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_modeset_helper_vtables.h>
#include <drm/drm_print.h>

#include "nv3_compat.h"
#include "nv3_kms.h"
#include "nv3_vga_regs.h"

static const u32 nv3_cursor_formats[] = {
	DRM_FORMAT_ARGB8888,
};

static int nv3_cursor_atomic_check(struct drm_plane *plane,
				   struct drm_atomic_commit *state)
{
	struct drm_plane_state *new =
		drm_atomic_get_new_plane_state(state, plane);
	struct drm_crtc_state *crtc_state = NULL;
	int ret;

	if (new->crtc)
		crtc_state = drm_atomic_get_new_crtc_state(state, new->crtc);

	ret = drm_atomic_helper_check_plane_state(new, crtc_state,
						  DRM_PLANE_NO_SCALING,
						  DRM_PLANE_NO_SCALING,
						  true, true);
	if (ret || !new->fb)
		return ret;

	if (new->crtc_w > NV3_CURSOR_SIZE || new->crtc_h > NV3_CURSOR_SIZE) {
		drm_dbg_kms(plane->dev, "cursor of %ux%u pixels\n",
			    new->crtc_w, new->crtc_h);
		return -EINVAL;
	}

	return 0;
}

static u16 nv3_cursor_pixel(u32 argb)
{
	if (!(argb & 0x80000000))
		return 0;

	return 0x8000 | (argb >> 9 & 0x7c00) | (argb >> 6 & 0x03e0) |
	       (argb >> 3 & 0x001f);
}

/* @state's part of its frame buffer, which is mapped at @fb, as RAMIN has it. */
static void nv3_cursor_convert(const struct drm_plane_state *state,
			       const struct iosys_map *fb,
			       u32 image[NV3_CURSOR_WORDS])
{
	const u32 width = state->crtc_w, height = state->crtc_h;
	const u32 pitch = state->fb->pitches[0];
	u32 line[NV3_CURSOR_SIZE];
	u32 x, y, at;

	memset(image, 0, NV3_CURSOR_WORDS * sizeof(*image));
	for (y = 0; y < height; y++) {
		at = ((state->src_y >> 16) + y) * pitch +
		     (state->src_x >> 16) * sizeof(*line);
		iosys_map_memcpy_from(line, fb, at, width * sizeof(*line));

		for (x = 0; x < width; x++)
			image[(y * NV3_CURSOR_SIZE + x) / 2] |=
				nv3_cursor_pixel(line[x]) << (x % 2 * 16);
	}
}

static void nv3_cursor_upload(struct nv3_device *nv3, unsigned int slot,
			      const u32 image[NV3_CURSOR_WORDS])
{
	u32 *there = nv3->kms->cursor_images[slot];
	unsigned int i;

	for (i = 0; i < NV3_CURSOR_WORDS; i++) {
		if (there[i] == image[i])
			continue;
		there[i] = image[i];
		nv3_ramin_wr32(nv3, NV3_RAMIN_CURSOR(slot) + i * 4, image[i]);
	}
}

static void nv3_cursor_show(struct nv3_device *nv3, unsigned int slot)
{
	const u32 addr = NV3_RAMIN_CURSOR(slot);

	nv3_crtc_wr(nv3, NV3_CRTC_CURSOR_0, addr >> 16);
	nv3_crtc_wr(nv3, NV3_CRTC_CURSOR_1,
		    (addr >> 8 & 0xf8) | NV3_CURSOR_1_ENABLE);
	nv3->kms->cursor_slot = slot;
}

static void nv3_cursor_hide(struct nv3_device *nv3)
{
	nv3_crtc_mask(nv3, NV3_CRTC_CURSOR_1, NV3_CURSOR_1_ENABLE, 0);
}

static void nv3_cursor_set_image(struct nv3_device *nv3,
				 const struct drm_shadow_plane_state *shadow)
{
	struct nv3_kms *kms = nv3->kms;
	unsigned int slot = kms->cursor_slot;

	nv3_cursor_convert(&shadow->base, &shadow->data[0], kms->cursor_new);
	if (memcmp(kms->cursor_new, kms->cursor_images[slot],
		   sizeof(kms->cursor_new))) {
		slot = (slot + 1) % NV3_RAMIN_CURSORS;
		nv3_cursor_upload(nv3, slot, kms->cursor_new);
	}
	nv3_cursor_show(nv3, slot);
}

static void nv3_cursor_atomic_update(struct drm_plane *plane,
				     struct drm_atomic_commit *state)
{
	struct nv3_device *nv3 = to_nv3(plane->dev);
	struct drm_plane_state *new = drm_atomic_get_new_plane_state(state, plane);
	int idx;

	if (!drm_dev_enter(plane->dev, &idx))
		return;

	nv3_wr32(nv3, NV3_PRAMDAC_CURSOR_POS,
		 (new->crtc_y & 0xfff) << 16 | (new->crtc_x & 0xfff));
	if (new->visible)
		nv3_cursor_set_image(nv3, to_drm_shadow_plane_state(new));
	else
		nv3_cursor_hide(nv3);

	drm_dev_exit(idx);
}

static void nv3_cursor_atomic_disable(struct drm_plane *plane,
				      struct drm_atomic_commit *state)
{
	int idx;

	if (!drm_dev_enter(plane->dev, &idx))
		return;
	nv3_cursor_hide(to_nv3(plane->dev));
	drm_dev_exit(idx);
}

static const struct drm_plane_helper_funcs nv3_cursor_helper_funcs = {
	DRM_GEM_SHADOW_PLANE_HELPER_FUNCS,
	.atomic_check = nv3_cursor_atomic_check,
	.atomic_update = nv3_cursor_atomic_update,
	.atomic_disable = nv3_cursor_atomic_disable,
};

static const struct drm_plane_funcs nv3_cursor_funcs = {
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.destroy = drm_plane_cleanup,
	DRM_GEM_SHADOW_PLANE_FUNCS,
};

/* Nobody knows what RAMIN holds: makes it what the driver thinks it is. */
void nv3_cursor_reset(struct nv3_device *nv3)
{
	struct nv3_kms *kms = nv3->kms;
	unsigned int slot;
	u32 i;

	nv3_cursor_hide(nv3);
	memset(kms->cursor_images, 0, sizeof(kms->cursor_images));
	for (slot = 0; slot < NV3_RAMIN_CURSORS; slot++) {
		for (i = 0; i < NV3_CURSOR_WORDS; i++)
			nv3_ramin_wr32(nv3, NV3_RAMIN_CURSOR(slot) + i * 4, 0);
	}
}

int nv3_cursor_init(struct nv3_device *nv3)
{
	struct drm_plane *plane = &nv3->kms->cursor;
	int ret;

	ret = drm_universal_plane_init(&nv3->drm, plane, 1, &nv3_cursor_funcs,
				       nv3_cursor_formats,
				       ARRAY_SIZE(nv3_cursor_formats), NULL,
				       DRM_PLANE_TYPE_CURSOR, NULL);
	if (ret)
		return ret;

	drm_plane_helper_add(plane, &nv3_cursor_helper_funcs);
	nv3_cursor_reset(nv3);
	return 0;
}
