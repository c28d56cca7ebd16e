/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "igt.h"
#include "igt_nv3_pio.h"

IGT_TEST_DESCRIPTION("PIO channels: methods stored to a mapped USER aperture.");

#define OBJECT		0x1000
#define MEMORIES	256	/* Maximum number of a channel's objects that refer to a buffer */

/* ---- the ioctls ---- */

static void test_create(int fd)
{
	uint32_t dma = igt_nv3_channel_create(fd), channel;
	struct drm_nv3_channel_create bad = {
		.type = DRM_NV3_CHANNEL_PIO, .flags = 2,
	};
	struct igt_nv3_batch batch;
	uint64_t offset;

	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &bad, EINVAL);
	igt_assert_eq(__igt_nv3_pio_create(fd, &channel, &offset), 0);
	igt_assert(offset != 0);

	/* SUBMIT fails for PIO channels, and CHANNEL_FLUSH fails for DMA channels. */
	igt_nv3_batch_init(&batch, fd, channel);
	igt_nv3_word(&batch, 0);
	igt_assert_eq(__igt_nv3_submit(&batch, 0), -EINVAL);
	igt_nv3_batch_fini(&batch);
	igt_assert_eq(__igt_nv3_flush(fd, dma, 0, 0), -EINVAL);

	igt_nv3_channel_destroy(fd, channel);
	igt_nv3_channel_destroy(fd, dma);
}

static void test_flush_bad(int fd)
{
	struct drm_nv3_channel_flush req = { 0 };
	uint64_t offset;
	uint32_t channel;

	igt_assert_eq(__igt_nv3_pio_create(fd, &channel, &offset), 0);
	req.channel = channel;
	do_ioctl(fd, DRM_IOCTL_NV3_CHANNEL_FLUSH, &req);
	req.flags = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_FLUSH, &req, EINVAL);
	req.flags = 0;
	req.pad = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_FLUSH, &req, EINVAL);
	req.pad = 0;
	req.point = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_FLUSH, &req, EINVAL);
	req.syncobj = 0xdead;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_FLUSH, &req, ENOENT);
	igt_nv3_channel_destroy(fd, channel);
	igt_assert_eq(__igt_nv3_flush(fd, channel, 0, 0), -ENOENT);
}

/* ---- mapping ---- */

static void assert_no_map(int fd, uint64_t offset, size_t size, int prot,
			  int flags)
{
	void *map = mmap(NULL, size, prot, flags, fd, offset);

	igt_assert_f(map == MAP_FAILED,
		     "%zu bytes at %#llx, prot %#x, flags %#x\n", size,
		     (unsigned long long)offset, prot, flags);
}

static void test_map(int fd)
{
	const int rw = PROT_READ | PROT_WRITE;
	int other = drm_reopen_driver(fd);
	uint32_t channel, second;
	uint64_t offset, next;
	void *map;

	igt_assert_eq(__igt_nv3_pio_create(fd, &channel, &offset), 0);
	igt_assert_eq(__igt_nv3_pio_create(fd, &second, &next), 0);
	igt_assert(offset != next);

	assert_no_map(fd, offset, IGT_NV3_APERTURE, rw, MAP_PRIVATE);
	assert_no_map(fd, offset, IGT_NV3_APERTURE, rw | PROT_EXEC, MAP_SHARED);
	assert_no_map(fd, offset, IGT_NV3_APERTURE + 4096, rw, MAP_SHARED);
	assert_no_map(fd, offset, 2 * IGT_NV3_APERTURE, rw, MAP_SHARED);
	assert_no_map(fd, offset + 4096, 4096, rw, MAP_SHARED);
	assert_no_map(fd, offset - 4096, 8192, rw, MAP_SHARED);
	/* Another file, even of the same process, can't map the aperture. */
	assert_no_map(other, offset, IGT_NV3_APERTURE, rw, MAP_SHARED);

	/*
	 * A partial mapping must start at the beginning of the aperture. The mapping can neither
	 * grow nor become executable. After the channel is destroyed, its aperture can't be mapped.
	 */
	map = mmap(NULL, 4096, rw, MAP_SHARED, fd, offset);
	igt_assert(map != MAP_FAILED);
	igt_assert(mremap(map, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED);
	igt_assert(mprotect(map, 4096, rw | PROT_EXEC) != 0);
	munmap(map, 4096);

	igt_nv3_channel_destroy(fd, channel);
	assert_no_map(fd, offset, IGT_NV3_APERTURE, rw, MAP_SHARED);
	igt_nv3_channel_destroy(fd, second);
	close(other);
}

/* Two mappings of an aperture access the same registers, even if one of the mappings is partial. */
static void test_map_twice(int fd)
{
	struct igt_nv3_pio pio;
	volatile uint32_t *again;

	igt_nv3_pio_init(&pio, fd);
	again = mmap(NULL, 0x4000, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		     pio.offset);
	igt_assert(again != MAP_FAILED);

	igt_nv3_poke(&pio, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, 0x1234);
	again[(IGT_NV3_SUB_RECT * 0x2000 + NV3_RECT_POINT(0)) / 4] = 5 << 16 | 4;
	igt_nv3_poke(&pio, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0) + 4,
		     7 << 16 | 6);
	igt_nv3_pio_run_ok(&pio);
	igt_nv3_assert_rect(&pio.client, 4, 5, 6, 7, 0x1234, 0);

	munmap((void *)again, 0x4000);
	igt_nv3_pio_assert_draws(&pio, 1);
	igt_nv3_pio_fini(&pio);
}

