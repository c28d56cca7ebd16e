/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state that the files of the resource manager share, and its locks.
 *
 * Locking, from the outside in:
 *
 * - nv3_file.lock, a mutex: guards the file's tables of channels and address spaces.
 * - nv3_channel.lock, a mutex: serialises the ioctls on a channel. Waits for fences may
 *   happen under it, since completing a batch never takes it.
 * - nv3_vm.lock, a mutex: one VM_BIND of an address space at a time. Waits for fences happen
 *   under it.
 * - reservations of buffers and address spaces (through drm_exec), inside nv3_channel.lock and
 *   nv3_vm.lock.
 * - nv3_migration_engine.lock, a mutex: the kernel's own channel. It is taken inside the
 *   reservations of the buffers that are migrated.
 * - nv3_aperture.lock, a mutex, inside mmap_lock or reservations: guards the creation and removal
 *   of page table entries of a USER aperture.
 * - nv3_ramin_pool.lock, a mutex: the allocator of instance memory.
 * - nv3_rm.channels_lock and nv3_chids.lock, spinlocks: the set of existing channels.
 * - nv3_rm.lock, a spinlock that the interrupt handler takes: guards the chip. This includes the
 *   registers of PFIFO and PGRAPH, RAMHT, RAMRO and RAMFC, the owners, the running batch, and each
 *   channel's queue, table of objects, surfaces and fault. If no batch is running, the chip stays
 *   idle while the lock is held. Words of RAMIN to which the chip has no reference are written
 *   without the lock.
 * - nv3_rm.signal_lock, a spinlock: held while fences are signalled. nv3_rm_unlock() takes it
 *   before it releases nv3_rm.lock, so that fences signal in the order in which they were queued,
 *   even if different CPUs signal them.
 *
 * All code on which a fence depends is between dma_fence_begin_signalling() and
 * dma_fence_end_signalling(), and takes spinlocks only. It consists of nv3_pio_tick(), the
 * schedulers, nv3_job_sync_work(), nv3_copy_work(), the worker of preempt fences, and the code
 * after drm_sched_job_arm(). This code may not take nv3_aperture.lock, because a page fault
 * allocates page tables under it.
 *
 * The worker that destroys the objects of all channels (nv3_object_free_work()) takes
 * nv3_ramin_pool.lock and nv3_rm.lock, and a reservation if a buffer is freed together with an
 * object. A task may therefore wait for the worker under nv3_channel.lock, but not under a
 * reservation. The worker never waits for a client or the display, because the pending work of a
 * FLIP object has a reference to the object.
 *
 * Fences are signalled under nv3_rm.signal_lock, without nv3_rm.lock. The callback of a fence may
 * take neither of these locks, nor nv3_channel.lock or a reservation, which the task that signals
 * may hold.
 *
 * Invariants, checked where they could break:
 *
 * - At most one batch runs, and its channel owns PFIFO. A preempted batch is the first of its
 *   channel's queue, and nv3_queue.preempted contains its complete state of PFIFO.
 * - A channel is in exactly one of these states: in nv3_rm.ready, running, blocked, waiting for
 *   the buffers of its first batch (nv3_sched_evicted_job()), or without a batch.
 * - Only a long-running channel is ever blocked. Its batches have no published fence that signals
 *   when the batch completes; nv3_job.fence stays internal.
 * - While a channel is in nv3_rm.ready, each channel of the same or a lower priority begins at most
 *   one timeslice, and all channels of higher priority together overtake it at most
 *   NV3_SCHED_OVERTAKEN_MAX times. A ready channel therefore waits for at most NV3_RM_CHANNELS +
 *   NV3_SCHED_OVERTAKEN_MAX timeslices.
 * - While nv3_rm.preempting is set, PFIFO is stopped in the middle of the running batch, until
 *   PGRAPH has finished the current method. The channel of the batch owns PFIFO. A fault or a
 *   reset, by which the channel loses PFIFO, clears nv3_rm.preempting.
 * - PFIFO and PGRAPH have at most one owner each. The two owners may differ: the owner of PGRAPH
 *   changes when the first method of another channel arrives at PGRAPH.
 * - The bindings of a channel are in the context registers of CACHE1 if it owns PFIFO, else in
 *   RAMFC. Its drawing state is in the registers of PGRAPH if it owns PGRAPH, else in
 *   nv3_channel.graph. Neither is ever in both places (nv3_switch.c).
 * - As long as RAMHT or a subchannel refers to an object, its instance memory is not freed.
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

