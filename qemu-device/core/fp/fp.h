/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fragment engine shades triangles in blocks of 8 x 8 pixels.
 *
 * The geometry engine computes the plane equations of a triangle's attributes, and the
 * pixels that the triangle covers in each block. The fragment engine executes the later
 * stages: interpolation, early depth and stencil tests, the fragment program with its
 * textures, and pixel operations (pixel/pixops.h).
 *
 * Pixel i of a block is in column i % 8 and row i / 8, and is bit i of a coverage mask.
 * If the program or a texture lookup needs derivatives, the program runs for whole quads
 * of 2 x 2 pixels. Pixels of a quad outside the coverage mask do not change memory.
 *
 * The results are the same on all hosts and at all SIMD levels. They do not depend on the
 * order in which blocks at different positions are shaded.
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
    float value;            /* value at the centre of the reference pixel */
    float dx, dy;           /* change per pixel to the right, and per pixel down */
} NV3FpPlane;

/*
 * A triangle from the geometry engine, which draws lines and points as two triangles. The
 * fragment engine reads only the planes of the components in nv3_fp_code_inputs().
 */
typedef struct NV3FpTriangle {
    int32_t x, y;           /* reference pixel, in window coordinates */
    bool front;             /* front-facing; selects the stencil state */
    bool affine;            /* 1/w is the same at all vertices: rhw.value */
    uint16_t linear;        /* bit i: input i has no perspective */
    NV3FpPlane rhw;         /* 1/w of clip coordinates */
    NV3FpPlane z;           /* window depth from 0 to 1, with polygon offset */
    /*
     * Indexed by input register (NV3FpInput) and component. For inputs in @linear, the
     * planes hold the attribute. For other inputs, the planes hold the attribute
     * divided by w. A flat attribute is linear with dx = dy = 0. The inputs for
     * position and facing have no planes.
     */
    NV3FpPlane input[NV3_FP_INPUTS][4];
} NV3FpTriangle;

/*
 * Maximum number of triangles in a group. The triangles of a group are set up and shaded
 * together.
 */
#define NV3_FP_GROUP        8

/* The fields of NV3FpPlane as arrays with an element for each triangle of a group. */
typedef struct NV3FpGroupPlanes {
    float value[NV3_FP_GROUP], dx[NV3_FP_GROUP], dy[NV3_FP_GROUP];
} __attribute__((aligned(32))) NV3FpGroupPlanes;

/*
 * A group of triangles: the fields of NV3FpTriangle as arrays. Flags are -1 (true) or 0.
 * Only components that the program reads have planes.
 */
typedef struct NV3FpTriangles {
    int32_t x[NV3_FP_GROUP], y[NV3_FP_GROUP];
    int32_t front[NV3_FP_GROUP], affine[NV3_FP_GROUP];
    NV3FpGroupPlanes rhw, z, input[NV3_FP_INPUTS][4];
    uint16_t linear;        /* of all triangles */
} __attribute__((aligned(32))) NV3FpTriangles;

/*
 * Blocks that the triangles of a group cover, in the order of shading. Elements of
 * @triangle beyond @count must also be valid indices. Elements of the other arrays beyond
 * @count may have any value.
 */
typedef struct NV3FpBlocks {
    int32_t triangle[NV3_FP_GROUP];         /* index in the group */
    /*
     * window coordinates of the block's first pixel; the coordinates are even and not
     * negative
     */
    int32_t x[NV3_FP_GROUP], y[NV3_FP_GROUP];
    /*
     * mask[i][0]: covered pixels of block i; with multisampling, mask[i][s]: pixels whose
     * sample s is covered. The engine ignores pixels outside the surfaces.
     */
    uint64_t mask[NV3_FP_GROUP][NV3_PIXOPS_SAMPLES];
    unsigned count;
} __attribute__((aligned(32))) NV3FpBlocks;

/* All state of a draw. The state must not change while blocks of the draw are shaded. */
typedef struct NV3FpDraw {
    const NV3FpCode *code;
    /*
     * The program's words, or null to use the words from which @code was translated.
     * Only inline constants, which drivers use for uniforms, may differ from the
     * translated words.
     */
    const uint32_t *words;
    const NV3TexUnit *unit[NV3_FP_UNITS];   /* null: samples are 0, 0, 0, 1 */
    NV3PixopsState pixops;
    NV3FpLevel level;       /* SIMD level, at most nv3_fp_best_level() */
} NV3FpDraw;

/*
 * Returns the approximate time in nanoseconds that one thread needs to shade a block of
 * @draw on a CPU with AVX2.
 */
unsigned nv3_fp_draw_cost(const NV3FpDraw *draw);
/* Returns the approximate time in nanoseconds that nv3_fp_begin() needs. */
unsigned nv3_fp_begin_cost(const NV3FpDraw *draw);

/*
 * Data that the fragment engine keeps for one thread, such as registers and deferred
 * pixels.
 */
typedef struct NV3FpThread NV3FpThread;

/* Returns null if memory is exhausted. */
NV3FpThread *nv3_fp_thread_new(void);
void nv3_fp_thread_free(NV3FpThread *thread);

/*
 * Prepares @thread for blocks of @draw. Each thread must call this function before its
 * first block of a draw, and again after any change to the draw, its words or its texture
 * units. The function first shades the deferred pixels of the previous draw, so the state
 * of that draw must still be valid. @draw must remain valid until nv3_fp_finish().
 */
void nv3_fp_begin(NV3FpThread *thread, const NV3FpDraw *draw);

/*
 * Must be called before the first blocks of a group are shaded, and after any change to
 * the group.
 */
void nv3_fp_begin_group(NV3FpThread *thread);

/*
 * Shades @blocks, which the triangles of @group cover. May defer pixels, in order to
 * shade them together with pixels of later calls. Changes @blocks.
 */
void nv3_fp_shade_blocks(NV3FpThread *thread, const NV3FpTriangles *group,
                         NV3FpBlocks *blocks);
/*
 * Copies @tri to element @i of @group. All triangles of a group must have the same
 * @linear.
 */
void nv3_fp_set_triangle(NV3FpTriangles *group, unsigned i, const NV3FpTriangle *tri);
/*
 * Shades the deferred pixels. Returns the number of samples that have passed all tests
 * since the last call.
 */
uint64_t nv3_fp_finish(NV3FpThread *thread);

/*
 * Samples @unit at NV3_FP_LANES coordinates, for vertex programs. A null unit returns
 * 0, 0, 0, 1. @coord: arrays of s, t, r and the level. @result: arrays of red, green,
 * blue and alpha. Each array has NV3_FP_LANES elements and is aligned to 64 bytes.
 */
void nv3_fp_sample(NV3FpLevel level, const NV3TexUnit *unit, const float *const coord[4],
                   float *const result[4]);

#endif
