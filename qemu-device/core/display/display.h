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
#ifndef NV3_DISPLAY_DISPLAY_H
#define NV3_DISPLAY_DISPLAY_H

#include "chip/chip.h"
#include "api/nv3_state.h"

NV3_BLOCK(pfb);
/* Reset with the display. */
uint32_t nv3_prma_read(NV3State *s, uint32_t addr);
void nv3_prma_write(NV3State *s, uint32_t addr, uint32_t val);
NV3_BLOCK(pramdac);     /* 0x680300-0x680fff */

void nv3_display_reset(NV3State *s);
/* nv3_timer_expired(), of NV3_TIMER_VBLANK. */
void nv3_display_expired(NV3State *s);

/* The vertical blank, whose status and enable bits are PGRAPH's. */

/* graph/regs.c: INTR_EN has been written. */
void nv3_display_intr_en(NV3State *s);
/*
 * graph/regs.c, before it reads or clears INTR: tells PGRAPH of a blank that began
 * since, as no timer runs while the interrupt is disabled.
 */
void nv3_display_sync(NV3State *s);

/* pvirt.c: vertical blanks since power on; CRC-32 of the last whole frame. */
uint32_t nv3_display_frame(NV3State *s);
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
/* crc32.c: the CRC-32 of IEEE 802.3. @crc is 0, or the result for the preceding data. */
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
uint8_t nv3_prmcio_read(NV3State *s, uint32_t addr);
void nv3_prmcio_write(NV3State *s, uint32_t addr, uint8_t val);
uint8_t nv3_prmvio_read(NV3State *s, uint32_t addr);
void nv3_prmvio_write(NV3State *s, uint32_t addr, uint8_t val);
uint8_t nv3_user_dac_read(NV3State *s, uint32_t addr);
void nv3_user_dac_write(NV3State *s, uint32_t addr, uint8_t val);
/* VGA's memory window, in BAR0. */
uint8_t nv3_prmfb_read(NV3State *s, uint32_t addr);
void nv3_prmfb_write(NV3State *s, uint32_t addr, uint8_t val);

/* What of them is saved. */
extern const NV3StateBlock nv3_display_state;
extern const NV3StateBlock nv3_pfb_state;
extern const NV3StateBlock nv3_pvideo_state;

#endif
