/* SPDX-License-Identifier: MIT */
#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("Drawing by each class, compared pixel by pixel.");

#define OBJECT	0x1000		/* the object under test */
#define DMA_IN	0x2000
#define DMA_OUT	0x2001
#define NOTIFY	0x2002
#define SOURCE	0x3000		/* a second surface, in slot 1 */
#define ZETA	0x3003

#define SUB	IGT_NV3_SUB_FREE
#define SIDE	IGT_NV3_CANVAS

static uint32_t yx(int y, int x)
{
	return (uint32_t)y << 16 | (x & 0xffff);
}

static void fill_all(struct igt_nv3_client *client, uint32_t color)
{
	igt_nv3_fill(client, 0, 0, SIDE, SIDE, color);
}

/* ---- RECT ---- */

static void test_rect(int fd)
{
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < 30; i++)
		igt_nv3_assert_draws(&client, i);
	igt_nv3_client_fini(&client);
}

/*
 * With a single header, draws 16 rectangles, one for each pair of methods POINT and SIZE. Each
 * rectangle is one pixel wider than the previous one.
 */
static void test_rect_16(int fd)
{
	struct igt_nv3_client client;
	uint32_t x, y, i;

	igt_nv3_client_init(&client, fd);
	igt_nv3_use(&client.batch, &client.color, NV3_READ | NV3_WRITE);
	igt_nv3_method(&client.batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, 0x7c1f);
	igt_nv3_begin(&client.batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 32);
	for (i = 0; i < 16; i++) {
		igt_nv3_word(&client.batch, yx(4 * i, 2 * i));
		igt_nv3_word(&client.batch, yx(2, i + 1));
	}
	igt_nv3_run_ok(&client.batch);
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			uint32_t n = y / 4;
			bool in = y % 4 < 2 && x >= 2 * n && x < 2 * n + n + 1;

			igt_assert_f(igt_nv3_pixel(&client, x, y) ==
				     (in ? 0x7c1f : 0),
				     "pixel %u,%u\n", x, y);
		}
	}
	igt_nv3_client_fini(&client);
}

/*
 * Draws rectangles that cross one edge or all edges of the canvas, rectangles outside the canvas,
 * and empty rectangles.
 */
static void test_rect_edges(int fd)
{
	static const struct {
		int x, y, w, h;
		uint32_t left, top, width, height;	/* the visible part */
	} cases[] = {
		{ -4, 10, 8, 8, 0, 10, 4, 8 },
		{ 10, -4, 8, 8, 10, 0, 8, 4 },
		{ 60, 10, 8, 8, 60, 10, 4, 8 },
		{ 10, 60, 8, 8, 10, 60, 8, 4 },
		{ -100, -100, 300, 300, 0, 0, 64, 64 },
		{ 64, 0, 8, 8, 0, 0, 0, 0 },
		{ 0, 64, 8, 8, 0, 0, 0, 0 },
		{ -8, 0, 8, 8, 0, 0, 0, 0 },
		{ 10, 10, 0, 8, 0, 0, 0, 0 },
		{ 10, 10, 8, 0, 0, 0, 0, 0 },
	};
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fill_all(&client, 0x1111);
		igt_nv3_method(&client.batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR,
			       0x7fff);
		igt_nv3_begin(&client.batch, IGT_NV3_SUB_RECT,
			      NV3_RECT_POINT(0), 2);
		igt_nv3_word(&client.batch, yx(cases[i].y, cases[i].x));
		igt_nv3_word(&client.batch, yx(cases[i].h, cases[i].w));
		igt_nv3_run_ok(&client.batch);
		igt_debug("case %u\n", i);
		igt_nv3_assert_rect(&client, cases[i].left, cases[i].top,
				    cases[i].width, cases[i].height, 0x7fff,
				    0x1111);
	}
	igt_nv3_client_fini(&client);
}

/* ---- CLIP ---- */

