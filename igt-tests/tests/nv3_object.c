/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "igt.h"
#include "igt_nv3_freeze.h"

IGT_TEST_DESCRIPTION("Objects: refused arguments, and limits of their number.");

#define NAME	0xabc
/* Maximum number of a channel's DMA objects */
#define DMA_LIMIT	1024

/* ---- the ioctl itself ---- */

static void test_bad(int fd)
{
	uint32_t channel = igt_nv3_channel_create(fd);
	struct drm_nv3_graph_args args = {
		.operation = NV3_OP_COPY, .dst_slots = 1,
	};
	struct drm_nv3_object_instantiate good = {
		.channel = channel,
		.class_id = NV3_CLASS_RECT,
		.name = NAME,
		.args_size = sizeof(args),
		.args = (uintptr_t)&args,
	};
	struct drm_nv3_object_instantiate req;

#define BAD(field, value, error) \
	do { \
		req = good; \
		req.field = (value); \
		igt_debug(#field " " #value "\n"); \
		do_ioctl_err(fd, DRM_IOCTL_NV3_OBJECT_INSTANTIATE, &req, \
			     error); \
	} while (0)

	BAD(channel, 0, ENOENT);
	BAD(channel, channel + 1, ENOENT);
	BAD(channel, 0xffffffff, ENOENT);
	BAD(class_id, 0, EINVAL);
	BAD(class_id, 0x16, EINVAL);
	BAD(class_id, NV3_CLASS_RECT | 0x40, EINVAL);
	BAD(class_id, NV3_CLASS_RECT | 0x100, EINVAL);
	BAD(class_id, 0xffffffff, EINVAL);
	BAD(name, 0, EINVAL);
	BAD(args_size, 0, EINVAL);
	BAD(args_size, 4097, E2BIG);
	BAD(args_size, 0xffffffff, E2BIG);
	BAD(args, 0, EFAULT);
	BAD(args, 8, EFAULT);
	BAD(args, UINT64_MAX - 7, EFAULT);
	BAD(pad, 1, EINVAL);
	BAD(pad, 1ull << 63, EINVAL);
#undef BAD

	/* The failed calls must not have created an object. */
	igt_assert_eq(__igt_nv3_object_destroy(fd, channel, NAME), -ENOENT);
	igt_nv3_channel_destroy(fd, channel);
}

/*
 * A client may pass the shorter arguments of an older uAPI. It may also pass the longer arguments
 * of a newer uAPI if the additional bytes are 0.
 */
static void test_args_size(int fd)
{
	struct {
		struct drm_nv3_graph_args known;
		uint32_t more[3];
	} args = {
		.known = { .operation = NV3_OP_COPY, .dst_slots = 1 },
	};
	const uint32_t size = sizeof(args.known);
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	for (i = size + 1; i <= sizeof(args); i++) {
		/*
		 * Set byte i - 1 of the arguments to 1. OBJECT_INSTANTIATE must refuse a size that
		 * includes this byte, and must accept a smaller size.
		 */
		((uint8_t *)&args)[i - 1] = 1;
		igt_assert_eq(__igt_nv3_object(fd, client.channel, NAME,
					       NV3_CLASS_RECT, &args, i),
			      -E2BIG);
		igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
						       NAME), -ENOENT);
		igt_assert_eq(__igt_nv3_object(fd, client.channel, NAME + i,
					       NV3_CLASS_RECT, &args, i - 1),
			      0);
		igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, NAME + i);
		igt_nv3_assert_draws(&client, i);
		((uint8_t *)&args)[i - 1] = 0;
	}

	/*
	 * The driver uses 0 for omitted members, and does not read the client's memory after the
	 * passed size.
	 */
	args.known.dma_notify = 0xdead;
	igt_assert_neq(__igt_nv3_object(fd, client.channel, NAME,
					NV3_CLASS_RECT, &args, size), 0);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, NAME, NV3_CLASS_RECT,
				       &args, offsetof(struct drm_nv3_graph_args,
						       dma_notify)), 0);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, NAME);
	igt_nv3_assert_draws(&client, 0);
	igt_nv3_client_fini(&client);
}

