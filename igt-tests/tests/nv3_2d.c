/* SPDX-License-Identifier: MIT */
/*
 * What the 2D classes draw, each on every kind of surface that it takes, beside a
 * picture that is computed here: from envytools' docs/hw/graph/2d/solid.rst for
 * which pixels belong to lines and triangles, from the meaning of the numbers for
 * the rest. Nothing of it knows how the device or the driver come to theirs.
 */
#include <math.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("The 2D classes, pixel by pixel, beside pictures computed here.");

#define SIDE	64

/* Names in the channel. */
enum {
	SURFACE = 0x10,
	SURFACE_1,
	ZETA,
	DMA,
	OBJECT,
	OTHER,
};

#define SUB_SURFACE	0
#define SUB		1

/* A channel, a surface of SIDE x SIDE in slot 0, and what should be on it. */
struct picture {
	int fd;
	uint32_t channel;
	struct igt_nv3_batch batch;
	struct igt_nv3_bo bo;
	uint32_t format;
	uint32_t cpp;
	uint32_t want[SIDE * SIDE];
};

static const struct format {
	const char *name;
	uint32_t surface;	/* DRM_NV3_FORMAT_* */
	uint32_t color;		/* DRM_NV3_COLOR_* of a source with the same pixels */
	uint32_t cpp;
	uint32_t mask;		/* bits of a pixel that mean something */
} formats[] = {
	{ "y8", DRM_NV3_FORMAT_Y8, DRM_NV3_COLOR_Y8, 1, 0xff },
	{ "y16", DRM_NV3_FORMAT_Y16, DRM_NV3_COLOR_Y16, 2, 0xffff },
	{ "x1r5g5b5", DRM_NV3_FORMAT_X1R5G5B5, DRM_NV3_COLOR_X1R5G5B5, 2, 0x7fff },
	{ "x8r8g8b8", DRM_NV3_FORMAT_X8R8G8B8, DRM_NV3_COLOR_X8R8G8B8, 4, 0xffffff },
};

enum { Y8, Y16, X1R5G5B5, X8R8G8B8 };

static uint32_t yx(int y, int x)
{
	return (uint32_t)y << 16 | (x & 0xffff);
}

static uint32_t xy(int x, int y)
{
	return yx(x, y);
}

static void picture_init(struct picture *p, int fd, uint32_t format)
{
	p->fd = fd;
	p->channel = igt_nv3_channel_create(fd);
	p->format = format;
	p->cpp = formats[format].cpp;
	p->bo = igt_nv3_bo_create(fd, SIDE * SIDE * p->cpp, DRM_NV3_GEM_VRAM);
	memset(p->bo.map, 0, p->bo.size);
	memset(p->want, 0, sizeof(p->want));
	igt_nv3_batch_init(&p->batch, fd, p->channel);
	igt_nv3_surface(fd, p->channel, SURFACE, 0, formats[format].surface,
			&p->bo, SIDE * p->cpp, SIDE, SIDE);
	igt_nv3_use(&p->batch, &p->bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(&p->batch, SUB_SURFACE, SURFACE);
}

static void picture_fini(struct picture *p)
{
	igt_nv3_batch_fini(&p->batch);
	igt_nv3_channel_destroy(p->fd, p->channel);
	igt_nv3_bo_destroy(&p->bo);
}

/* Makes and selects the object under test, which draws to slot 0. */
static void picture_object(struct picture *p, uint32_t class_id,
			   uint32_t color_format, uint32_t flags, uint32_t dma)
{
	struct drm_nv3_graph_args args = {
		.color_format = color_format,
		.operation = NV3_OP_COPY,
		.dst_slots = 1 << 0,
		.flags = flags,
		.dma = { dma },
	};

	igt_assert_eq(__igt_nv3_object(p->fd, p->channel, OBJECT, class_id,
				       &args, sizeof(args)), 0);
	igt_nv3_select(&p->batch, SUB, OBJECT);
}

static void mthd(struct picture *p, uint32_t method, uint32_t arg)
{
	igt_nv3_method(&p->batch, SUB, method, arg);
}

static uint32_t pixel(const struct picture *p, uint32_t x, uint32_t y)
{
	uint32_t i = y * SIDE + x, mask = formats[p->format].mask;

	switch (p->cpp) {
	case 1:
		return ((uint8_t *)p->bo.map)[i] & mask;
	case 2:
		return ((uint16_t *)p->bo.map)[i] & mask;
	default:
		return ((uint32_t *)p->bo.map)[i] & mask;
	}
}

/* Runs the batch, and compares. */
static void picture_check(struct picture *p)
{
	uint32_t x, y, drawn = 0;

	igt_nv3_run_ok(&p->batch);
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			uint32_t want = p->want[y * SIDE + x] &
					formats[p->format].mask;

			drawn += want != 0;
			igt_assert_f(pixel(p, x, y) == want,
				     "pixel %u,%u is %x, not %x\n", x, y,
				     pixel(p, x, y), want);
		}
	}
	igt_assert_lt(0, drawn);
	igt_nv3_use(&p->batch, &p->bo, NV3_READ | NV3_WRITE);
}

/* ---- what should be drawn ---- */

static void want_pixel(struct picture *p, int x, int y, uint32_t color)
{
	if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
		p->want[y * SIDE + x] = color;
}

static void want_rect(struct picture *p, int x, int y, int w, int h,
		      uint32_t color)
{
	int i, j;

	for (j = 0; j < h; j++) {
		for (i = 0; i < w; i++)
			want_pixel(p, x + i, y + j, color);
	}
}

/* Largest whole number that is not above a / b; b > 0. */
static int floor_div(int a, int b)
{
	return a / b - (a % b < 0);
}

/*
 * One pixel for each step along the longer way; between two, the one with the
 * larger other coordinate. @last: the second end, too.
 */
