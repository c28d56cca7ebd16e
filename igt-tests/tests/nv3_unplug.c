/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/sync_file.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <drm/vgem_drm.h>
#include <drm_fourcc.h>
#include <xf86drmMode.h>

#include "igt.h"
#include "igt_nv3.h"
#include "igt_nv3_freeze.h"
#include "igt_nv3_kms.h"
#include "igt_nv3_vgem.h"

IGT_TEST_DESCRIPTION("The driver is unbound while clients draw, flip and migrate buffers.");

#define DRIVER		"/sys/bus/pci/drivers/nv3"

/* Number of rounds that each client completes before the driver is unbound */
#define BUSY_ROUNDS	20
#define MOVER_SIZE	(512u << 10)
/* Enough for a busy host */
#define PATIENCE_MS	300000

enum { CLIENT_DRAW, CLIENT_FLIP, CLIENT_MOVE, CLIENT_WAIT, CLIENT_COUNT };

/*
 * The number of vertical blanks for which CLIENT_WAIT waits at a time. The wait takes a second at
 * 60 Hz.
 */
#define WAIT_BLANKS	60
/*
 * Time limit for an unbind. The limit must be shorter than a wait for WAIT_BLANKS. If the unbind of
 * an idle device takes longer than UNBIND_IDLE_MS, the host is too slow, and the test does not
 * check the limit.
 */
#define UNBIND_MS	800
#define UNBIND_IDLE_MS	300

/* The number of waits in a batch of test_unbind_full(). A few such batches fill the ring. */
#define FULL_WAITS	6000

/* Memory that the test shares with its client processes */
struct shared {
	atomic_uint rounds[CLIENT_COUNT];
	/* number of SUBMITs that the client of test_unbind_full() has begun */
	atomic_uint submits;
	/* nonzero after the driver has been bound again */
	atomic_uint rebound;
	/* number of clients that have used their old mappings after the unbind */
	atomic_uint done;
};

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	igt_require_f(f, "no %s\n", path);
	fputs(text, f);
	igt_assert_f(fclose(f) == 0, "%s: %s\n", path, text);
}

static void write_driver(const char *file, const char *slot)
{
	char path[64];

	snprintf(path, sizeof(path), DRIVER "/%s", file);
	write_file(path, slot);
}

/* Removes the PCI device, as if the card had been pulled out. */
static void remove_device(const char *slot)
{
	char path[NAME_MAX + 64];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/remove", slot);
	write_file(path, "1");
}

/* Returns the PCI device's name. */
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

/* Waits until *@counter reaches @value. Fails after PATIENCE_MS. */
static void await(atomic_uint *counter, unsigned int value)
{
	unsigned int ms;

	for (ms = 0; *counter < value; ms++) {
		igt_assert_f(ms < PATIENCE_MS, "%u of %u\n", *counter, value);
		usleep(1000);
	}
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000) + ts.tv_nsec / 1000000;
}

/* Draws a rectangle. Returns 0 or the error of SUBMIT. */
static int draw_round(struct igt_nv3_client *client, uint32_t i)
{
	igt_nv3_fill(client, i % 60, i % 50, 3, 4, i);
	return __igt_nv3_submit(&client->batch, 0);
}

/*
 * Uses a file and mappings of the device after the driver was unbound. Ioctls return errors.
 * Mappings stay valid, but refer to dummy pages instead of the buffers.
 */
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

/* Flips until the driver is unbound. This client opens the device first, so it is DRM master. */
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
		/* The last flip is pending. */
		if (ret == -EBUSY) {
			usleep(1000);
			ret = 0;
		}
	} while (!ret);
	igt_assert_eq(ret, -ENODEV);
	after(fd, s, NULL, 0);
}

/*
 * Uses buffers whose total size is twice the size of VRAM. Each buffer must be in VRAM when a batch
 * uses it.
 */
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

#define FLIP	0x3000

static int wait_submit(struct igt_nv3_client *client)
{
	igt_nv3_method(&client->batch, IGT_NV3_SUB_FREE, NV3_FLIP_WAIT, WAIT_BLANKS);
	return __igt_nv3_submit(&client->batch, 0);
}

