/* SPDX-License-Identifier: MIT */
/* Lab 3: measures how long a client waits while another client's batch takes seconds. */
#include <time.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("A client draws while a long batch of another client runs.");

/*
 * The number of pictures that the other client must draw during the long batch. On any host, the
 * long batch takes more timeslices than this. After each of these timeslices, the other client can
 * draw a picture.
 */
#define PICTURES_MIN	10
#define BUDGET_MS	2000
#define SIDE		1024

static uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000) + ts.tv_nsec / 1000;
}

/*
 * The long batch ends when it is complete, or when the hang check ends it after BUDGET_MS.
 */
static void test_long(int fd)
{
	uint64_t begin, start, time, longest = 0;
	struct igt_nv3_client busy, other;
	struct igt_nv3_bo bo;
	uint32_t pictures = 0;

	igt_nv3_client_init_budget(&busy, fd, BUDGET_MS);
	igt_nv3_client_init(&other, drm_reopen_driver(fd));
	bo = igt_nv3_bo_create(fd, 2 * SIDE * SIDE, DRM_NV3_GEM_VRAM);
	igt_nv3_assert_draws(&other, 0);
	igt_nv3_push_long(&busy, &bo);
	begin = now_us();
	igt_assert_eq(__igt_nv3_submit(&busy.batch, 0), 0);
	do {
		start = now_us();
		igt_nv3_assert_draws(&other, pictures++);
		time = now_us() - start;
		longest = time > longest ? time : longest;
	} while (__igt_nv3_gem_wait(fd, bo.handle, DRM_NV3_GEM_WAIT_WRITE, 0));
	igt_info("%u pictures in %.1f ms, the slowest took %.1f ms\n", pictures,
		 (now_us() - begin) / 1e3, longest / 1e3);
	igt_assert_lte(PICTURES_MIN, pictures);
	igt_nv3_client_fini(&other);
	close(other.fd);
	igt_nv3_client_fini(&busy);
	igt_nv3_bo_destroy(&bo);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Pictures of one client during a batch of another one.");
	igt_subtest("long")
		test_long(fd);

	igt_fixture()
		drm_close_driver(fd);
}
