/* SPDX-License-Identifier: MIT */
/*
 * libdrm_nv3: userspace library for the nv3 DRM driver.
 *
 * A buffer is memory that the device can access. A channel is a stream of methods. Objects are
 * instances of the classes in nv3_class.h. Each object belongs to a channel, in which a 32-bit
 * handle identifies the object. Parameters with the name "name" are such handles, as in the uAPI. A
 * pushbuffer collects methods on objects and submits the methods as batches.
 *
 * Errors: functions that return int return 0 or a negative errno. When a function fails, its out
 * parameters are unchanged. The functions pass on the errors of ioctls (see nv3_drm.h).
 *
 * Units: sizes and offsets are in bytes unless stated otherwise. Timeouts are in nanoseconds from
 * now: 0 returns at once, and INT64_MAX waits without a limit.
 *
 * Threads: several threads may use a device, buffer, channel or object at once. Only one thread at
 * a time may use a pushbuffer. Several threads may use one channel, each with its own pushbuffer.
 * The channel executes batches of different pushbuffers in any order, but never interleaves the
 * methods of two batches.
 *
 * Lifetimes: devices, buffers, channels and objects have reference counts. The functions *_new(),
 * *_open(), *_import() and *_from_*() return a reference. *_ref() adds a reference. *_unref() drops
 * a reference and accepts null. An object holds references to its channel, its buffer and the
 * objects that it uses. A pushbuffer holds references to the bound objects, and to objects that the
 * current batch has unbound.
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

/**
 * nv3_device_new() - create a struct nv3_device for an open DRM file
 * @fd: the file, which the caller must close after the last reference to the device is dropped
 * @out: the device
 *
 * Return: 0, -ENODEV if the file is not an nv3 device, or another negative errno.
 */
int nv3_device_new(int fd, struct nv3_device **out);

/**
 * nv3_device_open() - open a device
 * @path: path of a DRM node, or null for the first nv3 in the system
 * @node_type: if @path is null, DRM_NODE_RENDER or DRM_NODE_PRIMARY
 * @out: the device
 *
 * Return: 0, -ENODEV if there is no nv3, or another negative errno.
 */
int nv3_device_open(const char *path, int node_type, struct nv3_device **out);
struct nv3_device *nv3_device_ref(struct nv3_device *dev);
void nv3_device_unref(struct nv3_device *dev);

/** nv3_device_fd() - return the file descriptor, which the caller must not close */
int nv3_device_fd(const struct nv3_device *dev);

/**
 * nv3_device_param() - read a parameter of the device
 * @dev: the device
 * @param: DRM_NV3_PARAM_*
 * @value: the value
 *
 * Return: 0, or -EINVAL for an unknown parameter.
 */
int nv3_device_param(struct nv3_device *dev, uint32_t param, uint64_t *value);

/**
 * nv3_device_classes() - list the classes of the device
 * @dev: the device
 * @classes: the class numbers, in an array that is valid until the device is freed
 * @count: number of elements of @classes
 *
 * Return: 0
 */
int nv3_device_classes(struct nv3_device *dev, const uint32_t **classes,
		       uint32_t *count);

/** nv3_device_has_class() - return true if the device has a class */
bool nv3_device_has_class(struct nv3_device *dev, uint32_t class_id);

/** nv3_class_name() - return the name of a class, such as "D3D" for 0x17, or null */
const char *nv3_class_name(uint32_t class_id);

/** nv3_fault_name() - return a description of a DRM_NV3_FAULT_*, never null */
const char *nv3_fault_name(uint32_t fault);

/* ---- buffers ---- */

/**
 * nv3_bo_new() - create a zero-filled buffer
 * @dev: the device
 * @size: size, which is rounded up to a multiple of the page size
 * @domains: mask of the memory in which the buffer may be, DRM_NV3_GEM_*
 * @out: the buffer
 *
 * Return: 0, -EINVAL for invalid @domains or a @size of 0, -ENOMEM, or another negative errno.
 */
int nv3_bo_new(struct nv3_device *dev, uint64_t size, uint32_t domains,
	       struct nv3_bo **out);

/**
 * nv3_bo_from_handle() - create a struct nv3_bo for a GEM handle, such as that of a dumb buffer
 * @dev: the device
 * @handle: GEM handle in the file of @dev. The nv3_bo becomes the owner of the handle.
 * @size: size of the buffer
 * @out: the buffer
 *
 * Return: 0, -EINVAL if @handle or @size is 0, or -ENOMEM. After -ENOMEM, the handle is closed.
 */