/*
 * Waits for vertical blanks with the method WAIT of class FLIP. A round begins when a batch begins
 * to wait. Two batches are always in flight, so the channel waits without a pause.
 */
static void client_wait(struct shared *s)
{
	struct drm_nv3_flip_args args = { 0 };
	struct igt_nv3_client client;
	uint64_t point;
	int fd, ret;

	await(&s->rounds[CLIENT_FLIP], 1);
	fd = igt_nv3_open();
	igt_nv3_client_init_lr(&client, fd);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, FLIP, DRM_NV3_CLASS_FLIP, &args,
				       sizeof(args)), 0);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_FREE, FLIP);
	igt_assert_eq(wait_submit(&client), 0);
	do {
		point = client.batch.point;
		ret = wait_submit(&client);
		/*
		 * This wait ends when the previous batch completes and the next batch begins, or
		 * when the driver is unbound.
		 */
		if (!ret)
			igt_nv3_timeline_wait(fd, client.batch.timeline, point,
					      PATIENCE_MS * INT64_C(1000000));
		s->rounds[CLIENT_WAIT]++;
	} while (!ret);
	igt_assert_eq(ret, -ENODEV);
	after(fd, s, &client.color, 1);
}

/* Opens the device of the newly bound driver while files of the previous device are still open. */
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

/* Unbinds the driver, and returns how long this took, in milliseconds. */
static unsigned int unbind_time(const char *slot)
{
	uint64_t start = now_ms();

	write_driver("unbind", slot);
	return now_ms() - start;
}

/* Unbinds the idle driver and binds it again. Returns how long the unbind took, in milliseconds. */
static unsigned int idle_unbind_time(const char *slot)
{
	unsigned int ms = unbind_time(slot);

	write_driver("bind", slot);
	return ms;
}

/*
 * Unbinds the driver while channels wait for vertical blanks, and checks how long the unbind took.
 */
static void unbind_waiting(const char *slot, unsigned int idle_ms)
{
	unsigned int ms = unbind_time(slot);

	igt_info("unbound in %u ms, idle in %u ms\n", ms, idle_ms);
	if (idle_ms <= UNBIND_IDLE_MS)
		igt_assert_lt(ms, UNBIND_MS);
}

static void test_unbind(void)
{
	static void (*const clients[])(struct shared *s) = {
		client_draw, client_flip, client_move, client_wait,
	};
	struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = igt_nv3_open(), i;
	unsigned int idle_ms;
	char slot[NAME_MAX];

	igt_assert(s != MAP_FAILED);
	find_slot(fd, slot);
	close(fd);
	idle_ms = idle_unbind_time(slot);

	igt_fork(child, CLIENT_COUNT)
		clients[child](s);
	for (i = 0; i < CLIENT_WAIT; i++)
		await(&s->rounds[i], BUSY_ROUNDS);
	/* Begin the unbind just after CLIENT_WAIT has begun a wait. */
	await(&s->rounds[CLIENT_WAIT], s->rounds[CLIENT_WAIT] + 1);
	unbind_waiting(slot, idle_ms);
	write_driver("bind", slot);
	check_rebound(s);
	igt_waitchildren();
	munmap(s, sizeof(*s));
}

/* Until SUBMIT returns an error, submits batches that each wait for more than an hour. */
static void client_full(struct shared *s)
{
	struct drm_nv3_flip_args args = { 0 };
	struct igt_nv3_client client;
	int fd = igt_nv3_open(), ret, i;

	igt_nv3_client_init_lr(&client, fd);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, FLIP, DRM_NV3_CLASS_FLIP, &args,
				       sizeof(args)), 0);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_FREE, FLIP);
	do {
		for (i = 0; i < FULL_WAITS; i++)
			igt_nv3_method(&client.batch, IGT_NV3_SUB_FREE, NV3_FLIP_WAIT, WAIT_BLANKS);
		s->submits++;
		ret = __igt_nv3_submit(&client.batch, 0);
	} while (!ret);
	igt_assert_eq(ret, -ENODEV);
	s->done++;
}

