/* SPDX-License-Identifier: MIT */
#include <drm_fourcc.h>

#include "igt.h"
#include "igt_nv3.h"
#include "igt_nv3_kms.h"

IGT_TEST_DESCRIPTION("User-defined modes that no monitor offers: set exactly, or refused.");

/* Range of the chip's PLL in kHz (riva_hw.c of xf86-video-nv) */
#define CLOCK_MIN	16100
#define CLOCK_MAX	256000

/*
 * Number of frames between the two time stamps that frame_rate() compares. The kernel takes these
 * time stamps at vertical blanks.
 */
#define FRAMES		12
/*
 * Relative tolerance of the frame rate. The frequency of the PLL differs from the requested
 * frequency by up to half a percent.
 */
#define TOLERANCE	0.01

static drmModeModeInfo mode_of(uint32_t width, uint32_t height, uint32_t htotal,
			       uint32_t vtotal, uint32_t khz)
{
	drmModeModeInfo mode = {
		.clock = khz,
		.hdisplay = width,
		.hsync_start = width + (htotal - width) / 2 - 16,
		.hsync_end = width + (htotal - width) / 2 + 16,
		.htotal = htotal,
		.vdisplay = height,
		.vsync_start = height + 2,
		.vsync_end = height + 4,
		.vtotal = vtotal,
		.type = DRM_MODE_TYPE_USERDEF,
		.name = "user",
	};

	return mode;
}

static drmModeModeInfo vga(uint32_t khz)
{
	return mode_of(640, 480, 800, 525, khz);
}

/* Shows @fb with @mode. Returns 0 or a positive errno. */
static int set_mode(const struct igt_nv3_display *display, const struct igt_nv3_fb *fb,
		    drmModeModeInfo mode)
{
	uint32_t connector = display->connector;

	return -drmModeSetCrtc(display->fd, display->crtc, fb->id, 0, 0, &connector, 1,
			       &mode);
}

/* Creates a picture with 8 bits per pixel. No two lines of the picture are equal. */
static struct igt_nv3_fb picture(const struct igt_nv3_display *display, uint32_t width,
				 uint32_t height)
{
	struct igt_nv3_fb fb = igt_nv3_fb_create(display->fd, width, height, 8,
						 DRM_FORMAT_C8);
	uint32_t x, y;

	for (y = 0; y < height; y++)
		for (x = 0; x < width; x++)
			((uint8_t *)fb.map)[y * fb.pitch + x] =
				(x * 7) ^ (y * 13);
	return fb;
}

static double blank_time(const struct igt_nv3_display *display, uint32_t frames,
			 uint32_t *sequence)
{
	drmVBlank vblank = {
		.request = { .type = DRM_VBLANK_RELATIVE, .sequence = frames },
	};

	igt_assert_eq(drmWaitVBlank(display->fd, &vblank), 0);
	*sequence = vblank.reply.sequence;
	return vblank.reply.tval_sec + vblank.reply.tval_usec / 1e6;
}

/*
 * Returns the number of frames per second. The kernel records the times of the vertical blanks, so
 * the result is exact even if this process is delayed.
 */
static double frame_rate(const struct igt_nv3_display *display)
{
	uint32_t first, last;
	double start = blank_time(display, 1, &first);
	double end = blank_time(display, FRAMES, &last);

	igt_assert_lt(first, last);
	return (last - first) / (end - start);
}

static void assert_rate(const struct igt_nv3_display *display, const drmModeModeInfo *mode)
{
	const uint32_t lines = mode->vtotal *
			       (mode->flags & DRM_MODE_FLAG_DBLSCAN ? 2 : 1);
	const double want = mode->clock * 1000.0 / mode->htotal / lines;
	const double rate = frame_rate(display);

	igt_assert_f(rate > want * (1 - TOLERANCE) && rate < want * (1 + TOLERANCE),
		     "%u kHz: %.2f frames/s instead of %.2f\n", mode->clock, rate, want);
}

