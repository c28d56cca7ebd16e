/* SPDX-License-Identifier: MIT */
#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("How a client finds out which classes there are.");

#define CANARY	0xdeadbeef

static uint32_t enumerate(int fd, uint32_t *classes, uint32_t count)
{
	struct drm_nv3_class_enumerate req = {
		.classes = (uintptr_t)classes, .count = count,
	};

	do_ioctl(fd, DRM_IOCTL_NV3_CLASS_ENUMERATE, &req);
	return req.count;
}

static void test_count(int fd)
{
	uint32_t classes[256];
	uint32_t i, total, asked;

	total = enumerate(fd, NULL, 0);
	igt_assert(total > 0 && total < ARRAY_SIZE(classes));

	for (asked = 0; asked <= total + 1; asked++) {
		for (i = 0; i < ARRAY_SIZE(classes); i++)
			classes[i] = CANARY;
		igt_assert_eq(enumerate(fd, classes, asked), total);
		for (i = 0; i < ARRAY_SIZE(classes); i++)
			igt_assert_eq(classes[i] == CANARY,
				      i >= asked || i >= total);
	}
}

static void test_unique(int fd)
{
	uint32_t classes[256];
	uint32_t i, j, total;

	total = enumerate(fd, classes, ARRAY_SIZE(classes));
	for (i = 0; i < total; i++) {
		for (j = 0; j < i; j++)
			igt_assert_neq_u32(classes[i], classes[j]);
	}
}

/* Those that programs build on; more may come. */
static void test_required(int fd)
{
	static const uint32_t required[] = {
		NV3_CLASS_ROP, NV3_CLASS_CLIP, NV3_CLASS_PATTERN,
		NV3_CLASS_RECT, NV3_CLASS_M2MF, NV3_CLASS_BLIT, NV3_CLASS_IFC,
		NV3_CLASS_D3D, NV3_CLASS_SURFACE, DRM_NV3_CLASS_DMA,
	};
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(required); i++)
		igt_assert_f(igt_nv3_has_class(fd, required[i]),
			     "no class 0x%02x\n", required[i]);
}

/* What is enumerated can be had, and selected. */
static void test_instantiate(int fd)
{
	uint32_t classes[256];
	struct igt_nv3_client client;
	uint32_t i, total;

	igt_nv3_client_init(&client, fd);
	total = enumerate(fd, classes, ARRAY_SIZE(classes));
	for (i = 0; i < total; i++) {
		/* These two take other arguments: nv3_object has them. */
		if (classes[i] == DRM_NV3_CLASS_DMA ||
		    classes[i] == NV3_CLASS_SURFACE)
			continue;
		igt_debug("class 0x%02x\n", classes[i]);
		igt_nv3_graph(fd, client.channel, 0x1000 + i, classes[i], 1);
		igt_nv3_select(&client.batch, IGT_NV3_SUB_FREE, 0x1000 + i);
		igt_nv3_run_ok(&client.batch);
	}
	igt_nv3_assert_draws(&client, 1);
	igt_nv3_client_fini(&client);
}

static void test_bad(int fd)
{
	struct drm_nv3_class_enumerate req = { .classes = 8, .count = 1 };

	do_ioctl_err(fd, DRM_IOCTL_NV3_CLASS_ENUMERATE, &req, EFAULT);
	req.classes = 0;
	req.count = 0;
	req.pad = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CLASS_ENUMERATE, &req, EINVAL);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("No more numbers are written than asked for, and the count is always right.");
	igt_subtest("count")
		test_count(fd);

	igt_describe("No class is listed twice.");
	igt_subtest("unique")
		test_unique(fd);

	igt_describe("The classes that every nv3 has are there.");
	igt_subtest("required")
		test_required(fd);

	igt_describe("Each class that is listed can be instantiated and selected.");
	igt_subtest("instantiate")
		test_instantiate(fd);

	igt_describe("Bad pointers and padding are refused.");
	igt_subtest("bad")
		test_bad(fd);

	igt_fixture()
		drm_close_driver(fd);
}
