/* SPDX-License-Identifier: MIT */
/*
 * Clients cause as much work at once as possible for the driver, mostly in its interrupt handler.
 * The tests check that the driver does this work correctly. "make check-latency" measures how long
 * interrupts are disabled.
 */
#include <pthread.h>

#include "igt.h"
#include "igt_nv3_freeze.h"

IGT_TEST_DESCRIPTION("Clients that cause as much work as possible at one moment.");

/* Handles of the tests' objects */
#define MANY		0x10000
#define READER		0x3000
#define TARGET		0x3010
#define COPY_OBJECT		0x3011

/* ---- objects destroyed while a batch is in flight ---- */

#define OBJECTS		10000

static void make_object(struct igt_nv3_client *client, uint32_t i)
{
	struct drm_nv3_flip_args args = { 0 };

	if (i % 2)
		igt_nv3_surface(client->fd, client->channel, MANY + i, 0,
				DRM_NV3_FORMAT_X1R5G5B5, &client->color,
				IGT_NV3_CANVAS * 2, IGT_NV3_CANVAS,
				IGT_NV3_CANVAS);
	else
		igt_assert_eq(__igt_nv3_object(client->fd, client->channel,
					       MANY + i, DRM_NV3_CLASS_FLIP,
					       &args, sizeof(args)), 0);
}

/*
 * Asserts that OBJECT_DESTROY fails for four of the destroyed objects, and that binding the last
 * object causes a fault.
 */
static void assert_destroyed(struct igt_nv3_client *client)
{
	static const uint32_t some[] = { 0, 1, OBJECTS / 2, OBJECTS - 1 };
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(some); i++) {
		igt_assert_eq(__igt_nv3_object_destroy(client->fd,
						       client->channel,
						       MANY + some[i]),
			      -ENOENT);
		/* A new object can use the handle of a destroyed object. */
		make_object(client, some[i]);
		igt_assert_eq(__igt_nv3_object_destroy(client->fd,
						       client->channel,
						       MANY + some[i]), 0);
	}
	igt_nv3_select(&client->batch, IGT_NV3_SUB_FREE, MANY + OBJECTS - 1);
	igt_nv3_run(&client->batch);
	igt_assert_eq(igt_nv3_fault(client->fd, client->channel, NULL),
		      DRM_NV3_FAULT_NAME);
}

/*
 * Destroys objects while a batch is in flight. The driver removes their handles before the
 * channel's next batch. If @next is true, the next batch is already queued when the current batch
 * ends.
 */
static void test_destroy(int fd, bool next)
{
	struct igt_nv3_client client;
	int freeze = igt_nv3_freeze_open(fd);
	uint32_t i;

	igt_nv3_client_init_lr(&client, fd);
	for (i = 0; i < OBJECTS; i++)
		make_object(&client, i);

	/*
	 * Binding a surface causes a trap. The frozen resource manager does not handle the trap, so
	 * the batch stays in flight.
	 */
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_COLOR, MANY + OBJECTS - 1);
	igt_nv3_fill(&client, 0, 0, IGT_NV3_CANVAS, IGT_NV3_CANVAS, 0x1111);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	for (i = 0; i < OBJECTS; i++)
		igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
						       MANY + i), 0);
	if (next) {
		igt_nv3_select(&client.batch, IGT_NV3_SUB_COLOR, IGT_NV3_COLOR);
		igt_nv3_fill(&client, 8, 8, 8, 8, 0x2222);
		igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	}
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	igt_nv3_batch_wait(&client.batch);
	igt_assert_eq(igt_nv3_fault(fd, client.channel, NULL), 0);
	igt_nv3_assert_rect(&client, 8, 8, 8, 8, next ? 0x2222 : 0x1111,
			    0x1111);

	assert_destroyed(&client);
	igt_nv3_client_fini(&client);
	close(freeze);
}

/*
 * Destroys a channel with a batch in flight. Half of the channel's objects are destroyed before the
 * channel.
 */
