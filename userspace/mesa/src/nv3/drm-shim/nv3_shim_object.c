/* SPDX-License-Identifier: MIT */
/*
 * Implements classes and objects: their arguments, the instance memory in RAMIN, and RAMHT, which
 * caches handles. nv3_regs.h describes the words in RAMIN. The checks are the same as in the kernel
 * driver.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#include "nv3_shim.h"

/*
 * Returns true if the class exists. SURFACE and DMA are software classes. The
 * chip executes the methods of all other classes.
 */
static bool
class_exists(uint32_t id)
{
   return id == DRM_NV3_CLASS_DMA || id == NV3_CLASS_SURFACE || id == DRM_NV3_CLASS_PROGRAMS ||
          (id < 32 && nv3_classes() & 1u << id);
}

int
nv3_shim_class_enumerate(int fd, unsigned long request, void *arg)
{
   struct drm_nv3_class_enumerate *args = arg;
   uint32_t *classes = (uint32_t *)(uintptr_t)args->classes;
   uint32_t id, count = 0;

   if (args->pad)
      return nv3_shim_result(-EINVAL);
   for (id = 0; id <= DRM_NV3_CLASS_DMA; id++) {
      if (!class_exists(id))
         continue;
      if (count < args->count)
         classes[count] = id;
      count++;
   }
   args->count = count;
   return 0;
}

static void
ramin_write(struct nv3_shim_object *obj, uint32_t offset, uint32_t val)
{
   nv3_ramin_write(obj->chan->chip, obj->inst + offset, val, 4);
}

static uint32_t
inst_of(const struct nv3_shim_object *obj)
{
   return obj ? obj->inst >> 4 : 0;
}

/*
 * Writes the words and the page table of a DMA object. The object's buffer may be in VRAM during
 * one batch and in system memory during another.
 */
static void
write_dma(struct nv3_shim_object *obj)
{
   uint64_t offset = obj->args.dma.offset, end = offset + obj->args.dma.size;
   uint32_t first = offset / NV3_SHIM_PAGE, page;
   uint32_t flags = NV3_DMAOBJ_PTE_PRESENT;
   bool vram = false;

   if (obj->args.dma.flags & DRM_NV3_DMA_WRITE)
      flags |= NV3_DMAOBJ_PTE_WRITE;
   for (page = first; page < DIV_ROUND_UP(end, NV3_SHIM_PAGE); page++)
      ramin_write(obj, NV3_DMAOBJ_PTE(page - first),
                  nv3_shim_bo_page(obj->bo, page, &vram) | flags);
   ramin_write(obj, NV3_DMAOBJ_LIMIT, obj->args.dma.size - 1);
   ramin_write(obj, NV3_DMAOBJ_FLAGS,
               offset % NV3_SHIM_PAGE | NV3_DMAOBJ_PAGED |
               (vram ? NV3_DMAOBJ_TARGET_VRAM : NV3_DMAOBJ_TARGET_PCI) <<
               NV3_DMAOBJ_TARGET_SHIFT);
}

static uint32_t
graph_options(const struct drm_nv3_graph_args *args)
{
   uint32_t options = args->color_format;

   if (args->flags & DRM_NV3_GRAPH_ALPHA)
      options |= NV3_GROBJ_ALPHA;
   if (args->flags & DRM_NV3_GRAPH_CHROMA)
      options |= NV3_GROBJ_CHROMA;
   if (args->flags & DRM_NV3_GRAPH_CLIP)
      options |= NV3_GROBJ_CLIP;
   if (args->flags & DRM_NV3_GRAPH_ZETA)
      options |= NV3_GROBJ_ZETA;
   if (args->flags & DRM_NV3_GRAPH_MONO_CGA6)
      options |= NV3_GROBJ_MONO_CGA6;
   return options | args->src_slot << NV3_GROBJ_SURFACE_SHIFT |
          args->dst_slots << NV3_GROBJ_DST_SHIFT | args->operation << NV3_GROBJ_OP_SHIFT;
}

