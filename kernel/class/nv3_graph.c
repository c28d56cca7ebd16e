// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Hardware classes
 *
 * PGRAPH executes the methods of hardware classes. PGRAPH reads the parameters of an object from
 * three words in RAMIN. These words contain the options (format, raster operation, surface slots,
 * flags) and the instances of the DMA objects that the object uses. When a client creates an
 * object, it specifies the options and the handles of the DMA objects. The driver permits only
 * options that are known to be harmless.
 *
 * The arguments of methods 0x180 to 0x1fc are handles of DMA objects. Later chips execute these
 * methods. On NV3, PGRAPH traps on these methods (envytools, fifo/puller), and the driver changes
 * the words of the object. An object has up to three DMA objects (0x180 to 0x188).
 */

#include <linux/slab.h>

#include <drm/drm_print.h>

#include "nv3_class.h"
#include "nv3_graph.h"
#include "rm/nv3_channel.h"

static u32 nv3_graph_inst(struct nv3_grobj *grobj, enum nv3_graph_dma which)
{
	if (which == NV3_GRAPH_DMA_0 && grobj->vm_inst)
		return grobj->vm_inst;
	return grobj->dma[which] ? nv3_ramin_inst(&grobj->dma[which]->inst) : 0;
}

/**
 * nv3_graph_write() - &struct nv3_class.write
 * @obj: the object
 *
 * Context: the instance is new, or nv3_rm.lock is held.
 */
void nv3_graph_write(struct nv3_object *obj)
{
	struct nv3_grobj *grobj = to_grobj(obj);
	struct nv3_device *nv3 = obj->chan->rm->nv3;
	u32 addr = nv3_ramin_addr(&obj->inst);

	nv3_ramin_wr32(nv3, addr + NV3_GROBJ_OPTIONS, grobj->options);
	nv3_ramin_wr32(nv3, addr + NV3_GROBJ_DMA,
		       nv3_graph_inst(grobj, NV3_GRAPH_DMA_0) |
		       nv3_graph_inst(grobj, NV3_GRAPH_DMA_NOTIFY) << NV3_GROBJ_NOTIFY_SHIFT);
	nv3_ramin_wr32(nv3, addr + NV3_GROBJ_M2MF, nv3_graph_inst(grobj, NV3_GRAPH_DMA_1));
}

/*
 * Returns true if real chips have the raster operation. Source: envytools rnndb,
 * NV3_GROBJ_OPTIONS.OP, which lacks 0x16, 0x18, 0x1b and 0x1c.
 */
static bool nv3_graph_operation_ok(u32 operation)
{
	switch (operation) {
	case 0x00 ... 0x15:
	case NV3_GROBJ_OP_SRCCOPY:
	case 0x19:
	case 0x1a:
	case 0x1d:
		return true;
	default:
		return false;
	}
}

static int nv3_graph_check(struct drm_device *drm, const struct nv3_class *class,
			   const struct drm_nv3_graph_args *args)
{
	unsigned int i;

	if (args->color_format > class->formats) {
		drm_dbg(drm, "%s: color_format is %u\n", class->name, args->color_format);
		return -EINVAL;
	}
	if (!nv3_graph_operation_ok(args->operation)) {
		drm_dbg(drm, "%s: operation is %#x\n", class->name, args->operation);
		return -EINVAL;
	}
	if (args->dst_slots >= 1 << DRM_NV3_SURFACE_SLOTS) {
		drm_dbg(drm, "%s: dst_slots is %#x\n", class->name, args->dst_slots);
		return -EINVAL;
	}
	if (args->src_slot >= DRM_NV3_SURFACE_SLOTS) {
		drm_dbg(drm, "%s: src_slot is %u\n", class->name, args->src_slot);
		return -EINVAL;
	}
	if (args->flags & ~class->flags) {
		drm_dbg(drm, "%s: flags is %#x\n", class->name, args->flags);
		return -EINVAL;
	}
	for (i = class->dmas; i < ARRAY_SIZE(args->dma); i++) {
		if (args->dma[i]) {
			drm_dbg(drm, "%s: dma[%u] is %#x\n", class->name, i, args->dma[i]);
			return -EINVAL;
		}
	}
	return 0;
}

static u32 nv3_graph_options(const struct drm_nv3_graph_args *args)
{
	u32 options = args->color_format;

	if (args->flags & DRM_NV3_GRAPH_ALPHA)
		options |= NV3_GROBJ_ALPHA;
	if (args->flags & DRM_NV3_GRAPH_CHROMA)
		options |= NV3_GROBJ_CHROMA;
	if (args->flags & DRM_NV3_GRAPH_CLIP)
		options |= NV3_GROBJ_CLIP;
	if (args->flags & DRM_NV3_GRAPH_ZETA)
		options |= NV3_GROBJ_ZETA;
	if (args->flags & DRM_NV3_GRAPH_MONO_CGA6)
		options |= NV3_GROBJ_MONO_CGA6;

	return options | args->src_slot << NV3_GROBJ_SURFACE_SHIFT |
	       args->dst_slots << NV3_GROBJ_DST_SHIFT | args->operation << NV3_GROBJ_OP_SHIFT;
}

