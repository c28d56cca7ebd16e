/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "igt.h"
#include "igt_nv3.h"

/*
 * Time limit for a batch. The kernel needs much less time to complete a batch, or to stop the
 * batch's channel with a fault.
 */
#define RUN_TIMEOUT_NS	INT64_C(30000000000)
#define BATCH_SIZE	0x10000

int igt_nv3_ioctl(int fd, unsigned long request, void *arg)
{
	return drmIoctl(fd, request, arg) ? -errno : 0;
}

int igt_nv3_open(void)
{
	int fd = drm_open_driver(DRIVER_ANY);
	drmVersionPtr version = drmGetVersion(fd);
	bool is_nv3 = version && strcmp(version->name, "nv3") == 0;

	drmFreeVersion(version);
	igt_require_f(is_nv3, "not an nv3\n");
	/*
	 * The environment variable NV3_EMULATED contains the number of a class that the chip lacks.
	 * The driver can execute this class only if it is built with CONFIG_DRM_NV3_SW.
	 */
	if (getenv("NV3_EMULATED"))
		igt_nv3_require_sw(fd);
	return fd;
}

uint64_t igt_nv3_param(int fd, uint32_t param)
{
	struct drm_nv3_getparam req = { .param = param };

	do_ioctl(fd, DRM_IOCTL_NV3_GETPARAM, &req);
	return req.value;
}

static bool has_debug(int fd)
{
	struct stat st;
	char path[64];

	igt_assert_eq(fstat(fd, &st), 0);
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/channels", minor(st.st_rdev));
	return !access(path, F_OK);
}

void igt_nv3_require_debug(int fd)
{
	igt_require_f(has_debug(fd), "no CONFIG_DRM_NV3_DEBUG\n");
}

int igt_nv3_debugfs(int fd, const char *name, int flags)
{
	struct stat st;
	char path[64];
	int file;

	igt_assert_eq(fstat(fd, &st), 0);
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/%s",
		 minor(st.st_rdev), name);
	file = open(path, flags | O_CLOEXEC);
	if (file < 0)
		igt_nv3_require_debug(fd);
	igt_require_f(file >= 0, "no debugfs file %s\n", name);
	return file;
}

bool igt_nv3_has_class(int fd, uint32_t class_id)
{
	uint32_t classes[256];
	struct drm_nv3_class_enumerate req = {
		.classes = (uintptr_t)classes,
		.count = ARRAY_SIZE(classes),
	};
	uint32_t i;

	do_ioctl(fd, DRM_IOCTL_NV3_CLASS_ENUMERATE, &req);
	for (i = 0; i < req.count && i < ARRAY_SIZE(classes); i++) {
		if (classes[i] == class_id)
			return true;
	}
	return false;
}

/* ---- buffers ---- */

int __igt_nv3_gem_create(int fd, uint64_t *size, uint32_t domains,
			 uint32_t flags, uint32_t *handle)
{
	struct drm_nv3_gem_create req = {
		.size = *size, .domains = domains, .flags = flags,
	};
	int ret;

	ret = igt_nv3_ioctl(fd, DRM_IOCTL_NV3_GEM_CREATE, &req);
	if (!ret) {
		*size = req.size;
		*handle = req.handle;
	}
	return ret;
}

int __igt_nv3_gem_wait(int fd, uint32_t handle, uint32_t flags,
		       int64_t timeout_ns)
{
	struct drm_nv3_gem_wait req = { .handle = handle, .flags = flags };
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	req.timeout_ns = ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec +
			 timeout_ns;
	return igt_nv3_ioctl(fd, DRM_IOCTL_NV3_GEM_WAIT, &req);
}

struct igt_nv3_bo igt_nv3_bo_create(int fd, uint64_t size, uint32_t domains)
{
	struct igt_nv3_bo bo = { .fd = fd, .size = size };
	struct drm_nv3_gem_mmap req = { 0 };

	igt_assert_eq(__igt_nv3_gem_create(fd, &bo.size, domains, 0,
					   &bo.handle), 0);
	req.handle = bo.handle;
	do_ioctl(fd, DRM_IOCTL_NV3_GEM_MMAP, &req);
	bo.map = mmap(NULL, bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		      req.offset);
	igt_assert(bo.map != MAP_FAILED);
	return bo;
}

void igt_nv3_bo_destroy(struct igt_nv3_bo *bo)
{
	if (!bo->handle)
		return;
	munmap(bo->map, bo->size);
	drmCloseBufferHandle(bo->fd, bo->handle);
	bo->handle = 0;
}

