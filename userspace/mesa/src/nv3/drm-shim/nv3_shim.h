/* SPDX-License-Identifier: MIT */
/*
 * The drm-shim for nv3 implements the DRM driver's uAPI inside the client's own process. The
 * drm-shim uses the chip model (qemu-device/core) and needs neither the kernel driver nor a
 * virtual machine.
 *
 * Each channel has its own chip model, so there are no context switches. All chip models share
 * one VRAM and RAMIN. A batch has completed when SUBMIT returns. DMA channels and hardware
 * classes work as in the kernel driver. The drm-shim supports neither PIO channels nor
 * long-running channels, and does not synchronize processes that share a buffer.
 */
#ifndef NV3_SHIM_H
#define NV3_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#include "drm-shim/drm_shim.h"
#include "drm-uapi/drm.h"
#include "util/list.h"
#include "util/vma.h"

#include <nv3-core/nv3.h>
#include <nv3-core/nv3_regs.h>
#include <nv3_class.h>
#include <nv3_drm.h>

/*
 * The number of bytes at the beginning of VRAM that surfaces can address. Class PROGRAMS can
 * address all of VRAM.
 */
#define NV3_SHIM_SURFACE_REACH (8u << 20)
#define NV3_SHIM_PAGE 4096u
/*
 * The offset at which mmap() maps VRAM. This offset is above the offsets of drm-shim's own
 * memory.
 */
#define NV3_SHIM_VRAM_OFFSET (8ull << 30)

/* The layout of RAMIN, as in the kernel driver: RAMHT, RAMRO, RAMFC, and instance memory. */
#define NV3_SHIM_RAMHT 0x0000u
#define NV3_SHIM_RAMHT_DEPTH 16u /* entries per bucket; RAMHT has 32 KiB */
#define NV3_SHIM_RAMRO 0x8000u
#define NV3_SHIM_RAMFC 0xa000u
#define NV3_SHIM_RAMIN_POOL 0xc000u
#define NV3_SHIM_GROBJ_SIZE 16u

#define NV3_SHIM_SUBMIT_MAX (124u << 10) /* bytes; the kernel allows 127 KiB */
#define NV3_SHIM_CHANNELS 126u

/*
 * An address space. It exists until VM_DESTROY has destroyed its id and the last object that uses
 * it has been freed.
 */
struct nv3_shim_vm {
   struct list_head link;     /* nv3_shim.vms */
   struct list_head mappings;
   struct shim_fd *file;
   uint32_t id;
   uint32_t refs;
   bool destroyed;
   uint64_t directory;        /* bus address */
};

/*
 * A buffer. The home of a buffer holds its contents between batches, and is either in VRAM or in
 * the system memory of drm-shim.
 */
struct nv3_shim_bo {
   struct shim_bo base;
   uint32_t domains;
   bool in_vram;      /* the home is VRAM, at offset @vram */
   bool placed;       /* the home is system memory; a copy for the batch is at @vram */
   bool swapped;      /* the home is VRAM; the contents are in system memory for the batch */
   uint64_t vram;     /* offset in VRAM, if in_vram or placed */
   uint32_t batch;    /* last batch that listed the buffer */
   struct list_head link; /* nv3_shim.vram_bos if in_vram, placed_bos if placed */
};

enum nv3_shim_dma {
   NV3_SHIM_DMA_0,
   NV3_SHIM_DMA_1,
   NV3_SHIM_DMA_NOTIFY,
   NV3_SHIM_DMA_COUNT,
};

struct nv3_shim_object {
   struct list_head link; /* nv3_shim_channel.objects */
   struct nv3_shim_channel *chan;
   uint32_t refs;         /* references by the handle and by other objects */
   uint32_t name;
   uint32_t class_id;
   uint32_t ctx;          /* context word for RAMHT, 0 for a DMA object */
   uint32_t inst;         /* offset in RAMIN, 0 without instance memory */
   uint32_t inst_size;

   struct nv3_shim_bo *bo; /* buffer of a DMA object or a surface */
   struct nv3_shim_vm *vm; /* address space of an object of class PROGRAMS */
   union {
      struct drm_nv3_dma_args dma;
      struct drm_nv3_surface_args surface;
      struct drm_nv3_graph_args graph;
      struct drm_nv3_programs_args programs;
   } args;
   struct nv3_shim_object *dmas[NV3_SHIM_DMA_COUNT];
};

struct nv3_shim_channel {
   struct list_head link;
   struct shim_fd *file;
   uint32_t id;
   uint32_t chid;
   NV3State *chip;
   bool irq;

   struct list_head objects;
   struct nv3_shim_object *bound[NV3_PFIFO_CACHE1_CTX_COUNT]; /* software objects only */
   struct nv3_shim_object *slots[DRM_NV3_SURFACE_SLOTS];

   /*
    * The address of the batch's words in drm-shim's memory, and the page table through which
    * the pusher reads these words.
    */
   uint64_t ring;
   uint32_t ring_table;

   /*
    * The address of the context image of class PROGRAMS in drm-shim's memory,
    * or 0.
    */
   uint64_t image;
   uint64_t image_size;

   struct drm_nv3_channel_query fault;
   uint64_t batches;
};