/**
 * nv3_graph_find_dma() - look up a DMA object for a new graphics object
 * @grobj: the graphics object
 * @which: which DMA object of @grobj to set
 * @handle: the handle of the DMA object, or 0 for none
 * @field: the name of the ioctl argument that contains @handle, for debug messages
 *
 * Context: process context; nv3_channel.lock is held.
 * Return: 0 or -ENOENT.
 */
int nv3_graph_find_dma(struct nv3_grobj *grobj, enum nv3_graph_dma which, u32 handle,
		       const char *field)
{
	struct nv3_channel *chan = grobj->base.chan;

	if (!handle)
		return 0;

	grobj->dma[which] = nv3_object_find_get(chan, handle, &nv3_class_dma);
	if (!grobj->dma[which]) {
		drm_dbg(&chan->rm->nv3->drm, "%s: %s: no dma object %#x\n",
			grobj->base.class->name, field, handle);
		return -ENOENT;
	}
	return 0;
}

static int nv3_graph_find_dmas(struct nv3_grobj *grobj, const struct drm_nv3_graph_args *args)
{
	int ret;

	ret = nv3_graph_find_dma(grobj, NV3_GRAPH_DMA_0, args->dma[0], "dma[0]");
	if (ret)
		return ret;
	ret = nv3_graph_find_dma(grobj, NV3_GRAPH_DMA_1, args->dma[1], "dma[1]");
	if (ret)
		return ret;
	return nv3_graph_find_dma(grobj, NV3_GRAPH_DMA_NOTIFY, args->dma_notify, "dma_notify");
}

/**
 * nv3_graph_create() - &struct nv3_class.create
 * @chan: the channel
 * @class: the class
 * @file: the client's file
 * @args: the arguments
 *
 * Context: process context; nv3_channel.lock is held.
 * Return: the object, or an ERR_PTR(): -EINVAL for an invalid argument, -ENOENT for an unknown
 * handle, -ENOMEM, or an error of nv3_object_init().
 */
struct nv3_object *nv3_graph_create(struct nv3_channel *chan, const struct nv3_class *class,
				    struct drm_file *file, const union nv3_object_args *args)
{
	struct nv3_grobj *grobj;
	int ret;

	ret = nv3_graph_check(&chan->rm->nv3->drm, class, &args->graph);
	if (ret)
		return ERR_PTR(ret);

	grobj = kzalloc(sizeof(*grobj), GFP_KERNEL_ACCOUNT);
	if (!grobj)
		return ERR_PTR(-ENOMEM);

	ret = nv3_object_init(&grobj->base, chan, class, NV3_GROBJ_SIZE);
	if (ret) {
		kfree(grobj);
		return ERR_PTR(ret);
	}

	ret = nv3_graph_find_dmas(grobj, &args->graph);
	if (ret) {
		nv3_object_put(&grobj->base);
		return ERR_PTR(ret);
	}

	grobj->base.key.ctx = nv3_object_ctx(&grobj->base, true);
	grobj->options = nv3_graph_options(&args->graph);
	nv3_graph_write(&grobj->base);
	return &grobj->base;
}

/**
 * nv3_graph_destroy() - &struct nv3_class.destroy
 * @obj: the object
 *
 * Context: process context.
 */
void nv3_graph_destroy(struct nv3_object *obj)
{
	struct nv3_grobj *grobj = to_grobj(obj);
	unsigned int i;

	for (i = 0; i < NV3_GRAPH_DMA_COUNT; i++)
		nv3_object_put(grobj->dma[i]);
	nv3_object_fini(obj);
	kfree(grobj);
}

/*
 * Returns the index of the DMA object that the method sets, or NV3_GRAPH_DMA_COUNT if the method
 * sets no DMA object.
 */
static enum nv3_graph_dma nv3_graph_dma_method(const struct nv3_class *class, u32 mthd)
{
	if (mthd == NV3_MTHD_SET_NOTIFY_DMA)
		return NV3_GRAPH_DMA_NOTIFY;
	/*
	 * M2MF has a DMA object for input and one for output. All other classes have at most one.
	 * Notifications have a separate DMA object.
	 */
	if (mthd == NV3_M2MF_SET_DMA_IN && class->dmas >= 1)
		return NV3_GRAPH_DMA_0;
	if (mthd == NV3_M2MF_SET_DMA_OUT && class->dmas >= 2)
		return NV3_GRAPH_DMA_1;
	return NV3_GRAPH_DMA_COUNT;
}

