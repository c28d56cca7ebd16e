/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texture unit's reference: OpenGL 2.1, section 3.8 (filtering, wrap modes, level of
 * detail), in doubles, from the image's memory at each texel.
 *
 * tex_sample() (texunit_loops.h) differs from it by at most 3/510 in a component: weights
 * have 255 steps and coordinates are floats. Where a coordinate or a level of detail is
 * within rounding of a boundary between texels or levels, it may choose the other side.
 */
#ifndef NV3_TEXREFERENCE_H
#define NV3_TEXREFERENCE_H

#include "texture/texunit_int.h"

#define NV3_TEX_QUAD    4

/* As NV3TexRequest, for a quad: pixel 1 is right of pixel 0, 2 below it, 3 both. */
typedef struct NV3TexQuad {
    uint8_t lod;                            /* NV3TexLod */
    float coord[4][NV3_TEX_QUAD];
    float gradient[2][3][NV3_TEX_QUAD];
    float result[4][NV3_TEX_QUAD];
} NV3TexQuad;

/* @unit: null reads as 0, 0, 0, 1. */
void nv3_tex_reference(const NV3TexUnit *unit, NV3TexQuad *quad);

#endif
