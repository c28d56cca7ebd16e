/* SPDX-License-Identifier: MIT */
#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("Enumeration of classes, and classes that hardware or software can execute.");

#define CANARY	0xdeadbeef

static uint32_t enumerate(int fd, uint32_t *classes, uint32_t count)
{
	struct drm_nv3_class_enumerate req = {
		.classes = (uintptr_t)classes, .count = count,
	};

	do_ioctl(fd, DRM_IOCTL_NV3_CLASS_ENUMERATE, &req);
	return req.count;
}

static void test_count(int fd)
{
	uint32_t classes[256];
	uint32_t i, total, requested;

	total = enumerate(fd, NULL, 0);
	igt_assert(total > 0 && total < ARRAY_SIZE(classes));

	for (requested = 0; requested <= total + 1; requested++) {
		for (i = 0; i < ARRAY_SIZE(classes); i++)
			classes[i] = CANARY;
		igt_assert_eq(enumerate(fd, classes, requested), total);
		for (i = 0; i < ARRAY_SIZE(classes); i++)
			igt_assert_eq(classes[i] == CANARY,
				      i >= requested || i >= total);
	}
}

static void test_unique(int fd)
{
	uint32_t classes[256];
	uint32_t i, j, total;

	total = enumerate(fd, classes, ARRAY_SIZE(classes));
	for (i = 0; i < total; i++) {
		for (j = 0; j < i; j++)
			igt_assert_neq_u32(classes[i], classes[j]);
	}
}

/* Every device must have these classes, because libdrm_nv3 and Mesa rely on them. */
static void test_required(int fd)
{
	static const uint32_t required[] = {
		NV3_CLASS_ROP, NV3_CLASS_CLIP, NV3_CLASS_PATTERN,
		NV3_CLASS_RECT, NV3_CLASS_M2MF, NV3_CLASS_BLIT, NV3_CLASS_IFC,
		NV3_CLASS_D3D, NV3_CLASS_SURFACE, DRM_NV3_CLASS_DMA,
	};
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(required); i++)
		igt_assert_f(igt_nv3_has_class(fd, required[i]),
			     "no class 0x%02x\n", required[i]);
}

/* Each class that the driver enumerates can be instantiated, and the object can be bound. */
static void test_instantiate(int fd)
{
	uint32_t classes[256];
	struct igt_nv3_client client;
	uint32_t i, total;

	igt_nv3_client_init(&client, fd);
	total = enumerate(fd, classes, ARRAY_SIZE(classes));
	for (i = 0; i < total; i++) {
		/*
		 * Skip PROGRAMS, software classes and surfaces, because their arguments have other
		 * structures.
		 */
		if (classes[i] >= DRM_NV3_CLASS_PROGRAMS ||
		    classes[i] == NV3_CLASS_SURFACE)
			continue;
		igt_debug("class 0x%02x\n", classes[i]);
		igt_nv3_graph(fd, client.channel, 0x1000 + i, classes[i], 1);
		igt_nv3_select(&client.batch, IGT_NV3_SUB_FREE, 0x1000 + i);
		igt_nv3_run_ok(&client.batch);
	}
	igt_nv3_assert_draws(&client, 1);
	igt_nv3_client_fini(&client);
}

static void test_bad(int fd)
{
	struct drm_nv3_class_enumerate req = { .classes = 8, .count = 1 };

	do_ioctl_err(fd, DRM_IOCTL_NV3_CLASS_ENUMERATE, &req, EFAULT);
	req.classes = 0;
	req.count = 0;
	req.pad = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CLASS_ENUMERATE, &req, EINVAL);
}

/* ---- class RECT, executed by the chip or by the resource manager ---- */

#define SIDE		64
#define OBJECT		0x1000
#define NOTIFY		0x1001
#define SUB		IGT_NV3_SUB_FREE
/*
 * Operation ROP_SDD (rnndb). The raster operation is a truth table of eight bits. For each bit of a
 * pixel, an index into the table is formed: bit 0 of the index is the source bit, and bits 1 and 2
 * are both the destination bit. ROP_XOR has ones at index 1 (only the source bit is set) and at
 * index 6 (only the destination bit is set).
 */
#define OP_ROP_SDD	0x01
#define ROP_XOR		0x42

static uint32_t yx(int y, int x)
{
	return (uint32_t)y << 16 | (x & 0xffff);
}

/*
 * If NV3_EMULATED is 0x07, the resource manager must execute class RECT. Only debugfs shows whether
 * the chip or the resource manager executes a class.
 */
