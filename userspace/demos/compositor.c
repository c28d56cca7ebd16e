/* SPDX-License-Identifier: MIT */
/*
 * The compositor requests frame n + 1 from its clients before it composes frame n, so clients
 * compute while the chip draws. No process waits until a picture is complete. Instead,
 * batches list the buffers that they read and write. The kernel delays a batch until
 * earlier batches that use the same buffers are done.
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <xf86drm.h>

#include "compositor.h"
#include "message.h"
#include "screen.h"
#include "totals.h"

enum { SUB_TARGET, SUB_SOURCE, SUB_RECT, SUB_BLIT };

#define SLOT_TARGET	0
#define SLOT_SOURCE	1
#define OP_COPY		0x17
#define BACKGROUND	0x18c6	/* X1R5G5B5 */
/*
 * Scene time per frame in seconds, if the number of frames is limited. This time is constant, so
 * that each run draws the same pictures.
 */
#define FRAME_SECONDS	(1 / 30.0)

/*
 * A client's part of the screen: the client's pictures as source surfaces, and a target surface in
 * each screen buffer
 */
struct pane {
	struct nv3_bo *pictures[PICTURES];
	struct nv3_object *sources[PICTURES];
	struct nv3_object *targets[SCREEN_BUFFERS];
};

struct counts {
	double time;
	uint64_t frames, triangles;
	bool has_totals;
	struct nv3_totals totals;	/* counts of all clients of the device */
};

struct compositor {
	const struct compositor_options *options;
	const int *socks;
	struct nv3_device *dev;
	struct nv3_channel *chan;
	struct nv3_pushbuf *push;
	struct screen screen;
	struct nv3_object *whole[SCREEN_BUFFERS];
	struct nv3_object *rect, *blit;
	struct pane panes[SCENES];
	uint32_t buffer;	/* index of the current frame's screen buffer */

	/* counts at the start of the run, and at the start of the current second */
	struct counts start, last;
	uint64_t frames, triangles;
};

static int complain(const char *what, int error)
{
	fprintf(stderr, "nv3-demo: %s: %s\n", what, strerror(-error));
	return error;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* ---- figures ---- */

static void count(struct compositor *c, struct counts *counts)
{
	counts->has_totals = !nv3_totals_read(nv3_device_fd(c->dev),
					      &counts->totals);
	counts->time = now();
	counts->frames = c->frames;
	counts->triangles = c->triangles;
}

static void report(const char *what, const struct counts *from,
		   const struct counts *to)
{
	double seconds = to->time - from->time;

	if (seconds <= 0)
		return;
	printf("%s: %.1f frames/s, %.0f triangles/s", what,
	       (to->frames - from->frames) / seconds,
	       (to->triangles - from->triangles) / seconds);
	if (from->has_totals && to->has_totals)
		printf(", %.0f batches/s, %.0f context switches/s",
		       (to->totals.batches - from->totals.batches) / seconds,
		       (to->totals.switches - from->totals.switches) / seconds);
	printf("\n");
	fflush(stdout);
}

static void report_second(struct compositor *c)
{
	struct counts counts;

	if (now() - c->last.time < 1)
		return;
	count(c, &counts);
	report("nv3-demo", &c->last, &counts);
	c->last = counts;
}

static void report_all(struct compositor *c)
{
	struct counts counts;
	char what[64];

	count(c, &counts);
	snprintf(what, sizeof(what), "nv3-demo: all %.1f s, %llu frames",
		 counts.time - c->start.time,
		 (unsigned long long)counts.frames);
	report(what, &c->start, &counts);
}

/* ---- setting up ---- */

/*
 * Creates the target surface of a pane in a screen buffer. The surface covers only the pane: BLIT
 * clips to the size of its smallest surface, so copies to a surface of the whole screen would be
 * clipped.
 */
static int make_target(struct compositor *c, const struct scene *scene,
		       uint32_t buffer, struct nv3_object **out)
{
	struct nv3_surface info = {
		.slot = SLOT_TARGET,
		.format = DRM_NV3_FORMAT_X1R5G5B5,
		.offset = scene->y * c->screen.pitch + scene->x * 2,
		.pitch = c->screen.pitch,
		.width = scene->width,
		.height = scene->height,
	};

	return nv3_surface_new(c->chan, 0, c->screen.bos[buffer], &info, out);
}

static int make_source(struct compositor *c, const struct scene *scene,
		       uint32_t pitch, int fd, struct nv3_bo **bo,
		       struct nv3_object **out)
{
	struct nv3_surface info = {
		.slot = SLOT_SOURCE,
		.format = DRM_NV3_FORMAT_X1R5G5B5,
		.pitch = pitch,
		.width = scene->width,
		.height = scene->height,
		.access = DRM_NV3_BUFFER_READ,
	};
	int ret;

	ret = nv3_bo_import(c->dev, fd, bo);
	return ret ? ret : nv3_surface_new(c->chan, 0, *bo, &info, out);
}

static int make_pane(struct compositor *c, int n)
{
	const struct scene *scene = &scenes[n];
	struct pane *pane = &c->panes[n];
	struct hello hello;
	int fds[PICTURES];
	int i, ret;

	ret = message_receive(c->socks[n], &hello, sizeof(hello), fds,
			      PICTURES);
	if (ret)
		return ret;
	for (i = 0; i < PICTURES; i++) {
		if (!ret)
			ret = make_source(c, scene, hello.pitch, fds[i],
					  &pane->pictures[i],
					  &pane->sources[i]);
		close(fds[i]);
	}
	for (i = 0; i < c->screen.count && !ret; i++)
		ret = make_target(c, scene, i, &pane->targets[i]);
	return ret;
}

static int make_objects(struct compositor *c)
{
	struct nv3_graph rect = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = OP_COPY,
		.dst_slots = 1 << SLOT_TARGET,
	};
	struct nv3_graph blit = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = OP_COPY,
		.dst_slots = 1 << SLOT_TARGET,
		.src_slot = SLOT_SOURCE,
	};
	struct nv3_surface whole = {
		.slot = SLOT_TARGET,
		.format = DRM_NV3_FORMAT_X1R5G5B5,
		.pitch = c->screen.pitch,
		.width = c->screen.width,
		.height = c->screen.height,
	};
	int i, ret;

	ret = nv3_graph_new(c->chan, 0, NV3_CLASS_RECT, &rect, &c->rect);
	if (!ret)
		ret = nv3_graph_new(c->chan, 0, NV3_CLASS_BLIT, &blit,
				    &c->blit);
	for (i = 0; i < c->screen.count && !ret; i++)
		ret = nv3_surface_new(c->chan, 0, c->screen.bos[i], &whole,
				      &c->whole[i]);
	return ret;
}

