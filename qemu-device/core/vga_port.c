/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which block answers a VGA port: in I/O space, where VGA's colour bit chooses
 * between 0x3b0 and 0x3d0, and in the windows of BAR0.
 */
#include "nv3_int.h"

#define MISC_COLOUR     0x01

/* 0x3d4 and 0x3d5 by the name they have in this mode; other ports as they are. */
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

/* BAR0's windows are wider than VGA is. */
static bool is_vga(uint16_t port)
{
    return port >= 0x3b0 && port <= 0x3df;
}

uint8_t nv3_vga_window_read(NV3State *s, uint16_t port)
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

void nv3_vga_window_write(NV3State *s, uint16_t port, uint8_t val)
{
    if (!is_vga(port)) {
        nv3_unimp_write(s, "VGA window", port, val);
        return;
    }
    if (!nv3_vga_port_write(s, port, val) && s->ops.vga_write) {
        s->ops.vga_write(s->opaque, port, val);
    }
}
