/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes accesses to VGA ports, in I/O space and in BAR0, to the block that handles the
 * port. VGA's colour bit determines whether the CRTC is at 0x3b0 or at 0x3d0.
 */
#include "display/display.h"

#define MISC_COLOUR     0x01

/*
 * Maps the CRTC's current ports to 0x3d4 and 0x3d5, and its inactive ports to 0x3b4 and
 * 0x3b5. Returns other ports unchanged.
 */
static uint16_t canonical(const NV3State *s, uint16_t port)
{
    bool colour = s->display.misc & MISC_COLOUR;

    switch (port) {
    case 0x3b4:
    case 0x3b5:
        return colour ? port : port + 0x20;
    case 0x3d4:
    case 0x3d5:
        return colour ? port : port - 0x20;
    default:
        return port;
    }
}

bool nv3_vga_port_read(NV3State *s, uint16_t port, uint8_t *val)
{
    port = canonical(s, port);
    switch (port) {
    case 0x3c4 ... 0x3c5:
        return nv3_seq_read(s, port, val);
    case 0x3c6 ... 0x3c9:
        return nv3_dac_read(s, port, val);
    case 0x3d0 ... 0x3d3:
        return nv3_rma_read(s, port, val);
    case 0x3d4 ... 0x3d5:
        return nv3_crtc_read(s, port & 1, val);
    default:
        return false;
    }
}

bool nv3_vga_port_write(NV3State *s, uint16_t port, uint8_t val)
{
    port = canonical(s, port);
    switch (port) {
    case 0x3c2:
    case 0x3c4 ... 0x3c5:
        return nv3_seq_write(s, port, val);
    case 0x3c6 ... 0x3c9:
        return nv3_dac_write(s, port, val);
    case 0x3d0 ... 0x3d3:
        return nv3_rma_write(s, port, val);
    case 0x3d4 ... 0x3d5:
        return nv3_crtc_write(s, port & 1, val);
    default:
        return false;
    }
}

/* ---- the memory aperture -------------------------------------------------- */

/*
 * Returns true in the chip's own modes for the first 64 KiB of VGA's aperture. This range
 * shows a bank of VRAM. Separate registers select the bank for reads and the bank for
 * writes (envytools, hw/display/nv3/pcrtc).
 */
static bool is_banked(const NV3State *s, uint32_t offset)
{
    return nv3_display_owns_vga_mem(s) && offset < 0x10000;
}

static uint32_t bank_address(const NV3State *s, uint8_t reg, uint32_t offset)
{
    return (s->display.crtc[reg] * 0x8000u + offset) & (s->vram_reach - 1);
}

bool nv3_vga_mem_read(NV3State *s, uint32_t offset, uint8_t *val)
{
    if (!is_banked(s, offset)) {
        return false;
    }
    *val = s->vram[bank_address(s, NV3_CRTC_READ_BANK, offset)];
    return true;
}

bool nv3_vga_mem_write(NV3State *s, uint32_t offset, uint8_t val)
{
    uint32_t addr = bank_address(s, NV3_CRTC_WRITE_BANK, offset);

    if (!is_banked(s, offset)) {
        return false;
    }
    s->vram[addr] = val;
    nv3_vram_dirty(s, addr, 1);
    return true;
}

/* ---- BAR0 ------------------------------------------------------------------ */

/*
 * Returns true for VGA's ports. The ranges of BAR0 for VGA's ports also contain offsets
 * that are not ports.
 */
static bool is_vga(uint16_t port)
{
    return port >= 0x3b0 && port <= 0x3df;
}

static uint8_t window_read(NV3State *s, uint16_t port)
{
    uint8_t val = 0xff;

    if (!is_vga(port)) {
        return nv3_unimp_read(s, "VGA window", port);
    }
    if (!nv3_vga_port_read(s, port, &val) && s->ops.vga_read) {
        val = s->ops.vga_read(s->opaque, port);
    }
    return val;
}

static void window_write(NV3State *s, uint16_t port, uint8_t val)
{
    if (!is_vga(port)) {
        nv3_unimp_write(s, "VGA window", port, val);
        return;
    }
    if (!nv3_vga_port_write(s, port, val) && s->ops.vga_write) {
        s->ops.vga_write(s->opaque, port, val);
    }
}

uint8_t nv3_prmcio_read(NV3State *s, uint32_t addr)
{
    return window_read(s, addr & 0xfff);
}

void nv3_prmcio_write(NV3State *s, uint32_t addr, uint8_t val)
{
    window_write(s, addr & 0xfff, val);
}

uint8_t nv3_prmvio_read(NV3State *s, uint32_t addr)
{
    return window_read(s, addr & 0xfff);
}

void nv3_prmvio_write(NV3State *s, uint32_t addr, uint8_t val)
{
    window_write(s, addr & 0xfff, val);
}

uint8_t nv3_user_dac_read(NV3State *s, uint32_t addr)
{
    return window_read(s, addr & 0xfff);
}

void nv3_user_dac_write(NV3State *s, uint32_t addr, uint8_t val)
{
    window_write(s, addr & 0xfff, val);
}

uint8_t nv3_prmfb_read(NV3State *s, uint32_t addr)
{
    uint32_t offset = addr - NV3_PRMFB;
    uint8_t val = 0xff;

    if (!nv3_vga_mem_read(s, offset, &val) && s->ops.vga_mem_read) {
        val = s->ops.vga_mem_read(s->opaque, offset);
    }
    return val;
}

void nv3_prmfb_write(NV3State *s, uint32_t addr, uint8_t val)
{
    uint32_t offset = addr - NV3_PRMFB;

    if (!nv3_vga_mem_write(s, offset, val) && s->ops.vga_mem_write) {
        s->ops.vga_mem_write(s->opaque, offset, val);
    }
}
