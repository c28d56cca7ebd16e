/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reference implementation of the texture unit. It computes in doubles, and
 * implements filtering, wrap modes and levels of detail as defined in section 3.8 of
 * OpenGL 2.1. It decodes each texel from the image's memory.
 *
 * tex_sample() (texunit_loops.h) uses floats and 8-bit weights, so each component of its
 * result may differ from the reference by up to 3/256. Near a boundary between texels or
 * levels, rounding may also make tex_sample() select the neighbouring texel or level.
 */
#ifndef NV3_TEXREFERENCE_H
#define NV3_TEXREFERENCE_H

#include "texture/texunit_int.h"

#define NV3_TEX_QUAD    4

/*
 * Like NV3TexRequest, but for a quad. Pixels 0 and 1 are the quad's upper line, and
 * pixels 2 and 3 are the lower line.
 */
typedef struct NV3TexQuad {
    uint8_t lod;                            /* NV3TexLod */
    float coord[4][NV3_TEX_QUAD];
    float gradient[2][3][NV3_TEX_QUAD];
    float result[4][NV3_TEX_QUAD];
} NV3TexQuad;

/* Samples @unit. If @unit is null, the result is 0, 0, 0, 1. */
void nv3_tex_reference(const NV3TexUnit *unit, NV3TexQuad *quad);

#endif
