/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_CHANNEL_H
#define NV3_CHANNEL_H

#include <linux/kref.h>
#include <linux/mutex.h>

#include "hw/nv3_ring.h"
#include "nv3_fence.h"
#include "nv3_sched.h"

struct nv3_pio;
struct nv3_surface;

/** struct nv3_channel - a virtual FIFO: a client's own, complete view of the chip */
struct nv3_channel {
	/** @ref: held by the file's table, ioctls and each batch. Objects end before the channel */
	struct kref ref;

	/* Constant. */

	struct nv3_rm *rm;
	/** @client: the account of the file, or NULL for the kernel's own channel */
	struct nv3_client *client;
	/** @chid: the number by which the chip knows it, 1 to 127 */
	u32 chid;
	/** @type: DRM_NV3_CHANNEL_DMA or DRM_NV3_CHANNEL_PIO */
	u32 type;
	/** @long_running: its methods may block, and its batches publish no fences */
	bool long_running;
	/** @budget_ms: chip time in milliseconds that a batch may take */
	u32 budget_ms;
	/** @ring: of a DMA channel: where the chip reads batches from */
	struct nv3_ring ring;
	/** @pio: of a PIO channel: its timeslices and USER aperture */
	struct nv3_pio *pio;
	/** @fence_context: how the chip signals that a batch is done */
	struct nv3_fence_context fence_context;
	/** @sched: the GPU scheduler, in whose one @entity batches wait for fences */
	struct drm_gpu_scheduler *sched;
	struct drm_sched_entity entity;

	/* @lock: one ioctl at a time. It guards the fields up to @synced. */

	struct mutex lock;
	/** @submitted: number of the newest batch */
	u64 submitted;
	/** @closed: the client has closed the channel */
	bool closed;
	/** @synced: fence of the newest batch with memory that the chip can't reach, or NULL */
	struct dma_fence *synced;

	/* nv3_rm.lock: the fields up to @completed. */

	/** @queue: batches that wait for the chip only */
	struct nv3_queue queue;
	/** @objects: by handle. Entered under @lock, looked up and removed under nv3_rm.lock */
	struct xarray objects;
	/** @dying: destroyed objects that batches in flight may still name, oldest first */
	struct list_head dying;
	/** @watchers: objects whose class has faulted() */
	struct list_head watchers;
	/** @semaphores: number of semaphore objects */
	u32 semaphores;
	/** @notifier_waits: clients' notifications that have a fence */
	struct list_head notifier_waits;
	/** @notifier_wait_count: their number */
	u32 notifier_wait_count;
	/** @dmas: DMA objects, whose page tables follow their buffers */
	struct list_head dmas;
	/** @dma_count: their number */
	u32 dma_count;
	/** @soft: the software object that each subchannel has selected, or NULL */
	struct nv3_object *soft[NV3_PFIFO_CACHE1_CTX_COUNT];
	/** @slot: the surface that was selected into each slot, or NULL */
	struct nv3_surface *slot[DRM_NV3_SURFACE_SLOTS];
	/** @graph: the drawing state, while another channel owns PGRAPH */
	struct nv3_graph_state graph;
	/** @suspended: the context words of the subchannels, while the chip has no power */
	u32 suspended[NV3_PFIFO_CACHE1_CTX_COUNT];
	/** @fault: the first one, after which batches are refused */
	struct nv3_fault fault;
	/** @retired: number of the newest batch that has ended, however it ended */
	u64 retired;
	/** @completed: batches that the chip has executed */
	u64 completed;

	/* With locks of their own, or none. */

	/** @retire_wait: woken when @retired changes */
	wait_queue_head_t retire_wait;
	/** @outs_lock: guards nv3_job.outs and @newest */
	spinlock_t outs_lock;
	/** @newest: of a long-running PIO channel: the last batch, until it ends */
	struct nv3_job *newest;
	/** @syncing: batches that have ended, but whose results are still copied for the CPU */
	atomic_t syncing;
	/** @object_count: objects that are not yet destroyed; the channel ends after them */
	atomic_t object_count;
	/** @reap: removes destroyed objects that no batch may name any more, if they are many */
	struct work_struct reap;
	/** @resume: places the buffers of the first batch again, and owns the next two fields */
	struct delayed_work resume;
	/** @resume_tries: failed attempts for this batch */
	unsigned int resume_tries;
	/** @resume_since: the time of the first one in jiffies */
	unsigned long resume_since;
	/** @end: runs after the last reference is gone */
	struct work_struct end;
};

/** struct nv3_file - the channels of a DRM file */
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
struct nv3_channel *nv3_channel_lookup(struct drm_file *file, u32 id);
void nv3_channel_put(struct nv3_channel *chan);
void nv3_channel_stop(struct nv3_channel *chan);
int nv3_channel_wait_retired(struct nv3_channel *chan, u64 batch);
int nv3_channel_wait_dying(struct nv3_channel *chan);
int nv3_channel_check_count(struct nv3_channel *chan, const struct nv3_class *class,
			    const u32 *count, u32 max);

static inline struct nv3_channel *nv3_channel_get(struct nv3_channel *chan)
{
	kref_get(&chan->ref);
	return chan;
}

/* The hooks of pio/ for a PIO channel, or NULL for a DMA channel. */
static inline const struct nv3_pio_ops *nv3_channel_pio_ops(const struct nv3_channel *chan)
{
	return chan->type == DRM_NV3_CHANNEL_PIO ? chan->rm->hooks->pio : NULL;
}

#endif