/* The child of fork() has no mapping of the aperture. */
static void test_fork(int fd)
{
	struct igt_nv3_pio pio;
	int status;
	pid_t pid;

	igt_nv3_pio_init(&pio, fd);
	pid = fork();
	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		pio.aperture[NV3_RECT_COLOR / 4] = 0;
		_exit(0);
	}
	igt_assert_eq(waitpid(pid, &status, 0), pid);
	igt_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	igt_nv3_pio_assert_draws(&pio, 1);
	igt_nv3_pio_fini(&pio);
}

/* ---- drawing ---- */

static void test_draw(int fd)
{
	struct igt_nv3_pio pio;
	uint32_t seed;

	igt_nv3_pio_init(&pio, fd);
	for (seed = 0; seed < 200; seed++)
		igt_nv3_pio_assert_draws(&pio, seed);
	igt_nv3_pio_fini(&pio);
}

/* GEM_WAIT ends the PIO timeslice without CHANNEL_FLUSH. */
static void test_gem_wait(int fd)
{
	struct igt_nv3_pio pio;
	uint32_t i;

	igt_nv3_pio_init(&pio, fd);
	for (i = 0; i < 20; i++) {
		igt_nv3_pio_fill(&pio, 0, 0, 64, 64, i);
		igt_nv3_bo_wait(&pio.client.color);
		igt_nv3_assert_rect(&pio.client, 0, 0, 0, 0, 0, i);
	}
	igt_nv3_pio_fini(&pio);
}

static void test_syncobj(int fd)
{
	uint32_t handle = 0, first = 0;
	struct igt_nv3_pio pio;
	uint64_t point;

	igt_nv3_pio_init(&pio, fd);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &handle), 0);
	for (point = 1; point <= 20; point++) {
		igt_nv3_pio_fill(&pio, 0, 0, 64, 64, point);
		igt_assert_eq(__igt_nv3_flush(fd, pio.client.channel, handle,
					      point), 0);
		igt_assert_eq(drmSyncobjTimelineWait(fd, &handle, &point, 1,
						     INT64_MAX, 0, &first), 0);
		igt_nv3_assert_rect(&pio.client, 0, 0, 0, 0, 0, point);
	}
	/* A flush signals its syncobj even if no methods were stored before it. */
	igt_assert_eq(__igt_nv3_flush(fd, pio.client.channel, handle, point),
		      0);
	igt_assert_eq(drmSyncobjTimelineWait(fd, &handle, &point, 1, INT64_MAX,
					     0, &first), 0);
	drmSyncobjDestroy(fd, handle);
	igt_nv3_pio_fini(&pio);
}

/* All eight subchannels keep their objects between timeslices. */
static void test_subchannels(int fd)
{
	struct igt_nv3_pio pio, other;
	uint32_t subch, round;

	igt_nv3_pio_init(&pio, fd);
	igt_nv3_pio_init(&other, fd);
	for (subch = 1; subch < 8; subch++) {
		igt_nv3_graph(fd, pio.client.channel, OBJECT + subch,
			      NV3_CLASS_RECT, 1);
		igt_nv3_store(&pio, subch, NV3_MTHD_OBJECT, OBJECT + subch);
	}
	for (round = 0; round < 8; round++) {
		for (subch = 1; subch < 8; subch++) {
			igt_nv3_store(&pio, subch, NV3_RECT_COLOR,
				      round << 4 | subch);
			igt_nv3_store(&pio, subch, NV3_RECT_POINT(0),
				      round << 16 | subch);
			igt_nv3_store(&pio, subch, NV3_RECT_POINT(0) + 4,
				      1 << 16 | 1);
		}
		igt_nv3_pio_run_ok(&pio);
		igt_nv3_pio_assert_draws(&other, round);
	}
	for (round = 0; round < 8; round++) {
		for (subch = 1; subch < 8; subch++)
			igt_assert_eq(igt_nv3_pixel(&pio.client, subch, round),
				      round << 4 | subch);
	}
	igt_nv3_pio_fini(&other);
	igt_nv3_pio_fini(&pio);
}

