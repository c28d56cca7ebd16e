/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>

#include "nv3_priv.h"

#define READ_WRITE	(DRM_NV3_BUFFER_READ | DRM_NV3_BUFFER_WRITE)

static int instantiate(struct nv3_object *obj, const void *args, uint32_t size)
{
	struct nv3_channel *chan = obj->chan;
	struct drm_nv3_object_instantiate req = {
		.channel = chan->id,
		.class_id = obj->class_id,
		.name = obj->name,
		.args_size = size,
		.args = (uintptr_t)args,
	};
	bool choose = !obj->name;
	int ret;

	do {
		if (choose)
			req.name = atomic_fetch_add(&chan->next_name, 1);
		ret = nv3_ioctl(chan->dev->fd, DRM_IOCTL_NV3_OBJECT_INSTANTIATE,
				&req);
		/*
		 * Try the next handle if the caller already uses this one, or if the counter has
		 * wrapped to 0.
		 */
	} while (choose && (ret == -EEXIST || !req.name));
	obj->name = req.name;
	return ret;
}

static int object_new(struct nv3_channel *chan, uint32_t name,
		      uint32_t class_id, const void *args, uint32_t size,
		      struct nv3_object **out)
{
	struct nv3_object *obj;
	int ret;

	obj = calloc(1, sizeof(*obj));
	if (!obj)
		return -ENOMEM;
	atomic_init(&obj->refs, 1);
	obj->chan = chan;
	obj->name = name;
	obj->class_id = class_id;
	ret = instantiate(obj, args, size);
	if (ret) {
		free(obj);
		return ret;
	}
	nv3_channel_ref(chan);
	*out = obj;
	return 0;
}

NV3_EXPORT int nv3_dma_new(struct nv3_channel *chan, uint32_t name,
			   struct nv3_bo *bo, uint64_t offset, uint64_t size,
			   uint32_t flags, struct nv3_object **out)
{
	struct drm_nv3_dma_args args = {
		.handle = bo->handle,
		.flags = flags,
		.offset = offset,
		.size = size,
	};
	struct nv3_object *obj;
	int ret;

	ret = object_new(chan, name, DRM_NV3_CLASS_DMA, &args, sizeof(args),
			 &obj);
	if (ret)
		return ret;
	obj->bo = nv3_bo_ref(bo);
	obj->access = flags & DRM_NV3_DMA_WRITE ? READ_WRITE :
						  DRM_NV3_BUFFER_READ;
	*out = obj;
	return 0;
}

NV3_EXPORT int nv3_surface_new(struct nv3_channel *chan, uint32_t name,
			       struct nv3_bo *bo,
			       const struct nv3_surface *info,
			       struct nv3_object **out)
{
	struct drm_nv3_surface_args args = {
		.handle = bo->handle,
		.slot = info->slot,
		.format = info->format,
		.offset = info->offset,
		.pitch = info->pitch,
		.width = info->width,
		.height = info->height,
	};
	struct nv3_object *obj;
	int ret;

	ret = object_new(chan, name, NV3_CLASS_SURFACE, &args, sizeof(args),
			 &obj);
	if (ret)
		return ret;
	obj->bo = nv3_bo_ref(bo);
	obj->access = info->access ? info->access : READ_WRITE;
	obj->slot = info->slot;
	*out = obj;
	return 0;
}

static uint32_t name_of(const struct nv3_object *obj)
{
	return obj ? obj->name : 0;
}

NV3_EXPORT int nv3_graph_new(struct nv3_channel *chan, uint32_t name,
			     uint32_t class_id, const struct nv3_graph *info,
			     struct nv3_object **out)
{
	struct drm_nv3_graph_args args = {
		.color_format = info->color_format,
		.operation = info->operation,
		.dst_slots = info->dst_slots,
		.src_slot = info->src_slot,
		.flags = info->flags,
		.dma = { name_of(info->dma[0]), name_of(info->dma[1]) },
		.dma_notify = name_of(info->dma_notify),
	};
	struct nv3_object *needs[NV3_OBJECT_NEEDS] = {
		info->dma[0], info->dma[1], info->dma_notify
	};
	struct nv3_object *obj;
	int i, ret;

	ret = object_new(chan, name, class_id, &args, sizeof(args), &obj);
	if (ret)
		return ret;
	for (i = 0; i < NV3_OBJECT_NEEDS; i++) {
		if (needs[i])
			obj->needs[i] = nv3_object_ref(needs[i]);
	}
	obj->slots = info->dst_slots;
	if (class_id == NV3_CLASS_BLIT || class_id == NV3_CLASS_ITM)
		obj->slots |= 1u << info->src_slot;
	if (info->flags & DRM_NV3_GRAPH_ZETA)
		obj->slots |= 1u << DRM_NV3_SURFACE_ZETA;
	*out = obj;
	return 0;
}

NV3_EXPORT int nv3_programs_object_new(struct nv3_channel *chan, uint32_t name,
				       uint32_t vm,
				       struct nv3_object *dma_notify,
				       struct nv3_object **out)
{
	struct drm_nv3_programs_args args = {
		.vm = vm,
		.dma_notify = name_of(dma_notify),
	};
	struct nv3_object *obj;
	int ret;

	ret = object_new(chan, name, DRM_NV3_CLASS_PROGRAMS, &args,
			 sizeof(args), &obj);
	if (ret)
		return ret;
	if (dma_notify)
		obj->needs[0] = nv3_object_ref(dma_notify);
	*out = obj;
	return 0;
}

NV3_EXPORT struct nv3_object *nv3_object_ref(struct nv3_object *obj)
{
	atomic_fetch_add(&obj->refs, 1);
	return obj;
}

NV3_EXPORT void nv3_object_unref(struct nv3_object *obj)
{
	struct drm_nv3_object_destroy req;
	int i;

	if (!obj || atomic_fetch_sub(&obj->refs, 1) != 1)
		return;
	req.channel = obj->chan->id;
	req.name = obj->name;
	nv3_ioctl(obj->chan->dev->fd, DRM_IOCTL_NV3_OBJECT_DESTROY, &req);
	for (i = 0; i < NV3_OBJECT_NEEDS; i++)
		nv3_object_unref(obj->needs[i]);
	nv3_bo_unref(obj->bo);
	nv3_channel_unref(obj->chan);
	free(obj);
}

NV3_EXPORT uint32_t nv3_object_name(const struct nv3_object *obj)
{
	return obj->name;
}

NV3_EXPORT uint32_t nv3_object_class(const struct nv3_object *obj)
{
	return obj->class_id;
}