static void want_line(struct picture *p, int x0, int y0, int x1, int y1,
		      bool last, uint32_t color)
{
	int dx = x1 - x0, dy = y1 - y0, i;
	bool by_x = abs(dx) > abs(dy);
	int n = by_x ? abs(dx) : abs(dy);

	for (i = 0; i <= n; i++) {
		int x = by_x ? x0 + (dx < 0 ? -i : i) :
			n ? x0 + floor_div(2 * i * dx + n, 2 * n) : x0;
		int y = !by_x ? y0 + (dy < 0 ? -i : i) :
			y0 + floor_div(2 * i * dy + n, 2 * n);

		if (last || x != x1 || y != y1)
			want_pixel(p, x, y, color);
	}
}

/* On which side of a line; on it, what is a little to the right decides, then below. */
static int side(const int a[2], const int b[2], int x, int y)
{
	int s = (b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1]);

	if (!s)
		s = a[1] - b[1];
	if (!s)
		s = b[0] - a[0];
	return s > 0 ? 1 : -1;
}

static void want_triangle(struct picture *p, const int (*v)[2], uint32_t color)
{
	int x, y, area;

	area = (v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) -
	       (v[2][0] - v[0][0]) * (v[1][1] - v[0][1]);
	if (!area)
		return;
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			int sum = side(v[0], v[1], x, y) +
				  side(v[1], v[2], x, y) +
				  side(v[2], v[0], x, y);

			if (sum == (area > 0 ? 3 : -3))
				want_pixel(p, x, y, color);
		}
	}
}

/* Different everywhere, also after five bits of it are lost. */
static uint32_t pattern(uint32_t x, uint32_t y, uint32_t color_format)
{
	uint32_t r = (x * 5 + y) & 31, g = (y * 3 + x / 2 + 1) & 31;
	uint32_t b = (x * y + 7) & 31;

	switch (color_format) {
	case DRM_NV3_COLOR_Y8:
		return (x * 5 + y * 37 + 1) & 0xff;
	case DRM_NV3_COLOR_Y16:
		return (x * 1031 + y * 733 + 1) & 0xffff;
	case DRM_NV3_COLOR_X1R5G5B5:
		return r << 10 | g << 5 | b;
	case DRM_NV3_COLOR_X2R10G10B10:
		return r << 25 | g << 15 | b << 5;
	default:
		return r << 19 | g << 11 | b << 3;
	}
}

/* Every colour of 24 bits: to 16 bits these come dithered. */
static uint32_t full_pattern(uint32_t x, uint32_t y)
{
	return ((x * 4 + y) & 0xff) << 16 | ((y * 4 + 3 * x) & 0xff) << 8 |
	       ((x * 11 + y * 7) & 0xff);
}

/* What pattern() becomes on the picture's surface: 5 bits are the upper 5 of 8. */
static uint32_t converted(const struct picture *p, uint32_t x, uint32_t y)
{
	return pattern(x, y, formats[p->format].color);
}

/* ---- POINT, LINE, LIN, TRI ---- */

static uint32_t solid_color(const struct picture *p, uint32_t n)
{
	return pattern(n * 7 + 3, n + 1, formats[p->format].color) | 1;
}

static void test_point(int fd, uint32_t format)
{
	struct picture p;
	uint32_t i;

	picture_init(&p, fd, format);
	picture_object(&p, NV3_CLASS_POINT, formats[format].color, 0, 0);
	mthd(&p, NV3_POINT_COLOR, solid_color(&p, 1));
	for (i = 0; i < 32; i++) {
		mthd(&p, NV3_POINT_POINT(i), yx(i * 3 - 10, i * 5 - 30));
		want_pixel(&p, i * 5 - 30, i * 3 - 10, solid_color(&p, 1));
	}
	for (i = 0; i < 16; i++) {
		mthd(&p, NV3_POINT_POINT32_X(i), i * 4);
		mthd(&p, NV3_POINT_POINT32_Y(i), 63 - i);
		want_pixel(&p, i * 4, 63 - i, solid_color(&p, 1));
	}
	for (i = 0; i < 16; i++) {
		mthd(&p, NV3_POINT_CPOINT_COLOR(i), solid_color(&p, i));
		mthd(&p, NV3_POINT_CPOINT(i), yx(20, i * 2));
		want_pixel(&p, i * 2, 20, solid_color(&p, i));
	}
	picture_check(&p);
	picture_fini(&p);
}

/* Out from the middle, and in again from beyond each edge. */
static const int line_ends[][2] = {
	{ 60, 32 }, { 60, 40 }, { 60, 59 }, { 60, 60 }, { 45, 60 }, { 32, 60 },
	{ 10, 61 }, { 3, 60 }, { 2, 50 }, { 1, 32 }, { 2, 20 }, { 3, 3 },
	{ 20, 1 }, { 32, 0 }, { 90, -40 }, { 200, 10 }, { -70, 33 }, { 31, 200 },
};

static void test_line(int fd, uint32_t format, uint32_t class_id)
{
	bool last = class_id == NV3_CLASS_LINE;
	struct picture p;
	uint32_t i;

	picture_init(&p, fd, format);
	picture_object(&p, class_id, formats[format].color, 0, 0);
	for (i = 0; i < ARRAY_SIZE(line_ends); i++) {
		int x = line_ends[i][0], y = line_ends[i][1];
		uint32_t color = solid_color(&p, i);

		mthd(&p, NV3_LINE_COLOR, color);
		if (i % 2) {
			mthd(&p, NV3_LINE_POINT(i % 16, 0), yx(32, 31));
			mthd(&p, NV3_LINE_POINT(i % 16, 1), yx(y, x));
			want_line(&p, 31, 32, x, y, last, color);
		} else {
			mthd(&p, NV3_LINE_POINT32_X(i % 8, 0), x);
			mthd(&p, NV3_LINE_POINT32_Y(i % 8, 0), y);
			mthd(&p, NV3_LINE_POINT32_X(i % 8, 1), 31);
			mthd(&p, NV3_LINE_POINT32_Y(i % 8, 1), 32);
			want_line(&p, x, y, 31, 32, last, color);
		}
	}
	picture_check(&p);
	picture_fini(&p);
}