static void test_clip(int fd)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = 1,
		.flags = DRM_NV3_GRAPH_CLIP,
	};
	struct igt_nv3_client client;

	igt_nv3_client_init(&client, fd);
	igt_nv3_graph(fd, client.channel, OBJECT + 1, NV3_CLASS_CLIP, 0);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, OBJECT,
				       NV3_CLASS_RECT, &args, sizeof(args)), 0);
	igt_nv3_select(&client.batch, SUB, OBJECT + 1);
	igt_nv3_begin(&client.batch, SUB, NV3_CLIP_POINT, 2);
	igt_nv3_word(&client.batch, yx(12, 20));
	igt_nv3_word(&client.batch, yx(7, 31));

	/* The object with the option CLIP draws only inside the clip. */
	igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, OBJECT);
	fill_all(&client, 0x3def);
	igt_nv3_run_ok(&client.batch);
	igt_nv3_assert_rect(&client, 20, 12, 31, 7, 0x3def, 0);
	/* The object without the option CLIP ignores the clip. */
	igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, IGT_NV3_RECT);
	igt_nv3_assert_draws(&client, 1);
	igt_nv3_client_fini(&client);
}

/* ---- BLIT ---- */

static uint16_t gradient(uint32_t x, uint32_t y)
{
	return (x * 67 + y * 331 + 5) & 0x7fff;
}

static void paint_gradient(struct igt_nv3_client *client)
{
	uint16_t *pixels = client->color.map;
	uint32_t x, y;

	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++)
			pixels[y * SIDE + x] = gradient(x, y);
	}
}

/*
 * Copies from (x, y) to (to_x, to_y) on one surface. If source and destination overlap, the
 * destination must receive the pixels that the source had before the copy.
 */
static void test_blit(int fd, int x, int y, int to_x, int to_y)
{
	const int w = 24, h = 20;
	struct igt_nv3_client client;
	int i, j;

	igt_nv3_client_init(&client, fd);
	igt_nv3_graph(fd, client.channel, OBJECT, NV3_CLASS_BLIT, 1);
	paint_gradient(&client);
	igt_nv3_use(&client.batch, &client.color, NV3_READ | NV3_WRITE);
	igt_nv3_select(&client.batch, SUB, OBJECT);
	igt_nv3_begin(&client.batch, SUB, NV3_BLIT_POINT_IN, 3);
	igt_nv3_word(&client.batch, yx(y, x));
	igt_nv3_word(&client.batch, yx(to_y, to_x));
	igt_nv3_word(&client.batch, yx(h, w));
	igt_nv3_run_ok(&client.batch);
	for (j = 0; j < SIDE; j++) {
		for (i = 0; i < SIDE; i++) {
			bool in = i >= to_x && i < to_x + w && j >= to_y &&
				  j < to_y + h;
			uint16_t want = in ? gradient(i - to_x + x,
						      j - to_y + y) :
					     gradient(i, j);

			igt_assert_f(igt_nv3_pixel(&client, i, j) == want,
				     "pixel %d,%d is %04x, not %04x\n", i, j,
				     igt_nv3_pixel(&client, i, j), want);
		}
	}
	igt_nv3_client_fini(&client);
}

