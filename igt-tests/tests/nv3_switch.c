/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("The state of a channel in PFIFO and PGRAPH survives a switch at any method.");

#define SUB		IGT_NV3_SUB_FREE
#define NAME(class_id)	(0x1000 + (class_id))
#define MEMORY		0x2000
#define SEMAPHORE	0x3000
#define MEMORY_SIZE	8192

/*
 * A method of a primitive. One channel uses the argument @data, and another channel uses the
 * argument @other.
 */
struct step {
	uint32_t class_id, mthd, data, other;
};

#define XY(x, y)	((y) << 16 | (x))
#define MAX_STEPS	32

/* Floats in the chip's format */
#define F_0	0x00000000
#define F_HALF	0x3f000000
#define F_1	0x3f800000
#define F_20	0x41a00000
#define F_40	0x42200000
#define F_60	0x42700000

#define D3D_FORMAT \
	(NV3_D3D_TEX_X1R5G5B5 << NV3_D3D_TEX_FORMAT_SHIFT | \
	 5 << NV3_D3D_TEX_SIZE_MIN_SHIFT | 5 << NV3_D3D_TEX_SIZE_MAX_SHIFT)
#define ZPOINT_CONFIG \
	(NV3_D3D_CMP_ALWAYS << NV3_D3D_CONFIG_Z_FUNC_SHIFT | \
	 NV3_D3D_WRITE_ALWAYS << NV3_D3D_CONFIG_COLOR_WRITE_SHIFT)
#define D3D_CONFIG \
	(ZPOINT_CONFIG | \
	 NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_U_SHIFT | \
	 NV3_D3D_WRAP_WRAP << NV3_D3D_CONFIG_WRAP_V_SHIFT | \
	 NV3_D3D_SOURCE_ALPHA_ONE << NV3_D3D_CONFIG_SOURCE_SHIFT | \
	 NV3_D3D_CULL_NONE << NV3_D3D_CONFIG_CULL_SHIFT)
#define ALPHA_ALWAYS	(NV3_D3D_CMP_ALWAYS << 8)

/* The methods of a vertex. FOG_TRI selects the triangles that the last method, V, draws. */
#define VERTEX(i, tri, color, other, x, y, u, v) \
	{ NV3_CLASS_D3D, NV3_D3D_FOG_TRI(i), (tri), (tri) }, \
	{ NV3_CLASS_D3D, NV3_D3D_COLOR(i), (color), (other) }, \
	{ NV3_CLASS_D3D, NV3_D3D_X(i), (x), F_HALF }, \
	{ NV3_CLASS_D3D, NV3_D3D_Y(i), (y), F_HALF }, \
	{ NV3_CLASS_D3D, NV3_D3D_Z(i), F_HALF, F_1 }, \
	{ NV3_CLASS_D3D, NV3_D3D_RHW(i), F_1, F_HALF }, \
	{ NV3_CLASS_D3D, NV3_D3D_U(i), (u), F_HALF }, \
	{ NV3_CLASS_D3D, NV3_D3D_V(i), (v), F_HALF }

