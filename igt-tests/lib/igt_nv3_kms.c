/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <drm_fourcc.h>

#include "igt.h"
#include "igt_nv3_kms.h"

/*
 * Number of CRCs to read. The first frame may have begun before the call, so only the last CRC is
 * used.
 */
#define CRC_FRAMES	2
/* Maximum length of a line of the CRC file in debugfs. A line has the form "0x%08x 0x%08x\n". */
#define CRC_LINE	64

static uint32_t find_overlay(int fd)
{
	drmModePlaneRes *res = drmModeGetPlaneResources(fd);
	uint32_t i, j, found = 0;

	igt_assert(res);
	for (i = 0; i < res->count_planes && !found; i++) {
		drmModePlane *plane = drmModeGetPlane(fd, res->planes[i]);

		igt_assert(plane);
		for (j = 0; j < plane->count_formats; j++)
			if (plane->formats[j] == DRM_FORMAT_YUYV)
				found = plane->plane_id;
		drmModeFreePlane(plane);
	}
	drmModeFreePlaneResources(res);
	return found;
}

void igt_nv3_display_init(struct igt_nv3_display *display, int fd)
{
	drmModeRes *res = drmModeGetResources(fd);
	drmModeConnector *connector;

	igt_assert(res && res->count_connectors && res->count_crtcs);
	connector = drmModeGetConnector(fd, res->connectors[0]);
	igt_assert(connector);
	igt_require_f(connector->connection != DRM_MODE_DISCONNECTED &&
		      connector->count_modes, "no monitor\n");

	memset(display, 0, sizeof(*display));
	display->fd = fd;
	display->connector = connector->connector_id;
	display->crtc = res->crtcs[0];
	display->mode = connector->modes[0];
	drmModeFreeConnector(connector);
	drmModeFreeResources(res);
	/* Without this client capability, DRM does not list the primary and cursor planes. */
	igt_assert_eq(drmSetClientCap(fd, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1), 0);
	display->overlay = find_overlay(fd);
}

struct igt_nv3_fb igt_nv3_fb_create(int fd, uint32_t width, uint32_t height,
				    uint32_t bpp, uint32_t format)
{
	struct drm_mode_create_dumb create = {
		.width = width, .height = height, .bpp = bpp,
	};
	struct drm_mode_map_dumb map = { 0 };
	uint32_t handles[4] = { 0 }, pitches[4] = { 0 }, offsets[4] = { 0 };
	struct igt_nv3_fb fb = { .fd = fd, .width = width, .height = height };

	do_ioctl(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create);
	fb.handle = map.handle = handles[0] = create.handle;
	fb.pitch = pitches[0] = create.pitch;
	fb.size = create.size;
	do_ioctl(fd, DRM_IOCTL_MODE_MAP_DUMB, &map);
	fb.map = mmap(NULL, fb.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		      map.offset);
	igt_assert(fb.map != MAP_FAILED);
	memset(fb.map, 0, fb.size);
	igt_assert_eq(drmModeAddFB2(fd, width, height, format, handles, pitches,
				    offsets, &fb.id, 0), 0);
	return fb;
}

void igt_nv3_fb_destroy(struct igt_nv3_fb *fb)
{
	struct drm_mode_destroy_dumb destroy = { .handle = fb->handle };

	munmap(fb->map, fb->size);
	igt_assert_eq(drmModeRmFB(fb->fd, fb->id), 0);
	do_ioctl(fb->fd, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
}

void igt_nv3_display_show(const struct igt_nv3_display *display,
			  const struct igt_nv3_fb *fb)
{
	drmModeModeInfo mode = display->mode;
	uint32_t connector = display->connector;

	igt_assert_eq(drmModeSetCrtc(display->fd, display->crtc, fb->id, 0, 0,
				     &connector, 1, &mode), 0);
}

void igt_nv3_set_property(int fd, uint32_t object, uint32_t type,
			  const char *name, uint64_t value)
{
	drmModeObjectProperties *props =
		drmModeObjectGetProperties(fd, object, type);
	uint32_t i, id = 0;

	igt_assert(props);
	for (i = 0; i < props->count_props; i++) {
		drmModePropertyRes *prop =
			drmModeGetProperty(fd, props->props[i]);

		igt_assert(prop);
		if (!strcmp(prop->name, name))
			id = prop->prop_id;
		drmModeFreeProperty(prop);
	}
	drmModeFreeObjectProperties(props);
	igt_assert_f(id, "no property '%s'\n", name);
	igt_assert_eq(drmModeObjectSetProperty(fd, object, type, id, value), 0);
}

static int open_crc(const struct igt_nv3_display *display, const char *name,
		    int flags)
{
	struct stat st;
	char path[128];

	igt_assert_eq(fstat(display->fd, &st), 0);
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/crtc-0/crc/%s",
		 minor(st.st_rdev), name);
	return open(path, flags);
}

uint32_t igt_nv3_crc(const struct igt_nv3_display *display)
{
	uint32_t frame, crc = 0, i;
	char line[CRC_LINE + 1];
	int fd;

	fd = open_crc(display, "control", O_WRONLY);
	igt_require_f(fd >= 0 && write(fd, "auto", 4) == 4, "no CRCs\n");
	close(fd);
	fd = open_crc(display, "data", O_RDONLY);
	igt_require_f(fd >= 0, "no CRCs\n");
	for (i = 0; i < CRC_FRAMES; i++) {
		ssize_t len = read(fd, line, CRC_LINE);

		igt_assert(len > 0);
		line[len] = 0;
		igt_assert_eq(sscanf(line, "%x %x", &frame, &crc), 2);
	}
	close(fd);
	return crc;
}
