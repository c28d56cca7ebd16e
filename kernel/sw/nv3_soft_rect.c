// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: RECT, for chips without this class
 *
 * Class 0x07 draws rectangles. If PGRAPH lacks this class, the software class in this file replaces
 * it. The software class draws the same pixels with two triangles of class 0x0b:
 *
 *	0---1	POINT(0) is the client's RECT_POINT
 *	|  /|	POINT(1), POINT(2) draw the upper left half
 *	| / |	STRIP replaces point 0, draws the lower right half
 *	|/  |
 *	2---3
 *
 * Like a rectangle, a triangle includes its left and top edges and excludes its right and bottom
 * edges (envytools, graph/2d/solid). The two triangles therefore cover each pixel of the rectangle
 * exactly once, so any raster operation works. RECT and TRI obey the user clip, accept the same
 * formats, and keep their colour in the same register. Clients can therefore alternate between
 * objects of RECT and TRI, as on silicon.
 */

#include "class/nv3_graph.h"
#include "nv3_class.h"
#include "rm/nv3_channel.h"

#define NV3_SOFT_RECT_COUNT	16	/* pairs of RECT_POINT and RECT_SIZE */

/* The bits of PGRAPH_VALID that the methods for the colour and the first corner set. */
#define NV3_SOFT_RECT_NEEDS	(NV3_PGRAPH_VALID_COLOR | NV3_PGRAPH_VALID_X(0))

enum nv3_soft_rect_step {
	NV3_SOFT_RECT_START,
	NV3_SOFT_RECT_HALF,	/* corner 1 is set: draw a triangle */
	NV3_SOFT_RECT_REST,	/* draw the second triangle */
};

static u32 nv3_soft_rect_select(struct nv3_object *obj, u32 subch)
{
	return nv3_inject_select(obj, subch, NV3_CLASS_TRI);
}

static void nv3_soft_rect_corner(struct nv3_object *obj, u32 subch, u32 mthd, s32 x, s32 y)
{
	nv3_inject(obj, subch, NV3_CLASS_TRI, mthd, (u32)y << 16 | (x & 0xffff));
}

/*
 * Executes RECT_SIZE, which draws the rectangle. Each call injects one method of class 0x0b, so the
 * function is called three times for each RECT_SIZE.
 */
static u32 nv3_soft_rect_size(struct nv3_object *obj, u32 subch, u32 size)
{
	struct nv3_device *nv3 = obj->chan->rm->nv3;
	struct nv3_grobj *grobj = to_grobj(obj);
	s32 x = nv3_rd32(nv3, NV3_PGRAPH_VTX_X(0));
	s32 y = nv3_rd32(nv3, NV3_PGRAPH_VTX_Y(0));
	s32 right = x + (size & 0xffff), bottom = y + (size >> 16);

	switch (grobj->step) {
	case NV3_SOFT_RECT_START:
		/*
		 * Silicon raises the interrupt RANGE if the corner is out of range, and
		 * MISSING_METHOD if the colour or the point is missing.
		 */
		if (right > S16_MAX || bottom > S16_MAX)
			return DRM_NV3_FAULT_DATA;
		if ((nv3_rd32(nv3, NV3_PGRAPH_VALID) & NV3_SOFT_RECT_NEEDS) !=
		    NV3_SOFT_RECT_NEEDS)
			return DRM_NV3_FAULT_STATE;
		nv3_inject_disarm_notifier(obj);
		nv3_soft_rect_corner(obj, subch, NV3_TRI_POINT(1), right, y);
		grobj->step = NV3_SOFT_RECT_HALF;
		return NV3_TRAP_AGAIN;
	case NV3_SOFT_RECT_HALF:
		nv3_soft_rect_corner(obj, subch, NV3_TRI_POINT(2), x, bottom);
		grobj->step = NV3_SOFT_RECT_REST;
		return NV3_TRAP_AGAIN;
	default:
		nv3_inject_rearm_notifier(obj);
		nv3_soft_rect_corner(obj, subch, NV3_TRI_STRIP(0), right, bottom);
		grobj->step = NV3_SOFT_RECT_START;
		return DRM_NV3_FAULT_NONE;
	}
}

static u32 nv3_soft_rect_method(struct nv3_object *obj, u32 subch, u32 mthd, u32 data)
{
	struct nv3_grobj *grobj = to_grobj(obj);

	nv3_inject_own_pgraph(obj);
	grobj->mthd = mthd;
	grobj->data = data;

	switch (mthd) {
	case NV3_MTHD_NOTIFY:
		nv3_inject(obj, subch, NV3_CLASS_TRI, mthd, data);
		return DRM_NV3_FAULT_NONE;
	case NV3_RECT_COLOR:
		nv3_inject(obj, subch, NV3_CLASS_TRI, NV3_TRI_COLOR, data);
		return DRM_NV3_FAULT_NONE;
	case NV3_RECT_POINT(0) ... NV3_RECT_SIZE(NV3_SOFT_RECT_COUNT - 1):
		if (mthd & 4)
			return nv3_soft_rect_size(obj, subch, data);
		nv3_inject(obj, subch, NV3_CLASS_TRI, NV3_TRI_POINT(0), data);
		return DRM_NV3_FAULT_NONE;
	default:
		return nv3_graph_emulate(obj, mthd, data);
	}
}

const struct nv3_class nv3_class_soft_rect = {
	.id = NV3_CLASS_RECT,
	.name = "rect",
	.args_size = sizeof(struct drm_nv3_graph_args),
	.flags = NV3_GRAPH_ANY_FLAGS,
	.formats = DRM_NV3_COLOR_Y16,
	.needs = BIT(NV3_CLASS_TRI),
	.create = nv3_inject_create,
	.destroy = nv3_graph_destroy,
	.write = nv3_graph_write,
	.select = nv3_soft_rect_select,
	.method = nv3_soft_rect_method,
	.injected = nv3_inject_describe,
};