/*
 * A PIO timeslice ends after the method POINT of a rectangle. Other channels run before the client
 * stores SIZE.
 */
static void test_preempted(int fd)
{
	struct igt_nv3_pio pio, other;
	struct igt_nv3_client dma;
	uint32_t i;

	igt_nv3_pio_init(&pio, fd);
	igt_nv3_pio_init(&other, fd);
	igt_nv3_client_init(&dma, fd);
	for (i = 0; i < 20; i++) {
		igt_nv3_store(&pio, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, i + 1);
		igt_nv3_pio_run_ok(&pio);
		igt_nv3_assert_draws(&dma, i);
		igt_nv3_store(&pio, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0),
			      i << 16 | 2 * i);
		igt_nv3_pio_run_ok(&pio);
		igt_nv3_pio_assert_draws(&other, i);
		igt_nv3_store(&pio, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0) + 4,
			      1 << 16 | 2);
		igt_nv3_pio_run_ok(&pio);
	}
	for (i = 0; i < 20; i++) {
		igt_assert_eq(igt_nv3_pixel(&pio.client, 2 * i, i), i + 1);
		igt_assert_eq(igt_nv3_pixel(&pio.client, 2 * i + 1, i), i + 1);
		igt_assert_eq(igt_nv3_pixel(&pio.client, 2 * i + 2, i), 0);
	}
	igt_nv3_client_fini(&dma);
	igt_nv3_pio_fini(&other);
	igt_nv3_pio_fini(&pio);
}

/* Size of an NvNotification, and offset of its 16-bit status, both in bytes */
#define NOTIFICATION		16
#define NOTIFICATION_STATUS	14

/*
 * The client requests a notification in one timeslice, and the chip writes the notification in a
 * later timeslice. Other channels draw in between.
 */
static void test_preempted_notify(int fd)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = 1,
		.dma_notify = OBJECT,
	};
	struct igt_nv3_client dma;
	struct igt_nv3_pio pio;
	struct igt_nv3_bo bo;
	uint32_t i;

	igt_nv3_pio_init(&pio, fd);
	igt_nv3_client_init(&dma, fd);
	bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	igt_nv3_dma(fd, pio.client.channel, OBJECT, &bo, DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(fd, pio.client.channel, OBJECT + 1,
				       NV3_CLASS_RECT, &args, sizeof(args)), 0);
	igt_nv3_store(&pio, 3, NV3_MTHD_OBJECT, OBJECT + 1);
	for (i = 0; i < 16; i++) {
		volatile uint16_t *status = (volatile uint16_t *)
			((char *)bo.map + i * NOTIFICATION +
			 NOTIFICATION_STATUS);

		*status = 0x5555;
		igt_nv3_store(&pio, 3, NV3_MTHD_NOTIFY, i);
		igt_nv3_pio_run_ok(&pio);
		igt_assert_eq_u32(*status, 0x5555);
		igt_nv3_assert_draws(&dma, i);
		igt_nv3_store(&pio, 3, NV3_RECT_COLOR, i);
		igt_nv3_pio_run_ok(&pio);
		igt_assert_eq_u32(*status, 0);
	}
	igt_nv3_bo_destroy(&bo);
	igt_nv3_client_fini(&dma);
	igt_nv3_pio_fini(&pio);
}

/* Creates and destroys objects between the stores of a PIO timeslice. */
static void test_objects(int fd)
{
	struct igt_nv3_pio pio;
	struct igt_nv3_bo bos[16];
	uint32_t i;

	igt_nv3_pio_init(&pio, fd);
	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		igt_nv3_pio_fill(&pio, i, 0, 1, 1, 0x100 + i);
		bos[i] = igt_nv3_bo_create(fd, 2 * 64 * 64, DRM_NV3_GEM_VRAM);
		igt_nv3_surface(fd, pio.client.channel, OBJECT, 0,
				DRM_NV3_FORMAT_X1R5G5B5, &bos[i], 128, 64, 64);
		igt_nv3_store(&pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT, OBJECT);
		igt_nv3_pio_fill(&pio, 0, 0, 64, 64, 0x200 + i);
		igt_nv3_store(&pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT,
			      IGT_NV3_COLOR);
		igt_assert_eq(__igt_nv3_object_destroy(fd, pio.client.channel,
						       OBJECT), 0);
	}
	igt_nv3_pio_run_ok(&pio);
	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		igt_nv3_bo_wait(&bos[i]);
		igt_assert_eq(igt_nv3_pixel(&pio.client, i, 0), 0x100 + i);
		igt_assert_eq_u32(((uint16_t *)bos[i].map)[64 * 64 - 1] & 0x7fff,
				  0x200 + i);
		igt_nv3_bo_destroy(&bos[i]);
	}
	/* The object with this handle has been destroyed. */
	igt_nv3_store(&pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT, OBJECT);
	igt_nv3_pio_run(&pio);
	igt_assert_eq_u32(igt_nv3_fault(fd, pio.client.channel, NULL),
			  DRM_NV3_FAULT_NAME);
	igt_nv3_pio_fini(&pio);
}

