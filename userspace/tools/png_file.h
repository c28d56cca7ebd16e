/* SPDX-License-Identifier: MIT */
#ifndef NV3_TOOLS_PNG_FILE_H
#define NV3_TOOLS_PNG_FILE_H

#include <stdint.h>

/*
 * Writes a picture with 8 bits per component (red, green, blue). Writes @file.part, and renames the
 * complete file to @file. An error therefore leaves an existing @file unchanged. A device file is
 * written directly. Returns null, or a message after removing @file.part.
 */
const char *png_file_write(const char *file, const uint8_t *rgb, uint32_t width, uint32_t height);

#endif