static void test_names(int fd)
{
	static const uint32_t names[] = {
		1, 0x7fffffff, 0x80000000, 0xffffffff, 0x01010101,
	};
	struct igt_nv3_client client;
	struct drm_nv3_graph_args args = {
		.operation = NV3_OP_COPY, .dst_slots = 1,
	};
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		igt_nv3_graph(fd, client.channel, names[i], NV3_CLASS_RECT, 1);
		igt_assert_eq(__igt_nv3_object(fd, client.channel, names[i],
					       NV3_CLASS_RECT, &args,
					       sizeof(args)), -EEXIST);
		/* An object of another class cannot have the same handle either. */
		igt_assert_eq(__igt_nv3_object(fd, client.channel, names[i],
					       NV3_CLASS_BLIT, &args,
					       sizeof(args)), -EEXIST);
	}
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, names[i]);
		igt_nv3_assert_draws(&client, i);
	}
	igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, IGT_NV3_RECT);
	igt_nv3_assert_draws(&client, i);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
						       names[i]), 0);
		igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
						       names[i]), -ENOENT);
		/* The handle is free again. */
		igt_nv3_graph(fd, client.channel, names[i], NV3_CLASS_RECT, 1);
	}
	igt_nv3_client_fini(&client);
}

static void test_destroy_bad(int fd)
{
	uint32_t channel = igt_nv3_channel_create(fd);

	igt_assert_eq(__igt_nv3_object_destroy(fd, channel, 0), -ENOENT);
	igt_assert_eq(__igt_nv3_object_destroy(fd, channel, NAME), -ENOENT);
	igt_assert_eq(__igt_nv3_object_destroy(fd, 0, NAME), -ENOENT);
	igt_assert_eq(__igt_nv3_object_destroy(fd, channel + 1, NAME),
		      -ENOENT);
	igt_nv3_channel_destroy(fd, channel);
}

/* ---- channels ---- */

static void test_channel_bad(int fd)
{
	struct drm_nv3_channel_create create = { .type = 2 };
	struct drm_nv3_channel_destroy destroy = { .channel = 0 };
	struct drm_nv3_channel_query query = { .channel = 0 };
	uint32_t channel = igt_nv3_channel_create(fd);

	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &create, EINVAL);
	create.type = DRM_NV3_CHANNEL_DMA;
	create.flags = 2;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &create, EINVAL);
	create.flags = 0;
	create.budget_ms = 10001;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &create, EINVAL);

	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_DESTROY, &destroy, ENOENT);
	destroy.channel = channel + 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_DESTROY, &destroy, ENOENT);
	destroy.channel = channel;
	destroy.pad = 1;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_DESTROY, &destroy, EINVAL);

	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_QUERY, &query, ENOENT);
	igt_nv3_channel_destroy(fd, channel);
	query.channel = channel;
	do_ioctl_err(fd, DRM_IOCTL_NV3_CHANNEL_QUERY, &query, ENOENT);
}

/*
 * Creates the maximum number of channels, and asserts that another channel can be created only
 * after a channel has been destroyed.
 */
static void test_channels(int fd)
{
	uint32_t max = igt_nv3_param(fd, DRM_NV3_PARAM_CHANNELS);
	uint32_t *channels = calloc(max + 1, sizeof(*channels));
	uint32_t i, count = 0, extra;
	int ret = 0;

	igt_assert(channels);
	while (count <= max) {
		ret = __igt_nv3_channel_create(fd, DRM_NV3_CHANNEL_DMA,
					       &channels[count]);
		if (ret)
			break;
		for (i = 0; i < count; i++)
			igt_assert_neq_u32(channels[i], channels[count]);
		count++;
	}
	igt_assert_eq(ret, -ENOSPC);
	/* Other clients may have channels, but fewer than half of all channels. */
	igt_assert(count > max / 2 && count <= max);

	igt_nv3_channel_destroy(fd, channels[count / 2]);
	igt_assert_eq(__igt_nv3_channel_create(fd, DRM_NV3_CHANNEL_DMA,
					       &extra), 0);
	channels[count / 2] = extra;
	for (i = 0; i < count; i++)
		igt_nv3_channel_destroy(fd, channels[i]);
	free(channels);
}

/* ---- arguments of classes ---- */

/*
 * Sets one field of the valid arguments @good to @value, and asserts that creating an object with
 * these arguments fails with @error.
 */
