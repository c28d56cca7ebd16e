/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "nv3_priv.h"

#define MAX_DEVICES	64

int nv3_ioctl(int fd, unsigned long request, void *arg)
{
	return drmIoctl(fd, request, arg) ? -errno : 0;
}

int64_t nv3_deadline(int64_t timeout_ns)
{
	struct timespec ts;
	int64_t now;

	if (timeout_ns <= 0)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	now = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
	return timeout_ns > INT64_MAX - now ? INT64_MAX : now + timeout_ns;
}

NV3_EXPORT int nv3_device_param(struct nv3_device *dev, uint32_t param,
				uint64_t *value)
{
	struct drm_nv3_getparam req = { .param = param };
	int ret;

	ret = nv3_ioctl(dev->fd, DRM_IOCTL_NV3_GETPARAM, &req);
	if (!ret)
		*value = req.value;
	return ret;
}

static int read_classes(struct nv3_device *dev)
{
	struct drm_nv3_class_enumerate req = { 0 };
	int ret;

	ret = nv3_ioctl(dev->fd, DRM_IOCTL_NV3_CLASS_ENUMERATE, &req);
	if (ret)
		return ret;

	dev->classes = calloc(req.count ? req.count : 1, sizeof(*dev->classes));
	if (!dev->classes)
		return -ENOMEM;

	req.classes = (uintptr_t)dev->classes;
	dev->class_count = req.count;
	ret = nv3_ioctl(dev->fd, DRM_IOCTL_NV3_CLASS_ENUMERATE, &req);
	if (ret)
		return ret;
	if (req.count < dev->class_count)
		dev->class_count = req.count;
	return 0;
}

static bool is_nv3(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool match = version && strcmp(version->name, "nv3") == 0;

	drmFreeVersion(version);
	return match;
}

static void device_free(struct nv3_device *dev)
{
	if (dev->owns_fd)
		close(dev->fd);
	pthread_mutex_destroy(&dev->bos_lock);
	free(dev->bos);
	free(dev->classes);
	free(dev);
}

static int device_new(int fd, bool owns_fd, struct nv3_device **out)
{
	struct nv3_device *dev;
	uint64_t submit_max;
	int ret;

	if (!is_nv3(fd))
		return -ENODEV;

	dev = calloc(1, sizeof(*dev));
	if (!dev)
		return -ENOMEM;
	atomic_init(&dev->refs, 1);
	dev->fd = fd;
	pthread_mutex_init(&dev->bos_lock, NULL);

	ret = nv3_device_param(dev, DRM_NV3_PARAM_SUBMIT_MAX, &submit_max);
	if (!ret)
		ret = read_classes(dev);
	if (ret) {
		device_free(dev);
		return ret;
	}

	dev->submit_max = submit_max & ~3u;
	dev->owns_fd = owns_fd;
	*out = dev;
	return 0;
}

NV3_EXPORT int nv3_device_new(int fd, struct nv3_device **out)
{
	return device_new(fd, false, out);
}

static int open_node(const char *path, struct nv3_device **out)
{
	int fd, ret;

	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = device_new(fd, true, out);
	if (ret)
		close(fd);
	return ret;
}

NV3_EXPORT int nv3_device_open(const char *path, int node_type,
			       struct nv3_device **out)
{
	drmDevicePtr found[MAX_DEVICES];
	int i, count, ret = -ENODEV;

	if (path)
		return open_node(path, out);
	if (node_type != DRM_NODE_PRIMARY && node_type != DRM_NODE_RENDER)
		return -EINVAL;

	count = drmGetDevices2(0, found, MAX_DEVICES);
	if (count < 0)
		return count;
	for (i = 0; i < count && ret; i++) {
		if (found[i]->available_nodes & 1 << node_type) {
			int err = open_node(found[i]->nodes[node_type], out);

			/*
			 * Prefer any other error, because -ENODEV only means that this device is
			 * not an nv3.
			 */
			if (!err || err != -ENODEV)
				ret = err;
		}
	}
	drmFreeDevices(found, count);
	return ret;
}

NV3_EXPORT struct nv3_device *nv3_device_ref(struct nv3_device *dev)
{
	atomic_fetch_add(&dev->refs, 1);
	return dev;
}

NV3_EXPORT void nv3_device_unref(struct nv3_device *dev)
{
	if (dev && atomic_fetch_sub(&dev->refs, 1) == 1)
		device_free(dev);
}

NV3_EXPORT int nv3_device_fd(const struct nv3_device *dev)
{
	return dev->fd;
}

NV3_EXPORT int nv3_device_classes(struct nv3_device *dev,
				  const uint32_t **classes, uint32_t *count)
{
	*classes = dev->classes;
	*count = dev->class_count;
	return 0;
}

NV3_EXPORT bool nv3_device_has_class(struct nv3_device *dev, uint32_t class_id)
{
	uint32_t i;

	for (i = 0; i < dev->class_count; i++) {
		if (dev->classes[i] == class_id)
			return true;
	}
	return false;
}
