/* SPDX-License-Identifier: MIT */
/*
 * uAPI of nv3, the driver of the RIVA 128.
 *
 * A client enumerates classes, opens a channel, instantiates objects of those
 * classes under 32-bit names that it chooses, and submits methods on them. It
 * can't tell whether the chip or the resource manager carries a method out.
 *
 * Rules for every ioctl: unknown flags and non-zero padding are -EINVAL; sizes
 * and offsets are bytes; an ioctl that fails has changed nothing.
 *
 * Structures that an ioctl's argument points to come with their size, as they may
 * grow at the end. One that is shorter than the driver's is as if it ended in
 * zeroes; one that is longer must end in zeroes, else it is -E2BIG. A size of 0 is
 * -EINVAL.
 */
#ifndef _UAPI_NV3_DRM_H_
#define _UAPI_NV3_DRM_H_

#include "drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define DRM_NV3_GETPARAM		0x00
#define DRM_NV3_CLASS_ENUMERATE		0x01
#define DRM_NV3_CHANNEL_CREATE		0x02
#define DRM_NV3_CHANNEL_DESTROY		0x03
#define DRM_NV3_CHANNEL_QUERY		0x04
#define DRM_NV3_OBJECT_INSTANTIATE	0x05
#define DRM_NV3_OBJECT_DESTROY		0x06
#define DRM_NV3_GEM_CREATE		0x07
#define DRM_NV3_GEM_MMAP		0x08
#define DRM_NV3_GEM_WAIT		0x09
#define DRM_NV3_SUBMIT			0x0a
#define DRM_NV3_CHANNEL_FLUSH		0x0b
#define DRM_NV3_NOTIFIER_FENCE		0x0c

/* ---- GETPARAM ---- */

#define DRM_NV3_PARAM_CHIP_ID		0	/* PMC_BOOT_0 */
#define DRM_NV3_PARAM_VRAM_SIZE		1	/* all of it, RAMIN included */
#define DRM_NV3_PARAM_VRAM_AVAILABLE	2	/* that buffers may use */
#define DRM_NV3_PARAM_CHANNELS		3	/* that may be open at once */
#define DRM_NV3_PARAM_SUBMIT_MAX	4	/* longest batch, bytes */
#define DRM_NV3_PARAM_VIRT_FEATURES	5	/* PVIRT_FEATURES, 0 without PVIRT */

/*
 * Statistics of the calling file since it was opened. Those of all files are in debugfs only,
 * as a client must not learn from them what others do.
 */
#define DRM_NV3_PARAM_SWITCHES		6	/* switches to channels of the file */
#define DRM_NV3_PARAM_BATCHES		7	/* batches and PIO turns completed */
#define DRM_NV3_PARAM_RUNOUTS		8	/* methods replayed from RAMRO */
#define DRM_NV3_PARAM_ENGINE_NS		9	/* time that the file has had the chip */

struct drm_nv3_getparam {
	__u32 param;	/* in: DRM_NV3_PARAM_* */
	__u32 pad;
	__u64 value;	/* out */
};

/* ---- CLASS_ENUMERATE ---- */

/*
 * Writes at most @count class numbers to @classes; @count returns how many
 * classes there are. Hardware classes have the chip's own numbers (1-0x1f).
 */
struct drm_nv3_class_enumerate {
	__u64 classes;	/* in: __u32 *, may be null with count 0 */
	__u32 count;	/* in, out */
	__u32 pad;
};

/* ---- channels ---- */

#define DRM_NV3_CHANNEL_DMA		0	/* fed by SUBMIT */
#define DRM_NV3_CHANNEL_PIO		1	/* fed through a mapped window */

/*
 * A long-running channel: its methods may wait for other clients and for the
 * display. Classes SEMAPHORE and FLIP need one (else -EINVAL). What differs:
 *
 * - Its batches, and turns, wait for other clients' work as those of any channel
 *   do: for in syncobjs, and for what uses its buffers. But nobody can wait for
 *   them that way. GEM_WAIT does not see them, nor do other clients' batches, nor
 *   does the display: use out syncobjs.
 * - An out syncobj has a fence only when the work is done, and that has then
 *   signalled, with an error if the work failed. So wait for one with
 *   DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT; as an in syncobj, or exported as a
 *   sync file, it is -EINVAL until then. SUBMIT takes away the fence that a binary
 *   one has from before.
 * - NOTIFIER_FENCE is -EOPNOTSUPP.
 * - While its work waits, the buffers may leave VRAM for others; they come back
 *   before it goes on. If that is not possible for ten seconds, the channel has
 *   DRM_NV3_FAULT_PAGE.
 */