static const struct primitive {
	const char *name, *text;
	struct step steps[MAX_STEPS];
} primitives[] = {
	{ "rect", "A rectangle.", {
		{ NV3_CLASS_RECT, NV3_RECT_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_RECT, NV3_RECT_POINT(0), XY(3, 5), XY(40, 50) },
		{ NV3_CLASS_RECT, NV3_RECT_SIZE(0), XY(20, 30), XY(2, 3) },
	} },
	{ "clip", "A clip, vertex by vertex, and a rectangle that it clips.", {
		{ NV3_CLASS_CLIP, NV3_CLIP_POINT, XY(10, 12), XY(0, 0) },
		{ NV3_CLASS_CLIP, NV3_CLIP_SIZE, XY(20, 16), XY(2, 2) },
		{ NV3_CLASS_RECT, NV3_RECT_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_RECT, NV3_RECT_POINT(0), XY(3, 5), XY(40, 50) },
		{ NV3_CLASS_RECT, NV3_RECT_SIZE(0), XY(50, 50), XY(2, 3) },
	} },
	{ "chroma", "A colour key, and an image with pixels of that colour.", {
		{ NV3_CLASS_CHROMA, NV3_CHROMA_COLOR, 0x8001, 0x8002 },
		{ NV3_CLASS_IFC, NV3_IFC_POINT, XY(7, 9), XY(1, 1) },
		{ NV3_CLASS_IFC, NV3_IFC_SIZE_OUT, XY(4, 2), XY(2, 2) },
		{ NV3_CLASS_IFC, NV3_IFC_SIZE_IN, XY(4, 2), XY(2, 2) },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x80010002, 0x80020003 },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x00038001, 0x80028002 },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x80020002, 0x80020003 },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x00050006, 0x80020003 },
	} },
	{ "pattern", "A pattern, a raster operation, and a rectangle.", {
		{ NV3_CLASS_PATTERN, NV3_PATTERN_SHAPE, 0, 1 },
		{ NV3_CLASS_PATTERN, NV3_PATTERN_COLOR(0), 0x11, 0xff },
		{ NV3_CLASS_PATTERN, NV3_PATTERN_COLOR(1), 0x7f00, 0x33 },
		{ NV3_CLASS_PATTERN, NV3_PATTERN_BITMAP(0), 0xa5c3f00f, ~0u },
		{ NV3_CLASS_PATTERN, NV3_PATTERN_BITMAP(1), 0x12345678, ~0u },
		{ NV3_CLASS_ROP, NV3_ROP_ROP, 0xca, 0x5a },
		{ NV3_CLASS_BETA, NV3_BETA_BETA, 0x20000000, 0x70000000 },
		{ NV3_CLASS_RECT, NV3_RECT_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_RECT, NV3_RECT_POINT(0), XY(3, 5), XY(40, 50) },
		{ NV3_CLASS_RECT, NV3_RECT_SIZE(0), XY(20, 30), XY(2, 3) },
	} },
	{ "line", "A line.", {
		{ NV3_CLASS_LINE, NV3_LINE_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_LINE, NV3_LINE_POINT(0, 0), XY(3, 5), XY(9, 9) },
		{ NV3_CLASS_LINE, NV3_LINE_POINT(0, 1), XY(50, 31), XY(1, 60) },
	} },
	{ "polyline", "A polyline.", {
		{ NV3_CLASS_LINE, NV3_LINE_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_LINE, NV3_LINE_POINT(0, 0), XY(9, 3), XY(9, 9) },
		{ NV3_CLASS_LINE, NV3_LINE_POINT(0, 1), XY(3, 5), XY(2, 9) },
		{ NV3_CLASS_LINE, NV3_LINE_POLY(1), XY(50, 31), XY(1, 60) },
		{ NV3_CLASS_LINE, NV3_LINE_POLY(2), XY(8, 44), XY(33, 2) },
		{ NV3_CLASS_LINE, NV3_LINE_POLY(3), XY(60, 2), XY(5, 5) },
	} },
	{ "tri", "A triangle.", {
		{ NV3_CLASS_TRI, NV3_TRI_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_TRI, NV3_TRI_POINT(0), XY(3, 5), XY(9, 9) },
		{ NV3_CLASS_TRI, NV3_TRI_POINT(1), XY(50, 31), XY(1, 60) },
		{ NV3_CLASS_TRI, NV3_TRI_POINT(2), XY(8, 44), XY(33, 2) },
	} },
	{ "tri-strip", "A strip of triangles.", {
		{ NV3_CLASS_TRI, NV3_TRI_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_TRI, NV3_TRI_POINT(0), XY(3, 5), XY(9, 9) },
		{ NV3_CLASS_TRI, NV3_TRI_POINT(1), XY(50, 31), XY(1, 60) },
		{ NV3_CLASS_TRI, NV3_TRI_POINT(2), XY(8, 44), XY(33, 2) },
		{ NV3_CLASS_TRI, NV3_TRI_STRIP(3), XY(60, 60), XY(5, 5) },
		{ NV3_CLASS_TRI, NV3_TRI_STRIP(4), XY(30, 3), XY(55, 5) },
	} },
	{ "ifc", "An image, word by word.", {
		{ NV3_CLASS_IFC, NV3_IFC_POINT, XY(7, 9), XY(1, 1) },
		{ NV3_CLASS_IFC, NV3_IFC_SIZE_OUT, XY(3, 3), XY(8, 8) },
		{ NV3_CLASS_IFC, NV3_IFC_SIZE_IN, XY(4, 3), XY(8, 8) },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x00010002, 0x7001 },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x00030004, 0x7002 },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x00050006, 0x7003 },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x00070008, 0x7004 },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x0009000a, 0x7005 },
		{ NV3_CLASS_IFC, NV3_IFC_DATA(0), 0x000b000c, 0x7006 },
	} },
	{ "gdi-rect", "A clipped GDI rectangle.", {
		{ NV3_CLASS_GDI, NV3_GDI_B_CLIP_0, XY(5, 6), XY(0, 0) },
		{ NV3_CLASS_GDI, NV3_GDI_B_CLIP_1, XY(40, 41), XY(9, 9) },
		{ NV3_CLASS_GDI, NV3_GDI_B_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_GDI, NV3_GDI_B_POINT_0(0), XY(1, 20), XY(3, 3) },
		{ NV3_CLASS_GDI, NV3_GDI_B_POINT_1(0), XY(30, 60), XY(5, 5) },
	} },
	{ "gdi-text", "A glyph, word by word.", {
		{ NV3_CLASS_GDI, NV3_GDI_C_CLIP_0, XY(0, 0), XY(50, 50) },
		{ NV3_CLASS_GDI, NV3_GDI_C_CLIP_1, XY(60, 60), XY(55, 55) },
		{ NV3_CLASS_GDI, NV3_GDI_C_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_GDI, NV3_GDI_C_SIZE, XY(32, 3), XY(32, 4) },
		{ NV3_CLASS_GDI, NV3_GDI_C_POINT, XY(8, 11), XY(1, 1) },
		{ NV3_CLASS_GDI, NV3_GDI_C_DATA(0), 0xa5a5f00f, ~0u },
		{ NV3_CLASS_GDI, NV3_GDI_C_DATA(0), 0x12345678, ~0u },
		{ NV3_CLASS_GDI, NV3_GDI_C_DATA(0), 0x0ff0c33c, ~0u },
	} },
	{ "blit", "A copy from one position of the picture to another.", {
		{ NV3_CLASS_RECT, NV3_RECT_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_RECT, NV3_RECT_POINT(0), XY(3, 5), XY(40, 50) },
		{ NV3_CLASS_RECT, NV3_RECT_SIZE(0), XY(9, 8), XY(2, 3) },
		{ NV3_CLASS_BLIT, NV3_BLIT_POINT_IN, XY(0, 0), XY(20, 20) },
		{ NV3_CLASS_BLIT, NV3_BLIT_POINT_OUT, XY(30, 33), XY(5, 4) },
		{ NV3_CLASS_BLIT, NV3_BLIT_SIZE, XY(16, 15), XY(7, 7) },
	} },
	{ "point", "Points of one colour, and one with its own.", {
		{ NV3_CLASS_POINT, NV3_POINT_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_POINT, NV3_POINT_POINT(0), XY(3, 5), XY(9, 9) },
		{ NV3_CLASS_POINT, NV3_POINT_POINT32_X(0), 20, 1 },
		{ NV3_CLASS_POINT, NV3_POINT_POINT32_Y(0), 30, 2 },
		{ NV3_CLASS_POINT, NV3_POINT_CPOINT_COLOR(0), 0x77, 0x66 },
		{ NV3_CLASS_POINT, NV3_POINT_CPOINT(0), XY(8, 8), XY(1, 1) },
	} },
	{ "lin", "A line without its last point.", {
		{ NV3_CLASS_LIN, NV3_LINE_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_LIN, NV3_LINE_POINT(0, 0), XY(3, 5), XY(9, 9) },
		{ NV3_CLASS_LIN, NV3_LINE_POINT(0, 1), XY(50, 31), XY(1, 60) },
	} },
	{ "bitmap", "A bitmap in two colours, word by word.", {
		{ NV3_CLASS_BITMAP, NV3_BITMAP_COLOR_0, 0x1234, 0x4321 },
		{ NV3_CLASS_BITMAP, NV3_BITMAP_COLOR_1, 0x77, 0x66 },
		{ NV3_CLASS_BITMAP, NV3_BITMAP_POINT, XY(5, 9), XY(1, 1) },
		{ NV3_CLASS_BITMAP, NV3_BITMAP_SIZE_OUT, XY(30, 3), XY(8, 8) },
		{ NV3_CLASS_BITMAP, NV3_BITMAP_SIZE_IN, XY(32, 3), XY(32, 8) },
		{ NV3_CLASS_BITMAP, NV3_BITMAP_DATA(0), 0xa5a5f00f, ~0u },
		{ NV3_CLASS_BITMAP, NV3_BITMAP_DATA(0), 0x12345678, ~0u },
		{ NV3_CLASS_BITMAP, NV3_BITMAP_DATA(0), 0x0ff0c33c, ~0u },
	} },
	{ "sifc", "An enlarged image, word by word.", {
		{ NV3_CLASS_SIFC, NV3_SIFC_SIZE_IN, XY(4, 2), XY(2, 2) },
		{ NV3_CLASS_SIFC, NV3_SIFC_DX_DU, 5 << 20, 3 << 20 },
		{ NV3_CLASS_SIFC, NV3_SIFC_DY_DV, 7 << 20, 2 << 20 },
		{ NV3_CLASS_SIFC, NV3_SIFC_CLIP_POINT, XY(4, 6), XY(0, 0) },
		{ NV3_CLASS_SIFC, NV3_SIFC_CLIP_SIZE, XY(30, 30), XY(64, 64) },
		{ NV3_CLASS_SIFC, NV3_SIFC_POINT, XY(3 * 16, 5 * 16), 0 },
		{ NV3_CLASS_SIFC, NV3_SIFC_DATA(0), 0x00010002, 0x7001 },
		{ NV3_CLASS_SIFC, NV3_SIFC_DATA(0), 0x00030004, 0x7002 },
		{ NV3_CLASS_SIFC, NV3_SIFC_DATA(0), 0x00050006, 0x7003 },
		{ NV3_CLASS_SIFC, NV3_SIFC_DATA(0), 0x00070008, 0x7004 },
	} },
	{ "sifm", "An enlarged image from memory.", {
		{ NV3_CLASS_SIFM, NV3_SIFM_CLIP_POINT, XY(4, 6), XY(0, 0) },
		{ NV3_CLASS_SIFM, NV3_SIFM_CLIP_SIZE, XY(30, 30), XY(64, 64) },
		{ NV3_CLASS_SIFM, NV3_SIFM_POINT, XY(3, 5), XY(9, 9) },
		{ NV3_CLASS_SIFM, NV3_SIFM_SIZE_OUT, XY(40, 20), XY(8, 8) },
		{ NV3_CLASS_SIFM, NV3_SIFM_DU_DX, 1 << 19, 1 << 20 },
		{ NV3_CLASS_SIFM, NV3_SIFM_DV_DY, 1 << 18, 1 << 20 },
		{ NV3_CLASS_SIFM, NV3_SIFM_SIZE_IN, XY(20, 10), XY(8, 8) },
		{ NV3_CLASS_SIFM, NV3_SIFM_PITCH, 128, 64 },
		{ NV3_CLASS_SIFM, NV3_SIFM_OFFSET(0), 64, 0 },
		{ NV3_CLASS_SIFM, NV3_SIFM_SOURCE, 0, XY(16, 16) },
	} },
	{ "itm", "A copy of a part of the picture to memory.", {
		{ NV3_CLASS_RECT, NV3_RECT_COLOR, 0x1234, 0x4321 },
		{ NV3_CLASS_RECT, NV3_RECT_POINT(0), XY(3, 5), XY(40, 50) },
		{ NV3_CLASS_RECT, NV3_RECT_SIZE(0), XY(9, 8), XY(2, 3) },
		{ NV3_CLASS_ITM, NV3_ITM_POINT, XY(1, 2), XY(5, 5) },
		{ NV3_CLASS_ITM, NV3_ITM_SIZE, XY(16, 12), XY(7, 7) },
		{ NV3_CLASS_ITM, NV3_ITM_PITCH, 128, 64 },
		{ NV3_CLASS_ITM, NV3_ITM_OFFSET, 256, 0 },
	} },
	{ "m2mf", "A copy in memory of every second byte.", {
		{ NV3_CLASS_M2MF, NV3_M2MF_OFFSET_IN, 4, 100 },
		{ NV3_CLASS_M2MF, NV3_M2MF_OFFSET_OUT, 2048, 1000 },
		{ NV3_CLASS_M2MF, NV3_M2MF_PITCH_IN, 40, 10 },
		{ NV3_CLASS_M2MF, NV3_M2MF_PITCH_OUT, 100, 50 },
		{ NV3_CLASS_M2MF, NV3_M2MF_LINE_LENGTH, 33, 5 },
		{ NV3_CLASS_M2MF, NV3_M2MF_LINE_COUNT, 9, 2 },
		{ NV3_CLASS_M2MF, NV3_M2MF_FORMAT, 0x201, 0x101 },
		{ NV3_CLASS_M2MF, NV3_M2MF_BUF_NOTIFY, 0, 0 },
	} },
	{ "zpoint", "Points with depth, in two methods each.", {
		{ NV3_CLASS_ZPOINT, NV3_ZPOINT_CONFIG, ZPOINT_CONFIG,
		  ZPOINT_CONFIG },
		{ NV3_CLASS_ZPOINT, NV3_ZPOINT_ALPHA, ALPHA_ALWAYS,
		  ALPHA_ALWAYS | 0x80 },
		{ NV3_CLASS_ZPOINT, NV3_ZPOINT_POINT, XY(7, 9), XY(1, 1) },
		{ NV3_CLASS_ZPOINT, NV3_ZPOINT_COLOR(0), 0x1234, 0x4321 },
		{ NV3_CLASS_ZPOINT, NV3_ZPOINT_ZETA(0), 0x10000, 0x20000 },
		{ NV3_CLASS_ZPOINT, NV3_ZPOINT_COLOR(0), 0x2345, 0x5432 },
		{ NV3_CLASS_ZPOINT, NV3_ZPOINT_ZETA(0), 0x30000, 0x40000 },
	} },
	{ "d3d", "A textured triangle, word by word.", {
		{ NV3_CLASS_D3D, NV3_D3D_TEX_OFFSET, 512, 0 },
		{ NV3_CLASS_D3D, NV3_D3D_TEX_FORMAT, D3D_FORMAT, D3D_FORMAT },
		{ NV3_CLASS_D3D, NV3_D3D_TEX_FILTER, 0, 0 },
		{ NV3_CLASS_D3D, NV3_D3D_FOG_COLOR, 0x123456, 0x654321 },
		{ NV3_CLASS_D3D, NV3_D3D_CONFIG, D3D_CONFIG, D3D_CONFIG },
		{ NV3_CLASS_D3D, NV3_D3D_ALPHA, ALPHA_ALWAYS,
		  ALPHA_ALWAYS | 0x80 },
		VERTEX(0, 0, 0xffff8040, 0xff102030, F_0, F_20, F_0, F_0),
		VERTEX(1, 0x111111, 0xff40ff80, 0xff302010, F_60, F_0, F_1,
		       F_0),
		VERTEX(2, 0x222012, 0xff8040ff, 0xff203010, F_40, F_60, F_0,
		       F_1),
	} },
};

