/* SPDX-License-Identifier: MIT */
#include "igt.h"
#include "igt_nv3.h"
#include "nv3_escapes.h"

IGT_TEST_DESCRIPTION("No client can access or disturb the resources of another one.");

#define OBJECT	0x1000
#define SEM		0x3000
#define MIB		(1u << 20)
#define SUB	IGT_NV3_SUB_FREE

/*
 * A file can't use the channels and buffers of another file, even with the ids of these channels
 * and the handles of these buffers.
 */
static void test_handles(int fd)
{
	int other = drm_reopen_driver(fd);
	struct igt_nv3_client client;
	struct drm_nv3_surface_args args = {
		.pitch = 128, .width = 64, .height = 64,
	};
	struct drm_nv3_channel_query query = { 0 };
	uint32_t channel = igt_nv3_channel_create(other);
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	/*
	 * Create more channels than the other file has, so that the ids of the last channels are
	 * invalid in the other file.
	 */
	for (i = 0; i < 8; i++)
		igt_nv3_channel_create(fd);
	query.channel = channel + 1;
	do_ioctl_err(other, DRM_IOCTL_NV3_CHANNEL_QUERY, &query, ENOENT);
	args.handle = client.color.handle;
	igt_assert_eq(__igt_nv3_object(other, channel, OBJECT,
				       NV3_CLASS_SURFACE, &args, sizeof(args)),
		      -ENOENT);
	close(other);
	igt_nv3_assert_draws(&client, 1);
	igt_nv3_client_fini(&client);
}

/* Objects in different channels can have the same handle. */
static void test_names(int fd)
{
	struct igt_nv3_client a, b;
	uint32_t i;

	igt_nv3_client_init(&a, fd);
	igt_nv3_client_init(&b, fd);
	for (i = 0; i < 20; i++) {
		igt_nv3_assert_draws(&a, i);
		igt_nv3_assert_draws(&b, i + 100);
	}
	igt_nv3_client_fini(&a);
	/*
	 * Destroying the objects of the first channel does not destroy the objects of the second
	 * channel.
	 */
	igt_nv3_select(&b.batch, IGT_NV3_SUB_RECT, IGT_NV3_RECT);
	igt_nv3_assert_draws(&b, 7);
	igt_nv3_client_fini(&b);
}

/*
 * Draws rectangles of random sizes at random positions inside and outside the canvas. The buffer of
 * the surface is between two other buffers in VRAM. These two buffers must stay unchanged.
 */
static void test_neighbours(int fd)
{
	struct igt_nv3_bo before, after;
	struct igt_nv3_client client;
	uint32_t i, seed = 1;

	before = igt_nv3_bo_create(fd, 65536, DRM_NV3_GEM_VRAM);
	igt_nv3_client_init(&client, fd);
	after = igt_nv3_bo_create(fd, 65536, DRM_NV3_GEM_VRAM);
	memset(before.map, 0x5a, before.size);
	memset(after.map, 0xa5, after.size);
	for (i = 0; i < 4000; i++) {
		seed = seed * 1664525 + 1013904223;
		igt_nv3_fill(&client, (seed >> 20) - 2048,
			     (seed >> 8 & 0xfff) - 2048, seed >> 4 & 0x7ff,
			     seed >> 16 & 0x7ff, i);
		if (client.batch.count > 4000)
			igt_nv3_run_ok(&client.batch);
	}
	igt_nv3_run_ok(&client.batch);
	for (i = 0; i < before.size; i++) {
		igt_assert_eq(((uint8_t *)before.map)[i], 0x5a);
		igt_assert_eq(((uint8_t *)after.map)[i], 0xa5);
	}
	igt_nv3_assert_draws(&client, 3);
	igt_nv3_bo_destroy(&before);
	igt_nv3_bo_destroy(&after);
	igt_nv3_client_fini(&client);
}