#define BAD_ARG(class_id, field, value, error) \
	do { \
		args = good; \
		args.field = (value); \
		igt_debug(#class_id ": " #field " " #value "\n"); \
		igt_assert_eq(__igt_nv3_object(fd, channel, NAME, class_id, \
					       &args, sizeof(args)), \
			      -(error)); \
	} while (0)

static void test_dma_bad(int fd)
{
	uint32_t channel = igt_nv3_channel_create(fd);
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 8192, DRM_NV3_GEM_SYSTEM);
	struct drm_nv3_dma_args good = { .handle = bo.handle, .size = 8192 };
	struct drm_nv3_dma_args args;

#define BAD(field, value, error) \
	BAD_ARG(DRM_NV3_CLASS_DMA, field, value, error)

	BAD(handle, 0, ENOENT);
	BAD(handle, 0xdead, ENOENT);
	BAD(flags, 1u << 1, EINVAL);
	BAD(flags, 1u << 31, EINVAL);
	BAD(size, 0, EINVAL);
	BAD(size, 8193, EINVAL);
	BAD(size, UINT64_MAX, EINVAL);
	BAD(offset, 1, EINVAL);
	BAD(offset, 8192, EINVAL);
	BAD(offset, UINT64_MAX, EINVAL);
	/* offset + size is 0. */
	BAD(offset, UINT64_MAX - 8191, EINVAL);
#undef BAD

	args = good;
	args.offset = 4095;
	args.size = 4097;
	igt_assert_eq(__igt_nv3_object(fd, channel, NAME, DRM_NV3_CLASS_DMA,
				       &args, sizeof(args)), 0);
	igt_nv3_channel_destroy(fd, channel);
	igt_nv3_bo_destroy(&bo);
}

static void test_surface_bad(int fd)
{
	uint32_t channel = igt_nv3_channel_create(fd);
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 64 * 1024,
						 DRM_NV3_GEM_VRAM);
	struct igt_nv3_bo system = igt_nv3_bo_create(fd, 64 * 1024,
						     DRM_NV3_GEM_SYSTEM);
	/* The surface fits exactly into the buffer. */
	struct drm_nv3_surface_args good = {
		.handle = bo.handle,
		.format = DRM_NV3_FORMAT_X8R8G8B8,
		.pitch = 1024,
		.width = 256,
		.height = 64,
	};
	struct drm_nv3_surface_args args;

#define BAD(field, value, error) \
	BAD_ARG(NV3_CLASS_SURFACE, field, value, error)

	BAD(handle, 0, ENOENT);
	BAD(handle, 0xdead, ENOENT);
	BAD(handle, system.handle, EINVAL);
	BAD(slot, 4, EINVAL);
	BAD(slot, 0xffffffff, EINVAL);
	BAD(format, 4, EINVAL);
	BAD(format, 0xffffffff, EINVAL);
	BAD(offset, 8, EINVAL);
	BAD(offset, 16, EINVAL);
	BAD(offset, 64 * 1024, EINVAL);
	BAD(offset, 0xfffffff0, EINVAL);
	BAD(pitch, 0, EINVAL);
	BAD(pitch, 1016, EINVAL);
	BAD(pitch, 1008, EINVAL);
	BAD(pitch, 1040, EINVAL);
	BAD(pitch, 8192, EINVAL);
	BAD(pitch, 0xfffffff0, EINVAL);
	BAD(width, 0, EINVAL);
	BAD(width, 257, EINVAL);
	BAD(width, 2048, EINVAL);
	BAD(width, 0xffffffff, EINVAL);
	BAD(height, 0, EINVAL);
	BAD(height, 65, EINVAL);
	BAD(height, 2048, EINVAL);
	BAD(height, 0xffffffff, EINVAL);
	BAD(pad, 1, EINVAL);
#undef BAD

	igt_assert_eq(__igt_nv3_object(fd, channel, NAME, NV3_CLASS_SURFACE,
				       &good, sizeof(good)), 0);
	igt_nv3_channel_destroy(fd, channel);
	igt_nv3_bo_destroy(&bo);
	igt_nv3_bo_destroy(&system);
}