/*
 * Only a limited number of a PIO channel's objects can refer to buffers. At the limit, creating
 * another such object fails, even during a timeslice. Binding the handle of the object that could
 * not be created causes a fault.
 */
static void test_object_limit(int fd)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	struct drm_nv3_dma_args args = { .handle = bo.handle, .size = bo.size };
	struct igt_nv3_pio pio;
	uint32_t i;

	igt_nv3_pio_init(&pio, fd);
	/* The surface also counts as an object that refers to a buffer. */
	for (i = 1; i < MEMORIES; i++)
		igt_nv3_dma(fd, pio.client.channel, OBJECT + i, &bo, 0);
	igt_nv3_pio_fill(&pio, 0, 0, 8, 8, 0x1234);
	igt_assert_eq(__igt_nv3_object(fd, pio.client.channel, OBJECT,
				       DRM_NV3_CLASS_DMA, &args, sizeof(args)),
		      -ENOSPC);
	igt_nv3_pio_assert_draws(&pio, 1);
	igt_assert_eq(__igt_nv3_object_destroy(fd, pio.client.channel,
					       OBJECT + 1), 0);
	igt_nv3_dma(fd, pio.client.channel, OBJECT + 1, &bo, 0);
	igt_nv3_pio_assert_draws(&pio, 2);
	/* Binding an existing DMA object would cause the fault DATA. */
	igt_nv3_store(&pio, IGT_NV3_SUB_FREE, NV3_MTHD_OBJECT, OBJECT);
	igt_nv3_pio_run(&pio);
	igt_assert_eq_u32(igt_nv3_fault(fd, pio.client.channel, NULL),
			  DRM_NV3_FAULT_NAME);
	igt_nv3_pio_fini(&pio);
	igt_nv3_bo_destroy(&bo);
}

/* Uses all channels at once. */
static void test_channels(int fd)
{
	const uint32_t count = igt_nv3_param(fd, DRM_NV3_PARAM_CHANNELS);
	struct igt_nv3_pio *pio = calloc(count, sizeof(*pio));
	uint32_t i, round, channel;
	uint64_t offset;

	igt_assert(pio);
	for (i = 0; i < count; i++)
		igt_nv3_pio_init(&pio[i], fd);
	igt_assert_eq(__igt_nv3_pio_create(fd, &channel, &offset), -ENOSPC);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < count; i++)
			igt_nv3_pio_fill(&pio[i], i % 60, i % 50, 3, 4,
					 i + round);
		for (i = 0; i < count; i++)
			igt_nv3_pio_run_ok(&pio[i]);
	}
	for (i = 0; i < count; i++) {
		igt_nv3_assert_rect(&pio[i].client, i % 60, i % 50, 3, 4,
				    i + 1, 0);
		igt_nv3_pio_fini(&pio[i]);
	}
	free(pio);
}

/* ---- stores that respect the free count, and stores that ignore it ---- */

static void test_free_count(int fd)
{
	struct igt_nv3_pio pio;
	uint64_t before = igt_nv3_param(fd, DRM_NV3_PARAM_RUNOUTS);
	uint32_t i, max, room;

	igt_nv3_pio_init(&pio, fd);
	max = pio.aperture[IGT_NV3_FREE / 4];
	igt_assert(max == IGT_NV3_FREE_MAX || max == 31 * 4);
	/* A load of 16 or 32 bits can read the free count in the range of each subchannel. */
	for (i = 0; i < 8; i++) {
		igt_assert_eq_u32(pio.aperture[(i * 0x2000 + IGT_NV3_FREE) / 4],
				  max);
		igt_assert_eq_u32(*(volatile uint16_t *)
				  (pio.aperture + (i * 0x2000 + IGT_NV3_FREE) / 4),
				  max);
	}
	pio.room = 0;
	for (i = 0; i < 5000; i++) {
		if (!pio.room) {
			room = pio.aperture[IGT_NV3_FREE / 4];
			igt_assert(room <= max && room % 4 == 0);
			pio.room = room;
		}
		igt_nv3_pio_fill(&pio, 0, 0, 64, 64, i);
	}
	igt_nv3_pio_run_ok(&pio);
	igt_nv3_assert_rect(&pio.client, 0, 0, 0, 0, 0, 4999);
	/* Stores never overflow CACHE1 if the client respects the free count. */
	igt_assert_eq_u64(igt_nv3_param(fd, DRM_NV3_PARAM_RUNOUTS), before);
	igt_nv3_pio_fini(&pio);
}