/* Corners that go on from the line before, in one colour and in one each. */
static void test_polyline(int fd, uint32_t format, uint32_t class_id)
{
	bool last = class_id == NV3_CLASS_LINE;
	int x = 31, y = 32, i, next_x, next_y;
	struct picture p;

	picture_init(&p, fd, format);
	picture_object(&p, class_id, formats[format].color, 0, 0);
	mthd(&p, NV3_LINE_COLOR, solid_color(&p, 2));
	mthd(&p, NV3_LINE_POINT(0, 0), yx(0, 0));
	mthd(&p, NV3_LINE_POINT(0, 1), yx(y, x));
	want_line(&p, 0, 0, x, y, last, solid_color(&p, 2));
	for (i = 0; i < 12; i++) {
		next_x = line_ends[i][0];
		next_y = line_ends[i][1];
		if (i < 4) {
			mthd(&p, NV3_LINE_POLY(i), yx(next_y, next_x));
		} else if (i < 8) {
			mthd(&p, NV3_LINE_POLY32_X(i), next_x);
			mthd(&p, NV3_LINE_POLY32_Y(i), next_y);
		} else {
			mthd(&p, NV3_LINE_CPOLY_COLOR(i), solid_color(&p, i));
			mthd(&p, NV3_LINE_CPOLY(i), yx(next_y, next_x));
		}
		want_line(&p, x, y, next_x, next_y, last,
			  solid_color(&p, i < 8 ? 2 : i));
		x = next_x;
		y = next_y;
	}
	picture_check(&p);
	picture_fini(&p);
}

static void test_triangle(int fd, uint32_t format)
{
	static const int corners[][3][2] = {
		{ { 0, 0 }, { 40, 5 }, { 10, 30 } },
		{ { 10, 30 }, { 40, 5 }, { 63, 63 } },	/* shares an edge */
		{ { 60, 10 }, { 40, 5 }, { 63, 63 } },	/* and winds the other way */
		{ { -30, 40 }, { 20, 40 }, { 5, 90 } },
		{ { 5, 5 }, { 5, 5 }, { 30, 30 } },	/* has no inside */
		{ { 1, 50 }, { 31, 35 }, { 2, 51 } },
	};
	struct picture p;
	uint32_t i, j;

	picture_init(&p, fd, format);
	picture_object(&p, NV3_CLASS_TRI, formats[format].color, 0, 0);
	for (i = 0; i < ARRAY_SIZE(corners); i++) {
		mthd(&p, NV3_TRI_COLOR, solid_color(&p, i));
		for (j = 0; j < 3; j++) {
			int x = corners[i][j][0], y = corners[i][j][1];

			if (i % 2) {
				mthd(&p, NV3_TRI_POINT32_X(j), x);
				mthd(&p, NV3_TRI_POINT32_Y(j), y);
			} else {
				mthd(&p, NV3_TRI_POINT(j), yx(y, x));
			}
		}
		want_triangle(&p, corners[i], solid_color(&p, i));
	}
	picture_check(&p);
	picture_fini(&p);
}

/* A triangle with a colour of its own, and a strip that goes on from it. */
static void test_strip(int fd, uint32_t format)
{
	static const int v[][2] = {
		{ 2, 3 }, { 60, 1 }, { 8, 22 }, { 55, 25 }, { 4, 40 },
		{ 62, 44 }, { 7, 63 }, { 50, 60 },
	};
	struct picture p;
	uint32_t i;

	picture_init(&p, fd, format);
	picture_object(&p, NV3_CLASS_TRI, formats[format].color, 0, 0);
	mthd(&p, NV3_TRI_CTRI_COLOR(3), solid_color(&p, 0));
	for (i = 0; i < 3; i++)
		mthd(&p, NV3_TRI_CTRI_POINT(3, i), yx(v[i][1], v[i][0]));
	want_triangle(&p, &v[0], solid_color(&p, 0));
	for (i = 3; i < ARRAY_SIZE(v); i++) {
		uint32_t color = solid_color(&p, i < 5 ? 0 : i);

		if (i == 3) {
			mthd(&p, NV3_TRI_STRIP(i), yx(v[i][1], v[i][0]));
		} else if (i == 4) {
			mthd(&p, NV3_TRI_STRIP32_X(i), v[i][0]);
			mthd(&p, NV3_TRI_STRIP32_Y(i), v[i][1]);
		} else {
			mthd(&p, NV3_TRI_CSTRIP_COLOR(i), color);
			mthd(&p, NV3_TRI_CSTRIP(i), yx(v[i][1], v[i][0]));
		}
		want_triangle(&p, &v[i - 2], color);
	}
	picture_check(&p);
	picture_fini(&p);
}

/* ---- GDI and BITMAP ---- */

static void test_gdi_rect(int fd, uint32_t format)
{
	struct picture p;
	int i, x, y;

	picture_init(&p, fd, format);
	picture_object(&p, NV3_CLASS_GDI, formats[format].color, 0, 0);
	mthd(&p, NV3_GDI_A_COLOR, solid_color(&p, 3));
	for (i = 0; i < 64; i++) {
		mthd(&p, NV3_GDI_A_POINT(i), xy(i * 2 - 20, i - 3));
		mthd(&p, NV3_GDI_A_SIZE(i), xy(9, 1));
		want_rect(&p, i * 2 - 20, i - 3, 9, 1, solid_color(&p, 3));
	}
	mthd(&p, NV3_GDI_B_CLIP_0, yx(20, 4));
	mthd(&p, NV3_GDI_B_CLIP_1, yx(50, 40));
	mthd(&p, NV3_GDI_B_COLOR, solid_color(&p, 4));
	for (i = 0; i < 6; i++) {
		mthd(&p, NV3_GDI_B_POINT_0(i), yx(i * 10, i * 9 - 5));
		mthd(&p, NV3_GDI_B_POINT_1(i), yx(i * 10 + 7, i * 9 + 6));
		for (y = i * 10; y < i * 10 + 7; y++) {
			for (x = i * 9 - 5; x < i * 9 + 6; x++) {
				if (x >= 4 && x < 40 && y >= 20 && y < 50)
					want_pixel(&p, x, y,
						   solid_color(&p, 4));
			}
		}
	}
	picture_check(&p);
	picture_fini(&p);
}