static void test_close(int fd)
{
	struct igt_nv3_client client, other;
	int freeze = igt_nv3_freeze_open(fd);
	uint32_t i;

	igt_nv3_client_init(&other, fd);
	igt_nv3_client_init_lr(&client, fd);
	for (i = 0; i < OBJECTS; i++)
		make_object(&client, i);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
	igt_nv3_fill(&client, 0, 0, IGT_NV3_CANVAS, IGT_NV3_CANVAS, 0x1111);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	for (i = 0; i < OBJECTS / 2; i++)
		igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
						       MANY + i), 0);
	igt_nv3_channel_destroy(fd, client.channel);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	igt_nv3_assert_draws(&other, 3);

	igt_nv3_batch_fini(&client.batch);
	igt_nv3_bo_destroy(&client.color);
	igt_nv3_client_fini(&other);
	close(freeze);
}

/* ---- page tables ---- */

/*
 * Size of a buffer. Together, two buffers of this size are larger than the system memory that the
 * chip can address at once.
 */
#define BIG		(240ull << 20)
/* Number of page tables that fit into RAMIN, if each page table maps BIG bytes */
#define READERS		3
#define ROUNDS		8
#define PAGE		4096

/* Copies the last page of @in, the buffer of the DMA object @reader, to @out. */
static void copy_last(struct igt_nv3_client *client, uint32_t reader,
		      const struct igt_nv3_bo *in,
		      const struct igt_nv3_bo *out)
{
	struct drm_nv3_graph_args args = {
		.operation = NV3_OP_COPY, .dma = { reader, TARGET },
	};
	struct igt_nv3_batch *batch = &client->batch;

	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, COPY_OBJECT,
				       NV3_CLASS_M2MF, &args, sizeof(args)), 0);
	igt_nv3_use(batch, in, NV3_READ);
	igt_nv3_use(batch, out, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, IGT_NV3_SUB_FREE, COPY_OBJECT);
	igt_nv3_begin(batch, IGT_NV3_SUB_FREE, NV3_M2MF_OFFSET_IN, 8);
	igt_nv3_word(batch, in->size - PAGE);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, PAGE);
	igt_nv3_word(batch, PAGE);
	igt_nv3_word(batch, PAGE);
	igt_nv3_word(batch, 1);
	igt_nv3_word(batch, 1 << 8 | 1);
	igt_nv3_word(batch, 0);
	igt_nv3_run_ok(batch);
	igt_assert_eq(__igt_nv3_object_destroy(client->fd, client->channel,
					       COPY_OBJECT), 0);
}

static void fill_last(const struct igt_nv3_bo *bo, uint32_t seed)
{
	uint32_t *words = (uint32_t *)((char *)bo->map + bo->size - PAGE), i;

	for (i = 0; i < PAGE / sizeof(*words); i++)
		words[i] = seed + i;
}

/*
 * Batches use the buffers big[0] and big[1] alternately. The chip can address only one of them at a
 * time, so the driver has to rewrite the page tables of all DMA objects of big[0] in each round.
 */
static void test_page_tables(int fd)
{
	struct igt_nv3_client client;
	struct igt_nv3_bo big[2], out;
	uint32_t i, round;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < 2; i++)
		big[i] = igt_nv3_bo_create(fd, BIG, DRM_NV3_GEM_SYSTEM);
	out = igt_nv3_bo_create(fd, PAGE, DRM_NV3_GEM_SYSTEM);
	for (i = 0; i < READERS; i++)
		igt_nv3_dma(fd, client.channel, READER + i, &big[0], 0);
	igt_nv3_dma(fd, client.channel, TARGET, &out, DRM_NV3_DMA_WRITE);

	for (round = 0; round < ROUNDS; round++) {
		fill_last(&big[0], round << 16);
		copy_last(&client, READER + round % READERS, &big[0], &out);
		igt_assert_eq(memcmp((char *)big[0].map + BIG - PAGE, out.map,
				     PAGE), 0);
		igt_nv3_use(&client.batch, &big[1], NV3_READ);
		igt_nv3_assert_draws(&client, round);
	}

	igt_nv3_client_fini(&client);
	for (i = 0; i < 2; i++)
		igt_nv3_bo_destroy(&big[i]);
	igt_nv3_bo_destroy(&out);
}

