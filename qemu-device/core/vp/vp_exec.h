/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast interpreter of vertex programs: NV3_VP_LANES vertices at a time, with the
 * host's floating point.
 *
 * Results are the same on every host and at every SIMD level, as only operations are
 * used that IEEE 754 defines exactly. Compared with the reference (nv3_vp_run()):
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

#define NV3_VP_LANES        16

/*
 * The register file of a group of vertices: index of the first register of each kind.
 */
#define NV3_VP_FILE_ATTRIBUTES  0
#define NV3_VP_FILE_TEMPS       (NV3_VP_FILE_ATTRIBUTES + NV3_VP_ATTRIBUTES)
#define NV3_VP_FILE_OUTPUTS     (NV3_VP_FILE_TEMPS + NV3_VP_TEMPS)
#define NV3_VP_FILE_CONSTANTS   (NV3_VP_FILE_OUTPUTS + NV3_VP_OUTPUTS)
/*
 * Sources that are fetched separately for each lane, one for each source of an
 * instruction.
 */
#define NV3_VP_FILE_FETCHED     (NV3_VP_FILE_CONSTANTS + NV3_VP_CONSTANTS)
#define NV3_VP_FILE_SIZE        (NV3_VP_FILE_FETCHED + 3)

/* One component of a register for all vertices of the group. */
typedef struct NV3VpComponent {
    float lane[NV3_VP_LANES];
} __attribute__((aligned(64))) NV3VpComponent;

/* NV3VpSampleFn for all vertices of the group. */
typedef void NV3VpSampleGroupFn(void *opaque, unsigned unit,
                                const NV3VpComponent coord[4],
                                NV3VpComponent result[4]);

typedef struct NV3VpFile {
    NV3VpComponent reg[NV3_VP_FILE_SIZE][4];
    int32_t address[NV3_VP_LANES];          /* A0 */
    NV3VpSampleGroupFn *sample;     /* null: all texture units read as 0, 0, 0, 1 */
    void *sample_opaque;
} NV3VpFile;

/* A translated instruction, whose registers are indices in NV3VpFile. */
typedef struct NV3VpOp {
    uint8_t vector_op, scalar_op;
    uint8_t fetched;                        /* bit s: source s is fetched by lane */
    uint8_t unit;                           /* TXL: texture unit */
    uint16_t constant;                      /* its number, */
    uint16_t constants;                     /* of so many, */
    bool relative;                          /* to which A0 is added */
    bool vector_saturate, scalar_saturate;
    /*
     * Components as indices in the file, after the swizzle, and the masks of bits that
     * are kept and then inverted for the sign.
     */
    uint16_t src[3][4];
    uint32_t kept[3], sign[3];
    /* The registers of the results, and the masks of components that are written. */
    uint16_t vector_temp, scalar_temp, output;
    uint8_t vector_mask, scalar_mask;       /* of the temporary registers */
    uint8_t vector_output, scalar_output;   /* of the output */
} NV3VpOp;

/* A program in the fast interpreter's format. */
typedef struct NV3VpCode {
    NV3VpOp op[NV3_VP_INSNS];
    unsigned count;
    uint16_t constant[NV3_VP_CONSTANTS];    /* constants in the file, in order */
    unsigned constant_count;
    uint32_t outputs;                       /* mask of outputs that are written */
    uint16_t attributes;                    /* mask of attributes that are read */
    uint8_t units;                          /* mask of texture units that are sampled */
    unsigned samples;                       /* number of TXL operations */
    uint32_t temps_read;                    /* mask of R read before written */
    uint32_t outputs_partial;               /* outputs with components not written, or
                                               read before they are */
} NV3VpCode;

typedef enum NV3VpLevel {
    NV3_VP_GENERIC,
    NV3_VP_AVX2,
    NV3_VP_AVX512,
    NV3_VP_LEVELS
} NV3VpLevel;

/* Translates a decoded program (@count: 1 to NV3_VP_INSNS). */
void nv3_vp_translate(NV3VpCode *code, const NV3VpInsn *insns, unsigned count);

/* Clears temporary registers, outputs and A0, as silicon does before a vertex. */
void nv3_vp_clear(NV3VpFile *file, const NV3VpCode *code);

/* The same, but only for registers whose initial value can affect a result. */
void nv3_vp_clear_seen(NV3VpFile *file, const NV3VpCode *code);

/*
 * Copies the program's constants to the file. Must be called after each change of one.
 */
void nv3_vp_load_constants(NV3VpFile *file, const NV3VpCode *code,
                           const uint32_t constants[NV3_VP_CONSTANTS][4]);

/* Returns the highest level that this host has. */
NV3VpLevel nv3_vp_best_level(void);

/*
 * Runs the program for the NV3_VP_LANES vertices whose attributes are in the file.
 * @level: at most nv3_vp_best_level(). @constants: for constants that A0 selects.
 */
void nv3_vp_execute(NV3VpFile *file, const NV3VpCode *code,
                    const uint32_t constants[NV3_VP_CONSTANTS][4], NV3VpLevel level);

/* nv3_vp_execute() for a single level. */
typedef void NV3VpExecuteFn(NV3VpFile *file, const NV3VpCode *code,
                            const uint32_t constants[NV3_VP_CONSTANTS][4]);
NV3VpExecuteFn nv3_vp_execute_generic, nv3_vp_execute_avx2, nv3_vp_execute_avx512;

#if defined(__x86_64__)
#define NV3_VP_HAVE_X86     1
#endif

#endif