/* Bit @n of a picture of one bit a pixel. */
static bool ink(uint32_t n)
{
	return (n * 2654435761u) >> 29 & 1 || n % 7 == 0;
}

/* @count bits of it as words; first pixel lowest, or highest of each byte. */
static uint32_t ink_word(uint32_t i, bool cga6)
{
	uint32_t word = 0, n;

	for (n = 0; n < 32; n++)
		word |= (uint32_t)ink(i * 32 + n) << (cga6 ? n ^ 7 : n);
	return word;
}

/* Bits have no padding from line to line. */
static void want_ink(struct picture *p, int x, int y, int in_w, int w, int h,
		     const int clip[4], uint32_t one, uint32_t zero)
{
	int i, j;

	for (j = 0; j < h; j++) {
		for (i = 0; i < w; i++) {
			bool bit = ink(j * in_w + i);

			if (x + i < clip[0] || x + i >= clip[2] ||
			    y + j < clip[1] || y + j >= clip[3])
				continue;
			if (bit)
				want_pixel(p, x + i, y + j, one);
			else if (zero)
				want_pixel(p, x + i, y + j, zero);
		}
	}
}

static void push_ink(struct picture *p, uint32_t data, uint32_t bits,
		     uint32_t most, bool cga6)
{
	uint32_t i;

	for (i = 0; i < (bits + 31) / 32; i++)
		mthd(p, data + i % most * 4, ink_word(i, cga6));
}

static void test_bitmap(int fd, uint32_t format, bool cga6)
{
	static const int all[] = { 0, 0, SIDE, SIDE };
	struct picture p;
	uint32_t zero;

	picture_init(&p, fd, format);
	zero = solid_color(&p, 5);
	/* The chip keeps this one at 10 bits a component (rnndb, BITMAP_COLOR_0). */
	if (format == Y16)
		zero &= 0xffc0;
	picture_object(&p, NV3_CLASS_BITMAP, formats[format].color,
		       cga6 ? DRM_NV3_GRAPH_MONO_CGA6 : 0, 0);
	mthd(&p, NV3_BITMAP_COLOR_0, zero);
	mthd(&p, NV3_BITMAP_COLOR_1, solid_color(&p, 6));
	mthd(&p, NV3_BITMAP_POINT, yx(3, 2));
	mthd(&p, NV3_BITMAP_SIZE_OUT, yx(29, 45));
	mthd(&p, NV3_BITMAP_SIZE_IN, yx(29, 48));
	push_ink(&p, NV3_BITMAP_DATA(0), 48 * 29, 32, cga6);
	want_ink(&p, 2, 3, 48, 45, 29, all, solid_color(&p, 6), zero);
	picture_check(&p);
	picture_fini(&p);
}

/* One colour and one size (C), one colour and two sizes (D), two of each (E). */
static void test_gdi_text(int fd, uint32_t format)
{
	static const int clip_c[] = { 4, 2, 50, 17 }, clip_d[] = { 0, 20, 64, 40 };
	static const int clip_e[] = { 10, 41, 60, 64 };
	struct picture p;

	picture_init(&p, fd, format);
	picture_object(&p, NV3_CLASS_GDI, formats[format].color, 0, 0);

	mthd(&p, NV3_GDI_C_CLIP_0, yx(clip_c[1], clip_c[0]));
	mthd(&p, NV3_GDI_C_CLIP_1, yx(clip_c[3], clip_c[2]));
	mthd(&p, NV3_GDI_C_COLOR, solid_color(&p, 7));
	mthd(&p, NV3_GDI_C_SIZE, yx(18, 56));
	mthd(&p, NV3_GDI_C_POINT, yx(1, 1));
	push_ink(&p, NV3_GDI_C_DATA(0), 18 * 56, 128, false);
	want_ink(&p, 1, 1, 56, 56, 18, clip_c, solid_color(&p, 7), 0);

	mthd(&p, NV3_GDI_D_CLIP_0, yx(clip_d[1], clip_d[0]));
	mthd(&p, NV3_GDI_D_CLIP_1, yx(clip_d[3], clip_d[2]));
	mthd(&p, NV3_GDI_D_COLOR, solid_color(&p, 8));
	mthd(&p, NV3_GDI_D_SIZE_IN, yx(18, 64));
	mthd(&p, NV3_GDI_D_SIZE_OUT, yx(16, 50));
	mthd(&p, NV3_GDI_D_POINT, yx(21, 5));
	push_ink(&p, NV3_GDI_D_DATA(0), 18 * 64, 128, false);
	want_ink(&p, 5, 21, 64, 50, 16, clip_d, solid_color(&p, 8), 0);

	mthd(&p, NV3_GDI_E_CLIP_0, yx(clip_e[1], clip_e[0]));
	mthd(&p, NV3_GDI_E_CLIP_1, yx(clip_e[3], clip_e[2]));
	mthd(&p, NV3_GDI_E_COLOR_0, solid_color(&p, 9));
	mthd(&p, NV3_GDI_E_COLOR_1, solid_color(&p, 10));
	mthd(&p, NV3_GDI_E_SIZE_IN, yx(30, 32));
	mthd(&p, NV3_GDI_E_SIZE_OUT, yx(30, 27));
	mthd(&p, NV3_GDI_E_POINT, yx(40, 8));
	push_ink(&p, NV3_GDI_E_DATA(0), 30 * 32, 128, false);
	want_ink(&p, 8, 40, 32, 27, 30, clip_e, solid_color(&p, 10),
		 solid_color(&p, 9));
	picture_check(&p);
	picture_fini(&p);
}

