/* SPDX-License-Identifier: MIT */
#ifndef NV3_CHIP_H
#define NV3_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3_context.h"

bool
nv3_chip_init(struct nv3_context *ctx);
void
nv3_chip_fini(struct nv3_context *ctx);

/* Submits what was pushed. False if that is lost. */
bool
nv3_chip_submit(struct nv3_context *ctx);

/*
 * Submits what was pushed, and blends what was put off (nv3_later.h). False if that is
 * lost, as once the channel has stopped.
 */
bool
nv3_chip_flush(struct nv3_context *ctx);

/* The same, and has @syncobj signalled when all that was submitted has run. */
bool
nv3_chip_signal(struct nv3_context *ctx, uint32_t syncobj);

/* Until the chip no longer writes to @bo. */
void
nv3_chip_wait(struct nv3_bo *bo);

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
 * The same for what the CPU is to blend (nv3_scratch.h), in a slot of its own, as
 * each surface that is put in a slot asks for the kernel.
 */
bool
nv3_chip_select_scratch(struct nv3_context *ctx, struct nv3_target *drawn);

/*
 * An object of class 0x17 on textures in @slab that draws to @color; NULL without
 * memory.
 */
struct nv3_object *
nv3_chip_d3d(struct nv3_context *ctx, struct nv3_slab *slab,
             enum nv3_color_slot color, bool zeta);

/* Forgets surface objects on targets that nobody else has any more. */
void
nv3_chip_drop_surfaces(struct nv3_context *ctx);

#endif
