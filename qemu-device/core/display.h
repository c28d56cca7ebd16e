/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The display side of the chip: CRTC (VGA registers and their extensions),
 * RAMDAC, palette, hardware cursor, vertical blank, real-mode access.
 *
 * display.c   timing, scanout geometry, vertical blank, frame count and CRC
 * scanout.c   one line of picture: formats, palette, cursor
 * pramdac.c   PLLs and RAMDAC control     prmcio.c  CRTC registers, DDC
 * prmvio.c    sequencer, with the lock    user_dac.c  palette ports
 * rma.c       real-mode access, ports 0x3d0 to 0x3d3
 * vga_port.c  which of them answers a VGA port, in I/O space and in BAR0
 * crc32.c     CRC of a picture
 */
#ifndef NV3_DISPLAY_H
#define NV3_DISPLAY_H

#include "nv3.h"
#include "nv3_regs.h"
#include "pvideo.h"

#define NV3_CRTC_COUNT          0x40
/* Nine bits of characters. */
#define NV3_SCANOUT_WIDTH_MAX   (512 * 8)

typedef struct NV3Dac {
    uint8_t palette[256 * 3];
    uint8_t pixel_mask;
    uint8_t write_index;
    uint8_t read_index;
    uint8_t component;      /* 0 red, 1 green, 2 blue comes next */
    bool reading;           /* which of the two indices was set last */
    uint8_t latch[3];       /* a colour is stored when its blue arrives */
} NV3Dac;

typedef struct NV3Rma {
    uint32_t address;
    uint32_t data;
    bool busy;              /* the access it makes may not come back to it */
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
     * CRTC. The host's VGA is told of every write to 0x00-0x18, as it shows the
     * VGA modes; these are the ones that count and that are read back.
     */
    uint8_t crtc[NV3_CRTC_COUNT];
    uint8_t crtc_index;
    uint8_t seq_index;
    uint8_t seq_clock;      /* VGA sequencer register 1 */
    uint8_t misc;           /* VGA's miscellaneous output register */
    bool unlocked;          /* extended CRTC registers can be written */

    NV3Dac dac;
    NV3Rma rma;

    /* A vertical blank begins every @frame_ns from @base_ns on. */
    uint64_t base_ns;
    uint64_t base_frame;    /* how many had begun at @base_ns */
    uint64_t frame_ns;      /* 0: the timing makes no picture */
    uint64_t told_frame;    /* the last blank that PGRAPH was told of */

    uint32_t start;         /* start address as latched at the last blank */
    uint64_t start_frame;

    uint32_t crc;           /* of frame @crc_frame */
    uint64_t crc_frame;
    uint64_t crc_until;     /* frames before this one get their CRC */
    /*
     * The CRC of a frame that has ended, while nv3_run() computes it. Nothing is drawn
     * and nobody is told of the blank until it is done.
     */
    struct {
        bool on;
        bool tells;         /* of the blank, when it is done */
        uint64_t frame;
        NV3Scanout out;
        NV3Overlay overlay;
        uint32_t line;      /* the next one */
        uint32_t crc;       /* of those before it */
    } crc_work;

    bool changed;           /* nv3_scanout_changed() */
} NV3Display;

void nv3_display_reset(NV3State *s);

/* The vertical blank, whose status and enable bits are PGRAPH's. */

/* pgraph_regs.c: INTR_EN has been written. */
void nv3_display_intr_en(NV3State *s);
/*
 * pgraph_regs.c, before it reads or clears INTR: tells PGRAPH of a blank that began
 * since, as no timer runs while the interrupt is disabled.
 */
void nv3_display_sync(NV3State *s);

/* pvirt.c: vertical blanks since power on; CRC-32 of the last whole frame. */
uint32_t nv3_display_frame(NV3State *s);
/* What a PLL with this setting makes of the crystal's clock; 0: nothing. */
uint64_t nv3_pll_hz(const NV3State *s, uint32_t pll);
uint32_t nv3_display_crc(NV3State *s);
/* nv3_run()'s part of it: as many lines as fit a slice. False: there is nothing to do. */
bool nv3_display_crc_run(NV3State *s);
/* Computes the rest of it now. */
void nv3_display_crc_finish(NV3State *s);

/* Between the blocks of the display. */

/* A register that the timing depends on has changed. */
void nv3_display_retime(NV3State *s);
/*
 * Latches the start address and PVIDEO's registers if a blank has passed: before
 * they are written.
 */
void nv3_display_latch(NV3State *s);
/* pvideo.c: whether someone waits for a blank may have changed. */
void nv3_display_wake(NV3State *s);
/* The line that is scanned out now, blank ones included. */
uint32_t nv3_display_line(NV3State *s);
/* Is VGA's memory window the chip's: in any mode of its own. */
bool nv3_display_owns_vga_mem(const NV3State *s);
/* Tells the host of it: after a change of mode. */
void nv3_display_own_vga_mem(NV3State *s);
/* How often a line of the frame buffer is shown: VGA's row and double scan. */
uint32_t nv3_display_line_repeat(const NV3State *s);
/* scanout.c: where the cursor is. */
void nv3_cursor_extent(NV3State *s, NV3Scanout *out);
/* crc32.c: IEEE 802.3's; @crc is 0 or the result for what comes before. */
uint32_t nv3_crc32(uint32_t crc, const void *data, size_t len);

/* x8r8g8b8 of a palette entry, whatever width the DAC has. */
uint32_t nv3_dac_colour(const NV3State *s, uint8_t index);

/*
 * Ports 0x3b0 to 0x3df, as nv3_vga_port_*(): false when plain VGA is to have
 * the access as well.
 */
bool nv3_crtc_read(NV3State *s, bool data, uint8_t *val);
bool nv3_crtc_write(NV3State *s, bool data, uint8_t val);
bool nv3_seq_read(NV3State *s, uint16_t port, uint8_t *val);
bool nv3_seq_write(NV3State *s, uint16_t port, uint8_t val);
bool nv3_dac_read(NV3State *s, uint16_t port, uint8_t *val);
bool nv3_dac_write(NV3State *s, uint16_t port, uint8_t val);
bool nv3_rma_read(NV3State *s, uint16_t port, uint8_t *val);
bool nv3_rma_write(NV3State *s, uint16_t port, uint8_t val);

/* A port of the VGA window in BAR0: the chip's own or the host's VGA's. */
uint8_t nv3_vga_window_read(NV3State *s, uint16_t port);
void nv3_vga_window_write(NV3State *s, uint16_t port, uint8_t val);

#endif
