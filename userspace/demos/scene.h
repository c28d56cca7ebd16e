/* SPDX-License-Identifier: MIT */
/* The contents of a client's picture, and the picture's position on the screen */
#ifndef DEMO_SCENE_H
#define DEMO_SCENE_H

#include "geometry.h"
#include "mesh.h"
#include "texture.h"

struct scene {
	const char *name;
	/*
	 * Position and size on the screen. @x is a multiple of 8, because surfaces start at
	 * multiples of 16 bytes.
	 */
	uint32_t x, y, width, height;

	/* @detail: factor for the number of rows and columns, 1 to DETAIL_MAX */
	struct mesh *(*make_mesh)(uint32_t detail);
	texture_painter painter;
	uint32_t texture_format;	/* NV3_D3D_TEX_* */
	uint32_t config;		/* NV3_D3D_CONFIG */
	uint32_t alpha;			/* NV3_D3D_ALPHA */
	uint32_t fog_color;		/* X8R8G8B8, also for the background */

	/* Sets the view at @time seconds after the start. */
	void (*set_view)(struct view *view, float time);
	/* Selects the rows of the mesh with detail 1 to draw. Null: all rows. */
	void (*rows)(float time, uint32_t *first, uint32_t *count);
};

#define SCENES		3
/* Vertices of class 0x1f have indices of 16 bits. */
#define DETAIL_MAX	4
extern const struct scene scenes[SCENES];

#define SCREEN_WIDTH	640
#define SCREEN_HEIGHT	480

#define TEXTURE_LOG2	7
#define TEXTURE_LOG2_MIN 2

#endif
