/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include <drm/vgem_drm.h>
#include <drm_fourcc.h>
#include <xf86drmMode.h>

#include "igt.h"
#include "igt_nv3.h"
#include "igt_nv3_kms.h"
#include "igt_nv3_late.h"
#include "igt_nv3_vgem.h"

IGT_TEST_DESCRIPTION("Buffers shared with another device, vgem.");

#define WIDTH	256
#define HEIGHT	64

/*
 * A time in nanoseconds that is longer than a copy takes, and shorter than the timeout of vgem's
 * fences. A copy that has not ended after this time must be waiting for a fence.
 */
#define FENCE_NS	200000000

#define UNMAP_MS	10000
#define FLIPS		8

/*
 * First mmap offset that DRM assigns, and number of bytes that test_no_mmap() searches beyond the
 * offset of its last buffer
 */
#define FIRST_OFFSET	(1ull << 32)
#define AROUND		(32ull << 20)

/* Submits a batch with a copy. @n has the same meaning as for igt_nv3_copy(). */
static void start_copy(struct igt_nv3_client *client, uint32_t n,
		       const struct igt_nv3_bo *in, const struct igt_nv3_bo *out)
{
	igt_nv3_copy(client, n, in, out);
	igt_assert_eq(__igt_nv3_submit(&client->batch, 0), 0);
}

static void copy(struct igt_nv3_client *client, const struct igt_nv3_bo *in,
		 const struct igt_nv3_bo *out)
{
	start_copy(client, 0, in, out);
	igt_nv3_bo_wait(out);
	igt_assert_eq_u32(igt_nv3_fault(client->fd, client->channel, NULL),
			  DRM_NV3_FAULT_NONE);
}

static void fill(struct igt_nv3_bo *bo, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < WIDTH * HEIGHT; i++)
		((uint32_t *)bo->map)[i] = i * 0x9e3779b9 + seed;
}

static void test_copy(int nv3, int vgem, bool to)
{
	struct igt_nv3_client client;
	struct igt_nv3_bo vram;
	struct igt_nv3_vgem s;

	igt_nv3_vgem_create(&s, nv3, vgem, WIDTH, HEIGHT);
	igt_nv3_client_init(&client, nv3);
	vram = igt_nv3_bo_create(nv3, s.bo.size, DRM_NV3_GEM_VRAM);
	fill(&s.bo, 1);
	fill(&vram, 2);
	copy(&client, to ? &vram : &s.bo, to ? &s.bo : &vram);
	igt_assert(!memcmp(s.bo.map, vram.map, WIDTH * HEIGHT * 4));
	igt_assert_eq_u32(*(uint32_t *)vram.map, to ? 2 : 1);

	igt_nv3_bo_destroy(&vram);
	igt_nv3_client_fini(&client);
	igt_nv3_vgem_destroy(&s);
}

/*
 * The client submits three batches without waiting in between. The second batch reads the data that
 * the first batch writes to another device's buffer. It must not read older data, which the CPU has
 * written to this buffer.
 */
static void test_chain(int nv3, int vgem)
{
	struct igt_nv3_client client;
	struct igt_nv3_bo first, last;
	struct igt_nv3_vgem s;

	igt_nv3_vgem_create(&s, nv3, vgem, WIDTH, HEIGHT);
	igt_nv3_client_init(&client, nv3);
	first = igt_nv3_bo_create(nv3, s.bo.size, DRM_NV3_GEM_VRAM);
	last = igt_nv3_bo_create(nv3, s.bo.size, DRM_NV3_GEM_VRAM);
	fill(&s.bo, 1);
	fill(&first, 2);
	start_copy(&client, 0, &first, &s.bo);
	start_copy(&client, 1, &s.bo, &last);
	igt_nv3_fill(&client, 0, 0, 64, 64, 0x1234);
	igt_nv3_run_ok(&client.batch);

	/* The last batch has completed, so the earlier batches have completed as well. */
	igt_assert(!memcmp(s.bo.map, first.map, WIDTH * HEIGHT * 4));
	igt_nv3_bo_wait(&last);
	igt_assert(!memcmp(last.map, first.map, WIDTH * HEIGHT * 4));
	igt_assert_eq_u32(*(uint32_t *)last.map, 2);

	igt_nv3_bo_destroy(&first);
	igt_nv3_bo_destroy(&last);
	igt_nv3_client_fini(&client);
	igt_nv3_vgem_destroy(&s);
}

