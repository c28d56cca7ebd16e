/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <xf86drmMode.h>

#include "igt.h"
#include "igt_nv3.h"
#include "igt_nv3_kms.h"
#include "igt_nv3_vgem.h"

IGT_TEST_DESCRIPTION("The driver is taken from the device while clients draw, flip and move buffers.");

#define DRIVER		"/sys/bus/pci/drivers/nv3"

/* What each client has done before the driver goes. */
#define BUSY_ROUNDS	20
#define MOVER_SIZE	(512u << 10)
/* Minutes, on a machine that is busy with others. */
#define PATIENCE_MS	300000

enum { CLIENT_DRAW, CLIENT_FLIP, CLIENT_MOVE, CLIENT_COUNT };

/* Between the test and its clients, which are processes. */
struct shared {
	atomic_uint rounds[CLIENT_COUNT];
	/* The device has its driver again. */
	atomic_uint rebound;
	/* Clients that have done all they could to their old mappings. */
	atomic_uint done;
};

static void write_driver(const char *file, const char *slot)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), DRIVER "/%s", file);
	f = fopen(path, "w");
	igt_require_f(f, "no %s\n", path);
	fputs(slot, f);
	igt_assert_f(fclose(f) == 0, "%s: %s\n", path, slot);
}

/* The PCI device's name. */
static void find_slot(int fd, char slot[NAME_MAX])
{
	char path[64], real[PATH_MAX];
	struct stat st;

	igt_assert_eq(fstat(fd, &st), 0);
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device",
		 major(st.st_rdev), minor(st.st_rdev));
	igt_assert(realpath(path, real));
	snprintf(slot, NAME_MAX, "%s", basename(real));
}

/* Until a counter is there; a client that has failed would be waited for in vain. */
static void await(atomic_uint *counter, unsigned int value)
{
	unsigned int ms;

	for (ms = 0; *counter < value; ms++) {
		igt_assert_f(ms < PATIENCE_MS, "%u of %u\n", *counter, value);
		usleep(1000);
	}
}

/* Returns what makes an end of it. */
static int draw_round(struct igt_nv3_client *client, uint32_t i)
{
	igt_nv3_fill(client, i % 60, i % 50, 3, 4, i);
	return __igt_nv3_submit(&client->batch, 0);
}

/* The ioctls say so, and mappings can be used but reach nothing. */
static void after(int fd, struct shared *s, const struct igt_nv3_bo *bos,
		  uint32_t count)
{
	struct drm_nv3_getparam req = { .param = DRM_NV3_PARAM_CHIP_ID };
	uint64_t size = 4096;
	uint32_t handle, i;

	igt_assert_eq(igt_nv3_ioctl(fd, DRM_IOCTL_NV3_GETPARAM, &req), -ENODEV);
	igt_assert_eq(__igt_nv3_gem_create(fd, &size, DRM_NV3_GEM_VRAM, 0,
					   &handle), -ENODEV);
	await(&s->rebound, 1);
	for (i = 0; i < count; i++)
		memset(bos[i].map, 0xff, bos[i].size);
	s->done++;
}

static void client_draw(struct shared *s)
{
	struct igt_nv3_client client;
	int fd, ret;

	await(&s->rounds[CLIENT_FLIP], 1);
	fd = igt_nv3_open();
	igt_nv3_client_init(&client, fd);
	do {
		ret = draw_round(&client, s->rounds[CLIENT_DRAW]++);
	} while (!ret);
	igt_assert_eq(ret, -ENODEV);
	after(fd, s, &client.color, 1);
}

/* The first to open the device, as whoever does is in charge of the display. */
static void client_flip(struct shared *s)
{
	struct igt_nv3_display display;
	struct igt_nv3_fb fb[2];
	int fd = igt_nv3_open(), ret, i;

	igt_nv3_display_init(&display, fd);
	for (i = 0; i < 2; i++)
		fb[i] = igt_nv3_fb_create(fd, display.mode.hdisplay,
					  display.mode.vdisplay, 16,
					  DRM_FORMAT_RGB565);
	igt_nv3_display_show(&display, &fb[0]);
	do {
		i = s->rounds[CLIENT_FLIP]++ % 2;
		ret = drmModePageFlip(fd, display.crtc, fb[i].id, 0, NULL);
		/* The last one is on its way. */
		if (ret == -EBUSY) {
			usleep(1000);
			ret = 0;
		}
	} while (!ret);
	igt_assert_eq(ret, -ENODEV);
	after(fd, s, NULL, 0);
}