/* ---- images ---- */

static uint32_t color_bytes(uint32_t color_format)
{
	switch (color_format) {
	case DRM_NV3_COLOR_Y8:
		return 1;
	case DRM_NV3_COLOR_X1R5G5B5:
		return 2;
	default:
		return 4;
	}
}

/* pattern() of @w columns as method data: packed, no padding. */
static void push_pixels(struct picture *p, uint32_t data, uint32_t most,
			uint32_t w, uint32_t h, uint32_t color_format)
{
	uint32_t per_word = 4 / color_bytes(color_format), i, j, word;

	for (i = 0; i < w * h; i += per_word) {
		word = 0;
		for (j = 0; j < per_word; j++)
			word |= pattern((i + j) % w, (i + j) / w, color_format)
				<< (32 / per_word * j);
		mthd(p, data + i / per_word % most * 4, word);
	}
}

static void test_ifc(int fd, uint32_t format, uint32_t color_format)
{
	struct picture p;
	int x, y;

	picture_init(&p, fd, format);
	picture_object(&p, NV3_CLASS_IFC, color_format, 0, 0);
	mthd(&p, NV3_IFC_POINT, yx(20, 10));
	mthd(&p, NV3_IFC_SIZE_OUT, yx(29, 31));
	mthd(&p, NV3_IFC_SIZE_IN, yx(29, 36));
	push_pixels(&p, NV3_IFC_DATA(0), 32, 36, 29, color_format);
	for (y = 0; y < 29; y++) {
		for (x = 0; x < 31; x++)
			want_pixel(&p, 10 + x, 20 + y, converted(&p, x, y));
	}
	picture_check(&p);
	picture_fini(&p);
}

/* A pixel of a stretched image covers what has its left and top edge in it. */
static int stretched_from(int at, double start, double step, int count)
{
	double n = floor((at - start) / step);

	return n >= 0 && n < count ? n : -1;
}

static void test_sifc(int fd, uint32_t format, uint32_t color_format,
		      double dx, double dy)
{
	const double left = 3.25, top = 5.5;
	struct picture p;
	int x, y;

	picture_init(&p, fd, format);
	picture_object(&p, NV3_CLASS_SIFC, color_format, 0, 0);
	mthd(&p, NV3_SIFC_SIZE_IN, yx(11, 16));
	mthd(&p, NV3_SIFC_DX_DU, dx * (1 << 20));
	mthd(&p, NV3_SIFC_DY_DV, dy * (1 << 20));
	mthd(&p, NV3_SIFC_CLIP_POINT, yx(2, 4));
	mthd(&p, NV3_SIFC_CLIP_SIZE, yx(50, 55));
	mthd(&p, NV3_SIFC_POINT, yx(top * 16, left * 16));
	push_pixels(&p, NV3_SIFC_DATA(0), 1792, 16, 11, color_format);
	for (y = 2; y < 52; y++) {
		for (x = 4; x < 59; x++) {
			int u = stretched_from(x, left, dx, 16);
			int v = stretched_from(y, top, dy, 11);

			if (u >= 0 && v >= 0)
				want_pixel(&p, x, y, converted(&p, u, v));
		}
	}
	picture_check(&p);
	picture_fini(&p);
}

/* ---- SIFM ---- */

#define SOURCE_W	48
#define SOURCE_H	40
#define SOURCE_PITCH	256
#define SOURCE_OFFSET	100	/* of the image in its DMA object */

static void put_pixel(uint8_t *map, uint32_t x, uint32_t y, uint32_t bytes,
		      uint32_t value)
{
	memcpy(map + SOURCE_OFFSET + y * SOURCE_PITCH + x * bytes, &value,
	       bytes);
}

/* The source: pattern(), in @domain. */
static struct igt_nv3_bo sifm_source(struct picture *p, uint32_t color_format,
				     uint32_t domain)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(p->fd, 16384, domain);
	uint32_t x, y;

	memset(bo.map, 0x55, bo.size);
	for (y = 0; y < SOURCE_H; y++) {
		for (x = 0; x < SOURCE_W; x++)
			put_pixel(bo.map, x, y, color_bytes(color_format),
				  pattern(x, y, color_format));
	}
	igt_nv3_dma(p->fd, p->channel, DMA, &bo, 0);
	igt_nv3_use(&p->batch, &bo, NV3_READ);
	picture_object(p, NV3_CLASS_SIFM, color_format, 0, DMA);
	return bo;
}

struct stretch {
	int x, y, w, h;		/* on the picture */
	double u, v;		/* of its first pixel in the source */
	double du, dv;		/* for each pixel */
};

static void push_sifm(struct picture *p, const struct stretch *s,
		      uint32_t pitch, uint32_t offset)
{
	mthd(p, NV3_SIFM_CLIP_POINT, yx(s->y, s->x));
	mthd(p, NV3_SIFM_CLIP_SIZE, yx(s->h, s->w));
	mthd(p, NV3_SIFM_POINT, yx(s->y, s->x));
	mthd(p, NV3_SIFM_SIZE_OUT, yx(s->h, s->w));
	mthd(p, NV3_SIFM_DU_DX, s->du * (1 << 20));
	mthd(p, NV3_SIFM_DV_DY, s->dv * (1 << 20));
	mthd(p, NV3_SIFM_SIZE_IN, yx(SOURCE_H, SOURCE_W));
	mthd(p, NV3_SIFM_PITCH, pitch);
	mthd(p, NV3_SIFM_OFFSET(0), offset);
}

/* The source's pixels under it, the last one going on beyond the edge. */
static int sifm_from(int n, double start, double step, int count)
{
	int from = floor(start + n * step);

	return from < 0 ? 0 : from >= count ? count - 1 : from;
}

