/* SPDX-License-Identifier: MIT */
/*
 * Emission of state. The functions that emit methods require room in the batch
 * (nv3p_reserve()), and skip methods whose values the channel already has.
 */
#ifndef NV3P_EMIT_H
#define NV3P_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/macros.h"

enum mesa_prim;
struct nv3p_context;

/* The maximum number of words that nv3p_emit_draw_state() emits. */
#define NV3P_STATE_WORDS 8192

/*
 * Emits @count consecutive methods, beginning with @method, unless the
 * channel already has all @words. The methods must have no effect other than
 * to store their words.
 */
void
nv3p_emit_run(struct nv3p_context *ctx, unsigned method, const uint32_t *words,
              unsigned count);

static inline void
nv3p_emit(struct nv3p_context *ctx, unsigned method, uint32_t word)
{
   nv3p_emit_run(ctx, method, &word, 1);
}

/*
 * Makes the next draw emit all state. Must be called when the channel may have
 * lost state.
 */
void
nv3p_emit_all(struct nv3p_context *ctx);

/*
 * Moves the framebuffer's targets to VRAM. Flushes the batch if these targets
 * and the targets that the batch already lists do not fit into VRAM together.
 * Must be called before nv3p_reserve(). Returns false if memory is exhausted.
 */
bool
nv3p_prepare_targets(struct nv3p_context *ctx);

/* Emits the framebuffer and adds its buffers to the batch. */
void
nv3p_emit_framebuffer(struct nv3p_context *ctx);

/*
 * Marks the contents of the framebuffer's targets as changed. Must be called
 * after each draw and clear.
 */
void
nv3p_targets_written(struct nv3p_context *ctx);

/*
 * Emits the dirty state for a draw of primitives of type @prim. The caller
 * emits the vertex arrays.
 */
void
nv3p_emit_draw_state(struct nv3p_context *ctx, enum mesa_prim prim);

/* ---- nv3p_texture.c ---- */

/*
 * Updates the texture of the polygon stipple. Returns false if memory is
 * exhausted.
 */
bool
nv3p_prepare_stipple(struct nv3p_context *ctx);

void
nv3p_destroy_stipple(struct nv3p_context *ctx);

void
nv3p_emit_textures(struct nv3p_context *ctx);

#endif
