/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fragment programs as the fast executor runs them.
 *
 * Registers are renamed: each component that an instruction writes is a separate value.
 * Therefore moves and swizzles cost nothing, and unused values are not computed. An
 * operation computes one to four values, for all pixels of a block. Operations on
 * constants alone run once, when the constants are loaded.
 *
 * Deviations from the reference (nv3_fp_run()), for finite operands and results:
 *
 * - EX2: within 2^-21 of the result's magnitude; LG2: within 2^-22 of the result's
 *   magnitude or of 1, whichever is larger; SIN and COS: within 2^-22, for arguments of a
 *   magnitude up to 2^13.
 * - POW and LIT's z: the error of EX2 for a product that has LG2's error.
 * - Texture results: see texture/texunit.h.
 * - All others: the same bits, except for the sign of a NaN.
 */
#ifndef NV3_FP_CODE_H
#define NV3_FP_CODE_H

#include "fp/fp.h"
#include "fp/fp_insn.h"
#include "texture/texunit_int.h"

/* An operation has @n components, unless its comment states another number. */
typedef enum NV3FpOpKind {
    NV3_FP_OP_ADD,          /* a + b */
    NV3_FP_OP_SUB,          /* a - b */
    NV3_FP_OP_MUL,          /* a * b */
    NV3_FP_OP_MAD,          /* a * b + c */
    NV3_FP_OP_MSUB,         /* a * b - c */
    NV3_FP_OP_NMAD,         /* c - a * b */
    NV3_FP_OP_DIV,          /* a / b */
    NV3_FP_OP_MIN,
    NV3_FP_OP_MAX,
    NV3_FP_OP_SLT,          /* a < b */
    NV3_FP_OP_SGE,          /* a >= b */
    NV3_FP_OP_SEQ,
    NV3_FP_OP_SNE,
    NV3_FP_OP_NEG,
    NV3_FP_OP_ABS,
    NV3_FP_OP_SAT,
    NV3_FP_OP_FRC,
    NV3_FP_OP_FLR,
    NV3_FP_OP_RCP,
    NV3_FP_OP_RSQ,
    NV3_FP_OP_EX2,
    NV3_FP_OP_LG2,
    NV3_FP_OP_SIN,
    NV3_FP_OP_COS,
    NV3_FP_OP_POW,          /* EX2(b * LG2(a)) */
    NV3_FP_OP_SEL_LT,       /* a < 0 ? b : c; and so on */
    NV3_FP_OP_SEL_EQ,
    NV3_FP_OP_SEL_LE,
    NV3_FP_OP_SEL_GT,
    NV3_FP_OP_SEL_NE,
    NV3_FP_OP_SEL_GE,
    NV3_FP_OP_DDX,
    NV3_FP_OP_DDY,
    NV3_FP_OP_DOT,          /* one result: the sum of @n products */
    NV3_FP_OP_RSQ_DOT,      /* RSQ of DOT */
    NV3_FP_OP_TEX,          /* up to four results */
    NV3_FP_OP_KIL,          /* no result: kills where @test holds for any of @n values */
    NV3_FP_OP_KINDS
} NV3FpOpKind;


#define NV3_FP_NO_SLOT      0xffff

/* Operands are slots: places of 64 pixels in the file. */
typedef struct NV3FpOp {
    uint8_t kind;           /* NV3FpOpKind */
    uint8_t n;
    uint8_t unit;           /* of TEX */
    uint8_t lod;            /* NV3TexLod of TEX; NV3_FP_TEST_ of KIL */
    uint16_t dst[4];        /* TEX: by component, NV3_FP_NO_SLOT if not read */
    /*
     * By operand and component. The operands of TEX are the coordinates s, t and r with
     * the bias or level, their changes to the right, and their changes downwards.
     */
    uint16_t src[3][4];
} NV3FpOp;

/* An input component and its slot. */
typedef struct NV3FpCodeInput {
    uint8_t input, component;
    uint16_t slot;
} NV3FpCodeInput;

/* A slot that has the same value for all pixels. */
typedef struct NV3FpCodeConstant {
    uint16_t slot;
    bool literal;
    /* The literal's bits, or the constant's place in the program */
    uint32_t word;
} NV3FpCodeConstant;

struct NV3FpCode {
    NV3FpOp *op;            /* @uniform_count operations on constants, then the others */
    unsigned uniform_count, count;
    NV3FpCodeConstant *constant;
    unsigned constant_count;
    uint32_t *constant_value; /* values of constants in the translated program */
    NV3FpCodeInput input[NV3_FP_INPUTS * 4];
    unsigned input_count;
    uint8_t input_mask[NV3_FP_INPUTS];
    uint16_t varyings;      /* inputs with planes that are read */
    uint16_t units;
    uint16_t color[4];      /* slots of the results */
    uint16_t depth;         /* or NV3_FP_NO_SLOT */
    bool kills;
    unsigned slots;
};

