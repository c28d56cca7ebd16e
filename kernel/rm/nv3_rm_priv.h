/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the resource manager share. Nothing outside rm/ includes
 * this.
 *
 * Locking, from the outside in:
 *
 * - nv3_file.lock, a mutex: the file's table of channels.
 * - nv3_channel.lock, a mutex: what a client does to its channel happens one
 *   ioctl after the other: instantiate, destroy, submit. Waits for fences may
 *   happen under it, since completing a batch never takes it.
 * - reservations of buffers (through drm_exec), inside nv3_channel.lock.
 * - nv3_copier.lock, a mutex: the kernel's own channel, on which copies of buffers are asked
 *   for, inside their reservations.
 * - nv3_window.lock, a mutex, inside mmap_lock or reservations: page table entries of an
 *   aperture come and go.
 * - nv3_rm.ramin_lock, a mutex: who has which piece of instance memory.
 * - nv3_rm.channels_lock, a spinlock: which channels there are.
 * - nv3_rm.lock, a spinlock taken by the interrupt handler: the chip. PFIFO and
 *   PGRAPH are written under it, and so are RAMHT, RAMRO and RAMFC; with them go the
 *   owners, the running batch, the cache of names in RAMHT, the table of names
 *   of each channel, its surfaces and its fault. Whoever has this lock and sees
 *   no running batch knows that nothing moves. Words of RAMIN that nothing on the
 *   chip mentions yet, or any more, are written without it.
 * - nv3_rm.signal_lock, a spinlock: fences are signalled under it. nv3_rm_unlock() takes it
 *   before it releases nv3_rm.lock, so that fences signal in the order in which they were
 *   queued, whichever CPU signals them.
 *
 * What fences wait for (nv3_lease_tick(), the schedulers, nv3_bounce_work(), nv3_copy_work(),
 * the preempt fences' worker, and what follows drm_sched_job_arm()) is between
 * dma_fence_begin_signalling() and dma_fence_end_signalling(). It takes spinlocks only.
 * nv3_window.lock is not for it, as a page fault allocates page tables under that.
 *
 * The worker that destroys objects (nv3_object_free_work()), of all channels, takes
 * nv3_rm.ramin_lock and nv3_rm.lock, and where a buffer goes with an object, reservations. So it
 * may be waited for under nv3_channel.lock, but not under a reservation. It waits for nothing that
 * a client or the display could hold up: the work of a FLIP object has a reference to the object.
 *
 * Fences are signalled without nv3_rm.lock, under nv3_rm.signal_lock. A fence's callback takes
 * neither of them, nor nv3_channel.lock or a reservation, which the signaller may hold.
 *
 * Invariants, checked where they could break:
 *
 * - At most one batch runs; its channel is PFIFO's owner. One that was taken off in the middle
 *   is the first of its channel's, and all that PFIFO had of it is in nv3_queue.parked.
 * - A channel is in nv3_rm.ready, or runs, or is blocked, or wants the buffers of its first batch
 *   back (nv3_queue_wants_memory()), or has no batch: never two of these.
 * - Only a long-running channel is ever blocked, and no fence but nv3_job.fence, which is not
 *   published, says when a batch of one is done.
 * - While a channel is in nv3_rm.ready, no other of the same priority or a lower one begins two
 *   turns, and those of higher priority overtake it at most NV3_QUEUE_OVERTAKEN_MAX times in all.
 *   So it waits for fewer turns than there are channels, and that many.
 * - nv3_rm.stopping means that PFIFO is held up in the middle of the running batch, whose channel
 *   owns it, until PGRAPH has done the method that it is at. So it ends with PFIFO's owner:
 *   a channel that faults, or a chip that is reset, has nothing left to take off.
 * - PFIFO and PGRAPH have at most one owner each, which may differ: PGRAPH's
 *   follows when the first method of another channel arrives there.
 * - A channel's bindings are in CACHE1's context registers if it owns PFIFO,
 *   else in RAMFC; its drawing state is in PGRAPH's registers if it owns
 *   PGRAPH, else in nv3_channel.graph. Never in both, see nv3_switch.c.
 * - An object that RAMHT or a subchannel mentions has its instance memory.
 */
#ifndef NV3_RM_PRIV_H
#define NV3_RM_PRIV_H

#include <linux/bitmap.h>
#include <linux/hrtimer.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/xarray.h>

#include <drm/drm_mm.h>
#include <drm/gpu_scheduler.h>

#include "../nv3_drv.h"
#include "nv3_copy.h"
#include "nv3_coredump.h"
#include "nv3_hold.h"
#include "nv3_ramht.h"
#include "nv3_rm.h"

struct nv3_channel;
struct nv3_job;

/* Channel 0 is never given out: an all-zero context word names nobody. */
#define NV3_RM_CHANNELS		(NV3_USER_CHANNELS - 1)

/* More than there are numbers of classes in use. */
#define NV3_RM_CLASSES		64

/* RAMIN's first 64 KiB, docs/decisions/0004-layout-of-ramin.md. */
#define NV3_RM_RAMHT		0x00000
#define NV3_RM_RAMRO		0x08000
#define NV3_RAMRO_BYTES		SZ_8K
#define NV3_RM_RAMFC		0x0a000

/* Of a context word, what the puller's registers hold. */
#define NV3_CTX_REGISTER	0x00ffffff

/* The subchannel that the tail of each batch binds. */
#define NV3_TAIL_SUBCH		7

/* A graphics object in RAMIN: three words are used of four. */
#define NV3_GROBJ_SIZE		16

/* A channel's drawing state: the registers in nv3_switch.c's table. */
#define NV3_GRAPH_WORDS		140

/* What PGRAPH has fetched of an object, and of its notifier. */
#define NV3_GRAPH_FETCHED	4

struct nv3_graph_state {
	u32 word[NV3_GRAPH_WORDS];
	u32 fetched[NV3_GRAPH_FETCHED];
};

/* How often something was done, and how long that took in all. */
struct nv3_switch_cost {
	u64 count;
	u64 ns;
};

/* What PGRAPH's registers say of surfaces, whoever's they are. */
struct nv3_surface_regs {
	u32 offset[DRM_NV3_SURFACE_SLOTS];
	u32 pitch[DRM_NV3_SURFACE_SLOTS];
	u32 config;
	u32 canvas_max;
};

/* "nv3-ch" and the channel's number. */
#define NV3_NAME_SIZE		16

/**
 * struct nv3_sched - the GPU scheduler of the channels of one number
 *
 * The fences of batches lead to it for as long as a client keeps one, which may be longer than
 * the channel lasts. So it stays until the device is released, and serves one channel after the
 * other.
 */
struct nv3_sched {
	struct drm_gpu_scheduler base;
	char name[NV3_NAME_SIZE];
};

struct nv3_rm {
	struct nv3_device *nv3;
	/** @classes: those that this chip offers; set once */
	const struct nv3_class *classes[NV3_RM_CLASSES];
	unsigned int class_count;

	/** @lock: the chip; see above */
	spinlock_t lock;
	/** @pfifo: whose bindings CACHE1's context registers hold */
	struct nv3_channel *pfifo;
	/** @pgraph: whose drawing state PGRAPH's registers hold */
	struct nv3_channel *pgraph;
	/** @running: the batch that the chip is given */
	struct nv3_job *running;
	/** @stopping: PFIFO is held up to take it off, see nv3_queue_stopping() */
	bool stopping;
	/** @signal_lock: one CPU at a time signals fences; see above */
	spinlock_t signal_lock;
	/** @over: those that have just ended; their fences wait for nv3_rm_unlock() */
	struct list_head over;
	/** @notified: clients' notifications that have come, for nv3_rm_unlock() as well */
	struct list_head notified;
	/** @preempted: preempt fences of batches that have given their buffers up: the same */
	struct list_head preempted;
	/** @notify_free: those whose fences have signalled; @notify_work lets their buffers go */
	struct llist_head notify_free;
	struct work_struct notify_work;
	/** @ready: channels that want a turn, who has waited longest first */
	struct list_head ready;
	/** @asked: leases whose turn has not come; @mark: of the last SUBMIT that looked there */
	struct list_head asked;
	u64 mark;
	/** @hopeless: looks whether channels wait in vain */
	struct work_struct hopeless;
	/** @turns: that have begun */
	u64 turns;
	/** @tick: looks at @running; @ticking: it is set */
	struct hrtimer tick;
	bool ticking;
	/** @batch: serial number of @running, or of the last one */
	u64 batch;
	/** @ramht: which names RAMHT holds */
	struct nv3_ramht ramht;
	/** @surfaces: as written last, so that nothing is written twice */
	struct nv3_surface_regs surfaces;
	/** @graph_reset: what a reset leaves in PGRAPH: every channel begins so */
	struct nv3_graph_state graph_reset;
	/** @runouts: methods that have come back from RAMRO */
	u64 runouts;
	/** @running_since: when @running was given the chip; @engine_ns: such time in all */
	ktime_t running_since;
	u64 engine_ns;
	/** @inject_put: CACHE0's PUT, as written last */
	u32 inject_put;
	/** @cache1_size: entries of CACHE1 */
	unsigned int cache1_size;
	/** @vblank: the display wants PGRAPH's interrupt for it */
	bool vblank;
	/** @dead: nv3_rm_fini() was here */
	bool dead;
	/** @hold: what debugfs wants to look at; @hold_open: who does has the file open */
	enum nv3_hold hold;
	atomic_t hold_open;

	/** @instances: objects by their place in RAMIN, as traps name them */
	struct xarray instances;

	/** @ramin_lock: guards @ramin */
	struct mutex ramin_lock;
	/** @ramin: instance memory */
	struct drm_mm ramin;
	/** @ramin_frees: how often a piece of it was freed so far; @ramin_wait: woken then */
	atomic_t ramin_frees;
	wait_queue_head_t ramin_wait;

	/** @wq: for what may not be done where it comes up */
	struct workqueue_struct *wq;
	/** @free: objects without references; @free_work destroys them */
	struct llist_head free;
	struct work_struct free_work;

	/** @channels_lock: guards what follows, up to @channels */
	spinlock_t channels_lock;
	/** @chids: numbers of channels in use, and @chid_uid, the users who hold them */
	DECLARE_BITMAP(chids, NV3_USER_CHANNELS);
	kuid_t chid_uid[NV3_USER_CHANNELS];
	/** @ending: channels that were closed, and have their number still */
	unsigned int ending;
	/** @chid_wait: a number has been released */
	wait_queue_head_t chid_wait;
	/** @channels: by the number that the chip knows them by */
	struct nv3_channel *channels[NV3_USER_CHANNELS];

	/** @notifications: NV3_FENCE_STRIDE bytes a channel, for the chip to write */
	void *notifications;
	/** @notifications_dma: where the chip sees them */
	dma_addr_t notifications_dma;

	/** @dump: what was seen of the last fault, on its way to user space */
	struct nv3_coredump dump;

	/** @copier: moves buffers */
	struct nv3_copier copier;

	/** @scheds: by number of the channel; each is made with the first that has the number */
	struct nv3_sched *scheds[NV3_USER_CHANNELS];
	/** @signal_wq: for what fences wait for: nothing on it waits for memory, or sleeps long */
	struct workqueue_struct *signal_wq;
	/** @unmap_wq: where page table entries of apertures go: nv3_lease.c */
	struct workqueue_struct *unmap_wq;
	/** @resume_wq: where batches get their buffers back: nv3_long_running.c */
	struct workqueue_struct *resume_wq;
	/** @sched_wq: where the channels' schedulers work */
	struct workqueue_struct *sched_wq;
	/** @bounce_wq: where memory that the chip can't reach gets what it has written; ordered */
	struct workqueue_struct *bounce_wq;
	/** @flip_wq: where FLIP objects wait for the display, and nothing else does */
	struct workqueue_struct *flip_wq;
	/** @channel_wq: where channels end */
	struct workqueue_struct *channel_wq;
	/** @jobs: batches submitted and not freed; @idle: there are none */
	atomic_t jobs;
	wait_queue_head_t idle;

	/** @switches: times that PFIFO went to another channel */
	u64 switches;
	/** @batches: batches completed */
	u64 batches;
	/** @pfifo_cost: of giving PFIFO to another channel; @pgraph_cost: of PGRAPH's */
	struct nv3_switch_cost pfifo_cost;
	struct nv3_switch_cost pgraph_cost;
	/** @parks: times that one was taken off in the middle; @resets: of the chip */
	u64 parks;
	u64 resets;
};

static inline struct nv3_rm *to_rm(struct drm_device *drm)
{
	return to_nv3(drm)->rm;
}

/*
 * Whoever may end batches, or have a channel want a turn, takes the lock with these:
 * nv3_rm_unlock() begins the next turn if there is none, and signals the fences.
 */
unsigned long nv3_rm_lock(struct nv3_rm *rm) __acquires(&rm->lock);
void nv3_rm_unlock(struct nv3_rm *rm, unsigned long flags) __releases(&rm->lock);

struct nv3_channel *nv3_rm_get_channel(struct nv3_rm *rm, u32 chid);

/*
 * A piece of instance memory. @node.start is its byte address in RAMIN, a
 * multiple of 16; the chip says address / 16.
 */
struct nv3_ramin {
	struct drm_mm_node node;
};

/* nv3_ramin.c */
void nv3_ramin_init(struct nv3_rm *rm);
void nv3_ramin_fini(struct nv3_rm *rm);
int nv3_ramin_alloc(struct nv3_rm *rm, struct nv3_ramin *mem, u32 size);
void nv3_ramin_free(struct nv3_rm *rm, struct nv3_ramin *mem);

static inline u32 nv3_ramin_addr(const struct nv3_ramin *mem)
{
	return mem->node.start;
}

static inline u32 nv3_ramin_inst(const struct nv3_ramin *mem)
{
	return mem->node.start >> 4;
}

#endif
