/* SPDX-License-Identifier: MIT */
#include "igt.h"
#include "nv3_picture.h"

const struct format formats[FORMATS] = {
	{ "y8", DRM_NV3_FORMAT_Y8, DRM_NV3_COLOR_Y8, 1, 0xff },
	{ "y16", DRM_NV3_FORMAT_Y16, DRM_NV3_COLOR_Y16, 2, 0xffff },
	{ "x1r5g5b5", DRM_NV3_FORMAT_X1R5G5B5, DRM_NV3_COLOR_X1R5G5B5, 2, 0x7fff },
	{ "x8r8g8b8", DRM_NV3_FORMAT_X8R8G8B8, DRM_NV3_COLOR_X8R8G8B8, 4, 0xffffff },
};

void picture_init(struct picture *p, int fd, uint32_t format)
{
	p->fd = fd;
	p->channel = igt_nv3_channel_create(fd);
	p->format = format;
	p->cpp = formats[format].cpp;
	p->bo = igt_nv3_bo_create(fd, SIDE * SIDE * p->cpp, DRM_NV3_GEM_VRAM);
	memset(p->bo.map, 0, p->bo.size);
	memset(p->want, 0, sizeof(p->want));
	igt_nv3_batch_init(&p->batch, fd, p->channel);
	igt_nv3_surface(fd, p->channel, SURFACE, 0, formats[format].surface,
			&p->bo, SIDE * p->cpp, SIDE, SIDE);
	igt_nv3_use(&p->batch, &p->bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(&p->batch, SUB_SURFACE, SURFACE);
}

void picture_fini(struct picture *p)
{
	igt_nv3_batch_fini(&p->batch);
	igt_nv3_channel_destroy(p->fd, p->channel);
	igt_nv3_bo_destroy(&p->bo);
}

void picture_object(struct picture *p, uint32_t class_id,
		    uint32_t color_format, uint32_t flags, uint32_t dma)
{
	struct drm_nv3_graph_args args = {
		.color_format = color_format,
		.operation = NV3_OP_COPY,
		.dst_slots = 1 << 0,
		.flags = flags,
		.dma = { dma },
	};

	igt_assert_eq(__igt_nv3_object(p->fd, p->channel, OBJECT, class_id,
				       &args, sizeof(args)), 0);
	igt_nv3_select(&p->batch, SUB, OBJECT);
}

uint32_t picture_pixel(const struct picture *p, uint32_t x, uint32_t y)
{
	uint32_t i = y * SIDE + x, mask = formats[p->format].mask;

	switch (p->cpp) {
	case 1:
		return ((uint8_t *)p->bo.map)[i] & mask;
	case 2:
		return ((uint16_t *)p->bo.map)[i] & mask;
	default:
		return ((uint32_t *)p->bo.map)[i] & mask;
	}
}

void picture_check(struct picture *p)
{
	uint32_t x, y, drawn = 0;

	igt_nv3_run_ok(&p->batch);
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			uint32_t want = p->want[y * SIDE + x] &
					formats[p->format].mask;

			drawn += want != 0;
			igt_assert_f(picture_pixel(p, x, y) == want,
				     "pixel %u,%u is %x, not %x\n", x, y,
				     picture_pixel(p, x, y), want);
		}
	}
	igt_assert_lt(0, drawn);
	igt_nv3_use(&p->batch, &p->bo, NV3_READ | NV3_WRITE);
}

void want_pixel(struct picture *p, int x, int y, uint32_t color)
{
	if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
		p->want[y * SIDE + x] = color;
}

uint32_t pattern(uint32_t x, uint32_t y, uint32_t color_format)
{
	uint32_t r = (x * 5 + y) & 31, g = (y * 3 + x / 2 + 1) & 31;
	uint32_t b = (x * y + 7) & 31;

	switch (color_format) {
	case DRM_NV3_COLOR_Y8:
		return (x * 5 + y * 37 + 1) & 0xff;
	case DRM_NV3_COLOR_Y16:
		return (x * 1031 + y * 733 + 1) & 0xffff;
	case DRM_NV3_COLOR_X1R5G5B5:
		return r << 10 | g << 5 | b;
	case DRM_NV3_COLOR_X2R10G10B10:
		return r << 25 | g << 15 | b << 5;
	default:
		return r << 19 | g << 11 | b << 3;
	}
}

uint32_t converted(const struct picture *p, uint32_t x, uint32_t y)
{
	return pattern(x, y, formats[p->format].color);
}
