/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CHANNEL_H
#define NV3_CHANNEL_H

#include <linux/kref.h>
#include <linux/wait.h>
#include <linux/xarray.h>

#include "nv3_client.h"
#include "nv3_lease.h"
#include "nv3_notifier.h"
#include "nv3_queue.h"
#include "nv3_ring.h"
#include "nv3_rm_priv.h"
#include "nv3_switch.h"
#include "nv3_window.h"

struct nv3_surface;

/* A virtual FIFO: a client's own, complete view of the chip. */
struct nv3_channel {
	/** @ref: the file's table, ioctls, each batch; objects end before the channel */
	struct kref ref;
	struct nv3_rm *rm;
	/** @client: the account of the file, or null for the kernel's own channel */
	struct nv3_client *client;
	/** @chid: by which the chip knows it, 1 to 127 */
	u32 chid;
	/** @type: DRM_NV3_CHANNEL_*: of those that follow, DMA has @ring, PIO the other two */
	u32 type;
	/** @long_running: its methods may wait, and its batches have no fences for others */
	bool long_running;

	/** @lock: one ioctl at a time */
	struct mutex lock;
	/** @sched: batches wait for fences here, in its one queue @entity */
	struct drm_gpu_scheduler *sched;
	struct drm_sched_entity entity;
	/** @end: the last reference is gone */
	struct work_struct end;
	/** @budget_ms: chip time that a batch may take */
	u32 budget_ms;
	/** @ring: where the chip reads them from */
	struct nv3_ring ring;
	/** @window: through which the client reaches the chip */
	struct nv3_window window;
	/** @lease: when it does */
	struct nv3_lease lease;
	/** @resume: gets the buffers of its first batch back, and owns the two that follow */
	struct delayed_work resume;
	/** @resume_tries: how often that failed for this batch, since @resume_since, in jiffies */
	unsigned int resume_tries;
	unsigned long resume_since;
	/** @outs_lock: nv3_job.outs, and @newest: the last batch, while that has not been over */
	spinlock_t outs_lock;
	struct nv3_job *newest;
	/** @bounced: fence of the newest batch with memory that the chip can't reach, or null */
	struct dma_fence *bounced;
	/** @bouncing: batches that are over, but for what goes back to such memory */
	atomic_t bouncing;
	/** @submitted: number of the newest batch */
	u64 submitted;
	/** @object_count: objects that are not yet destroyed; the channel ends after them */
	atomic_t object_count;
	/** @closed: the client is gone */
	bool closed;

	/* From here to @completed: nv3_rm.lock. */

	/** @queue: those that wait for nothing any more, but for the chip */
	struct nv3_queue queue;
	/** @objects: by name. Entered under @lock, looked up and removed under nv3_rm.lock */
	struct xarray objects;
	/** @dying: destroyed objects that batches in flight may still name, oldest first */
	struct list_head dying;
	/** @reap: removes those that no batch may name any more, if they are many */
	struct work_struct reap;
	/** @watchers: objects whose class wants to know of a fault */
	struct list_head watchers;
	/** @semaphores: how many of them are of that class */
	u32 semaphores;
	/** @notifies: who waits for notifications, @notify_count of them */
	struct list_head notifies;
	u32 notify_count;
	/** @dmas: DMA objects, whose page tables follow their buffers, @dma_count of them */
	struct list_head dmas;
	u32 dma_count;
	/** @soft: which software object each subchannel has, if it has one */
	struct nv3_object *soft[NV3_PFIFO_CACHE1_CTX_COUNT];
	/** @slot: which surface was selected into each slot */
	struct nv3_surface *slot[DRM_NV3_SURFACE_SLOTS];
	/** @graph: its drawing state, while another channel owns PGRAPH */
	struct nv3_graph_state graph;
	/** @suspended: its subchannels' context words, while there is no power */
	u32 suspended[NV3_PFIFO_CACHE1_CTX_COUNT];
	/** @fault: the first one; later batches are refused */
	struct nv3_fault fault;
	/** @retired: number of the newest batch that is over, however it ended */
	u64 retired;
	/** @completed: batches that the chip carried out */
	u64 completed;

	/** @retire_wait: @retired has moved on */
	wait_queue_head_t retire_wait;
	/** @notifier: completes the batches */
	struct nv3_notifier notifier;
};

/* A DRM file's channels. */
struct nv3_file {
	/** @lock: guards @channels, and that a channel found there has a reference */
	struct mutex lock;
	struct xarray channels;
	/** @client: the file's account */
	struct nv3_client *client;
};

struct nv3_channel *nv3_channel_create(struct nv3_rm *rm, u32 type, u32 flags,
				       struct drm_file *file);
void nv3_channel_close(struct nv3_channel *chan);
struct nv3_channel *nv3_channel_get_by_id(struct drm_file *file, u32 id);
void nv3_channel_put(struct nv3_channel *chan);
void nv3_channel_stop(struct nv3_channel *chan);
int nv3_channel_wait_retired(struct nv3_channel *chan, u64 batch);

static inline struct nv3_channel *nv3_channel_get(struct nv3_channel *chan)
{
	kref_get(&chan->ref);
	return chan;
}

#endif
