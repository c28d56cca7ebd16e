/* SPDX-License-Identifier: MIT */
#ifndef _UAPI_NV3_DRM_H_
#define _UAPI_NV3_DRM_H_

#include "drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Overview
 *
 * The uAPI of nv3, the DRM driver of the RIVA 128.
 *
 * A client enumerates the classes and creates a channel. In the channel, the client creates objects
 * of these classes, and chooses a 32-bit handle for each object. The client then submits methods on
 * the objects. The uAPI does not say whether the chip or the driver's resource manager executes a
 * method.
 *
 * These rules hold for every ioctl:
 *
 * - Sizes and offsets are in bytes unless the description of a member states another unit.
 * - Unknown flags and non-zero padding cause -EINVAL.
 * - A pointer to memory that the client cannot access causes -EFAULT.
 * - An ioctl that fails has no effect.
 * - If a member is invalid, the driver prints a debug message (drm_dbg) with the name of the
 *   member.
 *
 * The argument of an ioctl may contain pointers to further structures. Later versions of the uAPI
 * may add members at the end of these structures, so the argument also contains the size of each
 * structure. If the client's structure is shorter than the driver's, the driver sets the missing
 * members to 0. If the client's structure is longer, the excess bytes must be 0, else the ioctl
 * fails with -E2BIG. A size of 0 causes -EINVAL.
 */

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
#define DRM_NV3_VM_CREATE		0x0d
#define DRM_NV3_VM_DESTROY		0x0e
#define DRM_NV3_VM_BIND			0x0f

/**
 * DOC: Device parameters
 *
 * GETPARAM returns properties of the device, and statistics of the file on which it is called. The
 * statistics start at 0 when the file is opened. The totals of all files would reveal the activity
 * of other clients, so only debugfs shows them.
 */
#define DRM_NV3_PARAM_CHIP_ID		0	/* register PMC_BOOT_0 */
#define DRM_NV3_PARAM_VRAM_SIZE		1	/* VRAM including RAMIN, bytes */
#define DRM_NV3_PARAM_VRAM_AVAILABLE	2	/* VRAM that buffers may use, bytes */
#define DRM_NV3_PARAM_CHANNELS		3	/* maximum number of channels at any time */
#define DRM_NV3_PARAM_SUBMIT_MAX	4	/* maximum length of a batch, bytes */
#define DRM_NV3_PARAM_VIRT_FEATURES	5	/* register PVIRT_FEATURES, or 0 if it is missing */
#define DRM_NV3_PARAM_SWITCHES		6	/* context switches to channels of the file */
#define DRM_NV3_PARAM_BATCHES		7	/* completed batches and PIO timeslices */
#define DRM_NV3_PARAM_RUNOUTS		8	/* methods replayed from RAMRO */
#define DRM_NV3_PARAM_ENGINE_NS		9	/* chip time of the file's channels, ns */
#define DRM_NV3_PARAM_VRAM_LOW		10	/* VRAM that surfaces and planes may use, bytes */

/**
 * struct drm_nv3_getparam - argument of DRM_IOCTL_NV3_GETPARAM
 *
 * -EINVAL: @param is unknown.
 */
struct drm_nv3_getparam {
	/** @param: in: DRM_NV3_PARAM_* */
	__u32 param;
	/** @pad: must be 0 */
	__u32 pad;
	/** @value: out: value of the parameter */
	__u64 value;
};

/**
 * struct drm_nv3_class_enumerate - argument of DRM_IOCTL_NV3_CLASS_ENUMERATE
 *
 * Hardware classes have the chip's own numbers, 0x01 to 0x1f.
 */
struct drm_nv3_class_enumerate {
	/** @classes: in: address of a __u32 array for the class numbers, ignored if @count is 0 */
	__u64 classes;
	/**
	 * @count: in: maximum number of entries to write. out: number of classes that the device
	 * has
	 */
	__u32 count;
	/** @pad: must be 0 */
	__u32 pad;
};

