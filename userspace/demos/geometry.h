/* SPDX-License-Identifier: MIT */
/*
 * What comes before class 0x17, which takes vertices on the screen: transform,
 * light, fog, clip. On the CPU, with as little arithmetic a vertex as it takes,
 * for emulated CPUs are slowest at that.
 */
#ifndef DEMO_GEOMETRY_H
#define DEMO_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh.h"
#include "nv3.h"

/* Light, by the angle between it and the surface: index 64 is across. */
#define SHADES	128

struct view {
	/* Rows: x and y in pixels times w, and w, the distance ahead. */
	float matrix[3][4];
	float center_x, center_y;
	float width, height;
	float near_w, far_w;
	float fog_start, fog_end;
	float light[3];		/* towards it, in the mesh's own space */
	uint32_t shades[SHADES];	/* A8R8G8B8 */
};

/* Turned by @yaw and then @pitch, then moved to @at before the eye. */
void view_look(struct view *view, float focal, float yaw, float pitch,
	       const float at[3]);
/* The light in eye space; after view_look(). */
void view_light(struct view *view, float yaw, float pitch,
		const float light[3]);
/* From @dark to @bright, as A8R8G8B8; @both_sides lights the back as well. */
void view_shades(struct view *view, uint32_t dark, uint32_t bright,
		 bool both_sides);

/*
 * TEX_OFFSET to ALPHA, in the order of their methods. The chip forgets them when
 * another object is used, so they are sent as often as that can happen.
 */
#define D3D_STATE	6

struct geometry;

/* For meshes of up to @vertices in one draw. */
struct geometry *geometry_new(uint32_t vertices);
void geometry_free(struct geometry *geo);
/*
 * Draws rows @first_row to @first_row + @rows of the mesh's quads with the D3D
 * object selected into @subch. Returns how many triangles the chip was sent,
 * or a negative errno.
 */
int geometry_draw(struct geometry *geo, struct nv3_pushbuf *push,
		  uint32_t subch, const uint32_t state[D3D_STATE],
		  const struct view *view, const struct mesh *mesh,
		  uint32_t first_row, uint32_t rows);

#endif