/* Copies rectangles from one surface to another, as a compositor does. */
static void test_blit_surfaces(int fd)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = 1 << 0,
		.src_slot = 1,
	};
	struct igt_nv3_client client;
	struct igt_nv3_bo source;
	uint16_t *pixels;
	uint32_t x, y;

	igt_nv3_client_init(&client, fd);
	source = igt_nv3_bo_create(fd, 2 * SIDE * SIDE, DRM_NV3_GEM_VRAM);
	pixels = source.map;
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++)
			pixels[y * SIDE + x] = gradient(x, y);
	}
	igt_nv3_surface(fd, client.channel, SOURCE, 1,
			DRM_NV3_FORMAT_X1R5G5B5, &source, 2 * SIDE, SIDE, SIDE);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, OBJECT,
				       NV3_CLASS_BLIT, &args, sizeof(args)), 0);
	igt_nv3_use(&client.batch, &client.color, NV3_READ | NV3_WRITE);
	igt_nv3_use(&client.batch, &source, NV3_READ);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_COLOR, SOURCE);
	igt_nv3_select(&client.batch, SUB, OBJECT);
	igt_nv3_begin(&client.batch, SUB, NV3_BLIT_POINT_IN, 3);
	igt_nv3_word(&client.batch, 0);
	igt_nv3_word(&client.batch, yx(10, 5));
	igt_nv3_word(&client.batch, yx(30, 40));
	igt_nv3_run_ok(&client.batch);
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			bool in = x >= 5 && x < 45 && y >= 10 && y < 40;

			igt_assert_eq(igt_nv3_pixel(&client, x, y),
				      in ? gradient(x - 5, y - 10) : 0);
			igt_assert_eq(pixels[y * SIDE + x], gradient(x, y));
		}
	}
	igt_nv3_bo_destroy(&source);
	igt_nv3_client_fini(&client);
}

/* ---- IFC ---- */

/*
 * An argument contains two pixels. If the width is odd, the upper half of the last argument of each
 * line is unused.
 */
static void test_ifc(int fd, uint32_t w, uint32_t h)
{
	struct igt_nv3_client client;
	uint32_t x, y, sent = 0, words = (w + 1) / 2 * h;

	igt_nv3_client_init(&client, fd);
	igt_nv3_graph(fd, client.channel, OBJECT, NV3_CLASS_IFC, 1);
	igt_nv3_use(&client.batch, &client.color, NV3_READ | NV3_WRITE);
	igt_nv3_select(&client.batch, SUB, OBJECT);
	igt_nv3_begin(&client.batch, SUB, NV3_IFC_POINT, 3);
	igt_nv3_word(&client.batch, yx(3, 2));
	igt_nv3_word(&client.batch, yx(h, w));
	igt_nv3_word(&client.batch, yx(h, (w + 1) & ~1u));
	while (sent < words) {
		uint32_t n = words - sent > 32 ? 32 : words - sent;

		igt_nv3_begin(&client.batch, SUB, NV3_IFC_DATA(0), n);
		while (n--) {
			x = sent % ((w + 1) / 2) * 2;
			y = sent++ / ((w + 1) / 2);
			igt_nv3_word(&client.batch, gradient(x, y) |
				     (uint32_t)gradient(x + 1, y) << 16);
		}
	}
	igt_nv3_run_ok(&client.batch);
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			bool in = x >= 2 && x < 2 + w && y >= 3 && y < 3 + h;

			igt_assert_f(igt_nv3_pixel(&client, x, y) ==
				     (in ? gradient(x - 2, y - 3) : 0),
				     "pixel %u,%u is %04x\n", x, y,
				     igt_nv3_pixel(&client, x, y));
		}
	}
	igt_nv3_client_fini(&client);
}

/* ---- M2MF and notifiers ---- */

static uint8_t byte_at(uint32_t i)
{
	return i * 7 + (i >> 8) * 13 + 1;
}

/*
 * Copies lines of 100 bytes from a buffer in the domain @from to a buffer in the domain @to. The
 * two buffers have different pitches.
 */