static void check_who_draws(int fd)
{
	const char *emulated = getenv("NV3_EMULATED");
	char path[64], line[256];
	bool software = false;
	FILE *file;
	int i;

	if (!emulated)
		return;
	igt_nv3_require_debug(fd);
	igt_assert_eq(strtoul(emulated, NULL, 0), NV3_CLASS_RECT);
	for (i = 0; i < 64; i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%d/channels", i);
		file = fopen(path, "r");
		if (!file)
			continue;
		while (fgets(line, sizeof(line), file))
			software |= strstr(line, "class 07 rect, software") != NULL;
		fclose(file);
	}
	igt_assert_f(software, "debugfs shows no RECT object of the resource manager\n");
}

static const struct {
	uint32_t format, color, cpp, mask;
} surfaces[] = {
	{ DRM_NV3_FORMAT_Y8, DRM_NV3_COLOR_Y8, 1, 0xff },
	{ DRM_NV3_FORMAT_Y16, DRM_NV3_COLOR_Y16, 2, 0xffff },
	{ DRM_NV3_FORMAT_X1R5G5B5, DRM_NV3_COLOR_X1R5G5B5, 2, 0x7fff },
	{ DRM_NV3_FORMAT_X8R8G8B8, DRM_NV3_COLOR_X8R8G8B8, 4, 0xffffff },
};

static const struct rect {
	int x, y, w, h;
} rects[] = {
	{ 0, 0, 64, 64 }, { 3, 5, 20, 11 }, { 10, 2, 1, 60 }, { 0, 40, 63, 1 },
	{ 30, 30, 1, 1 }, { 40, 40, 0, 9 }, { 40, 40, 9, 0 }, { -7, -9, 30, 20 },
	{ 50, 55, 100, 100 }, { -300, 20, 2000, 3 }, { 33, -200, 2, 1000 },
	{ 64, 0, 5, 5 }, { 0, 64, 5, 5 }, { -5, 10, 5, 5 }, { 7, 20, 37, 41 },
	{ -32768, 60, 32800, 2 },
};

static uint32_t rect_color(uint32_t i, uint32_t mask)
{
	return (i * 0x9e3779b1u >> 3 | 1) & mask;
}

/*
 * In the picture @want, sets the pixels of @r that are inside @clip to @color. If @differ is true,
 * XORs these pixels with @color instead.
 */
static void want_rect(uint32_t *want, const struct rect *r,
		      const struct rect *clip, uint32_t color, bool differ)
{
	int x, y;

	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			if (x < r->x || x >= r->x + r->w || y < r->y ||
			    y >= r->y + r->h || x < clip->x ||
			    x >= clip->x + clip->w || y < clip->y ||
			    y >= clip->y + clip->h)
				continue;
			want[y * SIDE + x] = differ ?
				want[y * SIDE + x] ^ color : color;
		}
	}
}

static void check_pixels(const struct igt_nv3_bo *bo, const uint32_t *want,
			 uint32_t cpp, uint32_t mask)
{
	uint32_t i, got;

	for (i = 0; i < SIDE * SIDE; i++) {
		got = 0;
		memcpy(&got, (uint8_t *)bo->map + i * cpp, cpp);
		igt_assert_f((got & mask) == want[i],
			     "pixel %u,%u is %x, not %x\n", i % SIDE, i / SIDE,
			     got & mask, want[i]);
	}
}

/*
 * Draws all of rects[] to a surface of format surfaces[@surface], and checks the result. The
 * operation is XOR if @differ is true, and COPY otherwise. If @clipped is true, a clip limits the
 * drawing.
 */
