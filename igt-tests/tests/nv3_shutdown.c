/* SPDX-License-Identifier: MIT */
/*
 * Restarts the machine while a batch and an atomic commit wait for another device's fence. No test
 * can run after this test, so it is in no test list. vm/checks/suites/power.sh runs the test, and
 * checks in the kernel messages how long the driver has delayed the restart.
 */
#include <fcntl.h>
#include <sys/reboot.h>

#include <drm/vgem_drm.h>
#include <drm_fourcc.h>
#include <linux/dma-buf.h>
#include <xf86drmMode.h>

#include "igt.h"
#include "igt_nv3_kms.h"
#include "igt_nv3_vgem.h"

IGT_TEST_DESCRIPTION("Restarts the machine while a batch and a frame wait for another device.");

/*
 * Attaches a fence of vgem to the buffer, and returns a sync file for the fence. vgem signals the
 * fence after ten seconds.
 */
static int begin_vgem(const struct igt_nv3_vgem *s)
{
	struct drm_vgem_fence_attach attach = {
		.handle = s->vgem_handle, .flags = VGEM_FENCE_WRITE,
	};
	struct dma_buf_export_sync_file export = {
		.flags = DMA_BUF_SYNC_READ, .fd = -1,
	};
	int dmabuf;

	do_ioctl(s->vgem, DRM_IOCTL_VGEM_FENCE_ATTACH, &attach);
	igt_assert_eq(drmPrimeHandleToFD(s->vgem, s->vgem_handle, DRM_CLOEXEC,
					 &dmabuf), 0);
	do_ioctl(dmabuf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &export);
	close(dmabuf);
	return export.fd;
}

static uint32_t plane_property(int fd, uint32_t plane, const char *name)
{
	drmModeObjectProperties *props =
		drmModeObjectGetProperties(fd, plane, DRM_MODE_OBJECT_PLANE);
	uint32_t i, id = 0;

	igt_assert(props);
	for (i = 0; i < props->count_props; i++) {
		drmModePropertyRes *prop = drmModeGetProperty(fd, props->props[i]);

		if (!strcmp(prop->name, name))
			id = prop->prop_id;
		drmModeFreeProperty(prop);
	}
	drmModeFreeObjectProperties(props);
	igt_assert(id);
	return id;
}

/* Makes an atomic commit that holds the modeset locks while it waits for the fence. */
static void commit_after(int fd, uint32_t fb, int fence)
{
	drmModePlaneRes *planes = drmModeGetPlaneResources(fd);
	drmModeAtomicReq *req = drmModeAtomicAlloc();
	uint32_t plane;

	igt_assert(planes && planes->count_planes && req);
	plane = planes->planes[0];
	drmModeAtomicAddProperty(req, plane, plane_property(fd, plane, "FB_ID"),
				 fb);
	drmModeAtomicAddProperty(req, plane,
				 plane_property(fd, plane, "IN_FENCE_FD"),
				 fence);
	drmModeAtomicCommit(fd, req, 0, NULL);
}

static void say(const char *text)
{
	FILE *f = fopen("/dev/kmsg", "w");

	igt_assert(f);
	fprintf(f, "<0>%s\n", text);
	igt_assert_eq(fclose(f), 0);
}

static void test_restart(void)
{
	int fd = igt_nv3_open(), vgem = igt_nv3_vgem_open(), fence;
	struct igt_nv3_display display;
	struct igt_nv3_client client;
	struct igt_nv3_vgem theirs;
	struct igt_nv3_fb fbs[2];
	uint32_t i;

	igt_require_f(vgem >= 0, "no vgem\n");
	igt_assert_eq(drmSetClientCap(fd, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1),
		      0);
	igt_assert_eq(drmSetClientCap(fd, DRM_CLIENT_CAP_ATOMIC, 1), 0);
	igt_nv3_display_init(&display, fd);
	for (i = 0; i < 2; i++)
		fbs[i] = igt_nv3_fb_create(fd, display.mode.hdisplay,
					   display.mode.vdisplay, 16,
					   DRM_FORMAT_RGB565);
	igt_nv3_display_show(&display, &fbs[0]);
	igt_nv3_client_init(&client, fd);
	igt_nv3_vgem_create(&theirs, fd, vgem, 256, 64);

	fence = begin_vgem(&theirs);
	igt_nv3_use(&client.batch, &theirs.bo, NV3_READ | NV3_WRITE);
	igt_nv3_fill(&client, 0, 0, 10, 10, 0x1234);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	igt_fork(child, 1)
		commit_after(fd, fbs[1].id, fence);
	/* Give the child time to begin its commit, which waits for the fence. */
	sleep(1);
	say("nv3_shutdown: restarts");
	reboot(RB_AUTOBOOT);
	igt_assert(!"the machine has not restarted\n");
}

int igt_main()
{
	igt_describe("The driver does not delay a restart.");
	igt_subtest("restart")
		test_restart();
}
