/* SPDX-License-Identifier: MIT */
/* The resource manager's answers to interrupts of the chip (kernel/rm/nv3_trap.c). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "nv3_class.h"
#include "nv3_names.h"
#include "nv3_regs.h"
#include "rm.h"

#define PGRAPH_TRAPS \
	(NV3_PGRAPH_INTR_INVALID | NV3_PGRAPH_INTR_RANGE | NV3_PGRAPH_INTR_MISSING_METHOD | \
	 NV3_PGRAPH_INTR_MISSING_FORMAT | NV3_PGRAPH_INTR_CLIP_SOFTWARE)

struct answer {
	struct rm *rm;
	struct machine *m;
	char *text;
	size_t size;
};

static void __attribute__((format(printf, 2, 3)))
say(struct answer *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(a->text, a->size, format, args);
	va_end(args);
}

/* ---- PFIFO ---- */

static uint32_t gray(uint32_t n)
{
	return n ^ n >> 1;
}

static uint32_t ungray(uint32_t code)
{
	code ^= code >> 4;
	code ^= code >> 2;
	code ^= code >> 1;
	return code;
}

static uint32_t cache1_get(struct machine *m)
{
	return ungray(machine_rd32(m, NV3_PFIFO_CACHE1_GET) >> 2 &
		      (NV3_PFIFO_CACHE1_SIZE_C - 1));
}

static void skip_method(struct machine *m)
{
	uint32_t next = (cache1_get(m) + 1) % NV3_PFIFO_CACHE1_SIZE_C;

	machine_wr32(m, NV3_PFIFO_CACHE1_GET, gray(next) << 2);
}

