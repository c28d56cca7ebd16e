/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fragment programs use the 128-bit instruction format of the GeForce 6. A reference
 * interpreter executes them directly, and a fast executor runs their translation.
 *
 * An instruction has four words: one word for the operation and destination, and one
 * for each of three sources. All sources together can refer to only one input and one
 * inline constant. The four words of the constant follow the instruction. The program
 * writes the colour to R0 (or H0), and the depth to R1.z.
 *
 * Sources: Mesa, src/gallium/drivers/nouveau/nv30/nvfx_shader.h for fields and opcodes,
 * and nvfx_fragprog.c for their use. Methods are from envytools, rnndb. "The GeForce 6
 * Series GPU Architecture" (GPU Gems 2, chapter 30) describes the features.
 */
#ifndef NV3_FP_PROGRAM_H
#define NV3_FP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define NV3_FP_INSN_WORDS   4
#define NV3_FP_INSNS        1024    /* maximum number of instructions */
/* Maximum number of words. A constant can follow each instruction. */
#define NV3_FP_WORDS        (NV3_FP_INSNS * 2 * NV3_FP_INSN_WORDS)
#define NV3_FP_TEMPS        48      /* R0 to R47; H(2n) is the same as R(n) */
#define NV3_FP_INPUTS       16
#define NV3_FP_UNITS        16
#define NV3_FP_COLOR_TEMP   0       /* result registers */
#define NV3_FP_DEPTH_TEMP   1

typedef enum NV3FpInput {
    NV3_FP_POSITION = 0,            /* window x, y, z and 1/w */
    NV3_FP_COLOR0 = 1,
    NV3_FP_COLOR1 = 2,
    NV3_FP_FOG = 3,
    NV3_FP_TEXCOORD0 = 4,           /* inputs 4 to 13: ten texture coordinates */
    NV3_FP_FACING = 14,             /* x is 1 for front faces, -1 for back faces */
} NV3FpInput;

typedef enum NV3FpOpcode {
    NV3_FP_NOP = 0x00,
    NV3_FP_MOV = 0x01,
    NV3_FP_MUL = 0x02,
    NV3_FP_ADD = 0x03,
    NV3_FP_MAD = 0x04,
    NV3_FP_DP3 = 0x05,
    NV3_FP_DP4 = 0x06,
    NV3_FP_DST = 0x07,
    NV3_FP_MIN = 0x08,
    NV3_FP_MAX = 0x09,
    NV3_FP_SLT = 0x0a,
    NV3_FP_SGE = 0x0b,
    NV3_FP_SLE = 0x0c,
    NV3_FP_SGT = 0x0d,
    NV3_FP_SNE = 0x0e,
    NV3_FP_SEQ = 0x0f,
    NV3_FP_FRC = 0x10,
    NV3_FP_FLR = 0x11,
    NV3_FP_KIL = 0x12,
    NV3_FP_DDX = 0x15,
    NV3_FP_DDY = 0x16,
    NV3_FP_TEX = 0x17,
    NV3_FP_TXP = 0x18,
    NV3_FP_TXD = 0x19,
    NV3_FP_RCP = 0x1a,
    NV3_FP_RSQ = 0x1b,              /* NV30 */
    NV3_FP_EX2 = 0x1c,
    NV3_FP_LG2 = 0x1d,
    NV3_FP_LIT = 0x1e,              /* NV30 */
    NV3_FP_LRP = 0x1f,              /* NV30 */
    NV3_FP_STR = 0x20,
    NV3_FP_SFL = 0x21,
    NV3_FP_COS = 0x22,
    NV3_FP_SIN = 0x23,
    NV3_FP_POW = 0x26,              /* NV30 */
    NV3_FP_DP2A = 0x2e,
    NV3_FP_TXL = 0x2f,
    NV3_FP_TXB = 0x31,
    NV3_FP_DP2 = 0x38,              /* NV40 */
    NV3_FP_NRM = 0x39,              /* NV40 */
    NV3_FP_DIV = 0x3a,
    NV3_FP_DIVRSQ = 0x3b,           /* NV40 */
} NV3FpOpcode;

typedef enum NV3FpBank {
    NV3_FP_BANK_TEMP = 0,
    NV3_FP_BANK_INPUT = 1,
    NV3_FP_BANK_CONSTANT = 2,
    NV3_FP_BANK_NONE = 3,           /* a source that the operation does not read */
} NV3FpBank;

/* Reasons to reject a program. */
typedef enum NV3FpError {
    NV3_FP_OK,
    NV3_FP_BAD_OPCODE,
    NV3_FP_BAD_BRANCH,              /* flow control, which is not supported */
    NV3_FP_BAD_SOURCE,              /* a source with an undefined bank or register */
    NV3_FP_BAD_DESTINATION,         /* the result register does not exist */
    /* an input is indexed, or is read without perspective correction */
    NV3_FP_BAD_INDEX,
    NV3_FP_BAD_CONDITION,           /* use of the second condition register */
    NV3_FP_BAD_SCALE,               /* undefined result scale */
    NV3_FP_NO_END,                  /* no instruction ends the program */
    NV3_FP_TOO_LONG,                /* the translation needs too many operations */
} NV3FpError;

/* SIMD levels of the fast executor. */
typedef enum NV3FpLevel {
    NV3_FP_GENERIC,
    NV3_FP_AVX2,
    NV3_FP_AVX512,
    NV3_FP_LEVELS
} NV3FpLevel;

/* Returns the highest level that this host supports. */
NV3FpLevel nv3_fp_best_level(void);

/* A program in the fast executor's format. */
typedef struct NV3FpCode NV3FpCode;

/*
 * If any of these bits of method FP_CONTROL is set, R1.z replaces the interpolated depth
 * (Mesa, nv30_fragprog.c and nvfx_fragprog.c).
 */
#define NV3_FP_CONTROL_DEPTH    0x0000000eu
/*
 * Not a bit of FP_CONTROL: set if the draw does not use the alpha of the program's
 * colour.
 */
#define NV3_FP_CONTROL_NO_ALPHA 0x80000000u

/*
 * Checks and translates the program at @words. @max: number of available words. @control:
 * NV3_FP_CONTROL_ bits. If the program is invalid, returns null, sets @error, and sets
 * @position to the index of the invalid instruction's first word. If memory is exhausted,
 * returns null and sets @error to NV3_FP_OK.
 */
NV3FpCode *nv3_fp_code_new(const uint32_t *words, unsigned max, uint32_t control,
                           NV3FpError *error, unsigned *position);
void nv3_fp_code_free(NV3FpCode *code);

/* Returns the mask of components (bit 0: x) of @input that the program reads. */
unsigned nv3_fp_code_inputs(const NV3FpCode *code, NV3FpInput input);
/* Returns the mask of texture units that the program samples. */
unsigned nv3_fp_code_units(const NV3FpCode *code);
/* Returns the description of an error, for messages. */
const char *nv3_fp_error_name(NV3FpError error);

#endif