static void test_graph_bad(int fd)
{
	uint32_t channel = igt_nv3_channel_create(fd);
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	struct drm_nv3_graph_args good = {
		.operation = NV3_OP_COPY, .dst_slots = 1, .dma = { 0x10 },
	};
	struct drm_nv3_graph_args args;

	igt_nv3_dma(fd, channel, 0x10, &bo, 0);
	igt_nv3_graph(fd, channel, 0x20, NV3_CLASS_RECT, 1);

	BAD_ARG(NV3_CLASS_D3D, color_format, 5, EINVAL);
	BAD_ARG(NV3_CLASS_D3D, color_format, 0xffffffff, EINVAL);
	BAD_ARG(NV3_CLASS_D3D, operation, 0x20, EINVAL);
	BAD_ARG(NV3_CLASS_D3D, operation, 0xffffffff, EINVAL);
	BAD_ARG(NV3_CLASS_D3D, dst_slots, 0x10, EINVAL);
	BAD_ARG(NV3_CLASS_D3D, dst_slots, 0xffffffff, EINVAL);
	BAD_ARG(NV3_CLASS_D3D, src_slot, 4, EINVAL);
	BAD_ARG(NV3_CLASS_D3D, src_slot, 0xffffffff, EINVAL);
	BAD_ARG(NV3_CLASS_D3D, flags, 1u << 5, EINVAL);
	BAD_ARG(NV3_CLASS_D3D, flags, 1u << 31, EINVAL);
	/*
	 * Handle 0x11 does not exist, and handle 0x20 belongs to an object that is not a DMA
	 * object.
	 */
	BAD_ARG(NV3_CLASS_D3D, dma[0], 0x11, ENOENT);
	BAD_ARG(NV3_CLASS_D3D, dma[0], 0x20, ENOENT);
	BAD_ARG(NV3_CLASS_M2MF, dma[1], 0x11, ENOENT);
	BAD_ARG(NV3_CLASS_M2MF, dma[1], 0x20, ENOENT);
	BAD_ARG(NV3_CLASS_D3D, dma_notify, 0x11, ENOENT);
	BAD_ARG(NV3_CLASS_D3D, dma_notify, 0x20, ENOENT);
	/*
	 * Handle 0x10 belongs to a DMA object, but the class does not use the argument that
	 * contains the handle.
	 */
	BAD_ARG(NV3_CLASS_D3D, dma[1], 0x10, EINVAL);
	BAD_ARG(NV3_CLASS_RECT, dma[0], 0x10, EINVAL);

	igt_assert_eq(__igt_nv3_object(fd, channel, NAME, NV3_CLASS_D3D, &good,
				       sizeof(good)), 0);
	igt_nv3_channel_destroy(fd, channel);
	igt_nv3_bo_destroy(&bo);
}

/* ---- many ---- */

/* Returns handle @i. The handles are spread over RAMHT, but some of them share a bucket. */
static uint32_t many_name(uint32_t i)
{
	return (i + 1) * 0x01000193;
}

/*
 * RAMHT has 512 to 4,096 entries, so a client can have more objects than entries. If a method binds
 * an object whose handle is not in RAMHT, the driver enters the handle into RAMHT.
 */
static void test_many(int fd)
{
	const uint32_t count = 10000;
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < count; i++)
		igt_nv3_graph(fd, client.channel, many_name(i), NV3_CLASS_RECT,
			      1);
	for (i = 0; i < count; i++) {
		uint32_t x = i % IGT_NV3_CANVAS;
		uint32_t y = i / IGT_NV3_CANVAS % IGT_NV3_CANVAS;

		igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, many_name(i));
		igt_nv3_fill(&client, x, y, 1, 1, i & 0x7fff);
		if (i % 500 == 499)
			igt_nv3_run_ok(&client.batch);
	}
	for (i = count - 4096; i < count; i++)
		igt_assert_eq(igt_nv3_pixel(&client, i % IGT_NV3_CANVAS,
					    i / IGT_NV3_CANVAS %
					    IGT_NV3_CANVAS), i & 0x7fff);
	/*
	 * The handle of the first object has been evicted from RAMHT, but the object still exists.
	 */
	igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, many_name(0));
	igt_nv3_assert_draws(&client, 5);
	igt_nv3_client_fini(&client);
}

/*
 * The chip's hash is the XOR of a handle's bytes and the channel's number (envytools, fifo/intro).
 * In RAMHT, all handles that this function returns for a channel share a bucket.
 */
static uint32_t collide_name(uint32_t i)
{
	uint32_t low = i & 0xff, high = i >> 8;

	return 0x5a000000 | high << 16 | low << 8 | (low ^ high);
}

