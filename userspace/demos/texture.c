/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "nv3_class.h"
#include "texture.h"

static uint32_t rgb(uint32_t r, uint32_t g, uint32_t b)
{
	return 0xff000000 | r << 16 | g << 8 | b;
}

/* Returns a pseudo-random value from 0 to 255, which is the same in each run. */
static uint32_t noise(uint32_t x, uint32_t y)
{
	uint32_t n = x * 0x9e3779b1u ^ y * 0x85ebca6bu;

	n ^= n >> 15;
	n *= 0x2c1b3c6du;
	n ^= n >> 12;
	return n & 0xff;
}

/*
 * Returns noise for a texel, interpolated between random values every @cell texels. The noise wraps
 * around at the texture's edges.
 */
static uint32_t smooth_noise(uint32_t x, uint32_t y, uint32_t size,
			     uint32_t cell)
{
	uint32_t cells = size / cell;
	uint32_t cx = x / cell, cy = y / cell;
	uint32_t fx = x % cell, fy = y % cell;
	uint32_t nx = (cx + 1) % cells, ny = (cy + 1) % cells;
	uint32_t top = noise(cx, cy) * (cell - fx) + noise(nx, cy) * fx;
	uint32_t bottom = noise(cx, ny) * (cell - fx) + noise(nx, ny) * fx;

	return (top * (cell - fy) + bottom * fy) / (cell * cell);
}

/* A chequered pattern of copper and dark steel with bright rims */
uint32_t texture_bands(uint32_t x, uint32_t y, uint32_t size)
{
	uint32_t half = size / 2, rim = size / 32 + 1;
	uint32_t in_x = x % half, in_y = y % half;
	uint32_t grain = noise(x, y) / 16;

	if (in_x < rim || in_y < rim)
		return rgb(255, 236, 190);
	if ((x / half + y / half) & 1)
		return rgb(70 + grain, 84 + grain, 110 + grain);
	return rgb(210 + grain, 120 + grain, 48 + grain);
}

uint32_t texture_ground(uint32_t x, uint32_t y, uint32_t size)
{
	uint32_t n = (4 * smooth_noise(x, y, size, size / 4) +
		      2 * smooth_noise(x, y, size, size / 8) +
		      smooth_noise(x, y, size, size / 16)) / 7;
	uint32_t grain = noise(x, y) / 8;

	/* Light lines in both directions make distances on the ground visible. */
	if (x < size / 16 || y < size / 16)
		return rgb(196, 176, 128);
	if (n > 140)
		return rgb(120 + grain, 112 + grain, 96 + grain);
	return rgb(50 + n / 4 + grain, 110 + n / 2, 40 + grain);
}

/* Bricks with windows. Windows have transparent texels, which the alpha test discards. */
uint32_t texture_bricks(uint32_t x, uint32_t y, uint32_t size)
{
	uint32_t height = size / 4, width = size / 2, joint = size / 32 + 1;
	uint32_t course = y / height;
	uint32_t shifted = (x + (course & 1 ? width / 2 : 0)) % size;
	uint32_t in_x = shifted % width, in_y = y % height;
	uint32_t grain = noise(x, y) / 6;
	uint32_t tone = noise(shifted / width, course) / 5;

	if (in_x < joint || in_y < joint)
		return rgb(190 + grain, 186 + grain, 176 + grain);
	if (course == 1 && shifted / width == 0 &&
	    in_x > width / 4 && in_x < width - width / 4 + joint &&
	    in_y > height / 4 && in_y < height - height / 4 + joint)
		return rgb(90, 40, 30) & 0xffffff;
	return rgb(150 + tone + grain, 60 + tone / 2 + grain, 44 + grain);
}

uint32_t texture_bytes(uint32_t log2_size, uint32_t log2_min)
{
	uint32_t level, bytes = 0;

	for (level = log2_min; level <= log2_size; level++)
		bytes += 2u << 2 * level;
	return bytes;
}

static uint16_t encode(uint32_t c, uint32_t format)
{
	uint32_t a = c >> 24, r = c >> 16 & 0xff, g = c >> 8 & 0xff;
	uint32_t b = c & 0xff;

	switch (format) {
	case NV3_D3D_TEX_R5G6B5:
		return r >> 3 << 11 | g >> 2 << 5 | b >> 3;
	case NV3_D3D_TEX_A4R4G4B4:
		return a >> 4 << 12 | r >> 4 << 8 | g >> 4 << 4 | b >> 4;
	default:
		return a >> 7 << 15 | r >> 3 << 10 | g >> 3 << 5 | b >> 3;
	}
}

/* Computes the next smaller level in place: each texel is the mean of four texels. */
static void halve(uint32_t *texels, uint32_t size)
{
	uint32_t x, y, shift, half = size / 2;

	for (y = 0; y < half; y++) {
		for (x = 0; x < half; x++) {
			const uint32_t *t = &texels[2 * y * size + 2 * x];
			uint32_t mean = 0;

			for (shift = 0; shift < 32; shift += 8)
				mean |= ((t[0] >> shift & 0xff) +
					 (t[1] >> shift & 0xff) +
					 (t[size] >> shift & 0xff) +
					 (t[size + 1] >> shift & 0xff) + 2) / 4
					<< shift;
			texels[y * half + x] = mean;
		}
	}
}

/* Returns a number whose bit 2 * i is bit i of @n. */
static uint32_t spread(uint32_t n)
{
	uint32_t i, out = 0;

	for (i = 0; n >> i; i++)
		out |= (n >> i & 1) << 2 * i;
	return out;
}

/*
 * Stores a level in swizzled order: the bits of x and y are interleaved
 * (docs/reference/chip/3d.md).
 */
static void encode_level(uint16_t *out, const uint32_t *texels, uint32_t size,
			 uint32_t format)
{
	uint32_t x, y;

	for (y = 0; y < size; y++) {
		for (x = 0; x < size; x++)
			out[spread(x) | spread(y) << 1] =
				encode(texels[y * size + x], format);
	}
}

int texture_paint(void *texels, uint32_t format, uint32_t log2_size,
		  uint32_t log2_min, texture_painter painter)
{
	uint32_t size = 1u << log2_size, x, y;
	uint16_t *out = texels;
	uint32_t *level = malloc(4ull * size * size);

	if (!level)
		return -1;
	for (y = 0; y < size; y++) {
		for (x = 0; x < size; x++)
			level[y * size + x] = painter(x, y, size);
	}
	for (;;) {
		encode_level(out, level, size, format);
		out += size * size;
		if (size == 1u << log2_min)
			break;
		halve(level, size);
		size /= 2;
	}
	free(level);
	return 0;
}
