/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include <xf86drm.h>

#include "bench.h"

void client_method(struct client *c, uint32_t subch, uint32_t mthd,
		   uint32_t arg)
{
	if (c->push)
		nv3_push_method(c->push, subch, mthd, arg);
	else
		nv3_pio_method(&c->pio, subch, mthd, arg);
}

void client_fill(struct client *c, uint32_t color)
{
	client_method(c, CLIENT_RECT, NV3_RECT_COLOR, color);
	client_method(c, CLIENT_RECT, NV3_RECT_POINT(0), 0);
	client_method(c, CLIENT_RECT, NV3_RECT_POINT(0) + 4,
		      CLIENT_SIDE << 16 | CLIENT_SIDE);
}

void client_flush(struct client *c)
{
	if (c->push)
		bench_check(nv3_pushbuf_flush(c->push, NULL, 0), "flush");
	else
		bench_check(nv3_channel_flush(c->chan, NULL), "flush");
}

void client_wait(struct client *c)
{
	bench_check(nv3_bo_wait(c->bo, DRM_NV3_GEM_WAIT_WRITE, INT64_MAX),
		    "wait");
}

static void make_objects(struct client *c)
{
	const struct nv3_surface surface = {
		.format = DRM_NV3_FORMAT_X1R5G5B5,
		.pitch = CLIENT_SIDE * 2,
		.width = CLIENT_SIDE,
		.height = CLIENT_SIDE,
	};
	const struct nv3_graph graph = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = 0x17,	/* the raster operation: copy */
		.dst_slots = 1,
	};

	bench_check(nv3_bo_new(c->dev, CLIENT_SIDE * CLIENT_SIDE * 2,
			       DRM_NV3_GEM_VRAM, &c->bo), "buffer");
	bench_check(nv3_surface_new(c->chan, 0, c->bo, &surface, &c->surface),
		    "surface");
	bench_check(nv3_graph_new(c->chan, 0, NV3_CLASS_RECT, &graph, &c->rect),
		    "rectangle");
}

void client_init(struct client *c, uint32_t type)
{
	memset(c, 0, sizeof(*c));
	bench_check(nv3_device_open(NULL, DRM_NODE_RENDER, &c->dev), "open");
	bench_check(nv3_channel_new(c->dev, type, &c->chan), "channel");
	make_objects(c);
	if (type == DRM_NV3_CHANNEL_PIO) {
		bench_check(nv3_pio_init(c->chan, &c->pio), "aperture");
		client_method(c, CLIENT_SURFACE, NV3_MTHD_OBJECT,
			      nv3_object_name(c->surface));
		client_method(c, CLIENT_RECT, NV3_MTHD_OBJECT,
			      nv3_object_name(c->rect));
	} else {
		bench_check(nv3_pushbuf_new(c->chan, &c->push), "pushbuffer");
		nv3_pushbuf_select(c->push, CLIENT_SURFACE, c->surface);
		nv3_pushbuf_select(c->push, CLIENT_RECT, c->rect);
	}
	client_fill(c, 0);
	client_flush(c);
	client_wait(c);
}

int client_add_programs(struct client *c)
{
	uint64_t size;
	int ret = nv3_vm_create(c->dev, &c->vm, &size);

	if (ret)
		return ret;
	bench_check(nv3_programs_object_new(c->chan, 0, c->vm, NULL,
					    &c->programs), "programs");
	nv3_pushbuf_select(c->push, CLIENT_PROGRAMS, c->programs);
	return 0;
}

void client_fini(struct client *c)
{
	nv3_pushbuf_del(c->push);
	nv3_object_unref(c->programs);
	if (c->vm)
		nv3_vm_destroy(c->dev, c->vm);
	nv3_object_unref(c->rect);
	nv3_object_unref(c->surface);
	nv3_bo_unref(c->bo);
	nv3_channel_unref(c->chan);
	nv3_device_unref(c->dev);
}
