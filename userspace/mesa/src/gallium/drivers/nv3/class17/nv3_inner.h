/* SPDX-License-Identifier: MIT */
/*
 * Declares functions of the inner context (llvmpipe), which executes the
 * draws that class 0x17 can't execute.
 */
#ifndef NV3_INNER_H
#define NV3_INNER_H

struct nv3_context;
struct pipe_draw_indirect_info;
struct pipe_draw_info;
struct pipe_draw_start_count_bias;

/* Waits until the inner context has finished all of its draws. */
void
nv3_inner_finish(struct nv3_context *ctx);

/*
 * Updates and binds the copies of the framebuffer and the textures that the
 * inner context uses.
 */
void
nv3_inner_validate(struct nv3_context *ctx);

/*
 * Draws with the inner context. @reason is the reason why the hardware can't
 * draw, or NULL if memory was exhausted or a batch was lost.
 */
void
nv3_inner_draw(struct nv3_context *ctx, const char *reason,
               const struct pipe_draw_info *info,
               unsigned drawid_offset,
               const struct pipe_draw_indirect_info *indirect,
               const struct pipe_draw_start_count_bias *draws,
               unsigned num_draws);

/*
 * Records that the inner context has drawn to @buffers (PIPE_CLEAR_* flags).
 * nv3_inner_draw() calls this function. Every other function that draws or
 * clears with the inner context must also call it.
 */
void
nv3_inner_drew(struct nv3_context *ctx, unsigned buffers);

/*
 * If NV3_DEBUG=fallback is set, prints @reason, which states why a draw uses
 * software. Each context prints each reason only once. @reason may be NULL.
 */
void
nv3_log_fallback(struct nv3_context *ctx, const char *reason);

#endif
