// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Mapping and unmapping
 *
 * VM_BIND has taken effect when the ioctl returns. If VM_BIND replaces or removes mappings, it
 * first waits for all batches that may use the address space, and then clears the page table
 * entries of these mappings. A new mapping needs no wait: SUBMIT of the next batch writes the
 * entries of the mapping (nv3_vm_batch.c). When these entries are written, batches of other
 * channels may be in flight and could access the new mapping. VM_BIND therefore adds the fences of
 * the address space to the buffer, so that the buffer does not move before these fences have
 * signalled.
 *
 * All steps that can fail come first, so that a failing ioctl changes no mapping. drm_gpuvm
 * determines which mappings are removed or split. VM_BIND can split only the mappings at the two
 * ends of its range.
 */

#include <linux/dma-resv.h>
#include <linux/slab.h>

#include <drm/drm_exec.h>
#include <drm/drm_print.h>

#include "device/nv3_compat.h"
#include "device/nv3_device.h"
#include "mem/nv3_bo.h"
#include "nv3_vm.h"

/*
 * The maximum number of mappings that one VM_BIND creates: the new mapping, and the remaining parts
 * of split mappings before and after the range.
 */
#define NV3_BIND_SPARES		3

/* A VM_BIND in progress. */
struct nv3_bind {
	struct nv3_vm *vm;
	struct drm_exec exec;
	u64 address;
	u64 size;
	/** @bo: the buffer whose range from @offset is mapped, or NULL to unmap */
	struct nv3_bo *bo;
	u64 offset;
	/** @flags: drm_gpuva.flags of the new mapping */
	enum drm_gpuva_flags flags;
	/** @vm_bo: the link between @bo and the address space */
	struct drm_gpuvm_bo *vm_bo;
	/** @spares: preallocated mappings, or NULL after they have been used */
	struct drm_gpuva *spares[NV3_BIND_SPARES];
	/** @removed: the removed mappings, each with a reference to its buffer */
	struct list_head removed;
};

/* ---- steps of drm_gpuvm, which can't fail ---- */

static struct drm_gpuva *nv3_bind_take_spare(struct nv3_bind *bind)
{
	struct drm_gpuva *va = NULL;
	unsigned int i;

	for (i = 0; i < NV3_BIND_SPARES && !va; i++)
		swap(va, bind->spares[i]);
	return va;
}

static void nv3_bind_link(struct nv3_bind *bind, struct drm_gpuva *va,
			  struct drm_gpuvm_bo *vm_bo, enum drm_gpuva_flags flags)
{
	va->flags = flags;
	drm_gpuva_link(va, vm_bo);
	bind->vm->mappings++;
}

/*
 * Removes a mapping. The additional reference keeps the buffer from being freed while it is locked.
 */
static void nv3_bind_unlink(struct nv3_bind *bind, struct drm_gpuva *va)
{
	drm_gem_object_get(va->gem.obj);
	drm_gpuva_unlink(va);
	list_add(&va->gem.entry, &bind->removed);
	bind->vm->mappings--;
}

/* Drops all locks, and frees the removed mappings. */
static void nv3_bind_unlock(struct nv3_bind *bind)
{
	struct drm_gpuva *va, *next;

	drm_exec_fini(&bind->exec);
	list_for_each_entry_safe(va, next, &bind->removed, gem.entry) {
		drm_gem_object_put(va->gem.obj);
		kfree(va);
	}
	INIT_LIST_HEAD(&bind->removed);
}

static int nv3_bind_step_map(struct drm_gpuva_op *op, void *data)
{
	struct nv3_bind *bind = data;
	struct drm_gpuva *va = nv3_bind_take_spare(bind);

	drm_gpuva_map(&bind->vm->base, va, &op->map);
	nv3_bind_link(bind, va, bind->vm_bo, bind->flags);
	return 0;
}

static int nv3_bind_step_unmap(struct drm_gpuva_op *op, void *data)
{
	struct drm_gpuva *va = op->unmap.va;

	drm_gpuva_unmap(&op->unmap);
	nv3_bind_unlink(data, va);
	return 0;
}

