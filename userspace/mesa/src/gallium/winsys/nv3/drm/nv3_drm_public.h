/* SPDX-License-Identifier: MIT */
#ifndef NV3_DRM_PUBLIC_H
#define NV3_DRM_PUBLIC_H

struct pipe_screen;
struct pipe_screen_config;

/*
 * Creates the screen for the open device @fd. The screen duplicates @fd, so
 * the caller must still close @fd.
 */
struct pipe_screen *
nv3_drm_screen_create(int fd, const struct pipe_screen_config *config);

#endif
