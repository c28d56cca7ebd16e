/* SPDX-License-Identifier: MIT */
/*
 * What the nv3 tests have in common. It calls the ioctls itself: a test that
 * went through libdrm_nv3 could neither pass it nonsense nor find its bugs.
 *
 * As elsewhere in IGT, functions whose name starts with __ return a negative
 * errno for the caller to look at; the others assert that they succeed.
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

/* The nv3; skips without one. */
int igt_nv3_open(void);
/* ioctl() as 0 or a negative errno. */
int igt_nv3_ioctl(int fd, unsigned long request, void *arg);
uint64_t igt_nv3_param(int fd, uint32_t param);
/* The device's debugfs file, opened with open()'s @flags; skips without one. */
int igt_nv3_debugfs(int fd, const char *name, int flags);
bool igt_nv3_has_class(int fd, uint32_t class_id);

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
/* Until all that was submitted on it has run. */
void igt_nv3_bo_wait(const struct igt_nv3_bo *bo);

/* ---- channels ---- */

int __igt_nv3_channel_create(int fd, uint32_t type, uint32_t *channel);
/* @flags: DRM_NV3_CHANNEL_LONG_RUNNING. */
int __igt_nv3_channel_create_flags(int fd, uint32_t type, uint32_t flags,
				   uint32_t *channel);
uint32_t igt_nv3_channel_create(int fd);
void igt_nv3_channel_destroy(int fd, uint32_t channel);
/* DRM_NV3_FAULT_*, and the rest of the answer if @query is not null. */
uint32_t igt_nv3_fault(int fd, uint32_t channel,
		       struct drm_nv3_channel_query *query);

/* ---- objects ---- */

int __igt_nv3_object(int fd, uint32_t channel, uint32_t name,
		     uint32_t class_id, const void *args, uint32_t size);
int __igt_nv3_object_destroy(int fd, uint32_t channel, uint32_t name);
void igt_nv3_dma(int fd, uint32_t channel, uint32_t name,
		 const struct igt_nv3_bo *bo, uint32_t flags);
void igt_nv3_surface(int fd, uint32_t channel, uint32_t name, uint32_t slot,
		     uint32_t format, const struct igt_nv3_bo *bo,
		     uint32_t pitch, uint32_t width, uint32_t height);
/* RECT, BLIT, IFC and the like, copying X1R5G5B5 to @dst_slots. */
void igt_nv3_graph(int fd, uint32_t channel, uint32_t name, uint32_t class_id,
		   uint32_t dst_slots);

/* ---- batches ---- */

#define IGT_NV3_BUFFERS	16

struct igt_nv3_batch {
	int fd;
	uint32_t channel;
	struct igt_nv3_bo bo;
	uint32_t count;			/* words */
	struct drm_nv3_buffer buffers[IGT_NV3_BUFFERS];
	uint32_t buffer_count;
	/* Of the batches submitted: a syncobj, and its newest point. */
	uint32_t timeline;
	uint64_t point;
};

void igt_nv3_batch_init(struct igt_nv3_batch *batch, int fd, uint32_t channel);
void igt_nv3_batch_fini(struct igt_nv3_batch *batch);
void igt_nv3_word(struct igt_nv3_batch *batch, uint32_t word);
void igt_nv3_float(struct igt_nv3_batch *batch, float value);
/* Opens a run of @count methods. */
void igt_nv3_begin(struct igt_nv3_batch *batch, uint32_t subch, uint32_t mthd,
		   uint32_t count);
void igt_nv3_method(struct igt_nv3_batch *batch, uint32_t subch, uint32_t mthd,
		    uint32_t arg);
void igt_nv3_select(struct igt_nv3_batch *batch, uint32_t subch,
		    uint32_t name);
void igt_nv3_use(struct igt_nv3_batch *batch, const struct igt_nv3_bo *bo,
		 uint32_t flags);
/* Submits and empties the batch. @out is a syncobj to signal, or 0. */
int __igt_nv3_submit(struct igt_nv3_batch *batch, uint32_t out);
/* The same, to begin when the fence of the syncobj @in has signalled. */
int __igt_nv3_submit_after(struct igt_nv3_batch *batch, uint32_t in);
/*
 * Until the last batch that was submitted has run, or failed. A buffer's fences (GEM_WAIT) don't
 * tell that of a long-running channel.
 */
void igt_nv3_batch_wait(const struct igt_nv3_batch *batch);
/* That it has not. */
void igt_nv3_batch_assert_busy(const struct igt_nv3_batch *batch);
/* drmSyncobjTimelineWait() that also waits for the fence to come; 0 or a negative errno. */
int igt_nv3_timeline_wait(int fd, uint32_t syncobj, uint64_t point,
			  int64_t timeout_ns);
/* Submits, and waits until it has run, or failed. */
void igt_nv3_run(struct igt_nv3_batch *batch);
/* The same, after which the channel must not have faulted. */
void igt_nv3_run_ok(struct igt_nv3_batch *batch);

/* ---- a client that draws ---- */

#define IGT_NV3_CANVAS	64	/* pixels, each way */

/* Names in its channel. */
enum {
	IGT_NV3_COLOR = 0x100,	/* the surface, in slot 0 */
	IGT_NV3_RECT,
};

/* Subchannels that igt_nv3_client_init() binds. */
enum {
	IGT_NV3_SUB_COLOR,
	IGT_NV3_SUB_RECT,
	IGT_NV3_SUB_FREE,
	IGT_NV3_SUB_COPY = 7,	/* igt_nv3_copy()'s */
};

/* A file, a channel and 64x64 pixels of X1R5G5B5 to draw to. */
struct igt_nv3_client {
	int fd;
	uint32_t channel;
	struct igt_nv3_bo color;
	struct igt_nv3_batch batch;
};

void igt_nv3_client_init(struct igt_nv3_client *client, int fd);
/* Whose batches may take @budget_ms of the chip's time; 0: as many as usual. */
void igt_nv3_client_init_budget(struct igt_nv3_client *client, int fd,
				uint32_t budget_ms);
/* With a long-running channel, which may have semaphores and flips. */
void igt_nv3_client_init_lr(struct igt_nv3_client *client, int fd);
void igt_nv3_client_fini(struct igt_nv3_client *client);
/*
 * Adds five gigapixels to its batch, a million at a time, by a slow raster operation: seconds
 * for any machine, but it gets on. @bo is of 2 MiB, in VRAM.
 */
void igt_nv3_push_long(struct igt_nv3_client *client,
		       const struct igt_nv3_bo *bo);
void igt_nv3_fill(struct igt_nv3_client *client, uint32_t x, uint32_t y,
		  uint32_t w, uint32_t h, uint32_t color);
/* Adds the channel's copy number @n to its batch: of whole kilobytes, all of @in. */
void igt_nv3_copy(struct igt_nv3_client *client, uint32_t n,
		  const struct igt_nv3_bo *in, const struct igt_nv3_bo *out);
uint16_t igt_nv3_pixel(const struct igt_nv3_client *client, uint32_t x,
		       uint32_t y);
/* That a rectangle, and nothing around it, has a color. */
void igt_nv3_assert_rect(const struct igt_nv3_client *client, uint32_t x,
			 uint32_t y, uint32_t w, uint32_t h, uint16_t inside,
			 uint16_t outside);
/* That it can still draw, and draws right: something else for each @seed. */
void igt_nv3_assert_draws(struct igt_nv3_client *client, uint32_t seed);

#endif
