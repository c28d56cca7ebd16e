// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of what needs no chip: the PLL, modes, formats, the cursor's pixels.
 * They run when the module is loaded into a kernel that has KUnit.
 */

#include <kunit/test.h>

#include <drm/drm_fourcc.h>
#include <drm/drm_modes.h>

#include "nv3_cursor.h"
#include "nv3_mode.h"
#include "nv3_plane.h"
#include "nv3_pll.h"
#include "nv3_regs.h"

static const u32 nv3_crystals[] = { 13500, 14318 };

/* Half a percent is what VESA's timings allow a monitor to be off by. */
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

/* What it says it makes is what the registers' fields say: crystal * n / m >> p. */
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

/* CEA-861's 640x480 and VESA's 1024x768, as monitors send them. */
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

/* Whatever the blanks, the frame rate stays within a percent. */
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

		/* Nanoseconds of a line. */
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
	KUNIT_CASE(nv3_test_pll_range),
	KUNIT_CASE(nv3_test_mode_check),
	KUNIT_CASE(nv3_test_mode_adjust),
	KUNIT_CASE(nv3_test_formats),
	KUNIT_CASE(nv3_test_cursor),
	{}
};

static struct kunit_suite nv3_suite = {
	.name = "nv3",
	.test_cases = nv3_cases,
};

kunit_test_suite(nv3_suite);
