// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The ioctls of buffers
 *
 * The ioctls in this file check the arguments of clients. mem/nv3_gem.c implements the operations.
 */

#include <linux/dma-resv.h>

#include <drm/drm_gem.h>
#include <drm/drm_print.h>
#include <drm/drm_utils.h>

#include "mem/nv3_bo.h"
#include "mem/nv3_gem.h"
#include "nv3_ioctl.h"
#include "rm/nv3_rm.h"
#include "vm/nv3_vm.h"

/**
 * nv3_gem_create_ioctl() - DRM_IOCTL_NV3_GEM_CREATE
 * @drm: the device
 * @data: struct drm_nv3_gem_create
 * @file: file of the caller
 *
 * Context: process context.
 * Return: 0, -EINVAL or -ENOENT for invalid arguments, or an error of nv3_bo_create().
 */
int nv3_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_gem_create *args = data;
	const u32 all = DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM;
	struct nv3_vm *vm = NULL;
	u32 handle;
	int ret;

	if (args->flags) {
		drm_dbg(drm, "GEM_CREATE: flags 0x%x\n", args->flags);
		return -EINVAL;
	}
	if (!args->domains || args->domains & ~all) {
		drm_dbg(drm, "GEM_CREATE: domains 0x%x\n", args->domains);
		return -EINVAL;
	}
	if (!args->size || args->size > U32_MAX) {
		drm_dbg(drm, "GEM_CREATE: size %llu\n", args->size);
		return -EINVAL;
	}
	if (args->vm) {
		vm = nv3_file_get_vm(file, args->vm);
		if (!vm)
			return -ENOENT;
	}

	ret = nv3_gem_create(drm, file, args->size, args->domains,
			     vm ? drm_gpuvm_resv_obj(&vm->base) : NULL, &handle);
	nv3_vm_put(vm);
	if (ret)
		return ret;

	args->size = PAGE_ALIGN(args->size);
	args->handle = handle;
	return 0;
}

/**
 * nv3_gem_mmap_ioctl() - DRM_IOCTL_NV3_GEM_MMAP
 * @drm: the device
 * @data: struct drm_nv3_gem_mmap
 * @file: file of the caller
 *
 * Context: process context.
 * Return: the same as nv3_gem_map_offset().
 */
int nv3_gem_mmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_gem_mmap *args = data;

	if (args->pad) {
		drm_dbg(drm, "GEM_MMAP: pad 0x%x\n", args->pad);
		return -EINVAL;
	}

	return nv3_gem_map_offset(file, drm, args->handle, &args->offset);
}

/**
 * nv3_gem_wait_ioctl() - DRM_IOCTL_NV3_GEM_WAIT
 * @drm: the device
 * @data: struct drm_nv3_gem_wait, with an absolute timeout in nanoseconds of CLOCK_MONOTONIC
 * @file: file of the caller
 *
 * Context: process context; waits interruptibly.
 * Return: 0, -ETIME if the timeout passes, -ENOENT for an unknown handle, -EINVAL for unknown
 * flags, or -ERESTARTSYS.
 */
int nv3_gem_wait_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_gem_wait *args = data;
	struct drm_gem_object *gem;
	long ret;

	if (args->flags & ~DRM_NV3_GEM_WAIT_WRITE) {
		drm_dbg(drm, "GEM_WAIT: flags 0x%x\n", args->flags);
		return -EINVAL;
	}

	gem = drm_gem_object_lookup(file, args->handle);
	if (!gem) {
		drm_dbg(drm, "GEM_WAIT: handle %u\n", args->handle);
		return -ENOENT;
	}

	ret = dma_resv_wait_timeout(gem->resv,
				    dma_resv_usage_rw(args->flags & DRM_NV3_GEM_WAIT_WRITE),
				    true, drm_timeout_abs_to_jiffies(args->timeout_ns));
	drm_gem_object_put(gem);
	if (!ret)
		return -ETIME;
	return ret < 0 ? ret : 0;
}
