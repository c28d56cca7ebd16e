/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A texture unit consists of an image in memory, a sampler, and decoded texels.
 *
 * A unit decodes the levels of its image to 32-bit texels, and adds the rows and columns
 * of texels that filtering needs at the edges. As on chips with texture caches, later
 * changes of the memory take effect only when the image is decoded again.
 */
#ifndef NV3_TEXUNIT_H
#define NV3_TEXUNIT_H

#include <stdbool.h>
#include <stdint.h>

#define NV3_TEX_LEVELS      13      /* for sizes of up to 4096 texels */
#define NV3_TEX_SIZE_MAX    4096
#define NV3_TEX_DEPTH_MAX   512
/*
 * Maximum number of texels in all levels and slices, including borders. A 2D image of
 * 4096 x 4096 texels with all levels is below this maximum.
 */
#define NV3_TEX_TEXELS_MAX  (24u << 20)

typedef enum NV3TexFormat {
    NV3_TEX_A8R8G8B8,
    NV3_TEX_X8R8G8B8,
    NV3_TEX_R5G6B5,
    NV3_TEX_A1R5G5B5,
    NV3_TEX_A4R4G4B4,
    NV3_TEX_L8,                     /* one value for red, green and blue; alpha is 1 */
    NV3_TEX_A8,                     /* red, green and blue are 0 */
    NV3_TEX_A8L8,                   /* alpha in the upper byte */
    NV3_TEX_I8,                     /* one value for all four components */
    NV3_TEX_DXT1,                   /* with one-bit alpha */
    NV3_TEX_DXT3,
    NV3_TEX_DXT5,
    NV3_TEX_Z16,                    /* depth, sampled as a luminance or compared */
    NV3_TEX_Z24S8,                  /* depth in bits 31:8 */
    NV3_TEX_FORMATS
} NV3TexFormat;

typedef enum NV3TexDim {
    NV3_TEX_2D,
    NV3_TEX_CUBE,                   /* six images: +x, -x, +y, -y, +z, -z */
    NV3_TEX_3D,
} NV3TexDim;

typedef enum NV3TexWrap {
    NV3_TEX_REPEAT,
    NV3_TEX_MIRRORED_REPEAT,
    NV3_TEX_CLAMP_TO_EDGE,
    NV3_TEX_CLAMP_TO_BORDER,
    /* at the edge, a linear filter mixes edge and border colour equally */
    NV3_TEX_CLAMP,
    NV3_TEX_MIRROR_CLAMP_TO_EDGE,
    NV3_TEX_MIRROR_CLAMP_TO_BORDER,
    NV3_TEX_MIRROR_CLAMP,
    NV3_TEX_WRAPS
} NV3TexWrap;

typedef enum NV3TexMip {
    NV3_TEX_MIP_NONE,
    NV3_TEX_MIP_NEAREST,
    NV3_TEX_MIP_LINEAR,
} NV3TexMip;

/*
 * The location of a level in memory. Texels are stored line by line. In DXT formats, a
 * line is a row of blocks of 4 x 4 texels.
 */
typedef struct NV3TexLevel {
    /* offset of the level's first slice or face from the image's base */
    uint32_t offset;
    uint32_t pitch;                 /* bytes from line to line */
    uint32_t slice;                 /* bytes from slice to slice, or from face to face */
} NV3TexLevel;

typedef struct NV3TexImage {
    const uint8_t *base;
    /* bytes from @base that may be read; other bytes read as 0 */
    uint64_t size;
    uint8_t format;                 /* NV3TexFormat */
    uint8_t dim;                    /* NV3TexDim */
    uint8_t levels;                 /* 1 to NV3_TEX_LEVELS */
    /* size of level 0, at least 1; depth is 1 except for NV3_TEX_3D */
    uint16_t width, height, depth;
    NV3TexLevel level[NV3_TEX_LEVELS];
} NV3TexImage;

typedef struct NV3TexSampler {
    uint8_t wrap[3];                /* NV3TexWrap of s, t, r */
    bool min_linear, mag_linear;    /* or nearest */
    uint8_t mip;                    /* NV3TexMip */
    float lod_bias, lod_min, lod_max;
    float border[4];                /* r, g, b, a */
    bool compare;                /* compares coordinate r with the depth of texels */
    uint8_t compare_func;           /* NV3PixopsFunc; the result is 1 or 0 */
    /*
     * Red, green and blue are converted from sRGB to linear values before filtering. Has
     * no effect on depth formats.
     */
    bool srgb;
} NV3TexSampler;

typedef struct NV3TexUnit NV3TexUnit;

/*
 * Returns the approximate time in nanoseconds that a CPU with AVX2 needs to sample the
 * texture for a block of 8 x 8 pixels.
 */
unsigned nv3_texunit_cost(const NV3TexUnit *unit);

/*
 * Returns the number of bytes of memory that nv3_texunit_new() allocates for @image.
 * @image must be valid.
 */
uint64_t nv3_texunit_bytes(const NV3TexImage *image);

/*
 * Creates a unit for an image and a sampler, and decodes the image. The memory of the
 * image must remain valid until the unit is freed. Returns null if a field is out of
 * range, the image is too large, or memory is exhausted.
 */
NV3TexUnit *nv3_texunit_new(const NV3TexImage *image, const NV3TexSampler *sampler);
/* Like nv3_texunit_new(), but leaves decoding to nv3_texunit_decode(). */
NV3TexUnit *nv3_texunit_begin(const NV3TexImage *image, const NV3TexSampler *sampler);
/*
 * Decodes the next part of the image: about *@texels texels, but at least a line. Sets
 * *@texels to the number of texels that this call has decoded. Returns true if the whole
 * image has been decoded.
 */
bool nv3_texunit_decode(NV3TexUnit *unit, uint32_t *texels);
void nv3_texunit_free(NV3TexUnit *unit);

/* Replaces the sampler. Returns false if a field of @sampler is out of range. */
bool nv3_texunit_set_sampler(NV3TexUnit *unit, const NV3TexSampler *sampler);

/*
 * Sets the address of the image to @base. The next call of nv3_texunit_decode() starts
 * again at the beginning of the image. No thread may be using the unit.
 */
void nv3_texunit_restart(NV3TexUnit *unit, const uint8_t *base);

/* Decodes the whole image again. No thread may be using the unit. */
void nv3_texunit_invalidate(NV3TexUnit *unit);

#endif
