/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <xf86drm.h>

#include "client.h"
#include "message.h"
#include "programs.h"

/* Subchannels. The client binds all its surfaces to SUB_SURFACE, one after the other. */
enum { SUB_SURFACE, SUB_RECT, SUB_DEPTH_RECT, SUB_D3D };

#define SLOT_COLOR	0
#define OP_COPY		0x17

struct client {
	const struct scene *scene;
	struct nv3_device *dev;
	struct nv3_channel *chan;
	struct nv3_pushbuf *push;
	uint32_t pitch;

	struct nv3_bo *pictures[PICTURES];
	struct nv3_object *surfaces[PICTURES];
	struct nv3_bo *zeta_bo;
	struct nv3_object *zeta;
	struct nv3_bo *texture_bo;
	struct nv3_object *texture;
	struct nv3_object *rect, *depth_rect, *d3d;

	uint32_t detail;
	struct mesh *mesh;
	struct geometry *geo;
	struct view view;
	uint32_t state[D3D_STATE];

	/*
	 * With class 0x1F, the client uses these members instead of the surfaces, the texture and
	 * the objects above.
	 */
	struct programs *programs;
	struct programs_target targets[PICTURES];
};

static int new_buffer(struct client *c, struct nv3_bo **bo)
{
	return nv3_bo_new(c->dev, (uint64_t)c->pitch * c->scene->height,
			  DRM_NV3_GEM_VRAM, bo);
}

static int new_surface(struct client *c, uint32_t slot, uint32_t format,
		       struct nv3_bo *bo, struct nv3_object **obj)
{
	const struct nv3_surface info = {
		.slot = slot,
		.format = format,
		.pitch = c->pitch,
		.width = c->scene->width,
		.height = c->scene->height,
	};

	return nv3_surface_new(c->chan, 0, bo, &info, obj);
}

static int make_pictures(struct client *c)
{
	int i, ret = 0;

	/* 16 bits per pixel. A pitch is a multiple of 16 bytes. */
	c->pitch = (c->scene->width * 2 + 15) & ~15u;
	for (i = 0; i < PICTURES && !ret; i++)
		ret = new_buffer(c, &c->pictures[i]);
	return ret;
}

static int make_surfaces(struct client *c)
{
	int i, ret = new_buffer(c, &c->zeta_bo);

	for (i = 0; i < PICTURES && !ret; i++)
		ret = new_surface(c, SLOT_COLOR, DRM_NV3_FORMAT_X1R5G5B5,
				  c->pictures[i], &c->surfaces[i]);
	if (!ret)
		ret = new_surface(c, DRM_NV3_SURFACE_ZETA, DRM_NV3_FORMAT_Y16,
				  c->zeta_bo, &c->zeta);
	return ret;
}

static int make_texture(struct client *c)
{
	uint32_t bytes = texture_bytes(TEXTURE_LOG2, TEXTURE_LOG2_MIN);
	void *texels;
	int ret;

	ret = nv3_bo_new(c->dev, bytes, DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM,
			 &c->texture_bo);
	if (!ret)
		ret = nv3_bo_map(c->texture_bo, &texels);
	if (ret)
		return ret;
	if (texture_paint(texels, c->scene->texture_format, TEXTURE_LOG2,
			  TEXTURE_LOG2_MIN, c->scene->painter))
		return -ENOMEM;
	return nv3_dma_new(c->chan, 0, c->texture_bo, 0, bytes, 0, &c->texture);
}

static int make_objects(struct client *c)
{
	struct nv3_graph rect = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = OP_COPY,
		.dst_slots = 1 << SLOT_COLOR,
	};
	struct nv3_graph depth_rect = {
		.color_format = DRM_NV3_COLOR_Y16,
		.operation = OP_COPY,
		.dst_slots = 1 << DRM_NV3_SURFACE_ZETA,
	};
	struct nv3_graph d3d = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = OP_COPY,
		.dst_slots = 1 << SLOT_COLOR,
		.flags = DRM_NV3_GRAPH_ZETA,
		.dma = { c->texture },
	};
	int ret;

	ret = nv3_graph_new(c->chan, 0, NV3_CLASS_RECT, &rect, &c->rect);
	if (!ret)
		ret = nv3_graph_new(c->chan, 0, NV3_CLASS_RECT, &depth_rect,
				    &c->depth_rect);
	if (!ret)
		ret = nv3_graph_new(c->chan, 0, NV3_CLASS_D3D, &d3d, &c->d3d);
	return ret;
}