/* Twice as many as fit, each of which has to be in VRAM. */
static void client_move(struct shared *s)
{
	struct igt_nv3_client client;
	struct igt_nv3_bo *bos;
	uint32_t count, i;
	int fd, ret;

	await(&s->rounds[CLIENT_FLIP], 1);
	fd = igt_nv3_open();
	count = 2 * igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE) / MOVER_SIZE;
	bos = calloc(count, sizeof(*bos));
	igt_assert(bos);
	igt_nv3_client_init(&client, fd);
	for (i = 0; i < count; i++)
		bos[i] = igt_nv3_bo_create(fd, MOVER_SIZE, DRM_NV3_GEM_VRAM);
	do {
		i = s->rounds[CLIENT_MOVE]++ % count;
		igt_nv3_use(&client.batch, &bos[i], NV3_READ);
		ret = draw_round(&client, i);
	} while (!ret);
	igt_assert_eq(ret, -ENODEV);
	after(fd, s, bos, count);
}

/* The new driver's device, with the old one's files still open. */
static void check_rebound(struct shared *s)
{
	struct igt_nv3_client client;
	int fd = igt_nv3_open();
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	igt_nv3_fill(&client, 0, 0, IGT_NV3_CANVAS, IGT_NV3_CANVAS, 0x1234);
	igt_nv3_run_ok(&client.batch);
	s->rebound = 1;
	await(&s->done, CLIENT_COUNT);
	for (i = 0; i < IGT_NV3_CANVAS; i++)
		igt_assert_eq_u32(igt_nv3_pixel(&client, i, i), 0x1234);
	igt_nv3_assert_draws(&client, 5);
	igt_nv3_client_fini(&client);
	close(fd);
}

static void test_unbind(void)
{
	static void (*const clients[])(struct shared *s) = {
		client_draw, client_flip, client_move,
	};
	struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = igt_nv3_open(), i;
	char slot[NAME_MAX];

	igt_assert(s != MAP_FAILED);
	find_slot(fd, slot);
	close(fd);

	igt_fork(child, CLIENT_COUNT)
		clients[child](s);
	for (i = 0; i < CLIENT_COUNT; i++)
		await(&s->rounds[i], BUSY_ROUNDS);
	write_driver("unbind", slot);
	write_driver("bind", slot);
	check_rebound(s);
	igt_waitchildren();
	munmap(s, sizeof(*s));
}

/*
 * Buffers of ours that vgem has, and of vgem's that we have, when the driver goes and longer.
 * That nothing was left mapped, or is unmapped twice, is the kernel's DMA-API debug to say.
 */
static void test_unbind_shared(int vgem)
{
	struct igt_nv3_client client;
	struct igt_nv3_vgem theirs;
	struct igt_nv3_bo ours;
	int fd = igt_nv3_open();
	char slot[NAME_MAX];
	uint32_t handle;

	find_slot(fd, slot);
	igt_nv3_client_init(&client, fd);
	igt_nv3_vgem_create(&theirs, fd, vgem, 256, 64);
	/* Of 64 KiB: DMA-API debug says that vgem takes no more in one piece. */
	ours = igt_nv3_bo_create(fd, theirs.bo.size,
				 DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM);
	handle = igt_nv3_vgem_import(vgem, &ours);
	igt_nv3_use(&client.batch, &theirs.bo, NV3_READ | NV3_WRITE);
	igt_nv3_use(&client.batch, &ours, NV3_READ | NV3_WRITE);
	igt_nv3_fill(&client, 0, 0, 10, 10, 0x1234);
	igt_nv3_run_ok(&client.batch);
	memset(theirs.bo.map, 0x5a, theirs.bo.size);

	write_driver("unbind", slot);
	igt_assert_eq(draw_round(&client, 0), -ENODEV);
	igt_assert_eq_u32(*(uint32_t *)theirs.bo.map, 0x5a5a5a5a);
	write_driver("bind", slot);

	/* An ioctl would say that the device is gone: handles go with the file. */
	close(fd);
	igt_assert_eq_u32(*(uint32_t *)theirs.bo.map, 0x5a5a5a5a);
	drmCloseBufferHandle(vgem, handle);
	drmCloseBufferHandle(vgem, theirs.vgem_handle);
	munmap(theirs.bo.map, theirs.bo.size);
	munmap(ours.map, ours.size);

	fd = igt_nv3_open();
	igt_nv3_client_init(&client, fd);
	igt_nv3_assert_draws(&client, 5);
	igt_nv3_client_fini(&client);
	close(fd);
}

int igt_main()
{
	igt_describe("Clients are told, do no harm to their successors, and the device works with its driver back.");
	igt_subtest("unbind")
		test_unbind();

	igt_describe("So do buffers that are shared with another device, either way.");
	igt_subtest("unbind-shared") {
		int vgem = igt_nv3_vgem_open();

		igt_require_f(vgem >= 0, "no vgem\n");
		test_unbind_shared(vgem);
		close(vgem);
	}
}
