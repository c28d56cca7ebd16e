/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

static struct nv3_bo *new_bo(uint32_t size)
{
	struct nv3_bo *bo;

	assert_int_equal(nv3_bo_new(dev, size, DRM_NV3_GEM_VRAM, &bo), 0);
	return bo;
}

static struct nv3_object *new_surface(struct nv3_bo *bo, uint32_t slot)
{
	struct nv3_surface info = { .slot = slot };
	struct nv3_object *obj;

	assert_int_equal(nv3_surface_new(chan, 0, bo, &info, &obj), 0);
	return obj;
}

static struct nv3_object *new_rect(uint32_t slots)
{
	struct nv3_graph info = { .dst_slots = slots };
	struct nv3_object *obj;

	assert_int_equal(nv3_graph_new(chan, 0, NV3_CLASS_RECT, &info, &obj),
			 0);
	return obj;
}

static const struct fake_batch *batch(uint32_t n)
{
	assert_in_range(n, 1, fake.batch_count);
	return &fake.batches[(n - 1) % 4];
}

static uint32_t flags_in(const struct fake_batch *b, struct nv3_bo *bo)
{
	uint32_t i, found = 0, flags = 0;

	for (i = 0; i < b->buffer_count; i++) {
		if (b->buffers[i].handle == nv3_bo_handle(bo)) {
			flags = b->buffers[i].flags;
			found++;
		}
	}
	assert_true(found <= 1);
	return flags;
}

static uint32_t times_closed(uint32_t handle)
{
	uint32_t i, times = 0;

	for (i = 0; i < fake.closed_count && i < FAKE_MAX; i++)
		times += fake.closed[i] == handle;
	return times;
}

static void test_device(void **state)
{
	const uint32_t *classes;
	struct nv3_device *other;
	uint32_t count;

	assert_int_equal(nv3_device_classes(dev, &classes, &count), 0);
	assert_int_equal(count, 2);
	assert_true(nv3_device_has_class(dev, NV3_CLASS_D3D));
	assert_false(nv3_device_has_class(dev, NV3_CLASS_BLIT));

	fake.driver = "nv33";
	assert_int_equal(nv3_device_new(fake.fd, &other), -ENODEV);
	fake.driver = "nv3";
	fake.fail_request = DRM_IOCTL_NV3_CLASS_ENUMERATE;
	fake.fail_errno = EACCES;
	assert_int_equal(nv3_device_new(fake.fd, &other), -EACCES);
}

static void test_names(void **state)
{
	assert_string_equal(nv3_class_name(NV3_CLASS_D3D), "D3D");
	assert_string_equal(nv3_class_name(DRM_NV3_CLASS_FLIP), "FLIP");
	assert_null(nv3_class_name(0x16));
	assert_null(nv3_class_name(0xffffffff));
	assert_non_null(nv3_fault_name(DRM_NV3_FAULT_STATE));
	assert_non_null(nv3_fault_name(0xffffffff));
}

static void test_import_finds_the_buffer(void **state)
{
	struct nv3_bo *bo = new_bo(4096), *again;
	uint32_t handle = nv3_bo_handle(bo);

	fake.import_handle = handle;
	assert_int_equal(nv3_bo_import(dev, fake.fd, &again), 0);
	assert_ptr_equal(again, bo);
	nv3_bo_unref(bo);
	assert_int_equal(times_closed(handle), 0);
	nv3_bo_unref(again);
	assert_int_equal(times_closed(handle), 1);
}

static void test_map_is_one(void **state)
{
	struct nv3_bo *bo = new_bo(100);
	void *a, *b;

	assert_int_equal(nv3_bo_size(bo), 4096);
	assert_int_equal(nv3_bo_map(bo, &a), 0);
	assert_int_equal(nv3_bo_map(bo, &b), 0);
	assert_ptr_equal(a, b);
	nv3_bo_unref(bo);
}

static void test_names_of_objects(void **state)
{
	struct nv3_graph info = { 0 };
	struct nv3_object *a, *b, *c;

	a = new_rect(1);
	/* Use the handle that the library would choose next. */
	assert_int_equal(nv3_graph_new(chan, nv3_object_name(a) + 1,
				       NV3_CLASS_RECT, &info, &b), 0);
	c = new_rect(1);
	assert_int_not_equal(nv3_object_name(c), nv3_object_name(b));
	nv3_object_unref(c);
	assert_int_equal(nv3_graph_new(chan, nv3_object_name(a),
				       NV3_CLASS_RECT, &info, &c), -EEXIST);
	nv3_object_unref(a);
	nv3_object_unref(b);
	assert_int_equal(fake.name_count, 0);
}

