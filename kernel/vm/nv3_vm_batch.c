// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Address spaces and batches
 *
 * A batch may access every mapping of its channel's address space, and the driver does not know
 * which mappings the batch will use. SUBMIT therefore locks all mapped buffers, moves them to
 * memory that the chip can reach, and adds the fence of the batch to each. The usage of the fence
 * is DMA_RESV_USAGE_BOOKKEEP: the fence keeps the buffers in place, and implicit synchronization
 * ignores it. Buffers that were created for the address space share one reservation object, so the
 * number of locks and fences does not depend on the number of these buffers.
 *
 * The driver validates only the buffers that have moved or were mapped since the last batch. For
 * these buffers, the driver waits for migrations, and then writes the page table entries. Batches
 * in flight may read these entries at any time, and must not see memory that still has contents of
 * another client. The wait must therefore end before the entries are written, and can't be left to
 * the GPU scheduler.
 *
 * The chip caches page table entries. If page tables have been written, the driver invalidates the
 * cache when the next batch begins.
 */

#include <linux/dma-resv.h>

#include <drm/drm_exec.h>
#include <drm/drm_print.h>

#include "device/nv3_device.h"
#include "mem/nv3_bo.h"
#include "nv3_vm.h"

/**
 * nv3_vm_validate_bo() - &struct drm_gpuvm_ops.vm_bo_validate
 * @vm_bo: a buffer that has moved or is newly mapped
 * @exec: holds the locks of the address space and its buffers
 *
 * Context: process context; may wait for fences.
 * Return: 0, or an error of nv3_bo_make_reachable().
 */
int nv3_vm_validate_bo(struct drm_gpuvm_bo *vm_bo, struct drm_exec *exec)
{
	int ret = nv3_bo_make_reachable(to_nv3_bo(vm_bo->obj));

	if (ret)
		return ret;

	drm_gpuvm_bo_evict(vm_bo, false);
	list_move_tail(&to_nv3_vm_bo(vm_bo)->stale, &to_nv3_vm(vm_bo->vm)->stale);
	return 0;
}

static int nv3_vm_write_bo(struct nv3_vm *vm, struct drm_gpuvm_bo *vm_bo)
{
	struct drm_gpuva *va;
	long ret;

	ret = dma_resv_wait_timeout(vm_bo->obj->resv, DMA_RESV_USAGE_KERNEL, true,
				    MAX_SCHEDULE_TIMEOUT);
	if (ret < 0)
		return ret;

	/* nv3_vm_fini() may have freed the page tables. */
	if (vm->tables)
		drm_gpuvm_bo_for_each_va(va, vm_bo)
			nv3_vm_tables_write(vm, va);
	return 0;
}

/*
 * Writes the outdated page table entries. All buffers of the address space are locked and placed.
 */
static int nv3_vm_write_stale(struct nv3_vm *vm)
{
	struct nv3_vm_bo *vm_bo, *next;
	int ret;

	list_for_each_entry_safe(vm_bo, next, &vm->stale, stale) {
		ret = nv3_vm_write_bo(vm, &vm_bo->base);
		if (ret)
			return ret;
		list_del_init(&vm_bo->stale);
	}
	return 0;
}

/**
 * nv3_vm_evict() - move all unpinned buffers of an address space out of VRAM
 * @vm: the address space, or NULL
 * @exec: receives the locks; must have DRM_EXEC_IGNORE_DUPLICATES set
 *
 * TTM does not evict buffers that the caller has locked. This function evicts them, to make room
 * for the other buffers of the batch.
 *
 * Context: process context; may evict other buffers and wait for fences.
 * Return: 0, -EDEADLK if the caller must call drm_exec_retry_on_contention(), or an error of
 * nv3_bo_evict().
 */
int nv3_vm_evict(struct nv3_vm *vm, struct drm_exec *exec)
{
	struct drm_gpuva *va;
	int ret;

	if (!vm)
		return 0;

	ret = drm_gpuvm_prepare_vm(&vm->base, exec, 0) ?:
	      drm_gpuvm_prepare_objects(&vm->base, exec, 0);
	if (ret)
		return ret;

	drm_gpuvm_for_each_va(va, &vm->base) {
		struct nv3_bo *bo = to_nv3_bo(va->gem.obj);

		if (!bo->tbo.pin_count && nv3_bo_in_vram(bo))
			ret = nv3_bo_evict(bo);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * nv3_vm_place() - lock and place all buffers of an address space, and write its page tables
 * @vm: the address space, or NULL
 * @exec: receives the locks; must have DRM_EXEC_IGNORE_DUPLICATES set
 * @fences: the number of fences to reserve in each buffer, including the fence that
 * nv3_vm_add_fence() adds
 *
 * The caller must have placed the buffers that the batch lists.
 *
 * Context: process context; may evict other buffers and wait for fences.
 * Return: 0; -EDEADLK if the caller must call drm_exec_retry_on_contention(); -ENOMEM if there is
 * no room for all buffers; or -ERESTARTSYS.
 */
int nv3_vm_place(struct nv3_vm *vm, struct drm_exec *exec, unsigned int fences)
{
	int ret;

	if (!vm)
		return 0;

	ret = drm_gpuvm_prepare_vm(&vm->base, exec, fences) ?:
	      drm_gpuvm_prepare_objects(&vm->base, exec, fences) ?:
	      drm_gpuvm_validate(&vm->base, exec);
	if (ret)
		return ret;

	/*
	 * The caller holds the locks of all buffers of the address space, so TTM can't have evicted
	 * any of them.
	 */
	drm_WARN_ON(&vm->nv3->drm, !list_empty(&vm->base.evict.list));
	return nv3_vm_write_stale(vm);
}

/**
 * nv3_vm_add_fence() - keep the buffers of an address space in place until a fence signals
 * @vm: the address space, whose buffers nv3_vm_place() has placed, or NULL
 * @fence: the fence
 *
 * Context: all reservations of the address space are held. Allocates no memory.
 */
void nv3_vm_add_fence(struct nv3_vm *vm, struct dma_fence *fence)
{
	struct drm_gpuvm_bo *vm_bo;

	if (!vm)
		return;

	dma_resv_add_fence(drm_gpuvm_resv(&vm->base), fence, DMA_RESV_USAGE_BOOKKEEP);
	list_for_each_entry(vm_bo, &vm->base.extobj.list, list.entry.extobj)
		dma_resv_add_fence(vm_bo->obj->resv, fence, DMA_RESV_USAGE_BOOKKEEP);
}

/**
 * nv3_vm_flush() - invalidate the chip's cache of page table entries, if entries may have changed
 * @vm: the address space of the batch that begins, or NULL
 *
 * Context: nv3_rm.lock is held; no batch runs.
 */
void nv3_vm_flush(struct nv3_vm *vm)
{
	if (vm && atomic_xchg(&vm->written, 0))
		nv3_wr32(vm->nv3, NV3_PVIRT_VM_INVALIDATE, 0);
}
