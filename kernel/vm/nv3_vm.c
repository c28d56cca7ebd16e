// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Address spaces
 *
 * Class PROGRAMS addresses memory by offsets in one DMA object, whose page tables are in system
 * memory. One bit of each page table entry is set if the page is in VRAM. An address space consists
 * of these page tables and of the buffer mappings that they represent. drm_gpuvm manages the
 * mappings.
 *
 * nv3_vm_bind.c     changes mappings (VM_BIND)
 * nv3_vm_batch.c    places the buffers of an address space for a batch
 * nv3_vm_table.c    allocates and writes page tables
 *
 * If a channel has an address space, SUBMIT adds the fence of each batch to all mapped buffers.
 * While the batch is in flight, these buffers do not move, and their page table entries stay valid.
 * Between batches, buffers may move. When a buffer moves, drm_gpuvm adds the buffer to a list of
 * evicted buffers. The SUBMIT of the next batch places the buffers in this list and writes their
 * page table entries.
 *
 * Files and channels hold references to an address space. The address space is freed when the last
 * reference is dropped. If the device is removed earlier, nv3_vm_fini() frees the page tables.
 */

#include <linux/slab.h>

#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "device/nv3_device.h"
#include "nv3_vm.h"

/**
 * nv3_vm_init() - initialise the list of a device's address spaces
 * @nv3: the device
 *
 * Context: process context, in probe.
 * Return: 0 or a negative errno.
 */
int nv3_vm_init(struct nv3_device *nv3)
{
	INIT_LIST_HEAD(&nv3->vms);
	return drmm_mutex_init(&nv3->drm, &nv3->vms_lock);
}

/* Frees the page tables of an address space, unless nv3_vm_fini() has freed them already. */
static void nv3_vm_free_tables(struct nv3_vm *vm)
{
	lockdep_assert_held(&vm->nv3->vms_lock);

	if (list_empty(&vm->link))
		return;
	list_del_init(&vm->link);
	nv3_vm_tables_fini(vm);
}

/**
 * nv3_vm_fini() - free the page tables of all address spaces
 * @nv3: the device, which is unplugged. Every batch has ended
 *
 * Context: process context.
 */
void nv3_vm_fini(struct nv3_device *nv3)
{
	struct nv3_vm *vm, *next;

	mutex_lock(&nv3->vms_lock);
	list_for_each_entry_safe(vm, next, &nv3->vms, link)
		nv3_vm_free_tables(vm);
	mutex_unlock(&nv3->vms_lock);
}

static struct nv3_vm *nv3_vm_alloc(struct nv3_device *nv3, struct drm_gem_object *root)
{
	struct nv3_vm *vm = kzalloc(sizeof(*vm), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!vm)
		return ERR_PTR(-ENOMEM);

	vm->nv3 = nv3;
	ret = nv3_vm_tables_init(vm);
	if (ret) {
		kfree(vm);
		return ERR_PTR(ret);
	}

	kref_init(&vm->ref);
	mutex_init(&vm->lock);
	INIT_LIST_HEAD(&vm->stale);
	/*
	 * The chip may have cached page table entries of an earlier address space whose directory
	 * was at the same bus address.
	 */
	atomic_set(&vm->written, 1);
	drm_gpuvm_init(&vm->base, "nv3", DRM_GPUVM_RESV_PROTECTED, &nv3->drm, root, 0,
		       NV3_VM_SIZE, 0, 0, &nv3_vm_ops);
	return vm;
}

/**
 * nv3_vm_create() - create an address space without mappings
 * @nv3: the device
 *
 * Context: process context, between drm_dev_enter() and drm_dev_exit().
 * Return: the address space with a reference for the caller, or ERR_PTR(-ENOMEM).
 */
struct nv3_vm *nv3_vm_create(struct nv3_device *nv3)
{
	struct drm_gem_object *root = drm_gpuvm_resv_object_alloc(&nv3->drm);
	struct nv3_vm *vm;

	if (!root)
		return ERR_PTR(-ENOMEM);

	vm = nv3_vm_alloc(nv3, root);
	drm_gem_object_put(root);
	if (IS_ERR(vm))
		return vm;

	mutex_lock(&nv3->vms_lock);
	list_add_tail(&vm->link, &nv3->vms);
	mutex_unlock(&nv3->vms_lock);
	return vm;
}

static void nv3_vm_release(struct kref *ref)
{
	struct nv3_vm *vm = container_of(ref, struct nv3_vm, ref);

	nv3_vm_unmap_all(vm);
	mutex_lock(&vm->nv3->vms_lock);
	nv3_vm_free_tables(vm);
	mutex_unlock(&vm->nv3->vms_lock);
	mutex_destroy(&vm->lock);
	/* When drm_gpuvm drops its last reference, nv3_vm_ops.vm_free() frees the address space. */
	drm_gpuvm_put(&vm->base);
}

/**
 * nv3_vm_put() - drop a reference
 * @vm: the address space, or NULL
 *
 * Context: process context; no reservation may be held.
 */
void nv3_vm_put(struct nv3_vm *vm)
{
	if (vm)
		kref_put(&vm->ref, nv3_vm_release);
}