/*
 * Binds 300 objects whose handles share a bucket. The bucket has at most 16 entries. When a method
 * binds an object whose handle was evicted, the driver enters the handle into RAMHT again.
 */
static void test_collide(int fd)
{
	const uint32_t count = 300, rounds = 3;
	struct igt_nv3_client client;
	uint32_t i, round;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < count; i++)
		igt_nv3_graph(fd, client.channel, collide_name(i),
			      NV3_CLASS_RECT, 1);
	for (round = 0; round < rounds; round++) {
		for (i = 0; i < count; i++) {
			igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT,
				       collide_name(i));
			igt_nv3_fill(&client, i % 60, i / 60 + 5 * round, 1, 1,
				     i + 1);
		}
		igt_nv3_run_ok(&client.batch);
	}
	for (i = 0; i < count * rounds; i++)
		igt_assert_eq(igt_nv3_pixel(&client, i % 60, i / 60),
			      i % count + 1);
	/*
	 * The driver removes the handle of a destroyed object from the channel's table of objects
	 * and from RAMHT.
	 */
	for (i = 0; i < count; i++)
		igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
						       collide_name(i)), 0);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, collide_name(count - 1));
	igt_nv3_run(&client.batch);
	igt_assert_eq(igt_nv3_fault(fd, client.channel, NULL),
		      DRM_NV3_FAULT_NAME);
	igt_nv3_client_fini(&client);
}

/*
 * Two channels use the same handles, which collide in RAMHT. Each round replaces an object of each
 * channel, and each channel must then bind its new object.
 */
static void test_collide_churn(int fd)
{
	const uint32_t names = 40;
	struct igt_nv3_client clients[2];
	uint32_t i, c;

	for (c = 0; c < 2; c++)
		igt_nv3_client_init(&clients[c], fd);
	for (i = 0; i < 400; i++) {
		uint32_t name = collide_name(i * 7 % names);
		uint32_t x = i % IGT_NV3_CANVAS, y = i / IGT_NV3_CANVAS;

		for (c = 0; c < 2; c++) {
			__igt_nv3_object_destroy(fd, clients[c].channel, name);
			/*
			 * In each round, the object of one channel draws. The object of the other
			 * channel has no destination slots, so it draws nothing.
			 */
			igt_nv3_graph(fd, clients[c].channel, name,
				      NV3_CLASS_RECT, (i ^ c) & 1);
			igt_nv3_select(&clients[c].batch, IGT_NV3_SUB_RECT,
				       name);
			igt_nv3_fill(&clients[c], x, y, 1, 1, i + 1);
			igt_assert_eq(__igt_nv3_submit(&clients[c].batch, 0), 0);
		}
	}
	for (c = 0; c < 2; c++) {
		igt_nv3_bo_wait(&clients[c].color);
		igt_assert_eq(igt_nv3_fault(fd, clients[c].channel, NULL), 0);
		for (i = 0; i < 400; i++)
			igt_assert_eq(igt_nv3_pixel(&clients[c],
						    i % IGT_NV3_CANVAS,
						    i / IGT_NV3_CANVAS),
				      (i ^ c) & 1 ? i + 1 : 0);
		igt_nv3_client_fini(&clients[c]);
	}
}

/* Creates, uses and destroys objects repeatedly, to find leaks. */
static void test_churn(int fd)
{
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < 20000; i++) {
		igt_nv3_graph(fd, client.channel, NAME + i % 7, NV3_CLASS_RECT,
			      1);
		if (i % 100 == 0) {
			igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT,
				       NAME + i % 7);
			igt_nv3_assert_draws(&client, i / 100);
			igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT,
				       IGT_NV3_RECT);
			igt_nv3_run_ok(&client.batch);
		}
		igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
						       NAME + i % 7), 0);
	}
	igt_nv3_client_fini(&client);
}

/*
 * Creates DMA objects until RAMIN is full, and destroys them. Repeats this to check that destroying
 * the objects frees all of RAMIN.
 */
