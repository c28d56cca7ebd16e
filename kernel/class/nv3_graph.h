/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_GRAPH_H
#define NV3_GRAPH_H

#include "nv3_classes.h"

/* The DMA objects that a graphics object may have. */
enum nv3_graph_dma {
	NV3_GRAPH_DMA_NOTIFY,
	NV3_GRAPH_DMA_0,	/* M2MF, SIFM: source; ITM: destination; D3D: texture */
	NV3_GRAPH_DMA_1,	/* M2MF: destination */
	NV3_GRAPH_DMA_COUNT
};

/*
 * An object of a hardware class, or of a software class that draws with the methods of another
 * class.
 */
struct nv3_grobj {
	struct nv3_object base;
	/** @options: word 0 of the instance memory */
	u32 options;
	/** @dma: the DMA objects, with a reference to each, or NULL */
	struct nv3_object *dma[NV3_GRAPH_DMA_COUNT];
	/** @vm_inst: instance of the DMA object of an address space, which replaces DMA_0, or 0 */
	u32 vm_inst;

	/* Members for a software class that draws (nv3_inject.c); guarded by nv3_rm.lock. */

	/** @mthd: the client's method that is being executed; @data is its argument */
	u32 mthd;
	u32 data;
	/** @step: the number of injected methods that have been executed for @mthd */
	u32 step;
	/** @notify: the value of PGRAPH_NOTIFY that nv3_inject_rearm_notifier() restores, or 0 */
	u32 notify;
};

#define NV3_GRAPH_ALL_FLAGS \
	(DRM_NV3_GRAPH_ALPHA | DRM_NV3_GRAPH_CHROMA | DRM_NV3_GRAPH_CLIP | DRM_NV3_GRAPH_ZETA | \
	 DRM_NV3_GRAPH_MONO_CGA6)

/* The flags that every class accepts. nv3_class.flags may contain further flags. */
#define NV3_GRAPH_ANY_FLAGS	(NV3_GRAPH_ALL_FLAGS & ~DRM_NV3_GRAPH_ZETA)

static inline struct nv3_grobj *to_grobj(struct nv3_object *obj)
{
	return container_of(obj, struct nv3_grobj, base);
}

/*
 * Implementations of the functions in struct nv3_class, for hardware classes and for software
 * classes that draw.
 */
struct nv3_object *nv3_graph_create(struct nv3_channel *chan, const struct nv3_class *class,
				    struct drm_file *file, const union nv3_object_args *args);
int nv3_graph_find_dma(struct nv3_grobj *grobj, enum nv3_graph_dma which, u32 handle,
		       const char *field);
void nv3_graph_destroy(struct nv3_object *obj);
void nv3_graph_write(struct nv3_object *obj);
u32 nv3_graph_emulate(struct nv3_object *obj, u32 mthd, u32 data);

/* nv3_inject.c */
struct nv3_object *nv3_inject_create(struct nv3_channel *chan, const struct nv3_class *class,
				     struct drm_file *file, const union nv3_object_args *args);
u32 nv3_inject_select(struct nv3_object *obj, u32 subch, u32 class_id);
void nv3_inject(struct nv3_object *obj, u32 subch, u32 class_id, u32 mthd, u32 data);
void nv3_inject_own_pgraph(struct nv3_object *obj);
void nv3_inject_disarm_notifier(struct nv3_object *obj);
void nv3_inject_rearm_notifier(struct nv3_object *obj);
void nv3_inject_describe(struct nv3_object *obj, u32 *mthd, u32 *data);

#endif
