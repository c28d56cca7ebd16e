// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Cursor plane
 *
 * The chip draws a cursor of 32x32 pixels from an image in RAMIN. The driver converts the client's
 * buffer to that image (nv3_cursor_image.c). DRM_CAP_CURSOR_WIDTH and DRM_CAP_CURSOR_HEIGHT are 32,
 * and clients that read these capabilities draw larger cursors in software. Other clients use
 * buffers of 64x64 pixels.
 *
 * The client may have drawn into its buffer, so each commit that contains the plane reads the
 * buffer again. RAMIN contains two cursor images, and the driver writes the changed words to the
 * image that is not on the screen.
 *
 * A pointer may move several times per frame, so the cursor ioctls update this plane
 * asynchronously, without waiting for a vertical blank.
 */

#include <linux/dma-resv.h>
#include <linux/slab.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_drv.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_modeset_helper_vtables.h>
#include <drm/drm_print.h>
#include <drm/drm_rect.h>

#include "device/nv3_compat.h"
#include "nv3_cursor.h"
#include "nv3_kms_priv.h"
#include "nv3_plane.h"
#include "nv3_vga_regs.h"

/**
 * struct nv3_cursor_state - the state of the cursor plane
 * @shadow: the common state of planes, with the mapping of the frame buffer while the driver reads
 * it
 * @image: the image to show
 */
struct nv3_cursor_state {
	struct drm_shadow_plane_state shadow;
	struct nv3_cursor_image image;
};

static struct nv3_cursor_state *to_nv3_cursor_state(struct drm_plane_state *state)
{
	return container_of(state, struct nv3_cursor_state, shadow.base);
}

static const u32 nv3_cursor_formats[] = {
	DRM_FORMAT_ARGB8888,
};

static int nv3_cursor_atomic_check(struct drm_plane *plane,
				   struct drm_atomic_commit *state)
{
	struct drm_plane_state *new =
		drm_atomic_get_new_plane_state(state, plane);
	int ret;

	ret = nv3_plane_check_place(plane, state, DRM_PLANE_NO_SCALING, true);
	if (ret || !new->fb)
		return ret;

	if (new->crtc_w > NV3_CURSOR_BUFFER_MAX ||
	    new->crtc_h > NV3_CURSOR_BUFFER_MAX) {
		drm_dbg_kms(plane->dev, "cursor of %ux%u pixels\n",
			    new->crtc_w, new->crtc_h);
		return -EINVAL;
	}

	return 0;
}

static void nv3_cursor_convert_fb(struct nv3_cursor_state *cursor)
{
	const struct drm_plane_state *state = &cursor->shadow.base;
	const u32 pitch = state->fb->pitches[0];
	const struct nv3_cursor_source source = {
		.map = &cursor->shadow.data[0],
		.start = (state->src_y >> 16) * pitch + (state->src_x >> 16) * sizeof(u32),
		.pitch = pitch,
		.width = state->crtc_w,
		.height = state->crtc_h,
	};

	nv3_cursor_make_image(&source, &cursor->image);
}

/* Waits until batches that write the buffer have completed. */
static int nv3_cursor_wait(const struct drm_plane_state *state)
{
	struct drm_gem_object *gem = drm_gem_fb_get_obj(state->fb, 0);
	long ret;

	ret = dma_resv_wait_timeout(gem->resv, DMA_RESV_USAGE_WRITE, true,
				    MAX_SCHEDULE_TIMEOUT);
	return ret < 0 ? ret : 0;
}

static int nv3_cursor_read(struct drm_plane_state *state)
{
	int ret;

	if (!state->visible)
		return 0;

	ret = nv3_cursor_wait(state);
	if (!ret)
		nv3_cursor_convert_fb(to_nv3_cursor_state(state));

	return ret;
}

/*
 * Ends the CPU's access to the frame buffer as soon as the image has been converted. The access
 * can't end in .end_fb_access, because an asynchronous update exchanges the frame buffers before
 * DRM calls .end_fb_access.
 */
static int nv3_cursor_begin_fb_access(struct drm_plane *plane,
				      struct drm_plane_state *state)
{
	int ret;

	ret = drm_gem_begin_shadow_fb_access(plane, state);
	if (ret)
		return ret;

	ret = nv3_cursor_read(state);
	drm_gem_end_shadow_fb_access(plane, state);

	return ret;
}