/* Callbacks for a program that contains the shim, such as nv3-replay. */
struct nv3_shim_observer {
   /* Runs a part of a batch. Called instead of nv3_run(). Returns true if work remains. */
   bool (*run)(struct nv3_shim_channel *chan);
   /* Called when the chip reports an event (nv3_set_events()). */
   void (*event)(struct nv3_shim_channel *chan, const NV3Event *event);
   /* Called after the chip has written @len bytes of VRAM or system memory. */
   void (*written)(struct nv3_shim_channel *chan, bool vram, uint32_t addr, size_t len);
   /* Called at the end of a batch, before the buffers of the batch are copied to their homes. */
   void (*ended)(struct nv3_shim_channel *chan);
};

/* The state of the shim. @lock guards all members. */
struct nv3_shim {
   const struct nv3_shim_observer *observer; /* or NULL */
   mtx_t lock;
   uint8_t *memory;     /* drm-shim's memory; bus addresses are offsets in it */
   uint64_t vram_base;  /* offset of VRAM in @memory */
   uint32_t vram_size;
   NV3Simd simd;        /* SIMD level of new chips */
   struct util_vma_heap vram;
   struct util_vma_heap ramin;
   struct list_head vram_bos;
   struct list_head placed_bos;
   struct list_head channels;
   struct list_head vms;
   struct nv3_shim_object *ramht[NV3_RAMHT_BUCKETS][NV3_SHIM_RAMHT_DEPTH];
   unsigned ramht_victim[NV3_RAMHT_BUCKETS];
   uint32_t next_channel;
   uint32_t next_vm;
   uint32_t batch;
};

extern struct nv3_shim nv3_shim;

/*
 * Converts the result of an ioctl to drm-shim's convention: -1 with errno set
 * for an error.
 */
int nv3_shim_result(int ret);

/* nv3_shim_bo.c */
int nv3_shim_gem_create(int fd, unsigned long request, void *arg);
int nv3_shim_gem_mmap(int fd, unsigned long request, void *arg);
int nv3_shim_gem_wait(int fd, unsigned long request, void *arg);
struct shim_bo *nv3_shim_bo_import(size_t size, int fd, uint64_t offset);
void nv3_shim_bo_free(struct shim_bo *base);
uint64_t nv3_shim_bo_offset(struct shim_bo *base);
void *nv3_shim_mmap_vram(size_t length, int prot, int flags, off64_t offset);
struct nv3_shim_bo *nv3_shim_bo_lookup(struct shim_fd *file, uint32_t handle);
uint8_t *nv3_shim_bo_home(const struct nv3_shim_bo *bo);
uint64_t nv3_shim_bo_page(const struct nv3_shim_bo *bo, uint32_t page, bool *vram);
bool nv3_shim_place_bo(struct nv3_shim_bo *bo);
int nv3_shim_place(struct nv3_shim_channel *chan);
void nv3_shim_unplace(void);
bool nv3_shim_in_vram(const struct nv3_shim_bo *bo);
bool nv3_shim_in_reach(const struct nv3_shim_bo *bo);

/* nv3_shim_object.c */
int nv3_shim_class_enumerate(int fd, unsigned long request, void *arg);
int nv3_shim_object_instantiate(int fd, unsigned long request, void *arg);
int nv3_shim_object_destroy(int fd, unsigned long request, void *arg);
void nv3_shim_object_remove(struct nv3_shim_object *obj);
struct nv3_shim_object *nv3_shim_object_find(struct nv3_shim_channel *chan, uint32_t name);
struct nv3_shim_object *nv3_shim_object_find_inst(struct nv3_shim_channel *chan, uint32_t inst);
void nv3_shim_object_write(struct nv3_shim_object *obj);
void nv3_shim_ramht_insert(struct nv3_shim_object *obj);
uint32_t nv3_shim_object_set_dma(struct nv3_shim_object *obj, uint32_t mthd, uint32_t name);

/* nv3_shim_vm.c */
int nv3_shim_vm_create(int fd, unsigned long request, void *arg);
int nv3_shim_vm_destroy(int fd, unsigned long request, void *arg);
int nv3_shim_vm_bind(int fd, unsigned long request, void *arg);
struct nv3_shim_vm *nv3_shim_vm_find(struct shim_fd *file, uint32_t id);
void nv3_shim_vm_put(struct nv3_shim_vm *vm);
int nv3_shim_vm_place(struct nv3_shim_vm *vm);
void nv3_shim_vm_update(struct nv3_shim_vm *vm);

/* nv3_shim_channel.c */
int nv3_shim_channel_create(int fd, unsigned long request, void *arg);
int nv3_shim_channel_destroy(int fd, unsigned long request, void *arg);
int nv3_shim_channel_query(int fd, unsigned long request, void *arg);
bool nv3_shim_channel_init_image(struct nv3_shim_channel *chan);
struct nv3_shim_channel *nv3_shim_channel_find(int fd, uint32_t id);
uint32_t nv3_shim_rd32(struct nv3_shim_channel *chan, uint32_t reg);
void nv3_shim_wr32(struct nv3_shim_channel *chan, uint32_t reg, uint32_t val);

/* nv3_shim_batch.c */
void nv3_shim_run_batch(struct nv3_shim_channel *chan, uint32_t size);
void nv3_shim_apply_surfaces(struct nv3_shim_channel *chan);

/* nv3_shim_submit.c */
int nv3_shim_submit(int fd, unsigned long request, void *arg);

#endif