int nv3_bo_from_handle(struct nv3_device *dev, uint32_t handle, uint64_t size,
		       struct nv3_bo **out);

/**
 * nv3_bo_import() - import a dma-buf
 * @dev: the device
 * @dmabuf: file descriptor, which the caller must close
 * @out: the buffer: the existing nv3_bo if @dev already has one for this memory, otherwise a new
 * nv3_bo
 */
int nv3_bo_import(struct nv3_device *dev, int dmabuf, struct nv3_bo **out);

/**
 * nv3_bo_export() - export a buffer as a dma-buf
 * @bo: the buffer
 * @dmabuf: file descriptor, which the caller must close
 */
int nv3_bo_export(struct nv3_bo *bo, int *dmabuf);

/**
 * nv3_bo_from_name() - open a buffer by its GEM flink name
 * @dev: a device on a primary node
 * @name: name from nv3_bo_name()
 * @out: the buffer: the existing nv3_bo if @dev already has one for this memory, otherwise a new
 * nv3_bo
 */
int nv3_bo_from_name(struct nv3_device *dev, uint32_t name,
		     struct nv3_bo **out);

/**
 * nv3_bo_name() - get a GEM flink name, by which other clients of the primary node open the buffer
 * @bo: the buffer
 * @name: the name
 */
int nv3_bo_name(struct nv3_bo *bo, uint32_t *name);

struct nv3_bo *nv3_bo_ref(struct nv3_bo *bo);
void nv3_bo_unref(struct nv3_bo *bo);

/** nv3_bo_handle() - return the GEM handle, which the caller must not close */
uint32_t nv3_bo_handle(const struct nv3_bo *bo);

/** nv3_bo_size() - return the size */
uint64_t nv3_bo_size(const struct nv3_bo *bo);

/**
 * nv3_bo_map() - map a buffer for the CPU
 * @bo: the buffer
 * @map: the address, which is the same in each call and valid until the buffer is freed
 */
int nv3_bo_map(struct nv3_bo *bo, void **map);

/**
 * nv3_bo_wait() - wait for the chip's accesses to a buffer
 * @bo: the buffer
 * @flags: 0 to wait for writes, DRM_NV3_GEM_WAIT_WRITE to wait for reads as well
 * @timeout_ns: timeout
 *
 * Does not wait for accesses by long-running channels.
 *
 * Return: 0, -ETIME, or another negative errno.
 */
int nv3_bo_wait(struct nv3_bo *bo, uint32_t flags, int64_t timeout_ns);

/* ---- address spaces ---- */

/**
 * nv3_vm_create() - create an address space for objects of class PROGRAMS
 * @dev: the device
 * @vm: id of the address space
 * @size: size of the address space in bytes. Addresses begin at 0.
 *
 * Return: 0, -EINVAL if the driver does not support address spaces, -EOPNOTSUPP if the chip lacks
 * class PROGRAMS, or another negative errno.
 */
int nv3_vm_create(struct nv3_device *dev, uint32_t *vm, uint64_t *size);

/**
 * nv3_vm_destroy() - release the id of an address space. The address space continues to exist until
 * no channel uses it.
 */
void nv3_vm_destroy(struct nv3_device *dev, uint32_t vm);

/**
 * nv3_vm_map() - map a range of a buffer
 * @dev: the device
 * @vm: id of the address space
 * @bo: the buffer
 * @offset: start of the range in the buffer, a multiple of 4096
 * @address: first address, a multiple of 4096
 * @size: length of the range, a multiple of 4096
 * @flags: DRM_NV3_VM_READ_ONLY or 0
 *
 * Replaces existing mappings of these addresses. If there are such mappings, the function first
 * waits for all batches in flight that may use the address space. The address space holds a
 * reference to the buffer.
 *
 * Return: 0, -EINVAL for a range outside the buffer or the address space, or another negative
 * errno.
 */
int nv3_vm_map(struct nv3_device *dev, uint32_t vm, struct nv3_bo *bo,
	       uint64_t offset, uint64_t address, uint64_t size, uint32_t flags);

