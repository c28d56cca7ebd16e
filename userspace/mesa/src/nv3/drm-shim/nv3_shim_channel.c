/* SPDX-License-Identifier: MIT */
/*
 * Channels. Each channel has its own chip. The shim initializes the chip once, as the kernel
 * driver does for the channel that owns PFIFO and PGRAPH (kernel/rm/nv3_switch.c). The owner never
 * changes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bitset.h"
#include "util/os_time.h"
#include "util/u_debug.h"
#include "util/u_math.h"

#include "nv3_shim.h"

/*
 * The kernel driver sets the same values. kernel/hw/nv3_pgraph.c names the source of these
 * values.
 */
#define DEBUG_0 0x1230001f
#define DEBUG_1 0x10113000
#define DEBUG_2 (0x1131f101 & ~NV3_PGRAPH_DEBUG_2_VOLATILE_EN)
#define DEBUG_3 (0x0100f531 | NV3_PGRAPH_DEBUG_3_DATA_CHECK | NV3_PGRAPH_DEBUG_3_FORMAT_CHECK)

uint32_t
nv3_shim_rd32(struct nv3_shim_channel *chan, uint32_t reg)
{
   return nv3_mmio_read(chan->chip, reg, 4);
}

void
nv3_shim_wr32(struct nv3_shim_channel *chan, uint32_t reg, uint32_t val)
{
   nv3_mmio_write(chan->chip, reg, val, 4);
}

static uint64_t
chip_clock_ns(void *opaque)
{
   return os_time_get_nano();
}

static bool
chip_dma_read(void *opaque, uint32_t addr, void *buf, size_t len)
{
   if (len > (1ull << 32) - addr)
      return false;
   memcpy(buf, nv3_shim.memory + addr, len);
   return true;
}

static bool
chip_dma_write(void *opaque, uint32_t addr, const void *buf, size_t len)
{
   if (len > (1ull << 32) - addr)
      return false;
   memcpy(nv3_shim.memory + addr, buf, len);
   if (nv3_shim.observer && nv3_shim.observer->written)
      nv3_shim.observer->written(opaque, false, addr, len);
   return true;
}

static void
chip_vram_dirty(void *opaque, uint32_t offset, uint32_t len)
{
   if (nv3_shim.observer && nv3_shim.observer->written)
      nv3_shim.observer->written(opaque, true, offset, len);
}

static void
chip_event(void *opaque, const NV3Event *event)
{
   if (nv3_shim.observer && nv3_shim.observer->event)
      nv3_shim.observer->event(opaque, event);
}

static void
chip_irq_set(void *opaque, bool level)
{
   struct nv3_shim_channel *chan = opaque;

   chan->irq = level;
}

static const NV3Ops chip_ops = {
   .clock_ns = chip_clock_ns,
   .dma_read = chip_dma_read,
   .dma_write = chip_dma_write,
   .irq_set = chip_irq_set,
   .vram_dirty = chip_vram_dirty,
   .event = chip_event,
};

static void
init_pfifo(struct nv3_shim_channel *chan)
{
   unsigned i;

   nv3_shim_wr32(chan, NV3_PFIFO_CACHES, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE0_PUSH_ACCESS, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_DMA_CTRL, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_DMA_STATE, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PUT, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_GET, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_RAMHT,
                 NV3_SHIM_RAMHT | util_logbase2(NV3_SHIM_RAMHT_DEPTH / 2) <<
                 NV3_PFIFO_RAMHT_SIZE_SHIFT);
   nv3_shim_wr32(chan, NV3_PFIFO_RAMFC, NV3_SHIM_RAMFC);
   nv3_shim_wr32(chan, NV3_PFIFO_RAMRO, NV3_SHIM_RAMRO | NV3_PFIFO_RAMRO_SIZE_8K);
   nv3_shim_wr32(chan, NV3_PFIFO_INTR_EN, NV3_PFIFO_INTR_ALL);

   for (i = 0; i < NV3_PFIFO_CACHE1_CTX_COUNT; i++)
      nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_CTX(i), 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PULL_STATE, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PUSH_CHID, chan->chid | NV3_PFIFO_CACHE1_CHID_DMA);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_DMA_TARGET, NV3_PFIFO_DMA_TARGET_PCI);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_DMA_PT_INST, chan->ring_table + NV3_DMAOBJ_PTE(0));
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_DMA_TLB_TAG, ~0u);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PUSH_ACCESS, 1);
}

