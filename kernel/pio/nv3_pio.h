/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_PIO_H
#define NV3_PIO_H

#include <linux/wait.h>
#include <linux/workqueue.h>

#include "nv3_aperture.h"
#include "nv3_runout.h"
#include "rm/nv3_channel.h"

struct nv3_job;
struct nv3_object;

/*
 * The maximum number of a PIO channel's objects that access buffers (nv3_class.memory). Each
 * timeslice places the buffers of all these objects.
 */
#define NV3_PIO_MEMORY_MAX	256

/*
 * The states of a PIO timeslice, see docs/explanation/pio.md. OPEN: stores reach the chip. ENDING:
 * the aperture is being unmapped, and the chip executes the stored methods.
 */
enum nv3_pio_state {
	NV3_PIO_NONE,
	NV3_PIO_REQUESTED,
	NV3_PIO_OPEN,
	NV3_PIO_ENDING,
};

/** struct nv3_pio - the timeslices of a PIO channel, and its USER aperture */
struct nv3_pio {
	/** @chan: the channel; constant */
	struct nv3_channel *chan;

	/* Guarded by nv3_rm.lock. */

	enum nv3_pio_state state;
	/** @job: the job of the timeslice, or NULL if @state is NV3_PIO_NONE */
	struct nv3_job *job;
	/** @requested: entry in nv3_rm.pio_requested while @state is NV3_PIO_REQUESTED */
	struct list_head requested;
	/**
	 * @end_early: the requested timeslice ends as soon as it begins (nv3_pio_end_early(),
	 * nv3_pio_interrupt())
	 */
	bool end_early;
	/**
	 * @released: the client or a batch has ended the timeslice, so it ends even if debugfs has
	 * frozen timeslices
	 */
	bool released;
	/**
	 * @unmapped: nv3_job.seqno of the newest timeslice after which the aperture was unmapped
	 */
	u64 unmapped;
	/** @stuck: the aperture could not be unmapped in time; the timeslice ends with a fault */
	bool stuck;
	/** @blocked: the puller has stopped at a method that blocks the channel */
	bool blocked;
	/** @arrived: the client has accessed the aperture in this timeslice */
	bool arrived;
	/**
	 * @since: the time, in jiffies, at which the timeslice began, or at which the client first
	 * accessed the aperture in this timeslice
	 */
	unsigned long since;
	/** @put: PUT of CACHE1 at the last tick */
	u32 put;
	/** @backlog: methods that overflowed to RAMRO and have not been replayed */
	struct nv3_backlog backlog;
	/** @memory: the channel's objects through which the chip accesses buffers */
	struct list_head memory;
	/** @memory_count: the number of objects in @memory */
	unsigned int memory_count;

	/** @fence: the fence of the newest timeslice; guarded by nv3_channel.lock */
	struct dma_fence *fence;

	/** @wait: woken when @state or @unmapped changes */
	wait_queue_head_t wait;
	/** @tick: checks and ends the timeslice. Fences depend on this work */
	struct delayed_work tick;
	/** @unmap: unmaps the aperture, for which it takes locks that @tick must not take */
	struct work_struct unmap;

	struct nv3_aperture aperture;
};

extern const struct nv3_pio_ops nv3_pio_hooks;

int nv3_pio_init(struct nv3_channel *chan);
void nv3_pio_fini(struct nv3_channel *chan);
int nv3_pio_add_memory(struct nv3_object *obj);
void nv3_pio_remove_memory(struct nv3_object *obj);

extern const struct nv3_job_ops nv3_pio_job_ops;

enum nv3_pio_state nv3_pio_state(struct nv3_channel *chan);
void nv3_pio_requested(struct nv3_job *job);
int nv3_pio_wait(struct nv3_channel *chan, unsigned int task_state);
bool nv3_pio_may_map(struct nv3_channel *chan);
bool nv3_pio_is_dead(struct nv3_channel *chan);
void nv3_pio_end_early(struct nv3_channel *chan);
struct nv3_channel *nv3_pio_interrupt(struct nv3_rm *rm, struct nv3_bo **bos, u32 count);
void nv3_pio_runout(struct nv3_rm *rm, u32 intr);

/* nv3_pio_request.c */
int nv3_pio_request(struct nv3_channel *chan, unsigned int task_state);

/* nv3_pio_flush.c */
int nv3_channel_flush_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