static void test_exhaust(int fd)
{
	struct igt_nv3_client client;
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 1 << 20,
						 DRM_NV3_GEM_SYSTEM);
	struct drm_nv3_dma_args args = {
		.handle = bo.handle, .size = bo.size,
	};
	uint32_t round, i, made[2];
	int ret = 0;

	igt_nv3_client_init(&client, fd);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < 100000; i++) {
			ret = __igt_nv3_object(fd, client.channel, 0x1000 + i,
					       DRM_NV3_CLASS_DMA, &args,
					       sizeof(args));
			if (ret)
				break;
		}
		igt_assert_f(ret == -ENOSPC || ret == -ENOMEM, "%d\n", ret);
		made[round] = i;
		/* A client that has allocated all of RAMIN can still draw. */
		igt_nv3_assert_draws(&client, i);
		while (i--)
			igt_assert_eq(__igt_nv3_object_destroy(fd,
							       client.channel,
							       0x1000 + i), 0);
	}
	igt_assert_eq(made[0], made[1]);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&bo);
}

/*
 * The number of a channel's DMA objects is limited. After a DMA object is destroyed, the client can
 * create another DMA object.
 */
static void test_limit(int fd)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	struct drm_nv3_dma_args args = { .handle = bo.handle, .size = bo.size };
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < DMA_LIMIT; i++)
		igt_nv3_dma(fd, client.channel, NAME + i, &bo, 0);
	igt_assert_eq(__igt_nv3_object(fd, client.channel, NAME + i,
				       DRM_NV3_CLASS_DMA, &args, sizeof(args)),
		      -ENOSPC);
	igt_nv3_assert_draws(&client, 1);
	for (i = 0; i < 1000; i++) {
		igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
						       NAME + i), 0);
		igt_nv3_dma(fd, client.channel, NAME + i, &bo, 0);
	}
	igt_nv3_assert_draws(&client, 2);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&bo);
}

/* ---- memory of destroyed objects, which a batch in flight may still use ---- */

/* Submits a batch that stays in flight while the resource manager is frozen. */
static void start_frozen(struct igt_nv3_client *client, int freeze)
{
	igt_nv3_freeze(freeze, IGT_NV3_FREEZE_ALL);
	igt_nv3_fill(client, 0, 0, IGT_NV3_CANVAS, IGT_NV3_CANVAS, 0x1111);
	igt_assert_eq(__igt_nv3_submit(&client->batch, 0), 0);
}

/*
 * Creates a DMA object. A child process ends the freeze after the ioctl has begun to wait for the
 * batch.
 */
static void make_dma_in_time(struct igt_nv3_client *client, uint32_t name,
			     struct drm_nv3_dma_args *args, int freeze)
{
	igt_fork(child, 1) {
		usleep(100000);
		igt_nv3_freeze(freeze, IGT_NV3_FREEZE_OFF);
	}
	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, name,
				       DRM_NV3_CLASS_DMA, args, sizeof(*args)),
		      0);
	igt_waitchildren();
}

/*
 * If a channel has the maximum number of DMA objects, creating another DMA object waits until a
 * destroyed DMA object is freed.
 */
static void test_limit_busy(int fd)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 4096, DRM_NV3_GEM_SYSTEM);
	struct drm_nv3_dma_args args = { .handle = bo.handle, .size = bo.size };
	struct igt_nv3_client client;
	int freeze = igt_nv3_freeze_open(fd);
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	for (i = 0; i < DMA_LIMIT; i++)
		igt_nv3_dma(fd, client.channel, NAME + i, &bo, 0);
	start_frozen(&client, freeze);
	igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel, NAME), 0);
	make_dma_in_time(&client, NAME + DMA_LIMIT, &args, freeze);
	igt_nv3_batch_wait(&client.batch);
	igt_nv3_assert_draws(&client, 1);
	igt_nv3_client_fini(&client);
	igt_nv3_bo_destroy(&bo);
	close(freeze);
}

/*
 * While RAMIN is full, creating a DMA object waits until a destroyed DMA object is freed. If @other
 * is true, the destroyed object belonged to another client.
 */
