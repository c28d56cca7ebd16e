/* SPDX-License-Identifier: MIT */
#include <time.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("Endless work: it ends after its budget, and other clients go on.");

#define OBJECT		0x1000
#define OBJECT_BIG	0x1001
#define DMA		0x2000
#define SEM		0x3000
#define SUB		IGT_NV3_SUB_FREE
#define BUDGET_MS	60
#define SIDE		1024

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* A client with a surface of a megapixel, and a limited budget for its batches */
struct hog {
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;
};

static void hog_init(struct hog *h, int fd, uint32_t budget_ms)
{
	struct igt_nv3_client *c = &h->client;

	igt_nv3_client_init_budget(c, fd, budget_ms);
	h->bo = igt_nv3_bo_create(fd, 2 * SIDE * SIDE, DRM_NV3_GEM_VRAM);
	igt_nv3_surface(fd, c->channel, OBJECT_BIG, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &h->bo, 2 * SIDE, SIDE, SIDE);
	igt_nv3_select(&c->batch, IGT_NV3_SUB_COLOR, OBJECT_BIG);
}

static void hog_fini(struct hog *h)
{
	igt_nv3_client_fini(&h->client);
	igt_nv3_bo_destroy(&h->bo);
}

static void push_long(struct hog *h)
{
	igt_nv3_push_long(&h->client, &h->bo);
}

/*
 * Adds a copy of two gigabytes, and a copy of one gigabyte. Each copy is a single method, and no
 * public documentation describes how to stop a method.
 */
static void push_stuck(struct hog *h)
{
	struct drm_nv3_graph_args args = {
		.operation = NV3_OP_COPY, .dma = { DMA, DMA },
	};
	struct igt_nv3_batch *batch = &h->client.batch;
	int fd = h->client.fd;

	igt_nv3_dma(fd, h->client.channel, DMA, &h->bo,
		    DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(fd, h->client.channel, OBJECT,
				       NV3_CLASS_M2MF, &args, sizeof(args)), 0);
	igt_nv3_use(batch, &h->bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, SUB, OBJECT);
	igt_nv3_begin(batch, SUB, NV3_M2MF_OFFSET_IN, 8);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, SIDE * SIDE);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, SIDE * SIDE);
	igt_nv3_word(batch, 2047);
	igt_nv3_word(batch, 1 << 8 | 1);
	igt_nv3_word(batch, 0);
	/* This copy leaves a gap after each byte, so it takes seconds on any host. */
	igt_nv3_begin(batch, SUB, NV3_M2MF_OFFSET_IN, 8);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, 1);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, SIDE * SIDE / 2);
	igt_nv3_word(batch, 2047);
	igt_nv3_word(batch, 2 << 8 | 2);
	igt_nv3_word(batch, 0);
}

/*
 * Draws and checks pictures with the client @other until the channel of @h has faulted. Prints the
 * longest time that a picture has taken.
 */
static void watch(struct hog *h, struct igt_nv3_client *other, uint64_t since)
{
	uint64_t start, longest = 0, count = 0;
	struct drm_nv3_channel_query query;

	do {
		start = now_ns();
		igt_nv3_assert_draws(other, count++);
		if (now_ns() - start > longest)
			longest = now_ns() - start;
	} while (__igt_nv3_gem_wait(h->client.fd, h->bo.handle,
				    DRM_NV3_GEM_WAIT_WRITE, 0));
	igt_info("fault after %.1f ms; %llu pictures meanwhile, the slowest took %.1f ms\n",
		 (now_ns() - since) / 1e6, (unsigned long long)count,
		 longest / 1e6);
	igt_assert_eq(igt_nv3_fault(h->client.fd, h->client.channel, &query),
		      DRM_NV3_FAULT_TIMEOUT);
	h->client.batch.count = 0;
	h->client.batch.buffer_count = 0;
	igt_nv3_assert_draws(other, 1);
}

static void test_endless(int fd, void (*push)(struct hog *h))
{
	struct igt_nv3_client other;
	uint64_t start;
	struct hog h;

	hog_init(&h, fd, BUDGET_MS);
	igt_nv3_client_init(&other, drm_reopen_driver(fd));
	push(&h);
	start = now_ns();
	igt_assert_eq(__igt_nv3_submit(&h.client.batch, 0), 0);
	watch(&h, &other, start);
	hog_fini(&h);
	igt_nv3_client_fini(&other);
	close(other.fd);
}

