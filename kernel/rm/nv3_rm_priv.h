/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the state that the files of the resource manager share, and describes its locks and
 * invariants.
 *
 * The locks, outermost first:
 *
 * - nv3_file.lock, a mutex: guards a file's tables of channels and address spaces.
 * - nv3_channel.lock, a mutex: serialises the ioctls on a channel. A task may wait for fences while
 *   it holds the lock, because no code that completes a batch takes the lock.
 * - nv3_vm.lock, a mutex: serialises the VM_BIND ioctls of an address space. VM_BIND waits for
 *   fences while it holds the lock.
 * - reservations of buffers and address spaces, acquired with drm_exec: nest inside
 *   nv3_channel.lock and nv3_vm.lock.
 * - nv3_migration_engine.lock, a mutex: guards the kernel's own channel. The lock is taken while
 *   the reservations of the migrated buffers are held.
 * - nv3_aperture.lock, a mutex: guards the creation and removal of page table entries of a USER
 *   aperture. It nests inside mmap_lock or reservations.
 * - nv3_ramin_pool.lock, a mutex: guards the allocator of instance memory.
 * - nv3_rm.channels_lock and nv3_chids.lock, spinlocks: guard the set of existing channels.
 * - nv3_rm.lock, a spinlock that the interrupt handler takes: guards the chip, that is, the
 *   registers, the owners of PFIFO and PGRAPH, RAMHT, RAMRO, RAMFC, the running batch, and each
 *   channel's queue, table of objects, surfaces and fault. If no batch is running, the chip stays
 *   idle while the lock is held. Words of RAMIN to which the chip has no reference may be written
 *   without the lock.
 * - nv3_rm.signal_lock, a spinlock: held while fences are signalled. nv3_rm_unlock() takes it
 *   before it releases nv3_rm.lock. Fences therefore signal in the order in which they were queued,
 *   even if different CPUs signal them.
 *
 * All code on which a fence depends runs between dma_fence_begin_signalling() and
 * dma_fence_end_signalling(), and takes only spinlocks. This code consists of:
 *
 * - the code after drm_sched_job_arm()
 * - run_job() of the GPU schedulers, and free_job() until it has signalled the fence of a dropped
 *   job
 * - nv3_pio_tick(), nv3_rm_reap_work(), nv3_job_sync_work(), nv3_copy_work(), and the work of
 *   preempt fences
 * - nv3_rm_end_batches() and nv3_rm_quiesce(), whose callers have disabled the device's interrupt
 *
 * This code must not take nv3_aperture.lock, because a page fault handler allocates page tables
 * while it holds this lock.
 *
 * The worker that destroys the objects of all channels (nv3_object_free_work()) takes
 * nv3_ramin_pool.lock and nv3_rm.lock, and a reservation if a buffer is freed together with an
 * object. A task that holds nv3_channel.lock may therefore wait for the worker, but a task that
 * holds a reservation must not. The pending work of a FLIP object holds a reference to the object,
 * so the worker waits neither for this work nor for the display. The worker never waits for a
 * client either.
 *
 * Fences are signalled with nv3_rm.signal_lock held and without nv3_rm.lock. The callback of a
 * fence must not take these two locks. It must not take nv3_channel.lock or a reservation either,
 * because the task that signals the fence may hold them.
 *
 * Invariants. Code that could break one of these invariants checks it:
 *
 * - At most one batch runs, and its channel owns PFIFO. A preempted batch is the first of its
 *   channel's queue, and nv3_queue.preempted contains its complete state of PFIFO.
 * - A channel is in exactly one of these states: in nv3_rm.ready, running, blocked, waiting for the
 *   buffers of its first batch (nv3_sched_evicted_job()) or for the removal of destroyed objects
 *   (nv3_queue.reaping), or without a batch.
 * - Only a long-running channel is ever blocked. Its batches publish no completion fence;
 *   nv3_job.fence stays internal.
 * - While a channel is in nv3_rm.ready, each other channel of the same or a lower priority begins
 *   at most one timeslice. The channels of higher priority overtake it at most
 *   NV3_SCHED_OVERTAKEN_MAX times in total. A ready channel therefore waits for at most
 *   NV3_RM_CHANNELS + NV3_SCHED_OVERTAKEN_MAX timeslices.
 * - While nv3_rm.preempting is set, PFIFO is stopped in the middle of the running batch, until
 *   PGRAPH has finished the current method. The channel of the batch owns PFIFO. A fault or a reset
 *   takes PFIFO from the channel and clears nv3_rm.preempting.
 * - PFIFO and PGRAPH have at most one owner each. The two owners may differ: the owner of PGRAPH
 *   changes when the first method of another channel arrives at PGRAPH.
 * - The bindings of a channel are in the context registers of CACHE1 if the channel owns PFIFO,
 *   else in RAMFC. The drawing state of a channel is in the registers of PGRAPH if the channel owns
 *   PGRAPH, else in nv3_channel.graph. Neither the bindings nor the drawing state is ever in two
 *   places (nv3_switch.c).
 * - The instance memory of an object is not freed as long as RAMHT or a subchannel refers to the
 *   object.
 */
