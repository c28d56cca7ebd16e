/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the structures of the resource manager for channels, classes, objects and batches.
 * nv3_rm_priv.h defines struct nv3_rm and explains the locks that this file mentions.
 */
#ifndef NV3_RM_TYPES_H
#define NV3_RM_TYPES_H

#include <linux/kref.h>
#include <linux/mutex.h>

#include "hw/nv3_pfifo.h"
#include "nv3_rm_priv.h"
#include "vm/nv3_vm.h"

struct drm_file;
struct nv3_copy;
struct nv3_job;
struct nv3_object;
struct nv3_pio;
struct nv3_preempt_fence;
struct nv3_surface;

/* ---- channels ---- */

/* The fault that has stopped a channel, and the method that caused the fault, for CHANNEL_QUERY. */
struct nv3_fault {
	u32 reason;	/* DRM_NV3_FAULT_* */
	u32 subch;
	u32 mthd;
	u32 data;
	u32 class_id;
};

/** struct nv3_queue - the state of a channel in the scheduler; guarded by nv3_rm.lock */
struct nv3_queue {
	/** @link: entry in nv3_rm.ready */
	struct list_head link;
	/** @jobs: batches that the GPU scheduler has released, oldest first */
	struct list_head jobs;
	/** @preempted: the saved state of PFIFO, if the first batch in @jobs was preempted */
	struct nv3_preempted preempted;
	/** @reason: why the running batch is preempted, for tracepoints */
	enum nv3_switch_reason reason;

	/** @priority: DRM_NV3_PRIORITY_*; constant */
	s32 priority;
	/** @since: the time at which the timeslice began */
	ktime_t since;
	/** @continues: the next batch of the channel begins in the current timeslice */
	bool continues;
	/**
	 * @overtaken: number of times that other channels have overtaken this channel since it
	 * became ready
	 */
	u32 overtaken;
	/**
	 * @reaping: the channel can't become ready until a worker has removed its destroyed objects
	 */
	bool reaping;
	/** @entered: the value of nv3_rm.timeslices when the channel became ready */
	u64 entered;
	/**
	 * @waited: the maximum number of timeslices that other channels have begun during one wait
	 * of this channel in nv3_rm.ready
	 */
	u32 waited;

	/** @waits: the object whose method blocks the channel, or NULL */
	struct nv3_object *waits;
	/** @blocked: the time at which the channel was blocked */
	ktime_t blocked;
	/** @deadline: the time at which @timer raises @fault on the channel */
	ktime_t deadline;
	struct nv3_fault fault;
	struct hrtimer timer;
	/**
	 * @closed: the client has closed the channel, so a method that would block the channel
	 * fails at once
	 */
	bool closed;
};

/*
 * The argument of method 0x104 is the number of the slot to which the chip writes the notification.
 * The chip raises an interrupt for slots 1 to 15, but not for slot 0. The notification memory of a
 * channel therefore has two slots, and the tail uses slot 1.
 */
#define NV3_FENCE_SLOT		1
#define NV3_FENCE_SIZE		(2 * NV3_NOTIFICATION_SIZE)

/* The number of words in the tail of a batch, and the subchannel that the tail uses. */
#define NV3_FENCE_TAIL		6
#define NV3_TAIL_SUBCH		7

/* The objects with which the chip reports that a batch of the channel has completed. */
struct nv3_fence_context {
	/** @object: the fence object, whose secret handle is in the tail of each batch */
	struct nv3_object *object;
	/** @target: the DMA object for the two notification slots of the channel */
	struct nv3_ramin target;
	/** @context: the dma_fence context */
	u64 context;
	/** @seqno: sequence number of the newest fence; guarded by nv3_channel.lock */
	u64 seqno;
};

/* A context image: memory in which the chip stores a channel's state of class PROGRAMS. */
struct nv3_image {
	/**
	 * @cpu: CPU address of the image (nv3_rm.image_size bytes), or NULL if the channel has no
	 * image
	 */
	void *cpu;
	dma_addr_t dma;
};

