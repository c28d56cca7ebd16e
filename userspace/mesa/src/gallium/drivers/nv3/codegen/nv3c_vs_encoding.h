/* SPDX-License-Identifier: MIT */
/*
 * Defines the encoding of vertex programs. Words 1 to 3 of an instruction
 * have the NV2A's encoding (envytools, docs/hw/graph/xf/isa.rst).
 * docs/reference/chip/programs.md describes word 0.
 */
#ifndef NV3C_VS_ENCODING_H
#define NV3C_VS_ENCODING_H

#include "codegen/nv3c.h"

/* The temporary registers are R0 to R11 and R16 to R31. */
#define NV3C_VS_TEMPS     28
#define NV3C_VS_LOW_TEMPS 12
#define NV3C_VS_HIGH_TEMP 16
/*
 * Instructions without the extended encoding can read only constants below this
 * number.
 */
#define NV3C_VS_LOW_CONSTANTS 192

/* Output registers. */
enum {
   NV3C_VS_OUTPUT_POSITION = 0,
   NV3C_VS_OUTPUT_COLOR0 = 3,
   NV3C_VS_OUTPUT_COLOR1 = 4,
   NV3C_VS_OUTPUT_FOG = 5,  /* y, z, w: clip distances 0 to 2 */
   NV3C_VS_OUTPUT_SIZE = 6, /* y, z, w: clip distances 3 to 5 */
   NV3C_VS_OUTPUT_BACK_COLOR0 = 7,
   NV3C_VS_OUTPUT_BACK_COLOR1 = 8,
   NV3C_VS_OUTPUT_TEXCOORD0 = 9,
};

/* A field is described by its word, its lowest bit and its width. */
#define NV3C_VS_FIELD(word, bit, width) (word), (bit), (width)

#define NV3C_VS_EXTENDED        NV3C_VS_FIELD(0, 31, 1)
#define NV3C_VS_CONST_HIGH      NV3C_VS_FIELD(0, 0, 1)
#define NV3C_VS_SRC_HIGH(s)     NV3C_VS_FIELD(0, 1 + (s), 1)
#define NV3C_VS_DST_HIGH        NV3C_VS_FIELD(0, 4, 1)
#define NV3C_VS_VECTOR_HIGH     NV3C_VS_FIELD(0, 5, 1)
#define NV3C_VS_SCALAR_HIGH     NV3C_VS_FIELD(0, 6, 2)
#define NV3C_VS_ABS(s)          NV3C_VS_FIELD(0, 8 + (s), 1)
#define NV3C_VS_VECTOR_SATURATE NV3C_VS_FIELD(0, 11, 1)
#define NV3C_VS_SCALAR_SATURATE NV3C_VS_FIELD(0, 12, 1)

#define NV3C_VS_SCALAR_OP       NV3C_VS_FIELD(1, 25, 3)
#define NV3C_VS_VECTOR_OP       NV3C_VS_FIELD(1, 21, 4)
#define NV3C_VS_CONST           NV3C_VS_FIELD(1, 13, 8)
#define NV3C_VS_ATTRIBUTE       NV3C_VS_FIELD(1, 9, 4)
#define NV3C_VS_VECTOR_MASK     NV3C_VS_FIELD(3, 24, 4)
#define NV3C_VS_DST             NV3C_VS_FIELD(3, 20, 4)
#define NV3C_VS_SCALAR_MASK     NV3C_VS_FIELD(3, 16, 4)
#define NV3C_VS_OUTPUT_MASK     NV3C_VS_FIELD(3, 12, 4)
#define NV3C_VS_TO_OUTPUT       NV3C_VS_FIELD(3, 11, 1)
#define NV3C_VS_OUTPUT          NV3C_VS_FIELD(3, 3, 8)
#define NV3C_VS_OUTPUT_SCALAR   NV3C_VS_FIELD(3, 2, 1)
#define NV3C_VS_INDEXED         NV3C_VS_FIELD(3, 1, 1)
#define NV3C_VS_LAST            NV3C_VS_FIELD(3, 0, 1)

/*
 * A source has 15 bits. Sources 0, 1 and 2 start at bits 58, 43 and 28 of
 * words 1 to 3, where bit 0 is the lowest bit of word 3.
 */
#define NV3C_VS_SRC_BIT(s)   (58 - 15 * (s))
#define NV3C_VS_SRC_BANK     0 /* 2 bits */
#define NV3C_VS_SRC_TEMP     2 /* 4 bits */
#define NV3C_VS_SRC_SWIZZLE  6 /* 2 bits per component, with x in the highest
                                * bits */
#define NV3C_VS_SRC_NEG      14
/* The source whose register field contains the texture unit of TXL. */
#define NV3C_VS_UNIT_SRC     1

enum {
   NV3C_VS_BANK_TEMP = 1,
   NV3C_VS_BANK_ATTRIBUTE = 2,
   NV3C_VS_BANK_CONST = 3,
};

static inline void
nv3c_vs_set_field(uint32_t *words, unsigned word, unsigned bit, unsigned width,
                  unsigned value)
{
   words[word] |= (value & ((1u << width) - 1)) << bit;
}

static inline void
nv3c_vs_set_src_field(uint32_t *words, unsigned s, unsigned value)
{
   unsigned bit = NV3C_VS_SRC_BIT(s), word = 3 - bit / 32;
   uint64_t pair = (uint64_t)value << bit % 32;

   words[word] |= pair;
   words[word - 1] |= pair >> 32;
}

/*
 * Returns @mask with its bits reversed, because x is the highest bit of a
 * mask in the encoding.
 */
static inline unsigned
nv3c_vs_reverse_mask(unsigned mask)
{
   return (mask & 8) >> 3 | (mask & 4) >> 1 | (mask & 2) << 1 | (mask & 1) << 3;
}

#endif
