/* SPDX-License-Identifier: MIT */
/*
 * libdrm_nv3: a RIVA 128 as a program sees it. Buffers hold bytes; a channel is
 * a line of work; objects of the classes of nv3_class.h live in a channel under
 * 32-bit names; a pushbuffer gathers methods on them and hands them over.
 *
 * Errors: functions that return int return 0 or a negative errno, and leave
 * their out parameters alone when they fail.
 *
 * Threads: devices, buffers, channels and objects may be used by any number of
 * threads at a time. A pushbuffer belongs to one thread at a time; two threads
 * may each have one on the same channel, though then only a whole batch is
 * sure to stay together.
 *
 * Lifetimes: everything is counted. What a thing needs it holds: an object its
 * channel and its buffer, a pushbuffer what is selected into it, and what was
 * until the batch that it was selected in is submitted.
 */
#ifndef LIBDRM_NV3_H
#define LIBDRM_NV3_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <nv3_class.h>
#include <nv3_drm.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nv3_device;
struct nv3_bo;
struct nv3_channel;
struct nv3_object;
struct nv3_pushbuf;

/* ---- devices ---- */

/* Of an open DRM file that stays the caller's and outlives the device. */
int nv3_device_new(int fd, struct nv3_device **out);
/*
 * Opens the node @path, or without one the first nv3 there is: its render node
 * (@node_type DRM_NODE_RENDER) or its primary one (DRM_NODE_PRIMARY).
 */
int nv3_device_open(const char *path, int node_type, struct nv3_device **out);
struct nv3_device *nv3_device_ref(struct nv3_device *dev);
void nv3_device_unref(struct nv3_device *dev);
int nv3_device_fd(const struct nv3_device *dev);
/* @param is DRM_NV3_PARAM_*. */
int nv3_device_param(struct nv3_device *dev, uint32_t param, uint64_t *value);
/* Class numbers, @count of them, that last as long as @dev. */
int nv3_device_classes(struct nv3_device *dev, const uint32_t **classes,
		       uint32_t *count);
bool nv3_device_has_class(struct nv3_device *dev, uint32_t class_id);

/* "D3D" for 0x17; null for a number that names no class. */
const char *nv3_class_name(uint32_t class_id);
/* A phrase for DRM_NV3_FAULT_*; never null. */
const char *nv3_fault_name(uint32_t fault);

/* ---- buffers ---- */

/* @domains: DRM_NV3_GEM_*. */
int nv3_bo_new(struct nv3_device *dev, uint64_t size, uint32_t domains,
	       struct nv3_bo **out);
/* Takes over a GEM handle of @dev's file, as of a dumb buffer. */
int nv3_bo_from_handle(struct nv3_device *dev, uint32_t handle, uint64_t size,
		       struct nv3_bo **out);
/* A dma-buf; the file descriptor stays the caller's. */
int nv3_bo_import(struct nv3_device *dev, int dmabuf, struct nv3_bo **out);
int nv3_bo_export(struct nv3_bo *bo, int *dmabuf);
/* A name that other clients of the same primary node can open (GEM flink). */
int nv3_bo_from_name(struct nv3_device *dev, uint32_t name,
		     struct nv3_bo **out);
int nv3_bo_name(struct nv3_bo *bo, uint32_t *name);

struct nv3_bo *nv3_bo_ref(struct nv3_bo *bo);
void nv3_bo_unref(struct nv3_bo *bo);
uint32_t nv3_bo_handle(const struct nv3_bo *bo);
uint64_t nv3_bo_size(const struct nv3_bo *bo);
/* The same address each time, until the buffer goes. */
int nv3_bo_map(struct nv3_bo *bo, void **map);
/*
 * Until the chip no longer writes to the buffer, or with
 * DRM_NV3_GEM_WAIT_WRITE no longer reads it either. -ETIME after @timeout_ns
 * from now; 0 only asks, INT64_MAX waits for ever.
 */
int nv3_bo_wait(struct nv3_bo *bo, uint32_t flags, int64_t timeout_ns);

/* ---- channels ---- */

/* @type: DRM_NV3_CHANNEL_DMA or _PIO. */
int nv3_channel_new(struct nv3_device *dev, uint32_t type,
		    struct nv3_channel **out);
/*
 * The same with @priority, DRM_NV3_PRIORITY_*; above normal is -EPERM for who
 * has neither CAP_SYS_NICE nor the DRM master's file.
 */
int nv3_channel_new_priority(struct nv3_device *dev, uint32_t type,
			     int32_t priority, struct nv3_channel **out);
