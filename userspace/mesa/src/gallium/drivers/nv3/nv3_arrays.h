/* SPDX-License-Identifier: MIT */
#ifndef NV3_ARRAYS_H
#define NV3_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

struct nv3_arrays;
struct nv3_context;
struct nv3_draw_state;
struct pipe_draw_info;
struct pipe_draw_start_count_bias;

struct nv3_arrays *
nv3_arrays_create(struct nv3_context *ctx);
void
nv3_arrays_destroy(struct nv3_arrays *arrays);

/* What vertices are made by: more of the state than this need not be looked at. */
#define NV3_ARRAYS_STATE (NV3_NEW_VS | NV3_NEW_FS | NV3_NEW_VELEMS | \
                          NV3_NEW_CONST_VS | NV3_NEW_CONST_FS)

#define NV3_PLACE_STATE  (NV3_NEW_VS | NV3_NEW_VELEMS | NV3_NEW_CONST_VS)

/* Some of that has changed. @place: of what their places are made by, too. */
void
nv3_arrays_invalidate(struct nv3_arrays *arrays, bool place);

/* Before a shader is deleted. */
void
nv3_arrays_forget(struct nv3_arrays *arrays);

/*
 * For what nv3_derive() has just put in @state, one of ctx->states. NULL, or why
 * its draws are the draw module's.
 */
const char *
nv3_arrays_derive(struct nv3_context *ctx, const struct nv3_draw_state *state);

/* By ctx->state. False if the draw module must do this one, and then nothing was drawn. */
bool
nv3_arrays_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *draw);

/*
 * Whether nv3_arrays_draw() finds out by itself that colours would have to be clamped
 * between vertices: of a draw with one pass.
 */
bool
nv3_arrays_checks_itself(const struct nv3_context *ctx,
                         const struct pipe_draw_info *info,
                         const struct pipe_draw_start_count_bias *draw);

/*
 * For ctx->checks_vertices and what passes' states say: why the draw's colours are such
 * that the chip would not draw what GL does, or NULL.
 */
const char *
nv3_arrays_check(struct nv3_context *ctx, const struct pipe_draw_info *info,
                 const struct pipe_draw_start_count_bias *draw);

#endif