#ifndef NV3_RM_PRIV_H
#define NV3_RM_PRIV_H

#include <linux/hrtimer.h>
#include <linux/llist.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <drm/gpu_scheduler.h>

#include "client/nv3_client.h"
#include "device/nv3_device.h"
#include "device/nv3_switch_reason.h"
#include "hw/nv3_pgraph.h"
#include "hw/nv3_ramht.h"
#include "hw/nv3_ramin.h"
#include "mem/nv3_bo.h"

struct drm_file;
struct nv3_channel;
struct nv3_class;
struct nv3_coredump;
struct nv3_fault;
struct nv3_job;
struct nv3_migration_engine;
struct nv3_object;
struct nv3_rm;

/*
 * The size of nv3_rm.classes, at least the number of classes in class/nv3_class_table.h.
 */
#define NV3_RM_CLASSES		64

/* Size in bytes of a graphics object in RAMIN; three of its four words are used. */
#define NV3_GROBJ_SIZE		16

/* Size of the names of GPU schedulers and fence timelines: "nv3-ch" and a channel number. */
#define NV3_NAME_SIZE		16

/* The levels of a debugfs freeze. Each level includes the previous levels. */
enum nv3_freeze {
	NV3_FREEZE_NOTHING,
	/** @NV3_FREEZE_TIMESLICES: a timeslice ends only when the channel has no batch left */
	NV3_FREEZE_TIMESLICES,
	/** @NV3_FREEZE_ALL: in addition, the driver does not handle interrupts of the chip */
	NV3_FREEZE_ALL,
	/**
	 * @NV3_FREEZE_METHODS: in addition, the puller is stopped, except during a step
	 * (nv3_step.c)
	 */
	NV3_FREEZE_METHODS,
};

/* The number of switches, and their total time in nanoseconds. */
struct nv3_switch_cost {
	u64 count;
	u64 ns;
};

/* The values of PGRAPH's surface registers, for the channel that owns PGRAPH. */
struct nv3_surface_regs {
	u32 offset[DRM_NV3_SURFACE_SLOTS];
	u32 pitch[DRM_NV3_SURFACE_SLOTS];
	u32 config;
	u32 canvas_max;
};

/**
 * struct nv3_channel_sched - the GPU scheduler of all channels with the same number
 *
 * A client may keep the fence of a batch after the channel has ended, and the fence refers to the
 * scheduler. The scheduler therefore exists until the device is released. Later channels with the
 * same number reuse the scheduler.
 */
struct nv3_channel_sched {
	struct drm_gpu_scheduler base;
	char name[NV3_NAME_SIZE];
};

/* ---- hooks of the folders above rm/ ---- */

/**
 * struct nv3_class_ops - hooks of class/, for the classes and their state in PGRAPH and RAMIN
 *
 * nv3_rm.lock is held for @begin, @apply, @drop_image and @reset_surfaces.
 */
