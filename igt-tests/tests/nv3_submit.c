/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stddef.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3.h"

IGT_TEST_DESCRIPTION("SUBMIT: refused arguments, fences, and the order of batches.");

/* A valid submission. Tests then set single fields to invalid values. */
struct request {
	struct drm_nv3_segment segment;
	struct drm_nv3_buffer buffer;
	struct drm_nv3_sync in, out;
	struct drm_nv3_submit submit;
};

static void request_init(struct request *r, struct igt_nv3_client *client)
{
	memset(r, 0, sizeof(*r));
	igt_nv3_fill(client, 0, 0, 1, 1, 0x1234);
	r->segment.handle = client->batch.bo.handle;
	r->segment.length = client->batch.count * 4;
	r->buffer.handle = client->color.handle;
	r->buffer.flags = NV3_READ | NV3_WRITE;
	r->submit.channel = client->channel;
	r->submit.segment_count = 1;
	r->submit.segments = (uintptr_t)&r->segment;
	r->submit.buffer_count = 1;
	r->submit.segment_size = sizeof(r->segment);
	r->submit.buffer_size = sizeof(r->buffer);
	r->submit.sync_size = sizeof(r->in);
	r->submit.buffers = (uintptr_t)&r->buffer;
	r->submit.in_syncs = (uintptr_t)&r->in;
	r->submit.out_syncs = (uintptr_t)&r->out;
	client->batch.count = 0;
	client->batch.buffer_count = 0;
}

static int submit(int fd, struct request *r)
{
	return igt_nv3_ioctl(fd, DRM_IOCTL_NV3_SUBMIT, &r->submit);
}

static void test_bad(int fd)
{
	struct igt_nv3_client client;
	struct request good, r;
	struct drm_nv3_channel_query before, after;
	uint32_t sync;

	igt_nv3_client_init(&client, fd);
	request_init(&good, &client);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &sync), 0);
	igt_nv3_fault(fd, client.channel, &before);

	/* Copies @good to @r, and makes the pointers in @r refer to the members of @r. */
#define COPY() \
	do { \
		r = good; \
		r.submit.segments = (uintptr_t)&r.segment; \
		r.submit.buffers = (uintptr_t)&r.buffer; \
		r.submit.in_syncs = (uintptr_t)&r.in; \
		r.submit.out_syncs = (uintptr_t)&r.out; \
	} while (0)
