// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Switching channels
 *
 * The chip has the registers of one channel, and 127 may be open. Their state is in two
 * halves that switch at different times:
 *
 * - PFIFO's is eight words, which objects the subchannels have (nv3_ramfc.c). It switches when
 *   a batch of another channel is about to start or to go on. Nothing is in CACHE1 then, as the
 *   one before has run to its end or been taken off (nv3_park.c), and CACHES_REASSIGN is off, so
 *   that the chip won't switch on its own.
 *
 * - PGRAPH's is all that methods leave behind: vertices, clip, colours, raster operation.
 *   It switches when PGRAPH meets the first method of a channel that isn't its owner. PGRAPH
 *   stops there and interrupts; the method waits in CACHE1 and is taken when PGRAPH goes
 *   on. A batch that has only software methods never gets so far, and costs no switch.
 *
 * Of PGRAPH's registers, the surfaces and the canvas aren't saved: nv3_surface.c writes them
 * from what the resource manager knows. Those that come from objects in RAMIN are, as a
 * channel may lose PGRAPH between two methods of a batch (nv3_park.c); when one of its objects goes
 * they are dropped (nv3_switch_refetch()), and PGRAPH fetches what it next needs.
 *
 * Which registers there are and what writing them does besides: envytools,
 * hwtest/pgraph_state.cc, whose order of loading is kept here.
 */

#include <linux/hash.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <drm/drm_print.h>

#include "nv3_channel.h"
#include "nv3_graph.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_surface.h"

/*
 * In the order in which they are loaded. The lower bound of a clip comes before the upper, as
 * each write moves the bounds along; vertices after clips, as a clip's corner is written to
 * vertex 13; VALID and the flags about coordinates after all that set bits of them.
 *
 * Vertices are most of it, and mostly as the channel before has left them. One that is needn't be
 * written: nothing else here changes it, but for vertex 13, and nothing that isn't written later
 * depends on it. That is so of nothing else. A clip's lower bound that is right already won't be
 * once the upper has moved, and flags change with the vertices.
 */
static const struct {
	u32 reg;
	u8 count;
	u8 stride;
	/* needn't be written if it holds the value already */
	bool keeps;
} nv3_graph_regs[] = {
	{ NV3_PGRAPH_ICLIP_XMAX, 2, 4 },
	{ NV3_PGRAPH_UCLIP_XMIN, 4, 4 },
	{ NV3_PGRAPH_OCLIP_XMIN, 4, 4 },
	{ NV3_PGRAPH_VTX_X(0), 13, 4, true },
	{ NV3_PGRAPH_VTX_X(13), 1 },
	{ NV3_PGRAPH_VTX_X(14), 18, 4, true },
	{ NV3_PGRAPH_VTX_Y(0), 13, 4, true },
	{ NV3_PGRAPH_VTX_Y(13), 1 },
	{ NV3_PGRAPH_VTX_Y(14), 18, 4, true },
	{ NV3_PGRAPH_VTX_Z(0), 16, 4, true },
	{ NV3_PGRAPH_PATTERN_RGB(0), 4, 4 },
	{ NV3_PGRAPH_PATTERN_MONO(0), 2, 4 },
	{ NV3_PGRAPH_PATTERN_SHAPE, 1 },
	{ NV3_PGRAPH_BITMAP_COLOR_0, 1 },
	{ NV3_PGRAPH_ROP, 1 },
	{ NV3_PGRAPH_CHROMA, 1 },
	{ NV3_PGRAPH_BETA, 1 },
	{ NV3_PGRAPH_D3D_XY, 6, 4 },
	{ NV3_PGRAPH_D3D_CONFIG, 1 },
	{ NV3_PGRAPH_D3D_ALPHA, 1 },
	{ NV3_PGRAPH_X_MISC, 2, 4 },
	{ NV3_PGRAPH_XY_MISC_0, 4, 4 },
	{ NV3_PGRAPH_X_CLIP_STATUS(0), 2, 4 },
	{ NV3_PGRAPH_Y_CLIP_STATUS(0), 2, 4 },
	{ NV3_PGRAPH_MISC32_0, 1 },
	{ NV3_PGRAPH_MISC32_1, 1 },
	{ NV3_PGRAPH_MISC24_0, 1 },
	{ NV3_PGRAPH_MISC24_1, 1 },
	{ NV3_PDMA_LINES, 1 },
	{ NV3_PDMA_OFFSET(0), 3, 16 },
	{ NV3_PDMA_PITCH, 1 },
	{ NV3_PDMA_FORMAT, 1 },
	{ NV3_PGRAPH_CTX_SWITCH, 1 },
	{ NV3_PGRAPH_CTX_CACHE(0), 8, 4 },
	{ NV3_PGRAPH_CTX_USER, 1 },
	{ NV3_PGRAPH_VALID, 1 },
};

