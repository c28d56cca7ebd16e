/* SPDX-License-Identifier: MIT */
#ifndef NV3_COPY_DRAW_H
#define NV3_COPY_DRAW_H

#include <stdbool.h>

struct nv3_context;
struct pipe_draw_info;
struct pipe_draw_start_count_bias;

/*
 * Executes a draw as a copy if it draws a rectangle of a texture without
 * changing it. Display servers present windows by such draws. Copying preserves
 * all bits and avoids conversions. All state must be set. Returns false if the
 * draw is not a copy.
 */
bool
nv3_copy_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
              const struct pipe_draw_start_count_bias *draw);

#endif
