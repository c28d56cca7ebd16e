/* SPDX-License-Identifier: MIT */
/*
 * Helpers for all nv3 tests. libdrm_nv3 would reject invalid arguments, and its bugs could hide
 * bugs in the driver. These functions therefore call the ioctls directly.
 *
 * As in all of IGT, a function whose name starts with __ returns a negative errno if it fails. All
 * other functions assert success.
 */
#ifndef IGT_NV3_H
#define IGT_NV3_H

#include <stdbool.h>
#include <stdint.h>

#include <nv3_class.h>
#include <nv3_drm.h>

#define NV3_OP_COPY	0x17

#define NV3_READ	DRM_NV3_BUFFER_READ
#define NV3_WRITE	DRM_NV3_BUFFER_WRITE

/* Opens an nv3 device. Skips the test if there is no such device. */
int igt_nv3_open(void);
/* Calls ioctl(). Returns 0 or a negative errno. */
int igt_nv3_ioctl(int fd, unsigned long request, void *arg);
uint64_t igt_nv3_param(int fd, uint32_t param);
/*
 * Opens a debugfs file of the device. @flags is passed to open(). Skips the test if the file does
 * not exist.
 */
int igt_nv3_debugfs(int fd, const char *name, int flags);
bool igt_nv3_has_class(int fd, uint32_t class_id);
/*
 * Skips the test if the driver is built without CONFIG_DRM_NV3_SW, and therefore lacks the classes
 * SEMAPHORE and FLIP.
 */
void igt_nv3_require_sw(int fd);
/* Skips the test if the driver is built without CONFIG_DRM_NV3_DEBUG. */
void igt_nv3_require_debug(int fd);

/* ---- buffers ---- */

struct igt_nv3_bo {
	int fd;
	uint32_t handle;
	uint64_t size;
	void *map;
};

int __igt_nv3_gem_create(int fd, uint64_t *size, uint32_t domains,
			 uint32_t flags, uint32_t *handle);
int __igt_nv3_gem_wait(int fd, uint32_t handle, uint32_t flags,
		       int64_t timeout_ns);
struct igt_nv3_bo igt_nv3_bo_create(int fd, uint64_t size, uint32_t domains);
void igt_nv3_bo_destroy(struct igt_nv3_bo *bo);
/* Waits until all submitted work that accesses the buffer has completed. */
void igt_nv3_bo_wait(const struct igt_nv3_bo *bo);

/* ---- channels ---- */

int __igt_nv3_channel_create(int fd, uint32_t type, uint32_t *channel);
/* Creates a channel. @flags is DRM_NV3_CHANNEL_LONG_RUNNING or 0. */
int __igt_nv3_channel_create_flags(int fd, uint32_t type, uint32_t flags,
				   uint32_t *channel);
uint32_t igt_nv3_channel_create(int fd);
void igt_nv3_channel_destroy(int fd, uint32_t channel);
/* Returns the channel's DRM_NV3_FAULT_*. If @query is not null, fills *@query. */
uint32_t igt_nv3_fault(int fd, uint32_t channel,
		       struct drm_nv3_channel_query *query);

/* ---- objects ---- */

/*
 * Creates an object. Skips the test if the class needs CONFIG_DRM_NV3_SW and the driver is built
 * without this option.
 */
int __igt_nv3_object(int fd, uint32_t channel, uint32_t name,
		     uint32_t class_id, const void *args, uint32_t size);
int __igt_nv3_object_destroy(int fd, uint32_t channel, uint32_t name);
void igt_nv3_dma(int fd, uint32_t channel, uint32_t name,
		 const struct igt_nv3_bo *bo, uint32_t flags);
void igt_nv3_surface(int fd, uint32_t channel, uint32_t name, uint32_t slot,
		     uint32_t format, const struct igt_nv3_bo *bo,
		     uint32_t pitch, uint32_t width, uint32_t height);
/*
 * Creates an object of a drawing class such as RECT, BLIT or IFC. The object has the operation COPY
 * and the colour format X1R5G5B5, and draws to the surfaces in the slots that the mask @dst_slots
 * selects.
 */
void igt_nv3_graph(int fd, uint32_t channel, uint32_t name, uint32_t class_id,
		   uint32_t dst_slots);

/* ---- batches ---- */

#define IGT_NV3_BUFFERS	16

struct igt_nv3_batch {
	int fd;
	uint32_t channel;
	struct igt_nv3_bo bo;
	uint32_t count;			/* in words */
	struct drm_nv3_buffer buffers[IGT_NV3_BUFFERS];
	uint32_t buffer_count;
	/* Each batch signals a point of this timeline syncobj. The newest batch signals @point. */
	uint32_t timeline;
	uint64_t point;
};

void igt_nv3_batch_init(struct igt_nv3_batch *batch, int fd, uint32_t channel);
void igt_nv3_batch_fini(struct igt_nv3_batch *batch);
void igt_nv3_word(struct igt_nv3_batch *batch, uint32_t word);
void igt_nv3_float(struct igt_nv3_batch *batch, float value);
/*
 * Adds a header for @count consecutive methods. After the call, the caller must add @count
 * arguments.
 */
