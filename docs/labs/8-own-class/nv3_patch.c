// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: PATCH, a curved surface
 *
 * The NV1 draws biquadratic patches, whereas the RIVA 128 draws only triangles. A client of this
 * class sets nine control points, row by row. The class divides the patch into NV3_PATCH_STEPS x
 * NV3_PATCH_STEPS cells, and draws each cell as two triangles of class 0x0b.
 *
 *	COLOR		0x304		the colour of the patch
 *	POINT(i)	0x400 + 4 * i	control point i, 0 to 8: x, and y in the upper half
 *
 * POINT(8) draws the patch. The control points are in vertex registers of PGRAPH that class 0x0b
 * does not use. A switch saves and loads these registers with the other drawing state of a channel.
 */

#include "class/nv3_graph.h"
#include "nv3_class.h"
#include "rm/nv3_channel.h"

#define NV3_CLASS_PATCH		0x42
#define NV3_PATCH_COLOR		0x304
#define NV3_PATCH_POINT(i)	(0x400 + 4 * (i))
#define NV3_PATCH_POINTS	9
#define NV3_PATCH_STEPS		4
/* Number of corners that the class sends for a cell: two triangles of three corners */
#define NV3_PATCH_CORNERS	6

/* The vertex register of PGRAPH that holds control point @i. Class 0x0b uses vertices 0 to 2. */
#define NV3_PATCH_VERTEX(i)	(3 + (i))

/*
 * Returns the x or y coordinate of the patch's point at column @u and row @v of the grid. @reg is
 * the register with this coordinate of control point 0. The weights of the three points of a row
 * are (n - u)^2, 2 u (n - u) and u^2, and their sum is n^2.
 */
static s32 nv3_patch_coord(struct nv3_device *nv3, u32 reg, s32 u, s32 v)
{
	const s32 n = NV3_PATCH_STEPS;
	const s32 column[3] = { (n - u) * (n - u), 2 * u * (n - u), u * u };
	const s32 row[3] = { (n - v) * (n - v), 2 * v * (n - v), v * v };
	s32 sum = 0;
	int i, j;

	for (j = 0; j < 3; j++)
		for (i = 0; i < 3; i++)
			sum += (s32)nv3_rd32(nv3, reg + 4 * (3 * j + i)) * column[i] * row[j];

	/* Round to the nearest integer. */
	return (sum + n * n * n * n / 2) >> (4 * ilog2(NV3_PATCH_STEPS));
}

/* Sends corner @corner (0 to 5) of cell @cell, which consists of the triangles 0 1 2 and 3 1 2. */
static void nv3_patch_corner(struct nv3_object *obj, u32 subch, u32 cell, u32 corner)
{
	static const u8 corners[NV3_PATCH_CORNERS] = { 0, 1, 2, 3, 1, 2 };
	struct nv3_device *nv3 = obj->chan->rm->nv3;
	s32 u = cell % NV3_PATCH_STEPS + (corners[corner] & 1);
	s32 v = cell / NV3_PATCH_STEPS + (corners[corner] >> 1);
	s32 x = nv3_patch_coord(nv3, NV3_PGRAPH_VTX_X(NV3_PATCH_VERTEX(0)), u, v);
	s32 y = nv3_patch_coord(nv3, NV3_PGRAPH_VTX_Y(NV3_PATCH_VERTEX(0)), u, v);

	nv3_inject(obj, subch, NV3_CLASS_TRI, NV3_TRI_POINT(corner % 3),
		   (u32)y << 16 | (x & 0xffff));
}

/* Executes POINT(8): each call injects one corner of a cell, until the whole patch is drawn. */
static u32 nv3_patch_draw(struct nv3_object *obj, u32 subch)
{
	const u32 parts = NV3_PATCH_STEPS * NV3_PATCH_STEPS * NV3_PATCH_CORNERS;
	struct nv3_grobj *grobj = to_grobj(obj);
	u32 part = grobj->step;

	if (part == 0)
		nv3_inject_disarm_notifier(obj);
	if (part == parts - 1)
		nv3_inject_rearm_notifier(obj);
	nv3_patch_corner(obj, subch, part / NV3_PATCH_CORNERS, part % NV3_PATCH_CORNERS);
	grobj->step = (part + 1) % parts;

	return grobj->step ? NV3_TRAP_AGAIN : DRM_NV3_FAULT_NONE;
}

static u32 nv3_patch_point(struct nv3_object *obj, u32 subch, u32 i, u32 data)
{
	struct nv3_device *nv3 = obj->chan->rm->nv3;

	/* The registers hold 32-bit coordinates, so sign-extend the 16 bits of the argument. */
	nv3_wr32(nv3, NV3_PGRAPH_VTX_X(NV3_PATCH_VERTEX(i)), (s16)data);
	nv3_wr32(nv3, NV3_PGRAPH_VTX_Y(NV3_PATCH_VERTEX(i)), (s16)(data >> 16));

	return i == NV3_PATCH_POINTS - 1 ? nv3_patch_draw(obj, subch) : DRM_NV3_FAULT_NONE;
}

static u32 nv3_patch_select(struct nv3_object *obj, u32 subch)
{
	return nv3_inject_select(obj, subch, NV3_CLASS_TRI);
}

static u32 nv3_patch_method(struct nv3_object *obj, u32 subch, u32 mthd, u32 data)
{
	struct nv3_grobj *grobj = to_grobj(obj);

	nv3_inject_own_pgraph(obj);
	grobj->mthd = mthd;
	grobj->data = data;

	switch (mthd) {
	case NV3_MTHD_NOTIFY:
		nv3_inject(obj, subch, NV3_CLASS_TRI, mthd, data);
		return DRM_NV3_FAULT_NONE;
	case NV3_PATCH_COLOR:
		nv3_inject(obj, subch, NV3_CLASS_TRI, NV3_TRI_COLOR, data);
		return DRM_NV3_FAULT_NONE;
	case NV3_PATCH_POINT(0) ... NV3_PATCH_POINT(NV3_PATCH_POINTS - 1):
		return nv3_patch_point(obj, subch, (mthd - NV3_PATCH_POINT(0)) / 4, data);
	default:
		return nv3_graph_emulate(obj, mthd, data);
	}
}

const struct nv3_class nv3_class_patch = {
	.id = NV3_CLASS_PATCH,
	.name = "patch",
	.args_size = sizeof(struct drm_nv3_graph_args),
	.flags = NV3_GRAPH_ANY_FLAGS,
	.formats = DRM_NV3_COLOR_Y16,
	.needs = BIT(NV3_CLASS_TRI),
	.create = nv3_inject_create,
	.destroy = nv3_graph_destroy,
	.write = nv3_graph_write,
	.select = nv3_patch_select,
	.method = nv3_patch_method,
	.injected = nv3_inject_describe,
};
