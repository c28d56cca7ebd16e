/* SPDX-License-Identifier: GPL-2.0-or-later AND MIT */
/*
 * Computes the new value of a pixel from its old value and the source colour (rop.h).
 * Source: envytools nvhw/pgraph.c, nv03_pgraph_rop() and its callees.
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
#include "chip/cost.h"

#define OP_RPOP_DS      0x00
#define OP_ROP_PSS      0x09
#define OP_RPOP_SP      0x0f
#define OP_ROP_DSP      0x10
#define OP_ROP_PSD      0x15
#define OP_BLEND_DS     0x19
#define OP_BLEND_SD     0x1a
#define OP_BLEND_S      0x1d

#define ROP_SRC         0xcc
#define ROP_DST         0xaa

#define OPTION_BYPASS   0x00000200      /* CLUT_BYPASS: sets the top bit of pixels */
#define DEBUG_0_WRITE_ONLY_ROPS 0x00100000

static uint32_t bits(uint32_t val, unsigned low, unsigned count)
{
    return nv3_bits(val, low, count);
}

/*
 * Sets @operand to the three operands of operation @op: 0 is D, 1 is S, and 2 is P. @op
 * is from 1 to 0x15, but not 0xf. The values of the operands form an index into the truth
 * table of the raster operation. Bit i of this index is the value of @operand[i].
 */
static void rop_operands(unsigned op, unsigned operand[3])
{
    static const uint8_t three[][3] = {
        { 0, 1, 2 }, { 1, 0, 2 }, { 0, 2, 1 },
        { 2, 0, 1 }, { 1, 2, 0 }, { 2, 1, 0 },
    };

    for (unsigned i = 0; i < 3; i++) {
        if (op >= OP_ROP_DSP) {
            operand[i] = three[op - OP_ROP_DSP][i];
        } else {
            operand[i] = (op >> i & 1) + (op >= 8);
        }
    }
}

/*
 * Returns the truth table of an RPOP, an operation with two operands: S, and D or P.
 * @result contains the truth tables of four conditions: no operand is 1, only S is 1,
 * only the other operand is 1, and both are 1. The table includes condition n (0 to 3) if
 * @rop has a set bit whose index contains n ones in binary.
 */
static uint8_t rpop(uint8_t rop, const uint8_t result[4])
{
    uint8_t res = 0;

    res |= rop & 0x01 ? result[0] : 0;
    res |= rop & 0x16 ? result[1] : 0;
    res |= rop & 0x68 ? result[2] : 0;
    res |= rop & 0x80 ? result[3] : 0;
    return res;
}

/* Returns the truth table of operation @op with @rop, indexed by P, S and D. */
static uint8_t rop_translate(unsigned op, uint8_t rop)
{
    static const uint8_t rpop_ds[4] = { 0x11, 0x44, 0x22, 0x88 };
    static const uint8_t rpop_sp[4] = { 0x03, 0x0c, 0x30, 0xc0 };
    unsigned operand[3];
    uint8_t res = 0;

    switch (op) {
    case NV3_GROBJ_OP_SRCCOPY:
        return ROP_SRC;
    case OP_RPOP_DS:
        return rpop(rop, rpop_ds);
    case OP_RPOP_SP:
        return rpop(rop, rpop_sp);
    }
    rop_operands(op, operand);
    for (unsigned i = 0; i < 8; i++) {
        unsigned from = (i >> operand[0] & 1) | (i >> operand[1] & 1) << 1 |
                        (i >> operand[2] & 1) << 2;

        res |= (rop >> from & 1) << i;
    }
    return res;
}

/* Applies the truth table @rop to each bit of destination, source and pattern. */
static uint32_t rop_apply(uint8_t rop, uint32_t d, uint32_t s, uint32_t p)
{
    uint32_t res = 0;

    for (unsigned i = 0; i < 8; i++) {
        if (rop >> i & 1) {
            res |= (i & 1 ? d : ~d) & (i & 2 ? s : ~s) & (i & 4 ? p : ~p);
        }
    }
    return res;
}

/* Converts a 10:10:10 colour to the layout of operands in @mode. */
static uint32_t from_rgb10(NV3ColorMode mode, uint32_t val)
{
    switch (mode) {
    case NV3_MODE_Y8:
        return bits(val, 2, 8);
    case NV3_MODE_RGB5:
    case NV3_MODE_Y16:
        return bits(val, 25, 5) << 10 | bits(val, 15, 5) << 5 | bits(val, 5, 5);
    default:
        return val & 0x3fffffff;
    }
}

static uint32_t rgb5_to_rgb10(uint32_t val)
{
    return bits(val, 10, 5) << 25 | bits(val, 5, 5) << 15 | bits(val, 0, 5) << 5;
}

