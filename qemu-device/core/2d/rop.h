/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that convert a source colour to a pixel. They handle source formats, the
 * operation (raster operation with pattern, or blend), the colour key, dithering and
 * destination formats. The results are identical to those of envytools nvhw/pgraph.c,
 * which hwtest has compared with real cards.
 */
#ifndef NV3_2D_ROP_H
#define NV3_2D_ROP_H

#include "chip/chip.h"

/* The format of a colour before its expansion to 10 bits per component. */
typedef enum NV3ColorMode {
    NV3_MODE_RGB5,
    NV3_MODE_RGB8,
    NV3_MODE_RGB10,
    NV3_MODE_Y8,
    NV3_MODE_Y16,
} NV3ColorMode;

typedef struct NV3Color {
    uint16_t r, g, b;       /* 10 bits */
    uint8_t a;
    uint8_t y8;             /* low 8 bits of the source colour */
    uint16_t y16;           /* low 16 bits of the source colour */
    uint8_t mode;           /* NV3ColorMode */
} NV3Color;

/* Expands a source colour in the colour format of the current object. */
NV3Color nv3_color_expand(const NV3Pgraph *g, uint32_t color);
/* Expands a pixel of a surface. @format: NV3_SURF_*. */
NV3Color nv3_color_from_pixel(unsigned format, uint32_t pixel);
/*
 * Packs a colour for CHROMA and BITMAP_COLOR_0: one alpha bit, and 10 bits per component.
 */
uint32_t nv3_color_pack(NV3Color color);
/*
 * Unpacks a packed colour. The result has the mode of the current object's colour format.
 */
NV3Color nv3_color_unpack(const NV3Pgraph *g, uint32_t packed);
/*
 * Return the size of a pixel in bytes, in the colour format of the current object or of
 * an object of @class with @options.
 */
unsigned nv3_color_bytes(const NV3Pgraph *g);
unsigned nv3_color_bytes_by(uint32_t class, uint32_t options);
/*
 * Reorders the pixels of a bitmap word, so that the first pixel is in bit 0. @options
 * determine the order of pixels in @mono (MONO_CGA6). If the method switches objects,
 * silicon uses the options of the previous object, so callers pass
 * NV3Pgraph.before.options. hwtest calls this behaviour a bug.
 */
uint32_t nv3_mono_expand(uint32_t options, uint32_t mono);

/* Dithers a 10-bit component of the pixel at @x, @y to 5 bits. */
unsigned nv3_dither_10to5(unsigned val, unsigned x, unsigned y, bool green);

/*
 * The state that is used to compute pixels. It depends neither on the source colour nor
 * on the position of a pixel.
 */
typedef struct NV3Rop {
    uint8_t format;         /* destination: NV3_SURF_* */
    uint8_t mode;           /* mode of the computation: NV3ColorMode */
    uint8_t op;             /* NV3_GROBJ_OPTIONS.OP */
    uint8_t rop;            /* truth table, indexed by P, S and D */
    bool blend;
    bool undefined;         /* the operation does not exist, so nothing is drawn */
    bool keep;              /* the raster operation does not change D */
    bool needs_pattern_a;
    bool chroma_on;
    /* colours are dithered, so the result depends on the position */
    bool dither;
    uint32_t mask;
    uint32_t chroma;
    /* mask of the top bit of a pixel if CLUT_BYPASS is set, else 0 */
    uint32_t bypass;
    uint32_t pattern[2];
    uint8_t pattern_a[2];
    uint32_t pattern_bits[2];
    uint8_t pattern_shape;
    uint8_t beta;
} NV3Rop;

/* @format: format of the destination. @mode: mode of the source colours. */
void nv3_rop_init(NV3Rop *rop, const NV3Pgraph *g, unsigned format,
                  NV3ColorMode mode);
/* Returns the new value of the pixel at @x, @y. @pixel: the old value. */
uint32_t nv3_rop_pixel(const NV3Rop *rop, unsigned x, unsigned y,
                       uint32_t pixel, NV3Color src);
/* Returns true if the result depends only on the source colour. */
bool nv3_rop_is_copy(const NV3Rop *rop);
/*
 * Returns true if each bit of the result depends only on the same bit of the old pixel.
 * In this case the result is (pixel & *@and) ^ *@xor. The function sets *@patterned to
 * true if *@and and *@xor depend on the position, with a period of 64 in both directions.
 * nv3_rop_bits() computes *@and and *@xor for the pixel at @x, @y.
 */
bool nv3_rop_is_bitwise(const NV3Rop *rop, bool *patterned);
void nv3_rop_bits(const NV3Rop *rop, unsigned x, unsigned y, NV3Color src,
                  uint32_t *and, uint32_t *xor);

static inline uint32_t nv3_pixel_load(const uint8_t *p, unsigned cpp)
{
    switch (cpp) {
    case 1:
        return *p;
    case 2:
        return nv3_lduw(p);
    default:
        return nv3_ldl(p);
    }
}

static inline void nv3_pixel_store(uint8_t *p, unsigned cpp, uint32_t val)
{
    switch (cpp) {
    case 1:
        *p = val;
        break;
    case 2:
        nv3_stw(p, val);
        break;
    default:
        nv3_stl(p, val);
        break;
    }
}

#endif