void igt_nv3_bo_wait(const struct igt_nv3_bo *bo)
{
	igt_assert_eq(__igt_nv3_gem_wait(bo->fd, bo->handle,
					 DRM_NV3_GEM_WAIT_WRITE,
					 RUN_TIMEOUT_NS), 0);
}

/* ---- channels ---- */

int __igt_nv3_channel_create(int fd, uint32_t type, uint32_t *channel)
{
	return __igt_nv3_channel_create_flags(fd, type, 0, channel);
}

int __igt_nv3_channel_create_flags(int fd, uint32_t type, uint32_t flags,
				   uint32_t *channel)
{
	struct drm_nv3_channel_create req = { .type = type, .flags = flags };
	int ret;

	ret = igt_nv3_ioctl(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &req);
	if (!ret)
		*channel = req.channel;
	return ret;
}

uint32_t igt_nv3_channel_create(int fd)
{
	uint32_t channel = 0;

	igt_assert_eq(__igt_nv3_channel_create(fd, DRM_NV3_CHANNEL_DMA,
					       &channel), 0);
	igt_assert_neq_u32(channel, 0);
	return channel;
}

void igt_nv3_channel_destroy(int fd, uint32_t channel)
{
	struct drm_nv3_channel_destroy req = { .channel = channel };

	do_ioctl(fd, DRM_IOCTL_NV3_CHANNEL_DESTROY, &req);
}

uint32_t igt_nv3_fault(int fd, uint32_t channel,
		       struct drm_nv3_channel_query *query)
{
	struct drm_nv3_channel_query req = { .channel = channel };

	do_ioctl(fd, DRM_IOCTL_NV3_CHANNEL_QUERY, &req);
	if (query)
		*query = req;
	return req.fault;
}

/* ---- objects ---- */

void igt_nv3_require_sw(int fd)
{
	igt_require_f(igt_nv3_has_class(fd, DRM_NV3_CLASS_SEMAPHORE),
		      "no CONFIG_DRM_NV3_SW\n");
}

int __igt_nv3_object(int fd, uint32_t channel, uint32_t name,
		     uint32_t class_id, const void *args, uint32_t size)
{
	struct drm_nv3_object_instantiate req = {
		.channel = channel,
		.class_id = class_id,
		.name = name,
		.args_size = size,
		.args = (uintptr_t)args,
	};

	int ret = igt_nv3_ioctl(fd, DRM_IOCTL_NV3_OBJECT_INSTANTIATE, &req);

	if (ret && (class_id == DRM_NV3_CLASS_SEMAPHORE || class_id == DRM_NV3_CLASS_FLIP))
		igt_nv3_require_sw(fd);
	return ret;
}

int __igt_nv3_object_destroy(int fd, uint32_t channel, uint32_t name)
{
	struct drm_nv3_object_destroy req = {
		.channel = channel, .name = name,
	};

	return igt_nv3_ioctl(fd, DRM_IOCTL_NV3_OBJECT_DESTROY, &req);
}

void igt_nv3_dma(int fd, uint32_t channel, uint32_t name,
		 const struct igt_nv3_bo *bo, uint32_t flags)
{
	struct drm_nv3_dma_args args = {
		.handle = bo->handle, .flags = flags, .size = bo->size,
	};

	igt_assert_eq(__igt_nv3_object(fd, channel, name, DRM_NV3_CLASS_DMA,
				       &args, sizeof(args)), 0);
}

void igt_nv3_surface(int fd, uint32_t channel, uint32_t name, uint32_t slot,
		     uint32_t format, const struct igt_nv3_bo *bo,
		     uint32_t pitch, uint32_t width, uint32_t height)
{
	struct drm_nv3_surface_args args = {
		.handle = bo->handle,
		.slot = slot,
		.format = format,
		.pitch = pitch,
		.width = width,
		.height = height,
	};

	igt_assert_eq(__igt_nv3_object(fd, channel, name, NV3_CLASS_SURFACE,
				       &args, sizeof(args)), 0);
}

void igt_nv3_graph(int fd, uint32_t channel, uint32_t name, uint32_t class_id,
		   uint32_t dst_slots)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = NV3_OP_COPY,
		.dst_slots = dst_slots,
	};

	igt_assert_eq(__igt_nv3_object(fd, channel, name, class_id, &args,
				       sizeof(args)), 0);
}

/* ---- batches ---- */

