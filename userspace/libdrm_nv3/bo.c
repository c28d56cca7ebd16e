/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nv3_priv.h"

static void close_handle(struct nv3_device *dev, uint32_t handle)
{
	drmCloseBufferHandle(dev->fd, handle);
}

/* Extends the table to @handle. Called with bos_lock held. */
static int reserve_handle(struct nv3_device *dev, uint32_t handle)
{
	uint32_t size = dev->bos_size ? dev->bos_size : 64;
	struct nv3_bo **bos;

	if (handle < dev->bos_size)
		return 0;
	while (size <= handle) {
		if (size > UINT32_MAX / 2)
			return -ENOMEM;
		size *= 2;
	}
	bos = realloc(dev->bos, size * sizeof(*bos));
	if (!bos)
		return -ENOMEM;
	memset(bos + dev->bos_size, 0, (size - dev->bos_size) * sizeof(*bos));
	dev->bos = bos;
	dev->bos_size = size;
	return 0;
}

/*
 * Sets @out to the nv3_bo of a GEM handle, with a reference for the caller. Closes the handle if
 * memory is exhausted. Called with bos_lock held.
 */
static int wrap_handle(struct nv3_device *dev, uint32_t handle, uint64_t size,
		       struct nv3_bo **out)
{
	struct nv3_bo *bo;

	if (reserve_handle(dev, handle)) {
		close_handle(dev, handle);
		return -ENOMEM;
	}
	if (dev->bos[handle]) {
		*out = nv3_bo_ref(dev->bos[handle]);
		return 0;
	}

	bo = calloc(1, sizeof(*bo));
	if (!bo) {
		close_handle(dev, handle);
		return -ENOMEM;
	}
	atomic_init(&bo->refs, 1);
	atomic_init(&bo->map, NULL);
	bo->dev = nv3_device_ref(dev);
	bo->handle = handle;
	bo->size = size;
	dev->bos[handle] = bo;
	*out = bo;
	return 0;
}

NV3_EXPORT int nv3_bo_from_handle(struct nv3_device *dev, uint32_t handle,
				  uint64_t size, struct nv3_bo **out)
{
	int ret;

	if (!handle || !size)
		return -EINVAL;
	pthread_mutex_lock(&dev->bos_lock);
	ret = wrap_handle(dev, handle, size, out);
	pthread_mutex_unlock(&dev->bos_lock);
	return ret;
}

NV3_EXPORT int nv3_bo_new(struct nv3_device *dev, uint64_t size,
			  uint32_t domains, struct nv3_bo **out)
{
	struct drm_nv3_gem_create req = { .size = size, .domains = domains };
	int ret;

	ret = nv3_ioctl(dev->fd, DRM_IOCTL_NV3_GEM_CREATE, &req);
	if (ret)
		return ret;
	return nv3_bo_from_handle(dev, req.handle, req.size, out);
}

NV3_EXPORT int nv3_bo_import(struct nv3_device *dev, int dmabuf,
			     struct nv3_bo **out)
{
	uint32_t handle;
	off_t size;
	int ret;

	size = lseek(dmabuf, 0, SEEK_END);
	if (size < 0)
		return -errno;
	lseek(dmabuf, 0, SEEK_SET);

	/*
	 * Hold the lock, so that another thread can't close the handle before the buffer is in the
	 * table.
	 */
	pthread_mutex_lock(&dev->bos_lock);
	ret = drmPrimeFDToHandle(dev->fd, dmabuf, &handle) ? -errno : 0;
	if (!ret)
		ret = wrap_handle(dev, handle, size, out);
	pthread_mutex_unlock(&dev->bos_lock);
	return ret;
}

NV3_EXPORT int nv3_bo_export(struct nv3_bo *bo, int *dmabuf)
{
	if (drmPrimeHandleToFD(bo->dev->fd, bo->handle, O_CLOEXEC | O_RDWR,
			       dmabuf))
		return -errno;
	return 0;
}

