/* SPDX-License-Identifier: MIT */
/* Gallium's formats as the class has them. */
#ifndef NV3P_FORMAT_H
#define NV3P_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/format/u_formats.h"

/* A format of textures. */
struct nv3p_texture_format {
   bool exists;
   uint8_t type;        /* for the unit's word FORMAT */
   /* Where the unit returns red, green, blue and alpha: PIPE_SWIZZLE_*. */
   uint8_t swizzle[4];
   bool srgb;           /* the shader has to convert from sRGB */
};

const struct nv3p_texture_format *
nv3p_texture_format(enum pipe_format format);

/* The word for ARRAY_FORMAT without a stride, or 0 if there is none. */
uint32_t
nv3p_vertex_format(enum pipe_format format);

/* The colour or zeta format for SURFACE_FORMAT, or 0 if there is none. */
uint32_t
nv3p_color_format(enum pipe_format format);
uint32_t
nv3p_zeta_format(enum pipe_format format);

/*
 * True if red and blue of a target have each other's place, because the class
 * does not have the format itself. Fragment programs then exchange them.
 */
bool
nv3p_swaps_red_blue(enum pipe_format format);

#endif
