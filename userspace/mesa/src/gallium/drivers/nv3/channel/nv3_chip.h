/* SPDX-License-Identifier: MIT */
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

/* A surface object on a target; a handful of the last used. */
#define NV3_SURFACE_CACHE 8

struct nv3_surface_object {
   struct nv3_target *target;
   struct nv3_object *object;
   unsigned slot;
   uint32_t used;
};

/* What converts a target into the picture that others see. */
#define NV3_CONVERTERS 4

struct nv3_converter {
   struct nv3_target *target;
   struct nv3_bo *bo;
   struct nv3_object *image, *surface;
   /* A copy of the target in system memory, and what makes it; or NULL. */
   struct nv3_bo *staging;
   struct nv3_object *copy;
   struct nv3_object *alpha;  /* what fills it in; or NULL */
   uint32_t used;
};

/* The words of NV3_D3D_TEX_OFFSET to NV3_D3D_ALPHA. */
#define NV3_D3D_STATE    6
#define NV3_STATE_CONFIG 4

/* What a triangle is drawn to. */
enum nv3_color_slot {
   NV3_SLOT_COLOR,
   NV3_SLOT_DRAWN,
   NV3_COLOR_SLOTS,
};

/*
 * Called after a flush, and when a batch is lost (then @ok is false), to do
 * what the CPU has left to do with the batch's results.
 */
typedef void (*nv3_finish_func)(struct nv3_context *ctx, bool ok);

struct nv3_chip {
   struct nv3_channel *chan;
   struct nv3_pushbuf *push;
   struct nv3_surface_object surfaces[NV3_SURFACE_CACHE];
   struct nv3_converter converters[NV3_CONVERTERS];
   struct nv3_bo *opaque;            /* nothing but 255, for alpha */
   uint32_t surface_clock;
   struct nv3_target *color, *zeta, *drawn;  /* selected */
   uint64_t targets_batch, targets_bytes;  /* that this batch has drawn to */
   struct nv3_object *clip;
   struct nv3_object *rect, *zeta_rect;
   /* Without and with depth. */
   struct nv3_object *d3d[NV3_MAX_SLABS][NV3_COLOR_SLOTS][2];
   uint32_t d3d_generation[NV3_MAX_SLABS];  /* of the slab that those are on */
   struct nv3_object *selected;      /* of these */
   bool d3d_current;                 /* and nothing else was used since */
   uint64_t d3d_batch;               /* the batch before that */
   uint32_t d3d_config;
   uint32_t clip_point, clip_size;
   bool clip_known;
   bool lost;                        /* the channel stopped */
   bool no_memory;                   /* for all that a batch draws to */
   bool reported_no_memory;
   nv3_finish_func finish;
};

/* Sets up ctx->chip-> False: ctx->chip may be there in part. */
bool
nv3_chip_init(struct nv3_context *ctx, nv3_finish_func finish);
void
nv3_chip_fini(struct nv3_context *ctx);

/* Submits what was pushed. False if that is lost. */
bool
nv3_chip_submit(struct nv3_context *ctx);

/*
 * Submits what was pushed, and blends what was put off (nv3_deferred.h). False if that is
 * lost, as once the channel has stopped.
 */
bool
nv3_chip_flush(struct nv3_context *ctx);

/* The same, and has @syncobj signalled when all that was submitted has run. */
bool
nv3_chip_signal(struct nv3_context *ctx, uint32_t syncobj);

/* All of @bo, to read, or to write with DRM_NV3_DMA_WRITE; or NULL. */
struct nv3_object *
nv3_chip_dma(struct nv3_context *ctx, struct nv3_bo *bo, uint32_t flags);

/*
 * Draw to these from now on; either may be NULL, for not at all. False: no
 * memory, and nothing is drawn.
 */
bool
nv3_chip_select(struct nv3_context *ctx, struct nv3_target *color,
                struct nv3_target *zeta);

/* Triangles are drawn within this, in pixels of the target; NULL: anywhere. */
void
nv3_chip_clip(struct nv3_context *ctx, const struct pipe_scissor_state *scissor);

/*
 * Fills a rectangle of the selected colour target or depth buffer with a value
 * of their format.
 */
bool
nv3_chip_fill(struct nv3_context *ctx, bool zeta, uint16_t value, unsigned x,
              unsigned y, unsigned width, unsigned height);

/*
 * The same for what the CPU is to blend (nv3_intermediate.h), in a slot of its own, as
 * each surface that is put in a slot asks for the kernel.
 */
bool
nv3_chip_select_intermediate(struct nv3_context *ctx, struct nv3_target *drawn);

/* Forgets surface objects on targets that nobody else has any more. */
void
nv3_chip_drop_surfaces(struct nv3_context *ctx);

#endif