/** struct nv3_channel - a virtual FIFO with its objects, its queue and its state in the chip */
struct nv3_channel {
	/**
	 * @ref: held by the file's table, by ioctls and by each batch. Objects hold no reference
	 */
	struct kref ref;

	/* Constant. */

	struct nv3_rm *rm;
	/** @client: the account of the file, or NULL for the kernel's own channel */
	struct nv3_client *client;
	/** @chid: the number of the channel in the chip, 1 to 127 */
	u32 chid;
	/** @type: DRM_NV3_CHANNEL_DMA or DRM_NV3_CHANNEL_PIO */
	u32 type;
	/**
	 * @long_running: methods of the channel may block, and its batches publish no completion
	 * fences
	 */
	bool long_running;
	/** @budget_ms: maximum chip time of a batch, in milliseconds */
	u32 budget_ms;
	/** @ring: the ring from which the chip reads batches, for a DMA channel */
	struct nv3_ring ring;
	/** @pio: the timeslices and the USER aperture, for a PIO channel */
	struct nv3_pio *pio;
	/** @fence_context: the objects with which the chip reports that a batch has completed */
	struct nv3_fence_context fence_context;
	/** @sched: the GPU scheduler. Batches wait for fences in @entity, its only entity */
	struct drm_gpu_scheduler *sched;
	struct drm_sched_entity entity;

	/**
	 * @vm: the address space of the objects of class PROGRAMS, with a reference, or NULL. The
	 * pointer is set once, together with @image, while @lock is held and no batch is in flight
	 */
	struct nv3_vm *vm;
	/** @image: the context image of class PROGRAMS */
	struct nv3_image image;

	/** @lock: serialises ioctls and guards the fields up to @synced */
	struct mutex lock;
	/** @submitted: the number of the newest batch */
	u64 submitted;
	/** @closed: the client has closed the channel */
	bool closed;
	/**
	 * @synced: fence of the newest batch that uses bounce pages (nv3_job_sync.c), or NULL
	 */
	struct dma_fence *synced;

	/* nv3_rm.lock guards the fields up to @completed. */

	/** @queue: the state of the channel in the scheduler of the chip (nv3_sched.c) */
	struct nv3_queue queue;
	/**
	 * @objects: objects by handle. Objects are added with @lock held, and looked up and removed
	 * with nv3_rm.lock held
	 */
	struct xarray objects;
	/** @dying: destroyed objects that batches in flight may still use, oldest first */
	struct list_head dying;
	/** @watchers: objects of classes that implement nv3_class.faulted() */
	struct list_head watchers;
	/** @semaphores: number of semaphore objects */
	u32 semaphores;
	/** @notifier_waits: the client's notifications that have a fence and are in progress */
	struct list_head notifier_waits;
	/** @notifier_wait_count: the number of entries in @notifier_waits */
	u32 notifier_wait_count;
	/** @dmas: DMA objects, whose page tables are updated when their buffers have moved */
	struct list_head dmas;
	/** @dma_count: the number of entries in @dmas */
	u32 dma_count;
	/** @soft: the software object that is bound to each subchannel, or NULL */
	struct nv3_object *soft[NV3_PFIFO_CACHE1_CTX_COUNT];
	/** @slot: the surface that was selected into each slot, or NULL */
	struct nv3_surface *slot[DRM_NV3_SURFACE_SLOTS];
	/** @graph: the drawing state, while another channel owns PGRAPH */
	struct nv3_graph_state graph;
	/** @suspended: the context words of the subchannels, while the chip has no power */
	u32 suspended[NV3_PFIFO_CACHE1_CTX_COUNT];
	/** @fault: the fault of the channel, after which SUBMIT refuses batches */
	struct nv3_fault fault;
	/** @retired: the number of the newest batch that has ended, with or without success */
	u64 retired;
	/** @completed: number of batches that have completed without a fault */
	u64 completed;

	/* Fields with locks of their own, or without a lock. */