/* The values of one component for all pixels. */
typedef struct NV3FpSlot {
    float pixel[NV3_FP_LANES];
} __attribute__((aligned(64))) NV3FpSlot;

#define NV3_FP_STRIPS   (NV3_FP_LANES / NV3_PIXOPS_STRIP)
#define NV3_FP_QUADS    (NV3_FP_STRIPS * NV3_PIXOPS_QUADS)
/* Triangles whose quads are shaded together: as many as a vector of AVX2 has lanes. */
#define NV3_FP_TRIANGLES    8

/* One plane of each of these triangles. */
typedef struct NV3FpPlanes {
    float value[NV3_FP_TRIANGLES], dx[NV3_FP_TRIANGLES], dy[NV3_FP_TRIANGLES];
} __attribute__((aligned(32))) NV3FpPlanes;

/*
 * Quads that wait for the program, by strip. No two quads of a strip are at the same
 * place.
 */
typedef struct NV3FpQuads {
    /* y << 16 | x of the quad's first pixel, and the index of its triangle. */
    uint32_t place[NV3_FP_QUADS];
    int32_t triangle[NV3_FP_QUADS];
    /* By strip: the pixels, and whether the triangles are front-facing. */
    uint16_t mask[NV3_FP_STRIPS];
    bool front[NV3_FP_STRIPS];
} __attribute__((aligned(64))) NV3FpQuads;

struct NV3FpThread {
    NV3FpSlot *file;
    const NV3FpDraw *draw;
    uint64_t killed;        /* by the program, of the pixels that it runs for */
    uint64_t samples;       /* that passed all tests */
    NV3FpQuads deferred;    /* quads that have passed the tests before the program */
    unsigned deferred_count;
    NV3FpSlot z;            /* their depths, for tests after the program */
    /* Planes of their triangles: 1/w, and the inputs as NV3FpCode.input. */
    unsigned triangles;
    bool current;           /* the last of these is the triangle being drawn */
    uint16_t linear;        /* NV3FpTriangle.linear of all of them */
    NV3FpPlanes rhw, fog, fog_rhw, input[NV3_FP_INPUTS * 4];
    int32_t triangle_x[NV3_FP_TRIANGLES] __attribute__((aligned(32)));
    int32_t triangle_y[NV3_FP_TRIANGLES] __attribute__((aligned(32)));
    /* Quads of the current triangle that have not been tested yet: places and pixels */
    uint32_t quad[NV3_PIXOPS_QUADS] __attribute__((aligned(16)));
    unsigned quads, quad_mask;
};

/* Runs @count operations for the 64 pixels of @thread's file. */
typedef void NV3FpExecuteFn(NV3FpThread *thread, const NV3FpOp *op, unsigned count);
/* nv3_fp_shade_block() at one level each. */
typedef void NV3FpShadeFn(NV3FpThread *thread, const NV3FpTriangle *tri, int32_t x,
                          int32_t y, uint64_t mask);
/* nv3_fp_shade_samples() at one level each. */
typedef void NV3FpSamplesFn(NV3FpThread *thread, const NV3FpTriangle *tri, int32_t x,
                            int32_t y, const uint64_t mask[NV3_PIXOPS_SAMPLES]);
/* Shades the deferred quads. There must be at least one. */
typedef void NV3FpStripsFn(NV3FpThread *thread);
/* nv3_fp_end_triangle() at one level each. At least one quad must be pending. */
typedef void NV3FpEndFn(NV3FpThread *thread, const NV3FpTriangle *tri);
NV3FpExecuteFn nv3_fp_execute_generic, nv3_fp_execute_avx2, nv3_fp_execute_avx512;
NV3FpShadeFn nv3_fp_shade_generic, nv3_fp_shade_avx2, nv3_fp_shade_avx512;
NV3FpSamplesFn nv3_fp_shade_samples_generic, nv3_fp_shade_samples_avx2,
               nv3_fp_shade_samples_avx512;
NV3FpStripsFn nv3_fp_shade_strips_generic, nv3_fp_shade_strips_avx2,
              nv3_fp_shade_strips_avx512;
NV3FpEndFn nv3_fp_end_triangle_generic, nv3_fp_end_triangle_avx2,
           nv3_fp_end_triangle_avx512;

/* nv3_fp_sample() for a single level. */
typedef void NV3FpSampleFn(const NV3TexUnit *unit, const NV3TexRequest *request);
NV3FpSampleFn nv3_fp_sample_generic, nv3_fp_sample_avx2, nv3_fp_sample_avx512;

/* nv3_fp_execute_...() of @level. */
void nv3_fp_execute(NV3FpThread *thread, const NV3FpOp *op, unsigned count,
                    NV3FpLevel level);

#if defined(__x86_64__)
#define NV3_FP_HAVE_X86     1
#endif

#endif
