/* SPDX-License-Identifier: MIT */
/*
 * Tests how users share channels: the number of channels that each user may create, and the order
 * in which channels of different priorities run.
 */
#include <fcntl.h>
#include <linux/sync_file.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3_freeze.h"

IGT_TEST_DESCRIPTION("Limits on channels by user, and priorities of channels.");

#define USER_A		12001
#define USER_B		12002
#define CHANNELS_MAX	128

/* ---- limits ---- */

struct shared {
	uint32_t step;		/* current step of the test */
	uint32_t done[2];	/* steps that user A and user B have reached */
	uint32_t count[2];	/* number of channels created */
	int error[2];		/* error of the last attempt */
	/* number of channels that user B (index 1) created after user A had closed its files */
	uint32_t again[2];
};

static void step_to(uint32_t *at, uint32_t step)
{
	__atomic_store_n(at, step, __ATOMIC_RELEASE);
}

static void await(uint32_t *at, uint32_t step)
{
	while (__atomic_load_n(at, __ATOMIC_ACQUIRE) < step)
		usleep(1000);
}

/*
 * Creates channels, alternately in the two files, until CHANNEL_CREATE fails. Returns the number of
 * created channels, and sets @error to the error of the failed call.
 */
static uint32_t take_all(const int *files, int *error)
{
	uint32_t channel, count = 0;

	do
		*error = __igt_nv3_channel_create(files[count % 2],
						  DRM_NV3_CHANNEL_DMA,
						  &channel);
	while (!*error && ++count < CHANNELS_MAX);
	return count;
}

static int open_node(const char *node)
{
	int fd = open(node, O_RDWR | O_CLOEXEC);

	igt_assert(fd >= 0);
	return fd;
}

static void be_user(const char *node, struct shared *s, int me)
{
	int files[2];

	igt_assert_eq(setuid(me ? USER_B : USER_A), 0);
	files[0] = open_node(node);
	files[1] = open_node(node);
	await(&s->step, 1 + me);
	s->count[me] = take_all(files, &s->error[me]);
	step_to(&s->done[me], 1);
	await(&s->step, 3 + me);
	if (me)
		s->again[me] = take_all(files, &s->error[me]);
	close(files[0]);
	close(files[1]);
	step_to(&s->done[me], 2);
}

/* Each unprivileged user may create at most half of the channels that are free. */
static void test_user_limit(int fd)
{
	char *node = drmGetRenderDeviceNameFromFd(fd);
	uint32_t root, free_channels, max = igt_nv3_param(fd, DRM_NV3_PARAM_CHANNELS);
	int files[2] = { drm_reopen_driver(fd), drm_reopen_driver(fd) };
	struct shared *s;
	struct stat st;
	int error;

	igt_require_f(geteuid() == 0, "needs root, to run as two users\n");
	igt_require(node);
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	igt_assert(s != MAP_FAILED);
	igt_assert_eq(stat(node, &st), 0);
	igt_assert_eq(chmod(node, 0666), 0);

	/* A privileged process may create all channels. Closing its files frees these channels. */
	root = take_all(files, &error);
	igt_assert_eq(error, -ENOSPC);
	igt_assert(root > max / 2 && root <= max);
	close(files[0]);
	close(files[1]);

	igt_fork(child, 2)
		be_user(node, s, child);
	step_to(&s->step, 1);
	await(&s->done[0], 1);
	step_to(&s->step, 2);
	await(&s->done[1], 1);
	igt_info("of %u channels, the first user gets %u and the second %u\n",
		 root, s->count[0], s->count[1]);
	igt_assert_eq(s->error[0], -EMFILE);
	igt_assert_eq(s->count[0], (root + 1) / 2);
	free_channels = root - s->count[0];
	igt_assert_eq(s->error[1], -EMFILE);
	igt_assert_eq(s->count[1], (free_channels + 1) / 2);

	/* Root can create all remaining channels. */
	files[0] = drm_reopen_driver(fd);
	files[1] = drm_reopen_driver(fd);
	igt_assert_eq(take_all(files, &error), free_channels - s->count[1]);
	igt_assert_eq(error, -ENOSPC);
	close(files[0]);
	close(files[1]);

	/* After the first user has closed its files, the second user can create more channels. */
	step_to(&s->step, 3);
	await(&s->done[0], 2);
	step_to(&s->step, 4);
	await(&s->done[1], 2);
	igt_assert_eq(s->count[1] + s->again[1], (root + 1) / 2);
	igt_waitchildren();

	igt_assert_eq(chmod(node, st.st_mode & 0777), 0);
	munmap(s, sizeof(*s));
	free(node);
}