/**
 * DOC: Channels
 *
 * A channel is a stream of methods with its own objects and its own state in the chip. A channel
 * belongs to the file that created it. The methods of a channel execute in order.
 *
 * A DMA channel executes the batches of SUBMIT. A PIO channel executes the methods that its client
 * stores to the channel's USER aperture, a mapping of 64 KiB:
 *
 * - The registers of subchannel s are the 8 KiB at offset s * 0x2000. A 32-bit store at a method's
 *   offset in this range invokes that method on the object bound to the subchannel.
 * - A 16-bit or 32-bit load at offset 0x10 of a subchannel returns the free count: the number of
 *   bytes of methods that the client may store before it must read the free count again.
 * - Any other load or store causes DRM_NV3_FAULT_ACCESS.
 *
 * If a client stores more methods than the free count permits, the chip still executes the methods
 * in order, but more slowly. If a client stores more than a thousand methods beyond the free count,
 * methods can be lost. If methods are lost, the channel stops with DRM_NV3_FAULT_RUNOUT.
 *
 * A mapping of the aperture must start at the beginning of the aperture, and must have the flag
 * MAP_SHARED. A child process does not inherit the mapping. A PIO channel uses the chip in
 * timeslices. A store blocks until the channel's timeslice begins. A store also blocks while an
 * earlier method of the channel waits, for example for a semaphore.
 *
 * After the channel has faulted or been destroyed, stores to the aperture have no effect.
 */
#define DRM_NV3_CHANNEL_DMA		0	/* executes batches that SUBMIT submits */
#define DRM_NV3_CHANNEL_PIO		1	/* executes stores to a USER aperture */

/**
 * DOC: Long-running channels
 *
 * The methods of a long-running channel may wait for other clients and for the display. Classes
 * SEMAPHORE and FLIP can be instantiated only in a long-running channel. A long-running channel
 * differs from other channels as follows:
 *
 * - Implicit synchronization ignores the work of the channel: GEM_WAIT, other clients' batches and
 *   the display do not wait for this work. Clients must use out syncobjs to wait for it. The
 *   channel itself waits for its in syncobjs, and for earlier batches that use the same buffers.
 * - An out syncobj gets a fence only when the work has completed. This fence has already signalled,
 *   with an error if the work failed. Clients therefore wait with
 *   DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT. Until the work has completed, using the syncobj as an
 *   in syncobj or exporting it as a sync file fails with -EINVAL. SUBMIT removes the previous fence
 *   of a binary out syncobj.
 * - NOTIFIER_FENCE fails with -EOPNOTSUPP.
 * - The driver may evict the channel's buffers from VRAM while the channel waits, and makes them
 *   resident again before the channel resumes. If the buffers cannot be made resident within ten
 *   seconds, the channel stops with DRM_NV3_FAULT_PAGE.
 */
#define DRM_NV3_CHANNEL_LONG_RUNNING	(1 << 0)

/**
 * DOC: Priorities
 *
 * A channel of higher priority uses the chip before waiting channels of lower priority, and
 * preempts a running channel of lower priority. A waiting channel runs after at most eight
 * timeslices of higher-priority channels, so every channel makes progress.
 */
#define DRM_NV3_PRIORITY_LOW		-1
#define DRM_NV3_PRIORITY_NORMAL		0
#define DRM_NV3_PRIORITY_HIGH		1	/* needs CAP_SYS_NICE or DRM master, else -EPERM */

/**
 * struct drm_nv3_channel_create - argument of DRM_IOCTL_NV3_CHANNEL_CREATE
 *
 * -ENOSPC: no channel is free. -EMFILE: the user who opened the file already has at least as many
 * channels as are free. This limit leaves channels for other users. It does not apply to a caller
 * with CAP_SYS_NICE or CAP_SYS_ADMIN. Before the ioctl returns one of these errors, it waits
 * interruptibly for channels that are being destroyed.
 */
struct drm_nv3_channel_create {
	/** @type: in: DRM_NV3_CHANNEL_DMA or DRM_NV3_CHANNEL_PIO */
	__u32 type;
	/** @flags: in: DRM_NV3_CHANNEL_LONG_RUNNING or 0 */
	__u32 flags;
	/** @channel: out: id of the channel in this file, not 0 */
	__u32 channel;
	/**
	 * @budget_ms: in: limit for the chip time of a batch, in milliseconds, at most 10000. 0
	 * means 10000. A batch that exceeds the limit stops the channel with DRM_NV3_FAULT_TIMEOUT.
	 * Timeslices of other channels do not count. A single method that reads and writes more
	 * than 16 MiB in total also causes DRM_NV3_FAULT_TIMEOUT.
	 */
	__u32 budget_ms;
	/** @mmap_offset: out: offset for mmap() of a PIO channel's USER aperture, else 0 */
	__u64 mmap_offset;
	/** @priority: in: DRM_NV3_PRIORITY_* */
	__s32 priority;
	/** @pad: must be 0 */
	__u32 pad;
};