static void
write_graph(struct nv3_shim_object *obj)
{
   ramin_write(obj, NV3_GROBJ_OPTIONS, graph_options(&obj->args.graph));
   ramin_write(obj, NV3_GROBJ_DMA,
               inst_of(obj->dmas[NV3_SHIM_DMA_0]) |
               inst_of(obj->dmas[NV3_SHIM_DMA_NOTIFY]) << NV3_GROBJ_NOTIFY_SHIFT);
   ramin_write(obj, NV3_GROBJ_M2MF, inst_of(obj->dmas[NV3_SHIM_DMA_1]));
}

/*
 * Writes an object of class PROGRAMS. The DMA object for the address space follows
 * the object in RAMIN.
 */
static void
write_programs(struct nv3_shim_object *obj)
{
   const uint32_t dma = NV3_SHIM_GROBJ_SIZE;

   ramin_write(obj, dma + NV3_DMAOBJ_LIMIT, ~0u);
   ramin_write(obj, dma + NV3_DMAOBJ_DIR, obj->vm->directory);
   ramin_write(obj, dma + NV3_DMAOBJ_FLAGS, NV3_DMAOBJ_DIRECTORY);
   ramin_write(obj, NV3_GROBJ_OPTIONS, 0);
   ramin_write(obj, NV3_GROBJ_DMA,
               (obj->inst + dma) >> 4 |
               inst_of(obj->dmas[NV3_SHIM_DMA_NOTIFY]) << NV3_GROBJ_NOTIFY_SHIFT);
   ramin_write(obj, NV3_GROBJ_M2MF, 0);
}

/* Writes an object's instance memory. */
void
nv3_shim_object_write(struct nv3_shim_object *obj)
{
   if (obj->class_id == DRM_NV3_CLASS_DMA)
      write_dma(obj);
   else if (obj->class_id == DRM_NV3_CLASS_PROGRAMS)
      write_programs(obj);
   else if (obj->class_id != NV3_CLASS_SURFACE)
      write_graph(obj);
}

struct nv3_shim_object *
nv3_shim_object_find(struct nv3_shim_channel *chan, uint32_t name)
{
   list_for_each_entry(struct nv3_shim_object, obj, &chan->objects, link) {
      if (obj->name == name && name)
         return obj;
   }
   return NULL;
}

struct nv3_shim_object *
nv3_shim_object_find_inst(struct nv3_shim_channel *chan, uint32_t inst)
{
   list_for_each_entry(struct nv3_shim_object, obj, &chan->objects, link) {
      if (obj->inst && inst_of(obj) == inst)
         return obj;
   }
   return NULL;
}

static uint32_t
ramht_bucket(const struct nv3_shim_object *obj)
{
   return NV3_RAMHT_HASH(obj->name, obj->chan->chid);
}

static void
ramht_write(const struct nv3_shim_object *obj, unsigned slot, uint32_t ctx)
{
   uint32_t addr = NV3_SHIM_RAMHT + (ramht_bucket(obj) * NV3_SHIM_RAMHT_DEPTH + slot) *
                   NV3_RAMHT_ENTRY_SIZE;

   nv3_ramin_write(obj->chan->chip, addr, obj->name, 4);
   nv3_ramin_write(obj->chan->chip, addr + 4, ctx, 4);
}

/* Inserts an object's handle into RAMHT. If the bucket is full, replaces another handle. */
void
nv3_shim_ramht_insert(struct nv3_shim_object *obj)
{
   uint32_t bucket = ramht_bucket(obj);
   unsigned i;

   for (i = 0; i < NV3_SHIM_RAMHT_DEPTH && nv3_shim.ramht[bucket][i]; i++)
      ;
   if (i == NV3_SHIM_RAMHT_DEPTH) {
      i = nv3_shim.ramht_victim[bucket];
      nv3_shim.ramht_victim[bucket] = (i + 1) % NV3_SHIM_RAMHT_DEPTH;
   }
   nv3_shim.ramht[bucket][i] = obj;
   ramht_write(obj, i, obj->ctx);
}