void igt_nv3_batch_init(struct igt_nv3_batch *batch, int fd, uint32_t channel)
{
	memset(batch, 0, sizeof(*batch));
	batch->fd = fd;
	batch->channel = channel;
	batch->bo = igt_nv3_bo_create(fd, BATCH_SIZE, DRM_NV3_GEM_SYSTEM);
	igt_assert_eq(drmSyncobjCreate(fd, 0, &batch->timeline), 0);
}

void igt_nv3_batch_fini(struct igt_nv3_batch *batch)
{
	drmSyncobjDestroy(batch->fd, batch->timeline);
	igt_nv3_bo_destroy(&batch->bo);
}

void igt_nv3_word(struct igt_nv3_batch *batch, uint32_t word)
{
	igt_assert(batch->count < batch->bo.size / 4);
	((uint32_t *)batch->bo.map)[batch->count++] = word;
}

void igt_nv3_float(struct igt_nv3_batch *batch, float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof(word));
	igt_nv3_word(batch, word);
}

void igt_nv3_begin(struct igt_nv3_batch *batch, uint32_t subch, uint32_t mthd,
		   uint32_t count)
{
	igt_nv3_word(batch, count << 18 | subch << 13 | mthd);
}

void igt_nv3_method(struct igt_nv3_batch *batch, uint32_t subch, uint32_t mthd,
		    uint32_t arg)
{
	igt_nv3_begin(batch, subch, mthd, 1);
	igt_nv3_word(batch, arg);
}

void igt_nv3_select(struct igt_nv3_batch *batch, uint32_t subch, uint32_t name)
{
	igt_nv3_method(batch, subch, NV3_MTHD_OBJECT, name);
}

void igt_nv3_use(struct igt_nv3_batch *batch, const struct igt_nv3_bo *bo,
		 uint32_t flags)
{
	uint32_t i;

	for (i = 0; i < batch->buffer_count; i++) {
		if (batch->buffers[i].handle == bo->handle) {
			batch->buffers[i].flags |= flags;
			return;
		}
	}
	igt_assert(batch->buffer_count < IGT_NV3_BUFFERS);
	batch->buffers[batch->buffer_count].handle = bo->handle;
	batch->buffers[batch->buffer_count++].flags = flags;
}

static int submit(struct igt_nv3_batch *batch, uint32_t in, uint32_t out)
{
	struct drm_nv3_segment segment = {
		.handle = batch->bo.handle, .length = batch->count * 4,
	};
	struct drm_nv3_sync before = { .handle = in };
	struct drm_nv3_sync after[] = {
		{ .handle = batch->timeline, .point = batch->point + 1 },
		{ .handle = out },
	};
	int ret;
	struct drm_nv3_submit req = {
		.channel = batch->channel,
		.segment_count = 1,
		.segments = (uintptr_t)&segment,
		.buffer_count = batch->buffer_count,
		.buffers = (uintptr_t)batch->buffers,
		.in_sync_count = in ? 1 : 0,
		.in_syncs = (uintptr_t)&before,
		.out_sync_count = out ? 2 : 1,
		.out_syncs = (uintptr_t)after,
		.segment_size = sizeof(struct drm_nv3_segment),
		.buffer_size = sizeof(struct drm_nv3_buffer),
		.sync_size = sizeof(struct drm_nv3_sync),
	};

	batch->count = 0;
	batch->buffer_count = 0;
	ret = igt_nv3_ioctl(batch->fd, DRM_IOCTL_NV3_SUBMIT, &req);
	if (!ret)
		batch->point++;
	return ret;
}

int __igt_nv3_submit(struct igt_nv3_batch *batch, uint32_t out)
{
	return submit(batch, 0, out);
}

int __igt_nv3_submit_after(struct igt_nv3_batch *batch, uint32_t in)
{
	return submit(batch, in, 0);
}

int igt_nv3_timeline_wait(int fd, uint32_t syncobj, uint64_t point,
			  int64_t timeout_ns)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return drmSyncobjTimelineWait(fd, &syncobj, &point, 1,
				      ts.tv_sec * INT64_C(1000000000) +
				      ts.tv_nsec + timeout_ns,
				      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
				      NULL) ? -errno : 0;
}

void igt_nv3_batch_wait(const struct igt_nv3_batch *batch)
{
	int ret;

	if (!batch->point)
		return;
	ret = igt_nv3_timeline_wait(batch->fd, batch->timeline, batch->point,
				    RUN_TIMEOUT_NS);
	igt_assert_f(ret == 0, "the batch's fence did not signal: %d\n", ret);
}

void igt_nv3_batch_assert_busy(const struct igt_nv3_batch *batch)
{
	igt_assert_eq(igt_nv3_timeline_wait(batch->fd, batch->timeline,
					    batch->point, 0), -ETIME);
}

