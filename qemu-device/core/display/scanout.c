/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws one line of the picture: reads pixels from VRAM, applies the palette if
 * necessary, and draws the overlay (overlay.c) and then the cursor.
 *
 * The cursor is a 32x32 image in RAMIN with format A1R5G5B5 (xf86-video-nv
 * riva_cursor.c and riva_hw.c, CURSOR). A cursor pixel with its top bit set replaces
 * the picture's pixel. Other cursor pixels are XORed with the picture's pixel, so 0 is
 * transparent (86Box, "hardware cursor.txt" and nv3_core.c).
 */
#include "chip/cost.h"
#include "display/display.h"
#include "display/pvideo.h"

static uint32_t expand_5(uint32_t v)
{
    return v << 3 | v >> 2;
}

static uint32_t expand_6(uint32_t v)
{
    return v << 2 | v >> 4;
}

static uint32_t from_1555(uint16_t v)
{
    return expand_5(v >> 10 & 31) << 16 | expand_5(v >> 5 & 31) << 8 |
           expand_5(v & 31);
}

static uint32_t from_565(uint16_t v)
{
    return expand_5(v >> 11) << 16 | expand_6(v >> 5 & 63) << 8 |
           expand_5(v & 31);
}

static uint16_t get_16(const uint8_t *p)
{
    return p[0] | p[1] << 8;
}

/* ---- pixels -------------------------------------------------------------- */

static uint32_t bytes_per_pixel(NV3ScanoutFormat format)
{
    switch (format) {
    case NV3_SCANOUT_C8:
        return 1;
    case NV3_SCANOUT_X1R5G5B5:
    case NV3_SCANOUT_R5G6B5:
        return 2;
    default:
        return 4;
    }
}

/*
 * Returns a pointer to the bytes of a line. If the line wraps around at the end of VRAM,
 * copies it to @wrapped and returns @wrapped.
 */
static const uint8_t *line_bytes(NV3State *s, uint32_t offset, uint32_t len,
                                 uint8_t *wrapped)
{
    uint32_t till_end;

    offset &= s->vram_reach - 1;
    till_end = s->vram_reach - offset;
    if (len <= till_end) {
        return s->vram + offset;
    }
    memcpy(wrapped, s->vram + offset, till_end);
    memcpy(wrapped + till_end, s->vram, len - till_end);
    return wrapped;
}

static void convert(NV3State *s, const NV3Scanout *out, const uint8_t *src,
                    uint32_t *dst)
{
    uint32_t colours[256];
    uint32_t x;

    switch (out->format) {
    case NV3_SCANOUT_C8:
        for (x = 0; x < 256; x++) {
            colours[x] = nv3_dac_colour(s, x & s->display.dac.pixel_mask);
        }
        for (x = 0; x < out->width; x++) {
            dst[x] = colours[src[x]];
        }
        break;
    case NV3_SCANOUT_X1R5G5B5:
        for (x = 0; x < out->width; x++) {
            dst[x] = from_1555(get_16(src + x * 2));
        }
        break;
    case NV3_SCANOUT_R5G6B5:
        for (x = 0; x < out->width; x++) {
            dst[x] = from_565(get_16(src + x * 2));
        }
        break;
    default:
        for (x = 0; x < out->width; x++) {
            dst[x] = nv3_ldl(src + x * 4) & 0xffffff;
        }
        break;
    }
}

/*
 * Translates each component of true-colour pixels with the palette. xf86-video-nv calls
 * this mode DirectColor, and enables it with the two PIXMIX bits (nv_hw.c).
 */
static void apply_gamma(const NV3State *s, uint32_t *dst, uint32_t width)
{
    uint32_t table[256];
    uint32_t x;

    for (x = 0; x < 256; x++) {
        table[x] = nv3_dac_colour(s, x);
    }
    for (x = 0; x < width; x++) {
        dst[x] = (table[dst[x] >> 16 & 0xff] & 0xff0000) |
                 (table[dst[x] >> 8 & 0xff] & 0x00ff00) |
                 (table[dst[x] & 0xff] & 0x0000ff);
    }
}

/* ---- cursor -------------------------------------------------------------- */

static int32_t sign_extend_12(uint32_t v)
{
    return (int32_t)(v << 20) >> 20;
}

static uint32_t cursor_address(const NV3State *s)
{
    const uint8_t *cr = s->display.crtc;

    return (cr[NV3_CRTC_CURSOR_0] & 0x3f) << 16 |
           (cr[NV3_CRTC_CURSOR_1] & 0xf8) << 8;
}

static bool cursor_on(const NV3State *s)
{
    return s->display.crtc[NV3_CRTC_CURSOR_1] & NV3_CURSOR_1_ENABLE;
}

