/* SPDX-License-Identifier: MIT */
/*
 * SUBMIT: copies the words of a batch, places the batch's buffers and runs the batch. The batch
 * has completed when the ioctl returns, so the shim ignores syncobjs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nv3_shim.h"

/*
 * Copies the words of all segments to the channel's ring. Returns the number of bytes, or a
 * negative errno.
 */
static int
copy_words(struct nv3_shim_channel *chan, const struct drm_nv3_submit *args)
{
   const struct drm_nv3_segment *segments = (const void *)(uintptr_t)args->segments;
   uint8_t *ring = nv3_shim.memory + chan->ring;
   uint32_t i, size = 0;

   for (i = 0; i < args->segment_count; i++) {
      const struct drm_nv3_segment *segment = &segments[i];
      struct nv3_shim_bo *bo = nv3_shim_bo_lookup(chan->file, segment->handle);
      bool vram, fits;

      if (!bo)
         return -ENOENT;
      fits = !segment->pad && segment->offset % 4 == 0 && segment->length % 4 == 0 &&
             segment->offset <= bo->base.size &&
             segment->length <= bo->base.size - segment->offset &&
             segment->length <= NV3_SHIM_SUBMIT_MAX - size;
      if (fits) {
         uint64_t from = nv3_shim_bo_page(bo, 0, &vram) + segment->offset;

         memcpy(ring + size, nv3_shim.memory + (vram ? nv3_shim.vram_base : 0) + from,
                segment->length);
         size += segment->length;
      }
      drm_shim_bo_put(&bo->base);
      if (!fits)
         return -EINVAL;
   }
   return size;
}

static int
mark_buffers(struct nv3_shim_channel *chan, const struct drm_nv3_submit *args)
{
   const struct drm_nv3_buffer *buffers = (const void *)(uintptr_t)args->buffers;
   uint32_t i;

   nv3_shim.batch++;
   for (i = 0; i < args->buffer_count; i++) {
      struct nv3_shim_bo *bo = nv3_shim_bo_lookup(chan->file, buffers[i].handle);

      if (!bo)
         return -ENOENT;
      bo->batch = nv3_shim.batch;
      drm_shim_bo_put(&bo->base);
   }
   return 0;
}

/*
 * Updates the page tables of address spaces and DMA objects, because buffers may have moved. If the
 * batch does not list the buffer of a DMA object, an access through the object causes a fault, as
 * with the kernel driver.
 */
static void
write_page_tables(struct nv3_shim_channel *chan)
{
   list_for_each_entry(struct nv3_shim_object, obj, &chan->objects, link) {
      if (obj->vm)
         nv3_shim_vm_update(obj->vm);
      if (obj->class_id != DRM_NV3_CLASS_DMA)
         continue;
      if (obj->bo->batch == nv3_shim.batch) {
         nv3_shim_object_write(obj);
      } else {
         nv3_ramin_write(chan->chip, obj->inst + NV3_DMAOBJ_FLAGS, 0, 4);
         nv3_ramin_write(chan->chip, obj->inst + NV3_DMAOBJ_PTE(0), 0, 4);
      }
   }
}

static void
report_fault(const struct nv3_shim_channel *chan)
{
   fprintf(stderr,
           "nv3-drm-shim: channel %u: fault %u, class 0x%02x, method 0x%04x, argument 0x%08x\n",
           chan->id, chan->fault.fault, chan->fault.class_id, chan->fault.method,
           chan->fault.data);
}

static int
submit(int fd, const struct drm_nv3_submit *args)
{
   struct nv3_shim_channel *chan = nv3_shim_channel_find(fd, args->channel);
   int size, ret;

   if (!chan)
      return -ENOENT;
   if (args->flags || args->pad || !args->segment_count ||
       args->segment_size != sizeof(struct drm_nv3_segment) ||
       (args->buffer_count && args->buffer_size != sizeof(struct drm_nv3_buffer)))
      return -EINVAL;
   if (chan->fault.fault)
      return -EIO;

   size = copy_words(chan, args);
   if (size < 0)
      return size;
   ret = mark_buffers(chan, args);
   if (ret)
      return ret;
   ret = nv3_shim_place(chan);
   if (!ret) {
      write_page_tables(chan);
      nv3_shim_run_batch(chan, size);
   }
   nv3_shim_unplace();
   if (!ret && chan->fault.fault)
      report_fault(chan);
   return ret;
}

int
nv3_shim_submit(int fd, unsigned long request, void *arg)
{
   int ret;

   mtx_lock(&nv3_shim.lock);
   ret = submit(fd, arg);
   mtx_unlock(&nv3_shim.lock);
   return nv3_shim_result(ret);
}
