/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <nv3_programs.h>

#include "assemble.h"
#include "programs.h"

#define PAGE		4096u
#define TEXTURE_LEVELS	(TEXTURE_LOG2 + 1)
#define LINE_ALIGN	64u		/* alignment of a level's lines, in bytes */
#define STRIP_END	0xffffu		/* restarts the strip of triangles */
#define PROGRAM_WORDS	512
#define FRAGMENT_TEXT	2048

/* Formats, filters and modes of docs/reference/chip/programs.md */
#define FORMAT_X1R5G5B5	1
#define FORMAT_Z16	1
#define TRIANGLE_STRIP	6
#define GL_CW		0x900
#define GL_GREATER	0x204
#define GL_LESS		0x201

/* Attributes and constants of the vertex program */
enum { POSITION = 0, NORMAL = 2, TEXCOORD = 9, TANGENT = 10 };
enum { ROW_X, ROW_Y, ROW_Z, ROW_W, LIGHT, EYE, FOG, CONSTANTS };

/*
 * Output 10 is the direction to the light. Output 11 is the direction halfway between the light and
 * the eye. Both directions are in tangent space: along the tangent, the bitangent and the normal.
 */
static const char vertex_text[] =
	"DP4 o0.x, v0, c0\n"
	"DP4 o0.y, v0, c1\n"
	"DP4 o0.z, v0, c2\n"
	"DP4 r0, v0, c3\n"
	"MOV o0.w, r0\n"
	"MOV o9.xy, v9\n"
	"MAD o9.z, r0, c6.x, c6.y\n"
	"MOV r2, v2\n"
	"MOV r3, v10\n"
	"MUL r1.xyz, r2.yzx, r3.zxy\n"
	"MAD r1.xyz, r2.zxy, -r3.yzx, r1\n"
	"MUL r1.xyz, r1, r3.w\n"
	"DP3 o10.x, r3, c4\n"
	"DP3 o10.y, r1, c4\n"
	"DP3 o10.z, r2, c4\n"
	"ADD r4.xyz, c5, -v0\n"
	"DP3 r5, r4, r4\n"
	"RSQ r5.x, r5.x\n"
	"MAD r4.xyz, r4, r5.x, c4\n"
	"DP3 o11.x, r3, r4\n"
	"DP3 o11.y, r1, r4\n"
	"DP3 o11.z, r2, r4\n";

/*
 * Inputs 4, 5 and 6 are the vertex program's outputs 9, 10 and 11. MAX makes the light's two dot
 * products non-negative. If both sides of the mesh are lit, %s is -r3, and MAX computes absolute
 * values. Otherwise %s is 0. The three vectors of %g are the range of the light's colour, the
 * darkest colour of the light, and the fog's colour.
 */
static const char fragment_text[] =
	"TEX r0, f4, t0\n"
	"TEX_BX2 r1.xyz, f4, t1\n"
	"NRM r2.xyz, f6\n"
	"DP3 r3.x, r1, f5\n"
	"DP3 r3.y, r1, r2\n"
	"MAX r3.xy, r3, %s\n"
	"POW r3.y, r3.y, {32, 32, 32, 32}\n"
	"MUL r4.xyz, r3.x, {%g, %g, %g, 0}\n"
	"ADD r4.xyz, r4, {%g, %g, %g, 0}\n"
	"MUL r0.xyz, r0, r4\n"
	"MAD_SAT r0.xyz, r3.y, {0.5, 0.5, 0.5, 0.5}, r0\n"
	"MOV_SAT r5.x, f4.z\n"
	"LRP r0.xyz, r5.x, {%g, %g, %g, 0}, r0\n";

struct vertex {
	float pos[3];
	float normal[3];
	float tangent[4];	/* w: 1, or -1 to invert the bitangent */
	float tex[2];
};

struct programs {
	struct nv3_device *dev;
	struct nv3_pushbuf *push;
	uint32_t subch;
	const struct scene *scene;
	const struct mesh *mesh;
	uint32_t vm;
	uint32_t end;		/* end of the used addresses */
	struct nv3_object *object;
	struct nv3_bo *data, *zeta;
	uint32_t zeta_address;
};

/* Offsets in the buffer @data, in bytes */
struct layout {
	uint32_t fragment, textures[2], vertices, indices, size;
};

