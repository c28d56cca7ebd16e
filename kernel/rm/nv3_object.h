/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_OBJECT_H
#define NV3_OBJECT_H

#include <linux/kref.h>

#include "nv3_rm_priv.h"

struct drm_file;
struct nv3_object;

/* The class-specific arguments of OBJECT_INSTANTIATE. */
union nv3_object_args {
	struct drm_nv3_dma_args dma;
	struct drm_nv3_surface_args surface;
	struct drm_nv3_graph_args graph;
	struct drm_nv3_semaphore_args semaphore;
	struct drm_nv3_flip_args flip;
};

/* What nv3_class.method() may return besides DRM_NV3_FAULT_*. */

/* The method stays in CACHE1, and traps again when PGRAPH has done what was injected for it. */
#define NV3_TRAP_AGAIN		0x100
/* It stays there, and traps again after nv3_sched_wake(): nv3_sched_block() was called. */
#define NV3_TRAP_WAIT		0x101
/* The batch ends with it, completed. */
#define NV3_TRAP_DONE		0x102

/**
 * struct nv3_class - a class, whether PGRAPH or the driver executes its methods
 *
 * A new one is a struct nv3_class and a line in class/nv3_class_table.h.
 */
struct nv3_class {
	u32 id;
	const char *name;
	/** @hardware: PGRAPH executes the methods, and must have the class */
	bool hardware;
	/** @needs: classes that PGRAPH must have besides, a bit for each */
	u32 needs;
	/** @waits: methods may block, so the class is for long-running channels only */
	bool waits;
	/** @args_size: size of the member of union nv3_object_args */
	size_t args_size;

	/** @create: checks @args and makes the object. The caller adds it to the channel's table */
	struct nv3_object *(*create)(struct nv3_channel *chan, const struct nv3_class *class,
				     struct drm_file *file, const union nv3_object_args *args);
	/** @destroy: frees the object, which nothing refers to any more. May sleep */
	void (*destroy)(struct nv3_object *obj);
	/** @write: writes the instance to RAMIN, when it is new or after the power was off */
	void (*write)(struct nv3_object *obj);
	/** @memory: the buffer that the chip reaches through the object, and whether it writes */
	struct nv3_bo *(*memory)(struct nv3_object *obj, bool *write);

	/* Of a hardware class, or a software class that draws. nv3_rm.lock is held. */

	/** @flags: the flags of struct drm_nv3_graph_args that it takes */
	u32 flags;
	/** @dmas: the number of DMA objects that it takes */
	unsigned int dmas;
	/** @formats: its last color_format */
	u32 formats;
	/** @emulate: executes a method that PGRAPH has refused. Returns DRM_NV3_FAULT_* */
	u32 (*emulate)(struct nv3_object *obj, u32 mthd, u32 data);
	/** @injected: the client's method, for which another one was injected into CACHE0 */
	void (*injected)(struct nv3_object *obj, u32 *mthd, u32 *data);

	/*
	 * Of a software class. PFIFO has stopped on the method, and PGRAPH has done all those
	 * before it. nv3_rm.lock is held. Returns DRM_NV3_FAULT_* or NV3_TRAP_*.
	 */

	/** @select: the object is selected into @subch; or NULL if nothing else is to be done */
	u32 (*select)(struct nv3_object *obj, u32 subch);
	/** @method: another method; or NULL if the class has none */
	u32 (*method)(struct nv3_object *obj, u32 subch, u32 mthd, u32 data);

	/* nv3_rm.lock is held. */

	/** @forget: the object is about to be destroyed */
	void (*forget)(struct nv3_channel *chan, struct nv3_object *obj);
	/** @faulted: the channel of the object has faulted */
	void (*faulted)(struct nv3_object *obj);
	/** @is_deadlocked: the object's channel waits for an event that can't come any more */
	bool (*is_deadlocked)(struct nv3_object *obj);
};

/** struct nv3_object - an instance of a class in a channel */
struct nv3_object {
	/** @ref: held by the channel's table and by objects that use this one */
	struct kref ref;
	const struct nv3_class *class;
	struct nv3_channel *chan;
	/** @key: its handle and its context word, by which PFIFO finds it */
	struct nv3_ramht_key key;
	/** @inst: its instance memory, if it has any */
	struct nv3_ramin inst;

	/* nv3_rm.lock. */

	/** @last: the last batch that may name it, after it has been destroyed */
	u64 last;
	/** @dying: in nv3_channel.dying, ordered by @last */
	struct list_head dying;
	/** @memory: in nv3_pio.memory, for a class with nv3_class.memory */
	struct list_head memory;
	/** @link: in nv3_channel.watchers, if its class has faulted() */
	struct list_head link;

	/** @free: in nv3_rm.free */
	struct llist_node free;
};

const struct nv3_class *nv3_class_find(struct nv3_rm *rm, u32 id);

int nv3_object_init(struct nv3_object *obj, struct nv3_channel *chan,
		    const struct nv3_class *class, u32 inst_size);
void nv3_object_fini(struct nv3_object *obj);
void nv3_object_put(struct nv3_object *obj);
u32 nv3_object_ctx(const struct nv3_object *obj, bool hw);

void nv3_object_init_table(struct nv3_channel *chan);
int nv3_object_add(struct nv3_object *obj, u32 handle);
int nv3_object_set_handle(struct nv3_object *obj, u32 handle);
struct nv3_object *nv3_object_find(struct nv3_channel *chan, u32 handle);
struct nv3_object *nv3_object_find_get(struct nv3_channel *chan, u32 handle,
				       const struct nv3_class *class);
struct nv3_object *nv3_object_find_inst(struct nv3_channel *chan, u32 inst);

bool nv3_object_has_many_dead(struct nv3_channel *chan);
bool nv3_object_reap(struct nv3_channel *chan);
void nv3_object_remove_all(struct nv3_channel *chan);
void nv3_object_wait_destroyed(struct nv3_channel *chan);
void nv3_object_flush_free(struct nv3_rm *rm);
bool nv3_object_any_dying(struct nv3_rm *rm);
int nv3_object_wait_dying(struct nv3_channel *chan);
bool nv3_object_any_dying(struct nv3_rm *rm);
void nv3_object_free_work(struct work_struct *work);

static inline struct nv3_object *nv3_object_get(struct nv3_object *obj)
{
	kref_get(&obj->ref);
	return obj;
}

#endif
