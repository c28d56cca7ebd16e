/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sys/mman.h>

#include "igt.h"
#include "igt_nv3_late.h"
#include "igt_nv3_pio.h"
#include "igt_nv3_pm.h"

IGT_TEST_DESCRIPTION("Class PROGRAMS: pictures, context images of channels that share the chip, and faults.");

#define PAGE		IGT_NV3_PAGE
#define SIDE		IGT_NV3_PM_SIDE
#define SUB		IGT_NV3_PM_SUB

/* Address at which the buffers of a test's client @i start */
#define CLIENT(i)	(0x00010000u * (1 + (i)))
#define UNMAPPED	0x7f000000u

#define TRIANGLES	5
#define GL_SMOOTH	0x1d01
#define GL_XOR		0x1506

/* Computes the colours of the three vertices from @seed. These colours determine the picture. */
static void set_colors(struct igt_nv3_pm *pm, uint32_t seed)
{
	uint32_t *colors = (uint32_t *)((char *)pm->data.map + IGT_NV3_PM_COLORS), i;

	for (i = 0; i < 3; i++)
		colors[i] = 0xff000000 | ((seed + i + 1) * 0x9e3779b9 & 0xffffff);
}

/*
 * Asserts that the target contains the picture of @seed. The expected colour of a pixel is
 * interpolated with the pixel's barycentric coordinates in the triangle, which is twice as wide and
 * twice as high as the target.
 */
static void assert_picture(const struct igt_nv3_pm *pm, uint32_t seed)
{
	uint32_t x, y, c, i;

	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			const double b = (x + 0.5) / (2 * SIDE), d = (y + 0.5) / (2 * SIDE);
			const double weight[3] = { 1 - b - d, b, d };
			const uint32_t got = igt_nv3_pm_pixel(pm, x, y);

			igt_assert_eq_u32(got >> 24, 0xff);
			for (c = 0; c < 24; c += 8) {
				double want = 0;

				for (i = 0; i < 3; i++)
					want += weight[i] *
						((seed + i + 1) * 0x9e3779b9 >> c & 0xff);
				igt_assert_f(abs((int)(got >> c & 0xff) - (int)(want + 0.5)) <= 1,
					     "pixel %u,%u is %08x, not %f at bit %u\n", x, y,
					     got, want, c);
			}
		}
	}
}

static void push_vertices(struct igt_nv3_pm *pm, uint32_t first, uint32_t end)
{
	for (; first < end; first++)
		igt_nv3_pm_method(pm, NV3_PM_DRAW_ARRAYS, first);
}

/*
 * Clears the target, and draws the picture with one method per vertex. Earlier methods must have
 * set the drawing state.
 */
static void push_picture(struct igt_nv3_pm *pm)
{
	igt_nv3_pm_clear(pm, 0);
	igt_nv3_pm_method(pm, NV3_PM_SHADE_MODE, GL_SMOOTH);
	igt_nv3_pm_method(pm, NV3_PM_BEGIN_END, TRIANGLES);
	push_vertices(pm, 0, 3);
	igt_nv3_pm_method(pm, NV3_PM_BEGIN_END, 0);
	igt_nv3_pm_method(pm, NV3_PM_WAIT_FOR_IDLE, 0);
}

static void assert_draws(struct igt_nv3_pm *pm, uint32_t seed)
{
	set_colors(pm, seed);
	push_picture(pm);
	igt_nv3_run_ok(&pm->batch);
	assert_picture(pm, seed);
}

/*
 * Adds methods that set unusual state. If this state leaked to another channel, the picture of that
 * channel would visibly change.
 */
static void push_odd_state(struct igt_nv3_pm *pm)
{
	igt_nv3_pm_scissor(pm, 3, 5, 7, 9);
	igt_nv3_pm_method(pm, NV3_PM_COLOR_MASK, 0x00010000);
	igt_nv3_pm_method(pm, NV3_PM_LOGIC_OP_ENABLE, 1);
	igt_nv3_pm_method(pm, NV3_PM_LOGIC_OP, GL_XOR);
	igt_nv3_pm_method(pm, NV3_PM_VIEWPORT_SCALE, 0);
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_PROGRAM_START, 1);
	igt_nv3_pm_method(pm, NV3_PM_CULL_FACE_ENABLE, 1);
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_CONSTANT_LOAD, 0);
	igt_nv3_pm_method(pm, NV3_PM_TRANSFORM_CONSTANT, 0x12345678);
}

