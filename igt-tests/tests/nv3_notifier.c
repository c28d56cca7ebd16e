/* SPDX-License-Identifier: MIT */
#include <poll.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <linux/sync_file.h>

#include "igt.h"
#include "igt_nv3.h"
#include "igt_nv3_freeze.h"
#include "igt_nv3_late.h"

IGT_TEST_DESCRIPTION("Notifications: their contents, and the fences that wait for them.");

#define OBJECT		0x1000
#define NOTIFY		0x2000
#define SUB		IGT_NV3_SUB_FREE
#define SLOTS		16
/* Maximum number of a channel's notifier fences */
#define LIMIT		256
#define LONG_MS		30000

/* NvNotification */
struct notification {
	uint64_t time;
	uint32_t info32;
	uint16_t info16;
	uint16_t status;
};

/* A client with an object of class RECT. Notifications of this object are written to @slot. */
struct notified {
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;
	volatile struct notification *slot;
};

static void notified_init_sized(struct notified *n, int fd, uint32_t domains,
				uint64_t size)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = 1,
		.dma_notify = NOTIFY,
	};

	igt_nv3_client_init(&n->client, fd);
	n->bo = igt_nv3_bo_create(fd, size, domains);
	n->slot = n->bo.map;
	igt_nv3_dma(fd, n->client.channel, NOTIFY, &n->bo, DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(fd, n->client.channel, OBJECT,
				       NV3_CLASS_RECT, &args, sizeof(args)), 0);
	igt_nv3_select(&n->client.batch, SUB, OBJECT);
	igt_nv3_use(&n->client.batch, &n->client.color,
		    NV3_READ | NV3_WRITE);
	igt_nv3_run_ok(&n->client.batch);
}

static void notified_init(struct notified *n, int fd, uint32_t domains)
{
	notified_init_sized(n, fd, domains, 4096);
}

static void notified_fini(struct notified *n)
{
	igt_nv3_bo_destroy(&n->bo);
	igt_nv3_client_fini(&n->client);
}

static void arm(struct notified *n, uint32_t slot)
{
	struct igt_nv3_batch *batch = &n->client.batch;

	n->slot[slot].status = DRM_NV3_NOTIFICATION_IN_PROGRESS;
	igt_nv3_use(batch, &n->bo, NV3_READ | NV3_WRITE);
	igt_nv3_use(batch, &n->client.color, NV3_READ | NV3_WRITE);
	igt_nv3_method(batch, SUB, NV3_MTHD_NOTIFY, slot);
}

static void notify(struct notified *n, uint32_t slot)
{
	arm(n, slot);
	igt_nv3_method(&n->client.batch, SUB, NV3_RECT_COLOR, slot);
}

static int fence_try(struct notified *n, uint32_t name, uint32_t slot)
{
	struct drm_nv3_notifier_fence req = {
		.channel = n->client.channel, .name = name, .slot = slot,
	};
	int ret = igt_nv3_ioctl(n->client.fd, DRM_IOCTL_NV3_NOTIFIER_FENCE,
				&req);

	return ret ? ret : req.fd;
}

static int fence(struct notified *n, uint32_t slot)
{
	int fd = fence_try(n, NOTIFY, slot);

	igt_assert_lte(0, fd);
	return fd;
}

static bool ready(int fd, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, timeout_ms) == 1;
}

/*
 * Returns 0 if the fence has not signalled, 1 if it has signalled without an error, or the fence's
 * error as a negative errno.
 */
static int status(int fd)
{
	struct sync_file_info info = { 0 };

	do_ioctl(fd, SYNC_IOC_FILE_INFO, &info);
	return info.status;
}

static void expect(int fd, int want)
{
	igt_assert(ready(fd, LONG_MS));
	igt_assert_eq(status(fd), want);
	close(fd);
}

