// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Surfaces, a software class
 *
 * PGRAPH draws to four surfaces. Each surface has an offset, a pitch and a format. PGRAPH checks
 * none of these values. If the chip executed class 0x1C itself, a client could draw anywhere in
 * VRAM. The driver therefore implements class 0x1C in software. A client describes a surface when
 * it creates the object, and the driver checks that the surface lies within the client's own
 * buffer. Binding the object to a subchannel puts the surface into the slot that the client has
 * specified. At a method of a software object, PFIFO stops and raises an interrupt when PGRAPH has
 * executed all earlier methods. The driver thus need not parse pushbuffers.
 *
 * PGRAPH clips all drawing to the canvas. The canvas has the smallest width and the smallest height
 * of the surfaces in the four slots, so drawing stays inside the buffers. The driver marks a slot
 * without a surface as invalid. PGRAPH does not check this mark for every class: BLIT can read from
 * any source slot (envytools nvhw, pgraph_prep_draw()). The driver therefore programs such a slot
 * with the surface of another slot, the one with the most bytes per pixel. Drawing through such a
 * slot thus changes only the client's own buffer.
 *
 * Buffers move between batches. A slot counts as empty while the running batch does not list the
 * buffer of its surface, or while this buffer is not in VRAM. SUBMIT moves buffers with surfaces to
 * VRAM. PFIFO looks up handles when the batch runs. A batch may therefore bind a surface that was
 * created after SUBMIT and whose buffer is not in VRAM.
 */

#include <linux/math64.h>
#include <linux/slab.h>

#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#include "nv3_class.h"
#include "nv3_surface.h"
#include "rm/nv3_channel.h"

#define NV3_SURFACE_ALIGN	16
#define NV3_SURFACE_MAX		2047

static inline struct nv3_surface *to_surface(struct nv3_object *obj)
{
	return container_of(obj, struct nv3_surface, base);
}

static const struct {
	u32 format;	/* NV3_SURF_* */
	u32 cpp;	/* bytes per pixel */
} nv3_surface_formats[] = {
	[DRM_NV3_FORMAT_Y8] = { NV3_SURF_Y8, 1 },
	[DRM_NV3_FORMAT_Y16] = { NV3_SURF_Y16, 2 },
	[DRM_NV3_FORMAT_X1R5G5B5] = { NV3_SURF_X1R5G5B5, 2 },
	[DRM_NV3_FORMAT_X8R8G8B8] = { NV3_SURF_X8R8G8B8, 4 },
};

/*
 * Returns true if the running batch may draw to the surface. Until the batch's fence signals, TTM
 * does not move the buffers that the batch lists. If the surface was created after the batch was
 * submitted, the buffer may be in system memory or in high VRAM. The chip would use an offset in
 * high VRAM modulo 8 MiB.
 */
static bool nv3_surface_is_usable(const struct nv3_channel *chan, const struct nv3_surface *surf)
{
	return surf->bo->rm.batch == chan->rm->batch && nv3_bo_in_low_vram(surf->bo);
}

/* Returns the surface in the slot if the running batch may draw to the surface, else NULL. */
static struct nv3_surface *nv3_surface_in_slot(struct nv3_channel *chan, unsigned int slot)
{
	struct nv3_surface *surf = chan->slot[slot];

	return surf && nv3_surface_is_usable(chan, surf) ? surf : NULL;
}

/*
 * Computes the surface and canvas registers for the channel. The canvas begins at pixel (0, 0), and
 * is empty if no slot has a usable surface.
 */
static void nv3_surface_collect(struct nv3_channel *chan, struct nv3_surface_regs *regs)
{
	const struct nv3_surface *surf[DRM_NV3_SURFACE_SLOTS], *widest = NULL;
	u32 width = 0, height = 0;
	unsigned int i;

	memset(regs, 0, sizeof(*regs));

	for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
		surf[i] = nv3_surface_in_slot(chan, i);
		if (!surf[i])
			continue;
		width = widest ? min(width, surf[i]->width) : surf[i]->width;
		height = widest ? min(height, surf[i]->height) : surf[i]->height;
		if (!widest || surf[i]->cpp > widest->cpp)
			widest = surf[i];
		regs->config |= NV3_PGRAPH_SURF_VALID(i);
	}
	if (!widest)
		return;

	for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
		const struct nv3_surface *use = surf[i] ?: widest;

		regs->offset[i] = nv3_bo_vram_offset(use->bo) + use->offset;
		regs->pitch[i] = use->pitch;
		regs->config |= NV3_PGRAPH_SURF_FORMAT(i, use->format);
	}
	regs->canvas_max = height << 16 | width;
}

