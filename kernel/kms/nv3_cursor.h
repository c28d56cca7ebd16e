/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CURSOR_H
#define NV3_CURSOR_H

#include <linux/types.h>

#include "nv3_regs.h"

struct iosys_map;

/* The largest buffer: what clients use that don't ask. */
#define NV3_CURSOR_BUFFER_MAX	64

#define NV3_CURSOR_WORDS	(NV3_CURSOR_SIZE * NV3_CURSOR_SIZE / 2)
#define NV3_CURSOR_BYTES	(NV3_CURSOR_WORDS * sizeof(u32))

/**
 * struct nv3_cursor_source - what a client shows: pixels of ARGB8888
 * @map: its buffer
 * @start: byte of the first pixel in it
 * @pitch: bytes from line to line
 * @width: in pixels, up to NV3_CURSOR_BUFFER_MAX
 * @height: the same
 */
struct nv3_cursor_source {
	const struct iosys_map *map;
	u32 start;
	u32 pitch;
	u32 width;
	u32 height;
};

/**
 * struct nv3_cursor_image - what the chip shows of it
 * @x: where in the source it begins
 * @y: the same
 * @word: as RAMIN has it, two pixels each
 */
struct nv3_cursor_image {
	u32 x;
	u32 y;
	u32 word[NV3_CURSOR_WORDS];
};

/* The chip's pixel for one of ARGB8888: opaque or transparent, whichever is nearer. */
u16 nv3_cursor_pixel(u32 argb);

/* Of a source that is too large: what is to be seen, cut off at NV3_CURSOR_SIZE. */
void nv3_cursor_make_image(const struct nv3_cursor_source *source,
			   struct nv3_cursor_image *image);

#endif