/* Splits a mapping. The page table entries of the remaining parts do not change. */
static int nv3_bind_step_remap(struct drm_gpuva_op *op, void *data)
{
	struct drm_gpuva_op_remap *remap = &op->remap;
	struct drm_gpuva *old = remap->unmap->va;
	struct drm_gpuva *prev = NULL, *next = NULL;
	struct nv3_bind *bind = data;

	if (remap->prev)
		prev = nv3_bind_take_spare(bind);
	if (remap->next)
		next = nv3_bind_take_spare(bind);
	drm_gpuva_remap(prev, next, remap);
	if (prev)
		nv3_bind_link(bind, prev, old->vm_bo, old->flags);
	if (next)
		nv3_bind_link(bind, next, old->vm_bo, old->flags);
	nv3_bind_unlink(bind, old);
	return 0;
}

static struct drm_gpuvm_bo *nv3_vm_bo_alloc(void)
{
	struct nv3_vm_bo *vm_bo = kzalloc(sizeof(*vm_bo), GFP_KERNEL_ACCOUNT);

	if (!vm_bo)
		return NULL;
	INIT_LIST_HEAD(&vm_bo->stale);
	return &vm_bo->base;
}

/* &struct drm_gpuvm_ops.vm_bo_free. The reservation of the address space is held. */
static void nv3_vm_bo_free(struct drm_gpuvm_bo *base)
{
	struct nv3_vm_bo *vm_bo = to_nv3_vm_bo(base);

	list_del(&vm_bo->stale);
	kfree(vm_bo);
}

static void nv3_vm_free(struct drm_gpuvm *base)
{
	kfree(to_nv3_vm(base));
}

const struct drm_gpuvm_ops nv3_vm_ops = {
	.vm_free = nv3_vm_free,
	.vm_bo_alloc = nv3_vm_bo_alloc,
	.vm_bo_free = nv3_vm_bo_free,
	.vm_bo_validate = nv3_vm_validate_bo,
	.sm_step_map = nv3_bind_step_map,
	.sm_step_remap = nv3_bind_step_remap,
	.sm_step_unmap = nv3_bind_step_unmap,
};

/* ---- VM_BIND ---- */

/* Returns true if the range overlaps any mapping. */
static bool nv3_bind_replaces(const struct nv3_bind *bind)
{
	return !drm_gpuvm_interval_empty(&bind->vm->base, bind->address, bind->size);
}

/*
 * If VM_BIND replaces or removes mappings, waits for all batches in flight that may use the address
 * space.
 */
static int nv3_bind_wait(struct nv3_bind *bind)
{
	long ret;

	if (!nv3_bind_replaces(bind))
		return 0;

	ret = dma_resv_wait_timeout(drm_gpuvm_resv(&bind->vm->base), DMA_RESV_USAGE_BOOKKEEP,
				    true, MAX_SCHEDULE_TIMEOUT);
	return ret < 0 ? ret : 0;
}

static int nv3_bind_alloc(struct nv3_bind *bind)
{
	struct nv3_vm *vm = bind->vm;
	unsigned int i;

	if (vm->mappings > NV3_VM_MAPPINGS_MAX - NV3_BIND_SPARES) {
		drm_dbg(&vm->nv3->drm, "vm_bind: more than %u mappings\n", NV3_VM_MAPPINGS_MAX);
		return -ENOSPC;
	}
	for (i = 0; i < NV3_BIND_SPARES; i++) {
		bind->spares[i] = kzalloc(sizeof(*bind->spares[i]), GFP_KERNEL_ACCOUNT);
		if (!bind->spares[i])
			return -ENOMEM;
	}
	return bind->bo ? nv3_vm_tables_alloc(vm, bind->address, bind->size) : 0;
}

static void nv3_bind_free(struct nv3_bind *bind)
{
	unsigned int i;

	for (i = 0; i < NV3_BIND_SPARES; i++)
		kfree(bind->spares[i]);
}