NV3_EXPORT int nv3_bo_from_name(struct nv3_device *dev, uint32_t name,
				struct nv3_bo **out)
{
	struct drm_gem_open req = { .name = name };
	int ret;

	pthread_mutex_lock(&dev->bos_lock);
	ret = nv3_ioctl(dev->fd, DRM_IOCTL_GEM_OPEN, &req);
	if (!ret)
		ret = wrap_handle(dev, req.handle, req.size, out);
	pthread_mutex_unlock(&dev->bos_lock);
	return ret;
}

NV3_EXPORT int nv3_bo_name(struct nv3_bo *bo, uint32_t *name)
{
	struct drm_gem_flink req = { .handle = bo->handle };
	int ret;

	ret = nv3_ioctl(bo->dev->fd, DRM_IOCTL_GEM_FLINK, &req);
	if (!ret)
		*name = req.name;
	return ret;
}

NV3_EXPORT struct nv3_bo *nv3_bo_ref(struct nv3_bo *bo)
{
	atomic_fetch_add(&bo->refs, 1);
	return bo;
}

/*
 * Drops a reference. If this was the last reference, removes the buffer from the table, closes the
 * buffer's handle and returns true.
 */
static bool drop_last(struct nv3_bo *bo)
{
	struct nv3_device *dev = bo->dev;
	bool last;

	pthread_mutex_lock(&dev->bos_lock);
	last = atomic_fetch_sub(&bo->refs, 1) == 1;
	if (last) {
		dev->bos[bo->handle] = NULL;
		close_handle(dev, bo->handle);
	}
	pthread_mutex_unlock(&dev->bos_lock);
	return last;
}

NV3_EXPORT void nv3_bo_unref(struct nv3_bo *bo)
{
	struct nv3_device *dev;
	unsigned int refs;
	void *map;

	if (!bo)
		return;
	/*
	 * Take the lock only to drop the last reference, because another thread's import may find
	 * the buffer in the table at the same time.
	 */
	refs = atomic_load(&bo->refs);
	while (refs > 1) {
		if (atomic_compare_exchange_weak(&bo->refs, &refs, refs - 1))
			return;
	}
	if (!drop_last(bo))
		return;
	dev = bo->dev;
	map = atomic_load(&bo->map);
	if (map)
		munmap(map, bo->size);
	free(bo);
	nv3_device_unref(dev);
}

NV3_EXPORT uint32_t nv3_bo_handle(const struct nv3_bo *bo)
{
	return bo->handle;
}

NV3_EXPORT uint64_t nv3_bo_size(const struct nv3_bo *bo)
{
	return bo->size;
}

NV3_EXPORT int nv3_bo_map(struct nv3_bo *bo, void **out)
{
	struct drm_nv3_gem_mmap req = { .handle = bo->handle };
	void *map = atomic_load(&bo->map), *other = NULL;
	int ret;

	if (map) {
		*out = map;
		return 0;
	}
	ret = nv3_ioctl(bo->dev->fd, DRM_IOCTL_NV3_GEM_MMAP, &req);
	if (ret)
		return ret;
	map = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED,
		   bo->dev->fd, req.offset);
	if (map == MAP_FAILED)
		return -errno;
	/* If another thread has mapped the buffer at the same time, use that thread's mapping. */
	if (!atomic_compare_exchange_strong(&bo->map, &other, map)) {
		munmap(map, bo->size);
		map = other;
	}
	*out = map;
	return 0;
}

NV3_EXPORT int nv3_bo_wait(struct nv3_bo *bo, uint32_t flags,
			   int64_t timeout_ns)
{
	struct drm_nv3_gem_wait req = {
		.handle = bo->handle,
		.flags = flags,
		.timeout_ns = nv3_deadline(timeout_ns),
	};

	return nv3_ioctl(bo->dev->fd, DRM_IOCTL_NV3_GEM_WAIT, &req);
}
