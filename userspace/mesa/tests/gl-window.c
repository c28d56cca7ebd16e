/* SPDX-License-Identifier: MIT */
/*
 * nv3-gl-window CARD draws to a GBM window in ARGB8888 and presents the window. The program then
 * reads the window's dma-buf as another process would. The colours must be correct. With class
 * 0x1f, the alpha bytes must have the drawn values. Class 0x17 can't store alpha, so its alpha
 * bytes must be 255. The program prints TAP.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <fcntl.h>
#include <gbm.h>
#include <linux/dma-buf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "gl-util.h"

#define WIDTH	320
#define HEIGHT	200
#define FRAMES	3
/*
 * The tolerance of a component (0 to 255), the same as in nv3-gl-test. Class 0x17 dithers
 * components and truncates them to 5 bits. The CPU expands them to 8 bits, so that 31
 * becomes 255.
 */
#define STEP	12

static void die(const char *what)
{
	printf("Bail out! %s\n", what);
	exit(2);
}

static EGLDisplay display;

static EGLConfig config_with_alpha(void)
{
	const EGLint wanted[] = {
		EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
		EGL_SURFACE_TYPE, EGL_WINDOW_BIT,
		EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_NONE,
	};
	EGLConfig configs[64];
	EGLint count, format, i;

	if (!eglChooseConfig(display, wanted, configs, 64, &count))
		die("no EGL configurations");
	for (i = 0; i < count; i++) {
		eglGetConfigAttrib(display, configs[i], EGL_NATIVE_VISUAL_ID,
				   &format);
		if ((uint32_t)format == GBM_FORMAT_ARGB8888)
			return configs[i];
	}
	die("no EGL configuration of 8888 with alpha");
	return NULL;
}

/*
 * Sets @bgr to the expected colour of the right half of @frame if @right is set, otherwise of the
 * left half.
 */
static void expected(int frame, int right, int bgr[3])
{
	bgr[0] = right ? 255 : 40 * frame;
	bgr[1] = right ? 128 : 200;
	bgr[2] = right ? 0 : 255 - 60 * frame;
}

static int expected_alpha(int right)
{
	return !has_programs() ? 255 : right ? 64 : 0;
}

static void clear_half(int frame, int right)
{
	int bgr[3];

	expected(frame, right, bgr);
	glScissor(right ? WIDTH / 2 : 0, 0, WIDTH / 2, HEIGHT);
	glClearColor(bgr[2] / 255.0f, bgr[1] / 255.0f, bgr[0] / 255.0f,
		     right ? 0.25f : 0.0f);
	glClear(GL_COLOR_BUFFER_BIT);
}

static void draw(int frame)
{
	glEnable(GL_SCISSOR_TEST);
	clear_half(frame, 0);
	clear_half(frame, 1);
}

static int is_right(const uint8_t *p, int frame, int right)
{
	int bgr[3], c;

	expected(frame, right, bgr);
	for (c = 0; c < 3; c++) {
		if (abs(p[c] - bgr[c]) > STEP)
			return 0;
	}
	return p[3] == expected_alpha(right);
}

/* Returns the number of wrong pixels. */
static int count_wrong(struct gbm_bo *bo, int frame)
{
	uint32_t stride = gbm_bo_get_stride(bo);
	int fd = gbm_bo_get_fd(bo), x, y, wrong = 0;
	struct dma_buf_sync sync = { DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ };
	uint8_t *map;

	if (fd < 0)
		die("no dma-buf");
	map = mmap(NULL, (size_t)stride * HEIGHT, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		die("the dma-buf has no mapping");
	if (ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync))
		die("the dma-buf is not to be waited for");
	for (y = 0; y < HEIGHT; y++) {
		for (x = 0; x < WIDTH; x++) {
			const uint8_t *p = map + y * stride + x * 4;

			if (is_right(p, frame, x >= WIDTH / 2))
				continue;
			if (!wrong++)
				printf("# frame %d, %d, %d: %d %d %d %d\n", frame, x,
				       y, p[0], p[1], p[2], p[3]);
		}
	}
	munmap(map, (size_t)stride * HEIGHT);
	return wrong;
}

int main(int argc, char **argv)
{
	PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
		(void *)eglGetProcAddress("eglGetPlatformDisplayEXT");
	struct gbm_surface *window;
	struct gbm_device *gbm;
	EGLSurface surface;
	EGLContext context;
	EGLConfig config;
	int fd, frame, bad = 0;

	fd = open(argc > 1 ? argv[1] : "/dev/dri/card0", O_RDWR | O_CLOEXEC);
	gbm = fd < 0 ? NULL : gbm_create_device(fd);
	if (!gbm)
		die("no GBM");
	display = get_display(EGL_PLATFORM_GBM_KHR, gbm, NULL);
	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
		die("no EGL");
	config = config_with_alpha();
	window = gbm_surface_create(gbm, WIDTH, HEIGHT, GBM_FORMAT_ARGB8888,
				    GBM_BO_USE_RENDERING | GBM_BO_USE_SCANOUT);
	context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
	surface = window ? eglCreateWindowSurface(display, config,
			(EGLNativeWindowType)window, NULL) : EGL_NO_SURFACE;
	if (!context || !surface ||
	    !eglMakeCurrent(display, surface, surface, context))
		die("no window");
	printf("1..%d\n# %s\n", FRAMES, (const char *)glGetString(GL_RENDERER));
	for (frame = 0; frame < FRAMES; frame++) {
		struct gbm_bo *bo;
		int wrong;

		draw(frame);
		eglSwapBuffers(display, surface);
		bo = gbm_surface_lock_front_buffer(window);
		if (!bo)
			die("no front buffer");
		wrong = count_wrong(bo, frame);
		bad |= wrong;
		printf("%s %d - window with alpha, frame %d: %d pixels wrong\n",
		       wrong ? "not ok" : "ok", frame + 1, frame, wrong);
		gbm_surface_release_buffer(window, bo);
	}
	eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	eglDestroySurface(display, surface);
	eglDestroyContext(display, context);
	gbm_surface_destroy(window);
	eglTerminate(display);
	gbm_device_destroy(gbm);
	return !!bad;
}
