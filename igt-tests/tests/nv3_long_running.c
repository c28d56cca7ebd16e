/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <xf86drmMode.h>
#include <drm_fourcc.h>

#include "igt.h"
#include "igt_nv3_kms.h"
#include "igt_nv3_late.h"
#include "igt_nv3_pio.h"

IGT_TEST_DESCRIPTION("Long-running channels: they may wait for other clients, and no other client waits for them.");

#define SEM		0x3000
#define FLIP		0x3001
#define LARGE		0x4000
#define SUB		IGT_NV3_SUB_FREE
/* Size of a line of a large surface, in bytes */
#define PITCH		2048
#define WIDTH		(PITCH / 2)
/*
 * For test_flip(): the size of each of the two frame buffers, and the size and number of the
 * buffers that the batch lists
 */
#define FB_SIZE		0x200000
#define PIECE_SIZE	0x80000
#define PIECES		7

/* A client with a surface whose buffer occupies more than half of VRAM */
struct large {
	struct igt_nv3_client client;
	struct igt_nv3_bo bo, sem;
	uint32_t height;
};

static void semaphore(const struct igt_nv3_client *client, uint32_t handle)
{
	struct drm_nv3_semaphore_args args = {
		.handle = handle, .timeout_ms = 10000,
	};

	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, SEM,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
}

static void large_surface(struct large *l)
{
	struct igt_nv3_client *client = &l->client;
	uint64_t vram = igt_nv3_param(client->fd, DRM_NV3_PARAM_VRAM_AVAILABLE);

	l->height = vram / 8 * 5 / PITCH;
	/* A surface has at most 2047 lines. */
	igt_require(l->height > 8 && l->height <= 2047 * 2);
	l->bo = igt_nv3_bo_create(client->fd, (uint64_t)l->height * PITCH,
				  DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM);
	if (l->height > 2047)
		l->height = 2047;
	igt_nv3_surface(client->fd, client->channel, LARGE, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &l->bo, PITCH, WIDTH,
			l->height);
}

