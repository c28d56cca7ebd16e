/* SPDX-License-Identifier: MIT */
/*
 * Class 0x17 draws vertices in screen space, so this code transforms, lights and clips vertices on
 * the CPU. The code minimizes arithmetic operations per vertex, because an emulated CPU executes
 * such operations slowly.
 */
#ifndef DEMO_GEOMETRY_H
#define DEMO_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh.h"
#include "nv3.h"

/*
 * Number of colours in view.shades. The index of a colour depends on the angle between the light
 * and the surface normal. Index 64 is a right angle.
 */
#define SHADES	128

struct view {
	/*
	 * The rows of the matrix compute x * w, y * w and w. x and y are in pixels, and w is the
	 * distance to the eye.
	 */
	float matrix[3][4];
	float center_x, center_y;
	float width, height;
	float near_w, far_w;
	float fog_start, fog_end;
	float light[3];		/* direction to the light, in object space */
	uint32_t shades[SHADES];	/* A8R8G8B8 */
};

/*
 * Sets a view of an object that is rotated by @yaw, then by @pitch, and moved to @at in eye space.
 */
void view_set(struct view *view, float focal, float yaw, float pitch,
	       const float at[3]);
/* Sets the direction of the light in eye space. Call it after view_set(). */
void view_light(struct view *view, float yaw, float pitch,
		const float light[3]);
/*
 * Sets the range of the light's colour from @dark to @bright, as A8R8G8B8. If @both_sides is set,
 * back sides are lit as well.
 */
void view_shades(struct view *view, uint32_t dark, uint32_t bright,
		 bool both_sides);

/*
 * Number of state words: the arguments of the methods TEX_OFFSET to ALPHA. Each batch contains
 * these words, because the chip loses them when it executes a method of another object.
 */
#define D3D_STATE	6

struct geometry;

/* Allocates memory for draws of up to @vertices vertices. Returns null if memory is exhausted. */
struct geometry *geometry_new(uint32_t vertices);
void geometry_free(struct geometry *geo);
/*
 * Draws @rows rows of the mesh's quads, starting with row @first_row, with the D3D object that is
 * bound to @subch. Returns the number of visible triangles that have been pushed, or a negative
 * errno.
 */
int geometry_draw(struct geometry *geo, struct nv3_pushbuf *push,
		  uint32_t subch, const uint32_t state[D3D_STATE],
		  const struct view *view, const struct mesh *mesh,
		  uint32_t first_row, uint32_t rows);

#endif
