/* SPDX-License-Identifier: MIT */
#ifndef DEMO_MESH_H
#define DEMO_MESH_H

#include <stdint.h>

struct mesh_vertex {
	float pos[3];
	float normal[3];	/* of length 1 */
	float u, v;
};

/*
 * A sheet of quads, each two triangles, wrapped into a shape: vertex (r, c) is
 * vertices[r * (columns + 1) + c]. A shape that closes has the seam twice, as
 * texture coordinates differ there.
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

/* Null when there is no memory. */
struct mesh *mesh_new(uint32_t rows, uint32_t columns);
void mesh_free(struct mesh *mesh);

/* A tube along a knot that winds p times round a torus's axis, q through it. */
struct mesh *mesh_torus_knot(uint32_t rows, uint32_t columns, int p, int q);
/* A vase: a profile turned about the y axis. */
struct mesh *mesh_vase(uint32_t rows, uint32_t columns);
/*
 * Hills over z from 0 to @rows and x from -@columns / 2 to @columns / 2. They
 * repeat every TERRAIN_PERIOD rows, so that a camera that flies over the first
 * TERRAIN_PERIOD may start again there unseen.
 */
#define TERRAIN_PERIOD	32
struct mesh *mesh_terrain(uint32_t rows, uint32_t columns);
float mesh_terrain_height(float x, float z);

#endif
