/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("Semaphores: channels that wait for each other within batches.");

#define SEM		0x3000
#define SUB		IGT_NV3_SUB_FREE
/* Maximum number of a channel's semaphores */
#define LIMIT		64
/* Number of channels in a chain. Each channel waits for the previous one. */
#define CHAIN		100
/* Flags of the shared picture's buffer in batches that are synchronized only by semaphores */
#define EXPLICIT	(NV3_READ | NV3_WRITE | DRM_NV3_BUFFER_EXPLICIT)

static int semaphore_try(struct igt_nv3_client *client, uint32_t name,
			 uint32_t handle, uint32_t timeout_ms)
{
	struct drm_nv3_semaphore_args args = {
		.handle = handle, .timeout_ms = timeout_ms,
	};

	return __igt_nv3_object(client->fd, client->channel, name,
				DRM_NV3_CLASS_SEMAPHORE, &args, sizeof(args));
}

static void semaphore(struct igt_nv3_client *client, uint32_t handle,
		      uint32_t timeout_ms)
{
	igt_assert_eq(semaphore_try(client, SEM, handle, timeout_ms), 0);
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

/* Imports @bo into the file @other, and returns the new handle. */
static uint32_t shared_handle(const struct igt_nv3_bo *bo, int other)
{
	uint32_t handle;
	int dmabuf;

	igt_assert_eq(drmPrimeHandleToFD(bo->fd, bo->handle,
					 DRM_CLOEXEC | DRM_RDWR, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(other, dmabuf, &handle), 0);
	close(dmabuf);
	return handle;
}

/* Two clients with separate files, and a semaphore that both can use */
struct pair {
	struct igt_nv3_client a, b;
	struct igt_nv3_bo bo;
	uint32_t b_handle;
};

static void pair_init(struct pair *p, int fd, uint32_t timeout_ms)
{
	int other = drm_reopen_driver(fd);

	igt_nv3_client_init_lr(&p->a, fd);
	igt_nv3_client_init_lr(&p->b, other);
	p->bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	p->b_handle = shared_handle(&p->bo, other);
	semaphore(&p->a, p->bo.handle, timeout_ms);
	semaphore(&p->b, p->b_handle, timeout_ms);
}

static void pair_fini(struct pair *p)
{
	igt_nv3_client_fini(&p->a);
	igt_nv3_client_fini(&p->b);
	igt_nv3_bo_destroy(&p->bo);
	close(p->b.fd);
}

static void assert_no_fault(struct igt_nv3_client *client)
{
	igt_assert_eq(igt_nv3_fault(client->fd, client->channel, NULL),
		      DRM_NV3_FAULT_NONE);
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static void test_bad(int fd)
{
	struct igt_nv3_client client;
	struct drm_nv3_semaphore_args args = { .pad = 1 };
	struct igt_nv3_bo bo;

	igt_nv3_client_init(&client, fd);
	bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	/* Only long-running channels can acquire semaphores. */
	igt_assert_eq(semaphore_try(&client, SEM, bo.handle, 0), -EINVAL);
	igt_nv3_client_fini(&client);
	igt_nv3_client_init_lr(&client, fd);
	igt_assert_eq(semaphore_try(&client, SEM, 0, 0), -ENOENT);
	igt_assert_eq(semaphore_try(&client, SEM, 0xdead, 0), -ENOENT);
	igt_assert_eq(semaphore_try(&client, SEM, bo.handle, 10001), -EINVAL);
	args.handle = bo.handle;
	igt_assert_eq(__igt_nv3_object(fd, client.channel, SEM,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), -EINVAL);
	semaphore(&client, bo.handle, 10000);
	igt_nv3_select(&client.batch, SUB, SEM);
	igt_nv3_method(&client.batch, SUB, 0x308, 0);
	igt_nv3_run(&client.batch);
	igt_assert_eq(igt_nv3_fault(fd, client.channel, NULL),
		      DRM_NV3_FAULT_METHOD);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&bo);
}

/*
 * Two channels draw to one picture, and only a semaphore orders their batches. Client b submits its
 * batch first, and half of this batch runs before the batch waits. Nevertheless, b must draw over
 * the picture of a.
 */
static void test_order(int fd)
{
	struct drm_nv3_surface_args args = {
		.slot = 0, .format = DRM_NV3_FORMAT_X1R5G5B5,
		.pitch = 2 * IGT_NV3_CANVAS, .width = IGT_NV3_CANVAS,
		.height = IGT_NV3_CANVAS,
	};
	struct igt_nv3_bo shared = { 0 };
	struct pair p;
	uint32_t i;

	pair_init(&p, fd, 10000);
	shared.fd = p.b.fd;
	shared.handle = shared_handle(&p.a.color, p.b.fd);
	args.handle = shared.handle;
	igt_assert_eq(__igt_nv3_object(p.b.fd, p.b.channel, 0x1000,
				       NV3_CLASS_SURFACE, &args, sizeof(args)),
		      0);
	for (i = 1; i <= 30; i++) {
		igt_nv3_use(&p.b.batch, &shared, EXPLICIT);
		igt_nv3_fill(&p.b, 0, 0, 64, 64, i);
		igt_nv3_select(&p.b.batch, IGT_NV3_SUB_COLOR, 0x1000);
		acquire(&p.b, i);
		igt_nv3_fill(&p.b, 8, 8, 16, 16, 0x7000 + i);
		igt_nv3_select(&p.b.batch, IGT_NV3_SUB_COLOR, IGT_NV3_COLOR);
		igt_assert_eq(__igt_nv3_submit(&p.b.batch, 0), 0);
		/* The batch has not completed, because it waits for the semaphore. */
		igt_nv3_batch_assert_busy(&p.b.batch);

		igt_nv3_use(&p.a.batch, &p.a.color, EXPLICIT);
		igt_nv3_fill(&p.a, 0, 0, 64, 64, 0x100 + i);
		release(&p.a, i);
		igt_assert_eq(__igt_nv3_submit(&p.a.batch, 0), 0);
		igt_nv3_batch_wait(&p.b.batch);
		igt_nv3_assert_rect(&p.a, 8, 8, 16, 16, 0x7000 + i, 0x100 + i);
		igt_nv3_assert_rect(&p.b, 0, 0, 64, 64, i, 0);
		assert_no_fault(&p.a);
		assert_no_fault(&p.b);
	}
	drmCloseBufferHandle(p.b.fd, shared.handle);
	pair_fini(&p);
}

/*
 * Two batches draw in turn: each batch repeatedly waits for a value of the semaphore, draws, and
 * releases the next value.
 */
static void test_ping_pong(int fd)
{
	const uint32_t rounds = 200;
	struct pair p;
	uint32_t i;

	pair_init(&p, fd, 10000);
	for (i = 0; i < rounds; i++) {
		acquire(&p.a, 2 * i);
		igt_nv3_fill(&p.a, i % 64, i / 64, 1, 1, i + 1);
		release(&p.a, 2 * i + 1);
		acquire(&p.b, 2 * i + 1);
		igt_nv3_fill(&p.b, i % 64, i / 64, 1, 1, i + 1);
		release(&p.b, 2 * i + 2);
	}
	igt_assert_eq(__igt_nv3_submit(&p.b.batch, 0), 0);
	igt_nv3_batch_assert_busy(&p.b.batch);
	igt_assert_eq(__igt_nv3_submit(&p.a.batch, 0), 0);
	igt_nv3_batch_wait(&p.a.batch);
	igt_nv3_batch_wait(&p.b.batch);
	assert_no_fault(&p.a);
	assert_no_fault(&p.b);
	for (i = 0; i < rounds; i++) {
		igt_assert_eq(igt_nv3_pixel(&p.a, i % 64, i / 64), i + 1);
		igt_assert_eq(igt_nv3_pixel(&p.b, i % 64, i / 64), i + 1);
	}
	pair_fini(&p);
}

/*
 * Twenty channels wait for one semaphore. The value of the semaphore already exceeds the argument
 * of their first ACQUIRE. It reaches the argument of their second ACQUIRE only after it has wrapped
 * around.
 */
static void test_many(int fd)
{
	struct igt_nv3_client clients[20], releaser;
	struct igt_nv3_bo bo;
	uint32_t i;

	igt_nv3_client_init_lr(&releaser, fd);
	bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	semaphore(&releaser, bo.handle, 0);
	release(&releaser, 0x7fffffff);
	release(&releaser, 0xfffffff0);
	igt_nv3_run_ok(&releaser.batch);
	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		igt_nv3_client_init_lr(&clients[i], fd);
		semaphore(&clients[i], bo.handle, 10000);
		acquire(&clients[i], 0xffffffe0);
		acquire(&clients[i], i % 2 ? 5 : 0xffffffff);
		igt_nv3_fill(&clients[i], 0, 0, 64, 64, i + 1);
		igt_assert_eq(__igt_nv3_submit(&clients[i].batch, 0), 0);
	}
	for (i = 0; i < ARRAY_SIZE(clients); i++)
		igt_nv3_batch_assert_busy(&clients[i].batch);
	release(&releaser, 0);
	igt_nv3_run_ok(&releaser.batch);
	for (i = 0; i < ARRAY_SIZE(clients); i += 2)
		igt_nv3_batch_wait(&clients[i].batch);
	for (i = 1; i < ARRAY_SIZE(clients); i += 2)
		igt_nv3_batch_assert_busy(&clients[i].batch);
	/* A RELEASE has no effect if its argument is below the current value. */
	release(&releaser, 5);
	release(&releaser, 4);
	igt_nv3_run_ok(&releaser.batch);
	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		igt_nv3_batch_wait(&clients[i].batch);
		assert_no_fault(&clients[i]);
		igt_nv3_assert_rect(&clients[i], 0, 0, 64, 64, i + 1, 0);
		igt_nv3_client_fini(&clients[i]);
	}
	igt_nv3_client_fini(&releaser);
	igt_nv3_bo_destroy(&bo);
}