/* Creates and binds a surface that the chip takes a long time to fill. */
static void big_surface(struct igt_nv3_pio *pio, struct igt_nv3_bo *bo)
{
	*bo = igt_nv3_bo_create(pio->client.fd, 1024 * 512 * 2,
				DRM_NV3_GEM_VRAM);
	igt_nv3_surface(pio->client.fd, pio->client.channel, OBJECT, 0,
			DRM_NV3_FORMAT_X1R5G5B5, bo, 2048, 1024, 512);
	igt_nv3_store(pio, IGT_NV3_SUB_COLOR, NV3_MTHD_OBJECT, OBJECT);
	igt_nv3_pio_run_ok(pio);
}

/*
 * The client stores the methods of STAIRS fills without reading the free count. These methods
 * overflow CACHE1, but fit into RAMRO. Each fill is one line shorter than the previous fill, so the
 * picture shows whether the fills were executed in order.
 */
#define STAIRS	250

static void poke_stairs(struct igt_nv3_pio *pio, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < STAIRS; i++) {
		igt_nv3_poke(pio, IGT_NV3_SUB_RECT, NV3_RECT_COLOR,
			     (seed + i) & 0x7fff);
		igt_nv3_poke(pio, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), i << 16);
		igt_nv3_poke(pio, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0) + 4,
			     (512 - i) << 16 | 1024);
	}
	pio->room = 0;
}

static void assert_stairs(const struct igt_nv3_bo *bo, uint32_t seed)
{
	const uint16_t *pixel = bo->map;
	uint32_t x, y;

	for (y = 0; y < 512; y++) {
		uint32_t i = y < STAIRS ? y : STAIRS - 1;

		for (x = 0; x < 1024; x += 31)
			igt_assert_eq_u32(pixel[y * 1024 + x] & 0x7fff,
					  (seed + i) & 0x7fff);
	}
}

static void test_runout(int fd)
{
	struct igt_nv3_pio pio;
	struct igt_nv3_client other;
	struct igt_nv3_bo bo;
	uint64_t before = igt_nv3_param(fd, DRM_NV3_PARAM_RUNOUTS);
	uint32_t round;

	igt_nv3_pio_init(&pio, fd);
	igt_nv3_client_init(&other, fd);
	big_surface(&pio, &bo);
	for (round = 0; round < 5 ||
	     igt_nv3_param(fd, DRM_NV3_PARAM_RUNOUTS) == before; round++) {
		igt_assert_lt(round, 100);
		poke_stairs(&pio, round * 1000);
		igt_nv3_pio_run_ok(&pio);
		igt_nv3_bo_wait(&bo);
		assert_stairs(&bo, round * 1000);
		igt_nv3_assert_draws(&other, round);
	}
	igt_info("%llu methods overflowed to RAMRO and were replayed\n",
		 (unsigned long long)
		 (igt_nv3_param(fd, DRM_NV3_PARAM_RUNOUTS) - before));
	igt_nv3_bo_destroy(&bo);
	igt_nv3_client_fini(&other);
	igt_nv3_pio_fini(&pio);
}

/*
 * Stores @methods methods without reading the free count. RAMRO may overflow, depending on the
 * host's speed. An overflow must not affect other channels.
 */
static void flood(struct igt_nv3_pio *pio, uint32_t methods)
{
	uint32_t i;

	for (i = 0; i < methods; i++)
		igt_nv3_poke(pio, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, i);
}

static void test_flood(int fd)
{
	struct igt_nv3_pio pio, good;
	struct igt_nv3_client dma;
	uint32_t fault, round;

	igt_nv3_pio_init(&good, drm_reopen_driver(fd));
	igt_nv3_client_init(&dma, good.client.fd);
	igt_fork(child, 1) {
		int own = drm_reopen_driver(fd);

		for (round = 0; round < 5; round++) {
			igt_nv3_pio_init(&pio, own);
			flood(&pio, 20000);
			igt_nv3_pio_run(&pio);
			fault = igt_nv3_fault(own, pio.client.channel, NULL);
			igt_assert(fault == DRM_NV3_FAULT_NONE ||
				   fault == DRM_NV3_FAULT_RUNOUT);
			igt_nv3_pio_fini(&pio);
		}
		close(own);
	}
	for (round = 0; round < 50; round++) {
		igt_nv3_pio_assert_draws(&good, round);
		igt_nv3_assert_draws(&dma, round);
	}
	igt_waitchildren();
	igt_nv3_client_fini(&dma);
	igt_nv3_pio_fini(&good);
	close(good.client.fd);
}

