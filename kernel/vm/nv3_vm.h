/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef NV3_VM_H
#define NV3_VM_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include <drm/drm_gpuvm.h>
#include <drm/nv3_drm.h>

struct dma_fence;
struct drm_exec;
struct nv3_bo;
struct nv3_device;

/* The size of an address space in bytes. One directory covers this range. */
#define NV3_VM_SIZE		BIT_ULL(32)

/*
 * The maximum number of address spaces of a file, and the maximum number of mappings of an address
 * space. These numbers limit the kernel memory that a client can use.
 */
#define NV3_VM_MAX		16
#define NV3_VM_MAPPINGS_MAX	16384

/* A page of NV3_DMAOBJ_TABLE_ENTRIES words that the chip reads: a directory or a page table. */
struct nv3_vm_page {
	__le32 *cpu;
	dma_addr_t dma;
};

/**
 * struct nv3_vm - an address space
 *
 * The reservation of an address space is the reservation object of drm_gpuvm_resv_obj(). This
 * reservation contains the fences of all batches that may access the address space.
 */
struct nv3_vm {
	struct drm_gpuvm base;
	struct nv3_device *nv3;
	/** @ref: held by the file's table, by channels and by ioctls */
	struct kref ref;

	/** @lock: serialises VM_BIND */
	struct mutex lock;
	/**
	 * @directory: the first level of page tables; freed by nv3_vm_tables_fini(); guarded by
	 * @lock
	 */
	struct nv3_vm_page directory;
	/**
	 * @tables: the second level of page tables. Each page table is allocated when an address in
	 * its range is first mapped
	 */
	struct nv3_vm_page *tables;

	/*
	 * Guarded by the reservation lock. Mappings are changed with @lock and the reservation lock
	 * held, so either lock suffices to read them.
	 */

	/** @mappings: the number of mappings */
	u32 mappings;
	/**
	 * @stale: list of the buffers (struct nv3_vm_bo) whose page table entries are out of date
	 */
	struct list_head stale;

	/**
	 * @written: page tables have been written since the last nv3_vm_flush(), so the chip may
	 * have cached old entries
	 */
	atomic_t written;
	/** @link: entry in nv3_device.vms */
	struct list_head link;
};

/** struct nv3_vm_bo - a buffer in an address space */
struct nv3_vm_bo {
	struct drm_gpuvm_bo base;
	/** @stale: entry in nv3_vm.stale */
	struct list_head stale;
};

static inline struct nv3_vm *to_nv3_vm(struct drm_gpuvm *base)
{
	return container_of(base, struct nv3_vm, base);
}

static inline struct nv3_vm_bo *to_nv3_vm_bo(struct drm_gpuvm_bo *base)
{
	return container_of(base, struct nv3_vm_bo, base);
}

static inline struct nv3_vm *nv3_vm_get(struct nv3_vm *vm)
{
	kref_get(&vm->ref);
	return vm;
}

/* The flag in drm_gpuva.flags of a read-only mapping. */
#define NV3_VM_VA_READ_ONLY	DRM_GPUVA_USERBITS

/* nv3_vm.c */
int nv3_vm_init(struct nv3_device *nv3);
void nv3_vm_fini(struct nv3_device *nv3);
struct nv3_vm *nv3_vm_create(struct nv3_device *nv3);
void nv3_vm_put(struct nv3_vm *vm);

/* nv3_vm_bind.c */
extern const struct drm_gpuvm_ops nv3_vm_ops;
int nv3_vm_map(struct nv3_vm *vm, struct nv3_bo *bo, const struct drm_nv3_vm_bind *args);
int nv3_vm_unmap(struct nv3_vm *vm, u64 address, u64 size);
void nv3_vm_unmap_all(struct nv3_vm *vm);

/* nv3_vm_batch.c */
int nv3_vm_validate_bo(struct drm_gpuvm_bo *vm_bo, struct drm_exec *exec);
int nv3_vm_evict(struct nv3_vm *vm, struct drm_exec *exec);
int nv3_vm_place(struct nv3_vm *vm, struct drm_exec *exec, unsigned int fences);
void nv3_vm_add_fence(struct nv3_vm *vm, struct dma_fence *fence);
void nv3_vm_flush(struct nv3_vm *vm);

/* nv3_vm_table.c */
int nv3_vm_tables_init(struct nv3_vm *vm);
void nv3_vm_tables_fini(struct nv3_vm *vm);
int nv3_vm_tables_alloc(struct nv3_vm *vm, u64 address, u64 size);
void nv3_vm_tables_clear(struct nv3_vm *vm, u64 address, u64 size);
void nv3_vm_tables_write(struct nv3_vm *vm, const struct drm_gpuva *va);

#endif
