// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Cursor plane
 *
 * The chip draws a cursor of 32x32 pixels from an image in RAMIN. A pixel with
 * its top bit set replaces what is below, one without is exclusive-ored over it;
 * so there is no translucence, and zero is transparent. Clients have ARGB8888,
 * which is converted: each pixel is opaque or transparent, whichever is nearer.
 *
 * Many clients put a small cursor into a buffer of 64x64 without asking. Wherever in
 * it they do, what is to be seen is shown, up to 32x32 pixels of it; the rest of a
 * larger one is cut off, as nouveau does on chips of this size. Clients that ask are
 * told 32x32, and draw larger ones themselves.
 *
 * The buffer is looked at with every commit that has the plane in it, as a client
 * may have drawn into it; only what has changed is written to RAMIN, and to an
 * image that is not on the screen.
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

#include "nv3_compat.h"
#include "nv3_cursor.h"
#include "nv3_kms.h"
#include "nv3_plane.h"
#include "nv3_vga_regs.h"

/* The largest buffer: what clients use that don't ask. */
#define NV3_CURSOR_BUFFER_MAX	64

/**
 * struct nv3_cursor_state - the plane's state
 * @shadow: with the mapping of the frame buffer while a commit goes on
 * @x: where in what the client shows the image begins
 * @y: the same
 * @image: as RAMIN has it
 */
struct nv3_cursor_state {
	struct drm_shadow_plane_state shadow;
	u32 x;
	u32 y;
	u32 image[NV3_CURSOR_WORDS];
};

static struct nv3_cursor_state *to_nv3_cursor_state(struct drm_plane_state *state)
{
	return container_of(state, struct nv3_cursor_state, shadow.base);
}

static const u32 nv3_cursor_formats[] = {
	DRM_FORMAT_ARGB8888,
};

/* One line of what the client shows, @map being its buffer. */
static void nv3_cursor_read_line(const struct drm_plane_state *state,
				 const struct iosys_map *map, u32 y,
				 u32 line[NV3_CURSOR_BUFFER_MAX])
{
	const u32 at = ((state->src_y >> 16) + y) * state->fb->pitches[0] +
		       (state->src_x >> 16) * sizeof(*line);

	iosys_map_memcpy_from(line, map, at, state->crtc_w * sizeof(*line));
}

u16 nv3_cursor_pixel(u32 argb)
{
	if (!(argb & 0x80000000))
		return 0;

	return 0x8000 | (argb >> 9 & 0x7c00) | (argb >> 6 & 0x03e0) |
	       (argb >> 3 & 0x001f);
}

/* The part of it that is not transparent. */
static struct drm_rect nv3_cursor_bounds(const struct drm_plane_state *state,
					 const struct iosys_map *map)
{
	struct drm_rect bounds = {
		.x1 = NV3_CURSOR_BUFFER_MAX, .y1 = NV3_CURSOR_BUFFER_MAX,
	};
	u32 line[NV3_CURSOR_BUFFER_MAX];
	int x, y;

	for (y = 0; y < state->crtc_h; y++) {
		nv3_cursor_read_line(state, map, y, line);
		for (x = 0; x < state->crtc_w; x++) {
			if (!nv3_cursor_pixel(line[x]))
				continue;
			bounds.x1 = min(bounds.x1, x);
			bounds.y1 = min(bounds.y1, y);
			bounds.x2 = max(bounds.x2, x + 1);
			bounds.y2 = max(bounds.y2, y + 1);
		}
	}

	return bounds;
}

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

/* Makes the image of what begins at @x and @y. */
static void nv3_cursor_convert(struct nv3_cursor_state *cursor, u32 x, u32 y)
{
	const struct drm_plane_state *state = &cursor->shadow.base;
	const u32 width = min_t(u32, state->crtc_w - x, NV3_CURSOR_SIZE);
	const u32 height = min_t(u32, state->crtc_h - y, NV3_CURSOR_SIZE);
	u32 line[NV3_CURSOR_BUFFER_MAX];
	u32 i, j;

	memset(cursor->image, 0, sizeof(cursor->image));
	for (j = 0; j < height; j++) {
		nv3_cursor_read_line(state, &cursor->shadow.data[0], y + j, line);
		for (i = 0; i < width; i++)
			cursor->image[(j * NV3_CURSOR_SIZE + i) / 2] |=
				nv3_cursor_pixel(line[x + i]) << (i % 2 * 16);
	}
	cursor->x = x;
	cursor->y = y;
}

static void nv3_cursor_make_image(struct nv3_cursor_state *cursor)
{
	const struct drm_rect bounds =
		nv3_cursor_bounds(&cursor->shadow.base, &cursor->shadow.data[0]);

	/* Where it is if it can be: cursors that change should not jump. */
	nv3_cursor_convert(cursor,
			   bounds.x2 > NV3_CURSOR_SIZE ? bounds.x1 : 0,
			   bounds.y2 > NV3_CURSOR_SIZE ? bounds.y1 : 0);
}

/* What the chip still draws into the buffer must be there. */
static int nv3_cursor_wait(const struct drm_plane_state *state)
{
	struct drm_gem_object *gem = drm_gem_fb_get_obj(state->fb, 0);
	long ret;

	ret = dma_resv_wait_timeout(gem->resv, DMA_RESV_USAGE_WRITE, true,
				    MAX_SCHEDULE_TIMEOUT);
	return ret < 0 ? ret : 0;
}

static int nv3_cursor_begin_fb_access(struct drm_plane *plane,
				      struct drm_plane_state *state)
{
	int ret;

	ret = drm_gem_begin_shadow_fb_access(plane, state);
	if (ret || !state->visible)
		return ret;

	ret = nv3_cursor_wait(state);
	if (ret)
		drm_gem_end_shadow_fb_access(plane, state);
	else
		nv3_cursor_make_image(to_nv3_cursor_state(state));

	return ret;
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
	struct nv3_cursor_state *cursor = to_nv3_cursor_state(new);
	int idx;

	if (!drm_dev_enter(plane->dev, &idx))
		return;

	if (new->visible) {
		nv3_wr32(nv3, NV3_PRAMDAC_CURSOR_POS,
			 ((new->crtc_y + cursor->y) & 0xfff) << 16 |
			 ((new->crtc_x + cursor->x) & 0xfff));
		nv3_cursor_set_image(nv3, cursor->image);
	} else {
		nv3_cursor_hide(nv3);
	}

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
	.begin_fb_access = nv3_cursor_begin_fb_access,
	.end_fb_access = drm_gem_end_shadow_fb_access,
	.atomic_check = nv3_cursor_atomic_check,
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

/* The image is not part of it: each commit makes its own. */
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
	return drm_plane_create_zpos_immutable_property(plane, NV3_ZPOS_CURSOR);
}