static void draw_rects(struct igt_nv3_client *client, uint32_t surface,
		       bool differ, bool clipped)
{
	static const struct rect none = { 0, 0, SIDE, SIDE }, some = { 9, 3, 40, 50 };
	struct drm_nv3_graph_args args = {
		.color_format = surfaces[surface].color,
		.operation = differ ? OP_ROP_SDD : NV3_OP_COPY,
		.dst_slots = 1,
		.flags = clipped ? DRM_NV3_GRAPH_CLIP : 0,
	};
	uint32_t cpp = surfaces[surface].cpp, mask = surfaces[surface].mask;
	struct igt_nv3_batch *batch = &client->batch;
	uint32_t want[SIDE * SIDE] = { 0 }, i, name = OBJECT + 16 * surface;
	struct igt_nv3_bo bo;

	name += 0x100 * differ + 0x200 * clipped;
	bo = igt_nv3_bo_create(client->fd, SIDE * SIDE * cpp, DRM_NV3_GEM_VRAM);
	memset(bo.map, 0, bo.size);
	igt_nv3_surface(client->fd, client->channel, name, 0,
			surfaces[surface].format, &bo, SIDE * cpp, SIDE, SIDE);
	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, name + 1,
				       NV3_CLASS_RECT, &args, sizeof(args)), 0);
	igt_nv3_graph(client->fd, client->channel, name + 2, NV3_CLASS_ROP, 1);
	igt_nv3_graph(client->fd, client->channel, name + 3, NV3_CLASS_CLIP, 1);
	igt_nv3_use(batch, &bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, IGT_NV3_SUB_COLOR, name);
	igt_nv3_select(batch, SUB, name + 2);
	igt_nv3_method(batch, SUB, NV3_ROP_ROP, ROP_XOR);
	igt_nv3_select(batch, SUB, name + 3);
	igt_nv3_method(batch, SUB, NV3_CLIP_POINT, yx(some.y, some.x));
	igt_nv3_method(batch, SUB, NV3_CLIP_SIZE, yx(some.h, some.w));
	igt_nv3_select(batch, SUB, name + 1);
	for (i = 0; i < ARRAY_SIZE(rects); i++) {
		const struct rect *r = &rects[i];

		igt_nv3_method(batch, SUB, NV3_RECT_COLOR, rect_color(i, mask));
		igt_nv3_method(batch, SUB, NV3_RECT_POINT(i), yx(r->y, r->x));
		igt_nv3_method(batch, SUB, NV3_RECT_SIZE(i), yx(r->h, r->w));
		want_rect(want, r, clipped ? &some : &none, rect_color(i, mask),
			  differ);
	}
	igt_nv3_run_ok(batch);
	check_pixels(&bo, want, cpp, mask);
	igt_nv3_bo_destroy(&bo);
}

static void test_emulated(int fd)
{
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	check_who_draws(fd);
	for (i = 0; i < ARRAY_SIZE(surfaces); i++) {
		draw_rects(&client, i, false, false);
		draw_rects(&client, i, false, true);
		/*
		 * With XOR, the test also detects a rectangle that draws a pixel twice. On Y16
		 * surfaces, the chip supports only COPY.
		 */
		if (surfaces[i].format == DRM_NV3_FORMAT_Y16)
			continue;
		draw_rects(&client, i, true, false);
		draw_rects(&client, i, true, true);
	}
	igt_nv3_client_fini(&client);
}

/*
 * Two channels draw rectangles. They alternately submit batches of one method each, so that the
 * chip switches channels between the methods of a rectangle.
 */
static void test_emulated_switch(int fd)
{
	struct igt_nv3_client clients[2];
	uint32_t i, j;

	for (i = 0; i < 2; i++)
		igt_nv3_client_init(&clients[i], fd);
	for (j = 0; j < 40; j++) {
		for (i = 0; i < 2; i++) {
			struct igt_nv3_batch *batch = &clients[i].batch;

			igt_nv3_use(batch, &clients[i].color,
				    NV3_READ | NV3_WRITE);
			if (j % 4 == 0)
				igt_nv3_fill(&clients[i], 0, 0, SIDE, SIDE, 0);
			else if (j % 4 == 1)
				igt_nv3_method(batch, IGT_NV3_SUB_RECT,
					       NV3_RECT_COLOR,
					       0x1111 * (i + 1) + j);
			else if (j % 4 == 2)
				igt_nv3_method(batch, IGT_NV3_SUB_RECT,
					       NV3_RECT_POINT(0), yx(3 + i, 9));
			else
				igt_nv3_method(batch, IGT_NV3_SUB_RECT,
					       NV3_RECT_SIZE(0), yx(30, j + 5));
			igt_assert_eq(__igt_nv3_submit(batch, 0), 0);
		}
		if (j % 4 != 3)
			continue;
		for (i = 0; i < 2; i++) {
			igt_nv3_bo_wait(&clients[i].color);
			igt_nv3_assert_rect(&clients[i], 9, 3 + i, j + 5, 30,
					    (0x1111 * (i + 1) + j - 2) & 0x7fff,
					    0);
		}
	}
	for (i = 0; i < 2; i++) {
		igt_assert_eq(igt_nv3_fault(fd, clients[i].channel, NULL), 0);
		igt_nv3_client_fini(&clients[i]);
	}
}

/*
 * NOTIFY requests one notification. The chip or the resource manager writes the notification when
 * the method after NOTIFY has completed, and changes no other memory.
 */