static void test_m2mf(int fd, uint32_t from, uint32_t to)
{
	const uint32_t line = 100, lines = 50, pitch_in = 160, pitch_out = 256;
	const uint32_t start_in = 33, start_out = 70;
	struct drm_nv3_graph_args args = {
		.operation = NV3_OP_COPY, .dma = { DMA_IN, DMA_OUT },
	};
	struct igt_nv3_client client;
	struct igt_nv3_bo in, out;
	uint8_t *bytes;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	in = igt_nv3_bo_create(fd, 16384, from);
	out = igt_nv3_bo_create(fd, 16384, to);
	for (i = 0; i < in.size; i++)
		((uint8_t *)in.map)[i] = byte_at(i);
	memset(out.map, 0xee, out.size);
	igt_nv3_dma(fd, client.channel, DMA_IN, &in, 0);
	igt_nv3_dma(fd, client.channel, DMA_OUT, &out, DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, OBJECT,
				       NV3_CLASS_M2MF, &args, sizeof(args)), 0);

	igt_nv3_use(&client.batch, &in, NV3_READ);
	igt_nv3_use(&client.batch, &out, NV3_READ | NV3_WRITE);
	igt_nv3_select(&client.batch, SUB, OBJECT);
	igt_nv3_begin(&client.batch, SUB, NV3_M2MF_OFFSET_IN, 8);
	igt_nv3_word(&client.batch, start_in);
	igt_nv3_word(&client.batch, start_out);
	igt_nv3_word(&client.batch, pitch_in);
	igt_nv3_word(&client.batch, pitch_out);
	igt_nv3_word(&client.batch, line);
	igt_nv3_word(&client.batch, lines);
	igt_nv3_word(&client.batch, 1 << 8 | 1);
	igt_nv3_word(&client.batch, 0);
	igt_nv3_run_ok(&client.batch);
	bytes = out.map;
	for (i = 0; i < out.size; i++) {
		uint32_t y = (i - start_out) / pitch_out;
		uint32_t x = (i - start_out) % pitch_out;
		bool inside = i >= start_out && y < lines && x < line;
		uint8_t want = inside ? byte_at(start_in + y * pitch_in + x) :
					0xee;

		igt_assert_f(bytes[i] == want, "byte %u is %02x, not %02x\n", i,
			     bytes[i], want);
	}
	igt_nv3_bo_destroy(&in);
	igt_nv3_bo_destroy(&out);
	igt_nv3_client_fini(&client);
}

/*
 * The members of a notification: a time of 64 bits, a result of 32 bits, an information word of 16
 * bits, and a status of 16 bits. Status 0 means that the method has completed.
 */
static void test_notify(int fd)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = 1,
		.dma_notify = NOTIFY,
	};
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;
	volatile uint32_t *words;
	uint64_t time, last = 0;
	uint32_t i, round;

	igt_nv3_client_init(&client, fd);
	bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	words = bo.map;
	igt_nv3_dma(fd, client.channel, NOTIFY, &bo, DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, OBJECT,
				       NV3_CLASS_RECT, &args, sizeof(args)), 0);
	igt_nv3_select(&client.batch, SUB, OBJECT);
	for (round = 0; round < 3; round++) {
		memset(bo.map, 0xff, bo.size);
		igt_nv3_use(&client.batch, &bo, NV3_READ | NV3_WRITE);
		igt_nv3_use(&client.batch, &client.color,
			    NV3_READ | NV3_WRITE);
		igt_nv3_method(&client.batch, SUB, NV3_MTHD_NOTIFY, 0);
		igt_nv3_method(&client.batch, SUB, NV3_RECT_COLOR, 1);
		igt_nv3_run_ok(&client.batch);
		igt_assert_eq_u32(words[3] >> 16, 0);
		time = (uint64_t)words[1] << 32 | words[0];
		igt_assert(time != UINT64_MAX && time > last);
		last = time;
		/* The chip writes only the 16 bytes of the notification. */
		for (i = 4; i < bo.size / 4; i++)
			igt_assert_eq_u32(words[i], 0xffffffff);
	}
	igt_nv3_bo_destroy(&bo);
	igt_nv3_client_fini(&client);
}

/* ---- D3D ---- */

#define CONFIG \
	(NV3_D3D_INTERP_ZOH_CORNER | \
	 NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT | \
	 NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT | \
	 NV3_D3D_SOURCE_ALPHA_ONE << NV3_D3D_CONFIG_SOURCE_SHIFT | \
	 NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT)

