/* SPDX-License-Identifier: MIT */
#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("GETPARAM's values for the chip and the driver.");

static void test_chip(int fd)
{
	uint64_t id = igt_nv3_param(fd, DRM_NV3_PARAM_CHIP_ID);

	/* PMC_BOOT_0 of revisions A, B and C */
	igt_assert_f(id == 0x30100 || id == 0x30110 || id == 0x30120,
		     "chip %#llx\n", (unsigned long long)id);
}

static void test_vram(int fd)
{
	uint64_t size = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_SIZE);
	uint64_t available = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE);
	uint64_t low = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_LOW);

	igt_assert(size >= 2 << 20 && size <= 64 << 20 && !(size & (size - 1)));
	igt_assert(available > 0);
	/* The last megabyte contains RAMIN, which is not available to clients. */
	igt_assert(available <= size - (1 << 20));
	/* Surfaces can only be in the first 8 MiB of VRAM. */
	igt_assert(low == (size > 8 << 20 ? 8 << 20 : available));
}

static void test_limits(int fd)
{
	uint64_t channels = igt_nv3_param(fd, DRM_NV3_PARAM_CHANNELS);
	uint64_t longest = igt_nv3_param(fd, DRM_NV3_PARAM_SUBMIT_MAX);

	igt_assert(channels >= 1 && channels <= 128);
	/*
	 * A batch of the maximum length has room for a header with the maximum number of arguments.
	 */
	igt_assert(longest >= 8192);
	igt_assert_eq(longest % 4, 0);
}

static void test_batches(int fd)
{
	struct igt_nv3_client client;
	struct drm_nv3_channel_query query;
	uint64_t before, after, of_channel;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	igt_nv3_fault(fd, client.channel, &query);
	of_channel = query.batches;
	before = igt_nv3_param(fd, DRM_NV3_PARAM_BATCHES);
	for (i = 0; i < 10; i++)
		igt_nv3_assert_draws(&client, i);
	after = igt_nv3_param(fd, DRM_NV3_PARAM_BATCHES);
	igt_nv3_fault(fd, client.channel, &query);
	igt_nv3_client_fini(&client);

	igt_assert_eq_u64(query.batches - of_channel, 10);
	igt_assert_eq_u64(after - before, 10);
}

static void test_switches(int fd)
{
	struct igt_nv3_client a, b;
	uint64_t before, after;
	uint32_t i;

	igt_nv3_client_init(&a, fd);
	igt_nv3_client_init(&b, fd);
	before = igt_nv3_param(fd, DRM_NV3_PARAM_SWITCHES);
	for (i = 0; i < 10; i++) {
		igt_nv3_assert_draws(&a, i);
		igt_nv3_assert_draws(&b, i + 1);
	}
	after = igt_nv3_param(fd, DRM_NV3_PARAM_SWITCHES);
	igt_nv3_client_fini(&a);
	igt_nv3_client_fini(&b);

	/* The clients draw alternately, so each batch but the first causes a switch. */
	igt_assert_f(after - before >= 19, "%llu switches\n",
		     (unsigned long long)(after - before));
}

/* Batches of another file do not change this file's counters. */
static void test_per_file(int fd)
{
	static const uint32_t params[] = {
		DRM_NV3_PARAM_SWITCHES, DRM_NV3_PARAM_BATCHES,
		DRM_NV3_PARAM_RUNOUTS, DRM_NV3_PARAM_ENGINE_NS,
	};
	int other = drm_reopen_driver(fd);
	struct igt_nv3_client client;
	uint64_t before[ARRAY_SIZE(params)];
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(params); i++) {
		before[i] = igt_nv3_param(fd, params[i]);
		igt_assert_eq_u64(igt_nv3_param(other, params[i]), 0);
	}
	igt_nv3_client_init(&client, other);
	for (i = 0; i < 10; i++)
		igt_nv3_assert_draws(&client, i);
	for (i = 0; i < ARRAY_SIZE(params); i++)
		igt_assert_eq_u64(igt_nv3_param(fd, params[i]), before[i]);
	igt_assert(igt_nv3_param(other, DRM_NV3_PARAM_BATCHES) > 10);
	igt_assert(igt_nv3_param(other, DRM_NV3_PARAM_SWITCHES) > 0);
	igt_assert(igt_nv3_param(other, DRM_NV3_PARAM_ENGINE_NS) > 0);
	igt_nv3_client_fini(&client);
	close(other);
}

static void test_bad(int fd)
{
	struct drm_nv3_getparam req = { .param = 0xffffffff };

	do_ioctl_err(fd, DRM_IOCTL_NV3_GETPARAM, &req, EINVAL);
	req.param = DRM_NV3_PARAM_CHIP_ID;
	req.pad = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_GETPARAM, &req, EINVAL);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("The chip is one of the three revisions.");
	igt_subtest("chip")
		test_chip(fd);

	igt_describe("Buffers can use all of VRAM except for RAMIN.");
	igt_subtest("vram")
		test_vram(fd);

	igt_describe("The limits of channels and batches are plausible.");
	igt_subtest("limits")
		test_limits(fd);

	igt_describe("Batches are counted by file and by channel.");
	igt_subtest("batches")
		test_batches(fd);

	igt_describe("Alternating batches of two channels cause a switch each.");
	igt_subtest("switches")
		test_switches(fd);

	igt_describe("A file's counters include only its own work.");
	igt_subtest("per-file")
		test_per_file(fd);

	igt_describe("Unknown parameters and padding are refused.");
	igt_subtest("bad")
		test_bad(fd);

	igt_fixture()
		drm_close_driver(fd);
}