static void
ramht_remove(struct nv3_shim_object *obj)
{
   uint32_t bucket = ramht_bucket(obj);
   unsigned i;

   for (i = 0; i < NV3_SHIM_RAMHT_DEPTH; i++) {
      if (nv3_shim.ramht[bucket][i] != obj)
         continue;
      nv3_shim.ramht[bucket][i] = NULL;
      ramht_write(obj, i, 0);
   }
}

static void
object_put(struct nv3_shim_object *obj)
{
   unsigned i;

   if (!obj || --obj->refs)
      return;
   for (i = 0; i < NV3_SHIM_DMA_COUNT; i++)
      object_put(obj->dmas[i]);
   if (obj->inst)
      util_vma_heap_free(&nv3_shim.ramin, obj->inst, obj->inst_size);
   list_del(&obj->link);
   if (obj->bo)
      drm_shim_bo_put(&obj->bo->base);
   if (obj->vm)
      nv3_shim_vm_put(obj->vm);
   free(obj);
}

/*
 * Returns which DMA object the method @mthd of class @class_id sets, or NV3_SHIM_DMA_COUNT if the
 * method sets none.
 */
static enum nv3_shim_dma
dma_of_method(uint32_t class_id, uint32_t mthd)
{
   bool two = class_id == NV3_CLASS_M2MF;
   bool one = two || class_id == NV3_CLASS_SIFM || class_id == NV3_CLASS_ITM ||
              class_id == NV3_CLASS_D3D;

   if (mthd == NV3_MTHD_SET_NOTIFY_DMA)
      return NV3_SHIM_DMA_NOTIFY;
   if (mthd == NV3_M2MF_SET_DMA_IN && one)
      return NV3_SHIM_DMA_0;
   if (mthd == NV3_M2MF_SET_DMA_OUT && two)
      return NV3_SHIM_DMA_1;
   return NV3_SHIM_DMA_COUNT;
}

static int
set_dma(struct nv3_shim_object *obj, enum nv3_shim_dma which, uint32_t name)
{
   struct nv3_shim_object *dma = NULL;

   if (name) {
      dma = nv3_shim_object_find(obj->chan, name);
      if (!dma)
         return -ENOENT;
      if (dma->class_id != DRM_NV3_CLASS_DMA)
         return -EINVAL;
      dma->refs++;
   }
   object_put(obj->dmas[which]);
   obj->dmas[which] = dma;
   return 0;
}

/*
 * Executes a method that sets one of the DMA objects of @obj, an object of a hardware class.
 * Returns DRM_NV3_FAULT_NONE on success, otherwise the fault.
 */
uint32_t
nv3_shim_object_set_dma(struct nv3_shim_object *obj, uint32_t mthd, uint32_t name)
{
   enum nv3_shim_dma which = dma_of_method(obj->class_id, mthd);
   struct nv3_shim_channel *chan = obj->chan;

   if (which == NV3_SHIM_DMA_COUNT)
      return DRM_NV3_FAULT_METHOD;
   switch (set_dma(obj, which, name)) {
   case 0:
      break;
   case -ENOENT:
      return DRM_NV3_FAULT_NAME;
   default:
      return DRM_NV3_FAULT_DATA;
   }
   nv3_shim_object_write(obj);

   /* Update PGRAPH's copies of the words in RAMIN. */
   nv3_shim_wr32(chan, NV3_PGRAPH_GROBJ_INST, inst_of(obj));
   if (!obj->vm)
      nv3_shim_wr32(chan, NV3_PGRAPH_DMA_INST, inst_of(obj->dmas[NV3_SHIM_DMA_0]));
   nv3_shim_wr32(chan, NV3_PGRAPH_M2MF_INST, inst_of(obj->dmas[NV3_SHIM_DMA_1]));
   nv3_shim_wr32(chan, NV3_PGRAPH_NOTIFY,
                 (nv3_shim_rd32(chan, NV3_PGRAPH_NOTIFY) & ~NV3_PGRAPH_NOTIFY_INST) |
                 inst_of(obj->dmas[NV3_SHIM_DMA_NOTIFY]));
   return DRM_NV3_FAULT_NONE;
}

