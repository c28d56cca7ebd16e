// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of display code that does not access the chip: the PLL, modes, formats, planes and
 * the cursor image. The tests run when the module is loaded into a kernel with KUnit.
 */

#include <kunit/test.h>

#include <linux/iosys-map.h>

#include <drm/drm_fourcc.h>
#include <drm/drm_modes.h>

#include "kms/nv3_cursor.h"
#include "kms/nv3_kms_priv.h"
#include "kms/nv3_mode.h"
#include "kms/nv3_overlay.h"
#include "kms/nv3_plane.h"
#include "kms/nv3_pll.h"
#include "nv3_regs.h"

static const u32 nv3_crystals[] = { 13500, 14318 };

/*
 * The frequency that nv3_pll_compute() finds differs from the requested frequency by at most half a
 * percent, the tolerance of VESA's timings.
 */
static void nv3_test_pll_near(struct kunit *test)
{
	struct nv3_pll pll;
	unsigned int i;
	u32 khz;

	for (i = 0; i < ARRAY_SIZE(nv3_crystals); i++) {
		for (khz = NV3_VPLL_MIN_KHZ; khz <= NV3_VPLL_MAX_KHZ; khz += 7) {
			KUNIT_ASSERT_EQ_MSG(test, 0,
					    nv3_pll_compute(nv3_crystals[i], khz, &pll),
					    "%u kHz", khz);
			KUNIT_ASSERT_LE_MSG(test, abs_diff(pll.khz, khz), khz / 200,
					    "%u kHz, made %u", khz, pll.khz);
		}
	}
}

/* nv3_pll.khz is the frequency that the register value generates: crystal * n / m >> p. */
static void nv3_test_pll_value(struct kunit *test)
{
	struct nv3_pll pll;
	unsigned int i;
	u32 khz, val, vco;

	for (i = 0; i < ARRAY_SIZE(nv3_crystals); i++) {
		for (khz = NV3_VPLL_MIN_KHZ; khz <= NV3_VPLL_MAX_KHZ; khz += 97) {
			KUNIT_ASSERT_EQ(test, 0,
					nv3_pll_compute(nv3_crystals[i], khz, &pll));
			val = nv3_pll_value(&pll);
			vco = nv3_crystals[i] *
			      ((val & NV3_PLL_N) >> NV3_PLL_N_SHIFT) /
			      (val & NV3_PLL_M);
			KUNIT_ASSERT_EQ(test, pll.khz,
					vco >> ((val & NV3_PLL_P) >> NV3_PLL_P_SHIFT));
			KUNIT_ASSERT_GE(test, vco, 128000);
			KUNIT_ASSERT_LE(test, vco, 256000);
		}
	}
}

/*
 * Tries all valid settings of the PLL. Returns the smallest difference, in kHz, between @khz and
 * the frequency of a setting.
 */
static u32 nv3_test_pll_nearest(u32 crystal_khz, u32 khz)
{
	const u32 m_min = crystal_khz == 13500 ? 7 : 8;
	u32 nearest = U32_MAX;
	u32 m, n, p, vco;

	for (m = m_min; m < m_min + 6; m++) {
		for (n = 1; n <= 255; n++) {
			vco = crystal_khz * n / m;
			if (vco < 128000 || vco > 256000)
				continue;
			for (p = 0; p <= 3; p++)
				nearest = min(nearest, abs_diff(vco >> p, khz));
		}
	}
	return nearest;
}

static void nv3_test_pll_best(struct kunit *test)
{
	struct nv3_pll pll;
	unsigned int i;
	u32 khz;

	for (i = 0; i < ARRAY_SIZE(nv3_crystals); i++) {
		for (khz = NV3_VPLL_MIN_KHZ; khz <= NV3_VPLL_MAX_KHZ; khz += 1499) {
			KUNIT_ASSERT_EQ(test, 0,
					nv3_pll_compute(nv3_crystals[i], khz, &pll));
			KUNIT_ASSERT_EQ_MSG(test, abs_diff(pll.khz, khz),
					    nv3_test_pll_nearest(nv3_crystals[i], khz),
					    "%u kHz, made %u", khz, pll.khz);
		}
	}
}

