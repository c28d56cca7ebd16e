// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Cursor images
 *
 * The chip's cursor has 32x32 pixels of 16 bits. A cursor pixel with bit 15 set replaces the pixel
 * on the screen. A cursor pixel with bit 15 clear is exclusive-ored with the pixel on the screen,
 * so 0 is transparent. Cursor pixels can't be translucent. Pixels of the clients' format, ARGB8888,
 * become opaque if their alpha is at least 0x80, else transparent.
 *
 * A client may put a small cursor at any position in a buffer of 64x64 pixels. If opaque pixels lie
 * beyond column 31 (or line 31), the image begins at the first column (or line) that contains an
 * opaque pixel. Larger cursors are clipped to 32x32 pixels, as in nouveau for chips with this
 * limit.
 */

#include <linux/iosys-map.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <drm/drm_rect.h>

#include "nv3_cursor.h"

static void nv3_cursor_read_line(const struct nv3_cursor_source *source, u32 y,
				 u32 line[NV3_CURSOR_BUFFER_MAX])
{
	iosys_map_memcpy_from(line, source->map, source->start + y * source->pitch,
			      source->width * sizeof(*line));
}

/**
 * nv3_cursor_pixel() - convert a pixel to the chip's format
 * @argb: the pixel, ARGB8888
 *
 * Context: any.
 * Return: an opaque pixel in the chip's format if alpha is at least 0x80, else 0, which is
 * transparent.
 */
u16 nv3_cursor_pixel(u32 argb)
{
	if (!(argb & 0x80000000))
		return 0;

	return 0x8000 | (argb >> 9 & 0x7c00) | (argb >> 6 & 0x03e0) |
	       (argb >> 3 & 0x001f);
}

/* Returns the smallest rectangle that contains all opaque pixels. */
static struct drm_rect nv3_cursor_bounds(const struct nv3_cursor_source *source)
{
	struct drm_rect bounds = {
		.x1 = NV3_CURSOR_BUFFER_MAX, .y1 = NV3_CURSOR_BUFFER_MAX,
	};
	u32 line[NV3_CURSOR_BUFFER_MAX];
	int x, y;

	for (y = 0; y < source->height; y++) {
		nv3_cursor_read_line(source, y, line);
		for (x = 0; x < source->width; x++) {
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

/* Converts the part of the source that begins at column @x and line @y. */
static void nv3_cursor_convert(const struct nv3_cursor_source *source,
			       struct nv3_cursor_image *image, u32 x, u32 y)
{
	const u32 width = min_t(u32, source->width - x, NV3_CURSOR_SIZE);
	const u32 height = min_t(u32, source->height - y, NV3_CURSOR_SIZE);
	u32 line[NV3_CURSOR_BUFFER_MAX];
	u32 i, j;

	memset(image->word, 0, sizeof(image->word));
	for (j = 0; j < height; j++) {
		nv3_cursor_read_line(source, y + j, line);
		for (i = 0; i < width; i++)
			image->word[(j * NV3_CURSOR_SIZE + i) / 2] |=
				nv3_cursor_pixel(line[x + i]) << (i % 2 * 16);
	}
	image->x = x;
	image->y = y;
}

/**
 * nv3_cursor_make_image() - convert a cursor, clipped to NV3_CURSOR_SIZE
 * @source: the client's cursor
 * @image: set to the chip's image
 *
 * Context: any.
 */
void nv3_cursor_make_image(const struct nv3_cursor_source *source,
			   struct nv3_cursor_image *image)
{
	const struct drm_rect bounds = nv3_cursor_bounds(source);

	/*
	 * The image begins at column 0 and line 0 if the cursor fits, so that a cursor that changes
	 * its shape does not move.
	 */
	nv3_cursor_convert(source, image,
			   bounds.x2 > NV3_CURSOR_SIZE ? bounds.x1 : 0,
			   bounds.y2 > NV3_CURSOR_SIZE ? bounds.y1 : 0);
}
