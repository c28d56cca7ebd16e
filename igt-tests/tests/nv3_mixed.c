/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3_late.h"
#include "igt_nv3_painter.h"

IGT_TEST_DESCRIPTION("DMA and PIO channels at once, also on one buffer.");

#define SURFACE	0x1000
#define SEM	0x3000
#define SUB_SEM	5
#define LARGE	0x5000
#define SECOND_NS	INT64_C(1000000000)

/* Imports a client's buffer into another file, and creates a surface for the buffer. */
static void share(struct igt_nv3_client *from, struct igt_nv3_client *to)
{
	struct igt_nv3_bo shared = from->color;
	int dmabuf;

	igt_assert_eq(drmPrimeHandleToFD(from->fd, from->color.handle, 0,
					 &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(to->fd, dmabuf, &shared.handle), 0);
	close(dmabuf);
	shared.fd = to->fd;
	igt_nv3_surface(to->fd, to->channel, SURFACE, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &shared, 2 * IGT_NV3_CANVAS,
			IGT_NV3_CANVAS, IGT_NV3_CANVAS);
	to->color.handle = shared.handle;
}

/*
 * A batch, the stores of a PIO client, and another batch draw to one buffer. The chip must execute
 * them in this order. The PIO client flushes only if @flush is true.
 */
static void test_one_buffer(int fd, bool flush)
{
	struct igt_nv3_pio pio;
	struct igt_nv3_client dma;
	uint32_t own, i;

	igt_nv3_client_init(&dma, fd);
	igt_nv3_pio_init(&pio, drm_reopen_driver(fd));
	own = pio.client.color.handle;
	share(&dma, &pio.client);
	igt_nv3_store(&pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT, SURFACE);

	for (i = 1; i <= 30; i++) {
		igt_nv3_fill(&dma, 0, 0, 64, 64, i);
		igt_assert_eq(__igt_nv3_submit(&dma.batch, 0), 0);
		igt_nv3_pio_fill(&pio, 10, 10, 30, 30, 0x100 + i);
		if (flush)
			igt_assert_eq(__igt_nv3_flush(pio.client.fd,
						      pio.client.channel, 0,
						      0), 0);
		igt_nv3_fill(&dma, 20, 20, 10, 10, i);
		igt_assert_eq(__igt_nv3_submit(&dma.batch, 0), 0);
		igt_nv3_bo_wait(&dma.color);
		igt_assert_eq(igt_nv3_pixel(&dma, 9, 9), i);
		igt_assert_eq(igt_nv3_pixel(&dma, 10, 10), 0x100 + i);
		igt_assert_eq(igt_nv3_pixel(&dma, 39, 39), 0x100 + i);
		igt_assert_eq(igt_nv3_pixel(&dma, 20, 20), i);
		igt_assert_eq(igt_nv3_pixel(&dma, 29, 29), i);
		igt_assert_eq(igt_nv3_pixel(&dma, 30, 30), 0x100 + i);
	}
	igt_assert_eq_u32(igt_nv3_fault(pio.client.fd, pio.client.channel,
					NULL), 0);
	drmCloseBufferHandle(pio.client.fd, pio.client.color.handle);
	pio.client.color.handle = own;
	igt_nv3_pio_fini(&pio);
	close(pio.client.fd);
	igt_nv3_client_fini(&dma);
}

/*
 * @count processes draw separate pictures. Half of the processes use DMA channels, and the other
 * half use PIO channels.
 */
static void test_processes(int fd, uint32_t count, uint32_t pictures)
{
	igt_fork(child, count) {
		int own = drm_reopen_driver(fd);
		struct igt_nv3_painter p;
		uint32_t i;

		igt_nv3_painter_init(&p, own, child & 1 ? DRM_NV3_CHANNEL_PIO :
							  DRM_NV3_CHANNEL_DMA,
				     child);
		for (i = 0; i < pictures; i++)
			igt_nv3_painter_paint(&p, 1 + i * 7 % 300);
		igt_nv3_painter_fini(&p);
		close(own);
	}
	igt_waitchildren();
}

/* Clients with DMA and PIO channels draw pictures in one process, using the same file. */
static void test_one_file(int fd)
{
	struct igt_nv3_painter *p = calloc(8, sizeof(*p));
	uint32_t i, round;

	igt_assert(p);
	for (i = 0; i < 8; i++)
		igt_nv3_painter_init(&p[i], fd, i & 1 ? DRM_NV3_CHANNEL_PIO :
							DRM_NV3_CHANNEL_DMA, i);
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 8; i++)
			igt_nv3_painter_start(&p[i], 50);
		for (i = 0; i < 8; i++)
			igt_nv3_painter_check(&p[i]);
	}
	for (i = 0; i < 8; i++)
		igt_nv3_painter_fini(&p[i]);
	free(p);
}