static void test_exhaust_busy(int fd, bool other)
{
	struct igt_nv3_bo bo = igt_nv3_bo_create(fd, 1 << 20,
						 DRM_NV3_GEM_SYSTEM);
	struct drm_nv3_dma_args args = { .handle = bo.handle, .size = bo.size };
	struct igt_nv3_client a, b;
	int freeze = igt_nv3_freeze_open(fd);
	uint32_t i;

	igt_nv3_client_init(&a, fd);
	igt_nv3_client_init(&b, fd);
	igt_nv3_dma(fd, a.channel, NAME, &bo, 0);
	for (i = 1; i < DMA_LIMIT; i++)
		if (__igt_nv3_object(fd, b.channel, NAME + i, DRM_NV3_CLASS_DMA,
				     &args, sizeof(args)))
			break;
	igt_assert_lt(i, DMA_LIMIT);
	start_frozen(&a, freeze);
	igt_assert_eq(__igt_nv3_object_destroy(fd, a.channel, NAME), 0);
	make_dma_in_time(other ? &b : &a, NAME + DMA_LIMIT, &args, freeze);
	igt_nv3_batch_wait(&a.batch);
	igt_nv3_assert_draws(&a, 1);
	igt_nv3_assert_draws(&b, 2);
	igt_nv3_client_fini(&a);
	igt_nv3_client_fini(&b);
	igt_nv3_bo_destroy(&bo);
	close(freeze);
}

/* A bound object can be destroyed and its handle reused. */
static void test_outlive(int fd)
{
	struct igt_nv3_client client;
	uint32_t i;

	igt_nv3_client_init(&client, fd);
	igt_nv3_assert_draws(&client, 1);
	igt_assert_eq(__igt_nv3_object_destroy(fd, client.channel,
					       IGT_NV3_RECT), 0);
	igt_nv3_graph(fd, client.channel, IGT_NV3_RECT, NV3_CLASS_RECT, 1);
	igt_nv3_select(&client.batch, IGT_NV3_SUB_RECT, IGT_NV3_RECT);
	for (i = 0; i < 3; i++)
		igt_nv3_assert_draws(&client, i);
	igt_nv3_client_fini(&client);
}

int igt_main()
{
	int fd;

	igt_fixture()
		fd = igt_nv3_open();

	igt_describe("Bad channels, classes, handles, sizes, pointers and padding are refused.");
	igt_subtest("bad")
		test_bad(fd);

	igt_describe("Arguments may be longer and shorter than the driver's.");
	igt_subtest("args-size")
		test_args_size(fd);

	igt_describe("Any handle but 0 can be used, once, until its object is destroyed.");
	igt_subtest("names")
		test_names(fd);

	igt_describe("Only an existing object can be destroyed.");
	igt_subtest("destroy-bad")
		test_destroy_bad(fd);

	igt_describe("Bad types, flags, padding and channels are refused.");
	igt_subtest("channel-bad")
		test_channel_bad(fd);

	igt_describe("GETPARAM's number of channels can be created, and -ENOSPC beyond.");
	igt_subtest("channels")
		test_channels(fd);

	igt_describe("DMA objects stay within their buffers.");
	igt_subtest("dma-bad")
		test_dma_bad(fd);

	igt_describe("Surfaces stay within their buffers and the chip's limits.");
	igt_subtest("surface-bad")
		test_surface_bad(fd);

	igt_describe("Arguments of graphics objects are checked, including their DMA objects.");
	igt_subtest("graph-bad")
		test_graph_bad(fd);

	igt_describe("More handles of one bucket of RAMHT than it holds.");
	igt_subtest("collide")
		test_collide(fd);

	igt_describe("Colliding handles in two channels, while objects are created and destroyed.");
	igt_subtest("collide-churn")
		test_collide_churn(fd);

	igt_describe("Ten thousand objects, more than RAMHT holds, all draw.");
	igt_subtest("many")
		test_many(fd);

	igt_describe("Creating and destroying objects repeatedly leaks nothing.");
	igt_subtest("churn")
		test_churn(fd);

	igt_describe("Objects until RAMIN is full, twice the same number.");
	igt_subtest("exhaust")
		test_exhaust(fd);

	igt_describe("A channel has a limited number of DMA objects.");
	igt_subtest("limit")
		test_limit(fd);

	igt_describe("At that limit, a destroyed object that a batch still uses is waited for.");
	igt_subtest("limit-busy")
		test_limit_busy(fd);

	igt_describe("With RAMIN full, a destroyed object that a batch still uses is waited for.");
	igt_subtest("exhaust-busy")
		test_exhaust_busy(fd, false);

	igt_describe("With RAMIN full, creating an object waits for destroyed ones.");
	igt_subtest("exhaust-busy-other")
		test_exhaust_busy(fd, true);

	igt_describe("A bound object can be destroyed, and its handle reused.");
	igt_subtest("outlive")
		test_outlive(fd);

	igt_fixture()
		drm_close_driver(fd);
}
