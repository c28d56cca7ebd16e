/* SPDX-License-Identifier: MIT */
/*
 * The chip holds 16 vertices. The first word of a vertex selects the slot that stores the vertex,
 * and the slots of up to two triangles to draw. A sheet of quads is drawn in bands of BAND columns.
 * Twelve slots hold the vertices of two rows of a band. A vertex that completes a quad draws both
 * triangles of the quad. On average, the chip receives 1.2 vertices per quad. The other four slots
 * are for clipped triangles.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "geometry.h"

#define BAND		5		/* quads */
#define BAND_SLOTS	(BAND + 1)
#define CLIP_SLOT	(2 * BAND_SLOTS)

/*
 * Distance between the clip planes and the centre of the view, in pixels. The chip's coordinates
 * have 12 integer bits and 4 fraction bits, so this distance is well inside their range.
 */
#define GUARD		1200.0f

enum {
	OUT_LEFT = 1 << 0,
	OUT_RIGHT = 1 << 1,
	OUT_TOP = 1 << 2,
	OUT_BOTTOM = 1 << 3,
	OUT_NEAR = 1 << 4,
	OUT_GUARD = 1 << 5,

	/* A triangle is invisible if all three vertices have one of these bits in common. */
	OUT_UNSEEN = OUT_LEFT | OUT_RIGHT | OUT_TOP | OUT_BOTTOM | OUT_NEAR,
	/* A triangle must be clipped if any of the three vertices has one of these bits. */
	OUT_CLIP = OUT_NEAR | OUT_GUARD,
};

/* A vertex in the chip's format. run_vertex() adds the slot numbers to the first word. */
struct chip_vertex {
	uint32_t fog;			/* in the top byte */
	uint32_t color;
	float x, y, z, rhw, u, v;
};

struct vertex {
	struct chip_vertex chip;
	float cx, cy, w;		/* before the perspective division */
	uint32_t out;			/* OUT_* */
};

struct triangle {
	const struct vertex *v[3];
};

struct geometry {
	struct vertex *vertices;
	uint32_t vertex_max;
	struct triangle *clipped;
	uint32_t clipped_max, clipped_count;
};

struct geometry *geometry_new(uint32_t vertices)
{
	struct geometry *geo = calloc(1, sizeof(*geo));

	if (!geo)
		return NULL;
	geo->vertex_max = vertices;
	geo->vertices = calloc(vertices, sizeof(*geo->vertices));
	/* A sheet has fewer than two triangles per vertex. */
	geo->clipped_max = 2 * vertices;
	geo->clipped = calloc(geo->clipped_max, sizeof(*geo->clipped));
	if (!geo->vertices || !geo->clipped) {
		geometry_free(geo);
		return NULL;
	}
	return geo;
}

void geometry_free(struct geometry *geo)
{
	if (!geo)
		return;
	free(geo->vertices);
	free(geo->clipped);
	free(geo);
}

/* ---- the view ---- */

static void rotation(float out[3][3], float yaw, float pitch)
{
	float cy = cosf(yaw), sy = sinf(yaw);
	float cp = cosf(pitch), sp = sinf(pitch);
	const float m[3][3] = {
		{ cy, 0, sy },
		{ sp * sy, cp, -sp * cy },
		{ -cp * sy, sp, cp * cy },
	};

	memcpy(out, m, sizeof(m));
}

void view_set(struct view *view, float focal, float yaw, float pitch,
	       const float at[3])
{
	/* y points up in the scene and down on the screen. */
	const float scale[3] = { focal, -focal, 1.0f };
	float turn[3][3];
	int i, j;

	rotation(turn, yaw, pitch);
	for (i = 0; i < 3; i++) {
		for (j = 0; j < 3; j++)
			view->matrix[i][j] = scale[i] * turn[i][j];
		view->matrix[i][3] = scale[i] * at[i];
	}
}

void view_light(struct view *view, float yaw, float pitch,
		const float light[3])
{
	float turn[3][3];
	int j;

	rotation(turn, yaw, pitch);
	for (j = 0; j < 3; j++)
		view->light[j] = turn[0][j] * light[0] +
				 turn[1][j] * light[1] + turn[2][j] * light[2];
}

