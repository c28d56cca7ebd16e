/* SPDX-License-Identifier: MIT */
/*
 * Buffers and their placement. Each buffer has a home. The home never changes, because clients
 * map it. The home is in VRAM if the buffer's domains permit VRAM and VRAM has room when the
 * buffer is created. Otherwise the home is in drm-shim's system memory, and batches that draw to
 * the buffer use a copy in VRAM. To make room for the copy, buffers that the batch does not list
 * are swapped out until the batch has ended.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/u_math.h"

#include "nv3_shim.h"

static struct nv3_shim_bo *
to_bo(struct shim_bo *base)
{
   return (struct nv3_shim_bo *)base;
}

static uint8_t *
vram_pointer(const struct nv3_shim_bo *bo)
{
   return nv3_shim.memory + nv3_shim.vram_base + bo->vram;
}

static uint8_t *
system_pointer(const struct nv3_shim_bo *bo)
{
   return nv3_shim.memory + bo->base.mem_addr;
}

/*
 * Allocates VRAM for a buffer. Returns false if VRAM has no room. The heap's addresses are one page
 * higher than offsets in VRAM, because the heap can't return address 0.
 */
static bool
alloc_vram(struct nv3_shim_bo *bo)
{
   uint64_t addr = util_vma_heap_alloc(&nv3_shim.vram, bo->base.size, NV3_SHIM_PAGE);

   if (!addr)
      return false;
   bo->vram = addr - NV3_SHIM_PAGE;
   return true;
}

static void
free_vram(struct nv3_shim_bo *bo)
{
   util_vma_heap_free(&nv3_shim.vram, bo->vram + NV3_SHIM_PAGE, bo->base.size);
}

static int
create_bo(uint32_t size, uint32_t domains, struct nv3_shim_bo **out)
{
   struct nv3_shim_bo *bo = calloc(1, sizeof(*bo));
   int ret;

   if (!bo)
      return -ENOMEM;
   ret = drm_shim_bo_init(&bo->base, size);
   if (ret) {
      free(bo);
      return ret;
   }
   bo->domains = domains;
   if (domains & DRM_NV3_GEM_VRAM && alloc_vram(bo)) {
      bo->in_vram = true;
      list_addtail(&bo->link, &nv3_shim.vram_bos);
      memset(vram_pointer(bo), 0, size);
   } else if (domains == DRM_NV3_GEM_VRAM && size > nv3_shim.vram_size - NV3_RAMIN_SIZE) {
      drm_shim_bo_put(&bo->base);
      return -ENOMEM;
   } else {
      memset(system_pointer(bo), 0, size);
   }
   *out = bo;
   return 0;
}

int
nv3_shim_gem_create(int fd, unsigned long request, void *arg)
{
   struct drm_nv3_gem_create *args = arg;
   uint32_t all = DRM_NV3_GEM_VRAM | DRM_NV3_GEM_SYSTEM;
   struct nv3_shim_bo *bo;
   int ret;

   if (args->flags || !args->domains || args->domains & ~all ||
       !args->size || args->size > UINT32_MAX - NV3_SHIM_PAGE)
      return nv3_shim_result(-EINVAL);

   args->size = align64(args->size, NV3_SHIM_PAGE);
   mtx_lock(&nv3_shim.lock);
   if (args->vm && !nv3_shim_vm_find(drm_shim_fd_lookup(fd), args->vm))
      ret = -ENOENT;
   else
      ret = create_bo(args->size, args->domains, &bo);
   mtx_unlock(&nv3_shim.lock);
   if (ret)
      return nv3_shim_result(ret);

   args->handle = drm_shim_bo_get_handle(drm_shim_fd_lookup(fd), &bo->base);
   drm_shim_bo_put(&bo->base);
   return 0;
}

/*
 * Imports a buffer of another process. The home of the buffer becomes the memory at @offset of the
 * file @fd.
 */
struct shim_bo *
nv3_shim_bo_import(size_t size, int fd, uint64_t offset)
{
   struct nv3_shim_bo *bo = calloc(1, sizeof(*bo));

   if (!bo || drm_shim_bo_init(&bo->base, size)) {
      free(bo);
      return NULL;
   }
   bo->domains = DRM_NV3_GEM_VRAM;
   if (mmap(system_pointer(bo), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
            offset) == MAP_FAILED) {
      drm_shim_bo_put(&bo->base);
      return NULL;
   }
   return &bo->base;
}

/*
 * Frees the VRAM of a buffer, or unmaps the memory of an imported buffer. After this call, drm-shim
 * frees the buffer's range of system memory.
 */
void
nv3_shim_bo_free(struct shim_bo *base)
{
   struct nv3_shim_bo *bo = to_bo(base);

   if (base->imported)
      mmap(system_pointer(bo), base->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
           shim_device.mem_fd, base->mem_addr);
   if (!bo->in_vram)
      return;
   /*
    * The lock is recursive and may already be held, because a batch or a mapping can have the
    * last reference.
    */
   mtx_lock(&nv3_shim.lock);
   list_del(&bo->link);
   free_vram(bo);
   mtx_unlock(&nv3_shim.lock);
}

/*
 * Returns the buffer of a GEM handle, with a reference for the caller, or NULL if there is no
 * such buffer.
 */
struct nv3_shim_bo *
nv3_shim_bo_lookup(struct shim_fd *file, uint32_t handle)
{
   struct shim_bo *base = drm_shim_bo_lookup(file, handle);

   return base ? to_bo(base) : NULL;
}

