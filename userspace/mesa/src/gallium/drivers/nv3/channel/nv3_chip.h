/* SPDX-License-Identifier: MIT */
/* A context's channel, and a copy of the hardware's state. */
#ifndef NV3_CHIP_H
#define NV3_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <nv3.h>

#include "base/nv3_screen.h"
#include "channel/nv3_target.h"

struct nv3_context;
struct pipe_scissor_state;

/* The raster operation of a plain copy. */
#define NV3_OPERATION_COPY 0x17

enum {
   NV3_SUBCH_D3D,
   NV3_SUBCH_RECT,
   NV3_SUBCH_ZETA_RECT,
   NV3_SUBCH_CLIP,
   NV3_SUBCH_SURFACE,
   NV3_SUBCH_COPY,
   NV3_SUBCH_CONVERT,
};

/* The number of surface objects that are cached. */
#define NV3_SURFACE_CACHE 8

struct nv3_surface_object {
   struct nv3_target *target;
   struct nv3_object *object;
   unsigned slot;
   uint32_t used;
};

/*
 * Objects that convert a render copy to the canonical copy
 * (resource/nv3_presentation.c).
 */
#define NV3_CONVERTERS 4

struct nv3_converter {
   struct nv3_target *target;
   struct nv3_bo *bo;
   struct nv3_object *image, *surface;
   /*
    * A copy of the target in system memory and the object for copying, or NULL.
    */
   struct nv3_bo *staging;
   struct nv3_object *copy;
   struct nv3_object *alpha;  /* fills the alpha bytes, or NULL */
   uint32_t used;
};

/* The number of words from NV3_D3D_TEX_OFFSET to NV3_D3D_ALPHA. */
#define NV3_D3D_STATE    6
#define NV3_STATE_CONFIG 4

/*
 * The surface slots for triangles: the colour buffer or the intermediate
 * target.
 */
enum nv3_color_slot {
   NV3_SLOT_COLOR,
   NV3_SLOT_DRAWN,
   NV3_COLOR_SLOTS,
};

/*
 * Called after each flush, to complete the CPU's part of the batch. @ok is
 * false if the batch is lost.
 */
typedef void (*nv3_finish_func)(struct nv3_context *ctx, bool ok);

struct nv3_chip {
   struct nv3_channel *chan;
   struct nv3_pushbuf *push;
   struct nv3_surface_object surfaces[NV3_SURFACE_CACHE];
   struct nv3_converter converters[NV3_CONVERTERS];
   struct nv3_bo *opaque;                    /* filled with 255, for alpha */
   uint32_t surface_clock;
   struct nv3_target *color, *zeta, *drawn;  /* selected surfaces */
   /* Render targets of the current batch. */
   uint64_t targets_batch, targets_bytes;
   struct nv3_object *clip;
   struct nv3_object *rect, *zeta_rect;
   /* Objects of class 0x17 without and with depth. */
   struct nv3_object *d3d[NV3_MAX_SLABS][NV3_COLOR_SLOTS][2];
   /* The generation of the slab for which they were created. */
   uint32_t d3d_generation[NV3_MAX_SLABS];
   struct nv3_object *selected;  /* the selected object of class 0x17 */
   bool d3d_current;             /* no other object was used since */
   uint64_t d3d_batch;  /* sequence number of the batch that set the state */
   uint32_t d3d_config;
   uint32_t clip_point, clip_size;
   bool clip_known;
   bool lost;                    /* the channel has stopped after a fault */
   bool no_memory;               /* the render targets did not fit in VRAM */
   bool reported_no_memory;
   nv3_finish_func finish;
};

/* Sets up ctx->chip. If it fails, nv3_chip_fini() frees what was set up. */
bool
nv3_chip_init(struct nv3_context *ctx, nv3_finish_func finish);
void
nv3_chip_fini(struct nv3_context *ctx);

/*
 * Submits the pushed methods. Returns false if they are lost. Deferred blends
 * stay deferred.
 */
bool
nv3_chip_submit(struct nv3_context *ctx);

/*
 * Submits the pushed methods and executes deferred blends. Returns false if the
 * batch is lost. After the channel has stopped, every batch is lost.
 */
bool
nv3_chip_flush(struct nv3_context *ctx);

/*
 * Submits the pushed methods. @syncobj is signalled when all submitted methods
 * have been executed. Returns false if the batch is lost.
 */
bool
nv3_chip_signal(struct nv3_context *ctx, uint32_t syncobj);

/*
 * Creates a DMA object for all of @bo. @flags is 0 for reading or
 * DRM_NV3_DMA_WRITE. Returns NULL without memory.
 */
struct nv3_object *
nv3_chip_dma(struct nv3_context *ctx, struct nv3_bo *bo, uint32_t flags);

/*
 * Selects the surfaces for subsequent drawing. Either may be NULL if it is not
 * used. Returns false without memory. The caller must not draw in this case.
 */
bool
nv3_chip_select(struct nv3_context *ctx, struct nv3_target *color,
                struct nv3_target *zeta);

/* Sets the clip rectangle of triangles, in pixels. NULL: no limit. */
void
nv3_chip_clip(struct nv3_context *ctx,
              const struct pipe_scissor_state *scissor);

/*
 * Fills a rectangle of the selected colour or depth surface. @value has the
 * format of the surface.
 */
bool
nv3_chip_fill(struct nv3_context *ctx, bool zeta, uint16_t value, unsigned x,
              unsigned y, unsigned width, unsigned height);

/*
 * Selects the intermediate target. It has a slot of its own, because every
 * change of a slot's surface interrupts the kernel.
 */
bool
nv3_chip_select_intermediate(struct nv3_context *ctx, struct nv3_target *drawn);

/* Frees cached surface objects whose target has no other user. */
void
nv3_chip_drop_surfaces(struct nv3_context *ctx);

#endif