/*
 * The same with @flags. On a DRM_NV3_CHANNEL_LONG_RUNNING channel methods may
 * wait for other clients and the display, and what a batch signals has a fence
 * only when the batch is done: see nv3_drm.h.
 */
int nv3_channel_new_flags(struct nv3_device *dev, uint32_t type, uint32_t flags,
			  struct nv3_channel **out);
struct nv3_channel *nv3_channel_ref(struct nv3_channel *chan);
void nv3_channel_unref(struct nv3_channel *chan);
uint32_t nv3_channel_id(const struct nv3_channel *chan);
struct nv3_device *nv3_channel_device(const struct nv3_channel *chan);
/* The 64 KiB window of a PIO channel; -EINVAL for others. */
int nv3_channel_window(struct nv3_channel *chan, volatile uint32_t **window);
/*
 * Ends a PIO channel's turn. @out, if not null, is signalled when all that was
 * stored has been carried out. -EIO when the channel has faulted.
 */
int nv3_channel_flush(struct nv3_channel *chan, const struct drm_nv3_sync *out);
/* How far it got, and why it stopped, if it did. */
int nv3_channel_query(struct nv3_channel *chan,
		      struct drm_nv3_channel_query *query);

/* ---- objects: a @name of 0 lets the library choose one ---- */

/* Memory that other objects may reach. @flags: DRM_NV3_DMA_*. */
int nv3_dma_new(struct nv3_channel *chan, uint32_t name, struct nv3_bo *bo,
		uint64_t offset, uint64_t size, uint32_t flags,
		struct nv3_object **out);

struct nv3_surface {
	uint32_t slot;		/* 0 to 3; depth is always 3 */
	uint32_t format;	/* DRM_NV3_FORMAT_* */
	uint32_t offset;
	uint32_t pitch;
	uint32_t width;
	uint32_t height;
	/* What it is for, as far as other users of the buffer must wait. */
	uint32_t access;	/* DRM_NV3_BUFFER_*; 0: both */
};

int nv3_surface_new(struct nv3_channel *chan, uint32_t name, struct nv3_bo *bo,
		    const struct nv3_surface *info, struct nv3_object **out);

struct nv3_graph {
	uint32_t color_format;	/* DRM_NV3_COLOR_* */
	uint32_t operation;
	uint32_t dst_slots;
	uint32_t src_slot;
	uint32_t flags;		/* DRM_NV3_GRAPH_* */
	struct nv3_object *dma[2];
	struct nv3_object *dma_notify;
};

/* Every other class. */
int nv3_graph_new(struct nv3_channel *chan, uint32_t name, uint32_t class_id,
		  const struct nv3_graph *info, struct nv3_object **out);

struct nv3_object *nv3_object_ref(struct nv3_object *obj);
/* The last reference destroys the object in its channel. */
void nv3_object_unref(struct nv3_object *obj);
uint32_t nv3_object_name(const struct nv3_object *obj);
uint32_t nv3_object_class(const struct nv3_object *obj);

/* ---- methods stored to a window, one by one ---- */

/*
 * A PIO channel's window, for one thread. A pushbuffer does this as well; it is
 * for who wants each method to start at once.
 */
struct nv3_pio {
	volatile uint32_t *window;
	uint32_t room;		/* bytes that may be stored before asking */
};

/* -EINVAL if @chan is no PIO channel. */
int nv3_pio_init(struct nv3_channel *chan, struct nv3_pio *pio);

/* Where in a window a method is, and where the free count: in words. */
#define NV3_PIO_WORD(subch, mthd)	(((subch) * 0x2000u + (mthd)) / 4)
#define NV3_PIO_FREE			(0x10 / 4)

/* @subch: 0 to 7. Waits until the chip has room for the method. */
static inline void nv3_pio_method(struct nv3_pio *pio, uint32_t subch,
				  uint32_t mthd, uint32_t arg)
{
	while (pio->room < 4)
		pio->room = pio->window[NV3_PIO_FREE];
	pio->room -= 4;
	pio->window[NV3_PIO_WORD(subch, mthd)] = arg;
}

/* ---- pushbuffers ---- */

/* The eighth is the kernel driver's between batches. */
#define NV3_SUBCHANNELS		7
/* Methods that one run can call; each is 4 bytes above the one before. */
#define NV3_RUN_MAX		2047