/*
 * CHANNEL_CREATE waits for channels that are being destroyed, so clients do not have to repeat the
 * call.
 */
static void test_recreate(int fd)
{
	uint32_t i, round, max = igt_nv3_param(fd, DRM_NV3_PARAM_CHANNELS);
	uint32_t channel[CHANNELS_MAX], count = 0;

	while (count < max && !__igt_nv3_channel_create(fd, DRM_NV3_CHANNEL_DMA,
							 &channel[count]))
		count++;
	igt_assert(count);
	for (round = 0; round < 300; round++) {
		i = round % count;
		igt_nv3_channel_destroy(fd, channel[i]);
		channel[i] = igt_nv3_channel_create(fd);
	}
	for (i = 0; i < count; i++)
		igt_nv3_channel_destroy(fd, channel[i]);
}

/* ---- names of fences ---- */

static void timeline_of(int file, struct sync_fence_info *fence)
{
	struct sync_file_info info = {
		.num_fences = 1, .sync_fence_info = (uintptr_t)fence,
	};

	igt_assert_eq(ioctl(file, SYNC_IOC_FILE_INFO, &info), 0);
	igt_assert_eq(info.num_fences, 1);
}

/* The fence of a batch keeps its timeline name after the batch's channel is destroyed. */
static void test_timeline(int fd)
{
	struct igt_nv3_client client[2];
	struct sync_fence_info fence[2] = { 0 }, later = { 0 };
	uint32_t i, done, channel;
	int freeze = igt_nv3_freeze_open(fd), file[2];

	for (i = 0; i < 2; i++)
		igt_nv3_client_init(&client[i], fd);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &done), 0);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
	for (i = 0; i < 2; i++) {
		igt_nv3_use(&client[i].batch, &client[i].color,
			    NV3_READ | NV3_WRITE);
		igt_nv3_select(&client[i].batch, IGT_NV3_SUB_COLOR,
			       IGT_NV3_COLOR);
		igt_assert_eq(__igt_nv3_submit(&client[i].batch, done), 0);
		igt_assert_eq(drmSyncobjExportSyncFile(fd, done, &file[i]), 0);
		timeline_of(file[i], &fence[i]);
		igt_info("%s of %s\n", fence[i].obj_name,
			 fence[i].driver_name);
		igt_assert_eq(strncmp(fence[i].obj_name, "nv3-ch", 6), 0);
		igt_assert_eq(fence[i].status, 0);
	}
	igt_assert(strcmp(fence[0].obj_name, fence[1].obj_name));
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	close(freeze);
	igt_assert_eq(drmSyncobjWait(fd, &done, 1, INT64_MAX, 0, NULL), 0);
	for (i = 0; i < 2; i++)
		igt_nv3_client_fini(&client[i]);
	/* New channels reuse the memory and the numbers of the destroyed channels. */
	for (i = 0; i < 20; i++) {
		channel = igt_nv3_channel_create(fd);
		igt_nv3_channel_destroy(fd, channel);
	}
	usleep(100000);
	for (i = 0; i < 2; i++) {
		timeline_of(file[i], &later);
		igt_assert_eq(later.status, 1);
		/* Recent kernels report a generic timeline name for a fence that has signalled. */
		igt_assert(!strcmp(later.obj_name, fence[i].obj_name) ||
			   strstr(later.obj_name, "signaled"));
		close(file[i]);
	}
	drmSyncobjDestroy(fd, done);
}

/* ---- priorities ---- */

static int create_with_priority(int fd, int32_t priority, uint32_t *channel)
{
	struct drm_nv3_channel_create req = {
		.type = DRM_NV3_CHANNEL_DMA, .priority = priority,
	};
	int ret = igt_nv3_ioctl(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &req);

	if (!ret && channel)
		*channel = req.channel;
	return ret;
}

static void test_priority_bad(int fd)
{
	struct drm_nv3_channel_create req = { .pad = 1 };

	igt_assert_eq(create_with_priority(fd, DRM_NV3_PRIORITY_LOW - 1, NULL),
		      -EINVAL);
	igt_assert_eq(create_with_priority(fd, DRM_NV3_PRIORITY_HIGH + 1, NULL),
		      -EINVAL);
	igt_assert_eq(create_with_priority(fd, INT32_MIN, NULL), -EINVAL);
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &req, EINVAL);
}

