/* SPDX-License-Identifier: MIT */
#ifndef NV3_DRM_PUBLIC_H
#define NV3_DRM_PUBLIC_H

struct pipe_screen;
struct pipe_screen_config;

/* The screen of the device that @fd has open; @fd stays the caller's. */
struct pipe_screen *
nv3_drm_screen_create(int fd, const struct pipe_screen_config *config);

#endif
