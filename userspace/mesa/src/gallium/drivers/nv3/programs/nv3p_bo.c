/* SPDX-License-Identifier: MIT */
/*
 * Manages buffers, their addresses, and unused buffers.
 *
 * The driver reuses buffers in system memory. Without this reuse, the kernel
 * could unmap a buffer only after waiting for the batches that use the
 * buffer. The kernel would also have to clear each new buffer. VRAM is
 * scarce, so the driver frees buffers in VRAM at once.
 */
#include "util/os_time.h"
#include "util/u_cpu_detect.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "base/nv3p_screen.h"

#define PAGE 4096u
/*
 * Limits of the unused buffers: their total size in bytes, the time in
 * microseconds after which they are freed, and the maximum ratio of a buffer's
 * size to the requested size.
 */
#define UNUSED_BYTES (32u << 20)
#define UNUSED_US 1000000
#define UNUSED_RATIO 1.25f

/* ---- creation ---- */

static void
bo_free(struct nv3p_bo *bo)
{
   struct nv3p_screen *screen = bo->screen;

   if (bo->address) {
      nv3_vm_unmap(screen->dev, screen->vm, bo->address, bo->base.size);
      simple_mtx_lock(&screen->heap_lock);
      util_vma_heap_free(&screen->heap, bo->address, bo->base.size);
      simple_mtx_unlock(&screen->heap_lock);
   }
   nv3_bo_unref(bo->bo);
   FREE(bo);
}

/*
 * Creates the nv3p_bo for @bo and maps it. Takes ownership of the reference
 * to @bo, even on failure.
 */
static struct nv3p_bo *
bo_wrap(struct nv3p_screen *screen, struct nv3_bo *bo, uint32_t domains)
{
   struct nv3p_bo *wrapped = CALLOC_STRUCT(nv3p_bo);
   const uint64_t size = nv3_bo_size(bo);

   if (!wrapped) {
      nv3_bo_unref(bo);
      return NULL;
   }
   pipe_reference_init(&wrapped->base.reference, 1);
   wrapped->base.size = size;
   wrapped->screen = screen;
   wrapped->bo = bo;
   wrapped->domains = domains;
   simple_mtx_lock(&screen->heap_lock);
   wrapped->address = util_vma_heap_alloc(&screen->heap, size, PAGE);
   simple_mtx_unlock(&screen->heap_lock);
   if (wrapped->address && !nv3_bo_map(bo, &wrapped->map) &&
       !nv3_vm_map(screen->dev, screen->vm, bo, 0, wrapped->address, size, 0))
      return wrapped;
   bo_free(wrapped);
   return NULL;
}

struct nv3p_bo *
nv3p_bo_create(struct nv3p_screen *screen, uint32_t size, uint32_t domains)
{
   struct pb_buffer_lean *unused = NULL;
   struct nv3_bo *bo;

   size = align(size, PAGE);
   if (domains == DRM_NV3_GEM_SYSTEM)
      unused = pb_cache_reclaim_buffer(&screen->unused, size, 0, 0, 0);
   if (unused)
      return (struct nv3p_bo *)unused;
   if (nv3_bo_new(screen->dev, size, domains, &bo))
      return NULL;
   return bo_wrap(screen, bo, domains);
}

struct nv3p_bo *
nv3p_bo_from_bo(struct nv3p_screen *screen, struct nv3_bo *bo)
{
   struct nv3p_bo *wrapped = bo_wrap(screen, bo, DRM_NV3_GEM_VRAM);

   if (wrapped)
      wrapped->shared = true;
   return wrapped;
}

void
nv3p_bo_unref(struct nv3p_bo *bo)
{
   if (!p_atomic_dec_zero(&bo->base.reference.count))
      return;
   if (bo->shared || bo->domains != DRM_NV3_GEM_SYSTEM)
      bo_free(bo);
   else
      pb_cache_add_buffer(&bo->screen->unused, &bo->entry);
}

/* ---- waits ---- */

bool
nv3p_keep_polling(int64_t *since)
{
   if (!*since)
      *since = os_time_get_nano();
   return util_get_cpu_caps()->nr_cpus > 1 &&
          os_time_get_nano() - *since < NV3P_POLL_NS;
}

bool
nv3p_bo_wait(struct nv3p_bo *bo, bool write, int64_t timeout_ns)
{
   const uint32_t flags = write ? DRM_NV3_GEM_WAIT_WRITE : 0;
   const uint32_t uses = p_atomic_read(&bo->uses);
   int64_t since = 0;
   bool idle = false;

   if (p_atomic_read(&bo->ended) == uses && !bo->shared)
      return true;
   while (!idle && timeout_ns >= NV3P_POLL_NS && nv3p_keep_polling(&since))
      idle = !nv3_bo_wait(bo->bo, flags, 0);
   idle = idle || !nv3_bo_wait(bo->bo, flags, timeout_ns);
   /*
    * Store the value that @bo->uses had before the wait, because another
    * context may have submitted further batches.
    */
   if (write && idle)
      p_atomic_set(&bo->ended, uses);
   return idle;
}

/* ---- storage of resources ---- */

void
nv3p_resource_claim(struct nv3p_context *ctx, struct nv3p_resource *res)
{
   struct nv3p_screen *screen = nv3p_screen(res->base.screen);

   if (res->user == ctx || res->shared_by_contexts)
      return;
   simple_mtx_lock(&screen->storage_lock);
   if (res->user)
      res->shared_by_contexts = true;
   else
      res->user = ctx;
   simple_mtx_unlock(&screen->storage_lock);
}

/* ---- screens ---- */

static void
free_unused(void *screen, struct pb_buffer_lean *bo)
{
   bo_free((struct nv3p_bo *)bo);
}

static bool
can_reuse(void *screen, struct pb_buffer_lean *bo)
{
   return nv3p_bo_wait((struct nv3p_bo *)bo, true, 0);
}

bool
nv3p_screen_init_bos(struct nv3p_screen *screen)
{
   uint64_t size;

   simple_mtx_init(&screen->heap_lock, mtx_plain);
   simple_mtx_init(&screen->storage_lock, mtx_plain);
   pb_cache_init(&screen->unused, 1, UNUSED_US, UNUSED_RATIO, 0, UNUSED_BYTES,
                 offsetof(struct nv3p_bo, entry), screen, free_unused,
                 can_reuse);
   if (!screen->unused.buckets ||
       nv3_vm_create(screen->dev, &screen->vm, &size))
      return false;
   /* Address 0 stays unmapped. */
   util_vma_heap_init(&screen->heap, PAGE, size - PAGE);
   /*
    * Allocate low addresses first, because reports must be in the lower 16
    * MiB (nv3p_query.c).
    */
   screen->heap.alloc_high = false;
   return true;
}

void
nv3p_screen_fini_bos(struct nv3p_screen *screen)
{
   if (!screen->vm)
      return;
   pb_cache_deinit(&screen->unused);
   util_vma_heap_finish(&screen->heap);
   nv3_vm_destroy(screen->dev, screen->vm);
   simple_mtx_destroy(&screen->storage_lock);
   simple_mtx_destroy(&screen->heap_lock);
}
