/* SPDX-License-Identifier: MIT */
/*
 * The display for nv3_kms_* tests: one connector, one CRTC, dumb frame buffers, and
 * the CRC of what is scanned out. It calls libdrm itself, as libigt's headers are
 * not installed with it.
 */
#ifndef IGT_NV3_KMS_H
#define IGT_NV3_KMS_H

#include <stdint.h>

#include <xf86drmMode.h>

struct igt_nv3_display {
	int fd;
	uint32_t connector;
	uint32_t crtc;
	uint32_t overlay;	/* plane, or 0 */
	drmModeModeInfo mode;
};

struct igt_nv3_fb {
	int fd;
	uint32_t handle;
	uint32_t id;
	uint32_t width, height, pitch;
	uint64_t size;
	void *map;
};

/* The connector's preferred mode. Skips without a connected one. */
void igt_nv3_display_init(struct igt_nv3_display *display, int fd);

/* Zeroes, of @bpp bits a pixel; @format is a DRM_FORMAT_*. */
struct igt_nv3_fb igt_nv3_fb_create(int fd, uint32_t width, uint32_t height,
				    uint32_t bpp, uint32_t format);
void igt_nv3_fb_destroy(struct igt_nv3_fb *fb);

/* Sets the mode with @fb on the screen. */
void igt_nv3_display_show(const struct igt_nv3_display *display,
			  const struct igt_nv3_fb *fb);

/* Sets a property by its name; fails when there is none. */
void igt_nv3_set_property(int fd, uint32_t object, uint32_t type,
			  const char *name, uint64_t value);

/* Of a whole frame that begins after the call. Skips without CRCs. */
uint32_t igt_nv3_crc(const struct igt_nv3_display *display);

#endif