/*
 * What the vendor's driver sets, as it stands in riva_tbl.h of xf86-video-nv, with two
 * differences. Arguments and formats are checked. And PGRAPH doesn't forget half a primitive
 * when it is given another object (DEBUG_2.VOLATILE_EN): the resource manager gives it one of
 * its own after each batch, and no client shall notice that.
 */
#define NV3_RM_DEBUG_0		0x1230001f
#define NV3_RM_DEBUG_1		0x10113000
#define NV3_RM_DEBUG_2		(0x1131f101 & ~NV3_PGRAPH_DEBUG_2_VOLATILE_EN)
#define NV3_RM_DEBUG_3		(0x0100f531 | NV3_PGRAPH_DEBUG_3_DATA_CHECK | \
				 NV3_PGRAPH_DEBUG_3_FORMAT_CHECK)

/* All that can stop PGRAPH, and the notifications. */
#define NV3_RM_PGRAPH_INTR	(NV3_PGRAPH_INTR_ALL & ~NV3_PGRAPH_INTR_VBLANK)

#define NV3_RM_CTX_CONTROL	NV3_PGRAPH_CTX_CONTROL_DEVICE

/*
 * What PGRAPH has fetched of the object that it is at, and whether a notifier is armed: a
 * channel may be parted from PGRAPH between two methods that belong together.
 */
static const u32 nv3_graph_fetched[NV3_GRAPH_FETCHED] = {
	NV3_PGRAPH_GROBJ_INST,
	NV3_PGRAPH_DMA_INST,
	NV3_PGRAPH_M2MF_INST,
	NV3_PGRAPH_NOTIFY,
};

/* Readings of all registers, see nv3_switch_show(). */
struct nv3_switch_proof {
	struct nv3_graph_state a, b, back;
	/* What is to be held, and what bits of it weren't. */
	struct nv3_graph_state mixed, wrong;
};

static void nv3_graph_save(struct nv3_rm *rm, struct nv3_graph_state *state)
{
	u32 *word = state->word;
	unsigned int i, j;

	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		state->fetched[i] = nv3_rd32(rm->nv3, nv3_graph_fetched[i]);
	for (i = 0; i < ARRAY_SIZE(nv3_graph_regs); i++)
		for (j = 0; j < nv3_graph_regs[i].count; j++)
			*word++ = nv3_rd32(rm->nv3,
					   nv3_graph_regs[i].reg + j * nv3_graph_regs[i].stride);
}

/*
 * @old is what the registers hold, or null. FIFO_ENABLE is off: CTX_CACHE is read-only
 * otherwise.
 */
static void nv3_graph_load(struct nv3_rm *rm, const struct nv3_graph_state *state,
			   const struct nv3_graph_state *old)
{
	unsigned int i, j, n = 0;

	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		nv3_wr32(rm->nv3, nv3_graph_fetched[i], state->fetched[i]);
	for (i = 0; i < ARRAY_SIZE(nv3_graph_regs); i++) {
		for (j = 0; j < nv3_graph_regs[i].count; j++, n++) {
			if (old && nv3_graph_regs[i].keeps && old->word[n] == state->word[n])
				continue;
			nv3_wr32(rm->nv3,
				 nv3_graph_regs[i].reg + j * nv3_graph_regs[i].stride,
				 state->word[n]);
		}
	}
}

/* Does the table have as many registers as there is room for? */
static bool nv3_graph_fits(void)
{
	unsigned int i, words = 0;

	for (i = 0; i < ARRAY_SIZE(nv3_graph_regs); i++)
		words += nv3_graph_regs[i].count;

	return words == NV3_GRAPH_WORDS;
}