/*
 * Creates as many DMA objects as a channel can have. Half of the DMA objects refer to one buffer,
 * and the other half to another buffer. Batches use the two buffers alternately, so the driver maps
 * one half and unmaps the other half before each batch.
 */
static void test_dma_objects(int fd)
{
	struct igt_nv3_client client;
	struct igt_nv3_bo in[2], out;
	uint32_t i, count, round;
	int ret;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < 2; i++)
		in[i] = igt_nv3_bo_create(fd, PAGE, DRM_NV3_GEM_SYSTEM);
	out = igt_nv3_bo_create(fd, PAGE, DRM_NV3_GEM_SYSTEM);
	igt_nv3_dma(fd, client.channel, TARGET, &out, DRM_NV3_DMA_WRITE);
	for (count = 0; ; count++) {
		struct drm_nv3_dma_args args = {
			.handle = in[count % 2].handle, .size = PAGE,
		};

		ret = __igt_nv3_object(fd, client.channel, MANY + count,
				       DRM_NV3_CLASS_DMA, &args, sizeof(args));
		if (ret)
			break;
	}
	igt_assert_eq(ret, -ENOSPC);
	igt_info("%u DMA objects\n", count + 1);

	for (round = 0; round < ROUNDS; round++) {
		i = count - 1 - round;
		fill_last(&in[i % 2], round << 16);
		copy_last(&client, MANY + i, &in[i % 2], &out);
		igt_assert_eq(memcmp(in[i % 2].map, out.map, PAGE), 0);
	}

	igt_nv3_client_fini(&client);
	for (i = 0; i < 2; i++)
		igt_nv3_bo_destroy(&in[i]);
	igt_nv3_bo_destroy(&out);
}

/* ---- work for all channels at once ---- */

/* Maximum number of a channel's semaphores */
#define SEMAPHORES	64

static void make_semaphores(struct igt_nv3_client *client,
			    const struct igt_nv3_bo *bo)
{
	struct drm_nv3_semaphore_args args = {
		.handle = bo->handle, .timeout_ms = 10000,
	};
	uint32_t i;

	for (i = 0; i < SEMAPHORES; i++)
		igt_assert_eq(__igt_nv3_object(client->fd, client->channel,
					       MANY + i,
					       DRM_NV3_CLASS_SEMAPHORE, &args,
					       sizeof(args)), 0);
}

/*
 * Binds the semaphore that the driver finds last in the buffer's list of semaphores, and adds the
 * method @mthd to the batch.
 */
static void use_semaphore(struct igt_nv3_client *client, uint32_t mthd,
			  uint32_t number)
{
	igt_nv3_select(&client->batch, IGT_NV3_SUB_FREE, MANY + SEMAPHORES - 1);
	igt_nv3_method(&client->batch, IGT_NV3_SUB_FREE, mthd, number);
}

/*
 * The semaphores of all channels use one buffer. One RELEASE resumes all channels that wait. After
 * that, these channels wait again, and the test destroys all channels one by one. After each
 * destruction, the driver checks whether the remaining channels are deadlocked.
 */
static void test_semaphores(int fd)
{
	const uint32_t count = igt_nv3_param(fd, DRM_NV3_PARAM_CHANNELS);
	struct igt_nv3_client *clients = calloc(count, sizeof(*clients));
	struct igt_nv3_client *releaser = &clients[count - 1];
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, PAGE, DRM_NV3_GEM_SYSTEM);
	uint32_t i;

	igt_assert(clients);
	for (i = 0; i < count; i++) {
		igt_nv3_client_init_lr(&clients[i], fd);
		make_semaphores(&clients[i], &bo);
	}
	for (i = 0; i < count - 1; i++) {
		use_semaphore(&clients[i], NV3_SEMAPHORE_ACQUIRE, 1);
		igt_assert_eq(__igt_nv3_submit(&clients[i].batch, 0), 0);
	}
	use_semaphore(releaser, NV3_SEMAPHORE_RELEASE, 1);
	igt_nv3_run_ok(&releaser->batch);
	for (i = 0; i < count - 1; i++) {
		igt_nv3_batch_wait(&clients[i].batch);
		igt_assert_eq(igt_nv3_fault(fd, clients[i].channel, NULL), 0);
		use_semaphore(&clients[i], NV3_SEMAPHORE_ACQUIRE, 2);
		igt_assert_eq(__igt_nv3_submit(&clients[i].batch, 0), 0);
	}
	for (i = count; i--; )
		igt_nv3_client_fini(&clients[i]);
	igt_nv3_bo_destroy(&bo);
	free(clients);
}