#define DRM_NV3_CHANNEL_LONG_RUNNING	(1 << 0)

/*
 * A channel of higher priority gets the chip before those of lower priority that wait for it,
 * and preempts one that has it. A channel that waits is overtaken at most eight times, so each
 * makes progress. Above NORMAL is for CAP_SYS_NICE and the DRM master: -EPERM.
 */
#define DRM_NV3_PRIORITY_LOW		-1
#define DRM_NV3_PRIORITY_NORMAL		0
#define DRM_NV3_PRIORITY_HIGH		1

/*
 * -ENOSPC: no channel is free. -EMFILE: the user who opened the file holds as many channels as
 * are free, so that others find some. That limit is not for CAP_SYS_NICE and CAP_SYS_ADMIN.
 * While channels are being destroyed the call waits for these first, and may be interrupted.
 */

struct drm_nv3_channel_create {
	__u32 type;		/* in: DRM_NV3_CHANNEL_DMA or _PIO */
	__u32 flags;		/* in: DRM_NV3_CHANNEL_LONG_RUNNING or 0 */
	__u32 channel;		/* out: non-zero id, of this file */
	/*
	 * in: how long the chip may work for one batch, in milliseconds, others'
	 * turns not counted, before it is DRM_NV3_FAULT_TIMEOUT. 0: 10000, the most.
	 * So is a single method that copies more than 16 MiB, read and written together.
	 */
	__u32 budget_ms;
	__u64 mmap_offset;	/* out: PIO: mmap 64 KiB here; else 0 */
	__s32 priority;		/* in: DRM_NV3_PRIORITY_* */
	__u32 pad;
};

struct drm_nv3_channel_destroy {
	__u32 channel;
	__u32 pad;
};

/*
 * A PIO channel's window: subchannel s has the 8 KiB from s * 0x2000, and a
 * store of 32 bits at a method's offset in them invokes it. A load of 16 or 32
 * bits at offset 0x10 of a subchannel says how many bytes of methods may be
 * stored before it is to be asked again. Nothing else may be loaded, and
 * nothing else stored: a FAULT_ACCESS.
 *
 * Who doesn't ask is still served in order, by the driver and slower; but who
 * stores hundreds of methods too many in one go may lose some: FAULT_RUNOUT.
 *
 * The window must be mapped shared, from its beginning. fork() doesn't hand it
 * on. Clients take turns: a store waits until it is the channel's turn, and
 * behind a method that waits (as a semaphore's) until that has gone on.
 *
 * When the channel has faulted or was destroyed, stores go to memory that
 * nobody else sees.
 */

/* Why a channel stopped. The first fault stays; later batches fail at once. */
#define DRM_NV3_FAULT_NONE		0
#define DRM_NV3_FAULT_NAME		1	/* no object of that name */
#define DRM_NV3_FAULT_METHOD		2	/* the class has no such method */
#define DRM_NV3_FAULT_DATA		3	/* the method's argument is invalid */
#define DRM_NV3_FAULT_PAGE		4	/* outside a DMA object, or read-only */
#define DRM_NV3_FAULT_STREAM		5	/* malformed pushbuffer */
#define DRM_NV3_FAULT_TIMEOUT		6	/* endless work */
#define DRM_NV3_FAULT_STATE		7	/* a method without what it needs */
#define DRM_NV3_FAULT_RUNOUT		8	/* PIO: too many methods at once */
#define DRM_NV3_FAULT_ACCESS		9	/* PIO: not a store to a method */
#define DRM_NV3_FAULT_DENIED		10	/* what only others may do */

struct drm_nv3_channel_query {
	__u32 channel;	/* in */
	__u32 fault;	/* out: DRM_NV3_FAULT_* */
	__u32 subch;	/* out: where, for faults of a method */
	__u32 method;
	__u32 data;
	__u32 class_id;
	__u64 batches;	/* out: batches, or a PIO channel's turns, completed */
};

