/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast interpreter of vertex programs. It processes NV3_VP_LANES vertices at a
 * time, with the floating-point operations of the host.
 *
 * A program is translated to operations on single components. Each component that an
 * instruction writes is a separate value. Therefore swizzles and plain moves cost
 * nothing, and unused values are not computed. Values are stored in slots of a register
 * file. A slot is reused after the last read of its value.
 *
 * Results are the same on every host and at every SIMD level, because the interpreter
 * uses only operations whose results IEEE 754 defines exactly. Deviations from the
 * reference (nv3_vp_run()) are:
 *
 *   MUL, DST's product, RCP, RCC and RSQ: at most 2^-21 of the result's magnitude.
 *   ADD, MAD, DP3, DPH and DP4: at most 2^-21 of the sum of the terms' magnitudes.
 *   TXL: the deviation that texture/texreference.h states for tex_sample().
 *   All other operations: none.
 *
 * Unlike the reference, the interpreter does not replace denormals by 0, and its moves do
 * not preserve the sign and fraction of a NaN.
 */
#ifndef NV3_VP_EXEC_H
#define NV3_VP_EXEC_H

#include "vp/vp_program.h"

#define NV3_VP_LANES        64

/*
 * A value for each vertex of a group of NV3_VP_LANES vertices. The slot of A0 contains
 * int32_t instead of float.
 */
typedef struct NV3VpSlot {
    float lane[NV3_VP_LANES];
} __attribute__((aligned(64))) NV3VpSlot;

/*
 * The register file begins with slots for components of attributes and for the numbers
 * 0 and 1. Slots for constants follow, and then slots for results of operations.
 */
#define NV3_VP_SLOT_ATTRIBUTES  0
#define NV3_VP_SLOT_ZERO        (4 * NV3_VP_ATTRIBUTES)
#define NV3_VP_SLOT_ONE         (NV3_VP_SLOT_ZERO + 1)
#define NV3_VP_SLOT_CONSTANTS   (NV3_VP_SLOT_ONE + 1)
/*
 * Maximum number of results in use at a time: all registers, A0, and the results of one
 * instruction.
 */
#define NV3_VP_RESULTS_MAX      (4 * (NV3_VP_TEMPS + NV3_VP_OUTPUTS) + 1 + 16)
#define NV3_VP_SLOTS            (NV3_VP_SLOT_CONSTANTS + 4 * NV3_VP_CONSTANTS + \
                                 NV3_VP_RESULTS_MAX)

/* Like NV3VpSampleFn, for all vertices of a group. */
typedef void NV3VpSampleGroupFn(void *opaque, unsigned unit,
                                const NV3VpSlot *const coord[4],
                                NV3VpSlot *const result[4]);

typedef struct NV3VpFile {
    NV3VpSlot slot[NV3_VP_SLOTS];
    NV3VpSampleGroupFn *sample;     /* null: all texture units return 0, 0, 0, 1 */
    void *sample_opaque;
} NV3VpFile;

/* An operation has one result, unless its comment states another number. */
typedef enum NV3VpOpKind {
    NV3_VP_OP_MOV,
    NV3_VP_OP_MUL,
    NV3_VP_OP_ADD,
    NV3_VP_OP_SUB,
    NV3_VP_OP_MAD,
    NV3_VP_OP_DP3,      /* sources of DP3 to DP4: components of factor 0, then factor 1 */
    NV3_VP_OP_DPH,
    NV3_VP_OP_DP4,
    NV3_VP_OP_MIN,
    NV3_VP_OP_MAX,
    NV3_VP_OP_SLT,
    NV3_VP_OP_SGE,
    NV3_VP_OP_SGT,
    NV3_VP_OP_SLE,
    NV3_VP_OP_SEQ,
    NV3_VP_OP_SNE,
    NV3_VP_OP_SSG,
    NV3_VP_OP_FRC,
    NV3_VP_OP_FLR,
    NV3_VP_OP_RCP,
    NV3_VP_OP_RCC,
    NV3_VP_OP_RSQ,
    NV3_VP_OP_LG2,
    NV3_VP_OP_EX2,
    NV3_VP_OP_SIN,
    NV3_VP_OP_COS,
    NV3_VP_OP_ARL,
    NV3_VP_OP_EXP,              /* four results */
    NV3_VP_OP_LOG,              /* four results */
    NV3_VP_OP_LIT,              /* four results */
    NV3_VP_OP_TXL,              /* four results */
    NV3_VP_OP_FETCH,    /* four results: components of constant (source 0 + @constant) */
    NV3_VP_OP_KINDS
} NV3VpOpKind;

