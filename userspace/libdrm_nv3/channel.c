/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "nv3_priv.h"

#define APERTURE_SIZE	0x10000

/* First handle that the library chooses. Smaller handles are reserved for clients. */
#define FIRST_NAME	0x80000000

static void channel_destroy(struct nv3_channel *chan)
{
	struct drm_nv3_channel_destroy req = { .channel = chan->id };

	if (chan->aperture)
		munmap((void *)chan->aperture, APERTURE_SIZE);
	nv3_ioctl(chan->dev->fd, DRM_IOCTL_NV3_CHANNEL_DESTROY, &req);
	nv3_device_unref(chan->dev);
	pthread_mutex_destroy(&chan->pio_lock);
	free(chan);
}

static int channel_new(struct nv3_device *dev,
		       const struct drm_nv3_channel_create *args,
		       struct nv3_channel **out)
{
	struct drm_nv3_channel_create req = *args;
	struct nv3_channel *chan;
	void *aperture;
	int ret;

	chan = calloc(1, sizeof(*chan));
	if (!chan)
		return -ENOMEM;
	ret = nv3_ioctl(dev->fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &req);
	if (ret) {
		free(chan);
		return ret;
	}
	atomic_init(&chan->refs, 1);
	atomic_init(&chan->next_name, FIRST_NAME);
	pthread_mutex_init(&chan->pio_lock, NULL);
	chan->dev = nv3_device_ref(dev);
	chan->id = req.channel;
	chan->type = req.type;
	chan->flags = req.flags;

	if (req.type == DRM_NV3_CHANNEL_PIO) {
		aperture = mmap(NULL, APERTURE_SIZE, PROT_READ | PROT_WRITE,
			      MAP_SHARED, dev->fd, req.mmap_offset);
		if (aperture == MAP_FAILED) {
			ret = -errno;
			channel_destroy(chan);
			return ret;
		}
		chan->aperture = aperture;
	}
	*out = chan;
	return 0;
}

NV3_EXPORT int nv3_channel_new(struct nv3_device *dev, uint32_t type,
			       struct nv3_channel **out)
{
	const struct drm_nv3_channel_create req = { .type = type };

	return channel_new(dev, &req, out);
}

NV3_EXPORT int nv3_channel_new_priority(struct nv3_device *dev, uint32_t type,
					int32_t priority,
					struct nv3_channel **out)
{
	const struct drm_nv3_channel_create req = {
		.type = type, .priority = priority,
	};

	return channel_new(dev, &req, out);
}

NV3_EXPORT int nv3_channel_new_flags(struct nv3_device *dev, uint32_t type,
				     uint32_t flags, struct nv3_channel **out)
{
	const struct drm_nv3_channel_create req = {
		.type = type, .flags = flags,
	};

	return channel_new(dev, &req, out);
}

NV3_EXPORT struct nv3_channel *nv3_channel_ref(struct nv3_channel *chan)
{
	atomic_fetch_add(&chan->refs, 1);
	return chan;
}

NV3_EXPORT void nv3_channel_unref(struct nv3_channel *chan)
{
	if (chan && atomic_fetch_sub(&chan->refs, 1) == 1)
		channel_destroy(chan);
}

NV3_EXPORT uint32_t nv3_channel_id(const struct nv3_channel *chan)
{
	return chan->id;
}

NV3_EXPORT struct nv3_device *
nv3_channel_device(const struct nv3_channel *chan)
{
	return chan->dev;
}

NV3_EXPORT int nv3_channel_aperture(struct nv3_channel *chan,
				  volatile uint32_t **aperture)
{
	if (!chan->aperture)
		return -EINVAL;
	*aperture = chan->aperture;
	return 0;
}

NV3_EXPORT int nv3_pio_init(struct nv3_channel *chan, struct nv3_pio *pio)
{
	if (!chan->aperture)
		return -EINVAL;
	pio->aperture = chan->aperture;
	pio->room = 0;
	return 0;
}

NV3_EXPORT int nv3_channel_flush(struct nv3_channel *chan,
				 const struct drm_nv3_sync *out)
{
	struct drm_nv3_channel_flush req = {
		.channel = chan->id,
		.syncobj = out ? out->handle : 0,
		.point = out ? out->point : 0,
	};

	return nv3_ioctl(chan->dev->fd, DRM_IOCTL_NV3_CHANNEL_FLUSH, &req);
}

NV3_EXPORT int nv3_channel_query(struct nv3_channel *chan,
				 struct drm_nv3_channel_query *query)
{
	struct drm_nv3_channel_query req = { .channel = chan->id };
	int ret;

	ret = nv3_ioctl(chan->dev->fd, DRM_IOCTL_NV3_CHANNEL_QUERY, &req);
	if (!ret)
		*query = req;
	return ret;
}
