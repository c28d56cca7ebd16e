/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws one line of the video overlay: reads YUV 4:2:2 from VRAM, scales it, converts it
 * to RGB and stores it in the overlay's rectangle. If the colour key is enabled, the
 * overlay replaces only pixels of the key's colour. Scaling precedes the conversion. The
 * scaler first interpolates between two source lines, and then between two pixels of the
 * resulting line.
 */
#include "display/display.h"
#include "display/pvideo.h"

#define ONE         NV3_PVIDEO_STEP_SIZE_ONE
#define ONE_SHIFT   11
/*
 * Maximum number of source pixels for a line of the overlay. The widest overlay has this
 * number at a scale of 1:1, including pixels for interpolation.
 */
#define PIXELS_MAX  2050

/*
 * A pixel or a weighted sum of pixels. Each interpolation multiplies the components by
 * 2048.
 */
typedef struct Yuv {
    uint32_t y, u, v;
} Yuv;

/*
 * Reads a pair of pixels. A pair has four bytes at an aligned address, so it never
 * crosses the end of VRAM.
 */
static void get_pair(const NV3State *s, const NV3Overlay *o, uint32_t line,
                     uint32_t pair, Yuv out[2])
{
    uint32_t addr = o->start + line * o->pitch + pair * 4;
    const uint8_t *p = s->vram + (addr & (s->vram_reach - 1));
    unsigned luma = o->yuy2 ? 0 : 1;
    unsigned chroma = !luma;

    out[0] = (Yuv) { p[luma], p[chroma], p[chroma + 2] };
    out[1] = (Yuv) { p[luma + 2], p[chroma], p[chroma + 2] };
}

static Yuv mix(Yuv a, Yuv b, uint32_t part)
{
    return (Yuv) {
        .y = a.y * (ONE - part) + b.y * part,
        .u = a.u * (ONE - part) + b.u * part,
        .v = a.v * (ONE - part) + b.v * part,
    };
}

/*
 * Reads @count pixels of a source line, starting with the first displayed pixel. @at:
 * position of the line, in 2048ths of a line. If BLUR is set, interpolates between two
 * source lines.
 */
static void get_line(const NV3State *s, const NV3Overlay *o, uint32_t at,
                     uint32_t count, Yuv *out)
{
    uint32_t line = at >> ONE_SHIFT;
    uint32_t part = o->blur ? at & (ONE - 1) : 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t pixel = i + o->skip;
        Yuv upper[2], lower[2];

        get_pair(s, o, line, pixel / 2, upper);
        if (part) {
            get_pair(s, o, line + 1, pixel / 2, lower);
        } else {
            memcpy(lower, upper, sizeof(lower));
        }
        out[i] = mix(upper[pixel & 1], lower[pixel & 1], part);
    }
}