static NV3ColorMode working_mode(unsigned format, NV3ColorMode source)
{
    switch (format) {
    case NV3_SURF_Y8:
        return NV3_MODE_Y8;
    case NV3_SURF_X8R8G8B8:
        return NV3_MODE_RGB10;
    case NV3_SURF_Y16:
        if (source == NV3_MODE_Y16) {
            return NV3_MODE_Y16;
        }
        break;
    }
    return source == NV3_MODE_RGB5 ? NV3_MODE_RGB5 : NV3_MODE_RGB10;
}

static uint32_t working_mask(NV3ColorMode mode)
{
    switch (mode) {
    case NV3_MODE_Y8:
        return 0xff;
    case NV3_MODE_Y16:
        return 0xffff;
    case NV3_MODE_RGB5:
        return 0x7fff;
    default:
        return 0x3fffffff;
    }
}

static uint32_t bypass_bit(const NV3Rop *rop)
{
    if (rop->format == NV3_SURF_Y8 || rop->mode == NV3_MODE_Y16) {
        return 0;
    }
    return rop->format == NV3_SURF_X8R8G8B8 ? 0x80000000 : 0x8000;
}

static bool op_defined(unsigned op)
{
    return op <= OP_ROP_PSD || op == NV3_GROBJ_OP_SRCCOPY ||
           op == OP_BLEND_DS || op == OP_BLEND_SD || op == OP_BLEND_S;
}

void nv3_rop_init(NV3Rop *rop, const NV3Pgraph *g, unsigned format,
                  NV3ColorMode mode)
{
    unsigned op = nv3_pgraph_operation(g);

    nv3_step(SETUP, 1);
    *rop = (NV3Rop) {
        .format = format,
        .mode = working_mode(format, mode),
        .op = op,
        .blend = op > NV3_GROBJ_OP_SRCCOPY,
        .undefined = !op_defined(op),
        .pattern_shape = g->pattern_shape & 3,
        .beta = bits(g->beta, 23, 8),
    };
    rop->mask = working_mask(rop->mode);
    if (g->ctx_switch & OPTION_BYPASS) {
        rop->bypass = bypass_bit(rop);
    }
    rop->dither = format != NV3_SURF_X8R8G8B8 &&
                  (rop->mode == NV3_MODE_RGB10 || rop->blend);
    for (unsigned i = 0; i < 2; i++) {
        rop->pattern[i] = from_rgb10(rop->mode, g->pattern_rgb[i]);
        rop->pattern_a[i] = g->pattern_a[i];
        rop->pattern_bits[i] = g->pattern_mono[i];
    }
    if (rop->undefined || rop->blend) {
        return;
    }
    rop->rop = rop_translate(op, g->rop);
    rop->keep = rop->rop == ROP_DST &&
                g->debug[0] & DEBUG_0_WRITE_ONLY_ROPS &&
                !(g->ctx_switch & NV3_GROBJ_PLANE);
    rop->needs_pattern_a = op >= OP_ROP_PSS && op <= OP_ROP_PSD;
    /* The alpha bit of CHROMA, bit 30, enables the colour key. */
    rop->chroma_on = g->ctx_switch & NV3_GROBJ_CHROMA && g->chroma >> 30 & 1;
    rop->chroma = from_rgb10(rop->mode, g->chroma);
}

bool nv3_rop_is_copy(const NV3Rop *rop)
{
    return rop->op == NV3_GROBJ_OP_SRCCOPY && !rop->chroma_on && !rop->dither;
}

static unsigned pattern_bit(const NV3Rop *rop, unsigned x, unsigned y)
{
    unsigned i;

    switch (rop->pattern_shape) {
    case 0:
        i = (x & 7) | (y & 7) << 3;
        break;
    case 1:
        i = x & 0x3f;
        break;
    case 2:
        i = y & 0x3f;
        break;
    default:
        i = (y & 0x3f) | (x & 0x3c);
        break;
    }
    return rop->pattern_bits[i >> 5] >> (i & 31) & 1;
}

static uint32_t source_bits(const NV3Rop *rop, NV3Color src)
{
    switch (rop->mode) {
    case NV3_MODE_Y8:
        return src.y8;
    case NV3_MODE_Y16:
        return src.y16;
    case NV3_MODE_RGB5:
        return (src.r >> 5) << 10 | (src.g >> 5) << 5 | src.b >> 5;
    default:
        return (uint32_t)src.r << 20 | (uint32_t)src.g << 10 | src.b;
    }
}

static uint32_t dest_bits(const NV3Rop *rop, uint32_t pixel)
{
    NV3Color c;

    if (rop->mode != NV3_MODE_RGB10) {
        return pixel & rop->mask;
    }
    c = nv3_color_from_pixel(rop->format, pixel);
    return (uint32_t)c.r << 20 | (uint32_t)c.g << 10 | c.b;
}

static uint32_t blend_alpha_beta(uint32_t alpha, uint32_t beta)
{
    if (beta == 0xff) {
        return alpha;
    }
    if (alpha == 0xff) {
        return beta;
    }
    return (alpha >> 4) * (beta >> 3) >> 1;
}