static uint32_t mix(uint32_t a, uint32_t b, float t)
{
	uint32_t out = 0;
	int shift;

	for (shift = 0; shift < 32; shift += 8) {
		float from = a >> shift & 0xff, to = b >> shift & 0xff;

		out |= (uint32_t)(from + (to - from) * t + 0.5f) << shift;
	}
	return out;
}

void view_shades(struct view *view, uint32_t dark, uint32_t bright,
		 bool both_sides)
{
	int i;

	for (i = 0; i < SHADES; i++) {
		float t = (i - SHADES / 2) / (SHADES / 2 - 1.0f);

		if (t < 0)
			t = both_sides ? -t : 0;
		view->shades[i] = mix(dark, bright, t > 1 ? 1 : t);
	}
}

/* ---- vertices ---- */

static uint32_t screen_out(const struct view *view, float x, float y)
{
	uint32_t out = 0;

	if (x < 0)
		out |= OUT_LEFT;
	else if (x > view->width)
		out |= OUT_RIGHT;
	if (y < 0)
		out |= OUT_TOP;
	else if (y > view->height)
		out |= OUT_BOTTOM;
	if (out && (fabsf(x - view->center_x) > GUARD ||
		    fabsf(y - view->center_y) > GUARD))
		out |= OUT_GUARD;
	return out;
}

/*
 * Sets @k so that the depth is k[0] - k[1] / w. Depth is 0 at near_w and 1 at far_w, and linear in
 * screen space.
 */
static void depth_factors(const struct view *view, float k[2])
{
	k[0] = view->far_w / (view->far_w - view->near_w);
	k[1] = k[0] * view->near_w;
}

static void project(const struct view *view, const float depth[2],
		    struct vertex *v)
{
	float rhw = 1.0f / v->w;

	v->chip.rhw = rhw;
	v->chip.x = v->cx * rhw + view->center_x;
	v->chip.y = v->cy * rhw + view->center_y;
	v->chip.z = depth[0] - depth[1] * rhw;
}

static void transform(struct vertex *out, const struct view *view,
		      const struct mesh_vertex *in, uint32_t count)
{
	const float (*m)[4] = view->matrix;
	const float *light = view->light;
	/* The chip's fog factor ranges from 0 (no fog) to 255 (only the fog's colour). */
	float fog_scale = 255.0f / (view->fog_end - view->fog_start);
	float depth[2];
	uint32_t i;

	depth_factors(view, depth);
	for (i = 0; i < count; i++, in++, out++) {
		float x = in->pos[0], y = in->pos[1], z = in->pos[2];
		float shade = in->normal[0] * light[0] +
			      in->normal[1] * light[1] +
			      in->normal[2] * light[2];
		int fog;

		out->cx = m[0][0] * x + m[0][1] * y + m[0][2] * z + m[0][3];
		out->cy = m[1][0] * x + m[1][1] * y + m[1][2] * z + m[1][3];
		out->w = m[2][0] * x + m[2][1] * y + m[2][2] * z + m[2][3];

		fog = (out->w - view->fog_start) * fog_scale;
		fog = fog < 0 ? 0 : fog > 255 ? 255 : fog;
		out->chip.fog = (uint32_t)fog << 24;
		out->chip.color =
			view->shades[(int)(shade * (SHADES / 2 - 1)) + SHADES / 2];
		out->chip.u = in->u;
		out->chip.v = in->v;
		if (out->w < view->near_w) {
			out->out = OUT_NEAR;
			continue;
		}
		project(view, depth, out);
		out->out = screen_out(view, out->chip.x, out->chip.y);
	}
}

/* ---- output to the chip ---- */

/* A run of methods that send vertices. run_close() sets the count in the header. */
struct run {
	struct nv3_pushbuf *push;
	uint32_t subch;
	uint32_t *header;
	uint32_t count;
};

static void run_close(struct run *run)
{
	if (run->count)
		*run->header = nv3_push_header(run->subch, NV3_D3D_FOG_TRI(0),
					       run->count * 8);
	run->count = 0;
}

static void run_vertex(struct run *run, const struct chip_vertex *vertex,
		       uint32_t indices)
{
	uint32_t *words;

	if (run->count == NV3_D3D_VERTEX_COUNT)
		run_close(run);
	if (!run->count) {
		nv3_push_begin(run->push, run->subch, NV3_D3D_FOG_TRI(0),
			       NV3_D3D_VERTEX_COUNT * 8);
		run->header = run->push->cur - 1;
	}
	words = run->push->cur;
	memcpy(words, vertex, sizeof(*vertex));
	words[0] |= indices;
	run->push->cur += 8;
	run->count++;
}

