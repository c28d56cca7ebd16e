/* SPDX-License-Identifier: MIT */
/*
 * Tests methods of a PIO channel that overflow CACHE1. The driver replays these methods in order.
 * If RAMRO or the driver's backlog overflows, the channel faults. The tests stop the puller with a
 * trap that the frozen resource manager does not handle, so the results do not depend on the host's
 * speed.
 */
#include <sys/mman.h>

#include "igt.h"
#include "igt_nv3_chaos.h"
#include "igt_nv3_freeze.h"
#include "igt_nv3_painter.h"

IGT_TEST_DESCRIPTION("Methods that overflow CACHE1: all are replayed, or the channel faults.");

#define SEM		0x3000
#define SUB		IGT_NV3_SUB_FREE
/* Size of the driver's backlog of overflowed methods: NV3_BACKLOG_SIZE */
#define BACKLOG		4096
/*
 * The test stores this number of methods at a time, and waits after each time until the driver has
 * counted these methods as overflowed.
 */
#define PACE		500
#define METHODS		3	/* per rectangle */

/* ---- a picture that reveals lost, repeated and reordered methods ---- */

/*
 * Stores method @i of a row of rectangles. Each rectangle has two pixels, and its second pixel is
 * covered by the next rectangle.
 */
static void poke(struct igt_nv3_pio *pio, uint32_t i)
{
	uint32_t n = i / METHODS;
	uint32_t x = n % IGT_NV3_CANVAS, y = n / IGT_NV3_CANVAS;

	switch (i % METHODS) {
	case 0:
		igt_nv3_poke(pio, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, n + 1);
		break;
	case 1:
		igt_nv3_poke(pio, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0),
			     y << 16 | x);
		break;
	default:
		igt_nv3_poke(pio, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0) + 4,
			     1 << 16 | 2);
		break;
	}
}

/* Asserts that the chip has executed exactly the first @count methods that poke() has stored. */
static void assert_drawn(struct igt_nv3_pio *pio, uint32_t count)
{
	uint32_t whole = count / METHODS, i;

	igt_nv3_pio_wait(pio);
	for (i = 0; i < IGT_NV3_CANVAS * IGT_NV3_CANVAS; i++) {
		uint32_t x = i % IGT_NV3_CANVAS;
		uint16_t want = i < whole ? i + 1 :
				i == whole && whole && x ? whole : 0;

		igt_assert_eq_u32(igt_nv3_pixel(&pio->client, x,
						i / IGT_NV3_CANVAS), want);
	}
}

static uint64_t runouts(int fd)
{
	return igt_nv3_param(fd, DRM_NV3_PARAM_RUNOUTS);
}

/* ---- other clients ---- */

struct others {
	volatile uint32_t *shared;
	int log;
};

#define OTHERS_STOP	0
#define OTHERS_READY	1
#define OTHERS		2

/* Starts two clients that draw and check pictures until others_stop() is called. */
static void others_start(struct others *o, int fd)
{
	o->log = igt_nv3_log_open();
	o->shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	igt_assert(o->shared != MAP_FAILED);
	igt_fork(child, OTHERS) {
		int own = drm_reopen_driver(fd);
		struct igt_nv3_painter p;

		igt_nv3_painter_init(&p, own, child ? DRM_NV3_CHANNEL_PIO :
						      DRM_NV3_CHANNEL_DMA, child);
		__atomic_add_fetch(&o->shared[OTHERS_READY], 1,
				   __ATOMIC_ACQ_REL);
		do
			igt_nv3_painter_paint(&p, 40);
		while (!o->shared[OTHERS_STOP]);
		igt_nv3_painter_fini(&p);
		close(own);
	}
	while (o->shared[OTHERS_READY] != OTHERS)
		usleep(1000);
}

static void others_stop(struct others *o)
{
	o->shared[OTHERS_STOP] = 1;
	igt_waitchildren();
	munmap((void *)o->shared, 4096);
	igt_nv3_log_assert_clean(o->log);
}

/* ---- RAMRO ---- */

/* Stores @extra more methods than fit into CACHE1, while the resource manager is frozen. */
static uint32_t overflow(int fd, struct igt_nv3_pio *pio, uint32_t extra)
{
	int freeze = igt_nv3_freeze_open(fd);
	uint32_t count = igt_nv3_freeze_puller(freeze, pio) + extra, i;

	for (i = 0; i < count; i++)
		poke(pio, i);
	igt_assert_eq_u32(pio->aperture[IGT_NV3_FREE / 4], 0);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	close(freeze);
	return count;
}

