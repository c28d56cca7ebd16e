/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoded fragment programs, and the reference interpreter, which executes them for a
 * quad of four pixels. The reference and the fast executor follow these rules:
 *
 * - All arithmetic is IEEE 754 binary32. Neither the precision field of an instruction
 *   nor the half flag of a register reduces the precision. H(2n) is the same register as
 *   R(n), and H(2n + 1) is a separate register.
 *
 * - RCP, RSQ, EX2, LG2, SIN, COS, POW, DIVRSQ and NRM read scalar operands from the first
 *   component of the swizzled source. RSQ and DIVRSQ use the magnitude of this
 *   component.
 *
 * - The condition register holds the last result that was written to it, and is 0 at
 *   the start. A test compares a component of the condition register with 0. A NaN
 *   passes only the test TR.
 *
 * - A result is first scaled, then saturated (a NaN becomes 0), then stored in the result
 *   and condition registers.
 *
 * - Registers are 0 at the start.
 */
#ifndef NV3_FP_INSN_H
#define NV3_FP_INSN_H

#include "fp/fp_program.h"
#include "texture/texunit.h"

#define NV3_FP_REGISTERS    80      /* R0 to R47, then H1, H3 ... H63 */

/*
 * LIT clamps the base (y) and the exponent (w) of its power. The minimum base is the
 * smallest normal number. The maximum magnitude of the exponent is from OpenGL's
 * ARB_fragment_program.
 */
#define NV3_FP_LIT_BASE_MIN     0x1p-126f
#define NV3_FP_LIT_POWER_MAX    128.0f

/*
 * Condition tests. A test is a mask of relations to 0. A value passes the test if one of
 * these relations holds.
 */
#define NV3_FP_TEST_LT      1
#define NV3_FP_TEST_EQ      2
#define NV3_FP_TEST_GT      4
#define NV3_FP_TEST_TR      7

typedef struct NV3FpSource {
    uint8_t bank;                   /* NV3FpBank */
    uint8_t reg;                    /* register of BANK_TEMP; below NV3_FP_REGISTERS */
    uint8_t component[4];           /* swizzle: 0 to 3 */
    bool negate, absolute;
} NV3FpSource;

typedef struct NV3FpInsn {
    uint8_t opcode;                 /* NV3FpOpcode */
    uint8_t sources;                /* number of sources that the operation reads */
    NV3FpSource src[3];
    uint8_t input;                  /* the input of sources in BANK_INPUT */
    uint8_t unit;
    bool has_constant;
    unsigned constant;              /* index of the constant's first word */

    bool no_result;                 /* writes only the condition register */
    uint8_t reg;
    uint8_t mask;                   /* components written: bit 0 is x */
    float scale;
    bool saturate;
    bool expand;                    /* a texture result x becomes 2 x - 1 */

    bool set_condition;
    uint8_t test;                   /* NV3_FP_TEST_: condition for writing a component */
    uint8_t test_component[4];

    bool last;
} NV3FpInsn;

/*
 * Decodes the instruction at @words. @max: number of available words. Sets @length to the
 * number of words of the instruction and its constant. insn->constant is relative to
 * @words. @insn is undefined after an error.
 */
NV3FpError nv3_fp_decode(NV3FpInsn *insn, unsigned *length, const uint32_t *words,
                         unsigned max);

/*
 * Decodes the program at @words into @insns, an array of NV3_FP_INSNS elements.
 * @position: see nv3_fp_code_new().
 */
NV3FpError nv3_fp_decode_program(NV3FpInsn *insns, unsigned *count,
                                 const uint32_t *words, unsigned max,
                                 unsigned *position);

/* Number of pixels of a quad. Pixels 0 and 1 form the upper row. */
#define NV3_FP_QUAD         4

typedef struct NV3FpQuad {
    float input[NV3_FP_INPUTS][4][NV3_FP_QUAD];
    float reg[NV3_FP_REGISTERS][4][NV3_FP_QUAD];
    float condition[4][NV3_FP_QUAD];
    unsigned killed;                /* bit i: pixel i */
} NV3FpQuad;

/*
 * Runs a decoded program. The caller must set the inputs and clear all other members of
 * @quad. @words: the program with its inline constants. A null texture unit returns 0,
 * 0, 0, 1.
 */
void nv3_fp_run(NV3FpQuad *quad, const NV3FpInsn *insns, unsigned count,
                const uint32_t *words, const NV3TexUnit *const unit[NV3_FP_UNITS]);

#endif