/* A client, and a buffer for the classes that access memory */
struct owner {
	struct igt_nv3_client client;
	struct igt_nv3_bo memory;
};

static uint16_t memory_pattern(uint32_t i)
{
	return i * 0x2f1 & 0x7fff;
}

static void owner_init(struct owner *o, int fd)
{
	uint32_t i;

	igt_nv3_client_init(&o->client, fd);
	o->memory = igt_nv3_bo_create(fd, MEMORY_SIZE, DRM_NV3_GEM_SYSTEM);
	for (i = 0; i < MEMORY_SIZE / 2; i++)
		((uint16_t *)o->memory.map)[i] = memory_pattern(i);
	igt_nv3_dma(fd, o->client.channel, MEMORY, &o->memory,
		    DRM_NV3_DMA_WRITE);
}

static void owner_fini(struct owner *o)
{
	igt_nv3_client_fini(&o->client);
	igt_nv3_bo_destroy(&o->memory);
}

static bool owner_equals(const struct owner *a, const struct owner *b)
{
	return !memcmp(a->client.color.map, b->client.color.map,
		       a->client.color.size) &&
	       !memcmp(a->memory.map, b->memory.map, MEMORY_SIZE);
}

static bool owner_has_drawn(const struct owner *o)
{
	uint32_t i;

	for (i = 0; i < IGT_NV3_CANVAS * IGT_NV3_CANVAS; i++) {
		if (((uint16_t *)o->client.color.map)[i])
			return true;
	}
	for (i = 0; i < MEMORY_SIZE / 2; i++) {
		if (((uint16_t *)o->memory.map)[i] != memory_pattern(i))
			return true;
	}
	return false;
}