static void
init_pgraph(struct nv3_shim_channel *chan)
{
   nv3_shim_wr32(chan, NV3_PGRAPH_FIFO_ENABLE, 0);
   nv3_shim_wr32(chan, NV3_PGRAPH_DEBUG_0, DEBUG_0);
   nv3_shim_wr32(chan, NV3_PGRAPH_DEBUG_1, DEBUG_1);
   nv3_shim_wr32(chan, NV3_PGRAPH_DEBUG_2, DEBUG_2);
   nv3_shim_wr32(chan, NV3_PGRAPH_DEBUG_3, DEBUG_3);
   nv3_shim_wr32(chan, NV3_PGRAPH_CLIPRECT_CTRL, 0);
   nv3_shim_wr32(chan, NV3_PDMA_INTR_EN, NV3_PDMA_INTR_ALL);
   nv3_shim_wr32(chan, NV3_PGRAPH_INTR_EN, NV3_PGRAPH_INTR_ALL & ~NV3_PGRAPH_INTR_VBLANK);
   nv3_shim_wr32(chan, NV3_PGRAPH_CTX_USER, chan->chid << NV3_CTX_CHID_SHIFT);
   nv3_shim_wr32(chan, NV3_PGRAPH_CTX_CONTROL,
                 NV3_PGRAPH_CTX_CONTROL_DEVICE | NV3_PGRAPH_CTX_CONTROL_CHID_VALID);
   nv3_shim_apply_surfaces(chan);
   nv3_shim_wr32(chan, NV3_PGRAPH_FIFO_ENABLE, 1);
}

/*
 * Allocates the ring, and the page table through which the pusher reads the ring. Returns false if
 * memory is exhausted.
 */
static bool
init_ring(struct nv3_shim_channel *chan)
{
   unsigned i, pages = NV3_SHIM_SUBMIT_MAX / NV3_SHIM_PAGE;

   mtx_lock(&shim_device.mem_lock);
   chan->ring = util_vma_heap_alloc(&shim_device.mem_heap, NV3_SHIM_SUBMIT_MAX,
                                    NV3_SHIM_PAGE);
   mtx_unlock(&shim_device.mem_lock);
   chan->ring_table = util_vma_heap_alloc(&nv3_shim.ramin, NV3_DMAOBJ_PTE(pages), 16);
   if (!chan->ring || !chan->ring_table)
      return false;

   for (i = 0; i < pages; i++)
      nv3_ramin_write(chan->chip, chan->ring_table + NV3_DMAOBJ_PTE(i),
                      (chan->ring + i * NV3_SHIM_PAGE) | NV3_DMAOBJ_PTE_PRESENT, 4);
   return true;
}

/* Creates the channel's context image, which the chip uses until the channel is freed. */
bool
nv3_shim_channel_init_image(struct nv3_shim_channel *chan)
{
   uint64_t image, size;

   if (chan->image)
      return true;
   size = nv3_shim_rd32(chan, NV3_PVIRT_GRCTX_SIZE);
   mtx_lock(&shim_device.mem_lock);
   image = util_vma_heap_alloc(&shim_device.mem_heap, size, NV3_SHIM_PAGE);
   mtx_unlock(&shim_device.mem_lock);
   if (!image)
      return false;
   memset(nv3_shim.memory + image, 0, size);
   nv3_shim_wr32(chan, NV3_PVIRT_GRCTX, image);
   chan->image = image;
   chan->image_size = size;
   return true;
}

static void
free_channel(struct nv3_shim_channel *chan)
{
   list_for_each_entry_safe(struct nv3_shim_object, obj, &chan->objects, link) {
      if (obj->name)
         nv3_shim_object_remove(obj);
   }
   list_del(&chan->link);
   if (chan->image) {
      mtx_lock(&shim_device.mem_lock);
      util_vma_heap_free(&shim_device.mem_heap, chan->image, chan->image_size);
      mtx_unlock(&shim_device.mem_lock);
   }
   if (chan->ring) {
      mtx_lock(&shim_device.mem_lock);
      util_vma_heap_free(&shim_device.mem_heap, chan->ring, NV3_SHIM_SUBMIT_MAX);
      mtx_unlock(&shim_device.mem_lock);
   }
   if (chan->ring_table)
      util_vma_heap_free(&nv3_shim.ramin, chan->ring_table,
                         NV3_DMAOBJ_PTE(NV3_SHIM_SUBMIT_MAX / NV3_SHIM_PAGE));
   nv3_free(chan->chip);
   free(chan);
}