/* The size of the table of classes, which is larger than the number of classes in use. */
#define NV3_RM_CLASSES		64

/* Size in bytes of a graphics object in RAMIN; three of its four words are used. */
#define NV3_GROBJ_SIZE		16

/* "nv3-ch" and the number of the channel. */
#define NV3_NAME_SIZE		16

/*
 * The levels up to which debugfs freezes the resource manager. Each level includes the previous
 * one.
 */
enum nv3_freeze {
	NV3_FREEZE_NOTHING,
	/** @NV3_FREEZE_TIMESLICES: no timeslice ends before the channel has finished */
	NV3_FREEZE_TIMESLICES,
	/** @NV3_FREEZE_ALL: interrupts of the chip are not handled either */
	NV3_FREEZE_ALL,
	/** @NV3_FREEZE_METHODS: the puller takes no method either, except by nv3_step() */
	NV3_FREEZE_METHODS,
};

/* The number of switches and their total time. */
struct nv3_switch_cost {
	u64 count;
	u64 ns;
};

/* The registers of PGRAPH that describe surfaces, whichever channel they belong to. */
struct nv3_surface_regs {
	u32 offset[DRM_NV3_SURFACE_SLOTS];
	u32 pitch[DRM_NV3_SURFACE_SLOTS];
	u32 config;
	u32 canvas_max;
};

/**
 * struct nv3_channel_sched - the GPU scheduler of the channels of one number
 *
 * A client may keep the fence of a batch longer than the channel exists, and the fence refers to
 * the scheduler. The scheduler therefore exists until the device is released, and serves successive
 * channels of the same number.
 */
struct nv3_channel_sched {
	struct drm_gpu_scheduler base;
	char name[NV3_NAME_SIZE];
};

/* ---- what the folders above rm/ register ---- */

/**
 * struct nv3_class_ops - hooks of class/: the classes, and what they have in PGRAPH and RAMIN
 *
 * All functions except @init_classes, @prepare and the last four are called with nv3_rm.lock held.
 */
struct nv3_class_ops {
	/** @init_classes: finds out which classes the chip has, and fills nv3_rm.classes */
	void (*init_classes)(struct nv3_rm *rm);
	/**
	 * @prepare: writes the page tables that a job needs. The job's buffers are placed and
	 * locked
	 */
	void (*prepare)(struct nv3_job *job);
	/** @begin: opens the DMA objects that the job may use, and closes the others */
	void (*begin)(struct nv3_job *job);
	/** @apply: gives PGRAPH the surfaces and the context image of the channel, its owner */
	void (*apply)(struct nv3_channel *chan);
	/**
	 * @drop_image: if @chan is NULL, makes PGRAPH store the current context image. Otherwise
	 * makes PGRAPH drop the context image of @chan, which has ended
	 */
	void (*drop_image)(struct nv3_rm *rm, struct nv3_channel *chan);
	/** @reset_surfaces: writes that there are no surfaces, after a reset */
	void (*reset_surfaces)(struct nv3_rm *rm);
	/**
	 * @fini_channel: frees the memory of class/ for the channel. The chip does not use this
	 * memory any more. Called twice
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
 * struct nv3_pio_ops - hooks of pio/: channels whose clients store methods to the chip
 *
 * If the driver is built without CONFIG_DRM_NV3_PIO, the pointer is NULL and there are no PIO
 * channels.
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
	/** @revoke: unmaps the aperture for ever. Sleeps */
	void (*revoke)(struct nv3_channel *chan);
	/** @close: the client closes the channel. The aperture may still be mapped */
	void (*close)(struct nv3_channel *chan);
	/** @end_early: ends the timeslice. Needs nv3_channel.lock. Sleeps */
	void (*end_early)(struct nv3_channel *chan);
	/** @add_memory: adds an object with nv3_class.memory. Returns 0, or -ENOSPC at the limit */
	int (*add_memory)(struct nv3_object *obj);
	/** @remove_memory: undoes @add_memory. nv3_rm.lock is held */
	void (*remove_memory)(struct nv3_object *obj);
	/**
	 * @interrupt: ends the timeslices that use one of @count buffers, because a batch that
	 * names these buffers is about to be armed. The buffers are locked. Returns the channel
	 * whose timeslice was on the chip, with a reference, or NULL.
	 */
	struct nv3_channel *(*interrupt)(struct nv3_rm *rm, struct nv3_bo **bos, u32 count);
	/** @runout: methods of the running PIO channel are in RAMRO. nv3_rm.lock is held */
	void (*runout)(struct nv3_rm *rm, u32 intr);
};