/**
 * struct drm_nv3_channel_destroy - argument of DRM_IOCTL_NV3_CHANNEL_DESTROY
 *
 * The driver cancels the channel's queued batches. Closing a file destroys its channels.
 */
struct drm_nv3_channel_destroy {
	/** @channel: in: id of the channel. -ENOENT if no channel has this id */
	__u32 channel;
	/** @pad: must be 0 */
	__u32 pad;
};

/**
 * DOC: Faults
 *
 * A fault stops only the channel that caused it. The channel keeps its first fault, and all its
 * later batches fail at once.
 */
#define DRM_NV3_FAULT_NONE		0
#define DRM_NV3_FAULT_NAME		1	/* no object has that handle */
#define DRM_NV3_FAULT_METHOD		2	/* the class has no such method */
#define DRM_NV3_FAULT_DATA		3	/* the method's argument is invalid */
#define DRM_NV3_FAULT_PAGE		4	/* invalid access to memory */
#define DRM_NV3_FAULT_STREAM		5	/* malformed pushbuffer */
#define DRM_NV3_FAULT_TIMEOUT		6	/* the work exceeded a time limit */
#define DRM_NV3_FAULT_STATE		7	/* the method needs state that is not set */
#define DRM_NV3_FAULT_RUNOUT		8	/* PIO: free count exceeded, methods lost */
#define DRM_NV3_FAULT_ACCESS		9	/* PIO: invalid access to the USER aperture */
#define DRM_NV3_FAULT_DENIED		10	/* the client may not invoke this method */

/**
 * struct drm_nv3_channel_query - argument of DRM_IOCTL_NV3_CHANNEL_QUERY
 */
struct drm_nv3_channel_query {
	/** @channel: in: id of the channel */
	__u32 channel;
	/** @fault: out: DRM_NV3_FAULT_* */
	__u32 fault;
	/** @subch: out: subchannel of the method that faulted */
	__u32 subch;
	/**
	 * @method: out: offset of the method that faulted. The offset is 0 for DRM_NV3_FAULT_PAGE
	 * of class PROGRAMS, because the chip may accept later methods before it accesses memory
	 */
	__u32 method;
	/**
	 * @data: out: argument of the method that faulted, or the address for DRM_NV3_FAULT_PAGE of
	 * class PROGRAMS
	 */
	__u32 data;
	/** @class_id: out: class of the object on which the method was invoked */
	__u32 class_id;
	/**
	 * @batches: out: number of completed batches, or of completed timeslices of a PIO channel
	 */
	__u64 batches;
};

/**
 * DOC: Objects
 *
 * An object is an instance of a class, and belongs to a channel. Method 0 binds an object to a
 * subchannel. The members @args and @args_size of struct drm_nv3_object_instantiate give the
 * address and the size of the arguments of the class. The class determines the type of the
 * arguments: struct drm_nv3_dma_args, drm_nv3_surface_args, drm_nv3_graph_args,
 * drm_nv3_semaphore_args, drm_nv3_flip_args or drm_nv3_programs_args.
 */

/* A software class. A DMA object is a range of a buffer that methods of other objects access. */
#define DRM_NV3_CLASS_DMA		0x3d	/* at most 1024 in a channel, else -ENOSPC */

#define DRM_NV3_DMA_WRITE		(1 << 0)	/* the chip may write the range */

/**
 * struct drm_nv3_dma_args - arguments of class DRM_NV3_CLASS_DMA
 */
struct drm_nv3_dma_args {
	/** @handle: GEM handle of the buffer */
	__u32 handle;
	/** @flags: DRM_NV3_DMA_WRITE or 0 */
	__u32 flags;
	/** @offset: start of the range in the buffer, with any alignment */
	__u64 offset;
	/** @size: length of the range, not 0. The range must lie within the buffer */
	__u64 size;
};