static uint32_t
free_chid(void)
{
   BITSET_DECLARE(used, NV3_USER_CHANNELS) = { 0 };
   uint32_t chid;

   list_for_each_entry(struct nv3_shim_channel, chan, &nv3_shim.channels, link)
      BITSET_SET(used, chan->chid);
   for (chid = 1; chid <= NV3_SHIM_CHANNELS; chid++) {
      if (!BITSET_TEST(used, chid))
         return chid;
   }
   return 0;
}

static int
create_channel(struct shim_fd *file, struct nv3_shim_channel **out)
{
   const NV3Config config = {
      .revision = NV3_REVISION_C,
      .vram_size = nv3_shim.vram_size,
      .virt = true,
      .programs = true,
      .raster_threads = debug_get_num_option("NV3_SHIM_THREADS", 1),
      .simd = nv3_shim.simd,
   };
   uint32_t chid = free_chid();
   struct nv3_shim_channel *chan;
   const char *error;

   if (!chid)
      return -ENOSPC;
   chan = calloc(1, sizeof(*chan));
   if (!chan)
      return -ENOMEM;
   chan->file = file;
   chan->chid = chid;
   chan->id = ++nv3_shim.next_channel;
   list_inithead(&chan->objects);
   list_addtail(&chan->link, &nv3_shim.channels);

   chan->chip = nv3_new(&config, &chip_ops, chan, nv3_shim.memory + nv3_shim.vram_base, &error);
   if (!chan->chip) {
      fprintf(stderr, "nv3-drm-shim: %s\n", error);
      list_del(&chan->link);
      free(chan);
      return -EINVAL;
   }
   nv3_shim_wr32(chan, NV3_PMC_ENABLE, ~0u);
   nv3_shim_wr32(chan, NV3_PMC_INTR_EN, NV3_PMC_INTR_EN_HARDWARE);
   if (!init_ring(chan)) {
      free_channel(chan);
      return -ENOMEM;
   }
   init_pfifo(chan);
   init_pgraph(chan);
   *out = chan;
   return 0;
}

int
nv3_shim_channel_create(int fd, unsigned long request, void *arg)
{
   struct drm_nv3_channel_create *args = arg;
   struct nv3_shim_channel *chan;
   int ret;

   if (args->type != DRM_NV3_CHANNEL_DMA || args->flags || args->pad) {
      fprintf(stderr, "nv3-drm-shim: only DMA channels that are not long-running exist\n");
      return nv3_shim_result(-EINVAL);
   }
   mtx_lock(&nv3_shim.lock);
   ret = create_channel(drm_shim_fd_lookup(fd), &chan);
   mtx_unlock(&nv3_shim.lock);
   if (ret)
      return nv3_shim_result(ret);
   args->channel = chan->id;
   args->mmap_offset = 0;
   return 0;
}

/*
 * Returns the channel with this id, or NULL if file @fd has no such channel. Called with the lock
 * held.
 */
struct nv3_shim_channel *
nv3_shim_channel_find(int fd, uint32_t id)
{
   struct shim_fd *file = drm_shim_fd_lookup(fd);

   list_for_each_entry(struct nv3_shim_channel, chan, &nv3_shim.channels, link) {
      if (chan->id == id && chan->file == file)
         return chan;
   }
   return NULL;
}

int
nv3_shim_channel_destroy(int fd, unsigned long request, void *arg)
{
   struct drm_nv3_channel_destroy *args = arg;
   struct nv3_shim_channel *chan;

   mtx_lock(&nv3_shim.lock);
   chan = nv3_shim_channel_find(fd, args->channel);
   if (chan)
      free_channel(chan);
   mtx_unlock(&nv3_shim.lock);
   return nv3_shim_result(chan ? 0 : -ENOENT);
}

int
nv3_shim_channel_query(int fd, unsigned long request, void *arg)
{
   struct drm_nv3_channel_query *args = arg;
   struct nv3_shim_channel *chan;

   mtx_lock(&nv3_shim.lock);
   chan = nv3_shim_channel_find(fd, args->channel);
   if (chan) {
      *args = chan->fault;
      args->channel = chan->id;
      args->batches = chan->batches;
   }
   mtx_unlock(&nv3_shim.lock);
   return nv3_shim_result(chan ? 0 : -ENOENT);
}
