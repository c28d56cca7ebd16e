/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fragment programs in the format of the fast executor.
 *
 * Registers are renamed: each component that an instruction writes is a separate value.
 * Therefore swizzles and MOV instructions without modifiers cost nothing, and unused
 * values are not computed. An operation computes one to four values for 64 pixels. If all
 * operands of an operation are constants, nv3_fp_begin() executes the operation once for
 * all blocks of the draw.
 *
 * Maximum errors compared with the reference (nv3_fp_run()), for finite operands and
 * results:
 *
 *   EX2: at most 2^-21 of the result's magnitude. LG2: at most 2^-22 of the result's
 *   magnitude, or 2^-22 if the magnitude is below 1. SIN and COS: at most 2^-22, for
 *   arguments with a magnitude up to 2^13. POW and z of LIT: the error of EX2, plus the
 *   effect of LG2's error on the operand of EX2. Texture operations: see
 *   texture/texreference.h. Other operations: none, except for the sign of a NaN.
 */
#ifndef NV3_FP_CODE_H
#define NV3_FP_CODE_H

#include <stddef.h>

#include "fp/fp.h"
#include "fp/fp_insn.h"
#include "texture/texunit_int.h"

/* An operation has @n results, unless its comment states another number. */
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
    NV3_FP_OP_SEL_LT,       /* a < 0 ? b : c; the next five test a differently */
    NV3_FP_OP_SEL_EQ,
    NV3_FP_OP_SEL_LE,
    NV3_FP_OP_SEL_GT,
    NV3_FP_OP_SEL_NE,
    NV3_FP_OP_SEL_GE,
    NV3_FP_OP_DDX,
    NV3_FP_OP_DDY,
    NV3_FP_OP_DOT,          /* one result: the sum of @n products */
    NV3_FP_OP_RSQ_DOT,      /* RSQ of DOT */
    NV3_FP_OP_NRM,          /* three results: c times RSQ_DOT of three products */
    NV3_FP_OP_TEX,          /* up to four results: the sample, or the sample * b */
    NV3_FP_OP_KIL,          /* no result; kills a pixel if any value passes the test */
    NV3_FP_OP_KINDS
} NV3FpOpKind;


#define NV3_FP_NO_SLOT      0xffff

/* An operation. Operands are slots. A slot holds one value for each of 64 pixels. */
typedef struct NV3FpOp {
    uint8_t kind;           /* NV3FpOpKind */
    uint8_t n;              /* TEX: 2 if the sample is multiplied by operand 1, else 1 */
    uint8_t unit;           /* of TEX */
    uint8_t lod;            /* TEX: NV3TexLod; KIL: NV3_FP_TEST_ */
    uint16_t dst[4];        /* slots of results; NV3_FP_NO_SLOT if unused */
    /*
     * Indexed by operand and component. Operand 0 of TEX holds the coordinates s, t and
     * r, and the bias or level. With NV3_TEX_LOD_GRADIENT, operands 1 and 2 hold the
     * derivatives of s, t and r in x and in y.
     */
    uint16_t src[3][4];
} NV3FpOp;

/* An input component and its slot. */
typedef struct NV3FpCodeInput {
    uint8_t input, component;
    uint16_t slot;
    /*
     * 0, or a mask of texture units. If the mask is not 0, the program uses the component
     * only as the third coordinate of texture operations with these units.
     */
    uint16_t third;
} NV3FpCodeInput;

/* A slot that has the same value for all pixels. */
typedef struct NV3FpCodeConstant {
    uint16_t slot;
    bool literal;
    /* bits of the literal, or index of the constant in the program's words */
    uint32_t word;
} NV3FpCodeConstant;

/* The values of one component for the NV3_FP_LANES pixels of a block. */
typedef struct NV3FpSlot {
    float pixel[NV3_FP_LANES];
} __attribute__((aligned(64))) NV3FpSlot;

/* Executes a segment for all pixels. @file: the slots of NV3FpThread. */
typedef void NV3FpNativeFn(NV3FpSlot *file);

