/* SPDX-License-Identifier: MIT */
#ifndef NV3_CONVERT_H
#define NV3_CONVERT_H

#include <stdbool.h>

#include "util/format/u_formats.h"

/*
 * Conversion between the chip's formats (X1R5G5B5, 16-bit depth) and others.
 * Pitches are in bytes, sizes in pixels.
 */
bool
nv3_can_convert(enum pipe_format format);

/*
 * Converts to @format. Stencil bits of @dst are preserved. Alpha becomes 1.
 */
void
nv3_convert_from_chip(enum pipe_format format, void *dst, unsigned dst_pitch,
                      const void *src, unsigned src_pitch, unsigned width,
                      unsigned height);

void
nv3_convert_to_chip(void *dst, unsigned dst_pitch, enum pipe_format format,
                    const void *src, unsigned src_pitch, unsigned width,
                    unsigned height);

#endif