/* The CRC of the picture must not depend on the pixel clock. */
static void test_clock(const struct igt_nv3_display *display, drmModeModeInfo mode,
		       drmModeModeInfo other)
{
	struct igt_nv3_fb fb = picture(display, mode.hdisplay, mode.vdisplay);
	uint32_t want;

	igt_assert_eq(set_mode(display, &fb, other), 0);
	want = igt_nv3_crc(display);
	igt_assert_eq(set_mode(display, &fb, mode), 0);
	assert_rate(display, &mode);
	igt_assert_eq_u32(igt_nv3_crc(display), want);
	igt_nv3_fb_destroy(&fb);
}

/* With double scan, the screen shows each line twice, but the CRC includes each line only once. */
static void test_double_scan(const struct igt_nv3_display *display)
{
	struct igt_nv3_fb fb = picture(display, 640, 240);
	drmModeModeInfo mode = mode_of(640, 240, 800, 262, 25175);
	uint32_t want;

	igt_assert_eq(set_mode(display, &fb, mode_of(640, 240, 800, 490, 25175)), 0);
	want = igt_nv3_crc(display);
	mode.flags = DRM_MODE_FLAG_DBLSCAN;
	igt_assert_eq(set_mode(display, &fb, mode), 0);
	assert_rate(display, &mode);
	igt_assert_eq_u32(igt_nv3_crc(display), want);
	igt_nv3_fb_destroy(&fb);
}

static void test_refused(const struct igt_nv3_display *display)
{
	struct igt_nv3_fb fb = picture(display, 2048, 512);
	drmModeModeInfo mode;
	uint32_t before;

	igt_assert_eq(set_mode(display, &fb, vga(25175)), 0);
	before = igt_nv3_crc(display);

	/* The pixel clock must be within the range of the PLL. */
	igt_assert_eq(set_mode(display, &fb, vga(CLOCK_MIN - 200)), EINVAL);
	mode = mode_of(1920, 480, 2400, 525, CLOCK_MAX + 2000);
	igt_assert_eq(set_mode(display, &fb, mode), EINVAL);
	/* The width must be a multiple of eight pixels, the width of a character. */
	igt_assert_eq(set_mode(display, &fb, mode_of(636, 480, 800, 525, 25175)), EINVAL);
	/* Interlaced modes, and modes that show each line more than twice, are not supported. */
	mode = vga(25175);
	mode.flags = DRM_MODE_FLAG_INTERLACE;
	igt_assert_eq(set_mode(display, &fb, mode), EINVAL);
	mode = vga(25175);
	mode.vscan = 4;
	igt_assert_eq(set_mode(display, &fb, mode), EINVAL);
	/* The sync pulses and blanking intervals of these modes do not fit into the registers. */
	mode = mode_of(640, 480, 1040, 525, 30000);
	mode.hsync_start = 720;
	mode.hsync_end = 720 + 256;
	igt_assert_eq(set_mode(display, &fb, mode), EINVAL);
	igt_assert_eq(set_mode(display, &fb, mode_of(640, 480, 1664, 525, 50000)), EINVAL);
	igt_assert_eq(set_mode(display, &fb, mode_of(640, 480, 800, 736, 35000)), EINVAL);
	mode = vga(25175);
	mode.vsync_end = mode.vsync_start + 16;
	igt_assert_eq(set_mode(display, &fb, mode), EINVAL);
	/* The horizontal blanking interval is shorter than eight pixels. */
	mode = vga(25175);
	mode.hsync_start = 640;
	mode.hsync_end = 641;
	mode.htotal = 642;
	igt_assert_eq(set_mode(display, &fb, mode), EINVAL);

	igt_assert_eq_u32(igt_nv3_crc(display), before);
	igt_nv3_fb_destroy(&fb);
}

/*
 * Returns a corner of the RGB cube as a pixel in @format. All formats represent the corners
 * exactly.
 */
static uint32_t corner(uint32_t format, uint32_t red, uint32_t green, uint32_t blue)
{
	switch (format) {
	case DRM_FORMAT_XRGB8888:
		return red * 0xff0000 | green * 0xff00 | blue * 0xff;
	case DRM_FORMAT_RGB565:
		return red * 0xf800 | green * 0x07e0 | blue * 0x001f;
	case DRM_FORMAT_XRGB1555:
		return red * 0x7c00 | green * 0x03e0 | blue * 0x001f;
	default:
		return red << 2 | green << 1 | blue;
	}
}

