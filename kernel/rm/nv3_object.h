/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_OBJECT_H
#define NV3_OBJECT_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/llist.h>

#include "nv3_rm_priv.h"

struct drm_file;
struct nv3_object;

/* What OBJECT_INSTANTIATE brings for an object of the class. */
union nv3_object_args {
	struct drm_nv3_dma_args dma;
	struct drm_nv3_surface_args surface;
	struct drm_nv3_graph_args graph;
	struct drm_nv3_semaphore_args semaphore;
	struct drm_nv3_flip_args flip;
};

/*
 * What nv3_class.method() may return besides faults. AGAIN: the method stays where it is, and
 * traps again when the chip is done with what it has been given for it. WAIT: it does so when
 * the channel, which waits as nv3_queue_block() was told, has been woken.
 */
#define NV3_TRAP_AGAIN		0x100
#define NV3_TRAP_WAIT		0x101

/*
 * A class, whoever carries out its methods: PGRAPH, or the functions here. A new
 * one is a struct nv3_class in a file of its own and a line in nv3_class_table.h.
 */
struct nv3_class {
	u32 id;
	/** @hardware: PGRAPH must have the class; @needs: or these, a bit for each */
	bool hardware;
	u32 needs;
	/** @waits: its methods may wait: for long-running channels only */
	bool waits;
	const char *name;
	/** @args_size: of its member of union nv3_object_args */
	size_t args_size;

	/** @create: checks @args and makes the object; the caller names it */
	struct nv3_object *(*create)(struct nv3_channel *chan, const struct nv3_class *class,
				     struct drm_file *file, const union nv3_object_args *args);
	/** @destroy: no batch and no object can mention it any more; may sleep */
	void (*destroy)(struct nv3_object *obj);
	/** @write: writes its words to RAMIN, new or after the power was gone */
	void (*write)(struct nv3_object *obj);

	/** @memory: the buffer that the chip reaches through it, and whether to write; or null */
	struct nv3_bo *(*memory)(struct nv3_object *obj, bool *write);

	/*
	 * A hardware class: what it takes of drm_nv3_graph_args' flags and dma, its last
	 * color_format, and what becomes of a method that PGRAPH has refused. nv3_rm.lock is
	 * held.
	 */
	u32 flags;
	unsigned int dmas;
	u32 formats;
	u32 (*emulate)(struct nv3_object *obj, u32 mthd, u32 data);

	/*
	 * A software class. PFIFO has stopped on the method and PGRAPH has done all
	 * those before it; nv3_rm.lock is held. They return a DRM_NV3_FAULT_* or
	 * NV3_TRAP_*. Either may be null: no more than the binding is done, or no method is there.
	 */
	u32 (*select)(struct nv3_object *obj, u32 subch);
	u32 (*method)(struct nv3_object *obj, u32 subch, u32 mthd, u32 data);
	/** @forget: the object is about to go; nv3_rm.lock is held */
	void (*forget)(struct nv3_channel *chan, struct nv3_object *obj);
	/** @faulted: the object's channel has; nv3_rm.lock is held */
	void (*faulted)(struct nv3_object *obj);
	/** @hopeless: nobody will end the wait that it is in; nv3_rm.lock is held */
	bool (*hopeless)(struct nv3_object *obj);
};

struct nv3_object {
	/** @ref: held by the table of names and by objects that use this one */
	struct kref ref;
	const struct nv3_class *class;
	struct nv3_channel *chan;
	u32 name;
	/** @ctx: its context word in RAMHT; 0: can't be selected, as chid is never 0 */
	u32 ctx;
	/** @inst: its instance memory */
	struct nv3_ramin inst;
	/** @last: the last batch that may name it, once it is in @dying */
	u64 last;
	/** @dying: in nv3_channel.dying, ordered by @last; see nv3_object_reap() */
	struct list_head dying;
	/** @memory: in nv3_lease.memory, for a class with nv3_class.memory */
	struct list_head memory;
	/** @link: in nv3_channel.watchers, if its class has faulted() */
	struct list_head link;
	/** @free: in nv3_rm.free, waiting to be destroyed where that may sleep */
	struct llist_node free;
};

/* nv3_object.c */
int nv3_object_init(struct nv3_object *obj, struct nv3_channel *chan,
		    const struct nv3_class *class, u32 inst_size);
int nv3_object_room(struct nv3_channel *chan, const struct nv3_class *class, const u32 *count,
		    u32 max);
void nv3_object_fini(struct nv3_object *obj);
void nv3_object_put(struct nv3_object *obj);
u32 nv3_object_ctx(const struct nv3_object *obj, bool hw);
struct nv3_object *nv3_object_find(struct nv3_channel *chan, u32 name);
struct nv3_object *nv3_object_find_get(struct nv3_channel *chan, u32 name,
				       const struct nv3_class *class);
struct nv3_object *nv3_object_find_inst(struct nv3_channel *chan, u32 inst);
void nv3_object_init_table(struct nv3_channel *chan);
int nv3_object_add(struct nv3_object *obj, u32 name);
int nv3_object_rename(struct nv3_object *obj, u32 name);
bool nv3_object_many_dead(struct nv3_channel *chan);
bool nv3_object_reap(struct nv3_channel *chan);
void nv3_object_reap_later(struct nv3_channel *chan);
void nv3_object_reap_work(struct work_struct *work);
void nv3_object_remove_all(struct nv3_channel *chan);
void nv3_object_wait_destroyed(struct nv3_channel *chan);
void nv3_object_flush_free(struct nv3_rm *rm);
int nv3_object_wait_dying(struct nv3_channel *chan);
bool nv3_object_any_dying(struct nv3_rm *rm);
void nv3_object_free_work(struct work_struct *work);

static inline struct nv3_object *nv3_object_get(struct nv3_object *obj)
{
	kref_get(&obj->ref);
	return obj;
}

#define NV3_CLASS(name) extern const struct nv3_class nv3_class_##name
#include "nv3_class_table.h"
#undef NV3_CLASS

/* nv3_class.c */
void nv3_class_init(struct nv3_rm *rm);
u32 nv3_probe_classes(struct nv3_rm *rm);
const struct nv3_class *nv3_class_find(struct nv3_rm *rm, u32 id);

#endif
