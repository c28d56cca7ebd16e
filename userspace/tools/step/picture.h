/* SPDX-License-Identifier: MIT */
#ifndef NV3_STEP_PICTURE_H
#define NV3_STEP_PICTURE_H

#include "rm.h"

/*
 * Writes a surface to a PNG file. @crc: set to the CRC-32 of its pixels, of 8 bits red, green and
 * blue each. Returns false after a message, and leaves no part of a file.
 */
bool picture_write(const struct machine *m, const struct rm_surface *surface, const char *file,
		   uint32_t *crc);

#endif
