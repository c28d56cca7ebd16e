/* SPDX-License-Identifier: MIT */
/*
 * Helpers for nv3_kms_* tests: one connector, one CRTC, dumb frame buffers, and the CRC of the
 * scanout. The installed packages lack libigt's headers, so these helpers call libdrm directly
 * instead of libigt's igt_kms.
 */
#ifndef IGT_NV3_KMS_H
#define IGT_NV3_KMS_H

#include <stdint.h>

#include <xf86drmMode.h>

struct igt_nv3_display {
	int fd;
	uint32_t connector;
	uint32_t crtc;
	uint32_t overlay;	/* a plane, or 0 */
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

/* Finds the connector and its preferred mode. Skips the test if no monitor is connected. */
void igt_nv3_display_init(struct igt_nv3_display *display, int fd);

/* Creates a zero-filled frame buffer with @bpp bits per pixel. @format is a DRM_FORMAT_*. */
struct igt_nv3_fb igt_nv3_fb_create(int fd, uint32_t width, uint32_t height,
				    uint32_t bpp, uint32_t format);
void igt_nv3_fb_destroy(struct igt_nv3_fb *fb);

/* Sets the mode and shows @fb. */
void igt_nv3_display_show(const struct igt_nv3_display *display,
			  const struct igt_nv3_fb *fb);

/* Sets the property @name. The test fails if the object has no such property. */
void igt_nv3_set_property(int fd, uint32_t object, uint32_t type,
			  const char *name, uint64_t value);

/*
 * Returns the CRC of a frame that begins after the call. Skips the test if the driver reports no
 * CRCs.
 */
uint32_t igt_nv3_crc(const struct igt_nv3_display *display);

#endif