static uint32_t texture_level_pitch(uint32_t level)
{
	uint32_t bytes = (1u << (TEXTURE_LOG2 - level)) * 4;

	return bytes < LINE_ALIGN ? LINE_ALIGN : bytes;
}

static uint32_t full_texture_bytes(void)
{
	uint32_t level, bytes = 0;

	for (level = 0; level < TEXTURE_LEVELS; level++)
		bytes += texture_level_pitch(level) << (TEXTURE_LOG2 - level);
	return bytes;
}

static uint32_t strip_indices(const struct mesh *mesh)
{
	return 2 * (mesh->columns + 1) + 1;
}

static struct layout lay_out(const struct mesh *mesh)
{
	struct layout l = { 0 };

	l.textures[0] = PROGRAM_WORDS * 4;
	l.textures[1] = l.textures[0] + full_texture_bytes();
	l.vertices = l.textures[1] + full_texture_bytes();
	l.indices = l.vertices + mesh->vertex_count * sizeof(struct vertex);
	l.size = l.indices + mesh->rows * strip_indices(mesh) * 2;
	l.size = (l.size + PAGE - 1) & ~(PAGE - 1);
	return l;
}

/* ---- textures ---- */

/* Computes the next smaller level: each texel is the mean of four texels. */
static void shrink(uint32_t *to, uint32_t to_pitch, const uint32_t *from, uint32_t from_pitch,
		   uint32_t size)
{
	uint32_t x, y, shift;

	for (y = 0; y < size; y++) {
		for (x = 0; x < size; x++) {
			const uint32_t *a = from + 2 * y * from_pitch + 2 * x;
			const uint32_t *b = a + from_pitch;
			uint32_t texel = 0;

			for (shift = 0; shift < 32; shift += 8)
				texel |= (((a[0] >> shift & 0xff) + (a[1] >> shift & 0xff) +
					   (b[0] >> shift & 0xff) + (b[1] >> shift & 0xff) + 2) /
					  4) << shift;
			to[y * to_pitch + x] = texel;
		}
	}
}

static void paint_levels(uint32_t *texels)
{
	uint32_t level;

	for (level = 1; level < TEXTURE_LEVELS; level++) {
		uint32_t from_pitch = texture_level_pitch(level - 1) / 4;
		uint32_t size = 1u << (TEXTURE_LOG2 - level);
		uint32_t *to = texels + from_pitch * 2 * size;

		shrink(to, texture_level_pitch(level) / 4, texels, from_pitch, size);
		texels = to;
	}
}

static float height(texture_painter painter, uint32_t x, uint32_t y)
{
	const uint32_t size = 1u << TEXTURE_LOG2;
	uint32_t texel = painter(x % size, y % size, size);

	return (2 * (texel >> 16 & 0xff) + 5 * (texel >> 8 & 0xff) + (texel & 0xff)) / (8 * 255.0f);
}

static uint32_t to_byte(float x)
{
	return (x * 0.5f + 0.5f) * 255.0f + 0.5f;
}

/* Returns the normal, in tangent space, of a surface whose height is the texture's brightness. */
static uint32_t bump(texture_painter painter, uint32_t x, uint32_t y)
{
	const uint32_t before = (1u << TEXTURE_LOG2) - 1;
	const float steep = 2.0f;
	float dx = steep * (height(painter, x + before, y) - height(painter, x + 1, y));
	float dy = steep * (height(painter, x, y + before) - height(painter, x, y + 1));
	float scale = 1.0f / sqrtf(dx * dx + dy * dy + 1.0f);

	return 0xff000000 | to_byte(dx * scale) << 16 | to_byte(dy * scale) << 8 | to_byte(scale);
}

static void paint(uint32_t *color, uint32_t *normals, texture_painter painter)
{
	const uint32_t size = 1u << TEXTURE_LOG2;
	uint32_t x, y;

	for (y = 0; y < size; y++) {
		for (x = 0; x < size; x++) {
			color[y * size + x] = painter(x, y, size);
			normals[y * size + x] = bump(painter, x, y);
		}
	}
	paint_levels(color);
	paint_levels(normals);
}

/* ---- the mesh ---- */

/* Computes the change of position and texture coordinates from vertex @a to @b. */
static void difference(float d[5], const struct mesh_vertex *a, const struct mesh_vertex *b)
{
	int i;

	for (i = 0; i < 3; i++)
		d[i] = b->pos[i] - a->pos[i];
	d[3] = b->u - a->u;
	d[4] = b->v - a->v;
}