static void test_graph_holds_its_dma(void **state)
{
	struct nv3_bo *bo = new_bo(4096);
	struct nv3_graph info = { 0 };
	struct nv3_object *dma, *d3d;

	assert_int_equal(nv3_dma_new(chan, 5, bo, 0, 4096, 0, &dma), 0);
	info.dma[0] = dma;
	assert_int_equal(nv3_graph_new(chan, 6, NV3_CLASS_D3D, &info, &d3d), 0);
	nv3_object_unref(dma);
	assert_int_equal(fake.name_count, 2);

	assert_int_equal(nv3_pushbuf_select(push, 3, d3d), 0);
	nv3_push_method(push, 3, NV3_D3D_ALPHA, 0x800);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(flags_in(batch(1), bo), DRM_NV3_BUFFER_READ);

	/* The object is bound, so the pushbuffer holds a reference to it. */
	nv3_object_unref(d3d);
	assert_int_equal(fake.name_count, 2);
	nv3_pushbuf_del(push);
	assert_int_equal(fake.name_count, 0);
	assert_int_equal(nv3_pushbuf_new(chan, &push), 0);
	nv3_bo_unref(bo);
}

static void test_words(void **state)
{
	const uint32_t two[] = { 1, 2 };

	nv3_push_begin(push, 2, 0x1ffc, 1);
	nv3_push(push, 0xffffffff);
	nv3_push_begin(push, 6, 0x400, 3);
	nv3_push_float(push, 1.0f);
	nv3_push_words(push, two, 2);
	assert_int_equal(nv3_pushbuf_words(push), 6);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(nv3_pushbuf_words(push), 0);
	assert_int_equal(batch(1)->count, 6);
	assert_int_equal(batch(1)->words[0], 1 << 18 | 2 << 13 | 0x1ffc);
	assert_int_equal(batch(1)->words[1], 0xffffffff);
	assert_int_equal(batch(1)->words[2], 3 << 18 | 6 << 13 | 0x400);
	assert_int_equal(batch(1)->words[3], 0x3f800000);
	assert_int_equal(batch(1)->words[5], 2);
}

static void push_run(uint32_t first, uint32_t count)
{
	uint32_t i;

	nv3_push_begin(push, 0, 0, count);
	for (i = 0; i < count; i++)
		nv3_push(push, first + i);
}

static void test_grows_and_keeps_words(void **state)
{
	uint32_t i, runs = 6;

	for (i = 0; i < runs; i++)
		push_run(i << 16, NV3_RUN_MAX);
	assert_int_equal(fake.batch_count, 0);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(fake.batch_count, 1);
	assert_int_equal(batch(1)->count, runs * (NV3_RUN_MAX + 1));
	for (i = 0; i < batch(1)->count; i++) {
		uint32_t run = i / (NV3_RUN_MAX + 1);
		uint32_t word = i % (NV3_RUN_MAX + 1);

		if (word)
			assert_int_equal(batch(1)->words[i],
					 run << 16 | (word - 1));
	}
}

static void test_flushes_when_full(void **state)
{
	uint32_t i, fit = FAKE_SUBMIT_MAX / 4 / (NV3_RUN_MAX + 1);

	for (i = 0; i < fit; i++)
		push_run(0, NV3_RUN_MAX);
	assert_int_equal(fake.batch_count, 0);
	push_run(0x1234, 1);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(fake.batch_count, 2);
	assert_int_equal(batch(1)->count, fit * (NV3_RUN_MAX + 1));
	assert_int_equal(batch(2)->count, 2);
	assert_int_equal(batch(2)->words[1], 0x1234);
	assert_int_equal(nv3_pushbuf_seq(push), 2);
}

/*
 * If SUBMIT fails with -ENOMEM, the library returns this error without a retry, because the kernel
 * has already waited for memory.
 */
static void test_no_memory(void **state)
{
	fake.fail_request = DRM_IOCTL_NV3_SUBMIT;
	fake.fail_errno = ENOMEM;
	push_run(0x1234, 1);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), -ENOMEM);
	assert_int_equal(fake.batch_count, 0);
	push_run(0x1234, 1);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(batch(1)->words[1], 0x1234);
}