/**
 * DOC: Surfaces
 *
 * A surface (class 0x1c) is a rectangle of pixels that methods draw to. The arguments of a surface
 * object select one of four slots. Binding the object to a subchannel puts the surface into this
 * slot. A graphics object draws to the surfaces in the slots of drm_nv3_graph_args.dst_slots. Slot
 * 3 always holds the depth buffer. PGRAPH clips all drawing to the smallest width and the smallest
 * height among the surfaces in the four slots. If a batch does not list the buffer of a surface,
 * the surface's slot counts as empty for this batch.
 */
#define DRM_NV3_SURFACE_SLOTS		4
#define DRM_NV3_SURFACE_ZETA		3	/* slot of the depth buffer */

#define DRM_NV3_FORMAT_Y8		0
#define DRM_NV3_FORMAT_Y16		1	/* also the format of depth */
#define DRM_NV3_FORMAT_X1R5G5B5		2
#define DRM_NV3_FORMAT_X8R8G8B8		3

/**
 * struct drm_nv3_surface_args - arguments of class 0x1c
 */
struct drm_nv3_surface_args {
	/**
	 * @handle: GEM handle of a buffer that is allowed in VRAM and not larger than
	 * DRM_NV3_PARAM_VRAM_LOW
	 */
	__u32 handle;
	/** @slot: 0 to 3 */
	__u32 slot;
	/** @format: DRM_NV3_FORMAT_* */
	__u32 format;
	/** @offset: offset of the first pixel in the buffer, a multiple of 16 */
	__u32 offset;
	/** @pitch: distance from one line to the next, a multiple of 16, at most 8176 */
	__u32 pitch;
	/** @width: width in pixels, 1 to 2047 */
	__u32 width;
	/** @height: height in lines, 1 to 2047 */
	__u32 height;
	/** @pad: must be 0 */
	__u32 pad;
};

/**
 * DOC: Graphics objects
 *
 * The arguments of classes 0x01 to 0x18 are a struct drm_nv3_graph_args.
 */
#define DRM_NV3_COLOR_X1R5G5B5		0
#define DRM_NV3_COLOR_X8R8G8B8		1
#define DRM_NV3_COLOR_X2R10G10B10	2
#define DRM_NV3_COLOR_Y8		3
#define DRM_NV3_COLOR_Y16		4
#define DRM_NV3_COLOR_YUYV		5	/* SIFM only */
#define DRM_NV3_COLOR_UYVY		6	/* SIFM only */
#define DRM_NV3_COLOR_YUV_PLANES	7	/* SIFM only: Y, then U and V at half size */

#define DRM_NV3_GRAPH_ALPHA		(1 << 0)	/* source pixels have alpha */
#define DRM_NV3_GRAPH_CHROMA		(1 << 1)	/* skip pixels that equal the chroma key */
#define DRM_NV3_GRAPH_CLIP		(1 << 2)	/* apply the clip rectangle of class CLIP */
#define DRM_NV3_GRAPH_ZETA		(1 << 3)	/* D3D, ZPOINT: use the depth buffer */
#define DRM_NV3_GRAPH_MONO_CGA6		(1 << 4)	/* bitmaps: bit 7 of a byte is first */

/**
 * struct drm_nv3_graph_args - arguments of classes 0x01 to 0x18
 */
struct drm_nv3_graph_args {
	/** @color_format: format of source pixels, DRM_NV3_COLOR_* */
	__u32 color_format;
	/** @operation: 0x00 to 0x15 raster operations; 0x17 copy; 0x19, 0x1a, 0x1d blends */
	__u32 operation;
	/** @dst_slots: mask of the surface slots to draw to */
	__u32 dst_slots;
	/** @src_slot: surface slot that BLIT and ITM read */
	__u32 src_slot;
	/** @flags: DRM_NV3_GRAPH_* */
	__u32 flags;
	/**
	 * @dma: handles of DMA objects, 0 for none. The first DMA object is the source of M2MF and
	 * SIFM, the destination of ITM or the texture of D3D. The second DMA object is the
	 * destination of M2MF
	 */
	__u32 dma[2];
	/** @dma_notify: handle of the DMA object for notifications, 0 for none */
	__u32 dma_notify;
};