static void test_priority_privilege(int fd)
{
	char *node = drmGetRenderDeviceNameFromFd(fd);
	int *result;
	int own;

	igt_require_f(geteuid() == 0, "needs root, to drop its privileges\n");
	igt_require(node);
	result = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	igt_assert(result != MAP_FAILED);
	igt_fork(child, 1) {
		/*
		 * The DRM master may use high priorities, but no file of a render node is DRM
		 * master.
		 */
		own = open_node(node);
		result[0] = create_with_priority(own, 1, NULL);
		igt_assert_eq(setuid(USER_A), 0);
		result[1] = create_with_priority(own, 1, NULL);
		result[2] = create_with_priority(own, 0, NULL);
		result[3] = create_with_priority(own, -1, NULL);
		close(own);
	}
	igt_waitchildren();
	igt_assert_eq(result[0], 0);
	igt_assert_eq(result[1], -EPERM);
	igt_assert_eq(result[2], 0);
	igt_assert_eq(result[3], 0);
	munmap(result, 4096);
	free(node);
}

struct ranked {
	struct igt_nv3_client client;
	uint32_t done;		/* syncobj of the batch */
	uint64_t time;		/* time at which @done signalled */
};

static void ranked_init(struct ranked *r, int fd, int32_t priority)
{
	uint32_t channel;

	igt_nv3_client_init(&r->client, fd);
	/*
	 * Replace the client's channel with a channel of the priority @priority, and create the
	 * client's objects in the new channel.
	 */
	igt_assert_eq(create_with_priority(fd, priority, &channel), 0);
	igt_nv3_channel_destroy(fd, r->client.channel);
	r->client.channel = channel;
	r->client.batch.channel = channel;
	igt_nv3_surface(fd, channel, IGT_NV3_COLOR, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &r->client.color,
			2 * IGT_NV3_CANVAS, IGT_NV3_CANVAS, IGT_NV3_CANVAS);
	igt_nv3_graph(fd, channel, IGT_NV3_RECT, NV3_CLASS_RECT, 1 << 0);
	igt_nv3_select(&r->client.batch, IGT_NV3_SUB_COLOR, IGT_NV3_COLOR);
	igt_nv3_select(&r->client.batch, IGT_NV3_SUB_RECT, IGT_NV3_RECT);
	igt_nv3_assert_draws(&r->client, 0);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &r->done), 0);
}

static void ranked_fini(struct ranked *r)
{
	drmSyncobjDestroy(r->client.fd, r->done);
	igt_nv3_client_fini(&r->client);
}

/* Returns the number of channels that debugfs reports as ready. */
static uint32_t count_ready(int fd)
{
	FILE *channels = fdopen(igt_nv3_debugfs(fd, "channels", O_RDONLY), "r");
	uint32_t count = 0;
	char line[256];

	igt_assert(channels);
	while (fgets(line, sizeof(line), channels))
		count += strncmp(line, "channel ", 8) == 0 &&
			 strstr(line, ", ready") != NULL;
	fclose(channels);
	return count;
}

/* Returns the CLOCK_MONOTONIC time at which the fence of a syncobj signalled. */
static uint64_t signalled_at(int fd, uint32_t syncobj)
{
	struct sync_fence_info fence = { 0 };
	struct sync_file_info info = {
		.num_fences = 1, .sync_fence_info = (uintptr_t)&fence,
	};
	int file;

	igt_assert_eq(drmSyncobjWait(fd, &syncobj, 1, INT64_MAX, 0, NULL), 0);
	igt_assert_eq(drmSyncobjExportSyncFile(fd, syncobj, &file), 0);
	igt_assert_eq(ioctl(file, SYNC_IOC_FILE_INFO, &info), 0);
	igt_assert_eq(fence.status, 1);
	close(file);
	return fence.timestamp_ns;
}

/*
 * Runs a batch of each channel in @ranked. First freezes the resource manager, and blocks the chip
 * with a batch that causes a trap. Ends the freeze after all batches of @ranked have been
 * submitted.
 */