static uint32_t clamp(int32_t v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

/*
 * Converts YUV to RGB according to ITU-R BT.601 with limited range. The function reduces
 * the components of @c to 8 integer bits and 4 fraction bits. The conversion factors are
 * in 256ths. @bias: brightness offsets of red, green and blue.
 */
static uint32_t to_rgb(Yuv c, const int32_t bias[3])
{
    int32_t y = 298 * ((int32_t)(c.y >> (2 * ONE_SHIFT - 4)) - (16 << 4));
    int32_t u = (int32_t)(c.u >> (2 * ONE_SHIFT - 4)) - (128 << 4);
    int32_t v = (int32_t)(c.v >> (2 * ONE_SHIFT - 4)) - (128 << 4);
    int32_t half = 1 << 11;

    return clamp(((y + 409 * v + half) >> 12) + bias[0]) << 16 |
           clamp(((y - 100 * u - 208 * v + half) >> 12) + bias[1]) << 8 |
           clamp(((y + 516 * u + half) >> 12) + bias[2]);
}

/*
 * Computes the brightness offsets. The registers contain the value to add to green and
 * the values to subtract from red and blue, in units of 2
 * (docs/reference/chip/display.md).
 */
static void get_bias(const NV3Overlay *o, int32_t bias[3])
{
    bias[0] = (NV3_PVIDEO_RED_CSC_NEUTRAL - o->csc[0]) * 2;
    bias[1] = (o->csc[1] - NV3_PVIDEO_GREEN_CSC_NEUTRAL) * 2;
    bias[2] = (NV3_PVIDEO_BLUE_CSC_NEUTRAL - o->csc[2]) * 2;
}

/*
 * Returns true if pixel @x has the colour of the key. The function ignores bits of @key
 * that the format does not use, because some drivers set these bits and others clear
 * them.
 */
static bool is_key(const NV3Scanout *out, const uint8_t *pixels, uint32_t x,
                   uint32_t key)
{
    uint32_t pixel;

    switch (out->format) {
    case NV3_SCANOUT_C8:
        return pixels[x] == (key & 0xff);
    case NV3_SCANOUT_X1R5G5B5:
        pixel = pixels[x * 2] | pixels[x * 2 + 1] << 8;
        return !((pixel ^ key) & 0x7fff);
    case NV3_SCANOUT_R5G6B5:
        pixel = pixels[x * 2] | pixels[x * 2 + 1] << 8;
        return !((pixel ^ key) & 0xffff);
    default:
        return !((nv3_ldl(pixels + x * 4) ^ key) & 0xffffff);
    }
}

/*
 * Sets *@row to the row of the overlay on the first scan line of picture line @y. A line
 * of the picture can have several scan lines, and a row of the overlay has one scan line.
 * Returns false if no row is on this scan line.
 */
static bool window_row(const NV3State *s, const NV3Overlay *o, uint32_t y,
                       uint32_t *row)
{
    uint32_t scan_line = y * nv3_display_line_repeat(s);

    *row = scan_line - o->y;
    return o->on && scan_line >= o->y && *row < o->height;
}

void nv3_overlay_line(NV3State *s, const NV3Scanout *out, uint32_t y,
                      const uint8_t *pixels, uint32_t *dst)
{
    const NV3Overlay *o = &s->pvideo.shown;
    Yuv line[PIXELS_MAX];
    int32_t bias[3];
    uint32_t width, row;

    if (!window_row(s, o, y, &row) || o->x >= out->width || !o->width) {
        return;
    }
    width = o->width < out->width - o->x ? o->width : out->width - o->x;
    get_line(s, o, row * o->step_y + o->phase,
             ((width - 1) * o->step_x >> ONE_SHIFT) + 2, line);
    get_bias(o, bias);
    for (uint32_t x = 0; x < width; x++) {
        uint32_t at = x * o->step_x;
        const Yuv *left = &line[at >> ONE_SHIFT];

        if (!o->keyed || is_key(out, pixels, o->x + x, o->key)) {
            dst[o->x + x] = to_rgb(mix(left[0], left[1],
                                       o->smooth ? at & (ONE - 1) : 0), bias);
        }
    }
}

void nv3_overlay_extent(const NV3State *s, NV3Scanout *out)
{
    const NV3Overlay *o = &s->pvideo.shown;
    uint32_t repeat = nv3_display_line_repeat(s);
    uint32_t top = (o->y + repeat - 1) / repeat;
    uint32_t bottom = (o->y + o->height + repeat - 1) / repeat;
    uint32_t rows;

    if (bottom > out->height) {
        bottom = out->height;
    }
    if (!o->on || !o->width || o->x >= out->width || top >= bottom) {
        return;
    }
    /*
     * The number of source lines, plus one: interpolation may read the line after the
     * last one.
     */
    rows = (((o->height - 1) * o->step_y + o->phase) >> ONE_SHIFT) + 2;
    out->overlay.top = top;
    out->overlay.lines = bottom - top;
    out->overlay.offset = o->start & (s->vram_reach - 1);
    out->overlay.bytes = rows * o->pitch + PIXELS_MAX * 2;
    if (out->overlay.bytes > s->vram_reach - out->overlay.offset) {
        out->overlay.offset = 0;
        out->overlay.bytes = s->vram_reach;
    }
}