/* Clients with DMA and PIO channels fault repeatedly while other clients draw. */
static void test_faults(int fd)
{
	igt_fork(child, 6) {
		int own = drm_reopen_driver(fd);
		uint32_t type = child & 1 ? DRM_NV3_CHANNEL_PIO :
					    DRM_NV3_CHANNEL_DMA;
		struct igt_nv3_painter p;
		uint32_t i;

		if (child >= 2)
			igt_nv3_painter_init(&p, own, type, child);
		for (i = 0; i < 30; i++) {
			if (child >= 2) {
				igt_nv3_painter_paint(&p, 100);
				continue;
			}
			igt_nv3_painter_init(&p, own, type, i);
			if (type == DRM_NV3_CHANNEL_PIO) {
				igt_nv3_store(&p.pio, 5, 0, 0xbad);
				igt_nv3_pio_run(&p.pio);
			} else {
				igt_nv3_select(&p.pio.client.batch, 5, 0xbad);
				igt_nv3_run(&p.pio.client.batch);
			}
			igt_assert_eq_u32(igt_nv3_fault(own,
							p.pio.client.channel,
							NULL),
					  DRM_NV3_FAULT_NAME);
			igt_nv3_painter_fini(&p);
		}
		if (child >= 2)
			igt_nv3_painter_fini(&p);
		close(own);
	}
	igt_waitchildren();
}

/*
 * A DMA client and a PIO client draw. Each of them uses one of many buffers as an additional
 * surface. The total size of these buffers is twice the size of VRAM, so the driver evicts them
 * repeatedly.
 */
static void test_eviction(int fd)
{
	uint64_t vram = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE);
	uint32_t count = 2 * vram / (1 << 20), round, i;
	struct igt_nv3_painter p[2];
	struct igt_nv3_bo *bos = calloc(count, sizeof(*bos));

	igt_assert(bos);
	igt_nv3_painter_init(&p[0], fd, DRM_NV3_CHANNEL_PIO, 1);
	igt_nv3_painter_init(&p[1], fd, DRM_NV3_CHANNEL_DMA, 2);
	for (i = 0; i < count; i++) {
		bos[i] = igt_nv3_bo_create(fd, 1 << 20, DRM_NV3_GEM_VRAM |
							DRM_NV3_GEM_SYSTEM);
		memset(bos[i].map, i, bos[i].size);
	}
	for (round = 0; round < 3; round++) {
		for (i = 0; i < count; i++) {
			struct igt_nv3_client *client = &p[i & 1].pio.client;

			igt_nv3_surface(fd, client->channel, SURFACE, 1,
					DRM_NV3_FORMAT_X1R5G5B5, &bos[i], 2048,
					1024, 512);
			if (!(i & 1))
				igt_nv3_store(&p[0].pio, 4, NV3_MTHD_OBJECT,
					      SURFACE);
			igt_nv3_painter_paint(&p[i & 1], 20);
			igt_assert_eq(__igt_nv3_object_destroy(fd,
							       client->channel,
							       SURFACE), 0);
			igt_assert_eq_u32(*(uint8_t *)bos[i].map, i & 0xff);
		}
	}
	for (i = 0; i < count; i++)
		igt_nv3_bo_destroy(&bos[i]);
	free(bos);
	igt_nv3_painter_fini(&p[0]);
	igt_nv3_painter_fini(&p[1]);
}

struct storer {
	struct igt_nv3_pio pio;
	atomic_bool submitted;
};

/*
 * The first store blocks until the late fence signals. The later stores wait until the main thread
 * has submitted the second batch.
 */
static void *store_after(void *data)
{
	struct storer *s = data;

	igt_nv3_poke(&s->pio, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, 0x1111);
	while (!atomic_load(&s->submitted))
		usleep(100);
	s->pio.room = 0;
	igt_nv3_pio_fill(&s->pio, 0, 0, 64, 64, 0x2222);
	return NULL;
}

/*
 * A store waits for a PIO timeslice, which waits for a late batch. While the store waits, the test
 * submits another batch, which draws to the same buffer. Later stores must draw over the picture of
 * this batch.
 */