static void init_pair(struct igt_nv3_pm pms[2], int fd, uint32_t vm)
{
	uint32_t i;

	for (i = 0; i < 2; i++)
		igt_nv3_pm_init(&pms[i], fd, vm, CLIENT(i), 0);
}

static void fini_pair(struct igt_nv3_pm pms[2], int fd, uint32_t vm)
{
	uint32_t i;

	for (i = 0; i < 2; i++)
		igt_nv3_pm_fini(&pms[i]);
	igt_nv3_vm_destroy(fd, vm);
}

static void test_draw(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_pm pm;
	uint32_t seed;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT(0), 0);
	for (seed = 0; seed < 8; seed++)
		assert_draws(&pm, seed);
	igt_nv3_pm_fini(&pm);
	igt_nv3_vm_destroy(fd, vm);
}

/* ---- switches ---- */

/* Each channel has its own state, even if two channels share an address space. */
static void test_alternate(int fd, bool separate)
{
	struct igt_nv3_pm pms[6];
	uint32_t vms[6], i, round;

	for (i = 0; i < ARRAY_SIZE(pms); i++) {
		vms[i] = separate || !i ? igt_nv3_vm_create(fd) : vms[0];
		igt_nv3_pm_init(&pms[i], fd, vms[i], separate ? CLIENT(0) : CLIENT(i), 0);
		if (i & 1) {
			push_odd_state(&pms[i]);
			igt_nv3_run_ok(&pms[i].batch);
		}
	}
	for (round = 0; round < 10; round++) {
		for (i = 0; i < ARRAY_SIZE(pms); i++) {
			if (i & 1) {
				push_picture(&pms[i]);
				igt_nv3_run_ok(&pms[i].batch);
			} else {
				assert_draws(&pms[i], round * 7 + i);
			}
		}
	}
	for (i = 0; i < ARRAY_SIZE(pms); i++) {
		igt_nv3_pm_fini(&pms[i]);
		if (separate || !i)
			igt_nv3_vm_destroy(fd, vms[i]);
	}
}

/* Submits @words as a batch. */
static void run_words(struct igt_nv3_pm *pm, const uint32_t *words, uint32_t count)
{
	memcpy(pm->batch.bo.map, words, count * 4);
	pm->batch.count = count;
	igt_nv3_pm_use_target(pm);
	igt_nv3_run_ok(&pm->batch);
}

/*
 * Draws a picture repeatedly. Each time, another channel draws before a different method of the
 * picture. Some of the picture's methods set the drawing state.
 */
static void test_half(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_pm pms[2];
	uint32_t *words, count, at;

	init_pair(pms, fd, vm);
	push_odd_state(&pms[1]);
	igt_nv3_run_ok(&pms[1].batch);
	igt_nv3_pm_state(&pms[0]);
	push_picture(&pms[0]);
	count = pms[0].batch.count;
	words = malloc(count * 4);
	igt_assert(words);
	memcpy(words, pms[0].batch.bo.map, count * 4);
	/* A method takes two words. */
	for (at = 2; at < count; at += 2) {
		set_colors(&pms[0], at);
		run_words(&pms[0], words, at);
		igt_nv3_pm_triangle(&pms[1]);
		igt_nv3_run_ok(&pms[1].batch);
		run_words(&pms[0], words + at, count - at);
		assert_picture(&pms[0], at);
	}
	free(words);
	fini_pair(pms, fd, vm);
}

/*
 * A new channel begins with the initial state, even if the chip contains the state of another
 * channel.
 */