static int select_objects(struct client *c)
{
	struct nv3_pushbuf *push = c->push;
	int ret;

	ret = nv3_pushbuf_select(push, SUB_SURFACE, c->zeta);
	if (!ret)
		ret = nv3_pushbuf_select(push, SUB_RECT, c->rect);
	if (!ret)
		ret = nv3_pushbuf_select(push, SUB_DEPTH_RECT, c->depth_rect);
	if (!ret)
		ret = nv3_pushbuf_select(push, SUB_D3D, c->d3d);
	return ret;
}

static void make_state(struct client *c)
{
	const struct scene *scene = c->scene;

	c->state[0] = 0;	/* offset of the texture in the DMA object */
	c->state[1] = scene->texture_format << NV3_D3D_TEX_FORMAT_SHIFT |
		      TEXTURE_LOG2_MIN << NV3_D3D_TEX_SIZE_MIN_SHIFT |
		      (uint32_t)TEXTURE_LOG2 << NV3_D3D_TEX_SIZE_MAX_SHIFT;
	c->state[2] = 0;	/* filter: no level-of-detail bias */
	c->state[3] = scene->fog_color;
	c->state[4] = scene->config;
	c->state[5] = scene->alpha;
}

static int init_class_17(struct client *c)
{
	int ret;

	c->geo = geometry_new(c->mesh->vertex_count);
	if (!c->geo)
		return -ENOMEM;
	make_state(c);
	ret = make_surfaces(c);
	if (!ret)
		ret = make_texture(c);
	if (!ret)
		ret = make_objects(c);
	if (!ret)
		ret = select_objects(c);
	return ret;
}

static int init_programs(struct client *c)
{
	int i, ret;

	ret = programs_new(c->dev, c->chan, c->push, SUB_D3D, c->scene, c->mesh,
			   c->pitch, &c->programs);
	for (i = 0; i < PICTURES && !ret; i++)
		ret = programs_map(c->programs, c->pictures[i], &c->targets[i]);
	return ret;
}

static int client_init(struct client *c, const struct scene *scene,
		       const char *node, const struct client_options *options)
{
	int ret;

	c->scene = scene;
	c->detail = options->detail;
	c->mesh = scene->make_mesh(options->detail);
	if (!c->mesh)
		return -ENOMEM;
	c->view.width = scene->width;
	c->view.height = scene->height;
	/* Pixel centres have integer coordinates. */
	c->view.center_x = (scene->width - 1) / 2.0f;
	c->view.center_y = (scene->height - 1) / 2.0f;

	ret = nv3_device_open(node, DRM_NODE_RENDER, &c->dev);
	if (!ret)
		ret = nv3_channel_new(c->dev, DRM_NV3_CHANNEL_DMA, &c->chan);
	if (!ret)
		ret = nv3_pushbuf_new(c->chan, &c->push);
	if (!ret)
		ret = make_pictures(c);
	if (!ret)
		ret = options->programs ? init_programs(c) : init_class_17(c);
	return ret;
}

static void client_fini(struct client *c)
{
	int i;

	nv3_pushbuf_del(c->push);
	programs_free(c->programs);
	for (i = 0; i < PICTURES; i++) {
		nv3_object_unref(c->surfaces[i]);
		nv3_bo_unref(c->pictures[i]);
	}
	nv3_object_unref(c->zeta);
	nv3_object_unref(c->d3d);
	nv3_object_unref(c->depth_rect);
	nv3_object_unref(c->rect);
	nv3_object_unref(c->texture);
	nv3_bo_unref(c->zeta_bo);
	nv3_bo_unref(c->texture_bo);
	nv3_channel_unref(c->chan);
	nv3_device_unref(c->dev);
	geometry_free(c->geo);
	mesh_free(c->mesh);
}

static void fill(struct client *c, uint32_t subch, uint32_t color)
{
	nv3_push_method(c->push, subch, NV3_RECT_COLOR, color);
	nv3_push_begin(c->push, subch, NV3_RECT_POINT(0), 2);
	nv3_push(c->push, 0);
	nv3_push(c->push, c->scene->height << 16 | c->scene->width);
}

static uint32_t to_1555(uint32_t rgb)
{
	return (rgb >> 9 & 0x7c00) | (rgb >> 6 & 0x3e0) | (rgb >> 3 & 0x1f);
}

/*
 * Draws @rows rows of the mesh, starting with row @first. Returns the number of triangles, or a
 * negative errno.
 */