/**
 * nv3_surface_reset() - &struct nv3_class_ops.reset_surfaces
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_surface_reset(struct nv3_rm *rm)
{
	static const struct nv3_surface_regs none;
	unsigned int i;

	lockdep_assert_held(&rm->lock);

	for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
		nv3_wr32(rm->nv3, NV3_PGRAPH_SURF_OFFSET(i), 0);
		nv3_wr32(rm->nv3, NV3_PGRAPH_SURF_PITCH(i), 0);
	}
	nv3_wr32(rm->nv3, NV3_PGRAPH_SURF_CONFIG, 0);
	nv3_wr32(rm->nv3, NV3_PGRAPH_SRC_CANVAS_MIN, 0);
	nv3_wr32(rm->nv3, NV3_PGRAPH_SRC_CANVAS_MAX, 0);
	nv3_wr32(rm->nv3, NV3_PGRAPH_DST_CANVAS_MIN, 0);
	nv3_wr32(rm->nv3, NV3_PGRAPH_DST_CANVAS_MAX, 0);
	rm->surfaces = none;
}

/**
 * nv3_surface_apply() - write the registers for the slots and the canvas
 * @chan: the owner of PGRAPH, whose batch runs or is about to run
 *
 * Registers that already hold the right value are skipped.
 *
 * Context: nv3_rm.lock is held; PGRAPH is idle.
 */
void nv3_surface_apply(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;
	struct nv3_surface_regs regs, *old = &rm->surfaces;
	unsigned int i;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->pgraph != chan);

	nv3_surface_collect(chan, &regs);
	for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
		if (regs.offset[i] != old->offset[i])
			nv3_wr32(rm->nv3, NV3_PGRAPH_SURF_OFFSET(i), regs.offset[i]);
		if (regs.pitch[i] != old->pitch[i])
			nv3_wr32(rm->nv3, NV3_PGRAPH_SURF_PITCH(i), regs.pitch[i]);
	}
	if (regs.config != old->config)
		nv3_wr32(rm->nv3, NV3_PGRAPH_SURF_CONFIG, regs.config);
	if (regs.canvas_max != old->canvas_max) {
		nv3_wr32(rm->nv3, NV3_PGRAPH_SRC_CANVAS_MAX, regs.canvas_max);
		nv3_wr32(rm->nv3, NV3_PGRAPH_DST_CANVAS_MAX, regs.canvas_max);
	}
	*old = regs;
}

static u32 nv3_surface_select(struct nv3_object *obj, u32 subch)
{
	struct nv3_surface *surf = to_surface(obj);
	struct nv3_channel *chan = obj->chan;

	if (!nv3_surface_is_usable(chan, surf))
		return DRM_NV3_FAULT_PAGE;

	chan->slot[surf->slot] = surf;
	/* If another channel owns PGRAPH, nv3_switch_pgraph() applies the surface later. */
	if (chan->rm->pgraph == chan)
		nv3_surface_apply(chan);

	return DRM_NV3_FAULT_NONE;
}

/*
 * &struct nv3_class.forget: empties the slot that holds the surface. No batch of the channel runs.
 */
static void nv3_surface_forget(struct nv3_channel *chan, struct nv3_object *obj)
{
	unsigned int i;

	for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++)
		if (chan->slot[i] && &chan->slot[i]->base == obj)
			chan->slot[i] = NULL;
}

static int nv3_surface_check_values(struct drm_device *drm,
				    const struct drm_nv3_surface_args *args)
{
	if (args->pad) {
		drm_dbg(drm, "surface: pad is %#x\n", args->pad);
		return -EINVAL;
	}
	if (args->slot >= DRM_NV3_SURFACE_SLOTS) {
		drm_dbg(drm, "surface: slot is %u\n", args->slot);
		return -EINVAL;
	}
	if (args->format >= ARRAY_SIZE(nv3_surface_formats)) {
		drm_dbg(drm, "surface: format is %u\n", args->format);
		return -EINVAL;
	}
	if (args->offset % NV3_SURFACE_ALIGN) {
		drm_dbg(drm, "surface: offset is %#x\n", args->offset);
		return -EINVAL;
	}
	if (!args->pitch || args->pitch & ~NV3_PGRAPH_SURF_PITCH_MASK) {
		drm_dbg(drm, "surface: pitch is %u\n", args->pitch);
		return -EINVAL;
	}
	if (!args->width || args->width > NV3_SURFACE_MAX) {
		drm_dbg(drm, "surface: width is %u\n", args->width);
		return -EINVAL;
	}
	if (!args->height || args->height > NV3_SURFACE_MAX) {
		drm_dbg(drm, "surface: height is %u\n", args->height);
		return -EINVAL;
	}
	return 0;
}