static int
init_dma(struct nv3_shim_object *obj)
{
   const struct drm_nv3_dma_args *args = &obj->args.dma;
   uint32_t pages;

   if (args->flags & ~DRM_NV3_DMA_WRITE || !args->size || args->size > UINT32_MAX ||
       args->offset > obj->bo->base.size || args->size > obj->bo->base.size - args->offset)
      return -EINVAL;
   pages = DIV_ROUND_UP(args->offset % NV3_SHIM_PAGE + args->size, NV3_SHIM_PAGE);
   obj->inst_size = NV3_DMAOBJ_PTE(pages);
   return 0;
}

static int
init_surface(struct nv3_shim_object *obj)
{
   static const uint8_t cpp[] = {
      [DRM_NV3_FORMAT_Y8] = 1,
      [DRM_NV3_FORMAT_Y16] = 2,
      [DRM_NV3_FORMAT_X1R5G5B5] = 2,
      [DRM_NV3_FORMAT_X8R8G8B8] = 4,
   };
   const struct drm_nv3_surface_args *args = &obj->args.surface;
   uint64_t end;

   if (args->pad || args->slot >= DRM_NV3_SURFACE_SLOTS || args->format >= ARRAY_SIZE(cpp) ||
       args->offset % 16 || !args->pitch || args->pitch & ~NV3_PGRAPH_SURF_PITCH_MASK ||
       !args->width || args->width > 2047 || !args->height || args->height > 2047 ||
       args->width * cpp[args->format] > args->pitch ||
       (args->slot == DRM_NV3_SURFACE_ZETA && args->format == DRM_NV3_FORMAT_Y8))
      return -EINVAL;
   end = args->offset + (uint64_t)(args->height - 1) * args->pitch +
         args->width * cpp[args->format];
   if (end > obj->bo->base.size || !(obj->bo->domains & DRM_NV3_GEM_VRAM))
      return -EINVAL;

   obj->ctx = obj->chan->chid << NV3_CTX_CHID_SHIFT | NV3_CTX_CLASS_GRAPH |
              obj->class_id << NV3_CTX_CLASS_SHIFT;
   return 0;
}

static int
init_graph(struct nv3_shim_object *obj)
{
   const struct drm_nv3_graph_args *args = &obj->args.graph;
   int ret;

   if (args->color_format > DRM_NV3_COLOR_YUV_PLANES || args->operation > 0x1d ||
       args->dst_slots >= 1u << DRM_NV3_SURFACE_SLOTS ||
       args->src_slot >= DRM_NV3_SURFACE_SLOTS)
      return -EINVAL;
   ret = set_dma(obj, NV3_SHIM_DMA_0, args->dma[0]);
   if (!ret)
      ret = set_dma(obj, NV3_SHIM_DMA_1, args->dma[1]);
   if (!ret)
      ret = set_dma(obj, NV3_SHIM_DMA_NOTIFY, args->dma_notify);
   obj->inst_size = NV3_SHIM_GROBJ_SIZE;
   return ret;
}

static int
init_programs(struct nv3_shim_object *obj)
{
   const struct drm_nv3_programs_args *args = &obj->args.programs;

   if (args->flags || args->pad)
      return -EINVAL;
   obj->vm = nv3_shim_vm_find(obj->chan->file, args->vm);
   if (!obj->vm)
      return -ENOENT;
   obj->vm->refs++;
   if (!nv3_shim_channel_init_image(obj->chan))
      return -ENOMEM;
   obj->inst_size = 2 * NV3_SHIM_GROBJ_SIZE;
   return set_dma(obj, NV3_SHIM_DMA_NOTIFY, args->dma_notify);
}

static int
copy_args(struct nv3_shim_object *obj, const struct drm_nv3_object_instantiate *args)
{
   size_t size = obj->class_id == DRM_NV3_CLASS_DMA      ? sizeof(obj->args.dma) :
                 obj->class_id == NV3_CLASS_SURFACE      ? sizeof(obj->args.surface) :
                 obj->class_id == DRM_NV3_CLASS_PROGRAMS ? sizeof(obj->args.programs) :
                                                           sizeof(obj->args.graph);

   if (args->args_size != size)
      return -EINVAL;
   memcpy(&obj->args, (const void *)(uintptr_t)args->args, size);
   return 0;
}