/**
 * DOC: Semaphores
 *
 * Class SEMAPHORE lets long-running channels wait for each other. nv3_class.h lists its methods.
 * Each buffer has one semaphore, whose initial value is 0. Clients that share the buffer share its
 * semaphore. The driver keeps the value outside the buffer's memory.
 */
#define DRM_NV3_CLASS_SEMAPHORE		0x40	/* at most 64 in a channel, else -ENOSPC */

/**
 * struct drm_nv3_semaphore_args - arguments of class DRM_NV3_CLASS_SEMAPHORE
 */
struct drm_nv3_semaphore_args {
	/** @handle: GEM handle of the buffer */
	__u32 handle;
	/**
	 * @timeout_ms: time limit of one wait, in milliseconds, at most 10000. 0 means 2000. A
	 * longer wait stops the channel with DRM_NV3_FAULT_TIMEOUT. The channel also stops as soon
	 * as no other channel can end the wait, or if one batch waits for semaphores and the
	 * display for more than ten seconds in total.
	 */
	__u32 timeout_ms;
	/** @pad: must be 0 */
	__u64 pad;
};

/**
 * DOC: Flips
 *
 * Class FLIP lets a long-running channel change the frame buffer of the primary plane and wait for
 * vertical blanks. nv3_class.h lists its methods. The displayed frame buffer contains the results
 * of all methods that precede the flip in the channel.
 *
 * Every client can create an object of this class and wait for vertical blanks. A client may flip
 * only if it is the DRM master, or holds a DRM lease of the CRTC and its primary plane. The client
 * must meet this condition when it creates the object and when the flip executes. Otherwise the
 * flip causes DRM_NV3_FAULT_DENIED.
 */
#define DRM_NV3_CLASS_FLIP		0x41

/**
 * struct drm_nv3_flip_args - arguments of class DRM_NV3_CLASS_FLIP
 */
struct drm_nv3_flip_args {
	/** @flags: must be 0 */
	__u32 flags;
	/** @pad: must be 0 */
	__u32 pad;
};

/**
 * struct drm_nv3_object_instantiate - argument of DRM_IOCTL_NV3_OBJECT_INSTANTIATE
 */
struct drm_nv3_object_instantiate {
	/** @channel: in: id of the channel. -ENOENT if no channel has this id */
	__u32 channel;
	/** @class_id: in: number of the class, as CLASS_ENUMERATE returns it */
	__u32 class_id;
	/** @name: in: handle of the new object, not 0. -EEXIST if an object has this handle */
	__u32 name;
	/** @args_size: in: size in bytes of the structure to which @args points */
	__u32 args_size;
	/** @args: in: address of the structure with the arguments of the class */
	__u64 args;
	/** @pad: must be 0 */
	__u64 pad;
};

/**
 * struct drm_nv3_object_destroy - argument of DRM_IOCTL_NV3_OBJECT_DESTROY
 *
 * Batches that were submitted earlier can still use the object.
 */
struct drm_nv3_object_destroy {
	/** @channel: in: id of the channel. -ENOENT if no channel has this id */
	__u32 channel;
	/** @name: in: handle of the object. -ENOENT if no object has this handle */
	__u32 name;
};

/**
 * DOC: Buffers
 *
 * Buffers are GEM objects. If the domains of a buffer allow both VRAM and system memory, the driver
 * moves the buffer between them as batches and planes require.
 *
 * The chip can draw to surfaces and show frame buffers only in the first 8 MiB of VRAM
 * (DRM_NV3_PARAM_VRAM_LOW). An emulated chip may have more VRAM, but only DMA objects and address
 * spaces can use it. When a surface object or a plane needs a buffer, the driver moves the buffer
 * to these 8 MiB.
 */
#define DRM_NV3_GEM_VRAM		(1 << 0)	/* may be in VRAM */
#define DRM_NV3_GEM_SYSTEM		(1 << 1)	/* may be in system memory */

/**
 * struct drm_nv3_gem_create - argument of DRM_IOCTL_NV3_GEM_CREATE
 */
