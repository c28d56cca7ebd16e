/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pixel operations: the operations on a fragment after the fragment program. They are the
 * alpha test, fog, the stencil and depth tests, blending or a logic operation, dithering,
 * and the store of the pixel.
 *
 * The semantics follow OpenGL 2.1 (chapter 4, "Per-Fragment Operations").
 */
#ifndef NV3_PIXOPS_H
#define NV3_PIXOPS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum NV3PixopsColorFormat {
    NV3_PIXOPS_COLOR_NONE,          /* no colour is written */
    NV3_PIXOPS_X1R5G5B5,
    NV3_PIXOPS_R5G6B5,
    NV3_PIXOPS_X8R8G8B8,
    NV3_PIXOPS_A8R8G8B8,
} NV3PixopsColorFormat;

typedef enum NV3PixopsZetaFormat {
    NV3_PIXOPS_ZETA_NONE,           /* without depth and stencil tests */
    NV3_PIXOPS_Z16,
    NV3_PIXOPS_Z24S8,               /* depth in bits 31:8, stencil in bits 7:0 */
} NV3PixopsZetaFormat;

/*
 * Comparisons, in the order of OpenGL's GL_NEVER to GL_ALWAYS. Bit 0 of a value is set if
 * the comparison is true when the left operand is less than the right operand, bit 1 if
 * it is true when they are equal, and bit 2 if it is true when the left operand is
 * greater.
 */
typedef enum NV3PixopsFunc {
    NV3_PIXOPS_NEVER,
    NV3_PIXOPS_LESS,
    NV3_PIXOPS_EQUAL,
    NV3_PIXOPS_LEQUAL,
    NV3_PIXOPS_GREATER,
    NV3_PIXOPS_NOTEQUAL,
    NV3_PIXOPS_GEQUAL,
    NV3_PIXOPS_ALWAYS,
} NV3PixopsFunc;

typedef enum NV3PixopsStencilOp {
    NV3_PIXOPS_KEEP,
    NV3_PIXOPS_ZERO,
    NV3_PIXOPS_REPLACE,
    NV3_PIXOPS_INCR,
    NV3_PIXOPS_DECR,
    NV3_PIXOPS_INVERT,
    NV3_PIXOPS_INCR_WRAP,
    NV3_PIXOPS_DECR_WRAP,
} NV3PixopsStencilOp;

typedef enum NV3PixopsFactor {
    NV3_PIXOPS_F_ZERO,
    NV3_PIXOPS_F_ONE,
    NV3_PIXOPS_F_SRC_COLOR,
    NV3_PIXOPS_F_ONE_MINUS_SRC_COLOR,
    NV3_PIXOPS_F_SRC_ALPHA,
    NV3_PIXOPS_F_ONE_MINUS_SRC_ALPHA,
    NV3_PIXOPS_F_DST_ALPHA,
    NV3_PIXOPS_F_ONE_MINUS_DST_ALPHA,
    NV3_PIXOPS_F_DST_COLOR,
    NV3_PIXOPS_F_ONE_MINUS_DST_COLOR,
    NV3_PIXOPS_F_SRC_ALPHA_SATURATE,
    NV3_PIXOPS_F_CONST_COLOR,
    NV3_PIXOPS_F_ONE_MINUS_CONST_COLOR,
    NV3_PIXOPS_F_CONST_ALPHA,
    NV3_PIXOPS_F_ONE_MINUS_CONST_ALPHA,
    NV3_PIXOPS_FACTORS
} NV3PixopsFactor;

typedef enum NV3PixopsEquation {
    NV3_PIXOPS_EQ_ADD,
    NV3_PIXOPS_EQ_SUBTRACT,         /* source - destination */
    NV3_PIXOPS_EQ_REVERSE_SUBTRACT,
    NV3_PIXOPS_EQ_MIN,
    NV3_PIXOPS_EQ_MAX,
    NV3_PIXOPS_EQUATIONS
} NV3PixopsEquation;

typedef enum NV3PixopsDither {
    NV3_PIXOPS_DITHER_NONE,         /* rounds to the nearest value */
    NV3_PIXOPS_DITHER_BAYER,        /* ordered, with a 4 x 4 Bayer matrix */
    /* ordered, with a 4 x 4 magic square, as in the RDP of the N64 */
    NV3_PIXOPS_DITHER_MAGIC,
    NV3_PIXOPS_DITHERS
} NV3PixopsDither;

/*
 * A logic operation is encoded as the low 4 bits of OpenGL's constant, from 0 (GL_CLEAR)
 * to 15 (GL_SET).
 */
#define NV3_PIXOPS_LOGIC_COPY   3

/*
 * A surface to which pixels are stored. All accesses are within @size bytes from @base.
 */
typedef struct NV3PixopsSurface {
    uint8_t *base;                  /* its first pixel */
    uint32_t size;                  /* bytes from @base that may be accessed */
    uint32_t pitch;                 /* bytes per line */
    uint16_t width, height;         /* pixels, each of which may have several samples */
} NV3PixopsSurface;

