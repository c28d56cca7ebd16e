/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast interpreter of vertex programs: NV3_VP_LANES vertices at a time, with the
 * host's floating point.
 *
 * A program is translated to operations on single components. Each result of an
 * instruction is a separate value. Therefore moves and swizzles cost nothing, and unused
 * results are not computed. Values are in slots of the file. A slot is reused after the
 * last read of its value.
 *
 * Results are the same on every host and at every SIMD level, because the interpreter
 * uses only operations that IEEE 754 defines exactly. Deviations from the reference
 * (nv3_vp_run()):
 *
 * - MUL, DST's product, RCP, RCC and RSQ: within 2^-21 of the result's magnitude.
 * - Sums (ADD, MAD, DP3, DPH, DP4): within 2^-21 of the sum of the operands' magnitudes.
 * - MOV, MIN, MAX, SLT, SGE, DST's copies, EXP, LOG, LIT, ARL and all extended
 *   operations but TXL: the same bits.
 * - TXL: what the texture unit returns.
 *
 * Denormals are kept, except by the rule that 0 times anything is 0. A NaN's sign and
 * fraction are not kept.
 */
#ifndef NV3_VP_EXEC_H
#define NV3_VP_EXEC_H

#include "vp/vp_program.h"

#define NV3_VP_LANES        32

/*
 * One value for all vertices of the group. A0 is such a value, too, and consists of
 * whole numbers.
 */
typedef struct NV3VpSlot {
    float lane[NV3_VP_LANES];
} __attribute__((aligned(64))) NV3VpSlot;

/*
 * The first slots of the file: components of attributes, and the numbers 0 and 1.
 * Constants follow, and then the results of operations.
 */
#define NV3_VP_SLOT_ATTRIBUTES  0
#define NV3_VP_SLOT_ZERO        (4 * NV3_VP_ATTRIBUTES)
#define NV3_VP_SLOT_ONE         (NV3_VP_SLOT_ZERO + 1)
#define NV3_VP_SLOT_CONSTANTS   (NV3_VP_SLOT_ONE + 1)
/* Maximum number of live results: registers, A0, and the results of one instruction. */
#define NV3_VP_RESULTS_MAX      (4 * (NV3_VP_TEMPS + NV3_VP_OUTPUTS) + 1 + 16)
#define NV3_VP_SLOTS            (NV3_VP_SLOT_CONSTANTS + 4 * NV3_VP_CONSTANTS + \
                                 NV3_VP_RESULTS_MAX)

/* NV3VpSampleFn for all vertices of the group. */
typedef void NV3VpSampleGroupFn(void *opaque, unsigned unit,
                                const NV3VpSlot *const coord[4],
                                NV3VpSlot *const result[4]);

typedef struct NV3VpFile {
    NV3VpSlot slot[NV3_VP_SLOTS];
    NV3VpSampleGroupFn *sample;     /* null: all texture units read as 0, 0, 0, 1 */
    void *sample_opaque;
} NV3VpFile;

/* Operations have one result, unless their comment states another number. */
typedef enum NV3VpOpKind {
    NV3_VP_OP_MOV,
    NV3_VP_OP_MUL,
    NV3_VP_OP_ADD,
    NV3_VP_OP_SUB,
    NV3_VP_OP_MAD,
    NV3_VP_OP_DP3,              /* sources: components of the first, of the second */
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
    NV3_VP_OP_FETCH,            /* four results: the constant that the source selects */
    NV3_VP_OP_KINDS
} NV3VpOpKind;

#define NV3_VP_OP_RESULTS   4
#define NV3_VP_OP_SOURCES   8
typedef struct NV3VpOp {
    uint8_t kind;               /* NV3VpOpKind */
    uint8_t sources;
    uint8_t absolute, negate;   /* bit i: of source i, the negation after the magnitude */
    bool saturate;
    bool plain;                 /* none of these three */
    uint8_t unit;               /* TXL: texture unit */
    uint16_t constant;          /* FETCH: its number, to which the source is added, */
    uint16_t constants;         /* of so many */
    uint16_t dst[NV3_VP_OP_RESULTS];    /* slots */
    uint16_t src[NV3_VP_OP_SOURCES];
} NV3VpOp;

/* For an instruction: a fetched constant, four components, and a scalar operation's. */
#define NV3_VP_OPS_MAX      (NV3_VP_INSNS * 9)

/* A program in the fast interpreter's format. */
typedef struct NV3VpCode {
    unsigned count;
    NV3VpOp op[NV3_VP_OPS_MAX];
    unsigned constant_count;
    /* Components of constants as 4 * number + component, in the order of their slots */
    uint16_t constant[4 * NV3_VP_CONSTANTS];
    uint32_t outputs;                       /* mask of outputs that are written */
    uint16_t output[NV3_VP_OUTPUTS][4];     /* their slots */
    uint16_t attributes;                    /* mask of attributes that are read */
    uint8_t units;                          /* mask of texture units that are sampled */
    unsigned samples;                       /* number of TXL operations */
} NV3VpCode;

typedef enum NV3VpLevel {
    NV3_VP_GENERIC,
    NV3_VP_AVX2,
    NV3_VP_AVX512,
    NV3_VP_LEVELS
} NV3VpLevel;

/*
 * Translates those parts of a decoded program (@count: 1 to NV3_VP_INSNS) that the
 * outputs in the mask @outputs depend on.
 */
void nv3_vp_translate(NV3VpCode *code, const NV3VpInsn *insns, unsigned count,
                      uint32_t outputs);

/*
 * Copies the program's constants to the file. Must be called after each change of the
 * program or of a constant.
 */
void nv3_vp_load_constants(NV3VpFile *file, const NV3VpCode *code,
                           const uint32_t constants[NV3_VP_CONSTANTS][4]);

/* Returns the highest level that this host has. */
NV3VpLevel nv3_vp_best_level(void);

/*
 * Runs the program for the first @vertices vertices of the file, whose attributes are in
 * their slots. The values of other vertices are undefined. @level: at most
 * nv3_vp_best_level().
 * @constants: for constants that A0 selects.
 */
void nv3_vp_execute(NV3VpFile *file, const NV3VpCode *code,
                    const uint32_t constants[NV3_VP_CONSTANTS][4], unsigned vertices,
                    NV3VpLevel level);

/* nv3_vp_execute() for a single level. */
typedef void NV3VpExecuteFn(NV3VpFile *file, const NV3VpCode *code,
                            const uint32_t constants[NV3_VP_CONSTANTS][4],
                            unsigned vertices);
NV3VpExecuteFn nv3_vp_execute_generic, nv3_vp_execute_avx2, nv3_vp_execute_avx512;

#if defined(__x86_64__)
#define NV3_VP_HAVE_X86     1
#endif

#endif
