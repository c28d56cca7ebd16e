/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vertex programs consist of the NV2A's 128-bit instructions. The reference interpreter
 * (nv3_vp_run()) executes these instructions directly. The fast interpreter (vp_exec.h)
 * first translates a program to simpler operations.
 *
 * An instruction has a vector operation and a scalar operation. Both operations read
 * their sources before either writes a result. The vector operation uses sources 0, 1 and
 * 2 (ADD: 0 and 2), and the scalar operation uses source 2. The sources of an
 * instruction can refer to one attribute and one constant.
 *
 * Word 0 of an instruction is 0 on the NV2A. In this engine, word 0 holds the flags of
 * extended instructions (NV3_VP_EXT_*). An extended instruction can address 512 constants
 * and more temporary registers, take absolute values of sources and saturate results. It
 * can also execute the vector and scalar operations of Rankine (NV30), with Rankine's
 * opcodes, and TXL of Curie (NV40).
 * Instructions whose word 0 is 0 have exactly the encoding of the NV2A.
 *
 * Sources of the encoding: envytools, docs/hw/graph/xf/isa.rst (Kelvin ISA) and
 * hwtest/xf.cc. The following two rules are from nv2a_vsh_cpu
 * (src/nv2a_vsh_disassembler.c and src/nv2a_vsh_emulator.c), which has been compared with
 * an Xbox. In an instruction with both operations, the scalar operation writes R1. A
 * source R12 reads output 0, the position.
 *
 * The opcode of TXL is from Mesa, src/gallium/drivers/nouveau/nv30/nvfx_shader.h. The
 * position of the texture unit in the instruction is from RPCS3,
 * rpcs3/Emu/RSX/Program/RSXVertexProgram.h.
 */
#ifndef NV3_VP_PROGRAM_H
#define NV3_VP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define NV3_VP_INSN_WORDS   4
#define NV3_VP_INSNS        512     /* NV2A: 136; Curie (NV40): 512 */
#define NV3_VP_CONSTANTS    512
#define NV3_VP_NV2A_CONSTANTS 192 /* for instructions that are not extended */
#define NV3_VP_ATTRIBUTES   16
#define NV3_VP_TEMPS        32      /* R0 to R11; also R16 to R31 if extended */
#define NV3_VP_NV2A_TEMPS   12
#define NV3_VP_EXT_TEMP     16
#define NV3_VP_TEMP_POS     12 /* a source R12 reads the current value of output 0 */
#define NV3_VP_OUTPUTS      19      /* NV2A: 16, with fewer texture coordinates */
#define NV3_VP_UNITS        4       /* texture units, as on Curie */
#define NV3_VP_SCALAR_TEMP  1       /* the scalar operation writes R1 if both exist */

/* Word 0. */
#define NV3_VP_EXT              0x80000000u     /* extended; required by other flags */
#define NV3_VP_EXT_CONSTANT     0x00000001u     /* bit 8 of the constant's index */
/* bit 4 of the temporary register of source s */
#define NV3_VP_EXT_SRC_TEMP(s)  (0x00000002u << (s))
#define NV3_VP_EXT_DST_TEMP     0x00000010u     /* bit 4 of the result register */
#define NV3_VP_EXT_VECTOR_OP    0x00000020u     /* bit 4 of the operation */
#define NV3_VP_EXT_SCALAR_SHIFT 6               /* bits 3 and 4 of the scalar operation */
#define NV3_VP_EXT_ABS(s)       (0x00000100u << (s))    /* absolute value of source s */
#define NV3_VP_EXT_VECTOR_SAT   0x00000800u     /* clamp results to [0, 1] */
#define NV3_VP_EXT_SCALAR_SAT   0x00001000u
#define NV3_VP_EXT_ALL          0x80001fffu

typedef enum NV3VpVectorOp {
    NV3_VP_VNOP = 0,
    NV3_VP_VMOV = 1,
    NV3_VP_MUL = 2,
    NV3_VP_ADD = 3,
    NV3_VP_MAD = 4,
    NV3_VP_DP3 = 5,
    NV3_VP_DPH = 6,
    NV3_VP_DP4 = 7,
    NV3_VP_DST = 8,
    NV3_VP_MIN = 9,
    NV3_VP_MAX = 10,
    NV3_VP_SLT = 11,
    NV3_VP_SGE = 12,
    NV3_VP_ARL = 13,
    NV3_VP_NV2A_VECTOR_OPS = 14,
    NV3_VP_FRC = 14,            /* this and all further operations: extended */
    NV3_VP_FLR = 15,
    NV3_VP_SEQ = 16,
    NV3_VP_SFL = 17,
    NV3_VP_SGT = 18,
    NV3_VP_SLE = 19,
    NV3_VP_SNE = 20,
    NV3_VP_STR = 21,
    NV3_VP_SSG = 22,
    /*
     * Samples the texture unit whose number is in the register field of source 1.
     * Source 0 has s, t, r and the level.
     */
    NV3_VP_TXL = 25,
    NV3_VP_VECTOR_OPS = 26,     /* 23 and 24 do not exist */
} NV3VpVectorOp;