/* ---- objects ---- */

/* Not a class of the chip's own: memory that other objects may reach. */
#define DRM_NV3_CLASS_DMA		0x3d	/* at most 1024 a channel: -ENOSPC */

#define DRM_NV3_DMA_WRITE		(1 << 0)

struct drm_nv3_dma_args {
	__u32 handle;	/* GEM handle */
	__u32 flags;	/* DRM_NV3_DMA_* */
	__u64 offset;	/* into the buffer, any byte */
	__u64 size;	/* non-zero; offset + size within the buffer */
};

/*
 * A surface: where drawing goes. Selecting (binding) it puts it in its slot;
 * the canvas of drawing is the smallest surface in a slot whose buffer the
 * batch names. Depth is always slot 3; objects write the slots of their
 * dst_slots.
 */
#define DRM_NV3_SURFACE_SLOTS		4
#define DRM_NV3_SURFACE_ZETA		3

#define DRM_NV3_FORMAT_Y8		0
#define DRM_NV3_FORMAT_Y16		1	/* and depth */
#define DRM_NV3_FORMAT_X1R5G5B5		2
#define DRM_NV3_FORMAT_X8R8G8B8		3

struct drm_nv3_surface_args {
	__u32 handle;	/* GEM handle; the buffer lives in VRAM while in use */
	__u32 slot;	/* 0 to 3 */
	__u32 format;	/* DRM_NV3_FORMAT_* */
	__u32 offset;	/* multiple of 16 */
	__u32 pitch;	/* multiple of 16, at most 8176 */
	__u32 width;	/* pixels, 1 to 2047 */
	__u32 height;	/* lines, 1 to 2047 */
	__u32 pad;
};

/* Every other class of the chip's. Names are of DMA objects, 0 for none. */
#define DRM_NV3_COLOR_X1R5G5B5		0
#define DRM_NV3_COLOR_X8R8G8B8		1
#define DRM_NV3_COLOR_X2R10G10B10	2
#define DRM_NV3_COLOR_Y8		3
#define DRM_NV3_COLOR_Y16		4
/* SIFM only. Planes: Y, and U and V of half the size each way. */
#define DRM_NV3_COLOR_YUYV		5
#define DRM_NV3_COLOR_UYVY		6
#define DRM_NV3_COLOR_YUV_PLANES	7

#define DRM_NV3_GRAPH_ALPHA		(1 << 0)	/* source pixels have alpha */
#define DRM_NV3_GRAPH_CHROMA		(1 << 1)
#define DRM_NV3_GRAPH_CLIP		(1 << 2)	/* obey the user clip */
#define DRM_NV3_GRAPH_ZETA		(1 << 3)	/* D3D, ZPOINT: use slot 3 */
#define DRM_NV3_GRAPH_MONO_CGA6		(1 << 4)	/* bit order of bitmaps */

struct drm_nv3_graph_args {
	__u32 color_format;	/* DRM_NV3_COLOR_*: of source pixels */
	__u32 operation;	/* 0x17 copy, 0x00-0x15 ROP; 0x19, 0x1a, 0x1d blend */
	__u32 dst_slots;	/* mask of surface slots that it draws to */
	__u32 src_slot;		/* BLIT, ITM: the slot it reads */
	__u32 flags;		/* DRM_NV3_GRAPH_* */
	__u32 dma[2];		/* M2MF: in, out; SIFM: in; ITM: out; D3D: texture */
	__u32 dma_notify;	/* where notifications go */
};

/*
 * A semaphore, for long-running channels to wait for each other: methods in
 * nv3_class.h. Each
 * buffer has one, and is nothing else to it than what clients share it by.
 * The number begins at 0. A wait that takes longer than @timeout_ms, or that
 * nobody can end any more, is DRM_NV3_FAULT_TIMEOUT; and so is one in a batch all
 * of whose waits, of this class and of FLIP, take longer than ten seconds.
 */
#define DRM_NV3_CLASS_SEMAPHORE		0x40	/* at most 64 a channel: -ENOSPC */

