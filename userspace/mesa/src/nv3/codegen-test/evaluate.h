/* SPDX-License-Identifier: MIT */
/*
 * Evaluates the NIR that the linker returns. No pass of the compiler under
 * test has changed this NIR, so it still has control flow, integers and
 * booleans. A fragment shader is evaluated for the four pixels of a quad at
 * the same time, and a vertex shader for four vertices. Each pixel or vertex
 * is a lane.
 */
#ifndef NV3_CODEGEN_TEST_EVALUATE_H
#define NV3_CODEGEN_TEST_EVALUATE_H

#include "compiler/nir/nir.h"

#define LANES       4
#define SLOTS       80
#define UNIFORMS    512
#define EVAL_UNITS  16

typedef float vec4[4];

/* A texture access by all lanes. @op is the operation of the instruction. */
struct evaluate_tex {
   nir_texop op;
   unsigned unit;
   bool shadow;
   /* coord[2] is the reference value of shadow textures */
   float coord[4][LANES];
   float w[LANES];              /* bias or level */
   float gradient[2][3][LANES];
   float result[4][LANES];
};

struct evaluate {
   const nir_shader *nir;
   const vec4 *uniforms;
   /* Vertices: by driver_location. Fragments: by VARYING_SLOT_*. */
   float input[SLOTS][4][LANES];
   bool front;
   float point_coord[4][LANES];
   void (*tex)(void *data, struct evaluate_tex *tex);
   void *data;

   /* By VARYING_SLOT_* or FRAG_RESULT_*. */
   float output[SLOTS][4][LANES];
   unsigned written[SLOTS]; /* mask of components */
   unsigned killed;         /* mask of lanes */
   const char *unknown;     /* unsupported construct, or NULL */
};

void
evaluate(struct evaluate *e);

#endif
