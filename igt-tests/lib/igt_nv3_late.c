/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/dma-buf.h>

#include "igt.h"
#include "igt_nv3_late.h"
#include "igt_nv3_vgem.h"

/* From the kernel's include/uapi/drm/vgem_drm.h, which libdrm does not install. */
struct vgem_fence_attach {
	uint32_t handle;
	uint32_t flags;
	uint32_t out_fence;
	uint32_t pad;
};

struct vgem_fence_signal {
	uint32_t fence;
	uint32_t flags;
};

#define VGEM_FENCE_WRITE	0x1
#define IOCTL_VGEM_FENCE_ATTACH \
	DRM_IOWR(DRM_COMMAND_BASE + 0x1, struct vgem_fence_attach)
#define IOCTL_VGEM_FENCE_SIGNAL \
	DRM_IOW(DRM_COMMAND_BASE + 0x2, struct vgem_fence_signal)

void igt_nv3_late_init(struct igt_nv3_late *late)
{
	struct drm_mode_create_dumb create = {
		.width = 64, .height = 64, .bpp = 32,
	};
	struct dma_buf_export_sync_file export = { .flags = DMA_BUF_SYNC_RW };
	struct vgem_fence_attach attach = { .flags = VGEM_FENCE_WRITE };
	int dmabuf;

	late->vgem = igt_nv3_vgem_open();
	igt_require_f(late->vgem >= 0, "no vgem\n");
	do_ioctl(late->vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create);
	late->handle = attach.handle = create.handle;
	do_ioctl(late->vgem, IOCTL_VGEM_FENCE_ATTACH, &attach);
	late->fence = attach.out_fence;
	igt_assert_eq(drmPrimeHandleToFD(late->vgem, create.handle,
					 DRM_CLOEXEC | DRM_RDWR, &dmabuf), 0);
	do_ioctl(dmabuf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &export);
	late->file = export.fd;
	close(dmabuf);
}

void igt_nv3_late_end(struct igt_nv3_late *late)
{
	struct vgem_fence_signal signal = { .fence = late->fence };

	do_ioctl(late->vgem, IOCTL_VGEM_FENCE_SIGNAL, &signal);
	close(late->file);
	drmCloseBufferHandle(late->vgem, late->handle);
	close(late->vgem);
}

void igt_nv3_late_submit(struct igt_nv3_late *late, struct igt_nv3_batch *batch)
{
	uint32_t in;

	igt_assert_eq(drmSyncobjCreate(batch->fd, 0, &in), 0);
	igt_assert_eq(drmSyncobjImportSyncFile(batch->fd, in, late->file), 0);
	igt_assert_eq(__igt_nv3_submit_after(batch, in), 0);
	drmSyncobjDestroy(batch->fd, in);
}

void igt_nv3_late_kill(struct igt_nv3_client *client)
{
	pid_t child = fork();

	igt_assert_lte(0, child);
	if (!child) {
		for (;;)
			pause();
	}
	munmap(client->color.map, client->color.size);
	munmap(client->batch.bo.map, client->batch.bo.size);
	close(client->fd);
	igt_assert_eq(kill(child, SIGKILL), 0);
	igt_assert_eq(waitpid(child, NULL, 0), child);
}