static uint32_t step_count(const struct primitive *p)
{
	uint32_t n = 0;

	while (n < MAX_STEPS && p->steps[n].mthd)
		n++;
	return n;
}

static bool uses_memory(uint32_t class_id)
{
	return class_id == NV3_CLASS_M2MF || class_id == NV3_CLASS_SIFM ||
	       class_id == NV3_CLASS_ITM || class_id == NV3_CLASS_D3D;
}

/*
 * Creates an object of each class of @p. In the primitives "clip", "pattern" and "chroma", the
 * object that draws uses the state with this name.
 */
static void make_objects(struct owner *o, const struct primitive *p)
{
	struct igt_nv3_client *client = &o->client;
	uint32_t i, n = step_count(p);

	for (i = 0; i < n; i++) {
		uint32_t class_id = p->steps[i].class_id;
		struct drm_nv3_graph_args args = {
			.color_format = DRM_NV3_COLOR_X1R5G5B5,
			.operation = NV3_OP_COPY,
			.dst_slots = 1,
		};
		int ret;

		if (class_id == NV3_CLASS_RECT && !strcmp(p->name, "clip"))
			args.flags = DRM_NV3_GRAPH_CLIP;
		if (class_id == NV3_CLASS_RECT && !strcmp(p->name, "pattern"))
			args.operation = 0x15;
		if (class_id == NV3_CLASS_IFC && !strcmp(p->name, "chroma"))
			args.flags = DRM_NV3_GRAPH_CHROMA;
		if (uses_memory(class_id))
			args.dma[0] = MEMORY;
		if (class_id == NV3_CLASS_M2MF)
			args.dma[1] = MEMORY;
		ret = __igt_nv3_object(client->fd, client->channel,
				       NAME(class_id), class_id, &args,
				       sizeof(args));
		igt_assert(ret == 0 || ret == -EEXIST);
	}
}

