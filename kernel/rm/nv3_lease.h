/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_LEASE_H
#define NV3_LEASE_H

#include <linux/list.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "nv3_runout.h"

struct dma_fence;
struct drm_device;
struct drm_file;
struct nv3_bo;
struct nv3_channel;
struct nv3_job;
struct nv3_object;
struct nv3_rm;

/* Objects of a PIO channel that reach a buffer: all of them are placed for each turn. */
#define NV3_LEASE_MEMORIES	256

/*
 * NONE -> ASKED -> OPEN -> ENDING -> NONE. OPEN: stores reach the chip. ENDING: the window
 * is being shut and what was stored is carried out.
 */
enum nv3_lease_state {
	NV3_LEASE_NONE,
	NV3_LEASE_ASKED,
	NV3_LEASE_OPEN,
	NV3_LEASE_ENDING,
};

/* A PIO channel's turn on the chip. Under nv3_rm.lock, but for @fence and @wait. */
struct nv3_lease {
	enum nv3_lease_state state;
	/** @job: the turn as the scheduler knows it, unless @state is NONE */
	struct nv3_job *job;
	/** @asked: in nv3_rm.asked, while @state is ASKED */
	struct list_head asked;
	/** @cut: what is stored now would come too early in it: not to be used */
	bool cut;
	/** @let_go: it ends though turns are held: the client wants it to, or it was before */
	bool let_go;
	/** @shut: number of the newest turn whose window is shut for good */
	u64 shut;
	/** @stuck: the window could not be shut in time; the turn ends nevertheless, in a fault */
	bool stuck;
	/** @blocked: the puller has stopped on a method that must wait */
	bool blocked;
	/** @arrived: the client has mapped its window */
	bool arrived;
	/** @since: jiffies, of the turn's beginning or of the client's arrival */
	unsigned long since;
	/** @put: CACHE1's, when @tick last looked */
	u32 put;
	/** @backlog: what has run out */
	struct nv3_backlog backlog;
	/** @memory: objects that reach a buffer, @memories of them */
	struct list_head memory;
	unsigned int memories;

	/** @fence: of the newest turn. Under nv3_channel.lock */
	struct dma_fence *fence;
	/** @wait: @state has changed */
	wait_queue_head_t wait;
	/** @tick: looks at the turn, and ends it. Fences wait for it */
	struct delayed_work tick;
	/** @unmap: shuts the window for @tick, as that takes locks which @tick may not wait for */
	struct work_struct unmap;
};

int nv3_lease_init(struct nv3_channel *chan);
void nv3_lease_fini(struct nv3_channel *chan);

int nv3_lease_admit(struct nv3_channel *chan, struct nv3_object *obj);

/* nv3_lease_ask.c */
int nv3_lease_ask(struct nv3_channel *chan, unsigned int task_state);

/* nv3_lease.c */
enum nv3_lease_state nv3_lease_state(struct nv3_channel *chan);
void nv3_lease_asked(struct nv3_job *job);
int nv3_lease_wait(struct nv3_channel *chan, unsigned int task_state);
bool nv3_lease_arrive(struct nv3_channel *chan);
void nv3_lease_cut(struct nv3_channel *chan);
struct nv3_channel *nv3_lease_interrupt(struct nv3_rm *rm, struct nv3_bo **bos, u32 count);

void nv3_lease_begin(struct nv3_job *job);
void nv3_lease_block(struct nv3_job *job);
void nv3_lease_resume(struct nv3_job *job);
void nv3_lease_over(struct nv3_job *job);
bool nv3_lease_dead(struct nv3_channel *chan);
void nv3_lease_fault(struct nv3_job *job);
void nv3_lease_runout(struct nv3_rm *rm, u32 intr);

#endif
