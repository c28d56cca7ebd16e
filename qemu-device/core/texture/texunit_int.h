/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texture unit's decoded levels, and the parameters of a texture operation. */
#ifndef NV3_TEXUNIT_INT_H
#define NV3_TEXUNIT_INT_H

#include "texture/texunit.h"

/*
 * Decoded texels are A8R8G8B8 with the top bit of each byte inverted, because one
 * operand of the SIMD multiplication of bytes is signed. Decoded texels of depth
 * formats are floats.
 */
#define NV3_TEX_BIAS        0x80808080u

/*
 * Bilinear weights are integers from 0 (for 0.0) to NV3_TEX_WEIGHT_ONE (for 1.0).
 */
#define NV3_TEX_WEIGHT_ONE  255

/*
 * A texel and the texel below it. Two neighbouring pairs contain the four texels that a
 * bilinear filter needs, so a single load reads them.
 */
typedef struct NV3TexPair {
    uint32_t upper, lower;
} NV3TexPair;

/*
 * A decoded level. Each line has one additional texel at each end, and each slice or face
 * has one additional line at the top and at the bottom. A 3D level also has an additional
 * slice before the first slice and after the last slice. The additional texels are copies
 * of the texels that the wrap modes select as neighbours, or have the border colour.
 */
typedef struct NV3TexDecoded {
    NV3TexPair *texel;              /* texel 0, 0, 0 */
    int32_t pitch, slice;           /* texels from line to line, from slice to slice */
    int32_t size[3];                /* width, height, depth */
} NV3TexDecoded;

/* Progress of decoding an image. */
typedef struct NV3TexProgress {
    unsigned level, slice;
    bool pairing;               /* the slice is decoded, and its pairs are being stored */
    int32_t line;
} NV3TexProgress;

struct NV3TexUnit {
    NV3TexImage image;
    NV3TexSampler sampler;
    NV3TexPair *memory;
    uint32_t *decoded;              /* the slice that is being decoded */
    NV3TexDecoded level[NV3_TEX_LEVELS];
    NV3TexProgress progress;
    bool depth;                     /* a depth format */
    bool needs_lod;                /* the level or the filter may differ between pixels */
    bool srgb;                      /* components are converted from sRGB */
    /* if @srgb is true: bits of the linear float for each sRGB component */
    uint32_t linear[256];
};

/* The source of the level of detail of a texture operation */
typedef enum NV3TexLod {
    NV3_TEX_LOD_IMPLICIT,
    NV3_TEX_LOD_BIAS,               /* implicit level plus a bias */
    NV3_TEX_LOD_EXPLICIT,
    NV3_TEX_LOD_GRADIENT,
} NV3TexLod;

/* A texture operation for a block of 8 x 8 pixels. */
typedef struct NV3TexRequest {
    uint8_t lod;                    /* NV3TexLod */
    float *result[4];               /* r, g, b, a; null if not needed */
    const float *coord[4];          /* s, t, r, and the bias or the level */
    /*
     * changes of s, t, r from a pixel to its right and to its lower neighbour, for
     * NV3_TEX_LOD_GRADIENT
     */
    const float *gradient[2][3];
    bool multiplies;                /* multiplies the samples by @factor */
    const float *factor[4];
} NV3TexRequest;

#endif
