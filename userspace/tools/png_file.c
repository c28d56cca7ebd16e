/* SPDX-License-Identifier: MIT */
#include "png_file.h"

#include <errno.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char message[256];

/* Sets the message to the description of errno, or to @other if errno is 0. Returns false. */
static bool fail(const char *other)
{
	snprintf(message, sizeof(message), "%s", errno ? strerror(errno) : other);
	return false;
}

static bool write_image(const char *path, png_image *image, const uint8_t *rgb)
{
	FILE *file = fopen(path, "wbe");
	bool ok;

	if (!file)
		return fail("");
	errno = 0;
	ok = png_image_write_to_stdio(image, file, 0, rgb, 0, NULL) && !fflush(file);
	if (!ok)
		fail(image->message);
	if (fclose(file) && ok)
		ok = fail("");
	return ok;
}

const char *png_file_write(const char *file, const uint8_t *rgb, uint32_t width, uint32_t height)
{
	png_image image = {
		.version = PNG_IMAGE_VERSION, .width = width, .height = height,
		.format = PNG_FORMAT_RGB,
	};
	struct stat info;
	char *part;
	bool ok;

	if (!stat(file, &info) && !S_ISREG(info.st_mode))
		return write_image(file, &image, rgb) ? NULL : message;
	part = malloc(strlen(file) + sizeof(".part"));
	if (!part)
		return strerror(ENOMEM);
	sprintf(part, "%s.part", file);
	ok = write_image(part, &image, rgb);
	if (ok && rename(part, file))
		ok = fail("");
	if (!ok)
		unlink(part);
	free(part);
	return ok ? NULL : message;
}
