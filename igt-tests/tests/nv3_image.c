/* SPDX-License-Identifier: MIT */
/*
 * Draws images and compares the results with pictures that the test computes. The chip receives the
 * images as arguments of methods, or reads them from memory. It converts the pixel format of each
 * image, and scales the image.
 */
#include <math.h>

#include "igt.h"
#include "nv3_picture.h"

IGT_TEST_DESCRIPTION("IFC, SIFC and SIFM: images in each pixel format, compared pixel by pixel.");

/* Returns a colour of 24 bits, for tests of dithering to 15 bits. */
static uint32_t full_pattern(uint32_t x, uint32_t y)
{
	return ((x * 4 + y) & 0xff) << 16 | ((y * 4 + 3 * x) & 0xff) << 8 |
	       ((x * 11 + y * 7) & 0xff);
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

/*
 * Adds the methods for an image with @h lines of @w pixels of pattern(), without padding between
 * lines.
 */
static void push_pixels(struct picture *p, uint32_t data, uint32_t max,
			uint32_t w, uint32_t h, uint32_t color_format)
{
	uint32_t per_word = 4 / color_bytes(color_format), i, j, word;

	for (i = 0; i < w * h; i += per_word) {
		word = 0;
		for (j = 0; j < per_word; j++)
			word |= pattern((i + j) % w, (i + j) / w, color_format)
				<< (32 / per_word * j);
		mthd(p, data + i / per_word % max * 4, word);
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

/*
 * Returns the coordinate of the source pixel that contains the top left corner of the output pixel
 * at @at. Returns -1 if the corner is outside the image.
 */
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
#define SOURCE_OFFSET	100	/* offset of the image in its DMA object, in bytes */

static void put_pixel(uint8_t *map, uint32_t x, uint32_t y, uint32_t bytes,
		      uint32_t value)
{
	memcpy(map + SOURCE_OFFSET + y * SOURCE_PITCH + x * bytes, &value,
	       bytes);
}

/*
 * Creates a source image in @domain with the pixels of pattern(), and an object of class SIFM that
 * reads the image.
 */
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
	int x, y, w, h;		/* area on the destination */
	double u, v;		/* position of the first pixel in the source */
	double du, dv;		/* increment per pixel */
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

/*
 * Returns the coordinate of the source pixel for output pixel @n, clamped to the range from 0 to
 * @count - 1.
 */
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

/* Dithering from 24 to 15 bits may round each component up or down. */
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
				int got = picture_pixel(&p, x, y) >> 5 * shift & 31;
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

/* Converts a YUV colour to RGB according to ITU-R BT.601 with limited range. */
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
		/*
		 * In a packed format, each line has its own chroma values. In this image, both
		 * lines of a pair have the same values.
		 */
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
				int got = picture_pixel(&p, x, y) >> (16 - 8 * i) & 255;

				igt_assert_f(fabs(got - want[i]) <= 2,
					     "pixel %d,%d: %d is %d, not %f\n",
					     x, y, i, got, want[i]);
			}
		}
	}
	igt_nv3_bo_destroy(&source);
	picture_fini(&p);
}

/* Declares the subtests that draw images of each pixel format to surfaces of format formats[@f]. */
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

		igt_describe("An image, word by word, with conversion.");
		igt_subtest_f("ifc-%s-to-%s", from[i].name, name)
			test_ifc(fd, f, color);

		igt_describe("An image, word by word, enlarged.");
		igt_subtest_f("sifc-%s-to-%s", from[i].name, name)
			test_sifc(fd, f, color, 3.25, 4.5);

		igt_describe("An image in system memory, with conversion.");
		igt_subtest_f("sifm-%s-to-%s", from[i].name, name)
			test_sifm(fd, f, color, DRM_NV3_GEM_SYSTEM, &as_it_is);

		igt_describe("An image in VRAM, with conversion.");
		igt_subtest_f("sifm-vram-%s-to-%s", from[i].name, name)
			test_sifm(fd, f, color, DRM_NV3_GEM_VRAM, &as_it_is);

		igt_describe("An enlarged image that starts within a pixel.");
		igt_subtest_f("sifm-large-%s-to-%s", from[i].name, name)
			test_sifm(fd, f, color, DRM_NV3_GEM_SYSTEM, &doubled);

		igt_describe("A reduced image with different horizontal and vertical ratios.");
		igt_subtest_f("sifm-small-%s-to-%s", from[i].name, name)
			test_sifm(fd, f, color, DRM_NV3_GEM_SYSTEM, &shrunk);
	}
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	image_subtests(fd, X1R5G5B5);
	image_subtests(fd, X8R8G8B8);

	igt_describe("An image, word by word, that starts between pixels, unscaled.");
	igt_subtest("sifc-1")
		test_sifc(fd, X1R5G5B5, DRM_NV3_COLOR_X1R5G5B5, 1, 1);

	igt_describe("24-bit colours are rounded up or down to 15 bits.");
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

	igt_fixture()
		drm_close_driver(fd);
}