/*
 * Reads a pixel of the cursor's image. The register that contains the image's address in
 * RAMIN has two bits more than RAMIN needs, so the image can also be elsewhere in VRAM.
 * The 16-byte blocks of the image are in descending order, as in RAMIN.
 */
static uint16_t cursor_pixel(const NV3State *s, uint32_t x, uint32_t y)
{
    uint32_t addr = cursor_address(s) + (y * NV3_CURSOR_SIZE + x) * 2;

    addr = NV3_RAMIN_TO_VRAM(addr, s->vram_size) & (s->vram_size - 1);
    return get_16(s->vram + addr);
}

static void draw_cursor(const NV3State *s, const NV3Scanout *out, int32_t line,
                        uint32_t *dst)
{
    int32_t row = line - out->cursor.y;
    uint32_t x;

    if (row < 0 || row >= (int32_t)out->cursor.lines) {
        return;
    }
    row = row * NV3_CURSOR_SIZE / (int32_t)out->cursor.lines;
    for (x = 0; x < NV3_CURSOR_SIZE; x++) {
        int64_t at = (int64_t)out->cursor.x + x;
        uint16_t pixel = cursor_pixel(s, x, row);

        if (at < 0 || at >= out->width) {
            continue;
        }
        if (pixel & 0x8000) {
            dst[at] = from_1555(pixel);
        } else {
            dst[at] ^= from_1555(pixel);
        }
    }
}

static uint32_t cursor_crc(const NV3State *s)
{
    uint32_t addr = cursor_address(s);
    uint32_t crc = 0;
    uint32_t i;

    for (i = 0; i < NV3_CURSOR_SIZE * NV3_CURSOR_SIZE * 2; i += 16) {
        uint32_t block = NV3_RAMIN_TO_VRAM(addr + i, s->vram_size);

        crc = nv3_crc32(crc, s->vram + (block & (s->vram_size - 1)), 16);
    }
    return crc;
}

void nv3_cursor_extent(NV3State *s, NV3Scanout *out)
{
    const NV3Display *d = &s->display;

    if (!cursor_on(s)) {
        return;
    }
    out->cursor.on = true;
    out->cursor.x = sign_extend_12(d->cursor_pos);
    out->cursor.y = sign_extend_12(d->cursor_pos >> 16);
    out->cursor.lines = NV3_CURSOR_SIZE;
    /*
     * If each line of the picture already has several scan lines, the cursor's double
     * scan has no effect.
     */
    if ((d->crtc[NV3_CRTC_CURSOR_1] & NV3_CURSOR_1_SCAN_DOUBLE) &&
        nv3_display_line_repeat(s) == 1) {
        out->cursor.lines *= 2;
    }
    /*
     * No event reports changes of the image, so the host detects them by comparing the
     * CRC.
     */
    out->cursor.crc = cursor_crc(s);
}

bool nv3_cursor_image(NV3State *s, uint32_t *argb)
{
    for (uint32_t i = 0; i < NV3_CURSOR_SIZE * NV3_CURSOR_SIZE; i++) {
        uint16_t pixel = cursor_pixel(s, i % NV3_CURSOR_SIZE, i / NV3_CURSOR_SIZE);

        if (pixel & 0x8000) {
            argb[i] = 0xff000000 | from_1555(pixel);
        } else if (pixel) {
            return false;
        } else {
            argb[i] = 0;
        }
    }
    return true;
}

/* ---- functions that the host calls --------------------------------------- */

void nv3_scanout_line(NV3State *s, const NV3Scanout *out, uint32_t y,
                      uint32_t *dst)
{
    uint8_t wrapped[NV3_SCANOUT_WIDTH_MAX * 4];
    const uint8_t *src;

    nv3_step(PICTURE_LINE, 1);
    if (out->blank || out->format == NV3_SCANOUT_VGA) {
        memset(dst, 0, out->width * sizeof(*dst));
        return;
    }
    src = line_bytes(s, out->offset + y * out->pitch,
                     out->width * bytes_per_pixel(out->format), wrapped);
    convert(s, out, src, dst);
    if (out->format != NV3_SCANOUT_C8 &&
        (s->display.general & NV3_GENERAL_PIXMIX_ON) == NV3_GENERAL_PIXMIX_ON) {
        apply_gamma(s, dst, out->width);
    }
    nv3_overlay_line(s, out, y, src, dst);
    if (out->cursor.on) {
        draw_cursor(s, out, y, dst);
    }
}

bool nv3_scanout_changed(NV3State *s)
{
    NV3Display *d = &s->display;
    bool changed;

    nv3_display_latch(s);
    changed = d->changed;
    d->changed = false;
    return changed;
}
