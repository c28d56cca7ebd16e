/* SPDX-License-Identifier: MIT */
/*
 * Implements address spaces: the mappings of buffers, and the page tables in system memory with
 * which the chip translates addresses (NV3_DMAOBJ_DIRECTORY in nv3_regs.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "util/u_math.h"

#include "nv3_shim.h"

#define VM_SIZE (1ull << 32)
#define TABLE_SIZE (NV3_DMAOBJ_TABLE_ENTRIES * 4u)
#define TABLE_SPAN ((uint64_t)NV3_DMAOBJ_TABLE_ENTRIES * NV3_SHIM_PAGE)

struct nv3_shim_mapping {
   struct list_head link; /* nv3_shim_vm.mappings */
   uint64_t address, size, offset;
   struct nv3_shim_bo *bo;
   uint32_t flags;        /* DRM_NV3_VM_* */
   bool displaced;        /* the page table entries do not point to the buffer's home */
};

/* ---- page tables ---- */

static uint32_t *
memory_words(uint64_t address)
{
   return (uint32_t *)(nv3_shim.memory + address);
}

/* Allocates a page of zeroes in system memory. Returns its address, or 0. */
static uint64_t
alloc_page(void)
{
   uint64_t page;

   mtx_lock(&shim_device.mem_lock);
   page = util_vma_heap_alloc(&shim_device.mem_heap, TABLE_SIZE, TABLE_SIZE);
   mtx_unlock(&shim_device.mem_lock);
   if (page)
      memset(nv3_shim.memory + page, 0, TABLE_SIZE);
   return page;
}

static void
free_page(uint64_t page)
{
   mtx_lock(&shim_device.mem_lock);
   util_vma_heap_free(&shim_device.mem_heap, page, TABLE_SIZE);
   mtx_unlock(&shim_device.mem_lock);
}

/* Allocates the missing page tables of a range. Returns false if memory is exhausted. */
static bool
alloc_tables(struct nv3_shim_vm *vm, uint64_t address, uint64_t size)
{
   uint32_t *directory = memory_words(vm->directory);
   uint64_t i, table;

   for (i = address / TABLE_SPAN; i <= (address + size - 1) / TABLE_SPAN; i++) {
      if (directory[i])
         continue;
      table = alloc_page();
      if (!table)
         return false;
      directory[i] = table | NV3_DMAOBJ_DIR_PRESENT;
   }
   return true;
}

static uint32_t *
table_entry(struct nv3_shim_vm *vm, uint64_t address)
{
   uint32_t table = memory_words(vm->directory)[address / TABLE_SPAN];

   if (!table)
      return NULL;
   return memory_words(table & NV3_DMAOBJ_PTE_FRAME) + address % TABLE_SPAN / NV3_SHIM_PAGE;
}

static void
clear_entries(struct nv3_shim_vm *vm, uint64_t start, uint64_t end)
{
   for (; start < end; start += NV3_SHIM_PAGE) {
      uint32_t *entry = table_entry(vm, start);

      if (entry)
         *entry = 0;
   }
}

static void
write_entries(struct nv3_shim_vm *vm, struct nv3_shim_mapping *m)
{
   const uint32_t flags = NV3_DMAOBJ_PTE_PRESENT |
                          (m->flags & DRM_NV3_VM_READ_ONLY ? 0 : NV3_DMAOBJ_PTE_WRITE);
   uint64_t at;
   bool vram;

   m->displaced = m->bo->placed || m->bo->swapped;
   for (at = 0; at < m->size; at += NV3_SHIM_PAGE) {
      uint64_t page = nv3_shim_bo_page(m->bo, (m->offset + at) / NV3_SHIM_PAGE, &vram);

      *table_entry(vm, m->address + at) = page | flags | (vram ? NV3_DMAOBJ_PTE_VRAM : 0);
   }
}

/*
 * Updates the page table entries of buffers that are outside their homes during this batch, or
 * that were outside their homes during the last update.
 */
void
nv3_shim_vm_update(struct nv3_shim_vm *vm)
{
   list_for_each_entry(struct nv3_shim_mapping, m, &vm->mappings, link) {
      if (m->displaced || m->bo->placed || m->bo->swapped)
         write_entries(vm, m);
   }
}

/*
 * Moves mapped buffers to VRAM if the batch lists them and their domains permit only VRAM.
 * Returns 0 or -ENOMEM.
 */
int
nv3_shim_vm_place(struct nv3_shim_vm *vm)
{
   list_for_each_entry(struct nv3_shim_mapping, m, &vm->mappings, link) {
      if (m->bo->domains == DRM_NV3_GEM_VRAM && m->bo->batch == nv3_shim.batch &&
          !nv3_shim_place_bo(m->bo))
         return -ENOMEM;
   }
   return 0;
}

/* ---- mappings ---- */

static bool
add_mapping(struct nv3_shim_vm *vm, const struct nv3_shim_mapping *from)
{
   struct nv3_shim_mapping *m = malloc(sizeof(*m));

   if (!m)
      return false;
   *m = *from;
   drm_shim_bo_get(&m->bo->base);
   list_add(&m->link, &vm->mappings);
   return true;
}

static void
free_mapping(struct nv3_shim_mapping *m)
{
   list_del(&m->link);
   drm_shim_bo_put(&m->bo->base);
   free(m);
}

/* Returns the part of a mapping that is within [start, end). */
static struct nv3_shim_mapping
mapping_part(const struct nv3_shim_mapping *m, uint64_t start, uint64_t end)
{
   struct nv3_shim_mapping part = *m;

   part.address = start;
   part.size = end - start;
   part.offset += start - m->address;
   return part;
}

