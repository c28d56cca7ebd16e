/* SPDX-License-Identifier: GPL-2.0-or-later AND MIT */
/*
 * Defines the dither pattern, and converts textures to the format of the span loops.
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
#include "raster/raster_int.h"
#include "raster/tables.h"

/*
 * Dithers from 8 bits to 5, like hwtest's model for a 10-bit value whose lowest two bits
 * are 0 (nvhw/pgraph.c, nv01_pgraph_dither_10to5). The low three bits and the pixel's
 * position decide whether a component is rounded up. The position determines three
 * values: the place in a cell of 2x2 pixels (tx, ty), the colour of the cell in a
 * checkerboard of cells (w), and an element (z) of a pattern. The pattern has 4x4
 * elements, each of which covers 4x4 pixels. The element is inverted for green.
 *
 * At some positions, a component is rounded up although a component with a larger value
 * of the low three bits is not. Therefore a matrix of thresholds cannot express the
 * result. Instead, nv3_raster_dither has one byte for each pixel of a 16x16 tile, and a
 * second tile for green. Bit s of the byte is set if a component whose low three bits
 * equal s is rounded up.
 */
#define CELL(z, w, tx, ty) \
    ((!(tx) && !(ty) && ((z) ^ (w))) << 1 | \
     ((tx) == (ty) && ((tx) ^ (z))) << 2 | \
     ((tx) == (ty) && (!(tx) || ((z) ^ (w)))) << 3 | \
     ((tx) == (ty)) << 4 | \
     ((tx) == (ty) || ((tx) && !(ty) && ((z) ^ (w)))) << 5 | \
     ((tx) == (ty) || ((ty) ^ (z))) << 6 | \
     ((tx) || !(ty) || ((z) ^ (w))) << 7)
/* Bit 4 * row + column is the element (row, column) of the 4x4 pattern. */
#define PATTERN 0xfc46
#define PIXEL(g, y, x) \
    CELL((PATTERN >> (((y) >> 2) * 4 + ((x) >> 2)) & 1) ^ (g), \
         ((x) ^ (y)) >> 1 & 1, (x) & 1, (y) & 1)
#define LINE(g, y) \
    { PIXEL(g, y, 0), PIXEL(g, y, 1), PIXEL(g, y, 2), PIXEL(g, y, 3), \
      PIXEL(g, y, 4), PIXEL(g, y, 5), PIXEL(g, y, 6), PIXEL(g, y, 7), \
      PIXEL(g, y, 8), PIXEL(g, y, 9), PIXEL(g, y, 10), PIXEL(g, y, 11), \
      PIXEL(g, y, 12), PIXEL(g, y, 13), PIXEL(g, y, 14), PIXEL(g, y, 15) }
#define LINES(g) \
    { LINE(g, 0), LINE(g, 1), LINE(g, 2), LINE(g, 3), \
      LINE(g, 4), LINE(g, 5), LINE(g, 6), LINE(g, 7), \
      LINE(g, 8), LINE(g, 9), LINE(g, 10), LINE(g, 11), \
      LINE(g, 12), LINE(g, 13), LINE(g, 14), LINE(g, 15) }

const uint8_t nv3_raster_dither[2][16][16] = { LINES(0), LINES(1) };

#define PATTERN_BIT(i) ((PATTERN >> (i) & 1) << 3)

const NV3DitherCells nv3_raster_dither_cells = {
    .x = { 0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15,
           0x20, 0x21, 0x24, 0x25, 0x30, 0x31, 0x34, 0x35 },
    .y = { 0x00, 0x02, 0x04, 0x06, 0x40, 0x42, 0x44, 0x46,
           0x80, 0x82, 0x84, 0x86, 0xc0, 0xc2, 0xc4, 0xc6 },
    .pattern = {
        PATTERN_BIT(0), PATTERN_BIT(1), PATTERN_BIT(2), PATTERN_BIT(3),
        PATTERN_BIT(4), PATTERN_BIT(5), PATTERN_BIT(6), PATTERN_BIT(7),
        PATTERN_BIT(8), PATTERN_BIT(9), PATTERN_BIT(10), PATTERN_BIT(11),
        PATTERN_BIT(12), PATTERN_BIT(13), PATTERN_BIT(14), PATTERN_BIT(15),
    },
    .outcome = {
        CELL(0, 0, 0, 0), CELL(0, 0, 1, 0), CELL(0, 0, 0, 1), CELL(0, 0, 1, 1),
        CELL(0, 1, 0, 0), CELL(0, 1, 1, 0), CELL(0, 1, 0, 1), CELL(0, 1, 1, 1),
        CELL(1, 0, 0, 0), CELL(1, 0, 1, 0), CELL(1, 0, 0, 1), CELL(1, 0, 1, 1),
        CELL(1, 1, 0, 0), CELL(1, 1, 1, 0), CELL(1, 1, 0, 1), CELL(1, 1, 1, 1),
    },
};