#define BAD(field, value, error) \
	do { \
		COPY(); \
		r.field = (value); \
		igt_debug(#field " " #value "\n"); \
		igt_assert_eq(submit(fd, &r), -(error)); \
	} while (0)
#define BAD_SYNC(which, field, value, error) \
	do { \
		COPY(); \
		r.which.handle = sync; \
		r.submit.which##_sync_count = 1; \
		r.which.field = (value); \
		igt_debug(#which "." #field " " #value "\n"); \
		igt_assert_eq(submit(fd, &r), -(error)); \
	} while (0)

	BAD(submit.channel, 0, ENOENT);
	BAD(submit.channel, client.channel + 1, ENOENT);
	BAD(submit.flags, 1, EINVAL);
	BAD(submit.flags, 1u << 31, EINVAL);
	BAD(submit.segment_count, 0, EINVAL);
	BAD(submit.segments, 0, EFAULT);
	BAD(submit.buffers, 8, EFAULT);

	BAD(submit.pad, 1, EINVAL);
	BAD(submit.segment_size, 0, EINVAL);
	BAD(submit.segment_size, 0xffffffff, E2BIG);
	BAD(submit.buffer_size, 0, EINVAL);
	BAD(submit.buffer_size, 4097, E2BIG);

	BAD(segment.handle, 0, ENOENT);
	BAD(segment.handle, 0xdead, ENOENT);
	BAD(segment.pad, 1, EINVAL);
	BAD(segment.offset, 2, EINVAL);
	BAD(segment.offset, client.batch.bo.size, EINVAL);
	BAD(segment.offset, 0xfffffffc, EINVAL);
	BAD(segment.length, 0, EINVAL);
	BAD(segment.length, 6, EINVAL);
	BAD(segment.length, client.batch.bo.size + 4, EINVAL);
	BAD(segment.length, 0xfffffffc, EINVAL);

	BAD(buffer.handle, 0, ENOENT);
	BAD(buffer.handle, 0xdead, ENOENT);
	BAD(buffer.flags, 0, EINVAL);
	BAD(buffer.flags, DRM_NV3_BUFFER_EXPLICIT, EINVAL);
	BAD(buffer.flags, NV3_READ | 8, EINVAL);

	BAD_SYNC(in, handle, 0xdead, ENOENT);
	BAD_SYNC(in, flags, 1, EINVAL);
	/* The syncobj has no fence. */
	BAD_SYNC(in, point, 0, EINVAL);
	BAD_SYNC(in, point, 1, EINVAL);
	BAD_SYNC(out, handle, 0, ENOENT);
	BAD_SYNC(out, handle, 0xdead, ENOENT);
	BAD_SYNC(out, flags, 1, EINVAL);
#undef BAD_SYNC
#undef BAD
#undef COPY

	/* The refused batches must neither have run nor have caused a fault. */
	igt_assert_eq(igt_nv3_fault(fd, client.channel, &after), 0);
	igt_assert_eq_u64(before.batches, after.batches);
	igt_nv3_assert_draws(&client, 1);
	drmSyncobjDestroy(fd, sync);
	igt_nv3_client_fini(&client);
}

/* Clients pass arrays whose elements are longer or shorter than the driver's structures. */
static void test_element_size(int fd)
{
	struct {
		struct drm_nv3_segment known;
		uint32_t more[2];
	} segments[2] = { 0 };
	struct {
		struct drm_nv3_buffer known;
		uint32_t more;
	} buffers[2] = { 0 };
	struct igt_nv3_client client;
	struct drm_nv3_sync sync = { 0 };
	struct request r;

	igt_nv3_client_init(&client, fd);
	request_init(&r, &client);
	segments[0].known = r.segment;
	segments[0].known.length = 8;
	segments[1].known = r.segment;
	segments[1].known.offset = 8;
	segments[1].known.length -= 8;
	buffers[0].known = r.buffer;
	buffers[1].known.handle = client.batch.bo.handle;
	buffers[1].known.flags = NV3_READ;
	r.submit.segment_count = 2;
	r.submit.segments = (uintptr_t)segments;
	r.submit.segment_size = sizeof(segments[0]);
	r.submit.buffer_count = 2;
	r.submit.buffers = (uintptr_t)buffers;
	r.submit.buffer_size = sizeof(buffers[0]);

	/* Members that the driver does not know must be 0 in each element. */
	segments[1].more[1] = 1;
	igt_assert_eq(submit(fd, &r), -E2BIG);
	segments[1].more[1] = 0;
	buffers[1].more = 1u << 31;
	igt_assert_eq(submit(fd, &r), -E2BIG);
	buffers[1].more = 0;
	igt_assert_eq(submit(fd, &r), 0);
	igt_nv3_bo_wait(&client.color);
	igt_nv3_assert_rect(&client, 0, 0, 1, 1, 0x1234, 0);

	/*
	 * Pass a sync element that ends before @point, as a client without support for timelines
	 * does.
	 */
	igt_assert_eq(drmSyncobjCreate(fd, 0, &sync.handle), 0);
	sync.point = 1234;
	r.submit.out_sync_count = 1;
	r.submit.out_syncs = (uintptr_t)&sync;
	r.submit.sync_size = offsetof(struct drm_nv3_sync, point);
	igt_assert_eq(submit(fd, &r), 0);
	igt_assert_eq(drmSyncobjWait(fd, &sync.handle, 1, INT64_MAX, 0, NULL),
		      0);
	drmSyncobjDestroy(fd, sync.handle);
	igt_nv3_client_fini(&client);
}

static void test_huge_counts(int fd)
{
	struct igt_nv3_client client;
	struct request r;

	igt_nv3_client_init(&client, fd);
	request_init(&r, &client);
#define BAD(field) \
	do { \
		struct drm_nv3_submit saved = r.submit; \
		int ret; \
		r.submit.field = 0xffffffff; \
		ret = submit(fd, &r); \
		igt_assert_f(ret == -EINVAL || ret == -EFAULT || \
			     ret == -ENOMEM || ret == -E2BIG, \
			     #field ": %d\n", ret); \
		r.submit = saved; \
	} while (0)
	BAD(segment_count);
	BAD(buffer_count);
	BAD(in_sync_count);
	BAD(out_sync_count);
#undef BAD
	igt_nv3_assert_draws(&client, 2);
	igt_nv3_client_fini(&client);
}

/* Submits a batch of maximum length, and a batch that exceeds the maximum by one word. */
static void test_length(int fd)
{
	uint64_t longest = igt_nv3_param(fd, DRM_NV3_PARAM_SUBMIT_MAX);
	struct igt_nv3_client client;
	struct igt_nv3_bo bo;
	struct request r;
	uint32_t i, length, *words;

	igt_nv3_client_init(&client, fd);
	request_init(&r, &client);
	bo = igt_nv3_bo_create(fd, longest + 4096, DRM_NV3_GEM_SYSTEM);
	words = bo.map;
	/*
	 * Fill the batch with COLOR methods of two words each, followed by one or two rectangles of
	 * three words each. If the length is even, two rectangles are necessary.
	 */
	length = longest / 4;
	for (i = 0; i + (length % 2 ? 3 : 6) < length; i += 2) {
		words[i] = 1 << 18 | IGT_NV3_SUB_RECT << 13 | NV3_RECT_COLOR;
		words[i + 1] = 0x1234;
	}
	for (; i < length; i += 3) {
		words[i] = 2 << 18 | IGT_NV3_SUB_RECT << 13 | NV3_RECT_POINT(0);
		words[i + 1] = 0;
		words[i + 2] = 1 << 16 | 1;
	}
	r.segment.handle = bo.handle;
	r.segment.length = longest + 4;
	igt_assert_eq(submit(fd, &r), -E2BIG);
	r.segment.length = longest;
	igt_assert_eq(submit(fd, &r), 0);
	igt_nv3_bo_wait(&client.color);
	igt_assert_eq(igt_nv3_fault(fd, client.channel, NULL), 0);

	igt_assert_eq(igt_nv3_pixel(&client, 0, 0), 0x1234);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_client_fini(&client);
}

/* The words in many segments form a single stream of methods. */
static void test_segments(int fd)
{
	struct igt_nv3_client client;
	struct drm_nv3_segment segments[16];
	struct request r;
	uint32_t i, length;

	igt_nv3_client_init(&client, fd);
	request_init(&r, &client);
	length = r.segment.length / 4;
	igt_assert(length <= ARRAY_SIZE(segments));
	for (i = 0; i < length; i++) {
		segments[i] = r.segment;
		segments[i].offset = i * 4;
		segments[i].length = 4;
	}
	r.submit.segments = (uintptr_t)segments;
	r.submit.segment_count = length;
	igt_assert_eq(submit(fd, &r), 0);
	igt_nv3_bo_wait(&client.color);
	igt_nv3_assert_rect(&client, 0, 0, 1, 1, 0x1234, 0);
	igt_nv3_client_fini(&client);
}

/* SUBMIT copies the words, so a client may overwrite them at once. */
static void test_copied(int fd)
{
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < 500; i++) {
		igt_nv3_fill(&client, 0, 0, 64, 64, i);
		igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
		memset(client.batch.bo.map, 0xff, 256);
	}
	igt_nv3_bo_wait(&client.color);
	igt_assert_eq(igt_nv3_fault(fd, client.channel, NULL), 0);
	igt_nv3_assert_rect(&client, 0, 0, 64, 64, 499, 0);
	igt_nv3_client_fini(&client);
}

static int64_t in_future(int64_t ns)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec + ns;
}

