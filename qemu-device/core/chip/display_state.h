/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the display side: CRTC, RAMDAC, palette, real-mode access and PVIDEO. */
#ifndef NV3_CHIP_DISPLAY_STATE_H
#define NV3_CHIP_DISPLAY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/nv3.h"
#include "nv3_regs.h"

/* The displayed overlay: PVIDEO's registers at the start of the frame. */
typedef struct NV3Overlay {
    bool on;
    bool keyed;
    bool yuy2;
    bool smooth;            /* interpolates pixels horizontally */
    bool blur;              /* interpolates between lines */
    uint32_t start;         /* byte in VRAM */
    uint32_t pitch;         /* bytes */
    uint32_t skip;          /* number of hidden pixels in a line's first pair: 0 or 1 */
    uint32_t phase;         /* source position of the first line, in 2048ths of a line */
    uint32_t step_x;        /* source step in 2048ths of a pixel or line */
    uint32_t step_y;
    uint32_t x, y;          /* position on the screen, in pixels and scan lines */
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

#define NV3_CRTC_COUNT          0x40
/* The CRTC has a 9-bit counter of characters, which are 8 pixels wide. */
#define NV3_SCANOUT_WIDTH_MAX   (512 * 8)

typedef struct NV3Dac {
    uint8_t palette[256 * 3];
    uint8_t pixel_mask;
    uint8_t write_index;
    uint8_t read_index;
    uint8_t component;      /* component of the next access: 0 red, 1 green, 2 blue */
    bool reading;           /* the read index was set after the write index */
    uint8_t latch[3];       /* written components; the write of blue stores them */
} NV3Dac;

typedef struct NV3Rma {
    uint32_t address;
    uint32_t data;
    bool busy;              /* an access is in progress; used to prevent recursion */
} NV3Rma;

typedef struct NV3Display {
    /* PRAMDAC */
    uint32_t cursor_pos;
    uint32_t dll;
    uint32_t mpll;
    uint32_t vpll;
    uint32_t pll_control;
    uint32_t general;
    uint32_t tv[NV3_PRAMDAC_TV_COUNT];

    /*
     * The values that reads of the CRTC's registers return. Writes to registers 0x00 to
     * 0x18 are also passed to the host's VGA, which shows the VGA modes.
     */
    uint8_t crtc[NV3_CRTC_COUNT];
    uint8_t crtc_index;
    uint8_t seq_index;
    uint8_t seq_clock;      /* VGA sequencer register 1 */
    uint8_t misc;           /* VGA's miscellaneous output register */
    bool unlocked;          /* extended CRTC registers are writable */

    NV3Dac dac;
    NV3Rma rma;

    /* Vertical blanks begin at @base_ns plus multiples of @frame_ns. */
    uint64_t base_ns;
    uint64_t base_frame;    /* number of vertical blanks up to @base_ns */
    uint64_t frame_ns;      /* 0 if the timing generates no picture */
    uint64_t told_frame;    /* last vertical blank reported in PGRAPH's INTR */

    uint32_t start;         /* start address latched at the last vertical blank */
    uint64_t start_frame;

    uint32_t crc;           /* of frame @crc_frame */
    uint64_t crc_frame;
    uint64_t crc_until;     /* the chip computes the CRCs of all frames before this one */
    /*
     * The CRC computation for the last complete frame. nv3_run() executes this
     * computation in slices. Until the computation completes, the engine draws nothing
     * and does not report the vertical blank.
     */
    struct {
        bool on;
        uint64_t frame;
        NV3Scanout out;
        NV3Overlay overlay;
        uint32_t line;      /* next line */
        uint32_t crc;       /* CRC of all lines before @line */
    } crc_work;

    bool changed;           /* for nv3_scanout_changed() */
} NV3Display;

#endif