struct drm_nv3_semaphore_args {
	__u32 handle;		/* GEM handle */
	__u32 timeout_ms;	/* at most 10000; 0: 2000 */
	__u64 pad;
};

/*
 * The display, as the drawing of a long-running channel sees it: methods in
 * nv3_class.h. A frame buffer may be one that the batch has drawn to: its drawing
 * up to the FLIP is shown. FLIP is for
 * objects made by the DRM master, or by the holder of a lease of CRTC and primary
 * plane, as long as it is that; for others it is DRM_NV3_FAULT_DENIED.
 */
#define DRM_NV3_CLASS_FLIP		0x41

struct drm_nv3_flip_args {
	__u32 flags;		/* 0 */
	__u32 pad;
};

struct drm_nv3_object_instantiate {
	__u32 channel;
	__u32 class_id;
	__u32 name;		/* any but 0; unique in the channel: -EEXIST */
	__u32 args_size;	/* of the struct of that class, as the client knows it */
	__u64 args;		/* pointer to it */
	__u64 pad;
};

struct drm_nv3_object_destroy {
	__u32 channel;
	__u32 name;
};

/* ---- buffers ---- */

#define DRM_NV3_GEM_VRAM		(1 << 0)	/* may live in VRAM */
#define DRM_NV3_GEM_SYSTEM		(1 << 1)	/* may live in system memory */

struct drm_nv3_gem_create {
	__u64 size;	/* in, out: rounded up to pages */
	__u32 domains;	/* in: DRM_NV3_GEM_*, at least one; VRAM preferred */
	__u32 flags;	/* in: 0 */
	__u32 handle;	/* out */
	__u32 pad;
};

struct drm_nv3_gem_mmap {
	__u32 handle;
	__u32 pad;
	__u64 offset;	/* out: for mmap() of the device */
};

#define DRM_NV3_GEM_WAIT_WRITE		(1 << 0)	/* for readers as well */

struct drm_nv3_gem_wait {
	__u32 handle;
	__u32 flags;
	__s64 timeout_ns;	/* absolute, CLOCK_MONOTONIC; -ETIME past it */
};

/* ---- SUBMIT ---- */

struct drm_nv3_segment {
	__u32 handle;
	__u32 pad;
	__u32 offset;	/* multiple of 4 */
	__u32 length;	/* bytes, multiple of 4 */
};

#define DRM_NV3_BUFFER_READ		(1 << 0)
#define DRM_NV3_BUFFER_WRITE		(1 << 1)
/* Nobody waits for anybody because of this buffer: a semaphore or syncobj does. */
#define DRM_NV3_BUFFER_EXPLICIT		(1 << 2)

struct drm_nv3_buffer {
	__u32 handle;
	__u32 flags;	/* DRM_NV3_BUFFER_*; READ, WRITE or both */
};

struct drm_nv3_sync {
	__u32 handle;	/* syncobj */
	__u32 flags;	/* 0 */
	__u64 point;	/* timeline point; 0: binary */
};

/*
 * Runs the segments' words, in order, as one batch. An in syncobj that has no
 * fence yet is -EINVAL. The words are copied: the
 * buffers that hold them may be reused at once. @buffers must name each buffer
 * that objects used in the batch reach; an object whose buffer is not named
 * faults when used.
 */
struct drm_nv3_submit {
	__u32 channel;
	__u32 flags;		/* 0 */
	__u32 segment_count;	/* at least 1 */
	__u32 buffer_count;
	__u32 in_sync_count;
	__u32 out_sync_count;
	__u64 segments;		/* struct drm_nv3_segment * */
	__u64 buffers;		/* struct drm_nv3_buffer * */
	__u64 in_syncs;		/* struct drm_nv3_sync * */
	__u64 out_syncs;	/* struct drm_nv3_sync * */
	/* Sizes of the arrays' elements, ignored for an array without any. */
	__u32 segment_size;	/* sizeof(struct drm_nv3_segment) */
	__u32 buffer_size;	/* sizeof(struct drm_nv3_buffer) */
	__u32 sync_size;	/* sizeof(struct drm_nv3_sync) */
	__u32 pad;
};

/* ---- NOTIFIER_FENCE ---- */

