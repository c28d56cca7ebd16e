// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: The ioctls
 *
 * This file contains the table of all ioctls, and implements GETPARAM.
 */

#include <drm/drm_device.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_print.h>

#include "class/nv3_classes.h"
#include "nv3_ioctl.h"
#include "pio/nv3_pio.h"
#include "rm/nv3_rm.h"

static int nv3_getparam_ioctl(struct drm_device *drm, void *data,
			      struct drm_file *file)
{
	struct nv3_device *nv3 = to_nv3(drm);
	struct drm_nv3_getparam *args = data;
	int ret = 0;

	if (args->pad) {
		drm_dbg(drm, "GETPARAM: pad 0x%x\n", args->pad);
		return -EINVAL;
	}

	switch (args->param) {
	case DRM_NV3_PARAM_CHIP_ID:
		args->value = nv3->chip_id;
		break;
	case DRM_NV3_PARAM_VRAM_SIZE:
		args->value = nv3->vram_size;
		break;
	case DRM_NV3_PARAM_VRAM_AVAILABLE:
		args->value = nv3->vram_available;
		break;
	case DRM_NV3_PARAM_VRAM_LOW:
		args->value = nv3->vram_low;
		break;
	case DRM_NV3_PARAM_VIRT_FEATURES:
		args->value = nv3->virt_features;
		break;
	default:
		ret = nv3_rm_getparam(nv3, file, args->param, &args->value);
		if (ret)
			drm_dbg(drm, "GETPARAM: param %u\n", args->param);
		break;
	}

	return ret;
}

#if !IS_ENABLED(CONFIG_DRM_NV3_PIO)
static int nv3_channel_no_flush_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	drm_dbg(drm, "channel_flush: built without CONFIG_DRM_NV3_PIO\n");
	return -EOPNOTSUPP;
}
#endif

#define NV3_IOCTL(name, func) \
	DRM_IOCTL_DEF_DRV(NV3_##name, func, DRM_RENDER_ALLOW)

const struct drm_ioctl_desc nv3_ioctls[NV3_IOCTL_COUNT] = {
	NV3_IOCTL(GETPARAM, nv3_getparam_ioctl),
	NV3_IOCTL(CLASS_ENUMERATE, nv3_class_enumerate_ioctl),
	NV3_IOCTL(CHANNEL_CREATE, nv3_channel_create_ioctl),
	NV3_IOCTL(CHANNEL_DESTROY, nv3_channel_destroy_ioctl),
	NV3_IOCTL(CHANNEL_QUERY, nv3_channel_query_ioctl),
	NV3_IOCTL(OBJECT_INSTANTIATE, nv3_object_instantiate_ioctl),
	NV3_IOCTL(OBJECT_DESTROY, nv3_object_destroy_ioctl),
	NV3_IOCTL(GEM_CREATE, nv3_gem_create_ioctl),
	NV3_IOCTL(GEM_MMAP, nv3_gem_mmap_ioctl),
	NV3_IOCTL(GEM_WAIT, nv3_gem_wait_ioctl),
	NV3_IOCTL(SUBMIT, nv3_submit_ioctl),
#if IS_ENABLED(CONFIG_DRM_NV3_PIO)
	NV3_IOCTL(CHANNEL_FLUSH, nv3_channel_flush_ioctl),
#else
	NV3_IOCTL(CHANNEL_FLUSH, nv3_channel_no_flush_ioctl),
#endif
	NV3_IOCTL(NOTIFIER_FENCE, nv3_notifier_fence_ioctl),
	NV3_IOCTL(VM_CREATE, nv3_vm_create_ioctl),
	NV3_IOCTL(VM_DESTROY, nv3_vm_destroy_ioctl),
	NV3_IOCTL(VM_BIND, nv3_vm_bind_ioctl),
};