/* SUBMIT can read the words of a batch from an imported buffer. */
static void test_pushbuffer(int nv3, int vgem)
{
	struct igt_nv3_client client;
	struct drm_nv3_segment segment = { 0 };
	struct drm_nv3_buffer buffer = { .flags = NV3_READ | NV3_WRITE };
	struct drm_nv3_submit submit = {
		.segment_count = 1, .segments = (uintptr_t)&segment,
		.buffer_count = 1, .buffers = (uintptr_t)&buffer,
		.segment_size = sizeof(segment), .buffer_size = sizeof(buffer),
	};
	struct igt_nv3_vgem s;

	igt_nv3_vgem_create(&s, nv3, vgem, WIDTH, HEIGHT);
	igt_nv3_client_init(&client, nv3);
	igt_nv3_fill(&client, 3, 4, 5, 6, 0x1234);
	memcpy(s.bo.map, client.batch.bo.map, client.batch.count * 4);
	segment.handle = s.bo.handle;
	segment.length = client.batch.count * 4;
	buffer.handle = client.color.handle;
	submit.channel = client.channel;
	do_ioctl(nv3, DRM_IOCTL_NV3_SUBMIT, &submit);
	igt_nv3_bo_wait(&client.color);
	igt_assert_eq(igt_nv3_pixel(&client, 3, 4), 0x1234);
	client.batch.count = 0;
	client.batch.buffer_count = 0;
	igt_nv3_client_fini(&client);
	igt_nv3_vgem_destroy(&s);
}

/*
 * Adds a fence of vgem to the buffer @handle. A batch that lists the buffer must wait for this
 * fence.
 */
static void check_waits(struct igt_nv3_client *client, int vgem, uint32_t handle,
			const struct igt_nv3_bo *in, const struct igt_nv3_bo *out)
{
	struct drm_vgem_fence_attach attach = {
		.handle = handle, .flags = VGEM_FENCE_WRITE,
	};
	struct drm_vgem_fence_signal signal = { 0 };
	uint32_t before = *(uint32_t *)out->map;

	igt_assert_neq_u32(before, *(uint32_t *)in->map);
	do_ioctl(vgem, DRM_IOCTL_VGEM_FENCE_ATTACH, &attach);
	start_copy(client, 0, in, out);
	igt_assert_eq(__igt_nv3_gem_wait(client->fd, out->handle,
					 DRM_NV3_GEM_WAIT_WRITE, FENCE_NS), -ETIME);
	igt_assert_eq_u32(*(uint32_t *)out->map, before);

	signal.fence = attach.out_fence;
	do_ioctl(vgem, DRM_IOCTL_VGEM_FENCE_SIGNAL, &signal);
	igt_nv3_bo_wait(out);
	igt_assert(!memcmp(in->map, out->map, WIDTH * HEIGHT * 4));
}

/*
 * If @ours is true, nv3 creates the buffer and vgem imports it. Otherwise vgem creates the buffer
 * and nv3 imports it.
 */
static void test_fence(int nv3, int vgem, bool ours)
{
	struct igt_nv3_client client;
	struct igt_nv3_bo in, out;
	struct igt_nv3_vgem s;
	uint32_t handle;

	igt_nv3_vgem_create(&s, nv3, vgem, WIDTH, HEIGHT);
	igt_nv3_client_init(&client, nv3);
	in = igt_nv3_bo_create(nv3, s.bo.size, DRM_NV3_GEM_VRAM);
	out = igt_nv3_bo_create(nv3, s.bo.size,
				DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM);
	handle = igt_nv3_vgem_import(vgem, &out);
	fill(&in, 1);
	fill(&out, 2);
	fill(&s.bo, 3);
	check_waits(&client, vgem, ours ? handle : s.vgem_handle, &in,
		    ours ? &out : &s.bo);

	drmCloseBufferHandle(vgem, handle);
	igt_nv3_bo_destroy(&out);
	igt_nv3_bo_destroy(&in);
	igt_nv3_client_fini(&client);
	igt_nv3_vgem_destroy(&s);
}

/* Returns true if the guest has enough memory above 4 GiB for vgem's buffers. */
static bool has_high_memory(void)
{
	struct sysinfo info;

	igt_assert_eq(sysinfo(&info), 0);
	return (uint64_t)info.totalram * info.mem_unit > 5ull << 30;
}

/*
 * Returns the number of used slots of the swiotlb, or 0 if there is no swiotlb. The slots are
 * bounce buffers for memory that a device can't address.
 */