static uint32_t blend_component(unsigned factor, uint32_t d, uint32_t s)
{
    return (((d >> 2) * (0x20 - factor) + (s >> 2) * factor) >> 3) & 0xffff;
}

static uint32_t blend(uint8_t factor, uint32_t d, uint32_t s)
{
    unsigned f = factor >> 3;

    if (f == 0x1f) {
        return s;
    }
    if (!f) {
        return d;
    }
    return blend_component(f, bits(d, 20, 10), bits(s, 20, 10)) << 20 |
           blend_component(f, bits(d, 10, 10), bits(s, 10, 10)) << 10 |
           blend_component(f, bits(d, 0, 10), bits(s, 0, 10));
}

/*
 * Blends @s into @d, and stores the result in @res. Returns false if BETA suppresses the
 * pixel.
 */
static bool blend_pixel(const NV3Rop *rop, uint32_t d, uint32_t s, uint8_t a,
                        uint32_t *res)
{
    uint8_t factor = a;

    if (rop->op == OP_BLEND_DS) {
        if (!rop->beta) {
            return false;
        }
        factor = blend_alpha_beta(a, rop->beta);
    } else if (rop->op == OP_BLEND_SD) {
        if (rop->beta == 0xff) {
            return false;
        }
        factor = blend_alpha_beta(a, 0xff - rop->beta);
    }
    if (rop->mode == NV3_MODE_RGB5) {
        d = rgb5_to_rgb10(d);
        s = rgb5_to_rgb10(s);
    } else {
        /* Copy the two high bits of each component to its two low bits. */
        s = (s & ~0x00300c03u) | bits(s, 28, 2) << 20 | bits(s, 18, 2) << 10 |
            bits(s, 8, 2);
    }
    *res = blend(factor, d, s);
    return true;
}

static uint32_t dither(uint32_t val, unsigned x, unsigned y)
{
    return nv3_dither_10to5(bits(val, 22, 8) << 2, x, y, false) << 10 |
           nv3_dither_10to5(bits(val, 12, 8) << 2, x, y, true) << 5 |
           nv3_dither_10to5(bits(val, 2, 8) << 2, x, y, false);
}

static uint32_t to_pixel(const NV3Rop *rop, uint32_t val)
{
    if (rop->format != NV3_SURF_X8R8G8B8) {
        return rop->bypass | val;
    }
    return rop->bypass |
           bits(val, 20, 2) << 28 | bits(val, 10, 2) << 26 |
           bits(val, 0, 2) << 24 |
           bits(val, 22, 8) << 16 | bits(val, 12, 8) << 8 | bits(val, 2, 8);
}

uint32_t nv3_rop_pixel(const NV3Rop *rop, unsigned x, unsigned y,
                       uint32_t pixel, NV3Color src)
{
    unsigned which = pattern_bit(rop, x, y);
    uint32_t s, d, res;

    nv3_step(PIXEL, 1);
    if (rop->undefined || rop->keep || !src.a ||
        (rop->needs_pattern_a && !rop->pattern_a[which])) {
        return pixel;
    }
    s = source_bits(rop, src);
    d = dest_bits(rop, pixel);
    if (rop->blend) {
        if (!blend_pixel(rop, d, s, src.a, &res)) {
            return pixel;
        }
    } else {
        res = rop_apply(rop->rop, d, s, rop->pattern[which]) & rop->mask;
        if (rop->chroma_on && res == rop->chroma) {
            return pixel;
        }
    }
    if (rop->dither) {
        res = dither(res, x, y);
    }
    return to_pixel(rop, res);
}

/*
 * A bitwise operation gives the same result in the layout of a 32-bit pixel and in the
 * 10:10:10 layout, so 32-bit pixels need no special case.
 */
bool nv3_rop_is_bitwise(const NV3Rop *rop, bool *patterned)
{
    *patterned = (rop->rop >> 4 ^ rop->rop) & 0xf;
    return !rop->undefined && !rop->keep && !rop->blend && !rop->dither &&
           !rop->chroma_on && !(rop->needs_pattern_a &&
                                !(rop->pattern_a[0] && rop->pattern_a[1]));
}

void nv3_rop_bits(const NV3Rop *rop, unsigned x, unsigned y, NV3Color src,
                  uint32_t *and, uint32_t *xor)
{
    uint32_t s = source_bits(rop, src);
    uint32_t p = rop->pattern[pattern_bit(rop, x, y)];
    uint32_t of_ones = rop_apply(rop->rop, UINT32_MAX, s, p) & rop->mask;
    uint32_t of_zeroes = rop_apply(rop->rop, 0, s, p) & rop->mask;

    nv3_step(PIXEL, 1);
    *xor = to_pixel(rop, of_zeroes);
    *and = to_pixel(rop, of_ones) ^ *xor;
}
