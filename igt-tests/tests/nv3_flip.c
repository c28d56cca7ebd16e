/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <xf86drmMode.h>
#include <drm_fourcc.h>

#include "igt.h"
#include "igt_nv3_pio.h"

IGT_TEST_DESCRIPTION("Flips and vertical blanks within a channel's drawing.");

#define FLIP		0x3000
#define SURFACE(i)	(0x1000 + (i))
#define SEMAPHORE(i)	(0x2000 + (i))
#define SUB		IGT_NV3_SUB_FREE
#define FBS		2

/* A CRTC with a connector and a mode, and two frame buffers */
struct screen {
	int fd;
	uint32_t crtc, plane, connector;
	drmModeModeInfo mode;
	uint32_t pitch;
	struct igt_nv3_bo bo[FBS];
	uint32_t fb[FBS];
};

static void find_screen(struct screen *s)
{
	drmModeRes *res = drmModeGetResources(s->fd);
	drmModePlaneRes *planes;
	drmModeConnector *connector;

	igt_assert(res && res->count_crtcs && res->count_connectors);
	s->crtc = res->crtcs[0];
	connector = drmModeGetConnector(s->fd, res->connectors[0]);
	igt_require(connector && connector->count_modes);
	s->connector = connector->connector_id;
	s->mode = connector->modes[0];
	drmModeFreeConnector(connector);
	drmModeFreeResources(res);

	drmSetClientCap(s->fd, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
	planes = drmModeGetPlaneResources(s->fd);
	igt_assert(planes && planes->count_planes);
	s->plane = planes->planes[0];
	drmModeFreePlaneResources(planes);
}

static uint32_t add_fb(struct screen *s, const struct igt_nv3_bo *bo,
		       uint32_t width, uint32_t format)
{
	uint32_t handles[4] = { bo->handle }, pitches[4] = { s->pitch };
	uint32_t offsets[4] = { 0 }, fb = 0;

	igt_assert_eq(drmModeAddFB2(s->fd, width, s->mode.vdisplay, format,
				    handles, pitches, offsets, &fb, 0), 0);
	return fb;
}

static void set_mode(struct screen *s, uint32_t fb)
{
	igt_assert_eq(drmModeSetCrtc(s->fd, s->crtc, fb, 0, 0,
				     fb ? &s->connector : NULL, fb ? 1 : 0,
				     fb ? &s->mode : NULL), 0);
}

static void screen_init(struct screen *s, int fd)
{
	uint32_t i;

	s->fd = fd;
	if (!drmIsMaster(fd))
		igt_assert_eq(drmSetMaster(fd), 0);
	find_screen(s);
	s->pitch = (s->mode.hdisplay * 2 + 63) & ~63u;
	for (i = 0; i < FBS; i++) {
		s->bo[i] = igt_nv3_bo_create(fd, s->pitch * s->mode.vdisplay,
					     DRM_NV3_GEM_VRAM);
		s->fb[i] = add_fb(s, &s->bo[i], s->mode.hdisplay,
				  DRM_FORMAT_XRGB1555);
	}
	set_mode(s, s->fb[0]);
}

static void screen_fini(struct screen *s)
{
	uint32_t i;

	for (i = 0; i < FBS; i++) {
		drmModeRmFB(s->fd, s->fb[i]);
		igt_nv3_bo_destroy(&s->bo[i]);
	}
}

static uint32_t shown(struct screen *s)
{
	drmModeCrtc *crtc = drmModeGetCrtc(s->fd, s->crtc);
	uint32_t fb;

	igt_assert(crtc);
	fb = crtc->buffer_id;
	drmModeFreeCrtc(crtc);
	return fb;
}

static uint32_t blanks(struct screen *s)
{
	drmVBlank vbl = {
		.request = { .type = DRM_VBLANK_RELATIVE, .sequence = 0 },
	};

	igt_assert_eq(drmWaitVBlank(s->fd, &vbl), 0);
	return vbl.reply.sequence;
}

static void make_flip_object(struct igt_nv3_client *client)
{
	struct drm_nv3_flip_args args = { 0 };

	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, FLIP,
				       DRM_NV3_CLASS_FLIP, &args,
				       sizeof(args)), 0);
}

