/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The display side of the chip: CRTC (VGA registers and their extensions),
 * RAMDAC, palette, hardware cursor, vertical blank, real-mode access.
 *
 * display.c   timing, scanout geometry, vertical blank, frame count and CRC
 * scanout.c   one line of picture: formats, palette, cursor
 * pramdac.c   PLLs and RAMDAC control     prmcio.c  CRTC registers, DDC
 * prmvio.c    sequencer, CRTC lock        user_dac.c  palette ports
 * rma.c       real-mode access, ports 0x3d0 to 0x3d3
 * vga_port.c  VGA ports in I/O space and in BAR0
 * crc32.c     CRC of a picture
 */
#ifndef NV3_DISPLAY_DISPLAY_H
#define NV3_DISPLAY_DISPLAY_H

#include "chip/chip.h"
#include "api/nv3_state.h"

NV3_BLOCK(pfb);
/* Registers of PRMA. nv3_display_reset() resets their state. */
uint32_t nv3_prma_read(NV3State *s, uint32_t addr);
void nv3_prma_write(NV3State *s, uint32_t addr, uint32_t val);
NV3_BLOCK(pramdac);     /* 0x680300-0x680fff */

void nv3_display_reset(NV3State *s);
/* Handles nv3_timer_expired() for NV3_TIMER_VBLANK. */
void nv3_display_expired(NV3State *s);

/* Vertical blank. The bits of its interrupt are in PGRAPH's INTR and INTR_EN. */

/* Called by graph/regs.c after a write to INTR_EN. */
void nv3_display_intr_en(NV3State *s);
/*
 * Called by graph/regs.c before it reads or clears INTR. If the interrupt is disabled, no
 * timer sets INTR's bit for the vertical blank. In this case this function sets the bit
 * if a vertical blank has begun since the last report.
 */
void nv3_display_sync(NV3State *s);

/*
 * Called by pvirt.c. nv3_display_frame() returns the number of vertical blanks since
 * power-on. nv3_display_crc() returns the last complete CRC-32. nv3_display_crc_frame()
 * returns the number of the vertical blank that ended the frame of this CRC, or all ones
 * if there is no CRC.
 */
uint32_t nv3_display_frame(NV3State *s);
uint32_t nv3_display_crc(NV3State *s);
uint32_t nv3_display_crc_frame(NV3State *s);
/*
 * Called by nv3_run(). Executes a slice of the current CRC computation. Returns false if
 * no computation is in progress.
 */
bool nv3_display_crc_run(NV3State *s);
/* Completes the current CRC computation, if any, without a limit on its cost. */
void nv3_display_crc_finish(NV3State *s);

/* The following functions are called only by files of this folder. */

/* Must be called after a write to a register that affects the timing. */
void nv3_display_retime(NV3State *s);
/*
 * Latches the start address and PVIDEO's registers if a vertical blank has begun since
 * the last call. Must be called before a write to these registers.
 */
void nv3_display_latch(NV3State *s);
/*
 * Called by pvideo.c after a change of its registers. Starts the timer for the next
 * vertical blank if it is needed, or else cancels it.
 */
void nv3_display_wake(NV3State *s);
/* Returns the number of the scan line that is being scanned out, counting blank lines. */
uint32_t nv3_display_line(NV3State *s);
/*
 * Returns true if the current mode is not a VGA mode. VGA's memory aperture then accesses
 * VRAM.
 */
bool nv3_display_owns_vga_mem(const NV3State *s);
/*
 * Reports to the host whether the chip owns VGA's memory aperture. Must be called after a
 * switch from a VGA mode to one of the chip's own modes, or vice versa.
 */
void nv3_display_own_vga_mem(NV3State *s);
/*
 * Returns the number of scan lines for each line of the frame buffer. VGA's row height
 * and double scan determine this number.
 */
uint32_t nv3_display_line_repeat(const NV3State *s);
/* scanout.c: sets the cursor's position and size in @out. */
void nv3_cursor_extent(NV3State *s, NV3Scanout *out);
/* crc32.c: the CRC-32 of IEEE 802.3. @crc is 0, or the result for the preceding data. */
uint32_t nv3_crc32(uint32_t crc, const void *data, size_t len);

/* Returns a palette entry as x8r8g8b8. Components of 6 bits are extended to 8 bits. */
uint32_t nv3_dac_colour(const NV3State *s, uint8_t index);

/*
 * Access the ports of one block. Like nv3_vga_port_*(), these functions return false if
 * the host's VGA must handle the access, too.
 */
bool nv3_crtc_read(NV3State *s, bool data, uint8_t *val);
bool nv3_crtc_write(NV3State *s, bool data, uint8_t val);
bool nv3_seq_read(NV3State *s, uint16_t port, uint8_t *val);
bool nv3_seq_write(NV3State *s, uint16_t port, uint8_t val);
bool nv3_dac_read(NV3State *s, uint16_t port, uint8_t *val);
bool nv3_dac_write(NV3State *s, uint16_t port, uint8_t val);
bool nv3_rma_read(NV3State *s, uint16_t port, uint8_t *val);
bool nv3_rma_write(NV3State *s, uint16_t port, uint8_t val);

/*
 * Access a VGA port in BAR0. The chip and the host's VGA handle the access as they handle
 * an access in I/O space.
 */
uint8_t nv3_prmcio_read(NV3State *s, uint32_t addr);
void nv3_prmcio_write(NV3State *s, uint32_t addr, uint8_t val);
uint8_t nv3_prmvio_read(NV3State *s, uint32_t addr);
void nv3_prmvio_write(NV3State *s, uint32_t addr, uint8_t val);
uint8_t nv3_user_dac_read(NV3State *s, uint32_t addr);
void nv3_user_dac_write(NV3State *s, uint32_t addr, uint8_t val);
/* VGA's memory aperture in BAR0. */
uint8_t nv3_prmfb_read(NV3State *s, uint32_t addr);
void nv3_prmfb_write(NV3State *s, uint32_t addr, uint8_t val);

/* Tables of the saved state. */
extern const NV3StateBlock nv3_display_state;
extern const NV3StateBlock nv3_pfb_state;
extern const NV3StateBlock nv3_pvideo_state;

#endif