static void test_initial(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	uint32_t round;

	for (round = 0; round < 6; round++) {
		struct igt_nv3_pm odd, pm;

		igt_nv3_pm_init(&odd, fd, vm, CLIENT(0), 0);
		push_odd_state(&odd);
		igt_nv3_run_ok(&odd.batch);
		/*
		 * The chip keeps the state of the last channel, even after this channel is
		 * destroyed.
		 */
		if (round & 1)
			igt_nv3_pm_fini(&odd);
		igt_nv3_pm_init(&pm, fd, vm, CLIENT(1), 0);
		assert_draws(&pm, round);
		igt_nv3_pm_fini(&pm);
		if (!(round & 1))
			igt_nv3_pm_fini(&odd);
	}
	igt_nv3_vm_destroy(fd, vm);
}

/* A channel without objects of the class runs in the middle of another channel's primitive. */
static void test_other_classes(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_client client;
	struct igt_nv3_pm pms[2];
	uint32_t round;

	init_pair(pms, fd, vm);
	igt_nv3_client_init(&client, fd);
	for (round = 0; round < 6; round++) {
		igt_nv3_pm_method(&pms[0], NV3_PM_SHADE_MODE, GL_SMOOTH);
		set_colors(&pms[0], round);
		igt_nv3_pm_clear(&pms[0], 0);
		igt_nv3_pm_method(&pms[0], NV3_PM_BEGIN_END, TRIANGLES);
		push_vertices(&pms[0], 0, 2);
		igt_nv3_run_ok(&pms[0].batch);
		igt_nv3_assert_draws(&client, round);
		if (round & 1)
			assert_draws(&pms[1], round);
		igt_nv3_pm_use_target(&pms[0]);
		push_vertices(&pms[0], 2, 3);
		igt_nv3_pm_method(&pms[0], NV3_PM_BEGIN_END, 0);
		igt_nv3_run_ok(&pms[0].batch);
		assert_picture(&pms[0], round);
	}
	igt_nv3_client_fini(&client);
	fini_pair(pms, fd, vm);
}

/* One channel draws with class PROGRAMS and with 2D classes. */
static void test_same_channel(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_client client;
	struct igt_nv3_pm pm;
	uint32_t round;

	igt_nv3_client_init(&client, fd);
	igt_nv3_pm_init_bare(&pm, fd, vm, CLIENT(0), 0);
	/* Replace the channel of @pm with the channel of @client. */
	igt_nv3_channel_destroy(fd, pm.channel);
	pm.channel = client.channel;
	pm.batch.channel = client.channel;
	igt_assert_eq(__igt_nv3_pm_object(&pm, IGT_NV3_PM, vm), 0);
	igt_nv3_select(&pm.batch, SUB, IGT_NV3_PM);
	igt_nv3_pm_state(&pm);
	igt_nv3_run_ok(&pm.batch);
	for (round = 0; round < 6; round++) {
		igt_nv3_assert_draws(&client, round);
		assert_draws(&pm, round);
	}
	igt_nv3_batch_fini(&client.batch);
	igt_nv3_bo_destroy(&client.color);
	igt_nv3_pm_fini(&pm);
	igt_nv3_vm_destroy(fd, vm);
}

/* ---- preemption ---- */

#define LONG_TRIANGLES	2500
#define LONG_CLIENTS	3

/* Channels run long batches, and the driver preempts the channels in the middle of draws. */
static void test_preempt(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_pm pms[LONG_CLIENTS];
	uint32_t i, n, round;

	for (i = 0; i < LONG_CLIENTS; i++)
		igt_nv3_pm_init(&pms[i], fd, vm, CLIENT(i), 0);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < LONG_CLIENTS; i++) {
			set_colors(&pms[i], round + i);
			igt_nv3_pm_clear(&pms[i], 0);
			igt_nv3_pm_method(&pms[i], NV3_PM_SHADE_MODE, GL_SMOOTH);
			igt_nv3_pm_method(&pms[i], NV3_PM_BEGIN_END, TRIANGLES);
			for (n = 0; n < LONG_TRIANGLES; n++)
				push_vertices(&pms[i], 0, 3);
			igt_nv3_pm_method(&pms[i], NV3_PM_BEGIN_END, 0);
			igt_assert_eq(__igt_nv3_submit(&pms[i].batch, 0), 0);
		}
		for (i = 0; i < LONG_CLIENTS; i++) {
			igt_nv3_batch_wait(&pms[i].batch);
			igt_assert_eq(igt_nv3_fault(fd, pms[i].channel, NULL),
				      DRM_NV3_FAULT_NONE);
			assert_picture(&pms[i], round + i);
		}
	}
	for (i = 0; i < LONG_CLIENTS; i++)
		igt_nv3_pm_fini(&pms[i]);
	igt_nv3_vm_destroy(fd, vm);
}