/* Locks the address space, the buffer to map, and the buffers of all mappings that change. */
static int nv3_bind_lock(struct nv3_bind *bind)
{
	struct drm_gpuvm *base = &bind->vm->base;
	struct drm_exec *exec = &bind->exec;
	int ret;

	drm_exec_init(exec, DRM_EXEC_INTERRUPTIBLE_WAIT | DRM_EXEC_IGNORE_DUPLICATES, 0);
	drm_exec_until_all_locked(exec) {
		ret = drm_gpuvm_prepare_vm(base, exec, 0);
		drm_exec_retry_on_contention(exec);
		if (!ret && bind->bo)
			ret = drm_exec_lock_obj(exec, &bind->bo->tbo.base);
		drm_exec_retry_on_contention(exec);
		if (!ret)
			ret = drm_gpuvm_prepare_range(base, exec, bind->address, bind->size, 0);
		drm_exec_retry_on_contention(exec);
		if (ret)
			break;
	}
	if (ret)
		drm_exec_fini(exec);
	return ret;
}

/* Adds to the buffer the fences of all batches in flight that may access the new mapping. */
static int nv3_bind_copy_fences(struct nv3_bind *bind)
{
	struct dma_resv *from = drm_gpuvm_resv(&bind->vm->base);
	struct dma_resv *to = nv3_bo_resv(bind->bo);
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	unsigned int count = 0;
	int ret;

	if (from == to)
		return 0;

	dma_resv_for_each_fence(&cursor, from, DMA_RESV_USAGE_BOOKKEEP, fence)
		count++;
	if (!count)
		return 0;
	ret = dma_resv_reserve_fences(to, count);
	if (ret)
		return ret;
	dma_resv_for_each_fence(&cursor, from, DMA_RESV_USAGE_BOOKKEEP, fence)
		dma_resv_add_fence(to, fence, DMA_RESV_USAGE_BOOKKEEP);
	return 0;
}

static void nv3_bind_clear(struct nv3_bind *bind)
{
	if (nv3_bind_replaces(bind))
		nv3_vm_tables_clear(bind->vm, bind->address, bind->size);
}

static int nv3_bind_map(struct nv3_bind *bind)
{
	struct drm_gpuvm_map_req req = {
		.map.va.addr = bind->address,
		.map.va.range = bind->size,
		.map.gem.obj = &bind->bo->tbo.base,
		.map.gem.offset = bind->offset,
	};
	struct nv3_vm *vm = bind->vm;
	int ret;

	bind->vm_bo = drm_gpuvm_bo_obtain_locked(&vm->base, &bind->bo->tbo.base);
	if (IS_ERR(bind->vm_bo))
		return PTR_ERR(bind->vm_bo);

	ret = nv3_bind_copy_fences(bind);
	if (!ret) {
		nv3_bind_clear(bind);
		drm_WARN_ON(&vm->nv3->drm, drm_gpuvm_sm_map(&vm->base, bind, &req));
		drm_gpuvm_bo_extobj_add(bind->vm_bo);
		/* The next batch writes the page table entries of the mapping. */
		drm_gpuvm_bo_evict(bind->vm_bo, true);
	}
	drm_gpuvm_bo_put(bind->vm_bo);
	return ret;
}

static void nv3_bind_unmap(struct nv3_bind *bind)
{
	struct nv3_vm *vm = bind->vm;

	nv3_bind_clear(bind);
	drm_WARN_ON(&vm->nv3->drm,
		    drm_gpuvm_sm_unmap(&vm->base, bind, bind->address, bind->size));
}

static int nv3_bind_locked(struct nv3_bind *bind)
{
	/* Wait again: batches may have been submitted before nv3_bind_lock(). */
	int ret = nv3_bind_wait(bind);

	if (ret)
		return ret;
	if (bind->bo)
		return nv3_bind_map(bind);
	nv3_bind_unmap(bind);
	return 0;
}