static uint32_t format_crc(const struct igt_nv3_display *display, uint32_t format,
			   uint32_t bytes)
{
	struct igt_nv3_fb fb = igt_nv3_fb_create(display->fd, 640, 480, bytes * 8, format);
	uint32_t x, y, value, crc;

	for (y = 0; y < fb.height; y++) {
		for (x = 0; x < fb.width; x++) {
			value = corner(format, x / 80 & 1, y / 40 & 1, (x + y) / 64 & 1);
			memcpy((char *)fb.map + y * fb.pitch + x * bytes, &value, bytes);
		}
	}
	igt_assert_eq(set_mode(display, &fb, vga(25175)), 0);
	crc = igt_nv3_crc(display);
	igt_nv3_fb_destroy(&fb);
	return crc;
}

/*
 * If @corners is true, sets entries 0 to 7 of the palette to the colours of corner(). The other
 * entries are unused. Otherwise, sets a linear palette.
 */
static void set_palette(const struct igt_nv3_display *display, bool corners)
{
	uint16_t red[256], green[256], blue[256];
	uint32_t i;

	for (i = 0; i < 256; i++) {
		red[i] = corners ? (i >> 2 & 1) * 0xffff : i * 0x101;
		green[i] = corners ? (i >> 1 & 1) * 0xffff : i * 0x101;
		blue[i] = corners ? (i & 1) * 0xffff : i * 0x101;
	}
	igt_assert_eq(drmModeCrtcSetGamma(display->fd, display->crtc, 256, red, green,
					  blue), 0);
}

static void test_formats(const struct igt_nv3_display *display)
{
	const uint32_t want = format_crc(display, DRM_FORMAT_XRGB8888, 4);

	igt_assert_eq_u32(format_crc(display, DRM_FORMAT_RGB565, 2), want);
	igt_assert_eq_u32(format_crc(display, DRM_FORMAT_XRGB1555, 2), want);
	igt_assert_neq_u32(format_crc(display, DRM_FORMAT_C8, 1), want);
	set_palette(display, true);
	igt_assert_eq_u32(format_crc(display, DRM_FORMAT_C8, 1), want);
	set_palette(display, false);
}

/*
 * The driver refuses to show a frame buffer that does not fit into VRAM, and continues to show the
 * current picture.
 */
static void test_no_room(const struct igt_nv3_display *display)
{
	struct igt_nv3_fb small = picture(display, 640, 480);
	struct igt_nv3_fb large = igt_nv3_fb_create(display->fd, 2048, 2048, 32,
						    DRM_FORMAT_XRGB8888);
	uint32_t before;

	igt_assert_eq(set_mode(display, &small, vga(25175)), 0);
	before = igt_nv3_crc(display);
	igt_assert_neq(set_mode(display, &large, vga(25175)), 0);
	igt_assert_eq_u32(igt_nv3_crc(display), before);
	igt_nv3_fb_destroy(&large);
	igt_nv3_fb_destroy(&small);
}

int igt_main()
{
	struct igt_nv3_display display;

	igt_fixture() {
		int fd = igt_nv3_open();

		igt_nv3_display_init(&display, fd);
	}

	igt_describe("The lowest pixel clock of the PLL.");
	igt_subtest("clock-min")
		test_clock(&display, vga(CLOCK_MIN), vga(25175));

	igt_describe("The highest pixel clock of the PLL.");
	igt_subtest("clock-max")
		test_clock(&display, mode_of(2048, 1536, 2752, 1600, CLOCK_MAX),
			   mode_of(2048, 1536, 2752, 1600, CLOCK_MAX / 2));

	igt_describe("A pixel clock that no setting of the PLL matches exactly.");
	igt_subtest("clock-odd")
		test_clock(&display, vga(31337), vga(25175));

	igt_describe("Double scan, which shows each line twice.");
	igt_subtest("double-scan")
		test_double_scan(&display);

	igt_describe("Modes that the chip can't produce are refused, and change nothing.");
	igt_subtest("refused")
		test_refused(&display);

	igt_describe("The same picture in each format of the primary plane.");
	igt_subtest("formats")
		test_formats(&display);

	igt_describe("A frame buffer larger than VRAM.");
	igt_subtest("no-room")
		test_no_room(&display);

	igt_fixture()
		close(display.fd);
}