static void test_ramro(int fd)
{
	static const uint32_t extras[] = { 0, 1, 2, 100, IGT_NV3_RAMRO };
	struct igt_nv3_pio pio;
	struct others others;
	uint64_t before;
	uint32_t i, count;

	others_start(&others, fd);
	for (i = 0; i < ARRAY_SIZE(extras); i++) {
		igt_nv3_pio_init(&pio, fd);
		before = runouts(fd);
		count = overflow(fd, &pio, extras[i]);
		igt_nv3_pio_run_ok(&pio);
		igt_assert_eq_u64(runouts(fd) - before, extras[i]);
		assert_drawn(&pio, count);
		igt_nv3_pio_assert_draws(&pio, i);
		igt_nv3_pio_fini(&pio);
	}
	others_stop(&others);
}

/* Asserts that the channel has faulted, and that flushes fail. Destroys the channel. */
static void assert_runout(struct igt_nv3_pio *pio)
{
	struct drm_nv3_channel_query query;

	igt_nv3_pio_run(pio);
	igt_nv3_fault(pio->client.fd, pio->client.channel, &query);
	igt_assert_eq_u32(query.fault, DRM_NV3_FAULT_RUNOUT);
	igt_assert_eq(__igt_nv3_flush(pio->client.fd, pio->client.channel, 0,
				      0), -EIO);
	/* Stores have no effect. */
	poke(pio, 0);
	igt_nv3_bo_wait(&pio->client.color);
	igt_nv3_pio_fini(pio);
}

static void test_overflow(int fd)
{
	static const uint32_t extras[] = {
		IGT_NV3_RAMRO + 1, IGT_NV3_RAMRO + 2, 2 * IGT_NV3_RAMRO, 20000
	};
	struct igt_nv3_pio pio;
	struct others others;
	uint32_t i;

	others_start(&others, fd);
	for (i = 0; i < ARRAY_SIZE(extras); i++) {
		igt_nv3_pio_init(&pio, fd);
		overflow(fd, &pio, extras[i]);
		assert_runout(&pio);
	}
	others_stop(&others);
}

/*
 * The client flushes before the driver has handled the overflow. If the driver detects the fault
 * only after the flush, the flush succeeds.
 */
static void test_overflow_flush(int fd)
{
	struct igt_nv3_pio pio;
	struct others others;
	uint32_t i, count;
	int freeze;

	others_start(&others, fd);
	igt_nv3_pio_init(&pio, fd);
	freeze = igt_nv3_freeze_open(fd);
	count = igt_nv3_freeze_puller(freeze, &pio) + IGT_NV3_RAMRO + 1;
	for (i = 0; i < count; i++)
		poke(&pio, i);
	__igt_nv3_flush(fd, pio.client.channel, 0, 0);
	close(freeze);
	assert_runout(&pio);
	others_stop(&others);
}

/* ---- the driver's backlog ---- */

/* A channel that waits for a semaphore, and a client that can release it */
struct waiter {
	struct igt_nv3_pio pio;
	struct igt_nv3_client releaser;
	struct igt_nv3_bo bo;
};

static void semaphore(const struct igt_nv3_client *client,
		      const struct igt_nv3_bo *bo)
{
	/* the maximum */
	struct drm_nv3_semaphore_args args = {
		.handle = bo->handle, .timeout_ms = 10000,
	};

	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, SEM,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
}

static void waiter_init(struct waiter *w, int fd)
{
	igt_nv3_pio_init_lr(&w->pio, fd);
	igt_nv3_client_init_lr(&w->releaser, fd);
	w->bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	semaphore(&w->pio.client, &w->bo);
	semaphore(&w->releaser, &w->bo);
	igt_nv3_store(&w->pio, SUB, NV3_MTHD_OBJECT, SEM);
	igt_nv3_pio_run_ok(&w->pio);
}

static void waiter_release(struct waiter *w)
{
	igt_nv3_select(&w->releaser.batch, SUB, SEM);
	igt_nv3_method(&w->releaser.batch, SUB, NV3_SEMAPHORE_RELEASE, 1);
	igt_nv3_run_ok(&w->releaser.batch);
}

static void waiter_fini(struct waiter *w)
{
	igt_nv3_client_fini(&w->releaser);
	igt_nv3_bo_destroy(&w->bo);
}

/*
 * Waits until the driver's count of overflowed methods has reached @count, or the channel has
 * faulted.
 */
static void wait_collected(const struct igt_nv3_pio *pio, uint64_t count)
{
	int fd = pio->client.fd;

	while (runouts(fd) < count &&
	       !igt_nv3_fault(fd, pio->client.channel, NULL))
		usleep(100);
}