static int
init_object(struct nv3_shim_object *obj, const struct drm_nv3_object_instantiate *args)
{
   bool memory = obj->class_id == DRM_NV3_CLASS_DMA || obj->class_id == NV3_CLASS_SURFACE;
   int ret = copy_args(obj, args);

   if (ret)
      return ret;
   if (memory) {
      /* The arguments of DMA objects and of surfaces begin with the handle of the buffer. */
      obj->bo = nv3_shim_bo_lookup(obj->chan->file, obj->args.dma.handle);
      if (!obj->bo)
         return -ENOENT;
   }
   ret = obj->class_id == DRM_NV3_CLASS_DMA      ? init_dma(obj) :
         obj->class_id == NV3_CLASS_SURFACE      ? init_surface(obj) :
         obj->class_id == DRM_NV3_CLASS_PROGRAMS ? init_programs(obj) :
                                                   init_graph(obj);
   if (ret || !obj->inst_size)
      return ret;

   obj->inst = util_vma_heap_alloc(&nv3_shim.ramin, obj->inst_size, 16);
   if (!obj->inst)
      return -ENOMEM;
   if (!memory)
      obj->ctx = obj->chan->chid << NV3_CTX_CHID_SHIFT | NV3_CTX_CLASS_GRAPH |
                 obj->class_id << NV3_CTX_CLASS_SHIFT | NV3_CTX_HARDWARE | inst_of(obj);
   nv3_shim_object_write(obj);
   return 0;
}

static int
instantiate(int fd, const struct drm_nv3_object_instantiate *args)
{
   struct nv3_shim_channel *chan = nv3_shim_channel_find(fd, args->channel);
   struct nv3_shim_object *obj;
   int ret;

   if (!chan)
      return -ENOENT;
   if (!args->name || !class_exists(args->class_id))
      return -EINVAL;
   if (nv3_shim_object_find(chan, args->name))
      return -EEXIST;

   obj = calloc(1, sizeof(*obj));
   if (!obj)
      return -ENOMEM;
   obj->refs = 1;
   obj->chan = chan;
   obj->class_id = args->class_id;
   list_add(&obj->link, &chan->objects);
   ret = init_object(obj, args);
   if (ret) {
      object_put(obj);
      return ret;
   }
   obj->name = args->name;
   return 0;
}

int
nv3_shim_object_instantiate(int fd, unsigned long request, void *arg)
{
   int ret;

   mtx_lock(&nv3_shim.lock);
   ret = instantiate(fd, arg);
   mtx_unlock(&nv3_shim.lock);
   return nv3_shim_result(ret);
}

/*
 * Removes the handle of an object. The object itself is freed when no other object uses it.
 */
void
nv3_shim_object_remove(struct nv3_shim_object *obj)
{
   struct nv3_shim_channel *chan = obj->chan;
   unsigned i;

   ramht_remove(obj);
   for (i = 0; i < ARRAY_SIZE(chan->bound); i++) {
      if (chan->bound[i] == obj)
         chan->bound[i] = NULL;
   }
   for (i = 0; i < DRM_NV3_SURFACE_SLOTS; i++) {
      if (chan->slots[i] == obj)
         chan->slots[i] = NULL;
   }
   /* Invalidate the object in PGRAPH, because PGRAPH may have fetched it. */
   nv3_shim_wr32(chan, NV3_PGRAPH_GROBJ_INST, 0);
   obj->name = 0;
   object_put(obj);
}

static int
destroy(int fd, const struct drm_nv3_object_destroy *args)
{
   struct nv3_shim_channel *chan = nv3_shim_channel_find(fd, args->channel);
   struct nv3_shim_object *obj = chan ? nv3_shim_object_find(chan, args->name) : NULL;

   if (!obj)
      return -ENOENT;
   nv3_shim_object_remove(obj);
   return 0;
}

int
nv3_shim_object_destroy(int fd, unsigned long request, void *arg)
{
   int ret;

   mtx_lock(&nv3_shim.lock);
   ret = destroy(fd, arg);
   mtx_unlock(&nv3_shim.lock);
   return nv3_shim_result(ret);
}