/* Restarts the puller at the method that GET selects. */
static void restart_puller(struct machine *m)
{
	machine_wr32(m, NV3_PFIFO_INTR, NV3_PFIFO_INTR_CACHE_ERROR);
	machine_wr32(m, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
}

static void answer_miss(struct answer *a, uint32_t chid, uint32_t handle)
{
	struct rm_object *obj = rm_find_object(a->rm, chid, handle);
	const char *error = obj && obj->ctx ? rm_ramht_insert(a->rm, obj) :
			    "no object has this handle";

	if (error) {
		skip_method(a->m);
		say(a, "handle 0x%08" PRIx32 " of channel %" PRIu32 ": %s, OBJECT is dropped",
		    handle, chid, error);
	} else {
		say(a, "handle 0x%08" PRIx32 " of channel %" PRIu32 " is entered into RAMHT",
		    handle, chid);
	}
	restart_puller(a->m);
}

static void answer_software(struct answer *a, uint32_t subch, uint32_t mthd, uint32_t data)
{
	uint32_t ctx = machine_rd32(a->m, NV3_PFIFO_CACHE1_CTX(subch));
	const struct nv3_class_names *class =
		ctx & NV3_CTX_CLASS_GRAPH ? nv3_names_class(ctx >> NV3_CTX_CLASS_SHIFT & 0x3f) :
		NULL;
	const struct nv3_word *word = nv3_names_method(class, mthd);
	char name[NV3_NAMES_TEXT], value[NV3_NAMES_TEXT];

	nv3_names_print_method(class, mthd, name, sizeof(name));
	nv3_names_print_value(word ? word->fields : NULL, data, value, sizeof(value));
	if (class)
		say(a, "%s %s %s of a software object: taken from CACHE1", class->name, name,
		    value);
	else
		say(a, "%s %s for a subchannel without an object: dropped", name, value);
	skip_method(a->m);
	restart_puller(a->m);
}

static void answer_cache_error(struct answer *a)
{
	uint32_t at = gray(cache1_get(a->m)), chid, addr, data, mthd;

	addr = machine_rd32(a->m, NV3_PFIFO_CACHE1_ADDR_C(at));
	data = machine_rd32(a->m, NV3_PFIFO_CACHE1_DATA_C(at));
	chid = machine_rd32(a->m, NV3_PFIFO_CACHE1_PUSH_CHID) & NV3_PFIFO_CACHE1_CHID;
	mthd = addr & NV3_FIFO_ADDR_MTHD;
	if (machine_rd32(a->m, NV3_PFIFO_CACHE1_PULL_CTRL) & NV3_PFIFO_PULL_CTRL_HASH_FAILED)
		answer_miss(a, chid, data);
	else
		answer_software(a, (addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT,
				mthd, data);
}

/*
 * Runs the engine to make room in CACHE1, and stores the method of an entry of RAMRO again. Returns
 * false if the entry does not contain an overflowed method.
 */
static bool replay(struct answer *a, uint32_t entry)
{
	uint32_t word = machine_ramin_rd32(a->m, RM_RAMRO + entry);
	uint32_t data = machine_ramin_rd32(a->m, RM_RAMRO + entry + 4);
	uint32_t reason = word >> NV3_RAMRO_REASON_SHIFT & 7;
	uint32_t chid = word >> NV3_RAMRO_CHID_SHIFT & NV3_PFIFO_CACHE1_CHID;

	if (word & NV3_RAMRO_READ || (reason != NV3_RAMRO_NO_CACHE &&
				      reason != NV3_RAMRO_CACHE_RAN_OUT &&
				      reason != NV3_RAMRO_FREE_OVERRUN))
		return false;
	machine_run(a->m, 0);
	machine_wr32(a->m, NV3_USER + chid * NV3_USER_STRIDE + (word & NV3_FIFO_ADDR_MASK), data);
	return true;
}

/*
 * Copies the entries of RAMRO, empties RAMRO, and stores the methods again. If the engine stops at
 * another interrupt before all methods are stored, the remaining methods overflow to RAMRO again,
 * and the next call handles them.
 */
static void answer_runout(struct answer *a)
{
	uint32_t get = machine_rd32(a->m, NV3_PFIFO_RUNOUT_GET) % RM_RAMRO_SIZE;
	uint32_t put = machine_rd32(a->m, NV3_PFIFO_RUNOUT_PUT) % RM_RAMRO_SIZE;
	unsigned int replayed = 0, dropped = 0;

	machine_wr32(a->m, NV3_PFIFO_RUNOUT_GET, put);
	machine_wr32(a->m, NV3_PFIFO_INTR,
		     NV3_PFIFO_INTR_RUNOUT | NV3_PFIFO_INTR_RUNOUT_OVERFLOW);
	for (; get != put; get = (get + NV3_RAMRO_ENTRY_SIZE) % RM_RAMRO_SIZE) {
		if (replay(a, get))
			replayed++;
		else
			dropped++;
	}
	if (dropped)
		say(a, "%u methods of RAMRO are stored again, %u are dropped", replayed, dropped);
	else
		say(a, "%u methods of RAMRO are stored again", replayed);
}

static bool answer_pfifo(struct answer *a)
{
	uint32_t intr = machine_rd32(a->m, NV3_PFIFO_INTR);

	if (intr & NV3_PFIFO_INTR_CACHE_ERROR) {
		answer_cache_error(a);
	} else if (intr & NV3_PFIFO_INTR_RUNOUT) {
		answer_runout(a);
	} else if (intr & (NV3_PFIFO_INTR_DMA_PUSHER | NV3_PFIFO_INTR_DMA_PTE)) {
		machine_wr32(a->m, NV3_PFIFO_INTR, intr);
		say(a, "the DMA pusher has stopped at byte 0x%" PRIx32
		    " of the batch, the rest is dropped",
		    machine_rd32(a->m, NV3_PFIFO_CACHE1_DMA_GET));
	} else {
		return false;
	}
	return true;
}

/* ---- PGRAPH ---- */

static void restart_pgraph(struct answer *a, uint32_t intr)
{
	machine_wr32(a->m, NV3_PGRAPH_INTR, intr);
	machine_wr32(a->m, NV3_PGRAPH_FIFO_ENABLE, 1);
}

static void answer_switch(struct answer *a)
{
	uint32_t user = machine_rd32(a->m, NV3_PGRAPH_CTX_USER) & NV3_PGRAPH_CTX_USER_CHID;
	uint32_t next = machine_rd32(a->m, NV3_PGRAPH_TRAPPED_ADDR) & NV3_PGRAPH_CTX_USER_CHID;
	bool valid = machine_rd32(a->m, NV3_PGRAPH_CTX_CONTROL) &
		     NV3_PGRAPH_CTX_CONTROL_CHID_VALID;
	struct rm_channel *from = valid ? rm_find_channel(a->rm, user >> 24) : NULL;
	struct rm_channel *to = rm_find_channel(a->rm, next >> 24);

	if (!to) {
		say(a, "PGRAPH is needed by channel %" PRIu32 ", which does not exist", next >> 24);
		machine_wr32(a->m, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_CTX_SWITCH);
		return;
	}
	rm_pgraph_switch(a->rm, from, to);
	if (from)
		say(a, "PGRAPH switches from channel %" PRIu32 " to channel %" PRIu32,
		    from->chid, to->chid);
	else
		say(a, "PGRAPH switches to channel %" PRIu32, to->chid);
	restart_pgraph(a, NV3_PGRAPH_INTR_CTX_SWITCH);
}

static struct rm_object *find_instance(struct rm *rm, uint32_t inst)
{
	struct rm_object *obj = rm->state.object;

	for (; obj < rm->state.object + RM_OBJECTS; obj++) {
		if (obj->handle && obj->inst >> 4 == inst)
			return obj;
	}
	return NULL;
}

/*
 * Executes a method that replaces a DMA object of @obj. The chip traps on such methods
 * (kernel/class/nv3_graph.c). Returns false for any other method, or if @handle is not a DMA
 * object.
 */
static bool set_dma(struct answer *a, struct rm_object *obj, uint32_t mthd, uint32_t handle)
{
	bool two = obj->class_id == NV3_CLASS_M2MF;
	bool one = two || obj->class_id == NV3_CLASS_SIFM || obj->class_id == NV3_CLASS_ITM ||
		   obj->class_id == NV3_CLASS_D3D;
	uint32_t *which = mthd == NV3_MTHD_SET_NOTIFY_DMA ? &obj->notify :
			  mthd == NV3_M2MF_SET_DMA_IN && one ? &obj->dma :
			  mthd == NV3_M2MF_SET_DMA_OUT && two ? &obj->dma_out : NULL;
	struct rm_object *dma = rm_find_object(a->rm, obj->chid, handle);

	if (!which || (handle && (!dma || dma->ctx)))
		return false;
	*which = handle ? dma->inst >> 4 : 0;
	rm_write_object(a->rm, obj);
	machine_wr32(a->m, NV3_PGRAPH_GROBJ_INST, obj->inst >> 4);
	machine_wr32(a->m, NV3_PGRAPH_DMA_INST, obj->dma);
	machine_wr32(a->m, NV3_PGRAPH_M2MF_INST, obj->dma_out);
	machine_wr32(a->m, NV3_PGRAPH_NOTIFY,
		     (machine_rd32(a->m, NV3_PGRAPH_NOTIFY) & ~NV3_PGRAPH_NOTIFY_INST) |
		     obj->notify);
	return true;
}

static void answer_trap(struct answer *a, uint32_t intr)
{
	uint32_t addr = machine_rd32(a->m, NV3_PGRAPH_TRAPPED_ADDR);
	uint32_t data = machine_rd32(a->m, NV3_PGRAPH_TRAPPED_DATA);
	uint32_t invalid = machine_rd32(a->m, NV3_PGRAPH_INVALID);
	struct rm_object *obj =
		find_instance(a->rm, machine_rd32(a->m, NV3_PGRAPH_TRAPPED_INST));
	const struct nv3_class_names *class =
		nv3_names_class((addr & NV3_PGRAPH_CTX_USER_CLASS) >> 16);
	const char *class_name = class ? class->name : "a class that does not exist";
	char name[NV3_NAMES_TEXT], reason[NV3_NAMES_TEXT];

	nv3_names_print_method(class, addr & NV3_FIFO_ADDR_MTHD, name, sizeof(name));
	if (intr == NV3_PGRAPH_INTR_INVALID && invalid == NV3_PGRAPH_INVALID_METHOD && obj &&
	    set_dma(a, obj, addr & NV3_FIFO_ADDR_MTHD, data)) {
		say(a, "%s of %s, on which the chip traps: the object is changed", name,
		    class_name);
	} else {
		uint32_t reg = intr & NV3_PGRAPH_INTR_INVALID ? NV3_PGRAPH_INVALID :
								NV3_PGRAPH_INTR;
		const struct nv3_word *word = nv3_names_register(reg);

		nv3_names_print_value(word->fields, reg == NV3_PGRAPH_INVALID ? invalid : intr,
				      reason, sizeof(reason));
		say(a, "%s of %s is a fault of the channel (%s%s)", name, class_name,
		    reg == NV3_PGRAPH_INVALID ? "INVALID " : "", reason);
	}
	restart_pgraph(a, intr);
}

static bool answer_pgraph(struct answer *a)
{
	uint32_t intr = machine_rd32(a->m, NV3_PGRAPH_INTR);
	uint32_t dma = machine_rd32(a->m, NV3_PDMA_INTR);

	if (dma) {
		machine_wr32(a->m, NV3_PDMA_INTR, dma);
		say(a, "an access by DMA is a fault of the channel, at offset 0x%" PRIx32,
		    machine_rd32(a->m, NV3_PDMA_ADDR));
		restart_pgraph(a, 0);
	} else if (intr & NV3_PGRAPH_INTR_CTX_SWITCH) {
		answer_switch(a);
	} else if (intr & PGRAPH_TRAPS) {
		answer_trap(a, intr & PGRAPH_TRAPS);
	} else if (intr & NV3_PGRAPH_INTR_NOTIFY) {
		machine_wr32(a->m, NV3_PGRAPH_INTR, NV3_PGRAPH_INTR_NOTIFY);
		say(a, "a notification is complete");
	} else {
		return false;
	}
	return true;
}

bool rm_answer(struct rm *rm, char *text, size_t size)
{
	struct answer a = { .rm = rm, .m = rm->machine, .text = text, .size = size };

	*text = '\0';
	return rm->machine->irq && (answer_pfifo(&a) || answer_pgraph(&a));
}
