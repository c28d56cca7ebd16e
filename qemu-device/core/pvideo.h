/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PVIDEO: the video overlay, a scaled image in YUV 4:2:2 over a window of the
 * picture.
 *
 * pvideo.c   registers, the two buffers and their interrupt
 * overlay.c  one line of the image
 */
#ifndef NV3_PVIDEO_H
#define NV3_PVIDEO_H

#include "nv3.h"

/* What is on the screen: registers as they were when a frame began. */
typedef struct NV3Overlay {
    bool on;
    bool keyed;
    bool yuy2;
    bool smooth;            /* interpolates pixels */
    bool blur;              /* interpolates lines */
    uint32_t start;         /* byte in VRAM */
    uint32_t pitch;         /* bytes */
    uint32_t skip;          /* pixels of the first pair that are not shown: 0, 1 */
    uint32_t phase;         /* where the first line is, 2048ths of a line */
    uint32_t step_x;        /* 2048ths of a source pixel, of a source line */
    uint32_t step_y;
    uint32_t x, y;          /* the window: pixels, scan lines */
    uint32_t width, height;
    uint32_t key;
    uint8_t csc[3];         /* red, green, blue */
} NV3Overlay;

typedef struct NV3Pvideo {
    uint32_t intr;
    uint32_t intr_en;
    uint32_t step_size;
    uint32_t control_y;
    uint32_t control_x;
    uint32_t start[2];
    uint32_t pitch[2];
    uint32_t offset[2];
    uint32_t oe_state;
    uint32_t su_state;
    uint32_t rm_state;
    uint32_t window_start;
    uint32_t window_size;
    uint32_t fifo_thres;
    uint32_t fifo_burst;
    uint32_t key;
    uint32_t overlay;
    uint32_t csc[3];
    uint32_t csc_adjust;
    NV3Overlay shown;
} NV3Pvideo;

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
