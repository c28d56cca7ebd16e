/* SPDX-License-Identifier: MIT */
/*
 * Runs a batch on the channel's chip and handles the chip's interrupts. The chip raises an
 * interrupt for handles that RAMHT lacks, methods of software objects, methods that PGRAPH
 * refuses, and faults. The shim handles interrupts in the same way as the kernel driver.
 */
#include <string.h>

#include "util/macros.h"

#include "nv3_shim.h"

/* The maximum number of methods that one call of nv3_run() executes. */
#define RUN_BUDGET 100000

#define PGRAPH_TRAPS                                                                  \
   (NV3_PGRAPH_INTR_INVALID | NV3_PGRAPH_INTR_RANGE | NV3_PGRAPH_INTR_MISSING_METHOD | \
    NV3_PGRAPH_INTR_MISSING_FORMAT | NV3_PGRAPH_INTR_CLIP_SOFTWARE)

struct method {
   uint32_t subch, mthd, data, class_id;
};

/*
 * Writes the channel's surfaces to PGRAPH. An empty slot gets the address, pitch and format of
 * the surface with the most bytes per pixel, because some classes do not check whether a slot is
 * empty.
 */
void
nv3_shim_apply_surfaces(struct nv3_shim_channel *chan)
{
   static const uint8_t cpp[] = { 1, 2, 2, 4 };
   static const uint8_t formats[] = {
      NV3_SURF_Y8, NV3_SURF_Y16, NV3_SURF_X1R5G5B5, NV3_SURF_X8R8G8B8,
   };
   const struct nv3_shim_object *slots[DRM_NV3_SURFACE_SLOTS], *widest = NULL;
   uint32_t config = 0, width = UINT16_MAX, height = UINT16_MAX, max;
   unsigned i;

   for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
      const struct nv3_shim_object *obj = chan->slots[i];

      slots[i] = obj && obj->bo->batch == nv3_shim.batch && nv3_shim_in_reach(obj->bo) ?
                 obj : NULL;
      if (!slots[i])
         continue;
      width = MIN2(width, obj->args.surface.width);
      height = MIN2(height, obj->args.surface.height);
      if (!widest || cpp[obj->args.surface.format] > cpp[widest->args.surface.format])
         widest = obj;
      config |= NV3_PGRAPH_SURF_VALID(i);
   }
   for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
      const struct nv3_shim_object *obj = slots[i] ? slots[i] : widest;

      nv3_shim_wr32(chan, NV3_PGRAPH_SURF_OFFSET(i),
                    obj ? obj->bo->vram + obj->args.surface.offset : 0);
      nv3_shim_wr32(chan, NV3_PGRAPH_SURF_PITCH(i), obj ? obj->args.surface.pitch : 0);
      if (obj)
         config |= NV3_PGRAPH_SURF_FORMAT(i, formats[obj->args.surface.format]);
   }
   max = widest ? height << 16 | width : 0;
   nv3_shim_wr32(chan, NV3_PGRAPH_SURF_CONFIG, config);
   nv3_shim_wr32(chan, NV3_PGRAPH_SRC_CANVAS_MIN, 0);
   nv3_shim_wr32(chan, NV3_PGRAPH_SRC_CANVAS_MAX, max);
   nv3_shim_wr32(chan, NV3_PGRAPH_DST_CANVAS_MIN, 0);
   nv3_shim_wr32(chan, NV3_PGRAPH_DST_CANVAS_MAX, max);
}

static void
raise_fault(struct nv3_shim_channel *chan, uint32_t reason, const struct method *m)
{
   chan->fault.fault = reason;
   chan->fault.subch = m->subch;
   chan->fault.method = m->mthd;
   chan->fault.data = m->data;
   chan->fault.class_id = m->class_id;
}

/*
 * Returns the Gray code of @n. CACHE1 uses Gray codes for its pointers and for the indices of its
 * entries.
 */
static uint32_t
gray(uint32_t n)
{
   return n ^ n >> 1;
}

static uint32_t
ungray(uint32_t code)
{
   code ^= code >> 1;
   code ^= code >> 2;
   code ^= code >> 4;
   return code;
}