#define OWN	0u
#define OTHER	~0u

/*
 * Runs the steps @first to @end - 1 as a batch. The steps in the mask @others use their argument
 * step.other instead of step.data.
 */
static void run_steps(struct owner *o, const struct primitive *p,
		      uint32_t first, uint32_t end, uint32_t others)
{
	struct igt_nv3_batch *batch = &o->client.batch;
	uint32_t i;

	if (first == end)
		return;
	igt_nv3_use(batch, &o->client.color, NV3_READ | NV3_WRITE);
	igt_nv3_use(batch, &o->memory, NV3_READ | NV3_WRITE);
	for (i = first; i < end; i++) {
		const struct step *s = &p->steps[i];

		if (i == 0 || s->class_id != s[-1].class_id)
			igt_nv3_select(batch, SUB, NAME(s->class_id));
		igt_nv3_method(batch, SUB, s->mthd,
			       others >> i & 1 ? s->other : s->data);
	}
	igt_nv3_run_ok(batch);
}

/*
 * Draws the primitive once for each of its methods except the first, and switches channels before
 * this method. The picture must be the same as without a switch.
 */
static void test_primitive(int fd, const struct primitive *p)
{
	uint32_t cut, steps = step_count(p);
	struct owner whole, a, b;

	owner_init(&whole, fd);
	make_objects(&whole, p);
	run_steps(&whole, p, 0, steps, OWN);
	igt_assert_f(owner_has_drawn(&whole), "it draws nothing\n");

	for (cut = 1; cut < steps; cut++) {
		owner_init(&a, fd);
		owner_init(&b, fd);
		make_objects(&a, p);
		make_objects(&b, p);
		run_steps(&a, p, 0, cut, OWN);
		run_steps(&b, p, 0, steps, OTHER);
		run_steps(&b, p, 0, cut, OTHER);
		run_steps(&a, p, cut, steps, OWN);
		igt_assert_f(owner_equals(&a, &whole),
			     "different picture after a switch before step %u\n", cut);
		owner_fini(&a);
		owner_fini(&b);
	}
	owner_fini(&whole);
}