#define LONG	INT64_C(30000000000)

static void test_out_binary(int fd)
{
	struct igt_nv3_client client;
	struct request r;

	igt_nv3_client_init(&client, fd);
	request_init(&r, &client);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &r.out.handle), 0);
	igt_assert_eq(drmSyncobjWait(fd, &r.out.handle, 1, 0, 0, NULL),
		      -EINVAL);
	r.submit.out_sync_count = 1;
	igt_assert_eq(submit(fd, &r), 0);
	igt_assert_eq(drmSyncobjWait(fd, &r.out.handle, 1, in_future(LONG), 0,
				     NULL), 0);
	igt_nv3_assert_rect(&client, 0, 0, 1, 1, 0x1234, 0);
	drmSyncobjDestroy(fd, r.out.handle);
	igt_nv3_client_fini(&client);
}

static void test_out_timeline(int fd)
{
	struct igt_nv3_client client;
	struct request r;
	uint64_t value;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	request_init(&r, &client);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &r.out.handle), 0);
	r.submit.out_sync_count = 1;
	for (i = 1; i <= 5; i++) {
		r.out.point = 10 * i;
		igt_assert_eq(submit(fd, &r), 0);
	}
	value = 50;
	igt_assert_eq(drmSyncobjTimelineWait(fd, &r.out.handle, &value, 1,
					     in_future(LONG), 0, NULL), 0);
	igt_assert_eq(drmSyncobjQuery(fd, &r.out.handle, &value, 1), 0);
	igt_assert_eq_u64(value, 50);
	drmSyncobjDestroy(fd, r.out.handle);
	igt_nv3_client_fini(&client);
}

