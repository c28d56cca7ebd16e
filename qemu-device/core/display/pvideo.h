/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PVIDEO: the video overlay, a scaled image in YUV 4:2:2 over a rectangle of the picture.
 *
 * pvideo.c   registers, the two buffers and their interrupt
 * overlay.c  one line of the image
 */
#ifndef NV3_DISPLAY_PVIDEO_H
#define NV3_DISPLAY_PVIDEO_H

#include "chip/chip.h"

NV3_BLOCK(pvideo);      /* 0x680000-0x6802ff */

/* Returns true if INTR & INTR_EN is not zero. */
bool nv3_pvideo_irq(NV3State *s);

/*
 * Called by display.c. Latches the registers. @frames: the number of frames that have
 * begun since the last call, or 0 if the CRTC is stopped.
 */
void nv3_pvideo_latch(NV3State *s, uint64_t frames);
/*
 * Called by display.c. Returns true if the start of the next frame will raise an enabled
 * interrupt.
 */
bool nv3_pvideo_waits(const NV3State *s);

/*
 * overlay.c: draws the overlay over @dst, which contains line @y of the picture. @pixels:
 * the pixels of this line in the frame buffer, for the comparison with the colour key.
 */
void nv3_overlay_line(NV3State *s, const NV3Scanout *out, uint32_t y,
                      const uint8_t *pixels, uint32_t *dst);
/*
 * Sets out->overlay. The caller must have set the size and format of the picture in @out.
 */
void nv3_overlay_extent(const NV3State *s, NV3Scanout *out);

#endif