/*
 * A switch skips some registers that are equal in both channels. To test this, the arguments of the
 * two channels differ in only one step, or in all steps but one. The chip switches channels before
 * each step.
 */
static void test_alike(int fd, const struct primitive *p)
{
	uint32_t step, i, flip, steps = step_count(p);
	struct owner whole, a, b;

	owner_init(&whole, fd);
	make_objects(&whole, p);
	run_steps(&whole, p, 0, steps, OWN);

	for (step = 0; step < steps; step++) {
		for (flip = 0; flip < 2; flip++) {
			uint32_t others = flip ? ~(1u << step) : 1u << step;

			owner_init(&a, fd);
			owner_init(&b, fd);
			make_objects(&a, p);
			make_objects(&b, p);
			for (i = 0; i < steps; i++) {
				run_steps(&b, p, 0, steps, others);
				run_steps(&a, p, i, i + 1, OWN);
			}
			igt_assert_f(owner_equals(&a, &whole),
				     "different picture when the other channel has %s step %u different\n",
				     flip ? "all but" : "only", step);
			owner_fini(&a);
			owner_fini(&b);
		}
	}
	owner_fini(&whole);
}

/*
 * The clips of all channels have the same corner, but different sizes. A switch must restore the
 * size. Between two rectangles, other classes store values in the vertex registers that class RECT
 * would never store.
 */
#define CLIPPERS	3
#define CLIP_ROUNDS	200

struct clipper {
	struct igt_nv3_client client;
	uint32_t width, height;	/* size of the clip at (0, 0) */
};

static void clipper_init(struct clipper *c, int fd, uint32_t i, bool waits)
{
	const struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = 1,
		.flags = DRM_NV3_GRAPH_CLIP,
	};
	struct igt_nv3_batch *batch = &c->client.batch;

	if (waits)
		igt_nv3_client_init_lr(&c->client, fd);
	else
		igt_nv3_client_init(&c->client, fd);
	igt_nv3_graph(fd, c->client.channel, NAME(NV3_CLASS_CLIP),
		      NV3_CLASS_CLIP, 1);
	igt_nv3_graph(fd, c->client.channel, NAME(NV3_CLASS_D3D),
		      NV3_CLASS_D3D, 1);
	igt_nv3_graph(fd, c->client.channel, NAME(NV3_CLASS_IFC),
		      NV3_CLASS_IFC, 1);
	igt_assert_eq(__igt_nv3_object(fd, c->client.channel,
				       NAME(NV3_CLASS_RECT), NV3_CLASS_RECT,
				       &args, sizeof(args)), 0);
	c->width = 20 + 10 * i;
	c->height = 50 - 10 * i;
	igt_nv3_select(batch, SUB, NAME(NV3_CLASS_CLIP));
	igt_nv3_method(batch, SUB, NV3_CLIP_POINT, 0);
	igt_nv3_method(batch, SUB, NV3_CLIP_SIZE, XY(c->width, c->height));
	igt_nv3_select(batch, SUB + 1, NAME(NV3_CLASS_RECT));
	igt_nv3_select(batch, SUB + 2, NAME(NV3_CLASS_D3D));
	igt_nv3_select(batch, SUB + 3, NAME(NV3_CLASS_IFC));
	igt_nv3_run_ok(batch);
}

static void clipper_draw(struct clipper *c, uint16_t color)
{
	struct igt_nv3_batch *batch = &c->client.batch;
	uint32_t i;

	igt_nv3_use(batch, &c->client.color, NV3_READ | NV3_WRITE);
	igt_nv3_method(batch, SUB + 1, NV3_RECT_COLOR, color);
	igt_nv3_method(batch, SUB + 1, NV3_RECT_POINT(0), 0);
	igt_nv3_method(batch, SUB + 1, NV3_RECT_SIZE(0),
		       XY(IGT_NV3_CANVAS, IGT_NV3_CANVAS));
	/*
	 * Use a D3D vertex that draws no triangle to store floats and colours in the vertex
	 * registers. Then make IFC the current class. While IFC is current, writes to vertex
	 * registers set the flags for coordinates out of range (envytools,
	 * hwtest/pgraph_mthd_xy.cc).
	 */
	for (i = 0; i < NV3_D3D_VERTEX_STRIDE / 4; i++)
		igt_nv3_method(batch, SUB + 2, NV3_D3D_FOG_TRI(15) + 4 * i,
			       i ? 0x3f800000 + color : 0);
	igt_nv3_method(batch, SUB + 3, NV3_IFC_POINT, 0);
	igt_nv3_run_ok(batch);
	igt_nv3_assert_rect(&c->client, 0, 0, c->width, c->height, color, 0);
}

