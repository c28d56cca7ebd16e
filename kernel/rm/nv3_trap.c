// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Traps
 *
 * The chip stops at a method that it can't execute, and raises an interrupt. The interrupt handler
 * distinguishes three cases. If RAMHT lacks the handle in the method, the handler inserts the
 * object into RAMHT, and the chip retries the method. If the driver implements the method, the
 * handler executes the method, and the chip continues with the next method. Otherwise the handler
 * raises a fault. The driver implements all methods of software classes, and those methods of
 * hardware classes that nv3_class.emulate() executes.
 *
 * If PFIFO stops, PGRAPH has not received the method. GET of CACHE1 points to the method, and the
 * resource manager advances GET after executing the method. If PGRAPH stops, it has already
 * accepted the method, so GET points to the next method.
 */

#include <drm/drm_print.h>

#include "device/nv3_trace.h"
#include "nv3_class.h"
#include "nv3_job.h"
#include "nv3_object.h"
#include "nv3_rm.h"
#include "nv3_sched.h"
#include "nv3_switch.h"

/* A method of the running batch, in CACHE1 or PGRAPH. */
struct nv3_method {
	struct nv3_channel *chan;
	u32 subch;
	u32 mthd;
	u32 data;
	u32 class_id;
};

static struct nv3_fault nv3_trap_describe(const struct nv3_method *m, u32 reason)
{
	return (struct nv3_fault) {
		.reason = reason,
		.subch = m->subch,
		.mthd = m->mthd,
		.data = m->data,
		.class_id = m->class_id,
	};
}

static void nv3_trap_fault(struct nv3_rm *rm, const struct nv3_method *m, u32 reason)
{
	struct nv3_fault fault = nv3_trap_describe(m, reason);

	nv3_fault_raise(rm, &fault);
}

/* Returns the method at which the puller has stopped. */
static struct nv3_method nv3_trap_stopped(struct nv3_rm *rm)
{
	struct nv3_store store = nv3_cache1_read(rm->nv3, nv3_cache1_get(rm->nv3));

	return (struct nv3_method) {
		.chan = rm->running->chan,
		.subch = (store.addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT,
		.mthd = store.addr & NV3_FIFO_ADDR_MTHD,
		.data = store.data,
	};
}

static void nv3_trap_skip(struct nv3_rm *rm)
{
	nv3_cache1_set_get(rm->nv3, nv3_cache1_get(rm->nv3) + 1);
}

/* Handles a method that binds an object whose handle is not in RAMHT. */
static u32 nv3_trap_miss(struct nv3_rm *rm, struct nv3_method *m)
{
	struct nv3_object *obj = nv3_object_find(m->chan, m->data);

	if (!obj)
		return DRM_NV3_FAULT_NAME;

	m->class_id = obj->class->id;
	if (!obj->key.ctx)
		return DRM_NV3_FAULT_DATA;

	rm->ramht.misses++;
	nv3_ramht_insert(&rm->ramht, &obj->key);
	trace_nv3_ramht_insert(rm->nv3, obj->key.chid, obj->key.handle, m->class_id);
	return DRM_NV3_FAULT_NONE;
}

/* Handles a method that binds a software object. */
static u32 nv3_trap_select(struct nv3_rm *rm, struct nv3_method *m)
{
	struct nv3_object *obj = nv3_object_find(m->chan, m->data);

	if (drm_WARN_ON(&rm->nv3->drm, !obj || obj->class->hardware))
		return DRM_NV3_FAULT_NAME;

	m->class_id = obj->class->id;
	m->chan->soft[m->subch] = obj;
	nv3_switch_bind(m->chan, m->subch, obj->key.ctx);
	return obj->class->select ? obj->class->select(obj, m->subch) : DRM_NV3_FAULT_NONE;
}

/*
 * Handles a method other than method 0, of a software object or of a subchannel without an object.
 */
static u32 nv3_trap_method(struct nv3_rm *rm, struct nv3_method *m)
{
	struct nv3_object *obj = m->chan->soft[m->subch];

	if (!obj)
		return DRM_NV3_FAULT_NAME;

	m->class_id = obj->class->id;
	if (!obj->class->method)
		return DRM_NV3_FAULT_METHOD;

	return obj->class->method(obj, m->subch, m->mthd, m->data);
}

/**
 * nv3_trap_pfifo() - handle the method at GET of CACHE1, at which PFIFO has stopped
 * @rm: the resource manager
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_trap_pfifo(struct nv3_rm *rm)
{
	struct nv3_device *nv3 = rm->nv3;
	struct nv3_method m;
	bool miss;
	u32 fault;

	lockdep_assert_held(&rm->lock);

	/*
	 * A PIO timeslice that has faulted remains the running job until the tick ends it. In this
	 * state, CACHE1 is empty.
	 */
	if (rm->running->chan->fault.reason)
		return;