static int bounce_slots(void)
{
	FILE *f = fopen("/sys/kernel/debug/swiotlb/io_tlb_used", "r");
	int used = 0;

	if (!f)
		return 0;
	igt_assert_eq(fscanf(f, "%d", &used), 1);
	fclose(f);
	return used;
}

/*
 * Waits until the chip's bounce buffers are freed. The driver may delay the release of a channel
 * that has used such buffers.
 */
static void await_slots(int before)
{
	unsigned int ms;

	for (ms = 0; bounce_slots() != before; ms++) {
		igt_assert(ms < UNMAP_MS);
		usleep(1000);
	}
}

/*
 * If the CPU or another device writes data after the chip's last access, this data must survive the
 * release of the chip's bounce buffer. vgem does not sync its buffers on unmap, so the test uses a
 * DMA heap.
 */
static void test_close(int nv3, int heap)
{
	struct dma_heap_allocation_data data = {
		.len = WIDTH * HEIGHT * 4, .fd_flags = O_RDWR | O_CLOEXEC,
	};
	struct igt_nv3_client client;
	struct igt_nv3_bo theirs = { .fd = nv3, .size = WIDTH * HEIGHT * 4 };
	struct igt_nv3_bo ours = igt_nv3_bo_create(nv3, theirs.size, DRM_NV3_GEM_VRAM);
	int before = bounce_slots();

	do_ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &data);
	theirs.map = mmap(NULL, theirs.size, PROT_READ | PROT_WRITE, MAP_SHARED,
			  data.fd, 0);
	igt_assert(theirs.map != MAP_FAILED);
	igt_assert_eq(drmPrimeFDToHandle(nv3, data.fd, &theirs.handle), 0);
	igt_nv3_client_init(&client, nv3);
	fill(&theirs, 1);
	copy(&client, &theirs, &ours);
	igt_assert(!memcmp(theirs.map, ours.map, theirs.size));

	fill(&theirs, 2);
	fill(&ours, 2);
	igt_nv3_client_fini(&client);
	drmCloseBufferHandle(nv3, theirs.handle);
	await_slots(before);
	igt_assert(!memcmp(theirs.map, ours.map, theirs.size));
	munmap(theirs.map, theirs.size);
	close(data.fd);
	igt_nv3_bo_destroy(&ours);
}

static void test_vram_only(int nv3, int vgem)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(nv3, 4096, DRM_NV3_GEM_VRAM);
	uint32_t handle;
	int dmabuf;

	igt_assert_eq(drmPrimeHandleToFD(nv3, bo.handle, DRM_CLOEXEC, &dmabuf), 0);
	igt_assert_neq(drmPrimeFDToHandle(vgem, dmabuf, &handle), 0);
	close(dmabuf);
	igt_nv3_bo_destroy(&bo);
}

/* Imports an exported frame buffer into vgem. Returns 0 or a negative errno. */
static int import_fb(int vgem, int dmabuf, uint32_t *handle)
{
	return drmPrimeFDToHandle(vgem, dmabuf, handle) ? -errno : 0;
}

/*
 * A frame buffer on the screen is pinned in VRAM, so it can't be imported. A client may import the
 * frame buffer directly after a flip to another frame buffer. In this case, the import waits until
 * the first frame buffer is unpinned.
 */
static void test_flipped(int nv3, int vgem)
{
	struct igt_nv3_display display;
	struct igt_nv3_fb fb[2];
	int dmabuf[2], i;
	uint32_t handle;

	igt_nv3_display_init(&display, nv3);
	for (i = 0; i < 2; i++) {
		fb[i] = igt_nv3_fb_create(nv3, display.mode.hdisplay, display.mode.vdisplay, 16,
					  DRM_FORMAT_XRGB1555);
		igt_assert_eq(drmPrimeHandleToFD(nv3, fb[i].handle, DRM_CLOEXEC, &dmabuf[i]), 0);
	}
	igt_nv3_display_show(&display, &fb[0]);

	for (i = 0; i < FLIPS; i++) {
		int shown = i % 2;

		igt_assert_eq(import_fb(vgem, dmabuf[shown], &handle), -EBUSY);
		igt_assert_eq(drmModePageFlip(nv3, display.crtc, fb[!shown].id, 0, NULL), 0);
		igt_assert_eq(import_fb(vgem, dmabuf[shown], &handle), 0);
		drmCloseBufferHandle(vgem, handle);
	}

	igt_assert_eq(drmModeSetCrtc(nv3, display.crtc, 0, 0, 0, NULL, 0, NULL), 0);
	for (i = 0; i < 2; i++) {
		close(dmabuf[i]);
		igt_nv3_fb_destroy(&fb[i]);
	}
}