static void test_clip_stays(int fd)
{
	struct clipper clippers[CLIPPERS];
	uint32_t i, round;

	for (i = 0; i < CLIPPERS; i++)
		clipper_init(&clippers[i], fd, i, false);
	for (round = 1; round <= CLIP_ROUNDS; round++)
		clipper_draw(&clippers[round * 7 / 3 % CLIPPERS], round);
	for (i = 0; i < CLIPPERS; i++)
		igt_nv3_client_fini(&clippers[i].client);
}

/*
 * Runs a batch that sets the point of a clip but not its size, and the size of a rectangle but not
 * its point. The batch must fault even if the previous channel has set the missing values.
 */
static void clipper_fault(int fd, uint32_t i)
{
	struct igt_nv3_batch *batch;
	struct clipper c;

	clipper_init(&c, fd, i % CLIPPERS, false);
	batch = &c.client.batch;
	igt_nv3_use(batch, &c.client.color, NV3_READ | NV3_WRITE);
	igt_nv3_method(batch, SUB, NV3_CLIP_POINT, 0);
	igt_nv3_method(batch, SUB + 1, NV3_RECT_COLOR, i);
	igt_nv3_method(batch, SUB + 1, NV3_RECT_SIZE(0), XY(9, 9));
	igt_nv3_run(batch);
	igt_assert_neq_u32(igt_nv3_fault(fd, c.client.channel, NULL),
			   DRM_NV3_FAULT_NONE);
	igt_nv3_client_fini(&c.client);
}

static void clipper_semaphore(struct clipper *c, struct igt_nv3_bo *bo)
{
	struct drm_nv3_semaphore_args args = {
		.handle = bo->handle, .timeout_ms = 10000,
	};

	igt_assert_eq(__igt_nv3_object(c->client.fd, c->client.channel,
				       SEMAPHORE, DRM_NV3_CLASS_SEMAPHORE,
				       &args, sizeof(args)), 0);
	igt_nv3_select(&c->client.batch, SUB + 4, SEMAPHORE);
	igt_nv3_run_ok(&c->client.batch);
}

/* Submits a batch that waits for the semaphore value @number before step @cut. */
static void clipper_start(struct clipper *c, uint16_t color, uint32_t cut,
			  uint32_t number)
{
	const uint32_t steps[][3] = {
		{ SUB, NV3_CLIP_POINT, 0 },
		{ SUB, NV3_CLIP_SIZE, XY(c->width, c->height) },
		{ SUB + 1, NV3_RECT_COLOR, color },
		{ SUB + 1, NV3_RECT_POINT(0), 0 },
		{ SUB + 1, NV3_RECT_SIZE(0),
		  XY(IGT_NV3_CANVAS, IGT_NV3_CANVAS) },
	};
	struct igt_nv3_batch *batch = &c->client.batch;
	uint32_t i;

	igt_nv3_use(batch, &c->client.color, NV3_READ | NV3_WRITE);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		if (i == cut % ARRAY_SIZE(steps)) {
			/* Switch while IFC is the current class of PGRAPH, see clipper_draw(). */
			igt_nv3_method(batch, SUB + 3, NV3_IFC_POINT, 0);
			igt_nv3_method(batch, SUB + 4, NV3_SEMAPHORE_ACQUIRE,
				       number);
		}
		igt_nv3_method(batch, steps[i][0], steps[i][1], steps[i][2]);
	}
	igt_assert_eq(__igt_nv3_submit(batch, 0), 0);
}

/*
 * A channel is preempted between two methods. Meanwhile, other channels draw and fault. When the
 * preempted channel resumes, it must continue to draw correctly.
 */
static void test_clip_preempted(int fd)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	struct clipper clippers[CLIPPERS], *preempted = &clippers[0];
	uint32_t i, round;

	for (i = 0; i < CLIPPERS; i++) {
		clipper_init(&clippers[i], fd, i, true);
		clipper_semaphore(&clippers[i], &bo);
	}
	for (round = 1; round <= CLIP_ROUNDS; round++) {
		clipper_start(preempted, round, round, round);
		igt_nv3_batch_assert_busy(&preempted->client.batch);
		for (i = 1; i < CLIPPERS; i++)
			clipper_draw(&clippers[i], round + i);
		if (round % 3 == 0)
			clipper_fault(fd, round);
		igt_nv3_method(&clippers[1].client.batch, SUB + 4,
			       NV3_SEMAPHORE_RELEASE, round);
		igt_nv3_run_ok(&clippers[1].client.batch);
		igt_nv3_batch_wait(&preempted->client.batch);
		igt_assert_eq_u32(igt_nv3_fault(fd, preempted->client.channel,
						NULL), DRM_NV3_FAULT_NONE);
		igt_nv3_assert_rect(&preempted->client, 0, 0, preempted->width,
				    preempted->height, round, 0);
	}
	for (i = 0; i < CLIPPERS; i++)
		igt_nv3_client_fini(&clippers[i].client);
	igt_nv3_bo_destroy(&bo);
}

