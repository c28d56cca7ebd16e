/* SPDX-License-Identifier: MIT */
#ifndef NV3_PROGRAM_H
#define NV3_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/nv3_expr.h"

/*
 * A vertex shader and what of the fragment shader is done by vertex, as lists
 * of instructions on arrays of vertices: register r of vertex v is
 * regs[r][v]. One is for the position, which draws and passes may have in common,
 * and one for all else. Made for the uniforms' values, so that what is multiplied by
 * nought or one is not there.
 */

/* Vertices at a time. */
#define NV3_SOA_WIDTH      64

#define NV3_MAX_REGS   192
#define NV3_MAX_LOADS  64
#define NV3_MAX_INSTS  (2 * NV3_MAX_REGS)

/* What is wanted of a vertex. */
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
 * Instructions are NV3_OP_* on registers, and these, of which the first four
 * have a number for their second operand.
 */
enum nv3_inst_code {
   NV3_INST_MUL_VALUE = NV3_OP_SELECT + 1,
   NV3_INST_ADD_VALUE,
   NV3_INST_MAX_VALUE,
   NV3_INST_MIN_VALUE,
   NV3_INST_MAD,          /* a * b + c */
   NV3_INST_MAD_VALUE,    /* a * value + c */
   NV3_INST_FILL,         /* value */
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
   int16_t results[NV3_RESULTS];   /* registers, or -1 */
};

void
nv3_program_copy(struct nv3_program *to, const struct nv3_program *from);

/* Whether they compute the same of the same. */
bool
nv3_program_equal(const struct nv3_program *a, const struct nv3_program *b);

/*
 * Runs it for @lanes vertices, a multiple of NV3_SOA_ALIGN; the registers of
 * program->loads hold the attributes. Registers are aligned to 64 bytes.
 */
void
nv3_program_run(const struct nv3_program *program, float (*regs)[NV3_SOA_WIDTH],
                unsigned lanes);

#endif
