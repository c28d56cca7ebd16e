/* SPDX-License-Identifier: MIT */
#ifndef NV3_PROGRAM_H
#define NV3_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/nv3_expr.h"

/*
 * Vertex programs: the vertex shader and the per-vertex part of the fragment
 * shader as instructions on arrays. Register r of vertex v is regs[r][v]. One
 * program computes positions, which several passes and draws may share.
 * Another program computes all other results. Programs depend on uniforms,
 * because products with 0 or 1 are folded.
 */

/* The number of vertices per run of a program. */
#define NV3_SOA_WIDTH      64

#define NV3_MAX_REGS   192
#define NV3_MAX_LOADS  64
#define NV3_MAX_INSTS  (2 * NV3_MAX_REGS)

/* The results of programs. */
enum nv3_result {
   NV3_RESULT_X,
   NV3_RESULT_Y,
   NV3_RESULT_Z,
   NV3_RESULT_W,
   NV3_RESULT_RED,
   NV3_RESULT_GREEN,
   NV3_RESULT_BLUE,
   NV3_RESULT_ALPHA,
   NV3_RESULT_U,
   NV3_RESULT_V,
   NV3_RESULT_Q,
   NV3_RESULT_FOG,
   NV3_RESULTS,
};

/*
 * The instructions in addition to NV3_OP_*. The second operand of the first
 * four is a constant.
 */
enum nv3_inst_code {
   NV3_INST_MUL_VALUE = NV3_OP_SELECT + 1,
   NV3_INST_ADD_VALUE,
   NV3_INST_MAX_VALUE,
   NV3_INST_MIN_VALUE,
   NV3_INST_MAD,        /* a * b + c */
   NV3_INST_MAD_VALUE,  /* a * value + c */
   NV3_INST_FILL,       /* value */
};

struct nv3_inst {
   uint8_t code;
   int16_t dst, a, b, c;
   float value;
};

struct nv3_program {
   unsigned reg_count, inst_count, load_count;
   struct {
      uint8_t element, component;
      int16_t reg;
   } loads[NV3_MAX_LOADS];
   struct nv3_inst insts[NV3_MAX_INSTS];
   int16_t results[NV3_RESULTS];  /* registers, or -1 */
};

void
nv3_program_copy(struct nv3_program *to, const struct nv3_program *from);

/* True if both programs are identical. */
bool
nv3_program_equal(const struct nv3_program *a, const struct nv3_program *b);

/*
 * Runs a program for @lanes vertices, a multiple of NV3_SOA_ALIGN. The caller
 * has stored the attributes in the registers of program->loads. Registers are
 * aligned to 64 bytes.
 */
void
nv3_program_run(const struct nv3_program *program, float (*regs)[NV3_SOA_WIDTH],
                unsigned lanes);

#endif