static uint32_t config(uint32_t z_func, uint32_t write)
{
	return CONFIG | z_func << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
	       write << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
	       write << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT;
}

/* A client with a depth surface, and a texture of 4x4 texels */
struct d3d {
	struct igt_nv3_client client;
	struct igt_nv3_bo zeta, texture;
};

static void d3d_init(struct d3d *d, int fd)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = 1,
		.flags = DRM_NV3_GRAPH_ZETA,
		.dma = { DMA_IN },
	};
	uint32_t channel, i;

	igt_nv3_client_init(&d->client, fd);
	channel = d->client.channel;
	d->zeta = igt_nv3_bo_create(fd, 2 * SIDE * SIDE, DRM_NV3_GEM_VRAM);
	d->texture = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_VRAM |
				       DRM_NV3_GEM_SYSTEM);
	for (i = 0; i < SIDE * SIDE; i++)
		((uint16_t *)d->zeta.map)[i] = 0xffff;
	for (i = 0; i < 2048; i++)
		((uint16_t *)d->texture.map)[i] = 0x7fff;
	igt_nv3_surface(fd, channel, ZETA, DRM_NV3_SURFACE_ZETA,
			DRM_NV3_FORMAT_Y16, &d->zeta, 2 * SIDE, SIDE, SIDE);
	igt_nv3_dma(fd, channel, DMA_IN, &d->texture, 0);
	igt_assert_eq(__igt_nv3_object(fd, channel, OBJECT, NV3_CLASS_D3D,
				       &args, sizeof(args)), 0);
	igt_nv3_use(&d->client.batch, &d->zeta, NV3_READ | NV3_WRITE);
	igt_nv3_select(&d->client.batch, IGT_NV3_SUB_COLOR, ZETA);
	igt_nv3_select(&d->client.batch, SUB, OBJECT);
}

static void d3d_fini(struct d3d *d)
{
	igt_nv3_bo_destroy(&d->zeta);
	igt_nv3_bo_destroy(&d->texture);
	igt_nv3_client_fini(&d->client);
}

static void d3d_state(struct d3d *d, uint32_t d3d_config)
{
	struct igt_nv3_batch *batch = &d->client.batch;

	igt_nv3_use(batch, &d->client.color, NV3_READ | NV3_WRITE);
	igt_nv3_use(batch, &d->zeta, NV3_READ | NV3_WRITE);
	igt_nv3_use(batch, &d->texture, NV3_READ);
	igt_nv3_begin(batch, SUB, NV3_D3D_TEX_OFFSET, 6);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, NV3_D3D_TEX_X1R5G5B5 << NV3_D3D_TEX_FORMAT_SHIFT |
		     2 << NV3_D3D_TEX_SIZE_MIN_SHIFT |
		     2 << NV3_D3D_TEX_SIZE_MAX_SHIFT);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, d3d_config);
	igt_nv3_word(batch, NV3_D3D_CMP_ALWAYS << 8);
}

static void d3d_vertex(struct d3d *d, uint32_t fog_tri, uint32_t color,
		       float x, float y, float z, float u, float v)
{
	struct igt_nv3_batch *batch = &d->client.batch;

	igt_nv3_begin(batch, SUB, NV3_D3D_FOG_TRI(0), 8);
	igt_nv3_word(batch, fog_tri);
	igt_nv3_word(batch, color);
	igt_nv3_float(batch, x);
	igt_nv3_float(batch, y);
	igt_nv3_float(batch, z);
	igt_nv3_float(batch, 1.0f);
	igt_nv3_float(batch, u);
	igt_nv3_float(batch, v);
}

/*
 * A quad consists of the triangles with the vertices (3, 0, 1) and (3, 1, 2). Vertices 0 to 3 are
 * the corners of the quad in clockwise order.
 */