static void test_space(void **state)
{
	uint32_t max = FAKE_SUBMIT_MAX / 4;

	assert_int_equal(nv3_pushbuf_space(push, max + 1), -E2BIG);
	assert_int_equal(nv3_pushbuf_space(push, max), 0);
	push_run(0, 1);
	assert_int_equal(nv3_pushbuf_space(push, max), 0);
	assert_int_equal(fake.batch_count, 1);
	assert_int_equal(nv3_pushbuf_space(push, UINT32_MAX), -E2BIG);
}

static void test_buffers_follow_bindings(void **state)
{
	struct nv3_bo *bo[2] = { new_bo(4096), new_bo(4096) };
	struct nv3_object *a = new_surface(bo[0], 0);
	struct nv3_object *b = new_surface(bo[1], 0);
	struct nv3_object *rect = new_rect(1 << 0);

	assert_int_equal(nv3_pushbuf_select(push, 0, a), 0);
	assert_int_equal(nv3_pushbuf_select(push, 1, rect), 0);
	nv3_push_method(push, 1, NV3_RECT_COLOR, 0);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(flags_in(batch(1), bo[0]),
			 DRM_NV3_BUFFER_READ | DRM_NV3_BUFFER_WRITE);

	/*
	 * The surface is still bound, and the next batch draws to it. The next batch must therefore
	 * list the surface's buffer again.
	 */
	nv3_push_method(push, 1, NV3_RECT_COLOR, 0);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_not_equal(flags_in(batch(2), bo[0]), 0);

	/*
	 * Another surface replaces the bound one. The batch lists only the new surface's buffer.
	 */
	assert_int_equal(nv3_pushbuf_select(push, 0, b), 0);
	nv3_push_method(push, 1, NV3_RECT_COLOR, 0);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(flags_in(batch(3), bo[0]), 0);
	assert_int_not_equal(flags_in(batch(3), bo[1]), 0);

	/*
	 * The batch draws to one surface, and afterwards to another one. It must list the buffers
	 * of both surfaces.
	 */
	nv3_push_method(push, 1, NV3_RECT_COLOR, 0);
	assert_int_equal(nv3_pushbuf_select(push, 0, a), 0);
	nv3_push_method(push, 1, NV3_RECT_COLOR, 0);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_not_equal(flags_in(batch(4), bo[0]), 0);
	assert_int_not_equal(flags_in(batch(4), bo[1]), 0);

	nv3_object_unref(a);
	nv3_object_unref(b);
	nv3_object_unref(rect);
	nv3_bo_unref(bo[0]);
	nv3_bo_unref(bo[1]);
}

/* An object that the batch unbinds must exist until the batch is submitted. */
static void test_replaced_objects_last(void **state)
{
	struct nv3_bo *bo = new_bo(4096);
	struct nv3_object *rect = new_rect(1 << 0), *surface;
	int i;

	assert_int_equal(nv3_pushbuf_select(push, 1, rect), 0);
	for (i = 0; i < 40; i++) {
		surface = new_surface(bo, 0);
		assert_int_equal(nv3_pushbuf_select(push, 0, surface), 0);
		nv3_object_unref(surface);
		nv3_push_method(push, 1, NV3_RECT_COLOR, i);
		assert_int_equal(fake.name_count, i + 2);
	}
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	/* The last surface still exists, because it is bound. */
	assert_int_equal(fake.name_count, 2);

	nv3_object_unref(rect);
	nv3_bo_unref(bo);
}

static void test_many_buffers(void **state)
{
	struct nv3_bo *bos[40];
	uint32_t i;

	for (i = 0; i < 40; i++) {
		bos[i] = new_bo(4096);
		assert_int_equal(nv3_pushbuf_use(push, bos[i],
						 DRM_NV3_BUFFER_READ), 0);
	}
	for (i = 0; i < 40; i++)
		assert_int_equal(nv3_pushbuf_use(push, bos[i],
						 DRM_NV3_BUFFER_WRITE), 0);
	push_run(0, 1);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(batch(1)->buffer_count, 40);
	for (i = 0; i < 40; i++) {
		assert_int_equal(flags_in(batch(1), bos[i]),
				 DRM_NV3_BUFFER_READ | DRM_NV3_BUFFER_WRITE);
		nv3_bo_unref(bos[i]);
	}
}