static void test_bad(int fd)
{
	struct drm_nv3_notifier_fence req = { .name = NOTIFY };
	struct notified n;

	notified_init(&n, fd, DRM_NV3_GEM_SYSTEM);
	igt_assert_eq(fence_try(&n, 0, 0), -ENOENT);
	igt_assert_eq(fence_try(&n, OBJECT, 0), -ENOENT);
	igt_assert_eq(fence_try(&n, 0xdead, 0), -ENOENT);
	igt_assert_eq(fence_try(&n, NOTIFY, SLOTS), -EINVAL);
	do_ioctl_err(fd, DRM_IOCTL_NV3_NOTIFIER_FENCE, &req, ENOENT);
	req.channel = n.client.channel;
	req.flags = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_NOTIFIER_FENCE, &req, EINVAL);
	req.flags = 0;
	req.pad = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_NOTIFIER_FENCE, &req, EINVAL);
	/*
	 * The driver writes error notifications through the DMA object, so the DMA object must be
	 * writable.
	 */
	igt_nv3_dma(fd, n.client.channel, NOTIFY + 1, &n.bo, 0);
	igt_assert_eq(fence_try(&n, NOTIFY + 1, 0), -EINVAL);
	igt_nv3_assert_draws(&n.client, 1);
	notified_fini(&n);
}

/*
 * Makes the chip write a notification to each slot, one at a time. A notification in slot 0 raises
 * no interrupt.
 */
static void test_slots(int fd, uint32_t domains)
{
	uint64_t last = 0;
	struct notified n;
	uint32_t i;

	notified_init(&n, fd, domains);
	for (i = 0; i < SLOTS; i++) {
		int file;

		memset(n.bo.map, 0xff, n.bo.size);
		notify(&n, i);
		igt_assert_eq(__igt_nv3_submit(&n.client.batch, 0), 0);
		file = fence(&n, i);
		expect(file, 1);
		igt_assert_eq(n.slot[i].status, DRM_NV3_NOTIFICATION_DONE);
		igt_assert(n.slot[i].time > last);
		last = n.slot[i].time;
		if (i)
			igt_assert_eq(n.slot[i - 1].status, 0xffff);
		igt_assert_eq(n.slot[i + 1].status, 0xffff);
	}
	notified_fini(&n);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/* The chip's clock must advance at the same rate as CLOCK_MONOTONIC. */
static void test_time(int fd)
{
	uint64_t before, between, after, first, second;
	struct notified n;

	notified_init(&n, fd, DRM_NV3_GEM_SYSTEM);
	before = now_ns();
	notify(&n, 1);
	igt_nv3_run_ok(&n.client.batch);
	first = n.slot[1].time;
	between = now_ns();
	usleep(200000);
	after = now_ns();
	notify(&n, 2);
	igt_nv3_run_ok(&n.client.batch);
	second = n.slot[2].time;
	igt_info("%.1f ms on the chip\n", (second - first) / 1e6);
	/* The times that elapse on the two clocks may differ by at most one thousandth. */
	igt_assert(second - first >= (after - between) / 1000 * 999);
	igt_assert(second - first <= (now_ns() - before) / 1000 * 1001);
	notified_fini(&n);
}

/* The notification's fence signals while the next batch is in flight. */
static void test_middle(int fd)
{
	struct igt_nv3_client other;
	struct igt_nv3_late late;
	struct notified n;
	int file, later;

	notified_init(&n, fd, DRM_NV3_GEM_SYSTEM);
	igt_nv3_client_init(&other, fd);
	igt_nv3_late_init(&late);
	notify(&n, 3);
	igt_assert_eq(__igt_nv3_submit(&n.client.batch, 0), 0);
	notify(&n, 4);
	igt_nv3_late_submit(&late, &n.client.batch);
	file = fence(&n, 3);
	later = fence(&n, 4);
	expect(file, 1);
	/* The fence must not signal because another client draws. */
	igt_nv3_assert_draws(&other, 1);
	igt_assert_eq(status(later), 0);
	igt_assert(!ready(later, 0));
	igt_assert_eq(__igt_nv3_gem_wait(fd, n.client.color.handle, 0, 0),
		      -ETIME);
	igt_nv3_late_end(&late);
	expect(later, 1);
	igt_assert_eq(n.slot[4].status, DRM_NV3_NOTIFICATION_DONE);
	igt_nv3_bo_wait(&n.client.color);
	igt_assert_eq(igt_nv3_fault(fd, n.client.channel, NULL), 0);
	igt_nv3_client_fini(&other);
	notified_fini(&n);
}

/*
 * Methods of a long-running channel may wait for other clients, so such a channel can't have
 * notifier fences.
 */
static void test_long_running(int fd)
{
	struct drm_nv3_notifier_fence req = { .name = 0x1000 };
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;

	igt_nv3_client_init_lr(&client, fd);
	bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	igt_nv3_dma(fd, client.channel, req.name, &bo, DRM_NV3_DMA_WRITE);
	req.channel = client.channel;
	igt_assert_eq(igt_nv3_ioctl(fd, DRM_IOCTL_NV3_NOTIFIER_FENCE, &req),
		      -EOPNOTSUPP);
	igt_nv3_assert_draws(&client, 1);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&bo);
}