void igt_nv3_run(struct igt_nv3_batch *batch)
{
	igt_assert_eq(__igt_nv3_submit(batch, 0), 0);
	igt_nv3_batch_wait(batch);
}

void igt_nv3_run_ok(struct igt_nv3_batch *batch)
{
	struct drm_nv3_channel_query query;

	igt_nv3_run(batch);
	igt_assert_f(!igt_nv3_fault(batch->fd, batch->channel, &query),
		     "fault %u: subchannel %u, method 0x%04x, data 0x%08x, class 0x%02x\n",
		     query.fault, query.subch, query.method, query.data,
		     query.class_id);
}

/* ---- a client that draws ---- */

static void client_init(struct igt_nv3_client *client, int fd, uint32_t flags,
			uint32_t budget_ms)
{
	struct drm_nv3_channel_create req = {
		.type = DRM_NV3_CHANNEL_DMA, .flags = flags,
		.budget_ms = budget_ms,
	};

	client->fd = fd;
	do_ioctl(fd, DRM_IOCTL_NV3_CHANNEL_CREATE, &req);
	client->channel = req.channel;
	client->color = igt_nv3_bo_create(fd, 2 * IGT_NV3_CANVAS *
					  IGT_NV3_CANVAS, DRM_NV3_GEM_VRAM);
	igt_nv3_batch_init(&client->batch, fd, client->channel);
	igt_nv3_surface(fd, client->channel, IGT_NV3_COLOR, 0,
			DRM_NV3_FORMAT_X1R5G5B5, &client->color,
			2 * IGT_NV3_CANVAS, IGT_NV3_CANVAS, IGT_NV3_CANVAS);
	igt_nv3_graph(fd, client->channel, IGT_NV3_RECT, NV3_CLASS_RECT,
		      1 << 0);

	igt_nv3_select(&client->batch, IGT_NV3_SUB_COLOR, IGT_NV3_COLOR);
	igt_nv3_select(&client->batch, IGT_NV3_SUB_RECT, IGT_NV3_RECT);
	igt_nv3_fill(client, 0, 0, IGT_NV3_CANVAS, IGT_NV3_CANVAS, 0);
	igt_nv3_run_ok(&client->batch);
}

void igt_nv3_client_init(struct igt_nv3_client *client, int fd)
{
	client_init(client, fd, 0, 0);
}

void igt_nv3_client_init_budget(struct igt_nv3_client *client, int fd,
				uint32_t budget_ms)
{
	client_init(client, fd, 0, budget_ms);
}

void igt_nv3_client_init_lr(struct igt_nv3_client *client, int fd)
{
	client_init(client, fd, DRM_NV3_CHANNEL_LONG_RUNNING, 0);
}

void igt_nv3_client_fini(struct igt_nv3_client *client)
{
	igt_nv3_batch_fini(&client->batch);
	igt_nv3_channel_destroy(client->fd, client->channel);
	igt_nv3_bo_destroy(&client->color);
}

#define LONG_SIDE	1024
#define LONG_RECTS	5000
/* Handles of the objects that igt_nv3_push_long() creates. Tests must use other handles. */
#define LONG_SURFACE	0xf000
#define LONG_ROP	0xf001
#define LONG_RECT	0xf002

void igt_nv3_push_long(struct igt_nv3_client *client,
		       const struct igt_nv3_bo *bo)
{
	struct drm_nv3_graph_args args = {
		.color_format = DRM_NV3_COLOR_X1R5G5B5,
		.operation = 0x15,	/* ROP, with the raster operation of LONG_ROP */
		.dst_slots = 1,
	};
	struct igt_nv3_batch *batch = &client->batch;
	uint32_t i;

	igt_nv3_surface(client->fd, client->channel, LONG_SURFACE, 0,
			DRM_NV3_FORMAT_X1R5G5B5, bo, 2 * LONG_SIDE, LONG_SIDE,
			LONG_SIDE);
	igt_nv3_graph(client->fd, client->channel, LONG_ROP, NV3_CLASS_ROP, 0);
	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, LONG_RECT,
				       NV3_CLASS_RECT, &args, sizeof(args)), 0);
	igt_nv3_use(batch, bo, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, IGT_NV3_SUB_COLOR, LONG_SURFACE);
	igt_nv3_select(batch, IGT_NV3_SUB_FREE, LONG_ROP);
	igt_nv3_method(batch, IGT_NV3_SUB_FREE, NV3_ROP_ROP, 0x5a);
	igt_nv3_select(batch, IGT_NV3_SUB_FREE, LONG_RECT);
	igt_nv3_method(batch, IGT_NV3_SUB_FREE, NV3_RECT_COLOR, 0x5555);
	for (i = 0; i < LONG_RECTS; i++) {
		igt_nv3_begin(batch, IGT_NV3_SUB_FREE, NV3_RECT_POINT(0), 2);
		igt_nv3_word(batch, 0);
		igt_nv3_word(batch, LONG_SIDE << 16 | LONG_SIDE);
	}
}

