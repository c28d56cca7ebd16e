/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include <drm_fourcc.h>
#include <png.h>
#include <xf86drm.h>
#include <xf86drmMode.h>
#include <zlib.h>

#include "screen.h"

#define FLIP_TIMEOUT_MS	5000

static int complain(const char *what, int error)
{
	fprintf(stderr, "nv3-demo: %s: %s\n", what, strerror(-error));
	return error;
}

/* ---- the monitor ---- */

static const drmModeModeInfo *find_mode(const drmModeConnector *connector,
					uint32_t width, uint32_t height)
{
	int i;

	for (i = 0; i < connector->count_modes; i++) {
		const drmModeModeInfo *mode = &connector->modes[i];

		if (mode->hdisplay == width && mode->vdisplay == height)
			return mode;
	}
	return NULL;
}

static drmModeConnector *connected(int fd, const drmModeRes *res)
{
	drmModeConnector *connector;
	int i;

	for (i = 0; i < res->count_connectors; i++) {
		connector = drmModeGetConnector(fd, res->connectors[i]);
		if (connector && connector->connection == DRM_MODE_CONNECTED)
			return connector;
		drmModeFreeConnector(connector);
	}
	return NULL;
}

/* Finds a connected connector. Uses the first CRTC, because the chip has only one. */
static int find_monitor(struct screen *screen)
{
	int fd = nv3_device_fd(screen->dev);
	drmModeConnector *connector;
	drmModeRes *res;
	int ret = -ENXIO;

	res = drmModeGetResources(fd);
	if (!res)
		return complain("display", -errno);
	connector = connected(fd, res);
	if (connector && res->count_crtcs) {
		screen->connector = connector->connector_id;
		screen->crtc = res->crtcs[0];
		ret = 0;
	}
	drmModeFreeConnector(connector);
	drmModeFreeResources(res);
	return ret ? complain("no monitor", ret) : 0;
}

static int set_mode(struct screen *screen, uint32_t buffer)
{
	int fd = nv3_device_fd(screen->dev);
	drmModeConnector *connector;
	const drmModeModeInfo *mode;
	drmModeModeInfo copy;
	int ret;

	connector = drmModeGetConnectorCurrent(fd, screen->connector);
	if (!connector)
		return complain("monitor", -errno);
	mode = find_mode(connector, screen->width, screen->height);
	if (!mode) {
		drmModeFreeConnector(connector);
		return complain("the monitor's modes", -EINVAL);
	}
	copy = *mode;
	drmModeFreeConnector(connector);
	ret = drmModeSetCrtc(fd, screen->crtc, screen->fbs[buffer], 0, 0,
			     &screen->connector, 1, &copy);
	return ret ? complain("setting the mode", ret) : 0;
}

/* ---- buffers ---- */

static int make_buffer(struct screen *screen, uint32_t i)
{
	uint32_t handles[4] = { 0 }, pitches[4] = { 0 }, offsets[4] = { 0 };
	int ret;

	ret = nv3_bo_new(screen->dev, (uint64_t)screen->pitch * screen->height,
			 DRM_NV3_GEM_VRAM, &screen->bos[i]);
	if (ret)
		return ret;
	handles[0] = nv3_bo_handle(screen->bos[i]);
	pitches[0] = screen->pitch;
	return drmModeAddFB2(nv3_device_fd(screen->dev), screen->width,
			     screen->height, DRM_FORMAT_XRGB1555, handles,
			     pitches, offsets, &screen->fbs[i], 0);
}

int screen_init(struct screen *screen, struct nv3_device *dev, uint32_t width,
		uint32_t height, bool vsync)
{
	int i, ret;

	screen->dev = dev;
	screen->vsync = vsync;
	screen->count = vsync ? 2 : 3;
	screen->width = width;
	screen->height = height;
	screen->pitch = width * 2;
	ret = find_monitor(screen);
	for (i = 0; i < screen->count && !ret; i++) {
		ret = make_buffer(screen, i);
		if (ret)
			complain("frame buffer", ret);
	}
	return ret;
}

/* ---- flips ---- */

int screen_show(struct screen *screen, uint32_t buffer)
{
	int ret;

	if (!screen->on) {
		ret = set_mode(screen, buffer);
		screen->on = !ret;
		screen->shown = buffer;
		return ret;
	}
	if (screen->flipping)
		return 0;
	ret = drmModePageFlip(nv3_device_fd(screen->dev), screen->crtc,
			      screen->fbs[buffer], DRM_MODE_PAGE_FLIP_EVENT,
			      screen);
	if (ret)
		return complain("page flip", ret);
	screen->flipping = true;
	screen->next = buffer;
	return 0;
}

