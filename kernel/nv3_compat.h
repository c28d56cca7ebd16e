/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between the kernels that the driver is built for, 6.12 being the
 * oldest; Kbuild has looked which it is. All else is written for the newest. Goes
 * away when the driver is part of one kernel.
 */
#ifndef NV3_COMPAT_H
#define NV3_COMPAT_H

#include <drm/ttm/ttm_bo.h>
#include <drm/ttm/ttm_device.h>

/* MODULE_IMPORT_NS() takes a word in old kernels and a string in new ones. */
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

#ifndef NV3_DRM_HAS_ATOMIC_COMMIT
#define drm_atomic_commit	drm_atomic_state
#endif

/* Newer ones also say whether it is for an asynchronous flip. */
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

#endif