/* @count successive operations, which are either all compiled or all interpreted. */
typedef struct NV3FpSegment {
    NV3FpNativeFn *run;     /* null if the operations are interpreted */
    const NV3FpOp *op;
    unsigned count;
} NV3FpSegment;

struct NV3FpCode {
    /* @uniform_count operations on constants, then @count other operations */
    NV3FpOp *op;
    unsigned uniform_count, count;
    NV3FpCodeConstant *constant;
    unsigned constant_count;
    uint32_t *constant_value; /* constants of the translated program */
    NV3FpCodeInput input[NV3_FP_INPUTS * 4];
    unsigned input_count;
    uint8_t input_mask[NV3_FP_INPUTS];
    uint16_t varyings;      /* inputs whose planes the program reads */
    uint16_t units;
    uint16_t color[4];      /* slots of the results */
    uint16_t depth;         /* or NV3_FP_NO_SLOT */
    bool kills;
    unsigned slots;
    /*
     * The @count operations as segments, for draws at @native_level. Draws at other
     * levels do not use the segments. If nv3_native_compile_fp() has not created
     * segments, @native_level is NV3_FP_GENERIC.
     */
    NV3FpSegment *segment;
    unsigned segment_count;
    NV3FpLevel native_level;
    void *native;           /* executable memory of @native_size bytes, or null */
    size_t native_size;
};

#define NV3_FP_STRIPS   (NV3_FP_LANES / NV3_PIXOPS_STRIP)
#define NV3_FP_QUADS    (NV3_FP_STRIPS * NV3_PIXOPS_QUADS)
/*
 * Number of triangles that can have deferred pixels at the same time: those of two
 * groups.
 */
#define NV3_FP_TRIANGLES    (2 * NV3_FP_GROUP)
/*
 * Number of elements in a table of triangles. After the elements of all NV3_FP_TRIANGLES
 * triangles, the table repeats the first eight elements. Triangle 0 follows the last
 * triangle, so any eight successive triangles have consecutive elements in the table. The
 * rest of the table is padding.
 */
#define NV3_FP_TABLE    32

/*
 * The planes of one input component for all triangles. @value: value at the centre of the
 * triangle's reference pixel.
 */
typedef struct NV3FpPlanes {
    float value[NV3_FP_TABLE], dx[NV3_FP_TABLE], dy[NV3_FP_TABLE];
} __attribute__((aligned(64))) NV3FpPlanes;

/*
 * Deferred pixels or quads: the program has not run for them yet. A run of the program
 * shades NV3_FP_LANES pixels. All pixels of a block are appended together, so the arrays
 * have room for the pixels of two runs. Only the first @count entries are valid.
 */
typedef struct NV3FpDeferred {
    /* position of the pixel, or of the quad's first pixel, in the surface: y << 16 | x */
    uint32_t place[2 * NV3_FP_LANES];
    uint8_t triangle[2 * NV3_FP_LANES]; /* index in the tables of NV3FpThread */
    /* quads only: covered pixels; bits 0 and 1: upper row, bits 8 and 9: lower row */
    uint32_t mask[2 * NV3_FP_QUADS];
    unsigned count;
} __attribute__((aligned(64))) NV3FpDeferred;

/* The stage at which a draw tests depth and stencil. */
typedef enum NV3FpZeta {
    NV3_FP_ZETA_NONE,
    NV3_FP_ZETA_EARLY,          /* before the program runs */
    NV3_FP_ZETA_TWICE,          /* before the program (no store), and again after it */
    NV3_FP_ZETA_LATE,           /* only after the program */
} NV3FpZeta;