/* If several surfaces are bound, the chip clips the drawing to the size of the smallest one. */
static void test_small_surface(int fd)
{
	struct igt_nv3_client client;
	struct igt_nv3_bo small;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	small = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_VRAM);
	igt_nv3_surface(fd, client.channel, OBJECT, 1,
			DRM_NV3_FORMAT_X1R5G5B5, &small, 64, 32, 16);
	igt_nv3_graph(fd, client.channel, OBJECT + 1, NV3_CLASS_RECT, 3);
	igt_nv3_use(&client.batch, &small, NV3_READ | NV3_WRITE);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_COLOR, OBJECT);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, OBJECT + 1);
	igt_nv3_fill(&client, 0, 0, 2000, 2000, 0x1234);
	igt_nv3_run_ok(&client.batch);
	igt_nv3_assert_rect(&client, 0, 0, 32, 16, 0x1234, 0);
	for (i = 0; i < 4096 / 2; i++)
		igt_assert_eq(((uint16_t *)small.map)[i] & 0x7fff,
			      i < 32 * 16 ? 0x1234 : 0);
	igt_nv3_bo_destroy(&small);
	igt_nv3_client_fini(&client);
}

/* The drawing state of a channel does not depend on the state of other channels. */
static void test_context(int fd)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = 1,
		.flags = DRM_NV3_GRAPH_CLIP,
	};
	struct igt_nv3_client clients[4];
	uint32_t i, round;

	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		struct igt_nv3_client *c = &clients[i];

		igt_nv3_client_init(c, fd);
		igt_nv3_graph(fd, c->channel, OBJECT, NV3_CLASS_CLIP, 0);
		igt_assert_eq(__igt_nv3_object(fd, c->channel, OBJECT + 1,
					       NV3_CLASS_RECT, &args,
					       sizeof(args)), 0);
		igt_nv3_select(&c->batch, SUB, OBJECT);
		igt_nv3_begin(&c->batch, SUB, NV3_CLIP_POINT, 2);
		igt_nv3_word(&c->batch, (3 * i) << 16 | (5 * i + 1));
		igt_nv3_word(&c->batch, (20 + i) << 16 | (30 + i));
		igt_nv3_select(&c->batch, IGT_NV3_SUB_RECT, OBJECT + 1);
		igt_nv3_run_ok(&c->batch);
	}
	/*
	 * The batches below set neither the clip nor the bindings, so a switch of channels must
	 * restore them.
	 */
	for (round = 0; round < 30; round++) {
		for (i = 0; i < ARRAY_SIZE(clients); i++) {
			struct igt_nv3_client *c = &clients[i];

			memset(c->color.map, 0, c->color.size);
			igt_nv3_fill(c, 0, 0, 64, 64, 0x1111 * (i + 1));
			igt_assert_eq(__igt_nv3_submit(&c->batch, 0), 0);
		}
		for (i = 0; i < ARRAY_SIZE(clients); i++) {
			igt_nv3_bo_wait(&clients[i].color);
			igt_nv3_assert_rect(&clients[i], 5 * i + 1, 3 * i,
					    30 + i, 20 + i, 0x1111 * (i + 1),
					    0);
		}
	}
	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		igt_assert_eq(igt_nv3_fault(fd, clients[i].channel, NULL), 0);
		igt_nv3_client_fini(&clients[i]);
	}
}

/* Several processes draw at once and check each pixel. */
static void test_processes(int fd)
{
	igt_fork(child, 6) {
		int own = drm_reopen_driver(fd);
		struct igt_nv3_client client;
		uint32_t i;

		igt_nv3_client_init(&client, own);
		for (i = 0; i < 60; i++)
			igt_nv3_assert_draws(&client, child * 1000 + i);
		igt_nv3_client_fini(&client);
		close(own);
	}
	igt_waitchildren();
}

/* Processes that are killed while they draw do not affect other clients. */
static void test_killed(int fd)
{
	struct igt_nv3_client client;
	uint32_t round, i;

	igt_nv3_client_init(&client, fd);
	for (round = 0; round < 10; round++) {
		igt_fork(child, 2) {
			struct igt_nv3_client victim;

			igt_nv3_client_init(&victim, drm_reopen_driver(fd));
			for (;;) {
				for (i = 0; i < 100; i++)
					igt_nv3_fill(&victim, 0, 0, 64, 64, i);
				igt_nv3_run_ok(&victim.batch);
			}
		}
		for (i = 0; i < 10; i++)
			igt_nv3_assert_draws(&client, round * 10 + i);
		igt_kill_children(9);
	}
	igt_nv3_assert_draws(&client, 1);
	igt_nv3_client_fini(&client);
}