/* Creates a client that uses the semaphore of @other, or a new semaphore if @other is null. */
static void large_init(struct large *l, int fd, const struct large *other)
{
	uint32_t handle;
	int dmabuf;

	memset(l, 0, sizeof(*l));
	igt_nv3_client_init_lr(&l->client, fd);
	large_surface(l);
	if (!other) {
		l->sem = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
		semaphore(&l->client, l->sem.handle);
		return;
	}
	igt_assert_eq(drmPrimeHandleToFD(other->sem.fd, other->sem.handle,
					 DRM_CLOEXEC | DRM_RDWR, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(fd, dmabuf, &handle), 0);
	close(dmabuf);
	semaphore(&l->client, handle);
}

static void large_fini(struct large *l)
{
	igt_nv3_client_fini(&l->client);
	igt_nv3_bo_destroy(&l->bo);
	igt_nv3_bo_destroy(&l->sem);
}

static void large_fill(struct large *l, uint32_t y, uint32_t h, uint16_t color)
{
	struct igt_nv3_batch *batch = &l->client.batch;

	igt_nv3_use(batch, &l->bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, IGT_NV3_SUB_COLOR, LARGE);
	igt_nv3_method(batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, color);
	igt_nv3_begin(batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 2);
	igt_nv3_word(batch, y << 16);
	igt_nv3_word(batch, h << 16 | WIDTH);
}

static void large_assert(const struct large *l, uint32_t y, uint32_t h,
			 uint16_t color)
{
	const uint16_t *pixels = l->bo.map;
	uint32_t i;

	for (i = y * WIDTH; i < (y + h) * WIDTH; i++)
		igt_assert_f((pixels[i] & 0x7fff) == color,
			     "pixel %u,%u is %04x, not %04x\n", i % WIDTH,
			     i / WIDTH, pixels[i] & 0x7fff, color);
}

static void acquire(struct igt_nv3_client *client, uint32_t number)
{
	igt_nv3_select(&client->batch, SUB, SEM);
	igt_nv3_method(&client->batch, SUB, NV3_SEMAPHORE_ACQUIRE, number);
}

static void release(struct igt_nv3_client *client, uint32_t number)
{
	igt_nv3_select(&client->batch, SUB, SEM);
	igt_nv3_method(&client->batch, SUB, NV3_SEMAPHORE_RELEASE, number);
}

static void assert_no_fault(const struct igt_nv3_client *client)
{
	igt_assert_eq(igt_nv3_fault(client->fd, client->channel, NULL),
		      DRM_NV3_FAULT_NONE);
}

static void submit_ok(struct igt_nv3_client *client)
{
	igt_assert_eq(__igt_nv3_submit(&client->batch, 0), 0);
}

static void run(struct igt_nv3_client *client)
{
	submit_ok(client);
	igt_nv3_batch_wait(&client->batch);
	assert_no_fault(client);
}

/*
 * Starts a batch that draws the upper half of the surface, waits for the semaphore, and draws the
 * lower half.
 */
static void large_start_blocked(struct large *l, uint32_t number)
{
	uint32_t half = l->height / 2;

	large_fill(l, 0, half, 0x1000 + number);
	acquire(&l->client, number);
	large_fill(l, half, l->height - half, 0x2000 + number);
	submit_ok(&l->client);
}

static void large_assert_done(const struct large *l, uint32_t number)
{
	uint32_t half = l->height / 2;

	igt_nv3_batch_wait(&l->client.batch);
	assert_no_fault(&l->client);
	large_assert(l, 0, half, 0x1000 + number);
	large_assert(l, half, l->height - half, 0x2000 + number);
}

/* The client that releases the semaphore needs VRAM that the waiting client occupies. */
static void test_semaphore(int fd)
{
	int other = drm_reopen_driver(fd);
	struct large a, b;
	uint32_t i;

	large_init(&a, fd, NULL);
	large_init(&b, other, &a);
	for (i = 1; i <= 5; i++) {
		large_start_blocked(&a, i);
		large_fill(&b, 0, b.height, 0x4000 + i);
		release(&b.client, i);
		submit_ok(&b.client);
		large_assert_done(&a, i);
		igt_nv3_batch_wait(&b.client.batch);
		assert_no_fault(&b.client);
		large_assert(&b, 0, b.height, 0x4000 + i);
	}
	large_fini(&b);
	close(other);
	large_fini(&a);
}

/*
 * A client that occupies VRAM waits for a semaphore. An unrelated client, whose channel is not
 * long-running, gets this VRAM while the first client still waits.
 */
static void test_victim(int fd)
{
	int other = drm_reopen_driver(fd);
	struct large a, b = { 0 };
	uint32_t i;

	large_init(&a, fd, NULL);
	igt_nv3_client_init(&b.client, other);
	large_surface(&b);
	for (i = 1; i <= 3; i++) {
		large_start_blocked(&a, i);
		large_fill(&b, 0, b.height, 0x4000 + i);
		run(&b.client);
		large_assert(&b, 0, b.height, 0x4000 + i);
		igt_nv3_batch_assert_busy(&a.client.batch);
		/*
		 * Wait for the eviction. The buffer has a fence for its eviction, but no fence of
		 * the long-running channel.
		 */
		igt_assert_eq(__igt_nv3_gem_wait(fd, a.bo.handle,
						 DRM_NV3_GEM_WAIT_WRITE,
						 INT64_C(2000000000)), 0);
		igt_nv3_batch_assert_busy(&a.client.batch);
		igt_nv3_channel_destroy(fd, a.client.channel);
		igt_nv3_batch_wait(&a.client.batch);
		large_assert(&a, 0, a.height / 2, 0x1000 + i);
		igt_nv3_batch_fini(&a.client.batch);
		igt_nv3_bo_destroy(&a.client.color);
		igt_nv3_bo_destroy(&a.bo);
		igt_nv3_bo_destroy(&a.sem);
		large_init(&a, fd, NULL);
	}
	large_fini(&b);
	close(other);
	large_fini(&a);
}

/* Two clients evict each other's buffers, and both make progress. */
static void test_progress(int fd)
{
	const uint32_t fills = 40;
	struct large l[2];
	uint32_t i, j;

	for (i = 0; i < ARRAY_SIZE(l); i++)
		large_init(&l[i], fd, NULL);
	for (i = 0; i < ARRAY_SIZE(l); i++) {
		for (j = 1; j <= fills; j++)
			large_fill(&l[i], 0, l[i].height, i << 8 | j);
		submit_ok(&l[i].client);
	}
	for (i = 0; i < ARRAY_SIZE(l); i++) {
		igt_nv3_batch_wait(&l[i].client.batch);
		assert_no_fault(&l[i].client);
		large_assert(&l[i], 0, l[i].height, i << 8 | fills);
	}
	for (i = 0; i < ARRAY_SIZE(l); i++)
		large_fini(&l[i]);
}

/* The buffers of a channel's queued batches do not fit into VRAM together. */
static void test_queue(int fd)
{
	const uint32_t batches = 4;
	struct large a, b = { 0 };
	uint32_t i;

	large_init(&a, fd, NULL);
	b.client = a.client;
	b.height = a.height;
	b.bo = igt_nv3_bo_create(fd, a.bo.size,
				 DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM);
	igt_nv3_surface(fd, a.client.channel, LARGE + 1, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &b.bo, PITCH, WIDTH, b.height);
	for (i = 0; i < batches; i++) {
		struct igt_nv3_batch *batch = &a.client.batch;

		large_fill(&a, i, a.height - i, 0x100 + i);
		submit_ok(&a.client);
		igt_nv3_use(batch, &b.bo, NV3_READ | NV3_WRITE);
		igt_nv3_select(batch, IGT_NV3_SUB_COLOR, LARGE + 1);
		igt_nv3_method(batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR,
			       0x200 + i);
		igt_nv3_begin(batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 2);
		igt_nv3_word(batch, i << 16);
		igt_nv3_word(batch, (b.height - i) << 16 | WIDTH);
		submit_ok(&a.client);
	}
	igt_nv3_batch_wait(&a.client.batch);
	assert_no_fault(&a.client);
	for (i = 0; i < batches; i++) {
		uint32_t h = i + 1 < batches ? 1 : a.height - i;

		large_assert(&a, i, h, 0x100 + i);
		large_assert(&b, i, h, 0x200 + i);
	}
	igt_nv3_bo_destroy(&b.bo);
	large_fini(&a);
}

/*
 * On a long-running channel, the out syncobj of a batch gets a fence only when the batch has
 * completed. SUBMIT removes a fence that the syncobj has from an earlier batch.
 */
static void test_out_sync(int fd)
{
	struct igt_nv3_client client;
	struct large a, b;
	uint32_t done;
	int file;

	large_init(&a, fd, NULL);
	large_init(&b, fd, &a);
	igt_nv3_client_init(&client, fd);
	igt_assert_eq(drmSyncobjCreate(fd, DRM_SYNCOBJ_CREATE_SIGNALED, &done), 0);
	acquire(&a.client, 1);
	igt_assert_eq(__igt_nv3_submit(&a.client.batch, done), 0);
	igt_nv3_fill(&client, 0, 0, 64, 64, 1);
	igt_assert_eq(__igt_nv3_submit_after(&client.batch, done), -EINVAL);
	igt_nv3_fill(&b.client, 0, 0, 64, 64, 1);
	igt_assert_eq(__igt_nv3_submit_after(&b.client.batch, done), -EINVAL);
	igt_assert_neq(drmSyncobjExportSyncFile(fd, done, &file), 0);
	igt_assert_neq(drmSyncobjWait(fd, &done, 1, 0, 0, NULL), 0);
	igt_assert_eq(igt_nv3_timeline_wait(fd, done, 0, 1000000), -ETIME);

	release(&b.client, 1);
	igt_nv3_run_ok(&b.client.batch);
	igt_assert_eq(igt_nv3_timeline_wait(fd, done, 0, INT64_C(10000000000)),
		      0);
	igt_assert_eq(drmSyncobjExportSyncFile(fd, done, &file), 0);
	close(file);
	igt_nv3_fill(&client, 0, 0, 64, 64, 2);
	igt_assert_eq(__igt_nv3_submit_after(&client.batch, done), 0);
	igt_nv3_batch_wait(&client.batch);
	igt_nv3_assert_rect(&client, 0, 0, 64, 64, 2, 0);

	/* The out syncobj also signals if the batch faults. */
	igt_nv3_select(&a.client.batch, 5, 0xbad);
	igt_assert_eq(__igt_nv3_submit(&a.client.batch, done), 0);
	igt_nv3_batch_wait(&a.client.batch);
	igt_assert_eq(igt_nv3_timeline_wait(fd, done, 0, 0), 0);
	igt_assert_eq(igt_nv3_fault(fd, a.client.channel, NULL),
		      DRM_NV3_FAULT_NAME);
	drmSyncobjDestroy(fd, done);
	igt_nv3_client_fini(&client);
	large_fini(&b);
	large_fini(&a);
}

/* An in syncobj delays a batch of a long-running channel, as on any other channel. */
static void test_in_sync(int fd)
{
	struct igt_nv3_client client;
	struct igt_nv3_late late;

	igt_nv3_late_init(&late);
	igt_nv3_client_init_lr(&client, fd);
	igt_nv3_fill(&client, 8, 8, 16, 16, 0x1234);
	igt_nv3_late_submit(&late, &client.batch);
	usleep(50000);
	igt_nv3_batch_assert_busy(&client.batch);
	igt_nv3_assert_rect(&client, 8, 8, 16, 16, 0, 0);
	igt_nv3_late_end(&late);
	igt_nv3_batch_wait(&client.batch);
	igt_nv3_assert_rect(&client, 8, 8, 16, 16, 0x1234, 0);
	igt_nv3_client_fini(&client);
}

/* The fences of listed buffers delay a batch of a long-running channel, as on any other channel. */
static void test_implicit_sync(int fd)
{
	struct igt_nv3_client normal, client;
	uint32_t i;

	igt_nv3_client_init(&normal, fd);
	igt_nv3_client_init_lr(&client, fd);
	igt_nv3_surface(fd, client.channel, LARGE, 0, DRM_NV3_FORMAT_X1R5G5B5,
			&normal.color, 2 * IGT_NV3_CANVAS, IGT_NV3_CANVAS,
			IGT_NV3_CANVAS);
	for (i = 1; i <= 50; i++) {
		igt_nv3_fill(&normal, 0, 0, 64, 64, i);
		igt_assert_eq(__igt_nv3_submit(&normal.batch, 0), 0);
		igt_nv3_use(&client.batch, &normal.color, NV3_READ | NV3_WRITE);
		igt_nv3_select(&client.batch, IGT_NV3_SUB_COLOR, LARGE);
		igt_nv3_fill(&client, 8, 8, 16, 16, 0x4000 + i);
		igt_nv3_run_ok(&client.batch);
		igt_nv3_assert_rect(&normal, 8, 8, 16, 16, 0x4000 + i, i);
	}
	igt_nv3_client_fini(&client);
	igt_nv3_client_fini(&normal);
}

/*
 * The driver evicts the surface of a PIO channel that waits for a semaphore. The channel draws
 * correctly after the surface has returned to VRAM.
 */
static void test_pio(int fd)
{
	int other = drm_reopen_driver(fd);
	struct large victim = { 0 }, a;
	struct igt_nv3_client releaser;
	struct igt_nv3_pio pio;
	uint32_t i, half;

	igt_nv3_pio_init_lr(&pio, fd);
	memset(&a, 0, sizeof(a));
	a.client = pio.client;
	large_surface(&a);
	half = a.height / 2;
	a.sem = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	semaphore(&pio.client, a.sem.handle);
	igt_nv3_client_init_lr(&releaser, fd);
	semaphore(&releaser, a.sem.handle);
	igt_nv3_client_init(&victim.client, other);
	large_surface(&victim);

	igt_nv3_store(&pio, SUB, NV3_MTHD_OBJECT, SEM);
	igt_nv3_store(&pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT, LARGE);
	for (i = 1; i <= 3; i++) {
		igt_nv3_pio_fill(&pio, 0, 0, WIDTH, half, 0x1000 + i);
		igt_nv3_store(&pio, SUB, NV3_SEMAPHORE_ACQUIRE, i);
		igt_assert_eq(igt_nv3_pio_flush(&pio), 0);
		large_fill(&victim, 0, victim.height, 0x4000 + i);
		run(&victim.client);
		large_assert(&victim, 0, victim.height, 0x4000 + i);
		igt_nv3_pio_assert_busy(&pio);
		release(&releaser, i);
		igt_nv3_run_ok(&releaser.batch);
		igt_nv3_pio_fill(&pio, 0, half, WIDTH, a.height - half,
				 0x2000 + i);
		igt_nv3_pio_run_ok(&pio);
		large_assert(&a, 0, half, 0x1000 + i);
		large_assert(&a, half, a.height - half, 0x2000 + i);
	}
	igt_nv3_client_fini(&releaser);
	igt_nv3_client_fini(&victim.client);
	igt_nv3_bo_destroy(&victim.bo);
	close(other);
	igt_nv3_pio_fini(&pio);
	igt_nv3_bo_destroy(&a.bo);
	igt_nv3_bo_destroy(&a.sem);
}

/*
 * Kills a process whose channel waits for a semaphore. If @evict is true, the driver has evicted
 * the buffers of the channel before the kill.
 */
static void test_kill(int fd, bool evict)
{
	struct large other = { 0 };
	int ready[2], status;
	uint32_t round;
	pid_t child;
	char byte;

	/* Check the requirement here, because a skip in the child would end only the child. */
	igt_nv3_require_sw(fd);
	igt_nv3_client_init(&other.client, fd);
	large_surface(&other);
	for (round = 1; round <= 4; round++) {
		igt_assert_eq(pipe(ready), 0);
		child = fork();
		igt_assert_lte(0, child);
		if (!child) {
			struct large l;

			large_init(&l, drm_reopen_driver(fd), NULL);
			large_start_blocked(&l, 1);
			igt_assert_eq(write(ready[1], "", 1), 1);
			for (;;)
				pause();
		}
		close(ready[1]);
		igt_assert_eq(read(ready[0], &byte, 1), 1);
		if (evict) {
			large_fill(&other, 0, other.height, round);
			run(&other.client);
		}
		igt_assert_eq(kill(child, SIGKILL), 0);
		igt_assert_eq(waitpid(child, &status, 0), child);
		close(ready[0]);
		large_fill(&other, 0, other.height, 0x100 + round);
		run(&other.client);
		large_assert(&other, 0, other.height, 0x100 + round);
	}
	igt_nv3_client_fini(&other.client);
	igt_nv3_bo_destroy(&other.bo);
}

/* ---- the display ---- */

/* Two frame buffers. screen_init() shows the first one. */
struct screen {
	struct igt_nv3_display display;
	struct igt_nv3_bo bo[2];
	uint32_t fb[2];
	uint32_t pitch;
};

static void screen_init(struct screen *s, int fd, uint64_t size)
{
	uint32_t handles[4] = { 0 }, pitches[4] = { 0 }, offsets[4] = { 0 }, i;

	if (!drmIsMaster(fd))
		igt_assert_eq(drmSetMaster(fd), 0);
	igt_nv3_display_init(&s->display, fd);
	s->pitch = (s->display.mode.hdisplay * 2 + 63) & ~63u;
	igt_require(s->pitch * s->display.mode.vdisplay <= size);
	for (i = 0; i < ARRAY_SIZE(s->bo); i++) {
		s->bo[i] = igt_nv3_bo_create(fd, size, DRM_NV3_GEM_VRAM |
						       DRM_NV3_GEM_SYSTEM);
		handles[0] = s->bo[i].handle;
		pitches[0] = s->pitch;
		igt_assert_eq(drmModeAddFB2(fd, s->display.mode.hdisplay,
					    s->display.mode.vdisplay,
					    DRM_FORMAT_XRGB1555, handles,
					    pitches, offsets, &s->fb[i], 0), 0);
	}
	igt_assert_eq(drmModeSetCrtc(fd, s->display.crtc, s->fb[0], 0, 0,
				     &s->display.connector, 1,
				     &s->display.mode), 0);
}

static void screen_fini(struct screen *s)
{
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(s->bo); i++) {
		drmModeRmFB(s->display.fd, s->fb[i]);
		igt_nv3_bo_destroy(&s->bo[i]);
	}
}