/*
 * A batch in the making. The first part is public so that words can be stored
 * without a call; write at @cur only what nv3_push_begin() made room for.
 *
 * On a PIO channel a flush stores the methods to the window, which may wait for
 * the chip, and then ends the turn.
 *
 * An error (no memory, a refused batch) stays: what is pushed after it is
 * dropped, and nv3_pushbuf_flush() returns it, once. Nothing is selected then,
 * as the selecting may have been among what was dropped.
 */
struct nv3_pushbuf {
	uint32_t *cur;
	uint32_t *end;
	uint32_t current;	/* subchannels whose buffers are in the batch */
};

int nv3_pushbuf_new(struct nv3_channel *chan, struct nv3_pushbuf **out);
/* Drops what was not flushed. */
void nv3_pushbuf_del(struct nv3_pushbuf *push);

/*
 * Makes room for @words in one batch, flushing first when they would not fit:
 * for methods that must not be parted, as vertices and the triangles on them.
 * -E2BIG for more than a batch can hold.
 */
int nv3_pushbuf_space(struct nv3_pushbuf *push, uint32_t words);
/*
 * Binds @obj to subchannel @subch, 0 to 6, until something else is. The
 * buffers that it reaches are put in each batch that calls a method on it.
 */
int nv3_pushbuf_select(struct nv3_pushbuf *push, uint32_t subch,
		       struct nv3_object *obj);
/* Puts a buffer into the batch by hand. @flags: DRM_NV3_BUFFER_*. */
int nv3_pushbuf_use(struct nv3_pushbuf *push, struct nv3_bo *bo,
		    uint32_t flags);
/* What is pushed from here on runs after this point of a syncobj (0: binary). */
int nv3_pushbuf_after(struct nv3_pushbuf *push, uint32_t syncobj,
		      uint64_t point);
/*
 * Submits the batch, and has it signal @out when it has run. With nothing
 * pushed, @out gets what the batch before got, for which a long-running
 * channel's is waited for. While there is no memory for its
 * buffers it tries again for a second, then gives up with -ENOMEM.
 */
int nv3_pushbuf_flush(struct nv3_pushbuf *push, const struct drm_nv3_sync *out,
		      uint32_t out_count);
/* How many words there are of the batch that is to be submitted next. */
uint32_t nv3_pushbuf_words(const struct nv3_pushbuf *push);
/*
 * The last batch submitted, as a point of the pushbuffer's own timeline
 * syncobj; 0 before the first.
 */
uint64_t nv3_pushbuf_seq(const struct nv3_pushbuf *push);
uint32_t nv3_pushbuf_timeline(const struct nv3_pushbuf *push);
/* Until batch @seq has run; -ETIME after @timeout_ns from now. */
int nv3_pushbuf_wait(struct nv3_pushbuf *push, uint64_t seq,
		     int64_t timeout_ns);

/* For nv3_push_begin(): its rare cases. */
void nv3_pushbuf_make_room(struct nv3_pushbuf *push, uint32_t words);
void nv3_pushbuf_make_current(struct nv3_pushbuf *push, uint32_t subch);

/*
 * The word before @count arguments of methods @mthd, @mthd + 4, ...: what the
 * chip's DMA pusher reads (include/nv3_regs.h, NV3_PUSH_HDR).
 */
static inline uint32_t nv3_push_header(uint32_t subch, uint32_t mthd,
				       uint32_t count)
{
	return count << 18 | subch << 13 | mthd;
}

/* Opens a run of @count methods, at most NV3_RUN_MAX; push their arguments. */
static inline void nv3_push_begin(struct nv3_pushbuf *push, uint32_t subch,
				  uint32_t mthd, uint32_t count)
{
	if (push->end - push->cur < (int64_t)count + 1)
		nv3_pushbuf_make_room(push, count + 1);
	if (!(push->current & 1u << subch))
		nv3_pushbuf_make_current(push, subch);
	*push->cur++ = nv3_push_header(subch, mthd, count);
}

static inline void nv3_push(struct nv3_pushbuf *push, uint32_t word)
{
	*push->cur++ = word;
}

static inline void nv3_push_float(struct nv3_pushbuf *push, float value)
{
	memcpy(push->cur++, &value, sizeof(value));
}

static inline void nv3_push_words(struct nv3_pushbuf *push,
				  const uint32_t *words, uint32_t count)
{
	memcpy(push->cur, words, count * sizeof(*words));
	push->cur += count;
}

/* One method. */
static inline void nv3_push_method(struct nv3_pushbuf *push, uint32_t subch,
				   uint32_t mthd, uint32_t arg)
{
	nv3_push_begin(push, subch, mthd, 1);
	nv3_push(push, arg);
}

#ifdef __cplusplus
}
#endif

#endif
