/* SPDX-License-Identifier: MIT */
#ifndef NV3_PUBLIC_H
#define NV3_PUBLIC_H

struct pipe_screen;
struct pipe_screen_config;
struct renderonly;

/* Creates a screen. Takes ownership of @fd, even on failure. */
struct pipe_screen *
nv3_screen_create(int fd, const struct pipe_screen_config *config,
                  struct renderonly *ro);

#endif
