/* SPDX-License-Identifier: MIT */
#ifndef NV3_TOOLS_PNG_FILE_H
#define NV3_TOOLS_PNG_FILE_H

#include <stdint.h>

/*
 * Writes a picture of 8 bits each of red, green and blue. The file gets its name only when it is
 * complete. Until then it is FILE.part, and FILE keeps its contents. A device is written in place.
 * Returns null, or a message, and leaves no FILE.part.
 */
const char *png_file_write(const char *file, const uint8_t *rgb, uint32_t width, uint32_t height);

#endif