static void test_emulated_notify(int fd)
{
	static const uint32_t methods[] = {
		NV3_RECT_COLOR, NV3_RECT_POINT(0), NV3_RECT_SIZE(0),
	};
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = 1,
		.dma_notify = NOTIFY,
	};
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;
	uint32_t i, j, *words;

	igt_nv3_client_init(&client, fd);
	bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	words = bo.map;
	igt_nv3_dma(fd, client.channel, NOTIFY, &bo, DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, OBJECT,
				       NV3_CLASS_RECT, &args, sizeof(args)), 0);
	igt_nv3_select(&client.batch, SUB, OBJECT);
	for (i = 0; i < ARRAY_SIZE(methods); i++) {
		memset(bo.map, 0xff, bo.size);
		igt_nv3_use(&client.batch, &bo, NV3_READ | NV3_WRITE);
		igt_nv3_use(&client.batch, &client.color, NV3_READ | NV3_WRITE);
		for (j = 0; j < ARRAY_SIZE(methods); j++) {
			if (j == i)
				igt_nv3_method(&client.batch, SUB,
					       NV3_MTHD_NOTIFY, 0);
			igt_nv3_method(&client.batch, SUB, methods[j],
				       0x00100010);
		}
		igt_nv3_run_ok(&client.batch);
		igt_assert_eq_u32(words[3] >> 16, 0);
		for (j = 4; j < bo.size / 4; j++)
			igt_assert_eq_u32(words[j], 0xffffffff);
	}
	igt_nv3_assert_rect(&client, 16, 16, 16, 16, 0x10, 0);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_client_fini(&client);
}

/*
 * Invalid methods of RECT cause the same faults, no matter whether the chip or the resource manager
 * executes the class.
 */
static void test_emulated_fault(int fd)
{
	static const struct {
		uint32_t mthd[2], data[2], fault;
	} cases[] = {
		{ { 0x308, 0 }, { 1, 0 }, DRM_NV3_FAULT_METHOD },
		{ { NV3_RECT_POINT(16), 0 }, { 1, 0 }, DRM_NV3_FAULT_METHOD },
		{ { NV3_RECT_SIZE(3), 0 }, { 0x10001, 0 }, DRM_NV3_FAULT_STATE },
		{ { NV3_RECT_POINT(5), NV3_RECT_SIZE(5) },
		  { 0x7ff0, 0x00010020 }, DRM_NV3_FAULT_DATA },
		{ { NV3_MTHD_NOTIFY, 0 }, { 16, 0 }, DRM_NV3_FAULT_DATA },
	};
	struct drm_nv3_channel_query query;
	struct igt_nv3_client client;
	uint32_t i, last;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		last = cases[i].mthd[1] ? 1 : 0;
		igt_nv3_client_init(&client, fd);
		igt_nv3_use(&client.batch, &client.color, NV3_READ | NV3_WRITE);
		igt_nv3_method(&client.batch, IGT_NV3_SUB_RECT,
			       cases[i].mthd[0], cases[i].data[0]);
		if (last)
			igt_nv3_method(&client.batch, IGT_NV3_SUB_RECT,
				       cases[i].mthd[1], cases[i].data[1]);
		igt_nv3_run(&client.batch);
		igt_debug("case %u\n", i);
		igt_assert_eq(igt_nv3_fault(fd, client.channel, &query),
			      cases[i].fault);
		igt_assert_eq_u32(query.class_id, NV3_CLASS_RECT);
		igt_assert_eq_u32(query.method, cases[i].mthd[last]);
		igt_assert_eq_u32(query.data, cases[i].data[last]);
		igt_assert_eq_u32(query.subch, IGT_NV3_SUB_RECT);
		igt_nv3_client_fini(&client);
	}
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("CLASSES writes only as many numbers as requested, and returns the full count.");
	igt_subtest("count")
		test_count(fd);

	igt_describe("No class is listed twice.");
	igt_subtest("unique")
		test_unique(fd);

	igt_describe("The list has the classes that every nv3 has.");
	igt_subtest("required")
		test_required(fd);

	igt_describe("Each listed class can be instantiated and bound.");
	igt_subtest("instantiate")
		test_instantiate(fd);

	igt_describe("Bad pointers and padding are refused.");
	igt_subtest("bad")
		test_bad(fd);

	igt_describe("RECT draws the same pictures in hardware and in software.");
	igt_subtest("emulated")
		test_emulated(fd);

	igt_describe("RECT draws correctly when channels are switched between its methods.");
	igt_subtest("emulated-switch")
		test_emulated_switch(fd);

	igt_describe("RECT writes notifications correctly in hardware and in software.");
	igt_subtest("emulated-notify")
		test_emulated_notify(fd);

	igt_describe("RECT faults in the same way in hardware and in software.");
	igt_subtest("emulated-fault")
		test_emulated_fault(fd);

	igt_fixture()
		drm_close_driver(fd);
}