static void test_store_first(int fd)
{
	struct storer s = { 0 };
	struct igt_nv3_client first, second;
	struct igt_nv3_late late;
	pthread_t thread;

	igt_nv3_pio_init(&s.pio, fd);
	igt_nv3_client_init(&first, fd);
	igt_nv3_client_init(&second, fd);
	igt_nv3_surface(fd, second.channel, SURFACE, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &s.pio.client.color,
			2 * IGT_NV3_CANVAS, IGT_NV3_CANVAS, IGT_NV3_CANVAS);
	igt_nv3_late_init(&late);
	igt_nv3_use(&first.batch, &s.pio.client.color, NV3_READ | NV3_WRITE);
	igt_nv3_fill(&first, 0, 0, 64, 64, 1);
	igt_nv3_late_submit(&late, &first.batch);
	igt_assert_eq(pthread_create(&thread, NULL, store_after, &s), 0);
	usleep(300000);

	igt_nv3_use(&second.batch, &s.pio.client.color, NV3_READ | NV3_WRITE);
	igt_nv3_select(&second.batch, IGT_NV3_SUB_COLOR, SURFACE);
	igt_nv3_fill(&second, 0, 0, 64, 64, 0x3333);
	igt_assert_eq(__igt_nv3_submit(&second.batch, 0), 0);
	atomic_store(&s.submitted, true);
	igt_nv3_late_end(&late);
	pthread_join(thread, NULL);
	igt_nv3_pio_run_ok(&s.pio);
	igt_nv3_bo_wait(&s.pio.client.color);
	igt_nv3_assert_rect(&s.pio.client, 0, 0, 64, 64, 0x2222, 0);
	igt_assert_eq(igt_nv3_fault(fd, second.channel, NULL), 0);
	igt_nv3_pio_fini(&s.pio);
	igt_nv3_client_fini(&first);
	igt_nv3_client_fini(&second);
}

/* ---- semaphores between PIO and DMA channels ---- */

static void semaphore(struct igt_nv3_client *client, struct igt_nv3_bo *bo,
		      uint32_t timeout_ms)
{
	struct drm_nv3_semaphore_args args = {
		.handle = bo->handle, .timeout_ms = timeout_ms,
	};

	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, SEM,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
}

static void batch_semaphore(struct igt_nv3_client *client, uint32_t mthd,
			    uint32_t number)
{
	igt_nv3_method(&client->batch, SUB_SEM, mthd, number);
	igt_assert_eq(__igt_nv3_submit(&client->batch, 0), 0);
}

/* Stores and batches draw alternately. Semaphores order them. */
static void test_semaphore(int fd)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	struct igt_nv3_client dma;
	struct igt_nv3_pio pio, other;
	uint32_t i;

	igt_nv3_client_init_lr(&dma, fd);
	igt_nv3_pio_init_lr(&pio, fd);
	igt_nv3_pio_init(&other, fd);
	semaphore(&dma, &bo, 10000);
	semaphore(&pio.client, &bo, 10000);
	igt_nv3_select(&dma.batch, SUB_SEM, SEM);
	igt_nv3_run_ok(&dma.batch);
	igt_nv3_store(&pio, SUB_SEM, NV3_MTHD_OBJECT, SEM);
	igt_nv3_pio_run_ok(&pio);

	for (i = 1; i < 40; i += 2) {
		igt_nv3_store(&pio, SUB_SEM, NV3_SEMAPHORE_ACQUIRE, i);
		igt_assert_eq(igt_nv3_pio_flush(&pio), 0);
		igt_nv3_pio_assert_busy(&pio);
		/* Other channels can run while this channel waits. */
		igt_nv3_pio_assert_draws(&other, i);
		batch_semaphore(&dma, NV3_SEMAPHORE_RELEASE, i);
		/* The following stores block until the channel resumes. */
		igt_nv3_pio_fill(&pio, i, 0, 1, 1, i);
		igt_nv3_store(&pio, SUB_SEM, NV3_SEMAPHORE_RELEASE, i + 1);
		igt_assert_eq(__igt_nv3_flush(fd, pio.client.channel, 0, 0), 0);

		batch_semaphore(&dma, NV3_SEMAPHORE_ACQUIRE, i + 1);
		igt_nv3_fill(&dma, 0, 0, 64, 64, i);
		igt_nv3_run_ok(&dma.batch);
		igt_nv3_pio_run_ok(&pio);
		igt_assert_eq(igt_nv3_pixel(&pio.client, i, 0), i);
	}
	igt_nv3_pio_fini(&other);
	igt_nv3_pio_fini(&pio);
	igt_nv3_client_fini(&dma);
	igt_nv3_bo_destroy(&bo);
}

/*
 * A PIO channel waits for a semaphore that no client releases in time. The channel faults, and
 * later stores to its USER aperture have no effect.
 */