/**
 * struct nv3_debug_ops - hooks of debug/
 *
 * The pointer is NULL if the driver is built without CONFIG_DRM_NV3_DEBUG.
 */
struct nv3_debug_ops {
	/** @init: allocates the memory that @fault needs. Returns 0 or an errno */
	int (*init)(struct nv3_rm *rm);
	/** @fini: no fault is recorded any more */
	void (*fini)(struct nv3_rm *rm);
	/** @release: undoes @init */
	void (*release)(struct nv3_rm *rm);
	/** @fault: records a channel that is about to be ended. nv3_rm.lock is held */
	void (*fault)(struct nv3_channel *chan, const struct nv3_fault *fault);
};

/** struct nv3_rm_hooks - what the folders above rm/ register at nv3_rm_init() */
struct nv3_rm_hooks {
	const struct nv3_class_ops *class;
	const struct nv3_pio_ops *pio;
	const struct nv3_debug_ops *debug;
	/** @vblank: the vertical blank has begun. Any context, without locks */
	void (*vblank)(struct nv3_device *nv3);
};

/* ---- the state ---- */

/** struct nv3_rm - the resource manager of a device */
struct nv3_rm {
	/* Constant after nv3_rm_init(). */

	struct nv3_device *nv3;
	const struct nv3_rm_hooks *hooks;
	/** @classes: the classes that this chip offers */
	const struct nv3_class *classes[NV3_RM_CLASSES];
	unsigned int class_count;
	/** @image_size: size of a context image in bytes, or 0 without class PROGRAMS */
	u32 image_size;
	/** @graph_reset: the drawing state after a reset, with which every channel begins */
	struct nv3_graph_state graph_reset;
	/** @notifications: NV3_FENCE_SIZE bytes for each channel, which the chip writes */
	void *notifications;
	/** @notifications_dma: their bus address */
	dma_addr_t notifications_dma;
	/** @dump: the core dump of the last fault: debug/nv3_coredump.c */
	struct nv3_coredump *dump;
	/** @kernel_channels: channels that are not for clients */
	unsigned int kernel_channels;
	/** @migration: migrates buffers: class/nv3_migration.c */
	struct nv3_migration_engine *migration;

	/* Workqueues. */

	/** @wq: destroys objects, and other work that no fence waits for */
	struct workqueue_struct *wq;
	/**
	 * @signal_wq: work on which fences depend. This work does not wait for memory and does not
	 * sleep long
	 */
	struct workqueue_struct *signal_wq;
	/** @sched_wq: the GPU schedulers of the channels */
	struct workqueue_struct *sched_wq;
	/** @resume_wq: places buffers of long-running channels again: nv3_long_running.c */
	struct workqueue_struct *resume_wq;
	/** @sync_wq: copies to memory that the chip can't reach; ordered: nv3_job_sync.c */
	struct workqueue_struct *sync_wq;
	/** @unmap_wq: removes page table entries of apertures: pio/nv3_pio.c */
	struct workqueue_struct *unmap_wq;
	/** @flip_wq: waits of FLIP objects for the display, and no other work: sw/nv3_flip.c */
	struct workqueue_struct *flip_wq;
	/** @channel_wq: ends channels */
	struct workqueue_struct *channel_wq;

	/** @lock: guards the chip, see above, the fields up to @dead, and the statistics */
	spinlock_t lock;
	/** @pfifo: the channel whose bindings the context registers of CACHE1 hold */
	struct nv3_channel *pfifo;
	/** @pfifo_lost: why @pfifo is NULL, for tracepoints */
	enum nv3_switch_reason pfifo_lost;
	/** @pgraph: the channel whose drawing state the registers of PGRAPH hold */
	struct nv3_channel *pgraph;
	/** @image: the channel whose context image the chip uses: class/nv3_image.c */
	struct nv3_channel *image;
	/** @running: the batch that the chip is executing */
	struct nv3_job *running;
	/** @running_since: the time at which @running was started or resumed */
	ktime_t running_since;
	/** @preempting: PFIFO is stopped to preempt @running, see nv3_sched_is_preempting() */
	bool preempting;
	/** @batch: serial number of @running, or of the last batch */
	u64 batch;
	/** @ready: channels that are ready to run, in the order in which they will run */
	struct list_head ready;
	/** @tick: checks @running periodically */
	struct hrtimer tick;
	/** @ticking: @tick is started */
	bool ticking;
	/** @over: batches that have just ended, whose fences nv3_rm_unlock() signals */
	struct list_head over;
	/**
	 * @notifier_done: clients' notifications that have arrived, whose fences nv3_rm_unlock()
	 * signals
	 */
	struct list_head notifier_done;
	/**
	 * @preempt_fences: preempt fences of batches that have released their buffers, which
	 * nv3_rm_unlock() signals
	 */
	struct list_head preempt_fences;
	/** @pio_requested: PIO timeslices that have been requested and not begun */
	struct list_head pio_requested;
	/** @mark: number of the last search among buffers, see struct nv3_rm_bo */
	u64 mark;
	/** @ramht: which objects RAMHT holds */
	struct nv3_ramht ramht;
	/**
	 * @surfaces: the values last written to the surface registers, to skip writes of the same
	 * value
	 */
	struct nv3_surface_regs surfaces;
	/** @vblank: the display wants the interrupt of the vertical blank, which is PGRAPH's */
	bool vblank;
	/** @freeze: the level that debugfs has set */
	enum nv3_freeze freeze;
	/** @puller_stopped: the puller was stopped at NV3_FREEZE_METHODS, and not by a trap */
	bool puller_stopped;
	/** @dead: nv3_rm_fini() has stopped the chip */
	bool dead;