static uint32_t triangle_of(uint32_t a, uint32_t b, uint32_t c)
{
	return a | b << 4 | c << 8;
}

/* Returns a triangle with three equal slots. The chip does not draw such a triangle. */
static uint32_t no_triangle(uint32_t slot)
{
	return triangle_of(slot, slot, slot);
}

/*
 * Returns true if the triangle is visible and can be drawn without clipping. If the triangle must
 * be clipped, adds it to the list geo->clipped.
 */
static bool accept(struct geometry *geo, const struct vertex *a,
		   const struct vertex *b, const struct vertex *c)
{
	struct triangle *t;

	if (a->out & b->out & c->out & OUT_UNSEEN)
		return false;
	if (!((a->out | b->out | c->out) & OUT_CLIP))
		return true;
	t = &geo->clipped[geo->clipped_count++];
	t->v[0] = a;
	t->v[1] = b;
	t->v[2] = c;
	return false;
}

/* Sends vertex @c of a band's row. The vertex completes a quad with the previous row. */
static int quad(struct geometry *geo, struct run *run,
		const struct vertex *row, const struct vertex *before,
		uint32_t c, const uint32_t slots[2])
{
	uint32_t here = slots[0] + c, back = slots[1] + c;
	uint32_t first = no_triangle(here), second = no_triangle(here);
	uint32_t out = row[c].out | row[c - 1].out | before[c].out |
		       before[c - 1].out;
	int drawn = 0;

	if (!out || accept(geo, &row[c], &before[c], &before[c - 1])) {
		first = triangle_of(here, back, back - 1);
		drawn++;
	}
	if (!out || accept(geo, &row[c], &before[c - 1], &row[c - 1])) {
		second = triangle_of(here, back - 1, here - 1);
		drawn++;
	}
	if (!(row[c].out & OUT_CLIP))
		run_vertex(run, &row[c].chip, first | second << 12);
	return drawn;
}

/* Sends a band of a sheet. The band begins at @vertices. Rows are @stride vertices apart. */
static int band(struct geometry *geo, struct run *run,
		const struct vertex *vertices, uint32_t stride, uint32_t rows,
		uint32_t columns)
{
	uint32_t r, c;
	int drawn = 0;

	for (r = 0; r <= rows; r++) {
		const struct vertex *row = vertices + r * stride;
		uint32_t odd = r & 1;
		const uint32_t slots[2] = {
			odd * BAND_SLOTS, !odd * BAND_SLOTS
		};

		for (c = 0; c <= columns; c++) {
			if (r && c)
				drawn += quad(geo, run, row, row - stride, c,
					      slots);
			else if (!(row[c].out & OUT_CLIP))
				run_vertex(run, &row[c].chip,
					   no_triangle(slots[0] + c) |
					   no_triangle(slots[0] + c) << 12);
		}
	}
	run_close(run);
	return drawn;
}

/* ---- clipping ---- */

/*
 * Returns a vertex's distance from clip plane @plane. The distance is negative outside the plane.
 * Plane 0 is the near plane, and planes 1 to 4 are at GUARD.
 */
static float inside(const struct view *view, const struct vertex *v, int plane)
{
	switch (plane) {
	case 0:
		return v->w - view->near_w;
	case 1:
		return GUARD * v->w - v->cx;
	case 2:
		return GUARD * v->w + v->cx;
	case 3:
		return GUARD * v->w - v->cy;
	default:
		return GUARD * v->w + v->cy;
	}
}

static void between(struct vertex *out, const struct vertex *a,
		    const struct vertex *b, float t)
{
	out->cx = a->cx + (b->cx - a->cx) * t;
	out->cy = a->cy + (b->cy - a->cy) * t;
	out->w = a->w + (b->w - a->w) * t;
	out->chip.u = a->chip.u + (b->chip.u - a->chip.u) * t;
	out->chip.v = a->chip.v + (b->chip.v - a->chip.v) * t;
	out->chip.color = mix(a->chip.color, b->chip.color, t);
	out->chip.fog = mix(a->chip.fog, b->chip.fog, t);
}

