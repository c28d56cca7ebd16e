/* SPDX-License-Identifier: MIT */
#ifndef NV3_STEP_PICTURE_H
#define NV3_STEP_PICTURE_H

#include "rm.h"

/* Pixels of a picture per pixel of the surface */
#define PICTURE_SCALE_MAX	16

/*
 * Writes a surface to a PNG file that is @scale times as wide and high. @crc: set to the CRC-32 of
 * the surface's pixels, of 8 bits red, green and blue each. Returns false after a message, and
 * leaves no part of a file.
 */
bool picture_write(const struct machine *m, const struct rm_surface *surface, const char *file,
		   uint32_t scale, uint32_t *crc);

#endif