	/* Statistics, under @lock. */

	/** @batches: batches completed */
	u64 batches;
	/** @timeslices: timeslices begun */
	u64 timeslices;
	/** @engine_ns: time for which channels have had the chip, in nanoseconds */
	u64 engine_ns;
	/** @runouts: methods replayed from RAMRO */
	u64 runouts;
	/** @switches: times that PFIFO was given to another channel */
	u64 switches;
	/** @preemptions: batches preempted in their middle */
	u64 preemptions;
	/** @resets: resets of the chip */
	u64 resets;
	/** @pfifo_cost: switches of PFIFO */
	struct nv3_switch_cost pfifo_cost;
	/** @pgraph_cost: switches of PGRAPH */
	struct nv3_switch_cost pgraph_cost;
	/** @image_cost: switches of context images */
	struct nv3_switch_cost image_cost;

	/* Fields with locks of their own, or without a lock. */

	/** @signal_lock: held while fences are signalled, see above */
	spinlock_t signal_lock;
	/** @instances: objects by their place in RAMIN, which traps name */
	struct xarray instances;
	/** @ramin: instance memory */
	struct nv3_ramin_pool ramin;
	/** @free: objects without references, which @free_work destroys */
	struct llist_head free;
	struct work_struct free_work;
	/** @notifier_free: signalled notifications, whose buffers @notifier_work releases */
	struct llist_head notifier_free;
	struct work_struct notifier_work;
	/** @deadlocked: fails channels that wait for an event that can't occur any more */
	struct work_struct deadlocked;
	/** @wedged: tells user space about a reset of the chip */
	struct work_struct wedged;
	/** @jobs: batches submitted and not freed */
	atomic_t jobs;
	/** @idle: woken when @jobs becomes 0 */
	wait_queue_head_t idle;
	/** @freeze_open: the debugfs file is open */
	atomic_t freeze_open;
	/** @chids: which numbers of channels are in use */
	struct nv3_chids chids;
	/** @channels_lock: guards @channels */
	spinlock_t channels_lock;
	/** @channels: channels by their number */
	struct nv3_channel *channels[NV3_USER_CHANNELS];
	/** @scheds: by number of the channel; each is made with the first channel of that number */
	struct nv3_channel_sched *scheds[NV3_USER_CHANNELS];
};

static inline struct nv3_rm *to_rm(struct drm_device *drm)
{
	return to_nv3(drm)->rm;
}

/* Does debugfs keep timeslices from ending? nv3_rm.lock is held. */
static inline bool nv3_freeze_timeslices(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	return rm->freeze >= NV3_FREEZE_TIMESLICES;
}

/* Does debugfs keep interrupts from being handled? nv3_rm.lock is held. */
static inline bool nv3_freeze_interrupts(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	return rm->freeze >= NV3_FREEZE_ALL;
}

/* Does debugfs keep the puller from taking methods? nv3_rm.lock is held. */
static inline bool nv3_freeze_methods(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);
	return rm->freeze >= NV3_FREEZE_METHODS;
}

/* Lets the puller continue, or stops it if debugfs freezes methods. nv3_rm.lock is held. */
static inline void nv3_rm_start_puller(struct nv3_rm *rm)
{
	rm->puller_stopped = nv3_freeze_methods(rm);
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PULL_CTRL,
		 rm->puller_stopped ? 0 : NV3_PFIFO_PULL_CTRL_ACCESS);
}

#endif
