/* SPDX-License-Identifier: MIT */
#include <drm_fourcc.h>

#include "igt.h"
#include "igt_nv3.h"
#include "igt_nv3_kms.h"

IGT_TEST_DESCRIPTION("The overlay plane, compared with the primary plane by CRCs of the screen.");

/*
 * White and black have exact values in ITU-R BT.601 with limited range, so the primary plane can
 * show the same picture in RGB.
 */
#define WHITE	0xffffff
#define Y_WHITE	235
#define Y_BLACK	16
#define NEUTRAL	128

#define WIDTH	64
#define HEIGHT	48

/* As in nouveau, bit 24 of the property "colorkey" enables the colour key. */
#define KEY_ON	0x01000000
#define KEY	0x123456

struct overlay_test {
	struct igt_nv3_display display;
	struct igt_nv3_fb screen;
};

static void put(struct igt_nv3_fb *fb, uint32_t x, uint32_t y, uint8_t luma,
		uint32_t format)
{
	uint8_t *pixel = (uint8_t *)fb->map + y * fb->pitch + x * 2;

	pixel[format == DRM_FORMAT_YUYV ? 0 : 1] = luma;
	pixel[format == DRM_FORMAT_YUYV ? 1 : 0] = NEUTRAL;
}

/* Creates a white picture with a black rectangle that is not centred. */
static struct igt_nv3_fb video(int fd, uint32_t format)
{
	struct igt_nv3_fb fb = igt_nv3_fb_create(fd, WIDTH, HEIGHT, 16, format);
	uint32_t x, y;

	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			put(&fb, x, y, x >= 16 && x < 32 && y >= 8 && y < 32 ?
			    Y_BLACK : Y_WHITE, format);
	return fb;
}

static void fill(struct igt_nv3_fb *fb, int x, int y, int w, int h,
		 uint32_t color)
{
	int i, j;

	for (j = y < 0 ? 0 : y; j < y + h; j++)
		for (i = x < 0 ? 0 : x; i < x + w; i++)
			((uint32_t *)((char *)fb->map + j * fb->pitch))[i] =
				color;
}

/*
 * Draws the picture of video(), enlarged by @scale, to the primary plane and returns the CRC of a
 * frame.
 */
static uint32_t expected(struct overlay_test *t, int x, int y, int scale)
{
	uint32_t crc;

	fill(&t->screen, x, y, WIDTH * scale, HEIGHT * scale, WHITE);
	fill(&t->screen, x + 16 * scale, y + 8 * scale, 16 * scale, 24 * scale,
	     0);
	crc = igt_nv3_crc(&t->display);
	fill(&t->screen, 0, 0, t->screen.width, t->screen.height, 0);
	return crc;
}

static void show(struct overlay_test *t, const struct igt_nv3_fb *fb, int x,
		 int y, int scale)
{
	igt_assert_eq(drmModeSetPlane(t->display.fd, t->display.overlay,
				      t->display.crtc, fb ? fb->id : 0, 0, x, y,
				      WIDTH * scale, HEIGHT * scale, 0, 0,
				      WIDTH << 16, HEIGHT << 16), 0);
}

static void hide(struct overlay_test *t)
{
	igt_assert_eq(drmModeSetPlane(t->display.fd, t->display.overlay, 0, 0,
				      0, 0, 0, 0, 0, 0, 0, 0, 0), 0);
}

static void test_place(struct overlay_test *t, uint32_t format, int x, int y)
{
	uint32_t none = igt_nv3_crc(&t->display);
	uint32_t want = expected(t, x, y, 1);
	struct igt_nv3_fb fb = video(t->display.fd, format);

	igt_assert_neq_u32(none, want);
	show(t, &fb, x, y, 1);
	igt_assert_eq_u32(igt_nv3_crc(&t->display), want);
	hide(t);
	igt_assert_eq_u32(igt_nv3_crc(&t->display), none);
	igt_nv3_fb_destroy(&fb);
}

/*
 * No standard defines how an overlay interpolates between pixels, so the picture has a single
 * colour.
 */
