/* SPDX-License-Identifier: MIT */
#include <drm_fourcc.h>

#include "igt.h"
#include "igt_nv3_kms.h"
#include "igt_nv3_late.h"
#include "igt_nv3_pm.h"

IGT_TEST_DESCRIPTION("More VRAM than surfaces and frame buffers can use: residence and moves within VRAM.");

#define MIB		(1u << 20)
#define PAGE		IGT_NV3_PAGE
#define BOTH		(DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM)

/*
 * The first address at which tests map buffers, and the address at which their client's buffers
 * start
 */
#define AT		0x01000000u
#define CLIENT		0x00010000u

static void require_high_vram(int fd)
{
	igt_require_f(igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE) >
		      igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_LOW), "all of VRAM is low\n");
	igt_nv3_require_programs(fd);
}

static uint32_t word(uint32_t buffer, uint32_t index)
{
	return (buffer + 1) * 0x9e3779b9 ^ (index + 1) * 0x85ebca6b;
}

/* ---- residence ---- */

#define RESIDENTS	12

/* A batch lists buffers that must be in VRAM. Their total size exceeds low VRAM. */
static void test_resident(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd), size = MIB;
	uint32_t addresses[RESIDENTS], values[RESIDENTS], i, round;
	struct igt_nv3_bo bos[RESIDENTS];
	struct igt_nv3_pm pm;

	igt_assert(RESIDENTS * (uint64_t)size > igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_LOW));
	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	for (i = 0; i < RESIDENTS; i++) {
		bos[i] = igt_nv3_bo_create_private(fd, size, DRM_NV3_GEM_VRAM, vm);
		igt_nv3_vm_map(fd, vm, &bos[i], AT + i * size);
		addresses[i] = AT + i * size + size - 4;
	}
	for (round = 0; round < 3; round++) {
		for (i = 0; i < RESIDENTS; i++) {
			values[i] = word(i, round);
			((uint32_t *)bos[i].map)[size / 4 - 1] = values[i];
			igt_nv3_use(&pm.batch, &bos[i], NV3_WRITE);
		}
		igt_nv3_pm_push_peeks(&pm, addresses, RESIDENTS);
		igt_nv3_run_ok(&pm.batch);
		igt_nv3_pm_assert_peeks(&pm, values, RESIDENTS);
	}
	igt_nv3_pm_fini(&pm);
	for (i = 0; i < RESIDENTS; i++)
		igt_nv3_bo_destroy(&bos[i]);
	igt_nv3_vm_destroy(fd, vm);
}

/* ---- surfaces ---- */

#define SURFACES	12
#define SURFACE_PITCH	2048u
#define SURFACE_LINES	512u
#define DRAWN		64u	/* width and height of the drawn rectangles, in pixels */

/*
 * Draws to a surface in each buffer, and makes the chip read the drawn pixels through an address
 * space.
 */
static void draw_and_peek(struct igt_nv3_client *client, struct igt_nv3_pm *pm,
			  const struct igt_nv3_bo *bos, uint32_t round)
{
	struct igt_nv3_batch *batch = &client->batch;
	uint32_t i, addresses[2], values[2];

	for (i = 0; i < SURFACES; i++) {
		const uint32_t start = AT + i * MIB;

		igt_nv3_use(batch, &bos[i], NV3_READ | NV3_WRITE);
		igt_nv3_select(batch, IGT_NV3_SUB_COLOR, 0x1000 + i);
		igt_nv3_method(batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, 0x100 * round + i);
		igt_nv3_begin(batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 2);
		igt_nv3_word(batch, 0);
		igt_nv3_word(batch, DRAWN << 16 | DRAWN);
		igt_nv3_run_ok(batch);

		addresses[0] = start + (DRAWN - 1) * SURFACE_PITCH;
		values[0] = (0x100 * round + i) * 0x10001;
		addresses[1] = start + DRAWN * SURFACE_PITCH;
		values[1] = word(i, DRAWN * SURFACE_PITCH / 4);
		igt_nv3_pm_push_peeks(pm, addresses, 2);
		igt_nv3_run_ok(&pm->batch);
		igt_nv3_pm_assert_peeks(pm, values, 2);
	}
}

/*
 * Buffers begin in high VRAM. When the chip draws to a buffer's surface, the driver has to move the
 * buffer to low VRAM. Low VRAM is too small for all buffers. The buffers must keep their contents.
 */
static void test_surfaces(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_client client;
	struct igt_nv3_bo bos[SURFACES];
	struct igt_nv3_pm pm;
	uint32_t i, j, round;

	igt_nv3_client_init(&client, fd);
	igt_nv3_pm_init(&pm, fd, vm, CLIENT, 0);
	for (i = 0; i < SURFACES; i++) {
		bos[i] = igt_nv3_bo_create_private(fd, SURFACE_PITCH * SURFACE_LINES, BOTH, vm);
		for (j = 0; j < bos[i].size / 4; j++)
			((uint32_t *)bos[i].map)[j] = word(i, j);
		igt_nv3_vm_map(fd, vm, &bos[i], AT + i * MIB);
		igt_nv3_surface(fd, client.channel, 0x1000 + i, 0, DRM_NV3_FORMAT_X1R5G5B5,
				&bos[i], SURFACE_PITCH, SURFACE_PITCH / 2, SURFACE_LINES);
	}
	for (round = 0; round < 3; round++)
		draw_and_peek(&client, &pm, bos, round);
	for (i = 0; i < SURFACES; i++)
		for (j = DRAWN * SURFACE_PITCH / 4; j < bos[i].size / 4; j++)
			igt_assert_eq_u32(((uint32_t *)bos[i].map)[j], word(i, j));
	igt_nv3_pm_fini(&pm);
	igt_nv3_client_fini(&client);
	for (i = 0; i < SURFACES; i++)
		igt_nv3_bo_destroy(&bos[i]);
	igt_nv3_vm_destroy(fd, vm);
}

