/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adapts the driver to the differences between the kernels that it supports. The oldest supported
 * kernel is 6.12. Kbuild detects the features of the kernel. All other files of the driver are
 * written for the newest kernel. This file is not needed when the driver is part of the kernel
 * tree.
 */
#ifndef NV3_COMPAT_H
#define NV3_COMPAT_H

#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/kobject.h>

#include <drm/drm_atomic.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gpuvm.h>
#include <drm/gpu_scheduler.h>
#include <drm/ttm/ttm_bo.h>
#include <drm/ttm/ttm_device.h>

/* MODULE_IMPORT_NS() expects an identifier in old kernels and a string in new kernels. */
#define NV3_IMPORT_NS(ns)	MODULE_INFO(import_ns, ns)

#ifdef NV3_DRM_HAS_CLIENTS_DIR
#include <drm/clients/drm_client_setup.h>
#else
#include <drm/drm_client_setup.h>
#endif

#ifdef NV3_DRM_DRIVER_HAS_DATE
#define NV3_DRIVER_DATE_INIT	.date = "20251120",
#else
#define NV3_DRIVER_DATE_INIT
#endif

/* Kernels without DRM_GEM_OBJECT_ACTIVE always print the size of active buffers in fdinfo. */
#ifndef NV3_DRM_HAS_GEM_ACTIVE
#define DRM_GEM_OBJECT_ACTIVE	0
#endif

/* Kernels without DRIVER_GEM_GPUVA let every GEM driver use drm_gpuvm. */
#ifndef NV3_DRM_HAS_GEM_GPUVA
#define DRIVER_GEM_GPUVA	0
#endif

/*
 * Tells user space that the chip was reset and works again. Kernels before 6.15 lack the helper
 * function drm_dev_wedged_event(), so the driver sends the same event itself.
 */
#if defined(NV3_DRM_WEDGED_HAS_TASK)
#define nv3_wedged_event(drm)	drm_dev_wedged_event(drm, DRM_WEDGE_RECOVERY_NONE, NULL)
#elif defined(NV3_DRM_HAS_WEDGED)
#define nv3_wedged_event(drm)	drm_dev_wedged_event(drm, DRM_WEDGE_RECOVERY_NONE)
#else
static inline void nv3_wedged_event(struct drm_device *drm)
{
	char *env[2] = { "WEDGED=none", NULL };

	kobject_uevent_env(&drm->primary->kdev->kobj, KOBJ_CHANGE, env);
}
#endif

/*
 * drm_atomic_commit is the name of a structure in new kernels, and of a function in older kernels.
 * The driver therefore calls the function as nv3_atomic_commit().
 */
#ifdef NV3_DRM_HAS_ATOMIC_COMMIT
#define nv3_atomic_commit	drm_atomic_commit
#else
static inline int nv3_atomic_commit(struct drm_atomic_state *state)
{
	return drm_atomic_commit(state);
}

#define drm_atomic_commit	drm_atomic_state
#define drm_atomic_commit_alloc	drm_atomic_state_alloc
#define drm_atomic_commit_clear	drm_atomic_state_clear
#define drm_atomic_commit_put	drm_atomic_state_put
#endif

/*
 * In newer kernels, atomic_async_check has a third parameter, which is true for an asynchronous
 * flip.
 */
#ifdef NV3_DRM_ASYNC_CHECK_HAS_FLIP
#define NV3_ASYNC_CHECK_PARAMS	struct drm_plane *plane, \
				struct drm_atomic_commit *state, bool flip
#else
#define NV3_ASYNC_CHECK_PARAMS	struct drm_plane *plane, \
				struct drm_atomic_commit *state
#endif

#ifdef NV3_TTM_HAS_ALLOC_FLAGS
#include <drm/ttm/ttm_allocation.h>
#else
#define TTM_ALLOCATION_POOL_USE_DMA32	BIT(9)

#define ttm_device_init(ttm, funcs, dev, mapping, vma_manager, flags) \
	ttm_device_init(ttm, funcs, dev, mapping, vma_manager, false, \
			(flags) & TTM_ALLOCATION_POOL_USE_DMA32)
#define ttm_bo_fini	ttm_bo_put
#endif

#ifndef NV3_GPUVM_HAS_MAP_REQ
struct drm_gpuvm_map_req {
	struct drm_gpuva_op_map map;
};

static inline int nv3_compat_sm_map(struct drm_gpuvm *gpuvm, void *priv,
				    const struct drm_gpuvm_map_req *req)
{
	return drm_gpuvm_sm_map(gpuvm, priv, req->map.va.addr, req->map.va.range,
				req->map.gem.obj, req->map.gem.offset);
}

#define drm_gpuvm_sm_map(gpuvm, priv, req)	nv3_compat_sm_map(gpuvm, priv, req)
#define drm_gpuvm_bo_obtain_locked	drm_gpuvm_bo_obtain
#endif

#ifndef NV3_SCHED_HAS_INIT_ARGS
struct drm_sched_init_args {
	const struct drm_sched_backend_ops *ops;
	struct workqueue_struct *submit_wq;
	u32 num_rqs;
	u32 credit_limit;
	long timeout;
	const char *name;
	struct device *dev;
};

static inline int nv3_compat_sched_init(struct drm_gpu_scheduler *sched,
					const struct drm_sched_init_args *args)
{
	return drm_sched_init(sched, args->ops, args->submit_wq, args->num_rqs,
			      args->credit_limit, 0, args->timeout, NULL, NULL, args->name,
			      args->dev);
}

#define drm_sched_init(sched, args)	nv3_compat_sched_init(sched, args)
#endif

#ifndef NV3_HAS_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *timer),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#endif
