/* SPDX-License-Identifier: MIT */
/* The monitor, and the X1R5G5B5 buffers that it shows in turn */
#ifndef DEMO_SCREEN_H
#define DEMO_SCREEN_H

#include "nv3.h"

#define SCREEN_BUFFERS	3	/* maximum of screen.count */

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
	uint32_t shown, next;	/* indices of buffers */
};

/*
 * Finds the monitor and creates the buffers: two if @vsync is true, and three otherwise. Returns 0
 * or a negative errno. All functions that return an error print a message. The caller must call
 * screen_fini() even on failure.
 */
int screen_init(struct screen *screen, struct nv3_device *dev, uint32_t width,
		uint32_t height, bool vsync);
void screen_fini(struct screen *screen);
/*
 * Sets *@buffer to the index of a buffer that the monitor neither shows nor will show after the
 * pending flip. With vsync, waits until the pending flip is done. Without vsync, one of the buffers
 * is always free, so the function does not wait for the flip. Instead, it waits until the chip has
 * drawn the previous frame in the buffer, so that the caller cannot get far ahead of the chip.
 * Returns 0 or a negative errno.
 */
int screen_next_buffer(struct screen *screen, uint32_t *buffer);
/*
 * Shows a buffer. The first call sets the mode. Later calls request a flip at the next vertical
 * blank. If a flip is already pending, which can happen only without vsync, the function does
 * nothing, and the monitor skips the frame. Returns 0 or a negative errno.
 */
int screen_show(struct screen *screen, uint32_t buffer);
/* Writes a buffer as PNG after the drawing is complete. */
int screen_save(struct screen *screen, uint32_t buffer, const char *path);
/* Computes the CRC-32 of a buffer's lines after the drawing is complete. */
int screen_crc(struct screen *screen, uint32_t buffer, uint32_t *crc);

#endif