struct drm_nv3_gem_create {
	/** @size: in: requested size. out: size, rounded up to whole pages */
	__u64 size;
	/**
	 * @domains: in: mask of DRM_NV3_GEM_*, not 0. If the mask allows VRAM, the driver prefers
	 * VRAM
	 */
	__u32 domains;
	/** @flags: must be 0 */
	__u32 flags;
	/** @handle: out: GEM handle */
	__u32 handle;
	/**
	 * @vm: in: id of the only address space that may map the buffer, or 0 for any. -ENOENT if
	 * no address space has this id
	 */
	__u32 vm;
};

/**
 * struct drm_nv3_gem_mmap - argument of DRM_IOCTL_NV3_GEM_MMAP
 *
 * -EINVAL: the buffer was imported from another device.
 */
struct drm_nv3_gem_mmap {
	/** @handle: in: GEM handle */
	__u32 handle;
	/** @pad: must be 0 */
	__u32 pad;
	/** @offset: out: offset for mmap() of the device file */
	__u64 offset;
};

#define DRM_NV3_GEM_WAIT_WRITE		(1 << 0)	/* also wait for batches that only read */

/**
 * struct drm_nv3_gem_wait - argument of DRM_IOCTL_NV3_GEM_WAIT
 *
 * Waits until all submitted batches that write the buffer have completed.
 */
struct drm_nv3_gem_wait {
	/** @handle: in: GEM handle */
	__u32 handle;
	/** @flags: in: DRM_NV3_GEM_WAIT_WRITE or 0 */
	__u32 flags;
	/**
	 * @timeout_ns: in: deadline, in ns of CLOCK_MONOTONIC. -ETIME if the deadline passes before
	 * the batches have completed
	 */
	__s64 timeout_ns;
};

/**
 * DOC: Address spaces
 *
 * Objects of class PROGRAMS access memory at addresses in an address space. A client creates
 * address spaces and maps buffers in them. All objects of the class in one channel use the same
 * address space. Several channels of a file may share an address space. A destroyed address space
 * continues to exist as long as channels use it.
 *
 * If the handle of a mapped buffer is closed, the buffer continues to exist until it is unmapped.
 * An access to an unmapped address, or a write to a read-only mapping, causes DRM_NV3_FAULT_PAGE.
 *
 * A batch that draws to a mapped buffer must list the buffer. The only domain of such a buffer must
 * be VRAM. Other mapped buffers need not be listed, but only listed buffers take part in implicit
 * synchronization.
 *
 * A buffer can be created for a single address space (member @vm of struct drm_nv3_gem_create).
 * Such a buffer can neither be exported nor be mapped in another address space. All buffers that
 * were created for one address space share one reservation object. GEM_WAIT on one of these buffers
 * therefore waits for all batches that list any of them. SUBMIT locks the shared object only once,
 * but must lock the reservation object of every other mapped buffer separately.
 */

/**
 * struct drm_nv3_vm_create - argument of DRM_IOCTL_NV3_VM_CREATE
 *
 * -EOPNOTSUPP: the chip lacks class PROGRAMS. -ENOSPC: the file already has 16 address spaces, the
 * maximum.
 */
struct drm_nv3_vm_create {
	/** @flags: must be 0 */
	__u32 flags;
	/** @vm: out: id of the address space in this file, not 0 */
	__u32 vm;
	/** @size: out: size of the address space, whose first address is 0 */
	__u64 size;
};

/**
 * struct drm_nv3_vm_destroy - argument of DRM_IOCTL_NV3_VM_DESTROY
 *
 * Channels that already use the address space can continue to use it.
 */
struct drm_nv3_vm_destroy {
	/** @vm: in: id of the address space. -ENOENT if no address space has this id */
	__u32 vm;
	/** @pad: must be 0 */
	__u32 pad;
};

#define DRM_NV3_VM_MAP			0	/* replaces overlapping mappings */
#define DRM_NV3_VM_UNMAP		1

#define DRM_NV3_VM_READ_ONLY		(1 << 0)	/* writes cause DRM_NV3_FAULT_PAGE */

/**
 * struct drm_nv3_vm_bind - argument of DRM_IOCTL_NV3_VM_BIND
 *
 * Maps a range of a buffer, or removes all mappings and parts of mappings in a range of addresses.
 * If the ioctl replaces or removes mappings, it first waits for all batches in flight that may use
 * the address space.
 *
 * -ENOENT: @handle is unknown. -EINVAL: the range exceeds the buffer or the address space, or the
 * buffer was created for another address space. -ENOSPC: the address space has the maximum number
 * of mappings, 16384.
 */
