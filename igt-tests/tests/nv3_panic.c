/* SPDX-License-Identifier: MIT */
#include <drm_fourcc.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "igt.h"
#include "igt_nv3.h"
#include "igt_nv3_kms.h"

IGT_TEST_DESCRIPTION("The kernel panics while a video and a cursor would cover its message.");

#define WIDTH	64
#define HEIGHT	48
#define SCALE	6
#define CURSOR	32

/*
 * Shows an overlay of zeroes. A YUV picture of zeroes is green, a colour that the panic message
 * does not use.
 */
static void show_video(struct igt_nv3_display *display)
{
	struct igt_nv3_fb fb = igt_nv3_fb_create(display->fd, WIDTH, HEIGHT, 16,
						 DRM_FORMAT_YUYV);

	igt_require_f(display->overlay, "no overlay plane\n");
	igt_assert_eq(drmModeSetPlane(display->fd, display->overlay,
				      display->crtc, fb.id, 0, 100, 100,
				      WIDTH * SCALE, HEIGHT * SCALE, 0, 0,
				      WIDTH << 16, HEIGHT << 16), 0);
}

static void show_cursor(struct igt_nv3_display *display)
{
	struct igt_nv3_fb fb = igt_nv3_fb_create(display->fd, CURSOR, CURSOR, 32,
						 DRM_FORMAT_ARGB8888);
	uint32_t i;

	for (i = 0; i < fb.size / 4; i++)
		((uint32_t *)fb.map)[i] = 0xffff0000;
	igt_assert_eq(drmModeSetCursor(display->fd, display->crtc, fb.handle,
				       CURSOR, CURSOR), 0);
	igt_assert_eq(drmModeMoveCursor(display->fd, display->crtc, 30, 40), 0);
}

/* vm/checks/suites/panic.sh checks the screen before and after the panic. */
static void test_covered(const char *directory)
{
	struct igt_nv3_display display;
	struct igt_nv3_fb screen;
	int fd = igt_nv3_open(), trigger;

	igt_nv3_display_init(&display, fd);
	screen = igt_nv3_fb_create(fd, display.mode.hdisplay,
				   display.mode.vdisplay, 32,
				   DRM_FORMAT_XRGB8888);
	igt_nv3_display_show(&display, &screen);
	show_video(&display);
	show_cursor(&display);

	igt_assert_eq(chdir(directory), 0);
	close(open("shown", O_CREAT | O_WRONLY, 0644));
	while (access("panic", F_OK))
		usleep(300000);
	trigger = open("/proc/sysrq-trigger", O_WRONLY);
	igt_assert(trigger >= 0);
	igt_assert_eq(write(trigger, "c", 1), 1);
}

int igt_main()
{
	igt_describe("Creates the file \"shown\" in $NV3_PANIC, and panics when \"panic\" appears there.");
	igt_subtest("covered") {
		const char *directory = getenv("NV3_PANIC");

		igt_require_f(directory, "this test causes a panic: see vm/checks/suites/panic.sh\n");
		test_covered(directory);
	}
}
