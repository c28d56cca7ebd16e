/* SPDX-License-Identifier: MIT */
#include "nv3_priv.h"

NV3_EXPORT int nv3_vm_create(struct nv3_device *dev, uint32_t *vm,
			     uint64_t *size)
{
	struct drm_nv3_vm_create req = { 0 };
	int ret = nv3_ioctl(dev->fd, DRM_IOCTL_NV3_VM_CREATE, &req);

	if (ret)
		return ret;
	*vm = req.vm;
	*size = req.size;
	return 0;
}

NV3_EXPORT void nv3_vm_destroy(struct nv3_device *dev, uint32_t vm)
{
	struct drm_nv3_vm_destroy req = { .vm = vm };

	nv3_ioctl(dev->fd, DRM_IOCTL_NV3_VM_DESTROY, &req);
}

NV3_EXPORT int nv3_vm_map(struct nv3_device *dev, uint32_t vm,
			  struct nv3_bo *bo, uint64_t offset, uint64_t address,
			  uint64_t size, uint32_t flags)
{
	struct drm_nv3_vm_bind req = {
		.vm = vm,
		.op = DRM_NV3_VM_MAP,
		.handle = bo->handle,
		.flags = flags,
		.address = address,
		.offset = offset,
		.size = size,
	};

	return nv3_ioctl(dev->fd, DRM_IOCTL_NV3_VM_BIND, &req);
}

NV3_EXPORT int nv3_vm_unmap(struct nv3_device *dev, uint32_t vm,
			    uint64_t address, uint64_t size)
{
	struct drm_nv3_vm_bind req = {
		.vm = vm,
		.op = DRM_NV3_VM_UNMAP,
		.address = address,
		.size = size,
	};

	return nv3_ioctl(dev->fd, DRM_IOCTL_NV3_VM_BIND, &req);
}