static u32 nv3_graph_swap_dma(struct nv3_grobj *grobj, enum nv3_graph_dma which, u32 handle)
{
	struct nv3_object *dma = NULL;

	if (handle) {
		dma = nv3_object_find(grobj->base.chan, handle);
		if (!dma)
			return DRM_NV3_FAULT_NAME;
		if (dma->class != &nv3_class_dma)
			return DRM_NV3_FAULT_DATA;
		nv3_object_get(dma);
	}

	swap(dma, grobj->dma[which]);
	nv3_object_put(dma);
	return DRM_NV3_FAULT_NONE;
}

/**
 * nv3_graph_emulate() - &struct nv3_class.emulate
 * @obj: the object
 * @mthd: the method
 * @data: the argument of the method, which is the handle of a DMA object or 0
 *
 * PGRAPH has stopped at the method. It may already have loaded the object's words into its
 * registers, so the function also updates these registers. An armed notifier stays armed.
 *
 * Context: nv3_rm.lock is held.
 * Return: DRM_NV3_FAULT_*.
 */
u32 nv3_graph_emulate(struct nv3_object *obj, u32 mthd, u32 data)
{
	enum nv3_graph_dma which = nv3_graph_dma_method(obj->class, mthd);
	struct nv3_device *nv3 = obj->chan->rm->nv3;
	struct nv3_grobj *grobj = to_grobj(obj);
	u32 fault;

	if (which == NV3_GRAPH_DMA_COUNT)
		return DRM_NV3_FAULT_METHOD;

	fault = nv3_graph_swap_dma(grobj, which, data);
	if (fault)
		return fault;

	obj->class->write(obj);
	nv3_wr32(nv3, NV3_PGRAPH_GROBJ_INST, nv3_ramin_inst(&obj->inst));
	nv3_wr32(nv3, NV3_PGRAPH_DMA_INST, nv3_graph_inst(grobj, NV3_GRAPH_DMA_0));
	nv3_wr32(nv3, NV3_PGRAPH_M2MF_INST, nv3_graph_inst(grobj, NV3_GRAPH_DMA_1));
	nv3_mask32(nv3, NV3_PGRAPH_NOTIFY, NV3_PGRAPH_NOTIFY_INST,
		   nv3_graph_inst(grobj, NV3_GRAPH_DMA_NOTIFY));
	return DRM_NV3_FAULT_NONE;
}

#define NV3_GRAPH_CLASS_FORMATS(_name, _id, _dmas, _flags, _formats)	\
const struct nv3_class nv3_class_##_name = {				\
	.id = (_id),							\
	.name = #_name,							\
	.args_size = sizeof(struct drm_nv3_graph_args),			\
	.create = nv3_graph_create,					\
	.destroy = nv3_graph_destroy,					\
	.write = nv3_graph_write,					\
	.dmas = (_dmas),						\
	.flags = (_flags),						\
	.formats = (_formats),						\
	.hardware = true,						\
	.emulate = nv3_graph_emulate,					\
}

#define NV3_GRAPH_CLASS(_name, _id, _dmas, _flags)			\
	NV3_GRAPH_CLASS_FORMATS(_name, _id, _dmas, _flags, DRM_NV3_COLOR_Y16)

NV3_GRAPH_CLASS(beta, NV3_CLASS_BETA, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(rop, NV3_CLASS_ROP, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(chroma, NV3_CLASS_CHROMA, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(plane, NV3_CLASS_PLANE, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(clip, NV3_CLASS_CLIP, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(pattern, NV3_CLASS_PATTERN, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(rect, NV3_CLASS_RECT, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(point, NV3_CLASS_POINT, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(line, NV3_CLASS_LINE, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(lin, NV3_CLASS_LIN, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(tri, NV3_CLASS_TRI, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(gdi, NV3_CLASS_GDI, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(m2mf, NV3_CLASS_M2MF, 2, NV3_GRAPH_ANY_FLAGS);
/* SIFM is the only class with video formats. */
NV3_GRAPH_CLASS_FORMATS(sifm, NV3_CLASS_SIFM, 1, NV3_GRAPH_ANY_FLAGS, DRM_NV3_COLOR_YUV_PLANES);
NV3_GRAPH_CLASS(blit, NV3_CLASS_BLIT, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(ifc, NV3_CLASS_IFC, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(bitmap, NV3_CLASS_BITMAP, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(itm, NV3_CLASS_ITM, 1, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(sifc, NV3_CLASS_SIFC, 0, NV3_GRAPH_ANY_FLAGS);
NV3_GRAPH_CLASS(d3d, NV3_CLASS_D3D, 1, NV3_GRAPH_ALL_FLAGS);
NV3_GRAPH_CLASS(zpoint, NV3_CLASS_ZPOINT, 0, NV3_GRAPH_ALL_FLAGS);
