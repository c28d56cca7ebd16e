// SPDX-License-Identifier: GPL-2.0-or-later
/**
 * DOC: Page tables of address spaces
 *
 * The chip translates an address with two levels of tables in system memory. The directory has a
 * word for each 4 MiB of addresses, and a page table has a word for each page. A page table is
 * allocated when an address in its range of 4 MiB is first mapped, and freed together with the
 * address space. Page tables are charged to the memory cgroup of the client. A new address space
 * has only a directory.
 *
 * Only this file writes bus addresses to page tables.
 */

#include <linux/dma-mapping.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "device/nv3_device.h"
#include "mem/nv3_bo.h"
#include "nv3_vm.h"

#define NV3_VM_TABLE_SPAN	((u64)NV3_DMAOBJ_TABLE_ENTRIES << PAGE_SHIFT)

static_assert(NV3_DMAOBJ_TABLE_ENTRIES * sizeof(__le32) == PAGE_SIZE);
static_assert(NV3_DMAOBJ_TABLE_ENTRIES * NV3_VM_TABLE_SPAN == NV3_VM_SIZE);

static int nv3_vm_page_alloc(struct nv3_vm *vm, struct nv3_vm_page *page)
{
	page->cpu = dma_alloc_coherent(vm->nv3->drm.dev, PAGE_SIZE, &page->dma,
				       GFP_KERNEL_ACCOUNT);
	return page->cpu ? 0 : -ENOMEM;
}

static void nv3_vm_page_free(struct nv3_vm *vm, struct nv3_vm_page *page)
{
	if (page->cpu)
		dma_free_coherent(vm->nv3->drm.dev, PAGE_SIZE, page->cpu, page->dma);
	page->cpu = NULL;
}

/**
 * nv3_vm_tables_init() - allocate the directory of a new address space
 * @vm: the address space
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int nv3_vm_tables_init(struct nv3_vm *vm)
{
	int ret;

	vm->tables = kvcalloc(NV3_DMAOBJ_TABLE_ENTRIES, sizeof(*vm->tables), GFP_KERNEL_ACCOUNT);
	if (!vm->tables)
		return -ENOMEM;

	ret = nv3_vm_page_alloc(vm, &vm->directory);
	if (ret)
		kvfree(vm->tables);
	return ret;
}

/**
 * nv3_vm_tables_fini() - free the page tables of an address space that the chip does not use
 * @vm: the address space
 *
 * Context: process context.
 */
void nv3_vm_tables_fini(struct nv3_vm *vm)
{
	unsigned int i;

	for (i = 0; i < NV3_DMAOBJ_TABLE_ENTRIES; i++)
		nv3_vm_page_free(vm, &vm->tables[i]);
	nv3_vm_page_free(vm, &vm->directory);
	kvfree(vm->tables);
	vm->tables = NULL;
}

/**
 * nv3_vm_tables_alloc() - make sure that all page tables of a range of addresses exist
 * @vm: the address space
 * @address: the first address
 * @size: the size of the range in bytes
 *
 * Context: process context; nv3_vm.lock is held.
 * Return: 0 or -ENOMEM. After an error, page tables without entries may remain.
 */
int nv3_vm_tables_alloc(struct nv3_vm *vm, u64 address, u64 size)
{
	unsigned int i = address / NV3_VM_TABLE_SPAN;
	unsigned int last = (address + size - 1) / NV3_VM_TABLE_SPAN;

	lockdep_assert_held(&vm->lock);

	for (; i <= last; i++) {
		if (vm->tables[i].cpu)
			continue;
		if (nv3_vm_page_alloc(vm, &vm->tables[i]))
			return -ENOMEM;
		WRITE_ONCE(vm->directory.cpu[i],
			   cpu_to_le32(lower_32_bits(vm->tables[i].dma) | NV3_DMAOBJ_DIR_PRESENT));
	}
	return 0;
}

/*
 * Writes a page table entry, if its page table exists. A page table does not exist until an address
 * in its range is mapped.
 */
static void nv3_vm_tables_put(struct nv3_vm *vm, u64 page, u32 entry)
{
	struct nv3_vm_page *table = &vm->tables[page / NV3_DMAOBJ_TABLE_ENTRIES];

	if (table->cpu)
		WRITE_ONCE(table->cpu[page % NV3_DMAOBJ_TABLE_ENTRIES], cpu_to_le32(entry));
	if (page % NV3_DMAOBJ_TABLE_ENTRIES == 0)
		cond_resched();
}

/*
 * The chip may have cached old entries, so request that nv3_vm_flush() invalidates the cache when
 * the next batch begins.
 */
static void nv3_vm_tables_written(struct nv3_vm *vm)
{
	atomic_set_release(&vm->written, 1);
}

/**
 * nv3_vm_tables_clear() - set the page table entries of a range of addresses to 0
 * @vm: the address space, whose reservation is held. No batch in flight may use the range
 * @address: the first address
 * @size: the size of the range in bytes
 *
 * Context: process context.
 */
void nv3_vm_tables_clear(struct nv3_vm *vm, u64 address, u64 size)
{
	u64 page = address >> PAGE_SHIFT;
	u64 end = (address + size) >> PAGE_SHIFT;

	dma_resv_assert_held(drm_gpuvm_resv(&vm->base));

	for (; page < end; page++)
		nv3_vm_tables_put(vm, page, 0);
	nv3_vm_tables_written(vm);
}

static u32 nv3_vm_tables_entry(struct nv3_bo *bo, unsigned long page)
{
	if (nv3_bo_in_vram(bo))
		return NV3_DMAOBJ_PTE_VRAM | (nv3_bo_vram_offset(bo) + (page << PAGE_SHIFT));

	return lower_32_bits(nv3_bo_dma_addr(bo, page));
}

/**
 * nv3_vm_tables_write() - write the entries of a mapping
 * @vm: the address space
 * @va: the mapping, whose buffer is locked and placed. No migration of the buffer is in progress
 *
 * If batches in flight may access the mapping, the buffer has their fences and has not moved since
 * its entries were written. In this case, the function writes the same values again.
 *
 * Context: process context; the reservation of the address space is held.
 */
void nv3_vm_tables_write(struct nv3_vm *vm, const struct drm_gpuva *va)
{
	u32 flags = NV3_DMAOBJ_PTE_PRESENT |
		    (va->flags & NV3_VM_VA_READ_ONLY ? 0 : NV3_DMAOBJ_PTE_WRITE);
	struct nv3_bo *bo = to_nv3_bo(va->gem.obj);
	u64 page = va->va.addr >> PAGE_SHIFT;
	u64 first = va->gem.offset >> PAGE_SHIFT;
	u64 i, count = va->va.range >> PAGE_SHIFT;

	dma_resv_assert_held(drm_gpuvm_resv(&vm->base));

	for (i = 0; i < count; i++)
		nv3_vm_tables_put(vm, page + i, flags | nv3_vm_tables_entry(bo, first + i));
	nv3_vm_tables_written(vm);
}