/*
 * Two batches use different buffers, so only the syncobj orders them. If @point is 0, the syncobj
 * is binary.
 */
static void test_in(int fd, uint64_t point)
{
	struct igt_nv3_client a, b;
	struct request r;
	uint32_t i, sync;

	igt_nv3_client_init(&a, fd);
	igt_nv3_client_init(&b, fd);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &sync), 0);
	for (i = 0; i < 3000; i++)
		igt_nv3_fill(&a, 0, 0, 64, 64, i & 0x7fff);
	r = (struct request){ 0 };
	r.segment.handle = a.batch.bo.handle;
	r.segment.length = a.batch.count * 4;
	r.buffer.handle = a.color.handle;
	r.buffer.flags = NV3_READ | NV3_WRITE;
	r.out.handle = sync;
	r.out.point = point;
	r.submit.channel = a.channel;
	r.submit.segment_count = 1;
	r.submit.segments = (uintptr_t)&r.segment;
	r.submit.buffer_count = 1;
	r.submit.buffers = (uintptr_t)&r.buffer;
	r.submit.out_sync_count = 1;
	r.submit.out_syncs = (uintptr_t)&r.out;
	r.submit.segment_size = sizeof(r.segment);
	r.submit.buffer_size = sizeof(r.buffer);
	r.submit.sync_size = sizeof(r.out);
	igt_assert_eq(submit(fd, &r), 0);

	request_init(&r, &b);
	r.in.handle = sync;
	r.in.point = point;
	r.submit.in_sync_count = 1;
	igt_assert_eq(submit(fd, &r), 0);
	igt_nv3_bo_wait(&b.color);
	/* Client b has drawn, so the batch of client a must have completed before. */
	igt_assert_eq(__igt_nv3_gem_wait(fd, a.color.handle,
					 DRM_NV3_GEM_WAIT_WRITE, 0), 0);
	igt_nv3_assert_rect(&a, 0, 0, 64, 64, 2999, 0);
	igt_nv3_assert_rect(&b, 0, 0, 1, 1, 0x1234, 0);
	drmSyncobjDestroy(fd, sync);
	a.batch.count = 0;
	igt_nv3_client_fini(&a);
	igt_nv3_client_fini(&b);
}

