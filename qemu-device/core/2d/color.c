/* SPDX-License-Identifier: GPL-2.0-or-later AND MIT */
/*
 * Expands source colours, and dithers components (rop.h). Tables and arithmetic are from
 * envytools nvhw/pgraph.c: pgraph_expand_color(), nv03_pgraph_expand_surf(),
 * nv01_pgraph_dither_10to5().
 */
/*
 * The notice of envytools for nvhw/pgraph.c:
 *
 * Copyright (C) 2012 Marcelina Kościelnicka <mwk@0x04.net>
 * All Rights Reserved.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice (including the next
 * paragraph) shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.  IN NO EVENT SHALL
 * THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR
 * OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
 * ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR
 * OTHER DEALINGS IN THE SOFTWARE.
 */
#include "2d/rop.h"

static uint32_t bits(uint32_t val, unsigned low, unsigned count)
{
    return nv3_bits(val, low, count);
}

NV3Color nv3_color_expand(const NV3Pgraph *g, uint32_t color)
{
    NV3Color c = { .y8 = color, .y16 = color };

    switch (g->ctx_switch & NV3_GROBJ_COLOR_FORMAT) {
    case NV3_GROBJ_FORMAT_R5G5B5:
        c.mode = NV3_MODE_RGB5;
        c.a = bits(color, 15, 1) * 0xff;
        c.r = bits(color, 10, 5) << 5;
        c.g = bits(color, 5, 5) << 5;
        c.b = bits(color, 0, 5) << 5;
        break;
    case NV3_GROBJ_FORMAT_R10G10B10:
        c.mode = NV3_MODE_RGB10;
        c.a = bits(color, 30, 2) * 0x55;
        c.r = bits(color, 20, 10);
        c.g = bits(color, 10, 10);
        c.b = bits(color, 0, 10);
        break;
    case NV3_GROBJ_FORMAT_Y8:
        c.mode = NV3_MODE_Y8;
        c.a = bits(color, 8, 8);
        c.r = c.g = c.b = bits(color, 0, 8) << 2;
        break;
    case NV3_GROBJ_FORMAT_Y16:
        c.mode = NV3_MODE_Y16;
        c.a = bits(color, 24, 8);
        c.r = c.g = c.b = bits(color, 6, 10);
        break;
    default:
        c.mode = NV3_MODE_RGB8;
        c.a = bits(color, 24, 8);
        c.r = bits(color, 16, 8) << 2;
        c.g = bits(color, 8, 8) << 2;
        c.b = bits(color, 0, 8) << 2;
        break;
    }
    if (!(g->ctx_switch & NV3_GROBJ_ALPHA)) {
        c.a = 0xff;
    }
    return c;
}

/* In X8R8G8B8, the top byte (X) stores the two low bits of each 10-bit component. */
NV3Color nv3_color_from_pixel(unsigned format, uint32_t pixel)
{
    NV3Color c = { .a = 0xff, .y8 = pixel, .y16 = pixel };

    switch (format) {
    case NV3_SURF_Y8:
        c.mode = NV3_MODE_Y8;
        break;
    case NV3_SURF_X8R8G8B8:
        c.mode = NV3_MODE_RGB10;
        c.r = bits(pixel, 16, 8) << 2 | bits(pixel, 28, 2);
        c.g = bits(pixel, 8, 8) << 2 | bits(pixel, 26, 2);
        c.b = bits(pixel, 0, 8) << 2 | bits(pixel, 24, 2);
        break;
    default:
        c.mode = format == NV3_SURF_Y16 ? NV3_MODE_Y16 : NV3_MODE_RGB5;
        c.r = bits(pixel, 10, 5) << 5;
        c.g = bits(pixel, 5, 5) << 5;
        c.b = bits(pixel, 0, 5) << 5;
        break;
    }
    return c;
}

uint32_t nv3_color_pack(NV3Color c)
{
    return (c.a ? 1u << 30 : 0) | (uint32_t)c.r << 20 | (uint32_t)c.g << 10 | c.b;
}

NV3Color nv3_color_unpack(const NV3Pgraph *g, uint32_t packed)
{
    NV3Color c = nv3_color_expand(g, 0);

    c.a = packed >> 30 & 1 ? 0xff : 0;
    c.r = bits(packed, 20, 10);
    c.g = bits(packed, 10, 10);
    c.b = bits(packed, 0, 10);
    c.y8 = c.b >> 2;
    c.y16 = c.b << 6;
    return c;
}

unsigned nv3_color_bytes_by(uint32_t class, uint32_t options)
{
    switch (options & NV3_GROBJ_COLOR_FORMAT) {
    case NV3_GROBJ_FORMAT_R8G8B8:
    case NV3_GROBJ_FORMAT_R10G10B10:
    case 7:
        return 4;
    case NV3_GROBJ_FORMAT_Y16:
        return class == NV3_CLASS_D3D ? 1 : 4;
    case NV3_GROBJ_FORMAT_Y8:
        return 1;
    default:
        return 2;
    }
}

unsigned nv3_color_bytes(const NV3Pgraph *g)
{
    return nv3_color_bytes_by(nv3_pgraph_class(g), g->ctx_switch);
}

uint32_t nv3_mono_expand(uint32_t options, uint32_t mono)
{
    uint32_t m = mono;

    if (options & NV3_GROBJ_MONO_CGA6) {
        /*
         * With CGA6, the top bit of each byte is the first of the byte's eight pixels, so
         * reverse the bits of each byte.
         */
        m = (m & 0x0f0f0f0f) << 4 | (m >> 4 & 0x0f0f0f0f);
        m = (m & 0x33333333) << 2 | (m >> 2 & 0x33333333);
        m = (m & 0x55555555) << 1 | (m >> 1 & 0x55555555);
    }
    return m;
}

/*
 * Bits 4:2 of @val are the number of pixels that are rounded up, out of 8 pixels with the
 * same @val. If the number is 4, these pixels form a checkerboard. For other numbers,
 * @matrix selects one of two sets of pixels. It has a bit for each square of 4 x 4 pixels
 * in a tile of 16 x 16 pixels. For green, the bits of the matrix are inverted.
 */
unsigned nv3_dither_10to5(unsigned val, unsigned x, unsigned y, bool green)
{
    static const uint8_t matrix[4] = { 0x6, 0x4, 0xc, 0xf };
    unsigned step = val >> 2 & 7;
    unsigned tx = x & 1, ty = y & 1;
    bool same = tx == ty;
    bool z = (matrix[y >> 2 & 3] >> (x >> 2 & 3) & 1) ^ green;
    bool up = false;

    if (step & 1) {
        z ^= (x ^ y) >> 1 & 1;
    }
    switch (step) {
    case 1:
        up = !tx && !ty && z;
        break;
    case 2:
        up = same && (tx ^ z);
        break;
    case 3:
        up = same && (!tx || z);
        break;
    case 4:
        up = same;
        break;
    case 5:
        up = same || (tx && !ty && z);
        break;
    case 6:
        up = same || (ty ^ z);
        break;
    case 7:
        up = tx || !ty || z;
        break;
    }
    val >>= 5;
    return val < 0x1f ? val + up : val;
}