/*
 * Draws the background around the panes in all screen buffers. Drawing it once is sufficient,
 * because blits never overwrite the background.
 */
static int paint_background(struct compositor *c)
{
	struct nv3_pushbuf *push = c->push;
	int i, ret;

	ret = nv3_pushbuf_select(push, SUB_RECT, c->rect);
	for (i = 0; i < c->screen.count && !ret; i++) {
		ret = nv3_pushbuf_select(push, SUB_TARGET, c->whole[i]);
		nv3_push_method(push, SUB_RECT, NV3_RECT_COLOR, BACKGROUND);
		nv3_push_begin(push, SUB_RECT, NV3_RECT_POINT(0), 2);
		nv3_push(push, 0);
		nv3_push(push, c->screen.height << 16 | c->screen.width);
	}
	if (!ret)
		ret = nv3_pushbuf_select(push, SUB_BLIT, c->blit);
	return ret;
}

static int compositor_init(struct compositor *c)
{
	int i, ret;

	ret = nv3_device_open(c->options->node, DRM_NODE_PRIMARY, &c->dev);
	if (ret)
		return complain(c->options->node ? c->options->node : "no nv3",
				ret);
	ret = screen_init(&c->screen, c->dev, SCREEN_WIDTH, SCREEN_HEIGHT,
			  !c->options->no_vsync);
	if (ret)
		return ret;
	ret = nv3_channel_new(c->dev, DRM_NV3_CHANNEL_DMA, &c->chan);
	if (!ret)
		ret = nv3_pushbuf_new(c->chan, &c->push);
	if (!ret)
		ret = make_objects(c);
	if (!ret)
		ret = paint_background(c);
	if (ret)
		return complain("compositor", ret);
	for (i = 0; i < SCENES; i++) {
		ret = make_pane(c, i);
		if (ret)
			return complain(scenes[i].name, ret);
	}
	return 0;
}