static void nv3_test_pll_range(struct kunit *test)
{
	static const u32 out[] = {
		0, 1, NV3_VPLL_MIN_KHZ - 1, NV3_VPLL_MAX_KHZ + 1, 1000000, U32_MAX,
	};
	struct nv3_pll pll;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(out); i++)
		KUNIT_EXPECT_EQ(test, -ERANGE, nv3_pll_compute(13500, out[i], &pll));
}

/* CEA-861's timing for 640x480 and VESA's timing for 1024x768. */
static const struct drm_display_mode nv3_mode_vga = {
	DRM_MODE("640x480", DRM_MODE_TYPE_DRIVER, 25175, 640, 656, 752, 800, 0,
		 480, 490, 492, 525, 0, 0)
};

static const struct drm_display_mode nv3_mode_xga = {
	DRM_MODE("1024x768", DRM_MODE_TYPE_DRIVER, 65000, 1024, 1048, 1184, 1344, 0,
		 768, 771, 777, 806, 0, 0)
};

static void nv3_test_mode_check(struct kunit *test)
{
	struct drm_display_mode mode = nv3_mode_vga;

	KUNIT_EXPECT_EQ(test, MODE_OK, nv3_mode_check(13500, &nv3_mode_vga));
	KUNIT_EXPECT_EQ(test, MODE_OK, nv3_mode_check(14318, &nv3_mode_xga));

	mode.hdisplay = 636;
	KUNIT_EXPECT_EQ(test, MODE_H_ILLEGAL, nv3_mode_check(13500, &mode));
	mode.hdisplay = NV3_MODE_MAX + 8;
	KUNIT_EXPECT_EQ(test, MODE_BAD_HVALUE, nv3_mode_check(13500, &mode));

	mode = nv3_mode_vga;
	mode.vdisplay = NV3_MODE_MAX + 1;
	KUNIT_EXPECT_EQ(test, MODE_BAD_VVALUE, nv3_mode_check(13500, &mode));

	mode = nv3_mode_vga;
	mode.clock = 1000;
	KUNIT_EXPECT_EQ(test, MODE_CLOCK_LOW, nv3_mode_check(13500, &mode));
	mode.clock = 400000;
	KUNIT_EXPECT_EQ(test, MODE_CLOCK_HIGH, nv3_mode_check(13500, &mode));
}

/* Variants of the timing of 640x480, each with the status that nv3_mode_check() must return. */
static const struct {
	u16 hsync_start, hsync_end, htotal;
	u16 vsync_end, vtotal;
	u16 vscan;
	u32 flags;
	enum drm_mode_status status;
} nv3_blanks[] = {
	{ 656, 752, 800, 492, 525, 0, DRM_MODE_FLAG_DBLSCAN, MODE_OK },
	{ 656, 752, 800, 492, 525, 0, DRM_MODE_FLAG_INTERLACE, MODE_NO_INTERLACE },
	{ 656, 752, 800, 492, 525, 2, 0, MODE_NO_VSCAN },
	/*
	 * The first mode has the longest sync pulses and blanking intervals that the registers can
	 * express. In each of the next four modes, one of these lengths is one unit too large.
	 */
	{ 656, 904, 1656, 505, 735, 0, 0, MODE_OK },
	{ 656, 912, 1656, 505, 735, 0, 0, MODE_HSYNC_WIDE },
	{ 656, 904, 1664, 505, 735, 0, 0, MODE_HBLANK_WIDE },
	{ 656, 904, 1656, 506, 735, 0, 0, MODE_VSYNC_WIDE },
	{ 656, 904, 1656, 505, 736, 0, 0, MODE_VBLANK_WIDE },
	/* With double scan, the chip counts each line of the mode as two lines. */
	{ 656, 752, 800, 498, 525, 0, DRM_MODE_FLAG_DBLSCAN, MODE_VSYNC_WIDE },
	/*
	 * nv3_mode_adjust() rounds a horizontal blanking interval of four pixels to eight, which
	 * leaves room for a sync pulse, and an interval of three pixels to 0.
	 */
	{ 640, 641, 644, 492, 525, 0, 0, MODE_OK },
	{ 640, 641, 643, 492, 525, 0, 0, MODE_HBLANK_NARROW },
};