static void test_sifm(int fd, uint32_t format, uint32_t color_format,
		      uint32_t domain, const struct stretch *s)
{
	struct picture p;
	struct igt_nv3_bo source;
	int x, y;

	picture_init(&p, fd, format);
	source = sifm_source(&p, color_format, domain);
	push_sifm(&p, s, SOURCE_PITCH, SOURCE_OFFSET);
	mthd(&p, NV3_SIFM_SOURCE, yx(s->v * 16, s->u * 16));
	for (y = 0; y < s->h; y++) {
		for (x = 0; x < s->w; x++) {
			int u = sifm_from(x, s->u, s->du, SOURCE_W);
			int v = sifm_from(y, s->v, s->dv, SOURCE_H);

			want_pixel(&p, s->x + x, s->y + y,
				   converted(&p, u, v));
		}
	}
	picture_check(&p);
	igt_nv3_bo_destroy(&source);
	picture_fini(&p);
}

static const struct stretch as_it_is = { 5, 7, 40, 33, 2, 1, 1, 1 };

/* 24 bits to 15: each component is one of the two nearest below and above. */
static void test_sifm_dither(int fd)
{
	struct picture p;
	struct igt_nv3_bo source;
	int x, y, shift;

	picture_init(&p, fd, X1R5G5B5);
	source = sifm_source(&p, DRM_NV3_COLOR_X8R8G8B8, DRM_NV3_GEM_SYSTEM);
	for (y = 0; y < SOURCE_H; y++) {
		for (x = 0; x < SOURCE_W; x++)
			put_pixel(source.map, x, y, 4, full_pattern(x, y));
	}
	push_sifm(&p, &(struct stretch) { .w = SOURCE_W, .h = SOURCE_H,
					  .du = 1, .dv = 1 },
		  SOURCE_PITCH, SOURCE_OFFSET);
	mthd(&p, NV3_SIFM_SOURCE, 0);
	igt_nv3_run_ok(&p.batch);
	for (y = 0; y < SOURCE_H; y++) {
		for (x = 0; x < SOURCE_W; x++) {
			for (shift = 0; shift < 3; shift++) {
				int got = pixel(&p, x, y) >> 5 * shift & 31;
				int want = full_pattern(x, y) >> 8 * shift &
					   0xff;

				igt_assert(got == want / 8 ||
					   (want % 8 && got == want / 8 + 1));
			}
		}
	}
	igt_nv3_bo_destroy(&source);
	picture_fini(&p);
}

/* Recommendation ITU-R BT.601, studio swing. */
static void yuv_to_rgb(int y, int u, int v, double rgb[3])
{
	double l = (y - 16) * 255.0 / 219, cb = (u - 128) * 255.0 / 224;
	double cr = (v - 128) * 255.0 / 224;
	int i;

	rgb[0] = l + 1.402 * cr;
	rgb[1] = l - 0.344136 * cb - 0.714136 * cr;
	rgb[2] = l + 1.772 * cb;
	for (i = 0; i < 3; i++)
		rgb[i] = fmin(fmax(rgb[i], 0), 255);
}

static uint8_t luma(uint32_t x, uint32_t y)
{
	return 16 + (x * 5 + y * 3) % 220;
}

static uint8_t chroma(uint32_t x, uint32_t y, uint32_t which)
{
	return 40 + (x / 2 * (9 + which * 4) + y / 2 * 5) % 170;
}

static void put_yuv(uint8_t *map, uint32_t color_format, uint32_t x, uint32_t y)
{
	uint8_t *at = map + SOURCE_OFFSET + y * SOURCE_PITCH;
	bool luma_first = color_format == DRM_NV3_COLOR_YUYV;

	if (color_format != DRM_NV3_COLOR_YUV_PLANES) {
		at[2 * x + !luma_first] = luma(x, y);
		/* Packed, every line has colours of its own: the same here. */
		at[2 * x + luma_first] = chroma(x, y, x & 1);
		return;
	}
	map[y * 64 + x] = luma(x, y);
	map[4096 + y / 2 * 32 + x / 2] = chroma(x, y, 0);
	map[8192 + y / 2 * 32 + x / 2] = chroma(x, y, 1);
}

static void test_sifm_yuv(int fd, uint32_t color_format)
{
	bool planes = color_format == DRM_NV3_COLOR_YUV_PLANES;
	struct picture p;
	struct igt_nv3_bo source;
	int x, y, i;

	picture_init(&p, fd, X8R8G8B8);
	source = sifm_source(&p, color_format, DRM_NV3_GEM_SYSTEM);
	for (y = 0; y < SOURCE_H; y++) {
		for (x = 0; x < SOURCE_W; x++)
			put_yuv(source.map, color_format, x, y);
	}
	push_sifm(&p, &(struct stretch) { .w = SOURCE_W, .h = SOURCE_H,
					  .du = 1, .dv = 1 },
		  planes ? 32 << 16 | 64 : SOURCE_PITCH,
		  planes ? 0 : SOURCE_OFFSET);
	if (planes) {
		mthd(&p, NV3_SIFM_OFFSET(1), 4096);
		mthd(&p, NV3_SIFM_OFFSET(2), 8192);
	}
	mthd(&p, planes ? NV3_SIFM_SOURCE_PLANES : NV3_SIFM_SOURCE, 0);
	igt_nv3_run_ok(&p.batch);
	for (y = 0; y < SOURCE_H; y++) {
		for (x = 0; x < SOURCE_W; x++) {
			double want[3];

			yuv_to_rgb(luma(x, y), chroma(x, y, 0),
				   chroma(x, y, 1), want);
			for (i = 0; i < 3; i++) {
				int got = pixel(&p, x, y) >> (16 - 8 * i) & 255;

				igt_assert_f(fabs(got - want[i]) <= 2,
					     "pixel %d,%d: %d is %d, not %f\n",
					     x, y, i, got, want[i]);
			}
		}
	}
	igt_nv3_bo_destroy(&source);
	picture_fini(&p);
}

