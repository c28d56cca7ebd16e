/* SPDX-License-Identifier: MIT */
#ifndef NV3_FENCE_H
#define NV3_FENCE_H

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
 * Creates a fence. The caller must pass the fence's syncobj to a batch.
 * Returns NULL if memory is exhausted.
 */
struct pipe_fence_handle *
nv3_fence_new(struct pipe_screen *screen);

uint32_t
nv3_fence_syncobj(const struct pipe_fence_handle *fence);

/* Signals @fence at once. */
void
nv3_fence_signal(struct pipe_screen *screen, struct pipe_fence_handle *fence);

#endif
