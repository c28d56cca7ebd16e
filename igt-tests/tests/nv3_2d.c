/* SPDX-License-Identifier: MIT */
/*
 * Draws with each 2D class on each kind of surface that the class supports, and compares the result
 * with a picture that the test computes. The rules that determine the pixels of a line or triangle
 * are from docs/hw/graph/2d/solid.rst in envytools. The test shares no drawing code with the device
 * or the driver.
 */
#include "igt.h"
#include "nv3_picture.h"

IGT_TEST_DESCRIPTION("2D classes, compared pixel by pixel with computed pictures.");

static uint32_t xy(int x, int y)
{
	return yx(x, y);
}

/* ---- expected pictures ---- */

static void want_rect(struct picture *p, int x, int y, int w, int h,
		      uint32_t color)
{
	int i, j;

	for (j = 0; j < h; j++) {
		for (i = 0; i < w; i++)
			want_pixel(p, x + i, y + j, color);
	}
}

/* Returns the largest integer that is not above a / b. b is positive. */
static int floor_div(int a, int b)
{
	return a / b - (a % b < 0);
}

/*
 * Draws one pixel for each step along the major axis. If two pixels are equally close to the line,
 * the pixel with the larger minor coordinate is drawn. The pixel at the end of the line, (x1, y1),
 * is drawn only if @last is true.
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

/*
 * Returns 1 if the pixel (x, y) is to the right of the line, as seen in the direction from @a to
 * @b, or -1 if it is to the left. A pixel on the line belongs to the side of its right neighbour.
 * If the right neighbour is also on the line, the pixel belongs to the side of the neighbour below.
 */
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

/*
 * Each line connects (31, 32) with one of these points, which are near or beyond an edge of the
 * canvas. Lines with an even index end at (31, 32), and lines with an odd index start there.
 */
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

/*
 * In a polyline, each line starts at the end of the previous line. The methods POLY and POLY32 draw
 * all lines in the object's colour. With the method CPOLY, each line has its own colour.
 */
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
		/* has an edge in common with the first triangle */
		{ { 10, 30 }, { 40, 5 }, { 63, 63 } },
		{ { 60, 10 }, { 40, 5 }, { 63, 63 } },	/* has the opposite winding */
		{ { -30, 40 }, { 20, 40 }, { 5, 90 } },
		{ { 5, 5 }, { 5, 5 }, { 30, 30 } },	/* has no area */
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

/*
 * Draws a triangle, and a strip that begins with the last two vertices of this triangle. The first
 * two triangles of the strip have the colour of the single triangle. The later triangles are drawn
 * with the method CSTRIP, and each has its own colour.
 */
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

/* Returns true if pixel @n is set in the bitmap that the tests draw. */
static bool ink(uint32_t n)
{
	return (n * 2654435761u) >> 29 & 1 || n % 7 == 0;
}

/*
 * Returns word @i of the bitmap. Pixel n of the word is bit n. If @cga6 is true, the bits of each
 * byte are in reverse order.
 */
static uint32_t ink_word(uint32_t i, bool cga6)
{
	uint32_t word = 0, n;

	for (n = 0; n < 32; n++)
		word |= (uint32_t)ink(i * 32 + n) << (cga6 ? n ^ 7 : n);
	return word;
}

/*
 * Sets the expected pixels of a bitmap that is drawn at @x, @y. The lines of the bitmap have @in_w
 * pixels and no padding between them.
 */
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
		     uint32_t max, bool cga6)
{
	uint32_t i;

	for (i = 0; i < (bits + 31) / 32; i++)
		mthd(p, data + i % max * 4, ink_word(i, cga6));
}

static void test_bitmap(int fd, uint32_t format, bool cga6)
{
	static const int all[] = { 0, 0, SIDE, SIDE };
	struct picture p;
	uint32_t zero;

	picture_init(&p, fd, format);
	zero = solid_color(&p, 5);
	/* The chip stores this colour with 10 bits per component (rnndb, BITMAP_COLOR_0). */
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

/*
 * Interface C of class GDI draws a bitmap in one colour, and its data and output have the same
 * size. Interface D has separate sizes for data and output. Interface E also has a second colour.
 */
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

/*
 * Draws a row of points for each comparison function. Each row has points whose depth is smaller
 * than, equal to, or larger than the stored depth.
 */
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

/* ---- all classes ---- */

/*
 * Declares the subtests for surfaces of format formats[@f]. The colours in the methods' arguments
 * have the pixel format of the surface.
 */
static void solid_subtests(int fd, uint32_t f)
{
	const char *name = formats[f].name;

	igt_describe("Points with 16 and 32 bits per coordinate, and with a colour each.");
	igt_subtest_f("point-%s", name)
		test_point(fd, f);

	igt_describe("Lines in every direction, including both ends.");
	igt_subtest_f("line-%s", name)
		test_line(fd, f, NV3_CLASS_LINE);

	igt_describe("Lins, which exclude the second end.");
	igt_subtest_f("lin-%s", name)
		test_line(fd, f, NV3_CLASS_LIN);

	igt_describe("Connected lines.");
	igt_subtest_f("polyline-%s", name)
		test_polyline(fd, f, NV3_CLASS_LINE);

	igt_describe("Connected lins.");
	igt_subtest_f("polylin-%s", name)
		test_polyline(fd, f, NV3_CLASS_LIN);

	igt_describe("Triangles that share edges, leave the canvas, or have no area.");
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

	/* Class GDI can't draw to Y16 surfaces, and class ITM can't read them. */
	if (f == Y16)
		return;
	igt_describe("GDI rectangles, without and with a clip.");
	igt_subtest_f("gdi-rect-%s", name)
		test_gdi_rect(fd, f);

	igt_describe("Text: bitmaps in one and two colours, clipped to size and clip.");
	igt_subtest_f("gdi-text-%s", name)
		test_gdi_text(fd, f);

	igt_describe("A copy of a part of a surface to system memory.");
	igt_subtest_f("itm-%s", name)
		test_itm(fd, f, DRM_NV3_GEM_SYSTEM);
}

int igt_main()
{
	uint32_t f;
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	for (f = 0; f < FORMATS; f++)
		solid_subtests(fd, f);

	igt_describe("Bitmaps with the other order of bits.");
	igt_subtest("bitmap-cga6")
		test_bitmap(fd, X1R5G5B5, true);

	igt_describe("A copy of a part of a surface to VRAM.");
	igt_subtest("itm-vram")
		test_itm(fd, X8R8G8B8, DRM_NV3_GEM_VRAM);

	igt_describe("Points with depth, with every comparison.");
	igt_subtest("zpoint")
		test_zpoint(fd);

	igt_fixture()
		drm_close_driver(fd);
}