/* ---- ends of channels ---- */

enum access {
	ACCESS_LOAD,
	ACCESS_BYTE,
	ACCESS_HALF,
	ACCESS_RESERVED,
	ACCESS_FREE,
};

static void do_access(struct igt_nv3_pio *pio, enum access access)
{
	volatile uint32_t *word = pio->aperture +
				  (IGT_NV3_SUB_RECT * 0x2000 +
				   NV3_RECT_COLOR) / 4;

	switch (access) {
	case ACCESS_LOAD:
		(void)*word;
		break;
	case ACCESS_BYTE:
		*(volatile uint8_t *)word = 1;
		break;
	case ACCESS_HALF:
		*(volatile uint16_t *)word = 1;
		break;
	case ACCESS_RESERVED:
		pio->aperture[0x80 / 4] = 1;
		break;
	case ACCESS_FREE:
		pio->aperture[IGT_NV3_FREE / 4] = 1;
		break;
	}
}

/*
 * After a channel has faulted, stores to its USER aperture have no effect, and a flush returns an
 * error.
 */
static void assert_gone(struct igt_nv3_pio *pio)
{
	uint32_t i;

	memset(pio->client.color.map, 0x55, pio->client.color.size);
	pio->room = 0;
	for (i = 0; i < 100; i++)
		igt_nv3_pio_fill(pio, 0, 0, 64, 64, 0);
	igt_assert_eq(__igt_nv3_flush(pio->client.fd, pio->client.channel, 0,
				      0), -EIO);
	igt_nv3_bo_wait(&pio->client.color);
	igt_nv3_assert_rect(&pio->client, 0, 0, 0, 0, 0, 0x5555);
}

static void test_access(int fd)
{
	enum access access;
	struct igt_nv3_pio good;

	igt_nv3_pio_init(&good, fd);
	for (access = ACCESS_LOAD; access <= ACCESS_FREE; access++) {
		struct igt_nv3_pio pio;
		uint32_t fault;

		igt_nv3_pio_init(&pio, fd);
		igt_nv3_pio_fill(&pio, 0, 0, 1, 1, 0);
		do_access(&pio, access);
		igt_nv3_pio_run(&pio);
		fault = igt_nv3_fault(fd, pio.client.channel, NULL);
		igt_assert_f(fault == DRM_NV3_FAULT_ACCESS,
			     "kind %d: fault %u\n", access, fault);
		assert_gone(&pio);
		igt_nv3_pio_assert_draws(&good, access);
		igt_nv3_pio_fini(&pio);
	}
	igt_nv3_pio_fini(&good);
}

static void test_fault(int fd, uint32_t subch, uint32_t mthd, uint32_t data,
		       uint32_t want)
{
	struct drm_nv3_channel_query query;
	struct igt_nv3_pio pio, good;
	struct igt_nv3_client dma;

	igt_nv3_pio_init(&pio, fd);
	igt_nv3_pio_init(&good, fd);
	igt_nv3_client_init(&dma, fd);
	igt_nv3_pio_fill(&pio, 0, 0, 64, 64, 0x7fff);
	igt_nv3_store(&pio, subch, mthd, data);
	igt_nv3_pio_run(&pio);
	igt_nv3_fault(fd, pio.client.channel, &query);
	igt_assert_eq_u32(query.fault, want);
	igt_assert_eq_u32(query.subch, subch);
	igt_assert_eq_u32(query.method, mthd);
	igt_assert_eq_u32(query.data, data);
	/* The chip has executed the methods that precede the fault. */
	igt_nv3_bo_wait(&pio.client.color);
	igt_nv3_assert_rect(&pio.client, 0, 0, 0, 0, 0, 0x7fff);
	assert_gone(&pio);
	igt_nv3_pio_assert_draws(&good, 1);
	igt_nv3_assert_draws(&dma, 1);
	igt_nv3_client_fini(&dma);
	igt_nv3_pio_fini(&good);
	igt_nv3_pio_fini(&pio);
}

