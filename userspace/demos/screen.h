/* SPDX-License-Identifier: MIT */
/* The monitor, and two X1R5G5B5 buffers that it shows alternately */
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
	bool flipping;		/* a flip is pending */
};

/* Finds the monitor and creates the buffers. Prints a message in case of an error. */
int screen_init(struct screen *screen, struct nv3_device *dev, uint32_t width,
		uint32_t height);
void screen_fini(struct screen *screen);
/*
 * Shows a buffer. The first call sets the mode. Later calls start a flip at the next vertical
 * blank.
 */
int screen_show(struct screen *screen, uint32_t buffer);
/* Waits until the pending flip is done, so that the previously shown buffer is free. */
int screen_wait(struct screen *screen);
/* Writes a buffer as PNG after the drawing is complete. */
int screen_save(struct screen *screen, uint32_t buffer, const char *path);
/* Computes the CRC-32 of a buffer's lines after the drawing is complete. */
int screen_crc(struct screen *screen, uint32_t buffer, uint32_t *crc);

#endif
