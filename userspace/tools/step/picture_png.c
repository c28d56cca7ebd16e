/* SPDX-License-Identifier: MIT */
/* Pictures as PNG files. */
#include "picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../png_file.h"

bool picture_write(const struct machine *m, const struct rm_surface *s, const char *file,
		   uint32_t scale, uint32_t *crc)
{
	uint8_t *rgb = picture_crc(m, s, crc) ? picture_rgb(m, s, scale) : NULL;
	const char *message = strerror(ENOMEM);

	if (rgb)
		message = png_file_write(file, rgb, s->width * scale, s->height * scale);
	if (message)
		fprintf(stderr, "nv3-step: %s: %s\n", file, message);
	free(rgb);
	return !message;
}