struct nv3_class_ops {
	/** @init_classes: fills nv3_rm.classes with the classes that the device offers */
	void (*init_classes)(struct nv3_rm *rm);
	/**
	 * @prepare: rewrites the outdated page tables of DMA objects whose buffers the job lists.
	 * The caller has placed and locked the buffers
	 */
	void (*prepare)(struct nv3_job *job);
	/** @begin: opens the DMA objects that the job may use, and closes all other DMA objects */
	void (*begin)(struct nv3_job *job);
	/**
	 * @apply: makes PGRAPH use the surfaces and the context image of @chan, the owner of PGRAPH
	 */
	void (*apply)(struct nv3_channel *chan);
	/**
	 * @drop_image: if @chan is NULL, makes PGRAPH store the current context image. Otherwise
	 * makes PGRAPH drop the context image of @chan, which has ended
	 */
	void (*drop_image)(struct nv3_rm *rm, struct nv3_channel *chan);
	/** @reset_surfaces: marks all surface slots of PGRAPH as empty, after a reset */
	void (*reset_surfaces)(struct nv3_rm *rm);
	/**
	 * @fini_channel: frees the memory that class/ has allocated for the channel. The chip no
	 * longer uses this memory. May be called twice
	 */
	void (*fini_channel)(struct nv3_channel *chan);
	/**
	 * @init_migration: creates the kernel's own channel, which copies buffers. Returns 0 or an
	 * errno
	 */
	int (*init_migration)(struct nv3_rm *rm);
	/**
	 * @fini_migration: closes the migration engine's channel. The chip is stopped, and every
	 * batch has ended
	 */
	void (*fini_migration)(struct nv3_rm *rm);
	/** @release_migration: frees the memory of the migration engine */
	void (*release_migration)(struct nv3_rm *rm);
};

/**
 * struct nv3_pio_ops - hooks of pio/, for PIO channels
 *
 * If the driver is built without CONFIG_DRM_NV3_PIO, nv3_rm_hooks.pio is NULL and clients can't
 * create PIO channels.
 */
struct nv3_pio_ops {
	/** @init: allocates nv3_channel.pio. Returns 0 or an errno */
	int (*init)(struct nv3_channel *chan);
	/** @fini: frees nv3_channel.pio, after the last job and the last mapping of the channel */
	void (*fini)(struct nv3_channel *chan);
	/** @open: creates the USER aperture, which @file may map. Returns 0 or an errno */
	int (*open)(struct nv3_channel *chan, struct drm_file *file);
	/** @mmap_offset: returns the offset at which @file maps the aperture */
	u64 (*mmap_offset)(struct nv3_channel *chan);
	/** @revoke: unmaps the aperture permanently. May sleep */
	void (*revoke)(struct nv3_channel *chan);
	/** @close: called when the client closes the channel. The aperture may still be mapped */
	void (*close)(struct nv3_channel *chan);
	/** @end_early: ends the timeslice. nv3_channel.lock is held. May sleep */
	void (*end_early)(struct nv3_channel *chan);
	/**
	 * @add_memory: adds an object with nv3_class.memory() to nv3_pio.memory. Returns 0; -ENOSPC
	 * if the list has NV3_PIO_MEMORY_MAX objects; or -ERESTARTSYS
	 */
	int (*add_memory)(struct nv3_object *obj);
	/** @remove_memory: undoes @add_memory. nv3_rm.lock is held */
	void (*remove_memory)(struct nv3_object *obj);
	/**
	 * @interrupt: ends the timeslices that list one of the @count locked buffers @bos, except
	 * those of long-running channels. Called before a batch that lists these buffers is armed.
	 * Returns the channel whose open timeslice it has ended, with a reference, or NULL
	 */
	struct nv3_channel *(*interrupt)(struct nv3_rm *rm, struct nv3_bo **bos, u32 count);
	/**
	 * @runout: called when RAMRO contains methods of the running PIO channel. nv3_rm.lock is
	 * held
	 */
	void (*runout)(struct nv3_rm *rm, u32 intr);
};

/**
 * struct nv3_debug_ops - hooks of debug/
 *
 * If the driver is built without CONFIG_DRM_NV3_DEBUG, nv3_rm_hooks.debug is NULL.
 */
struct nv3_debug_ops {
	/** @init: allocates the memory that @fault needs. Returns 0 or an errno */
	int (*init)(struct nv3_rm *rm);
	/**
	 * @fini: cancels the work that @fault has queued. Called when nv3_rm.dead is set, so that
	 * @fault queues no more work
	 */
	void (*fini)(struct nv3_rm *rm);
	/** @release: undoes @init */
	void (*release)(struct nv3_rm *rm);
	/**
	 * @fault: records the state of a channel that is about to stop with @fault. nv3_rm.lock is
	 * held
	 */
	void (*fault)(struct nv3_channel *chan, const struct nv3_fault *fault);
};

/** struct nv3_rm_hooks - the hooks of the folders above rm/, for nv3_rm_init() */
struct nv3_rm_hooks {
	const struct nv3_class_ops *class;
	const struct nv3_pio_ops *pio;
	const struct nv3_debug_ops *debug;
	/**
	 * @vblank: called in any context when a vertical blank begins. The caller holds no locks
	 */
	void (*vblank)(struct nv3_device *nv3);
};