typedef enum NV3VpScalarOp {
    NV3_VP_SNOP = 0,
    NV3_VP_SMOV = 1,
    NV3_VP_RCP = 2,
    NV3_VP_RCC = 3,
    NV3_VP_RSQ = 4,
    NV3_VP_EXP = 5,
    NV3_VP_LOG = 6,
    NV3_VP_LIT = 7,
    NV3_VP_LG2 = 13,            /* this and all further operations: extended */
    NV3_VP_EX2 = 14,
    NV3_VP_SIN = 15,
    NV3_VP_COS = 16,
} NV3VpScalarOp;

typedef enum NV3VpBank {
    NV3_VP_BANK_NONE = 0,
    NV3_VP_BANK_TEMP = 1,
    NV3_VP_BANK_ATTRIBUTE = 2,
    NV3_VP_BANK_CONSTANT = 3,
} NV3VpBank;

/* Reasons to reject a program. */
typedef enum NV3VpError {
    NV3_VP_OK,
    NV3_VP_BAD_WORD0,           /* word 0 has unknown flags, or lacks NV3_VP_EXT */
    NV3_VP_BAD_OPCODE,
    NV3_VP_BAD_SOURCE,          /* a source with an undefined bank or register */
    NV3_VP_BAD_TEMP,            /* the result register does not exist */
    NV3_VP_BAD_OUTPUT,          /* writes a constant, or a nonexistent output */
    NV3_VP_BAD_ADDRESS,         /* ARL also writes registers */
    NV3_VP_NO_END,              /* the last instruction is missing */
} NV3VpError;

typedef struct NV3VpSource {
    uint8_t bank;               /* NV3VpBank; NONE if the source is not read */
    uint8_t temp;
    uint8_t component[4];       /* swizzle: 0 to 3 */
    bool negate;
    bool absolute;              /* applied before the negation */
} NV3VpSource;

/* A decoded instruction. In masks, bit 0 is x and bit 3 is w. */
typedef struct NV3VpInsn {
    uint8_t vector_op;          /* NV3VpVectorOp */
    uint8_t scalar_op;          /* NV3VpScalarOp */
    NV3VpSource src[3];
    uint8_t attribute;
    uint8_t unit;               /* TXL: texture unit */
    uint16_t constant;
    uint16_t constants;         /* number of addressable constants */
    bool indexed;               /* the constant's index is @constant + A0 */
    uint8_t vector_temp;
    uint8_t vector_mask;
    uint8_t scalar_temp;
    uint8_t scalar_mask;
    uint8_t output;
    uint8_t output_mask;
    bool output_scalar;         /* the scalar operation writes the output */
    bool vector_saturate, scalar_saturate;
    bool last;
} NV3VpInsn;

/*
 * Samples texture unit @unit. @coord: s, t, r and the level. @result: red, green, blue
 * and alpha.
 */
typedef void NV3VpSampleFn(void *opaque, unsigned unit, const float coord[4],
                           float result[4]);

/* The registers of one vertex, as bit patterns. */
typedef struct NV3VpRegisters {
    uint32_t attribute[NV3_VP_ATTRIBUTES][4];
    uint32_t temp[NV3_VP_TEMPS][4];
    uint32_t output[NV3_VP_OUTPUTS][4];
    int address;                /* A0 */
    NV3VpSampleFn *sample;      /* null: all texture units return 0, 0, 0, 1 */
    void *sample_opaque;
} NV3VpRegisters;

/* Decodes one instruction. @insn is undefined after an error. */
NV3VpError nv3_vp_decode(NV3VpInsn *insn, const uint32_t words[NV3_VP_INSN_WORDS]);

/*
 * Decodes the program at @words, which has at most @max instructions (1 to NV3_VP_INSNS),
 * into @insns. Sets @count to the number of decoded instructions. After an error, @count
 * is the index of the invalid instruction.
 */
NV3VpError nv3_vp_decode_program(NV3VpInsn *insns, unsigned *count,
                                 const uint32_t *words, unsigned max);

/* Returns the description of an error, for messages. */
const char *nv3_vp_error_name(NV3VpError error);

/*
 * Runs a program for one vertex. The results of NV2A's operations are exactly those of
 * silicon. The caller must set the attributes, and the initial values of temporary
 * registers, outputs and A0, which silicon clears before each vertex. Each instruction
 * runs once, because there are no branches.
 */
void nv3_vp_run(NV3VpRegisters *r, const NV3VpInsn *insns, unsigned count,
                const uint32_t constants[NV3_VP_CONSTANTS][4]);

#endif