struct drm_nv3_vm_bind {
	/** @vm: in: id of the address space. -ENOENT if no address space has this id */
	__u32 vm;
	/** @op: in: DRM_NV3_VM_MAP or DRM_NV3_VM_UNMAP */
	__u32 op;
	/** @handle: in: GEM handle of the buffer, 0 for UNMAP */
	__u32 handle;
	/** @flags: in: DRM_NV3_VM_READ_ONLY or 0. Must be 0 for UNMAP */
	__u32 flags;
	/** @address: in: first address, a multiple of 4096 */
	__u64 address;
	/** @offset: in: start of the range in the buffer, a multiple of 4096, 0 for UNMAP */
	__u64 offset;
	/** @size: in: length of the range, a multiple of 4096, not 0 */
	__u64 size;
};

/* Vertex and fragment programs. nv3_programs.h lists the methods. */
#define DRM_NV3_CLASS_PROGRAMS		0x1f

/**
 * struct drm_nv3_programs_args - arguments of class DRM_NV3_CLASS_PROGRAMS
 */
struct drm_nv3_programs_args {
	/**
	 * @vm: id of the address space. -ENOENT if no address space has this id. -EINVAL if the
	 * channel's earlier objects of the class use another address space
	 */
	__u32 vm;
	/** @flags: must be 0 */
	__u32 flags;
	/** @dma_notify: handle of the DMA object for notifications, 0 for none */
	__u32 dma_notify;
	/** @pad: must be 0 */
	__u32 pad;
};

/**
 * struct drm_nv3_segment - consecutive words of a batch
 */
struct drm_nv3_segment {
	/** @handle: GEM handle of the buffer that contains the words */
	__u32 handle;
	/** @pad: must be 0 */
	__u32 pad;
	/** @offset: offset of the first word in the buffer, a multiple of 4 */
	__u32 offset;
	/** @length: length in bytes, a multiple of 4 */
	__u32 length;
};

#define DRM_NV3_BUFFER_READ		(1 << 0)	/* the batch reads the buffer */
#define DRM_NV3_BUFFER_WRITE		(1 << 1)	/* the batch writes the buffer */
#define DRM_NV3_BUFFER_EXPLICIT		(1 << 2)	/* no implicit synchronization */

/**
 * struct drm_nv3_buffer - buffer that a batch uses
 */
struct drm_nv3_buffer {
	/** @handle: GEM handle */
	__u32 handle;
	/** @flags: DRM_NV3_BUFFER_*, with READ, WRITE or both */
	__u32 flags;
};

/**
 * struct drm_nv3_sync - syncobj, or point of a timeline syncobj
 */
struct drm_nv3_sync {
	/** @handle: handle of the syncobj */
	__u32 handle;
	/** @flags: must be 0 */
	__u32 flags;
	/** @point: point on the timeline, 0 for a binary syncobj */
	__u64 point;
};

/**
 * struct drm_nv3_submit - argument of DRM_IOCTL_NV3_SUBMIT
 *
 * Queues the words of all segments, in order, as one batch. The driver copies the words before the
 * ioctl returns, so the client may reuse the segments' buffers at once. @buffers must list the
 * buffer of each object that the batch uses. If a batch uses an object whose buffer is not listed,
 * the channel faults.
 *
 * -EINVAL: a syncobj in @in_syncs has no fence yet. -EIO: the channel has faulted.
 */
struct drm_nv3_submit {
	/** @channel: in: id of a DMA channel. -ENOENT if no channel has this id */
	__u32 channel;
	/** @flags: must be 0 */
	__u32 flags;
	/** @segment_count: in: number of segments, at least 1 */
	__u32 segment_count;
	/** @buffer_count: in: number of buffers */
	__u32 buffer_count;
	/** @in_sync_count: in: number of syncobjs that the batch waits for */
	__u32 in_sync_count;
	/** @out_sync_count: in: number of syncobjs that the batch signals */
	__u32 out_sync_count;
	/** @segments: in: address of an array of struct drm_nv3_segment */
	__u64 segments;
	/** @buffers: in: address of an array of struct drm_nv3_buffer */
	__u64 buffers;
	/** @in_syncs: in: address of an array of struct drm_nv3_sync */
	__u64 in_syncs;
	/** @out_syncs: in: address of an array of struct drm_nv3_sync */
	__u64 out_syncs;
	/** @segment_size: in: sizeof(struct drm_nv3_segment) */
	__u32 segment_size;
	/** @buffer_size: in: sizeof(struct drm_nv3_buffer), ignored if @buffer_count is 0 */
	__u32 buffer_size;
	/** @sync_size: in: sizeof(struct drm_nv3_sync), ignored if there are no syncobjs */
	__u32 sync_size;
	/** @pad: must be 0 */
	__u32 pad;
};