/**
 * nv3_vm_unmap() - remove all mappings in a range
 * @dev: the device
 * @vm: id of the address space
 * @address: first address, a multiple of 4096
 * @size: length of the range, a multiple of 4096
 *
 * If the range contains mappings, the function first waits for all batches in flight that may use
 * the address space.
 */
int nv3_vm_unmap(struct nv3_device *dev, uint32_t vm, uint64_t address,
		 uint64_t size);

/* ---- channels ---- */

/**
 * nv3_channel_new() - create a channel with normal priority
 * @dev: the device
 * @type: DRM_NV3_CHANNEL_DMA to submit methods in batches, or DRM_NV3_CHANNEL_PIO to store methods
 *        to a mapped USER aperture
 * @out: the channel
 *
 * Return: 0, -ENOSPC if no channel is free, -EMFILE if the user has too many channels, or another
 * negative errno.
 */
int nv3_channel_new(struct nv3_device *dev, uint32_t type,
		    struct nv3_channel **out);

/**
 * nv3_channel_new_priority() - create a channel with a priority
 * @dev: the device
 * @type: DRM_NV3_CHANNEL_DMA or DRM_NV3_CHANNEL_PIO
 * @priority: DRM_NV3_PRIORITY_*
 * @out: the channel
 *
 * Return: as for nv3_channel_new(), or -EPERM if @priority is DRM_NV3_PRIORITY_HIGH, the process
 * lacks CAP_SYS_NICE, and the file is not the DRM master.
 */
int nv3_channel_new_priority(struct nv3_device *dev, uint32_t type,
			     int32_t priority, struct nv3_channel **out);

/**
 * nv3_channel_new_flags() - create a channel with flags
 * @dev: the device
 * @type: DRM_NV3_CHANNEL_DMA or DRM_NV3_CHANNEL_PIO
 * @flags: DRM_NV3_CHANNEL_LONG_RUNNING or 0. The methods of a long-running channel may wait for
 *         other clients and for the display. The out syncobjs of a batch get a fence only when the
 *         batch is done (see nv3_drm.h).
 * @out: the channel
 *
 * Return: as for nv3_channel_new().
 */
int nv3_channel_new_flags(struct nv3_device *dev, uint32_t type, uint32_t flags,
			  struct nv3_channel **out);
struct nv3_channel *nv3_channel_ref(struct nv3_channel *chan);
void nv3_channel_unref(struct nv3_channel *chan);

/** nv3_channel_id() - return the channel's id in the uAPI */
uint32_t nv3_channel_id(const struct nv3_channel *chan);

/** nv3_channel_device() - return the channel's device, without adding a reference */
struct nv3_device *nv3_channel_device(const struct nv3_channel *chan);

/**
 * nv3_channel_aperture() - get the USER aperture of a PIO channel
 * @chan: the channel
 * @aperture: the mapping of 64 KiB, which is valid until the channel is freed
 *
 * Return: 0, or -EINVAL for a DMA channel.
 */
int nv3_channel_aperture(struct nv3_channel *chan, volatile uint32_t **aperture);

/**
 * nv3_channel_flush() - end the PIO timeslice of a channel
 * @chan: the channel
 * @out: a syncobj that signals when all stored methods have been executed, or null
 *
 * Return: 0, -EIO if the channel has faulted, or another negative errno.
 */
int nv3_channel_flush(struct nv3_channel *chan, const struct drm_nv3_sync *out);

/**
 * nv3_channel_query() - get a channel's progress and fault
 * @chan: the channel
 * @query: the result
 */
int nv3_channel_query(struct nv3_channel *chan,
		      struct drm_nv3_channel_query *query);

/* ---- objects ---- */

/**
 * nv3_dma_new() - create a DMA object: a range of a buffer that methods of other objects access
 * @chan: the channel
 * @name: handle of the object, or 0 to let the library choose one
 * @bo: the buffer
 * @offset: start of the range
 * @size: size of the range
 * @flags: DRM_NV3_DMA_WRITE to allow writes, or 0
 * @out: the object
 *
 * Return: 0, -EEXIST if the handle is in use, -EINVAL if the range exceeds the buffer, -ENOSPC if
 * the channel has too many DMA objects, or another negative errno.
 */
int nv3_dma_new(struct nv3_channel *chan, uint32_t name, struct nv3_bo *bo,
		uint64_t offset, uint64_t size, uint32_t flags,
		struct nv3_object **out);