static struct method
stopped_method(struct nv3_shim_channel *chan)
{
   uint32_t code = nv3_shim_rd32(chan, NV3_PFIFO_CACHE1_GET) >> 2;
   uint32_t addr = nv3_shim_rd32(chan, NV3_PFIFO_CACHE1_ADDR_C(code));

   return (struct method) {
      .subch = (addr & NV3_FIFO_ADDR_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT,
      .mthd = addr & NV3_FIFO_ADDR_MTHD,
      .data = nv3_shim_rd32(chan, NV3_PFIFO_CACHE1_DATA_C(code)),
   };
}

static void
skip_method(struct nv3_shim_channel *chan)
{
   uint32_t n = ungray(nv3_shim_rd32(chan, NV3_PFIFO_CACHE1_GET) >> 2) + 1;

   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_GET, gray(n % NV3_PFIFO_CACHE1_SIZE_C) << 2);
}

static uint32_t
bind_surface(struct nv3_shim_channel *chan, struct nv3_shim_object *obj, uint32_t subch)
{
   chan->bound[subch] = obj;
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_CTX(subch), obj->ctx & 0xffffff);
   if (obj->bo->batch != nv3_shim.batch || !nv3_shim_in_reach(obj->bo))
      return DRM_NV3_FAULT_PAGE;
   chan->slots[obj->args.surface.slot] = obj;
   nv3_shim_apply_surfaces(chan);
   return DRM_NV3_FAULT_NONE;
}

/*
 * Handles the method at which the puller has stopped: a bind (method 0), or a method of a software
 * object.
 */
static void
answer_pfifo(struct nv3_shim_channel *chan)
{
   bool miss = nv3_shim_rd32(chan, NV3_PFIFO_CACHE1_PULL_CTRL) &
               NV3_PFIFO_PULL_CTRL_HASH_FAILED;
   struct method m = stopped_method(chan);
   struct nv3_shim_object *obj =
      m.mthd == NV3_MTHD_OBJECT ? nv3_shim_object_find(chan, m.data) : chan->bound[m.subch];
   uint32_t fault = DRM_NV3_FAULT_NONE;

   if (!obj) {
      fault = DRM_NV3_FAULT_NAME;
   } else {
      m.class_id = obj->class_id;
      if (!obj->ctx)
         fault = DRM_NV3_FAULT_DATA;
      else if (miss)
         nv3_shim_ramht_insert(obj);
      else if (m.mthd != NV3_MTHD_OBJECT)
         fault = DRM_NV3_FAULT_METHOD;
      else
         fault = bind_surface(chan, obj, m.subch);
   }
   if (fault) {
      raise_fault(chan, fault, &m);
      return;
   }
   if (!miss)
      skip_method(chan);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PULL_CTRL, NV3_PFIFO_PULL_CTRL_ACCESS);
}

static struct method
trapped_method(struct nv3_shim_channel *chan)
{
   uint32_t addr = nv3_shim_rd32(chan, NV3_PGRAPH_TRAPPED_ADDR);

   return (struct method) {
      .subch = (addr & NV3_PGRAPH_CTX_USER_SUBCH) >> NV3_FIFO_ADDR_SUBCH_SHIFT,
      .mthd = addr & NV3_FIFO_ADDR_MTHD,
      .data = nv3_shim_rd32(chan, NV3_PGRAPH_TRAPPED_DATA),
      .class_id = (addr & NV3_PGRAPH_CTX_USER_CLASS) >> NV3_CTX_CLASS_SHIFT,
   };
}

static uint32_t
emulate_method(struct nv3_shim_channel *chan, const struct method *m, uint32_t invalid)
{
   uint32_t inst = nv3_shim_rd32(chan, NV3_PGRAPH_TRAPPED_INST);
   struct nv3_shim_object *obj = nv3_shim_object_find_inst(chan, inst);

   if (invalid & ~(NV3_PGRAPH_INVALID_METHOD | NV3_PGRAPH_INVALID_DATA))
      return DRM_NV3_FAULT_STATE;
   if (invalid & NV3_PGRAPH_INVALID_DATA)
      return DRM_NV3_FAULT_DATA;
   return obj ? nv3_shim_object_set_dma(obj, m->mthd, m->data) : DRM_NV3_FAULT_METHOD;
}

