/* SPDX-License-Identifier: MIT */
/* Vertex translation: draws triangles without the draw module. */
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

/* The state on which vertex programs depend. */
#define NV3_TRANSLATE_STATE (NV3_NEW_VS | NV3_NEW_FS | NV3_NEW_VELEMS | \
                          NV3_NEW_CONST_VS | NV3_NEW_CONST_FS)

#define NV3_POSITION_STATE  (NV3_NEW_VS | NV3_NEW_VELEMS | NV3_NEW_CONST_VS)

/*
 * Must follow changes of NV3_TRANSLATE_STATE. @position is set if
 * NV3_POSITION_STATE has changed as well.
 */
void
nv3_translate_invalidate(struct nv3_translate *translate, bool position);

/* Must precede the deletion of any shader. */
void
nv3_translate_forget_variants(struct nv3_translate *translate);

/*
 * Prepares the pass @state after nv3_validate(). Returns NULL, or the reason
 * why the draw module must draw.
 */
const char *
nv3_translate_validate(struct nv3_context *ctx,
                       const struct nv3_draw_state *state);

/*
 * Draws the pass ctx->state. Returns false, without having drawn, if the draw
 * module must draw.
 */
bool
nv3_translate_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
                   const struct pipe_draw_start_count_bias *draw);

/*
 * True if nv3_translate_draw() itself checks whether interpolated colours
 * need clamping. It does this for draws with one pass.
 */
bool
nv3_translate_checks_itself(const struct nv3_context *ctx,
                            const struct pipe_draw_info *info,
                            const struct pipe_draw_start_count_bias *draw);

/*
 * Checks the colours of the draw's vertices for all passes. Returns NULL, or
 * the reason why class 0x17 would draw other colours than GL.
 */
const char *
nv3_translate_check(struct nv3_context *ctx, const struct pipe_draw_info *info,
                    const struct pipe_draw_start_count_bias *draw);

#endif
