/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <xf86drm.h>

#include "fake-kernel.h"

/* All buffers are in one file. A buffer is at offset handle * FAKE_BO_MAX. */
#define FAKE_BO_MAX	0x100000

/* The last part of the file is a PIO channel's USER aperture. */
#define FAKE_APERTURE	(255 * FAKE_BO_MAX)

struct fake_kernel fake;

void fake_reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.driver = "nv3";
	fake.next_handle = 1;
	fake.fd = memfd_create("fake nv3", 0);
	if (fake.fd < 0 || ftruncate(fake.fd, 256 * FAKE_BO_MAX)) {
		perror("memfd");
		abort();
	}
}

void fake_close(void)
{
	close(fake.fd);
}

static int fails(int error)
{
	errno = error;
	return -1;
}

static int get_version(struct drm_version *v)
{
	size_t len = strlen(fake.driver);

	if (v->name_len >= len && v->name)
		memcpy(v->name, fake.driver, len);
	v->name_len = len;
	v->date_len = 0;
	v->desc_len = 0;
	return 0;
}

static int get_param(struct drm_nv3_getparam *req)
{
	if (req->param != DRM_NV3_PARAM_SUBMIT_MAX)
		return fails(EINVAL);
	req->value = FAKE_SUBMIT_MAX;
	return 0;
}

static int enumerate(struct drm_nv3_class_enumerate *req)
{
	static const uint32_t classes[] = { NV3_CLASS_RECT, NV3_CLASS_D3D };
	uint32_t *out = (uint32_t *)(uintptr_t)req->classes;
	uint32_t i;

	for (i = 0; i < 2 && i < req->count; i++)
		out[i] = classes[i];
	req->count = 2;
	return 0;
}

static int find_name(uint32_t name)
{
	uint32_t i;

	for (i = 0; i < fake.name_count; i++) {
		if (fake.names[i] == name)
			return i;
	}
	return -1;
}

static int instantiate(const struct drm_nv3_object_instantiate *req)
{
	if (find_name(req->name) >= 0)
		return fails(EEXIST);
	if (fake.name_count == FAKE_MAX)
		return fails(ENOSPC);
	fake.names[fake.name_count++] = req->name;
	return 0;
}

static int destroy(const struct drm_nv3_object_destroy *req)
{
	int i = find_name(req->name);

	if (i < 0)
		return fails(ENOENT);
	fake.names[i] = fake.names[--fake.name_count];
	return 0;
}

static int create(struct drm_nv3_gem_create *req)
{
	if (req->size > FAKE_BO_MAX)
		return fails(ENOMEM);
	req->handle = fake.next_handle++;
	req->size = (req->size + 4095) & ~4095ull;
	return 0;
}

static void copy_array(void *out, uint64_t from, uint32_t count, size_t size)
{
	if (count)
		memcpy(out, (void *)(uintptr_t)from, count * size);
}

static int submit(const struct drm_nv3_submit *req)
{
	const struct drm_nv3_segment *s = (void *)(uintptr_t)req->segments;
	struct fake_batch *b = &fake.batches[fake.batch_count++ % 4];
	char *map;

	map = mmap(NULL, FAKE_BO_MAX, PROT_READ, MAP_SHARED, fake.fd,
		   (off_t)s->handle * FAKE_BO_MAX);
	if (map == MAP_FAILED || s->length > sizeof(b->words))
		return fails(EFAULT);
	memcpy(b->words, map + s->offset, s->length);
	munmap(map, FAKE_BO_MAX);
	b->count = s->length / 4;
	b->buffer_count = req->buffer_count;
	copy_array(b->buffers, req->buffers, b->buffer_count,
		   sizeof(b->buffers[0]));
	b->in_count = req->in_sync_count;
	copy_array(b->in, req->in_syncs, b->in_count, sizeof(b->in[0]));
	b->out_count = req->out_sync_count;
	copy_array(b->out, req->out_syncs, b->out_count, sizeof(b->out[0]));
	return 0;
}

/* Replaces libdrm's drmIoctl(), also for calls by libdrm itself. */
__attribute__((visibility("default")))
int drmIoctl(int fd, unsigned long request, void *arg)
{
	if (fake.fail_errno && request == fake.fail_request) {
		int error = fake.fail_errno;

		if (fake.fail_count)
			fake.fail_count--;
		if (!fake.fail_count)
			fake.fail_errno = 0;
		return fails(error);
	}
	switch (request) {
	case DRM_IOCTL_VERSION:
		return get_version(arg);
	case DRM_IOCTL_NV3_GETPARAM:
		return get_param(arg);
	case DRM_IOCTL_NV3_CLASS_ENUMERATE:
		return enumerate(arg);
	case DRM_IOCTL_NV3_CHANNEL_CREATE:
		fake.channels++;
		fake.priority = ((struct drm_nv3_channel_create *)arg)->priority;
		fake.channel_flags =
			((struct drm_nv3_channel_create *)arg)->flags;
		((struct drm_nv3_channel_create *)arg)->channel = 7;
		((struct drm_nv3_channel_create *)arg)->mmap_offset =
			FAKE_APERTURE;
		return 0;
	case DRM_IOCTL_NV3_CHANNEL_FLUSH:
		fake.flushes[fake.flush_count++ % 4] =
			*(struct drm_nv3_channel_flush *)arg;
		return 0;
	case DRM_IOCTL_NV3_CHANNEL_DESTROY:
		fake.channels--;
		return 0;
	case DRM_IOCTL_NV3_OBJECT_INSTANTIATE:
		return instantiate(arg);
	case DRM_IOCTL_NV3_OBJECT_DESTROY:
		return destroy(arg);
	case DRM_IOCTL_NV3_GEM_CREATE:
		return create(arg);
	case DRM_IOCTL_NV3_GEM_MMAP: {
		struct drm_nv3_gem_mmap *req = arg;

		req->offset = (uint64_t)req->handle * FAKE_BO_MAX;
		return 0;
	}
	case DRM_IOCTL_NV3_SUBMIT:
		return submit(arg);
	case DRM_IOCTL_GEM_CLOSE:
		fake.closed[fake.closed_count++ % FAKE_MAX] =
			((struct drm_gem_close *)arg)->handle;
		return 0;
	case DRM_IOCTL_PRIME_FD_TO_HANDLE:
		((struct drm_prime_handle *)arg)->handle = fake.import_handle;
		return 0;
	case DRM_IOCTL_SYNCOBJ_CREATE:
		((struct drm_syncobj_create *)arg)->handle = 99;
		return 0;
	case DRM_IOCTL_SYNCOBJ_DESTROY:
		return 0;
	case DRM_IOCTL_SYNCOBJ_TRANSFER:
		fake.transfers++;
		fake.transfer_flags =
			((struct drm_syncobj_transfer *)arg)->flags;
		return 0;
	case DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT:
		fake.waits++;
		fake.wait_flags =
			((struct drm_syncobj_timeline_wait *)arg)->flags;
		return 0;
	case DRM_IOCTL_SYNCOBJ_SIGNAL:
	case DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL:
		fake.signals++;
		return 0;
	default:
		fprintf(stderr, "fake kernel: ioctl %#lx\n", request);
		return fails(ENOTTY);
	}
}