/*
 * No method writes the notification, so the fence signals with the error -ENODATA when the batch
 * has completed.
 */
static void test_nothing(int fd)
{
	struct notified n;

	notified_init(&n, fd, DRM_NV3_GEM_SYSTEM);
	n.slot[5].status = DRM_NV3_NOTIFICATION_IN_PROGRESS;
	expect(fence(&n, 5), -ENODATA);
	igt_nv3_fill(&n.client, 0, 0, 1, 1, 1);
	igt_assert_eq(__igt_nv3_submit(&n.client.batch, 0), 0);
	expect(fence(&n, 5), -ENODATA);
	/* The chip writes this notification before the test creates the fence. */
	notify(&n, 5);
	igt_nv3_run_ok(&n.client.batch);
	expect(fence(&n, 5), 1);
	notified_fini(&n);
}

/*
 * The channel faults while one notification is in progress. A method after the fault would request
 * another notification.
 */
static void test_fault(int fd)
{
	struct drm_nv3_channel_query query;
	struct notified n;
	int file, later;

	notified_init(&n, fd, DRM_NV3_GEM_SYSTEM);
	arm(&n, 6);
	igt_nv3_method(&n.client.batch, SUB, 0x1f00, 0);
	notify(&n, 7);
	igt_assert_eq(__igt_nv3_submit(&n.client.batch, 0), 0);
	file = fence(&n, 6);
	later = fence(&n, 7);
	expect(file, -EIO);
	expect(later, -EIO);
	igt_assert_eq(igt_nv3_fault(fd, n.client.channel, &query),
		      DRM_NV3_FAULT_METHOD);
	igt_assert_eq(n.slot[6].status, DRM_NV3_NOTIFICATION_ERROR);
	igt_assert_eq(n.slot[6].info16, DRM_NV3_FAULT_METHOD);
	igt_assert_eq_u32(n.slot[6].info32, 0x1f00);
	igt_assert_eq(n.slot[7].status, DRM_NV3_NOTIFICATION_ERROR);
	/*
	 * The time in the notification of a fault is from the chip's clock, like the times that the
	 * chip writes.
	 */
	{
		struct notified other;

		notified_init(&other, fd, DRM_NV3_GEM_SYSTEM);
		notify(&other, 1);
		igt_nv3_run_ok(&other.client.batch);
		igt_assert(other.slot[1].time > n.slot[6].time);
		igt_assert(other.slot[1].time - n.slot[6].time <
			   UINT64_C(60000000000));
		notified_fini(&other);
	}
	notified_fini(&n);
}