static void flip_object(struct igt_nv3_client *client)
{
	make_flip_object(client);
	igt_nv3_select(&client->batch, SUB, FLIP);
}

/* Creates a surface for each frame buffer. */
static void make_surfaces(struct screen *s, struct igt_nv3_client *client)
{
	uint32_t i;

	for (i = 0; i < FBS; i++)
		igt_nv3_surface(s->fd, client->channel, SURFACE(i), 0,
				DRM_NV3_FORMAT_X1R5G5B5, &s->bo[i], s->pitch,
				s->mode.hdisplay, s->mode.vdisplay);
}

/*
 * Asserts that @flips flips took at least @flips - 1 frames, and that the CRTC shows the frame
 * buffer of the last flip. Each frame buffer must contain the colour that was drawn before the last
 * flip to this frame buffer.
 */
static void assert_flipped(struct screen *s, uint32_t flips, uint32_t frames)
{
	igt_assert_lte(flips - 1, frames);
	igt_assert_eq_u32(shown(s), s->fb[flips % FBS]);
	igt_assert_eq(((uint16_t *)s->bo[flips % FBS].map)[100] & 0x7fff,
		      flips);
	igt_assert_eq(((uint16_t *)s->bo[(flips + 1) % FBS].map)[100] & 0x7fff,
		      flips - 1);
}

static void flip(struct igt_nv3_client *client, uint32_t fb)
{
	igt_nv3_method(&client->batch, SUB, NV3_FLIP_FLIP, fb);
}

static uint32_t fault_of(struct igt_nv3_client *client)
{
	igt_nv3_run(&client->batch);
	return igt_nv3_fault(client->fd, client->channel, NULL);
}

/*
 * Flips to @fb with a new client, and expects the fault @want. A fault stops the client's channel,
 * so each call needs a new client.
 */
static void expect_flip(struct screen *s, int fd, uint32_t fb, uint32_t want)
{
	struct igt_nv3_client client;

	igt_nv3_client_init_lr(&client, fd);
	flip_object(&client);
	flip(&client, fb);
	igt_assert_eq(fault_of(&client), want);
	igt_nv3_client_fini(&client);
}

static void test_wait(struct screen *s)
{
	struct igt_nv3_client client;
	uint32_t before, i;

	igt_nv3_client_init_lr(&client, drm_reopen_driver(s->fd));
	flip_object(&client);
	for (i = 0; i < 4; i++) {
		before = blanks(s);
		igt_nv3_method(&client.batch, SUB, NV3_FLIP_WAIT, i);
		igt_nv3_fill(&client, 0, 0, 64, 64, i + 1);
		igt_nv3_run_ok(&client.batch);
		igt_assert_lte(i, blanks(s) - before);
		igt_nv3_assert_rect(&client, 0, 0, 64, 64, i + 1, 0);
	}
	igt_nv3_client_fini(&client);
	close(client.fd);
}