static void test_scaled(struct overlay_test *t)
{
	struct igt_nv3_fb fb = igt_nv3_fb_create(t->display.fd, WIDTH, HEIGHT,
						 16, DRM_FORMAT_UYVY);
	uint32_t x, y, want;

	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			put(&fb, x, y, Y_WHITE, DRM_FORMAT_UYVY);
	fill(&t->screen, 40, 30, WIDTH * 3, HEIGHT * 3, WHITE);
	want = igt_nv3_crc(&t->display);
	fill(&t->screen, 0, 0, t->screen.width, t->screen.height, 0);

	show(t, &fb, 40, 30, 3);
	igt_assert_eq_u32(igt_nv3_crc(&t->display), want);
	hide(t);
	igt_nv3_fb_destroy(&fb);
}

/* The overlay can't scale pictures down, and supports only YUV formats. */
static void test_refused(struct overlay_test *t)
{
	struct igt_nv3_fb fb = video(t->display.fd, DRM_FORMAT_YUYV);

	igt_assert_neq(drmModeSetPlane(t->display.fd, t->display.overlay,
				       t->display.crtc, fb.id, 0, 0, 0,
				       WIDTH / 2, HEIGHT, 0, 0, WIDTH << 16,
				       HEIGHT << 16), 0);
	igt_assert_neq(drmModeSetPlane(t->display.fd, t->display.overlay,
				       t->display.crtc, t->screen.id, 0, 0, 0,
				       WIDTH, HEIGHT, 0, 0, WIDTH << 16,
				       HEIGHT << 16), 0);
	igt_nv3_fb_destroy(&fb);
}

static void set_key(struct overlay_test *t, uint32_t key)
{
	igt_nv3_set_property(t->display.fd, t->display.overlay,
			     DRM_MODE_OBJECT_PLANE, "colorkey", key);
}

/* The overlay is visible only at pixels where the primary plane has the key colour. */
static void test_key(struct overlay_test *t)
{
	struct igt_nv3_fb fb = video(t->display.fd, DRM_FORMAT_YUYV);
	uint32_t want;

	fill(&t->screen, 0, 0, 40, 20, WHITE);
	fill(&t->screen, 16, 8, 16, 12, 0);
	want = igt_nv3_crc(&t->display);
	fill(&t->screen, 0, 0, 40, 20, KEY);
	igt_assert_neq_u32(igt_nv3_crc(&t->display), want);

	set_key(t, KEY_ON | KEY);
	show(t, &fb, 0, 0, 1);
	igt_assert_eq_u32(igt_nv3_crc(&t->display), want);
	set_key(t, 0);
	hide(t);
	fill(&t->screen, 0, 0, t->screen.width, t->screen.height, 0);
	igt_nv3_fb_destroy(&fb);
}

int igt_main()
{
	struct overlay_test t;
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_display_init(&t.display, fd);
		igt_require_f(t.display.overlay, "no overlay plane\n");
		t.screen = igt_nv3_fb_create(fd, t.display.mode.hdisplay,
					     t.display.mode.vdisplay, 32,
					     DRM_FORMAT_XRGB8888);
		igt_nv3_display_show(&t.display, &t.screen);
	}

	igt_describe("Bytes in the order Y U Y V.");
	igt_subtest("yuyv")
		test_place(&t, DRM_FORMAT_YUYV, 100, 50);

	igt_describe("Bytes in the order U Y V Y.");
	igt_subtest("uyvy")
		test_place(&t, DRM_FORMAT_UYVY, 33, 71);

	igt_describe("Partly off the screen, by even and odd numbers of pixels.");
	igt_subtest("clipped") {
		test_place(&t, DRM_FORMAT_YUYV, -10, -4);
		test_place(&t, DRM_FORMAT_YUYV, -13, 5);
	}

	igt_describe("Enlarged three times.");
	igt_subtest("scaled")
		test_scaled(&t);

	igt_describe("Reduced pictures and formats of the primary plane are refused.");
	igt_subtest("refused")
		test_refused(&t);

	igt_describe("The overlay is visible only where the primary plane has the key's colour.");
	igt_subtest("colorkey")
		test_key(&t);

	igt_fixture() {
		igt_nv3_fb_destroy(&t.screen);
		drm_close_driver(fd);
	}
}