/*
 * Stores @extra more methods than fit into CACHE1 while the channel waits. The aperture stays
 * mapped. The function pauses so that RAMRO does not overflow.
 */
static uint32_t overflow_slowly(int fd, struct waiter *w, uint32_t extra)
{
	uint64_t before = runouts(fd);
	int freeze = igt_nv3_freeze_open(fd);
	uint32_t room, i;

	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_TIMESLICES);
	room = w->pio.aperture[IGT_NV3_FREE / 4] / 4 - 1;
	igt_nv3_poke(&w->pio, SUB, NV3_SEMAPHORE_ACQUIRE, 1);
	for (i = 0; i < room + extra; i++) {
		poke(&w->pio, i);
		if (i > room && i % PACE == 0)
			wait_collected(&w->pio, before + i + 1 - room);
	}
	wait_collected(&w->pio, before + extra);
	close(freeze);
	return room + extra;
}

static void test_backlog(int fd)
{
	static const uint32_t extras[] = { 1, IGT_NV3_RAMRO + 1, BACKLOG };
	struct others others;
	struct waiter w;
	uint32_t i, count;

	others_start(&others, fd);
	for (i = 0; i < ARRAY_SIZE(extras); i++) {
		waiter_init(&w, fd);
		count = overflow_slowly(fd, &w, extras[i]);
		waiter_release(&w);
		igt_nv3_pio_run_ok(&w.pio);
		assert_drawn(&w.pio, count);
		igt_nv3_pio_assert_draws(&w.pio, i);
		igt_nv3_pio_fini(&w.pio);
		waiter_fini(&w);
	}
	others_stop(&others);
}

static void test_backlog_full(int fd)
{
	struct others others;
	struct waiter w;

	others_start(&others, fd);
	waiter_init(&w, fd);
	overflow_slowly(fd, &w, BACKLOG + 1);
	assert_runout(&w.pio);
	/* The waiting channel has faulted, so this RELEASE resumes no channel. */
	waiter_release(&w);
	waiter_fini(&w);
	others_stop(&others);
}

/* ---- the freeze itself ---- */

static void test_freeze(int fd)
{
	struct igt_nv3_pio pio;
	struct igt_nv3_client dma;
	int freeze = igt_nv3_freeze_open(fd);

	errno = 0;
	igt_assert(write(freeze, "everything", 10) < 0 && errno == EINVAL);
	igt_assert(write(freeze, "something much longer", 21) < 0 &&
		   errno == EINVAL);
	/* During this freeze, a flush still ends the PIO timeslice, so other channels can run. */
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_TIMESLICES);
	igt_nv3_pio_init(&pio, fd);
	igt_nv3_client_init(&dma, fd);
	igt_nv3_pio_assert_draws(&pio, 1);
	igt_nv3_assert_draws(&dma, 2);
	igt_nv3_pio_assert_draws(&pio, 3);

	/* The chip completes a batch, but the frozen driver does not retire it. */
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
	igt_nv3_fill(&dma, 0, 0, 1, 1, 1);
	igt_assert_eq(__igt_nv3_submit(&dma.batch, 0), 0);
	igt_assert_eq(__igt_nv3_gem_wait(fd, dma.color.handle, 0, 50000000),
		      -ETIME);
	close(freeze);
	igt_nv3_bo_wait(&dma.color);
	igt_assert_eq(igt_nv3_fault(fd, dma.channel, NULL), DRM_NV3_FAULT_NONE);
	igt_nv3_assert_draws(&dma, 4);
	igt_nv3_client_fini(&dma);
	igt_nv3_pio_fini(&pio);
}

int igt_main()
{
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_require_pio(fd);
	}

	igt_describe("The driver goes on after a freeze.");
	igt_subtest("freeze")
		test_freeze(fd);

	igt_describe("Methods that fill RAMRO are replayed, once and in order.");
	igt_subtest("ramro")
		test_ramro(fd);

	igt_describe("An overflow of RAMRO is the fault RUNOUT of one channel.");
	igt_subtest("ramro-overflow")
		test_overflow(fd);

	igt_describe("An overflow of RAMRO before a flush.");
	igt_subtest("ramro-overflow-flush")
		test_overflow_flush(fd);

	igt_describe("Methods that fill the driver's backlog are replayed after a wait.");
	igt_subtest("backlog")
		test_backlog(fd);

	igt_describe("An overflow of the driver's backlog is the fault RUNOUT.");
	igt_subtest("backlog-overflow")
		test_backlog_full(fd);

	igt_fixture()
		drm_close_driver(fd);
}
