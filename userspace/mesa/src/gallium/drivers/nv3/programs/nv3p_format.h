/* SPDX-License-Identifier: MIT */
/* Declares the translation of Gallium's formats to formats of class 0x1f. */
#ifndef NV3P_FORMAT_H
#define NV3P_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

/* A texture format. */
struct nv3p_texture_format {
   bool exists;
   uint8_t type;        /* in the word FORMAT of a texture unit */
   /*
    * For red, green, blue and alpha: the component of the unit's result
    * (PIPE_SWIZZLE_*).
    */
   uint8_t swizzle[4];
   bool srgb;           /* the unit converts from sRGB */
};

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