/* Waits until client_full() has been in the same SUBMIT for a second. */
static void await_full_ring(struct shared *s)
{
	unsigned int submits, ms = 0;

	do {
		igt_assert(ms < PATIENCE_MS);
		submits = s->submits;
		usleep(1000000);
		ms += 1000;
	} while (!submits || submits != s->submits);
}

/*
 * The ring of a channel is full, and a SUBMIT waits for a batch that ends in hours. The SUBMIT must
 * return when the driver is unbound.
 */
static void test_unbind_full(void)
{
	struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct igt_nv3_display display;
	struct igt_nv3_client client;
	int fd = igt_nv3_open();
	struct igt_nv3_fb fb;
	unsigned int idle_ms;
	char slot[NAME_MAX];

	igt_assert(s != MAP_FAILED);
	find_slot(fd, slot);
	close(fd);
	idle_ms = idle_unbind_time(slot);

	fd = igt_nv3_open();
	/* Vertical blanks occur only while the CRTC is enabled. */
	igt_nv3_display_init(&display, fd);
	fb = igt_nv3_fb_create(fd, display.mode.hdisplay, display.mode.vdisplay, 16,
			       DRM_FORMAT_RGB565);
	igt_nv3_display_show(&display, &fb);
	igt_fork(child, 1)
		client_full(s);
	await_full_ring(s);

	unbind_waiting(slot, idle_ms);
	await(&s->done, 1);
	igt_waitchildren();
	close(fd);
	write_driver("bind", slot);

	fd = igt_nv3_open();
	igt_nv3_client_init(&client, fd);
	igt_nv3_assert_draws(&client, 5);
	igt_nv3_client_fini(&client);
	close(fd);
	munmap(s, sizeof(*s));
}

static int open_vgem(void)
{
	int vgem = igt_nv3_vgem_open();

	igt_require_f(vgem >= 0, "no vgem\n");
	return vgem;
}

/*
 * Buffers of nv3 that vgem has imported, and buffers of vgem that nv3 has imported, outlive the
 * driver. The kernel's DMA-API debugging reports mappings that are leaked or unmapped twice.
 */
static void test_unbind_shared(void)
{
	struct igt_nv3_client client;
	struct igt_nv3_vgem theirs;
	struct igt_nv3_bo ours;
	int vgem = open_vgem(), fd = igt_nv3_open();
	char slot[NAME_MAX];
	uint32_t handle;

	find_slot(fd, slot);
	igt_nv3_client_init(&client, fd);
	igt_nv3_vgem_create(&theirs, fd, vgem, 256, 64);
	/*
	 * DMA-API debugging reports segments of vgem that exceed 64 KiB, so the buffers have a size
	 * of 64 KiB.
	 */
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

	/* Close the file, which closes its handles. GEM_CLOSE would return an error. */
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
	close(vgem);
}

/*
 * When the driver is unbound, three batches that copy to vgem's buffers are in flight. The chip
 * executes the first batch, the second batch waits for the chip, and the third batch waits for
 * another device.
 */
enum { COPY_RUNS, COPY_QUEUED, COPY_WAITS, COPY_COUNT };

struct copy {
	struct igt_nv3_client client;
	struct igt_nv3_bo from;
	struct igt_nv3_vgem to;
	/* A sync file with the fence of the batch */
	int fence;
};

/*
 * Seeds of the contents of buffers: the target before the copy, the source, the data that the CPU
 * writes after the driver was unbound, and the data of copies after the driver is bound again
 */
enum { SEED_OLD = 1, SEED_NEW, SEED_LATER, SEED_AGAIN };

static uint32_t pattern(uint32_t i, uint32_t seed)
{
	return i * 0x9e3779b9 + seed;
}

static void fill(const struct igt_nv3_bo *bo, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < bo->size / 4; i++)
		((uint32_t *)bo->map)[i] = pattern(i, seed);
}

/*
 * Asserts that each word of the buffer has the value from the pattern with the seed @one or @other.
 */
