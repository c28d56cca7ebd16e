/* SPDX-License-Identifier: MIT */
/*
 * Defines the encoding of fragment programs. See
 * src/gallium/drivers/nouveau/nv30/nvfx_shader.h (Mesa) and
 * docs/reference/chip/fragment.md.
 */
#ifndef NV3C_FS_ENCODING_H
#define NV3C_FS_ENCODING_H

#include "codegen/nv3c.h"

#define NV3C_FS_TEMPS      48
#define NV3C_FS_COLOR_TEMP 0 /* the colour result */
#define NV3C_FS_DEPTH_TEMP 1 /* z is the depth result */

/* Inputs. */
enum {
   NV3C_FS_POSITION = 0,
   NV3C_FS_COLOR0 = 1,
   NV3C_FS_COLOR1 = 2,
   NV3C_FS_FOG = 3,
   NV3C_FS_TEXCOORD0 = 4,
   NV3C_FS_FACE = 14,
   NV3C_FS_INPUTS
};

/* Word 0. */
#define NV3C_FS_END           (1u << 0)
#define NV3C_FS_DST_SHIFT     1 /* 6 bits */
#define NV3C_FS_SET_CONDITION (1u << 8)
#define NV3C_FS_MASK_SHIFT    9
#define NV3C_FS_INPUT_SHIFT   13
#define NV3C_FS_UNIT_SHIFT    17
#define NV3C_FS_OP_SHIFT      24 /* 6 bits */
#define NV3C_FS_NO_RESULT     (1u << 30)
#define NV3C_FS_SATURATE      (1u << 31)

/* The fields of word 1 in addition to source 0. */
#define NV3C_FS_TEST_SHIFT         18
#define NV3C_FS_TEST_SWIZZLE_SHIFT 21

/* Sources 0 to 2 are in words 1 to 3. */
#define NV3C_FS_SRC_REG_SHIFT     2 /* 6 bits */
#define NV3C_FS_SRC_SWIZZLE_SHIFT 9
#define NV3C_FS_SRC_NEG           (1u << 17)

/* The bit that selects the absolute value of source s. */
#define NV3C_FS_SRC_ABS(s) ((s) == 0 ? 1u << 29 : 1u << 18)

enum {
   NV3C_FS_BANK_TEMP = 0,
   NV3C_FS_BANK_INPUT = 1,
   NV3C_FS_BANK_CONST = 2,
};

/* An unused source is encoded as input 0, as in nvfx. */
#define NV3C_FS_NO_SRC (NV3C_FS_BANK_INPUT | 0xe4 << NV3C_FS_SRC_SWIZZLE_SHIFT)

#endif