static void flipped(int fd, unsigned int frame, unsigned int sec,
		    unsigned int usec, void *data)
{
	struct screen *screen = data;

	screen->flipping = false;
	screen->shown = screen->next;
}

/*
 * Handles the event of the pending flip, if any. If the event has not arrived yet, waits for it if
 * @wait is true, and returns 0 otherwise. Returns 0 or a negative errno.
 */
static int handle_flips(struct screen *screen, bool wait)
{
	drmEventContext context = {
		.version = 2,
		.page_flip_handler = flipped,
	};
	struct pollfd pollfd = {
		.fd = nv3_device_fd(screen->dev),
		.events = POLLIN,
	};
	int ready;

	while (screen->flipping) {
		ready = poll(&pollfd, 1, wait ? FLIP_TIMEOUT_MS : 0);
		if (ready < 0 && errno == EINTR)
			continue;
		if (!ready && !wait)
			return 0;
		if (ready <= 0)
			return complain("page flip",
					ready ? -errno : -ETIMEDOUT);
		if (drmHandleEvent(pollfd.fd, &context))
			return complain("page flip", -EIO);
	}
	return 0;
}

int screen_next_buffer(struct screen *screen, uint32_t *buffer)
{
	uint32_t i = 0;
	int ret;

	ret = handle_flips(screen, screen->vsync);
	if (ret)
		return ret;
	while ((screen->on && i == screen->shown) ||
	       (screen->flipping && i == screen->next))
		i++;
	*buffer = i;
	if (screen->vsync)
		return 0;
	ret = nv3_bo_wait(screen->bos[i], 0, INT64_MAX);
	return ret ? complain("screen", ret) : 0;
}

void screen_fini(struct screen *screen)
{
	int i;

	if (!screen->dev)
		return;
	handle_flips(screen, true);
	for (i = 0; i < screen->count; i++) {
		if (screen->fbs[i])
			drmModeRmFB(nv3_device_fd(screen->dev),
				    screen->fbs[i]);
		nv3_bo_unref(screen->bos[i]);
	}
}

/* ---- pictures ---- */

static void to_rgb(uint8_t *rgb, const uint16_t *pixels, uint32_t count)
{
	uint32_t i, shift;

	for (i = 0; i < count; i++) {
		for (shift = 15; shift; shift -= 5) {
			uint32_t c = pixels[i] >> (shift - 5) & 0x1f;

			*rgb++ = c << 3 | c >> 2;
		}
	}
}

static int write_png(FILE *file, const struct screen *screen,
		     const uint8_t *pixels, uint8_t *row)
{
	png_structp png;
	png_infop info;
	uint32_t y;

	png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	info = png ? png_create_info_struct(png) : NULL;
	if (!info || setjmp(png_jmpbuf(png))) {
		png_destroy_write_struct(&png, &info);
		return -EIO;
	}
	png_init_io(png, file);
	png_set_IHDR(png, info, screen->width, screen->height, 8,
		     PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
		     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	for (y = 0; y < screen->height; y++) {
		to_rgb(row, (const uint16_t *)(pixels + y * screen->pitch),
		       screen->width);
		png_write_row(png, row);
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return 0;
}

/* Waits until the drawing is complete, and maps the buffer. */
static int screen_pixels(struct screen *screen, uint32_t buffer, void **pixels)
{
	int ret;

	ret = nv3_bo_wait(screen->bos[buffer], 0, INT64_MAX);
	return ret ? ret : nv3_bo_map(screen->bos[buffer], pixels);
}

int screen_crc(struct screen *screen, uint32_t buffer, uint32_t *crc)
{
	const uint8_t *line;
	void *pixels;
	uint32_t y;
	int ret;

	ret = screen_pixels(screen, buffer, &pixels);
	if (ret)
		return complain("screen", ret);
	*crc = crc32(0, NULL, 0);
	for (y = 0, line = pixels; y < screen->height;
	     y++, line += screen->pitch)
		*crc = crc32(*crc, line, screen->width * 2);
	return 0;
}

int screen_save(struct screen *screen, uint32_t buffer, const char *path)
{
	uint8_t *row = malloc(screen->width * 3);
	FILE *file = NULL;
	void *pixels;
	int ret;

	if (!row)
		return complain(path, -ENOMEM);
	ret = screen_pixels(screen, buffer, &pixels);
	if (!ret) {
		file = fopen(path, "wb");
		ret = file ? write_png(file, screen, pixels, row) : -errno;
	}
	if (file && fclose(file) && !ret)
		ret = -errno;
	free(row);
	return ret ? complain(path, ret) : 0;
}
