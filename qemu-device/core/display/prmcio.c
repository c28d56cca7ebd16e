/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CRTC registers: VGA's registers 0x00 to 0x18, and the chip's own registers 0x19 to
 * 0x3f. Software must unlock the chip's own registers with sequencer register 6 before it
 * can write them (prmvio.c).
 *
 * Numbers and fields: xf86-video-nv riva_hw.c (LoadStateExt()), riva_setup.c
 * (DDC), rivatv's notes ("Extra CRTC registers").
 */
#include "display/display.h"

#define CR_OVERFLOW             0x07
#define CR_START_HIGH           0x0c
#define CR_START_LOW            0x0d
#define CR_VSYNC_END            0x11
#define CR_VSYNC_END_PROTECT    0x80    /* write-protects registers 0 to 7 */
#define OVERFLOW_LINE_COMPARE   0x10    /* never write-protected */

static void ddc_write(NV3State *s, uint8_t val)
{
    if (s->ops.ddc_set) {
        s->ops.ddc_set(s->opaque, val & NV3_DDC_WRITE_SCL,
                       val & NV3_DDC_WRITE_SDA);
    }
}

static uint8_t ddc_read(NV3State *s)
{
    uint8_t lines = s->ops.ddc_get ? s->ops.ddc_get(s->opaque) : 3;

    return (lines & 1 ? NV3_DDC_READ_SCL : 0) |
           (lines & 2 ? NV3_DDC_READ_SDA : 0);
}

static uint8_t extended_read(NV3State *s, uint8_t index)
{
    switch (index) {
    case NV3_CRTC_DDC_READ:
        return ddc_read(s);
    case NV3_CRTC_LINE_LOW:
        return nv3_display_line(s);
    case NV3_CRTC_LINE_HIGH:
        return nv3_display_line(s) >> 8;
    default:
        return s->display.crtc[index];
    }
}

static void extended_write(NV3State *s, uint8_t index, uint8_t val)
{
    NV3Display *d = &s->display;

    if (!d->unlocked) {
        nv3_log(s, GUEST_ERROR,
                "crtc: write of 0x%02x to locked register 0x%02x", val, index);
        return;
    }
    if (index == NV3_CRTC_REPAINT_0 || index == NV3_CRTC_EXT_HORZ) {
        nv3_display_latch(s);
    }
    d->crtc[index] = val;

    switch (index) {
    case NV3_CRTC_DDC_WRITE:
        ddc_write(s, val);
        break;
    case NV3_CRTC_RMA:
    case NV3_CRTC_ARB_BURST:
    case NV3_CRTC_ARB_WATERMARK:
        break;
    case NV3_CRTC_WRITE_BANK:
    case NV3_CRTC_READ_BANK:
        break;
    case NV3_CRTC_EXT_VERT:
    case NV3_CRTC_EXT_HORZ:
        nv3_display_retime(s);
        break;
    case NV3_CRTC_PIXEL_FORMAT:
        nv3_display_retime(s);
        nv3_display_own_vga_mem(s);
        break;
    case NV3_CRTC_REPAINT_0:
    case NV3_CRTC_REPAINT_1:
        d->changed = true;
        break;
    case NV3_CRTC_CURSOR_0:
    case NV3_CRTC_CURSOR_1:
        break;
    case NV3_CRTC_INTERLACE:
        if (val != 0xff) {
            nv3_log(s, UNIMP, "crtc: interlaced scanout");
        }
        break;
    default:
        nv3_log(s, UNIMP, "crtc: write of 0x%02x to register 0x%02x", val,
                index);
        break;
    }
}

static void vga_register_write(NV3State *s, uint8_t index, uint8_t val)
{
    NV3Display *d = &s->display;

    if (index <= CR_OVERFLOW &&
        (d->crtc[CR_VSYNC_END] & CR_VSYNC_END_PROTECT)) {
        if (index != CR_OVERFLOW) {
            return;
        }
        val = (d->crtc[index] & ~OVERFLOW_LINE_COMPARE) |
              (val & OVERFLOW_LINE_COMPARE);
    }
    if (index == CR_START_LOW || index == CR_START_HIGH) {
        nv3_display_latch(s);
    }
    d->crtc[index] = val;
    nv3_display_retime(s);
}

bool nv3_crtc_read(NV3State *s, bool data, uint8_t *val)
{
    NV3Display *d = &s->display;

    if (!data) {
        *val = d->crtc_index;
    } else if (d->crtc_index > NV3_CRTC_EXT_LAST) {
        nv3_log(s, UNIMP, "crtc: read of register 0x%02x", d->crtc_index);
        *val = 0;
    } else {
        *val = extended_read(s, d->crtc_index);
    }
    return true;
}

bool nv3_crtc_write(NV3State *s, bool data, uint8_t val)
{
    NV3Display *d = &s->display;

    if (!data) {
        d->crtc_index = val;
        return false;
    }
    if (d->crtc_index < NV3_CRTC_EXT_FIRST) {
        vga_register_write(s, d->crtc_index, val);
        return false;
    }
    if (d->crtc_index > NV3_CRTC_EXT_LAST) {
        nv3_log(s, UNIMP, "crtc: write of 0x%02x to register 0x%02x", val,
                d->crtc_index);
        return true;
    }
    extended_write(s, d->crtc_index, val);
    return true;
}
