/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texture unit's reference: OpenGL 2.1, section 3.8 (filtering, wrap modes, level of
 * detail), in doubles, from the image's memory at each texel.
 *
 * tex_sample() (texunit_loops.h) differs from it by at most 3/510 in a component, because
 * its weights have 255 steps and its coordinates are floats. Near a boundary between
 * texels or levels, rounding may also make it select the other side.
 */
#ifndef NV3_TEXREFERENCE_H
#define NV3_TEXREFERENCE_H

#include "texture/texunit_int.h"

#define NV3_TEX_QUAD    4

/*
 * Like NV3TexRequest, but for a quad. Pixel 1 is right of pixel 0, pixel 2 below it,
 * pixel 3 below pixel 1.
 */
typedef struct NV3TexQuad {
    uint8_t lod;                            /* NV3TexLod */
    float coord[4][NV3_TEX_QUAD];
    float gradient[2][3][NV3_TEX_QUAD];
    float result[4][NV3_TEX_QUAD];
} NV3TexQuad;

/* @unit: null reads as 0, 0, 0, 1. */
void nv3_tex_reference(const NV3TexUnit *unit, NV3TexQuad *quad);

#endif
