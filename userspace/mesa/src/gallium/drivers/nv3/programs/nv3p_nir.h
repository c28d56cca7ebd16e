/* SPDX-License-Identifier: MIT */
/* NIR passes for the variants of shaders. */
#ifndef NV3P_NIR_H
#define NV3P_NIR_H

#include "compiler/nir/nir.h"

/*
 * Multiplies the coordinates of rectangle textures by their scales, because the
 * class has only coordinates from 0 to 1. The scale of unit i is vec4
 * @first + i of buffer 0.
 */
bool
nv3p_nir_scale_rect(nir_shader *s, unsigned first);

/* Exchanges red and blue of the colour result. */
bool
nv3p_nir_swap_red_blue(nir_shader *s);

#endif
