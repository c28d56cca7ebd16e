/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * USER_DAC: VGA's palette of 256 colours with 6 or 8 bits per component. The host's VGA
 * also receives every write, so that both have the same palette.
 */
#include "display/display.h"

#define PORT_MASK           0x3c6
#define PORT_READ_INDEX     0x3c7
#define PORT_WRITE_INDEX    0x3c8
#define PORT_DATA           0x3c9

/* Values of port 0x3c7, VGA's DAC state. */
#define STATE_WRITING       0
#define STATE_READING       3

static uint32_t expand(const NV3State *s, uint8_t component)
{
    if (s->display.general & NV3_GENERAL_BPC_8) {
        return component;
    }
    component &= 0x3f;
    return component << 2 | component >> 4;
}

uint32_t nv3_dac_colour(const NV3State *s, uint8_t index)
{
    const uint8_t *entry = &s->display.dac.palette[index * 3];

    return expand(s, entry[0]) << 16 | expand(s, entry[1]) << 8 |
           expand(s, entry[2]);
}

bool nv3_dac_read(NV3State *s, uint16_t port, uint8_t *val)
{
    NV3Dac *dac = &s->display.dac;

    switch (port) {
    case PORT_MASK:
        *val = dac->pixel_mask;
        break;
    case PORT_READ_INDEX:
        *val = dac->reading ? STATE_READING : STATE_WRITING;
        break;
    case PORT_WRITE_INDEX:
        *val = dac->write_index;
        break;
    default:
        *val = dac->palette[dac->read_index * 3 + dac->component];
        if (++dac->component == 3) {
            dac->component = 0;
            dac->read_index++;
        }
        break;
    }
    return true;
}

bool nv3_dac_write(NV3State *s, uint16_t port, uint8_t val)
{
    NV3Dac *dac = &s->display.dac;

    switch (port) {
    case PORT_MASK:
        dac->pixel_mask = val;
        s->display.changed = true;
        break;
    case PORT_READ_INDEX:
        dac->read_index = val;
        dac->component = 0;
        dac->reading = true;
        break;
    case PORT_WRITE_INDEX:
        dac->write_index = val;
        dac->component = 0;
        dac->reading = false;
        break;
    default:
        dac->latch[dac->component] = val;
        if (++dac->component == 3) {
            memcpy(&dac->palette[dac->write_index * 3], dac->latch, 3);
            dac->component = 0;
            dac->write_index++;
            s->display.changed = true;
        }
        break;
    }
    return false;
}
