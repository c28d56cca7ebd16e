/* SPDX-License-Identifier: MIT */
/* The monitor, and the X1R5G5B5 buffers that it shows in turn */
#ifndef DEMO_SCREEN_H
#define DEMO_SCREEN_H

#include "nv3.h"

#define SCREEN_BUFFERS	3	/* maximum */

struct screen {
	struct nv3_device *dev;
	bool vsync;
	uint32_t connector, crtc;
	uint32_t width, height, pitch;
	int count;		/* number of buffers */
	struct nv3_bo *bos[SCREEN_BUFFERS];
	uint32_t fbs[SCREEN_BUFFERS];
	bool on;		/* the mode is set */
	bool flipping;		/* a flip from @shown to @next is pending */
	uint32_t shown, next;
};

/*
 * Finds the monitor and creates the buffers: two if @vsync is true, and a third one otherwise.
 * Prints a message in case of an error.
 */
int screen_init(struct screen *screen, struct nv3_device *dev, uint32_t width,
		uint32_t height, bool vsync);
void screen_fini(struct screen *screen);
/*
 * Returns in *@buffer a buffer that the monitor does not show. With vsync, waits until the pending
 * flip is done. Without vsync, a buffer is always free, so the function only waits until the chip
 * has drawn the previous frame in the buffer. The caller thus cannot get far ahead of the chip.
 */
int screen_next_buffer(struct screen *screen, uint32_t *buffer);
/*
 * Shows a buffer. The first call sets the mode. Later calls start a flip at the next vertical
 * blank. Does nothing if a flip is pending, which can happen only without vsync: the monitor then
 * skips the frame.
 */
int screen_show(struct screen *screen, uint32_t buffer);
/* Writes a buffer as PNG after the drawing is complete. */
int screen_save(struct screen *screen, uint32_t buffer, const char *path);
/* Computes the CRC-32 of a buffer's lines after the drawing is complete. */
int screen_crc(struct screen *screen, uint32_t buffer, uint32_t *crc);

#endif