/* What PGRAPH has fetched of an object in RAMIN: has it fetched again. */
static void nv3_graph_drop_object(struct nv3_rm *rm)
{
	nv3_wr32(rm->nv3, NV3_PGRAPH_GROBJ_INST, 0);
	nv3_wr32(rm->nv3, NV3_PGRAPH_DMA_INST, 0);
	nv3_wr32(rm->nv3, NV3_PGRAPH_M2MF_INST, 0);
	nv3_wr32(rm->nv3, NV3_PGRAPH_NOTIFY, 0);
}

/**
 * nv3_switch_flush_pdma() - a page table has changed of which PDMA may have an entry
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_flush_pdma(struct nv3_rm *rm)
{
	nv3_wr32(rm->nv3, NV3_PDMA_INST, 0);
	nv3_wr32(rm->nv3, NV3_PDMA_TLB_PTE, 0);
}

/**
 * nv3_switch_enable_intr() - enable PGRAPH's interrupts, as far as they are wanted
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_enable_intr(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);

	nv3_wr32(rm->nv3, NV3_PGRAPH_INTR_EN,
		 (nv3_hold_keeps_answers(rm) ? 0 : NV3_RM_PGRAPH_INTR) |
		 (rm->vblank ? NV3_PGRAPH_INTR_VBLANK : 0));
}

static void nv3_graph_init(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	nv3_mask32(nv3, NV3_PMC_ENABLE, NV3_PMC_ENABLE_PGRAPH, 0);
	nv3_mask32(nv3, NV3_PMC_ENABLE, 0, NV3_PMC_ENABLE_PGRAPH);

	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 0);
	nv3_wr32(nv3, NV3_PGRAPH_DEBUG_0, NV3_RM_DEBUG_0);
	nv3_wr32(nv3, NV3_PGRAPH_DEBUG_1, NV3_RM_DEBUG_1);
	nv3_wr32(nv3, NV3_PGRAPH_DEBUG_2, NV3_RM_DEBUG_2);
	nv3_wr32(nv3, NV3_PGRAPH_DEBUG_3, NV3_RM_DEBUG_3);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_CONTROL, NV3_RM_CTX_CONTROL);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_USER, 0);
	nv3_wr32(nv3, NV3_PGRAPH_CLIPRECT_CTRL, 0);
	nv3_surface_reset(rm);
	nv3_graph_drop_object(rm);

	nv3_wr32(nv3, NV3_PGRAPH_INTR, NV3_RM_PGRAPH_INTR);
	nv3_wr32(nv3, NV3_PDMA_INTR, NV3_PDMA_INTR_ALL);
	nv3_wr32(nv3, NV3_PDMA_INTR_EN, NV3_PDMA_INTR_ALL);
	nv3_switch_enable_intr(rm);
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
	rm->pgraph = NULL;
}

/* PFIFO has nothing of any channel: so nobody is being taken off either. */
static void nv3_fifo_disown(struct nv3_rm *rm)
{
	rm->pfifo = NULL;
	rm->stopping = false;
}

