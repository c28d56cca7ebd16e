/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CURSOR_H
#define NV3_CURSOR_H

#include <linux/types.h>

#include "nv3_regs.h"

struct iosys_map;

/*
 * The largest width and height of a client's cursor buffer, in pixels. Clients that ignore
 * DRM_CAP_CURSOR_WIDTH use 64x64 pixels.
 */
#define NV3_CURSOR_BUFFER_MAX	64

#define NV3_CURSOR_WORDS	(NV3_CURSOR_SIZE * NV3_CURSOR_SIZE / 2)
#define NV3_CURSOR_BYTES	(NV3_CURSOR_WORDS * sizeof(u32))

/**
 * struct nv3_cursor_source - a client's cursor, in ARGB8888
 * @map: the buffer
 * @start: offset of the first pixel, in bytes
 * @pitch: distance from one line to the next, in bytes
 * @width: width in pixels, up to NV3_CURSOR_BUFFER_MAX
 * @height: height in pixels, up to NV3_CURSOR_BUFFER_MAX
 */
struct nv3_cursor_source {
	const struct iosys_map *map;
	u32 start;
	u32 pitch;
	u32 width;
	u32 height;
};

/**
 * struct nv3_cursor_image - a cursor in the chip's format
 * @x: column of the source at which the image begins
 * @y: line of the source at which the image begins
 * @word: the words of the image in RAMIN; each word contains two pixels
 */
struct nv3_cursor_image {
	u32 x;
	u32 y;
	u32 word[NV3_CURSOR_WORDS];
};

u16 nv3_cursor_pixel(u32 argb);
void nv3_cursor_make_image(const struct nv3_cursor_source *source,
			   struct nv3_cursor_image *image);

#endif
