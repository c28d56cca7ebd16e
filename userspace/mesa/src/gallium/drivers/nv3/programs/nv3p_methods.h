/* SPDX-License-Identifier: MIT */
/* Defines fields of the methods of class 0x1f
 * (docs/reference/chip/programs.md). */
#ifndef NV3P_METHODS_H
#define NV3P_METHODS_H

#include <nv3_programs.h>

#define NV3P_SURFACE_FORMAT_PITCH      0x100
#define NV3P_SURFACE_FORMAT_X1R5G5B5   1
#define NV3P_SURFACE_FORMAT_R5G6B5     3
#define NV3P_SURFACE_FORMAT_X8R8G8B8   5
#define NV3P_SURFACE_FORMAT_A8R8G8B8   8
#define NV3P_SURFACE_FORMAT_Z16        1
#define NV3P_SURFACE_FORMAT_Z24S8      2

/* Offsets from STENCIL_MASK or BACK_STENCIL_MASK. */
#define NV3P_STENCIL_REF               8
#define NV3P_STENCIL_FUNC_MASK         12

#define NV3P_POINT_SPRITE_ENABLE       0x1
#define NV3P_POINT_SPRITE_COORD_SHIFT  8
#define NV3P_POINT_SPRITE_LOWER_LEFT   0x80000000

#define NV3P_FP_CONTROL_DEPTH          0xe

#define NV3P_IDXBUF_FORMAT_32          0x00
#define NV3P_IDXBUF_FORMAT_16          0x10
#define NV3P_IDXBUF_FORMAT_8           0x20
/* The maximum number of vertices per word of DRAW_ARRAYS or INDEX_BATCH. */
#define NV3P_INDEX_BATCH_MAX           256

#define NV3P_TEX(unit, word)           (NV3_PM_TEX + 32 * (unit) + 4 * (word))
#define NV3P_TEX_SIZE1(unit)           (NV3_PM_TEX_SIZE1 + 4 * (unit))
#define NV3P_VTXTEX(unit, word)        (NV3_PM_VTXTEX + 32 * (unit) + 4 * (word))
#define NV3P_VTXTEX_SIZE1(unit)        (NV3_PM_VTXTEX_SIZE1 + 4 * (unit))
#define NV3P_TEX_SIZE1_DEPTH_SHIFT     20
#define NV3P_TEX_FORMAT_CUBIC          0x4
#define NV3P_TEX_FORMAT_DIMS_SHIFT     4
#define NV3P_TEX_FORMAT_TYPE_SHIFT     8
#define NV3P_TEX_FORMAT_LINEAR         0x2000
#define NV3P_TEX_FORMAT_LEVELS_SHIFT   16
#define NV3P_TEX_FORMAT_CUBE_BASE_SHIFT 20
#define NV3P_TEX_WRAP_T_SHIFT          8
#define NV3P_TEX_WRAP_R_SHIFT          16
#define NV3P_TEX_WRAP_SRGB             0x00700000
#define NV3P_TEX_WRAP_RCOMP_SHIFT      28
#define NV3P_TEX_ENABLE_ON             0x80000000
#define NV3P_TEX_ENABLE_MIN_LOD_SHIFT  19
#define NV3P_TEX_ENABLE_MAX_LOD_SHIFT  7
#define NV3P_TEX_FILTER_MIN_SHIFT      16
#define NV3P_TEX_FILTER_MAG_SHIFT      24

#endif