	miss = nv3_rd32(nv3, NV3_PFIFO_CACHE1_PULL_CTRL) & NV3_PFIFO_PULL_CTRL_HASH_FAILED;
	m = nv3_trap_stopped(rm);

	if (miss)
		fault = nv3_trap_miss(rm, &m);
	else if (m.mthd == NV3_MTHD_OBJECT)
		fault = nv3_trap_select(rm, &m);
	else
		fault = nv3_trap_method(rm, &m);

	if (!miss)
		trace_nv3_software_method(nv3, m.chan->chid, m.subch, m.class_id, m.mthd, m.data,
					  fault);
	if (fault == NV3_TRAP_WAIT) {
		m.chan->queue.fault = nv3_trap_describe(&m, DRM_NV3_FAULT_NONE);
		if (rm->running->ops->block)
			rm->running->ops->block(rm->running);
		else
			nv3_sched_preempt(rm);
		return;
	}
	if (fault == NV3_TRAP_DONE) {
		nv3_job_finish(rm, 0);
	} else if (fault && fault != NV3_TRAP_AGAIN) {
		nv3_trap_fault(rm, &m, fault);
		return;
	}

	if (!miss && fault != NV3_TRAP_AGAIN)
		nv3_trap_skip(rm);
	nv3_rm_start_puller(rm);
}

/* If @m is an injected method, replaces it with the client's method that needs the injection. */
static void nv3_trap_undo_injection(struct nv3_rm *rm, struct nv3_method *m)
{
	u32 inst = nv3_rd32(rm->nv3, NV3_PGRAPH_TRAPPED_INST);
	struct nv3_object *obj = nv3_object_find_inst(m->chan, inst);

	if (!obj || !obj->class->injected || obj->class->id == m->class_id)
		return;

	m->class_id = obj->class->id;
	obj->class->injected(obj, &m->mthd, &m->data);
}