/* ---- faults ---- */

static const struct fault {
	const char *name;
	uint32_t reason, mthd, data;
} faults[] = {
	{ "array", DRM_NV3_FAULT_PAGE, NV3_PM_ARRAY_OFFSET + 12, UNMAPPED },
	{ "target", DRM_NV3_FAULT_PAGE, NV3_PM_SURFACE_COLOR_OFFSET, UNMAPPED },
	{ "program", DRM_NV3_FAULT_PAGE, NV3_PM_FP_ACTIVE_PROGRAM, UNMAPPED },
	{ "method", DRM_NV3_FAULT_METHOD, 0x1ffc, 0 },
	{ "data", DRM_NV3_FAULT_DATA, NV3_PM_BEGIN_END, 77 },
};

/*
 * A channel faults in the middle of a primitive, or between primitives. Another channel must draw
 * correctly before and after the faulted channel is destroyed.
 */
static void test_fault(int fd, const struct fault *fault)
{
	uint32_t round;

	for (round = 0; round < 4; round++) {
		const uint32_t vm = igt_nv3_vm_create(fd);
		struct drm_nv3_channel_query query;
		struct igt_nv3_pm pms[2];

		init_pair(pms, fd, vm);
		assert_draws(&pms[1], round);
		if (round & 1) {
			igt_nv3_pm_method(&pms[0], NV3_PM_BEGIN_END, TRIANGLES);
			push_vertices(&pms[0], 0, 2);
			if (fault->reason == DRM_NV3_FAULT_PAGE)
				igt_nv3_pm_method(&pms[0], NV3_PM_BEGIN_END, 0);
		}
		igt_nv3_pm_method(&pms[0], fault->mthd, fault->data);
		igt_nv3_pm_triangle(&pms[0]);
		igt_nv3_run(&pms[0].batch);
		igt_assert_eq(igt_nv3_fault(fd, pms[0].channel, &query), fault->reason);
		igt_assert_eq_u32(query.class_id, DRM_NV3_CLASS_PROGRAMS);
		igt_assert_eq_u32(query.subch, SUB);
		if (fault->reason == DRM_NV3_FAULT_PAGE) {
			igt_assert_eq_u32(query.method, 0);
			igt_assert_eq_u32(query.data, UNMAPPED);
		} else {
			igt_assert_eq_u32(query.method, fault->mthd);
		}
		/*
		 * The driver accepts no batch for the faulted channel, and the chip does not save
		 * the state of this channel.
		 */
		igt_nv3_pm_triangle(&pms[0]);
		igt_assert_eq(__igt_nv3_submit(&pms[0].batch, 0), -EIO);
		if (round & 2)
			igt_nv3_pm_fini(&pms[0]);
		assert_draws(&pms[1], round + 1);
		if (!(round & 2))
			igt_nv3_pm_fini(&pms[0]);
		assert_draws(&pms[1], round + 2);
		igt_nv3_pm_fini(&pms[1]);
		igt_nv3_vm_destroy(fd, vm);
	}
}

/* ---- objects ---- */

struct maker {
	struct igt_nv3_pm *pm;
	bool done;
	int ret;
};

static void *make_thread(void *data)
{
	struct maker *maker = data;

	maker->ret = __igt_nv3_pm_object(maker->pm, IGT_NV3_PM, maker->pm->vm);
	__atomic_store_n(&maker->done, true, __ATOMIC_SEQ_CST);
	return NULL;
}