static int draw_class_17(struct client *c, uint32_t picture, uint32_t first,
			 uint32_t rows)
{
	int ret = nv3_pushbuf_select(c->push, SUB_SURFACE, c->surfaces[picture]);

	if (ret)
		return ret;
	fill(c, SUB_RECT, to_1555(c->scene->fog_color));
	fill(c, SUB_DEPTH_RECT, 0xffff);
	return geometry_draw(c->geo, c->push, SUB_D3D, c->state, &c->view,
			     c->mesh, first, rows);
}

/* Returns the number of triangles, or a negative errno. */
static int draw_picture(struct client *c, const struct draw *draw)
{
	const struct scene *scene = c->scene;
	uint32_t first = 0, rows = c->mesh->rows;
	int ret, triangles;

	scene->set_view(&c->view, draw->time);
	if (scene->rows) {
		scene->rows(draw->time, &first, &rows);
		first *= c->detail;
		rows *= c->detail;
	}
	triangles = c->programs ?
		    programs_draw(c->programs, &c->targets[draw->picture],
				  &c->view, first, rows) :
		    draw_class_17(c, draw->picture, first, rows);
	if (triangles < 0)
		return triangles;
	ret = nv3_pushbuf_flush(c->push, NULL, 0);
	return ret ? ret : triangles;
}

static int say_hello(struct client *c, int sock)
{
	struct hello hello = { .pitch = c->pitch };
	int fds[PICTURES] = { -1, -1 };
	int i, ret = 0;

	for (i = 0; i < PICTURES && !ret; i++)
		ret = nv3_bo_export(c->pictures[i], &fds[i]);
	if (!ret)
		ret = message_send(sock, &hello, sizeof(hello), fds, PICTURES);
	for (i = 0; i < PICTURES; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	return ret;
}

/* Serves requests until the compositor closes the socket. */
static int serve(struct client *c, int sock)
{
	struct drawn drawn;
	struct draw draw;
	int ret;

	ret = say_hello(c, sock);
	while (!ret) {
		ret = message_receive(sock, &draw, sizeof(draw), NULL, 0);
		if (ret == -EPIPE)
			return 0;
		if (!ret && draw.picture >= PICTURES)
			ret = -EPROTO;
		if (ret)
			break;
		ret = draw_picture(c, &draw);
		if (ret < 0)
			break;
		drawn.picture = draw.picture;
		drawn.triangles = ret;
		ret = message_send(sock, &drawn, sizeof(drawn), NULL, 0);
		if (ret == -EPIPE)
			return 0;
	}
	return ret;
}

static void complain(const struct client *c, const char *what, int error)
{
	struct drm_nv3_channel_query query;

	fprintf(stderr, "nv3-demo: %s: %s: %s\n", c->scene->name, what,
		strerror(-error));
	if (c->chan && !nv3_channel_query(c->chan, &query) && query.fault)
		fprintf(stderr,
			"nv3-demo: %s: the channel stopped: %s (subchannel %u, method 0x%04x, data 0x%08x, class 0x%02x)\n",
			c->scene->name, nv3_fault_name(query.fault),
			query.subch, query.method, query.data, query.class_id);
}

static int read_picture(struct client *c, uint16_t *pixels)
{
	const uint32_t width = c->scene->width;
	void *map;
	uint32_t y;
	int ret;

	ret = nv3_bo_wait(c->pictures[0], 0, INT64_MAX);
	if (!ret)
		ret = nv3_bo_map(c->pictures[0], &map);
	for (y = 0; y < c->scene->height && !ret; y++)
		memcpy(pixels + y * width, (char *)map + y * c->pitch,
		       width * sizeof(*pixels));
	return ret;
}

int client_picture(const struct scene *scene, const char *node,
		   const struct client_options *options, float time, uint16_t *pixels)
{
	const struct draw draw = { .picture = 0, .time = time };
	struct client c = { 0 };
	int ret, triangles = 0;

	ret = client_init(&c, scene, node, options);
	if (!ret)
		ret = triangles = draw_picture(&c, &draw);
	if (ret >= 0)
		ret = read_picture(&c, pixels);
	if (ret)
		complain(&c, "drawing", ret);
	client_fini(&c);
	return ret ? ret : triangles;
}

int client_run(const struct scene *scene, const char *node,
	       const struct client_options *options, int sock)
{
	struct client c = { 0 };
	int ret;

	ret = client_init(&c, scene, node, options);
	if (ret) {
		complain(&c, "setting up", ret);
	} else {
		ret = serve(&c, sock);
		if (ret)
			complain(&c, "drawing", ret);
	}
	client_fini(&c);
	return ret ? 1 : 0;
}
