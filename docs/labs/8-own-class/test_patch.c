/* SPDX-License-Identifier: MIT */
/* Lab 8: class PATCH must draw the same picture as a client that draws triangles of class TRI. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("Patches of a software class, compared with triangles.");

#define CLASS_PATCH	0x42
#define PATCH_COLOR	0x304
#define PATCH_POINT(i)	(0x400 + 4 * (i))
#define STEPS		4

#define PATCH		0x1000
#define TRI		0x1001
#define NOTIFY		0x1002
#define SUB_PATCH	IGT_NV3_SUB_FREE
#define SUB_TRI		(IGT_NV3_SUB_FREE + 1)

#define COLOR(i)	(0x1234 + 0x0421 * (i))

struct point {
	int x, y;
};

static const struct point flat[9] = {
	{ 8, 8 }, { 32, 8 }, { 56, 8 }, { 8, 32 }, { 32, 32 }, { 56, 32 }, { 8, 56 },
	{ 32, 56 }, { 56, 56 },
};
static const struct point curved[9] = {
	{ 4, 20 }, { 30, -6 }, { 60, 12 }, { 16, 30 }, { 35, 30 }, { 44, 36 }, { 2, 50 },
	{ 31, 75 }, { 62, 58 },
};
static const struct point clipped[9] = {
	{ -40, -9 }, { 30, -60 }, { 90, 3 }, { -11, 20 }, { 20, 40 }, { 110, 35 }, { 5, 80 },
	{ 31, 120 }, { 62, 70 },
};

static uint32_t yx(struct point p)
{
	return (uint32_t)p.y << 16 | (p.x & 0xffff);
}

static int quadratic(int a, int b, int c, int t)
{
	return a * (STEPS - t) * (STEPS - t) + 2 * b * t * (STEPS - t) + c * t * t;
}

/* Returns the point at column @u and row @v of the patch, rounded to the nearest integer. */
static struct point evaluate(const struct point p[9], int u, int v)
{
	int x[3], y[3], half = STEPS * STEPS * STEPS * STEPS / 2, i;

	for (i = 0; i < 3; i++) {
		x[i] = quadratic(p[3 * i].x, p[3 * i + 1].x, p[3 * i + 2].x, u);
		y[i] = quadratic(p[3 * i].y, p[3 * i + 1].y, p[3 * i + 2].y, u);
	}
	return (struct point) {
		.x = (quadratic(x[0], x[1], x[2], v) + half) >> 8,
		.y = (quadratic(y[0], y[1], y[2], v) + half) >> 8,
	};
}

static void push_triangle(struct igt_nv3_batch *batch, struct point a, struct point b,
			  struct point c)
{
	igt_nv3_begin(batch, SUB_TRI, NV3_TRI_POINT(0), 3);
	igt_nv3_word(batch, yx(a));
	igt_nv3_word(batch, yx(b));
	igt_nv3_word(batch, yx(c));
}

static void push_triangles(struct igt_nv3_batch *batch, const struct point p[9], uint32_t color)
{
	int u, v;

	igt_nv3_method(batch, SUB_TRI, NV3_TRI_COLOR, color);
	for (v = 0; v < STEPS; v++) {
		for (u = 0; u < STEPS; u++) {
			struct point b = evaluate(p, u + 1, v), c = evaluate(p, u, v + 1);

			push_triangle(batch, evaluate(p, u, v), b, c);
			push_triangle(batch, evaluate(p, u + 1, v + 1), b, c);
		}
	}
}

static void init(struct igt_nv3_client *client, int fd)
{
	igt_nv3_client_init(client, fd);
	igt_nv3_graph(fd, client->channel, TRI, NV3_CLASS_TRI, 1);
	igt_nv3_select(&client->batch, SUB_TRI, TRI);
	igt_nv3_use(&client->batch, &client->color, NV3_READ | NV3_WRITE);
	igt_nv3_fill(client, 0, 0, IGT_NV3_CANVAS, IGT_NV3_CANVAS, 0);
}

static void init_patch(struct igt_nv3_client *client, int fd)
{
	init(client, fd);
	igt_nv3_graph(fd, client->channel, PATCH, CLASS_PATCH, 1);
	igt_nv3_select(&client->batch, SUB_PATCH, PATCH);
}

/* Asserts that both clients have drawn the same picture, and that the picture is not empty. */
static void assert_same(const struct igt_nv3_client *a, const struct igt_nv3_client *b)
{
	uint32_t x, y, drawn = 0;

	for (y = 0; y < IGT_NV3_CANVAS; y++) {
		for (x = 0; x < IGT_NV3_CANVAS; x++) {
			igt_assert_f(igt_nv3_pixel(a, x, y) == igt_nv3_pixel(b, x, y),
				     "pixel %u,%u is %04x, not %04x\n", x, y,
				     igt_nv3_pixel(a, x, y), igt_nv3_pixel(b, x, y));
			drawn += igt_nv3_pixel(a, x, y) != 0;
		}
	}
	igt_info("%u pixels\n", drawn);
	igt_assert_lte(1000, drawn);
}

