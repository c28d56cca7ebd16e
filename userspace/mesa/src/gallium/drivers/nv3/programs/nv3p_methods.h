/* SPDX-License-Identifier: MIT */
/*
 * Defines fields of the methods of class 0x1f
 * (docs/reference/chip/programs.md), and declares the translation of Gallium's
 * formats (nv3p_format.c).
 */
#ifndef NV3P_METHODS_H
#define NV3P_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

#include <nv3_programs.h>

#define NV3P_SURFACE_FORMAT_PITCH      0x100
#define NV3P_SURFACE_FORMAT_X1R5G5B5   1
#define NV3P_SURFACE_FORMAT_R5G6B5     3
#define NV3P_SURFACE_FORMAT_X8R8G8B8   5
#define NV3P_SURFACE_FORMAT_A8R8G8B8   8
#define NV3P_SURFACE_FORMAT_Z16        1
#define NV3P_SURFACE_FORMAT_Z24S8      2

#define NV3P_POINT_SPRITE_ENABLE       0x1
#define NV3P_POINT_SPRITE_COORD_SHIFT  8
#define NV3P_POINT_SPRITE_LOWER_LEFT   0x80000000

#define NV3P_FP_CONTROL_DEPTH          0xe

#define NV3P_IDXBUF_FORMAT_32          0x00
#define NV3P_IDXBUF_FORMAT_16          0x10
#define NV3P_IDXBUF_FORMAT_8           0x20
/* The maximum number of vertices per word of DRAW_ARRAYS or INDEX_BATCH. */
#define NV3P_INDEX_BATCH_MAX           256

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

/* A texture format. */
struct nv3p_texture_format {
   uint8_t type;  /* in the word FORMAT of a texture unit, or 0 */
   /*
    * For red, green, blue and alpha: the component of the unit's result
    * (PIPE_SWIZZLE_*).
    */
   uint8_t swizzle[4];
};

/*
 * Returns the texture format. Its type is 0 if the class lacks the format. For
 * sRGB formats, the caller must set NV3P_TEX_WRAP_SRGB.
 */
const struct nv3p_texture_format *
nv3p_texture_format(enum pipe_format format);

/*
 * Returns the word for ARRAY_FORMAT without a stride, or 0 if the class lacks
 * the format.
 */
uint32_t
nv3p_vertex_format(enum pipe_format format);

/*
 * Return the colour or zeta format for SURFACE_FORMAT, or 0 if the class
 * lacks the format.
 */
uint32_t
nv3p_color_format(enum pipe_format format);
uint32_t
nv3p_zeta_format(enum pipe_format format);

/*
 * True if the class has @format only with the opposite order of red and blue.
 * In this case, fragment programs must swap red and blue in their results.
 */
bool
nv3p_swaps_red_blue(enum pipe_format format);

#endif