static void semaphore(struct igt_nv3_client *client,
		      const struct igt_nv3_bo *bo)
{
	struct drm_nv3_semaphore_args args = { .handle = bo->handle };

	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, SEM,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
	igt_nv3_select(&client->batch, SUB, SEM);
}

/*
 * Submits a batch that draws to a surface, and creates this surface only afterwards. When SUBMIT is
 * called, the buffer has no surface, so the driver leaves the buffer in system memory. The driver
 * must not use the buffer's address in system memory as an offset in VRAM.
 */
static void test_late_surface(int fd)
{
	uint32_t count = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_SIZE) / MIB, i, j;
	struct igt_nv3_client client, releaser;
	struct igt_nv3_bo full[16], late, sem;

	igt_assert(count <= ARRAY_SIZE(full));
	igt_nv3_client_init_lr(&client, fd);
	igt_nv3_client_init_lr(&releaser, fd);
	sem = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	for (i = 0; i < count; i++) {
		full[i] = igt_nv3_bo_create(fd, MIB, DRM_NV3_GEM_VRAM);
		memset(full[i].map, 0x5a, MIB);
	}
	/* VRAM has no free range of this size, so the driver places the buffer in system memory. */
	late = igt_nv3_bo_create(fd, 2 * MIB,
				 DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM);

	semaphore(&client, &sem);
	igt_nv3_method(&client.batch, SUB, NV3_SEMAPHORE_ACQUIRE, 1);
	igt_nv3_use(&client.batch, &late, NV3_READ | NV3_WRITE);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_COLOR, OBJECT);
	igt_nv3_fill(&client, 0, 0, 64, 64, 0x1234);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	igt_nv3_surface(fd, client.channel, OBJECT, 0, DRM_NV3_FORMAT_X1R5G5B5,
			&late, 128, 64, 64);
	semaphore(&releaser, &sem);
	igt_nv3_method(&releaser.batch, SUB, NV3_SEMAPHORE_RELEASE, 1);
	igt_nv3_run_ok(&releaser.batch);
	igt_nv3_batch_wait(&client.batch);
	igt_assert_eq(igt_nv3_fault(fd, client.channel, NULL),
		      DRM_NV3_FAULT_PAGE);

	for (i = 0; i < count; i++) {
		for (j = 0; j < MIB; j += 4)
			igt_assert_eq_u32(*(uint32_t *)((uint8_t *)full[i].map + j),
					  0x5a5a5a5a);
		igt_nv3_bo_destroy(&full[i]);
	}
	igt_nv3_assert_draws(&releaser, 1);
	igt_nv3_bo_destroy(&late);
	igt_nv3_bo_destroy(&sem);
	igt_nv3_client_fini(&releaser);
	igt_nv3_client_fini(&client);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Channel and buffer numbers of one file are invalid in another.");
	igt_subtest("handles")
		test_handles(fd);

	igt_describe("Each channel has its own handles.");
	igt_subtest("names")
		test_names(fd);

	igt_describe("Drawing beyond the canvas does not change memory around the buffer.");
	igt_subtest("neighbours")
		test_neighbours(fd);

	igt_describe("The smaller of two surfaces limits the drawing to both.");
	igt_subtest("small-surface")
		test_small_surface(fd);

	igt_describe("Each channel has its own drawing state.");
	igt_subtest("context")
		test_context(fd);

	igt_describe("Six processes draw at once, each correctly.");
	igt_subtest("processes")
		test_processes(fd);

	igt_describe("Processes that are killed while they draw don't disturb others.");
	igt_subtest("killed")
		test_killed(fd);

	igt_describe("Each known escape is refused as documented, and the victim's buffers stay unchanged.");
	igt_subtest("escapes")
		nv3_escapes(fd);

	igt_describe("The same with class PROGRAMS and address spaces.");
	igt_subtest("escapes-programs") {
		igt_nv3_require_programs(fd);
		nv3_escapes_programs(fd);
	}

	igt_describe("A surface outside of VRAM that is created after SUBMIT isn't drawn to.");
	igt_subtest("late-surface")
		test_late_surface(fd);

	igt_fixture()
		drm_close_driver(fd);
}