static void test_semaphore_timeout(int fd)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	struct igt_nv3_client dma;
	struct igt_nv3_pio pio;
	uint32_t i;

	igt_nv3_client_init_lr(&dma, fd);
	igt_nv3_pio_init_lr(&pio, fd);
	semaphore(&dma, &bo, 0);
	semaphore(&pio.client, &bo, 50);
	igt_nv3_store(&pio, SUB_SEM, NV3_MTHD_OBJECT, SEM);
	igt_nv3_store(&pio, SUB_SEM, NV3_SEMAPHORE_ACQUIRE, 1);
	igt_nv3_pio_run(&pio);
	igt_assert_eq_u32(igt_nv3_fault(fd, pio.client.channel, NULL),
			  DRM_NV3_FAULT_TIMEOUT);
	for (i = 0; i < 100; i++)
		igt_nv3_pio_fill(&pio, 0, 0, 64, 64, i);
	igt_assert_eq(__igt_nv3_flush(fd, pio.client.channel, 0, 0), -EIO);
	igt_nv3_assert_draws(&dma, 1);
	igt_nv3_pio_fini(&pio);
	igt_nv3_client_fini(&dma);
	igt_nv3_bo_destroy(&bo);
}

/*
 * The buffers of the PIO channel do not fit into VRAM, so the channel faults before it releases the
 * semaphore. The batch that waits for the semaphore must fault as well.
 */
static void test_semaphore_refused(int fd)
{
	uint64_t size = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE) / 2 + 4096;
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	struct igt_nv3_bo large[2];
	struct igt_nv3_client dma;
	struct igt_nv3_pio pio;
	struct timespec now;
	uint32_t done, i;

	igt_nv3_client_init_lr(&dma, fd);
	igt_nv3_pio_init_lr(&pio, fd);
	semaphore(&dma, &bo, 10000);
	semaphore(&pio.client, &bo, 0);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &done), 0);
	for (i = 0; i < ARRAY_SIZE(large); i++) {
		large[i] = igt_nv3_bo_create(fd, size, DRM_NV3_GEM_VRAM);
		igt_nv3_dma(fd, pio.client.channel, LARGE + i, &large[i], 0);
	}
	/*
	 * The batch lists no buffer. If the batch listed a buffer, the PIO channel would wait for
	 * room in VRAM until the batch has ended.
	 */
	igt_nv3_select(&dma.batch, SUB_SEM, SEM);
	igt_nv3_method(&dma.batch, SUB_SEM, NV3_SEMAPHORE_ACQUIRE, 1);
	igt_assert_eq(__igt_nv3_submit(&dma.batch, done), 0);
	igt_nv3_poke(&pio, SUB_SEM, NV3_MTHD_OBJECT, SEM);
	igt_assert_eq_u32(igt_nv3_fault(fd, pio.client.channel, NULL),
			  DRM_NV3_FAULT_PAGE);
	clock_gettime(CLOCK_MONOTONIC, &now);
	igt_assert_eq(drmSyncobjWait(fd, &done, 1, now.tv_sec * SECOND_NS +
				     now.tv_nsec + SECOND_NS,
				     DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
				     NULL), 0);
	igt_assert_eq_u32(igt_nv3_fault(fd, dma.channel, NULL),
			  DRM_NV3_FAULT_TIMEOUT);
	drmSyncobjDestroy(fd, done);
	igt_nv3_pio_fini(&pio);
	igt_nv3_client_fini(&dma);
	for (i = 0; i < ARRAY_SIZE(large); i++)
		igt_nv3_bo_destroy(&large[i]);
	igt_nv3_bo_destroy(&bo);
}

int igt_main()
{
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_require_pio(fd);
	}

	igt_describe("A DMA and a PIO channel draw on one buffer in order, with flushes.");
	igt_subtest("one-buffer")
		test_one_buffer(fd, true);

	igt_describe("A DMA and a PIO channel draw on one buffer, without flushes.");
	igt_subtest("one-buffer-no-flush")
		test_one_buffer(fd, false);

	igt_describe("Stores after SUBMIT draw over the batch, also in an earlier PIO timeslice.");
	igt_subtest("store-first")
		test_store_first(fd);

	igt_describe("Eight channels of one file draw at once.");
	igt_subtest("one-file")
		test_one_file(fd);

	igt_describe("Eight processes draw at once, each correctly.");
	igt_subtest("processes")
		test_processes(fd, 8, 40);

	igt_describe("DMA and PIO channels draw while others fault.");
	igt_subtest("faults")
		test_faults(fd);

	igt_describe("DMA and PIO channels draw while buffers are evicted.");
	igt_subtest("eviction")
		test_eviction(fd);

	igt_describe("Stores wait for batches, and batches for stores.");
	igt_subtest("semaphore")
		test_semaphore(fd);

	igt_describe("A PIO channel's semaphore wait times out.");
	igt_subtest("semaphore-timeout")
		test_semaphore_timeout(fd);

	igt_describe("A batch waits for a PIO channel whose buffers do not fit.");
	igt_subtest("semaphore-refused")
		test_semaphore_refused(fd);

	igt_fixture()
		drm_close_driver(fd);
}
