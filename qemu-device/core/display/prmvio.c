/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the ports of VGA's sequencer and of its miscellaneous output register.
 * Sequencer register 6 is the lock of the extended CRTC registers. On later chips CRTC
 * register 0x1f is the lock (xf86-video-nv riva_hw.c, nv3LockUnlock(); rnndb
 * display/nv_vga.xml). A read of the lock returns 3 if the registers are unlocked and 0
 * if they are locked, as documented for later chips.
 */
#include "display/display.h"

#define PORT_MISC_WRITE     0x3c2
#define PORT_SEQ_INDEX      0x3c4
#define PORT_SEQ_DATA       0x3c5
#define SEQ_CLOCK           1
#define SEQ_UNLOCKED        3

bool nv3_seq_read(NV3State *s, uint16_t port, uint8_t *val)
{
    const NV3Display *d = &s->display;

    if (port == PORT_SEQ_DATA && d->seq_index == NV3_SEQ_LOCK) {
        *val = d->unlocked ? SEQ_UNLOCKED : 0;
        return true;
    }
    return false;
}

bool nv3_seq_write(NV3State *s, uint16_t port, uint8_t val)
{
    NV3Display *d = &s->display;

    switch (port) {
    case PORT_MISC_WRITE:
        d->misc = val;
        nv3_display_retime(s);
        return false;
    case PORT_SEQ_INDEX:
        d->seq_index = val;
        return false;
    case PORT_SEQ_DATA:
        break;
    default:
        return false;
    }

    switch (d->seq_index) {
    case SEQ_CLOCK:
        d->seq_clock = val;
        nv3_display_retime(s);
        return false;
    case NV3_SEQ_LOCK:
        if (val == NV3_CRTC_UNLOCK_VALUE) {
            d->unlocked = true;
        } else if (val == NV3_CRTC_LOCK_VALUE) {
            d->unlocked = false;
        }
        return true;
    default:
        return false;
    }
}