/**
 * struct nv3_surface - properties of a surface
 */
struct nv3_surface {
	/** @slot: 0 to 3. Depth is always in slot 3. */
	uint32_t slot;
	/** @format: DRM_NV3_FORMAT_* */
	uint32_t format;
	/** @offset: offset of the first pixel in the buffer, a multiple of 16 */
	uint32_t offset;
	/** @pitch: distance between lines in bytes, a multiple of 16 */
	uint32_t pitch;
	/** @width: in pixels, 1 to 2047 */
	uint32_t width;
	/** @height: in lines, 1 to 2047 */
	uint32_t height;
	/**
	 * @access: DRM_NV3_BUFFER_* flags of the buffer in batches that use the surface. 0 means
	 * read and write.
	 */
	uint32_t access;
};

/**
 * nv3_surface_new() - create a surface: an image that objects draw to or read
 * @chan: the channel
 * @name: handle of the object, or 0 to let the library choose one
 * @bo: a buffer of at most DRM_NV3_PARAM_VRAM_LOW bytes, whose domains include VRAM
 * @info: properties of the surface
 * @out: the object
 *
 * Return: 0, -EEXIST if the handle is in use, -EINVAL if the surface exceeds the buffer or a limit
 * of the chip, or another negative errno.
 */
int nv3_surface_new(struct nv3_channel *chan, uint32_t name, struct nv3_bo *bo,
		    const struct nv3_surface *info, struct nv3_object **out);

/**
 * struct nv3_graph - properties of an object that nv3_graph_new() creates
 */
struct nv3_graph {
	/** @color_format: DRM_NV3_COLOR_* of source pixels */
	uint32_t color_format;
	/** @operation: raster operation, see struct drm_nv3_graph_args */
	uint32_t operation;
	/** @dst_slots: mask of the surface slots to draw to */
	uint32_t dst_slots;
	/** @src_slot: surface slot that BLIT and ITM read */
	uint32_t src_slot;
	/** @flags: DRM_NV3_GRAPH_* */
	uint32_t flags;
	/** @dma: DMA objects that the object's methods access, or null */
	struct nv3_object *dma[2];
	/** @dma_notify: DMA object for notifications, or null */
	struct nv3_object *dma_notify;
};

/**
 * nv3_graph_new() - create an object of a class other than DMA, SURFACE and PROGRAMS
 * @chan: the channel
 * @name: handle of the object, or 0 to let the library choose one
 * @class_id: number of the class
 * @info: properties of the object
 * @out: the object
 *
 * Return: 0, -EEXIST if the handle is in use, -EINVAL for properties that the class does not
 * support, or another negative errno.
 */
int nv3_graph_new(struct nv3_channel *chan, uint32_t name, uint32_t class_id,
		  const struct nv3_graph *info, struct nv3_object **out);

/**
 * nv3_programs_object_new() - create an object of class PROGRAMS
 * @chan: the channel
 * @name: handle of the object, or 0 to let the library choose one
 * @vm: id of the address space that the object's methods use
 * @dma_notify: DMA object for notifications, or null
 * @out: the object
 *
 * A pushbuffer does not add the buffers of the address space to its batches. The caller must add
 * these buffers with nv3_pushbuf_use().
 *
 * Return: 0, -EEXIST if the handle is in use, -ENOENT if there is no such address space, or another
 * negative errno.
 */
int nv3_programs_object_new(struct nv3_channel *chan, uint32_t name, uint32_t vm,
			    struct nv3_object *dma_notify,
			    struct nv3_object **out);

struct nv3_object *nv3_object_ref(struct nv3_object *obj);

/** nv3_object_unref() - drop a reference. Dropping the last reference destroys the object. */
void nv3_object_unref(struct nv3_object *obj);

/** nv3_object_name() - return the object's handle in its channel */
uint32_t nv3_object_name(const struct nv3_object *obj);

/** nv3_object_class() - return the number of the object's class */
uint32_t nv3_object_class(const struct nv3_object *obj);

/* ---- methods on a PIO channel without a pushbuffer ---- */

/**
 * struct nv3_pio - state with which one thread stores methods to a PIO channel
 *
 * A pushbuffer stores methods to the aperture only when the pushbuffer is flushed. nv3_pio_method()
 * stores a method at once.
 */
