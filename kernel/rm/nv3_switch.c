// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Switching channels
 *
 * The chip has registers for one channel, and up to 127 channels may be open. The state of a
 * channel has two parts, which are switched at different times:
 *
 * - The state of PFIFO consists of the bindings of the eight subchannels. This state is switched
 *   when a batch of another channel starts or resumes. CACHE1 is empty at that time, because the
 *   previous batch has completed or has been preempted (hw/nv3_pfifo.c).
 *
 * - The state of PGRAPH consists of the registers that methods set, for example vertices and clips
 *   (hw/nv3_pgraph.c). This state is switched when PGRAPH receives the first method of a channel
 *   that isn't its owner. PGRAPH then stops and raises an interrupt, and the method waits in CACHE1
 *   until PGRAPH is enabled again. A software method causes a switch only if it draws with PGRAPH.
 */

#include <drm/drm_print.h>

#include "device/nv3_trace.h"
#include "hw/nv3_pfifo.h"
#include "nv3_switch.h"

/**
 * nv3_switch_enable_vblank() - enable the interrupts of PGRAPH that the driver handles now
 * @rm: the resource manager
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_enable_vblank(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);

	nv3_wr32(rm->nv3, NV3_PGRAPH_INTR_EN,
		 (nv3_freeze_interrupts(rm) ? 0 : NV3_RM_PGRAPH_INTR) |
		 (rm->vblank ? NV3_PGRAPH_INTR_VBLANK : 0));
}

/* Records that no channel owns PFIFO, and that no preemption is in progress. */
static void nv3_switch_clear_pfifo(struct nv3_rm *rm, enum nv3_switch_reason reason)
{
	rm->pfifo = NULL;
	rm->pfifo_lost = reason;
	rm->preempting = false;
}

/* Records that no channel owns PGRAPH. PGRAPH must have stopped or be idle. */
static void nv3_switch_clear_pgraph(struct nv3_rm *rm)
{
	nv3_wr32(rm->nv3, NV3_PGRAPH_CTX_CONTROL, NV3_RM_CTX_CONTROL);
	nv3_pgraph_drop_object(rm->nv3);
	rm->pgraph = NULL;
}

/**
 * nv3_switch_save_idle_pgraph() - save the state of PGRAPH, unless a batch of its owner runs
 * @rm: the resource manager
 *
 * Afterwards PGRAPH has no owner. The state of a running batch can't be saved, because PGRAPH may
 * be in the middle of a method.
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_save_idle_pgraph(struct nv3_rm *rm)
{
	if (!rm->pgraph || (rm->running && rm->running->chan == rm->pgraph))
		return;

	nv3_pgraph_save(rm->nv3, &rm->pgraph->graph);
	rm->pgraph = NULL;
}

/**
 * nv3_switch_reset() - reset PFIFO and PGRAPH. Afterwards no channel owns them
 * @rm: the resource manager
 *
 * The state of the running channel in the registers is lost. If another channel owns PGRAPH, the
 * function saves the state of that channel.
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_reset(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);

	rm->resets++;
	nv3_switch_save_idle_pgraph(rm);
	nv3_pfifo_init(rm->nv3, &rm->ramht);
	nv3_switch_clear_pfifo(rm, NV3_SWITCH_RESET);
	nv3_pgraph_init(rm->nv3);
	rm->hooks->class->reset_surfaces(rm);
	nv3_switch_enable_vblank(rm);
	nv3_wr32(rm->nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
	rm->pgraph = NULL;
}

/**
 * nv3_switch_fini() - stop PFIFO and PGRAPH
 * @rm: the resource manager
 *
 * Saves the state of PGRAPH, unless a batch of the owner of PGRAPH runs.
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_fini(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	lockdep_assert_held(&rm->lock);

	nv3_switch_save_idle_pgraph(rm);
	rm->hooks->class->drop_image(rm, NULL);
	nv3_wr32(nv3, NV3_PFIFO_INTR_EN, 0);
	nv3_wr32(nv3, NV3_PGRAPH_INTR_EN, 0);
	nv3_wr32(nv3, NV3_PDMA_INTR_EN, 0);
	nv3_mask32(nv3, NV3_PMC_ENABLE, NV3_PMC_ENABLE_PFIFO | NV3_PMC_ENABLE_PGRAPH, 0);
	nv3_switch_clear_pfifo(rm, NV3_SWITCH_RESET);
	rm->pgraph = NULL;
}

/**
 * nv3_switch_pfifo() - make a channel the owner of PFIFO
 * @chan: the channel
 *
 * Context: nv3_rm.lock is held. No batch runs, so CACHE1 is empty.
 */