static void check_either(const struct igt_nv3_bo *bo, uint32_t one, uint32_t other)
{
	uint32_t i, word;

	for (i = 0; i < bo->size / 4; i++) {
		word = ((volatile uint32_t *)bo->map)[i];
		if (word != pattern(i, one))
			igt_assert_eq_u32(word, pattern(i, other));
	}
}

static void check(const struct igt_nv3_bo *bo, uint32_t seed)
{
	check_either(bo, seed, seed);
}

static void copy_init(struct copy *c, int fd, int vgem)
{
	igt_nv3_client_init(&c->client, fd);
	igt_nv3_vgem_create(&c->to, fd, vgem, 256, 64);
	c->from = igt_nv3_bo_create(fd, c->to.bo.size, DRM_NV3_GEM_VRAM);
	fill(&c->from, SEED_NEW);
	fill(&c->to.bo, SEED_OLD);
	igt_nv3_copy(&c->client, 0, &c->from, &c->to.bo);
}

static void copy_submit(struct copy *c)
{
	int fd = c->client.fd;
	uint32_t syncobj;

	igt_assert_eq(drmSyncobjCreate(fd, 0, &syncobj), 0);
	igt_assert_eq(__igt_nv3_submit(&c->client.batch, syncobj), 0);
	igt_assert_eq(drmSyncobjExportSyncFile(fd, syncobj, &c->fence), 0);
	igt_assert_eq(drmSyncobjDestroy(fd, syncobj), 0);
}

/*
 * Returns 0 if the fence has not signalled, 1 if it has signalled without an error, or the fence's
 * error as a negative errno.
 */
static int copy_status(const struct copy *c)
{
	struct sync_file_info info = { 0 };

	do_ioctl(c->fence, SYNC_IOC_FILE_INFO, &info);
	return info.status;
}

/*
 * Submits a copy and a long drawing. Returns after the chip has executed the copy and started the
 * drawing.
 */
static void start_long(struct copy *c, const struct igt_nv3_bo *canvas)
{
	unsigned int ms;

	igt_nv3_fill(&c->client, 0, 0, 1, 1, 0x1234);
	igt_nv3_push_long(&c->client, canvas);
	copy_submit(c);
	for (ms = 0; igt_nv3_pixel(&c->client, 0, 0) != 0x1234; ms++) {
		igt_assert(ms < PATIENCE_MS);
		usleep(1000);
	}
}

/* Attaches a fence of vgem to the buffer. */
static uint32_t vgem_begin(const struct igt_nv3_vgem *s)
{
	struct drm_vgem_fence_attach attach = {
		.handle = s->vgem_handle, .flags = VGEM_FENCE_WRITE,
	};

	do_ioctl(s->vgem, DRM_IOCTL_VGEM_FENCE_ATTACH, &attach);
	return attach.out_fence;
}

static void vgem_end(int vgem, uint32_t fence)
{
	struct drm_vgem_fence_signal signal = { .fence = fence };

	do_ioctl(vgem, DRM_IOCTL_VGEM_FENCE_SIGNAL, &signal);
}

/*
 * Asserts that all fences have signalled, and that the memory of vgem contains the old data or the
 * data that the chip has copied.
 */
static void check_ended(const struct copy *c)
{
	/*
	 * With any other status, the batch was not in flight when the driver was unbound, so the
	 * test would not test anything.
	 */
	igt_assert_eq(copy_status(&c[COPY_RUNS]), -ENODEV);
	check(&c[COPY_RUNS].to.bo, SEED_NEW);
	igt_assert_neq(copy_status(&c[COPY_QUEUED]), 0);
	check_either(&c[COPY_QUEUED].to.bo, SEED_OLD, SEED_NEW);
	igt_assert_lt(copy_status(&c[COPY_WAITS]), 0);
	check(&c[COPY_WAITS].to.bo, SEED_OLD);
}