static uint32_t shown(const struct screen *s)
{
	drmModeCrtc *crtc = drmModeGetCrtc(s->display.fd, s->display.crtc);
	uint32_t fb;

	igt_assert(crtc);
	fb = crtc->buffer_id;
	drmModeFreeCrtc(crtc);
	return fb;
}

static void piece_fill(struct igt_nv3_client *client, uint32_t i, uint32_t y,
		       uint32_t h, uint16_t color)
{
	igt_nv3_select(&client->batch, IGT_NV3_SUB_COLOR, LARGE + i);
	igt_nv3_method(&client->batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, color);
	igt_nv3_begin(&client->batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 2);
	igt_nv3_word(&client->batch, y << 16);
	igt_nv3_word(&client->batch, h << 16 | WIDTH);
}

/*
 * The current frame buffer and the buffers of the batch fill VRAM. To show the next frame buffer,
 * the flip has to evict buffers of the batch. The evicted buffers return to VRAM after the current
 * frame buffer is released.
 */
static void test_flip(int fd)
{
	uint64_t vram = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE);
	const uint32_t lines = PIECE_SIZE / PITCH, half = lines / 2;
	struct drm_nv3_flip_args args = { 0 };
	struct igt_nv3_bo piece[PIECES];
	struct igt_nv3_client client;
	struct screen s;
	uint32_t i, j;

	igt_require(vram < 2 * FB_SIZE + PIECES * PIECE_SIZE &&
		    vram > FB_SIZE + (PIECES + 2) * PIECE_SIZE);
	screen_init(&s, fd, FB_SIZE);
	igt_nv3_client_init_lr(&client, fd);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, FLIP,
				       DRM_NV3_CLASS_FLIP, &args,
				       sizeof(args)), 0);
	igt_nv3_select(&client.batch, SUB, FLIP);
	for (i = 0; i < PIECES; i++) {
		piece[i] = igt_nv3_bo_create(fd, PIECE_SIZE, DRM_NV3_GEM_VRAM |
							     DRM_NV3_GEM_SYSTEM);
		igt_nv3_surface(fd, client.channel, LARGE + i, 0,
				DRM_NV3_FORMAT_X1R5G5B5, &piece[i], PITCH,
				WIDTH, lines);
		igt_nv3_use(&client.batch, &piece[i], NV3_READ | NV3_WRITE);
		piece_fill(&client, i, 0, half, 0x1000 + i);
	}
	igt_nv3_method(&client.batch, SUB, NV3_FLIP_FLIP, s.fb[1]);
	for (i = 0; i < PIECES; i++)
		piece_fill(&client, i, half, lines - half, 0x2000 + i);
	igt_nv3_run_ok(&client.batch);
	igt_assert_eq_u32(shown(&s), s.fb[1]);
	for (i = 0; i < PIECES; i++) {
		const uint16_t *pixels = piece[i].map;

		for (j = 0; j < lines * WIDTH; j++)
			igt_assert_eq_u32(pixels[j] & 0x7fff,
					  (j < half * WIDTH ? 0x1000 : 0x2000) + i);
		igt_nv3_bo_destroy(&piece[i]);
	}
	igt_nv3_client_fini(&client);
	screen_fini(&s);
}