static float dot(const float *a, const float *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/*
 * Sets the tangent to the direction in which u increases on the surface. Sets the tangent's
 * component w to the sign of the bitangent, the direction in which v increases.
 */
static void set_tangent(struct vertex *out, const float row[5], const float column[5])
{
	const float *n = out->normal;
	float area = column[3] * row[4] - row[3] * column[4];
	float u[3], v[3], along, length;
	int i;

	for (i = 0; i < 3; i++) {
		u[i] = (column[i] * row[4] - row[i] * column[4]) / area;
		v[i] = (row[i] * column[3] - column[i] * row[3]) / area;
	}
	along = dot(u, n);
	for (i = 0; i < 3; i++)
		u[i] -= along * n[i];
	length = sqrtf(dot(u, u));
	for (i = 0; i < 3; i++)
		out->tangent[i] = u[i] / length;
	out->tangent[3] = v[0] * (n[1] * u[2] - n[2] * u[1]) + v[1] * (n[2] * u[0] - n[0] * u[2]) +
			  v[2] * (n[0] * u[1] - n[1] * u[0]) < 0 ? -1 : 1;
}

static void convert_mesh(struct vertex *out, const struct mesh *mesh)
{
	const uint32_t stride = mesh->columns + 1;
	uint32_t r, c;

	for (r = 0; r <= mesh->rows; r++) {
		for (c = 0; c <= mesh->columns; c++, out++) {
			const struct mesh_vertex *v = &mesh->vertices[r * stride + c];
			const uint32_t r0 = r < mesh->rows ? r : r - 1;
			const uint32_t c0 = c < mesh->columns ? c : c - 1;
			const struct mesh_vertex *corner = &mesh->vertices[r0 * stride + c0];
			float row[5], column[5];

			memcpy(out->pos, v->pos, sizeof(out->pos));
			memcpy(out->normal, v->normal, sizeof(out->normal));
			out->tex[0] = v->u;
			out->tex[1] = v->v;
			difference(row, corner, corner + stride);
			difference(column, corner, corner + 1);
			set_tangent(out, row, column);
		}
	}
}

/* Writes the indices of a triangle strip for each row of quads. */
static void make_indices(uint16_t *out, const struct mesh *mesh)
{
	const uint32_t stride = mesh->columns + 1;
	uint32_t r, c;

	for (r = 0; r < mesh->rows; r++) {
		for (c = 0; c <= mesh->columns; c++) {
			*out++ = r * stride + c;
			*out++ = (r + 1) * stride + c;
		}
		*out++ = STRIP_END;
	}
}

/* ---- methods ---- */

static void method(struct programs *p, uint32_t mthd, uint32_t data)
{
	nv3_push_method(p->push, p->subch, mthd, data);
}

static void method_float(struct programs *p, uint32_t mthd, float value)
{
	nv3_push_begin(p->push, p->subch, mthd, 1);
	nv3_push_float(p->push, value);
}

static void push_texture(struct programs *p, uint32_t unit, uint32_t address)
{
	const uint32_t at = NV3_PM_TEX + unit * NV3_PM_TEX_WORDS * 4;
	const uint32_t size = 1u << TEXTURE_LOG2;

	method(p, at + 4 * NV3_PM_TEX_OFFSET, address);
	/* Two-dimensional A8R8G8B8, stored in lines */
	method(p, at + 4 * NV3_PM_TEX_FORMAT, 1u << 13 | 5 << 8 | 2 << 4 | TEXTURE_LEVELS << 16);
	method(p, at + 4 * NV3_PM_TEX_WRAP, 0x00010101);	/* repeat */
	method(p, at + 4 * NV3_PM_TEX_ENABLE, 1u << 31 | (TEXTURE_LEVELS - 1) << 8 << 7);
	method(p, at + 4 * NV3_PM_TEX_FILTER, 6 << 16 | 2 << 24);	/* trilinear */
	method(p, at + 4 * NV3_PM_TEX_NPOT_SIZE, size << 16 | size);
	method(p, NV3_PM_TEX_SIZE1 + 4 * unit, 1u << 20);
}

static void push_array(struct programs *p, uint32_t attribute, uint32_t address, uint32_t floats)
{
	method(p, NV3_PM_ARRAY_OFFSET + 4 * attribute, address);
	/* Type 2 is a float. */
	method(p, NV3_PM_ARRAY_FORMAT + 4 * attribute, 2 | floats << NV3_PM_ARRAY_SIZE_SHIFT |
	       sizeof(struct vertex) << NV3_PM_ARRAY_STRIDE_SHIFT);
}

static int push_vertex_program(struct programs *p)
{
	uint32_t words[PROGRAM_WORDS];
	int count = assemble_vertex(vertex_text, words, PROGRAM_WORDS), i;

	if (count < 0) {
		fprintf(stderr, "nv3-demo: vertex program, line %d\n", -count);
		return -EINVAL;
	}
	method(p, NV3_PM_TRANSFORM_PROGRAM_LOAD, 0);
	for (i = 0; i < count; i += 4) {
		nv3_push_begin(p->push, p->subch, NV3_PM_TRANSFORM_PROGRAM, 4);
		nv3_push_words(p->push, words + i, 4);
	}
	method(p, NV3_PM_TRANSFORM_PROGRAM_START, 0);
	return 0;
}

/* The initial state of CULL_FACE is GL_BACK. */
static bool culls_back_faces(const struct scene *scene)
{
	const uint32_t cull = scene->config >> NV3_D3D_CONFIG_CULL_SHIFT & 3;

	return cull == NV3_D3D_CULL_CCW;
}

/*
 * Sets the state that is the same for all pictures. The channel keeps this state between batches.
 */
static int push_state(struct programs *p, uint32_t data, const struct layout *l, uint32_t pitch)
{
	const struct scene *scene = p->scene;
	int i, ret = nv3_pushbuf_space(p->push, PROGRAMS_WORDS);

	if (!ret)
		ret = push_vertex_program(p);
	if (ret)
		return ret;
	method(p, NV3_PM_SURFACE_CLIP_HORIZONTAL, scene->width << 16);
	method(p, NV3_PM_SURFACE_CLIP_VERTICAL, scene->height << 16);
	method(p, NV3_PM_SURFACE_FORMAT, FORMAT_X1R5G5B5 | FORMAT_Z16 << NV3_PM_FORMAT_ZETA_SHIFT |
	       NV3_PM_FORMAT_TYPE_PITCH << NV3_PM_FORMAT_TYPE_SHIFT);
	method(p, NV3_PM_SURFACE_PITCH, pitch << 16 | pitch);
	method(p, NV3_PM_SURFACE_ZETA_OFFSET, p->zeta_address);
	for (i = 0; i < 2; i++) {
		float half = (i ? scene->height : scene->width) / 2.0f;

		method_float(p, NV3_PM_VIEWPORT_SCALE + 4 * i, half);
		method_float(p, NV3_PM_VIEWPORT_OFFSET + 4 * i, half);
	}
	method(p, NV3_PM_DEPTH_TEST_ENABLE, 1);
	method(p, NV3_PM_DEPTH_FUNC, GL_LESS);
	method(p, NV3_PM_DITHER_ENABLE, 1);
	method(p, NV3_PM_ALPHA_TEST_ENABLE, scene->texture_format == NV3_D3D_TEX_A1R5G5B5);
	method(p, NV3_PM_ALPHA_FUNC, GL_GREATER);
	method(p, NV3_PM_ALPHA_REF, scene->alpha & 0xff);
	method(p, NV3_PM_CULL_FACE_ENABLE, culls_back_faces(scene));
	method(p, NV3_PM_FRONT_FACE, GL_CW);
	method(p, NV3_PM_RESTART_ENABLE, 1);
	method(p, NV3_PM_RESTART_INDEX, STRIP_END);
	method(p, NV3_PM_CLEAR_RECT_HORIZONTAL, (scene->width - 1) << 16);
	method(p, NV3_PM_CLEAR_RECT_VERTICAL, (scene->height - 1) << 16);
	method(p, NV3_PM_ZSTENCIL_CLEAR_VALUE, 0xffff);
	method(p, NV3_PM_FP_ACTIVE_PROGRAM, data + l->fragment);
	for (i = 0; i < 2; i++)
		push_texture(p, i, data + l->textures[i]);
	push_array(p, POSITION, data + l->vertices + offsetof(struct vertex, pos), 3);
	push_array(p, NORMAL, data + l->vertices + offsetof(struct vertex, normal), 3);
	push_array(p, TEXCOORD, data + l->vertices + offsetof(struct vertex, tex), 2);
	push_array(p, TANGENT, data + l->vertices + offsetof(struct vertex, tangent), 4);
	method(p, NV3_PM_IDXBUF_OFFSET, data + l->indices);
	method(p, NV3_PM_IDXBUF_FORMAT, 1 << 4);	/* 16 bits */
	return 0;
}

/* ---- set-up ---- */

static double channel_of(uint32_t color, int shift)
{
	return (color >> shift & 0xff) / 255.0;
}

static int make_fragment_program(uint32_t *words, const struct scene *scene)
{
	struct view view = { 0 };
	char text[FRAGMENT_TEXT];
	double range[3], dark[3], fog[3];
	int count, i;

	scene->set_view(&view, 0);
	for (i = 0; i < 3; i++) {
		const int shift = 16 - 8 * i;

		dark[i] = channel_of(view.shades[SHADES / 2], shift);
		range[i] = channel_of(view.shades[SHADES - 1], shift) - dark[i];
		fog[i] = channel_of(scene->fog_color, shift);
	}
	/* Both sides of the mesh are lit if the table of shades is symmetric. */
	snprintf(text, sizeof(text), fragment_text,
		 view.shades[1] == view.shades[SHADES - 1] ? "-r3" : "{0, 0, 0, 0}",
		 range[0], range[1], range[2], dark[0], dark[1], dark[2], fog[0], fog[1], fog[2]);
	count = assemble_fragment(text, words, PROGRAM_WORDS);
	if (count > 0)
		return 0;
	fprintf(stderr, "nv3-demo: fragment program, line %d\n", -count);
	return -EINVAL;
}

static int map_bo(struct programs *p, struct nv3_bo *bo, uint32_t *address)
{
	const uint32_t size = (nv3_bo_size(bo) + PAGE - 1) & ~(PAGE - 1);
	int ret = nv3_vm_map(p->dev, p->vm, bo, 0, p->end, size, 0);

	if (ret)
		return ret;
	*address = p->end;
	p->end += size;
	return 0;
}

static int make_data(struct programs *p, const struct layout *l, uint32_t *address)
{
	char *map;
	void *start;
	int ret;

	ret = nv3_bo_new(p->dev, l->size, DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM, &p->data);
	if (!ret)
		ret = nv3_bo_map(p->data, &start);
	if (ret)
		return ret;
	map = start;
	ret = make_fragment_program((uint32_t *)(map + l->fragment), p->scene);
	if (ret)
		return ret;
	paint((uint32_t *)(map + l->textures[0]), (uint32_t *)(map + l->textures[1]),
	      p->scene->painter);
	convert_mesh((struct vertex *)(map + l->vertices), p->mesh);
	make_indices((uint16_t *)(map + l->indices), p->mesh);
	return map_bo(p, p->data, address);
}

int programs_new(struct nv3_device *dev, struct nv3_channel *chan, struct nv3_pushbuf *push,
		 uint32_t subch, const struct scene *scene, const struct mesh *mesh, uint32_t pitch,
		 struct programs **out)
{
	const struct layout l = lay_out(mesh);
	struct programs *p = calloc(1, sizeof(*p));
	uint32_t data;
	uint64_t size;
	int ret;

	if (!p)
		return -ENOMEM;
	*p = (struct programs){
		.dev = dev, .push = push, .subch = subch, .scene = scene, .mesh = mesh, .end = PAGE,
	};
	ret = nv3_vm_create(dev, &p->vm, &size);
	if (ret) {
		free(p);
		return ret;
	}
	ret = make_data(p, &l, &data);
	if (!ret)
		ret = nv3_bo_new(dev, (uint64_t)pitch * scene->height, DRM_NV3_GEM_VRAM, &p->zeta);
	if (!ret)
		ret = map_bo(p, p->zeta, &p->zeta_address);
	if (!ret)
		ret = nv3_programs_object_new(chan, 0, p->vm, NULL, &p->object);
	if (!ret)
		ret = nv3_pushbuf_select(push, subch, p->object);
	if (!ret)
		ret = push_state(p, data, &l, pitch);
	if (ret) {
		programs_free(p);
		return ret;
	}
	*out = p;
	return 0;
}

void programs_free(struct programs *p)
{
	if (!p)
		return;
	nv3_object_unref(p->object);
	nv3_vm_destroy(p->dev, p->vm);
	nv3_bo_unref(p->data);
	nv3_bo_unref(p->zeta);
	free(p);
}

int programs_map(struct programs *p, struct nv3_bo *color, struct programs_target *target)
{
	target->color = color;
	return map_bo(p, color, &target->address);
}

/* ---- pictures ---- */

/*
 * Returns the factor by which view_set() has scaled a row of the rotation matrix: the length of the
 * row, because unscaled rows have length 1.
 */
static float row_scale(const float row[4])
{
	return sqrtf(dot(row, row));
}

/* Computes the constants of the vertex program, in the order of their numbers. */
static void make_constants(float c[CONSTANTS][4], const struct view *view)
{
	/* Depth is linear in 1/w: 0 at near_w and 1 at far_w, as for class 0x17. */
	const float k = view->far_w / (view->far_w - view->near_w);
	const float fog = 1.0f / (view->fog_end - view->fog_start);
	int i, j;

	memset(c, 0, CONSTANTS * sizeof(c[0]));
	for (j = 0; j < 4; j++) {
		c[ROW_X][j] = view->matrix[0][j] * 2 / view->width;
		c[ROW_Y][j] = view->matrix[1][j] * 2 / view->height;
		c[ROW_Z][j] = view->matrix[2][j] * (2 * k - 1);
		c[ROW_W][j] = view->matrix[2][j];
	}
	c[ROW_Z][3] -= 2 * k * view->near_w;
	for (i = 0; i < 3; i++) {
		float scale = row_scale(view->matrix[i]);

		c[LIGHT][i] = view->light[i];
		for (j = 0; j < 3; j++)
			c[EYE][j] -= view->matrix[i][j] * view->matrix[i][3] / (scale * scale);
	}
	c[FOG][0] = fog;
	c[FOG][1] = -view->fog_start * fog;
}

static uint32_t to_1555(uint32_t rgb)
{
	return (rgb >> 9 & 0x7c00) | (rgb >> 6 & 0x3e0) | (rgb >> 3 & 0x1f);
}

static void push_constants(struct programs *p, const struct view *view)
{
	float c[CONSTANTS][4];
	uint32_t i, j;

	make_constants(c, view);
	method(p, NV3_PM_TRANSFORM_CONSTANT_LOAD, 0);
	for (i = 0; i < CONSTANTS; i++) {
		nv3_push_begin(p->push, p->subch, NV3_PM_TRANSFORM_CONSTANT, 4);
		for (j = 0; j < 4; j++)
			nv3_push_float(p->push, c[i][j]);
	}
}

int programs_draw(struct programs *p, const struct programs_target *target,
		  const struct view *view, uint32_t first_row, uint32_t rows)
{
	const uint32_t row = strip_indices(p->mesh), end = (first_row + rows) * row;
	uint32_t at = first_row * row;
	int ret;

	if (first_row > p->mesh->rows || rows > p->mesh->rows - first_row)
		return -EINVAL;
	ret = nv3_pushbuf_space(p->push, PROGRAMS_WORDS + 2 * (rows * row / 256 + 1));
	if (!ret)
		ret = nv3_pushbuf_use(p->push, target->color,
				      DRM_NV3_BUFFER_READ | DRM_NV3_BUFFER_WRITE);
	if (ret)
		return ret;
	method(p, NV3_PM_SURFACE_COLOR_OFFSET, target->address);
	method(p, NV3_PM_COLOR_CLEAR_VALUE, to_1555(p->scene->fog_color));
	method(p, NV3_PM_CLEAR_SURFACE, NV3_PM_CLEAR_COLORS | NV3_PM_CLEAR_Z);
	push_constants(p, view);
	method(p, NV3_PM_BEGIN_END, TRIANGLE_STRIP);
	while (at < end) {
		uint32_t count = end - at < 256 ? end - at : 256;

		method(p, NV3_PM_INDEX_BATCH, (count - 1) << NV3_PM_DRAW_COUNT_SHIFT | at);
		at += count;
	}
	method(p, NV3_PM_BEGIN_END, 0);
	method(p, NV3_PM_WAIT_FOR_IDLE, 0);
	return rows * p->mesh->columns * 2;
}
