/* SPDX-License-Identifier: MIT */
/*
 * The device of the replay: Mesa's nv3 drm-shim (userspace/mesa/src/nv3/drm-shim), which implements
 * the uAPI with chip models in this process. Files, channels, buffers and address spaces have the
 * numbers that they have in the capture.
 */
#ifndef NV3_REPLAY_DEVICE_H
#define NV3_REPLAY_DEVICE_H

#include <stdint.h>

#include "nv3_shim.h"

/* Initializes the device, with 2 to 64 MiB of VRAM. Returns false after a message. */
bool device_init(uint32_t vram_size);
/* Opens a file if necessary. Returns false if memory is exhausted. */
bool device_open(uint32_t file);
void device_close(uint32_t file);
/* Closes a handle. Returns 0 or a negative errno. */
int device_close_handle(uint32_t file, uint32_t handle);
/* Executes the ioctl DRM_NV3_* with this number. Returns 0 or a negative errno. */
int device_ioctl(uint32_t file, unsigned int number, void *arg);
/* Sets the number of the buffer, channel or address space that is created next. */
void device_set_next(uint32_t number);
/* Advances the chips' clock. */
void device_pass(uint64_t ns);

/* Returns the buffer with this number, or NULL. The result is valid until the buffer is closed. */
struct nv3_shim_bo *device_buffer(uint32_t file, uint32_t number);
/* Returns the address of a buffer's contents. The address stays valid during a batch. */
uint8_t *device_contents(const struct nv3_shim_bo *bo);

#endif