/* ---- the state ---- */

/** struct nv3_rm - the resource manager of a device */
struct nv3_rm {
	/* Constant after nv3_rm_init(). */

	struct nv3_device *nv3;
	const struct nv3_rm_hooks *hooks;
	/** @classes: the classes that the device offers */
	const struct nv3_class *classes[NV3_RM_CLASSES];
	unsigned int class_count;
	/** @image_size: size of a context image in bytes, or 0 without class PROGRAMS */
	u32 image_size;
	/** @graph_reset: the drawing state after a reset, from which every new channel starts */
	struct nv3_graph_state graph_reset;
	/**
	 * @notifications: memory for the chip's notifications, NV3_FENCE_SIZE bytes for each
	 * channel
	 */
	void *notifications;
	/** @notifications_dma: the bus address of @notifications */
	dma_addr_t notifications_dma;
	/** @dump: the core dump of the last fault (debug/nv3_coredump.c) */
	struct nv3_coredump *dump;
	/** @kernel_channels: number of channels that the kernel itself uses */
	unsigned int kernel_channels;
	/** @migration: the migration engine (class/nv3_migration.c) */
	struct nv3_migration_engine *migration;

	/* Workqueues. */

	/** @wq: destroys objects, and runs other work on which no fence depends */
	struct workqueue_struct *wq;
	/**
	 * @signal_wq: runs work on which fences depend. This work does not wait for memory
	 */
	struct workqueue_struct *signal_wq;
	/** @sched_wq: runs the GPU schedulers of the channels */
	struct workqueue_struct *sched_wq;
	/**
	 * @resume_wq: runs nv3_resume_work(), which places buffers of long-running channels again
	 */
	struct workqueue_struct *resume_wq;
	/** @sync_wq: an ordered queue for nv3_job_sync_work(), which copies bounce pages */
	struct workqueue_struct *sync_wq;
	/** @unmap_wq: runs nv3_pio_unmap_work(), which unmaps USER apertures */
	struct workqueue_struct *unmap_wq;
	/** @flip_wq: runs only nv3_flip_work(), which waits for the display */
	struct workqueue_struct *flip_wq;
	/** @channel_wq: runs nv3_channel_end() */
	struct workqueue_struct *channel_wq;

	/**
	 * @lock: guards the chip (see the top of this file), the fields up to @dead, and the
	 * statistics
	 */
	spinlock_t lock;
	/** @pfifo: the owner of PFIFO, whose bindings are in the context registers of CACHE1 */
	struct nv3_channel *pfifo;
	/** @pfifo_lost: why @pfifo is NULL, for tracepoints */
	enum nv3_switch_reason pfifo_lost;
	/** @pgraph: the owner of PGRAPH, whose drawing state is in the registers of PGRAPH */
	struct nv3_channel *pgraph;
	/** @image: the channel whose context image the chip uses (class/nv3_image.c) */
	struct nv3_channel *image;
	/** @running: the batch that the chip is executing */
	struct nv3_job *running;
	/** @running_since: the time at which @running was started or resumed */
	ktime_t running_since;
	/** @preempting: PFIFO is stopped to preempt @running, see nv3_sched_is_preempting() */
	bool preempting;
	/** @batch: serial number of @running, or of the last batch if none is running */
	u64 batch;
	/** @ready: channels that are ready to run, in the order in which they will run */
	struct list_head ready;
	/** @tick: checks @running periodically */
	struct hrtimer tick;
	/** @ticking: @tick is started */
	bool ticking;
	/** @over: batches that have ended and whose fences nv3_rm_unlock() will signal */
	struct list_head over;
	/**
	 * @notifier_done: clients' notifications that were written or have failed. nv3_rm_unlock()
	 * will signal their fences
	 */
	struct list_head notifier_done;
	/**
	 * @preempt_fences: preempt fences of batches that have released their buffers.
	 * nv3_rm_unlock() will signal them
	 */
	struct list_head preempt_fences;
	/** @pio_requested: PIO timeslices that have been requested but have not begun */
	struct list_head pio_requested;
	/** @mark: incremented before the buffers of a batch are marked, see nv3_rm_bo.mark */
	u64 mark;
	/** @ramht: the objects that RAMHT holds */
	struct nv3_ramht ramht;
	/**
	 * @surfaces: the values in the surface registers. nv3_surface_apply() skips writes that
	 * would not change them
	 */
	struct nv3_surface_regs surfaces;
	/** @vblank: the display uses the vertical blank interrupt of PGRAPH */
	bool vblank;
	/** @freeze: the level of the debugfs freeze */
	enum nv3_freeze freeze;
	/**
	 * @puller_stopped: the puller is stopped because of NV3_FREEZE_METHODS, and not by a trap
	 */
	bool puller_stopped;
	/** @dead: nv3_rm_fini() or nv3_rm_quiesce() has stopped the chip */
	bool dead;