static void nv3_cursor_upload(struct nv3_device *nv3, unsigned int slot,
			      const u32 image[NV3_CURSOR_WORDS])
{
	u32 *uploaded = nv3->kms->cursor_images[slot];
	unsigned int i;

	for (i = 0; i < NV3_CURSOR_WORDS; i++) {
		if (uploaded[i] == image[i])
			continue;
		uploaded[i] = image[i];
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

/**
 * nv3_cursor_hide() - hide the cursor
 * @nv3: the device
 *
 * Context: any; takes nv3_kms.vga_lock.
 */
void nv3_cursor_hide(struct nv3_device *nv3)
{
	nv3_crtc_mask(nv3, NV3_CRTC_CURSOR_1, NV3_CURSOR_1_ENABLE, 0);
}

static void nv3_cursor_set_image(struct nv3_device *nv3,
				 const u32 image[NV3_CURSOR_WORDS])
{
	struct nv3_kms *kms = nv3->kms;
	unsigned int slot = kms->cursor_slot;

	if (memcmp(image, kms->cursor_images[slot], NV3_CURSOR_BYTES)) {
		slot = (slot + 1) % NV3_RAMIN_CURSORS;
		nv3_cursor_upload(nv3, slot, image);
	}
	nv3_cursor_show(nv3, slot);
}

static void nv3_cursor_atomic_update(struct drm_plane *plane,
				     struct drm_atomic_commit *state)
{
	struct nv3_device *nv3 = to_nv3(plane->dev);
	struct drm_plane_state *new = drm_atomic_get_new_plane_state(state, plane);
	const struct nv3_cursor_state *cursor = to_nv3_cursor_state(new);
	int idx;

	if (!drm_dev_enter(plane->dev, &idx))
		return;

	if (new->visible) {
		nv3_wr32(nv3, NV3_PRAMDAC_CURSOR_POS,
			 ((new->crtc_y + cursor->image.y) & 0xfff) << 16 |
			 ((new->crtc_x + cursor->image.x) & 0xfff));
		nv3_cursor_set_image(nv3, cursor->image.word);
	} else {
		nv3_cursor_hide(nv3);
	}

	drm_dev_exit(idx);
}

/*
 * If the CRTC is active and the cursor stays visible, every state that atomic_check accepts can be
 * set asynchronously.
 */
static int nv3_cursor_atomic_async_check(NV3_ASYNC_CHECK_PARAMS)
{
	const struct drm_plane_state *new =
		drm_atomic_get_new_plane_state(state, plane);

	return new->fb && plane->state->fb && new->crtc->state->active ? 0 : -EINVAL;
}

static void nv3_cursor_atomic_async_update(struct drm_plane *plane,
					   struct drm_atomic_commit *state)
{
	struct drm_plane_state *new = drm_atomic_get_new_plane_state(state, plane);
	struct drm_plane_state *now = plane->state;

	/* DRM's helper releases the frame buffer in @new, so exchange the frame buffers. */
	nv3_cursor_atomic_update(plane, state);
	swap(now->fb, new->fb);
	now->crtc_x = new->crtc_x;
	now->crtc_y = new->crtc_y;
	now->crtc_w = new->crtc_w;
	now->crtc_h = new->crtc_h;
	now->src_x = new->src_x;
	now->src_y = new->src_y;
	now->src_w = new->src_w;
	now->src_h = new->src_h;
	now->src = new->src;
	now->dst = new->dst;
	now->visible = new->visible;
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
	.begin_fb_access = nv3_cursor_begin_fb_access,
	.atomic_check = nv3_cursor_atomic_check,
	.atomic_async_check = nv3_cursor_atomic_async_check,
	.atomic_async_update = nv3_cursor_atomic_async_update,
	.atomic_update = nv3_cursor_atomic_update,
	.atomic_disable = nv3_cursor_atomic_disable,
};

static void nv3_cursor_plane_reset(struct drm_plane *plane)
{
	struct nv3_cursor_state *cursor;

	if (plane->state) {
		cursor = to_nv3_cursor_state(plane->state);
		__drm_gem_destroy_shadow_plane_state(&cursor->shadow);
		kfree(cursor);
		plane->state = NULL;
	}

	cursor = kzalloc(sizeof(*cursor), GFP_KERNEL);
	if (cursor)
		__drm_gem_reset_shadow_plane(plane, &cursor->shadow);
}

/* Each commit converts the image again, so this function does not copy the image. */
static struct drm_plane_state *
nv3_cursor_duplicate_state(struct drm_plane *plane)
{
	struct nv3_cursor_state *cursor;

	if (!plane->state)
		return NULL;

	cursor = kzalloc(sizeof(*cursor), GFP_KERNEL);
	if (!cursor)
		return NULL;

	__drm_gem_duplicate_shadow_plane_state(plane, &cursor->shadow);
	return &cursor->shadow.base;
}

static void nv3_cursor_destroy_state(struct drm_plane *plane,
				     struct drm_plane_state *state)
{
	struct nv3_cursor_state *cursor = to_nv3_cursor_state(state);

	__drm_gem_destroy_shadow_plane_state(&cursor->shadow);
	kfree(cursor);
}

static const struct drm_plane_funcs nv3_cursor_funcs = {
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.destroy = drm_plane_cleanup,
	.reset = nv3_cursor_plane_reset,
	.atomic_duplicate_state = nv3_cursor_duplicate_state,
	.atomic_destroy_state = nv3_cursor_destroy_state,
};

/**
 * nv3_cursor_reset() - hide the cursor and clear its images in RAMIN
 * @nv3: the device
 *
 * Called in probe, and again after RAMIN has lost its contents.
 *
 * Context: process context.
 */
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

/**
 * nv3_cursor_init() - create the cursor plane
 * @nv3: the device
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
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
	ret = drm_plane_create_zpos_immutable_property(plane, NV3_ZPOS_CURSOR);
	if (ret)
		return ret;
	/*
	 * DRM warns if an ARGB plane lacks this property. Its only value, premultiplied, is the
	 * mode that DRM assumes for planes without the property.
	 */
	return drm_plane_create_blend_mode_property(plane, BIT(DRM_MODE_BLEND_PREMULTI));
}