#define NONE(slot)	((slot) * 0x111u)	/* no triangle */
#define PLACE(slot)	(NONE(slot) | NONE(slot) << 12)
#define CLOSE		(3 | 0 << 4 | 1 << 8 | 3 << 12 | 1 << 16 | 2 << 20)

/* Draws a quad whose top left pixel is (x, y). Pixel centres have integer coordinates. */
static void d3d_quad(struct d3d *d, float x, float y, float w, float h,
		     float z, uint32_t color)
{
	float l = x - 0.5f, t = y - 0.5f, r = l + w, b = t + h;

	d3d_vertex(d, PLACE(0), color, l, t, z, 0, 0);
	d3d_vertex(d, PLACE(1), color, r, t, z, 1, 0);
	d3d_vertex(d, PLACE(2), color, r, b, z, 1, 1);
	d3d_vertex(d, CLOSE, color, l, b, z, 0, 1);
}

static void test_d3d_flat(int fd)
{
	struct d3d d;

	d3d_init(&d, fd);
	d3d_state(&d, config(NV3_D3D_CMP_ALWAYS, NV3_D3D_WRITE_ALWAYS));
	d3d_quad(&d, 8, 12, 40, 20, 0.5f, 0xff00ff00);
	igt_nv3_run_ok(&d.client.batch);
	igt_nv3_assert_rect(&d.client, 8, 12, 40, 20, 0x03e0, 0);
	d3d_fini(&d);
}

/*
 * A quad consists of two triangles with a common edge. With additive blending, a pixel on this edge
 * is wrong if both triangles or neither of them draws it.
 */
static void test_d3d_edge(int fd)
{
	struct d3d d;

	d3d_init(&d, fd);
	fill_all(&d.client, 1 << 5);
	igt_nv3_run_ok(&d.client.batch);
	d3d_state(&d, config(NV3_D3D_CMP_ALWAYS, NV3_D3D_WRITE_ALWAYS) |
		  NV3_D3D_CONFIG_ROP_ADD);
	/* 0x42 is the 8-bit form of the 5-bit value 8, so dithering does not change it. */
	d3d_quad(&d, 3, 5, 50, 41, 0.5f, 0xff000042);
	igt_nv3_run_ok(&d.client.batch);
	igt_nv3_assert_rect(&d.client, 3, 5, 50, 41, 1 << 5 | 8, 1 << 5);
	d3d_fini(&d);
}

static void test_d3d_depth(int fd)
{
	struct d3d d;
	uint32_t x, y;

	d3d_init(&d, fd);
	d3d_state(&d, config(NV3_D3D_CMP_LESS, NV3_D3D_WRITE_Z));
	d3d_quad(&d, 0, 0, 40, 40, 0.5f, 0xffff0000);
	/* depths behind, in front of, and equal to the stored depth */
	d3d_quad(&d, 20, 0, 44, 10, 0.75f, 0xff00ff00);
	d3d_quad(&d, 20, 10, 44, 10, 0.25f, 0xff0000ff);
	d3d_quad(&d, 20, 20, 44, 10, 0.5f, 0xffffffff);
	igt_nv3_run_ok(&d.client.batch);
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			uint16_t want = x < 40 && y < 40 ? 0x7c00 : 0;

			if (y < 10 && x >= 40)
				want = 0x03e0;
			if (y >= 10 && y < 20 && x >= 20)
				want = 0x001f;
			if (y >= 20 && y < 30 && x >= 40)
				want = 0x7fff;
			igt_assert_f(igt_nv3_pixel(&d.client, x, y) == want,
				     "pixel %u,%u is %04x, not %04x\n", x, y,
				     igt_nv3_pixel(&d.client, x, y), want);
		}
	}
	d3d_fini(&d);
}

/*
 * Checks the depths in memory. A smaller depth is nearer. Pixels that no triangle covers keep their
 * initial depth, the largest value.
 */