void igt_nv3_begin(struct igt_nv3_batch *batch, uint32_t subch, uint32_t mthd,
		   uint32_t count);
void igt_nv3_method(struct igt_nv3_batch *batch, uint32_t subch, uint32_t mthd,
		    uint32_t arg);
void igt_nv3_select(struct igt_nv3_batch *batch, uint32_t subch,
		    uint32_t name);
void igt_nv3_use(struct igt_nv3_batch *batch, const struct igt_nv3_bo *bo,
		 uint32_t flags);
/* Submits and empties the batch. The batch signals the syncobj @out unless @out is 0. */
int __igt_nv3_submit(struct igt_nv3_batch *batch, uint32_t out);
/*
 * Like __igt_nv3_submit(@batch, 0), but the batch waits for the fence of the syncobj @in before it
 * begins.
 */
int __igt_nv3_submit_after(struct igt_nv3_batch *batch, uint32_t in);
/*
 * Waits until the last submitted batch has completed or failed. For a long-running channel, a test
 * can't use GEM_WAIT instead, because the batches of such a channel add no fences to buffers.
 */
void igt_nv3_batch_wait(const struct igt_nv3_batch *batch);
/* Asserts that the last submitted batch has not completed. */
void igt_nv3_batch_assert_busy(const struct igt_nv3_batch *batch);
/*
 * Like drmSyncobjTimelineWait() for one syncobj, but @timeout_ns is relative to the time of the
 * call. Also waits until the syncobj has a fence for @point. Returns 0 or a negative errno.
 */
int igt_nv3_timeline_wait(int fd, uint32_t syncobj, uint64_t point,
			  int64_t timeout_ns);
/* Submits the batch and waits until it has completed or failed. */
void igt_nv3_run(struct igt_nv3_batch *batch);
/* Like igt_nv3_run(), but also asserts that the channel has not faulted. */
void igt_nv3_run_ok(struct igt_nv3_batch *batch);

/* ---- a client that draws ---- */

#define IGT_NV3_CANVAS	64	/* width and height in pixels */

/* Handles in the client's channel */
enum {
	IGT_NV3_COLOR = 0x100,	/* the surface in slot 0 */
	IGT_NV3_RECT,
};

/* Subchannels that igt_nv3_client_init() binds. */
enum {
	IGT_NV3_SUB_COLOR,
	IGT_NV3_SUB_RECT,
	IGT_NV3_SUB_FREE,
	IGT_NV3_SUB_COPY = 7,	/* for igt_nv3_copy() */
};

/* A client: an open file, a DMA channel, and a surface of 64x64 pixels in X1R5G5B5 */
struct igt_nv3_client {
	int fd;
	uint32_t channel;
	struct igt_nv3_bo color;
	struct igt_nv3_batch batch;
};

void igt_nv3_client_init(struct igt_nv3_client *client, int fd);
/*
 * Creates a client. Each batch of the client may use @budget_ms of engine time. If @budget_ms is 0,
 * the default budget applies.
 */
void igt_nv3_client_init_budget(struct igt_nv3_client *client, int fd,
				uint32_t budget_ms);
/*
 * Creates a client with a long-running channel. Only long-running channels support semaphores and
 * flips.
 */
void igt_nv3_client_init_lr(struct igt_nv3_client *client, int fd);
void igt_nv3_client_fini(struct igt_nv3_client *client);
/*
 * Adds 5,000 rectangles of a megapixel each, with a slow raster operation. The chip draws each
 * rectangle in a short time, but needs seconds for all of them, even on a fast host. The function
 * creates a surface for the rectangles in @bo, which must be in VRAM and have at least 2 MiB.
 */
void igt_nv3_push_long(struct igt_nv3_client *client,
		       const struct igt_nv3_bo *bo);
void igt_nv3_fill(struct igt_nv3_client *client, uint32_t x, uint32_t y,
		  uint32_t w, uint32_t h, uint32_t color);
/*
 * Adds methods that copy the buffer @in to the buffer @out. @n selects the handles of the objects
 * for this copy, so it must be unique in the channel. The size of @in must be a multiple of 1 KiB.
 */
void igt_nv3_copy(struct igt_nv3_client *client, uint32_t n,
		  const struct igt_nv3_bo *in, const struct igt_nv3_bo *out);
uint16_t igt_nv3_pixel(const struct igt_nv3_client *client, uint32_t x,
		       uint32_t y);
/*
 * Asserts that the rectangle has the colour @inside, and that all other pixels of the surface have
 * the colour @outside.
 */
void igt_nv3_assert_rect(const struct igt_nv3_client *client, uint32_t x,
			 uint32_t y, uint32_t w, uint32_t h, uint16_t inside,
			 uint16_t outside);
/* Draws a picture that depends on @seed, and asserts that each pixel is correct. */
void igt_nv3_assert_draws(struct igt_nv3_client *client, uint32_t seed);

#endif