/*
 * While a channel waits, other channels draw. When the waiting channel resumes, the driver must
 * restore the channel's state.
 */
static void test_others(int fd)
{
	struct igt_nv3_client other;
	struct pair p;
	uint32_t i;

	pair_init(&p, fd, 10000);
	igt_nv3_client_init_lr(&other, fd);
	/* The colour is set before the wait and used after it. */
	igt_nv3_use(&p.a.batch, &p.a.color, NV3_READ | NV3_WRITE);
	igt_nv3_method(&p.a.batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, 0x2345);
	igt_nv3_begin(&p.a.batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 1);
	igt_nv3_word(&p.a.batch, 5 << 16 | 7);
	acquire(&p.a, 1);
	igt_nv3_begin(&p.a.batch, IGT_NV3_SUB_RECT, NV3_RECT_SIZE(0), 1);
	igt_nv3_word(&p.a.batch, 11 << 16 | 13);
	igt_assert_eq(__igt_nv3_submit(&p.a.batch, 0), 0);
	for (i = 0; i < 50; i++)
		igt_nv3_assert_draws(&other, i);
	igt_nv3_batch_assert_busy(&p.a.batch);
	release(&p.b, 1);
	igt_nv3_run_ok(&p.b.batch);
	igt_nv3_batch_wait(&p.a.batch);
	assert_no_fault(&p.a);
	igt_nv3_assert_rect(&p.a, 7, 5, 13, 11, 0x2345, 0);
	igt_nv3_client_fini(&other);
	pair_fini(&p);
}