/* Without a syncobj, the fences of the shared buffer order the batches. */
static void test_implicit(int fd)
{
	struct igt_nv3_client a, b;
	int dmabuf, other = drm_reopen_driver(fd);
	struct igt_nv3_bo shared = { 0 };
	uint32_t i, round;

	igt_nv3_client_init(&a, fd);
	igt_nv3_client_init(&b, other);
	igt_assert_eq(drmPrimeHandleToFD(fd, a.color.handle,
					 DRM_CLOEXEC | DRM_RDWR, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(other, dmabuf, &shared.handle), 0);
	close(dmabuf);
	igt_nv3_surface(other, b.channel, 0x1000, 0, DRM_NV3_FORMAT_X1R5G5B5,
			&shared, 2 * IGT_NV3_CANVAS, IGT_NV3_CANVAS,
			IGT_NV3_CANVAS);
	igt_nv3_select(&b.batch, IGT_NV3_SUB_COLOR, 0x1000);

	for (round = 0; round < 20; round++) {
		for (i = 0; i < 200; i++)
			igt_nv3_fill(&a, 0, 0, 64, 64, i);
		igt_assert_eq(__igt_nv3_submit(&a.batch, 0), 0);
		igt_nv3_use(&b.batch, &shared, NV3_READ | NV3_WRITE);
		igt_nv3_fill(&b, 8, 8, 16, 16, 0x7000 + round);
		igt_assert_eq(__igt_nv3_submit(&b.batch, 0), 0);
		igt_nv3_bo_wait(&a.color);
		igt_nv3_assert_rect(&a, 8, 8, 16, 16, 0x7000 + round, 199);
	}
	drmCloseBufferHandle(other, shared.handle);
	igt_nv3_client_fini(&a);
	igt_nv3_client_fini(&b);
	close(other);
}

/*
 * Subchannels 0 to 6 keep their objects between batches. The driver uses subchannel 7 at the end of
 * each batch.
 */
static void test_subchannels(int fd)
{
	struct igt_nv3_client client;
	uint32_t i, subch;

	igt_nv3_client_init(&client, fd);
	for (subch = 1; subch < 8; subch++) {
		igt_nv3_graph(fd, client.channel, 0x1000 + subch,
			      NV3_CLASS_RECT, 1);
		igt_nv3_select(&client.batch, subch, 0x1000 + subch);
		igt_nv3_method(&client.batch, subch, NV3_RECT_COLOR, subch);
		igt_nv3_begin(&client.batch, subch, NV3_RECT_POINT(0), 2);
		igt_nv3_word(&client.batch, subch);
		igt_nv3_word(&client.batch, 1 << 16 | 1);
	}
	igt_nv3_use(&client.batch, &client.color, NV3_READ | NV3_WRITE);
	igt_nv3_run_ok(&client.batch);
	for (subch = 1; subch < 8; subch++)
		igt_assert_eq(igt_nv3_pixel(&client, subch, 0), subch);

	for (subch = 1; subch < 7; subch++) {
		igt_nv3_method(&client.batch, subch, NV3_RECT_COLOR,
			       0x100 + subch);
		igt_nv3_begin(&client.batch, subch, NV3_RECT_POINT(0), 2);
		igt_nv3_word(&client.batch, 1 << 16 | subch);
		igt_nv3_word(&client.batch, 1 << 16 | 1);
	}
	igt_nv3_use(&client.batch, &client.color, NV3_READ | NV3_WRITE);
	igt_nv3_run_ok(&client.batch);
	for (i = 1; i < 7; i++)
		igt_assert_eq(igt_nv3_pixel(&client, i, 1), 0x100 + i);
	igt_nv3_client_fini(&client);
}

#define SEM		0x3000
#define WAITING		8

static void semaphore(struct igt_nv3_client *client,
		      const struct igt_nv3_bo *bo)
{
	struct drm_nv3_semaphore_args args = {
		.handle = bo->handle, .timeout_ms = 10000,
	};

	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, SEM,
				       DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
}

/*
 * A batch lists the same buffer several times, once for each kind of use. The driver must reserve a
 * slot for a fence for each use, although the buffer's reservation object already contains the
 * fences of @count other batches.
 */
static void thrice(int fd, struct igt_nv3_client *client,
		   struct igt_nv3_client *releaser,
		   struct igt_nv3_client *waiting, uint32_t count)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	struct drm_nv3_buffer buffers[] = {
		{ .handle = client->color.handle, .flags = NV3_WRITE },
		{ .handle = bo.handle, .flags = NV3_WRITE },
		{ .handle = bo.handle, .flags = NV3_READ },
		{ .handle = bo.handle, .flags = NV3_READ | DRM_NV3_BUFFER_EXPLICIT },
	};
	struct request r;
	uint32_t i;

	for (i = 0; i < count; i++) {
		igt_nv3_use(&waiting[i].batch, &bo, NV3_READ | DRM_NV3_BUFFER_EXPLICIT);
		igt_nv3_select(&waiting[i].batch, IGT_NV3_SUB_FREE, SEM);
		igt_nv3_method(&waiting[i].batch, IGT_NV3_SUB_FREE,
			       NV3_SEMAPHORE_ACQUIRE, count);
		igt_nv3_fill(&waiting[i], 0, 0, 64, 64, count);
		igt_assert_eq(__igt_nv3_submit(&waiting[i].batch, 0), 0);
	}
	request_init(&r, client);
	r.submit.buffers = (uintptr_t)buffers;
	r.submit.buffer_count = ARRAY_SIZE(buffers);
	igt_assert_eq(submit(fd, &r), 0);

	igt_nv3_select(&releaser->batch, IGT_NV3_SUB_FREE, SEM);
	igt_nv3_method(&releaser->batch, IGT_NV3_SUB_FREE, NV3_SEMAPHORE_RELEASE, count);
	igt_nv3_run_ok(&releaser->batch);
	for (i = 0; i < count; i++) {
		igt_nv3_batch_wait(&waiting[i].batch);
		igt_nv3_assert_rect(&waiting[i], 0, 0, 64, 64, count, 0);
	}
	igt_nv3_bo_destroy(&bo);
}