/* The location of a block of 8 x 8 pixels in a surface's memory. */
typedef struct NV3PixopsPlace {
    uint8_t *base;                  /* its first pixel */
    uint32_t pitch;
    unsigned columns, lines;        /* size of the block's part within the surface */
} NV3PixopsPlace;

/*
 * A strip consists of four quads of 2 x 2 pixels, stored as two lines of eight pixels.
 * Columns 2 * i and 2 * i + 1 of the strip are quad i. Each quad has its own position in
 * the surface.
 */
#define NV3_PIXOPS_STRIP        16
#define NV3_PIXOPS_QUADS        4

/*
 * The locations of a strip's quads in a surface's memory. Each quad is completely within
 * the surface.
 */
typedef struct NV3PixopsQuads {
    uint8_t *base[NV3_PIXOPS_QUADS];    /* the upper left pixel */
    uint32_t pitch;
} NV3PixopsQuads;

/*
 * Number of samples of each pixel in a surface with multisampling. The samples of a pixel
 * are stored as a square of 2 x 2. Sample i is in column i % 2 and row i / 2 of the
 * square. The surface therefore has two columns of samples for each column of pixels, and
 * two lines of samples for each line of pixels.
 */
#define NV3_PIXOPS_SAMPLES      4

/*
 * The position of a sample relative to the centre of its pixel, in units of 1/256 of a
 * pixel. x increases to the right, and y increases downwards.
 */
typedef struct NV3PixopsSample {
    int8_t x, y;
} NV3PixopsSample;

typedef struct NV3PixopsStencil {
    uint8_t func;                   /* NV3PixopsFunc: ref & mask vs. stored & mask */
    uint8_t ref, mask, write_mask;
    uint8_t fail, zfail, zpass;     /* NV3PixopsStencilOp */
} NV3PixopsStencil;

typedef struct NV3PixopsState {
    NV3PixopsSurface color, zeta;
    uint8_t color_format;           /* NV3PixopsColorFormat */
    uint8_t zeta_format;            /* NV3PixopsZetaFormat */

    bool depth_test, depth_write;   /* @depth_write has no effect without @depth_test */
    uint8_t depth_func;             /* NV3PixopsFunc: new vs. stored depth */
    /*
     * If true, new depths are clamped to the range [@depth_min, @depth_max], which is
     * within [0, 1]. If false, new depths are clamped to [0, 1].
     */
    bool depth_clamp;
    float depth_min, depth_max;

    bool stencil_test;
    NV3PixopsStencil stencil[2];    /* [0]: front-facing triangles; [1]: others */

    bool alpha_test;
    uint8_t alpha_func;             /* NV3PixopsFunc: alpha vs. @alpha_ref */
    float alpha_ref;

    bool blend;
    uint8_t blend_src, blend_dst, blend_equation;
    uint8_t blend_src_alpha, blend_dst_alpha, blend_equation_alpha;
    float blend_color[4];           /* r, g, b, a from 0 to 1 */

    bool logic;                     /* replaces blending */
    uint8_t logic_op;

    /* Components that are written. Bit 0: red, 1: green, 2: blue, 3: alpha. */
    uint8_t color_mask;
    uint8_t dither;                 /* NV3PixopsDither; for formats of 16 bits */

    /*
     * Fog of the fixed-function pipeline: colour = f * colour + (1 - f) * fog_color,
     * where f is component x of the fragment input FOG, clamped to [0, 1].
     */
    bool fog;
    float fog_color[3];

    /*
     * The targets have NV3_PIXOPS_SAMPLES samples for each pixel. The fields below
     * apply only to such targets.
     */
    bool multisample;
    uint8_t sample_mask;            /* bit i: sample i is written */
    bool alpha_to_coverage, alpha_to_one;
    NV3PixopsSample sample[NV3_PIXOPS_SAMPLES];     /* where depth is computed */
} NV3PixopsState;

/* Returns the size of a pixel in the colour surface, in bytes. */
static inline unsigned nv3_pixops_color_bytes(const NV3PixopsState *s)
{
    return s->color_format > NV3_PIXOPS_R5G6B5 ? 4 : 2;
}

/*
 * Returns true if the new colours depend on the colours that the surface already
 * contains.
 */
static inline bool nv3_pixops_reads_color(const NV3PixopsState *s)
{
    const unsigned stored = s->color_format == NV3_PIXOPS_A8R8G8B8 ? 15 : 7;

    return s->color_format != NV3_PIXOPS_COLOR_NONE &&
           ((s->logic ? s->logic_op != NV3_PIXOPS_LOGIC_COPY : s->blend) ||
            (s->color_mask & stored) != stored);
}

/*
 * Returns true if the alpha that the fragment program computes affects the stored pixels
 * or the number of passed samples.
 */
static inline bool nv3_pixops_uses_alpha(const NV3PixopsState *s)
{
    return s->color_format == NV3_PIXOPS_A8R8G8B8 || s->blend || s->alpha_test ||
           s->alpha_to_coverage;
}

/* Returns the size of a pixel in the zeta surface, in bytes. */
static inline unsigned nv3_pixops_zeta_bytes(const NV3PixopsState *s)
{
    return s->zeta_format == NV3_PIXOPS_Z16 ? 2 : 4;
}

#endif
