// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The ioctls of address spaces
 *
 * The ioctls in this file check the arguments of clients and maintain the table of each file's
 * address spaces. The folder vm/ implements the operations.
 */

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#include "mem/nv3_bo.h"
#include "nv3_ioctl.h"
#include "rm/nv3_object.h"
#include "rm/nv3_rm.h"
#include "vm/nv3_vm.h"

/*
 * Gives the address space an id. The file's table takes over the caller's reference. If the
 * function fails, it drops the reference.
 */
static int nv3_vm_add(struct nv3_file *nv3_file, struct nv3_vm *vm, u32 *id)
{
	int ret;

	mutex_lock(&nv3_file->lock);
	ret = xa_alloc(&nv3_file->vms, id, vm, XA_LIMIT(1, NV3_VM_MAX), GFP_KERNEL_ACCOUNT);
	mutex_unlock(&nv3_file->lock);
	if (ret)
		nv3_vm_put(vm);
	return ret == -EBUSY ? -ENOSPC : ret;
}

/**
 * nv3_vm_create_ioctl() - DRM_IOCTL_NV3_VM_CREATE
 * @drm: the device
 * @data: struct drm_nv3_vm_create
 * @file: the caller's file
 *
 * Context: process context.
 * Return: 0, -EINVAL, -EOPNOTSUPP, -ENOSPC, -ENOMEM or -ENODEV.
 */
int nv3_vm_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_nv3_vm_create *args = data;
	struct nv3_vm *vm;
	int ret, idx;

	if (args->flags) {
		drm_dbg(drm, "vm_create: flags is %#x\n", args->flags);
		return -EINVAL;
	}
	if (!nv3_class_find(to_rm(drm), DRM_NV3_CLASS_PROGRAMS)) {
		drm_dbg(drm, "vm_create: the chip lacks class %#x\n", DRM_NV3_CLASS_PROGRAMS);
		return -EOPNOTSUPP;
	}
	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;

	vm = nv3_vm_create(to_nv3(drm));
	ret = IS_ERR(vm) ? PTR_ERR(vm) : nv3_vm_add(file->driver_priv, vm, &args->vm);
	args->size = NV3_VM_SIZE;

	drm_dev_exit(idx);
	return ret;
}

/**
 * nv3_vm_destroy_ioctl() - DRM_IOCTL_NV3_VM_DESTROY
 * @drm: the device
 * @data: struct drm_nv3_vm_destroy
 * @file: the caller's file
 *
 * Context: process context.
 * Return: 0, -EINVAL or -ENOENT.
 */
int nv3_vm_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_vm_destroy *args = data;
	struct nv3_file *nv3_file = file->driver_priv;
	struct nv3_vm *vm;

	if (args->pad) {
		drm_dbg(drm, "vm_destroy: pad is %#x\n", args->pad);
		return -EINVAL;
	}

	mutex_lock(&nv3_file->lock);
	vm = xa_erase(&nv3_file->vms, args->vm);
	mutex_unlock(&nv3_file->lock);
	if (!vm) {
		drm_dbg(drm, "vm_destroy: no address space %u\n", args->vm);
		return -ENOENT;
	}

	nv3_vm_put(vm);
	return 0;
}

static bool nv3_vm_is_range(u64 first, u64 size, u64 end)
{
	return !((first | size) & ~PAGE_MASK) && first <= end && size <= end - first;
}

static int nv3_vm_bind_check(struct drm_device *drm, const struct drm_nv3_vm_bind *args)
{
	bool map = args->op == DRM_NV3_VM_MAP;

	if (args->op > DRM_NV3_VM_UNMAP) {
		drm_dbg(drm, "vm_bind: op is %u\n", args->op);
		return -EINVAL;
	}
	if (args->flags & ~(map ? DRM_NV3_VM_READ_ONLY : 0)) {
		drm_dbg(drm, "vm_bind: flags is %#x\n", args->flags);
		return -EINVAL;
	}
	if (!args->size || !nv3_vm_is_range(args->address, args->size, NV3_VM_SIZE)) {
		drm_dbg(drm, "vm_bind: address is %#llx, size is %#llx\n", args->address,
			args->size);
		return -EINVAL;
	}
	if (!map && (args->handle || args->offset)) {
		drm_dbg(drm, "vm_bind: unmap: handle is %u, offset is %#llx\n", args->handle,
			args->offset);
		return -EINVAL;
	}
	return 0;
}

static int nv3_vm_bind_map(struct drm_file *file, struct nv3_vm *vm,
			   const struct drm_nv3_vm_bind *args)
{
	struct drm_gem_object *gem = drm_gem_object_lookup(file, args->handle);
	int ret;

	if (!gem) {
		drm_dbg(&vm->nv3->drm, "vm_bind: no handle %u\n", args->handle);
		return -ENOENT;
	}
	if (nv3_vm_is_range(args->offset, args->size, gem->size)) {
		ret = nv3_vm_map(vm, to_nv3_bo(gem), args);
	} else {
		drm_dbg(&vm->nv3->drm, "vm_bind: offset is %#llx, size is %#llx of %#zx\n",
			args->offset, args->size, gem->size);
		ret = -EINVAL;
	}
	drm_gem_object_put(gem);
	return ret;
}

/**
 * nv3_vm_bind_ioctl() - DRM_IOCTL_NV3_VM_BIND
 * @drm: the device
 * @data: struct drm_nv3_vm_bind
 * @file: the caller's file
 *
 * Context: process context; if mappings are replaced or removed, waits for all batches in flight
 * that may use the address space.
 * Return: 0, -EINVAL or -ENOENT for invalid arguments; -ENOSPC; -ENOMEM; -ENODEV; or -ERESTARTSYS.
 */
int nv3_vm_bind_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_nv3_vm_bind *args = data;
	struct nv3_vm *vm;
	int ret, idx;

	ret = nv3_vm_bind_check(drm, args);
	if (ret)
		return ret;

	vm = nv3_file_get_vm(file, args->vm);
	if (!vm)
		return -ENOENT;

	if (drm_dev_enter(drm, &idx)) {
		ret = args->op == DRM_NV3_VM_MAP ? nv3_vm_bind_map(file, vm, args) :
						   nv3_vm_unmap(vm, args->address, args->size);
		drm_dev_exit(idx);
	} else {
		ret = -ENODEV;
	}

	nv3_vm_put(vm);
	return ret;
}
