/* SPDX-License-Identifier: MIT */
/* The monitor: one mode of 640x480, two buffers of X1R5G5B5, flipped. */
#ifndef DEMO_SCREEN_H
#define DEMO_SCREEN_H

#include "nv3.h"

#define SCREEN_BUFFERS	2

struct screen {
	struct nv3_device *dev;
	uint32_t connector, crtc;
	uint32_t width, height, pitch;
	struct nv3_bo *bos[SCREEN_BUFFERS];
	uint32_t fbs[SCREEN_BUFFERS];
	bool on;		/* the mode is set */
	bool flipping;		/* a flip waits for the vertical blank */
};

/* Finds the monitor and makes the buffers; complains on stderr. */
int screen_init(struct screen *screen, struct nv3_device *dev, uint32_t width,
		uint32_t height);
void screen_fini(struct screen *screen);
/* Shows a buffer: the first time sets the mode, then flips at the next blank. */
int screen_show(struct screen *screen, uint32_t buffer);
/* Until the last flip is done, so that the other buffer is off the screen. */
int screen_wait(struct screen *screen);
/* Writes a buffer as PNG, when what draws to it is done. */
int screen_save(struct screen *screen, uint32_t buffer, const char *path);
/* CRC-32 of a buffer's lines, when what draws to it is done. */
int screen_crc(struct screen *screen, uint32_t buffer, uint32_t *crc);

#endif