static int nv3_surface_check_size(struct drm_device *drm, const struct drm_nv3_surface_args *args,
				  struct nv3_bo *bo)
{
	u32 cpp = nv3_surface_formats[args->format].cpp;
	u64 end;

	/* Depth values have 16 bits, regardless of the format of slot 3. */
	if (args->slot == DRM_NV3_SURFACE_ZETA && cpp < 2) {
		drm_dbg(drm, "surface: format is Y8 in slot %u\n", args->slot);
		return -EINVAL;
	}
	if (args->width * cpp > args->pitch) {
		drm_dbg(drm, "surface: pitch is %u for %u pixels\n", args->pitch, args->width);
		return -EINVAL;
	}

	end = args->offset + (u64)(args->height - 1) * args->pitch + args->width * cpp;
	if (end > nv3_bo_size(bo)) {
		drm_dbg(drm, "surface: ends at %#llx of %#llx\n", end, nv3_bo_size(bo));
		return -EINVAL;
	}
	if (!nv3_bo_fits_low(bo)) {
		drm_dbg(drm, "surface: handle %u can't be in low VRAM\n", args->handle);
		return -EINVAL;
	}
	return 0;
}

static struct nv3_object *nv3_surface_create(struct nv3_channel *chan,
					     const struct nv3_class *class, struct drm_file *file,
					     const union nv3_object_args *args)
{
	struct drm_device *drm = &chan->rm->nv3->drm;
	struct drm_gem_object *gem;
	struct nv3_surface *surf;
	int ret;

	ret = nv3_surface_check_values(drm, &args->surface);
	if (ret)
		return ERR_PTR(ret);

	gem = drm_gem_object_lookup(file, args->surface.handle);
	if (!gem) {
		drm_dbg(drm, "surface: no handle %u\n", args->surface.handle);
		return ERR_PTR(-ENOENT);
	}

	ret = nv3_surface_check_size(drm, &args->surface, to_nv3_bo(gem));
	if (ret)
		goto err_gem;

	surf = kzalloc(sizeof(*surf), GFP_KERNEL_ACCOUNT);
	if (!surf) {
		ret = -ENOMEM;
		goto err_gem;
	}

	ret = nv3_object_init(&surf->base, chan, class, 0);
	if (ret)
		goto err_surf;

	surf->base.key.ctx = nv3_object_ctx(&surf->base, false);
	surf->bo = to_nv3_bo(gem);
	surf->slot = args->surface.slot;
	surf->format = nv3_surface_formats[args->surface.format].format;
	surf->cpp = nv3_surface_formats[args->surface.format].cpp;
	surf->offset = args->surface.offset;
	surf->pitch = args->surface.pitch;
	surf->width = args->surface.width;
	surf->height = args->surface.height;
	atomic_inc(&surf->bo->rm.surfaces);

	return &surf->base;

err_surf:
	kfree(surf);
err_gem:
	drm_gem_object_put(gem);
	return ERR_PTR(ret);
}

static struct nv3_bo *nv3_surface_memory(struct nv3_object *obj, bool *write)
{
	*write = true;
	return to_surface(obj)->bo;
}

static void nv3_surface_destroy(struct nv3_object *obj)
{
	struct nv3_surface *surf = to_surface(obj);

	nv3_object_fini(obj);
	atomic_dec(&surf->bo->rm.surfaces);
	nv3_bo_put(surf->bo);
	kfree(surf);
}

const struct nv3_class nv3_class_surface = {
	.id = NV3_CLASS_SURFACE,
	.name = "surface",
	.args_size = sizeof(struct drm_nv3_surface_args),
	.create = nv3_surface_create,
	.destroy = nv3_surface_destroy,
	.memory = nv3_surface_memory,
	.select = nv3_surface_select,
	.forget = nv3_surface_forget,
};