static void nv3_fifo_init(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	nv3_mask32(nv3, NV3_PMC_ENABLE, NV3_PMC_ENABLE_PFIFO, 0);
	nv3_mask32(nv3, NV3_PMC_ENABLE, 0, NV3_PMC_ENABLE_PFIFO);

	nv3_wr32(nv3, NV3_PFIFO_CACHES, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE0_PUSH_ACCESS, 0);
	nv3_inject_reset(rm);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_STATE, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUT, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_GET, 0);
	nv3_wr32(nv3, NV3_PFIFO_CONFIG, 0);
	nv3_wr32(nv3, NV3_PFIFO_RAMHT,
		 NV3_RM_RAMHT | rm->ramht.size_code << NV3_PFIFO_RAMHT_SIZE_SHIFT);
	nv3_wr32(nv3, NV3_PFIFO_RAMFC, NV3_RM_RAMFC);
	nv3_wr32(nv3, NV3_PFIFO_RAMRO, NV3_RM_RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
	nv3_wr32(nv3, NV3_PFIFO_RUNOUT_PUT, 0);
	nv3_wr32(nv3, NV3_PFIFO_RUNOUT_GET, 0);

	nv3_wr32(nv3, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
	nv3_wr32(nv3, NV3_PFIFO_INTR_EN, NV3_PFIFO_INTR_ALL);
	nv3_fifo_disown(rm);
}

/**
 * nv3_switch_init() - bring PFIFO and PGRAPH up for the first time
 * @rm: the resource manager
 *
 * Context: process context, in probe; takes nv3_rm.lock.
 */
void nv3_switch_init(struct nv3_rm *rm)
{
	drm_WARN_ON(&rm->nv3->drm, !nv3_graph_fits());

	spin_lock_irq(&rm->lock);
	nv3_ramht_init(rm);
	nv3_switch_reset(rm);
	rm->resets = 0;
	nv3_graph_save(rm, &rm->graph_reset);
	spin_unlock_irq(&rm->lock);
}

/* PGRAPH is not in the middle of anything of a channel whose batch isn't running. */
static void nv3_graph_rescue(struct nv3_rm *rm)
{
	if (!rm->pgraph || (rm->running && rm->running->chan == rm->pgraph))
		return;

	nv3_graph_save(rm, &rm->pgraph->graph);
	rm->pgraph = NULL;
}

/**
 * nv3_switch_reset() - reset PFIFO and PGRAPH, which have no owner then
 * @rm: the resource manager
 *
 * For when one of them no longer answers. What the running batch's channel had in registers is
 * lost; another's is saved.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_reset(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);

	rm->resets++;
	nv3_graph_rescue(rm);
	nv3_fifo_init(rm);
	nv3_graph_init(rm);
}

/**
 * nv3_switch_fini() - stop PFIFO and PGRAPH
 * @rm: the resource manager
 *
 * A channel that owns PGRAPH, and whose batch isn't running, is saved.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_fini(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	lockdep_assert_held(&rm->lock);

	nv3_graph_rescue(rm);
	nv3_wr32(nv3, NV3_PFIFO_INTR_EN, 0);
	nv3_wr32(nv3, NV3_PGRAPH_INTR_EN, 0);
	nv3_wr32(nv3, NV3_PDMA_INTR_EN, 0);
	nv3_mask32(nv3, NV3_PMC_ENABLE, NV3_PMC_ENABLE_PFIFO | NV3_PMC_ENABLE_PGRAPH, 0);
	nv3_fifo_disown(rm);
	rm->pgraph = NULL;
}

static void nv3_fifo_go(struct nv3_rm *rm)
{
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
}

static void nv3_fifo_stop(struct nv3_rm *rm)
{
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
	nv3_wr32(rm->nv3, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
}

/* Where the pusher is to read from. */
static void nv3_fifo_set_ring(struct nv3_channel *chan)
{
	struct nv3_device *nv3 = chan->rm->nv3;

	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_CHID, chan->chid | NV3_PFIFO_CACHE1_CHID_DMA);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_TARGET, NV3_PFIFO_DMA_TARGET_PCI);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_PT_INST,
		 nv3_ramin_addr(&chan->ring.table) + NV3_DMAOBJ_PTE(0));
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_TLB_TAG, ~0);
}

/* What switches cost, for debugfs. */
static void nv3_switch_count(struct nv3_switch_cost *cost, ktime_t start)
{
	cost->count++;
	cost->ns += ktime_to_ns(ktime_sub(ktime_get(), start));
}

/**
 * nv3_switch_go() - let the puller go on, if it was held up by nv3_park()
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_go(struct nv3_rm *rm)
{
	lockdep_assert_held(&rm->lock);

	nv3_fifo_go(rm);
}

/**
 * nv3_switch_pfifo() - make a channel PFIFO's owner
 * @chan: the channel
 *
 * No batch runs, so CACHE1 is empty.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_pfifo(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;
	struct nv3_device *nv3 = rm->nv3;
	ktime_t start;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->running);

	if (rm->pfifo == chan)
		return;

	start = ktime_get();
	nv3_fifo_stop(rm);
	if (rm->pfifo)
		nv3_ramfc_save(rm->pfifo);

	nv3_ramfc_load(chan);
	if (chan->type == DRM_NV3_CHANNEL_PIO)
		nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUSH_CHID, chan->chid);
	else
		nv3_fifo_set_ring(chan);
	nv3_fifo_go(rm);

	rm->pfifo = chan;
	rm->switches++;
	if (chan->client)
		chan->client->switches++;
	nv3_switch_count(&rm->pfifo_cost, start);
}

/**
 * nv3_switch_pgraph() - make a channel PGRAPH's owner
 * @chan: the channel, whose batch runs; PGRAPH has stopped on a method of it
 *
 * Context: nv3_rm.lock is held. Accesses some hundred registers.
 */