static void nv3_pgraph_read(struct nv3_rm *rm, struct nv3_method *m)
{
	u32 addr = nv3_rd32(rm->nv3, NV3_PGRAPH_TRAPPED_ADDR);

	m->chan = rm->running->chan;
	m->subch = (addr & NV3_PGRAPH_CTX_USER_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT;
	m->mthd = addr & NV3_FIFO_ADDR_MTHD;
	m->data = nv3_rd32(rm->nv3, NV3_PGRAPH_TRAPPED_DATA);
	m->class_id = (addr & NV3_PGRAPH_CTX_USER_CLASS) >> NV3_CTX_CLASS_SHIFT;
	nv3_trap_undo_injection(rm, m);
}

/*
 * Returns the handle of the object that the trapped method binds, or 0 if the client did not create
 * this object. PGRAPH reports only the instance of the object.
 */
static u32 nv3_trap_handle(struct nv3_rm *rm, const struct nv3_method *m)
{
	u32 inst = nv3_rd32(rm->nv3, NV3_PGRAPH_TRAPPED_INST);
	struct nv3_object *obj = nv3_object_find_inst(m->chan, inst);

	return obj && obj != m->chan->fence_context.object ? obj->key.handle : 0;
}

static u32 nv3_trap_emulate(struct nv3_rm *rm, struct nv3_method *m)
{
	u32 inst = nv3_rd32(rm->nv3, NV3_PGRAPH_TRAPPED_INST);
	struct nv3_object *obj = nv3_object_find_inst(m->chan, inst);
	u32 fault;

	if (!obj || !obj->class->emulate)
		return DRM_NV3_FAULT_METHOD;

	fault = obj->class->emulate(obj, m->mthd, m->data);
	/*
	 * DRM_NV3_FAULT_METHOD means that emulate() has not executed the method, so do not trace
	 * it.
	 */
	if (fault != DRM_NV3_FAULT_METHOD)
		trace_nv3_software_method(rm->nv3, m->chan->chid, m->subch, m->class_id, m->mthd,
					  m->data, fault);
	return fault;
}

static u32 nv3_trap_invalid(struct nv3_rm *rm, struct nv3_method *m, u32 invalid)
{
	if (invalid & ~(NV3_PGRAPH_INVALID_METHOD | NV3_PGRAPH_INVALID_DATA))
		return DRM_NV3_FAULT_STATE;
	if (invalid & NV3_PGRAPH_INVALID_DATA)
		return DRM_NV3_FAULT_DATA;
	return nv3_trap_emulate(rm, m);
}

/**
 * nv3_trap_pgraph() - handle the method at which PGRAPH has stopped
 * @rm: the resource manager
 * @intr: the value of PGRAPH_INTR
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_trap_pgraph(struct nv3_rm *rm, u32 intr)
{
	struct nv3_device *nv3 = rm->nv3;
	struct nv3_method m;
	u32 fault, invalid;

	lockdep_assert_held(&rm->lock);

	nv3_pgraph_read(rm, &m);
	invalid = nv3_rd32(nv3, NV3_PGRAPH_INVALID);
	nv3_wr32(nv3, NV3_PGRAPH_INTR, intr);

	if (intr & NV3_PGRAPH_INTR_RANGE)
		fault = DRM_NV3_FAULT_DATA;
	else if (intr & ~NV3_PGRAPH_INTR_INVALID)
		fault = DRM_NV3_FAULT_STATE;
	else
		fault = nv3_trap_invalid(rm, &m, invalid);

	if (!fault) {
		nv3_wr32(nv3, NV3_PGRAPH_FIFO_ENABLE, 1);
		return;
	}

	if (m.mthd == NV3_MTHD_OBJECT)
		m.data = nv3_trap_handle(rm, &m);
	nv3_trap_fault(rm, &m, fault);
}

static u32 nv3_trap_find_subch(struct nv3_object *obj)
{
	unsigned int i;

	for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
		if (nv3_switch_binding(obj->chan, i) == (obj->key.ctx & NV3_CTX_REGISTER))
			return i;
	return 0;
}

/*
 * If the access belongs to deferred drawing, replaces @m with method 0 of the object that has
 * drawn, with the address of the access as argument. The method that started the drawing is not
 * known, because PGRAPH may have accepted methods of other objects in the meantime.
 */
static void nv3_trap_find_deferred(struct nv3_rm *rm, struct nv3_method *m)
{
	u32 inst = nv3_rd32(rm->nv3, NV3_PDMA_INST) - NV3_GROBJ_SIZE / 16;
	struct nv3_object *obj = nv3_object_find_inst(m->chan, inst);

	if (!obj || !obj->class->deferred)
		return;

	m->class_id = obj->class->id;
	m->subch = nv3_trap_find_subch(obj);
	m->mthd = 0;
	m->data = nv3_rd32(rm->nv3, NV3_PDMA_ADDR);
}

/**
 * nv3_trap_pdma() - handle an access by PDMA that the DMA object does not permit
 * @rm: the resource manager
 * @intr: the value of PDMA_INTR
 *
 * Context: nv3_rm.lock is held.
 */
void nv3_trap_pdma(struct nv3_rm *rm, u32 intr)
{
	struct nv3_method m;

	lockdep_assert_held(&rm->lock);

	nv3_pgraph_read(rm, &m);
	nv3_trap_find_deferred(rm, &m);
	nv3_trap_fault(rm, &m, intr & NV3_PDMA_INTR_INST_NULL ? DRM_NV3_FAULT_STATE :
								DRM_NV3_FAULT_PAGE);
}