static void nv3_test_mode_blanks(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nv3_blanks); i++) {
		struct drm_display_mode mode = nv3_mode_vga;

		mode.hsync_start = nv3_blanks[i].hsync_start;
		mode.hsync_end = nv3_blanks[i].hsync_end;
		mode.htotal = nv3_blanks[i].htotal;
		mode.vsync_end = nv3_blanks[i].vsync_end;
		mode.vtotal = nv3_blanks[i].vtotal;
		mode.vscan = nv3_blanks[i].vscan;
		mode.flags = nv3_blanks[i].flags;
		KUNIT_EXPECT_EQ_MSG(test, nv3_blanks[i].status,
				    nv3_mode_check(13500, &mode), "case %u", i);
	}
}

/*
 * VESA and CEA timings, each with the status that nv3_mode_check() must return. The pixel clock of
 * 320x240 is below the range of the PLL, a width of 1366 is not a multiple of eight, and widths of
 * 2560 and 4096 exceed NV3_MODE_MAX.
 */
static const struct {
	struct drm_display_mode mode;
	enum drm_mode_status status;
} nv3_modes[] = {
	{ { DRM_MODE("640x350", 0, 31500, 640, 672, 736, 832, 0,
		     350, 382, 385, 445, 0, 0) }, MODE_OK },
	{ { DRM_MODE("800x600", 0, 40000, 800, 840, 968, 1056, 0,
		     600, 601, 605, 628, 0, 0) }, MODE_OK },
	{ { DRM_MODE("848x480", 0, 33750, 848, 864, 976, 1088, 0,
		     480, 486, 494, 517, 0, 0) }, MODE_OK },
	{ { DRM_MODE("1280x720", 0, 74250, 1280, 1390, 1430, 1650, 0,
		     720, 725, 730, 750, 0, 0) }, MODE_OK },
	{ { DRM_MODE("1280x1024", 0, 108000, 1280, 1328, 1440, 1688, 0,
		     1024, 1025, 1028, 1066, 0, 0) }, MODE_OK },
	{ { DRM_MODE("1366x768", 0, 85500, 1366, 1436, 1579, 1792, 0,
		     768, 771, 774, 798, 0, 0) }, MODE_H_ILLEGAL },
	{ { DRM_MODE("1600x1200", 0, 162000, 1600, 1664, 1856, 2160, 0,
		     1200, 1201, 1204, 1250, 0, 0) }, MODE_OK },
	{ { DRM_MODE("1920x1080", 0, 148500, 1920, 2008, 2052, 2200, 0,
		     1080, 1084, 1089, 1125, 0, 0) }, MODE_OK },
	{ { DRM_MODE("1920x1440", 0, 234000, 1920, 2048, 2256, 2600, 0,
		     1440, 1441, 1444, 1500, 0, 0) }, MODE_OK },
	{ { DRM_MODE("2560x1600", 0, 348500, 2560, 2752, 3032, 3504, 0,
		     1600, 1603, 1609, 1658, 0, 0) }, MODE_BAD_HVALUE },
	{ { DRM_MODE("4096x2160", 0, 556744, 4096, 4104, 4136, 4176, 0,
		     2160, 2208, 2216, 2222, 0, 0) }, MODE_BAD_HVALUE },
	{ { DRM_MODE("320x240", 0, 12587, 320, 328, 376, 400, 0,
		     240, 245, 246, 262, 0, 0) }, MODE_CLOCK_LOW },
};

