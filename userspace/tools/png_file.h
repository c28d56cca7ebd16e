/* SPDX-License-Identifier: MIT */
#ifndef NV3_TOOLS_PNG_FILE_H
#define NV3_TOOLS_PNG_FILE_H

#include <stdint.h>

/*
 * Writes a picture with 8 bits per component (red, green, blue). Writes @file.part, and renames the
 * complete file to @file. An existing @file therefore stays unchanged if an error occurs. If @file
 * is a device, writes it directly. Returns null, or a message after removing @file.part.
 */
const char *png_file_write(const char *file, const uint8_t *rgb, uint32_t width, uint32_t height);

#endif
