/* SPDX-License-Identifier: MIT */
#ifndef NV3_COPY_DRAW_H
#define NV3_COPY_DRAW_H

#include <stdbool.h>

struct nv3_context;
struct pipe_draw_info;
struct pipe_draw_start_count_bias;

/*
 * Does a draw that puts a rectangle of a texture somewhere as it is, as a display
 * server does with a window, by copying: no bit is lost, nothing is converted. The
 * state is whole. False if it is another draw.
 */
bool
nv3_copy_draw(struct nv3_context *ctx, const struct pipe_draw_info *info,
              const struct pipe_draw_start_count_bias *draw);

#endif