void nv3_switch_pfifo(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;
	ktime_t start;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->running);

	if (rm->pfifo == chan)
		return;

	start = ktime_get();
	nv3_pfifo_stop(rm->nv3);
	if (rm->pfifo)
		nv3_ramfc_save(rm->nv3, rm->pfifo->chid);
	nv3_ramfc_load(rm->nv3, chan->chid);
	nv3_pfifo_set_ring(rm->nv3, chan->chid,
			   chan->type == DRM_NV3_CHANNEL_DMA ? &chan->ring : NULL);
	nv3_pfifo_start(rm->nv3);

	trace_nv3_switch_pfifo(rm->nv3, nv3_switch_chid(rm->pfifo), chan->chid,
			       nv3_switch_pfifo_reason(chan), start,
			       rm->pfifo ? NV3_PFIFO_CACHE1_CTX_COUNT : 0,
			       NV3_PFIFO_CACHE1_CTX_COUNT);
	rm->pfifo = chan;
	rm->switches++;
	if (chan->client)
		chan->client->switches++;
	nv3_switch_account(&rm->pfifo_cost, start);
}

/**
 * nv3_switch_pgraph() - make a channel the owner of PGRAPH
 * @chan: the channel of the running batch. PGRAPH is idle, or has stopped at a method of the batch
 * @reason: NV3_SWITCH_METHOD or NV3_SWITCH_SOFTWARE, for the tracepoint
 * Context: nv3_rm.lock is held. Accesses about 300 registers if the owner changes.
 */
void nv3_switch_pgraph(struct nv3_channel *chan, enum nv3_switch_reason reason)
{
	struct nv3_rm *rm = chan->rm;
	struct nv3_device *nv3 = rm->nv3;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->pfifo != chan);

	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 0);
	if (rm->pgraph != chan) {
		const struct nv3_graph_state *old = NULL;
		unsigned int saved = 0, loaded;
		ktime_t start = ktime_get();

		if (rm->pgraph) {
			saved = nv3_pgraph_save(nv3, &rm->pgraph->graph);
			old = &rm->pgraph->graph;
		}
		loaded = nv3_pgraph_load(nv3, &chan->graph, old);
		nv3_mask32(nv3, NV3_PGRAPH_CTX_USER, NV3_PGRAPH_CTX_USER_CHID,
			   chan->chid << NV3_CTX_CHID_SHIFT);
		trace_nv3_switch_pgraph(nv3, nv3_switch_chid(rm->pgraph), chan->chid, reason,
					start, saved, loaded);
		rm->pgraph = chan;
		nv3_switch_account(&rm->pgraph_cost, start);
	}

	rm->hooks->class->apply(chan);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_CONTROL,
		 NV3_RM_CTX_CONTROL | NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
}

/**
 * nv3_switch_preempt() - preempt the running batch
 * @rm: the resource manager
 *
 * After the call no further method reaches PGRAPH, even if the function returns false.
 * Context: nv3_rm.lock is held.
 * Return: true if the batch is preempted and PFIFO is empty; false if PGRAPH still executes a
 * method or an interrupt is pending. If false, the caller must try again later.
 */
bool nv3_switch_preempt(struct nv3_rm *rm)
{
	struct nv3_channel *chan = rm->running->chan;
	struct nv3_preempted *state = &chan->queue.preempted;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->pfifo != chan || state->valid);

	if (!nv3_pfifo_save(rm->nv3, state))
		return false;
	trace_nv3_batch_preempt(rm->nv3, chan->chid, rm->running->seqno,
				rm->running->hang_check.begun, chan->queue.reason);
	rm->preemptions++;
	return true;
}