static int nv3_bind(struct nv3_bind *bind)
{
	int ret;

	INIT_LIST_HEAD(&bind->removed);
	ret = mutex_lock_interruptible(&bind->vm->lock);
	if (ret)
		return ret;

	/* nv3_bind_wait() may block for a long time, so it also runs before the locks are taken. */
	ret = nv3_bind_alloc(bind) ?: nv3_bind_wait(bind) ?: nv3_bind_lock(bind);
	if (!ret) {
		ret = nv3_bind_locked(bind);
		nv3_bind_unlock(bind);
	}
	nv3_bind_free(bind);
	mutex_unlock(&bind->vm->lock);
	return ret;
}

/**
 * nv3_vm_map() - map a range of a buffer, and replace overlapping mappings
 * @vm: the address space
 * @bo: the buffer
 * @args: the arguments; their ranges consist of whole pages inside @vm and @bo
 *
 * Context: process context, between drm_dev_enter() and drm_dev_exit(); takes nv3_vm.lock. If the
 * range overlaps a mapping, waits for all batches in flight that may use the address space.
 * Return: 0, -EINVAL if the buffer was created for another address space, -ENOSPC if the address
 * space has too many mappings, -ENOMEM, or -ERESTARTSYS.
 */
int nv3_vm_map(struct nv3_vm *vm, struct nv3_bo *bo, const struct drm_nv3_vm_bind *args)
{
	struct nv3_bind bind = {
		.vm = vm,
		.address = args->address,
		.size = args->size,
		.bo = bo,
		.offset = args->offset,
		.flags = args->flags & DRM_NV3_VM_READ_ONLY ? NV3_VM_VA_READ_ONLY : 0,
	};

	if (bo->root && bo->root != drm_gpuvm_resv_obj(&vm->base)) {
		drm_dbg(&vm->nv3->drm, "vm_bind: handle %u is of another address space\n",
			args->handle);
		return -EINVAL;
	}
	return nv3_bind(&bind);
}

/**
 * nv3_vm_unmap() - remove all mappings and parts of mappings in a range of addresses
 * @vm: the address space
 * @address: the first address
 * @size: the size of the range in bytes; the range consists of whole pages inside @vm
 *
 * Context: process context, between drm_dev_enter() and drm_dev_exit(); takes nv3_vm.lock. If the
 * range overlaps a mapping, waits for all batches in flight that may use the address space.
 * Return: 0, -ENOSPC, -ENOMEM, or -ERESTARTSYS.
 */
int nv3_vm_unmap(struct nv3_vm *vm, u64 address, u64 size)
{
	struct nv3_bind bind = { .vm = vm, .address = address, .size = size };

	return nv3_bind(&bind);
}

static int nv3_vm_lock_mapping(struct drm_exec *exec, struct drm_gpuva *va)
{
	int ret;

	drm_exec_init(exec, DRM_EXEC_IGNORE_DUPLICATES, 2);
	drm_exec_until_all_locked(exec) {
		ret = drm_gpuvm_prepare_vm(va->vm, exec, 0);
		drm_exec_retry_on_contention(exec);
		if (!ret)
			ret = drm_exec_lock_obj(exec, va->gem.obj);
		drm_exec_retry_on_contention(exec);
		if (ret)
			break;
	}
	if (ret)
		drm_exec_fini(exec);
	return ret;
}

/**
 * nv3_vm_unmap_all() - remove all mappings of an address space that is no longer used
 * @vm: the address space
 *
 * No batch in flight can use the page table entries, so the function does not clear them.
 *
 * Context: process context; no reservation may be held.
 */
void nv3_vm_unmap_all(struct nv3_vm *vm)
{
	struct nv3_bind bind = { .vm = vm };
	struct drm_gpuva *va, *next;

	INIT_LIST_HEAD(&bind.removed);
	drm_gpuvm_for_each_va_safe(va, next, &vm->base) {
		/* Locking fails only if drm_exec can't allocate its array of two pointers. */
		while (nv3_vm_lock_mapping(&bind.exec, va))
			cond_resched();
		drm_gpuva_remove(va);
		nv3_bind_unlink(&bind, va);
		nv3_bind_unlock(&bind);
	}
}