	/* Statistics, under @lock. */

	/** @batches: number of completed batches and PIO timeslices */
	u64 batches;
	/** @timeslices: number of timeslices that have begun */
	u64 timeslices;
	/** @engine_ns: total time, in nanoseconds, for which channels have used the chip */
	u64 engine_ns;
	/** @runouts: number of methods that overflowed to RAMRO */
	u64 runouts;
	/** @switches: number of times that PFIFO was switched to another channel */
	u64 switches;
	/** @preemptions: number of times that a batch was preempted */
	u64 preemptions;
	/** @resets: number of resets of PFIFO and PGRAPH */
	u64 resets;
	/** @pfifo_cost: number and time of the switches of PFIFO */
	struct nv3_switch_cost pfifo_cost;
	/** @pgraph_cost: number and time of the switches of PGRAPH */
	struct nv3_switch_cost pgraph_cost;
	/** @image_cost: number and time of the switches of context images */
	struct nv3_switch_cost image_cost;

	/* Fields with locks of their own, or without a lock. */

	/** @signal_lock: held while fences are signalled, see the top of this file */
	spinlock_t signal_lock;
	/** @instances: objects by the instance that a trap reports */
	struct xarray instances;
	/** @ramin: the allocator of instance memory */
	struct nv3_ramin_pool ramin;
	/** @free: objects without references, which @free_work destroys */
	struct llist_head free;
	struct work_struct free_work;
	/** @notifier_free: signalled notifications, whose buffers @notifier_work releases */
	struct llist_head notifier_free;
	struct work_struct notifier_work;
	/**
	 * @deadlocked: raises a fault on channels that wait for an event that can no longer occur
	 */
	struct work_struct deadlocked;
	/** @wedged: sends a uevent about a reset of the chip to user space */
	struct work_struct wedged;
	/** @jobs: number of jobs that are armed and that the GPU scheduler has not freed */
	atomic_t jobs;
	/** @idle: woken when @jobs becomes 0 */
	wait_queue_head_t idle;
	/** @freeze_open: whether the debugfs file for freezes is open */
	atomic_t freeze_open;
	/** @chids: the allocator of channel numbers */
	struct nv3_chids chids;
	/** @channels_lock: guards @channels */
	spinlock_t channels_lock;
	/** @channels: channels by their number */
	struct nv3_channel *channels[NV3_USER_CHANNELS];
	/**
	 * @scheds: GPU schedulers by channel number. The first channel that gets a number creates
	 * the scheduler of this number
	 */
	struct nv3_channel_sched *scheds[NV3_USER_CHANNELS];
};

static inline struct nv3_rm *to_rm(struct drm_device *drm)
{
	return to_nv3(drm)->rm;
}

/* Returns true if a debugfs freeze prevents the end of timeslices. nv3_rm.lock is held. */
static inline bool nv3_freeze_timeslices(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	return rm->freeze >= NV3_FREEZE_TIMESLICES;
}

/* Returns true if a debugfs freeze defers the handling of interrupts. nv3_rm.lock is held. */
static inline bool nv3_freeze_interrupts(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	return rm->freeze >= NV3_FREEZE_ALL;
}

/* Returns true if a debugfs freeze stops the puller. nv3_rm.lock is held. */
static inline bool nv3_freeze_methods(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	return rm->freeze >= NV3_FREEZE_METHODS;
}

/* Starts the puller, or stops the puller if debugfs freezes methods. nv3_rm.lock is held. */
static inline void nv3_rm_start_puller(struct nv3_rm *rm)
{
	rm->puller_stopped = nv3_freeze_methods(rm);
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PULL_CTRL,
		 rm->puller_stopped ? 0 : NV3_PFIFO_PULL_CTRL_ACCESS);
}

#endif