/* Writes the picture as PPM to the file that NV3_PATCH_PICTURE names. */
static void write_picture(const struct igt_nv3_client *client)
{
	const char *path = getenv("NV3_PATCH_PICTURE");
	uint32_t x, y, pixel;
	FILE *file;

	if (!path)
		return;
	file = fopen(path, "w");
	igt_assert_f(file, "%s: %s\n", path, strerror(errno));
	fprintf(file, "P3 %u %u 31\n", IGT_NV3_CANVAS, IGT_NV3_CANVAS);
	for (y = 0; y < IGT_NV3_CANVAS; y++) {
		for (x = 0; x < IGT_NV3_CANVAS; x++) {
			pixel = igt_nv3_pixel(client, x, y);
			fprintf(file, "%u %u %u\n", pixel >> 10 & 31, pixel >> 5 & 31,
				pixel & 31);
		}
	}
	igt_assert_f(!fclose(file), "%s: %s\n", path, strerror(errno));
}

static void test_patch(int fd, const struct point p[9])
{
	struct igt_nv3_client patch, triangles;
	uint32_t i;

	init_patch(&patch, fd);
	init(&triangles, fd);
	igt_nv3_method(&patch.batch, SUB_PATCH, PATCH_COLOR, COLOR(0));
	for (i = 0; i < 9; i++)
		igt_nv3_method(&patch.batch, SUB_PATCH, PATCH_POINT(i), yx(p[i]));
	push_triangles(&triangles.batch, p, COLOR(0));
	igt_nv3_run_ok(&patch.batch);
	igt_nv3_run_ok(&triangles.batch);
	write_picture(&patch);
	assert_same(&patch, &triangles);
	igt_nv3_client_fini(&patch);
	igt_nv3_client_fini(&triangles);
}

/* Two channels set their points in turn, so that the chip switches channels after each point. */
static void test_switch(int fd)
{
	static const struct point *const points[2] = { curved, clipped };
	struct igt_nv3_client patch[2], triangles;
	uint32_t i, j;

	for (j = 0; j < 2; j++) {
		init_patch(&patch[j], fd);
		igt_nv3_method(&patch[j].batch, SUB_PATCH, PATCH_COLOR, COLOR(j));
	}
	for (i = 0; i < 9; i++) {
		for (j = 0; j < 2; j++) {
			igt_nv3_method(&patch[j].batch, SUB_PATCH, PATCH_POINT(i),
				       yx(points[j][i]));
			igt_nv3_use(&patch[j].batch, &patch[j].color, NV3_READ | NV3_WRITE);
			igt_nv3_run_ok(&patch[j].batch);
		}
	}
	for (j = 0; j < 2; j++) {
		init(&triangles, fd);
		push_triangles(&triangles.batch, points[j], COLOR(j));
		igt_nv3_run_ok(&triangles.batch);
		assert_same(&patch[j], &triangles);
		igt_nv3_client_fini(&triangles);
		igt_nv3_client_fini(&patch[j]);
	}
}

/* A notification is written when the whole patch is drawn, and only once. */
static void test_notify(int fd)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5, .operation = NV3_OP_COPY,
		.dst_slots = 1, .dma_notify = NOTIFY,
	};
	struct igt_nv3_client client, triangles;
	struct igt_nv3_bo bo;
	uint32_t i, *words;

	init(&client, fd);
	bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	words = bo.map;
	memset(words, 0xff, 4096);
	igt_nv3_dma(fd, client.channel, NOTIFY, &bo, DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, PATCH, CLASS_PATCH, &args,
				       sizeof(args)), 0);
	igt_nv3_select(&client.batch, SUB_PATCH, PATCH);
	igt_nv3_method(&client.batch, SUB_PATCH, PATCH_COLOR, COLOR(1));
	for (i = 0; i < 8; i++)
		igt_nv3_method(&client.batch, SUB_PATCH, PATCH_POINT(i), yx(curved[i]));
	igt_nv3_method(&client.batch, SUB_PATCH, NV3_MTHD_NOTIFY, 1);
	igt_nv3_method(&client.batch, SUB_PATCH, PATCH_POINT(8), yx(curved[8]));
	igt_nv3_use(&client.batch, &bo, NV3_READ | NV3_WRITE);
	igt_nv3_run_ok(&client.batch);
	/*
	 * The upper half of word 3 of slot 1 is the status, which is 0 when the method is complete.
	 */
	igt_assert_eq_u32(words[7] >> 16, 0);
	igt_assert_eq_u32(words[3], 0xffffffff);
	igt_assert_eq_u32(words[11], 0xffffffff);
	init(&triangles, fd);
	push_triangles(&triangles.batch, curved, COLOR(1));
	igt_nv3_run_ok(&triangles.batch);
	assert_same(&client, &triangles);
	igt_nv3_client_fini(&triangles);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&bo);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("A patch whose points are a grid.");
	igt_subtest("flat")
		test_patch(fd, flat);

	igt_describe("A curved patch.");
	igt_subtest("curved")
		test_patch(fd, curved);

	igt_describe("A patch that reaches beyond the surface on all sides.");
	igt_subtest("clipped")
		test_patch(fd, clipped);

	igt_describe("Two channels, with a switch after each point.");
	igt_subtest("switch")
		test_switch(fd);

	igt_describe("A notification follows the last triangle.");
	igt_subtest("notify")
		test_notify(fd);

	igt_fixture()
		drm_close_driver(fd);
}