/* Handles an interrupt of PGRAPH: a refused method or a notification. */
static void
answer_pgraph(struct nv3_shim_channel *chan)
{
   uint32_t intr = nv3_shim_rd32(chan, NV3_PGRAPH_INTR);
   uint32_t traps = intr & PGRAPH_TRAPS, fault;
   struct method m;

   nv3_shim_wr32(chan, NV3_PGRAPH_INTR, intr & ~traps);
   if (!traps)
      return;

   m = trapped_method(chan);
   if (traps & NV3_PGRAPH_INTR_RANGE)
      fault = DRM_NV3_FAULT_DATA;
   else if (traps & ~NV3_PGRAPH_INTR_INVALID)
      fault = DRM_NV3_FAULT_STATE;
   else
      fault = emulate_method(chan, &m, nv3_shim_rd32(chan, NV3_PGRAPH_INVALID));
   nv3_shim_wr32(chan, NV3_PGRAPH_INTR, traps);
   if (fault)
      raise_fault(chan, fault, &m);
   else
      nv3_shim_wr32(chan, NV3_PGRAPH_FIFO_ENABLE, 1);
}

static void
answer_irq(struct nv3_shim_channel *chan)
{
   uint32_t pmc = nv3_shim_rd32(chan, NV3_PMC_INTR), intr;
   struct method m;

   if (pmc & (NV3_PMC_INTR_PGRAPH | NV3_PMC_INTR_PFB))
      answer_pgraph(chan);
   if (pmc & NV3_PMC_INTR_PDMA) {
      intr = nv3_shim_rd32(chan, NV3_PDMA_INTR);
      nv3_shim_wr32(chan, NV3_PDMA_INTR, intr);
      m = trapped_method(chan);
      raise_fault(chan, intr & NV3_PDMA_INTR_INST_NULL ? DRM_NV3_FAULT_STATE :
                                                         DRM_NV3_FAULT_PAGE, &m);
   }
   if (pmc & NV3_PMC_INTR_PFIFO) {
      intr = nv3_shim_rd32(chan, NV3_PFIFO_INTR);
      nv3_shim_wr32(chan, NV3_PFIFO_INTR, intr);
      if (intr & NV3_PFIFO_INTR_CACHE_ERROR)
         answer_pfifo(chan);
      if (intr & (NV3_PFIFO_INTR_DMA_PUSHER | NV3_PFIFO_INTR_DMA_PTE))
         raise_fault(chan, DRM_NV3_FAULT_STREAM, &(struct method){ 0 });
   }
}

/*
 * Returns true if the chip has executed all words and no method lacks an argument. Called when
 * the chip is idle.
 */
static bool
is_complete(struct nv3_shim_channel *chan)
{
   return !nv3_shim_rd32(chan, NV3_PFIFO_CACHE1_DMA_COUNT) &&
          !(nv3_shim_rd32(chan, NV3_PFIFO_CACHE1_DMA_STATE) & NV3_PFIFO_DMA_STATE_COUNT) &&
          nv3_shim_rd32(chan, NV3_PFIFO_CACHE1_STATUS) & NV3_PFIFO_CACHE_EMPTY;
}

static bool
run_chip(struct nv3_shim_channel *chan)
{
   const struct nv3_shim_observer *observer = nv3_shim.observer;

   return observer && observer->run ? observer->run(chan) : nv3_run(chan->chip, RUN_BUDGET);
}

/*
 * Runs the chip until it has executed the @size bytes of words in the channel's ring, or until the
 * channel faults. The caller must hold the lock and must have placed the buffers of the batch.
 */
void
nv3_shim_run_batch(struct nv3_shim_channel *chan, uint32_t size)
{
   bool more;

   /* Invalidate cached page table entries, because page tables may have changed. */
   nv3_shim_wr32(chan, NV3_PDMA_INST, 0);
   nv3_shim_wr32(chan, NV3_PDMA_TLB_PTE, 0);
   nv3_shim_wr32(chan, NV3_PVIRT_VM_INVALIDATE, 0);
   nv3_shim_apply_surfaces(chan);

   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_DMA_GET, 0);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_DMA_COUNT, size);
   nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_DMA_CTRL, NV3_PFIFO_DMA_CTRL_ACCESS);
   do {
      more = run_chip(chan);
      if (chan->irq) {
         answer_irq(chan);
         more = true;
      }
   } while (more && !chan->fault.fault);

   if (!chan->fault.fault && !is_complete(chan))
      raise_fault(chan, DRM_NV3_FAULT_STREAM, &(struct method){ 0 });
   if (chan->fault.fault) {
      nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PUSH_ACCESS, 0);
      nv3_shim_wr32(chan, NV3_PFIFO_CACHE1_PULL_CTRL, 0);
   } else {
      chan->batches++;
   }
   if (nv3_shim.observer && nv3_shim.observer->ended)
      nv3_shim.observer->ended(chan);
}