/* Asserts that a client of the newly bound driver can read and write the buffer of vgem. */
static void check_shares(int fd, struct igt_nv3_vgem *s)
{
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;

	igt_nv3_vgem_share(s, fd);
	igt_nv3_client_init(&client, fd);
	bo = igt_nv3_bo_create(fd, s->bo.size, DRM_NV3_GEM_VRAM);
	igt_nv3_copy(&client, 0, &s->bo, &bo);
	igt_nv3_run_ok(&client.batch);
	check(&bo, SEED_LATER);
	fill(&bo, SEED_AGAIN);
	igt_nv3_copy(&client, 1, &bo, &s->bo);
	igt_nv3_run_ok(&client.batch);
	check(&s->bo, SEED_AGAIN);
	igt_nv3_assert_draws(&client, 5);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_client_fini(&client);
}

static void unmap(const struct igt_nv3_bo *bo)
{
	munmap(bo->map, bo->size);
}

/*
 * Unbinds the driver, or removes the device. A child process signals the fence of vgem during this
 * call.
 */
static void leave_busy(int vgem, uint32_t fence, const char *slot, bool removed)
{
	igt_fork(child, 1) {
		usleep(500000);
		vgem_end(vgem, fence);
	}
	if (removed)
		remove_device(slot);
	else
		write_driver("unbind", slot);
	igt_waitchildren();
}

/*
 * In a guest with more than 4 GiB of memory, the chip uses bounce buffers for vgem's memory. The
 * driver has to sync these bounce buffers.
 */
static void test_import_busy(bool removed)
{
	struct copy c[COPY_COUNT];
	int vgem = open_vgem(), fd = igt_nv3_open(), next, freeze, i;
	struct igt_nv3_bo canvas = igt_nv3_bo_create(fd, 2 << 20, DRM_NV3_GEM_VRAM);
	char slot[NAME_MAX];
	uint32_t fence;

	find_slot(fd, slot);
	for (i = 0; i < COPY_COUNT; i++)
		copy_init(&c[i], fd, vgem);
	freeze = igt_nv3_freeze_open(fd);
	start_long(&c[COPY_RUNS], &canvas);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_TIMESLICES);
	copy_submit(&c[COPY_QUEUED]);
	fence = vgem_begin(&c[COPY_WAITS].to);
	copy_submit(&c[COPY_WAITS]);
	for (i = 0; i < COPY_COUNT; i++)
		igt_assert_eq(copy_status(&c[i]), 0);

	leave_busy(vgem, fence, slot, removed);
	check_ended(c);
	for (i = 0; i < COPY_COUNT; i++)
		fill(&c[i].to.bo, SEED_LATER);
	close(freeze);
	if (removed)
		write_file("/sys/bus/pci/rescan", "1");
	else
		write_driver("bind", slot);

	next = igt_nv3_open();
	check_shares(next, &c[COPY_RUNS].to);
	close(fd);
	unmap(&canvas);
	for (i = 0; i < COPY_COUNT; i++) {
		close(c[i].fence);
		unmap(&c[i].from);
		unmap(&c[i].client.color);
		unmap(&c[i].client.batch.bo);
	}
	check(&c[COPY_RUNS].to.bo, SEED_AGAIN);
	for (i = COPY_QUEUED; i < COPY_COUNT; i++) {
		check(&c[i].to.bo, SEED_LATER);
		check_shares(next, &c[i].to);
	}
	for (i = 0; i < COPY_COUNT; i++)
		igt_nv3_vgem_destroy(&c[i].to);
	close(next);
	close(vgem);
}

int igt_main()
{
	igt_describe("Clients get errors, and the device works when its driver is bound again.");
	igt_subtest("unbind")
		test_unbind();

	igt_describe("A SUBMIT that waits for room in the ring returns when the driver is unbound.");
	igt_subtest("unbind-full")
		test_unbind_full();

	igt_describe("Buffers that are shared with another device outlive the driver.");
	igt_subtest("unbind-shared")
		test_unbind_shared();

	igt_describe("Batches that write to another device's buffers end with valid contents.");
	igt_subtest("unbind-import-busy")
		test_import_busy(false);

	igt_describe("The device itself is removed.");
	igt_subtest("remove-import-busy")
		test_import_busy(true);
}