static void *store(void *data)
{
	igt_nv3_pio_fill(data, 0, 0, 8, 8, 0x1234);
	return NULL;
}

/* Creates a PIO channel, and as many DMA objects for @bo as the channel can have. */
static void init_wide(struct igt_nv3_pio *pio, int fd,
		      const struct igt_nv3_bo *bo)
{
	struct drm_nv3_dma_args args = { .handle = bo->handle, .size = PAGE };
	uint32_t i = 0;

	igt_nv3_pio_init(pio, fd);
	while (!__igt_nv3_object(fd, pio->client.channel, MANY + i,
				 DRM_NV3_CLASS_DMA, &args, sizeof(args)))
		i++;
	igt_assert_lt(200, i);
}

/*
 * While a freeze extends the PIO timeslice of @owner, all other PIO channels request a timeslice.
 * Each of these channels has the maximum number of DMA objects. SUBMIT then compares the buffers of
 * its batch with the buffers of all these channels.
 */
static void test_requested(int fd)
{
	const uint32_t count = igt_nv3_param(fd, DRM_NV3_PARAM_CHANNELS) - 2;
	struct igt_nv3_pio *pio = calloc(count, sizeof(*pio)), owner;
	pthread_t *threads = calloc(count, sizeof(*threads));
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, PAGE, DRM_NV3_GEM_SYSTEM);
	int freeze = igt_nv3_freeze_open(fd);
	struct igt_nv3_client client;
	uint32_t i;

	igt_assert(pio && threads);
	igt_nv3_client_init(&client, fd);
	igt_nv3_pio_init(&owner, fd);
	for (i = 0; i < count; i++)
		init_wide(&pio[i], fd, &bo);

	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_TIMESLICES);
	store(&owner);
	for (i = 0; i < count; i++)
		igt_assert_eq(pthread_create(&threads[i], NULL, store, &pio[i]),
			      0);
	usleep(500000);
	igt_nv3_fill(&client, 0, 0, 8, 8, 0x1234);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);

	igt_nv3_batch_wait(&client.batch);
	for (i = 0; i < count; i++) {
		pthread_join(threads[i], NULL);
		igt_nv3_pio_run_ok(&pio[i]);
		igt_nv3_assert_rect(&pio[i].client, 0, 0, 8, 8, 0x1234, 0);
		igt_nv3_pio_fini(&pio[i]);
	}
	igt_nv3_pio_fini(&owner);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&bo);
	free(threads);
	free(pio);
	close(freeze);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("10,000 surfaces and flip objects are destroyed when a batch ends.");
	igt_subtest("destroy")
		test_destroy(fd, false);

	igt_describe("10,000 objects are destroyed while another batch is queued.");
	igt_subtest("destroy-next")
		test_destroy(fd, true);

	igt_describe("A channel with 10,000 objects is closed while its batch is in flight.");
	igt_subtest("close")
		test_close(fd);

	igt_describe("Three page tables of 60,000 entries are written before every other batch.");
	igt_subtest("page-tables")
		test_page_tables(fd);

	igt_describe("All DMA objects of a channel are mapped or unmapped before each batch.");
	igt_subtest("dma-objects")
		test_dma_objects(fd);

	igt_describe("All 126 channels have all their semaphores on one buffer, which one channel releases.");
	igt_subtest("semaphores")
		test_semaphores(fd);

	igt_describe("SUBMIT while 124 PIO channels with 256 buffers each have requested a timeslice.");
	igt_subtest("requested")
		test_requested(fd);

	igt_fixture()
		drm_close_driver(fd);
}
