// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Class PROGRAMS
 *
 * PGRAPH executes the methods of this class, which draw with vertex and fragment programs. All
 * addresses in these methods are offsets in one DMA object, which uses the page tables of an
 * address space. In RAMIN, the words of the DMA object follow the words of the object.
 *
 * When a channel creates its first object of the class, the driver binds the channel to the address
 * space and allocates a context image. The reservation of the address space must contain the fence
 * of each batch that may use an object of the class. A batch in flight may use an object that is
 * created after SUBMIT. Before the driver binds the channel, it therefore waits until the channel
 * has no batch in flight.
 */

#include <linux/slab.h>

#include <drm/drm_print.h>

#include "nv3_class.h"
#include "nv3_graph.h"
#include "nv3_image.h"
#include "nv3_programs.h"
#include "rm/nv3_channel.h"
#include "rm/nv3_rm.h"

/*
 * The offset of the DMA object in the instance memory, and the size of the instance memory, in
 * bytes. The words of the object come first, followed by the words FLAGS, LIMIT and DIR of the DMA
 * object.
 */
#define NV3_PROGRAMS_DMA	NV3_GROBJ_SIZE
#define NV3_PROGRAMS_SIZE	(NV3_PROGRAMS_DMA + 16)

/* Context: the same as for nv3_graph_write(). */
static void nv3_programs_write(struct nv3_object *obj)
{
	u32 dma = nv3_ramin_addr(&obj->inst) + NV3_PROGRAMS_DMA;
	struct nv3_device *nv3 = obj->chan->rm->nv3;

	nv3_graph_write(obj);
	nv3_ramin_wr32(nv3, dma + NV3_DMAOBJ_FLAGS, NV3_DMAOBJ_DIRECTORY);
	nv3_ramin_wr32(nv3, dma + NV3_DMAOBJ_LIMIT, lower_32_bits(NV3_VM_SIZE - 1));
	nv3_ramin_wr32(nv3, dma + NV3_DMAOBJ_DIR, lower_32_bits(obj->chan->vm->directory.dma));
}

/*
 * Binds the channel to the address space, unless it is already bound to it. Returns 0; -EINVAL if
 * the channel is bound to another address space; or another negative errno.
 */
static int nv3_programs_init_channel(struct nv3_channel *chan, struct nv3_vm *vm)
{
	int ret;

	if (chan->vm == vm)
		return 0;
	if (chan->vm) {
		drm_dbg(&chan->rm->nv3->drm, "programs: the channel has another address space\n");
		return -EINVAL;
	}

	if (nv3_channel_pio_ops(chan))
		nv3_channel_pio_ops(chan)->end_early(chan);
	ret = nv3_channel_wait_retired(chan, chan->submitted) ?: nv3_image_alloc(chan);
	if (!ret)
		chan->vm = nv3_vm_get(vm);
	return ret;
}

/**
 * nv3_programs_fini_channel() - &struct nv3_class_ops.fini_channel
 * @chan: the channel
 *
 * Context: process context.
 */
void nv3_programs_fini_channel(struct nv3_channel *chan)
{
	nv3_image_free(chan);
	nv3_vm_put(chan->vm);
	chan->vm = NULL;
}

static int nv3_programs_check(struct drm_device *drm, const struct drm_nv3_programs_args *args)
{
	if (args->flags) {
		drm_dbg(drm, "programs: flags is %#x\n", args->flags);
		return -EINVAL;
	}
	if (args->pad) {
		drm_dbg(drm, "programs: pad is %#x\n", args->pad);
		return -EINVAL;
	}
	return 0;
}

static struct nv3_object *nv3_programs_create_in(struct nv3_channel *chan,
						 const struct nv3_class *class, struct nv3_vm *vm,
						 const struct drm_nv3_programs_args *args)
{
	struct nv3_grobj *grobj;
	int ret;

	grobj = kzalloc(sizeof(*grobj), GFP_KERNEL_ACCOUNT);
	if (!grobj)
		return ERR_PTR(-ENOMEM);

	ret = nv3_object_init(&grobj->base, chan, class, NV3_PROGRAMS_SIZE);
	if (ret) {
		kfree(grobj);
		return ERR_PTR(ret);
	}

	ret = nv3_graph_find_dma(grobj, NV3_GRAPH_DMA_NOTIFY, args->dma_notify, "dma_notify") ?:
	      nv3_programs_init_channel(chan, vm);
	if (ret) {
		nv3_object_put(&grobj->base);
		return ERR_PTR(ret);
	}

	grobj->base.key.ctx = nv3_object_ctx(&grobj->base, true);
	grobj->vm_inst = nv3_ramin_inst(&grobj->base.inst) + NV3_PROGRAMS_DMA / 16;
	nv3_programs_write(&grobj->base);
	/*
	 * Make the next batch flush the chip's cache of page table entries, which may contain
	 * entries of a previous object at the same address in RAMIN.
	 */
	atomic_set(&vm->written, 1);
	return &grobj->base;
}

static struct nv3_object *nv3_programs_create(struct nv3_channel *chan,
					      const struct nv3_class *class,
					      struct drm_file *file,
					      const union nv3_object_args *args)
{
	struct nv3_object *obj;
	struct nv3_vm *vm;
	int ret;

	ret = nv3_programs_check(&chan->rm->nv3->drm, &args->programs);
	if (ret)
		return ERR_PTR(ret);

	vm = nv3_file_get_vm(file, args->programs.vm);
	if (!vm)
		return ERR_PTR(-ENOENT);

	obj = nv3_programs_create_in(chan, class, vm, &args->programs);
	nv3_vm_put(vm);
	return obj;
}

const struct nv3_class nv3_class_programs = {
	.id = DRM_NV3_CLASS_PROGRAMS,
	.name = "programs",
	.args_size = sizeof(struct drm_nv3_programs_args),
	.create = nv3_programs_create,
	.destroy = nv3_graph_destroy,
	.write = nv3_programs_write,
	.hardware = true,
	.deferred = true,
	.emulate = nv3_graph_emulate,
};