/* A single batch alternately draws to the hidden frame buffer and flips to it. */
static void test_flip(struct screen *s)
{
	const uint32_t flips = 12;
	struct igt_nv3_client client, other;
	uint32_t i, before, pictures = 0;

	igt_nv3_client_init_lr(&client, s->fd);
	igt_nv3_client_init(&other, drm_reopen_driver(s->fd));
	flip_object(&client);
	make_surfaces(s, &client);
	for (i = 0; i < FBS; i++)
		igt_nv3_use(&client.batch, &s->bo[i], NV3_READ | NV3_WRITE);
	for (i = 1; i <= flips; i++) {
		igt_nv3_select(&client.batch, IGT_NV3_SUB_COLOR,
			       SURFACE(i % FBS));
		igt_nv3_fill(&client, 0, 0, s->mode.hdisplay,
			     s->mode.vdisplay, i);
		flip(&client, s->fb[i % FBS]);
	}
	before = blanks(s);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	do
		igt_nv3_assert_draws(&other, pictures++);
	while (igt_nv3_timeline_wait(s->fd, client.batch.timeline,
				     client.batch.point, 0));
	igt_assert_eq(igt_nv3_fault(s->fd, client.channel, NULL), 0);
	igt_info("%u flips in %u frames, %u pictures of another client\n",
		 flips, blanks(s) - before, pictures);
	assert_flipped(s, flips, blanks(s) - before);
	igt_nv3_client_fini(&other);
	close(other.fd);
	igt_nv3_client_fini(&client);
}

/* A PIO channel flips. Each flip preempts the channel, and later methods wait for the flip. */
static void test_pio(struct screen *s)
{
	const uint32_t flips = 12;
	struct igt_nv3_client other;
	struct igt_nv3_pio pio;
	uint32_t i, before;

	igt_nv3_pio_init_lr(&pio, s->fd);
	igt_nv3_client_init(&other, drm_reopen_driver(s->fd));
	make_surfaces(s, &pio.client);
	make_flip_object(&pio.client);
	igt_nv3_store(&pio, SUB, NV3_MTHD_OBJECT, FLIP);
	before = blanks(s);
	for (i = 1; i <= flips; i++) {
		igt_nv3_store(&pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT,
			      SURFACE(i % FBS));
		igt_nv3_pio_fill(&pio, 0, 0, s->mode.hdisplay,
				 s->mode.vdisplay, i);
		igt_nv3_store(&pio, SUB, NV3_FLIP_FLIP, s->fb[i % FBS]);
		igt_nv3_assert_draws(&other, i);
	}
	igt_nv3_pio_run_ok(&pio);
	assert_flipped(s, flips, blanks(s) - before);
	igt_nv3_client_fini(&other);
	close(other.fd);
	igt_nv3_pio_fini(&pio);
}

static void test_bad(struct screen *s)
{
	struct drm_nv3_flip_args args = { .flags = 1 };
	struct igt_nv3_client client;
	uint32_t small, other;

	igt_nv3_client_init_lr(&client, s->fd);
	igt_assert_eq(__igt_nv3_object(s->fd, client.channel, FLIP,
				       DRM_NV3_CLASS_FLIP, &args,
				       sizeof(args)), -EINVAL);
	flip_object(&client);
	igt_nv3_method(&client.batch, SUB, NV3_FLIP_WAIT, 61);
	igt_assert_eq(fault_of(&client), DRM_NV3_FAULT_DATA);
	igt_nv3_client_fini(&client);

	igt_nv3_client_init_lr(&client, s->fd);
	flip_object(&client);
	igt_nv3_method(&client.batch, SUB, 0x308, 0);
	igt_assert_eq(fault_of(&client), DRM_NV3_FAULT_METHOD);
	igt_nv3_client_fini(&client);

	small = add_fb(s, &s->bo[1], s->mode.hdisplay / 2,
		       DRM_FORMAT_XRGB1555);
	other = add_fb(s, &s->bo[1], s->mode.hdisplay, DRM_FORMAT_RGB565);
	expect_flip(s, s->fd, 0, DRM_NV3_FAULT_DATA);
	expect_flip(s, s->fd, 0xdead, DRM_NV3_FAULT_DATA);
	expect_flip(s, s->fd, small, DRM_NV3_FAULT_DATA);
	expect_flip(s, s->fd, other, DRM_NV3_FAULT_DATA);
	expect_flip(s, s->fd, s->fb[1], DRM_NV3_FAULT_NONE);
	drmModeRmFB(s->fd, small);
	drmModeRmFB(s->fd, other);
}