/* An imported buffer can neither be mapped by GEM_MMAP nor be used as a surface. */
static void test_refused(int nv3, int vgem)
{
	struct drm_nv3_gem_mmap map = { 0 };
	uint32_t handles[4] = { 0 }, pitches[4] = { WIDTH * 4 };
	uint32_t offsets[4] = { 0 }, fb;
	struct igt_nv3_client client;
	struct igt_nv3_vgem s;

	igt_nv3_vgem_create(&s, nv3, vgem, WIDTH, HEIGHT);
	map.handle = handles[0] = s.bo.handle;
	do_ioctl_err(nv3, DRM_IOCTL_NV3_GEM_MMAP, &map, EINVAL);
	igt_assert_eq(drmModeAddFB2(nv3, WIDTH, HEIGHT, DRM_FORMAT_XRGB8888,
				    handles, pitches, offsets, &fb, 0), 0);
	igt_assert_eq(drmModeRmFB(nv3, fb), 0);

	igt_nv3_client_init(&client, nv3);
	{
		struct drm_nv3_surface_args args = {
			.handle = s.bo.handle, .pitch = WIDTH * 2,
			.width = WIDTH, .height = HEIGHT,
			.format = DRM_NV3_FORMAT_X1R5G5B5,
		};

		igt_assert_neq(__igt_nv3_object(nv3, client.channel, 0x400,
						NV3_CLASS_SURFACE, &args,
						sizeof(args)), 0);
	}
	igt_nv3_client_fini(&client);
	igt_nv3_vgem_destroy(&s);
}

/* NOTIFIER_FENCE fails if the chip would write the notification to a bounce buffer. */
static void test_notifier(int nv3, int vgem)
{
	struct drm_nv3_notifier_fence fence = { .name = 0x1000 };
	struct igt_nv3_client client;
	struct igt_nv3_vgem s;

	igt_nv3_vgem_create(&s, nv3, vgem, WIDTH, HEIGHT);
	igt_nv3_client_init(&client, nv3);
	igt_nv3_dma(nv3, client.channel, fence.name, &s.bo, DRM_NV3_DMA_WRITE);
	fence.channel = client.channel;
	if (has_high_memory()) {
		do_ioctl_err(nv3, DRM_IOCTL_NV3_NOTIFIER_FENCE, &fence, EINVAL);
	} else {
		do_ioctl(nv3, DRM_IOCTL_NV3_NOTIFIER_FENCE, &fence);
		close(fence.fd);
	}
	igt_nv3_client_fini(&client);
	igt_nv3_vgem_destroy(&s);
}

/*
 * A client is killed after it has submitted two batches that use a buffer, for which a bounce
 * buffer may exist. Neither batch begins, and the driver releases the buffer.
 */
static void test_killed(int nv3, int vgem)
{
	struct igt_nv3_client client;
	struct igt_nv3_vgem s, theirs;
	struct igt_nv3_late late;
	uint32_t i;

	igt_nv3_vgem_create(&s, nv3, vgem, WIDTH, HEIGHT);
	igt_nv3_client_init(&client, drm_reopen_driver(nv3));
	theirs = s;
	igt_nv3_vgem_share(&theirs, client.fd);
	igt_nv3_late_init(&late);
	for (i = 0; i < 2; i++) {
		igt_nv3_fill(&client, 0, 0, 64, 64, i);
		igt_nv3_use(&client.batch, &theirs.bo, NV3_READ | NV3_WRITE);
		igt_nv3_late_submit(&late, &client.batch);
	}
	igt_nv3_late_kill(&client);
	igt_assert_eq(__igt_nv3_gem_wait(nv3, s.bo.handle, DRM_NV3_GEM_WAIT_WRITE,
					 0), -ETIME);
	igt_nv3_late_end(&late);
	igt_nv3_bo_wait(&s.bo);
	igt_nv3_vgem_destroy(&s);
}

static uint64_t map_offset(const struct igt_nv3_bo *bo)
{
	struct drm_nv3_gem_mmap map = { .handle = bo->handle };

	do_ioctl(bo->fd, DRM_IOCTL_NV3_GEM_MMAP, &map);
	return map.offset;
}