/* A batch draws correctly although the driver preempts it repeatedly. */
static void test_timeslices(int fd)
{
	uint64_t switches = igt_nv3_param(fd, DRM_NV3_PARAM_SWITCHES);
	struct igt_nv3_client other;
	struct hog h;
	uint32_t i, y;

	hog_init(&h, fd, 0);
	igt_nv3_client_init(&other, fd);
	igt_nv3_use(&h.client.batch, &h.bo, NV3_READ | NV3_WRITE);
	/*
	 * The rectangles overlap and have different colours. The last rectangle that covers a pixel
	 * determines the pixel's colour.
	 */
	for (i = 0; i < 2000; i++) {
		igt_nv3_method(&h.client.batch, IGT_NV3_SUB_RECT,
			       NV3_RECT_COLOR, i & 0x7fff);
		igt_nv3_begin(&h.client.batch, IGT_NV3_SUB_RECT,
			      NV3_RECT_POINT(0), 2);
		igt_nv3_word(&h.client.batch, i % 512);
		igt_nv3_word(&h.client.batch, SIDE << 16 | 512);
	}
	igt_assert_eq(__igt_nv3_submit(&h.client.batch, 0), 0);
	i = 0;
	do
		igt_nv3_assert_draws(&other, i++);
	while (__igt_nv3_gem_wait(fd, h.bo.handle,
				  DRM_NV3_GEM_WAIT_WRITE, 0));
	igt_info("%u pictures, %llu switches\n", i,
		 (unsigned long long)(igt_nv3_param(fd,
						    DRM_NV3_PARAM_SWITCHES) -
				      switches));
	igt_assert_eq(igt_nv3_fault(fd, h.client.channel, NULL), 0);
	for (y = 0; y < SIDE; y += 31) {
		uint16_t *line = (uint16_t *)h.bo.map + y * SIDE;

		/* Rectangle i starts at column i % 512 and is 512 pixels wide. */
		for (i = 0; i < 975; i++) {
			uint32_t last = i <= 463 ? 1536 + i : 1999;

			igt_assert_eq(line[i] & 0x7fff, last & 0x7fff);
		}
	}
	igt_nv3_client_fini(&other);
	hog_fini(&h);
}

/* The driver resets the chip while a channel is preempted in the middle of a primitive. */
static void test_preempted(int fd)
{
	struct drm_nv3_semaphore_args args = { .timeout_ms = 10000 };
	struct igt_nv3_client preempted, other;
	struct igt_nv3_bo bo;
	uint64_t start;
	struct hog h;

	hog_init(&h, fd, BUDGET_MS);
	igt_nv3_client_init_lr(&preempted, drm_reopen_driver(fd));
	igt_nv3_client_init_lr(&other, preempted.fd);
	bo = igt_nv3_bo_create(preempted.fd, 4096, DRM_NV3_GEM_SYSTEM);
	args.handle = bo.handle;
	igt_assert_eq(__igt_nv3_object(preempted.fd, preempted.channel, SEM,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
	igt_assert_eq(__igt_nv3_object(other.fd, other.channel, SEM,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
	igt_nv3_use(&preempted.batch, &preempted.color, NV3_READ | NV3_WRITE);
	igt_nv3_method(&preempted.batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, 0x2345);
	igt_nv3_begin(&preempted.batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 1);
	igt_nv3_word(&preempted.batch, 5 << 16 | 7);
	igt_nv3_select(&preempted.batch, SUB, SEM);
	igt_nv3_method(&preempted.batch, SUB, NV3_SEMAPHORE_ACQUIRE, 1);
	igt_nv3_begin(&preempted.batch, IGT_NV3_SUB_RECT, NV3_RECT_SIZE(0), 1);
	igt_nv3_word(&preempted.batch, 11 << 16 | 13);
	igt_assert_eq(__igt_nv3_submit(&preempted.batch, 0), 0);
	igt_nv3_assert_draws(&other, 3);

	push_stuck(&h);
	start = now_ns();
	igt_assert_eq(__igt_nv3_submit(&h.client.batch, 0), 0);
	watch(&h, &other, start);

	igt_nv3_select(&other.batch, SUB, SEM);
	igt_nv3_method(&other.batch, SUB, NV3_SEMAPHORE_RELEASE, 1);
	igt_nv3_run_ok(&other.batch);
	igt_nv3_batch_wait(&preempted.batch);
	igt_assert_eq(igt_nv3_fault(preempted.fd, preempted.channel, NULL), 0);
	igt_nv3_assert_rect(&preempted, 7, 5, 13, 11, 0x2345, 0);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_client_fini(&other);
	igt_nv3_client_fini(&preempted);
	close(preempted.fd);
	hog_fini(&h);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("A batch that makes progress but exceeds its budget ends with a fault.");
	igt_subtest("long")
		test_endless(fd, push_long);

	igt_describe("A method that takes minutes ends with a reset of the chip.");
	igt_subtest("stuck")
		test_endless(fd, push_stuck);

	igt_describe("A channel that is preempted within a rectangle survives a reset.");
	igt_subtest("preempted")
		test_preempted(fd);

	igt_describe("A long batch and short batches share the chip, and all draw correctly.");
	igt_subtest("timeslices")
		test_timeslices(fd);

	igt_fixture()
		drm_close_driver(fd);
}