void nv3_switch_pgraph(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;
	struct nv3_device *nv3 = rm->nv3;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->pfifo != chan);

	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 0);
	if (rm->pgraph != chan) {
		const struct nv3_graph_state *old = NULL;
		ktime_t start = ktime_get();

		if (rm->pgraph) {
			nv3_graph_save(rm, &rm->pgraph->graph);
			old = &rm->pgraph->graph;
		}
		nv3_graph_load(rm, &chan->graph, old);
		nv3_mask32(nv3, NV3_PGRAPH_CTX_USER, NV3_PGRAPH_CTX_USER_CHID,
			   chan->chid << NV3_CTX_CHID_SHIFT);
		rm->pgraph = chan;
		nv3_switch_count(&rm->pgraph_cost, start);
	}

	nv3_surface_apply(chan);
	nv3_wr32(nv3, NV3_PGRAPH_CTX_CONTROL,
		 NV3_RM_CTX_CONTROL | NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
}

/* Gives the chip a batch of the channel that owns PFIFO. */
void nv3_switch_start(struct nv3_job *job)
{
	struct nv3_channel *chan = job->chan;
	struct nv3_device *nv3 = chan->rm->nv3;

	lockdep_assert_held(&chan->rm->lock);
	drm_WARN_ON(&chan->rm->nv3->drm, chan->rm->pfifo != chan);

	/* The last tail has left the fence object there. */
	nv3_ramfc_set(chan, NV3_TAIL_SUBCH, 0);
	chan->soft[NV3_TAIL_SUBCH] = NULL;

	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_GET, job->span.start);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, job->span.size);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_ACCESS);
}

/* The running batch's channel loses both blocks. PGRAPH has stopped, or was never its. */
static void nv3_graph_abort(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	if (rm->pgraph == rm->running->chan) {
		nv3_wr32(nv3, NV3_PGRAPH_CTX_CONTROL, NV3_RM_CTX_CONTROL);
		nv3_graph_drop_object(rm);
		rm->pgraph = NULL;
	}

	nv3_wr32(nv3, NV3_PGRAPH_INTR, NV3_RM_PGRAPH_INTR);
	nv3_wr32(nv3, NV3_PDMA_INTR, NV3_PDMA_INTR_ALL);
	nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
}

/**
 * nv3_switch_abort() - drop what is left of the running batch, whose channel has faulted
 * @rm: the resource manager
 *
 * The channel gets no other batch, and what state it had is of no use.
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_abort(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	lockdep_assert_held(&rm->lock);

	nv3_fifo_stop(rm);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL, 0);

	/* PFIFO may have stopped on a method while PGRAPH still draws those before. */
	if (nv3_rd32(nv3, NV3_PGRAPH_STATUS)) {
		nv3_switch_reset(rm);
		return;
	}

	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_STATE, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_DMA_COUNT, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_PUT, 0);
	nv3_wr32(nv3, NV3_PFIFO_CACHE1_GET, 0);
	nv3_inject_reset(rm);
	nv3_wr32(nv3, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
	nv3_fifo_disown(rm);

	nv3_graph_abort(rm);
}

/**
 * nv3_switch_bindings() - the context words of all subchannels
 * @chan: the channel
 * @ctx: the words
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_bindings(struct nv3_channel *chan, u32 ctx[NV3_PFIFO_CACHE1_CTX_COUNT])
{
	unsigned int i;

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		ctx[i] = nv3_ramfc_get(chan, i);
}

/*
 * An object is about to lose its instance memory: no subchannel may lead there. No batch of
 * the channel runs. @ctx is kept up to date.
 */
void nv3_switch_unbind(struct nv3_channel *chan, struct nv3_object *obj,
		       u32 ctx[NV3_PFIFO_CACHE1_CTX_COUNT])
{
	unsigned int i;

	lockdep_assert_held(&chan->rm->lock);

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++) {
		bool bound = obj->ctx & NV3_CTX_HARDWARE ?
			     ctx[i] == (obj->ctx & NV3_CTX_REGISTER) : chan->soft[i] == obj;

		if (!bound)
			continue;
		chan->soft[i] = NULL;
		ctx[i] = 0;
		nv3_ramfc_set(chan, i, 0);
	}
}