static void test_d3d_zeta(int fd)
{
	struct d3d d;
	uint16_t *zeta;
	uint32_t i;

	d3d_init(&d, fd);
	zeta = d.zeta.map;
	d3d_state(&d, config(NV3_D3D_CMP_LESS, NV3_D3D_WRITE_Z));
	d3d_quad(&d, 0, 0, 32, 64, 0.25f, 0xffffffff);
	d3d_quad(&d, 32, 0, 16, 64, 0.5f, 0xffffffff);
	igt_nv3_run_ok(&d.client.batch);
	for (i = 0; i < SIDE * SIDE; i++) {
		uint32_t x = i % SIDE;

		if (x < 32)
			igt_assert(abs(zeta[i] - 0x4000) <= 1);
		else if (x < 48)
			igt_assert(abs(zeta[i] - 0x8000) <= 1);
		else
			igt_assert_eq(zeta[i], 0xffff);
	}
	d3d_fini(&d);
}

/* Returns the offset of texel (x, y) in a swizzled texture, by interleaving the bits of x and y. */
static uint32_t swizzle(uint32_t x, uint32_t y)
{
	return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
}

static void test_d3d_texture(int fd)
{
	static const uint16_t colors[] = {
		0x7fff, 0x7c00, 0x03e0, 0x001f, 0x7fe0, 0x7c1f, 0x03ff, 0x0000,
	};
	struct d3d d;
	uint16_t *texels;
	uint32_t x, y;

	d3d_init(&d, fd);
	texels = d.texture.map;
	for (y = 0; y < 4; y++) {
		for (x = 0; x < 4; x++)
			texels[swizzle(x, y)] = colors[(x + 3 * y) % 8];
	}
	d3d_state(&d, config(NV3_D3D_CMP_ALWAYS, NV3_D3D_WRITE_ALWAYS));
	d3d_quad(&d, 0, 0, 64, 64, 0.5f, 0xffffffff);
	igt_nv3_run_ok(&d.client.batch);
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			/*
			 * Skip pixels at the boundary of two texels, because their texture
			 * coordinates may be rounded to either texel.
			 */
			if (x % 16 == 0 || x % 16 == 15 || y % 16 == 0 ||
			    y % 16 == 15)
				continue;
			igt_assert_f(igt_nv3_pixel(&d.client, x, y) ==
				     colors[(x / 16 + 3 * (y / 16)) % 8],
				     "pixel %u,%u is %04x\n", x, y,
				     igt_nv3_pixel(&d.client, x, y));
		}
	}
	d3d_fini(&d);
}

/*
 * Draws two triangles with opposite windings. The culling mode CCW must remove one of the
 * triangles, and CW must remove the other one.
 */