static void test_destroy(int fd)
{
	struct igt_nv3_pio pio, good;
	uint32_t round;

	igt_nv3_pio_init(&good, fd);
	for (round = 0; round < 20; round++) {
		igt_nv3_pio_init(&pio, fd);
		igt_nv3_pio_fill(&pio, 0, 0, 64, 64, 0x1111);
		igt_nv3_channel_destroy(fd, pio.client.channel);
		igt_nv3_pio_fill(&pio, 0, 0, 64, 64, 0x2222);
		igt_nv3_bo_wait(&pio.client.color);
		igt_nv3_assert_rect(&pio.client, 0, 0, 0, 0, 0, 0x1111);
		igt_nv3_pio_assert_draws(&good, round);
		munmap((void *)pio.aperture, IGT_NV3_APERTURE);
		igt_nv3_bo_destroy(&pio.client.color);
	}
	igt_nv3_pio_fini(&good);
}

static void test_close(int fd)
{
	struct igt_nv3_pio pio, good;
	uint32_t round;

	igt_nv3_pio_init(&good, fd);
	for (round = 0; round < 20; round++) {
		igt_nv3_pio_init(&pio, drm_reopen_driver(fd));
		igt_nv3_pio_fill(&pio, 0, 0, 64, 64, round);
		/* The mapping keeps the file open. */
		close(pio.client.fd);
		igt_nv3_pio_fill(&pio, 0, 0, 64, 64, round);
		munmap((void *)pio.aperture, IGT_NV3_APERTURE);
		munmap(pio.client.color.map, pio.client.color.size);
		igt_nv3_pio_assert_draws(&good, round);
	}
	igt_nv3_pio_fini(&good);
}

/*
 * Kills PIO clients at arbitrary times: while they store methods, wait for a timeslice or create a
 * channel. Checks that their channels are freed.
 */
static void test_kill(int fd)
{
	struct igt_nv3_pio good;
	struct igt_nv3_client dma;
	uint32_t round;

	igt_nv3_pio_init(&good, fd);
	igt_nv3_client_init(&dma, fd);
	for (round = 0; round < 10; round++) {
		igt_fork(child, 4) {
			int own = drm_reopen_driver(fd);
			struct igt_nv3_pio pio;

			igt_nv3_pio_init(&pio, own);
			for (;;) {
				igt_nv3_pio_assert_draws(&pio, child);
				if (child & 1)
					flood(&pio, 500);
			}
		}
		igt_nv3_pio_assert_draws(&good, round);
		igt_nv3_assert_draws(&dma, round);
		usleep(20000 + round * 7000);
		igt_kill_children(SIGKILL);
		igt_nv3_pio_assert_draws(&good, round);
		igt_nv3_assert_draws(&dma, round);
	}
	igt_nv3_client_fini(&dma);
	igt_nv3_pio_fini(&good);
	/*
	 * test_channels() can create all channels only if no channel of the killed clients is left.
	 */
	test_channels(fd);
}

/* ---- invalid accesses ---- */

#define HOSTILE_PICTURES	150

/*
 * Loads from the aperture at @offset, or stores @value there. @kind selects the direction and the
 * size of the access.
 */
static void hostile_access(struct igt_nv3_pio *pio, uint32_t offset,
			   uint32_t value, uint32_t kind)
{
	volatile uint8_t *byte = (volatile uint8_t *)pio->aperture + offset;

	switch (kind) {
	case 0:
		*byte = value;
		break;
	case 1:
		*(volatile uint16_t *)((uintptr_t)byte & ~1ul) = value;
		break;
	case 2:
		(void)*byte;
		break;
	case 3:
		(void)*(volatile uint32_t *)((uintptr_t)byte & ~3ul);
		break;
	case 4:
		*(volatile uint64_t *)((uintptr_t)byte & ~7ul) = value;
		break;
	default:
		*(volatile uint32_t *)((uintptr_t)byte & ~3ul) = value;
		break;
	}
}

/* An invalid access stops the channel, so most accesses are stores to valid methods. */
static void hostile(struct igt_nv3_pio *pio)
{
	uint32_t subch = random() % 8, count = 1 + random() % 40, mthd;

	if (random() % 4)
		igt_nv3_store(pio, subch, NV3_MTHD_OBJECT,
			      random() % 8 ? IGT_NV3_RECT : IGT_NV3_COLOR);
	while (count--) {
		mthd = random() % 4 ? 0x300 + 4 * (random() % 0x40) :
				      4 * (random() % 0x800);
		if (random() % 200)
			igt_nv3_store(pio, subch, mthd,
				      random() >> random() % 32);
		else
			hostile_access(pio, random() % IGT_NV3_APERTURE,
				       random(), random() % 8);
	}
}