int
nv3_shim_gem_mmap(int fd, unsigned long request, void *arg)
{
   struct shim_fd *file = drm_shim_fd_lookup(fd);
   struct drm_nv3_gem_mmap *args = arg;
   struct nv3_shim_bo *bo;

   if (args->pad)
      return nv3_shim_result(-EINVAL);
   bo = nv3_shim_bo_lookup(file, args->handle);
   if (!bo)
      return nv3_shim_result(-ENOENT);

   args->offset = bo->in_vram ? NV3_SHIM_VRAM_OFFSET + bo->vram :
                                drm_shim_bo_get_mmap_offset(file, &bo->base);
   drm_shim_bo_put(&bo->base);
   return 0;
}

void *
nv3_shim_mmap_vram(size_t length, int prot, int flags, off64_t offset)
{
   return mmap(NULL, length, prot, flags, shim_device.mem_fd,
               nv3_shim.vram_base + offset - NV3_SHIM_VRAM_OFFSET);
}

/* GEM_WAIT returns at once, because batches complete before SUBMIT returns. */
int
nv3_shim_gem_wait(int fd, unsigned long request, void *arg)
{
   struct drm_nv3_gem_wait *args = arg;
   struct nv3_shim_bo *bo;

   if (args->flags & ~DRM_NV3_GEM_WAIT_WRITE)
      return nv3_shim_result(-EINVAL);
   bo = nv3_shim_bo_lookup(drm_shim_fd_lookup(fd), args->handle);
   if (!bo)
      return nv3_shim_result(-ENOENT);
   drm_shim_bo_put(&bo->base);
   return 0;
}

/* Returns true if class PROGRAMS can draw to the buffer in the current batch. */
bool
nv3_shim_in_vram(const struct nv3_shim_bo *bo)
{
   return bo->placed || (bo->in_vram && !bo->swapped);
}

/* Returns true if classes other than PROGRAMS can draw to the buffer in the current batch. */
bool
nv3_shim_in_reach(const struct nv3_shim_bo *bo)
{
   return nv3_shim_in_vram(bo) && bo->vram + bo->base.size <= NV3_SHIM_SURFACE_REACH;
}

/* Returns the memory of a buffer's home. */
uint8_t *
nv3_shim_bo_home(const struct nv3_shim_bo *bo)
{
   return bo->in_vram ? vram_pointer(bo) : system_pointer(bo);
}

/* Returns the offset of the buffer's home in the file that contains drm-shim's memory. */
uint64_t
nv3_shim_bo_offset(struct shim_bo *base)
{
   const struct nv3_shim_bo *bo = to_bo(base);

   return bo->in_vram ? nv3_shim.vram_base + bo->vram : base->mem_addr;
}

/*
 * Returns the address of page @page of the buffer: an offset in VRAM if *@vram is set to true,
 * otherwise a bus address.
 */
uint64_t
nv3_shim_bo_page(const struct nv3_shim_bo *bo, uint32_t page, bool *vram)
{
   *vram = nv3_shim_in_vram(bo);
   return (*vram ? bo->vram : bo->base.mem_addr) + (uint64_t)page * NV3_SHIM_PAGE;
}

/*
 * Swaps out a buffer that the batch does not list: moves its contents from VRAM to system memory,
 * where the chip can still read them. Returns false if there is no such buffer.
 */
static bool
swap_out_one(void)
{
   list_for_each_entry(struct nv3_shim_bo, bo, &nv3_shim.vram_bos, link) {
      if (bo->swapped || bo->batch == nv3_shim.batch)
         continue;
      memcpy(system_pointer(bo), vram_pointer(bo), bo->base.size);
      bo->swapped = true;
      free_vram(bo);
      return true;
   }
   return false;
}

/*
 * Moves a buffer to VRAM for the current batch, unless it is already in VRAM. Returns false if
 * VRAM has no room.
 */
bool
nv3_shim_place_bo(struct nv3_shim_bo *bo)
{
   if (nv3_shim_in_vram(bo))
      return true;
   while (!alloc_vram(bo)) {
      if (!swap_out_one())
         return false;
   }
   memcpy(vram_pointer(bo), system_pointer(bo), bo->base.size);
   bo->placed = true;
   list_addtail(&bo->link, &nv3_shim.placed_bos);
   return true;
}

/*
 * Moves two kinds of listed buffers to VRAM: the buffers of the channel's surfaces, and mapped
 * buffers whose domains permit only VRAM. Returns 0 or -ENOMEM. The caller must call
 * nv3_shim_unplace() later, even after -ENOMEM.
 */
int
nv3_shim_place(struct nv3_shim_channel *chan)
{
   list_for_each_entry(struct nv3_shim_object, obj, &chan->objects, link) {
      int ret;

      if (obj->class_id == NV3_CLASS_SURFACE && obj->bo->batch == nv3_shim.batch &&
          !(nv3_shim_place_bo(obj->bo) && nv3_shim_in_reach(obj->bo)))
         return -ENOMEM;
      ret = obj->vm ? nv3_shim_vm_place(obj->vm) : 0;
      if (ret)
         return ret;
   }
   return 0;
}

/*
 * Copies placed buffers back to their homes in system memory, and swapped buffers back to VRAM.
 */
void
nv3_shim_unplace(void)
{
   list_for_each_entry_safe(struct nv3_shim_bo, bo, &nv3_shim.placed_bos, link) {
      memcpy(system_pointer(bo), vram_pointer(bo), bo->base.size);
      free_vram(bo);
      bo->placed = false;
      list_del(&bo->link);
   }
   list_for_each_entry(struct nv3_shim_bo, bo, &nv3_shim.vram_bos, link) {
      if (!bo->swapped)
         continue;
      util_vma_heap_alloc_addr(&nv3_shim.vram, bo->vram + NV3_SHIM_PAGE, bo->base.size);
      memcpy(vram_pointer(bo), system_pointer(bo), bo->base.size);
      bo->swapped = false;
   }
}