/*
 * Waits until the channel of client a has stopped, and prints the time since @since. Asserts that
 * the wait for the semaphore has caused the fault TIMEOUT, and that the other client still draws.
 */
static void assert_gives_up(struct pair *p, int64_t since)
{
	struct drm_nv3_channel_query query;

	igt_nv3_batch_wait(&p->a.batch);
	igt_info("%.1f ms\n", (now_ns() - since) / 1e6);
	igt_assert_eq(igt_nv3_fault(p->a.fd, p->a.channel, &query),
		      DRM_NV3_FAULT_TIMEOUT);
	igt_assert_eq_u32(query.class_id, DRM_NV3_CLASS_SEMAPHORE);
	igt_assert_eq_u32(query.method, NV3_SEMAPHORE_ACQUIRE);
	igt_assert_eq_u32(query.data, 1);
	igt_nv3_assert_rect(&p->a, 0, 0, 64, 64, 0x1111, 0);
	igt_nv3_fill(&p->a, 0, 0, 1, 1, 1);
	igt_assert_eq(__igt_nv3_submit(&p->a.batch, 0), -EIO);
	p->a.batch.count = 0;
	igt_nv3_assert_draws(&p->b, 5);
}

static void submit_refused(struct pair *p)
{
	igt_nv3_fill(&p->a, 0, 0, 64, 64, 0x1111);
	acquire(&p->a, 1);
	igt_nv3_fill(&p->a, 0, 0, 64, 64, 0x2222);
	igt_assert_eq(__igt_nv3_submit(&p->a.batch, 0), 0);
	igt_nv3_fill(&p->a, 0, 0, 64, 64, 0x3333);
	igt_assert_eq(__igt_nv3_submit(&p->a.batch, 0), 0);
}