static void nv3_test_modes(struct kunit *test)
{
	struct drm_display_mode mode;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(nv3_crystals); i++) {
		for (j = 0; j < ARRAY_SIZE(nv3_modes); j++) {
			mode = nv3_modes[j].mode;
			KUNIT_EXPECT_EQ_MSG(test, nv3_modes[j].status,
					    nv3_mode_check(nv3_crystals[i], &mode),
					    "%s", mode.name);
			if (nv3_modes[j].status != MODE_OK)
				continue;

			KUNIT_EXPECT_EQ(test, 0,
					nv3_mode_adjust(nv3_crystals[i], &mode));
			/*
			 * nv3_mode_adjust() must not change the number of lines. The horizontal
			 * values must be in order, and the horizontal total must be a multiple of
			 * eight.
			 */
			KUNIT_EXPECT_EQ(test, mode.vtotal, mode.crtc_vtotal);
			KUNIT_EXPECT_EQ(test, mode.hdisplay, mode.crtc_hdisplay);
			KUNIT_EXPECT_GE(test, mode.crtc_hsync_start, mode.crtc_hdisplay);
			KUNIT_EXPECT_GT(test, mode.crtc_hsync_end, mode.crtc_hsync_start);
			KUNIT_EXPECT_LE(test, mode.crtc_hsync_end, mode.crtc_htotal);
			KUNIT_EXPECT_EQ(test, 0, mode.crtc_htotal % 8);
		}
	}
}

/*
 * For horizontal blanking intervals of 40 to 199 pixels, nv3_mode_adjust() changes the duration of
 * a line by at most one percent.
 */
static void nv3_test_mode_adjust(struct kunit *test)
{
	struct drm_display_mode mode;
	u64 frame, made;
	int blank;

	for (blank = 40; blank < 200; blank++) {
		mode = nv3_mode_vga;
		mode.htotal = mode.hdisplay + blank;
		mode.hsync_start = mode.hdisplay + blank / 4;
		mode.hsync_end = mode.hdisplay + blank / 2;
		KUNIT_ASSERT_EQ(test, 0, nv3_mode_adjust(13500, &mode));

		KUNIT_ASSERT_EQ(test, 0, mode.crtc_htotal % 8);
		KUNIT_ASSERT_EQ(test, 0, mode.crtc_hsync_start % 8);
		KUNIT_ASSERT_EQ(test, 0, mode.crtc_hsync_end % 8);
		KUNIT_ASSERT_GT(test, mode.crtc_hsync_end, mode.crtc_hsync_start);

		/* The duration of a line before and after the adjustment, in nanoseconds. */
		frame = (u64)mode.htotal * 1000000 / mode.clock;
		made = (u64)mode.crtc_htotal * 1000000 / mode.crtc_clock;
		KUNIT_ASSERT_LE_MSG(test, abs_diff(frame, made), frame / 100,
				    "blank of %d pixels", blank);
	}
}