/* Another channel's batch depends on the fence. */
static void test_import(int fd)
{
	struct drm_nv3_segment segment = { 0 };
	struct drm_nv3_buffer buffer = { .flags = NV3_READ | NV3_WRITE };
	struct drm_nv3_sync in = { 0 };
	struct drm_nv3_submit submit = {
		.segment_count = 1, .segments = (uintptr_t)&segment,
		.buffer_count = 1, .buffers = (uintptr_t)&buffer,
		.in_sync_count = 1, .in_syncs = (uintptr_t)&in,
		.segment_size = sizeof(segment), .buffer_size = sizeof(buffer),
		.sync_size = sizeof(in),
	};
	struct igt_nv3_client other;
	struct notified n;
	int file;

	notified_init(&n, fd, DRM_NV3_GEM_SYSTEM);
	igt_nv3_client_init(&other, fd);
	notify(&n, 8);
	igt_assert_eq(__igt_nv3_submit(&n.client.batch, 0), 0);
	file = fence(&n, 8);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &in.handle), 0);
	igt_assert_eq(drmSyncobjImportSyncFile(fd, in.handle, file), 0);
	igt_nv3_fill(&other, 0, 0, 64, 64, 0x77);
	segment.handle = other.batch.bo.handle;
	segment.length = other.batch.count * 4;
	buffer.handle = other.color.handle;
	submit.channel = other.channel;
	igt_assert_eq(igt_nv3_ioctl(fd, DRM_IOCTL_NV3_SUBMIT, &submit), 0);
	igt_nv3_bo_wait(&other.color);
	igt_assert_eq(n.slot[8].status, DRM_NV3_NOTIFICATION_DONE);
	igt_nv3_assert_rect(&other, 0, 0, 64, 64, 0x77, 0);
	drmSyncobjDestroy(fd, in.handle);
	close(file);
	other.batch.count = 0;
	igt_nv3_client_fini(&other);
	notified_fini(&n);
}

/* A fence signals even if the client has closed its DRM file. */
static void test_close(int fd)
{
	struct igt_nv3_client watcher;
	int round, files[8];

	igt_nv3_client_init(&watcher, fd);
	for (round = 0; round < 8; round++) {
		int other = drm_reopen_driver(fd);
		struct notified n;

		notified_init(&n, other, DRM_NV3_GEM_SYSTEM);
		n.slot[1].status = DRM_NV3_NOTIFICATION_IN_PROGRESS;
		igt_nv3_fill(&n.client, 0, 0, 64, 64, 1);
		igt_assert_eq(__igt_nv3_submit(&n.client.batch, 0), 0);
		files[round] = fence(&n, 1);
		close(other);
		igt_nv3_assert_draws(&watcher, round);
	}
	for (round = 0; round < 8; round++)
		expect(files[round], -ENODATA);
	igt_nv3_client_fini(&watcher);
}

/*
 * A channel can have only a limited number of unsignalled notifier fences, including fences whose
 * files are closed. After these fences have signalled, the client can create new fences. The freeze
 * keeps the batch in flight.
 */
static void test_limit(int fd)
{
	int freeze = igt_nv3_freeze_open(fd);
	struct notified n;
	uint32_t i, round;
	int file;

	notified_init(&n, fd, DRM_NV3_GEM_SYSTEM);
	for (round = 0; round < 2; round++) {
		n.slot[5].status = DRM_NV3_NOTIFICATION_IN_PROGRESS;
		igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
		igt_nv3_fill(&n.client, 0, 0, 1, 1, round);
		igt_assert_eq(__igt_nv3_submit(&n.client.batch, 0), 0);
		for (i = 1; i < LIMIT; i++)
			close(fence(&n, 5));
		file = fence(&n, 5);
		igt_assert_eq(fence_try(&n, NOTIFY, 5), -ENOSPC);
		igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
		expect(file, -ENODATA);
	}
	notified_fini(&n);
	close(freeze);
}

/* Waits until VRAM has room for a buffer of @size bytes. */
static void await_room(int fd, uint64_t size)
{
	uint32_t handle, ms = 0;

	while (__igt_nv3_gem_create(fd, &size, DRM_NV3_GEM_VRAM, 0, &handle)) {
		igt_assert(ms++ < LONG_MS);
		usleep(1000);
	}
	drmCloseBufferHandle(fd, handle);
}