/*
 * Tries mmap() at each page offset from FIRST_OFFSET up to @end, and returns the number of
 * successful calls.
 */
static uint32_t count_maps(int fd, uint64_t end)
{
	uint32_t count = 0;
	uint64_t offset;

	for (offset = FIRST_OFFSET; offset < end; offset += 4096) {
		void *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, offset);

		if (at == MAP_FAILED)
			continue;
		munmap(at, 4096);
		count++;
	}
	return count;
}

/* For an imported buffer, GEM_MMAP returns no offset, and mmap() at a guessed offset fails. */
static void test_no_mmap(int nv3, int vgem)
{
	struct igt_nv3_bo before, after;
	struct igt_nv3_vgem s;
	int own = drm_reopen_driver(nv3);

	before = igt_nv3_bo_create(own, WIDTH * HEIGHT * 4, DRM_NV3_GEM_SYSTEM);
	igt_nv3_vgem_create(&s, own, vgem, WIDTH, HEIGHT);
	after = igt_nv3_bo_create(own, WIDTH * HEIGHT * 4, DRM_NV3_GEM_SYSTEM);
	igt_assert_eq(count_maps(own, map_offset(&after) + AROUND), 2);

	igt_nv3_bo_destroy(&after);
	igt_nv3_vgem_destroy(&s);
	igt_nv3_bo_destroy(&before);
	close(own);
}

/*
 * Asserts that imported buffers have bounce buffers in this guest, so that the other subtests cover
 * bounce buffers.
 */
static void test_high(int nv3, int vgem)
{
	struct igt_nv3_vgem s;
	int before;

	igt_require(has_high_memory());
	before = bounce_slots();
	igt_nv3_vgem_create(&s, nv3, vgem, WIDTH, HEIGHT);
	igt_assert_lt(before, bounce_slots());
	igt_nv3_vgem_destroy(&s);
	await_slots(before);
}

int igt_main()
{
	int nv3, vgem;

	igt_fixture() {
		nv3 = igt_nv3_open();
		vgem = igt_nv3_vgem_open();
		igt_require_f(vgem >= 0, "no vgem\n");
	}

	igt_describe("The chip reads another device's buffer.");
	igt_subtest("from-vgem")
		test_copy(nv3, vgem, false);

	igt_describe("The chip writes to another device's buffer.");
	igt_subtest("to-vgem")
		test_copy(nv3, vgem, true);

	igt_describe("Consecutive batches see each other's writes to another device's buffer.");
	igt_subtest("chain")
		test_chain(nv3, vgem);

	igt_describe("A batch is read from another device's buffer.");
	igt_subtest("pushbuffer")
		test_pushbuffer(nv3, vgem);

	igt_describe("The chip waits for vgem's fence on a buffer of nv3.");
	igt_subtest("fence-ours")
		test_fence(nv3, vgem, true);

	igt_describe("The chip waits for vgem's fence on a buffer of vgem.");
	igt_subtest("fence-vgem")
		test_fence(nv3, vgem, false);

	igt_describe("Another device can't import a buffer that must be in VRAM.");
	igt_subtest("vram-only")
		test_vram_only(nv3, vgem);

	igt_describe("Another device can import a frame buffer as soon as it is not shown.");
	igt_subtest("flipped")
		test_flipped(nv3, vgem);

	igt_describe("Operations that are refused for an imported buffer.");
	igt_subtest("refused")
		test_refused(nv3, vgem);

	igt_describe("An imported buffer can't be mapped at a guessed offset.");
	igt_subtest("no-mmap")
		test_no_mmap(nv3, vgem);

	igt_describe("Another device's buffer keeps its contents when the chip's mapping ends.");
	igt_subtest("close") {
		int heap = open("/dev/dma_heap/system", O_RDWR | O_CLOEXEC);

		igt_require_f(heap >= 0, "no DMA heap\n");
		test_close(nv3, heap);
		close(heap);
	}

	igt_describe("Notifications can't be written to a buffer with a bounce buffer.");
	igt_subtest("notifier")
		test_notifier(nv3, vgem);

	igt_describe("A killed client's batches do not write to another device's buffer.");
	igt_subtest("killed")
		test_killed(nv3, vgem);

	igt_describe("In a guest with memory above 4 GiB, vgem's buffers have bounce buffers.");
	igt_subtest("high")
		test_high(nv3, vgem);

	igt_fixture() {
		close(vgem);
		drm_close_driver(nv3);
	}
}
