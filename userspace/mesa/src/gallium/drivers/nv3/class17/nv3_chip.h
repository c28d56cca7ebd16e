/* SPDX-License-Identifier: MIT */
/* Declares the channel of a context and the selected surfaces. */
#ifndef NV3_CHIP_H
#define NV3_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <nv3.h>

struct nv3_context;
struct nv3_target;
struct pipe_scissor_state;

/* The raster operation that copies the source. */
#define NV3_OPERATION_COPY 0x17

enum {
   NV3_SUBCH_D3D,
   NV3_SUBCH_RECT,
   NV3_SUBCH_ZETA_RECT,
   NV3_SUBCH_CLIP,
   NV3_SUBCH_SURFACE,
};

/* The surface slots for colour and depth. */
enum {
   NV3_SLOT_COLOR = 0,
   NV3_SLOT_ZETA = DRM_NV3_SURFACE_ZETA,
};

struct nv3_chip {
   struct nv3_channel *chan;
   struct nv3_pushbuf *push;
   struct nv3_object *rect, *zeta_rect, *clip;

   struct nv3_target *color, *zeta;  /* selected surfaces */
   /*
    * The number of the last batch that selected a render target, and the total
    * size in bytes of the render targets that this batch selected.
    */
   uint64_t targets_batch, targets_bytes;

   bool lost;              /* the channel has stopped after a fault */
   bool no_memory;         /* the render targets did not fit in VRAM */
   bool reported_no_memory;
};

/*
 * Sets up ctx->chip. Returns false on failure. The caller must call
 * nv3_chip_fini() even on failure.
 */
bool
nv3_chip_init(struct nv3_context *ctx);
void
nv3_chip_fini(struct nv3_context *ctx);

/*
 * Submits the pushed methods. Returns false if the batch is lost. After the
 * channel has stopped, every batch is lost.
 */
bool
nv3_chip_flush(struct nv3_context *ctx);

/*
 * Submits the pushed methods. @syncobj signals when the chip has executed all
 * submitted methods. Returns false if the channel has stopped. In this case,
 * nothing will signal @syncobj.
 */
bool
nv3_chip_signal(struct nv3_context *ctx, uint32_t syncobj);

/* Waits for all submitted batches that read or write @bo. */
void
nv3_chip_wait(struct nv3_bo *bo);

/*
 * Selects the surfaces for subsequent drawing. @color or @zeta is NULL if
 * drawing does not use this surface. Returns false if memory is exhausted or
 * the channel has stopped. The caller must not draw in this case.
 */
bool
nv3_chip_select(struct nv3_context *ctx, struct nv3_target *color,
                struct nv3_target *zeta);

/* Sets the clip rectangle of triangles, in pixels. */
void
nv3_chip_clip(struct nv3_context *ctx,
              const struct pipe_scissor_state *scissor);

/*
 * Fills a rectangle of the selected depth surface if @zeta is set, otherwise
 * of the selected colour surface. @value is a pixel in the format of the
 * surface. Returns false if the batch has no room and can't be submitted.
 */
bool
nv3_chip_fill(struct nv3_context *ctx, bool zeta, uint16_t value, unsigned x,
              unsigned y, unsigned width, unsigned height);

#endif