/* ---- ITM, BLIT ---- */

static void paint(struct picture *p)
{
	uint32_t x, y, value;

	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			value = converted(p, x, y);
			memcpy((uint8_t *)p->bo.map + (y * SIDE + x) * p->cpp,
			       &value, p->cpp);
			p->want[y * SIDE + x] = value;
		}
	}
}

static void test_itm(int fd, uint32_t format, uint32_t domain)
{
	const uint32_t x = 9, y = 14, w = 30, h = 25, pitch = 192, start = 52;
	struct picture p;
	struct igt_nv3_bo out;
	uint8_t *bytes, *pixels;
	uint32_t i;

	picture_init(&p, fd, format);
	paint(&p);
	out = igt_nv3_bo_create(fd, 8192, domain);
	memset(out.map, 0xee, out.size);
	igt_nv3_dma(fd, p.channel, DMA, &out, DRM_NV3_DMA_WRITE);
	igt_nv3_use(&p.batch, &out, NV3_READ | NV3_WRITE);
	picture_object(&p, NV3_CLASS_ITM, formats[format].color, 0, DMA);
	mthd(&p, NV3_ITM_POINT, yx(y, x));
	mthd(&p, NV3_ITM_SIZE, yx(h, w));
	mthd(&p, NV3_ITM_PITCH, pitch);
	mthd(&p, NV3_ITM_OFFSET, start);
	picture_check(&p);
	bytes = out.map;
	pixels = p.bo.map;
	for (i = 0; i < out.size; i++) {
		uint32_t line = (i - start) / pitch, at = (i - start) % pitch;
		bool in = i >= start && line < h && at < w * p.cpp;
		uint8_t want = in ? pixels[(y + line) * SIDE * p.cpp +
					   x * p.cpp + at] : 0xee;

		igt_assert_f(bytes[i] == want, "byte %u is %02x, not %02x\n", i,
			     bytes[i], want);
	}
	igt_nv3_bo_destroy(&out);
	picture_fini(&p);
}

static void test_blit(int fd, uint32_t format)
{
	struct picture p;
	int x, y;

	picture_init(&p, fd, format);
	paint(&p);
	picture_object(&p, NV3_CLASS_BLIT, formats[format].color, 0, 0);
	mthd(&p, NV3_BLIT_POINT_IN, yx(3, 2));
	mthd(&p, NV3_BLIT_POINT_OUT, yx(12, 17));
	mthd(&p, NV3_BLIT_SIZE, yx(30, 25));
	for (y = 0; y < 30; y++) {
		for (x = 0; x < 25; x++)
			want_pixel(&p, 17 + x, 12 + y,
				   converted(&p, 2 + x, 3 + y));
	}
	picture_check(&p);
	picture_fini(&p);
}

/* ---- ZPOINT ---- */

static uint32_t zpoint_config(uint32_t func)
{
	return func << NV3_D3D_CONFIG_Z_FUNC_SHIFT |
	       NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_Z_WRITE_SHIFT |
	       NV3_D3D_WRITE_Z << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT;
}

static bool nearer(uint32_t func, uint32_t z, uint32_t old)
{
	bool pass[] = {
		false, false, z < old, z == old, z <= old, z > old, z != old,
		z >= old, true,
	};

	return pass[func];
}

/* A line of points for each comparison, on depths before, at and behind them. */
static void test_zpoint(int fd)
{
	struct igt_nv3_bo zeta;
	struct picture p;
	uint16_t *depths;
	uint32_t func, x;

	picture_init(&p, fd, X1R5G5B5);
	zeta = igt_nv3_bo_create(fd, SIDE * SIDE * 2, DRM_NV3_GEM_VRAM);
	depths = zeta.map;
	for (x = 0; x < SIDE * SIDE; x++)
		depths[x] = 0x8000;
	igt_nv3_surface(fd, p.channel, ZETA, DRM_NV3_SURFACE_ZETA,
			DRM_NV3_FORMAT_Y16, &zeta, SIDE * 2, SIDE, SIDE);
	igt_nv3_use(&p.batch, &zeta, NV3_READ | NV3_WRITE);
	igt_nv3_select(&p.batch, SUB_SURFACE, ZETA);
	picture_object(&p, NV3_CLASS_ZPOINT, DRM_NV3_COLOR_X8R8G8B8,
		       DRM_NV3_GRAPH_ZETA, 0);
	mthd(&p, NV3_ZPOINT_ALPHA, NV3_D3D_CMP_ALWAYS << 8);
	for (func = NV3_D3D_CMP_NEVER; func <= NV3_D3D_CMP_ALWAYS; func++) {
		mthd(&p, NV3_ZPOINT_CONFIG, zpoint_config(func));
		mthd(&p, NV3_ZPOINT_POINT, yx(func, 5));
		for (x = 0; x < 48; x++) {
			uint32_t z = 0x7ffe + x % 5;

			mthd(&p, NV3_ZPOINT_COLOR(x), pattern(x, func,
				DRM_NV3_COLOR_X8R8G8B8));
			mthd(&p, NV3_ZPOINT_ZETA(x), z << 16);
			if (nearer(func, z, 0x8000))
				want_pixel(&p, 5 + x, func,
					   converted(&p, x, func));
		}
	}
	picture_check(&p);
	for (func = NV3_D3D_CMP_NEVER; func <= NV3_D3D_CMP_ALWAYS; func++) {
		for (x = 0; x < 48; x++) {
			uint32_t z = 0x7ffe + x % 5;

			igt_assert_eq(depths[func * SIDE + 5 + x],
				      nearer(func, z, 0x8000) ? z : 0x8000);
		}
	}
	igt_nv3_bo_destroy(&zeta);
	picture_fini(&p);
}

/* ---- all of them ---- */