void igt_nv3_fill(struct igt_nv3_client *client, uint32_t x, uint32_t y,
		  uint32_t w, uint32_t h, uint32_t color)
{
	struct igt_nv3_batch *batch = &client->batch;

	igt_nv3_use(batch, &client->color, NV3_READ | NV3_WRITE);
	igt_nv3_method(batch, IGT_NV3_SUB_RECT, NV3_RECT_COLOR, color);
	igt_nv3_begin(batch, IGT_NV3_SUB_RECT, NV3_RECT_POINT(0), 2);
	igt_nv3_word(batch, y << 16 | (x & 0xffff));
	igt_nv3_word(batch, h << 16 | (w & 0xffff));
}

/*
 * Copy @n uses the three handles from COPY_NAMES + 3 * @n. Class M2MF copies lines, which have
 * COPY_LINE bytes here.
 */
#define COPY_NAMES	0xe000
#define COPY_LINE	1024

void igt_nv3_copy(struct igt_nv3_client *client, uint32_t n,
		  const struct igt_nv3_bo *in, const struct igt_nv3_bo *out)
{
	const uint32_t name = COPY_NAMES + n * 3;
	struct drm_nv3_graph_args args = {
		.operation = NV3_OP_COPY, .dma = { name, name + 1 },
	};
	struct igt_nv3_batch *batch = &client->batch;

	igt_nv3_dma(client->fd, client->channel, name, in, 0);
	igt_nv3_dma(client->fd, client->channel, name + 1, out,
		    DRM_NV3_DMA_WRITE);
	igt_assert_eq(__igt_nv3_object(client->fd, client->channel, name + 2,
				       NV3_CLASS_M2MF, &args, sizeof(args)), 0);
	igt_nv3_use(batch, in, NV3_READ);
	igt_nv3_use(batch, out, NV3_READ | NV3_WRITE);
	igt_nv3_select(batch, IGT_NV3_SUB_COPY, name + 2);
	igt_nv3_begin(batch, IGT_NV3_SUB_COPY, NV3_M2MF_OFFSET_IN, 8);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, 0);
	igt_nv3_word(batch, COPY_LINE);
	igt_nv3_word(batch, COPY_LINE);
	igt_nv3_word(batch, COPY_LINE);
	igt_nv3_word(batch, in->size / COPY_LINE);
	igt_nv3_word(batch, 1 << 8 | 1);
	igt_nv3_word(batch, 0);
}

uint16_t igt_nv3_pixel(const struct igt_nv3_client *client, uint32_t x,
		       uint32_t y)
{
	return ((uint16_t *)client->color.map)[y * IGT_NV3_CANVAS + x] &
	       0x7fff;
}

void igt_nv3_assert_rect(const struct igt_nv3_client *client, uint32_t x,
			 uint32_t y, uint32_t w, uint32_t h, uint16_t inside,
			 uint16_t outside)
{
	uint32_t i, j;

	for (j = 0; j < IGT_NV3_CANVAS; j++) {
		for (i = 0; i < IGT_NV3_CANVAS; i++) {
			bool in = i >= x && i < x + w && j >= y && j < y + h;
			uint16_t want = in ? inside : outside;
			uint16_t got = igt_nv3_pixel(client, i, j);

			igt_assert_f(got == want,
				     "pixel %u,%u is %04x, not %04x\n", i, j,
				     got, want);
		}
	}
}

void igt_nv3_assert_draws(struct igt_nv3_client *client, uint32_t seed)
{
	uint32_t x = seed * 7 % 30, y = seed * 13 % 30;
	uint16_t outside = seed * 0x1235 & 0x7fff;
	uint16_t inside = ~outside & 0x7fff;

	igt_nv3_fill(client, 0, 0, IGT_NV3_CANVAS, IGT_NV3_CANVAS, outside);
	igt_nv3_fill(client, x, y, 20, 30, inside);
	igt_nv3_run_ok(&client->batch);
	igt_nv3_assert_rect(client, x, y, 20, 30, inside, outside);
}
