/* SPDX-License-Identifier: MIT */
#include "picture.h"

#include <stdlib.h>

#include "display/display.h"
#include "nv3_regs.h"

/* Widens a component from five bits to eight, so that 31 becomes 255. */
static uint8_t widen(uint32_t c)
{
	c &= 0x1f;
	return c << 3 | c >> 2;
}

static void get_pixel(const uint8_t *from, uint32_t format, uint8_t rgb[3])
{
	uint32_t pixel;

	switch (format) {
	case NV3_SURF_Y8:
		rgb[0] = rgb[1] = rgb[2] = from[0];
		break;
	case NV3_SURF_Y16:
		rgb[0] = rgb[1] = rgb[2] = from[1];
		break;
	case NV3_SURF_X1R5G5B5:
		pixel = from[0] | from[1] << 8;
		rgb[0] = widen(pixel >> 10);
		rgb[1] = widen(pixel >> 5);
		rgb[2] = widen(pixel);
		break;
	default:
		rgb[0] = from[2];
		rgb[1] = from[1];
		rgb[2] = from[0];
		break;
	}
}

uint8_t *picture_rgb(const struct machine *m, const struct rm_surface *s, uint32_t scale)
{
	uint32_t bytes = s->format == NV3_SURF_Y8 ? 1 : s->format == NV3_SURF_X8R8G8B8 ? 4 : 2;
	uint8_t *rgb = malloc((size_t)s->width * scale * s->height * scale * 3), *to = rgb;
	uint32_t x, y;

	for (y = 0; rgb && y < s->height * scale; y++) {
		const uint8_t *line = m->vram + s->offset + y / scale * s->pitch;

		for (x = 0; x < s->width * scale; x++, to += 3)
			get_pixel(line + x / scale * bytes, s->format, to);
	}
	return rgb;
}

bool picture_crc(const struct machine *m, const struct rm_surface *s, uint32_t *crc)
{
	uint8_t *rgb = picture_rgb(m, s, 1);

	if (!rgb)
		return false;
	*crc = nv3_crc32(0, rgb, s->width * s->height * 3);
	free(rgb);
	return true;
}