struct NV3FpThread {
    NV3FpSlot *file;
    const NV3FpDraw *draw;
    /* size of a rectangle at 0, 0 that is completely inside the draw's surfaces */
    int32_t inner_width, inner_height;
    uint64_t killed;        /* mask of pixels that the program has killed */
    uint64_t samples;       /* that passed all tests */
    uint8_t zeta;           /* NV3FpZeta of the draw */
    bool reads;             /* the draw reads colours from the surface */
    /*
     * true if pixels at the same position must be in different strips, because the
     * engine reads all pixels of a strip before it stores any of them
     */
    bool separate;
    /*
     * true if the draw defers whole quads, because it needs differences between pixels or
     * because @separate is true; otherwise the draw defers single pixels
     */
    bool quads;
    /* the elements of NV3FpCode.input that affect the results of the draw */
    NV3FpCodeInput live[NV3_FP_INPUTS * 4];
    unsigned live_count;
    NV3FpDeferred deferred;
    /* Element i lists the numbers of the bits that are set in i, in ascending order. */
    uint8_t bit_numbers[256][8];
    /*
     * Tables of the triangles with deferred pixels and of the current group. The
     * NV3_FP_GROUP elements that begin at @first belong to the current group, if @loaded
     * is true. Element i of @input holds the planes of live[i]. The planes of affine
     * triangles are already multiplied by w, and their @rhw is 1. @x, @y: the reference
     * pixels.
     */
    bool loaded;
    unsigned first;
    uint16_t linear;        /* NV3FpTriangle.linear, the same for all triangles */
    NV3FpPlanes z, rhw, fog, fog_rhw, input[NV3_FP_INPUTS * 4];
    float x[NV3_FP_TABLE] __attribute__((aligned(64)));
    float y[NV3_FP_TABLE] __attribute__((aligned(64)));
    int32_t front[NV3_FP_TABLE] __attribute__((aligned(64)));
    int32_t affine[NV3_FP_TABLE] __attribute__((aligned(64)));
};

/* Returns the stage at which @draw tests depth and stencil. */
NV3FpZeta nv3_fp_zeta(const NV3FpDraw *draw);

/* Runs @count operations for the 64 pixels in the slots of @thread. */
typedef void NV3FpExecuteFn(NV3FpThread *thread, const NV3FpOp *op, unsigned count);
/*
 * Implementations of nv3_fp_shade_blocks() for each SIMD level. nv3_fp_shade_samples_*()
 * draw to surfaces with several samples for each pixel.
 */
typedef void NV3FpShadeFn(NV3FpThread *thread, const NV3FpTriangles *group,
                          NV3FpBlocks *blocks);
/* Runs the program once for deferred pixels. At least one pixel must be deferred. */
typedef void NV3FpDeferredFn(NV3FpThread *thread);
NV3FpExecuteFn nv3_fp_execute_generic, nv3_fp_execute_avx2, nv3_fp_execute_avx512;
NV3FpShadeFn nv3_fp_shade_generic, nv3_fp_shade_avx2, nv3_fp_shade_avx512,
             nv3_fp_shade_samples_generic, nv3_fp_shade_samples_avx2,
             nv3_fp_shade_samples_avx512;
NV3FpDeferredFn nv3_fp_shade_deferred_generic, nv3_fp_shade_deferred_avx2,
                nv3_fp_shade_deferred_avx512;

/* nv3_fp_sample() for a single level. */
typedef void NV3FpSampleFn(const NV3TexUnit *unit, const NV3TexRequest *request);
NV3FpSampleFn nv3_fp_sample_generic, nv3_fp_sample_avx2, nv3_fp_sample_avx512;

/* Calls nv3_fp_execute_...() of @level. */
void nv3_fp_execute(NV3FpThread *thread, const NV3FpOp *op, unsigned count,
                    NV3FpLevel level);

/*
 * Runs the program of @thread->draw for the pixels in @thread->file: compiled segments if
 * the draw has their level, and interpreted operations otherwise.
 */
typedef void NV3FpRunFn(NV3FpThread *thread);
NV3FpRunFn nv3_fp_run_code_generic, nv3_fp_run_code_avx2, nv3_fp_run_code_avx512;
/* Calls the NV3FpRunFn for the level of @thread->draw. */
void nv3_fp_run_code(NV3FpThread *thread);

/*
 * fp_emit.c: return the number of components that @op reads of source @operand (0 to 2),
 * and the number of components that @op writes.
 */
unsigned nv3_fp_op_sources(const NV3FpOp *op, unsigned operand);
unsigned nv3_fp_op_results(const NV3FpOp *op);

#if defined(__x86_64__)
#define NV3_FP_HAVE_X86     1
#endif

#endif
