/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/mman.h>

#include <xf86drmMode.h>

#include "igt.h"
#include "igt_nv3_vgem.h"

int igt_nv3_vgem_open(void)
{
	char path[32];
	int i, fd;

	for (i = 0; i < 16; i++) {
		drmVersionPtr version;
		bool is_vgem;

		snprintf(path, sizeof(path), "/dev/dri/card%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		version = drmGetVersion(fd);
		is_vgem = version && !strcmp(version->name, "vgem");
		drmFreeVersion(version);
		if (is_vgem)
			return fd;
		close(fd);
	}
	return -1;
}

void igt_nv3_vgem_create(struct igt_nv3_vgem *s, int nv3, int vgem, uint32_t width,
			 uint32_t height)
{
	struct drm_mode_create_dumb create = {
		.width = width, .height = height, .bpp = 32,
	};
	struct drm_mode_map_dumb map = { 0 };

	do_ioctl(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create);
	map.handle = create.handle;
	do_ioctl(vgem, DRM_IOCTL_MODE_MAP_DUMB, &map);
	*s = (struct igt_nv3_vgem) {
		.vgem = vgem, .vgem_handle = create.handle,
		.bo = { .size = create.size },
	};
	s->bo.map = mmap(NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED,
			 vgem, map.offset);
	igt_assert(s->bo.map != MAP_FAILED);
	igt_nv3_vgem_share(s, nv3);
}

void igt_nv3_vgem_share(struct igt_nv3_vgem *s, int nv3)
{
	int dmabuf;

	s->nv3 = s->bo.fd = nv3;
	igt_assert_eq(drmPrimeHandleToFD(s->vgem, s->vgem_handle,
					 DRM_CLOEXEC | DRM_RDWR, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(nv3, dmabuf, &s->bo.handle), 0);
	close(dmabuf);
}

void igt_nv3_vgem_destroy(struct igt_nv3_vgem *s)
{
	struct drm_mode_destroy_dumb destroy = { .handle = s->vgem_handle };

	drmCloseBufferHandle(s->nv3, s->bo.handle);
	munmap(s->bo.map, s->bo.size);
	do_ioctl(s->vgem, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
}

uint32_t igt_nv3_vgem_import(int vgem, const struct igt_nv3_bo *bo)
{
	uint32_t handle;
	int dmabuf;

	igt_assert_eq(drmPrimeHandleToFD(bo->fd, bo->handle, DRM_CLOEXEC | DRM_RDWR,
					 &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(vgem, dmabuf, &handle), 0);
	close(dmabuf);
	return handle;
}