static void hostile_client(int fd, volatile uint32_t *stop)
{
	struct igt_nv3_pio pio;
	uint32_t channels = 0;

	while (!*stop) {
		igt_nv3_pio_init(&pio, fd);
		while (!*stop && !igt_nv3_fault(fd, pio.client.channel, NULL))
			hostile(&pio);
		igt_nv3_pio_fini(&pio);
		channels++;
	}
	igt_info("%u channels\n", channels);
}

static void test_hostile(int fd)
{
	volatile uint32_t *stop = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint32_t seed = getenv("NV3_SEED") ? atoi(getenv("NV3_SEED")) : 1;
	struct igt_nv3_pio good;
	struct igt_nv3_client dma;
	uint32_t i;

	igt_assert(stop != MAP_FAILED);
	igt_nv3_pio_init(&good, fd);
	igt_nv3_client_init(&dma, fd);
	igt_fork(child, 2) {
		int own = drm_reopen_driver(fd);

		srandom(seed * 2 + child);
		hostile_client(own, stop);
		close(own);
	}
	for (i = 0; i < HOSTILE_PICTURES; i++) {
		igt_nv3_pio_assert_draws(&good, i);
		igt_nv3_assert_draws(&dma, i);
	}
	*stop = 1;
	igt_waitchildren();
	igt_nv3_client_fini(&dma);
	igt_nv3_pio_fini(&good);
	munmap((void *)stop, 4096);
}

int igt_main()
{
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_require_pio(fd);
	}

	igt_describe("Each kind of channel refuses the ioctls of the other one.");
	igt_subtest("create")
		test_create(fd);

	igt_describe("CHANNEL_FLUSH checks each field.");
	igt_subtest("flush-bad")
		test_flush_bad(fd);

	igt_describe("A USER aperture is mapped shared, from its start, by its own file.");
	igt_subtest("map")
		test_map(fd);

	igt_describe("Two mappings, one of them partial.");
	igt_subtest("map-twice")
		test_map_twice(fd);

	igt_describe("A child of fork() has no mapping of the aperture.");
	igt_subtest("fork")
		test_fork(fd);

	igt_describe("Stores draw correctly.");
	igt_subtest("draw")
		test_draw(fd);

	igt_describe("GEM_WAIT waits for stored methods.");
	igt_subtest("gem-wait")
		test_gem_wait(fd);

	igt_describe("A flush signals a point of a timeline.");
	igt_subtest("syncobj")
		test_syncobj(fd);

	igt_describe("All eight subchannels keep their objects.");
	igt_subtest("subchannels")
		test_subchannels(fd);

	igt_describe("A primitive continues after a preemption between its methods.");
	igt_subtest("preempted")
		test_preempted(fd);

	igt_describe("An armed notification survives a preemption.");
	igt_subtest("preempted-notify")
		test_preempted_notify(fd);

	igt_describe("Objects are created and destroyed between stores.");
	igt_subtest("objects")
		test_objects(fd);

	igt_describe("256 objects that refer to a buffer, and -ENOSPC beyond.");
	igt_subtest("object-limit")
		test_object_limit(fd);

	igt_describe("All channels have mapped USER apertures at once.");
	igt_subtest("channels")
		test_channels(fd);

	igt_describe("A client that reads the free count never overflows CACHE1.");
	igt_subtest("free-count")
		test_free_count(fd);

	igt_describe("Methods that overflow to RAMRO are replayed in order.");
	igt_subtest("runout")
		test_runout(fd);

	igt_describe("A flood of methods does not affect other clients.");
	igt_subtest("flood")
		test_flood(fd);

	igt_describe("Loads, parts of words and reserved offsets cause a fault.");
	igt_subtest("access")
		test_access(fd);

	igt_describe("Bind a handle that does not exist.");
	igt_subtest("fault-name")
		test_fault(fd, 5, NV3_MTHD_OBJECT, 0xbad, DRM_NV3_FAULT_NAME);

	igt_describe("Call a method that the class does not have.");
	igt_subtest("fault-method")
		test_fault(fd, IGT_NV3_SUB_RECT, 0x1f00, 0x1234,
			   DRM_NV3_FAULT_METHOD);

	igt_describe("Call a method on a subchannel without an object.");
	igt_subtest("fault-unbound")
		test_fault(fd, 7, 0x300, 1, DRM_NV3_FAULT_NAME);

	igt_describe("Destroy a channel whose USER aperture is mapped.");
	igt_subtest("destroy")
		test_destroy(fd);

	igt_describe("Close a file while a USER aperture is mapped.");
	igt_subtest("close")
		test_close(fd);

	igt_describe("Clients are killed while they draw.");
	igt_subtest("kill")
		test_kill(fd);

	igt_describe("Two clients store random values while others draw.");
	igt_subtest("hostile")
		test_hostile(fd);

	igt_fixture()
		drm_close_driver(fd);
}