struct nv3_pio {
	/** @aperture: the USER aperture */
	volatile uint32_t *aperture;
	/** @room: number of bytes that may be stored before the free count is read again */
	uint32_t room;
};

/**
 * nv3_pio_init() - initialize a struct nv3_pio for a PIO channel
 * @chan: the channel, to which the caller must hold a reference
 * @pio: the structure to fill
 *
 * Return: 0, or -EINVAL for a DMA channel.
 */
int nv3_pio_init(struct nv3_channel *chan, struct nv3_pio *pio);

/* Indices, in words, of a method and of the free count in a USER aperture */
#define NV3_PIO_WORD(subch, mthd)	(((subch) * 0x2000u + (mthd)) / 4)
#define NV3_PIO_FREE			(0x10 / 4)

/**
 * nv3_pio_method() - store a method, after waiting for room in the chip
 * @pio: a structure that nv3_pio_init() has filled
 * @subch: subchannel, 0 to 7
 * @mthd: offset of the method, a multiple of 4 below 0x2000
 * @arg: argument
 *
 * May block until the channel's PIO timeslice begins.
 */
static inline void nv3_pio_method(struct nv3_pio *pio, uint32_t subch,
				  uint32_t mthd, uint32_t arg)
{
	while (pio->room < 4)
		pio->room = pio->aperture[NV3_PIO_FREE];
	pio->room -= 4;
	pio->aperture[NV3_PIO_WORD(subch, mthd)] = arg;
}

/* ---- pushbuffers ---- */

/* Number of subchannels of a pushbuffer. The kernel driver uses the eighth subchannel. */
#define NV3_SUBCHANNELS		7
/* Maximum number of methods in a run: consecutive methods whose offsets increase by 4 */
#define NV3_RUN_MAX		2047

/**
 * struct nv3_pushbuf - a batch under construction
 *
 * The structure is public, so that inline functions can store words. Callers may store only the
 * words for which nv3_push_begin() has made room.
 *
 * On a PIO channel, a flush stores the methods to the USER aperture and then ends the PIO
 * timeslice. The flush may block until the chip has room for the methods.
 *
 * After an error (out of memory, or a failed submission), the pushbuffer discards all further words
 * until nv3_pushbuf_flush() returns the error. The lost words may contain bindings, so no object is
 * bound to any subchannel after this flush.
 */
struct nv3_pushbuf {
	/** @cur: address of the next word */
	uint32_t *cur;
	/** @end: end of the allocated words */
	uint32_t *end;
	/**
	 * @current: mask of the subchannels whose bound object has its buffers in the batch's list
	 */
	uint32_t current;
};

/**
 * nv3_pushbuf_new() - create a pushbuffer
 * @chan: the channel that executes the batches
 * @out: the pushbuffer
 *
 * Return: 0, -ENOTSUP if the kernel's limit for a batch is too low, -ENOMEM, or another negative
 * errno.
 */
int nv3_pushbuf_new(struct nv3_channel *chan, struct nv3_pushbuf **out);

/** nv3_pushbuf_del() - destroy a pushbuffer, and discard methods that have not been flushed */
void nv3_pushbuf_del(struct nv3_pushbuf *push);

/**
 * nv3_pushbuf_space() - reserve room for words that must be in the same batch
 * @push: the pushbuffer
 * @words: number of words including headers
 *
 * Flushes the pushbuffer if the batch has too little room. Callers need this function for methods
 * that depend on each other, such as vertices and the triangles that use them.
 *
 * Return: 0, -E2BIG if a batch can't have so many words, or the pending error.
 */
int nv3_pushbuf_space(struct nv3_pushbuf *push, uint32_t words);

/**
 * nv3_pushbuf_select() - bind an object to a subchannel
 * @push: the pushbuffer
 * @subch: subchannel, 0 to 6
 * @obj: an object of the same channel
 *
 * The object stays bound until another object is bound to the subchannel. The pushbuffer adds the
 * object's buffers to each batch that contains a method on the object.
 *
 * Return: 0, -EINVAL for an invalid @subch or an object of another channel, or the pending error.
 */
int nv3_pushbuf_select(struct nv3_pushbuf *push, uint32_t subch,
		       struct nv3_object *obj);

/**
 * nv3_pushbuf_use() - add a buffer to the batch
 * @push: the pushbuffer
 * @bo: the buffer
 * @flags: DRM_NV3_BUFFER_*
 *
 * Return: 0 or -ENOMEM
 */