static void test_d3d_cull(int fd)
{
	static const uint32_t modes[] = { NV3_D3D_CULL_CCW, NV3_D3D_CULL_CW };
	struct d3d d;
	uint32_t i, seen[2];

	d3d_init(&d, fd);
	for (i = 0; i < 2; i++) {
		fill_all(&d.client, 0);
		d3d_state(&d, (config(NV3_D3D_CMP_ALWAYS,
				      NV3_D3D_WRITE_ALWAYS) &
			       ~(3u << NV3_D3D_CONFIG_CULL_SHIFT)) |
			  modes[i] << NV3_D3D_CONFIG_CULL_SHIFT);
		/* The left triangle is clockwise, and the right triangle is counterclockwise. */
		d3d_vertex(&d, PLACE(0), 0xffffffff, 0, 0, 0, 0, 0);
		d3d_vertex(&d, PLACE(1), 0xffffffff, 30, 0, 0, 0, 0);
		d3d_vertex(&d, 2 | 0 << 4 | 1 << 8 | NONE(2) << 12, 0xffffffff,
			   15, 60, 0, 0, 0);
		d3d_vertex(&d, PLACE(0), 0xffffffff, 32, 0, 0, 0, 0);
		d3d_vertex(&d, PLACE(1), 0xffffffff, 62, 0, 0, 0, 0);
		d3d_vertex(&d, 2 | 1 << 4 | 0 << 8 | NONE(2) << 12, 0xffffffff,
			   47, 60, 0, 0, 0);
		igt_nv3_run_ok(&d.client.batch);
		seen[i] = (igt_nv3_pixel(&d.client, 15, 20) == 0x7fff) |
			  (igt_nv3_pixel(&d.client, 47, 20) == 0x7fff) << 1;
	}
	igt_assert(seen[0] == 1 || seen[0] == 2);
	igt_assert_eq(seen[0] ^ seen[1], 3);
	d3d_fini(&d);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Rectangles with many colours and positions.");
	igt_subtest("rect")
		test_rect(fd);

	igt_describe("Sixteen rectangles in one run of methods.");
	igt_subtest("rect-16")
		test_rect_16(fd);

	igt_describe("Rectangles across each edge of the canvas.");
	igt_subtest("rect-edges")
		test_rect_edges(fd);

	igt_describe("Objects that use the user clip are clipped by it.");
	igt_subtest("clip")
		test_clip(fd);

	igt_describe("A copy to another position on the surface.");
	igt_subtest("blit")
		test_blit(fd, 2, 3, 33, 40);

	igt_describe("An overlapping copy towards the lower right.");
	igt_subtest("blit-overlap-down")
		test_blit(fd, 10, 10, 15, 13);

	igt_describe("An overlapping copy towards the upper left.");
	igt_subtest("blit-overlap-up")
		test_blit(fd, 15, 13, 10, 10);

	igt_describe("An overlapping copy along a line.");
	igt_subtest("blit-overlap-right")
		test_blit(fd, 10, 10, 13, 10);

	igt_describe("A copy from one buffer to another.");
	igt_subtest("blit-surfaces")
		test_blit_surfaces(fd);

	igt_describe("An image, word by word.");
	igt_subtest("ifc")
		test_ifc(fd, 32, 20);

	igt_describe("An image whose lines end within a word.");
	igt_subtest("ifc-odd")
		test_ifc(fd, 27, 33);

	igt_describe("Lines of bytes from system memory to VRAM.");
	igt_subtest("m2mf-upload")
		test_m2mf(fd, DRM_NV3_GEM_SYSTEM, DRM_NV3_GEM_VRAM);

	igt_describe("Lines of bytes from VRAM to system memory.");
	igt_subtest("m2mf-download")
		test_m2mf(fd, DRM_NV3_GEM_VRAM, DRM_NV3_GEM_SYSTEM);

	igt_describe("Lines of bytes within VRAM.");
	igt_subtest("m2mf-vram")
		test_m2mf(fd, DRM_NV3_GEM_VRAM, DRM_NV3_GEM_VRAM);

	igt_describe("A notification contains the time and the status.");
	igt_subtest("notify")
		test_notify(fd);

	igt_describe("Two triangles form a rectangle of one colour.");
	igt_subtest("d3d-flat")
		test_d3d_flat(fd);

	igt_describe("Triangles that share an edge draw each pixel once.");
	igt_subtest("d3d-edge")
		test_d3d_edge(fd);

	igt_describe("Nearer triangles hide farther ones.");
	igt_subtest("d3d-depth")
		test_d3d_depth(fd);

	igt_describe("Depth values are written to the depth surface.");
	igt_subtest("d3d-zeta")
		test_d3d_zeta(fd);

	igt_describe("Texels are drawn at their positions.");
	igt_subtest("d3d-texture")
		test_d3d_texture(fd);

	igt_describe("Each culling mode removes one winding.");
	igt_subtest("d3d-cull")
		test_d3d_cull(fd);

	igt_fixture()
		drm_close_driver(fd);
}
