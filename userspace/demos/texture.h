/* SPDX-License-Identifier: MIT */
#ifndef DEMO_TEXTURE_H
#define DEMO_TEXTURE_H

#include <stdint.h>

/* A8R8G8B8 of the texel at x, y, each from 0 to @size - 1. */
typedef uint32_t (*texture_painter)(uint32_t x, uint32_t y, uint32_t size);

uint32_t texture_bands(uint32_t x, uint32_t y, uint32_t size);
uint32_t texture_ground(uint32_t x, uint32_t y, uint32_t size);
uint32_t texture_bricks(uint32_t x, uint32_t y, uint32_t size);

/* Bytes of a square texture with its smaller levels, down to @log2_min. */
uint32_t texture_bytes(uint32_t log2_size, uint32_t log2_min);
/*
 * Paints the texture and its smaller levels as the chip wants them, the largest
 * first, in @format (NV3_D3D_TEX_*). -1 without memory.
 */
int texture_paint(void *texels, uint32_t format, uint32_t log2_size,
		  uint32_t log2_min, texture_painter painter);

#endif