static void nv3_test_formats(struct kunit *test)
{
	static const struct {
		u32 format;
		u8 value;
	} formats[] = {
		{ DRM_FORMAT_C8, 1 },
		{ DRM_FORMAT_XRGB1555, 2 },
		{ DRM_FORMAT_RGB565, 2 },
		{ DRM_FORMAT_XRGB8888, 3 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		KUNIT_EXPECT_EQ(test, formats[i].value,
				nv3_primary_pixel_format(drm_format_info(formats[i].format)));
}

static void nv3_test_pitch(struct kunit *test)
{
	/* The pitch register has 11 bits and counts units of eight bytes. */
	KUNIT_EXPECT_EQ(test, 16376, NV3_PITCH_MAX);
	KUNIT_EXPECT_TRUE(test, nv3_plane_pitch_ok(640 * 4, NV3_PITCH_ALIGN, NV3_PITCH_MAX));
	KUNIT_EXPECT_TRUE(test, nv3_plane_pitch_ok(16376, NV3_PITCH_ALIGN, NV3_PITCH_MAX));
	KUNIT_EXPECT_FALSE(test, nv3_plane_pitch_ok(16384, NV3_PITCH_ALIGN, NV3_PITCH_MAX));
	KUNIT_EXPECT_FALSE(test, nv3_plane_pitch_ok(2564, NV3_PITCH_ALIGN, NV3_PITCH_MAX));
	KUNIT_EXPECT_FALSE(test, nv3_plane_pitch_ok(U32_MAX & ~7u, NV3_PITCH_ALIGN,
						    NV3_PITCH_MAX));
}

/*
 * If the overlay magnifies its source, every pixel of the overlay must show a pixel of the source.
 */
static void nv3_test_overlay_step(struct kunit *test)
{
	u32 source, scaled, step, last;

	for (source = 1; source <= 1024; source += 61) {
		for (scaled = source; scaled <= 2048; scaled += 37) {
			step = nv3_overlay_step(source, scaled);
			KUNIT_ASSERT_LE(test, step, NV3_PVIDEO_STEP_SIZE_ONE);
			if (source == 1 || scaled == 1)
				continue;
			KUNIT_ASSERT_NE_MSG(test, step, 0, "%u on %u", source, scaled);
			last = (scaled - 1) * step / NV3_PVIDEO_STEP_SIZE_ONE;
			KUNIT_ASSERT_LT_MSG(test, last, source, "%u on %u", source, scaled);
		}
		KUNIT_ASSERT_EQ(test, NV3_PVIDEO_STEP_SIZE_ONE,
				nv3_overlay_step(source, source));
	}
}

static u32 nv3_test_cursor_at(const struct nv3_cursor_image *image, int x, int y)
{
	return image->word[(y * NV3_CURSOR_SIZE + x) / 2] >> (x % 2 * 16) & 0xffff;
}

#define NV3_TEST_BUFFER		80	/* width and height in pixels */

struct nv3_test_cursor {
	u32 *pixels;
	struct iosys_map map;
	struct nv3_cursor_source source;
	struct nv3_cursor_image image;
};

/*
 * Creates a transparent buffer, and a cursor source of @width by @height pixels that begins at
 * column @left and line @top of the buffer.
 */
static struct nv3_test_cursor *nv3_test_cursor_new(struct kunit *test, u32 left, u32 top,
						   u32 width, u32 height)
{
	struct nv3_test_cursor *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	const u32 pitch = NV3_TEST_BUFFER * sizeof(u32);

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->pixels = kunit_kzalloc(test, NV3_TEST_BUFFER * pitch, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->pixels);
	iosys_map_set_vaddr(&t->map, t->pixels);
	t->source = (struct nv3_cursor_source){
		.map = &t->map, .start = top * pitch + left * sizeof(u32), .pitch = pitch,
		.width = width, .height = height,
	};
	return t;
}

/*
 * Draws an opaque rectangle from (@x1, @y1) up to, but excluding, (@x2, @y2). Each pixel has a
 * different colour.
 */
static void nv3_test_cursor_draw(struct nv3_test_cursor *t, u32 x1, u32 y1, u32 x2, u32 y2)
{
	u32 x, y;

	for (y = y1; y < y2; y++)
		for (x = x1; x < x2; x++)
			t->pixels[y * NV3_TEST_BUFFER + x] = 0xff000000 | x << 19 | y << 3;
}

/*
 * Converts the source to an image. Checks that each pixel of the image is the converted pixel of
 * the source at the same position. Pixels of the image beyond the source must be transparent.
 */
static void nv3_test_cursor_check(struct kunit *test, struct nv3_test_cursor *t, u32 left,
				  u32 top)
{
	const struct nv3_cursor_image *image = &t->image;
	u32 x, y, argb;

	nv3_cursor_make_image(&t->source, &t->image);
	for (y = 0; y < NV3_CURSOR_SIZE; y++) {
		for (x = 0; x < NV3_CURSOR_SIZE; x++) {
			argb = 0;
			if (image->x + x < t->source.width && image->y + y < t->source.height)
				argb = t->pixels[(top + image->y + y) * NV3_TEST_BUFFER +
						 left + image->x + x];
			KUNIT_ASSERT_EQ_MSG(test, nv3_cursor_pixel(argb),
					    nv3_test_cursor_at(image, x, y), "%u, %u", x, y);
		}
	}
}

/*
 * nv3_cursor_make_image() copies a cursor of 32x32 pixels completely, even if the source does not
 * begin at the start of the buffer.
 */
static void nv3_test_cursor_small(struct kunit *test)
{
	struct nv3_test_cursor *t = nv3_test_cursor_new(test, 7, 11, 32, 32);

	nv3_test_cursor_draw(t, 7, 11, 39, 43);
	nv3_test_cursor_check(test, t, 7, 11);
	KUNIT_EXPECT_EQ(test, 0, t->image.x);
	KUNIT_EXPECT_EQ(test, 0, t->image.y);
	/* Pixels of the buffer outside the source do not appear in the image. */
	nv3_test_cursor_draw(t, 0, 0, NV3_TEST_BUFFER, NV3_TEST_BUFFER);
	t->source.width = 20;
	nv3_test_cursor_check(test, t, 7, 11);
	KUNIT_EXPECT_EQ(test, 0, nv3_test_cursor_at(&t->image, 20, 0));
}

/*
 * If the opaque part of a 64x64 source has at most 32x32 pixels, nv3_cursor_make_image() copies it
 * completely, even from the bottom right corner.
 */
static void nv3_test_cursor_corner(struct kunit *test)
{
	struct nv3_test_cursor *t = nv3_test_cursor_new(test, 0, 0, 64, 64);

	nv3_test_cursor_draw(t, 40, 50, 60, 64);
	nv3_test_cursor_check(test, t, 0, 0);
	KUNIT_EXPECT_EQ(test, 40, t->image.x);
	KUNIT_EXPECT_EQ(test, 50, t->image.y);
	KUNIT_EXPECT_NE(test, 0, nv3_test_cursor_at(&t->image, 19, 13));
}

/*
 * nv3_cursor_make_image() crops an opaque part larger than 32x32 pixels at the right and the
 * bottom. A transparent source results in a transparent image.
 */
static void nv3_test_cursor_large(struct kunit *test)
{
	struct nv3_test_cursor *t = nv3_test_cursor_new(test, 0, 0, 64, 64);

	nv3_test_cursor_check(test, t, 0, 0);
	KUNIT_EXPECT_EQ(test, 0, memchr_inv(t->image.word, 0, NV3_CURSOR_BYTES) ? 1 : 0);
	nv3_test_cursor_draw(t, 5, 6, 64, 64);
	nv3_test_cursor_check(test, t, 0, 0);
	KUNIT_EXPECT_EQ(test, 5, t->image.x);
	KUNIT_EXPECT_EQ(test, 6, t->image.y);
}

static void nv3_test_cursor(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0x0000, nv3_cursor_pixel(0x00ffffff));
	KUNIT_EXPECT_EQ(test, 0x0000, nv3_cursor_pixel(0x7fffffff));
	KUNIT_EXPECT_EQ(test, 0x8000, nv3_cursor_pixel(0x80000000));
	KUNIT_EXPECT_EQ(test, 0xffff, nv3_cursor_pixel(0xffffffff));
	KUNIT_EXPECT_EQ(test, 0xfc00, nv3_cursor_pixel(0xffff0000));
	KUNIT_EXPECT_EQ(test, 0x83e0, nv3_cursor_pixel(0xff00ff00));
	KUNIT_EXPECT_EQ(test, 0x801f, nv3_cursor_pixel(0xff0000ff));
}

static struct kunit_case nv3_cases[] = {
	KUNIT_CASE(nv3_test_pll_near),
	KUNIT_CASE(nv3_test_pll_value),
	KUNIT_CASE(nv3_test_pll_best),
	KUNIT_CASE(nv3_test_pll_range),
	KUNIT_CASE(nv3_test_mode_check),
	KUNIT_CASE(nv3_test_mode_blanks),
	KUNIT_CASE(nv3_test_modes),
	KUNIT_CASE(nv3_test_mode_adjust),
	KUNIT_CASE(nv3_test_formats),
	KUNIT_CASE(nv3_test_pitch),
	KUNIT_CASE(nv3_test_overlay_step),
	KUNIT_CASE(nv3_test_cursor),
	KUNIT_CASE(nv3_test_cursor_small),
	KUNIT_CASE(nv3_test_cursor_corner),
	KUNIT_CASE(nv3_test_cursor_large),
	{}
};

static struct kunit_suite nv3_suite = {
	.name = "nv3",
	.test_cases = nv3_cases,
};

kunit_test_suite(nv3_suite);
