/* SPDX-License-Identifier: MIT */
/*
 * Replaces Mesa's header of the same name, for the nv3 drm-shim inside nv3-replay. ../../device.c
 * implements the functions. The functions do not intercept libc, because nv3-replay calls the
 * handlers in the shim's table of ioctls directly.
 */
#ifndef NV3_REPLAY_DRM_SHIM_H
#define NV3_REPLAY_DRM_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <threads.h>

#include "util/vma.h"

#define DRM_MAJOR	226
#define DRM_BUS_PCI	0

typedef int (*ioctl_fn_t)(int fd, unsigned long request, void *arg);

struct shim_bo {
	uint64_t mem_addr;
	int refcount;
	uint32_t size;
	bool imported;		/* always false */
};

struct shim_fd {
	int fd;
	struct shim_bo **handles;
	uint32_t handle_count;	/* elements of @handles */
};

struct shim_device {
	mtx_t mem_lock;
	struct util_vma_heap mem_heap;
	int mem_fd;
	int (**driver_ioctls)(int fd, unsigned long request, void *arg);
	int driver_ioctl_count;
	void (*driver_bo_free)(struct shim_bo *bo);
	uint64_t (*driver_bo_offset)(struct shim_bo *bo);
	struct shim_bo *(*driver_bo_import)(size_t size, int fd, uint64_t offset);
	const char *driver_name;
	int version_major;
	int bus_type;
};

extern struct shim_device shim_device;
extern int render_node_minor;

void drm_shim_override_file(const char *contents, const char *path, ...);
void drm_shim_init_iomem_region(off64_t offset, size_t size,
				void *(*map)(size_t length, int prot, int flags, off64_t offset));
struct shim_fd *drm_shim_fd_lookup(int fd);
int drm_shim_bo_init(struct shim_bo *bo, size_t size);
void drm_shim_bo_get(struct shim_bo *bo);
void drm_shim_bo_put(struct shim_bo *bo);
struct shim_bo *drm_shim_bo_lookup(struct shim_fd *file, int handle);
int drm_shim_bo_get_handle(struct shim_fd *file, struct shim_bo *bo);
uint64_t drm_shim_bo_get_mmap_offset(struct shim_fd *file, struct shim_bo *bo);
void drm_shim_driver_init(void);

#endif
