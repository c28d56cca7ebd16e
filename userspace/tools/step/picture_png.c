/* SPDX-License-Identifier: MIT */
/* Pictures as PNG files. */
#include "picture.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool picture_write(const struct machine *m, const struct rm_surface *s, const char *file,
		   uint32_t scale, uint32_t *crc)
{
	png_image image = {
		.version = PNG_IMAGE_VERSION, .width = s->width * scale,
		.height = s->height * scale, .format = PNG_FORMAT_RGB,
	};
	uint8_t *rgb = picture_crc(m, s, crc) ? picture_rgb(m, s, scale) : NULL;
	bool ok = rgb && png_image_write_to_file(&image, file, 0, rgb, 0, NULL);

	/* libpng removes a file that it can't complete. */
	if (!ok)
		fprintf(stderr, "nv3-step: %s: %s\n", file,
			rgb ? image.message : strerror(ENOMEM));
	free(rgb);
	return ok;
}