	/** @retire_wait: woken when @retired changes */
	wait_queue_head_t retire_wait;
	/** @outs_lock: guards nv3_job.outs and @newest */
	spinlock_t outs_lock;
	/**
	 * @newest: the newest timeslice of a long-running PIO channel, or NULL after it has ended
	 */
	struct nv3_job *newest;
	/**
	 * @syncing: number of batches that have ended, but whose bounce pages are still being
	 * copied for the CPU
	 */
	atomic_t syncing;
	/**
	 * @object_count: number of objects that have not been freed. The channel is freed after its
	 * objects
	 */
	atomic_t object_count;
	/** @reap: removes the dead objects that nv3_object_reap() has left */
	struct work_struct reap;
	/**
	 * @resume: places the buffers of the first batch again. Only this work uses the next two
	 * fields
	 */
	struct delayed_work resume;
	/** @resume_tries: number of failed attempts to place the buffers of the batch */
	unsigned int resume_tries;
	/** @resume_since: the time, in jiffies, of the first attempt */
	unsigned long resume_since;
	/** @end: ends the channel after its last reference is dropped */
	struct work_struct end;
};

/** struct nv3_file - the channels and address spaces of a DRM file */
struct nv3_file {
	/** @lock: guards @channels and @vms, which hold a reference to each entry */
	struct mutex lock;
	struct xarray channels;
	struct xarray vms;
	/** @client: the file's account */
	struct nv3_client *client;
};

static inline struct nv3_channel *nv3_channel_get(struct nv3_channel *chan)
{
	kref_get(&chan->ref);
	return chan;
}

static inline void nv3_channel_release(struct kref *ref)
{
	struct nv3_channel *chan = container_of(ref, struct nv3_channel, ref);

	/*
	 * The caller may run in the channel's GPU scheduler, which must be stopped before the
	 * channel ends. A worker therefore ends the channel.
	 */
	queue_work(chan->rm->channel_wq, &chan->end);
}

/* Any context. */
static inline void nv3_channel_put(struct nv3_channel *chan)
{
	kref_put(&chan->ref, nv3_channel_release);
}

/* Returns the hooks of pio/ for a PIO channel, or NULL for a DMA channel. */
static inline const struct nv3_pio_ops *nv3_channel_pio_ops(const struct nv3_channel *chan)
{
	return chan->type == DRM_NV3_CHANNEL_PIO ? chan->rm->hooks->pio : NULL;
}

/* ---- classes and objects ---- */

/* The class-specific arguments of OBJECT_INSTANTIATE. */
union nv3_object_args {
	struct drm_nv3_dma_args dma;
	struct drm_nv3_surface_args surface;
	struct drm_nv3_graph_args graph;
	struct drm_nv3_programs_args programs;
	struct drm_nv3_semaphore_args semaphore;
	struct drm_nv3_flip_args flip;
};

/* Values that nv3_class.method() may return in addition to DRM_NV3_FAULT_*. */

/*
 * The method stays in CACHE1, and traps again when PGRAPH has executed the method that the driver
 * has injected into CACHE0.
 */
#define NV3_TRAP_AGAIN		0x100
/*
 * nv3_sched_block() was called. The method stays in CACHE1, and traps again after nv3_sched_wake().
 */
#define NV3_TRAP_WAIT		0x101
/* The method completes the batch. */
#define NV3_TRAP_DONE		0x102

/**
 * struct nv3_class - a hardware or software class
 *
 * To add a class, define a struct nv3_class and add a line to class/nv3_class_table.h.
 */
struct nv3_class {
	u32 id;
	const char *name;
	/**
	 * @hardware: PGRAPH executes the methods. The driver offers the class only if PGRAPH has
	 * the class
	 */
	bool hardware;
	/** @needs: mask of the hardware classes that a software class needs */
	u32 needs;
	/**
	 * @waits: methods may block the channel, so only long-running channels can have objects of
	 * this class
	 */
	bool waits;
	/** @args_size: size of the class's member of union nv3_object_args */
	size_t args_size;