/*
 * Creating a channel's first object of class PROGRAMS waits for the channel's batches in flight.
 * Without this wait, a batch could use the object before the channel has a context image.
 */
static void test_late_object(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_late late;
	struct igt_nv3_pm pm, other;
	struct maker maker = { .pm = &pm };
	pthread_t thread;

	igt_nv3_late_init(&late);
	igt_nv3_pm_init(&other, fd, vm, CLIENT(1), 0);
	igt_nv3_pm_init_bare(&pm, fd, vm, CLIENT(0), 0);
	igt_nv3_select(&pm.batch, SUB, IGT_NV3_PM);
	push_odd_state(&pm);
	igt_nv3_late_submit(&late, &pm.batch);
	igt_assert_eq(pthread_create(&thread, NULL, make_thread, &maker), 0);
	usleep(100000);
	igt_assert(!__atomic_load_n(&maker.done, __ATOMIC_SEQ_CST));
	igt_nv3_late_end(&late);
	igt_assert_eq(pthread_join(thread, NULL), 0);
	igt_assert_eq(maker.ret, 0);
	/* The batch ran before the object existed, and the state of the other channel is intact. */
	igt_assert_eq(igt_nv3_fault(fd, pm.channel, NULL), DRM_NV3_FAULT_NAME);
	assert_draws(&other, 1);
	igt_nv3_pm_fini(&pm);
	igt_nv3_pm_fini(&other);
	igt_nv3_vm_destroy(fd, vm);
}

static volatile uint16_t *status_of(const struct igt_nv3_bo *bo, uint32_t slot)
{
	return (volatile uint16_t *)((char *)bo->map + slot * 16 + 14);
}

static void test_notify(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd), name = 0x300, dma = 0x301;
	struct drm_nv3_programs_args args = { .vm = vm, .dma_notify = dma };
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, PAGE, DRM_NV3_GEM_SYSTEM);
	struct igt_nv3_pm pm;

	igt_nv3_pm_init(&pm, fd, vm, CLIENT(0), 0);
	igt_nv3_dma(fd, pm.channel, dma, &bo, DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(fd, pm.channel, name, DRM_NV3_CLASS_PROGRAMS, &args,
				       sizeof(args)), 0);
	*status_of(&bo, 0) = DRM_NV3_NOTIFICATION_IN_PROGRESS;
	igt_nv3_use(&pm.batch, &bo, NV3_WRITE);
	igt_nv3_select(&pm.batch, SUB, name);
	igt_nv3_pm_method(&pm, NV3_MTHD_NOTIFY, 0);
	push_picture(&pm);
	igt_nv3_run_ok(&pm.batch);
	igt_assert_eq(*status_of(&bo, 0), DRM_NV3_NOTIFICATION_DONE);

	/*
	 * SET_NOTIFY_DMA sets the first object's DMA object for notifications, and does not change
	 * the address space of the first object.
	 */
	*status_of(&bo, 0) = DRM_NV3_NOTIFICATION_IN_PROGRESS;
	igt_nv3_use(&pm.batch, &bo, NV3_WRITE);
	igt_nv3_select(&pm.batch, SUB, IGT_NV3_PM);
	igt_nv3_pm_method(&pm, NV3_MTHD_SET_NOTIFY_DMA, dma);
	igt_nv3_pm_method(&pm, NV3_MTHD_NOTIFY, 0);
	igt_nv3_pm_method(&pm, NV3_PM_NO_OPERATION, 0);
	igt_nv3_run_ok(&pm.batch);
	igt_assert_eq(*status_of(&bo, 0), DRM_NV3_NOTIFICATION_DONE);
	assert_draws(&pm, 3);
	igt_nv3_pm_fini(&pm);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_vm_destroy(fd, vm);
}

/* ---- other channels ---- */

