/* SPDX-License-Identifier: MIT */
#ifndef NV3_STEP_PICTURE_H
#define NV3_STEP_PICTURE_H

#include "rm.h"

/* Pixels of a picture per pixel of the surface */
#define PICTURE_SCALE_MAX	16

/*
 * Returns the pixels of a surface, with 8 bits each of red, green and blue, repeated @scale times
 * in both directions. The caller frees them. Returns null if memory is exhausted.
 */
uint8_t *picture_rgb(const struct machine *m, const struct rm_surface *surface, uint32_t scale);
/* Sets @crc to the CRC-32 of picture_rgb() at scale 1. Returns false if memory is exhausted. */
bool picture_crc(const struct machine *m, const struct rm_surface *surface, uint32_t *crc);

/*
 * picture_png.c, or web/page.c in a browser: writes a surface to a PNG file that is @scale times as
 * wide and high. @crc: set as by picture_crc(). Returns false after a message, and leaves no part
 * of a file.
 */
bool picture_write(const struct machine *m, const struct rm_surface *surface, const char *file,
		   uint32_t scale, uint32_t *crc);

#endif
