/* SPDX-License-Identifier: MIT */
#ifndef DEMO_MESH_H
#define DEMO_MESH_H

#include <stdint.h>

struct mesh_vertex {
	float pos[3];
	float normal[3];	/* unit length */
	float u, v;
};

/*
 * A grid of quads that is bent into a shape. Each quad has two triangles. Vertex (r, c) is
 * vertices[r * (columns + 1) + c]. Closed shapes contain the vertices of the seam twice, with
 * different texture coordinates.
 */
struct mesh {
	uint32_t rows, columns;		/* of quads */
	uint32_t vertex_count;
	struct mesh_vertex *vertices;
};

static inline uint32_t mesh_triangles(const struct mesh *mesh)
{
	return mesh->rows * mesh->columns * 2;
}

/* All functions that create a mesh return null if memory is exhausted. */
struct mesh *mesh_new(uint32_t rows, uint32_t columns);
void mesh_free(struct mesh *mesh);

/* A tube along a torus knot, which winds p times around the axis and q times through the hole */
struct mesh *mesh_torus_knot(uint32_t rows, uint32_t columns, int p, int q);
/* A vase: a profile rotated around the y axis */
struct mesh *mesh_vase(uint32_t rows, uint32_t columns);
/*
 * Hills with z from 0 to @length and x from -@width / 2 to @width / 2, with @detail quads for each
 * unit of length. The shape repeats every TERRAIN_PERIOD units, so a camera can jump back by this
 * distance without a visible change.
 */
#define TERRAIN_PERIOD	32
struct mesh *mesh_terrain(uint32_t length, uint32_t width, uint32_t detail);
float mesh_terrain_height(float x, float z);

#endif
