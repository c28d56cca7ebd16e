/* SPDX-License-Identifier: MIT */
/*
 * Declares NIR passes that create variants of shaders. Each pass returns true
 * if it has changed the shader.
 */
#ifndef NV3P_NIR_H
#define NV3P_NIR_H

#include "compiler/nir/nir.h"

/*
 * Scales the coordinates of rectangle textures, because the class supports
 * only normalized coordinates. The scale of unit i is vec4 @first + i of
 * buffer 0.
 */
bool
nv3p_nir_scale_rect(nir_shader *s, unsigned first);

/* Kills fragments where the polygon stipple texture of @unit is not 0. */
bool
nv3p_nir_stipple(nir_shader *s, unsigned unit);

/*
 * Multiplies alpha by the fraction of the pixel that a smooth line (or point,
 * if @points is set) covers. The input @slot contains distances in pixels:
 *
 * - x and z: distances from the middle, across and along the line
 * - y and w: half of the line's width and length, plus half a pixel; for
 *   points, the radius plus half a pixel
 */
bool
nv3p_nir_smooth(nir_shader *s, unsigned slot, bool points);

/*
 * Creates a vertex shader that copies attribute i to the i-th output in the
 * mask @slots (VARYING_SLOT_*). The position attribute contains window
 * coordinates and 1/w. The shader converts this position to clip coordinates
 * for a viewport from 0 to 2 * NV3P_COPY_SCALE, with depths from 0 to 1.
 */
#define NV3P_COPY_SCALE 2048.0f
nir_shader *
nv3p_nir_copy_vertices(const struct nir_shader_compiler_options *options,
                       uint64_t slots);

/* Swaps red and blue of the colour result. */
bool
nv3p_nir_swap_red_blue(nir_shader *s);

#endif