#define PIXEL_RB(y, x) (PIXEL(0, y, x) * 0x101)
#define PIXEL_GA(y, x) (PIXEL(1, y, x) | PIXEL(0, y, x) << 8)
#define PIXEL_A(y, x) (PIXEL(0, y, x) << 8)
#define PAIR_LINE(f, y) \
    { f(y, 0), f(y, 1), f(y, 2), f(y, 3), f(y, 4), f(y, 5), f(y, 6), \
      f(y, 7), f(y, 8), f(y, 9), f(y, 10), f(y, 11), f(y, 12), f(y, 13), \
      f(y, 14), f(y, 15) }
/* Like PAIR_LINE, with the first 8 entries repeated at the end. */
#define LONG_LINE(f, y) \
    { f(y, 0), f(y, 1), f(y, 2), f(y, 3), f(y, 4), f(y, 5), f(y, 6), \
      f(y, 7), f(y, 8), f(y, 9), f(y, 10), f(y, 11), f(y, 12), f(y, 13), \
      f(y, 14), f(y, 15), f(y, 0), f(y, 1), f(y, 2), f(y, 3), f(y, 4), \
      f(y, 5), f(y, 6), f(y, 7) }
#define PLAIN_LINE(y) { .ga = LONG_LINE(PIXEL_A, y) }
#define DITHER_LINE(y) \
    { .rb = PAIR_LINE(PIXEL_RB, y), .ga = LONG_LINE(PIXEL_GA, y) }
#define PAIR_LINES(line) \
    { line(0), line(1), line(2), line(3), line(4), line(5), line(6), \
      line(7), line(8), line(9), line(10), line(11), line(12), line(13), \
      line(14), line(15) }

const NV3DitherLine nv3_raster_dither_lines[2][16] = {
    PAIR_LINES(PLAIN_LINE), PAIR_LINES(DITHER_LINE),
};

#define REPEAT(v) { v, v, v, v, v, v, v, v }
const uint32_t nv3_simd_constants[][8] = NV3_SIMD_CONSTANTS(REPEAT);

size_t nv3_texture_pairs_size(unsigned log2)
{
    size_t n = (size_t)1 << log2;

    return (n + 1) * n * sizeof(uint32_t);
}

/* Returns @i with bit n moved to bit 2 * n, for the swizzled address of a texel. */
static uint32_t nv3_texture_spread(uint32_t i)
{
    i = (i | i << 8) & 0x00ff00ff;
    i = (i | i << 4) & 0x0f0f0f0f;
    i = (i | i << 2) & 0x33333333;
    return (i | i << 1) & 0x55555555;
}

void nv3_texture_pairs(uint32_t *dst, const uint16_t *raw, unsigned log2)
{
    nv3_texture_pairs_lines(dst, raw, log2, 0, 1u << log2);
}

void nv3_texture_pairs_lines(uint32_t *dst, const uint16_t *raw, unsigned log2,
                             uint32_t from, uint32_t to)
{
    const uint32_t n = 1u << log2, xmask = 0x55555555;

    dst += (size_t)from * (n + 1);
    for (uint32_t y = from; y < to; y++) {
        const uint16_t *line = raw + (nv3_texture_spread(y) << 1);
        const uint16_t *below =
            raw + (nv3_texture_spread((y + 1) & (n - 1)) << 1);
        uint32_t sx = 0;

        for (uint32_t x = 0; x < n; x++) {
            dst[x] = nv3_lduw(line + sx) |
                     (uint32_t)nv3_lduw(below + sx) << 16;
            /* Increment x, whose bits are the even bits of the swizzled address. */
            sx = (sx - xmask) & xmask;
        }
        dst[n] = dst[0];
        dst += n + 1;
    }
}