/**
 * nv3_switch_resume() - resume a preempted batch
 * @chan: the channel, which owns PFIFO; CACHE1 is empty
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_resume(struct nv3_channel *chan)
{
	struct nv3_preempted *state = &chan->queue.preempted;
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->pfifo != chan || !state->valid);

	nv3_pfifo_restore(rm->nv3, state);
}

/**
 * nv3_switch_abort() - drop the rest of the running batch, whose channel has faulted
 * @rm: the resource manager
 *
 * A faulted channel runs no further batch, so it loses PFIFO, PGRAPH and its state.
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_abort(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	lockdep_assert_held(&rm->lock);

	nv3_pfifo_stop(nv3);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, 0);

	/* PFIFO may have stopped at a method while PGRAPH still executes earlier methods. */
	if (nv3_rd32(nv3, NV3_PGRAPH_STATUS)) {
		nv3_switch_reset(rm);
		return;
	}

	nv3_pfifo_clear(nv3);
	nv3_switch_clear_pfifo(rm, NV3_SWITCH_FAULT);
	if (rm->pgraph == rm->running->chan)
		nv3_switch_clear_pgraph(rm);
	nv3_wr32(nv3, NV3_PGRAPH_INTR, NV3_RM_PGRAPH_INTR);
	nv3_wr32(nv3, NV3_PDMA_INTR, NV3_PDMA_INTR_ALL);
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
}

/**
 * nv3_switch_release() - take PFIFO and PGRAPH from a closed channel without batches
 * @chan: the channel
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_release(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->running && rm->running->chan == chan);

	if (rm->pfifo == chan) {
		nv3_pfifo_stop(rm->nv3);
		nv3_switch_clear_pfifo(rm, NV3_SWITCH_CLOSED);
	}
	if (rm->pgraph == chan)
		nv3_switch_clear_pgraph(rm);
	rm->hooks->class->drop_image(rm, chan);
}

/**
 * nv3_switch_binding() - return the context word of a subchannel
 * @chan: the channel
 * @subch: the subchannel, 0 to 7
 * Context: nv3_rm.lock is held.
 * Return: the word, from CACHE1 if the channel owns PFIFO, else from RAMFC; 0 for no object.
 */
u32 nv3_switch_binding(struct nv3_channel *chan, unsigned int subch)
{
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	return rm->pfifo == chan ? nv3_rd32(rm->nv3, NV3_PFIFO_CACHE1_CTX(subch)) :
				   nv3_ramfc_read(rm->nv3, chan->chid, subch);
}

/**
 * nv3_switch_bind() - set the context word of a subchannel
 * @chan: the channel
 * @subch: the subchannel, 0 to 7
 * @ctx: the context word, or 0 for no object
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_bind(struct nv3_channel *chan, unsigned int subch, u32 ctx)
{
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);

	ctx &= NV3_CTX_REGISTER;
	if (rm->pfifo == chan)
		nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_CTX(subch), ctx);
	else
		nv3_ramfc_write(rm->nv3, chan->chid, subch, ctx);
}

/**
 * nv3_switch_unbind() - remove an object from all subchannels
 * @chan: the channel, which has no running batch
 * @obj: the object, whose instance memory is about to be freed
 * @ctx: the context words of all subchannels, in which the function clears the object's words
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_unbind(struct nv3_channel *chan, struct nv3_object *obj,
		       u32 ctx[NV3_PFIFO_CACHE1_CTX_COUNT])
{
	unsigned int i;

	lockdep_assert_held(&chan->rm->lock);

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++) {
		const bool soft = chan->soft[i] == obj;
		/* PFIFO binds a hardware object without a trap, so soft[] may be outdated. */
		bool bound = obj->key.ctx & NV3_CTX_HARDWARE ?
			     ctx[i] == (obj->key.ctx & NV3_CTX_REGISTER) :
			     soft && !(ctx[i] & NV3_CTX_HARDWARE);

		if (soft || bound)
			chan->soft[i] = NULL;
		if (!bound)
			continue;
		ctx[i] = 0;
		nv3_switch_bind(chan, i, 0);
	}
}

/**
 * nv3_switch_invalidate_objects() - make PGRAPH fetch the words of objects from RAMIN again
 * @chan: the channel, one of whose objects is about to be destroyed
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_invalidate_objects(struct nv3_channel *chan)
{
	if (chan->rm->pgraph == chan)
		nv3_pgraph_drop_object(chan->rm->nv3);
	memset(chan->graph.fetched, 0, sizeof(chan->graph.fetched));
}