static void test_denied(struct screen *s)
{
	int other = drm_reopen_driver(s->fd);
	struct igt_nv3_client client;

	igt_assert(!drmIsMaster(other));
	expect_flip(s, other, s->fb[1], DRM_NV3_FAULT_DENIED);
	igt_assert_eq_u32(shown(s), s->fb[0]);

	/* This client is DRM master when it creates its flip object, but not when it flips. */
	igt_nv3_client_init_lr(&client, s->fd);
	flip_object(&client);
	igt_assert_eq(drmDropMaster(s->fd), 0);
	flip(&client, s->fb[1]);
	igt_assert_eq(fault_of(&client), DRM_NV3_FAULT_DENIED);
	igt_nv3_client_fini(&client);
	igt_assert_eq(drmSetMaster(s->fd), 0);
	igt_assert_eq_u32(shown(s), s->fb[0]);
	expect_flip(s, s->fd, s->fb[1], DRM_NV3_FAULT_NONE);
	igt_assert_eq_u32(shown(s), s->fb[1]);
	close(other);
}

static void test_drm_lease(struct screen *s)
{
	uint32_t objects[] = { s->crtc, s->connector, s->plane }, lessee;
	struct igt_nv3_client client;
	int lease;

	lease = drmModeCreateLease(s->fd, objects, ARRAY_SIZE(objects),
				   O_CLOEXEC, &lessee);
	igt_assert_lte(0, lease);
	expect_flip(s, lease, s->fb[1], DRM_NV3_FAULT_NONE);
	igt_assert_eq_u32(shown(s), s->fb[1]);

	igt_nv3_client_init_lr(&client, lease);
	flip_object(&client);
	igt_assert_eq(drmModeRevokeLease(s->fd, lessee), 0);
	flip(&client, s->fb[0]);
	igt_assert_eq(fault_of(&client), DRM_NV3_FAULT_DENIED);
	igt_assert_eq_u32(shown(s), s->fb[1]);
	igt_nv3_client_fini(&client);
	close(lease);
}

static void test_dark(struct screen *s)
{
	struct igt_nv3_client client;

	set_mode(s, 0);
	igt_nv3_client_init_lr(&client, s->fd);
	flip_object(&client);
	igt_nv3_method(&client.batch, SUB, NV3_FLIP_WAIT, 60);
	igt_nv3_run_ok(&client.batch);
	flip(&client, s->fb[1]);
	igt_assert_eq(fault_of(&client), DRM_NV3_FAULT_DATA);
	igt_nv3_client_fini(&client);
	set_mode(s, s->fb[0]);
}

/*
 * Each wait for 60 vertical blanks takes a second. All waits of the batch would take a thousand
 * seconds, which exceeds the time limit for the waits of a batch.
 */
static void test_sum(struct screen *s)
{
	struct igt_nv3_client client;
	uint32_t before = blanks(s), i;

	igt_nv3_client_init_lr(&client, s->fd);
	flip_object(&client);
	for (i = 0; i < 1000; i++)
		igt_nv3_method(&client.batch, SUB, NV3_FLIP_WAIT, 60);
	igt_assert_eq(fault_of(&client), DRM_NV3_FAULT_TIMEOUT);
	igt_info("%u frames\n", blanks(s) - before);
	igt_nv3_client_fini(&client);
}

/*
 * Clients close files and destroy channels while the channels wait for a flip or for vertical
 * blanks.
 */
static void test_close(struct screen *s)
{
	struct igt_nv3_client client;
	int round;

	for (round = 0; round < 10; round++) {
		int other = drm_reopen_driver(s->fd);

		igt_nv3_client_init_lr(&client, other);
		flip_object(&client);
		igt_nv3_method(&client.batch, SUB, NV3_FLIP_WAIT, 60);
		igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
		close(other);
		igt_nv3_client_init_lr(&client, s->fd);
		flip_object(&client);
		flip(&client, s->fb[round % FBS]);
		igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
		igt_nv3_client_fini(&client);
	}
	expect_flip(s, s->fd, s->fb[0], DRM_NV3_FAULT_NONE);
}

