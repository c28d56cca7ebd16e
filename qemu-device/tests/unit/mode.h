/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets a mode as drivers do, through PRMVIO, PRMCIO and PRAMDAC in BAR0 (xf86-video-nv
 * riva_dac.c and riva_hw.c).
 */
#ifndef NV3_TEST_MODE_H
#define NV3_TEST_MODE_H

#include "host.h"

/* Pixel formats of the CRTC. */
#define MODE_VGA        0
#define MODE_8          1
#define MODE_16         2
#define MODE_32         3

typedef struct Mode {
    unsigned width, htotal;         /* in pixels, multiples of 8 */
    unsigned height, vtotal;
    unsigned format;
    unsigned pitch;                 /* in bytes, a multiple of 8 */
    uint32_t start;                 /* byte offset in VRAM, a multiple of 4 */
    uint32_t vpll;
} Mode;

/* 13.5 MHz * 56 / 30 = 25.2 MHz, for exactly 60 Hz at 640x480. */
#define MODE_VPLL_25_2  (56 << NV3_PLL_N_SHIFT | 30)

static const Mode mode_640x480 = {
    .width = 640, .htotal = 800, .height = 480, .vtotal = 525,
    .format = MODE_32, .pitch = 640 * 4, .vpll = MODE_VPLL_25_2,
};

/*
 * Duration of a frame in mode_1600x1200: 2160 * 1250 pixels at 202.5 MHz (75 frames per
 * second).
 */
#define MODE_1600X1200_NS   13333334

static const Mode mode_1600x1200 = {
    .width = 1600, .htotal = 2160, .height = 1200, .vtotal = 1250,
    .format = MODE_32, .pitch = 6400, .vpll = 120 << NV3_PLL_N_SHIFT | 8,
};

static inline void mode_seq(Host *h, uint8_t index, uint8_t val)
{
    host_wr8(h, NV3_PRMVIO + 0x3c4, index);
    host_wr8(h, NV3_PRMVIO + 0x3c5, val);
}

static inline void mode_crtc(Host *h, uint8_t index, uint8_t val)
{
    host_wr8(h, NV3_PRMCIO + 0x3d4, index);
    host_wr8(h, NV3_PRMCIO + 0x3d5, val);
}

static inline uint8_t mode_crtc_read(Host *h, uint8_t index)
{
    host_wr8(h, NV3_PRMCIO + 0x3d4, index);
    return host_rd8(h, NV3_PRMCIO + 0x3d5);
}

static inline void mode_unlock(Host *h)
{
    host_wr8(h, NV3_PRMVIO + 0x3c2, 0x0d);
    mode_seq(h, NV3_SEQ_LOCK, NV3_CRTC_UNLOCK_VALUE);
    mode_crtc(h, 0x11, 0);
}

static inline void mode_start(Host *h, uint32_t start)
{
    start /= 4;
    mode_crtc(h, 0x0d, start);
    mode_crtc(h, 0x0c, start >> 8);
    mode_crtc(h, NV3_CRTC_REPAINT_0,
              (mode_crtc_read(h, NV3_CRTC_REPAINT_0) & 0xe0) |
              (start >> 16 & 0x1f));
    mode_crtc(h, NV3_CRTC_EXT_HORZ,
              (mode_crtc_read(h, NV3_CRTC_EXT_HORZ) & 0x9f) |
              (start >> 21 & 3) << 5);
}

static inline void mode_set(Host *h, const Mode *m)
{
    unsigned ht = m->htotal / 8 - 5, hd = m->width / 8 - 1;
    unsigned vt = m->vtotal - 2, vd = m->height - 1;
    unsigned offset = m->pitch / 8;

    mode_unlock(h);
    mode_seq(h, 0x01, 0x01);
    mode_crtc(h, 0x00, ht);
    mode_crtc(h, 0x01, hd);
    mode_crtc(h, 0x06, vt);
    mode_crtc(h, 0x07, (vt >> 8 & 1) | (vd >> 8 & 1) << 1 |
              (vt >> 9 & 1) << 5 | (vd >> 9 & 1) << 6);
    mode_crtc(h, 0x09, 0x40);
    mode_crtc(h, 0x12, vd);
    mode_crtc(h, 0x13, offset);
    mode_crtc(h, 0x17, 0xe3);
    mode_crtc(h, NV3_CRTC_REPAINT_0, (offset >> 8 & 7) << 5);
    mode_crtc(h, NV3_CRTC_REPAINT_1, 0x06);
    mode_crtc(h, NV3_CRTC_EXT_VERT, (vt >> 10 & 1) | (vd >> 10 & 1) << 1 |
              (offset >> 11 & 1) << 5);
    mode_crtc(h, NV3_CRTC_EXT_HORZ, (ht >> 8 & 1) | (hd >> 8 & 1) << 1);
    mode_crtc(h, NV3_CRTC_INTERLACE, 0xff);
    mode_crtc(h, NV3_CRTC_PIXEL_FORMAT, m->format);
    mode_start(h, m->start);
    host_wr32(h, NV3_PRAMDAC_VPLL, m->vpll);
    host_wr32(h, NV3_PRAMDAC_PLL_CONTROL,
              NV3_PLL_CONTROL_VPLL_PROG | NV3_PLL_CONTROL_MPLL_PROG |
              NV3_PLL_CONTROL_VCLK_DB2);
    host_wr32(h, NV3_PRAMDAC_GENERAL,
              NV3_GENERAL_VGA_STATE | NV3_GENERAL_BPC_8);
}

static inline void mode_palette(Host *h, uint8_t index, uint8_t r, uint8_t g,
                                uint8_t b)
{
    host_wr8(h, NV3_USER_DAC_WRITE_ADDR, index);
    host_wr8(h, NV3_USER_DAC_DATA, r);
    host_wr8(h, NV3_USER_DAC_DATA, g);
    host_wr8(h, NV3_USER_DAC_DATA, b);
}

#endif