static void test_timeout(int fd)
{
	int64_t start;
	struct pair p;

	pair_init(&p, fd, 100);
	start = now_ns();
	submit_refused(&p);
	igt_nv3_assert_draws(&p.b, 1);
	assert_gives_up(&p, start);
	/* The wait must not have ended before its timeout. */
	igt_assert(now_ns() - start >= INT64_C(100000000));
	pair_fini(&p);
}

/*
 * Each of the batch's two waits is shorter than the time limit for all waits of a batch, but their
 * sum exceeds this limit.
 */
static void test_sum(int fd)
{
	struct drm_nv3_channel_query query;
	int64_t start;
	struct pair p;

	pair_init(&p, fd, 10000);
	acquire(&p.a, 1);
	acquire(&p.a, 2);
	igt_nv3_fill(&p.a, 0, 0, 64, 64, 1);
	start = now_ns();
	igt_assert_eq(__igt_nv3_submit(&p.a.batch, 0), 0);
	sleep(6);
	release(&p.b, 1);
	igt_nv3_run_ok(&p.b.batch);
	igt_nv3_batch_wait(&p.a.batch);
	igt_info("%.1f ms\n", (now_ns() - start) / 1e6);
	igt_assert_eq(igt_nv3_fault(p.a.fd, p.a.channel, &query),
		      DRM_NV3_FAULT_TIMEOUT);
	igt_assert_eq_u32(query.data, 2);
	igt_assert(now_ns() - start < INT64_C(14000000000));
	pair_fini(&p);
}

enum leave {
	LEAVE_OBJECT,
	LEAVE_CHANNEL,
	LEAVE_FAULT,
};

/* No remaining channel can release the semaphore, so the waiting channel faults at once. */
static void test_left(int fd, enum leave how)
{
	struct igt_nv3_client leaver;
	int64_t start;
	struct pair p;

	pair_init(&p, fd, 10000);
	igt_assert_eq(__igt_nv3_object_destroy(p.b.fd, p.b.channel, SEM), 0);
	igt_nv3_client_init_lr(&leaver, p.b.fd);
	semaphore(&leaver, p.b_handle, 0);
	submit_refused(&p);
	igt_nv3_assert_draws(&p.b, 2);
	igt_nv3_batch_assert_busy(&p.a.batch);
	start = now_ns();
	switch (how) {
	case LEAVE_OBJECT:
		igt_assert_eq(__igt_nv3_object_destroy(leaver.fd,
						       leaver.channel, SEM),
			      0);
		break;
	case LEAVE_CHANNEL:
		igt_nv3_client_fini(&leaver);
		break;
	case LEAVE_FAULT:
		igt_nv3_select(&leaver.batch, 5, 0xbad);
		igt_nv3_run(&leaver.batch);
		break;
	}
	assert_gives_up(&p, start);
	/* The timeout of the wait is ten seconds. */
	igt_assert(now_ns() - start < INT64_C(8000000000));
	if (how != LEAVE_CHANNEL)
		igt_nv3_client_fini(&leaver);
	pair_fini(&p);
}

/* A client that exits while its channel waits does not affect other clients. */
static void test_close(int fd)
{
	struct pair p;
	uint32_t i;

	for (i = 0; i < 10; i++) {
		pair_init(&p, fd, 10000);
		acquire(&p.b, 1);
		igt_nv3_fill(&p.b, 0, 0, 64, 64, 1);
		igt_assert_eq(__igt_nv3_submit(&p.b.batch, 0), 0);
		if (i % 2)
			igt_nv3_channel_destroy(p.b.fd, p.b.channel);
		igt_nv3_batch_fini(&p.b.batch);
		igt_nv3_bo_destroy(&p.b.color);
		close(p.b.fd);
		igt_nv3_assert_draws(&p.a, i);
		igt_nv3_client_fini(&p.a);
		igt_nv3_bo_destroy(&p.bo);
	}
}

/*
 * The number of a channel's semaphores is limited. After a semaphore is destroyed, the client can
 * create another semaphore.
 */