/*
 * A notification is 16 bytes: PTIMER's time (8, nanoseconds), info32, info16,
 * and a 16-bit status, that a client sets before it uses method 0x104 on an
 * object whose dma_notify is the DMA object @name.
 */
#define DRM_NV3_NOTIFICATION_DONE		0x0000
#define DRM_NV3_NOTIFICATION_IN_PROGRESS	0x00ff
/* By the driver: the channel faulted. info16: DRM_NV3_FAULT_*, info32: method */
#define DRM_NV3_NOTIFICATION_ERROR		0x8000

/*
 * A sync file that signals when the notification in a slot is no longer in
 * progress: written by what has been submitted to the channel so far, or not at
 * all. Its status is then 1, or -EIO if the channel faulted (the notification
 * says so too), or -ENODATA if nothing wrote the notification. -ENOSPC: 256 of
 * the channel's are in progress. -EINVAL: another device's buffer, of which the
 * chip has a copy. -EOPNOTSUPP: the channel is long-running.
 */
struct drm_nv3_notifier_fence {
	__u32 channel;
	__u32 name;	/* of a DMA object */
	__u32 slot;	/* 0 to 15 */
	__u32 flags;	/* 0 */
	__s32 fd;	/* out */
	__u32 pad;
};

/* ---- CHANNEL_FLUSH ---- */

/*
 * Of a PIO channel: ends its turn. @syncobj, if there is one, signals when
 * all that was stored before the call has been carried out, as do the buffers
 * that the channel's objects reach (GEM_WAIT), unless the channel is long-running.
 * What is stored after it waits
 * for another turn. Not needed for the work to be done, only to hear of it
 * soon, and to let others go ahead.
 */
struct drm_nv3_channel_flush {
	__u32 channel;
	__u32 flags;	/* 0 */
	__u32 syncobj;	/* to signal, or 0 */
	__u32 pad;
	__u64 point;	/* timeline point; 0: binary */
};

#define DRM_IOCTL_NV3_GETPARAM \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_NV3_GETPARAM, struct drm_nv3_getparam)
#define DRM_IOCTL_NV3_CLASS_ENUMERATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_NV3_CLASS_ENUMERATE, struct drm_nv3_class_enumerate)
#define DRM_IOCTL_NV3_CHANNEL_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_NV3_CHANNEL_CREATE, struct drm_nv3_channel_create)
#define DRM_IOCTL_NV3_CHANNEL_DESTROY \
	DRM_IOW(DRM_COMMAND_BASE + DRM_NV3_CHANNEL_DESTROY, struct drm_nv3_channel_destroy)
#define DRM_IOCTL_NV3_CHANNEL_QUERY \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_NV3_CHANNEL_QUERY, struct drm_nv3_channel_query)
#define DRM_IOCTL_NV3_OBJECT_INSTANTIATE \
	DRM_IOW(DRM_COMMAND_BASE + DRM_NV3_OBJECT_INSTANTIATE, struct drm_nv3_object_instantiate)
#define DRM_IOCTL_NV3_OBJECT_DESTROY \
	DRM_IOW(DRM_COMMAND_BASE + DRM_NV3_OBJECT_DESTROY, struct drm_nv3_object_destroy)
#define DRM_IOCTL_NV3_GEM_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_NV3_GEM_CREATE, struct drm_nv3_gem_create)
#define DRM_IOCTL_NV3_GEM_MMAP \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_NV3_GEM_MMAP, struct drm_nv3_gem_mmap)
#define DRM_IOCTL_NV3_GEM_WAIT \
	DRM_IOW(DRM_COMMAND_BASE + DRM_NV3_GEM_WAIT, struct drm_nv3_gem_wait)
#define DRM_IOCTL_NV3_SUBMIT \
	DRM_IOW(DRM_COMMAND_BASE + DRM_NV3_SUBMIT, struct drm_nv3_submit)

#define DRM_IOCTL_NV3_CHANNEL_FLUSH \
	DRM_IOW(DRM_COMMAND_BASE + DRM_NV3_CHANNEL_FLUSH, struct drm_nv3_channel_flush)
#define DRM_IOCTL_NV3_NOTIFIER_FENCE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_NV3_NOTIFIER_FENCE, struct drm_nv3_notifier_fence)

#if defined(__cplusplus)
}
#endif

#endif