/* Stores the methods of a batch to the USER aperture. */
static void store_batch(struct igt_nv3_pio *pio, struct igt_nv3_batch *batch)
{
	const uint32_t *words = batch->bo.map;
	uint32_t i;

	for (i = 0; i < batch->count; i += 2)
		igt_nv3_store(pio, words[i] >> 13 & 7, words[i] & 0x1ffc, words[i + 1]);
	batch->count = 0;
	batch->buffer_count = 0;
}

static void test_pio(int fd)
{
	const uint32_t vm = igt_nv3_vm_create(fd);
	struct igt_nv3_pm pm, other;
	struct igt_nv3_pio pio;
	uint32_t round;

	igt_nv3_require_pio(fd);
	igt_nv3_pio_init(&pio, fd);
	igt_nv3_pm_init_bare(&pm, fd, vm, CLIENT(0), 0);
	igt_nv3_channel_destroy(fd, pm.channel);
	pm.channel = pio.client.channel;
	igt_nv3_pm_init(&other, fd, vm, CLIENT(1), 0);
	push_odd_state(&other);
	igt_nv3_run_ok(&other.batch);
	/*
	 * A PIO timeslice uses the buffers of all objects of its channel. Create a DMA object so
	 * that these buffers include the target.
	 */
	igt_nv3_dma(fd, pm.channel, 0x300, &pm.target, DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_pm_object(&pm, IGT_NV3_PM, vm), 0);
	igt_nv3_select(&pm.batch, SUB, IGT_NV3_PM);
	igt_nv3_pm_state(&pm);
	for (round = 0; round < 6; round++) {
		set_colors(&pm, round);
		push_picture(&pm);
		store_batch(&pio, &pm.batch);
		igt_nv3_pm_triangle(&other);
		igt_nv3_run_ok(&other.batch);
		igt_nv3_pio_run_ok(&pio);
		assert_picture(&pm, round);
		igt_nv3_pio_assert_draws(&pio, round);
	}
	igt_nv3_batch_fini(&pm.batch);
	igt_nv3_pio_fini(&pio);
	igt_nv3_vm_unmap(fd, vm, pm.base, IGT_NV3_PM_MAPPED);
	igt_nv3_bo_destroy(&pm.target);
	igt_nv3_bo_destroy(&pm.data);
	igt_nv3_pm_fini(&other);
	igt_nv3_vm_destroy(fd, vm);
}

/*
 * While a channel waits for a semaphore in the middle of a primitive, the driver evicts the
 * channel's buffers and other channels draw.
 */
static void test_long_running(int fd)
{
	const uint64_t vram = igt_nv3_param(fd, DRM_NV3_PARAM_VRAM_AVAILABLE);
	const uint32_t vm = igt_nv3_vm_create(fd), name = 0x300;
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, PAGE, DRM_NV3_GEM_SYSTEM), big[8];
	struct drm_nv3_semaphore_args args = { .handle = bo.handle };
	struct igt_nv3_client client;
	struct igt_nv3_pm pm, other;
	uint32_t i, round;

	igt_nv3_require_sw(fd);
	igt_nv3_client_init_lr(&client, fd);
	igt_nv3_pm_init(&pm, fd, vm, CLIENT(0), DRM_NV3_CHANNEL_LONG_RUNNING);
	igt_nv3_pm_init(&other, fd, vm, CLIENT(1), 0);
	igt_assert_eq(__igt_nv3_object(fd, pm.channel, name, DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, name, DRM_NV3_CLASS_SEMAPHORE, &args,
				       sizeof(args)), 0);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_FREE, name);
	for (i = 0; i < ARRAY_SIZE(big); i++)
		big[i] = igt_nv3_bo_create(fd, vram / 8 & ~(uint64_t)(PAGE - 1),
					   DRM_NV3_GEM_VRAM);
	for (round = 1; round <= 4; round++) {
		set_colors(&pm, round);
		igt_nv3_pm_clear(&pm, 0);
		igt_nv3_pm_method(&pm, NV3_PM_SHADE_MODE, GL_SMOOTH);
		igt_nv3_pm_method(&pm, NV3_PM_BEGIN_END, TRIANGLES);
		push_vertices(&pm, 0, 2);
		igt_nv3_select(&pm.batch, SUB + 1, name);
		igt_nv3_method(&pm.batch, SUB + 1, NV3_SEMAPHORE_ACQUIRE, round);
		push_vertices(&pm, 2, 3);
		igt_nv3_pm_method(&pm, NV3_PM_BEGIN_END, 0);
		igt_assert_eq(__igt_nv3_submit(&pm.batch, 0), 0);
		igt_nv3_batch_assert_busy(&pm.batch);

		for (i = 0; i < ARRAY_SIZE(big); i++) {
			igt_nv3_use(&other.batch, &big[i], NV3_WRITE);
			assert_draws(&other, round + i);
		}
		igt_nv3_batch_assert_busy(&pm.batch);
		igt_nv3_method(&client.batch, IGT_NV3_SUB_FREE, NV3_SEMAPHORE_RELEASE, round);
		igt_nv3_run_ok(&client.batch);
		igt_nv3_batch_wait(&pm.batch);
		igt_assert_eq(igt_nv3_fault(fd, pm.channel, NULL), DRM_NV3_FAULT_NONE);
		assert_picture(&pm, round);
	}
	for (i = 0; i < ARRAY_SIZE(big); i++)
		igt_nv3_bo_destroy(&big[i]);
	igt_nv3_pm_fini(&pm);
	igt_nv3_pm_fini(&other);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_vm_destroy(fd, vm);
}