/*
 * A frame buffer occupies the VRAM that an evicted buffer needs, so the driver can't make the
 * evicted buffer resident again. The channel that needs this buffer faults after a timeout.
 */
static void test_no_room(int fd)
{
	uint64_t size = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE) / 2;
	struct igt_nv3_client other;
	struct screen s;
	struct large a;

	large_init(&a, fd, NULL);
	igt_nv3_client_init_lr(&other, fd);
	semaphore(&other, a.sem.handle);
	large_start_blocked(&a, 1);
	screen_init(&s, fd, size);
	release(&other, 1);
	igt_nv3_run_ok(&other.batch);
	igt_nv3_assert_draws(&other, 1);
	igt_nv3_batch_wait(&a.client.batch);
	igt_assert_eq(igt_nv3_fault(fd, a.client.channel, NULL),
		      DRM_NV3_FAULT_PAGE);
	igt_nv3_assert_draws(&other, 2);
	screen_fini(&s);
	igt_nv3_client_fini(&other);
	large_fini(&a);
}

static void test_bad(int fd)
{
	struct drm_nv3_flip_args args = { 0 };
	uint32_t channel;

	igt_assert_eq(__igt_nv3_channel_create_flags(fd, DRM_NV3_CHANNEL_DMA, 2,
						     &channel), -EINVAL);
	igt_assert_eq(__igt_nv3_channel_create_flags(fd, DRM_NV3_CHANNEL_PIO,
						     1u << 31, &channel),
		      -EINVAL);
	channel = igt_nv3_channel_create(fd);
	igt_assert_eq(__igt_nv3_object(fd, channel, FLIP, DRM_NV3_CLASS_FLIP,
				       &args, sizeof(args)), -EINVAL);
	igt_nv3_channel_destroy(fd, channel);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Unknown flags are refused, and so are classes that need a long-running channel.");
	igt_subtest("bad")
		test_bad(fd);

	igt_describe("A client that releases a semaphore needs the VRAM of the client that waits.");
	igt_subtest("semaphore")
		test_semaphore(fd);

	igt_describe("A flip needs the VRAM of its own batch.");
	igt_subtest("flip")
		test_flip(fd);

	igt_describe("An unrelated client gets the VRAM of a client that waits, without waiting for its fence.");
	igt_subtest("victim")
		test_victim(fd);

	igt_describe("Two clients whose buffers exceed VRAM make progress.");
	igt_subtest("progress")
		test_progress(fd);

	igt_describe("Two batches of a channel whose buffers exceed VRAM make progress.");
	igt_subtest("queue")
		test_queue(fd);

	igt_describe("An out-syncobj gets its fence when the batch is done.");
	igt_subtest("out-sync")
		test_out_sync(fd);

	igt_describe("A long-running channel waits for an in-syncobj.");
	igt_subtest("in-sync")
		test_in_sync(fd);

	igt_describe("A long-running channel waits for the fences of buffers.");
	igt_subtest("implicit-sync")
		test_implicit_sync(fd);

	igt_describe("A PIO channel that waits has its VRAM evicted, and goes on later.");
	igt_subtest("pio")
		test_pio(fd);

	igt_describe("A process whose channel waits is killed.");
	igt_subtest("kill")
		test_kill(fd, false);

	igt_describe("A process whose channel waits with its VRAM evicted is killed.");
	igt_subtest("kill-evicted")
		test_kill(fd, true);

	igt_describe("Buffers that can't return to VRAM cause a fault.");
	igt_subtest("no-room")
		test_no_room(fd);

	igt_fixture()
		drm_close_driver(fd);
}
