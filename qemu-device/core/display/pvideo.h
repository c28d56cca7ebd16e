/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PVIDEO: the video overlay, a scaled image in YUV 4:2:2 over a window of the
 * picture.
 *
 * pvideo.c   registers, the two buffers and their interrupt
 * overlay.c  one line of the image
 */
#ifndef NV3_DISPLAY_PVIDEO_H
#define NV3_DISPLAY_PVIDEO_H

#include "chip/chip.h"

NV3_BLOCK(pvideo);      /* 0x680000-0x6802ff */

/* What INTR & INTR_EN says now. */
bool nv3_pvideo_irq(NV3State *s);

/* display.c: @frames have begun (0: the CRTC stands still) since the last call. */
void nv3_pvideo_latch(NV3State *s, uint64_t frames);
/* display.c: will the next frame bring an interrupt that someone waits for? */
bool nv3_pvideo_waits(const NV3State *s);

/*
 * overlay.c: draws what of the overlay is on line @y of the picture over @dst.
 * @pixels are those of the line in VRAM, that the key is compared to.
 */
void nv3_overlay_line(NV3State *s, const NV3Scanout *out, uint32_t y,
                      const uint8_t *pixels, uint32_t *dst);
/* Fills in out->overlay, when the rest of @out is there. */
void nv3_overlay_extent(const NV3State *s, NV3Scanout *out);

#endif