static void test_channel_priority(void **state)
{
	struct nv3_channel *other = NULL;

	assert_int_equal(nv3_channel_new_priority(dev, DRM_NV3_CHANNEL_DMA,
						  DRM_NV3_PRIORITY_LOW,
						  &other), 0);
	assert_int_equal(fake.priority, DRM_NV3_PRIORITY_LOW);
	nv3_channel_unref(other);
	assert_int_equal(nv3_channel_new(dev, DRM_NV3_CHANNEL_DMA, &other), 0);
	assert_int_equal(fake.priority, DRM_NV3_PRIORITY_NORMAL);
	nv3_channel_unref(other);
	other = NULL;
	fake.fail_request = DRM_IOCTL_NV3_CHANNEL_CREATE;
	fake.fail_errno = EPERM;
	assert_int_equal(nv3_channel_new_priority(dev, DRM_NV3_CHANNEL_DMA,
						  DRM_NV3_PRIORITY_HIGH,
						  &other), -EPERM);
	assert_null(other);
}

static void test_select_refuses(void **state)
{
	struct nv3_object *rect = new_rect(1);
	struct nv3_channel *other;
	struct nv3_pushbuf *foreign;

	assert_int_equal(nv3_pushbuf_select(push, NV3_SUBCHANNELS, rect),
			 -EINVAL);
	assert_int_equal(nv3_channel_new(dev, DRM_NV3_CHANNEL_DMA, &other), 0);
	assert_int_equal(nv3_pushbuf_new(other, &foreign), 0);
	assert_int_equal(nv3_pushbuf_select(foreign, 0, rect), -EINVAL);
	nv3_pushbuf_del(foreign);
	nv3_channel_unref(other);
	nv3_object_unref(rect);
}

static void test_error_stays_until_told(void **state)
{
	uint32_t i, fit = FAKE_SUBMIT_MAX / 4 / (NV3_RUN_MAX + 1);

	fake.fail_request = DRM_IOCTL_NV3_SUBMIT;
	fake.fail_errno = EIO;
	for (i = 0; i < 3 * fit; i++)
		push_run(0, NV3_RUN_MAX);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), -EIO);
	assert_int_equal(fake.batch_count, 0);
	assert_int_equal(nv3_pushbuf_seq(push), 0);
	push_run(5, 1);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(batch(1)->words[1], 5);
}

/*
 * After an error, the batch is lost. The batch may contain the methods that bind objects, so the
 * library treats all objects as unbound.
 */
static void test_error_unbinds(void **state)
{
	struct nv3_bo *bo = new_bo(4096);
	struct nv3_object *surface = new_surface(bo, 0);
	struct nv3_object *rect = new_rect(1 << 0);

	assert_int_equal(nv3_pushbuf_select(push, 0, surface), 0);
	assert_int_equal(nv3_pushbuf_select(push, 1, rect), 0);
	fake.fail_request = DRM_IOCTL_NV3_SUBMIT;
	fake.fail_errno = EINVAL;
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), -EINVAL);
	nv3_push_method(push, 1, NV3_RECT_COLOR, 0);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(batch(1)->buffer_count, 0);

	assert_int_equal(nv3_pushbuf_select(push, 1, rect), 0);
	assert_int_equal(nv3_pushbuf_select(push, 0, surface), 0);
	nv3_push_method(push, 1, NV3_RECT_COLOR, 0);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_not_equal(flags_in(batch(2), bo), 0);

	nv3_object_unref(surface);
	nv3_object_unref(rect);
	nv3_bo_unref(bo);
}

