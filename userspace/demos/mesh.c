/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "mesh.h"

#define PI	3.14159265f

struct mesh *mesh_new(uint32_t rows, uint32_t columns)
{
	struct mesh *mesh = calloc(1, sizeof(*mesh));

	if (!mesh)
		return NULL;
	mesh->rows = rows;
	mesh->columns = columns;
	mesh->vertex_count = (rows + 1) * (columns + 1);
	mesh->vertices = calloc(mesh->vertex_count, sizeof(*mesh->vertices));
	if (!mesh->vertices) {
		free(mesh);
		return NULL;
	}
	return mesh;
}

void mesh_free(struct mesh *mesh)
{
	if (!mesh)
		return;
	free(mesh->vertices);
	free(mesh);
}

static void cross(float out[3], const float a[3], const float b[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(float v[3])
{
	float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

	v[0] /= length;
	v[1] /= length;
	v[2] /= length;
}

static void knot_point(float out[3], float t, int p, int q)
{
	float r = 1.0f + 0.45f * cosf(q * t);

	out[0] = r * cosf(p * t);
	out[1] = r * sinf(p * t);
	out[2] = 0.6f * sinf(q * t);
}

/*
 * Computes two vectors at right angles to the knot's curve at @t. The vectors turn smoothly along
 * the curve.
 */
static void knot_frame(float t, int p, int q, float side[3], float up[3])
{
	float here[3], there[3], along[3], out[3];
	int i;

	knot_point(here, t, p, q);
	knot_point(there, t + 0.01f, p, q);
	for (i = 0; i < 3; i++) {
		along[i] = there[i] - here[i];
		out[i] = there[i] + here[i];
	}
	cross(side, along, out);
	normalize(side);
	cross(up, side, along);
	normalize(up);
}

struct mesh *mesh_torus_knot(uint32_t rows, uint32_t columns, int p, int q)
{
	struct mesh *mesh = mesh_new(rows, columns);
	const float radius = 0.28f;
	uint32_t r, c;
	int i;

	if (!mesh)
		return NULL;
	for (r = 0; r <= rows; r++) {
		float t = 2 * PI * r / rows;
		float here[3], side[3], up[3];

		knot_point(here, t, p, q);
		knot_frame(t, p, q, side, up);
		for (c = 0; c <= columns; c++) {
			struct mesh_vertex *v =
				&mesh->vertices[r * (columns + 1) + c];
			float a = 2 * PI * c / columns;

			for (i = 0; i < 3; i++) {
				v->normal[i] = cosf(a) * side[i] +
					       sinf(a) * up[i];
				v->pos[i] = here[i] + radius * v->normal[i];
			}
			/*
			 * The range of u is 12, a whole number of repetitions, so the texture has
			 * no seam.
			 */
			v->u = 12.0f * r / rows - 6.0f;
			v->v = 2.0f * c / columns - 1.0f;
		}
	}
	return mesh;
}

/* Returns the radius of the vase at height @h, from 0 (foot) to 1 (rim). */
static float vase_radius(float h)
{
	return 0.56f + 0.28f * sinf(2.2f * PI * h * (1.3f - 0.45f * h) + 0.2f) +
	       0.18f * h * h;
}

struct mesh *mesh_vase(uint32_t rows, uint32_t columns)
{
	struct mesh *mesh = mesh_new(rows, columns);
	uint32_t r, c;

	if (!mesh)
		return NULL;
	for (r = 0; r <= rows; r++) {
		float h = (float)r / rows, radius = vase_radius(h);
		float slope = (vase_radius(h + 0.01f) - vase_radius(h - 0.01f)) /
			      0.02f / 2.2f;

		for (c = 0; c <= columns; c++) {
			struct mesh_vertex *v =
				&mesh->vertices[r * (columns + 1) + c];
			float a = 2 * PI * c / columns;

			v->pos[0] = radius * cosf(a);
			v->pos[1] = 2.2f * h - 1.1f;
			v->pos[2] = radius * sinf(a);
			v->normal[0] = cosf(a);
			v->normal[1] = -slope;
			v->normal[2] = sinf(a);
			normalize(v->normal);
			v->u = 8.0f * c / columns - 4.0f;
			v->v = 2.0f - 4.0f * h;
		}
	}
	return mesh;
}

float mesh_terrain_height(float x, float z)
{
	const float k = 2 * PI / TERRAIN_PERIOD;

	return 1.1f * sinf(k * 2 * x + sinf(k * z)) * cosf(k * 2 * z) +
	       0.7f * sinf(k * 3 * z + 1.0f) +
	       0.35f * cosf(k * 5 * x) * sinf(k * 4 * z + 2.0f);
}

static void terrain_vertex(struct mesh_vertex *v, float x, float z)
{
	const float d = 0.25f;

	v->pos[0] = x;
	v->pos[1] = mesh_terrain_height(x, z);
	v->pos[2] = z;
	v->normal[0] = (mesh_terrain_height(x - d, z) -
			mesh_terrain_height(x + d, z)) / (2 * d);
	v->normal[1] = 1.0f;
	v->normal[2] = (mesh_terrain_height(x, z - d) -
			mesh_terrain_height(x, z + d)) / (2 * d);
	normalize(v->normal);
}

struct mesh *mesh_terrain(uint32_t length, uint32_t width, uint32_t detail)
{
	const uint32_t rows = length * detail, columns = width * detail;
	struct mesh *mesh = mesh_new(rows, columns);
	uint32_t r, c;

	if (!mesh)
		return NULL;
	for (r = 0; r <= rows; r++) {
		for (c = 0; c <= columns; c++) {
			struct mesh_vertex *v =
				&mesh->vertices[r * (columns + 1) + c];
			float x = (float)c / detail - width / 2.0f;
			float z = (float)r / detail;

			terrain_vertex(v, x, z);
			/*
			 * A texture covers 4 units. TERRAIN_PERIOD is a multiple of 4, so the
			 * texture repeats with the shape.
			 */
			v->u = x / 4.0f;
			v->v = (z - length / 2.0f) / 4.0f;
		}
	}
	return mesh;
}