static void test_limit(int fd)
{
	struct igt_nv3_client client, other;
	struct igt_nv3_bo bo;
	uint32_t i;

	igt_nv3_client_init_lr(&client, fd);
	igt_nv3_client_init_lr(&other, fd);
	bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	for (i = 0; i < LIMIT; i++)
		igt_assert_eq(semaphore_try(&client, SEM + i, bo.handle, 0), 0);
	for (i = 0; i < 1000; i++) {
		igt_assert_eq(semaphore_try(&client, SEM + LIMIT, bo.handle, 0),
			      -ENOSPC);
		igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
						       SEM + i % LIMIT), 0);
		igt_assert_eq(semaphore_try(&client, SEM + i % LIMIT,
					    bo.handle, 0), 0);
	}
	igt_nv3_assert_draws(&client, 1);
	semaphore(&other, bo.handle, 10000);
	acquire(&other, 1);
	igt_nv3_fill(&other, 0, 0, 64, 64, 1);
	igt_assert_eq(__igt_nv3_submit(&other.batch, 0), 0);
	igt_nv3_select(&client.batch, 5, 0xbad);
	igt_nv3_run(&client.batch);
	igt_assert_eq(igt_nv3_timeline_wait(fd, other.batch.timeline,
					    other.batch.point,
					    INT64_C(5000000000)), 0);
	igt_nv3_client_fini(&client);
	igt_nv3_client_fini(&other);
	igt_nv3_bo_destroy(&bo);
}

/*
 * A channel in a chain of channels. Each channel waits for the semaphore of the previous channel's
 * buffer.
 */
struct chain {
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;
};

static void chain_init(struct chain *c, struct chain *before, int fd)
{
	igt_nv3_client_init_lr(&c->client, fd);
	c->bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	igt_assert_eq(semaphore_try(&c->client, SEM + 1, c->bo.handle, 0), 0);
	if (!before)
		return;
	semaphore(&c->client, before->bo.handle, 10000);
	acquire(&c->client, 1);
	igt_nv3_fill(&c->client, 0, 0, 64, 64, 1);
	igt_assert_eq(__igt_nv3_submit(&c->client.batch, 0), 0);
}

/*
 * The first channel faults. No remaining channel can then release the semaphore of the second
 * channel. The second channel therefore faults as well, then the third, and so on.
 */
static void test_chain(int fd)
{
	struct chain *chain = calloc(CHAIN, sizeof(*chain));
	int64_t start;
	uint32_t i;

	igt_assert(chain);
	for (i = 0; i < CHAIN; i++)
		chain_init(&chain[i], i ? &chain[i - 1] : NULL, fd);
	start = now_ns();
	igt_nv3_select(&chain[0].client.batch, 5, 0xbad);
	igt_nv3_run(&chain[0].client.batch);
	for (i = 1; i < CHAIN; i++) {
		igt_nv3_batch_wait(&chain[i].client.batch);
		igt_assert_eq(igt_nv3_fault(fd, chain[i].client.channel, NULL),
			      DRM_NV3_FAULT_TIMEOUT);
	}
	igt_info("%.1f ms\n", (now_ns() - start) / 1e6);
	for (i = 0; i < CHAIN; i++) {
		igt_nv3_client_fini(&chain[i].client);
		igt_nv3_bo_destroy(&chain[i].bo);
	}
	free(chain);
}

int igt_main()
{
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_require_sw(fd);
	}

	igt_describe("Invalid arguments and methods are refused.");
	igt_subtest("bad")
		test_bad(fd);

	igt_describe("Drawing after an acquire covers drawing before the release.");
	igt_subtest("order")
		test_order(fd);

	igt_describe("Two batches synchronize 400 times with each other.");
	igt_subtest("ping-pong")
		test_ping_pong(fd);

	igt_describe("Twenty channels wait for a semaphore whose value wraps but never decreases.");
	igt_subtest("many")
		test_many(fd);

	igt_describe("Others draw meanwhile, and an interrupted primitive is finished.");
	igt_subtest("others")
		test_others(fd);

	igt_describe("An acquire that nobody releases faults after its timeout.");
	igt_subtest("timeout")
		test_timeout(fd);

	igt_describe("A batch waits for at most ten seconds in total.");
	igt_subtest("sum")
		test_sum(fd);

	igt_describe("A wait faults when the last releaser's object is destroyed.");
	igt_subtest("left-object")
		test_left(fd, LEAVE_OBJECT);

	igt_describe("A wait faults when the last releaser's channel is destroyed.");
	igt_subtest("left-channel")
		test_left(fd, LEAVE_CHANNEL);

	igt_describe("A wait faults when the last releaser faults.");
	igt_subtest("left-fault")
		test_left(fd, LEAVE_FAULT);

	igt_describe("A channel has a limited number of semaphores.");
	igt_subtest("limit")
		test_limit(fd);

	igt_describe("A hundred channels wait in a row, and all fault with the first one.");
	igt_subtest("chain")
		test_chain(fd);

	igt_describe("Closing a channel or file that waits does not affect others.");
	igt_subtest("close")
		test_close(fd);

	igt_fixture()
		drm_close_driver(fd);
}