static void test_syncs(void **state)
{
	struct drm_nv3_sync out[9] = { { .handle = 11 } };

	/* Without a previous batch, the syncobj signals at once. */
	assert_int_equal(nv3_pushbuf_flush(push, out, 1), 0);
	assert_int_equal(fake.signals, 1);
	assert_int_equal(fake.batch_count, 0);

	assert_int_equal(nv3_pushbuf_after(push, 21, 3), 0);
	push_run(0, 1);
	assert_int_equal(nv3_pushbuf_flush(push, out, 9), 0);
	assert_int_equal(batch(1)->in_count, 1);
	assert_int_equal(batch(1)->in[0].handle, 21);
	assert_int_equal(batch(1)->in[0].point, 3);
	assert_int_equal(batch(1)->out_count, 10);
	assert_int_equal(batch(1)->out[0].handle, 11);
	assert_int_equal(batch(1)->out[9].handle, nv3_pushbuf_timeline(push));
	assert_int_equal(batch(1)->out[9].point, 1);

	push_run(0, 1);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(batch(2)->in_count, 0);
	assert_int_equal(batch(2)->out[0].point, 2);

	/* A flush of an empty batch copies the fence of the last batch. */
	assert_int_equal(nv3_pushbuf_flush(push, out, 1), 0);
	assert_int_equal(fake.transfers, 1);
	assert_int_equal(nv3_pushbuf_wait(push, 3, 0), -EINVAL);
	assert_int_equal(nv3_pushbuf_wait(push, 0, 0), 0);
}

/* ---- long-running channels ---- */

#define LATE	DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT

static int setup_long_running(uint32_t type)
{
	fake_reset();
	if (nv3_device_new(fake.fd, &dev) ||
	    nv3_channel_new_flags(dev, type, DRM_NV3_CHANNEL_LONG_RUNNING,
				  &chan) ||
	    nv3_pushbuf_new(chan, &push))
		return -1;
	return 0;
}

static int setup_long_running_dma(void **state)
{
	return setup_long_running(DRM_NV3_CHANNEL_DMA);
}

static int setup_long_running_pio(void **state)
{
	return setup_long_running(DRM_NV3_CHANNEL_PIO);
}

/*
 * A batch on a long-running channel has no fence until the batch is done. The library therefore
 * uses WAIT_FOR_SUBMIT when it waits for a syncobj or transfers its fence.
 */
static void test_long_running(void **state)
{
	struct drm_nv3_sync out = { .handle = 11 };

	assert_int_equal(fake.channel_flags, DRM_NV3_CHANNEL_LONG_RUNNING);
	push_run(0, 1);
	assert_int_equal(nv3_pushbuf_flush(push, &out, 1), 0);
	assert_int_equal(batch(1)->out_count, 2);
	assert_int_equal(nv3_pushbuf_wait(push, 1, 0), 0);
	assert_int_equal(fake.wait_flags & LATE, LATE);
	assert_int_equal(nv3_pushbuf_flush(push, &out, 1), 0);
	assert_int_equal(fake.transfers, 1);
	assert_int_equal(fake.transfer_flags & LATE, LATE);
}

/* A PIO timeslice has no fence, so the library passes each syncobj to CHANNEL_FLUSH. */
static void test_long_running_pio(void **state)
{
	struct drm_nv3_sync out = { .handle = 5, .point = 6 };
	volatile uint32_t *words;

	assert_int_equal(nv3_channel_aperture(chan, &words), 0);
	words[NV3_PIO_FREE] = 252;
	nv3_push_method(push, 1, 0x300, 1);
	assert_int_equal(nv3_pushbuf_flush(push, &out, 1), 0);
	assert_int_equal(fake.transfers, 0);
	assert_int_equal(fake.flush_count, 2);
	assert_int_equal(fake.flushes[1].syncobj, 5);
	assert_int_equal(fake.flushes[1].point, 6);
}

/* ---- PIO ---- */

static int setup_pio(void **state)
{
	fake_reset();
	if (nv3_device_new(fake.fd, &dev) ||
	    nv3_channel_new(dev, DRM_NV3_CHANNEL_PIO, &chan) ||
	    nv3_pushbuf_new(chan, &push))
		return -1;
	return 0;
}

static volatile uint32_t *aperture(void)
{
	volatile uint32_t *words;

	assert_int_equal(nv3_channel_aperture(chan, &words), 0);
	return words;
}

/*
 * In this test, the USER aperture is ordinary memory, so the test can read the words that the
 * library has stored.
 */
static void test_pio_method(void **state)
{
	struct nv3_pio pio;

	assert_int_equal(nv3_pio_init(chan, &pio), 0);
	aperture()[NV3_PIO_FREE] = 8;
	nv3_pio_method(&pio, 0, 0x300, 1);
	assert_int_equal(pio.room, 4);
	nv3_pio_method(&pio, 7, 0x1ffc, 2);
	assert_int_equal(pio.room, 0);
	aperture()[NV3_PIO_FREE] = 252;
	nv3_pio_method(&pio, 3, 0x304, 3);
	assert_int_equal(pio.room, 248);
	assert_int_equal(aperture()[0x300 / 4], 1);
	assert_int_equal(aperture()[0xfffc / 4], 2);
	assert_int_equal(aperture()[0x6304 / 4], 3);
}

