/* SPDX-License-Identifier: MIT */
#ifndef DEMO_TEXTURE_H
#define DEMO_TEXTURE_H

#include <stdint.h>

/* Returns the texel at x, y as A8R8G8B8. Coordinates are from 0 to @size - 1. */
typedef uint32_t (*texture_painter)(uint32_t x, uint32_t y, uint32_t size);

uint32_t texture_bands(uint32_t x, uint32_t y, uint32_t size);
uint32_t texture_ground(uint32_t x, uint32_t y, uint32_t size);
uint32_t texture_bricks(uint32_t x, uint32_t y, uint32_t size);

/*
 * Returns the size in bytes of a square texture with mipmap levels. The smallest level has
 * 2^@log2_min texels per side.
 */
uint32_t texture_bytes(uint32_t log2_size, uint32_t log2_min);
/*
 * Paints all levels of a texture in @format (NV3_D3D_TEX_*) and the chip's layout, beginning with
 * the largest level. Returns -1 if memory is exhausted.
 */
int texture_paint(void *texels, uint32_t format, uint32_t log2_size,
		  uint32_t log2_min, texture_painter painter);

#endif