static void *end_soon(void *late)
{
	usleep(500000);
	igt_nv3_late_end(late);
	return NULL;
}

/*
 * A buffer can't be evicted while a fence waits for a notification in the buffer. After the fence
 * has signalled, the buffer can be evicted.
 */
static void test_room(int fd)
{
	uint64_t size = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE) / 2 + 4096;
	struct igt_nv3_late late;
	struct igt_nv3_bo other;
	struct notified n;
	pthread_t thread;
	int file;

	notified_init_sized(&n, fd, DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM, size);
	memset(n.bo.map, 0x5a, size);
	igt_nv3_late_init(&late);
	notify(&n, 1);
	igt_nv3_late_submit(&late, &n.client.batch);
	n.slot[2].status = DRM_NV3_NOTIFICATION_IN_PROGRESS;
	file = fence(&n, 2);
	igt_assert_eq(pthread_create(&thread, NULL, end_soon, &late), 0);
	other = igt_nv3_bo_create(fd, size, DRM_NV3_GEM_VRAM);
	igt_assert_eq(status(file), -ENODATA);
	igt_assert_eq(n.slot[1].status, DRM_NV3_NOTIFICATION_DONE);
	igt_assert_eq(n.slot[3].status, 0x5a5a);
	pthread_join(thread, NULL);
	close(file);
	igt_nv3_bo_destroy(&other);
	notified_fini(&n);
}

/*
 * The client is killed, and its batch never begins. The fence signals with an error, and the driver
 * frees the buffer.
 */
static void test_killed(int fd)
{
	uint64_t size = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE) / 2 + 4096;
	struct igt_nv3_late late;
	struct notified n;
	int file;

	notified_init_sized(&n, drm_reopen_driver(fd), DRM_NV3_GEM_VRAM, size);
	igt_nv3_late_init(&late);
	notify(&n, 1);
	igt_nv3_late_submit(&late, &n.client.batch);
	file = fence(&n, 1);
	munmap(n.bo.map, n.bo.size);
	igt_nv3_late_kill(&n.client);
	igt_assert_eq(status(file), 0);
	igt_nv3_late_end(&late);
	expect(file, -ENODATA);
	await_room(fd, size);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Bad channels, handles, slots, flags and padding are refused.");
	igt_subtest("bad")
		test_bad(fd);

	igt_describe("Each of the 16 slots is written alone, and its fence signals.");
	igt_subtest("slots-system")
		test_slots(fd, DRM_NV3_GEM_SYSTEM);
	igt_subtest("slots-vram")
		test_slots(fd, DRM_NV3_GEM_VRAM);

	igt_describe("Times are PTIMER's.");
	igt_subtest("time")
		test_time(fd);

	igt_describe("A notification is reported while later work is in flight.");
	igt_subtest("middle")
		test_middle(fd);

	igt_describe("Long-running channels have no notifier fences.");
	igt_subtest("long-running")
		test_long_running(fd);

	igt_describe("The fence of a notification that no method writes signals -ENODATA.");
	igt_subtest("nothing")
		test_nothing(fd);

	igt_describe("Notifications of a faulted channel contain its reason and the time.");
	igt_subtest("fault")
		test_fault(fd);

	igt_describe("Another channel's batch depends on a notification.");
	igt_subtest("import")
		test_import(fd);

	igt_describe("Fences outlive the file that created them.");
	igt_subtest("close")
		test_close(fd);

	igt_describe("A channel has a limited number of notifier fences.");
	igt_subtest("limit")
		test_limit(fd);

	igt_describe("A buffer can be evicted when its notification is written.");
	igt_subtest("room")
		test_room(fd);

	igt_describe("The fence of a killed client's batch signals, and its buffer is freed.");
	igt_subtest("killed")
		test_killed(fd);

	igt_fixture()
		drm_close_driver(fd);
}