	/**
	 * @create: checks @args and creates the object. The caller adds the object to the channel's
	 * table
	 */
	struct nv3_object *(*create)(struct nv3_channel *chan, const struct nv3_class *class,
				     struct drm_file *file, const union nv3_object_args *args);
	/** @destroy: frees the object after its last reference was dropped. May sleep */
	void (*destroy)(struct nv3_object *obj);
	/**
	 * @write: writes the instance memory of a new object, or writes it again after RAMIN has
	 * lost its contents
	 */
	void (*write)(struct nv3_object *obj);
	/**
	 * @memory: returns the buffer that the chip accesses through the object. Sets @write to
	 * true if the chip may write the buffer
	 */
	struct nv3_bo *(*memory)(struct nv3_object *obj, bool *write);

	/*
	 * Members of a hardware class, or of a software class that draws. The functions are called
	 * with nv3_rm.lock held.
	 */

	/** @flags: the flags of struct drm_nv3_graph_args that are valid for the class */
	u32 flags;
	/**
	 * @dmas: the number of DMA objects that an object of the class can use, except the DMA
	 * object for notifications
	 */
	unsigned int dmas;
	/** @formats: the largest color_format that is valid for the class */
	u32 formats;
	/**
	 * @emulate: executes a method that PGRAPH has rejected as invalid. Returns DRM_NV3_FAULT_*
	 */
	u32 (*emulate)(struct nv3_object *obj, u32 mthd, u32 data);
	/**
	 * @deferred: PGRAPH may execute a draw after it has accepted later methods. In RAMIN, the
	 * words of the draw's DMA object follow the words of the object. If an access by the draw
	 * fails, PDMA reports that DMA object
	 */
	bool deferred;
	/**
	 * @injected: sets @mthd and @data to the client's method that made the driver inject a
	 * method into CACHE0
	 */
	void (*injected)(struct nv3_object *obj, u32 *mthd, u32 *data);

	/*
	 * Functions of a software class, which return DRM_NV3_FAULT_* or NV3_TRAP_*. PFIFO has
	 * stopped at the method, PGRAPH has completed all earlier methods, and the caller holds
	 * nv3_rm.lock.
	 */

	/**
	 * @select: called when the object is bound to @subch; NULL if binding needs no further
	 * action
	 */
	u32 (*select)(struct nv3_object *obj, u32 subch);
	/**
	 * @method: executes a method other than method 0; NULL if the class has no other methods
	 */
	u32 (*method)(struct nv3_object *obj, u32 subch, u32 mthd, u32 data);

	/* nv3_rm.lock is held. */

	/** @forget: called when the object is about to be destroyed */
	void (*forget)(struct nv3_channel *chan, struct nv3_object *obj);
	/** @faulted: called when the channel of the object has faulted */
	void (*faulted)(struct nv3_object *obj);
	/**
	 * @is_deadlocked: returns whether the channel waits for an event that can no longer occur
	 */
	bool (*is_deadlocked)(struct nv3_object *obj);
};

/** struct nv3_object - an instance of a class in a channel */
struct nv3_object {
	/** @ref: held by the channel's table and by other objects that use this object */
	struct kref ref;
	const struct nv3_class *class;
	struct nv3_channel *chan;
	/** @key: the handle and the context word, which RAMHT contains */
	struct nv3_ramht_key key;
	/** @inst: the instance memory of the object, if it has any */
	struct nv3_ramin inst;

	/* Guarded by nv3_rm.lock. */

	/** @last: number of the last batch that may still use the destroyed object */
	u64 last;
	/** @dying: entry in nv3_channel.dying, which is ordered by @last */
	struct list_head dying;
	/** @memory: entry in nv3_pio.memory, if the class implements nv3_class.memory() */
	struct list_head memory;
	/** @link: entry in nv3_channel.watchers, if the class implements nv3_class.faulted() */
	struct list_head link;

	/** @free: entry in nv3_rm.free */
	struct llist_node free;
};

static inline struct nv3_object *nv3_object_get(struct nv3_object *obj)
{
	kref_get(&obj->ref);
	return obj;
}

