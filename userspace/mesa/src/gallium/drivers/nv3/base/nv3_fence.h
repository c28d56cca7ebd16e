/* SPDX-License-Identifier: MIT */
#ifndef NV3_FENCE_H
#define NV3_FENCE_H

#include <stdbool.h>
#include <stdint.h>

struct pipe_context;
struct pipe_fence_handle;
struct pipe_screen;

/* Sets the fence functions of @screen. */
void
nv3_screen_init_fence(struct pipe_screen *screen);

/* Sets create_fence_fd. */
void
nv3_init_fence(struct pipe_context *pipe);

/*
 * Submits the batch of @pipe by calling @submit. If @out is not NULL, sets
 * *@out to a fence that signals when the batch has completed, or to NULL if
 * memory is exhausted.
 *
 * @submit must make the batch signal @syncobj, unless @syncobj is 0. If the
 * batch is lost and nothing will signal @syncobj, @submit must return false.
 */
void
nv3_flush_to_fence(struct pipe_context *pipe, struct pipe_fence_handle **out,
                   bool (*submit)(struct pipe_context *pipe, uint32_t syncobj));

uint32_t
nv3_fence_syncobj(const struct pipe_fence_handle *fence);

#endif