static void test_thrice(int fd)
{
	struct igt_nv3_client client, releaser, waiting[WAITING];
	struct igt_nv3_bo sem = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	igt_nv3_client_init_lr(&releaser, fd);
	semaphore(&releaser, &sem);
	for (i = 0; i < WAITING; i++) {
		igt_nv3_client_init_lr(&waiting[i], fd);
		semaphore(&waiting[i], &sem);
	}
	for (i = 1; i <= WAITING; i++)
		thrice(fd, &client, &releaser, waiting, i);
	for (i = 0; i < WAITING; i++)
		igt_nv3_client_fini(&waiting[i]);
	igt_nv3_client_fini(&releaser);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&sem);
}

/* Submits many batches without waiting. All of them must run. */
static void test_many(int fd)
{
	struct igt_nv3_client client;
	struct drm_nv3_channel_query before, after;
	const uint32_t count = 2000;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	igt_nv3_fault(fd, client.channel, &before);
	for (i = 0; i < count; i++) {
		igt_nv3_fill(&client, i % 64, i / 64, 1, 1, i + 1);
		igt_assert_eq(__igt_nv3_submit(&client.batch, 0), 0);
	}
	igt_nv3_bo_wait(&client.color);
	igt_assert_eq(igt_nv3_fault(fd, client.channel, &after), 0);
	igt_assert_eq_u64(after.batches - before.batches, count);
	for (i = 0; i < count; i++)
		igt_assert_eq(igt_nv3_pixel(&client, i % 64, i / 64), i + 1);
	igt_nv3_client_fini(&client);
}

/* Closing a file with a batch in flight must not affect another client. */
static void test_close(int fd)
{
	struct igt_nv3_client client, victim;
	uint32_t i, round;

	igt_nv3_client_init(&client, fd);
	for (round = 0; round < 20; round++) {
		int other = drm_reopen_driver(fd);

		igt_nv3_client_init(&victim, other);
		for (i = 0; i < 1000; i++)
			igt_nv3_fill(&victim, 0, 0, 64, 64, i);
		igt_assert_eq(__igt_nv3_submit(&victim.batch, 0), 0);
		close(other);
		igt_nv3_assert_draws(&client, round);
	}
	igt_nv3_client_fini(&client);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Each field of the ioctl and its arrays is checked, and nothing runs.");
	igt_subtest("bad")
		test_bad(fd);

	igt_describe("Elements of arrays may be longer and shorter than the driver's.");
	igt_subtest("element-size")
		test_element_size(fd);

	igt_describe("Counts of four billion fail without allocating memory.");
	igt_subtest("huge-counts")
		test_huge_counts(fd);

	igt_describe("The longest batch runs; -E2BIG beyond.");
	igt_subtest("length")
		test_length(fd);

	igt_describe("Segments of a word each form one stream.");
	igt_subtest("segments")
		test_segments(fd);

	igt_describe("Words may be overwritten when SUBMIT has returned.");
	igt_subtest("copied")
		test_copied(fd);

	igt_describe("A binary syncobj is signalled when the batch is done.");
	igt_subtest("out-binary")
		test_out_binary(fd);

	igt_describe("Points of a timeline are signalled in order.");
	igt_subtest("out-timeline")
		test_out_timeline(fd);

	igt_describe("A batch waits for a binary syncobj.");
	igt_subtest("in-binary")
		test_in(fd, 0);

	igt_describe("A batch waits for a point of a timeline.");
	igt_subtest("in-timeline")
		test_in(fd, 7);

	igt_describe("Batches of two files that use the same buffer run in order.");
	igt_subtest("implicit")
		test_implicit(fd);

	igt_describe("All eight subchannels work in a batch, and seven keep their objects.");
	igt_subtest("subchannels")
		test_subchannels(fd);

	igt_describe("A buffer is used in all ways by a batch, and has many fences of others.");
	igt_subtest("thrice")
		test_thrice(fd);

	igt_describe("Thousands of batches without waiting.");
	igt_subtest("many")
		test_many(fd);

	igt_describe("Closing a file with batches in flight does not affect others.");
	igt_subtest("close")
		test_close(fd);

	igt_fixture()
		drm_close_driver(fd);
}