/**
 * nv3_switch_refetch() - have PGRAPH forget what it has fetched of objects that go
 * @chan: the channel
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_refetch(struct nv3_channel *chan)
{
	if (chan->rm->pgraph == chan)
		nv3_graph_drop_object(chan->rm);
	memset(chan->graph.fetched, 0, sizeof(chan->graph.fetched));
}

/**
 * nv3_switch_disown() - take the chip away from a closed channel, whose last batch is over
 * @chan: the channel
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_switch_disown(struct nv3_channel *chan)
{
	struct nv3_rm *rm = chan->rm;

	lockdep_assert_held(&rm->lock);
	drm_WARN_ON(&rm->nv3->drm, rm->running && rm->running->chan == chan);

	if (rm->pfifo == chan) {
		nv3_fifo_stop(rm);
		nv3_fifo_disown(rm);
	}
	if (rm->pgraph == chan) {
		nv3_wr32(rm->nv3, NV3_PGRAPH_CTX_CONTROL, NV3_RM_CTX_CONTROL);
		nv3_graph_drop_object(rm);
		rm->pgraph = NULL;
	}
}

/**
 * nv3_switch_idle() - has the chip nothing left to do of what it was given?
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held. Reads registers.
 */
bool nv3_switch_idle(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	return !nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_CTRL) &&
	       nv3_rd32(nv3, NV3_PFIFO_CACHE1_STATUS) & NV3_PFIFO_CACHE_EMPTY &&
	       nv3_rd32(nv3, NV3_PFIFO_CACHE0_STATUS) & NV3_PFIFO_CACHE_EMPTY &&
	       !nv3_rd32(nv3, NV3_PGRAPH_STATUS);
}

/**
 * nv3_switch_progress() - a number that differs whenever the chip has got on with the batch
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held. Reads registers.
 */
u64 nv3_switch_progress(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;

	return (u64)nv3_rd32(nv3, NV3_PFIFO_CACHE1_DMA_GET) << 32 |
	       nv3_rd32(nv3, NV3_PFIFO_CACHE1_GET);
}

/**
 * nv3_switch_dump() - a channel's drawing state, wherever it is
 * @chan: the channel
 * @add: called for each register
 * @data: for @add
 *
 * Context: nv3_rm.lock is held. Reads as many registers as there are, if the channel owns PGRAPH.
 */
void nv3_switch_dump(struct nv3_channel *chan, void (*add)(void *data, u32 reg, u32 val),
		     void *data)
{
	struct nv3_rm *rm = chan->rm;
	const bool live = rm->pgraph == chan;
	unsigned int i, j, n = 0;

	lockdep_assert_held(&rm->lock);

	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		add(data, nv3_graph_fetched[i],
		    live ? nv3_rd32(rm->nv3, nv3_graph_fetched[i]) : chan->graph.fetched[i]);
	for (i = 0; i < ARRAY_SIZE(nv3_graph_regs); i++) {
		for (j = 0; j < nv3_graph_regs[i].count; j++, n++) {
			u32 reg = nv3_graph_regs[i].reg + j * nv3_graph_regs[i].stride;

			add(data, reg, live ? nv3_rd32(rm->nv3, reg) : chan->graph.word[n]);
		}
	}
}

/* Something else in every register, and with each bit of @flip the opposite. */
static void nv3_graph_pattern(struct nv3_graph_state *state, u32 flip)
{
	unsigned int i;

	for (i = 0; i < NV3_GRAPH_WORDS; i++)
		state->word[i] = hash_32(i + 1, 32) ^ flip;
	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		state->fetched[i] = hash_32(~i, 32) ^ flip;
}

/* The words whose number has @bit are @a's, or with @flip the others; the rest are @b's. */
static void nv3_graph_mix(struct nv3_graph_state *state, const struct nv3_graph_state *a,
			  const struct nv3_graph_state *b, unsigned int bit, unsigned int flip)
{
	unsigned int i;

	for (i = 0; i < NV3_GRAPH_WORDS; i++)
		state->word[i] = (i >> bit & 1) != flip ? a->word[i] : b->word[i];
	memcpy(state->fetched, a->fetched, sizeof(state->fetched));
}

