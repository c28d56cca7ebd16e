/* SPDX-License-Identifier: MIT */
#ifndef NV3_VERTEX_TRANSLATE_H
#define NV3_VERTEX_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

struct nv3_translate;
struct nv3_context;
struct nv3_draw_state;
struct pipe_draw_info;
struct pipe_draw_start_count_bias;

struct nv3_translate *
nv3_translate_create(struct nv3_context *ctx);
void
nv3_translate_destroy(struct nv3_translate *translate);

/* What vertices are made by: more of the state than this need not be looked at. */
#define NV3_TRANSLATE_STATE (NV3_NEW_VS | NV3_NEW_FS | NV3_NEW_VELEMS | \
                          NV3_NEW_CONST_VS | NV3_NEW_CONST_FS)

#define NV3_POSITION_STATE  (NV3_NEW_VS | NV3_NEW_VELEMS | NV3_NEW_CONST_VS)

/* Some of that has changed. @position: of what their places are made by, too. */
void
nv3_translate_invalidate(struct nv3_translate *translate, bool position);

/* Before a shader is deleted. */
void
nv3_translate_forget_variants(struct nv3_translate *translate);

/*
 * For what nv3_validate() has just put in @state, one of ctx->states. NULL, or why
 * its draws are the draw module's.
 */
const char *
nv3_translate_validate(struct nv3_context *ctx, const struct nv3_draw_state *state);

/* By ctx->state. False if the draw module must do this one, and then nothing was drawn. */
bool
nv3_translate_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
                   const struct pipe_draw_start_count_bias *draw);

/*
 * Whether nv3_translate_draw() finds out by itself that colours would have to be clamped
 * between vertices: of a draw with one pass.
 */
bool
nv3_translate_checks_itself(const struct nv3_context *ctx,
                            const struct pipe_draw_info *info,
                            const struct pipe_draw_start_count_bias *draw);

/*
 * For ctx->checks_vertices and what passes' states say: why the draw's colours are such
 * that the chip would not draw what GL does, or NULL.
 */
const char *
nv3_translate_check(struct nv3_context *ctx, const struct pipe_draw_info *info,
                    const struct pipe_draw_start_count_bias *draw);

#endif