/**
 * DOC: Notifications
 *
 * A notification is a record of 16 bytes in a client's buffer: the time of PTIMER in nanoseconds (8
 * bytes), info32, info16 and a 16-bit status. If an object has the argument dma_notify, the record
 * is in the DMA object with this handle. To request a notification, the client sets the status to
 * IN_PROGRESS, and invokes method 0x104 on the object that has the argument. The chip writes the
 * notification when the next method of the channel has completed. If the channel faults, the driver
 * writes each notification for which NOTIFIER_FENCE has returned a pending sync file. Such a
 * notification has the status ERROR, DRM_NV3_FAULT_* in info16, and the method in info32.
 */
#define DRM_NV3_NOTIFICATION_DONE		0x0000
#define DRM_NV3_NOTIFICATION_IN_PROGRESS	0x00ff
#define DRM_NV3_NOTIFICATION_ERROR		0x8000

/**
 * struct drm_nv3_notifier_fence - argument of DRM_IOCTL_NV3_NOTIFIER_FENCE
 *
 * Returns a sync file. The sync file signals when the chip or the driver has written the
 * notification. It also signals if all work that was submitted to the channel before this ioctl has
 * completed without a notification. The status of the sync file is 1 if the notification was
 * written, -EIO if the channel faulted, and -ENODATA if no method wrote the notification.
 *
 * -ENOSPC: 256 notifications of the channel are in progress. -EINVAL: the buffer was imported from
 * another device. -EOPNOTSUPP: the channel is long-running.
 */
struct drm_nv3_notifier_fence {
	/** @channel: in: id of the channel. -ENOENT if no channel has this id */
	__u32 channel;
	/** @name: in: handle of the DMA object. -ENOENT if no object has this handle */
	__u32 name;
	/** @slot: in: index of the notification in the DMA object, 0 to 15 */
	__u32 slot;
	/** @flags: must be 0 */
	__u32 flags;
	/** @fd: out: file descriptor of the sync file */
	__s32 fd;
	/** @pad: must be 0 */
	__u32 pad;
};

/**
 * struct drm_nv3_channel_flush - argument of DRM_IOCTL_NV3_CHANNEL_FLUSH
 *
 * Ends the timeslice of a PIO channel. Stores after this ioctl block until the next timeslice of
 * the channel. The chip executes all stored methods even without this ioctl. The ioctl lets other
 * channels run earlier, and @syncobj lets the client wait for the stored methods.
 *
 * Unless the channel is long-running, GEM_WAIT on the buffers of its objects waits for the flushed
 * methods. -EIO: the channel has faulted.
 */
struct drm_nv3_channel_flush {
	/** @channel: in: id of a PIO channel. -ENOENT if no channel has this id */
	__u32 channel;
	/** @flags: must be 0 */
	__u32 flags;
	/** @syncobj: in: syncobj that signals when the stored methods have completed, or 0 */
	__u32 syncobj;
	/** @pad: must be 0 */
	__u32 pad;
	/** @point: in: point on the timeline of @syncobj, 0 for a binary syncobj */
	__u64 point;
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
#define DRM_IOCTL_NV3_VM_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_NV3_VM_CREATE, struct drm_nv3_vm_create)
#define DRM_IOCTL_NV3_VM_DESTROY \
	DRM_IOW(DRM_COMMAND_BASE + DRM_NV3_VM_DESTROY, struct drm_nv3_vm_destroy)
#define DRM_IOCTL_NV3_VM_BIND \
	DRM_IOW(DRM_COMMAND_BASE + DRM_NV3_VM_BIND, struct drm_nv3_vm_bind)

#if defined(__cplusplus)
}
#endif

#endif