static void test_pio_pushbuf(void **state)
{
	const struct drm_nv3_sync out = { .handle = 5, .point = 6 };
	uint32_t i;

	aperture()[NV3_PIO_FREE] = 252;
	nv3_push_begin(push, 2, 0x400, 3);
	for (i = 0; i < 3; i++)
		nv3_push(push, 0x10 + i);
	nv3_push_method(push, 6, 0x1ffc, 0x20);
	/* Nothing is stored before the flush. */
	assert_int_equal(aperture()[0x4400 / 4], 0);
	assert_int_equal(nv3_pushbuf_after(push, 77, 8), 0);
	assert_int_equal(nv3_pushbuf_flush(push, &out, 1), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(aperture()[0x4400 / 4 + i], 0x10 + i);
	assert_int_equal(aperture()[0xdffc / 4], 0x20);
	assert_int_equal(fake.waits, 1);
	assert_int_equal(fake.transfers, 1);
	assert_int_equal(fake.batch_count, 0);
	assert_int_equal(fake.flush_count, 1);
	assert_int_equal(fake.flushes[0].channel, 7);
	assert_int_equal(fake.flushes[0].syncobj, 99);
	assert_int_equal(fake.flushes[0].point, 1);
	assert_int_equal(nv3_pushbuf_seq(push), 1);
	/* A second flush, of an empty batch, copies the fence of the last batch. */
	assert_int_equal(nv3_pushbuf_flush(push, &out, 1), 0);
	assert_int_equal(fake.flush_count, 1);
	assert_int_equal(fake.transfers, 2);
}

/*
 * If the pushed words exceed the maximum length of a batch, the library flushes the first part of
 * the words.
 */
static void test_pio_grows(void **state)
{
	uint32_t i;

	aperture()[NV3_PIO_FREE] = 252;
	for (i = 0; i < FAKE_SUBMIT_MAX / 4; i++)
		nv3_push_method(push, 1, 0x300, i);
	assert_int_equal(fake.flush_count, 1);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
	assert_int_equal(fake.flush_count, 2);
	assert_int_equal(aperture()[0x2300 / 4], i - 1);
}

static void test_pio_error(void **state)
{
	aperture()[NV3_PIO_FREE] = 252;
	nv3_push_method(push, 1, 0x300, 1);
	fake.fail_request = DRM_IOCTL_NV3_CHANNEL_FLUSH;
	fake.fail_errno = EIO;
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), -EIO);
	assert_int_equal(nv3_pushbuf_seq(push), 0);
	assert_int_equal(nv3_pushbuf_flush(push, NULL, 0), 0);
}

/* The functions for PIO channels return -EINVAL for a DMA channel. */
static void test_no_aperture(void **state)
{
	volatile uint32_t *words;
	struct nv3_pio pio;

	assert_int_equal(nv3_channel_aperture(chan, &words), -EINVAL);
	assert_int_equal(nv3_pio_init(chan, &pio), -EINVAL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define TEST_PIO(name) \
	cmocka_unit_test_setup_teardown(name, setup_pio, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_device),
		TEST(test_names),
		TEST(test_import_finds_the_buffer),
		TEST(test_map_is_one),
		TEST(test_names_of_objects),
		TEST(test_graph_holds_its_dma),
		TEST(test_words),
		TEST(test_grows_and_keeps_words),
		TEST(test_flushes_when_full),
		TEST(test_no_memory),
		TEST(test_space),
		TEST(test_buffers_follow_bindings),
		TEST(test_replaced_objects_last),
		TEST(test_many_buffers),
		TEST(test_channel_priority),
		TEST(test_select_refuses),
		TEST(test_error_stays_until_told),
		TEST(test_error_unbinds),
		TEST(test_syncs),
		TEST(test_no_aperture),
		TEST_PIO(test_pio_method),
		TEST_PIO(test_pio_pushbuf),
		TEST_PIO(test_pio_grows),
		TEST_PIO(test_pio_error),
		cmocka_unit_test_setup_teardown(test_long_running,
						setup_long_running_dma,
						teardown),
		cmocka_unit_test_setup_teardown(test_long_running_pio,
						setup_long_running_pio,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