/* ---- batches ---- */

/*
 * The maximum size of a batch in bytes, without its tail. Two batches of this size fit into a ring.
 */
#define NV3_SUBMIT_MAX		((u32)(NV3_RING_SIZE / 2 - SZ_1K))

/* The maximum and the default of nv3_channel.budget_ms. */
#define NV3_HANG_BUDGET_MS	10000

/** struct nv3_hang_check - the chip time and the progress of a job; guarded by nv3_rm.lock */
struct nv3_hang_check {
	/** @begun: the time at which the job was started or resumed */
	ktime_t begun;
	/** @due: the time of the next check */
	ktime_t due;
	/** @checked: the job has been checked since @begun */
	bool checked;
	/**
	 * @ran_ns: chip time of the job in nanoseconds, when the time counter had the value
	 * @counted
	 */
	u64 ran_ns;
	u32 counted;
	/** @progress: a number that changes with each method of the job */
	u64 progress;
	/**
	 * @since: the time of the last change of @progress. The next two fields contain the values
	 * of @ran_ns and of PDMA's byte count at that time
	 */
	ktime_t since;
	u64 since_ran_ns;
	u32 since_bytes;
	/** @bytes: number of bytes that PDMA has transferred since @since */
	u32 bytes;
};

/**
 * struct nv3_job_ops - functions of a batch, PIO timeslice or copy, called with nv3_rm.lock held
 */
struct nv3_job_ops {
	/** @begin: starts the job, whose channel owns PFIFO */
	void (*begin)(struct nv3_job *job);
	/** @resume: continues the job after a preemption; or NULL */
	void (*resume)(struct nv3_job *job);
	/**
	 * @block: called when a method blocks the channel, instead of preempting the job at once;
	 * or NULL
	 */
	void (*block)(struct nv3_job *job);
	/**
	 * @fault: called after a fault if the job can only end later; NULL if the job ends at once
	 */
	void (*fault)(struct nv3_job *job);
	/** @retire: called when the job has ended, or when it was cancelled before it began */
	void (*retire)(struct nv3_job *job);
	/**
	 * @backlog: returns how many methods of the job the driver keeps outside the chip; or NULL
	 */
	u32 (*backlog)(struct nv3_job *job);
};

/* A buffer of a batch for which the chip accesses bounce pages. */
struct nv3_job_sync {
	struct nv3_bo *bo;
	bool write;
};

/** struct nv3_job - a batch, PIO timeslice or copy, until the GPU scheduler frees it */
struct nv3_job {
	/** @ref: held by the GPU scheduler, and by nv3_resume_work() while it runs */
	struct kref ref;
	struct drm_sched_job base;

	/* Constant after nv3_job_arm(). */

	struct nv3_channel *chan;
	const struct nv3_job_ops *ops;
	/** @is_pio: the job is a PIO timeslice, without words and without a tail (pio/nv3_pio.c) */
	bool is_pio;
	/** @seqno: number of the batch in its channel, counted from 1 */
	u64 seqno;
	/**
	 * @copy: the copy, if the job belongs to the migration engine (class/nv3_migration.c), else
	 * NULL
	 */
	struct nv3_copy *copy;
	/** @span: the words and the tail of the batch in the ring of the channel */
	struct nv3_ring_span span;
	/**
	 * @fence: signals when the job has ended. Batches of long-running channels do not publish
	 * this fence
	 */
	struct dma_fence *fence;
	/** @bos: the buffers that the batch lists, with a reference to each */
	struct nv3_bo **bos;
	/** @bo_count: the number of entries in @bos */
	u32 bo_count;
	/** @syncs: the buffers in @bos for which the chip accesses bounce pages (nv3_job_sync.c) */
	struct nv3_job_sync *syncs;
	/** @sync_count: the number of entries in @syncs */
	unsigned int sync_count;

	/* Guarded by nv3_rm.lock. */