int nv3_pushbuf_use(struct nv3_pushbuf *push, struct nv3_bo *bo,
		    uint32_t flags);

/**
 * nv3_pushbuf_after() - make the batch wait for a syncobj
 * @push: the pushbuffer
 * @syncobj: handle of the syncobj
 * @point: point on the syncobj's timeline, or 0 for a binary syncobj
 *
 * Return: 0 or -ENOMEM
 */
int nv3_pushbuf_after(struct nv3_pushbuf *push, uint32_t syncobj,
		      uint64_t point);

/**
 * nv3_pushbuf_flush() - submit the batch
 * @push: the pushbuffer
 * @out: syncobjs that signal when the batch is done
 * @out_count: number of elements of @out
 *
 * If the batch is empty, the syncobjs in @out signal when the previous batch is done. On a
 * long-running channel, a flush of an empty batch waits until the previous batch has a fence.
 *
 * Return: 0, the pending error, -ENOMEM if the batch's buffers don't fit into memory together,
 * -EIO if the channel has faulted, or another negative errno.
 */
int nv3_pushbuf_flush(struct nv3_pushbuf *push, const struct drm_nv3_sync *out,
		      uint32_t out_count);

/** nv3_pushbuf_words() - return the number of words in the current batch */
uint32_t nv3_pushbuf_words(const struct nv3_pushbuf *push);

/**
 * nv3_pushbuf_seq() - return the number of submitted batches, which is also the last point on the
 * timeline
 */
uint64_t nv3_pushbuf_seq(const struct nv3_pushbuf *push);

/** nv3_pushbuf_timeline() - return the timeline syncobj on which batch N signals point N */
uint32_t nv3_pushbuf_timeline(const struct nv3_pushbuf *push);

/**
 * nv3_pushbuf_wait() - wait for a batch
 * @push: the pushbuffer
 * @seq: result of nv3_pushbuf_seq() after the flush of the batch, or 0 to return at once
 * @timeout_ns: timeout
 *
 * Return: 0, -EINVAL if the batch has not been submitted yet, -ETIME, or another negative errno.
 */
int nv3_pushbuf_wait(struct nv3_pushbuf *push, uint64_t seq,
		     int64_t timeout_ns);

/* Internal: slow paths of nv3_push_begin(). */
void nv3_pushbuf_make_room(struct nv3_pushbuf *push, uint32_t words);
void nv3_pushbuf_make_current(struct nv3_pushbuf *push, uint32_t subch);

/**
 * nv3_push_header() - return the header of a run (include/nv3_regs.h, NV3_PUSH_HDR)
 * @subch: subchannel
 * @mthd: offset of the first method
 * @count: number of methods
 */
static inline uint32_t nv3_push_header(uint32_t subch, uint32_t mthd,
				       uint32_t count)
{
	return count << 18 | subch << 13 | mthd;
}

/**
 * nv3_push_begin() - start a run of methods
 * @push: the pushbuffer
 * @subch: subchannel
 * @mthd: offset of the first method, a multiple of 4. The offset increases by 4 with each method.
 * @count: number of methods, at most NV3_RUN_MAX
 *
 * The caller must then push exactly @count arguments.
 */
static inline void nv3_push_begin(struct nv3_pushbuf *push, uint32_t subch,
				  uint32_t mthd, uint32_t count)
{
	if (push->end - push->cur < (int64_t)count + 1)
		nv3_pushbuf_make_room(push, count + 1);
	if (!(push->current & 1u << subch))
		nv3_pushbuf_make_current(push, subch);
	*push->cur++ = nv3_push_header(subch, mthd, count);
}

/** nv3_push() - push an argument */
static inline void nv3_push(struct nv3_pushbuf *push, uint32_t word)
{
	*push->cur++ = word;
}

/** nv3_push_float() - push a float as an argument */
static inline void nv3_push_float(struct nv3_pushbuf *push, float value)
{
	memcpy(push->cur++, &value, sizeof(value));
}

/** nv3_push_words() - push several arguments */
static inline void nv3_push_words(struct nv3_pushbuf *push,
				  const uint32_t *words, uint32_t count)
{
	memcpy(push->cur, words, count * sizeof(*words));
	push->cur += count;
}

/** nv3_push_method() - push a single method */
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
