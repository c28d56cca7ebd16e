/* SPDX-License-Identifier: MIT */
#ifndef NV3_PROGRAM_H
#define NV3_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "nv3_expr.h"
#include "nv3_shader.h"
#include "nv3_vs.h"

/*
 * A vertex shader and what of the fragment shader is done by vertex, as lists
 * of instructions on arrays of vertices: register r of vertex v is
 * regs[r][v]. One is for the position, which draws and passes may have in common,
 * and one for all else. Made for the uniforms' values, so that what is multiplied by
 * nought or one is not there.
 */

/* Vertices at a time. */
#define NV3_LANES      64

#define NV3_MAX_REGS   192
#define NV3_MAX_LOADS  64

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
   struct nv3_inst insts[2 * NV3_MAX_REGS];
   int16_t results[NV3_RESULTS];   /* registers, or -1 */
};

/*
 * Either the position, where @fs is NULL, or all else. @fs_ops: which operation of
 * the fragment shader each result is, or -1 if it is not wanted. @vs_values and
 * @fs_values: the uniform operations' values. NULL, or why it can't be done.
 */
const char *
nv3_program_link(struct nv3_program *program, const struct nv3_vs_info *vs,
                 const float *vs_values, const struct nv3_shader_info *fs,
                 const float *fs_values, const int fs_ops[NV3_RESULTS]);

/* Whether they compute the same of the same. */
bool
nv3_program_equal(const struct nv3_program *a, const struct nv3_program *b);

/*
 * Runs it for @lanes vertices, a multiple of NV3_LANE_ALIGN; the registers of
 * program->loads hold the attributes. Registers are aligned to 64 bytes.
 */
void
nv3_program_run(const struct nv3_program *program, float (*regs)[NV3_LANES],
                unsigned lanes);

#endif