/* Each of the five clip planes adds at most one vertex to a convex polygon. */
#define POLYGON_MAX	(3 + 5)

static int clip_plane(const struct view *view, struct vertex *out,
		      const struct vertex *in, int count, int plane)
{
	int i, kept = 0;

	/*
	 * Limit the number of vertices, because rounding may make a polygon slightly concave. A
	 * plane can add more than one vertex to a concave polygon.
	 */
	for (i = 0; i < count && kept < POLYGON_MAX; i++) {
		const struct vertex *a = &in[i], *b = &in[(i + 1) % count];
		float da = inside(view, a, plane), db = inside(view, b, plane);

		if (da >= 0)
			out[kept++] = *a;
		if ((da >= 0) != (db >= 0))
			between(&out[kept++], a, b, da / (da - db));
	}
	return kept;
}

/*
 * Clips @t, and draws the resulting polygon as a triangle fan: the first vertex stays in one slot,
 * and the other vertices alternate between two slots.
 */
static int clipped_triangle(struct run *run, const struct view *view,
			    const struct triangle *t)
{
	struct vertex a[POLYGON_MAX + 1], b[POLYGON_MAX + 1];
	struct vertex *from = a, *to = b, *other;
	float depth[2];
	int i, plane, count = 3;

	for (i = 0; i < 3; i++)
		a[i] = *t->v[i];
	for (plane = 0; plane < 5; plane++) {
		count = clip_plane(view, to, from, count, plane);
		other = from;
		from = to;
		to = other;
	}
	if (count < 3)
		return 0;

	depth_factors(view, depth);
	for (i = 0; i < count; i++) {
		uint32_t slot = i ? CLIP_SLOT + 1 + (i & 1) : CLIP_SLOT;
		uint32_t first = no_triangle(slot);

		if (i >= 2)
			first = triangle_of(slot, CLIP_SLOT,
					    CLIP_SLOT + 2 - (i & 1));
		project(view, depth, &from[i]);
		run_vertex(run, &from[i].chip,
			   first | no_triangle(slot) << 12);
	}
	run_close(run);
	return count - 2;
}

/*
 * Reserves room for the state and @count vertices in one batch, and pushes the state. Between
 * batches, the chip loses the state and the vertices in the slots.
 */
static int begin(struct run *run, const uint32_t state[D3D_STATE],
		 uint32_t count)
{
	uint32_t runs = count / NV3_D3D_VERTEX_COUNT + 1;
	int ret;

	ret = nv3_pushbuf_space(run->push, 1 + D3D_STATE +
				runs * (1 + NV3_D3D_VERTEX_COUNT * 8));
	if (ret)
		return ret;
	nv3_push_begin(run->push, run->subch, NV3_D3D_TEX_OFFSET, D3D_STATE);
	nv3_push_words(run->push, state, D3D_STATE);
	return 0;
}

int geometry_draw(struct geometry *geo, struct nv3_pushbuf *push,
		  uint32_t subch, const uint32_t state[D3D_STATE],
		  const struct view *view, const struct mesh *mesh,
		  uint32_t first_row, uint32_t rows)
{
	struct run run = { .push = push, .subch = subch };
	uint32_t stride = mesh->columns + 1, i, c;
	int ret, drawn = 0;

	if (first_row > mesh->rows || rows > mesh->rows - first_row ||
	    (rows + 1) * stride > geo->vertex_max)
		return -EINVAL;
	transform(geo->vertices, view, mesh->vertices + first_row * stride,
		  (rows + 1) * stride);

	geo->clipped_count = 0;
	for (c = 0; c < mesh->columns; c += BAND) {
		uint32_t columns = mesh->columns - c;

		if (columns > BAND)
			columns = BAND;
		ret = begin(&run, state, (rows + 1) * BAND_SLOTS);
		if (ret)
			return ret;
		drawn += band(geo, &run, geo->vertices + c, stride, rows,
			      columns);
	}
	for (i = 0; i < geo->clipped_count; i++) {
		ret = begin(&run, state, POLYGON_MAX);
		if (ret)
			return ret;
		drawn += clipped_triangle(&run, view, &geo->clipped[i]);
	}
	return drawn;
}
