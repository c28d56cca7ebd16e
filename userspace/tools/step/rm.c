/* SPDX-License-Identifier: MIT */
/* Channels, objects and batches (rm.h). */
#include "rm.h"

#include <string.h>

#include "nv3_class.h"
#include "nv3_regs.h"

#define GROBJ_SIZE	16u
#define INSTANCES_END	NV3_RAMIN_SIZE

static void pfifo_init(struct machine *m)
{
	machine_wr32(m, NV3_PMC_ENABLE, 0xffffffff);
	machine_wr32(m, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
	machine_wr32(m, NV3_PFIFO_RAMHT, RM_RAMHT | 3 << NV3_PFIFO_RAMHT_SIZE_SHIFT);
	machine_wr32(m, NV3_PFIFO_RAMRO, RM_RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
	machine_wr32(m, NV3_PFIFO_RAMFC, RM_RAMFC);
	machine_wr32(m, NV3_PFIFO_INTR, NV3_PFIFO_INTR_ALL);
	machine_wr32(m, NV3_PFIFO_INTR_EN, NV3_PFIFO_INTR_ALL);
	machine_wr32(m, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
	machine_wr32(m, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
	machine_wr32(m, NV3_PFIFO_CACHES, NV3_PFIFO_CACHES_REASSIGN);
}

void rm_init(struct rm *rm, struct machine *m)
{
	memset(rm, 0, sizeof(*rm));
	rm->machine = m;
	rm->state.instances = RM_INSTANCES;
	pfifo_init(m);
	rm_pgraph_init(rm);
}

/* ---- channels ---- */

struct rm_channel *rm_current(struct rm *rm)
{
	return &rm->state.channel[rm->state.current];
}

struct rm_channel *rm_find_channel(struct rm *rm, uint32_t chid)
{
	struct rm_channel *chan = rm->state.channel;

	for (; chan < rm->state.channel + RM_CHANNELS; chan++) {
		if (chan->exists && chan->chid == chid)
			return chan;
	}
	return NULL;
}

/* Allocates instance memory in RAMIN. Returns the offset in RAMIN, or 0 if there is no room. */
static uint32_t alloc_instance(struct rm *rm, uint32_t size)
{
	uint32_t inst = rm->state.instances;

	size = (size + 15) & ~15u;
	if (size > INSTANCES_END - inst)
		return 0;
	rm->state.instances += size;
	return inst;
}

/* Creates the page table through which the DMA pusher reads the channel's batch. */
static bool init_batch(struct rm *rm, struct rm_channel *chan)
{
	uint32_t first = MACHINE_MEMORY_BASE + RM_BATCHES +
			 (chan - rm->state.channel) * RM_BATCH_MAX;
	uint32_t i, pages = RM_BATCH_MAX / MACHINE_PAGE;

	chan->table = alloc_instance(rm, NV3_DMAOBJ_PTE(pages));
	for (i = 0; chan->table && i < pages; i++)
		machine_ramin_wr32(rm->machine, chan->table + NV3_DMAOBJ_PTE(i),
				   (first + i * MACHINE_PAGE) | NV3_DMAOBJ_PTE_PRESENT);
	return chan->table;
}

const char *rm_channel(struct rm *rm, uint32_t chid, bool dma)
{
	struct rm_channel *chan = rm_find_channel(rm, chid);
	unsigned int n;

	if (chan) {
		rm->state.current = chan - rm->state.channel;
		return NULL;
	}
	for (n = 0; n < RM_CHANNELS && rm->state.channel[n].exists; n++)
		continue;
	if (n == RM_CHANNELS)
		return "too many channels";
	chan = &rm->state.channel[n];
	chan->chid = chid;
	chan->dma = dma;
	memcpy(chan->pgraph, rm->state.initial, sizeof(chan->pgraph));
	if (dma && !init_batch(rm, chan))
		return "RAMIN is full";
	chan->exists = true;
	rm->state.current = n;
	if (n == 0) {
		machine_wr32(rm->machine, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
		machine_wr32(rm->machine, NV3_PFIFO_CACHE1_PUSH_CHID, chid);
		machine_wr32(rm->machine, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
		rm_pgraph_own(rm, chan);
	}
	return NULL;
}

/* Returns true if PGRAPH's registers hold the channel's context. */
static bool owns_pgraph(struct rm *rm, const struct rm_channel *chan)
{
	return machine_rd32(rm->machine, NV3_PGRAPH_CTX_USER) >> 24 == chan->chid &&
	       machine_rd32(rm->machine, NV3_PGRAPH_CTX_CONTROL) &
	       NV3_PGRAPH_CTX_CONTROL_CHID_VALID;
}

void rm_set_surface(struct rm *rm, uint32_t slot, const struct rm_surface *surface)
{
	struct rm_channel *chan = rm_current(rm);

	chan->surface[slot] = *surface;
	if (owns_pgraph(rm, chan))
		rm_apply_surfaces(rm, chan);
}

/* ---- objects ---- */

struct rm_object *rm_find_object(struct rm *rm, uint32_t chid, uint32_t handle)
{
	struct rm_object *obj = rm->state.object;

	for (; obj < rm->state.object + RM_OBJECTS; obj++) {
		if (obj->handle && obj->handle == handle && obj->chid == chid)
			return obj;
	}
	return NULL;
}

/*
 * Creates an object of the current channel. Returns null if the table of objects or the instance
 * memory is full.
 */
static struct rm_object *new_object(struct rm *rm, uint32_t handle, uint32_t size)
{
	struct rm_object *obj = rm->state.object;
	uint32_t inst;

	while (obj < rm->state.object + RM_OBJECTS && obj->handle)
		obj++;
	if (obj == rm->state.object + RM_OBJECTS)
		return NULL;
	inst = alloc_instance(rm, size);
	if (!inst)
		return NULL;
	*obj = (struct rm_object) {
		.handle = handle, .chid = rm_current(rm)->chid, .inst = inst,
	};
	return obj;
}

/*
 * Sets @inst to the instance number of a DMA object of the current channel, or to 0 if @handle is
 * 0.
 */
static const char *find_dma(struct rm *rm, uint32_t handle, uint32_t *inst)
{
	struct rm_object *obj = rm_find_object(rm, rm_current(rm)->chid, handle);

	*inst = 0;
	if (!handle)
		return NULL;
	if (!obj || obj->ctx)
		return "there is no DMA object with this handle";
	*inst = obj->inst >> 4;
	return NULL;
}

void rm_write_object(struct rm *rm, const struct rm_object *obj)
{
	struct machine *m = rm->machine;

	machine_ramin_wr32(m, obj->inst + NV3_GROBJ_OPTIONS, obj->options);
	machine_ramin_wr32(m, obj->inst + NV3_GROBJ_DMA,
			   obj->notify << NV3_GROBJ_NOTIFY_SHIFT | obj->dma);
	machine_ramin_wr32(m, obj->inst + NV3_GROBJ_M2MF, obj->dma_out);
}

const char *rm_ramht_insert(struct rm *rm, const struct rm_object *obj)
{
	uint32_t addr = RM_RAMHT + NV3_RAMHT_HASH(obj->handle, obj->chid) * RM_RAMHT_DEPTH *
			NV3_RAMHT_ENTRY_SIZE;
	unsigned int i;

	for (i = 0; i < RM_RAMHT_DEPTH; i++, addr += NV3_RAMHT_ENTRY_SIZE) {
		if (machine_ramin_rd32(rm->machine, addr + 4))
			continue;
		machine_ramin_wr32(rm->machine, addr, obj->handle);
		machine_ramin_wr32(rm->machine, addr + 4, obj->ctx | NV3_CTX_VALID);
		return NULL;
	}
	return "the handle's bucket of RAMHT is full";
}

const char *rm_add_object(struct rm *rm, const struct rm_object_info *info)
{
	struct rm_object *obj = new_object(rm, info->handle, GROBJ_SIZE);
	const char *error;

	if (!obj)
		return "too many objects";
	obj->class_id = info->class_id;
	obj->options = info->options;
	obj->ctx = obj->chid << NV3_CTX_CHID_SHIFT | NV3_CTX_CLASS_GRAPH |
		   info->class_id << NV3_CTX_CLASS_SHIFT | obj->inst >> 4 |
		   (info->software ? 0 : NV3_CTX_HARDWARE);
	error = find_dma(rm, info->dma, &obj->dma);
	if (!error)
		error = find_dma(rm, info->dma_out, &obj->dma_out);
	if (!error)
		error = find_dma(rm, info->notify, &obj->notify);
	if (error)
		return error;
	rm_write_object(rm, obj);
	return info->missing ? NULL : rm_ramht_insert(rm, obj);
}

const char *rm_add_dma(struct rm *rm, const struct rm_dma_info *info)
{
	uint32_t base = info->vram ? info->offset : MACHINE_MEMORY_BASE + info->offset;
	uint32_t adjust = base % MACHINE_PAGE;
	uint32_t i, pages = (adjust + info->size + MACHINE_PAGE - 1) / MACHINE_PAGE;
	struct rm_object *obj = new_object(rm, info->handle, NV3_DMAOBJ_PTE(pages));
	uint32_t target = info->vram ? NV3_DMAOBJ_TARGET_VRAM : NV3_DMAOBJ_TARGET_PCI;
	uint32_t flags = NV3_DMAOBJ_PTE_PRESENT | (info->write ? NV3_DMAOBJ_PTE_WRITE : 0);

	if (!obj)
		return "too many objects";
	obj->class_id = 0x3d;	/* DRM_NV3_CLASS_DMA */
	machine_ramin_wr32(rm->machine, obj->inst + NV3_DMAOBJ_FLAGS,
			   adjust | NV3_DMAOBJ_PAGED | target << NV3_DMAOBJ_TARGET_SHIFT);
	machine_ramin_wr32(rm->machine, obj->inst + NV3_DMAOBJ_LIMIT, info->size - 1);
	for (i = 0; i < pages; i++)
		machine_ramin_wr32(rm->machine, obj->inst + NV3_DMAOBJ_PTE(i),
				   ((base & NV3_DMAOBJ_PTE_FRAME) + i * MACHINE_PAGE) | flags);
	return NULL;
}

/* ---- methods ---- */

static uint32_t batch_offset(struct rm *rm, const struct rm_channel *chan, uint32_t word)
{
	return RM_BATCHES + (chan - rm->state.channel) * RM_BATCH_MAX + word * 4;
}

static uint32_t batch_word(struct rm *rm, const struct rm_channel *chan, uint32_t word)
{
	const uint8_t *from = rm->machine->memory + batch_offset(rm, chan, word);

	return from[0] | from[1] << 8 | from[2] << 16 | (uint32_t)from[3] << 24;
}

/*
 * Adds a method to the last run of the batch (a header and its arguments). Returns false if the
 * method does not continue the run.
 */
static bool extend_run(struct rm *rm, struct rm_channel *chan, uint32_t addr)
{
	uint32_t header, count;

	if (!chan->header)
		return false;
	header = batch_word(rm, chan, chan->header - 1);
	count = header >> NV3_PUSH_COUNT_SHIFT;
	if ((header & NV3_FIFO_ADDR_MASK) + count * 4 != addr || count == NV3_PUSH_COUNT_MAX)
		return false;
	machine_memory_wr32(rm->machine, batch_offset(rm, chan, chan->header - 1),
			    header + (1u << NV3_PUSH_COUNT_SHIFT));
	return true;
}

static const char *append_method(struct rm *rm, struct rm_channel *chan, uint32_t addr,
				 uint32_t data)
{
	if ((chan->words + 2) * 4 > RM_BATCH_MAX)
		return "the batch is full";
	if (!extend_run(rm, chan, addr)) {
		machine_memory_wr32(rm->machine, batch_offset(rm, chan, chan->words),
				    1u << NV3_PUSH_COUNT_SHIFT | addr);
		chan->header = ++chan->words;
	}
	machine_memory_wr32(rm->machine, batch_offset(rm, chan, chan->words++), data);
	return NULL;
}

const char *rm_method(struct rm *rm, uint32_t subch, uint32_t mthd, uint32_t data)
{
	struct rm_channel *chan = rm_current(rm);

	if (chan->dma)
		return append_method(rm, chan, subch << NV3_FIFO_ADDR_SUBCH_SHIFT | mthd, data);
	machine_wr32(rm->machine, NV3_USER_ADDR(chan->chid, subch, mthd), data);
	return NULL;
}

/*
 * Switches PFIFO to channel @to, as the chip does at a store to this channel's USER aperture. Saves
 * the context words of channel @from to RAMFC, and loads those of channel @to.
 */
static void switch_pfifo(struct rm *rm, uint32_t from, uint32_t to)
{
	uint32_t i, old = RM_RAMFC + from * NV3_RAMFC_ENTRY_SIZE;
	uint32_t new = RM_RAMFC + to * NV3_RAMFC_ENTRY_SIZE;
	struct machine *m = rm->machine;

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT && from != to; i++) {
		machine_ramin_wr32(m, old + i * 4, machine_rd32(m, NV3_PFIFO_CACHE1_CTX(i)));
		machine_wr32(m, NV3_PFIFO_CACHE1_CTX(i),
			     machine_ramin_rd32(m, new + i * 4) & (NV3_CTX_INST | NV3_CTX_CLASS |
								   NV3_CTX_HARDWARE));
	}
	machine_wr32(m, NV3_PFIFO_CACHE1_PULL_STATE, 0);
}

const char *rm_submit(struct rm *rm)
{
	struct rm_channel *chan = rm_current(rm);
	struct machine *m = rm->machine;
	uint32_t owner = machine_rd32(m, NV3_PFIFO_CACHE1_PUSH_CHID) & NV3_PFIFO_CACHE1_CHID;

	if (!chan->words)
		return "the batch is empty: write methods before 'submit'";
	if (machine_rd32(m, NV3_PFIFO_CACHE1_DMA_CTRL) & NV3_PFIFO_DMA_CTRL_ACCESS ||
	    !(machine_rd32(m, NV3_PFIFO_CACHE1_STATUS) & NV3_PFIFO_CACHE_EMPTY))
		return "PFIFO is still busy with earlier methods: write 'engine on' or 'run N' first";
	machine_wr32(m, NV3_PFIFO_CACHES, 0);
	machine_wr32(m, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
	switch_pfifo(rm, owner, chan->chid);
	machine_wr32(m, NV3_PFIFO_CACHE1_PUSH_CHID, chan->chid | NV3_PFIFO_CACHE1_CHID_DMA);
	machine_wr32(m, NV3_PFIFO_CACHE1_DMA_TARGET, NV3_PFIFO_DMA_TARGET_PCI);
	machine_wr32(m, NV3_PFIFO_CACHE1_DMA_PT_INST, chan->table + NV3_DMAOBJ_PTE(0));
	machine_wr32(m, NV3_PFIFO_CACHE1_DMA_TLB_TAG, 0xffffffff);
	machine_wr32(m, NV3_PFIFO_CACHE1_DMA_STATE, 0);
	machine_wr32(m, NV3_PFIFO_CACHE1_DMA_GET, 0);
	machine_wr32(m, NV3_PFIFO_CACHE1_DMA_COUNT, chan->words * 4);
	machine_wr32(m, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
	machine_wr32(m, NV3_PFIFO_CACHES, NV3_PFIFO_CACHES_REASSIGN);
	machine_wr32(m, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_ACCESS);
	chan->words = 0;
	chan->header = 0;
	return NULL;
}