/* What draws in one colour takes any surface, of pixels as its own. */
static void solid_subtests(int fd, uint32_t f)
{
	const char *name = formats[f].name;

	igt_describe("Points by 16 and 32 bits a coordinate, and each in its colour.");
	igt_subtest_f("point-%s", name)
		test_point(fd, f);

	igt_describe("Lines in every direction, with both of their ends.");
	igt_subtest_f("line-%s", name)
		test_line(fd, f, NV3_CLASS_LINE);

	igt_describe("Lins, which leave the second end out.");
	igt_subtest_f("lin-%s", name)
		test_line(fd, f, NV3_CLASS_LIN);

	igt_describe("Connected lines.");
	igt_subtest_f("polyline-%s", name)
		test_polyline(fd, f, NV3_CLASS_LINE);

	igt_describe("Connected lins.");
	igt_subtest_f("polylin-%s", name)
		test_polyline(fd, f, NV3_CLASS_LIN);

	igt_describe("Triangles that share edges, leave the canvas, or have no inside.");
	igt_subtest_f("tri-%s", name)
		test_triangle(fd, f);

	igt_describe("A strip of triangles.");
	igt_subtest_f("tri-strip-%s", name)
		test_strip(fd, f);

	igt_describe("A bitmap in two colours.");
	igt_subtest_f("bitmap-%s", name)
		test_bitmap(fd, f, false);

	igt_describe("A copy from one place to another.");
	igt_subtest_f("blit-%s", name)
		test_blit(fd, f);

	/* Of Y16 surfaces hardware can't draw text to, or read (docs/chip-pgraph.md). */
	if (f == Y16)
		return;
	igt_describe("Rectangles as Windows draws them, without and with a clip.");
	igt_subtest_f("gdi-rect-%s", name)
		test_gdi_rect(fd, f);

	igt_describe("Text: bitmaps in one and two colours, cut to size and clip.");
	igt_subtest_f("gdi-text-%s", name)
		test_gdi_text(fd, f);

	igt_describe("A part of a surface to system memory.");
	igt_subtest_f("itm-%s", name)
		test_itm(fd, f, DRM_NV3_GEM_SYSTEM);
}

/* Images of each kind of pixel, to surfaces of 16 and of 32 bits. */
static void image_subtests(int fd, uint32_t f)
{
	static const struct stretch doubled = { 0, 0, 64, 64, 3.5, 2.25, 0.5, 0.5 };
	static const struct stretch shrunk = { 9, 3, 20, 30, 0, 0, 2.375, 1.25 };
	static const struct {
		const char *name;
		uint32_t format;
	} from[] = {
		{ "x1r5g5b5", DRM_NV3_COLOR_X1R5G5B5 },
		{ "x8r8g8b8", DRM_NV3_COLOR_X8R8G8B8 },
		{ "x2r10g10b10", DRM_NV3_COLOR_X2R10G10B10 },
	};
	const char *name = formats[f].name;
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(from); i++) {
		uint32_t color = from[i].format;

		igt_describe("An image sent word by word, converted on the way.");
		igt_subtest_f("ifc-%s-to-%s", from[i].name, name)
			test_ifc(fd, f, color);

		igt_describe("The same, each pixel made larger.");
		igt_subtest_f("sifc-%s-to-%s", from[i].name, name)
			test_sifc(fd, f, color, 3.25, 4.5);

		igt_describe("An image in system memory, converted on the way.");
		igt_subtest_f("sifm-%s-to-%s", from[i].name, name)
			test_sifm(fd, f, color, DRM_NV3_GEM_SYSTEM, &as_it_is);

		igt_describe("The same from VRAM.");
		igt_subtest_f("sifm-vram-%s-to-%s", from[i].name, name)
			test_sifm(fd, f, color, DRM_NV3_GEM_VRAM, &as_it_is);

		igt_describe("Enlarged, beginning within a pixel.");
		igt_subtest_f("sifm-large-%s-to-%s", from[i].name, name)
			test_sifm(fd, f, color, DRM_NV3_GEM_SYSTEM, &doubled);

		igt_describe("Made smaller, by another ratio each way.");
		igt_subtest_f("sifm-small-%s-to-%s", from[i].name, name)
			test_sifm(fd, f, color, DRM_NV3_GEM_SYSTEM, &shrunk);
	}
}

int igt_main()
{
	uint32_t f;
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	for (f = 0; f < ARRAY_SIZE(formats); f++)
		solid_subtests(fd, f);
	image_subtests(fd, X1R5G5B5);
	image_subtests(fd, X8R8G8B8);

	igt_describe("Bits of a bitmap in the other order.");
	igt_subtest("bitmap-cga6")
		test_bitmap(fd, X1R5G5B5, true);

	igt_describe("An image sent word by word that begins between pixels, not stretched.");
	igt_subtest("sifc-1")
		test_sifc(fd, X1R5G5B5, DRM_NV3_COLOR_X1R5G5B5, 1, 1);

	igt_describe("24 bits a pixel come to 15 by going up or down, not further.");
	igt_subtest("sifm-dither")
		test_sifm_dither(fd);

	igt_describe("Video, Y first.");
	igt_subtest("sifm-yuyv")
		test_sifm_yuv(fd, DRM_NV3_COLOR_YUYV);

	igt_describe("Video, Y second.");
	igt_subtest("sifm-uyvy")
		test_sifm_yuv(fd, DRM_NV3_COLOR_UYVY);

	igt_describe("Video in three planes.");
	igt_subtest("sifm-planes")
		test_sifm_yuv(fd, DRM_NV3_COLOR_YUV_PLANES);

	igt_describe("A part of a surface to VRAM.");
	igt_subtest("itm-vram")
		test_itm(fd, X8R8G8B8, DRM_NV3_GEM_VRAM);

	igt_describe("Points with depth, by every comparison.");
	igt_subtest("zpoint")
		test_zpoint(fd);

	igt_fixture()
		drm_close_driver(fd);
}