#define NV3_VP_OP_RESULTS   4
#define NV3_VP_OP_SOURCES   8
typedef struct NV3VpOp {
    uint8_t kind;               /* NV3VpOpKind */
    uint8_t sources;
    uint8_t absolute, negate;   /* bit i: source i; absolute applies before negate */
    bool saturate;
    bool plain;                 /* no absolute, negate or saturate */
    /*
     * Plain DP3, DPH and DP4 with a constant factor 1: number of consecutive operations,
     * starting with this one, that the interpreter executes together, for example the
     * rows of a matrix. These operations have the same kind and the same factor 0. 0 for
     * all other operations.
     */
    uint16_t rows;
    uint8_t unit;               /* TXL: texture unit */
    uint16_t constant;          /* FETCH: added to source 0 to form the index */
    uint16_t constants;         /* FETCH: number of addressable constants */
    uint16_t dst[NV3_VP_OP_RESULTS];    /* slots */
    uint16_t src[NV3_VP_OP_SOURCES];
} NV3VpOp;

/*
 * The translation of an instruction consists of at most nine operations: one FETCH, and
 * one operation for each component of the vector result and of the scalar result.
 */
#define NV3_VP_OPS_MAX      (NV3_VP_INSNS * 9)

/* A program in the format of the fast interpreter. */
typedef struct NV3VpCode {
    unsigned count;
    NV3VpOp op[NV3_VP_OPS_MAX];
    unsigned constant_count;
    /* components of constants in the order of their slots, as 4 * index + component */
    uint16_t constant[4 * NV3_VP_CONSTANTS];
    uint32_t outputs;                       /* mask of outputs that are written */
    uint16_t output[NV3_VP_OUTPUTS][4];     /* their slots */
    uint16_t attributes;                    /* mask of attributes that are read */
    uint8_t units;                          /* mask of texture units that are sampled */
    unsigned samples;                       /* number of TXL operations */
    unsigned scalars;               /* operations that are executed lane by lane */
} NV3VpCode;

typedef enum NV3VpLevel {
    NV3_VP_GENERIC,
    NV3_VP_AVX2,
    NV3_VP_AVX512,
    NV3_VP_LEVELS
} NV3VpLevel;

/*
 * Translates a decoded program. Omits operations on which no output in the mask @outputs
 * depends. @count: number of instructions, 1 to NV3_VP_INSNS.
 */
void nv3_vp_translate(NV3VpCode *code, const NV3VpInsn *insns, unsigned count,
                      uint32_t outputs);

/*
 * Fills the slots of the constants that the program reads. Must be called after each
 * change of the program or of a constant.
 */
void nv3_vp_load_constants(NV3VpFile *file, const NV3VpCode *code,
                           const uint32_t constants[NV3_VP_CONSTANTS][4]);

/* Returns the highest level that this host supports. */
NV3VpLevel nv3_vp_best_level(void);

/*
 * Runs the program for the first @vertices lanes of the file. The caller must have
 * stored the attributes in their slots. The values of the other lanes are undefined.
 * @constants: memory from which FETCH reads constants. @level: at most
 * nv3_vp_best_level().
 */
void nv3_vp_execute(NV3VpFile *file, const NV3VpCode *code,
                    const uint32_t constants[NV3_VP_CONSTANTS][4], unsigned vertices,
                    NV3VpLevel level);

/* Implementations of nv3_vp_execute(), one for each level. */
typedef void NV3VpExecuteFn(NV3VpFile *file, const NV3VpCode *code,
                            const uint32_t constants[NV3_VP_CONSTANTS][4],
                            unsigned vertices);
NV3VpExecuteFn nv3_vp_execute_generic, nv3_vp_execute_avx2, nv3_vp_execute_avx512;

#if defined(__x86_64__)
#define NV3_VP_HAVE_X86     1
#endif

#endif