/* Opens the debugfs file with the results of the driver's self test of the registers. */
static FILE *open_registers(int fd)
{
	FILE *file = fdopen(igt_nv3_debugfs(fd, "switch", O_RDONLY), "r");

	igt_assert(file);
	return file;
}

static void test_registers(int fd)
{
	unsigned int reg, a, b, back, wrong, count = 0, differ = 0, tries;
	struct igt_nv3_client client;
	char line[80];

	igt_nv3_client_init(&client, fd);
	/* The driver refuses the self test while a batch runs. */
	for (tries = 0; tries < 100 && !count; tries++) {
		FILE *file = open_registers(fd);

		while (fgets(line, sizeof(line), file)) {
			igt_assert_eq(sscanf(line, "%x %x %x %x %x", &reg, &a,
					     &b, &back, &wrong), 5);
			igt_assert_f(back == a, "register %06x: %08x instead of %08x\n",
				     reg, back, a);
			igt_assert_f(!wrong, "register %06x: %08x lost between similar states\n",
				     reg, wrong);
			count++;
			differ += a != b;
			if (a == b)
				igt_info("register %06x: always %08x\n",
					 reg, a);
		}
		fclose(file);
		if (!count)
			usleep(10000);
	}
	igt_info("%u registers, of which %u can be changed\n", count,
		 differ);
	/*
	 * Each register must have different values in the two states of the self test. Otherwise
	 * the self test would not show that the switch restores this register.
	 */
	igt_assert_lte(140, count);
	igt_assert_eq(differ, count);
	igt_nv3_assert_draws(&client, 1);
	igt_nv3_client_fini(&client);
}

/* Subchannels keep their objects across switches, even if all eight are in use. */
static void test_bindings(int fd)
{
	struct igt_nv3_client clients[12];
	uint32_t i, subch, round;

	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		igt_nv3_client_init(&clients[i], fd);
		for (subch = 2; subch < 7; subch++) {
			igt_nv3_graph(fd, clients[i].channel, subch,
				      (i + subch) % 2 ? NV3_CLASS_RECT :
							NV3_CLASS_TRI, 1);
			igt_nv3_select(&clients[i].batch, subch, subch);
		}
		igt_nv3_run_ok(&clients[i].batch);
	}
	for (round = 0; round < 4; round++) {
		for (subch = 2; subch < 7; subch++) {
			for (i = 0; i < ARRAY_SIZE(clients); i++) {
				struct igt_nv3_batch *b = &clients[i].batch;

				igt_nv3_use(b, &clients[i].color,
					    NV3_READ | NV3_WRITE);
				/* Both classes have this method. */
				igt_nv3_method(b, subch, NV3_RECT_COLOR,
					       i + subch);
				/* The other class lacks the methods POINT and SIZE of RECT. */
				if ((i + subch) % 2) {
					igt_nv3_method(b, subch,
						       NV3_RECT_POINT(0), 0);
					igt_nv3_method(b, subch,
						       NV3_RECT_SIZE(0),
						       XY(1, 1));
				} else {
					igt_nv3_method(b, subch,
						       NV3_TRI_POINT(0), 0);
				}
				igt_nv3_run_ok(b);
			}
		}
	}
	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		igt_assert_eq(igt_nv3_pixel(&clients[i], 0, 0),
			      i % 2 ? i + 6 : i + 5);
		igt_nv3_client_fini(&clients[i]);
	}
}

int igt_main()
{
	uint32_t i;
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Each register of PGRAPH that a switch restores can hold any pattern.");
	igt_subtest("registers")
		test_registers(fd);

	igt_describe("Twelve channels' subchannels keep their objects.");
	igt_subtest("bindings")
		test_bindings(fd);

	for (i = 0; i < ARRAY_SIZE(primitives); i++) {
		igt_describe(primitives[i].text);
		igt_subtest_f("half-%s", primitives[i].name)
			test_primitive(fd, &primitives[i]);
	}

	for (i = 0; i < ARRAY_SIZE(primitives); i++) {
		igt_describe(primitives[i].text);
		igt_subtest_f("alike-%s", primitives[i].name)
			test_alike(fd, &primitives[i]);
	}

	igt_describe("Clips with the same corner, each of which is set once.");
	igt_subtest("clip-stays")
		test_clip_stays(fd);

	igt_describe("A batch is preempted before each method, while others set clips and fault.");
	igt_subtest("clip-preempted")
		test_clip_preempted(fd);

	igt_fixture()
		drm_close_driver(fd);
}