/*
 * The driver refuses a surface in a buffer that is larger than low VRAM, even if the surface uses
 * only a part of the buffer.
 */
static void test_too_large(int fd)
{
	const uint64_t low = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_LOW);
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, low + PAGE, BOTH);
	struct drm_nv3_surface_args args = {
		.handle = bo.handle, .format = DRM_NV3_FORMAT_X1R5G5B5,
		.pitch = 128, .width = 64, .height = 64,
	};
	struct igt_nv3_client client;

	igt_nv3_client_init(&client, fd);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, 0x1000, NV3_CLASS_SURFACE, &args,
				       sizeof(args)), -EINVAL);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&bo);
}

/* ---- scanout ---- */

static uint32_t add_fb(int fd, const struct igt_nv3_bo *bo, uint32_t width, uint32_t height)
{
	uint32_t handles[4] = { bo->handle }, pitches[4] = { width * 2 }, offsets[4] = { 0 }, id;

	igt_assert_eq(drmModeAddFB2(fd, width, height, DRM_FORMAT_XRGB1555, handles, pitches,
				    offsets, &id, 0), 0);
	return id;
}

static void draw_lines(uint16_t *pixels, const struct igt_nv3_display *display)
{
	uint32_t i;

	for (i = 0; i < display->mode.hdisplay * display->mode.vdisplay; i++)
		pixels[i] = word(0, i / 16) & 0x7fff;
}

/*
 * To show a frame buffer in high VRAM, the driver moves it to low VRAM. The picture must be the
 * same as that of a frame buffer that was created in low VRAM.
 */
static void test_scanout(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_display display;
	struct igt_nv3_fb fb, moved;
	struct igt_nv3_bo bo;
	uint32_t crc;

	igt_nv3_display_init(&display, fd);
	fb = igt_nv3_fb_create(fd, display.mode.hdisplay, display.mode.vdisplay, 16,
			       DRM_FORMAT_XRGB1555);
	draw_lines(fb.map, &display);
	igt_nv3_display_show(&display, &fb);
	crc = igt_nv3_crc(&display);

	bo = igt_nv3_bo_create_private(fd, fb.size, BOTH, vm);
	draw_lines(bo.map, &display);
	moved = fb;
	moved.id = add_fb(fd, &bo, fb.width, fb.height);
	igt_nv3_display_show(&display, &moved);
	igt_assert_eq_u32(igt_nv3_crc(&display), crc);
	((uint16_t *)bo.map)[0] ^= 0x7fff;
	igt_assert_neq_u32(igt_nv3_crc(&display), crc);

	igt_assert_eq(drmModeRmFB(fd, moved.id), 0);
	igt_nv3_fb_destroy(&fb);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_vm_destroy(fd, vm);
}

/*
 * A surface is created after the submission of the batch that draws to it, so the batch does not
 * move the surface's buffer from high VRAM to low VRAM. The chip would draw to low VRAM instead.
 */
static void test_late_surface(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd), name = 0x1000;
	struct igt_nv3_client client;
	struct igt_nv3_late late;
	struct igt_nv3_bo bo;

	igt_nv3_late_init(&late);
	igt_nv3_client_init(&client, fd);
	bo = igt_nv3_bo_create_private(fd, 4 * PAGE, DRM_NV3_GEM_VRAM, vm);
	igt_nv3_use(&client.batch, &bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_COLOR, name);
	igt_nv3_fill(&client, 0, 0, 64, 64, 0x1234);
	igt_nv3_late_submit(&late, &client.batch);
	igt_nv3_surface(fd, client.channel, name, 0, DRM_NV3_FORMAT_X1R5G5B5, &bo, 128, 64, 64);
	igt_nv3_late_end(&late);
	igt_nv3_batch_wait(&client.batch);
	igt_assert_eq(igt_nv3_fault(fd, client.channel, NULL), DRM_NV3_FAULT_PAGE);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_client_fini(&client);
	igt_nv3_vm_destroy(fd, vm);
}

int igt_main()
{
	int fd = -1;

	igt_fixture() {
		fd = igt_nv3_open();
		require_high_vram(fd);
	}

	igt_describe("A batch of class PROGRAMS can have more in VRAM than low VRAM holds.");
	igt_subtest("resident")
		test_resident(fd);

	igt_describe("Buffers move to low VRAM to be surfaces, and keep their contents.");
	igt_subtest("surfaces")
		test_surfaces(fd);

	igt_describe("A surface in a buffer that is larger than low VRAM is refused.");
	igt_subtest("too-large")
		test_too_large(fd);

	igt_describe("A surface in high VRAM that is created after SUBMIT isn't drawn to.");
	igt_subtest("late-surface")
		test_late_surface(fd);

	igt_describe("A frame buffer moves to low VRAM to be shown.");
	igt_subtest("scanout")
		test_scanout(fd);

	igt_fixture()
		drm_close_driver(fd);
}