#define MANY	100

/* MANY channels with objects of the class draw one after another, in two rounds. */
static void test_many(int fd)
{
	struct igt_nv3_pm *pms = calloc(MANY, sizeof(*pms));
	const uint32_t vm = igt_nv3_vm_create(fd);
	uint32_t i, round;

	igt_assert(pms);
	for (i = 0; i < MANY; i++)
		igt_nv3_pm_init(&pms[i], fd, vm, CLIENT(i), 0);
	for (round = 0; round < 2; round++)
		for (i = 0; i < MANY; i++)
			assert_draws(&pms[i], round + i);
	for (i = 0; i < MANY; i++)
		igt_nv3_pm_fini(&pms[i]);
	igt_nv3_vm_destroy(fd, vm);
	free(pms);
}

int igt_main()
{
	uint32_t i;
	int fd;

	igt_fixture() {
		fd = igt_nv3_open();
		igt_nv3_require_programs(fd);
	}

	igt_describe("A triangle.");
	igt_subtest("draw")
		test_draw(fd);

	igt_describe("Six channels draw alternately, with one address space.");
	igt_subtest("alternate")
		test_alternate(fd, false);

	igt_describe("Six channels draw alternately, with an address space each.");
	igt_subtest("alternate-separate")
		test_alternate(fd, true);

	igt_describe("A switch before each method of a picture.");
	igt_subtest("half")
		test_half(fd);

	igt_describe("New channels begin with the initial state.");
	igt_subtest("initial")
		test_initial(fd);

	igt_describe("Channels with and without objects of the class.");
	igt_subtest("other-classes")
		test_other_classes(fd);

	igt_describe("Class PROGRAMS and 2D classes in one channel.");
	igt_subtest("same-channel")
		test_same_channel(fd);

	igt_describe("Long batches preempt each other.");
	igt_subtest("preempt")
		test_preempt(fd);

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		igt_describe("A fault stops one channel, and not the other.");
		igt_subtest_f("fault-%s", faults[i].name)
			test_fault(fd, &faults[i]);
	}

	igt_describe("The first object of the class is made while a batch is in flight.");
	igt_subtest("late-object")
		test_late_object(fd);

	igt_describe("Notifications.");
	igt_subtest("notify")
		test_notify(fd);

	igt_describe("A PIO channel draws.");
	igt_subtest("pio")
		test_pio(fd);

	igt_describe("A long-running channel waits in the middle of a primitive.");
	igt_subtest("long-running")
		test_long_running(fd);

	igt_describe("A hundred channels.");
	igt_subtest("many")
		test_many(fd);

	igt_fixture()
		drm_close_driver(fd);
}