static void run_in_order(int fd, struct ranked *ranked, uint32_t count)
{
	struct igt_nv3_client blocker;
	int freeze = igt_nv3_freeze_open(fd);
	uint32_t i;

	igt_nv3_client_init(&blocker, fd);
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
	/*
	 * Surfaces are objects of a software class, so the puller stops at a method that binds a
	 * surface.
	 */
	igt_nv3_use(&blocker.batch, &blocker.color, NV3_READ | NV3_WRITE);
	igt_nv3_select(&blocker.batch, IGT_NV3_SUB_COLOR, IGT_NV3_COLOR);
	igt_assert_eq(__igt_nv3_submit(&blocker.batch, 0), 0);
	usleep(50000);
	for (i = 0; i < count; i++) {
		struct ranked *r = &ranked[i];

		igt_nv3_fill(&r->client, 0, 0, 8, 8, i);
		igt_assert_eq(__igt_nv3_submit(&r->client.batch, r->done), 0);
		while (count_ready(fd) <= i)
			usleep(1000);
	}
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	close(freeze);
	for (i = 0; i < count; i++)
		ranked[i].time = signalled_at(fd, ranked[i].done);
	igt_nv3_client_fini(&blocker);
}

static void test_priority_order(int fd)
{
	static const int32_t priority[] = { -1, 0, -1, 1, 0, 1 };
	/*
	 * Channels of a higher priority run first. Channels of equal priority run in the order in
	 * which their batches were submitted.
	 */
	static const uint32_t order[] = { 3, 5, 1, 4, 0, 2 };
	struct ranked ranked[ARRAY_SIZE(priority)];
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(ranked); i++)
		ranked_init(&ranked[i], fd, priority[i]);
	run_in_order(fd, ranked, ARRAY_SIZE(ranked));
	for (i = 1; i < ARRAY_SIZE(order); i++)
		igt_assert_f(ranked[order[i - 1]].time <
			     ranked[order[i]].time,
			     "number %u ran before number %u\n", order[i],
			     order[i - 1]);
	for (i = 0; i < ARRAY_SIZE(ranked); i++)
		ranked_fini(&ranked[i]);
}

/*
 * A channel of low priority submits a batch. After it, eleven channels of high priority submit one
 * batch each. Exactly eight of these eleven batches must run before the batch of low priority.
 */
static void test_priority_overtake(int fd)
{
	struct ranked ranked[12];
	uint32_t i, before = 0;

	for (i = 0; i < ARRAY_SIZE(ranked); i++)
		ranked_init(&ranked[i], fd, i ? 1 : -1);
	run_in_order(fd, ranked, ARRAY_SIZE(ranked));
	for (i = 1; i < ARRAY_SIZE(ranked); i++)
		before += ranked[i].time < ranked[0].time;
	igt_assert_eq(before, 8);
	for (i = 0; i < ARRAY_SIZE(ranked); i++)
		ranked_fini(&ranked[i]);
}

#define RECTS_MAX	16	/* of one header */
#define LONG		0x1000	/* the surface of the long batch */
#define LONG_WIDTH	512
#define LONG_HEIGHT	512

/*
 * Fills the batch with rectangles as large as the surface LONG, some 4 GB of pixels in all. Even on
 * a fast host, the batch takes much longer than a timeslice and than a submission in a guest whose
 * CPU is emulated.
 */
static void fill_long(struct igt_nv3_client *client, const struct igt_nv3_bo *bo, uint16_t color)
{
	struct igt_nv3_batch *batch = &client->batch;
	uint32_t i;

	igt_nv3_use(batch, bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, IGT_NV3_SUB_COLOR, LONG);
	igt_nv3_fill(client, 0, 0, LONG_WIDTH, LONG_HEIGHT, color);
	while (batch->count + 1 + 2 * RECTS_MAX <= batch->bo.size / 4) {
		igt_nv3_begin(batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 2 * RECTS_MAX);
		for (i = 0; i < RECTS_MAX; i++) {
			igt_nv3_word(batch, 0);
			igt_nv3_word(batch, LONG_WIDTH << 16 | LONG_HEIGHT);
		}
	}
}

/*
 * A batch of high priority completes before a long batch of low priority that was already running.
 */