static void nv3_graph_compare(struct nv3_switch_proof *proof)
{
	unsigned int i;

	for (i = 0; i < NV3_GRAPH_WORDS; i++)
		proof->wrong.word[i] |= proof->back.word[i] ^ proof->mixed.word[i];
	for (i = 0; i < NV3_GRAPH_FETCHED; i++)
		proof->wrong.fetched[i] |= proof->back.fetched[i] ^ proof->mixed.fetched[i];
}

/*
 * From one state to another that has much in common with it, as two clients' mostly have.
 * Of any two registers there is, among these, a state that keeps the one and changes the other.
 */
static void nv3_graph_try_mixed(struct nv3_rm *rm, struct nv3_switch_proof *proof)
{
	unsigned int bit, flip;

	for (bit = 0; bit < order_base_2(NV3_GRAPH_WORDS); bit++) {
		for (flip = 0; flip < 2; flip++) {
			nv3_graph_mix(&proof->mixed, &proof->a, &proof->b, bit, flip);
			nv3_graph_load(rm, &proof->a, NULL);
			nv3_graph_load(rm, &proof->mixed, &proof->a);
			nv3_graph_save(rm, &proof->back);
			nv3_graph_compare(proof);
		}
	}
}

/* The registers are nobody's, and stay so: each state is loaded as a switch would. */
static void nv3_graph_try(struct nv3_rm *rm, struct nv3_switch_proof *proof)
{
	struct nv3_graph_state *tmp = &proof->back;

	nv3_graph_pattern(tmp, 0);
	nv3_graph_load(rm, tmp, NULL);
	nv3_graph_save(rm, &proof->a);
	nv3_graph_pattern(tmp, ~0);
	nv3_graph_load(rm, tmp, &proof->a);
	nv3_graph_save(rm, &proof->b);
	nv3_graph_try_mixed(rm, proof);
	nv3_graph_load(rm, &proof->b, NULL);
	nv3_graph_load(rm, &proof->a, &proof->b);
	nv3_graph_save(rm, &proof->back);
	nv3_graph_load(rm, &rm->graph_reset, NULL);
	nv3_graph_drop_object(rm);
}

static int nv3_graph_prove(struct nv3_rm *rm, struct nv3_switch_proof *proof)
{
	lockdep_assert_held(&rm->lock);

	if (rm->dead)
		return -ENODEV;
	if (rm->running || nv3_rd32(rm->nv3, NV3_PGRAPH_STATUS))
		return -EBUSY;

	nv3_wr32(rm->nv3, NV3_PGRAPH_FIFO_ENABLE, 0);
	nv3_graph_rescue(rm);
	nv3_wr32(rm->nv3, NV3_PGRAPH_CTX_CONTROL, NV3_RM_CTX_CONTROL);
	nv3_graph_try(rm, proof);
	nv3_wr32(rm->nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
	return 0;
}

/*
 * debugfs, "switch": loads one pattern, then its opposite, then the first again, into all registers
 * of the table, and shows for each what it held each time. A switch is right if the third is the
 * first, and only proves something for registers whose second is another. Last come the bits that
 * were lost between states that are like each other in part: none.
 */
int nv3_switch_show(struct nv3_rm *rm, struct seq_file *m)
{
	struct nv3_switch_proof *proof;
	unsigned int i, j, n = 0;
	unsigned long flags;
	int ret;

	proof = kzalloc(sizeof(*proof), GFP_KERNEL);
	if (!proof)
		return -ENOMEM;

	flags = nv3_rm_lock(rm);
	ret = nv3_graph_prove(rm, proof);
	nv3_rm_unlock(rm, flags);

	for (i = 0; i < ARRAY_SIZE(nv3_graph_regs) && !ret; i++)
		for (j = 0; j < nv3_graph_regs[i].count; j++, n++)
			seq_printf(m, "%06x %08x %08x %08x %08x\n",
				   nv3_graph_regs[i].reg + j * nv3_graph_regs[i].stride,
				   proof->a.word[n], proof->b.word[n], proof->back.word[n],
				   proof->wrong.word[n]);
	for (i = 0; i < NV3_GRAPH_FETCHED && !ret; i++)
		seq_printf(m, "%06x %08x %08x %08x %08x\n", nv3_graph_fetched[i],
			   proof->a.fetched[i], proof->b.fetched[i], proof->back.fetched[i],
			   proof->wrong.fetched[i]);

	kfree(proof);
	return ret;
}