static void compositor_fini(struct compositor *c)
{
	int i, j;

	nv3_pushbuf_del(c->push);
	for (i = 0; i < SCENES; i++) {
		for (j = 0; j < PICTURES; j++) {
			nv3_object_unref(c->panes[i].sources[j]);
			nv3_bo_unref(c->panes[i].pictures[j]);
		}
		for (j = 0; j < SCREEN_BUFFERS; j++)
			nv3_object_unref(c->panes[i].targets[j]);
	}
	for (i = 0; i < SCREEN_BUFFERS; i++)
		nv3_object_unref(c->whole[i]);
	nv3_object_unref(c->rect);
	nv3_object_unref(c->blit);
	nv3_channel_unref(c->chan);
	screen_fini(&c->screen);
	nv3_device_unref(c->dev);
}

/* ---- frames ---- */

static int ask(struct compositor *c, uint64_t frame)
{
	struct draw draw = {
		.picture = frame % PICTURES,
		.time = c->options->frames ? frame * FRAME_SECONDS :
					     now() - c->start.time,
	};
	int i, ret;

	for (i = 0; i < SCENES; i++) {
		ret = message_send(c->socks[i], &draw, sizeof(draw), NULL, 0);
		if (ret)
			return complain(scenes[i].name, ret);
	}
	return 0;
}

static int await(struct compositor *c, uint64_t frame)
{
	struct drawn drawn;
	int i, ret;

	for (i = 0; i < SCENES; i++) {
		ret = message_receive(c->socks[i], &drawn, sizeof(drawn), NULL,
				      0);
		if (!ret && drawn.picture != frame % PICTURES)
			ret = -EPROTO;
		if (ret)
			return complain(scenes[i].name, ret);
		c->triangles += drawn.triangles;
	}
	return 0;
}

static int compose(struct compositor *c, uint64_t frame)
{
	struct nv3_pushbuf *push = c->push;
	int i, ret;

	for (i = 0; i < SCENES; i++) {
		const struct scene *scene = &scenes[i];
		struct pane *pane = &c->panes[i];

		ret = nv3_pushbuf_select(push, SUB_TARGET,
					 pane->targets[c->buffer]);
		if (!ret)
			ret = nv3_pushbuf_select(push, SUB_SOURCE,
						 pane->sources[frame % PICTURES]);
		if (ret)
			return complain("compositor", ret);
		nv3_push_begin(push, SUB_BLIT, NV3_BLIT_POINT_IN, 3);
		nv3_push(push, 0);
		nv3_push(push, 0);
		nv3_push(push, scene->height << 16 | scene->width);
	}
	ret = nv3_pushbuf_flush(push, NULL, 0);
	return ret ? complain("compositor", ret) : 0;
}

static int print_crc(struct compositor *c, uint64_t frame)
{
	uint32_t crc;
	int ret;

	ret = screen_crc(&c->screen, c->buffer, &crc);
	if (ret)
		return ret;
	printf("frame %llu crc %08x\n", (unsigned long long)frame, crc);
	fflush(stdout);
	return 0;
}

static bool more(const struct compositor *c, uint64_t frame)
{
	if (c->options->frames && frame >= c->options->frames)
		return false;
	return !c->options->seconds ||
	       now() - c->start.time < c->options->seconds;
}

static int run(struct compositor *c, const volatile sig_atomic_t *stop)
{
	bool go_on = true;
	uint64_t frame;
	int ret;

	count(c, &c->start);
	c->last = c->start;
	ret = ask(c, 0);
	for (frame = 0; !ret && go_on; frame++) {
		ret = await(c, frame);
		if (ret)
			break;
		go_on = !*stop && more(c, frame + 1);
		if (go_on)
			ret = ask(c, frame + 1);
		if (!ret)
			ret = screen_next_buffer(&c->screen, &c->buffer);
		if (!ret)
			ret = compose(c, frame);
		if (!ret)
			ret = screen_show(&c->screen, c->buffer);
		if (!ret && c->options->crc)
			ret = print_crc(c, frame);
		if (ret)
			break;
		c->frames++;
		report_second(c);
	}
	if (ret)
		return ret;
	report_all(c);
	if (c->options->png)
		ret = screen_save(&c->screen, c->buffer, c->options->png);
	return ret;
}

int compositor_run(const struct compositor_options *options,
		   const int socks[SCENES], const volatile sig_atomic_t *stop)
{
	struct compositor c = { .options = options, .socks = socks };
	int ret;

	ret = compositor_init(&c);
	if (!ret)
		ret = run(&c, stop);
	compositor_fini(&c);
	return ret;
}
