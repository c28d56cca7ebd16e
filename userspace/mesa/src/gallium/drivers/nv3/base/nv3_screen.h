/* SPDX-License-Identifier: MIT */
/* Declares functions that the screens of both backends share. */
#ifndef NV3_SCREEN_H
#define NV3_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

struct disk_cache;
struct nv3_bo;
struct nv3_device;
struct pipe_screen;
struct winsys_handle;

enum {
   NV3_DEBUG_FALLBACK = 1 << 0,  /* print why a draw uses software */
   NV3_DEBUG_SHADER = 1 << 1,  /* print the size of each program */
   NV3_DEBUG_STATS = 1 << 2,  /* print counters when a context is destroyed */
   NV3_DEBUG_CLASS17 = 1 << 3,  /* do not use class 0x1f */
   NV3_DEBUG_VS = 1 << 4,       /* print vertex programs of class 0x1f */
   NV3_DEBUG_FS = 1 << 5,       /* print fragment programs of class 0x1f */
};

/*
 * Create the screen of the backend for class 0x17 or 0x1f. @debug is a mask of
 * NV3_DEBUG_* flags. Take ownership of @fd and @dev, even on failure.
 */
struct pipe_screen *
nv3_class17_screen_create(int fd, struct nv3_device *dev, uint32_t debug);
struct pipe_screen *
nv3p_screen_create(int fd, struct nv3_device *dev, uint32_t debug);

/*
 * Sets the capabilities that both backends share. Each backend then sets its
 * other capabilities. @vram: the size of video memory in bytes.
 */
void
nv3_screen_init_caps(struct pipe_screen *screen, uint64_t vram);

/*
 * Sets the pipe_screen functions for names, memory sizes and modifiers. Must be
 * called after nv3_screen_init_caps().
 */
void
nv3_screen_init_common(struct pipe_screen *screen);

/*
 * Creates a disk cache for the state tracker's shaders. Each backend has its
 * own cache, with the name @backend, because the shaders depend on the
 * backend's capabilities. May return NULL.
 */
struct disk_cache *
nv3_disk_cache_create(const char *backend);

/*
 * Imports the buffer that @whandle refers to. Returns NULL on failure,
 * including an unsupported handle type or modifier.
 */
struct nv3_bo *
nv3_handle_import(struct nv3_device *dev, const struct winsys_handle *whandle);

/*
 * Exports a linear buffer as a handle of type whandle->type. Returns false on
 * failure.
 */
bool
nv3_handle_export(struct nv3_bo *bo, unsigned stride, unsigned offset,
                  struct winsys_handle *whandle);

#endif