	/** @link: entry in nv3_queue.jobs, and after the end of the job in nv3_rm.over */
	struct list_head link;
	/** @error: the error of @fence, or 0 */
	int error;
	/** @retired: nv3_job_ops.retire() was called */
	bool retired;
	/**
	 * @preempt_fence: the preempt fence of a batch of a long-running channel while its buffers
	 * are in place, else NULL
	 */
	struct nv3_preempt_fence *preempt_fence;
	/** @waited: total time for which the batch has been blocked */
	ktime_t waited;
	/** @idle: the number of consecutive checks that found the chip idle */
	unsigned int idle;
	struct nv3_hang_check hang_check;

	/**
	 * @outs: out syncobjs that get @fence when a batch of a long-running channel has ended;
	 * guarded by nv3_channel.outs_lock
	 */
	struct list_head outs;
	/** @sync_work: copies bounce pages for the CPU, and then signals @fence */
	struct work_struct sync_work;
};

static inline struct nv3_job *to_job(struct drm_sched_job *base)
{
	return container_of(base, struct nv3_job, base);
}

static inline void nv3_job_get(struct nv3_job *job)
{
	kref_get(&job->ref);
}

/*
 * Returns the oldest batch in the queue. This batch is running, or is the next batch of the channel
 * to run.
 */
static inline struct nv3_job *nv3_queue_first(struct nv3_queue *queue)
{
	return list_first_entry(&queue->jobs, struct nv3_job, link);
}

/**
 * struct nv3_preempt_fence - keeps buffers of a batch in place until another task waits for them
 *
 * Only batches of long-running channels have a preempt fence.
 */
struct nv3_preempt_fence {
	struct dma_fence base;
	/** @lock: the fence's own lock, because the fence may outlive the channel */
	spinlock_t lock;
	struct nv3_rm *rm;
	/**
	 * @job: the batch, until it has released its buffers or has ended; guarded by
	 * nv3_rm.lock
	 */
	struct nv3_job *job;
	/** @wanted: another task waits for the buffers; guarded by nv3_rm.lock */
	bool wanted;
	/** @link: entry in nv3_rm.preempt_fences */
	struct list_head link;
	/** @work: queued when another task begins to wait for the fence */
	struct work_struct work;
};

/*
 * Returns true if the buffers of the batch are in place, which is always true unless the channel is
 * long-running.
 */
static inline bool nv3_job_is_resident(const struct nv3_job *job)
{
	return !job->chan->long_running || job->preempt_fence;
}

/* Returns true if another task waits for the buffers of the batch. */
static inline bool nv3_job_is_wanted(const struct nv3_job *job)
{
	return job->preempt_fence && job->preempt_fence->wanted;
}

/* Queues nv3_rm_reap_work(), which removes destroyed objects. nv3_rm.lock is held. */
static inline void nv3_sched_reap_later(struct nv3_channel *chan)
{
	lockdep_assert_held(&chan->rm->lock);

	nv3_channel_get(chan);
	/*
	 * The next batch of the channel may wait for this work. Other work on this workqueue must
	 * therefore not wait for a fence.
	 */
	if (!queue_work(chan->rm->sched_wq, &chan->reap))
		nv3_channel_put(chan);
}

/*
 * Queues a worker that raises a fault on channels that wait for an event that can no longer occur.
 * Called when a semaphore object was destroyed, or when its channel has faulted. Any context.
 */
static inline void nv3_sched_check_deadlocks(struct nv3_rm *rm)
{
	queue_work(rm->wq, &rm->deadlocked);
}

/*
 * Returns the first batch of the channel if the channel waits only for the buffers of this batch,
 * else NULL.
 */
static inline struct nv3_job *nv3_sched_evicted_job(struct nv3_channel *chan)
{
	struct nv3_queue *queue = &chan->queue;
	struct nv3_job *job;

	lockdep_assert_held(&chan->rm->lock);

	job = list_first_entry_or_null(&queue->jobs, struct nv3_job, link);
	return job && !queue->waits && !nv3_job_is_resident(job) ? job : NULL;
}

#endif
