/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fragment engine: shades blocks of 8 x 8 pixels of a triangle.
 *
 * The geometry engine computes which pixels of a block a triangle covers, and the plane
 * equations of its attributes. The fragment engine does the rest: interpolation, early
 * depth and stencil tests, the fragment program with its textures, and the pixel
 * operations (pixel/pixops.h).
 *
 * Pixel i of a block is at column i % 8 and row i / 8, and bit i of a coverage mask
 * stands for it. Programs run for all 64 pixels of a block, because derivatives need the
 * neighbours of each pixel. Pixels outside the mask have no effect on memory.
 *
 * A picture does not depend on the SIMD level, the host, or the order of blocks that do
 * not overlap.
 */
#ifndef NV3_FP_H
#define NV3_FP_H

#include <stdbool.h>
#include <stdint.h>

#include "fp/fp_program.h"
#include "pixel/pixops.h"
#include "texture/texunit.h"

#define NV3_FP_BLOCK        8       /* pixels per side */
#define NV3_FP_LANES        (NV3_FP_BLOCK * NV3_FP_BLOCK)

/* A value that is linear in window coordinates. */
typedef struct NV3FpPlane {
    float value;            /* value at the centre of the triangle's reference pixel */
    float dx, dy;           /* change per pixel to the right, and per pixel down */
} NV3FpPlane;

/*
 * A triangle from the geometry engine. Lines and points are rectangles.
 * Only the planes of inputs that nv3_fp_code_inputs() names are read.
 */
typedef struct NV3FpTriangle {
    int32_t x, y;           /* reference pixel, in window coordinates */
    bool front;             /* front-facing: chooses stencil state and input FACING */
    bool affine;            /* 1/w is the same at all vertices: only rhw.value is read */
    uint16_t linear;        /* bit i: input i is interpolated without perspective */
    NV3FpPlane rhw;         /* 1/w of clip coordinates */
    NV3FpPlane z;           /* window depth from 0 to 1, polygon offset included */
    /*
     * By input register (NV3FpInput) and component: the attribute divided by w, or, for
     * inputs of @linear, the attribute. A flat attribute is linear with dx = dy = 0.
     * Position and facing have no planes.
     */
    NV3FpPlane input[NV3_FP_INPUTS][4];
} NV3FpTriangle;

/* All state of a draw. It does not change while blocks of the draw are shaded. */
typedef struct NV3FpDraw {
    const NV3FpCode *code;
    /*
     * The program's words, or null to use those from which @code was
     * translated. Only their inline constants, which drivers use for uniforms,
     * may differ from those of @code.
     */
    const uint32_t *words;
    const NV3TexUnit *unit[NV3_FP_UNITS];   /* null: reads as 0, 0, 0, 1 */
    NV3PixopsState pixops;
    NV3FpLevel level;       /* SIMD level: at most nv3_fp_best_level() */
} NV3FpDraw;

/*
 * The approximate time of the draw for a block of 8 x 8 pixels, in nanoseconds of one
 * thread on a CPU with AVX2.
 */
unsigned nv3_fp_draw_cost(const NV3FpDraw *draw);

/* Registers and constants of the programs that one thread runs. */
typedef struct NV3FpThread NV3FpThread;

/* Returns null if memory is exhausted. */
NV3FpThread *nv3_fp_thread_new(void);
void nv3_fp_thread_free(NV3FpThread *thread);

/*
 * Prepares @thread for blocks of @draw. Each thread must call this before its first block
 * of a draw, and again after any change of the draw, its words or its texture units. The
 * function first finishes the blocks of the previous draw, which must not have changed
 * yet. @draw must be valid until nv3_fp_finish().
 */
void nv3_fp_begin(NV3FpThread *thread, const NV3FpDraw *draw);

/*
 * Shades the pixels of @mask in the block whose first pixel is at window coordinates @x,
 * @y (multiples of 8, not negative), or collects them to shade them with later ones. Bits
 * of @mask outside the targets are ignored. The caller passes the blocks of a triangle
 * one after another and then calls nv3_fp_end_triangle().
 */
void nv3_fp_shade_block(NV3FpThread *thread, const NV3FpTriangle *tri,
                        int32_t x, int32_t y, uint64_t mask);
/*
 * The same for targets with several samples a pixel (NV3PixopsState.multisample): shades
 * the samples of @mask[i], which stands for sample i of each pixel, at once. The caller
 * need not call nv3_fp_end_triangle().
 */
void nv3_fp_shade_samples(NV3FpThread *thread, const NV3FpTriangle *tri, int32_t x,
                          int32_t y, const uint64_t mask[NV3_PIXOPS_SAMPLES]);
void nv3_fp_end_triangle(NV3FpThread *thread, const NV3FpTriangle *tri);
/*
 * Shades the pending pixels. Returns how many samples have passed all tests since the
 * last call.
 */
uint64_t nv3_fp_finish(NV3FpThread *thread);

/*
 * Samples @unit (null reads as 0, 0, 0, 1) at NV3_FP_LANES places, for vertex programs.
 * @coord: s, t, r and the level; @result: r, g, b, a. All of them are arrays of
 * NV3_FP_LANES that are aligned to 64 bytes.
 */
void nv3_fp_sample(NV3FpLevel level, const NV3TexUnit *unit, const float *const coord[4],
                   float *const result[4]);

#endif