static void test_priority_preempt(int fd)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 2 * LONG_WIDTH * LONG_HEIGHT,
						 DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM);
	const volatile uint16_t *pixel = bo.map;
	struct ranked low, high;
	uint32_t i, wait;

	ranked_init(&low, fd, DRM_NV3_PRIORITY_LOW);
	ranked_init(&high, fd, DRM_NV3_PRIORITY_HIGH);
	igt_nv3_surface(fd, low.client.channel, LONG, 0, DRM_NV3_FORMAT_X1R5G5B5, &bo,
			2 * LONG_WIDTH, LONG_WIDTH, LONG_HEIGHT);
	for (i = 1; i <= 3; i++) {
		fill_long(&low.client, &bo, i);
		igt_assert_eq(__igt_nv3_submit(&low.client.batch, low.done), 0);
		igt_nv3_fill(&high.client, 0, 0, 8, 8, i);
		for (wait = 0; *pixel != i && wait < 10000; wait++)
			usleep(1000);
		igt_assert_eq(*pixel, i);
		igt_assert_eq(__igt_nv3_submit(&high.client.batch, high.done), 0);
		high.time = signalled_at(fd, high.done);
		low.time = signalled_at(fd, low.done);
		igt_assert(high.time < low.time);
	}
	ranked_fini(&high);
	ranked_fini(&low);
	igt_nv3_bo_destroy(&bo);
}

struct flood {
	int fd;
	uint32_t stop;
	uint32_t batches;
};

static void *flood(void *data)
{
	struct flood *f = data;
	struct ranked r;
	uint32_t i;

	ranked_init(&r, f->fd, DRM_NV3_PRIORITY_HIGH);
	while (!__atomic_load_n(&f->stop, __ATOMIC_ACQUIRE)) {
		for (i = 0; i < 200; i++)
			igt_nv3_fill(&r.client, 0, 0, 64, 64, i);
		igt_assert_eq(__igt_nv3_submit(&r.client.batch, 0), 0);
		__atomic_add_fetch(&f->batches, 1, __ATOMIC_RELEASE);
	}
	ranked_fini(&r);
	return NULL;
}

/*
 * A low-priority channel makes progress, although two channels of a higher priority always have
 * queued batches.
 */
static void test_priority_starvation(int fd)
{
	struct flood floods[2];
	pthread_t thread[2];
	struct ranked low;
	uint32_t i, before;

	ranked_init(&low, fd, DRM_NV3_PRIORITY_LOW);
	for (i = 0; i < 2; i++) {
		floods[i] = (struct flood) { .fd = drm_reopen_driver(fd) };
		igt_assert_eq(pthread_create(&thread[i], NULL, flood,
					     &floods[i]), 0);
	}
	for (i = 0; i < 2; i++)
		while (__atomic_load_n(&floods[i].batches,
				       __ATOMIC_ACQUIRE) < 20)
			usleep(1000);
	before = floods[0].batches + floods[1].batches;
	for (i = 0; i < 30; i++)
		igt_nv3_assert_draws(&low.client, i);
	igt_info("%u batches of high priority, 30 of low priority\n",
		 floods[0].batches + floods[1].batches - before);
	for (i = 0; i < 2; i++) {
		__atomic_store_n(&floods[i].stop, 1, __ATOMIC_RELEASE);
		pthread_join(thread[i], NULL);
		close(floods[i].fd);
	}
	ranked_fini(&low);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("A user may have half of the free channels.");
	igt_subtest("user-limit")
		test_user_limit(fd);

	igt_describe("A channel's number is free after the channel is destroyed.");
	igt_subtest("recreate")
		test_recreate(fd);

	igt_describe("Fences are named by channel.");
	igt_subtest("timeline")
		test_timeline(fd);

	igt_describe("Invalid priorities are refused.");
	igt_subtest("priority-bad")
		test_priority_bad(fd);

	igt_describe("High priority needs CAP_SYS_NICE.");
	igt_subtest("priority-privilege")
		test_priority_privilege(fd);

	igt_describe("Ready channels run by priority, then by age.");
	igt_subtest("priority-order")
		test_priority_order(fd);

	igt_describe("Eight channels may overtake a ready channel.");
	igt_subtest("priority-overtake")
		test_priority_overtake(fd);

	igt_describe("A channel of high priority preempts a running channel of low priority.");
	igt_subtest("priority-preempt")
		test_priority_preempt(fd);

	igt_describe("High priority does not starve low priority.");
	igt_subtest("priority-starvation")
		test_priority_starvation(fd);

	igt_fixture()
		drm_close_driver(fd);
}
