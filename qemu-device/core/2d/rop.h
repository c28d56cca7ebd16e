/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a source colour to the bits of a pixel: source formats, the operation
 * (raster operation with pattern, or blend), colour key, dithering and the
 * destination's format. Bit by bit what envytools nvhw/pgraph.c computes, which
 * its hwtest compared to real cards.
 */
#ifndef NV3_2D_ROP_H
#define NV3_2D_ROP_H

#include "chip/chip.h"

/* What a colour was before it was expanded to 10 bits a component. */
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
    uint8_t y8;             /* the low 8 and 16 bits as they came */
    uint16_t y16;
    uint8_t mode;           /* NV3ColorMode */
} NV3Color;

/* A source colour in the current object's colour format. */
NV3Color nv3_color_expand(const NV3Pgraph *g, uint32_t color);
/* A pixel read from a surface of format NV3_SURF_*. */
NV3Color nv3_color_from_pixel(unsigned format, uint32_t pixel);
/* As CHROMA and BITMAP_COLOR_0 hold a colour: one bit of alpha, 10 a component. */
uint32_t nv3_color_pack(NV3Color color);
/* And back, for the current object's colour format. */
NV3Color nv3_color_unpack(const NV3Pgraph *g, uint32_t packed);
/*
 * Bytes of one pixel in the current object's colour format; _by: of an object of
 * @class with @options.
 */
unsigned nv3_color_bytes(const NV3Pgraph *g);
unsigned nv3_color_bytes_by(uint32_t class, uint32_t options);
/*
 * The pixels of a bitmap word in order from bit 0. Silicon takes @options (MONO_CGA6)
 * from NV3Pgraph.before: hwtest calls it a bug.
 */
uint32_t nv3_mono_expand(uint32_t options, uint32_t mono);

/* 10 bits to 5, by the position of the pixel. */
unsigned nv3_dither_10to5(unsigned val, unsigned x, unsigned y, bool green);

/* All that writing pixels depends on besides the source, worked out once. */
typedef struct NV3Rop {
    uint8_t format;         /* destination: NV3_SURF_* */
    uint8_t mode;           /* how it is computed: NV3ColorMode */
    uint8_t op;             /* NV3_GROBJ_OPTIONS.OP */
    uint8_t rop;            /* the raster operation of D, S, P */
    bool blend;
    bool undefined;         /* no such operation: nothing is drawn */
    bool keep;              /* the raster operation leaves D alone */
    bool needs_pattern_a;
    bool chroma_on;
    bool dither;            /* the result depends on the position */
    uint32_t mask;
    uint32_t chroma;
    uint32_t bypass;        /* the pixel's top bit */
    uint32_t pattern[2];
    uint8_t pattern_a[2];
    uint32_t pattern_bits[2];
    uint8_t pattern_shape;
    uint8_t beta;
} NV3Rop;

/* @format: of the destination; @mode: of the source colours. */
void nv3_rop_init(NV3Rop *rop, const NV3Pgraph *g, unsigned format,
                  NV3ColorMode mode);
/* The new value of @pixel at @x, @y. */
uint32_t nv3_rop_pixel(const NV3Rop *rop, unsigned x, unsigned y,
                       uint32_t pixel, NV3Color src);
/* Whether the result depends on nothing but the source colour. */
bool nv3_rop_is_copy(const NV3Rop *rop);
/*
 * Whether each bit of the result depends on the same bit of the pixel only:
 * nv3_rop_bits() then gives what it is and-ed and then exclusive-ored with at @x,
 * @y. @patterned: it is not the same everywhere (the period is 64 both ways).
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