static int
unmap(struct nv3_shim_vm *vm, uint64_t start, uint64_t end)
{
   list_for_each_entry_safe(struct nv3_shim_mapping, m, &vm->mappings, link) {
      const uint64_t m_end = m->address + m->size;
      struct nv3_shim_mapping part;

      if (m_end <= start || m->address >= end)
         continue;
      part = mapping_part(m, m->address, MAX2(m->address, start));
      if (part.size && !add_mapping(vm, &part))
         return -ENOMEM;
      part = mapping_part(m, MIN2(m_end, end), m_end);
      if (part.size && !add_mapping(vm, &part))
         return -ENOMEM;
      free_mapping(m);
   }
   clear_entries(vm, start, end);
   return 0;
}

static int
map(struct nv3_shim_vm *vm, struct nv3_shim_bo *bo, const struct drm_nv3_vm_bind *args)
{
   const struct nv3_shim_mapping mapping = {
      .address = args->address,
      .size = args->size,
      .offset = args->offset,
      .bo = bo,
      .flags = args->flags,
   };
   int ret;

   if (args->offset > bo->base.size || args->size > bo->base.size - args->offset)
      return -EINVAL;
   if (!alloc_tables(vm, args->address, args->size))
      return -ENOMEM;
   ret = unmap(vm, args->address, args->address + args->size);
   if (ret)
      return ret;
   if (!add_mapping(vm, &mapping))
      return -ENOMEM;
   write_entries(vm, list_first_entry(&vm->mappings, struct nv3_shim_mapping, link));
   return 0;
}

static int
bind(int fd, const struct drm_nv3_vm_bind *args)
{
   struct shim_fd *file = drm_shim_fd_lookup(fd);
   struct nv3_shim_vm *vm = nv3_shim_vm_find(file, args->vm);
   struct nv3_shim_bo *bo;
   int ret;

   if (!vm)
      return -ENOENT;
   if ((args->address | args->offset | args->size) % NV3_SHIM_PAGE || !args->size ||
       args->address > VM_SIZE || args->size > VM_SIZE - args->address)
      return -EINVAL;
   if (args->op == DRM_NV3_VM_UNMAP) {
      if (args->handle || args->offset || args->flags)
         return -EINVAL;
      return unmap(vm, args->address, args->address + args->size);
   }
   if (args->op != DRM_NV3_VM_MAP || args->flags & ~DRM_NV3_VM_READ_ONLY)
      return -EINVAL;
   bo = nv3_shim_bo_lookup(file, args->handle);
   if (!bo)
      return -ENOENT;
   ret = map(vm, bo, args);
   drm_shim_bo_put(&bo->base);
   return ret;
}

int
nv3_shim_vm_bind(int fd, unsigned long request, void *arg)
{
   int ret;

   mtx_lock(&nv3_shim.lock);
   ret = bind(fd, arg);
   mtx_unlock(&nv3_shim.lock);
   return nv3_shim_result(ret);
}

/* ---- address spaces ---- */

/*
 * Returns the file's address space with this id, or NULL. Called with the lock
 * held.
 */
struct nv3_shim_vm *
nv3_shim_vm_find(struct shim_fd *file, uint32_t id)
{
   list_for_each_entry(struct nv3_shim_vm, vm, &nv3_shim.vms, link) {
      if (vm->id == id && vm->file == file && !vm->destroyed)
         return vm;
   }
   return NULL;
}

void
nv3_shim_vm_put(struct nv3_shim_vm *vm)
{
   uint32_t *directory = memory_words(vm->directory);
   unsigned i;

   if (--vm->refs)
      return;
   list_for_each_entry_safe(struct nv3_shim_mapping, m, &vm->mappings, link)
      free_mapping(m);
   for (i = 0; i < NV3_DMAOBJ_TABLE_ENTRIES; i++) {
      if (directory[i])
         free_page(directory[i] & NV3_DMAOBJ_PTE_FRAME);
   }
   free_page(vm->directory);
   list_del(&vm->link);
   free(vm);
}

static int
create(struct shim_fd *file, struct drm_nv3_vm_create *args)
{
   struct nv3_shim_vm *vm = calloc(1, sizeof(*vm));

   if (!vm)
      return -ENOMEM;
   vm->directory = alloc_page();
   if (!vm->directory) {
      free(vm);
      return -ENOMEM;
   }
   vm->refs = 1;
   vm->file = file;
   vm->id = ++nv3_shim.next_vm;
   list_inithead(&vm->mappings);
   list_addtail(&vm->link, &nv3_shim.vms);
   args->vm = vm->id;
   args->size = VM_SIZE;
   return 0;
}

int
nv3_shim_vm_create(int fd, unsigned long request, void *arg)
{
   struct drm_nv3_vm_create *args = arg;
   int ret;

   if (args->flags)
      return nv3_shim_result(-EINVAL);
   mtx_lock(&nv3_shim.lock);
   ret = create(drm_shim_fd_lookup(fd), args);
   mtx_unlock(&nv3_shim.lock);
   return nv3_shim_result(ret);
}

int
nv3_shim_vm_destroy(int fd, unsigned long request, void *arg)
{
   struct drm_nv3_vm_destroy *args = arg;
   struct nv3_shim_vm *vm;

   if (args->pad)
      return nv3_shim_result(-EINVAL);
   mtx_lock(&nv3_shim.lock);
   vm = nv3_shim_vm_find(drm_shim_fd_lookup(fd), args->vm);
   if (vm) {
      vm->destroyed = true;
      nv3_shim_vm_put(vm);
   }
   mtx_unlock(&nv3_shim.lock);
   return nv3_shim_result(vm ? 0 : -ENOENT);
}