/* Waits until @count more vertical blanks have begun. */
static void wait_blanks(struct screen *s, uint32_t count)
{
	drmVBlank vbl = {
		.request = { .type = DRM_VBLANK_RELATIVE, .sequence = count },
	};

	igt_assert_eq(drmWaitVBlank(s->fd, &vbl), 0);
}

static int make_semaphore(struct igt_nv3_client *client, uint32_t i)
{
	struct drm_nv3_semaphore_args args = { .handle = client->color.handle };

	return __igt_nv3_object(client->fd, client->channel, SEMAPHORE(i),
				DRM_NV3_CLASS_SEMAPHORE, &args, sizeof(args));
}

/* Creates as many semaphores as a channel can have, destroys them, and creates them again. */
static void renew_semaphores(struct screen *s)
{
	struct igt_nv3_client client;
	uint32_t i, count = 0;

	igt_nv3_client_init_lr(&client, s->fd);
	while (!make_semaphore(&client, count))
		count++;
	for (i = 0; i < count; i++)
		igt_assert_eq(__igt_nv3_object_destroy(client.fd,
						       client.channel,
						       SEMAPHORE(i)), 0);
	for (i = 0; i < count; i++)
		igt_assert_eq(make_semaphore(&client, i), 0);
	igt_nv3_client_fini(&client);
}

/*
 * A client closes its file while its channel waits for 60 vertical blanks. Destroying the channel
 * or other clients' objects must not wait for these vertical blanks.
 */
static void test_abandon(struct screen *s)
{
	struct igt_nv3_client client;
	int other = drm_reopen_driver(s->fd);
	uint32_t before = blanks(s), frames;

	igt_nv3_client_init_lr(&client, other);
	flip_object(&client);
	igt_nv3_method(&client.batch, SUB, NV3_FLIP_WAIT, 60);
	igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	wait_blanks(s, 2);
	igt_nv3_client_fini(&client);
	close(other);
	wait_blanks(s, 2);
	renew_semaphores(s);
	frames = blanks(s) - before;
	igt_info("%u frames\n", frames);
	igt_assert_lte(frames, 40);
}

int igt_main()
{
	struct screen screen = { 0 };

	igt_fixture()
		screen_init(&screen, igt_nv3_open());

	igt_describe("Invalid arguments, methods and frame buffers cause faults.");
	igt_subtest("bad")
		test_bad(&screen);

	igt_describe("A wait ends after the given number of vertical blanks.");
	igt_subtest("wait")
		test_wait(&screen);

	igt_describe("A batch that draws and flips repeatedly shows each frame.");
	igt_subtest("flip")
		test_flip(&screen);

	igt_describe("Stores to a USER aperture that draw and flip show each frame.");
	igt_subtest("pio")
		test_pio(&screen);

	igt_fixture()
		set_mode(&screen, screen.fb[0]);

	igt_describe("Only the DRM master can flip.");
	igt_subtest("denied")
		test_denied(&screen);

	igt_describe("The holder of a DRM lease can flip until the lease is revoked.");
	igt_subtest("drm-lease")
		test_drm_lease(&screen);

	igt_describe("Waits and flips without an active mode cause faults.");
	igt_subtest("dark")
		test_dark(&screen);

	igt_describe("A batch waits for the display for at most ten seconds in total.");
	igt_subtest("sum")
		test_sum(&screen);

	igt_describe("Clients can exit while they wait for the display.");
	igt_subtest("close")
		test_close(&screen);

	igt_describe("Objects can be destroyed while the channel of an exited client waits.");
	igt_subtest("abandon")
		test_abandon(&screen);

	igt_fixture() {
		screen_fini(&screen);
		drm_close_driver(screen.fd);
	}
}
