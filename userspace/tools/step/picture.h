/* SPDX-License-Identifier: MIT */
#ifndef NV3_STEP_PICTURE_H
#define NV3_STEP_PICTURE_H

#include "rm.h"

/* Maximum magnification of a picture */
#define PICTURE_SCALE_MAX	16

/*
 * Returns the pixels of a surface, magnified @scale times in both directions, with 8 bits per
 * component (red, green, blue). The caller must free the pixels. Returns null if memory is
 * exhausted.
 */
uint8_t *picture_rgb(const struct machine *m, const struct rm_surface *surface, uint32_t scale);
/* Sets @crc to the CRC-32 of picture_rgb() at scale 1. Returns false if memory is exhausted. */
bool picture_crc(const struct machine *m, const struct rm_surface *surface, uint32_t *crc);

/*
 * Writes a surface, magnified @scale times, to a PNG file. Sets @crc like picture_crc(). If the
 * function fails, it prints a message, leaves no incomplete file and returns false. picture_png.c
 * implements the function for nv3-step, and web/page.c implements it for browsers.
 */
bool picture_write(const struct machine *m, const struct rm_surface *surface, const char *file,
		   uint32_t scale, uint32_t *crc);

#endif
